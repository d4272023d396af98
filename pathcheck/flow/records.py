"""Records: classes whose fields make the constructor, asked for their fields or made from a list of them.

``dataclasses`` and ``msgspec`` differ in what stands for "no default", and in that a Struct makes its empty
mutable defaults anew for each instance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pathcheck.flow import attributes, calls, classes, containers, definitions, typing_forms
from pathcheck.flow.frame import Env, Frame
from pathcheck.flow.values import Atom, Const, External, Klass, Obj, Sequence, Unknown, Value
from pathcheck.program.ir import ClassInfo

Positional = tuple[Value, ...]
Keywords = dict[str, Value]


@dataclass(frozen=True)
class Kind:
    """One library's records: the class of a field's description, and what stands for "no default"."""

    field: str
    missing: str
    #: whether a mutable default is made by a factory
    copies: bool


DATACLASS = Kind("dataclasses.Field", "dataclasses.MISSING", copies=False)
STRUCT = Kind("msgspec.structs.FieldInfo", "msgspec.NODEFAULT", copies=True)
STRUCT_BASE = "msgspec.Struct"


# ---- asking for fields --------------------------------------------------------------
def dataclass_fields(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``dataclasses.fields``."""
    return _fields(fr, args[0], DATACLASS, pos)


def struct_fields(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``msgspec.structs.fields``."""
    return _fields(fr, args[0], STRUCT, pos)


def is_dataclass(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``dataclasses.is_dataclass``, of a class or of an instance."""
    u = fr.world.u
    answers = [_is_dataclass(fr, atom) for atom in args[0].atoms] if args else [None]
    return u.join_all(u.bools if answer is None else u.const(answer) for answer in answers)


def _is_dataclass(fr: Frame, atom: Atom) -> bool | None:
    klass = atom.klass if isinstance(atom, Obj | Sequence) else atom
    if isinstance(klass, Klass):
        if any(isinstance(k, Klass) and k.flags.get("dataclass") for k in classes.mro(fr, klass)):
            return True
        outside = any(isinstance(b, External) for b in classes.opaque_bases(fr, klass))
        return None if outside else False
    if isinstance(atom, Obj):
        return False if atom.kind in ("list", "dict", "set") and klass is None else None
    return None if isinstance(atom, External | Unknown) else False


def _fields(fr: Frame, value: Value, kind: Kind, pos: Any) -> Value:
    """Objects that know the name, type and default of each field."""
    u = fr.world.u
    found = []
    for atom in value.atoms:
        klass = atom if isinstance(atom, Klass) else atom.klass if isinstance(atom, Obj) else None
        if isinstance(klass, Klass):
            types = typing_forms.class_annotations(fr, klass) if kind is STRUCT else {}
            found += [_describe(fr, klass, name, kind, types) for name in calls.all_fields(fr, klass)]
    return u.sequence(tuple(found))


def _describe(fr: Frame, klass: Klass, name: str, kind: Kind, types: dict[str, Value]) -> Value:
    world, u = fr.world, fr.world.u
    obj = u.intern(
        ("fieldinfo", klass, name),
        lambda: Obj("external", u.ext(kind.field).atoms[0], ("fieldinfo", klass.seq), ()),
    )
    parts = {"name": u.const(name)}
    for part in ("default", "default_factory"):
        parts[part] = _default_of(fr, klass, name, part, kind)
    if kind is STRUCT:
        parts["encode_name"] = parts["name"]
        parts["type"] = types.get(name, u.object)
    for part, value in parts.items():
        cell = world.cell(obj.fields, part)
        world.write(fr, cell, value)
        cell.definite = True
    return u.single(obj)


def _default_of(fr: Frame, klass: Klass, name: str, part: str, kind: Kind) -> Value:
    """The default of a field, or its factory; what stands for "none" where there is none."""
    u = fr.world.u
    missing = u.ext(kind.missing)
    raw = classes.lookup(fr, klass, name)
    result = u.bottom
    for atom in raw[0].atoms if raw is not None else ():
        default, factory = _split_default(fr, atom, kind)
        stated = default if part == "default" else factory
        result = u.join(result, stated if stated.atoms else missing)
    return result if result.atoms else missing


def _split_default(fr: Frame, atom: Atom, kind: Kind) -> tuple[Value, Value]:
    """What a class attribute says of its field: a default, a factory."""
    u, world = fr.world.u, fr.world
    if isinstance(atom, Obj) and atom.kind == "field":
        default = world.read(fr, atom.fields, "default")
        factory = world.read(fr, atom.fields, "default_factory")
    else:
        default, factory = u.single(atom), u.bottom
    if kind.copies:
        for mutable in default.atoms:
            if isinstance(mutable, Obj) and mutable.kind in ("list", "dict", "set") and mutable.klass is None:
                default = u.without(default, mutable)
                factory = u.join(factory, u.builtin(mutable.kind))
    return default, factory


# ---- making records -------------------------------------------------------------------
def define_struct(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``msgspec.defstruct(name, fields, bases=, namespace=, …)``."""
    bases = keywords.get("bases")
    return _define(fr, args, keywords, bases, fr.world.u.ext(STRUCT_BASE), "", pos)


def make_dataclass(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``dataclasses.make_dataclass(name, fields, bases=, namespace=, …)``."""
    return _define(fr, args, keywords, keywords.get("bases"), fr.world.u.builtin("object"), "dataclass", pos)


def _define(
    fr: Frame, args: Positional, keywords: Keywords, bases: Value | None, base: Value, flag: str, pos: int
) -> Value | None:
    """A class made from values; None where its name or its fields are not known."""
    u = fr.world.u
    given = dict(zip(("name", "fields"), args, strict=False)) | keywords
    name = given.get("name", given.get("cls_name", u.bottom))
    rows = _field_rows(fr, given.get("fields", u.bottom))
    if len(name.atoms) != 1 or not isinstance(name.atoms[0], Const) or rows is None:
        return None
    named = containers.exact_items(fr, bases) if bases is not None and bases is not u.none else []
    if named is None:
        return None
    klass = _made_class(fr, str(name.atoms[0].value), rows, pos)
    if flag:
        klass.flags[flag] = True
    if keywords.get("kw_only") is u.true:
        klass.flags["kw_only"] = True
    definitions.set_bases(fr, klass, tuple(named) or (base,))
    _add_members(fr, klass, rows, keywords.get("namespace"), pos)
    return u.single(klass)


#: (name, annotation, default or None) of a field.
Row = tuple[str, Value, Value | None]


def _field_rows(fr: Frame, fields: Value) -> list[Row] | None:
    """The fields that a list of names, pairs and triples declares; None if one of them is not known."""
    u = fr.world.u
    items = containers.exact_items(fr, fields)
    if items is None:
        items = containers.optional_rows(fr, fields)
    if items is None:
        return None
    rows: list[Row] = []
    for item in items:
        for atom in item.atoms:
            row = u.single(atom)
            parts = [row] if isinstance(atom, Const) else containers.exact_items(fr, row)
            if not parts or len(parts[0].atoms) != 1 or not isinstance(parts[0].atoms[0], Const):
                return None
            annotation = parts[1] if len(parts) > 1 else u.object
            rows.append((str(parts[0].atoms[0].value), annotation, parts[2] if len(parts) > 2 else None))
    return rows


def _made_class(fr: Frame, name: str, rows: list[Row], pos: Any) -> Klass:
    """The one class that is made here; its body is that of the written class of its name, if there is one."""
    u, module = fr.world.u, fr.module
    assert module.ir is not None
    written = module.ir.top_classes.get(name)
    code = module.ir.classes[written].code if written is not None else fr.code.index
    info = ClassInfo(-1, name, name, code, pos >> 12 if isinstance(pos, int) else 0)
    klass = u.intern(made_key(module.name, info.line, name), lambda: Klass(module, info, None))
    known = {field: has for field, _, has in klass.info.fields}
    annotations: dict[str, Value] = klass.flags.setdefault(typing_forms.ANNOTATIONS, {})
    for field, annotation, default in rows:
        known[field] = known.get(field, False) or default is not None
        annotations[field] = u.join(annotations.get(field, u.bottom), annotation)
    klass.info.fields = tuple((field, (), has) for field, has in known.items())
    return klass


def made_key(module: str, line: int, name: str) -> tuple[str, str, int, str]:
    """What a class made from values is known by, the same in every process."""
    return ("made class", module, line, name)


def _add_members(fr: Frame, klass: Klass, rows: list[Row], namespace: Value | None, pos: Any) -> None:
    """The namespace's members, and the defaults of the fields."""
    members: Env = {}
    for atom in namespace.atoms if namespace is not None else ():
        if isinstance(atom, Obj) and atom.kind == "dict":
            for key in list(atom.fields):
                if type(key) is tuple and key[0] == "key" and isinstance(key[1], Const):
                    members[key[1].value] = fr.world.read(fr, atom.fields, key)
    for name, value in members.items():
        if value.atoms and isinstance(name, str):
            classes.add_member(fr, klass, name, value)
    for name, _, default in rows:
        kept = [a for a in default.atoms if not _is_missing(a)] if default is not None else []
        if kept:
            classes.add_member(fr, klass, name, fr.world.u.value(tuple(kept)))
    definitions.after_body(fr, klass, members, pos)


def _is_missing(atom: Atom) -> bool:
    return isinstance(atom, External) and atom.name in (DATACLASS.missing, STRUCT.missing)


# ---- instances as dicts -----------------------------------------------------------------
def as_dict(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``asdict``: the fields of a record by name."""
    u = fr.world.u
    made = containers.new_dict(fr, pos)
    for atom in args[0].atoms:
        if isinstance(atom, Obj) and isinstance(atom.klass, Klass):
            for name in calls.all_fields(fr, atom.klass):
                value = attributes.attribute_of(fr, atom, name, pos)
                if value.atoms:
                    containers.set_item(fr, made, u.const(name), value, pos, certain=len(args[0].atoms) == 1)
    return made


def replaced(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``replace``: the object itself, with the new values too."""
    for name, value in keywords.items():
        attributes.set_perhaps(fr, args[0], name, value, pos)
    return args[0]


def is_made(klass: Klass) -> bool:
    """Whether a class was made from values and has no class statement."""
    return klass.info.index < 0
