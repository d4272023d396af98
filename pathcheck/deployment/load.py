"""``--args``, ``--facts`` and ``--assume`` become one deployment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pathcheck.deployment.facts import check_facts, is_version
from pathcheck.deployment.model import Deployment, DeploymentError
from pathcheck.deployment.parse import parse_yaml, read_mapping
from pathcheck.deployment.secrets import redact

#: Keys of ``/get_server_info`` that are no arguments. The first tells the shape.
_SERVER_INFO = "internal_states"
_INFO_KEYS = frozenset(
    {_SERVER_INFO, "version", "status", "max_total_num_tokens", "max_req_input_len", "kv_events"}
)


@dataclass(slots=True)
class _Gathered:
    """What the inputs gave so far; later inputs override."""

    server_args: dict[str, Any] = field(default_factory=dict)
    env: dict[str, str | None] = field(default_factory=dict)
    env_unlisted: Literal["unset", "unknown"] = "unknown"
    facts: dict[str, Any] = field(default_factory=dict)
    effective: bool = False
    warnings: list[str] = field(default_factory=list)

    def add_env(self, given: Any, where: str) -> None:
        """A listing of variables: what it does not list is unset."""
        for name, value in _mapping(given, "env", where).items():
            self.env[str(name)] = _variable(str(name), value, where)
        self.env_unlisted = "unset"

    def add_facts(self, given: Any, where: str, base: Path) -> None:
        """Facts override one by one; ``gpu`` and ``packages`` entry by entry."""
        checked = check_facts(_mapping(given, "facts", where), where, base)
        self.warnings += checked.warnings
        for name, value in checked.facts.items():
            known = self.facts.get(name)
            merge = name in ("gpu", "packages") and isinstance(known, dict)
            self.facts[name] = {**known, **value} if merge and known else value


def load_deployment(
    args: Path | None, facts: Path | None = None, assume: Sequence[str] = ()
) -> Deployment:
    """Read all inputs, or raise DeploymentError with one line for the user."""
    gathered = _Gathered()
    if args is not None:
        _read_args(gathered, args)
    if facts is not None:
        _read_facts(gathered, facts)
    for statement in assume:
        _assume(gathered, statement)
    return Deployment(
        server_args=dict(sorted(redact(gathered.server_args).items())),
        env=dict(sorted(redact(gathered.env).items())),
        env_unlisted=gathered.env_unlisted,
        facts=dict(sorted(gathered.facts.items())),
        effective=gathered.effective,
        warnings=tuple(dict.fromkeys(gathered.warnings)),
    )


def _read_args(gathered: _Gathered, path: Path) -> None:
    data = read_mapping(path, "--args")
    where = str(path)
    if "server_args" in data:
        gathered.server_args = _arguments(_mapping(data["server_args"], "server_args", where), where)
        gathered.add_env(data.get("env") or {}, where)
        gathered.add_facts(data.get("facts") or {}, where, path.parent)
    elif _SERVER_INFO in data:
        kept = {name: value for name, value in data.items() if name not in _INFO_KEYS}
        gathered.server_args = _arguments(kept, where)
        gathered.effective = True
    elif any(isinstance(data.get(key), Mapping) for key in ("env", "facts")):
        raise DeploymentError(f'{where} has facts but no "server_args"; give it to --facts, or add them')
    else:
        gathered.server_args = _arguments(data, where)


def _read_facts(gathered: _Gathered, path: Path) -> None:
    """Facts alone, or a deployment file of which only facts and environment count."""
    data = read_mapping(path, "--facts")
    where = str(path)
    if any(isinstance(data.get(key), Mapping) for key in ("facts", "env", "server_args")):
        if "env" in data:
            gathered.add_env(data["env"] or {}, where)
        gathered.add_facts(data.get("facts") or {}, where, path.parent)
    else:
        gathered.add_facts(data, where, path.parent)


def _assume(gathered: _Gathered, statement: str) -> None:
    name, equals, text = statement.partition("=")
    keys = name.strip().split(".")
    if not equals or not all(keys):
        raise DeploymentError(f"--assume {statement!r}: expected FACT=VALUE, such as gpu.count=8")
    where = f"--assume {name.strip()}"
    if keys[0] == "env" and len(keys) == 2:
        gathered.env[keys[1]] = text
    elif keys[0] in ("model_config", "draft_model_config") and len(keys) > 1:
        _set_inside(gathered.facts, keys, _value(keys, text, where))
    else:
        gathered.add_facts(_nested(keys, _value(keys, text, where)), where, Path.cwd())


def _value(keys: list[str], text: str, where: str) -> Any:
    value = parse_yaml(text, where)
    # Versions stay as written: YAML would read 2.10 as 2.1.
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return text.strip() if is_number and is_version(keys) else value


def _nested(keys: list[str], value: Any) -> dict[str, Any]:
    """Only ``gpu`` and ``packages`` have inner names; a package's own may hold dots."""
    if len(keys) == 1 or keys[0] not in ("gpu", "packages"):
        return {".".join(keys): value}
    return {keys[0]: {".".join(keys[1:]): value}}


def _set_inside(facts: dict[str, Any], keys: list[str], value: Any) -> None:
    """Replace one value inside a configuration without changing the one that was read."""
    for key in keys[:-1]:
        inner = facts.get(key)
        facts[key] = dict(inner) if isinstance(inner, Mapping) else {}
        facts = facts[key]
    facts[keys[-1]] = value


def _arguments(given: Mapping[str, Any], where: str) -> dict[str, Any]:
    """``--tp-size``, ``tp-size`` and ``tp_size`` are one name; twice is an error."""
    written: dict[str, str] = {}
    for name in given:
        plain = str(name).removeprefix("--").replace("-", "_")
        if plain in written:
            raise DeploymentError(f"{where}: {written[plain]!r} and {name!r} are the same argument")
        written[plain] = name
    return {plain: given[name] for plain, name in written.items()}


def _variable(name: str, value: Any, where: str) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return str(value)
    raise DeploymentError(f"{where}: variable {name!r} is a {type(value).__name__}; expected a text")


def _mapping(value: Any, what: str, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise DeploymentError(f'{where}: "{what}" is a {type(value).__name__}; expected an object')
    return value
