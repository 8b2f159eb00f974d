"""Completeness: every graph of the class is an output (Nivre 2008, Definition 7).

All graphs of the class are looked up among all outputs, fewest words first, so that the first missing graph has the fewest words.
There is no run to show for a graph that has none: the counterexample is the graph, and that it is missing was established by
visiting every configuration for its number of words.

Where there are more configurations than memory allows, the figure's oracles still show completeness: a graph to which one of them leads is an
output.  That needs nothing but a range of ranks in memory, so it goes further; but a graph to which none leads says nothing then.
"""

from typing import TYPE_CHECKING, Final

import numpy as np
from arcproof.generators.classes import contains
from arcproof.properties.engines.engine import EngineName
from arcproof.properties.engines.exploration import configurations_in
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import LongRuns
from arcproof.properties.engines.outputs import Codes, heads_of, pieces_of, size_of
from arcproof.properties.engines.shortest_derivation import ArcsAreRemoved
from arcproof.properties.engines.shortest_run import shortest_run
from arcproof.properties.engines.spaces import OutOfBounds, Space
from arcproof.properties.evidence import Counterexample, Evidence
from arcproof.properties.property import Column, GraphQuestion, Parts, Property, Sentence
from arcproof.transitions import syntax as s
from arcproof.transitions.graph import Heads, format_heads, graph_of
from arcproof.transitions.printing.notation import class_text
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


def missing_in(space: Space, graphs: GraphClass) -> Codes:
    """The codes of the graphs of the class that are not outputs, sorted."""
    derived = space.outputs.for_class(space.system, graphs).codes
    missing = [np.setdiff1d(piece, derived, assume_unique=True) for piece in pieces_of(graphs, space.words)]
    return np.sort(np.concatenate(missing))


def check_complete(levels: Levels, graphs: GraphClass) -> Evidence:
    """Look up every graph of the class."""
    bounded = levels.system.class_with_parameters(graphs)
    cases = 0
    for space in levels.spaces():
        cases += size_of(bounded, space.words) if space.words > 0 else 0
        missing = missing_in(space, bounded)
        if len(missing):
            least = heads_of(missing[0], space.words)
            reason = f"{format_heads(least) or 'the graph without words'} is among the {class_text(bounded)} but is not the output of any run"
            return levels.refuted(cases, Counterexample(space.words, graph_of(least), None, reason))
    reached = levels.reached
    while levels.explorer.goes_far and reached < levels.words:
        derived = _derived_by_oracles(levels, bounded, reached + 1)
        if derived is None:
            break
        reached += 1
        cases += derived if reached > 0 else 0
    return levels.exhausted(reached, cases, class_text(bounded))


def _derived_by_oracles(levels: Levels, graphs: GraphClass, words: int) -> int | None:
    """How many graphs there are, if one oracle leads to all of them.

    In a system without node 0 an oracle leads to a graph without its arcs from 0, which is another forest, but the same tree.
    """
    if graphs.base == "forests" and not levels.system.has_root:
        return None
    for oracle in levels.system.figure.oracles:
        count = 0
        for followed in levels.explorer.follow(oracle.name, graphs, words):
            if (followed.lengths < 0).any():
                break
            count += len(followed.lengths)
        else:
            return count
    return None


def not_an_output(runs: LongRuns, heads: Heads, undecided: list[Heads]) -> str | None:
    """Why no run has this graph as output; None if one has, or if that is too long to search, which is noted.

    An oracle that fails proves nothing about the system, so a run is searched then; among fewer configurations if there
    are many words, and not at all once that was in vain a few times.
    """
    if any(runs.derive(heads, oracle.name) is not None for oracle in runs.system.figure.oracles):
        return None
    try:
        engine: EngineName = "compiled" if runs.is_swift else "interpreter"
        found = shortest_run(runs.system, heads, _most_searched(runs, len(heads), undecided), engine)
    except (ArcsAreRemoved, OutOfBounds):
        undecided.append(heads)
        return None
    return f"{format_heads(heads)} is not the output of any run" if found is None else None


def _most_searched(runs: LongRuns, words: int, undecided: list[Heads]) -> int:
    """How many configurations a search may take, after it was in vain for these graphs."""
    if words <= FEW_WORDS:
        return MOST_SEARCHED
    has_many = words > MANY_WORDS
    in_vain = sum(len(other) > FEW_WORDS and (len(other) > MANY_WORDS) == has_many for other in undecided)
    most = MOST_SEARCHED_OF_MANY_WORDS if has_many else MOST_SEARCHED
    patience = MOST_GIVEN_UP_SWIFTLY if runs.is_swift and not has_many else MOST_GIVEN_UP
    return most if in_vain < patience else 0


class CompleteProperty(Property[s.CompleteFor]):
    """`complete projective trees`."""

    questions = (s.CompleteFor,)
    column = Column("complete", "every graph of the class is an output")

    def parts(self, system: System, question: s.CompleteFor) -> Parts:
        """The class, with its parameters."""
        return Parts("complete", class_text(system.class_with_parameters(question.graphs)))

    def sentence(self, question: s.CompleteFor) -> Sentence:
        """What it says."""
        return "Every graph among the ", question.graphs, " is the output of some run."

    def check(self, levels: Levels, question: s.CompleteFor) -> Evidence:
        """Look up every graph of the class."""
        return check_complete(levels, question.graphs)

    def check_witness(self, levels: Levels, question: s.CompleteFor, witness: Heads) -> Evidence:
        """Search for the witness: it refutes completeness if it is in the class and has no derivation."""
        graphs, shown = levels.system.class_with_parameters(question.graphs), format_heads(witness)
        if not contains(graphs, witness):
            return levels.no_answer(f"the witness {shown} is not among the {class_text(graphs)}")
        try:
            limit = None if levels.memory is None else configurations_in(levels.memory)
            found = shortest_run(levels.system, witness, limit, levels.explorer.name)
        except (ArcsAreRemoved, OutOfBounds) as error:
            return levels.no_answer(f"the witness could not be searched: {error}")
        if found is not None:
            return levels.no_answer(f"the witness {shown} is derived by {' '.join(map(str, found))}")
        reason = f"{shown} is among the {class_text(graphs)} but is not the output of any run"
        return levels.refuted(1, Counterexample(len(witness), graph_of(witness), None, reason))

    def graph_check(self, runs: LongRuns, question: s.CompleteFor) -> GraphQuestion | None:
        """Whether some run derives a graph; only asked where an oracle may show it."""
        if not runs.system.figure.oracles:
            return None
        undecided: list[Heads] = []
        graphs = runs.system.class_with_parameters(question.graphs)
        return GraphQuestion(graphs, lambda heads: not_an_output(runs, heads, undecided), undecided)

    def prove(self, prover: "Prover", claim: s.Claim, question: s.CompleteFor) -> "Theorem":
        """By an oracle that leads to every graph of the class."""
        from arcproof.properties.proving.methods.completeness import complete

        return complete(prover, claim, prover.system.class_with_parameters(question.graphs))


PROPERTIES: Final = (CompleteProperty(),)
