"""Which packages are there: facts first, then the revision's own metadata."""

from __future__ import annotations

from pathcheck.target import packages

FACTS = {"packages": {"pyzmq": "27.0", "absent_one": False}, "packages_else": "absent"}


def test_a_fact_decides_a_package_and_its_modules() -> None:
    present = packages.presence(FACTS, {"pyzmq", "flashinfer_python", "absent_one"}, "cuda")
    assert present("zmq.asyncio") is True
    assert present("absent_one") is False
    assert present("flashinfer.norm") is True
    assert present("something_else") is False


def test_what_only_metadata_requires_is_assumed() -> None:
    assumed = packages.assumed(FACTS, {"pyzmq", "flashinfer_python"})
    assert assumed("flashinfer.norm")
    assert not assumed("zmq")
    assert not assumed("something_else")
