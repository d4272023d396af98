"""Commands end to end: what they print, where, and with which exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pathcheck.verdict.seam import AnalysisError

A = "python/sglang/srt/a.py"
Run = Callable[..., Any]
History = tuple[str, str]


def one_line(result: Any) -> str:
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1 and result.stderr.startswith("pathcheck: "), result.stderr
    assert "Traceback" not in result.output
    return str(result.stderr)


def test_diff_as_json(run: Run, history: History) -> None:
    result = run("diff", f"{history[0]}..HEAD", "--format", "json")
    found = json.loads(result.stdout)
    assert result.exit_code == 0 and result.stderr == ""
    assert found["head"] == {"rev": "HEAD", "sha": history[1]} and found["base"]["sha"] == history[0]
    assert [(c["lines"], c["verdict"]) for c in found["changes"]] == [([1, 1], "reachable")]
    assert found["commits"][0]["status"] == "live"
    assert found["facts"]["given"]["server_args"]["model_path"] == "m" and "sk-secret" not in result.stdout


def test_diff_as_text_is_harmless(run: Run, history: History) -> None:
    result = run("diff", f"{history[0]}..HEAD")
    assert result.exit_code == 0 and result.stdout.startswith("Yes: ")
    assert "[red]one" in result.stdout and "\x1b" not in result.stdout


@pytest.mark.parametrize("form", ["text", "json"])
def test_two_runs_give_the_same_bytes(run: Run, history: History, form: str) -> None:
    first, second = (run("diff", f"{history[0]}..HEAD", "--format", form).stdout for _ in range(2))
    assert first == second != ""


def test_local_patches(run: Run, history: History, repo: Path) -> None:
    (repo / A).write_text("x = LIVE\ny = MAYBE\n")
    found = json.loads(run("diff", "HEAD..WORKTREE", "--format", "json").stdout)
    assert [(c["lines"], c["verdict"], c["commit"]) for c in found["changes"]] == [
        ([2, 2], "conditional", "WORKTREE")
    ]


def test_the_gate_sets_the_exit_code_and_nothing_else(run: Run, history: History) -> None:
    span = f"{history[0]}..HEAD"
    free, met, other = (
        run("diff", span, *more) for more in ((), ("--fail-on", "decode,verify"), ("--fail-on", "decode"))
    )
    assert [r.exit_code for r in (free, met, other)] == [0, 1, 0]
    assert free.stdout == met.stdout == other.stdout


def test_incomplete(run: Run, history: History, commit: Callable[..., str]) -> None:
    commit("broken", {"python/sglang/b.py": "def f(:\n"})
    result = run("diff", f"{history[0]}..HEAD")
    assert result.exit_code == 3 and "python/sglang/b.py: does not parse" in result.stdout
    assert run("diff", f"{history[0]}..HEAD", "--fail-on", "verify").exit_code == 1


def test_output_goes_to_a_file(run: Run, history: History, tmp_path: Path) -> None:
    place = tmp_path / "out.json"
    result = run("diff", f"{history[0]}..HEAD", "--format", "json", "--output", str(place))
    assert result.stdout == "" and json.loads(place.read_text())["schema"] == "pathcheck/1"
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []
    assert "in a directory that exists" in one_line(run("diff", "HEAD", "--output", str(tmp_path / "no/out")))


def test_explain(run: Run, history: History) -> None:
    result = run("explain", f"{A}:1", f"{A}:1-2", "--rev", "HEAD", "--format", "json")
    found = json.loads(result.stdout)
    assert result.exit_code == 0
    assert [(r["lines"], r["verdict"]) for r in found["results"]] == [
        ([1, 1], "reachable"),
        ([1, 2], "reachable"),
    ]
    assert found["results"][0]["phases"]["verify"]["witness"]
    assert f"{A}:1" in run("explain", f"{A}:1").stdout


def test_explain_a_place_that_does_not_exist(run: Run, history: History) -> None:
    result = run("explain", f"{A}:99", "no.py:1")
    assert result.exit_code == 2 and result.stderr.count("\n") == 2
    assert "99" in result.stderr and "no.py" in result.stderr


def test_explain_a_batch(run: Run, history: History) -> None:
    asked = [{"file": A, "lines": [1, 1]}, {"file": "no.py", "lines": [1, 1]}, {"file": A, "lines": [2, 1]}]
    text = "\n".join(json.dumps(place) for place in asked) + "\n\n"
    result = run("explain", "--batch", "-", "--format", "json", input=text)
    results = json.loads(result.stdout)["results"]
    assert result.exit_code == 0
    assert ["error" in r for r in results] == [False, True, True] and results[0]["verdict"] == "reachable"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["diff", "nowhere..HEAD"], "nowhere"),
        (["diff", "--", "-x..HEAD"], "-x"),
        (["diff", "HEAD", "--phase", "verfy"], "nearest: verify"),
        (["diff", "HEAD", "--fail-on", "zzz"], "known: import"),
        (["diff", "HEAD", "--format", "xml"], "text, json"),
        (["diff", "HEAD", "--evidence", "some"], "none, short, full"),
        (["diff", "HEAD", "--launch", "python -m sglang.launch_server"], "not supported yet"),
        (["diff", "HEAD", "--repo", "/"], "--repo"),
        (["diff", "HEAD", "--assume", "x"], "FACT=VALUE"),
        (["diff", "HEAD", "--facts", "/no/such"], "/no/such"),
        (["diff", "HEAD", "--unknown"], "--unknown"),
        (["explain"], "nothing to explain"),
        (["explain", "a.py"], "FILE:LINE"),
        (["explain", "a.py:2-1"], "count from 1"),
        (["explain", "--batch", "/no/such"], "/no/such"),
        (["explain", "a.py:1", "--rev", "nowhere"], "nowhere"),
    ],
)
def test_a_wrong_call_is_one_line_and_code_2(
    run: Run, history: History, arguments: list[str], words: str
) -> None:
    dashed = "--" in arguments
    if dashed:
        arguments = [arguments[0], *run_args(run), *arguments[1:]]
    result = run(*arguments, given=not dashed)
    assert result.exit_code == 2
    assert words in one_line(result)


def run_args(run: Run) -> list[str]:
    """--args before the dashes that end all options."""
    closure = dict(zip(run.__code__.co_freevars, run.__closure__ or (), strict=True))
    return ["--args", str(closure["args"].cell_contents)]


def test_no_arguments_at_all(run: Run, history: History) -> None:
    assert "--args" in one_line(run("diff", "HEAD", given=False))


def test_broken_inputs(run: Run, history: History, args: Path) -> None:
    args.write_text('{"a": 1,\n')
    assert "server.json, line" in one_line(run("diff", "HEAD"))
    assert "--batch -, line 1" in one_line(run("explain", "--batch", "-", input="{\n"))


def test_an_unknown_fact_is_a_warning(run: Run, history: History) -> None:
    result = run("diff", f"{history[0]}..HEAD", "--assume", "nnodse=2")
    assert result.exit_code == 0 and "warning" in result.stderr and "nnodes" in result.stderr


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (AnalysisError("the entry point of\nHEAD is not known", 2), 2, "entry point of HEAD"),
        (AnalysisError("a limit was hit", 3), 3, "limit"),
        (ZeroDivisionError("oh\nno"), 2, "internal error: ZeroDivisionError: oh no (pathcheck --debug"),
    ],
)
def test_what_the_analysis_raises(
    run: Run, history: History, engine: ModuleType, error: Exception, code: int, words: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    engine.open_decider = fail  # type: ignore[attr-defined]
    result = run("diff", f"{history[0]}..HEAD")
    assert result.exit_code == code and words in one_line(result)
    debugged = run("--debug", "diff", f"{history[0]}..HEAD")
    assert debugged.exception is error


def test_the_cache(run: Run, tmp_path: Path) -> None:
    for place in ("cache/releases/a", "cache/program/b", "cache/mine"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text("x" * 10)
    shown = run("cache", "info", given=False).stdout
    assert str(tmp_path / "cache") in shown and "releases" in shown
    assert run("cache", "clear", "program", given=False).exit_code == 0
    assert sorted(p.name for p in (tmp_path / "cache").iterdir()) == ["mine", "releases"]
    assert run("cache", "clear", given=False).exit_code == 0
    assert [p.name for p in (tmp_path / "cache").iterdir()] == ["mine"], "what is not ours stays"
    assert "has no part" in one_line(run("cache", "clear", "../..", given=False))
