"""The data model's implicit calls: truth, length, text, iteration of program objects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pathcheck.flow import attributes, calls, classes, containers
from pathcheck.flow.frame import Frame
from pathcheck.flow.operators import BOTH, TRUE
from pathcheck.flow.values import Const, Klass, Obj, Value


def special_method(fr: Frame, obj: Obj, name: str, args: Iterable[Value], pos: Any) -> Value | None:
    """Call a special method that a program class defines; None if none does."""
    if not isinstance(obj.klass, Klass):
        return None
    found = classes.lookup(fr, obj.klass, name)
    if found is None:
        return None
    method = attributes.bind(fr, found[0], obj, found[1], pos)
    return calls.call_quietly(fr, method, args, pos)


def truth_of_object(fr: Frame, obj: Obj) -> int:
    """``__bool__``, then ``__len__``, then True (language reference 3.3.1)."""
    from pathcheck.flow import tests

    if obj.kind == "enum" and isinstance(obj.klass, Klass) and obj.klass.flags.get("enum") in ("int", "str"):
        value = fr.world.read(fr, obj.fields, "value")
        if not value.atoms or any(isinstance(a, Obj) for a in value.atoms):  # a wild write: perhaps itself
            return BOTH
        return tests.truth(fr, value)
    for name in ("__bool__", "__len__"):
        found = special_method(fr, obj, name, (), 0)
        if found is not None:
            return tests.truth(fr, found) or BOTH
    if obj.kind in ("list", "dict", "set"):
        return containers.emptiness(fr, obj)
    if obj.kind == "external":
        return BOTH
    if obj.kind == "instance" and isinstance(obj.klass, Klass):
        opaque = classes.opaque_bases(fr, obj.klass)
        known = fr.world.model.attributes_of
        return (
            TRUE
            if all(
                getattr(b, "name", "") in known and "__len__" not in known[getattr(b, "name", "")]
                for b in opaque
            )
            else BOTH
        )
    return TRUE


#: What makes the text of an object: of each group the first that its class has.
_TEXT_METHODS = {
    "str": (("__str__", "__repr__"),),
    "repr": (("__repr__",),),
    "format": (("__format__",), ("__str__", "__repr__")),
    "any": (("__format__",), ("__str__",), ("__repr__",)),
}


def text_of(fr: Frame, value: Value, pos: Any, how: str = "any") -> list[str] | None:
    """``str()`` of each atom where all are known; the implicit ``__str__`` and its like run.

    ``how``: "str", "repr" or "format", as the caller asks for the text; "any" where that is not known.
    """
    texts: list[str] | None = []
    for atom in value.atoms:
        if isinstance(atom, Const) and isinstance(atom.value, str | int | bool | type(None)):
            if texts is not None:
                texts.append(str(atom.value))
            continue
        texts = None
        if isinstance(atom, Obj):
            _call_text_methods(fr, atom, pos, how)
    return texts


def _call_text_methods(fr: Frame, obj: Obj, pos: Any, how: str) -> None:
    for group in _TEXT_METHODS[how]:
        for name in group:
            args = (fr.world.u.const(""),) if name == "__format__" else ()
            if special_method(fr, obj, name, args, pos) is not None:
                break


def length(fr: Frame, value: Value, pos: Any) -> Value:
    """``len(value)``."""
    u = fr.world.u
    result = u.bottom
    for atom in value.atoms:
        if isinstance(atom, Obj):
            found = special_method(fr, atom, "__len__", (), pos)
            if found is not None:
                result = u.join(result, found)
                continue
        result = u.join(result, containers.length_of(fr, atom))
    return result
