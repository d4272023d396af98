"""``with``: context managers, and the modes that generator managers set up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pathcheck.flow import assignment, attributes, calls, classes, containers, leaving, tests
from pathcheck.flow import expressions as ex
from pathcheck.flow.env import after_override, join_all_env, join_env
from pathcheck.flow.frame import MODE, Env, Frame
from pathcheck.flow.operators import TRUE
from pathcheck.flow.values import Atom, External, Klass, Obj, Unknown, Value
from pathcheck.program.ir import S_TRY, YIELD, Node


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
    swallows = any(_may_swallow(fr, manager, pos) for manager, pos in managers)

    def passing(env: Env) -> Env:
        return {**env, MODE: after_override(fr.world, env[MODE], outer, entered[MODE])}

    fr.handlers.append([])
    leaving.walk(fr, lambda: run_block(fr, node[3]), passing)
    left = fr.handlers.pop()
    if fr.handlers:  # what leaves this block may leave the try around it as well
        fr.handlers[-1].extend(passing(env) for env in left)
    if swallows:
        # An exception in the body may end here: the path goes on from wherever it was raised.
        fr.env = join_env(fr.world, fr.env, join_all_env(fr.world, left))
    ended, reason = fr.env is None, fr.reason
    if ended:
        # The body returned or raised: the managers are left all the same.
        fr.env = entered
    for manager, pos in reversed(managers):
        _exit(fr, manager, pos)
    if ended:
        fr.env, fr.reason = None, reason
    elif fr.env is not None:
        fr.env = passing(fr.env)


def enter(fr: Frame, manager: Value, pos: Any) -> Value:
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


#: Third-party managers that end the exceptions they are made for.
SWALLOWING = ("contextlib.suppress", "contextlib.ExitStack", "contextlib.AsyncExitStack")


def _may_swallow(fr: Frame, manager: Value, pos: Any) -> bool:
    """Whether leaving a manager may end an exception: ``__exit__`` returns something true."""
    u = fr.world.u
    unknown = u.join(u.none, u.external)
    for atom in manager.atoms:
        if isinstance(atom, Obj) and atom.kind == "generator":
            contexts = fr.world.generators.get(atom, {})
            if any(_yields_in_try(context.code.body) for context in contexts):
                return True
        elif isinstance(atom, Obj) and isinstance(atom.klass, Klass):
            for name in ("__exit__", "__aexit__"):
                found = classes.lookup(fr, atom.klass, name)
                if found is not None:
                    method = attributes.bind(fr, found[0], atom, found[1], pos)
                    result = calls.call_quietly(fr, method, (unknown, unknown, unknown), pos)
                    if result.atoms and tests.truth(fr, result) & TRUE:
                        return True
        elif _third_party_swallows(atom):
            return True
    return False


def _third_party_swallows(atom: Atom) -> bool:
    """A manager that is not the program's: by its documentation, or lost."""
    if isinstance(atom, Obj):
        return isinstance(atom.klass, External) and atom.klass.name in SWALLOWING
    if isinstance(atom, External):
        return atom.name.removesuffix("()") in SWALLOWING
    return isinstance(atom, Unknown) and atom.origin == "lost"


def _yields_in_try(body: Any) -> bool:
    """Whether a generator's ``yield`` stands in a ``try`` with handlers: it may catch exceptions."""
    for node in body:
        if not isinstance(node, tuple) or not node:
            continue
        if node[0] == S_TRY and len(node) == 6 and node[3] and _has_yield(node[2]):
            return True
        if any(isinstance(part, tuple) and _yields_in_try(part) for part in node):
            return True
    return False


def _has_yield(node: object) -> bool:
    if not isinstance(node, tuple):
        return False
    if len(node) == 2 and node[0] == YIELD and not isinstance(node[1], int):
        return True
    return any(_has_yield(part) for part in node)


def _enter_object(fr: Frame, obj: Obj, pos: Any) -> Value:
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


def _exit(fr: Frame, manager: Value, pos: Any) -> None:
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
