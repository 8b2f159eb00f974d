"""The loss of one configuration by a search is the loss worked out backwards; beyond the limit it is unknown."""

import json
from collections.abc import Callable, Iterator

import pytest
from jsonschema import Draft202012Validator

from arcproof.classifiers.artificial import on_board
from arcproof.documents import schema_of
from arcproof.generators.treebank import read_sentence
from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.golds import Golds
from arcproof.properties.engines.losses import UNREACHABLE, losses_for_class
from arcproof.properties.engines.nearest_output import Aim
from arcproof.properties.studies.situation import situated
from arcproof.reports.situation import to_text
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.graph import Graph, graph_of
from arcproof.transitions.runs import read_transitions
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System, load
from tests.catalogue import LATER, each
from tests.in_process import Result
from tests.properties.test_dynamic_oracles import EAGER, with_costs
from tests.properties.test_losses import BACK_AND_FORTH
from tests.single_heads import SINGLE_HEADED

Command = Callable[..., Result]
TREES = GraphClass((), "trees")
MENDS = """system mends
  state stack σ, buffer β, flag f
  start [0], [1..n], false
  final β = []

  OPEN(l)   σ|i, j|k|β, false  =>  σ|i, j|k|β, true  add i -l-> j add j -l-> k
  MEND(l)   σ|i, j|k|β, true   =>  σ|i, β, false     remove * -> j remove * -> k add k -l-> j add i -l-> k
  SHORT(l)  σ|i, j|k|β, false  =>  σ|i, β, false     add i -l-> k
  SKIP      σ, j|β, false      =>  σ, β, false
"""
"""The way to 2,0 leads through a configuration in which both heads are wrong."""
ASKS_ABOUT_0 = """system asks-about-0
  state stack σ, buffer β
  start [0], [1..n]
  final σ = [], β = [], no dependent(0)

  TAKE(l)  [i], j|β  =>  [], β  add i -l-> j
  DROP     [i], j|β  =>  [], β
  DRAIN    [], j|β   =>  [], β
"""
"""TAKE and DROP lead to the same sequences, without 0; only after DROP a run ends."""
TWO_HEADS = """system two-heads
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  ARC(l)  σ|i, j|β  =>  σ|i, j|β  add i -l-> j  if not i -> j
  SHIFT   σ, j|β    =>  σ|j, β
  POP     σ|i, β    =>  σ, β
"""
SOME = ("arc-eager", "arc-standard-stack", "swap", "list-nonprojective", "nl-covington", "swap-max2")


def _short(name: str) -> str:
    return name.split("\n")[0].rpartition("/")[2]


def losses_of(system: System, words: int) -> Iterator[tuple[Configuration, Graph, int | None]]:
    """Every configuration and every tree with the loss, None where no run ends."""
    space = explore(system, words)
    for found in losses_for_class(space, TREES):
        golds = Golds(found.heads)
        for place in range(len(found.golds)):
            gold = graph_of(golds.heads(place))
            for number in range(space.size):
                loss = int(found.table[number, place])
                yield space.configuration(number), gold, None if loss == UNREACHABLE else loss


def agrees(system: System, c: Configuration, gold: Graph, loss: int | None) -> bool:
    """The search finds the loss, and an ending with it."""
    aim = Aim(system, gold)
    found = aim.nearest(c)
    if not found.complete or found.loss != loss:
        return False
    if found.ending is None:
        return loss is None
    end = c
    for transition in found.ending.transitions:
        assert not system.is_terminal(end)
        end = system.apply(end, transition)
    return system.is_terminal(end) and aim.loss(end.graph) == loss


