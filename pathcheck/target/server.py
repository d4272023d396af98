"""The server's processes: one world each, joined by spawning and by messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pathcheck.flow import analysis, calls, imports, pickling
from pathcheck.flow.frame import Frame
from pathcheck.flow.model import Model
from pathcheck.flow.transfer import Transfer
from pathcheck.flow.values import Const, Function, Value
from pathcheck.flow.world import World
from pathcheck.program.layout import Program
from pathcheck.target import (
    arguments,
    checkpoint_files,
    entries,
    huggingface,
    messages,
    ops,
    ordinary,
    packages,
    platform,
    process_groups,
    torch_module,
)
from pathcheck.target.phases import entries_of

#: Roles by the function that a process runs.
ROLES = (
    ("scheduler", "run_scheduler_process"), ("controller", "run_data_parallel_controller_process"),
    ("detokenizer", "run_detokenizer_process"),
)  # fmt: skip
#: Rounds of exchanging messages between the processes.
MAX_ROUNDS = 30


class Server:
    """All processes of one server at one revision, analysed together."""

    def __init__(
        self, program: Program, server_args: Mapping[str, Any], env: Mapping[str, str | None],
        env_unlisted: str,
        facts: Mapping[str, Any], required: set[str], progress: Callable[[str], None] = lambda text: None,
    ) -> None:  # fmt: skip
        self.program = program
        self.server_args, self.env, self.env_unlisted, self.facts = server_args, env, env_unlisted, facts
        self.required = required
        self.progress = progress
        self.command_line = arguments.CommandLine(server_args)
        self.checkpoints = huggingface.Checkpoints(facts, server_args)
        self.files = checkpoint_files.CheckpointFiles(self.checkpoints)
        self.worlds: dict[str, World] = {}
        self._transfers: dict[tuple[World, World], Transfer] = {}
        #: what each copier has brought of ``World.reduced``
        self._rebuilt: dict[Transfer, Value] = {}
        #: what was delivered last, and how far the sender had come
        self._delivered: dict[tuple[World, World], tuple[Value, int]] = {}
        self._started: dict[World, list[tuple[Value, tuple[Value, ...], dict[str, Value]]]] = {}

    # ---- running ------------------------------------------------------------
    def run(self) -> None:
        """Find the fixpoint of every process in three steps.

        The ordinary load; whatever else may happen to ordinary requests; odd requests.
        """
        main = self._world("main")
        analysis.add_entry(main, self._start_main, starts=True)
        self._solve(main, 1)
        analysis.add_entry(main, self._serve)  # requests find what start-up has loaded
        for stage in (1, 2, 3):
            for world in list(self.worlds.values()):
                self._solve(world, stage)
            self._converse(stage)
            for world in reversed(list(self.worlds.values())):  # the last one spawned hears of nobody else
                analysis.lose_patience(world)
                self._converse(stage)

    def _converse(self, stage: int) -> None:
        for _ in range(MAX_ROUNDS):
            over = stage > 1 and any(world.exhausted for world in self.worlds.values())
            if over or not self._exchange(stage):
                break

    def _solve(self, world: World, stage: int) -> None:
        """Find a world's fixpoint; no further step where one is exhausted: nothing is called dead then."""
        if stage > 1 and any(w.exhausted for w in self.worlds.values()):
            return
        self.progress(f"{world.role}: step {stage}")
        if stage > 1 and world.stage == 1:
            analysis.open_stage_two(world)
        if stage > 2 and not world.odd_requests:
            analysis.admit_odd_requests(world)
        else:
            analysis.solve(world)

    def _exchange(self, stage: int) -> bool:
        """Start the processes that were spawned and deliver what was sent; False when nothing is new."""
        changed = False
        for world in list(self.worlds.values()):
            changed = self._spawn(world) or changed
        sent = {
            world: world.u.join_all(world.sent[k] for k in sorted(world.sent))
            for world in self.worlds.values()
        }
        for source, value in sent.items():
            for target in self.worlds.values():
                if target is not source and value.atoms:
                    self._deliver(source, target, value)
        for transfer in list(self._transfers.values()):
            self._rebuild(transfer)
        for world in list(self.worlds.values()):
            if world.pending or world.stage < min(stage, 2) or (stage > 2 and not world.odd_requests):
                changed = True
                self._solve(world, stage)
        return changed

    def _deliver(self, source: World, target: World, value: Value) -> None:
        state = (value, source.evaluations)
        if self._delivered.get((source, target)) == state:
            return  # nothing that hangs on the messages has changed
        self._delivered[source, target] = state
        transfer = self._transfer(source, target)

        def bring(fr: Frame) -> None:
            fr.world.grow(fr.world.received, transfer.value(fr, value))

        run_now(target, bring)

    def _rebuild(self, transfer: Transfer) -> None:
        """What objects say of how they are put together again arrives with them."""
        value = transfer.source.reduced.value
        if value.atoms and self._rebuilt.get(transfer) is not value:
            self._rebuilt[transfer] = value
            run_now(transfer.target, lambda fr: fr.world.grow(fr.world.rebuilt, transfer.value(fr, value)))

    def _transfer(self, source: World, target: World) -> Transfer:
        found = self._transfers.get((source, target))
        if found is None:
            found = self._transfers[source, target] = Transfer(source, target)
        return found

    def _spawn(self, parent: World) -> bool:
        """New worlds for the processes that ``parent`` starts; known ones get wider arguments."""
        changed = False
        for key in sorted(parent.spawned):
            target, args, keywords = parent.spawned[key]
            for atom in target.atoms:
                if not isinstance(atom, Function):
                    continue
                role = next((r for r, name in ROLES if name == atom.code.name), atom.code.name)
                world = self.worlds.get(role)
                if world is None:
                    world = self._world(role)
                    self._inherit_environment(parent, world)
                    changed = True
                    self._begin(parent, world, atom)
                started = self._started.setdefault(world, [])
                call = (parent.u.single(atom), args, keywords)
                if call not in started:
                    started.append(call)
                    changed = True
                    self._call_spawned(parent, world, atom, args, keywords)
        return changed

    def _inherit_environment(self, parent: World, world: World) -> None:
        """A spawned process starts with the environment its parent has by then."""
        from pathcheck.flow.heap import Cell

        for name, cell in parent.environ.items():
            copy = world.environ[name] = Cell(world.u.bottom)
            constants = [a for a in cell.value.atoms if isinstance(a, Const)]
            copy.value = world.u.join_all(world.u.const(a.value) for a in constants)
            if len(constants) < len(cell.value.atoms):
                copy.value = world.u.join(copy.value, world.u.unknown("str", "runtime"))

    def _begin(self, parent: World, world: World, function: Function) -> None:
        entry = self._entry_module()

        def start(fr: Frame) -> None:
            if entry in fr.world.program.modules:
                imports.import_module(fr, entry)

        analysis.add_entry(world, start, starts=True)

    def _call_spawned(
        self,
        parent: World,
        world: World,
        function: Function,
        args: tuple[Value, ...],
        keywords: dict[str, Value],
    ) -> None:
        transfer = self._transfer(parent, world)

        def call(fr: Frame) -> None:
            target = transfer.value(fr, parent.u.single(function))
            positional = [transfer.value(fr, v) for v in args]
            named = {k: transfer.value(fr, v) for k, v in keywords.items()}
            pickling.arrive(fr, 0)
            calls.call_value(fr, target, positional, named, 0)

        analysis.add_entry(world, call, starts=True)

    # ---- entries --------------------------------------------------------------
    def _entry_module(self) -> str:
        return "sglang.launch_server"

    @property
    def _through_engine(self) -> bool:
        return "Engine" in str(self.facts.get("entry_point", ""))

    def _start_main(self, fr: Frame) -> None:
        """The process that the user starts."""
        if self._through_engine:
            imports.import_module(fr, "sglang")
            engine = entries.function(fr, "sglang.srt.entrypoints.engine:Engine")
            given = {name: self.command_line.value(fr, name) for name in self.server_args}
            if engine is not None:
                calls.call_value(fr, engine, (), given, 1)
            return
        imports.import_module(fr, self._entry_module())

    def _serve(self, fr: Frame) -> None:
        """Requests arrive in the main process."""
        entries.serve(fr, self._through_engine)

    # ---- worlds -----------------------------------------------------------------
    def _world(self, role: str) -> World:
        world = World(self.program, self.model(role), role)
        world.patient = True
        world.main_module = self._entry_module() if role == "main" and not self._through_engine else ""
        self.worlds[role] = world
        return world

    def model(self, role: str) -> Model:
        """The description of everything outside the program, for one process."""
        gpu = self.facts.get("gpu") or {}
        model = Model()
        model.package = packages.presence(self.facts, self.required, gpu.get("platform"))
        model.assumed_package = packages.assumed(self.facts, self.required)
        model.environ = dict(self.env)
        model.environ_else = self.env_unlisted
        model.attributes = {**platform.attributes(self.facts), **ops.attributes(self.server_args)}
        model.calls = {
            **platform.calls(self.facts), **huggingface.summaries(self.checkpoints),
            **torch_module.summaries(), **ops.calls(self.facts),
            **process_groups.calls(), **self.files.summaries(),
        }  # fmt: skip
        model.methods = {
            **torch_module.methods(), **messages.methods(), **self.command_line.methods(),
            **huggingface.class_methods(self.checkpoints), **self.files.methods(),
        }  # fmt: skip
        model.attributes_of = {**torch_module.attributes_of(), huggingface.CONFIG: huggingface.CONFIG_METHODS}
        model.attributes_of["argparse.Namespace"] = frozenset()
        model.attributes_of.update(dict.fromkeys(huggingface.CONFIG_NAMES, huggingface.CONFIG_METHODS))
        model.data_of = {  # the generic configuration object carries the defaults too
            **dict.fromkeys(huggingface.CONFIG_NAMES, huggingface.CONFIG_DATA),
            **torch_module.data_of(),
        }
        model.results = ops.results(self.facts, self.server_args)
        model.refinements = process_groups.refinements()
        model.passes_on = ops.PASSES_ON
        model.ordinary_results = ordinary.results()
        model.functions = ops.functions()
        model.ordinary_choices = ordinary.choices()
        model.external_attributes = platform.tensor_attributes(self.facts)
        model.closed = ordinary.closed()
        model.request_texts = ordinary.request_texts(self.server_args)
        model.is_configuration = huggingface.is_configuration
        model.configuration = huggingface.CONFIG
        model.heap_depth = ops.HEAP_DEPTH
        model.objects = ops.OBJECTS
        model.serves = serves
        model.serving = serving(role)
        model.plain_data = ops.PLAIN_DATA
        model.no_callback = ops.NO_CALLBACK
        model.keepers = ops.KEEPERS
        model.loose_keepers = ops.LOOSE_KEEPERS
        model.runs_by_name = ops.RUNS_BY_NAME
        model.ordinary_exceptions = ops.ORDINARY_EXCEPTIONS
        return model


def serving(role: str) -> frozenset[str]:
    """The functions in which a process begins to serve: the roots of its ``schedule`` phase."""
    return frozenset(
        root.function for entry in entries_of("schedule") if entry.role == role for root in entry.roots
    )


def serves(role: str, reached: Callable[[str], bool]) -> bool:
    """Whether a process has come to its loop."""
    loops = serving(role)
    return not loops or any(reached(name) for name in loops)


def run_now(world: World, action: Callable[[Frame], None]) -> None:
    """Run an action in a world once, outside its worklist."""
    context = analysis.add_entry(world, action)
    context.dirty = False
    from pathcheck.flow.evaluation import evaluate_context

    analysis.within_bounds(world, lambda: evaluate_context(world, context))
    del world.entries[context]
