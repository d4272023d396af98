"""The text of explained places: a tree of phases, each with its witness or its proof."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import RenderableType
from rich.text import Text
from rich.tree import Tree

from pathcheck.report.base import Evidence
from pathcheck.report.rows import guard_text
from pathcheck.report.safe import plain, safe
from pathcheck.report.textfacts import fact_sections
from pathcheck.verdict import model
from pathcheck.verdict.model import PHASES, Guard, PhaseVerdict, PlaceVerdict, Proof
from pathcheck.verdict.reports import ExplainReport, NoPlace

_STYLES = {"reachable": "bold red", "conditional": "yellow", "unreachable": "green"}
_PROOFS = {
    "guard": "cut by a guard",
    "no-caller": "nothing that runs calls it",
    "no-root": "the phase does not exist on this server",
    "not-loaded": "the module is not loaded",
}
#: ``--evidence short`` shows so many lines of each kind.
_SHORT = 3


def explain_sections(report: ExplainReport, evidence: Evidence) -> list[RenderableType]:
    """One tree for each place, in the order asked, then what holds for all."""
    head = safe(f"{report.head.rev} ({report.head.sha[:9]})", "dim")
    trees = [_place(result, evidence) for result in report.results]
    return [head, *trees, *fact_sections(report.info, report.info.incomplete)]


def _place(result: PlaceVerdict | NoPlace, evidence: Evidence) -> RenderableType:
    if isinstance(result, NoPlace):
        where = plain(f"{result.file}{_lines(result.lines)}")
        return Text.assemble(where, "  ", (plain(result.error), "yellow"))
    tree = Tree(_title(result), guide_style="dim")
    for text in result.assumptions:
        tree.add(safe(f"assumed: {text}", "yellow"))
    if len(result.statements) > 1:
        branch = tree.add(Text("statements", style="dim"))
        for lines, answer in sorted(result.statements):
            branch.add(Text.assemble(f"{_lines(lines)[1:]:<11}", (answer, _STYLES[answer])))
    for phases, verdict in _grouped(result):
        _phase(tree, phases, verdict, evidence)
    return tree


def _title(place: PlaceVerdict) -> Text:
    verdict = place.verdict or "no code"
    return Text.assemble(
        plain(f"{place.file}{_lines(place.lines)}"), "  ", plain(place.symbol), f"  {place.kind}  ",
        (verdict, _STYLES.get(verdict, "dim")), (f" ({place.confidence})" if place.verdict else "", "dim"),
    )  # fmt: skip


def _grouped(place: PlaceVerdict) -> Iterable[tuple[list[str], PhaseVerdict]]:
    """Phases that say the same are told once; live ones first."""
    groups: list[tuple[list[str], PhaseVerdict]] = []
    for phase in PHASES:
        verdict = place.phases.get(phase)
        if verdict is None:
            continue
        same = next((names for names, known in groups if known == verdict), None)
        if same is not None:
            same.append(phase)
        else:
            groups.append(([phase], verdict))
    return sorted(groups, key=lambda group: -model.LIVENESS[group[1].verdict])


def _phase(tree: Tree, phases: list[str], verdict: PhaseVerdict, evidence: Evidence) -> None:
    via = f" via {' and '.join(verdict.via)}" if verdict.via else ""
    sure = "" if verdict.confidence == "proved" else " (assumed)"
    branch = tree.add(
        Text.assemble((verdict.verdict, _STYLES[verdict.verdict]), f" in {', '.join(phases)}{via}{sure}")
    )
    if evidence == "none":
        return
    for text in verdict.assumptions:
        branch.add(safe(f"assumed: {text}", "yellow"))
    if verdict.proof is not None:
        _proof(branch, verdict.proof, evidence)
    elif verdict.witness:
        _witness(branch, verdict, evidence)
    else:
        _guards(branch, verdict.guards, evidence)


def _witness(branch: Tree, verdict: PhaseVerdict, evidence: Evidence) -> None:
    """The call path, one step below the other as one would read it in an editor."""
    node = branch
    for step in verdict.witness:
        node = node.add(Text.assemble((plain(step.symbol), "bold"), plain(f"  {step.file}:{step.line}")))
        _guards(node, step.guards, evidence)
    told = {guard for step in verdict.witness for guard in step.guards}
    _guards(node, [guard for guard in verdict.guards if guard not in told], evidence)


def _guards(node: Tree, guards: Iterable[Guard], evidence: Evidence) -> None:
    for guard in guards:
        style = "yellow" if guard.value is None else ""
        leaf = node.add(safe(f"under {guard_text(guard)}  ({guard.file}:{guard.line})", style, 400))
        _lines_of(leaf, guard.why, evidence)


def _proof(branch: Tree, proof: Proof, evidence: Evidence) -> None:
    node = branch.add(Text(_PROOFS[proof.kind], style="bold"))
    _guards(node, proof.cut, evidence)
    _evidence(node, "written at", proof.writes, evidence)
    _evidence(node, "mentioned at", proof.mentions, evidence)


def _evidence(node: Tree, title: str, found: tuple[model.Evidence, ...], evidence: Evidence) -> None:
    if found:
        _lines_of(node.add(Text(title, style="dim")), found, evidence)


def _lines_of(node: Tree, found: tuple[model.Evidence, ...], evidence: Evidence) -> None:
    shown = found if evidence == "full" else found[:_SHORT]
    for each in shown:
        dead = f"  cannot run: {each.dead_because}" if each.dead_because else ""
        node.add(safe(f"{each.file}:{each.line}  {each.text}{dead}", limit=400))
    if len(shown) < len(found):
        node.add(Text(f"and {len(found) - len(shown)} more (--evidence full)", style="dim"))


def _lines(lines: tuple[int, int] | None) -> str:
    if lines is None:
        return ""
    return f":{lines[0]}" if lines[0] == lines[1] else f":{lines[0]}-{lines[1]}"
