"""Finds temporary writes: a place that is set, and set back in the same function.

``old = X.flag; X.flag = True; call(); X.flag = old`` and a generator context
manager that assigns the same place before and after its ``yield`` change a flag
for the calls in between, not for the program.  Lowering marks such writes; the
analysis then keeps them on the call path (docs/how-it-works.md, "modes").
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from pathcheck.program.ir import SCOPE_RESET, SCOPE_RESTORE, SCOPE_SET

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)

_TRY = ("body", "handlers", "orelse", "finalbody")
#: The fields of compound statements that hold blocks, in the order in which they are written.
_BLOCKS: dict[type, tuple[str, ...]] = {
    ast.If: ("body", "orelse"), ast.While: ("body", "orelse"), ast.For: ("body", "orelse"),
    ast.AsyncFor: ("body", "orelse"), ast.With: ("body",), ast.AsyncWith: ("body",),
    ast.Try: _TRY, ast.TryStar: _TRY,
    ast.ExceptHandler: ("body",), ast.Match: ("cases",), ast.match_case: ("body",),
}  # fmt: skip


def marks(
    function: ast.FunctionDef | ast.AsyncFunctionDef, global_names: set[str], yields: bool
) -> dict[int, int]:
    """Scope marks by ``id`` of each marked assignment statement; ``yields``: the function is a generator."""
    found: dict[int, int] = {}
    if yields:
        nodes = list(_in_order(function))
        _saved_and_restored(function, nodes, global_names, found)
        _around_yield(function, nodes, global_names, found)
    else:
        assignments: list[ast.AST] = []
        _assignments(function.body, assignments)
        if len(assignments) > 2:  # save, set, restore
            _saved_and_restored(function, assignments, global_names, found)
    return found


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _INNER):
            continue
        yield child
        yield from _in_order(child)


def _assignments(body: Iterable[ast.AST], found: list[ast.AST]) -> None:
    """The assignments of a body in order, inner definitions left out."""
    for node in body:
        kind = node.__class__
        if kind is ast.Assign:
            found.append(node)
        elif kind in _BLOCKS:
            for name in _BLOCKS[kind]:
                _assignments(getattr(node, name), found)


def _saved_and_restored(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    nodes: list[ast.AST],
    global_names: set[str],
    found: dict[int, int],
) -> None:
    """Mark ``X.flag = old`` after ``old = X.flag``, and the writes to the flag in between.

    ``old`` must hold nothing but what was saved: where it is bound anywhere else, the
    second statement is an assignment like any other.  The end may call the object by
    another name (``self.runner.X.flag = old``): it then ends the write if the analysis
    finds the same object there.
    """
    writes: list[tuple[int, str, ast.Assign]] = []
    saves: dict[str, int] = {}
    restores: list[tuple[int, str, str, ast.Assign]] = []
    for order, node in enumerate(nodes):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        target = node.targets[0]
        if isinstance(target, ast.Name) and target.id not in global_names:
            if _place(node.value, global_names) is not None:
                saves.setdefault(target.id, order)
            continue
        place = _place(target, global_names)
        if place is None:
            continue
        writes.append((order, place, node))
        if isinstance(node.value, ast.Name) and node.value.id in saves:
            restores.append((order, place, node.value.id, node))
    if not restores:
        return
    only_saved = _bound_to_one_place(function, global_names)
    spans: dict[str, tuple[int, int, set[str]]] = {}
    for order, place, local, node in restores:
        saved = only_saved.get(local)
        if saved is None or _last_name(saved) != _last_name(place):
            continue
        found[id(node)] = SCOPE_RESTORE if saved == place else SCOPE_RESET
        start, end, places = spans.get(saved, (saves[local], order, {saved}))
        spans[saved] = (min(start, saves[local]), min(end, order), places | {place})
    for start, end, places in spans.values():
        for order, place, node in writes:
            if start < order < end and place in places and id(node) not in found:
                found[id(node)] = SCOPE_SET


def _last_name(place: str) -> str:
    return place.rpartition(".")[2]


def _bound_to_one_place(
    function: ast.FunctionDef | ast.AsyncFunctionDef, global_names: set[str]
) -> dict[str, str]:
    """The local names whose only bindings are assignments from one and the same place."""
    bindings: dict[str, int] = dict.fromkeys(
        (arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)), 1
    )
    places: dict[str, list[str | None]] = {}
    for node in _in_order(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bindings[node.id] = bindings.get(node.id, 0) + 1
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            bindings[node.name] = bindings.get(node.name, 0) + 1
        elif isinstance(node, ast.alias):
            bound = node.asname or node.name.partition(".")[0]
            bindings[bound] = bindings.get(bound, 0) + 1
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                places.setdefault(target.id, []).append(_place(node.value, global_names))
    for inner in ast.walk(function):
        if isinstance(inner, ast.Nonlocal):
            bindings.update((name, bindings.get(name, 0) + 1) for name in inner.names)
    return {
        name: known[0]
        for name, known in places.items()
        if known[0] is not None and len(set(known)) == 1 and len(known) == bindings.get(name)
    }


def _around_yield(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    nodes: list[ast.AST],
    global_names: set[str],
    found: dict[int, int],
) -> None:
    """Mark a generator's writes to places that it writes before its first and after its last ``yield``."""
    yields = [order for order, node in enumerate(nodes) if isinstance(node, ast.Yield)]
    if not yields:
        return
    writes = []
    for order, node in enumerate(nodes):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            place = _place(node.targets[0], global_names)
            if place is not None:
                writes.append((order, place, node))
    before = {place for order, place, _ in writes if order < yields[0]}
    after = {place for order, place, _ in writes if order > yields[-1]}
    if not before & after:
        return
    only_saved = _bound_to_one_place(function, global_names)
    for order, place, node in writes:
        if place in before and place in after:
            value = node.value
            saved = isinstance(value, ast.Name) and only_saved.get(value.id) == place
            ends = SCOPE_RESTORE if saved else SCOPE_RESET
            found[id(node)] = SCOPE_SET if order < yields[0] else ends


def _place(node: ast.expr, global_names: set[str]) -> str | None:
    """A key for an attribute chain or a global name; None for other targets."""
    if isinstance(node, ast.Name):
        return node.id if node.id in global_names else None
    if isinstance(node, ast.Attribute):
        return ast.unparse(node)
    return None
