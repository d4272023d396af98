"""What the analysis lost, and which verdicts that could change.

A statement that no path gets past is either the program's own decision (a
raise, a failed assertion, a package that is absent, a loop without end) or a
loss: a value that the analysis did not find.  What stands behind a loss may
run after all, and so may a function that such a statement names: verdicts of
both are *assumed*.  A file that live code loads and that does not parse could
name anything: then every ``unreachable`` is assumed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pathcheck.program import ir
from pathcheck.program.ir import Code, ModuleIR, Node

#: Reasons to stop that are the program's own.
_DECIDED = re.compile(
    r"raise$|assert$|(module|package) \S+ is absent|the process exits|the checkpoint has no such file"
)
_CALL = re.compile(r"<function ([\w.]+):([\w.<>]+)> never returns")

#: (module name, unit) -> why no path got past
Stops = Mapping[tuple[str, int], str]


def losses(stops: Stops, modules: Mapping[str, ModuleIR]) -> dict[tuple[str, int], str]:
    """The stops that are losses, those of their callers included."""
    found = {at: why for at, why in stops.items() if not _DECIDED.match(why) and not _CALL.match(why)}
    waiting = {at: match.groups() for at, why in stops.items() if (match := _CALL.match(why))}
    while True:
        lossy = {(name, _function(modules[name], unit)) for name, unit in found}
        new = {at for at, callee in waiting.items() if callee in lossy and at not in found}
        if not new:
            return found
        found.update((at, stops[at]) for at in new)


def _function(module: ModuleIR, unit: int) -> str:
    return module.codes[module.units[unit].code].qualname


def names_of(module: ModuleIR, unit: int) -> frozenset[str]:
    """The names that a statement mentions, those of its parts included."""
    code = module.codes[module.units[unit].code]
    statement = _statement(code.body, _outermost(module, unit))
    return frozenset(_names(_head(statement))) if statement is not None else frozenset()


def _outermost(module: ModuleIR, unit: int) -> int:
    """The statement that a part belongs to."""
    while module.units[unit].arm == "part" and module.units[unit].parent >= 0:
        unit = module.units[unit].parent
    return unit


def _statement(body: Iterable[Node], unit: int) -> Node | None:
    """The node of a statement, anywhere in a body."""
    for node in body:
        if node[1] == unit:
            return node
        for block in _blocks(node):
            found = _statement(block, unit)
            if found is not None:
                return found
    return None


def _blocks(node: Node) -> list[tuple[Node, ...]]:
    """The blocks inside a statement."""
    if node[0] in (ir.S_IF, ir.S_WHILE):
        return [node[3], node[4]]
    if node[0] == ir.S_FOR:
        return [node[4], node[5]]
    if node[0] == ir.S_TRY:
        return [node[2], *(handler[3] for handler in node[3]), node[4], node[5]]
    if node[0] == ir.S_WITH:
        return [node[3]]
    return [case[4] for case in node[3]] if node[0] == ir.S_MATCH else []


def _head(node: Node) -> Any:
    """A statement without its blocks."""
    end = {ir.S_IF: 3, ir.S_WHILE: 3, ir.S_FOR: 4, ir.S_TRY: 2, ir.S_WITH: 3, ir.S_MATCH: 3}.get(node[0])
    return node[2:end]


def _names(node: Any) -> Iterable[str]:
    """Identifiers in a node: every text in it that could be one."""
    if isinstance(node, str):
        if node.isidentifier():
            yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _names(part)


def called_as(code: Code) -> str:
    """The name that a call of a function is written with: for a constructor, its class's."""
    parts = code.qualname.split(".")
    if code.name.startswith("__") and len(parts) > 1:
        return parts[-2]
    return code.name
