"""Sizes of process groups follow from what the process passes to torch.distributed."""

from __future__ import annotations

from small_programs import Analysed, analyse

from pathcheck.flow.model import Model
from pathcheck.target import process_groups

COORDINATOR = """
    import torch

    class GroupCoordinator:
        def __init__(self, group_ranks, name):
            self.rank = torch.distributed.get_rank()
            for ranks in group_ranks:
                group = torch.distributed.new_group(ranks)
                if self.rank in ranks:
                    self.ranks = ranks
                    self.world_size = len(ranks)
                    self.group = group

        @property
        def is_first_rank(self):
            return self.rank == self.ranks[0]

    def build(size, name):
        world = torch.distributed.get_world_size()
        return GroupCoordinator([list(range(i * size, (i + 1) * size)) for i in range(world // size)], name)
"""
MAIN = """
    import torch
    from sglang.srt.distributed.parallel_state import build

    def start(ranks):
        for rank in ranks:
            torch.distributed.init_process_group("nccl", world_size=4, rank=rank)

    start(range(4))
    world = torch.distributed.get_world_size()
    rank = torch.distributed.get_rank()
    four, one = build(4, "tp"), build(1, "pp")
    sizes = (four.world_size, one.world_size)
    asked = (torch.distributed.get_world_size(four.group), torch.distributed.get_world_size(group=one.group))
    first_of_four = four.is_first_rank
    first_of_one = one.is_first_rank
"""


def analysed() -> Analysed:
    files = {"main.py": MAIN, "sglang/srt/distributed/parallel_state.py": COORDINATOR}
    model = Model(calls=process_groups.calls(), refinements=process_groups.refinements())
    return analyse(files, model=model)


def test_the_world_has_the_size_and_the_ranks_it_was_started_with() -> None:
    found = analysed()
    assert found.plain("world") == {4}
    assert found.plain("rank") == {0, 1, 2, 3}


def test_a_group_is_as_large_as_its_list_of_ranks() -> None:
    found = analysed()
    assert found.plain("sizes") == {(4, 1)}
    assert found.plain("asked") == {(4, 1)}


def test_the_only_rank_of_a_group_is_its_first() -> None:
    found = analysed()
    assert found.plain("first_of_one") == {True}
    assert found.plain("first_of_four") == {True, False}
