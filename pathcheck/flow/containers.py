"""Lists, dicts, sets, tuples, generators: elements by position or key, and summaries.

A list keeps a cell for each position it was made with and one summary cell for
what is added later; a dict a cell for each known key and one for unknown keys.
A key is *certain* if it was there from the start and nothing ever removes one.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pathcheck.flow import assignment, attributes, calls, externals, implicit, object_dict, tests
from pathcheck.flow import binary as binaries
from pathcheck.flow import expressions as ex
from pathcheck.flow.construction import escape
from pathcheck.flow.env import join_env
from pathcheck.flow.frame import Dead, Env, Frame
from pathcheck.flow.heap import CONTENTS, ELEMENT, KEYS, LENGTH, Cell
from pathcheck.flow.operators import BOTH, FALSE, TRUE, enum_constant, equal, is_bare
from pathcheck.flow.values import (
    Atom,
    Builtin,
    BuiltinMethod,
    Const,
    External,
    Function,
    Klass,
    Obj,
    Sequence,
    Unknown,
    Value,
    Wrapped,
)
from pathcheck.flow.world import MAX_REGISTERED, MAX_SITE_OBJECTS
from pathcheck.program.ir import Node

if TYPE_CHECKING:
    from pathcheck.flow.calls import Args

#: Marks a tuple that stands for a slice object.
SLICE: Any = "slice"
#: Grows when something may have been removed from a dict or set.
SHRUNK = "[shrunk]"
FACTORY = "[factory]"
#: Name of the bound method that ``kernel[grid]`` stands for.
LAUNCH = "[launch]"
COLLECTIONS = ("list", "dict", "set", "generator")
#: So many elements are told apart although some of them are unknown.
HANDFUL = 3
#: Places of a tuple that a comprehension tells apart although what they hold is not known for certain.
MAX_PLACES = 16


# ---- making ---------------------------------------------------------------------
def new_list(fr: Frame, exact: list[Value], rest: Value | None, pos: Any) -> Value:
    """A list display's object: exact positions, or a summary where the length is unknown."""
    u, world = fr.world.u, fr.world
    obj = world.alloc(fr, "list", None, pos)
    fill_list(fr, obj, exact, rest)
    return u.single(obj)


def fill_list(fr: Frame, obj: Obj, exact: list[Value], rest: Value | None) -> None:
    u, world = fr.world.u, fr.world
    for value in exact:
        escape(fr, value)
    if rest is None and len(exact) <= 1024:
        for index, value in enumerate(exact):
            world.write(fr, world.cell(obj.fields, index), value)
        world.grow(world.cell(obj.fields, LENGTH), u.const(len(exact)))
        return
    world.write(fr, world.cell(obj.fields, ELEMENT), u.join(rest or u.bottom, u.join_all(exact)))
    world.grow(world.cell(obj.fields, LENGTH), u.unknown("int", "runtime"))


def new_set(fr: Frame, exact: list[Value], rest: Value | None, pos: Any) -> Value:
    obj = fr.world.alloc(fr, "set", None, pos)
    # The condition of a loop may make the same set in every round.
    content = (fr.unit, tuple(exact))
    if fr.world.made_sets.get(obj) != content:
        fr.world.made_sets[obj] = content
        for value in exact:
            add_key(fr, obj, value, fr.world.u.true, certain=True, one=True)
    if rest is not None:
        add_key(fr, obj, rest, fr.world.u.true, certain=False)
    return fr.world.u.single(obj)


def new_dict(fr: Frame, pos: Any) -> Value:
    return fr.world.u.single(fr.world.alloc(fr, "dict", None, pos))


def add_key(fr: Frame, obj: Obj, key: Value, value: Value, certain: bool, one: bool = False) -> None:
    """``obj[key] = value`` for a dict, membership for a set; ``one``: this runs once, for one key."""
    world, u = fr.world, fr.world.u
    for atom in key.atoms:
        if _is_key(atom) or _is_near_key(atom):
            new = ("key", atom) not in obj.fields
            cell = world.cell(obj.fields, ("key", atom))
            world.write(fr, cell, value)
            if new:  # the set of keys may be too wide to show it
                for reader in world.cell(obj.fields, KEYS).readers:
                    world.mark(reader)
            if certain and len(key.atoms) == 1 and not cell.definite and _is_key(atom):
                cell.definite = True
                for reader in cell.readers:
                    world.mark(reader)
            elif one and len(key.atoms) > 1:  # one of them is put in, and not the others
                _may_lack(fr, cell)
            twin = _twin(fr, atom)
            if twin is not None:
                _add_twin(fr, obj, twin, value, cell)
        else:
            world.write(fr, world.cell(obj.fields, ELEMENT), value)
    world.grow(world.cell(obj.fields, KEYS), u.value_of(a for a in key.atoms))


def _twin(fr: Frame, atom: Atom) -> Atom | None:
    """The plain constant that a key of another type equals: a text enum's member, a truth value."""
    if isinstance(atom, Const) and type(atom.value) is bool:
        return fr.world.u.const(int(atom.value)).atoms[0]
    if isinstance(atom, Obj):
        value = enum_constant(atom)
        return value if value is not atom else None
    return None


def _add_twin(fr: Frame, obj: Obj, twin: Atom, value: Value, cell: Cell) -> None:
    """Let who asks by the constant find what ``cell`` holds under a key that equals it."""
    world = fr.world
    new = ("twin", twin) not in obj.fields
    same = world.cell(obj.fields, ("twin", twin))
    world.write(fr, same, value)
    before = same.definite
    same.removed = same.removed or cell.removed
    same.definite = (same.definite or cell.definite) and not same.removed
    if new and ("key", twin) in obj.fields:
        for reader in obj.fields["key", twin].readers:
            world.mark(reader)
    if same.definite is not before:
        for reader in same.readers:
            world.mark(reader)


def _places(fr: Frame, obj: Obj, key: Atom) -> list[tuple[str, Atom]]:
    """The cells that may hold what is stored under a key: its own, and those of keys that equal it."""
    found = [("key", key)]
    twin = _twin(fr, key)
    if twin is not None:
        found.append(("key", twin))
    if ("twin", twin or key) in obj.fields:
        found.append(("twin", twin or key))
    return found


def _may_lack(fr: Frame, cell: Cell) -> None:
    """A dict need not have the key of this cell, whatever else is known of it."""
    if not cell.definite and not cell.removed:
        cell.removed = True
        for reader in cell.readers:
            fr.world.mark(reader)


def _is_key(atom: Atom) -> bool:
    """Atoms that equal only themselves."""
    if isinstance(atom, Sequence):
        return atom.items is not None and all(len(v.atoms) == 1 and _is_key(v.atoms[0]) for v in atom.items)
    return isinstance(atom, Const | Klass | Function | Builtin | External) or (
        isinstance(atom, Obj) and (atom.kind == "enum" or (atom.once and is_bare(atom)))
    )


def _is_near_key(atom: Atom) -> bool:
    """A tuple that stands for several, all of one length: it differs from those it cannot equal."""
    return isinstance(atom, Sequence) and atom.items is not None


