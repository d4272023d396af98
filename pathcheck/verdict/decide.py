"""Changes and places are put to the analysis; its answers become reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pathcheck.change.model import Change, Gap, Side
from pathcheck.deployment.model import Deployment
from pathcheck.revision.ranges import RevisionRange
from pathcheck.revision.tree import Tree
from pathcheck.target.files import classify
from pathcheck.verdict.commits import summarise
from pathcheck.verdict.meanwhile import Meanwhile
from pathcheck.verdict.model import AnalysisInfo, PlaceVerdict, Verdict
from pathcheck.verdict.reports import (
    ChangeVerdict,
    CommitSummary,
    DiffReport,
    ExplainReport,
    NoPlace,
    OtherFile,
    Revision,
)
from pathcheck.verdict.restrict import restrict
from pathcheck.verdict.seam import Decider, NoSuchPlace, OpenDecider, Progress, silent

if TYPE_CHECKING:
    from pathcheck.verdict.ranges import RangeChanges


@dataclass(frozen=True, slots=True)
class Options:
    """How a question is asked. ``phases`` empty: over all."""

    evidence: bool = True
    phases: tuple[str, ...] = ()
    progress: Progress = silent
    open_decider: OpenDecider | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Lines to explain, or the reason why they could not be read from the question."""

    file: str
    lines: tuple[int, int] | None
    error: str | None = None


def decide_diff(
    span: RevisionRange, deployment: Deployment, repo: str, options: Options | None = None
) -> DiffReport:
    """The verdict of every change of a range.

    Raises RevisionError or seam.AnalysisError.
    """
    # Parsing changed code needs libcst, a third of a second that explaining places does without.
    from pathcheck.verdict.ranges import range_changes

    options = options or Options()
    with _begin_base(span, deployment, options) as meanwhile:
        options.progress("comparing the revisions")
        found = range_changes(span)
        deciders = _Deciders(span, deployment, options, meanwhile)
        verdicts = _decide_changes(found.changes.changes, deciders, span, options)
    others = tuple(_classified(found))
    gaps = _gaps(found.changes.gaps)
    return DiffReport(
        repo=repo,
        base=_revision(span.base),
        head=_revision(span.head),
        given=deployment.given(),
        info=deciders.info(),
        commits=_commits(span, verdicts, others, found, options),
        changes=verdicts,
        other_files=others,
        incomplete=tuple(sorted({*gaps, *deciders.incomplete()})),
        incomplete_matters=bool(deciders.incomplete()) or _gaps_matter(found.changes.gaps, deciders),
        phases=options.phases,
    )


def decide_places(
    tree: Tree, places: Sequence[Place], deployment: Deployment, repo: str, options: Options | None = None
) -> ExplainReport:
    """The verdict of any lines of one revision, in the order asked.

    Raises RevisionError or seam.AnalysisError; a place that does not exist is
    an answer of its own.
    """
    options = options or Options()
    decider = _opener(options)(tree, deployment, options.progress)
    results = tuple(_explain(decider, place, options) for place in places)
    return ExplainReport(repo, _revision(tree), deployment.given(), decider.info, results)


@dataclass(slots=True)
class _Deciders:
    """Opens the analysis of a side when it is first asked."""

    span: RevisionRange
    deployment: Deployment
    options: Options
    meanwhile: Meanwhile
    opened: dict[Side, Decider] = field(default_factory=dict)

    def of(self, side: Side) -> Decider:
        if side not in self.opened:
            tree = self.span.head if side == "head" else self.span.base
            self.options.progress(f"analysing the {side}, {tree.label}")
            if side == "base":
                self.meanwhile.wait()
            self.opened[side] = _opener(self.options)(tree, self.deployment, self.options.progress)
        return self.opened[side]

    def info(self) -> AnalysisInfo:
        """The head's, with the facts that only the base asked for."""
        infos = [self.opened[side].info for side in ("head", "base") if side in self.opened]
        if not infos:
            return AnalysisInfo()
        unknown = {fact.fact: fact for info in reversed(infos) for fact in info.unknown_used}
        ordered = sorted(unknown.values(), key=lambda fact: (-fact.would_decide, fact.fact))
        return replace(infos[0], unknown_used=tuple(ordered))

    def incomplete(self) -> tuple[tuple[str, str], ...]:
        return tuple(entry for decider in self.opened.values() for entry in decider.info.incomplete)


