"""Training with exploration: what is free, where the parser goes; native code and the interpreter learn the same."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arcproof.classifiers import Parser, exploration
from arcproof.classifiers.artificial import on_board
from arcproof.classifiers.exploration import Explorer, Round
from arcproof.classifiers.instances import Explored
from arcproof.classifiers.learners.averaged import Averaged
from arcproof.classifiers.learners.expansion import Expansion
from arcproof.classifiers.learners.learner import Settings
from arcproof.generators.classes import is_projective
from arcproof.generators.treebank import Sentence, read
from arcproof.transitions import syntax as s
from arcproof.transitions.graph import Graph, graph_of
from arcproof.transitions.library import source_of
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.arrays.module import ArrayState, Runner
from arcproof.transitions.system import System, load
from tests.classifiers.test_parser import check_parses

SETTINGS = Settings(epochs=3)
FIGURES = ["arc-eager", "arc-hybrid"]


def treebank(name: str) -> list[Sentence]:
    path = on_board(name)
    assert path is not None
    return list(read(path))


@pytest.fixture(scope="module")
def train() -> list[Sentence]:
    return treebank("artificial-train")[:60]


@pytest.fixture(scope="module")
def test() -> list[Sentence]:
    return treebank("artificial-test")[:40]


def saved(parser: Parser, path: Path) -> bytes:
    parser.save(path / "model")
    return (path / "model").read_bytes()


def explored(parser: Parser) -> Explored:
    assert parser.trained_on is not None
    assert parser.trained_on.explored is not None
    return parser.trained_on.explored


def without_native_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploration, "with_costs", lambda runner, _: (runner.with_costs(None), "a test"))


def with_costs(name: str, costs: str) -> System:
    """A built-in figure with costs of our own."""
    text = source_of(name).partition("\n  dynamic ")[0].partition("\n  claims")[0]
    return load(f"{text}\n  dynamic mine\n{costs}\n  claims\n    terminates\n")


# --- what is learned -------------------------------------------------------------------------------------------------


@pytest.mark.compiler
@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("explore", [0.0, 0.9])
def test_parses_are_legal_and_good(name: str, explore: float, train: list[Sentence], test: list[Sentence]) -> None:
    parser = Parser(name, explore=explore, settings=SETTINGS).fit(train)

    check_parses(parser, test)
    assert parser.score(test) > 0.8
    assert explored(parser).interpreted is None
    assert explored(parser).rounds == 2
    assert explored(parser).astray == 0 or explore > 0


@pytest.mark.compiler
@pytest.mark.parametrize("name", FIGURES)
def test_native_costs_and_the_interpreter_s_give_the_same_model(
    name: str, train: list[Sentence], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    native = Parser(name, explore=0.9, settings=SETTINGS).fit(train[:12])
    without_native_costs(monkeypatch)
    slow = Parser(name, explore=0.9, settings=SETTINGS).fit(train[:12])

    assert explored(native).interpreted is None
    assert explored(slow).interpreted == "a test"
    assert saved(native, tmp_path) == saved(slow, tmp_path)
    cost = System.cost
    monkeypatch.setattr(
        System, "cost", lambda *given: (cost(*given) or 0) + (given[2].name == "SHIFT")
    )  # seen to matter: an interpreter that says something else gives another model
    other = Parser(name, explore=0.9, settings=SETTINGS).fit(train[:12])
    assert saved(native, tmp_path) != saved(other, tmp_path)


@pytest.mark.compiler
def test_encoded_trees_can_be_explored(train: list[Sentence], test: list[Sentence]) -> None:
    parser = Parser("arc-eager", explore=0.9, pseudo_projective="head+path", settings=SETTINGS).fit(train)

    check_parses(parser, test)


# --- where the parser goes -------------------------------------------------------------------------------------------


def untrained(parser: Parser, sentences: list[Sentence]) -> tuple[Explorer, Averaged]:
    """An explorer of a figure that knows the classes of some sentences, and weights that are 0."""
    parser.fit(sentences)
    model, found = parser._model, parser.trained_on
    assert model is not None
    assert found is not None
    oracle = parser.trained_system.dynamic_oracle()
    explorer = Explorer.of(Runner.of(parser.trained_system), oracle, model.program, model.vocabulary, found)
    expansion = Expansion.of(found.rows, model.program.columns, 2, model.program.joins)
    return explorer, Averaged.of(expansion, len(found.classes), 0, SETTINGS)


def ended(
    explorer: Explorer, sentence: Sentence, learned: Averaged, explore: float, most: float = 0.0
) -> tuple[Round, ArrayState]:
    """One sentence explored, and the configuration in which the run ends."""
    lessons = explorer.lessons([(sentence, sentence.graph)])
    found = explorer.round(lessons, np.zeros(1, dtype=np.int64), learned, explore, most, seed=1)
    return found, found.room.state_of(sentence.words)


def labelled(explorer: Explorer, state: ArrayState) -> Graph:
    labels = [None, *explorer.vocabulary.labels]
    heads = [None if head < 0 else head for head in state.tree[kernel.HEAD, 1:].tolist()]
    return graph_of(heads, [labels[number] or "" for number in state.tree[kernel.LABEL, 1:].tolist()])


@pytest.mark.compiler
@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("most", [0.0, 0.02])
def test_free_transitions_lead_to_the_gold_tree_and_its_labels(name: str, most: float, train: list[Sentence]) -> None:
    projective = [sentence for sentence in train if is_projective(sentence.heads)]
    explorer, learned = untrained(Parser(name, settings=SETTINGS), projective)
    for sentence in projective:
        found, state = ended(explorer, sentence, learned, 0.0, most)

        assert found.transitions > 0
        assert found.astray == 0
        assert labelled(explorer, state) == sentence.graph
    assert (learned.step > 1) == (most > 0)


@pytest.mark.compiler
@pytest.mark.parametrize(("cost", "nothing_free"), [("1", True), ("0", False)])
def test_an_oracle_that_calls_nothing_free_is_counted(cost: str, nothing_free: bool, train: list[Sentence]) -> None:
    lines = "".join(f"    cost {name} = {cost}\n" for name in ("LEFT-ARC", "RIGHT-ARC", "REDUCE", "SHIFT"))
    explorer, learned = untrained(Parser(with_costs("arc-eager", lines), settings=SETTINGS), train[:5])
    found = ended(explorer, train[0], learned, 0.0)[0]

    assert found.transitions > 0
    assert found.nothing_free == found.astray == (found.transitions if nothing_free else 0)


@pytest.mark.compiler
def test_its_own_way_is_that_of_its_weights(train: list[Sentence]) -> None:
    """Without weights the first permissible class is the best, so that every run is the same."""
    explorer, learned = untrained(Parser("arc-eager", settings=SETTINGS), train[:10])
    system = explorer.runner.system
    classes = [explorer.runner.transition(int(explorer.known[place])) for place in explorer.places]
    for sentence in train[:10]:
        found, state = ended(explorer, sentence, learned, 1.0)
        c = system.start(sentence.words)
        while not system.is_terminal(c):
            c = system.apply(c, next(transition for transition in classes if transition in system.permissible(c)))

        assert found.astray > 0
        assert state.configuration() == c


@pytest.mark.compiler
@pytest.mark.parametrize("name", FIGURES)
def test_what_was_learned_leads_to_the_gold_trees(name: str, train: list[Sentence]) -> None:
    projective = [sentence for sentence in train if is_projective(sentence.heads)][:8]
    explorer, learned = untrained(Parser(name, settings=SETTINGS), projective)
    lessons, order = explorer.lessons([(one, one.graph) for one in projective]), np.arange(len(projective))
    before = explorer.round(lessons, order, learned, 1.0, 0.0, seed=1).astray
    for seed in range(20):
        explorer.round(lessons, order, learned, 1.0, 0.02, seed)

    assert before > 0
    assert explorer.round(lessons, order, learned, 1.0, 0.0, seed=1).astray == 0
    for sentence in projective:
        assert labelled(explorer, ended(explorer, sentence, learned, 1.0)[1]) == sentence.graph


@pytest.mark.compiler
def test_half_of_the_choices_are_its_own(train: list[Sentence]) -> None:
    """One that never learns, led by costs that forbid what it prefers."""
    costs = "    cost LEFT-ARC = 1\n    cost RIGHT-ARC = 1\n    cost REDUCE = 0\n    cost SHIFT = 0\n"
    explorer, learned = untrained(Parser(with_costs("arc-eager", costs), settings=SETTINGS), train)
    lessons = explorer.lessons([(sentence, sentence.graph) for sentence in train])
    shares = {}
    for probability in (0.0, 0.5, 1.0):
        found = explorer.round(lessons, np.arange(len(train)), learned, probability, 0.0, seed=7)
        shares[probability] = found.astray / found.transitions

    assert shares[0.0] == 0.0
    assert 0.2 < shares[0.5] / shares[1.0] < 0.8


# --- figures ---------------------------------------------------------------------------------------------------------


@pytest.mark.compiler
def test_costs_that_cannot_be_native_are_the_interpreter_s(
    train: list[Sentence], test: list[Sentence], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An oracle without cost lines has no rows; what the interpreter says of it is learned."""
    system = load("arc-eager")
    [published] = system.figure.dynamic_oracles
    figure = replace(system.figure, dynamic_oracles=(s.DynamicOracle("mine", ()),))
    cost = System.cost
    monkeypatch.setattr(System, "cost", lambda self, c, t, gold, _: cost(self, c, t, gold, published))
    parser = Parser(replace(system, figure=figure), explore=0.9, settings=SETTINGS).fit(train[:30])
    native = Parser(system, explore=0.9, settings=SETTINGS).fit(train[:30])

    assert explored(parser).interpreted == "costs that are not written in lines"
    assert parser.predict(test) == native.predict(test)


