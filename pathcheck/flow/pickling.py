"""Pickling: the methods by which objects say how they leave a process, and how they come to be in another.

What leaves and what arrives is known when values are copied from one process to another
(``transfer``); the methods run where the program sends, receives or starts a process.  Which
object goes where is not told apart: each of these places may pickle any object that leaves.
"""

from __future__ import annotations

from typing import Any

from pathcheck.flow import attributes, calls, classes, containers
from pathcheck.flow.frame import Dead, Frame
from pathcheck.flow.values import Klass, Obj, Sequence
from pathcheck.flow.world import World

#: How an object is taken apart: the first of these that its class writes.
REDUCE = ("__reduce_ex__", "__reduce__")
STATE = "__getstate__"
RESTORE = "__setstate__"


def note(fr: Frame, source: World, obj: Obj, copy: Obj) -> None:
    """An object of ``source`` arrives here as ``copy``: remember whose methods that runs."""
    klass = copy.klass
    if not isinstance(klass, Klass):
        return
    if any(classes.lookup(fr, klass, name) is not None for name in (*REDUCE, STATE)):
        source.grow(source.pickled, source.u.single(obj))
    if classes.lookup(fr, klass, RESTORE) is not None:
        fr.world.grow(fr.world.unpickled, fr.world.u.single(copy))


def leave(fr: Frame, pos: Any) -> None:
    """A place that sends objects to another process: it takes them apart."""
    world, u = fr.world, fr.world.u
    world.pickled.readers[fr.root] = None
    for atom in world.pickled.value.atoms:
        if not isinstance(atom, Obj) or not isinstance(atom.klass, Klass):
            continue
        for name in (*REDUCE, STATE):
            if classes.lookup(fr, atom.klass, name) is None:
                continue
            method = attributes.get_attribute(fr, u.single(atom), name, pos, quiet=True)
            given = (u.unknown("int", "runtime"),) if name == "__reduce_ex__" else ()
            parts = calls.call_quietly(fr, method, given, pos)
            if name in REDUCE:
                world.grow(world.reduced, parts)
                break


def arrive(fr: Frame, pos: Any) -> None:
    """A place that objects of another process come to: it puts them together."""
    world, u = fr.world, fr.world.u
    world.unpickled.readers[fr.root] = None
    for atom in world.unpickled.value.atoms:
        method = attributes.get_attribute(fr, u.single(atom), RESTORE, pos, quiet=True)
        calls.call_quietly(fr, method, (u.external,), pos)
    world.rebuilt.readers[fr.root] = None
    for atom in world.rebuilt.value.atoms:
        if not isinstance(atom, Sequence) or atom.items is None or len(atom.items) < 2:
            continue
        exact = containers.exact_items(fr, atom.items[1])
        args = calls.Args(exact or ())
        if exact is None:
            args.rest = u.external
        env = fr.env
        try:
            calls.call(fr, atom.items[0], args, pos)
        except Dead:
            fr.env = env
