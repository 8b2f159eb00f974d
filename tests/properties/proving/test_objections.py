"""Where the interpreter objects some goal is false, for each kind of claim that is about more than one run."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from arcproof.properties.proving import prover as prover_module
from arcproof.properties.proving.arguments import WrongMeaning
from arcproof.properties.proving.goals import costs as costs_module
from arcproof.properties.proving.goals import decomposability as decomposability_module
from arcproof.properties.proving.goals import lockstep as lockstep_module
from arcproof.properties.proving.goals import pairs as pairs_module
from arcproof.properties.proving.goals import ranking as ranking_module
from arcproof.properties.proving.goals import soundness as soundness_module
from arcproof.properties.proving.goals import unambiguous as unambiguous_module
from arcproof.properties.proving.goals.costs import exact, never_stuck, safe
from arcproof.properties.proving.goals.decomposability import Reach, decomposability, kept
from arcproof.properties.proving.goals.lockstep import lockstep
from arcproof.properties.proving.goals.objections import (
    Objection,
    overlooked,
    to_costs,
    to_decomposability,
    to_following,
    to_pairs,
    to_planes,
    to_rankings,
    to_unambiguity,
)
from arcproof.properties.proving.goals.pairs import Pair, every_pair, once
from arcproof.properties.proving.goals.planes import Planes, in_planes
from arcproof.properties.proving.goals.ranking import TERMINATION, Monomial, N, Ranking, fixed, ranking_problem
from arcproof.properties.proving.goals.unambiguous import unambiguous
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Relation, Term
from arcproof.properties.proving.meaning import steps as steps_module
from arcproof.properties.proving.meaning.conditions import Scene, compared
from arcproof.properties.proving.meaning.state import SymbolicState
from arcproof.properties.proving.meaning.steps import FORGOTTEN_ARCS, SymbolicStep, removed_first
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.search.counted_arcs import counted_arcs
from arcproof.properties.proving.theorem import NO_METHOD, Method, Theorem, Topic
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.properties.proving.trusted.witness import Witness
from arcproof.transitions import syntax as s
from arcproof.transitions.plan import RulePlan
from arcproof.transitions.system import System, load
from tests.properties.proving.made_up import discharged
from tests.properties.proving.test_decomposability import PROJECTIVE, everything, formula, right, situations, wrong
from tests.properties.proving.test_planes import FORESTS

Case = tuple[Sequence[Goal], list[Objection]]


def plus(name: str, line: str) -> System:
    """A built-in figure with one more transition."""
    return load(load(name).text.replace("\n\n  default", f"\n  {line}\n\n  default"))


def changed(name: str, old: str, new: str, end: str = "\n  claims") -> System:
    """A built-in figure with a change, and one claim."""
    text = load(name).text
    assert text.count(old) == 1
    return load(text[: text.index(end)].replace(old, new) + "\n  claims\n    terminates\n")


REMOVING = "nonmonotonic-2013"
"""Its LEFT-ARC replaces an arc."""
REPLACING = """\
system replacing
  state stack σ, buffer β
  start [0], [1..n]
  final β = []
  ARC(l)  σ|i, j|β  =>  σ|i, j|β  remove * -> j add i -l-> j  if not i -> j
  SHIFT   σ|i, j|β  =>  σ|i|j, β                              if i -> j
  oracle o
    ARC(l)  σ|i, j|β  if gold i -l-> j, not i -> j
    SHIFT
  claims
    terminates
"""
"""Where a word hangs on another one, only ARC is permissible."""
TWICE = """\
system twice
  state stack σ, buffer β
  start [0], [1..n]
  final |σ| = 1, β = []
  ONE    σ|i|j, β  =>  σ|i, β  add i -> j
  TWO    σ|i|j, β  =>  σ|i, β  add i -> j
  SHIFT  σ, i|β    =>  σ|i, β
  claims
    terminates
