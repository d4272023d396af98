"""A tiny server analysed whole: verdicts, phases, evidence, and the cache of results."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tiny import ARGS, EXTRA, FILES, FLAGS, LAUNCH, SCHEDULER, line_of

from pathcheck.deployment.model import Deployment
from pathcheck.flow import values
from pathcheck.revision.ranges import open_tree
from pathcheck.revision.repository import Repository
from pathcheck.verdict import analysis
from pathcheck.verdict.engine import open_decider
from pathcheck.verdict.model import PlaceVerdict
from pathcheck.verdict.seam import AnalysisError, Decider, NoSuchPlace, silent

Commit = Callable[..., str]
Opened = Callable[..., Decider]


@pytest.fixture
def opened(repo: Path, commit: Commit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Analyses the tiny server with some files changed, under some facts and arguments."""
    monkeypatch.setenv("PATHCHECK_CACHE", str(tmp_path / "cache"))

    def opener(
        changed: dict[str, Any] | None = None, facts: dict[str, Any] | None = None, **arguments: Any
    ) -> Decider:
        commit("tiny", {**FILES, **(changed or {})})
        tree = open_tree(Repository.open(repo), "HEAD")
        stated = {"packages_else": "absent", **(facts or {})}
        return open_decider(tree, Deployment({"model_path": "m", **arguments}, {}, "unset", stated), silent)

    return opener


def at(decider: Decider, path: str, text: str, evidence: bool = True) -> PlaceVerdict:
    line = line_of(path, text)
    return decider.place(path, line, line, evidence)


def test_an_argument_decides(opened: Opened) -> None:
    plain, turbo = opened(), opened(turbo=True)
    for decider, other in ((plain, turbo), (turbo, plain)):
        del other
        assert at(decider, SCHEDULER, "if is_fast()").verdict == "reachable"
        assert at(decider, SCHEDULER, "def event_loop_normal").verdict == "reachable"
    rows = [
        (at(plain, path, text).verdict, at(turbo, path, text).verdict)
        for path, text in (
            (SCHEDULER, "self.runner.replay()"),
            (SCHEDULER, "with fast()"),
            (FLAGS, "_fast = True"),
            (ARGS, 'self.mode = "turbo"'),
            (ARGS, 'self.mode = "plain"'),
        )
    ]
    assert rows == [("unreachable", "reachable")] * 4 + [("reachable", "unreachable")]


def test_the_phases_of_a_place(opened: Opened) -> None:
    decider = opened()
    live = {
        text: at(decider, path, text).live_phases()
        for path, text in (
            (FLAGS, "def is_fast"),
            (FLAGS, "return _fast"),
            (SCHEDULER, "return 1\n".strip()),
            (SCHEDULER, "self.turbo = server_args.turbo"),
            (ARGS, 'self.mode = "plain"'),
        )
    }
    assert live["def is_fast"] == ("import",)
    assert live["return _fast"] == ("schedule",)
    assert live["self.turbo = server_args.turbo"] == ("init",)
    assert live['self.mode = "plain"'] == ("args",)
    place = at(decider, SCHEDULER, "if is_fast()")
    assert place.phases["verify"].proof is not None and place.phases["verify"].proof.kind == "no-root"
    assert place.phases["result"].proof is not None and place.phases["result"].proof.kind == "no-caller"


def test_a_proof_names_the_guard_and_the_writes_behind_it(opened: Opened) -> None:
    place = at(opened(), SCHEDULER, 'print("fast")')
    assert (place.verdict, place.confidence) == ("unreachable", "proved")
    proof = place.phases["schedule"].proof
    assert proof is not None and proof.kind == "guard"
    (guard,) = proof.cut
    assert (guard.text, guard.value, guard.line) == ("is_fast()", False, line_of(SCHEDULER, "if is_fast()"))
    writes = [(w.file, w.text, w.dead_because is None) for w in proof.writes]
    assert writes == [
        (FLAGS, "_fast = False", True),
        (FLAGS, "_fast = True", False),
        (FLAGS, "_fast = False", False),
    ]
    assert [w.text for w in guard.why] == ["_fast = False"]
    assert "fast" in str(proof.writes[1].dead_because)


@pytest.mark.parametrize(
    ("text", "kind", "cut"),
    [
        ("self.runner.replay()", "guard", ("self.turbo and self.runner", False)),
        ('print("never")', "guard", ("return 1 goes on", False)),
        ("with fast()", "no-caller", ("self.turbo and self.runner", False)),
        ("return 2", "no-caller", None),
        ("self.server_args = server_args", "no-caller", ("server_args.turbo", False)),
    ],
)
def test_cuts(opened: Opened, text: str, kind: str, cut: tuple[str, bool] | None) -> None:
    place = at(opened(), SCHEDULER, text)
    assert place.verdict == "unreachable"
    proof = place.phases["schedule"].proof
    assert proof is not None and proof.kind == kind
    assert [(g.text, g.value) for g in proof.cut] == ([cut] if cut else [])


