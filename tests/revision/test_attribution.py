"""Which commit wrote a line, and which removed one."""

from __future__ import annotations

import random
import subprocess

from pathcheck.revision.attribution import attribute
from pathcheck.revision.diff import diff_trees
from pathcheck.revision.ranges import open_range
from pathcheck.revision.repository import Repository


def _lines(*names):
    return "".join(f"{name} padding padding\n" for name in names)


def _attribution(sandbox, text):
    span = open_range(Repository.open(sandbox.root), text)
    return attribute(span), span


def test_both_sides_through_a_rename(sandbox):
    sandbox.write("old.py", _lines(*"abcdefgh"))
    base = sandbox.commit("base")
    sandbox.write("old.py", _lines(*"aXcdefgh"))
    first = sandbox.commit("changes b")
    sandbox.git("mv", "old.py", "new.py")
    moved = sandbox.commit("moves")
    sandbox.write("new.py", _lines(*"YaXcdefg"))
    last = sandbox.commit("adds Y, drops h")
    found, _ = _attribution(sandbox, base)
    assert [found.head_line("new.py", n) for n in (1, 3, 8)] == [last, first, last]
    assert [found.base_line("old.py", n) for n in (2, 8)] == [first, last]
    assert moved and found.file("old.py") == found.file("new.py") == last
    assert found.head_line("other.py", 1) is None


def test_deleted_file_and_swapped_names(sandbox):
    sandbox.write("a.py", _lines(*"abcdef"))
    sandbox.write("b.py", _lines(*"uvwxyz"))
    sandbox.write("gone.py", _lines(*"123"))
    base = sandbox.commit("base")
    sandbox.git("mv", "a.py", "t.py")
    sandbox.git("mv", "b.py", "a.py")
    sandbox.git("mv", "t.py", "b.py")
    sandbox.commit("swap")
    sandbox.git("rm", "--quiet", "gone.py")
    gone = sandbox.commit("drop")
    found, _ = _attribution(sandbox, base)
    assert [found.base_line("gone.py", n) for n in (1, 2, 3)] == [gone] * 3


def test_merge_and_local_patches(sandbox):
    sandbox.write("python/a.py", _lines(*"abcdef"))
    base = sandbox.commit("base")
    sandbox.git("checkout", "--quiet", "-b", "side")
    sandbox.write("python/a.py", _lines(*"Sbcdef"))
    sandbox.commit("side")
    sandbox.git("checkout", "--quiet", "main")
    sandbox.commit("main")
    sandbox.git("merge", "--quiet", "--no-ff", "--message", "merge", "side")
    merge = sandbox.git("rev-parse", "HEAD")
    sandbox.write("python/a.py", _lines(*"SbcdeL"))
    found, _ = _attribution(sandbox, f"{base}..WORKTREE")
    assert [found.head_line("python/a.py", n) for n in (1, 6)] == [merge, "WORKTREE"]
    assert [found.base_line("python/a.py", n) for n in (1, 6)] == [merge, "WORKTREE"]


def test_diverged_ends(sandbox):
    sandbox.write("a.py", _lines(*"abcdef"))
    sandbox.commit("fork")
    sandbox.git("branch", "other")
    sandbox.write("a.py", _lines(*"abcdeMN"))
    sandbox.commit("main")
    sandbox.git("checkout", "--quiet", "other")
    sandbox.write("a.py", _lines(*"Obcdef"))
    there = sandbox.commit("other")
    found, _ = _attribution(sandbox, "main..other")
    assert found.head_line("a.py", 1) == there
    assert found.base_line("a.py", 1) == there


def test_same_answers_as_git_blame(sandbox):
    """A random history: every line of the head that a commit of the range wrote."""
    dice = random.Random(7)
    lines = [f"{n}\n" for n in range(60)]
    sandbox.write("a.py", "".join(lines))
    base = sandbox.commit("base")
    for step in range(25):
        at = dice.randrange(len(lines))
        lines[at : at + dice.randrange(4)] = [f"{step}.{n}\n" for n in range(dice.randrange(5))]
        sandbox.write("a.py", "".join(lines))
        sandbox.commit(f"step {step}")
    found, span = _attribution(sandbox, base)
    blamed = subprocess.check_output(
        ["git", "blame", "-s", "-l", f"{base}..HEAD", "--", "a.py"], cwd=sandbox.root, text=True
    ).splitlines()
    (change,) = diff_trees(span.base, span.head)
    for hunk in change.hunks:
        for line in range(hunk.new_start, hunk.new_start + hunk.new_count):
            assert found.head_line("a.py", line) == blamed[line - 1].split(" ")[0]
        for line in range(hunk.old_start, hunk.old_start + hunk.old_count):
            assert found.base_line("a.py", line) is not None
