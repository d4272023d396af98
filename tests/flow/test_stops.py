"""A process that ends before it serves is asked for what would run if it did not."""

from __future__ import annotations

from small_programs import Analysed, analyse

from pathcheck.flow.model import Model

SOURCE = """
    def check(size):
        if size > 1:
            raise ValueError(size)
        return size

    class Runner:
        def __init__(self, size):
            self.size = check(size)

    def loop(runner):
        while True:
            step(runner)

    def step(runner):
        return runner.size

    def report():
        return 1

    try:
        runner = Runner(2)
        loop(runner)
    except Exception:
        report()
    """


def served(source: str) -> Analysed:
    return analyse(source, model=Model(serves=lambda role, reached: reached("main:loop")))


def test_the_analysis_goes_on_behind_the_end_of_a_process() -> None:
    found = served(SOURCE)
    assert 15 in found.reached()
    assert list(found.world.stops.values()) == ["raise"]


def test_a_process_that_serves_has_no_stop() -> None:
    found = served(SOURCE.replace("Runner(2)", "Runner(1)"))
    assert 15 in found.reached()
    assert not found.world.stops
    assert 3 in found.dead()


def test_without_a_loop_to_come_to_an_exception_ends_the_path() -> None:
    assert 15 in analyse(SOURCE).dead()


def test_a_crash_for_want_of_a_value_does_not_end_the_path() -> None:
    found = analyse(
        """
        def size(config):
            return config * 3
        a = size(None)
        b = 1
        """
    )
    assert found.plain("b") == {1}
    assert found.world.lifted
