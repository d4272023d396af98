"""The contexts where phases begin: the names of ``target.phases`` looked up in a fixpoint."""

from __future__ import annotations

from collections.abc import Sequence

from pathcheck.flow.context import Context
from pathcheck.flow.values import Const, Klass, Obj
from pathcheck.flow.world import World
from pathcheck.target.load import ENTRIES
from pathcheck.target.phases import PhaseRoots, Root

#: Handlers that start-up may post to: its request is no edge of the call graph.
_ROUTES = frozenset(entry.function for entry in ENTRIES)
_DRAFT_FIELD = "is_draft_worker"
#: Fields under which a worker or graph runner holds the model's runner.
_RUNNER_FIELDS = ("model_runner", "_model_runner")


class Roots:
    """Finds the root contexts of one process."""

    def __init__(self, world: World, contexts: Sequence[Context]) -> None:
        self.world = world
        self._by_name: dict[str, list[Context]] = {}
        for context in contexts:
            self._by_name.setdefault(name_of(context), []).append(context)

    def named(self, function: str) -> list[Context]:
        """The contexts of a function, by ``module:qualified.name``."""
        return self._by_name.get(function, [])

    def of(self, entry: PhaseRoots) -> list[Context]:
        """The contexts where a phase begins."""
        return [context for root in entry.roots for context in self._of(root)]

    def _of(self, root: Root) -> list[Context]:
        contexts = [c for c in self.named(root.function) if _fits(c, root)]
        if not root.callers:
            return contexts
        callers = [caller for name in root.callers for caller in self.named(name)]
        if root.function in _ROUTES:
            return contexts if callers else []
        called = {callee for caller in callers for _, callee in caller.calls}
        return [c for c in contexts if c in called]


def name_of(context: Context) -> str:
    """``module:qualified.name`` of a context's function."""
    return f"{context.module.name}:{context.code.qualname}"


def is_entry(context: Context) -> bool:
    """Whether a context is the analysis' own first call."""
    return context.code.kind == "entry"


def _fits(context: Context, root: Root) -> bool:
    """Whether the receiver may be what the root asks for; what is not known fits."""
    receiver = context.receiver
    if root.self_class is not None and not _has_class(receiver, root.self_class):
        return False
    draft = _is_draft(receiver)
    return root.receiver is None or draft is None or draft == (root.receiver == "draft")


def _has_class(receiver: object, name: str) -> bool:
    if not isinstance(receiver, Obj) or not isinstance(receiver.klass, Klass):
        return True
    return any(isinstance(k, Klass) and _class_name(k) == name for k in _ancestors(receiver.klass))


def _class_name(klass: Klass) -> str:
    return f"{klass.module.name}:{klass.info.qualname}"


def _ancestors(klass: Klass) -> list[Klass]:
    found, waiting = [], [klass]
    while waiting:
        current = waiting.pop()
        if current not in found:
            found.append(current)
            waiting += [a for base in current.bases for a in base.atoms if isinstance(a, Klass)]
    return found


def _is_draft(receiver: object) -> bool | None:
    """Whether an object belongs to the draft model; None if that is not known."""
    if not isinstance(receiver, Obj):
        return None
    answers = {own for own in (_flag(receiver),) if own is not None}
    for name in _RUNNER_FIELDS if not answers else ():
        cell = receiver.fields.get(name)
        inner = [_flag(atom) for atom in cell.value.atoms if isinstance(atom, Obj)] if cell else []
        answers.update(answer for answer in inner if answer is not None)
        if None in inner:
            return None
    return answers.pop() if len(answers) == 1 else None


def _flag(obj: Obj) -> bool | None:
    cell = obj.fields.get(_DRAFT_FIELD)
    values = [a.value for a in cell.value.atoms if isinstance(a, Const)] if cell is not None else []
    if cell is None or len(values) != 1 or len(cell.value.atoms) != 1:
        return None
    return bool(values[0])
