"""Places as users write them: ``FILE:LINE[-LINE]`` and JSON Lines."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from pathcheck.cli.errors import InputError
from pathcheck.verdict.decide import Place

_PLACE = re.compile(r"(?P<file>.+):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?", re.DOTALL)


def place_of(text: str) -> Place:
    """Read ``FILE:LINE`` or ``FILE:LINE-LINE``; the file name may hold colons."""
    found = _PLACE.fullmatch(text)
    if found is None:
        raise InputError(f"not a place: {text!r} (expected FILE:LINE or FILE:LINE-LINE)")
    first = int(found["first"])
    last = int(found["last"] or first)
    if not 1 <= first <= last:
        raise InputError(f"{text!r}: lines count from 1, and the last is not before the first")
    return Place(found["file"].removeprefix("./"), (first, last))


def batch_places(source: str) -> list[Place]:
    """Read JSON Lines from a file or, for ``-``, from standard input."""
    lines = enumerate(_read(source).split("\n"), 1)
    return [_batch_place(line, f"--batch {source}, line {number}") for number, line in lines if line.strip()]


def _read(source: str) -> str:
    try:
        if source == "-":
            return sys.stdin.read()
        with open(source, encoding="utf-8-sig") as file:
            return file.read()
    except UnicodeDecodeError as error:
        raise InputError(f"--batch {source} is not UTF-8 text: byte {error.start}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"--batch {source}: {getattr(error, 'strerror', None) or error}") from None


def _batch_place(line: str, where: str) -> Place:
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(f'{where}: not JSON (expected {{"file": …, "lines": [start, end]}})') from None
    if not isinstance(asked, dict) or not isinstance(asked.get("file"), str):
        raise InputError(f'{where}: expected {{"file": …, "lines": [start, end]}}')
    return _checked(asked["file"], asked.get("lines"))


def _checked(file: str, lines: Any) -> Place:
    """Lines that cannot exist are an answer in their place, like lines that do not."""
    if not isinstance(lines, list) or len(lines) != 2 or not all(type(line) is int for line in lines):
        return Place(file, None, f"{file}: lines {lines!r}: expected [start, end]"[:300])
    first, last = lines
    if not 1 <= first <= last:
        return Place(file, (first, last), f"{file}: no lines {first} to {last}: they count from 1")
    return Place(file, (first, last))
