"""What a question about lines means: the units, or the body of a whole function."""

from __future__ import annotations

from dataclasses import dataclass

from pathcheck.program.ir import Code, ModuleIR
from pathcheck.program.lines import function_at, units_at
from pathcheck.verdict.result import Result


@dataclass(frozen=True, slots=True)
class Asked:
    """Units of a file; ``entry`` is the function where its body's entry is asked."""

    path: str
    module: ModuleIR
    units: tuple[int, ...]
    entry: Code | None
    #: the signatures that the verdict is the most live of
    rows: tuple[bytes, ...]

    def column(self, column: int) -> int:
        """The most live value of a signature's column, a sure one before a supposed one."""
        return max((row[column] for row in self.rows), key=_order)

    def most_live(self, column: int) -> int:
        """The unit that gives a column its value; of a function, the first of its body that does."""
        if self.entry is not None:
            return self.entry.unit
        best = max(range(len(self.rows)), key=lambda index: (_order(self.rows[index][column]), -index))
        return self.units[best]


def asked(
    result: Result, path: str, module: ModuleIR, start: int, end: int, whole: bool = True
) -> Asked | None:
    """The meaning of lines, of a ``whole`` function its body's entry; None where they hold no code."""
    units = tuple(units_at(module, start, end))
    if not units:
        return None
    entry = function_at(module, start, end) if whole else None
    of_units = [] if entry is not None else [result.of_unit(path, unit) for unit in units]
    rows = tuple(of_units) if entry is None else (result.of_code(path, entry.index),)
    return Asked(path, module, units, entry, rows)


def _order(life: int) -> tuple[int, bool]:
    return (life & 3, life < 4)
