"""The files as they lie, as a revision."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pathcheck.revision.diff import diff_trees
from pathcheck.revision.errors import RevisionError
from pathcheck.revision.ranges import open_range, open_tree
from pathcheck.revision.repository import Repository


@pytest.fixture
def patched(sandbox):
    sandbox.write("python/kept.py", "1\n")
    sandbox.write("python/changed.py", "1\n2\n3\n")
    sandbox.write("python/deleted.py", "1\n")
    sandbox.write("python/staged.py", "1\n")
    sandbox.write("README", "1\n")
    sandbox.write(".gitignore", "ignored.py\n")
    sandbox.commit("one")
    sandbox.write("python/changed.py", "1\ntwo\n3\n")
    sandbox.write("python/staged.py", "2\n")
    sandbox.git("add", "python/staged.py")
    (sandbox.root / "python" / "deleted.py").unlink()
    sandbox.write("python/untracked.py", "new\n")
    sandbox.write("python/ignored.py", "no\n")
    sandbox.write("elsewhere.py", "no\n")
    return sandbox


def _worktree(sandbox):
    return open_tree(Repository.open(sandbox.root), "WORKTREE")


def test_files_as_they_lie(patched):
    tree = _worktree(patched)
    assert list(tree.paths("python")) == [
        "python/changed.py",
        "python/kept.py",
        "python/staged.py",
        "python/untracked.py",
    ]
    assert "elsewhere.py" not in tree.paths()
    assert tree.read("python/changed.py") == b"1\ntwo\n3\n"
    assert tree.paths()["python/untracked.py"] == patched.git("hash-object", "python/untracked.py")


def test_unchanged_work_tree_is_the_commit(sandbox):
    sandbox.write("python/a.py", "1\n")
    sandbox.commit("one")
    repository = Repository.open(sandbox.root)
    assert open_tree(repository, "WORKTREE").tree_sha == open_tree(repository, "HEAD").tree_sha


def test_diff_against_the_work_tree(patched):
    span = open_range(Repository.open(patched.root), "HEAD..WORKTREE")
    found = {(c.status, c.path) for c in diff_trees(span.base, span.head)}
    assert found == {
        ("M", "python/changed.py"),
        ("D", "python/deleted.py"),
        ("M", "python/staged.py"),
        ("A", "python/untracked.py"),
    }
    assert [c.sha for c in span.commits] == ["WORKTREE"]
    back = open_range(Repository.open(patched.root), "WORKTREE..HEAD")
    assert {c.status for c in diff_trees(back.base, back.head)} == {"M", "A", "D"}


def test_same_files_same_sha(patched):
    assert _worktree(patched).sha == _worktree(patched).sha


def test_crlf_checkout_is_not_a_patch(sandbox):
    sandbox.write("python/a.py", "1\n2\n")
    sandbox.commit("one")
    sandbox.write("python/a.py", "1\r\n2\r\n")
    span = open_range(Repository.open(sandbox.root), "HEAD..WORKTREE")
    assert diff_trees(span.base, span.head) == ()


def test_assume_unchanged_does_not_hide_a_patch(sandbox):
    sandbox.write("python/a.py", "1\n")
    sandbox.commit("one")
    sandbox.git("update-index", "--assume-unchanged", "python/a.py")
    sandbox.write("python/a.py", "2\n")
    assert _worktree(sandbox).read("python/a.py") == b"2\n"


def test_sparse_checkout_is_not_a_deletion(sandbox):
    sandbox.write("python/a.py", "1\n")
    sandbox.write("docs/a.md", "1\n")
    sandbox.commit("one")
    sandbox.git("update-index", "--skip-worktree", "docs/a.md")
    (sandbox.root / "docs" / "a.md").unlink()
    assert "docs/a.md" in _worktree(sandbox).paths()


def test_odd_things_on_disk(sandbox):
    for path in ("python/was_file.py", "python/sub/was_dir.py", "python/pipe.py"):
        sandbox.write(path, "1\n")
    sandbox.commit("one")
    (sandbox.root / "python" / "was_file.py").unlink()
    sandbox.write("python/was_file.py/inner.py", "2\n")
    (sandbox.root / "python" / "sub" / "was_dir.py").unlink()
    (sandbox.root / "python" / "sub").rmdir()
    sandbox.write("python/sub", "2\n")
    (sandbox.root / "python" / "pipe.py").unlink()
    os.mkfifo(sandbox.root / "python" / "pipe.py")
    subprocess.run(["git", "init", "--quiet", str(sandbox.root / "python" / "nested")], check=True)
    tree = _worktree(sandbox)
    assert list(tree.paths()) == ["python/sub", "python/was_file.py/inner.py"]
    assert tree.skipped()["python/pipe.py"] == "not a regular file"


def test_unborn_branch(sandbox):
    sandbox.write("python/a.py", "1\n")
    assert list(_worktree(sandbox).paths()) == ["python/a.py"]


def test_cache_that_cannot_be_written(patched, monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("PATHCHECK_CACHE", str(blocked))
    with pytest.raises(RevisionError, match="cannot write to the cache"):
        _worktree(patched)


def test_nothing_is_left_behind(patched, tmp_path):
    script = (
        "from pathcheck.revision.repository import Repository\n"
        "from pathcheck.revision.ranges import open_tree\n"
        f"print(open_tree(Repository.open({str(patched.root)!r}), 'WORKTREE').read('python/untracked.py'))"
    )
    assert subprocess.check_output([sys.executable, "-c", script]) == b"b'new\\n'\n"
    assert list((tmp_path / "cache" / "worktree").iterdir()) == []
