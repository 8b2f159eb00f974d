"""What oracles do with labels and tags: gold graphs in which every arc has a label, and every word a tag, of its own.

No line of an oracle asks which label an arc has, or which tag a word: it only passes them on.  So an oracle that leads
to a graph whose labels and tags are all different leads to it whatever they are, and two oracles that take the same
transitions there take the same ones everywhere.  A figure that labels no arc is asked for graphs without labels.

Native code follows oracles without labels.  It suffices if every line takes the label of the very arc that the
transition adds, and the tag of the very word that it tags; otherwise the interpreter follows the oracle.
"""

from typing import Final

from arcproof.properties.engines.labels import without_labels
from arcproof.transitions import plan as p
from arcproof.transitions.configuration import Derivation
from arcproof.transitions.graph import Graph
from arcproof.transitions.syntax import Oracle
from arcproof.transitions.system import System

MAX_GRAPHS: Final = 20_000
"""The most graphs with labels to which the interpreter follows an oracle that native code cannot follow."""


def told_apart(system: System, graph: Graph) -> tuple[Graph, tuple[str, ...]]:
    """The graph with a label of its own for every arc, and a tag for every word, as far as the figure has any."""
    tags = tuple(f"t{word}" for word in range(1, graph.words + 1)) if system.figure.assigns_tags else ()
    if not system.figure.labels_arcs:
        return graph, tags
    arcs = without_labels(graph).sorted_arcs()
    return Graph(graph.words, frozenset(arc._replace(label=f"l{k}") for k, arc in enumerate(arcs, start=1))), tags


def derived_with_labels(system: System, graph: Graph, oracle: str | None = None) -> Derivation:
    """The oracle's run to the graph with all its labels and tags; raises as `System.derive` does."""
    labelled, tags = told_apart(system, graph)
    return system.derive(labelled, oracle, tags)


def takes_own_labels(system: System, oracle: Oracle) -> bool:
    """Whether every line takes the label of the arc that is added, and the tag of the word that is tagged."""
    lines = system.plan.oracles[system.figure.oracles.index(oracle)]
    return all(_is_own(system, system.plan.rules[case.rule], line) for line in lines for case in line.cases)


def _is_own(system: System, rule: p.RulePlan, line: p.LinePlan) -> bool:
    is_same_pattern = line.line.pattern == rule.rule.before

    def are_same(one: p.Node, two: p.Node) -> bool:
        match one, two:
            case p.Cell(_, first), p.Cell(_, second):
                return first == second and (not first.runs or is_same_pattern)
            case _:
                return one == two and isinstance(one, p.Fixed)

    def is_own_arc(added: p.AddArc) -> bool:
        return added.labelled and all(
            are_same(h, added.head) and are_same(d, added.dependent) for h, d in line.labelled
        )

    added = [change for change in rule.arcs if isinstance(change, p.AddArc)] if system.figure.labels_arcs else []
    if (added and len(line.labelled) != 1) or (rule.tags and len(line.tagged) != 1):
        return _is_excluded(rule, line)
    return all(map(is_own_arc, added)) and all(are_same(line.tagged[0], node) for node in rule.tags)


def _is_excluded(rule: p.RulePlan, line: p.LinePlan) -> bool:
    """Whether the line asks for what the precondition of the case forbids, so that it means another case."""
    has_choices = rule.match.choices or line.match.choices
    return not has_choices and any(p.Not(condition) in rule.guards for condition in line.conditions)
