"""What is answered about the files of a checkpoint, and about plugins."""

from __future__ import annotations

from small_programs import analyse

from pathcheck.flow.model import Model
from pathcheck.target import ops
from pathcheck.target.checkpoint_files import CheckpointFiles
from pathcheck.target.huggingface import Checkpoints


def _model(path: str) -> Model:
    model = Model()
    files = CheckpointFiles(Checkpoints({}, {"model_path": path}))
    model.calls = {**files.summaries(), **ops.calls({})}
    model.methods = dict(files.methods())
    return model


ASK = """
    import os
    from pathlib import Path
    checkpoint = Path({path!r}).is_file()
    plain = os.path.isfile({path!r})
    other = Path('/etc/hosts').is_file()
"""


def test_a_checkpoint_is_no_single_file() -> None:
    found = analyse(ASK.format(path="org/model"), model=_model("org/model"))
    assert found.plain("checkpoint") == {False}
    assert found.plain("plain") == {False}
    assert found.plain("other") == {True, False}


def test_a_checkpoint_that_is_named_as_a_file_may_be_one() -> None:
    found = analyse(ASK.format(path="model.gguf"), model=_model("model.gguf"))
    assert found.plain("checkpoint") == {True, False}
    assert found.plain("plain") == {True, False}


def test_no_plugin_is_installed() -> None:
    found = analyse(
        """
        from importlib.metadata import entry_points
        names = [e.name for e in entry_points(group='some.plugins')]
        loaded = bool(names)
        """,
        model=_model("org/model"),
    )
    assert found.plain("loaded") == {False}


def test_the_hub_lists_the_configuration_of_a_checkpoint() -> None:
    found = analyse(
        """
        from huggingface_hub import HfApi
        files = [s.rfilename for s in HfApi().repo_info('org/model').siblings]
        own = any(f == 'config.json' for f in files)
        weights = any(f.endswith('.gguf') for f in files)
        others = [s.rfilename for s in HfApi().repo_info('org/other').siblings]
        foreign = any(f == 'config.json' for f in others)
        """,
        model=_model("org/model"),
    )
    assert found.plain("own") == {True}
    assert found.plain("weights") == {True, False}
    assert found.plain("foreign") == {True, False}
