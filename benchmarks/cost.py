#!/usr/bin/env python3
"""What an analysis costs, in processor time: ratios to ``ast.parse`` of the same revision's ``srt``.

    benchmarks/cost.py --repo CLONE [--base bba2fc4 --head 3207427] [--pathcheck COMMAND] [--again N]

Each step is a process of its own with a cache of its own; its user and system
time and its peak memory come from ``wait4``.  All figures of one table are
taken in one run, one after the other, so that a ratio compares like with like.
The aims are those of the project's second issue.
"""

from __future__ import annotations

import argparse
import ast
import io
import os
import shlex
import subprocess
import sys
import tarfile
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEPLOYMENTS = HERE.parent / "fixtures" / "deployments"
SRT = "python/sglang/srt"
#: A place that every revision has: asking for it makes the whole analysis run.
PLACE = "python/sglang/srt/server_args.py:1"


@dataclass(frozen=True)
class Cost:
    """User and system seconds, and peak resident memory in MB."""

    seconds: float
    memory: float


def main() -> int:
    """Measure, print a table, exit 1 if a step failed."""
    options = _options()
    parse = min(_parse(options.repo, options.head) for _ in range(3))
    print(f"ast.parse of {SRT} at {options.head}: {parse:.2f} s of processor time")
    first = DEPLOYMENTS / options.deployment
    second = DEPLOYMENTS / options.second
    for _ in range(options.again):
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as both:
            _row("one revision, one deployment, cold", _explain(options, cache, first), parse, "4 x")
            _row("a second deployment, files lowered before", _explain(options, cache, second), parse, "2 x")
            _row("the same again", _explain(options, cache, first), parse, "1 s")
            _row("base and head together, cold", _diff(options, both, first), parse, "6 x")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--repo", default=os.environ.get("PATHCHECK_SGLANG_REPO"), required=False)
    parser.add_argument("--base", default="bba2fc4")
    parser.add_argument("--head", default="3207427")
    parser.add_argument("--deployment", default="kimi-k25-eagle3.json")
    parser.add_argument("--second", default="llama-tp2.json")
    parser.add_argument("--pathcheck", default="pathcheck")
    parser.add_argument("--again", type=int, default=1)
    options = parser.parse_args()
    if not options.repo:
        parser.error("give --repo, or set PATHCHECK_SGLANG_REPO")
    return options


def _parse(repo: str, revision: str) -> float:
    """Processor seconds that ``ast.parse`` takes for the revision's ``srt``, files already read."""
    archive = subprocess.run(
        ["git", "-C", repo, "archive", revision, SRT], check=True, capture_output=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        files = [tar.extractfile(member) for member in tar if member.name.endswith(".py")]
        sources = [file.read() for file in files if file is not None]
    before = time.process_time()
    for source in sources:
        ast.parse(source)
    return time.process_time() - before


def _explain(options: argparse.Namespace, cache: str, deployment: Path) -> Cost:
    where = ["--rev", options.head, "--repo", options.repo, "--args", str(deployment)]
    return _run([*shlex.split(options.pathcheck), "explain", PLACE, *where, "--format", "json"], cache)


def _diff(options: argparse.Namespace, cache: str, deployment: Path) -> Cost:
    span = f"{options.base}..{options.head}"
    where = ["--repo", options.repo, "--args", str(deployment), "--format", "json"]
    return _run([*shlex.split(options.pathcheck), "diff", span, *where], cache)


def _run(command: list[str], cache: str) -> Cost:
    """Run to the end in a process of its own; its cost with that of the processes it waited for."""
    process = subprocess.Popen(
        command, env={**os.environ, "PATHCHECK_CACHE": cache}, stdout=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 3):
        sys.exit(f"{shlex.join(command)}: exit {process.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def _row(what: str, cost: Cost, parse: float, aim: str) -> None:
    print(
        f"{what:44} {cost.seconds:7.1f} s {cost.seconds / parse:6.1f} x {cost.memory:7.0f} MB   aim {aim}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
