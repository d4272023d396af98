"""The standard library of the running Python as a test: real code, nobody's favourite cases."""

from __future__ import annotations

import ast
import io
import symtable
import sysconfig
import tokenize
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pathcheck.program import ir
from pathcheck.program.ir import ModuleIR
from pathcheck.program.lines import kind_at, symbol_at, units_at
from pathcheck.program.lower import lower
from pathcheck.program.source import SourceError, decode

STDLIB = Path(sysconfig.get_path("stdlib"))
FILES = sorted(p for p in STDLIB.rglob("*.py") if not {"site-packages", "lib2to3"} & set(p.parts))
#: Few of the thousand files of a full library are large; those would be most of the time.
SAMPLE = [p for p in FILES if p.stat().st_size < 60_000]

sampled = settings(
    max_examples=20, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)


def read(path: Path) -> tuple[str, ModuleIR, symtable.SymbolTable] | None:
    """A file's text, IR and Python's own symbol table; None where Python refuses it too."""
    try:
        text = decode(path.read_bytes())
        module = lower(text)
    except SourceError:
        with pytest.raises((SyntaxError, ValueError, UnicodeDecodeError)):
            ast.parse(path.read_bytes())
        return None
    try:
        return text, module, symtable.symtable(text, str(path), "exec")
    except SyntaxError:
        return None  # parses, but would not compile


@sampled
@given(st.sampled_from(SAMPLE))
def test_a_line_with_code_has_a_unit_and_no_other_does(path: Path) -> None:
    found = read(path)
    if found is None:
        return
    text, module, _ = found
    strings = set()
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            strings.update(range(node.lineno, (node.end_lineno or 0) + 1))
    skipped = {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
    coded = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in skipped:
            coded.update(range(token.start[0], token.end[0] + 1))
    for line in range(1, len(module.bare) + 1):
        if line in strings:
            continue
        assert bool(units_at(module, line, line)) == (line in coded), f"{path}:{line}"
        assert (kind_at(module, line, line) == "comment") == (line not in coded)
        symbol_at(module, line)


@sampled
@given(st.sampled_from(SAMPLE))
def test_units_lie_within_their_parents(path: Path) -> None:
    found = read(path)
    if found is None:
        return
    units = found[1].units
    for number, unit in enumerate(units):
        assert unit.line <= unit.end_line <= max(unit.full_end, unit.end_line)
        assert unit.parent < number
        if unit.parent >= 0:
            parent = units[unit.parent]
            assert parent.line <= unit.line and unit.full_end <= parent.full_end, f"{path}:{unit.line}"


def tables(table: symtable.SymbolTable) -> list[symtable.Function]:
    """The functions of a symbol table, comprehensions and lambdas left out."""
    found = [table] if isinstance(table, symtable.Function) else []
    return [
        f for f in found if f.get_name() not in ("lambda", "genexpr", "listcomp", "setcomp", "dictcomp")
    ] + [inner for child in table.get_children() for inner in tables(child)]


def names(value: object, op: int) -> set[str]:
    """The names in the nodes of one kind below a body, comprehension targets left out."""
    found = set()
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack += item
            if len(item) in (2, 3) and type(item[0]) is int and item[0] == op and isinstance(item[1], str):
                found.add(item[1])
    return {name for name in found if "." not in name}


@sampled
@given(st.sampled_from(SAMPLE))
def test_scopes_are_those_of_python(path: Path) -> None:
    found = read(path)
    if found is None:
        return
    _, module, table = found
    ours = {(c.name, c.line): c for c in module.codes if c.kind == "function"}
    for function in tables(table):
        code = ours.get((function.get_name(), function.get_lineno()))
        if code is None:  # a decorated one, whose table begins at its decorator
            continue
        parameters = {
            *code.params,
            *([code.vararg] if code.vararg else []),
            *([code.kwarg] if code.kwarg else []),
        }
        assert parameters == set(function.get_parameters())
        # A class inside a function reads on its own; its names are Python's business and ours alike.
        free = names(code.body, ir.FREE)
        assert free <= {*function.get_frees()}, f"{path}:{code.line}"
        if free:
            assert code.has_free


def test_a_name_that_python_calls_free_is_free() -> None:
    text = (STDLIB / "functools.py").read_text()
    module = lower(text)
    read_free = {name for code in module.codes for name in names(code.body, ir.FREE)}
    functions = tables(symtable.symtable(text, "functools.py", "exec"))
    assert {name for f in functions for name in f.get_frees()} - {"__class__"} <= read_free


@pytest.mark.slow
def test_the_library_lowers() -> None:
    some = FILES[::6]
    refused = sum(read(path) is None for path in some)
    assert refused < len(some) / 20
