"""Registries, rows and membership."""

from __future__ import annotations

from small_programs import analyse


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
