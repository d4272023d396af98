"""What comes before what: an odd request does not change what start-up did before it."""

from __future__ import annotations

import textwrap

import pytest

from pathcheck.flow import imports
from pathcheck.flow.analysis import add_entry, admit_odd_requests, open_stage_two, solve
from pathcheck.flow.calls import call_value
from pathcheck.flow.frame import Frame
from pathcheck.flow.model import Model
from pathcheck.flow.world import World
from pathcheck.program.layout import Program
from pathcheck.program.lower import lower

SOURCE = """
class State:
    kind = "small"
state = State()

def kind():
    return state.kind
def large_buffers():
    return 1
def large_batch():
    return 2
def shared():
    if kind() == "large":
        large_buffers()
def large_round():
    return 3

class Server:
    def __init__(self):
        self.kind = kind()
        if self.kind == "large":
            large_buffers()
    def step(self):
        if kind() == "large":
            large_batch()

def serve(server):
    while True:
        server.step()

def start():
    server = Server()
    serve(server)

def handle():
    state.kind = "large"
"""


def served(source: str, serving: str = "main:serve") -> World:
    """The analysis of a process that starts with ``start``, and then gets the odd request ``handle``."""
    program = Program("", {"main.py": "main.py"}, lambda path: lower(textwrap.dedent(source)))
    world = World(program, Model(serving=frozenset([serving])), "main")

    def call(fr: Frame, name: str) -> None:
        call_value(fr, world.modules["main"].atom.fields[name].value, (), {}, 0)

    def start(fr: Frame) -> None:
        imports.import_module(fr, "main")
        call(fr, "start")

    def request(fr: Frame) -> None:
        if world.odd_requests:
            call(fr, "handle")

    add_entry(world, start, starts=True)
    add_entry(world, request)
    solve(world)
    open_stage_two(world)
    admit_odd_requests(world)
    return world


def entered(world: World) -> set[str]:
    return {context.code.qualname for context in world.contexts if context.evaluations}


def test_serving_sees_what_an_odd_request_writes_and_start_up_does_not() -> None:
    found = entered(served(SOURCE))
    assert "handle" in found
    assert "large_batch" in found
    assert "large_buffers" not in found


def test_without_a_known_beginning_of_serving_nothing_is_settled() -> None:
    assert "large_buffers" in entered(served(SOURCE, serving="main:nobody"))


@pytest.mark.parametrize("caller", ["Server.step", "handle"])
def test_start_up_code_that_serving_calls_too_is_analysed_on(caller: str) -> None:
    """``shared`` runs in start-up and again later: by then the flag may be set."""
    source = SOURCE.replace("    server = Server()\n", "    shared()\n    server = Server()\n")
    if caller == "handle":
        source += "    shared()\n"
    else:
        source = source.replace("    def step(self):\n", "    def step(self):\n        shared()\n")
    assert "large_buffers" in entered(served(source))


def test_start_up_that_only_leads_to_serving_does_not_call_anew() -> None:
    """``start`` goes on behind the loop's call, but what it called before answers as it did then."""
    source = SOURCE.replace("    server = Server()\n", "    shared()\n    server = Server()\n")
    assert "large_buffers" not in entered(served(source))


def test_a_loop_around_serving_starts_anew() -> None:
    source = SOURCE.replace(
        "    server = Server()\n    serve(server)\n",
        "    while True:\n        server = Server()\n        serve(server)\n",
    ).replace("    while True:\n        server.step()", "    server.step()")
    assert "large_buffers" in entered(served(source))


def test_a_thread_that_start_up_made_runs_while_serving() -> None:
    source = "import threading\n" + SOURCE.replace(
        "    server = Server()\n", "    threading.Thread(target=shared).start()\n    server = Server()\n"
    )
    assert "large_buffers" in entered(served(source))


def test_a_coroutine_of_start_up_runs_while_serving() -> None:
    source = "import asyncio\n" + SOURCE.replace("def shared", "async def shared").replace(
        "    server = Server()\n", "    asyncio.run(shared())\n    server = Server()\n"
    )
    assert "large_buffers" in entered(served(source))


def test_what_follows_serving_goes_on() -> None:
    source = SOURCE.replace("    while True:\n        server.step()", "    server.step()")
    source = source.replace(
        "    server = Server()\n    serve(server)\n",
        "    shared()\n    server = Server()\n    serve(server)\n    shared()\n",
    )
    assert "large_buffers" in entered(served(source))
