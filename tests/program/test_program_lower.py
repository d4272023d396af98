"""Every kind of statement, expression and pattern becomes the node that its layout says."""

from __future__ import annotations

from typing import Any

import pytest

from pathcheck.program import ir
from pathcheck.program.ir import Code, ModuleIR, Node
from pathcheck.program.lower import lower


def statement(source: str) -> Node:
    """The first statement of a module."""
    return lower(source).codes[0].body[0]


def expression(source: str) -> Node:
    """The node of an expression in a module."""
    node = statement(f"_ = {source}")
    assert node[0] == ir.S_ASSIGN
    return tuple(node[3])


def code(module: ModuleIR, name: str) -> Code:
    """The code object with a qualified name."""
    return next(c for c in module.codes if c.qualname == name)


def nodes(value: Any, op: int) -> list[Node]:
    """All nodes with an expression's op code below ``value``, in order."""
    found: list[Node] = []
    if isinstance(value, tuple):
        if value and value[0] == op and not isinstance(value[0], bool) and len(value) > 1:
            found.append(value)
        for item in value:
            found += nodes(item, op)
    return found


def at(column: int, line: int = 1) -> int:
    return line << 12 | column


A, B, C = (ir.GLOBAL, "a"), (ir.GLOBAL, "b"), (ir.GLOBAL, "c")


@pytest.mark.parametrize(
    ("source", "node"),
    [
        ("1", (ir.CONST, 1)),
        ("...", (ir.CONST, ...)),
        ("a", A),
        ("a.b", (ir.ATTR, A, "b", at(4))),
        ("a[b]", (ir.SUBSCRIPT, A, B, at(4))),
        ("a[b:c]", (ir.SUBSCRIPT, A, (ir.SLICE, B, C, None), at(4))),
        ("a()", (ir.CALL, A, (), (), at(4))),
        ("a(b, *c, d=a, **b)",
         (ir.CALL, A, ((False, B), (True, C)), (("d", A), (None, B)), at(4))),
        ("a + b", (ir.BINOP, "+", A, B, at(4))),
        ("a @ b", (ir.BINOP, "@", A, B, at(4))),
        ("-a", (ir.UNARY, "neg", A, at(4))),
        ("not a", (ir.UNARY, "not", A, at(4))),
        ("a < b is not c", (ir.COMPARE, A, (("<", B), ("is not", C)), at(4))),
        ("a and b and c", (ir.BOOLOP, True, ((-1, A), (1, B), (2, C)))),
        ("a or b", (ir.BOOLOP, False, ((-1, A), (1, B)))),
        ("b if a else c", (ir.IFEXP, A, 1, B, 2, C)),
        ("(1, 'x', (2,))", (ir.CONST, (1, "x", (2,)))),
        ("(a, 1)", (ir.TUPLE, ((False, A), (False, (ir.CONST, 1))), at(4))),
        ("(*a,)", (ir.TUPLE, ((True, A),), at(4))),
        ("[a, *b]", (ir.LIST, ((False, A), (True, B)), at(4))),
        ("{a}", (ir.SET, ((False, A),), at(4))),
        ("{a: b, **c}", (ir.DICT, ((A, B), (None, C)), at(4))),
        ("f'x{a}'",
         (ir.FSTRING, ((ir.CONST, "x"),
                       (ir.TUPLE, ((False, A), (False, (ir.CONST, True)), (False, (ir.CONST, ""))), 0)))),
        ("f'{a!r:>{b}}'",
         (ir.FSTRING, ((ir.TUPLE, (
             (False, A), (False, (ir.CONST, False)),
             (False, (ir.FSTRING, (
                 (ir.CONST, ">"),
                 (ir.TUPLE, ((False, B), (False, (ir.CONST, True)), (False, (ir.CONST, ""))), 0),
             )))), 0),))),
        ("(x := a)", (ir.WALRUS, (ir.T_GLOBAL, "x"), A)),
        ("lambda x, y=a: x", (ir.LAMBDA, 1, (("y", A),), at(4))),
        ("[x for x in a if b]",
         (ir.COMP, "list", 2, ((ir.LOCAL, "x.4100"),), (((ir.T_LOCAL, "x.4100"), A, ((1, B),)),), at(4))),
        ("{x: b for x in a}",
         (ir.COMP, "dict", 1, ((ir.LOCAL, "x.4100"), B), (((ir.T_LOCAL, "x.4100"), A, ()),), at(4))),
    ],
)  # fmt: skip
def test_expressions(source: str, node: Node) -> None:
    assert expression(source) == node


