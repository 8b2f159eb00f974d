"""Methods for claims that are not about all runs of one system: witnesses, dead ends, parts of a class, two systems."""

from functools import partial

import pytest

from arcproof.properties.engines.exploration import explore
from arcproof.properties.evidence import Proved
from arcproof.properties.finding import Finding
from arcproof.properties.proving.arguments import Argument, run_models
from arcproof.properties.proving.certificates.files import on_file
from arcproof.properties.proving.goals.dead_ends import no_dead_ends
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.library.gold import is_part
from arcproof.properties.proving.meaning.model import domain, model_of
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.methods import equivalence
from arcproof.properties.proving.methods.completeness import complete, false_somewhere
from arcproof.properties.proving.methods.equivalence import equivalent
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.theorem import Hindrance, Theorem, judged, not_proved
from arcproof.properties.proving.trusted.discharge import Discharged
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.properties.proving.trusted.witness import Witness
from arcproof.properties.verdict import Verdict
from arcproof.reports.proofs import summary, theorem_text
from arcproof.reports.sentences import verdict_text
from arcproof.transitions import syntax as s
from arcproof.transitions.reading.read import read_figure
from arcproof.transitions.system import System, load
from tests.properties.proving.made_up import discharged

SOMETHING = s.Claim(s.Terminates())

FIGURE = """system small
  cite "in no paper"
  state stack σ, buffer β
  start [0], [1..n]
  final β = []

  SHIFT   σ, i|β  =>  σ|i, β
  {rule}

  claims
    {claim}
"""


def claiming(claim: str, rule: str = "", name: str = "") -> System:
    """A small figure, or a built-in one, with one claim."""
    if not name:
        return load(FIGURE.format(rule=rule, claim=claim))
    text = load(name).text
    return load(text[: text.index("  claims")] + f"  claims\n    {claim}\n")


def about(system: System) -> Theorem:
    return Prover(system).about(system.figure.claims[0])


def classes(*texts: str) -> list[s.GraphClass]:
    found = read_figure(FIGURE.format(rule="", claim="\n    ".join(f"complete {text}" for text in texts)))
    return [claim.statement.graphs for claim in found.claims if isinstance(claim.statement, s.CompleteFor)]


# --- witnesses -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "claim", "shown"),
    [
        ("attardi", "not complete trees", "0,1,0,2 is among the trees but is not the output of any run"),
        ("attardi", "not complete trees, witness 0,1,0,2", "0,1,0,2 is among the trees"),
        ("arc-eager", "not sound trees", "is not among the trees"),
        ("arc-eager", "not length <= n", "requires at most 2"),
        ("arc-eager", "published complete trees, refuted", "is not the output of any run"),
        ("", "not terminates", "leads from"),
    ],
)
def test_that_something_fails_is_proved_by_a_witness(name: str, claim: str, shown: str) -> None:
    theorem = about(claiming(claim, "STAY  σ, i|β  =>  σ, i|β", name))

    assert theorem.verdict is Verdict.PROVED
    assert theorem.witness is not None
    assert theorem.witness.words > 0
    assert theorem_text(theorem).startswith("for d = 2: by a witness: " if name == "attardi" else "by a witness: ")
    assert shown in theorem_text(theorem)
    assert summary(load("arc-eager"), theorem).endswith(f"proved for all n, {theorem_text(theorem)}")


@pytest.mark.parametrize(
    "claim",
    [
        "not complete projective trees",
        "not complete trees, witness 0,1",
        "not complete trees, witness 0,1,0",
        "not length = 2n",
        "not length <= 2n - 1",
        "published sound projective trees, refuted",
    ],
)
def test_what_does_not_fail_has_no_witness(claim: str) -> None:
    """All of these hold of arc-standard with a stack, but the length is not at most 2n - 1 for n = 0."""
    system = claiming(claim, name="arc-standard-stack")
    theorem = about(system)
    expected = Verdict.PROVED if "2n - 1" in claim else Verdict.UNKNOWN

    assert theorem.verdict is expected


