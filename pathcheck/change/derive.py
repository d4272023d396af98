"""The way in: the files of a range become its changes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from pathcheck.change.draft import Draft, SideDrafts
from pathcheck.change.identity import finish
from pathcheck.change.match import Matched, match, new_spans, old_spans
from pathcheck.change.model import ChangeSet, FileDiff, Gap, Note, Side
from pathcheck.change.scopes import only_in, renames, symbols
from pathcheck.change.side import SideView, read_side
from pathcheck.change.source import Unreadable
from pathcheck.change.units import Span
from pathcheck.program.collection import uncollected

#: Long ``elif`` chains and string sums nest deeper than Python's default of 1,000.
_RECURSION = 9_000


@dataclass(frozen=True, slots=True)
class FileDrafts:
    """What one file of the range holds, before ids are given."""

    diff: FileDiff
    drafts: tuple[Draft, ...]


def derive_changes(files: Iterable[FileDiff]) -> ChangeSet:
    """All changes of a range. Files that cannot be read become gaps, never silence."""
    made: list[FileDrafts] = []
    gaps: list[Gap] = []
    notes: list[Note] = []
    with _deep_recursion(), uncollected():
        for diff in files:
            sides = _read(diff, gaps, notes)
            if sides is not None:
                made.append(FileDrafts(diff, _safely(diff, *sides, gaps)))
    changes = finish([(each.diff, each.drafts) for each in made])
    return ChangeSet(changes, tuple(gaps), tuple(notes))


def _read(diff: FileDiff, gaps: list[Gap], notes: list[Note]) -> tuple[SideView, SideView] | None:
    """Both sides; an unreadable one is a gap, and leaves the other to speak alone."""
    old = _read_one(diff, "base", diff.old, old_spans(diff.hunks), gaps, notes)
    new = _read_one(diff, "head", diff.new, new_spans(diff.hunks), gaps, notes)
    if old is None and new is None:
        return None
    return (old or SideView(), new or SideView())


def _read_one(
    diff: FileDiff, side: Side, data: bytes | None, spans: list[Span], gaps: list[Gap], notes: list[Note]
) -> SideView | None:
    file = path_of(diff, side)
    try:
        view = read_side(data, spans, alone=diff.old is None or diff.new is None)
    except Unreadable as reason:
        gaps.append(Gap(file, side, str(reason)))
        return None
    except RecursionError:
        gaps.append(Gap(file, side, "is nested too deeply to analyse"))
        return None
    notes += [Note(file, side, reason) for reason in view.notes]
    return view


def _safely(diff: FileDiff, old: SideView, new: SideView, gaps: list[Gap]) -> tuple[Draft, ...]:
    try:
        return tuple(_drafts(diff, old, new))
    except RecursionError:
        gaps.append(Gap(path_of(diff, "head"), "head", "is nested too deeply to compare"))
        return ()


def _drafts(diff: FileDiff, old: SideView, new: SideView) -> Iterator[Draft]:
    before, after = symbols(old.source), symbols(new.source)
    gone = only_in(old.units.scopes, before, after)
    come = only_in(new.units.scopes, after, before)
    matched = match(old.units.units, new.units.units, diff.hunks, renames(gone, come))
    base = SideDrafts("base", old, _commits(diff, diff.old_commits))
    head = SideDrafts("head", new, _commits(diff, diff.new_commits))
    removed = base.code(matched.removed, {}, gone)
    added = head.code(matched.added, matched.altered, come)
    yield from removed
    yield from added
    yield from _comments(diff, base, head, matched, removed, added)


def _comments(
    diff: FileDiff, base: SideDrafts, head: SideDrafts, matched: Matched,
    removed: list[Draft], added: list[Draft],
) -> Iterator[Draft]:
    """What no code change speaks for. Where both sides have lines, the head's are shown."""
    # An altered statement's old lines are told by its new ones.
    gone = _lines(removed) | {n for unit in matched.altered.values() for n in _range(unit.lines)}
    come = _lines(added)
    head_eager: dict[int, bool] = {}
    base_eager: dict[int, bool] = {}
    for number, hunk in enumerate(diff.hunks):
        old = set(range(hunk.old_start, hunk.old_start + hunk.old_count))
        new = set(range(hunk.new_start, hunk.new_start + hunk.new_count))
        silent = not (old & gone) and not (new & come)
        head_eager[number] = silent
        base_eager[number] = silent and not new
        if new:
            gone |= old
    yield from head.comments(come, head_eager)
    yield from base.comments(gone, base_eager)


def _lines(drafts: Iterable[Draft]) -> set[int]:
    return {line for draft in drafts for line in _range(draft.lines)}


def _range(lines: tuple[int, int]) -> range:
    return range(lines[0], lines[1] + 1)


def _commits(diff: FileDiff, known: Mapping[int, str]) -> _CommitOf:
    return _CommitOf(diff.commit, known)


@dataclass(frozen=True, slots=True)
class _CommitOf:
    otherwise: str
    known: Mapping[int, str]

    def __call__(self, line: int) -> str:
        return self.known.get(line, self.otherwise)


def path_of(diff: FileDiff, side: Side) -> str:
    """The path on one side, or the other side's where it has none."""
    first, second = (diff.old_path, diff.new_path) if side == "base" else (diff.new_path, diff.old_path)
    return first or second or ""


@contextmanager
def _deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
