"""Changed units of one side become drafts of changes: runs, functions, comments.

A draft is a change without its id; it keeps the normal form of its code, by
which ``moves`` recognises moved code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pathcheck.change.model import MODULE_SYMBOL, ChangeKind, Side
from pathcheck.change.side import SideView
from pathcheck.change.units import Scope, Unit

#: Kinds of which several in a row are one change.
_RUNS: frozenset[ChangeKind] = frozenset({"statement", "import"})
_KEYWORDS = frozenset({"else:", "try:", "finally:", ")", "]", "}", "):", "),", "],", "},"})

CommitOf = Callable[[int], str]


@dataclass(slots=True, eq=False)
class Draft:
    """A change in the making."""

    side: Side
    kind: ChangeKind
    lines: tuple[int, int]
    symbol: str
    guards: tuple[str, ...]
    form: str
    commit: str
    ask: tuple[int, int]
    columns: tuple[int, int] | None = None
    parent: Draft | None = None
    #: An altered statement stands on both sides: it did not come from elsewhere.
    altered: bool = False


@dataclass(slots=True)
class SideDrafts:
    """Builds the drafts of one side of one file."""

    side: Side
    view: SideView
    commit_of: CommitOf

    def code(
        self, changed: Sequence[Unit], altered: Mapping[int, Unit], fresh: Sequence[Scope]
    ) -> list[Draft]:
        """Drafts of the code that changed; ``fresh`` are the new (or removed) definitions."""
        lines = self.view.changed_lines()
        groups = {id(s): self._definition(s) for s in fresh if _meets(s.header, lines)}
        for scope in fresh:
            if id(scope) in groups:
                groups[id(scope)].parent = _group(scope.parent, groups)
        kept = [unit for unit in _unfolded(changed) if not _covered(unit, fresh, groups)]
        return [*groups.values(), *self._runs(kept, altered, groups)]

    def comments(self, covered: set[int], eager: Mapping[int, bool]) -> Iterator[Draft]:
        """Drafts for changed lines that hold no changed code.

        ``eager`` tells for each hunk whether even blank lines need a change,
        because nothing else speaks for the hunk.
        """
        for number, (start, count) in enumerate(self.view.spans):
            lines = [n for n in range(start, start + count) if n not in covered]
            spoken = lines if eager.get(number) else [n for n in lines if self._speaks(n)]
            for first, last in _stretches(spoken, set(lines)):
                yield self._comment(first, last)

    def _comment(self, first: int, last: int) -> Draft:
        scope = self.view.scope_at(first)
        text = self.view.source.text(first, last) if self.view.source else ""
        symbol = scope.symbol if scope else MODULE_SYMBOL
        commit = self.commit_of(first)
        return Draft(self.side, "comment", (first, last), symbol, (), text, commit, (first, last))

    def _speaks(self, line: int) -> bool:
        """True for a line worth a change of its own: not blank, not a lone keyword or bracket."""
        source = self.view.source
        text = source.lines[line - 1].strip() if source and line <= len(source.lines) else ""
        return bool(text) and text not in _KEYWORDS

    def _definition(self, scope: Scope) -> Draft:
        kind: ChangeKind = "class" if scope.is_class else "function"
        ask = scope.header if scope.is_class else scope.entry
        commit = self._most_of(scope.lines)
        return Draft(
            self.side, kind, scope.lines, scope.symbol, scope.guards, scope.body_form, commit, ask
        )

    def _most_of(self, lines: tuple[int, int]) -> str:
        """The commit that changed most of these lines; of equals, the first."""
        changed = sorted(n for n in self.view.changed_lines() if lines[0] <= n <= lines[1])
        return Counter(self.commit_of(n) for n in changed or [lines[0]]).most_common(1)[0][0]

    def _runs(
        self, kept: Sequence[Unit], altered: Mapping[int, Unit], groups: Mapping[int, Draft]
    ) -> list[Draft]:
        drafts: list[Draft] = []
        last: Unit | None = None
        for unit in kept:
            made = self._piece(unit, _group(unit.owner, groups), id(unit) in altered)
            if last is not None and _continues(last, unit, drafts[-1], made):
                _extend(drafts[-1], made)
            else:
                drafts.append(made)
            last = unit
        return drafts

    def _piece(self, unit: Unit, parent: Draft | None, altered: bool) -> Draft:
        lines = self._clipped(unit)
        part = unit.within is not None
        return Draft(
            self.side, unit.kind, lines, unit.symbol, unit.guards, unit.form,
            self._commit(lines), lines, unit.columns if part else None, parent, altered,
        )

    def _clipped(self, unit: Unit) -> tuple[int, int]:
        """A long parameter list shows only the lines that changed."""
        if unit.kind not in ("signature", "class"):
            return unit.lines
        inside = [n for n in self.view.changed_lines() if unit.lines[0] <= n <= unit.lines[1]]
        return (min(inside), max(inside)) if inside else unit.lines

    def _commit(self, lines: tuple[int, int]) -> str:
        inside = self.view.changed_lines()
        changed = [n for n in range(lines[0], lines[1] + 1) if n in inside]
        return self.commit_of(changed[0] if changed else lines[0])


def _continues(last: Unit, unit: Unit, run: Draft, made: Draft) -> bool:
    return (
        unit.kind in _RUNS
        and unit.kind == last.kind
        and unit.within is None
        and last.within is None
        and unit.order == last.order + 1
        and (unit.symbol, unit.guards) == (last.symbol, last.guards)
        and (made.commit, made.parent) == (run.commit, run.parent)
    )


def _extend(run: Draft, made: Draft) -> None:
    run.lines = run.ask = (run.lines[0], max(run.lines[1], made.lines[1]))
    run.form += "|" + made.form
    run.altered = run.altered or made.altered


def _unfolded(changed: Sequence[Unit]) -> list[Unit]:
    """Drop parts that no line tells apart: that of their statement, or that of another part."""
    present = {id(unit) for unit in changed}
    starts = Counter(unit.lines[0] for unit in changed if unit.within is not None)
    return [unit for unit in changed if not _folds(unit, present, starts)]


def _folds(unit: Unit, present: set[int], starts: Mapping[int, int]) -> bool:
    around = unit.within
    while around is not None:
        shared = around.lines[0] == unit.lines[0] or starts[unit.lines[0]] > 1
        if id(around) in present and shared:
            return True
        around = around.within
    return False


def _covered(unit: Unit, fresh: Sequence[Scope], groups: Mapping[int, Draft]) -> bool:
    """True for the head of a new definition: the definition's own change speaks for it."""
    if unit.kind not in ("signature", "class", "default"):
        return False
    return any(
        id(scope) in groups and scope.symbol == unit.symbol and _within(unit.lines, scope.header)
        for scope in fresh
    )


def _group(scope: Scope | None, groups: Mapping[int, Draft]) -> Draft | None:
    return groups.get(id(scope)) if scope is not None else None


def _within(inner: tuple[int, int], outer: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _meets(span: tuple[int, int], lines: set[int]) -> bool:
    return any(line in lines for line in range(span[0], span[1] + 1))


def _stretches(lines: Sequence[int], between: set[int]) -> Iterator[tuple[int, int]]:
    """Runs of lines; lines of ``between`` (blank ones) do not break a run."""
    first: int | None = None
    last = 0
    for line in lines:
        if first is not None and all(n in between for n in range(last + 1, line)):
            last = line
            continue
        if first is not None:
            yield (first, last)
        first = last = line
    if first is not None:
        yield (first, last)
