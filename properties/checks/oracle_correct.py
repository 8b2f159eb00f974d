"""An oracle is correct for a class if it leads to every graph of the class.

For each graph: every transition that the oracle asks for is permissible, the run ends, and the arcs are those of the graph.
All graphs of the class are tried, fewest words first, so that the first failure has the fewest words.
"""

from dataclasses import dataclass

import numpy as np
from arcproof.properties.engines.engine import Engine, Interpreter
from arcproof.properties.engines.packed_space import ReplayFailed
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import Heads, format_heads, graph_of
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


def check_oracle(
    system: System, oracle: str, graphs: GraphClass, words: int, engine: Engine | None = None
) -> OracleCheck:
    """Try every graph of the class of 0 to `words` words, by the interpreter unless an engine is given."""
    bounded = system.class_with_parameters(graphs)
    derived: list[int] = []
    for n in range(words + 1):
        derived.append(0)
        for followed in (engine or Interpreter(system)).follow(oracle, bounded, n):
            failed = np.flatnonzero(followed.lengths < 0)
            if len(failed):
                derived[n] += int(failed[0])
                heads = followed.graphs(int(failed[0]))
                failure = OracleFailure(heads, _reason(system, oracle, heads))
                return OracleCheck(oracle, bounded, words, tuple(derived), failure)
            derived[n] += len(followed.lengths)
    return OracleCheck(oracle, bounded, words, tuple(derived), None)


def _reason(system: System, oracle: str, heads: Heads) -> str:
    """Why the oracle does not lead to a graph, in the interpreter's words."""
    try:
        system.derive(graph_of(heads), oracle)
    except NotDerivable as failure:
        return str(failure)
    raise ReplayFailed(f"{system.name}: the interpreter derives {format_heads(heads)} with oracle {oracle}")


def check_oracles(system: System, words: int) -> list[OracleCheck]:
    """Every oracle of the figure on every class for which completeness is claimed."""
    return [
        check_oracle(system, oracle.name, graphs, words)
        for oracle in system.figure.oracles
        for graphs in complete_classes(system)
    ]
