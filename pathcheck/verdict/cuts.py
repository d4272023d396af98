"""What keeps a unit from running: the nearest decision outside it that goes the other way.

The walk goes outwards from a dead unit to the first unit around it that runs.
Between the two stands the cut: a test that never takes that arm, a statement
before it that no path leaves, or a function that nothing enters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from pathcheck.program.ir import Code, ModuleIR, Unit
from pathcheck.program.texts import guard_text
from pathcheck.verdict.result import ModuleResult, Result
from pathcheck.verdict.sources import Sources

#: Says whether a unit runs, in the phase (or over all) that a proof is about.
Runs = Callable[[int], bool]
_RAISES = ("raise", "assert")
_TERNARY = re.compile(r"\s*if\s+(.*?)\s+else\s", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Cut:
    """A test with the value it has, or a function that is not entered (``code``)."""

    unit: int
    line: int
    text: str
    value: bool | None = None
    code: Code | None = None
    #: why the unit is not passed, where that is no decision of the program's own
    stuck: str = ""


class Cuts:
    """Finds cuts in the modules of one result."""

    def __init__(self, sources: Sources, result: Result) -> None:
        self.sources, self.result = sources, result

    def of(self, path: str, unit: int, runs: Runs) -> Cut | None:
        """The cut of a dead unit; None if it is the module itself that does not run."""
        module, known = self.sources.ir(path), self.result.modules.get(path)
        if module is None or known is None:
            return None
        return _Walk(module, known, self.sources.lines(path), runs).outwards(unit)

    def entered(self, path: str, code: Code) -> Cut:
        """The cut of a body that is never entered."""
        return Cut(code.unit, code.line, f"call of {code.qualname}", False, code)


@dataclass(slots=True)
class _Walk:
    module: ModuleIR
    known: ModuleResult
    lines: list[str]
    runs: Runs

    def outwards(self, unit: int) -> Cut | None:
        current = unit
        while True:
            here = self.module.units[current]
            before = self._sibling_that_ends(current, here)
            if before is not None:
                return self._ended(before)
            if here.parent < 0:
                return None
            if here.arm in ("function", "class") and self.runs(here.parent):
                code = self.module.codes[here.code]
                return Cut(here.parent, code.line, f"call of {code.qualname}", False, code)
            if self.runs(here.parent):
                return self._arm(current, here)
            current = here.parent

    def _sibling_that_ends(self, number: int, unit: Unit) -> int | None:
        """The last statement before a unit, in its block, that runs."""
        for other in range(number - 1, max(unit.parent, -1), -1):
            found = self.module.units[other]
            if found.parent == unit.parent and found.code == unit.code and found.arm == unit.arm:
                if found.arm in ("part", "handler", "case"):
                    return None
                if self.runs(other):
                    return other
        return None

    def _ended(self, number: int) -> Cut:
        """A statement that runs and is not passed."""
        unit = self.module.units[number]
        text = guard_text(self.lines, unit)
        bits = self.known.outcomes.get(number, 0)
        if unit.kind == "test" and bits in (1, 2) and not text.startswith(("for ", "with ", "try")):
            return Cut(number, unit.line, condition(text), bits == 1)
        why = self.known.stuck.get(number, "")
        return Cut(
            number, unit.line, f"{text} goes on", False, stuck="" if why.startswith(_RAISES) else why
        )  # fmt: skip

    def _arm(self, number: int, unit: Unit) -> Cut:
        """A unit whose parent runs, but not its arm."""
        parent = self.module.units[unit.parent]
        if unit.arm == "part":
            return self._part(unit, parent)
        text = condition(guard_text(self.lines, parent))
        if unit.arm in ("then", "else"):
            return Cut(unit.parent, parent.line, text, unit.arm != "then")
        return Cut(unit.parent, unit.line, condition(guard_text(self.lines, unit)), False)

    def _part(self, unit: Unit, parent: Unit) -> Cut:
        """An operand or an arm inside an expression: what stands before it decides."""
        number = self.module.units.index(parent)
        whole = guard_text(self.lines, parent)
        own = guard_text(self.lines, unit)
        before, _, after = whole.partition(own) if own else (whole, "", "")
        before = condition(before.rstrip())
        for word, value in ((" and", False), (" or", True)):
            if before.endswith(word):
                return Cut(number, unit.line, condition(before.removesuffix(word)), value)
        ternary = _TERNARY.match(after)
        if ternary is not None:
            return Cut(number, unit.line, ternary.group(1), False)
        if before.endswith("else") and " if " in before:
            return Cut(number, unit.line, before.removesuffix("else").rpartition(" if ")[2].strip(), True)
        return Cut(number, unit.line, condition(whole), False)


def condition(text: str) -> str:
    """A head without its keyword."""
    return re.sub(r"^(if|elif|while|assert)\b\s*", "", text)
