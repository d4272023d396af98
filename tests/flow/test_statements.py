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
