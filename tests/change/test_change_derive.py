"""Two texts become changes: the kinds, the lines, the guards, and what is no change at all."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pathcheck.change.derive import derive_changes
from pathcheck.change.model import Change, ChangeSet, FileDiff, Hunk

Derive = Callable[..., ChangeSet]


def hunks(old: Path, new: Path) -> tuple[Hunk, ...]:
    done = subprocess.run(
        ["git", "diff", "--no-index", "-U0", "--text", old, new], capture_output=True, check=False
    )
    found = []
    for line in done.stdout.split(b"\n"):
        if line.startswith(b"@@ "):
            sides = [part[1:].split(b",") for part in line.split()[1:3]]
            counts = [int(side[1]) if len(side) > 1 else 1 for side in sides]
            found.append(Hunk(int(sides[0][0]), counts[0], int(sides[1][0]), counts[1]))
    return tuple(found)


@pytest.fixture
def diff_of(tmp_path: Path) -> Callable[..., FileDiff]:
    def make(old: str | bytes | None, new: str | bytes | None, path: str = "a.py") -> FileDiff:
        sides = [text.encode() if isinstance(text, str) else text for text in (old, new)]
        places = [tmp_path / "old", tmp_path / "new"]
        for place, data in zip(places, sides, strict=True):
            place.write_bytes(data or b"")
        return FileDiff(
            path if old is not None else None,
            path if new is not None else None,
            *sides,
            hunks(*places),
            commit="c1",
        )

    return make


@pytest.fixture
def derive(diff_of: Callable[..., FileDiff]) -> Derive:
    return lambda old, new: derive_changes([diff_of(old, new)])


def shown(found: ChangeSet) -> list[tuple[str, str, tuple[int, int], str]]:
    return [(c.side, c.kind, c.lines, c.symbol) for c in found.changes]


def test_a_statement(derive: Derive) -> None:
    found = derive("def f():\n    a = 1\n    b = 2\n", "def f():\n    a = 1\n    b = 3\n")
    assert shown(found) == [("head", "statement", (3, 3), "f")]


def test_a_run_of_statements_is_one_change(derive: Derive) -> None:
    found = derive("def f():\n    a()\n", "def f():\n    a()\n    b()\n\n    # why\n    c()\n")
    assert shown(found) == [("head", "statement", (3, 6), "f")]


def test_an_unchanged_statement_ends_a_run(derive: Derive) -> None:
    found = derive("x()\ny()\nz()\n", "x(1)\ny()\nz(1)\n")
    assert shown(found) == [("head", "statement", (n, n), "<module>") for n in (1, 3)]


def test_a_changed_test_apart_from_its_unchanged_body(derive: Derive) -> None:
    found = derive("def f(a):\n    if a:\n        g()\n", "def f(a):\n    if not a:\n        g()\n")
    assert shown(found) == [("head", "test", (2, 2), "f")]


def test_an_elif_and_its_body_are_two_changes(derive: Derive) -> None:
    old = "def f(a):\n    if a:\n        g()\n    else:\n        h()\n"
    new = "def f(a):\n    if a:\n        g()\n    elif b():\n        i()\n    else:\n        h()\n"
    assert shown(derive(old, new)) == [("head", "test", (4, 4), "f"), ("head", "statement", (5, 5), "f")]


def test_a_body_that_came_under_a_guard_has_changed(derive: Derive) -> None:
    found = derive("def f(a):\n    g()\n", "def f(a):\n    if a:\n        g()\n")
    assert shown(found) == [("head", "test", (2, 2), "f"), ("head", "statement", (3, 3), "f")]


def test_a_removed_statement_is_of_the_base(derive: Derive) -> None:
    found = derive("def f():\n    a()\n    b()\n", "def f():\n    a()\n")
    assert shown(found) == [("base", "statement", (3, 3), "f")]


def test_a_new_function_is_split_by_its_guards(derive: Derive) -> None:
    new = 'def f(a, b=1):\n    """Doc."""\n    g()\n    if a:\n        return 1\n    return 2\n'
    found = derive("", new)
    assert shown(found) == [
        ("head", "function", (1, 6), "f"),
        ("head", "statement", (3, 3), "f"),
        ("head", "test", (4, 4), "f"),
        ("head", "statement", (5, 5), "f"),
        ("head", "statement", (6, 6), "f"),
    ]
    function, *pieces = found.changes
    assert function.ask == (3, 3), "entering the body, past the docstring"
    assert {piece.parent for piece in pieces} == {function.id}


def test_a_new_class_groups_its_methods(derive: Derive) -> None:
    new = "class A(B):\n    x = 1\n\n    @property\n    def m(self):\n        return 2\n"
    changes = derive("", new).changes
    by_kind = {change.kind: change for change in changes}
    assert by_kind["class"].lines == (1, 6) and by_kind["class"].ask == (1, 1)
    assert by_kind["function"].symbol == "A.m" and by_kind["function"].parent == by_kind["class"].id
    assert by_kind["decorator"].lines == (4, 4)
    assert [c.parent for c in changes if c.lines == (6, 6)] == [by_kind["function"].id]


def test_nested_symbols_are_dotted(derive: Derive) -> None:
    old = "class A:\n    def m(self):\n        def inner():\n            return 1\n        return inner\n"
    assert shown(derive(old, old.replace("return 1", "return 2"))) == [
        ("head", "statement", (4, 4), "A.m.inner")
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x = 1\n", "# why\nx = 1\n"),
        ("x = f(1, 2)\n", "x = f(\n    1,\n    2,\n)\n"),
        ("x = 'a'\n", 'x = ("a")\n'),
        ("def f(a): return a\n", "def f(a: int) -> int: return a\n"),
        ('def f():\n    """Old."""\n    return 1\n', 'def f():\n    """New."""\n    return 1\n'),
        ("def f():\n    x = g()\n", "def f():\n    x: int = g()\n"),
        ("x = 1\n", "x = 1\n\n\n"),
        ("f(\n    1,\n    2,\n)\n", "f(\n    1,\n    # why\n    2,\n)\n"),
    ],
)
def test_nothing_that_runs_has_changed(derive: Derive, old: str, new: str) -> None:
    found = derive(old, new).changes
    assert found and {change.kind for change in found} == {"comment"}


def test_a_field_of_a_class_counts_even_without_a_value(derive: Derive) -> None:
    found = derive("class A:\n    x: int\n", "class A:\n    x: int\n    y: int\n")
    assert shown(found) == [("head", "statement", (3, 3), "A")]


def test_the_parts_of_a_head(derive: Derive) -> None:
    assert shown(derive("def f(a, b=1): pass\n", "def f(a, b=2): pass\n")) == [
        ("head", "default", (1, 1), "f")
    ]
    assert shown(derive("def f(a): pass\n", "def f(a, c): pass\n")) == [("head", "signature", (1, 1), "f")]
    assert shown(derive("@a\ndef f(): pass\n", "@b\ndef f(): pass\n")) == [("head", "decorator", (1, 1), "f")]
    assert shown(derive("class A(B): pass\n", "class A(C): pass\n")) == [("head", "class", (1, 1), "A")]
    assert shown(derive("import a\n", "import b\n")) == [("head", "import", (1, 1), "<module>")]


def test_an_arm_apart_from_its_statement(derive: Derive) -> None:
    (change,) = derive("x = a if t else b\n", "x = a if t else c\n").changes
    assert (change.kind, change.lines, change.columns) == ("statement", (1, 1), (16, 17))


def test_an_operand_apart_from_its_test(derive: Derive) -> None:
    old = "if (\n    a\n    and b\n):\n    f()\n"
    found = derive(old, old.replace("    and b\n", "    and b\n    and c\n"))
    assert shown(found) == [("head", "test", (4, 4), "<module>")]
    found = derive("if a and b and c: f()\n", "if a and b and d: f()\n")
    assert [(c.kind, c.columns) for c in found.changes] == [("test", (15, 16))]


def test_a_condition_of_a_comprehension_and_a_case(derive: Derive) -> None:
    found = derive("x = [a for a in b if a]\n", "x = [a for a in b if not a]\n")
    assert [(c.kind, c.columns) for c in found.changes] == [("test", (21, 26))]
    found = derive("match a:\n    case 1:\n        f()\n", "match a:\n    case 2:\n        f()\n")
    assert shown(found) == [("head", "test", (2, 2), "<module>")]


def test_columns_are_characters(derive: Derive) -> None:
    (change,) = derive("x = 'é' if t else b\n", "x = 'é' if t else c\n").changes
    assert change.columns == (18, 19)


def test_parentheses_belong_to_their_header(derive: Derive) -> None:
    found = derive("if (\n    a\n): f()\n", "if (\n    b\n): f()\n")
    assert shown(found) == [("head", "test", (1, 3), "<module>")]


def test_an_exception_handler(derive: Derive) -> None:
    old = "try:\n    f()\nexcept A:\n    g()\n"
    found = derive(old, old + "except B:\n    h()\n")
    assert shown(found) == [("head", "test", (5, 5), "<module>"), ("head", "statement", (6, 6), "<module>")]


def test_a_function_moved_to_another_file(diff_of: Callable[..., FileDiff]) -> None:
    body = "def f(a):\n    if a:\n        first(a, 1)\n    return second(a, 2)\n"
    found = derive_changes([diff_of(body, "", "old.py"), diff_of("", body, "new.py")])
    moved = {c.file: c for c in found.changes if c.kind == "function"}
    origin, target = moved["new.py"].moved_from, moved["old.py"].moved_to
    assert origin and (origin.file, origin.lines, origin.symbol) == ("old.py", (1, 4), "f")
    assert target and target.file == "new.py"


def test_a_renamed_function_keeps_its_body(derive: Derive) -> None:
    body = "(a):\n    first(a, 1)\n    second(a, 2)  # {}\n    return third(a, 3)\n"
    found = derive("def f" + body.format("x"), "def g" + body.format("y"))
    assert [(c.kind, c.side, c.symbol) for c in found.changes if c.kind != "comment"] == [
        ("function", "base", "f"),
        ("function", "head", "g"),
    ]


def test_commits_by_line_split_a_run(diff_of: Callable[..., FileDiff]) -> None:
    diff = diff_of("", "a()\nb()\n")
    by_line = FileDiff(diff.old_path, diff.new_path, diff.old, diff.new, diff.hunks, "c1", {}, {2: "c2"})
    assert [(c.lines, c.commit) for c in derive_changes([by_line]).changes] == [
        ((1, 1), "c1"),
        ((2, 2), "c2"),
    ]


def test_ids_do_not_depend_on_line_numbers(derive: Derive) -> None:
    before = derive("def f():\n    a()\n", "def f():\n    b()\n").changes
    after = derive("x = 1\n\ndef f():\n    a()\n", "x = 1\n\ndef f():\n    b()\n").changes
    assert [c.id for c in before] == [c.id for c in after]
    assert len({c.id for c in derive("", "f()\nif a: f()\nif a: f()\n").changes}) == 5


def test_a_file_that_is_added_or_deleted(diff_of: Callable[..., FileDiff]) -> None:
    added, deleted = (derive_changes([diff_of(*sides)]) for sides in ((None, "f()\n"), ("f()\n", None)))
    assert shown(added) == [("head", "statement", (1, 1), "<module>")]
    assert shown(deleted) == [("base", "statement", (1, 1), "<module>")]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda text: text.encode("utf-8-sig"),
        lambda text: ("# -*- coding: latin-1 -*-\n" + text).encode("latin-1"),
        lambda text: text.replace("\n", "\r\n").encode(),
    ],
)
def test_encodings_and_line_ends(derive: Derive, wrap: Callable[[str], bytes]) -> None:
    (change,) = derive(wrap("x = 'é'\ny = 1\n"), wrap("x = 'é'\ny = 2\n")).changes
    assert change.kind == "statement" and change.symbol == "<module>"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"def f(:\n", "does not parse"),
        (b"x = '\xff'\n", "cannot be decoded"),
        (b"# coding: nonsense\n", "cannot be decoded"),
        (b"x = 1\0\n", "null byte"),
        (b"x = " + b"(" * 5_000 + b")" * 5_000 + b"\n", "parse"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_gap(derive: Derive, data: bytes, reason: str) -> None:
    found = derive(None, data)
    assert not found.changes
    (gap,) = found.gaps
    assert reason in gap.reason and "\n" not in gap.reason and (gap.file, gap.side) == ("a.py", "head")


def test_one_readable_side_speaks_alone(derive: Derive) -> None:
    found = derive("def f(:\n", "f()\n")
    assert [gap.side for gap in found.gaps] == ["base"]
    assert shown(found) == [("head", "statement", (1, 1), "<module>")]


def test_a_line_of_a_megabyte(derive: Derive) -> None:
    found = derive("x = 1\n", f"x = 1\ny = '{'a' * 1_000_000}'\n")
    assert shown(found) == [("head", "statement", (2, 2), "<module>")]


def test_deep_nests_and_long_chains(derive: Derive) -> None:
    chain = "if a == 0:\n    f()\n" + "".join(f"elif a == {n}:\n    f()\n" for n in range(1, 400))
    found = derive("", chain)
    assert sum(change.kind == "test" for change in found.changes) == 400
    sums = derive("", "x = " + " + ".join(["1"] * 900) + "\n")
    assert sums.changes or sums.gaps


def test_what_libcst_cannot_read_is_noted(derive: Derive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pathcheck.change.extent.MAX_SLICE", 10)
    found = derive("\n", "f(\n    (1234567890),\n)\n")
    assert shown(found) == [("head", "statement", (1, 3), "<module>")]
    assert "libcst" in found.notes[0].reason


def test_every_changed_line_of_code_is_in_a_change(derive: Derive) -> None:
    source = Path(subprocess.__file__).read_text()
    changes = derive("", source).changes
    covered = {n for c in changes for n in range(c.lines[0], c.lines[1] + 1)}
    lines = source.split("\n")
    missing = [n for n in range(1, len(lines)) if lines[n - 1].strip() and n not in covered]
    assert {lines[n - 1].strip() for n in missing} <= {"else:", "try:", "finally:", ")"}


def test_two_runs_give_the_same(derive: Derive) -> None:
    def once() -> tuple[Change, ...]:
        return derive("a()\n", "def f():\n    b()\n    if c: d()\n").changes

    assert once() == once()
