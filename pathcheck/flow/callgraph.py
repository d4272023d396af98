"""The call graph of a finished analysis: who calls whom, builtins and third parties included.

Contexts already know which contexts they call.  What leaves the program is
noted only where ``World.outside`` was set before the analysis, because an
analysis that needs no such edges should not pay for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pathcheck.flow import classes
from pathcheck.flow.values import (
    Atom,
    Builtin,
    BuiltinMethod,
    Const,
    External,
    Klass,
    Obj,
    Sequence,
    Unknown,
)

if TYPE_CHECKING:
    from pathcheck.flow.context import Context
    from pathcheck.flow.frame import Frame
    from pathcheck.flow.world import World

#: What stands in ``Place.module`` for names that are not the program's.
BUILTINS, OUTSIDE = "builtins", ""
#: Containers by the kind of their object.
_CONTAINERS = {"list": "list", "dict": "dict", "set": "set", "generator": "generator"}


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """A caller or a callee.

    ``kind``: "module", "class" (the body of a class that is defined),
    "function", "lambda" are the program's own; "instance" says that a class
    of the program is called; "import" that a statement names a module of the
    program, whether its body runs then or has run before; "outside" is a
    builtin (``module`` is "builtins") or a third party's name (``module`` is
    empty).
    """

    module: str
    qualname: str
    kind: str
    line: int = 0
    #: index of the code in its module, which tells two lambdas of one line apart
    code: int = -1

    @property
    def name(self) -> str:
        """The dotted name."""
        return ".".join(part for part in (self.module, self.qualname) if part)


def note_outside(fr: Frame, atom: Atom) -> None:
    """Remember that something without a body in the program is called here."""
    noted = fr.world.outside
    if noted is None:
        return
    place = outside_place(fr, atom)
    if place is not None:
        noted.setdefault((fr.context, place), fr.world.stage)
    if isinstance(atom, Klass):
        maker = _inherited_constructor(fr, atom)
        if maker is not None:
            noted.setdefault((fr.context, maker), fr.world.stage)


def note_builtin(fr: Frame, name: str) -> None:
    """Remember a call of a builtin that is not made like the others: a condition's ``isinstance``."""
    if fr.world.outside is not None:
        fr.world.outside.setdefault((fr.context, Place(BUILTINS, name, "outside")), fr.world.stage)


def note_import(fr: Frame, dotted: str) -> None:
    """Remember that a statement names this module of the program to be imported."""
    if fr.world.outside is not None and dotted in fr.world.program.modules:
        fr.world.outside.setdefault((fr.context, Place(dotted, "", "import")), fr.world.stage)


def note_own(fr: Frame, callee: Context) -> None:
    """Tell a caller's own call from one that a third party makes with what it was given."""
    world = fr.world
    own = world.calling_back is not fr.context
    if own or (fr.context, callee) not in world.own_calls:
        world.own_calls[fr.context, callee] = own


def _inherited_constructor(fr: Frame, klass: Klass) -> Place | None:
    """The ``__init__`` that a class without one of the program's has from a third party."""
    if classes.lookup(fr, klass, "__init__") is not None:
        return None
    for base in classes.mro(fr, klass):
        if isinstance(base, External):
            return Place(OUTSIDE, f"{base.name}.__init__", "outside")
    return None


def outside_place(fr: Frame, atom: Atom) -> Place | None:
    """The name of what is called; None for what has none."""
    if isinstance(atom, Builtin):
        return Place(BUILTINS, atom.name, "outside")
    if isinstance(atom, External):
        return Place(OUTSIDE, atom.name, "outside")
    if isinstance(atom, Klass):
        return Place(atom.module.name, atom.info.qualname, "instance", atom.info.line)
    if isinstance(atom, BuiltinMethod):
        return _method_place(fr, atom)
    if isinstance(atom, Obj) and isinstance(atom.klass, External):
        return Place(OUTSIDE, f"{atom.klass.name}.__call__", "outside")
    return None


def _method_place(fr: Frame, method: BuiltinMethod) -> Place | None:
    """A method by the type it is a method of."""
    receiver = method.receiver
    if isinstance(receiver, Const):
        return Place(BUILTINS, f"{type(receiver.value).__name__}.{method.name}", "outside")
    if isinstance(receiver, Sequence):
        return Place(BUILTINS, f"tuple.{method.name}", "outside")
    if isinstance(receiver, Unknown):
        if receiver.type in ("any", "object"):
            return None
        return Place(BUILTINS, f"{receiver.type}.{method.name}", "outside")
    if isinstance(receiver, Builtin):
        return Place(BUILTINS, f"{receiver.name}.{method.name}", "outside")
    if isinstance(receiver, Obj):
        if isinstance(receiver.klass, External):
            return Place(OUTSIDE, f"{receiver.klass.name}.{method.name}", "outside")
        if isinstance(receiver.klass, Klass):
            for base in classes.mro(fr, receiver.klass):
                if isinstance(base, External):
                    return Place(OUTSIDE, f"{base.name}.{method.name}", "outside")
                if isinstance(base, Builtin) and base.name != "object":
                    return Place(BUILTINS, f"{base.name}.{method.name}", "outside")
            return Place(BUILTINS, f"object.{method.name}", "outside")
        kind = _CONTAINERS.get(receiver.kind)
        return Place(BUILTINS, f"{kind}.{method.name}", "outside") if kind else None
    return None


def place_of(context: Context) -> Place:
    """The code that a context walks."""
    code = context.code
    qualname = "" if code.kind == "module" else code.qualname
    return Place(context.module.name, qualname, code.kind, code.line, code.index)


def edges(world: World, callbacks: bool = False) -> dict[Place, set[Place]]:
    """Callees of every caller that is reached, contexts of one function taken together.

    Importing a module counts as calling its body, and defining a class as
    calling the body of the class.  What a third party calls because it was
    given it (a thread's target) is no call of the function that gave it, and
    only there with ``callbacks``; builtins call in their caller's name.
    """
    found: dict[Place, set[Place]] = {}
    for context in world.contexts:
        if context in world.entries or not context.evaluations:
            continue
        callees = found.setdefault(place_of(context), set())
        callees.update(
            place_of(callee)
            for _, callee in context.calls
            if callbacks or world.own_calls.get((context, callee), True)
        )
    for context, place in world.outside or ():
        if context not in world.entries:
            found.setdefault(place_of(context), set()).add(place)
    return found
