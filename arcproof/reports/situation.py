"""What is known about one configuration on the way to a gold graph: its loss, the costs and a best continuation,
drawn.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from arcproof.reports import arc_diagram, derivation_table
from arcproof.transitions.printing.escape import display_width, for_terminal, padded
from arcproof.transitions.printing.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arcproof.properties.engines.nearest_output import NearestOutput
    from arcproof.properties.studies.situation import Situated, TransitionCost


TWO_HEADS: Final = "no loss: wherever a run from here ends, a word has two heads, or 0 has one"


def to_text(found: "Situated", words: "Sequence[str] | None" = None) -> str:
    """The configuration, its loss, a table of costs; below them, the best continuation and the graph it builds."""
    lines = [f"{found.system.name}, {_after(found)} on the way to {found.gold}"]
    lines += [f"  {found.configuration}", f"  {loss_text(found)}"]
    lines += [f"  {text}" for text in followed_texts(found)]
    lines += ["", *_table(found)] if found.options else []
    lines += [f"  {text}" for text in wrong_texts(found)]
    lines += [] if found.ended_by is None else [f"  {found.ended_by}: whatever was not reached by then is open"]
    lines = [for_terminal(line) for line in lines]
    if found.ending is not None:
        lines += ["", f"{_best(found)}:", ""]
        if found.ending.graph.arcs:
            lines += [*arc_diagram.to_text(found.ending.graph, words).rstrip("\n").split("\n"), ""]
        lines += derivation_table.text_rows(found.system, found.ending, words)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _after(found: "Situated") -> str:
    run = [str(taken) if found.labelled else taken.instance for taken in found.run.transitions]
    return f"after {' '.join(run)}" if run else "at the start"


def loss_text(found: "Situated") -> str:
    """The loss of the configuration, or whatever is known about it."""
    what = "heads and labels" if found.labelled else "heads"
    if found.nearest is not None and found.nearest.is_dead:
        return TWO_HEADS if found.nearest.two_heads else "no run from here ends"
    exact = None if found.nearest is None else found.nearest.exact
    if exact is not None:
        return f"loss {exact}: at best, this many {what} will be wrong"
    least = 0 if found.nearest is None else found.nearest.least
    most = "" if found.upper is None else f" and at most {found.upper}"
    return f"loss unknown: at least {least}{most} {what} will be wrong{_limit(found.nearest)}"


def _limit(nearest: "NearestOutput | None") -> str:
    return "" if nearest is None else f"; {counted(nearest.expanded, 'configuration')} were not enough"


def followed_texts(found: "Situated") -> Iterator[str]:
    """Say where following each dynamic oracle leads."""
    for one in found.followed:
        if one.loss is None:
            yield f"following {one.oracle} never ends"
        else:
            yield f"following {one.oracle}: {one.loss} wrong"


def _table(found: "Situated") -> list[str]:
    header = ["transition", "cost", *(oracle.name for oracle in found.oracles)]
    rows = [header, *(_row(found, option) for option in found.options)]
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    return ["  " + "   ".join(map(padded, row, widths)).rstrip() for row in rows]


def _row(found: "Situated", option: "TransitionCost") -> list[str]:
    said = ["no line" if said is None else str(said) for said in option.said]
    return [option_text(found, option), cost_text(found, option), *said]


def option_text(found: "Situated", option: "TransitionCost") -> str:
    """A transition; with labels, with the gold one or another, which is shown as `…`."""
    return str(option.transition) if found.labelled else option.transition.instance


def cost_text(found: "Situated", option: "TransitionCost") -> str:
    """A cost: `1`, or what is known instead."""
    cost = found.cost(option)
    if cost is not None:
        return str(cost)
    if option.nearest is not None and option.nearest.is_dead:
        return "no loss" if option.nearest.two_heads else "no end"
    return "unknown"


def wrong_texts(found: "Situated") -> Iterator[str]:
    """Say where an oracle gets a cost wrong."""
    for oracle, option in found.wrong:
        yield f"✗ {oracle} is wrong about {option_text(found, option)}"


def _best(found: "Situated") -> str:
    if found.nearest is not None and found.nearest.exact is not None:
        return "the best ending"
    return f"the best ending that was found, with {found.upper} wrong"
