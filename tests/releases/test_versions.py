"""Release numbers."""

from __future__ import annotations

import pytest

from pathcheck.releases.errors import ReleaseError
from pathcheck.releases.versions import read_versions


def test_order_and_spelling():
    given = ["0.5.10", "v0.5.9", "0.5.9.post1", "0.5.9", "0.5.9rc1"]
    assert read_versions(given) == ("0.5.9rc1", "0.5.9", "0.5.9.post1", "0.5.10")


@pytest.mark.parametrize(
    "text", ["", "-x", "--index-url=http://x", "0.5.8..0.5.9", "1", "0.5.9 ", "0.5.9\n", "../x", "٠.٥"]
)
def test_refused(text):
    with pytest.raises(ReleaseError):
        read_versions([text])


def test_none():
    with pytest.raises(ReleaseError, match="no release given"):
        read_versions([])
