"""Calls that leave the program: summaries, callbacks, and what a third party may hand back."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pathcheck.flow import attributes, calls, classes, containers, imports, stdlib, withs
from pathcheck.flow.construction import escape
from pathcheck.flow.frame import Dead, Frame
from pathcheck.flow.heap import CONTENTS, KEPT
from pathcheck.flow.values import (
    Atom,
    Const,
    External,
    Function,
    Klass,
    Method,
    Obj,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from pathcheck.flow.calls import Args

#: External functions that give the function they get, besides calling it later themselves.
_TRANSPARENT = (
    "torch.compile",
    "torch.jit.",
    "triton.jit",
    "triton.autotune",
    "triton.heuristics",
    "numba.",
    "torch.no_grad",
    "torch.inference_mode",
    "torch._dynamo",
)


def call_external(fr: Frame, ext: External, args: Args, pos: Any) -> Value:
    """Call a third-party function or class."""
    model = fr.world.model
    name = ext.name
    stored = fr.world.read(fr, ext.fields, "[call]")
    if stored.atoms:
        return calls.call(fr, stored, args, pos)
    summary = model.calls.get(name) or stdlib.CALLS.get(name)
    if summary is not None:
        found = summary(fr, tuple(args.positional), args.keywords, pos)
        if found is not None:
            return found
    fr.raises.setdefault("any")
    last = name.rpartition(".")[2]
    if model.is_configuration(name):
        return make_configuration(fr, ext, args, pos)
    methods = model.methods.get(name)
    if methods is not None or (last[:1].isupper() and not last.isupper()):
        return construct_external(fr, ext, args, pos)
    return generic_result(fr, name, args, pos)


def make_configuration(fr: Frame, ext: External, args: Args, pos: Any) -> Value:
    """A third-party configuration: its attributes are the keywords it is given."""
    world, u = fr.world, fr.world.u
    obj = world.alloc(fr, "facts", ext, pos)
    obj.name = obj.name or ext.name.rpartition(".")[2]
    for name, value in args.keywords.items():
        cell = world.cell(obj.fields, name)
        cell.definite = True
        world.write(fr, cell, u.without(value, u.unbound_atom))
    return u.single(obj)


def generic_result(fr: Frame, name: str, args: Args, pos: Any) -> Value:
    """No summary: callbacks may run; an object of the program may come back."""
    u, model = fr.world.u, fr.world.model
    run_callbacks(fr, name, args, pos)
    if name.startswith(_TRANSPARENT) and args.positional:
        first = args.positional[0]
        if _instances(fr, first).atoms or any(isinstance(a, Klass) for a in first.atoms):
            return first
    if name.startswith(model.objects):
        return u.object
    given = u.join_all(_instances(fr, v) for v in args.values())
    return u.join(u.external, given)


def _instances(fr: Frame, value: Value) -> Value:
    """Program objects and functions in an argument, which an unknown function may return."""
    kept = tuple(
        a
        for a in value.atoms
        if (isinstance(a, Obj) and a.kind in ("instance", "partial")) or isinstance(a, Function | Method)
    )
    return fr.world.u.value(kept)


def run_callbacks(fr: Frame, name: str, args: Args, pos: Any) -> None:
    """Functions given to a third party may be called, with anything."""
    for value in args.values():
        escape(fr, value)
    model = fr.world.model
    if name.startswith(model.no_callback):
        return
    atoms = [a for value in args.values() for a in value.atoms]
    if name.startswith(model.runs_by_name):
        atoms.extend(a for text in list(atoms) for a in _named(fr, text))
    run_atoms(fr, atoms, pos)
    keepers = [a for a in atoms if is_keeper(fr, a)]
    if keepers:
        fr.world.serving_points[fr.context, fr.unit] = None
        run_atoms(fr, kept_by(fr, keepers), pos)


def planted(fr: Frame, value: Value, pos: Any) -> None:
    """Functions put in the place of a third party's own: it calls them itself, with anything."""
    run_atoms(fr, [a for a in value.atoms if isinstance(a, Function | Method)], pos)


