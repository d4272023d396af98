"""``pathcheck cache``: where it lies, what it holds, and how to empty it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Annotated

import typer

from pathcheck.cachedir import cache_root
from pathcheck.cli.errors import InputError

#: What pathcheck keeps. Only these are ever removed: the directory is the user's to choose.
PARTS = ("analysis", "program", "releases", "worktree")

cache = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Show or clear what pathcheck can rebuild."
)


@cache.command()
def info() -> None:
    """Print where the cache lies and how large its parts are."""
    root = cache_root()
    typer.echo(str(root))
    for part in PARTS:
        files, size = _size(root / part)
        typer.echo(f"  {part:<10} {files:>7} files {size / 1_000_000:>10.1f} MB")


@cache.command()
def clear(
    parts: Annotated[
        list[str] | None, typer.Argument(metavar=f"[{'|'.join(PARTS)}]…", help="Which parts (default: all).")
    ] = None,
) -> None:
    """Remove the cache or some of its parts."""
    for part in parts or ():
        if part not in PARTS:
            raise InputError(f"the cache has no part {part!r} (parts: {', '.join(PARTS)})")
    for part in parts or PARTS:
        _remove(cache_root() / part)


def _remove(place: Path) -> None:
    try:
        if place.is_symlink() or place.is_file():
            place.unlink()
        elif place.exists():
            shutil.rmtree(place)
    except OSError as error:
        raise InputError(f"cannot remove {error.filename or place}: {error.strerror}") from None


def _size(place: Path) -> tuple[int, int]:
    files = size = 0
    for directory, _, names in os.walk(place):
        for name in names:
            try:
                size += os.lstat(os.path.join(directory, name)).st_size
            except OSError:
                continue
            files += 1
    return files, size