def test_await_and_yield() -> None:
    module = lower("async def f():\n    await a\n    yield\n    yield a\ndef g():\n    yield from a\n")
    (_, _, first), (_, _, second), (_, _, third) = code(module, "f").body
    assert (first, second, third) == ((ir.AWAIT, A), (ir.YIELD, None), (ir.YIELD, A))
    assert code(module, "g").body == ((ir.S_EXPR, 5, (ir.YIELD_FROM, A)),)
    assert code(module, "f").is_async and code(module, "f").is_generator
    assert code(module, "g").is_generator and not code(module, "g").is_async


X = (ir.T_GLOBAL, "x")
DONE = (ir.S_PASS, 1)


@pytest.mark.parametrize(
    ("source", "node"),
    [
        ("a()", (ir.S_EXPR, 0, (ir.CALL, A, (), (), at(0)))),
        ("'doc'", (ir.S_PASS, 0)),
        ("x = y = a", (ir.S_ASSIGN, 0, (X, (ir.T_GLOBAL, "y")), A, ir.SCOPE_NONE)),
        ("a.x = b", (ir.S_ASSIGN, 0, ((ir.T_ATTR, A, "x", at(0)),), B, ir.SCOPE_NONE)),
        ("a[b] = c", (ir.S_ASSIGN, 0, ((ir.T_SUBSCRIPT, A, B, at(0)),), C, ir.SCOPE_NONE)),
        ("x, *y = a",
         (ir.S_ASSIGN, 0, ((ir.T_SEQUENCE, (X, (ir.T_GLOBAL, "y")), 1),), A, ir.SCOPE_NONE)),
        ("x += a", (ir.S_AUGMENTED, 0, X, (ir.GLOBAL, "x"), "+", A, at(0))),
        ("a.x -= b",
         (ir.S_AUGMENTED, 0, (ir.T_ATTR, A, "x", at(0)), (ir.ATTR, A, "x", at(0)), "-", B, at(0))),
        ("x: a = b", (ir.S_ANNOTATED, 0, X, A, B)),
        ("x: 'a'", (ir.S_ANNOTATED, 0, X, A, None)),
        ("x: 'no type'", (ir.S_ANNOTATED, 0, X, (ir.CONST, None), None)),
        ("raise", (ir.S_RAISE, 0, None, None)),
        ("raise a from b", (ir.S_RAISE, 0, A, B)),
        ("pass", (ir.S_PASS, 0)),
        ("del x, a.b", (ir.S_DELETE, 0, (X, (ir.T_ATTR, A, "b", at(7))))),
        ("assert a", (ir.S_ASSERT, 0, A, -1, None)),
        ("assert a, b", (ir.S_ASSERT, 0, A, 1, B)),
        ("import p.q, r as x",
         (ir.S_IMPORT, 0, (("p.q", (ir.T_GLOBAL, "p"), True), ("r", X, False)))),
        ("from ..p import q as x", (ir.S_FROM, 0, "p", 2, (("q", X),))),
        ("from . import *", (ir.S_FROM, 0, None, 1, ("*",))),
        ("if a: pass", (ir.S_IF, 0, A, (DONE,), (), False, False)),
        ("if a: raise\nelse: raise",
         (ir.S_IF, 0, A, ((ir.S_RAISE, 1, None, None),), ((ir.S_RAISE, 2, None, None),), True, True)),
        ("while a: break", (ir.S_WHILE, 0, A, ((ir.S_BREAK, 1),), ())),
        ("for x in a: continue\nelse: pass",
         (ir.S_FOR, 0, X, A, ((ir.S_CONTINUE, 1),), ((ir.S_PASS, 2),))),
        ("try: pass\nexcept a as x: pass\nexcept: pass\nelse: pass\nfinally: pass",
         (ir.S_TRY, 0, (DONE,), ((2, A, X, ((ir.S_PASS, 3),)), (4, None, None, ((ir.S_PASS, 5),))),
          ((ir.S_PASS, 6),), ((ir.S_PASS, 7),))),
        ("try: pass\nexcept* a: pass",
         (ir.S_TRY, 0, (DONE,), ((2, A, None, ((ir.S_PASS, 3),)),), (), ())),
        ("with a as x, b: pass", (ir.S_WITH, 0, ((A, X, at(5)), (B, None, at(13))), (DONE,))),
        ("@a\ndef x(p, q=b): pass",
         (ir.S_FUNCTION, 0, 1, X, (A,), (("q", B),), at(0, 2))),
        ("class x(a, k=b): pass", (ir.S_CLASS, 0, 0, X, (), ((False, A),), (("k", B),), at(0))),
    ],
)  # fmt: skip
def test_statements(source: str, node: Node) -> None:
    assert statement(source) == node


