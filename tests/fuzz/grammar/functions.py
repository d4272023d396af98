"""Functions of all sorts: plain, closures, decorators, generators, context managers, coroutines, threads."""

from __future__ import annotations

from .base import Maker
from .expressions import condition, instance, integer, sequence
from .statements import body


def define(m: Maker) -> bool:
    """A function int -> int, with any signature that takes one argument."""
    if m.indent > 4:
        return False
    name = m.fresh("f")
    extra = m.pick(
        (
            "",
            "",
            f", y={m.small()}",
            f", *, y={integer(m, 0)}",
            ", *rest",
            ", **more",
            f", /, y={m.small()}, *rest, **more",
        )
    )
    for decorator in _decorators(m):
        m.line(f"@{decorator}")
    with m.function(f"def {name}(x=0{extra}):"):
        m.declare("int", "x")
        if "y=" in extra:
            m.declare("int", "y")
        if "*rest" in extra:
            m.declare("ints", "rest")
        if "**more" in extra:
            m.declare("table", "more")
        m.outer_names()
        body(m, 5)
        m.line(f"return ({integer(m)}) % 13")
    m.declare("fn", name)
    return True


def _decorators(m: Maker) -> list[str]:
    found = [n for n in m.scope.all("fn") if n.split(".")[-1].startswith("deco")]
    made = [m.pick(found)] if found and m.chance(30) else []
    if m.chance(5):
        made.append("functools.lru_cache(maxsize=None)")
    return made


def decorator(m: Maker) -> bool:
    """A decorator that wraps, registers or counts; it also works on a number, as an ``fn``."""
    if m.indent > 2:
        return False
    name, fns = m.fresh("deco"), m.name("fns")
    with m.function(f"def {name}(inner):"):
        with m.block("if isinstance(inner, int):"):
            m.line(f"return inner + {m.small()}")
        if fns and m.chance(50):
            m.line(f"{fns}[inner.__name__] = inner")
            m.line(f"{fns}['a'] = inner")
        if m.chance(70):
            if m.chance(50):
                m.line("@functools.wraps(inner)")
            with m.function("def wrapper(*args, **kwargs):"):
                m.outer_names()
                body(m, 2)
                m.line(f"return inner(*args, **kwargs) + {m.small()}")
            m.line("return wrapper")
        else:
            body(m, 2)
            m.line("return inner")
    m.declare("fn", name, assignable=False)
    return True


def closure(m: Maker) -> bool:
    """A function that makes functions over its own variables."""
    if m.indent > 3:
        return False
    name, made = m.fresh("make"), m.fresh("f")
    with m.function(f"def {name}(start):"):
        m.declare("int", "start")
        m.outer_names()
        body(m, 2)
        with m.function("def inner(x=0):"):
            m.declare("int", "x")
            m.outer_names()
            if m.chance(60):
                if "start" not in m.scope.assignable:
                    m.line("nonlocal start")
                m.line(f"start = (start + {integer(m, 1)}) % 7")
            body(m, 3)
            m.line(f"return ({integer(m)} + start) % 13")
        m.line(f"return {m.pick(('inner', 'lambda x=0: inner(x)', 'functools.partial(inner)'))}")
    m.line(f"{made} = {name}({integer(m, 1)})")
    m.declare("fn", made)
    return True


def generator(m: Maker) -> bool:
    if m.indent > 3:
        return False
    name, inner = m.fresh("g"), m.name("gen")
    with m.function(f"def {name}(x):"):
        m.declare("int", "x")
        m.outer_names()
        body(m, 2)
        with m.block(f"for y in {sequence(m)}:"):
            m.declare("int", "y")
            m.loops += 1
            body(m, 2)
            m.line(m.pick(("yield y + x", f"yield {integer(m, 1)}", "got = yield y")))
            m.loops -= 1
        if inner and m.chance(40):
            m.line(f"yield from {inner}({integer(m, 1)})")
        if m.chance(30):
            with m.block("try:"):
                m.line(f"yield {integer(m, 1)}")
            with m.block("finally:"):
                body(m, 1)
    m.declare("gen", name)
    return True


