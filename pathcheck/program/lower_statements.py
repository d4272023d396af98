"""Statements, definitions and patterns become IR nodes."""

from __future__ import annotations

import ast

from pathcheck.program import ir, temporary
from pathcheck.program.ir import ClassInfo, Code, Node
from pathcheck.program.lower_expressions import _OPERATORS, ExpressionLowering, position


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


class StatementLowering(ExpressionLowering):
    """The half of the lowering that knows statements."""

    def block(self, body: list[ast.stmt], arm: str) -> tuple[Node, ...]:
        """Lower a run of statements; a statement after a leaving one is guarded by it."""
        return tuple(self.statement(node, arm) for node in body)

    def statement(self, node: ast.stmt, arm: str) -> Node:
        method = getattr(self, "s_" + type(node).__name__, None)
        if method is None:
            raise ValueError(f"unknown statement {type(node).__name__}")
        result: Node = method(node, arm)
        return result

    def simple(self, node: ast.stmt, arm: str, kind: str = ir.KIND_STATEMENT) -> int:
        return self.new_unit(node, kind, None, arm)

    def header(self, node: ast.stmt, last: ast.expr | None, arm: str, kind: str) -> int:
        """A unit for the head of a compound statement, down to expression ``last``."""
        end = node.lineno if last is None else (last.end_lineno or node.lineno)
        return self.new_unit(node, kind, end, arm)

    def inner(self, unit: int, body: list[ast.stmt], arm: str) -> tuple[Node, ...]:
        self.unit_stack.append(unit)
        lowered = self.block(body, arm)
        self.unit_stack.pop()
        return lowered

    def within(self, unit: int, node: ast.expr) -> Node:
        """Lower an expression whose parts belong to ``unit``."""
        self.unit_stack.append(unit)
        lowered = self.expr(node)
        self.unit_stack.pop()
        return lowered

    # ---- simple statements ------------------------------------------------
    def s_Expr(self, node: ast.Expr, arm: str) -> Node:
        unit = self.simple(node, arm)
        if isinstance(node.value, ast.Constant):
            return (ir.S_PASS, unit)
        return (ir.S_EXPR, unit, self.within(unit, node.value))

    def s_Assign(self, node: ast.Assign, arm: str) -> Node:
        unit = self.simple(node, arm)
        value = self.within(unit, node.value)
        targets = tuple(self.target(t) for t in node.targets)
        return (ir.S_ASSIGN, unit, targets, value, self.marks.get(id(node), ir.SCOPE_NONE))

    def s_AugAssign(self, node: ast.AugAssign, arm: str) -> Node:
        unit = self.simple(node, arm)
        target = self.target(node.target)
        load = self.expr(ast.copy_location(_as_load(node.target), node.target))
        value = self.within(unit, node.value)
        return (ir.S_AUGMENTED, unit, target, load, _OPERATORS[type(node.op)], value, position(node))

    def s_AnnAssign(self, node: ast.AnnAssign, arm: str) -> Node:
        unit = self.simple(node, arm)
        value = None if node.value is None else self.within(unit, node.value)
        annotation = self.annotation(node.annotation)
        return (ir.S_ANNOTATED, unit, self.target(node.target), annotation, value)

    def annotation(self, node: ast.expr | None) -> Node:
        """An annotation; one given as text is parsed, one that does not parse is no annotation."""
        if node is None:
            return (ir.CONST, None)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                parsed = ast.parse(node.value, mode="eval").body
            except (SyntaxError, ValueError, RecursionError):
                return (ir.CONST, None)
            for inner in ast.walk(parsed):
                if hasattr(inner, "lineno"):
                    ast.copy_location(inner, node)
            node = parsed
        units, known = len(self.module.units), self.module.units
        try:
            return self.expr(node)
        except ValueError:
            return (ir.CONST, None)
        finally:
            del known[units:]

    def s_Return(self, node: ast.Return, arm: str) -> Node:
        unit = self.simple(node, arm)
        return (ir.S_RETURN, unit, None if node.value is None else self.within(unit, node.value))

    def s_Raise(self, node: ast.Raise, arm: str) -> Node:
        unit = self.simple(node, arm)
        value = None if node.exc is None else self.within(unit, node.exc)
        return (ir.S_RAISE, unit, value, None if node.cause is None else self.within(unit, node.cause))

    def s_Pass(self, node: ast.stmt, arm: str) -> Node:
        return (ir.S_PASS, self.simple(node, arm))

    s_Global = s_Nonlocal = s_Pass

    def s_Break(self, node: ast.Break, arm: str) -> Node:
        return (ir.S_BREAK, self.simple(node, arm))

    def s_Continue(self, node: ast.Continue, arm: str) -> Node:
        return (ir.S_CONTINUE, self.simple(node, arm))

    def s_Delete(self, node: ast.Delete, arm: str) -> Node:
        unit = self.simple(node, arm)
        return (ir.S_DELETE, unit, tuple(self.target(t) for t in node.targets))

    def s_Assert(self, node: ast.Assert, arm: str) -> Node:
        unit = self.simple(node, arm)
        test = self.within(unit, node.test)
        if node.msg is None:
            return (ir.S_ASSERT, unit, test, -1, None)
        self.unit_stack.append(unit)
        message_unit, message = self.part(node.msg)
        self.unit_stack.pop()
        return (ir.S_ASSERT, unit, test, message_unit, message)

    def s_Import(self, node: ast.Import, arm: str) -> Node:
        unit = self.simple(node, arm, ir.KIND_IMPORT)
        names = []
        for alias in node.names:
            bound = alias.asname or alias.name.split(".")[0]
            names.append((alias.name, self.name_store(bound), alias.asname is None))
            self.note_import(bound, alias.name if alias.asname else bound, None, 0)
        return (ir.S_IMPORT, unit, tuple(names))

    def s_ImportFrom(self, node: ast.ImportFrom, arm: str) -> Node:
        unit = self.simple(node, arm, ir.KIND_IMPORT)
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
        unit = self.header(node, node.test, arm, ir.KIND_TEST)
        test = self.within(unit, node.test)
        body = self.inner(unit, node.body, "then")
        orelse = self.inner(unit, node.orelse, "else")
        return (ir.S_IF, unit, test, body, orelse, _ends_in_raise(node.body), _ends_in_raise(node.orelse))

    def s_While(self, node: ast.While, arm: str) -> Node:
        unit = self.header(node, node.test, arm, ir.KIND_TEST)
        test = self.within(unit, node.test)
        body = self.inner(unit, node.body, "then")
        return (ir.S_WHILE, unit, test, body, self.inner(unit, node.orelse, "else"))

    def s_For(self, node: ast.For | ast.AsyncFor, arm: str) -> Node:
        unit = self.header(node, node.iter, arm, ir.KIND_STATEMENT)
        iterable = self.within(unit, node.iter)
        target = self.target(node.target)
        body = self.inner(unit, node.body, "then")
        return (ir.S_FOR, unit, target, iterable, body, self.inner(unit, node.orelse, "else"))

    s_AsyncFor = s_For

    def s_Try(self, node: ast.Try, arm: str) -> Node:
        unit = self.header(node, None, arm, ir.KIND_STATEMENT)
        body = self.inner(unit, node.body, "")
        handlers = []
        for handler in node.handlers:
            self.unit_stack.append(unit)
            end = handler.lineno if handler.type is None else handler.type.end_lineno
            own = self.new_unit(handler, ir.KIND_TEST, end, "handler")
            self.unit_stack.pop()
            type_node = None if handler.type is None else self.within(own, handler.type)
            name = None if handler.name is None else self.name_store(handler.name)
            handlers.append((own, type_node, name, self.inner(own, handler.body, "then")))
        orelse = self.inner(unit, node.orelse, "")
        return (ir.S_TRY, unit, body, tuple(handlers), orelse, self.inner(unit, node.finalbody, ""))

    def s_TryStar(self, node: ast.AST, arm: str) -> Node:
        return self.s_Try(node, arm)  # type: ignore[arg-type]

    def s_With(self, node: ast.With | ast.AsyncWith, arm: str) -> Node:
        unit = self.header(node, node.items[-1].optional_vars or node.items[-1].context_expr, arm, ir.KIND_STATEMENT)
        items = []
        for item in node.items:
            manager = self.within(unit, item.context_expr)
            target = None if item.optional_vars is None else self.target(item.optional_vars)
            items.append((manager, target, position(item.context_expr)))
        return (ir.S_WITH, unit, tuple(items), self.inner(unit, node.body, ""))

    s_AsyncWith = s_With

    # ---- definitions ------------------------------------------------------
    def s_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, arm: str) -> Node:
        head_end = max(node.body[0].lineno - 1, node.lineno)
        unit = self.definition(node, head_end, arm, ir.KIND_FUNCTION)
        target = self.name_store(node.name)
        decorators = tuple(self.within(unit, d) for d in node.decorator_list)
        defaults = self.defaults(node.args)
        annotations = self.parameter_annotations(node)
        code = self.open_code(node.name, node, "function", node.args, node.body)
        code.annotations = annotations
        code.unit = unit
        outer_marks, self.marks = self.marks, temporary.marks(node, self.scope.globals)
        outer_stack, self.unit_stack = self.unit_stack, [unit]
        code.body = self.block(node.body, "function")
        self.unit_stack, self.marks = outer_stack, outer_marks
        self.close_code(code)
        return (ir.S_FUNCTION, unit, code.index, target, decorators, defaults, position(node))

    s_AsyncFunctionDef = s_FunctionDef

    def definition(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, head_end: int, arm: str, kind: str
    ) -> int:
        """A unit for decorators and head of a definition."""
        unit = self.new_unit(node, kind, head_end, arm)
        if node.decorator_list:
            self.module.units[unit].line = min(d.lineno for d in node.decorator_list)
        return unit

    def parameter_annotations(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[tuple[str, Node], ...]:
        args = node.args
        found = [
            (a.arg, self.annotation(a.annotation))
            for a in [*args.posonlyargs, *args.args, *args.kwonlyargs]
            if a.annotation is not None
        ]
        if node.returns is not None:
            found.append(("return", self.annotation(node.returns)))
        return tuple(found)

    def s_ClassDef(self, node: ast.ClassDef, arm: str) -> Node:
        unit = self.definition(node, max(node.body[0].lineno - 1, node.lineno), arm, ir.KIND_CLASS)
        target = self.name_store(node.name)
        decorators = tuple(self.within(unit, d) for d in node.decorator_list)
        bases = tuple(self._item(b) for b in node.bases)
        keywords = tuple((k.arg, self.expr(k.value)) for k in node.keywords)
        top = self.scope.kind == "module"
        code = self.open_code(node.name, node, "class", None, node.body)
        code.unit = unit
        index = len(self.module.classes)
        info = ClassInfo(index, node.name, code.qualname, code.index, node.lineno)
        self.module.classes.append(info)
        if top:
            self.module.top_classes[node.name] = index
        outer_stack, self.unit_stack = self.unit_stack, [unit]
        code.body = self.block(node.body, "class")
        self.unit_stack = outer_stack
        info.fields = self.class_fields(node)
        self.close_code(code)
        return (ir.S_CLASS, unit, index, target, decorators, bases, keywords, position(node))

    def class_fields(self, node: ast.ClassDef) -> tuple[tuple[str, Node, bool], ...]:
        """Annotated names of the class body in order: what dataclasses read."""
        return tuple(
            (s.target.id, self.annotation(s.annotation), s.value is not None)
            for s in _statements(node.body)
            if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
        )

    # ---- match ------------------------------------------------------------
    def s_Match(self, node: ast.Match, arm: str) -> Node:
        unit = self.header(node, node.subject, arm, ir.KIND_STATEMENT)
        subject = self.within(unit, node.subject)
        cases = []
        self.unit_stack.append(unit)
        for case in node.cases:
            end = (case.guard or case.pattern).end_lineno
            own = self.new_unit(case.pattern, ir.KIND_TEST, end, "case")
            self.unit_stack.append(own)
            pattern = self.pattern(case.pattern)
            guard_unit, guard = self.part(case.guard) if case.guard is not None else (-1, None)
            body = self.block(case.body, "then")
            self.unit_stack.pop()
            cases.append((pattern, guard_unit, guard, own, body))
        self.unit_stack.pop()
        return (ir.S_MATCH, unit, subject, tuple(cases))

    def pattern(self, node: ast.pattern) -> Node:
        if isinstance(node, ast.MatchValue):
            return (ir.P_VALUE, self.expr(node.value))
        if isinstance(node, ast.MatchSingleton):
            return (ir.P_SINGLETON, node.value)
        if isinstance(node, ast.MatchSequence):
            return (ir.P_SEQUENCE, tuple(self.pattern(p) for p in node.patterns))
        if isinstance(node, ast.MatchStar):
            return (ir.P_STAR, None if node.name is None else self.name_store(node.name))
        if isinstance(node, ast.MatchMapping):
            rest = None if node.rest is None else self.name_store(node.rest)
            keys = tuple(self.expr(k) for k in node.keys)
            return (ir.P_MAPPING, keys, tuple(self.pattern(p) for p in node.patterns), rest)
        if isinstance(node, ast.MatchClass):
            positional = tuple(self.pattern(p) for p in node.patterns)
            keyword = tuple(self.pattern(p) for p in node.kwd_patterns)
            return (ir.P_CLASS, self.expr(node.cls), positional, tuple(node.kwd_attrs), keyword)
        if isinstance(node, ast.MatchOr):
            return (ir.P_OR, tuple(self.pattern(p) for p in node.patterns))
        if isinstance(node, ast.MatchAs):
            capture = (ir.P_CAPTURE, None if node.name is None else self.name_store(node.name))
            return capture if node.pattern is None else (ir.P_AS, self.pattern(node.pattern), capture[1])
        raise ValueError(f"unknown pattern {type(node).__name__}")


def _as_load(node: ast.expr) -> ast.expr:
    """The same place as something that is read."""
    if isinstance(node, ast.Name):
        return ast.Name(node.id, ast.Load())
    if isinstance(node, ast.Attribute):
        return ast.Attribute(node.value, node.attr, ast.Load())
    assert isinstance(node, ast.Subscript)
    return ast.Subscript(node.value, node.slice, ast.Load())


def _statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """A class body's statements, those under a plain ``if`` included."""
    found: list[ast.stmt] = []
    for node in body:
        found.append(node)
        if isinstance(node, ast.If):
            found += _statements(node.body) + _statements(node.orelse)
    return found


__all__ = ["Code", "StatementLowering"]
