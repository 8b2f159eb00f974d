"""Completeness: every graph of the class is an output (Nivre 2008, Definition 7).

All graphs of the class are looked up among all outputs, fewest words first, so that the first missing graph has the
fewest words. There is no run to show for a graph that has none: the counterexample is the graph, and that it is missing
was established by visiting every configuration for its number of words.

Where there are more configurations than memory allows, the figure's oracles still show completeness: a graph to which
one of them leads is an output.  That needs only a range of ranks in memory, so it goes further; but then a graph that
no oracle leads to proves nothing.
"""

from typing import TYPE_CHECKING, Final

from arcproof.generators.graph_classes import contains_graph
from arcproof.properties.engines.engine import EngineName
from arcproof.properties.engines.exploration import configurations_in
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import LongRuns
from arcproof.properties.engines.output_sets import size_of, words_followed
from arcproof.properties.engines.own_labels import takes_own_labels
from arcproof.properties.engines.shortest_derivation import ArcsAreRemoved
from arcproof.properties.engines.shortest_run import shortest_run
from arcproof.properties.engines.spaces import OutOfBounds, Space
from arcproof.properties.evidence import Counterexample, Evidence, NoOracle
from arcproof.properties.property import Column, GraphQuestion, Parts, Property, Sentence
from arcproof.transitions import syntax as s
from arcproof.transitions.graph import ROOT, Graph
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.printing.wording import FORGOTTEN_ROOT
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover
    from arcproof.properties.proving.theorem import Theorem

MOST_SEARCHED: Final = 20_000
MOST_SEARCHED_OF_MANY_WORDS: Final = 2_000
FEW_WORDS: Final = 7
MANY_WORDS: Final = 12
MOST_GIVEN_UP: Final = 5
MOST_GIVEN_UP_SWIFTLY: Final = 30


def _no_output(system: System, graph: Graph) -> str:
    """Say `not the output of any run`, and why if the graph has arcs from 0 but `start` does not contain 0."""
    hangs_on_root = any(arc.head == ROOT for arc in graph.arcs)
    forgotten = f"; {FORGOTTEN_ROOT}" if system.figure.forgets_root and hangs_on_root else ""
    return f"not the output of any run{forgotten}"


def has_no_place_for(system: System, graphs: GraphClass, graph: Graph) -> bool:
    """Whether a graph of the class has arcs from 0 although the figure says `root none`; such arcs are read into an
    output only in classes of trees.
    """
    return graphs.base != "trees" and system.wanted(graph) != graph


def least_missing(space: Space, graphs: GraphClass) -> Graph | None:
    """The first graph of the class that is not an output; None if there is none."""
    return space.outputs.for_class(space.system, graphs).least_missing(graphs)


def check_complete(levels: Levels, graphs: GraphClass) -> Evidence:
    """Look up every graph of the class among the outputs."""
    bounded = levels.system.class_with_parameters(graphs)
    cases = 0
    for space in levels.spaces():
        cases += size_of(bounded, space.words)
        least = least_missing(space, bounded)
        if least is not None:
            reason = f"{least} is among the {class_text(bounded)} but is {_no_output(levels.system, least)}"
            return levels.refuted(cases, Counterexample(space.words, least, None, reason))
    reached = levels.reached
    while levels.explorer.goes_far and reached < words_followed(bounded, levels.words):
        derived = _derived_by_oracles(levels, bounded, reached + 1)
        if derived is None:
            break
        reached += 1
        cases += derived
    return levels.exhausted(reached, cases, class_text(bounded))


def _derived_by_oracles(levels: Levels, graphs: GraphClass, words: int) -> int | None:
    """The number of graphs, if one oracle leads to all of them; otherwise None.

    With `root none` an oracle leads to a graph without its arcs from 0, which is a different forest, but the same tree.
    """
    if graphs.base != "trees" and not levels.system.has_root:
        return None
    for oracle in levels.system.figure.oracles:
        if not takes_own_labels(levels.system, oracle):
            continue
        count = 0
        for followed in levels.explorer.follow(oracle.name, graphs, words):
            if followed.first_failure is not None:
                break
            count += len(followed.lengths)
        else:
            return count
    return None


