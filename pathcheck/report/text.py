"""Text for a terminal or a file; the sections are in ``textdiff`` and ``textexplain``."""

from __future__ import annotations

import io

from rich.console import Console, RenderableType

from pathcheck.report.base import View
from pathcheck.report.textdiff import diff_sections
from pathcheck.report.textexplain import explain_sections
from pathcheck.verdict.reports import DiffReport, ExplainReport


class TextFormat:
    """The same words with and without colour; a narrow screen wraps, nothing is cut off."""

    def diff(self, report: DiffReport, view: View) -> str:
        """The answer of ``pathcheck diff``."""
        return _render(diff_sections(report), view)

    def explain(self, report: ExplainReport, view: View) -> str:
        """The answer of ``pathcheck explain``."""
        return _render(explain_sections(report, view.evidence), view)


def _render(sections: list[RenderableType], view: View) -> str:
    buffer = io.StringIO()
    console = Console(
        file=buffer, width=max(view.width, 40), force_terminal=view.color, no_color=not view.color,
        color_system="standard" if view.color else None, highlight=False, markup=False, emoji=False,
        legacy_windows=False, _environ={},
    )  # fmt: skip
    for section in sections:
        console.print(section)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"
