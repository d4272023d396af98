"""From lines to units: what a verdict on ``file:line`` speaks of.

A line means the innermost statement that touches it, or the part of one that
has a guard of its own.  Three rules decide, in this order:

1. A line without code has no unit.
2. The units that begin on the line, and those with a token on it: all of them.
   So ``if a and`` over ``b:`` is the test on its first line and the operand on
   its second, and ``if a: b()`` is both the test and what it guards.
3. A line with neither (a closing bracket, ``else:``, ``finally:``, the inside
   of a string) belongs to the innermost unit around it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pathcheck.program import ir
from pathcheck.program.ir import Code, ModuleIR, Unit

#: Kinds of answers, as the contract names them.
KINDS = ("statement", "test", "function", "class", "import", "default", "signature", "decorator", "comment")


class LineMap:
    """The units of each line of one module."""

    __slots__ = ("around", "definitions", "here")

    def __init__(self, module: ModuleIR) -> None:
        count = len(module.bare)
        #: by line number: the innermost unit around it, -1 if none
        self.around = [-1] * (count + 1)
        #: by the unit of a ``def`` or ``class``: what it defines
        self.definitions = {c.unit: c for c in module.codes if c.kind in ("function", "class")}
        #: the units that begin on a line or have a token there
        self.here: dict[int, list[int]] = {}
        for number, unit in enumerate(module.units):
            first, last = unit.line, min(unit.full_end, count)
            # Inner units come after outer ones and paint over them.
            self.around[first : last + 1] = [number] * (last - first + 1)
            self.here.setdefault(first, []).append(number)
        for line, number in zip(module.touches[::2], module.touches[1::2], strict=True):
            self.here.setdefault(line, []).append(number)
        for line, is_bare in enumerate(module.bare, 1):
            if is_bare:
                self.around[line] = -1
                self.here.pop(line, None)

    def at(self, line: int) -> Sequence[int]:
        """The units of one line, none beyond the file."""
        found = self.here.get(line)
        if found is not None:
            return found
        around = self.around[line] if 0 < line < len(self.around) else -1
        return () if around < 0 else (around,)


def line_map(module: ModuleIR) -> LineMap:
    """The map of a module, made once."""
    found: LineMap | None = module.line_map
    if found is None:
        found = module.line_map = LineMap(module)
    return found


def units_at(module: ModuleIR, start: int, end: int) -> list[int]:
    """The units that a verdict on lines ``start`` to ``end`` (from 1, both included) is about, in order.

    Empty if none of the lines holds code; lines beyond the file hold none.
    """
    lines = line_map(module)
    found: set[int] = set()
    for line in range(max(start, 1), min(end, len(module.bare)) + 1):
        found.update(lines.at(line))
    return sorted(found)


def kind_at(module: ModuleIR, start: int, end: int, whole: bool = True) -> str:
    """The contract's kind of a place: one of ``KINDS``.

    A whole definition is a ``function`` or a ``class``; lines of a head alone are
    its ``decorator``, ``default`` or ``signature`` (of a class: ``class``).
    Several units are a ``statement``, unless all are imports or all are tests.
    Without ``whole`` a definition is never asked for as a whole: its lines are its head.
    """
    units = units_at(module, start, end)
    if not units:
        return "comment"
    first, code = module.units[units[0]], line_map(module).definitions.get(units[0])
    if code is not None:
        if whole and _is_whole(module, first, code, start, end):
            return first.kind
        if end <= first.end_line:
            return _head_kind(module, code, start, end)
    kinds = {module.units[number].kind for number in units}
    kind = kinds.pop() if len(kinds) == 1 else ir.KIND_STATEMENT
    return kind if kind in KINDS else ir.KIND_STATEMENT


def function_at(module: ModuleIR, start: int, end: int) -> Code | None:
    """The function whose whole extent these lines are: its verdict is that of entering the body."""
    units = units_at(module, start, end)
    code = line_map(module).definitions.get(units[0]) if units else None
    if code is None or code.kind == "class":
        return None
    return code if _is_whole(module, module.units[units[0]], code, start, end) else None


def symbol_at(module: ModuleIR, line: int) -> str:
    """The qualified name of the function or class that a line stands in; "" at module level.

    A head and its decorators stand in what they define.
    """
    lines = line_map(module)
    found = lines.at(line)
    if not found:
        return ""
    number = min(found)
    code = lines.definitions.get(number) or module.codes[module.units[number].code]
    while code.kind == "lambda":
        code = module.codes[code.parent]
    return "" if code.kind == "module" else code.qualname


def _is_whole(module: ModuleIR, unit: Unit, code: Code, start: int, end: int) -> bool:
    """True if the lines are a definition from its decorators or its ``def`` to its end, and no more."""
    begins = unit.line >= _first_code(module, start, end) or start <= code.line
    return begins and _last_code(module, start, end) == _last_code(module, unit.line, unit.full_end)


def _head_kind(module: ModuleIR, code: Code, start: int, end: int) -> str:
    if end < code.line:
        return "decorator"
    if code.kind == "class":
        return "class"
    lines = [line for line in range(start, end + 1) if not module.bare[line - 1]]
    return "default" if all(line in code.default_lines for line in lines) else "signature"


def _first_code(module: ModuleIR, start: int, end: int) -> int:
    """The first line with code from ``start`` to ``end``; the last of them if there is none."""
    start, end = max(start, 1), min(end, len(module.bare))
    while start < end and module.bare[start - 1]:
        start += 1
    return start


def _last_code(module: ModuleIR, start: int, end: int) -> int:
    """The last line with code from ``start`` to ``end``; the first of them if there is none."""
    end = min(end, len(module.bare))
    while end > start and module.bare[end - 1]:
        end -= 1
    return end
