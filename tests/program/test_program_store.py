"""The cache of IR: what comes out is what went in, and nothing about it is ever an error."""

from __future__ import annotations

import marshal
import os
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from pathcheck.program.ir import Code, ModuleIR, Unit
from pathcheck.program.lower import lower
from pathcheck.program.source import SourceError
from pathcheck.program.store import Store

SHA = "0123456789abcdef0123456789abcdef01234567"
TEXT = '''
import os
from a import b as c
class K(Base):
    x: int = 1
    def m(self, a, /, b=(1, 2), *c, d: "list[int]" = None, **e):
        """doc"""
        return [y for y in a if y and b] or self.__x
LIMITS = (None, True, 123456789012345678901234567890, 1.5, 2j, "s", "\\udc80", b"b", ..., (1, (2,)), -0.0)
def g():
    n = 0
    def inner():
        nonlocal n
        n += 1
    return inner
'''


def fail() -> str:
    raise AssertionError("the cache had the answer")


def content(module: ModuleIR) -> list[object]:
    """Everything a module holds, as plain values."""
    codes = [[getattr(c, n) for n in Code.__slots__ if n != "_body"] + [c.body] for c in module.codes]
    classes = [(c.index, c.name, c.qualname, c.code, c.line, c.fields) for c in module.classes]
    rest = [module.imports, module.top_classes, sorted(module.names), module.touches, module.bare]
    return [repr(codes), classes, module.units, *rest]


def filled(root: Path) -> Path:
    store = Store(root)
    store.get(SHA, lambda: TEXT)
    return store.path(SHA)


@pytest.mark.parametrize("text", ["", "# only a comment\n", TEXT])
def test_what_is_read_back_is_what_was_lowered(tmp_path: Path, text: str) -> None:
    Store(tmp_path).get(SHA, lambda: text)
    store = Store(tmp_path)
    assert content(store.get(SHA, fail)) == content(lower(text))
    assert (store.hits, store.misses) == (1, 0)


def test_every_constant_survives(tmp_path: Path) -> None:
    filled(tmp_path)
    module = Store(tmp_path).get(SHA, fail)
    constants = repr(module.codes[0].body)
    for value in ("123456789012345678901234567890", "2j", "'\\udc80'", "b'b'", "Ellipsis", "(1, (2,))"):
        assert value in constants


def test_bodies_and_units_are_read_when_asked_for(tmp_path: Path) -> None:
    filled(tmp_path)
    module = Store(tmp_path).get(SHA, fail)
    assert not any(code.is_loaded for code in module.codes)
    body = module.codes[-1].body
    assert module.codes[-1].is_loaded and module.codes[-1].body is body
    assert not module.codes[0].is_loaded
    assert isinstance(module.units[0], Unit) and module.units is module.units


def test_the_place_names_format_and_python(tmp_path: Path) -> None:
    path = filled(tmp_path)
    assert path.relative_to(tmp_path).parts[0] == "ir"
    assert path.parts[-2:] == (SHA[:2], SHA)
    assert [p.name for p in path.parent.iterdir()] == [SHA]  # no temporary file is left


@pytest.mark.parametrize("wrong", ["", "../../etc/passwd", "a/b" * 5, "é" * 10])
def test_only_hashes_are_names(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(ValueError, match="not a blob"):
        Store(tmp_path).get(wrong, fail)


def test_a_file_that_does_not_lower_is_remembered_by_its_message(tmp_path: Path) -> None:
    messages = []
    for loader in (lambda: "def f(:", fail):
        with pytest.raises(SourceError) as caught:
            Store(tmp_path).get(SHA, loader)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_a_file_that_does_not_decode_is_remembered_too(tmp_path: Path) -> None:
    def loader() -> str:
        raise SourceError("cannot be decoded: x")

    for each in (loader, fail):
        with pytest.raises(SourceError, match="cannot be decoded: x"):
            Store(tmp_path).get(SHA, each)


def test_what_may_succeed_another_day_is_not_remembered(tmp_path: Path) -> None:
    with pytest.raises(SourceError):
        Store(tmp_path).get(SHA, lambda: "x = " + "+".join(["a"] * 100_000))
    assert not Store(tmp_path).path(SHA).exists()


def test_too_deep_for_marshal_is_lowered_each_time(tmp_path: Path) -> None:
    text = "x = " + "+".join(["a"] * 2500)
    for _ in range(2):
        assert Store(tmp_path).get(SHA, lambda: text).names == {"x", "a"}
    assert not Store(tmp_path).path(SHA).exists()


def flip(data: bytes) -> bytes:
    return data[:-20] + bytes([data[-20] ^ 1]) + data[-19:]


DAMAGE: list[Callable[[bytes], bytes]] = [
    lambda data: b"",
    lambda data: data[:10],
    lambda data: data[: len(data) // 2],
    lambda data: data[:-1],
    lambda data: data + b"x",
    flip,
    lambda data: b"P" + data[1:],
    lambda data: data[:20] + bytes([data[20] ^ 1]) + data[21:],
    lambda data: marshal.dumps((0, "foreign")),
    lambda data: b"\0" * len(data),
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_made_anew(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = filled(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    store = Store(tmp_path)
    assert content(store.get(SHA, lambda: TEXT)) == content(lower(TEXT))
    assert store.misses == 1
    assert content(Store(tmp_path).get(SHA, fail)) == content(lower(TEXT))


def test_a_directory_in_the_way_is_no_cache(tmp_path: Path) -> None:
    Store(tmp_path).path(SHA).mkdir(parents=True)
    assert Store(tmp_path).get(SHA, lambda: TEXT).top_classes == {"K": 0}


def test_a_root_that_cannot_be_made_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "below")
    assert store.get(SHA, lambda: TEXT).top_classes == {"K": 0}


def test_a_full_disk_is_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    store = Store(tmp_path)
    monkeypatch.setattr(os, "replace", full)
    assert store.get(SHA, lambda: TEXT).top_classes == {"K": 0}
    monkeypatch.undo()
    assert list(store.path(SHA).parent.iterdir()) == []  # what was begun is taken away


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes where it may not")
def test_a_read_only_root_is_no_cache(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert Store(tmp_path).get(SHA, lambda: TEXT).top_classes == {"K": 0}


def work(root: str) -> int:
    """Fill and read the same blobs over and over, as a second process would."""
    store, count = Store(Path(root)), 0
    for turn in range(40):
        sha = f"{turn % 4:040x}"
        module = store.get(sha, lambda: TEXT)
        count += len(module.codes) + len(module.codes[-1].body)
        if turn % 5 == 0:
            store.path(sha).unlink(missing_ok=True)
    return count


def test_two_processes_at_once(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2) as pool:
        first, second = pool.map(work, [str(tmp_path)] * 2)
    assert first == second == work(str(tmp_path))


def test_threads_of_one_process(tmp_path: Path) -> None:
    counts: list[int] = []
    threads = [threading.Thread(target=lambda: counts.append(work(str(tmp_path)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(counts)) == 1 and len(counts) == 4
