"""Conditions: outcome bits, and the environments in which each outcome holds."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pathcheck.flow import builtin_calls, callgraph, containers, implicit
from pathcheck.flow import expressions as ex
from pathcheck.flow.env import join_all_env, join_env
from pathcheck.flow.frame import Dead, Env, Frame
from pathcheck.flow.operators import BOTH, COMPARE_METHOD, FALSE, TRUE, compare, is_same
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
    Unbound,
    Unknown,
    Value,
    Wrapped,
)
from pathcheck.program import ir
from pathcheck.program.ir import Node

if TYPE_CHECKING:
    pass

#: Pairs of atoms that a comparison looks at; with more both outcomes are taken.
MAX_PAIRS = 400
#: Classes that a local may be for a predicate to be asked for each by itself.
MAX_CLASSES = 3
_ALWAYS_TRUE = (Builtin, BuiltinMethod, Function, Method, Klass, Module, Wrapped)


def truth(fr: Frame, value: Value) -> int:
    """Outcome bits of ``bool(value)``."""
    if value.truth >= 0:
        return value.truth
    bits = 0
    pure = True
    for atom in value.atoms:
        if isinstance(atom, Obj):
            pure = False
        bits |= truth_of(fr, atom)
    if pure:
        value.truth = bits
    return bits


def truth_of(fr: Frame, atom: Atom) -> int:
    if isinstance(atom, Const):
        return TRUE if atom.value else FALSE
    if isinstance(atom, External):
        # A name in capitals is a constant of its module: data, not a function, class or module.
        return BOTH if atom.name.rpartition(".")[2].isupper() else TRUE
    if isinstance(atom, _ALWAYS_TRUE):
        return TRUE
    if isinstance(atom, Sequence):
        if atom.items is not None:
            return TRUE if atom.items else FALSE
        return BOTH
    if isinstance(atom, Obj):
        return implicit.truth_of_object(fr, atom)
    if isinstance(atom, Unbound):
        return 0
    return BOTH


def atoms_with_truth(fr: Frame, value: Value, want: bool) -> Value:
    """The part of a value that may be true (or false)."""
    bit = TRUE if want else FALSE
    kept = tuple(a for a in value.atoms if truth_of(fr, a) & bit)
    return value if len(kept) == len(value.atoms) else fr.world.u.value(kept)


def unknown_bool(fr: Frame, *values: Value) -> Value:
    """True or False, remembering the fact or loss that keeps it open."""
    u = fr.world.u
    result = u.bools
    for value in values:
        for atom in value.atoms:
            kind = "object" if isinstance(atom, Unknown) and atom.type in ("any", "object") else "bool"
            if isinstance(atom, Unknown) and atom.origin in ("fact", "lost"):
                return u.unknown(kind, atom.origin, atom.fact)
            if kind == "object":
                result = u.object
    return result


# ---- comparisons -------------------------------------------------------------
def compare_values(fr: Frame, op: str, left: Value, right: Value, pos: Any) -> tuple[int, bool]:
    """Outcome bits over all pairs, and whether an unknown took part."""
    bits = 0
    unknown = False
    if len(left.atoms) * len(right.atoms) > MAX_PAIRS:
        return BOTH, True
    for a in left.atoms:
        for b in right.atoms:
            bits |= compare_atoms(fr, op, a, b, pos)
            unknown = unknown or isinstance(a, Unknown) or isinstance(b, Unknown)
            if bits == BOTH and unknown:
                return bits, unknown
    return bits, unknown


def compare_atoms(fr: Frame, op: str, a: Atom, b: Atom, pos: Any) -> int:
    if op == "is":
        return is_same(a, b)
    if op == "is not":
        return _invert(is_same(a, b))
    if op == "in":
        return containers.contains(fr, a, b, pos)
    if op == "not in":
        return _invert(containers.contains(fr, a, b, pos))
    method = COMPARE_METHOD[op]
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Obj) and one.kind not in ("enum", "external") and isinstance(one.klass, Klass):
            found = implicit.special_method(fr, one, method, (fr.world.u.single(other),), pos)
            if found is not None:
                return truth(fr, found)
    if op in ("==", "!="):
        bits = containers.equal_items(fr, a, b)
        return bits if op == "==" else _invert(bits)
    return compare(op, a, b)


def _invert(bits: int) -> int:
    return {0: 0, TRUE: FALSE, FALSE: TRUE, BOTH: BOTH}[bits]


# ---- branching ------------------------------------------------------------------
def branch(fr: Frame, node: Node) -> tuple[Env | None, Env | None]:
    """Environments after a condition came out true, and false; None where it cannot."""
    _, on, off = branch_value(fr, node)
    return on, off


def branch_value(fr: Frame, node: Node) -> tuple[Value, Env | None, Env | None]:
    """The condition's value and the two environments."""
    kind = node[0]
    if kind == ir.UNARY and node[1] == "not":
        value, on, off = branch_value(fr, node[2])
        bits = (TRUE if off is not None else 0) | (FALSE if on is not None else 0)
        return _bool_value(fr, bits), off, on
    if kind == ir.BOOLOP:
        return _branch_boolop(fr, node)
    if kind == ir.COMPARE and len(node[2]) == 1:
        return _branch_compare(fr, node)
    if kind == ir.CALL and len(node[2]) == 2 and not node[3]:
        if node[1] == (ir.GLOBAL, "isinstance"):
            callgraph.note_builtin(fr, "isinstance")
            return _branch_isinstance(fr, node)
        if node[1] == (ir.GLOBAL, "hasattr"):
            callgraph.note_builtin(fr, "hasattr")
            return _branch_hasattr(fr, node)
    value = ex.evaluate(fr, node)
    bits = truth(fr, value)
    if bits == BOTH and kind == ir.CALL and len(node[2]) == 1 and not node[3]:
        return _branch_predicate(fr, node, value)
    return _split(fr, value, bits, _narrowable(node))


