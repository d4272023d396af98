"""The contexts of all processes merged by module: how each unit and each function lives."""

from __future__ import annotations

from pathcheck.flow.context import Context
from pathcheck.program.ir import ModuleIR
from pathcheck.verdict.losses import losses, names_of
from pathcheck.verdict.model import PHASES
from pathcheck.verdict.phases import PhaseWalk, life_of
from pathcheck.verdict.result import CONDITIONAL, DEAD, REACHABLE, SUPPOSED, ModuleResult, Result, pack

#: The order in which lives of one unit in one phase win over each other.
_RANK = {0: 0, CONDITIONAL | SUPPOSED: 1, CONDITIONAL: 2, REACHABLE | SUPPOSED: 3, REACHABLE: 4}


class Module:
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


class Merged:
    """All modules, by path."""

    def __init__(self) -> None:
        self.modules: dict[str, Module] = {}
        self.lifted: dict[str, set[int]] = {}

    def add(self, context: Context) -> None:
        module = self._module(context)
        module.add(context)
        self._raise(module, context, 0, REACHABLE, 0)

    def add_walk(self, walk: PhaseWalk) -> None:
        column = 1 + PHASES.index(walk.phase)
        for context, how in walk.found.items():
            self._raise(self._module(context), context, column, how.life, SUPPOSED if how.supposed else 0)

    def _module(self, context: Context) -> Module:
        path = context.module.path
        found = self.modules.get(path)
        if found is None:
            found = self.modules[path] = Module(context.module.name, context.module.ir)
        return found

    def _raise(self, module: Module, context: Context, column: int, life: int, mark: int) -> None:
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

    def functions(self) -> tuple[int, int]:
        """How many functions are entered, and how many there are in the loaded modules."""
        live = total = 0
        for module in self.modules.values():
            functions = [code.index for code in module.ir.codes if code.kind in ("function", "lambda")]
            total += len(functions)
            live += sum(index in module.codes for index in functions)
        return live, total

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
