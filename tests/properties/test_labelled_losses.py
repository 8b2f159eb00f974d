"""Labelled losses: the arithmetic of `labels` and the search are what trying all labels gives."""

from functools import cache
from itertools import product

import pytest

from arcproof.generators.enumeration import all_graphs
from arcproof.properties.engines.defined_costs import SAME
from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.golds import Golds
from arcproof.properties.engines.labels import labels_freely, unlabelled
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.losses import losses_for_class
from arcproof.properties.engines.nearest_output import Aim
from arcproof.properties.engines.prices import Prices
from arcproof.properties.examine import check_claim
from arcproof.properties.finding import Finding
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.graph import Arc, Graph, Heads, graph_of
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System, load
from tests.catalogue import REMOVING, each, fewer
from tests.properties.test_dynamic_oracles import EAGER, HYBRID, with_costs
from tests.single_heads import SINGLE_HEADED

TREES = GraphClass((), "trees")
LABELS = ("A", "B")
FREE = [name for name in SINGLE_HEADED if labels_freely(load(name).figure)]
TWO_ARCS = """system two-arcs
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT    σ, j|β      =>  σ|j, β
  BOTH(l)  σ|i, j|k|β  =>  σ|i, β    add i -l-> j add i -l-> k
"""
REMOVES = """system removes
  state stack σ, buffer β, flag f
  start [0], [1..n], false
  final β = []

  SHIFT     σ, j|β, f        =>  σ|j, β, f
  ARC(l)    σ|i, j|β, f      =>  σ|i, j|β, f       add i -l-> j   if no head(j)
  AGAIN     σ, j|β, false    =>  σ, j|β, true      remove * -> j  if head(j)
"""


def mislabelled(c: Configuration, gold: Graph) -> int:
    """The number of words that have their gold head but another label."""
    wanted = {(arc.head, arc.dependent): arc.label for arc in gold.arcs}
    ends = {(arc.head, arc.dependent): arc.label for arc in c.arcs}
    return sum(end in wanted and label != wanted[end] for end, label in ends.items())


def labelled_space(system: System, words: int) -> dict[Configuration, list[Configuration]]:
    """Every configuration with every label of two, and where its transitions lead; ends lead nowhere."""
    found: dict[Configuration, list[Configuration]] = {}
    todo = [system.start(words)]
    while todo:
        c = todo.pop()
        if c in found:
            continue
        found[c] = []
        for transition in () if system.is_terminal(c) else system.permissible(c):
            labels = LABELS if system.takes_label(c, transition) else (None,)
            found[c] += [system.apply(c, transition._replace(label=label)) for label in labels]
        todo += found[c]
    return found


def outputs_of(system: System, space: dict[Configuration, list[Configuration]]) -> dict[Configuration, set[Graph]]:
    """The outputs in which every word has one head, by the configuration from which they are reached."""
    found = {c: {c.graph} if system.is_terminal(c) and c.graph.heads_or_none is not None else set() for c in space}
    changed = True
    while changed:
        changed = False
        for c, after in reversed(space.items()):
            more = set().union(*(found[other] for other in after)) - found[c] if after else set()
            found[c] |= more
            changed = changed or bool(more)
    return found


@cache
def labelled_loss(output: Graph, gold: Graph) -> int:
    """How many words have another head or another label."""
    one, other = ({arc.dependent: arc for arc in graph.arcs} for graph in (output, gold))
    return sum(one.get(word) != other.get(word) for word in range(1, gold.words + 1))


def golds(words: int) -> list[Graph]:
    """Every tree with all labels; with three words, all labels in turn."""
    ways = list(product(LABELS, repeat=words))
    graphs = list(all_graphs(TREES, words))
    if words < 3:
        return [graph_of(heads, way) for heads in graphs for way in ways]
    return [graph_of(heads, ways[k % len(ways)]) for k, heads in enumerate(graphs)]


