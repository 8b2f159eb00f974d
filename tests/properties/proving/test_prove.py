"""What is proved, and what must never be."""

from dataclasses import replace

import pytest

from arcproof.properties.proving.arguments import WrongAxiom
from arcproof.properties.proving.goals.soundness import soundness
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.library.gold import axioms, false_axiom, lemmas, premises, proofs
from arcproof.properties.proving.meaning.conditions import GOLD
from arcproof.properties.proving.methods import completeness as completeness_module
from arcproof.properties.proving.methods.completeness import complete, sound
from arcproof.properties.proving.methods.lengths import best_length
from arcproof.properties.proving.prove import prove
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.search.houdini import search
from arcproof.properties.proving.trusted.discharge import (
    Certificate,
    Incomplete,
    SolversDisagree,
    discharge,
    obligations,
)
from arcproof.properties.proving.trusted.facts import Candidate
from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.problem import ForGoal, Goal
from arcproof.properties.proving.trusted.solvers import Result, ask_cvc5, ask_z3
from arcproof.properties.proving.trusted.witness import NotAnInvariant
from arcproof.properties.verdict import Verdict
from arcproof.transitions.syntax import Claim, GraphClass, Restriction, Sound
from arcproof.transitions.system import load

BOTH = ("z3", "cvc5")
PROJECTIVE_FORESTS = GraphClass((Restriction("projective"),), "forests")
SOUND = Claim(Sound(PROJECTIVE_FORESTS))

INVENTED = """system invented
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final σ = [0], β = []

  TAKE(l)   σ|i, j|β  =>  σ, j|β    add j -l-> i   if i != 0
  GIVE(l)   σ|i, j|β  =>  σ|i, β    add i -l-> j
  SHIFT     σ, j|β    =>  σ|j, β
  LAST(l)   σ|i|j, [] =>  σ|i, []   add i -l-> j

  oracle none

  claims
    sound trees
    terminates
"""


def verdicts(text: str) -> dict[str, Verdict]:
    return {theorem.claim: theorem.verdict for theorem in prove(load(text)).theorems}


@pytest.mark.solver
def test_a_system_is_given_as_for_verify() -> None:
    text = (
        "system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal β = []\nSHIFT  σ, i|β => σ|i, "
        "β\nclaims\nlength = n\n"
    )

    assert [theorem.verdict for theorem in prove(text).theorems] == [Verdict.PROVED]
    assert prove(text).system == prove(load(text)).system


@pytest.mark.solver
def test_a_soundness_proof_names_its_invariant_and_is_confirmed_by_both_solvers() -> None:
    theorem = sound(Prover(load("arc-standard")), SOUND, PROJECTIVE_FORESTS)

    assert theorem.verdict is Verdict.PROVED
    assert theorem.solvers == BOTH
    assert theorem.assumptions == ()
    assert "PROJECTIVITY" in {conjunct.name for conjunct in theorem.invariant}
    assert {w.words for w in theorem.witnesses} == {3, 5}


@pytest.mark.solver
def test_an_invented_figure_is_proved_with_nothing_typed_in() -> None:
    assert verdicts(INVENTED) == {"sound trees": Verdict.PROVED, "terminates": Verdict.PROVED}


@pytest.mark.solver
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if i != 0", ""),
        ("σ|i, j|β  =>  σ|i, β    add i -l-> j", "σ|i, j|β  =>  σ|i, β    add j -l-> i"),
        ("GIVE(l)   σ|i, j|β  =>  σ|i, β    add i -l-> j", "GIVE   σ|i, j|β  =>  σ|i, β"),
        ("final σ = [0], β = []", "final β = []"),
    ],
)
def test_a_broken_variant_is_never_proved(old: str, new: str) -> None:
    assert old in INVENTED
    assert verdicts(INVENTED.replace(old, new))["sound trees"] is Verdict.REFUTED


@pytest.mark.nightly
def test_every_claim_of_a_classic_is_proved() -> None:
    report = prove(load("arc-eager"))

    assert [(theorem.verdict, theorem.solvers) for theorem in report.theorems] == [(Verdict.PROVED, BOTH)] * 8


@pytest.mark.nightly
@pytest.mark.parametrize(
    "name", ["arc-standard", "arc-standard-stack", "list-nonprojective", "list-projective", "choi-palmer"]
)
def test_the_theorems_of_the_papers(name: str) -> None:
    prover = Prover(load(name))
    theorems = [prover.about(claim) for claim in prover.system.figure.claims[:2]]

    assert [(theorem.verdict, theorem.solvers) for theorem in theorems] == [(Verdict.PROVED, BOTH)] * 2


# --- nothing false is proved -----------------------------------------------------------------------------------------


@pytest.mark.solver
def test_false_does_not_follow_from_what_was_found() -> None:
    prover = Prover(load("arc-standard"))
    problem = soundness(prover.meanings, PROJECTIVE_FORESTS)
    absurd = replace(problem, goals=(Goal("false", (), t.FALSE),))

    assert list(search(absurd, prover.candidates, 500_000).failed) == ["false"]


@pytest.mark.solver
def test_a_negated_theorem_is_not_proved() -> None:
    prover = Prover(load("arc-standard-stack"))
    problem = soundness(prover.meanings, PROJECTIVE_FORESTS)
    goals = tuple(Goal(f"not {goal.name}", goal.premises, t.negation(goal.term)) for goal in problem.goals[:3])

    assert len(search(replace(problem, goals=goals), prover.candidates, 500_000).failed) == 3


