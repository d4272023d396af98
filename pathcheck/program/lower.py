"""One file becomes IR: scopes resolved, units numbered, functions apart."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pathcheck.program.collection import uncollected
from pathcheck.program.ir import Code, ModuleIR
from pathcheck.program.lower_statements import StatementLowering
from pathcheck.program.scopes import scan
from pathcheck.program.source import SourceError

#: Frames that lowering may need for what Python's parser lets through (3,000 levels of nesting).
_DEPTH = 20_000


def lower(text: str) -> ModuleIR:
    """Parse and lower ``text``. Raises SourceError if it does not parse."""
    with uncollected():
        # A call of its own, so that the tree is gone before the collector could look through it.
        return _lower(text)


def _lower(text: str) -> ModuleIR:
    try:
        # At the ordinary limit: the parser would use a raised one up on the C stack.
        tree = ast.parse(text)
        with _deep():
            return Lowering(text).run(tree)
    except SyntaxError as error:
        # The words of change/source.py: what both rooms find is one gap.
        raise SourceError(f"does not parse: line {error.lineno or 0}: {error.msg}") from error
    except (RecursionError, MemoryError) as error:
        # May succeed another day, from a shallower stack: not to be remembered.
        raise SourceError("cannot be lowered: nested too deeply", lasting=False) from error
    except ValueError as error:
        raise SourceError(f"cannot be lowered: {error}") from error


class Lowering(StatementLowering):
    """Lowers one parsed file; its bases know expressions, statements, definitions and patterns."""

    def __init__(self, text: str) -> None:
        lines = text.split("\n")
        deep = []
        if ":=" in text or "yield" in text:
            deep = [number for number, line in enumerate(lines, 1) if ":=" in line or "yield" in line]
        super().__init__(lines, deep)

    def run(self, tree: ast.Module) -> ModuleIR:
        """Lower the whole module."""
        code = Code(0, "<module>", "<module>", 1, len(self.lines), "module")
        self.module.codes.append(code)
        scan(self.scope, tree.body, bool(self.deep_lines))
        code.body = self.block(tree.body, "")
        self.module.names = frozenset(self.names)
        self.module.touches = self._touches()
        self.module.bare = self._bare()
        return self.module

    def _touches(self) -> tuple[int, ...]:
        """See ``ModuleIR.touches``: only where a part on the line could hide the unit."""
        units, lines = self.units, self.part_lines
        found = [(line, unit) for line, unit in self.touches if line in lines and unit >= 0]
        found = [(line, unit) for line, unit in found if unit < len(units) and units[unit].line != line]
        return tuple(number for pair in sorted(found) for number in pair)

    def _bare(self) -> bytes:
        """See ``ModuleIR.bare``."""
        bare = bytearray(
            [not stripped or stripped[0] == "#" for stripped in [line.lstrip() for line in self.lines]]
        )
        for first, last in self.texts:
            text = self.lines[first - 1 : last]
            # Comments between strings that are joined by standing side by side are comments still.
            if any('"""' in line or "'''" in line or line.endswith("\\") for line in text):
                bare[first:last] = bytes(last - first)
        for doc in self.docs:
            first, last = doc.lineno, doc.end_lineno or doc.lineno
            before = self.lines[first - 1].encode("utf-8", "surrogatepass")[: doc.col_offset].strip()
            after = self.lines[last - 1].encode("utf-8", "surrogatepass")[doc.end_col_offset :].strip()
            if not before and (not after or after.startswith(b"#")):
                bare[first - 1 : last] = b"\1" * (last - first + 1)
        return bytes(bare)


@contextmanager
def _deep() -> Iterator[None]:
    """Room for the recursion over deeply nested expressions."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


__all__ = ["Lowering", "lower"]
