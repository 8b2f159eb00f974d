"""`arcproof lsp`."""

import sys

import click

INSTALL = "pip install 'arcproof[editors]'"


@click.command("lsp")
def command() -> None:
    """Start a language server for specifications (`*.tsys`) on standard input and output; an editor starts it, not a person.

    It reports what `arcproof check` reports while you type, says what a construct means, completes what may come next, goes to the
    declaration of a component or a transition, and formats. See docs/editors.md for how to set up an editor.
    """
    try:
        import pygls  # noqa: F401
    except ImportError as error:
        raise click.UsageError(f"lsp needs pygls, which is not installed ({error}); {INSTALL}") from None
    from arcproof.editors.server import serve

    sys.exit(serve())
