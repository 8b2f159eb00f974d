"""What solvers read means what the interpreter says: printed terms, goals and classes."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from arcproof.properties.claims.dead_ends import NoDeadEnd
from arcproof.properties.claims.sound import Soundness
from arcproof.properties.claims.space import space_limit
from arcproof.properties.proving.arguments import WrongMeaning
from arcproof.properties.proving.goals.agreement import goal_difference, oracle_goal_difference
from arcproof.properties.proving.goals.completeness import goals as oracle_goals
from arcproof.properties.proving.goals.dead_ends import no_dead_ends
from arcproof.properties.proving.goals.soundness import soundness
from arcproof.properties.proving.goals.space import space
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.language.reading_back import NotReadable, as_read, from_smt, read_back
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.library.gold import gold_graphs
from arcproof.properties.proving.meaning.bridge import first_difference, observations, sample, spread
from arcproof.properties.proving.meaning.model import domain, model_of
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.methods import completeness as completeness_module
from arcproof.properties.proving.methods.completeness import sound
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.properties.proving.trusted.witness import definition, lengths_of
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.library import system_names
from arcproof.transitions.system import System, load

CLASSES = [
    s.GraphClass((), "forests"),
    s.GraphClass((), "trees"),
    s.GraphClass((s.Restriction("projective", None),), "forests"),
    s.GraphClass((s.Restriction("projective", None),), "trees"),
    s.GraphClass((s.Restriction("single-root", None),), "trees"),
]
STUCK = """
system stuck
  state   stack σ, buffer β
  start   [0], [1..n]
  final   β = []

  SHIFT   σ, i|j|β  =>  σ|i, j|β

  claims
    no dead ends
"""
REDUNDANT = ("at the end ROOT", "at the end SINGLE-HEAD", "at the end 0 has a dependent")
"""Arcs join nodes, a second head is noticed when it is given, and some word of a tree hangs on 0."""
ALWAYS_TERMINAL = load("arc-eager").text.replace("final   β = []", "final   |σ| >= 0")


def small(system: System, most: int = 40) -> list[Configuration]:
    return [c for words in (1, 2, 3) for c in sample(system, words, most, most)]


# --- texts -----------------------------------------------------------------------------------------------------------

X, Y = t.constant("a"), t.constant("b")
NOT_LINEAR = t.Operation("*", (X, Y))
TERMS = [
    t.add(X, -3),
    t.times(-2, X),
    NOT_LINEAR,
    t.choose(t.less(X, Y), X, Y),
    t.equivalent(t.predicate("p")(X), t.less(X, Y)),
    t.for_all(lambda x: t.implies(t.less(x, X), t.exists(lambda y: t.equal(t.add(x, y), Y)))),
    t.exists(lambda x, y: t.conjunction(t.relation("r")(x, y), t.relation("r")(y, x), t.less(x, y))),
    t.conjunction(t.for_all(lambda x: t.predicate("p")(x)), t.exists(lambda x: t.less(x, X))),
    t.disjunction(t.equal(t.function("f")(X), Y), t.negation(t.predicate("p")(t.function("f")(Y)))),
    t.TRUE,
    t.Integer(-7),
]


def models() -> list[dict[str, object]]:
    return [
        {"a": a, "b": b, "p": lambda x: x % 2 == 0, "r": lambda x, y: x * y == 2, "f": lambda x: x * x - 2}
        for a, b in product(range(-2, 4), repeat=2)
    ]


@pytest.mark.parametrize("term", TERMS, ids=t.to_smt)
def test_what_is_read_back_has_the_value_of_what_was_printed(term: Term) -> None:
    printed, read = to_python(term), as_read(term)
    integers = domain(2)

    assert [read(model, integers) for model in models()] == [printed(model, integers) for model in models()]
    assert t.to_smt(read_back(term)) == t.to_smt(term)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("(+ a", "not closed"),
        ("a)", "has no opening one"),
        ("a b", "one expression"),
        ("(g a)", "g with 1 arguments is not declared"),
        ("(p a a)", "p with 2 arguments is not declared"),
        ("(- a)", "- with 1 arguments is not declared"),
        ("(and a true)", "integer stands where a truth value"),
        ("(+ 1 true)", "truth value stands where an integer"),
        ("(= a true)", "an integer is equated with a truth value"),
        ("(= a a a)", "= with 3 arguments"),
        ("(forall ((x Bool)) true)", "not an integer variable"),
        ("(exists ((x Int)) x)", "integer stands where a truth value"),
        ("()", "not a term"),
    ],
)
def test_other_texts_are_refused(text: str, what: str) -> None:
    with pytest.raises(NotReadable, match=what):
        from_smt(text, ["(declare-fun a () Int)", "(declare-fun p (Int) Bool)"])


def test_a_bound_variable_hides_a_function_and_an_outer_variable() -> None:
    declared = ["(declare-fun x () Int)"]
    hidden = to_python(from_smt("(exists ((x Int)) (= x 2))", declared))
    inner = to_python(from_smt("(forall ((x Int)) (exists ((x Int)) (= x 2)))", declared))

    assert hidden({"x": 0}, range(3))
    assert inner({"x": 0}, range(3))


@pytest.mark.parametrize(
    ("what", "wrong"),
    [
        ("<=", "(<= 1 0)"),
        ("not", "true"),
    ],
)
def test_the_bridge_notices_a_wrong_printer(what: str, wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Terms and their values in Python are as they should be; only the texts are wrong."""
    original: Callable[..., str] = t._smt

    def slipped(term: Term, *rest: object) -> str:
        return wrong if isinstance(term, t.Operation) and term.operator == what else original(term, *rest)

    meanings = meanings_of(load("arc-eager"))
    assert first_difference(meanings, 2) is None
    monkeypatch.setattr(t, "_smt", slipped)

    assert first_difference(meanings, 2) is not None


