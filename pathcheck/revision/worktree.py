"""WORKTREE as a revision: the files as they lie, made into a git tree.

The tree's objects go to a directory of their own in the cache, which ends with
the process; the repository's objects and index are only read.  So everything
that works on commits (diffs, renames, attribution) works on local patches too.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import tempfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from pathcheck.cachedir import cache_root
from pathcheck.revision.errors import RevisionError
from pathcheck.revision.repository import Repository, decode_path, encode_path
from pathcheck.revision.tree import SUBMODULE, SYMLINK, Entry, Tree, is_below

WORKTREE = "WORKTREE"

#: Files that git does not know yet count only where the server's code lies.
UNTRACKED_BELOW = "python"
#: Larger untracked files are weights or dumps, not code (bytes).
UNTRACKED_LIMIT = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class _Indexed:
    entry: Entry
    #: Left out of a sparse checkout: absent on disk without being deleted.
    sparse: bool


@dataclass
class _Snapshot:
    root: Path
    objects: Path
    entries: dict[str, Entry] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)

    def add_tracked(self, path: str, indexed: _Indexed) -> None:
        """Take a file of the index as it lies on disk, if it does."""
        state = self._lstat(path)
        if indexed.entry.mode == SUBMODULE or (state is None and indexed.sparse):
            self.entries[path] = indexed.entry
        elif state is not None:
            self._add(path, state, indexed.entry)

    def add_untracked(self, path: str) -> None:
        """Take a file that git does not know, if it can be code or its data."""
        state = self._lstat(path)
        if state is None or not is_below(path, UNTRACKED_BELOW):
            return
        if path.endswith("/"):
            self.left_out[path.rstrip("/")] = "a repository of its own inside the work tree"
        elif state.st_size > UNTRACKED_LIMIT:
            self.left_out[path] = f"untracked and larger than {UNTRACKED_LIMIT >> 20} MiB"
        else:
            self._add(path, state, None)

    def _lstat(self, path: str) -> os.stat_result | None:
        try:
            return os.lstat(self._place(path))
        except OSError:
            return None

    def _place(self, path: str) -> bytes:
        return os.path.join(os.fsencode(self.root), encode_path(path))

    def _add(self, path: str, state: os.stat_result, known: Entry | None) -> None:
        try:
            if stat.S_ISLNK(state.st_mode):
                self.entries[path] = Entry(SYMLINK, self._store(os.readlink(self._place(path)), known))
            elif stat.S_ISREG(state.st_mode):
                mode = known.mode if known and known.mode != SYMLINK else "100644"
                with open(self._place(path), "rb") as file:
                    self.entries[path] = Entry(mode, self._store(file.read(), known))
            elif not stat.S_ISDIR(state.st_mode):
                self.left_out[path] = "not a regular file"
        except OSError as error:
            self.left_out[path] = f"unreadable: {error.strerror}"

    def _store(self, data: bytes, known: Entry | None) -> str:
        """The blob's name; only content that the repository may lack is written."""
        sha = blob_sha(data)
        if known is None or sha != known.sha:
            # A checkout with CRLF line ends is the indexed file, not a patch of every line.
            if known and b"\r\n" in data and blob_sha(data.replace(b"\r\n", b"\n")) == known.sha:
                return known.sha
            write_blob(self.objects, sha, data)
        return sha


def blob_sha(data: bytes) -> str:
    """The name git gives to a file of this content."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def write_blob(objects: Path, sha: str, data: bytes) -> None:
    """Write a loose blob object."""
    place = objects / sha[:2] / sha[2:]
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(zlib.compress(b"blob %d\0" % len(data) + data, 1))


def worktree(repository: Repository) -> Tree:
    """The work tree as a revision; RevisionError for a bare repository.

    Tracked files as they lie (deleted ones are absent), untracked files below
    ``python/`` included, ignored ones not.
    """
    if repository.root is None:
        raise RevisionError(f"{WORKTREE} needs a work tree, and {repository.location} is a bare repository")
    snapshot = _Snapshot(repository.root, _temporary_objects())
    for path, indexed in _index(repository).items():
        snapshot.add_tracked(path, indexed)
    for path in _listed(repository, "--others", "--exclude-standard"):
        snapshot.add_untracked(path)
    repository.write_objects_to(snapshot.objects)
    sha = _write_tree(repository, snapshot)
    return Tree(repository, WORKTREE, sha, sha, is_worktree=True, left_out=snapshot.left_out)


def _listed(repository: Repository, *options: str) -> list[str]:
    listing = repository.run("ls-files", "-z", "--full-name", *options)
    return [decode_path(path) for path in listing.split(b"\0")[:-1]]


def _index(repository: Repository) -> dict[str, _Indexed]:
    found: dict[str, _Indexed] = {}
    for record in _listed(repository, "--stage", "-t"):
        meta, _, path = record.partition("\t")
        tag, mode, sha, _ = meta.split(" ")
        found[path] = _Indexed(Entry(mode, sha), sparse=tag == "S")
    return found


def _write_tree(repository: Repository, snapshot: _Snapshot) -> str:
    lines = (
        b"%s %s\t%s\0" % (entry.mode.encode(), entry.sha.encode(), encode_path(path))
        for path, entry in snapshot.entries.items()
    )
    index = {"GIT_INDEX_FILE": str(snapshot.objects / "index")}
    repository.run("update-index", "-z", "--index-info", stdin=b"".join(lines), environment=index)
    return repository.run("write-tree", "--missing-ok", environment=index).decode().strip()


def _temporary_objects() -> Path:
    """A directory for new objects that goes when the process ends."""
    parent = cache_root() / "worktree"
    try:
        parent.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(dir=parent))
    except OSError as error:
        raise RevisionError(
            f"cannot write to the cache {parent}: {error.strerror} (set PATHCHECK_CACHE to another directory)"
        ) from None
    atexit.register(_remove, place, os.getpid())
    return place


def _remove(place: Path, owner: int) -> None:
    """Remove a directory, unless a forked child ends: its parent still reads there."""
    if os.getpid() == owner:
        shutil.rmtree(place, ignore_errors=True)
