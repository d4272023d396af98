"""Attribute reads and writes: the data model's lookup rules over abstract objects."""

from __future__ import annotations

import builtins
from typing import Any

from pathcheck.flow import calls, containers, evaluation, externals, object_dict
from pathcheck.flow.classes import (
    PLAIN_BASES,
    add_member,
    external_bases,
    lookup,
    lookup_after,
    mro,
    opaque_bases,
    remove_member,
    value_base,
)
from pathcheck.flow.construction import escape, publish_field
from pathcheck.flow.env import end_override
from pathcheck.flow.frame import MODE, Frame
from pathcheck.flow.heap import ANY, FIELDS, STAR, Cell
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
    Super,
    Unknown,
    Value,
    Wrapped,
)
from pathcheck.flow.world import World
from pathcheck.program.ir import SCOPE_NONE, SCOPE_RESET, SCOPE_RESTORE, SCOPE_SET

#: A model attribute that is known not to exist.
MISSING = object()
#: Environment keys (HAS, object, name): this path has stored the attribute.
HAS = "[has]"
#: External names longer than this are no longer told apart.
MAX_DOTS = 6


def is_missing(value: Value) -> bool:
    return not value.atoms


def get_attribute(fr: Frame, base: Value, name: str, pos: Any, quiet: bool = False) -> Value:
    """``base.name`` over all atoms; bottom (``quiet``) or Dead where none has it."""
    u = fr.world.u
    if len(base.atoms) == 1:
        result = attribute_of(fr, base.atoms[0], name, pos)
    else:
        u.count(len(base.atoms))
        result = u.join_all([attribute_of(fr, atom, name, pos) for atom in base.atoms])
    if not result.atoms and not quiet:
        if (fr.module.name, fr.unit) in fr.world.lifted:
            return u.lost
        fr.raises.setdefault("AttributeError")
        raise fr.die(f"no attribute {name} on {base!r:.200}")
    return result


def attribute_of(fr: Frame, atom: Atom, name: str, pos: Any) -> Value:
    """One atom's attribute, bottom if it has none."""
    handler = _GET.get(type(atom))
    return handler(fr, atom, name, pos) if handler is not None else fr.world.u.bottom


# ---- objects ---------------------------------------------------------------
def _of_object(fr: Frame, obj: Obj, name: str, pos: Any) -> Value:
    if isinstance(obj.klass, Klass):
        found = instance_attribute(fr, obj, obj.klass, name, pos)
        if found.atoms or obj.kind in ("instance", "enum"):
            return found
    if obj.kind == "external":
        return _of_external_object(fr, obj, name)
    return containers.member(fr, obj, name)


def instance_attribute(fr: Frame, obj: Obj, klass: Klass, name: str, pos: Any) -> Value:
    """Descriptors of the class, then the instance's own value, then the class's, then ``__getattr__``."""
    u = fr.world.u
    raw = lookup(fr, klass, name)
    if raw is not None:
        outer, fr.raises = fr.raises, {}
        data = _data_descriptor(fr, raw[0], obj, pos)
        raised, fr.raises = fr.raises, outer
        for error in raised:
            outer.setdefault(error)
        if data is not None:
            if not data.atoms or not _MISSED.isdisjoint(raised):
                data = u.join(data, _by_getattr(fr, obj, klass, name, pos))
            if all(isinstance(a, Obj) and a.kind == "property" for a in raw[0].atoms):
                return data
            # The program has put something else in its place: then the usual order holds.
            return u.join_all((data, own_value(fr, obj, name)[0], bind(fr, raw[0], obj, raw[1], pos)))
    own, certain = own_value(fr, obj, name)
    if own.atoms and certain:
        return own
    if raw is not None:
        return u.join(own, bind(fr, raw[0], obj, raw[1], pos))
    if own.atoms:
        return own
    return _fallback(fr, obj, klass, name, pos)


