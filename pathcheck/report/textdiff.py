"""The text of a diff, most important first, so that one screen answers."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pathcheck.report.headline import headline, style_of
from pathcheck.report.rows import (
    DeadGroup,
    best_phase,
    comments,
    dead_groups,
    guard_text,
    live_rows,
)
from pathcheck.report.safe import plain, safe
from pathcheck.report.textfacts import fact_sections
from pathcheck.verdict.commits import live_phases
from pathcheck.verdict.model import PhaseVerdict
from pathcheck.verdict.reports import ChangeVerdict, DiffReport

_VERDICT_STYLES = {"reachable": "bold red", "conditional": "yellow", "unreachable": "green"}
#: Files named for a group of dead changes, and ends of a long call path.
_NAMED = 6
_PATH_ENDS = 3


def diff_sections(report: DiffReport) -> list[RenderableType]:
    """All sections, in reading order; empty ones are left out."""
    sentence, style = headline(report)
    sections: list[RenderableType] = [safe(sentence, style), _range(report)]
    if report.commits:
        sections.append(_commit_table(report))
    sections += _live(report)
    sections += _dead(report)
    sections += _others(report)
    sections += fact_sections(report.info, report.incomplete)
    return sections


def _range(report: DiffReport) -> Text:
    base, head = report.base, report.head
    changes = len(report.changes)
    text = f"{base.rev} ({base.sha[:9]}) to {head.rev} ({head.sha[:9]}): {changes} changes"
    silent = comments(report)
    return safe(f"{text}, {silent} of them comments or formatting" if silent else text, "dim")


def _commit_table(report: DiffReport) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in ("commit", "title"):
        table.add_column(name, overflow="fold", no_wrap=name == "commit")
    for name in ("reach", "cond", "dead"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("status", no_wrap=True)
    table.add_column("runs in", overflow="fold")
    for commit in report.commits:
        counts = commit.counts
        numbers = [str(counts[name] or "") for name in ("reachable", "conditional", "unreachable")]
        table.add_row(
            safe(commit.sha[:9]),
            safe(commit.title, limit=60),
            *numbers,
            safe(commit.status, style_of(commit.status)),
            safe(", ".join(commit.phases)),
        )
    return table


def _live(report: DiffReport) -> list[RenderableType]:
    found = live_rows(report)
    if not found:
        return []
    sections: list[RenderableType] = [_title(f"Live changes ({len(found)})")]
    file = None
    for each in found:
        if each.change.file != file:
            file = each.change.file
            sections.append(safe(file, "bold"))
        sections.append(Padding(_live_row(each, report.phases), (0, 0, 0, 2)))
    return sections


def _live_row(each: ChangeVerdict, phases: Sequence[str]) -> RenderableType:
    place, change = each.place, each.change
    verdict = place.verdict or ""
    head = Text.assemble(
        (f"{verdict:<12}", _VERDICT_STYLES.get(verdict, "")), f"{_lines(each)}  ", plain(change.symbol)
    )
    tail = f"  {change.kind}" + (", removed" if change.side == "base" else "")
    head.append(tail + ("" if place.confidence == "proved" else ", assumed"), style="dim")
    where = ", ".join(live_phases(place, phases)) or "a phase that is not known"
    lines: list[RenderableType] = [head, _detail("in", f"{where}  [{each.commit[:9]}]")]
    best = best_phase(place, phases)
    if best is not None:
        lines += _path(best[1])
    if change.moved_from:
        lines.append(_detail("moved", f"from {change.moved_from.file}:{change.moved_from.lines[0]}"))
    return Group(*lines)


def _path(verdict: PhaseVerdict) -> list[RenderableType]:
    guards = [*verdict.guards] or [guard for step in verdict.witness for guard in step.guards]
    # Open guards decide; after them those nearest to the change.
    ordered = sorted(guards, key=lambda guard: guard.value is not None)
    shown = [_detail("under", f"{guard_text(g)}  ({g.file}:{g.line})") for g in ordered[:_PATH_ENDS]]
    if len(ordered) > _PATH_ENDS:
        shown.append(_detail("under", f"and {len(ordered) - _PATH_ENDS} more guards"))
    symbols = [step.symbol for step in verdict.witness]
    if len(symbols) > 2 * _PATH_ENDS:
        symbols = [*symbols[:_PATH_ENDS], "…", *symbols[-_PATH_ENDS:]]
    return [*shown, *([_detail("path", " > ".join(symbols))] if symbols else [])]


def _dead(report: DiffReport) -> list[RenderableType]:
    groups = dead_groups(report)
    if not groups:
        return []
    total = sum(len(group.changes) for group in groups)
    return [_title(f"Dead changes ({total}), by what kills them"), *(_dead_group(g) for g in groups)]


def _dead_group(group: DeadGroup) -> RenderableType:
    head = Text.assemble((f"{len(group.changes):>4}  ", "green"), plain(group.why, 160))
    if group.where:
        head.append(f"  ({plain(group.where)})", style="dim")
    if not group.proved:
        head.append("  some assumed", style="yellow")
    return Group(head, *_places(group.changes))


def _places(changes: Sequence[ChangeVerdict]) -> list[RenderableType]:
    """One line for each file, the first few of them."""
    files: dict[str, list[str]] = {}
    for each in changes:
        files.setdefault(each.change.file, []).append(_lines(each))
    named = [f"{file}:{', '.join(lines)}" for file, lines in list(files.items())[:_NAMED]]
    if len(files) > _NAMED:
        named.append(f"and {len(files) - _NAMED} more files")
    return [Padding(safe(text, "dim", 240), (0, 0, 0, 6)) for text in named]


def _others(report: DiffReport) -> list[RenderableType]:
    matter = [other for other in report.other_files if other.status == "may-matter"]
    outside = len(report.other_files) - len(matter)
    if not report.other_files:
        return []
    lines: list[RenderableType] = [_title(f"Other files: {len(matter)} may matter, {outside} are outside")]
    lines += [
        Text.assemble(
            plain(other.file), "  ", (f"{other.kind}, {other.commit[:9]}  ", "dim"), plain(other.reason)
        )
        for other in matter
    ]
    return lines


def _lines(each: ChangeVerdict) -> str:
    first, last = each.change.lines
    text = str(first) if first == last else f"{first}-{last}"
    return f"{text} of the base" if each.change.side == "base" else text


def _detail(word: str, text: str) -> RenderableType:
    line = Text(f"{word:<5} ", style="dim")
    line.append(plain(text, 400), style="default")
    return Padding(line, (0, 0, 0, 4))


def _title(text: str) -> RenderableType:
    return Text(f"\n{text}", style="bold")


