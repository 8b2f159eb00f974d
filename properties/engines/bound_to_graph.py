"""A figure bound to one graph: it builds the arcs of that graph and no others, so that its configurations are few
enough to be explored.

If no rule removes arcs, no derivation of the graph is lost: an arc that is not in the graph would stay.  If, moreover,
each node is in only one place at a time, a node may not leave the sequences while one of its arcs is missing: a rule
can only use nodes that are in a sequence or are given by their number, so the arc could never be added.  So the figure
derives the graph if and only if the bound figure does.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from arcproof.transitions import syntax as s
from arcproof.transitions.graph import Graph
from arcproof.transitions.system import System

Ends: TypeAlias = tuple[int, int]


def bound_to(system: System, graph: Graph) -> System:
    """The system whose rules build only arcs of the graph."""
    figure = system.figure
    arcs = [(arc.head, arc.dependent) for arc in graph.sorted_arcs()]
    in_one_place = not figure.shared and all(max(_places(rule.after).values(), default=1) == 1 for rule in figure.rules)
    added = (node for node in s.walk(figure.rules) if isinstance(node, s.AddArc))
    numbered = {end.value for arc in added for end in (arc.head, arc.dependent) if isinstance(end, s.Number)}
    rules = tuple(
        replace(rule, preconditions=(*rule.preconditions, *_demands(rule, arcs, numbered, in_one_place)))
        for rule in figure.rules
    )
    bare = replace(figure, oracles=(), claims=(), invariants=(), oracle_invariants=(), measures=(), lemmas=())
    return replace(system, figure=replace(bare, rules=rules))


def _places(sequences: Iterable[s.Pattern | s.Update]) -> Counter[str]:
    """How often each node and each run of nodes occurs in some sequences."""
    items = (item for part in sequences if isinstance(part, s.SequenceOf) for item in part.items)
    return Counter(item.name for item in items if not (isinstance(item, s.Cell) and item.is_hole))


def _demands(rule: s.Rule, arcs: list[Ends], numbered: set[int], in_one_place: bool) -> Iterator[s.Condition]:
    added = [effect for effect in rule.effects if isinstance(effect, s.AddArc)]
    for arc in added:
        yield s.Or(tuple(_joins(arc, ends) for ends in arcs))
    cells = {cell.name for cell in s.walk(rule.before) if isinstance(cell, s.Cell) and not cell.is_hole}
    for name in sorted(cells - set(_places(rule.after))) if in_one_place else ():
        for ends in arcs:
            yield _is_done_with(s.Variable(name), ends, numbered, added)


def _is_done_with(node: s.Node, ends: Ends, numbered: set[int], added: list[s.AddArc]) -> s.Condition:
    """The condition that an arc of the graph does not concern the node, or exists, or is added now."""
    others = tuple(s.Comparison((node, s.Number(end)), ("!=",)) for end in ends if end not in numbered)
    there = s.HasArc(s.Number(ends[0]), s.Number(ends[1]))
    return s.Or((s.And(others), there, *(_joins(arc, ends) for arc in added)))


def _joins(arc: s.AddArc, ends: Ends) -> s.Condition:
    head, dependent = (
        s.Comparison((node, s.Number(end)), ("=",)) for node, end in zip((arc.head, arc.dependent), ends, strict=True)
    )
    return s.And((head, dependent))
