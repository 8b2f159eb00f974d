"""`arcproof show`."""

import click

from arcproof.commands.arguments import complete_system, echo_json, load_system


@click.command("show")
@click.argument("system", shell_complete=complete_system)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "latex", "json", "source"]),
    default="text",
    show_default=True,
    help="latex is a document that compiles as it is; source is the specification.",
)
@click.option("--fragment", is_flag=True, help="With latex: the figure environment alone, for a document of your own.")
def command(system: str, form: str, fragment: bool) -> None:
    """Print the figure of SYSTEM as papers print it: start, terminal configurations, transitions, oracles, claims."""
    from arcproof.transitions.printing import figure as figures
    from arcproof.transitions.printing.source import to_source

    if fragment and form != "latex":
        raise click.UsageError(f"--fragment goes with --format latex, not {form}")
    figure = load_system(system).figure_with_parameters
    match form:
        case "json":
            echo_json(figures.to_json(figure))
        case "markdown":
            click.echo(figures.to_markdown(figure), nl=False)
        case "latex":
            click.echo(figures.to_latex_fragment(figure) if fragment else figures.to_latex(figure), nl=False)
        case "source":
            click.echo(to_source(figure), nl=False)
        case _:
            click.echo(figures.to_text(figure), nl=False)
