"""What a dynamic oracle says in the interpreter's configurations, and what is wrong about it, gold graph by gold graph.

Every cost is asked of the definition (`execute.cost`, `loss_functions`); `prices` computes the same for native code,
for many gold graphs at once.  With labels, all that can matter about the label of a gold arc is whether it is the label
of the transition whose cost is asked.  So every gold graph is listed once for each set of words that may have that
label.
"""

from collections.abc import Callable, Iterator
from functools import cache, cached_property
from itertools import product
from typing import Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.defined_losses import UNREACHABLE, DefinedLosses
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.execute import Situation, cost
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import Heads, graph_of

SAME: Final = "l"
OTHER: Final = "m"


@dataclass(frozen=True, slots=True)
class WrongCost:
    """What is wrong in a configuration: the index of the gold graph, its labels, and the transition if the fault has
    one, with what the oracle says and what is true (None: no line says it, or no run ends).
    """

    place: int
    labels: tuple[str | None, ...] | None
    edge: int | None = None
    said: int | None = None
    true: int | None = None


def labellings_of(words: int) -> list[tuple[tuple[str, ...], list[int]]]:
    """Every way to label the words, up to renaming, with the sets of words that share a label, as their indices among
    the `ways`.

    The last set is empty, for a label that no word has.
    """
    found: list[tuple[tuple[str, ...], list[int]]] = []
    for letters in _growing(words):
        sets = [tuple(letter == one for one in letters) for letter in (*sorted(set(letters)), "")]
        places = [sum((not marked) << (words - 1 - k) for k, marked in enumerate(one)) for one in sets]
        found.append((letters, places))
    return found


def _growing(words: int) -> list[tuple[str, ...]]:
    """Every labelling up to renaming, such as `a a` and `a b`: each label is one of those before it, or the next
    letter.
    """
    found: list[tuple[str, ...]] = [()]
    for _ in range(words):
        found = [(*one, chr(ord("a") + k)) for one in found for k in range(len(set(one)) + 1)]
    return found


@dataclass(frozen=True)
class _Priced:
    """A transition in a configuration."""

    edge: int
    target: int
    arcs: tuple[tuple[int, int], ...]
    """The head and the dependent of each arc that it adds with a label, if labels count."""
    said: Callable[[int], int] | None
    """What the oracle says for each gold graph; None if no line gives the cost."""


@dataclass(frozen=True)
class DefinedPrices:
    """What a dynamic oracle says in the configurations of one space, for some gold graphs."""

    losses: DefinedLosses
    oracle: s.DynamicOracle

    @cached_property
    def _marks(self) -> list[tuple[bool, ...]]:
        """The sets of words that may have the label of the transition."""
        return list(product((True, False), repeat=self.losses.space.words)) if self.oracle.is_labelled else []

    @property
    def ways(self) -> int:
        """How often each gold graph is listed."""
        return max(1, len(self._marks))

    @property
    def count(self) -> int:
        """The number of gold graphs, each as often as it is listed."""
        return len(self.losses.golds) * self.ways

    def heads(self, place: int) -> Heads:
        """The heads of one of the gold graphs."""
        return tuple(entry - 1 if entry else None for entry in self.losses.heads[place // self.ways])

    def labels(self, place: int) -> tuple[str | None, ...] | None:
        """The labels of one gold graph: that of the transition is called l, every other m."""
        if not self._marks:
            return None
        marked = zip(self._marks[place % self.ways], self.heads(place), strict=True)
        return tuple(None if head is None else (SAME if mark else OTHER) for mark, head in marked)

    @cached_property
    def _golds(self) -> list[Gold]:
        return [Gold(graph_of(self.heads(place), self.labels(place))) for place in range(self.count)]

    def configurations(self) -> Iterator[int]:
        """The configurations that are not terminal and from which a run can still end."""
        if self.losses.golds:
            edges, table = self.losses.space.edges, self.losses.table
            yield from (k for k in range(len(table)) if edges[k] and table[k][0] != UNREACHABLE)

    def fault(self, question: s.OfADynamicOracle, number: int) -> WrongCost | None:
        """The first gold graph for which something is wrong in a configuration."""
        transitions = self._transitions(number)
        unpriced = next((one for one in transitions if one.said is None), None)
        if unpriced is not None:
            return WrongCost(0, self.labels(0), unpriced.edge, None, self._true(unpriced, number, 0))
        if isinstance(question, s.NeverStuck):
            return self._stuck(transitions)
        for place in range(self.count):
            for one in transitions:
                assert one.said is not None
                said, true = one.said(place), self._true(one, number, place)
                is_free = said <= 0 and (true is None or true > 0)
                if said != true if isinstance(question, s.Exact) else is_free:
                    return WrongCost(place, self.labels(place), one.edge, said, true)
        return None

    def _stuck(self, transitions: list[_Priced]) -> WrongCost | None:
        """The first gold graph for which no transition is free, whatever the label."""

        @cache
        def is_stuck(place: int) -> bool:
            return all(one.said is not None and one.said(place) > 0 for one in transitions)

        if not self._marks:
            return next((WrongCost(place, None) for place in range(self.count) if is_stuck(place)), None)
        for labels, sets in self._labellings:
            for first in range(0, self.count, self.ways):
                if all(is_stuck(first + which) for which in sets):
                    return WrongCost(first, labels)
        return None

    @cached_property
    def _labellings(self) -> list[tuple[tuple[str, ...], list[int]]]:
        return labellings_of(self.losses.space.words)

    def _transitions(self, number: int) -> list[_Priced]:
        space = self.losses.space
        c, system = space.configuration(number), space.system
        found: list[_Priced] = []
        for edge, one in enumerate(space.edges[number], start=int(space.steps.starts[number])):
            labelled = bool(self._marks) and system.takes_label(c, one.transition)
            arcs = tuple((arc.head, arc.dependent) for arc in one.step.added) if labelled else ()
            found.append(_Priced(edge, one.target, arcs, self._said(c, one.transition, number, one.target)))
        return found

    def _said(self, c: Configuration, transition: Transition, number: int, target: int) -> Callable[[int], int] | None:
        if self.oracle.loss is not None:
            return lambda place: self._loss(target, place) - self._loss(number, place)
        system = self.losses.space.system
        priced = system.priced(c, transition, self.oracle)
        if priced is None:
            return None
        line, environment = priced
        label = (SAME,) if self._marks else ()

        def said(place: int) -> int:
            return cost(line, Situation(c, environment, system.parameters, self._golds[place], label))

        return said

    def _loss(self, number: int, place: int) -> int:
        """The value of the oracle's loss function for a configuration."""
        assert self.oracle.loss is not None
        if (number, place) not in self._lost:
            space = self.losses.space
            c = space.configuration(number)
            self._lost[number, place] = space.system.loss(c, self._golds[place], self.oracle.loss)
        return self._lost[number, place]

    @cached_property
    def _lost(self) -> dict[tuple[int, int], int]:
        return {}

    def _true(self, one: _Priced, number: int, place: int) -> int | None:
        """The wrong heads that a transition causes and, with labels, a gold arc with a label other than the gold one;
        None where no run ends after it.
        """
        gold, table = place // self.ways, self.losses.table
        if table[one.target][gold] == UNREACHABLE:
            return None
        row, marks = self.losses.heads[gold], self._marks[place % self.ways] if self._marks else ()
        slips = sum(row[word - 1] == head + 1 and not marks[word - 1] for head, word in one.arcs)
        return table[one.target][gold] - table[number][gold] + slips
