"""Simple and compound statements."""

from __future__ import annotations

from .base import Maker
from .expressions import TEXTS, condition, instance, integer, sequence, text


def assign(m: Maker) -> bool:
    kind = m.pick(
        ("int", "int", "int", "flag", "flag", "text", "ints", "table", "obj", "obj", "fn", "fns", "cls")
    )
    old = m.target(kind) if m.chance(45) else None
    value = value_of(m, kind)
    if value is None:
        return False
    name = old or m.fresh(kind[0])
    m.line(f"{name} = {value}")
    if old is None:
        m.declare(kind, name)
    return True


def value_of(m: Maker, kind: str) -> str | None:
    """An expression that gives a thing of a kind, if there can be one here."""
    fn, cls = m.name("fn"), m.name("cls")
    if kind == "int":
        return integer(m, 3)
    if kind == "flag":
        return condition(m)
    if kind == "text":
        return text(m)
    if kind == "ints":
        return f"list({sequence(m, 2)})"
    if kind == "table":
        return m.pick(
            (
                f"{{{text(m)}: {integer(m)}, {text(m)}: {integer(m)}}}",
                f"{{str(x): x + {m.small()} for x in {sequence(m)}}}",
                f"dict(a={integer(m)}, b={integer(m)})",
                f"dict(zip('ab', {sequence(m)}))",
                f"collections.defaultdict(int, a={integer(m)})",
            )
        )
    if kind == "obj":
        if cls is None:
            return None
        obj = m.name("obj") or f"{cls}(1)"
        return m.pick(
            (
                f"{cls}({integer(m)})",
                f"{cls}({integer(m)})",
                f"({obj} if {condition(m)} else {cls}({integer(m)}))",
                f"[{obj}, {cls}(2)][{condition(m)}]",
            )
        )
    if kind == "fn":
        ways = [f"lambda x: {_in_lambda(m)}"]
        if fn:
            other = m.name("fn")
            ways += [
                f"({fn} if {condition(m)} else {other})",
                f"lambda x, f={fn}: f(x) + {m.small()}",
                f"[{fn}, {other}][{condition(m)}]",
                f"functools.lru_cache({fn})",
                f"operator.attrgetter('step')({instance(m)})" if m.name("obj") else fn,
            ]
        if m.name("obj"):
            ways += [f"{m.name('obj')}.step", f'getattr({m.name("obj")}, "step")']
        if cls:
            ways += [f"lambda x: {cls}(x).n", f"{cls}({integer(m)}).step"]
        return m.pick(ways)
    if kind == "fns":
        if fn is None:
            return None
        return f"{{{text(m)}: {fn}, {text(m)}: {m.name('fn')}}}"
    if kind == "cls":
        if cls is None:
            return None
        return f"({cls} if {condition(m)} else {m.name('cls')})"
    return None


def _in_lambda(m: Maker) -> str:
    return f"({integer(m, 1)} + x) % 9"


def augmented(m: Maker) -> bool:
    name, ints = m.target("int"), m.target("ints")
    if name and m.chance(70):
        m.line(f"{name} {m.pick(('+=', '-=', '^='))} {integer(m, 1)}")
        return True
    if ints:
        m.line(f"{ints} += [{integer(m, 1)}]")
        return True
    return False


def change(m: Maker) -> bool:
    """Change something in place."""
    obj, ints, table, fns, cls, fn = (m.name(k) for k in ("obj", "ints", "table", "fns", "cls", "fn"))
    ways = []
    if obj:
        ways += [
            f"{obj}.n = {integer(m)}",
            f'setattr({obj}, "{m.pick(("n", "extra", "more"))}", {integer(m)})',
            f"{obj}.extra = {integer(m)}",
            f"{obj}.n += 1",
        ]
        if fn:
            ways += [f"{obj}.step = lambda k=0: {fn}(k)"]
    if ints:
        ways += [
            f"{ints}.append({integer(m)})",
            f"{ints}.extend({sequence(m)})",
            f"{ints}.insert(0, {integer(m)})",
            f"{ints}[:1] = [{integer(m)}]",
            f"{ints}.sort()",
        ]
    if table:
        ways += [
            f"{table}[{text(m)}] = {integer(m)}",
            f"{table}.setdefault({text(m)}, {integer(m)})",
            f"{table}.update(a={integer(m)})",
            f"{table}.pop({text(m)}, None)",
        ]
    if fns and fn:
        ways += [f"{fns}[{text(m)}] = {fn}", f"{fns}.update({{{text(m)}: {fn}}})"]
    if cls and fn and m.chance(40):
        ways += [f"{cls}.step = lambda self, k=0: {fn}(k) + self.n", f'setattr({cls}, "extra", {integer(m)})']
    dotted = [n for n in m.scope.all("fn") if "." in n]
    if dotted and fn:
        name = m.pick(dotted)
        ways += [f"{name} = lambda x, old={name}: old(x) + 1"] * 3
    if not ways:
        return False
    m.line(m.pick(ways))
    return True