def run_atoms(fr: Frame, atoms: Iterable[Atom], pos: Any) -> None:
    """A third party calls functions, and the methods of objects with a base of its own."""
    for atom in atoms:
        if isinstance(atom, Function | Method) or (isinstance(atom, Obj) and atom.kind == "partial"):
            callback(fr, atom, pos)
        elif isinstance(atom, Obj) and atom.kind == "instance":
            hidden_calls(fr, atom, pos)


def is_keeper(fr: Frame, atom: Atom) -> bool:
    """Whether a third-party object keeps functions for later: a web application, say."""
    return (
        isinstance(atom, Obj)
        and atom.kind == "external"
        and isinstance(atom.klass, External)
        and atom.klass.name in fr.world.model.keepers
    )


def give_keeper(fr: Frame, keeper: Obj, args: Args) -> Value:
    """What a keeper is given waits until it is run; the functions among it, which a decorator returns."""
    u, world = fr.world.u, fr.world
    given = u.join_all(args.values())
    escape(fr, given)
    functions = _instances(fr, given)
    others = tuple(a for a in given.atoms if a is not keeper and is_keeper(fr, a))
    kept = world.cell(keeper.fields, KEPT)
    if isinstance(keeper.klass, External) and keeper.klass.name in world.model.loose_keepers:
        kept = world.kept_loosely
    world.grow(kept, u.join(functions, u.value(others)))
    return functions


def kept_by(fr: Frame, keepers: Iterable[Atom]) -> list[Atom]:
    """What these keepers were given, and what keepers among it were: an application includes routers."""
    loose = fr.world.kept_loosely
    loose.readers[fr.root] = None
    found: dict[Atom, None] = dict.fromkeys(loose.value.atoms)
    waiting = [a for a in keepers if isinstance(a, Obj)]
    seen = set(waiting)
    while waiting:
        for atom in fr.world.read(fr, waiting.pop().fields, KEPT).atoms:
            if not is_keeper(fr, atom):
                found[atom] = None
            elif isinstance(atom, Obj) and atom not in seen:
                seen.add(atom)
                waiting.append(atom)
    return list(found)


def _named(fr: Frame, text: Atom) -> tuple[Atom, ...]:
    """The thing of the program that a text ``module:name`` names."""
    if not (isinstance(text, Const) and isinstance(text.value, str)):
        return ()
    module, _, name = text.value.partition(":")
    if not name.isidentifier() or module not in fr.world.program.modules:
        return ()
    found = imports.import_module(fr, module)
    return () if found is None else attributes.get_attribute(fr, found, name, 0, quiet=True).atoms


def callback(fr: Frame, atom: Atom, pos: Any) -> None:
    """Call with unknown arguments, without ending this path."""
    u = fr.world.u
    args = calls.Args()
    args.rest = args.rest_keywords = u.external
    reason = fr.reason
    outer = fr.world.calling_back
    fr.world.calling_back = fr.context
    with suppress(Dead):
        calls.call_atom(fr, atom, args, pos)
    fr.world.calling_back = outer
    fr.reason = reason


def hidden_calls(fr: Frame, obj: Obj, pos: Any) -> None:
    """An object with an opaque third-party base may have its overrides called by it."""
    u = fr.world.u
    klass = obj.klass
    if not isinstance(klass, Klass):
        return
    known = fr.world.model.attributes_of
    quiet = fr.world.model.no_callback
    opaque = [
        b
        for b in classes.opaque_bases(fr, klass)
        if isinstance(b, External) and b.name not in known and not b.name.startswith(quiet)
    ]
    if not opaque:
        return
    for owner in classes.mro(fr, klass):
        if not isinstance(owner, Klass):
            continue
        for name, cell in list(owner.fields.items()):
            if type(name) is str and name not in ("__init__", "__new__"):
                for atom in cell.value.atoms:
                    if isinstance(atom, Function):
                        callback(fr, u.method(atom, obj).atoms[0], pos)


def construct_external(fr: Frame, ext: External, args: Args, pos: Any) -> Value:
    """An instance of a third-party class; it keeps the program objects it is given."""
    u, world = fr.world.u, fr.world
    obj = world.alloc(fr, "external", ext, pos)
    init = world.model.methods.get(ext.name, {}).get("__init__")
    if init is not None:
        init(fr, obj, tuple(args.positional), args.keywords, pos)
        return u.single(obj)
    if is_keeper(fr, obj):
        give_keeper(fr, obj, args)
        return u.single(obj)
    run_callbacks(fr, ext.name, args, pos)
    containers.keep(fr, obj, args.values())
    return u.single(obj)