def _begin_base(span: RevisionRange, deployment: Deployment, options: Options) -> Meanwhile:
    """The base is analysed by another process while this one reads the changes and analyses the head."""
    if options.open_decider is not None:
        return Meanwhile(None)
    from pathcheck.verdict.engine import begin

    return begin(span.base, deployment)


def _opener(options: Options) -> OpenDecider:
    if options.open_decider is not None:
        return options.open_decider
    # The engine is the heaviest import of all, and a test with a fake needs none of it.
    from pathcheck.verdict.engine import open_decider

    return open_decider


def _decide_changes(
    changes: Sequence[Change], deciders: _Deciders, span: RevisionRange, options: Options
) -> tuple[ChangeVerdict, ...]:
    titles = {commit.sha: commit.title for commit in span.commits}
    decided = ((change, _decide(change, deciders, options)) for change in changes)
    return tuple(
        ChangeVerdict(change, place, change.commit, titles.get(change.commit, ""))
        for change, place in decided
    )


def _decide(change: Change, deciders: _Deciders, options: Options) -> PlaceVerdict:
    """The change's own verdict; what it says of lines and symbol is the change's."""
    if change.kind == "comment":
        return _comment(change)
    decider = deciders.of(change.side)
    try:
        place = decider.place(change.file, *change.ask, options.evidence)
    except NoSuchPlace as missing:
        return _undecided(change, str(missing))
    statements = place.statements if change.ask == change.lines else _statements(decider, change)
    shown = replace(
        place, file=change.file, lines=change.lines, symbol=change.symbol, kind=change.kind,
        statements=statements,
    )  # fmt: skip
    return restrict(shown, options.phases)


def _statements(decider: Decider, change: Change) -> tuple[tuple[tuple[int, int], Verdict], ...]:
    """Of a function: all its statements, though the verdict is that of its entry."""
    try:
        return decider.place(change.file, *change.lines, False).statements
    except NoSuchPlace:
        return ()


def _comment(change: Change) -> PlaceVerdict:
    return PlaceVerdict(change.file, change.lines, change.symbol, "comment", None)


def _undecided(change: Change, reason: str) -> PlaceVerdict:
    """The analysis does not know the place: never called unreachable."""
    return PlaceVerdict(
        change.file, change.lines, change.symbol, change.kind, "conditional", "assumed",
        (f"not analysed: {reason}",),
    )  # fmt: skip


def _explain(decider: Decider, place: Place, options: Options) -> PlaceVerdict | NoPlace:
    if place.error is not None or place.lines is None:
        return NoPlace(place.file, place.lines, place.error or "no lines given")
    try:
        # One line with ``def`` on it means the defining statement, also where all of the function is there.
        whole = place.lines[0] != place.lines[1]
        found = decider.place(place.file, *place.lines, options.evidence, whole)
    except NoSuchPlace as missing:
        return NoPlace(place.file, place.lines, str(missing))
    return restrict(replace(found, file=place.file, lines=place.lines), options.phases)


def _classified(found: RangeChanges) -> list[OtherFile]:
    others = []
    for file in found.others:
        known = classify(file.path)
        if known is not None:
            commit = found.attribution.file(file.path) or ""
            others.append(OtherFile(file.path, commit, known.kind, known.status, known.reason))
    return sorted(others, key=lambda other: (other.file, other.commit))


def _commits(
    span: RevisionRange,
    verdicts: Sequence[ChangeVerdict],
    others: Sequence[OtherFile],
    found: RangeChanges,
    options: Options,
) -> tuple[CommitSummary, ...]:
    gaps: dict[str, list[tuple[str, str]]] = {}
    for gap in found.changes.gaps:
        gaps.setdefault(found.attribution.file(gap.file) or "", []).append((gap.file, gap.reason))
    return tuple(
        summarise(commit, verdicts, others, gaps.get(commit.sha, []), options.phases)
        for commit in span.commits
    )


def _gaps(gaps: Sequence[Gap]) -> tuple[tuple[str, str], ...]:
    where: dict[Side, Literal["", " (at the base)"]] = {"head": "", "base": " (at the base)"}
    return tuple((gap.file, gap.reason + where[gap.side]) for gap in gaps)


def _gaps_matter(gaps: Sequence[Gap], deciders: _Deciders) -> bool:
    """An unread file matters unless the analysis shows that nothing live loads it."""
    return any(deciders.of("head").loads(gap.file) for gap in gaps if gap.side == "head")


def _revision(tree: Tree) -> Revision:
    return Revision(tree.label, tree.sha)
