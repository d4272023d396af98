"""Third-party functions that decide what runs, and stated results of functions that ask the hardware."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pathcheck.flow import containers
from pathcheck.flow.frame import Frame
from pathcheck.flow.heap import CONTENTS
from pathcheck.flow.model import Summary
from pathcheck.flow.values import Const, Value
from pathcheck.target.packages import import_names, normalise
from pathcheck.target.platform import either, fact

#: Calls below these names give objects that are never None (their documented return types).
OBJECTS = (
    "torch.", "numpy.", "time.", "random.", "uuid.", "triton.", "logging.", "threading.", "sgl_kernel.",
    "flashinfer.",
    "os.path.", "psutil.", "json.dumps", "concurrent.", "itertools.", "hashlib.", "struct.", "datetime.",
    "zmq.",
)  # fmt: skip
#: Numbers and texts: their methods give numbers and texts and keep nothing of the program. A tokenizer is
#: asked with every request's text; were it to give back what it gets, all requests would run into one.
PLAIN_DATA = frozenset((
    *(f"torch.{name}" for name in (
        "Tensor", "nn.Parameter", "nn.parameter.Parameter", "nn.UninitializedParameter",
        "nn.parameter.UninitializedParameter", "Size", "dtype", "device", "Generator",
    )),
    "tiktoken.Encoding", "transformers.AddedToken", "transformers.PreTrainedTokenizerFast",
))  # fmt: skip
#: Third parties that keep a function or name it, without calling it in this program's threads.
NO_CALLBACK = (
    "functools.", "logging.", "triton.", "torch.jit.", "torch.compile", "typing.", "inspect.",
    "dataclasses.", "warnings.", "torch.library.", "types.", "enum.", "isinstance", "pydantic.", "abc.",
    "torch._dynamo.", "torch._custom_op.",
    "prometheus_client.", "json.", "copy.", "torch.fx.", "atexit.", "signal.",
    "torch.nn.Parameter", "torch.nn.parameter", "torch.Tensor",
)  # fmt: skip
#: A web application keeps its handlers, its dependencies and its lifespan until a server runs it.
KEEPERS = frozenset({"fastapi.FastAPI", "fastapi.APIRouter", "fastapi.Depends"})
#: A dependency stands in a default or in a list: to which application it belongs is not followed.
LOOSE_KEEPERS = frozenset({"fastapi.Depends"})
#: Web servers take the application as ``module:name`` too.
RUNS_BY_NAME = ("uvicorn.", "granian.")
#: Exceptions that ordinary service raises: no message yet, an optional package, the end of an iterator.
ORDINARY_EXCEPTIONS = frozenset(
    {
        "zmq.ZMQError", "zmq.Again", "zmq.error.Again", "zmq.error.ZMQError", "queue.Empty",
        "asyncio.TimeoutError",
        "ImportError", "ModuleNotFoundError", "StopIteration", "importlib.metadata.PackageNotFoundError",
    }
)  # fmt: skip
#: Heap context depth by class; what is not listed keeps two levels.
HEAP_DEPTH: dict[str, int] = {
    # One quantisation method, scheme or parameter of a kind behaves like the next: what differs is the layer.
    "sglang.srt.layers.quantization.": 0, "sglang.srt.layers.parameter:": -1, "torch.nn.Parameter": -1,
    "torch.nn.parameter.Parameter": -1, "torch.nn.UninitializedParameter": -1,
    # Requests and tree nodes: one of a kind behaves like the next.
    "sglang.srt.entrypoints.openai.protocol:": 0, "sglang.srt.entrypoints.anthropic.protocol:": 0,
    "sglang.srt.entrypoints.ollama.protocol:": 0, "sglang.srt.managers.io_struct:": 0,
    "sglang.srt.mem_cache.radix_cache:TreeNode": 0,
    # Layers are told apart by the layer that builds them.
    "torch.nn.Module": 1,
}  # fmt: skip


def attributes(server_args: Mapping[str, Any]) -> dict[str, Any]:
    """Values of external names."""

    def argv(fr: Frame) -> Value:
        """The command line, without ``--config``: what a config file gives is among the given arguments."""
        u = fr.world.u
        words = ["launch_server", *(f"--{n.replace('_', '-')}" for n in sorted(server_args))]
        return containers.new_list(fr, [u.const(w) for w in words], None, "argv")

    return {
        "sys.argv": argv,
        "torch.__version__": fact("packages.torch", "str"),
        "torch.distributed.group.WORLD": lambda fr: fr.world.u.object,
    }


def calls(facts: Mapping[str, Any]) -> dict[str, Summary]:
    """Summaries of external functions."""
    found: dict[str, Summary] = {
        "importlib.metadata.version": _version_of(facts), "torch.library.infer_schema": _schema,
        "pkgutil.iter_modules": _iter_modules, "pkgutil.walk_packages": _iter_modules,
        "torch.distributed.is_initialized": either, "importlib.util.find_spec": _find_spec,
        "torch.cuda.current_device": _number("device"), "time.time": _seconds, "time.perf_counter": _seconds,
        "time.monotonic": _seconds, "importlib.metadata.entry_points": _entry_points,
        "time.perf_counter_ns": _number("time"), "time.time_ns": _number("time"),
    }  # fmt: skip
    for module in ("pickle", "cloudpickle", "dill", "torch.multiprocessing.reductions"):
        found[f"{module}.dumps"] = _dumps
        found[f"{module}.loads"] = _loads
        found[f"{module}.dump"] = _dumps
        found[f"{module}.load"] = _loads
    for name in ("multiprocessing", "torch.multiprocessing", "multiprocessing.context.SpawnContext"):
        from pathcheck.flow.stdlib import CALLS

        found[f"{name}.Process"] = CALLS["multiprocessing.Process"]
    return found


def _version_of(facts: Mapping[str, Any]) -> Summary:
    """A distribution's version: stated, or unknown where the package is there."""
    stated = {normalise(n): v for n, v in (facts.get("packages") or {}).items()}

    def version(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
        u = fr.world.u
        result = u.bottom
        for atom in args[0].atoms:
            name = normalise(atom.value) if isinstance(atom, Const) and isinstance(atom.value, str) else ""
            given = stated.get(name)
            present = [fr.world.model.package(m) for m in import_names(name)]
            if isinstance(given, str):
                result = u.join(result, u.const(given))
            elif False in present and name not in fr.world.program.modules:
                fr.raises.setdefault("importlib.metadata.PackageNotFoundError")
                fr.reason = f"package {name} is absent"
            else:
                result = u.join(result, u.unknown("str", "fact", f"packages.{name}"))
        return result

    return version


def _entry_points(
    fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int
) -> Value | None:
    """A group of entry points has no members: no plugin is installed (WORLD)."""
    return fr.world.u.sequence(()) if "group" in keywords else None


def _schema(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    return fr.world.u.unknown("str", "runtime")


def _number(what: str) -> Summary:
    return lambda fr, args, keywords, pos: fr.world.u.unknown("int", "runtime")


def _seconds(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    return fr.world.u.unknown("float", "runtime")


def _find_spec(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value | None:
    from pathcheck.flow.stdlib import CALLS

    return CALLS["importlib.util.find_spec"](fr, args, keywords, pos)


def _dumps(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    """What is pickled in a process comes out where the group's other ranks unpickle it."""
    world = fr.world
    store = world.u.ext("pickle").atoms[0]
    if args:
        world.write(fr, world.cell(store.fields, CONTENTS), containers.program_part(fr, args[0]))  # type: ignore[attr-defined]
    return world.u.unknown("bytes", "runtime")


def _loads(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    world, u = fr.world, fr.world.u
    store = world.u.ext("pickle").atoms[0]
    held = world.read(fr, store.fields, CONTENTS)  # type: ignore[attr-defined]
    return held if held.atoms else u.object


def _iter_modules(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value | None:
    """The modules of a package of the program, by its ``__path__``."""
    u, program = fr.world.u, fr.world.program
    prefix = args[1] if len(args) > 1 else keywords.get("prefix", u.const(""))
    found: list[Value] = []
    for atom in containers.iterate(fr, args[0], pos, quiet=True).atoms if args else ():
        if (
            not isinstance(atom, Const)
            or not isinstance(atom.value, str)
            or not atom.value.startswith("package:")
        ):
            return u.sequence_of(u.sequence((u.object, u.unknown("str", "runtime"), u.bools)))
        package = atom.value[len("package:") :]
        for name in program.submodules(package):
            path = program.modules[f"{package}.{name}"]
            is_package = not path or path.endswith("/__init__.py")
            for start in prefix.atoms:
                text = start.value if isinstance(start, Const) else ""
                found.append(u.sequence((u.object, u.const(f"{text}{name}"), u.const(is_package))))
    return u.sequence(tuple(found))


def results(facts: Mapping[str, Any], server_args: Mapping[str, Any]) -> dict[str, Any]:
    """Functions of the program that ask the machine: the facts answer."""
    gpu = facts.get("gpu") or {}
    custom = "sglang.srt.distributed.device_communicators."
    found: dict[str, Any] = {}
    nvlink = gpu.get("nvlink", gpu.get("xgmi"))
    linked = nvlink if nvlink is not None else fact("gpu.nvlink", "bool")
    # pynvml is asked for each pair of devices: all pairs linked or not is one fact of the machine.
    for name in (
        "custom_all_reduce_utils:is_full_nvlink",
        "custom_all_reduce:is_full_nvlink",
        "custom_all_reduce_v2:is_full_nvlink",
    ):
        found[custom + name] = linked
    memory = gpu.get("memory_mib")
    if memory is not None and gpu.get("platform") != "cpu":
        # nvidia-smi and its kin are asked for MiB and the answers parsed as float.
        for name in ("get_nvgpu_memory_capacity", "get_amdgpu_memory_capacity", "get_xpu_memory_capacity"):
            found[f"sglang.srt.utils.common:{name}"] = float(memory)
    elif gpu.get("platform") != "cpu":
        for name in ("get_nvgpu_memory_capacity", "get_amdgpu_memory_capacity", "get_xpu_memory_capacity"):
            found[f"sglang.srt.utils.common:{name}"] = fact("gpu.memory_mib", "float")
    # The model configuration is the whole description of the checkpoint: see WORLD.
    found["sglang.srt.configs.model_config:ModelConfig._find_quant_modelslim_config"] = None
    return found


#: What every verdict rests on besides the given facts; printed once with them.
WORLD: tuple[str, ...] = (
    "no administrative request changes arguments, weights or adapters; no plugin, forward hook or profiler",
    "third-party code behaves as pathcheck/target describes it",
    "the checkpoint is a directory or a hub id, its configuration is what model_config gives, and no second "
    "file (hf_quant_config.json, quant_model_description.json, a single .gguf) describes its quantisation",
    "a key that the model configuration does not list is absent, "
    "the defaults of transformers' own classes apart",
    "what the revision's own metadata requires is installed",
)
#: Collectives on Python objects: every rank gets what the sending one passed in, and they run the same code.
PASSES_ON: dict[str, str] = {
    "sglang.srt.utils.common:broadcast_pyobj": "data",
    "sglang.srt.utils.common:point_to_point_pyobj": "data",
}


def functions() -> dict[str, Summary]:
    """Summaries that run instead of a function of the program."""
    return {}
