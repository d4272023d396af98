"""The command line: what the program's own argparse code declares, and what the deployment gives."""

from __future__ import annotations

from small_programs import Analysed, analyse

from pathcheck.flow.model import Model
from pathcheck.target.arguments import CommandLine


def _parse(given: dict[str, object], source: str) -> Analysed:
    model = Model(package=lambda name: True)
    model.methods = CommandLine(given).methods()
    model.attributes_of["argparse.Namespace"] = frozenset()
    return analyse(source, model=model)


def test_options_that_a_table_declares_hold_what_is_given_or_their_own_default() -> None:
    found = _parse(
        {"model": "tiny", "tp_size": 8},
        """
        import argparse
        parser = argparse.ArgumentParser()
        table = ("model_path", ["--model"], None), ("tp_size", [], 1), ("dtype", [], "auto")
        for field, aliases, default in table:
            names = ["--" + field.replace("_", "-")] + aliases
            options = dict(default=default)
            parser.add_argument(*names, **options)
        arguments = parser.parse_args()
        model, size, dtype = arguments.model_path, arguments.tp_size, arguments.dtype
    """,
    )
    assert found.plain("model") == {"tiny"}
    assert found.plain("size") == {8}
    assert found.plain("dtype") == {"auto"}


def test_an_option_of_an_unknown_name_may_be_any_that_is_given() -> None:
    found = _parse(
        {"tp_size": 8},
        """
        import argparse, os
        parser = argparse.ArgumentParser()
        parser.add_argument("--" + os.environ["OPTION"], default=1)
        arguments = parser.parse_args()
        size = getattr(arguments, "tp_size", 2)
    """,
    )
    assert found.plain("size") == {8, 2}
