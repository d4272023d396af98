"""The ground of the lowering: units, names and targets."""

from __future__ import annotations

import ast
from bisect import bisect_left
from typing import Any

from pathcheck.program import ir
from pathcheck.program.ir import ModuleIR, Node, Unit
from pathcheck.program.scopes import Scope


class Handlers(dict[type, Any]):
    """The methods that lower each class of ``ast`` node: one look-up instead of a name built per node."""

    def __missing__(self, kind: type) -> Any:
        raise ValueError(f"cannot lower {kind.__name__}")

    def gather(self, owner: type, prefix: str) -> None:
        """Add the methods of ``owner`` named ``<prefix><class of ast node>``."""
        for name in dir(owner):
            node_class = getattr(ast, name[len(prefix) :], None) if name.startswith(prefix) else None
            if node_class is not None:
                self[node_class] = getattr(owner, name)


#: Filled by the halves that know expressions and statements.
EXPRESSIONS = Handlers()
STATEMENTS = Handlers()


def position(node: ast.expr | ast.stmt | ast.excepthandler) -> int:
    """``line << 12 | column`` (columns past 4095 share the last one)."""
    column = node.col_offset
    return (node.lineno << 12) | (column if column < 4096 else 4095)


class NameLowering:
    """State of one file's lowering, and what every node needs of it."""

    def __init__(self, lines: list[str], deep_lines: list[int]) -> None:
        self.lines = lines
        #: lines with a ``:=`` or a ``yield`` in their text, in order
        self.deep_lines = deep_lines
        self.module = ModuleIR()
        self.units: list[Unit] = self.module.units
        self.names: set[str] = set()
        self.scope = Scope("module", None)
        self.code = 0
        #: unit that encloses what is lowered now
        self.parent = -1
        self.qualname: list[str] = []
        self.marks: dict[int, int] = {}
        #: the statement at hand has several lines: its parts may share lines with it
        self.track = False
        self.touches: set[tuple[int, int]] = set()
        self.part_lines: set[int] = set()
        #: first and last line of each string of several lines, and of each bare one
        self.texts: list[tuple[int, int]] = []
        self.docs: list[ast.expr] = []

    # ---- units ------------------------------------------------------------
    def new_unit(
        self, node: ast.AST, kind: str, last: ast.AST | None, arm: str, line: int = 0, end: int = 0
    ) -> int:
        """Number a unit from the start of ``node`` to the end of ``last`` (of ``node`` if None).

        ``line`` and ``end`` override its first and last line.
        """
        begin: Any = node
        stop: Any = last or node
        line, column = line or begin.lineno, begin.col_offset
        end = end or stop.end_lineno
        first = not column or line != begin.lineno or self.lines[line - 1][:column].isspace()
        unit = Unit(
            line, end, kind, self.parent, self.code, first, begin.end_lineno, arm, column, stop.end_col_offset
        )
        self.track = end != line
        self.units.append(unit)
        return len(self.units) - 1

    def part(self, node: ast.expr, kind: str = ir.KIND_PART, arm: str = "part") -> tuple[int, Node]:
        """Lower an expression that has a guard of its own."""
        outer = self.parent
        self.parent = unit = self.part_unit(node, node, kind, arm)
        lowered = EXPRESSIONS[node.__class__](self, node)
        self.parent = outer
        return unit, lowered

    def part_unit(self, node: ast.expr, last: ast.expr, kind: str, arm: str) -> int:
        """Number a part from the start of ``node`` to the end of ``last``."""
        line, column, end = node.lineno, node.col_offset, last.end_lineno or node.lineno
        first = not column or self.lines[line - 1][:column].isspace()
        unit = Unit(
            line, end, kind, self.parent, self.code, first, end, arm, column, last.end_col_offset or column
        )
        if self.track:
            self.part_lines.update(range(line, end + 1))
        self.units.append(unit)
        return len(self.units) - 1

    def is_deep(self, first: int, last: int) -> bool:
        """Whether a ``:=`` or a ``yield`` stands on these lines."""
        at = bisect_left(self.deep_lines, first)
        return at < len(self.deep_lines) and self.deep_lines[at] <= last

    # ---- names ------------------------------------------------------------
    def name_load(self, name: str) -> Node:
        """The node that reads ``name`` in the scope at hand."""
        scope = self.scope
        if scope.comprehension:
            local = scope.local_name(name)
            if local is not None:
                return (ir.LOCAL, local)
        found = scope.loads.get(name)
        if found is None:
            self.names.add(name)
            found = scope.loads[name] = self._resolve(name)
        return found

    def _resolve(self, name: str) -> Node:
        scope = self.scope
        if scope.kind == "function" and name in scope.bound:
            return (ir.LOCAL, name)
        if scope.kind == "module" or name in scope.globals:
            return (ir.GLOBAL, name)
        outer = self._outer(name)
        return (ir.CLASSVAR, name, outer) if scope.kind == "class" and name in scope.bound else outer

    def _outer(self, name: str, write: bool = False) -> Node:
        """The node that reads ``name`` from the scopes around this one."""
        up, owner = 0, self.scope.parent
        while owner is not None and owner.kind != "module":
            local = owner.local_name(name)
            if local is not None or (owner.kind == "function" and name in owner.bound):
                found = local or name
                owner.cells.add(found)
                if write:
                    owner.shared.add(found)
                self._mark_free(owner)
                return (ir.FREE, found, up)
            if owner.kind == "function":
                if name in owner.globals:
                    break
                up += 1
            owner = owner.parent
        return (ir.GLOBAL, name)

    def _mark_free(self, owner: Scope) -> None:
        scope: Scope | None = self.scope
        while scope is not None and scope is not owner:
            scope.has_free = True
            scope = scope.parent

    def name_store(self, name: str) -> Node:
        """The target that binds ``name`` in the scope at hand."""
        scope = self.scope
        self.names.add(name)
        if scope.comprehension:
            local = scope.local_name(name)
            if local is not None:
                return (ir.T_LOCAL, local)
        if name in scope.nonlocals:
            outer = self._outer(name, write=True)
            return (ir.T_FREE, *outer[1:]) if outer[0] == ir.FREE else (ir.T_GLOBAL, name)
        if scope.kind == "module" or name in scope.globals:
            return (ir.T_GLOBAL, name)
        return (ir.T_LOCAL, name)

    # ---- targets ----------------------------------------------------------
    def target(self, node: ast.expr) -> Node:
        """The target that ``node`` writes."""
        if self.track:
            self.touches.add((node.lineno, self.parent))
        if isinstance(node, ast.Name):
            return self.name_store(node.id)
        if isinstance(node, ast.Attribute):
            self.names.add(node.attr)
            return (ir.T_ATTR, self.expr(node.value), self.mangle(node.attr), position(node))
        if isinstance(node, ast.Subscript):
            return (ir.T_SUBSCRIPT, self.expr(node.value), self.expr(node.slice), position(node))
        if isinstance(node, ast.Tuple | ast.List):
            star, items = -1, []
            for index, item in enumerate(node.elts):
                if isinstance(item, ast.Starred):
                    star, item = index, item.value
                items.append(self.target(item))
            return (ir.T_SEQUENCE, tuple(items), star)
        if isinstance(node, ast.Starred):
            return self.target(node.value)
        raise ValueError(f"not a target: {type(node).__name__}")

    def mangle(self, name: str) -> str:
        """Private names of a class body (language reference 6.2.1)."""
        if not name.startswith("__") or name.endswith("__"):
            return name
        scope: Scope | None = self.scope
        names = list(self.qualname)
        while scope is not None and scope.kind != "class":
            scope = scope.parent
            if names:
                names.pop()
        while names and names[-1] == "<locals>":
            names.pop()
        if scope is None or not names:
            return name
        return f"_{names[-1].lstrip('_')}{name}"

    def expr(self, node: ast.expr) -> Node:
        """Lower one expression."""
        lowered: Node = EXPRESSIONS[node.__class__](self, node)
        return lowered
