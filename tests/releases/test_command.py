"""The command, and the real index."""

from __future__ import annotations

import subprocess

import pytest
import typer
from typer.testing import CliRunner

from pathcheck.cachedir import cache_root
from pathcheck.cli.releases import releases

app = typer.Typer()
app.command()(releases)


def test_prints_the_path_and_nothing_else(index):
    done = CliRunner().invoke(app, ["0.1.0", "0.1.1"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.strip().startswith(str(cache_root() / "releases" / "sglang-0.1.0-0.1.1-"))


@pytest.mark.parametrize("arguments", [["x"], ["--", "-x"], ["0.9.9"], []])
def test_wrong_calls_end_with_2(index, arguments):
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert done.stdout == "" and done.stderr


@pytest.mark.network
@pytest.mark.slow
def test_real_releases():
    """Uses the user's cache on purpose: the other tests on real code read the same repository."""
    done = CliRunner().invoke(app, ["0.5.8", "0.5.9"])
    assert done.exit_code == 0, done.stderr
    place = done.stdout.strip()
    head = subprocess.check_output(["git", "show", "v0.5.9:python/sglang/_version.py"], cwd=place, text=True)
    assert "0.5.9" in head
    log = subprocess.check_output(["git", "log", "--format=%H %s", "v0.5.9"], cwd=place, text=True)
    assert log.splitlines() == [
        "2cd90e974bb3dabb1a161b69811fe1b43cbd9313 sglang 0.5.9",
        "794b04a9c046922566e0b2e37503c4db7356c60b sglang 0.5.8",
    ]
