"""What the analysis lost, and which verdicts that could change.

A statement that no path gets past is either the program's own decision (a
raise, a failed assertion, a package that is absent, a loop without end) or a
loss: a value that the analysis did not find.  What stands behind a loss may
run after all, and so may a function that such a statement names: verdicts of
both are *assumed*.  A file that live code loads and that does not parse could
name anything: then every ``unreachable`` is assumed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pathcheck.program.ir import Code, ModuleIR
from pathcheck.verdict.statements import head_of, names_in, walk

#: Reasons to stop that are the program's own.
_DECIDED = re.compile(
    r"raise$|assert$|(module|package) \S+ is absent|name \S+ is not defined|the process exits"
    r"|the checkpoint has no such file|what is awaited never returns"
)
#: What the analysis puts before the reason of a stop that a handler may catch (``flow.stops.IN_TRY``).
IN_TRY = "in try: "
_CALL = re.compile(r"<function ([\w.]+):([\w.<>]+)> never returns")

#: (module name, unit) -> why no path got past
Stops = Mapping[tuple[str, int], str]


def losses(stops: Stops, modules: Mapping[str, ModuleIR]) -> dict[tuple[str, int], str]:
    """The stops that are losses, those of their callers included."""
    plain = {at: why.removeprefix(IN_TRY) for at, why in stops.items()}
    found = {at: why for at, why in plain.items() if not _DECIDED.match(why) and not _CALL.match(why)}
    waiting = {at: match.groups() for at, why in plain.items() if (match := _CALL.match(why))}
    while True:
        lossy = {(name, _function(modules[name], unit)) for name, unit in found}
        new = {at for at, callee in waiting.items() if callee in lossy and at not in found}
        if not new:
            return found
        found.update((at, plain[at]) for at in new)


def _function(module: ModuleIR, unit: int) -> str:
    return module.codes[module.units[unit].code].qualname


def names_of(module: ModuleIR, unit: int) -> frozenset[str]:
    """The names that a statement mentions, those of its parts included."""
    code, outermost = module.codes[module.units[unit].code], _outermost(module, unit)
    for node in walk(code.body):
        if node[1] == outermost:
            return frozenset(names_in(head_of(node)))
    return frozenset()


def _outermost(module: ModuleIR, unit: int) -> int:
    """The statement that a part belongs to."""
    while module.units[unit].arm == "part" and module.units[unit].parent >= 0:
        unit = module.units[unit].parent
    return unit


def called_as(code: Code) -> str:
    """The name that a call of a function is written with: for a constructor, its class's."""
    parts = code.qualname.split(".")
    if code.name.startswith("__") and len(parts) > 1:
        return parts[-2]
    return code.name
