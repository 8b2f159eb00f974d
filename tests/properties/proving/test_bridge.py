"""The symbolic meaning says what the interpreter says; a wrong encoding is noticed."""

from dataclasses import replace
from pathlib import Path

import pytest

from arcproof.generators.enumeration import all_graphs
from arcproof.generators.graph_classes import contains_graph
from arcproof.properties.engines.exploration import explore
from arcproof.properties.proving import prover as prover_module
from arcproof.properties.proving.arguments import WrongMeaning
from arcproof.properties.proving.goals.completeness import goals
from arcproof.properties.proving.goals.soundness import class_conditions
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.library.gold import gold_graphs
from arcproof.properties.proving.meaning.bridge import Bridge, first_difference, first_oracle_difference
from arcproof.properties.proving.meaning.model import domain, gold_model, model_of
from arcproof.properties.proving.meaning.small_configurations import graphs as small_graphs
from arcproof.properties.proving.meaning.small_configurations import graphs_with_several_heads
from arcproof.properties.proving.meaning.state import Unsupported, Whereabouts
from arcproof.properties.proving.meaning.steps import forgets
from arcproof.properties.proving.meaning.symbolic import Meanings, meanings_of
from arcproof.properties.proving.prove import prove
from arcproof.properties.proving.trusted.witness import lengths_of
from arcproof.transitions.configuration import Configuration, Value
from arcproof.transitions.graph import Graph, graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.plan import Match
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.syntax import GraphClass, Number, Restriction
from arcproof.transitions.system import System, load
from tests.catalogue import REMOVING, SHARED
from tests.conftest import ROOT
from tests.graph_figures import CONSTRUCTS
from tests.graph_figures import FIGURES as GRAPH_FIGURES

COUNTING = """
system counting
  state   stack σ, buffer β, counter k
  start   [0], [1..n], 0
  final   β = []

  SHIFT   σ, i|β, k  =>  σ|i, β, k
  TICK    σ, β, k    =>  σ, β, k + 1

  oracle o
    TICK   if k < 3
    SHIFT

  claims
    complete forests
"""
SINGLE_ROOT = load("arc-standard-stack").text.replace("add i -l-> j", "add i -l-> j  if i != 0 or no dependent(0)")
ROOTS = (ROOT / "tests" / "machine" / "roots.tsys").read_text(encoding="utf-8")
SYSTEMS = [*system_names(), "covington[d=0]", "covington[d=1]", "attardi[d=3]"]


@pytest.mark.long
@pytest.mark.parametrize("name", SYSTEMS)
def test_the_symbolic_meaning_agrees_with_the_interpreter(name: str) -> None:
    """In every configuration that runs of up to two words reach, in many that runs of three reach, and in others."""
    meanings = meanings_of(load(name))
    assert first_difference(meanings, 2, reached=10**6, elsewhere=50) is None
    assert first_difference(meanings, 3, reached=50, elsewhere=100) is None


def test_whether_a_node_has_a_dependent_means_the_same_in_symbols() -> None:
    assert first_difference(meanings_of(load(SINGLE_ROOT)), 3, reached=10**6, elsewhere=400) is None


def test_the_root_in_a_pattern_means_the_same_in_symbols() -> None:
    system = load(ROOTS)
    meanings = meanings_of(system)
    assert first_difference(meanings, 3, reached=10**6, elsewhere=400) is None
    bridge = Bridge(meanings)
    golds = list(gold_graphs(system, GraphClass((), "forests"), 2))
    for c in explore(system, 2).configurations:
        for gold in golds:
            assert bridge.oracle_difference(system.figure.oracles[0], c, gold) is None


def test_the_bridge_notices_a_root_that_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Match, "roots", ())
    assert first_difference(meanings_of(load(ROOTS)), 3, reached=10**6, elsewhere=400) is not None


@pytest.mark.nightly
@pytest.mark.parametrize("name", SYSTEMS)
def test_the_symbolic_meaning_agrees_with_the_interpreter_with_four_words(name: str) -> None:
    assert first_difference(meanings_of(load(name)), 4, reached=4_000, elsewhere=5_000) is None


