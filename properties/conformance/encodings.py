"""Trees encoded and decoded by a driver: the same tree must come out, and the encoding must be of its class.

All trees of the class are tried with all labels from `LABELS`, because an encoding may depend on labels being
different. If that makes more than `MOST_TREES`, each tree gets one random labelling; if there are more trees than that,
`MOST_TREES` of them are drawn.
"""

from functools import cache
from itertools import product
from random import Random
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
MOST_TREES: Final = 20_000


def labelled_trees(graphs: GraphClass, words: int, random: Random) -> tuple[list[tuple[Heads, Labels]], bool]:
    """Return the trees with their labels, and whether these are all of them."""
    trees = list(all_graphs(graphs, words))
    labellings = list(product(LABELS, repeat=words))
    if len(trees) * len(labellings) <= MOST_TREES:
        return [(gold, labels) for gold in trees for labels in labellings], True
    some = trees if len(trees) <= MOST_TREES else random.sample(trees, MOST_TREES)
    return [(gold, random.choice(labellings)) for gold in some], False


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
    if graphs is None or _is_in(_class(graphs), encoded[0]):
        return None
    return TreeChanged(gold, labels, encoded, None, graphs)


@cache
def _class(graphs: str) -> GraphClass:
    return read_class(graphs, "encoded of the driver")


def _is_in(graphs: GraphClass, heads: Heads) -> bool:
    in_range = all(head is None or 0 <= head <= len(heads) for head in heads)
    return in_range and is_forest(heads) and contains(graphs, heads)
