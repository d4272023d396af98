"""``match``: cases in order, each tried where the ones before may have failed."""

from __future__ import annotations

from collections.abc import Callable

from pathcheck.flow import assignment, attributes, builtin_calls, containers, tests
from pathcheck.flow import expressions as ex
from pathcheck.flow.env import join_all_env
from pathcheck.flow.frame import Env, Frame
from pathcheck.flow.operators import BOTH, FALSE, TRUE
from pathcheck.flow.values import Value
from pathcheck.program import ir
from pathcheck.program.ir import Node


def run_match(fr: Frame, node: Node, run_block: Callable[[Frame, tuple[Node, ...]], None]) -> None:
    """Walk each case whose pattern and guard may hold."""
    _, _, subject_node, cases = node
    subject = ex.evaluate(fr, subject_node)
    ends: list[Env] = []
    for pattern, guard_unit, guard, unit, body in cases:
        if fr.env is None or not subject.atoms:
            break
        ex.reach(fr, unit)
        fr.unit = unit
        before = fr.env
        fr.env = dict(before)
        bits, rest = match(fr, pattern, subject)
        fallthrough: Env | None = before if bits & FALSE else None
        if bits & TRUE:
            if guard is not None:
                ex.reach(fr, guard_unit)
                on, off = tests.branch(fr, guard)
                if off is not None:
                    fallthrough, rest = before, subject
                fr.env = on
            outcome = (1 if fr.env is not None else 0) | (2 if fallthrough is not None else 0)
            fr.context.outcomes[unit] = fr.context.outcomes.get(unit, 0) | outcome
            run_block(fr, body)
            if fr.env is not None:
                ends.append(fr.env)
        else:
            fr.context.outcomes[unit] = fr.context.outcomes.get(unit, 0) | FALSE
        fr.env, subject = fallthrough, rest
    if fr.env is not None:
        ends.append(fr.env)
    fr.env = join_all_env(fr.world, ends)


def match(fr: Frame, pattern: Node, subject: Value) -> tuple[int, Value]:
    """Outcome bits of a pattern, and what of the subject may go on to the next case."""
    u = fr.world.u
    kind = pattern[0]
    if kind == ir.P_CAPTURE:
        if pattern[1] is not None:
            assignment.assign(fr, pattern[1], subject)
        return TRUE, u.bottom
    if kind == ir.P_AS:
        bits, rest = match(fr, pattern[1], subject)
        if pattern[2] is not None and bits & TRUE:
            assignment.assign(fr, pattern[2], subject)
        return bits, rest
    if kind in (ir.P_VALUE, ir.P_SINGLETON):
        wanted = ex.evaluate(fr, pattern[1]) if kind == ir.P_VALUE else u.const(pattern[1])
        return _split(fr, subject, wanted, "==" if kind == ir.P_VALUE else "is")
    if kind == ir.P_OR:
        bits = 0
        rest = subject
        for inner in pattern[1]:
            here, rest = match(fr, inner, rest)
            bits |= here & TRUE
            if not here & FALSE:
                return TRUE, u.bottom
        return bits | FALSE, rest
    if kind == ir.P_CLASS:
        return _match_class(fr, pattern, subject)
    return _match_container(fr, pattern, subject)


def _split(fr: Frame, subject: Value, wanted: Value, op: str) -> tuple[int, Value]:
    bits, rest = 0, []
    for atom in subject.atoms:
        here = 0
        for other in wanted.atoms:
            here |= tests.compare_atoms(fr, op, atom, other, 0)
        bits |= here
        if here & FALSE:
            rest.append(atom)
    return bits, fr.world.u.value(tuple(rest))


def _match_class(fr: Frame, pattern: Node, subject: Value) -> tuple[int, Value]:
    _, kind_node, positional, names, keyword = pattern
    u = fr.world.u
    kinds = ex.evaluate(fr, kind_node)
    bits, yes, rest = 0, [], []
    for atom in subject.atoms:
        here = builtin_calls.instance_bits(fr, atom, kinds)
        bits |= here
        if here & TRUE:
            yes.append(atom)
        if here & FALSE:
            rest.append(atom)
    if not bits & TRUE:
        return bits, subject
    matched = u.value(tuple(yes))
    inner_bits = TRUE
    for inner in positional:
        inner_bits |= match(fr, inner, u.join(matched, u.external))[0]
    for name, inner in zip(names, keyword, strict=True):
        value = attributes.get_attribute(fr, matched, name, 0, quiet=True)
        inner_bits |= match(fr, inner, value if value.atoms else u.external)[0]
    if inner_bits & FALSE:
        return BOTH, subject
    return bits, u.value(tuple(rest))


def _match_container(fr: Frame, pattern: Node, subject: Value) -> tuple[int, Value]:
    u = fr.world.u
    element = containers.iterate(fr, subject, 0, quiet=True)
    element = element if element.atoms else u.external
    if pattern[0] == ir.P_STAR:
        if pattern[1] is not None:
            assignment.assign(fr, pattern[1], containers.new_list(fr, [], element, ("star", 0)))
        return TRUE, u.bottom
    inner = pattern[1] if pattern[0] == ir.P_SEQUENCE else pattern[2]
    items = containers.exact_items(fr, subject) if pattern[0] == ir.P_SEQUENCE else None
    exact = items is not None and len(items) == len(inner) and all(p[0] != ir.P_STAR for p in inner)
    if items is not None and not exact and all(p[0] != ir.P_STAR for p in inner):
        return FALSE, subject
    bits = 0 if exact else FALSE
    for index, part in enumerate(inner):
        value = items[index] if exact and items is not None else element
        bits |= match(fr, part, value)[0] & FALSE
    if pattern[0] == ir.P_MAPPING and pattern[3] is not None:
        assignment.assign(fr, pattern[3], u.external)
    return bits | TRUE, subject if bits else u.bottom