@pytest.mark.long
@pytest.mark.parametrize("name", SYSTEMS)
def test_the_symbolic_oracles_ask_for_the_same_transitions(name: str) -> None:
    system = load(name)
    bridge = Bridge(meanings_of(system))
    golds = list(gold_graphs(system, GraphClass((), "forests"), 2))
    for oracle in system.figure.oracles:
        try:
            for c in explore(system, 2).configurations:
                for gold in golds:
                    assert bridge.oracle_difference(oracle, c, gold) is None
        except Unsupported:
            assert (system.name, oracle.name) in {("swap", "lazy"), ("mh", "greedy")}


@pytest.mark.long
@pytest.mark.parametrize("name", REMOVING)
def test_what_is_left_open_where_arcs_are_removed_includes_what_happens(name: str) -> None:
    """Arcs and heads are exact; of reachability what happens is one possibility."""
    meanings = meanings_of(load(name))
    assert any(map(forgets, meanings.steps))
    assert first_difference(meanings, 3, reached=200, elsewhere=300) is None


def test_the_bridge_notices_a_pair_that_is_said_to_be_cut_although_it_is_not() -> None:
    """If nothing were left open, nodes would be cut off that other arcs still reach."""
    meanings = meanings_of(load("nonmonotonic-2013"))
    (step,) = [step for step in meanings.steps if forgets(step)]
    never = replace(step.after, reaches=lambda x, y: t.conjunction(step.after.reaches(x, y), meanings.before.headed(x)))
    steps = tuple(replace(step, after=never) if one is step else one for one in meanings.steps)

    assert "reaches" in (first_difference(replace(meanings, steps=steps), 3) or "")


@pytest.mark.long
def test_what_is_known_of_forests_is_false_of_other_graphs() -> None:
    """Without its condition, that there are no cycles and no two heads, the bridge finds where it is wrong."""
    meanings = meanings_of(load("nonmonotonic-2013"))
    (step,) = [step for step in meanings.steps if forgets(step)]
    what, fact = step.facts[0]
    assert isinstance(fact, t.Operation)
    unconditionally = replace(step, facts=((what, fact.arguments[-1]),))
    steps = tuple(unconditionally if one is step else one for one in meanings.steps)

    assert "which is false" in (first_difference(replace(meanings, steps=steps), 3, elsewhere=1_000) or "")
    assert first_difference(meanings, 3, elsewhere=1_000) is None


@pytest.mark.parametrize("name", SHARED)
def test_each_sequence_has_its_own_places_where_nodes_are_shared(name: str) -> None:
    meanings = meanings_of(load(name))

    assert meanings.before.apart
    assert first_difference(meanings, 3) is None


@pytest.mark.parametrize("stale", ["inside", "position"])
def test_the_bridge_notices_stale_places_of_one_sequence(stale: str) -> None:
    meanings = meanings_of(load("two-planar"))

    def old(name: str, new: Whereabouts) -> Whereabouts:
        was = meanings.before.apart[name]
        return replace(new, inside=was.inside) if stale == "inside" else replace(new, position=was.position)

    steps = tuple(
        replace(step, after=replace(step.after, apart={name: old(name, new) for name, new in step.after.apart.items()}))
        for step in meanings.steps
    )
    assert f"{stale}_" in (first_difference(replace(meanings, steps=steps), 3) or "")


def test_the_bridge_notices_a_set_that_is_not_counted() -> None:
    meanings = meanings_of(load("nonmonotonic-2015"))
    steps = tuple(replace(step, after=replace(step.after, missing=meanings.before.missing)) for step in meanings.steps)

    assert first_difference(meanings, 3) is None
    assert "missing_S" in (first_difference(replace(meanings, steps=steps), 3) or "")


CLASSES = [
    GraphClass(tuple(map(Restriction, restrictions)), base)
    for restrictions in ((), ("projective",), ("planar",), ("single-root",))
    for base in ("forests", "trees")
    if (restrictions, base) != (("single-root",), "forests")
]


