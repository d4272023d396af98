"""One process: its modules, heap and contexts, and the worklist that finds the fixpoint.

Cells know the contexts that read them, contexts know their callers; what
changes puts its dependents back on the worklist.  Callees are evaluated
depth-first when first seen, so most results exist before they are needed.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pathcheck.flow.context import Context, Mode
from pathcheck.flow.heap import Cell
from pathcheck.flow.model import Model
from pathcheck.flow.modules import ModuleState
from pathcheck.flow.values import Atom, External, Function, Klass, Module, Obj, Universe, Value
from pathcheck.program.layout import Program

if TYPE_CHECKING:
    from pathcheck.flow.frame import Frame
    from pathcheck.program.ir import Code

#: Calls nested deeper than this are left to the worklist.
MAX_DEPTH = 120
#: Callees walked in place from which on a context counts as expensive.
HEAVY = 8
#: Objects of one allocation site before heap contexts are given up there.
MAX_SITE_OBJECTS = 12
#: The same at import, where a call runs once, and where functions tell objects apart: a registry has
#: an entry, a decorator an object, for each that is registered or decorated.
MAX_REGISTERED = 1024
#: Objects of which each turn of a loop makes its own: a row under construction holds one element's values.
#: In a module's body, which runs once, that holds for all: the rows of a table become entries of a registry.
PER_TURN = frozenset(("dict", "list", "set"))
#: Functions of one definition that the constants in their defaults tell apart.
MAX_VARIANTS = 128


class World:
    """The state of the analysis of one process."""

    def __init__(self, program: Program, model: Model, role: str) -> None:
        self.u = Universe()
        self.program = program
        self.model = model
        self.role = role
        #: the module that runs as ``__main__``
        self.main_module = ""
        #: 1: the ordinary load; 2: everything else on top
        self.stage = 1
        self.modules: dict[str, ModuleState] = {}
        self.contexts: list[Context] = []
        self._modes: dict[Any, Mode] = {}
        self.no_mode = self.mode({})
        self._queue: list[tuple[int, int]] = []
        self._heavy: list[tuple[int, int]] = []
        self._site_objects: dict[Any, int] = {}
        #: objects of each program class, for what only an annotation tells
        self.extents: dict[Klass, Cell] = {}
        self.environ: dict[str, Cell] = {}
        #: attributes written on external objects, by name
        self.external_fields: dict[Any, Cell] = {}
        #: (module, unit) whose missing value is lifted to Unknown, and why it was stuck
        self.lifted: dict[tuple[str, int], str] = {}
        #: the work that may be done was not enough: what is not reached by now is not known to be dead
        self.exhausted = False
        #: other processes may still answer: what waits for them is not stuck yet
        self.patient = False
        #: (module, unit) at which a process ends, and why; the analysis goes on behind it
        self.stops: dict[tuple[str, int], str] = {}
        #: processes started: (function, positional values)
        self.spawned: dict[Any, tuple[Value, tuple[Value, ...], dict[str, Value]]] = {}
        self.evaluations = 0
        #: evaluations when statements that are stuck were last looked for
        self.lift_asked = -1
        self.by_name_edges = 0
        self.widened = 0
        self.progress: Callable[[World], None] | None = None
        #: contexts whose reading depends on the stage
        self.stage_readers: dict[Context, None] = {}
        #: values that arrive by message, by class name, and what is sent
        self.sent: dict[Any, Value] = {}
        self.received = Cell(self.u.bottom)
        #: objects that leave and say how, what they say; such as arrive, calls that make them (``pickling``)
        self.pickled, self.reduced = Cell(self.u.bottom), Cell(self.u.bottom)
        self.unpickled, self.rebuilt = Cell(self.u.bottom), Cell(self.u.bottom)
        #: copies of other processes' objects -> where they were made, and the object there
        self.origins: dict[Obj, tuple[World, Obj]] = {}
        #: functions that belong to whatever keeper of the process is run
        self.kept_loosely = Cell(self.u.bottom)
        #: generator object -> the activations whose body it is
        self.generators: dict[Obj, dict[Context, None]] = {}
        #: set object -> the statement and the elements that it was last made with
        self.made_sets: dict[Obj, tuple[int, tuple[Value, ...]]] = {}
        #: what an entry context does: the analysis' own first calls
        self.entries: dict[Context, Callable[[Frame], None]] = {}
        #: the entries with which the process begins; the others are requests
        self.starts: set[Context] = set()
        #: requests that are not ordinary arrive as well, when all else is known
        self.odd_requests = False
        #: calls of third parties with which serving begins: (context, unit)
        self.serving_points: dict[tuple[Context, int], None] = {}
        #: what third parties call that were given it: threads, tasks, hooks
        self.called_later: dict[Context, None] = {}
        #: calls that leave the program, for the call graph: (context, place) -> stage; None: not noted
        self.outside: dict[tuple[Context, Any], int] | None = None
        #: whether a call between two contexts is the caller's own and not only a third party's callback;
        #: kept where ``outside`` is
        self.own_calls: dict[tuple[Context, Context], bool] = {}
        #: the context whose third-party callee calls back right now
        self.calling_back: Context | None = None
        #: any module may be the one that runs as ``__main__``
        self.any_main = False
        #: objects whose third-party call is being walked right now
        self.active: set[Obj] = set()
        #: module bodies that are being walked right now, one inside the other
        self.importing = 0
        #: modules that have run to their end: value, and contexts of the module and its packages
        self.imported: dict[str, tuple[Value, tuple[Context, ...]]] = {}
        #: why a module could not be imported, by name
        self.import_failures: dict[str, str] = {}

    # ---- modes -------------------------------------------------------------
    def mode(self, overrides: dict[tuple[Atom, Any], Value]) -> Mode:
        """The one mode with these overrides."""
        key = frozenset(overrides.items())
        found = self._modes.get(key)
        if found is None:
            found = self._modes[key] = Mode(len(self._modes), dict(overrides))
        return found

    # ---- cells -------------------------------------------------------------
    def cell(self, fields: dict[Any, Cell], name: Any) -> Cell:
        found = fields.get(name)
        if found is None:
            found = fields[name] = Cell(self.u.bottom)
        return found

    def read(self, fr: Frame, fields: dict[Any, Cell], name: Any) -> Value:
        """The value of a cell; the frame's root is evaluated again when it grows."""
        cell = fields.get(name)
        if cell is None:
            cell = fields[name] = Cell(self.u.bottom)
        cell.readers[fr.root] = None
        return cell.value

    def write(self, fr: Frame, cell: Cell, value: Value, foreign: bool = True) -> None:
        """Join ``value`` into a cell and remember where it came from."""
        key = (fr.context.module.name, fr.unit)
        before = cell.writes.get(key)
        cell.writes[key] = value if before is None else self.u.join(before, value)
        self.grow(cell, value, foreign)

    def grow(self, cell: Cell, value: Value, foreign: bool = True) -> None:
        """Join ``value`` into a cell; wake its readers if it changed."""
        joined = self.u.join(cell.value, value)
        changed = joined is not cell.value
        cell.value = joined
        if foreign:
            wider = self.u.join(cell.foreign, value)
            changed = changed or wider is not cell.foreign
            cell.foreign = wider
        if changed:
            for reader in cell.readers:
                self.mark(reader)

    # ---- atoms that live in a world -----------------------------------------
    def function(
        self, module: ModuleState, code: Code, env: Context | None, defaults: tuple[Any, ...] = ()
    ) -> Function:
        """The function of a definition in an activation; ``defaults`` tell those of a loop's rounds apart."""
        if not code.has_free:
            env = None
        key = ("function", module.name, code.index, env)
        if defaults:
            count = self._site_objects.get(key, 0)
            if (*key, defaults) not in self.u._interned and count < MAX_VARIANTS:
                self._site_objects[key] = count + 1
            if (*key, defaults) in self.u._interned or count < MAX_VARIANTS:
                return self.u.intern((*key, defaults), lambda: Function(module, code, env))
        return self.u.intern(key, lambda: Function(module, code, env))

    def keyword_site(
        self, owner: Atom, given: tuple[tuple[str, Value], ...], rest: Value | None
    ) -> tuple[Any, ...]:
        """What names the dict of a ``**`` parameter: its content; past a number of contents, the keywords."""
        key = ("kwargs", owner, given, rest)
        if key in self.u._interned:
            return key
        count = self._site_objects[owner] = self._site_objects.get(owner, 0) + 1
        if count <= MAX_SITE_OBJECTS:
            return key
        self.widened += 1
        return ("kwargs", owner, tuple(name for name, _ in given), rest is not None)

    def klass(self, module: ModuleState, index: int, env: Context | None) -> Klass:
        assert module.ir is not None
        info = module.ir.classes[index]
        if not module.ir.codes[info.code].has_free:
            env = None
        key = ("class", module.name, index, env)
        return self.u.intern(key, lambda: Klass(module, info, env))

    def alloc(self, fr: Frame, kind: str, klass: Atom | None, pos: Any, depth: int = 2) -> Obj:
        """The abstract object for an allocation here; registers it with its classes."""
        # calls in a chain begin at one place: what each makes is told apart by what it is
        what = klass.seq if klass is not None else 0
        site: tuple[Any, ...] = (fr.module.name, fr.code.index, pos, kind, what)
        if fr.turn is not None and (kind in PER_TURN or fr.code.kind == "module"):
            site = (*site, fr.turn)
        if isinstance(klass, Klass):
            depth = self.class_depth(klass, depth)
        elif isinstance(klass, External):
            depth = self.model.heap_depth.get(klass.name, depth)
        if depth < 0:
            site = ("one for the class", klass.seq if klass is not None else 0)
        context = heap_context(fr.context.hobjs, depth)
        key = ("object", site, context)
        found = self.u._interned.get(key)
        if found is None:
            count = self._site_objects[site] = self._site_objects.get(site, 0) + 1
            registers = self.importing > 0 or any(type(a) is Function for a in fr.context.hobjs)
            if count > (MAX_REGISTERED if registers else MAX_SITE_OBJECTS) and context:
                key = ("object", site, ())
                self.widened += 1
                context = ()
            found = self.u.intern(key, lambda: Obj(kind, klass, site, context))
            if isinstance(found, Obj):
                found.at_import = self.importing > 0
        assert isinstance(found, Obj)
        return found

    def class_depth(self, klass: Klass, depth: int) -> int:
        """Levels of allocator context that a class's objects keep: by its name, its bases, or the default."""
        order = klass.mro_cache
        known = klass.flags.get("depth")
        if known is not None and known[0] is order:
            return int(known[1])
        name = f"{klass.module.name}:{klass.info.qualname}"
        stated = [v for p, v in self.model.heap_depth.items() if name.startswith(p)]
        stated += [
            self.model.heap_depth[b.name]
            for b in order or ()
            if isinstance(b, External) and b.name in self.model.heap_depth
        ]
        found = min(stated, default=depth)
        klass.flags["depth"] = (order, found)
        return found

    def extent(self, klass: Klass) -> Cell:
        found = self.extents.get(klass)
        if found is None:
            found = self.extents[klass] = Cell(self.u.bottom)
        return found

    # ---- contexts and worklist ------------------------------------------------
    def new_context(
        self, module: ModuleState, code: Code, function: Function | None, env: Context | None
    ) -> Context:
        context = Context(len(self.contexts), module, code, function, env)
        context.mode = self.no_mode
        context.result = self.u.bottom
        context.stage = self.stage
        self.contexts.append(context)
        return context

    def mark(self, context: Context) -> None:
        """Put a context on the worklist."""
        if not context.dirty and not context.settled:
            context.dirty = True
            # A context that walks many callees in place waits until the cheap ones have settled.
            queue = self._heavy if context.deferred or len(context.inlines) > HEAVY else self._queue
            heapq.heappush(queue, (-context.seq, context.seq))

    @property
    def pending(self) -> bool:
        """Whether anything is on the worklist that may still be done."""
        queued = (*self._queue, *self._heavy)
        return not self.exhausted and any(self.contexts[seq].dirty for _, seq in queued)

    def solve(self, evaluate: Callable[[Context], None]) -> None:
        """Evaluate until nothing is on the worklist. Sweeps run callee first."""
        while self._queue or self._heavy:
            if not self._queue:
                heapq.heappush(self._queue, heapq.heappop(self._heavy))
            sweep, self._queue = self._queue, []
            heapq.heapify(sweep)
            while sweep:
                context = self.contexts[heapq.heappop(sweep)[1]]
                if context.dirty:
                    evaluate(context)
                if self.progress is not None and self.evaluations % 512 == 0:
                    self.progress(self)

    def module_atom(self, state: ModuleState) -> Module:
        return self.u.intern(("module", state.name), lambda: Module(state))


def heap_context(hobjs: tuple[Atom, ...], depth: int) -> Any:
    """What tells objects of one site apart: the allocators' sites, ``depth`` levels of them."""
    if depth <= 0:
        return ()
    return tuple(
        (o.site, truncate(o.heap_context, depth - 1)) if isinstance(o, Obj) else (("atom", o.seq), ())
        for o in hobjs
    )


def truncate(context: Any, depth: int) -> Any:
    if depth <= 0:
        return ()
    return tuple((site, truncate(inner, depth - 1)) for site, inner in context)
