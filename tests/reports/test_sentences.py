"""Sentences about findings: why something is open, how to get it again, and how many of what."""

from dataclasses import replace

import pytest

from arcproof.process.interruption import TimeIsOver
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.proving import supervised
from arcproof.properties.proving.prove import tasks_of
from arcproof.properties.proving.theorem import Gist, Hindrance, Theorem, not_proved
from arcproof.properties.report import Effort, Report, SystemReport
from arcproof.properties.verify import verify_system
from arcproof.reports.appendix import report_latex
from arcproof.reports.proofs import theorem_text
from arcproof.reports.scope import verify_command
from arcproof.reports.sentences import detail_text, short_text
from arcproof.transitions.library import source_of
from arcproof.transitions.printing.wording import counted_of
from arcproof.transitions.system import load
from tests.properties.proving.made_up import discharged

EFFORT = Effort(2, Sampling(0), engine="interpreter", in_depth=False)
NEGATED = source_of("arc-hybrid").replace("  claims\n", "  claims\n    not complete trees\n    not sound forests\n", 1)


def test_a_claim_that_something_fails_is_open_because_no_counterexample_was_found() -> None:
    complete, sound = verify_system(load(NEGATED), EFFORT).claims[:2]

    assert short_text(complete) == "no counterexample up to 2 words: 4 trees"
    assert short_text(sound).startswith("no counterexample up to 2 words: ")
    assert detail_text(complete).startswith("no counterexample up to 2 words: 4 trees, all up to 2 words")


def test_what_no_memory_was_left_for_is_not_said_to_have_no_run_that_ends() -> None:
    found = verify_system(load("arc-hybrid"), replace(EFFORT, memory=1)).claims[0]

    assert short_text(found) == "not even sentences of one word were explored"


def proved(kept: bool, source: str = "kept") -> SystemReport:
    report = verify_system(load("arc-hybrid"), replace(EFFORT, proofs=source))  # type: ignore[arg-type]
    claim, first = report.system.figure.claims[0], report.claims[0]
    theorem = Theorem(claim, None, obligations=(discharged("z3", "cvc5"),), seconds=31.4, kept=kept)
    return replace(report, claims=(replace(first, evidence=first.evidence[:1]).with_theorem(theorem),))


@pytest.mark.nightly
@pytest.mark.solver
def test_the_command_that_reproduces_a_proof_proves() -> None:
    assert verify_command(proved(kept=True)).endswith(" --claims-only --proofs new")
    assert verify_command(proved(kept=False, source="afresh")).endswith(" --proofs afresh")
    assert "--proofs" not in verify_command(verify_system(load("arc-hybrid"), EFFORT))


def test_the_appendix_has_the_time_of_the_proof() -> None:
    assert r"proof: 31.4\,s, kept from an earlier run." in report_latex(Report((proved(kept=True),)))
    assert r"proof: 31.4\,s." in report_latex(Report((proved(kept=False),)))


@pytest.mark.parametrize(
    ("stopped", "kind", "next_step"),
    [
        (KeyboardInterrupt(), Hindrance.INTERRUPTED, "run the command again"),
        (TimeIsOver("the time limit of 1 s was reached"), Hindrance.CUT_SHORT, "allow more time"),
    ],
)
def test_after_an_interruption_the_next_step_is_to_run_the_command_again(
    monkeypatch: pytest.MonkeyPatch, stopped: KeyboardInterrupt, kind: Hindrance, next_step: str
) -> None:
    def stop(*_: object) -> None:
        raise stopped

    monkeypatch.setattr(supervised, "supervised", stop)
    monkeypatch.setattr(supervised, "ready_to_prove", lambda: None)
    system = load("arc-hybrid")
    report, _ = supervised.prove_supervised(system, tasks_of(system, False), lambda _: None, lambda _: None)

    assert report.theorems
    for theorem in report.theorems:
        assert theorem.obstacle is not None
        assert theorem.obstacle.kind is kind
        assert f"; next: {next_step}" in theorem_text(theorem)


@pytest.mark.parametrize(
    ("number", "plural", "said"),
    [
        (1, "terminal configurations", "1 terminal configuration"),
        (1, "trees with gap-degree <= 1", "1 tree with gap-degree <= 1"),
        (1, "runs (1 to the end)", "1 run (1 to the end)"),
        (0, "trees", "0 trees"),
        (2, "projective trees", "2 projective trees"),
    ],
)
def test_one_is_singular(number: int, plural: str, said: str) -> None:
    assert counted_of(number, plural) == said


def test_the_size_of_a_proof_is_counted() -> None:
    claim = load("arc-hybrid").figure.claims[0]
    theorem = Theorem(claim, None, obligations=(discharged("z3", "cvc5"),))

    assert theorem.gist == Gist(1, 0, None)
    assert "1 obligation, 0 conjuncts" in theorem_text(theorem)
    assert not_proved(claim, Hindrance.INTERRUPTED, "interrupted").remedies
