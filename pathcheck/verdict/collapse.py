"""From a finished fixpoint to a Result: contexts merged by function, lives by phase."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pathcheck.flow.context import Context
from pathcheck.program.ir import ModuleIR
from pathcheck.target.ops import WORLD
from pathcheck.target.server import Server
from pathcheck.verdict.losses import losses, names_of
from pathcheck.verdict.model import PHASES
from pathcheck.verdict.openfacts import fact_names, waiting
from pathcheck.verdict.phases import PhaseWalk, life_of, walk_phases
from pathcheck.verdict.result import (
    CONDITIONAL,
    DEAD,
    REACHABLE,
    SUPPOSED,
    ModuleResult,
    PhasePaths,
    Result,
    pack,
)  # fmt: skip
from pathcheck.verdict.roots import is_entry
from pathcheck.verdict.stops import startup_stops

#: The order in which lives of one unit in one phase win over each other.
_RANK = {0: 0, CONDITIONAL | SUPPOSED: 1, CONDITIONAL: 2, REACHABLE | SUPPOSED: 3, REACHABLE: 4}


def collapse(server: Server) -> Result:
    """The result of a server's fixpoint."""
    merged = _Merged()
    for world in server.worlds.values():
        for context in world.contexts:
            if context.evaluations and not is_entry(context):
                merged.add(context)
        for name, unit in world.lifted:
            merged.lifted.setdefault(name, set()).add(unit)
    walks = walk_phases(server.worlds.values())
    for walk in walks:
        merged.add_walk(walk)
    result = merged.result()
    names = fact_names(server.worlds.values())
    for path, module in result.modules.items():
        module.facts = waiting(merged.modules[path].ir, module.outcomes, names)
    for phase in PHASES:
        result.paths[phase] = phase_paths([walk for walk in walks if walk.phase == phase])
    result.rooted = [phase for phase in PHASES if result.paths[phase].steps]
    result.broken = sorted(server.program.broken.items())
    result.cut_short = _cut_short(server)
    result.info = _info(server, merged, result)
    return result


class _Module:
    """The contexts of one module, merged."""

    def __init__(self, name: str, ir: ModuleIR) -> None:
        self.name, self.ir = name, ir
        #: life over all, then by phase, of each unit and each code
        self.units: dict[int, bytearray] = {}
        self.codes: dict[int, bytearray] = {}
        self.outcomes: dict[int, int] = {}
        self.stuck: dict[int, str] = {}
        self.passed: set[int] = set()

    def add(self, context: Context) -> None:
        for unit, bits in context.outcomes.items():
            self.outcomes[unit] = self.outcomes.get(unit, 0) | bits
        self.stuck.update(context.stuck)
        self.passed.update(context.reached.keys() - context.stuck.keys())


    def stops(self) -> dict[int, str]:
        """Units that no context got past."""
        return {unit: why for unit, why in sorted(self.stuck.items()) if unit not in self.passed}


class _Merged:
    """All modules, by path."""

    def __init__(self) -> None:
        self.modules: dict[str, _Module] = {}
        self.lifted: dict[str, set[int]] = {}

    def add(self, context: Context) -> None:
        module = self._module(context)
        module.add(context)
        self._raise(module, context, 0, REACHABLE, 0)

    def add_walk(self, walk: PhaseWalk) -> None:
        column = 1 + PHASES.index(walk.phase)
        for context, how in walk.found.items():
            self._raise(self._module(context), context, column, how.life, SUPPOSED if how.supposed else 0)

    def _module(self, context: Context) -> _Module:
        path = context.module.path
        found = self.modules.get(path)
        if found is None:
            found = self.modules[path] = _Module(context.module.name, context.module.ir)
        return found

    def _raise(self, module: _Module, context: Context, column: int, life: int, mark: int) -> None:
        """What a context reaches lives at least so in a column."""
        first = min(context.reached.values(), default=context.stage or 1)
        _mark(module.codes, context.code.index, column, min(life, life_of(first)) | mark)
        for unit, stage in context.reached.items():
            _mark(module.units, unit, column, min(life, life_of(stage)) | mark)

    def result(self) -> Result:
        result = Result()
        lost = self._lost(result)
        numbers = {DEAD: 0}

        def number(row: bytearray | None) -> int:
            key = bytes(row) if row is not None else DEAD
            if key not in numbers:
                numbers[key] = len(result.signatures)
                result.signatures.append(key)
            return numbers[key]

        for path, module in sorted(self.modules.items()):
            result.modules[path] = ModuleResult(
                module.name,
                pack([number(module.units.get(unit)) for unit in range(len(module.ir.units))]),
                pack([number(module.codes.get(code.index)) for code in module.ir.codes]),
                dict(sorted(module.outcomes.items())),
                module.stops(),
                lost.get(module.name, {}),
            )
        return result

    def _lost(self, result: Result) -> dict[str, dict[int, str]]:
        """What was lost, by module; the names it mentions go into the result."""
        modules = {module.name: module for module in self.modules.values()}
        stops = {(m.name, unit): why for m in modules.values() for unit, why in m.stops().items()}
        found = losses(stops, {name: module.ir for name, module in modules.items()})
        for name, units in self.lifted.items():
            found.update(((name, unit), "its missing value is taken for an unknown one") for unit in units)
        by_module: dict[str, dict[int, str]] = {}
        paths = {module.name: path for path, module in self.modules.items()}
        for (name, unit), why in sorted(found.items()):
            by_module.setdefault(name, {})[unit] = why
            ir = modules[name].ir
            for mentioned in sorted(names_of(ir, unit)):
                result.losses.setdefault(mentioned, (paths[name], ir.units[unit].line, why[:160]))
        return by_module


