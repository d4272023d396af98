"""``pathcheck diff``: the verdict of every change between two revisions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pathcheck.cli import options as o
from pathcheck.cli.output import check_output, progress, view_for, write
from pathcheck.report.formats import FORMATS
from pathcheck.revision.ranges import open_range
from pathcheck.revision.repository import Repository
from pathcheck.verdict.decide import Options, decide_diff
from pathcheck.verdict.gate import exit_code


def diff(
    revisions: Annotated[
        str | None, typer.Argument(metavar="[A..B]", help="A..B, A...B, A (= A..HEAD) or none (to upstream).")
    ] = None,
    args: o.ArgsOption = None,
    launch: o.LaunchOption = None,
    facts: o.FactsOption = None,
    assume: o.AssumeOption = None,
    repo: o.RepoOption = Path(),
    format: o.FormatOption = "text",
    output: o.OutputOption = None,
    phase: o.PhaseOption = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option("--fail-on", metavar="P,…", help="Exit with 1 if a change may run in one of them."),
    ] = None,
    evidence: o.EvidenceOption = None,
) -> None:
    """Decide which changes of a range can reach the server you run."""
    o.check_format(format)
    check_output(output)
    shown = o.read_evidence(evidence, "short")
    phases, gate = o.read_phases("--phase", phase), o.read_phases("--fail-on", fail_on)
    deployment = o.read_deployment(args, launch, facts, assume)
    repository = Repository.open(repo)
    span = open_range(repository, revisions)
    options = Options(evidence=shown != "none", phases=phases, progress=progress())
    report = decide_diff(span, deployment, str(repository.location), options)
    write(FORMATS[format].diff(report, view_for(output, shown)), output)
    raise typer.Exit(exit_code(report, gate))
