"""Source becomes units: the smallest pieces that a verdict can tell apart.

A unit is a simple statement, the header of a compound one, a test, an arm or
operand with a guard of its own, or a part of a definition's head.  The walk is
over ast; ``extent`` adds what only a concrete tree knows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pathcheck.change.extent import Extents
from pathcheck.change.model import MODULE_SYMBOL, ChangeKind
from pathcheck.change.normal import is_string, normal
from pathcheck.change.parts import Part, parts_of
from pathcheck.change.source import Source

_Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = _Function | ast.ClassDef
Span = tuple[int, int]


@dataclass(slots=True, eq=False)
class Unit:
    """One piece of code with a guard set of its own.

    ``within`` is the unit whose line it may share (an arm's statement), and
    ``owner`` the definition around it.  ``form`` is its normal form; "" says
    that nothing runs (a docstring).
    """

    kind: ChangeKind
    lines: tuple[int, int]
    symbol: str
    guards: tuple[str, ...]
    form: str
    order: int = 0
    columns: tuple[int, int] | None = None
    within: Unit | None = None
    owner: Scope | None = None

    @property
    def shape(self) -> tuple[str, ...]:
        """The kinds of guards without their texts: indentation under other guards shows."""
        return tuple(guard.partition(":")[0] for guard in self.guards)


@dataclass(slots=True, eq=False)
class Scope:
    """A definition: its whole extent, its header, and the first line that its body runs."""

    symbol: str
    is_class: bool
    lines: tuple[int, int]
    header: tuple[int, int]
    entry: tuple[int, int]
    node: Definition
    guards: tuple[str, ...]
    parent: Scope | None

    @property
    def body_form(self) -> str:
        """The normal form of the body, by which a renamed or moved definition is known."""
        forms = [normal(statement) for statement in self.node.body]
        return "|".join([form for form in forms if form])


@dataclass(slots=True)
class Units:
    """All units of the walked statements in source order, and their definitions."""

    units: list[Unit] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Place:
    symbol: str = MODULE_SYMBOL
    guards: tuple[str, ...] = ()
    scope: Scope | None = None

    @property
    def in_class(self) -> bool:
        return self.scope is not None and self.scope.is_class

    def under(self, *guards: str) -> _Place:
        return replace(self, guards=self.guards + guards)

    def named(self, name: str) -> str:
        return name if self.symbol == MODULE_SYMBOL else f"{self.symbol}.{name}"


def extent_of(statement: ast.stmt) -> Span:
    """First and last line of a statement, its decorators included."""
    decorators = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(d.lineno for d in decorators)])
    return (first, statement.end_lineno or statement.lineno)


def is_touched(first: int, last: int, spans: Sequence[Span]) -> bool:
    """True if a (start, count) span meets these lines or their neighbours.

    Neighbours count so that an empty span, between two lines, touches both.
    """
    return any(first <= start + max(count, 1) and start - 1 <= last for start, count in spans)


def walk_units(
    source: Source, statements: Sequence[ast.stmt], extents: Extents, spans: Sequence[Span]
) -> Units:
    """The units of the statements that the spans touch."""
    walker = _Walker(source, extents, spans)
    walker.block(statements, _Place())
    return walker.found


class _Walker:
    def __init__(self, source: Source, extents: Extents, spans: Sequence[Span]) -> None:
        self.source = source
        self.extents = extents
        self.spans = spans
        self.found = Units()
        self.order = 0

    # -- blocks and statements -------------------------------------------------

    def block(self, statements: Sequence[ast.stmt], place: _Place) -> None:
        for statement in statements:
            self.statement(statement, place)

    def statement(self, node: ast.stmt, place: _Place) -> None:
        if not is_touched(*extent_of(node), self.spans):
            self.order += 1  # what is left out still ends a run
        elif isinstance(node, Definition):
            self.definition(node, place)
        elif isinstance(node, ast.If | ast.While):
            self.conditional(node, place)
        elif isinstance(node, ast.For | ast.AsyncFor):
            self.loop(node, place)
        elif isinstance(node, ast.Try | ast.TryStar):
            self.attempt(node, place)
        elif isinstance(node, ast.With | ast.AsyncWith):
            self.header(node, [*node.items], place)
            self.block(node.body, place)
        elif isinstance(node, ast.Match):
            self.match(node, place)
        else:
            self.simple(node, place)

    def simple(self, node: ast.stmt, place: _Place) -> None:
        kind: ChangeKind = "import" if isinstance(node, ast.Import | ast.ImportFrom) else "statement"
        if isinstance(node, ast.Assert):
            kind = "test"
        self.unit(kind, node, [node], place)

    def header(
        self, node: ast.stmt, read: Sequence[ast.AST], place: _Place, kind: ChangeKind = "statement"
    ) -> None:
        self.unit(kind, node, read, place)

    def conditional(self, node: ast.If | ast.While, place: _Place) -> None:
        self.header(node, [node.test], place, "test")
        word = type(node).__name__.lower()
        text = normal(node.test)
        self.block(node.body, place.under(f"{word}:{text}"))
        self.block(node.orelse, place.under(f"{word}-else:{text}"))

    def loop(self, node: ast.For | ast.AsyncFor, place: _Place) -> None:
        self.header(node, [node.target, node.iter], place)
        text = normal(node.iter)
        self.block(node.body, place.under(f"for:{text}"))
        self.block(node.orelse, place.under(f"for-else:{text}"))

    def attempt(self, node: ast.Try | ast.TryStar, place: _Place) -> None:
        self.block(node.body, place)
        for handler in node.handlers:
            caught = normal(handler.type) if handler.type else ""
            self.unit("test", handler, [handler.type] if handler.type else [], place, end=handler.lineno)
            self.block(handler.body, place.under(f"except:{caught}"))
        self.block(node.orelse, place)
        self.block(node.finalbody, place)

    def match(self, node: ast.Match, place: _Place) -> None:
        self.header(node, [node.subject], place)
        subject = normal(node.subject)
        for case in node.cases:
            read = [case.pattern, *([case.guard] if case.guard else [])]
            self.unit("test", case.pattern, read, place)
            self.block(case.body, place.under(f"case:{subject} {normal(case.pattern)}"))

    # -- definitions -----------------------------------------------------------

    def definition(self, node: Definition, place: _Place) -> None:
        scope = self.scope(node, place)
        named = replace(place, symbol=scope.symbol)
        for decorator in node.decorator_list:
            self.unit("decorator", decorator, [decorator], named, scope=place.scope)
        if isinstance(node, ast.ClassDef):
            self.class_head(node, scope, named)
        else:
            self.function_head(node, scope, named)
        # The body's guards are its own: what guards the definition guards each of its statements too.
        self.block(node.body, replace(named, scope=scope))

    def scope(self, node: Definition, place: _Place) -> Scope:
        scope = Scope(
            symbol=place.named(node.name),
            is_class=isinstance(node, ast.ClassDef),
            lines=extent_of(node),
            header=(node.lineno, self.header_end(node)),
            entry=self.entry(node),
            node=node,
            guards=place.guards,
            parent=place.scope,
        )
        self.found.scopes.append(scope)
        return scope

    def header_end(self, node: Definition) -> int:
        known = self.extents.header_end.get(node.lineno)
        inner = [n.end_lineno or 0 for n in _head_nodes(node)]
        return max([node.lineno, known or 0, *inner])

    def entry(self, node: Definition) -> tuple[int, int]:
        """The first statement that runs in a body: docstrings do not."""
        runs = [s for s in node.body if not is_string(s)] or node.body
        first = runs[0]
        if isinstance(first, Definition):
            return (first.lineno, self.header_end(first))
        end = first.end_lineno or first.lineno
        inner = getattr(first, "body", None)
        if isinstance(inner, list) and inner:
            end = max(first.lineno, min(end, inner[0].lineno - 1))
        return (first.lineno, end)

    def class_head(self, node: ast.ClassDef, scope: Scope, place: _Place) -> None:
        form = node.name + normal(ast.Tuple([*node.bases])) + "".join(normal(k) for k in node.keywords)
        self.add(Unit("class", scope.header, scope.symbol, place.guards, form, owner=place.scope))

    def function_head(self, node: _Function, scope: Scope, place: _Place) -> None:
        args = node.args
        defaults = [d for d in (*args.defaults, *args.kw_defaults) if d is not None]
        form = type(node).__name__ + node.name + normal(args, skip={id(d) for d in defaults})
        head = Unit("signature", scope.header, scope.symbol, place.guards, form, owner=place.scope)
        self.add(head)
        for default in defaults:
            self.unit("default", default, [default], place, within=head, scope=place.scope)

    # -- units -----------------------------------------------------------------

    def unit(
        self,
        kind: ChangeKind,
        node: ast.AST,
        read: Sequence[ast.AST],
        place: _Place,
        *,
        end: int | None = None,
        within: Unit | None = None,
        scope: Scope | None = None,
    ) -> None:
        """Add one unit and, after it, its parts that have guards of their own."""
        parts = [part for item in read for part in parts_of(item)]
        holes = {id(part.node) for part in parts}
        forms = [normal(item, skip=holes, in_class=place.in_class) for item in read]
        # A simple statement is its own form; of a header the kind of statement is told apart.
        form = forms[0] if read == [node] else type(node).__name__ + "|".join(forms)
        unit = Unit(kind, self.span(node, read, end), place.symbol, place.guards, form, within=within)
        if within is not None:
            unit.columns = self.columns(node)
        unit.owner = scope or place.scope
        self.add(unit)
        self.parts(parts, unit)

    def parts(self, parts: Sequence[Part], whole: Unit) -> None:
        made: dict[int, Unit] = {}
        holes = {id(part.node) for part in parts}
        for part in parts:
            form = normal(part.node, skip=holes - {id(part.node)})
            around = made.get(id(part.around), whole)
            unit = Unit(
                part.kind, self.outer(part.node), whole.symbol, whole.guards + part.guards, form,
                columns=self.columns(part.node), within=around, owner=whole.owner,
            )
            made[id(part.node)] = unit
            self.add(unit)

    def add(self, unit: Unit) -> None:
        """Number the units; parts and docstrings take no number, so that runs go on over them."""
        if unit.within is None and unit.form:
            self.order += 1
        unit.order = self.order
        self.found.units.append(unit)

    # -- positions -------------------------------------------------------------

    def span(self, node: ast.AST, read: Sequence[ast.AST], end: int | None) -> tuple[int, int]:
        first = int(getattr(node, "lineno", 0))
        lasts = [self.outer(item)[1] for item in read if hasattr(item, "lineno")]
        lasts += [self.outer(part)[1] for item in read for part in _with_nodes(item)]
        if isinstance(node, ast.expr):
            first = self.outer(node)[0]
        return (first, max([first, end or 0, *lasts]))

    def outer(self, node: ast.AST) -> tuple[int, int]:
        if not isinstance(node, ast.expr):
            return (int(getattr(node, "lineno", 0)), int(getattr(node, "end_lineno", 0)))
        last = node.end_lineno or node.lineno
        start = (node.lineno, self.column(node.lineno, node.col_offset))
        return self.extents.expression(start, (last, self.column(last, node.end_col_offset or 0)))

    def columns(self, node: ast.AST) -> tuple[int, int] | None:
        if not isinstance(node, ast.expr) or node.end_lineno != node.lineno:
            return None
        return (
            self.column(node.lineno, node.col_offset),
            self.column(node.lineno, node.end_col_offset or 0),
        )

    def column(self, line: int, offset: int) -> int:
        """A column in characters: ast counts the bytes of UTF-8."""
        text = self.source.lines[line - 1] if line <= len(self.source.lines) else ""
        return offset if text.isascii() else len(text.encode()[:offset].decode(errors="replace"))


def _with_nodes(item: ast.AST) -> Iterator[ast.expr]:
    if isinstance(item, ast.withitem):
        yield item.context_expr
        if item.optional_vars is not None:
            yield item.optional_vars


def _head_nodes(node: Definition) -> Iterator[ast.expr | ast.arg]:
    if isinstance(node, ast.ClassDef):
        yield from node.bases
        yield from (keyword.value for keyword in node.keywords)
        return
    args = node.args
    yield from (*args.posonlyargs, *args.args, *args.kwonlyargs)
    yield from (a for a in (args.vararg, args.kwarg, node.returns) if a is not None)
    yield from (d for d in (*args.defaults, *args.kw_defaults) if d is not None)
