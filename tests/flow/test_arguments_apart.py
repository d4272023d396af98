"""Arguments that pass through a comprehension and a short function stay told apart."""

from __future__ import annotations

from small_programs import analyse

WRAPPED = """
    import sys

    class A: pass
    class B: pass
    class Layer: pass

    def reference(x):
        if hasattr(x, "data"):
            return x
        return x

    def wrapper(*args):
        kept = {comprehension}
        return inner(*kept)

    def inner(first, second, layer, save=None):
        return first, second, layer, save

    def pick(n):
        return A() if n > 3 else B()

    n = len(sys.argv)
    if n > 5:
        result = wrapper(pick(n), B(), Layer(), n > 2)
    else:
        result = wrapper(pick(n), B(), Layer())
    first, second, layer, save = result
"""
A, B, LAYER = (f"<instance <class main:{name}> >" for name in ("A", "B", "Layer"))


def check(comprehension: str) -> None:
    found = analyse(WRAPPED.replace("{comprehension}", comprehension))
    assert found.plain("first") == {A, B}
    assert found.plain("second") == {B}
    assert found.plain("layer") == {LAYER}
    assert found.plain("save") == {True, False, None}


def test_a_generator_keeps_the_places_of_tuples_of_two_lengths() -> None:
    check("tuple(reference(a) for a in args)")


def test_so_does_a_list_where_the_length_is_known() -> None:
    found = analyse(
        WRAPPED.replace("{comprehension}", "[reference(a) for a in args]").replace(", n > 2)", ")")
    )
    assert found.plain("first") == {A, B}
    assert found.plain("second") == {B}
    assert found.plain("layer") == {LAYER}


def test_a_place_that_raises_ends_the_tuple_of_its_length_alone() -> None:
    source = """
        import sys
        def strict(x):
            if x is None:
                raise ValueError
            return x
        pair = (1, 2) if len(sys.argv) > 1 else (3, None, 4)
        kept = tuple(strict(x) for x in pair)
    """
    assert analyse(source).plain("kept") == {(1, 2)}


def test_a_short_function_of_one_argument_gives_each_thing_back_to_who_passed_it() -> None:
    source = """
        import sys
        class A: pass
        class B: pass
        class C: pass
        def same(x):
            return x
        n = len(sys.argv)
        first = same(A() if n > 1 else B())
        second = same(B() if n > 1 else C())
    """
    found = analyse(source)
    assert found.plain("first") == {A, B}
    assert found.plain("second") == {B, "<instance <class main:C> >"}
    assert not found.dead()


def test_values_of_many_things_share_a_call() -> None:
    source = """
        import sys
        def same(x):
            return x
        n = int(sys.argv[1])
        value = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "a"][n]
        other = same(value)
    """
    assert analyse(source).plain("other") == {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "a"}


def test_a_starred_argument_of_several_lengths_is_bound_once_for_each() -> None:
    source = """
        import sys
        class A: pass
        class B: pass
        def two(first, last): return first
        def three(first, middle, last): return middle
        state = (A(), 1) if len(sys.argv) > 1 else (B(), 2, "last")
        short = two(*state)
        long = three(*state)
        both = (0, *state)
        head, second = both[0], both[1]
    """
    found = analyse(source)
    assert found.plain("short") == {A}
    assert found.plain("long") == {2}
    assert found.plain("both") == {(0, A, 1), (0, B, 2, "last")}
    assert found.plain("head") == {0}
    assert found.plain("second") == {A, B}


def test_a_starred_argument_that_may_be_none_is_bound_by_what_it_is_else() -> None:
    source = """
        import sys
        def pair(first, last): return last
        state = (1, 2) if len(sys.argv) > 1 else None
        last = pair(*state)
    """
    assert analyse(source).plain("last") == {2}


def test_the_dicts_of_keywords_are_few_however_many_values_pass_through() -> None:
    calls = "\n        ".join(f"collect(width={n}.5, depth='{n}')" for n in range(40))
    source = f"""
        kept = []
        def collect(**kwargs):
            kept.append(kwargs)
        {calls}
        depth = kept[0]["depth"]
    """
    found = analyse(source)
    assert found.plain("depth") == {str(n) for n in range(40)}
    element = found.value("kept").atoms[0].fields  # type: ignore[attr-defined]
    assert sum(len(cell.value.atoms) for cell in element.values()) < 30