def brute_force(system: System, words: int) -> list[tuple[Configuration, Graph, int | None]]:
    """The labelled loss of every configuration, by trying all runs with both labels."""
    outputs = outputs_of(system, labelled_space(system, words))
    return [
        (c, gold, min((labelled_loss(output, system.wanted(gold)) for output in reached), default=None))
        for c, reached in outputs.items()
        for gold in golds(words)
    ]


def test_labels_are_free_where_no_arc_is_removed() -> None:
    assert set(SINGLE_HEADED) - set(FREE) == set(REMOVING)


@pytest.mark.long
@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize("name", each(FREE))
def test_a_labelled_loss_is_the_loss_and_the_arcs_that_are_mislabelled(name: str, words: int) -> None:
    system = load(name)
    words = min(words, fewer(name, 4))
    losses: dict[tuple[Configuration, Heads], int] = {}
    space = explore(system, words)
    for found in losses_for_class(space, TREES):
        rows = Golds(found.heads)
        for place, number in product(range(len(found.golds)), range(space.size)):
            losses[space.configuration(number), rows.heads(place)] = int(found.table[number, place])

    for c, gold, wanted in brute_force(system, words):
        loss = losses[unlabelled(c), system.wanted(gold).heads]
        assert wanted == loss + mislabelled(c, gold), (c, gold)


@pytest.mark.long
@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("name", [*each(SINGLE_HEADED), TWO_ARCS, REMOVES], ids=lambda name: name.split("\n")[0])
def test_a_search_finds_the_labelled_loss(name: str, words: int) -> None:
    """Also of figures whose labels cannot be chosen freely."""
    system = load(name)
    for c, gold, wanted in brute_force(system, words):
        found = Aim(system, gold, labelled=True).nearest(c)

        assert found.complete
        assert found.loss == wanted, (c, gold)


@pytest.mark.parametrize("text", [TWO_ARCS, REMOVES])
def test_where_labels_are_not_free_the_sum_can_be_wrong(text: str) -> None:
    system = load(text)
    sums = [
        wanted == (Aim(system, gold).nearest(c).loss or 0) + mislabelled(c, gold)
        for c, gold, wanted in brute_force(system, 2)
        if wanted is not None
    ]

    assert not labels_freely(system.figure)
    assert not all(sums)


# --- labels in costs -------------------------------------------------------------------------------------------------


def labelled_costs(costs: str, *names: str) -> str:
    """A formula, with what a wrong label costs for transitions that add an arc from the second node to the first."""
    lines = []
    for line in costs.splitlines():
        for name, arc in (one.split(":") for one in names):
            if line.startswith(f"    cost {name} "):
                head, dependent = arc.split(">")
                line = line.replace(f"cost {name}", f"cost {name}(l)")
                line += f" + [gold {head} -> {dependent}, not gold {head} -l-> {dependent}]"
        lines.append(line)
    return "\n".join(lines) + "\n"


EAGER_LABELLED = labelled_costs(EAGER, "LEFT-ARC:b>s", "RIGHT-ARC:s>b")
HYBRID_LABELLED = labelled_costs(HYBRID, "LEFT-ARC:b>s", "RIGHT-ARC:t>s")


def finding(name: str, costs: str, claim: str, words: int) -> Finding:
    system = load(with_costs(name, costs, f"    {claim}"))
    return check_claim(Levels(system, words), system.figure.claims[0])


@pytest.mark.parametrize(("name", "costs"), [("arc-eager", EAGER_LABELLED), ("arc-hybrid", HYBRID_LABELLED)])
@pytest.mark.parametrize("claim", ["exact", "safe", "never stuck"])
def test_costs_with_labels_are_exact(name: str, costs: str, claim: str) -> None:
    assert finding(name, costs, f"{claim} published on projective trees", 4).met


