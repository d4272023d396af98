"""Builtin functions, types and the methods of builtin values."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pathcheck.flow import attributes, calls, classes, containers, hints, implicit, object_dict, stdlib, tests
from pathcheck.flow.construction import escape, publish, tracked_part
from pathcheck.flow.frame import MODE, Dead, Frame, Track
from pathcheck.flow.heap import ANY, ELEMENT, KEYS
from pathcheck.flow.operators import BOTH, FALSE, TRUE, plain, unknown_of
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
    Universe,
    Unknown,
    Value,
    Wrapped,
)

if TYPE_CHECKING:
    from pathcheck.flow.calls import Args

#: External bases whose annotated fields become constructor parameters.
FIELD_BASES = ("pydantic.BaseModel", "msgspec.Struct", "pydantic_settings.BaseSettings")
_CONTAINER_BASES = {
    "dict": "dict",
    "list": "list",
    "set": "set",
    "collections.OrderedDict": "dict",
    "collections.defaultdict": "dict",
    "collections.UserDict": "dict",
    "collections.deque": "list",
    "collections.UserList": "list",
    "frozenset": "set",
    "collections.Counter": "dict",
}


def container_kind(fr: Frame, klass: Klass) -> str:
    """ "dict", "list" or "set" for classes that derive from one, else "instance"."""
    for base in classes.external_bases(fr, klass):
        kind = _CONTAINER_BASES.get(getattr(base, "name", ""))
        if kind is not None:
            return kind
    return "instance"


# ---- isinstance -----------------------------------------------------------------
def flat_kinds(fr: Frame, kinds: Value) -> list[Atom]:
    """Classes named by a class, a tuple of classes or a union."""
    found: list[Atom] = []
    for atom in kinds.atoms:
        if isinstance(atom, Sequence):
            found += flat_kinds(fr, fr.world.u.element(atom))
        else:
            found.append(atom)
    return found


def instance_bits(fr: Frame, atom: Atom, kinds: Value) -> int:
    """Outcome bits of ``isinstance(atom, kinds)``."""
    bits = FALSE
    for kind in flat_kinds(fr, kinds):
        here = _instance_of(fr, atom, kind)
        if here == TRUE and len(kinds.atoms) == 1:
            return TRUE
        if here & TRUE:
            bits = BOTH
    return bits


def _instance_of(fr: Frame, atom: Atom, kind: Atom) -> int:
    if isinstance(kind, Const) and kind.value is None:
        return TRUE if isinstance(atom, Const) and atom.value is None else FALSE
    if isinstance(atom, Unknown):
        return _unknown_instance(fr, atom, kind)
    owner = class_of(fr, atom)
    if owner is None:
        return BOTH
    if (
        isinstance(kind, Klass)
        and kind.flags.get("protocol")
        and classes.is_subclass(fr, owner, kind) is not True
    ):
        return BOTH  # structural: runtime_checkable protocols look at attributes
    if (
        isinstance(kind, External)
        and kind.name.rpartition(".")[2] in _ABSTRACT
        and kind.name.split(".")[0] in ("typing", "collections")
    ):
        return _abstract(atom, kind.name.rpartition(".")[2])
    answer = classes.is_subclass(fr, owner, kind)
    if answer is None:
        return BOTH
    return TRUE if answer else FALSE


_ABSTRACT = (
    "Iterable",
    "Sequence",
    "Mapping",
    "Callable",
    "List",
    "Dict",
    "Tuple",
    "Set",
    "Hashable",
    "Sized",
    "Container",
    "Iterator",
    "Generator",
)


def _abstract(atom: Atom, name: str) -> int:
    """Instances of the abstract collection classes."""
    if name == "Callable":
        return (
            TRUE
            if isinstance(atom, Function | Method | Klass | BuiltinMethod | Builtin)
            else BOTH
            if isinstance(atom, Obj | External)
            else FALSE
        )
    kind = atom.kind if isinstance(atom, Obj) else "tuple" if isinstance(atom, Sequence) else ""
    wanted = {
        "Sequence": ("list", "tuple"),
        "List": ("list",),
        "Tuple": ("tuple",),
        "Mapping": ("dict", "facts"),
        "Dict": ("dict",),
        "Set": ("set",),
        "Iterable": ("list", "tuple", "dict", "set", "generator"),
    }.get(name)
    if isinstance(atom, Const):
        return (
            (TRUE if isinstance(atom.value, str | bytes) else FALSE)
            if name in ("Iterable", "Sequence")
            else FALSE
        )
    if wanted is None or kind in ("instance", "external", ""):
        return BOTH
    return TRUE if kind in wanted else FALSE


def _unknown_instance(fr: Frame, atom: Unknown, kind: Atom) -> int:
    if atom.type not in ("any", "object"):
        if isinstance(kind, Builtin):
            real, want = getattr(builtins, atom.type), getattr(builtins, kind.name, None)
            return TRUE if isinstance(want, type) and issubclass(real, want) else FALSE
        return (
            FALSE
            if isinstance(kind, Klass)
            else BOTH
            if atom.type == "str" and isinstance(kind, External) and "Sequence" in kind.name
            else FALSE
        )
    if isinstance(kind, Klass):
        if atom.origin == "lost":
            return BOTH
        fr.world.stage_readers[fr.root] = None
        return BOTH if fr.world.stage == 2 and atom.origin == "external" else FALSE
    return BOTH


def class_of(fr: Frame, atom: Atom) -> Atom | None:
    """The class of an atom as an atom; None where it is not known."""
    u = fr.world.u
    if isinstance(atom, Const):
        return u.builtin(type(atom.value).__name__).atoms[0]
    if isinstance(atom, Obj):
        if atom.klass is not None:
            return atom.klass
        name = {"list": "list", "dict": "dict", "set": "set", "property": "property"}.get(atom.kind)
        return u.builtin(name).atoms[0] if name else u.ext(f"types.{atom.kind}").atoms[0]
    if isinstance(atom, Sequence):
        if atom.klass == containers.SLICE:
            return u.builtin("slice").atoms[0]
        return atom.klass if isinstance(atom.klass, Klass) else u.builtin("tuple").atoms[0]
    if isinstance(atom, Klass | Builtin):
        return u.builtin("type").atoms[0]
    if isinstance(atom, Function):
        return u.ext("types.FunctionType").atoms[0]
    if isinstance(atom, Method):
        return u.ext("types.MethodType").atoms[0]
    if isinstance(atom, Module):
        return u.ext("types.ModuleType").atoms[0]
    return None


def as_instances(fr: Frame, value: Value, kinds: Value) -> Value:
    """After a true ``isinstance``: unknown atoms become the instances the program made."""
    unknown = [a for a in value.atoms if isinstance(a, Unknown) and a.type in ("any", "object")]
    if not unknown:
        return value
    u = fr.world.u
    parts = u.value(tuple(a for a in value.atoms if a not in unknown))
    for kind in flat_kinds(fr, kinds):
        if isinstance(kind, Klass):
            cell = fr.world.extent(kind)
            cell.readers[fr.root] = None
            parts = u.join(parts, cell.value)
        elif isinstance(kind, Builtin) and kind.name in ("int", "float", "str", "bool", "bytes"):
            parts = u.join(parts, u.unknown(kind.name, unknown[0].origin, unknown[0].fact))
        else:
            parts = u.join(parts, u.value(tuple(unknown)))
    return parts if parts.atoms else value


# ---- construction without a written __init__ ----------------------------------------
def construct_special(fr: Frame, klass: Klass, args: Args, pos: Any) -> Value | None:
    """Calls of classes that do not make ordinary instances: enums, named tuples, typed dicts."""
    u = fr.world.u
    if "enum" in klass.flags and klass.members:
        return _enum_call(fr, klass, args)
    if klass.flags.get("namedtuple"):
        names = calls.all_fields(fr, klass)
        items = []
        for index, name in enumerate(names):
            if index < len(args.positional):
                items.append(args.positional[index])
            elif name in args.keywords:
                items.append(args.keywords[name])
            else:
                found = classes.lookup(fr, klass, name)
                rest = args.rest or args.rest_keywords or u.bottom
                items.append(
                    u.join(found[0], rest) if found is not None else rest if rest.atoms else u.external
                )
        return u.sequence(tuple(items), klass)
    if klass.flags.get("typeddict"):
        made = containers.new_dict(fr, pos)
        for name, value in args.keywords.items():
            containers.set_item(fr, made, u.const(name), value, pos, certain=True)
        return made
    return None


def _enum_call(fr: Frame, klass: Klass, args: Args) -> Value:
    """``Color(value)``: members by value."""
    u = fr.world.u
    result = left_over = u.bottom
    for atom in args.positional[0].atoms if args.positional else ():
        if atom in klass.members.values():
            result = u.join(result, u.single(atom))
            continue
        found = False
        for enum_member in klass.members.values():
            value = fr.world.read(fr, enum_member.fields, "value")
            bits = 0
            for other in value.atoms:
                bits |= tests.compare_atoms(fr, "==", atom, other, 0)
            if bits & TRUE:
                result = u.join(result, u.single(enum_member))
            found = found or bits == TRUE
        if not found:
            left_over = u.join(left_over, u.single(atom))
    missing = classes.lookup(fr, klass, "_missing_")
    if missing is not None and left_over.atoms:  # asked only for what is no member's value
        hook = attributes.attribute_of(fr, klass, "_missing_", 0)
        result = u.join(result, calls.call_quietly(fr, hook, (left_over,), 0))
    if left_over.atoms or not result.atoms:
        fr.raises.setdefault("ValueError")
    return u.without(result, u.none.atoms[0])


def implicit_init(fr: Frame, obj: Obj, klass: Klass, args: Args, pos: Any) -> Value:
    """``__init__`` made by a dataclass decorator or a base, or inherited from outside the program."""
    u = fr.world.u
    if is_record(fr, klass):
        return record_init(fr, obj, klass, args, pos)
    for value in args.values():
        escape(fr, value)
    if obj.kind in ("list", "dict", "set") and args.positional:
        _fill(fr, obj, args, pos)
    containers.hold_items(fr, obj, args.positional, pos)
    opaque = classes.opaque_bases(fr, klass)
    for base in opaque:
        summary = fr.world.model.methods.get(getattr(base, "name", ""), {}).get("__init__")
        if summary is not None:
            summary(fr, obj, tuple(args.positional), args.keywords, pos)
            return u.single(obj)
    if opaque and args.values():
        containers.keep(fr, obj, args.values())
        for name in ("args",):
            fr.world.write(fr, fr.world.cell(obj.fields, name), u.sequence(tuple(args.positional)))
    return u.single(obj)


def written_init(fr: Frame, klass: Klass) -> tuple[Value, Klass] | None:
    """The ``__init__`` that construction runs; None where a dataclass in front of it makes its own."""
    for owner in classes.mro(fr, klass):
        if not isinstance(owner, Klass):
            continue
        own = fr.world.read(fr, owner.fields, "__init__")
        if own.atoms:
            return own, owner
        if owner.flags.get("dataclass"):
            return None
    return None


def is_record(fr: Frame, klass: Klass) -> bool:
    """Whether annotated fields make the constructor."""
    order = classes.mro(fr, klass)
    if any(isinstance(k, Klass) and k.flags.get("dataclass") for k in order):
        return True
    return any(isinstance(k, External) and k.name in FIELD_BASES for k in order)


def record_init(fr: Frame, obj: Obj, klass: Klass, args: Args, pos: Any) -> Value:
    """Fields in order, defaults and factories, then ``__post_init__`` on the object itself."""
    world, u = fr.world, fr.world.u
    key = ("record", pos, klass)
    context = fr.context.inlined(key)
    if context is None:
        assert klass.module.ir is not None
        context = world.new_context(klass.module, klass.module.ir.codes[klass.info.code], None, None)
        context.root = fr.root
        fr.context.inlines[key] = context
    context.mode = fr.mode
    context.hobjs = (obj,)
    context.evaluations += 1
    calls.note_call(fr, context)
    env = tracked_part(fr)
    env[MODE] = fr.mode
    inner = Frame(world, context, fr.root, env, fr.depth + 1)
    inner.inline_chain = fr.inline_chain
    own = obj in fr.tracked
    inner.tracked = dict(fr.tracked) if own else {**fr.tracked, obj: Track()}
    inner.unit = klass.module.ir.codes[klass.info.code].unit if klass.module.ir else -1
    init_only = _bind_fields(inner, obj, klass, args, pos, (fr.module.name, fr.unit) in world.lifted)
    if init_only is None:
        fr.reason = inner.reason
        return u.bottom
    for name in ("__post_init__", "model_post_init"):
        if classes.lookup(inner, klass, name) is not None:
            hook = attributes.get_attribute(inner, u.single(obj), name, pos)
            extra = tuple(init_only) if name == "__post_init__" else (u.external,)
            try:
                calls.call_value(inner, hook, extra, {}, pos)
            except Dead:
                fr.reason = inner.reason
                for raised in inner.raises:
                    fr.raises.setdefault(raised)
                return u.bottom
    for raised in inner.raises:
        fr.raises.setdefault(raised)
    if not own:
        publish(inner, obj, inner.env, final=True)
    assert fr.env is not None and inner.env is not None
    fr.env = {k: v for k, v in fr.env.items() if type(k) is not tuple}
    fr.env.update((k, v) for k, v in inner.env.items() if type(k) is tuple and k[0] in fr.tracked)
    return u.single(obj)


def _bind_fields(fr: Frame, obj: Obj, klass: Klass, args: Args, pos: Any, lifted: bool) -> list[Value] | None:
    """Give each field its value; the values of ``InitVar`` ones, None where the call does not fit.

    A lifted call goes on all the same, with a lost value for each argument that it misses.
    """
    u = fr.world.u
    names = calls.all_fields(fr, klass)
    taken = [n for n in names if not _declared(fr, klass, n, "init", u.false)]
    order = [n for n in taken if not _keyword_only(fr, klass, n)]
    init_only = _init_only(fr, klass)
    by_class = classes.lookup(fr, klass, "__setattr__") is not None
    for name in names:
        value = u.bottom
        index = order.index(name) if name in order else len(args.positional)
        if index < len(args.positional):
            value = args.positional[index]
        elif name in args.keywords and name in taken:
            value = args.keywords[name]
        if not value.atoms or u.unbound_atom in value.atoms:
            default = field_default(fr, klass, name, (pos, name))
            value = u.join(u.without(value, u.unbound_atom), default)
            if name in taken:
                value = u.join_all((value, args.rest or u.bottom, args.rest_keywords or u.bottom))
        if not value.atoms:
            if name not in taken:  # not set until the class does so itself
                continue
            if any(isinstance(b, External) for b in classes.opaque_bases(fr, klass)):
                value = u.external
            elif lifted:
                value = u.lost
            else:
                fr.reason = f"missing argument {name} of {klass!r}"
                fr.raises.setdefault("TypeError")
                return None
        if name in init_only:
            init_only[name] = value
        elif by_class:
            attributes.set_attribute(fr, u.single(obj), name, value, pos)
        else:
            attributes.store(fr, obj, name, value)
    unknown = [n for n in args.keywords if n not in taken]
    if unknown and not classes.opaque_bases(fr, klass) and not lifted:
        fr.reason = f"no field {unknown[0]} of {klass!r}"
        fr.raises.setdefault("TypeError")
        return None
    return list(init_only.values())


def _init_only(fr: Frame, klass: Klass) -> dict[str, Value]:
    """The ``InitVar`` fields, in order: they go to ``__post_init__`` and are not kept."""
    found: dict[str, Value] = {}
    for owner in reversed(classes.mro(fr, klass)):
        if isinstance(owner, Klass) and owner.flags.get("dataclass"):
            for name, annotation, _ in owner.info.fields:
                if hints.is_init_variable(annotation):
                    found[name] = fr.world.u.bottom
    return found


def _keyword_only(fr: Frame, klass: Klass, name: str) -> bool:
    """Whether a field is declared ``field(kw_only=True)`` or in a keyword-only dataclass."""
    owner = _owner(fr, klass, name)
    return owner is not None and (
        bool(owner.flags.get("kw_only")) or _declared(fr, klass, name, "kw_only", fr.world.u.true)
    )


def _owner(fr: Frame, klass: Klass, name: str) -> Klass | None:
    """The class that declares a field."""
    for owner in classes.mro(fr, klass):
        if isinstance(owner, Klass) and name in (f for f, _, _ in owner.info.fields):
            return owner
    return None


def _declared(fr: Frame, klass: Klass, name: str, part: str, stated: Value) -> bool:
    """Whether a field's ``field(...)`` states this of a part of it."""
    owner = _owner(fr, klass, name)
    cell = owner.fields.get(name) if owner is not None else None
    for atom in cell.value.atoms if cell is not None else ():
        if isinstance(atom, Obj) and atom.kind == "field":
            given = atom.fields.get(part)
            return given is not None and stated.atoms[0] in given.value.atoms
    return False


