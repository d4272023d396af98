"""The call graph of a finished analysis, and a library's, of which every function is entered."""

from __future__ import annotations

import textwrap

from small_programs import analyse

from pathcheck.flow import callgraph, imports
from pathcheck.flow.analysis import add_entry
from pathcheck.flow.library import enter_everything
from pathcheck.flow.model import Model
from pathcheck.flow.world import World
from pathcheck.program.layout import Program
from pathcheck.program.lower import lower


def _world(source: str, library: bool = False) -> World:
    text = textwrap.dedent(source).lstrip("\n")
    program = Program("", {"main.py": "main.py"}, lambda path: lower(text))
    world = World(program, Model(package=lambda name: True), "main")
    world.outside = {}
    add_entry(world, lambda frame: imports.import_module(frame, "main"))
    if library:
        enter_everything(world)
    else:
        from pathcheck.flow.analysis import solve

        solve(world)
    return world


def _edges(world: World, caller: str, callbacks: bool = False) -> set[str]:
    found = callgraph.edges(world, callbacks)
    return {callee.name for place, callees in found.items() if place.name == caller for callee in callees}


CALLBACKS = """
    import threading
    def work():
        pass
    def key(item):
        return item
    def start():
        threading.Thread(target=work).start()
        sorted([2, 1], key=key)
        print("started".upper())
    start()
"""


def test_callees_of_a_function_with_builtins_and_third_parties() -> None:
    edges = _edges(_world(CALLBACKS), "main.start")
    assert {"main.key", "builtins.sorted", "builtins.print", "builtins.str.upper"} <= edges
    assert "threading.Thread" in edges


def test_what_a_third_party_calls_back_is_an_edge_only_if_asked() -> None:
    world = _world(CALLBACKS)
    assert "main.work" not in _edges(world, "main.start")
    assert "main.work" in _edges(world, "main.start", callbacks=True)


def test_nothing_outside_is_noted_unless_asked() -> None:
    assert analyse("print(1)\n").world.outside is None


def test_every_function_of_a_library_is_entered() -> None:
    source = """
        class Box:
            def __init__(self, item):
                self.item = item
            def show(self):
                return helper(self.item)
            @staticmethod
            def plain():
                return helper(1)
            @classmethod
            def made(cls):
                return cls(2)
        def helper(item):
            def inner():
                return leaf()
            return inner
        def leaf():
            return 1
    """
    world = _world(source, library=True)
    assert "main.helper" in _edges(world, "main.Box.show")
    assert "main.helper" in _edges(world, "main.Box.plain")
    assert "main.Box.__init__" in _edges(world, "main.Box.made")
    assert "main.leaf" in _edges(world, "main.helper.inner")
    assert not _edges(_world(source), "main.Box.show")


def test_raising_a_class_makes_an_instance() -> None:
    found = analyse(
        """
        made = False
        class Refused(Exception):
            def __init__(self):
                global made
                made = True
        def refuse():
            raise Refused
        try:
            refuse()
        except Refused:
            caught = True
        """
    )
    assert True in found.plain("made")
    assert found.plain("caught") == {True}


def test_a_text_asks_the_method_that_python_asks() -> None:
    edges = _edges(
        _world(
            """
            class Shown:
                def __str__(self):
                    return "s"
                def __repr__(self):
                    return "r"
            def percent():
                return "%s" % (Shown(),)
            def represented():
                return repr(Shown())
            percent()
            represented()
            """
        ),
        "main.percent",
    )
    assert "main.Shown.__str__" in edges
    assert "main.Shown.__repr__" not in edges
