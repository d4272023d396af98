"""What must hold of the seed's pull on real SGLang: verdicts under its deployment, and positive controls.

Places are found by their text, so the same tests read 3207427 of a full clone
and release 0.5.9, whose line numbers differ.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from pathcheck.deployment.load import load_deployment
from pathcheck.revision.ranges import open_tree
from pathcheck.revision.repository import Repository
from pathcheck.verdict.engine import open_decider
from pathcheck.verdict.model import PlaceVerdict
from pathcheck.verdict.seam import Decider, silent

REPO = os.environ.get("PATHCHECK_SGLANG_REPO")
SRT = "python/sglang/srt/"
STATE = SRT + "distributed/parallel_state.py"
PYNCCL = SRT + "distributed/device_communicators/pynccl.py"
RUNNER = SRT + "model_executor/piecewise_cuda_graph_runner.py"
SCHEDULER = SRT + "managers/scheduler.py"
DISPATCH = SRT + "layers/attention/mamba/ops/ssu_dispatch.py"
TOKENIZER = SRT + "managers/tokenizer_manager.py"
EAGLE, EAGLE_V2 = SRT + "speculative/eagle_worker.py", SRT + "speculative/eagle_worker_v2.py"
DEPLOYMENTS = Path(__file__).parents[2] / "fixtures" / "deployments"

pytestmark = [
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.skipif(not REPO, reason="needs PATHCHECK_SGLANG_REPO"),
]


@cache
def decider(deployment: str) -> Decider:
    """The decider of a deployment: the name of a fixture, and facts to assume behind it."""
    repository = Repository.open(Path(str(REPO)))
    known = "3207427" if repository.attempt("cat-file", "-e", "3207427^{commit}") is not None else "v0.5.9"
    name, *assumed = deployment.split()
    loaded = load_deployment(DEPLOYMENTS / f"{name}.json", None, tuple(assumed))
    return open_decider(open_tree(repository, known), loaded, silent)


def line_of(deployment: str, path: str, after: str, text: str) -> int:
    """The first line with ``text`` at or behind the first one with ``after``."""
    lines = decider(deployment).tree.read(path).decode().split("\n")  # type: ignore[attr-defined]
    start = next(number for number, line in enumerate(lines) if after in line)
    return next(number for number, line in enumerate(lines, 1) if number > start and text in line)


def ask(deployment: str, path: str, after: str, text: str, shift: int = 0) -> PlaceVerdict:
    line = line_of(deployment, path, after, text) + shift
    return decider(deployment).place(path, line, line, True)


CUSTOM_AR = SRT + "distributed/device_communicators/custom_all_reduce.py"
CUSTOM = (CUSTOM_AR, "def custom_all_reduce(", "if torch.cuda.is_current_stream_capturing()")
ELIF = (STATE, "def all_reduce(", "elif is_in_piecewise_cuda_graph()")
PYNCCL_ARM = (STATE, "def _all_reduce_out_place(", 'outplace_all_reduce_method == "pynccl"')
PYNCCL_METHOD = (PYNCCL, "def outplace_all_reduce(", "if self.disabled")
PIECEWISE = (RUNNER, "class PiecewiseCudaGraphRunner", "self.model_runner = model_runner")
MAMBA_INIT = (SCHEDULER, "def init_mamba_backend(", "initialize_mamba_selective_state_update_backend(")
MAMBA_USE = (DISPATCH, "def selective_state_update(", "_mamba_ssu_backend")
LORA_TEST = (TOKENIZER, "def _validate_and_resolve_lora(", "if not obj.lora_path")
LORA_BODY = (TOKENIZER, "def _validate_and_resolve_lora(", "_resolve_lora_path(")
V1 = (EAGLE, "def forward_batch_generation(", "if batch.forward_mode.is_extend()")
V2 = (EAGLE_V2, "def forward_batch_generation(", "if ")
LAYERNORM = "python/sglang/multimodal_gen/runtime/layers/layernorm.py"
DIFFUSION = (LAYERNORM, "class RMSNorm", "super().__init__()")


def test_the_new_test_runs_in_the_verify_step_and_its_body_never() -> None:
    test = ask("kimi-k25-eagle3", *ELIF)
    assert test.verdict == "reachable"
    assert test.phases["capture-verify"].verdict == "reachable"
    assert test.phases["verify"].verdict == "reachable"
    body = ask("kimi-k25-eagle3", *ELIF, shift=2)
    assert (body.verdict, body.confidence) == ("unreachable", "proved")
    proof = body.phases["verify"].proof
    assert proof is not None
    assert [(g.text, g.value) for g in proof.cut] == [("is_in_piecewise_cuda_graph()", False)]


@pytest.mark.parametrize("place", [PYNCCL_ARM, PYNCCL_METHOD, PIECEWISE, MAMBA_USE, DIFFUSION])
def test_what_the_pull_brings_is_dead_on_this_server(place: tuple[str, str, str]) -> None:
    assert ask("kimi-k25-eagle3", *place).verdict == "unreachable"


def test_the_mamba_dispatcher_is_start_up_only() -> None:
    found = ask("kimi-k25-eagle3", *MAMBA_INIT)
    assert found.verdict == "reachable"
    assert found.phases["init"].verdict == "reachable"
    assert {name for name, phase in found.phases.items() if phase.verdict == "reachable"} == {"init"}


def test_the_moved_lora_check_runs_on_admission() -> None:
    found = ask("kimi-k25-eagle3", *LORA_TEST)
    assert found.verdict == "reachable"
    assert found.phases["admission"].verdict == "reachable"
    assert ask("kimi-k25-eagle3", *LORA_BODY).verdict == "unreachable"


def test_with_piecewise_graphs_the_body_runs() -> None:
    assert ask("deepseek-pcg-pcie", *ELIF, shift=2).verdict == "reachable"
    assert ask("deepseek-pcg-pcie", *PIECEWISE).verdict == "reachable"


def test_with_piecewise_graphs_and_nvlink_custom_all_reduce_runs_too() -> None:
    server = "deepseek-pcg-pcie gpu.nvlink=true gpu.sm=[9,0]"
    assert ask(server, *ELIF, shift=2).verdict == "reachable"
    assert ask(server, *CUSTOM).verdict == "reachable"
    assert ask("deepseek-pcg-pcie", *CUSTOM).verdict == "unreachable"


def test_with_a_hybrid_model_the_dispatcher_is_used() -> None:
    assert ask("nemotron-h", *MAMBA_USE).verdict == "reachable"


def test_with_lora_adapters_are_resolved() -> None:
    assert ask("lora", *LORA_BODY).verdict != "unreachable"


def test_with_the_second_speculative_worker_only_that_one_runs() -> None:
    assert ask("kimi-k25-eagle3", *V1).verdict == "reachable"
    assert ask("kimi-k25-eagle3", *V2).verdict == "unreachable"
    assert ask("kimi-specv2", *V2).verdict == "reachable"
    assert ask("kimi-specv2", *V1).verdict == "unreachable"
