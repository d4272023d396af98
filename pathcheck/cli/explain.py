"""``pathcheck explain``: the verdict of any lines, with its witness or proof."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pathcheck.cli import options as o
from pathcheck.cli.errors import WRONG_INPUT, InputError, say
from pathcheck.cli.output import check_output, progress, view_for, write
from pathcheck.cli.places import batch_places, place_of
from pathcheck.report.formats import FORMATS
from pathcheck.revision.ranges import open_tree
from pathcheck.revision.repository import Repository
from pathcheck.verdict.decide import Options, Place, decide_places
from pathcheck.verdict.gate import explain_code
from pathcheck.verdict.reports import ExplainReport, NoPlace

#: Up to so many places are explained in full unless told otherwise.
_FEW = 20


def explain(
    places: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE:LINE[-LINE]]…", help="Lines by the repository's paths."),
    ] = None,
    rev: Annotated[str, typer.Option("--rev", metavar="REV", help="The revision, or WORKTREE.")] = "HEAD",
    args: o.ArgsOption = None,
    launch: o.LaunchOption = None,
    facts: o.FactsOption = None,
    assume: o.AssumeOption = None,
    repo: o.RepoOption = Path(),
    batch: Annotated[
        str | None, typer.Option("--batch", metavar="FILE|-", help='JSON Lines of {"file", "lines": [a, b]}.')
    ] = None,
    format: o.FormatOption = "text",
    output: o.OutputOption = None,
    phase: o.PhaseOption = None,
    evidence: o.EvidenceOption = None,
) -> None:
    """Decide any lines of one revision, changed or not."""
    o.check_format(format)
    check_output(output)
    asked = _asked(places, batch)
    shown = o.read_evidence(evidence, "full" if len(asked) <= _FEW else "short")
    phases = o.read_phases("--phase", phase)
    deployment = o.read_deployment(args, launch, facts, assume)
    repository = Repository.open(repo)
    options = Options(evidence=shown != "none", phases=phases, progress=progress())
    tree = open_tree(repository, rev)
    report = decide_places(tree, asked, deployment, str(repository.location), options)
    write(FORMATS[format].explain(report, view_for(output, shown)), output)
    raise typer.Exit(_code(report, len(places or ())))


def _asked(places: list[str] | None, batch: str | None) -> list[Place]:
    asked = [place_of(text) for text in places or ()]
    if batch is not None:
        asked += batch_places(batch)
    if not asked:
        raise InputError("nothing to explain: give FILE:LINE[-LINE], or --batch FILE")
    return asked


def _code(report: ExplainReport, direct: int) -> int:
    """A place on the command line that does not exist is a wrong call; in a batch it is an answer."""
    missing = [result for result in report.results[:direct] if isinstance(result, NoPlace)]
    for result in missing:
        say(result.error)
    return WRONG_INPUT if missing else explain_code(report)
