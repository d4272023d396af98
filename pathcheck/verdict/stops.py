"""Where start-up ends under the facts, and facts that contradict the revision.

Each process is followed from its entry to the statement that no path gets
past: from a call that never returns into its callee, from an import that fails
into its module.  That an absent package stands at the end is a contradiction:
either the fact is wrong, or no such server starts, and a verdict "unreachable"
would be worthless.  Anything else is told as a stop of start-up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pathcheck.flow.context import Context
from pathcheck.flow.stops import end_of
from pathcheck.flow.world import World
from pathcheck.target.phases import entries_of
from pathcheck.verdict.roots import Roots, is_entry
from pathcheck.verdict.seam import AnalysisError

if TYPE_CHECKING:
    from pathcheck.target.server import Server

_ABSENT = re.compile(r"module (\S+) is absent")
_MODELS = "sglang.srt.models."


@dataclass(frozen=True, slots=True)
class Stop:
    """The statement at which a process goes no further."""

    role: str
    path: str
    line: int
    why: str
    #: the third-party module whose absence it is
    absent: str = ""


def check_facts(server: Server) -> None:
    """Raise AnalysisError if a missing package keeps the server from serving."""
    for stop in (*_dead_starts(server), *_dead_models(server)):
        if stop.absent:
            raise AnalysisError(
                f"the facts contradict the revision: {stop.path}:{stop.line} imports {stop.absent}, "
                f"which {_fact(server, stop.absent)}, and the {stop.role} process needs it: "
                f"state packages.{stop.absent.split('.')[0]} as it is installed"
            )


def startup_stops(server: Server) -> list[Stop]:
    """Where start-up ends in truth; the analysis went on behind it."""
    found = []
    for world in server.worlds.values():
        for (name, unit), why in world.stops.items():
            module = world.modules[name]
            assert module.ir is not None
            found.append(Stop(world.role, module.path, module.ir.units[unit].line, why))
    return found


def cut_short(server: Server) -> list[Stop]:
    """Where a process that should serve does not come to serve, and the analysis could not go on either."""
    return [stop for stop in _dead_starts(server) if not stop.absent]


def _fact(server: Server, module: str) -> str:
    stated = server.facts.get("packages") or {}
    top = module.split(".")[0]
    for name in (module, top):
        if name in stated:
            return f"packages.{name} says is absent"
    return f"is absent by packages_else: {server.facts.get('packages_else')}"


def _dead_starts(server: Server) -> Iterator[Stop]:
    """For each process whose loop is never entered, why."""
    for role, world in server.worlds.items():
        if role == "scheduler" and not _enters_loop(world):
            yield from _first(world)
    if "scheduler" not in server.worlds and "main" in server.worlds:
        yield from _first(server.worlds["main"])


def _enters_loop(world: World) -> bool:
    contexts = [context for context in world.contexts if context.evaluations]
    roots = Roots(world, contexts)
    return any(roots.of(entry) for entry in entries_of("schedule") if entry.role == world.role)


def _first(world: World) -> Iterator[Stop]:
    """The stop that the process' entry ends in."""
    for entry in world.contexts:
        for _, context in entry.calls if is_entry(entry) else ():
            found = follow(world, context)
            if found is not None:
                yield found


def follow(world: World, context: Context) -> Stop | None:
    """The statement that keeps a context from returning."""
    end = end_of(world, context)
    if end is None:
        return None
    missing = _ABSENT.match(end.why)
    absent = missing.group(1) if missing and missing.group(1) not in world.program.modules else ""
    module = end.context.module
    return Stop(world.role, module.path, module.ir.units[end.unit].line, end.why, absent)


def _dead_models(server: Server) -> Iterator[Stop]:
    """Why the module of the configured architecture could not be imported."""
    world = server.worlds.get("scheduler")
    if world is None:
        return
    for name in _architectures(server.facts):
        for module, state in sorted(world.modules.items()):
            if module.startswith(_MODELS) and state.ir is not None and name in state.ir.top_classes:
                found = follow(world, state.context) if state.context is not None else None
                if found is not None:
                    yield found


def _architectures(facts: Any) -> list[str]:
    found: list[str] = []
    for key in ("model_config", "draft_model_config"):
        config = facts.get(key)
        names = config.get("architectures") if isinstance(config, dict) else None
        found += [name for name in names or () if isinstance(name, str)]
    return found
