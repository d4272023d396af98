"""What goes into the derivation of changes, and what comes out: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Side = Literal["head", "base"]
ChangeKind = Literal[
    "statement", "test", "function", "class", "import", "default", "signature", "decorator", "comment"
]

#: The symbol of a statement outside every definition.
MODULE_SYMBOL = "<module>"


@dataclass(frozen=True, slots=True)
class Hunk:
    """Line ranges of both sides, as ``git diff -U0`` counts them.

    With a count of zero, start is the line *after which* the other side's
    lines stand (git's own convention).
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int


@dataclass(frozen=True, slots=True)
class FileDiff:
    """One Python file of a range. ``None`` bytes: no such file on that side.

    ``old_commits`` and ``new_commits`` name the commit that removed or added
    a line; lines they leave out take ``commit``.
    """

    old_path: str | None
    new_path: str | None
    old: bytes | None
    new: bytes | None
    hunks: tuple[Hunk, ...]
    commit: str = ""
    old_commits: Mapping[int, str] = field(default_factory=dict)
    new_commits: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where moved code stood (or now stands): equal code on the other side."""

    file: str
    lines: tuple[int, int]
    symbol: str


@dataclass(frozen=True, slots=True)
class Change:
    """A run of changed statements of one side with one symbol and the same guards.

    ``ask`` is the range whose verdict is the change's: its own lines, except
    for a function, whose verdict is that of entering the body.
    ``columns`` narrows a change that is a part of one line.
    """

    id: str
    parent: str | None
    file: str
    old_file: str | None
    side: Side
    lines: tuple[int, int]
    symbol: str
    kind: ChangeKind
    guards: tuple[str, ...] = ()
    commit: str = ""
    ask: tuple[int, int] = (0, 0)
    columns: tuple[int, int] | None = None
    moved_from: Origin | None = None
    moved_to: Origin | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """A changed file that could not be read: nothing is said about it."""

    file: str
    side: Side
    reason: str


@dataclass(frozen=True, slots=True)
class Note:
    """A loss of detail that hides no change (libcst failed and ast did the work)."""

    file: str
    side: Side
    reason: str


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """All changes of a range, sorted by file, side and line."""

    changes: tuple[Change, ...] = ()
    gaps: tuple[Gap, ...] = ()
    notes: tuple[Note, ...] = ()
