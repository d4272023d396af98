"""The verdict of lines: units looked up in a result, each phase with what bears it out."""

from __future__ import annotations

from functools import cached_property
from typing import cast

from pathcheck.program.ir import ModuleIR
from pathcheck.program.lines import kind_at, symbol_at
from pathcheck.revision.tree import Tree
from pathcheck.verdict.asked import Asked, asked
from pathcheck.verdict.confidence import Doubts
from pathcheck.verdict.corpus import Corpus
from pathcheck.verdict.model import (
    PHASES,
    AnalysisInfo,
    Confidence,
    Kind,
    PhaseVerdict,
    PlaceVerdict,
    StartupStop,
    UnknownFact,
    Verdict,
    Watchdogs,
)
from pathcheck.verdict.phaseverdicts import PhaseVerdicts
from pathcheck.verdict.result import CONDITIONAL, Result
from pathcheck.verdict.seam import NoSuchPlace
from pathcheck.verdict.sources import Sources

VERDICTS: tuple[Verdict, ...] = ("unreachable", "conditional", "reachable")


class ResultDecider:
    """Decides the lines of one tree from its result."""

    def __init__(self, tree: Tree, result: Result) -> None:
        self.tree, self.result = tree, result
        self.sources = Sources(tree)
        self._doubts = Doubts(self.sources, result)

    @cached_property
    def info(self) -> AnalysisInfo:
        """What holds for the whole analysis."""
        given = dict(self.result.info)
        return AnalysisInfo(
            world=given["world"],
            unknown_used=tuple(UnknownFact(*fact) for fact in given["unknown_used"]),
            startup_stops=tuple(self._stop(*stop) for stop in given["startup_stops"]),
            watchdogs=Watchdogs(*given["watchdogs"]),
            incomplete=(*self.result.broken, *self.result.cut_short),
            functions_total=given["functions_total"],
            functions_live=given["functions_live"],
            files_found=given["files_found"],
            files_loaded=given["files_loaded"],
        )

    def _stop(self, role: str, path: str, line: int, why: str) -> StartupStop:
        text = " ".join(self.sources.line(path, line).split())
        return StartupStop(role, path, line, text, why)

    @cached_property
    def _phases(self) -> PhaseVerdicts:
        return PhaseVerdicts(self.sources, self.result, Corpus(self.tree, "python/sglang"))

    def loads(self, file: str) -> bool:
        """Whether a process loads the file, as far as is known."""
        return file in self.result.modules or file in dict(self.result.broken)

    def place(
        self, file: str, start: int, end: int, evidence: bool, whole: bool = True
    ) -> PlaceVerdict:
        """The verdict of lines ``start`` to ``end``; NoSuchPlace for a file or line that does not exist.

        ``whole``: lines that are a whole function mean entering it, not defining it.
        """
        module = self._module(file, start, end)
        if module is None:
            return self._unparsed(file, start, end)
        symbol, found = symbol_at(module, start), asked(self.result, file, module, start, end, whole)
        if found is None:
            return PlaceVerdict(file, (start, end), symbol, "comment", None)
        doubts = () if found.column(0) else self._doubt(found)
        if self.result.limited and found.column(0) == CONDITIONAL:
            doubts = self._doubts.everywhere()
        return PlaceVerdict(
            file, (start, end), symbol, cast(Kind, kind_at(module, start, end, whole)),
            VERDICTS[found.column(0)], "assumed" if doubts else "proved", doubts,
            tuple(self._statement(found, unit) for unit in found.units),
            self._phases.all(found, doubts, evidence),
        )  # fmt: skip

    def _module(self, file: str, start: int, end: int) -> ModuleIR | None:
        """The file's IR, None if it does not parse."""
        if not file.endswith(".py"):
            self.sources.blob(file)
            raise NoSuchPlace(f"{file} is not Python source")
        count = self.sources.count(file)
        if end > count:
            raise NoSuchPlace(f"{file} has {count} lines at {self.tree.label}: there is no line {end}")
        return self.sources.ir(file)

    def _unparsed(self, file: str, start: int, end: int) -> PlaceVerdict:
        """Lines of a file that cannot be read: dead only if nothing loads it."""
        verdict: Verdict = "conditional" if self.loads(file) else "unreachable"
        why = (f"{file} does not parse",) if verdict == "conditional" else ()
        confidence: Confidence = "assumed" if why else "proved"
        phases = {phase: PhaseVerdict(verdict, confidence, assumptions=why) for phase in PHASES}
        return PlaceVerdict(
            file, (start, end), "", "statement", verdict, confidence, why, (((start, end), verdict),), phases
        )  # fmt: skip

    def _doubt(self, found: Asked) -> tuple[str, ...]:
        if found.entry is not None:
            return self._doubts.of_entry(found.path, found.entry)
        doubts = {text for unit in found.units for text in self._doubts.of_unit(found.path, unit)}
        return tuple(sorted(doubts))

    def _statement(self, found: Asked, unit: int) -> tuple[tuple[int, int], Verdict]:
        at = found.module.units[unit]
        return (at.line, at.end_line), VERDICTS[self.result.of_unit(found.path, unit)[0]]
