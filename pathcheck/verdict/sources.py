"""The files of a tree as verdicts need them: lowered, and their lines as written."""

from __future__ import annotations

from dataclasses import dataclass, field

from pathcheck.cachedir import cache_root
from pathcheck.program.ir import ModuleIR
from pathcheck.program.source import SourceError, decode
from pathcheck.program.store import Store
from pathcheck.revision.tree import Tree
from pathcheck.verdict.seam import NoSuchPlace


@dataclass(slots=True)
class Sources:
    """Reads each file once."""

    tree: Tree
    _store: Store = field(default_factory=lambda: Store(cache_root() / "program"))
    _lowered: dict[str, ModuleIR | None] = field(default_factory=dict)
    _lines: dict[str, list[str]] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)
    _files: dict[str, str] | None = None

    def blob(self, path: str) -> str:
        """The blob's name; NoSuchPlace if the tree has no such file."""
        found = self.files.get(path)
        if found is None:
            why = self.tree.skipped(path).get(path, "no such file")
            raise NoSuchPlace(f"{path} at {self.tree.label}: {why}")
        return found

    def ir(self, path: str) -> ModuleIR | None:
        """The lowered file; None if it does not parse."""
        if path not in self._lowered:
            self._lowered[path] = self._lower(path)
        return self._lowered[path]

    def _lower(self, path: str) -> ModuleIR | None:
        blob = self.blob(path)
        try:
            return self._store.get(blob, lambda: decode(self.tree.read_blob(blob)))
        except SourceError:
            return None

    @property
    def files(self) -> dict[str, str]:
        """Every readable file of the tree, path to blob."""
        if self._files is None:
            self._files = self.tree.paths()
        return self._files

    def line(self, path: str, number: int) -> str:
        """One line of a file, "" beyond its end."""
        lines = self.lines(path)
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def lines(self, path: str) -> list[str]:
        """The file's lines without their ends; [] if it is no text that Python reads."""
        if path not in self._lines:
            try:
                text = decode(self.tree.read_blob(self.blob(path)))
            except SourceError:
                text = ""
            self._lines[path] = text.split("\n")
        return self._lines[path]

    def count(self, path: str) -> int:
        """How many lines the file has."""
        found = self._counts.get(path)
        if found is None:
            found = self._counts[path] = self._count(path)
        return found

    def _count(self, path: str) -> int:
        data = self.tree.read_blob(self.blob(path))
        ends = max(data.count(b"\n"), data.count(b"\r"))
        return ends + (not data.endswith((b"\n", b"\r")) and bool(data))
