"""An oracle is correct for a class if it leads to every graph of the class.

For each graph: every transition that the oracle asks for is permissible, the run ends, the arcs are those of the graph
with their labels, and no word has been given a tag other than its gold one, whatever the labels and tags are
(`own_labels`).  All graphs of the class are tried, fewest words first, so that the first failure has the fewest
words.
"""

from collections.abc import Iterable
from typing import ClassVar, Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.engine import Engine, Interpreter
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import LongRuns
from arcproof.properties.engines.mistake import Mistake, first_mistake
from arcproof.properties.engines.output_sets import words_followed
from arcproof.properties.engines.own_labels import MAX_GRAPHS, takes_own_labels, told_apart
from arcproof.properties.engines.spaces import ReplayFailed
from arcproof.properties.evidence import Counterexample, Evidence
from arcproof.properties.property import Check, Column, GraphQuestion, Parts, Property
from arcproof.transitions.configuration import Derivation
from arcproof.transitions.errors import BadGraph, NotDerivable
from arcproof.transitions.graph import Graph
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import CompleteFor, GraphClass
from arcproof.transitions.system import System

_GROWTH: Final = 13
"""An upper bound on the growth factor of the number of trees per word, where there are few enough to try them all."""


@dataclass(frozen=True, slots=True)
class OracleFailure:
    """A graph that the oracle does not lead to, and how it fails; `run` is how far it went."""

    graph: Graph
    reason: str
    run: Derivation | None

    def mistake(self, system: System, limit: int) -> Mistake | None:
        """The transition after which no run leads to the graph, if that can be determined."""
        return None if self.run is None else first_mistake(system, self.graph, self.run, limit)


@dataclass(frozen=True, slots=True)
class OracleCheck:
    """What was tried: `derived[n - 1]` graphs of n words were derived; `failure` is the first that was not."""

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
    system: System,
    oracle: str,
    graphs: GraphClass,
    words: int,
    engine: Engine | None = None,
    most: int | None = None,
) -> OracleCheck:
    """Try every graph of the class of 1 to `words` words, by the interpreter unless an engine is given.

    With `most`, the first level that is expected to have more graphs than that is left out, and so are all larger ones.
    """
    bounded = system.class_with_parameters(graphs)
    derived: list[int] = []
    for n in range(1, words + 1):
        if most is not None and n > 1 and derived[-1] * _GROWTH > most:
            break
        derived.append(0)
        for followed in (engine or Interpreter(system)).follow(oracle, bounded, n):
            failed = followed.first_failure
            if failed is not None:
                derived[-1] += failed
                graph = followed.graphs(failed)
                return OracleCheck(oracle, bounded, words, tuple(derived), _failure(system, oracle, graph))
            derived[-1] += len(followed.lengths)
    return OracleCheck(oracle, bounded, words, tuple(derived), None)


def _failure(system: System, oracle: str, graph: Graph) -> OracleFailure:
    """Why the oracle does not lead to a graph, in the interpreter's words; with labels if they are the reason."""
    labelled, tags = told_apart(system, graph)
    for gold, given in ((graph, ()), (labelled, tags)):
        try:
            system.derive(gold, oracle, given)
        except NotDerivable as failure:
            return OracleFailure(gold, str(failure), failure.run)
        except BadGraph as error:
            return OracleFailure(gold, f"{system.name} does not derive {graph}: {error}", None)
    raise ReplayFailed(f"{system.name}: the interpreter derives {graph} with oracle {oracle}")


@dataclass(frozen=True, slots=True)
class LeadsTo(Check):
    """Whether an oracle leads to every graph of a class."""

    oracle: str
    graphs: GraphClass


def all_oracles(system: System) -> list[LeadsTo]:
    """Every oracle of the figure, with every class for which completeness is claimed."""
    return [LeadsTo(oracle.name, graphs) for oracle in system.figure.oracles for graphs in complete_classes(system)]


class OracleCorrect(Property[LeadsTo]):
    """Asked of every oracle and every class for which completeness is claimed.

    A failure decides the exit code, because the oracle is part of the figure.
    """

    questions = (LeadsTo,)
    column = Column("oracle", "the oracles lead to every graph of the class")
    counts: ClassVar[bool] = True
    follows_oracles: ClassVar[bool] = True
    place: ClassVar[int] = 4

    def parts(self, system: System, question: LeadsTo) -> Parts:
        """A name, and the oracle with its class."""
        graphs = class_text(system.class_with_parameters(question.graphs))
        return Parts("oracle correct", f"{question.oracle} on {graphs}")

    def asked(self, system: System) -> Iterable[LeadsTo]:
        """Every oracle with every class."""
        return all_oracles(system)

    def check(self, levels: Levels, question: LeadsTo) -> Evidence:
        """Try every graph of the class, with more words than could be explored if the engine can follow the oracle that
        far.
        """
        takes_own = takes_own_labels(levels.system, levels.system.oracle(question.oracle))
        goes_far = levels.explorer.goes_far and takes_own
        words = words_followed(question.graphs, levels.words if goes_far else levels.explored())
        most = None if takes_own else MAX_GRAPHS
        check = check_oracle(levels.system, question.oracle, question.graphs, words, levels.explorer, most)
        if check.failure is None:
            return levels.exhausted(len(check.derived), sum(check.derived), "graphs")
        graph = check.failure.graph
        found = Counterexample(graph.words, graph, None, check.failure.reason)
        return levels.refuted(sum(check.derived) + 1, found)

    def graph_check(self, runs: LongRuns, question: LeadsTo) -> GraphQuestion:
        """Follow the oracle to the graph."""
        graphs = runs.system.class_with_parameters(question.graphs)

        def check(graph: Graph) -> str | None:
            if runs.derive(graph, question.oracle) is not None:
                return None
            return _failure(runs.system, question.oracle, graph).reason

        return GraphQuestion(graphs, check, [])

    def oracle(self, question: LeadsTo) -> str:
        """The oracle."""
        return question.oracle


PROPERTIES: Final = (OracleCorrect(),)
