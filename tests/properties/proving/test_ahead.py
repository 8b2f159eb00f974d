"""A search in several processes finds what it finds in one."""

import os

import pytest
from arcproof.properties.proving.prove import ProofReport, prove
from arcproof.properties.proving.search.ahead import Ahead
from arcproof.properties.proving.search.houdini import Search
from arcproof.properties.proving.trusted.discharge import WorkerEnded
from arcproof.properties.proving.trusted.problem import AfterMove, Key
from arcproof.properties.proving.trusted.solvers import Result
from arcproof.transitions.system import load

from arcproof.reports.proofs import theorem_text

pytestmark = [pytest.mark.solver, pytest.mark.process]

FIGURE = """system chain
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT   σ, i|β    =>  σ|i, β
  ARC(l)  σ|i, j|β  =>  σ|j, β   add i -l-> j   if i < j

  oracle none

  claims
    sound projective forests
    length = n
"""


def found(report: ProofReport) -> object:
    texts = [theorem_text(theorem) for theorem in report.theorems]
    asked = [[(d.obligation.text, len(d.results)) for d in theorem.obligations] for theorem in report.theorems]
    return texts, asked, report.certificates


def test_two_processes_find_what_one_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = prove(load(FIGURE))
    ahead: list[bool] = []
    wait = Ahead._wait

    def waiting(self: Ahead) -> None:
        wait(self)
        ahead.append(len(self._outcomes) > 1)

    monkeypatch.setattr(Ahead, "_wait", waiting)

    assert found(prove(load(FIGURE), jobs=2)) == found(alone)
    assert any(ahead), "nothing was tried before its turn"


def test_what_is_thrown_out_is_thrown_out_in_every_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is tried first for a conjunct fails, so that others take its place."""
    answer = Search.answer

    def choosy(self: Search, key: Key) -> Result:
        if isinstance(key, AfterMove) and len(self.thrown_out) < 5 and key.move == "SHIFT":
            return Result("z3", "unknown", 0.0, "as asked")
        return answer(self, key)

    monkeypatch.setattr(Search, "answer", choosy)
    alone = prove(load(FIGURE))

    assert found(prove(load(FIGURE), jobs=2)) == found(alone)


def test_a_process_that_ends_too_early_ends_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    answer, here = Search.answer, os.getpid()

    def fatal(self: Search, key: Key) -> Result:
        if os.getpid() != here:
            os._exit(1)
        return answer(self, key)

    monkeypatch.setattr(Search, "answer", fatal)

    with pytest.raises(WorkerEnded, match="--jobs 1"):
        prove(load(FIGURE), jobs=2)
