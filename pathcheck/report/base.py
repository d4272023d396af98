"""The one interface of all formats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from pathcheck.verdict.reports import DiffReport, ExplainReport

Evidence = Literal["none", "short", "full"]


@dataclass(frozen=True, slots=True)
class View:
    """How an answer is shown: how much evidence, and what the screen can do."""

    evidence: Evidence = "short"
    width: int = 100
    color: bool = False


class Format(Protocol):
    """Turns whole answers into text, without looking at anything else.

    The same answer and view give the same text.
    """

    def diff(self, report: DiffReport, view: View) -> str:
        """The answer of ``pathcheck diff``."""
        ...

    def explain(self, report: ExplainReport, view: View) -> str:
        """The answer of ``pathcheck explain``."""
        ...
