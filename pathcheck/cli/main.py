"""The ``pathcheck`` command: registers the commands, and lets no traceback out."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated, NoReturn

import typer

from pathcheck.cli.cache import cache
from pathcheck.cli.diff import diff
from pathcheck.cli.errors import OneLineErrors
from pathcheck.cli.explain import explain
from pathcheck.cli.releases import releases

app = typer.Typer(
    name="pathcheck",
    cls=OneLineErrors,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Decides, without running it, which changes of an SGLang pull can reach the server you run.",
)


@app.callback()
def settings(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an internal error.")] = False,
) -> None:
    """Options that come before the command; ``errors.OneLineErrors`` reads ``debug``."""
    # A title may hold what the terminal's encoding cannot show: an escape, not a crash.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


app.command()(diff)
app.command()(explain)
app.command()(releases)
app.add_typer(cache, name="cache")


def run() -> NoReturn:
    """The command as it is installed: ends the process at once when the answer is out.

    Taking an analysis' objects apart one by one costs a tenth of the whole run
    and serves nobody; mypy ends the same way (``mypy.util.hard_exit``).
    """
    code: object = 0
    try:
        app()
    except SystemExit as end:
        code = end.code
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # nobody reads it any more
            stream.flush()
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)
