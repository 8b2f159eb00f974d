"""`arcproof explore`."""

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from arcproof.commands.arguments import complete_system, echo_json, load_system, memory_option

if TYPE_CHECKING:
    from arcproof.properties.levels import LevelSummary


@click.command("explore")
@click.argument("system", shell_complete=complete_system)
@click.option(
    "--words", type=click.IntRange(1, 20), default=5, show_default=True, metavar="N", help="Explore 1 to N words."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one entry for each number of words.")
@memory_option
def command(system: str, words: int, as_json: bool, memory: int) -> None:
    """Visit every configuration of SYSTEM for 1 to N words and count: configurations, transitions, outputs, lengths, dead ends.

    A run stops at the first terminal configuration. For the longest run the formula in n that fits all computed values is shown, marked as
    a conjecture. The number of derivations of an output is its spurious ambiguity. A level that would need more than --memory
    is left incomplete, and the exit code is 3; so it is after Ctrl-C, which shows the levels that are done.
    """
    from arcproof.properties.exploration import configurations_in
    from arcproof.properties.levels import LevelSummary, explore_level
    from arcproof.reports.progress import tracked

    loaded = load_system(system)
    limit = configurations_in(memory)
    levels: list[LevelSummary] = []
    with tracked("explore") as progress, suppress(KeyboardInterrupt):
        progress.begin("explore", words)
        for n in range(1, words + 1):
            progress.say(f"{loaded.name}: {n} words")
            levels.append(explore_level(loaded, n, limit))
            progress.advance()
            if not levels[-1].complete:
                break
    if as_json:
        echo_json({"system": loaded.name, "levels": [_json(level) for level in levels]})
    else:
        _print(loaded.name, levels)
    sys.exit(0 if len(levels) == words and levels[-1].complete else 3)


def _json(level: "LevelSummary") -> dict[str, object]:
    ambiguity = level.ambiguity
    return {
        "words": level.words,
        "configurations": level.configurations,
        "transitions": level.transitions,
        "outputs": level.outputs,
        "trees": level.trees,
        "shortest": level.shortest,
        "longest": level.longest,
        "dead_ends": level.dead_ends,
        "complete": level.complete,
        "derivations": None
        if ambiguity is None
        else {"least": ambiguity.least, "mean": round(ambiguity.mean, 4), "most": ambiguity.most},
    }


def _print(name: str, levels: "list[LevelSummary]") -> None:
    from arcproof.properties.levels import fitting_polynomial, show_polynomial
    from arcproof.transitions.source import aligned

    header = [
        "words",
        "configurations",
        "transitions",
        "outputs",
        "trees",
        "shortest",
        "longest",
        "dead ends",
        "derivations per output",
    ]
    rows = [header]
    for level in levels:
        ambiguity = level.ambiguity
        spread = f"{ambiguity.least} to {ambiguity.most}, mean {ambiguity.mean:.2f}" if ambiguity else "-"
        counts = [level.transitions, level.outputs, level.trees]
        numbers = [
            level.words,
            f"{level.configurations}{'' if level.complete else '+'}",
            *("-" if n is None else n for n in counts),
        ]
        lengths = ["-" if value is None else str(value) for value in (level.shortest, level.longest)]
        incomplete = "" if level.complete else " (incomplete: --memory)"
        rows.append(
            [
                *map(str, numbers),
                *lengths,
                "-" if level.dead_ends is None else str(level.dead_ends),
                spread + incomplete,
            ]
        )
    click.echo(name)
    click.echo("\n".join(aligned(rows, "  ")))
    longest = [level.longest for level in levels if level.complete]
    known = [value for value in longest if value is not None]
    fit = fitting_polynomial(known) if len(known) == len(longest) else None
    if fit is not None:
        click.echo(f"  longest = {show_polynomial(fit)} for 1 to {len(known)} words (a conjecture beyond)")
