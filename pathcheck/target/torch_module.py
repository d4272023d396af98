"""``torch.nn.Module`` and its containers, custom operators, Triton: what the engine needs of torch."""

from __future__ import annotations

from typing import Any

from pathcheck.flow import attributes, calls, containers, externals
from pathcheck.flow.frame import Frame
from pathcheck.flow.heap import CONTENTS
from pathcheck.flow.values import Atom, Const, Function, Klass, Obj, Value

MODULE = "torch.nn.Module"
MODULE_NAMES = (MODULE, "torch.nn.modules.module.Module", "torch.nn.modules.Module")
#: Attributes and methods every module has (torch 2.x documentation of nn.Module).
MODULE_ATTRIBUTES = frozenset(
    [
        "training",
        "forward",
        "eval",
        "train",
        "to",
        "cuda",
        "cpu",
        "half",
        "float",
        "double",
        "bfloat16",
        "type",
        "xpu",
        "requires_grad_",
        "zero_grad",
        "share_memory",
        "to_empty",
        "apply",
        "parameters",
        "named_parameters",
        "buffers",
        "named_buffers",
        "children",
        "named_children",
        "modules",
        "named_modules",
        "register_buffer",
        "register_parameter",
        "register_module",
        "add_module",
        "get_submodule",
        "get_parameter",
        "get_buffer",
        "set_submodule",
        "state_dict",
        "load_state_dict",
        "register_forward_hook",
        "register_forward_pre_hook",
        "register_full_backward_hook",
        "register_load_state_dict_post_hook",
        "register_state_dict_pre_hook",
        "_parameters",
        "_buffers",
        "_modules",
        "_apply",
        "extra_repr",
        "_load_from_state_dict",
        "compile",
        "__call__",
        "_call_impl",
        "_get_name",
        "dump_patches",
        "call_super_init",
    ]
)
_SELF = [
    "eval",
    "train",
    "to",
    "cuda",
    "cpu",
    "half",
    "float",
    "double",
    "bfloat16",
    "type",
    "xpu",
    "requires_grad_",
    "apply",
    "to_empty",
    "share_memory",
    "_apply",
]

Keywords = dict[str, Value]
Positional = tuple[Value, ...]


