"""Where the clock had a part in what is open, the theorem says so; otherwise a busy machine would decide what is
kept.
"""

from dataclasses import replace

import pytest

from arcproof.properties.proving import prover as proving
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.methods import completeness, lengths
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.redundancy import redundancies
from arcproof.properties.proving.search.houdini import FoundInvariant
from arcproof.properties.proving.theorem import Follows, Hindrance, OncePerPair, Theorem, Topic, not_proved
from arcproof.properties.proving.trusted.discharge import questions
from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.solvers import OUT_OF_TIME, SEEDS, Clock, Result
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System, load
from tests.properties.proving.made_up import discharged


def claim_of(system: System, kind: type[s.Statement]) -> s.Claim:
    return next(claim for claim in system.figure.claims if isinstance(claim.statement, kind))


def open_theorem(about: Topic, timed_out: bool) -> Theorem:
    return replace(not_proved(about, Hindrance.NOT_PRESERVED), timed_out=timed_out)


@pytest.fixture
def unrefuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is explored, and there is nothing to choose from."""
    monkeypatch.setattr(Prover, "_refuted", lambda *_: None)
    monkeypatch.setattr(Prover, "candidates", [])


@pytest.mark.long
@pytest.mark.usefixtures("unrefuted")
@pytest.mark.parametrize("timed_out", [True, False])
def test_a_pair_that_is_not_proved_because_of_the_clock(timed_out: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both for the topic for which it is tried and for the next one, which finds that it was tried."""

    def searched_for(_: Prover, about: Topic, *__: object) -> Theorem:
        return open_theorem(about, timed_out and isinstance(about, OncePerPair))

    monkeypatch.setattr(Prover, "_searched_for", searched_for)
    monkeypatch.setattr(lengths, "_ranked", lambda _, about, __: open_theorem(about, False))
    prover = Prover(load("swap"))
    bound = next(
        claim
        for claim in prover.system.figure.claims
        if isinstance(claim.statement, s.CountBound | s.LengthBound) and claim.statement.relation == "<="
    )

    assert [prover.about(bound).timed_out for _ in range(2)] == [timed_out, timed_out]
    assert not prover.about(claim_of(prover.system, s.Sound)).timed_out, "which has nothing to do with pairs"


@pytest.mark.usefixtures("unrefuted")
@pytest.mark.parametrize("timed_out", [True, False])
def test_a_soundness_that_is_not_proved_because_of_the_clock(timed_out: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Completeness rests on the first soundness that is proved; here the clock ended the first, and the last fails."""
    system = load("arc-eager")
    first = claim_of(system, s.Sound)

    def searched_for(_: Prover, about: Topic, *__: object) -> Theorem:
        return open_theorem(about, timed_out and about == first)

    ends = Theorem(lengths.ENDS, None, obligations=(discharged("z3", "cvc5"),))
    monkeypatch.setattr(Prover, "_searched_for", searched_for)
    monkeypatch.setattr(completeness, "terminates", lambda _: ends)
    monkeypatch.setattr(completeness, "_misled", lambda *_: None)

    theorem = Prover(system).about(claim_of(system, s.CompleteFor))
    assert theorem.obstacle is not None
    assert theorem.obstacle.kind is Hindrance.OPEN_SOUNDNESS
    assert theorem.timed_out is timed_out


@pytest.mark.usefixtures("unrefuted")
@pytest.mark.parametrize("timed_out", [True, False])
def test_a_search_that_the_clock_influenced_and_a_check_that_fails(
    timed_out: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = FoundInvariant((), (), {}, {}, (), 0, timed_out)
    monkeypatch.setattr(proving, "search", lambda *_: found)
    monkeypatch.setattr(Prover, "_checked", lambda _, about, *__: open_theorem(about, False))
    system = load("arc-eager")
    prover = Prover(system)

    assert [prover.about(claim_of(system, s.Sound)).timed_out for _ in range(2)] == [timed_out, timed_out]


@pytest.mark.usefixtures("unrefuted")
def test_what_has_no_symbolic_meaning_after_the_clock_interfered(monkeypatch: pytest.MonkeyPatch) -> None:
    def ranked(prover: Prover, about: Topic, _: object) -> Theorem:
        prover.clock.see(OUT_OF_TIME)
        raise proving.Unsupported(f"nothing more is known about {about}")

    monkeypatch.setattr(lengths, "_ranked", ranked)
    system = load("arc-eager")

    assert Prover(system).about(claim_of(system, s.LengthBound)).timed_out


def test_an_obligation_that_the_clock_left_open_before() -> None:
    obligation = Obligation("hard", (), t.at_most(1, t.constant("n")))
    prover, clock = Prover(load("arc-eager")), Clock()
    asked, *_ = questions(obligation, SEEDS)
    prover.answers.known[asked] = Result("z3", "unknown", 60.0, OUT_OF_TIME)

    assert not prover._holds(clock, obligation, True)
    assert clock.has_decided


def test_a_precondition_that_is_not_proved_redundant_because_of_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is one topic like any other, and the clock of the one before does not affect it."""
    kept: list[Theorem] = []

    class Everything:
        def recall(self, _: System, __: Topic) -> Theorem | None:
            return None

        def keep(self, _: System, theorem: Theorem) -> None:
            kept.append(theorem)

    def searched_for(_: Prover, about: Topic, *__: object) -> Theorem:
        assert isinstance(about, Follows)
        return open_theorem(about, about.transition == "LEFT-ARC")

    monkeypatch.setattr(Prover, "candidates", [])
    monkeypatch.setattr(Prover, "_searched_for", searched_for)
    monkeypatch.setattr("arcproof.properties.proving.redundancy._blocked", lambda *_: None)
    redundancies(Prover(load("arc-eager")), Everything())

    transitions = {theorem.about.transition for theorem in kept if isinstance(theorem.about, Follows)}
    assert transitions
    assert "LEFT-ARC" not in transitions
