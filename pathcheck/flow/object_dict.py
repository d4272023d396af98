"""``vars(x)``: the names that an object, class or module holds itself, seen as a dict."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from pathcheck.flow import attributes, calls, classes, containers, evaluation
from pathcheck.flow.heap import ANY, ELEMENT, KEYS
from pathcheck.flow.operators import BOTH, FALSE, TRUE
from pathcheck.flow.values import (
    Atom,
    Builtin,
    BuiltinMethod,
    Const,
    External,
    Klass,
    Module,
    Obj,
    Value,
    Wrapped,
)

if TYPE_CHECKING:
    from pathcheck.flow.calls import Args
    from pathcheck.flow.frame import Frame

#: The name of the value that stands for an object's ``__dict__``.
DICT = "__dict__"


def entry(fr: Frame, receiver: Atom, index: Value) -> Value:
    """``vars(x)[name]`` and ``globals()[name]``."""
    u = fr.world.u
    result = u.bottom
    for key in index.atoms:
        if isinstance(key, Const) and isinstance(key.value, str):
            result = u.join(result, _named(fr, receiver, key.value))
        elif isinstance(receiver, Klass | External | Builtin):
            return u.external
        elif isinstance(receiver, Obj | Module):
            if isinstance(receiver, Module):
                evaluation.show_globals(fr.world, receiver.state)
            for name in list(receiver.fields):
                if type(name) is str and not name.startswith("["):
                    result = u.join(result, fr.world.read(fr, receiver.fields, name))
    return result


def _named(fr: Frame, receiver: Atom, name: str) -> Value:
    """What is held by a name; a class has nothing that it inherits."""
    u = fr.world.u
    if not isinstance(receiver, Klass | External):
        return attributes.attribute_of(fr, receiver, name, 0)
    # A plain base brings names like ``__doc__`` and ``_is_protocol`` only, none in capitals.
    own = fr.world.read(fr, receiver.fields, name)
    hidden = name.startswith("__") or (
        isinstance(receiver, External) and name.startswith("_") and not name.isupper()
    )
    return u.join(own, u.external) if hidden else own


def has(fr: Frame, receiver: Atom, name: str, pos: Any) -> int:
    """Outcome bits of ``name in vars(x)``."""
    if isinstance(receiver, Klass):
        own = fr.world.read(fr, receiver.fields, name)
        if own.atoms:
            return TRUE if receiver.fields[name].definite else BOTH
        return BOTH if name.startswith("__") or "enum" in receiver.flags else FALSE
    if isinstance(receiver, Builtin):
        return BOTH if name in vars(getattr(builtins, receiver.name, object)) else FALSE
    if isinstance(receiver, Obj):
        return _object_has(fr, receiver, name, pos)
    return BOTH if _named(fr, receiver, name).atoms else FALSE


def _object_has(fr: Frame, obj: Obj, name: str, pos: Any) -> int:
    """A plain object holds what was stored in it; what a third-party base puts there is not known."""
    if obj.kind == "facts":
        return attributes.facts_has(fr, obj, name)
    klass = obj.klass
    if not isinstance(klass, Klass) or classes.opaque_bases(fr, klass):
        return BOTH if attributes.attribute_of(fr, obj, name, pos).atoms else FALSE
    own, certain = attributes.own_value(fr, obj, name)
    if own.atoms:
        return TRUE if certain else BOTH
    if fr.world.read(fr, obj.fields, ANY).atoms:
        return BOTH
    # A cached property puts what it has computed there.
    member = classes.lookup(fr, klass, name)
    cached = member is not None and any(
        isinstance(a, Wrapped) or (isinstance(a, Obj) and a.kind == "property") for a in member[0].atoms
    )
    return BOTH if cached else FALSE


def put(fr: Frame, receiver: Atom, index: Value, value: Value, pos: Any) -> None:
    """``vars(x)[name] = value``."""
    calls.call_value(fr, fr.world.u.builtin("setattr"), (fr.world.u.single(receiver), index, value), {}, pos)


def update(fr: Frame, receiver: Atom, given: Value, pos: Any) -> None:
    """``vars(x).update(given)``: a dict, the ``vars`` of another object, or pairs of any names."""
    world, u = fr.world, fr.world.u
    for atom in given.atoms:
        if isinstance(atom, Obj) and atom.kind == "dict":
            for place in list(atom.fields):
                if type(place) is tuple and place[0] == "key":
                    put(fr, receiver, u.single(place[1]), world.read(fr, atom.fields, place), pos)
            rest = world.read(fr, atom.fields, ELEMENT)
            world.read(fr, atom.fields, KEYS)
            if rest.atoms:
                put(fr, receiver, u.unknown("str", "runtime"), rest, pos)
        elif isinstance(atom, BuiltinMethod) and atom.name == DICT:
            for name, value in attributes.listed(fr, atom.receiver):
                put(fr, receiver, u.const(name), value, pos)
            if isinstance(atom.receiver, Obj):
                rest = world.read(fr, atom.receiver.fields, ANY)
                if rest.atoms:
                    put(fr, receiver, u.unknown("str", "runtime"), rest, pos)
        else:
            put(fr, receiver, u.unknown("str", "runtime"), _any_of(fr, atom, pos), pos)


def _any_of(fr: Frame, atom: Atom, pos: Any) -> Value:
    """What a mapping or an iterable of pairs may hold."""
    u = fr.world.u
    result = u.external
    for pair in containers.iterate(fr, u.single(atom), pos, quiet=True).atoms:
        result = u.join(result, containers.iterate(fr, u.single(pair), pos, quiet=True))
    return result


def call(fr: Frame, receiver: Atom, method: str, args: Args, pos: Any) -> Value:
    """A method of ``vars(x)``."""
    u = fr.world.u
    if method in ("get", "pop", "__getitem__") and args.positional:
        if method == "pop":
            calls.call_value(
                fr, u.builtin("delattr"), (u.single(receiver), args.positional[0]), {}, pos
            )
        found = entry(fr, receiver, args.positional[0])
        default = args.positional[1] if len(args.positional) > 1 else u.none
        return u.join(found, default)
    if method == "update":
        for value in args.positional:
            update(fr, receiver, value, pos)
        for name, value in args.keywords.items():
            put(fr, receiver, u.const(name), value, pos)
        return u.none
    if method in ("setdefault", "__setitem__"):
        if len(args.positional) > 1:
            put(fr, receiver, args.positional[0], args.positional[1], pos)
        if method == "setdefault" and args.positional:
            return u.join(entry(fr, receiver, args.positional[0]), u.join_all(args.positional[1:]))
        return u.none
    if method in ("items", "keys", "values", "copy"):
        return listing(fr, attributes.listed(fr, receiver), method, pos)
    return u.external


def listing(fr: Frame, rows: list[tuple[str, Value]], method: str, pos: Any) -> Value:
    """``vars(x).items()`` and its kin over the attributes that are known."""
    u = fr.world.u
    if method == "items":
        return u.sequence(tuple(u.sequence((u.const(n), v)) for n, v in rows))
    if method == "keys":
        return u.sequence(tuple(u.const(n) for n, _ in rows))
    if method == "values":
        return u.sequence(tuple(v for _, v in rows))
    made = containers.new_dict(fr, pos)
    for name, value in rows:
        containers.set_item(fr, made, u.const(name), value, pos, certain=False)
    return made
