"""The JSON is the contract's: every key, every phase, the same bytes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pathcheck.change.model import Change
from pathcheck.report.base import Evidence, View
from pathcheck.report.json import JsonFormat
from pathcheck.verdict import model
from pathcheck.verdict.model import PHASES, AnalysisInfo, Guard, PhaseVerdict, PlaceVerdict, Proof, Step
from pathcheck.verdict.reports import (
    ChangeVerdict,
    CommitSummary,
    DiffReport,
    ExplainReport,
    Flip,
    NoPlace,
    OtherFile,
    Revision,
    Suspect,
)

WRITES = tuple(model.Evidence("w.py", n, f"flag = {n}", "never called") for n in range(9))
GUARD = Guard("g.py", 3, "flag", None, "fact", "gpu.nvlink", WRITES)
LIVE = PhaseVerdict(
    "reachable", "proved", ("cuda-graph",), guards=(GUARD,), witness=(Step("s.py", 1, "f", (GUARD,)),)
)
DEAD = PhaseVerdict("unreachable", "proved", proof=Proof("guard", (GUARD,), WRITES, WRITES))


def change(lines: tuple[int, int] = (1, 2), **more: Any) -> Change:
    return Change("id1", None, "a.py", None, "head", lines, "f", "statement", ask=lines, **more)


def place(verdict: Any = "reachable", **phases: PhaseVerdict) -> PlaceVerdict:
    named = {name.replace("_", "-"): phase for name, phase in phases.items()}
    return PlaceVerdict(
        "a.py", (1, 2), "f", "statement", verdict, statements=(((1, 2), "reachable"),), phases=named
    )


def report(*places: PlaceVerdict) -> DiffReport:
    commit = CommitSummary("c" * 40, "T\x1b[31m", {"reachable": 1}, "live", ("r",))
    return DiffReport(
        "repo",
        Revision("A", "a" * 40),
        Revision("B", "b" * 40),
        {"server_args": {}},
        AnalysisInfo(world=("w",)),
        (commit,),
        tuple(ChangeVerdict(change(), p, commit.sha, commit.title) for p in places),
        (OtherFile("x.md", "c", "docs", "outside", "text"),),
        (
            Flip(
                "f1",
                "a.py",
                (1, 2),
                "g",
                "verify",
                "unreachable",
                "reachable",
                "proved",
                ("python",),
                WRITES[0],
            ),
        ),
        (Suspect("c", "verify", 1, ("r",)),),
        (("b.py", "does not parse"),),
    )


def parsed(answer: DiffReport, evidence: Evidence = "full") -> Any:
    return json.loads(JsonFormat().diff(answer, View(evidence)))


def test_every_key_of_the_contract() -> None:
    found = parsed(report(place(verify=LIVE, decode=DEAD)))
    assert list(found) == [
        "schema",
        "tool",
        "repo",
        "base",
        "head",
        "facts",
        "commits",
        "changes",
        "other_files",
        "flips",
        "startup_stops",
        "suspects",
        "watchdogs",
        "incomplete",
        "summary",
    ]
    (shown,) = found["changes"]
    assert set(shown) >= {
        "id",
        "parent",
        "file",
        "old_file",
        "side",
        "lines",
        "symbol",
        "commit",
        "title",
        "kind",
        "verdict",
        "confidence",
        "assumptions",
        "statements",
        "phases",
    }
    assert list(shown["phases"]) == list(PHASES)
    assert set(found["flips"][0]) == {
        "id",
        "file",
        "lines",
        "symbol",
        "phase",
        "before",
        "after",
        "confidence",
        "via",
        "cause",
    }
    assert found["commits"][0]["title"] == "T\x1b[31m"
    assert found["incomplete"] == [{"file": "b.py", "reason": "does not parse"}]
    empty = DiffReport("r", Revision("A", "a"), Revision("B", "b"), {}, AnalysisInfo())
    assert list(parsed(empty)) == list(found)


def test_a_phase_with_all_its_evidence() -> None:
    verify = parsed(report(place(verify=LIVE)))["changes"][0]["phases"]["verify"]
    assert list(verify) == ["verdict", "confidence", "via", "assumptions", "guards", "witness", "proof"]
    guard = verify["guards"][0]
    assert list(guard) == ["file", "line", "text", "value", "open", "fact", "why"]
    assert guard["why"][0] == {"file": "w.py", "line": 0, "text": "flag = 0"}
    assert list(verify["witness"][0]) == ["file", "line", "symbol", "guards"]
    proof = parsed(report(place(decode=DEAD)))["changes"][0]["phases"]["decode"]["proof"]
    assert list(proof) == ["kind", "cut", "writes", "mentions"] and len(proof["writes"]) == 9
    assert list(proof["writes"][0]) == ["file", "line", "text", "dead_because"]
    assert list(proof["mentions"][0]) == ["file", "line", "dead_because"]


def test_less_evidence() -> None:
    answer = report(place(decode=DEAD))
    short = parsed(answer, "short")["changes"][0]["phases"]["decode"]
    assert set(short) == set(parsed(answer)["changes"][0]["phases"]["decode"])
    assert len(short["proof"]["writes"]) == 3
    none = parsed(answer, "none")["changes"][0]["phases"]["decode"]
    assert none == {"verdict": "unreachable", "confidence": "proved", "via": []}


@pytest.mark.parametrize(
    ("verdict", "phase"), [("reachable", "conditional"), ("unreachable", "unreachable"), (None, None)]
)
def test_a_phase_that_is_not_told_apart_is_honest(verdict: Any, phase: Any) -> None:
    shown = parsed(report(place(verdict)))["changes"][0]
    assert shown["verdict"] == verdict and shown["phases"]["idle"]["verdict"] == phase
    if verdict == "reachable":
        assert shown["phases"]["idle"]["confidence"] == "assumed"
        assert shown["phases"]["idle"]["assumptions"] == ["not decided for this phase"]


def test_the_summary_counts_by_phase() -> None:
    summary = parsed(report(place(verify=LIVE), place("unreachable")))["summary"]
    assert summary["changes"] == 2
    assert summary["by_phase"]["verify"] == {"reachable": 1, "conditional": 0, "unreachable": 1}


def test_explained_places_and_those_that_do_not_exist() -> None:
    answer = ExplainReport(
        "repo",
        Revision("B", "b"),
        {},
        AnalysisInfo(),
        (NoPlace("x.py", (1, 1), "no such file"), place(verify=LIVE)),
    )
    found = json.loads(JsonFormat().explain(answer, View("full")))
    assert set(found) >= {
        "schema",
        "tool",
        "head",
        "facts",
        "startup_stops",
        "watchdogs",
        "incomplete",
        "results",
    }
    assert found["results"][0] == {"file": "x.py", "lines": [1, 1], "error": "no such file"}
    assert found["results"][1]["file"] == "a.py" and found["results"][1]["verdict"] == "reachable"


def test_the_same_bytes_and_nothing_but_ascii() -> None:
    answer = report(place(verify=LIVE))
    text = JsonFormat().diff(answer, View())
    assert text == JsonFormat().diff(answer, View())
    assert text.isascii() and text.count("\n") == 1
