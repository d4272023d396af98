"""Annotations refine what is otherwise unknown: all arms, and subclasses too."""

from __future__ import annotations

from typing import Any

from pathcheck.flow import evaluation
from pathcheck.flow.frame import Frame
from pathcheck.flow.modules import ModuleState
from pathcheck.flow.values import Function, Klass, Unknown, Value
from pathcheck.program import ir
from pathcheck.program.ir import Node

_SCALARS = {"int": "int", "float": "float", "str": "str", "bool": "bool", "bytes": "bytes"}
_TRANSPARENT = ("Optional", "Union", "Annotated", "Final")


def refine_params(fr: Frame, function: Function, params: dict[str, Value]) -> None:
    """Replace unknown arguments by what the parameter's annotation allows."""
    for name, annotation in function.code.annotations:
        value = params.get(name)
        if value is not None:
            params[name] = refine(fr, value, annotation, function.module)


def refine(fr: Frame, value: Value, annotation: Node, module: ModuleState) -> Value:
    """An unknown object annotated with program classes is one of their instances."""
    unknown = [
        a
        for a in value.atoms
        if isinstance(a, Unknown) and a.type in ("any", "object") and a.origin != "fact"
    ]
    if not unknown or not annotation:
        return value
    kinds = resolve(fr, annotation, module)
    if not kinds:
        return value
    u = fr.world.u
    parts = u.bottom
    for kind in kinds:
        if isinstance(kind, Klass):
            cell = fr.world.extent(kind)
            cell.readers[fr.root] = None
            parts = u.join(parts, cell.value)
        elif kind == "None":
            parts = u.join(parts, u.none)
        elif kind in _SCALARS:
            parts = u.join(parts, u.unknown(_SCALARS[kind], unknown[0].origin))
        else:
            return u.join(value, parts)
    if not any(isinstance(k, Klass) for k in kinds):
        kept = u.value(tuple(a for a in value.atoms if a not in unknown))
        return u.join(kept, parts) if all(k in _SCALARS or k == "None" for k in kinds) else value
    if not any(a for a in parts.atoms if not _is_none(a)):
        return value
    kept = u.value(tuple(a for a in value.atoms if a not in unknown))
    return u.join(kept, parts)


def _is_none(atom: Any) -> bool:
    return getattr(atom, "value", 0) is None


def resolve(fr: Frame, node: Node, module: ModuleState) -> list[Any]:
    """Program classes, scalar names, "None" or "?" that an annotation stands for."""
    kind = node[0]
    if kind == ir.CONST:
        return ["None"] if node[1] is None else ["?"]
    if kind == ir.BINOP and node[1] == "|":
        return resolve(fr, node[2], module) + resolve(fr, node[3], module)
    if kind == ir.SUBSCRIPT:
        return _subscripted(fr, node, module)
    if kind in (ir.GLOBAL, ir.CLASSVAR, ir.LOCAL, ir.FREE):
        return [_named(fr, node[1], module)]
    if kind == ir.ATTR:
        found = [_attribute(fr, node, module)]
        return found
    return ["?"]


def _subscripted(fr: Frame, node: Node, module: ModuleState) -> list[Any]:
    base = node[1]
    name = base[1] if base[0] in (ir.GLOBAL, ir.CLASSVAR) else base[2] if base[0] == ir.ATTR else ""
    if name not in _TRANSPARENT:
        return ["?"]
    index = node[2]
    items = [i for _, i in index[1]] if index[0] == ir.TUPLE else [index]
    if name == "Annotated":
        items = items[:1]
    found: list[Any] = ["None"] if name == "Optional" else []
    for item in items:
        found += resolve(fr, item, module)
    return found


def _named(fr: Frame, name: str, module: ModuleState) -> Any:
    """A name in an annotation, through imports that may never run (TYPE_CHECKING)."""
    if name in _SCALARS:
        return name
    evaluation.show_global(fr.world, module, name)
    cell = module.atom.fields.get(name)
    if cell is not None:
        for atom in cell.value.atoms:
            if isinstance(atom, Klass):
                return atom
    if module.ir is None or name not in module.ir.imports:
        return "?"
    source, attribute, level = module.ir.imports[name]
    if attribute is None:
        return "?"
    from pathcheck.flow.imports import absolute

    target = fr.world.modules.get(absolute(module, source, level))
    if target is None:
        return "?"
    evaluation.show_global(fr.world, target, attribute)
    found = target.atom.fields.get(attribute)
    for atom in found.value.atoms if found is not None else ():
        if isinstance(atom, Klass):
            return atom
    return "?"


def _attribute(fr: Frame, node: Node, module: ModuleState) -> Any:
    return "?"


def is_class_variable(annotation: Node) -> bool:
    """``ClassVar[...]`` fields are no dataclass fields."""
    return _marker(annotation) == "ClassVar"


def is_init_variable(annotation: Node) -> bool:
    """``InitVar[...]`` fields are arguments only."""
    return _marker(annotation) == "InitVar"


def _marker(annotation: Node) -> str:
    """The name of what an annotation is, or is a subscript of."""
    if annotation and annotation[0] == ir.SUBSCRIPT:
        annotation = annotation[1]
    if annotation and annotation[0] in (ir.GLOBAL, ir.ATTR):
        return str(annotation[1] if annotation[0] == ir.GLOBAL else annotation[2])
    return ""
