"""Where the parts of a slice of source truly begin and end: what ast leaves out.

``ast`` knows nothing of the parentheses around an expression nor of where a
``def`` header closes.  libcst does, at 5 to 40 times the price, so only the
top-level statements that a diff touches are given to it.  Without an answer
from here the callers fall back on ast's own positions.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

#: libcst needs seconds per megabyte; larger slices are left to ast.
MAX_SLICE = 400_000
#: libcst recurses natively, where an overflow cannot be caught.
MAX_DEPTH = 150

Point = tuple[int, int]


class NoExtents(Exception):
    """libcst cannot serve this slice; the message says why."""


@dataclass(slots=True)
class Extents:
    """Lines of parenthesised expressions and of headers, by ast's positions.

    Keys are (line, column in characters) of both ends of an expression, and
    the line of a ``def`` or ``class``.
    """

    outer: dict[tuple[Point, Point], tuple[int, int]] = field(default_factory=dict)
    header_end: dict[int, int] = field(default_factory=dict)

    def expression(self, start: Point, end: Point) -> tuple[int, int]:
        """First and last line of an expression with its parentheses."""
        return self.outer.get((start, end), (start[0], end[0]))


def add_extents(into: Extents, text: str, first_line: int, nodes: Sequence[ast.AST]) -> None:
    """Parse the lines of one statement with libcst and add what it knows.

    The statement may be indented: it is read under an ``if`` of its own.
    """
    if len(text) > MAX_SLICE:
        raise NoExtents(f"a statement of {len(text)} characters is too large for libcst")
    if depth(nodes) > MAX_DEPTH:
        raise NoExtents("nested too deeply for libcst")
    head, shift = ("if 1:\n", first_line - 2) if text[:1].isspace() else ("", first_line - 1)
    try:
        wrapper = MetadataWrapper(cst.parse_module(head + text + "\n"), unsafe_skip_copy=True)
        positions = wrapper.resolve(PositionProvider)
    except (cst.ParserSyntaxError, cst.CSTValidationError, RecursionError, ValueError) as error:
        raise NoExtents(f"libcst cannot parse it: {type(error).__name__}") from None
    reader = _Reader(into, positions, shift)
    for found, where in positions.items():
        reader.read(found, where)


@dataclass(slots=True)
class _Reader:
    into: Extents
    positions: Mapping[cst.CSTNode, CodeRange]
    shift: int

    def read(self, node: cst.CSTNode, where: CodeRange) -> None:
        if isinstance(node, cst.FunctionDef):
            self.header(node.name, self.positions[node.returns or node.params])
        elif isinstance(node, cst.ClassDef):
            if isinstance(node.rpar, cst.RightParen):
                self.header(node.name, self.positions[node.rpar])
        elif isinstance(node, cst.BaseExpression) and node.lpar:
            self.parentheses(node, where)

    def header(self, name: cst.Name, closing: CodeRange) -> None:
        line = self.positions[name].start.line + self.shift
        self.into.header_end[line] = closing.end.line + self.shift

    def parentheses(self, node: cst.BaseExpression, where: CodeRange) -> None:
        first = self.positions[node.lpar[0]].start.line + self.shift
        last = self.positions[node.rpar[-1]].end.line + self.shift
        start = (where.start.line + self.shift, where.start.column)
        end = (where.end.line + self.shift, where.end.column)
        self.into.outer[(start, end)] = (first, last)


def depth(nodes: Sequence[ast.AST]) -> int:
    """How deep trees nest, without recursion."""
    deepest, layer = 0, [*nodes]
    while layer:
        deepest += 1
        layer = [child for parent in layer for child in ast.iter_child_nodes(parent)]
    return deepest
