"""How many kinds of calls of one function are told apart."""

from __future__ import annotations

from small_programs import analyse

from pathcheck.flow.calls import CAP_CONSTANTS


def test_a_short_function_tells_many_constants_apart() -> None:
    reads = "\n".join(f"v{n} = flag('NAME_{n}')" for n in range(2 * CAP_CONSTANTS))
    found = analyse(f"""
def flag(name):
    return name in ('NAME_3', 'NAME_{2 * CAP_CONSTANTS - 1}')
{reads}
""")
    assert found.plain("v3") == {True}
    assert found.plain("v4") == {False}
    assert found.plain(f"v{2 * CAP_CONSTANTS - 2}") == {False}
    assert found.plain(f"v{2 * CAP_CONSTANTS - 1}") == {True}


def test_a_name_that_may_hold_something_else_restores_nothing() -> None:
    """``old`` is what was there, or something new: the last assignment keeps what is new."""
    found = analyse("""
        from elsewhere import ask
        class Batch:
            info = "old"
        class Other:
            info = None
        def verify(batch):
            return batch.info
        def step(batch):
            if ask("A"):
                chosen = batch.info
            elif ask("B"):
                chosen = "trivial"
            else:
                chosen: str = "drafted"
            batch.kept = 1
            batch.info = chosen
            seen = verify(batch)
            batch.info = "next"
            return seen
        result = step(Batch())
        def copy(batch, other):
            batch.info = "first"
            info = batch.info
            other.info = info
            return verify(other)
        copied = copy(Batch(), Other())
    """)
    assert {"old", "trivial", "drafted"} <= found.plain("result")
    assert "first" in found.plain("copied")


def test_what_is_set_back_is_seen_by_the_calls_in_between_only() -> None:
    found = analyse("""
        class State:
            flag = False
        STATE = State()
        def read():
            return STATE.flag
        def scoped():
            old = STATE.flag
            STATE.flag = True
            inside = read()
            STATE.flag = old
            return inside
        inside = scoped()
        outside = read()
    """)
    assert found.plain("inside") == {True}
    assert found.plain("outside") == {False}


def test_a_context_manager_that_ends_with_a_value_of_its_own_leaves_it() -> None:
    found = analyse("""
        from contextlib import contextmanager
        state = "new"
        flag = False
        class Engine:
            mode = "new"
        ENGINE = Engine()
        @contextmanager
        def capturing():
            global state, flag
            old = flag
            state = "capturing"
            ENGINE.mode = "capturing"
            flag = True
            try:
                yield
            finally:
                state = "done"
                ENGINE.mode = "done"
                flag = old
        def read():
            return state
        def read_mode():
            return ENGINE.mode
        def read_flag():
            return flag
        with capturing():
            inside = read(), read_mode(), read_flag()
        after = read()
        mode = read_mode()
        put_back = read_flag()
    """)
    assert found.plain("inside") == {("capturing", "capturing", True)}
    assert "done" in found.plain("after") and "capturing" not in found.plain("after")
    assert "done" in found.plain("mode") and "capturing" not in found.plain("mode")
    assert found.plain("put_back") == {False}


def test_a_closure_that_is_made_in_a_call_of_itself_ends() -> None:
    """Each call makes an object whose construction makes the closure anew (found by fuzzing)."""
    found = analyse("""
        import dataclasses
        @dataclasses.dataclass
        class C:
            n: int = 0
            def __post_init__(self):
                def make():
                    if self.n < 3:
                        return type(self)(self.n + 1)
                    return 7
                self.made = make()
        made = C().made
        innermost = made.made.made.made
    """)
    assert 7 in found.plain("innermost")
    assert len(found.world.contexts) < 40
