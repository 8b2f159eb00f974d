"""Solvers asked in several processes: what is found is what is found in one."""

import os
from multiprocessing import active_children

import pytest

from arcproof.properties.proving.prove import ProofReport, prove
from arcproof.properties.proving.search.houdini import Search
from arcproof.properties.proving.trusted import discharge
from arcproof.properties.proving.trusted.calls import SolverCalls, WorkerEnded
from arcproof.properties.proving.trusted.obligation import Obligation, SolverScript
from arcproof.properties.proving.trusted.problem import AfterMove, Key
from arcproof.properties.proving.trusted.solvers import Result, ask_cvc5
from arcproof.reports.proofs import theorem_text
from arcproof.transitions.system import load
from tests.properties.proving.made_up import CHAIN

pytestmark = [pytest.mark.solver, pytest.mark.process]


def found(report: ProofReport) -> object:
    texts = [theorem_text(theorem) for theorem in report.theorems]
    asked = [[(d.obligation.text, len(d.results)) for d in theorem.obligations] for theorem in report.theorems]
    return texts, asked, report.certificates


def test_two_processes_find_what_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = prove(load(CHAIN))
    taken: list[bool] = []
    result = SolverCalls.result

    def counted(self: SolverCalls, *call: object) -> object:
        taken.append((call[0], call[1:]) in self._done)
        return result(self, *call)  # type: ignore[arg-type]

    monkeypatch.setattr(SolverCalls, "result", counted)

    assert found(prove(load(CHAIN), jobs=2)) == found(alone)
    assert any(taken), "nothing was asked before its turn"
    assert not active_children()


@pytest.mark.nightly
def test_two_processes_find_the_same_where_much_is_discarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is tried first for a conjunct fails, so that others take its place."""
    answer = Search.answer

    def choosy(self: Search, key: Key) -> Result:
        if isinstance(key, AfterMove) and len(self.thrown_out) < 5 and key.move == "SHIFT":
            return Result("z3", "unknown", 0.0, "as asked")
        return answer(self, key)

    monkeypatch.setattr(Search, "answer", choosy)
    alone = prove(load(CHAIN))

    assert found(prove(load(CHAIN), jobs=2)) == found(alone)


HERE = os.getpid()


def fatal(obligation: Obligation | SolverScript, *_: object) -> Result:
    """Ends whatever process it is called in, but for that of the test."""
    if os.getpid() != HERE:
        os._exit(1)
    return ask_cvc5(obligation)


def test_a_process_that_ends_too_early_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discharge, "ask_cvc5", fatal)

    with pytest.raises(WorkerEnded, match="--jobs 1"):
        prove(load(CHAIN), jobs=2)


def test_a_process_that_ends_while_waiting_ends_the_search() -> None:
    calls = SolverCalls(2)
    calls.begin(abs, -1)
    assert calls.result(abs, -1) == 1
    for child in active_children():
        child.kill()
        child.join()

    with pytest.raises(WorkerEnded, match="--jobs 1"):
        calls.begin(abs, -2)
    calls.end()