@pytest.mark.long
@pytest.mark.parametrize("graphs", CLASSES, ids=lambda graphs: class_text(graphs))
def test_the_conditions_of_a_class_are_those_of_its_definition(graphs: GraphClass) -> None:
    """Of every graph in which no word has two heads, cycles included, with up to three words, and of forests with
    four.
    """
    meanings = meanings_of(load("list-nonprojective"))
    conditions = [to_python(term) for _, term in class_conditions(meanings, graphs, meanings.before)]
    forests = [graph_of(heads).arcs for heads in all_graphs(GraphClass((), "forests"), 4)]
    for words, every in ((2, small_graphs(2)), (3, small_graphs(3)), (4, forests)):
        members = set(all_graphs(graphs, words))
        for arcs in every:
            if any(arc.dependent == 0 for arc in arcs):
                continue
            c = Configuration(words, *initial(words), arcs)
            heads = tuple(next((arc.head for arc in arcs if arc.dependent == d), None) for d in range(1, words + 1))
            model = model_of(meanings.system, c)
            assert all(holds(model, domain(words)) for holds in conditions) == (heads in members)


OF_GRAPHS = [
    GraphClass(restrictions, "graphs")
    for restrictions in (
        (), (Restriction("acyclic"),), (Restriction("connected"),), (Restriction("planar"), Restriction("acyclic")),
        (Restriction("heads", Number(1)),), (Restriction("single-root"),),
    )
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("graphs", OF_GRAPHS, ids=lambda graphs: class_text(graphs))
def test_the_conditions_of_a_class_of_graphs_are_those_of_its_definition(graphs: GraphClass) -> None:
    """Of every set of arcs with up to three words, loops and cycles included."""
    meanings = meanings_of(load("list-nonprojective"))
    conditions = [to_python(term) for _, term in class_conditions(meanings, graphs, meanings.before)]
    for words, step in ((1, 1), (2, 1), (3, 3)):
        for arcs in graphs_with_several_heads(words)[::step]:
            model = model_of(meanings.system, Configuration(words, *initial(words), arcs))
            expected = contains_graph(graphs, Graph(words, arcs))
            assert all(holds(model, domain(words)) for holds in conditions) == expected, arcs


@pytest.mark.long
@pytest.mark.parametrize("path", [*GRAPH_FIGURES, CONSTRUCTS], ids=lambda path: Path(path).stem)
def test_the_symbolic_meaning_agrees_with_the_interpreter_with_several_heads(path: str) -> None:
    meanings = meanings_of(load(path))
    assert first_difference(meanings, 2, reached=200, elsewhere=200) is None
    assert first_difference(meanings, 3, reached=50, elsewhere=100) is None


def initial(words: int) -> tuple[tuple[str, ...], tuple[Value, ...]]:
    """Names and values of a configuration of the list systems."""
    start = load("list-nonprojective").start(words)
    return start.names, start.values


@pytest.mark.parametrize("reference", ["arc-eager", "arc-swift", "attardi", "easy-first"])
def test_that_some_line_matches_does_not_depend_on_a_length_that_the_line_leaves_open(reference: str) -> None:
    """The goal was about one length, whichever it is, where the last line of the oracle has an open segment."""
    system = load(reference)
    meanings = meanings_of(system)
    for oracle in system.figure.oracles:
        goal = next(g for g in goals(meanings, oracle) if g.name == "some line of the oracle matches")
        matches = to_python(goal.term)
        for c in explore(system, 2).configurations:
            for gold in gold_graphs(system, GraphClass((), "forests"), 2):
                asked = system.predict(c, gold, oracle) is not None
                for lengths in lengths_of([goal.term], 2):
                    model = {**model_of(system, c), **gold_model(gold), **lengths}
                    assert matches(model, domain(2)) == asked, f"{c} with {gold.graph}"


def broken(system: System, how: str) -> Meanings:
    """A symbolic meaning with one mistake in its first transition."""
    meanings = meanings_of(system)
    first = meanings.steps[0]
    after = first.after
    wrong = {
        "a precondition is lost": replace(first, preconditions=first.preconditions[:-1]),
        "the arc is reversed": replace(first, after=replace(after, arc=lambda x, y: after.arc(y, x))),
        "reachability is not closed": replace(first, after=replace(after, reaches=meanings.before.reaches)),
        "the ghost of places is stale": replace(first, after=replace(after, place=meanings.before.place)),
        "headless words are not counted": replace(first, after=replace(after, headless=meanings.before.headless)),
        "a height is off by one": replace(
            first, after=replace(after, heights={k: t.add(h, 1) for k, h in after.heights.items()})
        ),
    }[how]
    return replace(meanings, steps=(wrong, *meanings.steps[1:]))


@pytest.mark.parametrize(
    "how",
    [
        "a precondition is lost",
        "the arc is reversed",
        "reachability is not closed",
        "the ghost of places is stale",
        "headless words are not counted",
        "a height is off by one",
    ],
)
def test_the_bridge_notices_a_wrong_encoding(how: str) -> None:
    assert first_difference(broken(load("arc-eager"), how)) is not None


FAR = """
system far
  parameter d = 3
  state   stack σ, buffer β
  start   [0], [1..n]
  final   β = []

  FAR(l)     σ|i|a|b|c, j|β  =>  σ|a|b|c, j|β    add j -l-> i    if i != 0
  NEAR(l)    σ|i, j|β        =>  σ, j|β          add j -l-> i    if i != 0, degree(i, j) <= d
  SHIFT      σ, i|β          =>  σ|i, β
"""


@pytest.mark.parametrize("name", ["FAR", "NEAR"])
def test_the_bridge_goes_as_far_as_patterns_and_numbers_ask_for(name: str) -> None:
    """With three words no configuration has five nodes, and no arc has a degree above 3."""
    meanings = meanings_of(load(FAR))
    step = next(step for step in meanings.steps if step.name == name)
    wrong = replace(step, added=()) if name == "FAR" else replace(step, preconditions=step.preconditions[:1])
    steps = tuple(wrong if one is step else one for one in meanings.steps)

    assert first_difference(meanings) is None
    assert first_difference(replace(meanings, steps=steps)) is not None


def test_the_bridge_notices_a_wrong_terminal_test(monkeypatch: pytest.MonkeyPatch) -> None:
    meanings = meanings_of(load("arc-eager"))
    height = meanings.before.heights["β"]
    monkeypatch.setattr(Meanings, "terminal", lambda _, __: (t.equal(height, 1),))

    assert "terminal" in (first_difference(meanings, 2) or "")


def test_the_bridge_notices_a_wrong_invariant() -> None:
    meanings = meanings_of(load(load("arc-eager").text.replace("  default", "  invariant |σ| > 0\n\n  default")))
    assert meanings.system.figure.invariants != ()
    assert first_difference(meanings, 2) is None
    wrong = replace(meanings, before=replace(meanings.before, heights={**meanings.before.heights, "σ": t.Integer(0)}))

    assert "invariant |σ| > 0 holds in" in (first_difference(wrong, 2) or "")


def test_the_bridge_looks_at_runs_where_configurations_are_too_many_to_explore() -> None:
    """A figure that counts without end, with an oracle whose lines are in another order for the symbolic meaning."""
    system = load(COUNTING)
    oracle = system.figure.oracles[0]
    meanings = meanings_of(system)
    golds = list(gold_graphs(system, GraphClass((), "forests"), 1))

    assert first_oracle_difference(meanings, oracle, golds) is None
    turned = replace(oracle, lines=oracle.lines[::-1])
    advice = meanings.advice(turned)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Meanings, "advice", lambda *_: advice)
        assert "the oracle o asks for" in (first_oracle_difference(meanings, oracle, golds) or "")


