"""Clauses that are mined from an oracle's runs."""

from itertools import islice

from arcproof.properties.proving.goals.completeness import oracle_run
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.library.gold import gold_graphs
from arcproof.properties.proving.meaning.model import domain, gold_model, model_of
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.search.mining import MINED, Mine
from arcproof.transitions import syntax as s
from arcproof.transitions.system import load

PROJECTIVE_TREES = s.GraphClass((s.Restriction("projective", None),), "trees")
SYSTEM = load("arc-standard-stack")
STATE = meanings_of(SYSTEM).before


def models(most_words: int) -> list[tuple[dict[str, object], int]]:
    return [
        ({**model_of(SYSTEM, c), **gold_model(gold)}, words)
        for words in range(1, most_words + 1)
        for gold in islice(gold_graphs(SYSTEM, PROJECTIVE_TREES, words), 60)
        for c in oracle_run(SYSTEM, SYSTEM.oracle(), gold)
    ]


def test_clauses_are_true_in_all_runs_and_none_follows_from_a_shorter_one() -> None:
    mined = {c.name: c for c in Mine(STATE, models(4)).candidates()}
    values = {name: to_python(c.formula(STATE)) for name, c in mined.items()}

    assert "every node of σ: not it has a head" in mined
    assert "every node of σ: its gold head is in β, or not it has a head" not in mined, "which says less"
    assert all(value(model, domain(words)) for model, words in models(4) for value in values.values())
    assert {c.source for c in mined.values()} == {MINED}


def test_what_is_false_in_some_run_is_not_mined() -> None:
    """It is true as long as there is but one word."""
    name = "every node of β: not it is complete"
    short = {c.name for c in Mine(STATE, models(1)).candidates()}
    longer = {c.name for c in Mine(STATE, models(3)).candidates()}

    assert "every node of σ: a gold dependent is in β, or β is empty, or it is complete" not in longer
    assert name not in longer
    assert short - longer


def test_clauses_about_sequences_that_share_nodes() -> None:
    pointer = load("pointer")
    state = meanings_of(pointer).before
    runs = [
        ({**model_of(pointer, c), **gold_model(gold)}, 2)
        for gold in gold_graphs(pointer, s.GraphClass((), "trees"), 2)
        for c in oracle_run(pointer, pointer.oracle(), gold)
    ]
    mined = Mine(state, runs).candidates()

    assert mined
    assert all(to_python(c.formula(state))(model, domain(words)) for c in mined for model, words in runs)
