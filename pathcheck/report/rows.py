"""Changes become rows: one for a function unless its pieces differ; the dead folded by guard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pathcheck.verdict.commits import live_phases, runs_while_serving
from pathcheck.verdict.model import PHASES, Guard, PhaseVerdict, PlaceVerdict
from pathcheck.verdict.reports import ChangeVerdict, DiffReport

_NO_GUARD = {
    "no-caller": "nothing that runs calls it",
    "no-root": "its phase does not exist on this server",
    "not-loaded": "its module is not loaded by this server",
    "guard": "a guard that is never met",
}


@dataclass(slots=True)
class DeadGroup:
    """Dead changes that one guard (or the lack of a caller) kills."""

    why: str
    where: str
    changes: list[ChangeVerdict] = field(default_factory=list)

    @property
    def proved(self) -> bool:
        """True if every one of them is."""
        return all(change.place.confidence == "proved" for change in self.changes)


def rows(report: DiffReport) -> list[ChangeVerdict]:
    """The changes to show: pieces that say nothing beyond their function are left out."""
    by_id = {each.change.id: each for each in report.changes}
    pieces: dict[str, list[ChangeVerdict]] = {}
    for each in report.changes:
        for group in _ancestors(each, by_id):
            pieces.setdefault(group, []).append(each)
    uniform = {
        group
        for group, inside in pieces.items()
        if len({_answer(each) for each in (*inside, by_id[group])}) == 1
    }
    return [each for each in report.changes if not uniform & set(_ancestors(each, by_id))]


def live_rows(report: DiffReport) -> list[ChangeVerdict]:
    """Rows that may run: while serving first, then start-up; the surest first."""
    live = [each for each in rows(report) if each.place.verdict in ("reachable", "conditional")]
    serving = {each.change.id for each in live if runs_while_serving(each.place, report.phases)}

    def order(each: ChangeVerdict) -> tuple[bool, bool]:
        return (each.change.id not in serving, each.place.verdict != "reachable")

    return sorted(live, key=order)


def dead_groups(report: DiffReport) -> list[DeadGroup]:
    """The dead rows by what kills them, the largest group first."""
    groups: dict[tuple[str, str], DeadGroup] = {}
    for each in rows(report):
        if each.place.verdict == "unreachable":
            why, where = killer(each.place)
            groups.setdefault((why, where), DeadGroup(why, where)).changes.append(each)
    return sorted(groups.values(), key=lambda group: (-len(group.changes), group.why, group.where))


def comments(report: DiffReport) -> int:
    """How many changes hold no code."""
    return sum(1 for each in report.changes if each.place.verdict is None)


def killer(place: PlaceVerdict) -> tuple[str, str]:
    """What keeps a place from running, and where that is read."""
    proofs = [verdict.proof for phase in PHASES if (verdict := place.phases.get(phase)) and verdict.proof]
    proofs.sort(key=lambda proof: proof.kind == "no-root")
    guards = [guard for proof in proofs for guard in proof.cut]
    guards += [g for p in PHASES if p in place.phases for g in place.phases[p].guards if g.value is False]
    if proofs and proofs[0].kind in ("no-caller", "not-loaded") and not proofs[0].cut:
        return (_NO_GUARD[proofs[0].kind], "")
    if guards:
        return (guard_text(guards[0]), f"{guards[0].file}:{guards[0].line}")
    if proofs:
        return (_NO_GUARD[proofs[0].kind], "")
    return ("; ".join(place.assumptions) or "no path leads there", "")


def best_phase(place: PlaceVerdict, phases: Sequence[str] = ()) -> tuple[str, PhaseVerdict] | None:
    """The phase that best shows that a place is live: serving before start-up."""
    live = live_phases(place, phases)
    if not live:
        return None
    # Reachable before conditional, then what serves: the report's order puts start-up first.
    chosen = max(live, key=lambda name: (place.phases[name].verdict == "reachable", PHASES.index(name)))
    return (chosen, place.phases[chosen])


def guard_text(guard: Guard) -> str:
    """A guard with its value, or why it is open."""
    if guard.value is not None:
        return f"{guard.text} = {guard.value}"
    if guard.open == "fact":
        return f"{guard.text} is open (fact: {guard.fact or 'not named'})"
    return f"{guard.text} is open (run time)"


def _ancestors(each: ChangeVerdict, by_id: dict[str, ChangeVerdict]) -> list[str]:
    found: list[str] = []
    parent = each.change.parent
    while parent is not None and parent in by_id and parent not in found:
        found.append(parent)
        parent = by_id[parent].change.parent
    return found


def _answer(each: ChangeVerdict) -> tuple[object, ...]:
    place = each.place
    why = killer(place) if place.verdict == "unreachable" else ()
    return (place.verdict, place.live_phases(), why)
