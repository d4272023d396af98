"""The paths that leave a block by ``return``, ``break`` or ``continue``: what they pass on their way out."""

from __future__ import annotations

from collections.abc import Callable

from pathcheck.flow.env import join_all_env, join_env
from pathcheck.flow.frame import Env, Frame


def walk(fr: Frame, block: Callable[[], None], passing: Callable[[Env], Env | None]) -> None:
    """Walk ``block``; ``passing`` gives what is left of an environment once it has passed the block's end.

    ``None``: the path ends there.  Paths that reach the end of the block, and
    exceptions, are the caller's.
    """
    returned, fr.result_env = fr.result_env, None
    open_loops = [kind[-1] for kind in (fr.breaks, fr.continues) if kind]
    seen = [len(ways) for ways in open_loops]
    block()
    after = fr.env
    leaves, fr.result_env = fr.result_env, returned
    if leaves is not None:
        passed = passing(leaves)
        fr.result_env = join_env(fr.world, fr.result_env, passed)
    for ways, before in zip(open_loops, seen, strict=True):
        leaving = join_all_env(fr.world, ways[before:])
        if leaving is not None:
            del ways[before:]
            passed = passing(leaving)
            if passed is not None:
                ways.append(passed)
    fr.env = after
