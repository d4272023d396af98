"""Expressions and targets become IR nodes."""

from __future__ import annotations

import ast

from pathcheck.program import ir
from pathcheck.program.ir import Code, ModuleIR, Node, Unit
from pathcheck.program.scopes import Scope, scan

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
    ast.Not: "not", ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "~",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


def position(node: ast.expr | ast.stmt | ast.excepthandler) -> int:
    """``line << 12 | column`` (columns past 4095 share the last one)."""
    return (node.lineno << 12) | min(node.col_offset, 4095)


class ExpressionLowering:
    """The half of the lowering that knows expressions."""

    lines: list[str]
    module: ModuleIR
    scope: Scope
    code: int
    unit_stack: list[int]
    qualname: list[str]
    marks: dict[int, int]

    # ---- units ------------------------------------------------------------
    def new_unit(self, node: ast.AST, kind: str, end: int | None, arm: str) -> int:
        """Number a unit that spans ``node`` down to line ``end`` (its own end if None)."""
        line, column = node.lineno, node.col_offset  # type: ignore[attr-defined]
        full = node.end_lineno or line  # type: ignore[attr-defined]
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        first = not text.encode("utf-8")[:column].strip() if column else True
        unit = Unit(line, end or full, kind, self.unit_stack[-1], self.code, first, full, arm)
        self.module.units.append(unit)
        return len(self.module.units) - 1

    def part(self, node: ast.expr) -> tuple[int, Node]:
        """Lower an expression that has a guard of its own."""
        unit = self.new_unit(node, ir.KIND_PART, None, "part")
        self.unit_stack.append(unit)
        lowered = self.expr(node)
        self.unit_stack.pop()
        return unit, lowered

    # ---- names ------------------------------------------------------------
    def name_load(self, name: str) -> Node:
        local = self.scope.local_name(name)
        if local is not None:
            return (ir.LOCAL, local)
        scope = self.scope
        if scope.kind == "function" and name in scope.bound:
            return (ir.LOCAL, name)
        if scope.kind == "class" and name not in scope.globals:
            outer = self._outer(name)
            return (ir.CLASSVAR, name, outer) if name in scope.bound else outer
        if name in scope.globals or scope.kind == "module":
            return (ir.GLOBAL, name)
        return self._outer(name)

    def _outer(self, name: str, write: bool = False) -> Node:
        up, scope = 0, self.scope
        passed = [scope] if scope.kind == "function" else []
        owner = scope.parent
        while owner is not None and owner.kind != "module":
            local = owner.local_name(name)
            if local is not None or (owner.kind == "function" and name in owner.bound):
                found = local or name
                owner.cells.add(found)
                if write:
                    owner.shared.add(found)
                for inner in passed:
                    inner.has_free = True
                self._mark_free(owner)
                return (ir.FREE, found, up)
            if owner.kind == "function":
                up += 1
                passed.append(owner)
            owner = owner.parent
        if owner is not None and owner.local_name(name) is not None:
            return (ir.GLOBAL, name)
        return (ir.GLOBAL, name)

    def _mark_free(self, owner: Scope) -> None:
        scope: Scope | None = self.scope
        while scope is not None and scope is not owner:
            scope.has_free = True
            scope = scope.parent

    def name_store(self, name: str) -> Node:
        local = self.scope.local_name(name)
        if local is not None:
            return (ir.T_LOCAL, local)
        if name in self.scope.nonlocals:
            _, found, up = self._outer(name, write=True)[:3] if self._is_free(name) else (0, name, -1)
            return (ir.T_FREE, found, up) if up >= 0 else (ir.T_GLOBAL, name)
        if self.scope.kind == "module" or name in self.scope.globals:
            return (ir.T_GLOBAL, name)
        return (ir.T_LOCAL, name)

    def _is_free(self, name: str) -> bool:
        return self._outer(name)[0] == ir.FREE

    # ---- targets ----------------------------------------------------------
    def target(self, node: ast.expr) -> Node:
        if isinstance(node, ast.Name):
            return self.name_store(node.id)
        if isinstance(node, ast.Attribute):
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
        raise ValueError(f"not a target: {ast.dump(node)[:60]}")

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

    # ---- expressions ------------------------------------------------------
    def expr(self, node: ast.expr) -> Node:
        method = getattr(self, "x_" + type(node).__name__, None)
        if method is None:
            raise ValueError(f"unknown expression {type(node).__name__}")
        result: Node = method(node)
        return result

    def x_Constant(self, node: ast.Constant) -> Node:
        return (ir.CONST, node.value)

    def x_Name(self, node: ast.Name) -> Node:
        return self.name_load(node.id)

    def x_Attribute(self, node: ast.Attribute) -> Node:
        return (ir.ATTR, self.expr(node.value), self.mangle(node.attr), position(node))

    def x_Subscript(self, node: ast.Subscript) -> Node:
        return (ir.SUBSCRIPT, self.expr(node.value), self.expr(node.slice), position(node))

    def x_Call(self, node: ast.Call) -> Node:
        positional = tuple(self._item(a) for a in node.args)
        keywords = tuple((k.arg, self.expr(k.value)) for k in node.keywords)
        callee = self.expr(node.func)
        if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args and not keywords:
            callee = (ir.GLOBAL, "super")
        return (ir.CALL, callee, positional, keywords, position(node))

    def _item(self, node: ast.expr) -> tuple[bool, Node]:
        if isinstance(node, ast.Starred):
            return True, self.expr(node.value)
        return False, self.expr(node)

    def _items(self, nodes: list[ast.expr]) -> tuple[tuple[bool, Node], ...]:
        return tuple(self._item(n) for n in nodes)

    def x_BinOp(self, node: ast.BinOp) -> Node:
        return (ir.BINOP, _OPERATORS[type(node.op)], self.expr(node.left), self.expr(node.right), position(node))

    def x_UnaryOp(self, node: ast.UnaryOp) -> Node:
        return (ir.UNARY, _OPERATORS[type(node.op)], self.expr(node.operand), position(node))

    def x_Compare(self, node: ast.Compare) -> Node:
        rights = tuple(
            (_OPERATORS[type(o)], self.expr(c)) for o, c in zip(node.ops, node.comparators, strict=True)
        )
        return (ir.COMPARE, self.expr(node.left), rights, position(node))

    def x_BoolOp(self, node: ast.BoolOp) -> Node:
        operands: list[tuple[int, Node]] = [(-1, self.expr(node.values[0]))]
        operands += [self.part(value) for value in node.values[1:]]
        return (ir.BOOLOP, isinstance(node.op, ast.And), tuple(operands))

    def x_IfExp(self, node: ast.IfExp) -> Node:
        test = self.expr(node.test)
        then_unit, then = self.part(node.body)
        else_unit, other = self.part(node.orelse)
        return (ir.IFEXP, test, then_unit, then, else_unit, other)

    def x_Tuple(self, node: ast.Tuple) -> Node:
        items = self._items(node.elts)
        if all(not star and item[0] == ir.CONST for star, item in items):
            return (ir.CONST, tuple(item[1] for _, item in items))
        return (ir.TUPLE, items, position(node))

    def x_List(self, node: ast.List) -> Node:
        return (ir.LIST, self._items(node.elts), position(node))

    def x_Set(self, node: ast.Set) -> Node:
        return (ir.SET, self._items(node.elts), position(node))

    def x_Dict(self, node: ast.Dict) -> Node:
        pairs = tuple(
            (None if k is None else self.expr(k), self.expr(v)) for k, v in zip(node.keys, node.values, strict=True)
        )
        return (ir.DICT, pairs, position(node))

    def x_JoinedStr(self, node: ast.JoinedStr) -> Node:
        parts: list[Node] = []
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                inner = self.expr(value.value)
                plain = value.conversion in (-1, 115) and value.format_spec is None
                spec = self.expr(value.format_spec) if value.format_spec is not None else (ir.CONST, "")
                parts.append((ir.TUPLE, ((False, inner), (False, (ir.CONST, plain)), (False, spec)), 0))
            else:
                parts.append(self.expr(value))
        return (ir.FSTRING, tuple(parts))

    x_TemplateStr = x_JoinedStr

    def x_FormattedValue(self, node: ast.FormattedValue) -> Node:
        return (ir.FSTRING, (self.expr(node.value),))

    def x_Slice(self, node: ast.Slice) -> Node:
        parts = (node.lower, node.upper, node.step)
        return (ir.SLICE, *(None if p is None else self.expr(p) for p in parts))

    def x_Starred(self, node: ast.Starred) -> Node:
        return self.expr(node.value)

    def x_Await(self, node: ast.Await) -> Node:
        return (ir.AWAIT, self.expr(node.value))

    def x_Yield(self, node: ast.Yield) -> Node:
        return (ir.YIELD, None if node.value is None else self.expr(node.value))

    def x_YieldFrom(self, node: ast.YieldFrom) -> Node:
        return (ir.YIELD_FROM, self.expr(node.value))

    def x_NamedExpr(self, node: ast.NamedExpr) -> Node:
        value = self.expr(node.value)
        return (ir.WALRUS, self.name_store(node.target.id), value)

    # ---- scopes inside expressions ---------------------------------------
    def x_Lambda(self, node: ast.Lambda) -> Node:
        defaults = self.defaults(node.args)
        code = self.open_code("<lambda>", node, "lambda", node.args, [node.body])
        unit = self.new_unit(node.body, ir.KIND_PART, None, "function")
        code.unit = unit
        self.unit_stack.append(unit)
        code.body = ((ir.S_RETURN, unit, self.expr(node.body)),)
        self.unit_stack.pop()
        self.close_code(code)
        return (ir.LAMBDA, code.index, defaults, position(node))

    def x_ListComp(self, node: ast.ListComp) -> Node:
        return self.comprehension(node, "list", [node.elt])

    def x_SetComp(self, node: ast.SetComp) -> Node:
        return self.comprehension(node, "set", [node.elt])

    def x_GeneratorExp(self, node: ast.GeneratorExp) -> Node:
        return self.comprehension(node, "gen", [node.elt])

    def x_DictComp(self, node: ast.DictComp) -> Node:
        return self.comprehension(node, "dict", [node.key, node.value])

    def comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, kind: str, elements: list[ast.expr]
    ) -> Node:
        generators = []
        opened = 0
        for generator in node.generators:
            iterable = self.expr(generator.iter)
            names = {n.id for n in ast.walk(generator.target) if isinstance(n, ast.Name)}
            self.scope.comprehension.append({n: f"{n}.{position(node)}" for n in names})
            opened += 1
            target = self.target(generator.target)
            generators.append((target, iterable, tuple(self.part(test) for test in generator.ifs)))
        unit = self.new_unit(elements[0], ir.KIND_PART, elements[-1].end_lineno, "part")
        self.unit_stack.append(unit)
        lowered = tuple(self.expr(e) for e in elements)
        self.unit_stack.pop()
        del self.scope.comprehension[-opened:]
        return (ir.COMP, kind, unit, lowered, tuple(generators), position(node))

    # ---- code objects -----------------------------------------------------
    def defaults(self, args: ast.arguments) -> tuple[tuple[str, Node], ...]:
        positional = [*args.posonlyargs, *args.args]
        late = positional[len(positional) - len(args.defaults) :]
        pairs = [(a.arg, self.expr(d)) for a, d in zip(late, args.defaults, strict=True)]
        for keyword, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            if default is not None:
                pairs.append((keyword.arg, self.expr(default)))
        return tuple(pairs)

    def open_code(
        self,
        name: str,
        node: ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef,
        kind: str,
        args: ast.arguments | None,
        body: list[ast.stmt] | list[ast.expr],
    ) -> Code:
        """Begin an inner code object and make its scope the current one."""
        scope = Scope("class" if kind == "class" else "function", self.scope)
        yields = scan(scope, body)
        inside = self.scope.kind == "function"
        self.qualname.append("<locals>" if inside else "")
        prefix = [q for q in self.qualname if q and q != "<locals>"]
        code = Code(
            len(self.module.codes), name, ".".join([*prefix, name]), node.lineno, node.end_lineno or node.lineno, kind
        )
        code.parent = self.code
        code.is_generator = yields
        code.is_async = isinstance(node, ast.AsyncFunctionDef)
        if args is not None:
            self._parameters(code, scope, args)
        self.qualname[-1] = name
        self.module.codes.append(code)
        self.scope, self.code = scope, code.index
        return code

    def _parameters(self, code: Code, scope: Scope, args: ast.arguments) -> None:
        names = [a.arg for a in [*args.posonlyargs, *args.args, *args.kwonlyargs]]
        code.params = tuple(names)
        code.positional_only = len(args.posonlyargs)
        code.positional = len(args.posonlyargs) + len(args.args)
        code.vararg = args.vararg.arg if args.vararg else None
        code.kwarg = args.kwarg.arg if args.kwarg else None
        scope.bound.update(names)
        scope.bound.update(n for n in (code.vararg, code.kwarg) if n)

    def close_code(self, code: Code) -> None:
        """End an inner code object: its scope's cells are known now."""
        code.cells = tuple(sorted(self.scope.cells))
        code.shared = tuple(sorted(self.scope.shared))
        code.has_free = self.scope.has_free
        assert self.scope.parent is not None
        self.scope = self.scope.parent
        self.code = code.parent
        self.qualname.pop()
