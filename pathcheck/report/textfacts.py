"""What holds for a whole analysis: stops, facts, the closed world, what is missing."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from pathcheck.report.safe import plain, safe
from pathcheck.verdict.model import AnalysisInfo, StartupStop, Watchdogs

#: Unknown facts named in text; JSON has them all.
_FACTS = 8


def fact_sections(info: AnalysisInfo, incomplete: Sequence[tuple[str, str]]) -> list[RenderableType]:
    """The last part of every text; sections without content are left out."""
    return [
        *_section("Start-up stops under these facts", [_stop(stop) for stop in info.startup_stops]),
        *_section("Not analysed", [safe(f"{file}: {reason}") for file, reason in incomplete]),
        *_section("Facts that were asked for and not given", _unknown(info)),
        *_section("Taken for granted", [safe(line) for line in info.world]),
        *_section("", _footer(info)),
    ]


def _section(title: str, lines: Sequence[RenderableType]) -> list[RenderableType]:
    if not lines:
        return []
    return [Text(f"\n{title}" if title else "", style="bold"), *lines]


def _stop(stop: StartupStop) -> Text:
    where = plain(f"{stop.file}:{stop.line}  {stop.text}")
    return Text.assemble((f"{plain(stop.role)}: ", "bold yellow"), where, f"  {plain(stop.why)}")


def _unknown(info: AnalysisInfo) -> list[RenderableType]:
    lines: list[RenderableType] = [
        Text.assemble(
            (plain(fact.fact), "bold"),
            f"  would decide {fact.would_decide}  ",
            (plain(fact.how_to_give), "dim"),
        )
        for fact in info.unknown_used[:_FACTS]
    ]
    if len(info.unknown_used) > _FACTS:
        lines.append(safe(f"and {len(info.unknown_used) - _FACTS} more", "dim"))
    return lines


def _footer(info: AnalysisInfo) -> list[RenderableType]:
    if not info.functions_total:
        return []
    text = (
        f"{info.functions_live} of {info.functions_total} functions reachable; "
        f"{info.files_loaded} of {info.files_found} files loaded"
    )
    lost = _lost(info.watchdogs)
    return [safe(f"{text}; {lost}" if lost else text, "dim")]


def _lost(dogs: Watchdogs) -> str:
    counts = {
        "stuck": dogs.stuck,
        "lifted": dogs.lifted,
        "lost": dogs.lost,
        "by name": dogs.by_name_edges,
        "widened": dogs.widened,
    }
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)
