"""What refutes one figure, and whether it refutes another as well: a run is replayed, a graph is derived again.

No configurations are explored for that.  The *behaviour* of a figure is what it does with a few words: its
configurations, the transitions between them, the runs of its oracles.
"""

from collections.abc import Hashable, Iterable
from typing import Final

from arcproof.generators.drawn_run import DrawnRun, End
from arcproof.generators.graph_enumeration import all_graphs_of
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.checks.oracle_correct import LeadsTo
from arcproof.properties.engines.engine import default_engine
from arcproof.properties.engines.exploration import StateSpace, explore
from arcproof.properties.engines.own_labels import derived_with_labels
from arcproof.properties.engines.policies import AnyRun
from arcproof.properties.engines.shortest_derivation import ArcsAreRemoved
from arcproof.properties.engines.shortest_run import shortest_run
from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.properties.evidence import Counterexample
from arcproof.properties.property import Question, asked_of, property_of
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.errors import BadGraph, NotDerivable, NotPermissible
from arcproof.transitions.graph import Graph
from arcproof.transitions.system import System

FEW_WORDS: Final = 3
MOST_SEARCHED: Final = 2_000
MOST_CONFIGURATIONS: Final = {1: 200, 2: 600, 3: 4_000}
"""More than any sensible figure needs; the exploration of a figure that grows beyond this is abandoned."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A question that a figure fails, and the counterexample that shows it."""

    question: Question
    counterexample: Counterexample


def shows_again(system: System, fault: Fault) -> bool:
    """Whether a counterexample to one figure refutes another too, without exploring anything; False if that does not
    settle it.
    """
    question, found = fault.question, fault.counterexample
    asked = asked_of(question)
    if isinstance(asked, LeadsTo):
        return found.graph is not None and not derives(system, asked.oracle, found)
    if isinstance(question, s.Claim) and question.kind != "plain":
        return False
    if isinstance(asked, s.CompleteFor) and found.graph is not None:
        return not _is_output(system, found)
    check = property_of(asked).run_check(system, asked)
    run = None if check is None or found.transitions is None else run_of(system, found.words, found.transitions)
    return check is not None and run is not None and check(run) is not None


def _is_output(system: System, found: Counterexample) -> bool:
    """Whether a graph is an output: for a long sentence, whether an oracle leads to it, which needs no search;
    otherwise as far as a search can tell.
    """
    assert found.graph is not None
    if found.words > FEW_WORDS and system.figure.oracles:
        return any(derives(system, oracle.name, found) for oracle in system.figure.oracles)
    try:
        return shortest_run(system, found.graph, MOST_SEARCHED, default_engine()) is not None
    except (ArcsAreRemoved, OutOfBounds):
        return True


def derives(system: System, oracle: str, found: Counterexample) -> bool:
    """Whether an oracle leads to the graph of a counterexample."""
    assert found.graph is not None
    try:
        system.derive(found.graph, oracle)
    except (NotDerivable, BadGraph):
        return False
    return True


def run_of(
    system: System, words: int, transitions: tuple[Transition, ...], past_terminal: bool = False
) -> AnyRun | None:
    """The run in another figure, by the interpreter; None if it is not a run there, or continues past its end."""
    configurations: list[Configuration] = [system.start(words)]
    for transition in transitions:
        if system.is_terminal(configurations[-1]) and not past_terminal:
            return None
        try:
            configurations.append(system.apply(configurations[-1], transition))
        except NotPermissible:
            return None
    last = configurations[-1]
    end: End = "terminal" if system.is_terminal(last) else "cut off" if system.permissible(last) else "dead end"
    return DrawnRun(words, tuple(configurations), transitions, end)


# --- behaviour -------------------------------------------------------------------------------------------------------


def behaviour(system: System, questions: Iterable[Question], words: int) -> Hashable:
    """What figures share that have the same configurations, transitions and oracle runs up to this many words.

    The levels of a figure that grows beyond `MOST_CONFIGURATIONS` are compared as far as they stay within it: only
    figures with other oracles and the same runs come so far.
    """
    spaces = []
    for n in range(1, words + 1):
        try:
            spaces.append(_steps(explore(system, n, limit=MOST_CONFIGURATIONS[min(n, FEW_WORDS)])))
        except OutOfBounds:
            break
    return tuple(spaces), oracle_runs(system, questions, words)


def oracle_runs(system: System, questions: Iterable[Question], words: int) -> Hashable:
    """The runs of the oracles that are asked about, up to this many words."""
    asked = [question for question in questions if isinstance(question, LeadsTo)]
    classes = [(question.oracle, system.class_with_parameters(question.graphs)) for question in asked]
    return tuple(
        _oracle_run(system, oracle, gold)
        for oracle, graphs in classes
        for n in range(1, words + 1)
        for gold in all_graphs_of(graphs, n)
    )


def _oracle_run(system: System, oracle: str, gold: Graph) -> Hashable:
    try:
        return derived_with_labels(system, gold, oracle).transitions
    except NotDerivable as failure:
        return failure.missing, failure.wrong
    except BadGraph:
        return None


def _steps(space: StateSpace) -> Hashable:
    known = [(c.values, c.arcs) for c in space.configurations]
    steps = frozenset((known[edge.source], edge.transition, known[edge.target]) for edge in space.all_edges())
    return frozenset(zip(known, space.terminal, strict=True)), steps