#: What a getter may raise for ``__getattr__`` to be asked.
_MISSED = frozenset(("AttributeError", "any", "any-"))


def _by_getattr(fr: Frame, obj: Obj, klass: Klass, name: str, pos: Any) -> Value:
    """What ``__getattr__`` gives for an attribute whose getter found none."""
    hook = lookup(fr, klass, "__getattr__")
    if hook is None:
        return fr.world.u.bottom
    method = bind(fr, hook[0], obj, hook[1], pos)
    return calls.call_quietly(fr, method, (fr.world.u.const(name),), pos)


def own_value(fr: Frame, obj: Obj, name: str) -> tuple[Value, bool]:
    """The instance's value on this call path, and whether it surely has one."""
    world, env = fr.world, fr.env
    u = world.u
    assert env is not None
    overrides = env[MODE].overrides
    prefix = u.bottom
    if overrides:
        override = overrides.get((obj, name))
        if override is not None:
            if u.unbound_atom not in override.atoms:
                return override, True
            prefix = u.without(override, u.unbound_atom)
    if obj in fr.tracked:
        own, certain = _tracked_value(fr, obj, name)
        return u.join(prefix, own), certain
    cell = obj.fields.get(name)
    if cell is None:
        cell = obj.fields[name] = Cell(u.bottom)
    cell.readers[fr.root] = None
    return u.join(prefix, cell.value), cell.definite


def _tracked_value(fr: Frame, obj: Obj, name: str) -> tuple[Value, bool]:
    u = fr.world.u
    assert fr.env is not None
    value = fr.env.get((obj, name))
    cell = fr.world.cell(obj.fields, name)
    cell.readers[fr.root] = None
    if value is None:
        return cell.foreign, False
    certain = u.unbound_atom not in value.atoms
    return u.join(u.without(value, u.unbound_atom), cell.foreign), certain


def _data_descriptor(fr: Frame, raw: Value, obj: Obj, pos: Any) -> Value | None:
    """The getter's result where the member is a property or defines ``__get__`` and ``__set__``."""
    u = fr.world.u
    result = None
    for atom in raw.atoms:
        if not isinstance(atom, Obj):
            continue
        if atom.kind == "property":
            result = u.join(result or u.bottom, _ask_property(fr, atom, obj, pos))
    return result


def _ask_property(fr: Frame, prop: Obj, receiver: Atom, pos: Any) -> Value:
    """A getter is a method: the object that it is asked of tells its calls apart."""
    u = fr.world.u
    result = u.bottom
    for getter in fr.world.read(fr, prop.fields, "fget").atoms:
        if isinstance(getter, Function):
            found = calls.call_quietly(fr, u.method(getter, receiver), (), pos)
        else:
            found = calls.call_quietly(fr, u.single(getter), (u.single(receiver),), pos)
        result = u.join(result, found)
    return result


def bind(fr: Frame, raw: Value, receiver: Atom, owner: Klass, pos: Any) -> Value:
    """Class members as seen through an instance."""
    u = fr.world.u
    result = u.bottom
    for atom in raw.atoms:
        if isinstance(atom, Function):
            result = u.join(result, u.method(atom, receiver))
        elif isinstance(atom, Wrapped):
            result = u.join(result, _unwrap(fr, atom, receiver))
        elif isinstance(atom, Obj) and atom.kind == "property":
            result = u.join(result, _ask_property(fr, atom, receiver, pos))
        elif isinstance(atom, Obj) and atom.kind == "partial" and "method" in atom.fields:
            result = u.join(result, u.single(atom))
        elif isinstance(atom, Obj) and atom.kind == "field":  # a dataclass leaves its default, if any
            result = u.join(result, fr.world.read(fr, atom.fields, "default"))
        elif isinstance(atom, Obj) and isinstance(atom.klass, Klass) and lookup(fr, atom.klass, "__get__"):
            getter = attribute_of(fr, atom, "__get__", pos)
            klass = receiver.klass if isinstance(receiver, Obj) and receiver.klass else owner
            result = u.join(
                result, calls.call_quietly(fr, getter, (u.single(receiver), u.single(klass)), pos)
            )
        else:
            result = u.join(result, u.single(atom))
    return result


