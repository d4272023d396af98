"""The door to the analysis: a tree and a deployment become a decider, from the cache where it can."""

from __future__ import annotations

from pathcheck.cachedir import cache_root
from pathcheck.deployment.model import Deployment
from pathcheck.revision.errors import RevisionError
from pathcheck.revision.tree import Tree
from pathcheck.verdict.decider import ResultDecider
from pathcheck.verdict.inputs import check_tree
from pathcheck.verdict.meanwhile import Meanwhile
from pathcheck.verdict.result import Result
from pathcheck.verdict.resultcache import ResultCache, result_key
from pathcheck.verdict.seam import AnalysisError, Decider, Progress, silent

#: The program under analysis, and what says which third-party packages it requires.
PROGRAM, METADATA = "python/sglang", "python/pyproject.toml"


def open_decider(tree: Tree, deployment: Deployment, progress: Progress) -> Decider:
    """The decider of a tree under a deployment. Raises AnalysisError or RevisionError."""
    files = tree.paths(PROGRAM)
    check_tree(tree, files)
    return ResultDecider(tree, _result(tree, files, deployment, progress))


def begin(tree: Tree, deployment: Deployment) -> Meanwhile:
    """Analyse a tree meanwhile, if its result is not known and can be kept."""
    cache = ResultCache(cache_root())
    try:
        files = tree.paths(PROGRAM)
        check_tree(tree, files)
        known = cache.has(_key(tree, files, deployment))
    except (AnalysisError, RevisionError):
        return Meanwhile(None)  # who asks for it is told

    def work() -> None:
        _result(tree, files, deployment, silent)

    return Meanwhile(None if known or not cache.keeps() else work)


def _result(tree: Tree, files: dict[str, str], deployment: Deployment, progress: Progress) -> Result:
    cache = ResultCache(cache_root())
    key = _key(tree, files, deployment)
    found = cache.get(key)
    if found is None:
        # The heaviest import of all: an answer from the cache does without.
        from pathcheck.verdict.analysis import analyse

        found = analyse(tree, files, deployment, progress)
        cache.put(key, found)
    return found


def _key(tree: Tree, files: dict[str, str], deployment: Deployment) -> str:
    """The name of a tree's result: the revision's metadata says which packages are there."""
    return result_key({**files, **tree.paths(METADATA)}, deployment)
