"""The command itself on real SGLang: hostile input, wrong calls, a damaged cache, two runs at once.

Each run is a process of its own, so that a traceback or a write to the wrong
place shows.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

REPO = os.environ.get("PATHCHECK_SGLANG_REPO")
DEPLOYMENTS = Path(__file__).parents[2] / "fixtures" / "deployments"
LLAMA = DEPLOYMENTS / "llama-tp2.json"
SRT = "python/sglang/srt/"
POLICY = SRT + "managers/schedule_policy.py"
PLACE = SRT + "managers/scheduler.py:1"
RUN = "from pathcheck.cli.main import run; run()"

HOSTILE = {
    "broken.py": b"def f(:\n",
    "bom.py": b"\xef\xbb\xbfx = 1\n",
    "latin.py": b"# -*- coding: latin-1 -*-\nx = '\xe9'\n",
    "undeclared.py": b"x = '\xe9'\n",
    "long.py": b"x = '" + b"a" * 1_000_000 + b"'\n",
    "deep.py": b"x = " + b"(" * 5000 + b"1" + b")" * 5000 + b"\n",
    "binary.py": bytes(range(256)) * 64,
    "with space.py": b"x = 1\n",
    "new\nline.py": b"x = 1\n",
    "[bold red]markup[/].py": b"x = 1\n",
    "\x1b[31mred.py": b"x = 1\n",
}
UNREADABLE = ("broken.py", "undeclared.py", "deep.py", "binary.py")

pytestmark = [
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.skipif(not REPO, reason="needs PATHCHECK_SGLANG_REPO"),
]


def git(repo: Path, *args: str, data: bytes | None = None, index: Path | None = None) -> str:
    """A git command in a bare repository, with an index file of its own."""
    env = {**os.environ, "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
           "GIT_COMMITTER_EMAIL": "a@b"}  # fmt: skip
    if index is not None:
        env["GIT_INDEX_FILE"] = str(index)
    command = ["git", "-C", str(repo), *args]
    done = subprocess.run(command, input=data, capture_output=True, check=True, env=env)
    return done.stdout.decode().strip()


@pytest.fixture(scope="module")
def base() -> str:
    """The revision that a full clone and the releases share: the seed's head, or release 0.5.9."""
    has = subprocess.run(["git", "-C", str(REPO), "cat-file", "-e", "3207427^{commit}"], capture_output=True)
    return "3207427" if has.returncode == 0 else "v0.5.9"


