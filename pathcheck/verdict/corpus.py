"""All Python text of the program at once: where a name stands.

Proofs cite every line that names a thing, in files that no process loads as
well; only the text of the whole tree can tell.
"""

from __future__ import annotations

import re
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
        word = name.encode()
        pattern = re.compile(rb"(?<![\w])" + re.escape(word) + rb"(?![\w])")
        here, line, counted = -1, 1, 0
        for count, match in enumerate(pattern.finditer(text)):
            if count >= MOST:
                return
            index = bisect_right(starts, match.start()) - 1
            if index != here:
                here, line, counted = index, 1, starts[index]
            line += text.count(b"\n", counted, match.start())
            counted = match.start()
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
