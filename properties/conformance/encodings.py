"""Trees encoded and decoded by a driver: the same tree must come out, and the encoding must be of its class.

An encoding may find an arc again by its label.  So all trees of the class are tried with all labels from `LABELS`,
where several words have the same one, and once with labels that are all different.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from string import ascii_lowercase
from typing import Final

from arcproof.generators.classes import contains, is_forest
from arcproof.generators.enumeration import all_graphs
from arcproof.properties.conformance.calls import Failed, GivenUp, as_text
from arcproof.properties.conformance.divergence import About, Divergence, TreeChanged
from arcproof.properties.conformance.driver import BadDriver, Labels
from arcproof.properties.conformance.lockstep import Lockstep, failure
from arcproof.properties.conformance.subject import heads_in, labels_in
from arcproof.properties.conformance.tasks import DriverTask
from arcproof.transitions.graph import Heads
from arcproof.transitions.reading.read import read_class
from arcproof.transitions.syntax import GraphClass

LABELS: Final = ("a", "b")


def labelled_trees(graphs: GraphClass, words: int) -> Iterator[tuple[Heads, Labels]]:
    """Yield each tree with each of its labellings."""
    all_different = [tuple(ascii_lowercase[:words])] if words > len(LABELS) else []
    labellings = [*all_different, *product(LABELS, repeat=words)]
    yield from product(all_graphs(graphs, words), labellings)


def check_encoding(lockstep: Lockstep, gold: Heads, labels: Labels) -> None:
    """Encode and decode a tree, and record what goes wrong."""
    words = len(gold)
    try:
        encoded = _coded(lockstep, "encode", gold, labels)
        what = _not_encoded(lockstep, gold, labels, encoded)
        if what is None:
            decoded = _coded(lockstep, "decode", *encoded)
            if decoded != (gold, labels):
                what = TreeChanged(gold, labels, encoded, decoded)
        if what is None:
            lockstep.collected.tally.right(DriverTask("encoding"), *encoded)
        else:
            lockstep.collected.add(Divergence(words, (), what))
    except GivenUp:
        lockstep.cut += 1
    except Failed as failed:
        lockstep.collected.add(Divergence(words, (), failure(failed, About(None, gold, labels))))


def _coded(lockstep: Lockstep, method: str, heads: Heads, labels: Labels) -> tuple[Heads, Labels]:
    parts = lockstep.driver.parts
    call = parts.encode if method == "encode" else parts.decode
    assert call is not None
    found = lockstep.driver.calls.ask(method, lambda: call(heads, labels))
    if not isinstance(found, tuple) or len(found) != 2:
        raise BadDriver(f"{method} gives {as_text(found)}; it must return a pair of heads and labels")
    return heads_in(list(found[0]), len(heads), method), labels_in(list(found[1]), len(heads), method)


def _not_encoded(lockstep: Lockstep, gold: Heads, labels: Labels, encoded: tuple[Heads, Labels]) -> TreeChanged | None:
    graphs = lockstep.driver.parts.declared.encoded
    if graphs is None or is_in(_class(graphs), encoded[0]):
        return None
    return TreeChanged(gold, labels, encoded, None, graphs)


@cache
def _class(graphs: str) -> GraphClass:
    return read_class(graphs, "encoded of the driver")


def is_in(graphs: GraphClass, heads: Heads) -> bool:
    """Whether these heads, which may be anything, describe a graph of this class."""
    in_range = all(head is None or 0 <= head <= len(heads) for head in heads)
    return in_range and is_forest(heads) and contains(graphs, heads)
