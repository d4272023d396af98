"""Evaluating a context: set up its frame, walk the body, publish what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pathcheck.flow import attributes, calls, containers, statements
from pathcheck.flow.closures import write_cell
from pathcheck.flow.construction import escape
from pathcheck.flow.context import Context
from pathcheck.flow.env import join_env
from pathcheck.flow.frame import MODE, Dead, Env, Frame
from pathcheck.flow.values import Obj, Value

if TYPE_CHECKING:
    from pathcheck.flow.modules import ModuleState
    from pathcheck.flow.world import World


def evaluate_context(world: World, context: Context, depth: int = 0) -> None:
    """Walk a memoised context's body once; wake its callers if its result grew."""
    if context.on_stack:
        world.mark(context)
        return
    context.on_stack = True
    context.dirty = False
    context.evaluations += 1
    world.evaluations += 1
    env: Env = dict(context.params)
    env[MODE] = context.mode
    fr = Frame(world, context, context, env, depth)
    if context in world.entries:
        _enter(fr)
        return
    constructs = context.code.name == "__init__" and isinstance(context.receiver, Obj)
    if constructs and isinstance(context.receiver, Obj) and context.receiver.kind != "enum":
        calls.start_tracking(fr, context.receiver)
    module_body = context.code.kind == "module"
    world.importing += module_body
    if module_body:
        context.module.live = fr
        context.module.left.clear()
    try:
        result = run_body(fr)
    finally:
        context.on_stack = False
        world.importing -= module_body
        if module_body:
            context.module.live = None
    if constructs and isinstance(context.receiver, Obj) and context.receiver in fr.tracked:
        calls.finish_tracking(fr, context.receiver)
    if context.code.kind == "module":
        publish_module(fr)
    update(world, context, result, fr)


def _enter(fr: Frame) -> None:
    """An entry: the analysis calls into the program from nowhere."""
    context = fr.context
    try:
        fr.world.entries[context](fr)
    except Dead:
        context.stuck[0] = fr.reason
    finally:
        context.on_stack = False


def update(world: World, context: Context, result: Value, fr: Frame) -> None:
    """Join result and exceptions into the context."""
    joined = world.u.join(context.result, result)
    changed = joined is not context.result
    context.result = joined
    for name in fr.raises:
        if name not in context.raises:
            context.raises[name] = None
            changed = True
    if changed:
        for caller in context.callers:
            world.mark(caller)


def run_body(fr: Frame) -> Value:
    """Walk the body of the frame's code; the value it returns."""
    context = fr.context
    context.stuck.clear()
    if context.stage == 0:
        context.stage = fr.world.stage
    for name in fr.code.cells:
        if fr.env is not None and name in fr.env:
            escape(fr, fr.env[name])
            write_cell(fr, context, name, fr.env[name])
    statements.run_block(fr, fr.code.body)
    if fr.env is not None:
        fr.result = fr.world.u.join(fr.result, fr.world.u.none)
        fr.result_env = join_env(fr.world, fr.result_env, fr.env)
    if fr.result_env is not None and fr.result_env[MODE] is not context.mode:
        _keep_what_was_not_put_back(fr)
    context.failure = fr.reason if fr.result_env is None else ""
    if fr.code.is_generator:
        return containers.generator_of(fr)
    return fr.result


def _keep_what_was_not_put_back(fr: Frame) -> None:
    """A temporary write that some path leaves in force is a write like any other."""
    u = fr.world.u
    outer = fr.context.mode.overrides
    left = fr.result_env[MODE].overrides
    fr.env = fr.result_env = {**fr.result_env, MODE: fr.context.mode}
    for place, value in left.items():
        known = outer.get(place, u.unbound).atoms
        atom, name = place
        kept = u.value_of([a for a in value.atoms if a not in known and a is not u.unbound_atom])
        if kept.atoms:
            attributes.set_attribute(fr, u.single(atom), name, kept, None)


def publish_module(fr: Frame) -> None:
    """The names of a module as its body leaves them."""
    world, u = fr.world, fr.world.u
    cells = fr.module.atom.fields
    for name, value in (fr.result_env or {}).items():
        if type(name) is str and name != MODE and "." not in name:
            new = name not in cells or not cells[name].value.atoms
            world.grow(world.cell(cells, name), u.without(value, u.unbound_atom), foreign=False)
            if new:
                world.grow(world.cell(cells, "[members]"), u.const(name))


def flush_module(fr: Frame) -> None:
    """What a module body has assigned so far becomes visible to what it calls, where somebody looks.

    A name that nobody has read waits: the body may bind it anew before anyone sees it.
    """
    if not fr.pending or fr.env is None:
        return
    module, cells, unit = fr.module, fr.module.atom.fields, fr.unit
    if fr.context.evaluations == 1:  # later, readers are also those that come when the body has ended
        module.seen.update(
            dict.fromkeys((n, unit) for n in fr.pending if n in cells and cells[n].readers)
        )
    for name in [n for n in fr.pending if (n, unit) in module.seen]:
        show_global(fr.world, module, name)


def show_global(world: World, module: ModuleState, name: str) -> None:
    """Somebody reads a global of a module whose body has not ended: show what the name holds by now."""
    fr = module.live
    if fr is None:
        left = module.left.pop(name, None)
        if left is not None:
            _show(world, module, name, left)
        return
    module.seen[name, fr.unit] = None
    if name not in fr.pending:
        return
    del fr.pending[name]
    value = fr.env.get(name) if fr.env is not None else None
    if value is not None:
        _show(world, module, name, value)


def _show(world: World, module: ModuleState, name: str, value: Value) -> None:
    cell = world.cell(module.atom.fields, name)
    if cell.value is not value:
        world.grow(cell, world.u.without(value, world.u.unbound_atom), foreign=False)


def leave_unfinished(fr: Frame, env: Env) -> None:
    """A module's body does not get past a statement: what is called there sees what was assigned before."""
    u, left = fr.world.u, fr.module.left
    for name in fr.pending:
        value = env.get(name)
        if value is not None:
            left[name] = u.join(left.get(name, u.bottom), value)


def show_globals(world: World, module: ModuleState) -> None:
    """Somebody lists the globals of a module whose body has not ended."""
    for name in list(module.live.pending if module.live is not None else module.left):
        show_global(world, module, name)


def show_live(world: World) -> None:
    """Whatever module bodies have assigned so far becomes visible."""
    for module in list(world.modules.values()):
        show_globals(world, module)
