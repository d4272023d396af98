"""The door to the analysis: a tree and a deployment become a decider, from the cache where it can."""

from __future__ import annotations

from pathcheck.cachedir import cache_root
from pathcheck.deployment.model import Deployment
from pathcheck.revision.tree import Tree
from pathcheck.verdict.decider import ResultDecider
from pathcheck.verdict.inputs import check_tree
from pathcheck.verdict.result import Result
from pathcheck.verdict.resultcache import ResultCache, result_key
from pathcheck.verdict.seam import Decider, Progress

#: The program under analysis, and what says which third-party packages it requires.
PROGRAM, METADATA = "python/sglang", "python/pyproject.toml"


def open_decider(tree: Tree, deployment: Deployment, progress: Progress) -> Decider:
    """The decider of a tree under a deployment. Raises AnalysisError or RevisionError."""
    files = tree.paths(PROGRAM)
    check_tree(tree, files)
    return ResultDecider(tree, _result(tree, files, deployment, progress))


def _result(tree: Tree, files: dict[str, str], deployment: Deployment, progress: Progress) -> Result:
    cache = ResultCache(cache_root())
    key = result_key({**files, **tree.paths(METADATA)}, deployment)
    found = cache.get(key)
    if found is None:
        # The heaviest import of all: an answer from the cache does without.
        from pathcheck.verdict.analysis import analyse

        found = analyse(tree, files, deployment, progress)
        cache.put(key, found)
    return found
