"""Binding arguments, closures, methods and descriptors."""

from __future__ import annotations

from small_programs import analyse

from pathcheck.flow.analysis import add_entry, solve
from pathcheck.flow.calls import call_value
from pathcheck.flow.values import Const, Sequence, Value


def test_defaults_and_keywords() -> None:
    found = analyse("""
        def f(a, b=2, *, c=3):
            return (a, b, c)
        y = f(1, c=4)
    """)
    assert found.plain("y") == {(1, 2, 4)}


def test_star_arguments() -> None:
    found = analyse("""
        def f(*args):
            return args
        y = f(*(1, 2), 3)
    """)
    assert found.plain("y") == {(1, 2, 3)}


def test_double_star_arguments() -> None:
    found = analyse("""
        def f(a, b):
            return b
        def g(**kw):
            return f(**kw)
        y = g(a=1, b=2)
    """)
    assert found.plain("y") == {2}


def test_partial() -> None:
    found = analyse("""
        from functools import partial
        def f(a, b):
            return (a, b)
        y = partial(f, 1)(b=2)
    """)
    assert found.plain("y") == {(1, 2)}


def test_closures_keep_their_own_variables() -> None:
    found = analyse("""
        def make(n):
            def inner():
                return n
            return inner
        a = make(1)()
        b = make(2)()
    """)
    assert 1 in found.plain("a")
    assert 2 in found.plain("b")


def test_nonlocal() -> None:
    found = analyse("""
        def f():
            x = 1
            def g():
                nonlocal x
                x = 2
            g()
            return x
        y = f()
    """)
    assert 2 in found.plain("y")


def test_super_follows_the_receiver() -> None:
    found = analyse("""
        class A:
            def f(self):
                return 'a'
        class B(A):
            def f(self):
                return super().f() + 'b'
        y = B().f()
    """)
    assert found.plain("y") == {"ab"}


def test_mixin_super_goes_to_the_next_in_the_mro() -> None:
    found = analyse("""
        class Base:
            def f(self):
                return 'base'
        class Mixin:
            def f(self):
                return 'mixin:' + super().f()
        class C(Mixin, Base):
            pass
        y = C().f()
    """)
    assert found.plain("y") == {"mixin:base"}


def test_override_that_no_object_has_is_dead() -> None:
    found = analyse("""
        class A:
            def f(self):
                return 1
        class B(A):
            def f(self):
                return 2
        y = A().f()
    """)
    assert found.plain("y") == {1}
    assert found.dead() == {6}


def test_property() -> None:
    found = analyse("""
        class A:
            def __init__(self):
                self.x = 3
            @property
            def double(self):
                return self.x * 2
        y = A().double
    """)
    assert found.plain("y") == {6}


def test_class_and_static_methods() -> None:
    found = analyse("""
        class A:
            name = 'a'
            @classmethod
            def c(cls):
                return cls.name
            @staticmethod
            def s(x):
                return x
        class B(A):
            name = 'b'
        y = B.c()
        z = A.s(4)
    """)
    assert found.plain("y") == {"b"}
    assert found.plain("z") == {4}


def test_descriptor_learns_its_name() -> None:
    found = analyse("""
        class D:
            def __set_name__(self, owner, name):
                self.name = name
            def __get__(self, obj, owner=None):
                return self.name
        class A:
            field = D()
        y = A().field
    """)
    assert found.plain("y") == {"field"}


def test_decorator_replaces_the_function() -> None:
    found = analyse("""
        def twice(f):
            def inner(x):
                return f(x) * 2
            return inner
        @twice
        def f(x):
            return x + 1
        y = f(2)
    """)
    assert found.plain("y") == {6}


def test_two_calls_keep_their_flags_apart() -> None:
    found = analyse("""
        def f(flag):
            if flag:
                return 1
            return 2
        y = f(True)
        z = f(False)
    """)
    assert found.plain("y") == {1}
    assert found.plain("z") == {2}
    assert found.dead() == set()


def test_a_function_bound_by_its_type_gets_the_object() -> None:
    found = analyse(
        """
        import types

        class Layer:
            def __init__(self):
                self.size = 3

        def forward(self, factor):
            return self.size * factor

        layer = Layer()
        layer.forward = types.MethodType(forward, layer)
        result = layer.forward(2)
        """
    )
    assert found.plain("result") == {6}


def test_getters_find_attributes_and_items() -> None:
    found = analyse(
        """
        import operator
        class Part:
            def step(self):
                return 1
        class Whole:
            def __init__(self):
                self.part = Part()
                self.n = 5
        one = operator.attrgetter('part.step')(Whole())()
        two = operator.attrgetter('n', 'n')(Whole())
        item = operator.itemgetter(1)([3, 4])
        order = sorted([Whole()], key=operator.attrgetter('n'))
        end = 1
        """
    )
    assert found.plain("one") == {1}
    assert found.plain("two") == {(5, 5)}
    assert found.plain("item") == {4}
    assert found.plain("end") == {1}
    assert not found.dead()


def test_calls_in_a_chain_make_different_objects() -> None:
    found = analyse(
        """
        class Inner:
            pass
        class Outer:
            def inner(self):
                return Inner()
        import outside
        kind = type(Outer().inner())
        lengths = dict(a=[1]).copy()['a'] + list(dict(b=2))
        made = outside.Context().keep(1)
        """
    )
    assert found.plain("kind") == {"<class main:Inner>"}


def test_functions_put_in_the_place_of_a_third_partys_are_called_by_it() -> None:
    found = analyse("""
        from vendor import Config
        before = Config.check
        def patched(self):
            called = True
            return before(self)
        def validator(self):
            seen = True
        Config.check = patched
        Config.validators[2] = validator
    """)
    assert {4, 5, 7} <= found.reached()


def test_keywords_spread_from_a_dict_that_may_be_empty_may_all_be_missing() -> None:
    found = analyse("""
        from vendor import ask
        def override(source, **fields):
            if not fields:
                return "nothing"
            if "ratio" not in fields:
                return "no ratio"
            return fields["ratio"]
        def run():
            given = {}
            if ask():
                given["backend"] = "cpu"
            if ask():
                given["ratio"] = 2
            return override("a", **given), override("b", ratio=3)
    """)
    results: list[Value] = []
    add_entry(found.world, lambda fr: results.append(call_value(fr, found.value("run"), (), {}, 0)))
    solve(found.world)
    (both,) = results[-1].atoms
    assert isinstance(both, Sequence) and both.items is not None
    maybe, surely = ({a.value for a in v.atoms if isinstance(a, Const)} for v in both.items)
    assert maybe == {"nothing", "no ratio", 2}
    assert surely == {3}
