"""A range of revisions becomes what ``change`` reads: Python files with commits by line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pathcheck.change.derive import derive_changes
from pathcheck.change.model import ChangeSet, FileDiff, Gap, Hunk
from pathcheck.revision.attribution import Attribution, attribute
from pathcheck.revision.diff import FileChange, diff_trees
from pathcheck.revision.ranges import RevisionRange
from pathcheck.revision.repository import Repository
from pathcheck.target.files import classify


@dataclass(frozen=True, slots=True)
class RangeChanges:
    """The changes of a range, and the changed files that hold none."""

    changes: ChangeSet
    others: tuple[FileChange, ...]
    attribution: Attribution


def range_changes(span: RevisionRange) -> RangeChanges:
    """Compare both ends of a range. Raises RevisionError."""
    files = diff_trees(span.base, span.head)
    attribution = attribute(span)
    decided = [file for file in files if _is_decided(file)]
    readable = [file for file in decided if file.content == "text"]
    found = derive_changes(_file_diffs(readable, span.head.repository, attribution))
    odd = [file for file in decided if file.content not in ("text", "mode")]
    gaps = (*found.gaps, *(Gap(file.path, "head", f"is no text file ({file.content})") for file in odd))
    others = tuple(file for file in files if not _is_decided(file))
    return RangeChanges(ChangeSet(found.changes, gaps, found.notes), others, attribution)


def _is_decided(file: FileChange) -> bool:
    """True if the analysis decides the file, by its path at either end."""
    paths = (file.old_path, file.new_path)
    return any(classify(path) is None for path in paths if path is not None)


def _file_diffs(
    files: list[FileChange], repository: Repository, attribution: Attribution
) -> Iterator[FileDiff]:
    for file in files:
        yield FileDiff(
            old_path=file.old_path,
            new_path=file.new_path,
            old=repository.blob(file.old_blob) if file.old_blob else None,
            new=repository.blob(file.new_blob) if file.new_blob else None,
            hunks=tuple(Hunk(h.old_start, h.old_count, h.new_start, h.new_count) for h in file.hunks),
            commit=attribution.file(file.path) or "",
            old_commits=_old_lines(file, attribution.base_line),
            new_commits=_new_lines(file, attribution.head_line),
        )


_CommitOf = Callable[[str, int], str | None]


def _old_lines(file: FileChange, commit_of: _CommitOf) -> dict[int, str]:
    spans = [range(hunk.old_start, hunk.old_start + hunk.old_count) for hunk in file.hunks]
    return _attributed(file.old_path or file.path, spans, commit_of)


def _new_lines(file: FileChange, commit_of: _CommitOf) -> dict[int, str]:
    spans = [range(hunk.new_start, hunk.new_start + hunk.new_count) for hunk in file.hunks]
    return _attributed(file.path, spans, commit_of)


def _attributed(path: str, spans: list[range], commit_of: _CommitOf) -> dict[int, str]:
    found = {line: commit_of(path, line) for span in spans for line in span}
    return {line: commit for line, commit in found.items() if commit}
