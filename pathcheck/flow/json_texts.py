"""``json.loads`` of known texts: the plain structure it gives."""

from __future__ import annotations

import json
from typing import Any

from pathcheck.flow import containers
from pathcheck.flow.frame import Frame
from pathcheck.flow.operators import unknown_of
from pathcheck.flow.values import Const, Unknown, Value

#: Texts longer than this are data, not settings.
MAX_TEXT = 20_000


def loads(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: Any) -> Value | None:
    """``json.loads(text)``; None where hooks change what it makes."""
    u = fr.world.u
    text = args[0] if args else keywords.get("s")
    if text is None or set(keywords) - {"s"}:
        return None
    result = u.bottom
    for atom in text.atoms:
        if isinstance(atom, Const) and not isinstance(atom.value, str | bytes):
            fr.raises.setdefault("TypeError")
        elif isinstance(atom, Const) and len(atom.value) <= MAX_TEXT:
            try:
                result = u.join(result, _built(fr, json.loads(atom.value), (pos, "json", atom.seq)))
            except (ValueError, RecursionError):
                fr.raises.setdefault("json.JSONDecodeError")
        else:
            fr.raises.setdefault("json.JSONDecodeError")
            result = u.join(result, _unknown(fr, atom) if isinstance(atom, Unknown) else u.external)
    if not result.atoms:
        fr.reason = "the text is no JSON"
    return result


def _unknown(fr: Frame, text: Unknown) -> Value:
    """What an unknown text holds hangs on the same fact."""
    found = unknown_of(fr.world.u, "any", text)
    return found if text.origin in ("fact", "lost") else fr.world.u.external


def _built(fr: Frame, data: Any, pos: tuple[Any, ...]) -> Value:
    """Plain data as a value: one object for each list and dict in it."""
    u = fr.world.u
    if isinstance(data, list):
        items = [_built(fr, item, (*pos, i)) for i, item in enumerate(data)]
        return containers.new_list(fr, items, None, pos)
    if isinstance(data, dict):
        made = containers.new_dict(fr, pos)
        for key, item in data.items():
            value = _built(fr, item, (*pos, key))
            containers.set_item(fr, made, u.const(key), value, 0, certain=True)
        return made
    return u.const(data)
