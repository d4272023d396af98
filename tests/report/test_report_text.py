"""The text answers on one screen, and nothing in it acts on the terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pathcheck.change.model import Change
from pathcheck.report.base import View
from pathcheck.report.safe import plain
from pathcheck.report.text import TextFormat
from pathcheck.verdict import model
from pathcheck.verdict.model import (
    AnalysisInfo,
    Guard,
    PhaseVerdict,
    PlaceVerdict,
    Proof,
    StartupStop,
    Step,
    UnknownFact,
)
from pathcheck.verdict.reports import (
    ChangeVerdict,
    CommitSummary,
    DiffReport,
    ExplainReport,
    NoPlace,
    OtherFile,
    Revision,
)

HOSTILE = "[bold red]x[/] \x1b]0;pwn\x07\x1b[2J \u202egnp.exe\n\r\t\u200b\udc9b\x9b31m :smile:"
OPEN = Guard("g.py", 4, "self.flag", None, "fact", "gpu.nvlink")
LIVE = PhaseVerdict(
    "reachable",
    "proved",
    ("python",),
    guards=(OPEN,),
    witness=(Step("s.py", 1, "root"), Step("t.py", 2, "leaf")),
)
WRITE = model.Evidence("w.py", 9, "flag = True", "its function is never called")
DEAD = PhaseVerdict(
    "unreachable", "proved", proof=Proof("guard", (Guard("g.py", 5, "flag", False, why=(WRITE,)),), (WRITE,))
)
INFO = AnalysisInfo(
    world=("no plugins",),
    unknown_used=(UnknownFact("gpu.nvlink", 3, "--assume gpu.nvlink=true"),),
    startup_stops=(StartupStop("scheduler", "a.py", 3, "raise X", "no hook"),),
)


def decided(
    name: str, verdict: Any, lines: tuple[int, int], parent: str | None = None, **more: Any
) -> ChangeVerdict:
    phase = {"verify": LIVE} if verdict == "reachable" else {"verify": DEAD} if verdict else {}
    kind = more.pop("kind", "statement" if verdict else "comment")
    change = Change(name, parent, "a.py", None, "head", lines, "f", kind, ask=lines, **more)
    return ChangeVerdict(
        change, PlaceVerdict("a.py", lines, "f", kind, verdict, phases=phase), "c" * 40, "Title"
    )


def report(*changes: ChangeVerdict, **more: Any) -> DiffReport:
    counts = {"reachable": 1, "conditional": 0, "unreachable": 2, "comment": 0}
    commit = CommitSummary(
        "c" * 40, more.pop("title", "Title"), counts, more.pop("status", "live"), (), ("verify",)
    )
    base = DiffReport("r", Revision("A", "a" * 40), Revision("B", "b" * 40), {}, INFO, (commit,), changes)
    return replace(base, **more)


def text(answer: DiffReport, **view: Any) -> str:
    return TextFormat().diff(answer, View(**view))


def test_the_answer_comes_first() -> None:
    shown = text(report(decided("a", "reachable", (1, 2)), decided("b", "unreachable", (4, 4))))
    assert shown.startswith("Yes: the commit changed code that runs while serving.")
    for words in (
        "ccccccccc",
        "live",
        "reachable   1-2  f",
        "verify",
        "self.flag is open (fact: gpu.nvlink)  (g.py:4)",
        "root > leaf",
        "Dead changes (1)",
        "flag = False  (g.py:5)",
        "a.py:4",
        "raise X",
        "no plugins",
        "--assume gpu.nvlink=true",
    ):
        assert words in shown, words
    assert shown.index("Live changes") < shown.index("Dead changes") < shown.index("Taken for granted")


@pytest.mark.parametrize(
    ("status", "start"), [("conditional", "Perhaps"), ("startup", "At start-up only"), ("cleared", "No: ")]
)
def test_the_headline_by_status(status: str, start: str) -> None:
    assert text(report(decided("a", "unreachable", (1, 1)), status=status)).startswith(start)


def test_the_headline_names_its_doubts() -> None:
    other = OtherFile("python/pyproject.toml", "c" * 40, "dependency", "may-matter", "a pin")
    shown = text(
        report(status="not-analysed", other_files=(other,), incomplete=(("b.py", "does not parse"),))
    )
    first = " ".join(shown.split())
    assert first.startswith(
        "No Python changes between A and B. 1 other file may matter. 1 file was not analysed."
    )
    assert "a pin" in first and "b.py: does not parse" in first


def test_one_row_for_a_function_unless_its_pieces_differ() -> None:
    function = decided("f", "unreachable", (1, 9), kind="function")
    same = report(function, decided("p", "unreachable", (2, 3), "f"))
    assert "Dead changes (1)" in text(same)
    mixed = text(
        report(function, decided("p", "unreachable", (2, 3), "f"), decided("q", "reachable", (4, 4), "f"))
    )
    assert "Live changes (1)" in mixed and "Dead changes (2)" in mixed


def test_hostile_text_is_shown_and_does_nothing() -> None:
    hostile = decided("a", "reachable", (1, 2))
    change = replace(hostile.change, file=HOSTILE, symbol=HOSTILE)
    guard = replace(OPEN, text=HOSTILE, file=HOSTILE, fact=HOSTILE)
    phase = replace(LIVE, guards=(guard,), witness=(Step(HOSTILE, 1, HOSTILE, (guard,)),))
    place = replace(hostile.place, phases={"verify": phase, "decode": DEAD})
    bad = replace(hostile, change=change, place=place, title=HOSTILE)
    answer = report(
        bad,
        decided("b", "unreachable", (3, 3)),
        title=HOSTILE,
        base=Revision(HOSTILE, HOSTILE),
        other_files=(OtherFile(HOSTILE, HOSTILE, "other", "may-matter", HOSTILE),),
        incomplete=((HOSTILE, HOSTILE),),
        info=AnalysisInfo(
            (HOSTILE,),
            (UnknownFact(HOSTILE, 1, HOSTILE),),
            (StartupStop(HOSTILE, HOSTILE, 1, HOSTILE, HOSTILE),),
        ),
    )
    explained = ExplainReport(
        "r",
        Revision(HOSTILE, HOSTILE),
        {},
        answer.info,
        (
            replace(place, file=HOSTILE, symbol=HOSTILE, assumptions=(HOSTILE,)),
            NoPlace(HOSTILE, (1, 1), HOSTILE),
        ),
    )
    for shown in (text(answer), TextFormat().explain(explained, View("full"))):
        assert not set(shown) & set("\x1b\x07\x9b\r\t\u202e\u200b\udc9b")
        assert "[bold red]" in shown and ":smile:" in shown and "\\x1b" in shown


def test_colour_only_when_asked() -> None:
    answer = report(decided("a", "reachable", (1, 2)))
    assert "\x1b" not in text(answer)
    assert "\x1b[" in text(answer, color=True)


def test_the_same_bytes_whatever_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = report(decided("a", "reachable", (1, 2)))
    before = text(answer)
    for name, value in (("COLUMNS", "40"), ("FORCE_COLOR", "1"), ("TERM", "dumb")):
        monkeypatch.setenv(name, value)
    assert text(answer) == before


def test_an_explained_place_is_a_tree() -> None:
    place = PlaceVerdict(
        "a.py",
        (1, 2),
        "f",
        "statement",
        "reachable",
        "assumed",
        ("a lost value",),
        (((1, 1), "reachable"), ((2, 2), "unreachable")),
        {"verify": LIVE, "decode": DEAD, "idle": DEAD},
    )
    answer = ExplainReport(
        "r", Revision("B", "b" * 40), {}, INFO, (place, NoPlace("x.py", (3, 3), "no such file"))
    )
    shown = TextFormat().explain(answer, View("full"))
    for words in (
        "a.py:1-2  f  statement  reachable (assumed)",
        "a lost value",
        "reachable in verify via python",
        "root  s.py:1",
        "unreachable in decode, idle",
        "w.py:9  flag = True  cannot run: its function is never called",
        "x.py:3  no such file",
    ):
        assert words in shown, (words, shown)
    assert "root" not in TextFormat().explain(answer, View("none"))


def test_long_text_is_cut() -> None:
    assert plain("x" * 10_000_000, 10) == "x" * 9 + "…"
    assert plain("\x1b" * 20, 10).startswith("\\x1b\\x1b") and len(plain("\x1b" * 20, 10)) == 10
