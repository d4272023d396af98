"""The three shapes of --args, facts and assumptions, and every way they can be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pathcheck.deployment.load import load_deployment
from pathcheck.deployment.model import REDACTED, Deployment, DeploymentError


def save(path: Path, data: Any) -> Path:
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return path


@pytest.fixture
def load(tmp_path: Path) -> Any:
    def call(data: Any, facts: Any = None, assume: tuple[str, ...] = ()) -> Deployment:
        given = save(tmp_path / "facts.json", facts) if facts is not None else None
        return load_deployment(save(tmp_path / "args.json", data), given, assume)

    return call


def test_arguments_alone_leave_the_environment_unknown(load: Any) -> None:
    found = load({"model_path": "m", "tp-size": 8, "--enable-lora": True})
    assert found.server_args == {"model_path": "m", "tp_size": 8, "enable_lora": True}
    assert (found.env, found.env_unlisted, found.effective) == ({}, "unknown", False)


def test_a_deployment_lists_all_its_variables(load: Any) -> None:
    found = load(
        {"server_args": {"tp": 2}, "env": {"A": 1, "B": None, "C": "x"}, "facts": {"nnodes": 1}, "note": 1}
    )
    assert found.server_args == {"tp": 2} and found.facts == {"nnodes": 1}
    assert (found.env, found.env_unlisted) == ({"A": "1", "B": None, "C": "x"}, "unset")
    assert load({"server_args": {}}).env_unlisted == "unset"


def test_the_servers_own_answer_is_effective(load: Any) -> None:
    found = load({"model_path": "m", "internal_states": [{}], "version": "0.5.9", "max_total_num_tokens": 9})
    assert found.effective and found.server_args == {"model_path": "m"}


def test_yaml(load: Any) -> None:
    assert load("tp_size: 4\nlora_paths: [a=/b]\n").server_args == {"tp_size": 4, "lora_paths": ["a=/b"]}
    assert load("{tp_size: 4}").server_args == {"tp_size": 4}


def test_facts_override_entry_by_entry(load: Any) -> None:
    deployment = {"server_args": {}, "facts": {"gpu": {"count": 8, "platform": "cuda"}, "nnodes": 1}}
    found = load(deployment, {"gpu": {"count": 2}}, ("nnodes=2", "gpu.nvlink=false"))
    assert found.facts == {"gpu": {"count": 2, "platform": "cuda", "nvlink": False}, "nnodes": 2}


def test_facts_may_come_as_a_deployment(load: Any) -> None:
    found = load({"tp": 1}, {"env": {"A": "1"}, "facts": {"python": "3.12"}})
    assert found.env == {"A": "1"} and found.env_unlisted == "unset" and found.facts == {"python": "3.12"}


def test_assumed_versions_stay_as_written(load: Any) -> None:
    found = load({}, None, ("packages.torch=2.10", "packages.sgl_kernel.flash=true", "python=3.10"))
    assert found.facts == {"packages": {"torch": "2.10", "sgl_kernel.flash": True}, "python": "3.10"}


def test_assumed_variables_and_inner_configuration(load: Any) -> None:
    given = {"server_args": {}, "facts": {"model_config": {"a": {"b": 1, "c": 2}}}}
    found = load(given, None, ("env.SGLANG_X=1", "model_config.a.b=[3]"))
    assert found.env == {"SGLANG_X": "1"} and found.facts["model_config"] == {"a": {"b": [3], "c": 2}}


def test_a_configuration_by_path(load: Any, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    save(tmp_path / "m/config.json", {"model_type": "llama"})
    for path in ("m", "m/config.json"):
        assert load({"server_args": {}, "facts": {"model_config": path}}).facts["model_config"] == {
            "model_type": "llama"
        }


def test_secrets_are_gone_once_read(load: Any) -> None:
    args = {
        "api_key": "sk-1",
        "admin_api_key": "1234",
        "max_total_tokens": "5",
        "tokenizer_path": "t",
        "hf_token": None,
    }
    found = load({"server_args": args, "env": {"HF_TOKEN": "hf_x", "SGLANG_TOKEN": "7"}})
    assert found.server_args == {**args, "api_key": REDACTED, "admin_api_key": REDACTED}
    assert found.env == {"HF_TOKEN": REDACTED, "SGLANG_TOKEN": "7"}
    assert "sk-1" not in json.dumps(found.given())


def test_an_unknown_fact_is_a_warning_with_the_nearest_names(load: Any) -> None:
    found = load({"server_args": {}, "facts": {"node_rnak": 1, "gpu": {"cuont": 8}}})
    assert found.facts == {"gpu": {}}
    assert "node_rank" in found.warnings[0] and "gpu.count" in found.warnings[1]


def test_a_null_fact_is_not_given(load: Any) -> None:
    assert load({"server_args": {}, "facts": {"nnodes": None, "gpu": {"sm": None}}}).facts == {"gpu": {}}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ('{"a": 1,\n "b" 2}', ["line 2", "not valid JSON"]),
        ("a: 1\n b: [\n", ["line", "not valid YAML"]),
        ("[1, 2]", ["holds a list", "expected an object"]),
        ("", ["holds nothing"]),
        ("1: 2\n", ["name 1 is not a text"]),
        ({"server_args": [1]}, ["server_args", "expected an object"]),
        ({"server_args": {}, "env": {"A": [1]}}, ["variable 'A'", "expected a text"]),
        ({"server_args": {}, "env": [1]}, ['"env"', "expected an object"]),
        ({"server_args": {}, "facts": {"gpu": 8}}, ["'gpu'", "expected an object"]),
        ({"server_args": {}, "facts": {"gpu": {"count": "8"}}}, ["'gpu.count'", "a whole number"]),
        ({"server_args": {}, "facts": {"gpu": {"sm": [9]}}}, ["'gpu.sm'", "[9, 0]"]),
        ({"server_args": {}, "facts": {"packages": {"torch": 2.9}}}, ["'packages.torch'", "in quotes"]),
        ({"server_args": {}, "facts": {"packages_else": "no"}}, ["absent", "unknown"]),
        ({"server_args": {}, "facts": {"model_config": 1}}, ["config.json"]),
        ({"server_args": {}, "facts": {"model_config": "no/such"}}, ["no/such", "cannot be read"]),
        ({"facts": {}}, ["server_args", "--facts"]),
        ({"tp-size": 1, "tp_size": 2}, ["the same argument"]),
        ("[" * 100_000, ["args.json"]),
    ],
)
def test_what_is_wrong_is_told_in_one_line(load: Any, data: Any, words: list[str]) -> None:
    with pytest.raises(DeploymentError) as error:
        load(data)
    assert "\n" not in str(error.value)
    assert all(word in str(error.value) for word in words), str(error.value)


@pytest.mark.parametrize("statement", ["nnodes", "=1", "gpu.=1"])
def test_a_broken_assumption(load: Any, statement: str) -> None:
    with pytest.raises(DeploymentError, match="FACT=VALUE"):
        load({}, None, (statement,))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"a: \xff")
    for path, words in (
        (tmp_path / "none", "No such file"),
        (tmp_path, "directory"),
        (tmp_path / "latin", "UTF-8"),
    ):
        with pytest.raises(DeploymentError, match=words):
            load_deployment(path)
