"""Wheels made by the tests, and an index that serves them to pip without a network."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

METADATA = """\
Metadata-Version: 2.4
Name: sglang
Version: {version}
License: several
        lines
Requires-Python: >=3.10
Requires-Dist: torch==2.9.1
Requires-Dist: av; sys_platform == "linux" and (platform_machine == "arm64")
Requires-Dist: pytest; extra == "test"
Requires-Dist: uvloop; (sys_platform == "linux") and extra == 'test'
Requires-Dist: sglang[test]; extra == "all"
Provides-Extra: test

Text with Requires-Dist: nothing
"""


def _make_wheel(folder: Path, version: str, files: dict[str, bytes], year: int = 2026) -> Path:
    place = folder / f"sglang-{version}-py3-none-any.whl"
    folder.mkdir(parents=True, exist_ok=True)
    info = f"sglang-{version}.dist-info"
    own = {
        f"{info}/METADATA": METADATA.format(version=version).encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**files, **own}.items():
            archive.writestr(zipfile.ZipInfo(name, (year, 1, 2, 3, 4, 6)), data)
    return place


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all pip can see."""
    folder = tmp_path / "index"
    _make_wheel(folder, "0.1.0", {"sglang/__init__.py": b"", "sglang/srt/a.py": b"one\n"})
    _make_wheel(folder, "0.1.1", {"sglang/srt/a.py": b"two\n", 'sglang/odd "name\n.json': b"{}"}, year=2020)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PATHCHECK_CACHE", str(tmp_path / "cache"))
    return folder


@pytest.fixture
def make_wheel() -> Callable[..., Path]:
    """Writes a wheel: folder, version, files, year of its time stamps."""
    return _make_wheel
