"""The repository of releases."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from pathcheck.releases import builder
from pathcheck.releases.builder import build_releases
from pathcheck.releases.errors import ReleaseError

BOTH = ["0.1.1", "v0.1.0"]


def _git(place, *arguments):
    return subprocess.check_output(["git", *arguments], cwd=place, text=True).strip()


def test_one_commit_and_tag_each_in_order(index, tmp_path):
    place = build_releases(BOTH, tmp_path / "a")
    assert _git(place, "log", "--format=%s", "main").splitlines() == ["sglang 0.1.1", "sglang 0.1.0"]
    assert _git(place, "tag").splitlines() == ["v0.1.0", "v0.1.1"]
    assert _git(place, "show", "v0.1.0:python/sglang/srt/a.py") == "one"
    assert _git(place, "ls-tree", "-rz", "--name-only", "v0.1.1").split("\0")[:-1] == [
        "python/pyproject.toml",
        'python/sglang/odd "name\n.json',
        "python/sglang/srt/a.py",
    ]
    times = _git(place, "log", "--reverse", "--format=%ct").splitlines()
    assert int(times[0]) < int(times[1])


def test_same_wheels_same_commits(index, tmp_path):
    first, second = (_git(build_releases(BOTH, tmp_path / c), "rev-parse", "v0.1.1") for c in "ab")
    assert first == second


def test_a_second_run_needs_no_index(index, tmp_path):
    place = build_releases(BOTH, tmp_path / "a")
    shutil.rmtree(index)
    shutil.rmtree(tmp_path / "a" / "wheels")
    assert build_releases(BOTH, tmp_path / "a") == place


@pytest.mark.parametrize("damage", ["objects", "refs", "packed-refs", "HEAD"])
def test_a_damaged_repository_is_built_again(index, tmp_path, damage):
    place = build_releases(BOTH, tmp_path / "a")
    sha = _git(place, "rev-parse", "v0.1.1")
    if (place / damage).is_dir():
        shutil.rmtree(place / damage)
    elif (place / damage).exists():
        (place / damage).unlink()
    assert _git(build_releases(BOTH, tmp_path / "a"), "rev-parse", "v0.1.1") == sha


def test_an_interrupted_run_is_taken_up(index, tmp_path, monkeypatch):
    cache = tmp_path / "a"

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(builder, "_move", stop)
        with pytest.raises(KeyboardInterrupt):
            build_releases(BOTH, cache)
    shutil.rmtree(index)
    (cache / "part-left").mkdir()
    (cache / "wheels" / "part-left").mkdir()
    place = build_releases(BOTH, cache)
    assert sorted(p.name for p in cache.iterdir()) == sorted(["lock", "wheels", place.name])
    assert not list((cache / "wheels").glob("part-*"))


SCRIPT = "import sys; from pathlib import Path; from pathcheck.releases.builder import build_releases;" + (
    "print(build_releases(sys.argv[2:], Path(sys.argv[1])))"
)


def test_two_runs_at_once_and_one_killed(index, tmp_path):
    cache = tmp_path / "a"
    command = [sys.executable, "-c", SCRIPT, str(cache), *BOTH]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    time.sleep(0.8)
    os.kill(runs[0].pid, signal.SIGKILL)
    places = {run.communicate(timeout=60)[0].strip() for run in runs[1:]}
    runs[0].communicate()
    assert [run.returncode for run in runs[1:]] == [0, 0]
    (place,) = places
    assert _git(place, "tag").splitlines() == ["v0.1.0", "v0.1.1"]


def test_progress_names_each_step(index, tmp_path):
    seen = []
    build_releases(BOTH, tmp_path / "a", lambda what, done, total: seen.append((what, done, total)))
    assert seen == [
        ("downloading sglang 0.1.0", 0, 4),
        ("downloading sglang 0.1.1", 1, 4),
        ("storing sglang 0.1.0", 2, 4),
        ("storing sglang 0.1.1", 3, 4),
    ]


def test_cache_that_cannot_be_written(index, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(ReleaseError, match="cannot write to the cache"):
        build_releases(BOTH, blocked)
