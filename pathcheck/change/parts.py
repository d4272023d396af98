"""Parts of an expression with a guard of their own.

An arm of a conditional expression, an operand of ``and``/``or`` after the
first, a comprehension's condition and what it guards: each may stay unrun
while its statement runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pathcheck.change.model import ChangeKind
from pathcheck.change.normal import normal


@dataclass(frozen=True, slots=True)
class Part:
    """An expression apart from the one around it. ``around`` is None at the top."""

    node: ast.expr
    kind: ChangeKind
    guards: tuple[str, ...]
    around: ast.expr | None = None


def parts_of(node: ast.AST) -> list[Part]:
    """The parts below a node, outer ones before inner ones."""
    return list(_parts(node, (), None))


def _parts(node: ast.AST, guards: tuple[str, ...], around: ast.expr | None) -> Iterator[Part]:
    own = {id(part.node): part for part in _direct(node, guards, around)}
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            continue
        part = own.get(id(child))
        if part is not None:
            yield part
            yield from _parts(child, part.guards, part.node)
        else:
            yield from _comprehended(child, node, guards, around)


def _comprehended(
    child: ast.AST, parent: ast.AST, guards: tuple[str, ...], around: ast.expr | None
) -> Iterator[Part]:
    """A ``comprehension`` is no expression: its conditions are parts of the one around it."""
    if not isinstance(child, ast.comprehension):
        yield from _parts(child, guards, around)
        return
    yield from _parts(child.iter, guards, around)
    for test in child.ifs:
        yield Part(test, "test", (*guards, "comprehension:"), around)
        yield from _parts(test, (*guards, "comprehension:"), test)


def _direct(node: ast.AST, guards: tuple[str, ...], around: ast.expr | None) -> Iterator[Part]:
    if isinstance(node, ast.IfExp):
        text = normal(node.test)
        yield Part(node.test, "test", guards, around)
        yield Part(node.body, "statement", (*guards, f"arm:{text}"), around)
        yield Part(node.orelse, "statement", (*guards, f"arm-else:{text}"), around)
    elif isinstance(node, ast.BoolOp):
        word = type(node.op).__name__.lower()
        for before, operand in zip(node.values, node.values[1:], strict=False):
            yield Part(operand, "test", (*guards, f"{word}:{normal(before)}"), around)
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        tests = [normal(test) for generator in node.generators for test in generator.ifs]
        values = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for value in values if tests else []:
            yield Part(value, "statement", (*guards, f"comprehension:{''.join(tests)}"), around)
