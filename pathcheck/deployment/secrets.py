"""Secrets are taken out as soon as they are read: what is not kept cannot leak.

A guard asks whether a key is set, never what it is, so a placeholder loses
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pathcheck.deployment.model import REDACTED

#: Whole words of a name; ``max_total_tokens`` and ``tokenizer_path`` are none.
_SECRET = re.compile(
    r"(^|_)(api_?key|token|secret|secrets|password|passwd|credentials?|private_key|access_key)($|_)",
    re.IGNORECASE,
)
#: Names that hold such a word and no secret.
_HARMLESS = re.compile(r"(token_(id|ids|len|num|path|count|map|pool)|_to_token)", re.IGNORECASE)


def redact(values: Mapping[str, Any]) -> dict[str, Any]:
    """The same mapping, the texts of secrets replaced."""
    return {name: REDACTED if is_secret(name, value) else value for name, value in values.items()}


def is_secret(name: str, value: object) -> bool:
    """True for a non-empty text under a name that speaks of a secret."""
    if not isinstance(value, str) or not value or _HARMLESS.search(name):
        return False
    # A variable such as SGLANG_PER_TOKEN holds a number, and a branch may compare it.
    is_count = value.replace(".", "").isdigit() and "token" in name.lower()
    return bool(_SECRET.search(name)) and not is_count
