"""Lines become units: every rule of the contract on a small file of its own."""

from __future__ import annotations

import pytest

from pathcheck.program.ir import ModuleIR
from pathcheck.program.lines import function_at, kind_at, symbol_at, units_at
from pathcheck.program.lower import lower
from pathcheck.program.texts import guard_text


def texts(source: str, start: int, end: int | None = None) -> list[str]:
    """The texts of the units at some lines."""
    module, lines = lower(source), source.split("\n")
    return [guard_text(lines, module.units[n]) for n in units_at(module, start, end or start)]


HEAD = """\
@deco(
    1,
)
@other
def f(
    a,
    b=1,
    *,
    c: int = (
        2
    ),
) -> None:
    return a
"""
CASES = [
    # a statement, its continuation lines, its closing bracket
    ("x = f(\n    1,\n    b,\n)\n", 1, ["x = f(1, b,)"]),
    ("x = f(\n    1,\n    b,\n)\n", 3, ["x = f(1, b,)"]),
    ("x = f(\n    1,\n    b,\n)\n", 4, ["x = f(1, b,)"]),
    ("x = 1; y = 2\n", 1, ["x = 1", "y = 2"]),
    ("x = 1 + \\\n    2\n", 2, ["x = 1 + 2"]),
    # no code
    ("x = 1\n\n# c\ny = 2\n", 2, []),
    ("x = 1\n\n# c\ny = 2\n", 3, []),
    ('"""doc\nmore\n"""\nx = 1\n', 2, []),
    ("def f():\n    'doc'\n    return 1\n", 2, []),
    ("def f(): 'doc'\n", 1, ["def f(): 'doc'", "'doc'"]),
    ("def f():\n    ...\n", 2, ["..."]),
    ("x = f(\n    # why\n    1,\n)\n", 2, []),
    ("x = f(\n\n    1,\n)\n", 2, []),
    ("x = '''\n# text\n\n'''\n", 2, ["x = ''' # text '''"]),
    ("x = '''\n# text\n\n'''\n", 3, ["x = ''' # text '''"]),
    ("x = (\n    'a'\n    # why\n    'b'\n)\n", 3, []),
    # tests and what they guard
    ("if a and b:\n    c()\n", 1, ["if a and b", "b"]),
    ("if a and b:\n    c()\n", 2, ["c()"]),
    ("if a and\\\n        b:\n    c()\n", 2, ["b"]),
    ("if (\n    a\n    and b\n    and c\n):\n    d()\n", 1, ["if (a and b and c)"]),
    ("if (\n    a\n    and b\n    and c\n):\n    d()\n", 2, ["if (a and b and c)"]),
    ("if (\n    a\n    and b\n    and c\n):\n    d()\n", 4, ["c"]),
    ("if (\n    a\n    and b\n    and c\n):\n    d()\n", 5, ["if (a and b and c)"]),
    ("if (\n    a and b\n):\n    d()\n", 2, ["if (a and b)", "b"]),
    ("if a:\n    b()\nelif c:\n    d()\nelse:\n    e()\n", 3, ["elif c"]),
    ("if a:\n    b()\nelif c:\n    d()\nelse:\n    e()\n", 5, ["elif c"]),
    ("if a: b()\n", 1, ["if a", "b()"]),
    ("while a:\n    b()\nelse:\n    c()\n", 3, ["while a"]),
    ("for a in (\n    b\n):\n    c()\n", 2, ["for a in (b)"]),
    ("with a as b, \\\n        c():\n    d()\n", 2, ["with a as b, c()"]),
    # operands, arms, elements
    ("x = f(\n    a or\n    b, c\n)\n", 2, ["x = f(a or b, c)"]),
    ("x = f(\n    a or\n    b, c\n)\n", 3, ["x = f(a or b, c)", "b"]),
    ("x = (\n    a\n    if t\n    else b\n)\n", 2, ["a"]),
    ("x = (\n    a\n    if t\n    else b\n)\n", 3, ["x = (a if t else b)"]),
    ("x = (\n    a\n    if t\n    else b\n)\n", 4, ["b"]),
    ("x = [\n    f(y)\n    for y in ys\n    if y\n]\n", 2, ["f(y)"]),
    ("x = [\n    f(y)\n    for y in ys\n    if y\n]\n", 3, ["x = [f(y) for y in ys if y]"]),
    ("x = [\n    f(y)\n    for y in ys\n    if y\n]\n", 4, ["y"]),
    ("x = {\n    k:\n    v\n    for k, v in z\n}\n", 3, ["k: v"]),
    ("x = lambda a: (\n    a + 1\n)\n", 2, ["a + 1"]),
    ("x = lambda a: (\n    a + 1\n)\n", 3, ["x = lambda a: (a + 1)"]),
    ("assert a, (\n    'no'\n)\n", 2, ["'no'"]),
    ("assert a, f(b)\n", 1, ["assert a, f(b)", "f(b)"]),
    # try
    ("try:\n    a()\nexcept E as e:\n    b()\nelse:\n    c()\nfinally:\n    d()\n", 1, ["try"]),
    ("try:\n    a()\nexcept E as e:\n    b()\nelse:\n    c()\nfinally:\n    d()\n", 3, ["except E"]),
    ("try:\n    a()\nexcept E as e:\n    b()\nelse:\n    c()\nfinally:\n    d()\n", 5, ["try"]),
    ("try:\n    a()\nexcept E as e:\n    b()\nelse:\n    c()\nfinally:\n    d()\n", 7, ["try"]),
    ("try:\n    a()\nexcept (\n    E,\n):\n    b()\n", 4, ["except (E,)"]),
    ("try:\n    a()\nexcept:\n    b()\n", 3, ["except"]),
    # match
    ("match a:\n    case 1:\n        b()\n", 1, ["match a"]),
    ("match a:\n    case 1:\n        b()\n", 2, ["case 1"]),
    ("match a:\n    case 1:\n        b()\n", 3, ["b()"]),
    ("match a:\n    case (\n        1\n        | 2\n    ):\n        b()\n", 2, ["case (1 | 2)"]),
    ("match a:\n    case (\n        1\n        | 2\n    ):\n        b()\n", 4, ["case (1 | 2)"]),
    ("match a:\n    case (\n        1\n        | 2\n    ):\n        b()\n", 5, ["case (1 | 2)"]),
    ("match a:\n    case x if b:\n        c()\n", 2, ["case x if b", "b"]),
    # definitions
    *[(HEAD, line, ["def f(a, b=1, *, c: int = (2),) -> None"]) for line in range(1, 13)],
    (HEAD, 13, ["return a"]),
    ("def f(a=b or c):\n    pass\n", 1, ["def f(a=b or c)", "c"]),
    ("class K(\n    A,\n):\n    x = 1\n", 3, ["class K(A,)"]),
    ("def f(): return 1\n", 1, ["def f(): return 1", "return 1"]),
    ("from a import (\n    b,\n    c,\n)\n", 3, ["from a import (b, c,)"]),
    ("x: int = (\n    1\n)\n", 2, ["x: int = (1)"]),
]


