"""What the files of a diff are that the analysis does not decide.

A verdict is about Python that a server loads.  The rest of a diff gets no
verdict, but never silence: each file is ``outside`` (no server run from this
revision sees it) or ``may-matter`` (it can change what a server does, and the
call graph does not show how).  The rules are read from top to bottom and the
first that fits decides; a path that no rule knows may matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

FileKind = Literal["dependency", "native", "data", "packaging", "docs", "test", "workflow", "other"]
FileStatus = Literal["outside", "may-matter"]

#: The package whose Python the analysis decides, its tests and tools included:
#: that a server does not load them is an answer, not an assumption.
PACKAGE = "python/sglang/"


@dataclass(frozen=True, slots=True)
class FileClass:
    """The class of a file without a verdict."""

    kind: FileKind
    status: FileStatus
    reason: str


@dataclass(frozen=True, slots=True)
class FileRule:
    """Patterns over whole paths, in which ``*`` also matches ``/``."""

    patterns: tuple[str, ...]
    file_class: FileClass

    def fits(self, path: str) -> bool:
        """True if one of the patterns matches the path."""
        return any(fnmatchcase(path, pattern) for pattern in self.patterns)


def _rule(kind: FileKind, status: FileStatus, reason: str, patterns: str) -> FileRule:
    return FileRule(tuple(patterns.split()), FileClass(kind, status, reason))


RULES: tuple[FileRule, ...] = (
    _rule(
        "dependency",
        "may-matter",
        "pins or frees the versions of what the server imports: torch, sgl-kernel, flashinfer, transformers",
        "python/pyproject*.toml python/setup.py python/setup.cfg python/requirements*.txt python/*.lock",
    ),
    _rule(
        "workflow",
        "outside",
        "runs on the project's own machines, not in a server",
        ".github/* .gitlab* scripts/ci/* scripts/ci_* scripts/release/* scripts/code_sync/*",
    ),
    _rule(
        "workflow",
        "outside",
        "settings of the tools that developers use",
        ".claude/* */.claude/* .devcontainer/* .vscode/* .gitignore */.gitignore .gitmodules .gitattributes "
        ".dockerignore .editorconfig .isort.cfg */.isort.cfg .codespellrc .coveragerc "
        ".pre-commit-config.yaml .clang-format */.clang-format",
    ),
    _rule(
        "test",
        "outside",
        "runs a server or a kernel, and is not part of one",
        "test/* sgl-kernel/tests/* python/sglang/test/* python/sglang/multimodal_gen/test/* "
        "sgl-model-gateway/tests/* sgl-model-gateway/e2e_test/* sgl-router/tests/* experimental/*/tests/* "
        "rust/*/tests/*",
    ),
    _rule(
        "data",
        "may-matter",
        "a chat template that --chat-template may name",
        "examples/chat_template/*.jinja examples/chat_template/*.json",
    ),
    _rule("docs", "outside", "shows how to use a server, and is not part of one", "examples/*"),
    _rule(
        "docs",
        "outside",
        "text for people",
        "docs/* docs_new/* assets/* *.md *.mdx *.rst *.ipynb LICENSE */LICENSE *NOTICE*",
    ),
    _rule("other", "outside", "measures a server or a kernel, and is not part of one", "benchmark/*"),
    # The kernels that SGLang builds for itself.
    _rule("other", "outside", "measures kernels", "sgl-kernel/benchmark/*"),
    _rule(
        "native",
        "may-matter",
        "source of the sgl-kernel package, whose operators the server calls",
        "sgl-kernel/csrc/* sgl-kernel/include/* sgl-kernel/cmake/* sgl-kernel/CMakeLists.txt "
        "sgl-kernel/3rdparty/*",
    ),
    _rule(
        "native",
        "may-matter",
        "Python of the sgl-kernel package: a dependency of the server with its own release, so the pin in "
        "python/pyproject.toml says whether it is installed",
        "sgl-kernel/python/*",
    ),
    _rule(
        "packaging",
        "may-matter",
        "how sgl-kernel is built: architectures, flags, what is left out",
        "sgl-kernel/pyproject*.toml sgl-kernel/setup*.py sgl-kernel/build.sh sgl-kernel/Makefile "
        "sgl-kernel/Dockerfile",
    ),
    _rule("packaging", "outside", "renames, measures or prepares builds of sgl-kernel", "sgl-kernel/*"),
    # A wheel of SGLang holds native code, too.
    _rule(
        "other",
        "outside",
        "part of the diffusion server, which the language model server does not open",
        "python/sglang/multimodal_gen/*",
    ),
    _rule(
        "native",
        "may-matter",
        "compiled at run time or into the wheel, and called from the server's Python",
        "python/sglang/*.cu python/sglang/*.cuh python/sglang/*.cpp python/sglang/*.cc python/sglang/*.c "
        "python/sglang/*.h python/sglang/*.hpp python/sglang/*.hip python/sglang/*.mu python/sglang/*.s "
        "python/sglang/*.S python/sglang/*.so python/sglang/*.metal python/sglang/*.rs "
        "python/sglang/*CMakeLists.txt python/sglang/*Makefile",
    ),
    _rule(
        "native",
        "may-matter",
        "Rust of the server's own process: gRPC, cache, tokenizer side",
        "rust/* proto/*",
    ),
    _rule(
        "data",
        "may-matter",
        "a tuned configuration: which kernel parameters run is read from it by model shape and device",
        "python/sglang/srt/*configs/*.json python/sglang/srt/lora/triton_ops/*.json "
        "python/sglang/kernels/*configs/*.json python/sglang/jit_kernel/*configs/*.json",
    ),
    _rule(
        "data",
        "may-matter",
        "data inside the package: live code may open it",
        "python/sglang/*",
    ),
    # Around the server.
    _rule(
        "other",
        "outside",
        "a router or gateway: a process of its own in front of servers",
        "sgl-model-gateway/* sgl-router/* experimental/*",
    ),
    _rule(
        "packaging",
        "outside",
        "an image or a manifest for another process, or an example of a deployment",
        "docker/gateway* docker/sgl-router* docker/*.yaml docker/*.yml",
    ),
    _rule(
        "packaging",
        "may-matter",
        "builds the image: it fixes versions of CUDA, NCCL, kernels and variables of the environment",
        "docker/*",
    ),
    _rule(
        "packaging",
        "may-matter",
        "how the wheels for AMD are built",
        "3rdparty/amd/wheel/*",
    ),
    _rule(
        "other",
        "outside",
        "patches and scripts for profiling, applied by hand",
        "3rdparty/*",
    ),
    _rule("other", "outside", "a tool that is run by hand", "scripts/* python/tools/*"),
)

_UNKNOWN = FileClass("other", "may-matter", "no rule knows this path")


def classify(path: str) -> FileClass | None:
    """The class of a file of the diff; None where the analysis decides it.

    ``path`` is the repository's own, with forward slashes.
    """
    if path.startswith(PACKAGE) and path.endswith(".py"):
        return None
    return next((rule.file_class for rule in RULES if rule.fits(path)), _UNKNOWN)