def _unwrap(fr: Frame, atom: Wrapped, receiver: Atom) -> Value:
    u = fr.world.u
    inner = atom.inner
    if atom.kind == "staticmethod" or not isinstance(inner, Function):
        return u.single(inner)
    klass = receiver if isinstance(receiver, Klass) else receiver.klass if isinstance(receiver, Obj) else None
    return u.method(inner, klass if klass is not None else receiver)


def _fallback(fr: Frame, obj: Obj, klass: Klass, name: str, pos: Any) -> Value:
    """What an instance has without the program's saying so."""
    u = fr.world.u
    if name == "__class__":
        return u.single(klass)
    if name == "__dict__":
        return u.builtin_method("__dict__", obj)
    if name in ("__doc__", "__module__"):
        return u.unknown("str", "runtime")
    asks = name not in ("__setattr__", "__getattr__", "__get__")
    if asks and lookup(fr, klass, "__getattr__") is not None:
        return _by_getattr(fr, obj, klass, name, pos)
    if obj.kind not in ("instance", "enum"):
        return u.bottom
    for base in opaque_bases(fr, klass):
        found = _of_opaque_base(fr, obj, base, name)
        if found is not None:
            return found
    if hasattr(object, name) or name in ("__post_init__",):
        return u.builtin_method(name, obj) if hasattr(object, name) else u.bottom
    base_type = value_base(fr, klass)
    if base_type and hasattr(getattr(builtins, base_type), name):
        some = u.sequence_of(u.external) if base_type == "tuple" else u.unknown(base_type, "runtime")
        return u.builtin_method(name, some.atoms[0])
    return u.bottom


def _of_opaque_base(fr: Frame, obj: Obj, base: Atom, name: str) -> Value | None:
    """An attribute that a third-party base may provide; None if it surely does not."""
    u = fr.world.u
    if isinstance(base, Builtin):
        kind = getattr(builtins, base.name, None)
        return u.builtin_method(name, obj) if kind is not None and hasattr(kind, name) else None
    assert isinstance(base, External)
    known = fr.world.model.attributes_of.get(base.name)
    if known is None:
        if name.startswith("__") and name.endswith("__"):
            return None
        return u.join(u.builtin_method(name, obj), u.external)
    if name in known:
        return u.builtin_method(name, obj)
    return u.external if name in fr.world.model.data_of.get(base.name, ()) else None


def _of_external_object(fr: Frame, obj: Obj, name: str) -> Value:
    """An instance of a third-party class: what the program put there, or anything."""
    u = fr.world.u
    own = fr.world.read(fr, obj.fields, name)
    if isinstance(obj.klass, External):
        known = fr.world.model.attributes_of.get(obj.klass.name)
        methods = fr.world.model.methods.get(obj.klass.name, {})
        if name in methods:
            return u.builtin_method(name, obj)
        if known is not None and name not in known:
            unknown = fr.world.read(fr, obj.fields, "[unknown]")
            return u.join(own, unknown)
    if name == "__class__" and obj.klass is not None:
        return u.single(obj.klass)
    if own.atoms and obj.fields[name].definite:
        return own
    if isinstance(obj.klass, External) and name in fr.world.model.data_of.get(obj.klass.name, ()):
        return u.join(own, u.object)
    return u.join_all((own, u.builtin_method(name, obj), u.external))


