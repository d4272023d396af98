"""Files without a verdict: the class of real paths of SGLang's repository."""

from __future__ import annotations

import pytest

from pathcheck.target.files import RULES, classify


@pytest.mark.parametrize(
    ("path", "kind", "status"),
    [
        ("python/pyproject.toml", "dependency", "may-matter"),
        ("python/pyproject_npu.toml", "dependency", "may-matter"),
        ("sgl-kernel/csrc/moe/moe_align_kernel.cu", "native", "may-matter"),
        ("sgl-kernel/python/sgl_kernel/gemm.py", "native", "may-matter"),
        ("sgl-kernel/setup_rocm.py", "packaging", "may-matter"),
        ("sgl-kernel/tests/test_moe_align.py", "test", "outside"),
        ("sgl-kernel/benchmark/bench_sum_scale.py", "other", "outside"),
        ("python/sglang/jit_kernel/csrc/add_constant.cuh", "native", "may-matter"),
        ("python/sglang/srt/mem_cache/cpp_radix_tree/tree_v2_node.h", "native", "may-matter"),
        ("rust/sglang-grpc/src/utils/request_utils.rs", "native", "may-matter"),
        (
            "python/sglang/srt/layers/moe/fused_moe_triton/configs/triton_3_1_0/"
            "E=1,N=14336,device_name=NVIDIA_A100-SXM4-80GB.json",
            "data",
            "may-matter",
        ),
        (
            "python/sglang/srt/layers/quantization/configs/N=1536,K=7168,device_name=X.json",
            "data",
            "may-matter",
        ),
        ("python/sglang/srt/mem_cache/storage/lmcache/example_config_mp.yaml", "data", "may-matter"),
        ("examples/chat_template/tool_chat_template_deepseekr1.jinja", "data", "may-matter"),
        ("python/sglang/multimodal_gen/test/server/perf_baselines.json", "test", "outside"),
        ("python/sglang/srt/layers/moe/README.md", "docs", "outside"),
        (".github/workflows/pr-test.yml", "workflow", "outside"),
        (".pre-commit-config.yaml", "workflow", "outside"),
        ("docs/advanced_features/server_arguments.md", "docs", "outside"),
        ("docs/requirements.txt", "docs", "outside"),
        ("README.md", "docs", "outside"),
        ("test/srt/run_suite.py", "test", "outside"),
        ("benchmark/gsm8k/bench_sglang.py", "other", "outside"),
        ("examples/runtime/engine/offline_batch_inference.py", "docs", "outside"),
        ("docker/Dockerfile", "packaging", "may-matter"),
        ("docker/gateway.Dockerfile", "packaging", "outside"),
        ("sgl-model-gateway/src/main.rs", "other", "outside"),
        ("scripts/killall_sglang.sh", "other", "outside"),
        ("3rdparty/amd/wheel/sglang/pyproject.toml", "packaging", "may-matter"),
    ],
)
def test_class_of_a_path(path: str, kind: str, status: str) -> None:
    found = classify(path)
    assert found is not None
    assert (found.kind, found.status) == (kind, status)
    assert found.reason


@pytest.mark.parametrize(
    "path",
    [
        "python/sglang/srt/server_args.py",
        "python/sglang/launch_server.py",
        "python/sglang/jit_kernel/norm.py",
        "python/sglang/test/test_utils.py",
        "python/sglang/multimodal_gen/registry.py",
    ],
)
def test_python_of_the_package_is_for_the_analysis(path: str) -> None:
    assert classify(path) is None


def test_an_unknown_path_may_matter() -> None:
    found = classify("brand-new-place/engine.zig")
    assert found is not None and (found.kind, found.status) == ("other", "may-matter")


def test_the_first_rule_that_fits_decides() -> None:
    assert sum(rule.fits("sgl-kernel/tests/test_moe_align.py") for rule in RULES) > 1


def test_every_rule_has_patterns_and_a_reason() -> None:
    assert all(rule.patterns and rule.file_class.reason for rule in RULES)
