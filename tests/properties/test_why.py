"""Why a transition has its preconditions: the smallest run that goes wrong, drawn, or that it is redundant."""

import json
from collections.abc import Callable
from importlib.resources import files

import jsonschema
import pytest

from arcproof.documents.why import document
from arcproof.documents.wire import json_text
from arcproof.properties.engines.engine import EngineName
from arcproof.properties.proving.redundancy import Precondition, Redundancies
from arcproof.properties.proving.theorem import Hindrance, Theorem, not_proved
from arcproof.properties.studies.why import Why, why
from arcproof.reports.why import pictures, to_text
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System, load
from tests.properties.proving.made_up import discharged

CASES = """system cases
  state   stack σ, buffer β
  start   [0], [1..n]
  final   β = []

  ADD(l)  σ|i, [j]    =>  σ|i, []    add i -l-> j  if i = 0
  ADD(l)  σ|i, j|k|β  =>  σ|i, k|β   add i -l-> j  if i = 0, j < k

  oracle none

  claims
    sound projective trees
    length = n
"""

ABOUT = s.Claim(s.Terminates())


@pytest.fixture(scope="module")
def left_arc() -> Why:
    return why(load("arc-eager"), "LEFT-ARC", words=3)


def test_the_run_is_one_of_the_figure_without_the_precondition_and_of_no_other(left_arc: Why) -> None:
    for reason in left_arc.reasons:
        assert reason.run is not None
        transitions = [transition._replace(label=None) for transition in reason.run.transitions]
        c = left_arc.system.start(reason.need.words)
        for transition in transitions[:-1]:
            c = left_arc.system.apply(c, transition)
        assert transitions[-1] not in left_arc.system.permissible(c)
        assert len(reason.without.transitions["LEFT-ARC"][0].preconditions) == 1


def test_a_redundant_precondition_is_said_to_be_so_as_far_as_was_tried() -> None:
    found = why(load("arc-eager"), "RIGHT-ARC", words=4)

    assert "`no head(j)` is redundant; without it nothing changes, up to 4 words" in to_text(found)
    assert found.exit_code == 0
    assert pictures(found) == {}


def test_a_precondition_that_no_claim_asks_for() -> None:
    text = to_text(why(load("attardi"), "LEFT-ARC", words=4))

    assert (
        "`|τ| <= d - 1` is free; without it more transitions are permissible, but no claim or check depends "
        "on it, up to 4 words" in text
    )


@pytest.mark.compiler
def test_several_cases_are_explored_by_the_interpreter() -> None:
    found = why(load(CASES), "ADD", words=3, engine="compiled")

    assert [(reason.need.precondition, reason.need.status) for reason in found.reasons] == [
        ("i = 0", "redundant"),
        ("i = 0", "redundant"),
        ("j < k", "redundant"),
    ]


@pytest.mark.parametrize("engine", ["interpreter", pytest.param("compiled", marks=pytest.mark.compiler)])
def test_what_tells_cases_apart_is_not_dropped(engine: EngineName) -> None:
    """The engines contradicted each other where cases overlap: each took another one."""
    found = why(load("nonmonotonic-2013"), "REDUCE", words=3, engine=engine)

    assert {(reason.need.status, reason.need.problem) for reason in found.reasons} == {
        ("unknown", "two cases of REDUCE overlap")
    }
    assert "`head(i)` distinguishes cases; without it two cases of REDUCE overlap" in to_text(found)
    assert found.exit_code == 0


@pytest.mark.compiler
def test_counting_moves_says_the_same_as_comparing_them() -> None:
    """Where the compiled engine is asked it counts; a self-loop that adds no configuration is still a move, and a run
    that does not end.
    """
    text = (
        "system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal β = []\nSHIFT σ, i|β => σ|i, β\nSTAY σ|i, "
        "j|β => σ|i, j|β if i = 0, i > j\nclaims\nsound forests\n"
    )
    statuses = {
        engine: [reason.need.status for reason in why(load(text), "STAY", words=2, engine=engine).reasons]  # type: ignore[arg-type]
        for engine in ("compiled", "interpreter")
    }

    assert statuses["compiled"] == statuses["interpreter"] == ["redundant", "needed"]


def answered(theorem: Theorem) -> Callable[[System], Redundancies]:
    """The prover's answer about every precondition of arc-eager."""
    names = [("LEFT-ARC", "i != 0"), ("LEFT-ARC", "no head(i)"), ("RIGHT-ARC", "no head(j)"), ("REDUCE", "head(i)")]
    return lambda _: Redundancies(
        tuple(Precondition(name, None, name, text, theorem, None) for name, text in names), ()
    )


@pytest.mark.parametrize(
    ("theorem", "words"),
    [
        (
            Theorem(ABOUT, None, obligations=(discharged("z3", "cvc5"),)),
            "proved: it follows from the others for sentences of every length, by z3 and cvc5\n",
        ),
        (
            Theorem(ABOUT, None, obligations=(discharged("z3"),), assumptions=("a lemma",)),
            "proved: it follows from the others for sentences of every length, by z3, assuming a lemma\n",
        ),
        (
            not_proved(ABOUT, Hindrance.NOTHING_TO_SHOW),
            "for sentences of every length this is unknown: there is nothing to prove; next: try all short "
            "sentences (`verify`)\n",
        ),
    ],
)
def test_a_proof_is_told_where_a_precondition_is_redundant(theorem: Theorem, words: str) -> None:
    redundant = why(load("arc-eager"), "RIGHT-ARC", words=2, proofs=answered(theorem))

    assert to_text(redundant).endswith(words)
    jsonschema.validate(json.loads(json_text(document(redundant))), schema())
    needed = why(load("arc-eager"), "LEFT-ARC", words=2, proofs=answered(theorem))
    assert all(reason.proof is None for reason in needed.reasons)
    assert "every length" not in to_text(needed)


# --- formats ---------------------------------------------------------------------------------------------------------


def schema() -> dict[str, object]:
    loaded: dict[str, object] = json.loads(files("arcproof.schemas").joinpath("why.schema.json").read_text())
    return loaded