@pytest.mark.long
@pytest.mark.parametrize("words", [1, 2, pytest.param(3, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", [*each(SINGLE_HEADED), BACK_AND_FORTH, MENDS, ASKS_ABOUT_0, TWO_HEADS], ids=_short)
def test_a_search_finds_the_loss(name: str, words: int) -> None:
    """At three words from every eleventh situation of the later systems."""
    system = load(name)
    step = 11 if words == 3 and name in LATER else 1
    for c, gold, loss in list(losses_of(system, words))[::step]:
        assert agrees(system, c, gold, loss), (c, gold)


@pytest.mark.nightly
@pytest.mark.long
@pytest.mark.parametrize("name", SOME)
def test_a_search_finds_the_loss_with_four_words(name: str) -> None:
    system = load(name)
    for c, gold, loss in list(losses_of(system, 4))[::149]:
        assert agrees(system, c, gold, loss), (c, gold)


@pytest.mark.nightly
@pytest.mark.parametrize("name", SOME)
def test_a_search_finds_the_loss_of_all_configurations_with_four_words(name: str) -> None:
    system = load(name)
    for c, gold, loss in losses_of(system, 4):
        assert agrees(system, c, gold, loss), (c, gold)


def test_a_long_sentence_is_searched() -> None:
    """The first sentences of the built-in treebank; at the start of swap nothing is lost."""
    system = load("swap")
    for number in range(1, 11):
        gold = read_sentence(on_board("artificial-test"), number).graph
        found = Aim(system, gold).nearest(system.start(gold.words))

        assert found.complete
        assert found.loss == 0


@pytest.mark.long
def test_beyond_the_limit_the_loss_is_unknown_and_bounded() -> None:
    system = load("list-nonprojective")
    for c, gold, loss in list(losses_of(system, 3))[::7]:
        for most in range(6):
            found = Aim(system, gold).nearest(c, most)

            assert found.expanded <= most
            assert found.least <= loss if loss is not None else True
            assert found.complete or found.exact is None
            assert found.loss is None or found.loss >= found.least
            if found.complete:
                assert found.loss == loss


# --- the costs in one configuration ----------------------------------------------------------------------------------


def test_what_each_transition_costs_is_what_losses_say() -> None:
    system = load("arc-eager")
    costs = {c: loss for c, gold, loss in losses_of(system, 3) if gold == graph_of((2, 0, 2))}
    found = situated(system, graph_of((2, 0, 2)), "SHIFT SHIFT")

    before = costs[found.configuration]
    assert before == 2
    after = {t.instance: costs[system.apply(found.configuration, t)] for t in system.permissible(found.configuration)}
    assert {o.transition.instance: found.cost(o) for o in found.options} == {
        name: (loss or 0) - before for name, loss in after.items()
    }


def test_a_run_that_ends_with_two_heads_is_not_said_not_to_end() -> None:
    found = situated(load(TWO_HEADS), graph_of((0, 0)), "SHIFT ARC POP ARC")
    text = to_text(found)

    assert "no loss: wherever a run from here ends, a word has two heads, or 0 has one" in text
    assert "SHIFT        no loss" in text
    assert "no end" not in text


def test_a_dynamic_oracle_that_is_wrong_here_is_named() -> None:
    system = load(with_costs("arc-eager", EAGER.replace("[gold head(b) in σ]", "0")))
    found = situated(system, graph_of((2, 0, 2)), "SHIFT SHIFT")

    assert [(oracle, option.transition.name) for oracle, option in found.wrong] == [("published", "SHIFT")]
    assert found.exit_code == 1
    assert not situated(load(with_costs("arc-eager", EAGER)), graph_of((2, 0, 2)), "SHIFT SHIFT").wrong


def test_following_an_oracle_bounds_what_a_search_does_not_find() -> None:
    system = load(with_costs("arc-eager", EAGER))
    found = situated(system, graph_of((2, 0, 2)), "SHIFT SHIFT", most=0)

    assert found.nearest is not None
    assert found.nearest.exact is None
    assert found.upper == 2
    assert found.ending is not None
    assert found.exit_code == 3


def test_a_run_is_read_with_choices_and_labels() -> None:
    assert [str(t) for t in read_transitions("SHIFT, LEFT-ARC[2](nsubj:pass) REDUCE")] == [
        "SHIFT", "LEFT-ARC[2](nsubj:pass)", "REDUCE"
    ]  # fmt: skip


# --- the command line ------------------------------------------------------------------------------------------------


def test_the_command_counts_labels(arcproof: Command) -> None:
    run = ("--labelled", "--run", "SHIFT LEFT-ARC(x)", "--json", "-")
    done = arcproof("oracle", "arc-eager", "--heads", "2,0,2", "--labels", "a,b,c", *run)
    document = json.loads(done.out)

    validator = Draft202012Validator(json.loads(schema_of("situation")))
    assert validator.is_valid(document)
    assert not validator.is_valid({**document, "loss": "much"})
    assert document["loss"]["exact"] == 1
    assert [(o["transition"], o["label"], o["cost"]) for o in document["options"]] == [
        ("RIGHT-ARC", "b", 0), ("RIGHT-ARC", "…", 1), ("SHIFT", None, 1)
    ]  # fmt: skip
    assert document["ending"]["arcs"] == [[2, "x", 1], [0, "b", 2], [2, "c", 3]]