def _self(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    for value in args:
        for atom in value.atoms:
            if isinstance(atom, Function):
                calls.call_quietly(fr, fr.world.u.single(atom), (submodules(fr, obj),), pos)
    return fr.world.u.single(obj)


def submodules(fr: Frame, obj: Atom) -> Value:
    """The module and everything that hangs below it."""
    found: dict[Atom, None] = {}
    todo = [obj]
    while todo:
        atom = todo.pop()
        if atom not in found:
            found[atom] = None
            todo += direct(fr, atom)
    return fr.world.u.value_of(found)


def direct(fr: Frame, obj: Atom) -> list[Atom]:
    """The modules that a module holds itself."""
    found: dict[Atom, None] = {}
    if isinstance(obj, Obj):
        values = [v for _, v in attributes.listed(fr, obj)]
        values.append(fr.world.read(fr, obj.fields, CONTENTS))
        for value in values:
            for atom in value.atoms:
                if is_module(fr, atom):
                    found[atom] = None
    return list(found)


#: Parameter classes of torch: tensors that modules register.
PARAMETERS = (
    "torch.nn.Parameter",
    "torch.nn.parameter.Parameter",
    "torch.nn.UninitializedParameter",
    "torch.nn.parameter.UninitializedParameter",
)


def parameters(fr: Frame, obj: Atom) -> Value:
    """The parameters of a module and of all below it: program objects among them keep what they carry."""
    from pathcheck.flow.classes import mro

    found: dict[Atom, None] = {}
    fr.root.deferred = True  # it looks at many modules: once they have settled is enough
    for module in submodules(fr, obj).atoms:
        for _, value in attributes.listed(fr, module):
            for atom in value.atoms:
                klass = atom.klass if isinstance(atom, Obj) else None
                names = (
                    [getattr(b, "name", "") for b in mro(fr, klass)]
                    if isinstance(klass, Klass)
                    else [getattr(klass, "name", "")]
                )
                if any(name in PARAMETERS for name in names):
                    found[atom] = None
    return fr.world.u.join(fr.world.u.value_of(found), fr.world.u.object)


def _parameters(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    return fr.world.u.sequence_of(parameters(fr, obj))


def _named_parameters(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    u = fr.world.u
    return u.sequence_of(u.sequence((u.unknown("str", "runtime"), parameters(fr, obj))))


def is_module(fr: Frame, atom: Atom) -> bool:
    from pathcheck.flow.classes import mro

    if not isinstance(atom, Obj):
        return False
    if isinstance(atom.klass, Klass):
        order = mro(fr, atom.klass)
        known = atom.klass.flags.get("module")
        if known is not None and known[0] is order:
            found: bool = known[1]
            return found
        found = _derives_module(order)
        atom.klass.flags["module"] = (order, found)
        return found
    name = getattr(atom.klass, "name", "")
    return bool(name.startswith("torch.nn.")) and name not in PARAMETERS


def _derives_module(order: tuple[Atom, ...]) -> bool:
    names = {getattr(b, "name", "") for b in order}
    return bool(names & {*CONTAINERS, *MODULE_NAMES})


def _modules(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    return fr.world.u.sequence_of(submodules(fr, obj))


def _children(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    return fr.world.u.sequence_of(fr.world.u.value_of(direct(fr, obj)))


def _named_children(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    u = fr.world.u
    return u.sequence_of(u.sequence((u.unknown("str", "runtime"), u.value_of(direct(fr, obj)))))


def _named_modules(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    u = fr.world.u
    return u.sequence_of(u.sequence((u.unknown("str", "runtime"), submodules(fr, obj))))


def _call(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value | None:
    """``module(...)`` runs ``forward``."""
    u = fr.world.u
    target = attributes.get_attribute(fr, u.single(obj), "forward", pos, quiet=True)
    target = u.value(
        tuple(a for a in target.atoms if hasattr(a, "function") or isinstance(a, Function | Obj))
    )
    if not target.atoms:
        return u.object
    return calls.call(fr, target, calls.Args(args, keywords), pos)


def _register(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    """``register_buffer(name, value)`` and the like set an attribute."""
    u = fr.world.u
    name = args[0] if args else keywords.get("name", u.bottom)
    value = (
        args[1]
        if len(args) > 1
        else keywords.get("tensor", keywords.get("param", keywords.get("module", u.none)))
    )
    for atom in name.atoms:
        if isinstance(atom, Const) and isinstance(atom.value, str) and isinstance(obj, Obj):
            attributes.store(fr, obj, atom.value, u.join(value, u.bottom))
        elif isinstance(obj, Obj):
            fr.world.write(fr, fr.world.cell(obj.fields, CONTENTS), value)
    return u.none


def _init(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    """Containers keep the modules they are given."""
    u = fr.world.u
    if isinstance(obj, Obj):
        for value in (*args, *keywords.values()):
            element = containers.iterate(fr, value, pos, quiet=True)
            parts = u.join_all(
                containers.iterate(fr, u.single(a), pos, quiet=True) if hasattr(a, "items") else u.single(a)
                for a in element.atoms
            )
            kept = containers.program_part(fr, u.join(element, parts))
            direct = u.value(tuple(a for a in value.atoms if is_module(fr, a)))
            values = u.join_all(
                containers.all_values(fr, a) for a in value.atoms if isinstance(a, Obj) and a.kind == "dict"
            )
            fr.world.write(fr, fr.world.cell(obj.fields, CONTENTS), u.join_all((kept, direct, values)))
    return u.none


def _add(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    u = fr.world.u
    if isinstance(obj, Obj):
        for value in args:
            element = u.join(value, containers.iterate(fr, value, pos, quiet=True))
            fr.world.write(fr, fr.world.cell(obj.fields, CONTENTS), containers.program_part(fr, element))
    return u.single(obj)


def _contents(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    assert isinstance(obj, Obj)
    return fr.world.read(fr, obj.fields, CONTENTS)


def _iterable(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    return fr.world.u.sequence_of(_contents(fr, obj, args, keywords, pos))


def _items(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    u = fr.world.u
    return u.sequence_of(u.sequence((u.unknown("str", "runtime"), _contents(fr, obj, args, keywords, pos))))


def _sequential(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    """Each module of a Sequential gets the result of the one before."""
    u = fr.world.u
    value = u.join(u.join_all(args), u.object)
    for atom in _contents(fr, obj, (), {}, pos).atoms:
        value = u.join(value, calls.call_quietly(fr, u.single(atom), (value,), pos))
    return value


def _apply(fr: Frame, klass: Atom, args: Positional, keywords: Keywords, pos: int) -> Value | None:
    """``torch.autograd.Function.apply`` runs ``forward`` with a context."""
    u = fr.world.u
    forward = attributes.get_attribute(fr, u.single(klass), "forward", pos, quiet=True)
    if not forward.atoms:
        return u.object
    return u.join(u.object, calls.call_quietly(fr, forward, (u.object, *args), pos))


_METHODS: dict[str, Any] = {
    "__call__": _call, "parameters": _parameters, "named_parameters": _named_parameters,
    "modules": _modules, "children": _children, "named_modules": _named_modules,
    "named_children": _named_children, "register_buffer": _register, "register_parameter": _register,
    "add_module": _register, "register_module": _register, "__init__": None, **dict.fromkeys(_SELF, _self),
}  # fmt: skip
_CONTAINER_METHODS: dict[str, Any] = {
    **_METHODS, "__init__": _init, "append": _add, "extend": _add, "insert": _add, "add_module": _add,
    "update": _add,
    "__getitem__": _contents, "__iter__": _iterable, "values": _iterable, "items": _items, "pop": _contents,
}  # fmt: skip
CONTAINERS = ("torch.nn.ModuleList", "torch.nn.ModuleDict", "torch.nn.Sequential", "torch.nn.ParameterList")


def methods() -> dict[str, dict[str, Any]]:
    """Method summaries by class."""
    plain = {k: v for k, v in _METHODS.items() if v is not None}
    found = dict.fromkeys(MODULE_NAMES, plain)
    for name in CONTAINERS:
        found[name] = _CONTAINER_METHODS
    found["torch.nn.Sequential"] = {**_CONTAINER_METHODS, "__call__": _sequential}
    for name in ("torch.autograd.Function", "torch.autograd.function.Function"):
        found[name] = {"class.apply": _apply}
    found["torch.library.Library"] = {"define": _nothing, "impl": _impl, "__init__": _library_init}
    return found


def attributes_of() -> dict[str, frozenset[str]]:
    """Attribute names by class; others do not exist."""
    containers_extra = frozenset(
        {
            "append",
            "extend",
            "insert",
            "keys",
            "values",
            "items",
            "pop",
            "update",
            "__len__",
            "__getitem__",
            "__iter__",
            "__contains__",
        }
    )
    found = dict.fromkeys(MODULE_NAMES, MODULE_ATTRIBUTES)
    for name in CONTAINERS:
        found[name] = MODULE_ATTRIBUTES | containers_extra
    return found


def data_of() -> dict[str, frozenset[str]]:
    """Attributes of parameters that hold tensors and their properties, not methods."""
    data = frozenset(
        ["data", "grad", "shape", "dtype", "device", "requires_grad", "ndim", "is_cuda", "layout", "T"]
    )
    return dict.fromkeys(PARAMETERS, data)


# ---- custom operators --------------------------------------------------------------
def _nothing(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    return fr.world.u.none


def _library_init(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    if isinstance(obj, Obj) and args:
        fr.world.write(fr, fr.world.cell(obj.fields, "ns"), args[0])
    return fr.world.u.none


def _impl(fr: Frame, obj: Atom, args: Positional, keywords: Keywords, pos: int) -> Value:
    """``library.impl(name, fn)``: from now on ``torch.ops.<ns>.<name>`` is that function."""
    u = fr.world.u
    namespaces = fr.world.read(fr, obj.fields, "ns") if isinstance(obj, Obj) else u.bottom
    names = [a.value for a in namespaces.atoms if isinstance(a, Const)] or ["sglang"]
    if len(args) > 1:
        for namespace in names:
            bind_op(fr, namespace, args[0], args[1])
    return u.none


def bind_op(fr: Frame, namespace: str, name: Value, function: Value) -> None:
    """Make an operator of ``torch.ops`` run a function of the program."""
    for atom in name.atoms:
        if isinstance(atom, Const) and isinstance(atom.value, str):
            op = atom.value.split("::")[-1].split("(")[0].split(".")[0]
            space = atom.value.split("::")[0] if "::" in atom.value else namespace
            ext = fr.world.u.ext(f"torch.ops.{space}.{op}").atoms[0]
            fr.world.write(fr, fr.world.cell(ext.fields, "[call]"), function)  # type: ignore[attr-defined]
        else:  # under which name it is called is not known: it may be called at any time
            externals.run_callbacks(fr, "", calls.Args([function]), 0)


def _custom_op(fr: Frame, args: Positional, keywords: Keywords, pos: int) -> Value | None:
    """``torch.library.custom_op(name, fn)``; as a decorator it keeps the function."""
    function = args[1] if len(args) > 1 else keywords.get("fn")
    if function is not None:
        bind_op(fr, "sglang", args[0], function)
        return function
    return None


def summaries() -> dict[str, Any]:
    """Calls of torch that matter for what runs."""
    return {"torch.library.custom_op": _custom_op}
