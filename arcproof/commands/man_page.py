"""The man page arcproof(1), made from the help of the commands: `python -m arcproof.commands.man_page`.

One page has all commands, a section each; options are sorted as the help has them.  `docs/arcproof.1` is what the wheel
installs.
"""

import inspect
import re
from collections.abc import Iterator
from typing import Final

import click

from arcproof._version import __version__
from arcproof.commands import COMMANDS, EPILOG, cli

NAME: Final = "arcproof"
SUMMARY: Final = "run, attack, prove and train transition systems for dependency parsing"
FILES: Final = (
    ("pyproject.toml", "Settings under [tool.arcproof] of the working directory or a folder above it."),
    ("*.tsys", "Specifications of transition systems."),
)
VARIABLES: Final = (
    ("ARCPROOF_COMMAND_OPTION", "An option of a command, such as ARCPROOF_VERIFY_WORDS for --words of verify."),
    ("ARCPROOF_OPTION", "An option of all commands that have it: {}."),
    ("ARCPROOF_CONFIG", "With the value off, no pyproject.toml is looked for."),
    ("ARCPROOF_CACHE", "The folder for proofs, native code and what runs have stored."),
    ("ARCPROOF_STORE", "With the value off, runs store nothing and recall nothing."),
    ("ARCPROOF_STORE_SIZE, ARCPROOF_STORE_DAYS", "How much is stored (2G), and for how long (90)."),
)


def man_page() -> str:
    """Return the page as roff."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    from arcproof.commands.settings import FOR_ALL

    yield f'.TH ARCPROOF 1 "" "arcproof {__version__}" "arcproof"'
    yield from (".SH NAME", f"{NAME} \\- {SUMMARY}")
    yield from (".SH SYNOPSIS", f".B {NAME}", ".I COMMAND", "[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]")
    yield ".SH DESCRIPTION"
    yield from _paragraphs(cli.help or "")
    yield from (".PP", _text(EPILOG.partition(" Exit codes:")[0]))
    yield ".SH COMMANDS"
    with click.Context(cli, info_name=NAME) as above:
        for name in COMMANDS:
            command = cli.get_command(above, name)
            assert command is not None
            yield from _command(command, name, above)
    yield ".SH EXIT STATUS"
    yield from _exit_codes()
    yield ".SH ENVIRONMENT"
    shared = ", ".join(f"ARCPROOF_{key.upper()}" for key in FOR_ALL)
    yield from _entries((name, meaning.format(shared)) for name, meaning in VARIABLES)
    yield ".SH FILES"
    yield from _entries(iter(FILES))


def _command(command: click.Command, name: str, above: click.Context) -> Iterator[str]:
    """A section for a command; for a group, also one for each of its commands."""
    with click.Context(command, info_name=name, parent=above) as context:
        usage = " ".join(command.collect_usage_pieces(context))
        yield f".SS {_text(context.command_path.removeprefix(NAME + ' '))}"
        yield from (".PP", f".B {_text(context.command_path)}", _text(usage))
        yield from _paragraphs(command.help or "")
        options = (option for option in command.params if isinstance(option, click.Option))
        yield from _entries(record for option in options if (record := option.get_help_record(context)))
        yield from _epilog(command, context)
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                assert found is not None
                yield from _command(found, inner, context)


def _epilog(command: click.Command, context: click.Context) -> Iterator[str]:
    """The end of a command's help, printed as it stands."""
    formatter = click.HelpFormatter(width=78)
    command.format_epilog(context, formatter)
    text = formatter.getvalue().strip("\n")
    if text:
        yield from (".PP", ".nf", *map(_text, text.split("\n")), ".fi")


def _entries(entries: Iterator[tuple[str, str]]) -> Iterator[str]:
    """A list of names and what they mean."""
    for name, meaning in entries:
        yield from (".TP", f".B {_text(name)}", _text(meaning))


def _exit_codes() -> Iterator[str]:
    """The exit codes, from the sentence at the end of the main help."""
    told = EPILOG.partition("Exit codes: ")[2].rstrip(".")
    yield from _entries((code, f"{meaning[0].upper()}{meaning[1:]}.") for code, meaning in _CODE.findall(told))


_CODE: Final = re.compile(r"(\d) (.*?)(?:, (?=\d )|$)")


def _paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a help text; those that click does not reflow are not reflowed here either."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b\n"):
            yield from (".PP", ".nf", *map(_text, paragraph.split("\n")[1:]), ".fi")
        else:
            yield from (".PP", _text(" ".join(paragraph.split())))


def _text(text: str) -> str:
    """Escape text as ASCII, so that no line begins with `.` or `'`, which would make it a request."""
    escaped = "".join(SIGNS.get(sign, sign if sign.isascii() else f"\\[u{ord(sign):04X}]") for sign in text)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


SIGNS: Final = {"\\": "\\e", "-": "\\-", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", "…": "..."}


if __name__ == "__main__":
    print(man_page(), end="")
