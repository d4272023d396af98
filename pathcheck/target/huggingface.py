"""Model configurations: what ``transformers`` reads from a checkpoint, given as facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pathcheck.flow import calls as flow_calls
from pathcheck.flow import containers
from pathcheck.flow.frame import Frame
from pathcheck.flow.values import Atom, Const, External, Klass, Obj, Value

CONFIG = "transformers.PretrainedConfig"
#: Names under which a configuration class of transformers is a base of a program's own.
CONFIG_NAMES = (
    CONFIG, "transformers.configuration_utils.PretrainedConfig", "transformers.PreTrainedConfig",
    "transformers.configuration_utils.PreTrainedConfig",
)  # fmt: skip
#: Methods and class attributes that every configuration has.
CONFIG_METHODS = frozenset(
    [
        "to_dict",
        "update",
        "get_text_config",
        "save_pretrained",
        "from_pretrained",
        "from_dict",
        "to_json_string",
        "to_diff_dict",
        "get_config_dict",
        "push_to_hub",
        "register_for_auto_class",
        "dict_torch_dtype_to_str",
    ]
)
#: Data that every configuration has, whatever the checkpoint says (transformers' base class).
CONFIG_DATA = frozenset(
    {
        "model_type", "architectures", "name_or_path", "_name_or_path", "torch_dtype", "dtype",
        "is_encoder_decoder", "tie_word_embeddings", "transformers_version", "output_hidden_states",
        "use_cache", "is_decoder", "id2label", "label2id", "num_labels", "bos_token_id", "eos_token_id",
        "pad_token_id", "return_dict", "problem_type", "base_config_key", "sub_configs", "attribute_map",
        # what the configuration classes of language models give a default of their own
        "vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
        "num_key_value_heads", "hidden_act", "max_position_embeddings", "initializer_range", "rms_norm_eps",
        "rope_theta", "rope_scaling", "rope_parameters", "attention_bias", "attention_dropout", "mlp_bias",
        "head_dim", "pretraining_tp", "layer_norm_eps", "partial_rotary_factor",
    }
)  # fmt: skip

#: Model types that ``AutoConfig`` refuses with a ValueError: transformers 4.57 has no class for them.
UNREGISTERED = frozenset({"deepseek_v32"})

#: The copy of a configuration that lies at a path which is not known.
ELSEWHERE = "elsewhere"


def is_configuration(name: str) -> bool:
    """Classes of transformers that hold a model's configuration."""
    last = name.rpartition(".")[2]
    return name.startswith("transformers.") and last.endswith("Config") and last != "AutoConfig"


class Checkpoints:
    """The configurations of the target and the draft model."""

    def __init__(self, facts: Mapping[str, Any], server_args: Mapping[str, Any]) -> None:
        self.target = facts.get("model_config")
        self.draft = facts.get("draft_model_config")
        self.model_path = server_args.get("model_path") or server_args.get("model")
        self.draft_path = server_args.get("speculative_draft_model_path") or server_args.get(
            "speculative_draft_model"
        )

    def readable(self, path: Value) -> bool:
        """Whether reading the configuration at a path surely works: its content is a fact."""
        stated = {
            place: given
            for place, given in ((self.draft_path, self.draft), (self.model_path, self.target))
            if isinstance(given, Mapping) and given.get("model_type") not in UNREGISTERED
        }
        return all(isinstance(a, Const) and a.value in stated for a in path.atoms)

    def config_value(self, fr: Frame, path: Value, config: bool = True, copy: Any = None) -> Value:
        """The configuration object for a checkpoint path, or its dict; each ``copy`` as the file is read."""
        u = fr.world.u
        wanted: dict[tuple[str, Any], None] = {}
        for atom in path.atoms:
            text = atom.value if isinstance(atom, Const) else None
            if isinstance(text, str) and text == self.draft_path and text != self.model_path:
                wanted["draft_model_config", copy] = None
            elif isinstance(text, str) and text == self.model_path:
                wanted["model_config", copy] = None
            else:  # another checkpoint of the same kind: what is changed there is not changed here
                wanted["model_config", copy or ELSEWHERE] = None
                if self.draft is not None:
                    wanted["draft_model_config", copy or ELSEWHERE] = None
        return u.join_all(
            facts_object(fr, name, self.content(name), config, tag) for name, tag in wanted
        )

    def content(self, name: str) -> Mapping[str, Any]:
        given = self.target if name == "model_config" else self.draft
        return given if isinstance(given, Mapping) else {}


