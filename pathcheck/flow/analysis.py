"""One process analysed to its fixpoint: entries, lifting of what is stuck, the two stages."""

from __future__ import annotations

import sys
from collections.abc import Callable

from pathcheck.flow import evaluation, order, stops
from pathcheck.flow.context import Context
from pathcheck.flow.frame import Frame
from pathcheck.flow.modules import ModuleState
from pathcheck.flow.values import OutOfWork
from pathcheck.flow.world import World
from pathcheck.program.collection import uncollected
from pathcheck.program.ir import Code, ModuleIR, Unit

#: Rounds in which missing values are lifted to Unknown before the analysis gives up adding life.
MAX_LIFTS = 12
#: Statements at which a process ends, one behind the other, before the analysis gives up going on.
MAX_STOPS = 20
#: How a reason begins where a process waits for another one: lifted only when nobody is left to answer.
WAITS = "waits for"
_ENTRY = Code(0, "<entry>", "<entry>", 1, 1, "entry", unit=0)


def add_entry(world: World, action: Callable[[Frame], None], starts: bool = False) -> Context:
    """Let the analysis call into the program: ``action`` runs in a frame of its own.

    ``starts``: the process begins with it; others are requests.
    """
    module_ir = ModuleIR(codes=[_ENTRY], units=[Unit(1, 1, "statement", -1, 0, True, 1)])
    state = ModuleState("<entry>", "", module_ir, False)
    state.atom = world.module_atom(state)
    context = world.new_context(state, _ENTRY, None, None)
    world.entries[context] = action
    if starts:
        world.starts.add(context)
    world.mark(context)
    return context


def solve(world: World) -> None:
    """Run the worklist dry, lift what is stuck without cause of its own, repeat."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 60_000))
    within_bounds(world, lambda: _solve(world))


def within_bounds(world: World, work: Callable[[], None]) -> None:
    """Do a part of a process' analysis, unless or until it has done all the work that it may."""
    if world.exhausted:
        return
    try:
        with uncollected():
            work()
    except OutOfWork:
        world.exhausted = True


def _solve(world: World) -> None:
    for _ in range(MAX_STOPS):
        for _ in range(MAX_LIFTS):
            world.solve(lambda context: evaluation.evaluate_context(world, context))
            if not lift(world):
                break
        if world.model.serves(world.role, lambda name: _reached(world, name)) or not stops.release(world):
            return


def _reached(world: World, function: str) -> bool:
    """Whether a function, ``module:qualified.name``, is entered."""
    return any(c.evaluations and f"{c.module.name}:{c.code.qualname}" == function for c in world.contexts)


def lift(world: World) -> bool:
    """Let reachable statements that no context gets past go on with an unknown value."""
    if world.evaluations == world.lift_asked:  # nothing was walked since the last time
        return False
    world.lift_asked = world.evaluations
    passed: set[tuple[str, int]] = set()
    stuck: dict[tuple[str, int], list[Context]] = {}
    for context in world.contexts:
        if context.evaluations == 0 or context in world.entries:
            continue
        for unit in context.reached:
            key = (context.module.name, unit)
            if unit in context.stuck:
                if not context.root.settled and liftable(context.stuck[unit]) and not (
                    world.patient and context.stuck[unit].startswith(WAITS)
                ):
                    stuck.setdefault(key, []).append(context)
            else:
                passed.add(key)
    changed = False
    for key, contexts in stuck.items():
        if key in passed or key in world.lifted:
            continue
        world.lifted[key] = contexts[0].stuck[key[1]]
        changed = True
        for context in contexts:
            world.mark(context.root)
    return changed


#: Reasons that are the program's own decision to stop, or that a callee or a module has.
_NOT_LIFTED = ("raise", "assert", "module ", "package ", "<function", "the process exits", "what is awaited",
               "the checkpoint", "the body of class", "decorator", order.OVER)  # fmt: skip


def liftable(reason: str) -> bool:
    """Whether a stop is a crash for want of a value: the path is asked for all the same."""
    return bool(reason) and not reason.startswith((*_NOT_LIFTED, stops.IN_TRY))


def lose_patience(world: World) -> None:
    """No message is on its way any more: whoever still waits for one is lifted like any other."""
    world.patient = False
    world.lift_asked = -1
    solve(world)


def open_stage_two(world: World) -> None:
    """From here on everything that is not the ordinary load may happen as well."""
    world.stage = 2
    for context in list(world.stage_readers):
        world.mark(context)
    solve(world)


def admit_odd_requests(world: World) -> None:
    """The last step: requests of every kind, which find start-up over."""
    order.settle(world)
    world.odd_requests = True
    for context in world.entries:
        if context not in world.starts:
            world.mark(context)
    solve(world)
