"""The value lattice: finite sets of atoms, interned, ordered, widened at caps.

A value says which things a place may hold.  The empty value is bottom: the
place is never reached.  Two unknowns are kept apart: an *external* thing (a
tensor, a third-party object: harmless) and a *lost* one (the analysis gave up:
whatever depends on it is only assumed).  The lattice is the constant
propagation lattice of Wegman and Zadeck (TOPLAS 1991) with sets of constants,
joined with allocation-site points-to sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pathcheck.flow.context import Context
    from pathcheck.flow.heap import Cell
    from pathcheck.flow.modules import ModuleState
    from pathcheck.program.ir import ClassInfo, Code


_SEQ = attrgetter("seq")


class Atom:
    """One thing a value may be. ``seq`` orders atoms by creation: the same run, the same order.

    ``alone`` is the value that holds nothing else, once it was asked for.
    """

    __slots__ = ("alone", "seq")
    seq: int
    alone: Value | None


class Const(Atom):
    """A known constant: None, a number, text, bytes, Ellipsis."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)


class Unknown(Atom):
    """Something not known, with what is known of it.

    ``type``: "int", "float", "str", "bytes", "bool" for a scalar; "object" for a
    third-party object that is not None; "any" for one that may be None.
    ``origin``: "external", "runtime", "fact" (``fact`` names it) or "lost".
    """

    __slots__ = ("fact", "origin", "type")

    def __init__(self, type: str, origin: str, fact: str | None) -> None:
        self.type, self.origin, self.fact = type, origin, fact

    def __repr__(self) -> str:
        return f"?{self.type}:{self.fact or self.origin}"


class Unbound(Atom):
    """On some path the place was not assigned."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<unbound>"


class External(Atom):
    """A third-party module, class or function by its dotted name."""

    __slots__ = ("fields", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.fields: dict[Any, Cell] = {}

    def __repr__(self) -> str:
        return f"<ext {self.name}>"


class Builtin(Atom):
    """A builtin function, type or exception class by name."""

    __slots__ = ("fields", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.fields: dict[Any, Cell] = {}

    def __repr__(self) -> str:
        return f"<builtin {self.name}>"


class BuiltinMethod(Atom):
    """A method of a builtin or external value, bound to it."""

    __slots__ = ("name", "receiver")

    def __init__(self, name: str, receiver: Atom) -> None:
        self.name, self.receiver = name, receiver

    def __repr__(self) -> str:
        return f"<{self.receiver!r}.{self.name}>"


class Function(Atom):
    """A function or lambda with the context that holds its free variables."""

    __slots__ = (
        "code",
        "contexts",
        "counts",
        "env",
        "fields",
        "klass",
        "modes",
        "module",
        "names",
        "widened",
    )

    def __init__(self, module: ModuleState, code: Code, env: Context | None) -> None:
        self.module, self.code, self.env = module, code, env
        self.fields: dict[Any, Cell] = {}
        self.contexts: dict[Any, Context] = {}
        #: the class whose body defines it, for ``super()``
        self.klass: Klass | None = None
        #: parameters that name an attribute or a key; None until someone asks
        self.names: frozenset[str] | None = None
        #: the modes that are told apart
        self.modes: dict[Any, None] = {}
        #: by receiver: how many contexts, and how coarse the next ones are
        self.counts: dict[Atom | None, int] = {}
        self.widened: dict[Atom | None, int] = {}

    def __repr__(self) -> str:
        return f"<function {self.module.name}:{self.code.qualname}>"


class Method(Atom):
    """A function bound to a receiver."""

    __slots__ = ("function", "receiver")

    def __init__(self, function: Function, receiver: Atom) -> None:
        self.function, self.receiver = function, receiver

    def __repr__(self) -> str:
        return f"<bound {self.function!r} of {self.receiver!r}>"


class Wrapped(Atom):
    """``staticmethod`` / ``classmethod`` around a function in a class body."""

    __slots__ = ("inner", "kind")

    def __init__(self, kind: str, inner: Atom) -> None:
        self.kind, self.inner = kind, inner


class Klass(Atom):
    """A class of the program."""

    __slots__ = ("bases", "env", "fields", "flags", "info", "members", "module", "mro_cache", "subclasses")

    def __init__(self, module: ModuleState, info: ClassInfo, env: Context | None) -> None:
        self.module, self.info, self.env = module, info, env
        self.fields: dict[Any, Cell] = {}
        self.bases: tuple[Value, ...] = ()
        self.mro_cache: tuple[Atom, ...] | None = None
        self.subclasses: dict[Klass, None] = {}
        #: what decorators and bases make of it: "dataclass", "enum", "namedtuple" …
        self.flags: dict[str, Any] = {}
        #: enum members by name, in order
        self.members: dict[str, Obj] = {}

    def __repr__(self) -> str:
        return f"<class {self.module.name}:{self.info.qualname}>"


class Module(Atom):
    """A module of the program."""

    __slots__ = ("fields", "state")

    def __init__(self, state: ModuleState) -> None:
        self.state = state
        self.fields: dict[Any, Cell] = {}

    def __repr__(self) -> str:
        return f"<module {self.state.name}>"


class Super(Atom):
    """``super()``: lookup starts behind ``klass`` in the receiver's MRO."""

    __slots__ = ("klass", "receiver")

    def __init__(self, klass: Klass, receiver: Atom) -> None:
        self.klass, self.receiver = klass, receiver


