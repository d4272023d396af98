"""The laws of joins, and widening."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pathcheck.flow.values import (
    MAX_CONSTANTS,
    MAX_FACTS,
    MAX_SEQUENCES,
    SEVERAL,
    Universe,
    Unknown,
    Value,
)

U = Universe()
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 30), st.text("ab", max_size=2), st.sampled_from([0.5, 1.5])
)
CONSTANTS = st.one_of(SCALARS, st.tuples(SCALARS, SCALARS))
UNKNOWN = st.one_of(
    st.builds(U.unknown, st.sampled_from(["int", "any"]), st.just("fact"), st.sampled_from("abcdefgh")),
    st.builds(U.unknown, st.sampled_from(["int", "str", "any"]), st.sampled_from(["external", "runtime"])),
)
VALUES = st.one_of(
    st.lists(st.one_of(CONSTANTS.map(U.const), UNKNOWN), max_size=8), st.lists(UNKNOWN, max_size=16)
).map(U.join_all)


@given(VALUES)
def test_join_is_idempotent(a: Value) -> None:
    assert U.join(a, a) is a
    assert U.value_of(a.atoms) is a


@given(VALUES)
def test_bottom_is_neutral(a: Value) -> None:
    assert U.join(a, U.bottom) is a
    assert U.join(U.bottom, a) is a


@given(VALUES, VALUES)
def test_join_commutes(a: Value, b: Value) -> None:
    assert U.join(a, b) is U.join(b, a)


@given(VALUES, VALUES)
def test_join_absorbs_its_operands(a: Value, b: Value) -> None:
    joined = U.join(a, b)
    assert U.join(joined, a) is joined
    assert U.join(joined, b) is joined


def test_a_bool_is_not_an_int() -> None:
    assert U.const(True) is not U.const(1)
    assert len(U.join(U.const(True), U.const(1)).atoms) == 2


def test_too_many_numbers_widen_and_stay_wide() -> None:
    u = Universe()
    wide = u.join_all(u.const(n) for n in range(MAX_CONSTANTS[int] + 1))
    assert wide is u.unknown("int", "runtime")
    assert u.join(wide, u.const(99)) is wide


def test_too_many_tuples_widen_and_stay_wide() -> None:
    u = Universe()
    wide = u.join_all(u.const((n, "a")) for n in range(MAX_SEQUENCES + 1))
    assert len(wide.atoms) == 1
    assert u.join(wide, u.const((3, "a"))) is wide
    grown = u.join(wide, u.const((1, 2, 3)))
    assert u.join(grown, u.const((1, 2, 3))) is grown


def test_too_many_facts_are_named_no_more_and_stay_so() -> None:
    u = Universe()
    facts = [u.unknown("any", "fact", f"f{n}") for n in range(MAX_FACTS + 1)]
    merged = u.join_all(facts)
    assert [a.fact for a in merged.atoms if isinstance(a, Unknown)] == [SEVERAL]
    assert u.join(merged, facts[0]) is merged


def test_without_takes_one_atom_away() -> None:
    both = U.join(U.none, U.const(4))
    assert U.without(both, U.none.atoms[0]) is U.const(4)
