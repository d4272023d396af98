"""The answers to whole commands, as ``report`` prints them: plain frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pathcheck.change.model import Change
from pathcheck.verdict.model import AnalysisInfo, Confidence, Evidence, PlaceVerdict, Verdict

Status = Literal["live", "conditional", "startup", "cleared", "not-analysed"]
OtherKind = Literal["dependency", "native", "data", "packaging", "docs", "test", "workflow", "other"]


@dataclass(frozen=True, slots=True)
class Revision:
    """A revision as the user wrote it, and the commit it names."""

    rev: str
    sha: str


@dataclass(frozen=True, slots=True)
class ChangeVerdict:
    """A change, the verdict of its lines, and the commit it came with."""

    change: Change
    place: PlaceVerdict
    commit: str
    title: str


@dataclass(frozen=True, slots=True)
class CommitSummary:
    """A commit of the range: its verdicts counted, and what they come to.

    ``counts`` has the keys reachable, conditional, unreachable and comment;
    ``phases`` are those in which something of it runs.
    """

    sha: str
    title: str
    counts: Mapping[str, int]
    status: Status
    reasons: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherFile:
    """A changed file that is not Python, or that no verdict is given for."""

    file: str
    commit: str
    kind: OtherKind
    status: Literal["outside", "may-matter"]
    reason: str


@dataclass(frozen=True, slots=True)
class Flip:
    """Untouched code whose verdict differs between base and head."""

    id: str
    file: str
    lines: tuple[int, int]
    symbol: str
    phase: str
    before: Verdict
    after: Verdict
    confidence: Confidence
    via: tuple[str, ...]
    cause: Evidence


@dataclass(frozen=True, slots=True)
class Suspect:
    """A commit that may explain a regression in a phase; rank 1 is the first to look at."""

    commit: str
    phase: str
    rank: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DiffReport:
    """The whole answer of ``pathcheck diff``."""

    repo: str
    base: Revision
    head: Revision
    given: Mapping[str, Any]
    info: AnalysisInfo
    commits: tuple[CommitSummary, ...] = ()
    changes: tuple[ChangeVerdict, ...] = ()
    other_files: tuple[OtherFile, ...] = ()
    flips: tuple[Flip, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    #: (file, reason) of what the analysis or the diff could not read.
    incomplete: tuple[tuple[str, str], ...] = ()
    #: True where ``incomplete`` holds something that live code could load.
    incomplete_matters: bool = False
    #: The phases that were asked for; empty for all.
    phases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoPlace:
    """An asked place that does not exist."""

    file: str
    lines: tuple[int, int] | None
    error: str


@dataclass(frozen=True, slots=True)
class ExplainReport:
    """The whole answer of ``pathcheck explain``; results in the order asked."""

    repo: str
    head: Revision
    given: Mapping[str, Any]
    info: AnalysisInfo
    results: tuple[PlaceVerdict | NoPlace, ...] = field(default=())
