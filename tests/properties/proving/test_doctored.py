"""Certificates that somebody doctored: whatever they say, nothing is proved that does not follow.

The interpreter, which would refute what is false at once, is kept from trying (`trusting`).
"""

from collections.abc import Callable
from dataclasses import replace

import pytest

from arcproof.properties.checks.invariant import Invariance
from arcproof.properties.proving.certificates.files import from_text, identity, on_file, to_text
from arcproof.properties.proving.goals.soundness import soundness
from arcproof.properties.proving.goals.space import problem_of
from arcproof.properties.proving.prove import ProofReport, prove
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.theorem import Hindrance, Theorem
from arcproof.properties.proving.trusted.discharge import Certificate, required
from arcproof.properties.proving.trusted.problem import AfterMove, AtStart, ForGoal, Goal, Key
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System, load
from tests.properties.proving.made_up import CHAIN

pytestmark = pytest.mark.solver

SOUND_CHAIN = CHAIN.replace("    length = n\n", "")
BOUNDED = """system bounded
  cite "in no paper"
  parameter d = 1
  state   stack σ, buffer β, counter k
  start   [0], [1..n], 0
  final   β = []

  SHIFT   σ, i|β, k  =>  σ|i, β, k
  WAIT    σ, i|β, k  =>  σ, i|β, k + 1   if k < d

  invariant k <= 1

  oracle none

  claims
    terminates
"""
LITTLE = 300_000
FORESTS = s.GraphClass((s.Restriction("projective"),), "forests")


@pytest.fixture(scope="module")
def system() -> System:
    return load(SOUND_CHAIN)


@pytest.fixture(scope="module")
def searched(system: System) -> ProofReport:
    report = prove(system)
    assert report.theorems[0].verdict is Verdict.PROVED
    return report


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Prover, "_refuted", lambda *_: None)


def checked(system: System, certificate: Certificate) -> Theorem:
    """Soundness by a certificate that comes from a file, whatever problem it was written for."""
    name = identity(soundness(Prover(system).meanings, FORESTS))
    on_paper = from_text(to_text(system.name, {name: certificate}))
    return Prover(system, rlimit=LITTLE, certificates=on_paper).about(system.figure.claims[0])


def own(searched: ProofReport, system: System) -> Certificate:
    return searched.certificates[identity(soundness(Prover(system).meanings, FORESTS))]


# --- what does not fit the problem -----------------------------------------------------------------------------------


def _elsewhere(certificate: Certificate, kind: type[Key], premises: tuple[str, ...]) -> Certificate:
    """With these premises for every step of a kind."""
    return replace(certificate, cores={k: premises if isinstance(k, kind) else c for k, c in certificate.cores.items()})


def with_a_conjunct_renamed(certificate: Certificate) -> Certificate:
    first, *others = certificate.invariant
    return replace(certificate, invariant=(f"{first}!", *others))


def with_a_conjunct_named_twice(certificate: Certificate) -> Certificate:
    return replace(certificate, invariant=(*certificate.invariant, certificate.invariant[0]))


def with_another_conjunct_under_its_name(certificate: Certificate) -> Certificate:
    """Which is a candidate too, but none of the steps is about it."""
    assert "σ is as it was at the start" not in certificate.invariant
    return replace(certificate, invariant=("σ is as it was at the start", *certificate.invariant[1:]))


def with_premises_of_another_move(certificate: Certificate) -> Certificate:
    """SHIFT does not ask what ARC asks."""
    cores = dict(certificate.cores)
    key = next(key for key in cores if isinstance(key, AfterMove) and key.move == "SHIFT")
    return replace(certificate, cores={**cores, key: (*cores[key], "if i < j")})


def with_the_invariant_at_the_start(certificate: Certificate) -> Certificate:
    """That it holds there would follow from itself."""
    return _elsewhere(certificate, AtStart, certificate.invariant)


def with_a_goal_among_the_premises(certificate: Certificate) -> Certificate:
    return _elsewhere(certificate, ForGoal, ("at the end ACYCLICITY",))


@pytest.mark.parametrize(
    "doctored",
    [
        with_a_conjunct_renamed,
        with_a_conjunct_named_twice,
        with_another_conjunct_under_its_name,
        with_premises_of_another_move,
        with_the_invariant_at_the_start,
        with_a_goal_among_the_premises,
    ],
)
def test_what_does_not_fit_the_problem_is_refused(
    doctored: Callable[[Certificate], Certificate], system: System, searched: ProofReport
) -> None:
    theorem = checked(system, doctored(own(searched, system)))

    assert theorem.obstacle is not None
    assert theorem.obstacle.kind is Hindrance.MISFIT


