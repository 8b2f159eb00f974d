"""`arcproof trace`."""

import os
from typing import TYPE_CHECKING, Final

import click

from arcproof.commands.arguments import (
    check_folder,
    check_outputs,
    complete_system,
    load_system,
    make_folder,
    system_files,
    write_file,
)
from arcproof.commands.command import Command
from arcproof.commands.gold_arguments import GoldGiven, entries, gold_graph, gold_options
from arcproof.commands.options import OneOf, WholeNumber, json_option, oracle_option
from arcproof.commands.results import Trace
from arcproof.commands.treebank_arguments import file_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from arcproof.transitions.configuration import Derivation
    from arcproof.transitions.graph import Graph
    from arcproof.transitions.system import System

MOST_WORDS: Final = 100_000
MAX_SPACE: Final = 2**25
"""The most cells and arcs that all configurations of a derivation may have together: about 2 GB."""


@click.command("trace", cls=Command)
@click.argument("system", shell_complete=complete_system)
@gold_options
@click.option(
    "--words",
    type=WholeNumber(min=0, max=MOST_WORDS),
    metavar="N",
    help="With --arcs: the number of words, if the last of them has no arc.",
)
@oracle_option
@click.option(
    "--format",
    "form",
    type=OneOf(["text", "latex", "json", "svg", "tikz", "beamer"]),
    default="text",
    show_default=True,
    help="svg and tikz are the picture of the graph alone, unless --steps is given; beamer has a slide for each step.",
)
@click.option("--steps", "stepwise", is_flag=True, help="With svg and tikz: a picture for each configuration.")
@click.option(
    "--output",
    "-o",
    "folder",
    metavar="DIR",
    help="With --steps: write each picture to a file of its own in DIR, step-00 and so on; svg needs it. DIR is made if it is missing.",
)
@click.option(
    "--fragment", is_flag=True, help="With latex, tikz and beamer: no document class, for a document of your own."
)
@click.option(
    "--search",
    is_flag=True,
    help="Follow no oracle: search for a shortest run. This is the default where SYSTEM has no oracle.",
)
@click.option(
    "--tags",
    help="For a figure that assigns tags: with --heads the tags, e.g. DET,NOUN,_; with --conllu upos (the default) "
    "or xpos.",
)
@click.option("--full", is_flag=True, help="Print long sequences in full.")
@json_option
def command(
    system: str,
    heads: str | None,
    labels: str | None,
    arcs: str | None,
    forms: str | None,
    conllu: str | None,
    sentence: int,
    words: int | None,
    oracle: str | None,
    form: str,
    stepwise: bool,
    folder: str | None,
    fragment: bool,
    search: bool,
    tags: str | None,
    full: bool,
    json_file: str | None,
) -> None:
    """Print the derivation of a gold graph by the oracle of SYSTEM, with every configuration.

    Where SYSTEM has no oracle, or with --search, the derivation is a shortest run. LEFT-ARC[2] is a transition with a
    choice: the number is one more than the length of the run of nodes that its pattern leaves open.

    Pictures for LaTeX need the package tikz-dependency; as documents of their own they also need the class standalone
    or beamer. All pictures of a derivation have the same height; new arcs are thick, and arcs that cross are dashed.
    `--format json` is the same as `--json`.

    Exit codes: 0 there is a derivation, 1 the oracle does not lead to the gold graph (the message names the arcs that
    it cannot build) or no run does, 2 wrong usage or input.

    \b
    Example:
      arcproof trace arc-eager --heads 2,0,2
    """
    from arcproof.reports import arc_diagram, derivation_table

    check_search(search, oracle)
    _check_pictures(form, stepwise, folder, fragment)
    if form == "json":
        form, json_file = "text", "-" if json_file is None else json_file
    loaded = load_system(system)
    check_outputs([json_file], [*system_files([system]), *([] if conllu is None else [file_of(conllu)])])
    given = GoldGiven(heads, labels, arcs, forms, conllu, sentence)
    graph, tokens = gold_graph(given, words, loaded.figure.several_heads)
    found = traced(
        loaded, graph, tokens, oracle, search, lambda: gold_tags(loaded, tags, graph.words, conllu, sentence)
    )
    chosen, derivation = found.oracle, found.derivation
    if json_file is not None:
        from arcproof.documents import trace

        write_file(json_file, trace.text(trace.document(loaded, chosen or "", derivation, tokens)))
    if json_file == "-":
        return
    match form:
        case "svg" | "tikz" if stepwise and folder is not None:
            pictures = found.svg_steps(full=full) if form == "svg" else found.tikz_steps(full=full, fragment=fragment)
            _write_steps(folder, form, pictures)
        case "tikz":
            click.echo(found.to_tikz(steps=stepwise, full=full, fragment=fragment), nl=False)
        case "beamer":
            click.echo(found.to_beamer(full=full, fragment=fragment), nl=False)
        case "svg":
            click.echo(arc_diagram.to_svg(derivation.graph, tokens), nl=False)
        case "latex":
            click.echo(
                derivation_table.to_latex(loaded, chosen, derivation, tokens, full=full, fragment=fragment), nl=False
            )
        case _:
            click.echo(text_of(found, full), nl=False)


