"""Where a process ends before its time: the one statement that nothing gets past, and going on behind it.

A process is followed from its entry: from a call that never returns into its
callee, from an import that fails into its module.  A crash ends the process,
but what would run if it did not is still asked for; so the statement is noted
as a stop, and the analysis goes on behind it with unknown values.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pathcheck.flow import assignment
from pathcheck.flow.context import Context
from pathcheck.flow.env import join_env
from pathcheck.flow.frame import Dead
from pathcheck.program import ir

if TYPE_CHECKING:
    from collections.abc import Callable

    from pathcheck.flow.frame import Env, Frame
    from pathcheck.flow.world import World
    from pathcheck.program.ir import Node

#: How a stop inside ``try`` is marked: a handler may catch it.
IN_TRY = "in try: "
#: What is said of a module that is not there.
ABSENT = "module "
#: Ends that are meant: the analysis does not go on behind them.
MEANT = ("the process exits", "what is awaited never returns")
#: Chains of calls are followed so far.
_MOST_STEPS = 200


@dataclass(frozen=True, slots=True)
class End:
    """The statement that keeps a context from returning."""

    context: Context
    unit: int
    why: str


def release(world: World) -> bool:
    """Let each process go on behind the statement that it ends at; whether there was one."""
    changed = False
    for entry in world.entries:
        for _, root in list(entry.calls):
            end = end_of(world, root)
            if end is None or end.why.startswith((ABSENT, *MEANT)):
                continue
            key = (end.context.module.name, end.unit)
            if key in world.stops:
                continue
            world.stops[key] = world.lifted[key] = end.why
            world.mark(end.context.root)
            changed = True
    return changed


def end_of(world: World, root: Context) -> End | None:
    """Why a process' first function does not come to its end; None if nothing stands in its way.

    The function itself may return all the same: it reports in a handler what went wrong.
    """
    context, first = root, True
    for _ in range(_MOST_STEPS):
        if not context.stuck or (context.result.atoms and not first):
            return None
        unit, why = _last(context)
        missing = why.split()[1] if why.startswith(ABSENT) else ""
        inner = _callee(world, context, unit, missing)
        if inner is None:
            return None if first and context.result.atoms else End(context, unit, why)
        context, first = inner, False
    return None


def _last(context: Context) -> tuple[int, str]:
    """The stop that ended a context: the last one that no handler catches."""
    stuck = list(context.stuck.items())
    uncaught = [(unit, why) for unit, why in stuck if not why.startswith(IN_TRY)]
    unit, why = (uncaught or stuck)[-1]
    return unit, why.removeprefix(IN_TRY)


def _callee(world: World, context: Context, unit: int, missing: str) -> Context | None:
    """What a statement waits for in vain: a module's body, or a call that does not return."""
    state = world.modules.get(missing)
    if state is not None and state.context is not None:
        return state.context
    called = [c for at, c in context.calls if at == unit and not c.result.atoms and c.stuck]
    return called[-1] if called else None


def go_on(fr: Frame, node: Node, env: Env, run_block: Callable[[Frame, tuple[Any, ...]], None]) -> None:
    """Behind a statement that is a stop: what it would have bound is lost, its blocks may run."""
    lost = fr.world.u.lost
    fr.env = dict(env)
    kind = node[0]
    if kind in (ir.S_ASSIGN, ir.S_AUGMENTED, ir.S_ANNOTATED):
        for target in node[2] if kind == ir.S_ASSIGN else (node[2],):
            with suppress(Dead):
                assignment.assign(fr, target, lost)
    elif kind == ir.S_RETURN:
        fr.result = fr.world.u.join(fr.result, lost)
        fr.result_env = join_env(fr.world, fr.result_env, fr.env)
        fr.env = None
    elif kind in (ir.S_IF, ir.S_WHILE, ir.S_FOR):
        if kind == ir.S_FOR:
            assignment.assign(fr, node[2], lost)
        skipped = dict(fr.env)
        run_block(fr, node[4] if kind == ir.S_FOR else node[3])
        fr.env = join_env(fr.world, skipped, fr.env)
    elif kind == ir.S_WITH:
        run_block(fr, node[3])
