"""One program against all properties."""

from __future__ import annotations

import itertools
import random
from collections import Counter

from .analysed import Analysis, TooMuchWork, analyse
from .cpython import CPython
from .program import ENVIRON, FACTS, Inputs, Program
from .properties import dead_lines_that_ran, lost_by_removal, missing_edges, missing_values


def inputs_of(rng: random.Random, count: int) -> list[Inputs]:
    """Some choices of what the outside says, all of it known."""
    found = []
    for _ in range(count):
        facts = {name: values[rng.randrange(len(values))] for name, values in FACTS.items()}
        environ = {name: values[rng.randrange(len(values))] for name, values in ENVIRON.items()}
        found.append(Inputs(facts, environ))
    return found


class Checker:
    """Holds the tracer's process, and counts what was done."""

    def __init__(self) -> None:
        self.cpython = CPython()
        self.counts: Counter[str] = Counter()

    def close(self) -> None:
        self.cpython.close()

    def check(self, program: Program, choices: list[Inputs], again: bool = False) -> list[str]:
        """What does not hold; ``again``: analyse twice and compare."""
        try:
            return self._check(program, choices, again)
        except TooMuchWork as error:
            return [f"does not end: {error}"]
        except RecursionError:
            return ["does not end: recursion"]
        except Exception as error:  # a crash of the engine is a finding like any other
            return [f"crash: {type(error).__name__}: {error}"]

    def _check(self, program: Program, choices: list[Inputs], again: bool) -> list[str]:
        found: list[str] = []
        opened = analyse(program, Inputs())
        partly = analyse(program, choices[0].without(*choices[0].names[::2]))
        self.counts["programs"] += 1
        if again and opened.text() != analyse(program, Inputs()).text():
            found.append("not the same twice")
        found += [f"{p} (nothing known)" for p in lost_by_removal(partly, opened)]
        for inputs in choices:
            run = self.cpython.run(program, inputs)
            self.counts["runs"] += 1
            self.counts["lines"] += run.count
            self.counts[f"end {run.end.partition(':')[0]}"] += 1
            known = analyse(program, inputs)
            self.counts["evaluations"] += known.world.evaluations
            self.counts["codes"] += sum(len(ir.codes) for ir in known.irs.values())
            self.counts["units"] += sum(len(ir.units) for ir in known.irs.values())
            self.counts["units dead"] += sum(map(len, known.dead().values()))
            self.counts["lines ran"] += sum(map(len, run.lines.values()))
            results: list[tuple[str, Analysis]] = [(f"{inputs}", known), ("nothing known", opened)]
            if inputs is choices[0]:
                results.append((f"partly {inputs}", partly))
            for name, analysis in results:
                for kind in (dead_lines_that_ran, missing_edges, missing_values):
                    found += [f"{problem} ({name})" for problem in kind(run, analysis)]
            found += [f"{p} ({inputs})" for p in lost_by_removal(known, opened)]
        return list(itertools.islice(dict.fromkeys(found), 50))
