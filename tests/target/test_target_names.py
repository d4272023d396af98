"""Every name in the tables exists in some revision of SGLang: none was misspelt or made up."""

from __future__ import annotations

import ast
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pathcheck.target import load, phases

#: Revisions from January to June 2026 at which the names are looked up, then the releases.
REVISIONS = (
    "1e309030e309bec523513a01a68e2128963cfb4e",
    "3207427",
    "116aef8504f5dcc8e1b141397852201788ade2da",
    "451320596fda120458e4790bbf3b01969eea0365",
    "79bc2505a5ce7d0620c4564dad792c460fe80ef5",
    "ce7141ef98767f756ccc949f5716f3633afad01e",
    "65d3b47",
    "v0.5.8",
    "v0.5.9",
    "v0.5.23",
    "HEAD",
)
#: A file that tells whether a revision is as young as 0.5.23.
YOUNG = "python/sglang/srt/model_executor/runner/decode_cuda_graph_runner.py"
#: Where the names live that not every repository shows: ``name  where``.
SEEN = Path(__file__).parent / "seen.txt"


def described_names() -> frozenset[str]:
    """All ``module:qualname`` of the tables that belong to SGLang."""
    names: set[str] = set(load.CONTROL_HANDLERS)
    for entry in phases.PHASE_ROOTS:
        names.update(entry.stops)
        for root in entry.roots:
            names.add(root.function)
            names.update(root.callers)
            if root.self_class is not None:
                names.add(root.self_class)
    for call in load.ENTRIES:
        names.update(n for n in (call.function, call.request, call.called_by) if n is not None)
    names.update(r.name for r in load.REQUESTS)
    names.update(r.function for r in load.RESULTS)
    names.update(a.cls for a in load.ATTRIBUTES)
    names.update(o.function for o in load.OUTSIDE)
    names.update(m.name for m in load.MESSAGES)
    return frozenset(n for n in names if n.startswith("sglang."))


def git(repo: str, *args: str) -> bytes | None:
    done = subprocess.run(["git", "-C", repo, *args], capture_output=True)
    return done.stdout if done.returncode == 0 else None


def places() -> list[tuple[str, str]]:
    """(repository, commit) of each revision that is at hand."""
    value = os.environ.get("PATHCHECK_SGLANG_REPO")
    if not value:
        pytest.skip("PATHCHECK_SGLANG_REPO is not set: no SGLang to look the names up in")
    found: list[tuple[str, str]] = []
    for repo in value.split(os.pathsep):
        for revision in REVISIONS:
            sha = git(repo, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
            if sha is not None and (repo, sha.decode().strip()) not in found:
                found.append((repo, sha.decode().strip()))
    if not found:
        pytest.skip("PATHCHECK_SGLANG_REPO holds none of the revisions that the tables describe")
    return found


def definitions(body: list[ast.stmt], prefix: str) -> Iterator[str]:
    """Qualified names of functions and classes, those under tests and with-blocks included."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + node.name
        elif isinstance(node, ast.ClassDef):
            yield prefix + node.name
            yield from definitions(node.body, f"{prefix}{node.name}.")
        else:
            for part in ("body", "orelse", "finalbody"):
                yield from definitions(getattr(node, part, []), prefix)


def defined(repo: str, commit: str, modules: frozenset[str]) -> Iterator[str]:
    """The names that the modules define at a commit."""
    for module in modules:
        stem = "python/" + module.replace(".", "/")
        for path in (f"{stem}.py", f"{stem}/__init__.py"):
            source = git(repo, "show", f"{commit}:{path}")
            if source is not None:
                for name in definitions(ast.parse(source).body, ""):
                    yield f"{module}:{name}"


@pytest.mark.real
@pytest.mark.slow
def test_every_name_exists_in_a_revision() -> None:
    found = places()
    names = described_names()
    modules = frozenset(n.split(":")[0] for n in names)
    known = {n for repo, commit in found for n in defined(repo, commit, modules)}
    commits = {commit for _, commit in found}
    at_hand = {
        "0.5.8": REVISIONS[0] in commits or any(git(repo, "rev-parse", "v0.5.8") for repo, _ in found),
        "clone": any(commit.startswith("65d3b47") for commit in commits),
        "0.5.23": any(git(repo, "cat-file", "-e", f"{commit}:{YOUNG}") is not None for repo, commit in found),
    }
    if not at_hand["clone"] and not at_hand["0.5.23"]:
        pytest.skip("the repository ends before the revisions that most of the names come from")
    rows = [line.split() for line in SEEN.read_text().splitlines() if line and not line.startswith("#")]
    not_shown = {name for name, where in rows if not at_hand[where]}
    assert sorted(names - known - not_shown) == []


def test_the_list_of_rare_names_speaks_of_the_tables() -> None:
    rows = [line.split() for line in SEEN.read_text().splitlines() if line and not line.startswith("#")]
    assert {where for _, where in rows} <= {"0.5.8", "0.5.23", "clone"}
    assert sorted({name for name, _ in rows} - described_names()) == []
