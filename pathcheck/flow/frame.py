"""A frame: the state of one evaluation of a body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pathcheck.flow.context import Context, Mode

if TYPE_CHECKING:
    from pathcheck.flow.modules import ModuleState
    from pathcheck.flow.values import Obj, Value
    from pathcheck.flow.world import World
    from pathcheck.program.ir import Code

#: Locals by name; fields of objects under construction by (object, field); "#mode" is the mode.
Env = dict[Any, Any]
MODE = "#mode"


class Dead(Exception):
    """Evaluation cannot continue: bottom. The frame holds the reason."""


class Track:
    """An object under construction in the frames above; its fields live in the environment."""

    __slots__ = ("escaped",)

    def __init__(self) -> None:
        self.escaped = False


class Frame:
    """The flow-sensitive state while a body is walked forward."""

    __slots__ = (
        "breaks",
        "code",
        "context",
        "continues",
        "depth",
        "env",
        "finals",
        "handlers",
        "inline_chain",
        "module",
        "pending",
        "raises",
        "reason",
        "repeats",
        "result",
        "result_env",
        "root",
        "succeeds",
        "tracked",
        "turn",
        "unit",
        "world",
        "yields",
    )

    def __init__(self, world: World, context: Context, root: Context, env: Env, depth: int) -> None:
        self.world = world
        self.context = context
        #: the memoised context that depends on what is read here
        self.root = root
        self.module: ModuleState = context.module
        self.code: Code = context.code
        #: the names on this path, None behind its end (``Env | None``: any walk changes it, whatever
        #: a test before the walk said, so that a checker must not narrow it)
        self.env: Any = env
        self.depth = depth
        self.tracked: dict[Obj, Track] = {}
        self.result: Value = world.u.bottom
        #: the names at every ``return`` so far (``Env | None``, as above)
        self.result_env: Any = None
        self.raises: dict[Any, None] = {}
        self.breaks: list[list[Env]] = []
        self.continues: list[list[Env]] = []
        #: environments from which an exception may leave, one list for each open ``try``
        self.handlers: list[list[Env]] = []
        #: how many of them belong to a ``finally``, which catches nothing
        self.finals = 0
        #: the last summary said that its call surely does not raise
        self.succeeds = False
        #: comprehensions that are open
        self.repeats = 0
        #: which turn of the outermost loop is walked, where its turns are walked one by one
        self.turn: int | None = None
        self.unit = -1
        self.reason = ""
        self.yields: Value = world.u.bottom
        self.inline_chain: tuple[Any, ...] = ()
        #: globals that a module body has assigned since they were last made visible
        self.pending: dict[str, None] = {}

    @property
    def mode(self) -> Mode:
        assert self.env is not None
        mode: Mode = self.env[MODE]
        return mode

    def die(self, reason: str) -> Dead:
        """Note why evaluation stops; raise what this returns."""
        self.reason = reason
        return Dead()
