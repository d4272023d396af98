"""JSON, schema ``pathcheck/1``: docs/contract.md has the keys. None ever disappears."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from pathcheck.report.base import Evidence, View
from pathcheck.report.jsonplace import phases, statements
from pathcheck.verdict.model import PHASES, AnalysisInfo, PlaceVerdict
from pathcheck.verdict.reports import (
    ChangeVerdict,
    CommitSummary,
    DiffReport,
    ExplainReport,
    Flip,
    NoPlace,
    OtherFile,
    Revision,
    Suspect,
)

SCHEMA = "pathcheck/1"

Object = dict[str, Any]


class JsonFormat:
    """One object, one line end, ASCII only: any byte of a title or path survives."""

    def diff(self, report: DiffReport, view: View) -> str:
        """The answer of ``pathcheck diff``."""
        return _dump(diff_object(report, view.evidence))

    def explain(self, report: ExplainReport, view: View) -> str:
        """The answer of ``pathcheck explain``."""
        return _dump(explain_object(report, view.evidence))


def diff_object(report: DiffReport, evidence: Evidence) -> Object:
    """The whole diff as plain data."""
    return {
        "schema": SCHEMA,
        "tool": _tool(),
        "repo": report.repo,
        "base": _revision(report.base),
        "head": _revision(report.head),
        "facts": _facts(report.given, report.info),
        "commits": [_commit(commit) for commit in report.commits],
        "changes": [_change(change, evidence) for change in report.changes],
        "other_files": [_other(other) for other in report.other_files],
        "flips": [_flip(flip) for flip in report.flips],
        "startup_stops": _stops(report.info),
        "suspects": [_suspect(suspect) for suspect in report.suspects],
        "watchdogs": _watchdogs(report.info),
        "incomplete": _incomplete(report.incomplete),
        "summary": _summary(report),
    }


def explain_object(report: ExplainReport, evidence: Evidence) -> Object:
    """All explained places as plain data, in the order asked."""
    return {
        "schema": SCHEMA,
        "tool": _tool(),
        "repo": report.repo,
        "head": _revision(report.head),
        "facts": _facts(report.given, report.info),
        "startup_stops": _stops(report.info),
        "watchdogs": _watchdogs(report.info),
        "incomplete": _incomplete(report.info.incomplete),
        "results": [_result(result, evidence) for result in report.results],
    }


def _dump(value: Object) -> str:
    return json.dumps(value, ensure_ascii=True, default=str) + "\n"


def _tool() -> Object:
    try:
        return {"version": version("pathcheck")}
    except PackageNotFoundError:
        return {"version": "unknown"}


def _revision(revision: Revision) -> Object:
    return {"rev": revision.rev, "sha": revision.sha}


def _facts(given: Mapping[str, Any], info: AnalysisInfo) -> Object:
    unknown = [
        {"fact": fact.fact, "would_decide": fact.would_decide, "how_to_give": fact.how_to_give}
        for fact in info.unknown_used
    ]
    return {"given": given, "world": list(info.world), "unknown_used": unknown}


def _commit(commit: CommitSummary) -> Object:
    return {
        "sha": commit.sha,
        "title": commit.title,
        "counts": dict(commit.counts),
        "status": commit.status,
        "reasons": list(commit.reasons),
    }


def _change(verdict: ChangeVerdict, evidence: Evidence) -> Object:
    change = verdict.change
    head = {
        "id": change.id,
        "parent": change.parent,
        "file": change.file,
        "old_file": change.old_file,
        "side": change.side,
        "lines": list(change.lines),
        "columns": list(change.columns) if change.columns else None,
        "symbol": change.symbol,
        "commit": verdict.commit,
        "title": verdict.title,
        "kind": change.kind,
        "moved_from": _origin(change.moved_from),
        "moved_to": _origin(change.moved_to),
    }
    return {**head, **_verdict(verdict.place, evidence)}


def _origin(origin: Any) -> Object | None:
    if origin is None:
        return None
    return {"file": origin.file, "lines": list(origin.lines), "symbol": origin.symbol}


def _result(result: PlaceVerdict | NoPlace, evidence: Evidence) -> Object:
    if isinstance(result, NoPlace):
        lines = list(result.lines) if result.lines else None
        return {"file": result.file, "lines": lines, "error": result.error}
    head = {
        "file": result.file,
        "lines": list(result.lines),
        "symbol": result.symbol,
        "kind": result.kind,
    }
    return {**head, **_verdict(result, evidence)}


def _verdict(place: PlaceVerdict, evidence: Evidence) -> Object:
    return {
        "verdict": place.verdict,
        "confidence": place.confidence,
        "assumptions": list(place.assumptions),
        "statements": statements(place),
        "phases": phases(place, evidence),
    }


def _other(other: OtherFile) -> Object:
    return {
        "file": other.file,
        "commit": other.commit,
        "kind": other.kind,
        "status": other.status,
        "reason": other.reason,
    }


def _flip(flip: Flip) -> Object:
    cause = flip.cause
    return {
        "id": flip.id,
        "file": flip.file,
        "lines": list(flip.lines),
        "symbol": flip.symbol,
        "phase": flip.phase,
        "before": flip.before,
        "after": flip.after,
        "confidence": flip.confidence,
        "via": list(flip.via),
        "cause": {"file": cause.file, "line": cause.line, "text": cause.text},
    }


def _suspect(suspect: Suspect) -> Object:
    return {
        "commit": suspect.commit,
        "phase": suspect.phase,
        "rank": suspect.rank,
        "reasons": list(suspect.reasons),
    }


def _stops(info: AnalysisInfo) -> list[Object]:
    return [
        {"role": stop.role, "file": stop.file, "line": stop.line, "text": stop.text, "why": stop.why}
        for stop in info.startup_stops
    ]


def _watchdogs(info: AnalysisInfo) -> Object:
    dogs = info.watchdogs
    return {
        "stuck": dogs.stuck,
        "lifted": dogs.lifted,
        "lost": dogs.lost,
        "by_name_edges": dogs.by_name_edges,
        "widened": dogs.widened,
    }


def _incomplete(entries: tuple[tuple[str, str], ...]) -> list[Object]:
    return [{"file": file, "reason": reason} for file, reason in sorted(entries)]


def _summary(report: DiffReport) -> Object:
    by_phase = {phase: {"reachable": 0, "conditional": 0, "unreachable": 0} for phase in PHASES}
    for change in report.changes:
        for phase, shown in phases(change.place, "none").items():
            if shown["verdict"] is not None:
                by_phase[phase][shown["verdict"]] += 1
    return {"changes": len(report.changes), "by_phase": by_phase}
