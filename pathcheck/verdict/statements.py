"""Statements of the IR: the blocks inside them, their heads, the names they mention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pathcheck.program import ir
from pathcheck.program.ir import Node

#: Where the head of a compound statement ends.
_HEAD = {ir.S_IF: 3, ir.S_WHILE: 3, ir.S_FOR: 4, ir.S_TRY: 2, ir.S_WITH: 3, ir.S_MATCH: 3}


def walk(body: Iterable[Node]) -> Iterator[Node]:
    """Every statement of a body, outer ones first."""
    for node in body:
        yield node
        for block in _blocks(node):
            yield from walk(block)


def head_of(node: Node) -> Any:
    """What a statement evaluates itself, without its blocks."""
    return node[2 : _HEAD.get(node[0])]


def names_in(node: Any) -> Iterator[str]:
    """Every text in a node that could be a name."""
    if isinstance(node, str):
        if node.isidentifier():
            yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from names_in(part)


def _blocks(node: Node) -> list[tuple[Node, ...]]:
    if node[0] in (ir.S_IF, ir.S_WHILE):
        return [node[3], node[4]]
    if node[0] == ir.S_FOR:
        return [node[4], node[5]]
    if node[0] == ir.S_TRY:
        return [node[2], *(handler[3] for handler in node[3]), node[4], node[5]]
    if node[0] == ir.S_WITH:
        return [node[3]]
    return [case[4] for case in node[3]] if node[0] == ir.S_MATCH else []
