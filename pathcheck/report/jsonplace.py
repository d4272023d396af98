"""The JSON of one place: its statements, and each phase with its evidence."""

from __future__ import annotations

from typing import Any

from pathcheck.report.base import Evidence
from pathcheck.verdict import model
from pathcheck.verdict.model import PHASES, Guard, PhaseVerdict, PlaceVerdict, Proof, Step

#: ``--evidence short`` keeps so many writes of a proof and reasons of a guard.
SHORT = 3

_NOT_DECIDED = "not decided for this phase"


def statements(place: PlaceVerdict) -> list[dict[str, Any]]:
    """Each statement of the range with its verdict, by line."""
    ordered = sorted(place.statements)
    return [{"lines": list(lines), "verdict": verdict} for lines, verdict in ordered]


def phases(place: PlaceVerdict, evidence: Evidence) -> dict[str, dict[str, Any]]:
    """Every phase, always, in the order of the contract."""
    return {phase: _phase(phase_or_default(place, phase), evidence) for phase in PHASES}


def phase_or_default(place: PlaceVerdict, phase: str) -> PhaseVerdict | None:
    """What is known of a phase that the analysis does not tell apart.

    Dead everywhere is dead there; live somewhere may be live there, and says
    so. None for a place without code.
    """
    known = place.phases.get(phase)
    if known is not None or place.verdict is None:
        return known
    if place.verdict == "unreachable":
        return PhaseVerdict("unreachable", place.confidence, assumptions=place.assumptions)
    return PhaseVerdict("conditional", "assumed", assumptions=(*place.assumptions, _NOT_DECIDED))


def _phase(verdict: PhaseVerdict | None, evidence: Evidence) -> dict[str, Any]:
    if verdict is None:
        head: dict[str, Any] = {"verdict": None, "confidence": "proved", "via": []}
        verdict = PhaseVerdict("unreachable", "proved")
    else:
        head = {"verdict": verdict.verdict, "confidence": verdict.confidence, "via": list(verdict.via)}
    if evidence == "none":
        return head
    return {
        **head,
        "assumptions": list(verdict.assumptions),
        "guards": [_guard(guard, evidence) for guard in verdict.guards],
        "witness": [_step(step, evidence) for step in verdict.witness],
        "proof": _proof(verdict.proof, evidence) if verdict.proof else None,
    }


def _guard(guard: Guard, evidence: Evidence) -> dict[str, Any]:
    return {
        "file": guard.file,
        "line": guard.line,
        "text": guard.text,
        "value": guard.value,
        "open": guard.open,
        "fact": guard.fact,
        "why": [_line(write) for write in _some(guard.why, evidence)],
    }


def _step(step: Step, evidence: Evidence) -> dict[str, Any]:
    return {
        "file": step.file,
        "line": step.line,
        "symbol": step.symbol,
        "guards": [_guard(guard, evidence) for guard in step.guards],
    }


def _proof(proof: Proof, evidence: Evidence) -> dict[str, Any]:
    return {
        "kind": proof.kind,
        "cut": [_guard(guard, evidence) for guard in proof.cut],
        "writes": [
            {**_line(write), "dead_because": write.dead_because} for write in _some(proof.writes, evidence)
        ],
        "mentions": [
            {"file": mention.file, "line": mention.line, "dead_because": mention.dead_because}
            for mention in _some(proof.mentions, evidence)
        ],
    }


def _some(lines: tuple[model.Evidence, ...], evidence: Evidence) -> tuple[model.Evidence, ...]:
    return lines if evidence == "full" else lines[:SHORT]


def _line(line: model.Evidence) -> dict[str, Any]:
    return {"file": line.file, "line": line.line, "text": line.text}
