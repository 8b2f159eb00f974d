"""The commands that reproduce a counterexample with a graph but no run: each says what the finding says."""

import shlex
from typing import TYPE_CHECKING

from arcproof.properties.claims.complete import has_no_place_for
from arcproof.properties.claims.same_behaviour import labels_agree
from arcproof.properties.engines.own_labels import told_apart
from arcproof.properties.finding import Finding
from arcproof.properties.property import property_of
from arcproof.reports.given import graph_options
from arcproof.transitions import syntax as s
from arcproof.transitions.graph import Graph, improper_arc

if TYPE_CHECKING:
    from arcproof.transitions.system import System


def replay_lines(finding: Finding) -> list[str]:
    """One line for each command, as it would be typed; for a graph that no run derives, also the command that finds
    the nearest output, and says where it is lost, if costs have a meaning for the figure.
    """
    lines = [f"replay: {shlex.join(['arcproof', *command])}" for command in replay_commands(finding)]
    found = finding.counterexample
    match finding.asked:
        case s.CompleteFor(graphs) if lines and found is not None and found.graph is not None:
            if not finding.system.figure.several_heads and not has_no_place_for(finding.system, graphs, found.graph):
                command = ["arcproof", "oracle", _reference(finding.system), *graph_options(found.graph)]
                lines.append(f"nearest: {shlex.join(command)}")
    return lines


def replay_commands(finding: Finding) -> list[list[str]]:
    """The commands that trace the graph at fault: by the oracle in question, or by a search for a run if all runs are
    in question.
    """
    found = finding.counterexample
    if found is None or found.transitions is not None or not found.words:
        return []
    if found.graph is None or improper_arc(found.graph) is not None:
        return []
    system, graph = finding.system, found.graph
    match finding.asked:
        case s.CompleteFor(graphs):
            return [_searched(system, graph, has_no_place_for(system, graphs, graph))]
        case s.SameOutputs(reference):
            return [_searched(system, graph), _searched(system.other(reference), graph)]
        case s.SameTransitions(reference):
            other = system.other(reference)
            gold = graph if labels_agree(system, other) else told_apart(system, graph)[0]
            return [_traced(one, gold) for one in (system, other)]
    oracle = property_of(finding.asked).oracle(finding.asked)
    return [] if oracle is None else [[*_traced(system, graph), "--oracle", oracle]]


def _traced(system: "System", graph: Graph) -> list[str]:
    """The command that follows an oracle to the graph, with a tag of its own for every word if the figure assigns
    tags.
    """
    _, tags = told_apart(system, graph)
    return ["trace", _reference(system), *graph_options(graph), *(["--tags", ",".join(tags)] if tags else [])]


def _searched(system: "System", graph: Graph, is_out_of_place: bool = False) -> list[str]:
    """The command that searches for a run with this graph as output or, if that is impossible, tries everything up to
    this many words again.
    """
    if is_out_of_place or any(isinstance(effect, s.RemoveArcs) for effect in system.figure.effects):
        return ["verify", _reference(system), "--words", str(graph.words), "--samples", "0", "--claims-only"]
    return ["trace", _reference(system), *graph_options(graph), "--search"]


def _reference(system: "System") -> str:
    """The name of the system, in a form that cannot be taken for an option."""
    return f"./{system.reference}" if system.reference.startswith("-") else system.reference