def test_return_and_async_statements() -> None:
    module = lower(
        "async def f():\n    async for x in a:\n        return\n    async with b as y:\n        return x\n"
    )
    first, second = code(module, "f").body
    assert first == (ir.S_FOR, 1, (ir.T_LOCAL, "x"), A, ((ir.S_RETURN, 2, None),), ())
    assert second[0] == ir.S_WITH and second[3] == ((ir.S_RETURN, 4, (ir.LOCAL, "x")),)


@pytest.mark.parametrize(
    ("source", "pattern"),
    [
        ("1", (ir.P_VALUE, (ir.CONST, 1))),
        ("None", (ir.P_SINGLETON, None)),
        ("a.b", (ir.P_VALUE, (ir.ATTR, A, "b", at(9, 2)))),
        ("_", (ir.P_CAPTURE, None)),
        ("x", (ir.P_CAPTURE, X)),
        ("[x, *_]", (ir.P_SEQUENCE, ((ir.P_CAPTURE, X), (ir.P_STAR, None)))),
        ("[*x]", (ir.P_SEQUENCE, ((ir.P_STAR, X),))),
        ("{'k': 1, **x}", (ir.P_MAPPING, ((ir.CONST, "k"),), ((ir.P_VALUE, (ir.CONST, 1)),), X)),
        ("a(1, k=2)",
         (ir.P_CLASS, A, ((ir.P_VALUE, (ir.CONST, 1)),), ("k",), ((ir.P_VALUE, (ir.CONST, 2)),))),
        ("1 | 2", (ir.P_OR, ((ir.P_VALUE, (ir.CONST, 1)), (ir.P_VALUE, (ir.CONST, 2))))),
        ("1 as x", (ir.P_AS, (ir.P_VALUE, (ir.CONST, 1)), X)),
    ],
)  # fmt: skip
def test_patterns(source: str, pattern: Node) -> None:
    node = statement(f"match a:\n    case {source}: pass")
    assert node == (ir.S_MATCH, 0, A, ((pattern, -1, None, 1, ((ir.S_PASS, 2),)),))


def test_a_case_with_a_guard() -> None:
    node = statement("match a:\n    case x if b: pass")
    assert node[3] == (((ir.P_CAPTURE, X), 2, B, 1, ((ir.S_PASS, 3),)),)


# ---- scopes -------------------------------------------------------------------
def reads(module: ModuleIR, name: str, of: str) -> set[Node]:
    """How a function reads a name: the distinct nodes."""
    return {
        node
        for op in (ir.LOCAL, ir.GLOBAL, ir.FREE)
        for node in nodes(code(module, of).body, op)
        if isinstance(node[1], str) and node[1].partition(".")[0] == name
    }


def test_a_name_bound_anywhere_is_local_everywhere() -> None:
    source = "def f():\n    a\n    {}\n"
    binders = [
        "a = 1",
        "a += 1",
        "a: int",
        "del a",
        "for a in b: pass",
        "with b as (a, c): pass",
        "import a.b",
        "import b as a",
        "from b import a",
        "def a(): pass",
        "class a: pass",
        "(a := 1)",
        "[a := 1 for b in c]",
        "try: pass\n    except b as a: pass",
        "match b:\n        case a: pass",
        "match b:\n        case [*a]: pass",
        "match b:\n        case {**a}: pass",
        "match b:\n        case c if (a := c): pass",
        "if b:\n        while c:\n            a = 1",
        "async def g(x=(a := 1)): pass",
    ]
    for binder in binders:
        assert reads(lower(source.format(binder)), "a", "f") >= {(ir.LOCAL, "a")}, binder


@pytest.mark.parametrize(
    "other", ["[a for a in b]", "(lambda a: a)", "(lambda: (a := 1))", "b.a = 1", "b[0] = a"]
)
def test_what_binds_elsewhere_is_not_local(other: str) -> None:
    assert (ir.GLOBAL, "a") in reads(lower(f"def f():\n    a\n    {other}\n"), "a", "f")


