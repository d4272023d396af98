"""What comes before what: start-up is over when serving begins.

The heap is one for all of a process' life, so a value that only an odd request
can write would be seen by the code that started the process, long before the
first request.  When everything but odd requests has been analysed, start-up is
*settled*: its contexts are not evaluated again unless code that runs while
serving calls them.  A context that leads into serving (the function that makes
a server and runs its loop) goes on, but the calls that it made before answer
with what they gave.

Code runs while serving if it is reached

* from a function at which the process begins to serve (``Model.serving``), or
  where third parties are handed an object that keeps functions;
* from a function that a third party was given: a thread, a task, a hook;
* from a coroutine or a generator: its body runs when somebody asks for it;
* from what the analysis itself calls as a request.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pathcheck.flow.context import Context
from pathcheck.flow.frame import Frame
from pathcheck.program import ir
from pathcheck.program.ir import Code

if TYPE_CHECKING:
    from pathcheck.flow.values import Function, Value
    from pathcheck.flow.world import World

#: The reason of a path that start-up did not take while it lasted.
OVER = "start-up is over"


def settle(world: World) -> bool:
    """Leave start-up behind. False, and nothing is done, where it is not seen that serving begins."""
    points = _points(world)
    if not points:
        return False
    serving = reached_from(_roots(world))
    leading = _leading(world, points, serving)
    for context in world.contexts:
        root = context.root
        root.settled = root not in serving and root not in leading and root not in world.entries
    for context, units in leading.items():
        context.settled = False
        context.before = _before(context, units)
        world.mark(context.root)  # what it calls behind the beginning of serving goes on
    return True


def reached_from(roots: Iterable[Context]) -> set[Context]:
    """The contexts that these call, directly or not, and they themselves."""
    found: set[Context] = set()
    waiting = list(roots)
    while waiting:
        context = waiting.pop()
        if context not in found:
            found.add(context)
            waiting.extend(callee for _, callee in context.calls)
    return found


def wake(world: World, context: Context) -> None:
    """Serving code calls a settled context: it and what it calls are analysed on."""
    for each in reached_from([context]):
        if each.root.settled:
            each.root.settled = False
            world.mark(each.root)


def note(fr: Frame, callee: Context) -> None:
    """A call is made: it wakes its callee unless it belongs to start-up itself."""
    if callee.root.settled and not is_before(fr):
        wake(fr.world, callee)


def is_before(fr: Frame) -> bool:
    """Whether the statement that is walked lies before the call with which serving begins."""
    before = fr.context.before
    return before is not None and fr.unit in before


def given(fr: Frame, function: Function) -> Value:
    """What the calls of a function at this statement gave while start-up lasted."""
    result = fr.world.u.bottom
    for unit, callee in fr.context.calls:
        if unit == fr.unit and callee.function is function:
            result = fr.world.u.join(result, callee.result)
            for error in callee.raises:
                fr.raises.setdefault("any-" if error == "any" else error)
    if not result.atoms:
        fr.reason = fr.reason or OVER
    return result


def _points(world: World) -> dict[Context, set[int]]:
    """The calls with which serving begins: by context, the units."""
    points: dict[Context, set[int]] = {}
    for context, unit in world.serving_points:
        points.setdefault(context, set()).add(unit)
    for context in world.contexts:
        for unit, callee in context.calls:
            if is_loop(world, callee):
                points.setdefault(context, set()).add(unit)
    return points


def is_loop(world: World, context: Context) -> bool:
    """Whether the process begins to serve in this function."""
    return f"{context.module.name}:{context.code.qualname}" in world.model.serving


def _roots(world: World) -> list[Context]:
    roots = [c for c in world.contexts if is_loop(world, c) or c.code.is_async or c.code.is_generator]
    roots += world.called_later
    roots += [
        callee for entry in world.entries if entry not in world.starts for _, callee in entry.calls
    ]
    return roots


def _leading(
    world: World, points: dict[Context, set[int]], serving: set[Context]
) -> dict[Context, set[int]]:
    """The contexts on the way from the process' entry to its serving, with the units that lead there."""
    callers: dict[Context, list[tuple[Context, int]]] = {}
    for context in world.contexts:
        for unit, callee in context.calls:
            callers.setdefault(callee, []).append((context, unit))
    found: dict[Context, set[int]] = {c: set(units) for c, units in points.items() if c not in serving}
    waiting = list(found)
    while waiting:
        for caller, unit in callers.get(waiting.pop(), ()):
            if caller in serving:
                continue
            if caller not in found:
                found[caller] = set()
                waiting.append(caller)
            found[caller].add(unit)
    return found


def _before(context: Context, serving: set[int]) -> frozenset[int]:
    """The units of a body that have run when serving begins, and do not run again."""
    module, code = context.module.ir, context.code
    first = min(serving)
    loops = [_inside(module, loop) for loop in _loops(code)]
    again = {unit for inside in loops if first in inside for unit in inside}
    return frozenset(
        number
        for number, unit in enumerate(module.units)
        if unit.code == code.index and number < first and number not in again
    )


def _inside(module: ir.ModuleIR, around: int) -> set[int]:
    """A unit and all units below it; inner ones come after outer ones."""
    found = {around}
    for number in range(around + 1, len(module.units)):
        if module.units[number].parent in found:
            found.add(number)
    return found


def _loops(code: Code) -> list[int]:
    """The units of a body's loops."""
    found: list[int] = []
    waiting: list[Any] = [*code.body]
    while waiting:
        node = waiting.pop()
        if type(node) is tuple:
            if len(node) > 3 and type(node[1]) is int and node[0] in (ir.S_WHILE, ir.S_FOR):
                found.append(node[1])
            waiting.extend(node)
    return found
