"""`arcproof coverage`."""

import sys
from functools import partial
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import check_outputs, complete_system, load_system, system_files, write_json
from arcproof.commands.command import SeveralTreebanks
from arcproof.commands.options import cluster_option, fresh_option, jobs_option, json_option, timeout_option
from arcproof.commands.results import TreebankCoverage
from arcproof.commands.storing import stored_runs
from arcproof.commands.treebank_arguments import check_treebanks, file_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arcproof.generators.treebank import Tally
    from arcproof.properties.studies.coverage import Covered, GraphSpread, Spread
    from arcproof.transitions.system import System


@click.command("coverage", cls=SeveralTreebanks)
@click.argument("systems", nargs=-1, required=True, shell_complete=complete_system, metavar="SYSTEM...")
@click.option(
    "--treebank",
    "treebanks",
    multiple=True,
    required=True,
    metavar="FILE",
    help="A CoNLL-U, CoNLL-X or SDP-style file, or artificial-test, which is built in; may be repeated.",
)
@json_option
@timeout_option
@jobs_option
@fresh_option
@cluster_option
def command(
    systems: tuple[str, ...],
    treebanks: tuple[str, ...],
    json_file: str | None,
    timeout: float | None,
    jobs: int,
    fresh: bool,
) -> None:
    """Count which sentences and arcs of treebanks each SYSTEM derives, and how trees are distributed over classes.

    A sentence is derived if one of the figure's oracles leads to its tree. For a figure with several heads, the graphs
    are those of DEPS in CoNLL-U, or of an SDP-style file; sentences with null nodes are left out.

    Exit codes: 0 all files are counted, 2 wrong usage or input, 3 --timeout or Ctrl-C came first; the files that are
    done are shown.

    \b
    Example:
      arcproof coverage arc-eager swap --treebank artificial-test
    """
    from arcproof.process.interruption import time_limit

    loaded = [load_system(system) for system in systems]
    check_outputs([json_file], [*system_files(systems), *map(file_of, treebanks)])
    with stored_runs(fresh), time_limit(timeout):
        found = covered(loaded, treebanks, jobs)
    if found.ended_by is not None:
        click.echo(found.ended_by, err=True)
    if json_file is not None:
        from arcproof.documents.coverage import document

        write_json(document(found.trees, found.graphs), json_file)
    if json_file != "-":
        for result in found.trees:
            _print(*result)
        for of_graph in found.graphs:
            _print_graphs(*of_graph)
    sys.exit(found.exit_code)


def covered(systems: "Sequence[System]", treebanks: "Sequence[str]", jobs: int) -> TreebankCoverage:
    """Count one file after the other; an interruption keeps those that are done."""
    from arcproof.generators.treebank import Tally
    from arcproof.process.interruption import what_ended
    from arcproof.properties.studies.stored_coverage import File, covered_by, graphs_covered_by
    from arcproof.reports.progress import tracked

    check_treebanks(treebanks)
    of_trees = [system for system in systems if not system.figure.several_heads]
    of_graphs = [system for system in systems if system.figure.several_heads]
    trees, graphs, done = [], [], 0
    ended_by = None
    with tracked("coverage") as progress:
        try:
            for path in treebanks:
                file, tally = file_of(path), Tally()
                if of_trees:
                    treebank = File(file, partial(progress.sentences, str(file)))
                    trees.append((path, *covered_by(of_trees, treebank, jobs)))
                if of_graphs:
                    sentences = partial(progress.sentences, str(file), graphs=True, tally=tally)
                    asked = File(file, sentences, tally)
                    graphs.append((path, tally, *graphs_covered_by(of_graphs, asked, jobs)))
                done += 1
        except KeyboardInterrupt as interruption:
            ended_by = what_ended(interruption)
    return TreebankCoverage(tuple(trees), tuple(graphs), done == len(treebanks), ended_by)


def _print_graphs(path: str, tally: "Tally", spread: "GraphSpread", covered: "list[Covered]") -> None:
    from arcproof.commands.treebank_arguments import left_out
    from arcproof.transitions.printing.wording import counted

    what = "graphs with several heads" if spread.words_with_several else "graphs"
    click.echo(f"{path}: {counted(spread.sentences, 'sentence')}, {counted(spread.arcs, 'arc')}, {what}")
    if tally.with_null_nodes:
        click.echo(f"  {left_out(tally)}")
    if not spread.sentences:
        return
    click.echo(f"  words with several heads: {_share(spread.words_with_several, spread.words)}")
    parts = ", ".join(f"{number}: {_share(count, spread.sentences)}" for number, count in sorted(spread.heads.items()))
    click.echo(f"  sentences by the greatest number of heads of a word: {parts}")
    classes = ", ".join(f"{name} {_share(spread.classes[name], spread.sentences)}" for name in spread.names)
    click.echo(f"  sentences by class: {classes}")
    _print_covered(spread, covered)


def _print(path: str, spread: "Spread", covered: "list[Covered]") -> None:
    from arcproof.transitions.printing.wording import counted

    click.echo(f"{path}: {counted(spread.sentences, 'sentence')}, {counted(spread.arcs, 'arc')}")
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
    _print_covered(spread, covered)


def _print_covered(spread: "Spread | GraphSpread", covered: "list[Covered]") -> None:
    from arcproof.transitions.printing.source import aligned

    rows = [["system", "sentences", "arcs", "first sentence missed"]]
    for c in covered:
        missed = "-" if c.first_missed is None else f"{c.first_missed.number} (line {c.first_missed.first_line})"
        rows.append([c.system, _share(c.sentences, spread.sentences), _share(c.arcs, spread.arcs), missed])
    click.echo("\n".join(aligned(rows, "  ")))


def _share(count: int, total: int) -> str:
    return f"{count} ({100 * count / total:.2f} %)" if total else "0"
