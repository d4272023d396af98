"""The intermediate representation: what lowering makes and the analysis walks.

A node is a tuple ``(op, ...)``: tuples of plain values are read back from the
cache by ``marshal`` ten times faster than objects.  The layout of each node
stands beside its op code.  ``pos`` is ``line << 12 | column``: it names an
allocation site or call site within its module.

A *unit* is what a verdict speaks of: a statement, or a part of one that has a
guard of its own (an operand of ``and``/``or``, an arm of a conditional
expression, a ``case``, a comprehension's element or condition, the message of
an ``assert``).  Units are numbered through the module.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from pathcheck.program.collection import uncollected

Node = tuple[Any, ...]

#: Raised whenever the layout of a node or of the tables changes, or what lowering says of the same source.
FORMAT = 3

# ---- expressions -----------------------------------------------------------
CONST = 0  # value
LOCAL = 1  # name
GLOBAL = 2  # name
FREE = 3  # name, number of enclosing functions to go up
CLASSVAR = 4  # name, fallback node: a name looked up in a class body
ATTR = 5  # object, name, pos
SUBSCRIPT = 6  # object, index, pos
CALL = 7  # callee, positional ((is_star, node), ...), keywords ((name | None, node), ...), pos
BINOP = 8  # operator name, left, right, pos
UNARY = 9  # operator name, operand, pos
COMPARE = 10  # left, ((operator name, right), ...), pos
BOOLOP = 11  # is_and, ((unit | -1, node), ...)
IFEXP = 12  # test, unit, then, unit, else, test's own unit
TUPLE = 13  # ((is_star, node), ...), pos
LIST = 14  # ((is_star, node), ...), pos
SET = 15  # ((is_star, node), ...), pos
DICT = 16  # ((key | None for **, value), ...), pos
FSTRING = 17  # (node, ...)
SLICE = 18  # lower | None, upper | None, step | None
LAMBDA = 19  # code index, default nodes ((parameter, node), ...), pos
#: kind "list"|"set"|"dict"|"gen", unit, (node, ...), ((target, iter, ((unit, cond), ...)), ...), pos
COMP = 20
AWAIT = 21  # node
YIELD = 22  # node | None
YIELD_FROM = 23  # node
WALRUS = 24  # target, node

# ---- targets ---------------------------------------------------------------
T_LOCAL = 0  # name
T_GLOBAL = 1  # name
T_FREE = 2  # name, up
T_ATTR = 3  # object, name, pos
T_SUBSCRIPT = 4  # object, index, pos
T_SEQUENCE = 5  # (target, ...), index of the starred one or -1

# ---- statements: (op, unit, ...) -------------------------------------------
S_EXPR = 0  # node
S_ASSIGN = 1  # targets, node, scope mark
S_AUGMENTED = 2  # target, target read as node, operator, node, pos
S_ANNOTATED = 3  # target, annotation, node | None
S_RETURN = 4  # node | None
S_RAISE = 5  # node | None, cause | None
S_IF = 6  # test, body, orelse, body ends in raise, orelse ends in raise
S_WHILE = 7  # test, body, orelse
S_FOR = 8  # target, iter, body, orelse
S_TRY = 9  # body, ((unit, type | None, name target | None, body), ...), orelse, finalbody
S_WITH = 10  # ((node, target | None, pos), ...), body
S_FUNCTION = 11  # code index, target, decorators, defaults ((parameter, node), ...), pos
S_CLASS = 12  # class index, target, decorators, bases, keywords, pos
S_IMPORT = 13  # ((dotted, target, binds_root), ...)
S_FROM = 14  # module | None, level, ((name, target), ...) or ("*",)
S_PASS = 15
S_BREAK = 16
S_CONTINUE = 17
S_DELETE = 18  # targets
S_ASSERT = 19  # test, unit of message, message | None
S_MATCH = 20  # subject, ((pattern, guard unit, guard | None, unit, body), ...)

# ---- patterns --------------------------------------------------------------
P_VALUE = 0  # node
P_SINGLETON = 1  # constant
P_CAPTURE = 2  # target | None
P_SEQUENCE = 3  # (pattern, ...)
P_STAR = 4  # target | None
P_MAPPING = 5  # (key nodes), (patterns), rest target | None
P_CLASS = 6  # class node, (patterns), (names), (patterns)
P_OR = 7  # (pattern, ...)
P_AS = 8  # pattern, target

#: Scope marks of an assignment: a write that the same function undoes later
#: ("temporary write"), the write that puts back what was there, and one that ends
#: it with a value of its own, which may differ from what was there.
SCOPE_NONE, SCOPE_SET, SCOPE_RESTORE, SCOPE_RESET = 0, 1, 2, 3

#: Unit kinds, as the contract names them.
KIND_STATEMENT, KIND_TEST, KIND_IMPORT = "statement", "test", "import"
KIND_CLASS, KIND_FUNCTION = "class", "function"
#: A part that is no test: an arm, an element, a message, the body of a lambda.
KIND_PART = "part"


@dataclass(slots=True)
class Unit:
    """A statement, or a part of one with its own guard."""

    line: int
    #: last line of the statement; of a compound one, of its head
    end_line: int
    kind: str
    parent: int
    #: index of the code object (function or module body) it belongs to
    code: int
    #: the unit's first token is the first of its line
    starts_line: bool
    #: last line of the whole compound statement
    full_end: int
    #: how its parent guards it: "" (always runs with it), "then", "else", "part", "handler", "case",
    #: "function", "class"
    arm: str = ""
    #: where it begins on ``line`` and ends on ``end_line``, in UTF-8 bytes; -1: with the line
    column: int = 0
    end_column: int = -1


@dataclass(slots=True, eq=False)
class Code:
    """A function, lambda, comprehension-free class body or module body."""

    index: int
    name: str
    qualname: str
    line: int
    end_line: int
    kind: str  # "module" | "function" | "lambda" | "class"
    params: tuple[str, ...] = ()
    #: how many of ``params`` are positional-only / positional-or-keyword
    positional_only: int = 0
    positional: int = 0
    vararg: str | None = None
    kwarg: str | None = None
    #: (parameter or "return", annotation node)
    annotations: tuple[tuple[str, Node], ...] = ()
    #: locals that an inner function reads or writes
    cells: tuple[str, ...] = ()
    #: the subset of ``cells`` that an inner function writes
    shared: tuple[str, ...] = ()
    #: names an inner function or class reads from an enclosing function
    has_free: bool = False
    is_generator: bool = False
    is_async: bool = False
    #: code index of the enclosing function or module
    parent: int = -1
    #: unit of the definition; -1 for a module
    unit: int = -1
    local_names: tuple[str, ...] = ()
    #: lines below the ``def`` that default values touch
    default_lines: tuple[int, ...] = ()
    #: the statements, or the bytes that ``marshal`` made of them
    _body: tuple[Node, ...] | bytes = ()

    @property
    def body(self) -> tuple[Node, ...]:
        """The statements, read from the cache when they are first asked for."""
        found = self._body
        if found.__class__ is bytes:
            found = self._body = marshal.loads(found)
        return found  # type: ignore[return-value]

    @body.setter
    def body(self, statements: tuple[Node, ...]) -> None:
        self._body = statements

    @property
    def is_loaded(self) -> bool:
        """Whether the body has been read."""
        return self._body.__class__ is not bytes


@dataclass(slots=True)
class ClassInfo:
    """The body of a class statement."""

    index: int
    name: str
    qualname: str
    code: int
    line: int
    #: (name, annotation node, has value) in order: what a dataclass reads
    fields: tuple[tuple[str, Node, bool], ...] = ()


class ModuleIR:
    """One file, lowered."""

    __slots__ = (
        "_units", "bare", "classes", "codes", "imports", "line_map", "names", "top_classes", "touches",
    )  # fmt: skip

    def __init__(
        self,
        codes: Iterable[Code] = (),
        classes: Iterable[ClassInfo] = (),
        units: list[Unit] | bytes | None = None,
        imports: dict[str, tuple[str, str | None, int]] | None = None,
        top_classes: dict[str, int] | None = None,
        names: frozenset[str] = frozenset(),
        touches: tuple[int, ...] = (),
        bare: bytes = b"",
    ) -> None:
        self.codes = list(codes)
        self.classes = list(classes)
        self._units: list[Unit] | bytes = [] if units is None else units
        #: every import at module level, also under TYPE_CHECKING: name -> (module, attribute | None, level)
        self.imports = {} if imports is None else imports
        #: names of the module's own classes at top level -> class index
        self.top_classes = {} if top_classes is None else top_classes
        #: identifiers mentioned in the file (for "who names it")
        self.names = names
        #: (line, unit, line, unit, ...): tokens of a unit on a line that also holds a part of it
        self.touches = touches
        #: per line 1 if it holds no code: blank, a comment, part of a bare string
        self.bare = bare
        #: made by ``lines.units_at`` when a line is first looked up
        self.line_map: Any = None

    @property
    def units(self) -> list[Unit]:
        """The units in the order of their numbers, read from the cache when they are first asked for."""
        found = self._units
        if isinstance(found, bytes):
            found = self._units = unpack_units(found)
        return found


_UNIT_ROW = attrgetter(*[field.name for field in fields(Unit)])


def pack_units(units: list[Unit]) -> bytes:
    """The units as columns: a third of the size of rows, and quicker to read."""
    return marshal.dumps(tuple(zip(*map(_UNIT_ROW, units), strict=True)))


def unpack_units(data: bytes) -> list[Unit]:
    """What ``pack_units`` packed."""
    with uncollected():
        columns = marshal.loads(data)
        return list(map(Unit, *columns)) if columns else []
