"""The repository of releases: one commit and one tag each, always the same bytes.

It is written by ``git fast-import`` under another name and renamed when it is
whole, so an interrupted run leaves nothing that looks finished.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE
from typing import IO

# Without this a missing git executable would be a traceback at import time.
os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")

import git
from git import exc

from pathcheck.releases.errors import ReleaseError
from pathcheck.releases.project_table import project_table
from pathcheck.releases.versions import read_versions
from pathcheck.releases.wheels import PROJECT, Wheel, fetch_wheel

_WHO = "SGLang release <releases@pathcheck.invalid>"
#: Raise it when the commits built from the same wheels change.
_FORMAT = 1

#: Called before each step with what begins, the steps done and their number.
Progress = Callable[[str, int, int], None]


def build_releases(versions: Iterable[str], cache: Path, progress: Progress | None = None) -> Path:
    """The git repository that holds these releases, built if it is not there yet.

    ``cache`` is the directory for wheels and repositories.  Tags are ``v0.5.9``
    and so on, commits follow the order of the releases.  Raises ReleaseError.
    """
    wanted = read_versions(versions)
    report = progress or (lambda what, done, total: None)
    place = cache / _name(wanted)
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with _locked(cache / "lock"):
            _sweep(cache)
            if not _is_whole(place, wanted):
                wheels = [_fetch(v, i, wanted, cache, report) for i, v in enumerate(wanted)]
                _build(place, wanted, wheels, report)
    except OSError as error:
        raise ReleaseError(f"cannot write to the cache {cache}: {error.strerror or error}") from None
    except exc.GitCommandNotFound:
        raise ReleaseError("the program git was not found: install it or add it to PATH") from None
    return place


def _fetch(version: str, done: int, wanted: tuple[str, ...], cache: Path, report: Progress) -> Wheel:
    report(f"downloading {PROJECT} {version}", done, 2 * len(wanted))
    return fetch_wheel(version, cache / "wheels")


def _name(wanted: tuple[str, ...]) -> str:
    """A directory name for a list of releases, short however long the list."""
    digest = hashlib.sha256(f"{_FORMAT} {' '.join(wanted)}".encode()).hexdigest()[:8]
    ends = wanted[0] if len(wanted) == 1 else f"{wanted[0]}-{wanted[-1]}"
    return f"{PROJECT}-{ends}-{digest}"


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Hold a lock against other runs; it goes with the process, however that ends."""
    with place.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _sweep(cache: Path) -> None:
    """Remove what killed runs left; called under the lock, so nobody works there."""
    for left in [*cache.glob("part-*"), *cache.glob("wheels/part-*")]:
        shutil.rmtree(left, ignore_errors=True)


def _is_whole(place: Path, wanted: tuple[str, ...]) -> bool:
    """True if every tag is there and every object it needs can be read."""
    if not place.is_dir():
        return False
    run = _git(place)
    try:
        tags = set(run.execute(["git", "tag"]).split())
        run.execute(["git", "fsck", "--connectivity-only", "--no-dangling", "--no-progress"])
    except exc.GitCommandError:
        return False
    return tags == {f"v{version}" for version in wanted}


def _build(place: Path, wanted: tuple[str, ...], wheels: list[Wheel], report: Progress) -> None:
    part = Path(tempfile.mkdtemp(dir=place.parent, prefix="part-"))
    try:
        run = _git(part)
        run.execute(["git", "init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(part)])
        importer = run.execute(
            ["git", "fast-import", "--quiet", "--date-format=raw"], as_process=True, istream=PIPE
        )
        stream = importer.stdin
        assert stream is not None
        when = 0
        for index, (version, wheel) in enumerate(zip(wanted, wheels, strict=True)):
            report(f"storing {PROJECT} {version}", len(wanted) + index, 2 * len(wanted))
            # A re-uploaded old release must not come before its successor.
            when = max(when + 1, wheel.built)
            _write_commit(stream, version, wheel, when)
        _, errors = importer.communicate()
        if importer.returncode:
            raise ReleaseError(f"git fast-import failed in {part}: {errors.decode('utf-8', 'replace')}")
        _move(part, place)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _move(part: Path, place: Path) -> None:
    if place.exists():
        # Incomplete or damaged, or it would not be built again.
        shutil.rmtree(place)
    part.rename(place)


def _write_commit(stream: IO[bytes], version: str, wheel: Wheel, when: int) -> None:
    stream.write(b"commit refs/heads/main\nmark :1\n")
    for role in ("author", "committer"):
        stream.write(f"{role} {_WHO} {when} +0000\n".encode())
    _write_data(
        stream, f"{PROJECT} {version}\n\nBuilt by pathcheck from the wheel on the package index.\n".encode()
    )
    stream.write(b"deleteall\n")
    _write_file(stream, "python/pyproject.toml", project_table(wheel.metadata).encode())
    for name, data in wheel.contents():
        _write_file(stream, f"python/{name}", data)
    stream.write(f"\nreset refs/tags/v{version}\nfrom :1\n\n".encode())


def _write_file(stream: IO[bytes], path: str, data: bytes) -> None:
    quoted = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    stream.write(f'M 100644 inline "{quoted}"\n'.encode())
    _write_data(stream, data)


def _write_data(stream: IO[bytes], data: bytes) -> None:
    stream.write(b"data %d\n" % len(data))
    stream.write(data)
    stream.write(b"\n")


def _git(place: Path) -> git.Git:
    """Commands on the repository at ``place``, whatever a calling git hook has set."""
    run = git.Git(str(place))
    run.update_environment(GIT_DIR=str(place))
    return run