def facts_object(
    fr: Frame, name: str, content: Mapping[str, Any], config: bool = True, copy: Any = None
) -> Value:
    """A configuration object, or a nested dict of one; what it does not list is an unknown fact.

    What the program changes in one copy is not changed in another.
    """
    world, u = fr.world, fr.world.u
    klass = (u.ext(CONFIG) if config else u.builtin("dict")).atoms[0]
    key = ("facts", name, config, copy)
    new = key not in u._interned
    obj = u.intern(key, lambda: Obj("facts", klass, key, ()))
    obj.name = name
    if new:
        for field, value in content.items():
            cell = world.cell(obj.fields, field)
            cell.definite = True
            world.grow(cell, plain_value(fr, f"{name}.{field}", value, config, copy))
    return u.single(obj)


def plain_value(fr: Frame, name: str, value: Any, config: bool, copy: Any = None) -> Value:
    """A JSON value; nested configurations become configuration objects where ``config``."""
    u = fr.world.u
    if isinstance(value, Mapping):
        nested = config and name.endswith("_config") and not name.endswith("quantization_config")
        return facts_object(fr, name, value, nested, copy)
    if isinstance(value, list):
        obj = u.intern(("facts list", name, copy), lambda: Obj("list", None, name, ()))
        items = [plain_value(fr, f"{name}[{i}]", item, config, copy) for i, item in enumerate(value)]
        containers.fill_list(fr, obj, items, None)
        return u.single(obj)
    return u.const(value)


def call_site(fr: Frame) -> tuple[str, int]:
    """The statement that reads a checkpoint: what it gets is its own."""
    return fr.module.name, fr.unit


def summaries(checkpoints: Checkpoints) -> dict[str, Any]:
    """Calls of transformers that give configurations."""

    def path_of(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
        path = args[0] if args else keywords.get("pretrained_model_name_or_path", fr.world.u.external)
        if checkpoints.readable(path):
            fr.succeeds = True
        else:
            fr.raises.setdefault("any")
        return path

    def from_pretrained(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
        return checkpoints.config_value(fr, path_of(fr, args, keywords))

    def config_dict(fr: Frame, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
        path = path_of(fr, args, keywords)
        value = checkpoints.config_value(fr, path, config=False, copy=call_site(fr))
        return fr.world.u.sequence((value, containers.new_dict(fr, pos)))

    found: dict[str, Any] = {"transformers.AutoConfig.from_pretrained": from_pretrained}
    for name in CONFIG_NAMES:
        found[f"{name}.from_pretrained"] = from_pretrained
        found[f"{name}.get_config_dict"] = config_dict
    return found


def class_methods(checkpoints: Checkpoints) -> dict[str, dict[str, Any]]:
    """Methods that the program's own configuration classes inherit."""

    def from_pretrained(
        fr: Frame, klass: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int
    ) -> Value:
        u = fr.world.u
        path = args[0] if args else u.external
        config = checkpoints.config_value(fr, path, copy=call_site(fr))
        given = flow_calls.Args()
        for atom in config.atoms:
            if not isinstance(atom, Obj):
                continue
            for name in list(atom.fields):
                if type(name) is not str or name.startswith("["):
                    continue
                value = fr.world.read(fr, atom.fields, name)
                value = as_dict(fr, atom.name, name, value, checkpoints)
                old = given.keywords.get(name)
                given.keywords[name] = value if old is None else u.join(old, value)
        assert isinstance(klass, Klass)
        return flow_calls.call(fr, u.single(klass), given, pos)

    def init(fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
        from pathcheck.flow.attributes import store

        if isinstance(obj, Obj):
            for name, value in keywords.items():
                store(fr, obj, name, fr.world.u.without(value, fr.world.u.unbound_atom))
        return fr.world.u.none

    def to_dict(fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int) -> Value:
        return fr.world.u.single(obj)

    def text_config(
        fr: Frame, obj: Atom, args: tuple[Value, ...], keywords: dict[str, Value], pos: int
    ) -> Value:
        from pathcheck.flow.attributes import get_attribute

        u = fr.world.u
        own = get_attribute(fr, u.single(obj), "text_config", pos, quiet=True)
        kept = tuple(a for a in own.atoms if isinstance(a, Obj))
        return u.value(kept) if kept else u.single(obj)

    table = {"__init__": init, "class.from_pretrained": from_pretrained, "class.from_dict": from_pretrained,
             "to_dict": to_dict, "get_text_config": text_config}  # fmt: skip
    return dict.fromkeys(CONFIG_NAMES, table)


def as_dict(fr: Frame, owner: str, name: str, value: Value, checkpoints: Checkpoints) -> Value:
    """A nested configuration as the plain dict that a constructor is given."""
    u = fr.world.u
    parts = u.bottom
    for atom in value.atoms:
        if isinstance(atom, Obj) and atom.kind == "facts" and isinstance(atom.klass, External):
            content = checkpoints.content(owner.split(".")[0]).get(name, {})
            as_read = plain_value(fr, f"{owner}.{name} as dict", content, config=False, copy=call_site(fr))
            parts = u.join(parts, as_read)
        else:
            parts = u.join(parts, u.single(atom))
    return parts
