"""Imports: modules of the program run once; others are external or absent."""

from __future__ import annotations

from pathcheck.flow import assignment, callgraph, calls, evaluation, order
from pathcheck.flow.frame import Frame
from pathcheck.flow.heap import STAR
from pathcheck.flow.modules import ModuleState
from pathcheck.flow.values import External, Module, Unknown, Value
from pathcheck.flow.world import World
from pathcheck.program.ir import Node


def absolute(module: ModuleState, name: str | None, level: int) -> str:
    """The absolute name of a ``from`` import's module."""
    if level == 0:
        return name or ""
    package = module.package
    for _ in range(level - 1):
        package = package.rpartition(".")[0]
    return f"{package}.{name}" if name else package


def run_import(fr: Frame, node: Node) -> None:
    """``import a.b.c [as d]``."""
    for dotted, target, binds_root in node[2]:
        value = import_module(fr, dotted)
        if value is None:
            raise _absent(fr, dotted)
        callgraph.note_import(fr, dotted)
        if binds_root:
            root = import_module(fr, dotted.split(".")[0])
            value = root if root is not None else value
        assignment.assign(fr, target, value)


def run_from(fr: Frame, node: Node) -> None:
    """``from a import b``: attributes first, then submodules."""
    _, _, name, level, names = node
    dotted = absolute(fr.module, name, level)
    value = import_module(fr, dotted)
    if value is None:
        raise _absent(fr, dotted)
    _ask_for_path(fr, value)
    if names == ("*",):
        callgraph.note_import(fr, dotted)
        import_star(fr, value)
        return
    for attribute, target in names:
        found = from_value(fr, value, dotted, attribute)
        named = any(isinstance(a, Module) and a.state.name == f"{dotted}.{attribute}" for a in found.atoms)
        callgraph.note_import(fr, f"{dotted}.{attribute}" if named else dotted)
        assignment.assign(fr, target, found)


def _absent(fr: Frame, dotted: str) -> Exception:
    fr.raises.setdefault("ModuleNotFoundError")
    return fr.die(f"module {dotted} is absent")


def _ask_for_path(fr: Frame, value: Value) -> None:
    """``from m import …`` asks whether ``m`` is a package: a module's own ``__getattr__`` gets to see it."""
    for atom in value.atoms:
        if isinstance(atom, Module) and not atom.state.is_package:
            hook = fr.world.read(fr, atom.fields, "__getattr__")
            if hook.atoms:
                calls.call_quietly(fr, hook, (fr.world.u.const("__path__"),), 0)


def from_value(fr: Frame, value: Value, dotted: str, attribute: str) -> Value:
    """``from dotted import attribute``."""
    from pathcheck.flow import attributes

    u = fr.world.u
    found = attributes.get_attribute(fr, value, attribute, 0, quiet=True)
    if found.atoms:
        return found
    submodule = import_module(fr, f"{dotted}.{attribute}")
    if submodule is not None and submodule.atoms:
        return submodule
    if (fr.module.name, fr.unit) in fr.world.lifted:
        return u.lost
    fr.raises.setdefault("ImportError")
    raise fr.die(f"cannot import {attribute} from {dotted}")


def import_star(fr: Frame, value: Value) -> None:
    """``from m import *``: ``__all__`` or every public name; a third-party module gives any name."""
    world = fr.world
    from pathcheck.flow import containers

    stars = world.cell(fr.module.atom.fields, STAR)
    for atom in value.atoms:
        if isinstance(atom, External | Unknown):
            world.write(fr, stars, world.u.single(atom))
        if not isinstance(atom, Module):
            continue
        world.write(fr, stars, world.read(fr, atom.fields, STAR))
        evaluation.show_globals(fr.world, atom.state)
        listed = world.read(fr, atom.fields, "__all__")
        world.read(fr, atom.fields, "[members]")
        names = [n for n in list(atom.fields) if type(n) is str and not n.startswith(("_", "["))]
        if listed.atoms:
            exact = containers.exact_items(fr, listed)
            if exact is not None:
                names = [a.value for v in exact for a in v.atoms if hasattr(a, "value")]
        for name in names:
            found = world.read(fr, atom.fields, name)
            if found.atoms:
                from pathcheck.flow.globals import store_global

                store_global(fr, name, found, 0)


