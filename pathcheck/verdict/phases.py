"""Which contexts each phase of the server's life reaches.

``target.phases`` names the roots; here they meet the contexts of a finished
fixpoint.  A phase walks the call graph breadth first from its roots, first
over what the ordinary load reaches, then over the rest, so that the first path
found to a context is its liveliest and, among those, its shortest.  The walk
stops where another phase claims a context as its root.

What runs must be in some phase.  A context that no walk finds (a thread's
target, a callback that only third-party code calls) is *supposed* to belong to
the phases of whoever leads to it, and where nobody does to every serving phase
of its process: never to none.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from pathcheck.flow.context import Context
from pathcheck.flow.world import World
from pathcheck.target.phases import PHASE_ROOTS, PhaseRoots
from pathcheck.verdict.result import CONDITIONAL, REACHABLE
from pathcheck.verdict.roots import Roots, is_entry, name_of

#: Where a process' contexts are supposed to run if nothing tells.
_SERVING: dict[str, tuple[str, ...]] = {
    "main": ("admission", "result", "idle"),
    "scheduler": (
        "schedule", "prefill", "decode", "draft-prefill", "draft", "draft-extend", "verify", "result", "idle",
    ),
    "detokenizer": ("result",),
    "controller": ("admission",),
}  # fmt: skip


@dataclass(slots=True)
class Found:
    """How a phase reaches a context: its life, and the call that leads to it."""

    life: int
    caller: Context | None
    unit: int
    supposed: bool = False


@dataclass(slots=True)
class PhaseWalk:
    """What one phase reaches in one process."""

    phase: str
    role: str
    found: dict[Context, Found] = field(default_factory=dict)


def walk_phases(worlds: Iterable[World]) -> list[PhaseWalk]:
    """The walks of every phase through every process."""
    return [walk for world in worlds for walk in _World(world).walks()]


#: The target's forward that every kind of step shares.
PLAIN_FORWARD = frozenset({"sglang.srt.managers.tp_worker:TpModelWorker.forward_batch_generation"})
#: A capture exists only where the phase does that its graph serves.
CAPTURES = {
    "capture-verify": "verify",
    "capture-decode": "decode",
    "capture-draft": "draft",
    "capture-draft-extend": "draft-extend",
}
_Start = tuple[Context, Found]


class _World:
    def __init__(self, world: World) -> None:
        self.world = world
        self.contexts = [c for c in world.contexts if c.evaluations and not is_entry(c)]
        self.entries = [entry for entry in PHASE_ROOTS if entry.role == world.role]
        self.roots = Roots(world, self.contexts)
        self.found = present({entry.phase: self.roots.of(entry) for entry in self.entries})
        #: context -> the phases that claim it as their root
        self.claims: dict[Context, set[str]] = {}
        for entry in self.entries:
            for context in self.found[entry.phase] if entry.claims else ():
                self.claims.setdefault(context, set()).add(entry.phase)

    def walks(self) -> list[PhaseWalk]:
        walks = [self._walk(entry) for entry in self.entries]
        lost = set(self.contexts).difference(*(walk.found for walk in walks))
        for walk in walks:
            self._spread(walk, lost)
        lost.difference_update(*(walk.found for walk in walks))
        self._suppose(walks, lost)
        return walks

    def _walk(self, entry: PhaseRoots) -> PhaseWalk:
        walk = PhaseWalk(entry.phase, self.world.role)
        stops = {context for name in entry.stops for context in self.roots.named(name)}
        importing = entry.phase == "import"
        roots = self.found[entry.phase]
        if importing:
            roots = [c for c in self.contexts if c.code.kind == "module"]

        def enters(context: Context) -> bool:
            claimed = self.claims.get(context)
            if context in stops or (claimed is not None and entry.phase not in claimed):
                return False
            # Importing is a phase of its own, also where it happens late.
            return importing or context.code.kind != "module"

        starts = [(context, Found(REACHABLE, None, -1)) for context in roots]
        for least in (REACHABLE, CONDITIONAL):
            starts = list(self._search(walk, starts, least, enters))
        return walk

    def _search(
        self, walk: PhaseWalk, starts: list[_Start], least: int, enters: Callable[[Context], bool]
    ) -> Iterator[_Start]:
        """Walk over calls at least so live; gives those that are less."""
        queue = deque(starts)
        while queue:
            context, how = queue.popleft()
            if context in walk.found:
                continue
            if how.life < least:
                yield context, how
                continue
            walk.found[context] = how
            for (unit, callee), stage in context.calls.items():
                if callee not in walk.found and callee.evaluations and enters(callee):
                    life = min(how.life, life_of(stage))
                    queue.append((callee, Found(life, context, unit, how.supposed)))

    def _spread(self, walk: PhaseWalk, lost: set[Context]) -> None:
        """Contexts in no phase belong to those that call them, whatever the walk stopped at."""
        starts = [
            (callee, Found(min(how.life, life_of(stage)), context, unit, supposed=True))
            for context, how in walk.found.items()
            for (unit, callee), stage in context.calls.items()
            if callee in lost
        ]
        for least in (REACHABLE, CONDITIONAL):
            starts = list(self._search(walk, starts, least, lost.__contains__))

    def _suppose(self, walks: list[PhaseWalk], lost: set[Context]) -> None:
        serving = _SERVING.get(self.world.role, ("init",))
        phases = [phase for phase in serving if self.found.get(phase)] or serving
        for context in self.contexts:
            for walk in walks if context in lost else ():
                if walk.phase in phases:
                    walk.found[context] = Found(REACHABLE, None, -1, supposed=True)


def present(found: dict[str, list[Context]]) -> dict[str, list[Context]]:
    """The roots of the phases that exist, none for the others.

    The plain forward of the target is a root of every phase that uses it, and
    alone makes no verify step: that needs the worker that verifies.  Where
    nothing decodes either, the worker is one that is not known, and the
    forward stands for its verify step too.
    """
    own = [context for context in found.get("verify", ()) if name_of(context) not in PLAIN_FORWARD]
    if found.get("decode") and not own:
        found = {**found, "verify": []}
    captured = {phase for phase, served in CAPTURES.items() if not found.get(served)}
    return {phase: [] if phase in captured else roots for phase, roots in found.items()}


def life_of(stage: int) -> int:
    """The life that a stage of the fixpoint means."""
    return REACHABLE if stage == 1 else CONDITIONAL
