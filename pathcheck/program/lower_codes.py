"""What opens a scope: code objects, lambdas, comprehensions, default values."""

from __future__ import annotations

import ast

from pathcheck.program import ir
from pathcheck.program.ir import Code, Node
from pathcheck.program.lower_names import NameLowering, position
from pathcheck.program.scopes import Scope, scan


class CodeLowering(NameLowering):
    """The part of the lowering that enters and leaves scopes."""

    # ---- lambdas and comprehensions ---------------------------------------
    def x_Lambda(self, node: ast.Lambda) -> Node:
        defaults = self.defaults(node.args)
        code = self.open_code("<lambda>", node, "lambda", node.args, [node.body])
        outer = self.parent
        self.parent = code.unit = self.part_unit(node.body, node.body, ir.KIND_PART, "function")
        code.body = ((ir.S_RETURN, code.unit, self.expr(node.body)),)
        self.parent = outer
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
        self,
        node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
        kind: str,
        elements: list[ast.expr],
    ) -> Node:
        """A comprehension runs in the frame around it: its targets get names that nothing else has."""
        generators = []
        for generator in node.generators:
            iterable = self.expr(generator.iter)
            names = {n.id for n in ast.walk(generator.target) if isinstance(n, ast.Name)}
            self.scope.comprehension.append({n: f"{n}.{position(node)}" for n in names})
            target = self.target(generator.target)
            tests = tuple([self.part(test, ir.KIND_TEST) for test in generator.ifs])
            generators.append((target, iterable, tests))
        outer = self.parent
        self.parent = unit = self.part_unit(elements[0], elements[-1], ir.KIND_PART, "part")
        lowered = tuple([self.expr(e) for e in elements])
        self.parent = outer
        del self.scope.comprehension[-len(generators) :]
        return (ir.COMP, kind, unit, lowered, tuple(generators), position(node))

    # ---- code objects -----------------------------------------------------
    def defaults(self, args: ast.arguments) -> tuple[tuple[str, Node], ...]:
        """Default values with their parameters, in the order in which they run."""
        if not args.defaults and not args.kw_defaults:
            return ()
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
        end = node.end_lineno or node.lineno
        yields = scan(scope, body, self.is_deep(node.lineno, end))
        self.qualname.append("<locals>" if self.scope.kind == "function" else "")
        prefix = [q for q in self.qualname if q and q != "<locals>"]
        code = Code(len(self.module.codes), name, ".".join([*prefix, name]), node.lineno, end, kind)
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