def manager(m: Maker) -> bool:
    """A generator context manager, often one that sets a flag and sets it back."""
    if m.indent > 2:
        return False
    name = m.fresh("cm")
    flags = [n for n in m.scope.all("flag") if "." not in n and m.scope.may_assign(n) and not m.in_function]
    obj = m.name("obj")
    m.line("@contextlib.contextmanager")
    with m.function(f"def {name}():"):
        place = m.pick(flags) if flags else None
        if place and m.chance(70):
            m.line(f"global {place}")
            new = m.pick(("True", "False", condition(m, 1)))
        elif obj and m.chance(70):
            place, new = f"{obj}.n", integer(m, 1)
        else:
            place, new = None, ""
        body(m, 1)
        way = m.rng.randrange(4)
        if place is None:
            m.line(f"yield {integer(m, 1)}")
        elif way == 0:  # set, and not set back
            m.line(f"{place} = {new}")
            m.line(f"yield {integer(m, 1)}")
        elif way == 1:
            m.line(f"saved = {place}")
            m.line(f"{place} = {new}")
            with m.block("try:"):
                m.line(f"yield {integer(m, 1)}")
            with m.block("finally:"):
                m.line(f"{place} = saved")
        elif way == 2:
            m.line(f"saved = {place}")
            m.line(f"{place} = {new}")
            m.line(f"yield {integer(m, 1)}")
            m.line(f"{place} = saved")
        else:
            m.line(f"{place} = {new}")
            with m.block("try:"):
                m.line(f"yield {integer(m, 1)}")
            with m.block("except ValueError:"):
                body(m, 1)
            m.line(f"{place} = {m.pick(('False', 'True', new))}")
        if m.chance(50):
            body(m, 1)
    m.declare("cm", name)
    return True


def coroutine(m: Maker) -> bool:
    """``async``: functions that await each other, run to their end."""
    if m.indent > 1 or m.in_async:
        return False
    inner, outer = m.fresh("co"), m.fresh("co")
    with m.function(f"async def {inner}(x=0):", True):
        m.declare("int", "x")
        m.outer_names()
        body(m, 3)
        m.line(f"return {integer(m)}")
    with m.function(f"async def {outer}(x=0):", True):
        m.declare("int", "x")
        way = m.rng.randrange(4)
        if way == 0:
            m.line(f"y = await {inner}(x)")
        elif way == 1:
            m.line(f"y = sum(await asyncio.gather({inner}(x), {inner}({integer(m, 1)})))")
        elif way == 2:
            m.line(f"task = asyncio.create_task({inner}(x))")
            m.line("await asyncio.sleep(0)")
            m.line("y = await task")
        else:
            m.line(f"y = await asyncio.wait_for({inner}(x), 5)")
        m.declare("int", "y")
        body(m, 2)
        m.line("return y")
    made = m.fresh("i")
    m.line(f"{made} = asyncio.run({outer}({integer(m, 1)}))")
    m.declare("int", made)
    return True


def thread(m: Maker) -> bool:
    fn = m.name("fn")
    if fn is None:
        return False
    name = m.fresh("t")
    m.line(f"{name} = threading.Thread(target={fn}, args=({integer(m, 1)},))")
    m.line(f"{name}.start()")
    m.line(f"{name}.join()")
    return True


def temporary(m: Maker) -> bool:
    """Save, set, call, restore."""
    obj, fn = m.name("obj"), m.name("fn")
    if obj is None:
        return False
    saved = m.fresh("i")
    m.line(f"{saved} = {obj}.n")
    m.line(f"{obj}.n = {integer(m, 1)}")
    body(m, 2)
    if fn:
        m.line(f"{fn}({instance(m)}.n)")
    m.line(f"{obj}.n = {saved}")
    return True
