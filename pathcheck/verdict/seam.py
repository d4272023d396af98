"""What the analysis of one revision under one deployment answers, and how it says no."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pathcheck.deployment.model import Deployment
from pathcheck.revision.tree import Tree
from pathcheck.verdict.model import AnalysisInfo, PlaceVerdict

#: Told of each step of the work, one line each.
Progress = Callable[[str], None]


class NoSuchPlace(Exception):
    """The revision has no such file or line. The message is one line for the user."""


class AnalysisError(Exception):
    """No analysis is possible. One line says what, where and what would be right.

    ``code`` is the exit code it leads to: 2 where an input is wrong, 3 where
    the analysis met a limit.
    """

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(" ".join(message.split()))
        self.code = code


class Decider(Protocol):
    """An analysed revision: it decides any lines of it."""

    @property
    def info(self) -> AnalysisInfo:
        """What holds for the whole analysis."""
        ...

    def place(
        self, file: str, start: int, end: int, evidence: bool, whole: bool = True
    ) -> PlaceVerdict:
        """The verdict of lines ``start`` to ``end`` (``whole``: of a whole function, of entering it).

        With witness and proof if ``evidence``.

        Raises NoSuchPlace for a file or line that does not exist.
        """
        ...

    def loads(self, file: str) -> bool:
        """False only if it is shown that no live code loads this file."""
        ...


class OpenDecider(Protocol):
    """Analyses a revision. Raises AnalysisError or RevisionError."""

    def __call__(self, tree: Tree, deployment: Deployment, progress: Progress) -> Decider:
        """The decider of this tree under this deployment."""
        ...


def silent(_: str) -> None:
    """The Progress that says nothing."""