@pytest.mark.parametrize(("source", "line", "expected"), CASES)
def test_a_line_means(source: str, line: int, expected: list[str]) -> None:
    assert texts(source, line) == expected


def test_a_range_means_all_units_inside() -> None:
    source = "a()\nif b:\n    c()\n# d\nelse:\n    e()\nf()\n"
    assert texts(source, 2, 4) == ["if b", "c()"]
    assert texts(source, 1, 99) == ["a()", "if b", "c()", "e()", "f()"]
    assert texts(source, 4) == [] and texts(source, 50, 60) == [] and texts(source, 0) == []


def test_a_range_that_begins_inside_a_statement_means_the_statement() -> None:
    assert texts("x = f(\n    1,\n    2,\n)\ny = 1\n", 3, 5) == ["x = f(1, 2,)", "y = 1"]


def test_a_line_of_a_head_that_the_body_begins_on_is_both() -> None:
    source = "@deco\ndef f(a): return 1\ndef g(\n    a,\n): return 2\n"
    module = lower(source)
    kinds = [[module.units[n].kind for n in units_at(module, line, line)] for line in range(1, 6)]
    assert kinds == [
        ["function"],
        ["function", "statement"],
        ["function"],
        ["function"],
        ["function", "statement"],
    ]


@pytest.fixture(scope="module")
def module() -> ModuleIR:
    return lower(
        "import os\n"  # 1
        "\n"
        + HEAD.replace("return a", "'doc'\n    if a and a.b:\n        return a\n    # end")  # 3-18
        + "\n"
        "class K:\n"  # 20
        "    x = 1\n"
        "    def m(self):\n"  # 22
        "        y = lambda: (\n"
        "            1\n"
        "        )\n"
        "        def inner(): return 2\n"  # 26
        "from a import b\n"  # 27
    )


