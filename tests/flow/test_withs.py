"""Context managers and what they switch for a while."""

from __future__ import annotations

from small_programs import analyse


def test_a_global_is_switched_inside_only() -> None:
    found = analyse("""
        import contextlib
        flag = False
        @contextlib.contextmanager
        def on():
            global flag
            old = flag
            flag = True
            try:
                yield
            finally:
                flag = old
        def get():
            return flag
        with on():
            inside = get()
        outside = get()
    """)
    assert found.plain("inside") == {True}
    assert found.plain("outside") == {False}


def test_nobody_enters() -> None:
    found = analyse("""
        import contextlib
        flag = False
        @contextlib.contextmanager
        def on():
            global flag
            old = flag
            flag = True
            try:
                yield
            finally:
                flag = old
        def get():
            return flag
        y = 1 if get() else 2
    """)
    assert found.plain("y") == {2}


def test_class_manager_gives_what_enter_returns() -> None:
    found = analyse("""
        class M:
            def __enter__(self):
                return 7
            def __exit__(self, *exc):
                return None
        with M() as y:
            pass
    """)
    assert found.plain("y") == {7}
    assert found.dead() == set()


def test_exit_runs_when_the_body_returns() -> None:
    found = analyse("""
        class M:
            def __enter__(self):
                return 7
            def __exit__(self, *exc):
                done()
        def done():
            return 1
        def f():
            with M() as y:
                return y
        y = f()
    """)
    assert found.plain("y") == {7}
    assert found.dead() == set()


def test_a_function_under_many_modes_sees_each_of_them() -> None:
    flags = "\n".join(f"f{i} = False" for i in range(12))
    managers = "\n".join(
        f"@contextlib.contextmanager\ndef m{i}():\n    global f{i}\n    f{i} = True\n    try:\n"
        f"        yield\n    finally:\n        f{i} = False"
        for i in range(12)
    )
    uses = "\n".join(f"with m{i}():\n    look()" for i in range(12))
    tests = "\n".join(f"    if f{i}:\n        seen{i} = True" for i in range(12))
    names = ", ".join(f"seen{i}" for i in range(12))
    start = "\n".join(f"seen{i} = False" for i in range(12))
    found = analyse(
        f"import contextlib\n{flags}\n{start}\n{managers}\ndef look():\n    global {names}\n{tests}\n{uses}\n"
    )
    for i in range(12):
        assert True in found.plain(f"seen{i}"), i


def test_the_end_of_a_temporary_write_may_call_the_object_by_another_name() -> None:
    found = analyse("""
        class Flags:
            on = False
        class Server:
            def __init__(self, flags):
                self.flags = flags
        def run(flags):
            old = flags.on
            flags.on = True
            server = Server(flags)
            seen = get(server.flags)
            server.flags.on = old
            return seen
        def get(flags):
            return flags.on
        flags = Flags()
        inside = run(flags)
        outside = get(flags)
    """)
    assert found.plain("inside") == {True}
    assert found.plain("outside") == {False}


def test_a_temporary_write_that_ends_on_another_object_is_kept() -> None:
    found = analyse("""
        class Flags:
            on = False
        def run(one, other):
            old = one.on
            one.on = True
            other.on = old
        one = Flags()
        other = Flags()
        run(one, other)
        outside = one.on
    """)
    assert found.plain("outside") == {True, False}


def test_a_temporary_write_that_one_path_does_not_end_is_kept() -> None:
    found = analyse("""
        import sys
        class Flags:
            on = False
        def run(flags):
            old = flags.on
            flags.on = True
            if len(sys.argv) > 1:
                return
            flags.on = old
        def get(flags):
            return flags.on
        flags = Flags()
        run(flags)
        outside = get(flags)
    """)
    assert found.plain("outside") == {True, False}


def test_a_return_passes_the_finally_that_ends_a_temporary_write() -> None:
    found = analyse("""
        class Flags:
            on = False
        def run(flags):
            old = flags.on
            flags.on = True
            try:
                return get(flags)
            finally:
                flags.on = old
        def get(flags):
            return flags.on
        flags = Flags()
        inside = run(flags)
        outside = get(flags)
    """)
    assert found.plain("inside") == {True}
    assert found.plain("outside") == {False}


def test_a_return_leaves_the_manager() -> None:
    found = analyse("""
        import contextlib
        flag = False
        @contextlib.contextmanager
        def on():
            global flag
            flag = True
            yield
            flag = False
        def get():
            return flag
        def run():
            for _ in range(2):
                with on():
                    if get():
                        break
            with on():
                return get()
        inside = run()
        outside = get()
    """)
    assert found.plain("inside") == {True}
    assert found.plain("outside") == {False}


def test_an_exception_leaves_the_manager() -> None:
    found = analyse("""
        import contextlib
        flag = False
        @contextlib.contextmanager
        def on():
            global flag
            flag = True
            try:
                yield
            finally:
                flag = False
        def get():
            return flag
        def run():
            try:
                with on():
                    raise ValueError
            except ValueError:
                return get()
        caught = run()
        outside = get()
    """)
    assert found.plain("caught") == {False}
    assert found.plain("outside") == {False}