@pytest.mark.compiler
def test_costs_of_labels_are_those_of_the_lines(train: list[Sentence], test: list[Sentence]) -> None:
    """Written out, what native code adds for a wrong label of a gold arc is the same."""
    costs = """
    cost LEFT-ARC(l)   σ|s, b|β  = #{k in b|β: gold s -> k} + [gold head(s) in β] + [gold b -> s, not gold b -l-> s]
    cost RIGHT-ARC(l)  σ|s, b|β  = [gold head(b) in σ or gold head(b) in β] + #{k in σ|s: gold b -> k, no head(k)} WRONG
    cost REDUCE        σ|s, b|β  = #{k in b|β: gold s -> k}
    cost SHIFT         σ, b|β    = [gold head(b) in σ] + #{k in σ: gold b -> k, no head(k)}
""".replace("WRONG", "+ [gold s -> b, not gold s -l-> b]")
    labelled = Parser(with_costs("arc-eager", costs), explore=0.9, settings=SETTINGS).fit(train[:20])
    native = Parser("arc-eager", explore=0.9, settings=SETTINGS).fit(train[:20])

    assert explored(labelled).interpreted == "costs of labels"
    assert replace(explored(labelled), interpreted=None) == explored(native)
    assert labelled.predict(test) == native.predict(test)