def _bool_value(fr: Frame, bits: int) -> Value:
    u = fr.world.u
    return {0: u.bottom, TRUE: u.true, FALSE: u.false, BOTH: u.bools}[bits]


def _narrowable(node: Node) -> str | None:
    """The local whose value a condition on ``node`` tells more of."""
    if node[0] == ir.LOCAL:
        name: str = node[1]
        return name
    if node[0] == ir.WALRUS and node[1][0] == ir.T_LOCAL:
        bound: str = node[1][1]
        return bound
    return None


def _split(fr: Frame, value: Value, bits: int, name: str | None) -> tuple[Value, Env | None, Env | None]:
    env = fr.env
    assert env is not None
    on: Env | None = dict(env) if bits & TRUE else None
    off: Env | None = env if bits & FALSE else None
    if name is not None and name in env and name not in fr.code.shared:
        if on is not None:
            on[name] = atoms_with_truth(fr, value, True)
        if off is not None:
            off = dict(off) if off is not None else None
            assert off is not None
            off[name] = atoms_with_truth(fr, value, False)
    return value, on, off


def _branch_boolop(fr: Frame, node: Node) -> tuple[Value, Env | None, Env | None]:
    """``and`` / ``or`` as control flow: later operands run only where earlier ones let them."""
    u = fr.world.u
    _, is_and, operands = node
    leaving: list[Env] = []
    result = u.bottom
    current = fr.env
    for index, (unit, operand) in enumerate(operands):
        fr.env = current
        outer = fr.unit
        if unit >= 0:
            fr.unit = unit
        ex.reach(fr, unit)
        try:
            value, on, off = branch_value(fr, operand)
        except Dead:
            fr.unit = outer
            if index == 0:
                raise
            current = None
            break
        fr.unit = outer
        leave, stay = (off, on) if is_and else (on, off)
        if leave is not None:
            leaving.append(leave)
            result = u.join(result, atoms_with_truth(fr, value, not is_and))
        if index == len(operands) - 1 and stay is not None:
            result = u.join(result, atoms_with_truth(fr, value, is_and))
        current = stay
        if current is None:
            break
    left = join_all_env(fr.world, leaving)
    if current is None and left is None:
        raise Dead
    fr.env = join_env(fr.world, current, left)
    if not result.atoms:
        result = u.bools
    return (result, current, left) if is_and else (result, left, current)


def _branch_compare(fr: Frame, node: Node) -> tuple[Value, Env | None, Env | None]:
    """One comparison; a local on its left keeps only the atoms that fit each outcome."""
    ((op, right_node),) = node[2]
    left = ex.evaluate(fr, node[1])
    right = ex.evaluate(fr, right_node)
    u = fr.world.u
    yes: list[Atom] = []
    no: list[Atom] = []
    bits, unknown = 0, False
    if len(left.atoms) * len(right.atoms) > MAX_PAIRS:
        return _split(fr, unknown_bool(fr, left, right), BOTH, None)
    for atom in left.atoms:
        here = 0
        for other in right.atoms:
            here |= compare_atoms(fr, op, atom, other, node[3])
            unknown = unknown or isinstance(other, Unknown)
        unknown = unknown or isinstance(atom, Unknown)
        bits |= here
        if here & TRUE:
            yes.append(atom)
        if here & FALSE:
            no.append(atom)
    if bits == 0:
        raise fr.die(f"cannot compare {left!r:.80} {op} {right!r:.80}")
    value = _bool_value(fr, bits) if bits != BOTH or not unknown else unknown_bool(fr, left, right)
    name = _narrowable(node[1])
    env = fr.env
    assert env is not None
    if name is None or name not in env or name in fr.code.shared:
        return _split(fr, value, bits, None)
    on = {**env, name: u.value(tuple(yes))} if yes else None
    off = {**env, name: u.value(tuple(no))} if no else None
    if on is not None and op == "==":
        on[name] = _equal_part(fr, on[name], right)
    return value, on, off


