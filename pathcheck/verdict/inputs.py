"""Wrong inputs: each becomes one line that says what, where, and what would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pathcheck.deployment.model import Deployment
from pathcheck.revision.tree import Tree
from pathcheck.verdict.seam import AnalysisError

if TYPE_CHECKING:
    from pathcheck.target.server import Server

#: What every revision that this tool knows has: where a server starts, and where a scheduler does.
_ENTRY_FILES = (
    "python/sglang/launch_server.py",
    "python/sglang/srt/managers/scheduler.py",
    "python/sglang/srt/server_args.py",
)


def check_tree(tree: Tree, files: dict[str, str]) -> None:
    """Raise AnalysisError unless the tree is a SGLang whose entry points are known."""
    if not any(path.startswith("python/sglang/srt/") for path in files):
        raise AnalysisError(
            f"{tree.label} is no revision of SGLang: it has no python/sglang/srt (another one: --repo PATH)"
        )
    for path in _ENTRY_FILES:
        if path not in files:
            raise AnalysisError(
                f"{tree.label}: the entry point {path} is missing: this layout of SGLang is not known"
            )


def check_server(server: Server, deployment: Deployment) -> None:
    """Raise AnalysisError where the deployment contradicts the revision."""
