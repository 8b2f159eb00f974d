"""`arcproof list`."""

import click

from arcproof.commands.arguments import echo_json


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: name, cite and claims of each system.")
def command(as_json: bool) -> None:
    """Show the built-in systems: citation and claims.

    A claim is what the literature says of the system; `arcproof show SYSTEM` prints its figure.
    """
    from arcproof.transitions.library import entries

    systems = entries()
    if as_json:
        from arcproof.documents.list import document

        echo_json(document(systems))
        return
    width = max(len(entry.name) for entry in systems)
    for entry in systems:
        click.echo(f"{entry.name:{width}}  {entry.cite}")
        click.echo(f"{'':{width}}  {'; '.join(entry.claims)}")
