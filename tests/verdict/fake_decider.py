"""A decider that reads its answers off the source: a word in a line is its verdict."""

from __future__ import annotations

from dataclasses import dataclass, field

from pathcheck.deployment.model import Deployment
from pathcheck.revision.errors import RevisionError
from pathcheck.revision.tree import Tree
from pathcheck.verdict.model import (
    LIVENESS,
    PHASES,
    AnalysisInfo,
    Evidence,
    Guard,
    PhaseVerdict,
    PlaceVerdict,
    Proof,
    StartupStop,
    Step,
    UnknownFact,
    Verdict,
)
from pathcheck.verdict.seam import NoSuchPlace, Progress

INFO = AnalysisInfo(
    world=("no administrative calls",),
    unknown_used=(UnknownFact("gpu.nvlink", 3, "--assume gpu.nvlink=true"),),
    startup_stops=(StartupStop("scheduler", "a.py", 3, "raise X", "no hook"),),
    functions_total=10,
    functions_live=4,
    files_found=5,
    files_loaded=2,
)


@dataclass
class FakeDecider:
    """LIVE is reachable in verify, START in init, MAYBE conditional in decode; else dead."""

    tree: Tree
    info: AnalysisInfo = INFO
    asked: list[tuple[str, int, int]] = field(default_factory=list)

    def place(self, file: str, start: int, end: int, evidence: bool, whole: bool = True) -> PlaceVerdict:
        try:
            lines = self.tree.read(file).decode("utf-8", "replace").split("\n")
        except RevisionError as error:
            raise NoSuchPlace(str(error)) from None
        if end > len(lines):
            raise NoSuchPlace(f"{file} has {len(lines)} lines at {self.tree.label}, not {end}")
        self.asked.append((file, start, end))
        answers = {n: answer(lines[n - 1]) for n in range(start, end + 1)}
        most: Verdict = max((v for v, _ in answers.values()), key=LIVENESS.__getitem__)
        live = {phase: verdict for verdict, phase in answers.values() if phase}
        phases = {p: phase_verdict(live.get(p, "unreachable"), file, start) for p in PHASES}
        statements = tuple(((n, n), verdict) for n, (verdict, _) in answers.items())
        return PlaceVerdict(file, (start, end), "?", "statement", most, statements=statements, phases=phases)

    def loads(self, file: str) -> bool:
        return "unloaded" not in file


def answer(line: str) -> tuple[Verdict, str]:
    for word, verdict, phase in (
        ("LIVE", "reachable", "verify"),
        ("START", "reachable", "init"),
        ("MAYBE", "conditional", "decode"),
    ):
        if word in line:
            return (verdict, phase)  # type: ignore[return-value]
    return ("unreachable", "")


def phase_verdict(verdict: Verdict, file: str, line: int) -> PhaseVerdict:
    write = Evidence("flags.py", 7, "flag = False")
    if verdict == "unreachable":
        cut = Guard("flags.py", 9, "if flag", False, why=(write,))
        return PhaseVerdict(verdict, "proved", proof=Proof("guard", (cut,), (write,)))
    value = True if verdict == "reachable" else None
    guard = Guard(file, line, "if ready", value, open=None if value else "runtime")
    return PhaseVerdict(
        verdict, "proved", ("python",), guards=(guard,), witness=(Step(file, line, "run", (guard,)),)
    )


def open_fake(tree: Tree, deployment: Deployment, progress: Progress) -> FakeDecider:
    return FakeDecider(tree)
