"""Pausing Python's collector of cycles while much is made and nothing is dropped."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Run without the cycle collector, and leave it as it was.

    Trees, IR and abstract values hold hardly any cycles, but each allocation in
    bulk makes the collector walk all that lives: it takes a fifth of the time of
    lowering and nine tenths of the time of reading IR back, and finds nothing.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
