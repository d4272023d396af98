"""Objects under construction: strong updates until they are published.

While a constructor runs, the fields of its object live in the environment, so
that a later assignment replaces an earlier one (strong update, recency
abstraction of Balakrishnan and Reps, SAS 2006).  The object *escapes* when
something else can see it; from then on each write is also visible in the heap.
"""

from __future__ import annotations

from typing import Any

from pathcheck.flow.frame import Env, Frame
from pathcheck.flow.heap import FIELDS
from pathcheck.flow.values import Method, Obj, Sequence, Value


def escape(fr: Frame, value: Value, keep: Value | None = None) -> None:
    """Publish tracked objects that ``value`` makes visible elsewhere."""
    if not fr.tracked:
        return
    inside = keep.atoms if keep is not None else ()
    for atom in value.atoms:
        _escape_atom(fr, atom, inside)


def _escape_atom(fr: Frame, atom: Any, inside: tuple[Any, ...]) -> None:
    if isinstance(atom, Method):
        atom = atom.receiver
    if isinstance(atom, Obj) and atom in fr.tracked:
        if atom not in inside and not fr.tracked[atom].escaped:
            fr.tracked[atom].escaped = True
            publish(fr, atom, fr.env, final=False)
    elif isinstance(atom, Sequence):
        for item in atom.items if atom.items is not None else ((atom.element,) if atom.element else ()):
            escape(fr, item)


def publish_field(fr: Frame, obj: Obj, name: Any, value: Value) -> None:
    """Make one field's value visible in the heap."""
    world = fr.world
    cell = world.cell(obj.fields, name)
    new = not cell.value.atoms
    world.grow(cell, world.u.without(value, world.u.unbound_atom), foreign=False)
    if new and FIELDS in obj.fields:
        world.grow(obj.fields[FIELDS], world.u.const(name))


def publish(fr: Frame, obj: Obj, env: Env | None, final: bool) -> None:
    """Make the fields an environment holds for ``obj`` visible; the last time, note which are certain."""
    world = fr.world
    for key, value in (env or {}).items():
        if type(key) is tuple and key[0] is obj:
            publish_field(fr, obj, key[1], value)
            if final:
                cell = world.cell(obj.fields, key[1])
                definite = world.u.unbound_atom not in value.atoms
                if definite and not cell.definite and not cell.removed:
                    cell.definite = True
                    for reader in cell.readers:
                        world.mark(reader)


def tracked_part(fr: Frame) -> Env:
    """The part of the environment that belongs to objects under construction, and the mode."""
    assert fr.env is not None
    return {k: v for k, v in fr.env.items() if type(k) is tuple}
