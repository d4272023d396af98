"""Opening repositories and reading blobs."""

from __future__ import annotations

import os
import subprocess

import pytest

from pathcheck.revision.attribution import attribute
from pathcheck.revision.diff import diff_trees
from pathcheck.revision.errors import RevisionError
from pathcheck.revision.ranges import open_range, open_tree
from pathcheck.revision.repository import Repository


def test_open_from_a_subdirectory(sandbox):
    sandbox.write("python/sglang/a.py", "1\n")
    sandbox.commit("one")
    repository = Repository.open(sandbox.root / "python" / "sglang")
    assert repository.root == sandbox.root
    assert open_tree(repository, "HEAD").read("python/sglang/a.py") == b"1\n"


def test_open_bare_without_configuration(sandbox, tmp_path):
    sandbox.write("a.py", "1\n")
    sandbox.commit("one")
    bare = tmp_path / "mirror" / "repo"
    sandbox.git("clone", "--quiet", "--bare", str(sandbox.root), str(bare))
    (bare / "config").unlink()
    repository = Repository.open(bare)
    assert repository.root is None
    assert open_tree(repository, "main").read("a.py") == b"1\n"
    with pytest.raises(RevisionError, match="bare repository"):
        open_tree(repository, "WORKTREE")


def test_linked_work_tree(sandbox, tmp_path):
    sandbox.write("python/a.py", "1\n")
    sandbox.commit("one")
    linked = tmp_path / "linked"
    sandbox.git("worktree", "add", "--quiet", str(linked))
    (linked / "python" / "a.py").write_text("2\n")
    assert open_tree(Repository.open(linked), "WORKTREE").read("python/a.py") == b"2\n"


def test_variables_of_a_calling_hook_do_not_redirect(sandbox, tmp_path, monkeypatch):
    sha = sandbox.commit("one")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert open_tree(Repository.open(sandbox.root), "HEAD").sha == sha


@pytest.mark.parametrize("name", ["nothing-here", "."])
def test_no_repository(tmp_path, name, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    with pytest.raises(RevisionError):
        Repository.open(tmp_path / name)


def test_git_not_installed(sandbox, monkeypatch):
    sandbox.commit("one")
    repository = Repository.open(sandbox.root)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RevisionError, match="git was not found"):
        open_tree(repository, "HEAD")


def test_missing_blob(sandbox):
    sandbox.write("a.py", "1\n")
    sandbox.commit("one")
    tree = open_tree(Repository.open(sandbox.root), "HEAD")
    sha = tree.paths()["a.py"]
    os.unlink(sandbox.root / ".git" / "objects" / sha[:2] / sha[2:])
    with pytest.raises(RevisionError, match="is missing"):
        tree.read("a.py")
    for name in ("--help", "HEAD", ""):
        with pytest.raises(RevisionError, match="not a blob name"):
            tree.read_blob(name)


def test_a_forked_child_reads_through_its_own_pipe(sandbox):
    for number in range(30):
        sandbox.write(f"{number}.py", f"{number}\n" * 1000)
    sandbox.commit("one")
    tree = open_tree(Repository.open(sandbox.root), "HEAD")
    tree.read("0.py")
    child = os.fork()
    good = all(tree.read(f"{n}.py") == f"{n}\n".encode() * 1000 for n in range(30))
    if child == 0:
        os._exit(0 if good else 1)
    assert good
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert tree.read("1.py") == b"1\n" * 1000


def test_nothing_of_the_repository_is_run(sandbox):
    """Monitors, external diffs and filters are programs that a repository can name."""
    sandbox.write("python/a.py", "1\n")
    sandbox.write(".gitattributes", "*.py diff=evil filter=evil\n")
    sandbox.commit("one")
    witness = sandbox.root.parent / "ran"
    script = f"sh -c 'touch {witness}; cat'"
    evil = ("core.fsmonitor", "diff.external", "diff.evil.command", "diff.evil.textconv", "filter.evil.clean")
    for key in evil:
        sandbox.git("config", key, script)
    (sandbox.root / "python" / "a.py").write_text("2\n")
    span = open_range(Repository.open(sandbox.root), "HEAD..WORKTREE")
    assert len(diff_trees(span.base, span.head)) == 1
    attribute(span)
    assert not witness.exists()
    sandbox.git("diff", "HEAD")
    assert witness.exists(), "the trap itself must work"


def test_the_repository_is_not_written(sandbox):
    sandbox.write("python/a.py", "1\n")
    sandbox.commit("one")
    sandbox.write("python/a.py", "2\n")
    sandbox.write("python/b.py", "2\n")
    listing = ["find", str(sandbox.root), "-type", "f", "-exec", "sha1sum", "{}", "+"]
    before = sorted(subprocess.check_output(listing).splitlines())
    open_tree(Repository.open(sandbox.root), "WORKTREE").read("python/b.py")
    assert sorted(subprocess.check_output(listing).splitlines()) == before
