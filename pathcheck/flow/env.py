"""Environments: joined where paths meet; the overrides of a call path, ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pathcheck.flow.context import Mode
from pathcheck.flow.frame import MODE, Env, Frame
from pathcheck.flow.values import Atom, Const, Value
from pathcheck.program.ir import SCOPE_RESET, SCOPE_RESTORE

if TYPE_CHECKING:
    from pathcheck.flow.world import World


def join_env(world: World, a: Env | None, b: Env | None) -> Env | None:
    """The environment after either path; a name that one lacks may be unbound."""
    if a is None or a is b:
        return b
    if b is None:
        return a
    u = world.u
    result = dict(a)
    for key, value in b.items():
        old = a.get(key)
        if old is value:
            continue
        if old is None:
            result[key] = u.join(value, u.unbound)
        elif key == MODE:
            result[key] = join_mode(world, old, value)
        else:
            result[key] = u.join(old, value)
    for key, value in a.items():
        if key not in b:
            result[key] = u.join(value, u.unbound)
    return result


def join_all_env(world: World, envs: list[Env]) -> Env | None:
    result: Env | None = None
    for env in envs:
        result = join_env(world, result, env)
    return result


def join_mode(world: World, a: Mode, b: Mode) -> Mode:
    """A place that only one side overrides holds the program's value on the other."""
    if a is b:
        return a
    u = world.u
    merged = {}
    for key in {**a.overrides, **b.overrides}:
        left, right = a.overrides.get(key, u.unbound), b.overrides.get(key, u.unbound)
        merged[key] = u.join(left, right)
    return world.mode(merged)


def after_override(world: World, inside: Mode, outer: Mode, entered: Mode) -> Mode:
    """The mode behind a block: what changed between ``outer`` and ``entered``, its head, is taken back."""
    if inside is entered:
        return outer
    overrides = dict(inside.overrides)
    for key in {**outer.overrides, **entered.overrides}:
        before = outer.overrides.get(key)
        if before is entered.overrides.get(key):
            continue
        if before is None:
            overrides.pop(key, None)
        else:
            overrides[key] = before
    return world.mode(overrides)


def end_override(
    fr: Frame,
    overrides: dict[tuple[Atom, Any], Value],
    place: tuple[Atom, Any],
    value: Value,
    mark: int,
    alone: bool,
) -> None:
    """A temporary write ends: what the call path had before holds again, or the write's own value too.

    ``alone``: no other place may be meant.  A write that begins and ends under the same
    name (``SCOPE_RESTORE``) ends wherever it began.
    """
    if mark == SCOPE_RESET and not alone:
        if place in overrides:
            u = fr.world.u
            overrides[place] = u.join(u.join(overrides[place], value), u.unbound)
        return
    outer = fr.context.mode.overrides.get(place)
    overrides.pop(place, None)
    if outer is not None:
        overrides[place] = outer if mark == SCOPE_RESTORE else fr.world.u.join(outer, value)


def same_env(a: Env, b: Env) -> bool:
    if len(a) != len(b):
        return False
    return all(b.get(key) is value for key, value in a.items())


def widen_env(world: World, old: Env, new: Env) -> Env:
    """At a loop head after the second round: constants that still change become unknown."""
    result = dict(new)
    for key, value in new.items():
        before = old.get(key)
        if before is value or not isinstance(value, Value) or before is None:
            continue
        result[key] = widen_value(world, value)
    return result


def widen_value(world: World, value: Value) -> Value:
    """Constants replaced by what is known of their kind."""
    u = world.u
    kept: list[Atom] = []
    for atom in value.atoms:
        if isinstance(atom, Const) and type(atom.value) in (int, str, float):
            kept.extend(u.unknown(type(atom.value).__name__, "runtime").atoms)
        else:
            kept.append(atom)
    return u.value_of(kept)
