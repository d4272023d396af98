"""Bytes become text the way Python itself reads them (PEP 263, BOM)."""

from __future__ import annotations

import io
import tokenize


class SourceError(Exception):
    """A file that Python could not read; the message says why, in one line.

    ``lasting`` is False where the same bytes might be read another time.
    """

    def __init__(self, message: str, lasting: bool = True) -> None:
        super().__init__(message)
        self.lasting = lasting


def decode(data: bytes) -> str:
    """Decode ``data`` by its BOM or coding cookie, UTF-8 otherwise.

    Raises SourceError where Python would refuse the file.
    """
    if b"\0" in data:
        raise SourceError("contains a null byte: not Python source")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        raise SourceError(f"cannot be decoded: {error}") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")
