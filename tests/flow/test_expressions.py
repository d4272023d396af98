"""Operators, conditions and comprehensions on known values."""

from __future__ import annotations

from small_programs import analyse

from pathcheck.flow.model import Model


def test_constants_are_folded() -> None:
    found = analyse("""
        y = (2 + 3) * 4 - 6 // 4
    """)
    assert found.plain("y") == {19}


def test_conditional_expression() -> None:
    found = analyse("""
        x = None
        y = 1 if x is None else 2
    """)
    assert found.plain("y") == {1}


def test_or_gives_the_first_true_operand() -> None:
    found = analyse("""
        a = ''
        y = a or 'default'
    """)
    assert found.plain("y") == {"default"}


def test_and_stops_at_the_first_false_operand() -> None:
    found = analyse("""
        def f():
            return 1
        y = 0 and f()
    """)
    assert found.plain("y") == {0}
    assert found.dead() == {2}


def test_chained_comparison() -> None:
    found = analyse("""
        x = 5
        if 1 < x < 4:
            y = 1
        else:
            y = 2
    """)
    assert found.plain("y") == {2}
    assert found.dead() == {3}


def test_f_string_of_constants() -> None:
    found = analyse("""
        n = 3
        y = f'a{n}b'
    """)
    assert found.plain("y") == {"a3b"}


def test_isinstance_narrows() -> None:
    found = analyse("""
        def f(x):
            if isinstance(x, str):
                return 1
            return 2
        y = f('a')
    """)
    assert found.plain("y") == {1}
    assert found.dead() == {4}


def test_a_third_partys_constant_may_equal_any_text() -> None:
    found = analyse(
        """
        import other
        equal = other.name == "x"
        inside = other.name in ("x", "y")
        module = other == "x"
        klass = other.Kind == "x"
        """
    )
    assert found.plain("equal") == {True, False}
    assert found.plain("inside") == {True, False}
    assert found.plain("module") == {False}
    assert found.plain("klass") == {False}


def test_a_deleted_attribute_may_be_missing() -> None:
    found = analyse("""
        class Box:
            def __init__(self):
                self.kept = 1
                self.gone = 2
                self.named = 3
        box = Box()
        del box.gone
        delattr(box, 'named')
        kept, gone, named = hasattr(box, 'kept'), hasattr(box, 'gone'), hasattr(box, 'named')
        value = getattr(box, 'gone', None)
    """)
    assert found.plain("kept") == {True}
    assert found.plain("gone") == {True, False}
    assert found.plain("named") == {True, False}
    assert found.plain("value") == {2, None}


def test_a_namespace_has_what_is_stored_on_this_path() -> None:
    model = Model()
    model.attributes_of["argparse.Namespace"] = frozenset()
    model.methods["argparse.Namespace"] = {}
    found = analyse(
        """
        import argparse, os
        args = argparse.Namespace()
        args.sure = 1
        if os.getpid():
            args.perhaps = 2
        answers = [hasattr(args, name) for name in ('sure', 'perhaps', 'never')]
        names = [name for name in ('sure', 'never') if hasattr(args, name)]
        """,
        model=model,
    )
    answers = found.value("answers").atoms[0].fields
    assert [{str(a) for a in answers[i].value.atoms} for i in range(3)] == [
        {"True"}, {"True", "False"}, {"False"},
    ]  # fmt: skip
    names = found.value("names").atoms[0].fields
    assert str(names[0].value) == "{'sure'}"
    assert 1 not in names


def test_a_sentinel_of_a_module_is_itself() -> None:
    found = analyse(
        {
            "main.py": """
            import helper
            UNSET = object()
            SEVERAL = [object() for _ in range(3)]
            for _ in range(2):
                LAST = object()
            first = LAST
            class Field:
                def __init__(self, default=UNSET):
                    self.default = default
            def made():
                return object()
            own = Field().default is UNSET
            given = Field(1).default is UNSET
            other = UNSET is helper.UNSET
            calls = made() is made()
            elements = SEVERAL[0] is SEVERAL[1]
            rounds = first is LAST
            """,
            "helper.py": "UNSET = object()\n",
        }
    )
    assert found.plain("own") == {True}
    assert found.plain("given") == {False}
    assert found.plain("other") == {False}
    for several in ("calls", "elements", "rounds"):
        assert found.plain(several) == {True, False}
