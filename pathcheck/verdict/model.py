"""The vocabulary of answers: verdicts, phases, guards, witnesses and proofs.

Plain frozen data, without analysis: ``verdict`` produces it, ``report`` prints
it.  The words and the JSON keys are those of docs/contract.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Verdict = Literal["reachable", "conditional", "unreachable"]
Confidence = Literal["proved", "assumed"]
Kind = Literal[
    "statement", "test", "function", "class", "import", "default", "signature", "decorator", "comment"
]

#: Every phase of a server's life, in the order reports list them.
PHASES: tuple[str, ...] = (
    "import",
    "args",
    "init",
    "capture-verify",
    "capture-decode",
    "capture-draft",
    "capture-draft-extend",
    "capture-pcg",
    "admission",
    "schedule",
    "prefill",
    "decode",
    "draft-prefill",
    "draft",
    "draft-extend",
    "verify",
    "result",
    "idle",
    "maintenance",
)

#: Phases that run only while the server starts.
STARTUP_PHASES: frozenset[str] = frozenset(
    p for p in PHASES if p in ("import", "args", "init") or p.startswith("capture-")
)

#: Phases that run per step while serving.
HOT_PHASES: tuple[str, ...] = (
    "schedule",
    "prefill",
    "decode",
    "draft-prefill",
    "draft",
    "draft-extend",
    "verify",
    "result",
)

#: Live order of verdicts: a higher number is more live.
LIVENESS: dict[str, int] = {"unreachable": 0, "conditional": 1, "reachable": 2}


@dataclass(frozen=True, slots=True)
class Evidence:
    """A line of source that supports a verdict: a write, a mention, a test."""

    file: str
    line: int
    text: str
    #: Why it cannot run; None where it does run.
    dead_because: str | None = None


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition on a path. ``value`` is None where it is open."""

    file: str
    line: int
    text: str
    value: bool | None
    open: Literal["fact", "runtime"] | None = None
    fact: str | None = None
    why: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One call on a witness path: the place in ``symbol`` that leads on."""

    file: str
    line: int
    symbol: str
    guards: tuple[Guard, ...] = ()


@dataclass(frozen=True, slots=True)
class Proof:
    """Why no path exists: the cut, and all that could have changed it."""

    kind: Literal["guard", "no-caller", "no-root", "not-loaded"]
    cut: tuple[Guard, ...] = ()
    writes: tuple[Evidence, ...] = ()
    mentions: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class PhaseVerdict:
    """The verdict of a place in one phase."""

    verdict: Verdict
    confidence: Confidence
    via: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    guards: tuple[Guard, ...] = ()
    witness: tuple[Step, ...] = ()
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class PlaceVerdict:
    """The verdict of a range of lines of one file at one revision.

    ``verdict`` is None where the range holds no code (kind ``comment``).
    ``statements`` gives ((first line, last line), verdict) for each statement
    that the range touches.
    """

    file: str
    lines: tuple[int, int]
    symbol: str
    kind: Kind
    verdict: Verdict | None
    confidence: Confidence = "proved"
    assumptions: tuple[str, ...] = ()
    statements: tuple[tuple[tuple[int, int], Verdict], ...] = ()
    phases: dict[str, PhaseVerdict] = field(default_factory=dict)

    def live_phases(self) -> tuple[str, ...]:
        """Phases in which the place is not unreachable, in report order."""
        return tuple(p for p in PHASES if p in self.phases and self.phases[p].verdict != "unreachable")

    def startup_only(self) -> bool:
        """True if the place runs, but only while the server starts."""
        live = self.live_phases()
        return bool(live) and all(p in STARTUP_PHASES for p in live)


@dataclass(frozen=True, slots=True)
class StartupStop:
    """Start-up ends in an exception here under the facts given."""

    role: str
    file: str
    line: int
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class UnknownFact:
    """A fact that was asked for and not given."""

    fact: str
    would_decide: int
    how_to_give: str


@dataclass(frozen=True, slots=True)
class Watchdogs:
    """Counts of what the analysis lost; see docs/limits.md."""

    stuck: int = 0
    lifted: int = 0
    lost: int = 0
    by_name_edges: int = 0
    widened: int = 0


@dataclass(frozen=True, slots=True)
class AnalysisInfo:
    """What holds for a whole analysis of one revision under one deployment."""

    world: tuple[str, ...] = ()
    unknown_used: tuple[UnknownFact, ...] = ()
    startup_stops: tuple[StartupStop, ...] = ()
    watchdogs: Watchdogs = Watchdogs()
    #: (file, reason) of what live code needs and could not be analysed.
    incomplete: tuple[tuple[str, str], ...] = ()
    functions_total: int = 0
    functions_live: int = 0
    files_found: int = 0
    files_loaded: int = 0
