"""Keys of other types that are equal: members of text and number enums, truth values, sentinels."""

from __future__ import annotations

from small_programs import analyse

ENUMS = """
from enum import Enum, IntEnum
class Text(str, Enum):
    A = "a"
    B = "b"
class Other(str, Enum):
    A = "a"
class Number(IntEnum):
    ONE = 1
class Plain(Enum):
    A = "a"
"""


def test_a_text_enums_member_is_found_by_its_text_and_the_other_way_round() -> None:
    found = analyse(
        ENUMS
        + "table = {Text.A: 1, Text.B: 2}\n"
        + 'by_text, got, missing = table["a"], table.get("b"), table.get("c")\n'
        + 'by_member = {"a": 3, "b": 4}[Text.A]\n'
        + "by_other = table[Other.A]\n"
        + "by_number = {1: 5}.get(Number.ONE)\n"
        + 'not_plain = {Plain.A: 6}.get("a")\n'
        + "equal = Text.A == Other.A\n"
    )
    assert found.plain("by_text") == {1}
    assert found.plain("got") == {2}
    assert found.plain("missing") == {None}
    assert found.plain("by_member") == {3}
    assert found.plain("by_other") == {1}
    assert found.plain("by_number") == {5}
    assert found.plain("not_plain") == {None}
    assert found.plain("equal") == {True}


def test_a_member_put_in_later_is_found_by_its_text() -> None:
    found = analyse(
        ENUMS
        + "table = {}\n"
        + "def ask():\n"
        + '    return table.get("a")\n'
        + "before = ask()\n"
        + "def put():\n"
        + "    table[Text.A] = 7\n"
        + "put()\n"
        + "after = ask()\n"
    )
    assert 7 in found.plain("after")


def test_a_truth_value_is_the_number_that_it_equals() -> None:
    found = analyse("table = {True: 'yes', False: 'no'}\none, two = table[1], {0: 'none'}[False]\n")
    assert found.plain("one") == {"yes"}
    assert found.plain("two") == {"none"}


def test_a_sentinel_is_no_key_of_others() -> None:
    found = analyse(
        ENUMS
        + "UNSET = object()\n"
        + 'table = {Text.A: 1, "b": 2, None: 3}\n'
        + "inside = UNSET in table\n"
        + "got = table.get(UNSET)\n"
        + "own = {UNSET: 4}[UNSET]\n"
        + "same = UNSET == None\n"
    )
    assert found.plain("inside") == {False}
    assert found.plain("got") == {None}
    assert found.plain("own") == {4}
    assert found.plain("same") == {False}


def test_what_a_defaultdict_makes_for_one_key_is_not_what_it_makes_for_another() -> None:
    found = analyse("""
from collections import defaultdict
class Spec:
    def __init__(self, op, number):
        self.op, self.number = op, number
class Registry:
    def __init__(self):
        self.by_op = defaultdict(list)
    def register(self, spec):
        existing = self.by_op[spec.op]
        for other in existing:
            if other.number == spec.number:
                return spec
        existing.append(spec)
        return spec
    def get(self, op):
        return list(self.by_op.get(op, ()))
registry = Registry()
registry.register(Spec("a", 1))
registry.register(Spec("b", 2))
def first(op):
    return registry.get(op)[0].number
a, b = first("a"), first("b")
""")
    assert found.plain("a") == {1}
    assert found.plain("b") == {2}
