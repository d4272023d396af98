"""Runs the fixpoint of one revision under one deployment and collapses it to a Result.

Everything heavy is imported here and nowhere else in the room: an answer from
the cache needs none of it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

from pathcheck.cachedir import cache_root
from pathcheck.deployment.model import Deployment
from pathcheck.program.collection import uncollected
from pathcheck.program.ir import ModuleIR
from pathcheck.program.layout import Program
from pathcheck.program.source import decode
from pathcheck.program.store import Store
from pathcheck.revision.tree import Tree
from pathcheck.target.packages import requirements
from pathcheck.target.server import Server
from pathcheck.verdict.arguments import WatchedCommandLine
from pathcheck.verdict.collapse import collapse
from pathcheck.verdict.inputs import check_entry, check_server
from pathcheck.verdict.result import Result
from pathcheck.verdict.seam import Progress

ROOT = "python/"
METADATA = "python/pyproject.toml"
#: The interpreter recurses with the program's calls: deep chains need a deep stack.
_STACK = 512 << 20
_DEPTH = 100_000

T = TypeVar("T")


def analyse(tree: Tree, files: dict[str, str], deployment: Deployment, progress: Progress) -> Result:
    """The result for these files (path to blob) of a tree.

    Raises AnalysisError where the deployment does not fit the revision.
    """
    with uncollected():
        return _deep(lambda: _analyse(tree, files, deployment, progress))


def _analyse(tree: Tree, files: dict[str, str], deployment: Deployment, progress: Progress) -> Result:
    store = program_store()

    def load(path: str) -> ModuleIR:
        blob = files[path]
        return store.get(blob, lambda: decode(tree.read_blob(blob)))

    program = Program(ROOT, {path: path for path in files if path.endswith(".py")}, load)
    check_entry(program)
    server = Server(
        program, deployment.server_args, deployment.env, deployment.env_unlisted, deployment.facts,
        requirements(_metadata(tree)), progress,
    )  # fmt: skip
    server.command_line = WatchedCommandLine(deployment.server_args)
    server.run()
    check_server(server, deployment)
    progress("reading verdicts off the fixpoint")
    return collapse(server)


def program_store() -> Store:
    """The cache of lowered files."""
    return Store(cache_root() / "program")


def _metadata(tree: Tree) -> bytes | None:
    blob = tree.paths(METADATA).get(METADATA)
    return tree.read_blob(blob) if blob is not None else None


def _deep(work: Callable[[], T]) -> T:
    """Do the work in a thread with a stack that deep recursion fits in."""
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(_STACK)
    sys.setrecursionlimit(max(limit, _DEPTH))
    try:
        thread = threading.Thread(target=run, name="analysis", daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    if failed:
        raise failed[0]
    return done[0]
