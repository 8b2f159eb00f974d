"""Unambiguity: which systems have one derivation for each output, and the smallest output with two, in every report."""

import json

import pytest

from arcproof.documents.verify import document
from arcproof.documents.wire import json_text
from arcproof.properties.engines.engine import ENGINES, EngineName, engine_for
from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.evidence import Exhausted, NoCase, Open, Refuted
from arcproof.properties.property import check_statement
from arcproof.properties.proving.prover import Prover
from arcproof.properties.report import Effort, Report
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.reports.appendix import report_latex
from arcproof.reports.findings import counterexample_lines
from arcproof.reports.page import report_html
from arcproof.reports.proofs import theorem_text
from arcproof.transitions import syntax as s
from arcproof.transitions.library import source_of, system_names
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.system import System, load

CLAIM = s.Claim(s.Unambiguous())

LOOP = """system loop
  cite "in no paper"
  state stack σ, buffer β
  start [], [1..n]
  final β = []

  SHIFT   σ, i|β    =>  σ|i, β
  TURN    σ, i|j|β  =>  σ, j|i|β

  oracle none
"""


def claiming(name: str, claim: str = "unambiguous") -> System:
    return load(source_of(name).replace("  claims\n", f"  claims\n    {claim}\n"))


def runs_of(found: Refuted) -> tuple[str, str]:
    assert found.counterexample.transitions is not None
    assert found.counterexample.other is not None
    one, other = found.counterexample.transitions, found.counterexample.other
    return " ".join(t.instance for t in one), " ".join(t.instance for t in other)


def test_it_is_read_and_printed() -> None:
    system = claiming("arc-hybrid")

    assert system.figure.claims[0] == CLAIM
    assert "    unambiguous\n" in to_source(system.figure)


@pytest.mark.long
@pytest.mark.parametrize("name", system_names())
def test_it_agrees_with_the_number_of_derivations(name: str) -> None:
    """Derivations are counted elsewhere, along all paths; here no path is counted."""
    system = load(name)
    counts = [explore(system, words).ambiguity for words in range(1, 4)]
    expected = all(count is not None and count.most == 1 for count in counts)

    found = check_statement(Levels(system, 3), s.Unambiguous())
    assert isinstance(found, Exhausted) is expected
    assert found.verdict in (Verdict.EXHAUSTED, Verdict.REFUTED)


@pytest.mark.compiler
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("name", "words", "runs"),
    [
        ("list-nonprojective", 1, ("SHIFT", "NO-ARC SHIFT")),
        ("arc-eager", 2, ("RIGHT-ARC SHIFT", "RIGHT-ARC REDUCE SHIFT")),
        ("attardi", 2, ("SHIFT RIGHT-ARC[1] SHIFT RIGHT-ARC[1]", "SHIFT SHIFT RIGHT-ARC[2] RIGHT-ARC[1]")),
    ],
)
def test_the_smallest_output_with_two(name: str, words: int, runs: tuple[str, str], engine: EngineName) -> None:
    system = load(name)
    found = check_statement(Levels(system, 3, engine=engine_for(system, engine)), s.Unambiguous())

    assert isinstance(found, Refuted)
    assert found.words == words
    assert runs_of(found) == runs


def test_a_loop_makes_derivations_without_end() -> None:
    """Once round is another derivation; a count of derivations would not end."""
    found = check_statement(Levels(load(LOOP), 3), s.Unambiguous())

    assert isinstance(found, Refuted)
    assert runs_of(found) == ("SHIFT SHIFT", "TURN SHIFT SHIFT")


def test_where_nothing_ends_nothing_is_checked() -> None:
    endless = load(LOOP.replace("final β = []", "final β = [], σ = [], β != []"))
    found = check_statement(Levels(endless, 2), s.Unambiguous())

    assert isinstance(found, Open)
    assert isinstance(found.why, NoCase)


@pytest.mark.solver
def test_the_prover_refutes_it_by_a_witness_or_says_why_it_is_open() -> None:
    refuted = Prover(load("arc-eager")).about(CLAIM)
    left_open = Prover(load("nl-covington")).about(CLAIM)

    assert refuted.verdict is Verdict.REFUTED
    assert refuted.counterexample is not None
    assert refuted.counterexample.other is not None
    assert left_open.verdict is Verdict.UNKNOWN
    assert theorem_text(left_open).startswith("the invariant found is too weak to prove")


def test_every_report_shows_both_derivations() -> None:
    found = verify_system(claiming("arc-eager"), Effort(2, Sampling(0), in_depth=False, engine="interpreter"))
    report = Report((found,))
    claim = json.loads(json_text(document(report)))["systems"][0]["claims"][0]
    page, latex = report_html(report), report_latex(report)

    assert found.status(Verdict.SAMPLED) == "refuted"
    assert (claim["claim"], claim["of"], claim["verdict"]) == ("unambiguous", None, "refuted")
    assert claim["counterexample"]["other_transitions"] == ["RIGHT-ARC", "REDUCE", "SHIFT"]
    counterexample = found.claims[0].counterexample
    assert counterexample is not None
    assert counterexample_lines(counterexample)[-2:] == ["run: RIGHT-ARC SHIFT", "and: RIGHT-ARC REDUCE SHIFT"]
    assert 'aria-label="One derivation' in page
    assert 'aria-label="Another derivation' in page
    assert 'title="every output has exactly one derivation"' in page
    assert "Every output has exactly one derivation, labels aside." in latex
    assert r"The other: \textsc{Right-Arc} \textsc{Reduce} \textsc{Shift}." in latex


def test_a_published_claim_may_be_marked_as_refuted() -> None:
    system = claiming("list-nonprojective", "published unambiguous, refuted")
    found = verify_system(system, Effort(2, Sampling(0), in_depth=False, engine="interpreter"))

    assert found.claims[0].met is True
