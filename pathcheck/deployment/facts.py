"""The facts that are known by name, and what each may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pathcheck.deployment.model import DeploymentError
from pathcheck.deployment.parse import read_mapping

_GPU = {
    "platform": "text", "kind": "text", "sm": "pair", "count": "whole", "memory_mib": "whole",
    "nvlink": "flag", "xgmi": "flag", "link": "text", "cuda_version": "version", "amx": "flag",
}  # fmt: skip
_TOP = {
    "entry_point": "text", "nnodes": "whole", "node_rank": "whole", "python": "version", "gpu": "gpu",
    "packages": "packages", "packages_else": "absent|unknown", "model_config": "config",
    "draft_model_config": "config",
}  # fmt: skip
_CONFIGS = ("model_config", "draft_model_config")

_MEANING = {
    "text": "a text",
    "whole": "a whole number",
    "flag": "true or false",
    "pair": "two whole numbers such as [9, 0]",
    "version": 'a version in quotes such as "12.9", or a list such as [12, 9]',
    "package": 'true, false or a version in quotes such as "2.9.1"',
    "absent|unknown": 'the word "absent" or "unknown"',
}


@dataclass(frozen=True, slots=True)
class CheckedFacts:
    """Facts of the right types, and a line for each name that is not known."""

    facts: dict[str, Any]
    warnings: tuple[str, ...]


def check_facts(given: Mapping[str, Any], where: str, base: Path) -> CheckedFacts:
    """Check names and types; read configurations that are given by path.

    A fact that is null is one that is not given. Unknown names are kept out
    and named. ``base`` is where relative paths start.
    """
    facts: dict[str, Any] = {}
    warnings: list[str] = []
    for name, value in given.items():
        if name not in _TOP:
            warnings.append(_unknown(name, list(_TOP), where))
        elif value is not None:
            facts[name] = _checked(name, value, where, base, warnings)
    return CheckedFacts(facts, tuple(warnings))


def is_version(path: list[str]) -> bool:
    """True for a fact whose value is a version: ``2.10`` must not become a number."""
    return path[0] in ("packages", "python") or path == ["gpu", "cuda_version"]


def _checked(name: str, value: Any, where: str, base: Path, warnings: list[str]) -> Any:
    shape = _TOP[name]
    if shape == "gpu":
        return _gpu(value, where, warnings)
    if shape == "packages":
        return _packages(value, where)
    if shape == "config":
        return _config(name, value, where, base)
    _expect(name, value, shape, where)
    return value


def _gpu(value: Any, where: str, warnings: list[str]) -> dict[str, Any]:
    _expect_mapping("gpu", value, where)
    kept: dict[str, Any] = {}
    for name, inner in value.items():
        if name not in _GPU:
            warnings.append(_unknown(f"gpu.{name}", [f"gpu.{n}" for n in _GPU], where))
        elif inner is not None:
            _expect(f"gpu.{name}", inner, _GPU[name], where)
            kept[name] = inner
    return kept


def _packages(value: Any, where: str) -> dict[str, Any]:
    _expect_mapping("packages", value, where)
    for name, inner in value.items():
        _expect(f"packages.{name}", inner, "package", where)
    return dict(value)


def _config(name: str, value: Any, where: str, base: Path) -> dict[str, Any]:
    if isinstance(value, str):
        path = base / Path(value).expanduser()
        return dict(read_mapping(path / "config.json" if path.is_dir() else path, f"{name} of {where}"))
    if not isinstance(value, Mapping):
        raise _wrong(name, value, "the content of a config.json, or its path", where)
    return dict(value)


def _expect_mapping(name: str, value: Any, where: str) -> None:
    if not isinstance(value, Mapping):
        raise _wrong(name, value, "an object of names and values", where)


def _expect(name: str, value: Any, shape: str, where: str) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    pair = isinstance(value, list | tuple) and bool(value) and all(type(part) is int for part in value)
    fits = {
        "text": isinstance(value, str),
        "whole": whole and value >= 0,
        "flag": isinstance(value, bool),
        "pair": pair and len(value) == 2,
        "version": isinstance(value, str) or pair,
        "package": isinstance(value, bool | str),
        "absent|unknown": value in ("absent", "unknown"),
    }
    if not fits[shape]:
        raise _wrong(name, value, _MEANING[shape], where)


def _wrong(name: str, value: Any, right: str, where: str) -> DeploymentError:
    shown = repr(value) if isinstance(value, bool | int | float | str) else f"a {type(value).__name__}"
    return DeploymentError(f"{where}: fact {name!r} is {shown[:80]}; expected {right}")


def _unknown(name: str, known: list[str], where: str) -> str:
    near = get_close_matches(str(name), known, 3, 0.5)
    hint = f"nearest: {', '.join(near)}" if near else f"known: {', '.join(known)}"
    return f"{where}: unknown fact {str(name)!r} is ignored ({hint})"
