"""``pathcheck releases``: SGLang releases from the package index as a git repository."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from pathcheck.cachedir import cache_root
from pathcheck.releases import builder
from pathcheck.releases.errors import ReleaseError


def releases(
    versions: Annotated[list[str], typer.Argument(help="Release numbers, such as 0.5.8 0.5.9.")],
) -> None:
    """Turn SGLang releases into a git repository, one commit and tag each, and print its path.

    The wheels are downloaded with pip; nothing is installed, imported or run.
    The repository lies in the cache and is reused.
    """
    try:
        with _progress() as report:
            place = builder.build_releases(versions, cache_root() / "releases", report)
    except ReleaseError as error:
        typer.echo(f"pathcheck: {error}", err=True)
        raise typer.Exit(2) from None
    typer.echo(str(place))


@contextmanager
def _progress() -> Iterator[builder.Progress]:
    """A progress bar on standard error, on a terminal only."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("starting", total=None)
        yield lambda what, done, total: bar.update(task, description=what, completed=done, total=total)