class Sequence(Atom):
    """An immutable tuple: exact ``items``, or ``element`` for any length.

    ``klass`` is the NamedTuple class, if it is one.
    """

    __slots__ = ("depth", "element", "items", "klass", "name", "rows", "wide")

    def __init__(
        self, items: tuple[Value, ...] | None, element: Value | None, klass: Klass | str | None
    ) -> None:
        self.items, self.element, self.klass = items, element, klass
        #: where the length is unknown: the elements that may be there, each or not
        self.rows: tuple[Value, ...] | None = None
        #: made by widening: it absorbs every other tuple of its value (of its name, if it has one),
        #: or joins would never end
        self.wide = False
        #: the texts that name it among the rows of a table; None where it has none
        self.name: tuple[Any, ...] | None = _row_name(items)
        inner = items if items is not None else (element,) if element is not None else ()
        self.depth: int = 1 + max(
            (a.depth for v in inner for a in v.atoms if isinstance(a, Sequence)), default=0
        )

    def __repr__(self) -> str:
        return f"({', '.join(map(repr, self.items))})" if self.items is not None else f"({self.element!r}, …)"


def _row_name(items: tuple[Value, ...] | None) -> tuple[Any, ...] | None:
    """The columns that hold one text, and how many there are."""
    texts = [
        (place, item.atoms[0])
        for place, item in enumerate(items or ())
        if len(item.atoms) == 1 and isinstance(item.atoms[0], Const) and isinstance(item.atoms[0].value, str)
    ]
    return (len(items), *texts) if items is not None and texts else None


class Obj(Atom):
    """An abstract object: an allocation site in a heap context.

    ``kind``: "instance", "list", "dict", "set", "generator", "partial",
    "property", "enum", "external" (an instance of a third-party class).
    """

    __slots__ = ("at_import", "fields", "heap_context", "kind", "klass", "name", "once", "site")

    def __init__(self, kind: str, klass: Atom | None, site: Any, heap_context: Any) -> None:
        self.kind, self.klass, self.site, self.heap_context = kind, klass, site, heap_context
        self.fields: dict[Any, Cell] = {}
        #: made while a module body ran: what is put into it then is there before it is used
        self.at_import = False
        #: there is one such object in a process, so that it is identical to itself
        self.once = False
        self.name = ""

    def __repr__(self) -> str:
        return (
            f"<{self.kind} {self.klass!r} {self.name}>"
            if self.kind != "enum"
            else f"{self.klass!r}.{self.name}"
        )


class Value:
    """An interned set of atoms in order of ``seq``; compare with ``is``."""

    __slots__ = ("_not_text", "atoms", "truth")

    def __init__(self, atoms: tuple[Atom, ...]) -> None:
        self.atoms = atoms
        self.truth = -1
        self._not_text: tuple[Atom, ...] | None = None

    def not_text(self) -> tuple[Atom, ...]:
        """The atoms that are not known texts: only these may equal a text without being it."""
        found = self._not_text
        if found is None:
            found = tuple(a for a in self.atoms if not (isinstance(a, Const) and type(a.value) is str))
            self._not_text = found
        return found

    def __repr__(self) -> str:
        return "{" + ", ".join(map(repr, self.atoms)) + "}"


