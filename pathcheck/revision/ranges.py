"""Ranges of revisions: what the user wrote becomes two trees and the commits between."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from pathcheck.revision.errors import RevisionError
from pathcheck.revision.repository import Repository
from pathcheck.revision.tree import Tree
from pathcheck.revision.worktree import WORKTREE, worktree

_FORMS = "A..B, A...B or A"


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit of a range. For local patches ``sha`` is the word WORKTREE."""

    sha: str
    title: str
    tree_sha: str
    #: The first parent, None for a root (or where a shallow clone was cut).
    parent: str | None


@dataclass(frozen=True, slots=True)
class RevisionRange:
    """Two trees and the commits that lead from one to the other, oldest first.

    Commits are the first-parent line; a merge stands for all it brought.
    """

    base: Tree
    head: Tree
    commits: tuple[Commit, ...]


@dataclass(frozen=True, slots=True)
class RangeNames:
    """A range as written: two revision names, ``from_fork`` for ``A...B``."""

    base: str
    head: str
    from_fork: bool = False


def parse_range(text: str | None) -> RangeNames:
    """Read ``A..B``, ``A...B``, ``A`` (to HEAD) or None (HEAD to its upstream)."""
    if text is None:
        return RangeNames("HEAD", "@{upstream}")
    base, dots, head = re.fullmatch(r"(.*?)(?:(\.{2,})(.*))?", text, re.DOTALL).groups()  # type: ignore[union-attr]
    if dots not in (None, "..", "...") or ".." in (head or ""):
        raise RevisionError(f"not a range: {text!r} (expected {_FORMS})")
    for name in (base,) if dots is None else (base, head):
        check_name(name, text)
    if dots is None and base == WORKTREE:
        raise RevisionError(f"{WORKTREE} alone is not a range: write HEAD..{WORKTREE}")
    return RangeNames(base, head if dots else "HEAD", from_fork=dots == "...")


def check_name(name: str, inside: str | None = None) -> None:
    """Refuse names that git would take for an option or that cannot be a revision."""
    where = f" in {inside!r}" if inside not in (None, name) else ""
    if not name:
        raise RevisionError(f"an empty revision name{where} (expected {_FORMS})")
    if name.startswith(("-", "^")):
        raise RevisionError(f"a revision name cannot begin with {name[0]!r}: {name!r}{where}")
    if re.search(r"[\x00-\x20\x7f\ud800-\udfff]", name):
        raise RevisionError(f"a revision name cannot hold blanks or control characters: {name!r}{where}")


def open_tree(repository: Repository, name: str) -> Tree:
    """The tree of a revision name or WORKTREE; RevisionError if it is unknown."""
    check_name(name)
    if name == WORKTREE:
        return worktree(repository)
    found = repository.attempt("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if found is None:
        raise RevisionError(_unknown(repository, name))
    sha = found.decode().strip()
    return Tree(repository, name, sha, _tree_of(repository, sha))


def open_range(repository: Repository, text: str | None) -> RevisionRange:
    """Resolve a range as written; RevisionError says what is wrong with it."""
    names = parse_range(text)
    base, head = open_tree(repository, names.base), open_tree(repository, names.head)
    if names.from_fork:
        base = _fork_point(repository, base, head)
    return RevisionRange(base, head, _commits(repository, base, head))


def _tree_of(repository: Repository, commit: str) -> str:
    return repository.run("rev-parse", "--verify", f"{commit}^{{tree}}").decode().strip()


def _commit_of(repository: Repository, tree: Tree) -> str:
    """The commit that a tree stands on: its own, or HEAD below local patches."""
    if not tree.is_worktree:
        return tree.sha
    return repository.run("rev-parse", "--verify", "HEAD^{commit}").decode().strip()


def _fork_point(repository: Repository, base: Tree, head: Tree) -> Tree:
    found = repository.attempt("merge-base", _commit_of(repository, base), _commit_of(repository, head))
    if found is None:
        where = f"{repository.location}{_shallow(repository)}"
        raise RevisionError(f"{base.label} and {head.label} have no common commit in {where}")
    sha = found.decode().split()[0]
    return Tree(repository, base.label, sha, _tree_of(repository, sha))


def _commits(repository: Repository, base: Tree, head: Tree) -> tuple[Commit, ...]:
    start, end = _commit_of(repository, base), _commit_of(repository, head)
    log = repository.run(
        "log", "-z", "--first-parent", "--reverse", "--encoding=UTF-8", "--no-show-signature",
        "--format=tformat:%H%x00%T%x00%P%x00%s", f"{start}..{end}", "--",
    ).decode("utf-8", "replace").split("\0")[:-1]  # fmt: skip
    found = [
        Commit(sha, title, tree_sha, parents.split(" ")[0] or None)
        for sha, tree_sha, parents, title in zip(*(iter(log),) * 4, strict=True)
    ]
    if head.is_worktree:
        found.append(Commit(WORKTREE, "local changes that are not committed", head.tree_sha, end))
    return tuple(found)


def _unknown(repository: Repository, name: str) -> str:
    """Why a name resolves to nothing, with what would help."""
    where = f"in {repository.location}"
    if name.endswith(("@{upstream}", "@{u}")):
        return f"no upstream branch is set {where} (name the range: {_FORMS})"
    shallow = _shallow(repository)
    if shallow:
        return f"unknown revision {name!r} {where}{shallow}"
    known = repository.run("for-each-ref", "--format=%(refname:short)").decode("utf-8", "replace").split()
    near = difflib.get_close_matches(name, known, 3)
    hint = f"nearest: {', '.join(near)}" if near else "expected a commit, a tag or a branch; fetch it first?"
    return f"unknown revision {name!r} {where} ({hint})"


def _shallow(repository: Repository) -> str:
    return ": this clone is shallow (fetch the rest: git fetch --unshallow)" if repository.is_shallow else ""
