"""A deployment as read, names normalised; nothing here is known of any revision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

#: What stands in the place of a secret's value from the moment it is read.
REDACTED = "<redacted>"


@dataclass(frozen=True, slots=True)
class Deployment:
    """The facts of one server.

    ``env`` holds the variables that are known: a string, or None where one is
    stated unset; ``env_unlisted`` says what all others are.  ``effective``:
    the arguments are the server's own final ones, not to be resolved again.
    Secrets are already replaced by REDACTED.
    """

    server_args: Mapping[str, Any] = field(default_factory=dict)
    env: Mapping[str, str | None] = field(default_factory=dict)
    env_unlisted: Literal["unset", "unknown"] = "unknown"
    facts: Mapping[str, Any] = field(default_factory=dict)
    effective: bool = False
    #: What was read and not understood, one line each (unknown facts).
    warnings: tuple[str, ...] = ()

    def given(self) -> dict[str, Any]:
        """All of it as one plain object, as reports print it."""
        return {
            "server_args": dict(self.server_args),
            "env": dict(self.env),
            "env_unlisted": self.env_unlisted,
            "facts": dict(self.facts),
            "effective": self.effective,
        }


class DeploymentError(Exception):
    """An input is wrong: one line that says what, where and what would be right."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))
