"""Which units of the two sides are the same, altered, removed or added.

Only units that share a hunk (or a chain of hunks) are compared: equal code far
apart is moved code, which ``moves`` tells, and never a formatting change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from pathcheck.change.model import Hunk
from pathcheck.change.normal import is_alike
from pathcheck.change.units import Span, Unit

#: Below this likeness a replaced statement counts as removed, not as altered.
ALIKE = 0.5
#: Longer forms are compared by their beginnings: likeness costs the square.
_COMPARED = 2_000


@dataclass(slots=True)
class Matched:
    """The changed units of both sides, in source order; ``altered`` old ones are not removed."""

    added: list[Unit] = field(default_factory=list)
    removed: list[Unit] = field(default_factory=list)
    altered: dict[int, Unit] = field(default_factory=dict)


def match(
    old: Sequence[Unit], new: Sequence[Unit], hunks: Sequence[Hunk], renames: Mapping[str, str]
) -> Matched:
    """Compare the units that the hunks touch."""
    result = Matched()
    for olds, news in _components(old, new, hunks):
        gone, come = _unequal(olds, news, renames)
        partners = _pair(gone, come, renames)
        taken = {id(unit) for unit in partners.values()}
        result.altered.update(partners)
        result.removed += [unit for unit in gone if id(unit) not in taken]
        result.added += come
    return result


def touched(units: Sequence[Unit], spans: Sequence[Span]) -> list[tuple[Unit, list[int]]]:
    """Each unit with the numbers of the spans that touch it; an empty span touches from inside."""
    found = []
    for unit in units:
        first, last = unit.lines
        hits = [n for n, (start, count) in enumerate(spans) if _touches(first, last, start, count)]
        if hits:
            found.append((unit, hits))
    return found


def old_spans(hunks: Sequence[Hunk]) -> list[Span]:
    """(start, count) of each hunk on the old side."""
    return [(hunk.old_start, hunk.old_count) for hunk in hunks]


def new_spans(hunks: Sequence[Hunk]) -> list[Span]:
    """(start, count) of each hunk on the new side."""
    return [(hunk.new_start, hunk.new_count) for hunk in hunks]


def _touches(first: int, last: int, start: int, count: int) -> bool:
    if count == 0:
        return first <= start and start + 1 <= last
    return first <= start + count - 1 and start <= last


def _components(
    old: Sequence[Unit], new: Sequence[Unit], hunks: Sequence[Hunk]
) -> Iterator[tuple[list[Unit], list[Unit]]]:
    olds, news = touched(old, old_spans(hunks)), touched(new, new_spans(hunks))
    root = list(range(len(hunks)))
    for _, hits in (*olds, *news):
        # Hunks are in order and units contiguous: joining neighbours is enough.
        for hunk in range(hits[0] + 1, hits[-1] + 1):
            root[hunk] = root[hunk - 1]
    for number in range(1, len(root)):
        if root[number] < number:
            root[number] = root[root[number]]
    for group in sorted(set(root)):
        yield (
            [unit for unit, hits in olds if root[hits[0]] == group],
            [unit for unit, hits in news if root[hits[0]] == group],
        )


def _key(unit: Unit, renames: Mapping[str, str]) -> tuple[object, ...]:
    return (unit.kind, _renamed(unit.symbol, renames), unit.shape, unit.form)


def _renamed(symbol: str, renames: Mapping[str, str]) -> str:
    for old, new in renames.items():
        if symbol == old or symbol.startswith(old + "."):
            return new + symbol[len(old) :]
    return symbol


def _unequal(
    olds: list[Unit], news: list[Unit], renames: Mapping[str, str]
) -> tuple[list[Unit], list[Unit]]:
    before = [_key(unit, renames) for unit in olds]
    after = [_key(unit, {}) for unit in news]
    gone: list[Unit] = []
    come: list[Unit] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            gone += olds[a:b]
            come += news[c:d]
    return [u for u in gone if u.form], [u for u in come if u.form]


def _pair(gone: list[Unit], come: list[Unit], renames: Mapping[str, str]) -> dict[int, Unit]:
    """For each altered new unit (by ``id``) the old one it replaced, keeping the order."""
    partners: dict[int, Unit] = {}
    start = 0
    for unit in come:
        for index in range(start, len(gone)):
            old = gone[index]
            if _alike(old, unit, renames):
                partners[id(unit)] = old
                start = index + 1
                break
    return partners


def _alike(old: Unit, new: Unit, renames: Mapping[str, str]) -> bool:
    if old.kind != new.kind or _renamed(old.symbol, renames) != new.symbol:
        return False
    if old.kind in ("signature", "class"):
        return True
    matcher = SequenceMatcher(None, old.form[:_COMPARED], new.form[:_COMPARED], autojunk=False)
    return is_alike(matcher, ALIKE)
