"""``match`` statements."""

from __future__ import annotations

from small_programs import analyse


def test_literal_cases() -> None:
    found = analyse("""
        x = 'b'
        match x:
            case 'a':
                y = 1
            case 'b':
                y = 2
            case _:
                y = 3
    """)
    assert found.plain("y") == {2}
    assert found.dead() == {4, 7, 8}


def test_or_patterns() -> None:
    found = analyse("""
        x = 2
        match x:
            case 1 | 2:
                y = 1
            case _:
                y = 2
    """)
    assert found.plain("y") == {1}
    assert found.dead() == {5, 6}


def test_class_patterns_bind() -> None:
    found = analyse("""
        class P:
            def __init__(self):
                self.x = 4
        match P():
            case P(x=v):
                y = v
            case _:
                y = 0
    """)
    assert 4 in found.plain("y")
    assert 6 in found.reached()


def test_guards() -> None:
    found = analyse("""
        x = 3
        match x:
            case n if n > 5:
                y = 1
            case n:
                y = 2
    """)
    assert found.plain("y") == {2}
    assert found.dead() == {4}
