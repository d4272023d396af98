"""Which third-party modules are there: stated facts, the revision's requirements, the standard library."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

#: Distributions whose import name differs from their own, as their documentation gives it.
IMPORT_NAMES: dict[str, tuple[str, ...]] = {
    "pyzmq": ("zmq",), "pillow": ("PIL",), "pyyaml": ("yaml",), "flashinfer_python": ("flashinfer",),
    "flashinfer_cubin": ("flashinfer_cubin",), "nvidia_ml_py": ("pynvml",), "cuda_python": ("cuda",),
    "nvidia_cutlass_dsl": ("cutlass",), "apache_tvm_ffi": ("tvm_ffi",), "av": ("av",), "decord2": ("decord",),
    "openai_harmony": ("openai_harmony",), "python_multipart": ("multipart", "python_multipart"),
    "sgl_kernel": ("sgl_kernel",), "sglang_kernel": ("sgl_kernel",), "quack_kernels": ("quack",),
    "ipython": ("IPython",), "py_spy": ("py_spy",),
    "grpcio": ("grpc",), "grpcio_reflection": ("grpc_reflection",),
    "grpcio_health_checking": ("grpc_health",),
    "smg_grpc_proto": ("smg_grpc_proto",), "opentelemetry_api": ("opentelemetry",),
    "typing_extensions": ("typing_extensions",),
    "prometheus_client": ("prometheus_client",), "scikit_learn": ("sklearn",),
    "opencv_python_headless": ("cv2",),
    "attrs": ("attr", "attrs"), "setuptools": ("setuptools", "pkg_resources"),
    "mooncake_transfer_engine": ("mooncake",),
    "torch_memory_saver": ("torch_memory_saver",), "markdown_it_py": ("markdown_it",), "jinja2": ("jinja2",),
    "partial_json_parser": ("partial_json_parser",), "deep_gemm": ("deep_gemm",), "protobuf": ("google",),
}  # fmt: skip

#: What torch brings along on CUDA: its wheels depend on Triton there.
WITH_TORCH = ("triton", "jinja2", "sympy", "networkx", "fsspec", "filelock", "typing_extensions")
#: What other requirements always bring along (their own published requirements).
BROUGHT_ALONG: dict[str, tuple[str, ...]] = {
    "transformers": (
        "tokenizers", "safetensors", "huggingface_hub", "regex", "numpy", "packaging", "yaml", "tqdm",
        "requests", "filelock",
    ),
    "fastapi": ("starlette", "pydantic", "anyio"),
    "pydantic": ("pydantic_core", "annotated_types", "typing_extensions"),
    "requests": ("urllib3", "idna", "certifi", "charset_normalizer"),
    "openai": ("httpx", "distro", "jiter", "sniffio"),
    "uvicorn": ("h11", "click"), "aiohttp": ("multidict", "yarl", "frozenlist", "aiosignal", "attr"),
    "xgrammar": ("ninja",), "anthropic": ("httpx",),
    "datasets": ("pandas", "pyarrow", "dill", "multiprocess", "xxhash"),
    "outlines": (
        "jsonschema", "referencing", "interegular", "jinja2", "lark", "nest_asyncio", "cloudpickle",
        "diskcache",
    ),
}  # fmt: skip


def normalise(name: str) -> str:
    """A distribution's name as an identifier (PEP 503, with underscores)."""
    return re.sub(r"[-_.]+", "_", name).lower()


def requirements(pyproject: bytes | None) -> set[str]:
    """Names of the distributions that a project's own metadata requires."""
    if pyproject is None:
        return set()
    try:
        project = tomllib.loads(pyproject.decode("utf-8", "replace")).get("project", {})
    except tomllib.TOMLDecodeError:
        return set()
    found = set()
    for line in project.get("dependencies", []):
        match = re.match(r"\s*([A-Za-z0-9._-]+)", str(line))
        if match:
            found.add(normalise(match.group(1)))
    return found


def import_names(distribution: str) -> tuple[str, ...]:
    """The top-level modules of a distribution."""
    return IMPORT_NAMES.get(distribution, (distribution,))


def assumed(facts: Mapping[str, Any], required: set[str]) -> Callable[[str], bool]:
    """The function that says whether only the metadata speaks for a module: no fact names it."""
    stated = {name.partition(".")[0] for name in facts.get("packages") or {}}
    for name in list(stated):
        stated.update(import_names(normalise(name)))
    only = {module for name in required for module in import_names(name)} - stated - {"torch"}
    return lambda name: name.partition(".")[0] in only


def presence(
    facts: Mapping[str, Any], required: set[str], platform: str | None
) -> Callable[[str], bool | None]:
    """The function that says whether a module is there: True, False, or None for unknown.

    A fact for a longer dotted name wins; a stated package decides its
    submodules; what is required is present unless listed as false.
    """
    stated: dict[str, bool] = {}
    for name, value in (facts.get("packages") or {}).items():
        present = value is not False and value is not None
        stated[name] = present
        for module in import_names(normalise(name)):
            stated.setdefault(module, present)
    present_names: set[str] = set(sys.stdlib_module_names) | {"torch", "sgl_kernel_stub"} - {
        "sgl_kernel_stub"
    }
    for distribution in required:
        for module in import_names(distribution):
            present_names.add(module)
        for module in BROUGHT_ALONG.get(distribution, ()):
            present_names.add(module)
    if "torch" in required or platform in ("cuda", "hip"):
        present_names.update(m for m in WITH_TORCH)
    otherwise = {"absent": False, "unknown": None}.get(str(facts.get("packages_else", "unknown")))
    memory: dict[str, bool | None] = {}

    def decide(name: str) -> bool | None:
        found = memory.get(name, 0)
        if found != 0:
            return found  # type: ignore[return-value]
        parts = name.split(".")
        answer: bool | None = None
        for end in range(len(parts), 0, -1):
            prefix = ".".join(parts[:end])
            if prefix in stated:
                answer = stated[prefix]
                break
        else:
            answer = True if parts[0] in present_names else otherwise
        memory[name] = answer
        return answer

    return decide