@pytest.mark.solver
@pytest.mark.parametrize("name", ["arc-eager", "swap", "choi-palmer"])
def test_z3_reads_what_we_read(name: str) -> None:
    """The texts of the after-states, in Z3 with every symbol defined by a configuration."""
    import z3

    system = load(name)
    meanings = meanings_of(system)
    read = {step.name: {k: as_read(v) for k, v in observations(step.after).items()} for step in meanings.steps}
    compared = 0
    for c in list(sample(system, 2, 4, 2)):
        model = {**model_of(system, c), "argument_1": 1, "argument_2": 2}
        for step in meanings.steps:
            for what, term in observations(step.after).items():
                for lengths in lengths_of([term], 2)[:2]:
                    chosen = {**model, **lengths}
                    mine = read[step.name][what](chosen, domain(2))
                    value = {True: "true", False: "false"}[mine] if isinstance(mine, bool) else f"(+ 0 ({mine}))"
                    said = t.to_smt(t.integer(mine)) if not isinstance(mine, bool) else value
                    lines = [definition(symbol, chosen, 2) for symbol in t.symbols([term])]
                    solver = z3.Solver()
                    solver.from_string("\n".join([*lines, f"(assert (not (= {t.to_smt(term)} {said})))"]))
                    assert str(solver.check()) == "unsat", f"{step.name}: {what} in {c}"
                    compared += 1
    assert compared > 100


# --- goals -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("name", [*system_names(), "covington[d=1]"])
def test_where_an_output_is_outside_a_class_some_goal_is_false(name: str) -> None:
    system = load(name)
    meanings = meanings_of(system)
    for graphs in CLASSES:
        if system.has_root or graphs.base != "trees":
            goals = soundness(meanings, graphs).goals
            assert goal_difference(system, goals, Soundness(system, graphs), small(system)) is None, str(graphs)


@pytest.mark.parametrize("graphs", CLASSES)
def test_no_goal_of_soundness_can_be_left_out(graphs: s.GraphClass) -> None:
    """Each condition of the class decides somewhere."""
    system = load(ALWAYS_TERMINAL)
    goals = soundness(meanings_of(system), graphs).goals
    for goal in goals:
        if goal.name.startswith("at the end ") and goal.name not in REDUNDANT:
            others = [other for other in goals if other is not goal]
            found = goal_difference(system, others, Soundness(system, graphs), small(system, 600))
            assert found is not None, f"{goal.name} of {graphs}"


def weaker(goals: tuple[Goal, ...], name: str) -> tuple[Goal, ...]:
    return tuple(replace(goal, term=t.TRUE) if name in goal.name else goal for goal in goals)


def test_a_goal_that_is_too_weak_is_noticed() -> None:
    stuck = load(STUCK)
    dead = no_dead_ends(meanings_of(stuck)).goals
    tight = load("arc-eager")
    claim = s.SpaceBound("<=", s.Words())
    full = space(meanings_of(tight), claim).goals

    assert goal_difference(stuck, dead, NoDeadEnd(), small(stuck)) is None
    assert "nothing is permissible" in (goal_difference(stuck, weaker(dead, "some"), NoDeadEnd(), small(stuck)) or "")
    assert goal_difference(tight, full, space_limit(tight, claim), small(tight)) is None
    assert "takes" in (goal_difference(tight, weaker(full, "space"), space_limit(tight, claim), small(tight)) or "")


def oracle_difference(name: str, left_out: str | None) -> str | None:
    """In configurations of its runs and in others, where an oracle fails often."""
    system = load(name)
    oracle = system.figure.oracles[0]
    goals = tuple(oracle_goals(meanings_of(system), oracle))
    configurations = small(system)
    golds = [gold for words in (1, 2, 3) for gold in gold_graphs(system, s.GraphClass((), "forests"), words)]
    both = [(c, gold) for gold in golds for c in configurations if c.words == gold.graph.words]
    asked = goals if left_out is None else weaker(goals, left_out)
    return oracle_goal_difference(system, asked, oracle, spread(both, 200))


@pytest.mark.parametrize("name", ["arc-eager", "swap", "list-nonprojective", "arc-swift", "attardi"])
def test_where_an_oracle_fails_some_goal_is_false(name: str) -> None:
    assert oracle_difference(name, None) is None


@pytest.mark.parametrize("left_out", ["every gold arc is built", "every arc is gold"])
def test_a_goal_of_completeness_that_is_left_out_is_missed(left_out: str) -> None:
    assert "but" in (oracle_difference("list-nonprojective", left_out) or "")


def test_the_prover_refuses_goals_that_are_too_weak(monkeypatch: pytest.MonkeyPatch) -> None:
    def slipped(*arguments: object) -> object:
        problem = soundness(*arguments)
        return replace(problem, goals=weaker(problem.goals, "PROJECTIVITY"))

    monkeypatch.setattr(completeness_module, "soundness", slipped)
    graphs = s.GraphClass((s.Restriction("projective", None),), "forests")

    with pytest.raises(WrongMeaning, match=r"every goal is true in .* is not among the projective forests"):
        sound(Prover(load("list-nonprojective")), s.Claim(s.Sound(graphs)), graphs)
