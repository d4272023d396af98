"""A library's analysis: nobody says which function is called first, so each may be, with anything.

The engine's usual question has a start.  A program that is looked at as a
library has none: every function that comes into being is entered with unknown
arguments, methods on the objects of their class that the analysis knows.
"""

from __future__ import annotations

from pathcheck.flow import calls
from pathcheck.flow.analysis import add_entry, solve
from pathcheck.flow.frame import Dead, Frame
from pathcheck.flow.values import Atom, Function, Klass, Value, Wrapped
from pathcheck.flow.world import World

#: Rounds in which functions that only others bring into being are entered.
MAX_ROUNDS = 12


def enter_everything(world: World) -> None:
    """Enter every function that exists, and those that come into being by that, to the fixpoint."""
    entered: set[Atom] = set()
    for _ in range(MAX_ROUNDS):
        solve(world)
        found = [a for a in list(world.u._interned.values()) if isinstance(a, Function | Klass)]
        new = [a for a in found if a not in entered]
        if not new:
            return
        entered.update(new)
        for atom in new:
            if isinstance(atom, Klass):
                _enter_class(world, atom)
        for atom in new:
            if isinstance(atom, Function):
                _enter_function(world, atom)


def _enter_class(world: World, klass: Klass) -> None:
    """Make an object of the class, so that its methods have one to work on."""

    def make(fr: Frame) -> None:
        try:
            calls.call(fr, fr.world.u.single(klass), _anything(fr), 0)
        except Dead:
            calls.allocate(fr, klass, 0)  # its constructor never returns: its methods are there all the same

    add_entry(world, make)


def _enter_function(world: World, function: Function) -> None:
    def enter(fr: Frame) -> None:
        kind = _binding(function)
        if function.klass is None or kind == "staticmethod":
            _call(fr, fr.world.u.single(function))
        elif kind == "classmethod":
            _call(fr, fr.world.u.method(function, function.klass))
        else:
            extent = fr.world.extent(function.klass)
            extent.readers[fr.root] = None
            for receiver in extent.value.atoms:
                _call(fr, fr.world.u.method(function, receiver))

    add_entry(world, enter)


def _binding(function: Function) -> str:
    """How a class binds it: "staticmethod", "classmethod", or "" for a plain method."""
    if function.klass is None:
        return ""
    if function.code.name in ("__new__", "__init_subclass__", "__class_getitem__"):
        return "staticmethod" if function.code.name == "__new__" else "classmethod"
    for cell in function.klass.fields.values():
        for atom in cell.value.atoms:
            if isinstance(atom, Wrapped) and atom.inner is function:
                return atom.kind
    return ""


def _call(fr: Frame, callee: Value) -> None:
    env = fr.env
    try:
        calls.call(fr, callee, _anything(fr), 0)
    except Dead:
        fr.env = env  # it never returns: the next one is entered all the same


def _anything(fr: Frame) -> calls.Args:
    args = calls.Args()
    args.rest = args.rest_keywords = fr.world.u.external
    return args
