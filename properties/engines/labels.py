"""Labelled losses: what wrong labels cost in addition to wrong heads.

The *labelled loss* of an output is the number of words whose head or label is not the gold one; a word without a head
has no label.  The labelled loss of a configuration is the least labelled loss of an output that some run from it
reaches, with any labels, and the labelled cost of a transition with a label is the difference, as without labels
(`losses`).

Labels never guard a transition.  A figure *labels freely* if it never removes an arc, and every rule that adds an arc
adds one, with a label that can be chosen.  Then the labels of the arcs that are built do not restrict what can still be
built, and every arc still to be built can get its gold label.  So

- the labelled loss of a configuration is its loss plus the number of its *mislabelled* arcs, those with the gold head
  but another label;
- the labelled cost of `LEFT-ARC(l)` is its cost, plus 1 if it adds a gold arc with a label other than the gold one.

In other figures that can be false: an arc with a wrong label may be removed and built again, two arcs of one rule have
to share a label, an arc without a label is never right.  For those, `nearest_output` tries the labels of the gold
graph, those of the configuration, and one that is in neither, which stands for all others.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Step
from arcproof.transitions.graph import Arc, Graph
from arcproof.transitions.system import System

ANOTHER: Final = "…"


def labels_freely(figure: s.Figure) -> bool:
    """Whether every arc can have any label, and keeps it."""
    return all(_labels_freely(rule) for rule in figure.rules)


def _labels_freely(rule: s.Rule) -> bool:
    if any(isinstance(effect, s.RemoveArcs) for effect in rule.effects):
        return False
    added = [effect for effect in rule.effects if isinstance(effect, s.AddArc)]
    return not added or (len(added) == 1 and added[0].label is not None)


def without_labels(graph: Graph) -> Graph:
    """The same arcs, without their labels."""
    return Graph(graph.words, frozenset(Arc(arc.head, None, arc.dependent) for arc in graph.arcs))


def unlabelled(c: Configuration) -> Configuration:
    """The configuration without the labels of its arcs."""
    return replace(c, arcs=without_labels(c.graph).arcs)


def another(labels: Iterable[str | None]) -> str:
    """A label that is not one of these, which stands for all others."""
    known = set(labels)
    return next(label for label in (ANOTHER * count for count in range(1, len(known) + 2)) if label not in known)


def labelled_steps(system: System, c: Configuration, wanted: Mapping[int, Arc]) -> Iterator[Step]:
    """The steps from a configuration, with the labels that must be tried on the way to these gold arcs, which are given
    by dependent.
    """
    freely = labels_freely(system.figure)
    other = another(arc.label for arc in wanted.values())
    for step in system.steps(c):
        if not system.takes_label(c, step.transition):
            yield step
            continue
        labels = _useful(step, c, wanted) if freely else [*(arc.label for arc in (*wanted.values(), *c.arcs)), other]
        for label in dict.fromkeys(labels or [other]):
            yield system.step(c, step.transition._replace(label=label))


def _useful(step: Step, c: Configuration, wanted: Mapping[int, Arc]) -> list[str | None]:
    """The gold label of a gold arc; if the arc exists already, also its label, because any other label would make a
    second arc.
    """
    (arc,) = step.added
    gold = wanted.get(arc.dependent)
    there = [other.label for other in c.arcs if (other.head, other.dependent) == (arc.head, arc.dependent)]
    return ([gold.label] if gold is not None and gold.head == arc.head else []) + there
