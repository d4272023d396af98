"""The one error of this room."""

from __future__ import annotations


class RevisionError(Exception):
    """A revision, range or repository cannot be read.

    The message is one line: what is wrong, where, and what would be right.
    Command lines end with exit code 2 on it.
    """

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))