def field_default(fr: Frame, klass: Klass, name: str, pos: Any) -> Value:
    """A field's default, or what its factory makes."""
    u = fr.world.u
    found = classes.lookup(fr, klass, name)
    result = u.bottom
    for atom in found[0].atoms if found is not None else ():
        if isinstance(atom, Obj) and atom.kind == "field":
            result = u.join(result, fr.world.read(fr, atom.fields, "default"))
            factory = fr.world.read(fr, atom.fields, "default_factory")
            if factory.atoms:
                result = u.join(result, calls.call_quietly(fr, factory, (), pos))
        elif isinstance(atom, Obj) and atom.kind == "property":
            continue
        else:
            result = u.join(result, u.single(atom))
    return result


def _fill(fr: Frame, obj: Obj, args: Args, pos: Any) -> None:
    source = args.positional[0]
    if obj.kind == "dict":
        containers.update_dict(fr, fr.world.u.single(obj), source, pos)
    elif obj.kind == "list":
        containers.extend(fr, obj, containers.iterate(fr, source, pos, quiet=True))
    else:
        containers.add_key(
            fr, obj, containers.iterate(fr, source, pos, quiet=True), fr.world.u.true, certain=False
        )


# ---- builtin functions ------------------------------------------------------------
def call_builtin(fr: Frame, name: str, args: Args, pos: Any) -> Value:
    """Call a builtin by name."""
    handler = _BUILTINS.get(name)
    if handler is not None:
        return handler(fr, args, pos)
    u = fr.world.u
    real = getattr(builtins, name, None)
    if isinstance(real, type) and issubclass(real, BaseException):
        obj = fr.world.alloc(fr, "external", u.builtin(name).atoms[0], pos)
        fr.world.write(fr, fr.world.cell(obj.fields, "args"), u.sequence(tuple(args.positional)))
        return u.single(obj)
    if name in _PURE:
        return _pure(fr, name, args)
    for value in args.values():
        escape(fr, value)
    return u.external


