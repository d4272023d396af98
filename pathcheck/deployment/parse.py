"""Files become plain objects: JSON or YAML, with the place of what is wrong in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from pathcheck.deployment.model import DeploymentError

#: No argument file is as large; a larger one is a mistake (a weight, a log).
MAX_BYTES = 32_000_000


def read_mapping(path: Path, what: str) -> Mapping[str, Any]:
    """The object in a JSON or YAML file; ``what`` names the file in errors."""
    data = parse(_read(path, what), str(path))
    if not isinstance(data, Mapping):
        kind = "nothing" if data is None else f"a {type(data).__name__}"
        raise DeploymentError(f"{path} ({what}) holds {kind}; expected an object of names and values")
    odd = [name for name in data if not isinstance(name, str)]
    if odd:
        raise DeploymentError(f"{path} ({what}): the name {odd[0]!r} is not a text")
    return data


def _read(path: Path, what: str) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DeploymentError(f"{path} ({what}) is larger than {MAX_BYTES} bytes")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DeploymentError(f"{path} ({what}) is not UTF-8 text: byte {error.start}") from None
    except ValueError:
        raise DeploymentError(f"{what}: not a path: {str(path)!r}") from None
    except OSError as error:
        raise DeploymentError(f"{path} ({what}) cannot be read: {error.strerror}") from None


def parse(text: str, where: str) -> Any:
    """JSON where it looks like JSON, YAML otherwise; errors name the line."""
    if text.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(text)
        except RecursionError:
            raise DeploymentError(f"{where} is nested too deeply") from None
        except ValueError as error:
            return _flow_yaml(text, where, error)
    return parse_yaml(text, where)


def _flow_yaml(text: str, where: str, error: ValueError) -> Any:
    """Braces open YAML too; where it is neither, the JSON error is the helpful one."""
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError):
        line = getattr(error, "lineno", 0)
        column = getattr(error, "colno", 0)
        message = getattr(error, "msg", str(error))
        raise DeploymentError(f"{where}, line {line}, column {column}: not valid JSON: {message}") from None


def parse_yaml(text: str, where: str) -> Any:
    """Safe YAML; DeploymentError with the line where it is broken."""
    try:
        return yaml.safe_load(text)
    except RecursionError:
        raise DeploymentError(f"{where} is nested too deeply") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise DeploymentError(f"{where}{place}: not valid YAML: {error.problem}") from None
    except (yaml.YAMLError, ValueError) as error:
        raise DeploymentError(f"{where}: not valid YAML: {error}") from None
