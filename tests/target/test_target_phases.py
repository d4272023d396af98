"""The table of phases: complete, consistent, and true to the contract's words."""

from __future__ import annotations

import re

import pytest

from pathcheck.target import load
from pathcheck.target.phases import PHASE_ROOTS, PhaseRoots, Root, entries_of
from pathcheck.verdict.model import HOT_PHASES, PHASES

NAME = re.compile(r"[\w.]+:\w+(\.\w+)*")
MODES = {
    *("EXTEND", "MIXED", "SPLIT_PREFILL", "DLLM_EXTEND", "DECODE", "IDLE", "PREBUILT"),
    *("TARGET_VERIFY", "DRAFT_EXTEND", "DRAFT_EXTEND_V2"),
}


def functions(phase: str) -> set[str]:
    return {root.function for entry in entries_of(phase) for root in entry.roots}


def root(phase: str, ending: str) -> Root:
    (found,) = (r for e in entries_of(phase) for r in e.roots if r.function.endswith(ending))
    return found


def test_every_phase_of_the_contract_is_described_in_its_order() -> None:
    seen = list(dict.fromkeys(entry.phase for entry in PHASE_ROOTS))
    assert seen == list(PHASES)


@pytest.mark.parametrize("entry", PHASE_ROOTS, ids=lambda e: f"{e.phase}-{e.role}")
def test_an_entry_is_well_formed(entry: PhaseRoots) -> None:
    assert entry.reason
    assert set(entry.modes) <= MODES
    assert bool(entry.roots) == (entry.phase != "import")
    for item in entry.roots:
        assert NAME.fullmatch(item.function), item.function
        assert item.reason
        assert set(item.modes or ()) <= MODES
    keys = [(r.function, r.receiver, r.self_class) for r in entry.roots]
    assert len(keys) == len(set(keys))


def test_a_process_has_one_entry_per_phase() -> None:
    keys = [(e.phase, e.role) for e in PHASE_ROOTS]
    assert len(keys) == len(set(keys))


def test_forwards_know_their_modes() -> None:
    forwards = [p for p in HOT_PHASES if p not in ("schedule", "result")]
    assert all(entry.modes for phase in forwards for entry in entries_of(phase))
    assert all(entry.modes for entry in PHASE_ROOTS if entry.phase.startswith("capture-"))


def test_what_phases_share_is_a_root_of_each() -> None:
    shared = "sglang.srt.managers.tp_worker:TpModelWorker.forward_batch_generation"
    assert {p for p in PHASES if shared in functions(p)} == {"prefill", "decode", "verify"}
    assert functions("capture-verify") >= functions("capture-decode")
    queue = "sglang.srt.managers.scheduler:Scheduler.process_input_requests"
    assert {p for p in PHASES if queue in functions(p)} == {"admission", "schedule"}


def test_decode_has_no_root_below_a_speculative_worker() -> None:
    forward = root("decode", ":TpModelWorker.forward_batch_generation")
    assert forward.callers == ("sglang.srt.managers.scheduler:Scheduler.run_batch",)


def test_draft_steps_can_be_captured_and_run() -> None:
    # draft_forward is reached from draft and from its capture; as a root of one it would stop the other.
    assert not [f for phase in PHASES for f in functions(phase) if f.endswith(".draft_forward")]


def test_the_first_steps_of_each_worker() -> None:
    assert "sglang.srt.speculative.eagle_worker:EAGLEWorker.verify" in functions("verify")
    assert "sglang.srt.speculative.eagle_worker_v2:EAGLEWorkerV2.verify" in functions("verify")
    assert "sglang.srt.speculative.eagle_worker:EAGLEWorker.forward_batch_generation" not in functions(
        "verify"
    )
    for worker in (
        "ngram_worker:NGRAMWorker",
        "dflash_worker:DFlashWorker",
        "dflash_worker_v2:DFlashWorkerV2",
    ):
        name = f"sglang.srt.speculative.{worker}.forward_batch_generation"
        assert name in functions("verify") & functions("prefill")


def test_ordinary_entries_admit_and_administration_maintains() -> None:
    ordinary = {e.function for e in load.ENTRIES if e.service is load.Service.ORDINARY}
    control = {e.function for e in load.ENTRIES if e.service is load.Service.ADMINISTRATION}
    assert ordinary <= functions("admission")
    assert control <= functions("maintenance")
    assert not ordinary & functions("maintenance")


def test_maintenance_stops_nobody() -> None:
    # Start-up and the loop call some of the same functions; stopping there would call live code dead.
    assert [e for e in PHASE_ROOTS if not e.claims] == list(entries_of("maintenance"))
