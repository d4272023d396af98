"""``left op right`` where either side may be many things: taken kind by kind, no pair is lost."""

from __future__ import annotations

from small_programs import analyse

#: a value of many atoms of a kind: each line of it is its own allocation site
MANY = 12


def _any_of(texts: list[str]) -> str:
    """An expression that may be any of the given ones."""
    return " if input() else ".join(f"({text})" for text in texts)


def test_many_lists_are_put_together_with_all_their_elements() -> None:
    left = _any_of([f"[{i}]" for i in range(MANY)])
    right = _any_of([f"['{c}']" for c in "abcdefghijkl"])
    found = analyse(f"both = ({left}) + ({right})\nseen = [x for x in both]\nlast = both[-1]\n")
    assert {*range(MANY), *"abcdefghijkl"} <= found.plain("last")


def test_many_tuples_keep_their_elements() -> None:
    left = _any_of([f"({i},)" for i in range(MANY)])
    right = _any_of([f"('{c}',)" for c in "abcdefghijkl"])
    found = analyse(f"both = ({left}) + ({right})\nfor last in both: pass\n")
    assert {*range(MANY), *"abcdefghijkl"} <= found.plain("last")


def test_each_of_many_instances_has_its_operator_called() -> None:
    classes = "\n".join(
        f"class C{i}:\n    def __add__(self, other): return {i}\n    def __radd__(self, other): return {-i}"
        for i in range(MANY)
    )
    operands = _any_of([f"C{i}()" for i in range(MANY)])
    found = analyse(f"{classes}\nx = {operands}\nboth = x + x\nturned = 1 + x\n")
    assert found.plain("both") == set(range(MANY))
    assert found.plain("turned") == {1, *range(0, -MANY, -1)} - {1}


def test_instances_of_one_class_each_answer_with_what_they_hold() -> None:
    made = _any_of([f"Box([{i}])" for i in range(MANY)])
    found = analyse(
        "class Box:\n"
        "    def __init__(self, held): self.held = held\n"
        "    def __or__(self, other): return self.held + other.held\n"
        f"x = {made}\n"
        "for one in x | x: pass\n"
    )
    assert set(range(MANY)) <= found.plain("one")


def test_many_numbers_become_a_number_and_a_sum_of_text_and_number_is_none() -> None:
    numbers = _any_of([str(i) for i in range(MANY)])
    found = analyse(f"x = {numbers}\nboth = x + x\nmixed = x + (x if input() else 'text')\n")
    assert found.plain("both") == {"?int:runtime"}
    assert found.plain("mixed") == {"?int:runtime"}


def test_many_dicts_and_sets_are_merged_with_all_their_keys() -> None:
    dicts = _any_of([f"{{'{c}': {i}}}" for i, c in enumerate("abcdefghijkl")])
    sets = _any_of([f"{{{i}}}" for i in range(MANY)])
    found = analyse(
        f"d = {dicts}\ns = {sets}\nfor key in d | d: pass\nfor element in s | s: pass\n"
    )
    assert set("abcdefghijkl") <= found.plain("key")
    assert set(range(MANY)) <= found.plain("element")


def test_a_pattern_that_is_not_known_asks_for_text_too() -> None:
    found = analyse(
        """
        asked = False
        class Named:
            def __str__(self):
                global asked
                asked = True
                return ''
        text = str(input()) % (Named(),)
        """
    )
    assert True in found.plain("asked")
