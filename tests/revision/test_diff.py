"""File changes between two trees."""

from __future__ import annotations

import os

import pytest

from pathcheck.revision.diff import Hunk, diff_trees
from pathcheck.revision.ranges import open_range
from pathcheck.revision.repository import Repository

TEXT = "".join(f"line {n}\n" for n in range(1, 21))


def _diff(sandbox, text="HEAD~1..HEAD"):
    span = open_range(Repository.open(sandbox.root), text)
    return diff_trees(span.base, span.head)


@pytest.mark.parametrize("text", ["HEAD~1..HEAD", "HEAD~1..WORKTREE"])
def test_every_status(sandbox, text):
    for name in ("modified", "deleted", "renamed", "same"):
        sandbox.write(f"{name}.py", f"# {name}\n" + TEXT)
    sandbox.commit("one")
    edited = TEXT.replace("line 3\n", "line three\n").replace("line 9\n", "")
    sandbox.write("modified.py", "# modified\n" + edited)
    sandbox.git("rm", "--quiet", "deleted.py")
    sandbox.git("mv", "renamed.py", "new name.py")
    sandbox.write("new name.py", "# renamed\n" + TEXT + "more\n")
    sandbox.write("added.py", "a\nb\n")
    sandbox.commit("two")
    modified, added, deleted, renamed = (
        next(c for c in _diff(sandbox, text) if c.path == path)
        for path in ("modified.py", "added.py", "deleted.py", "new name.py")
    )
    assert modified.status == "M" and modified.hunks == (Hunk(4, 1, 4, 1), Hunk(10, 1, 9, 0))
    assert added.status == "A" and added.hunks == (Hunk(0, 0, 1, 2),) and added.old_blob is None
    assert deleted.status == "D" and deleted.hunks == (Hunk(1, 21, 0, 0),) and deleted.new_blob is None
    assert (renamed.status, renamed.old_path, renamed.hunks) == ("R", "renamed.py", (Hunk(21, 0, 22, 1),))
    assert len(_diff(sandbox, text)) == 4


def test_odd_names_and_content_that_looks_like_a_patch(sandbox):
    names = [b"new\nline.py", b'"quote" \\.py', b"\xff.py", b"tab\there.py"]
    trap = "diff --git a/x b/x\n@@ -1 +1 @@\n" + "a" * 40 + " " + "b" * 40 + "\n\0:100644 100644\n"
    for name in names:
        sandbox.write(name, "1\n")
    sandbox.commit("one")
    for name in names:
        sandbox.write(name, trap)
    sandbox.write("z.py", "last\n")
    sandbox.commit("two")
    changes = _diff(sandbox)
    assert {os.fsencode(c.path) for c in changes} == {*names, b"z.py"}
    assert next(c for c in changes if c.path == "z.py").hunks == (Hunk(0, 0, 1, 1),)
    assert all(c.content == "binary" and not c.hunks for c in changes if c.path != "z.py")


def test_text_that_looks_like_a_patch(sandbox):
    sandbox.write("a.py", "1\n")
    sandbox.write("b.py", "1\n")
    sandbox.commit("one")
    sandbox.write("a.py", "diff --git a/x b/x\n@@ -1 +1 @@\n-- \n++ \n")
    sandbox.write("b.py", "2")
    sandbox.commit("two")
    assert [c.hunks for c in _diff(sandbox)] == [(Hunk(1, 1, 1, 4),), (Hunk(1, 1, 1, 1),)]


def test_contents_without_lines(sandbox):
    sandbox.write("binary.py", b"\0\1")
    sandbox.write("mode.py", "1\n")
    sandbox.write("becomes_link.py", "1\n2\n")
    os.symlink("mode.py", sandbox.root / "link.py")
    sha = sandbox.commit("one")
    sandbox.write("binary.py", b"\0\2")
    os.chmod(sandbox.root / "mode.py", 0o755)
    for link in ("link.py", "becomes_link.py"):
        (sandbox.root / link).unlink()
        os.symlink("binary.py", sandbox.root / link)
    sandbox.commit("two")
    sandbox.git("update-index", "--add", "--cacheinfo", f"160000,{sha},module")
    sandbox.git("commit", "--quiet", "--amend", "--no-edit")
    found = {(c.path, c.status): c.content for c in _diff(sandbox)}
    assert found == {
        ("binary.py", "M"): "binary",
        ("mode.py", "M"): "mode",
        ("link.py", "M"): "symlink",
        ("module", "A"): "submodule",
        ("becomes_link.py", "D"): "text",
        ("becomes_link.py", "A"): "symlink",
    }


def test_attributes_cannot_hide_a_change(sandbox):
    sandbox.write(".gitattributes", "*.py binary -diff\n")
    sandbox.write("a.py", "1\n")
    sandbox.commit("one")
    sandbox.write("a.py", "2\n")
    sandbox.commit("two")
    assert _diff(sandbox)[0].hunks == (Hunk(1, 1, 1, 1),)


def test_no_difference(sandbox):
    sandbox.commit("one")
    sandbox.commit("two")
    assert _diff(sandbox) == ()
    assert _diff(sandbox, "HEAD..HEAD") == ()
