"""`arcproof coverage`."""

import sys
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import SeveralTreebanks, complete_system, echo_json, json_option, load_system

if TYPE_CHECKING:
    from arcproof.properties.studies.coverage import Covered, Spread


@click.command("coverage", cls=SeveralTreebanks)
@click.argument("systems", nargs=-1, required=True, shell_complete=complete_system, metavar="SYSTEM...")
@click.option(
    "--treebank",
    "treebanks",
    multiple=True,
    required=True,
    metavar="FILE",
    help="A CoNLL-U or CoNLL-X file, or artificial-test, which is on board; may be repeated.",
)
@json_option
def command(systems: tuple[str, ...], treebanks: tuple[str, ...], as_json: bool) -> None:
    """Count which sentences and arcs of treebanks each SYSTEM derives, and how the trees spread over classes and degrees.

    A sentence is derived if one of the figure's oracles leads to its tree. Ctrl-C shows the files that are done, with exit code 3.
    """
    from arcproof.classifiers.artificial import on_board
    from arcproof.process.interruption import what_ended
    from arcproof.properties.studies.coverage import cover
    from arcproof.reports.progress import tracked

    loaded = [load_system(system) for system in systems]
    results = []
    with tracked("coverage") as progress:
        try:
            for path in treebanks:
                results.append((path, *cover(loaded, progress.sentences(str(on_board(path) or path)))))
        except KeyboardInterrupt as interruption:
            click.echo(what_ended(interruption), err=True)
    if as_json:
        from arcproof.documents.coverage import document

        echo_json(document(results))
    else:
        for path, spread, covered in results:
            _print(path, spread, covered)
    sys.exit(0 if len(results) == len(treebanks) else 3)


def _print(path: str, spread: "Spread", covered: "list[Covered]") -> None:
    from arcproof.transitions.printing.source import aligned

    click.echo(f"{path}: {spread.sentences} sentences, {spread.arcs} arcs")
    if not spread.sentences:
        return
    click.echo(
        f"  not projective: {_share(spread.nonprojective_sentences, spread.sentences)} sentences, "
        f"{_share(spread.nonprojective_arcs, spread.arcs)} arcs"
    )
    for name, degrees in (("edge degree (2007)", spread.edge_degrees), ("gap degree", spread.gap_degrees)):
        parts = ", ".join(f"{degree}: {_share(count, spread.sentences)}" for degree, count in sorted(degrees.items()))
        click.echo(f"  sentences by {name}: {parts}")
    classes = ", ".join(f"{name} {_share(count, spread.sentences)}" for name, count in spread.classes.items())
    click.echo(f"  sentences by class: {classes}")
    rows = [["system", "sentences", "arcs", "first sentence missed"]]
    for c in covered:
        missed = "-" if c.first_missed is None else f"{c.first_missed.number} (line {c.first_missed.first_line})"
        rows.append([c.system, _share(c.sentences, spread.sentences), _share(c.arcs, spread.arcs), missed])
    click.echo("\n".join(aligned(rows, "  ")))


def _share(count: int, total: int) -> str:
    return f"{count} ({100 * count / total:.2f} %)" if total else "0"