def call_external_object(fr: Frame, obj: Obj, name: str, args: Args, pos: Any) -> Value:
    """A method that comes from outside: what was put in may come out."""
    u, world = fr.world.u, fr.world
    bases: list[str] = []
    if isinstance(obj.klass, External):
        bases = [obj.klass.name]
    elif isinstance(obj.klass, Klass):
        bases = [getattr(b, "name", "") for b in classes.opaque_bases(fr, obj.klass)]
    for base in bases:
        table = world.model.methods.get(base, {})
        summary = table.get(name) or table.get("")
        if summary is not None:
            found = summary(fr, obj, tuple(args.positional), args.keywords, pos)
            if found is not None:
                return found
    if name == "enter_context" and args.positional:
        return withs.enter(fr, args.positional[0], pos)
    if name in (
        "submit",
        "run_in_executor",
        "call_soon_threadsafe",
        "call_soon",
        "apply_async",
        "call_later",
    ):
        return _submit(fr, obj, name, args, pos)
    fr.raises.setdefault("any")
    if is_keeper(fr, obj):
        functions = give_keeper(fr, obj, args)
        return functions if name == "__call__" and functions.atoms else u.single(obj)
    run_callbacks(fr, "", args, pos)
    containers.keep(fr, obj, args.values())
    held = world.read(fr, obj.fields, CONTENTS)
    if isinstance(obj.klass, Klass):
        hidden_calls(fr, obj, pos)
        return u.join_all((u.external, held, u.single(obj)))
    return u.join(u.external, held)


def _submit(fr: Frame, obj: Obj, name: str, args: Args, pos: Any) -> Value:
    """An executor runs the function; its future holds the result."""
    u, world = fr.world.u, fr.world
    skip = 1 if name in ("run_in_executor", "call_later") else 0
    if len(args.positional) <= skip:
        return u.external
    rest = calls.Args(args.positional[skip + 1 :], args.keywords)
    rest.rest, rest.rest_keywords = args.rest, args.rest_keywords
    for value in rest.values():
        escape(fr, value)
    reason = fr.reason
    outer = world.calling_back
    world.calling_back = fr.context
    try:
        result = calls.call(fr, args.positional[skip], rest, pos)
    except Dead:
        result = u.bottom
        fr.reason = reason
    world.calling_back = outer
    future = world.alloc(fr, "external", u.ext("concurrent.futures.Future").atoms[0], (pos, "future"))
    if result.atoms:
        world.write(fr, world.cell(future.fields, CONTENTS), result)
    return u.single(future)


def call_instance(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    """``obj(...)`` where only a base from outside the program says what that does."""
    assert isinstance(obj.klass, Klass)
    active = fr.world.active
    if obj in active:  # an object that calls itself through a third party: nothing new comes of it
        return fr.world.u.bottom
    for base in classes.opaque_bases(fr, obj.klass):
        summary = fr.world.model.methods.get(getattr(base, "name", ""), {}).get("__call__")
        if summary is not None:
            active.add(obj)
            try:
                found = summary(fr, obj, tuple(args.positional), args.keywords, pos)
            finally:
                active.discard(obj)
            if found is not None:
                return found
    if not classes.opaque_bases(fr, obj.klass):
        fr.reason = f"{obj!r} is not callable"
        return fr.world.u.bottom
    return call_external_object(fr, obj, "__call__", args, pos)


def call_unknown(fr: Frame, unknown: Unknown, args: Args, pos: Any) -> Value:
    """Call something that is not known."""
    u = fr.world.u
    fr.raises.setdefault("any")
    if unknown.type not in ("any", "object"):
        return u.bottom
    run_callbacks(fr, "", args, pos)
    if unknown.origin == "lost":
        return u.lost
    given = u.bottom
    if len(args.positional) == 1 and not args.keywords:
        given = _instances(fr, args.positional[0])
    if unknown.origin == "fact":
        return u.join(given, u.unknown("any", "fact", unknown.fact))
    return u.join(given, u.external)
