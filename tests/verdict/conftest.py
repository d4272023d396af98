"""A small SGLang-like repository, and a decider that reads its answers off the source."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

# The helpers beside the tests: importlib mode puts no directory on the path.
sys.path.insert(0, str(Path(__file__).parent))

Commit = Callable[[str, dict[str, str | bytes | None]], str]

_ENVIRONMENT = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.invalid",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.invalid",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    place = tmp_path / "repo"
    place.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=place, check=True)
    return place


@pytest.fixture
def commit(repo: Path) -> Commit:
    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=repo,
            env={**os.environ, **_ENVIRONMENT},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def make(title: str, files: dict[str, str | bytes | None]) -> str:
        for name, content in files.items():
            place = repo / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                place.unlink(missing_ok=True)
            else:
                place.write_bytes(content.encode() if isinstance(content, str) else content)
        git("add", "--all")
        git("commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "--message", title)
        return git("rev-parse", "HEAD")

    return make
