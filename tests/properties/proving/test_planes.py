"""2-planar graphs: the arcs divided into two planes, in which no arcs cross."""

from functools import partial
from itertools import chain, combinations

import pytest

from arcproof.generators.classes import contains
from arcproof.generators.enumeration import all_graphs
from arcproof.properties.proving.arguments import Argument
from arcproof.properties.proving.goals import planes as planes_module
from arcproof.properties.proving.goals.planes import Planes, divided, divisions, every_guess, guesses, in_planes, runs
from arcproof.properties.proving.goals.soundness import class_conditions
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.meaning.model import domain, model_of
from arcproof.properties.proving.meaning.state import SECOND_PLANE
from arcproof.properties.proving.meaning.symbolic import Meanings, meanings_of
from arcproof.properties.proving.methods.completeness import sound
from arcproof.properties.proving.prover import Prover
from arcproof.properties.verdict import Verdict
from arcproof.reports.proofs import theorem_text
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.graph import Heads, graph_of
from arcproof.transitions.library import source_of
from arcproof.transitions.system import load

TWO_PLANAR = source_of("two-planar")
FORESTS = s.GraphClass((s.Restriction("2-planar"),), "forests")
CLAIM = s.Claim(s.Sound(FORESTS))
PASSING_OVER = TWO_PLANAR.replace(
    "REDUCE         σ0|i, σ1, β, _       =>  σ0, σ1, β, false                        if i != 0",
    "REDUCE         σ0|i|x, σ1, β, _     =>  σ0|x|i, σ1, β, false",
)


def subsets(words: int) -> list[frozenset[int]]:
    every = range(1, words + 1)
    return [frozenset(some) for some in chain.from_iterable(combinations(every, k) for k in range(words + 1))]


def can_be_divided(meanings: Meanings, graphs: s.GraphClass, heads: Heads) -> bool:
    """Whether some division into planes satisfies the conditions of the class."""
    state, words = divided(meanings.before), len(heads)
    conditions = [to_python(term) for _, term in class_conditions(meanings, graphs, state)]
    start = meanings.system.start(words)
    model = model_of(meanings.system, Configuration(words, start.names, start.values, graph_of(heads).arcs))
    return any(
        all(holds({**model, SECOND_PLANE: lambda x, some=some: x in some}, domain(words)) for holds in conditions)
        for some in subsets(words)
    )


@pytest.mark.parametrize("name", ["2-planar", "2-planar-words"])
def test_a_graph_is_2_planar_if_it_can_be_divided(name: str) -> None:
    """With five words some trees cannot be divided; those and some of the others are tried."""
    meanings = meanings_of(load(TWO_PLANAR))
    graphs = s.GraphClass((s.Restriction(name),), "trees")
    every = list(all_graphs(s.GraphClass((), "trees"), 5))
    outside = [heads for heads in every if not contains(graphs, heads)]
    inside = [heads for heads in every if contains(graphs, heads)]

    assert (len(outside) > 0) == (name == "2-planar")
    assert not any(can_be_divided(meanings, graphs, heads) for heads in outside[::9])
    assert all(can_be_divided(meanings, graphs, heads) for heads in inside[::100])


@pytest.mark.long
def test_the_planes_of_a_run_follow_the_exchanges() -> None:
    meanings = meanings_of(load(TWO_PLANAR))
    found = list(divisions(meanings, FORESTS))

    assert Planes("σ0", "σ1") in found
    assert any(
        model[SECOND_PLANE](x)  # type: ignore[operator]
        for _, model in runs(meanings, Planes("σ0", "σ1"), 4)
        for x in range(1, 5)
    )
    assert len(guesses(meanings, Planes("σ0", "σ1"))) == 8


def test_planes_that_are_not_exchanged_are_refuted_by_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planes_module, "_exchanges", lambda *_: False)

    assert list(divisions(meanings_of(load(TWO_PLANAR)), FORESTS)) == []


@pytest.mark.nightly
@pytest.mark.solver
def test_two_planar_is_sound() -> None:
    theorem = Prover(load(TWO_PLANAR)).about(CLAIM)

    assert theorem.verdict is Verdict.PROVED
    assert theorem.solvers == ("z3", "cvc5")
    assert "by the planes of σ0 and σ1, in which no arcs cross" in theorem_text(theorem)


@pytest.mark.nightly
@pytest.mark.solver
def test_nothing_is_proved_where_arcs_of_one_plane_cross() -> None:
    """The interpreter, which would refute the claim, is not asked."""
    assert PASSING_OVER != TWO_PLANAR
    theorem = sound(Prover(load(PASSING_OVER), rlimit=20_000), CLAIM, FORESTS)

    assert theorem.verdict is not Verdict.PROVED


def test_runs_with_chosen_lengths_are_followed() -> None:
    """`prove` ended with a traceback: the choice of a transition is one more than the length."""
    meanings = meanings_of(load("arc-swift"))

    assert len(list(runs(meanings, Planes("σ", "β"), 4))) > 40


def about_planes(prover: Prover) -> Argument:
    """Soundness with planes, and every guess about them, whether or not runs agree with it."""
    planes = Planes("σ0", "σ1")
    models = partial(runs, prover.meanings, planes)
    candidates = [*prover.candidates, *every_guess(prover.meanings)]
    return Argument(in_planes(prover.meanings, FORESTS, planes), candidates, models, models)


@pytest.mark.nightly
@pytest.mark.solver
@pytest.mark.parametrize("right", [True, False])
def test_nothing_is_proved_with_planes_that_runs_would_refute(right: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong division that no run was asked about proves nothing; the right one, with as little work, does."""
    if not right:
        monkeypatch.setattr(planes_module, "_exchanges", lambda *_: False)
    prover = Prover(load(TWO_PLANAR), rlimit=20_000)
    theorem = prover.theorem(CLAIM, about_planes(prover))

    assert (theorem.verdict is Verdict.PROVED) == right
