"""Expressions of every kind, over the names in scope."""

from __future__ import annotations

from collections.abc import Callable

from ..program import ENVIRON, FACTS
from .base import Maker

#: One way to write an expression.
Way = Callable[[], str]
TEXTS = ("a", "b", "fast", "slow", "n")


def integer(m: Maker, depth: int = 2) -> str:
    """Something that gives an int."""
    if depth <= 0 or m.chance(25):
        return _leaf(m)
    e: Way = lambda: integer(m, depth - 1)  # noqa: E731
    c: Way = lambda: condition(m, depth - 1)  # noqa: E731
    fn, obj, cls, ints = m.name("fn"), m.name("obj"), m.name("cls"), m.name("ints")
    table, fns, gen, enum = m.name("table"), m.name("fns"), m.name("gen"), m.name("enum")
    ways: list[Way] = [
        lambda: f"({e()} {m.pick('+-*')} {e()})",
        lambda: f"({e()} {m.pick(['% 3', '% 5', '// 2', '& 3', '^ 1'])})",
        lambda: f"({e()} if {c()} else {e()})",
        lambda: f"({e()} {m.pick(['and', 'or'])} {e()})",
        lambda: f"(lambda x: {e()} + x)({e()})",
        lambda: f"see({m.fresh('')}, {e()})",
        lambda: f"int({c()})",
        lambda: f"[{e()}, {e()}][{c()}]",
        lambda: f"{{True: {e()}, False: {e()}}}[{c()}]",
        lambda: f"sum(x for x in range({m.small()}) if {c()})",
    ]
    if fn:
        ways += [
            lambda: f"{fn}({e()})",
            lambda: f"{fn}({e()})",
            lambda: f"sum(map({fn}, {sequence(m, depth - 1)}))",
            lambda: f"functools.partial({fn}, {e()})()",
            lambda: f"functools.reduce(lambda a, b: (a + {fn}(b)) % 11, {sequence(m, depth - 1)}, {e()})",
            lambda: f"max(sorted({sequence(m, depth - 1)}, key={fn}), default=0)",
        ]
    if obj:
        ways += [
            lambda: f"{obj}.n",
            lambda: f"{obj}.step({e()})",
            lambda: f"{obj}.step(k={e()})",
            lambda: f'getattr({obj}, "{m.pick(("n", "extra", "more"))}", {e()})',
            lambda: f"getattr({obj}, {m.pick(('chr(110)', repr('n')))})",
            lambda: f"type({obj})({e()}).n",
            lambda: f'vars({obj}).get("n", {e()})',
        ]
    if cls:
        ways += [lambda: f"{cls}({e()}).step({e()})", lambda: f"{cls}({e()}).n", lambda: f"{cls}(n={e()}).n"]
    if ints:
        ways += [
            lambda: f"len({ints})",
            lambda: f"sum({ints})",
            lambda: f"next(iter({ints}), {e()})",
            lambda: f"({ints} or [{e()}])[-1]",
            lambda: f"max({ints}, default={e()})",
        ]
    if table:
        ways += [
            lambda: f"{table}.get({text(m)}, {e()})",
            lambda: f"len({table})",
            lambda: f"sum({table}.values())",
        ]
    if fns:
        ways += [lambda: f"{fns}.get({text(m)}, abs)({e()})"]
    if gen:
        ways += [lambda: f"sum({gen}({e()}))", lambda: f"next({gen}({e()}), {e()})"]
    if enum:
        ways += [lambda: f"{member(m, enum)}.value", lambda: f"{member(m, enum)}.weight({e()})"]
    return m.pick(ways)()


def _leaf(m: Maker) -> str:
    name = m.name("int")
    way = m.rng.randrange(10)
    if name and way < 6:
        return name
    if way < 8:
        return str(m.small())
    return f"facts.{m.pick(sorted(FACTS))}"


def member(m: Maker, enum: str) -> str:
    return m.pick(
        [f"{enum}.ONE", f"{enum}.TWO", f'{enum}["ONE"]', f"{enum}({m.pick((1, 2))})", f"list({enum})[0]"]
    )


def instance(m: Maker) -> str:
    obj, cls = m.name("obj"), m.name("cls")
    if obj and (m.chance(60) or not cls):
        return obj
    return f"{cls}({integer(m, 1)})" if cls else "None"


