"""Classes: every one makes objects from an int that have ``n`` and ``step(int)``."""

from __future__ import annotations

from .base import Maker
from .expressions import condition, integer
from .statements import body, risky


def define(m: Maker) -> bool:
    if m.indent > 2:
        return False
    way = m.rng.randrange(10)
    if way == 0:
        return _enum(m)
    if way == 1:
        return _error(m)
    if way == 2:
        return _manager(m)
    if way < 5:
        return _dataclass(m)
    return _plain(m)


def _simple_bases(m: Maker) -> list[str]:
    """Bases whose order always resolves: one class, perhaps behind a mixin of its own."""
    base = m.name("cls")
    if base is None or m.chance(40):
        return []
    known = [n for n in m.scope.all("cls") if n.split(".")[-1].startswith("C")]
    return [m.pick(known)] if known else []


def _plain(m: Maker) -> bool:
    name = m.fresh("C")
    bases = _simple_bases(m)
    if m.chance(30):
        mixin = m.fresh("Mixin")
        with m.block(f"class {mixin}:"):
            with m.function("def step(self, k=0):"):
                _self(m)
                m.line(
                    m.pick(
                        (
                            f"return super().step(k) + {m.small()}" if bases else "return k + self.n",
                            "return k + self.n",
                            "return self.hook(k)" if not bases else "return k",
                        )
                    )
                )
            _method(m, "def hook(self, k):", "k")
        bases = [mixin, *bases]
    if not bases and m.chance(20):
        bases = ["abc.ABC"]
    if m.chance(15):
        deco = m.fresh("cdeco")
        with m.function(f"def {deco}(cls):"):
            m.line(m.pick((f"cls.extra = {integer(m, 1)}", 'setattr(cls, "more", 1)', "registry_of = [cls]")))
            body(m, 1)
            m.line("return cls")
        m.line(f"@{deco}")
    real = any(not b.startswith(("Mixin", "abc")) for b in bases)
    with m.block(f"class {name}{'(' + ', '.join(bases) + ')' if bases else ''}:"):
        _class_code(m)
        if not real or m.chance(50):
            with m.function(f"def __init__(self, n={m.small()}):"):
                m.scope.names["int"].append("n")
                if real:
                    m.line(f"super().__init__({integer(m, 1)})")
                if m.chance(60):
                    m.line(f"self.n = {integer(m, 1)}")
                    _self(m)
                    body(m, 2)
                m.line(f"self.n = {m.pick(('n', integer(m, 1)))}")
                _self(m)
                if m.chance(30):
                    m.line("self.setup()" if m.chance(50) else f"self.extra = {integer(m, 1)}")
        if not real or m.chance(60):
            _method(
                m,
                f"def step(self, k={m.small()}):",
                "k",
                f"super().step({integer(m, 1)})" if real and m.chance(50) else "",
            )
        if not real or m.chance(30):
            _method(m, "def setup(self):", "")
        for _ in range(m.pick((0, 1, 1, 2))):
            m.pick(_PARTS)(m, name)
    m.declare("cls", name)
    obj = m.fresh("o")
    m.line(f"{obj} = {name}({integer(m, 1)})")
    m.declare("obj", obj)
    return True


def _self(m: Maker) -> None:
    m.scope.names["obj"].append("self")


def _method(m: Maker, head: str, parameter: str, value: str = "") -> None:
    with m.function(head):
        _self(m)
        if parameter:
            m.declare("int", parameter)
        m.outer_names()
        body(m, 3)
        m.line(f"return {value or integer(m)}")


def _class_code(m: Maker) -> None:
    """Code in a class body."""
    if m.chance(40):
        m.line(f"extra = {integer(m, 1)}")
    if m.chance(20):
        with m.block(f"if {condition(m)}:"):
            m.line(f"more = {integer(m, 1)}")
    if m.chance(15):
        with m.block(f"for _i in range({m.small()}):"):
            m.line("more = _i")


def _property(m: Maker, name: str) -> None:
    m.line(m.pick(("@property", "@property", "@functools.cached_property")))
    _method(m, f"def {m.pick(('extra', 'more'))}(self):", "")


def _getattr(m: Maker, name: str) -> None:
    with m.function("def __getattr__(self, name):"):
        with m.block(f"if name == '{m.pick(('extra', 'more'))}':"):
            body(m, 1)
            m.line(f"return {integer(m, 1)}")
        m.line("raise AttributeError(name)")


def _setattr(m: Maker, name: str) -> None:
    with m.function("def __setattr__(self, name, value):"):
        with m.block("if name == 'extra':"):
            body(m, 1)
        m.line("object.__setattr__(self, name, value)")


def _bool(m: Maker, name: str) -> None:
    with m.function(f"def {m.pick(('__bool__', '__len__'))}(self):"):
        _self(m)
        body(m, 1)
        m.line(f"return {m.pick(('True', 'False'))}")


def _text(m: Maker, name: str) -> None:
    with m.function(f"def {m.pick(('__str__', '__repr__'))}(self):"):
        _self(m)
        body(m, 1)
        m.line(f"return f'{{{integer(m, 0)}}}'")


def _equal(m: Maker, name: str) -> None:
    with m.function("def __eq__(self, other):"):
        body(m, 1)
        m.line(f"return {condition(m, 1)}")
    m.line("__hash__ = object.__hash__")


def _subclass_hook(m: Maker, name: str) -> None:
    with m.function("def __init_subclass__(cls, **kw):"):
        m.line("super().__init_subclass__(**kw)")
        body(m, 2)


