"""pathcheck's call graph of a program, in the plain names that the truths use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pathcheck.flow import callgraph, imports
from pathcheck.flow.analysis import add_entry, open_stage_two, solve
from pathcheck.flow.callgraph import Place
from pathcheck.flow.frame import Frame
from pathcheck.flow.library import enter_everything
from pathcheck.flow.model import Model
from pathcheck.flow.world import World
from pathcheck.program.layout import Program
from pathcheck.program.lower import lower
from pathcheck.program.source import decode


def edges(job: dict[str, Any]) -> dict[str, list[str]]:
    """Analyse the program of a job: its entry modules, and every function too if it is a library."""
    world = analyse(Path(job["root"]), job["entry"], job["library"])
    names = _Names(world)
    found: dict[str, set[str]] = {}
    for caller, callees in callgraph.edges(world).items():
        targets = found.setdefault(names.of(caller), set())
        targets.update(name for place in callees if (name := names.of(place)))
    return {caller: sorted(callees) for caller, callees in found.items()}


def analyse(root: Path, entry: list[str], library: bool) -> World:
    """Import the entry modules of the tree below ``root``."""
    paths = {}
    for folder, _, files in os.walk(root):
        for file in files:
            if file.endswith(".py"):
                path = os.path.relpath(os.path.join(folder, file), root)
                paths[path] = path
    program = Program("", paths, lambda path: lower(decode((root / path).read_bytes())))
    world = World(program, Model(package=lambda name: True), "main")
    world.outside = {}
    if not library:
        world.main_module = entry[0]
    for name in entry:

        def start(fr: Frame, name: str = name) -> None:
            imports.import_module(fr, name)

        add_entry(world, start)
    if library:
        enter_everything(world)
    else:
        solve(world)
    open_stage_two(world)
    return world


class _Names:
    """Names as PyCG and Jarvis write them."""

    def __init__(self, world: World) -> None:
        self.lambdas: dict[tuple[str, str], list[int]] = {}
        for state in world.modules.values():
            for code in state.ir.codes if state.ir is not None else ():
                if code.kind == "lambda":
                    self.lambdas.setdefault((state.name, code.qualname), []).append(code.line)

    def of(self, place: Place) -> str:
        """A place's name; a class that is called goes by its constructor, or "" where it has none."""
        return place.kind + ":" + place.name if place.kind in ("outside", "instance", "class") else place.name
