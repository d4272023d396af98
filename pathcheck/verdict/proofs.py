"""Why nothing reaches a place: the cut, what could have changed it, and why that cannot run."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from pathcheck.program.ir import Code, ModuleIR
from pathcheck.program.lines import units_at
from pathcheck.verdict.corpus import Corpus
from pathcheck.verdict.cuts import Cut, Cuts, Runs
from pathcheck.verdict.losses import called_as
from pathcheck.verdict.model import PHASES, Evidence, Guard, Proof
from pathcheck.verdict.result import Result
from pathcheck.verdict.sources import Sources
from pathcheck.verdict.writes import Writes

#: So many mentions are given, and so many callers are followed to the guard that kills them.
MOST_MENTIONS, MOST_CALLERS = 12, 6
_NOT_LOADED = "no process loads its module"
_IMPORT = re.compile(r"\s*(from\s|import\s)")
_RELATIVE = re.compile(r"\s*from\s+\.")


@dataclass(slots=True)
class Proofs:
    """Makes proofs from one result."""

    sources: Sources
    result: Result
    corpus: Corpus
    _imported: dict[str, tuple[Evidence, ...]] = field(default_factory=dict)

    @property
    def cuts(self) -> Cuts:
        return Cuts(self.sources, self.result)

    def of_unit(self, path: str, unit: int) -> Proof:
        """The proof of a unit that no phase reaches."""
        if path not in self.result.modules:
            return Proof("not-loaded", mentions=self._importers(path))
        return self._of_cut(path, self.cuts.of(path, unit, self._runs(path)))

    def of_entry(self, path: str, code: Code) -> Proof:
        """The proof of a body that is never entered."""
        if path not in self.result.modules:
            return Proof("not-loaded", mentions=self._importers(path))
        if code.unit >= 0 and not self._runs(path)(code.unit):
            return self.of_unit(path, code.unit)
        return self._of_cut(path, self.cuts.entered(path, code))

    def in_phase(self, path: str, unit: int, phase: str) -> Proof:
        """Why a unit that runs elsewhere does not run in a phase."""
        if phase not in self.result.rooted:
            return Proof("no-root")
        column = 1 + PHASES.index(phase)
        cut = self.cuts.of(path, unit, lambda other: bool(self.result.of_unit(path, other)[column]))
        if cut is None or cut.code is not None:
            return Proof("no-caller")
        return Proof("guard", (self._guard(path, cut),))

    def _runs(self, path: str) -> Runs:
        return lambda unit: bool(self.result.of_unit(path, unit)[0])

    def _of_cut(self, path: str, cut: Cut | None) -> Proof:
        if cut is None:
            return Proof("not-loaded", mentions=self._importers(path))
        if cut.code is not None:
            return self._no_caller(path, cut.code)
        writes = self._writes(path, cut)
        return Proof("guard", (replace(self._guard(path, cut), why=_live(writes)),), writes)

    def _guard(self, path: str, cut: Cut) -> Guard:
        return Guard(path, cut.line, cut.text, cut.value)

    def _writes(self, path: str, cut: Cut) -> tuple[Evidence, ...]:
        behind = Writes(self.sources, self.corpus).behind(path, cut.unit, cut.text)
        return tuple(self._evidence(at, line) for at, line in behind)

    def _evidence(self, path: str, line: int) -> Evidence:
        text = " ".join(self.sources.line(path, line).split())
        return Evidence(path, line, text, self.dead_because(path, line))

    def dead_because(self, path: str, line: int) -> str | None:
        """In a few words why a line does not run; None if it does."""
        module = self._loaded(path)
        if module is None:
            return _NOT_LOADED
        units = units_at(module, line, line)
        if not units or any(self.result.of_unit(path, unit)[0] for unit in units):
            return None
        cut = self.cuts.of(path, units[0], self._runs(path))
        if cut is None:
            return _NOT_LOADED
        if cut.code is not None:
            return f"nothing that runs calls {cut.code.qualname}"
        return f"{cut.text} is {cut.value} (line {cut.line})"

    def _loaded(self, path: str) -> ModuleIR | None:
        return self.sources.ir(path) if path in self.result.modules else None

    # ---- functions that nothing calls ------------------------------------------
    def _no_caller(self, path: str, code: Code) -> Proof:
        """Every place that names the function, and the guard that kills the nearest caller."""
        mentions = self._mentions(path, code)
        return Proof("no-caller", self._killer(path, code), mentions=mentions)

    def _mentions(self, path: str, code: Code) -> tuple[Evidence, ...]:
        name = called_as(code)
        definition = re.compile(rf"\s*(async\s+def|def|class)\s+{re.escape(name)}\b")
        places = [
            (at, line) for at, line in self.corpus.lines(name)
            if not (at == path and definition.match(self.sources.line(at, line))) and self._uses(at, line)
        ]  # fmt: skip
        found = [self._evidence(at, line) for at, line in places[: 8 * MOST_MENTIONS]]
        found.sort(key=lambda mention: mention.dead_because is not None)
        return tuple(found[:MOST_MENTIONS])

    def _uses(self, path: str, line: int) -> bool:
        """Whether a line is code that could use what it names; an import alone calls nothing."""
        module = self._loaded(path)
        if module is None:
            return not _IMPORT.match(self.sources.line(path, line))
        units = units_at(module, line, line)
        return bool(units) and module.units[units[0]].kind != "import"

    def _killer(self, path: str, code: Code) -> tuple[Guard, ...]:
        """The guard that cuts off the only callers, followed through callers that are dead themselves."""
        seen: set[tuple[str, int]] = set()
        for _ in range(MOST_CALLERS):
            caller = self._dead_caller(path, code)
            if caller is None or (caller[0], caller[1]) in seen:
                return ()
            seen.add((caller[0], caller[1]))
            cut = self.cuts.of(caller[0], caller[1], self._runs(caller[0]))
            if cut is None:
                return ()
            if cut.code is None:
                return (replace(self._guard(caller[0], cut), why=_live(self._writes(caller[0], cut))),)
            path, code = caller[0], cut.code
        return ()

    def _dead_caller(self, path: str, code: Code) -> tuple[str, int] | None:
        """The one place that calls a function by its name, if it is one place and dead."""
        name = called_as(code)
        call = re.compile(rf"(?<!def )(?<!class )(?<!\w){re.escape(name)}\(")
        places = []
        for at, line in self.corpus.lines(name):
            module = self._loaded(at)
            if module is not None and call.search(self.sources.line(at, line)):
                places += [(at, unit) for unit in units_at(module, line, line)[:1]]
        dead = [(at, unit) for at, unit in places if not self.result.of_unit(at, unit)[0]]
        return dead[0] if dead and len(dead) == len(places) else None

    def _importers(self, path: str) -> tuple[Evidence, ...]:
        """Lines that import a module that no process loads."""
        if path not in self._imported:
            self._imported[path] = self._imports_of(path)
        return self._imported[path]

    def _imports_of(self, path: str) -> tuple[Evidence, ...]:
        parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
        name, dotted = parts[-1], re.compile(rf"(?<!\w){re.escape('.'.join(parts[-2:]))}(?!\w)")
        found = []
        for at, line in self.corpus.lines(name):
            text = self.sources.line(at, line)
            beside = at.rpartition("/")[0] == path.rpartition("/")[0] and _RELATIVE.match(text)
            if at != path and _IMPORT.match(text) and (beside or dotted.search(text)):
                found.append(self._evidence(at, line))
        return tuple(found[:MOST_MENTIONS])


def _live(writes: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """The writes that do run: they gave the value."""
    return tuple(write for write in writes if write.dead_because is None)