def _class_method(m: Maker, name: str) -> None:
    m.line("@classmethod")
    with m.function(f"def {m.pick(('make', 'build'))}(cls, k=0):"):
        m.declare("int", "k")
        body(m, 1)
        m.line("return cls(k)")
    m.line("@staticmethod")
    with m.function("def plain(k=0):"):
        m.declare("int", "k")
        body(m, 1)
        m.line(f"return {integer(m, 1)}")


def _descriptor(m: Maker, name: str) -> None:
    kind = m.fresh("D")
    with m.block(f"class {kind}:"):
        with m.function("def __set_name__(self, owner, name):"):
            m.line("self.name = '_' + name")
        with m.function("def __get__(self, obj, owner=None):"):
            with m.block("if obj is None:"):
                m.line("return 0")
            body(m, 1)
            m.line(f"return obj.__dict__.get(self.name, {m.small()})")
        if m.chance(60):
            with m.function("def __set__(self, obj, value):"):
                body(m, 1)
                m.line("obj.__dict__[self.name] = value")
    m.line(f"{m.pick(('extra', 'more'))} = {kind}()")


def _iterable(m: Maker, name: str) -> None:
    with m.function("def __iter__(self):"):
        body(m, 1)
        m.line(f"yield {m.small()}")
        m.line("yield self.n")
    with m.function("def __contains__(self, x):"):
        body(m, 1)
        m.line("return x == self.n")


def _operator(m: Maker, name: str) -> None:
    with m.function(
        f"def {m.pick(('__add__', '__radd__', '__lt__', '__getitem__', '__call__'))}(self, k=0):"
    ):
        m.declare("int", "k")
        body(m, 1)
        m.line(f"return {integer(m, 1)}")


_PARTS = (
    _property,
    _property,
    _getattr,
    _setattr,
    _bool,
    _text,
    _equal,
    _subclass_hook,
    _class_method,
    _descriptor,
    _iterable,
    _operator,
)


def _dataclass(m: Maker) -> bool:
    name = m.fresh("C")
    known = [n for n in m.scope.all("cls") if n.split(".")[-1].startswith("C")]
    base = f"({m.pick(known)})" if known and m.chance(30) else ""
    m.line(
        m.pick(
            (
                "@dataclasses.dataclass",
                "@dataclasses.dataclass(eq=False)",
                "@dataclasses.dataclass(repr=False)",
            )
        )
    )
    with m.block(f"class {name}{base}:"):
        m.line(f"n: int = {m.small()}")
        if m.chance(60):
            m.line(f"extra: int = {m.pick((str(m.small()), f'dataclasses.field(default={m.small()})'))}")
        if m.chance(40):
            m.line("many: list = dataclasses.field(default_factory=list)")
        if m.chance(60):
            with m.function("def __post_init__(self):"):
                _self(m)
                m.line("self.many = [self.n]" if m.chance(30) else f"self.n = self.n + {m.small()}")
                body(m, 3)
                if m.chance(40):
                    with m.block(f"if {condition(m)}:"):
                        m.line(f"self.n = {integer(m, 1)}")
        _method(m, f"def step(self, k={m.small()}):", "k")
    m.declare("cls", name)
    obj = m.fresh("o")
    replaced = f"dataclasses.replace({name}(1), n={integer(m, 1)})"
    m.line(f"{obj} = {m.pick((f'{name}({integer(m, 1)})', f'{name}()', replaced))}")
    m.declare("obj", obj)
    return True


def _enum(m: Maker) -> bool:
    name = m.fresh("E")
    with m.block(f"class {name}({m.pick(('enum.Enum', 'enum.IntEnum'))}):"):
        m.line("ONE = 1")
        m.line(f"TWO = {m.pick(('2', 'enum.auto()'))}")
        with m.function("def is_one(self):"):
            body(m, 1)
            m.line(f"return self {m.pick(('is', '==', '!='))} {name}.ONE")
        with m.function("def weight(self, k=0):"):
            m.declare("int", "k")
            with m.block(
                m.pick((f"if self in ({name}.ONE,):", "if self.is_one():", 'if self.name == "TWO":'))
            ):
                body(m, 1)
                m.line(f"return {integer(m, 1)}")
            m.line("return k + self.value")
    m.declare("enum", name)
    return True


def _error(m: Maker) -> bool:
    name = m.fresh("Err")
    base = m.name("error") or m.pick(("Exception", "ValueError", "KeyError"))
    with m.block(f"class {name}({base}):"):
        if m.chance(40):
            with m.function("def __init__(self, *args):"):
                m.line("super().__init__(*args)")
                body(m, 1)
    m.declare("error", name)
    return True


def _manager(m: Maker) -> bool:
    """A class with ``__enter__`` and ``__exit__``."""
    name = m.fresh("M")
    with m.block(f"class {name}:"):
        with m.function("def __enter__(self):"):
            body(m, 2)
            m.line(f"return {integer(m, 1)}")
        with m.function("def __exit__(self, kind, error, where):"):
            body(m, 1)
            with m.block(
                m.pick(("if kind is not None:", f"if {condition(m)}:", "if isinstance(error, ValueError):"))
            ):
                body(m, 1)
                m.line(f"return {m.pick(('True', 'False', 'None'))}")
            if m.chance(20):
                m.line(risky(m) if m.chance(10) else "return None")
    m.declare("cm", name)
    return True
