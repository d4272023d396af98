"""Messages between the server's processes: what is sent on a ZeroMQ socket arrives in the others."""

from __future__ import annotations

from typing import Any

from pathcheck.flow.construction import escape
from pathcheck.flow.frame import Frame
from pathcheck.flow.values import Atom, Value

SOCKET = "zmq.Socket"


def _socket(fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    u = fr.world.u
    return u.single(fr.world.alloc(fr, "external", u.ext(SOCKET).atoms[0], pos))


def _send(fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    world = fr.world
    for value in args[:1]:
        escape(fr, value)
        key = (fr.module.name, fr.unit)
        world.sent[key] = world.u.join(world.sent.get(key, world.u.bottom), value)
    return world.u.none


def _receive(fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    fr.raises.setdefault("zmq.ZMQError")
    fr.raises.setdefault("zmq.error.Again")
    fr.world.received.readers[fr.root] = None
    if not fr.world.received.value.atoms:
        fr.reason = "waits for a message"
    return fr.world.received.value


def methods() -> dict[str, dict[str, Any]]:
    """Sockets and contexts."""
    socket = {"send_pyobj": _send, "recv_pyobj": _receive, "__init__": _nothing}
    context = {"socket": _socket, "__init__": _nothing}
    found: dict[str, dict[str, Any]] = {}
    for name in ("zmq.Socket", "zmq.asyncio.Socket"):
        found[name] = socket
    for name in ("zmq.Context", "zmq.asyncio.Context"):
        found[name] = context
    return found


def _nothing(fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    return fr.world.u.none
