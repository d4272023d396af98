#!/usr/bin/env python3
"""Precision and recall of call graphs against the peers' ground truths, beside the peers, in one run.

    python benchmarks/callgraph [--set NAME ...] [--tool NAME ...] [--limit SECONDS] [--differences TOOL]

Run it with an interpreter that has pathcheck.  Truths, programs and peers are fetched from the package
index into ~/.cache/pathcheck/peers; nothing of them enters the tree.  docs/call-graph.md has the results.
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path

import programs
import tools
from programs import Case
from score import Figures, Naming, Truth, judge, truth_of

TOOLS = ("pathcheck", "PyCG", "Jarvis", "Jarvis --precision", "pyan3")


def main() -> int:
    """Fetch, run every tool over every set, print the tables."""
    options = _options()
    programs.fetch()
    wrong: list[tuple[str, Case, Truth]] = []
    for name, cases in programs.sets().items():
        if options.set and name not in options.set:
            continue
        truths = []
        for case in cases:
            naming = Naming(case)
            truth = truth_of(case, naming, case.library)
            judge(case, naming, truth, tools.trace(case, options.limit), _defined(case))
            truths.append((case, naming, truth))
            if truth.wrong or truth.unlisted:
                wrong.append((name, case, truth))
        _table(name, truths, options)
    _print_wrong(wrong, options.all)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--set", action="append", default=[], help="a set's name; all by default")
    parser.add_argument("--tool", action="append", default=[], help="a tool's name; all by default")
    parser.add_argument("--limit", type=int, default=600, help="seconds for one program")
    parser.add_argument("--differences", help="print a tool's edges too many and missing, amended truth")
    parser.add_argument("--all", action="store_true", help="print every correction of the applications too")
    return parser.parse_args()


def _table(name: str, truths: list[tuple[Case, Naming, Truth]], options: argparse.Namespace) -> None:
    edges = sum(len(truth.expected) for _, _, truth in truths)
    amended = sum(len(truth.amended) for _, _, truth in truths)
    print(f"\n{name}: {len(truths)} programs, {edges} edges; amended by what runs show {amended}")
    head = ("tool", "raw P / R", "as given P / R", "exact", "complete", "sound", "amended P / R")
    head += ("seconds", "failed")
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for tool in options.tool or TOOLS:
        found = tools.answers(tool, [case for case, _, _ in truths], options.limit)
        raw, given, right = Figures(), Figures(), Figures()
        for case, naming, truth in truths:
            answer = found[case.name]
            whole = truth_of(case, naming, False)
            raw.add(naming.edges(answer["edges"], whole.callers, False), whole.expected)
            seen = naming.edges(answer["edges"], truth.callers, case.library)
            given.add(seen, truth.expected)
            right.add(seen, truth.amended)
            given.seconds += answer["seconds"]
            given.failed += bool(answer["error"])
            if options.differences == tool:
                _differences(case, seen, truth)
        row = (tool, _pair(raw), _pair(given), given.exact, given.complete, given.sound, _pair(right),
               f"{given.seconds:.1f}", given.failed)  # fmt: skip
        print("| " + " | ".join(map(str, row)) + " |", flush=True)


def _pair(figures: Figures) -> str:
    return f"{figures.precision:.3f} / {figures.recall:.3f}"


def _differences(case: Case, seen: set[tuple[str, str]], truth: Truth) -> None:
    for edge in sorted(seen - truth.amended):
        print(f"  {case.name}: too many: {edge[0]} -> {edge[1]}")
    for edge in sorted(truth.amended - seen):
        print(f"  {case.name}: missing: {edge[0]} -> {edge[1]}")


def _print_wrong(wrong: list[tuple[str, Case, Truth]], everything: bool) -> None:
    print("\nExpectations that a run or the program's own names contradict:")
    for name, case, truth in wrong:
        counts = f"{len(truth.wrong)} wrong, {len(truth.unlisted)} happen and are not listed"
        print(f"- {name}, {case.name}: {counts}")
        if case.library and not everything:
            continue
        for edge, why in sorted(truth.wrong.items()):
            print(f"  - {edge[0]} -> {edge[1]} {why}")
        for edge in sorted(truth.unlisted):
            print(f"  - {edge[0]} -> {edge[1]} happens")


def _defined(case: Case) -> set[str]:
    """Every module, class and function that the program's files define, by dotted name."""
    found: set[str] = set()
    for file in case.files if case.library else tuple(case.root.rglob("*.py")):
        module = ".".join(file.relative_to(case.root).with_suffix("").parts).removesuffix(".__init__")
        found.add(module)
        found.update(_names(ast.parse(file.read_bytes()), module, file))
    return found


def _names(node: ast.AST, prefix: str, file: Path) -> set[str]:
    found: set[str] = set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{prefix}.{child.name}"
            found.add(name)
            found |= _names(child, name, file)
        elif isinstance(child, ast.Lambda):
            found.add(f"{prefix}.<lambda1>")
            found |= _names(child, prefix, file)
        else:
            found |= _names(child, prefix, file)
    return found


if __name__ == "__main__":
    sys.exit(main())
