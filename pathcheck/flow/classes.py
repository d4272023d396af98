"""Classes: resolution order, member lookup, what bases and decorators make of them."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from pathcheck.flow.frame import MODE
from pathcheck.flow.values import Atom, Builtin, External, Klass, Obj, Value

if TYPE_CHECKING:
        from pathcheck.flow.frame import Env, Frame

#: Field of a class that grows when it gets a new member, for readers that found none.
MEMBERS = "[members]"
OBJECT = "object"


def mro(fr: Frame, klass: Klass) -> tuple[Atom, ...]:
    """The method resolution order: program classes and, where they end, external bases."""
    if klass.mro_cache is None:
        klass.mro_cache = tuple(_linearize(fr, klass, ()))
    return klass.mro_cache


def _linearize(fr: Frame, klass: Atom, seen: tuple[Atom, ...]) -> list[Atom]:
    """C3 over the first choice of each base; bases with several candidates follow in order."""
    if not isinstance(klass, Klass) or klass in seen:
        return [klass]
    bases = [
        atom for value in klass.bases for atom in value.atoms if isinstance(atom, Klass | External | Builtin)
    ]
    orders = [_linearize(fr, base, (*seen, klass)) for base in bases]
    return [klass, *_merge([*orders, list(bases)])]


def _merge(orders: list[list[Atom]]) -> list[Atom]:
    result: list[Atom] = []
    orders = [list(o) for o in orders if o]
    while orders:
        for order in orders:
            head = order[0]
            if not any(head in other[1:] for other in orders):
                break
        else:  # inconsistent: a real program would fail here, keep the textual order
            head = orders[0][0]
        result.append(head)
        orders = [[a for a in o if a is not head] if head in o else o for o in orders]
        orders = [o for o in orders if o]
    return result


def external_bases(fr: Frame, klass: Klass) -> list[Atom]:
    """Third-party and builtin bases, ``object`` apart."""
    return [
        a
        for a in mro(fr, klass)
        if not isinstance(a, Klass) and not (isinstance(a, Builtin) and a.name == OBJECT)
    ]


#: Bases that bring no instance attributes or hidden calls of their own.
PLAIN_BASES = frozenset(
    {
        "abc.ABC",
        "typing.Generic",
        "typing.Protocol",
        "typing_extensions.Protocol",
        "enum.Enum",
        "enum.IntEnum",
        "enum.Flag",
        "enum.IntFlag",
        "enum.StrEnum",
        "typing.NamedTuple",
        "typing.TypedDict",
        "typing_extensions.TypedDict",
        "msgspec.Struct",
        "object",
    }
)


def opaque_bases(fr: Frame, klass: Klass) -> list[Atom]:
    """Bases whose attributes and methods are not in the program."""
    return [
        a
        for a in external_bases(fr, klass)
        if not (isinstance(a, External) and a.name in PLAIN_BASES)
        and not (isinstance(a, Builtin) and a.name in ("tuple", "type", "str", "int", "float"))
    ]


#: Builtin types whose instances are values; of an instance of a subclass only the type is known.
VALUE_BASES = ("tuple", "str", "bytes", "int", "float")


def value_base(fr: Frame, klass: Klass) -> str:
    """The builtin value type that a class derives from, "" for none."""
    for base in external_bases(fr, klass):
        if isinstance(base, Builtin) and base.name in VALUE_BASES:
            return base.name
    return ""


def lookup(fr: Frame, klass: Klass, name: str) -> tuple[Value, Klass] | None:
    """The raw member found along the MRO with its owner; None if no program class has it."""
    world = fr.world
    for owner in mro(fr, klass):
        if not isinstance(owner, Klass):
            continue
        cell = owner.fields.get(name)
        if cell is not None:
            cell.readers[fr.root] = None
            if cell.value.atoms:
                return cell.value, owner
        else:
            world.read(fr, owner.fields, MEMBERS)
    return None


def lookup_after(fr: Frame, order: tuple[Atom, ...], start: Klass, name: str) -> tuple[Value, Klass] | None:
    """The raw member found behind ``start`` in a resolution order, for ``super()``."""
    behind = order[order.index(start) + 1 :] if start in order else order
    for owner in behind:
        if isinstance(owner, Klass):
            value = fr.world.read(fr, owner.fields, name)
            if value.atoms:
                return value, owner
    return None


def add_member(fr: Frame, klass: Klass, name: str, value: Value) -> None:
    """Write a member of a class and wake whoever looked for it in vain."""
    world = fr.world
    new = name not in klass.fields or not klass.fields[name].value.atoms
    world.write(fr, world.cell(klass.fields, name), value)
    if new:
        world.grow(world.cell(klass.fields, MEMBERS), world.u.const(name))


def end_body(fr: Frame, klass: Klass, env: Env) -> None:
    """Take over what a class body leaves; what it surely binds the class surely has."""
    unbound = fr.world.u.unbound_atom
    for name, held in env.items():
        if type(name) is str and name != MODE and "." not in name:
            add_member(fr, klass, name, fr.world.u.without(held, unbound))
            # A dataclass takes its field descriptions out of the class again.
            described = any(isinstance(a, Obj) and a.kind == "field" for a in held.atoms)
            if unbound in held.atoms or described:
                remove_member(fr, klass, name)
            elif not klass.fields[name].removed:
                klass.fields[name].definite = True
    for name, cell in list(klass.fields.items()):
        if cell.definite and name not in env:  # of another walk over the same body
            remove_member(fr, klass, name)


def remove_member(fr: Frame, klass: Klass, name: Any) -> None:
    """From here on the member may be missing."""
    cell = klass.fields[name]
    if not cell.removed:
        cell.removed, cell.definite = True, False
        for reader in cell.readers:
            fr.world.mark(reader)


def surely_has(fr: Frame, klass: Klass, name: str) -> bool:
    """Whether a class of the resolution order always binds the name."""
    return any(
        isinstance(owner, Klass) and name in owner.fields and owner.fields[name].definite
        for owner in mro(fr, klass)
    )


def is_subclass(fr: Frame, klass: Atom, base: Atom) -> bool | None:
    """Whether ``klass`` is ``base`` or derives from it; None where an external class hides the answer."""
    if klass is base:
        return True
    if isinstance(klass, Klass):
        order = mro(fr, klass)
        if base in order:
            return True
        if isinstance(base, Klass):
            return False
        answers = {is_subclass(fr, b, base) for b in order if not isinstance(b, Klass)}
        return (
            True
            if True in answers
            else None
            if None in answers
            else isinstance(base, Builtin) and base.name == OBJECT
        )
    if isinstance(base, Klass):
        return False
    if isinstance(klass, Builtin) and isinstance(base, Builtin):
        return _builtin_subclass(klass.name, base.name)
    if isinstance(base, Builtin) and base.name == OBJECT:
        return True
    if isinstance(klass, External) and klass.name in PLAIN_BASES:
        return False
    if isinstance(klass, Builtin) and isinstance(base, External):
        return None if base.name.split(".")[0] in ("typing", "collections", "abc", "numbers") else False
    if isinstance(klass, External) and isinstance(base, Builtin):
        return (
            None
            if "Error" in klass.name or "Exception" in klass.name
            else False
            if base.name in _SCALARS
            else None
        )
    return None


_SCALARS = ("str", "int", "float", "bool", "bytes", "tuple", "list", "set")


def _builtin_subclass(name: str, base: str) -> bool:
    first: Any = getattr(builtins, name, None)
    second: Any = getattr(builtins, base, None)
    return isinstance(first, type) and isinstance(second, type) and issubclass(first, second)