"""


def rankings(system: System, coefficients: dict[Monomial, int]) -> Case:
    """A ranking that some transitions do not let fall."""
    prover = Prover(system)
    ranking = Ranking({monomial: Fraction(c) for monomial, c in coefficients.items()})
    found = list(to_rankings(prover.meanings, ranking, TERMINATION, prover.compared_configurations))
    return ranking_problem(prover.meanings, TERMINATION, ranking).goals, found


def unambiguity(system: System) -> Case:
    prover = Prover(system)
    found = list(to_unambiguity(prover.system, prover.compared_configurations))
    return unambiguous(prover.meanings).goals, found


def following(system: System, other: System) -> Case:
    prover = Prover(system)
    own, leading = prover.system.oracle(), other.oracle()
    situations = prover.situations(s.GraphClass((), "trees"))
    found = list(to_following(prover.system, own, other, leading, situations))
    return tuple(lockstep(prover.meanings, own, meanings_of(other), leading)), found


def reach(system: System, within: Reach) -> Case:
    """With this formula, and as if every arc could be lost by every transition but SHIFT."""
    prover = Prover(system)

    def losing(step: SymbolicStep, _x: Term, _y: Term) -> Term:
        return t.TruthValue(step.name != "SHIFT")

    goals = tuple(decomposability(prover.meanings, within, losing))
    return goals, list(to_decomposability(prover.meanings, within, prover.situations(PROJECTIVE)))


def costs(question: Callable[[str, s.GraphClass], s.OfADynamicOracle], system: System) -> Case:
    prover = Prover(system)
    oracle = prover.system.dynamic_oracle()
    asked, within = question(oracle.name, PROJECTIVE), formula(system)
    match asked:
        case s.Exact():
            models = [model for words in (1, 2, 3) for model in situations(system, PROJECTIVE, words)]
            dependents, apart = counted_arcs(prover.meanings, oracle, within, models)
            assert apart is None
            goals = tuple(exact(prover.meanings, oracle, within, dependents))
        case s.Safe():
            goals = tuple(safe(prover.meanings, oracle, within))
        case _:
            goals = tuple(never_stuck(prover.meanings, oracle))
    return goals, list(to_costs(prover.meanings, oracle, asked, within, prover.situations(PROJECTIVE)))


def planes(system: System) -> Case:
    prover = Prover(system)
    problem = in_planes(prover.meanings, FORESTS, Planes("σ0", "σ1"))
    return problem.goals, list(to_planes(prover.system, FORESTS, prover.compared_configurations))


def pairs(system: System, first: str) -> Case:
    """The nodes of SWAP, this one first."""
    prover = Prover(system)
    pair = next(one for one in every_pair(prover.meanings) if (one.step.name, one.first) == ("SWAP", first))
    return once(prover.meanings, pair).goals, list(to_pairs(prover.system, pair, prover.compared_configurations))


def built(c: SymbolicState, x: Term, y: Term) -> Term:
    return c.arc(x, y)


def free(c: SymbolicState, _x: Term, y: Term) -> Term:
    return t.negation(c.headed(y))


CASES: dict[str, Callable[[], Case]] = {
    "rankings": lambda: rankings(load("arc-standard"), {(("β",),): 1}),
    "rankings, removing": lambda: rankings(load(REPLACING), {(N,): 1, (("β",),): 1, (("A",),): -1}),
    "rankings, removing, rising": lambda: rankings(load(REPLACING), {(("A",),): 1}),
    "unambiguous": lambda: unambiguity(load("arc-standard-stack")),
    "unambiguous, one arc": lambda: unambiguity(load(TWICE)),
    "like": lambda: following(load("swap"), load("arc-standard-stack")),
    "like, removing": lambda: following(load(REPLACING.replace("if gold i -l-> j", "if gold i -l-> j, i < j")), load(REPLACING)),
    "arc-decomposable": lambda: reach(right("arc-hybrid"), everything),
    "arc-decomposable, removing": lambda: reach(load(REMOVING), built),
    "arc-decomposable, removing, by words without a head": lambda: reach(load(REMOVING), free),
    "exact": lambda: costs(s.Exact, wrong("counts an arc twice")),
    "exact, removing": lambda: costs(s.Exact, changed(REMOVING, "\n                                  + [exists h in σ|t: h -> s and gold h -> s]", "")),
    "exact, removing, too much": lambda: costs(s.Exact, changed(REMOVING, "[gold t -> s, no head(s)]", "[gold t -> s]")),
    "safe": lambda: costs(s.Safe, wrong("calls all free")),
    "safe, removing": lambda: costs(s.Safe, changed(REMOVING, "\n                                  + [exists h in σ|t: h -> s and gold h -> s]", "")),
    "never stuck": lambda: costs(s.NeverStuck, wrong("calls nothing free")),
    "never stuck, removing": lambda: costs(s.NeverStuck, changed(REMOVING, "[gold head(s) in b|β]", "1")),
    "2-planar": lambda: planes(load("two-planar")),
    "2-planar, removing": lambda: planes(plus("two-planar", "CUT σ0, σ1, j|β, _ => σ0, σ1, j|β, false remove * -> j if head(j)")),
    "once for every pair": lambda: pairs(load("swap"), "i"),
    "once for every pair, the wrong way round": lambda: pairs(load("swap"), "j"),
    "once for every pair, removing": lambda: pairs(plus("swap", "CUT σ, i|β => σ|i, β remove * -> i"), "i"),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_some_goal_is_false_wherever_the_interpreter_objects(kind: str) -> None:
    goals, objections = CASES[kind]()

    assert objections
    assert overlooked(goals, objections) is None
    assert "every goal is true in" in (overlooked((), objections) or "")


# --- planted errors --------------------------------------------------------------------------------------------------


def without(what: str, goals: Sequence[Goal]) -> Sequence[Goal]:
    """The goals with one said to be true."""
    assert any(what in goal.name for goal in goals)
    return [replace(goal, term=t.TRUE) if what in goal.name else goal for goal in goals]


def swapped(function: Callable[..., Any], one: int, other: int) -> Callable[..., Any]:
    """The function with two of its arguments exchanged."""

    def exchanged(*arguments: Any) -> Any:
        order = list(arguments)
        order[one], order[other] = order[other], order[one]
        return function(*order)

    return exchanged


def one_less(left: Term, relation: s.Bounding, right: Term) -> Term:
    return compared(t.subtract(left, 1), relation, right)


def no_line_is_paid(price: costs_module.Price) -> tuple[Term, ...]:  # noqa: ARG001
    return ()


def two_fewer(rule: RulePlan, scene: Scene) -> tuple[tuple[str, Term], ...]:
    """What is wrong of the number of arcs after a removal."""
    if removed_first(rule) is None:
        return ()
    return (("two arcs are removed", t.equal(t.constant(FORGOTTEN_ARCS), t.subtract(scene.state.arcs, 2))),)


def in_any_order(pair: Pair, done: Relation) -> tuple[Term, ...]:
    first, second = pair.nodes
    return t.at_most(1, first), t.differ(first, second), t.TRUE, t.negation(done(first, second))


def alike(one: SymbolicStep, other: SymbolicStep) -> Term:
    both = ((a, b) for a in one.added for b in other.added)
    return t.disjunction(*(t.equal(a.dependent, b.dependent) for a, b in both))


DROPPED = {
    "rankings": ("RIGHT-ARC lets",),
    "rankings, removing": ("ARC lets",),
    "unambiguous": ("LEFT-ARC and RIGHT-ARC", "RIGHT-ARC and SHIFT"),
    "unambiguous, one arc": ("ONE and TWO",),
    "like": ("line 3, SHIFT: the oracle",),
    "like, removing": ("line 1, ARC: the oracle",),
    "arc-decomposable": ("within reach is built",),
    "arc-decomposable, removing": ("brings no gold arc",),
    "arc-decomposable, removing, by words without a head": ("is built is within reach", "within reach is built"),
    "exact": ("no arc in common",),
    "exact, removing": ("is counted",),
    "exact, removing, too much": ("counts arcs that are lost",),
    "safe": ("REDUCE, line",),
    "safe, removing": ("LEFT-ARC, line",),
    "never stuck": ("calls something free",),
    "never stuck, removing": ("calls something free",),
    "2-planar": ("leads",),
    "2-planar, removing": ("leads",),
    "once for every pair": ("not done before",),
    "once for every pair, the wrong way round": ("before the second",),
    "once for every pair, removing": ("not done before",),
}
"""Goals without which something is overlooked."""


@pytest.mark.parametrize("kind", DROPPED)
def test_a_goal_that_is_dropped_is_missed(kind: str) -> None:
    goals, objections = CASES[kind]()
    for left_out in DROPPED[kind]:
        assert "every goal is true in" in (overlooked(without(left_out, goals), objections) or ""), left_out


ERRORS: dict[str, tuple[str, object, str, object]] = {
    "a ranking falls by one less": ("rankings", ranking_module, "compared", one_less),
    "a ranking falls by one less, removing": ("rankings, removing", ranking_module, "compared", one_less),
    "a ranking rises": ("rankings, removing, rising", ranking_module, "fixed", lambda *a: fixed(*a)[::-1]),
    "two arcs are removed": ("rankings, removing", steps_module, "_facts_of_removal", two_fewer),
    "transitions that share a dependent differ": ("unambiguous, one arc", unambiguous_module, "_differ", alike),
    "what was within reach is so later": ("arc-decomposable, removing", decomposability_module, "kept", swapped(kept, 1, 2)),
    "what comes within reach is lost": ("exact, removing", costs_module, "lost", lambda *_: t.FALSE),
    "free transitions bring nothing": ("safe, removing", costs_module, "kept", swapped(kept, 1, 2)),
    "everything is free": ("never stuck, removing", costs_module, "is_free", no_line_is_paid),
    "any case follows": ("like, removing", lockstep_module, "_followed", lambda *_: t.TRUE),
    "the planes differ": ("2-planar", soundness_module, "_in_one_plane", lambda *_: t.FALSE),
    "in any order": ("once for every pair, the wrong way round", pairs_module, "_wanted", in_any_order),
}  # fmt: skip


@pytest.mark.parametrize("error", ERRORS)
def test_a_planted_error_is_noticed(error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the comparison of symbols with the interpreter does not notice it first."""
    kind, module, name, replacement = ERRORS[error]
    monkeypatch.setattr(prover_module, "first_difference", lambda _: None)
    monkeypatch.setattr(module, name, replacement)
    goals, objections = CASES[kind]()

    assert "every goal is true in" in (overlooked(goals, objections) or "")


