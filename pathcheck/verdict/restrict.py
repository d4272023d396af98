"""Verdicts over a choice of phases (``--phase``) instead of over all."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from pathcheck.verdict.model import LIVENESS, PhaseVerdict, PlaceVerdict


def restrict(place: PlaceVerdict, phases: Collection[str]) -> PlaceVerdict:
    """The same place, its overall verdict taken over these phases only.

    What each phase says is untouched, and so are the statements, whose
    verdicts are not kept by phase.
    """
    chosen = [verdict for phase, verdict in place.phases.items() if phase in phases]
    if not phases or not chosen or place.verdict is None:
        return place
    most = max(chosen, key=_rank)
    # One live phase is enough; dead must hold in every one of them.
    basis = [most] if most.verdict != "unreachable" else chosen
    proved = all(verdict.confidence == "proved" for verdict in basis)
    return replace(
        place,
        verdict=most.verdict,
        confidence="proved" if proved else "assumed",
        assumptions=tuple(sorted({text for verdict in basis for text in verdict.assumptions})),
    )


def _rank(verdict: PhaseVerdict) -> tuple[int, bool]:
    return (LIVENESS[verdict.verdict], verdict.confidence == "proved")
