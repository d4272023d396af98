"""The verdict of a place in each phase, with its witness or its proof.

A CUDA graph captured in one phase is replayed in another: what the capture
reaches is baked into the phase that the graph serves, though its Python does
not run there.  ``via`` tells which of the two makes a place live.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

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

_LIMITED = "the analysis stopped at its limit of work: what it did not come to may run in any phase"


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
        if not asked.column(0):
            return self._all_dead(self._dead(asked) if evidence else None, doubts)
        return {phase: self._phase(asked, phase, evidence) for phase in PHASES}

    def _all_dead(self, proof: Proof | None, doubts: tuple[str, ...]) -> dict[str, PhaseVerdict]:
        rooted = PhaseVerdict("unreachable", "assumed" if doubts else "proved", (), doubts, proof=proof)
        rootless = replace(rooted, proof=Proof("no-root") if proof is not None else None)
        return {phase: rooted if phase in self.result.rooted else rootless for phase in PHASES}

    def _phase(self, asked: Asked, phase: str, evidence: bool) -> PhaseVerdict:
        own = asked.column(_column(phase))
        graph = asked.column(_column(BAKED[phase])) if phase in BAKED else 0
        life = max(own & 3, graph & 3)
        if not life:
            proof = self.proofs.in_phase(asked.path, asked.most_live(0), phase) if evidence else None
            return PhaseVerdict("unreachable", "proved", proof=proof)
        via = tuple(name for name, found in (("python", own), ("cuda-graph", graph)) if found)
        source = phase if own & 3 == life else BAKED[phase]
        supposed = all(found & SUPPOSED for found in (own, graph) if found & 3 == life)
        verdict = PhaseVerdict(
            "reachable" if life == 2 else "conditional", "assumed" if supposed else "proved", via,
            (_LIMITED if self.result.limited else _SUPPOSED,) if supposed else (),
        )  # fmt: skip
        return self._with_witness(verdict, asked, source, life) if evidence else verdict

    def _with_witness(self, verdict: PhaseVerdict, asked: Asked, phase: str, life: int) -> PhaseVerdict:
        steps = self.witnesses.path(phase, asked, asked.most_live(_column(phase)))
        return replace(verdict, guards=open_guards(steps, life), witness=steps)

    def _dead(self, asked: Asked) -> Proof:
        if asked.entry is not None:
            return self.proofs.of_entry(asked.path, asked.entry)
        return self.proofs.of_unit(asked.path, asked.units[0])


def _column(phase: str) -> int:
    return 1 + PHASES.index(phase)


__all__ = ["BAKED", "PhaseVerdicts"]
