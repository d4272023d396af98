"""The phases of a server with a worker, a speculative worker and a graph."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tiny_spec import EAGLE, GRAPH, MODEL, SCHEDULER, SPECULATIVE, WORKER

from pathcheck.deployment.model import Deployment
from pathcheck.revision.ranges import open_tree
from pathcheck.revision.repository import Repository
from pathcheck.verdict.engine import open_decider
from pathcheck.verdict.model import PlaceVerdict
from pathcheck.verdict.seam import Decider, silent

Ask = Callable[[bool, str, str], PlaceVerdict]


@pytest.fixture
def ask(repo: Path, commit: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """The verdict of the line that holds a text, with or without speculation."""
    monkeypatch.setenv("PATHCHECK_CACHE", str(tmp_path / "cache"))
    commit("tiny", SPECULATIVE)
    tree = open_tree(Repository.open(repo), "HEAD")
    opened: dict[bool, Decider] = {}

    def call(speculative: bool, path: str, text: str) -> PlaceVerdict:
        if speculative not in opened:
            given = {"model_path": "m", "speculative": speculative}
            deployment = Deployment(given, {}, "unset", {"packages_else": "absent"})
            opened[speculative] = open_decider(tree, deployment, silent)
        lines = str(SPECULATIVE[path]).split("\n")
        line = next(number for number, content in enumerate(lines, 1) if text in content)
        return opened[speculative].place(path, line, line, True)

    return call


def test_without_speculation(ask: Ask) -> None:
    place = ask(False, WORKER, "self.graph.replay")
    assert place.live_phases() == ("prefill", "decode")
    proof = place.phases["verify"].proof
    assert proof is not None and proof.kind == "no-root"
    assert ask(False, EAGLE, "found =").verdict == "unreachable"


def test_with_speculation(ask: Ask) -> None:
    assert ask(True, EAGLE, "found =").live_phases() == ("verify",)
    assert ask(True, EAGLE, "        return batch").live_phases() == ("draft",)
    place = ask(True, WORKER, "self.graph.replay")
    assert place.live_phases() == ("prefill", "verify")
    proof = place.phases["decode"].proof
    assert proof is not None and proof.kind == "no-root"


@pytest.mark.parametrize(("speculative", "served"), [(False, "decode"), (True, "verify")])
def test_what_a_capture_reaches_is_baked_into_the_phase_it_serves(
    ask: Ask, speculative: bool, served: str
) -> None:
    place = ask(speculative, MODEL, "return batch + 1")
    assert place.live_phases() == (f"capture-{served}", served)
    assert place.phases[served].via == ("cuda-graph",)
    assert place.phases[f"capture-{served}"].via == ("python",)
    steps = [step.symbol for step in place.phases[served].witness]
    assert steps == ["CudaGraphRunner.capture", "Model.forward"]
    assert ask(speculative, GRAPH, "return self.output").phases[served].via == ("python",)


def test_a_thread_is_in_some_phase(ask: Ask) -> None:
    place = ask(False, SCHEDULER, 'return "watching"')
    assert place.verdict == "reachable" and place.live_phases()
