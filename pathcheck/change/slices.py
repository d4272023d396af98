"""The pieces of source that libcst shall read: few and small, since it is slow.

Of a simple statement all its lines; of a compound one the head alone, where
that holds a change, with a body made up; then the pieces of its blocks.  A
piece of one line has nothing to add to what ast knows, nor has a simple
statement without a bracket that groups.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pathcheck.change.source import Source
from pathcheck.change.units import Span, extent_of, is_touched

#: A bracket that opens no call: what stands before it is a keyword, a blank or an operator.
_GROUPS = re.compile(rf"(?<![\w)\]}}\"'])\(|\b(?:{'|'.join(keyword.kwlist)})\(")


@dataclass(frozen=True, slots=True)
class Slice:
    """A text that parses alone, the line it begins at, and the nodes it spells."""

    first: int
    text: str
    nodes: Sequence[ast.AST]


def slices(source: Source, statements: Sequence[ast.stmt], spans: Sequence[Span]) -> Iterator[Slice]:
    """The smallest pieces that hold every change of these statements."""
    for statement in statements:
        first, last = extent_of(statement)
        if first == last or not is_touched(first, last, spans):
            continue
        blocks = _blocks(statement)
        if not blocks or _is_whole(source, statement, spans):
            text = source.text(first, last)
            if blocks or _GROUPS.search(text):
                yield Slice(first, text, [statement])
            continue
        begins = extent_of(blocks[0][0])[0]
        if _has_head(statement) and _matters(first, begins - 1, spans):
            yield Slice(first, _with_a_body(source.text(first, begins - 1)), _head(statement))
        for block in blocks:
            yield from slices(source, block, spans)


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of a compound statement in order; a simple one has none."""
    if isinstance(statement, ast.Match):
        return [case.body for case in statement.cases]
    blocks = [getattr(statement, "body", []), *(h.body for h in getattr(statement, "handlers", []))]
    blocks += [getattr(statement, "orelse", []), getattr(statement, "finalbody", [])]
    return [block for block in blocks if block]


def _has_head(statement: ast.stmt) -> bool:
    return not isinstance(statement, ast.Try | ast.TryStar | ast.Match)


def _head(statement: ast.stmt) -> list[ast.AST]:
    return [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]


def _is_whole(source: Source, statement: ast.stmt, spans: Sequence[Span]) -> bool:
    """Whether the head cannot be read apart: it shares a line with the body, or stands inside."""
    if isinstance(statement, ast.Match):
        return any(
            _matters(case.pattern.lineno, extent_of(case.body[0])[0] - 1, spans) for case in statement.cases
        )
    if isinstance(statement, ast.Try | ast.TryStar):
        return any(
            _matters(handler.lineno, extent_of(handler.body[0])[0] - 1, spans)
            for handler in statement.handlers
        )
    body: list[ast.stmt] = getattr(statement, "body", [])
    return bool(_before(source, body[0]).strip())


def _before(source: Source, statement: ast.stmt) -> bytes:
    """What stands before a statement on its line; ast counts bytes."""
    return source.lines[statement.lineno - 1].encode()[: statement.col_offset]


def _matters(first: int, last: int, spans: Sequence[Span]) -> bool:
    """Whether lines are several and touched."""
    return first < last and is_touched(first, last, spans)


def _with_a_body(head: str) -> str:
    """A head that parses alone. An ``elif`` becomes an ``if``, the rest in the columns it had."""
    indent = head[: len(head) - len(head.lstrip())]
    if head.startswith("elif", len(indent)):
        head = f"{indent}if  {head[len(indent) + 4 :]}"
    return f"{head}\n{indent}  pass"


__all__ = ["Slice", "slices"]
