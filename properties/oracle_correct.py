"""An oracle is correct for a class if it leads to every graph of the class.

For each graph: every transition that the oracle asks for is permissible, the run ends, and the arcs are those of the graph.
All graphs of the class are tried, fewest words first, so that the first failure has the fewest words.
"""

from dataclasses import dataclass

from arcproof.generators.enumeration import all_graphs
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import Heads, graph_of
from arcproof.transitions.syntax import CompleteFor, GraphClass
from arcproof.transitions.system import System


@dataclass(frozen=True, slots=True)
class OracleFailure:
    """A graph that the oracle does not lead to, and how it fails."""

    heads: Heads
    reason: str


@dataclass(frozen=True, slots=True)
class OracleCheck:
    """What was tried: `derived[n]` graphs of n words were derived; `failure` is the first that was not."""

    oracle: str
    graphs: GraphClass
    words: int
    derived: tuple[int, ...]
    failure: OracleFailure | None


def complete_classes(system: System) -> list[GraphClass]:
    """The classes for which the figure claims completeness."""
    return [
        c.statement.graphs for c in system.figure.claims if c.kind == "plain" and isinstance(c.statement, CompleteFor)
    ]


def check_oracle(system: System, oracle: str, graphs: GraphClass, words: int) -> OracleCheck:
    """Try every graph of the class of 0 to `words` words."""
    bounded = system.class_with_parameters(graphs)
    derived: list[int] = []
    for n in range(words + 1):
        derived.append(0)
        for heads in all_graphs(bounded, n):
            try:
                system.derive(graph_of(heads), oracle)
            except NotDerivable as failure:
                return OracleCheck(oracle, bounded, words, tuple(derived), OracleFailure(heads, str(failure)))
            derived[n] += 1
    return OracleCheck(oracle, bounded, words, tuple(derived), None)


def check_oracles(system: System, words: int) -> list[OracleCheck]:
    """Every oracle of the figure on every class for which completeness is claimed."""
    return [
        check_oracle(system, oracle.name, graphs, words)
        for oracle in system.figure.oracles
        for graphs in complete_classes(system)
    ]
