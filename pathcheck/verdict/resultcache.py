"""Results kept on disk: the same question again is answered without an analysis.

A result depends on the files of ``python/sglang``, the revision's own
metadata, everything given of the deployment, and pathcheck's own code; the
name of its file is a hash of them all.  A damaged file is no file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

from pathcheck.deployment.model import Deployment
from pathcheck.verdict import result
from pathcheck.verdict.result import Result

_MAGIC = b"pathcheck-result\n"
_SUM = 16
#: The rooms whose code decides what a result says.
_ROOMS = ("deployment", "flow", "program", "target", "verdict")
#: So many results are kept; the oldest go first.
KEPT = 200


class ResultCache:
    """The results below ``root``."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "analysis"

    def get(self, key: str) -> Result | None:
        """The result kept under ``key``, None if there is none of use."""
        try:
            data = self._path(key).read_bytes()
        except OSError:
            return None
        start = len(_MAGIC) + _SUM
        payload = memoryview(data)[start:]
        if data[:start] != _MAGIC + _checksum(payload):
            return None
        return result.loads(payload)

    def has(self, key: str) -> bool:
        """Whether something is kept under ``key``."""
        return self._path(key).exists()

    def keeps(self) -> bool:
        """Whether results can be kept at all."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return False
        return os.access(self.folder, os.W_OK)

    def put(self, key: str, found: Result) -> None:
        """Keep a result: whole or not at all, and no error if it cannot be kept."""
        payload = found.dumps()
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            self._write(self._path(key), _MAGIC + _checksum(payload) + payload)
            self._trim()

    def _path(self, key: str) -> Path:
        return self.folder / key

    def _write(self, path: Path, data: bytes) -> None:
        handle, name = tempfile.mkstemp(prefix=".", dir=self.folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(name, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise

    def _trim(self) -> None:
        kept = [each for each in os.scandir(self.folder) if not each.name.startswith(".")]
        for old in sorted(kept, key=lambda each: each.stat().st_mtime)[:-KEPT]:
            with contextlib.suppress(OSError):
                os.unlink(old.path)


def result_key(files: dict[str, str], deployment: Deployment) -> str:
    """The name of the result for these files (path to blob) under this deployment."""
    digest = hashlib.blake2b(digest_size=20)
    digest.update(_code())
    digest.update(f"{result.FORMAT} {sys.implementation.cache_tag}\n".encode())
    digest.update(json.dumps(deployment.given(), sort_keys=True, default=repr).encode())
    for path, blob in sorted(files.items()):
        digest.update(f"\n{blob} {path}".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _checksum(payload: bytes | memoryview) -> bytes:
    return hashlib.blake2b(payload, digest_size=_SUM).digest()


@cache
def _code() -> bytes:
    """A digest of the code that makes results."""
    digest = hashlib.blake2b(digest_size=_SUM)
    package = Path(__file__).parent.parent
    for room in _ROOMS:
        for file in sorted((package / room).glob("*.py")):
            digest.update(file.name.encode())
            with contextlib.suppress(OSError):
                digest.update(file.read_bytes())
    return digest.digest()
