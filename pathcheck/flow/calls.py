"""Calls: dispatch over callee atoms, binding, contexts, inlining, construction."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from pathcheck.flow import (
    attributes,
    builtin_calls,
    callgraph,
    classes,
    containers,
    evaluation,
    externals,
    hints,
    naming,
    order,
)
from pathcheck.flow import expressions as ex
from pathcheck.flow.construction import escape, publish, tracked_part
from pathcheck.flow.context import Context, Mode
from pathcheck.flow.env import join_env, join_mode
from pathcheck.flow.frame import MODE, Dead, Env, Frame, Track
from pathcheck.flow.values import (
    Atom,
    Builtin,
    BuiltinMethod,
    Const,
    External,
    Function,
    Klass,
    Method,
    Obj,
    Sequence,
    Unknown,
    Value,
    Wrapped,
)
from pathcheck.flow.world import MAX_DEPTH, World
from pathcheck.program.ir import Node

#: Contexts of one function and receiver before constants, then objects, stop telling calls apart;
#: contexts of one function before receivers do.
CAP_CONSTANTS, CAP_OBJECTS, CAP_RECEIVERS = 40, 80, 2000
#: Modes of one function that are told apart; the others share one, in which each place holds all values.
CAP_MODES = 8
#: A function of at most this many lines costs little to walk: it may have so many times more contexts.
SHORT, SHORT_FACTOR = 20, 5
#: Things that the only argument of a short function may be, and still have a call each.
MAX_ONE_BY_ONE = 8
#: One that a loop calls for each of its known elements, or that is called at import, may have as many
#: as such a loop has turns: it runs once for each.
TURNS_FACTOR = 25
#: Nested calls that are analysed in place for an object under construction.
MAX_INLINE = 12
MAX_SELECTOR_TEXT = 40
#: End of the reason why a call does not return yet: it is being walked, further out.
RECURSION = ", so far"


class Args:
    """Values at a call: exact positional and keyword ones, and what unknown further ones may be."""

    __slots__ = ("keywords", "positional", "rest", "rest_keywords")

    def __init__(self, positional: Iterable[Value] = (), keywords: dict[str, Value] | None = None) -> None:
        self.positional = list(positional)
        self.keywords = keywords or {}
        self.rest: Value | None = None
        self.rest_keywords: Value | None = None

    def values(self) -> list[Value]:
        extra = [v for v in (self.rest, self.rest_keywords) if v is not None]
        return [*self.positional, *self.keywords.values(), *extra]

    def with_first(self, first: Iterable[Value]) -> Args:
        found = Args([*first, *self.positional], self.keywords)
        found.rest, found.rest_keywords = self.rest, self.rest_keywords
        return found


def evaluate_call(fr: Frame, node: Node) -> Value:
    """The value of a call expression."""
    _, callee_node, positional, keywords, pos = node
    callee = ex.evaluate(fr, callee_node)
    args = Args()
    rows, args.rest = ex.evaluate_rows(fr, positional)
    for name, value_node in keywords:
        value = ex.evaluate(fr, value_node)
        if name is not None:
            args.keywords[name] = value
        else:
            containers.spread_keywords(fr, value, args)
    args.positional = rows[0]
    return call(fr, callee, args, pos) if len(rows) == 1 else _call_any(fr, callee, args, rows, pos)


def _call_any(fr: Frame, callee: Value, args: Args, rows: list[list[Value]], pos: Any) -> Value:
    """The joined result of a call with either of these positional arguments; Dead where none returns."""
    before = fr.env
    ends: list[Env | None] = []
    results: list[Value] = []
    for row in rows:
        fr.env = before
        with suppress(Dead):
            one = Args(row, dict(args.keywords))
            one.rest, one.rest_keywords = args.rest, args.rest_keywords
            results.append(call(fr, callee, one, pos))
            ends.append(fr.env)
    if not results:
        raise Dead
    fr.env = _merge_ends(fr, before, ends)
    return fr.world.u.join_all(results)


def call_value(
    fr: Frame, callee: Value, positional: Iterable[Value], keywords: dict[str, Value], pos: Any
) -> Value:
    """Call with exact arguments."""
    return call(fr, callee, Args(positional, keywords), pos)


def call_quietly(fr: Frame, callee: Value, positional: Iterable[Value], pos: Any) -> Value:
    """Call that does not end the path: bottom where the callee never returns."""
    try:
        return call(fr, callee, Args(positional), pos)
    except Dead:
        return fr.world.u.bottom


def call(fr: Frame, callee: Value, args: Args, pos: Any) -> Value:
    """The joined result of every callee; Dead where none returns."""
    u = fr.world.u
    result = u.bottom
    if len(callee.atoms) == 1:
        result = call_atom(fr, callee.atoms[0], args, pos)
    else:
        before, ends = fr.env, []
        u.count(len(callee.atoms))
        results: list[Value] = []
        for atom in _callees(fr, callee):
            fr.env = before
            try:
                results.append(call_atom(fr, atom, args, pos))
                ends.append(fr.env)
            except Dead:
                continue
        result = u.join_all(results)
        fr.env = _merge_ends(fr, before, ends)
    if not result.atoms:
        if (fr.module.name, fr.unit) in fr.world.lifted:
            return u.lost
        raise Dead if fr.reason else fr.die(f"calling {callee!r:.160} never returns")
    return result


def _callees(fr: Frame, callee: Value) -> Iterable[Atom]:
    """What is called. An attribute of a third-party object is a method or data; only the method is called."""
    external = fr.world.u.external.atoms[0]
    if external in callee.atoms and any(
        isinstance(a, BuiltinMethod) and isinstance(a.receiver, Obj) for a in callee.atoms
    ):
        return [a for a in callee.atoms if a is not external]
    return callee.atoms


def _merge_ends(fr: Frame, before: Env | None, ends: list[Env | None]) -> Env | None:
    if not ends:
        return before
    result = ends[0]
    for env in ends[1:]:
        if env is not result:
            result = join_env(fr.world, result, env)
    return result


def call_atom(fr: Frame, atom: Atom, args: Args, pos: Any) -> Value:
    """Call one atom; bottom where it is not callable or never returns."""
    u = fr.world.u
    if isinstance(atom, Function):
        return call_function(fr, atom, None, args, pos)
    if isinstance(atom, Method):
        return call_function(fr, atom.function, atom.receiver, args, pos)
    if fr.world.outside is not None:
        callgraph.note_outside(fr, atom)
    if isinstance(atom, Klass):
        return instantiate(fr, atom, args, pos)
    if isinstance(atom, External):
        return externals.call_external(fr, atom, args, pos)
    if isinstance(atom, Builtin):
        return builtin_calls.call_builtin(fr, atom.name, args, pos)
    if isinstance(atom, BuiltinMethod):
        return builtin_calls.call_method(fr, atom, args, pos)
    if isinstance(atom, Unknown):
        return externals.call_unknown(fr, atom, args, pos)
    if isinstance(atom, Wrapped):
        return call_atom(fr, atom.inner, args, pos)
    if isinstance(atom, Obj):
        return _call_object(fr, atom, args, pos)
    return u.bottom


def _call_object(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    u = fr.world.u
    if obj.kind == "partial":
        return _call_partial(fr, obj, args, pos)
    if obj.kind == "getter":
        from pathcheck.flow import stdlib

        return stdlib.call_getter(fr, obj, tuple(args.positional), pos)
    if isinstance(obj.klass, Klass):
        found = classes.lookup(fr, obj.klass, "__call__")  # implicit calls look at the type only
        if found is not None:
            return call(fr, attributes.bind(fr, found[0], obj, found[1], pos), args, pos)
        return externals.call_instance(fr, obj, args, pos)
    if obj.kind == "generator" and args.positional:
        return args.positional[0]
    if obj.kind == "external":
        return externals.call_external_object(fr, obj, "__call__", args, pos)
    return u.bottom


def _call_partial(fr: Frame, obj: Obj, args: Args, pos: Any) -> Value:
    world = fr.world
    inner = world.read(fr, obj.fields, "func")
    fixed = world.read(fr, obj.fields, "args")
    keywords = {
        key[1]: world.read(fr, obj.fields, key)
        for key in list(obj.fields)
        if type(key) is tuple and key[0] == "keyword"
    }
    world.read(fr, obj.fields, "[keywords]")
    result = world.u.bottom
    for atom in fixed.atoms:
        if isinstance(atom, Sequence) and atom.items is not None:
            merged = args.with_first(atom.items)
            merged.keywords = {**keywords, **args.keywords}
            result = world.u.join(result, call(fr, inner, merged, pos))
    return result


# ---- program functions -----------------------------------------------------
def call_function(fr: Frame, function: Function, receiver: Atom | None, args: Args, pos: Any) -> Value:
    """Call a function of the program: summaries, then in place or in a context of its own."""
    world = fr.world
    name = f"{function.module.name}:{function.code.qualname}"
    model = world.model
    if name in model.closed:
        return world.u.external
    if receiver is not None:
        args = args.with_first((world.u.single(receiver),))
    summary = model.functions.get(name)
    if summary is not None:
        found = summary(fr, tuple(args.positional), args.keywords, pos)
        if found is not None:
            return found
    params = bind(fr, function, args)
    if params is None:
        return world.u.bottom
    if fr.tracked and not _later(fr, function) and _inlined(fr, function, args):
        result = call_inline(fr, function, receiver, params, pos)
    elif _one_by_one(function, params):
        result = _call_for_each(fr, function, params)
    else:
        result = call_context(fr, function, receiver, params)
    if not result.atoms and function.code.is_async and not function.code.is_generator:
        # Calling a coroutine function never blocks; awaiting what it gives does.
        return world.u.single(
            world.u.intern(("coroutine", function), lambda: Obj("coroutine", None, "coroutine", ()))
        )
    passed = model.passes_on.get(name)
    if passed is not None:
        return params[passed]
    refinement = model.refinements.get(name)
    if refinement is not None and result.atoms:
        return refinement(fr, params, result)
    return _with_result_facts(fr, name, result)


def _one_by_one(function: Function, params: dict[str, Value]) -> bool:
    """Whether a call is analysed for each thing that its only argument may be (Agesen's cartesian product).

    A short function of one argument often gives that argument back: were its calls with several things
    one, it would give each caller what all of them pass.
    """
    code = function.code
    if len(params) != 1 or code.end_line - code.line >= SHORT or code.is_generator or code.is_async:
        return False
    (value,) = params.values()
    return 1 < len(value.atoms) <= MAX_ONE_BY_ONE


def _call_for_each(fr: Frame, function: Function, params: dict[str, Value]) -> Value:
    u = fr.world.u
    ((name, value),) = params.items()
    return u.join_all(call_context(fr, function, None, {name: u.single(atom)}) for atom in value.atoms)


def _with_result_facts(fr: Frame, name: str, result: Value) -> Value:
    """A stated result replaces the body's; the body has been walked for what it makes live."""
    world, model = fr.world, fr.world.model
    if name in model.results:
        given = model.results[name]
        return given(fr) if callable(given) else world.u.const(given)
    if name in model.ordinary_results:
        world.stage_readers[fr.root] = None
        if world.stage == 1:
            return world.u.const(model.ordinary_results[name])
    chosen = model.ordinary_choices.get(name)
    if chosen is not None:
        world.stage_readers[fr.root] = None
        if world.stage == 1:
            kept = world.u.value(tuple(a for a in result.atoms if chosen(a)))
            return kept if kept.atoms else result
    return result


def bind(fr: Frame, function: Function, args: Args) -> dict[str, Value] | None:
    """Parameters by name (language reference 6.3.4); None where the call does not fit.

    A lifted call goes on all the same, with a lost value for each argument that it misses.
    """
    u, code = fr.world.u, function.code
    lifted = (fr.module.name, fr.unit) in fr.world.lifted
    params: dict[str, Value] = {}
    positional = code.params[: code.positional]
    extra = args.positional[len(positional) :]
    for name, value in zip(positional, args.positional, strict=False):
        params[name] = value
    if extra and code.vararg is None and not lifted:
        fr.reason = f"too many arguments for {function!r}, which takes {len(positional)}"
        fr.raises.setdefault("TypeError")
        return None
    spare: dict[str, Value] = {}
    for name, value in args.keywords.items():
        if name in code.params[code.positional_only :] and name not in params:
            params[name] = value
        elif code.kwarg is not None:
            spare[name] = value
        elif name not in params and not lifted:
            fr.reason = f"no parameter {name} of {function!r}"
            fr.raises.setdefault("TypeError")
            return None
    for name, value in params.items():
        if u.unbound_atom in value.atoms:
            default = fr.world.read(fr, function.fields, ("default", name))
            params[name] = u.join(u.without(value, u.unbound_atom), default)
    if not _fill(fr, function, args, params, lifted):
        return None
    if code.vararg is not None:
        items = u.sequence(tuple(extra))
        params[code.vararg] = (
            items if args.rest is None else u.sequence_of(u.join(args.rest, u.join_all(extra)))
        )
    if code.kwarg is not None:
        params[code.kwarg] = containers.keyword_value(fr, function, spare, args.rest_keywords)
    hints.refine_params(fr, function, params)
    return params


def _fill(fr: Frame, function: Function, args: Args, params: dict[str, Value], lifted: bool) -> bool:
    """Defaults, and what an unknown number of arguments may bring."""
    u = fr.world.u
    for index, name in enumerate(function.code.params):
        if name in params:
            continue
        value = fr.world.read(fr, function.fields, ("default", name))
        if args.rest is not None and index < function.code.positional:
            value = u.join(value, args.rest)
        if args.rest_keywords is not None:
            value = u.join(value, args.rest_keywords)
        if not value.atoms and lifted:
            value = u.lost
        if not value.atoms:
            fr.reason = f"missing argument {name} of {function!r}"
            fr.raises.setdefault("TypeError")
            return False
        params[name] = value
    return True


def _inlined(fr: Frame, function: Function, args: Args) -> bool:
    """Calls that get an object under construction are walked in place, with its fields."""
    if len(fr.inline_chain) >= MAX_INLINE or function in fr.inline_chain or function.code.is_generator:
        return False
    return any(len(v.atoms) == 1 and v.atoms[0] in fr.tracked for v in args.positional)


def call_inline(
    fr: Frame, function: Function, receiver: Atom | None, params: dict[str, Value], pos: Any
) -> Value:
    """Walk the callee in place: it sees and changes the fields of objects under construction."""
    world = fr.world
    key = (fr.unit, pos, function)
    context = fr.context.inlined(key)
    if context is None:
        context = world.new_context(function.module, function.code, function, function.env)
        context.root = fr.root
        fr.context.inlines[key] = context
    context.mode = fr.mode
    context.receiver = receiver
    context.hobjs = heap_objects(fr.world, function, receiver, params)
    context.evaluations += 1
    note_call(fr, context)
    env: Env = dict(params)
    env.update(tracked_part(fr))
    env[MODE] = fr.mode
    inner = Frame(world, context, fr.root, env, fr.depth + 1)
    inner.tracked = fr.tracked
    inner.inline_chain = (*fr.inline_chain, function)
    result = evaluation.run_body(inner)
    for error in inner.raises:
        fr.raises.setdefault(error)
    context.result = world.u.join(context.result, result)
    if inner.result_env is None:
        fr.reason = fr.reason or inner.reason
        return world.u.bottom
    assert fr.env is not None
    fr.env = {k: v for k, v in fr.env.items() if type(k) is not tuple}
    fr.env.update((k, v) for k, v in inner.result_env.items() if type(k) is tuple)
    return result


def _later(fr: Frame, function: Function) -> bool:
    """Whether the body may run when the object under construction is done: it sees the heap then."""
    return function.code.is_async or fr.world.calling_back is fr.context


def note_call(fr: Frame, context: Context) -> None:
    key = (fr.unit, context)
    if key not in fr.context.calls:
        fr.context.calls[key] = fr.world.stage
    if fr.world.calling_back is fr.context:
        fr.world.called_later[context] = None
    order.note(fr, context)
    if fr.world.outside is not None:
        callgraph.note_own(fr, context)


def call_context(fr: Frame, function: Function, receiver: Atom | None, params: dict[str, Value]) -> Value:
    """Call through a memoised context; new ones are evaluated at once."""
    world, u = fr.world, fr.world.u
    if fr.context.before is not None and order.is_before(fr):
        return order.given(fr, function)
    if fr.tracked:
        for value in params.values():
            escape(fr, value)
    evaluation.flush_module(fr)
    context = find_context(fr, function, receiver, params)
    note_call(fr, context)
    context.callers[fr.root] = None
    changed = False
    if context.mode is not fr.mode:  # it is shared by modes: each place holds what any of them says
        joined = join_mode(world, context.mode, fr.mode)
        changed = joined is not context.mode
        context.mode = joined
    for name, value in params.items():
        old = context.params.get(name)
        new = value if old is None else u.join(old, value)
        if new is not old:
            context.params[name] = new
            changed = True
    if context.evaluations == 0 and not context.on_stack:
        if fr.depth < MAX_DEPTH:
            evaluation.evaluate_context(world, context, fr.depth + 1)
        else:  # it is walked later, but sees what there is now
            evaluation.show_live(world)
            world.mark(context)
    elif changed:
        world.mark(context)
    for error in context.raises:
        fr.raises.setdefault("any-" if error == "any" else error)
    if not context.result.atoms:
        waits = context.on_stack or context.failure.endswith(RECURSION)
        fr.reason = fr.reason or f"{function!r} never returns{RECURSION if waits else ''}"
    return context.result


def find_context(fr: Frame, function: Function, receiver: Atom | None, params: dict[str, Value]) -> Context:
    """The context for these arguments: receiver, constants and objects tell calls apart up to caps."""
    count = function.counts.get(receiver, 0)
    code = function.code
    room = 1
    if code.end_line - code.line < SHORT:
        room = TURNS_FACTOR if fr.turn is not None or fr.world.importing else SHORT_FACTOR
    level = 0 if count < CAP_CONSTANTS * room else 1 if count < CAP_OBJECTS * room else 2
    if len(function.contexts) >= CAP_RECEIVERS:
        level = 3
    level = max(level, function.widened.get(receiver, 0))
    for lower in range(level):
        # A call that was told apart stays so when it is walked again, also where there is less room now.
        known = function.contexts.get(_context_key(function, receiver, params, lower, _mode(fr, function)))
        if known is not None:
            return known
    if level > function.widened.get(receiver, 0):
        fr.world.widened += 1
        function.widened[receiver] = level
    if level < 3 and fr.mode not in function.modes:
        if len(function.modes) < CAP_MODES:
            function.modes[fr.mode] = None
        else:
            fr.world.widened += 1
    key = _context_key(function, receiver, params, level, _mode(fr, function))
    context = function.contexts.get(key)
    if context is None:
        context = fr.world.new_context(function.module, function.code, function, function.env)
        context.receiver = receiver
        context.mode = fr.mode
        context.hobjs = heap_objects(fr.world, function, receiver, params)
        context.depth = fr.depth + 1
        function.contexts[key] = context
        function.counts[receiver] = count + 1
    return context


def _mode(fr: Frame, function: Function) -> Mode | None:
    """The mode that tells a call apart; None for one of those that share a context."""
    return fr.mode if fr.mode in function.modes else None


def _context_key(
    function: Function, receiver: Atom | None, params: dict[str, Value], level: int, mode: Mode | None
) -> tuple[Atom | None, tuple[Any, ...], Mode | None, int]:
    """What tells calls of a function apart at a level of widening."""
    if level == 3:
        return None, (), None, level
    names = naming.parameters(function) if level else ()
    selectors = tuple(
        select(v, level) if n not in names else select_name(v, level) for n, v in params.items()
    )
    return receiver, selectors, mode, level


def select_name(value: Value, level: int) -> Any:
    """A parameter that names an attribute or a key tells calls apart however many there are."""
    atom = value.atoms[0] if len(value.atoms) == 1 else None
    return atom if isinstance(atom, Const) and isinstance(atom.value, str) else select(value, level)


def select(value: Value, level: int) -> Any:
    """The part of an argument that tells contexts apart; None if it does not."""
    if len(value.atoms) != 1:
        return None
    atom = value.atoms[0]
    if isinstance(atom, Obj) and atom.kind == "alias":  # a type, like a class
        return atom
    if level == 2:  # a decorator, a registration: what it gets is what it is about
        return atom if isinstance(atom, Function | Klass) else None
    if isinstance(atom, Const):
        constant = atom.value
        if level == 0 and (not isinstance(constant, str) or len(constant) < MAX_SELECTOR_TEXT):
            return atom
        return atom if constant is None or isinstance(constant, bool) else None
    if isinstance(atom, Obj):
        if atom.kind in ("instance", "enum", "partial", "property", "dict", "list", "external", "facts"):
            return atom if level == 0 or atom.kind == "enum" else None
        return None
    if isinstance(atom, Sequence):
        if atom.items is None or level > 0 or len(atom.items) > 12:
            return None
        return tuple(select(item, level) for item in atom.items)
    return atom if isinstance(atom, Function | Klass | Method | External | Builtin) else None


def heap_objects(
    world: World, function: Function, receiver: Atom | None, params: dict[str, Value]
) -> tuple[Atom, ...]:
    """What names the allocations of a call: its receiver, else up to two object arguments.

    Functions count where there are no objects: decorators allocate by what they decorate.
    """
    singles = [v.atoms[0] for v in params.values() if len(v.atoms) == 1]
    if isinstance(receiver, Obj) and receiver.kind != "enum":
        if isinstance(receiver.klass, Klass) and world.class_depth(receiver.klass, 2) <= 0:
            return ()  # one object of the class is like the next, and so is what it makes
        if not receiver.at_import:
            return (receiver,)
        # There is one such object in a process: what it is given tells its calls apart.
        given = [a for a in singles if isinstance(a, Obj) and a.kind in ("instance", "list", "facts")]
        return (receiver, *(a for a in given[:2] if a is not receiver), *telling(singles))
    found = [a for a in singles if isinstance(a, Obj) and a.kind == "instance"]
    if found:
        return (*found[:2], *telling(singles))
    functions = [a for a in singles if isinstance(a, Function)]
    names = telling(singles)
    if functions or names:
        return (*functions[:1], *names)
    return function.env.hobjs if function.env is not None else ()


def telling(singles: list[Atom]) -> list[Atom]:
    """Constant arguments that tell the objects of two calls apart: a flag that is set, a name."""
    return [
        a
        for a in singles
        if isinstance(a, Const)
        and (a.value is True or (isinstance(a.value, str) and len(a.value) < MAX_SELECTOR_TEXT))
    ]


# ---- construction --------------------------------------------------------------
def instantiate(fr: Frame, klass: Klass, args: Args, pos: Any) -> Value:
    """``klass(...)``: ``__new__``, then ``__init__`` with strong updates on the new object."""
    u = fr.world.u
    special = builtin_calls.construct_special(fr, klass, args, pos)
    if special is not None:
        return special
    new = classes.lookup(fr, klass, "__new__")
    if new is not None:
        maker = attributes._class_bind(fr, new[0], klass)
        made = call(fr, maker, args.with_first((u.single(klass),)), pos)
        result = u.bottom
        for atom in made.atoms:
            if (
                isinstance(atom, Obj)
                and isinstance(atom.klass, Klass)
                and classes.is_subclass(fr, atom.klass, klass)
            ):
                result = u.join(result, initialize(fr, atom, atom.klass, args, pos))
            else:
                result = u.join(result, u.single(atom))
        return result
    obj = allocate(fr, klass, pos)
    return initialize(fr, obj, klass, args, pos)


def allocate(fr: Frame, klass: Klass, pos: Any) -> Obj:
    """A new abstract instance, counted in the extents of its classes."""
    kind = builtin_calls.container_kind(fr, klass)
    obj = fr.world.alloc(fr, kind, klass, pos)
    value = fr.world.u.single(obj)
    for owner in classes.mro(fr, klass):
        if isinstance(owner, Klass):
            fr.world.grow(fr.world.extent(owner), value)
    return obj


def initialize(fr: Frame, obj: Obj, klass: Klass, args: Args, pos: Any) -> Value:
    """Run ``__init__`` (written, made by a decorator or base, or inherited from outside)."""
    u = fr.world.u
    found = builtin_calls.written_init(fr, klass)
    if found is None:
        return builtin_calls.implicit_init(fr, obj, klass, args, pos)
    ok = False
    for atom in found[0].atoms:
        if not isinstance(atom, Function):
            call_atom(fr, atom, args.with_first((u.single(obj),)), pos)
            ok = True
            continue
        params = bind(fr, atom, args.with_first((u.single(obj),)))
        if params is None:
            continue
        result = call_context(fr, atom, obj, params)
        ok = ok or bool(result.atoms)
    return u.single(obj) if ok else u.bottom


def start_tracking(fr: Frame, obj: Obj) -> None:
    """The frame of a constructor owns its object's fields."""
    fr.tracked = {**fr.tracked, obj: Track()}


def finish_tracking(fr: Frame, obj: Obj) -> None:
    """The object is complete: what its fields hold on return becomes visible."""
    publish(fr, obj, fr.result_env, final=True)


def all_fields(fr: Frame, klass: Klass) -> list[str]:
    """Annotated fields of a class and its bases, bases first (dataclass order)."""
    names: dict[str, None] = {}
    for owner in reversed(classes.mro(fr, klass)):
        if isinstance(owner, Klass):
            for name, annotation, _ in owner.info.fields:
                if not hints.is_class_variable(annotation):
                    names.setdefault(name)
    return list(names)
