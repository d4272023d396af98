"""Where the modules of a tree lie: paths and dotted names, namespace packages included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pathcheck.program.ir import ModuleIR
from pathcheck.program.source import SourceError


@dataclass(slots=True)
class Program:
    """The files of one revision below a source root, lowered when asked for.

    ``load`` reads and lowers the file at a path (through the cache); it raises
    SourceError for a file that does not parse.
    """

    root: str
    files: dict[str, str]
    load: Callable[[str], ModuleIR]
    #: module name -> path, "" for a namespace package
    modules: dict[str, str] = field(default_factory=dict)
    #: (path, reason) of files that were asked for and could not be lowered
    broken: dict[str, str] = field(default_factory=dict)
    _loaded: dict[str, ModuleIR] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for path in sorted(self.files):
            name = module_name(path, self.root)
            if name is not None:
                self.modules[name] = path
        for name in list(self.modules):
            parent = name.rpartition(".")[0]
            while parent and parent not in self.modules:
                self.modules[parent] = ""
                parent = parent.rpartition(".")[0]

    def ir(self, path: str) -> ModuleIR | None:
        """The lowered file, None if it is broken (and noted as such)."""
        if path in self._loaded:
            return self._loaded[path]
        if path in self.broken:
            return None
        try:
            found = self._loaded[path] = self.load(path)
        except SourceError as error:
            self.broken[path] = str(error)
            return None
        return found

    def submodules(self, package: str) -> list[str]:
        """Names of the modules and packages directly in ``package``, sorted."""
        prefix = package + "."
        below = [name[len(prefix) :] for name in self.modules if name.startswith(prefix)]
        return sorted(name for name in below if "." not in name)


def module_name(path: str, root: str) -> str | None:
    """The dotted name of the module at ``path`` below ``root``; None if it has none."""
    if not path.endswith(".py") or not path.startswith(root):
        return None
    parts = path[len(root) : -3].strip("/").split("/")
    if not all(part.isidentifier() for part in parts):
        return None
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts) or None
