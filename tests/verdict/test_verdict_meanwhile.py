"""Another process works while this one does something else."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from pathcheck.verdict import meanwhile
from pathcheck.verdict.meanwhile import Meanwhile


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meanwhile, "_processors", lambda: 2)


def test_the_work_is_done_by_another_process(tmp_path: Path) -> None:
    def work() -> None:
        (tmp_path / "pid").write_text(str(os.getpid()))

    with Meanwhile(work) as other:
        other.wait()
    assert int((tmp_path / "pid").read_text()) != os.getpid()


def test_what_nobody_waits_for_is_stopped() -> None:
    started = time.monotonic()
    with Meanwhile(lambda: time.sleep(60)) as other:
        assert other.runs
    assert not other.runs and time.monotonic() - started < 30


def test_a_process_that_fails_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        raise ValueError("x")

    with Meanwhile(work) as other:
        other.wait()
    assert capfd.readouterr() == ("", "")


def test_with_one_processor_nothing_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meanwhile, "_processors", lambda: 1)
    with Meanwhile(lambda: time.sleep(60)) as other:
        assert not other.runs
        other.wait()
