"""What a program does under CPython: asks the tracer's process."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .program import Inputs, Program


@dataclass(frozen=True)
class Run:
    """What one run under CPython did."""

    #: lines by path
    lines: dict[str, list[int]]
    #: caller's path and qualified name, line of the call, callee's path and qualified name
    edges: list[tuple[str, str, int, str, str]]
    #: descriptions of the values that were shown, by key
    seen: dict[str, list[Any]]
    #: "ok", "limit", "time", or the exception that ended it
    end: str
    #: lines executed, repetitions counted
    count: int
    #: lines of ``except`` and ``case``: CPython comes to them to ask, the analysis counts what is entered
    asking: dict[str, set[int]] = field(default_factory=dict)

    def is_asked(self, path: str, line: int) -> bool:
        """Whether coming to a line says nothing yet of what it guards."""
        return line in self.asking.get(path, ())


def _asking(source: str) -> set[int]:
    """Lines of handlers and cases."""
    nodes = ast.walk(ast.parse(source))
    return {
        n.lineno if isinstance(n, ast.ExceptHandler) else n.pattern.lineno
        for n in nodes
        if isinstance(n, ast.ExceptHandler | ast.match_case)
    }


class CPython:
    """The tracer's process, started once."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-E", str(Path(__file__).with_name("tracer.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, program: Program, inputs: Inputs) -> Run:
        """Import ``main`` with everything known that ``inputs`` says."""
        assert self.process.stdin is not None and self.process.stdout is not None
        request = {"files": program.files, "facts": inputs.facts, "environ": inputs.environ}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        found = json.loads(self.process.stdout.readline())
        if not found:
            return Run({}, [], {}, "crashed", 0)
        return Run(
            found["lines"],
            [tuple(e) for e in found["edges"]],
            found["seen"],
            found["end"],
            found["count"],
            {path: _asking(source) for path, source in program.files.items()},
        )

    def close(self) -> None:
        """End the process."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        self.process.wait()
