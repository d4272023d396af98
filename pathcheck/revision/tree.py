"""The files of one revision, by path and blob name."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from functools import cached_property

from pathcheck.revision.errors import RevisionError
from pathcheck.revision.repository import Repository, decode_path

SYMLINK = "120000"
SUBMODULE = "160000"


@dataclass(frozen=True, slots=True)
class Entry:
    """What a git tree says of a path: its mode (octal digits) and its object."""

    mode: str
    sha: str


@dataclass(frozen=True)
class Tree:
    """The files of a commit, or of the work tree as it lies.

    ``label`` is the revision as the user wrote it; ``sha`` the commit's name, or
    for WORKTREE a hash of all paths and contents; ``tree_sha`` git's tree object.
    """

    repository: Repository = field(repr=False, compare=False)
    label: str
    sha: str
    tree_sha: str
    is_worktree: bool = False
    #: What could not be taken into the tree at all: path to reason.
    left_out: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """Everything in the tree, symbolic links and submodules included, sorted by path."""
        listing = self.repository.run("ls-tree", "-r", "-z", "--full-tree", self.tree_sha)
        found: dict[str, Entry] = {}
        for record in listing.split(b"\0")[:-1]:
            meta, _, path = record.partition(b"\t")
            mode, _, sha = meta.decode().split(" ")
            found[decode_path(path)] = Entry(mode, sha)
        return dict(sorted(found.items()))

    def paths(self, prefix: str = "") -> dict[str, str]:
        """Path to blob name of every file at or below ``prefix``.

        A symbolic link to a file of the tree counts as that file's content, as
        it does for Python; what cannot be read so is in ``skipped``.
        """
        return {path: sha for path, sha in self._files.items() if is_below(path, prefix)}

    def skipped(self, prefix: str = "") -> dict[str, str]:
        """Path to reason of everything below ``prefix`` that is not a readable file."""
        return {path: why for path, why in self._gaps.items() if is_below(path, prefix)}

    def read(self, path: str) -> bytes:
        """The content of a file; RevisionError if the revision has no such file."""
        sha = self._files.get(path)
        if sha is None:
            reason = self._gaps.get(path, "no such file")
            raise RevisionError(f"{path!r} at {self.label}: {reason}")
        return self.read_blob(sha)

    def read_blob(self, sha: str) -> bytes:
        """The content of a blob named by ``paths``; RevisionError if it is missing."""
        return self.repository.blob(sha)

    @cached_property
    def _resolved(self) -> tuple[dict[str, str], dict[str, str]]:
        files: dict[str, str] = {}
        gaps = dict(self.left_out)
        for path, entry in self.entries.items():
            if entry.mode == SUBMODULE:
                gaps[path] = "a submodule: its files are not part of this repository"
            elif entry.mode == SYMLINK:
                target = self._follow(path)
                if target is None:
                    gaps[path] = "a symbolic link to no file of this repository"
                else:
                    files[path] = target
            else:
                files[path] = entry.sha
        return files, gaps

    @property
    def _files(self) -> dict[str, str]:
        return self._resolved[0]

    @property
    def _gaps(self) -> dict[str, str]:
        return self._resolved[1]

    def _follow(self, path: str) -> str | None:
        """The blob a symbolic link ends at; None for loops, directories and the outside."""
        seen: set[str] = set()
        while path not in seen:
            seen.add(path)
            entry = self.entries.get(path)
            if entry is None or entry.mode == SUBMODULE:
                return None
            if entry.mode != SYMLINK:
                return entry.sha
            target = decode_path(self.repository.blob(entry.sha))
            path = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        return None


def is_below(path: str, prefix: str) -> bool:
    """True if ``path`` is ``prefix`` or lies in that directory; everything lies below ''."""
    prefix = prefix.rstrip("/")
    return not prefix or path == prefix or path.startswith(prefix + "/")