def import_module(fr: Frame, dotted: str) -> Value | None:
    """Run a module and its packages if they belong to the program; None if it is absent."""
    world = fr.world
    if dotted in world.program.modules:
        return _import_program(fr, dotted)
    if dotted.split(".")[0] in world.program.modules:
        world.import_failures.setdefault(dotted, "not in the program")
        parent = dotted.rpartition(".")[0]
        outer = import_module(fr, parent) if parent else None
        found = None
        for atom in outer.atoms if outer is not None else ():
            if isinstance(atom, Module):
                evaluation.show_global(fr.world, atom.state, dotted.rpartition(".")[2])
                value = world.read(fr, atom.fields, dotted.rpartition(".")[2])
                found = value if value.atoms else found
        return found
    present = world.model.package(dotted)
    if present is False:
        return None
    if present is None:
        fr.raises.setdefault("ModuleNotFoundError")
    elif world.model.assumed_package(dotted):
        # Nobody said that it is there, or in which version: only beyond the ordinary may that fail.
        world.stage_readers[fr.root] = None
        if world.stage == 2:
            fr.raises.setdefault("ImportError")
    return world.u.ext(dotted)


def _import_program(fr: Frame, dotted: str) -> Value | None:
    world, u = fr.world, fr.world.u
    done = world.imported.get(dotted)
    if done is not None:
        for loaded in done[1]:
            fr.context.calls.setdefault((fr.unit, loaded), world.stage)
            order.note(fr, loaded)
        return done[0]
    evaluation.flush_module(fr)
    parent = dotted.rpartition(".")[0]
    if parent and import_module(fr, parent) is None:
        return None
    state = world.modules.get(dotted)
    if state is None:
        state = _new_state(fr, dotted)
    if state.ir is None and state.path:
        return u.lost
    context = state.context
    if context is not None:
        key = (fr.unit, context)
        fr.context.calls.setdefault(key, world.stage)
        order.note(fr, context)
        context.callers[fr.root] = None
        if context.evaluations == 0 and not context.on_stack:
            evaluation.evaluate_context(world, context, 0)
        for name in context.raises:
            fr.raises.setdefault("any-" if name == "any" else name)
        if _fails(world, dotted, set()):
            return None
    value = u.single(state.atom)
    if parent and parent in world.modules:
        outer = world.modules[parent].atom
        world.grow(world.cell(outer.fields, dotted.rpartition(".")[2]), value)
    _remember(world, dotted, value)
    return value


def _remember(world: World, dotted: str, value: Value) -> None:
    """A module that has run to its end, and all its packages, need not be imported step by step again."""
    contexts = []
    parts = dotted.split(".")
    for end in range(1, len(parts) + 1):
        state = world.modules.get(".".join(parts[:end]))
        if state is None or (
            state.context is not None and (not state.context.result.atoms or state.context.raises)
        ):
            return
        if state.context is not None:
            contexts.append(state.context)
    world.imported[dotted] = (value, tuple(contexts))


def _fails(world: World, dotted: str, waiting: set[str]) -> bool:
    """Whether importing a module raises for a cause of its own.

    A module that waits for one that waits for it does not fail: Python lets
    each see the other half-made.  Nor does one whose body calls a function that
    is on its way to import it.
    """
    state = world.modules.get(dotted)
    context = state.context if state is not None else None
    if context is None or context.on_stack or context.result.atoms or context.evaluations == 0:
        return False
    waiting.add(dotted)
    reason = context.failure
    if reason.endswith(calls.RECURSION):
        return False
    needed = reason.removeprefix(_ABSENT).removesuffix(" is absent") if reason.startswith(_ABSENT) else ""
    if needed not in world.program.modules:
        return True
    return needed not in waiting and _fails(world, needed, waiting)


_ABSENT = "module "


def _new_state(fr: Frame, dotted: str) -> ModuleState:
    """Load a module's IR and make its body's context."""
    world = fr.world
    path = world.program.modules[dotted]
    ir = world.program.ir(path) if path else None
    state = ModuleState(dotted, path, ir, is_package=not path or path.endswith("/__init__.py"))
    state.atom = world.module_atom(state)
    world.modules[dotted] = state
    if ir is not None:
        context = world.new_context(state, ir.codes[0], None, None)
        state.context = context
    elif path:
        world.import_failures[dotted] = world.program.broken.get(path, "cannot be read")
    return state
