"""All Python text of the program at once: where a name stands.

Proofs cite every line that names a thing, in files that no process loads as
well; only the text of the whole tree can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from pathcheck.revision.tree import Tree

#: So many lines are looked at for one name: what stands in more is no evidence that a reader follows.
MOST = 400
#: After so many names an index of all words has paid for itself (measured on SGLang 0.5.23).
_INDEXED = 50
_WORD = re.compile(rb"[\w\x80-\xff]+")


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
        word, count = name.encode(), 0
        for number in self._candidates(word):
            path, text = self._texts[number]
            line = 1
            counted = 0
            for at in _words(text, word):
                if count >= MOST:
                    return
                count += 1
                line += text.count(b"\n", counted, at)
                counted = at
                yield path, line

    def _candidates(self, word: bytes) -> Sequence[int]:
        """The files that may hold a word, by number. The index takes as long to make as fifty searches."""
        if len(self._found) < _INDEXED or not _WORD.fullmatch(word):
            return range(len(self._texts))
        return self._index.get(word, ())

    @cached_property
    def _index(self) -> dict[bytes, list[int]]:
        """Each word, and the files that hold it."""
        found: dict[bytes, list[int]] = {}
        for number, (_, text) in enumerate(self._texts):
            for word in set(_WORD.findall(text)):
                found.setdefault(word, []).append(number)
        return found

    @cached_property
    def _texts(self) -> list[tuple[str, bytes]]:
        """Path and text of each file."""
        files = {path: blob for path, blob in self.tree.paths(self.root).items() if path.endswith(".py")}
        asked = "\n".join(files.values()).encode() + b"\n"
        data = self.tree.repository.run("cat-file", "--batch", stdin=asked)
        texts, at = [], 0
        for path in files:
            end = data.index(b"\n", at)
            header = data[at:end].split(b" ")
            if len(header) < 3:  # "<name> missing"
                at = end + 1
                continue
            size = int(header[2])
            texts.append((path, data[end + 1 : end + 2 + size].replace(b"\r\n", b"\n")))
            at = end + 2 + size
        return texts


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
