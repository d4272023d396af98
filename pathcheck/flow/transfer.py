"""Values that cross a process boundary: copied by content, classes and functions by name."""

from __future__ import annotations

from typing import Any

from pathcheck.flow import imports, pickling, records
from pathcheck.flow.frame import Frame
from pathcheck.flow.heap import Cell
from pathcheck.flow.values import (
    Atom,
    Builtin,
    BuiltinMethod,
    Const,
    External,
    Function,
    Klass,
    Method,
    Module,
    Obj,
    Sequence,
    Unbound,
    Unknown,
    Value,
    Wrapped,
)
from pathcheck.flow.world import World

#: How deep object graphs are copied; below, values are external.
MAX_DEPTH = 12


class Transfer:
    """Copies values of one world into another; copying again brings what has been added."""

    def __init__(self, source: World, target: World) -> None:
        self.source, self.target = source, target
        self._objects: dict[Obj, Obj] = {}
        self._sizes: dict[Obj, int] = {}

    def value(self, fr: Frame, value: Value, depth: int = 0) -> Value:
        """The value as the other process has it."""
        u = self.target.u
        return u.join_all(self._atom(fr, atom, depth) for atom in value.atoms)

    def _atom(self, fr: Frame, atom: Atom, depth: int) -> Value:
        u = self.target.u
        if isinstance(atom, Const):
            return u.single(u.const_atom(atom.value))
        if isinstance(atom, Unknown):
            return u.unknown(atom.type, atom.origin, atom.fact)
        if isinstance(atom, Unbound):
            return u.unbound
        if isinstance(atom, External):
            return u.ext(atom.name)
        if isinstance(atom, Builtin):
            return u.builtin(atom.name)
        if isinstance(atom, Sequence):
            return self._sequence(fr, atom, depth)
        if isinstance(atom, Klass):
            found = self._klass(fr, atom)
            return u.single(found) if found is not None else u.external
        if isinstance(atom, Module):
            found_module = imports.import_module(fr, atom.state.name)
            return found_module if found_module is not None else u.external
        if isinstance(atom, Function):
            return self._function(fr, atom)
        if isinstance(atom, Obj):
            return self._object(fr, atom, depth)
        if isinstance(atom, Method | BuiltinMethod | Wrapped):
            return u.external
        return u.external

    def _sequence(self, fr: Frame, atom: Sequence, depth: int) -> Value:
        u = self.target.u
        klass = self._klass(fr, atom.klass) if isinstance(atom.klass, Klass) else None
        if atom.items is not None:
            return u.sequence(tuple(self.value(fr, v, depth + 1) for v in atom.items), klass)
        return u.sequence_of(self.value(fr, self.source.u.element(atom), depth + 1), klass)

    def _klass(self, fr: Frame, klass: Klass) -> Klass | None:
        """The class of the same name: unpickling imports its module."""
        module = imports.import_module(fr, klass.module.name)
        if module is None or klass.env is not None:
            return None
        state = self.target.modules.get(klass.module.name)
        if records.is_made(klass):
            key = records.made_key(klass.module.name, klass.info.line, klass.info.qualname)
            made = self.target.u.known(key)
            return made if isinstance(made, Klass) else None
        return (
            self.target.klass(state, klass.info.index, None)
            if state is not None and state.ir is not None
            else None
        )

    def _function(self, fr: Frame, function: Function) -> Value:
        u = self.target.u
        if function.env is not None or imports.import_module(fr, function.module.name) is None:
            return u.external
        state = self.target.modules[function.module.name]
        assert state.ir is not None
        return u.single(self.target.function(state, state.ir.codes[function.code.index], None))

    def _object(self, fr: Frame, obj: Obj, depth: int) -> Value:
        u = self.target.u
        if obj.kind == "enum" and isinstance(obj.klass, Klass):
            klass = self._klass(fr, obj.klass)
            member = klass.members.get(obj.name) if klass is not None else None
            return u.single(member) if member is not None else u.bottom
        if obj.kind == "external" or depth > MAX_DEPTH:
            return u.external
        copy = self._copy(fr, obj)
        if copy is None:
            return u.external
        self._fields(fr, obj, copy, depth)
        return u.single(copy)

    def _copy(self, fr: Frame, obj: Obj) -> Obj | None:
        known = self._objects.get(obj)
        if known is not None:
            return known
        klass: Atom | None = None
        if isinstance(obj.klass, Klass):
            klass = self._klass(fr, obj.klass)
            if klass is None:
                return None
        elif isinstance(obj.klass, External):
            klass = self.target.u.ext(obj.klass.name).atoms[0]
        elif isinstance(obj.klass, Builtin):
            klass = self.target.u.builtin(obj.klass.name).atoms[0]
        # A copy that comes home is what it was a copy of, and there is one copy in each process: else
        # two processes that send on what they get would make copies of copies for ever.
        world, first = self.source.origins.get(obj, (self.source, obj))
        if world is self.target and not first.once:
            self._objects[obj] = first
            return first
        key = ("transferred", world.role, first.seq)
        copy = self.target.u.intern(key, lambda: Obj(obj.kind, klass, key, ()))
        copy.name = obj.name
        self._objects[obj] = copy
        self.target.origins[copy] = (world, first)
        if isinstance(klass, Klass):
            from pathcheck.flow.classes import mro

            for owner in mro(fr, klass):
                if isinstance(owner, Klass):
                    self.target.grow(self.target.extent(owner), self.target.u.single(copy))
        pickling.note(fr, self.source, obj, copy)
        return copy

    def _fields(self, fr: Frame, obj: Obj, copy: Obj, depth: int) -> None:
        """Copy the fields, unless a copy of the same content is under way or done."""
        size = sum(len(c.value.atoms) + 1 for c in obj.fields.values())
        if self._sizes.get(obj) == size:
            return
        self._sizes[obj] = size
        for name, cell in list(obj.fields.items()):
            if not cell.value.atoms:
                continue
            key: Any = name
            if type(name) is tuple and name[0] in ("key", "twin"):
                keys = self._atom(fr, name[1], depth + 1)
                if len(keys.atoms) != 1:
                    continue
                key = (name[0], keys.atoms[0])
            value = self.value(fr, cell.value, depth + 1)
            if not value.atoms:
                continue
            target: Cell = self.target.cell(copy.fields, key)
            self.target.grow(target, value)
            for place, written in cell.writes.items():
                target.writes.setdefault(place, self.value(fr, written, MAX_DEPTH))
            target.removed = target.removed or cell.removed
            if copy in self.target.origins:  # what an object surely has, it knows best where it was made
                target.definite = (target.definite or cell.definite) and not target.removed
