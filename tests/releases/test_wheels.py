"""Wheels as hostile input."""

from __future__ import annotations

import pytest

from pathcheck.releases import wheels
from pathcheck.releases.errors import ReleaseError
from pathcheck.releases.wheels import fetch_wheel, read_wheel


def test_only_the_package_counts(index):
    wheel = read_wheel(index / "sglang-0.1.0-py3-none-any.whl")
    assert wheel.files == ("sglang/__init__.py", "sglang/srt/a.py")
    assert dict(wheel.contents())["sglang/srt/a.py"] == b"one\n"


@pytest.mark.parametrize(
    "name",
    [
        "../x.py",
        "sglang/../../x.py",
        "/etc/x",
        "sglang//x.py",
        "sglang/./x.py",
        "C:/x.py",
        "sglang\\..\\x.py",
        ".git/hooks/x",
        "a/.GIT/x",
    ],
)
def test_members_outside_the_tree_are_refused(tmp_path, make_wheel, name):
    with pytest.raises(ReleaseError, match="member outside its own tree"):
        read_wheel(make_wheel(tmp_path, "0.2.0", {name: b"x"}))


def test_too_large(index, monkeypatch):
    monkeypatch.setattr(wheels, "SIZE_LIMIT", 10)
    with pytest.raises(ReleaseError, match="unpacks to more than"):
        read_wheel(index / "sglang-0.1.0-py3-none-any.whl")


@pytest.mark.parametrize("keep", [0, 10, 200, -10])
def test_damaged(index, keep):
    place = index / "sglang-0.1.0-py3-none-any.whl"
    place.write_bytes(place.read_bytes()[:keep])
    with pytest.raises(ReleaseError, match="damaged wheel"):
        read_wheel(place)


def test_flipped_byte(index):
    place = index / "sglang-0.1.0-py3-none-any.whl"
    data = bytearray(place.read_bytes())
    data[data.index(b"sglang/srt/a.py") + 16] ^= 0xFF
    place.write_bytes(data)
    with pytest.raises(ReleaseError, match="damaged wheel"):
        read_wheel(place)


def test_damaged_cache_is_downloaded_again(index, tmp_path):
    cache = tmp_path / "wheels"
    cache.mkdir()
    (cache / "sglang-0.1.0.whl").write_bytes(b"half")
    assert fetch_wheel("0.1.0", cache).files
    assert [p.name for p in cache.iterdir()] == ["sglang-0.1.0.whl"]


def test_no_such_release(index, tmp_path):
    with pytest.raises(ReleaseError, match=r"cannot download sglang 0\.9\.9: No matching distribution"):
        fetch_wheel("0.9.9", tmp_path / "wheels")