def test_closures_count_the_functions_to_go_up() -> None:
    module = lower(
        "def f(a):\n    def g():\n        def h():\n            return a\n        return h\n    return g\n"
    )
    assert reads(module, "a", "f.g.h") == {(ir.FREE, "a", 1)}
    assert code(module, "f").cells == ("a",) and code(module, "f").shared == ()
    assert code(module, "f.g").has_free and code(module, "f.g.h").has_free and not code(module, "f").has_free


def test_nonlocal_writes_through() -> None:
    module = lower("def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n    return g\n")
    write = code(module, "f.g").body[1]
    assert write[2:4] == ((ir.T_FREE, "n", 0), (ir.FREE, "n", 0))
    assert code(module, "f").cells == code(module, "f").shared == ("n",)


def test_global_in_a_nested_function() -> None:
    module = lower(
        "def f(a):\n    def g():\n        global a\n        a = 1\n        return a\n    return a\n"
    )
    assert code(module, "f.g").body[1][2] == ((ir.T_GLOBAL, "a"),)
    assert code(module, "f.g").body[2][2] == (ir.GLOBAL, "a")
    assert code(module, "f").body[1][2] == (ir.LOCAL, "a")
    assert code(module, "f").cells == ()


def test_a_global_declaration_hides_outer_locals_from_inner_functions() -> None:
    module = lower(
        "def f(a):\n    def g():\n        global a\n        def h(): return a\n"
        "        return h\n    return g\n"
    )
    assert reads(module, "a", "f.g.h") == {(ir.GLOBAL, "a")}


def test_a_class_body_is_no_closure() -> None:
    module = lower(
        "def f(a):\n    class K:\n        b = a\n        a = 1\n        c = a\n"
        "        def m(self): return a, b\n    return K\n"
    )
    first, _, third = code(module, "f.K").body[:3]
    assert first[3] == third[3] == (ir.CLASSVAR, "a", (ir.FREE, "a", 0))
    assert reads(module, "a", "f.K.m") == {(ir.FREE, "a", 0)}
    assert reads(module, "b", "f.K.m") == {(ir.GLOBAL, "b")}
    assert code(module, "f.K").has_free


def test_comprehension_targets_are_their_own() -> None:
    module = lower("def f(a, x):\n    y = [x for x in x for z in x]\n    return x\n")
    comp = code(module, "f").body[0][3]
    (first, over, _), (_, inner, _) = comp[4]
    assert over == (ir.LOCAL, "x") and inner[1] == first[1] and first[1] != "x"
    assert code(module, "f").body[1][2] == (ir.LOCAL, "x")


def test_a_lambda_in_a_comprehension_captures_its_target() -> None:
    module = lower("def f(a):\n    return [lambda: (x, a) for x in a]\n")
    target = code(module, "f").body[0][2][4][0][0][1]
    captured = code(module, "f.<lambda>").body[0][2][1]
    assert captured == ((False, (ir.FREE, target, 0)), (False, (ir.FREE, "a", 0)))
    assert code(module, "f").cells == ("a", target)


def test_defaults_and_decorators_run_outside() -> None:
    module = lower("def f(a):\n    @a\n    def g(a=a, *, b=a): return a\n    return lambda a=a: a\n")
    function = code(module, "f").body[0]
    assert function[4] == ((ir.LOCAL, "a"),)
    assert function[5] == (("a", (ir.LOCAL, "a")), ("b", (ir.LOCAL, "a")))
    assert code(module, "f").cells == ()


def test_private_names_are_mangled() -> None:
    module = lower(
        "class _K:\n    def m(self):\n        self.__x = self.__y__\n        f(lambda: self.__z)\n"
    )
    assert code(module, "_K.m").body[0][2][0][2] == "_K__x"
    assert code(module, "_K.m").body[0][3][2] == "__y__"
    assert lower("a.__x").codes[0].body[0][2][2] == "__x"


# ---- tables -------------------------------------------------------------------
def test_parameters() -> None:
    found = code(lower("def f(a, /, b: 'int', *c, d=1, **e) -> g: pass"), "f")
    assert (found.params, found.positional_only, found.positional) == (("a", "b", "d"), 1, 2)
    assert (found.vararg, found.kwarg) == ("c", "e")
    assert found.annotations == (("b", (ir.GLOBAL, "int")), ("return", (ir.GLOBAL, "g")))


