"""One file becomes IR: scopes resolved, units numbered, functions apart."""

from __future__ import annotations

import ast
import sys

from pathcheck.program import ir
from pathcheck.program.ir import ClassInfo, Code, ModuleIR, Node, Unit
from pathcheck.program.lower_expressions import ExpressionLowering
from pathcheck.program.lower_statements import StatementLowering
from pathcheck.program.scopes import Scope, scan
from pathcheck.program.source import SourceError


class Lowering(StatementLowering, ExpressionLowering):
    """Lowers one parsed file; the two halves hold statements and expressions."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.module = ModuleIR()
        self.scope = Scope("module", None)
        self.code = 0
        self.unit_stack: list[int] = [-1]
        self.qualname: list[str] = []
        self.marks: dict[int, int] = {}

    def run(self, tree: ast.Module) -> ModuleIR:
        """Lower the whole module."""
        end = len(self.lines)
        code = Code(0, "<module>", "<module>", 1, end, "module")
        self.module.codes.append(code)
        scan(self.scope, tree.body)
        code.body = self.block(tree.body, "")
        code.cells = ()
        return self.module


def lower(text: str) -> ModuleIR:
    """Parse and lower ``text``. Raises SourceError if it does not parse."""
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(max(limit, 20_000))
        tree = ast.parse(text)
        module = Lowering(text.split("\n")).run(tree)
    except SyntaxError as error:
        raise SourceError(f"does not parse: {error.msg} (line {error.lineno})") from error
    except (RecursionError, MemoryError, ValueError) as error:
        raise SourceError(f"cannot be lowered: {type(error).__name__}: nested too deeply or malformed") from error
    finally:
        sys.setrecursionlimit(limit)
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    names |= {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    module.names = frozenset(names)
    return module


__all__ = ["ClassInfo", "Code", "Lowering", "ModuleIR", "Node", "Unit", "ir", "lower"]
