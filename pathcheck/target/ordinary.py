"""The ordinary load and the closed world, as the engine takes them (data in load.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pathcheck.target.load import ENTRIES, RESULTS, Outcome, Service

_CONSTANTS: dict[Outcome, Any] = {Outcome.TRUE: True, Outcome.FALSE: False, Outcome.NONE: None}


def results() -> dict[str, Any]:
    """Functions whose result the ordinary load decides to a constant."""
    return {
        row.function: _CONSTANTS[row.value] for row in RESULTS if row.value in _CONSTANTS and not row.members
    }


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
