"""Functions and classes become IR nodes."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pathcheck.program import ir, temporary
from pathcheck.program.ir import ClassInfo, Node
from pathcheck.program.lower_blocks import BlockLowering
from pathcheck.program.lower_names import position

Function = ast.FunctionDef | ast.AsyncFunctionDef


class DefinitionLowering(BlockLowering):
    """The part of the lowering that knows ``def`` and ``class``."""

    def s_FunctionDef(self, node: Function, arm: str) -> Node:
        outer = self.parent
        self.parent = unit = self._head(node, _function_head(node), arm, ir.KIND_FUNCTION)
        target = self.name_store(node.name)
        decorators = tuple([self.expr(d) for d in node.decorator_list])
        defaults = self.defaults(node.args)
        annotations = self.parameter_annotations(node)
        code = self.open_code(node.name, node, "function", node.args, node.body)
        code.annotations = annotations
        code.default_lines = _default_lines(node)
        code.unit = unit
        outer_marks = self.marks
        self.marks = temporary.marks(node, self.scope.globals, code.is_generator)
        code.body = self.block(node.body, "function")
        self.parent, self.marks = outer, outer_marks
        self.close_code(code)
        return (ir.S_FUNCTION, unit, code.index, target, decorators, defaults, position(node))

    s_AsyncFunctionDef = s_FunctionDef

    def parameter_annotations(self, node: Function) -> tuple[tuple[str, Node], ...]:
        """(parameter or "return", annotation) of those that have one."""
        args = node.args
        found = [
            (a.arg, self.annotation(a.annotation))
            for a in [*args.posonlyargs, *args.args, *args.kwonlyargs]
            if a.annotation is not None
        ]
        if node.returns is not None:
            found.append(("return", self.annotation(node.returns)))
        for rest in (args.vararg, args.kwarg):
            if rest is not None and rest.annotation is not None:
                self.annotation(rest.annotation)  # for the names in it: ``*args`` has no slot of its own
        return tuple(found)

    def s_ClassDef(self, node: ast.ClassDef, arm: str) -> Node:
        outer = self.parent
        inside = [*node.bases, *[k.value for k in node.keywords]]
        self.parent = unit = self._head(node, inside, arm, ir.KIND_CLASS)
        target = self.name_store(node.name)
        decorators = tuple([self.expr(d) for d in node.decorator_list])
        bases = self.items(node.bases)
        keywords = tuple([(k.arg, self.expr(k.value)) for k in node.keywords])
        top = self.scope.kind == "module"
        code = self.open_code(node.name, node, "class", None, node.body)
        code.unit = unit
        index = len(self.module.classes)
        info = ClassInfo(index, node.name, code.qualname, code.index, node.lineno)
        self.module.classes.append(info)
        if top:
            self.module.top_classes[node.name] = index
        code.body = self.block(node.body, "class")
        self.parent = outer
        info.fields = self.class_fields(node)
        self.close_code(code)
        return (ir.S_CLASS, unit, index, target, decorators, bases, keywords, position(node))

    def class_fields(self, node: ast.ClassDef) -> tuple[tuple[str, Node, bool], ...]:
        """Annotated names of the class body in order: what dataclasses read."""
        return tuple(
            [
                (s.target.id, self.annotation(s.annotation), s.value is not None)
                for s in _statements(node.body)
                if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
            ]
        )

    # ---- heads --------------------------------------------------------------
    def _head(self, node: Function | ast.ClassDef, inside: Sequence[ast.AST], arm: str, kind: str) -> int:
        """A unit for the decorators and the head of a definition, which ends with its colon."""
        decorators = [d.lineno for d in node.decorator_list]
        end = self._colon(node, inside)
        unit = self.new_unit(node, kind, None, arm, line=min(decorators, default=node.lineno), end=end)
        # A head has no end of its own to name: a reader takes its lines.
        self.units[unit].end_column = -1
        first = node.body[0]
        if self.lines[first.lineno - 1].encode("utf-8", "surrogatepass")[: first.col_offset].strip():
            # The body begins on the last line of the head: that line is both.
            self.touches.add((first.lineno, unit))
            self.part_lines.add(first.lineno)
        return unit

    def _colon(self, node: Function | ast.ClassDef, inside: Sequence[ast.AST]) -> int:
        """The last line of a head."""
        first = node.body[0]
        if first.lineno == node.lineno:
            return node.lineno
        ends: list[int] = [getattr(n, "end_lineno", node.lineno) for n in inside]
        end = max(ends, default=node.lineno)
        limit = min([d.lineno for d in getattr(first, "decorator_list", ())], default=first.lineno) - 1
        while end < limit and not self.lines[end - 1].partition("#")[0].rstrip().endswith(":"):
            end += 1
        return max(end, node.lineno)


def _function_head(node: Function) -> list[ast.AST]:
    """What may come last in a function's head."""
    args = node.args
    last = [*args.posonlyargs[-1:], *args.args[-1:], args.vararg, *args.kwonlyargs[-1:], args.kwarg]
    return [n for n in (*last, *args.defaults[-1:], *args.kw_defaults[-1:], node.returns) if n is not None]


def _default_lines(node: Function) -> tuple[int, ...]:
    """The lines below the ``def`` that default values touch."""
    found: set[int] = set()
    for default in [*node.args.defaults, *node.args.kw_defaults]:
        if default is not None and default.end_lineno is not None:
            found.update(range(max(default.lineno, node.lineno + 1), default.end_lineno + 1))
    return tuple(sorted(found))


def _statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """A class body's statements, those under a plain ``if`` included."""
    found: list[ast.stmt] = []
    for node in body:
        found.append(node)
        if isinstance(node, ast.If):
            found += _statements(node.body) + _statements(node.orelse)
    return found
