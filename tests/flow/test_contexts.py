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
