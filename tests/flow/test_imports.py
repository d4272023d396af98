"""How modules come in."""

from __future__ import annotations

from small_programs import analyse

from pathcheck.flow.model import Model


def test_a_cycle_sees_what_is_there_already() -> None:
    found = analyse(
        {
            "main.py": """
                import a
                y = a.later
            """,
            "a.py": """
                early = 1
                import b
                later = 2
            """,
            "b.py": """
                from a import early
                seen = early
            """,
        }
    )
    assert found.plain("y") == {2}
    assert found.plain("seen", "b") == {1}


def test_an_absent_package_raises_import_error() -> None:
    found = analyse(
        {
            "main.py": """
                try:
                    import fancy
                    y = 1
                except ImportError:
                    y = 2
            """,
        },
        package=lambda name: name != "fancy",
    )
    assert found.plain("y") == {2}
    assert found.dead() == {3}


def test_a_present_package_does_not() -> None:
    found = analyse(
        {
            "main.py": """
                try:
                    import fancy
                    y = 1
                except ImportError:
                    y = 2
            """,
        }
    )
    assert 1 in found.plain("y")


def test_namespace_packages() -> None:
    found = analyse(
        {
            "main.py": """
                from space.inner import x as y
            """,
            "space/inner.py": """
                x = 5
            """,
        }
    )
    assert found.plain("y") == {5}


def test_a_submodule_by_from_import() -> None:
    found = analyse(
        {
            "main.py": """
                from pkg import sub
                y = sub.x
            """,
            "pkg/__init__.py": """

            """,
            "pkg/sub.py": """
                x = 6
            """,
        }
    )
    assert found.plain("y") == {6}


def test_relative_import() -> None:
    found = analyse(
        {
            "main.py": """
                import pkg.a
                y = pkg.a.x
            """,
            "pkg/__init__.py": """

            """,
            "pkg/a.py": """
                from .b import x
            """,
            "pkg/b.py": """
                x = 7
            """,
        }
    )
    assert found.plain("y") == {7}


def test_star_import_leaves_private_names_out() -> None:
    found = analyse(
        {
            "main.py": """
                from a import *
                y = x
            """,
            "a.py": """
                x = 1
                _z = 2
            """,
        }
    )
    assert found.plain("y") == {1}
    assert found.plain("_z") == set()


def test_a_lazy_import_runs_when_called() -> None:
    found = analyse(
        {
            "main.py": """
                def used():
                    import a
                    return a.x
                def unused():
                    import b
                y = used()
            """,
            "a.py": """
                x = 8
            """,
            "b.py": """
                x = 9
            """,
        }
    )
    assert found.plain("y") == {8}
    assert found.dead() == {5}
    assert "b" not in found.world.modules


def test_a_package_that_only_metadata_promises_may_be_missing_beyond_the_ordinary() -> None:
    source = """
        try:
            from promised import thing
        except ImportError:
            thing = None
        try:
            from stated import thing as other
        except ImportError:
            other = None
        """
    found = analyse(
        source, model=Model(package=lambda name: True, assumed_package=lambda name: name == "promised")
    )
    stages = {
        context.module.ir.units[unit].line: stage
        for context in found.world.contexts
        if context.module.name == "main"
        for unit, stage in context.reached.items()
    }
    assert stages[4] == 2
    assert 8 not in stages


def test_every_value_that_a_global_has_when_it_is_read_is_seen() -> None:
    found = analyse("""
        X = 1
        def ask():
            return X
        def deep(n):
            return deep(n - 1) if n else ask()
        X = 2
        first = ask()
        X = 3
        second = ask()
        X = 4
        third = deep(300)
        X = 5
    """)
    assert {2} <= found.plain("first")
    assert {3} <= found.plain("second")
    assert {4} <= found.plain("third")
    assert 1 not in found.plain("first") | found.plain("second") | found.plain("third")


def test_a_body_that_calls_the_function_that_imports_it_goes_on() -> None:
    files = {
        "other.py": """
            from low import first
            class Kept:
                first()
            late = 1
            """,
        "low.py": """
            def first():
                import other
                return 1
            found = first()
            """,
        "main.py": "from low import found\nimport other\nresult = other.late\n",
    }
    found = analyse(files)
    assert found.plain("result") == {1}
    assert found.plain("found") == {1}
    assert not found.dead("low") | found.dead("other") | found.dead()


def test_all_names_of_a_third_party_module() -> None:
    found = analyse(
        {
            "bindings.py": """
                from ctypes import *
                from vendor import *
                class Point(Structure):
                    x = 1
                def made():
                    return Point(), byref(c_int(3)), vendor_call(Point)
                try:
                    hidden = _private
                except NameError:
                    hidden = "not exported"
                """,
            "main.py": """
                from bindings import *
                import bindings
                result = made()[0].x
                again = c_uint(4), bindings.sizeof(Point)
                hidden = bindings.hidden
                three = len([1, 2, 3])
                """,
        }
    )
    assert not found.dead()
    assert found.plain("result") == {1}
    assert found.plain("hidden") == {"not exported"}
    assert 3 in found.plain("three")


def test_the_function_behind_a_static_method_in_its_class_body() -> None:
    found = analyse("""
        class Table:
            @staticmethod
            def row(n):
                return n + 1
            rows = (row.__func__, row)
        result = Table.rows[0](2), Table.rows[1](3)
    """)
    assert found.plain("result") == {(3, 4)}


def test_importing_names_asks_a_modules_own_getattr_whether_it_is_a_package() -> None:
    files = {
        "lazy.py": """
            ready = 1
            def __getattr__(name):
                asked.append(name)
                if name == "__path__":
                    raise AttributeError(name)
                return name
            asked = []
            """,
        "main.py": "from lazy import ready, asked\nfirst = asked[0]\n",
    }
    found = analyse(files)
    assert found.plain("first") == {"__path__"}
    assert found.plain("ready") == {1}
