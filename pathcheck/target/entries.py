"""Requests that reach the main process: the functions they enter and the objects they bring."""

from __future__ import annotations

from typing import Any

from pathcheck.flow import attributes, calls, containers, imports
from pathcheck.flow.frame import Dead, Frame
from pathcheck.flow.hints import resolve
from pathcheck.flow.values import Function, Klass, Obj, Value
from pathcheck.target import ordinary
from pathcheck.target.load import REQUESTS, Service

#: Contents of request fields that are dictionaries: what a plain client puts in.
SHAPES: dict[str, dict[str, str]] = {"sampling_params": {"temperature": "float", "max_new_tokens": "int"}}
#: Types of varying fields where one word says it; others are anything.
TYPES = {
    "stream": "bool", "temperature": "float", "max_tokens": "int", "max_completion_tokens": "int",
    "max_new_tokens": "int", "top_k": "int", "model": "str", "rid": "str",
}  # fmt: skip


def function(fr: Frame, name: str) -> Value | None:
    """The value of ``module:qualified.name`` if the program has loaded such a thing; None otherwise."""
    module, _, qualname = name.partition(":")
    if module not in fr.world.modules and module not in fr.world.program.modules:
        return None
    value = imports.import_module(fr, module)
    for part in qualname.split("."):
        if value is None:
            return None
        found = attributes.get_attribute(fr, value, part, 0, quiet=True)
        value = found if found.atoms else None
    return value


def serve(fr: Frame, through_engine: bool) -> None:
    """Call every entry that is admitted by now with a request of its kind."""
    world = fr.world
    world.stage_readers[fr.root] = None
    for index, (name, service, request) in enumerate(ordinary.served()):
        if service is not Service.ORDINARY and not world.odd_requests:
            continue
        engine = ":Engine." in name
        if engine != through_engine:
            continue
        module = name.partition(":")[0]
        if module not in world.modules:
            continue
        try:
            _call_entry(fr, name, request, index + 10)
        except Dead:
            continue


def _call_entry(fr: Frame, name: str, request: str | None, pos: int) -> None:
    if ":Engine." in name:
        _call_engine(fr, name, pos)
        return
    found = function(fr, name)
    for atom in found.atoms if found is not None else ():
        if isinstance(atom, Function):
            values = [
                _argument(fr, atom, param, request, pos) for param in atom.code.params[: atom.code.positional]
            ]
            fr.unit = 0
            calls.call_quietly(fr, fr.world.u.single(atom), values, pos)


def _argument(fr: Frame, handler: Function, param: str, request: str | None, pos: int) -> Value:
    """A parameter of a handler: a request object by its annotation, anything else from outside."""
    u = fr.world.u
    for name, annotation in handler.code.annotations:
        if name != param:
            continue
        for kind in resolve(fr, annotation, handler.module):
            if isinstance(kind, Klass):
                return request_object(fr, kind, pos)
    return u.object


def request_object(fr: Frame, klass: Klass, pos: int) -> Value:
    """A request: varying fields unknown, others at their default; an odd one holds anything."""
    world, u = fr.world, fr.world.u
    name = f"{klass.module.name}:{klass.info.qualname}"
    varying = next((r.varies for r in REQUESTS if r.name == name), ())
    made = calls.call_quietly(fr, u.single(klass), (), (pos, "request"))
    for atom in made.atoms:
        if not isinstance(atom, Obj):
            continue
        for field in varying:
            world.write(fr, world.cell(atom.fields, field.name), field_value(fr, field.name, pos))
        if world.odd_requests:
            for field_name in calls.all_fields(fr, klass):
                world.write(fr, world.cell(atom.fields, field_name), u.external)
    return made


def field_value(fr: Frame, name: str, pos: Any) -> Value:
    """What a varying field holds."""
    u = fr.world.u
    shape = SHAPES.get(name)
    if shape is not None:
        made = containers.new_dict(fr, (pos, name))
        for key, kind in shape.items():
            containers.set_item(fr, made, u.const(key), u.unknown(kind, "runtime"), 0, certain=True)
        if fr.world.odd_requests:
            containers.set_item(fr, made, u.unknown("str", "runtime"), u.external, 0)
        return u.join(made, u.none)
    scalar = TYPES.get(name)
    stated = fr.world.model.request_texts.get(name)
    if stated is not None and not fr.world.odd_requests:
        return u.const(stated)
    if scalar is not None:
        value = u.unknown(scalar, "runtime")
        return u.join(value, u.none) if name in ("rid", "max_tokens", "max_completion_tokens") else value
    if name in ("text", "prompt"):
        text = u.unknown("str", "runtime")
        return u.join_all((u.none, text, containers.new_list(fr, [], text, (pos, name))))
    if name == "input_ids":
        number = u.unknown("int", "runtime")
        inner = containers.new_list(fr, [], number, (pos, name, 1))
        return u.join_all(
            (
                u.none,
                containers.new_list(fr, [], number, (pos, name)),
                containers.new_list(fr, [], inner, (pos, name, 2)),
            )
        )
    return u.external


def _call_engine(fr: Frame, name: str, pos: int) -> None:
    """A method of ``sglang.Engine`` on the engine that start-up made."""
    world, u = fr.world, fr.world.u
    klass = function(fr, name.rpartition(".")[0])
    method = name.rpartition(".")[2]
    for atom in klass.atoms if klass is not None else ():
        if not isinstance(atom, Klass):
            continue
        cell = world.extent(atom)
        cell.readers[fr.root] = None
        if not cell.value.atoms:
            continue
        found = attributes.get_attribute(fr, cell.value, method, pos, quiet=True)
        if not found.atoms:
            continue
        keywords = _engine_arguments(fr, found, pos)
        args = calls.Args([], keywords)
        if world.odd_requests:
            args.rest_keywords = u.external
        try:
            calls.call(fr, found, args, pos)
        except Dead:
            continue


def _engine_arguments(fr: Frame, method: Value, pos: int) -> dict[str, Value]:
    """Ordinary arguments among the method's own parameters."""
    given: dict[str, Value] = {}
    names = {
        "prompt": "text",
        "input_ids": "input_ids",
        "sampling_params": "sampling_params",
        "stream": "stream",
        "rid": "rid",
    }
    for atom in method.atoms:
        code = getattr(getattr(atom, "function", None), "code", None)
        for param in code.params if code is not None else ():
            if param in names:
                given[param] = field_value(fr, names[param], (pos, param))
    return given
