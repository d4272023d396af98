"""Analyse a small program given as source text, and say what of it is reached."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pathcheck.flow import imports
from pathcheck.flow.analysis import add_entry, open_stage_two, solve
from pathcheck.flow.model import Model
from pathcheck.flow.values import Const, Sequence, Value
from pathcheck.flow.world import World
from pathcheck.program.layout import Program
from pathcheck.program.lower import lower

ABSENT = "absent"


@dataclass
class Analysed:
    """The finished analysis of one program."""

    world: World

    def value(self, name: str, module: str = "main") -> Value:
        """What a global holds at the end, over all paths."""
        cell = self.world.modules[module].atom.fields.get(name)
        return cell.value if cell is not None else self.world.u.bottom

    def plain(self, name: str, module: str = "main") -> set[Any]:
        """The constants a global may hold; anything else by its text."""
        return {_plain(atom) for atom in self.value(name, module).atoms}

    def reached(self, module: str = "main") -> set[int]:
        """First lines of the statements that some path comes to."""
        return {
            context.module.ir.units[unit].line
            for context in self.world.contexts
            if context.module.name == module
            for unit in context.reached
        }

    def dead(self, module: str = "main") -> set[int]:
        """First lines of the statements that no path comes to."""
        state = self.world.modules[module]
        return {unit.line for unit in state.ir.units} - self.reached(module)


def _plain(atom: Any) -> Any:
    if isinstance(atom, Const):
        return atom.value
    if isinstance(atom, Sequence) and atom.items is not None:
        return tuple(
            _plain(item.atoms[0]) if len(item.atoms) == 1 else frozenset(map(_plain, item.atoms))
            for item in atom.items
        )
    return repr(atom)


def analyse(
    source: str | dict[str, str],
    package: Callable[[str], bool | None] = lambda name: True,
    model: Model | None = None,
) -> Analysed:
    """Import ``main`` and solve both stages. A dict gives files by path, with ``main.py`` among them."""
    files = {"main.py": source} if isinstance(source, str) else source
    texts = {path: textwrap.dedent(text).lstrip("\n") for path, text in files.items()}
    program = Program("", {path: path for path in texts}, lambda path: lower(texts[path]))
    world = World(program, model or Model(package=package), "main")
    add_entry(world, lambda frame: imports.import_module(frame, "main"))
    solve(world)
    open_stage_two(world)
    return Analysed(world)
