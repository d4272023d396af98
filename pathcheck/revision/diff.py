"""What differs between two trees: files, renames and line ranges, by git's own diff."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pathcheck.revision.repository import Repository, decode_path
from pathcheck.revision.tree import SUBMODULE, SYMLINK, Entry, Tree

Status = Literal["A", "M", "D", "R"]
Content = Literal["text", "binary", "submodule", "symlink", "mode"]

#: Pairs of added and deleted files above this are not compared for renames.
_RENAME_LIMIT = "4000"
#: git looks for a NUL byte this far to call a file binary.
_BINARY_WINDOW = 8000
#: A file's patch, a hunk, or the line that begins the next step's output.
_MARK = re.compile(
    rb"^(?:diff --git |@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@|([0-9a-f]{40,64} [0-9a-f]{40,64}\n))",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines replaced, without context. Lines count from 1.

    With a count of 0 the start is the line *before* which nothing was taken
    out or put in, as git writes it: 0 at the top of the file.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that differs. ``content`` says whether its lines mean anything."""

    status: Status
    old_path: str | None
    new_path: str | None
    old: Entry | None
    new: Entry | None
    content: Content = "text"
    hunks: tuple[Hunk, ...] = ()

    @property
    def path(self) -> str:
        """The path at the head, or at the base for a deleted file."""
        return self.new_path if self.new_path is not None else self.old_path or ""

    @property
    def old_blob(self) -> str | None:
        """The blob at the base, None where there was no file."""
        return self.old.sha if self.old else None

    @property
    def new_blob(self) -> str | None:
        """The blob at the head, None where there is no file."""
        return self.new.sha if self.new else None


def diff_trees(base: Tree, head: Tree) -> tuple[FileChange, ...]:
    """The files that differ, sorted by path, each with what its content is."""
    changes = next(iter(diff_steps(head.repository, [(base.tree_sha, head.tree_sha)])))
    return tuple(sorted((_with_content(c, head.repository) for c in changes), key=lambda c: c.path))


def diff_steps(repository: Repository, steps: Sequence[tuple[str, str]]) -> Iterator[list[FileChange]]:
    """The differences of each (old tree, new tree), in order, from one git process.

    Binary content is compared by lines like any other (``content`` is not set).
    """
    if not steps:
        return
    output = repository.run(
        "diff-tree", "--stdin", "-r", "-z", "--raw", "--patch", "--unified=0", "--text", "--full-index",
        f"-l{_RENAME_LIMIT}", "--find-renames", "--no-ext-diff", "--no-textconv", "--no-color",
        "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/",
        stdin="".join(f"{old} {new}\n" for old, new in steps).encode(),
    )  # fmt: skip
    position = 0
    for old, new in steps:
        position += len(f"{old} {new}\n")
        changes, position = _read_raw(output, position)
        hunks, position = _read_patch(output, position)
        yield [replace(c, hunks=tuple(h)) for c, h in zip(changes, hunks, strict=True)]


def _read_raw(output: bytes, position: int) -> tuple[list[FileChange], int]:
    """The NUL-separated records from ``position``; and where they end."""
    changes: list[FileChange] = []

    def field() -> bytes:
        nonlocal position
        start, position = position, output.index(b"\0", position) + 1
        return output[start : position - 1]

    while output[position : position + 1] == b":":
        old_mode, new_mode, old_sha, new_sha, status = field()[1:].decode().split(" ")
        first = decode_path(field())
        second = decode_path(field()) if status[0] in "RC" else first
        changes += _changes(status[0], first, second, Entry(old_mode, old_sha), Entry(new_mode, new_sha))
    return changes, position


def _changes(status: str, first: str, second: str, old: Entry, new: Entry) -> list[FileChange]:
    if status == "A":
        return [FileChange("A", None, second, None, new)]
    if status == "D":
        return [FileChange("D", first, None, old, None)]
    if status == "T":
        # A file that became a link or the like: git prints it as two patches.
        return [FileChange("D", first, None, old, None), FileChange("A", None, first, None, new)]
    # One file renamed to several: git calls all but one of them copies.
    return [FileChange("R" if status in "RC" else "M", first, second, old, new)]


def _read_patch(output: bytes, position: int) -> tuple[list[list[Hunk]], int]:
    """The hunks of each file from ``position`` to the next step; and where that is.

    Lines of content begin with ``+``, ``-`` or a backslash, so no content can
    pass for a mark.
    """
    files: list[list[Hunk]] = []
    if output[position : position + 1] == b"\0":
        # The first patch follows the records directly, not at the start of a line.
        position += 1
        files.append([])
    for mark in _MARK.finditer(output, position):
        if mark[5]:
            return files, mark.start()
        if mark[1] is None:
            files.append([])
        else:
            old, old_count, new, new_count = (int(n) if n is not None else 1 for n in mark.groups()[:4])
            files[-1].append(Hunk(old, old_count, new, new_count))
    return files, len(output)


def _with_content(change: FileChange, repository: Repository) -> FileChange:
    content = _content(change, repository)
    return replace(change, content=content, hunks=change.hunks if content == "text" else ())


def _content(change: FileChange, repository: Repository) -> Content:
    sides = [side for side in (change.old, change.new) if side]
    if any(side.mode == SUBMODULE for side in sides):
        return "submodule"
    if any(side.mode == SYMLINK for side in sides):
        return "symlink"
    if change.status == "M" and change.old_blob == change.new_blob:
        return "mode"
    if any(b"\0" in repository.blob(side.sha)[:_BINARY_WINDOW] for side in sides):
        return "binary"
    return "text"
