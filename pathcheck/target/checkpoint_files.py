"""Which files a checkpoint has: what a path, a directory or the hub is asked for."""

from __future__ import annotations

from typing import Any

from pathcheck.flow.frame import Frame
from pathcheck.flow.model import Summary
from pathcheck.flow.values import Atom, Const, External, Obj, Value
from pathcheck.target.huggingface import Checkpoints

PATH = "pathlib.Path"
INFO = "huggingface_hub.hf_api.ModelInfo"
SIBLING = "huggingface_hub.hf_api.RepoSibling"
#: Files that would describe the quantisation besides the configuration; there are none (ops.WORLD).
ABSENT_FILES = ("hf_quant_config.json", "quant_model_description.json")


class CheckpointFiles:
    """Answers about files, for the checkpoints of a deployment.

    A checkpoint is a directory or a hub id, unless its path names a single file (ops.WORLD).
    """

    def __init__(self, checkpoints: Checkpoints) -> None:
        given = (checkpoints.model_path, checkpoints.draft_path)
        self._directories = {p for p in given if isinstance(p, str) and not p.endswith(".gguf")}

    def summaries(self) -> dict[str, Summary]:
        """Functions that ask for files."""
        return {
            PATH: _path, "os.path.exists": _exists, "os.path.isfile": self._is_file,
            "huggingface_hub.file_exists": _exists, "huggingface_hub.hf_hub_download": _download,
        }  # fmt: skip

    def methods(self) -> dict[str, dict[str, Any]]:
        """Methods of external classes that ask for files."""
        return {
            "huggingface_hub.HfApi": {
                "file_exists": _file_exists, "repo_info": self._repository, "model_info": self._repository
            },
            PATH: {"is_file": self._path_is_file},
        }  # fmt: skip

    def _is_file(
        self, fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int
    ) -> Value | None:
        paths = args[0].atoms if args else ()
        if paths and all(isinstance(a, Const) and a.value in self._directories for a in paths):
            return fr.world.u.false
        return _exists(fr, args, keywords, pos)

    def _path_is_file(
        self, fr: Frame, path: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int
    ) -> Value:
        u = fr.world.u
        return u.false if isinstance(path, Obj) and path.name in self._directories else u.bools

    def _repository(
        self, fr: Frame, api: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int
    ) -> Value:
        """What the hub says of a repository: a checkpoint's own lists its configuration, before other files.

        One entry stands for all others.
        """
        u = fr.world.u
        asked = args[0] if args else keywords.get("repo_id", u.external)
        if not asked.atoms or not all(
            isinstance(a, Const) and a.value in self._directories for a in asked.atoms
        ):
            return u.external
        first = _external_object(fr, SIBLING, "config.json", rfilename=u.const("config.json"))
        other = _external_object(fr, SIBLING, "another file", rfilename=u.unknown("str", "runtime"))
        return _external_object(fr, INFO, "checkpoint", siblings=u.sequence((first, other)))


def _path(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value | None:
    """A path object of one known text; None for others, which are third-party objects like any."""
    u = fr.world.u
    if len(args) != 1 or not args[0].atoms:
        return None
    result = u.bottom
    for atom in args[0].atoms:
        if not (isinstance(atom, Const) and isinstance(atom.value, str)):
            return None
        result = u.join(result, u.single(_path_object(fr, atom.value)))
    return result


def _path_object(fr: Frame, text: str) -> Obj:
    u = fr.world.u
    klass = u.ext(PATH).atoms[0]
    assert isinstance(klass, External)
    path = u.intern(("path", text), lambda: Obj("external", klass, ("path", text), ()))
    path.name = text
    return path


def _external_object(fr: Frame, klass: str, name: str, **attributes: Value) -> Value:
    """A third party's object, of which these attributes are known."""
    u = fr.world.u
    key = (klass, name)
    obj = u.intern(key, lambda: Obj("external", u.ext(klass).atoms[0], key, ()))
    for attribute, value in attributes.items():
        cell = fr.world.cell(obj.fields, attribute)
        cell.definite = True
        fr.world.grow(cell, value)
    return u.single(obj)


def _exists(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    u = fr.world.u
    paths = [a.value for v in args[:1] for a in v.atoms if isinstance(a, Const)]
    if paths and len(args[0].atoms) == len(paths) and all(str(p).endswith(ABSENT_FILES) for p in paths):
        return u.false
    return u.bools


def _download(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
    """Downloading a file that is not in the checkpoint raises."""
    u = fr.world.u
    name = args[1] if len(args) > 1 else keywords.get("filename", u.external)
    if _exists(fr, (name,), {}, pos) is u.false:
        fr.raises.setdefault("huggingface_hub.errors.LocalEntryNotFoundError")
        fr.raises.setdefault("huggingface_hub.errors.EntryNotFoundError")
        fr.reason = "the checkpoint has no such file"
        return u.bottom
    return u.unknown("str", "runtime")


def _file_exists(
    fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int
) -> Value:
    names = args[1:2] or (keywords.get("filename", fr.world.u.external),)
    return _exists(fr, names, {}, pos)