_PURE: dict[str, str] = {
    "abs": "int",
    "round": "int",
    "divmod": "tuple",
    "pow": "int",
    "ord": "int",
    "chr": "str",
    "hex": "str",
    "bin": "str",
    "oct": "str",
    "repr": "str",
    "ascii": "str",
    "hash": "int",
    "format": "str",
    "id": "int",
    "input": "str",
}


def _pure(fr: Frame, name: str, args: Args) -> Value:
    u = fr.world.u
    values = [
        plain(v.atoms[0]) if len(v.atoms) == 1 and isinstance(v.atoms[0], Const) else None
        for v in args.positional
    ]
    if (
        name not in ("id", "hash", "input")
        and values
        and all(v is not None for v in values)
        and not args.keywords
    ):
        try:
            return u.const(getattr(builtins, name)(*values))
        except (TypeError, ValueError, ZeroDivisionError, OverflowError):
            return u.bottom
    for value in args.positional:
        implicit.text_of(fr, value, 0, "repr" if name == "repr" else "any")
    numeric = [
        a for v in args.positional for a in v.atoms if isinstance(a, Unknown) and a.type in ("any", "object")
    ]
    if name in ("abs", "round", "pow", "divmod") and numeric:
        return u.object
    kind = _PURE[name]
    return (
        u.external if kind == "tuple" else unknown_of(u, kind, *(a for v in args.positional for a in v.atoms))
    )


