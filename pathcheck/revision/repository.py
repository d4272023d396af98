"""An open repository: git commands and blobs as bytes, one persistent reader.

Nothing of the repository is run: no hooks, no external diff, no text
conversion, no file system monitor, and no optional index refresh is written.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from pathcheck.revision.errors import RevisionError

# Without this a missing git executable would be a traceback at import time.
os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")

import git
from git import exc

_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def decode_path(raw: bytes) -> str:
    """A path as text; bytes that are not UTF-8 survive as surrogates."""
    return raw.decode("utf-8", "surrogateescape")


def encode_path(path: str) -> bytes:
    """The bytes that ``decode_path`` was given."""
    return path.encode("utf-8", "surrogateescape")


class Repository:
    """A git repository, bare or not. ``root`` is its work tree, None where it has none."""

    def __init__(self, repo: git.Repo) -> None:
        self.git_dir = Path(repo.git_dir)
        self.objects = Path(repo.common_dir) / "objects"
        self.root = _work_tree(repo)
        self._environment = {
            # Named, so that variables a calling git hook left behind do not redirect us.
            "GIT_DIR": str(self.git_dir),
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
        }
        if self.root:
            self._environment["GIT_WORK_TREE"] = str(self.root)
        self._retired: list[git.Git] = []
        self._git = self._new_reader()

    @classmethod
    def open(cls, path: Path | str = ".") -> Repository:
        """The repository at or around ``path``; RevisionError if there is none."""
        try:
            return cls(git.Repo(path, search_parent_directories=True, expand_vars=False))
        except exc.NoSuchPathError:
            raise RevisionError(f"no such directory: {path}") from None
        except (exc.InvalidGitRepositoryError, exc.GitError, OSError, ValueError):
            raise RevisionError(f"not a git repository: {path} (give one with --repo PATH)") from None

    @property
    def location(self) -> Path:
        """Where messages say the repository is."""
        return self.root or self.git_dir

    @property
    def is_shallow(self) -> bool:
        """True if history was cut when cloning."""
        return self.run("rev-parse", "--is-shallow-repository").strip() == b"true"

    def run(self, *arguments: str, stdin: bytes = b"", environment: dict[str, str] | None = None) -> bytes:
        """Standard output of a git command; RevisionError with git's own words if it fails."""
        status, out, err = self._execute(arguments, stdin, environment or {})
        if status:
            words = err.decode("utf-8", "replace").strip().splitlines() or [f"exit code {status}"]
            raise RevisionError(f"git {arguments[0]} failed in {self.location}: {words[-1]}")
        return out

    def attempt(self, *arguments: str) -> bytes | None:
        """Standard output of a git command, None if it fails."""
        status, out, _ = self._execute(arguments, b"", {})
        return None if status else out

    def blob(self, sha: str) -> bytes:
        """The content of a blob; RevisionError if the repository does not hold it."""
        if not _SHA.fullmatch(sha):
            raise RevisionError(f"not a blob name: {sha!r}")
        if os.getpid() != self._pid:
            self._replace_reader()
        try:
            _, kind, _, data = self._git.get_object_data(sha)
        except (ValueError, exc.GitCommandError):
            raise RevisionError(
                f"blob {sha} is missing in {self.location} (an incomplete clone? fetch it again in full)"
            ) from None
        # Declared as text, given as bytes by some GitPython releases.
        if kind not in {"blob", b"blob"}:
            raise RevisionError(f"{sha} in {self.location} is not a file's content")
        return data

    def write_objects_to(self, directory: Path) -> None:
        """New objects go to ``directory`` from now on; the repository is only read."""
        inherited = os.environ.get("GIT_ALTERNATE_OBJECT_DIRECTORIES")
        origin = os.environ.get("GIT_OBJECT_DIRECTORY") or str(self.objects)
        self._environment["GIT_OBJECT_DIRECTORY"] = str(directory)
        alternates = os.pathsep.join(filter(None, (origin, inherited)))
        self._environment["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = alternates
        self._replace_reader()

    def _new_reader(self) -> git.Git:
        self._pid = os.getpid()
        reader = git.Git(str(self.root or self.git_dir))
        reader.update_environment(**self._environment)
        return reader

    def _replace_reader(self) -> None:
        """Read through new pipes: after a fork the old ones belong to the parent."""
        # Dropping the old one would stop its process, which is the parent's after a fork.
        self._retired.append(self._git)
        self._git = self._new_reader()

    def _execute(
        self, arguments: tuple[str, ...], stdin: bytes, environment: dict[str, str]
    ) -> tuple[int, bytes, bytes]:
        command = ["git", "-c", "core.fsmonitor=false", "--literal-pathspecs", *arguments]
        try:
            process = self._git.execute(
                command, as_process=True, istream=subprocess.PIPE, env={**self._environment, **environment}
            )
            out, err = process.communicate(stdin)
        except exc.GitCommandNotFound:
            raise RevisionError("the program git was not found: install it or add it to PATH") from None
        return process.returncode, out, err


def _work_tree(repo: git.Repo) -> Path | None:
    """The work tree, None for a bare repository.

    GitPython takes the parent directory for one where a bare repository has no
    ``core.bare`` (mirrors often have no configuration at all).
    """
    root = Path(repo.working_tree_dir) if repo.working_tree_dir else None
    return root if root and (root / ".git").exists() else None
