"""Operators on atoms: concrete where both sides are constants, typed unknowns otherwise."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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
    Unknown,
    Value,
    Wrapped,
)

if TYPE_CHECKING:
    from pathcheck.flow.values import Universe

#: Outcome bits of a test.
TRUE, FALSE, BOTH = 1, 2, 3

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
BINARY_METHOD = {
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "/": "__truediv__",
    "//": "__floordiv__",
    "%": "__mod__",
    "**": "__pow__",
    "&": "__and__",
    "|": "__or__",
    "^": "__xor__",
    "<<": "__lshift__",
    ">>": "__rshift__",
    "@": "__matmul__",
}
COMPARE_METHOD = {
    "==": "__eq__",
    "!=": "__ne__",
    "<": "__lt__",
    "<=": "__le__",
    ">": "__gt__",
    ">=": "__ge__",
}

#: Results larger than this are not computed.
MAX_TEXT = 10_000
_NUMERIC = ("int", "float", "bool")


def scalar_type(atom: Atom) -> str | None:
    """ "int", "str" … for constants and typed unknowns, None for anything else."""
    if isinstance(atom, Const):
        return type(atom.value).__name__
    if isinstance(atom, Unknown) and atom.type not in ("any", "object"):
        return atom.type
    return None


def binary_constants(op: str, a: Any, b: Any) -> Any:
    """The result, or raise the Python error. ``NotImplemented`` where it would be huge."""
    if op == "**" and (abs(b) > 64 or (isinstance(a, int) and abs(a) > 10**6)):
        return NotImplemented
    if op == "<<" and (not isinstance(b, int) or b > 64):
        return NotImplemented
    if op == "*" and isinstance(a, str | bytes) | isinstance(b, str | bytes):
        size = (len(a) if isinstance(a, str | bytes) else len(b)) * (b if isinstance(b, int) else a)
        if size > MAX_TEXT:
            return NotImplemented
    if isinstance(a, int) and abs(a) > 1 << 80:
        return NotImplemented
    return BINARY[op](a, b)


def unknown_of(u: Universe, type: str, *atoms: Atom) -> Value:
    """A typed unknown that keeps the one fact or loss its operands hang on."""
    facts = {a.fact for a in atoms if isinstance(a, Unknown) and a.origin == "fact"}
    if any(isinstance(a, Unknown) and a.origin == "lost" for a in atoms):
        return u.unknown(type, "lost")
    if len(facts) == 1:
        return u.unknown(type, "fact", facts.pop())
    return u.unknown(type, "runtime")


def binary_unknown(u: Universe, op: str, a: Atom, b: Atom) -> Value | None:
    """The result where a side is not constant; None if no builtin rule fits."""
    left, right = scalar_type(a), scalar_type(b)
    if left == "str" and op == "%":
        return unknown_of(u, "str", a, b)
    if left in _NUMERIC and right in _NUMERIC:
        floaty = op == "/" or "float" in (left, right) or op == "**"
        return unknown_of(u, "float" if floaty else "int", a, b)
    if left == "str" and right == "str" and op == "+":
        return unknown_of(u, "str", a, b)
    if op == "+" and "str" in (left, right) and (left in _NUMERIC or right in _NUMERIC):
        return u.bottom  # a TypeError
    if "str" in (left, right) and op == "*":
        return unknown_of(u, "str", a, b)
    if isinstance(a, Unknown | External) or isinstance(b, Unknown | External):
        if (isinstance(a, Unknown) and a.origin == "lost") or (isinstance(b, Unknown) and b.origin == "lost"):
            return u.lost
        facts = {x.fact for x in (a, b) if isinstance(x, Unknown) and x.origin == "fact"}
        return u.unknown("object", "fact", facts.pop()) if len(facts) == 1 else u.object
    return None


_IDENTITY = (Function, Klass, Module, External, Builtin, Method, BuiltinMethod, Wrapped)


def is_same(a: Atom, b: Atom) -> int:
    """Outcome bits of ``a is b``."""
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        unknown, other = (a, b) if isinstance(a, Unknown) else (b, a)
        return _unknown_is(unknown, other)  # type: ignore[arg-type]
    if a is b:
        if isinstance(a, Obj) and a.kind != "enum":
            return TRUE if a.once else BOTH
        return BOTH if isinstance(a, Sequence | Method) else TRUE
    if isinstance(a, Const) and isinstance(b, Const):
        return (
            TRUE if a.value is b.value or (type(a.value) is type(b.value) and a.value == b.value) else FALSE
        )
    return FALSE


def _unknown_is(unknown: Unknown, other: Atom) -> int:
    if unknown.type == "any":
        return BOTH
    if isinstance(other, Const):
        kind = type(other.value).__name__
        return BOTH if unknown.type == kind else FALSE
    if isinstance(other, Unknown):
        return BOTH if other.type in ("any", unknown.type) or unknown.type == "object" else FALSE
    if unknown.type == "object":
        return BOTH if isinstance(other, External | Obj) else FALSE
    return FALSE


def equal(a: Atom, b: Atom) -> int:
    """Outcome bits of ``a == b`` for atoms whose classes define no ``__eq__`` of their own."""
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return _unknown_equal(a, b)
    if a is not b:
        a, b = enum_constant(a), enum_constant(b)
    if isinstance(a, Const) and isinstance(b, Const):
        return TRUE if a.value == b.value else FALSE
    if isinstance(a, Sequence) and isinstance(b, Sequence):
        return _sequence_equal(a, b)
    if isinstance(a, External) and isinstance(b, External):
        return TRUE if a is b else FALSE if a.name.split(".")[0] == b.name.split(".")[0] else BOTH
    for one, other in ((a, b), (b, a)):
        odd = isinstance(other, External) or (isinstance(other, Obj) and other.kind != "enum")
        if is_bare(one) and (not odd or is_bare(other)):
            return is_same(one, other)
    if isinstance(a, Obj) and isinstance(b, Obj):
        if a.kind == "enum" and b.kind == "enum":
            return TRUE if a is b else FALSE
        return BOTH
    for one, other in ((a, b), (b, a)):
        if isinstance(one, External) and isinstance(other, Const) and _may_be_data(one):
            return FALSE if other.value is None else BOTH
        if isinstance(one, Obj) and one.kind == "external" and not isinstance(other, Function | Klass):
            return FALSE if isinstance(other, Const) and other.value is None else BOTH
    return TRUE if a is b and not isinstance(a, Method) else BOTH if a is b else FALSE


#: Names in capitals that stand for nothing but themselves.
_SENTINELS = ("dataclasses.MISSING", "msgspec.NODEFAULT", "msgspec.UNSET")


def _may_be_data(external: External) -> bool:
    """Whether a third-party name may hold a plain constant: no top-level module does, no class either."""
    if external.name in _SENTINELS:
        return False
    _, dot, last = external.name.rpartition(".")
    return bool(dot) and (last.isupper() or not last[:1].isupper())


def is_bare(atom: Atom) -> bool:
    """Whether this is an ``object()``, which equals nothing but itself."""
    return (
        isinstance(atom, Obj)
        and atom.kind == "external"
        and isinstance(atom.klass, Builtin)
        and atom.klass.name == "object"
    )


def enum_constant(atom: Atom) -> Atom:
    """An IntEnum's or str-enum's member compares and hashes as its value; other atoms as themselves."""
    if isinstance(atom, Obj) and atom.kind == "enum":
        klass = atom.klass
        if isinstance(klass, Klass) and klass.flags.get("enum") in ("int", "str"):
            cell = atom.fields.get("value")
            if cell is not None and len(cell.value.atoms) == 1 and isinstance(cell.value.atoms[0], Const):
                return cell.value.atoms[0]
    return atom


def _unknown_equal(a: Atom, b: Atom) -> int:
    left, right = scalar_type(a), scalar_type(b)
    if left and right:
        same = left == right or (left in _NUMERIC and right in _NUMERIC)
        return BOTH if same else FALSE
    unknown, other = (a, b) if isinstance(a, Unknown) else (b, a)
    kind = scalar_type(other)
    if isinstance(unknown, Unknown) and unknown.type == "object" and kind == "NoneType":
        return FALSE
    if scalar_type(unknown) and isinstance(other, Function | Klass | Module | Sequence):
        return FALSE
    return BOTH


def _sequence_equal(a: Sequence, b: Sequence) -> int:
    if a.items is None or b.items is None:
        return BOTH
    if len(a.items) != len(b.items):
        return FALSE
    bits = TRUE
    for left, right in zip(a.items, b.items, strict=True):
        here = 0
        for x in left.atoms:
            for y in right.atoms:
                here |= equal(x, y)
        if here == FALSE:
            return FALSE
        if here != TRUE:
            bits = BOTH
    return bits


def compare(op: str, a: Atom, b: Atom) -> int:
    """Outcome bits of an ordering or equality; 0 where Python raises TypeError."""
    if op == "==":
        return equal(a, b)
    if op == "!=":
        bits = equal(a, b)
        return {TRUE: FALSE, FALSE: TRUE, BOTH: BOTH}[bits]
    a, b = enum_constant(a), enum_constant(b)
    if isinstance(a, Const) and isinstance(b, Const):
        try:
            return TRUE if COMPARE[op](a.value, b.value) else FALSE
        except TypeError:
            return 0
    if isinstance(a, Sequence) and isinstance(b, Sequence):
        return _order_sequences(op, a, b)
    if (isinstance(a, Const) and a.value is None) or (isinstance(b, Const) and b.value is None):
        other = b if isinstance(a, Const) and a.value is None else a
        return BOTH if isinstance(other, Unknown) and other.type in ("any", "object") else 0
    return BOTH


def _order_sequences(op: str, a: Sequence, b: Sequence) -> int:
    left, right = plain(a), plain(b)
    if left is None or right is None:
        return BOTH
    try:
        return TRUE if COMPARE[op](left, right) else FALSE
    except TypeError:
        return 0


def plain(atom: Atom) -> Any:
    """The Python value of a constant or a tuple of single constants; None if it has none."""
    if isinstance(atom, Const):
        return atom.value
    if isinstance(atom, Sequence) and atom.items is not None:
        parts = []
        for item in atom.items:
            if len(item.atoms) != 1 or not isinstance(item.atoms[0], Const | Sequence):
                return None
            value = plain(item.atoms[0])
            if value is None and not isinstance(item.atoms[0], Const):
                return None
            parts.append(value)
        return tuple(parts)
    return None
