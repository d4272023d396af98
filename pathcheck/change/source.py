"""Bytes of a Python file become text and a syntax tree, or a named reason why not."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass

from pathcheck.program.source import SourceError, decode

#: Above this no file is parsed: nothing that a person wrote is as large.
MAX_BYTES = 16_000_000


class Unreadable(Exception):
    """The file cannot become a tree; the message says why in one line."""


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed file. ``lines`` are Python's own: ``lines[0]`` is line 1, without its end."""

    lines: tuple[str, ...]
    tree: ast.Module

    def text(self, start: int, end: int) -> str:
        """Lines ``start`` to ``end``, both counted from one and included."""
        return "\n".join(self.lines[start - 1 : end])


def read_source(data: bytes) -> Source:
    """Decode and parse, or raise Unreadable."""
    if len(data) > MAX_BYTES:
        raise Unreadable(f"larger than {MAX_BYTES} bytes")
    try:
        text = decode(data)
    except SourceError as error:
        raise Unreadable(_one_line(error)) from None
    return Source(tuple(text.split("\n")), _parse(text))


def _parse(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in the target are not our warnings
            return ast.parse(text)
    except SyntaxError as error:
        raise Unreadable(f"does not parse: line {error.lineno or 0}: {_one_line(error.msg)}") from None
    except (RecursionError, MemoryError):
        raise Unreadable("is nested too deeply to parse") from None
    except ValueError as error:
        raise Unreadable(f"does not parse: {_one_line(error)}") from None


def _one_line(error: object) -> str:
    return " ".join(str(error).split())[:200]
