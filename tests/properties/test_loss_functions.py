"""Losses that are algorithms: for one gold graph and for many, exact where they are published, and refuted with a
slip.
"""

import random
from collections.abc import Callable, Mapping, Sequence

import pytest

from arcproof.generators.enumeration import unrank_projective_tree, unrank_tree
from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.golds import Golds
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.losses import losses_for_class
from arcproof.properties.engines.losses_said import losses_said
from arcproof.properties.engines.prices import Prices
from arcproof.properties.examine import check_claim
from arcproof.properties.finding import Finding
from arcproof.transitions import loss_functions as definitions
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import Heads, graph_of
from arcproof.transitions.loss_functions import LOSS_FUNCTIONS, LossFunction, Nodes, cycles_in, within_reach
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.reading.read import read_figure
from arcproof.transitions.system import System, load
from tests.priceless import without_costs
from tests.properties.test_dynamic_oracles import smallest_among

PROJECTIVE = s.GraphClass((s.Restriction("projective"),), "trees")
TREES = s.GraphClass((), "trees")
FORESTS = s.GraphClass((), "forests")
TABULAR = ("arc-standard-stack", "tabular(σ, β)", PROJECTIVE)
ARCWISE = ("list-nonprojective", "arcwise(λ1, β)", TREES)


def with_loss(name: str, loss: str, claims: str = "    terminates") -> System:
    """A built-in figure with a loss, and no other claims."""
    text = without_costs(name)
    return load(f"{text[: text.index('  claims')]}  dynamic published\n    loss {loss}\n\n  claims\n{claims}\n")


def finding(name: str, loss: str, claim: str, words: int) -> Finding:
    system = with_loss(name, loss, f"    {claim}")
    return check_claim(Levels(system, words), system.figure.claims[0])


# --- reading and printing --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["arc-standard-stack", "list-nonprojective"])
def test_what_is_printed_reads_as_the_same_figure(name: str) -> None:
    figure = load(name).figure

    assert figure.dynamic_oracles[0].loss is not None
    assert read_figure(to_source(figure)) == figure


# --- one gold graph and many -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "loss", "_"), [TABULAR, ARCWISE])
def test_losses_for_many_gold_graphs_are_those_for_each(name: str, loss: str, _: s.GraphClass) -> None:
    system = with_loss(name, loss)
    asked = system.dynamic_oracle().loss
    assert asked is not None
    for words in range(4):
        space = explore(system, words)
        for found in losses_for_class(space, FORESTS):
            golds = Golds(found.heads)
            for c in space.configurations:
                assert losses_said(asked, c, golds).tolist() == [system.loss(c, gold, asked) for gold in golds.golds]


@pytest.mark.parametrize(("name", "loss", "graphs"), [TABULAR, ARCWISE])
def test_a_loss_is_the_least_number_of_wrong_heads(name: str, loss: str, graphs: s.GraphClass) -> None:
    """Costs would be exact too if every loss were greater by one."""
    system = with_loss(name, loss)
    asked = system.dynamic_oracle().loss
    assert asked is not None
    for words in range(4):
        space = explore(system, words)
        for found in losses_for_class(space, graphs):
            golds = Golds(found.heads).golds
            for number, c in enumerate(space.configurations):
                assert found.table[number].tolist() == [system.loss(c, gold, asked) for gold in golds]


def test_the_price_of_a_transition_is_that_of_the_interpreter() -> None:
    system = load("arc-standard-stack")
    oracle = system.dynamic_oracle()
    for found in losses_for_class(explore(system, 3), PROJECTIVE):
        prices = Prices(found, Golds(found.heads), oracle)
        for number in prices.configurations():
            for one in prices.of(number):
                c, transition = found.space.configuration(number), found.space.transition(one.edge)
                assert one.said is not None
                assert one.said.tolist() == [system.cost(c, transition, gold, oracle) for gold in prices.golds.golds]


# --- exact, or not ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "loss", "graphs", "words"),
    [
        ("arc-standard-stack", "tabular(σ, β)", "projective trees", 4),
        ("arc-standard-stack", "tabular(σ, β)", "projective forests", 4),
        ("list-nonprojective", "arcwise(λ1, β)", "trees", 3),
        ("list-nonprojective", "arcwise(λ1, β)", "forests", 3),
        ("nl-covington", "arcwise(λ1, β)", "trees", 3),
    ],
)
def test_the_published_losses_are_exact(name: str, loss: str, graphs: str, words: int) -> None:
    assert finding(name, loss, f"exact published on {graphs}", words).met


@pytest.mark.parametrize(
    ("name", "loss", "words"),
    [
        ("arc-standard-stack", "tabular(σ, β)", 3),  # gold trees that are not projective
        ("arc-standard", "tabular(σ, β)", 1),
        ("swap", "tabular(σ, β)", 2),
        ("choi-palmer", "arcwise(λ1, β)", 3),  # LEFT-POP removes a node
    ],
)
def test_elsewhere_they_are_not(name: str, loss: str, words: int) -> None:
    found = finding(name, loss, "exact published on trees", 4)

    assert found.met is False
    assert found.words == words