def _may_meet(a: Atom, b: Atom) -> bool:
    """Whether two keys may be the same key."""
    if isinstance(a, Sequence) and isinstance(b, Sequence) and a.items is not None and b.items is not None:
        return len(a.items) == len(b.items) and all(
            any(_may_meet(x, y) for x in left.atoms for y in right.atoms)
            for left, right in zip(a.items, b.items, strict=True)
        )
    if any(isinstance(x, Obj) and isinstance(x.klass, Klass) and x.kind != "enum" for x in (a, b)):
        return True  # its class may define ``__eq__``
    return bool(equal(a, b) & TRUE)


def keyword_value(fr: Frame, owner: Atom, given: dict[str, Value], rest: Value | None) -> Value:
    """The dict a ``**kwargs`` parameter of ``owner`` holds; one object for each content."""
    u = fr.world.u
    if rest is not None and any(isinstance(a, Obj) for a in rest.atoms):
        rest = u.join(rest, u.external)
    key = fr.world.keyword_site(owner, tuple(given.items()), rest)
    obj = u.intern(key, lambda: Obj("dict", None, key, ()))
    for name, value in given.items():
        surely = u.unbound_atom not in value.atoms  # else it comes from a dict that may lack it
        add_key(fr, obj, u.const(name), u.without(value, u.unbound_atom), certain=surely)
    if rest is not None:
        add_key(fr, obj, u.unknown("str", "runtime"), rest, certain=False)
    return u.single(obj)


def spread_keywords(fr: Frame, value: Value, args: Args) -> None:
    """``**value`` at a call."""
    world, u = fr.world, fr.world.u
    for atom in value.atoms:
        if isinstance(atom, Obj) and atom.kind == "dict":
            world.read(fr, atom.fields, KEYS)
            for key in list(atom.fields):
                if type(key) is tuple and key[0] == "key" and isinstance(key[1], Const):
                    found = world.read(fr, atom.fields, key)
                    if not found.atoms:
                        continue
                    if not is_certain(fr, atom, key) or len(value.atoms) > 1:
                        found = u.join(found, u.unbound)
                    name = key[1].value
                    if isinstance(name, str):
                        old = args.keywords.get(name)
                        args.keywords[name] = found if old is None else u.join(old, found)
            unknown = world.read(fr, atom.fields, ELEMENT)
            if unknown.atoms:
                args.rest_keywords = u.join(args.rest_keywords or u.bottom, unknown)
        elif isinstance(atom, Obj) and atom.kind == "facts":
            for name, found in attributes.listed(fr, atom):
                old = args.keywords.get(name)
                args.keywords[name] = found if old is None else u.join(old, found)
        elif not (isinstance(atom, Const) and atom.value is None):
            args.rest_keywords = u.join(args.rest_keywords or u.bottom, u.external)


def generator_of(fr: Frame) -> Value:
    """The generator object of this activation; its body has been walked."""
    world = fr.world
    key = ("generator", fr.context)
    obj = world.u.intern(key, lambda: Obj("generator", None, key, ()))
    world.generators.setdefault(obj, {})[fr.context] = None
    world.write(fr, world.cell(obj.fields, ELEMENT), fr.yields)
    if fr.result.atoms:
        world.grow(world.cell(obj.fields, CONTENTS), fr.result)
    return world.u.single(obj)


# ---- reading --------------------------------------------------------------------
def exact_items(fr: Frame, value: Value, limit: int = 1024) -> list[Value] | None:
    """Elements in order where their number is known; None otherwise."""
    if len(value.atoms) != 1:
        return None
    atom = value.atoms[0]
    if isinstance(atom, Sequence):
        return list(atom.items) if atom.items is not None and atom.klass != SLICE else None
    if isinstance(atom, Klass):
        return [fr.world.u.single(m) for m in dict.fromkeys(atom.members.values())] or None
    if isinstance(atom, Obj) and atom.kind == "list":
        length = fr.world.read(fr, atom.fields, LENGTH)
        extra = fr.world.read(fr, atom.fields, ELEMENT)
        if len(length.atoms) == 1 and isinstance(length.atoms[0], Const) and not extra.atoms:
            count = length.atoms[0].value
            if count <= limit:
                return [fr.world.read(fr, atom.fields, i) for i in range(count)]
    return None


def by_length(fr: Frame, value: Value) -> list[list[Value]] | None:
    """Elements in order, those of all sequences of one length together; None where a number is not known."""
    u = fr.world.u
    found: dict[int, list[Value]] = {}
    for atom in value.atoms:
        items = exact_items(fr, u.single(atom))
        if items is None:
            if _iterate_atom(fr, atom, 0) is None:
                continue  # it cannot be iterated
            return None
        known = found.get(len(items))
        found[len(items)] = items if known is None else list(map(u.join, known, items))
    return list(found.values()) or None


def optional_rows(fr: Frame, value: Value) -> list[Value] | None:
    """Elements that may be there, each or not, where they are told apart; None otherwise."""
    if len(value.atoms) != 1:
        return None
    atom = value.atoms[0]
    if isinstance(atom, Sequence):
        return list(atom.rows) if atom.rows is not None else None
    if isinstance(atom, Obj) and atom.kind == "facts" and isinstance(atom.klass, Builtin):
        return [fr.world.u.const(name) for name, _ in attributes.listed(fr, atom)]
    if isinstance(atom, Obj) and atom.kind in ("dict", "set"):
        keys = fr.world.read(fr, atom.fields, KEYS)
        if keys.atoms and all(_is_key(k) for k in keys.atoms):
            return [fr.world.u.single(k) for k in keys.atoms]
    return None


def worth_unrolling(items: list[Value], few: int = 1024, many: int = 1024) -> bool:
    """Known elements whose values differ in a way conditions can see; numbers only where they are few.

    One element that is known shows between a handful of unknown ones.
    """
    known = sum(len(i.atoms) == 1 and not isinstance(i.atoms[0], Unknown) for i in items)
    if len(items) > many or (known < len(items) and (known == 0 or len(items) > HANDFUL)):
        return False
    return len(items) <= few or not any(
        isinstance(a, Const) and isinstance(a.value, int) for i in items for a in i.atoms
    )


def iterate(fr: Frame, value: Value, pos: Any, quiet: bool = False) -> Value:
    """What iterating gives; bottom where there is nothing (``quiet``), else Dead where it cannot iterate."""
    u = fr.world.u
    found = [v for v in [_iterate_atom(fr, atom, pos) for atom in value.atoms] if v is not None]
    if not found and not quiet:
        raise fr.die(f"{value!r:.120} cannot be iterated")
    return u.join_all(found)


