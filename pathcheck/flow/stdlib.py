"""The standard library where it shapes the program: decorators, enums, dataclasses, os.environ …"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pathcheck.flow import (
    attributes,
    calls,
    classes,
    containers,
    implicit,
    imports,
    json_texts,
    object_dict,
    pickling,
    records,
    typing_forms,
)
from pathcheck.flow.construction import escape
from pathcheck.flow.env import widen_value
from pathcheck.flow.frame import MODE, Dead, Env, Frame
from pathcheck.flow.heap import CONTENTS, ELEMENT, Cell
from pathcheck.flow.operators import BOTH, FALSE, TRUE, unknown_of
from pathcheck.flow.values import (
    Atom,
    Builtin,
    BuiltinMethod,
    Const,
    External,
    Function,
    Klass,
    Method,
    Obj,
    Sequence,
    Unknown,
    Value,
    Wrapped,
)

if TYPE_CHECKING:
    from pathcheck.flow.calls import Args


# ---- decorators -------------------------------------------------------------------
def decorator(fr: Frame, atom: Atom, value: Value, pos: Any) -> Value | None:
    """What a decorator from outside the program makes of ``value``; None for ordinary calls."""
    u = fr.world.u
    if isinstance(atom, External):
        name = atom.name.removesuffix("()")
        if name == "dataclasses.dataclass" or name.endswith((".dataclass",)):
            _flag(value, "dataclass")
            return value
        if name == "dataclasses.dataclass(kw_only)":
            _flag(value, "dataclass")
            _flag(value, "kw_only")
            return value
        if name in ("functools.cached_property", "abc.abstractproperty", "torch.jit.unused"):
            if name == "torch.jit.unused":
                return value
            return calls.call_value(fr, u.builtin("property"), (value,), {}, pos)
        if atom.name in fr.world.model.calls and not name.startswith("functools."):
            return None
        return value
    if isinstance(atom, Unknown) or (isinstance(atom, Obj) and atom.kind == "external"):
        return value
    if isinstance(atom, Obj) and atom.kind == "instance" and isinstance(atom.klass, Klass):
        # an object whose third-party base makes it a decorator (torch's context managers): it wraps
        if classes.lookup(fr, atom.klass, "__call__") is not None:
            return None
        from pathcheck.flow import externals

        externals.hidden_calls(fr, atom, pos)  # the base enters and leaves it around each call
        return value
    if isinstance(atom, BuiltinMethod) and not (
        isinstance(atom.receiver, Obj) and atom.receiver.kind == "property"
    ):
        return value
    return None


def _flag(value: Value, name: str) -> None:
    for atom in value.atoms:
        if isinstance(atom, Klass):
            atom.flags[name] = True


def note_bases(fr: Frame, klass: Klass) -> None:
    """What a class becomes by its bases."""
    direct = [a for value in klass.bases for a in value.atoms]
    if any(isinstance(b, External) and b.name.endswith(".Protocol") for b in direct):
        klass.flags["protocol"] = True
    for base in classes.mro(fr, klass)[1:]:
        if isinstance(base, Klass):
            for flag in ("enum", "namedtuple", "typeddict"):
                if flag in base.flags:
                    klass.flags.setdefault(flag, base.flags[flag])
        elif isinstance(base, External):
            last = base.name.rpartition(".")[2]
            if base.name.startswith("enum.") or base.name == "strenum.StrEnum":
                kind = {"IntEnum": "int", "IntFlag": "int", "StrEnum": "str"}.get(last, "plain")
                if klass.flags.get("enum") not in ("int", "str"):
                    klass.flags["enum"] = kind
            elif last == "NamedTuple":
                klass.flags["namedtuple"] = True
            elif last == "TypedDict":
                klass.flags["typeddict"] = True
        elif (
            isinstance(base, Builtin)
            and base.name in ("int", "str")
            and (
                "enum" in klass.flags
                or any(isinstance(b, External) and b.name.startswith("enum.") for b in classes.mro(fr, klass))
            )
        ):
            klass.flags["enum"] = base.name


def make_members(fr: Frame, klass: Klass, env: Env) -> None:
    """Turn the names a body of an Enum binds into members, in order."""
    world, u = fr.world, fr.world.u
    count = 0
    for name, value in list(env.items()):
        if type(name) is not str or name == MODE or name.startswith("_"):
            continue
        if any(
            isinstance(a, Function | Wrapped) or (isinstance(a, Obj) and a.kind == "property")
            for a in value.atoms
        ):
            continue
        count += 1
        member = u.intern(("member", klass, name), lambda: Obj("enum", klass, ("member", klass.seq), ()))
        member.name = name
        klass.members[name] = member
        value = _auto(fr, klass, name, value, count)
        world.write(fr, world.cell(member.fields, "value"), value)
        world.write(fr, world.cell(member.fields, "_value_"), value)
        for field in ("name", "_name_"):
            world.grow(world.cell(member.fields, field), u.const(name))
        for cell in member.fields.values():
            cell.definite = True
        env[name] = u.single(member)
        _member_init(fr, klass, member, value)


def _auto(fr: Frame, klass: Klass, name: str, value: Value, count: int) -> Value:
    u = fr.world.u
    for atom in value.atoms:
        if isinstance(atom, External) and atom.name == "enum.auto()":
            return u.const(name.lower()) if klass.flags["enum"] == "str" else u.const(count)
    return value


def _member_init(fr: Frame, klass: Klass, member: Obj, value: Value) -> None:
    found = classes.lookup(fr, klass, "__init__")
    if found is None:
        return
    items = containers.exact_items(fr, value)
    hook = attributes.bind(fr, found[0], member, found[1], 0)
    calls.call_quietly(fr, hook, items if items is not None else (value,), 0)


# ---- text, subscripts, containment ---------------------------------------------------
def text(fr: Frame, atom: Atom) -> Value:
    """``str(atom)`` where it is not a constant."""
    u = fr.world.u
    if isinstance(atom, Obj) and atom.kind == "enum":
        klass = atom.klass
        if isinstance(klass, Klass) and klass.flags.get("enum") == "str":
            return fr.world.read(fr, atom.fields, "value")
        if isinstance(klass, Klass) and classes.lookup(fr, klass, "__str__") is None:
            return u.const(f"{klass.info.name}.{atom.name}")
    if isinstance(atom, External) and atom.name.startswith("torch."):
        return u.const(atom.name)
    return unknown_of(u, "str", atom)


def subscript(fr: Frame, atom: Atom, index: Value, pos: Any) -> Value | None:
    """Subscripts of external names that mean something: ``os.environ[...]``, typing unions."""
    u = fr.world.u
    if isinstance(atom, External) and atom.name == "os.environ":
        return environ_get(fr, index, None)
    if isinstance(atom, External) and atom.name in ("typing.Union", "typing.Optional"):
        items = containers.exact_items(fr, index)
        parts = u.sequence(tuple(items)) if items is not None else u.sequence((index,))
        if atom.name == "typing.Optional":
            return u.sequence((parts, u.none))
        return parts
    if isinstance(atom, External) and atom.name == "sys.modules":
        found = u.bottom
        for key in index.atoms:
            if isinstance(key, Const) and key.value in fr.world.modules:
                found = u.join(found, u.single(fr.world.modules[key.value].atom))
        return found if found.atoms else u.external
    if (
        isinstance(atom, External)
        and atom.name.partition(".")[0] in ("typing", "typing_extensions")
        and atom.name.rpartition(".")[2] in typing_forms.FORMS
    ):
        return typing_forms.alias(fr, atom, index)
    if isinstance(atom, External) and atom.name.split(".")[0] not in (
        "typing",
        "collections",
        "typing_extensions",
    ):
        stored = fr.world.read(fr, atom.fields, CONTENTS)
        return u.join(stored, u.single(atom))
    return None


def contains(fr: Frame, a: Atom, b: External) -> int:
    """``name in os.environ``, ``name in sys.modules``."""
    if b.name == "os.environ" and isinstance(a, Const):
        value = environ_get(fr, fr.world.u.const(a.value), fr.world.u.none)
        unset = any(isinstance(x, Const) and x.value is None for x in value.atoms)
        known = any(not (isinstance(x, Const) and x.value is None) for x in value.atoms)
        return (TRUE if known else 0) | (FALSE if unset else 0)
    if b.name == "sys.modules" and isinstance(a, Const):
        if a.value in fr.world.modules:
            return BOTH
        return BOTH if fr.world.model.package(str(a.value)) is not False else FALSE
    return BOTH


def store_item(fr: Frame, atom: External, index: Value, value: Value) -> None:
    """``os.environ[name] = value``; what else is stored stays with the name."""
    world = fr.world
    if atom.name == "os.environ":
        for key in index.atoms:
            if isinstance(key, Const):
                world.write(fr, environ_cell(fr, key.value), value)
        return
    world.write(fr, world.cell(atom.fields, CONTENTS), containers.program_part(fr, value))


# ---- environment ------------------------------------------------------------------
def environ_cell(fr: Frame, name: str) -> Cell:
    """An environment variable: what the deployment gives, joined with what the program writes."""
    world, u = fr.world, fr.world.u
    cell = world.environ.get(name)
    if cell is None:
        cell = world.environ[name] = Cell(u.bottom)
        model = world.model
        if name in model.environ:
            cell.value = u.const(model.environ[name])
        elif model.environ_else == "unset":
            cell.value = u.none
        else:
            cell.value = u.join(u.none, u.unknown("str", "fact", f"env.{name}"))
    return cell


def environ_get(fr: Frame, name: Value, default: Value | None) -> Value:
    """``os.environ[name]`` (default None: unset is an error) or ``os.environ.get``."""
    u = fr.world.u
    result = u.bottom
    for atom in name.atoms:
        if not isinstance(atom, Const) or not isinstance(atom.value, str):
            result = u.join_all((result, u.unknown("str", "runtime"), default or u.bottom))
            continue
        cell = environ_cell(fr, atom.value)
        cell.readers[fr.root] = None
        value = cell.value
        if u.none.atoms[0] in value.atoms:
            value = u.join(u.without(value, u.none.atoms[0]), default if default is not None else u.bottom)
            if default is None:
                fr.raises.setdefault("KeyError")
        result = u.join(result, value)
    return result


# ---- configurations given as facts ---------------------------------------------------
def facts_method(fr: Frame, obj: Obj, name: str, args: Args, pos: Any) -> Value:
    """Methods of a configuration object."""
    u = fr.world.u
    if name == "get" and args.positional:
        default = args.positional[1] if len(args.positional) > 1 else u.none
        result = u.bottom
        for key in args.positional[0].atoms:
            known = isinstance(key, Const) and isinstance(key.value, str)
            bits = attributes.facts_has(fr, obj, key.value) if known else BOTH  # type: ignore[attr-defined]
            if bits & TRUE:
                result = u.join(result, containers.facts_item(fr, obj, u.single(key), u.bottom))
            if bits & FALSE:
                result = u.join(result, default)
        return result
    if name == "get_text_config":
        own = fr.world.read(fr, obj.fields, "text_config")
        return own if own.atoms else u.single(obj)
    if name in ("to_dict", "copy"):
        return u.single(obj)
    if name in ("pop", "setdefault") and args.positional:
        result = facts_method(fr, obj, "get", args, pos)
        return result
    if name == "update":
        for value in args.positional:
            for atom in value.atoms:
                if isinstance(atom, Obj) and atom.kind == "dict":
                    for place in list(atom.fields):
                        if type(place) is tuple and place[0] == "key" and isinstance(place[1], Const):
                            found = fr.world.read(fr, atom.fields, place)
                            fr.world.write(fr, fr.world.cell(obj.fields, place[1].value), found)
        return u.none
    if name in ("items", "keys", "values"):
        return object_dict.listing(fr, attributes.listed(fr, obj), name, pos)
    return u.external


# ---- functools, contextlib, dataclasses … ----------------------------------------------
Positional = tuple[Value, ...]
Keywords = dict[str, Value]


def _partial(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    world = fr.world
    obj = world.alloc(fr, "partial", None, pos)
    for value in (*args, *keywords.values()):
        escape(fr, value)
    world.write(fr, world.cell(obj.fields, "func"), args[0])
    world.write(fr, world.cell(obj.fields, "args"), world.u.sequence(args[1:]))
    for name, value in keywords.items():
        world.write(fr, world.cell(obj.fields, ("keyword", name)), value)
        world.grow(world.cell(obj.fields, "[keywords]"), world.u.const(name))
    return world.u.single(obj)


def _identity(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    return args[0] if args else None


def _memo(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``lru_cache`` and look-alikes: with a function the function, with options a decorator."""
    if args and all(
        isinstance(a, Function | Method | Klass | Obj | Builtin | External) for a in args[0].atoms
    ):
        return args[0]
    return fr.world.u.ext("functools.lru_cache()")


