"""What a commit's changes come to: live, conditional, start-up only, cleared, not analysed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from pathcheck.revision.ranges import Commit
from pathcheck.verdict.model import PHASES, STARTUP_PHASES, PlaceVerdict
from pathcheck.verdict.reports import ChangeVerdict, CommitSummary, OtherFile, Status

#: Reasons shown for a commit; the changes themselves tell the rest.
_REASONS = 5


def summarise(
    commit: Commit,
    changes: Sequence[ChangeVerdict],
    others: Sequence[OtherFile],
    gaps: Collection[tuple[str, str]],
    chosen: Collection[str] = (),
) -> CommitSummary:
    """Count one commit's verdicts and say what they come to."""
    mine = [change for change in changes if change.commit == commit.sha]
    matter = [other for other in others if other.commit == commit.sha and other.status == "may-matter"]
    status = _status(mine, bool(matter) or bool(gaps), chosen)
    live = {phase for each in mine for phase in live_phases(each.place, chosen)}
    return CommitSummary(
        sha=commit.sha,
        title=commit.title,
        counts=count(each.place for each in mine),
        status=status,
        reasons=_reasons(mine, matter, gaps, chosen),
        phases=tuple(phase for phase in PHASES if phase in live),
    )


def count(places: Iterable[PlaceVerdict]) -> dict[str, int]:
    """How many places have each verdict; without code counts as comment."""
    found = Counter(place.verdict or "comment" for place in places)
    return {name: found[name] for name in ("reachable", "conditional", "unreachable", "comment")}


def live_phases(place: PlaceVerdict, chosen: Collection[str] = ()) -> tuple[str, ...]:
    """The phases in which a place may run, of those chosen (all if none is)."""
    return tuple(phase for phase in place.live_phases() if not chosen or phase in chosen)


def runs_while_serving(place: PlaceVerdict, chosen: Collection[str] = ()) -> bool:
    """True unless the place is dead or known to run during start-up only."""
    if place.verdict in (None, "unreachable"):
        return False
    phases = live_phases(place, chosen)
    return not phases or any(phase not in STARTUP_PHASES for phase in phases)


def _status(mine: Sequence[ChangeVerdict], unsure: bool, chosen: Collection[str]) -> Status:
    serving = [each.place for each in mine if runs_while_serving(each.place, chosen)]
    if any(_serves_surely(place, chosen) for place in serving):
        return "live"
    if serving:
        return "conditional"
    if any(each.place.verdict not in (None, "unreachable") for each in mine):
        return "startup"
    return "not-analysed" if unsure else "cleared"


def _serves_surely(place: PlaceVerdict, chosen: Collection[str]) -> bool:
    """Reachable in some serving phase, not only during start-up and conditional after it."""
    if not live_phases(place, chosen):
        return place.verdict == "reachable"
    serving = [phase for phase in live_phases(place, chosen) if phase not in STARTUP_PHASES]
    return any(place.phases[phase].verdict == "reachable" for phase in serving)


def _reasons(
    mine: Sequence[ChangeVerdict],
    matter: Sequence[OtherFile],
    gaps: Collection[tuple[str, str]],
    chosen: Collection[str],
) -> tuple[str, ...]:
    live = [each for each in mine if each.place.verdict not in (None, "unreachable")]
    serving = {id(each) for each in live if runs_while_serving(each.place, chosen)}
    live.sort(key=lambda each: (id(each) not in serving, each.place.verdict != "reachable"))
    lines = [_reason(each, chosen) for each in live]
    if len(lines) > _REASONS:
        lines = [*lines[:_REASONS], f"and {len(lines) - _REASONS} more"]
    lines += [f"{file}: {reason}" for file, reason in gaps]
    lines += [f"{other.file}: {other.reason}" for other in matter]
    return tuple(lines)


def _reason(each: ChangeVerdict, chosen: Collection[str]) -> str:
    change = each.change
    phases = ", ".join(live_phases(each.place, chosen)) or "a phase that is not known"
    return f"{each.place.verdict} in {phases}: {change.file}:{change.lines[0]} {change.symbol}"
