"""The command line as the program's own ``argparse`` code reads it: nothing here knows an argument."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pathcheck.flow.attributes import store
from pathcheck.flow.frame import Frame
from pathcheck.flow.values import Atom, Const, Obj, Value
from pathcheck.target.huggingface import plain_value

PARSER = "argparse.ArgumentParser"


class CommandLine:
    """The given arguments, matched with the options that the program declares."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = dict(given)
        #: option names declared: normalised -> destination
        self.declared: dict[str, str] = {}

    def value(self, fr: Frame, name: str) -> Value:
        return plain_value(fr, f"server_args.{name}", self.given[name], config=False)

    def add_argument(
        self, fr: Frame, parser: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int
    ) -> Value:
        """``add_argument``: the destination holds what is given under any of its names, else the default."""
        u = fr.world.u
        known = [_text(v) for v in args if len(v.atoms) == 1]
        names = [name for name in known if name is not None]
        if not names or len(names) < len(args):
            return self.add_some(fr, parser, keywords)
        options = [n.lstrip("-").replace("-", "_") for n in names]
        dest = _text(keywords.get("dest")) or _destination(names)
        if not dest:
            return u.object
        namespace = self.namespace(fr, parser)
        found = [o for o in [*options, dest] if o in self.given]
        for option in [*options, dest]:
            self.declared[option] = dest
        value = self.value(fr, found[0]) if found else _default(fr, keywords)
        cell = fr.world.cell(namespace.fields, dest)
        fr.world.write(fr, cell, value)
        cell.definite = True
        return u.object

    def add_some(self, fr: Frame, parser: Atom, keywords: dict[str, Value]) -> Value:
        """An option of unknown names: any argument that is given may be meant."""
        namespace = self.namespace(fr, parser)
        dest = _text(keywords.get("dest"))
        if dest is not None:
            fr.world.write(fr, fr.world.cell(namespace.fields, dest), _default(fr, keywords))
        for name in self.given:
            fr.world.write(fr, fr.world.cell(namespace.fields, name), self.value(fr, name))
        return fr.world.u.object

    def namespace(self, fr: Frame, parser: Atom) -> Obj:
        """The one namespace: every parser and group of the program fills it."""
        u = fr.world.u
        return u.intern(
            ("namespace",), lambda: Obj("external", u.ext("argparse.Namespace").atoms[0], "namespace", ())
        )

    def parse_args(
        self, fr: Frame, parser: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int
    ) -> Value:
        return fr.world.u.single(self.namespace(fr, parser))

    def parse_known(
        self, fr: Frame, parser: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int
    ) -> Value:
        from pathcheck.flow.containers import new_list

        u = fr.world.u
        return u.sequence((self.parse_args(fr, parser, args, keywords, pos), new_list(fr, [], None, pos)))

    def group(
        self, fr: Frame, parser: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int
    ) -> Value:
        return fr.world.u.single(parser)

    def set_defaults(
        self, fr: Frame, parser: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int
    ) -> Value:
        for name, value in keywords.items():
            if name not in self.given:
                store(fr, self.namespace(fr, parser), name, value)
        return fr.world.u.none

    def methods(self) -> dict[str, dict[str, Any]]:
        table = {
            "add_argument": self.add_argument, "parse_args": self.parse_args,
            "parse_known_args": self.parse_known, "add_argument_group": self.group,
            "add_mutually_exclusive_group": self.group, "set_defaults": self.set_defaults,
            "__init__": lambda fr, obj, args, keywords, pos: fr.world.u.none,
        }  # fmt: skip
        return {PARSER: table, "argparse.Namespace": {}}


def _text(value: Value | None) -> str | None:
    for atom in value.atoms if value is not None else ():
        if isinstance(atom, Const) and isinstance(atom.value, str):
            return atom.value
    return None


def _destination(names: list[str]) -> str:
    """argparse's rule: the first long option, else the first short one, else the positional name."""
    for name in names:
        if name.startswith("--"):
            return name[2:].replace("-", "_")
    return names[0].lstrip("-").replace("-", "_") if names else ""


def _default(fr: Frame, keywords: dict[str, Value]) -> Value:
    u = fr.world.u
    if "default" in keywords:
        return keywords["default"]
    action = _text(keywords.get("action"))
    return {"store_true": u.false, "store_false": u.true}.get(action or "", u.none)
