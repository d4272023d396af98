"""What must hold between a run under CPython and an analysis under the same facts."""

from __future__ import annotations

from typing import Any

from pathcheck.flow.heap import ELEMENT, KEYS
from pathcheck.flow.values import (
    Atom,
    Builtin,
    Const,
    External,
    Function,
    Klass,
    Method,
    Obj,
    Sequence,
    Unknown,
    Value,
)

from .analysed import Analysis
from .cpython import Run


def dead_lines_that_ran(run: Run, analysis: Analysis) -> list[str]:
    """(a) a line that ran is never unreachable."""
    dead = analysis.dead()
    return [
        f"line ran but is dead: {path}:{line}"
        for path, lines in sorted(run.lines.items())
        for line in lines
        if line in dead.get(path, ()) and not run.is_asked(path, line)
    ]


def missing_edges(run: Run, analysis: Analysis) -> list[str]:
    """(b) an edge that was taken is in the call graph."""
    known = analysis.edges()
    return sorted(
        {
            f"call is not in the graph: {caller}:{line} {name} -> {callee}:{qualname}"
            for caller, name, line, callee, qualname in run.edges
            if (caller, name or "<module>", callee, qualname) not in known
        }
    )


def missing_values(run: Run, analysis: Analysis) -> list[str]:
    """(c) a value that was seen is in the abstract value."""
    found = []
    for key, values in run.seen.items():
        abstract = analysis.seen.get(key, analysis.world.u.bottom)
        for value in values:
            if not covers(abstract, value):
                found.append(f"value is missing: see({key}) was {value}, is {abstract!r:.200}")
                break
    return found


def covers(value: Value, seen: list[Any]) -> bool:
    """Whether an abstract value holds what was seen."""
    return any(_covers(atom, seen) for atom in value.atoms)


def _covers(atom: Atom, seen: list[Any]) -> bool:
    kind = seen[0]
    if isinstance(atom, Unknown):
        if atom.type in ("any", "object"):
            return atom.type == "any" or seen != ["const", "NoneType", None]
        wanted = {"int": ("int", "bool"), "bool": ("bool",)}.get(atom.type, (atom.type,))
        return (kind == "const" and seen[1] in wanted) or kind == "enum"
    if kind == "const":
        if isinstance(atom, Obj) and atom.kind == "enum":
            return seen[1] == "int"
        return isinstance(atom, Const) and type(atom.value).__name__ == seen[1] and atom.value == seen[2]
    if isinstance(atom, Obj):
        return _covers_object(atom, seen)
    if kind == "tuple":
        return isinstance(atom, Sequence) and _covers_items(atom, seen[1])
    if kind == "function":
        return _same_function(atom, seen)
    if kind == "class":
        if isinstance(atom, Klass):
            return [atom.module.name, atom.info.qualname] == seen[1:]
        return isinstance(atom, Builtin | External)
    return bool(kind == "object") and not isinstance(atom, Const | Klass | Function)


def _same_function(atom: Atom, seen: list[Any]) -> bool:
    if isinstance(atom, Method):
        atom = atom.function
    if isinstance(atom, Function):
        return [atom.module.name, atom.code.qualname] == seen[1:]
    return False


def _covers_items(atom: Sequence, items: list[Any]) -> bool:
    if atom.items is None:
        return all(atom.element is not None and covers(atom.element, item) for item in items)
    return len(items) == min(len(atom.items), 12) and all(map(covers, atom.items, items))


def _covers_object(obj: Obj, seen: list[Any]) -> bool:
    kind = seen[0]
    if obj.kind == "enum":
        return kind == "enum" and obj.name == seen[3]
    if kind in ("object", "enum"):
        klass = obj.klass
        return not isinstance(klass, Klass) or [klass.module.name, klass.info.qualname] == seen[1:3]
    if kind in ("list", "set") and obj.kind == kind:
        elements = [
            c.value for n, c in obj.fields.items() if n == ELEMENT or type(n) is int or type(n) is tuple
        ]
        return all(any(covers(v, item) for v in elements) for item in seen[1])
    if kind == "dict" and obj.kind == "dict":
        values = [c.value for n, c in obj.fields.items() if n != KEYS]
        return all(any(covers(v, item) for v in values) for _, item in seen[1])
    return kind in ("function", "frozenset") and obj.kind not in ("list", "dict", "set", "instance")


def lost_by_removal(known: Analysis, less: Analysis) -> list[str]:
    """(d) what is alive with a fact known is alive with the fact not known."""
    more, fewer = known.reached(), less.reached()
    return [
        f"alive when known, dead when not: {path}:{line}"
        for path, lines in sorted(more.items())
        for line in sorted(lines - fewer.get(path, set()))
    ]