def test_configurations_after_which_a_node_is_twice_in_a_sequence_are_left_out() -> None:
    """Else nothing would be provable about a figure whose sequences are shared."""
    prover = Prover(load("two-planar"))
    found = to_decomposability(prover.meanings, lambda *_: t.TRUE, prover.situations(FORESTS))

    assert list(found)


# --- every method asks -----------------------------------------------------------------------------------------------

LENGTH = s.LengthBound("<=", s.Words())
CLAIMS: dict[str, tuple[Callable[[], System], s.Statement, str]] = {
    "rankings": (lambda: load("arc-standard"), s.Terminates(), "to_rankings"),
    "unambiguous": (lambda: load("arc-standard"), s.Unambiguous(), "to_unambiguity"),
    "like": (lambda: load("swap"), s.SameTransitions("arc-standard-stack", PROJECTIVE), "to_following"),
    "arc-decomposable": (lambda: right("arc-hybrid"), s.ArcDecomposable(PROJECTIVE), "to_decomposability"),
    "exact": (lambda: right("arc-hybrid"), s.Exact("published", PROJECTIVE), "to_costs"),
    "safe": (lambda: right("arc-hybrid"), s.Safe("published", PROJECTIVE), "to_costs"),
    "never stuck": (lambda: right("arc-hybrid"), s.NeverStuck("published", PROJECTIVE), "to_costs"),
    "2-planar": (lambda: load("two-planar"), s.Sound(FORESTS), "to_planes"),
    "once for every pair": (lambda: load("swap"), LENGTH, "to_pairs"),
}


def believed(_prover: Prover, about: Topic, _: object, method: Method = NO_METHOD) -> Theorem:
    """In place of a search: whatever is to be shown."""
    seen = tuple(Witness("START", words, "here") for words in (1, 2))
    return Theorem(about, None, method, (), (discharged("z3", "cvc5"),), seen)


@pytest.mark.solver
@pytest.mark.parametrize("kind", CLAIMS)
def test_every_method_compares_its_goals(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An objection of this kind, if no goal is false there, ends the proof."""
    loaded, statement, objects = CLAIMS[kind]

    def planted(_: object, objections: Iterator[Objection]) -> str | None:
        return "planted" if getattr(objections, "__name__", "") == objects else None

    monkeypatch.setattr(prover_module, "overlooked", planted)
    monkeypatch.setattr(Prover, "theorem", believed)
    monkeypatch.setattr(Prover, "discharge", lambda _, todo: [discharged("z3", "cvc5") for _ in todo])

    with pytest.raises(WrongMeaning, match="planted"):
        Prover(loaded())._proved(s.Claim(statement))
