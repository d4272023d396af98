"""Finds temporary writes: a place that is set, and set back in the same function.

``old = X.flag; X.flag = True; call(); X.flag = old`` and a generator context
manager that assigns the same place before and after its ``yield`` change a flag
for the calls in between, not for the program.  Lowering marks such writes; the
analysis then keeps them on the call path (docs/how-it-works.md, "modes").
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pathcheck.program.ir import SCOPE_RESTORE, SCOPE_SET

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _INNER):
            continue
        yield child
        yield from _in_order(child)


def _place(node: ast.expr, global_names: set[str]) -> str | None:
    """A key for an attribute chain or a global name; None for other targets."""
    if isinstance(node, ast.Name):
        return node.id if node.id in global_names else None
    if isinstance(node, ast.Attribute):
        return ast.unparse(node)
    return None


def _last_name(node: ast.expr) -> str | None:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else None


def marks(function: ast.AST, global_names: set[str]) -> dict[int, int]:
    """Scope marks by ``id`` of each marked assignment statement."""
    writes: list[tuple[int, str, ast.Assign]] = []
    saved: dict[str, str] = {}
    restores: dict[str, int] = {}
    yields: list[int] = []
    found: dict[int, int] = {}
    for order, node in enumerate(_in_order(function)):
        if isinstance(node, ast.Yield):
            yields.append(order)
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        target = node.targets[0]
        last = _last_name(node.value)
        if isinstance(target, ast.Name) and last and isinstance(node.value, ast.Attribute | ast.Name):
            if target.id not in global_names:
                saved[target.id] = last
        place = _place(target, global_names)
        if place is None:
            continue
        writes.append((order, place, node))
        if isinstance(node.value, ast.Name) and saved.get(node.value.id) == _last_name(target):
            found[id(node)] = SCOPE_RESTORE
            restores.setdefault(_last_name(target) or "", order)
    for order, _place_key, node in writes:
        name = _last_name(node.targets[0]) or ""
        if id(node) not in found and name in restores and order < restores[name] and name in saved.values():
            found[id(node)] = SCOPE_SET
    if yields:
        after = {place for order, place, _ in writes if order > yields[-1]}
        for order, place, node in writes:
            if place in after:
                found[id(node)] = SCOPE_SET if order < yields[0] else SCOPE_RESTORE
    return found
