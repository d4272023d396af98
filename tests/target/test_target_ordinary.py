"""What the ordinary load leaves of a function's results."""

from __future__ import annotations

from small_programs import Analysed, analyse

from pathcheck.flow.model import Model
from pathcheck.target import ordinary, platform

SOURCE = """
    import os
    from enum import Enum
    class Answer(Enum):
        GO = 1
        WAIT = 2
    def ask():
        return Answer.GO if os.getpid() else Answer.WAIT
    def allocate():
        return [1] if os.getpid() else None
    def serve():
        if ask() == Answer.WAIT:
            waits = 1
        if allocate() is None:
            fails = 1
        return 1
    serve()
"""
WAITS, FAILS = 12, 14


def _stages(found: Analysed) -> dict[int, int]:
    """First line of a statement of ``serve`` -> the stage that comes to it."""
    (serve,) = [c for c in found.world.contexts if c.code.name == "serve"]
    return {serve.module.ir.units[unit].line: stage for unit, stage in serve.reached.items()}


def test_without_a_choice_everything_is_ordinary() -> None:
    stages = _stages(analyse(SOURCE))
    assert (stages[WAITS], stages[FAILS]) == (1, 1)


def test_what_is_not_chosen_comes_in_the_second_stage() -> None:
    model = Model()
    model.ordinary_choices = {
        "main:ask": ordinary._one_of(("Answer.GO",)), "main:allocate": ordinary._not_none,
    }  # fmt: skip
    stages = _stages(analyse(SOURCE, model=model))
    assert (stages[WAITS], stages[FAILS]) == (2, 2)


def test_the_descriptions_choices_are_complete() -> None:
    functions = {row.function for row in ordinary.RESULTS if row.members}
    assert functions and functions <= set(ordinary.choices())


def test_a_server_without_accelerator_has_its_tensors_in_main_memory() -> None:
    model = Model()
    model.external_attributes = dict(platform.tensor_attributes({"gpu": {"platform": "cpu"}}))
    source = "import torch\nx = torch.zeros(3)\ny = x.is_cpu\n"
    assert analyse(source, model=model).plain("y") == {True}
    assert platform.tensor_attributes({"gpu": {"platform": "cuda"}}) == {}