AtomT = TypeVar("AtomT", bound=Atom)

#: How many constants of a kind a value keeps before it widens to "some int", "some text".
MAX_CONSTANTS = {int: 16, str: 1024, float: 4, bytes: 4, complex: 1, bool: 2}
MAX_SEQUENCES = 16
#: Rows of a table that texts in them name are merged name by name, up to so many names.
MAX_ROW_NAMES = 12
#: How many unknown facts of a type a value names before it says only that several decide.
MAX_FACTS = 6
SEVERAL = "several facts"
MAX_DEPTH = 4
MAX_ITEMS = 1024
_UNKNOWN_TYPE = {int: "int", str: "str", float: "float", bytes: "bytes", complex: "float"}


#: Atoms looked at in values of several, before the analysis of a process stops.
#: The scheduler of Kimi-K2.5 at 3207427 takes 1.3 million, that of 0.5.23 25 to 41 million;
#: what takes more has lost itself in values of thousands of atoms.
MAX_WORK = 45_000_000


class OutOfWork(Exception):
    """The analysis of a process has done all the work that it may."""


#: From so many values on, joining two at a time takes longer than putting all atoms in order.
MANY_VALUES = 8


class Universe:
    """Interns atoms and values of one analysis, and joins them."""

    def __init__(self) -> None:
        self._seq = 0
        self._constants: dict[tuple[type, Any], Const] = {}
        self._interned: dict[Any, Atom] = {}
        self._values: dict[tuple[Atom, ...], Value] = {}
        self._joins: dict[tuple[Value, Value], Value] = {}
        self.widened = 0
        #: atoms put in order so far, and how many may be
        self.work = 0
        self.most_work = MAX_WORK
        self.bottom = self.value(())
        self.none = self.const(None)
        self.true = self.const(True)
        self.false = self.const(False)
        self.bools = self.join(self.true, self.false)
        self.unbound_atom = self.register(Unbound())
        self.unbound = self.single(self.unbound_atom)
        self.external = self.unknown("any", "external")
        self.object = self.unknown("object", "external")
        self.lost = self.unknown("any", "lost")

    # ---- making atoms ------------------------------------------------------
    def register(self, atom: AtomT) -> AtomT:
        """Give a new atom its place in the order."""
        self._seq += 1
        atom.seq = self._seq
        atom.alone = None
        return atom

    def intern(self, key: Any, make: Callable[[], AtomT]) -> AtomT:
        """The one atom for ``key``."""
        found = self._interned.get(key)
        if found is None:
            found = self._interned[key] = self.register(make())
        return found  # type: ignore[return-value]

    def known(self, key: Any) -> Atom | None:
        """The atom for ``key`` if there is one."""
        return self._interned.get(key)

    def const_atom(self, value: Any) -> Const:
        key = (type(value), value) if not isinstance(value, float) else (float, repr(value))
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = self.register(Const(value))
        return found

    def const(self, value: Any) -> Value:
        """The value that holds just this constant; a tuple becomes a sequence."""
        if type(value) is tuple:
            return self.sequence(tuple(self.const(v) for v in value))
        if type(value) is frozenset:
            return self.unknown("object", "external")
        return self.single(self.const_atom(value))

    def unknown(self, type: str, origin: str, fact: str | None = None) -> Value:
        key = ("unknown", type, origin, fact)
        return self.single(self.intern(key, lambda: Unknown(type, origin, fact)))

    def ext(self, name: str) -> Value:
        return self.single(self.intern(("external", name), lambda: External(name)))

    def builtin(self, name: str) -> Value:
        return self.single(self.intern(("builtin", name), lambda: Builtin(name)))

    def builtin_method(self, name: str, receiver: Atom) -> Value:
        return self.single(self.intern(("method", name, receiver), lambda: BuiltinMethod(name, receiver)))

    def method(self, function: Function, receiver: Atom) -> Value:
        return self.single(self.intern(("bound", function, receiver), lambda: Method(function, receiver)))

    def sequence(self, items: tuple[Value, ...], klass: Klass | str | None = None) -> Value:
        """An exact tuple; too long or too deep a one keeps its contents only."""
        if len(items) > MAX_ITEMS:
            return self.sequence_of(self.join_all(items), klass)
        atom = self.intern(("tuple", items, klass), lambda: Sequence(items, None, klass))
        if atom.depth > MAX_DEPTH:
            return self.sequence_of(self.flatten(self.join_all(items)), klass)
        return self.single(atom)

    def sequence_of(self, element: Value, klass: Klass | str | None = None) -> Value:
        """A tuple of unknown length whose elements are ``element``."""
        if any(isinstance(a, Sequence) and a.depth >= MAX_DEPTH for a in element.atoms):
            element = self.flatten(element)
        return self.single(self.intern(("tuple*", element, klass), lambda: Sequence(None, element, klass)))

    def optional_rows(self, rows: tuple[Value, ...]) -> Value:
        """A tuple that holds some of ``rows``: what iterating a dict gives whose keys may be missing."""
        if not rows or len(rows) > MAX_ITEMS:
            return self.sequence_of(self.join_all(rows)) if rows else self.sequence(())

        def make() -> Sequence:
            made = Sequence(None, self.join_all(rows), None)
            made.rows = rows
            return made

        return self.single(self.intern(("rows", rows), make))

    def flatten(self, value: Value) -> Value:
        """Replace every tuple in ``value`` by what it contains, all the way down."""
        found: dict[Atom, None] = {}
        self._flatten_into(value, found, set())
        return self.value_of(found)

    def _flatten_into(self, value: Value, found: dict[Atom, None], seen: set[Value]) -> None:
        if value in seen:
            return
        seen.add(value)
        for atom in value.atoms:
            if not isinstance(atom, Sequence):
                found[atom] = None
            elif atom.items is not None:
                for item in atom.items:
                    self._flatten_into(item, found, seen)
            elif atom.element is not None:
                self._flatten_into(atom.element, found, seen)

    def element(self, atom: Sequence) -> Value:
        """All that a tuple may contain."""
        if atom.items is not None:
            return self.join_all(atom.items)
        return atom.element if atom.element is not None else self.bottom

    # ---- making values -----------------------------------------------------
    def value(self, atoms: tuple[Atom, ...]) -> Value:
        """The value of atoms that are already in order."""
        found = self._values.get(atoms)
        if found is None:
            found = self._values[atoms] = Value(atoms)
        return found

    def single(self, atom: Atom) -> Value:
        found = atom.alone
        if found is None:
            found = atom.alone = self.value((atom,))
        return found

    def value_of(self, atoms: Iterable[Atom]) -> Value:
        """The value of any atoms, sorted, doubles removed, widened at the caps."""
        ordered = sorted(set(atoms), key=_SEQ)
        self.count(len(ordered))
        return self.value(self._widen(ordered))

    def count(self, atoms: int) -> None:
        """Note that so many atoms are looked at; raises OutOfWork past the limit."""
        self.work += atoms
        if self.work > self.most_work:
            raise OutOfWork

    def join(self, a: Value, b: Value) -> Value:
        """Least upper bound, widened at the caps."""
        if a is b or not b.atoms:
            return a
        if not a.atoms:
            return b
        found = self._joins.get((a, b))
        if found is None:
            found = self._joins[a, b] = self.value_of((*a.atoms, *b.atoms))
        return found

    def join_all(self, values: Iterable[Value]) -> Value:
        """Least upper bound of many: their atoms are ordered once, not once for each value."""
        different = dict.fromkeys(v for v in values if v.atoms)
        if len(different) > MANY_VALUES:
            return self.value_of(dict.fromkeys(a for v in different for a in v.atoms))
        result = self.bottom
        for value in different:
            result = self.join(result, value)
        return result

    def without(self, value: Value, atom: Atom) -> Value:
        if atom not in value.atoms:
            return value
        return self.value(tuple(a for a in value.atoms if a is not atom))

    # ---- widening ----------------------------------------------------------
    def _widen(self, atoms: list[Atom]) -> tuple[Atom, ...]:
        if len(atoms) < 4 and not any(type(a) is Unknown or (type(a) is Sequence and a.wide) for a in atoms):
            return tuple(atoms)
        counts: dict[type, int] = {}
        sequences = 0
        for atom in atoms:
            if isinstance(atom, Const):
                counts[type(atom.value)] = counts.get(type(atom.value), 0) + 1
            elif isinstance(atom, Sequence):
                sequences += 1
        over = {t for t, n in counts.items() if n > MAX_CONSTANTS.get(t, 2)}
        over |= {t for t, name in _UNKNOWN_TYPE.items() if t in counts and self._has_unknown(atoms, name)}
        if over:
            atoms = self._widen_constants(atoms, over)
        if len(atoms) > MAX_FACTS or any(type(a) is Unknown and a.fact == SEVERAL for a in atoms):
            atoms = self._widen_facts(atoms)
        if sequences > MAX_SEQUENCES or any(type(a) is Sequence and a.wide for a in atoms):
            atoms = self._widen_sequences(atoms)
        return tuple(atoms)

    @staticmethod
    def _has_unknown(atoms: list[Atom], name: str) -> bool:
        return any(isinstance(a, Unknown) and a.type == name for a in atoms)

    def _widen_constants(self, atoms: list[Atom], over: set[type]) -> list[Atom]:
        kept = [a for a in atoms if not (isinstance(a, Const) and type(a.value) in over)]
        for kind in sorted(over, key=lambda t: t.__name__):
            name = _UNKNOWN_TYPE.get(kind, "int")
            if not self._has_unknown(kept, name):
                self.widened += 1
                kept.append(self.unknown(name, "runtime").atoms[0])
        return sorted(set(kept), key=_SEQ)

    def _widen_facts(self, atoms: list[Atom]) -> list[Atom]:
        """Sums and products of unknown facts would name every combination: past a number, none is named."""
        named: dict[str, int] = {}
        merged: set[str] = set()
        for atom in atoms:
            if isinstance(atom, Unknown) and atom.origin == "fact":
                named[atom.type] = named.get(atom.type, 0) + 1
            elif isinstance(atom, Unknown) and atom.fact == SEVERAL:
                merged.add(atom.type)
        over = {t for t, n in named.items() if n > MAX_FACTS or t in merged}
        if not over:
            return atoms
        self.widened += 1
        kept = [a for a in atoms if not (isinstance(a, Unknown) and a.origin == "fact" and a.type in over)]
        for kind in sorted(over - merged):
            kept.append(self.unknown(kind, "runtime", SEVERAL).atoms[0])
        return sorted(kept, key=_SEQ)

    def _widen_sequences(self, atoms: list[Atom]) -> list[Atom]:
        sequences = [a for a in atoms if isinstance(a, Sequence) and a.klass is None]
        if len(sequences) < 2:
            return atoms
        rows: dict[tuple[Any, ...] | None, list[Sequence]] = {}
        for sequence in sequences:
            rows.setdefault(sequence.name, []).append(sequence)
        whole = len(rows) > MAX_ROW_NAMES or any(row.wide for row in rows.get(None, ()))
        groups = [sequences] if whole else list(rows.values())
        if len(groups) == len(sequences):
            return atoms
        self.widened += 1
        kept = [a for a in atoms if not (isinstance(a, Sequence) and a.klass is None)]
        for group in groups:
            if len(group) > 1 or len(groups) == 1:
                merged = self._merge(group)
                for atom in merged.atoms:
                    if isinstance(atom, Sequence):
                        atom.wide = True
                kept += merged.atoms
            else:
                kept += group
        return sorted(set(kept), key=_SEQ)

    def _merge(self, sequences: list[Sequence]) -> Value:
        lengths = {len(s.items) for s in sequences if s.items is not None}
        if len(lengths) == 1 and all(s.items is not None for s in sequences):
            columns = zip(*(s.items for s in sequences if s.items is not None), strict=True)
            return self.sequence(tuple(self.join_all(column) for column in columns))
        return self.sequence_of(self.join_all(self.element(s) for s in sequences))
