"""Runs programs under CPython with a tracer: a server of its own process, which forks for each run.

Standard library only: it is started as a script. One request is one line of JSON on standard input, one
answer one line on standard output. What a program prints goes nowhere. A run ends at a number of lines, so
that a program which does not end is as good as any other: what ran before is known.
"""

from __future__ import annotations

import abc
import asyncio
import collections
import contextlib
import dataclasses
import dis
import enum
import functools
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import itertools
import json
import operator
import os
import re
import signal
import sys
import threading
import types
import typing
import warnings
from collections.abc import Callable
from typing import Any

LOADED = (abc, asyncio, collections, contextlib, dataclasses, enum, functools, itertools, operator, typing)
#: Lines that a run may execute, and seconds that it may take.
MAX_LINES, MAX_SECONDS = 20_000, 1
#: Values that are kept of one place, elements of one container, and how deep.
MAX_SEEN, MAX_ELEMENTS, MAX_DEPTH = 40, 12, 2
PREFIX = "/fuzzed/"
#: What the compiler adds to leave a handler or a ``finally``: its line says nothing.
CLEANUP = {dis.opmap[name] for name in ("COPY", "POP_EXCEPT", "RERAISE") if name in dis.opmap}
_COMPREHENSION = re.compile(r"(?:^|\.)<(?:genexpr|listcomp|setcomp|dictcomp)>")


class Files(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Imports the program's modules from memory."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> Any:
        base = fullname.replace(".", "/")
        for name, package in ((f"{base}.py", False), (f"{base}/__init__.py", True)):
            if name in self.files:
                spec = importlib.util.spec_from_loader(fullname, self, origin=name, is_package=package)
                return spec
        if any(name.startswith(base + "/") for name in self.files):
            spec = importlib.machinery.ModuleSpec(fullname, None, is_package=True)
            return spec
        return None

    def get_source(self, fullname: str) -> str:
        return self.files[importlib.util.find_spec(fullname).origin]  # type: ignore[union-attr,index]

    def exec_module(self, module: types.ModuleType) -> None:
        assert module.__spec__ is not None and module.__spec__.origin is not None
        name = module.__spec__.origin
        exec(compile(self.files[name], PREFIX + name, "exec", dont_inherit=True), module.__dict__)


class Trace:
    """Lines, calls and values of one run."""

    def __init__(self, answer: int) -> None:
        self.answer = answer
        self.lines: dict[str, set[int]] = {}
        self.edges: set[tuple[str, str, int, str, str]] = set()
        self.seen: dict[str, list[Any]] = {}
        self.count = 0

    def __call__(self, frame: Any, event: str, arg: Any) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(PREFIX):
            return None
        path = code.co_filename[len(PREFIX) :]
        if event == "call":
            self._edge(path, frame)
        elif event == "line" and code.co_code[frame.f_lasti] not in CLEANUP:
            self.lines.setdefault(path, set()).add(frame.f_lineno)
            self.count += 1
            if self.count > MAX_LINES:
                self.finish("limit")
        return self

    def _edge(self, path: str, frame: Any) -> None:
        """A plain call of one function of the program by another; generators run when they are asked."""
        code, back = frame.f_code, frame.f_back
        plain = code.co_flags & 0x1 and not code.co_flags & (0x20 | 0x80 | 0x200)
        if not plain or back is None or not back.f_code.co_filename.startswith(PREFIX):
            return
        if code.co_name.startswith("<") and code.co_name != "<lambda>":
            return
        caller = back.f_code.co_filename[len(PREFIX) :]
        self.edges.add((caller, plain_name(back.f_code), back.f_lineno, path, plain_name(code)))

    def see(self, key: int, value: Any) -> Any:
        """What the program calls to show a value."""
        kept = self.seen.setdefault(str(key), [])
        if len(kept) < MAX_SEEN:
            described = describe(value)
            if described not in kept:
                kept.append(described)
        return value

    def finish(self, end: str) -> None:
        """Hand the answer over and leave: nothing of the program runs any more."""
        sys.settrace(None)
        found = {
            "lines": {path: sorted(lines) for path, lines in self.lines.items()},
            "edges": sorted(self.edges),
            "seen": self.seen,
            "end": end,
            "count": self.count,
        }
        with os.fdopen(self.answer, "w") as out:
            json.dump(found, out)
        os._exit(0)


def describe(value: Any, depth: int = 0) -> list[Any]:
    """A value by what an analysis can say of it: plain data."""
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return ["const", kind.__name__, value]
    if kind in (list, tuple, set, frozenset) and depth < MAX_DEPTH:
        return [kind.__name__, [describe(v, depth + 1) for v in list(value)[:MAX_ELEMENTS]]]
    if isinstance(value, dict) and kind is dict and depth < MAX_DEPTH:
        items = list(value.items())[:MAX_ELEMENTS]
        return ["dict", [[describe(k, depth + 1), describe(v, depth + 1)] for k, v in items]]
    if kind is types.FunctionType:
        return ["function", value.__module__, plain_name(value.__code__)]
    if kind is types.MethodType and type(value.__func__) is types.FunctionType:
        return ["function", value.__func__.__module__, plain_name(value.__func__.__code__)]
    if isinstance(value, type):
        return ["class", value.__module__, value.__qualname__.replace(".<locals>", "")]
    if isinstance(value, enum.Enum):
        return ["enum", kind.__module__, kind.__qualname__.replace(".<locals>", ""), value.name]
    return ["object", kind.__module__, kind.__qualname__.replace(".<locals>", "")]


def plain_name(code: types.CodeType) -> str:
    """A qualified name as the analysis has it."""
    return _COMPREHENSION.sub("", code.co_qualname.replace(".<locals>", "")).strip(".")


def run(request: dict[str, Any], answer: int) -> None:
    """In the forked process: run one program and hand over what was seen."""
    trace = Trace(answer)
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    signal.signal(signal.SIGALRM, lambda number, frame: trace.finish("time"))
    signal.alarm(MAX_SECONDS)
    facts: Any = types.ModuleType("facts")
    facts.__dict__.update(request["facts"])
    facts.see = trace.see
    sys.modules["facts"] = facts
    for name, value in request["environ"].items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    sys.meta_path.insert(0, Files(request["files"]))
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(600)
    threading.settrace(trace)
    sys.settrace(trace)
    end = "ok"
    try:
        importlib.import_module("main")
    except BaseException as error:
        end = f"{type(error).__name__}: {error}"
    trace.finish(end)


def serve(runner: Callable[[dict[str, Any], int], None]) -> None:
    """Answer requests until standard input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            try:
                runner(request, write)
            finally:
                os._exit(1)
        os.close(write)
        with os.fdopen(read) as source:
            found = source.read()
        os.waitpid(child, 0)
        print(found.replace("\n", " ") or "{}", flush=True)


if __name__ == "__main__":
    serve(run)
