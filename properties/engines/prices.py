"""What a dynamic oracle says in the configurations that native code found, for many gold graphs at once.

`defined_costs` does the same for the interpreter, gold graph by gold graph.
"""

from collections.abc import Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.defined_costs import WrongCost
from arcproof.properties.engines.defined_losses import UNREACHABLE
from arcproof.properties.engines.golds import Golds, costs
from arcproof.properties.engines.losses import Losses
from arcproof.properties.engines.losses_said import losses_said
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.execute import Situation
from arcproof.transitions.graph import Heads


@dataclass(frozen=True, slots=True)
class Priced:
    """A transition in a configuration, with its true cost and what the oracle says, for each gold graph.

    `true` is None where no run ends after it, `said` where no line of the oracle gives its cost.
    """

    edge: int
    true: npt.NDArray[np.int16] | None
    said: npt.NDArray[np.int64] | None


@dataclass(frozen=True)
class Prices:
    """What a dynamic oracle says in the configurations of one space, for some gold graphs."""

    losses: Losses
    golds: Golds
    oracle: s.DynamicOracle

    @property
    def ways(self) -> int:
        """How often each gold graph is listed."""
        return self.golds.ways

    @property
    def count(self) -> int:
        """The number of gold graphs, each as often as it is listed."""
        return len(self.golds.rows)

    def heads(self, place: int) -> Heads:
        """The heads of one of the gold graphs."""
        return self.golds.heads(place)

    def fault(self, question: s.OfADynamicOracle, number: int) -> WrongCost | None:
        """The first gold graph for which something is wrong in a configuration."""
        return fault_of(question, self, number)

    def configurations(self) -> Iterator[int]:
        """The configurations that are not terminal and from which a run can still end."""
        steps, table = self.losses.space.steps, self.losses.table
        if table.shape[1]:
            yield from map(int, np.flatnonzero((np.diff(steps.starts) > 0) & (table[:, 0] != UNREACHABLE)))

    def of(self, number: int) -> list[Priced]:
        """The transitions that are permissible in a configuration."""
        space, table = self.losses.space, self.losses.table
        c, steps = space.configuration(number), space.steps
        found: list[Priced] = []
        for edge in range(int(steps.starts[number]), int(steps.starts[number + 1])):
            after = table[steps.targets[edge]]
            true = None if after[0] == UNREACHABLE else self._true(c, edge)
            found.append(Priced(edge, true, self._said(c, edge, number)))
        return found

    def _true(self, c: Configuration, edge: int) -> npt.NDArray[np.int16]:
        """The wrong heads that a transition causes and, with labels, a gold arc with a label other than the gold
        one.
        """
        found = np.repeat(self.losses.costs(edge), self.golds.ways)
        marks, space = self.golds.marks, self.losses.space
        if marks is None:
            return found
        transition, system = space.transition(edge), space.system
        if system.takes_label(c, transition):
            for arc in system.step(c, transition).added:  # none if the label is a tag
                found += self.golds.arc(arc.head, arc.dependent) & ~marks[:, arc.dependent - 1]
        return found

    def _said(self, c: Configuration, edge: int, number: int) -> npt.NDArray[np.int64] | None:
        space = self.losses.space
        if self.oracle.loss is not None:
            return self._loss(int(space.steps.targets[edge])) - self._loss(number)
        system, transition = space.system, space.transition(edge)
        priced = system.priced(c, transition, self.oracle)
        if priced is None:
            return None
        return costs(priced[0], Situation(c, priced[1], system.parameters), self.golds)

    def _loss(self, number: int) -> npt.NDArray[np.int64]:
        """The value of the oracle's loss function for a configuration."""
        assert self.oracle.loss is not None
        found = self._lost.get(number)
        if found is None:
            c = self.losses.space.configuration(number)
            found = self._lost[number] = losses_said(self.oracle.loss, c, self.golds).astype(np.uint8)
        return found.astype(np.int64)

    @cached_property
    def _lost(self) -> dict[int, npt.NDArray[np.uint8]]:
        return {}


def first_place(wrong: npt.NDArray[np.bool_]) -> int | None:
    """The first gold graph about which something is wrong."""
    return int(np.argmax(wrong)) if wrong.any() else None


def is_inexact(one: Priced) -> npt.NDArray[np.bool_] | None:
    """The gold graphs for which the oracle is wrong, as a mask; None if it is wrong for all."""
    return None if one.true is None or one.said is None else one.true != one.said


def is_unsafe(one: Priced) -> npt.NDArray[np.bool_] | None:
    """The gold graphs for which the oracle wrongly calls the transition free, as a mask; None if they may be all."""
    if one.said is None:
        return None
    return one.said <= 0 if one.true is None else (one.said <= 0) & (one.true > 0)


def stuck(prices: Prices, transitions: list[Priced]) -> WrongCost | None:
    """The first gold graph for which no transition is free, whatever the label."""
    free = np.logical_or.reduce([one.said <= 0 for one in transitions if one.said is not None])
    if prices.golds.marks is None:
        place = first_place(~free)
        return None if place is None else WrongCost(place, None)
    by_set = free.reshape(-1, prices.golds.ways)
    for labels, sets in prices.golds.labellings:
        place = first_place(~by_set[:, sets].any(axis=1))
        if place is not None:
            return WrongCost(place * prices.golds.ways, labels)
    return None


def fault_of(question: s.OfADynamicOracle, prices: Prices, number: int) -> WrongCost | None:
    """The first gold graph for which something is wrong in a configuration."""
    transitions = prices.of(number)
    unpriced = next((one for one in transitions if one.said is None), None)
    if unpriced is not None:
        return _wrong(prices, 0, unpriced)
    if isinstance(question, s.NeverStuck):
        return stuck(prices, transitions)
    found: list[tuple[int, int, Priced]] = []
    for one in transitions:
        wrong = is_inexact(one) if isinstance(question, s.Exact) else is_unsafe(one)
        place = 0 if wrong is None else first_place(wrong)
        if place is not None:
            found.append((place, one.edge, one))
    if not found:
        return None
    place, _, one = min(found, key=lambda fault: fault[:2])
    return _wrong(prices, place, one)


def _wrong(prices: Prices, place: int, one: Priced) -> WrongCost:
    said, true = (None if answers is None else int(answers[place]) for answers in (one.said, one.true))
    return WrongCost(place, prices.golds.labels(place), one.edge, said, true)
