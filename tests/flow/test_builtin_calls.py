"""Calls of Python's own functions."""

from __future__ import annotations

from small_programs import analyse


def test_getattr_of_many_third_party_names_stays_small() -> None:
    found = analyse("""
        import os, elsewhere
        class Own:
            part7 = 7
        names = [f'part{n}' for n in range(30)]
        thing = Own if os.environ.get('OWN') else elsewhere
        for first in names:
            for second in names:
                thing = getattr(getattr(thing, first), second)
    """)
    assert len(found.value("thing").atoms) < 500