def not_an_output(runs: LongRuns, graph: Graph, undecided: list[Graph]) -> str | None:
    """Why no run has this graph as output; None if one does, or if the search would take too long, which is noted.

    An oracle that fails proves nothing about the system, so a run is searched for: among fewer configurations if there
    are many words, and not at all once a few searches have failed.
    """
    if any(runs.derive(graph, oracle.name) is not None for oracle in runs.system.figure.oracles):
        return None
    try:
        engine: EngineName = "compiled" if runs.is_swift else "interpreter"
        found = shortest_run(runs.system, graph, _most_searched(runs, graph.words, undecided), engine)
    except (ArcsAreRemoved, OutOfBounds):
        undecided.append(graph)
        return None
    return f"{graph} is {_no_output(runs.system, graph)}" if found is None else None


def _most_searched(runs: LongRuns, words: int, undecided: list[Graph]) -> int:
    """The number of configurations that a search may visit, after the search for these graphs has failed."""
    if words <= FEW_WORDS:
        return MOST_SEARCHED
    has_many = words > MANY_WORDS
    in_vain = sum(other.words > FEW_WORDS and (other.words > MANY_WORDS) == has_many for other in undecided)
    most = MOST_SEARCHED_OF_MANY_WORDS if has_many else MOST_SEARCHED
    patience = MOST_GIVEN_UP_SWIFTLY if runs.is_swift and not has_many else MOST_GIVEN_UP
    return most if in_vain < patience else 0


class CompleteProperty(Property[s.CompleteFor]):
    """`complete projective trees`."""

    questions = (s.CompleteFor,)
    column = Column("complete", "every graph of the class is an output")

    def parts(self, system: System, question: s.CompleteFor) -> Parts:
        """A name, and the class with its parameters."""
        return Parts("complete", class_text(system.class_with_parameters(question.graphs)))

    def sentence(self, question: s.CompleteFor) -> Sentence:
        """The claim as a sentence."""
        return "Every graph among the ", question.graphs, " is the output of some run."

    def check(self, levels: Levels, question: s.CompleteFor) -> Evidence:
        """Look up every graph of the class among the outputs."""
        return check_complete(levels, question.graphs)

    def check_witness(self, levels: Levels, question: s.CompleteFor, witness: Graph) -> Evidence:
        """Search for the witness: it refutes completeness if it is in the class and has no derivation."""
        graphs, shown = levels.system.class_with_parameters(question.graphs), str(witness)
        if not contains_graph(graphs, witness):
            return levels.no_answer(f"the witness {shown} is not among the {class_text(graphs)}")
        try:
            limit = None if levels.memory is None else configurations_in(levels.memory)
            found = (
                None
                if has_no_place_for(levels.system, graphs, witness)
                else shortest_run(levels.system, witness, limit, levels.explorer.name)
            )
        except (ArcsAreRemoved, OutOfBounds) as error:
            return levels.no_answer(f"the search for the witness failed: {error}")
        if found is not None:
            return levels.no_answer(f"the witness {shown} is derived by {' '.join(map(str, found))}")
        reason = f"{shown} is among the {class_text(graphs)} but is {_no_output(levels.system, witness)}"
        return levels.refuted(1, Counterexample(witness.words, witness, None, reason))

    def why_not_sampled(self, system: System, question: s.CompleteFor) -> NoOracle | None:
        """Whether samples can add anything: only an oracle can show that a long graph is an output."""
        if system.figure.oracles:
            return None
        return NoOracle(class_text(system.class_with_parameters(question.graphs)))

    def graph_check(self, runs: LongRuns, question: s.CompleteFor) -> GraphQuestion:
        """Check that some run derives the graph."""
        undecided: list[Graph] = []
        graphs = runs.system.class_with_parameters(question.graphs)
        return GraphQuestion(graphs, lambda graph: not_an_output(runs, graph, undecided), undecided)

    def prove(self, prover: "Prover", claim: s.Claim, question: s.CompleteFor) -> "Theorem":
        """Prove it by an oracle that leads to every graph of the class."""
        from arcproof.properties.proving.methods.completeness import complete

        return complete(prover, claim, prover.system.class_with_parameters(question.graphs))


PROPERTIES: Final = (CompleteProperty(),)
