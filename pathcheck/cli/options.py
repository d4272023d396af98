"""Options that several commands share, and how they are read."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from pathcheck.cli.errors import InputError, say
from pathcheck.deployment.load import load_deployment
from pathcheck.deployment.model import Deployment
from pathcheck.report.base import Evidence
from pathcheck.report.formats import FORMATS
from pathcheck.verdict.model import PHASES

ArgsOption = Annotated[
    Path | None,
    typer.Option("--args", metavar="FILE", help="Server arguments, a deployment or a /get_server_info reply"),
]
LaunchOption = Annotated[
    str | None, typer.Option("--launch", metavar="COMMAND", help="The server's command line, not --args.")
]
FactsOption = Annotated[
    Path | None, typer.Option("--facts", metavar="FILE", help="Facts that add to those of --args.")
]
AssumeOption = Annotated[
    list[str] | None, typer.Option("--assume", metavar="FACT=VALUE", help="One fact, such as gpu.count=8.")
]
RepoOption = Annotated[
    Path, typer.Option("--repo", metavar="PATH", help="A path in the repository.")
]
FormatOption = Annotated[
    str, typer.Option("--format", metavar="|".join(FORMATS), help="How the answer is written.")
]
OutputOption = Annotated[
    Path | None, typer.Option("--output", metavar="FILE", help="Write the answer there.")
]
PhaseOption = Annotated[
    list[str] | None, typer.Option("--phase", metavar="P,…", help="Decide over these phases only.")
]
EvidenceOption = Annotated[
    str | None,
    typer.Option("--evidence", metavar="none|short|full", help="How much of each witness and proof."),
]


def read_deployment(
    args: Path | None, launch: str | None, facts: Path | None, assume: Sequence[str] | None
) -> Deployment:
    """The deployment of these options; unknown facts are told on standard error."""
    if launch is not None:
        raise InputError("--launch is not supported yet: write the arguments to a file and give it to --args")
    if args is None:
        raise InputError("the server's arguments are missing: give a JSON or YAML file with --args FILE")
    deployment = load_deployment(args, facts, assume or ())
    for warning in deployment.warnings:
        say(f"warning: {warning}")
    return deployment


def read_phases(option: str, given: Sequence[str] | None) -> tuple[str, ...]:
    """Phase names from ``P,…``, in the contract's order."""
    names = {name.strip() for text in given or () for name in text.split(",") if name.strip()}
    for name in sorted(names - set(PHASES)):
        near = get_close_matches(name, PHASES, 3)
        known = f"nearest: {', '.join(near)}" if near else f"known: {', '.join(PHASES)}"
        raise InputError(f"{option}: unknown phase {name!r} ({known})")
    return tuple(phase for phase in PHASES if phase in names)


def read_evidence(given: str | None, default: Evidence) -> Evidence:
    """How much evidence is asked for."""
    if given is None:
        return default
    if given not in ("none", "short", "full"):
        raise InputError(f"--evidence: {given!r} is none of none, short, full")
    return cast(Literal["none", "short", "full"], given)


def check_format(name: str) -> None:
    """Refuse an unknown format before any work is done."""
    if name not in FORMATS:
        raise InputError(f"--format: {name!r} is none of {', '.join(FORMATS)}")