def _super(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    if len(args.positional) == 2:
        found = u.bottom
        for klass in args.positional[0].atoms:
            for receiver in args.positional[1].atoms:
                if isinstance(klass, Klass):
                    found = u.join(found, _super_atom(fr, klass, receiver))
        return found
    context = fr.context
    function = context.function
    while function is not None and function.klass is None and context.env is not None:
        context = context.env
        function = context.function
    if function is None or function.klass is None:
        return u.external
    first = function.code.params[0] if function.code.params else ""
    receivers = fr.env.get(first, u.bottom) if context is fr.context and fr.env is not None else u.bottom
    if not receivers.atoms:
        receivers = context.params.get(first, u.bottom)
    if not receivers.atoms and context.receiver is not None:
        receivers = u.single(context.receiver)
    return u.join_all(_super_atom(fr, function.klass, r) for r in receivers.atoms)


def _super_atom(fr: Frame, klass: Klass, receiver: Atom) -> Value:
    u = fr.world.u
    return u.single(u.intern(("super", klass, receiver), lambda: Super(klass, receiver)))


def _isinstance(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    if len(args.positional) != 2:
        return u.bools
    bits = 0
    for atom in args.positional[0].atoms:
        bits |= instance_bits(fr, atom, args.positional[1])
    return {0: u.bottom, TRUE: u.true, FALSE: u.false, BOTH: u.bools}[bits]


def _issubclass(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    result = u.bottom
    for atom in args.positional[0].atoms:
        for kind in flat_kinds(fr, args.positional[1]):
            answer = (
                classes.is_subclass(fr, atom, kind) if isinstance(atom, Klass | Builtin | External) else None
            )
            result = u.join(result, u.bools if answer is None else u.const(answer))
    return result


def attribute_names(value: Value) -> list[Const] | None:
    """Known attribute names; None if any is unknown."""
    known = [a for a in value.atoms if isinstance(a, Const) and isinstance(a.value, str)]
    return known if len(known) == len(value.atoms) else None


def _names(value: Value) -> list[str] | None:
    known = attribute_names(value)
    return None if known is None else [a.value for a in known]


def _hasattr(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    names = _names(args.positional[1]) if len(args.positional) == 2 else None
    if names is None:
        return u.bools
    bits = 0
    for atom in args.positional[0].atoms:
        for name in names:
            bits |= has_bits(fr, atom, name, pos)
    return {0: u.bottom, TRUE: u.true, FALSE: u.false, BOTH: u.bools}[bits]


def has_bits(fr: Frame, atom: Atom, name: str, pos: Any) -> int:
    """Outcome bits of ``hasattr(atom, name)``."""
    if isinstance(atom, Obj) and atom.kind == "facts":
        return attributes.facts_has(fr, atom, name)
    if isinstance(atom, Unknown) and atom.type in ("any", "object"):
        return BOTH
    if isinstance(atom, Obj) and attributes.is_closed(fr, atom):
        return attributes.closed_has(fr, atom, name)
    found = attributes.attribute_of(fr, atom, name, pos)
    if not found.atoms:
        return FALSE
    if isinstance(atom, Obj) and isinstance(atom.klass, Klass):
        if classes.surely_has(fr, atom.klass, name):
            return TRUE
        own, certain = attributes.own_value(fr, atom, name)
        return TRUE if certain and own.atoms else BOTH
    if isinstance(atom, External):
        dotted = f"{atom.name}.{name}"
        return TRUE if dotted in fr.world.model.attributes else BOTH
    if isinstance(atom, Obj) and atom.kind == "external":
        return BOTH
    if isinstance(atom, Function | Method) and not name.startswith("__"):
        return BOTH
    if isinstance(atom, Klass) and classes.lookup(fr, atom, name) is not None:
        return TRUE if classes.surely_has(fr, atom, name) else BOTH
    return TRUE


#: Pairs of an object and a name for which ``getattr`` tells third-party names apart.
MAX_NAMED_PAIRS = 400


def _getattr(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    base = args.positional[0]
    names = _names(args.positional[1])
    default = args.positional[2] if len(args.positional) > 2 else None
    if names is None:
        return _getattr_unknown(fr, base, default)
    asked, rest = base.atoms, u.bottom
    if len(asked) * len(names) > MAX_NAMED_PAIRS:  # a loop makes third-party names longer each round
        asked = tuple(a for a in asked if not isinstance(a, External))
        rest = u.bottom if len(asked) == len(base.atoms) else u.external
    found = [_getattr_one(fr, atom, name, default, pos) for atom in asked for name in names]
    result = u.join_all([rest, *found])
    if not result.atoms:
        if default is None:
            return attributes.get_attribute(fr, base, names[0] if names else "?", pos)
        return default
    return result


def _getattr_one(fr: Frame, atom: Atom, name: str, default: Value | None, pos: Any) -> Value:
    u = fr.world.u
    if default is None:
        return attributes.attribute_of(fr, atom, name, pos)
    bits = has_bits(fr, atom, name, pos)
    result = default if bits & FALSE else u.bottom
    if bits & TRUE:
        result = u.join(result, attributes.attribute_of(fr, atom, name, pos))
    return result


def _getattr_unknown(fr: Frame, base: Value, default: Value | None) -> Value:
    """An unknown name: any attribute the object has."""
    u, world = fr.world.u, fr.world
    found: list[Value] = [u.external] if default is None else [default, u.external]
    for atom in base.atoms:
        fields = getattr(atom, "fields", None)
        if fields is None:
            continue
        for name in list(fields):
            if type(name) is str and not name.startswith("["):
                found.append(world.read(fr, fields, name))
        if isinstance(atom, Obj) and isinstance(atom.klass, Klass):
            for owner in classes.mro(fr, atom.klass):
                for name in list(getattr(owner, "fields", {})) if isinstance(owner, Klass) else ():
                    if type(name) is str and not name.startswith(("[", "__")):
                        member = classes.lookup(fr, atom.klass, name)
                        if member is not None:
                            found.append(attributes.bind(fr, member[0], atom, member[1], 0))
    return u.join_all(found)


def _setattr(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    base, name_value, value = args.positional[0], args.positional[1], args.positional[2]
    names = _names(name_value)
    if names is not None:
        setting = attributes.set_attribute if len(names) == 1 else attributes.set_perhaps
        for name in names:
            setting(fr, base, name, value, pos)
        return u.none
    for atom in base.atoms:
        fields = getattr(atom, "fields", None)
        if fields is None:
            continue
        for key in list(fields):  # a list's are numbers
            if type(key) is str and not key.startswith("[") and key != object_dict.DICT:
                attributes.set_perhaps(fr, u.single(atom), key, value, pos)
        if isinstance(atom, Obj):
            fr.world.write(fr, fr.world.cell(atom.fields, ANY), value)
    return u.none


def _delattr(fr: Frame, args: Args, pos: Any) -> Value:
    if len(args.positional) == 2:
        names = _names(args.positional[1])
        if names is None:
            names = [n for a in args.positional[0].atoms for n in getattr(a, "fields", {}) if type(n) is str]
        for name in names:
            attributes.remove_attribute(fr, args.positional[0], name, perhaps=len(names) > 1)
    return fr.world.u.none


def _len(fr: Frame, args: Args, pos: Any) -> Value:
    return implicit.length(fr, args.positional[0], pos)


def _range(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    bounds = []
    for value in args.positional:
        if (
            len(value.atoms) != 1
            or not isinstance(value.atoms[0], Const)
            or not isinstance(value.atoms[0].value, int)
        ):
            return u.sequence_of(unknown_of(u, "int", *(a for v in args.positional for a in v.atoms)))
        bounds.append(value.atoms[0].value)
    try:
        found = range(*bounds)
    except (TypeError, ValueError):
        return u.bottom
    if len(found) > 32:
        return u.sequence_of(u.unknown("int", "runtime"))
    return u.sequence(tuple(u.const(i) for i in found))


def _sequence_type(kind: str) -> Callable[[Frame, Args, int], Value]:
    def make(fr: Frame, args: Args, pos: Any) -> Value:
        u = fr.world.u
        if not args.positional:
            if kind == "tuple":
                return u.sequence(())
            return (
                containers.new_list(fr, [], None, pos)
                if kind == "list"
                else containers.new_set(fr, [], None, pos)
            )
        source = args.positional[0]
        exact = containers.exact_items(fr, source)
        if kind == "tuple":
            return (
                u.sequence(tuple(exact))
                if exact is not None
                else u.sequence_of(containers.iterate(fr, source, pos))
            )
        if kind == "list":
            if exact is not None:
                return containers.new_list(fr, exact, None, pos)
            return containers.new_list(fr, [], containers.iterate(fr, source, pos), pos)
        return containers.new_set(
            fr, exact or [], None if exact is not None else containers.iterate(fr, source, pos), pos
        )

    return make


def _dict(fr: Frame, args: Args, pos: Any) -> Value:
    made = containers.new_dict(fr, pos)
    if args.positional:
        containers.update_dict(fr, made, args.positional[0], pos)
    for name, value in args.keywords.items():
        containers.set_item(fr, made, fr.world.u.const(name), value, pos, certain=True)
    if args.rest_keywords is not None:
        containers.set_item(fr, made, fr.world.u.unknown("str", "runtime"), args.rest_keywords, pos)
    return made


def _scalar(kind: str) -> Callable[[Frame, Args, int], Value]:
    real = getattr(builtins, kind)

    def make(fr: Frame, args: Args, pos: Any) -> Value:
        u = fr.world.u
        if not args.positional:
            return u.const(real())
        result = u.bottom
        for atom in args.positional[0].atoms:
            if isinstance(atom, Const) and len(args.positional) == 1:
                try:
                    result = u.join(result, u.const(real(atom.value)))
                except (TypeError, ValueError, OverflowError):
                    fr.raises.setdefault("ValueError")
            elif kind == "bool":
                bits = tests.truth_of(fr, atom)
                result = u.join(result, {0: u.bottom, TRUE: u.true, FALSE: u.false, BOTH: u.bools}[bits])
            elif kind == "str":
                implicit.text_of(fr, u.single(atom), pos, "str")
                result = u.join(result, stdlib.text(fr, atom))
            elif isinstance(atom, Obj) and atom.kind == "enum":
                value = fr.world.read(fr, atom.fields, "value")
                result = u.join(result, value)
            else:
                if isinstance(atom, Obj):
                    implicit.special_method(fr, atom, f"__{kind}__", (), pos)
                result = u.join(result, unknown_of(u, kind, atom))
        return result

    return make


def _type(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    if len(args.positional) != 1:
        return u.lost
    result = u.bottom
    for atom in args.positional[0].atoms:
        owner = class_of(fr, atom)
        result = u.join(result, u.single(owner) if owner is not None else u.object)
    return result


def _property(fr: Frame, args: Args, pos: Any) -> Value:
    world, u = fr.world, fr.world.u
    getter = args.positional[0].atoms if args.positional else ()
    # A property is what its getter is: those that a loop makes are kept apart.
    obj = world.alloc(fr, "property", None, (pos, getter[0].seq) if len(getter) == 1 else pos)
    for name, value in zip(("fget", "fset", "fdel"), args.positional, strict=False):
        world.write(fr, world.cell(obj.fields, name), value)
    for name in ("fget", "fset", "fdel"):
        if name in args.keywords:
            world.write(fr, world.cell(obj.fields, name), args.keywords[name])
    return u.single(obj)


def _wrap(u: Universe, kind: str, atom: Atom) -> Wrapped:
    return u.intern(("wrapped", kind, atom), lambda: Wrapped(kind, atom))


def _wrapped(kind: str) -> Callable[[Frame, Args, int], Value]:
    def make(fr: Frame, args: Args, pos: Any) -> Value:
        u = fr.world.u
        result = u.bottom
        for atom in args.positional[0].atoms:
            result = u.join(result, u.single(_wrap(u, kind, atom)))
        return result

    return make


def _map(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    exact = [containers.exact_items(fr, v) for v in args.positional[1:]]
    if exact and all(e is not None and len(e) <= 16 for e in exact):
        rows = zip(*(e for e in exact if e is not None), strict=False)
        return u.sequence(tuple(calls.call(fr, args.positional[0], calls.Args(row), pos) for row in rows))
    elements = [containers.iterate(fr, v, pos, quiet=True) for v in args.positional[1:]]
    result = u.bottom
    if elements and all(e.atoms for e in elements):
        result = calls.call_quietly(fr, args.positional[0], elements, pos)
    return _generator(fr, result, pos)


def _generator(fr: Frame, element: Value, pos: Any) -> Value:
    obj = fr.world.alloc(fr, "generator", None, pos)
    fr.world.write(fr, fr.world.cell(obj.fields, ELEMENT), element)
    return fr.world.u.single(obj)


def _filter(fr: Frame, args: Args, pos: Any) -> Value:
    exact = containers.exact_items(fr, args.positional[1])
    if exact is not None and len(exact) <= 16:
        bits = [_passes(fr, args.positional[0], item, pos) for item in exact]
        if BOTH not in bits:
            return fr.world.u.sequence(tuple(i for i, b in zip(exact, bits, strict=True) if b == TRUE))
    element = containers.iterate(fr, args.positional[1], pos, quiet=True)
    if element.atoms:
        _passes(fr, args.positional[0], element, pos)
    return _generator(fr, element, pos)


def _passes(fr: Frame, test: Value, item: Value, pos: Any) -> int:
    """Outcome bits of ``filter``'s test for an element; None for a test asks for the element's own truth."""
    u = fr.world.u
    none = u.none.atoms[0]
    bits = tests.truth(fr, item) if none in test.atoms else 0
    asked = u.without(test, none)
    return bits | (tests.truth(fr, calls.call_quietly(fr, asked, (item,), pos)) if asked.atoms else 0)


def _zip(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    exact = [containers.exact_items(fr, v) for v in args.positional]
    if exact and all(e is not None for e in exact):
        rows = zip(*(e for e in exact if e is not None), strict=False)
        return u.sequence(tuple(u.sequence(tuple(row)) for row in rows))
    elements = tuple(containers.iterate(fr, v, pos, quiet=True) for v in args.positional)
    if not all(e.atoms for e in elements):
        return _generator(fr, u.bottom, pos)
    return _generator(fr, u.sequence(elements), pos)


def _enumerate(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    exact = containers.exact_items(fr, args.positional[0])
    if exact is not None and len(args.positional) == 1 and not args.keywords:
        return u.sequence(tuple(u.sequence((u.const(i), v)) for i, v in enumerate(exact)))
    element = containers.iterate(fr, args.positional[0], pos, quiet=True)
    if not element.atoms:
        return _generator(fr, element, pos)
    return _generator(fr, u.sequence((u.unknown("int", "runtime"), element)), pos)


def _sorted(fr: Frame, args: Args, pos: Any) -> Value:
    element = containers.iterate(fr, args.positional[0], pos, quiet=True)
    key = args.keywords.get("key")
    if key is not None and element.atoms:
        calls.call_quietly(fr, key, (element,), pos)
    exact = containers.exact_items(fr, args.positional[0])
    if exact is not None:
        mixed = fr.world.u.join_all(exact)
        return containers.new_list(fr, [mixed] * len(exact), None, pos)
    return containers.new_list(fr, [], element, pos)


def _reversed(fr: Frame, args: Args, pos: Any) -> Value:
    exact = containers.exact_items(fr, args.positional[0])
    if exact is not None:
        return fr.world.u.sequence(tuple(reversed(exact)))
    return _generator(fr, containers.iterate(fr, args.positional[0], pos, quiet=True), pos)


def _extreme(name: str) -> Callable[[Frame, Args, int], Value]:
    def pick(fr: Frame, args: Args, pos: Any) -> Value:
        u = fr.world.u
        values = args.positional
        if len(values) == 1:
            exact = containers.exact_items(fr, values[0])
            values = exact if exact is not None else [containers.iterate(fr, values[0], pos, quiet=True)]
            exact_known = exact is not None
        else:
            exact_known = args.rest is None
        key = args.keywords.get("key")
        joined = u.join_all(values)
        if key is not None and joined.atoms:
            calls.call_quietly(fr, key, (joined,), pos)
        singles = [v.atoms[0].value for v in values if len(v.atoms) == 1 and isinstance(v.atoms[0], Const)]
        if key is None and exact_known and values and len(singles) == len(values):
            try:
                return u.const(getattr(builtins, name)(singles))
            except TypeError:
                return u.bottom
        if (
            all(
                isinstance(a, Const | Unknown) and getattr(a, "type", "int") in ("int", "float")
                for a in joined.atoms
            )
            and len(joined.atoms) > 1
            and key is None
        ):
            kinds = {
                type(a.value).__name__ if isinstance(a, Const) else getattr(a, "type", "int")
                for a in joined.atoms
            }
            if kinds <= {"int", "float", "bool"}:
                joined = unknown_of(u, "float" if "float" in kinds else "int", *joined.atoms)
        default = args.keywords.get("default", u.bottom)
        result = u.join_all((joined, default, args.rest or u.bottom))
        return result if result.atoms else u.external

    return pick


def _sum(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    element = containers.iterate(fr, args.positional[0], pos, quiet=True)
    if any(
        (isinstance(a, Unknown) and a.type in ("any", "object")) or isinstance(a, External)
        for a in element.atoms
    ):
        return u.object
    return u.unknown(
        "float" if any(isinstance(a, Unknown) and a.type == "float" for a in element.atoms) else "int",
        "runtime",
    )


def _any_all(is_any: bool) -> Callable[[Frame, Args, int], Value]:
    def decide(fr: Frame, args: Args, pos: Any) -> Value:
        u = fr.world.u
        exact = containers.exact_items(fr, args.positional[0])
        if exact is not None:
            bits = [tests.truth(fr, v) for v in exact]
            if is_any:
                return u.true if TRUE in bits else (u.bools if BOTH in bits else u.false)
            return u.false if FALSE in bits else (u.bools if BOTH in bits else u.true)
        element = containers.iterate(fr, args.positional[0], pos, quiet=True)
        bits_here = tests.truth(fr, element)
        if is_any:
            return u.bools if bits_here & TRUE else u.false
        return u.bools if bits_here & FALSE else u.true

    return decide


def _next(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    result = u.bottom
    for atom in args.positional[0].atoms:
        found = implicit.special_method(fr, atom, "__next__", (), pos) if isinstance(atom, Obj) else None
        if found is not None:
            result = u.join(result, found)
        else:
            result = u.join(result, containers.iterate(fr, u.single(atom), pos, quiet=True))
    if len(args.positional) > 1:
        result = u.join(result, args.positional[1])
    fr.raises.setdefault("StopIteration")
    if not result.atoms:
        fr.reason = "the iterator yields nothing"
    return result


def _iter(fr: Frame, args: Args, pos: Any) -> Value:
    if len(args.positional) == 2:
        result = calls.call_quietly(fr, args.positional[0], (), pos)
        return _generator(fr, result, pos)
    u = fr.world.u
    result = u.bottom
    for atom in args.positional[0].atoms:
        found = implicit.special_method(fr, atom, "__iter__", (), pos) if isinstance(atom, Obj) else None
        result = u.join(result, found if found is not None and found.atoms else u.single(atom))
    return result


def _print(fr: Frame, args: Args, pos: Any) -> Value:
    for value in args.positional:
        implicit.text_of(fr, value, pos, "str")
    return fr.world.u.none


def _callable(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    result = u.bottom
    for atom in args.positional[0].atoms:
        if isinstance(atom, Function | Method | Klass | Builtin | BuiltinMethod):
            result = u.join(result, u.true)
        elif isinstance(atom, Const | Sequence):
            result = u.join(result, u.false)
        else:
            result = u.join(result, u.bools)
    return result


def _vars(fr: Frame, args: Args, pos: Any) -> Value:
    u = fr.world.u
    if not args.positional:
        return u.lost
    return u.join_all(u.builtin_method("__dict__", a) for a in args.positional[0].atoms)


def _globals(fr: Frame, args: Args, pos: Any) -> Value:
    return fr.world.u.builtin_method("__dict__", fr.module.atom)


def _import(fr: Frame, args: Args, pos: Any) -> Value:
    return stdlib.import_module(fr, tuple(args.positional), args.keywords, pos) or fr.world.u.lost


def _lost(fr: Frame, args: Args, pos: Any) -> Value:
    for value in args.values():
        escape(fr, value)
    return fr.world.u.lost


def _object(fr: Frame, args: Args, pos: Any) -> Value:
    """``object()``: a sentinel. A module's body runs once, and so does the call outside of its loops."""
    made = fr.world.alloc(fr, "external", fr.world.u.builtin("object").atoms[0], pos)
    made.once = fr.context is fr.module.context and not fr.repeats and not fr.breaks
    return fr.world.u.single(made)


def _none(fr: Frame, args: Args, pos: Any) -> Value:
    return fr.world.u.none


_BUILTINS: dict[str, Callable[[Frame, Args, int], Value]] = {
    "super": _super,
    "isinstance": _isinstance,
    "issubclass": _issubclass,
    "hasattr": _hasattr,
    "getattr": _getattr,
    "setattr": _setattr,
    "len": _len,
    "range": _range,
    "list": _sequence_type("list"),
    "tuple": _sequence_type("tuple"),
    "set": _sequence_type("set"),
    "frozenset": _sequence_type("set"),
    "dict": _dict,
    "int": _scalar("int"),
    "str": _scalar("str"),
    "float": _scalar("float"),
    "bool": _scalar("bool"),
    "type": _type,
    "property": _property,
    "staticmethod": _wrapped("staticmethod"),
    "classmethod": _wrapped("classmethod"),
    "map": _map,
    "filter": _filter,
    "zip": _zip,
    "enumerate": _enumerate,
    "sorted": _sorted,
    "reversed": _reversed,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "sum": _sum,
    "any": _any_all(True),
    "all": _any_all(False),
    "next": _next,
    "iter": _iter,
    "anext": _next,
    "aiter": _iter,
    "print": _print,
    "callable": _callable,
    "vars": _vars,
    "globals": _globals,
    "locals": _lost,
    "__import__": _import,
    "eval": _lost,
    "exec": _lost,
    "object": _object,
    "delattr": _delattr,
}


# ---- methods of builtin values -----------------------------------------------------
def call_method(fr: Frame, method: BuiltinMethod, args: Args, pos: Any) -> Value:
    """Call a method of a constant, container, class or third-party object."""
    receiver, name = method.receiver, method.name
    u = fr.world.u
    if name.startswith("__dict__"):
        return object_dict.call(fr, receiver, name.rpartition(".")[2], args, pos)
    if isinstance(receiver, Const):
        return _const_method(fr, receiver, name, args, pos)
    if isinstance(receiver, Unknown):
        return _typed_method(fr, receiver, name, args, pos)
    if isinstance(receiver, Obj):
        return _object_method(fr, receiver, name, args, pos)
    if isinstance(receiver, Sequence):
        return _sequence_method(fr, receiver, name, args, pos)
    if isinstance(receiver, Klass):
        return _class_method(fr, receiver, name, args, pos)
    if isinstance(receiver, Builtin) and args.positional:
        return _unbound_method(fr, receiver, name, args, pos)
    if isinstance(receiver, Function) and name == containers.LAUNCH:
        return _launch(fr, receiver, args, pos)
    if isinstance(receiver, Function) and name == "__get__" and args.positional:
        return u.join_all(u.method(receiver, a) for a in args.positional[0].atoms)
    return u.external


def _launch(fr: Frame, kernel: Function, args: Args, pos: Any) -> Value:
    """A kernel launch: launch options are not the kernel's, tuned parameters are not the caller's."""
    code = kernel.code
    given = calls.Args(args.positional[: code.positional])
    given.keywords = {n: v for n, v in args.keywords.items() if n in code.params}
    given.rest = given.rest_keywords = fr.world.u.external
    reason = fr.reason
    try:
        calls.call_function(fr, kernel, None, given, pos)
    except Dead:
        fr.reason = reason
    return fr.world.u.none


def _unbound_method(fr: Frame, receiver: Builtin, name: str, args: Args, pos: Any) -> Value:
    """``dict.get(d, k)``, ``object.__setattr__(obj, name, value)``, ``object.__new__(cls)``."""
    u = fr.world.u
    if name == "__new__":
        result = u.bottom
        for atom in args.positional[0].atoms:
            if not isinstance(atom, Klass):
                result = u.join(result, u.external)
                continue
            made = calls.allocate(fr, atom, pos)
            containers.hold_items(fr, made, args.positional[1:], pos)
            result = u.join(result, u.single(made))
        return result
    if name == "fromkeys":
        table = containers.new_dict(fr, pos)
        value = args.positional[1] if len(args.positional) > 1 else u.none
        keys = containers.iterate(fr, args.positional[0], pos, quiet=True)
        containers.set_item(fr, table, keys, value, pos)
        return table
    if name == "maketrans":
        return u.object
    result = u.bottom
    rest = calls.Args(args.positional[1:], args.keywords)
    for atom in args.positional[0].atoms:
        method = u.builtin_method(name, atom).atoms[0]
        assert isinstance(method, BuiltinMethod)
        result = u.join(result, call_method(fr, method, rest, pos))
    return result


def _format_texts(fr: Frame, pattern: Any, name: str, args: Args, pos: Any) -> None:
    """Of a text's methods only ``format`` and ``format_map`` ask for the text of what they get."""
    if name not in ("format", "format_map"):
        return
    plain_fields = isinstance(pattern, str) and "!" not in pattern and ":" not in pattern
    for value in args.values():
        implicit.text_of(fr, value, pos, "format" if plain_fields else "any")


def _const_method(fr: Frame, const: Const, name: str, args: Args, pos: Any) -> Value:
    """Methods of constants, computed where the arguments are constants too."""
    u = fr.world.u
    combinations = _combinations(fr, args)
    if combinations is None:
        _format_texts(fr, const.value, name, args, pos)
        return _text_result(fr, type(const.value).__name__, name, args)
    result = u.bottom
    for positional in combinations:
        try:
            computed = getattr(const.value, name)(*positional)
        except Exception as error:  # the target's own error: this way ends
            fr.raises.setdefault(type(error).__name__)
            continue
        result = u.join(result, _from_python(fr, computed, pos))
    return result


#: Parts of a text whose list has an identity of its own.
MAX_TOLD_APART = 8


def _from_python(fr: Frame, computed: Any, pos: Any) -> Value:
    u = fr.world.u
    if isinstance(computed, list):
        if len(computed) > 32:
            return u.external
        # what one text is split into is not joined with what another is
        told_apart = tuple(computed) if len(computed) <= MAX_TOLD_APART else ()
        return containers.new_list(fr, [u.const(x) for x in computed], None, (pos, "m", told_apart))
    if isinstance(computed, str | bytes | int | float | bool | tuple | type(None)):
        return u.const(computed)
    return u.external


def _combinations(fr: Frame, args: Args) -> list[list[Any]] | None:
    if args.keywords or args.rest is not None or args.rest_keywords is not None:
        return None
    rows: list[list[Any]] = [[]]
    for value in args.positional:
        options = []
        for atom in value.atoms:
            found = plain(atom)
            if found is None and not (isinstance(atom, Const) and atom.value is None):
                items = containers.exact_items(fr, fr.world.u.single(atom)) if isinstance(atom, Obj) else None
                if items is None or not all(
                    len(i.atoms) == 1 and isinstance(i.atoms[0], Const) for i in items
                ):
                    return None
                found = [i.atoms[0].value for i in items]  # type: ignore[attr-defined]
            options.append(found)
        rows = [[*row, option] for row in rows for option in options]
        if len(rows) > 16:
            return None
    return rows


_TEXT_RESULT = {
    "startswith": "bool",
    "endswith": "bool",
    "isdigit": "bool",
    "isnumeric": "bool",
    "isalpha": "bool",
    "islower": "bool",
    "isupper": "bool",
    "isspace": "bool",
    "isidentifier": "bool",
    "isalnum": "bool",
    "isdecimal": "bool",
    "find": "int",
    "rfind": "int",
    "index": "int",
    "count": "int",
    "rindex": "int",
    "encode": "bytes",
    "decode": "str",
    "hex": "str",
    "bit_length": "int",
    "is_integer": "bool",
}


def _text_result(fr: Frame, kind: str, name: str, args: Args, *origin: Atom) -> Value:
    u = fr.world.u
    atoms = [*origin, *(a for v in args.positional for a in v.atoms)]
    if name in ("split", "rsplit", "splitlines"):
        return containers.new_list(fr, [], unknown_of(u, kind, *atoms), ("split", name))
    if name in ("partition", "rpartition"):
        piece = unknown_of(u, kind, *atoms)
        return u.sequence((piece, piece, piece))
    if name == "join" and args.positional:
        containers.iterate(fr, args.positional[0], 0, quiet=True)
    found = _TEXT_RESULT.get(name, kind)
    return unknown_of(u, found, *atoms)


def _typed_method(fr: Frame, unknown: Unknown, name: str, args: Args, pos: Any) -> Value:
    _format_texts(fr, None, name, args, pos)
    return _text_result(fr, unknown.type, name, args, unknown)


def _sequence_method(fr: Frame, sequence: Sequence, name: str, args: Args, pos: Any) -> Value:
    u = fr.world.u
    if name == "_replace" and isinstance(sequence.klass, Klass):
        names = calls.all_fields(fr, sequence.klass)
        items = list(sequence.items or ())
        for index, field_name in enumerate(names):
            if field_name in args.keywords and index < len(items):
                items[index] = args.keywords[field_name]
        return u.sequence(tuple(items), sequence.klass)
    if name == "_asdict":
        return u.external
    if name == "__getitem__" and args.positional:
        return containers.get_item(fr, u.single(sequence), args.positional[0], pos)
    if name == "index":
        return _index(fr, sequence, args, pos)
    if name == "count":
        return u.unknown("int", "runtime")
    if name in ("keys", "values", "items"):
        return u.single(sequence)
    return u.single(sequence)


def _class_method(fr: Frame, klass: Klass, name: str, args: Args, pos: Any) -> Value:
    """Methods that a class inherits from outside: ``torch.autograd.Function.apply``, ``model_validate``."""
    u = fr.world.u
    if name == "__new__":
        target = args.positional[0] if args.positional else u.single(klass)
        made = [calls.allocate(fr, a, pos) for a in target.atoms if isinstance(a, Klass)]
        for obj in made:
            containers.hold_items(fr, obj, args.positional[1:], pos)
        return u.join_all(u.single(obj) for obj in made)
    if name in ("__subclasses__",):
        return u.sequence_of(u.join_all(u.single(k) for k in klass.subclasses))
    for base in classes.opaque_bases(fr, klass):
        summary = fr.world.model.methods.get(getattr(base, "name", ""), {}).get(f"class.{name}")
        if summary is not None:
            found = summary(fr, klass, tuple(args.positional), args.keywords, pos)
            if found is not None:
                return found
    if name in ("__setattr__",) and len(args.positional) == 3:
        return _setattr(fr, args, pos)
    if name.startswith(("model_", "parse_", "from_", "construct")):
        return calls.call_value(fr, u.single(klass), (), {}, pos) if is_record(fr, klass) else u.external
    if name == "mro":
        return u.sequence(tuple(u.single(a) for a in classes.mro(fr, klass)))
    if name == "__init__" and args.positional:
        for atom in args.positional[0].atoms:
            if isinstance(atom, Obj):
                implicit_init(fr, atom, klass, calls.Args(args.positional[1:], args.keywords), pos)
        return u.none
    return u.external


def _object_method(fr: Frame, obj: Obj, name: str, args: Args, pos: Any) -> Value:
    u = fr.world.u
    if isinstance(obj.klass, Klass) and name in (
        "__init__",
        "__setattr__",
        "__getattribute__",
        "__getattr__",
        "__new__",
        "__init_subclass__",
    ):
        return _object_protocol(fr, obj, obj.klass, name, args, pos)
    if obj.kind in ("list", "dict", "set"):
        found = _CONTAINER_METHODS.get((obj.kind, name))
        if found is not None:
            return found(fr, obj, args, pos)
        if not isinstance(obj.klass, Klass):
            return u.external
    if obj.kind == "generator":
        return _generator_method(fr, obj, name, args)
    if obj.kind == "property" and name in ("setter", "getter", "deleter"):
        cell = {"setter": "fset", "getter": "fget", "deleter": "fdel"}[name]
        fr.world.write(fr, fr.world.cell(obj.fields, cell), args.positional[0])
        return u.single(obj)
    if obj.kind == "facts":
        return stdlib.facts_method(fr, obj, name, args, pos)
    from pathcheck.flow import externals

    return externals.call_external_object(fr, obj, name, args, pos)


def _generator_method(fr: Frame, obj: Obj, name: str, args: Args) -> Value:
    u = fr.world.u
    if name in ("send", "__next__", "asend", "__anext__"):
        element = containers.all_elements(fr, obj)
        if not element.atoms:
            fr.reason = "the generator yields nothing"
            fr.raises.setdefault("StopIteration")
        return element
    if name in ("__enter__", "__aenter__"):
        return containers.all_elements(fr, obj)
    if name in ("__iter__", "__aiter__"):
        return u.single(obj)
    return u.none


def _object_protocol(fr: Frame, obj: Obj, klass: Klass, name: str, args: Args, pos: Any) -> Value:
    """``object``'s own construction and attribute hooks, reached through ``super()``."""
    u = fr.world.u
    if name == "__init__":
        implicit_init(fr, obj, klass, args, pos)
        return u.none
    if name == "__setattr__" and len(args.positional) == 2:
        attributes.setattr_object(fr, obj, _names(args.positional[0]), args.positional[1])
        return u.none
    if name in ("__getattribute__", "__getattr__") and args.positional:
        names = _names(args.positional[0])
        if names is None:
            return _getattr_unknown(fr, u.single(obj), None)
        result = u.bottom
        for attribute in names:
            own, _ = attributes.own_value(fr, obj, attribute)
            raw = classes.lookup(fr, klass, attribute)
            result = u.join(result, own)
            if raw is not None:
                result = u.join(result, attributes.bind(fr, raw[0], obj, raw[1], pos))
        return result
    return u.none


def _list_append(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    containers.extend(fr, obj, args.positional[-1] if args.positional else fr.world.u.external)
    return fr.world.u.none


def _list_extend(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    source = args.positional[0] if args.positional else fr.world.u.external
    element = containers.iterate(fr, source, pos, quiet=True)
    if element.atoms:
        containers.extend(fr, obj, element)
    return fr.world.u.none


def _list_insert(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    containers.shift(fr, obj)
    return _list_append(fr, obj, args, pos)


def _list_extend_left(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    containers.shift(fr, obj)
    return _list_extend(fr, obj, args, pos)


def _list_pop(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    containers.shrink(fr, obj)
    last = not args.positional or args.positional[0] is fr.world.u.const(-1)
    if not last or args.rest is not None:  # those behind it move
        containers.shift(fr, obj)
    return containers.all_elements(fr, obj)


def _list_remove(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    containers.shrink(fr, obj)
    containers.shift(fr, obj)
    return containers.all_elements(fr, obj)


def _removed(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    _list_remove(fr, obj, args, pos)
    return fr.world.u.none


def _clear(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    containers.shrink(fr, obj)
    return fr.world.u.none


def _sort(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    u = fr.world.u
    element = containers.all_elements(fr, obj)
    key = args.keywords.get("key")
    if key is not None and element.atoms:
        calls.call_quietly(fr, key, (element,), pos)
    for index in [k for k in obj.fields if type(k) is int]:
        fr.world.grow(obj.fields[index], element)
    return u.none


def _copy(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    u = fr.world.u
    if obj.kind == "list":
        exact = containers.exact_items(fr, u.single(obj))
        return containers.new_list(
            fr, exact or [], None if exact is not None else containers.all_elements(fr, obj), pos
        )
    made = fr.world.alloc(fr, obj.kind, None, (pos, "copy"))
    if obj.kind == "dict":
        containers.update_dict(fr, u.single(made), u.single(obj), pos)
    else:
        containers.add_key(fr, made, fr.world.read(fr, obj.fields, KEYS), u.true, certain=False)
    return u.single(made)


def _index(fr: Frame, obj: Atom, args: Args, pos: Any) -> Value:
    """``seq.index(x)``: the positions of the elements that may equal it, where the elements are known."""
    u = fr.world.u
    items = containers.exact_items(fr, u.single(obj))
    if items is None or len(args.positional) != 1:
        fr.raises.setdefault("ValueError")
        return u.unknown("int", "runtime")
    result, surely = u.bottom, False
    for place, item in enumerate(items):
        bits, _ = tests.compare_values(fr, "==", item, args.positional[0], pos)
        if bits & TRUE:
            result = u.join(result, u.const(place))
        if bits == TRUE:
            surely = True
            break
    if not surely:
        fr.raises.setdefault("ValueError")
    return result


def _dict_get(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    u = fr.world.u
    default = args.positional[1] if len(args.positional) > 1 else args.keywords.get("default", u.none)
    found, missing = containers.dict_get(fr, obj, args.positional[0])
    return u.join(found, default) if missing or not found.atoms else found


def _dict_pop(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    u = fr.world.u
    if not args.positional:
        containers.shrink(fr, obj)
        return u.sequence((fr.world.read(fr, obj.fields, KEYS), containers.all_values(fr, obj)))
    found, missing = containers.dict_get(fr, obj, args.positional[0])
    containers.shrink(fr, obj)
    if len(args.positional) > 1 and missing:
        found = u.join(found, args.positional[1])
    return found


def _dict_popitem(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    containers.shrink(fr, obj)
    keys = fr.world.read(fr, obj.fields, KEYS)
    return fr.world.u.sequence((keys, containers.all_values(fr, obj))) if keys.atoms else fr.world.u.bottom


def _dict_setdefault(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    u = fr.world.u
    default = args.positional[1] if len(args.positional) > 1 else u.none
    containers.add_key(fr, obj, args.positional[0], default, certain=False)
    return u.join(containers.dict_get(fr, obj, args.positional[0])[0], default)


def _dict_update(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    u = fr.world.u
    for value in args.positional:
        containers.update_dict(fr, u.single(obj), value, pos)
    for name, value in args.keywords.items():
        containers.add_key(fr, obj, u.const(name), value, certain=False)
    return u.none


def _dict_items(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    u = fr.world.u
    keys = fr.world.read(fr, obj.fields, KEYS)
    certain = [k for k in keys.atoms if containers._is_key(k) and containers.is_certain(fr, obj, ("key", k))]
    if keys.atoms and len(certain) == len(keys.atoms):
        rows = [u.sequence((u.single(k), fr.world.read(fr, obj.fields, ("key", k)))) for k in keys.atoms]
        return u.sequence(tuple(rows))
    if not keys.atoms:
        return u.sequence(())
    rows = []
    for key in keys.atoms:
        value, _ = containers.dict_get(fr, obj, u.single(key))
        if value.atoms:
            rows.append(u.sequence((u.single(key), value)))
    return u.optional_rows(tuple(rows))


def _known_keys(fr: Frame, obj: Obj) -> list[Atom] | None:
    """The keys of a dict where each is surely there; None otherwise."""
    keys = fr.world.read(fr, obj.fields, KEYS)
    if all(containers._is_key(k) and containers.is_certain(fr, obj, ("key", k)) for k in keys.atoms):
        return list(keys.atoms)
    return None


def _dict_keys(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    u = fr.world.u
    known = _known_keys(fr, obj)
    if known is not None:
        return u.sequence(tuple(u.single(k) for k in known))
    keys = fr.world.read(fr, obj.fields, KEYS)
    return u.sequence_of(keys) if keys.atoms else u.sequence(())


def _dict_values(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    u = fr.world.u
    known = _known_keys(fr, obj)
    if known is not None:
        return u.sequence(tuple(fr.world.read(fr, obj.fields, ("key", k)) for k in known))
    values = containers.all_values(fr, obj)
    return u.sequence_of(values) if values.atoms else u.sequence(())


def _set_add(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    u = fr.world.u
    certain = fr.code.kind == "module"
    for value in args.positional:
        escape(fr, value)
        containers.add_key(fr, obj, value, u.true, certain, one=certain and not fr.breaks)
    return u.none


def _set_update(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    u = fr.world.u
    for value in args.positional:
        containers.add_key(fr, obj, containers.iterate(fr, value, pos, quiet=True), u.true, certain=False)
    return u.none


def _set_combine(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    u = fr.world.u
    made = fr.world.alloc(fr, "set", None, (pos, "combine"))
    for value in (u.single(obj), *args.positional):
        containers.add_key(fr, made, containers.iterate(fr, value, pos, quiet=True), u.true, certain=False)
    return u.single(made)


def _set_pop(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    containers.shrink(fr, obj)
    return fr.world.read(fr, obj.fields, KEYS)


def _question(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    return fr.world.u.bools


def _item(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    return containers._object_item(fr, obj, args.positional[0], pos)


def _set_item(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    containers.add_key(fr, obj, args.positional[0], args.positional[1], certain=False)
    return fr.world.u.none


_CONTAINER_METHODS: dict[tuple[str, str], Callable[[Frame, Obj, Args, int], Value]] = {
    ("list", "append"): _list_append,
    ("list", "appendleft"): _list_insert,
    ("list", "insert"): _list_insert,
    ("list", "extend"): _list_extend,
    ("list", "extendleft"): _list_extend_left,
    ("list", "pop"): _list_pop,
    ("list", "popleft"): _list_remove,
    ("list", "remove"): _removed,
    ("list", "rotate"): _sort,
    ("list", "clear"): _clear,
    ("list", "sort"): _sort,
    ("list", "reverse"): _sort,
    ("list", "copy"): _copy,
    ("list", "index"): _index,
    ("list", "count"): _index,
    ("dict", "get"): _dict_get,
    ("dict", "pop"): _dict_pop,
    ("dict", "popitem"): _dict_popitem,
    ("dict", "setdefault"): _dict_setdefault,
    ("dict", "update"): _dict_update,
    ("dict", "items"): _dict_items,
    ("dict", "keys"): _dict_keys,
    ("dict", "values"): _dict_values,
    ("dict", "copy"): _copy,
    ("dict", "clear"): _clear,
    ("dict", "__getitem__"): _item,
    ("dict", "__setitem__"): _set_item,
    ("set", "add"): _set_add,
    ("set", "update"): _set_update,
    ("set", "union"): _set_combine,
    ("set", "copy"): _copy,
    ("set", "intersection"): _set_combine,
    ("set", "difference"): _set_combine,
    ("set", "symmetric_difference"): _set_combine,
    ("set", "pop"): _set_pop,
    ("set", "remove"): _clear,
    ("set", "discard"): _clear,
    ("set", "clear"): _clear,
    ("set", "difference_update"): _clear,
    ("set", "issubset"): _question,
    ("set", "issuperset"): _question,
    ("set", "isdisjoint"): _question,
}
