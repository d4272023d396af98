"""The tools: where each lives, how it runs over a set of programs, and what it answers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from programs import CACHE, Case

HERE = Path(__file__).resolve().parent
#: Tool -> environment, and what pip is asked for. pyan3 is GPL: it is only ever run as a program of its own.
PEERS = {
    "PyCG": ("pycg", ["--no-binary", "pycg", "pycg==0.0.8", "setuptools<81"]),
    "Jarvis": ("jarvis", ["--pre", "jarviscg==0.1.0rc7", "setuptools<81"]),
    "Jarvis --precision": ("jarvis", []),
    "pyan3": ("pyan", ["pyan3==2.9.0"]),
}
#: What the applications import, so that they run under the tracer.
APPLICATION_NEEDS = ["pytest", "six", "orderedmultidict", "networkx", "numpy", "jieba", "flake8"]
APPLICATION_NEEDS += ["psutil", "paramiko", "mock", "rich-cli==1.8.0"]
_DRIVEN = {"PyCG": "pycg", "Jarvis": "jarvis", "Jarvis --precision": "jarvis-precision"}
_DRIVEN["pathcheck"] = "pathcheck"
Answer = dict[str, Any]


def environment(name: str, needs: Sequence[str]) -> Path:
    """The interpreter of an environment below the cache, made and filled if it is not there."""
    folder = CACHE / f"{name}-venv"
    done = folder / "filled"
    if needs and not done.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, *needs], check=True)
        done.touch()
    return folder / "bin" / "python"


def answers(tool: str, cases: list[Case], limit: int) -> dict[str, Answer]:
    """What a tool says of each case: edges, seconds, why it failed."""
    if tool == "pyan3":
        return {case.name: _pyan(case, limit) for case in cases}
    python = Path(sys.executable) if tool == "pathcheck" else environment(*PEERS[tool])
    with tempfile.TemporaryDirectory() as folder:
        jobs, results = Path(folder) / "jobs.json", Path(folder) / "results.json"
        jobs.write_text(json.dumps([case.job(limit) for case in cases]))
        command = [str(python), str(HERE / "driver.py"), _DRIVEN[tool], str(jobs), str(results)]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        found: dict[str, Answer] = json.loads(results.read_text())
        return found


def _pyan(case: Case, limit: int) -> Answer:
    """pyan3 over all files of the program, its graph read back from DOT."""
    python = environment(*PEERS["pyan3"])
    files = case.files if case.library else tuple(sorted(case.root.rglob("*.py")))
    pyan = str(python.with_name("pyan3"))
    command = [pyan, *map(str, files), "--root", str(case.root), "-u", "-n", "--dot"]
    before = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"edges": {}, "seconds": float(limit), "error": f"over {limit} s"}
    names = dict(re.findall(r'^\s*"(\w+)" \[label=.*tooltip="([^"\\]+)', done.stdout, re.M))
    edges: dict[str, list[str]] = {}
    for caller, callee in re.findall(r'^\s*"(\w+)" -> "(\w+)"', done.stdout, re.M):
        edges.setdefault(names.get(caller, caller), []).append(names.get(callee, callee))
    error = done.stderr.strip().splitlines()[-1][:200] if done.returncode else ""
    return {"edges": edges, "seconds": time.monotonic() - before, "error": error}


def trace(case: Case, limit: int) -> dict[str, Any] | None:
    """What happens when the program runs under CPython; None where it does not come to an end."""
    python = environment("apps", APPLICATION_NEEDS)
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "trace.json"
        command = [str(python), str(HERE / "trace.py"), str(case.root), str(result), *case.run]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
        env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            subprocess.run(command, cwd=case.folder, timeout=limit, env=env, **quiet)  # type: ignore[call-overload]
        except subprocess.TimeoutExpired:
            return None
        if not result.exists():
            return None
        found: dict[str, Any] = json.loads(result.read_text())
        return found
