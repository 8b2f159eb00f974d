"""Proof objects, from the figure to the checker."""

import json
from pathlib import Path
from typing import Any

import pytest

from arcproof.properties.proving import prover
from arcproof.properties.proving.certificates.files import on_file
from arcproof.properties.proving.proof_objects import NO_PROOF, proof_object, proof_objects
from arcproof.properties.proving.prove import prove
from arcproof.properties.proving.trusted.discharge import Discharged
from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.solvers import Result
from arcproof.properties.proving.trusted.witness import Witness
from tests.conftest import ROOT
from tests.test_command_line import Run

pytestmark = pytest.mark.solver

SATISFIABLE = "(declare-fun n () Int)\n(assert (<= n 1))\n(check-sat)\n"


def said(todo: list[Obligation], *asked: Any) -> list[Discharged]:
    """In place of the solvers: they are believed here, and their proofs are not; the last argument is told each
    answer.
    """
    answers = (Result("z3", "unsat", 0.0), Result("cvc5", "unsat", 0.0))
    done = [Discharged(obligation, answers) for obligation in todo]
    for one in done:
        asked[-1](one)
    return done


@pytest.mark.nightly
def test_every_obligation_of_a_system_has_a_proof_that_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prover, "discharge_all", said)
    monkeypatch.setattr(
        prover, "satisfied", lambda words, _, cases, *__: [Witness(case.name, words, "") for case in cases]
    )
    report = prove("arc-hybrid", certificates=on_file("arc-hybrid"))
    proofs = proof_objects(report.theorems, lambda _: None)

    assert len(proofs) > 100
    assert {entry.refused for entry in proofs.values()} == {None}
    assert sum(entry.steps for entry in proofs.values()) > 20_000


def test_proofs_are_written_and_checked_again(arcproof: Run, tmp_path: Path) -> None:
    text = (ROOT / "transitions" / "systems" / "arc-hybrid.tsys").read_text(encoding="utf-8")
    head, _, _ = text.partition("  claims")
    (tmp_path / "mine.tsys").write_text(f"{head}  claims\n    length = 2n\n", encoding="utf-8")
    done = arcproof(
        "prove", "mine.tsys", "--no-cache", "--jobs", "1", "--proof-objects", "proofs", "--json", "out.json"
    )

    assert done.code == 0, done.err
    assert "            proved for every length; every step checked\n" in done.out
    assert json.loads((tmp_path / "out.json").read_text())["systems"][0]["theorems"][0]["every_step_checked"] is True
    again = arcproof("check-proof", "proofs", "--jobs", "1")
    assert again.code == 0
    assert again.out.startswith("arc-hybrid: length = 2n: 4 of 4 obligations\n4 of 4 proofs accepted: ")
    for path in (tmp_path / "proofs").rglob("*.cpc"):
        path.write_text("()", encoding="utf-8")
    assert arcproof("check-proof", "proofs", "--jobs", "1").code == 1


def test_what_is_satisfiable_has_no_proof() -> None:
    found = proof_object(SATISFIABLE)

    assert (found.text, found.refused) == (None, NO_PROOF)
