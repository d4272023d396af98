"""Paths, contents, and what cannot be read."""

from __future__ import annotations

import os

import pytest

from pathcheck.revision.errors import RevisionError
from pathcheck.revision.ranges import open_tree
from pathcheck.revision.repository import Repository

ODD = [
    b"python/a b.py",
    b"python/new\nline.py",
    b'python/"quote".py',
    b"python/[red]x[/].py",
    b"python/\xff\xfe.py",
]


def _head(sandbox, name="HEAD"):
    return open_tree(Repository.open(sandbox.root), name)


@pytest.mark.parametrize("name", ["HEAD", "WORKTREE"])
def test_odd_names(sandbox, name):
    for path in ODD:
        sandbox.write(path, path)
    sandbox.commit("odd")
    tree = _head(sandbox, name)
    assert {os.fsencode(path) for path in tree.paths("python")} == set(ODD)
    assert all(tree.read(os.fsdecode(path)) == path for path in ODD)


def test_prefix_is_a_directory_or_a_file(sandbox):
    for path in ("python/a.py", "python2/a.py", "python/sub/a.py"):
        sandbox.write(path, "1\n")
    sandbox.commit("one")
    tree = _head(sandbox)
    assert list(tree.paths("python")) == list(tree.paths("python/")) == ["python/a.py", "python/sub/a.py"]
    assert list(tree.paths("python/a.py")) == ["python/a.py"]
    assert len(tree.paths()) == 3


@pytest.mark.parametrize("name", ["HEAD", "WORKTREE"])
def test_symbolic_links(sandbox, name, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("outside\n")
    sandbox.write("python/real.py", "1\n")
    for link, target in [
        ("good.py", "real.py"),
        ("twice.py", "good.py"),
        ("up.py", "../python/real.py"),
        ("loop.py", "loop.py"),
        ("a.py", "b.py"),
        ("b.py", "a.py"),
        ("dangling.py", "none.py"),
        ("here", "."),
        ("out.py", str(secret)),
        ("relout.py", "../../secret"),
    ]:
        os.symlink(target, sandbox.root / "python" / link)
    sandbox.commit("links")
    tree = _head(sandbox, name)
    assert set(tree.paths("python")) == {f"python/{n}.py" for n in ("real", "good", "twice", "up")}
    assert tree.read("python/twice.py") == b"1\n"
    assert set(tree.skipped()) == {
        f"python/{n}" for n in ("loop.py", "a.py", "b.py", "dangling.py", "here", "out.py", "relout.py")
    }
    with pytest.raises(RevisionError, match="symbolic link"):
        tree.read("python/loop.py")


@pytest.mark.parametrize("name", ["HEAD", "WORKTREE"])
def test_submodule_is_a_named_gap(sandbox, name):
    sandbox.write("python/a.py", "1\n")
    sha = sandbox.commit("one")
    sandbox.git("update-index", "--add", "--cacheinfo", f"160000,{sha},python/module")
    sandbox.git("commit", "--quiet", "--message", "submodule")
    (sandbox.root / "python" / "module").mkdir()
    tree = _head(sandbox, name)
    assert list(tree.paths()) == ["python/a.py"]
    assert "submodule" in tree.skipped("python")["python/module"]


def test_no_such_file(sandbox):
    sandbox.commit("empty")
    with pytest.raises(RevisionError, match=r"'a\.py' at HEAD: no such file"):
        _head(sandbox).read("a.py")
    assert _head(sandbox).paths() == {}
