"""Sentences about findings: why something is open, how to get it again, and how many of what."""

from dataclasses import replace

import pytest

from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.proving.theorem import Theorem
from arcproof.properties.report import Effort, SystemReport
from arcproof.properties.verify import verify_system
from arcproof.reports.scope import verify_command
from arcproof.transitions.system import load
from tests.properties.proving.made_up import discharged

EFFORT = Effort(2, Sampling(0), engine="interpreter", in_depth=False)


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