def _iterate_atom(fr: Frame, atom: Atom, pos: Any) -> Value | None:
    u = fr.world.u
    if isinstance(atom, Sequence):
        return u.element(atom)
    if isinstance(atom, Obj):
        return _iterate_object(fr, atom, pos)
    if isinstance(atom, Const):
        return (
            u.unknown("str", "runtime")
            if isinstance(atom.value, str) and atom.value
            else (
                u.bottom
                if isinstance(atom.value, str)
                else u.unknown("int", "runtime")
                if isinstance(atom.value, bytes)
                else None
            )
        )
    if isinstance(atom, Klass):
        return u.join_all(u.single(m) for m in atom.members.values()) if atom.members else None
    if isinstance(atom, Unknown):
        if atom.type in ("any", "object"):
            return u.single(atom) if atom.origin in ("lost", "fact") else u.external
        return u.unknown("str", "runtime") if atom.type == "str" else None
    if isinstance(atom, External | Builtin | BuiltinMethod):
        if isinstance(atom, BuiltinMethod) and atom.name == "__dict__":
            return u.unknown("str", "runtime")
        return u.external
    return None


def _iterate_object(fr: Frame, obj: Obj, pos: Any) -> Value | None:
    u, world = fr.world.u, fr.world
    if isinstance(obj.klass, Klass):
        found = implicit.special_method(fr, obj, "__iter__", (), pos)
        if found is not None:
            if u.single(obj) is found or not found.atoms:
                return implicit.special_method(fr, obj, "__next__", (), pos) or u.bottom
            if obj in found.atoms:
                return u.external
            return iterate(fr, found, pos, quiet=True)
        item = implicit.special_method(fr, obj, "__getitem__", (u.unknown("int", "runtime"),), pos)
        if item is not None and obj.kind == "instance":
            return item
    if obj.kind in ("list", "generator"):
        return all_elements(fr, obj)
    if obj.kind in ("dict", "set"):
        return world.read(fr, obj.fields, KEYS)
    if obj.kind == "facts":
        return u.unknown("str", "fact", obj.name)
    if obj.kind == "enum":
        return None
    contents = world.read(fr, obj.fields, CONTENTS)
    if obj.kind == "instance":
        from pathcheck.flow import classes

        assert isinstance(obj.klass, Klass)
        if not classes.opaque_bases(fr, obj.klass):
            element = value_element(fr, obj, obj.klass)
            return element if element.atoms else None
        if contents.atoms:
            return contents
    return u.join(contents, u.external)


def all_elements(fr: Frame, obj: Obj) -> Value:
    """Everything a list or generator may contain."""
    u, world = fr.world.u, fr.world
    world.read(fr, obj.fields, LENGTH)
    result = world.read(fr, obj.fields, ELEMENT)
    for key in list(obj.fields):
        if type(key) is int:
            result = u.join(result, world.read(fr, obj.fields, key))
    return result


def all_values(fr: Frame, obj: Obj) -> Value:
    """Every value of a dict."""
    u, world = fr.world.u, fr.world
    world.read(fr, obj.fields, KEYS)
    result = world.read(fr, obj.fields, ELEMENT)
    for key in list(obj.fields):
        if type(key) is tuple and key[0] == "key":
            result = u.join(result, world.read(fr, obj.fields, key))
    return result


def is_certain(fr: Frame, obj: Obj, key: Any) -> bool:
    cell = obj.fields.get(key)
    if cell is None or not (cell.definite or (obj.at_import and cell.value.atoms and not cell.removed)):
        return False
    return not fr.world.read(fr, obj.fields, SHRUNK).atoms


def dict_get(fr: Frame, obj: Obj, key: Value) -> tuple[Value, bool]:
    """Values under a key and whether it may be missing."""
    u, world = fr.world.u, fr.world
    result = u.bottom
    missing = False
    for atom in key.atoms:
        if _is_key(atom):
            result = u.join(result, world.read(fr, obj.fields, ELEMENT))
            surely = False
            for place in _places(fr, obj, atom):
                result = u.join(result, world.read(fr, obj.fields, place))
                surely = surely or is_certain(fr, obj, place)
            missing = missing or not surely
            if isinstance(atom, Sequence):
                result = u.join(result, _near_values(fr, obj, atom))
        elif _is_near_key(atom):
            result = u.join_all((result, _near_values(fr, obj, atom), world.read(fr, obj.fields, ELEMENT)))
            missing = True
        else:
            result = u.join(result, all_values(fr, obj))
            missing = True
    return result, missing


def _near_values(fr: Frame, obj: Obj, key: Atom) -> Value:
    """Values under tuples that may equal ``key``."""
    u, world = fr.world.u, fr.world
    world.read(fr, obj.fields, KEYS)
    result = u.bottom
    for name in list(obj.fields):
        if type(name) is tuple and name[0] == "key" and _may_meet(name[1], key):
            result = u.join(result, world.read(fr, obj.fields, name))
    return result


def get_item(fr: Frame, base: Value, index: Value, pos: Any) -> Value:
    """``base[index]``; Dead where nothing can be there."""
    u = fr.world.u
    result = u.join_all([_item_of(fr, atom, index, pos) for atom in base.atoms])
    if not result.atoms:
        if (fr.module.name, fr.unit) in fr.world.lifted:
            return u.lost
        fr.raises.setdefault("KeyError")
        fr.raises.setdefault("IndexError")
        raise fr.die(f"no item {index!r:.80} in {base!r:.160}")
    return result


def _item_of(fr: Frame, atom: Atom, index: Value, pos: Any) -> Value:
    u = fr.world.u
    if isinstance(atom, Sequence):
        return _tuple_item(fr, atom, index)
    if isinstance(atom, Obj):
        return _object_item(fr, atom, index, pos)
    if isinstance(atom, Const):
        return _text_item(fr, atom, index)
    if isinstance(atom, Unknown):
        if atom.type in ("any", "object"):
            return u.single(atom) if atom.origin in ("lost", "fact") else u.external
        return u.unknown("str", "runtime") if atom.type == "str" else u.bottom
    if isinstance(atom, Klass):
        return _class_item(fr, atom, index)
    if isinstance(atom, BuiltinMethod) and atom.name == object_dict.DICT:
        return object_dict.entry(fr, atom.receiver, index)
    if isinstance(atom, Function):
        # ``kernel[grid]``: a kernel to launch; the grid may be a function of the meta-parameters
        for candidate in index.atoms:
            if isinstance(candidate, Function):
                calls.call_quietly(fr, u.single(candidate), (u.object,), pos)
        return u.builtin_method(LAUNCH, atom)
    if isinstance(atom, External | Builtin | Wrapped | BuiltinMethod):
        from pathcheck.flow import stdlib

        special = stdlib.subscript(fr, atom, index, pos)
        return special if special is not None else u.single(atom)
    return u.bottom


def _class_item(fr: Frame, klass: Klass, index: Value) -> Value:
    u = fr.world.u
    if "enum" in klass.flags:
        result = u.bottom
        for key in index.atoms:
            if isinstance(key, Const):
                member = klass.members.get(key.value)
                if member is not None:
                    result = u.join(result, u.single(member))
            else:
                result = u.join_all([result, *(u.single(m) for m in klass.members.values())])
        return result
    hook = attributes.attribute_of(fr, klass, "__class_getitem__", 0)
    if hook.atoms:
        return calls.call_quietly(fr, hook, (index,), 0)
    return u.single(klass)