# ---- classes, modules, functions ----------------------------------------------
def _of_class(fr: Frame, klass: Klass, name: str, pos: Any) -> Value:
    u = fr.world.u
    overrides = fr.env[MODE].overrides if fr.env is not None else None
    if overrides and (klass, name) in overrides:
        return u.without(overrides[klass, name], u.unbound_atom)
    raw = lookup(fr, klass, name)
    if raw is not None:
        result = u.bottom
        for atom in raw[0].atoms:
            value = _unwrap(fr, atom, klass) if isinstance(atom, Wrapped) else u.single(atom)
            result = u.join(result, value)
        return result
    special = _class_special(fr, klass, name)
    if special is not None:
        return special
    for base in opaque_bases(fr, klass):
        if isinstance(base, External) and not (name.startswith("__") and name.endswith("__")):
            known = fr.world.model.attributes_of.get(base.name)
            if known is None:
                return u.join(u.builtin_method(name, klass), u.external)
            if name in known:
                return u.builtin_method(name, klass)
            if name in fr.world.model.data_of.get(base.name, ()):
                return u.external
        if isinstance(base, Builtin) and hasattr(getattr(builtins, base.name, None), name):
            return u.builtin_method(name, klass)
    if hasattr(type, name):
        return u.builtin_method(name, klass)
    return u.bottom


def _class_special(fr: Frame, klass: Klass, name: str) -> Value | None:
    u = fr.world.u
    if name in ("__name__", "__qualname__"):
        return u.const(klass.info.name if name == "__name__" else klass.info.qualname)
    if name == "__module__":
        return u.const(klass.module.name)
    if name in ("__mro__", "__bases__"):
        return u.sequence(tuple(u.single(a) for a in mro(fr, klass)))
    if name == "__members__" and klass.members:
        return u.sequence(tuple(u.single(m) for m in klass.members.values()))
    if name in ("_fields", "__struct_fields__", "__match_args__"):
        return u.sequence(tuple(u.const(f) for f in calls.all_fields(fr, klass)))
    if name in ("__annotations__", "__dataclass_fields__", "model_fields"):
        made = u.intern(("field table", klass), lambda: Obj("dict", None, "fields", ()))
        for field in calls.all_fields(fr, klass):
            containers.add_key(fr, made, u.const(field), u.object, certain=True)
        return u.single(made)
    if name == "__dict__":
        return u.builtin_method("__dict__", klass)
    if any(isinstance(b, External) and b.name.startswith("enum.") for b in external_bases(fr, klass)):
        return u.builtin_method(name, klass) if name in ("__members__", "__getitem__", "__iter__") else None
    return None


def _of_module(fr: Frame, module: Module, name: str, pos: Any) -> Value:
    u = fr.world.u
    assert fr.env is not None
    override = fr.mode.overrides.get((module, name))
    if override is not None and u.unbound_atom not in override.atoms:
        return override
    if module.state.unfinished:
        evaluation.show_global(fr.world, module.state, name)
    value = fr.world.read(fr, module.fields, name)
    if override is not None:
        value = u.join(value, u.without(override, u.unbound_atom))
    if value.atoms:
        return value
    if name == "__name__":
        return u.const(module.state.name)
    if name == "__path__" and module.state.is_package:
        return u.sequence((u.const("package:" + module.state.name),))
    if name in ("__file__", "__path__", "__doc__"):
        return u.unknown("str", "runtime")
    if name == "__dict__":
        return u.builtin_method("__dict__", module)
    stars = fr.world.read(fr, module.fields, STAR)
    if stars.atoms and not name.startswith("_"):
        return get_attribute(fr, stars, name, pos, quiet=True)
    hook = fr.world.read(fr, module.fields, "__getattr__")
    if hook.atoms and not (name.startswith("__") and name.endswith("__")):
        return calls.call_quietly(fr, hook, (u.const(name),), pos)
    return u.bottom


def _of_wrapped(fr: Frame, wrapped: Wrapped, name: str, pos: Any) -> Value:
    """A ``staticmethod`` or ``classmethod`` itself, as a class body sees it."""
    if name in ("__func__", "__wrapped__"):
        return fr.world.u.single(wrapped.inner)
    return attribute_of(fr, wrapped.inner, name, pos)


