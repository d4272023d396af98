"""The ordinary load and the closed world, as the engine takes them (data in load.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pathcheck.flow.values import Atom, Const, Klass, Obj
from pathcheck.target.load import ENTRIES, RESULTS, Outcome, Service

_CONSTANTS: dict[Outcome, Any] = {Outcome.TRUE: True, Outcome.FALSE: False, Outcome.NONE: None}


def results() -> dict[str, Any]:
    """Functions whose result the ordinary load decides to a constant."""
    return {
        row.function: _CONSTANTS[row.value] for row in RESULTS if row.value in _CONSTANTS and not row.members
    }


def choices() -> dict[str, Callable[[Atom], bool]]:
    """Functions of whose results the ordinary load leaves some: never None, or some members of an enum."""
    found: dict[str, Callable[[Atom], bool]] = {}
    for row in RESULTS:
        if row.members:
            found[row.function] = _one_of(row.members)
        elif row.value is Outcome.NOT_NONE:
            found[row.function] = _not_none
    return found


def _not_none(atom: Atom) -> bool:
    return not (isinstance(atom, Const) and atom.value is None)


def _one_of(members: tuple[str, ...]) -> Callable[[Atom], bool]:
    def chosen(atom: Atom) -> bool:
        if not (isinstance(atom, Obj) and atom.kind == "enum" and isinstance(atom.klass, Klass)):
            return True
        return f"{atom.klass.info.name}.{atom.name}" in members

    return chosen


def closed() -> dict[str, str]:
    """Functions that only administration enters: not entered in the closed world."""
    return {}


def served() -> list[tuple[str, Service, str | None]]:
    """(function, service, request class) of everything a client's call enters."""
    return [(e.function, e.service, e.request) for e in ENTRIES if e.service is not Service.ADMINISTRATION]


def request_texts(server_args: Mapping[str, Any]) -> dict[str, str]:
    """What an ordinary client names the model by: the name it is served under, by default its path."""
    name = server_args.get("served_model_name") or server_args.get("model_path") or server_args.get("model")
    return {"model": name} if isinstance(name, str) else {}
