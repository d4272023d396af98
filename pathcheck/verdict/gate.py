"""What an answer means to a script: the exit codes 0, 1 and 3 of docs/contract.md."""

from __future__ import annotations

from collections.abc import Collection

from pathcheck.verdict.model import PlaceVerdict
from pathcheck.verdict.reports import DiffReport, ExplainReport

CLEAN, MET, INCOMPLETE = 0, 1, 3


def exit_code(report: DiffReport, fail_on: Collection[str]) -> int:
    """1 before 3: what is known to be live needs no complete analysis."""
    met = any(_may_run(change.place, phase) for change in report.changes for phase in fail_on)
    flipped = any(flip.phase in fail_on and flip.after != "unreachable" for flip in report.flips)
    if met or flipped:
        return MET
    return INCOMPLETE if report.incomplete_matters else CLEAN


def explain_code(report: ExplainReport) -> int:
    """The exit code of explained places."""
    return INCOMPLETE if report.info.incomplete else CLEAN


def _may_run(place: PlaceVerdict, phase: str) -> bool:
    """A phase that the analysis does not tell apart follows the overall verdict."""
    known = place.phases.get(phase)
    verdict = known.verdict if known is not None else place.verdict
    return verdict in ("reachable", "conditional")