def _of_function(fr: Frame, function: Function, name: str, pos: Any) -> Value:
    u = fr.world.u
    own = fr.world.read(fr, function.fields, name)
    if own.atoms:
        return own
    if name in ("__name__", "__qualname__"):
        return u.const(function.code.name)
    if name == "__module__":
        return u.const(function.module.name)
    if name == "__get__":
        return u.builtin_method("__get__", function)
    if name == "__wrapped__":
        return u.bottom
    if name.startswith("__"):
        return u.object if hasattr(_sample, name) else u.bottom
    return u.external


def _sample() -> None:
    """A plain function, to ask which attributes functions have."""


def _of_method(fr: Frame, method: Method, name: str, pos: Any) -> Value:
    u = fr.world.u
    if name == "__self__":
        return u.single(method.receiver)
    if name == "__func__":
        return u.single(method.function)
    return _of_function(fr, method.function, name, pos)


def _of_super(fr: Frame, sup: Super, name: str, pos: Any) -> Value:
    u = fr.world.u
    receiver = sup.receiver
    klass = receiver if isinstance(receiver, Klass) else receiver.klass if isinstance(receiver, Obj) else None
    if not isinstance(klass, Klass):
        return u.external
    order = mro(fr, klass)
    raw = lookup_after(fr, order, sup.klass, name)
    if raw is not None:
        return (
            bind(fr, raw[0], receiver, raw[1], pos)
            if not isinstance(receiver, Klass)
            else _class_bind(fr, raw[0], receiver)
        )
    return u.builtin_method(name, receiver)


def _class_bind(fr: Frame, raw: Value, klass: Klass) -> Value:
    u = fr.world.u
    return u.join_all(_unwrap(fr, a, klass) if isinstance(a, Wrapped) else u.single(a) for a in raw.atoms)


# ---- what is not the program's ----------------------------------------------
def _of_external(fr: Frame, ext: External, name: str, pos: Any) -> Value:
    u, model = fr.world.u, fr.world.model
    dotted = f"{ext.name}.{name}"
    own = fr.world.read(fr, ext.fields, name)
    if name == "__dict__" and ext.name in PLAIN_BASES:
        return u.builtin_method("__dict__", ext)
    if dotted in model.attributes:
        given = model.attributes[dotted]
        if given is MISSING:
            return own
        return u.join(own, given(fr) if callable(given) else u.const(given))
    if model.package(dotted) is False:
        return own
    if dotted.count(".") > MAX_DOTS:
        return u.join(own, u.object)
    return u.join(own, u.ext(dotted))


def _of_unknown(fr: Frame, unknown: Unknown, name: str, pos: Any) -> Value:
    u = fr.world.u
    if unknown.type not in ("any", "object"):
        kind = getattr(builtins, unknown.type)
        return u.builtin_method(name, unknown) if hasattr(kind, name) else u.bottom
    stored = fr.world.read(fr, fr.world.external_fields, name)
    if unknown.origin == "lost":
        return u.join(stored, u.lost)
    if unknown.origin == "fact":
        return u.join(stored, u.unknown("any", "fact", unknown.fact))
    known = fr.world.model.external_attributes.get(name)
    return u.join(stored, u.external if known is None else u.const(known))


def _of_const(fr: Frame, const: Const, name: str, pos: Any) -> Value:
    u = fr.world.u
    if name == "__class__":
        return u.builtin(type(const.value).__name__)
    return u.builtin_method(name, const) if hasattr(const.value, name) else u.bottom


def _of_sequence(fr: Frame, sequence: Sequence, name: str, pos: Any) -> Value:
    u = fr.world.u
    if isinstance(sequence.klass, Klass):
        fields = calls.all_fields(fr, sequence.klass)
        if name in fields:
            index = fields.index(name)
            if sequence.items is not None and index < len(sequence.items):
                return sequence.items[index]
            return u.element(sequence)
        raw = lookup(fr, sequence.klass, name)
        if raw is not None:
            return bind(fr, raw[0], sequence, raw[1], pos)
        if name in ("_replace", "_asdict", "_fields"):
            return u.builtin_method(name, sequence)
    return u.builtin_method(name, sequence) if hasattr((), name) else u.bottom


