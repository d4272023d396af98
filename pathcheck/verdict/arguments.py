"""Given server arguments against what the revision's own parser declares: names, types, choices.

The declarations are seen while the analysis interprets the program's
``add_argument`` calls.  Only what is plainly wrong is refused: what argparse
itself would make of a value (a number given as text) passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from pathcheck.flow import containers
from pathcheck.flow.frame import Frame
from pathcheck.flow.values import Atom, Builtin, Const, Klass, Value
from pathcheck.target.arguments import CommandLine
from pathcheck.verdict.seam import AnalysisError

if TYPE_CHECKING:
    from pathcheck.target.server import Server

_CLASS = ("sglang.srt.server_args", "ServerArgs")
#: Converters whose failure is foreseen.
_CONVERT: dict[str, Callable[[str], object]] = {"int": int, "float": float}


@dataclass(slots=True)
class Option:
    """What is known of one declared option; what is empty says nothing."""

    types: set[str] = field(default_factory=set)
    choices: list[Any] = field(default_factory=list)
    is_flag: bool = False
    is_list: bool = False


class WatchedCommandLine(CommandLine):
    """A command line that remembers what is declared of each given argument."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        super().__init__(given)
        self.options: dict[str, Option] = {}

    def add_argument(
        self, fr: Frame, parser: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int
    ) -> Value:
        """As argparse; what is declared of a given argument is kept."""
        before = set(self.declared)
        result = super().add_argument(fr, parser, args, keywords, pos)
        words = [a.value for v in args for a in v.atoms if isinstance(a, Const) and isinstance(a.value, str)]
        names = {word.lstrip("-").replace("-", "_") for word in words} | (set(self.declared) - before)
        for name in sorted(names & set(self.given)):
            self.options[name] = _option(fr, keywords)
        return result


def _option(fr: Frame, keywords: Mapping[str, Value]) -> Option:
    option = Option()
    kind = keywords.get("type")
    if kind is not None and all(isinstance(atom, Builtin) for atom in kind.atoms):
        option.types = {atom.name for atom in kind.atoms if isinstance(atom, Builtin)}
    action = keywords.get("action")
    words = {a.value for a in action.atoms if isinstance(a, Const)} if action is not None else set()
    option.is_flag = words == {"store_true"}
    option.is_list = "nargs" in keywords or bool(words & {"append", "extend"}) or len(words) != bool(action)
    option.choices = _choices(fr, keywords.get("choices"))
    return option


def _choices(fr: Frame, value: Value | None) -> list[Any]:
    """All choices; empty if one of them is not known."""
    items = containers.exact_items(fr, value) if value is not None else None
    found = []
    for item in items or ():
        if len(item.atoms) != 1 or not isinstance(item.atoms[0], Const):
            return []
        found.append(item.atoms[0].value)
    return found


def check_arguments(server: Server, given: Mapping[str, Any]) -> None:
    """Raise AnalysisError for an argument that the revision does not have, or not with such a value."""
    names = set(server.command_line.declared) or _fields(server)
    if "model_path" not in names:
        return  # the analysis did not get so far: nothing is known of the names
    for name in given:
        if name not in names:
            raise AnalysisError(f"unknown server argument {name!r}{_nearest(name, names)}")
    options = getattr(server.command_line, "options", {})
    for name, option in sorted(options.items()):
        wrong = _wrong(option, given[name])
        if wrong is not None:
            raise AnalysisError(f"server argument {name}: {given[name]!r} is wrong: expected {wrong}")


def _nearest(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name, sorted(names), 3, 0.5)
    return f" (nearest: {', '.join(near)})" if near else " (this revision has none of a similar name)"


def _fields(server: Server) -> set[str]:
    """The fields of the argument class, for an engine that no command line starts."""
    found: set[str] = set()
    for world in server.worlds.values():
        for extent in world.extents:
            if (extent.module.name, extent.info.name) == _CLASS:
                found.update(name for owner in _lineage(extent) for name, _, _ in owner.info.fields)
    return found


def _lineage(klass: Klass) -> list[Klass]:
    found = [klass]
    for owner in found:
        found += [a for base in owner.bases for a in base.atoms if isinstance(a, Klass) and a not in found]
    return found


def _wrong(option: Option, value: Any) -> str | None:
    """What would be right, where a value is wrong; None where it may be right."""
    if value is None:
        return None
    if option.is_flag:
        return None if isinstance(value, bool) else "true or false"
    if option.is_list:
        return None
    if isinstance(value, list | dict) and option.types:
        return f"one {' or '.join(sorted(option.types))}" if option.types <= {"int", "float", "str"} else None
    if option.choices and value not in option.choices:
        return f"one of {', '.join(map(str, option.choices))}"
    if option.types and option.types <= _CONVERT.keys() and not any(_fits(t, value) for t in option.types):
        return " or ".join(sorted(option.types))
    return None


def _fits(kind: str, value: Any) -> bool:
    if isinstance(value, bool):
        return False
    try:
        return _CONVERT[kind](str(value)) is not None
    except ValueError:
        return False