def _tuple_item(fr: Frame, sequence: Sequence, index: Value) -> Value:
    u = fr.world.u
    result = u.bottom
    for key in index.atoms:
        if isinstance(key, Sequence) and key.klass == SLICE:
            result = u.join(result, _tuple_slice(fr, sequence, key))
        elif sequence.items is not None and isinstance(key, Const) and isinstance(key.value, int):
            if -len(sequence.items) <= key.value < len(sequence.items):
                result = u.join(result, sequence.items[key.value])
        elif not isinstance(key, Const) or isinstance(key.value, int):
            result = u.join(result, u.element(sequence))
    return result


def _tuple_slice(fr: Frame, sequence: Sequence, key: Sequence) -> Value:
    u = fr.world.u
    bounds = _bounds(key)
    if sequence.items is None or bounds is None:
        return u.sequence_of(u.element(sequence))
    return u.sequence(tuple(sequence.items[bounds]))


def _bounds(key: Sequence) -> slice | None:
    """Known bounds of a slice; None for others, for a joined slice and for one that Python refuses."""
    if not key.items:
        return None
    parts = []
    for item in key.items:
        if len(item.atoms) != 1 or not isinstance(item.atoms[0], Const):
            return None
        parts.append(item.atoms[0].value)
    if not all(p is None or isinstance(p, int) for p in parts) or parts[2:] == [0]:
        return None
    return slice(*parts)


def _text_item(fr: Frame, const: Const, index: Value) -> Value:
    u = fr.world.u
    if not isinstance(const.value, str | bytes):
        return u.bottom
    result = u.bottom
    for key in index.atoms:
        where: Any = None
        if isinstance(key, Const) and isinstance(key.value, int):
            where = key.value
        elif isinstance(key, Sequence) and key.klass == SLICE:
            where = _bounds(key)
        if where is None:
            result = u.join(result, u.unknown(type(const.value).__name__, "runtime"))
            continue
        try:
            result = u.join(result, u.const(const.value[where]))
        except IndexError:
            continue
    return result


def _object_item(fr: Frame, obj: Obj, index: Value, pos: Any) -> Value:
    u, world = fr.world.u, fr.world
    if isinstance(obj.klass, Klass):
        found = implicit.special_method(fr, obj, "__getitem__", (index,), pos)
        if found is not None:
            return found
    if obj.kind == "list":
        return _list_item(fr, obj, index, pos)
    if obj.kind == "dict":
        found, missing = dict_get(fr, obj, index)
        if missing:
            found = u.join(found, _default_item(fr, obj, index, pos))
        return found
    if obj.kind == "facts":
        return facts_item(fr, obj, index, u.bottom)
    if obj.kind in ("generator", "property"):
        return u.bottom
    if obj.kind == "partial":
        return u.single(obj)
    contents = world.read(fr, obj.fields, CONTENTS)
    if obj.kind == "instance" and contents.atoms:
        return u.join(contents, u.external) if _is_tuple(fr, obj) else contents
    if obj.kind == "instance":
        from pathcheck.flow import classes

        assert isinstance(obj.klass, Klass)
        if classes.opaque_bases(fr, obj.klass):
            return u.external
        return value_element(fr, obj, obj.klass)
    return u.join(contents, u.external)


def _is_tuple(fr: Frame, obj: Obj) -> bool:
    from pathcheck.flow import classes

    return isinstance(obj.klass, Klass) and classes.value_base(fr, obj.klass) == "tuple"


def hold_items(fr: Frame, obj: Obj, items: list[Value], pos: Any) -> None:
    """An instance of a class that derives from ``tuple`` holds what the iterable that it is made of gives."""
    if items and _is_tuple(fr, obj):
        given = iterate(fr, items[0], pos, quiet=True)
        if given.atoms:
            fr.world.write(fr, fr.world.cell(obj.fields, CONTENTS), given)


def value_element(fr: Frame, obj: Obj, klass: Klass) -> Value:
    """What an instance of a class that derives from ``tuple``, ``str`` or ``bytes`` may hold."""
    from pathcheck.flow import classes

    u = fr.world.u
    base = classes.value_base(fr, klass)
    if base == "tuple":
        return u.join(fr.world.read(fr, obj.fields, CONTENTS), u.external)
    if base in ("str", "bytes"):
        return u.unknown("str" if base == "str" else "int", "runtime")
    return u.bottom


def facts_item(fr: Frame, obj: Obj, index: Value, default: Value) -> Value:
    u = fr.world.u
    result = u.bottom
    for key in index.atoms:
        if isinstance(key, Const) and isinstance(key.value, str):
            own = fr.world.read(fr, obj.fields, key.value)
            result = u.join(result, own if own.atoms else u.unknown("any", "fact", f"{obj.name}.{key.value}"))
        else:
            result = u.join(result, u.unknown("any", "fact", obj.name))
    return result


def _default_item(fr: Frame, obj: Obj, index: Value, pos: Any) -> Value:
    """``__missing__`` of the class, or a defaultdict's factory."""
    u, world = fr.world.u, fr.world
    if isinstance(obj.klass, Klass):
        found = implicit.special_method(fr, obj, "__missing__", (index,), pos)
        if found is not None:
            return found
    factory = world.read(fr, obj.fields, FACTORY)
    made = u.bottom
    # What is made for one key is not what is made for another, as long as the keys are not too many.
    few = len(obj.fields) < (MAX_REGISTERED if obj.at_import else MAX_SITE_OBJECTS)
    apart = few and all(isinstance(k, Const) for k in index.atoms)
    for key in [u.single(k) for k in index.atoms] if apart else [index]:
        site = ("default", obj.site, key.atoms[0].seq if apart else None)
        here = u.bottom
        for atom in factory.atoms:
            if not isinstance(atom, Const):
                here = u.join(here, calls.call_quietly(fr, u.single(atom), (), site))
        if here.atoms:
            add_key(fr, obj, key, here, certain=False)
        made = u.join(made, here)
    return made


def _list_item(fr: Frame, obj: Obj, index: Value, pos: Any) -> Value:
    u, world = fr.world.u, fr.world
    result = u.bottom
    for key in index.atoms:
        if isinstance(key, Sequence) and key.klass == SLICE:
            items = exact_items(fr, u.single(obj))
            bounds = _bounds(key)
            if items is not None and bounds is not None:
                result = u.join(result, new_list(fr, items[bounds], None, (pos, "slice")))
            else:
                result = u.join(result, new_list(fr, [], all_elements(fr, obj), (pos, "slice")))
        elif isinstance(key, Const) and type(key.value) is int:
            items = exact_items(fr, u.single(obj))
            if items is not None:
                if -len(items) <= key.value < len(items):
                    result = u.join(result, items[key.value])
            elif key.value >= 0:
                result = u.join(result, world.read(fr, obj.fields, key.value))
                result = u.join(result, world.read(fr, obj.fields, ELEMENT))
            else:
                result = u.join(result, all_elements(fr, obj))
        else:
            result = u.join(result, all_elements(fr, obj))
    return result


