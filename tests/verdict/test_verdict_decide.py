"""A range is put to a decider: which side is asked, what a commit comes to, what is missing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fake_decider import FakeDecider, open_fake

from pathcheck.deployment.model import Deployment
from pathcheck.revision.ranges import open_range, open_tree
from pathcheck.revision.repository import Repository
from pathcheck.verdict.decide import Options, Place, decide_diff, decide_places
from pathcheck.verdict.gate import exit_code
from pathcheck.verdict.reports import DiffReport, NoPlace

A = "python/sglang/srt/a.py"
Commit = Callable[..., str]


@pytest.fixture
def decide(repo: Path) -> Callable[..., DiffReport]:
    def call(revisions: str, **options: object) -> DiffReport:
        span = open_range(Repository.open(repo), revisions)
        return decide_diff(span, Deployment(), "repo", Options(open_decider=open_fake, **options))  # type: ignore[arg-type]

    return call


def test_each_change_with_its_verdict_and_commit(commit: Commit, decide: Callable[..., DiffReport]) -> None:
    base = commit("base", {A: "x = 0\n\n\ndef f():\n    a = 0\n    return a\n"})
    one = commit("one", {A: "x = 0\n\n\ndef f():\n    a = LIVE\n    return a\n"})
    two = commit("two", {A: "x = DEAD\n\n\ndef f():\n    a = LIVE\n    return a\n"})
    report = decide(f"{base}..{two}")
    assert [(c.change.lines, c.place.verdict, c.commit, c.title) for c in report.changes] == [
        ((1, 1), "unreachable", two, "two"),
        ((5, 5), "reachable", one, "one"),
    ]
    assert [(c.sha, c.status, c.phases) for c in report.commits] == [
        (one, "live", ("verify",)),
        (two, "cleared", ()),
    ]
    assert report.commits[0].counts == {"reachable": 1, "conditional": 0, "unreachable": 0, "comment": 0}
    assert report.commits[0].reasons == (f"reachable in verify: {A}:5 f",)


@pytest.mark.parametrize(
    ("word", "status"), [("LIVE", "live"), ("MAYBE", "conditional"), ("START", "startup"), ("x", "cleared")]
)
def test_what_a_commit_comes_to(
    commit: Commit, decide: Callable[..., DiffReport], word: str, status: str
) -> None:
    base = commit("base", {A: "y = 0\n"})
    commit("one", {A: f"y = {word}\n"})
    assert decide(f"{base}..HEAD").commits[0].status == status


def test_removed_code_is_asked_of_the_base(commit: Commit, decide: Callable[..., DiffReport]) -> None:
    base = commit("base", {A: "f()\ng(LIVE)\n", "python/sglang/b.py": "LIVE\n"})
    commit("one", {A: "f()\n", "python/sglang/b.py": None})
    report = decide(f"{base}..HEAD")
    assert [(c.change.side, c.change.file, c.place.verdict) for c in report.changes] == [
        ("base", "python/sglang/b.py", "reachable"),
        ("base", A, "reachable"),
    ]


def test_a_function_has_the_verdict_of_its_entry(commit: Commit, decide: Callable[..., DiffReport]) -> None:
    base = commit("base", {A: "x = 0\n"})
    commit("one", {A: "x = 0\n\n\ndef f():  # LIVE\n    a = 1\n    if a:\n        b = LIVE\n"})
    changes = {(c.change.kind, c.change.lines): c.place for c in decide(f"{base}..HEAD").changes}
    function = changes["function", (4, 7)]
    assert function.verdict == "unreachable" and function.lines == (4, 7) and function.symbol == "f"
    assert ((7, 7), "reachable") in function.statements
    assert changes["statement", (7, 7)].verdict == "reachable"


def test_over_chosen_phases_only(commit: Commit, decide: Callable[..., DiffReport]) -> None:
    base = commit("base", {A: "x = 0\n"})
    commit("one", {A: "x = LIVE\n"})
    report = decide(f"{base}..HEAD", phases=("decode", "init"))
    assert report.changes[0].place.verdict == "unreachable" and report.commits[0].status == "cleared"
    assert report.changes[0].place.phases["verify"].verdict == "reachable"


def test_comments_open_no_analysis(commit: Commit, repo: Path) -> None:
    base = commit("base", {A: "x = 0\n"})
    commit("one", {A: "# c\nx = 0\n", "README.md": "x"})

    def never(*_: object) -> FakeDecider:
        raise AssertionError("not needed")

    span = open_range(Repository.open(repo), f"{base}..HEAD")
    report = decide_diff(span, Deployment(), "repo", Options(open_decider=never))
    assert [(c.change.kind, c.place.verdict) for c in report.changes] == [("comment", None)]
    assert report.commits[0].status == "cleared"
    assert [(o.file, o.kind, o.status) for o in report.other_files] == [("README.md", "docs", "outside")]


def test_a_pin_is_never_silence(commit: Commit, decide: Callable[..., DiffReport]) -> None:
    base = commit("base", {"python/pyproject.toml": "a"})
    one = commit("one", {"python/pyproject.toml": "b"})
    report = decide(f"{base}..HEAD")
    assert report.commits[0].status == "not-analysed"
    assert [(o.kind, o.status, o.commit) for o in report.other_files] == [("dependency", "may-matter", one)]


@pytest.mark.parametrize(("name", "code"), [("a", 3), ("unloaded", 0)])
@pytest.mark.parametrize("content", [b"def f(:\n", b"x = 1\0\n"])
def test_a_file_that_cannot_be_read(
    commit: Commit, decide: Callable[..., DiffReport], name: str, code: int, content: bytes
) -> None:
    base = commit("base", {"x": "1"})
    commit("one", {f"python/sglang/{name}.py": content})
    report = decide(f"{base}..HEAD")
    assert [file for file, _ in report.incomplete] == [f"python/sglang/{name}.py"]
    assert report.commits[0].status == "not-analysed"
    assert exit_code(report, ()) == code


def test_the_gate(commit: Commit, decide: Callable[..., DiffReport]) -> None:
    base = commit("base", {A: "x = 0\n"})
    commit("one", {A: "x = MAYBE\n", "python/sglang/b.py": b"def f(:\n"})
    report = decide(f"{base}..HEAD")
    assert [exit_code(report, phases) for phases in ((), ("verify",), ("decode",))] == [3, 3, 1]


def test_a_renamed_file_is_followed(commit: Commit, decide: Callable[..., DiffReport]) -> None:
    body = "".join(f"x{n} = {n}\n" for n in range(30))
    base = commit("base", {A: body})
    commit("one", {A: None, "python/sglang/new.py": body + "y = LIVE\n"})
    (change,) = decide(f"{base}..HEAD").changes
    assert (change.change.file, change.change.old_file) == ("python/sglang/new.py", A)
    assert change.place.verdict == "reachable"


def test_places_in_the_order_asked(commit: Commit, repo: Path) -> None:
    commit("base", {A: "x = LIVE\ny = 1\n"})
    asked = [
        Place(A, (2, 2)),
        Place("no.py", (1, 1)),
        Place(A, (1, 2)),
        Place(A, (9, 9)),
        Place(A, None, "bad"),
    ]
    tree = open_tree(Repository.open(repo), "HEAD")
    report = decide_places(tree, asked, Deployment(), "repo", Options(open_decider=open_fake))
    shown = [r.error if isinstance(r, NoPlace) else r.verdict for r in report.results]
    assert shown[0] == "unreachable" and shown[2] == "reachable" and shown[4] == "bad"
    assert "no such file" in str(shown[1]) and "not 9" in str(shown[3])
