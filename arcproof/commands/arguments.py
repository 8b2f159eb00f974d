"""What several commands share: naming systems, printing JSON."""

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from arcproof.transitions.system import System


def complete_system(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The names on board that begin like this, or else files; for the shell."""
    from arcproof.transitions.library import system_names

    names = [CompletionItem(name) for name in system_names() if name.startswith(incomplete)]
    return names or [CompletionItem(incomplete, type="file")]


def load_system(reference: str) -> "System":
    """The system a user named."""
    from arcproof.transitions.system import load

    if "\n" in reference:
        raise click.UsageError("a system is given by its name or by the path of its specification")
    return load(reference)


def echo_json(value: object) -> None:
    """Print JSON for machines and readers: indented, Greek letters as they are."""
    import json

    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