def show(m: Maker) -> bool:
    kind = m.pick(("int", "int", "flag", "text", "ints", "table", "obj", "fn", "cls", "fns"))
    name = m.name(kind)
    if name is None:
        return False
    m.line(f"see({m.fresh('')}, {name})")
    return True


def call(m: Maker) -> bool:
    m.line(integer(m, 3))
    return True


def unpack(m: Maker) -> bool:
    a, b = m.fresh("i"), m.fresh("i")
    rest = m.fresh("i")
    ways = [
        (f"{a}, {b} = {integer(m)}, {integer(m)}", "int"),
        (f"{a}, *{rest}, {b} = {integer(m)}, {integer(m)}, {integer(m)}", "ints"),
        (f"({a}, ({b}, {rest})) = {integer(m)}, ({integer(m)}, [{integer(m)}])", "ints"),
        (f"{a} = {b} = {integer(m)}", "int"),
    ]
    line, kind = m.pick(ways)
    m.line(line)
    m.declare("int", a)
    m.declare("int", b)
    if kind == "ints":
        m.declare("ints", rest)
    return True


def delete(m: Maker) -> bool:
    name = m.fresh("d")
    obj = m.name("obj")
    if obj and m.chance(50):
        m.line(f"{obj}.more = {integer(m, 1)}")
        m.line(f"del {obj}.more")
    else:
        m.line(f"{name} = {{'a': {integer(m, 1)}, 'b': 1}}")
        m.line(f"del {name}['a']")
        m.declare("table", name)
    return True


def branch(m: Maker) -> bool:
    with m.block(f"if {condition(m)}:"):
        body(m, 3)
    if m.chance(30):
        with m.block(f"elif {condition(m)}:"):
            body(m, 2)
    if m.chance(50):
        with m.block("else:"):
            body(m, 2)
    return True


def loop(m: Maker) -> bool:
    if m.loops >= 2:
        return False
    x = m.fresh("x")
    table = m.name("table")
    kinds = {x: "int"}
    if table and m.chance(25):
        key = m.fresh("k")
        head = f"for {key}, {x} in list({table}.items()):"
        kinds[key] = "text"
    elif m.chance(20):
        key = m.fresh("x")
        head = f"for {key}, {x} in {m.pick(('enumerate', 'zip'))}({sequence(m)}):"
        head = head.replace("zip(", "zip(range(3), ")
        kinds[key] = "int"
    elif m.chance(20):
        key = m.fresh("x")
        head = f"for {x} in iter(lambda c=[0]: c.append(1) or len(c), {m.small() + 1}):"
    else:
        head = f"for {x} in {sequence(m)}:"
    with m.block(head):
        for name, kind in kinds.items():
            m.declare(kind, name)
        m.loops += 1
        body(m, 3)
        if m.chance(40):
            _leave_loop(m)
        m.loops -= 1
    if m.chance(25):
        with m.block("else:"):
            body(m, 2)
    return True


def _leave_loop(m: Maker) -> None:
    with m.block(f"if {condition(m)}:"):
        body(m, 1)
        m.line(m.pick(("break", "continue")))


def bounded(m: Maker) -> bool:
    """``while`` with a counter."""
    if m.loops >= 2:
        return False
    name = m.fresh("i")
    m.line(f"{name} = 0")
    test = f"{name} < {m.small()}"
    if m.chance(30):
        test = f"({test}) and {condition(m, 1)}"
    with m.block(f"while {test}:"):
        m.line(f"{name} += 1")
        m.scope.names["int"].append(name)
        m.loops += 1
        body(m, 3)
        if m.chance(40):
            _leave_loop(m)
        m.loops -= 1
    if m.chance(25):
        with m.block("else:"):
            body(m, 2)
    m.declare("int", name)
    return True


def risky(m: Maker) -> str:
    """A statement that may raise."""
    error = m.name("error") or "ValueError"
    table, ints, obj = m.name("table"), m.name("ints"), m.name("obj")
    ways = [
        f"raise {m.pick(('ValueError', 'KeyError', 'RuntimeError', error))}({integer(m, 1)})",
        f"1 // ({integer(m, 1)})",
        f"assert {condition(m, 1)}, {integer(m, 1)}",
        f"{{1: 2}}[{integer(m, 1)}]",
        "import missing_package",
        f"int({text(m)})",
    ]
    if table:
        ways.append(f"{table}[{text(m)}]")
    if ints:
        ways.append(f"{ints}[{integer(m, 1)}]")
    if obj:
        ways.append(f"{obj}.{m.pick(('extra', 'more', 'missing'))}")
    return m.pick(ways)