def _of_builtin(fr: Frame, builtin: Builtin, name: str, pos: Any) -> Value:
    u = fr.world.u
    real: Any = getattr(builtins, builtin.name, None)
    if name == "__name__":
        return u.const(builtin.name)
    if real is not None and hasattr(real, name):
        return u.builtin_method(name, builtin)
    return u.bottom


def _of_builtin_method(fr: Frame, method: BuiltinMethod, name: str, pos: Any) -> Value:
    u = fr.world.u
    if method.name == "__dict__":
        return u.builtin_method(f"__dict__.{name}", method.receiver)
    if name == "__name__":
        return u.const(method.name)
    if name == "__self__":
        return u.single(method.receiver)
    return u.external


_GET: dict[type, Any] = {
    Obj: _of_object,
    Klass: _of_class,
    Module: _of_module,
    Function: _of_function,
    Wrapped: _of_wrapped,
    Method: _of_method,
    Super: _of_super,
    External: _of_external,
    Unknown: _of_unknown,
    Const: _of_const,
    Sequence: _of_sequence,
    Builtin: _of_builtin,
    BuiltinMethod: _of_builtin_method,
}


# ---- writes --------------------------------------------------------------------
def set_attribute(fr: Frame, base: Value, name: str, value: Value, pos: Any, mark: int = SCOPE_NONE) -> None:
    """``base.name = value`` on every atom that can take it."""
    if mark != SCOPE_NONE and _scoped(fr, base, name, value, mark):
        return
    if len(base.atoms) > 1:
        set_perhaps(fr, base, name, value, pos)
        return
    escape(fr, value, keep=base)
    for atom in base.atoms:
        _set_on(fr, atom, name, value, pos)


def set_perhaps(fr: Frame, base: Value, name: str, value: Value, pos: Any) -> None:
    """A write to one of several objects or names: what each had before may still be there."""
    u = fr.world.u
    assert fr.env is not None
    escape(fr, value, keep=base)
    for atom in base.atoms:
        before, had = fr.env.get((atom, name), u.unbound), fr.env.get((HAS, atom, name))
        _set_on(fr, atom, name, value, pos)
        _keep_perhaps(fr, atom, name, before, had)


def _keep_perhaps(fr: Frame, atom: Atom, name: str, before: Value, had: Value | None) -> None:
    """Join what the path knew before a write that may have gone elsewhere."""
    if fr.env is None:
        return
    if (atom, name) in fr.env:
        fr.env[atom, name] = fr.world.u.join(before, fr.env[atom, name])
    if had is None:
        fr.env.pop((HAS, atom, name), None)


def _scoped(fr: Frame, base: Value, name: str, value: Value, mark: int) -> bool:
    """A temporary write changes the mode of this call path instead of the heap."""
    u = fr.world.u
    assert fr.env is not None
    targets = [
        a
        for a in base.atoms
        if isinstance(a, Obj | Module | Klass) and not (isinstance(a, Obj) and a in fr.tracked)
    ]
    if len(targets) != len(base.atoms) or not targets:
        return False
    overrides = dict(fr.mode.overrides)
    for atom in targets:
        if mark in (SCOPE_RESTORE, SCOPE_RESET):
            end_override(fr, overrides, (atom, name), value, mark, len(targets) == 1)
        else:
            overrides[atom, name] = value if len(targets) == 1 else u.join(value, u.unbound)
    fr.env[MODE] = fr.world.mode(overrides)
    return mark in (SCOPE_SET, SCOPE_RESTORE)


