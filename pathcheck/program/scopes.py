"""Which scope a name belongs to (language reference, section 4.2)."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

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
    #: nodes of the names read so far, comprehension targets apart
    loads: dict[str, tuple[Any, ...]] = field(default_factory=dict)

    def local_name(self, name: str) -> str | None:
        """The unique local name of a comprehension target, if ``name`` is one."""
        for targets in reversed(self.comprehension):
            if name in targets:
                return targets[name]
        return None


def scan(scope: Scope, body: list[ast.stmt] | list[ast.expr], deep: bool) -> bool:
    """Fill ``scope`` with what ``body`` binds, inner scopes left out; True if it yields.

    Only statements bind, but for ``:=``; ``deep`` says that the body's text has a
    ``:=`` or a ``yield`` at all, so that its expressions have to be looked through.
    """
    yields = False
    stack: list[Any] = list(body)
    while stack:
        node = stack.pop()
        binder = _BINDERS.get(node.__class__)
        if binder is not None:
            binder(scope, node, stack)
        if deep and _inside(scope, node):
            yields = True
    scope.bound -= scope.globals
    scope.bound -= scope.nonlocals
    return yields


def _target(bound: set[str], node: ast.expr) -> None:
    if isinstance(node, ast.Name):
        bound.add(node.id)
    elif isinstance(node, ast.Tuple | ast.List):
        for item in node.elts:
            _target(bound, item)
    elif isinstance(node, ast.Starred):
        _target(bound, node.value)


def _targets(scope: Scope, node: Any, stack: list[Any]) -> None:
    for target in node.targets:
        _target(scope.bound, target)


def _one_target(scope: Scope, node: Any, stack: list[Any]) -> None:
    _target(scope.bound, node.target)


def _for(scope: Scope, node: Any, stack: list[Any]) -> None:
    _target(scope.bound, node.target)
    _blocks(scope, node, stack)


def _blocks(scope: Scope, node: Any, stack: list[Any]) -> None:
    stack += node.body
    stack += node.orelse


def _try(scope: Scope, node: Any, stack: list[Any]) -> None:
    _blocks(scope, node, stack)
    stack += node.finalbody
    for handler in node.handlers:
        if handler.name:
            scope.bound.add(handler.name)
        stack += handler.body


def _with(scope: Scope, node: Any, stack: list[Any]) -> None:
    for item in node.items:
        if item.optional_vars is not None:
            _target(scope.bound, item.optional_vars)
    stack += node.body


def _match(scope: Scope, node: ast.Match, stack: list[Any]) -> None:
    for case in node.cases:
        stack += case.body
        for inner in ast.walk(case.pattern):
            if isinstance(inner, ast.MatchAs | ast.MatchStar) and inner.name:
                scope.bound.add(inner.name)
            elif isinstance(inner, ast.MatchMapping) and inner.rest:
                scope.bound.add(inner.rest)


def _definition(scope: Scope, node: Any, stack: list[Any]) -> None:
    scope.bound.add(node.name)


def _type_alias(scope: Scope, node: Any, stack: list[Any]) -> None:
    scope.bound.add(node.name.id)


def _import(scope: Scope, node: Any, stack: list[Any]) -> None:
    for alias in node.names:
        if alias.name != "*":
            scope.bound.add(alias.asname or alias.name.partition(".")[0])


def _global(scope: Scope, node: ast.Global, stack: list[Any]) -> None:
    scope.globals.update(node.names)


def _nonlocal(scope: Scope, node: ast.Nonlocal, stack: list[Any]) -> None:
    scope.nonlocals.update(node.names)


_BINDERS: dict[type, Any] = {
    ast.Assign: _targets, ast.Delete: _targets, ast.AugAssign: _one_target, ast.AnnAssign: _one_target,
    ast.For: _for, ast.AsyncFor: _for, ast.If: _blocks, ast.While: _blocks,
    ast.Try: _try, ast.TryStar: _try, ast.With: _with, ast.AsyncWith: _with, ast.Match: _match,
    ast.FunctionDef: _definition, ast.AsyncFunctionDef: _definition, ast.ClassDef: _definition,
    ast.Import: _import, ast.ImportFrom: _import, ast.Global: _global, ast.Nonlocal: _nonlocal,
}  # fmt: skip
if hasattr(ast, "TypeAlias"):  # Python 3.12
    _BINDERS[ast.TypeAlias] = _type_alias


def _inside(scope: Scope, node: ast.AST) -> bool:
    """Bind the ``:=`` in the expressions of one statement; True if one of them yields."""
    yields = False
    stack: list[ast.AST] = [node] if isinstance(node, ast.expr) else _expressions(node)
    while stack:
        inner = stack.pop()
        if isinstance(inner, ast.NamedExpr):
            scope.bound.add(inner.target.id)
        elif isinstance(inner, ast.Yield | ast.YieldFrom):
            yields = True
        elif isinstance(inner, ast.Lambda):
            stack += _defaults(inner.args)
            continue
        stack += ast.iter_child_nodes(inner)
    return yields


def _expressions(node: ast.AST) -> list[ast.AST]:
    """The expressions of a statement that run in its own scope, blocks left out."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return [*node.decorator_list, *_defaults(node.args)]
    if isinstance(node, ast.ClassDef):
        return [*node.decorator_list, *node.bases, *(k.value for k in node.keywords)]
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ExceptHandler):
            found += [child.type] if child.type is not None else []
        elif isinstance(child, ast.match_case):
            found += [child.guard] if child.guard is not None else []
        elif not isinstance(child, ast.stmt):
            found.append(child)
    return found


def _defaults(args: ast.arguments) -> list[ast.AST]:
    return [default for default in [*args.defaults, *args.kw_defaults] if default is not None]
