"""`arcproof lsp`."""

import sys

import click

from arcproof.commands.command import Command


@click.command("lsp", cls=Command)
def command() -> None:
    """Start a language server for specifications (`*.tsys`) on standard input and output, for editors.

    It reports what `arcproof check` reports while you type, explains what a construct means, completes what may come
    next, goes to the declaration of a component or a transition, and formats. See docs/editors.md for how to set up an
    editor.

    \b
    Example:
      arcproof lsp
    """
    from arcproof.process.extras import need

    need("editors", "pygls")
    from arcproof.editors.server import serve

    sys.exit(serve())
