"""A transition that is performed at most once for every two words, and how often that is."""

import random
from dataclasses import replace

import pytest

from arcproof.properties.proving.goals import pairs as pairs_module
from arcproof.properties.proving.goals.pairs import counting, memories, once, pairs, runs
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.search.houdini import search
from arcproof.properties.proving.trusted.discharge import discharge
from arcproof.properties.proving.trusted.solvers import RLIMIT, ask_cvc5, ask_z3
from arcproof.properties.verdict import Verdict
from arcproof.transitions.syntax import CountBound
from arcproof.transitions.system import load

SWAP = load("swap")


@pytest.mark.solver
def test_counting_is_proved_by_both_solvers() -> None:
    open_steps = [o.name for o in counting() if not all(discharge(o).by(solver) for solver in ("z3", "cvc5"))]
    assert open_steps == []


@pytest.mark.solver
@pytest.mark.parametrize("dropped", ["a new pair of words", "pairs are counted by their firsts"])
def test_counting_needs_its_premises(dropped: str) -> None:
    weaker = [o.only(name for name, _ in o.premises if name != dropped) for o in counting()]
    lost = [
        o.name
        for o in weaker
        if ask_z3(o, RLIMIT // 10).answer != "unsat" and ask_cvc5(o, RLIMIT // 10).answer != "unsat"
    ]
    assert lost != []


def test_the_sums_are_what_they_are_called() -> None:
    """In every set of pairs the sums, computed, satisfy what is said of them."""
    chance = random.Random(1)
    sums = [(name, to_python(term)) for name, term in pairs_module._sums(pairs_module._arbitrary_tally())]
    for words in range(1, 6):
        every = [(x, y) for y in range(1, words + 1) for x in range(1, y)]
        done = set(chance.sample(every, chance.randint(0, len(every))))
        model = {
            "n": words,
            "done": lambda x, y, done=done: (x, y) in done,
            "before": lambda y, m, done=done: sum(x <= m and second == y for x, second in done),
            "upto": lambda m, done=done: sum(second <= m for _, second in done),
            "total": len(done),
        }
        assert [name for name, holds in sums if not holds(model, range(-1, words + 2))] == []
        assert len(done) <= words * (words - 1) // 2


def test_only_swap_never_meets_the_same_words_again() -> None:
    assert [str(pair) for pair in pairs(meanings_of(SWAP))] == ["SWAP is performed at most once with the same i and j"]


def test_runs_remember_what_was_done() -> None:
    (pair,) = pairs(meanings_of(SWAP))
    remembered = [model["done"](1, 2) for _, model in runs(SWAP, pair, 3)]  # type: ignore[operator]
    assert any(remembered)
    assert not all(remembered)


def test_a_swap_that_may_be_undone_is_not_bounded() -> None:
    loose = load(SWAP.text.replace("if 0 < i < j", "if 0 < i, 0 < j"))
    assert list(pairs(meanings_of(loose))) == []
    theorem = Prover(loose).about(next(c for c in loose.figure.claims if isinstance(c.statement, CountBound)))
    assert theorem.verdict is not Verdict.PROVED


@pytest.mark.solver
def test_without_the_order_of_the_words_nothing_is_proved() -> None:
    """The same search on a figure whose SWAP may be undone fails, though it is told the pair."""
    loose = load(SWAP.text.replace("if 0 < i < j", "if 0 < i, 0 < j"))
    (pair,) = pairs(meanings_of(SWAP))
    meanings = meanings_of(loose)
    step = next(step for step in meanings.steps if step.name == "SWAP")
    asked = replace(pair, step=step)
    pool = [c for c in Prover(loose).candidates if c.basic]
    assert search(once(meanings, asked), [*pool, *memories(meanings, asked)], RLIMIT // 10).failed
