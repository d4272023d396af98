"""Transfer functions of statements: a structured forward walk."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from pathcheck.flow import (
    assignment,
    attributes,
    calls,
    containers,
    definitions,
    evaluation,
    exceptions,
    imports,
    patterns,
    stops,
    tests,
    withs,
)
from pathcheck.flow import expressions as ex
from pathcheck.flow.env import join_all_env, join_env, same_env, widen_env
from pathcheck.flow.frame import Dead, Env, Frame
from pathcheck.flow.values import Atom, Klass, Sequence, Value
from pathcheck.program import ir
from pathcheck.program.ir import Node

#: Rounds of a loop before what still changes is widened, and before the walk gives up waiting.
WIDEN_AFTER, MAX_ROUNDS = 2, 8
#: Loops over at most this many numbers, or this many other known elements, are unrolled.
MAX_UNROLL, MAX_UNROLL_NAMED = 8, 1024
#: Iterables with known elements that a loop is walked for one by one.
MAX_ALTERNATIVES = 4
#: Rows of a table that are walked one by one, name by name, where the loop unpacks them.
MAX_ROWS = 12


def run_block(fr: Frame, body: tuple[Node, ...]) -> None:
    """Walk statements until one ends the path."""
    for node in body:
        if fr.env is None:
            return
        run_statement(fr, node)


def run_statement(fr: Frame, node: Node) -> None:
    """Walk one statement; a Dead one ends the path and is noted as stuck."""
    unit = node[1]
    if unit not in fr.context.reached:
        fr.context.reached[unit] = fr.world.stage
    fr.unit = unit
    if fr.handlers:
        exceptions.note_exit(fr)
    fr.reason = ""
    before = fr.env
    try:
        _RUN[node[0]](fr, node)
    except Dead:
        if fr.handlers and fr.env is not None:
            exceptions.note_exit(fr)
        fr.env = None
        if fr.pending and before is not None:
            evaluation.leave_unfinished(fr, before)
        fr.context.stuck[unit] = f"{stops.IN_TRY}{fr.reason}" if len(fr.handlers) > fr.finals else fr.reason
    if fr.env is None and unit in fr.context.stuck and (fr.module.name, unit) in fr.world.lifted:
        assert before is not None
        stops.go_on(fr, node, before, run_block)


def _expr(fr: Frame, node: Node) -> None:
    ex.evaluate(fr, node[2])


def _assign(fr: Frame, node: Node) -> None:
    value = ex.evaluate(fr, node[3])
    for target in node[2]:
        assignment.assign(fr, target, value, node[4])


def _augmented(fr: Frame, node: Node) -> None:
    _, _, target, load, op, value_node, pos = node
    old = ex.evaluate(fr, load)
    value = ex.evaluate(fr, value_node)
    assignment.assign(fr, target, containers.augmented(fr, op, old, value, pos))


def _annotated(fr: Frame, node: Node) -> None:
    from pathcheck.flow.hints import refine

    _, _, target, annotation, value_node = node
    if value_node is None:
        return
    value = ex.evaluate(fr, value_node)
    assignment.assign(fr, target, refine(fr, value, annotation, fr.module))


def _return(fr: Frame, node: Node) -> None:
    u = fr.world.u
    value = u.none if node[2] is None else ex.evaluate(fr, node[2])
    fr.result = u.join(fr.result, value)
    fr.result_env = join_env(fr.world, fr.result_env, fr.env)
    fr.env = None


def _raise(fr: Frame, node: Node) -> None:
    value = None if node[2] is None else ex.evaluate(fr, node[2])
    if node[3] is not None:
        ex.evaluate(fr, node[3])
    if value is not None and any(isinstance(a, Klass) for a in value.atoms):
        value = _instantiated(fr, value)
    exceptions.note_raise(fr, value)
    fr.reason = "raise"
    fr.context.stuck[fr.unit] = "raise"
    fr.env = None


def _instantiated(fr: Frame, value: Value) -> Value:
    """Raising a class makes an instance of it (language reference 7.8)."""
    u = fr.world.u
    at = ("raise", fr.unit)
    made = u.join_all(
        calls.call_quietly(fr, u.single(a), (), at) if isinstance(a, Klass) else u.single(a)
        for a in value.atoms
    )
    return made if made.atoms else value


def _record(fr: Frame, unit: int, on: Env | None, off: Env | None) -> None:
    bits = (1 if on is not None else 0) | (2 if off is not None else 0)
    fr.context.outcomes[unit] = fr.context.outcomes.get(unit, 0) | bits


def _if(fr: Frame, node: Node) -> None:
    _, unit, test, body, orelse, body_raises, orelse_raises = node
    on, off = tests.branch(fr, test)
    _record(fr, unit, on, off)
    if on is not None and off is not None and (body_raises or orelse_raises):
        on, off = _ordinary(fr, on, off, body_raises, orelse_raises)
    fr.env = on
    run_block(fr, body)
    after = fr.env
    fr.env = off
    run_block(fr, orelse)
    fr.env = join_env(fr.world, after, fr.env)


def _ordinary(
    fr: Frame, on: Env | None, off: Env | None, body_raises: bool, orelse_raises: bool
) -> tuple[Env | None, Env | None]:
    """Under the ordinary load an open guard does not choose the arm that only raises."""
    fr.world.stage_readers[fr.root] = None
    if fr.world.stage == 1 and body_raises != orelse_raises:
        return (None, off) if body_raises else (on, None)
    return on, off


def _while(fr: Frame, node: Node) -> None:
    _, unit, test, body, orelse = node

    def head() -> tuple[list[Env], Env | None]:
        on, off = tests.branch(fr, test)
        _record(fr, unit, on, off)
        return [] if on is None else [on], off

    _loop(fr, head, body, orelse)


def _loop(
    fr: Frame,
    head: Callable[[], tuple[list[Env], Env | None]],
    body: tuple[Node, ...],
    orelse: tuple[Node, ...],
) -> None:
    """Walk a loop until its head no longer changes: the body for each way in that the head gives."""
    world = fr.world
    unit = fr.unit
    breaks: list[Env] = []
    fr.breaks.append(breaks)
    exits: Env | None = None
    assert fr.env is not None
    entry: Env = dict(fr.env)
    for round_number in range(MAX_ROUNDS):
        fr.env = dict(entry)
        fr.unit = unit
        ways, off = head()
        exits = join_env(world, exits, off)
        if not ways:
            break
        joined: Env | None = entry
        for way in ways:
            fr.env = way
            fr.continues.append([])
            run_block(fr, body)
            back = join_env(world, fr.env, join_all_env(world, fr.continues.pop()))
            joined = join_env(world, joined, back)
        assert joined is not None
        if same_env(joined, entry):
            break
        entry = widen_env(world, entry, joined) if round_number >= WIDEN_AFTER else joined
    fr.breaks.pop()
    fr.env = exits
    fr.unit = unit
    if fr.env is not None:
        run_block(fr, orelse)
    fr.env = join_env(world, fr.env, join_all_env(world, breaks))


def _for(fr: Frame, node: Node) -> None:
    _, unit, target, iterable_node, body, orelse = node
    iterable = ex.evaluate(fr, iterable_node)
    ways = _known_elements(fr, iterable)
    if ways is not None:
        entry, ends = fr.env, []
        for items, optional in ways:
            fr.env = entry
            _unrolled(fr, unit, target, items, body, orelse, optional)
            ends.append(fr.env)
        fr.env = join_all_env(fr.world, [end for end in ends if end is not None])
        return
    element = containers.iterate(fr, iterable, unit, quiet=True)

    rows = _rows(fr, target, element)

    def head() -> tuple[list[Env], Env | None]:
        env = fr.env
        assert env is not None
        ways: list[Env] = []
        for row in rows:
            fr.env = way = dict(env)
            fr.unit = unit
            with suppress(Dead):
                assignment.assign(fr, target, row)
                ways.append(way if fr.env is None else fr.env)
        return ways, env

    _loop(fr, head, body, orelse)


def _rows(fr: Frame, target: Node, element: Value) -> list[Value]:
    """The ways to take an element: rows that texts name stay rows when they are unpacked."""
    if not element.atoms:
        return []
    if target[0] != ir.T_SEQUENCE or len(element.atoms) == 1:
        return [element]
    rows: dict[object, list[Atom]] = {}
    for atom in element.atoms:
        rows.setdefault(atom.name if isinstance(atom, Sequence) else None, []).append(atom)
    if len(rows) > MAX_ROWS:
        return [element]
    return [fr.world.u.value_of(row) for row in rows.values()]


def _known_elements(fr: Frame, iterable: Value) -> list[tuple[list[Value], bool]] | None:
    """For each thing that may be iterated its elements, and whether each may be missing; None if unknown."""
    if not 0 < len(iterable.atoms) <= MAX_ALTERNATIVES:
        return None
    ways = []
    for atom in iterable.atoms:
        one = fr.world.u.single(atom)
        items = containers.exact_items(fr, one)
        rows = containers.optional_rows(fr, one) if items is None else items
        if rows is None or not containers.worth_unrolling(rows, MAX_UNROLL, MAX_UNROLL_NAMED):
            return None
        ways.append((rows, items is None))
    return ways


def _unrolled(
    fr: Frame,
    unit: int,
    target: Node,
    items: list[Value],
    body: tuple[Node, ...],
    orelse: tuple[Node, ...],
    optional: bool = False,
) -> None:
    """Walk a short loop over known elements once for each; ``optional`` ones may be missing."""
    breaks: list[Env] = []
    fr.breaks.append(breaks)
    around = fr.turn
    for turn, item in enumerate(items):
        if fr.env is None:
            break
        fr.turn = turn if around is None else around
        fr.unit = unit
        before = fr.env if optional else None
        fr.env = dict(fr.env)
        try:
            assignment.assign(fr, target, item)
        except Dead:
            fr.env = None
            break
        fr.continues.append([])
        run_block(fr, body)
        fr.env = join_env(fr.world, fr.env, join_all_env(fr.world, fr.continues.pop()))
        fr.env = join_env(fr.world, fr.env, before)
    fr.turn = around
    fr.breaks.pop()
    if fr.env is not None:
        run_block(fr, orelse)
    fr.env = join_env(fr.world, fr.env, join_all_env(fr.world, breaks))


def _break(fr: Frame, node: Node) -> None:
    if fr.breaks and fr.env is not None:
        fr.breaks[-1].append(fr.env)
    fr.env = None


def _continue(fr: Frame, node: Node) -> None:
    if fr.continues and fr.env is not None:
        fr.continues[-1].append(fr.env)
    fr.env = None


def _pass(fr: Frame, node: Node) -> None:
    return


def _delete(fr: Frame, node: Node) -> None:
    assert fr.env is not None
    for target in node[2]:
        if target[0] == ir.T_LOCAL:
            fr.env[target[1]] = fr.world.u.unbound
        elif target[0] in (ir.T_ATTR, ir.T_SUBSCRIPT):
            base = ex.evaluate(fr, target[1])
            if target[0] == ir.T_ATTR:
                attributes.remove_attribute(fr, base, target[2])
            else:
                index = ex.subscript_index(fr, target[2])
                containers.delete_item(fr, base, index, target[3])


def _assert(fr: Frame, node: Node) -> None:
    _, unit, test, message_unit, message = node
    on, off = tests.branch(fr, test)
    _record(fr, unit, on, off)
    if off is not None:
        if on is not None:
            fr.world.stage_readers[fr.root] = None
        if message is not None and (on is None or fr.world.stage == 2):
            fr.env = off
            ex.reach(fr, message_unit)
            with suppress(Dead):
                ex.evaluate(fr, message)
        fr.raises.setdefault("AssertionError")
    fr.env = on
    if on is None:
        fr.reason = fr.context.stuck[unit] = "assert"


def _with(fr: Frame, node: Node) -> None:
    withs.run_with(fr, node, run_block)


def _try(fr: Frame, node: Node) -> None:
    exceptions.run_try(fr, node, run_block)


def _def(fr: Frame, node: Node) -> None:
    definitions.define_function(fr, node)


def _class(fr: Frame, node: Node) -> None:
    definitions.define_class(fr, node)


def _import(fr: Frame, node: Node) -> None:
    imports.run_import(fr, node)


def _from(fr: Frame, node: Node) -> None:
    imports.run_from(fr, node)


def _match(fr: Frame, node: Node) -> None:
    patterns.run_match(fr, node, run_block)


_RUN: list[Callable[[Frame, Node], None]] = [
    _expr,
    _assign,
    _augmented,
    _annotated,
    _return,
    _raise,
    _if,
    _while,
    _for,
    _try,
    _with,
    _def,
    _class,
    _import,
    _from,
    _pass,
    _break,
    _continue,
    _delete,
    _assert,
    _match,
]
