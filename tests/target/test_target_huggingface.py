"""Configurations: each reading of a checkpoint is its own object with what the facts say."""

from __future__ import annotations

from small_programs import Analysed, analyse

from pathcheck.flow.model import Model
from pathcheck.target import huggingface

TARGET = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "num_layers": 4}


def _analyse(source: str) -> Analysed:
    checkpoints = huggingface.Checkpoints({"model_config": TARGET}, {"model_path": "org/model"})
    model = Model(package=lambda name: True)
    model.calls = huggingface.summaries(checkpoints)
    model.methods = huggingface.class_methods(checkpoints)
    model.attributes_of = {huggingface.CONFIG: huggingface.CONFIG_METHODS}
    return analyse(source, model=model)


def test_the_dict_of_a_checkpoint_is_a_dict() -> None:
    found = _analyse(
        """
        from transformers import PretrainedConfig
        content, unused = PretrainedConfig.get_config_dict('org/model')
        kind = content.get('model_type')
        known = any(a in {'Other', 'Another'} for a in content.get('architectures') or [])
        layers = content['num_layers']
        """
    )
    assert found.plain("kind") == {"llama"}
    assert found.plain("known") == {False}
    assert found.plain("layers") == {4}


def test_what_the_program_changes_in_its_configuration_is_not_read_from_the_checkpoint() -> None:
    found = _analyse(
        """
        from transformers import AutoConfig, PretrainedConfig
        config = AutoConfig.from_pretrained('org/model')
        config.model_type = 'changed'
        config.architectures.append('More')
        content, unused = PretrainedConfig.get_config_dict('org/model')
        kind = content['model_type']
        names = tuple(content['architectures'])
        own = config.model_type
        """
    )
    assert found.plain("kind") == {"llama"}
    assert found.plain("names") == {("LlamaForCausalLM",)}
    assert found.plain("own") == {"llama", "changed"}


def test_a_configuration_at_an_unknown_path_is_not_the_server_s_own() -> None:
    found = _analyse(
        """
        from transformers import AutoConfig
        other = AutoConfig.from_pretrained(input())
        other.model_type = 'changed'
        own = AutoConfig.from_pretrained('org/model').model_type
        """
    )
    assert found.plain("own") == {"llama"}
