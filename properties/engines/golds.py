"""Conditions and costs for many gold graphs at once: in one situation, an array of answers.

What does not ask for the gold graph is asked once, of the interpreter.  Tests compare all answers with those that it gives
for each gold graph.
"""

from functools import cached_property
from typing import TypeAlias, assert_never

import numpy as np
import numpy.typing as npt
from arcproof.transitions import syntax as s
from arcproof.transitions.execute import Situation, build_sequence, holds, node_of
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import ROOT, Heads, graph_of

from arcproof.process.lazy_dataclass import dataclass

Truths: TypeAlias = npt.NDArray[np.bool_]
Costs: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Golds:
    """Gold graphs of one number of words, as rows of one more than the head, or 0."""

    rows: npt.NDArray[np.int64]

    def arc(self, head: int, dependent: int) -> Truths:
        """Which of them have an arc."""
        if dependent == ROOT:
            return self.all(False)
        found: Truths = self.rows[:, dependent - 1] == head + 1
        return found

    def all(self, value: bool) -> Truths:
        """The same answer for each."""
        return np.full(len(self.rows), value, dtype=np.bool_)

    def heads(self, place: int) -> Heads:
        """One of them by its heads."""
        return tuple(int(entry) - 1 if entry else None for entry in self.rows[place])

    @cached_property
    def golds(self) -> list[Gold]:
        """Each as the interpreter asks it."""
        return [Gold(graph_of(self.heads(place))) for place in range(len(self.rows))]

    @cached_property
    def orders(self) -> npt.NDArray[np.int64]:
        """The projective order of each."""
        return np.array([gold.order for gold in self.golds], dtype=np.int64).reshape(len(self.golds), -1)


def truths(condition: s.Condition, situation: Situation, golds: Golds) -> Truths:
    """For which of the gold graphs a condition holds."""
    match condition:
        case s.GoldArc(head, dependent):
            return golds.arc(node_of(head, situation), node_of(dependent, situation))
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
    """What a line of a dynamic oracle says, for each gold graph."""
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