@pytest.fixture(scope="module")
def hostile(base: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A repository that borrows SGLang's objects, and a commit in it that adds what nobody should."""
    place = tmp_path_factory.mktemp("hostile")
    repo, index = place / "sglang.git", place / "index"
    subprocess.run(["git", "clone", "--quiet", "--bare", "--shared", str(REPO), str(repo)], check=True)
    git(repo, "read-tree", base, index=index)

    def add(mode: str, path: str, sha: str) -> None:
        entry = f"{mode} {sha}\t{SRT}{path}".encode() + b"\0"
        git(repo, "update-index", "-z", "--index-info", data=entry, index=index)

    for name, content in HOSTILE.items():
        add("100644", name, git(repo, "hash-object", "-w", "--stdin", data=content))
    add("120000", "loop.py", git(repo, "hash-object", "-w", "--stdin", data=b"loop.py"))
    add("160000", "module", git(repo, "rev-parse", f"{base}^{{commit}}"))
    whole = git(repo, "show", f"{base}:{POLICY}").encode()
    half = whole[: len(whole) // 2] + b"\n(((\n"
    add("100644", POLICY.removeprefix(SRT), git(repo, "hash-object", "-w", "--stdin", data=half))
    tree = git(repo, "write-tree", index=index)
    title = b"[red]not markup[/] \x1b[31mnor red\x1b[0m\n"
    return repo, git(repo, "commit-tree", tree, "-p", base, data=title)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def pathcheck(*args: str, cache: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command with a cache of its own, in a directory where nothing may be left behind."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", RUN, *args],
        capture_output=True, text=True, cwd=cwd, env={**os.environ, "PATHCHECK_CACHE": str(cache)},
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert "Traceback" not in done.stderr and "internal error" not in done.stderr, done.stderr
    assert list(cwd.iterdir()) == []
    return done


def test_hostile_files_are_named_gaps_and_never_unreachable(
    hostile: tuple[Path, str], base: str, cache: Path, tmp_path: Path
) -> None:
    repo, head = hostile
    asked = ("diff", f"{base}..{head}", "--repo", str(repo), "--args", str(LLAMA))
    done = pathcheck(*asked, "--format", "json", cache=cache, cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    found = json.loads(done.stdout)
    gaps = [entry["file"] for entry in found["incomplete"]]
    broken = {SRT + name for name in UNREADABLE} | {POLICY}
    assert sorted(gaps) == sorted({*broken, SRT + "loop.py"})
    new = [change for change in found["changes"] if change["side"] == "head"]
    assert not broken & {change["file"] for change in new if change["verdict"] == "unreachable"}
    changed = {change["file"] for change in found["changes"]}
    readable = {SRT + n for n in HOSTILE if n not in UNREADABLE}
    assert readable <= changed
    text = pathcheck(*asked, cache=cache, cwd=tmp_path)
    assert text.returncode == 3
    assert "\x1b" not in text.stdout and "[red]not markup[/]" in text.stdout


def test_a_module_that_cannot_be_read_does_not_end_the_path_behind_its_import(
    hostile: tuple[Path, str], cache: Path, tmp_path: Path
) -> None:
    """The scheduler imports the broken file: its loop is not called dead for that."""
    repo, head = hostile
    lines = git(repo, "show", f"{head}:{SRT}managers/scheduler.py").splitlines()
    start = next(n for n, text in enumerate(lines) if "def event_loop_overlap(" in text)
    line = next(n for n, text in enumerate(lines, 1) if n > start and "self.get_next_batch_to_run()" in text)
    done = pathcheck(
        "explain", f"{SRT}managers/scheduler.py:{line}", "--rev", head, "--repo", str(repo),
        "--args", str(LLAMA), "--format", "json", cache=cache, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 3
    place = json.loads(done.stdout)["results"][0]
    assert place["verdict"] == "reachable"
    assert [entry["file"] for entry in json.loads(done.stdout)["incomplete"]] == [POLICY]


def _deployment(tmp_path: Path, **changes: object) -> str:
    data = json.loads(LLAMA.read_text())
    for where, value in changes.items():
        outer, _, inner = where.partition("__")
        data[outer][inner] = value
    place = tmp_path / "deployment.json"
    place.write_text(json.dumps(data))
    return str(place)


@pytest.mark.parametrize(
    ("changes", "rev", "words"),
    [
        ({"server_args__enable_tp_atention": True}, None, ["enable_tp_atention", "enable_dp_attention"]),
        ({"server_args__tp_size": "many"}, None, ["tp_size", "many"]),
        ({"facts__packages": {"torch": False}}, None, ["torch"]),
        ({}, "no-such-revision", ["no-such-revision"]),
        ({}, "--upload-pack=touch x", ["--upload-pack"]),
    ],
)
def test_a_wrong_deployment_or_revision_is_one_line_and_code_2(
    changes: dict[str, object], rev: str | None, words: list[str], base: str, cache: Path, tmp_path: Path
) -> None:
    cwd = tmp_path / "cwd"
    cwd.mkdir()
    done = pathcheck(
        "explain", PLACE, f"--rev={rev or base}", "--repo", str(REPO),
        "--args", _deployment(tmp_path, **changes), cache=cache, cwd=cwd,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    for word in words:
        assert word in done.stderr


def test_a_damaged_cache_is_rebuilt_and_two_runs_at_once_agree(base: str, tmp_path: Path) -> None:
    cache, cwd = tmp_path / "cache", tmp_path / "cwd"
    cwd.mkdir()
    asked = ["explain", PLACE, "--rev", base, "--repo", str(REPO), "--args", str(LLAMA), "--format", "json"]
    env = {**os.environ, "PATHCHECK_CACHE": str(cache)}
    command = [sys.executable, "-P", "-c", RUN, *asked]
    both = [subprocess.Popen(command, env=env, cwd=cwd, stdout=subprocess.PIPE) for _ in range(2)]
    first, second = (process.communicate()[0] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert first == second != b""
    for number, path in enumerate(sorted(p for p in cache.rglob("*") if p.is_file())):
        data = path.read_bytes()
        damaged = (b"", data[: len(data) // 2], b"\x80\x04garbage" + data, os.urandom(200))
        path.write_bytes(damaged[number % 4])
    again = pathcheck(*asked, cache=cache, cwd=cwd)
    assert again.returncode == 0
    assert again.stdout.encode() == first
