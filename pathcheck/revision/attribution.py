"""Which commit of a range put a line there, and which took one away.

The range's patches are replayed once over the line numbers of the base, so
both sides of a diff are attributed exactly and in one pass over history.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pathcheck.revision.diff import FileChange, diff_steps
from pathcheck.revision.ranges import Commit, RevisionRange
from pathcheck.revision.repository import Repository
from pathcheck.revision.tree import SUBMODULE
from pathcheck.revision.worktree import WORKTREE

#: A line's origin: its number at the base, or the commit that wrote it.
_Origin = int | str
#: What lies between base and the range's first commit belongs to no commit.
_NOBODY = ""


@dataclass
class _Lines:
    """The origins of a file's lines while the range is replayed."""

    base_path: str | None
    origins: list[_Origin]


@dataclass
class Attribution:
    """Commits by line, for both ends of a range. Lines count from 1."""

    _lines: dict[str, _Lines] = field(default_factory=dict)
    _deleted: dict[tuple[str, int], str] = field(default_factory=dict)
    _last: dict[str, str] = field(default_factory=dict)

    def head_line(self, path: str, line: int) -> str | None:
        """The commit that last wrote a line of the head.

        For a line that no commit wrote (the diff may align lines otherwise than
        the history did): the last commit that touched the file. None if none did.
        """
        lines = self._lines.get(path)
        origin = lines.origins[line - 1] if lines and 0 < line <= len(lines.origins) else None
        return origin if isinstance(origin, str) and origin else self._last.get(path)

    def base_line(self, path: str, line: int) -> str | None:
        """The commit that removed or replaced a line of the base; else as for ``head_line``."""
        return self._deleted.get((path, line)) or self._last.get(path)

    def file(self, path: str) -> str | None:
        """The last commit of the range that touched a file, by its path at either end."""
        return self._last.get(path)

    def apply(self, commit: str, changes: list[FileChange], repository: Repository) -> None:
        """Replay the changes of one commit."""
        # All are taken before any is put back: a commit may swap two names.
        taken: dict[str, _Lines] = {}
        for change in changes:
            if change.old_path is not None and change.old_path not in taken:
                taken[change.old_path] = self._take(change, repository)
        for change in changes:
            before = taken.get(change.old_path) if change.old_path is not None else None
            lines = _Lines(before.base_path, before.origins.copy()) if before else _Lines(None, [])
            self._splice(commit, lines, change)
            if change.new_path is not None:
                self._lines[change.new_path] = lines
            self._note(commit, change, lines)

    def _take(self, change: FileChange, repository: Repository) -> _Lines:
        """The file's lines so far; at its first change, those of the base."""
        path = change.old_path or ""
        known = self._lines.pop(path, None)
        if known is None:
            # A submodule has no blob; git shows it as one line.
            file = change.old if change.old and change.old.mode != SUBMODULE else None
            count = count_lines(repository.blob(file.sha)) if file else 1
            known = _Lines(path, list(range(1, count + 1)))
        return known

    def _splice(self, commit: str, lines: _Lines, change: FileChange) -> None:
        # From the end, so that earlier line numbers still hold.
        for hunk in reversed(change.hunks):
            start = hunk.old_start - 1 if hunk.old_count else hunk.old_start
            span = slice(start, start + hunk.old_count)
            for origin in lines.origins[span]:
                if isinstance(origin, int) and lines.base_path is not None:
                    self._deleted[lines.base_path, origin] = commit
            lines.origins[span] = [commit] * hunk.new_count

    def _note(self, commit: str, change: FileChange, lines: _Lines) -> None:
        if commit != _NOBODY:
            for path in (change.old_path, change.new_path, lines.base_path):
                if path is not None:
                    self._last[path] = commit


def count_lines(data: bytes) -> int:
    """Lines as git counts them: a last one without a newline counts."""
    return data.count(b"\n") + (not data.endswith(b"\n") and bool(data))


def attribute(span: RevisionRange) -> Attribution:
    """Replay a range's commits; RevisionError if one cannot be read."""
    repository = span.head.repository
    names, steps = _steps(span)
    attribution = Attribution()
    for name, changes in zip(names, diff_steps(repository, steps), strict=True):
        attribution.apply(name, changes, repository)
    return attribution


def _steps(span: RevisionRange) -> tuple[list[str], list[tuple[str, str]]]:
    """Who changed what: names, and the trees before and after each."""
    before = span.base.tree_sha
    names: list[str] = []
    steps: list[tuple[str, str]] = []
    start = _tree_before(span)
    if start != before:
        names.append(WORKTREE if span.base.is_worktree else _NOBODY)
        steps.append((before, start))
        before = start
    for commit in span.commits:
        names.append(commit.sha)
        steps.append((before, commit.tree_sha))
        before = commit.tree_sha
    return names, steps


def _tree_before(span: RevisionRange) -> str:
    """The tree that the range's first commit changed; the base's own as a rule.

    It differs where the two ends have diverged, or the base holds local patches.
    """
    first: Commit | None = span.commits[0] if span.commits else None
    if first is None:
        return span.head.tree_sha
    if first.parent is None:
        return span.base.tree_sha
    repository = span.head.repository
    found = repository.attempt("rev-parse", "--verify", "--quiet", f"{first.parent}^{{tree}}")
    return found.decode().strip() if found else span.base.tree_sha
