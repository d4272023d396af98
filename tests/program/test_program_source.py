"""Bytes become text as Python reads them; the modules of a tree have their names."""

from __future__ import annotations

import pytest

from pathcheck.program.ir import ModuleIR
from pathcheck.program.layout import Program, module_name
from pathcheck.program.lower import lower
from pathcheck.program.source import SourceError, decode


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"x = 1\n", "x = 1\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        ("s = 'é'\n".encode(), "s = 'é'\n"),
        (b"# -*- coding: latin-1 -*-\ns = '\xe9'\n", "# -*- coding: latin-1 -*-\ns = 'é'\n"),
        (b"#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\ns = '\x80'\n",
         "#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\ns = '€'\n"),
        (b"a = 1\r\nb = 2\rc = 3\n", "a = 1\nb = 2\nc = 3\n"),
        (b"", ""),
    ],
)  # fmt: skip
def test_decodes_as_python_does(data: bytes, text: str) -> None:
    assert decode(data) == text


@pytest.mark.parametrize(
    "data",
    [
        b"s = '\xe9'\n",
        b"# coding: no-such-codec\n",
        b"\xef\xbb\xbf# coding: latin-1\n",
        b"x = 1\0\n",
    ],
)
def test_refuses_what_python_refuses(data: bytes) -> None:
    with pytest.raises(SourceError) as caught:
        decode(data)
    assert "\n" not in str(caught.value)


def test_a_file_that_does_not_parse_says_where() -> None:
    with pytest.raises(SourceError, match=r"does not parse: line 2: "):
        lower("x = 1\ndef f(:\n")


def test_deep_nesting_is_an_error_and_not_a_crash() -> None:
    lower("x = " + "+".join(["a"] * 2000))
    with pytest.raises(SourceError, match="nested too deeply") as caught:
        lower("x = " + "+".join(["a"] * 100_000))
    assert not caught.value.lasting


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("python/sglang/srt/a.py", "sglang.srt.a"),
        ("python/sglang/__init__.py", "sglang"),
        ("python/__init__.py", None),
        ("python/sglang/not-a-module.py", None),
        ("python/sglang/data.json", None),
        ("docs/conf.py", None),
    ],
)
def test_module_names(path: str, name: str | None) -> None:
    assert module_name(path, "python") == name


def test_directories_without_init_are_namespace_packages() -> None:
    files = {"python/p/__init__.py": "1", "python/p/q/r/m.py": "2", "python/p/a.py": "3"}
    asked = []

    def load(path: str) -> ModuleIR:
        asked.append(path)
        if path.endswith("a.py"):
            raise SourceError("does not parse")
        return lower("")

    program = Program("python", files, load)
    assert program.modules["p.q"] == program.modules["p.q.r"] == ""
    assert program.modules["p"] == "python/p/__init__.py"
    assert program.submodules("p") == ["a", "q"]
    assert program.submodules("p.q") == ["r"]
    assert program.ir("python/p/a.py") is None and program.broken == {"python/p/a.py": "does not parse"}
    assert program.ir("python/p/q/r/m.py") is program.ir("python/p/q/r/m.py")
    program.ir("python/p/a.py")
    assert asked == ["python/p/a.py", "python/p/q/r/m.py"]
