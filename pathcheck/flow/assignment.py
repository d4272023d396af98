"""Assigning a value to a target."""

from __future__ import annotations

from pathcheck.flow import attributes, containers
from pathcheck.flow import expressions as ex
from pathcheck.flow.closures import write_cell
from pathcheck.flow.construction import escape
from pathcheck.flow.frame import Frame
from pathcheck.flow.globals import store_global
from pathcheck.flow.values import Value
from pathcheck.program import ir
from pathcheck.program.ir import SCOPE_NONE, Node


def assign(fr: Frame, target: Node, value: Value, mark: int = SCOPE_NONE) -> None:
    """Bind ``value`` to a name, attribute, element, or each to a part of a sequence."""
    kind = target[0]
    if kind == ir.T_LOCAL:
        assign_local(fr, target[1], value)
    elif kind == ir.T_GLOBAL:
        escape(fr, value)
        store_global(fr, target[1], value, mark)
    elif kind == ir.T_FREE:
        escape(fr, value)
        owner = fr.context.env
        for _ in range(target[2]):
            owner = owner.env if owner is not None else None
        if owner is not None:
            write_cell(fr, owner, target[1], value)
    elif kind == ir.T_ATTR:
        attributes.set_attribute(fr, ex.evaluate(fr, target[1]), target[2], value, target[3], mark)
    elif kind == ir.T_SUBSCRIPT:
        base = ex.evaluate(fr, target[1])
        index = ex.evaluate(fr, target[2])
        escape(fr, value)
        containers.set_item(fr, base, index, value, target[3], certain=fr.code.kind == "module")
    else:
        _unpack(fr, target, value)


def assign_local(fr: Frame, name: str, value: Value) -> None:
    assert fr.env is not None
    fr.env[name] = value
    if name in fr.code.cells:
        escape(fr, value)
        write_cell(fr, fr.context, name, value)


def _unpack(fr: Frame, target: Node, value: Value) -> None:
    """``a, *b = value``: exact where the length is known and fits."""
    _, targets, star = target
    u = fr.world.u
    columns = [u.bottom] * len(targets)
    fits = False
    for atom in value.atoms:
        parts = containers.exact_items(fr, u.single(atom))
        if parts is None:
            element = containers.iterate(fr, u.single(atom), 0, quiet=True)
            if not element.atoms:
                continue
            parts = [element] * len(targets)
            if star >= 0:
                parts[star] = containers.new_list(fr, [], element, ("unpack", star))
        elif star >= 0:
            if len(parts) < len(targets) - 1:
                continue
            tail = len(targets) - star - 1
            middle = parts[star : len(parts) - tail]
            packed = containers.new_list(fr, middle, None, ("unpack", star))
            parts = [*parts[:star], packed, *parts[len(parts) - tail :]]
        elif len(parts) != len(targets):
            continue
        fits = True
        columns = [u.join(a, b) for a, b in zip(columns, parts, strict=True)]
    if not fits:
        raise fr.die(f"cannot unpack {value!r:.120} into {len(targets)} targets")
    for inner, column in zip(targets, columns, strict=True):
        assign(fr, inner, column)
