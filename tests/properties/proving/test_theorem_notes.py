"""The notes on theorems say what is proved from the certificates; those of two systems in the fast suite, the rest when
asked.
"""

from functools import cache
from pathlib import Path

import pytest

from arcproof.properties.proving.certificates.files import on_file
from arcproof.properties.proving.prove import ProofReport, prove
from arcproof.properties.verdict import Verdict
from arcproof.transitions.system import load
from tests.theorem_notes import NOTES, notes, rewritten, subject

QUICK = ("arc-eager", "swap")


@cache
def report_of(system: str) -> ProofReport:
    return prove(load(system), certificates=on_file(system))


@pytest.mark.solver
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path, id=path.stem, marks=() if subject(path.read_text("utf-8"))[0] in QUICK else pytest.mark.nightly
        )
        for path in notes()
    ],
)
def test_a_note_says_what_the_prover_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    system, claims = subject(text)
    report = report_of(system)
    proved = {theorem.claim: theorem for theorem in report.theorems if theorem.verdict is Verdict.PROVED}
    assert [claim for claim in claims if proved[claim].solvers != ("z3", "cvc5")] == []
    believed = {claim for claim in claims if proved[claim].believed}
    assert believed == {claim for claim in claims if claim.startswith("complete")}, "gold graphs alone have axioms"
    assert rewritten(text, report) == text


@pytest.mark.solver
def test_swap_is_sound_complete_and_bounded() -> None:
    found = {theorem.claim: theorem for theorem in report_of("swap").theorems}
    like = found.pop("like arc-standard-stack on projective trees")
    assert {claim: (theorem.verdict, theorem.solvers) for claim, theorem in found.items()} == dict.fromkeys(
        (
            "sound trees",
            "complete trees",
            "length = 2n + 2 #SWAP",
            "#SWAP <= n(n - 1)/2",
            "length <= n^2 + n",
            "length >= 2n",
        ),
        (Verdict.PROVED, ("z3", "cvc5")),
    )
    assert [claim for claim, theorem in found.items() if theorem.believed] == ["complete trees"]
    assert "if β is empty and σ is ordered, the head of σ can be joined" in found["complete trees"].lemmas
    assert (like.verdict, like.solvers) == (Verdict.PROVED, ("z3", "cvc5"))


def test_every_note_is_listed() -> None:
    listed = (NOTES / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in notes() if f"({path.name})" not in listed] == []
