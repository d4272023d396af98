"""Edges of a tool against edges of a truth, and a truth against the run of its program."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from programs import Case

Edge = tuple[str, str]
#: PyCG's names of builtin types, as Jarvis writes them.
_TYPES = {"<**PyStr**>": "<str>", "<**PyDict**>": "<map>", "<**PyList**>": "<list>"}
#: A run of a program whose text has one of these says what happened once, not what must happen.
_CHANCE = re.compile(r"\b(id|input|random|time)\b")


@dataclass
class Figures:
    """Sums over the programs of a set."""

    right: int = 0
    extra: int = 0
    missed: int = 0
    exact: int = 0
    complete: int = 0
    sound: int = 0
    seconds: float = 0.0
    failed: int = 0

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.extra) if self.right + self.extra else 0.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 0.0

    def add(self, found: set[Edge], expected: set[Edge]) -> None:
        """Count one program: complete without an edge too many, sound without one missing."""
        extra, missed = found - expected, expected - found
        self.right += len(found & expected)
        self.extra += len(extra)
        self.missed += len(missed)
        self.complete += not extra
        self.sound += not missed
        self.exact += found == expected


@dataclass
class Truth:
    """A truth in one way of writing, and what the run of its program says against it."""

    callers: set[str]
    expected: set[Edge]
    #: expected edges that are wrong -> why
    wrong: dict[Edge, str] = field(default_factory=dict)
    #: edges that the run has and the truth does not
    unlisted: set[Edge] = field(default_factory=set)

    @property
    def amended(self) -> set[Edge]:
        return (self.expected - set(self.wrong)) | self.unlisted


class Naming:
    """Names of one program in one way of writing; of applications' lambdas the truth has the module only."""

    def __init__(self, case: Case) -> None:
        self.library = case.library
        files = case.files if case.library else tuple(case.root.rglob("*.py"))
        dotted = (".".join(file.relative_to(case.root).with_suffix("").parts) for file in files)
        self.modules = {name.removesuffix(".__init__") for name in dotted}
        self.roots = {name.split(".")[0] for name in self.modules}

    def name(self, name: str) -> str:
        for theirs, ours in _TYPES.items():
            name = name.replace(theirs, ours)
        last = name.rpartition(".")[2]
        if self.library and last.startswith("<lambda"):
            return f"{self.module(name)}.<lambda>"
        return name

    def module(self, name: str) -> str:
        while name and name not in self.modules:
            name = name.rpartition(".")[0]
        return name

    def edges(self, graph: dict[str, list[str]], callers: set[str], narrow: bool) -> set[Edge]:
        """The edges of the truth's callers; ``narrow``: to the program and to builtin functions only."""
        found = {
            (self.name(caller), self.name(callee)) for caller, callees in graph.items() for callee in callees
        }
        return {e for e in found if e[0] in callers and (not narrow or self.spoken(e[1]))}

    def spoken(self, name: str) -> bool:
        """Whether an application's truth speaks of such names: it leaves out third parties, and methods of
        builtin types but for a few."""
        return name.startswith("<builtin>") or name.split(".")[0] in self.roots


def truth_of(case: Case, naming: Naming, narrow: bool) -> Truth:
    callers = {naming.name(caller) for caller in case.truth}
    return Truth(callers, naming.edges(case.truth, callers, narrow))


def judge(case: Case, naming: Naming, truth: Truth, run: dict[str, Any] | None, defined: set[str]) -> None:
    """Hold a truth against the program's names, and against its run."""
    for edge in truth.expected:
        callee = edge[1]
        if "<" not in callee and naming.module(callee) and callee not in defined:
            truth.wrong[edge] = "names nothing that the program defines"
    if run is None or "ModuleNotFoundError" in run["end"]:
        return
    generators = {naming.name(name) for name in run["generators"]}
    seen = {(_numbered(naming, a), _numbered(naming, b)) for a, b in run["edges"]}
    for edge in seen:
        ordinary = case.library or edge[1] in defined or edge[1].startswith("<")
        spoken = naming.spoken(edge[1]) or not case.library
        if edge[0] in truth.callers and edge not in truth.expected and spoken and ordinary:
            truth.unlisted.add(edge)
    text = "".join(file.read_text() for file in case.root.rglob("*.py")) if not case.library else ""
    if case.library or _CHANCE.search(text):
        return
    for edge in truth.expected - seen:
        callee = edge[1]
        if (callee in defined and callee not in generators) or callee == "<builtin>.eval":
            ending = f"; the run ends with {run['end']}" if run["end"] else ""
            truth.wrong[edge] = "does not happen" + ending


def _numbered(naming: Naming, name: str) -> str:
    """A traced lambda by the truth's name: small programs have one at most in a scope, or call none."""
    return naming.name(name) if naming.library else name.replace("<lambda>", "<lambda1>")
