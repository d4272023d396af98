"""The one error of this room."""

from __future__ import annotations


class ReleaseError(Exception):
    """A release cannot be had or cannot be trusted; the message is one line."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))
