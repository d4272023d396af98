"""Work that another process does meanwhile, for its effect on the cache."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable
from types import TracebackType


class Meanwhile:
    """Runs a function in a process of its own until it is waited for or no longer wanted.

    Whatever happens to that process, nothing is lost but time: the answer is
    looked for in the cache, and made here if it is not there.  Where processes
    cannot be forked, or there is one processor, nothing is begun.
    """

    def __init__(self, work: Callable[[], None] | None) -> None:
        self._process = None
        if work is not None and _can_fork():
            self._process = multiprocessing.get_context("fork").Process(
                target=_quietly, args=(work,), daemon=True
            )
            self._process.start()

    @property
    def runs(self) -> bool:
        """Whether the other process is at work."""
        return self._process is not None and self._process.is_alive()

    def wait(self) -> None:
        """Come back when the work is done."""
        if self._process is not None:
            self._process.join()

    def __enter__(self) -> Meanwhile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop what nobody waits for."""
        if self._process is not None:
            self._process.terminate()
            self._process.join()


def _can_fork() -> bool:
    return "fork" in multiprocessing.get_all_start_methods() and _processors() > 1


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def _quietly(work: Callable[[], None]) -> None:
    """Errors are told by the process that is asked: it meets the same."""
    # An interrupt from the terminal reaches both; the other process speaks of it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 2)
    with contextlib.suppress(Exception):
        work()


__all__ = ["Meanwhile"]
