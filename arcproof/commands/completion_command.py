"""`arcproof completion`."""

import click
from click.shell_completion import get_completion_class

from arcproof.commands.command import Command
from arcproof.commands.options import OneOf


@click.command("completion", cls=Command)
@click.argument("shell", type=OneOf(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print the script that lets SHELL complete commands, options and systems.

    bash: put `eval "$(arcproof completion bash)"` into ~/.bashrc; zsh: the same with zsh in ~/.zshrc; fish: `arcproof
    completion fish | source` in config.fish.

    \b
    Example:
      arcproof completion bash
    """
    from arcproof.commands import cli

    completion = get_completion_class(shell)
    assert completion is not None
    click.echo(completion(cli, {}, "arcproof", "_ARCPROOF_COMPLETE").source())
