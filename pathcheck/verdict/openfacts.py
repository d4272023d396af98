"""Which open tests wait for a fact that was not given.

A fact that is not known is a value of its own in the fixpoint.  A test that
came out both ways waits for it if it reads a global, an attribute or a call
that may hold that value, or a local that was assigned from one; what reads
what is told by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pathcheck.flow.values import Obj, Sequence, Unknown, Value
from pathcheck.flow.world import World
from pathcheck.program import ir
from pathcheck.program.ir import Code, ModuleIR, Node
from pathcheck.verdict.statements import head_of, names_in, walk

#: Passes over a function's assignments: a local from a local from a fact.
_PASSES = 2
_BOTH = 3


def fact_names(worlds: Iterable[World]) -> dict[str, str]:
    """Names that may hold an unknown fact -> the fact."""
    found: dict[str, str] = {}
    for world in worlds:
        for name, value in _held(world):
            fact = _fact(value) if isinstance(name, str) else None
            if fact is not None:
                found.setdefault(name, fact)
    return found


def _held(world: World) -> Iterator[tuple[Any, Value]]:
    """Every named value of a process: fields of its objects, and what functions return."""
    for atom in list(world.u._interned.values()):
        fields = getattr(atom, "fields", None)
        # Elements of containers have no name that a test could read them by.
        if fields and (not isinstance(atom, Obj) or atom.kind in ("instance", "external")):
            yield from ((name, cell.value) for name, cell in fields.items())
    for context in world.contexts:
        if context.evaluations and context.code.kind == "function":
            yield context.code.name, context.result


def _fact(value: Value) -> str | None:
    for atom in value.atoms:
        if isinstance(atom, Unknown) and atom.origin == "fact":
            return atom.fact
        if isinstance(atom, Sequence) and atom.items is not None:
            inner = next((fact for item in atom.items if (fact := _fact(item)) is not None), None)
            if inner is not None:
                return inner
    return None


def waiting(module: ModuleIR, outcomes: dict[int, int], names: dict[str, str]) -> dict[int, str]:
    """Open tests of a module that wait for a fact."""
    if not names or not module.names & names.keys():
        return {}
    by_code: dict[int, set[int]] = {}
    for unit, bits in outcomes.items():
        if bits == _BOTH:
            by_code.setdefault(module.units[unit].code, set()).add(unit)
    found: dict[int, str] = {}
    for number, units in sorted(by_code.items()):
        code = module.codes[number]
        known = {**{n: f for n, f in names.items() if n not in code.local_names}, **_locals(code, names)}
        for node in walk(code.body):
            if node[1] in units:
                fact = next((known[name] for name in names_in(head_of(node)) if name in known), None)
                if fact is not None:
                    found[node[1]] = fact
    return found


def _locals(code: Code, names: dict[str, str]) -> dict[str, str]:
    """Locals that are assigned from what holds a fact."""
    found: dict[str, str] = {}
    for _ in range(_PASSES):
        for node in walk(code.body):
            if node[0] == ir.S_ASSIGN:
                fact = _first(node, {**names, **found})
                for target in node[2] if fact is not None else ():
                    if target[0] == ir.T_LOCAL:
                        found[target[1]] = str(fact)
    return found


def _first(node: Node, names: dict[str, str]) -> str | None:
    return next((names[name] for name in names_in(node[3]) if name in names), None)
