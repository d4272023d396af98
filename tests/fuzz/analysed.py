"""What the analysis says of a program, under facts that may be known or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pathcheck.flow import imports
from pathcheck.flow.analysis import add_entry, open_stage_two, solve
from pathcheck.flow.frame import Frame
from pathcheck.flow.model import Model
from pathcheck.flow.values import Const, Value
from pathcheck.flow.world import World
from pathcheck.program.ir import ModuleIR
from pathcheck.program.layout import Program as Tree
from pathcheck.program.lower import lower

from .program import ENVIRON, FACTS, Inputs, Program

#: Evaluations of contexts that a program may cost: so many for each code object, and for the start.
EVALUATIONS_FOR_EACH, EVALUATIONS_AT_LEAST = 150, 3000


class TooMuchWork(Exception):
    """The analysis does not end within its bound."""


@dataclass
class Analysis:
    """A finished analysis."""

    world: World
    #: what each ``see(key, value)`` may be given
    seen: dict[str, Value]
    #: the lowered files by path
    irs: dict[str, ModuleIR]

    def reached(self) -> dict[str, set[int]]:
        """First lines of the statements that some path comes to, by path."""
        found: dict[str, set[int]] = {}
        for context in self.world.contexts:
            units = context.module.ir.units
            found.setdefault(context.module.path, set()).update(units[u].line for u in context.reached)
        return found

    def dead(self) -> dict[str, set[int]]:
        """First lines of the statements that no path comes to, for all files of the program."""
        alive = self.reached()
        return {
            path: {unit.line for unit in lowered.units} - alive.get(path, set())
            for path, lowered in self.irs.items()
        }

    def edges(self) -> set[tuple[str, str, str, str]]:
        """Calls: caller's path and qualified name, callee's path and qualified name."""
        return {
            (c.module.path, c.code.qualname, callee.module.path, callee.code.qualname)
            for c in self.world.contexts
            for _, callee in c.calls
        }

    def text(self) -> str:
        """Everything, in order: two analyses of the same must give the same."""
        rows = []
        for c in self.world.contexts:
            rows.append(f"{c!r} {c.params!r} {c.result!r} {sorted(c.reached.items())}")
            rows.append(
                f"  {[(u, k.seq) for u, k in c.calls]} {sorted(c.outcomes.items())} {list(c.raises)!r}"
            )
        for name, state in self.world.modules.items():
            rows.append(f"{name}: " + ", ".join(f"{k}={v.value!r}" for k, v in state.atom.fields.items()))
        return "\n".join(rows)


def _model(inputs: Inputs, seen: dict[str, Value]) -> Model:
    def see(fr: Frame, positional: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value | None:
        key, value = positional
        for atom in key.atoms:
            assert isinstance(atom, Const)
            before = seen.get(str(atom.value), fr.world.u.bottom)
            seen[str(atom.value)] = fr.world.u.join(before, value)
        return value

    def fact(name: str) -> Any:
        return lambda fr: fr.world.u.unknown("int", "fact", name)

    model = Model(
        package=lambda name: not name.startswith("missing"),
        environ={name: inputs.environ[name] for name in ENVIRON if name in inputs.environ},
        environ_else="unknown",
    )
    model.calls["facts.see"] = see
    model.attributes.update({f"facts.{n}": inputs.facts.get(n, fact(n)) for n in FACTS})
    return model


def _import_main(frame: Frame) -> None:
    imports.import_module(frame, "main")


def analyse(program: Program, inputs: Inputs) -> Analysis:
    """Import ``main`` and solve both stages; TooMuchWork past the bound."""
    irs = {path: lower(source) for path, source in program.files.items()}
    tree = Tree("", {path: path for path in irs}, lambda path: irs[path])
    seen: dict[str, Value] = {}
    world = World(tree, _model(inputs, seen), "main")
    bound = EVALUATIONS_AT_LEAST + EVALUATIONS_FOR_EACH * sum(len(ir.codes) for ir in irs.values())

    def progress(world: World) -> None:
        if world.evaluations > bound:
            raise TooMuchWork(f"{world.evaluations} evaluations, {len(world.contexts)} contexts")

    world.progress = progress
    add_entry(world, _import_main)
    solve(world)
    open_stage_two(world)
    return Analysis(world, seen, irs)
