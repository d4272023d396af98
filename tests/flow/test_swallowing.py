"""Managers that end an exception let the path go on behind the block."""

from __future__ import annotations

import pytest
from small_programs import analyse

SUPPRESS = """
import contextlib
with contextlib.suppress(KeyError):
    raise KeyError
after = 2
"""
OWN = """
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, kind, value, trace):
        return True
with Quiet():
    raise ValueError
after = 2
"""
GENERATOR = """
import contextlib
@contextlib.contextmanager
def quiet():
    try:
        yield
    except ValueError:
        pass
with quiet():
    raise ValueError
after = 2
"""
LOUD = """
class Loud:
    def __enter__(self):
        return self
    def __exit__(self, kind, value, trace):
        return None
def run():
    with Loud():
        raise ValueError
    return 1
try:
    after = run()
except ValueError:
    after = 3
"""


@pytest.mark.parametrize("source", [SUPPRESS, OWN, GENERATOR])
def test_what_follows_a_swallowing_manager_runs(source: str) -> None:
    assert analyse(source).plain("after") == {2}


def test_a_manager_that_returns_none_ends_nothing() -> None:
    assert analyse(LOUD).plain("after") == {3}
