"""Transfer functions of expressions: what a node may evaluate to in a frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pathcheck.flow import assignment, attributes, calls, containers, implicit, tests
from pathcheck.flow import binary as binaries
from pathcheck.flow.closures import read_cell
from pathcheck.flow.env import join_all_env, join_env
from pathcheck.flow.frame import Dead, Frame
from pathcheck.flow.globals import load_global
from pathcheck.flow.operators import unknown_of
from pathcheck.flow.values import Atom, Const, Function, Unknown, Value
from pathcheck.program import ir
from pathcheck.program.ir import Node

#: Lengths that a display or argument list may have, and still have its places told apart.
MAX_ROWS = 8


def evaluate(fr: Frame, node: Node) -> Value:
    """The value of an expression; raises Dead where it has none."""
    value = _EVALUATE[node[0]](fr, node)
    if not value.atoms:
        raise Dead
    return value


def _const(fr: Frame, node: Node) -> Value:
    return fr.world.u.const(node[1])


def _local(fr: Frame, node: Node) -> Value:
    u = fr.world.u
    name = node[1]
    assert fr.env is not None
    if name in fr.code.shared:
        value = u.join(read_cell(fr, fr.context, name), fr.env.get(name, u.bottom))
    else:
        value = fr.env.get(name, u.bottom)
    if value.atoms and value.atoms[0] is u.unbound_atom:
        value = u.without(value, u.unbound_atom)
    if not value.atoms:
        raise fr.die(f"local {name} is not assigned on any path")
    return value


def _global(fr: Frame, node: Node) -> Value:
    return load_global(fr, node[1])


def _free(fr: Frame, node: Node) -> Value:
    owner = fr.context.env
    for _ in range(node[2]):
        owner = owner.env if owner is not None else None
    if owner is None:
        raise fr.die(f"free variable {node[1]} has no activation")
    value = read_cell(fr, owner, node[1])
    if not value.atoms:
        raise fr.die(f"free variable {node[1]} is not assigned")
    return value


def _classvar(fr: Frame, node: Node) -> Value:
    assert fr.env is not None
    u = fr.world.u
    value = fr.env.get(node[1], u.unbound)
    if u.unbound_atom in value.atoms:
        value = u.without(value, u.unbound_atom)
        try:
            value = u.join(value, evaluate(fr, node[2]))
        except Dead:
            if not value.atoms:
                raise
    return u.join(value, u.bottom)


def _attribute(fr: Frame, node: Node) -> Value:
    base = evaluate(fr, node[1])
    return attributes.get_attribute(fr, base, node[2], node[3])


def _subscript(fr: Frame, node: Node) -> Value:
    base = evaluate(fr, node[1])
    return containers.get_item(fr, base, subscript_index(fr, node[2]), node[3])


def subscript_index(fr: Frame, node: Node) -> Value:
    """What stands between the brackets: a value, or a slice of values."""
    return _slice(fr, node) if node[0] == ir.SLICE else evaluate(fr, node)


def _slice(fr: Frame, node: Node) -> Value:
    parts = [fr.world.u.none if p is None else evaluate(fr, p) for p in node[1:]]
    return fr.world.u.sequence(tuple(parts), containers.SLICE)


def _call(fr: Frame, node: Node) -> Value:
    return calls.evaluate_call(fr, node)


def _binop(fr: Frame, node: Node) -> Value:
    left, right = evaluate(fr, node[2]), evaluate(fr, node[3])
    return binaries.binary(fr, node[1], left, right, node[4])


def _unary(fr: Frame, node: Node) -> Value:
    u = fr.world.u
    if node[1] == "not":
        bits = tests.truth(fr, evaluate(fr, node[2]))
        return {1: u.false, 2: u.true, 3: u.bools}[bits]
    result = u.bottom
    for atom in evaluate(fr, node[2]).atoms:
        if isinstance(atom, Const) and isinstance(atom.value, int | float | complex):
            value: Any = atom.value
            if node[1] == "neg":
                result = u.join(result, u.const(-value))
            elif node[1] == "pos":
                result = u.join(result, u.const(+value))
            elif isinstance(value, int):
                result = u.join(result, u.const(~value))
        elif isinstance(atom, Unknown):
            result = u.join(result, u.single(atom) if atom.type != "any" else u.object)
        elif not isinstance(atom, Const):
            result = u.join(result, u.object)
    return result


def _compare(fr: Frame, node: Node) -> Value:
    u = fr.world.u
    left = evaluate(fr, node[1])
    result = u.true
    for op, right_node in node[2]:
        right = evaluate(fr, right_node)
        bits, objects = tests.compare_values(fr, op, left, right, node[3])
        if bits == 0:
            raise fr.die(f"cannot compare with {op}")
        here = {1: u.true, 2: u.false, 3: u.bools}[bits]
        if bits == 3 and objects:
            here = tests.unknown_bool(fr, left, right)
        result = here if result is u.true else (u.false if here is u.false else u.join(result, here))
        if here is u.false:
            break
        left = right
    return result


def _boolop(fr: Frame, node: Node) -> Value:
    """``and`` / ``or``: each operand is walked where the ones before it let it."""
    u = fr.world.u
    is_and, operands = node[1], node[2]
    result = u.bottom
    exits = []
    for index, (unit, operand) in enumerate(operands):
        reach(fr, unit)
        outer = fr.unit
        if unit >= 0:
            fr.unit = unit
        done = False
        try:
            if index == len(operands) - 1:
                result = u.join(result, evaluate(fr, operand))
                done = True
            else:
                value, on, off = tests.branch_value(fr, operand)
                leave, stay = (off, on) if is_and else (on, off)
                if leave is not None:
                    kept = tests.atoms_with_truth(fr, value, not is_and)
                    result = u.join(result, kept if kept.atoms else (u.false if is_and else u.true))
                    exits.append(leave)
                fr.env = stay
                done = stay is None
        except Dead:
            fr.env = None
            done = True
        fr.unit = outer
        if done:
            break
    fr.env = join_env(fr.world, fr.env, join_all_env(fr.world, exits))
    if fr.env is None:
        raise Dead
    return result


def _ifexp(fr: Frame, node: Node) -> Value:
    _, test, then_unit, then, else_unit, other = node
    on, off = tests.branch(fr, test)
    result = fr.world.u.bottom
    ends = []
    for env, unit, arm in ((on, then_unit, then), (off, else_unit, other)):
        if env is None:
            continue
        fr.env = env
        reach(fr, unit)
        outer, fr.unit = fr.unit, unit
        try:
            result = fr.world.u.join(result, evaluate(fr, arm))
            ends.append(fr.env)
        except Dead:
            pass
        finally:
            fr.unit = outer
    fr.env = join_all_env(fr.world, [e for e in ends if e is not None])
    if fr.env is None:
        raise Dead
    return result


def reach(fr: Frame, unit: int) -> None:
    """Record that a unit runs."""
    if unit >= 0 and unit not in fr.context.reached:
        fr.context.reached[unit] = fr.world.stage


def evaluate_rows(
    fr: Frame, items: tuple[tuple[bool, Node], ...]
) -> tuple[list[list[Value]], Value | None]:
    """Values of a display or argument list, once for each length that it may have.

    The second is what an unknown number of further ones may be.
    """
    rows: list[list[Value]] = [[]]
    rest: Value | None = None
    u = fr.world.u
    for star, node in items:
        value = evaluate(fr, node)
        if rest is not None:
            rest = u.join(rest, containers.iterate(fr, value, 0) if star else value)
            continue
        if not star:
            for row in rows:
                row.append(value)
            continue
        parts = containers.by_length(fr, value)
        if parts is None or len(parts) * len(rows) > MAX_ROWS:
            rest = containers.iterate(fr, value, 0)
        else:
            rows = [[*row, *part] for row in rows for part in parts]
    return rows, rest


def evaluate_items(fr: Frame, items: tuple[tuple[bool, Node], ...]) -> tuple[list[Value], Value | None]:
    """Values of a display; the second is what an unknown number of them may be."""
    rows, rest = evaluate_rows(fr, items)
    if len(rows) == 1:
        return rows[0], rest
    u = fr.world.u
    shortest = min(map(len, rows))
    further = u.join_all(value for row in rows for value in row[shortest:])
    return [u.join_all(places) for places in zip(*rows, strict=False)], u.join(rest or u.bottom, further)


def _tuple(fr: Frame, node: Node) -> Value:
    u = fr.world.u
    rows, rest = evaluate_rows(fr, node[1])
    if rest is None:
        return u.join_all(u.sequence(tuple(row)) for row in rows)
    return u.sequence_of(u.join(rest, u.join_all(value for row in rows for value in row)))


def _list(fr: Frame, node: Node) -> Value:
    exact, rest = evaluate_items(fr, node[1])
    return containers.new_list(fr, exact, rest, node[2])


def _set(fr: Frame, node: Node) -> Value:
    exact, rest = evaluate_items(fr, node[1])
    return containers.new_set(fr, exact, rest, node[2])


def _dict(fr: Frame, node: Node) -> Value:
    result = containers.new_dict(fr, node[2])
    for key_node, value_node in node[1]:
        if key_node is None:
            containers.update_dict(fr, result, evaluate(fr, value_node), node[2])
            continue
        key = evaluate(fr, key_node)
        containers.set_item(fr, result, key, evaluate(fr, value_node), node[2], certain=True)
    return result


def _fstring(fr: Frame, node: Node) -> Value:
    u = fr.world.u
    parts: list[list[str] | None] = []
    unknown: list[Atom] = []
    for part in node[1]:
        if part[0] == ir.CONST:
            parts.append([part[1]])
            continue
        if part[0] == ir.TUPLE:
            (_, inner), (_, plain), (_, spec) = part[1]
            value = evaluate(fr, inner)
            evaluate(fr, spec)
            texts = implicit.text_of(fr, value, 0, "format" if plain[1] else "any")
            unknown.extend(value.atoms)
            parts.append(texts if plain[1] else None)
        else:
            value = evaluate(fr, part)
            parts.append(implicit.text_of(fr, value, 0))
            unknown.extend(value.atoms)
    count = 1
    for texts in parts:
        count *= len(texts) if texts else 100
    if any(p is None for p in parts) or count > 8:
        return unknown_of(u, "str", *unknown)
    results = [""]
    for texts in parts:
        results = [r + t for r in results for t in texts or []]
    return u.join_all(u.const(r) for r in results)


def _lambda(fr: Frame, node: Node) -> Value:
    assert fr.module.ir is not None
    return fr.world.u.single(new_function(fr, fr.module.ir.codes[node[1]], node[2]))


def new_function(fr: Frame, code: ir.Code, defaults: tuple[tuple[str, Node], ...]) -> Function:
    """The function that a definition makes: one for each choice of constants that its defaults keep."""
    values = [(name, default[0] != ir.CONST, evaluate(fr, default)) for name, default in defaults]
    kept = tuple(
        (name, value.atoms[0])
        for name, computed, value in values
        if computed and len(value.atoms) == 1 and isinstance(value.atoms[0], Const)
    )
    kept = kept if fr.code.kind != "module" else ()
    function = fr.world.function(fr.module, code, closure_context(fr), kept)
    for name, _, value in values:
        fr.world.write(fr, fr.world.cell(function.fields, ("default", name)), value)
    return function


def closure_context(fr: Frame) -> Any:
    """The activation that an inner function's free variables live in."""
    return fr.context.env if fr.code.kind == "class" else (None if fr.code.kind == "module" else fr.context)


