"""One side of a file's diff: its source, its units and the lines that changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pathcheck.change.extent import Extents, NoExtents, add_extents
from pathcheck.change.source import Source, read_source
from pathcheck.change.units import Definition, Scope, Span, Units, extent_of, is_touched, walk_units


@dataclass(slots=True)
class SideView:
    """What a diff touches on one side. ``source`` is None where there is no such file."""

    source: Source | None = None
    units: Units = field(default_factory=Units)
    spans: Sequence[Span] = ()
    notes: list[str] = field(default_factory=list)

    def changed_lines(self) -> set[int]:
        """Every line that a hunk of this side holds."""
        return {line for start, count in self.spans for line in range(start, start + count)}

    def scope_at(self, line: int) -> Scope | None:
        """The innermost touched definition around a line."""
        around = [s for s in self.units.scopes if s.lines[0] <= line <= s.lines[1]]
        return max(around, key=lambda scope: (scope.lines[0], -scope.lines[1]), default=None)


def read_side(data: bytes | None, spans: Sequence[Span], *, alone: bool = False) -> SideView:
    """Parse a side and walk the top-level statements that its hunks touch.

    ``alone``: the file has no other side. All its lines changed then, so where
    parentheses close tells nothing that is worth libcst's price.
    Raises source.Unreadable where nothing can be said.
    """
    if data is None:
        return SideView(spans=spans)
    source = read_source(data)
    view = SideView(source=source, spans=spans)
    statements = [s for s in source.tree.body if is_touched(*extent_of(s), spans)]
    extents = Extents()
    for slice_ in [] if alone else _slices(statements, spans):
        _concrete(view, source, slice_, extents)
    view.units = walk_units(source, statements, extents, spans)
    return view


def _slices(statements: Sequence[ast.stmt], spans: Sequence[Span]) -> Iterator[ast.stmt]:
    """What libcst shall read: of the definitions that hold a change, the smallest whole pieces.

    A definition is read whole where its own head changed, else only those of
    its statements that changed; a statement of one line has nothing to add.
    """
    for statement in statements:
        first, last = extent_of(statement)
        if first == last or not is_touched(first, last, spans):
            continue
        body_first = extent_of(statement.body[0])[0] if isinstance(statement, Definition) else first
        if isinstance(statement, Definition) and not is_touched(first, body_first - 1, spans):
            yield from _slices(statement.body, spans)
        else:
            yield statement


def _concrete(view: SideView, source: Source, statement: ast.stmt, extents: Extents) -> None:
    first, last = extent_of(statement)
    try:
        add_extents(extents, source.text(first, last), first, statement)
    except NoExtents as reason:
        view.notes.append(f"line {first}: {reason}; read without its parentheses")
