"""Messages between the server's processes: what is sent on a ZeroMQ socket arrives in the others."""

from __future__ import annotations

from typing import Any

from pathcheck.flow import externals, pickling
from pathcheck.flow.builtin_calls import instance_bits
from pathcheck.flow.calls import Args
from pathcheck.flow.construction import escape
from pathcheck.flow.frame import Frame
from pathcheck.flow.operators import TRUE
from pathcheck.flow.values import Atom, Const, External, Obj, Unknown, Value

SOCKET = "zmq.Socket"
#: Sockets whose messages are for others than the server's own processes.
BROADCAST = frozenset({"zmq.PUB", "zmq.XPUB", "zmq.SUB", "zmq.XSUB"})
#: What a decoder was told to expect.
EXPECTED = "[expected]"


def _socket(fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    u = fr.world.u
    kinds = [a.name for a in args[0].atoms if isinstance(a, External)] if args else []
    if kinds and len(kinds) == len(args[0].atoms) and BROADCAST.issuperset(kinds):
        return u.external
    return u.single(fr.world.alloc(fr, "external", u.ext(SOCKET).atoms[0], pos))


def _send(fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    world = fr.world
    for value in args[:1]:
        escape(fr, value)
        key = (fr.module.name, fr.unit)
        world.sent[key] = world.u.join(world.sent.get(key, world.u.bottom), value)
    pickling.leave(fr, pos)
    return world.u.none


def _receive(fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    fr.raises.setdefault("zmq.ZMQError")
    fr.raises.setdefault("zmq.error.Again")
    fr.world.received.readers[fr.root] = None
    if not fr.world.received.value.atoms:
        fr.reason = "waits for a message"
    pickling.arrive(fr, pos)
    return fr.world.received.value


def _encode(fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    """Encoded bytes are the thing itself: nobody looks at them before they are decoded."""
    return args[0] if args else fr.world.u.external


def _decoder(fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    """A decoder keeps the types it expects; its hooks may be called with anything."""
    u = fr.world.u
    given = Args(args, keywords)
    externals.run_callbacks(fr, "msgspec", given, pos)
    assert isinstance(obj, Obj)
    expected = args[0] if args else keywords.get("type", u.external)
    fr.world.write(fr, fr.world.cell(obj.fields, EXPECTED), expected)
    return u.none


def _decode(fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    """What was encoded, if it is of a type that the decoder expects; other bytes give something unknown."""
    u = fr.world.u
    assert isinstance(obj, Obj)
    expected = fr.world.read(fr, obj.fields, EXPECTED)
    result = u.bottom
    for atom in args[0].atoms if args else ():
        if isinstance(atom, Unknown) or (isinstance(atom, Const) and isinstance(atom.value, bytes)):
            result = u.join(result, u.external)
        elif instance_bits(fr, atom, expected) & TRUE:
            result = u.join(result, u.single(atom))
    if not result.atoms:
        fr.reason = "waits for a message of its type"
    fr.raises.setdefault("msgspec.ValidationError")
    return result


def methods() -> dict[str, dict[str, Any]]:
    """Sockets and contexts, and the encoders of what goes through them as bytes."""
    socket = {
        "send_pyobj": _send, "recv_pyobj": _receive, "send": _send, "recv": _receive, "__init__": _nothing
    }  # fmt: skip
    context = {"socket": _socket, "__init__": _nothing}
    found: dict[str, dict[str, Any]] = {
        "msgspec.msgpack.Encoder": {"encode": _encode},
        "msgspec.msgpack.Decoder": {"__init__": _decoder, "decode": _decode},
    }
    for name in ("zmq.Socket", "zmq.asyncio.Socket"):
        found[name] = socket
    for name in ("zmq.Context", "zmq.asyncio.Context"):
        found[name] = context
    return found


def _nothing(fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    return fr.world.u.none
