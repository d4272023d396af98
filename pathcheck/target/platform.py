"""What torch, the operating system and the interpreter say about the machine, from the facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pathcheck.flow.attributes import MISSING
from pathcheck.flow.frame import Frame
from pathcheck.flow.model import Summary
from pathcheck.flow.values import Value

_ACCELERATORS = ("hpu", "npu", "musa", "mlu")


def fact(name: str, type: str = "any") -> Callable[[Frame], Value]:
    """An external value that only an unknown fact would decide."""
    return lambda fr: fr.world.u.unknown(type, "fact", name)


def constant(value: Any) -> Summary:
    """A function with a known result."""
    return lambda fr, args, keywords, pos: fr.world.u.const(value)


def unknown_fact(name: str, type: str) -> Summary:
    return lambda fr, args, keywords, pos: fr.world.u.unknown(type, "fact", name)


def either(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    """Both happen at run time."""
    return fr.world.u.bools


def _version(parts: Any) -> str | None:
    return (
        ".".join(str(p) for p in parts) if isinstance(parts, list | tuple) else str(parts) if parts else None
    )


def attributes(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Dotted names and what they hold."""
    gpu = facts.get("gpu") or {}
    platform = gpu.get("platform")
    known: dict[str, Any] = {
        "sys.platform": "linux", "os.name": "posix", "os.sep": "/", "typing.TYPE_CHECKING": False,
        "typing_extensions.TYPE_CHECKING": False,
    }  # fmt: skip
    if platform is None:
        known["torch.version.cuda"] = known["torch.version.hip"] = fact("gpu.platform")
    else:
        version = _version(gpu.get("cuda_version"))
        cuda: Any = (version or fact("gpu.cuda_version", "str")) if platform == "cuda" else None
        known["torch.version.cuda"] = cuda
        known["torch.version.hip"] = fact("gpu.hip_version", "str") if platform == "hip" else None
        known["torch.version.musa"] = fact("gpu.musa_version", "str") if platform == "musa" else MISSING
        for name in _ACCELERATORS:
            if name != platform:
                known[f"torch.{name}"] = MISSING
    python = facts.get("python")
    if python:
        parts = tuple(int(p) for p in str(python).split(".")[:3] if p.isdigit())
        known["sys.version_info"] = parts
    return known


def calls(facts: Mapping[str, Any]) -> dict[str, Summary]:
    """Dotted functions and what they answer."""
    gpu = facts.get("gpu") or {}
    platform = gpu.get("platform")
    found: dict[str, Summary] = {
        "torch.cuda.is_current_stream_capturing": either, "torch.compiler.is_compiling": either,
        "torch.compiler.is_dynamo_compiling": either,
    }  # fmt: skip
    for name in ("cuda", "xpu", "hpu", "npu", "musa", "mps"):
        dotted = f"torch.{name}.is_available" if name != "mps" else "torch.backends.mps.is_available"
        if platform is None:
            found[dotted] = unknown_fact("gpu.platform", "bool")
        else:
            found[dotted] = constant(platform == name or (name == "cuda" and platform == "hip"))
    found["torch.cpu.is_available"] = constant(True)
    sm = gpu.get("sm")
    found["torch.cuda.get_device_capability"] = constant(tuple(sm)) if sm else unknown_fact("gpu.sm", "any")
    count = gpu.get("count")
    found["torch.cuda.device_count"] = (
        constant(count) if count is not None else unknown_fact("gpu.count", "int")
    )
    if gpu.get("kind"):
        found["torch.cuda.get_device_name"] = constant(gpu["kind"])
    amx = gpu.get("amx")
    if amx is not None:
        found["torch._C._cpu._is_amx_tile_supported"] = constant(bool(amx))
    elif platform not in (None, "cpu"):
        found["torch._C._cpu._is_amx_tile_supported"] = unknown_fact("gpu.amx", "bool")
    found["platform.machine"] = constant(facts.get("machine", "x86_64"))
    found["platform.system"] = constant("Linux")
    return found


def tensor_attributes(facts: Mapping[str, Any]) -> dict[str, bool]:
    """Where a tensor lies, on a server without an accelerator: all are the processor's."""
    if (facts.get("gpu") or {}).get("platform") != "cpu":
        return {}
    return {"is_cpu": True, "is_cuda": False, "is_xpu": False}