def _set_on(fr: Frame, atom: Atom, name: str, value: Value, pos: Any) -> None:
    world = fr.world
    if name == object_dict.DICT and isinstance(atom, Obj):
        object_dict.update(fr, atom, value, pos)
        return
    if isinstance(atom, Obj):
        if isinstance(atom.klass, Klass) and _set_by_class(fr, atom, atom.klass, name, value, pos):
            return
        store(fr, atom, name, value)
    elif isinstance(atom, Klass):
        add_member(fr, atom, name, value)
    elif isinstance(atom, Module | External | Builtin | Function):
        world.write(fr, world.cell(atom.fields, name), value)
        if isinstance(atom, External):
            externals.planted(fr, value, pos)
    elif isinstance(atom, Method):
        world.write(fr, world.cell(atom.function.fields, name), value)
    elif isinstance(atom, Unknown):
        world.write(fr, world.cell(world.external_fields, name), value)


def _set_by_class(fr: Frame, obj: Obj, klass: Klass, name: str, value: Value, pos: Any) -> bool:
    """``__setattr__``, a property's setter or a descriptor's ``__set__``."""
    u = fr.world.u
    hook = lookup(fr, klass, "__setattr__")
    if hook is not None:
        calls.call_quietly(fr, bind(fr, hook[0], obj, hook[1], pos), (u.const(name), value), pos)
        return True
    raw = lookup(fr, klass, name)
    handled = False
    for atom in raw[0].atoms if raw is not None else ():
        if isinstance(atom, Obj) and atom.kind == "property":
            setter = fr.world.read(fr, atom.fields, "fset")
            calls.call_quietly(fr, setter, (u.single(obj), value), pos)
            handled = True
        elif isinstance(atom, Obj) and isinstance(atom.klass, Klass) and lookup(fr, atom.klass, "__set__"):
            setter = attribute_of(fr, atom, "__set__", pos)
            calls.call_quietly(fr, setter, (u.single(obj), value), pos)
            handled = True
    return handled


def store(fr: Frame, obj: Obj, name: str, value: Value) -> None:
    """Write the instance's own attribute: strongly while it is under construction here."""
    assert fr.env is not None
    if obj in fr.tracked:
        fr.env[obj, name] = value
        cell = fr.world.cell(obj.fields, name)
        cell.writes.setdefault((fr.context.module.name, fr.unit), value)
        if fr.tracked[obj].escaped:
            publish_field(fr, obj, name, value)
        return
    cell = fr.world.cell(obj.fields, name)
    new = not cell.value.atoms
    fr.world.write(fr, cell, value)
    if new:
        note_field(fr.world, obj, name)
    if is_closed(fr, obj):
        fr.env[HAS, obj, name] = fr.world.u.true


def is_closed(fr: Frame, obj: Obj) -> bool:
    """Whether a third-party object has no attributes but those that the program gives it."""
    klass = obj.klass
    return (
        obj.kind == "external"
        and isinstance(klass, External)
        and fr.world.model.attributes_of.get(klass.name) == frozenset()
    )


def closed_has(fr: Frame, obj: Obj, name: str) -> int:
    """Outcome bits of ``hasattr`` for a closed object: stored on this path, always, perhaps, or never."""
    assert fr.env is not None
    own = fr.world.read(fr, obj.fields, name)
    if not own.atoms:
        return 2
    surely = obj.fields[name].definite or fr.env.get((HAS, obj, name)) is fr.world.u.true
    return 1 if surely else 3


def remove_attribute(fr: Frame, base: Value, name: str, perhaps: bool = False) -> None:
    """``del base.name``: from here on the attribute may be missing; ``perhaps``: of several names."""
    assert fr.env is not None
    u = fr.world.u
    perhaps = perhaps or len(base.atoms) > 1
    for atom in base.atoms:
        if isinstance(atom, Klass) and name in atom.fields:
            remove_member(fr, atom, name)
        if not isinstance(atom, Obj):
            continue
        if atom in fr.tracked:
            held = fr.env.get((atom, name), u.unbound)
            fr.env[atom, name] = u.join(held, u.unbound) if perhaps else u.unbound
        fr.env.pop((HAS, atom, name), None)
        cell = fr.world.cell(atom.fields, name)
        if not cell.removed:
            cell.removed, cell.definite = True, False
            for reader in cell.readers:
                fr.world.mark(reader)


