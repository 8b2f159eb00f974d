"""`arcproof show`."""

import click

from arcproof.commands.arguments import check_outputs, complete_system, load_system, system_files, write_json
from arcproof.commands.command import Command
from arcproof.commands.options import OneOf, json_option


@click.command("show", cls=Command)
@click.argument("system", shell_complete=complete_system)
@click.option(
    "--format",
    "form",
    type=OneOf(["text", "latex", "json", "source"]),
    default="text",
    show_default=True,
    help="latex is a complete document; source is the specification.",
)
@click.option("--fragment", is_flag=True, help="With latex: the figure environment alone, for a document of your own.")
@json_option
def command(system: str, form: str, fragment: bool, json_file: str | None) -> None:
    """Print the figure of SYSTEM as papers print it: start, terminal configurations, transitions, oracles, claims.

    `--format json` is the same as `--json`.

    \b
    Example:
      arcproof show arc-eager --format latex
    """
    from arcproof.documents.show import document
    from arcproof.transitions.printing import figure as figures
    from arcproof.transitions.printing.source import to_source

    if fragment and form != "latex":
        raise click.UsageError(f"--fragment goes with --format latex, not {form}")
    if form == "json":
        form, json_file = "text", "-" if json_file is None else json_file
    figure = load_system(system).figure_with_parameters
    check_outputs([json_file], system_files([system]))
    write_json(document(figure), json_file)
    if json_file == "-":
        return
    match form:
        case "latex":
            click.echo(figures.to_latex_fragment(figure) if fragment else figures.to_latex(figure), nl=False)
        case "source":
            click.echo(to_source(figure), nl=False)
        case _:
            click.echo(figures.to_text(figure), nl=False)