# ---- writing --------------------------------------------------------------------
def set_item(fr: Frame, base: Value, index: Value, value: Value, pos: Any, certain: bool = False) -> None:
    """``base[index] = value``."""
    world, u = fr.world, fr.world.u
    for atom in base.atoms:
        if isinstance(atom, BuiltinMethod) and atom.name == object_dict.DICT:
            object_dict.put(fr, atom.receiver, index, value, pos)
            continue
        if isinstance(atom, External):
            from pathcheck.flow import stdlib

            stdlib.store_item(fr, atom, index, value)
            externals.planted(fr, value, pos)
            continue
        if not isinstance(atom, Obj):
            continue
        if isinstance(atom.klass, Klass):
            found = implicit.special_method(fr, atom, "__setitem__", (index, value), pos)
            if found is not None:
                continue
        if atom.kind == "list":
            for key in index.atoms:
                if isinstance(key, Sequence) and key.klass == SLICE:
                    extend(fr, atom, iterate(fr, value, pos, quiet=True))
                    shift(fr, atom)
                elif isinstance(key, Const) and type(key.value) is int and key.value in atom.fields:
                    world.write(fr, world.cell(atom.fields, key.value), value)
                else:
                    world.write(fr, world.cell(atom.fields, ELEMENT), value)
                    world.grow(world.cell(atom.fields, LENGTH), u.unknown("int", "runtime"))
        elif atom.kind == "dict":
            sure = certain and len(base.atoms) == 1
            add_key(fr, atom, index, value, sure, one=certain and not fr.breaks)
        elif atom.kind == "facts":
            for key in index.atoms:
                if isinstance(key, Const):
                    world.write(fr, world.cell(atom.fields, key.value), value)
        else:
            keep(fr, atom, (value,))


def program_part(fr: Frame, value: Value) -> Value:
    """The objects and functions of the program in a value: what a third party may hand back."""
    kept = tuple(
        a
        for a in value.atoms
        if isinstance(a, Function | Klass)
        or (isinstance(a, Obj) and a.kind not in ("external",))
        or hasattr(a, "function")
        or isinstance(a, Sequence)
    )
    return value if len(kept) == len(value.atoms) else fr.world.u.value(kept)


def keep(fr: Frame, obj: Obj, values: Iterable[Value]) -> None:
    """A third-party object may hold the program's things that it is given, numbers apart."""
    world = fr.world
    if is_plain_data(fr, obj):
        return
    contents = world.u.join_all(program_part(fr, v) for v in values)
    if contents.atoms:
        world.write(fr, world.cell(obj.fields, CONTENTS), contents)


def is_plain_data(fr: Frame, obj: Obj) -> bool:
    """Whether every third-party class that makes the object holds numbers only (a tensor)."""
    plain = fr.world.model.plain_data
    if isinstance(obj.klass, External):
        return obj.klass.name in plain
    if isinstance(obj.klass, Klass):
        from pathcheck.flow import classes

        bases = classes.opaque_bases(fr, obj.klass)
        return bool(bases) and all(isinstance(b, External) and b.name in plain for b in bases)
    return False


def delete_item(fr: Frame, base: Value, index: Value, pos: Any) -> None:
    """``del base[index]``."""
    for atom in base.atoms:
        if isinstance(atom, Obj) and isinstance(atom.klass, Klass):
            implicit.special_method(fr, atom, "__delitem__", (index,), pos)
        if isinstance(atom, Obj):
            shrink(fr, atom)
            if atom.kind == "list":
                shift(fr, atom)


def shift(fr: Frame, obj: Obj) -> None:
    """The elements of a list may have moved: any of them may be at any place."""
    world = fr.world
    world.grow(world.cell(obj.fields, LENGTH), world.u.unknown("int", "runtime"))
    world.grow(world.cell(obj.fields, ELEMENT), all_elements(fr, obj))


def shrink(fr: Frame, obj: Obj) -> None:
    """Something may have been removed: keys and length are no longer certain."""
    world, u = fr.world, fr.world.u
    if obj.kind in ("dict", "set"):
        world.grow(world.cell(obj.fields, SHRUNK), u.true)
    elif obj.kind == "list":
        world.grow(world.cell(obj.fields, LENGTH), u.unknown("int", "runtime"))


def update_dict(fr: Frame, target: Value, source: Value, pos: Any) -> None:
    """``target.update(source)`` / ``**source`` in a display."""
    world, u = fr.world, fr.world.u
    for obj in target.atoms:
        if not isinstance(obj, Obj):
            continue
        for atom in source.atoms:
            if isinstance(atom, Obj) and atom.kind == "dict":
                world.read(fr, atom.fields, KEYS)
                for key in list(atom.fields):
                    if type(key) is tuple and key[0] == "key":
                        found = world.read(fr, atom.fields, key)
                        if not found.atoms:
                            continue
                        sure = is_certain(fr, atom, key) and len(source.atoms) == 1
                        add_key(fr, obj, u.single(key[1]), found, certain=sure)
                extra = world.read(fr, atom.fields, ELEMENT)
                if extra.atoms:
                    add_key(fr, obj, u.unknown("str", "runtime"), extra, certain=False)
            elif isinstance(atom, Obj) and atom.kind == "facts":
                for name, found in attributes.listed(fr, atom):
                    add_key(fr, obj, u.const(name), found, certain=len(source.atoms) == 1)
            elif (exact := exact_items(fr, u.single(atom))) is not None:
                for pair in exact:
                    parts = exact_items(fr, pair)
                    if parts is not None and len(parts) == 2:
                        add_key(fr, obj, parts[0], parts[1], certain=len(source.atoms) == 1)
            elif not isinstance(atom, Const):
                pairs = iterate(fr, u.single(atom), pos, quiet=True)
                value = _second(fr, pairs)
                add_key(fr, obj, u.unknown("str", "runtime"), value, certain=False)


def _second(fr: Frame, pairs: Value) -> Value:
    u = fr.world.u
    result = u.bottom
    for atom in pairs.atoms:
        if isinstance(atom, Sequence) and atom.items is not None and len(atom.items) == 2:
            result = u.join(result, atom.items[1])
        else:
            result = u.join(result, u.external)
    return result if result.atoms else u.external


# ---- questions -------------------------------------------------------------------
def contains(fr: Frame, a: Atom, b: Atom, pos: Any) -> int:
    """Outcome bits of ``a in b``; 0 where it raises."""
    u = fr.world.u
    if isinstance(b, Sequence):
        return (
            _in_items(fr, a, list(b.items))
            if b.items is not None
            else (BOTH if _may_equal(fr, a, u.element(b)) else FALSE)
        )
    if isinstance(b, Const):
        if not isinstance(b.value, str | bytes):
            return 0
        if isinstance(a, Const):
            return (
                (TRUE if operator.contains(b.value, a.value) else FALSE)
                if type(a.value) is type(b.value)
                else 0
            )
        return BOTH
    if isinstance(b, Klass):
        return BOTH if not isinstance(a, Obj) or a.klass is b else FALSE
    if isinstance(b, BuiltinMethod) and b.name == object_dict.DICT and isinstance(a, Const):
        return object_dict.has(fr, b.receiver, str(a.value), pos)
    if isinstance(b, External):
        from pathcheck.flow import stdlib

        return stdlib.contains(fr, a, b)
    if not isinstance(b, Obj):
        return BOTH
    if isinstance(b.klass, Klass):
        found_method = implicit.special_method(fr, b, "__contains__", (u.single(a),), pos)
        if found_method is not None:
            return tests.truth(fr, found_method)
    if b.kind == "list":
        items = exact_items(fr, u.single(b))
        return (
            _in_items(fr, a, items)
            if items is not None
            else (BOTH if _may_equal(fr, a, all_elements(fr, b)) else FALSE)
        )
    if b.kind in ("dict", "set"):
        return _in_keys(fr, a, b)
    if b.kind == "facts" and isinstance(a, Const):
        return attributes.facts_has(fr, b, str(a.value))
    if b.kind == "generator":
        return BOTH if _may_equal(fr, a, all_elements(fr, b)) else FALSE
    return BOTH