def _wraps(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    return fr.world.u.ext("functools.wraps()")


def _dataclass(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    if args:
        _flag(args[0], "dataclass")
        return args[0]
    if fr.world.u.true is keywords.get("kw_only"):
        return fr.world.u.ext("dataclasses.dataclass(kw_only)")
    return fr.world.u.ext("dataclasses.dataclass()")


def _field(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    world = fr.world
    obj = world.alloc(fr, "field", None, pos)
    for name in ("default", "default_factory", "metadata", "kw_only", "init"):
        if name in keywords:
            world.write(fr, world.cell(obj.fields, name), keywords[name])
    return world.u.single(obj)


def _pydantic_field(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``pydantic.Field(default, default_factory=...)``; an ellipsis says that the field is required."""
    u = fr.world.u
    default = args[0] if args else keywords.get("default", u.bottom)
    given = {k: v for k, v in keywords.items() if k != "default"}
    stated = u.without(default, u.const(...).atoms[0])
    return _field(fr, (), {**given, "default": stated} if stated.atoms else given, pos)


def _force_setattr(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``msgspec.structs.force_setattr``: past the class's own hook, also where the Struct is frozen."""
    return _unbound_protocol(fr, "__setattr__", args, pos)


def _unbound_protocol(fr: Frame, name: str, args: Positional, pos: Any) -> Value | None:
    """``Base.__setattr__(obj, name, value)`` and its kin, as ``object`` does for the program's instances."""
    u = fr.world.u
    result = u.bottom
    for atom in args[0].atoms if args else ():
        if not isinstance(atom, Obj) or not isinstance(atom.klass, Klass):
            return None
        method = u.builtin_method(name, atom)
        result = u.join(result, calls.call_value(fr, method, args[1:], {}, pos))
    return result if result.atoms else None


def _protocol(name: str) -> Callable[[Frame, Positional, Keywords, int], Value | None]:
    return lambda fr, args, keywords, pos: _unbound_protocol(fr, name, args, pos)


def _method_type(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``types.MethodType(function, object)``: the function bound to the object."""
    u = fr.world.u
    if len(args) != 2:
        return None
    result = u.bottom
    for atom in args[0].atoms:
        for receiver in args[1].atoms:
            if isinstance(atom, Function):
                result = u.join(result, u.method(atom, receiver))
            else:
                bound = _partial(fr, (u.single(atom), u.single(receiver)), {}, pos)
                result = u.join(result, bound or u.object)
    return result


def _getenv(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    default = args[1] if len(args) > 1 else keywords.get("default", fr.world.u.none)
    return environ_get(fr, args[0], default)


def _setenv(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    if len(args) > 1:
        store_item(fr, fr.world.u.ext("os.environ").atoms[0], args[0], args[1])  # type: ignore[arg-type]
        return environ_get(fr, args[0], args[1])
    return fr.world.u.none


def _environ_pop(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    u = fr.world.u
    for atom in args[0].atoms:
        if isinstance(atom, Const):
            fr.world.grow(environ_cell(fr, atom.value), u.none)
    return environ_get(fr, args[0], args[1] if len(args) > 1 else u.none)


def _environ_update(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    u = fr.world.u
    for value in args:
        for atom in value.atoms:
            if isinstance(atom, Obj) and atom.kind == "dict":
                for key in list(atom.fields):
                    if type(key) is tuple and key[0] == "key" and isinstance(key[1], Const):
                        fr.world.write(
                            fr, environ_cell(fr, key[1].value), fr.world.read(fr, atom.fields, key)
                        )
    return u.none


def import_module(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``importlib.import_module`` with known names."""
    u = fr.world.u
    result = u.bottom
    for atom in args[0].atoms:
        if not isinstance(atom, Const) or not isinstance(atom.value, str):
            result = u.join(result, u.external)
            continue
        name = atom.value
        if name.startswith(".") and len(args) > 1:
            level = len(name) - len(name.lstrip("."))
            for base in args[1].atoms:
                if isinstance(base, Const) and isinstance(base.value, str):
                    package = base.value.rsplit(".", level - 1)[0] if level > 1 else base.value
                    name = f"{package}.{name.lstrip('.')}"
        found = imports.import_module(fr, name)
        if found is None:
            fr.raises.setdefault("ModuleNotFoundError")
        else:
            result = u.join(result, found)
    return result


def _find_spec(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    u = fr.world.u
    result = u.bottom
    for atom in args[0].atoms:
        present = (
            fr.world.model.package(atom.value)
            if isinstance(atom, Const) and isinstance(atom.value, str)
            else None
        )
        if isinstance(atom, Const) and atom.value in fr.world.program.modules:
            present = True
        result = u.join(
            result, u.object if present else u.none if present is False else u.join(u.none, u.object)
        )
    return result


def _version(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    u = fr.world.u
    for atom in args[0].atoms:
        if (
            isinstance(atom, Const)
            and isinstance(atom.value, str)
            and fr.world.model.package(atom.value.replace("-", "_")) is False
        ):
            fr.raises.setdefault("importlib.metadata.PackageNotFoundError")
            return u.bottom
    fr.raises.setdefault("importlib.metadata.PackageNotFoundError")
    return u.unknown("str", "runtime")


def _weakref(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``weakref.ref(x)()`` gives x (or None)."""
    world, u = fr.world, fr.world.u
    obj = world.alloc(fr, "partial", None, pos)
    world.write(fr, world.cell(obj.fields, "func"), u.ext("copy.copy"))
    world.write(fr, world.cell(obj.fields, "args"), u.sequence((args[0],)))
    for value in args[:1]:
        escape(fr, value)
    return u.single(obj)


def _signature(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``inspect.signature(f).parameters``: decided by reading the callee's parameter list."""
    world, u = fr.world, fr.world.u
    signature = world.alloc(fr, "external", u.ext("inspect.Signature").atoms[0], pos)
    parameters = containers.new_dict(fr, (pos, "parameters"))
    certain = len(args[0].atoms) == 1
    for atom in args[0].atoms:
        function = atom.function if isinstance(atom, Method) else atom
        if isinstance(function, Function):
            names = [*function.code.params, *(n for n in (function.code.vararg, function.code.kwarg) if n)]
            for name in names[1:] if isinstance(atom, Method) else names:
                containers.set_item(fr, parameters, u.const(name), u.external, pos, certain=certain)
        else:
            containers.set_item(fr, parameters, u.unknown("str", "runtime"), u.external, pos)
    world.write(fr, world.cell(signature.fields, "parameters"), parameters)
    signature.fields["parameters"].definite = True
    return u.single(signature)


def _thread(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """A thread's target runs (in this process, at any time from now on)."""
    u = fr.world.u
    target = keywords.get("target", args[1] if len(args) > 1 else None)
    if target is not None:
        call_target(fr, target, keywords.get("args"), keywords.get("kwargs"), pos)
    return u.single(fr.world.alloc(fr, "external", u.ext("threading.Thread").atoms[0], pos))


def call_target(fr: Frame, target: Value, positional: Value | None, keywords: Value | None, pos: Any) -> None:
    """Call ``target(*positional, **keywords)`` without ending this path."""
    args = calls.Args()
    if positional is not None:
        exact = containers.exact_items(fr, positional)
        if exact is not None:
            args.positional = exact
        else:
            args.rest = containers.iterate(fr, positional, pos, quiet=True)
    if keywords is not None:
        containers.spread_keywords(fr, keywords, args)
    for value in args.values():
        escape(fr, value)
    reason = fr.reason
    outer = fr.world.calling_back
    fr.world.calling_back = fr.context
    try:
        calls.call(fr, target, args, pos)
    except Dead:
        fr.reason = reason
    fr.world.calling_back = outer


def _process(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``multiprocessing.Process``: another world, started with these values."""
    u, world = fr.world.u, fr.world
    target = keywords.get("target", args[1] if len(args) > 1 else None)
    if target is not None:
        exact = containers.exact_items(fr, keywords["args"]) if "args" in keywords else []
        extra: Keywords = {}
        for value in (keywords.get("kwargs"),):
            if value is not None:
                holder = calls.Args()
                containers.spread_keywords(fr, value, holder)
                extra = holder.keywords
        key = (fr.module.name, fr.unit, pos)
        before = world.spawned.get(key)
        if before is not None and len(before[1]) == len(exact or ()):
            merged = tuple(u.join(a, b) for a, b in zip(before[1], exact or (), strict=True))
            world.spawned[key] = (
                u.join(before[0], target),
                merged,
                {k: u.join(v, before[2].get(k, u.bottom)) for k, v in extra.items()},
            )
        else:
            world.spawned[key] = (target, tuple(exact or ()), extra)
        pickling.leave(fr, pos)
    return u.single(world.alloc(fr, "external", u.ext("multiprocessing.Process").atoms[0], pos))


def _collection(kind: str) -> Callable[[Frame, Positional, Keywords, int], Value | None]:
    def make(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
        world, u = fr.world, fr.world.u
        obj = world.alloc(fr, kind, None, pos)
        source: Value | None = args[0] if args else None
        if kind == "dict":
            if keywords.get("[default]") is not None:
                pass
            if source is not None:
                containers.update_dict(fr, u.single(obj), source, pos)
            for name, value in keywords.items():
                containers.add_key(fr, obj, u.const(name), value, certain=True)
        elif source is not None and any(not isinstance(a, Const) for a in source.atoms):
            containers.extend(fr, obj, containers.iterate(fr, source, pos, quiet=True))
        else:
            containers.fill_list(fr, obj, [], None)
        return u.single(obj)

    return make


def _defaultdict(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    world, u = fr.world, fr.world.u
    obj = world.alloc(fr, "dict", None, pos)
    if args:
        escape(fr, args[0])
        world.write(fr, world.cell(obj.fields, containers.FACTORY), args[0])
    if len(args) > 1:
        containers.update_dict(fr, u.single(obj), args[1], pos)
    for name, value in keywords.items():
        containers.set_item(fr, u.single(obj), u.const(name), value, pos, certain=True)
    return u.single(obj)


def _namespace(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    world, u = fr.world, fr.world.u
    obj = world.alloc(fr, "external", u.ext("types.SimpleNamespace").atoms[0], pos)
    for name, value in keywords.items():
        world.write(fr, world.cell(obj.fields, name), value)
        obj.fields[name].definite = True
    return u.single(obj)


def _joined(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """Awaitables were walked when made: gather, wait_for, create_task give what they hold."""
    u = fr.world.u
    return u.join_all((*args, u.external)) if args else u.external


def _run_in_executor(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    u = fr.world.u
    if len(args) < 1:
        return u.external
    result = calls.call_quietly(fr, args[0], args[1:], pos)
    return u.join(result, u.external)


def _cast(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    return args[1] if len(args) > 1 else None


def _nullcontext(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    world, u = fr.world, fr.world.u
    obj = world.alloc(fr, "generator", None, pos)
    value = args[0] if args else keywords.get("enter_result", u.none)
    world.write(fr, world.cell(obj.fields, ELEMENT), value)
    return u.single(obj)


def _suppress(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``contextlib.suppress``: a manager of its own kind, so that ``with`` knows what it does."""
    u = fr.world.u
    return u.single(fr.world.alloc(fr, "external", u.ext("contextlib.suppress").atoms[0], pos))


def _chain(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    u = fr.world.u
    return u.sequence_of(u.join_all(containers.iterate(fr, a, pos, quiet=True) for a in args))


def _getter(kind: str) -> Callable[[Frame, Positional, Keywords, int], Value | None]:
    """``operator.attrgetter`` and ``itemgetter``: an object that is called with what it looks into."""

    def make(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
        world, u = fr.world, fr.world.u
        obj = world.alloc(fr, "getter", u.ext(f"operator.{kind}").atoms[0], pos)
        world.write(fr, world.cell(obj.fields, "args"), u.sequence(args))
        return u.single(obj)

    return make


def call_getter(fr: Frame, obj: Obj, args: Positional, pos: Any) -> Value:
    """What a getter finds in its argument: one thing, or a tuple for several names."""
    u = fr.world.u
    result = u.bottom
    for wanted in fr.world.read(fr, obj.fields, "args").atoms:
        if not args or not isinstance(wanted, Sequence) or not wanted.items:
            return u.external
        found = tuple(_looked_up(fr, obj, args[0], name, pos) for name in wanted.items)
        if all(part.atoms for part in found):
            result = u.join(result, found[0] if len(found) == 1 else u.sequence(found))
    return result


def _looked_up(fr: Frame, obj: Obj, subject: Value, wanted: Value, pos: Any) -> Value:
    u = fr.world.u
    if isinstance(obj.klass, External) and obj.klass.name == "operator.itemgetter":
        return containers.get_item(fr, subject, wanted, pos)
    result = u.bottom
    for name in wanted.atoms:
        if not isinstance(name, Const) or not isinstance(name.value, str):
            result = u.join(result, u.external)
            continue
        value = subject
        for part in name.value.split("."):
            value = attributes.get_attribute(fr, value, part, pos)
        result = u.join(result, value)
    return result


#: Rounds of a fold over an unknown number of elements before constants are widened, and at most.
FOLD_WIDEN, FOLD_ROUNDS = 2, 12


def _reduce(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    u = fr.world.u
    exact = containers.exact_items(fr, args[1], limit=MAX_FOLD)
    if exact is not None and len(exact) <= MAX_FOLD:
        items = [*args[2:3], *exact]
        folded = items[0] if items else u.bottom
        for item in items[1:]:
            folded = calls.call_quietly(fr, args[0], (folded, item), pos)
        return folded
    element = containers.iterate(fr, args[1], pos, quiet=True)
    result = args[2] if len(args) > 2 else element
    for number in range(FOLD_ROUNDS):
        step = calls.call_quietly(fr, args[0], (result, element), pos) if element.atoms else u.bottom
        joined = u.join(result, step)
        if joined is result:
            break
        result = widen_value(fr.world, joined) if number >= FOLD_WIDEN else joined
    return result


#: A fold over so many known elements is computed one by one.
MAX_FOLD = 64


def _cpu_count(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    return fr.world.u.unknown("int", "runtime")


def _text_call(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    for value in args:
        implicit.text_of(fr, value, pos)
    return fr.world.u.unknown("str", "runtime")


def _path_join(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    """``os.path.join`` of known parts."""
    import posixpath

    parts = [v.atoms[0].value if len(v.atoms) == 1 and isinstance(v.atoms[0], Const) else None for v in args]
    if parts and all(isinstance(p, str) for p in parts):
        return fr.world.u.const(posixpath.join(*parts))  # type: ignore[arg-type]
    return _text_call(fr, args, keywords, pos)


#: Patterns that could take exponential time are not run: a quantified group that is quantified again.
_RISKY = re.compile(r"[+*}]\)?[+*{]|\)[+*{]")


def _regex(name: str) -> Callable[[Frame, Positional, Keywords, int], Value | None]:
    def run(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
        u = fr.world.u
        values = [
            v.atoms[0].value if len(v.atoms) == 1 and isinstance(v.atoms[0], Const) else None
            for v in args[:2]
        ]
        if len(args) == 2 and not keywords and all(isinstance(v, str) and len(v) < 200 for v in values):
            pattern, text = values
            if isinstance(pattern, str) and not _RISKY.search(pattern):
                try:
                    found = getattr(re, name)(pattern, text)
                except re.error:
                    return u.bottom
                return u.none if found is None else u.object
        return u.join(u.none, u.object)

    return run


def _bool_call(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    return fr.world.u.bools


def _number(kind: str) -> Callable[[Frame, Positional, Keywords, int], Value | None]:
    import math

    def make(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
        u = fr.world.u
        function: Any = getattr(math, kind)
        values = [
            v.atoms[0].value if len(v.atoms) == 1 and isinstance(v.atoms[0], Const) else None for v in args
        ]
        if values and all(isinstance(v, int | float) for v in values):
            try:
                return u.const(function(*values))
            except (ValueError, OverflowError, TypeError):
                return u.bottom
        return unknown_of(
            u,
            "int" if kind in ("ceil", "floor", "gcd", "lcm", "isqrt", "trunc") else "float",
            *(a for v in args for a in v.atoms),
        )

    return make


def _exit(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    fr.raises.setdefault("SystemExit")
    fr.reason = "the process exits"
    return fr.world.u.bottom


def _auto_call(fr: Frame, args: Positional, keywords: Keywords, pos: Any) -> Value | None:
    return fr.world.u.ext("enum.auto()")


CALLS: dict[str, Callable[[Frame, Positional, Keywords, int], Value | None]] = {
    "types.MethodType": _method_type,
    "functools.partial": _partial,
    "functools.partialmethod": _partial,
    "functools.lru_cache": _memo,
    "functools.cache": _memo,
    "functools.lru_cache()": _identity,
    "functools.wraps": _wraps,
    "functools.wraps()": _identity,
    "functools.update_wrapper": _identity,
    "functools.reduce": _reduce,
    "operator.attrgetter": _getter("attrgetter"),
    "operator.itemgetter": _getter("itemgetter"),
    "contextlib.contextmanager": _identity,
    "contextlib.asynccontextmanager": _identity,
    "contextlib.nullcontext": _nullcontext,
    "contextlib.suppress": _suppress,
    "dataclasses.dataclass": _dataclass,
    "dataclasses.dataclass()": _dataclass,
    "dataclasses.field": _field,
    "pydantic.Field": _pydantic_field,
    "pydantic.fields.Field": _pydantic_field,
    "pydantic.PrivateAttr": _pydantic_field,
    "dataclasses.fields": records.dataclass_fields,
    "dataclasses.is_dataclass": records.is_dataclass,
    "dataclasses.make_dataclass": records.make_dataclass,
    "dataclasses.replace": records.replaced,
    "dataclasses.asdict": records.as_dict,
    "msgspec.field": _field,
    "msgspec.defstruct": records.define_struct,
    "msgspec.structs.fields": records.struct_fields,
    "msgspec.structs.asdict": records.as_dict,
    "msgspec.structs.replace": records.replaced,
    "msgspec.structs.force_setattr": _force_setattr,
    "json.loads": json_texts.loads,
    "copy.copy": _identity,
    "copy.deepcopy": _identity,
    "os.getenv": _getenv,
    "os.environ.get": _getenv,
    "os.environ.setdefault": _setenv,
    "os.environ.pop": _environ_pop,
    "os.environ.update": _environ_update,
    "os.putenv": _setenv,
    "importlib.import_module": import_module,
    "importlib.util.find_spec": _find_spec,
    "importlib.metadata.version": _version,
    "weakref.ref": _weakref,
    "weakref.proxy": _identity,
    "weakref.WeakMethod": _weakref,
    "inspect.signature": _signature,
    "threading.Thread": _thread,
    "threading.Timer": _thread,
    "multiprocessing.Process": _process,
    "collections.OrderedDict": _collection("dict"),
    "collections.defaultdict": _defaultdict,
    "collections.Counter": _collection("dict"),
    "collections.deque": _collection("list"),
    "types.SimpleNamespace": _namespace,
    "asyncio.gather": _joined,
    "asyncio.wait_for": _joined,
    "asyncio.create_task": _joined,
    "asyncio.ensure_future": _joined,
    "asyncio.run": _joined,
    "asyncio.shield": _joined,
    "asyncio.run_coroutine_threadsafe": _joined,
    "asyncio.to_thread": _run_in_executor,
    "typing.cast": _cast,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain,
    "os.cpu_count": _cpu_count,
    "os.path.join": _path_join,
    "re.match": _regex("match"),
    "re.search": _regex("search"),
    "re.fullmatch": _regex("fullmatch"),
    "os.path.basename": _text_call,
    "os.path.dirname": _text_call,
    "os.path.abspath": _text_call,
    "os.path.expanduser": _text_call,
    "os.path.exists": _bool_call,
    "os.path.isfile": _bool_call,
    "os.path.isdir": _bool_call,
    "math.ceil": _number("ceil"),
    "math.floor": _number("floor"),
    "math.sqrt": _number("sqrt"),
    "math.log2": _number("log2"),
    "math.log": _number("log"),
    "math.gcd": _number("gcd"),
    "math.prod": _cpu_count,
    "sys.exit": _exit,
    "os._exit": _exit,
    "enum.auto": _auto_call,
    **{
        f"{base}.{name}": _protocol(name)
        for base in ("msgspec.Struct", "pydantic.BaseModel")
        for name in ("__setattr__", "__getattribute__")
    },
    "typing.get_args": typing_forms.get_args,
    "typing.get_origin": typing_forms.get_origin,
    "typing.get_type_hints": typing_forms.get_type_hints,
}
