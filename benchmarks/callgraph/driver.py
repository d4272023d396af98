"""Runs one tool over a list of programs; the tool's own interpreter runs this file.

    PYTHON driver.py TOOL JOBS RESULTS

JOBS is a JSON list of ``{"name", "root", "files", "entry", "package", "library", "limit"}``, RESULTS a
JSON object: name -> ``{"edges": {caller: [callee]}, "seconds", "megabytes", "error"}``.  Each program runs
in a forked process of its own: a tool that keeps state or never ends spoils one row only.
"""

import json
import os
import resource
import signal
import sys
import time


def pycg(job):
    """PyCG as its own tests call it."""
    from pycg.pycg import CallGraphGenerator

    graph = CallGraphGenerator(job["files"], job["root"], -1, "call-graph")
    graph.analyze()
    return {caller: sorted(callees) for caller, callees in graph.output().items()}


def jarvis(job, precision=False):
    """jarviscg as its command does."""
    from jarviscg import formats
    from jarviscg.core import CallGraphGenerator

    graph = CallGraphGenerator(job["files"], job["root"], decy=False, precision=precision, moduleEntry=None)
    graph.analyze()
    return {caller: sorted(callees) for caller, callees in formats.Simple(graph).generate().items()}


def jarvis_precision(job):
    """jarviscg --precision."""
    return jarvis(job, precision=True)


def pathcheck(job):
    """The engine of this checkout."""
    import ours

    return ours.edges(job)


TOOLS = {"pycg": pycg, "jarvis": jarvis, "jarvis-precision": jarvis_precision, "pathcheck": pathcheck}


def run(tool, job, path):
    """In the forked process: the edges, or why there are none."""
    signal.alarm(int(job["limit"]))
    result = {"edges": {}, "error": ""}
    before = time.process_time()
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    try:
        result["edges"] = TOOLS[tool](job)
    except BaseException as error:
        result["error"] = f"{type(error).__name__}: {str(error)[:200]}"
        if os.environ.get("CALLGRAPH_TRACEBACK"):
            import traceback

            traceback.print_exc()
    result["seconds"] = time.process_time() - before
    result["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with open(path, "w") as file:
        json.dump(result, file)


def main():
    """Every program in turn."""
    tool, jobs, results = sys.argv[1:4]
    with open(jobs) as file:
        todo = json.load(file)
    done = {}
    for number, job in enumerate(todo):
        path = f"{results}.{number}"
        child = os.fork()
        if child == 0:
            run(tool, job, path)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.path.exists(path):
            with open(path) as file:
                done[job["name"]] = json.load(file)
            os.remove(path)
        else:
            why = "over {} s".format(job["limit"]) if os.WTERMSIG(status) == signal.SIGALRM else "died"
            done[job["name"]] = {"edges": {}, "error": why, "seconds": float(job["limit"]), "megabytes": 0}
    with open(results, "w") as file:
        json.dump(done, file)


if __name__ == "__main__":
    main()
