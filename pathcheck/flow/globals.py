"""Global names: the module's own, then builtins."""

from __future__ import annotations

import builtins

from pathcheck.flow import attributes, evaluation
from pathcheck.flow.env import end_override
from pathcheck.flow.frame import MODE, Frame
from pathcheck.flow.heap import STAR
from pathcheck.flow.values import Value
from pathcheck.program.ir import SCOPE_NONE, SCOPE_RESET, SCOPE_RESTORE


def load_global(fr: Frame, name: str) -> Value:
    """The value of a global name on this call path; Dead where there is none."""
    world, u = fr.world, fr.world.u
    assert fr.env is not None
    module = fr.module.atom
    prefix = u.bottom
    overrides = fr.env[MODE].overrides
    if overrides:
        override = overrides.get((module, name))
        if override is not None:
            if u.unbound_atom not in override.atoms:
                return u.join(override, u.bottom)
            prefix = u.without(override, u.unbound_atom)
    if fr.code.kind == "module":
        own = fr.env.get(name)
        if own is not None:
            foreign = world.cell(module.fields, name)
            foreign.readers[fr.root] = None
            value = u.join(u.without(own, u.unbound_atom), foreign.foreign)
            if u.unbound_atom not in own.atoms:
                return u.join(prefix, value)
            prefix = u.join(prefix, value)
    elif fr.module.unfinished:
        evaluation.show_global(fr.world, fr.module, name)
    value = u.join(prefix, world.read(fr, module.fields, name))
    if value.atoms:
        return value
    found = _from_stars(fr, name, builtin_value(fr, name))
    if found is not None:
        return found
    fr.raises.setdefault("NameError")
    raise fr.die(f"name {name} is not defined")


def _from_stars(fr: Frame, name: str, builtin: Value | None) -> Value | None:
    """A name that a third-party module behind ``import *`` may have given, over a builtin's value."""
    stars = fr.world.read(fr, fr.module.atom.fields, STAR)
    if not stars.atoms or name.startswith("_"):
        return builtin
    given = attributes.get_attribute(fr, stars, name, 0, quiet=True)
    return fr.world.u.join(builtin, given) if builtin is not None else given if given.atoms else None


def builtin_value(fr: Frame, name: str) -> Value | None:
    """A builtin by name, also one that the program injected into ``builtins``."""
    u = fr.world.u
    if name == "__name__":
        if fr.world.any_main:
            return u.join(u.const("__main__"), u.const(fr.module.name))
        return u.const("__main__" if fr.module.name == fr.world.main_module else fr.module.name)
    if name in ("__file__", "__doc__", "__package__"):
        return u.unknown("str", "runtime")
    injected = u.ext("builtins").atoms[0]
    stored = fr.world.read(fr, injected.fields, name)  # type: ignore[attr-defined]
    if name in ("NotImplemented",):
        return u.object
    if name == "__debug__":
        return u.true
    if hasattr(builtins, name):
        return u.join(stored, u.builtin(name))
    return stored if stored.atoms else None


def store_global(fr: Frame, name: str, value: Value, mark: int) -> None:
    """Assign a global: strongly while the module body runs, weakly from functions."""
    world, u = fr.world, fr.world.u
    assert fr.env is not None
    module = fr.module.atom
    if fr.code.kind == "module":
        fr.env[name] = value
        fr.pending[name] = None
        cell = world.cell(module.fields, name)
        cell.writes[fr.module.name, fr.unit] = value
        return
    if mark != SCOPE_NONE:
        overrides = dict(fr.mode.overrides)
        if mark in (SCOPE_RESTORE, SCOPE_RESET):
            end_override(fr, overrides, (module, name), value, mark, alone=True)
        else:
            overrides[module, name] = value
        fr.env[MODE] = world.mode(overrides)
        if mark != SCOPE_RESET:
            return
    world.write(fr, world.cell(module.fields, name), u.without(value, u.unbound_atom))
