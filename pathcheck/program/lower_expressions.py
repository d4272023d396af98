"""Expressions become IR nodes.

Half of all nodes are names, constants and attributes: what runs for each node
is kept short, and looks its handler up by class.
"""

from __future__ import annotations

import ast
from typing import Any

from pathcheck.program import ir
from pathcheck.program.ir import Node
from pathcheck.program.lower_codes import CodeLowering
from pathcheck.program.lower_names import EXPRESSIONS, position

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
    ast.Not: "not", ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "~",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


class ExpressionLowering(CodeLowering):
    """The half of the lowering that knows expressions."""

    # ---- leaves -----------------------------------------------------------
    def x_Constant(self, node: ast.Constant) -> Node:
        if self.track:
            self.touches.add((node.lineno, self.parent))
            if node.end_lineno != node.lineno:
                self.texts.append((node.lineno, node.end_lineno or node.lineno))
        return (ir.CONST, node.value)

    def x_Name(self, node: ast.Name) -> Node:
        if self.track:
            self.touches.add((node.lineno, self.parent))
        scope = self.scope
        if not scope.comprehension:
            found = scope.loads.get(node.id)
            if found is not None:
                return found
        return self.name_load(node.id)

    def x_Attribute(self, node: ast.Attribute) -> Node:
        if self.track:
            self.touches.add((node.end_lineno or node.lineno, self.parent))
        name, inner, column = node.attr, node.value, node.col_offset
        self.names.add(name)
        if name[:2] == "__":
            name = self.mangle(name)
        return (
            ir.ATTR, EXPRESSIONS[inner.__class__](self, inner), name,
            (node.lineno << 12) | (column if column < 4096 else 4095),
        )  # fmt: skip

    # ---- places and calls -------------------------------------------------
    def x_Subscript(self, node: ast.Subscript) -> Node:
        return (ir.SUBSCRIPT, self.expr(node.value), self.expr(node.slice), position(node))

    def x_Call(self, node: ast.Call) -> Node:
        positional: tuple[tuple[bool, Node], ...] = ()
        keywords: tuple[tuple[str | None, Node], ...] = ()
        if node.args:
            positional = self.items(node.args)
        if node.keywords:
            keywords = tuple([(k.arg, EXPRESSIONS[k.value.__class__](self, k.value)) for k in node.keywords])
        function = node.func
        callee = EXPRESSIONS[function.__class__](self, function)
        if not positional and not keywords and isinstance(function, ast.Name) and function.id == "super":
            callee = (ir.GLOBAL, "super")
        return (ir.CALL, callee, positional, keywords, position(node))

    def items(self, nodes: list[ast.expr]) -> tuple[tuple[bool, Node], ...]:
        """The items of a display or the positional arguments of a call."""
        return tuple(
            [
                (True, self.expr(n.value))
                if isinstance(n, ast.Starred)
                else (False, EXPRESSIONS[n.__class__](self, n))
                for n in nodes
            ]
        )

    # ---- operators --------------------------------------------------------
    def x_BinOp(self, node: ast.BinOp) -> Node:
        left, right = self.expr(node.left), self.expr(node.right)
        return (ir.BINOP, OPERATORS[type(node.op)], left, right, position(node))

    def x_UnaryOp(self, node: ast.UnaryOp) -> Node:
        return (ir.UNARY, OPERATORS[type(node.op)], self.expr(node.operand), position(node))

    def x_Compare(self, node: ast.Compare) -> Node:
        rights = tuple(
            [(OPERATORS[type(o)], self.expr(c)) for o, c in zip(node.ops, node.comparators, strict=True)]
        )
        return (ir.COMPARE, self.expr(node.left), rights, position(node))

    def x_BoolOp(self, node: ast.BoolOp) -> Node:
        operands: list[tuple[int, Node]] = [(-1, self.expr(node.values[0]))]
        operands += [self.part(value, ir.KIND_TEST) for value in node.values[1:]]
        return (ir.BOOLOP, isinstance(node.op, ast.And), tuple(operands))

    def x_IfExp(self, node: ast.IfExp) -> Node:
        test = self.expr(node.test)
        then_unit, then = self.part(node.body)
        else_unit, other = self.part(node.orelse)
        return (ir.IFEXP, test, then_unit, then, else_unit, other)

    # ---- displays ---------------------------------------------------------
    def x_Tuple(self, node: ast.Tuple) -> Node:
        items = self.items(node.elts)
        for star, item in items:
            if star or item[0] != ir.CONST:
                return (ir.TUPLE, items, position(node))
        return (ir.CONST, tuple([item[1] for _, item in items]))

    def x_List(self, node: ast.List) -> Node:
        return (ir.LIST, self.items(node.elts), position(node))

    def x_Set(self, node: ast.Set) -> Node:
        return (ir.SET, self.items(node.elts), position(node))

    def x_Dict(self, node: ast.Dict) -> Node:
        pairs = tuple(
            [
                (None if k is None else self.expr(k), self.expr(v))
                for k, v in zip(node.keys, node.values, strict=True)
            ]
        )
        return (ir.DICT, pairs, position(node))

    def x_JoinedStr(self, node: ast.JoinedStr) -> Node:
        if self.track and node.end_lineno != node.lineno:
            self.texts.append((node.lineno, node.end_lineno or node.lineno))
        return (ir.FSTRING, tuple([self._piece(value) for value in node.values]))

    def _piece(self, value: Any) -> Node:
        if not hasattr(value, "conversion"):
            return self.expr(value)
        inner = self.expr(value.value)
        plain = value.conversion in (-1, 115) and value.format_spec is None
        spec = self.expr(value.format_spec) if value.format_spec is not None else (ir.CONST, "")
        return (ir.TUPLE, ((False, inner), (False, (ir.CONST, plain)), (False, spec)), 0)

    x_TemplateStr = x_JoinedStr  # Python 3.14

    def x_FormattedValue(self, node: ast.FormattedValue) -> Node:
        return (ir.FSTRING, (self.expr(node.value),))

    def x_Slice(self, node: ast.Slice) -> Node:
        parts = (node.lower, node.upper, node.step)
        return (ir.SLICE, *[None if p is None else self.expr(p) for p in parts])

    def x_Starred(self, node: ast.Starred) -> Node:
        return self.expr(node.value)

    # ---- control ----------------------------------------------------------
    def x_Await(self, node: ast.Await) -> Node:
        return (ir.AWAIT, self.expr(node.value))

    def x_Yield(self, node: ast.Yield) -> Node:
        return (ir.YIELD, None if node.value is None else self.expr(node.value))

    def x_YieldFrom(self, node: ast.YieldFrom) -> Node:
        return (ir.YIELD_FROM, self.expr(node.value))

    def x_NamedExpr(self, node: ast.NamedExpr) -> Node:
        value = self.expr(node.value)
        return (ir.WALRUS, self.name_store(node.target.id), value)


EXPRESSIONS.gather(ExpressionLowering, "x_")