@pytest.mark.solver
def test_a_certificate_that_leaves_something_out_is_refused() -> None:
    prover = Prover(load("arc-standard"))
    problem = soundness(prover.meanings, GraphClass((), "forests"))
    found = search(problem, prover.candidates, 3_000_000)
    key = next(key for key in found.cores if not isinstance(key, ForGoal))
    holey = {k: core for k, core in found.cores.items() if k != key}

    assert obligations(problem, Certificate(found.invariant, (), found.cores), prover.candidates)
    with pytest.raises(Incomplete, match="is not shown"):
        obligations(problem, Certificate(found.invariant, (), holey), prover.candidates)
    with pytest.raises(Incomplete, match="uses a premise that is not given"):
        obligations(problem, Certificate(found.invariant, (), {**found.cores, key: ("false",)}), prover.candidates)


SIX_WORDS = """\
system six
  state stack σ, buffer β
  start [], [1..n]
  final σ = [], β = []
  SHIFT   σ, i|β           => σ|i, β
  DROP    σ|i, β           => σ, β
  MANY    σ|a|b|c|d|e|f, β => σ, β
  claims
    length <= 2n
"""


@pytest.mark.solver
def test_a_transition_that_needs_six_words_is_found_in_a_longer_run() -> None:
    """The premises were said to be perhaps contradictory, though runs of six words reach them."""
    assert list(verdicts(SIX_WORDS).values()) == [Verdict.PROVED]


@pytest.mark.solver
def test_premises_that_no_configuration_satisfies_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A contradiction among the axioms proves every goal; the witnesses notice."""
    false = ("contradiction", t.less(t.constant("n"), 0))

    def poisoned(*arguments: object) -> object:
        problem = soundness(*arguments)  # type: ignore[arg-type]
        return replace(problem, axioms=(*problem.axioms, false))

    monkeypatch.setattr(completeness_module, "soundness", poisoned)

    with pytest.raises(NotAnInvariant):
        sound(Prover(load("arc-standard")), SOUND, PROJECTIVE_FORESTS)


@pytest.mark.solver
def test_a_gold_axiom_that_is_too_strong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    system = load("arc-eager")
    strong = Candidate("nothing hangs on 0", lambda _: t.for_all(lambda x: t.negation(GOLD.arc(t.Integer(0), x))))

    assert false_axiom(system, PROJECTIVE_FORESTS, premises(axioms(system, PROJECTIVE_FORESTS)), 5) is None
    assert "nothing hangs on 0 is false" in (false_axiom(system, PROJECTIVE_FORESTS, premises([strong])) or "")
    monkeypatch.setattr(completeness_module, "gold_axioms", lambda *_: [strong])
    with pytest.raises(WrongAxiom):
        complete(Prover(system), "complete", PROJECTIVE_FORESTS)


@pytest.mark.solver
def test_lemmas_about_gold_graphs_are_proved_by_both_solvers_and_true() -> None:
    system = load("arc-eager")
    given = axioms(system, PROJECTIVE_FORESTS)
    proved = lemmas(given)

    assert false_axiom(system, PROJECTIVE_FORESTS, premises([lemma.candidate for lemma in proved]), 4) is None
    for step in proofs(given, proved):
        assert (step.name, ask_z3(step).answer, ask_cvc5(step).answer) == (step.name, "unsat", "unsat")


@pytest.mark.solver
def test_solvers_that_disagree_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcproof.properties.proving.trusted.discharge.ask_cvc5", lambda *_: Result("cvc5", "sat", 0.0))

    with pytest.raises(SolversDisagree):
        discharge(Obligation("trivial", (), t.TRUE))


@pytest.mark.solver
def test_both_solvers_refute_what_is_false() -> None:
    wrong = Obligation("wrong", (("n ≥ 1", t.at_most(1, t.constant("n"))),), t.at_most(2, t.constant("n")))

    assert ask_z3(wrong).answer == "sat"
    assert ask_cvc5(wrong).answer == "sat"


@pytest.mark.solver
def test_a_better_bound_than_the_one_claimed_is_proved_and_attained() -> None:
    prover = Prover(load("arc-eager"))
    better = best_length(prover)
    assert better is not None
    assert str(better) == "length <= 2n - 1 for n >= 1, which some run attains up to 4 words"
    theorem = prover.about(better)
    assert theorem.solvers == ("z3", "cvc5")
    assert theorem.seconds > 0


def test_a_bound_that_is_attained_is_not_bettered() -> None:
    assert best_length(Prover(load("arc-standard"))) is None


RARELY_TWICE = """
system rarely-twice
  state   stack σ, buffer β, counter k, flag e
  start   [0], [1..n], 0, false
  final   β = []

  A        σ, i|β, k, false   =>  σ|i, β, k + 1, true
  A        σ, i|β, k, true    =>  σ|i, β, 0, false
  B        σ, i|β, k, true    =>  σ|i, β, k + 1, false
  B        σ, i|β, k, false   =>  σ|i, β, 0, false
  TWICE    σ|i|j, β, k, e     =>  σ|i|j, β, k, e    add i -> j    if k = 4, n > 4, j != 0

  claims
    sound    forests
"""


@pytest.mark.compiler
def test_a_refutation_by_a_random_run_is_replaced_by_one_with_fewest_words() -> None:
    """Random runs find it with 6 words or more."""
    (theorem,) = prove(load(RARELY_TWICE)).theorems

    assert theorem.counterexample is not None
    assert theorem.counterexample.words == 5
