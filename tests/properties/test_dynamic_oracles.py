"""Dynamic oracles: what they cost, for one gold graph and for many, and what is found wrong with them."""

import numpy as np
import pytest

from arcproof.generators.enumeration import all_graphs
from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.golds import Golds, truths
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.losses import losses_for_class
from arcproof.properties.engines.prices import Prices
from arcproof.properties.evidence import Counterexample
from arcproof.properties.examine import check_claim
from arcproof.properties.finding import Finding
from arcproof.properties.studies.derivation import default_class
from arcproof.transitions import syntax as s
from arcproof.transitions.execute import Situation, holds
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import graph_of
from arcproof.transitions.library import source_of
from arcproof.transitions.printing.notation import claim_text
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.reading.read import read_figure
from arcproof.transitions.system import System, load
from tests.priceless import EAGER, HYBRID, without_costs

CLASS = s.GraphClass((s.Restriction("projective"),), "trees")
TREES = s.GraphClass((), "trees")


def with_costs(name: str, costs: str, claims: str = "") -> str:
    """A built-in figure with a dynamic oracle and claims about it, and no other claims."""
    text = without_costs(name)
    return f"{text[: text.index('  claims')]}  dynamic published{costs}\n  claims\n{claims or '    terminates'}\n"


def finding(name: str, costs: str, claim: str, words: int) -> Finding:
    """What is found out about one claim."""
    system = load(with_costs(name, costs, f"    {claim}"))
    return check_claim(Levels(system, words), system.figure.claims[0])


def counterexample(name: str, costs: str, claim: str, words: int) -> Counterexample:
    """What refutes a claim."""
    found = finding(name, costs, claim, words)
    assert found.met is False
    assert found.counterexample is not None
    return found.counterexample


# --- reading and printing --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "costs"), [("arc-eager", EAGER), ("arc-hybrid", HYBRID)])
def test_what_is_printed_reads_as_the_same_figure(name: str, costs: str) -> None:
    figure = read_figure(
        with_costs(name, costs, "    exact published on projective trees\n    arc-decomposable on trees")
    )

    assert read_figure(to_source(figure)) == figure


# --- costs for many gold graphs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "costs"), [("arc-eager", EAGER), ("arc-hybrid", HYBRID)])
def test_costs_for_many_gold_graphs_are_those_for_each(name: str, costs: str) -> None:
    system = load(with_costs(name, costs))
    oracle = system.dynamic_oracle()
    for found in losses_for_class(explore(system, 3), TREES):
        prices = Prices(found, Golds(found.heads), oracle)
        for number in prices.configurations():
            for one in prices.of(number):
                c, transition = found.space.configuration(number), found.space.transition(one.edge)
                said = [system.cost(c, transition, gold, oracle) for gold in prices.golds.golds]
                assert one.said is not None
                assert one.said.tolist() == said


CONDITIONS = (
    "gold i -> j",
    "complete(i)",
    "i <G j",
    "not gold i -> j",
    "gold i -> j and head(j)",
    "gold i -> j or complete(j)",
    "exists k in β: gold k -> i",
    "all k in σ: gold k -> j",
    "mpc(i) != mpc(j)",
    "i < j",
    "i ->* j",
)


@pytest.mark.parametrize("text", CONDITIONS)
def test_conditions_for_many_gold_graphs_are_those_for_each(text: str) -> None:
    system = load(source_of("arc-eager").replace("if gold j -l-> i", f"if gold j -l-> i, {text}", 1))
    condition = system.figure.oracles[0].lines[0].conditions[-1]
    heads = list(all_graphs(s.GraphClass((), "forests"), 3))
    golds = Golds(np.array([[0 if head is None else head + 1 for head in one] for one in heads]))
    for c in explore(system, 3).configurations:
        stack, buffer = c.values
        assert isinstance(stack, tuple)
        assert isinstance(buffer, tuple)
        if stack and buffer:
            names = {"σ": stack[:-1], "i": stack[-1], "j": buffer[0], "β": buffer[1:]}
            asked = [Situation(c, names, {}, Gold(graph_of(one))) for one in heads]
            assert truths(condition, asked[0], golds).tolist() == [holds(condition, one) for one in asked]


# --- claims ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "costs"), [("arc-eager", EAGER), ("arc-hybrid", HYBRID)])
@pytest.mark.parametrize("claim", ["exact published on", "safe published on", "never stuck published on"])
def test_the_published_costs_are_exact_on_projective_trees(name: str, costs: str, claim: str) -> None:
    assert finding(name, costs, f"{claim} projective trees", 4).met


@pytest.mark.parametrize(
    ("name", "costs", "slip", "instead"),
    [
        ("arc-eager", EAGER, ", no head(k)}\n    cost REDUCE", "}\n    cost REDUCE"),
        ("arc-eager", EAGER, "#{k in σ: gold b -> k, no head(k)}", "#{k in σ: gold b -> k}"),
        ("arc-eager", EAGER, "k in σ|s: gold b", "k in σ: gold b"),
        ("arc-eager", EAGER, "k in b|β: gold s", "k in β: gold s"),
        ("arc-eager", EAGER, "[gold head(b) in σ or gold head(b) in β]", "[gold head(b) in σ]"),
        ("arc-eager", EAGER, "#{k in β: gold s -> k}\n", "#{k in β: gold s -> k} + 1\n"),
        ("arc-hybrid", HYBRID, "k in σ|s: gold b", "k in σ: gold b"),
        ("arc-hybrid", HYBRID, "gold t -> s or ", ""),
        ("arc-hybrid", HYBRID, "[gold head(b) in σ]", "[gold head(b) in σ|s]"),
    ],
)
def test_a_slip_in_a_formula_is_refuted_with_the_smallest_situation(
    name: str, costs: str, slip: str, instead: str
) -> None:
    assert costs.count(slip) == 1
    found = counterexample(name, costs.replace(slip, instead), "exact published on projective trees", 4)

    assert found.words == smallest(load(with_costs(name, costs.replace(slip, instead))))
    assert "says" in found.reason
    assert "costs" in found.reason


