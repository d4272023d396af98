"""torch.distributed: the sizes of process groups, which the arguments fix, and a group of one."""

from __future__ import annotations

from pathcheck.flow import attributes, containers
from pathcheck.flow.frame import Frame
from pathcheck.flow.model import Refinement, Summary
from pathcheck.flow.values import Const, External, Obj, Value

#: Where the sizes are kept: on the module that torch keeps its default group in.
_STORE = "torch.distributed.distributed_c10d"
#: The class of what ``new_group`` returns (torch documentation, "Groups").
_GROUP = "torch.distributed.ProcessGroup"
_RANKS = "[ranks]"


def calls() -> dict[str, Summary]:
    """Summaries of the functions that make groups and ask for sizes and ranks."""
    found: dict[str, Summary] = {}
    for module in ("torch.distributed", _STORE):
        found[f"{module}.init_process_group"] = _init
        found[f"{module}.new_group"] = _new_group
        found[f"{module}.get_world_size"] = _world_size
        found[f"{module}.get_rank"] = _rank
    return found


def refinements() -> dict[str, Refinement]:
    """The coordinator's properties: a rank is in each of its groups, so an only rank is first and last."""
    name = "sglang.srt.distributed.parallel_state:GroupCoordinator"
    return {f"{name}.is_first_rank": _alone, f"{name}.is_last_rank": _alone}


def _store(fr: Frame) -> External:
    atom = fr.world.u.ext(_STORE).atoms[0]
    assert isinstance(atom, External)
    return atom


def _init(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value | None:
    """``init_process_group(backend, init_method, timeout, world_size, rank)``: the default group."""
    world, u = fr.world, fr.world.u
    for index, name in ((3, "world_size"), (4, "rank")):
        given = keywords.get(name) or (args[index] if len(args) > index else u.unknown("int", "runtime"))
        world.write(fr, world.cell(_store(fr).fields, f"[{name}]"), given)
    return u.none


def _new_group(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value | None:
    """A group of the given ranks; None stands for all."""
    world, u = fr.world, fr.world.u
    ranks = args[0] if args else keywords.get("ranks", u.none)
    klass = u.ext(_GROUP).atoms[0]
    obj = world.alloc(fr, "external", klass, pos)
    world.write(fr, world.cell(obj.fields, _RANKS), ranks)
    return u.single(obj)


def _world_size(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value | None:
    u = fr.world.u
    group = args[0] if args else keywords.get("group", u.none)
    return u.join_all(_size_of(fr, atom) for atom in group.atoms)


def _size_of(fr: Frame, group: object) -> Value:
    world, u = fr.world, fr.world.u
    if isinstance(group, Const) and group.value is None:
        size = world.read(fr, _store(fr).fields, "[world_size]")
        return size if size.atoms else u.unknown("int", "runtime")
    if isinstance(group, Obj) and group.kind == "external":
        ranks = world.read(fr, group.fields, _RANKS)
        if ranks.atoms:
            sizes = [
                _size_of(fr, a) if isinstance(a, Const) and a.value is None else containers.length_of(fr, a)
                for a in ranks.atoms
            ]
            return u.join_all(sizes)
    return u.unknown("int", "runtime")


def _rank(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value | None:
    world, u = fr.world, fr.world.u
    group = args[0] if args else keywords.get("group", u.none)
    if group is u.none:
        rank = world.read(fr, _store(fr).fields, "[rank]")
        if rank.atoms:
            return rank
    return u.unknown("int", "runtime")


def _alone(fr: Frame, params: dict[str, Value], result: Value) -> Value:
    """True in a group of one; what the body says otherwise."""
    u = fr.world.u
    size = attributes.get_attribute(fr, params["self"], "world_size", 0, quiet=True)
    return u.true if size is u.const(1) else result
