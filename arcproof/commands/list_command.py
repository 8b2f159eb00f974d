"""`arcproof list`."""

import click

from arcproof.commands.arguments import check_outputs, write_json
from arcproof.commands.command import Command
from arcproof.commands.options import json_option


@click.command("list", cls=Command)
@json_option
def command(json_file: str | None) -> None:
    """List the built-in systems with their citations and claims.

    A claim is what the literature says about a system; `arcproof show SYSTEM` prints its figure.

    \b
    Example:
      arcproof list
    """
    from arcproof.transitions.library import entries

    check_outputs([json_file], [])
    systems = entries()
    if json_file is not None:
        from arcproof.documents.list import document

        write_json(document(systems), json_file)
    if json_file == "-":
        return
    width = max(len(entry.name) for entry in systems)
    for entry in systems:
        click.echo(f"{entry.name:{width}}  {entry.cite}")
        click.echo(f"{'':{width}}  {'; '.join(entry.claims)}")
