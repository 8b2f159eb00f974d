"""What every command has in common: how its arguments are prepared before click parses them.

`--json` may be followed by a file or not.  The word after it is the file if it ends in `.json` or is `-`; any other
name needs the equals sign, `--json=FILE`.  A word that is clearly an argument (a file or folder that exists, a built-in
system) stays one, and any other is refused, so that no argument is ever taken for a file to write.
"""

import os
from collections.abc import Iterator
from typing import Any, Final

import click

from arcproof.commands import unknown

JSON: Final = "--json"


class Command(click.Command):
    """A command of arcproof."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        """Say -h also where a command is used without the group: click keeps the option that it makes first."""
        super().__init__(*arguments, **settings)
        self.context_settings = {"help_option_names": ["-h", "--help"], **self.context_settings}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Attach its file to --json; if an option is unknown, say which was probably meant."""
        try:
            return super().parse_args(ctx, list(self._with_json_told(ctx, args)))
        except click.NoSuchOption as error:
            names = [name for option in self.get_params(ctx) for name in option.opts]
            raise click.UsageError(unknown("option", error.option_name, names), ctx) from None

    def _with_json_told(self, ctx: click.Context, args: list[str]) -> Iterator[str]:
        options = [option for option in self.params if isinstance(option, click.Option)]
        if not any(JSON in option.opts for option in options):
            yield from args
            return
        with_value = {name for option in options if not option.is_flag for name in option.opts} - {JSON}
        words = iter(args)
        for word in words:
            if word == "--":
                yield word
                break
            if word == JSON:
                yield from _told(next(words, None), ctx)
            else:
                yield word
                if word in with_value:
                    yield from (value for value in (next(words, None),) if value is not None)
        yield from words


def _told(word: str | None, ctx: click.Context) -> Iterator[str]:
    """Yield --json with the file that the next word names; with `-` if that word is something else."""
    if word is None:
        yield f"{JSON}=-"
    elif word in ("", "-") or word.endswith(".json"):
        yield f"{JSON}={word}"
    elif word.startswith("-") or ctx.resilient_parsing or _is_an_argument(word):
        yield f"{JSON}=-"
        yield word
    else:
        raise click.UsageError(
            f"--json is followed by `{word}`: if that is the file to write, write --json={word} (only names that end in "
            ".json go without the equals sign); otherwise put --json last",
            ctx,
        )


def _is_an_argument(word: str) -> bool:
    """Whether a word names a file, folder or figure to read.

    Devices and pipes do not count: they may just as well be where the JSON should go.
    """
    if os.path.isfile(word) or os.path.isdir(word):
        return True
    from arcproof.transitions.library import system_names

    return word.partition("[")[0].partition(":")[0].strip() in system_names()


class SeveralTreebanks(Command):
    """A command whose --treebank may be followed by several files, as in `--treebank a.conllu b.conllu`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat --treebank before each of the files that follow it."""
        spread: list[str] = []
        files = False
        for argument in args:
            if argument.startswith("-") and argument != "-":
                files = argument == "--treebank"
                if not files:
                    spread.append(argument)
            else:
                spread += ["--treebank", argument] if files else [argument]
        if files and spread[-2:-1] != ["--treebank"]:
            spread.append("--treebank")
        return super().parse_args(ctx, spread)
