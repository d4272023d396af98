"""The verdict of a place in each phase, with its witness or its proof.

A CUDA graph captured in one phase is replayed in another: what the capture
reaches is baked into the phase that the graph serves, though its Python does
not run there.  ``via`` tells which of the two makes a place live.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pathcheck.verdict.asked import Asked
from pathcheck.verdict.corpus import Corpus
from pathcheck.verdict.model import PHASES, PhaseVerdict, Proof
from pathcheck.verdict.proofs import Proofs
from pathcheck.verdict.result import SUPPOSED, Result
from pathcheck.verdict.sources import Sources
from pathcheck.verdict.witnesses import Witnesses, open_guards

#: Served phase -> the capture of its graph.
BAKED = {
    "verify": "capture-verify",
    "decode": "capture-decode",
    "draft": "capture-draft",
    "draft-extend": "capture-draft-extend",
    "prefill": "capture-pcg",
}
_SUPPOSED = "no call path from a root of this phase is known: it is attributed by the process it runs in"


@dataclass(slots=True)
class PhaseVerdicts:
    """Makes the phases of a place's verdict."""

    sources: Sources
    result: Result
    corpus: Corpus
    proofs: Proofs = field(init=False)
    witnesses: Witnesses = field(init=False)

    def __post_init__(self) -> None:
        self.proofs = Proofs(self.sources, self.result, self.corpus)
        self.witnesses = Witnesses(self.sources, self.result)

    def all(self, asked: Asked, doubts: tuple[str, ...], evidence: bool) -> dict[str, PhaseVerdict]:
        """Every phase."""
        dead = self._dead(asked) if evidence and not asked.column(0) else None
        return {phase: self._phase(asked, phase, doubts, evidence, dead) for phase in PHASES}

    def _phase(
        self, asked: Asked, phase: str, doubts: tuple[str, ...], evidence: bool, dead: Proof | None
    ) -> PhaseVerdict:
        own = asked.column(_column(phase))
        graph = asked.column(_column(BAKED[phase])) if phase in BAKED else 0
        life = max(own & 3, graph & 3)
        if not life:
            return self._unreachable(asked, phase, doubts, evidence, dead)
        via = tuple(name for name, found in (("python", own), ("cuda-graph", graph)) if found)
        source = phase if own & 3 == life else BAKED[phase]
        supposed = all(found & SUPPOSED for found in (own, graph) if found & 3 == life)
        verdict = PhaseVerdict(
            "reachable" if life == 2 else "conditional", "assumed" if supposed else "proved", via,
            (_SUPPOSED,) if supposed else (),
        )  # fmt: skip
        return self._with_witness(verdict, asked, source, life) if evidence else verdict

    def _with_witness(self, verdict: PhaseVerdict, asked: Asked, phase: str, life: int) -> PhaseVerdict:
        steps = self.witnesses.path(phase, asked, asked.most_live(_column(phase)))
        return PhaseVerdict(
            verdict.verdict, verdict.confidence, verdict.via, verdict.assumptions,
            open_guards(steps, life), steps,
        )  # fmt: skip

    def _unreachable(
        self, asked: Asked, phase: str, doubts: tuple[str, ...], evidence: bool, dead: Proof | None
    ) -> PhaseVerdict:
        proof = Proof("no-root") if phase not in self.result.rooted else dead
        if proof is None and evidence:
            proof = self.proofs.in_phase(asked.path, asked.most_live(0), phase)
        return PhaseVerdict("unreachable", "assumed" if doubts else "proved", (), doubts, proof=proof)

    def _dead(self, asked: Asked) -> Proof:
        if asked.entry is not None:
            return self.proofs.of_entry(asked.path, asked.entry)
        return self.proofs.of_unit(asked.path, asked.units[0])


def _column(phase: str) -> int:
    return 1 + PHASES.index(phase)


__all__ = ["BAKED", "PhaseVerdicts"]
