"""What a user writes as a range, and what it means."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathcheck.revision.errors import RevisionError
from pathcheck.revision.ranges import RangeNames, open_range, open_tree, parse_range
from pathcheck.revision.repository import Repository


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a..b", RangeNames("a", "b")),
        ("a...b", RangeNames("a", "b", from_fork=True)),
        ("v0.5.8..v0.5.9", RangeNames("v0.5.8", "v0.5.9")),
        ("a", RangeNames("a", "HEAD")),
        ("a..WORKTREE", RangeNames("a", "WORKTREE")),
        ("WORKTREE..a", RangeNames("WORKTREE", "a")),
        (None, RangeNames("HEAD", "@{upstream}")),
    ],
)
def test_forms(text, names):
    assert parse_range(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "",
        "..",
        "a..",
        "..b",
        "a..b..c",
        "a....b",
        "--output=x",
        "-x..b",
        "a..-x",
        "^a..b",
        "a b",
        "a\nb..c",
        "WORKTREE",
    ],
)
def test_refused(text):
    with pytest.raises(RevisionError) as caught:
        parse_range(text)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text):
    try:
        names = parse_range(text)
    except RevisionError:
        return
    assert names.base and names.head and not names.base.startswith("-") and not names.head.startswith("-")


def test_commits_oldest_first(sandbox):
    base = sandbox.commit("zero")
    shas = [sandbox.commit(title) for title in ("one", "two \x1b[31m", "thr\u00e9e")]
    span = open_range(Repository.open(sandbox.root), base)
    assert [c.sha for c in span.commits] == shas
    assert [c.title for c in span.commits] == ["one", "two \x1b[31m", "thr\u00e9e"]
    assert (span.base.sha, span.head.sha, span.head.label) == (base, shas[-1], "HEAD")


def test_merge_counts_by_first_parent(sandbox):
    base = sandbox.commit("base")
    sandbox.git("checkout", "--quiet", "-b", "side")
    sandbox.commit("on the side")
    sandbox.git("checkout", "--quiet", "main")
    sandbox.commit("on main")
    sandbox.git("merge", "--quiet", "--no-ff", "--message", "merge", "side")
    span = open_range(Repository.open(sandbox.root), f"{base}..main")
    assert [c.title for c in span.commits] == ["on main", "merge"]


def test_three_dots_start_at_the_fork(sandbox):
    fork = sandbox.commit("fork")
    sandbox.git("branch", "other")
    sandbox.commit("only here")
    sandbox.git("checkout", "--quiet", "other")
    sandbox.commit("only there")
    span = open_range(Repository.open(sandbox.root), "main...other")
    assert span.base.sha == fork
    assert [c.title for c in span.commits] == ["only there"]


def test_upstream(sandbox, tmp_path):
    sandbox.write("a", "1\n")
    sandbox.commit("one")
    clone = tmp_path / "clone"
    sandbox.git("clone", "--quiet", str(sandbox.root), str(clone))
    sandbox.commit("two")
    subprocess.run(["git", "fetch", "--quiet"], cwd=clone, check=True)
    span = open_range(Repository.open(clone), None)
    assert [c.title for c in span.commits] == ["two"]


def test_no_upstream(sandbox):
    sandbox.commit("one")
    with pytest.raises(RevisionError, match="no upstream branch is set"):
        open_range(Repository.open(sandbox.root), None)


def test_unknown_revision_names_the_nearest(sandbox):
    sandbox.commit("one")
    sandbox.git("tag", "v0.5.9")
    with pytest.raises(RevisionError, match=r"unknown revision 'v0\.5\.99'.*nearest: v0\.5\.9"):
        open_range(Repository.open(sandbox.root), "v0.5.99..main")


def test_a_blob_is_not_a_revision(sandbox):
    sandbox.write("a", "1\n")
    sandbox.commit("one")
    with pytest.raises(RevisionError, match="unknown revision"):
        open_tree(Repository.open(sandbox.root), "HEAD:a")


def _shallow(sandbox, tmp_path: Path) -> Repository:
    clone = tmp_path / "shallow"
    sandbox.git("clone", "--quiet", "--depth=1", f"file://{sandbox.root}", str(clone))
    return Repository.open(clone)


def test_shallow_clone_without_the_base(sandbox, tmp_path):
    base = sandbox.commit("one")
    sandbox.commit("two")
    repository = _shallow(sandbox, tmp_path)
    for text in (f"{base}..HEAD", "HEAD~1..HEAD"):
        with pytest.raises(RevisionError, match=r"shallow.*git fetch --unshallow"):
            open_range(repository, text)


def test_unrelated_histories_have_no_fork(sandbox):
    sandbox.commit("one")
    sandbox.git("checkout", "--quiet", "--orphan", "other")
    sandbox.commit("two")
    with pytest.raises(RevisionError, match="no common commit"):
        open_range(Repository.open(sandbox.root), "main...other")
