"""Exceptions: what may leave a ``try`` body, and which handlers run."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from pathcheck.flow import assignment, classes, leaving
from pathcheck.flow import expressions as ex
from pathcheck.flow.env import join_all_env
from pathcheck.flow.frame import Dead, Env, Frame
from pathcheck.flow.values import Builtin, Const, External, Klass, Obj, Sequence, Unknown, Value
from pathcheck.program import ir
from pathcheck.program.ir import Node

#: Raised exceptions are noted as builtin or external names, program classes, "any" (a third-party
#: call made here may raise anything), or "any-" (some operation may raise, but not an ImportError).
ANY, ANY_BUT_IMPORT = "any", "any-"
_IMPORT_ERRORS = ("ImportError", "ModuleNotFoundError")


def note_exit(fr: Frame) -> None:
    """An exception may leave from here: handlers see this environment."""
    if fr.env is not None:
        open_try = fr.handlers[-1]
        if not open_try or open_try[-1] is not fr.env:
            open_try.append(dict(fr.env))


def note_raise(fr: Frame, value: Value | None) -> None:
    """Remember what a ``raise`` statement lets out."""
    if fr.handlers:
        note_exit(fr)
    if value is None:
        fr.raises.setdefault(ANY)
        return
    for atom in value.atoms:
        fr.raises.setdefault(_raised(atom))


def _raised(atom: Any) -> Any:
    if isinstance(atom, Obj) and atom.klass is not None:
        atom = atom.klass
    if isinstance(atom, Klass):
        return atom
    if isinstance(atom, Builtin | External):
        return atom.name
    return ANY


def run_try(fr: Frame, node: Node, run_block: Callable[[Frame, tuple[Node, ...]], None]) -> None:
    """``try``: body, handlers that something raised can reach, else, finally."""
    finalbody = node[5]
    if not finalbody:
        _run_guarded(fr, node, run_block)
        return
    raised: list[Env] = []

    def passing(env: Env) -> Env | None:
        fr.env = dict(env)
        run_block(fr, finalbody)
        left: Env | None = fr.env
        return left

    fr.handlers.append(raised)
    fr.finals += 1
    leaving.walk(fr, lambda: _run_guarded(fr, node, run_block), passing)
    fr.finals -= 1
    fr.handlers.pop()
    after = None if fr.env is None else passing(fr.env)
    env = join_all_env(fr.world, raised)
    if env is not None:
        passed = passing(env)
        if fr.handlers and passed is not None:  # the exception goes on to the try around this one
            fr.handlers[-1].append(passed)
    fr.env = after


def _run_guarded(fr: Frame, node: Node, run_block: Callable[[Frame, tuple[Node, ...]], None]) -> None:
    """Body, handlers, else."""
    _, _, body, handlers, orelse, _ = node
    world = fr.world
    outer_raises, fr.raises = fr.raises, {}
    fr.handlers.append([])
    assert fr.env is not None
    fr.succeeds = False
    before = fr.env
    run_block(fr, body)
    after = fr.env
    fr.env = before
    safe = _is_one_call(body) and (fr.succeeds or _computed(fr, body[0], fr.raises))
    fr.env = after
    if fr.env is not None:
        note_exit(fr)
    raised_env = join_all_env(world, fr.handlers.pop())
    raised, fr.raises = fr.raises, outer_raises
    ends: list[Env] = []
    if fr.env is not None:
        run_block(fr, orelse)
        if fr.env is not None:
            ends.append(fr.env)
    if not safe:
        _add_unforeseen(body, raised)
    left_over = _run_handlers(fr, handlers, raised, raised_env, ends, run_block)
    for name in left_over:
        fr.raises.setdefault(name)
    fr.env = join_all_env(world, ends)
    if raised_env is not None and fr.handlers:  # nothing says that the handlers catch it
        fr.handlers[-1].append(raised_env)


def _add_unforeseen(body: tuple[Node, ...], raised: dict[Any, None]) -> None:
    """Any statement may raise what nothing in it tells of; an import, what the module's body does."""
    if not all(statement[0] in (ir.S_IMPORT, ir.S_FROM, ir.S_PASS) for statement in body):
        raised.setdefault(ANY_BUT_IMPORT)
    elif body:
        raised.setdefault("[import]")


#: Nodes whose evaluation does nothing that could raise, once their names are bound.
_NAMES = (ir.CONST, ir.LOCAL, ir.GLOBAL, ir.FREE)


def _is_one_call(body: tuple[Node, ...]) -> bool:
    """Whether a block does nothing but call once, with names and constants."""
    if len(body) != 1 or body[0][0] not in (ir.S_EXPR, ir.S_ASSIGN, ir.S_RETURN):
        return False
    statement = body[0]
    if statement[0] == ir.S_ASSIGN and any(target[0] != ir.T_LOCAL for target in statement[2]):
        return False
    node = statement[3] if statement[0] == ir.S_ASSIGN else statement[2]
    if node is None or node[0] != ir.CALL:
        return False
    callee = node[1]
    while callee[0] == ir.ATTR:
        callee = callee[1]
    given = [value for _, value in (*node[2], *node[3])]
    return callee[0] in _NAMES and all(value[0] in _NAMES for value in given)


#: Conversions that either give a constant for a constant or raise.
_CONVERSIONS = ("int", "float", "str", "bool", "len")


