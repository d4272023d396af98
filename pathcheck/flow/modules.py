"""Modules of the program while they are imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathcheck.flow.context import Context
    from pathcheck.flow.frame import Frame
    from pathcheck.flow.values import Module, Value
    from pathcheck.program.ir import ModuleIR


class ModuleState:
    """One module: its IR, its atom and the context of its body."""

    __slots__ = ("atom", "context", "ir", "is_package", "left", "live", "name", "path", "seen")

    def __init__(self, name: str, path: str, ir: ModuleIR | None, is_package: bool) -> None:
        self.name = name
        self.path = path
        #: None for a namespace package: a directory without ``__init__.py``
        self.ir = ir
        self.is_package = is_package
        self.atom: Module
        self.context: Context | None = None
        #: the frame of its body while that is being walked
        self.live: Frame | None = None
        #: what a body that did not get past a statement had assigned until then, and nobody has read yet
        self.left: dict[str, Value] = {}
        #: names that somebody reads while the body runs, and the unit of the body that runs then
        self.seen: dict[tuple[str, int], None] = {}

    @property
    def unfinished(self) -> bool:
        """Whether its body has assigned names that are not visible yet."""
        return self.live is not None or bool(self.left)

    @property
    def package(self) -> str:
        """The package that relative imports of this module start from."""
        return self.name if self.is_package else self.name.rpartition(".")[0]
