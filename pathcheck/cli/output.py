"""Where answers go, and what is said meanwhile."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import typer

from pathcheck.cli.errors import InputError
from pathcheck.report.base import Evidence, View
from pathcheck.report.safe import plain
from pathcheck.verdict.seam import Progress, silent

#: Width of a text that no terminal shows: the same bytes everywhere.
_WIDTH = 120


def view_for(output: Path | None, evidence: Evidence) -> View:
    """Colour and the screen's width only where a terminal will show the text."""
    if output is not None or not sys.stdout.isatty():
        return View(evidence, _WIDTH)
    color = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return View(evidence, shutil.get_terminal_size((_WIDTH, 40)).columns, color)


def check_output(output: Path | None) -> None:
    """Refuse a place that cannot be written to before any work is done."""
    if output is not None and (output.is_dir() or not output.absolute().parent.is_dir()):
        raise InputError(f"--output {output}: expected a file name in a directory that exists")


def write(text: str, output: Path | None) -> None:
    """The answer to standard output, or whole into a file: never half of one."""
    if output is None:
        typer.echo(text, nl=False)
        return
    temporary = None
    try:
        if output.exists() and not output.is_file():
            output.write_text(text, encoding="utf-8")  # a pipe or a device
            return
        with tempfile.NamedTemporaryFile(
            "w", dir=output.absolute().parent, prefix=f".{output.name}.", delete=False, encoding="utf-8"
        ) as file:
            temporary = Path(file.name)
            file.write(text)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(output.resolve())
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise InputError(f"--output {output}: {error.strerror}") from None


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask


def progress() -> Progress:
    """Numbered lines with time and memory on standard error; nothing off a terminal."""
    return _Lines() if sys.stderr.isatty() else silent


@dataclass
class _Lines:
    started: float = field(default_factory=time.monotonic)
    count: int = 0

    def __call__(self, line: str) -> None:
        self.count += 1
        elapsed = time.monotonic() - self.started
        typer.echo(f"[{self.count}] {elapsed:6.1f} s {_memory():>5} MB  {plain(line, 200)}", err=True)


def _memory() -> int:
    try:
        import resource
    except ImportError:  # not on every system
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // (1_048_576 if sys.platform == "darwin" else 1_024)
