"""Contexts: one function analysed for one kind of call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathcheck.flow.heap import Cell
    from pathcheck.flow.values import Atom, Function, Value
    from pathcheck.program.ir import Code


class Mode:
    """Places that hold another value on this call path than in the program (interned)."""

    __slots__ = ("overrides", "seq")

    def __init__(self, seq: int, overrides: dict[tuple[Atom, Any], Value]) -> None:
        self.seq = seq
        self.overrides = overrides


class Context:
    """A function body under one receiver, argument selection and mode.

    ``hobjs`` are the objects that tell allocations made here apart.
    """

    __slots__ = (
        "before",
        "callers",
        "calls",
        "cells",
        "code",
        "deferred",
        "depth",
        "dirty",
        "env",
        "evaluations",
        "failure",
        "function",
        "hobjs",
        "inlines",
        "mode",
        "module",
        "on_stack",
        "outcomes",
        "params",
        "raises",
        "reached",
        "receiver",
        "result",
        "root",
        "seq",
        "settled",
        "stage",
        "stuck",
        "yield_mode",
    )

    def __init__(
        self, seq: int, module: Any, code: Code, function: Function | None, env: Context | None
    ) -> None:
        self.seq = seq
        self.module = module
        self.code = code
        self.function = function
        #: the context that holds the free variables
        self.env = env
        self.params: dict[str, Value] = {}
        self.receiver: Atom | None = None
        self.hobjs: tuple[Atom, ...] = ()
        self.mode: Mode
        self.result: Value
        #: exceptions that may leave it: builtin names, Klass atoms, "any", "any-"
        self.raises: dict[Any, None] = {}
        self.callers: dict[Context, None] = {}
        #: closure variables of this activation
        self.cells: dict[str, Cell] = {}
        #: unit -> stage at which it was first reached
        self.reached: dict[int, int] = {}
        #: (unit, callee context) -> stage
        self.calls: dict[tuple[int, Context], int] = {}
        #: test key (a unit, or a unit and a position) -> bits of outcomes (1 True, 2 False)
        self.outcomes: dict[int, int] = {}
        #: inlined callees by (call position, function)
        self.inlines: dict[Any, Context] = {}
        #: the memoised context on whose behalf an inlined one runs
        self.root: Context = self
        self.dirty = False
        self.on_stack = False
        self.evaluations = 0
        self.depth = 0
        self.stage = 0
        #: units that no path got past, after the last evaluation: unit -> reason
        self.stuck: dict[int, str] = {}
        #: what a generator context manager overrides at its yield
        self.yield_mode: dict[tuple[Atom, Any], Value] | None = None
        #: why the last evaluation never returned
        self.failure = ""
        #: start-up has left it behind: nothing that is written now was there when it ran
        self.settled = False
        #: the units that ran before the process began to serve, where it leads there
        self.before: frozenset[int] | None = None
        #: evaluated only when nothing cheaper waits
        self.deferred = False

    def inlined(self, key: tuple[Any, ...]) -> Context | None:
        """The context of a callee that is walked in place, None for the first time.

        A closure that is made in a call of itself shares those of the outer call: each
        call would otherwise make a closure of its own, and that one the next, without end.
        """
        found = self.inlines.get(key)
        if found is not None or self.root is not self or self.env is None:
            return found
        seen = {self}
        env: Context | None = self.env
        while env is not None and env.root not in seen:
            outer = env.root
            seen.add(outer)
            if outer.code is self.code:
                place = _place_of(key)
                for other, shared in outer.inlines.items():
                    if _place_of(other) == place:
                        self.inlines[key] = shared
                        return shared
            env = outer.env
        return None

    def __repr__(self) -> str:
        return f"<context {self.seq} {self.module.name}:{self.code.qualname}>"


def _place_of(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a key of ``inlines`` says of the source: the definitions of its functions and classes."""
    return tuple(getattr(part, "code", None) or getattr(part, "info", None) or part for part in key)
