"""A wheel's metadata as TOML."""

from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from pathcheck.releases.project_table import project_table
from pathcheck.releases.wheels import read_wheel


def test_what_a_wheel_says(index):
    wheel = read_wheel(index / "sglang-0.1.0-py3-none-any.whl")
    assert tomllib.loads(project_table(wheel.metadata)) == {
        "project": {
            "name": "sglang",
            "version": "0.1.0",
            "requires-python": ">=3.10",
            "dependencies": ["torch==2.9.1", 'av; sys_platform == "linux" and (platform_machine == "arm64")'],
            "optional-dependencies": {
                "all": ["sglang[test]"],
                "test": ["pytest", 'uvloop; (sys_platform == "linux")'],
            },
        }
    }


def test_extra_first():
    table = tomllib.loads(
        project_table("Name: x\nRequires-Dist: a; extra == 'dev' and python_version < '3.9'\n")
    )
    assert table["project"]["optional-dependencies"] == {"dev": ["a; python_version < '3.9'"]}


@given(st.text())
def test_any_metadata_gives_toml(text):
    tomllib.loads(project_table(f"Name: x\nRequires-Dist: {text}\n{text}"))
