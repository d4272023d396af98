"""Assignments, branches and loops."""

from __future__ import annotations

from small_programs import analyse


def test_only_the_branch_of_a_known_test_runs() -> None:
    found = analyse("""
        x = 1
        if x > 0:
            y = 'yes'
        else:
            y = 'no'
    """)
    assert found.plain("y") == {"yes"}
    assert found.dead() == {5}


def test_both_branches_of_an_unknown_test_run() -> None:
    found = analyse("""
        import os
        if os.getpid() == 3:
            y = 1
        else:
            y = 2
    """)
    assert found.plain("y") == {1, 2}
    assert found.dead() == set()


def test_elif_chains_stop_at_the_first_hit() -> None:
    found = analyse("""
        x = 'b'
        if x == 'a':
            y = 1
        elif x == 'b':
            y = 2
        else:
            y = 3
    """)
    assert found.plain("y") == {2}
    assert found.dead() == {3, 7}


def test_code_behind_return_is_dead() -> None:
    found = analyse("""
        def f():
            return 1
            return 2
        y = f()
    """)
    assert found.plain("y") == {1}
    assert found.dead() == {3}


def test_a_loop_over_nothing_never_runs() -> None:
    found = analyse("""
        for x in []:
            y = 1
        else:
            y = 2
    """)
    assert found.plain("y") == {2}
    assert found.dead() == {2}


def test_while_false_never_runs() -> None:
    found = analyse("""
        y = 0
        while False:
            y = 1
    """)
    assert found.plain("y") == {0}
    assert found.dead() == {3}


def test_augmented_assignment() -> None:
    found = analyse("""
        y = 2
        y += 3
    """)
    assert 5 in found.plain("y")


def test_swapped_names() -> None:
    found = analyse("""
        a, b = 1, 2
        a, b = b, a
        c = (a, b)
        if c == (2, 1):
            y = 1
        else:
            y = 2
    """)
    assert 1 in found.plain("y")


def test_hasattr_keeps_the_objects_that_fit() -> None:
    found = analyse("""
        import os
        class Plain:
            pass
        class Wide:
            def items(self):
                return 1
        def kind(x):
            if hasattr(x, 'items'):
                return 'wide' if isinstance(x, Wide) else 'wrong'
            return 'plain' if isinstance(x, Plain) else 'wrong'
        y = kind(Plain() if os.getpid() else Wide())
    """)
    assert found.plain("y") == {"wide", "plain"}


def test_hasattr_keeps_the_names_that_fit() -> None:
    found = analyse("""
        import os
        class Config:
            kind = 'known'
        config = Config()
        def fill(key):
            if not hasattr(config, key):
                setattr(config, key, 3)
        fill('kind' if os.getpid() else 'size')
        kind = config.kind
        size = config.size
    """)
    assert found.plain("kind") == {"known"}
    assert found.plain("size") == {3}


def test_a_loop_over_one_of_two_known_sequences_keeps_pairs_together() -> None:
    found = analyse("""
        import os
        class Box:
            pass
        box = Box()
        pairs = (('a', 1), ('b', 2)) if os.getpid() else (('a', 10),)
        for name, number in pairs:
            setattr(box, name, number)
        a, b = box.a, box.b
    """)
    assert found.plain("a") == {1, 10}
    assert found.plain("b") == {2}


def test_rows_of_a_table_stay_rows_when_a_loop_unpacks_them() -> None:
    found = analyse(
        """
        class Bag:
            pass

        def override(bag, **fields):
            todo = []
            for name, value in fields.items():
                todo.append((bag, name, value))
            for bag, name, value in todo:
                setattr(bag, name, value)

        bag = Bag()
        override(bag, path="p")
        override(bag, number=1, path="q")
        number, path = bag.number, bag.path
        """
    )
    assert found.plain("number") == {1}
    assert found.plain("path") == {"p", "q"}


def test_what_a_loop_over_rows_leaves_behind_is_that_of_any_row() -> None:
    found = analyse(
        """
        import os
        rows = []
        if os.getpid():
            rows.append(("a", 1))
        if os.getpid():
            rows.append(("b", 2))
        name = number = None
        seen = []
        for name, number in rows:
            if name == "a":
                seen.append(number)
                continue
            if number == 1:
                never = 1
        """
    )
    assert found.plain("name") == {None, "a", "b"}
    assert found.plain("number") == {None, 1, 2}
    assert not found.value("never").atoms