def _equal_part(fr: Frame, value: Value, right: Value) -> Value:
    """After ``x == constant``, an unknown scalar is that constant."""
    constants = [a for a in right.atoms if isinstance(a, Const)]
    if len(constants) != len(right.atoms):
        return value
    kept = [a for a in value.atoms if not (isinstance(a, Unknown) and a.type in ("int", "str", "any"))]
    if len(kept) == len(value.atoms):
        return value
    return fr.world.u.value_of([*kept, *constants])


def _branch_isinstance(fr: Frame, node: Node) -> tuple[Value, Env | None, Env | None]:
    subject = ex.evaluate(fr, node[2][0][1])
    kinds = ex.evaluate(fr, node[2][1][1])
    u = fr.world.u
    yes, no = [], []
    bits = 0
    for atom in subject.atoms:
        here = builtin_calls.instance_bits(fr, atom, kinds)
        bits |= here
        if here & TRUE:
            yes.append(atom)
        if here & FALSE:
            no.append(atom)
    value = _bool_value(fr, bits)
    name = _narrowable(node[2][0][1])
    env = fr.env
    assert env is not None
    if name is None or name not in env or name in fr.code.shared:
        return _split(fr, value, bits, None)
    on = {**env, name: builtin_calls.as_instances(fr, u.value(tuple(yes)), kinds)} if yes else None
    off = {**env, name: u.value(tuple(no))} if no else None
    return value, on, off


def _branch_hasattr(fr: Frame, node: Node) -> tuple[Value, Env | None, Env | None]:
    """``hasattr(x, name)``: locals keep the objects, and the names, that fit each outcome."""
    subject = ex.evaluate(fr, node[2][0][1])
    wanted = ex.evaluate(fr, node[2][1][1])
    names = builtin_calls.attribute_names(wanted)
    if names is None or len(names) * len(subject.atoms) > MAX_PAIRS:
        return _split(fr, fr.world.u.bools, BOTH, None)
    answers = {
        (atom, name): builtin_calls.has_bits(fr, atom, name.value, node[4])
        for atom in subject.atoms
        for name in names
    }
    bits = 0
    for here in answers.values():
        bits |= here
    env = fr.env
    assert env is not None
    ways: list[Env | None] = []
    for bit in (TRUE, FALSE):
        way = dict(env) if bits & bit else None
        if way is not None:
            fitting = [pair for pair, here in answers.items() if here & bit]
            _keep(fr, way, node[2][0][1], dict.fromkeys(atom for atom, _ in fitting))
            _keep(fr, way, node[2][1][1], dict.fromkeys(name for _, name in fitting))
        ways.append(way)
    return _bool_value(fr, bits), ways[0], ways[1]


def _branch_predicate(fr: Frame, node: Node, value: Value) -> tuple[Value, Env | None, Env | None]:
    """``is_record(x)``: a local that may be one of a few classes keeps those that fit each outcome.

    The predicate is asked for each class by itself; a class that it refuses
    with an error is in neither part.
    """
    name = _narrowable(node[2][0][1])
    env = fr.env
    assert env is not None
    if name is None or name not in env or name in fr.code.shared:
        return _split(fr, value, BOTH, None)
    classes = env[name].atoms
    if not 2 <= len(classes) <= MAX_CLASSES or not all(isinstance(a, Klass | Builtin) for a in classes):
        return _split(fr, value, BOTH, None)
    u = fr.world.u
    yes: list[Atom] = []
    no: list[Atom] = []
    reason = fr.reason
    for atom in classes:
        fr.env = {**env, name: u.single(atom)}
        bits = 0
        with suppress(Dead):
            bits = truth(fr, ex.evaluate(fr, node))
        fr.reason = reason
        if bits & TRUE:
            yes.append(atom)
        if bits & FALSE:
            no.append(atom)
    fr.env = env
    on = {**env, name: u.value(tuple(yes))} if yes else None
    off = {**env, name: u.value(tuple(no))} if no else None
    return value, on, off


def _keep(fr: Frame, env: Env, node: Node, atoms: dict[Atom, None]) -> None:
    """Let a local hold these atoms of its value only."""
    name = _narrowable(node)
    if name is not None and name in env and name not in fr.code.shared:
        env[name] = fr.world.u.value(tuple(a for a in env[name].atoms if a in atoms))