@pytest.mark.long
@pytest.mark.parametrize("how", ["the arc is reversed", "a height is off by one"])
def test_the_prover_refuses_a_wrong_encoding_of_the_figure_at_hand(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = broken(load("arc-eager"), how)
    monkeypatch.setattr(prover_module, "meanings_of", lambda _: wrong)

    with pytest.raises(WrongMeaning):
        prove(load("arc-eager"))


def test_the_bridge_notices_an_oracle_that_asks_for_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The symbolic oracle in another order, without a line, or with less in its conditions."""
    system = load("arc-eager")
    oracle = system.figure.oracles[0]
    meanings = meanings_of(system)
    golds = list(gold_graphs(system, GraphClass((), "forests"), 2))
    assert first_oracle_difference(meanings, oracle, golds) is None
    real = meanings.advice(oracle)
    wrong = {
        "turned": meanings.advice(replace(oracle, lines=(*oracle.lines[2:], *oracle.lines[:2]))),
        "shorter": meanings.advice(replace(oracle, lines=oracle.lines[1:])),
        "always": [replace(real[0], conditions=()), *real[1:]],
    }
    for how, advice in wrong.items():
        monkeypatch.setattr(Meanings, "advice", lambda *_, advice=advice: advice)
        assert "the oracle reduce-late asks for" in (first_oracle_difference(meanings, oracle, golds) or ""), how
