"""Wrong inputs: each becomes one line that says what, where, and what would be right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pathcheck.deployment.model import Deployment
from pathcheck.revision.tree import Tree
from pathcheck.verdict.seam import AnalysisError

if TYPE_CHECKING:
    from pathcheck.program.layout import Program
    from pathcheck.target.server import Server

#: What every revision that this tool knows has: where a server starts, and where a scheduler does.
_SCHEDULER, _PROCESS = "python/sglang/srt/managers/scheduler.py", "run_scheduler_process"
_ENTRY_FILES = (
    "python/sglang/launch_server.py",
    _SCHEDULER,
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
    """Raise AnalysisError where the deployment does not fit the revision."""
    from pathcheck.verdict.arguments import check_arguments
    from pathcheck.verdict.stops import check_facts

    if not deployment.effective:
        check_arguments(server, deployment.server_args)
    check_facts(server)


def check_entry(program: Program) -> None:
    """Raise AnalysisError unless the scheduler process starts where it is known to."""
    module = program.ir(_SCHEDULER)
    if module is not None and not any(code.qualname == _PROCESS for code in module.codes):
        raise AnalysisError(
            f"{_SCHEDULER} has no {_PROCESS}: the entry point of this revision's scheduler is not known"
        )