@pytest.mark.parametrize(
    ("start", "end", "kind"),
    [
        (1, 1, "import"),
        (1, 2, "import"),
        (2, 2, "comment"),
        (18, 19, "comment"),
        (3, 3, "decorator"),
        (3, 6, "decorator"),
        (7, 7, "signature"),
        (9, 9, "default"),
        (9, 10, "signature"),
        (12, 12, "default"),
        (3, 14, "signature"),
        (3, 17, "function"),
        (2, 19, "function"),  # what has no code around it changes nothing
        (7, 17, "function"),  # from its def
        (8, 17, "statement"),
        (3, 16, "statement"),
        (3, 20, "statement"),
        (16, 16, "test"),
        (16, 17, "statement"),
        (15, 15, "comment"),
        (20, 20, "class"),
        (20, 26, "class"),
        (20, 21, "statement"),
        (22, 22, "signature"),
        (22, 26, "function"),
        (26, 26, "function"),
        (24, 24, "statement"),
    ],
)
def test_kinds(module: ModuleIR, start: int, end: int, kind: str) -> None:
    assert kind_at(module, start, end) == kind


def test_one_line_that_holds_all_of_a_function_can_mean_its_definition(module: ModuleIR) -> None:
    assert kind_at(module, 26, 26, whole=False) == "signature"
    assert kind_at(module, 22, 26, whole=False) == "statement"


def test_a_whole_function_is_entered(module: ModuleIR) -> None:
    found = function_at(module, 22, 26)
    assert found is not None and found.qualname == "K.m"
    assert function_at(module, 22, 22) is None and function_at(module, 20, 26) is None
    assert function_at(module, 2, 2) is None


@pytest.mark.parametrize(
    ("line", "symbol"),
    [(1, ""), (2, ""), (3, "f"), (9, "f"), (16, "f"), (20, "K"), (21, "K"), (22, "K.m"), (24, "K.m"),
     (26, "K.m.inner"), (27, "")],
)  # fmt: skip
def test_symbols(module: ModuleIR, line: int, symbol: str) -> None:
    assert symbol_at(module, line) == symbol


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("if a:  # why\n    pass", "if a"),
        ("if (a  # why\n    and b):\n    pass", "if (a and b)"),
        ("if f(  # (\n    '#x'):\n    pass", "if f('#x')"),
        ("if 'é' in a and é:\n    pass", "if 'é' in a and é"),
        ("async def f():\n    pass", "async def f()"),
        ("@d\nclass K: pass", "class K: pass"),
        ("while (x := f()):\n    pass", "while (x := f())"),
    ],
)
def test_guard_texts(source: str, expected: str) -> None:
    assert guard_text(source.split("\n"), lower(source).units[0]) == expected


def test_parts_are_cut_by_bytes() -> None:
    source = "x = 'é' or 'à' or z"
    module = lower(source)
    assert [guard_text([source], unit) for unit in module.units[1:]] == ["'à'", "z"]
    assert guard_text([], module.units[1]) == ""