# --- slips -----------------------------------------------------------------------------------------------------------


def without_wrong_heads(c: Configuration, sequences: Sequence[Nodes], gold: Gold) -> int:
    free = Configuration(c.words, c.names, c.values)
    return definitions.tabular(free, sequences, gold)


def without_the_last_of_the_buffer(c: Configuration, sequences: Sequence[Nodes], gold: Gold) -> int:
    stack, buffer = sequences
    return definitions.tabular(c, (stack, buffer[:-1]), gold)


def without_the_top(c: Configuration, sequences: Sequence[Nodes], gold: Gold) -> int:
    stack, buffer = sequences
    return definitions.tabular(c, (stack[:-1] or stack, buffer), gold)


def without_cycles(c: Configuration, sequences: Sequence[Nodes], gold: Gold) -> int:
    heads = {word: gold.heads[word - 1] for word in range(1, c.words + 1)}
    return sum(
        head not in c.heads_of.get(word, ()) and (head is None or not within_reach(c, sequences, head, word))
        for word, head in heads.items()
    )


def with_the_first_of_the_buffer(c: Configuration, sequences: Sequence[Nodes], gold: Gold) -> int:
    """As if the first of the buffer were one of those behind it."""
    left, buffer = sequences
    return definitions.arcwise(c, (left, (-1, *buffer)), gold)


def without_the_head_of_the_list(c: Configuration, sequences: Sequence[Nodes], gold: Gold) -> int:
    left, buffer = sequences
    return definitions.arcwise(c, (left[:-1], buffer), gold)


SLIPS: Mapping[str, tuple[tuple[str, str, s.GraphClass], definitions.Loss]] = {
    "wrong heads are not counted": (TABULAR, without_wrong_heads),
    "one word of the buffer too few": (TABULAR, without_the_last_of_the_buffer),
    "σ for σ|i": (TABULAR, without_the_top),
    "cycles are not counted": (ARCWISE, without_cycles),
    ">= for >": (ARCWISE, with_the_first_of_the_buffer),
    "λ1 for λ1|i": (ARCWISE, without_the_head_of_the_list),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_refuted_with_the_smallest_situation(slip: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (name, loss, graphs), value = SLIPS[slip]
    function, _, arguments = loss.partition("(")
    known = LOSS_FUNCTIONS[function]
    monkeypatch.setitem(LOSS_FUNCTIONS, "slip", LossFunction(known.parameters, known.meaning, value))
    system = with_loss(name, f"slip({arguments}", f"    exact published on {'projective ' * (name == TABULAR[0])}trees")
    found = check_claim(Levels(system, 4), system.figure.claims[0])

    assert found.met is False
    assert found.words == smallest_among(system, graphs)


@pytest.mark.parametrize(
    ("heads", "count"),
    [({}, 0), ({1: 2, 2: 1}, 1), ({1: 2, 2: 3, 3: 2}, 1), ({1: 2, 2: 1, 3: 4, 4: 3}, 2), ({1: 0, 2: 1, 3: 2}, 0)],
)
def test_cycles_are_counted_once(heads: dict[int, int], count: int) -> None:
    assert cycles_in(heads) == count


def test_a_loss_without_a_tree_is_greater_than_any_other() -> None:
    """No tree has head 0 where 0 is not on the stack."""
    c = Configuration(2, ("σ", "β"), ((1,), (2,)))

    assert definitions.tabular(c, ((1,), (2,)), Gold(graph_of([0, 1]))) == 3
    assert definitions.tabular(c, ((), (1, 2)), Gold(graph_of([0, 1]))) == 3


@pytest.mark.parametrize(
    ("name", "ranked"), [("arc-standard-stack", unrank_projective_tree), ("list-nonprojective", unrank_tree)]
)
def test_with_30_words_something_is_free_and_the_last_loss_is_the_wrong_heads(
    name: str, ranked: Callable[[int, int], Heads]
) -> None:
    system, chance, words = load(name), random.Random(1), 30
    oracle, gold = system.dynamic_oracle(), Gold(graph_of(ranked(words, chance.randrange(10**9))))
    assert oracle.loss is not None
    c = system.start(words)
    while not system.is_terminal(c):
        costs = {one: system.cost(c, one, gold, oracle) for one in system.permissible(c)}
        assert 0 in costs.values()
        free = [one for one, cost in costs.items() if cost == 0]
        c = system.apply(c, chance.choice(list(costs) if chance.random() < 0.3 else free))

    wrong = sum(built != wanted for built, wanted in zip(c.graph.heads, gold.heads, strict=True))
    assert system.loss(c, gold, oracle.loss) == wrong > 0