def test_classes_and_fields() -> None:
    module = lower(
        "class K:\n    a: int\n    b: 'K' = 1\n    c = 2\n    if X:\n"
        "        d: str = ''\nif Y:\n    class L: pass\n"
    )
    assert module.top_classes == {"K": 0, "L": 1}
    assert module.classes[0].fields == (
        ("a", (ir.GLOBAL, "int"), False), ("b", (ir.GLOBAL, "K"), True), ("d", (ir.GLOBAL, "str"), True),
    )  # fmt: skip


def test_imports_of_the_module_and_names_of_the_file() -> None:
    module = lower(
        "import p.q\nimport r.s as t\nif TYPE_CHECKING:\n    from .u import V\ndef f():\n"
        "    import w\n    a.b.c = d\n"
    )
    assert module.imports == {"p": ("p", None, 0), "t": ("r.s", None, 0), "V": ("u", "V", 1)}
    assert {"a", "b", "c", "d", "TYPE_CHECKING"} <= module.names


def test_units_know_their_parents() -> None:
    module = lower("def f(x=a or b):\n    if c and d:\n        y[e or g] = 1\n    z = lambda: 1\n")
    table = [(u.kind, u.parent, u.arm, u.code) for u in module.units]
    assert table == [
        ("function", -1, "", 0),
        ("test", 0, "part", 0),  # b
        ("test", 0, "function", 1),  # if
        ("test", 2, "part", 1),  # d
        ("statement", 2, "then", 1),
        ("test", 4, "part", 1),  # g
        ("statement", 0, "function", 1),
        ("part", 6, "function", 2),  # the lambda's body
    ]


def test_annotations_leave_no_units() -> None:
    assert len(lower("x: (a or b) = 1\ndef f(y: 'a or b', *z: a if b else c): pass\n").units) == 3


# ---- temporary writes -----------------------------------------------------------
def marks(source: str) -> list[int]:
    """The scope marks of the assignments of the last code object, in order."""
    module = lower(source)
    return [node[4] for node in nodes(module.codes[-1].body, ir.S_ASSIGN) if len(node) == 5]


N, S, R, OWN = ir.SCOPE_NONE, ir.SCOPE_SET, ir.SCOPE_RESTORE, ir.SCOPE_RESET


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(x):\n    old = x.flag\n    x.flag = True\n    g()\n    x.flag = old\n", [N, S, R]),
        ("def f(x):\n    x.flag = True\n    g()\n", [N]),
        ("def f(x):\n    old = x.flag\n    x.flag = True\n    x.other = old\n", [N, N, N]),
        ("def f():\n    global G\n    old = G\n    G = 1\n    g()\n    G = old\n", [N, S, R]),
        ("def f():\n    global G\n    G = 1\n    yield\n    G = 0\n", [S, OWN]),
        ("def f():\n    global G\n    old = G\n    G = 1\n    yield\n    G = old\n", [N, S, R]),
        ("def f(x):\n    old = x.a\n    old = g()\n    x.a = 1\n    x.a = old\n", [N, N, N, N]),
        ("def f(x):\n    for old in g():\n        old = x.a\n    x.a = 1\n    x.a = old\n", [N, N, N]),
        ("def f(x, y):\n    old = x.a\n    y.a = 1\n    y.a = old\n", [N, S, OWN]),
        ("def f(x):\n    old = x.a\n    x.a = 1\n    x.b = 1\n    x.y.a = old\n", [N, S, N, OWN]),
        ("def f(x):\n    x.a = 1\n    old = x.a\n    x.a = 2\n    x.a = old\n    x.a = 3\n", [N, N, S, R, N]),
        ("def f(x):\n    old = x.a\n    x.a = 1\n    x.b = old\n", [N, N, N]),
        ("def f(x):\n    x.a = 1\n    x.b = 1\n    yield\n    x.a = 0\n", [S, N, OWN]),
        ("def f(x):\n    x.a = 1\n    try:\n        yield\n    finally:\n        x.a = 0\n", [S, OWN]),
        ("def f(x):\n    x.a = 1\n    yield\n    y.a = 0\n", [N, N]),
    ],
)
def test_temporary_writes(source: str, expected: list[int]) -> None:
    assert marks(source) == expected


def test_a_restore_in_a_finally_block() -> None:
    module = lower(
        "def f(x):\n    old = x.flag\n    x.flag = 1\n    try:\n        g()\n"
        "    finally:\n        x.flag = old\n"
    )
    saved, written, attempt = code(module, "f").body
    assert (saved[4], written[4], attempt[5][0][4]) == (N, S, R)
