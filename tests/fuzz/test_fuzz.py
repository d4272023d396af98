"""Made-up programs do under the analysis what they do under CPython; a fixed choice of them, for CI.

``python -m tests.fuzz.long`` tries new ones.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fuzz.analysed import analyse
from fuzz.check import Checker, inputs_of
from fuzz.grammar import make
from fuzz.program import Inputs, Program

#: Programs that Hypothesis makes, and programs by seed: within a minute on one core.
EXAMPLES, SEEDS, SIZE = 25, 60, 30


@pytest.fixture(scope="module")
def checker() -> Iterator[Checker]:
    made = Checker()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # odd programs are the point
        yield made
    made.close()


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(st.randoms(use_true_random=False))
def test_programs_that_hypothesis_makes(checker: Checker, rng: random.Random) -> None:
    program = make(rng, 15)
    found = checker.check(program, inputs_of(rng, 2))
    assert not found, program.text + "\n" + "\n".join(found)


@pytest.mark.parametrize("part", range(6))
def test_programs_by_seed(checker: Checker, part: int) -> None:
    for seed in range(part * SEEDS // 6, (part + 1) * SEEDS // 6):
        rng = random.Random(seed)
        program = make(rng, SIZE)
        found = checker.check(program, inputs_of(rng, 2), again=seed % 4 == 0)
        assert not found, f"seed {seed}\n{program.text}\n" + "\n".join(found)


def test_the_same_whatever_the_hash_seed() -> None:
    """Another process with other hashes gives the same, byte for byte."""
    script = (
        "import random, sys, json; sys.path.insert(0, sys.argv[1])\n"
        "from fuzz.analysed import analyse\n"
        "from fuzz.grammar import make\n"
        "from fuzz.program import Inputs\n"
        "print(json.dumps([analyse(make(random.Random(s), 30), Inputs()).text() for s in range(4)]))\n"
    )
    texts = set()
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", script, str(Path(__file__).parent.parent)],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        texts.add(done.stdout)
    assert len(texts) == 1
    assert len(json.loads(texts.pop())) == 4


def test_work_grows_about_linearly_with_the_program() -> None:
    """Eight copies of a program cost at most ten times its evaluations."""
    one = make(random.Random(11), 40).files["main.py"]
    eight = {f"copy{n}.py": one for n in range(8)} | {
        "main.py": "".join(f"import copy{n}\n" for n in range(8))
    }
    single = analyse(Program({"copy0.py": one, "main.py": "import copy0\n"}), Inputs())
    many = analyse(Program(eight), Inputs())
    assert many.world.evaluations <= 10 * single.world.evaluations
