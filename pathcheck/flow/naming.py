"""Which parameters of a function name attributes or keys: ``getattr(x, name)``, ``table[name]``.

A function that is called with hundreds of names (a settings object's ``__getattr__``, a generic setter) means
something else with each.  Where its calls are merged, such a parameter still tells them apart.
"""

from __future__ import annotations

from typing import Any

from pathcheck.flow.values import Function
from pathcheck.program import ir

_BUILTINS = ("getattr", "setattr", "hasattr", "delattr")
#: Methods whose argument, at this position or the one behind (called through a class), is a name.
_METHODS = (
    "__getattribute__", "__setattr__", "__getattr__", "__delattr__", "__getitem__", "__setitem__",
    "get", "pop", "setdefault",
)  # fmt: skip
_HOOKS = ("__getattr__", "__setattr__", "__getattribute__", "__delattr__")
_DISPLAYS = (ir.TUPLE, ir.LIST, ir.SET, ir.CONST)


def parameters(function: Function) -> frozenset[str]:
    """The parameters of a function that name an attribute or a key in its body."""
    found = function.names
    if found is None:
        code = function.code
        used: set[str] = set()
        _collect(code.body, used)
        if code.name in _HOOKS:
            used.update(code.params[1:2])
        found = function.names = frozenset(used & set(code.params))
    return found


def _collect(node: Any, used: set[str]) -> None:
    """Locals that stand where a name is expected."""
    if type(node) is not tuple:
        return
    size = len(node)
    kind = node[0] if size else None
    if kind == ir.CALL and size == 5:
        _of_call(node[1], node[2], used)
    elif kind in (ir.SUBSCRIPT, ir.T_SUBSCRIPT) and size == 4:
        _note(node[2], used)
    elif kind == ir.COMPARE and size == 4 and type(node[2]) is tuple:
        for pair in node[2]:
            if type(pair) is tuple and pair[0] in ("in", "not in") and pair[1][0] not in _DISPLAYS:
                _note(node[1], used)
    for part in node:
        _collect(part, used)


def _of_call(callee: Any, positional: Any, used: set[str]) -> None:
    if type(callee) is not tuple or type(positional) is not tuple or len(callee) < 2:
        return
    values = [p[1] for p in positional if type(p) is tuple and len(p) == 2]
    if callee[0] == ir.GLOBAL and callee[1] in _BUILTINS:
        values = values[1:2]
    elif callee[0] == ir.ATTR and len(callee) == 4 and callee[2] in _METHODS:
        values = values[:2]
    else:
        return
    for value in values:
        _note(value, used)


def _note(node: Any, used: set[str]) -> None:
    if type(node) is tuple and len(node) == 2 and node[0] == ir.LOCAL:
        used.add(node[1])
