"""``with``: context managers, and the modes that generator managers set up."""

from __future__ import annotations

from collections.abc import Callable

from pathcheck.flow import assignment, attributes, calls, containers
from pathcheck.flow import expressions as ex
from pathcheck.flow.frame import MODE, Frame
from pathcheck.flow.values import Klass, Obj, Value
from pathcheck.program.ir import Node


def run_with(fr: Frame, node: Node, run_block: Callable[[Frame, tuple[Node, ...]], None]) -> None:
    """Enter each manager, walk the body in its mode, leave."""
    assert fr.env is not None
    outer = fr.env[MODE]
    managers: list[tuple[Value, int]] = []
    for manager_node, target, pos in node[2]:
        manager = ex.evaluate(fr, manager_node)
        managers.append((manager, pos))
        value = enter(fr, manager, pos)
        if target is not None:
            assignment.assign(fr, target, value)
    entered = dict(fr.env)
    run_block(fr, node[3])
    ended, reason = fr.env is None, fr.reason
    if ended:
        # The body returned or raised: the managers are left all the same.
        fr.env = entered
    for manager, pos in reversed(managers):
        _exit(fr, manager, pos)
    if ended:
        fr.env, fr.reason = None, reason
    elif fr.env is not None:
        fr.env[MODE] = outer


def enter(fr: Frame, manager: Value, pos: int) -> Value:
    """What ``__enter__`` gives; a generator manager's temporary writes become part of the mode."""
    u = fr.world.u
    result = u.bottom
    for atom in manager.atoms:
        if isinstance(atom, Obj) and atom.kind == "generator":
            result = u.join(result, containers.iterate(fr, u.single(atom), pos, quiet=True))
            apply_mode(fr, atom, alone=len(manager.atoms) == 1)
        elif isinstance(atom, Obj) and isinstance(atom.klass, Klass):
            result = u.join(result, _enter_object(fr, atom, pos))
        else:
            result = u.join(result, u.external)
            if isinstance(atom, Obj):
                result = u.join(result, u.single(atom))
    if not result.atoms:
        raise fr.die(f"{manager!r:.120} is never entered")
    return result


def _enter_object(fr: Frame, obj: Obj, pos: int) -> Value:
    u = fr.world.u
    for name in ("__enter__", "__aenter__"):
        method = attributes.attribute_of(fr, obj, name, pos)
        if method.atoms:
            return calls.call_quietly(fr, method, (), pos)
    return u.join(u.single(obj), u.external)


def apply_mode(fr: Frame, generator: Obj, alone: bool) -> None:
    """The overrides in force at the manager's ``yield`` hold for the rest of the block."""
    contexts = fr.world.generators.get(generator, {})
    u = fr.world.u
    assert fr.env is not None
    overrides = dict(fr.mode.overrides)
    for context in contexts:
        context.callers[fr.root] = None
        for key, value in (context.yield_mode or {}).items():
            overrides[key] = value if alone else u.join(value, overrides.get(key, u.unbound))
    fr.env[MODE] = fr.world.mode(overrides)


def _exit(fr: Frame, manager: Value, pos: int) -> None:
    u = fr.world.u
    if fr.env is None:
        return
    unknown = u.join(u.none, u.external)
    for atom in manager.atoms:
        if isinstance(atom, Obj) and isinstance(atom.klass, Klass):
            for name in ("__exit__", "__aexit__"):
                method = attributes.attribute_of(fr, atom, name, pos)
                if method.atoms:
                    calls.call_quietly(fr, method, (unknown, unknown, unknown), pos)
                    break
