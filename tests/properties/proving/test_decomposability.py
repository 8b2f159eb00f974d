"""Arc-decomposability and dynamic oracles for all n: the goals suffice, false claims have false goals, proofs are
found.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import assert_never

import pytest

from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.levels import Levels
from arcproof.properties.evidence import Exhausted, Refuted
from arcproof.properties.property import check_statement
from arcproof.properties.proving.goals.agreement import Goals
from arcproof.properties.proving.goals.costs import SummandPlace, exact, never_stuck, safe
from arcproof.properties.proving.goals.decomposability import Losing, Reach, decomposability
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.library.gold import gold_graphs
from arcproof.properties.proving.meaning.costs import cost_difference, prices
from arcproof.properties.proving.meaning.model import gold_model, model_of
from arcproof.properties.proving.meaning.state import Unsupported
from arcproof.properties.proving.meaning.symbolic import Meanings, meanings_of
from arcproof.properties.proving.methods import decomposable as decomposable_module
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.search.counted_arcs import counted_arcs
from arcproof.properties.proving.search.lost_arcs import LostArcs, lost_arcs
from arcproof.properties.proving.search.mining import Model
from arcproof.properties.proving.search.within_reach import Unlike, WithinReach, within_reach
from arcproof.properties.proving.theorem import Theorem
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.properties.verdict import Verdict
from arcproof.reports.proofs import theorem_text
from arcproof.transitions import syntax as s
from arcproof.transitions.library import system_names
from arcproof.transitions.system import System, load
from tests.priceless import EAGER, HYBRID, without_costs

PROJECTIVE = s.GraphClass((s.Restriction("projective"),), "trees")
TREES = s.GraphClass((), "trees")
COSTS = {"arc-eager": EAGER, "arc-hybrid": HYBRID}
SLIPS = {
    "off by one": ("arc-eager", "REDUCE     σ|s, β    = #{k in β:", "REDUCE     σ|s, b|β  = #{k in β:"),
    "forgets that a word has a head": (
        "arc-eager",
        "gold b -> k, no head(k)}\n    cost REDUCE",
        "gold b -> k}\n    cost REDUCE",
    ),
    "forgets the top of the stack": ("arc-hybrid", "#{k in σ|s: gold b -> k}", "#{k in σ: gold b -> k}"),
    "counts an arc twice": ("arc-eager", "#{k in b|β: gold s -> k}", "#{k in b|β: gold s -> k} + [gold s -> b]"),
    "counts a node twice": ("arc-eager", "#{k in b|β: gold s -> k}", "#{k in b|b|β: gold s -> k}"),
    "counts arcs to one node twice": ("arc-hybrid", "+ [gold t -> s or", "+ [gold t -> s] + [gold t -> s or"),
    "counts what is not lost": ("arc-eager", "[gold head(b) in σ] +", "[gold head(b) in σ or gold head(b) in β] +"),
    "counts no left arcs": ("arc-hybrid", "#{k in σ|s: gold b -> k} + ", ""),
    "calls nothing free": ("arc-hybrid", "= #{k in σ|s: gold b -> k} +", "= 1 + #{k in σ|s: gold b -> k} +"),
    "calls all free": ("arc-eager", "REDUCE     σ|s, β    = #{k in β: gold s -> k}", "REDUCE     σ|s, β    = 0"),
    "is silent": ("arc-hybrid", "SHIFT      σ|s, b|β ", "SHIFT      σ|t|s, b|β"),
    "blames every word": (
        "arc-eager",
        "#{k in σ: gold b -> k, no head(k)}",
        "#{k in σ: gold b -> k} + #{k in β: gold b -> k}",
    ),
}


def with_costs(name: str, costs: str) -> System:
    """A built-in figure with these costs, and no claim."""
    text = without_costs(name)
    return load(f"{text[: text.index('  claims')]}  dynamic published{costs}\n  claims\n    terminates\n")


@cache
def right(name: str) -> System:
    return with_costs(name, COSTS[name])


def wrong(slip: str) -> System:
    name, old, new = SLIPS[slip]
    assert COSTS[name].count(old) == 1
    return with_costs(name, COSTS[name].replace(old, new))


def situations(system: System, graphs: s.GraphClass, words: int) -> list[tuple[Model, int]]:
    """Every configuration that a run reaches, with every gold graph."""
    golds = [gold_model(gold) for gold in gold_graphs(system, graphs, words)]
    reached = [model_of(system, c) for c in explore(system, words).configurations]
    return [({**model, **gold}, words) for model in reached for gold in golds]


def all_hold(goals: Iterator[Goal], models: Sequence[tuple[Model, int]]) -> bool:
    read = Goals(tuple(goals))
    return not any(read.broken(model, words) for model, words in models)


def mined(system: System, words: int = 3) -> WithinReach | Unlike:
    return within_reach(meanings_of(system).before, [explore(system, n) for n in range(1, words + 1)])


def goals_with(system: System, reach: Reach, losing: Losing | None = None) -> Iterator[Goal]:
    """The goals of arc-decomposability with a formula for what is within reach, and others for what is lost."""
    meanings = meanings_of(system)
    models = [(model_of(system, c), words) for words in (1, 2, 3) for c in explore(system, words).configurations]
    if losing is None:
        losing = LostArcs(meanings, reach, lost_arcs(meanings, reach, models))
    return decomposability(meanings, reach, losing)


def formula(system: System) -> WithinReach:
    found = mined(system)
    assert isinstance(found, WithinReach)
    return found


def holds(system: System, question: s.Statement, words: int = 3) -> bool:
    found = check_statement(Levels(system, words), question)
    assert isinstance(found, Exhausted | Refuted)
    return isinstance(found, Exhausted)


# --- the formula for the arcs within reach ---------------------------------------------------------------------------


def test_what_can_still_be_built_is_read_off_short_sentences() -> None:
    assert str(formula(load("arc-eager"))) == (
        "x -> y is built, or not y has a head and x is in β, or x is in σ and y is in β"
    )
    assert "x is just below y in σ" in str(formula(load("arc-hybrid")))


def test_where_nothing_tells_arcs_apart_two_of_them_are_named() -> None:
    found = mined(load("spacy"), 2)

    assert isinstance(found, Unlike)
    assert str(found).startswith("2 -> 1 in ([], [1, 2], {}, {}, {}) can still be built and 2 -> 1 in ")


# --- the goals suffice: where they are true with n words, so is the claim --------------------------------------------


def everything(_c: object, _x: t.Term, _y: t.Term) -> t.Term:
    return t.TRUE


def nothing(_c: object, _x: t.Term, _y: t.Term) -> t.Term:
    return t.FALSE


def never(_step: object, _x: t.Term, _y: t.Term) -> t.Term:
    return t.FALSE


def always(_step: object, _x: t.Term, _y: t.Term) -> t.Term:
    return t.TRUE


def guesses(system: System) -> Iterator[Reach]:
    """The formula that is found, and others, most of them wrong."""
    yield everything
    yield nothing
    found = mined(system)
    if isinstance(found, WithinReach):
        yield found
        yield from (WithinReach(found.cases[:k] + found.cases[k + 1 :]) for k in range(len(found.cases)))
        yield from (WithinReach((*found.cases, (one,))) for one in found.cases[-1])


@pytest.mark.long
@pytest.mark.parametrize("name", ["arc-standard-stack", "list-nonprojective"])
def test_where_arcs_cannot_be_built_together_a_goal_is_false(name: str) -> None:
    _confront(load(name))


@pytest.mark.nightly
@pytest.mark.parametrize("name", system_names())
def test_in_no_system_whose_arcs_cannot_be_built_together_do_the_goals_hold(name: str) -> None:
    _confront(load(name))


def _confront(system: System) -> None:
    """Whatever is taken for the arcs within reach, a goal is false where arcs cannot be built together."""
    found = check_statement(Levels(system, 3), s.ArcDecomposable(PROJECTIVE))
    if isinstance(found, Refuted):
        models = situations(system, PROJECTIVE, found.words)

        for reach in guesses(system):
            for losing in (None, never, always):
                assert not all_hold(goals_with(system, reach, losing), models)


@pytest.mark.long
@pytest.mark.parametrize("name", ["arc-eager", "arc-eager-2003", "arc-hybrid", "arc-hybrid-right", "arc-swift"])
def test_the_goals_hold_in_systems_that_are_arc_decomposable(name: str) -> None:
    system = load(name)
    models = [model for words in (1, 2, 3) for model in situations(system, PROJECTIVE, words)]

    assert holds(system, s.ArcDecomposable(PROJECTIVE))
    assert all_hold(goals_with(system, formula(system)), models)


@pytest.mark.parametrize("which", range(3))
def test_a_formula_that_lacks_arcs_fails(which: int) -> None:
    system = load("arc-eager")
    whole = formula(system)
    models = situations(system, PROJECTIVE, 3)
    less = WithinReach(whole.cases[:which] + whole.cases[which + 1 :])

    assert all_hold(goals_with(system, whole), models)
    assert not all_hold(goals_with(system, less), models)


# --- costs -----------------------------------------------------------------------------------------------------------


@cache
def reach_of(name: str) -> WithinReach:
    """What is within reach does not depend on costs."""
    return formula(right(name))


def provable(name: str, question: s.OfADynamicOracle, system: System, models: Sequence[tuple[Model, int]]) -> bool:
    """Whether the goals of a claim about costs hold in these situations."""
    meanings, oracle, reach = meanings_of(system), system.dynamic_oracle(), reach_of(name)
    try:
        match question:
            case s.Exact():
                dependents, apart = counted_arcs(meanings, oracle, reach, models)
                return apart is None and all_hold(exact(meanings, oracle, reach, dependents), models)
            case s.Safe():
                return all_hold(safe(meanings, oracle, reach), models)
            case s.NeverStuck():
                return all_hold(never_stuck(meanings, oracle), models)
            case _:
                assert_never(question)
    except Unsupported:
        return False


@cache
def up_to_three_words(name: str) -> list[tuple[Model, int]]:
    return [model for words in (1, 2, 3) for model in situations(right(name), PROJECTIVE, words)]


QUESTIONS: list[type[s.Exact | s.Safe | s.NeverStuck]] = [s.Exact, s.Safe, s.NeverStuck]


@pytest.mark.long
@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("name", COSTS)
def test_the_goals_of_published_costs_hold(name: str, kind: type[s.Exact | s.Safe | s.NeverStuck]) -> None:
    assert provable(name, kind("published", PROJECTIVE), right(name), up_to_three_words(name))


@pytest.mark.long
@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("slip", SLIPS)
def test_the_goals_of_a_slip_are_as_false_as_the_claim(slip: str, kind: type[s.Exact | s.Safe | s.NeverStuck]) -> None:
    name, system, question = SLIPS[slip][0], wrong(slip), kind("published", PROJECTIVE)

    assert provable(name, question, system, up_to_three_words(name)) == holds(system, question)
    if kind is s.Exact:
        assert not holds(system, question)


@pytest.mark.long
def test_what_a_summand_counts_must_be_lost_whatever_it_is_said_to_stand_for() -> None:
    system = right("arc-eager")
    meanings, oracle, reach = meanings_of(system), system.dynamic_oracle(), reach_of("arc-eager")
    models = up_to_three_words("arc-eager")
    found, apart = counted_arcs(meanings, oracle, reach, models)

    assert apart is None
    for place, dependent in found.items():
        for other in _others(meanings, oracle, place, dependent):
            assert not all_hold(exact(meanings, oracle, reach, {**found, place: other}), models)


def _others(meanings: Meanings, oracle: s.DynamicOracle, place: SummandPlace, dependent: str | None) -> Iterator[str]:
    step = next(step for step in meanings.steps if step.name == place.step)
    price = next(price for price in prices(meanings, oracle, step) if price.number == place.line)
    yield from (name for name in price.nodes if name != dependent)


@pytest.mark.parametrize("name", COSTS)
def test_costs_in_symbols_are_those_of_the_interpreter(name: str) -> None:
    system = right(name)
    golds = list(gold_graphs(system, TREES, 3))
    both = [(c, gold) for c in explore(system, 3).configurations if not system.is_terminal(c) for gold in golds]

    assert cost_difference(meanings_of(system), system.dynamic_oracle(), both) is None


def test_costs_that_differ_from_those_of_the_interpreter_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    system = right("arc-eager")
    both = [(c, gold) for c in explore(system, 3).configurations for gold in gold_graphs(system, TREES, 3)]
    true = System.cost
    other = wrong("off by one").dynamic_oracle()
    monkeypatch.setattr(System, "cost", lambda own, c, transition, gold, _: true(own, c, transition, gold, other))

    found = cost_difference(meanings_of(system), system.dynamic_oracle(), both)

    assert found is not None
    assert "REDUCE" in found


# --- proofs ----------------------------------------------------------------------------------------------------------


def proved(prover: Prover, question: s.Statement) -> Theorem:
    """A proof that is searched for though nothing was looked for that refutes the claim."""
    claim = s.Claim(question)
    return prover._proved(claim)


@pytest.mark.solver
def test_arc_hybrid_is_arc_decomposable_and_its_costs_are_exact() -> None:
    prover = Prover(right("arc-hybrid"))
    together = prover.about(s.Claim(s.ArcDecomposable(PROJECTIVE)))
    costs = [prover.about(s.Claim(kind("published", PROJECTIVE))) for kind in QUESTIONS]

    assert {theorem.verdict for theorem in (together, *costs)} == {Verdict.PROVED}
    assert {theorem.solvers for theorem in (together, *costs)} == {("z3", "cvc5")}
    assert "by the arcs that can still be built (x -> y can if x -> y is built, or" in theorem_text(together)
    assert together.assumptions == ("the axioms about gold graphs in axioms-forests, axioms-projective",)
    assert len(costs[0].assumptions) == 1


@pytest.mark.nightly
@pytest.mark.solver
def test_easy_first_is_arc_decomposable_and_its_costs_are_exact() -> None:
    prover = Prover(load("easy-first"))
    claims = [
        claim for claim in prover.system.figure.claims if isinstance(claim.statement, s.Exact | s.ArcDecomposable)
    ]

    assert [prover.about(claim).verdict for claim in claims] == [Verdict.PROVED, Verdict.PROVED]


@pytest.mark.solver
@pytest.mark.parametrize(
    "slip", ["counts arcs to one node twice", *(pytest.param(one, marks=pytest.mark.nightly) for one in SLIPS)]
)
def test_a_slip_is_not_proved_even_if_nobody_looks_for_what_refutes_it(slip: str) -> None:
    theorem = proved(Prover(wrong(slip)), s.Exact("published", PROJECTIVE))

    assert theorem.verdict in (Verdict.UNKNOWN, Verdict.UNREACHED)


@pytest.mark.solver
def test_arc_standard_stack_is_not_proved_to_be_arc_decomposable() -> None:
    prover = Prover(load("arc-standard-stack"))
    refuted = prover.about(s.Claim(s.ArcDecomposable(PROJECTIVE)))
    denied = prover.about(s.Claim(s.ArcDecomposable(PROJECTIVE), "negated"))

    assert proved(prover, s.ArcDecomposable(PROJECTIVE)).verdict is Verdict.UNKNOWN
    assert refuted.verdict is Verdict.REFUTED
    assert denied.verdict is Verdict.PROVED
    assert denied.witness is not None
    assert "at most 1 of them together" in theorem_text(denied)


@pytest.mark.solver
@pytest.mark.parametrize("reach", [everything, nothing])
def test_a_wrong_formula_proves_nothing(reach: Reach, monkeypatch: pytest.MonkeyPatch) -> None:
    made_up = WithinReach(((),) if reach is everything else ())
    monkeypatch.setattr(decomposable_module, "within_reach", lambda *_: made_up)
    theorem = proved(Prover(load("arc-hybrid")), s.ArcDecomposable(PROJECTIVE))

    assert theorem.verdict is Verdict.UNKNOWN


@pytest.mark.solver
def test_costs_where_words_have_no_gold_head_are_left_open() -> None:
    forests = s.GraphClass((s.Restriction("projective"),), "forests")

    with pytest.raises(Unsupported, match="a word may have no head"):
        proved(Prover(right("arc-eager")), s.Safe("published", forests))
