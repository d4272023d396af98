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

from dataclasses import dataclass, field
from typing import Any

Node = tuple[Any, ...]

#: Raised whenever the layout of a node or of the tables changes.
FORMAT = 1

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
COMP = 20  # kind "list"|"set"|"dict"|"gen", unit, (node, ...), ((target, iter, ((unit, cond), ...)), ...), pos
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
#: ("temporary write"), and the write that undoes it.
SCOPE_NONE, SCOPE_SET, SCOPE_RESTORE = 0, 1, 2

#: Unit kinds, as the contract names them.
KIND_STATEMENT, KIND_TEST, KIND_IMPORT, KIND_CLASS, KIND_FUNCTION = "statement", "test", "import", "class", "function"
KIND_PART = "part"


@dataclass(slots=True)
class Unit:
    """A statement, or a part of one with its own guard."""

    line: int
    end_line: int
    kind: str
    parent: int
    #: index of the code object (function or module body) it belongs to
    code: int
    #: the unit's first token is the first of its line
    starts_line: bool
    #: last line of the whole compound statement
    full_end: int
    #: how its parent guards it: "" (always runs with it), "then", "else", "part", "handler", "after"
    arm: str = ""


@dataclass(slots=True)
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
    #: locals that are known to be set and undone around calls, see temporary writes
    body: tuple[Node, ...] = ()
    #: decorator nodes as source text, for messages
    unit: int = -1
    local_names: tuple[str, ...] = ()


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


@dataclass(slots=True)
class ModuleIR:
    """One file, lowered."""

    codes: list[Code] = field(default_factory=list)
    classes: list[ClassInfo] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    #: every import at module level, also under TYPE_CHECKING: name -> (module, attribute | None)
    imports: dict[str, tuple[str, str | None, int]] = field(default_factory=dict)
    #: names of the module's own classes at top level -> class index
    top_classes: dict[str, int] = field(default_factory=dict)
    #: identifiers mentioned in the file (for "who names it")
    names: frozenset[str] = frozenset()
