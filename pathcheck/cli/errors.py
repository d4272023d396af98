"""Every error is one line and an exit code; docs/contract.md has the codes."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer
import typer.core

from pathcheck.deployment.model import DeploymentError
from pathcheck.report.safe import plain
from pathcheck.revision.errors import RevisionError
from pathcheck.verdict.seam import AnalysisError, NoSuchPlace

#: The call or an input is wrong.
WRONG_INPUT = 2
_INTERRUPTED = 130


class InputError(Exception):
    """An option or argument is wrong: one line that says what would be right."""


class OneLineErrors(typer.core.TyperGroup):
    """Turns whatever a command raises into one line on standard error."""

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command."""
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort):
            raise
        except KeyboardInterrupt:
            raise typer.Exit(_INTERRUPTED) from None
        except BrokenPipeError:
            # The reader has gone (``| head``); nothing is wrong, and nobody listens.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except Exception as error:
            if ctx.params.get("debug"):
                raise
            say(_line(error, ctx))
            raise typer.Exit(_code(error)) from None


def say(line: str) -> None:
    """One line on standard error."""
    typer.echo(f"pathcheck: {plain(line, 2_000)}", err=True)


def _line(error: Exception, ctx: Any) -> str:
    # Which click a typer release carries differs; how a usage error words itself does not.
    if hasattr(error, "format_message"):
        command = getattr(getattr(error, "ctx", None), "command_path", ctx.command_path)
        return f"{error.format_message()} (see {command} --help)"
    if isinstance(error, RevisionError | DeploymentError | AnalysisError | NoSuchPlace | InputError):
        return str(error)
    text = " ".join(str(error).split())
    return f"internal error: {type(error).__name__}: {text} (pathcheck --debug … shows where)"


def _code(error: Exception) -> int:
    return error.code if isinstance(error, AnalysisError) else WRONG_INPUT
