"""Whether an ``unreachable`` is proved: does any loss stand between the live code and the place?

It is *assumed* where

1. a file that live code loads could not be read, or the analysis ended before
   the server served: what was not seen could call anything;
2. the cut is a statement that the analysis could not get past, not one that
   the program itself never leaves;
3. the function that the place stands in is never entered, and a statement
   with a loss mentions it (or its class) by name: the lost value may be it.
"""

from __future__ import annotations

from dataclasses import dataclass

from pathcheck.program.ir import Code
from pathcheck.verdict.cuts import Cuts
from pathcheck.verdict.losses import called_as
from pathcheck.verdict.result import Result
from pathcheck.verdict.sources import Sources


@dataclass(slots=True)
class Doubts:
    """Finds what an ``unreachable`` assumes."""

    sources: Sources
    result: Result

    def of_unit(self, path: str, unit: int) -> tuple[str, ...]:
        """What the death of a unit assumes, nothing if it is proved."""
        found = self.everywhere()
        if found or path not in self.result.modules:
            return found
        known = self.result.modules[path]
        cut = Cuts(self.sources, self.result).of(path, unit, lambda u: bool(self.result.of_unit(path, u)[0]))
        if cut is None:
            return ()
        if cut.code is not None:
            return self._unnamed(cut.code)
        if cut.stuck and cut.unit in known.lost:
            return (f"{path}:{cut.line} could not be followed: {known.lost[cut.unit]}",)
        return ()

    def of_entry(self, path: str, code: Code) -> tuple[str, ...]:
        """What it assumes that a body is never entered."""
        if path not in self.result.modules:
            return self.everywhere()
        if code.unit >= 0 and not self.result.of_unit(path, code.unit)[0]:
            return self.of_unit(path, code.unit)
        return self.everywhere() or self._unnamed(code)

    def everywhere(self) -> tuple[str, ...]:
        """What keeps any death from being proved."""
        unread = [f"{path} could not be read, and live code loads it" for path, _ in self.result.broken]
        return (*unread, *(f"{path}: {why}" for path, why in self.result.cut_short))

    def _unnamed(self, code: Code) -> tuple[str, ...]:
        """A function is only safely dead if no lost value can be it."""
        for name in (called_as(code), *code.qualname.split(".")[-2:-1]):
            at = self.result.losses.get(name)
            if at is not None:
                return (f"{at[0]}:{at[1]} names {name} and could not be followed: {at[2]}",)
        return ()
