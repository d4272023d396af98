"""The ground of the grammar: names in scope by kind, lines with their indentation, chances."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")

#: What names hold. ``fn``: int -> int. ``cls``: int -> obj, which has ``n`` and ``step(int)``. ``cm``: () ->
#: a context manager that gives an int. ``gen``: int -> iterator of ints. ``deco``: fn -> fn.
KINDS = ("int", "flag", "text", "ints", "table", "fns", "fn", "obj", "cls", "cm", "gen", "enum", "error")


@dataclass
class Scope:
    """Names that a place sees, and those among them that it may assign."""

    parent: Scope | None
    #: a function's or module's own scope; blocks inside share its level
    level: int
    names: dict[str, list[str]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    assignable: set[str] = field(default_factory=set)

    def all(self, kind: str) -> list[str]:
        own = self.names[kind]
        return own if self.parent is None else [*self.parent.all(kind), *own]

    def may_assign(self, name: str) -> bool:
        if name in self.assignable:
            return True
        return self.parent is not None and self.parent.level == self.level and self.parent.may_assign(name)


class Maker:
    """One module being written."""

    def __init__(self, rng: random.Random, counter: Iterator[int], size: int) -> None:
        self.rng = rng
        self.counter = counter
        #: statements that may still be made
        self.budget = size
        #: statements that may still be made inside this statement of the module's body
        self.together = size
        self.lines: list[str] = []
        self.indent = 0
        #: indentation of the function around this place
        self.base = 0
        self.scope = Scope(None, 0)
        self.in_function = False
        self.in_async = False
        #: loops around this place, within the function
        self.loops = 0
        #: modules that come later: what a lazy import may name
        self.later: list[str] = []

    # ---- chances -------------------------------------------------------------
    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def pick(self, options: Sequence[T]) -> T:
        return options[self.rng.randrange(len(options))]

    def small(self) -> int:
        return self.rng.randrange(5)

    # ---- names ---------------------------------------------------------------
    def fresh(self, prefix: str) -> str:
        return f"{prefix}{next(self.counter)}"

    def declare(self, kind: str, name: str, assignable: bool = True) -> None:
        self.scope.names[kind].append(name)
        if assignable:
            self.scope.assignable.add(name)

    def name(self, kind: str) -> str | None:
        """A name of a kind, recent ones rather than old ones."""
        found = self.scope.all(kind)
        if not found:
            return None
        return self.pick(found[-6:] if self.chance(70) else found)

    def target(self, kind: str) -> str | None:
        found = [n for n in self.scope.all(kind) if self.scope.may_assign(n)]
        return self.pick(found) if found else None

    # ---- lines ---------------------------------------------------------------
    def line(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A compound statement's body: names made inside are not seen after it."""
        self.line(head)
        outer = self.scope
        self.scope = Scope(outer, outer.level)
        self.indent += 1
        start = len(self.lines)
        yield
        if len(self.lines) == start:
            self.line("pass")
        self.indent -= 1
        self.scope = outer

    @contextmanager
    def function(self, head: str, is_async: bool = False) -> Iterator[None]:
        """A function's body: a level of its own."""
        outer, state = self.scope, (self.in_function, self.loops, self.in_async, self.base)
        self.line(head)
        self.scope = Scope(outer, outer.level + 1)
        self.in_function, self.loops, self.in_async = True, 0, is_async
        self.indent += 1
        self.base = self.indent
        yield
        self.indent -= 1
        self.in_function, self.loops, self.in_async, self.base = state
        self.scope = outer

    def outer_names(self) -> None:
        """``global`` and ``nonlocal``: outer names that this function may assign."""
        hidden = {name for names in self.scope.names.values() for name in names}
        chosen: dict[str, list[str]] = {"global": [], "nonlocal": []}
        scope = self.scope.parent
        while scope is not None:
            word = "global" if scope.level == 0 else "nonlocal"
            for kind, names in scope.names.items():
                for name in names:
                    usable = kind in ("int", "flag", "fn", "obj") and name in scope.assignable
                    if usable and name not in hidden and "." not in name and self.chance(15):
                        chosen[word].append(name)
            hidden.update(name for names in scope.names.values() for name in names)
            scope = scope.parent
        for word, names in chosen.items():
            if names:
                self.line(f"{word} {', '.join(dict.fromkeys(names))}")
                self.scope.assignable.update(names)


#: A feature: writes one statement, or says that it cannot here.
Feature = Callable[[Maker], bool]
