"""The seed's change on real SGLang: a test that always runs, a body that never does."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pathcheck.deployment.load import load_deployment
from pathcheck.revision.ranges import open_tree
from pathcheck.revision.repository import Repository
from pathcheck.verdict.engine import open_decider
from pathcheck.verdict.seam import Decider, silent

REPO = os.environ.get("PATHCHECK_SGLANG_REPO")
STATE = "python/sglang/srt/distributed/parallel_state.py"
TEST = "elif is_in_piecewise_cuda_graph()"

pytestmark = [
    pytest.mark.real,
    pytest.mark.slow,
    pytest.mark.skipif(not REPO, reason="needs PATHCHECK_SGLANG_REPO"),
]


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Decider:
    """A plain Llama on two GPUs, at the newest revision that the repository has of 0.5.9."""
    deployment = {
        "server_args": {"model_path": "m", "tp_size": 2},
        "env": {},
        "facts": {
            "entry_point": "python -m sglang.launch_server",
            "nnodes": 1,
            "gpu": {"platform": "cuda", "kind": "H100", "sm": [9, 0], "count": 2, "memory_mib": 81559},
            "model_config": {"architectures": ["LlamaForCausalLM"], "model_type": "llama"},
            "packages": {"flashinfer": True, "sgl_kernel": True, "triton": True},
            "packages_else": "absent",
        },
    }
    place = tmp_path_factory.mktemp("real") / "llama.json"
    place.write_text(json.dumps(deployment))
    repository = Repository.open(Path(str(REPO)))
    known = "3207427" if repository.attempt("cat-file", "-e", "3207427^{commit}") is not None else "v0.5.9"
    return open_decider(open_tree(repository, known), load_deployment(place, None, ()), silent)


def _line(decider: Decider, text: str) -> int:
    lines = decider.tree.read(STATE).decode().split("\n")  # type: ignore[attr-defined]
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_the_seeds_test_runs_and_its_body_does_not(plain: Decider) -> None:
    line = _line(plain, TEST)
    assert plain.place(STATE, line, line, False).verdict == "reachable"
    body = plain.place(STATE, line + 1, line + 2, True)
    assert (body.verdict, body.confidence) == ("unreachable", "proved")
    proof = body.phases["prefill"].proof
    assert proof is not None and proof.kind == "guard"
    assert [(guard.text, guard.value) for guard in proof.cut] == [("is_in_piecewise_cuda_graph()", False)]
    writes = {write.text: write.dead_because for write in proof.writes}
    assert writes["_in_piecewise_cuda_graph = True"] is not None


def test_much_is_dead_and_nothing_is_cut_short(plain: Decider) -> None:
    info = plain.info
    assert info.incomplete == () and info.functions_live < 0.3 * info.functions_total