def _mark(rows: dict[int, bytearray], index: int, column: int, life: int) -> None:
    row = rows.get(index)
    if row is None:
        row = rows[index] = bytearray(DEAD)
    if _RANK[life] > _RANK[row[column]]:
        row[column] = life


def phase_paths(walks: Iterable[PhaseWalk]) -> PhasePaths:
    """A call path to each function of a phase: as few contexts as reach all that it reaches."""
    paths = PhasePaths()
    for walk in walks:
        numbers: dict[Context, int] = {}
        seen: dict[tuple[str, int], dict[int, int]] = {}
        for context, how in walk.found.items():
            key = (context.module.path, context.code.index)
            lives = seen.setdefault(key, {})
            new = [
                unit for unit, stage in context.reached.items()
                if min(how.life, life_of(stage)) > lives.get(unit, 0)
            ]  # fmt: skip
            if not new and lives:
                continue
            lives.update((unit, min(how.life, life_of(context.reached[unit]))) for unit in new)
            step = _step(paths, walk, context, numbers)
            paths.covers.setdefault(key, []).append((step, tuple(new)))
    return paths


def _step(paths: PhasePaths, walk: PhaseWalk, context: Context, numbers: dict[Context, int]) -> int:
    """The number of a context's step, its callers' steps made first."""
    chain = []
    current: Context | None = context
    while current is not None and current not in numbers:
        chain.append(current)
        current = walk.found[current].caller
    for each in reversed(chain):
        how = walk.found[each]
        caller = numbers[how.caller] if how.caller is not None else -1
        numbers[each] = len(paths.steps)
        paths.steps.append((each.module.path, each.code.index, caller, how.unit, walk.role))
    return numbers[context]


def _cut_short(server: Server) -> list[tuple[str, str]]:
    """Where a process' analysis ends before the process serves."""
    return sorted(
        (stop.path, f"the analysis of the {stop.role} process ends at line {stop.line}: {stop.why}")
        for stop in startup_stops(server)
    )


def _unknown(result: Result) -> list[tuple[str, int, str]]:
    """The facts that open tests wait for, those that decide most first."""
    counts = Counter(fact for module in result.modules.values() for fact in module.facts.values())
    return [
        (fact, count, f"--assume {fact}=VALUE")
        for fact, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def _info(server: Server, merged: _Merged, result: Result) -> dict[str, object]:
    worlds = server.worlds.values()
    live = sum(
        1 for module in merged.modules.values() for code in module.codes
        if module.ir.codes[code].kind in ("function", "lambda")
    )  # fmt: skip
    total = sum(
        1 for module in merged.modules.values() for code in module.ir.codes
        if code.kind in ("function", "lambda")
    )  # fmt: skip
    return {
        "world": tuple(WORLD),
        "watchdogs": (
            sum(len(module.stops()) for module in merged.modules.values()),
            sum(len(world.lifted) for world in worlds),
            0,
            sum(world.by_name_edges for world in worlds),
            sum(world.widened for world in worlds),
        ),
        "functions_total": total,
        "functions_live": live,
        "unknown_used": _unknown(result),
        "startup_stops": tuple((s.role, s.path, s.line, s.why) for s in startup_stops(server)),
        "files_found": len(server.program.files),
        "files_loaded": len(merged.modules),
    }
