"""From a finished fixpoint to a Result: lives by phase, call paths, and what was lost on the way."""

from __future__ import annotations

from collections import Counter

from pathcheck.target.ops import WORLD
from pathcheck.target.server import Server
from pathcheck.verdict.callpaths import phase_paths
from pathcheck.verdict.merge import Merged
from pathcheck.verdict.model import PHASES
from pathcheck.verdict.openfacts import fact_names, waiting
from pathcheck.verdict.phases import walk_phases
from pathcheck.verdict.result import Result
from pathcheck.verdict.roots import is_entry
from pathcheck.verdict.stops import Stop, cut_short, startup_stops

#: The file that a stop of the whole analysis is told of.
LAUNCH = "python/sglang/launch_server.py"


def collapse(server: Server) -> Result:
    """The result of a server's fixpoint."""
    merged = _merged(server)
    walks = walk_phases(server.worlds.values())
    for walk in walks:
        merged.add_walk(walk)
    result = merged.result()
    names = fact_names(server.worlds.values())
    for path, module in result.modules.items():
        module.facts = waiting(merged.modules[path].ir, module.outcomes, names)
    for phase in PHASES:
        result.paths[phase] = phase_paths([walk for walk in walks if walk.phase == phase])
    result.rooted = [phase for phase in PHASES if result.paths[phase].steps]
    result.broken = sorted(server.program.broken.items())
    stops = startup_stops(server)
    limited = [world.role for world in server.worlds.values() if world.exhausted]
    result.limited = bool(limited)
    result.cut_short = _cut_short(cut_short(server)) + [
        (LAUNCH, f"the analysis of the {role} process stopped at its limit of work: nothing is called dead")
        for role in limited
    ]
    result.info = _info(server, merged, result, stops)
    return result


def _merged(server: Server) -> Merged:
    merged = Merged()
    for world in server.worlds.values():
        for context in world.contexts:
            if context.evaluations and not is_entry(context):
                merged.add(context)
        for name, unit in world.lifted:
            merged.lifted.setdefault(name, set()).add(unit)
    return merged


def _cut_short(stops: list[Stop]) -> list[tuple[str, str]]:
    """Where a process' analysis ends before the process serves."""
    return sorted(
        (stop.path, f"the analysis of the {stop.role} process ends at line {stop.line}: {stop.why}")
        for stop in stops
    )


def _unknown(result: Result) -> list[tuple[str, int, str]]:
    """The facts that open tests wait for, those that decide most first."""
    counts = Counter(fact for module in result.modules.values() for fact in module.facts.values())
    return [
        (fact, count, f"--assume {fact}=VALUE")
        for fact, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def _info(server: Server, merged: Merged, result: Result, stops: list[Stop]) -> dict[str, object]:
    live, total = merged.functions()
    return {
        "world": tuple(WORLD),
        "watchdogs": _watchdogs(server, merged, result),
        "functions_total": total,
        "functions_live": live,
        "unknown_used": _unknown(result),
        "startup_stops": tuple((stop.role, stop.path, stop.line, stop.why) for stop in stops),
        "files_found": len(server.program.files),
        "files_loaded": len(merged.modules),
    }


def _watchdogs(server: Server, merged: Merged, result: Result) -> tuple[int, ...]:
    """The counts in the order of ``model.Watchdogs``."""
    worlds = server.worlds.values()
    return (
        sum(len(module.stops()) for module in merged.modules.values()),
        sum(len(world.lifted) for world in worlds),
        sum(len(module.lost) for module in result.modules.values()),
        sum(world.by_name_edges for world in worlds),
        sum(world.widened for world in worlds),
    )
