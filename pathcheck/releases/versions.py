"""Release numbers: reading and ordering them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pathcheck.releases.errors import ReleaseError

_VERSION = re.compile(r"v?(\d+(?:\.\d+){1,3})(?:(a|b|rc)(\d+))?(?:\.post(\d+))?", re.ASCII)
#: Pre-releases come before the release itself.
_STAGES = {"a": 0, "b": 1, "rc": 2, None: 3}


def read_versions(texts: Iterable[str]) -> tuple[str, ...]:
    """Release numbers without a leading ``v``, oldest first, each once.

    Raises ReleaseError for anything that is not a plain release number.
    """
    versions = {text.removeprefix("v") for text in texts if _matched(text)}
    if not versions:
        raise ReleaseError("no release given (expected release numbers such as 0.5.8 0.5.9)")
    return tuple(sorted(versions, key=_order))


def _matched(text: str) -> re.Match[str]:
    match = _VERSION.fullmatch(text)
    if match is None:
        raise ReleaseError(f"not a release number: {text!r} (expected something like 0.5.9 or 0.5.6.post2)")
    return match


def _order(version: str) -> tuple[list[int], int, int, int]:
    numbers, stage, stage_number, post = _matched(version).groups()
    return [int(n) for n in numbers.split(".")], _STAGES[stage], int(stage_number or 0), int(post or -1)
