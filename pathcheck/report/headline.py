"""The one sentence that answers: can this pull touch what my server runs?"""

from __future__ import annotations

from collections.abc import Sequence

from pathcheck.verdict.reports import CommitSummary, DiffReport, Status

_STYLES: dict[Status, str] = {
    "live": "bold red",
    "conditional": "bold yellow",
    "startup": "yellow",
    "not-analysed": "yellow",
    "cleared": "green",
}


def style_of(status: Status) -> str:
    """The colour of a status."""
    return _STYLES[status]


def headline(report: DiffReport) -> tuple[str, str]:
    """The sentence and its style."""
    sentence, status = _verdict(report)
    return (sentence + _doubts(report), _STYLES[status])


def _verdict(report: DiffReport) -> tuple[str, Status]:
    total = len(report.commits)
    where = f" in {', '.join(report.phases)}" if report.phases else ""
    live, conditional, startup = (_with(report, status) for status in ("live", "conditional", "startup"))
    if not report.changes:
        return (f"No Python changes between {report.base.rev} and {report.head.rev}.", "cleared")
    if live:
        return (f"Yes: {_commits(live, total)} changed code that runs while serving{where}.", "live")
    if conditional:
        return (
            f"Perhaps: {_commits(conditional, total)} changed code that may run while serving{where}, "
            "under guards that are open.",
            "conditional",
        )
    if startup:
        return (
            f"At start-up only: {_commits(startup, total)} changed code that runs before the server serves.",
            "startup",
        )
    return (f"No: no changed Python code can run on this server{where}.", "cleared")


def _doubts(report: DiffReport) -> str:
    parts = []
    matter = sum(1 for other in report.other_files if other.status == "may-matter")
    if matter:
        parts.append(f"{matter} other {'file' if matter == 1 else 'files'} may matter.")
    if report.incomplete:
        count = len(report.incomplete)
        parts.append(f"{count} {'file was' if count == 1 else 'files were'} not analysed.")
    if report.info.startup_stops:
        parts.append("Start-up stops under these facts (below).")
    return "".join(f" {part}" for part in parts)


def _with(report: DiffReport, status: Status) -> list[CommitSummary]:
    return [commit for commit in report.commits if commit.status == status]


def _commits(some: Sequence[CommitSummary], total: int) -> str:
    return f"{len(some)} of {total} commits" if total != 1 else "the commit"