def equal_items(fr: Frame, a: Atom, b: Atom, depth: int = 3) -> int:
    """Outcome bits of ``a == b``: lists of known contents are compared item by item."""
    if not (isinstance(a, Obj) and isinstance(b, Obj) and a.kind == b.kind == "list" and a is not b):
        return equal(a, b)
    if depth == 0:  # a list may hold itself
        return BOTH
    left, right = exact_items(fr, fr.world.u.single(a)), exact_items(fr, fr.world.u.single(b))
    if left is None or right is None:
        return BOTH
    if len(left) != len(right):
        return FALSE
    bits = TRUE
    for one, other in zip(left, right, strict=True):
        here = 0
        for x in one.atoms:
            for y in other.atoms:
                here |= equal_items(fr, x, y, depth - 1)
        if here == FALSE:
            return FALSE
        if here != TRUE:
            bits = BOTH
    return bits


def _in_items(fr: Frame, a: Atom, items: list[Value]) -> int:
    bits = FALSE
    for item in items:
        here = 0
        for other in item.atoms:
            here |= equal_items(fr, a, other)
        if here == TRUE:
            return TRUE
        if here & TRUE:
            bits = BOTH
    return bits


def _may_equal(fr: Frame, a: Atom, value: Value) -> bool:
    return any(equal_items(fr, a, other) & TRUE for other in value.atoms)


def _in_keys(fr: Frame, a: Atom, obj: Obj) -> int:
    world = fr.world
    keys = world.read(fr, obj.fields, KEYS)
    if not keys.atoms:
        return FALSE
    if _is_key(a):
        own = world.read(fr, obj.fields, ("key", a))
        if own.atoms and is_certain(fr, obj, ("key", a)):
            return TRUE
        if own.atoms:
            return BOTH
        others = keys.not_text() if isinstance(a, Const) and type(a.value) is str else keys.atoms
        return BOTH if any(equal(a, k) & TRUE for k in others if not _is_key(k) or k is not a) else FALSE
    return BOTH if _may_equal(fr, a, keys) else FALSE


def emptiness(fr: Frame, obj: Obj) -> int:
    """Outcome bits of ``bool(container)``."""
    world = fr.world
    if obj.kind == "list":
        length = world.read(fr, obj.fields, LENGTH)
        bits = 0
        for atom in length.atoms:
            bits |= (TRUE if atom.value else FALSE) if isinstance(atom, Const) else BOTH
        return bits or FALSE
    keys = world.read(fr, obj.fields, KEYS)
    if not keys.atoms:
        return FALSE
    if any(_is_key(k) and is_certain(fr, obj, ("key", k)) for k in keys.atoms):
        return TRUE
    return BOTH


def length_of(fr: Frame, atom: Atom) -> Value:
    """``len(atom)`` where no class of the program answers."""
    u, world = fr.world.u, fr.world
    some = u.unknown("int", "runtime")
    if isinstance(atom, Sequence):
        return u.const(len(atom.items)) if atom.items is not None else some
    if isinstance(atom, Const):
        return u.const(len(atom.value)) if isinstance(atom.value, str | bytes) else u.bottom
    if isinstance(atom, Obj) and atom.kind == "list":
        length = world.read(fr, atom.fields, LENGTH)
        return length if length.atoms else u.const(0)
    if isinstance(atom, Obj) and atom.kind in ("dict", "set"):
        keys = world.read(fr, atom.fields, KEYS)
        if all(_is_key(k) and is_certain(fr, atom, ("key", k)) for k in keys.atoms):
            return u.const(len(keys.atoms))
        return some
    if isinstance(atom, Klass) and atom.members:
        return u.const(len(atom.members))
    if isinstance(atom, Unknown) and atom.origin in ("fact", "lost"):
        return u.unknown("int", atom.origin, atom.fact)
    if isinstance(atom, Unknown) and atom.type in ("int", "float", "bool"):
        return u.bottom
    return some


def member(fr: Frame, obj: Obj, name: str) -> Value:
    """Attributes of builtin containers, partials, properties, generators."""
    u = fr.world.u
    if obj.kind == "facts":
        return attributes.facts_attribute(fr, obj, name)
    if obj.kind == "partial" and name in ("func", "args", "keywords"):
        return fr.world.read(fr, obj.fields, name) if name != "keywords" else u.object
    own = fr.world.read(fr, obj.fields, name) if name in obj.fields else u.bottom
    if own.atoms:
        return own
    if obj.kind == "coroutine":
        return u.external
    kind = {"list": list, "dict": dict, "set": set, "property": property}.get(obj.kind)
    if kind is not None and not hasattr(kind, name):
        if name in (
            "popleft",
            "appendleft",
            "extendleft",
            "move_to_end",
            "most_common",
            "rotate",
            "maxlen",
            "default_factory",
        ):
            return u.builtin_method(name, obj)
        fr.world.read(fr, obj.fields, name)
        return u.bottom
    return u.builtin_method(name, obj)


# ---- operators --------------------------------------------------------------------
def binary(fr: Frame, op: str, a: Atom, b: Atom, pos: Any) -> Value | None:
    """``+``, ``*`` and ``|`` on containers; None if neither side is one."""
    u = fr.world.u
    first = a if isinstance(a, Obj | Sequence) else b
    if isinstance(first, Sequence) and first.klass is None:
        return _tuple_binary(fr, op, a, b)
    if not isinstance(first, Obj) or first.kind not in COLLECTIONS:
        return None
    if first.kind == "list" and op in ("+", "*"):
        other = b if first is a else a
        if not _list_takes(op, other):
            return u.bottom
        items = [exact_items(fr, u.single(x)) if isinstance(x, Obj) else [] for x in (a, b)]
        if (
            op == "+"
            and items[0] is not None
            and items[1] is not None
            and isinstance(a, Obj)
            and isinstance(b, Obj)
        ):
            return new_list(fr, items[0] + items[1], None, (pos, op))
        if (
            op == "*"
            and isinstance(b, Const)
            and isinstance(b.value, int)
            and items[0] is not None
            and len(items[0]) * b.value <= 16
        ):
            return new_list(fr, items[0] * b.value, None, (pos, op))
        sides = (first,) if op == "*" else (a, b)
        parts = [
            iterate(fr, u.single(x), pos, quiet=True)
            for x in sides
            if isinstance(x, Obj | Sequence | Unknown)
        ]
        return new_list(fr, [], u.join_all(parts), (pos, op))
    if first.kind in ("dict", "set"):
        if op not in _MERGES[first.kind] or isinstance(a, Const) or isinstance(b, Const):
            return u.bottom
        obj = fr.world.alloc(fr, first.kind, None, (pos, op))
        result = u.single(obj)
        if first.kind == "set" and op in ("-", "&"):
            add_key(fr, obj, _set_part(fr, op, a, b, pos), u.true, certain=False)
            return result
        for side in (a, b):
            if first.kind == "dict":
                update_dict(fr, result, u.single(side), pos)
            else:
                add_key(fr, obj, iterate(fr, u.single(side), pos, quiet=True), u.true, certain=False)
        return result
    return None


