"""``left op right``: pair by pair where there are few, kind by kind where there are many."""

from __future__ import annotations

from typing import Any

from pathcheck.flow import containers, implicit
from pathcheck.flow.classes import lookup
from pathcheck.flow.frame import Frame
from pathcheck.flow.operators import BINARY_METHOD, binary_constants, binary_unknown, scalar_type, unknown_of
from pathcheck.flow.values import Atom, Const, Klass, Obj, Sequence, Unknown, Value

#: Pairs of atoms that an operator computes one by one.
MAX_PAIRS = 64


def binary(fr: Frame, op: str, left: Value, right: Value, pos: Any) -> Value:
    """``left op right`` over all pairs; raises Dead where no pair supports the operator."""
    u = fr.world.u
    result = u.bottom
    if len(left.atoms) * len(right.atoms) > MAX_PAIRS:
        for these in _kinds(fr, op, left):
            for those in _kinds(fr, op, right):
                result = u.join(result, _binary_kinds(fr, op, these, those, pos))
    else:
        for a in left.atoms:
            for b in right.atoms:
                result = u.join(result, _binary_pair(fr, op, a, b, pos))
    if not result.atoms:
        raise fr.die(f"unsupported operands of {op}")
    return result


def _kinds(fr: Frame, op: str, value: Value) -> list[Value]:
    """A large operand by kinds that behave alike under an operator; constants of a kind become their type."""
    u = fr.world.u
    kinds: dict[Any, list[Atom]] = {}
    for atom in value.atoms:
        kinds.setdefault(_kind(atom, op), []).append(atom)
    found = []
    for atoms in kinds.values():
        if isinstance(atoms[0], Const) and len(atoms) > 1:
            found.append(u.unknown(type(atoms[0].value).__name__, "runtime"))
        else:
            found.append(u.value(tuple(atoms)))
    return found


def _kind(atom: Atom, op: str) -> Any:
    if isinstance(atom, Const):
        return type(atom.value)
    if isinstance(atom, Unknown) or (isinstance(atom, Klass) and op == "|"):
        return atom
    if isinstance(atom, Obj):
        return atom.kind, atom.klass
    if isinstance(atom, Sequence):
        return Sequence, atom.klass
    return type(atom)


def _binary_kinds(fr: Frame, op: str, left: Value, right: Value, pos: Any) -> Value:
    """Atoms of one kind on either side: asked once where the kind decides, else with all that lie in them."""
    u = fr.world.u
    a, b = left.atoms[0], right.atoms[0]
    if len(left.atoms) == len(right.atoms) == 1:
        return _binary_pair(fr, op, a, b, pos)
    found = _operator_methods(fr, op, left, right, pos)
    if found is not None:
        return found
    sample = _binary_pair(fr, op, a, b, pos)
    if not sample.atoms or not (_holds(a) or _holds(b)):
        return sample
    elements = u.join_all(
        containers.iterate(fr, v, pos, quiet=True) for v in (left, right) if _holds(v.atoms[0])
    )
    for made in sample.atoms:
        if isinstance(made, Sequence) and elements.atoms:
            sample = u.join(sample, u.sequence_of(elements))
        elif isinstance(made, Obj) and made.kind == "list":
            containers.new_list(fr, [], elements, (pos, op))  # the sample's own allocation site
        elif isinstance(made, Obj) and made.kind == "set":
            containers.add_key(fr, made, elements, u.true, certain=False)
        elif isinstance(made, Obj) and made.kind == "dict":
            for side in (left, right):
                containers.update_dict(fr, u.single(made), side, pos)
    return sample


def _holds(atom: Atom) -> bool:
    """Whether an operator's result may hold the elements of this operand."""
    return isinstance(atom, Sequence) or (isinstance(atom, Obj) and atom.kind in containers.COLLECTIONS)


def _binary_pair(fr: Frame, op: str, a: Atom, b: Atom, pos: Any) -> Value:
    u = fr.world.u
    if isinstance(a, Const) and isinstance(b, Const) and op != "@":
        try:
            computed = binary_constants(op, a.value, b.value)
        except (TypeError, ZeroDivisionError, ValueError, OverflowError, MemoryError):
            return u.bottom
        if computed is NotImplemented:
            return unknown_of(u, type(a.value).__name__)
        return u.const(computed)
    found = _operator_methods(fr, op, u.single(a), u.single(b), pos)
    if found is not None:
        return found
    special = containers.binary(fr, op, a, b, pos)
    if special is not None:
        return special
    if op == "%" and scalar_type(a) == "str":
        _percent(fr, a, b, pos)
        return unknown_of(u, "str", a, b)
    unknown = binary_unknown(u, op, a, b)
    if unknown is not None:
        return unknown
    if isinstance(a, Klass) or (isinstance(b, Klass) and op == "|"):
        return u.sequence((u.single(a), u.single(b)))
    if op == "|" and not isinstance(a, Const | Obj):
        return u.sequence((u.single(a), u.single(b)))
    if isinstance(a, Obj) or isinstance(b, Obj):
        return u.bottom if {type(a), type(b)} <= {Obj, Const} and not _foreign(a, b) else u.object
    if isinstance(a, Const) or isinstance(b, Const):
        return u.bottom
    return u.object


def _foreign(*atoms: Atom) -> bool:
    """True if an operand's third-party side could support the operator."""
    return any(isinstance(a, Obj) and a.kind in ("external", "instance", "enum") for a in atoms)


def _operator_methods(fr: Frame, op: str, left: Value, right: Value, pos: Any) -> Value | None:
    """Operators that a class of the program defines; the atoms of a side have one class."""
    u = fr.world.u
    name = BINARY_METHOD[op]
    for value, other, method in ((left, right, name), (right, left, "__r" + name[2:])):
        klass = value.atoms[0].klass if isinstance(value.atoms[0], Obj) else None
        if not isinstance(klass, Klass) or not lookup(fr, klass, method):
            continue
        result = None
        for atom in value.atoms:
            assert isinstance(atom, Obj)
            found = implicit.special_method(fr, atom, method, (other,), pos)
            if found is not None:
                result = u.join(result or u.bottom, found)
        if result is not None:
            return result
    return None


def _percent(fr: Frame, pattern: Atom, given: Atom, pos: Any) -> None:
    """``pattern % given`` asks for texts: of the items where a tuple is given."""
    u = fr.world.u
    value = u.element(given) if isinstance(given, Sequence) else u.single(given)
    text = pattern.value if isinstance(pattern, Const) else "%r"
    implicit.text_of(fr, value, pos, "any" if "%r" in text or "%a" in text else "str")
