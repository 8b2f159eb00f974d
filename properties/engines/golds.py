"""Vectorised conditions and costs: for one situation, an array of answers, one per gold graph.

What does not depend on the gold graph is evaluated once, by the interpreter.  Tests compare all answers with those that
it gives for each gold graph.

With labels, all that can matter about the label of a gold arc is whether it is the label of the transition whose cost
is asked.  So every gold graph is listed once for each set of words that may have that label.
"""

from functools import cached_property
from itertools import product
from typing import TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.defined_costs import OTHER, SAME, labellings_of
from arcproof.transitions import syntax as s
from arcproof.transitions.execute import Situation, build_sequence, holds, node_of
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import ROOT, Graph, Heads, graph_of

Truths: TypeAlias = npt.NDArray[np.bool_]
Costs: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Golds:
    """Gold graphs of one number of words, as rows that hold one more than each word's head, or 0 if it has none."""

    rows: npt.NDArray[np.int64]
    marks: npt.NDArray[np.bool_] | None = None
    """By gold graph and word: whether the word's label is that of the transition; None if labels do not count."""

    def with_labels(self) -> "Golds":
        """Each gold graph, repeated for every set of words that may have the label of the transition."""
        words = self.rows.shape[1]
        sets = np.array(list(product((True, False), repeat=words)), dtype=np.bool_).reshape(2**words, words)
        return Golds(np.repeat(self.rows, len(sets), axis=0), np.tile(sets, (len(self.rows), 1)))

    @property
    def ways(self) -> int:
        """How often each gold graph is listed."""
        return 1 if self.marks is None else 2 ** self.rows.shape[1]

    @cached_property
    def labellings(self) -> list[tuple[tuple[str, ...], list[int]]]:
        """Every way to label the words, up to renaming, with the sets of words that share a label, as their indices
        among the `ways`.

        The last set is empty, for a label that no word has.
        """
        return labellings_of(self.rows.shape[1])

    def labels(self, place: int) -> tuple[str | None, ...] | None:
        """The labels of one gold graph: that of the transition is called l, every other m."""
        if self.marks is None:
            return None
        marked = zip(self.marks[place], self.rows[place], strict=True)
        return tuple((SAME if mark else OTHER) if head else None for mark, head in marked)

    def graph(self, place: int) -> Graph:
        """One of the gold graphs."""
        return graph_of(self.heads(place), self.labels(place))

    def arc(self, head: int, dependent: int) -> Truths:
        """The gold graphs that have an arc, as a mask."""
        if dependent == ROOT:
            return self.all(False)
        found: Truths = self.rows[:, dependent - 1] == head + 1
        return found

    def all(self, value: bool) -> Truths:
        """The same answer for every gold graph."""
        return np.full(len(self.rows), value, dtype=np.bool_)

    def heads(self, place: int) -> Heads:
        """The heads of one of the gold graphs."""
        return tuple(int(entry) - 1 if entry else None for entry in self.rows[place])

    @cached_property
    def golds(self) -> list[Gold]:
        """The gold graphs in the form that the interpreter takes."""
        return [Gold(self.graph(place)) for place in range(len(self.rows))]

    @cached_property
    def orders(self) -> npt.NDArray[np.int64]:
        """The projective order of each gold graph."""
        return np.array([gold.order for gold in self.golds], dtype=np.int64).reshape(len(self.golds), -1)


def truths(condition: s.Condition, situation: Situation, golds: Golds) -> Truths:
    """The gold graphs for which a condition holds, as a mask."""
    match condition:
        case s.GoldArc(head, dependent, label):
            word = node_of(dependent, situation)
            arcs = golds.arc(node_of(head, situation), word)
            return arcs if label is None or golds.marks is None or word == ROOT else arcs & golds.marks[:, word - 1]
        case s.Complete(node):
            return _complete(node_of(node, situation), situation, golds)
        case s.Precedes(left, right):
            orders = golds.orders
            found: Truths = orders[:, node_of(left, situation)] < orders[:, node_of(right, situation)]
            return found
        case s.Not(body):
            return ~truths(body, situation, golds)
        case s.And(parts):
            return _every([truths(part, situation, golds) for part in parts], golds)
        case s.Or(parts):
            return ~_every([~truths(part, situation, golds) for part in parts], golds)
        case s.Quantified(quantifier, variable, domain, body):
            nodes = build_sequence(domain, situation.environment)
            bodies = [truths(body, situation.with_node(variable, node), golds) for node in nodes]
            return _every(bodies, golds) if quantifier == "all" else ~_every([~one for one in bodies], golds)
        case s.Comparison():
            return _compared(condition, situation, golds)
        case (
            s.SequenceIs()
            | s.HasHead()
            | s.HasDependent()
            | s.HasArc()
            | s.Reaches()
            | s.Connected()
            | s.IsSet()
            | s.InSet()
            | s.InSequence()
            | s.GoldTag()
        ):
            return golds.all(holds(condition, situation))
        case _:
            assert_never(condition)


def _every(parts: list[Truths], golds: Golds) -> Truths:
    found = golds.all(True)
    for part in parts:
        found &= part
    return found


def _complete(node: int, situation: Situation, golds: Golds) -> Truths:
    c = situation.configuration
    open_words = [word for word in range(1, c.words + 1) if node not in c.heads_of.get(word, ())]
    return _every([~golds.arc(node, word) for word in open_words], golds)


def _compared(condition: s.Comparison, situation: Situation, golds: Golds) -> Truths:
    if not any(isinstance(part, s.GoldFunction) for part in s.walk(condition)):
        return golds.all(holds(condition, situation))
    asked = (situation._replace(gold=gold) for gold in golds.golds)
    return np.array([holds(condition, one) for one in asked], dtype=np.bool_)


def costs(line: s.CostLine, situation: Situation, golds: Golds) -> Costs:
    """The cost that a line of a dynamic oracle states, for each gold graph."""
    found = np.zeros(len(golds.rows), dtype=np.int64)
    for sign, part in line.parts:
        found += (1 if sign == "+" else -1) * _summand(part, situation, golds)
    return found


def _summand(part: s.CostPart, situation: Situation, golds: Golds) -> Costs:
    match part:
        case s.Number(value):
            return np.full(len(golds.rows), value, dtype=np.int64)
        case s.CountOf(variable, domain, conditions):
            nodes = build_sequence(domain, situation.environment)
            ways = [situation.with_node(variable, node) for node in nodes]
            counted = [_every([truths(one, way, golds) for one in conditions], golds) for way in ways]
            return sum((one.astype(np.int64) for one in counted), np.zeros(len(golds.rows), dtype=np.int64))
        case s.TruthOf(conditions):
            return _every([truths(one, situation, golds) for one in conditions], golds).astype(np.int64)
        case _:
            assert_never(part)
