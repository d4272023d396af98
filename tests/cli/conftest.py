"""The command line over a small repository, with a decider that reads its answers off the source."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from pathcheck.cli.main import app
from pathcheck.verdict.meanwhile import Meanwhile

_VERDICT = Path(__file__).parents[1] / "verdict"
A = "python/sglang/srt/a.py"


def _load(name: str, file: str) -> ModuleType:
    """The verdict tests' helpers, whatever order pytest collects in."""
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, _VERDICT / file)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
    return sys.modules[name]


_shared = _load("verdict_conftest", "conftest.py")
_fake = _load("fake_decider", "fake_decider.py")
repo, commit = _shared.repo, _shared.commit


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The engine replaced by the fake: the commands import it when they need it."""
    module = ModuleType("pathcheck.verdict.engine")
    monkeypatch.setattr(module, "open_decider", _fake.open_fake, raising=False)
    monkeypatch.setattr(module, "begin", lambda *_: Meanwhile(None), raising=False)
    monkeypatch.setitem(sys.modules, "pathcheck.verdict.engine", module)
    return module


@pytest.fixture
def args(tmp_path: Path) -> Path:
    place = tmp_path / "server.json"
    place.write_text(json.dumps({"model_path": "m", "api_key": "sk-secret"}))
    return place


@pytest.fixture
def run(
    repo: Path, args: Path, engine: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., object]:
    """Run a command in the repository, with --args unless told otherwise."""
    monkeypatch.chdir(repo)
    monkeypatch.setenv("PATHCHECK_CACHE", str(tmp_path / "cache"))

    def call(*arguments: str, given: bool = True, input: str | None = None) -> object:
        more = ["--args", str(args)] if given else []
        return CliRunner().invoke(app, [*arguments, *more], input=input)

    return call


@pytest.fixture
def history(commit: Callable[..., str]) -> tuple[str, str]:
    """Two commits: a live line, and before it the base."""
    base = commit("base", {A: "x = 0\ny = 0\n"})
    return base, commit("[red]one\x1b[31m", {A: "x = LIVE\ny = 0\n"})