def _set_part(fr: Frame, op: str, a: Atom, b: Atom, pos: Any) -> Value:
    """The elements of ``a`` that may be left by ``a - b`` or ``a & b``."""
    u = fr.world.u
    own = iterate(fr, u.single(a), pos, quiet=True)
    bit = FALSE if op == "-" else TRUE
    return u.value(tuple(x for x in own.atoms if contains(fr, x, b, pos) & bit))


#: Operators that merge two containers of a kind.
_MERGES = {"dict": ("|",), "set": ("|", "&", "-", "^")}


def _list_takes(op: str, other: Atom) -> bool:
    """Whether a list can be added to or multiplied by this; anything else is a TypeError."""
    if isinstance(other, Unknown):
        return op == "+" or other.type in ("any", "object", "int", "bool")
    if isinstance(other, Obj):
        return other.kind in ("external", "instance", "enum") or (op == "+" and other.kind == "list")
    return op == "*" and isinstance(other, Const) and isinstance(other.value, int)


def _tuple_binary(fr: Frame, op: str, a: Atom, b: Atom) -> Value | None:
    u = fr.world.u
    if op == "+" and isinstance(a, Sequence) and isinstance(b, Sequence):
        if a.items is not None and b.items is not None:
            return u.sequence(a.items + b.items)
        return u.sequence_of(u.join(u.element(a), u.element(b)))
    if (
        op == "*"
        and isinstance(a, Sequence)
        and isinstance(b, Const)
        and isinstance(b.value, int)
        and a.items is not None
        and len(a.items) * b.value <= 64
    ):
        return u.sequence(a.items * b.value)
    if op == "*":
        sequence = a if isinstance(a, Sequence) else b
        assert isinstance(sequence, Sequence)
        return u.sequence_of(u.element(sequence))
    if op == "|" and isinstance(a, Sequence) and a.items is not None:
        return u.sequence((*a.items, u.single(b)))
    return None


def augmented(fr: Frame, op: str, old: Value, value: Value, pos: Any) -> Value:
    """``old op= value``: in place where the object says so."""
    u = fr.world.u
    result = u.bottom
    rest = []
    for atom in old.atoms:
        if isinstance(atom, Obj) and atom.kind == "list" and op == "+":
            extend(fr, atom, iterate(fr, value, pos, quiet=True))
            result = u.join(result, u.single(atom))
            continue
        if isinstance(atom, Obj) and atom.kind == "dict" and op == "|":
            update_dict(fr, u.single(atom), value, pos)
            result = u.join(result, u.single(atom))
            continue
        if isinstance(atom, Obj) and atom.kind == "set":
            if op == "|":
                add_key(fr, atom, iterate(fr, value, pos, quiet=True), u.true, certain=False)
            shrink(fr, atom)
            result = u.join(result, u.single(atom))
            continue
        if isinstance(atom, Obj) and isinstance(atom.klass, Klass):
            from pathcheck.flow.operators import BINARY_METHOD

            name = "__i" + BINARY_METHOD[op][2:]
            found = implicit.special_method(fr, atom, name, (value,), pos)
            if found is not None:
                result = u.join(result, found)
                continue
        rest.append(atom)
    if rest:
        result = u.join(result, binaries.binary(fr, op, u.value(tuple(rest)), value, pos))
    return result


def extend(fr: Frame, obj: Obj, element: Value) -> None:
    """Add an unknown number of elements to a list."""
    world, u = fr.world, fr.world.u
    escape(fr, element)
    world.write(fr, world.cell(obj.fields, ELEMENT), element)
    world.grow(world.cell(obj.fields, LENGTH), u.unknown("int", "runtime"))


# ---- comprehensions, awaiting -------------------------------------------------------
def comprehension(
    fr: Frame, kind: str, unit: int, elements: tuple[Node, ...], generators: tuple[Node, ...], pos: Any
) -> Value:
    """A comprehension: exact for one short known iterable without conditions, a summary otherwise."""
    fr.repeats += 1
    try:
        return _comprehension(fr, kind, unit, elements, generators, pos)
    finally:
        fr.repeats -= 1


def _comprehension(
    fr: Frame, kind: str, unit: int, elements: tuple[Node, ...], generators: tuple[Node, ...], pos: Any
) -> Value:
    u = fr.world.u
    before = fr.env
    assert before is not None
    fr.env = dict(before)
    first = ex.evaluate(fr, generators[0][1])
    items = exact_items(fr, first)
    if items is None and len(first.atoms) == 1:
        items = known_keys(fr, first.atoms[0])
    if items is not None and len(generators) == 1 and kind != "set" and worth_unrolling(items):
        return _exact_result(fr, kind, _exact(fr, unit, elements, generators[0], items), pos)
    tuples = _tuples(fr, first) if kind in ("gen", "list") and len(generators) == 1 else None
    if tuples is not None:
        return _over_tuples(fr, kind, unit, elements, generators[0], tuples, pos)
    rows = _rows(fr, first) if kind == "dict" and len(generators) == 1 else None
    if rows is not None and worth_unrolling(rows):
        made = new_dict(fr, pos)
        for row in rows:
            found = _optional(fr, unit, elements, generators[0], row)
            if found is not None:
                add_key(fr, made.atoms[0], found[0], found[1], certain=False)  # type: ignore[arg-type]
        return made
    result = _summary(fr, unit, elements, generators, first)
    fr.env = _after(before, fr.env)
    if kind == "dict":
        made = new_dict(fr, pos)
        if result is not None:
            add_key(fr, made.atoms[0], result[0], result[1], certain=False)  # type: ignore[arg-type]
        return made
    return _some_of(fr, kind, result[0] if result is not None else u.bottom, pos)


def _tuples(fr: Frame, value: Value) -> list[list[Value]] | None:
    """What a few short tuples hold place by place; None where that is not known, or all places hold the same.

    The arguments of a call, say, of which each is a thing of its own.
    """
    if not all(isinstance(atom, Sequence) for atom in value.atoms):
        return None
    found = by_length(fr, value)
    if found is None or len(found) > HANDFUL or any(len(places) > MAX_PLACES for places in found):
        return None
    return found if any(len(set(places)) > 1 for places in found) else None


