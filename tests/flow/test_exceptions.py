"""Handlers that something raised reaches."""

from __future__ import annotations

from small_programs import analyse


def test_a_raise_reaches_its_handler() -> None:
    found = analyse("""
        try:
            raise ValueError('x')
        except ValueError:
            y = 1
    """)
    assert found.plain("y") == {1}
    assert found.dead() == set()


def test_a_handler_of_a_base_class() -> None:
    found = analyse("""
        class E(Exception):
            pass
        class F(E):
            pass
        try:
            raise F()
        except E:
            y = 1
    """)
    assert found.plain("y") == {1}
    assert found.dead() == set()


def test_the_first_handler_that_fits() -> None:
    found = analyse("""
        try:
            raise KeyError
        except LookupError:
            y = 1
        except KeyError:
            y = 2
    """)
    assert 1 in found.plain("y")
    assert 4 in found.reached()


def test_import_error_only_from_imports() -> None:
    found = analyse("""
        def f():
            return 1
        try:
            y = f()
        except ImportError:
            y = 2
    """)
    assert found.plain("y") == {1}
    assert found.dead() == {5, 6}


def test_finally_runs_after_return() -> None:
    found = analyse("""
        log = 0
        def f():
            global log
            try:
                return 1
            finally:
                log = 2
        y = f()
    """)
    assert found.plain("y") == {1}
    assert 2 in found.plain("log")


def test_raised_through_a_call() -> None:
    found = analyse("""
        def f():
            raise RuntimeError
        def g():
            f()
            return 1
        try:
            y = g()
        except RuntimeError:
            y = 2
    """)
    assert found.plain("y") == {2}
    assert found.dead() == {5}


def test_what_is_computed_on_constants_raises_nothing_unforeseen() -> None:
    found = analyse(
        """
        import os

        class Flag:
            def parse(self, text):
                if text.lower() in ("1", "true"):
                    return True
                raise ValueError(text)

            def get(self, text):
                try:
                    return self.parse(text)
                except ValueError:
                    return False

        known = Flag().get("1")
        open_ = Flag().get(os.environ["X"] if os.listdir(".") else str(os.getpid()))
        """
    )
    assert found.plain("known") == {True}
    assert found.plain("open_") >= {True, False}


def test_a_conversion_of_a_constant_either_works_or_raises() -> None:
    found = analyse(
        """
        import os

        def number(text):
            try:
                return int(text)
            except ValueError:
                return "none"

        known = number("12")
        wrong = number("x")
        open_ = number(os.environ["X"] if os.listdir(".") else str(os.getpid()))
        """
    )
    assert found.plain("known") == {12}
    assert found.plain("wrong") == {"none"}
    assert "none" in found.plain("open_")


def test_what_an_inner_try_leaves_to_the_outer_handler() -> None:
    found = analyse("""
        def fail():
            raise ValueError
        def run():
            try:
                x = 0
                try:
                    x = 1
                    fail()
                except KeyError:
                    pass
            except ValueError:
                return x
        y = run()
    """)
    assert 1 in found.plain("y")


def test_finally_sees_what_a_handler_did_before_it_raised() -> None:
    found = analyse("""
        def fail():
            raise ValueError
        def run():
            x = 0
            try:
                try:
                    fail()
                except ValueError:
                    x = 1
                    raise KeyError
                finally:
                    y = x
            except KeyError:
                return y
        y = run()
    """)
    assert 1 in found.plain("y")


def test_a_break_passes_the_finally() -> None:
    found = analyse("""
        def run():
            for _ in range(3):
                try:
                    x = 1
                    break
                finally:
                    x = 2
            return x
        y = run()
    """)
    assert found.plain("y") == {2}
