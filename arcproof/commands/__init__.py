"""The command line.  Each command is a module of its own, imported when it is called.

Exit codes, the same for every command: 0 everything asked for holds; 1 something is refuted, or a gold graph cannot be
derived; 2 wrong usage or input; 3 inconclusive; 4 the engines contradict each other; 141 whoever read the output
closed the pipe.
An error inside arcproof itself ends with 70 and a traceback to report.
"""

from importlib import import_module
from typing import Final

import click

from arcproof._version import __version__

SUMMARIES: Final = {
    "list": "list the built-in systems",
    "show": "print the figure of a system, as papers print it",
    "check": "read a specification and report every problem",
    "new": "write a commented specification to start from",
    "trace": "print the oracle's derivation of a gold graph",
    "explore": "count all configurations, or open a page to play with",
    "verify": "check every claim: all short sentences, samples of long ones",
    "prove": "prove claims for sentences of every length",
    "check-proof": "check proofs without a solver",
    "mutate": "break the figure: do the claims notice?",
    "why": "show what the preconditions of a transition are for",
    "repair": "find the nearest figures that meet every claim",
    "reach": "find the shortest run to a configuration",
    "oracle": "check what transitions cost, or find it out",
    "conform": "compare a program with a figure",
    "compare": "compare the graphs that two systems derive",
    "coverage": "count what share of a treebank a system derives",
    "export": "write a model for SPIN or TLC",
    "report": "write a page, or an appendix for a paper",
    "train": "train a parser on a treebank",
    "parse": "parse with a trained model",
    "evaluate": "score parsed files",
    "experiment": "compare systems and techniques on treebanks",
    "lsp": "start a language server for editors",
    "completion": "print the completion script for a shell",
}
COMMANDS: Final = tuple(SUMMARIES)
INSTEAD: Final = {
    "grade": "`arcproof conform --json` in a container of your own; see docs/teaching.md",
    "features": "the files in classifiers/features/models; see examples/train-a-parser.md",
    "runs": "--fresh, or delete runs.sqlite; see docs/runs.md",
    "--markdown": "the plain text in a code block, or a page: --html, or `arcproof report`",
    "--junit": "`pytest FIGURE.tsys --junit-xml=FILE`",
}
"""What to use for commands and options that are gone."""

EPILOG: Final = (
    "SYSTEM is the name of a built-in system (`arcproof list`) or the path of a specification; parameters are written "
    "covington[d=1]. "
    "Exit codes: 0 everything asked for holds, 1 something is refuted or a gold graph cannot be derived, "
    "2 wrong usage or input, 3 inconclusive, 4 the engines contradict each other, "
    "141 whoever read the output closed the pipe."
)


def unknown(kind: str, name: str, known: list[str]) -> str:
    """Return the message about an unknown command or option."""
    from arcproof.process.suggestions import did_you_mean

    if name in INSTEAD and name not in known:
        return f"there is no {kind} {name} any more; use {INSTEAD[name]}"
    return f"there is no {kind} {name}; " + did_you_mean(name, known, "see --help")


class LazyGroup(click.Group):
    """A group whose commands are imported when they are needed."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; if there is none, say what was probably meant."""
        name = args[0]
        if not ctx.resilient_parsing and not name.startswith("-") and self.get_command(ctx, name) is None:
            raise click.UsageError(unknown("command", name, self.list_commands(ctx)), ctx)
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options; if one is unknown, say which was probably meant."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            names = [name for option in self.get_params(ctx) for name in option.opts]
            raise click.UsageError(unknown("option", error.option_name, names), ctx) from None

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click
        """List the commands in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click
        """Import the module of a command, and return its `command`."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"arcproof.commands.{cmd_name.replace('-', '_')}_command").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click
        """List the commands with a line about each, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))


@click.group(
    cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="arcproof")
def cli() -> None:
    """Run, attack, prove and train transition systems for dependency parsing, from the figure in the paper.

    Start with `arcproof list`, `arcproof show arc-eager` and `arcproof trace arc-eager --heads 2,0,2`; write your own
    system with `arcproof new NAME` and look for mistakes in it with `arcproof check NAME.tsys`.
    """