def _comprehension(fr: Frame, node: Node) -> Value:
    _, kind, unit, elements, generators, pos = node
    return containers.comprehension(fr, kind, unit, elements, generators, pos)


def _await(fr: Frame, node: Node) -> Value:
    value = containers.awaited(fr, evaluate(fr, node[1]), 0)
    if not value.atoms:
        fr.reason = "what is awaited never returns"
    return value


def _yield(fr: Frame, node: Node) -> Value:
    u = fr.world.u
    value = u.none if node[1] is None else evaluate(fr, node[1])
    note_yield(fr, value)
    return u.join(u.none, u.external)


def note_yield(fr: Frame, value: Value) -> None:
    """A generator hands out a value under the mode it has set up."""
    fr.yields = fr.world.u.join(fr.yields, value)
    assert fr.env is not None
    overrides = {k: v for k, v in fr.mode.overrides.items() if fr.context.mode.overrides.get(k) is not v}
    before = fr.context.yield_mode
    if before is None:
        fr.context.yield_mode = overrides
        return
    u = fr.world.u
    for key in {**before, **overrides}:
        before[key] = u.join(before.get(key, u.unbound), overrides.get(key, u.unbound))


def _yield_from(fr: Frame, node: Node) -> Value:
    value = evaluate(fr, node[1])
    fr.yields = fr.world.u.join(fr.yields, containers.iterate(fr, value, 0))
    return fr.world.u.external


def _walrus(fr: Frame, node: Node) -> Value:
    value = evaluate(fr, node[2])
    assignment.assign(fr, node[1], value)
    return value


_EVALUATE: list[Callable[[Frame, Node], Value]] = [
    _const,
    _local,
    _global,
    _free,
    _classvar,
    _attribute,
    _subscript,
    _call,
    _binop,
    _unary,
    _compare,
    _boolop,
    _ifexp,
    _tuple,
    _list,
    _set,
    _dict,
    _fstring,
    _slice,
    _lambda,
    _comprehension,
    _await,
    _yield,
    _yield_from,
    _walrus,
]