def sequence(m: Maker, depth: int = 1) -> str:
    """Something that gives ints when it is iterated."""
    ints, gen, table = m.name("ints"), m.name("gen"), m.name("table")
    ways: list[Way] = [
        lambda: f"range({m.small()})",
        lambda: f"[{integer(m, depth)}, {integer(m, depth)}]",
        lambda: f"({integer(m, depth)},)",
        lambda: (
            f"[x + {m.small()} for x in {sequence(m, depth - 1)} if {condition(m, 1)}]" if depth > 0 else "[]"
        ),
        lambda: f"tuple({sequence(m, depth - 1)})" if depth > 0 else "()",
        lambda: f"reversed([{integer(m, 1)}, {integer(m, 0)}])",
        lambda: f"{{{integer(m, 1)}, {m.small()}}}",
        lambda: f"filter(None, [{integer(m, 1)}, {integer(m, 0)}])",
        lambda: f"itertools.chain([{integer(m, 0)}], ({integer(m, 1)},))",
    ]
    if ints:
        ways += [
            lambda: str(ints),
            lambda: f"{ints}[1:]",
            lambda: f"[*{ints}, {integer(m, 1)}]",
            lambda: f"sorted({ints})",
        ] * 2
    if gen:
        ways += [lambda: f"{gen}({integer(m, 1)})"] * 2
    if table:
        ways += [lambda: f"{table}.values()", lambda: f"list({table}.values())"]
    return m.pick(ways)()


def text(m: Maker) -> str:
    name = m.name("text")
    ways: list[Way] = [
        lambda: repr(m.pick(TEXTS)),
        lambda: f'f"{{{integer(m, 0)} % 2}}"',
        lambda: f'os.environ.get("FUZZ_MODE", {m.pick(TEXTS)!r})',
    ]
    if name:
        ways += [
            lambda: str(name),
            lambda: str(name),
            lambda: f"{name}.upper().lower()",
            lambda: f'"".join([{name}])',
        ]
    if m.name("table"):
        ways += [lambda: f"next(iter({m.name('table')}), 'a')"]
    if m.name("obj"):
        ways += [lambda: f"type({m.name('obj')}).__name__", lambda: f"str({m.name('obj')})"]
    return m.pick(ways)()


def condition(m: Maker, depth: int = 2) -> str:
    """Something that gives a bool."""
    e: Way = lambda: integer(m, max(depth - 1, 0))  # noqa: E731
    flag, obj, cls, table, enum = (
        m.name("flag"),
        m.name("obj"),
        m.name("cls"),
        m.name("table"),
        m.name("enum"),
    )
    ways: list[Way] = [
        lambda: f"{e()} {m.pick(['==', '!=', '<', '>='])} {e()}",
        lambda: f"{e()} % 2 == {m.pick((0, 1))}",
        lambda: f"bool({e()})",
        lambda: f"{e()} in {sequence(m, 0)}",
        lambda: f"{m.small()} < {e()} <= {m.small() + 3}",
        lambda: f"{text(m)} == {m.pick(TEXTS)!r}",
        lambda: f'os.environ.get("{m.pick(sorted(ENVIRON))}") {m.pick(["is None", "is not None"])}',
    ]
    if depth > 0:
        ways += [
            lambda: f"not {condition(m, depth - 1)}",
            lambda: f"({condition(m, depth - 1)} {m.pick(['and', 'or'])} {condition(m, depth - 1)})",
            lambda: f"any(x == {m.small()} for x in {sequence(m, 0)})",
            lambda: f"all({sequence(m, 0)})",
        ]
    if flag:
        ways += [lambda: str(flag)] * 5
    if obj:
        ways += [
            lambda: f'hasattr({obj}, "{m.pick(("n", "extra", "more", "step"))}")',
            lambda: f"bool({obj})",
        ]
        if cls:
            ways += [
                lambda: f"isinstance({obj}, {cls})",
                lambda: f"{obj} == {instance(m)}",
                lambda: f"issubclass(type({obj}), {cls})",
            ]
    if table:
        ways += [lambda: f"{text(m)} in {table}"]
    if enum:
        ways += [lambda: f"{member(m, enum)} is {enum}.ONE", lambda: f"{member(m, enum)}.is_one()"]
    return m.pick(ways)()