@pytest.mark.parametrize(
    ("slip", "instead"),
    [
        ("[gold b -> s, not gold b -l-> s]", "[not gold b -l-> s]"),
        ("[gold b -> s, not gold b -l-> s]", "[gold b -l-> s]"),
        ("[gold s -> b, not gold s -l-> b]", "[gold s -> b, not gold s -l-> b] + #{k in β: gold s -l-> k}"),
    ],
)
def test_a_slip_about_labels_is_refuted_and_the_labels_are_said(slip: str, instead: str) -> None:
    found = finding("arc-eager", EAGER_LABELLED.replace(slip, instead), "exact published on projective trees", 3)

    assert found.met is False
    assert found.counterexample is not None
    assert found.counterexample.graph is not None
    assert {arc.label for arc in found.counterexample.graph.arcs} <= {"l", "m"}
    assert "with the labels" in found.counterexample.reason
    assert "ARC(l); it costs" in found.counterexample.reason


def test_labels_that_do_not_count_are_not_free_where_they_do() -> None:
    """Only the line of LEFT-ARC has a label, so a wrong label of RIGHT-ARC counts and is not priced."""
    found = finding("arc-eager", labelled_costs(EAGER, "LEFT-ARC:b>s"), "exact published on projective trees", 3)

    assert found.counterexample is not None
    assert "RIGHT-ARC(l); it costs 1" in found.counterexample.reason


@pytest.mark.parametrize(("name", "costs"), [("arc-eager", EAGER_LABELLED), ("arc-hybrid", HYBRID_LABELLED)])
def test_labelled_costs_for_many_gold_graphs_are_those_for_each(name: str, costs: str) -> None:
    """Those that are said, by the interpreter; the true ones, by a search."""
    system = load(with_costs(name, costs))
    oracle = system.dynamic_oracle()
    for found in losses_for_class(explore(system, 2), TREES):
        prices = Prices(found, Golds(found.heads).with_labels(), oracle)
        for number in prices.configurations():
            c = found.space.configuration(number)
            for one in prices.of(number):
                transition = found.space.transition(one.edge)
                if system.takes_label(c, transition):
                    transition = transition._replace(label=SAME)
                assert one.said is not None
                assert one.true is not None
                for place, gold in enumerate(prices.golds.golds):
                    aim = Aim(system, gold.graph, labelled=True)
                    here = _with_gold_labels(c, gold.graph)
                    before, after = aim.nearest(here).loss, aim.nearest(system.apply(here, transition)).loss
                    assert before is not None
                    assert after is not None
                    assert one.said[place] == system.cost(c, transition, gold, oracle)
                    assert one.true[place] == after - before


def _with_gold_labels(c: Configuration, gold: Graph) -> Configuration:
    labels = {(arc.head, arc.dependent): arc.label for arc in gold.arcs}
    arcs = frozenset(Arc(arc.head, labels.get((arc.head, arc.dependent)), arc.dependent) for arc in c.arcs)
    return Configuration(c.words, c.names, c.values, arcs)


def test_a_figure_that_does_not_label_freely_gives_no_answer() -> None:
    costs = "  oracle none\n\n  dynamic free\n    cost SHIFT  = 0\n    cost BOTH(l)  σ|i, j|β = [not gold i -l-> j]\n"
    system = load(f"{TWO_ARCS}\n{costs}\n  claims\n    exact free on trees\n")
    found = check_claim(Levels(system, 2), system.figure.claims[0])

    assert found.met is None


def test_an_oracle_that_calls_nothing_free_if_two_words_have_different_labels_is_stuck() -> None:
    """RIGHT-ARC is called free only where its label is that of all gold dependents to the right as well."""
    slip, instead = "[gold s -> b, not gold s -l-> b]", "[exists k in b|β: gold s -> k and not gold s -l-> k]"
    found = finding("arc-eager", EAGER_LABELLED.replace(slip, instead), "never stuck published on projective trees", 3)

    assert found.counterexample is not None
    assert found.counterexample.words == 2
    assert "on the way to 0,0 with the labels a,b the oracle says that nothing is free" in found.counterexample.reason
