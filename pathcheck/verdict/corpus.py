"""All Python text of the program at once: where a name stands.

Proofs cite every line that names a thing, in files that no process loads as
well; only the text of the whole tree can tell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property

from pathcheck.revision.tree import Tree

#: So many lines are looked at for one name: what stands in more is no evidence that a reader follows.
MOST = 400


class Corpus:
    """The text of the Python files below a folder of a tree."""

    def __init__(self, tree: Tree, root: str) -> None:
        self.tree, self.root = tree, root
        self._found: dict[str, list[tuple[str, int]]] = {}

    def lines(self, name: str) -> list[tuple[str, int]]:
        """(path, line) of each line that holds ``name`` as a whole word, in order."""
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = list(dict.fromkeys(self._search(name)))
        return found

    def _search(self, name: str) -> Iterator[tuple[str, int]]:
        text, starts, paths = self._all
        here, line, counted = -1, 1, 0
        for count, at in enumerate(_words(text, name.encode())):
            if count >= MOST:
                return
            index = bisect_right(starts, at) - 1
            if index != here:
                here, line, counted = index, 1, starts[index]
            line += text.count(b"\n", counted, at)
            counted = at
            yield paths[index], line

    @cached_property
    def _all(self) -> tuple[bytes, list[int], list[str]]:
        """One text of all files, where each begins, and their paths."""
        files = {path: blob for path, blob in self.tree.paths(self.root).items() if path.endswith(".py")}
        asked = "\n".join(files.values()).encode() + b"\n"
        data = self.tree.repository.run("cat-file", "--batch", stdin=asked)
        parts, starts, paths, at, total = [], [], [], 0, 0
        for path in files:
            end = data.index(b"\n", at)
            header = data[at:end].split(b" ")
            if len(header) < 3:  # "<name> missing"
                at = end + 1
                continue
            size = int(header[2])
            part = data[end + 1 : end + 2 + size].replace(b"\r\n", b"\n")
            parts.append(part)
            starts.append(total)
            paths.append(path)
            total += len(part)
            at = end + 2 + size
        return b"".join(parts), starts, paths


def _words(text: bytes, word: bytes) -> Iterator[int]:
    """Where a word stands whole. A regular expression takes ten times as long."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not _continues(text[at - 1 : at]) and not _continues(text[end : end + 1]):
            yield at
        at = text.find(word, end)


def _continues(byte: bytes) -> bool:
    return byte.isalnum() or byte == b"_" or byte >= b"\x80"
