"""What solvers said, as it is stored: by everything it depends on, and never what the clock ended."""

from pathlib import Path
from typing import Any

import pytest

from arcproof.process.run_store import RunStore, using
from arcproof.properties.proving import stored_answers as module
from arcproof.properties.proving.prove import answer
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.stored_answers import StoredAnswers, stored_answers
from arcproof.properties.proving.trusted.discharge import Answers, Question
from arcproof.properties.proving.trusted.solvers import OUT_OF_TIME, RLIMIT, Result
from arcproof.properties.verdict import Verdict
from arcproof.transitions.system import load
from tests.stored_pieces import pieces_of
from tests.test_run_store import FIGURE

QUESTION: Question = ("digest", "z3", 1)
UNSAT = Result("z3", "unsat", 0.5, effort=7)


@pytest.fixture
def answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StoredAnswers:
    monkeypatch.setattr(module, "z3_version", lambda: "1")
    monkeypatch.setattr(module, "cvc5_version", lambda: "1")
    return StoredAnswers(RunStore(tmp_path), RLIMIT)


def test_an_answer_is_that_to_the_same_question(answers: StoredAnswers, monkeypatch: pytest.MonkeyPatch) -> None:
    answers.keep(QUESTION, UNSAT)
    found = answers.recall(QUESTION)
    assert (found, found and found.effort) == (UNSAT, 7)
    for other in (("other", "z3", 1), ("digest", "cvc5", 1), ("digest", "z3", 2)):
        assert answers.recall(other) is None
    assert StoredAnswers(answers.store, RLIMIT + 1).recall(QUESTION) is None
    with monkeypatch.context() as patch:
        patch.setattr(module, "z3_version", lambda: "2")
        assert answers.recall(QUESTION) is None
    with monkeypatch.context() as patch:
        patch.setattr(module, "code_digest", lambda _: "other code")
        assert answers.recall(QUESTION) is None
    assert answers.recall(QUESTION) == UNSAT


def test_what_the_clock_ended_is_not_stored(answers: StoredAnswers) -> None:
    late = Result("z3", "unknown", 60.0, OUT_OF_TIME)
    answers.keep(QUESTION, late)
    opinions = answers.opinions("z3")
    opinions["text", 1, True] = late, ()
    assert pieces_of(answers.store) == []


@pytest.mark.parametrize("value", [1, {}, ["z3"], {"@": "Result", "solver": "z3", "answer": "yes", "seconds": 1.0}])
def test_what_does_not_fit_is_asked_again(answers: StoredAnswers, value: Any) -> None:
    answers.store.keep("answer", answers._key(QUESTION), value, "")
    assert answers.recall(QUESTION) is None
    assert answers.store.recalled == 0


def test_an_answer_of_the_other_solver_does_not_fit(answers: StoredAnswers) -> None:
    answers.keep(QUESTION, Result("cvc5", "unsat", 0.5))
    assert answers.recall(QUESTION) is None


def test_opinions_outlive_the_search(answers: StoredAnswers) -> None:
    first = answers.opinions("z3")
    assert ("text", 1, True) not in first
    first["text", 1, True] = UNSAT, (0, 2)
    second = answers.opinions("z3")
    assert ("text", 1, True) in second
    assert second["text", 1, True] == (UNSAT, (0, 2))
    assert ("text", 1, False) not in second
    assert ("text", 1, True) not in answers.opinions("cvc5")


class Liar(StoredAnswers):
    """Says that every solver proved everything."""

    def recall(self, question: Question) -> Result:
        return Result(question[1], "unsat", 0.0)


@pytest.mark.solver
def test_lies_in_the_store_do_not_prove_what_is_false(tmp_path: Path) -> None:
    system = load(FIGURE)
    with using(RunStore(tmp_path)) as store:
        assert store is not None
        assert stored_answers() is not None
        prover = Prover(system, answers=Answers(store=Liar(store, RLIMIT)))
        theorem = answer(prover, system.figure.claims[0], None)
    assert getattr(theorem, "verdict", None) is Verdict.REFUTED
