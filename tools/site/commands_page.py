"""The reference of the commands, from the help of each."""

import inspect
import re
from collections.abc import Iterator

import click

from arcproof.commands import SUMMARIES, cli
from tools.site.markdown import cell, page, prose, table

INTRODUCTION = """\
# Commands

This page is made from the help of the commands: `arcproof COMMAND --help` prints the same.

SYSTEM is the name of a built-in system or the path of a specification; parameters are written `covington[d=1]`.
"""
EXIT_CODES = {
    0: "everything asked for holds",
    1: "something is refuted, or a gold graph cannot be derived",
    2: "wrong usage or input",
    3: "inconclusive",
    4: "the engines contradict each other",
    70: "a bug in arcproof, which asks to be reported",
    141: "whoever read the output closed the pipe, as `head` does",
}


def commands_page() -> str:
    """All commands, in the order in which a newcomer meets them."""
    root = click.Context(cli, info_name="arcproof")
    lines = [INTRODUCTION, *table(["exit code", ""], ((str(code), said) for code, said in EXIT_CODES.items())), ""]
    lines += table(
        ["command", ""], ((f"[`{name}`](#arcproof-{name})", cell(summary)) for name, summary in SUMMARIES.items())
    )
    for name in cli.list_commands(root):
        command = cli.get_command(root, name)
        assert command is not None, name
        lines += _section(command, click.Context(command, info_name=name, parent=root))
    return page(*lines)


def _section(command: click.Command, context: click.Context) -> Iterator[str]:
    yield from ("", f"## `{context.command_path}` {{ #{context.command_path.replace(' ', '-')} }}", "")
    yield from ("```text", re.sub(r"\s+", " ", command.get_usage(context).removeprefix("Usage: ")), "```", "")
    yield from _told(command.help or "")
    records = [record for option in command.get_params(context) if (record := option.get_help_record(context))]
    if records:
        rows = ((_names(names), cell(said)) for names, said in records if "--help" not in names)
        yield from table(["option", ""], rows)


def _names(text: str) -> str:
    return f"<code>{text.replace('|', '&#124;').replace('<', '&lt;')}</code>"


def _told(text: str) -> Iterator[str]:
    """The paragraphs of a help text; what click does not wrap is a block."""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text.split("\f")[0])):
        if paragraph.startswith("\b"):
            yield from ("```text", paragraph.removeprefix("\b").strip("\n"), "```", "")
        elif paragraph:
            yield from (prose(paragraph), "")
