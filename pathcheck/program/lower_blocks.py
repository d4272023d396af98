"""Blocks of statements, and the units their statements open."""

from __future__ import annotations

import ast

from pathcheck.program import ir
from pathcheck.program.ir import Node
from pathcheck.program.lower_expressions import ExpressionLowering
from pathcheck.program.lower_names import STATEMENTS


class BlockLowering(ExpressionLowering):
    """What every kind of statement is lowered with."""

    def block(self, body: list[ast.stmt], arm: str) -> tuple[Node, ...]:
        """Lower a run of statements below the unit at hand, which guards them as ``arm``."""
        return tuple([STATEMENTS[node.__class__](self, node, arm) for node in body])

    def enter(
        self, node: ast.stmt, arm: str, kind: str = ir.KIND_STATEMENT, last: ast.expr | None = None
    ) -> tuple[int, int]:
        """Number a statement's unit, down to ``last`` for a header, and make it the parent.

        Returns the parent to go back to, and the unit.
        """
        outer = self.parent
        self.parent = unit = self.new_unit(node, kind, last, arm)
        return outer, unit

    def annotation(self, node: ast.expr | None) -> Node:
        """An annotation; one given as text is parsed, one that does not parse is no annotation.

        It leaves no units behind: nothing runs for it.
        """
        if node is None:
            return (ir.CONST, None)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                parsed = ast.parse(node.value, mode="eval").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return (ir.CONST, None)
            for inner in ast.walk(parsed):
                if hasattr(inner, "lineno"):
                    ast.copy_location(inner, node)
            node = parsed
        units, track = len(self.units), self.track
        self.track = False
        try:
            return self.expr(node)
        except ValueError:
            return (ir.CONST, None)
        finally:
            self.track = track
            del self.units[units:]
