"""A call path to everything that a phase reaches, with as few contexts as it takes."""

from __future__ import annotations

from collections.abc import Iterable

from pathcheck.flow.context import Context
from pathcheck.verdict.phases import PhaseWalk, life_of
from pathcheck.verdict.result import PhasePaths


def phase_paths(walks: Iterable[PhaseWalk]) -> PhasePaths:
    """A call path to each function of a phase: as few contexts as reach all that it reaches."""
    paths = PhasePaths()
    for walk in walks:
        numbers: dict[Context, int] = {}
        seen: dict[tuple[str, int], dict[int, int]] = {}
        for context, how in walk.found.items():
            key = (context.module.path, context.code.index)
            lives = seen.setdefault(key, {})
            new = [
                unit for unit, stage in context.reached.items()
                if min(how.life, life_of(stage)) > lives.get(unit, 0)
            ]  # fmt: skip
            if not new and lives:
                continue
            lives.update((unit, min(how.life, life_of(context.reached[unit]))) for unit in new)
            step = _step(paths, walk, context, numbers)
            paths.covers.setdefault(key, []).append((step, tuple(new)))
    return paths


def _step(paths: PhasePaths, walk: PhaseWalk, context: Context, numbers: dict[Context, int]) -> int:
    """The number of a context's step, its callers' steps made first."""
    chain = []
    current: Context | None = context
    while current is not None and current not in numbers:
        chain.append(current)
        current = walk.found[current].caller
    for each in reversed(chain):
        how = walk.found[each]
        caller = numbers[how.caller] if how.caller is not None else -1
        numbers[each] = len(paths.steps)
        paths.steps.append((each.module.path, each.code.index, caller, how.unit, walk.role))
    return numbers[context]
