"""The command line.  Each command is a module of its own, imported when it is called.

Exit codes, the same for every command: 0 everything asked for holds; 1 something is refuted, or a gold graph cannot be derived;
2 wrong usage or input; 3 inconclusive, also where the output was cut off by a closed pipe; 4 the engines contradict each other.
An error inside arcproof itself ends with 70 and a traceback to report.
"""

from importlib import import_module
from typing import Final

import click

from arcproof._version import __version__

SUMMARIES: Final = {
    "list": "the systems on board",
    "show": "the figure of a system, as papers print it",
    "check": "read a specification and report every problem",
    "new": "a commented specification to start from",
    "trace": "the oracle's derivation of a gold graph",
    "explore": "every configuration, counted; or a page to play with",
    "verify": "every claim: all short sentences, samples of long ones",
    "prove": "claims for sentences of every length",
    "check-proof": "proofs, without a solver",
    "mutate": "break the figure; do the claims notice?",
    "why": "what the preconditions of a transition are for",
    "repair": "the nearest figures that meet every claim",
    "reach": "the shortest run to a configuration",
    "oracle": "what transitions cost: check it, or find it out",
    "conform": "does a program do what the figure says?",
    "grade": "submissions of a course, each with a report",
    "compare": "which graphs two systems derive",
    "coverage": "which share of a treebank a system derives",
    "export": "a model for SPIN or TLC",
    "report": "a page, or an appendix for a paper",
    "train": "train a parser on a treebank",
    "parse": "parse with a trained model",
    "evaluate": "score parsed files",
    "experiment": "systems and techniques by treebanks",
    "features": "feature models",
    "runs": "what earlier runs have stored",
    "lsp": "a language server for editors",
    "completion": "completion for the shell",
}
COMMANDS: Final = tuple(SUMMARIES)

EPILOG: Final = (
    "SYSTEM is a name on board (`arcproof list`) or the path of a specification; parameters are written covington[d=1]. "
    "Exit codes: 0 everything asked for holds, 1 something is refuted or a gold graph cannot be derived, "
    "2 wrong usage or input, 3 inconclusive, 4 the engines contradict each other."
)


def unknown(kind: str, name: str, known: list[str]) -> str:
    """What is said of a command or an option that there is not."""
    from arcproof.process.suggestions import did_you_mean

    return f"there is no {kind} {name}; " + did_you_mean(name, known, "--help shows what there is")


class Group(click.Group):
    """A group of commands."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command, or what was probably meant."""
        name = args[0]
        if not ctx.resilient_parsing and not name.startswith("-") and self.get_command(ctx, name) is None:
            raise click.UsageError(unknown("command", name, self.list_commands(ctx)), ctx)
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Say which option was probably meant."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            names = [name for option in self.get_params(ctx) for name in option.opts]
            raise click.UsageError(unknown("option", error.option_name, names), ctx) from None


class LazyGroup(Group):
    """A group whose commands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The `command` of the module of that name."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"arcproof.commands.{cmd_name.replace('-', '_')}_command").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """One line each, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))


@click.group(
    cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="arcproof")
def cli() -> None:
    """Run, attack, prove and train transition systems for dependency parsing, from the figure in the paper.

    Start with `arcproof list`, `arcproof show arc-eager` and `arcproof trace arc-eager --heads 2,0,2`; write your own system
    with `arcproof new NAME` and look for mistakes in it with `arcproof check NAME.tsys`.
    """