def smallest(system: System) -> int:
    """The fewest words with which the interpreter finds a cost wrong."""
    return smallest_among(system, CLASS)


def smallest_among(system: System, graphs: s.GraphClass) -> int:
    """The same for another class of gold graphs."""
    oracle = system.dynamic_oracle()
    for words in range(1, 5):
        space = explore(system, words)
        for found in losses_for_class(space, graphs):
            golds = Golds(found.heads).golds
            for edge in range(len(space.steps.targets)):
                source = int(np.searchsorted(space.steps.starts, edge, side="right")) - 1
                c, transition = space.configuration(source), space.transition(edge)
                said = [system.cost(c, transition, gold, oracle) for gold in golds]
                if said != found.costs(edge).tolist():
                    return words
    raise AssertionError


def test_a_transition_without_a_price_is_a_fault() -> None:
    """The line for SHIFT speaks of two buffer words; with one there is none."""
    costs = EAGER.replace(
        "cost SHIFT      σ, b|β    = [gold head(b) in σ]", "cost SHIFT      σ, b|_|β    = [gold head(b) in σ]"
    )
    found = counterexample("arc-eager", costs, "safe published on projective trees", 3)

    assert "no line gives the cost of SHIFT" in found.reason


def test_an_oracle_that_never_calls_anything_free_is_stuck() -> None:
    costs = EAGER.replace("= ", "= 1 + ")
    found = counterexample("arc-eager", costs, "never stuck published on projective trees", 3)

    assert "nothing is free" in found.reason
    assert found.words == 1


def test_what_is_called_free_and_is_not_is_unsafe_with_a_better_ending() -> None:
    """With the ending, the run loses less than after the transition that is called free."""
    costs = EAGER.replace(" + [gold head(s) in β]", "")
    found = counterexample("arc-eager", costs, "safe published on projective trees", 4)
    system = load("arc-eager")

    assert found.graph is not None
    assert found.transitions is not None
    assert found.other is not None
    c = system.start(found.words)
    for transition in found.other:
        c = system.apply(c, transition)
    assert system.is_terminal(c)
    assert len(c.arcs - found.graph.arcs) == 0


@pytest.mark.parametrize(
    ("name", "graphs", "met"),
    [
        ("arc-eager", "projective trees", True),
        ("arc-hybrid", "projective trees", True),
        ("arc-standard", "projective trees", False),
        ("arc-standard-stack", "projective trees", False),
        ("arc-eager", "trees", False),
        ("list-nonprojective", "trees", False),
    ],
)
def test_arc_decomposability_is_as_the_literature_says(name: str, graphs: str, met: bool) -> None:
    """Goldberg & Nivre 2013 prove it for arc-eager and arc-hybrid and note that arc-standard is not."""
    system = load(name)
    figure_text = without_costs(name)
    system = load(f"{figure_text[: figure_text.index('  claims')]}  claims\n    arc-decomposable on {graphs}\n")
    found = check_claim(Levels(system, 4), system.figure.claims[0])

    assert found.met is met
    assert claim_text(system.figure.claims[0]) == f"arc-decomposable on {graphs}"


TWO_HEADS = """system two-heads
  state stack σ, buffer β, flag f
  start [0], [1..n], false
  final β = []

  SHIFT     σ, i|β, f        =>  σ|i, β, f
  ATTACH    σ|i, j|β, false  =>  σ|i, j|β, false    add i -> j  if no head(j)
  AGAIN     σ, j|k|β, false  =>  σ, j|k|β, true     add k -> j  if head(j)

  oracle none

  dynamic slow
    cost SHIFT   _, _, true   = 1
    cost SHIFT   _, _, false  = 0
    cost ATTACH  _, _, _      = 1
    cost AGAIN   _, _, _      = 1

  claims
    never stuck slow on trees
    arc-decomposable on trees
"""


@pytest.mark.parametrize("place", [0, 1])
def test_where_a_word_can_get_two_heads_there_is_no_answer(place: int) -> None:
    """After AGAIN every run ends, with two heads for a word, and the oracle calls nothing free."""
    system = load(TWO_HEADS)

    assert check_claim(Levels(system, 1), system.figure.claims[place]).met
    assert check_claim(Levels(system, 2), system.figure.claims[place]).met is None


ENDS_WITHOUT_WORDS = """system ends-without-words
  state stack σ, buffer β
  start [0], [1..n]
  final σ = [], β = []

  POP  σ|i, []  =>  σ, []

  oracle none

  dynamic free
    cost POP  = 0

  claims
    exact free on trees
    arc-decomposable on trees
"""


@pytest.mark.parametrize("place", [0, 1])
def test_what_holds_without_words_alone_holds_of_nothing(place: int) -> None:
    system = load(ENDS_WITHOUT_WORDS)

    assert check_claim(Levels(system, 2), system.figure.claims[place]).met is None


# --- what is said of limits, classes and oracles ---------------------------------------------------------------------


def test_the_class_is_that_of_the_first_claim_about_a_dynamic_oracle() -> None:
    claims = "    complete projective forests\n    exact published on trees"

    assert default_class(load(with_costs("arc-eager", EAGER, claims))) == TREES
    assert default_class(load(with_costs("arc-eager", EAGER, "    complete projective forests"))) == CLASS