@pytest.mark.compiler
@pytest.mark.parametrize("name", ["arc-standard-stack", "list-nonprojective"])
def test_oracles_that_are_losses_are_explored(name: str, train: list[Sentence], test: list[Sentence]) -> None:
    parser = Parser(name, explore=0.9, settings=Settings(epochs=2)).fit(train[:20])

    assert explored(parser).interpreted == "costs that are not written in lines"
    check_parses(parser, test[:10])


@pytest.mark.compiler
def test_transitions_with_lengths_are_explored(
    train: list[Sentence], test: list[Sentence], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs = """
    cost LEFT-ARC   σ|i|τ, j|β  = #{k in j|β: gold i -> k} + [gold head(i) in β] + #{k in τ: gold j -> k}
    cost RIGHT-ARC  σ|i|τ, j|β  = [not gold i -> j] + #{k in τ: gold k -> j or gold j -> k}
    cost SHIFT      σ, j|β      = #{k in σ: gold k -> j} + #{k in σ: gold j -> k, no head(k)}
"""
    system = with_costs("arc-swift", costs)
    parser = Parser(system, explore=0.9, settings=SETTINGS).fit(train[:30])
    without_native_costs(monkeypatch)
    slow = Parser(system, explore=0.9, settings=SETTINGS).fit(train[:30])

    assert saved(parser, tmp_path) == saved(slow, tmp_path)
    check_parses(parser, test)
    assert any(transition.choice > (1,) for transition in parser.classes)


# --- mistakes --------------------------------------------------------------------------------------------------------
