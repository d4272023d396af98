"""Which scope a name belongs to (language reference, section 4.2)."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(slots=True)
class Scope:
    """One function, class body or module while it is lowered."""

    kind: str  # "module" | "function" | "class"
    parent: Scope | None
    bound: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    cells: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    has_free: bool = False
    #: comprehension targets in force: source name -> unique local name
    comprehension: list[dict[str, str]] = field(default_factory=list)

    def local_name(self, name: str) -> str | None:
        """The unique local name of a comprehension target, if ``name`` is one."""
        for targets in reversed(self.comprehension):
            if name in targets:
                return targets[name]
        return None


class _Binder(ast.NodeVisitor):
    """Collects the names that a body binds, without entering inner scopes."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.yields = False

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.scope.bound.add(node.id)

    def visit_Global(self, node: ast.Global) -> None:
        self.scope.globals.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.scope.nonlocals.update(node.names)

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self.scope.bound.add(node.name)
        for decorator in node.decorator_list:
            self.visit(decorator)
        if isinstance(node, ast.ClassDef):
            for base in [*node.bases, *(k.value for k in node.keywords)]:
                self.visit(base)
        else:
            self._defaults(node.args)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _definition

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._defaults(node.args)

    def _defaults(self, args: ast.arguments) -> None:
        for default in [*args.defaults, *args.kw_defaults]:
            if default is not None:
                self.visit(default)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self.visit(node.iter)
        for test in node.ifs:
            self.visit(test)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name != "*":
                self.scope.bound.add(alias.asname or alias.name.split(".")[0])

    visit_Import = visit_ImportFrom = _import

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self.scope.bound.add(node.name)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name:
            self.scope.bound.add(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        if node.name:
            self.scope.bound.add(node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self.scope.bound.add(node.rest)
        self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield) -> None:
        self.yields = True
        self.generic_visit(node)

    def visit_YieldFrom(self, node: ast.YieldFrom) -> None:
        self.yields = True
        self.generic_visit(node)


def scan(scope: Scope, body: list[ast.stmt] | list[ast.expr]) -> bool:
    """Fill ``scope`` with what ``body`` binds; True if the body yields."""
    binder = _Binder(scope)
    for node in body:
        binder.visit(node)
    scope.bound -= scope.globals
    scope.bound -= scope.nonlocals
    return binder.yields
