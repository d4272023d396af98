"""Typing forms as values: ``Annotated[...]`` and ``Literal[...]``, and what ``typing`` says of annotations.

A subscripted form is an object of its own kind, "alias", one for each content: like a class it stands for
a type, so what is told of it stays apart.  Unions remain the tuples of their members that ``isinstance``
takes; other generics remain what they subscript.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from pathcheck.flow import calls, classes, containers
from pathcheck.flow import expressions as ex
from pathcheck.flow.frame import MODE, Dead, Frame
from pathcheck.flow.values import Atom, Builtin, Const, Klass, Obj, Sequence, Value
from pathcheck.program.ir import Node

#: Forms whose arguments the program can ask for again.
FORMS = ("Annotated", "Literal")
_ORIGIN, _ARGS = "[origin]", "[args]"
#: What a class made from values has instead of written annotations: field name -> value.
ANNOTATIONS = "annotations"


def alias(fr: Frame, origin: Atom, index: Value) -> Value:
    """``origin[index]`` as a value."""
    u, world = fr.world.u, fr.world
    items = containers.exact_items(fr, index)
    parts = tuple(items) if items is not None else (index,)
    key = ("alias", origin, parts)
    obj = u.intern(key, lambda: Obj("alias", u.ext("typing._GenericAlias").atoms[0], key, ()))
    world.grow(world.cell(obj.fields, _ORIGIN), u.single(origin))
    world.grow(world.cell(obj.fields, _ARGS), u.sequence(parts))
    return u.single(obj)


def get_args(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: Any) -> Value | None:
    """``typing.get_args``."""
    u = fr.world.u
    result = u.bottom
    for atom in args[0].atoms if args else ():
        if isinstance(atom, Obj) and atom.kind == "alias":
            result = u.join(result, fr.world.read(fr, atom.fields, _ARGS))
        elif isinstance(atom, Sequence) and atom.items is not None:
            result = u.join(result, u.sequence(tuple(_type_of(fr, v) for v in _members(fr, atom))))
        else:
            result = u.join(result, u.external)
    return result if result.atoms else u.external


def get_origin(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: Any) -> Value | None:
    """``typing.get_origin``. A subscripted class is the class itself here: an origin or none."""
    u = fr.world.u
    result = u.bottom
    for atom in args[0].atoms if args else ():
        if isinstance(atom, Obj) and atom.kind == "alias":
            result = u.join(result, fr.world.read(fr, atom.fields, _ORIGIN))
        elif isinstance(atom, Sequence):
            result = u.join_all((result, u.ext("typing.Union"), u.ext("types.UnionType")))
        elif isinstance(atom, Builtin | Klass):
            result = u.join_all((result, u.none, u.single(atom)))
        elif isinstance(atom, Const):
            result = u.join(result, u.none)
        else:
            result = u.join_all((result, u.none, u.external))
    return result


def _members(fr: Frame, union: Sequence) -> list[Value]:
    """The members of a union, inner unions flattened as Python does."""
    found: list[Value] = []
    for item in union.items or ():
        inner = item.atoms[0] if len(item.atoms) == 1 else None
        if isinstance(inner, Sequence) and inner.items is not None:
            found += _members(fr, inner)
        else:
            found.append(item)
    return found


def _type_of(fr: Frame, value: Value) -> Value:
    """``None`` in an annotation means its type."""
    u = fr.world.u
    if u.none.atoms[0] not in value.atoms:
        return value
    return u.join(u.without(value, u.none.atoms[0]), u.builtin("NoneType"))


def get_type_hints(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: Any) -> Value | None:
    """``typing.get_type_hints`` of classes: the annotations of the class and its bases, evaluated."""
    u = fr.world.u
    kinds = args[0].atoms if args else ()
    if not kinds or not all(isinstance(a, Klass) for a in kinds):
        return None
    made = containers.new_dict(fr, (pos, "hints"))
    for klass in kinds:
        assert isinstance(klass, Klass)
        for name, value in class_annotations(fr, klass).items():
            containers.set_item(fr, made, u.const(name), value, pos, certain=len(kinds) == 1)
    return made


def class_annotations(fr: Frame, klass: Klass) -> dict[str, Value]:
    """What the annotated names of a class and its bases are annotated with; bases first."""
    found: dict[str, Value] = {}
    for owner in reversed(classes.mro(fr, klass)):
        if isinstance(owner, Klass):
            found.update(own_annotations(fr, owner))
    return found


def own_annotations(fr: Frame, klass: Klass) -> dict[str, Value]:
    """The evaluated annotations in a class's own body, or those that it was made with."""
    made: dict[str, Value] | None = klass.flags.get(ANNOTATIONS)
    if made is not None:
        return made
    return {name: _evaluated(fr, klass, node) for name, node, _ in klass.info.fields}


def _evaluated(fr: Frame, klass: Klass, node: Node) -> Value:
    """An annotation as its module sees it; no statement of the program runs for it."""
    world, u = fr.world, fr.world.u
    if not node or klass.module.ir is None:
        return u.object
    key = ("annotation", klass)
    context = fr.context.inlined(key)
    if context is None:
        code = klass.module.ir.codes[klass.info.code]
        context = world.new_context(klass.module, code, None, klass.env)
        context.root = fr.root
        fr.context.inlines[key] = context
        calls.note_call(fr, context)
    context.mode = fr.mode
    context.evaluations += 1
    inner = Frame(world, context, fr.root, {MODE: fr.mode}, fr.depth + 1)
    inner.unit = klass.module.ir.codes[klass.info.code].unit
    value = u.object
    with suppress(Dead):
        value = _type_of(fr, ex.evaluate(inner, node))
    context.reached.clear()
    return value