def note_field(world: World, obj: Obj, name: str) -> None:
    """Wake whoever has listed the object's attributes."""
    listing = obj.fields.get(FIELDS)
    if listing is not None:
        world.grow(listing, world.u.const(name))


def listed(fr: Frame, obj: Atom) -> list[tuple[str, Value]]:
    """The attributes an object or module is known to have, with their values."""
    fields: dict[Any, Cell] = getattr(obj, "fields", {})
    if isinstance(obj, Module):
        evaluation.show_globals(fr.world, obj.state)
    fr.world.read(fr, fields, FIELDS)
    names = [n for n in list(fields) if type(n) is str and not n.startswith("[")]
    found = [(n, fr.world.read(fr, fields, n)) for n in names]
    if isinstance(obj, Obj) and obj in fr.tracked and fr.env is not None:
        known = {k[1]: v for k, v in fr.env.items() if type(k) is tuple and k[0] is obj}
        found = [(n, v) for n, v in found if n not in known] + [
            (n, v) for n, v in known.items() if type(n) is str
        ]
    return [(n, fr.world.u.without(v, fr.world.u.unbound_atom)) for n, v in found if v.atoms]


def setattr_object(fr: Frame, obj: Obj, names: list[str] | None, value: Value) -> None:
    """``object.__setattr__``, past the class's own hook; None for a name that is not known."""
    world, u = fr.world, fr.world.u
    assert fr.env is not None
    escape(fr, value, keep=u.single(obj))
    if names is None:
        world.write(fr, world.cell(obj.fields, ANY), value)
    fields = [n for n in list(obj.fields) if type(n) is str and not n.startswith("[")]
    for name in fields if names is None else names:
        before, had = fr.env.get((obj, name), u.unbound), fr.env.get((HAS, obj, name))
        store(fr, obj, name, value)
        if names is None or len(names) > 1:
            _keep_perhaps(fr, obj, name, before, had)


# ---- configurations given as facts ------------------------------------------------
def configuration_of(fr: Frame, obj: Obj) -> str:
    """The external class whose attributes a configuration has."""
    name = obj.klass.name if isinstance(obj.klass, External) else ""
    return name if name in fr.world.model.attributes_of or not name else fr.world.model.configuration


def facts_attribute(fr: Frame, obj: Obj, name: str) -> Value:
    """An attribute of a configuration: given, written by the program, or an unknown fact."""
    u = fr.world.u
    if isinstance(obj.klass, Builtin):
        return u.builtin_method(name, obj) if hasattr(dict, name) else u.bottom
    own = fr.world.read(fr, obj.fields, name)
    if own.atoms:
        return own
    known = fr.world.model.attributes_of.get(configuration_of(fr, obj))
    if known is not None and name in known:
        return u.builtin_method(name, obj)
    if name == "__dict__":
        return u.builtin_method("__dict__", obj)
    if name.startswith("__"):
        return u.single(obj.klass) if name == "__class__" and obj.klass is not None else u.bottom
    return u.unknown("any", "fact", f"{obj.name}.{name}")


def facts_has(fr: Frame, obj: Obj, name: str) -> int:
    """Outcome bits of "the configuration has this": what is not given is absent, class defaults apart."""
    own = fr.world.read(fr, obj.fields, name)
    if own.atoms:
        return 1
    owner = configuration_of(fr, obj)
    if name in fr.world.model.attributes_of.get(owner, ()):
        return 1
    return 3 if name in fr.world.model.data_of.get(owner, ()) else 2
