"""`arcproof export`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import check_outputs, complete_system, load_system, system_files, write_file
from arcproof.commands.command import Command
from arcproof.commands.options import OneOf, WholeNumber

if TYPE_CHECKING:
    from arcproof.transitions.system import System


@click.command("export", cls=Command)
@click.argument("system", shell_complete=complete_system)
@click.option("--to", "form", type=OneOf(["promela", "tla"]), required=True, help="For SPIN, or for TLC.")
@click.option("--words", type=WholeNumber(0, 20), required=True, metavar="N", help="A sentence of N words.")
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Where to write the model; standard output if not given."
)
def command(system: str, form: str, words: int, output: str) -> None:
    """Write SYSTEM, for a sentence of N words, as a model for another checker: SPIN (Promela) or TLC (TLA+).

    The number of states the checker finds is the number of configurations that `arcproof explore SYSTEM --words N`
    counts for N words. The header of the model explains how to run it.

    TLC expects a module in a file of the same name. With --output DIR/Name.tla the module is called Name, and
    DIR/Name.cfg is written too; on standard output it is named after the system, and the configuration is in its
    header.

    \b
    Example:
      arcproof export arc-eager --to promela --words 4 -o arc-eager.pml
    """
    loaded = load_system(system)
    check_outputs([output], system_files([system]))
    write_model(loaded, form, words, output)


def write_model(system: "System", form: str, words: int, output: str) -> str:
    """Write the model to a file, for TLC with its configuration beside it, or to standard output for -; return the
    model.
    """
    from arcproof.transitions.export.promela import to_promela
    from arcproof.transitions.export.tla import to_tla

    path = Path(output)
    if form == "promela" or output == "-":
        text = to_promela(system, words) if form == "promela" else to_tla(system, words).module
        write_file(output, text)
        return text
    if path.suffix != ".tla":
        raise click.UsageError(f"TLC reads files whose names end in .tla, not {path.name}")
    model = to_tla(system, words, path.stem)
    write_file(output, model.module)
    write_file(str(path.with_suffix(".cfg")), model.configuration)
    return model.module
