"""Wheels: downloading one without its dependencies, and reading it as hostile input."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pathcheck.releases.errors import ReleaseError

PROJECT = "sglang"
#: A wheel that unpacks to more than this is refused (bytes).
SIZE_LIMIT = 1 << 30
#: What the zip reader raises on archives that are damaged or of an odd kind.
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True)
class Wheel:
    """The readable content of a wheel."""

    path: Path
    #: Members that are package files, by their path in the wheel, sorted.
    files: tuple[str, ...]
    #: The text of its METADATA.
    metadata: str
    #: Newest time stamp of a member, in seconds since 1970 (UTC): when it was built.
    built: int

    def contents(self) -> Iterator[tuple[str, bytes]]:
        """Each package file with its bytes; ReleaseError if the archive is damaged."""
        with zipfile.ZipFile(self.path) as archive:
            for name in self.files:
                try:
                    yield name, archive.read(name)
                except _DAMAGE as error:
                    raise ReleaseError(f"damaged wheel {self.path}: {name!r}: {error}") from None


def fetch_wheel(version: str, cache: Path) -> Wheel:
    """The wheel of a release, from ``cache`` or else downloaded into it.

    A damaged file in the cache is downloaded again.
    """
    place = cache / f"{PROJECT}-{version}.whl"
    if place.exists():
        try:
            return read_wheel(place)
        except ReleaseError:
            place.unlink()
    _download(version, place)
    return read_wheel(place)


def read_wheel(path: Path) -> Wheel:
    """Read a wheel's table of contents; ReleaseError if it is damaged or hostile."""
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
            members = [m for m in archive.infolist() if not m.is_dir()]
            _check(path, members)
            metadata = next((m for m in members if m.filename.endswith(".dist-info/METADATA")), None)
            if broken or metadata is None:
                raise ReleaseError(f"damaged wheel {path}: {broken or 'it has no METADATA'}")
            text = archive.read(metadata).decode("utf-8", "replace")
    except _DAMAGE as error:
        raise ReleaseError(f"damaged wheel {path}: {error}") from None
    files = sorted(m.filename for m in members if not _is_metadata(m.filename))
    built = max(datetime(*m.date_time, tzinfo=UTC) for m in members)
    return Wheel(path, tuple(files), text, int(built.timestamp()))


def _check(path: Path, members: list[zipfile.ZipInfo]) -> None:
    if sum(m.file_size for m in members) > SIZE_LIMIT:
        raise ReleaseError(f"wheel {path} unpacks to more than {SIZE_LIMIT >> 20} MiB: refused")
    for member in members:
        if not _is_plain(member.filename):
            raise ReleaseError(
                f"wheel {path} has a member outside its own tree: {member.filename!r}: refused"
            )


def _is_plain(name: str) -> bool:
    """True for a relative path that names the same file wherever it is unpacked."""
    parts = name.split("/")
    odd = any(c in name for c in "\\\0") or ":" in parts[0]
    return not odd and all(p not in ("", ".", "..") and p.lower() != ".git" for p in parts)


def _is_metadata(name: str) -> bool:
    return name.split("/")[0].endswith((".dist-info", ".data"))


def _download(version: str, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    # A directory of its own: an interrupted download never has the final name.
    with tempfile.TemporaryDirectory(dir=place.parent, prefix="part-") as part:
        done = subprocess.run(
            [
                sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
                "--disable-pip-version-check", "--no-input", "--dest", part, f"{PROJECT}=={version}",
            ],
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        found = sorted(Path(part).glob("*.whl"))
        if done.returncode or not found:
            raise ReleaseError(f"cannot download {PROJECT} {version}: {_reason(done.stderr)}")
        shutil.move(found[0], place)


def _reason(errors: str) -> str:
    """pip's own last error line."""
    lines = [line for line in errors.splitlines() if "ERROR" in line or "No module named pip" in line]
    return lines[-1].removeprefix("ERROR: ") if lines else "pip gave no wheel"
