"""What every command has in common: how its arguments are prepared before click parses them.

`--json` may be followed by a file or not.  The word after it is the file if it ends in `.json` or is `-`; any other
name needs the equals sign, `--json=FILE`.  A word that is clearly an argument (a file or folder that exists, a built-in
system) stays one, and any other is refused, so that no argument is ever taken for a file to write.
"""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import click

from arcproof.commands import unknown
from arcproof.commands.options import SETTINGS

if TYPE_CHECKING:
    from arcproof.commands.settings import Setting

JSON: Final = "--json"


class Command(click.Command):
    """A command of arcproof."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Attach its file to --json, and take settings from the environment and from a file."""
        settings = self._settings(ctx, args)
        ctx.meta[SETTINGS] = settings
        ctx.default_map = {name: setting.value for name, setting in settings.items()}
        try:
            rest = super().parse_args(ctx, list(self._with_json_told(ctx, args)))
        except click.NoSuchOption as error:
            names = [name for option in self.get_params(ctx) for name in option.opts]
            raise click.UsageError(unknown("option", error.option_name, names), ctx) from None
        except click.BadParameter as error:
            setting = settings.get(error.param.name or "") if error.param is not None else None
            if setting is None or not _comes_from_settings(ctx, error.param):
                raise
            raise click.UsageError(f"{setting.where}: {error.message}", ctx) from None
        self._tell(ctx, settings)
        return rest

    def _settings(self, ctx: click.Context, args: list[str]) -> "dict[str, Setting]":
        """The settings of the command; none for help, for the completion of a shell, and for commands of a group."""
        is_first = ctx.parent is not None and ctx.parent.parent is None
        if ctx.resilient_parsing or not is_first or not {"-h", "--help"}.isdisjoint(args):
            return {}
        from arcproof.commands.settings import settings_of

        return settings_of(self, ctx.info_name or "")

    def _tell(self, ctx: click.Context, settings: "dict[str, Setting]") -> None:
        """Print what a file has set."""
        if any(setting.file is not None for setting in settings.values()) and not ctx.params.get("quiet"):
            from arcproof.commands.settings import told

            line = told(ctx, settings)
            if line is not None:
                click.echo(line, err=True)

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


def _comes_from_settings(ctx: click.Context, param: click.Parameter | None) -> bool:
    source = None if param is None else ctx.get_parameter_source(param.name or "")
    return source in (click.core.ParameterSource.ENVIRONMENT, click.core.ParameterSource.DEFAULT_MAP)


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