def test_a_witness_leads_from_the_root(opened: Opened) -> None:
    place = at(opened(turbo=True), SCHEDULER, "with fast()")
    steps = place.phases["schedule"].witness
    assert [step.symbol for step in steps] == [
        "Scheduler.event_loop_normal",
        "Scheduler.run_batch",
        "Runner.replay",
    ]
    assert [step.line for step in steps][-1] == line_of(SCHEDULER, "with fast()")
    tests = [(guard.text, guard.value) for guard in steps[1].guards]
    assert ("is_fast()", False) in tests and ("self.turbo and self.runner", True) in tests


def test_whole_functions_and_places_without_code(opened: Opened) -> None:
    decider = opened()
    first = line_of(SCHEDULER, "def unused")
    whole = decider.place(SCHEDULER, first, first + 1, True)
    assert (whole.kind, whole.verdict, whole.symbol) == ("function", "unreachable", "Scheduler.unused")
    assert whole.statements == (((first, first), "reachable"), ((first + 1, first + 1), "unreachable"))
    assert at(decider, SCHEDULER, "def unused").verdict == "reachable"
    blank = decider.place(SCHEDULER, 2, 2, True)
    assert (blank.kind, blank.verdict) == ("comment", None)


def test_files_that_nothing_loads(opened: Opened) -> None:
    decider = opened({"test/t.py": "x = 1\n", "a.txt": "a\n"})
    for path in (EXTRA, "test/t.py"):
        place = decider.place(path, 1, 1, True)
        assert (place.verdict, place.confidence) == ("unreachable", "proved")
        proof = place.phases["init"].proof
        assert proof is not None and proof.kind == "not-loaded" and not decider.loads(path)
    for path, line in (("nowhere.py", 1), ("a.txt", 1), (EXTRA, 99)):
        with pytest.raises(NoSuchPlace, match=path):
            decider.place(path, line, line, True)


def test_the_same_again_comes_from_the_cache(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = at(opened(), SCHEDULER, 'print("fast")')

    def never(*_: object) -> None:
        raise AssertionError("analysed again")

    real = analysis.analyse
    monkeypatch.setattr(analysis, "analyse", never)
    assert at(opened(), SCHEDULER, 'print("fast")') == first
    with pytest.raises(AssertionError):
        opened(turbo=True)
    monkeypatch.setattr(analysis, "analyse", real)
    for kept in (tmp_path / "cache" / "analysis").iterdir():
        kept.write_bytes(kept.read_bytes()[:-20])
    assert at(opened(), SCHEDULER, 'print("fast")') == first


def test_what_is_no_server(opened: Opened) -> None:
    none: dict[str, Any] = {path: None for path in FILES if "srt" in path}
    with pytest.raises(AnalysisError, match="no python/sglang/srt"):
        opened({**none, "python/sglang/a.py": "x = 1\n"})


def test_an_entry_point_that_is_not_there(opened: Opened) -> None:
    with pytest.raises(AnalysisError, match=r"launch_server\.py"):
        opened({LAUNCH: None})
    with pytest.raises(AnalysisError, match="run_scheduler_process"):
        opened({SCHEDULER: str(FILES[SCHEDULER]).replace("run_scheduler_process", "run_it")})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"turbe": True}, "turbe.*turbo"),
        ({"depth": "deep"}, "depth.*int"),
        ({"colour": "green"}, "colour.*red, blue"),
    ],
)
def test_wrong_arguments(opened: Opened, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(AnalysisError, match=message) as error:
        opened(**arguments)
    assert error.value.code == 2


def test_a_fact_that_contradicts_the_revision(opened: Opened) -> None:
    source = "import torch\n" + str(FILES[SCHEDULER])
    with pytest.raises(AnalysisError, match=r"scheduler\.py:1 imports torch.*packages\.torch"):
        opened({SCHEDULER: source}, facts={"packages": {"torch": False}})


def test_a_file_that_does_not_parse(opened: Opened) -> None:
    broken = {EXTRA: "def extra(:\n"}
    assert opened(broken).info.incomplete == ()
    loaded = opened({**broken, SCHEDULER: "import sglang.srt.extra\n" + str(FILES[SCHEDULER])})
    assert [path for path, _ in loaded.info.incomplete] == [EXTRA]
    line = line_of(SCHEDULER, 'print("fast")') + 1
    dead = loaded.place(SCHEDULER, line, line, False)
    assert (dead.verdict, dead.confidence) == ("unreachable", "assumed")


def test_an_answer_from_the_cache_needs_no_analysis_modules() -> None:
    """A second is the aim for the whole answer: the analysis alone takes a third of one to import."""
    code = (
        "import sys; import pathcheck.verdict.engine, pathcheck.verdict.decide; "
        "print([m for m in sys.modules if m.startswith(('pathcheck.flow', 'libcst', 'networkx', 'rich'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_not_reached_within_the_limit_of_work_is_not_called_dead(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(values, "MAX_WORK", 20)
    decider = opened()
    assert any("limit of work" in why for _, why in decider.info.incomplete)
    first = line_of(SCHEDULER, "def unused")
    dead = decider.place(SCHEDULER, first + 1, first + 1, True)
    other = decider.place(EXTRA, 1, 1, True)
    for found in (dead, other):
        assert found.verdict == "conditional"
        assert found.confidence == "assumed"
        assert {phase.verdict for phase in found.phases.values()} == {"conditional"}
