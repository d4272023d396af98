"""How a place is reached: the call path from a phase's root, and the open guards at its end."""

from __future__ import annotations

from dataclasses import dataclass

from pathcheck.program.ir import ModuleIR, Unit
from pathcheck.program.texts import guard_text
from pathcheck.verdict.asked import Asked
from pathcheck.verdict.cuts import condition
from pathcheck.verdict.model import Guard, Step
from pathcheck.verdict.result import CONDITIONAL, ModuleResult, PhasePaths, Result
from pathcheck.verdict.sources import Sources

#: A path longer than this is told by its two ends.
MOST_STEPS = 60
#: The outcome bits of a test that came out both ways.
_BOTH = 3


@dataclass(slots=True)
class Witnesses:
    """Makes witnesses from one result."""

    sources: Sources
    result: Result

    def path(self, phase: str, asked: Asked, unit: int) -> tuple[Step, ...]:
        """The calls that lead to a unit of the place (or into the function), the place itself last."""
        paths = self.result.paths[phase]
        code = asked.entry.index if asked.entry is not None else asked.module.units[unit].code
        number = _last(paths, asked.path, code, unit if asked.entry is None else None)
        steps = [self._step(asked.path, asked.module, unit)]
        while number >= 0 and len(steps) < MOST_STEPS:
            _, _, caller, call, _ = paths.steps[number]
            if caller >= 0:
                above = paths.steps[caller][0]
                lowered = self.sources.ir(above)
                if lowered is not None:
                    steps.append(self._step(above, lowered, call))
            number = caller
        return tuple(reversed(steps))

    def _step(self, path: str, module: ModuleIR, unit: int) -> Step:
        found = module.units[unit]
        code = module.codes[found.code]
        return Step(path, found.line, code.qualname, self.guards(path, module, unit))

    def guards(self, path: str, module: ModuleIR, unit: int) -> tuple[Guard, ...]:
        """The tests around a unit inside its function, outermost first, with what is known of them."""
        known = self.result.modules.get(path)
        found: list[Guard] = []
        current = module.units[unit]
        while known is not None and current.parent >= 0 and current.arm != "function":
            parent = module.units[current.parent]
            if current.arm in ("then", "else") and parent.kind == "test":
                found.append(self._guard(path, parent, current.parent, known))
            current = parent
        return tuple(reversed(found))

    def _guard(self, path: str, test: Unit, number: int, known: ModuleResult) -> Guard:
        text = condition(guard_text(self.sources.lines(path), test))
        bits = known.outcomes.get(number, _BOTH)
        if bits != _BOTH:
            return Guard(path, test.line, text, bits == 1)
        fact = known.facts.get(number)
        return Guard(path, test.line, text, None, "fact" if fact else "runtime", fact)


def open_guards(steps: tuple[Step, ...], life: int) -> tuple[Guard, ...]:
    """The guards of a path that nothing decides; only what is conditional depends on them."""
    if life != CONDITIONAL:
        return ()
    return tuple(guard for step in steps for guard in step.guards if guard.value is None)


def _last(paths: PhasePaths, path: str, code: int, unit: int | None) -> int:
    """The step of a function that reaches a unit as live as it gets; None: that enters it."""
    found = -1
    for step, units in paths.covers.get((path, code), ()):
        if unit is None:
            return step
        if unit in units:
            found = step
    return found


__all__ = ["Witnesses", "open_guards"]
