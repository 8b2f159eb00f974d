"""The invariants of oracles: what is claimed to hold in every configuration along an oracle's run to a gold graph.

The gold graphs are those of the classes for which the figure claims to be complete, so each invariant is asked once
for each of these classes.  A run that gets stuck counts as far as it goes.
"""

from collections.abc import Iterable
from typing import ClassVar, Final

from arcproof.generators.graph_enumeration import all_graphs_of
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.checks.oracle_correct import complete_classes
from arcproof.properties.engines.levels import Levels
from arcproof.properties.evidence import Counterexample, Evidence
from arcproof.properties.property import Check, Parts, Property
from arcproof.transitions.configuration import Derivation
from arcproof.transitions.errors import BadGraph, NotDerivable
from arcproof.transitions.graph import Graph
from arcproof.transitions.printing.notation import SOURCE, class_text, condition_text, help_text
from arcproof.transitions.syntax import GraphClass, OracleInvariant
from arcproof.transitions.system import System

MOST_RUNS: Final = 20_000
"""The most graphs that the interpreter follows an oracle to; sentences so long that there are more are left out."""


@dataclass(frozen=True, slots=True)
class OracleInvariance(Check):
    """Whether a condition holds in every configuration along the oracle's runs to the graphs of a class."""

    given: OracleInvariant
    graphs: GraphClass

    def __str__(self) -> str:
        """The invariant as the specification writes it, and the class."""
        return f"{help_text(self.given)}, on {class_text(self.graphs)}"


def violation(system: System, given: OracleInvariant, graph: Graph) -> Counterexample | None:
    """The first configuration on the way to a graph in which the condition does not hold."""
    try:
        run, gold = followed(system, graph, given.oracle), system.gold(graph)
    except BadGraph:  # no oracle is asked for such a graph; `oracle correct` reports that it is not derived
        return None
    for taken, c in enumerate((run.initial, *(step.configuration for step in run.steps))):
        if not system.satisfies(c, given.condition, gold):
            said = condition_text(given.condition, SOURCE)
            reason = f"on the way to {gold.graph}, in {c}, this is false: {said}"
            return Counterexample(c.words, gold.graph, tuple(step.transition for step in run.steps[:taken]), reason)
    return None


def followed(system: System, gold: Graph, oracle: str) -> Derivation:
    """The run to a gold graph, as far as the oracle goes."""
    try:
        return system.derive(gold, oracle)
    except NotDerivable as failure:
        return failure.run or Derivation(system.start(gold.words), ())


def all_oracle_invariants(system: System) -> list[OracleInvariance]:
    """Every invariant of an oracle with every class for which completeness is claimed."""
    given = dict.fromkeys(system.figure.oracle_invariants)
    return [OracleInvariance(one, graphs) for one in given for graphs in complete_classes(system)]


class OracleInvariants(Property[OracleInvariance]):
    """Asked of figures that state invariants of oracles; a failure decides the exit code, because the author claims
    them.
    """

    questions = (OracleInvariance,)
    counts: ClassVar[bool] = True
    follows_oracles: ClassVar[bool] = True
    place: ClassVar[int] = 5

    def parts(self, system: System, question: OracleInvariance) -> Parts:
        """The invariant and the class."""
        return Parts(help_text(question.given), class_text(system.class_with_parameters(question.graphs)))

    def asked(self, system: System) -> Iterable[OracleInvariance]:
        """Every invariant with every class."""
        return all_oracle_invariants(system)

    def check(self, levels: Levels, question: OracleInvariance) -> Evidence:
        """Follow the oracle to every graph of the class, fewest words first."""
        graphs = levels.system.class_with_parameters(question.graphs)
        tried = words = 0
        for words in range(1, levels.explored() + 1):
            in_full = tried
            for graph in all_graphs_of(graphs, words):
                tried += 1
                if tried > MOST_RUNS:
                    return levels.exhausted(words - 1, in_full, "graphs")
                found = violation(levels.system, question.given, graph)
                if found is not None:
                    return levels.refuted(tried, found)
        return levels.exhausted(words, tried, "graphs")

    def oracle(self, question: OracleInvariance) -> str:
        """The oracle."""
        return question.given.oracle


PROPERTIES: Final = (OracleInvariants(),)
