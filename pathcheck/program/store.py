"""The IR of files, kept on disk by the hash of their content.

One file per blob, ``<root>/ir/<format>-<python>/<first two digits>/<hash>``:
a header, then one ``marshal`` of the tables, in which each function's body is a
``marshal`` of its own that is read when the function is first analysed.  The
header holds a checksum, since ``marshal`` trusts what it reads, and what else
the IR depends on; a file that does not match it is made anew.  Nothing here is
worth an error to a user: a cache that cannot be read or written is no cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import marshal
import os
import sys
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

from pathcheck.program import ir
from pathcheck.program.collection import uncollected
from pathcheck.program.ir import ClassInfo, Code, ModuleIR
from pathcheck.program.lower import lower
from pathcheck.program.source import SourceError

_MAGIC = b"pathcheck-ir\n"
_SUM = 16  # bytes of each digest in the header
_IR, _ERROR = 0, 1
_writes = itertools.count()


class Store:
    """The IR of files, from the cache below ``root`` or lowered now."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "ir" / f"{ir.FORMAT}-{sys.implementation.cache_tag}"
        #: files read from the cache, and lowered because it did not have them
        self.hits = self.misses = 0
        self._writable = True

    def get(self, blob_sha: str, text_loader: Callable[[], str]) -> ModuleIR:
        """The IR of the file whose content has the hash ``blob_sha`` (hexadecimal).

        ``text_loader`` gives the file's text; it is called only if the cache has
        no answer, and may raise SourceError itself.  Raises SourceError for a
        file that does not decode, parse or lower, also when the cache says so.
        """
        path = self.path(blob_sha)
        with uncollected():
            found = _read(path)
            if found is None:
                self.misses += 1
                found = self._make(path, text_loader)
            else:
                self.hits += 1
        if isinstance(found, ModuleIR):
            return found
        raise SourceError(found)

    def path(self, blob_sha: str) -> Path:
        """Where the cache keeps a blob's IR. Raises ValueError if ``blob_sha`` is no hash."""
        if len(blob_sha) < 8 or not blob_sha.isalnum() or not blob_sha.isascii():
            raise ValueError(f"not a blob's hash: {blob_sha!r}")
        return self.folder / blob_sha[:2] / blob_sha

    def _make(self, path: Path, text_loader: Callable[[], str]) -> ModuleIR | str:
        try:
            module = lower(text_loader())
        except SourceError as error:
            if not error.lasting:
                raise
            message = str(error)
            self._write(path, lambda: (_ERROR, message))
            return message
        self._write(path, lambda: (_IR, *_pack(module)))
        return module

    def _write(self, path: Path, content: Callable[[], tuple[Any, ...]]) -> None:
        if not self._writable:
            return
        try:
            payload = marshal.dumps(content())
        except ValueError:
            return  # nested deeper than marshal goes: lowered again each time
        try:
            _replace(path, _header(payload) + payload)
        except OSError:
            # Full or read-only: what follows would fail as well, and cost time.
            self._writable = False


def _header(payload: bytes | memoryview) -> bytes:
    return _MAGIC + _lowering() + _checksum(payload)


def _checksum(payload: bytes | memoryview) -> bytes:
    return hashlib.blake2b(payload, digest_size=_SUM).digest()


@cache
def _lowering() -> bytes:
    """A digest of the code that makes IR: a change to it must not be answered from the cache."""
    digest = hashlib.blake2b(digest_size=_SUM)
    with contextlib.suppress(OSError):
        for file in sorted(Path(__file__).parent.glob("*.py")):
            digest.update(file.read_bytes())
    return digest.digest()


def _read(path: Path) -> ModuleIR | str | None:
    """What a cache file holds: IR, an error's message, or None if it is absent or of no use."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    start = len(_MAGIC) + 2 * _SUM
    payload = memoryview(data)[start:]
    if len(data) <= start or data[:start] != _header(payload):
        return None
    kind, *content = marshal.loads(payload)
    return str(content[0]) if kind == _ERROR else _unpack(*content)


def _replace(path: Path, data: bytes) -> None:
    """Write a whole file at once: a reader sees the old one, the new one or none."""
    # Two threads of one process may write the same blob: the counter keeps their files apart.
    name = path.with_name(f".{path.name}.{os.getpid()}.{next(_writes)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    try:
        handle = os.open(name, flags, 0o666)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(name, flags, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


# ---- what is kept of a module ------------------------------------------------
_CODE_ROW = attrgetter(*[field.name for field in fields(Code) if field.name != "_body"])
_CLASS_ROW = attrgetter(*[field.name for field in fields(ClassInfo)])


def _pack(module: ModuleIR) -> tuple[Any, ...]:
    codes = [(*_CODE_ROW(code), marshal.dumps(code.body)) for code in module.codes]
    classes = [_CLASS_ROW(info) for info in module.classes]
    return (
        codes, classes, ir.pack_units(module.units), module.imports, module.top_classes, module.names,
        module.touches, module.bare,
    )  # fmt: skip


def _unpack(codes: Any, classes: Any, *rest: Any) -> ModuleIR:
    return ModuleIR([Code(*row) for row in codes], [ClassInfo(*row) for row in classes], *rest)
