"""Registries, rows and membership."""

from __future__ import annotations

from small_programs import analyse

from pathcheck.flow.model import Model


def test_registry_filled_by_a_decorator() -> None:
    found = analyse("""
        R = {}
        def register(name):
            def wrap(f):
                R[name] = f
                return f
            return wrap
        @register('a')
        def fa():
            return 1
        @register('b')
        def fb():
            return 2
        y = R['b']()
    """)
    assert 2 in found.plain("y")
    assert 12 in found.reached()


def test_rows_of_a_dict() -> None:
    found = analyse("""
        D = {'a': 1, 'b': 2}
        y = D['a']
        z = D.get('c', 3)
    """)
    assert found.plain("y") == {1}
    assert found.plain("z") == {3}


def test_membership_on_constants() -> None:
    found = analyse("""
        y = 'b' in ('a', 'b')
        z = 'c' in ['a', 'b']
        w = 'a' in {'a': 1}
    """)
    assert found.plain("y") == {True}
    assert found.plain("z") == {False}
    assert found.plain("w") == {True}


def test_items_of_a_dict_reach_every_value() -> None:
    found = analyse("""
        def f():
            return 1
        def g():
            return 2
        for name, fn in {'f': f, 'g': g}.items():
            fn()
    """)
    assert found.dead() == set()


def test_appended_items_are_read_again() -> None:
    found = analyse("""
        L = []
        L.append(4)
        y = L[0]
    """)
    assert 4 in found.plain("y")


def test_length_of_a_tuple() -> None:
    found = analyse("""
        y = len((1, 2, 3))
    """)
    assert found.plain("y") == {3}


def test_a_memo_keyed_by_tuples_keeps_its_calls_apart() -> None:
    found = analyse(
        """
        def memo(function):
            cache = {}
            def wrapper(*args, **kwargs):
                key = (args, frozenset(kwargs.items()))
                if key in cache:
                    return cache[key]
                result = function(*args, **kwargs)
                cache[key] = result
                return result
            return wrapper

        @memo
        def length(name, extra=None):
            return len(name)

        short = length("a", extra=1)
        long = length("abc", extra=2)
        """
    )
    assert found.plain("short") == {1}
    assert found.plain("long") == {3}


def test_tuple_keys_that_may_be_equal_share_their_values() -> None:
    found = analyse(
        """
        import os
        table = {}
        number = len(os.listdir("."))
        table[("a", number)] = 1
        table[("b", number)] = 2
        one = table[("a", 7)]
        either = table[(os.name, 7)]
        """
    )
    assert found.plain("one") == {1}
    assert found.plain("either") == {1, 2}


def test_a_tensor_keeps_nothing_of_what_its_methods_get() -> None:
    source = """
        import torch
        class Layer:
            pass
        def load(tensor, layer):
            tensor.copy_(layer)
            return tensor.view(layer)
        weight = torch.nn.Parameter(3)
        seen = load(weight, Layer())
        holder = torch.Holder(3)
        held = load(holder, Layer())
        """
    found = analyse(source, model=Model(plain_data=frozenset({"torch.nn.Parameter"})))
    assert not any("Layer" in text for text in map(repr, found.value("seen").atoms))
    assert any("Layer" in text for text in map(repr, found.value("held").atoms))


def test_lists_of_known_contents_compare_by_them() -> None:
    found = analyse(
        """
        inside = ["a"] in [["b"], ["a"]]
        outside = ["a"] in [["b"], ["c", "d"]]
        same = ["a", 1] == ["a", 1]
        longer = ["a"] != ["a", "b"]
        changed = ["a"]
        changed[0] = "b"
        either = changed == ["a"]
        """
    )
    assert found.plain("inside") == {True}
    assert found.plain("outside") == {False}
    assert found.plain("same") == {True}
    assert found.plain("longer") == {True}
    assert found.plain("either") == {True, False}


def test_fields_of_a_dataclass_know_their_defaults() -> None:
    found = analyse(
        """
        from dataclasses import MISSING, dataclass, field, fields

        @dataclass
        class Config:
            plain: bool = False
            named: str = field(default="x")
            made: list = field(default_factory=list)
            given: int

        defaults = tuple(f.default for f in fields(Config))
        made = fields(Config)[2].default_factory is list
        """
    )
    (row,) = found.plain("defaults")
    assert row[:2] == (False, "x")
    assert row[2] == row[3] == "<ext dataclasses.MISSING>"
    assert found.plain("made") == {True}


def test_lists_that_hold_themselves_may_be_equal() -> None:
    found = analyse(
        """
        a, b = [1], [1]
        a[0] = b
        b[0] = a
        either = a == b
        """
    )
    assert found.plain("either") == {True, False}


def test_only_the_operators_that_containers_have_give_one() -> None:
    found = analyse(
        """
        import os
        either = [1] if os.listdir(".") else {1: 2}
        number = 3 if os.listdir(".") else [2]
        times = either * number
        both = {1: 2} | {3: 4}
        plus = either + ([3] if os.listdir(".") else "x")
        """
    )
    assert {atom.kind for atom in found.value("times").atoms} == {"list"}
    assert {atom.kind for atom in found.value("both").atoms} == {"dict"}
    assert {atom.kind for atom in found.value("plus").atoms} == {"list"}


def test_index_is_the_place_of_an_equal_element() -> None:
    found = analyse("""
        import os
        known = ['a', 'b', 'a'].index('a')
        alone = [os.getpid()].index(os.getpid())
        either = ('a', 'b').index('c' if os.getpid() else 'b')
        try:
            missing = [1, 2].index(3)
            fine = True
        except ValueError:
            fine = False
    """)
    assert found.plain("known") == {0}
    assert found.plain("alone") == {0}
    assert found.plain("either") == {1}
    assert found.plain("fine") == {False}


