"""What is kept of a finished analysis: plain data, small enough to read back in a moment.

The fixpoint itself is hundreds of megabytes.  Verdicts need far less: for each
unit of each loaded module how live it is in each phase, for each test how it
came out, and for each phase one call path to every function.

A *life* is 0 (unreachable), 1 (conditional) or 2 (reachable), so that the most
live is the maximum.  Units that live alike share a *signature*: one life over
all, then one for each phase in the order of ``model.PHASES``.
"""

from __future__ import annotations

import marshal
from array import array
from dataclasses import dataclass, field, fields
from typing import Any

from pathcheck.verdict.model import PHASES

UNREACHABLE, CONDITIONAL, REACHABLE = 0, 1, 2
#: Added to a phase's life where the phase is not found by a walk but supposed.
SUPPOSED = 4
#: Raised whenever the layout below changes.
FORMAT = 2
_WIDTH = 1 + len(PHASES)
DEAD = bytes(_WIDTH)
#: How live a place may be, in each column, where no life was found but the analysis did not end.
_UNDECIDED = (CONDITIONAL, *(CONDITIONAL | SUPPOSED for _ in PHASES))


@dataclass(slots=True)
class ModuleResult:
    """One loaded module."""

    name: str
    #: per unit and per code: the number of its signature, as the bytes of an ``array("H")``
    units: bytes
    codes: bytes
    #: unit of a test -> bits of its outcomes (1 True, 2 False)
    outcomes: dict[int, int] = field(default_factory=dict)
    #: unit that no path got past -> why
    stuck: dict[int, str] = field(default_factory=dict)
    #: units that no path got past, or only with a made-up value, where that is a loss
    lost: dict[int, str] = field(default_factory=dict)
    #: open test -> the fact that would decide it
    facts: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class PhasePaths:
    """One call path to each function that a phase enters.

    ``steps`` are (module path, code, step that calls it or -1, unit of the
    call, role); ``covers`` tells which step of a function reaches which units.
    """

    steps: list[tuple[str, int, int, int, str]] = field(default_factory=list)
    #: (module path, code) -> (step, units that it is the first to reach as live as they get)
    covers: dict[tuple[str, int], list[tuple[int, tuple[int, ...]]]] = field(default_factory=dict)


@dataclass(slots=True)
class Result:
    """The whole analysis of one revision under one deployment."""

    signatures: list[bytes] = field(default_factory=lambda: [DEAD])
    #: by path
    modules: dict[str, ModuleResult] = field(default_factory=dict)
    paths: dict[str, PhasePaths] = field(default_factory=dict)
    #: (path, reason) of files that live code loads and that could not be read
    broken: list[tuple[str, str]] = field(default_factory=list)
    #: (path, reason) of where the analysis ended before the server served
    cut_short: list[tuple[str, str]] = field(default_factory=list)
    #: the work that may be done was not enough: nothing is known to be dead
    limited: bool = False
    #: name -> (path, line, why) of the first loss whose statement mentions it
    losses: dict[str, tuple[str, int, str]] = field(default_factory=dict)
    #: phases that have a root under this deployment
    rooted: list[str] = field(default_factory=list)
    #: what ``model.AnalysisInfo`` holds besides, by its field names
    info: dict[str, Any] = field(default_factory=dict)

    def of_unit(self, path: str, unit: int) -> bytes:
        """The signature of a unit."""
        found = self.modules.get(path)
        return self._known(self.signatures[_number(found.units, unit)] if found is not None else DEAD)

    def of_code(self, path: str, code: int) -> bytes:
        """The signature of entering a function's or class's body."""
        found = self.modules.get(path)
        return self._known(self.signatures[_number(found.codes, code)] if found is not None else DEAD)

    def _known(self, signature: bytes) -> bytes:
        if not self.limited:
            return signature
        return bytes(life or other for life, other in zip(signature, _UNDECIDED, strict=True))

    def dumps(self) -> bytes:
        """The result as bytes."""
        return marshal.dumps(
            (
                self.signatures,
                {path: _row(module) for path, module in self.modules.items()},
                # Read only where evidence is asked for: half of the whole.
                marshal.dumps({phase: _row(paths) for phase, paths in self.paths.items()}),
                self.broken,
                self.cut_short,
                self.limited,
                self.losses,
                self.rooted,
                self.info,
            )
        )


def loads(data: bytes | memoryview) -> Result:
    """What ``Result.dumps`` made."""
    signatures, modules, paths, broken, cut_short, limited, losses, rooted, info = marshal.loads(data)
    return Result(
        signatures,
        {path: ModuleResult(*row) for path, row in modules.items()},
        _LazyPaths(paths),
        broken,
        cut_short,
        limited,
        losses,
        rooted,
        info,
    )


class _LazyPaths(dict[str, PhasePaths]):
    """The call paths, read when one is first asked for."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self._data: bytes | None = data

    def __missing__(self, phase: str) -> PhasePaths:
        if self._data is None:
            raise KeyError(phase)
        rows, self._data = marshal.loads(self._data), None
        self.update((name, PhasePaths(*row)) for name, row in rows.items())
        return self[phase]


def pack(numbers: list[int]) -> bytes:
    """Signature numbers as bytes."""
    return array("H", numbers).tobytes()


def _number(packed: bytes, index: int) -> int:
    found = packed[2 * index : 2 * index + 2]
    return int.from_bytes(found, _ORDER) if found else 0


_ORDER: Any = "little" if array("H", [1]).tobytes()[0] else "big"


def _row(record: Any) -> tuple[Any, ...]:
    return tuple(getattr(record, each.name) for each in fields(record))