def attempt(m: Maker) -> bool:
    error = m.name("error") or "ValueError"
    with m.block("try:"):
        body(m, 2)
        if m.chance(40):
            with m.block(f"if {condition(m)}:"):
                m.line(risky(m))
        else:
            m.line(risky(m))
        if m.chance(50):
            body(m, 1)
        _maybe_leave(m)
    handled = m.chance(85)
    if handled:
        for _ in range(m.pick((1, 1, 2))):
            caught = m.pick(
                (
                    "ValueError",
                    "(KeyError, IndexError)",
                    "ArithmeticError",
                    error,
                    "LookupError",
                    "AssertionError",
                    "ImportError",
                    "AttributeError",
                )
            )
            bound = m.fresh("e") if m.chance(40) else ""
            with m.block(f"except {caught}{' as ' + bound if bound else ''}:"):
                if bound and m.chance(50):
                    m.line(f"see({m.fresh('')}, len({bound}.args))")
                body(m, 2)
                if m.chance(15):
                    m.line(
                        m.pick(
                            ("raise", f"raise {error}({integer(m, 0)})" + (f" from {bound}" if bound else ""))
                        )
                    )
                _maybe_leave(m)
        if m.chance(60):
            with m.block("except Exception:"):
                body(m, 2)
                _maybe_leave(m)
        if m.chance(30):
            with m.block("else:"):
                body(m, 2)
                _maybe_leave(m)
    if not handled or m.chance(40):
        with m.block("finally:"):
            body(m, 2)
            if m.chance(10):
                _maybe_leave(m)
    return True


def _maybe_leave(m: Maker) -> None:
    """Sometimes leave the loop or the function from here."""
    if not m.chance(25):
        return
    if m.loops and m.chance(50):
        m.line(m.pick(("break", "continue")))
    elif m.in_function:
        m.line(f"return {integer(m, 1)}")


def managed(m: Maker) -> bool:
    cm = m.name("cm")
    if cm is None:
        return False
    manager = f"{cm}()"
    if m.chance(20):
        manager = f"({cm}() if {condition(m)} else contextlib.nullcontext({m.small()}))"
    elif m.chance(15):
        manager = "contextlib.suppress(ValueError, KeyError)"
    bound = m.fresh("i") if m.chance(50) and "suppress" not in manager else ""
    more = f", {m.name('cm')}()" if m.chance(20) else ""
    with m.block(f"with {manager}{' as ' + bound if bound else ''}{more}:"):
        if bound:
            m.declare("int", bound)
        body(m, 3)
        if m.chance(15):
            with m.block(f"if {condition(m)}:"):
                m.line(risky(m))
        _maybe_leave(m)
    return True


def matched(m: Maker) -> bool:
    cls, obj, enum = m.name("cls"), m.name("obj"), m.name("enum")
    subject = m.pick(
        (
            integer(m),
            f"({integer(m, 1)}, {integer(m, 1)})",
            f"list({sequence(m)})",
            text(m),
            obj or integer(m),
            f"{{'k': {integer(m, 1)}, 'o': 1}}",
        )
    )
    with m.block(f"match {subject}:"):
        for _ in range(m.pick((1, 2, 3))):
            bound = m.fresh("v")
            ints = [
                f"{m.small()}",
                f"{m.small()} | {m.small()}",
                f"({m.small()}, {bound})",
                f"[{m.small()}, *_]",
                f"[int({bound}), _]",
                f"{{'k': {bound}}}",
                repr(m.pick(TEXTS)),
                f"int({bound})",
                f"[_, _] as {bound}",
                "[]",
                f"str() as {bound}",
            ]
            if cls:
                ints += [f"{cls}(n={bound})", f"{cls}(n={m.small()})", f"{cls}()"] * 2
            if enum:
                ints += [f"{enum}.ONE"]
            guard = f" if {condition(m, 1)}" if m.chance(25) else ""
            with m.block(f"case {m.pick(ints)}{guard}:"):
                body(m, 2)
        if m.chance(50):
            with m.block("case _:"):
                body(m, 2)
    return True


def leave(m: Maker) -> bool:
    if not m.in_function:
        return False
    with m.block(f"if {condition(m)}:"):
        body(m, 1)
        m.line(f"return {integer(m)}")
    return True


def body(m: Maker, most: int) -> None:
    """Up to ``most`` statements of any kind."""
    from .whole import statement

    for _ in range(1 + m.rng.randrange(most)):
        statement(m)