def test_one_known_element_shows_between_unknown_ones() -> None:
    found = analyse(
        """
        import somewhere
        names = [n for n in ("config", somewhere.name())]
        known = any(n == "config" for n in names)
        open_ = any(n == "weights" for n in names)
        """
    )
    assert found.plain("known") == {True}
    assert found.plain("open_") == {True, False}


def test_a_slice_that_python_refuses_is_no_end() -> None:
    found = analyse(
        """
        def part(step):
            return (1, 2, 3)[::step]
        try:
            refused = part(0)
        except ValueError:
            refused = None
        after = True
        """
    )
    assert found.plain("after") == {True}


def test_a_text_key_is_looked_for_among_what_may_equal_it() -> None:
    found = analyse(
        """
        import enum
        class Kind(str, enum.Enum):
            A = "a"
        table = {"b": 1, Kind.A: 2}
        enum_key = "a" in table
        text_key = "b" in table
        no_key = "c" in table
        """
    )
    assert True in found.plain("enum_key")
    assert found.plain("text_key") == {True}
    assert found.plain("no_key") == {False}


def test_filter_without_a_test_asks_for_the_truth_of_the_elements() -> None:
    found = analyse("result = tuple(filter(None, [0, 1, '', 'a']))\n")
    assert found.plain("result") == {(1, "a")}


def test_filter_with_a_test_that_may_be_missing() -> None:
    found = analyse(
        """
        import outside
        test = (lambda x: x > 1) if outside.get() else None
        result = list(filter(test, [0, 1, 2]))
        for x in result:
            seen = x
        """
    )
    assert {1, 2} <= found.plain("seen")
    assert not found.dead()


def test_elements_move_when_others_are_put_in_or_taken_out() -> None:
    found = analyse(
        """
        from collections import deque
        def move(name):
            xs = [1, 2, 3]
            if name == 'pop':
                xs.pop(0)
            elif name == 'insert':
                xs.insert(0, 9)
            elif name == 'remove':
                xs.remove(1)
            elif name == 'delete':
                del xs[0]
            elif name == 'slice':
                xs[:1] = ['a', 'b']
            elif name == 'cut':
                del xs[:2]
            return xs[1 if name != 'cut' else 0]
        popped, inserted, removed = move('pop'), move('insert'), move('remove')
        deleted, sliced, cut = move('delete'), move('slice'), move('cut')
        """
    )
    assert 3 in found.plain("popped")
    assert 1 in found.plain("inserted")
    assert 3 in found.plain("removed")
    assert 3 in found.plain("deleted")
    assert "b" in found.plain("sliced")
    assert 3 in found.plain("cut")


def test_a_slice_that_is_assigned_gives_its_elements_and_evaluates_its_bounds() -> None:
    found = analyse(
        """
        calls = []
        def bound():
            return 1
        xs = [1]
        xs[:bound()] = ['n']
        for x in xs:
            seen = x
        """
    )
    assert "n" in found.plain("seen")
    assert 3 not in found.dead()


def test_popping_the_last_keeps_the_places() -> None:
    found = analyse("xs = [1, 2, 3]\nxs.pop()\nxs.pop(-1)\nfirst = xs[0]\n")
    assert found.plain("first") == {1}


def test_a_fold_goes_on_with_what_it_has_made() -> None:
    found = analyse(
        """
        import functools, itertools
        def add(a, b):
            if a > 2:
                return a + 10
            return a + b
        known = functools.reduce(add, [1, 2, 3])
        either = functools.reduce(add, itertools.chain([3], (1,)), 1)
        """
    )
    assert found.plain("known") == {13}
    assert "?int:runtime" in found.plain("either") or {1, 14} <= found.plain("either")
    assert 4 not in found.dead()


def test_a_dict_with_a_factory_starts_with_its_keywords() -> None:
    found = analyse(
        """
        from collections import defaultdict
        d = defaultdict(int, {'b': 2}, a=1)
        result = (len(d), d['a'])
        """
    )
    assert found.plain("result") == {(2, 1)}


def test_one_of_several_keys_is_not_all_of_them() -> None:
    found = analyse(
        """
        import os
        k = 1 if os.getpid() else 0
        in_set, in_dict, in_list = 0 in {k, 3}, 0 in {k: 1, 3: 2}, 0 in [k, 3]
        d = {}
        d[k] = 1
        assigned = 0 in d
        three = 3 in {k, 3}
        """
    )
    for name in ("in_set", "in_dict", "in_list", "assigned"):
        assert found.plain(name) == {True, False}, name
    assert found.plain("three") == {True}


def test_a_comprehension_with_an_open_condition_keeps_what_belongs_together() -> None:
    """Each of a few known elements is taken by itself, whether or not its condition is decided."""
    found = analyse("""
        import sys
        a = "a" if len(sys.argv) > 1 else None
        b = "b" if len(sys.argv) > 1 else None
        built = {"x": a, "y": b, "z": None}
        made = {name: value for name, value in built.items() if value is not None}
        x, y, z = made.get("x"), made.get("y"), made.get("z", 0)
        names = [name for name, value in [("p", a), ("q", None)] if value is not None]
        for name in names:
            last = name
    """)
    assert found.plain("x") == {"a", None}
    assert found.plain("y") == {"b", None}
    assert found.plain("z") == {0}
    assert found.plain("last") == {"p"}
