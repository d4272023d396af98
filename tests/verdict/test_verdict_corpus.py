"""Where names stand in the text of a tree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pathcheck.revision.ranges import open_tree
from pathcheck.revision.repository import Repository
from pathcheck.verdict import corpus
from pathcheck.verdict.corpus import Corpus

FILES = {
    "p/a.py": "flag = 1\nother_flag = flag\r\n# flag.\n",
    "p/b.py": "x\n\nflags\nflagé\nflag",
    "p/c.txt": "flag\n",
    "q/d.py": "flag\n",
}


@pytest.fixture(params=[0, 1_000], ids=["indexed", "searched"])
def found(
    request: pytest.FixtureRequest, repo: Path, commit: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> Corpus:
    monkeypatch.setattr(corpus, "_INDEXED", request.param)
    commit("one", FILES)
    return Corpus(open_tree(Repository.open(repo), "HEAD"), "p")


def test_whole_words_of_python_files_in_order(found: Corpus) -> None:
    assert found.lines("flag") == [("p/a.py", 1), ("p/a.py", 2), ("p/a.py", 3), ("p/b.py", 5)]


def test_a_name_that_stands_nowhere(found: Corpus) -> None:
    assert found.lines("nothing") == []


def test_what_is_no_word_is_found_too(found: Corpus) -> None:
    assert found.lines("= flag") == [("p/a.py", 2)]


def test_no_more_lines_than_a_reader_follows(found: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "MOST", 2)
    assert found.lines("flag") == [("p/a.py", 1), ("p/a.py", 2)]
