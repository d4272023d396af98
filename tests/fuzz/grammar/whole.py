"""A whole program: statements by weight, modules that import each other."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

from ..program import Program
from . import classes, functions, statements
from .base import KINDS, Feature, Maker
from .expressions import integer

_HEAD = """\
import abc, asyncio, collections, contextlib, dataclasses, enum, functools, itertools, operator, os, threading
import facts
from facts import see
"""

_WEIGHTS: tuple[tuple[int, Feature], ...] = (
    (14, statements.assign),
    (3, statements.augmented),
    (8, statements.change),
    (7, statements.show),
    (6, statements.call),
    (2, statements.unpack),
    (1, statements.delete),
    (9, statements.branch),
    (4, statements.loop),
    (2, statements.bounded),
    (6, statements.attempt),
    (5, statements.managed),
    (2, statements.matched),
    (2, statements.leave),
    (9, functions.define),
    (2, functions.decorator),
    (2, functions.closure),
    (2, functions.generator),
    (2, functions.manager),
    (1, functions.coroutine),
    (1, functions.thread),
    (1, functions.temporary),
    (14, classes.define),
)
_FEATURES = tuple(feature for weight, feature in _WEIGHTS for _ in range(weight))
_SIMPLE = (
    statements.assign,
    statements.assign,
    statements.augmented,
    statements.change,
    statements.change,
    statements.show,
    statements.call,
    statements.unpack,
    statements.leave,
)
#: Statements in one statement of a module's body, and blocks in one function.
MOST_TOGETHER, MOST_DEPTH = 14, 3


def statement(m: Maker) -> None:
    """Any statement that can stand here."""
    m.budget -= 1
    m.together -= 1
    features = _FEATURES
    if m.budget < 0 or m.together < 0 or m.indent - m.base >= MOST_DEPTH or m.indent > 6:
        features = _SIMPLE
    if m.together < -8 or m.budget < -20:
        m.line(f"see({m.fresh('')}, {m.small()})")
        return
    for _ in range(4):
        if m.pick(features)(m):
            return
    m.line("pass")


def module(m: Maker) -> None:
    """Statements of a module's body, and then uses of what it made."""
    while m.budget > 0:
        m.together = MOST_TOGETHER
        before = m.budget
        statement(m)
        m.budget = min(m.budget, before - 1)
    m.budget = 0
    for kind, use in _USES:
        for name in m.scope.names[kind][-8:]:
            if m.chance(70):
                with m.block("try:"):
                    m.line(use(m, name))
                with m.block("except Exception:"):
                    m.line("pass")


def _show(m: Maker, name: str) -> str:
    return f"see({m.fresh('')}, {name})"


_USES: tuple[tuple[str, Callable[[Maker, str], str]], ...] = (
    ("fn", lambda m, name: f"see({m.fresh('')}, {name}({integer(m, 1)}))"),
    ("cls", lambda m, name: f"see({m.fresh('')}, {name}({integer(m, 1)}).step({integer(m, 1)}))"),
    ("gen", lambda m, name: f"see({m.fresh('')}, list({name}({integer(m, 1)})))"),
    ("fns", lambda m, name: f"see({m.fresh('')}, [f({m.small()}) for f in {name}.values()])"),
    ("obj", lambda m, name: f"see({m.fresh('')}, ({name}.n, {name}.step({m.small()})))"),
    ("int", _show),
    ("flag", _show),
    ("text", _show),
    ("ints", _show),
    ("table", _show),
)


def make(rng: random.Random, size: int = 40) -> Program:
    """A program of about ``size`` statements, in one to three modules."""
    counter = itertools.count(1)
    files: dict[str, str] = {}
    made: list[tuple[str, Maker]] = []
    names = ["main"]
    for index in range(rng.randrange(3)):
        names.insert(0, ("helper", "pack.part")[index % 2] + str(index))
    for name in names:
        m = Maker(rng, counter, size // len(names))
        m.lines.append(_HEAD)
        for other, earlier in made:
            _import(m, other, earlier)
        if name != "main" and rng.randrange(3) == 0:
            _lazy(m, names[names.index(name) + 1])
        module(m)
        late = m.fresh("late")
        m.line(f"late = {m.name('fn') or 'abs'}")
        m.line(f"{late} = late")
        files[name.replace(".", "/") + ".py"] = "\n".join(m.lines) + "\n"
        made.append((name, m))
    if any("/" in path for path in files) and rng.randrange(2):
        files["pack/__init__.py"] = ""
    return Program(files)


def _import(m: Maker, other: str, earlier: Maker) -> None:
    """One way to get at the names of a module."""
    way = m.rng.randrange(4)
    top = {kind: list(earlier.scope.names[kind]) for kind in KINDS}
    if way == 0:
        m.line(f"import {other}")
        prefix = other + "."
    elif way == 1:
        alias = m.fresh("mod")
        m.line(f"import {other} as {alias}")
        prefix = alias + "."
    elif way == 2:
        m.line(f"from {other} import *")
        prefix = ""
    else:
        own = [n for kind in KINDS for n in top[kind] if "." not in n]
        kept = [n for n in own if m.chance(60)]
        if kept:
            m.line(f"from {other} import {', '.join(dict.fromkeys(kept))}")
        prefix = ""
        top = {kind: [n for n in names if n in kept] for kind, names in top.items()}
    for kind, found in top.items():
        for name in found:
            if "." not in name:
                m.declare(kind, prefix + name, assignable=bool(prefix) and kind in ("int", "flag", "fn"))


def _lazy(m: Maker, later: str) -> None:
    """A function that imports a later module when it is called: a cycle, or not there yet."""
    name = m.fresh("f")
    with m.function(f"def {name}(x=0):"):
        with m.block("try:"):
            m.line(
                m.pick((f"from {later} import late", f"import {later} as other\n        late = other.late"))
            )
        with m.block("except (ImportError, AttributeError):"):
            m.line(f"return {m.small()}")
        m.line("return late(x) if x < 3 else x")
    m.declare("fn", name)
