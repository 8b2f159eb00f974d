"""The claims of the built-in systems, attacked by Hypothesis: random graphs of a class, and runs that `target` drives
to be long, deep and full of arcs.
"""

from collections import Counter
from fractions import Fraction

import pytest
from arcproof.generators.drawn_run import DrawnRun
from arcproof.generators.graph_classes import contains_graph
from arcproof.generators.strategies import graphs_of, runs, trees
from arcproof.properties.engines.outputs import as_class_sees
from arcproof.transitions import syntax as s
from arcproof.transitions.bounds import Bound
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.execute import compare
from arcproof.transitions.graph import Graph, graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.system import System, load
from hypothesis import find, given, settings, target

from tests.properties.test_claims import changed

Run = DrawnRun[Configuration, Transition]
WORDS = 7


def drive(run: Run) -> None:
    """Towards long runs, deep stacks and many arcs."""
    target(float(len(run.transitions)), label="transitions")
    target(max(float(len(v)) for c in run.configurations for v in c.values if isinstance(v, tuple)), label="depth")
    target(float(len(run.last.arcs)), label="arcs")


def faults(system: System, run: Run) -> list[s.Statement]:
    """The claims about single runs that a run contradicts."""
    return [c.statement for c in system.figure.claims if c.kind == "plain" and contradicts(system, run, c.statement)]


def contradicts(system: System, run: Run, claim: s.Statement) -> bool:
    if run.end != "terminal":
        return False
    names = Counter(transition.name for transition in run.transitions)
    match claim:
        case s.Sound(graphs):
            bounded = system.class_with_parameters(graphs)
            return not contains_graph(bounded, as_class_sees(system, bounded, run.last.graph))
        case s.LengthBound(relation, term) | s.CountBound(_, relation, term):
            bound = Bound.of(term, system)
            right = bound.at(run.words) + sum((bound.counts[n] * names[n] for n in bound.counts), Fraction(0))
            left = names[claim.transition] if isinstance(claim, s.CountBound) else len(run.transitions)
            return not compare(left, relation, right)
    return False


@pytest.mark.long
@pytest.mark.parametrize("name", system_names())
def test_no_run_contradicts_the_claims(name: str) -> None:
    system = load(name)

    @settings(max_examples=12)
    @given(runs(system, max_words=WORDS))
    def attack(run: Run) -> None:
        drive(run)
        assert faults(system, run) == []

    attack()


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "change", "claim"),
    [
        ("arc-eager", (", no head(i)", ""), s.Sound),
        ("arc-standard", ("if i != 0", "if i = i"), s.Sound),
        ("swap", ("length = 2n + 2 #SWAP", "length = 2n + #SWAP"), s.LengthBound),
        ("swap", ("#SWAP <= n(n - 1)/2", "#SWAP <= n - 2"), s.CountBound),
    ],
)
def test_a_run_contradicts_a_broken_figure(name: str, change: tuple[str, str], claim: type[s.Statement]) -> None:
    system = changed(name, change)
    found = find(
        runs(system, max_words=4),
        lambda run: any(isinstance(fault, claim) for fault in faults(system, run)),
        settings=settings(max_examples=2000),
    )
    assert faults(system, found)


@pytest.mark.long
@pytest.mark.parametrize("name", system_names())
def test_the_oracle_leads_to_graphs_of_the_class(name: str) -> None:
    system = load(name)
    for claim in system.figure.claims:
        if claim.kind != "plain" or not isinstance(claim.statement, s.CompleteFor) or not system.figure.oracles:
            continue

        @settings(max_examples=12)
        @given(graphs_of(system.class_with_parameters(claim.statement.graphs), max_words=WORDS))
        def derive(gold: Graph) -> None:
            derivation = system.derive(gold)
            target(float(len(derivation.transitions)))
            assert derivation.graph.arcs == system.wanted(gold).arcs

        derive()


@given(trees(max_words=WORDS))
def test_swap_takes_two_transitions_per_word_and_two_per_swap(heads: tuple[int | None, ...]) -> None:
    taken = Counter(transition.name for transition in load("swap").derive(graph_of(heads)).transitions)
    target(float(taken["SWAP"]))
    assert taken.total() == 2 * len(heads) + 2 * taken["SWAP"]