def _computed(fr: Frame, statement: Node, raised: dict[Any, None]) -> bool:
    """Whether what a statement calls was computed to its end, on constants alone."""
    called = [context for at, context in fr.context.calls if at == statement[1]]
    if not called:
        node = statement[3] if statement[0] == ir.S_ASSIGN else statement[2]
        if node[1][0] != ir.GLOBAL or node[1][1] not in _CONVERSIONS or raised or node[3]:
            return False
        return all(_is_constant(_kinds(fr, value) or fr.world.u.bottom) for _, value in node[2])
    return all(
        not (context.stuck or context.raises or context.calls)
        and _is_constant(context.result)
        and all(_is_constant(v) or v.atoms == (context.receiver,) for v in context.params.values())
        for context in called
    )


def _is_constant(value: Value) -> bool:
    return len(value.atoms) == 1 and isinstance(value.atoms[0], Const)


def _run_handlers(
    fr: Frame,
    handlers: tuple[Node, ...],
    raised: dict[Any, None],
    env: Env | None,
    ends: list[Env],
    run_block: Callable[[Frame, tuple[Node, ...]], None],
) -> dict[Any, None]:
    """Walk each handler that may run; what no handler surely catches."""
    left = dict(raised)
    left.pop("[import]", None)
    for unit, type_node, name, handler_body in handlers:
        if env is None:
            break
        fr.env = dict(env)
        fr.unit = unit
        kinds = _kinds(fr, type_node)
        if not _entered(fr, kinds, raised):
            continue
        ex.reach(fr, unit)
        if name is not None:
            assignment.assign(fr, name, _caught(fr, kinds, raised))
        run_block(fr, handler_body)
        if fr.env is not None:
            ends.append(fr.env)
        left = {r: None for r in left if not _surely(fr, kinds, r)}
    return left


def _kinds(fr: Frame, node: Node | None) -> Value | None:
    if node is None:
        return None
    try:
        return ex.evaluate(fr, node)
    except Dead:
        return fr.world.u.external


def _flat(kinds: Value | None) -> list[Any]:
    found: list[Any] = []
    for atom in kinds.atoms if kinds is not None else ():
        if isinstance(atom, Sequence):
            items = atom.items if atom.items is not None else (atom.element,)
            for item in items:
                found += _flat(item)
        else:
            found.append(atom)
    return found


def _entered(fr: Frame, kinds: Value | None, raised: dict[Any, None]) -> bool:
    """Whether a handler may run; under the ordinary load, something must really raise."""
    fr.world.stage_readers[fr.root] = None
    sure = [r for r in raised if r not in (ANY, ANY_BUT_IMPORT, "[import]")]
    if any(_may_catch(fr, kinds, r) for r in sure):
        return True
    ordinary = fr.world.model.ordinary_exceptions
    if fr.world.stage == 1 and not any(getattr(k, "name", "") in ordinary for k in _flat(kinds)):
        return False
    return any(_may_catch(fr, kinds, r) for r in raised if r not in sure)


def _may_catch(fr: Frame, kinds: Value | None, raised: Any) -> bool:
    if raised == "[import]":
        return kinds is None or any(_is_import_error_only(k) is False for k in _flat(kinds))
    if kinds is None or raised == ANY:
        return True
    flat = _flat(kinds)
    if raised == ANY_BUT_IMPORT:
        return any(_is_import_error_only(k) is False for k in flat)
    return any(_related(fr, raised, kind) for kind in flat)


def _is_import_error_only(kind: Any) -> bool:
    return isinstance(kind, Builtin) and kind.name in _IMPORT_ERRORS


def _related(fr: Frame, raised: Any, kind: Any) -> bool:
    if isinstance(kind, Unknown | External):
        if isinstance(kind, External) and isinstance(raised, str) and hasattr(builtins, raised):
            return False
        return (
            not isinstance(raised, Klass) or not isinstance(kind, External) or kind in classes.mro(fr, raised)
        )
    if isinstance(raised, Klass):
        return classes.is_subclass(fr, raised, kind) is not False
    if isinstance(kind, Builtin):
        thing = getattr(builtins, raised, None)
        base = getattr(builtins, kind.name, None)
        if not isinstance(thing, type):
            return kind.name in ("Exception", "BaseException") or kind.name.endswith("Error")
        return isinstance(base, type) and issubclass(thing, base)
    return False


def _surely(fr: Frame, kinds: Value | None, raised: Any) -> bool:
    """Whether a handler catches every exception noted as ``raised``."""
    flat = _flat(kinds)
    if kinds is None or any(isinstance(k, Builtin) and k.name == "BaseException" for k in flat):
        return True
    if any(isinstance(k, Builtin) and k.name == "Exception" for k in flat):
        return True
    if raised in (ANY, ANY_BUT_IMPORT):
        return False
    if isinstance(raised, Klass):
        return any(classes.is_subclass(fr, raised, k) is True for k in flat)
    return any(isinstance(k, Builtin) and _related(fr, raised, k) for k in flat)


def _caught(fr: Frame, kinds: Value | None, raised: dict[Any, None]) -> Value:
    """The exception object a handler binds: fields of program exceptions stay known."""
    u = fr.world.u
    result = u.object
    for kind in _flat(kinds):
        if isinstance(kind, Klass):
            cell = fr.world.extent(kind)
            cell.readers[fr.root] = None
            result = u.join(result, cell.value)
    return result