def test_an_honest_certificate_is_accepted(system: System, searched: ProofReport) -> None:
    assert checked(system, own(searched, system)).verdict is Verdict.PROVED


# --- what fits, and does not follow ----------------------------------------------------------------------------------


def with_cores_swapped(certificate: Certificate) -> Certificate:
    """Every goal by the premises of the next."""
    keys = [key for key in certificate.cores if isinstance(key, ForGoal) and key.name.startswith("at the end")]
    cores = [tuple(n for n in certificate.cores[key] if not n.startswith("terminal")) for key in keys]
    assert len(set(cores)) > 1
    swapped = dict(zip(keys, [*cores[1:], cores[0]], strict=True))
    return replace(certificate, cores={**certificate.cores, **swapped})


def with_a_conjunct(name: str) -> Callable[[Certificate], Certificate]:
    """With one more conjunct, shown from itself at every step, and used for every goal."""

    def doctored(certificate: Certificate) -> Certificate:
        invariant = (*certificate.invariant, name)
        steps: dict[Key, tuple[str, ...]] = {AtStart(name): ()}
        steps |= {AfterMove(name, move): (name,) for move in ("SHIFT", "ARC")}
        goals = {k: (*core, name) for k, core in certificate.cores.items() if isinstance(k, ForGoal)}
        return Certificate(invariant, certificate.lemmas, {**certificate.cores, **steps, **goals})

    return doctored


@pytest.mark.usefixtures("trusting")
@pytest.mark.parametrize(
    "doctored",
    [
        pytest.param(with_cores_swapped, id="cores swapped"),
        pytest.param(with_a_conjunct("σ is as it was at the start"), id="false after a step"),
        pytest.param(with_a_conjunct("in σ no node has a head"), id="false after another step"),
        pytest.param(with_a_conjunct("every node of β: it is 0"), id="mined and false at the start"),
        pytest.param(with_a_conjunct("every node of σ: not it has a head, or it is 0"), id="mined and false later"),
    ],
)
def test_what_does_not_follow_is_not_discharged(
    doctored: Callable[[Certificate], Certificate], system: System, searched: ProofReport
) -> None:
    theorem = checked(system, doctored(own(searched, system)))

    assert theorem.obstacle is not None
    assert theorem.obstacle.kind is Hindrance.UNDISCHARGED


@pytest.mark.usefixtures("trusting")
def test_a_certificate_of_another_figure_does_not_prove_this_one(system: System, searched: ProofReport) -> None:
    """Its arcs go over a word, and may cross."""
    broken = load(SOUND_CHAIN.replace("σ|i, j|β  =>  σ|j, β   add i -l-> j", "σ|i, j|k|β  =>  σ|j|k, β   add i -l-> k"))
    for certificate in (own(searched, system), *on_file("arc-standard-stack").values()):
        assert checked(broken, certificate).verdict is Verdict.UNKNOWN


# --- parameters, empty proofs ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("trusting")
def test_a_certificate_for_one_value_of_a_parameter_proves_nothing_for_another() -> None:
    """k <= 1 is true for d = 1 alone."""
    proved = prove(load(BOUNDED))
    assert [theorem.verdict for theorem in proved.theorems if isinstance(theorem.about, Invariance)] == [Verdict.PROVED]
    other = load(BOUNDED.replace("d = 1", "d = 2"))
    prover = Prover(other)
    (condition,) = other.figure.invariants
    about = Invariance(condition)
    goal = Goal(str(about), (), prover.meanings.says(condition, prover.meanings.before))
    name = identity(problem_of(prover.meanings, (goal,)))
    assert name not in proved.certificates
    for certificate in proved.certificates.values():
        again = Prover(other, certificates={**proved.certificates, name: certificate}).about(about)
        assert again.verdict is Verdict.UNKNOWN


@pytest.mark.usefixtures("trusting")
def test_a_certificate_that_uses_nothing_proves_nothing(system: System) -> None:
    problem = soundness(Prover(system).meanings, FORESTS)
    empty = Certificate((), (), {})
    for certificate in (empty, replace(empty, cores=dict.fromkeys(required(problem, empty), ()))):
        assert checked(system, certificate).verdict is Verdict.UNKNOWN