def _check_pictures(form: str, stepwise: bool, folder: str | None, fragment: bool) -> None:
    """Refuse options that make no sense together, before any work is done."""
    if stepwise and form not in ("svg", "tikz"):
        other = "; beamer has a slide for each step anyway" if form == "beamer" else ""
        raise click.UsageError(f"--steps goes with --format svg or tikz, not {form}{other}")
    if fragment and form not in ("latex", "tikz", "beamer"):
        raise click.UsageError(f"--fragment goes with --format latex, tikz or beamer, not {form}")
    if folder is not None and not stepwise:
        raise click.UsageError("--output is the folder for one file per step; give --steps as well, or write > FILE")
    if stepwise and form == "svg" and folder is None:
        raise click.UsageError("an SVG file has one picture; name a folder for the steps: --output DIR")
    check_folder(folder)


def text_of(found: Trace, full: bool = False) -> str:
    """Format the picture, the derivation, and the notes on it."""
    from arcproof.reports import arc_diagram, derivation_table
    from arcproof.reports.choices import choice_notes

    drawn = arc_diagram.to_text(found.derivation.graph, found.forms)
    table = derivation_table.to_text(found.system, found.oracle, found.derivation, found.forms, full=full)
    searched = ["no oracle was followed: this is a shortest run"] if found.oracle is None else []
    notes = [*searched, *choice_notes(found.system, found.derivation.transitions)]
    return f"{drawn}\n{table}" + "".join(f"{note}\n" for note in notes)


def _write_steps(folder: str, form: str, pictures: list[str]) -> None:
    """Write one file for each picture; print how many there are, and where."""
    from arcproof.reports.steps import file_name
    from arcproof.transitions.printing.escape import for_terminal

    names = [file_name(number, len(pictures), "svg" if form == "svg" else "tex") for number in range(len(pictures))]
    make_folder(folder)
    for name, picture in zip(names, pictures, strict=True):
        write_file(os.path.join(folder, name), picture)
    written = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    click.echo(f"{written} in {for_terminal(folder)}")


def check_search(search: bool, oracle: str | None) -> None:
    """Refuse to search and to follow an oracle at the same time."""
    if search and oracle is not None:
        raise click.UsageError("--search follows no oracle; leave out --oracle")


def traced(
    system: "System",
    gold: "Graph",
    forms: tuple[str, ...] | None,
    oracle: str | None,
    search: bool,
    tags: "Callable[[], tuple[str | None, ...]]",
) -> Trace:
    """Derive a gold graph by an oracle, with these gold tags, or by a shortest run."""
    if search or (oracle is None and not system.figure.oracles):
        return Trace(system, None, _searched(system, gold), forms)
    chosen = system.oracle(oracle).name
    return Trace(system, chosen, system.derive(gold, chosen, tags(), MAX_SPACE), forms)


def _searched(system: "System", graph: "Graph") -> "Derivation":
    """Find a shortest run to the graph; `NotDerivable` if there is none."""
    from arcproof.process.memory import half_of_the_memory
    from arcproof.properties.engines.engine import default_engine
    from arcproof.properties.engines.exploration import configurations_in
    from arcproof.properties.engines.shortest_derivation import ArcsAreRemoved
    from arcproof.properties.engines.shortest_run import searched_derivation
    from arcproof.properties.engines.spaces import OutOfBounds
    from arcproof.transitions.errors import NotDerivable

    try:
        found = searched_derivation(system, graph, configurations_in(half_of_the_memory()), default_engine())
    except ArcsAreRemoved:
        raise click.UsageError(
            f"{system.name} removes arcs, which this search does not follow; "
            f"`arcproof reach {system.name} --output` finds a shortest run, or follow an oracle"
        ) from None
    except OutOfBounds as error:
        raise click.UsageError(f"a run of {system.name} cannot be searched: {error}; give fewer words") from None
    if found is None:
        raise NotDerivable(f"{graph} is not the output of any run of {system.name}", (), ())
    return found


def gold_tags(
    system: "System", given: str | None, words: int, conllu: str | None, number: int
) -> tuple[str | None, ...]:
    """The gold tags for a figure that assigns tags, if they are known."""
    if not system.figure.assigns_tags:
        if given is not None:
            raise click.UsageError(f"{system.name} assigns no tags; leave out --tags")
        return ()
    if conllu is None:
        tags = () if given is None else tuple(None if tag == "_" else tag for tag in map(str.strip, given.split(",")))
        if given is not None and len(tags) != words:
            raise click.UsageError(f"--tags has {entries(tags)}, --heads {words}")
        return tags
    from arcproof.classifiers.artificial import on_board
    from arcproof.generators.formats import TAG_COLUMNS
    from arcproof.generators.treebank import read_sentence

    column = next((column for column in TAG_COLUMNS if column == (given or "upos")), None)
    if column is None:
        raise click.UsageError(f"with --conllu, --tags is {' or '.join(TAG_COLUMNS)}, not {given}")
    return read_sentence(on_board(conllu) or conllu, number).tags(column)
