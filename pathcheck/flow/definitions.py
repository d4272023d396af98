"""``def`` and ``class`` statements."""

from __future__ import annotations

from typing import Any

from pathcheck.flow import assignment, callgraph, calls, classes, evaluation, stdlib
from pathcheck.flow import expressions as ex
from pathcheck.flow.frame import MODE, Dead, Env, Frame
from pathcheck.flow.values import Builtin, External, Function, Klass, Obj, Value, Wrapped
from pathcheck.program.ir import Node


def define_function(fr: Frame, node: Node) -> None:
    """Make the function object, apply decorators inside out, bind the name."""
    _, _, index, target, decorators, defaults, pos = node
    assert fr.module.ir is not None
    world = fr.world
    code = fr.module.ir.codes[index]
    function = ex.new_function(fr, code, defaults)
    if fr.code.kind == "class" and isinstance(fr.context.receiver, Klass):
        function.klass = fr.context.receiver
    value = world.u.single(function)
    for decorator in reversed(decorators):
        value = decorate(fr, decorator, value, pos)
    assignment.assign(fr, target, value)


def decorate(fr: Frame, decorator: Node, value: Value, pos: Any) -> Value:
    """One decorator: program ones are called, third-party ones keep what they decorate."""
    u = fr.world.u
    found = ex.evaluate(fr, decorator)
    result = u.bottom
    for atom in found.atoms:
        known = stdlib.decorator(fr, atom, value, pos)
        if known is not None:
            callgraph.note_outside(fr, atom)
            result = u.join(result, known)
            continue
        try:
            result = u.join(result, calls.call(fr, u.single(atom), calls.Args([value]), pos))
        except Dead:
            continue
    if not result.atoms:
        raise fr.die(f"decorator {found!r:.120} never returns")
    return result


def define_class(fr: Frame, node: Node) -> None:
    """Make the class, walk its body, publish its members, apply decorators."""
    _, _, index, target, decorators, bases, keywords, pos = node
    world, u = fr.world, fr.world.u
    klass = world.klass(fr.module, index, ex.closure_context(fr))
    base_values = []
    for _, base in bases:
        value = ex.evaluate(fr, base)
        base_values.append(_generic(fr, value))
    set_bases(fr, klass, tuple(base_values))
    for name, keyword in keywords:
        value = ex.evaluate(fr, keyword)
        if name == "metaclass":
            klass.flags["metaclass"] = value
        elif name == "kw_only" and value is u.true:
            klass.flags["kw_only"] = True
    env = run_class_body(fr, klass)
    if env is None:
        raise fr.die(fr.reason or f"the body of class {klass.info.name} never ends")
    if "enum" in klass.flags:
        stdlib.make_members(fr, klass, env)
    classes.end_body(fr, klass, env)
    after_body(fr, klass, env, pos)
    value = u.single(klass)
    for decorator in reversed(decorators):
        value = decorate(fr, decorator, value, pos)
    assignment.assign(fr, target, value)
    _init_subclass(fr, klass, keywords, pos)


def _generic(fr: Frame, value: Value) -> Value:
    """Bases that are classes; a subscripted third-party base stands for itself."""
    u = fr.world.u
    kept = [a for a in value.atoms if isinstance(a, Klass | External | Builtin)]
    if len(kept) == len(value.atoms):
        return value
    return u.value_of(kept) if kept else u.ext("unknown.Base")


def set_bases(fr: Frame, klass: Klass, bases: tuple[Value, ...]) -> None:
    """Give a class its bases, joined with those it has from other walks over its definition."""
    u = fr.world.u
    if len(bases) == len(klass.bases):
        bases = tuple(u.join(a, b) for a, b in zip(klass.bases, bases, strict=True))
    if bases == klass.bases:
        return
    klass.bases = bases
    klass.mro_cache = None
    for base in bases:
        for atom in base.atoms:
            if isinstance(atom, Klass):
                _add_subclass(atom, klass)
    stdlib.note_bases(fr, klass)


def _add_subclass(base: Klass, klass: Klass) -> None:
    base.subclasses[klass] = None


def run_class_body(fr: Frame, klass: Klass) -> Env | None:
    """Walk a class body in a frame of its own; its final names."""
    world = fr.world
    assert fr.module.ir is not None
    code = fr.module.ir.codes[klass.info.code]
    key = ("class", klass)
    context = fr.context.inlined(key)
    if context is None:
        outer = (
            fr.context.env if fr.code.kind == "class" else (None if fr.code.kind == "module" else fr.context)
        )
        context = world.new_context(fr.module, code, None, outer)
        context.root = fr.root
        context.receiver = klass
        fr.context.inlines[key] = context
    context.mode = fr.mode
    context.evaluations += 1
    calls.note_call(fr, context)
    evaluation.flush_module(fr)
    inner = Frame(world, context, fr.root, {MODE: fr.mode}, fr.depth + 1)
    evaluation.run_body(inner)
    for name in inner.raises:
        fr.raises.setdefault(name)
    left: Env | None = inner.result_env
    if left is None and context.failure.endswith(calls.RECURSION):
        fr.reason = context.failure
    return left


def after_body(fr: Frame, klass: Klass, env: Env, pos: Any) -> None:
    """Enum members are made, ``__set_name__`` is called."""
    u = fr.world.u
    if "enum" in klass.flags:
        return
    for name, value in env.items():
        if type(name) is not str or name == MODE:
            continue
        for atom in value.atoms:
            if (
                isinstance(atom, Obj)
                and isinstance(atom.klass, Klass)
                and classes.lookup(fr, atom.klass, "__set_name__")
            ):
                from pathcheck.flow import attributes

                hook = attributes.attribute_of(fr, atom, "__set_name__", pos)
                calls.call_quietly(fr, hook, (u.single(klass), u.const(name)), pos)


def _init_subclass(fr: Frame, klass: Klass, keywords: tuple[tuple[str | None, Node], ...], pos: Any) -> None:

    found = classes.lookup_after(fr, classes.mro(fr, klass), klass, "__init_subclass__")
    if found is None:
        return
    u = fr.world.u
    given = {name: ex.evaluate(fr, node) for name, node in keywords if name not in (None, "metaclass")}
    for atom in found[0].atoms:
        inner = atom.inner if isinstance(atom, Wrapped) else atom
        if isinstance(inner, Function):
            try:
                calls.call(
                    fr, u.method(inner, klass), calls.Args([], {k: v for k, v in given.items() if k}), pos
                )
            except Dead:
                continue
