"""A single case to replay, and its outcome."""

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.conformance.divergence import Names
from arcproof.properties.conformance.driver import Labels
from arcproof.properties.conformance.subject import Shown
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.graph import Heads, graph_of, parse_heads


class BadCase(ArcproofError, ValueError):
    """The parts of a case do not fit together."""


@dataclass(frozen=True)
class OneCase:
    """A run, its number of words, and what to ask at its end: a gold tree, and its labels for an encoding."""

    words: int
    run: Names = ()
    gold: Heads | None = None
    labels: Labels | None = None


@dataclass(frozen=True)
class Taken:
    """A transition (None at the start) and what both sides say after it (None where the driver gives no answer)."""

    transition: str | None
    figure: Configuration
    ends_in_figure: bool
    figure_permits: Names
    shown: Shown | None
    ends_in_driver: bool | None
    driver_permits: Names | None


def case_of(run: str | None, gold: str | None, labels: str | None, words: int | None) -> OneCase | None:
    """Read a case, each part as the option of this name; None if there is none."""
    if run is None:
        if gold is not None or labels is not None:
            raise BadCase('--gold and --labels go with --replay; for a tree alone write --replay ""')
        return None
    heads = None if gold is None else graph_of(parse_heads(gold)).heads
    given = None if labels is None else tuple(labels.split(","))
    if given is not None and (heads is None or len(given) != len(heads)):
        raise BadCase("--labels needs --gold, with as many heads as there are labels")
    return OneCase(_words_of_case(heads, words), tuple(run.split()), heads, given)


def _words_of_case(heads: Heads | None, words: int | None) -> int:
    """Return the number of words: that of the gold tree, or the one given."""
    if heads is None:
        if words is None:
            raise BadCase("--replay needs the number of words: --words N, or --gold HEADS for a gold tree")
        return words
    if words not in (None, len(heads)):
        raise BadCase(f"--words {words} contradicts --gold, which has {len(heads)} heads; leave --words out")
    return len(heads)
