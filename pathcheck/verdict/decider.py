"""The verdict of lines: units looked up in a result, each phase with what bears it out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from pathcheck.program.ir import ModuleIR
from pathcheck.program.lines import function_at, kind_at, symbol_at, units_at
from pathcheck.revision.tree import Tree
from pathcheck.verdict.model import (
    PHASES,
    AnalysisInfo,
    Kind,
    PhaseVerdict,
    PlaceVerdict,
    Proof,
    Verdict,
    Watchdogs,
)  # fmt: skip
from pathcheck.verdict.result import DEAD, SUPPOSED, Result
from pathcheck.verdict.seam import NoSuchPlace
from pathcheck.verdict.sources import Sources

VERDICTS: tuple[Verdict, ...] = ("unreachable", "conditional", "reachable")
#: A graph captured in one phase is replayed in another.
BAKED = {
    "verify": "capture-verify", "decode": "capture-decode", "draft": "capture-draft",
    "draft-extend": "capture-draft-extend", "prefill": "capture-pcg",
}  # fmt: skip
_SUPPOSED = "no call path from a root of this phase is known: it is attributed by its process"


class ResultDecider:
    """Decides the lines of one tree from its result."""

    def __init__(self, tree: Tree, result: Result) -> None:
        self.tree, self.result = tree, result
        self.sources = Sources(tree)
        self._info = _info(result)

    @property
    def info(self) -> AnalysisInfo:
        """What holds for the whole analysis."""
        return self._info

    def loads(self, file: str) -> bool:
        """Whether a process loads the file, as far as is known."""
        return file in self.result.modules or file in dict(self.result.broken)

    def place(self, file: str, start: int, end: int, evidence: bool) -> PlaceVerdict:
        """The verdict of lines ``start`` to ``end``."""
        module = self._module(file, start, end)
        units = units_at(module, start, end)
        kind = cast(Kind, kind_at(module, start, end))
        symbol = symbol_at(module, start)
        if not units:
            return PlaceVerdict(file, (start, end), symbol, "comment", None)
        rows = self._rows(file, module, units, start, end)
        verdict = VERDICTS[max(row[0] for row in rows)]
        statements = tuple(self._statement(file, module, unit) for unit in units)
        phases = {phase: self._phase(rows, phase) for phase in PHASES}
        return PlaceVerdict(
            file, (start, end), symbol, kind, verdict, "proved", (), statements, phases
        )  # fmt: skip

    def _module(self, file: str, start: int, end: int) -> ModuleIR:
        """The file's IR; NoSuchPlace unless it is Python that has these lines."""
        if not file.endswith(".py"):
            self.sources.blob(file)
            raise NoSuchPlace(f"{file} is no Python source")
        count = self.sources.count(file)
        if end > count:
            raise NoSuchPlace(f"{file} has {count} lines at {self.tree.label}: no line {end}")
        module = self.sources.ir(file)
        if module is None:
            raise NoSuchPlace(f"{file} at {self.tree.label} does not parse")
        return module

    def _rows(
        self, file: str, module: ModuleIR, units: Sequence[int], start: int, end: int
    ) -> list[bytes]:
        """The signatures that a place is the most live of."""
        code = function_at(module, start, end)
        if code is not None:
            return [self.result.of_code(file, code.index)]
        return [self.result.of_unit(file, unit) for unit in units]

    def _statement(self, file: str, module: ModuleIR, unit: int) -> tuple[tuple[int, int], Verdict]:
        found = module.units[unit]
        return (found.line, found.end_line), VERDICTS[self.result.of_unit(file, unit)[0]]

    def _phase(self, rows: Sequence[bytes], phase: str) -> PhaseVerdict:
        own = _life(rows, phase)
        graph = _life(rows, BAKED[phase]) if phase in BAKED else 0
        life = max(own & 3, graph & 3)
        if not life:
            kind = Proof("no-root" if phase not in self.result.rooted else "no-caller")
            return PhaseVerdict("unreachable", "proved", proof=kind)
        via = [name for name, found in (("python", own), ("cuda-graph", graph)) if found]
        if all(found & SUPPOSED for found in (own, graph) if found & 3 == life):
            return PhaseVerdict(VERDICTS[life], "assumed", tuple(via), (_SUPPOSED,))
        return PhaseVerdict(VERDICTS[life], "proved", tuple(via))


def _life(rows: Sequence[bytes], phase: str) -> int:
    column = 1 + PHASES.index(phase)
    return max((row[column] for row in rows), key=lambda life: (life & 3, life < SUPPOSED))


def _info(result: Result) -> AnalysisInfo:
    given = dict(result.info)
    given["watchdogs"] = Watchdogs(*given.get("watchdogs", ()))
    return AnalysisInfo(**given, incomplete=tuple(result.broken))


__all__ = ["BAKED", "DEAD", "ResultDecider"]
