"""Where the interpreter objects some goal is false, for each kind of claim that is about more than one run."""

from collections.abc import Callable, Iterator, Sequence

import pytest

from arcproof.properties.proving import prover as prover_module
from arcproof.properties.proving.arguments import WrongMeaning
from arcproof.properties.proving.goals.costs import exact, never_stuck, safe
from arcproof.properties.proving.goals.decomposability import decomposability
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
from arcproof.properties.proving.goals.pairs import every_pair, once
from arcproof.properties.proving.goals.planes import Planes, in_planes
from arcproof.properties.proving.goals.ranking import TERMINATION, Ranking, ranking_problem
from arcproof.properties.proving.goals.unambiguous import unambiguous
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.search.counted_arcs import counted_arcs
from arcproof.properties.proving.theorem import NO_METHOD, Method, Theorem, Topic
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.properties.proving.trusted.witness import Witness
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System, load
from tests.properties.proving.made_up import discharged
from tests.properties.proving.test_decomposability import PROJECTIVE, formula, right, up_to_three_words, wrong
from tests.properties.proving.test_planes import FORESTS

Case = tuple[Sequence[Goal], list[Objection]]


def rankings() -> Case:
    """The length of the buffer, which RIGHT-ARC and LEFT-ARC of arc-standard do not let fall."""
    prover = Prover(load("arc-standard"))
    ranking = Ranking({(("β",),): TERMINATION.weight("SHIFT")})
    found = list(to_rankings(prover.meanings, ranking, TERMINATION, prover.compared_configurations))
    return ranking_problem(prover.meanings, TERMINATION, ranking).goals, found


def unambiguity() -> Case:
    prover = Prover(load("arc-eager"))
    found = list(to_unambiguity(prover.system, prover.compared_configurations))
    return unambiguous(prover.meanings).goals, found


def following() -> Case:
    """swap swaps words that arc-standard leaves where they are."""
    prover, other = Prover(load("swap")), load("arc-standard-stack")
    own, leading = prover.system.oracle(), other.oracle()
    situations = prover.situations(s.GraphClass((), "trees"))
    found = list(to_following(prover.system, own, other, leading, situations))
    return tuple(lockstep(prover.meanings, own, meanings_of(other), leading)), found


def reach() -> Case:
    """As if every arc were within reach, and no transition lost any."""
    prover = Prover(right("arc-hybrid"))
    every = lambda _c, _x, _y: t.TRUE  # noqa: E731
    goals = tuple(decomposability(prover.meanings, every, lambda _s, _x, _y: t.FALSE))
    return goals, list(to_decomposability(prover.meanings, every, prover.situations(PROJECTIVE)))


def costs(question: Callable[[str, s.GraphClass], s.OfADynamicOracle], slip: str) -> Case:
    prover = Prover(wrong(slip))
    oracle, asked = prover.system.dynamic_oracle(), question("published", PROJECTIVE)
    within = formula(right(prover.system.name))
    match asked:
        case s.Exact():
            dependents, _ = counted_arcs(prover.meanings, oracle, within, up_to_three_words(prover.system.name))
            goals = tuple(exact(prover.meanings, oracle, within, dependents))
        case s.Safe():
            goals = tuple(safe(prover.meanings, oracle, within))
        case _:
            goals = tuple(never_stuck(prover.meanings, oracle))
    situations = prover.situations(PROJECTIVE)
    return goals, list(to_costs(prover.meanings, oracle, asked, within, situations))


def planes() -> Case:
    prover = Prover(load("two-planar"))
    problem = in_planes(prover.meanings, FORESTS, Planes("σ0", "σ1"))
    return problem.goals, list(to_planes(prover.system, FORESTS, prover.compared_configurations))


def pairs() -> Case:
    """The nodes of SWAP the other way round."""
    prover = Prover(load("swap"))
    pair = next(one for one in every_pair(prover.meanings) if (one.step.name, one.first) == ("SWAP", "j"))
    return once(prover.meanings, pair).goals, list(to_pairs(prover.system, pair, prover.compared_configurations))


CASES: dict[str, Callable[[], Case]] = {
    "rankings": rankings,
    "unambiguous": unambiguity,
    "like": following,
    "arc-decomposable": reach,
    "exact": lambda: costs(s.Exact, "counts an arc twice"),
    "safe": lambda: costs(s.Safe, "calls all free"),
    "never stuck": lambda: costs(s.NeverStuck, "calls nothing free"),
    "2-planar": planes,
    "once for every pair": pairs,
}


@pytest.mark.parametrize("kind", CASES)
def test_some_goal_is_false_wherever_the_interpreter_objects(kind: str) -> None:
    goals, objections = CASES[kind]()

    assert objections
    assert overlooked(goals, objections) is None
    assert "every goal is true in" in (overlooked((), objections) or "")


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
