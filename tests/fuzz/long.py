"""A long run with new seeds: ``python -m tests.fuzz.long --minutes 60``.

Prints each failure with a small program that shows it, and at the end what was done.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import warnings
from collections import Counter

from .check import Checker, inputs_of
from .grammar import make
from .program import Program
from .shrink import shrink


def kind_of(problem: str) -> str:
    """The property that does not hold."""
    return problem.partition(":")[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; 0: from the clock")
    parser.add_argument("--only", type=int, help="this seed alone")
    parser.add_argument("--size", type=int, default=40)
    parser.add_argument(
        "--skip", default="", help="kinds of failures that are not looked at, comma-separated"
    )
    parser.add_argument("--failures", type=int, default=10, help="stop after so many")
    parser.add_argument("--no-shrink", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")  # odd programs are the point
    skipped = [s for s in given.skip.split(",") if s]
    checker = Checker()
    seed = given.only if given.only is not None else given.seed or int(time.time()) * 1000
    end = time.monotonic() + given.minutes * 60
    failures: Counter[str] = Counter()
    while time.monotonic() < end and sum(failures.values()) < given.failures:
        rng = random.Random(seed)
        program = make(rng, given.size)
        choices = inputs_of(rng, 3)
        problems = [p for p in checker.check(program, choices, seed % 4 == 0) if kind_of(p) not in skipped]
        if problems:
            kind = kind_of(problems[0])
            failures[kind] += 1
            print(f"==== seed {seed}: {problems[0]}", flush=True)
            if not given.no_shrink:

                def fails(smaller: Program, kind: str = kind, choices: list = choices) -> bool:  # type: ignore[type-arg]
                    return any(kind_of(p) == kind for p in checker.check(smaller, choices))

                counts = Counter(checker.counts)
                small = shrink(program, fails)
                print(small.text)
                print("\n".join(checker.check(small, choices)[:4]), flush=True)
                checker.counts = counts
        if given.only is not None:
            break
        seed += 1
    print(f"==== {dict(failures)} {dict(checker.counts)}")
    checker.close()
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