# --- what is believed ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), [("covington", "d = ∞"), ("covington[d=1]", "d = 1"), ("arc-eager", None)])
def test_a_theorem_says_for_which_values_of_the_parameters_it_was_shown(name: str, value: str | None) -> None:
    """The claim has the name of the parameter, and was printed as if it were proved for all."""
    system = load(name)
    theorem = Prover(system, certificates=on_file("covington")).timed(
        system.figure.claims[0], partial(made_up, system.figure.claims[0], True)
    )

    assert theorem.values == theorem.believed == (() if value is None else (value,))
    assert theorem_text(theorem).startswith("" if value is None else f"for {value}: ")
    shown = Finding(system, system.figure.claims[0], (Proved(theorem),))
    assert verdict_text(shown) == ("proved, all n" if value is None else f"proved, all n, {value}")
    assert shown.assumptions == theorem.values


@pytest.mark.solver
@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("list-nonprojective", "axioms-forests"),
        ("arc-eager", "axioms-forests, axioms-projective"),
        ("swap", "axioms-forests, axioms-trees, axioms-order"),
    ],
)
def test_a_theorem_names_the_axioms_that_it_uses(name: str, files: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Certificates say which, whatever the solvers say."""
    system = load(name)
    (claim,) = [c for c in system.figure.claims if isinstance(c.statement, s.CompleteFor)]
    results = discharged("z3", "cvc5").results
    monkeypatch.setattr(Prover, "discharge", lambda _, todo: [Discharged(one, results) for one in todo])
    monkeypatch.setattr(Prover, "_witnesses", lambda _, argument, __: firing(argument))
    theorem = Prover(system, certificates=on_file(name))._proved(claim)

    assert theorem.believed == (f"the axioms about gold graphs in {files}",)


def firing(argument: Argument) -> tuple[Witness, ...]:
    return tuple(Witness(move.name, words, "somewhere") for move in argument.problem.cases for words in (3, 5))


# --- dead ends -------------------------------------------------------------------------------------------------------


@pytest.mark.solver
@pytest.mark.parametrize("rule", ["", "TAKE  σ, γ·i|β  =>  σ|i, γ·β   if i > 1"])
def test_that_there_are_no_dead_ends_is_proved(rule: str) -> None:
    assert about(claiming("no dead ends", rule)).verdict is Verdict.PROVED


def test_a_dead_end_refutes() -> None:
    theorem = about(load(FIGURE.format(rule="", claim="no dead ends").replace("=>  σ|i, β", "=>  σ|i, β  if i != 2")))

    assert theorem.verdict is Verdict.REFUTED


TAKING = FIGURE.format(rule="TAKE  σ, γ·i|β  =>  σ|i, γ·β   if i = n", claim="no dead ends")


CHOOSING_TWICE = TAKING.replace("σ, γ·i|β  =>  σ|i, γ·β   if i = n", "σ·x|δ, γ·i|β  =>  σ·δ|x|i, γ·β   if i = n, x > 0")


@pytest.mark.parametrize(
    "text",
    [
        text.replace("=>  σ|i, β", f"=>  σ|i, β{other}", 1)
        for text in (TAKING, CHOOSING_TWICE)
        for other in ("", "  if i != 2")
    ],
)
def test_that_something_is_permissible_means_the_same_in_symbols(text: str) -> None:
    """With some length where a transition chooses one."""
    system = load(text)
    (goal,) = no_dead_ends(meanings_of(system)).goals
    some = to_python(goal.term)
    for words in (1, 2, 3):
        for c in explore(system, words).configurations:
            assert some(model_of(system, c), domain(words)) == bool(system.permissible(c)), str(c)


# --- a part of a class -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "whole", "has_root", "expected"),
    [
        ("projective trees", "trees", True, True),
        ("single-root projective trees", "projective trees", True, True),
        ("trees", "forests", True, True),
        ("trees", "forests", False, False),
        ("trees", "projective trees", True, False),
        ("forests", "trees", True, False),
        ("forests with gap-degree <= 1", "forests", True, True),
        ("forests with gap-degree <= 1", "forests with gap-degree <= 2", True, False),
    ],
)
def test_what_is_part_of_a_class(part: str, whole: str, has_root: bool, expected: bool) -> None:
    assert is_part(*classes(part, whole), has_root) is expected


@pytest.mark.nightly
def test_completeness_for_a_part_of_a_class_follows() -> None:
    """Well-nested trees have no axioms, but they are trees."""
    system = load(f"{load('arc-standard-stack').text}    complete well-nested projective trees\n")
    theorem = Prover(system, certificates=on_file("arc-standard-stack")).about(system.figure.claims[-1])

    assert theorem.verdict is Verdict.PROVED
    assert theorem_text(theorem).startswith("for all projective trees, by the oracle static")


def test_an_oracle_that_fails_beyond_the_class_is_not_said_to_be_wrong() -> None:
    """These trees are the projective ones, to which the oracle leads; as they have no axioms, all trees are tried."""
    system = load(f"{load('arc-standard-stack').text}    complete trees with gap-degree <= 0\n")
    claim = system.figure.claims[-1]
    assert isinstance(claim.statement, s.CompleteFor)
    theorem = complete(Prover(system), claim, claim.statement.graphs)

    assert theorem.obstacle is not None
    assert theorem.obstacle.kind is Hindrance.WRONG_BEYOND


def test_a_goal_is_false_only_where_its_premises_hold() -> None:
    prover = Prover(load("arc-standard-stack"))
    goals = [Goal("a", (("never", t.FALSE),), t.FALSE), Goal("b", (), t.FALSE)]
    models = partial(run_models, prover.system)

    assert false_somewhere(prover, SOMETHING, goals[:1], models) is None
    assert false_somewhere(prover, SOMETHING, goals, models) is not None


# --- two systems -----------------------------------------------------------------------------------------------------


def made_up(about: object, verdict: bool) -> Theorem:
    assert isinstance(about, s.Claim)
    seen = tuple(Witness("SHIFT", words, "somewhere") for words in (3, 5))
    return judged(about, (discharged("z3", "cvc5"),), seen, ()) if verdict else not_proved(about, Hindrance.NO_RANKING)


@pytest.mark.parametrize("open_one", [None, "sound", "complete"])
def test_systems_are_equivalent_if_both_are_sound_and_complete_for_one_class(
    open_one: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []

    def method(name: str) -> object:
        def shown(prover: Prover, about: object, _: s.GraphClass) -> Theorem:
            asked.append((prover.system.name, name))
            return made_up(about, open_one != name or prover.system.name != "list-nonprojective")

        return shown

    for name in ("sound", "complete"):
        monkeypatch.setattr(equivalence, name, method(name))
    system = load("choi-nicolov")
    (claim,) = [c for c in system.figure.claims if isinstance(c.statement, s.SameOutputs)]
    theorem = equivalent(Prover(system), claim, "list-nonprojective")

    assert (theorem.verdict is Verdict.PROVED) is (open_one is None)
    assert {system for system, _ in asked} == {"choi-nicolov", "list-nonprojective"}
    assert theorem_text(theorem).startswith("both systems are sound and complete for forests: ") or open_one


def test_systems_without_a_common_class_are_not_compared() -> None:
    theorem = equivalent(Prover(load("arc-eager")), s.Claim(s.SameOutputs("swap")), "swap")

    assert theorem.verdict is Verdict.UNKNOWN
    assert "this figure and swap do not both claim" in theorem_text(theorem)


@pytest.mark.nightly
def test_choi_nicolov_is_equivalent_to_list_nonprojective() -> None:
    system = load("choi-nicolov")
    (claim,) = [c for c in system.figure.claims if isinstance(c.statement, s.SameOutputs)]

    assert Prover(system, certificates=on_file(system.name)).about(claim).verdict is Verdict.PROVED
