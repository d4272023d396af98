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
    names = _Names(world, job["library"])
    found: dict[str, set[str]] = {}
    for caller, callees in callgraph.edges(world).items():
        targets = found.setdefault(names.of(caller), set())
        targets.update(name for place in callees if (name := names.callee(place)))
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
    world.any_main = library
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

    def __init__(self, world: World, library: bool) -> None:
        self.library = library
        #: numbers of the lambdas of a scope, in the order of the text
        self.lambdas: dict[tuple[str, str, int], str] = {}
        for state in world.modules.values():
            counts: dict[str, int] = {}
            for code in state.ir.codes if state.ir is not None else ():
                if code.kind == "lambda":
                    number = counts[code.qualname] = counts.get(code.qualname, 0) + 1
                    self.lambdas[state.name, code.qualname, code.index] = f"<lambda{number}>"

    def of(self, place: Place) -> str:
        """A place's name, or "" for what the truths do not count as a call.

        Truths of small programs have neither imports nor the bodies of
        classes; that of the applications has the statement that imports,
        not the packages on the way.
        """
        if place.kind == "outside":
            return _outside(place)
        if place.kind == "lambda":
            number = self.lambdas[place.module, place.qualname, place.code]
            return place.name.removesuffix("<lambda>") + number
        if place.kind == "instance" or (place.kind == "import" and not self.library):
            return ""
        return place.name

    def callee(self, place: Place) -> str:
        """The same for what is called."""
        if place.kind == "module" or (place.kind == "class" and not self.library):
            return ""
        return self.of(place)


#: Builtin types as Jarvis names them; PyCG's names of them are read as these.
_TYPES = {"dict": "map"}


def _outside(place: Place) -> str:
    if place.module != "builtins":
        return place.name
    owner, _, method = place.qualname.rpartition(".")
    return f"<{_TYPES.get(owner, owner)}>.{method}" if owner else f"<builtin>.{method}"
