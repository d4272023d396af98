"""Messages that cross as bytes: encoders, decoders and the sockets of the server's own processes."""

from __future__ import annotations

from small_programs import Analysed, analyse

from pathcheck.flow import imports
from pathcheck.flow.analysis import add_entry, lose_patience, solve
from pathcheck.flow.attributes import get_attribute, set_attribute
from pathcheck.flow.calls import call_value
from pathcheck.flow.model import Model
from pathcheck.flow.transfer import Transfer
from pathcheck.flow.values import Const, Obj, Value
from pathcheck.flow.world import World
from pathcheck.program.layout import Program
from pathcheck.program.lower import lower
from pathcheck.target import messages
from pathcheck.target.huggingface import facts_object
from pathcheck.target.server import run_now


def _model() -> Model:
    model = Model(package=lambda name: True)
    model.methods = messages.methods()
    return model


def test_what_is_decoded_is_what_was_encoded() -> None:
    found = analyse(
        """
        import msgspec
        class Base(msgspec.Struct):
            pass
        class Known(Base):
            pass
        hooked = False
        def hook(kind, value):
            global hooked
            hooked = True
            return value
        encoder = msgspec.msgpack.Encoder()
        decoder = msgspec.msgpack.Decoder(Base, dec_hook=hook)
        crossed = decoder.decode(encoder.encode(Known()))
        same = type(crossed) is Known
        bytes_ = decoder.decode(b"123")
        """,
        model=_model(),
    )
    assert found.plain("crossed") == {"<instance <class main:Known> >"}
    assert found.plain("same") == {True}
    assert found.plain("bytes_") == {"?any:external"}
    assert True in found.plain("hooked")


def test_a_decoder_leaves_out_what_it_does_not_expect() -> None:
    found = analyse(
        """
        import msgspec
        class One(msgspec.Struct):
            pass
        class Other(msgspec.Struct):
            pass
        encoder = msgspec.msgpack.Encoder()
        mixed = encoder.encode(One() if input() else Other())
        crossed = msgspec.msgpack.Decoder(One).decode(mixed)
        """,
        model=_model(),
    )
    assert found.plain("crossed") == {"<instance <class main:One> >"}


def test_bytes_on_a_socket_are_messages_and_broadcasts_are_not() -> None:
    found = analyse(
        """
        import zmq
        context = zmq.Context()
        context.socket(zmq.PUSH).send(b"to a process")
        context.socket(zmq.PUB).send(b"to anybody")
        """,
        model=_model(),
    )
    sent = [atom.value for value in found.world.sent.values() for atom in value.atoms]
    assert sent == [b"to a process"]


def test_who_waits_for_a_message_is_lifted_only_when_nobody_is_left_to_answer() -> None:
    source = "import zmq\nsocket = zmq.Context().socket(zmq.PULL)\ngot = socket.recv_pyobj()\nafter = 1\n"
    texts = {"main.py": source}
    program = Program("", {path: path for path in texts}, lambda path: lower(texts[path]))
    world = World(program, _model(), "main")
    world.patient = True
    add_entry(world, lambda frame: imports.import_module(frame, "main"))
    solve(world)
    found = Analysed(world)
    assert found.reached() == {1, 2, 3}
    lose_patience(world)
    assert found.reached() == {1, 2, 3, 4}


MESSAGE = """
    class Message:
        def __init__(self):
            self.seen = 'nowhere'
    message = Message()
"""


def test_what_goes_back_and_forth_between_two_processes_stays_one_object_in_each() -> None:
    one, other = (analyse(MESSAGE, model=_model()).world for _ in range(2))
    there, back = Transfer(one, other), Transfer(other, one)
    first = Analysed(one).value("message")
    for _ in range(3):
        copied = _bring(other, there, first)
        _write(other, copied, "seen", "there")
        assert _bring(one, back, copied) is first
    assert len(other.origins) == 1 and not one.origins
    (message,) = first.atoms
    assert isinstance(message, Obj)
    assert {a.value for a in message.fields["seen"].value.atoms if isinstance(a, Const)} == {
        "nowhere",
        "there",
    }


def test_a_configuration_arrives_as_what_it_was() -> None:
    """A dict among the facts is a dict in the other process too, whose ``get`` is the dict's own."""
    one, other = (analyse("pass").world for _ in range(2))
    made: list[Value] = []
    content = {"quant_method": "fp8"}
    run_now(one, lambda frame: made.append(facts_object(frame, "model_config.quant", content, config=False)))
    copied = _bring(other, Transfer(one, other), made[0])
    found: list[Value] = []
    run_now(
        other,
        lambda frame: found.append(
            call_value(frame, get_attribute(frame, copied, "get", 0), (other.u.const("quant_method"),), {}, 0)
        ),
    )
    assert [a.value for a in found[0].atoms if isinstance(a, Const)] == ["fp8"] and len(found[0].atoms) == 1


def _bring(world: World, transfer: Transfer, value: Value) -> Value:
    found: list[Value] = []
    run_now(world, lambda frame: found.append(transfer.value(frame, value)))
    return found[0]


def _write(world: World, value: Value, name: str, text: str) -> None:
    run_now(world, lambda frame: set_attribute(frame, value, name, world.u.const(text), 0))


PICKLED = """
    import zmq
    class Stats:
        def __getstate__(self):
            return {"n": 1}
        def __setstate__(self, state):
            self.n = state["n"]
    class Arguments:
        def __reduce__(self):
            return rebuild, (type(self), 3)
    def rebuild(kind, n):
        seen.append(n)
        return kind()
    seen = []
    socket = zmq.Context().socket(zmq.PUSH)
    message = [Stats(), Arguments()]
    socket.send_pyobj(message)
    got = socket.recv_pyobj()
"""


def test_objects_take_themselves_apart_where_they_are_sent_and_together_where_they_arrive() -> None:
    one, other = (analyse(PICKLED, model=_model()).world for _ in range(2))
    assert not Analysed(one).reached() & {4, 6, 9, 11}
    there = Transfer(one, other)
    copied = _bring(other, there, Analysed(one).value("message"))
    run_now(other, lambda frame: other.grow(other.received, copied))
    solve(one)
    assert {4, 9} <= Analysed(one).reached()
    run_now(other, lambda frame: other.grow(other.rebuilt, there.value(frame, one.reduced.value)))
    solve(other)
    assert {6, 11, 12} <= Analysed(other).reached()
