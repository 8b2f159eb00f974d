"""How far the nearest output still is from the gold graph, for systems whose costs are not sums: losses computed by
algorithms.

A dynamic oracle may be given by one of them, `loss tabular(σ, β)`; the cost of a transition is then the amount by which
it raises the loss.  Each takes a configuration, the sequences that the figure names, in printed order, and the gold
graph.  A loss counts the words whose head, at best, will not be the gold one.

- *tabular* (Goldberg, Sartorio & Satta 2014, for arc-standard): the words that have a wrong head, and the fewest wrong
  arcs of a tree over the stack and the part of the buffer that matters, built in any of the ways that the stack allows.
- *arcwise* (Gómez-Rodríguez & Fernández-González 2015, for Covington's list-based system): the words whose gold arc is
  individually unreachable, and one for each cycle that the reachable gold arcs form with the arcs already built.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.execute import reaches
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import ROOT
from arcproof.transitions.syntax import LossOf

Nodes: TypeAlias = tuple[int, ...]
Loss: TypeAlias = Callable[[Configuration, Sequence[Nodes], Gold], int]


@dataclass(frozen=True, slots=True)
class LossFunction:
    """A loss function: what its sequences are, what it counts, and how it is computed."""

    parameters: tuple[str, ...]
    meaning: str
    value: Loss


# --- tabular ---------------------------------------------------------------------------------------------------------


def kept_of_buffer(stack: Nodes, buffer: Nodes, gold: Gold) -> Nodes:
    """The words of the buffer that matter: all others get their gold heads before they affect the stack.

    A word is kept if its gold head is not in the buffer, or if a gold dependent of it is on the stack or was kept.
    """
    kept: list[int] = []
    for word in buffer:
        children = gold.dependents[word]
        if gold.heads[word - 1] not in buffer or any(child in stack or child in kept for child in children):
            kept.append(word)
    return tuple(kept)


def tabular(c: Configuration, sequences: Sequence[Nodes], gold: Gold) -> int:
    """Wrong heads so far, plus the fewest wrong arcs of a tree with head 0 over the stack and the part of the buffer
    that matters.

    The tree grows from the top of the stack: by the next node below, or by the next word kept, as head or as dependent
    of the head so far.  Where there is no such tree the loss is greater than any other.
    """
    stack, buffer = sequences
    kept = kept_of_buffer(stack, buffer, gold)
    wrong = sum(head != gold.heads[word - 1] for word, heads in c.heads_of.items() for head in heads)
    column: list[dict[int, int]] = []
    for place in range(len(kept) + 1):
        column = _next_column(column, tuple(reversed(stack)), kept[place - 1] if place else None, gold)
    least = column[-1].get(ROOT) if column else None
    return c.words + 1 if least is None else wrong + least


def _next_column(before: list[dict[int, int]], down: Nodes, word: int | None, gold: Gold) -> list[dict[int, int]]:
    """The next column of the table, with one more word of the buffer: for each number of stack nodes taken, the fewest
    wrong arcs by head.
    """
    found: list[dict[int, int]] = []
    for place, node in enumerate(down):
        ways: dict[int, int] = {node: 0} if place == 0 and word is None else {}
        if place:
            _extend(ways, found[-1], node, gold)
        if word is not None:
            _extend(ways, before[place], word, gold)
        found.append(ways)
    return found


def _extend(ways: dict[int, int], trees: Mapping[int, int], node: int, gold: Gold) -> None:
    """Extend trees by one node, which becomes a dependent of their head or takes its place."""
    for head, wrong in trees.items():
        if node != ROOT:
            _offer(ways, head, wrong + (gold.heads[node - 1] != head))
        if head != ROOT:
            _offer(ways, node, wrong + (gold.heads[head - 1] != node))


def _offer(ways: dict[int, int], head: int, wrong: int) -> None:
    ways[head] = min(wrong, ways.get(head, wrong))


# --- arcwise ---------------------------------------------------------------------------------------------------------


def arcwise(c: Configuration, sequences: Sequence[Nodes], gold: Gold) -> int:
    """The number of words whose gold head is individually unreachable, plus the number of cycles of the arcs built and
    the reachable ones.
    """
    heads: dict[int, int] = {}
    lost = 0
    for word, head in enumerate(gold.heads, start=1):
        built = c.heads_of.get(word, ())
        is_within = not built if head is None else head in built or within_reach(c, sequences, head, word)
        lost += not is_within
        best = built[0] if built else head if is_within else None
        if best is not None:
            heads[word] = best
    return lost + cycles_in(heads)


def within_reach(c: Configuration, sequences: Sequence[Nodes], head: int, word: int) -> bool:
    """Whether an arc can still be built: the word has no head, it would close no cycle, and the two meet.

    They meet if one of them comes after the first word of the buffer, or is that word while the other is in the list.
    """
    left, buffer = sequences
    if not buffer or word in c.heads_of or reaches(c, word, head):
        return False
    meet = (head == buffer[0] and word in left) or (word == buffer[0] and head in left)
    return meet or head in buffer[1:] or word in buffer[1:]


def cycles_in(heads: Mapping[int, int]) -> int:
    """The number of cycles in a graph where every word has at most one head."""
    return sum(_is_least_of_cycle(word, heads) for word in heads)


def _is_least_of_cycle(word: int, heads: Mapping[int, int]) -> bool:
    node = heads.get(word)
    for _ in heads:
        if node is None or node <= word:
            break
        node = heads.get(node)
    return node == word


def sequences_of(c: Configuration, loss: LossOf) -> list[Nodes]:
    """The sequences that a loss function is called with."""
    return [tuple(value) for value in map(c.__getitem__, loss.arguments) if isinstance(value, tuple)]


LOSS_FUNCTIONS: Final = {
    "tabular": LossFunction(
        ("the stack, its top at the right", "the buffer"),
        "words with a wrong head, and the fewest wrong arcs of a tree over stack and buffer (Goldberg, "
        "Sartorio & Satta 2014)",
        tabular,
    ),
    "arcwise": LossFunction(
        ("the list of words to the left", "the buffer"),
        "words whose gold arc is individually unreachable, and cycles of the reachable arcs "
        "(Gómez-Rodríguez & Fernández-González 2015)",
        arcwise,
    ),
}
"""The loss functions by the names that figures use."""
