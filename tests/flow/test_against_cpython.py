"""Every line that runs under CPython is reached by the analysis."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from small_programs import analyse

TRACE = """
import runpy, sys
lines = set()
def trace(frame, event, arg):
    if frame.f_code.co_filename != sys.argv[1]:
        return None
    if event == "line":
        lines.add(frame.f_lineno)
    return trace
sys.settrace(trace)
try:
    runpy.run_path(sys.argv[1], run_name="main")
finally:
    sys.settrace(None)
    print(*sorted(lines))
"""

PROGRAMS = {
    "dispatch": """
        class Shape:
            registry = {}
            def __init_subclass__(cls, **kw):
                Shape.registry[cls.__name__] = cls
        class Square(Shape):
            def area(self):
                return 4
        class Circle(Shape):
            def area(self):
                return 3
        total = 0
        for name in ("Square", "Circle"):
            total += Shape.registry[name]().area()
        if total == 7:
            result = "seven"
        else:
            result = "other"
        """,
    "retries": """
        def flaky(n):
            if n < 2:
                raise ValueError(n)
            return n
        def retry():
            for n in range(5):
                try:
                    return flaky(n)
                except ValueError as error:
                    last = error
                finally:
                    seen = n
            return None
        result = retry()
        if result is None:
            result = -1
        """,
    "generators": """
        def numbers(stop):
            n = 0
            while True:
                if n == stop:
                    return
                got = yield n
                if got:
                    n = got
                n += 1
        squares = [x * x for x in numbers(4) if x % 2]
        pairs = dict(zip("ab", squares))
        if pairs["b"] == 9:
            result = 1
        """,
    "dynamic": """
        class A:
            def __getattr__(self, name):
                return lambda *args: (name, args)
            def __call__(self, x):
                return x
        def pick(name):
            return globals()["do_" + name]
        def do_one():
            return 1
        def do_two():
            return 2
        a = A()
        if a.thing(1)[0] == "thing":
            x = a(5)
        for name in ["one", "two"]:
            pick(name)()
        if getattr(a, "x", None):
            y = 1
        """,
    "state": """
        import functools
        count = 0
        @functools.lru_cache(maxsize=None)
        def once():
            global count
            count += 1
            return count
        once()
        once()
        while count < 3:
            count += 1
            if count == 2:
                continue
            break
        else:
            count = 9
        def make():
            calls = []
            def add(x, *, twice=False):
                calls.append(x)
                if twice:
                    add(x)
                return len(calls)
            return add
        if make()(1, twice=True) == 2:
            result = "two"
        """,
    "sorting": """
        from collections import defaultdict
        groups = defaultdict(list)
        def key(row):
            return row[1]
        for row in sorted([("a", 2), ("b", 1)], key=key):
            groups[row[1] % 2].append(row[0])
        for k, names in groups.items():
            if k:
                odd = names
            else:
                even = names
        result = max(map(lambda name: len(name), odd + even))
        """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_lines_that_ran_are_reached(name: str, tmp_path: Path) -> None:
    source = textwrap.dedent(PROGRAMS[name]).lstrip("\n")
    path = tmp_path / "main.py"
    path.write_text(source)
    done = subprocess.run(
        [sys.executable, "-c", TRACE, str(path)], capture_output=True, text=True, check=True, timeout=60
    )
    ran = {int(line) for line in done.stdout.split()}
    found = analyse(source)
    starts = found.reached() | found.dead()
    assert len(ran) > 5
    assert not (ran & starts) - found.reached()