def _over_tuples(
    fr: Frame,
    kind: str,
    unit: int,
    elements: tuple[Node, ...],
    generator: Node,
    tuples: list[list[Value]],
    pos: Any,
) -> Value:
    """A comprehension over the tuple of any of these lengths; Dead where it ends with none of them."""
    before, result = fr.env, fr.world.u.bottom
    assert before is not None
    after: Env | None = None
    for places in tuples:
        fr.env = dict(before)
        with suppress(Dead):
            made = _exact(fr, unit, elements, generator, places)
            result = fr.world.u.join(result, _exact_result(fr, kind, made, pos))
            after = fr.env if after is None else join_env(fr.world, after, fr.env)
    if after is None:
        raise Dead
    fr.env = after
    return result


def known_keys(fr: Frame, atom: Atom) -> list[Value] | None:
    """The keys of a dict, or elements of a set, where each is surely there; None otherwise."""
    if not isinstance(atom, Obj) or atom.kind not in ("dict", "set") or isinstance(atom.klass, Klass):
        return None
    keys = fr.world.read(fr, atom.fields, KEYS)
    if keys.atoms and all(_is_key(k) and is_certain(fr, atom, ("key", k)) for k in keys.atoms):
        return [fr.world.u.single(k) for k in keys.atoms]
    return None


def _rows(fr: Frame, value: Value) -> list[Value] | None:
    """Elements told apart, each of which may be there or not: a comprehension treats each alone."""
    rows = optional_rows(fr, value)
    if rows is None:
        element = iterate(fr, value, 0, quiet=True)
        if len(element.atoms) > 1 and all(isinstance(a, Const) for a in element.atoms):
            rows = [fr.world.u.single(a) for a in element.atoms]
    return rows


def _optional(
    fr: Frame, unit: int, elements: tuple[Node, ...], generator: Node, row: Value
) -> tuple[Value, ...] | None:
    """One round over an element that may be there; None where its conditions or its values say no."""
    before = fr.env
    assert before is not None
    fr.env = dict(before)
    outer = fr.unit
    try:
        assignment.assign(fr, generator[0], row)
        for condition_unit, condition in generator[2]:
            ex.reach(fr, condition_unit)
            fr.unit = condition_unit
            fr.env, _ = tests.branch(fr, condition)
            if fr.env is None:
                return None
        ex.reach(fr, unit)
        fr.unit = unit
        return tuple(ex.evaluate(fr, e) for e in elements)
    except Dead:
        return None
    finally:
        fr.unit = outer
        fr.env = join_env(fr.world, before, fr.env)


def _after(before: Any, now: Any) -> Any:
    """Objects under construction may have changed; the comprehension's own names end."""
    return now if now is not None else before


def _exact(
    fr: Frame, unit: int, elements: tuple[Node, ...], generator: Node, items: list[Value]
) -> list[tuple[tuple[Value, ...], bool]]:
    """Each round over known elements that may give something, and whether it surely does."""
    target, _, conditions = generator
    results = []
    for item in items:
        before = fr.env
        sure = True
        if conditions:
            assignment.assign(fr, target, item)
            kept = _kept(fr, conditions)
            if kept is False:
                continue
            sure = kept is True
        if sure:
            results.append((_element(fr, unit, elements, target, item), True))
        else:
            fr.env = before
            result = _optional(fr, unit, elements, generator, item)
            if result is not None:
                results.append((result, False))
    return results


def _kept(fr: Frame, conditions: tuple[Node, ...]) -> bool | None:
    """Whether every condition holds; None if one is open."""
    outer = fr.unit
    try:
        for unit, condition in conditions:
            ex.reach(fr, unit)
            fr.unit = unit
            before = fr.env
            on, off = tests.branch(fr, condition)
            if on is not None and off is not None:
                return None
            fr.env = before
            if on is None:
                return False
            fr.env = on
    finally:
        fr.unit = outer
    return True


def _element(
    fr: Frame, unit: int, elements: tuple[Node, ...], target: Node, item: Value
) -> tuple[Value, ...]:
    assignment.assign(fr, target, item)
    ex.reach(fr, unit)
    return tuple(ex.evaluate(fr, e) for e in elements)


def _exact_result(fr: Frame, kind: str, results: list[tuple[tuple[Value, ...], bool]], pos: Any) -> Value:
    u = fr.world.u
    if kind == "dict":
        made = new_dict(fr, pos)
        (obj,) = made.atoms
        assert isinstance(obj, Obj)
        for (key, value), sure in results:
            add_key(fr, obj, key, value, certain=sure)
            for atom in () if sure else key.atoms:
                for place in (("key", atom), ("twin", _twin(fr, atom))):
                    if place in obj.fields:
                        _may_lack(fr, obj.fields[place])
        return made
    if all(sure for _, sure in results):
        items = [result[0] for result, _ in results]
        return u.sequence(tuple(items)) if kind == "gen" else new_list(fr, items, None, pos)
    return _some_of(fr, kind, u.join_all(result[0] for result, _ in results), pos)


def _some_of(fr: Frame, kind: str, element: Value, pos: Any) -> Value:
    """What a comprehension makes that is known by its elements alone."""
    if kind == "set":
        return new_set(fr, [], element, pos)
    if kind == "gen":
        obj = fr.world.alloc(fr, "generator", None, pos)
        fr.world.write(fr, fr.world.cell(obj.fields, ELEMENT), element)
        return fr.world.u.single(obj)
    return new_list(fr, [], element, pos) if element.atoms else new_list(fr, [], None, pos)


def _summary(
    fr: Frame, unit: int, elements: tuple[Node, ...], generators: tuple[Node, ...], first: Value
) -> tuple[Value, ...] | None:
    """What one round of the comprehension may give; None if it surely has no rounds."""
    outer = fr.unit
    try:
        for index, (target, iterable, conditions) in enumerate(generators):
            source = first if index == 0 else ex.evaluate(fr, iterable)
            element = iterate(fr, source, 0, quiet=True)
            if not element.atoms:
                return None
            assignment.assign(fr, target, element)
            for condition_unit, condition in conditions:
                ex.reach(fr, condition_unit)
                fr.unit = condition_unit
                on, _ = tests.branch(fr, condition)
                fr.env = on
                if on is None:
                    return None
        ex.reach(fr, unit)
        fr.unit = unit
        return tuple(ex.evaluate(fr, e) for e in elements)
    except Dead:
        return None
    finally:
        fr.unit = outer


def awaited(fr: Frame, value: Value, pos: Any) -> Value:
    """``await value``: coroutines were walked when called."""
    u = fr.world.u
    result = u.bottom
    for atom in value.atoms:
        if isinstance(atom, Obj) and isinstance(atom.klass, Klass):
            found = implicit.special_method(fr, atom, "__await__", (), pos)
            result = u.join(result, u.external if found is not None else u.single(atom))
        elif isinstance(atom, Obj) and atom.kind == "coroutine":
            continue  # it has not returned yet
        elif isinstance(atom, Obj) and atom.kind == "external":
            result = u.join_all((result, u.external, fr.world.read(fr, atom.fields, CONTENTS)))
        else:
            result = u.join(result, u.single(atom))
    return result
