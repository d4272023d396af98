"""Which pieces of a file libcst is asked to read."""

from __future__ import annotations

import pytest

from pathcheck.change.slices import slices
from pathcheck.change.source import read_source
from pathcheck.change.units import Span


def pieces(text: str, *spans: Span) -> list[tuple[int, str]]:
    source = read_source(text.encode())
    return [(piece.first, piece.text) for piece in slices(source, source.tree.body, spans)]


def test_of_a_compound_statement_the_head_alone() -> None:
    text = "if (\n    a\n):\n    b()\n    c()\n"
    assert pieces(text, (2, 1)) == [(1, "if (\n    a\n):\n  pass")]


def test_a_head_that_did_not_change_is_left_out() -> None:
    text = "if (\n    a\n):\n    b()\n    c()\n    d = (\n        1\n    )\n"
    assert pieces(text, (7, 1)) == [(6, "    d = (\n        1\n    )")]


def test_an_elif_stands_in_its_columns() -> None:
    text = "if a:\n    b()\nelif (\n    c\n):\n    d()\n"
    assert pieces(text, (4, 1)) == [(3, "if   (\n    c\n):\n  pass")]


def test_a_call_has_no_bracket_that_groups() -> None:
    assert pieces("f(\n    a[0](1),\n    'x'.join(b),\n)\n", (2, 1)) == []


@pytest.mark.parametrize(
    "text", ["x = f(\n    (a),\n)\n", "x = [\n    not(a),\n]\n", "x = {\n    1: (a\n    ),\n}\n"]
)
def test_what_may_group_is_read(text: str) -> None:
    assert [first for first, _ in pieces(text, (2, 1))] == [1]


def test_a_head_that_shares_a_line_with_its_body_is_read_with_it() -> None:
    text = "while (\n    a\n): b()\n"
    assert pieces(text, (2, 1)) == [(1, text.rstrip())]


def test_handlers_and_cases_that_span_lines_are_read_with_all_around_them() -> None:
    attempt = "try:\n    a()\nexcept (\n    B\n):\n    c()\n"
    assert pieces(attempt, (4, 1)) == [(1, attempt.rstrip())]
    cases = "match a:\n    case (\n        1\n    ):\n        c()\n"
    assert pieces(cases, (3, 1)) == [(1, cases.rstrip())]


def test_one_line_has_nothing_to_add() -> None:
    assert pieces("x = (1)\nif (a):\n    b = (2)\n", (1, 3)) == []
