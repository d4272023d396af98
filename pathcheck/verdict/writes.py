"""What could have changed a guard: the lines that write the names it reads.

Names are resolved by their spelling: an attribute is every attribute of that
name, so that the list is never shorter than the truth.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pathcheck.program import ir
from pathcheck.program.ir import Code, ModuleIR
from pathcheck.verdict.corpus import Corpus
from pathcheck.verdict.sources import Sources

#: So many writes of one guard are given.
MOST_WRITES = 24
_ASSIGNED = r"\s*(?::(?!=)[^=\n]*)?(?:[-+*/|&^%]|//|\*\*|<<|>>)?=(?!=)"
Line = tuple[str, int]


class Writes:
    """Finds the writes behind a guard."""

    def __init__(self, sources: Sources, corpus: Corpus) -> None:
        self.sources, self.corpus = sources, corpus

    def behind(self, path: str, unit: int, text: str) -> list[Line]:
        """(path, line) of what writes the operands of a guard, in order of its names."""
        module = self.sources.ir(path)
        tree = _parsed(text)
        if module is None or tree is None:
            return []
        code = module.codes[module.units[unit].code]
        found: dict[Line, None] = {}
        for node in ast.walk(tree):
            found.update(dict.fromkeys(self._node(path, module, code, node)))
        return list(found)[:MOST_WRITES]

    def _node(self, path: str, module: ModuleIR, code: Code, node: ast.AST) -> Iterator[Line]:
        if isinstance(node, ast.Attribute):
            yield from self._attribute(node.attr)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from self._getter(path, module, node.func.id)
        elif isinstance(node, ast.Name) and node.id in (*code.local_names, *code.params):
            yield from self._local(path, code, node.id)
        elif isinstance(node, ast.Name):
            yield from self._global(path, module, node.id)

    def _attribute(self, name: str) -> Iterator[Line]:
        written = re.compile(rf"(?:\.|^\s+){re.escape(name)}{_ASSIGNED}")
        return self._matching(self.corpus.lines(name), written)

    def _local(self, path: str, code: Code, name: str) -> Iterator[Line]:
        written = re.compile(rf"(?<![\w.]){re.escape(name)}{_ASSIGNED}")
        inside = [(path, line) for line in range(code.line, code.end_line + 1)]
        return self._matching(inside, written)

    def _global(self, path: str, module: ModuleIR, name: str) -> Iterator[Line]:
        home = self._home(path, module, name)
        if home is None:
            return iter(())
        path, name = home
        written = re.compile(rf"(?<![\w.]){re.escape(name)}{_ASSIGNED}")
        return self._matching([at for at in self.corpus.lines(name) if at[0] == path], written)

    def _getter(self, path: str, module: ModuleIR, name: str) -> Iterator[Line]:
        """A function that returns a flag: the flag's writes."""
        home = self._home(path, module, name)
        target = self.sources.ir(home[0]) if home is not None else None
        if home is None or target is None:
            return
        for code in target.codes:
            if code.qualname == home[1] and code.kind == "function":
                for flag in _returned(code):
                    yield from self._global(home[0], target, flag)

    def _home(self, path: str, module: ModuleIR, name: str) -> tuple[str, str] | None:
        """The file that defines a global name, and its name there."""
        imported = module.imports.get(name)
        if imported is None:
            return path, name
        dotted, attribute, level = imported
        if attribute is None:
            return None
        base = path.rsplit("/", level)[0] if level else "python"
        folder = "/".join([base, *dotted.split(".")]) if dotted else base
        for candidate in (f"{folder}.py", f"{folder}/__init__.py"):
            if candidate in self.sources.files:
                return candidate, attribute
        return None

    def _matching(self, lines: list[Line], written: re.Pattern[str]) -> Iterator[Line]:
        for path, number in lines:
            text = self.sources.line(path, number)
            if written.search(text):
                yield path, number


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _returned(code: Code) -> Iterator[str]:
    """Globals that a function's top-level ``return`` statements name."""
    for statement in code.body:
        if statement[0] == ir.S_RETURN and statement[2] is not None and statement[2][0] == ir.GLOBAL:
            yield statement[2][1]
