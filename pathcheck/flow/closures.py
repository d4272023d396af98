"""Closure variables: cells of an activation, written through by its locals."""

from __future__ import annotations

from pathcheck.flow.context import Context
from pathcheck.flow.frame import Frame
from pathcheck.flow.heap import Cell
from pathcheck.flow.values import Value


def read_cell(fr: Frame, owner: Context, name: str) -> Value:
    """A free variable's value in the activation that owns it."""
    cell = owner.cells.get(name)
    if cell is None:
        cell = owner.cells[name] = Cell(fr.world.u.bottom)
    cell.readers[fr.root] = None
    return cell.value


def write_cell(fr: Frame, owner: Context, name: str, value: Value) -> None:
    """Join a value into a closure variable."""
    cell = owner.cells.get(name)
    if cell is None:
        cell = owner.cells[name] = Cell(fr.world.u.bottom)
    fr.world.write(fr, cell, fr.world.u.without(value, fr.world.u.unbound_atom))
