"""Enum members."""

from __future__ import annotations

from small_programs import analyse


def test_members_are_themselves() -> None:
    found = analyse("""
        from enum import Enum
        class E(Enum):
            A = 'a'
            B = 'b'
        y = E.A is E.A
        z = E.A == E.B
        v = E.B.value
        n = E.B.name
    """)
    assert found.plain("y") == {True}
    assert found.plain("z") == {False}
    assert found.plain("v") == {"b"}
    assert found.plain("n") == {"B"}


def test_lookup_by_value() -> None:
    found = analyse("""
        from enum import Enum
        class E(Enum):
            A = 'a'
            B = 'b'
        y = E('b').name
    """)
    assert found.plain("y") == {"B"}


def test_only_a_value_of_no_member_is_missing() -> None:
    found = analyse("""
        from enum import Enum
        import os
        class E(Enum):
            A = 'a'
            B = 'b'
            @classmethod
            def _missing_(cls, value):
                for member in cls:
                    if member.value == value.lower():
                        return member
                raise ValueError(value)
        known = E('a').name
        asked = E('B').name
        try:
            E(os.sep)
            fine = True
        except ValueError:
            fine = False
    """)
    assert found.plain("known") == {"A"}
    assert found.plain("asked") == {"B"}
    assert found.plain("fine") == {True, False}


def test_method_on_a_member() -> None:
    found = analyse("""
        from enum import Enum, auto
        class E(Enum):
            A = auto()
            B = auto()
            def is_a(self):
                return self == E.A
        if E.B.is_a():
            y = 1
        else:
            y = 2
    """)
    assert found.plain("y") == {2}
    assert found.dead() == {8}


def test_int_enums_compare_as_numbers() -> None:
    found = analyse("""
        from enum import IntEnum
        class L(IntEnum):
            LOW = 1
            HIGH = 2
        y = L.HIGH > L.LOW
    """)
    assert True in found.plain("y")


def test_a_member_whose_value_may_be_itself_has_some_truth() -> None:
    found = analyse(
        """
        import enum
        class Mode(enum.IntEnum):
            OFF = 0
            ON = 1
        setattr(Mode.ON, input(), Mode.ON)
        either = bool(Mode.ON)
        """
    )
    assert True in found.plain("either")
