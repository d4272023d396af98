"""Statements become IR nodes."""

from __future__ import annotations

import ast
from typing import Any

from pathcheck.program import ir
from pathcheck.program.ir import Node
from pathcheck.program.lower_definitions import DefinitionLowering
from pathcheck.program.lower_expressions import OPERATORS
from pathcheck.program.lower_names import STATEMENTS, position
from pathcheck.program.lower_patterns import PatternLowering


def _ends_in_raise(body: list[ast.stmt]) -> bool:
    """True if every way through ``body`` raises: an error path, not ordinary service."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.Raise):
        return True
    if isinstance(last, ast.If):
        return _ends_in_raise(last.body) and _ends_in_raise(last.orelse)
    return isinstance(last, ast.With | ast.AsyncWith) and _ends_in_raise(last.body)


class StatementLowering(DefinitionLowering, PatternLowering):
    """The half of the lowering that knows statements.

    A handler numbers its unit, lowers the statement's own expressions with that
    unit as parent, and sets the parent back.
    """

    # ---- simple statements ------------------------------------------------
    def s_Expr(self, node: ast.Expr, arm: str) -> Node:
        outer, unit = self.enter(node, arm)
        if isinstance(node.value, ast.Constant):
            if isinstance(node.value.value, str):
                self.docs.append(node.value)
            self.parent = outer
            return (ir.S_PASS, unit)
        value = self.expr(node.value)
        self.parent = outer
        return (ir.S_EXPR, unit, value)

    def s_Assign(self, node: ast.Assign, arm: str) -> Node:
        outer, unit = self.enter(node, arm)
        value = self.expr(node.value)
        targets = tuple([self.target(t) for t in node.targets])
        self.parent = outer
        mark = self.marks.get(id(node), ir.SCOPE_NONE) if self.marks else ir.SCOPE_NONE
        return (ir.S_ASSIGN, unit, targets, value, mark)

    def s_AugAssign(self, node: ast.AugAssign, arm: str) -> Node:
        outer, unit = self.enter(node, arm)
        target = self.target(node.target)
        load = self.expr(ast.copy_location(_as_load(node.target), node.target))
        value = self.expr(node.value)
        self.parent = outer
        return (ir.S_AUGMENTED, unit, target, load, OPERATORS[type(node.op)], value, position(node))

    def s_AnnAssign(self, node: ast.AnnAssign, arm: str) -> Node:
        outer, unit = self.enter(node, arm)
        value = None if node.value is None else self.expr(node.value)
        target = self.target(node.target)
        annotation = self.annotation(node.annotation)
        self.parent = outer
        return (ir.S_ANNOTATED, unit, target, annotation, value)

    def s_TypeAlias(self, node: Any, arm: str) -> Node:
        # Python 3.12. The value is evaluated when someone asks for it: like an annotation, it has no units.
        outer, unit = self.enter(node, arm)
        target, value = self.target(node.name), self.annotation(node.value)
        self.parent = outer
        return (ir.S_ASSIGN, unit, (target,), value, ir.SCOPE_NONE)

    def s_Return(self, node: ast.Return, arm: str) -> Node:
        outer, unit = self.enter(node, arm)
        value = None if node.value is None else self.expr(node.value)
        self.parent = outer
        return (ir.S_RETURN, unit, value)

    def s_Raise(self, node: ast.Raise, arm: str) -> Node:
        outer, unit = self.enter(node, arm)
        value = None if node.exc is None else self.expr(node.exc)
        cause = None if node.cause is None else self.expr(node.cause)
        self.parent = outer
        return (ir.S_RAISE, unit, value, cause)

    def s_Pass(self, node: ast.stmt, arm: str) -> Node:
        return (ir.S_PASS, self.new_unit(node, ir.KIND_STATEMENT, None, arm))

    s_Global = s_Nonlocal = s_Pass

    def s_Break(self, node: ast.Break, arm: str) -> Node:
        return (ir.S_BREAK, self.new_unit(node, ir.KIND_STATEMENT, None, arm))

    def s_Continue(self, node: ast.Continue, arm: str) -> Node:
        return (ir.S_CONTINUE, self.new_unit(node, ir.KIND_STATEMENT, None, arm))

    def s_Delete(self, node: ast.Delete, arm: str) -> Node:
        outer, unit = self.enter(node, arm)
        targets = tuple([self.target(t) for t in node.targets])
        self.parent = outer
        return (ir.S_DELETE, unit, targets)

    def s_Assert(self, node: ast.Assert, arm: str) -> Node:
        outer, unit = self.enter(node, arm, ir.KIND_TEST)
        test = self.expr(node.test)
        message_unit, message = (-1, None) if node.msg is None else self.part(node.msg)
        self.parent = outer
        return (ir.S_ASSERT, unit, test, message_unit, message)

    def s_Import(self, node: ast.Import, arm: str) -> Node:
        unit = self.new_unit(node, ir.KIND_IMPORT, None, arm)
        names = []
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            names.append((alias.name, self.name_store(bound), alias.asname is None))
            self.note_import(bound, alias.name if alias.asname else bound, None, 0)
        return (ir.S_IMPORT, unit, tuple(names))

    def s_ImportFrom(self, node: ast.ImportFrom, arm: str) -> Node:
        unit = self.new_unit(node, ir.KIND_IMPORT, None, arm)
        if node.names[0].name == "*":
            return (ir.S_FROM, unit, node.module, node.level, ("*",))
        names = []
        for alias in node.names:
            bound = alias.asname or alias.name
            names.append((alias.name, self.name_store(bound)))
            self.note_import(bound, node.module or "", alias.name, node.level)
        return (ir.S_FROM, unit, node.module, node.level, tuple(names))

    def note_import(self, bound: str, module: str, attribute: str | None, level: int) -> None:
        """Remember what annotations may name, whether the import runs or not."""
        if self.scope.kind == "module":
            self.module.imports.setdefault(bound, (module, attribute, level))

    # ---- compound statements ----------------------------------------------
    def s_If(self, node: ast.If, arm: str) -> Node:
        outer, unit = self.enter(node, arm, ir.KIND_TEST, node.test)
        test = self.expr(node.test)
        body = self.block(node.body, "then")
        orelse = self.block(node.orelse, "else") if node.orelse else ()
        self.parent = outer
        return (ir.S_IF, unit, test, body, orelse, _ends_in_raise(node.body), _ends_in_raise(node.orelse))

    def s_While(self, node: ast.While, arm: str) -> Node:
        outer, unit = self.enter(node, arm, ir.KIND_TEST, node.test)
        test = self.expr(node.test)
        body = self.block(node.body, "then")
        orelse = self.block(node.orelse, "else")
        self.parent = outer
        return (ir.S_WHILE, unit, test, body, orelse)

    def s_For(self, node: ast.For | ast.AsyncFor, arm: str) -> Node:
        outer, unit = self.enter(node, arm, ir.KIND_STATEMENT, node.iter)
        iterable = self.expr(node.iter)
        target = self.target(node.target)
        body = self.block(node.body, "then")
        orelse = self.block(node.orelse, "else")
        self.parent = outer
        return (ir.S_FOR, unit, target, iterable, body, orelse)

    s_AsyncFor = s_For

    def s_Try(self, node: ast.Try, arm: str) -> Node:
        outer = self.parent
        unit = self.new_unit(node, ir.KIND_STATEMENT, None, arm, end=node.lineno)
        self.parent = unit
        body = self.block(node.body, "")
        handlers = tuple([self._handler(handler) for handler in node.handlers])
        orelse = self.block(node.orelse, "")
        final = self.block(node.finalbody, "")
        self.parent = outer
        return (ir.S_TRY, unit, body, handlers, orelse, final)

    s_TryStar = s_Try

    def _handler(self, handler: ast.ExceptHandler) -> Node:
        outer = self.parent
        end = handler.lineno if handler.type is None else 0
        self.parent = own = self.new_unit(handler, ir.KIND_TEST, handler.type, "handler", end=end)
        caught = None if handler.type is None else self.expr(handler.type)
        name = None if handler.name is None else self.name_store(handler.name)
        body = self.block(handler.body, "then")
        self.parent = outer
        return (own, caught, name, body)

    def s_With(self, node: ast.With | ast.AsyncWith, arm: str) -> Node:
        last = node.items[-1].optional_vars or node.items[-1].context_expr
        outer, unit = self.enter(node, arm, ir.KIND_STATEMENT, last)
        items = []
        for item in node.items:
            manager = self.expr(item.context_expr)
            target = None if item.optional_vars is None else self.target(item.optional_vars)
            items.append((manager, target, position(item.context_expr)))
        body = self.block(node.body, "")
        self.parent = outer
        return (ir.S_WITH, unit, tuple(items), body)

    s_AsyncWith = s_With


def _as_load(node: ast.expr) -> ast.expr:
    """The same place as something that is read."""
    if isinstance(node, ast.Name):
        return ast.Name(node.id, ast.Load())
    if isinstance(node, ast.Attribute):
        return ast.Attribute(node.value, node.attr, ast.Load())
    assert isinstance(node, ast.Subscript)
    return ast.Subscript(node.value, node.slice, ast.Load())


STATEMENTS.gather(StatementLowering, "s_")
