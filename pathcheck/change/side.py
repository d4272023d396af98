"""One side of a file's diff: its source, its units and the lines that changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pathcheck.change.extent import Extents, NoExtents, add_extents
from pathcheck.change.slices import Slice, slices
from pathcheck.change.source import Source, read_source
from pathcheck.change.units import Scope, Span, Units, extent_of, is_touched, walk_units


@dataclass(slots=True)
class SideView:
    """What a diff touches on one side. ``source`` is None where there is no such file."""

    source: Source | None = None
    units: Units = field(default_factory=Units)
    spans: Sequence[Span] = ()
    notes: list[str] = field(default_factory=list)
    _changed: set[int] | None = None

    def changed_lines(self) -> set[int]:
        """Every line that a hunk of this side holds."""
        if self._changed is None:
            self._changed = {n for start, count in self.spans for n in range(start, start + count)}
        return self._changed

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
    for piece in () if alone else slices(source, statements, spans):
        _concrete(view, piece, extents)
    view.units = walk_units(source, statements, extents, spans)
    return view


def _concrete(view: SideView, piece: Slice, extents: Extents) -> None:
    try:
        add_extents(extents, piece.text, piece.first, piece.nodes)
    except NoExtents as reason:
        view.notes.append(f"line {piece.first}: {reason}; read without its parentheses")
