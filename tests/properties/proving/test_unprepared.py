"""Figures that nothing was prepared for: what the search proves of them by itself, and what it must not prove."""

import pytest

from arcproof.properties.proving.methods.completeness import sound
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.theorem import topic_text
from arcproof.properties.proving.trusted.witness import NotAnInvariant
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.library import source_of
from arcproof.transitions.system import System, load

pytestmark = pytest.mark.solver
PLANAR = source_of("planar")
POINTER = source_of("pointer")
NIVRE_2008B = source_of("nivre-2008b")
TWICE_IN_ONE = """system twice-in-one
  cite "in no paper"
  shared
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT   σ, i|β    =>  σ|i, β
  AGAIN   σ, i|β    =>  σ|i|i, β

  claims
    length = n
"""


def proved(system: System, text: str) -> bool:
    """Whether the search proves the claim that begins with the text, without a certificate."""
    (claim,) = [claim for claim in system.figure.claims if topic_text(claim).startswith(text)]
    return Prover(system).about(claim).verdict is Verdict.PROVED


@pytest.mark.nightly
def test_the_search_finds_a_proof_of_completeness_without_a_certificate() -> None:
    assert proved(load("arc-standard-stack"), "complete")


@pytest.mark.parametrize("text", ["sound", "length", "no dead ends"])
def test_claims_about_a_shared_figure_are_proved(text: str) -> None:
    assert proved(load(POINTER), text)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["link2", "attardi-original"])
def test_lines_of_an_oracle_that_projective_graphs_never_need_are_proved_dead(name: str) -> None:
    assert proved(load(name), "complete projective")


def test_a_node_that_may_be_twice_in_one_sequence_has_no_proof() -> None:
    """Its place would be one of two, and a condition about the sequence could be read wrongly."""
    assert not proved(load(TWICE_IN_ONE), "length")


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        pytest.param(PLANAR, "if no head(j), not i <->* j", marks=pytest.mark.nightly),
        (POINTER, "if not j ->* p, p != 0 or no dependent(0)"),
        pytest.param(NIVRE_2008B, "i != 0, ", marks=pytest.mark.nightly),
    ],
    ids=["planar", "pointer", "nivre-2008b"],
)
def test_nothing_is_proved_of_a_figure_that_lost_its_conditions(text: str, lost: str) -> None:
    """The interpreter, which would refute the claim at once, is not asked."""
    system = load(text.replace(lost, "", 1))
    claim = system.figure.claims[0]
    assert isinstance(claim.statement, s.Sound)
    try:
        theorem = sound(Prover(system, rlimit=20_000), claim, claim.statement.graphs)
    except NotAnInvariant:
        return
    assert theorem.verdict is not Verdict.PROVED


def test_where_0_stands_is_known_although_words_are_swapped() -> None:
    assert proved(load(NIVRE_2008B), "sound")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("nonmonotonic-2015", ("sound", "length <=", "terminates")),
        ("spacy", ("sound", "terminates")),
        ("two-planar", ("length", "terminates")),
    ],
)
def test_figures_with_sets_flags_and_two_stacks_are_sound_and_end(name: str, texts: tuple[str, ...]) -> None:
    system = load(name)

    assert [text for text in texts if not proved(system, text)] == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    "name",
    ["easy-first", "hybrid-swap", "nonmonotonic-2013", "nonmonotonic-2015", "planar", "pointer", "tree-constrained"],
)
def test_later_figures_are_proved_complete_by_the_search(name: str) -> None:
    assert proved(load(name), "complete")
