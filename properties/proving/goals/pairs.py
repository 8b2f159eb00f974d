"""A transition that is performed at most once per pair of words is performed at most n(n - 1)/2 times.

Two things are proved.  *Once*: let the ghost `done(x, y)` say that the transition was performed with x and y as its two
nodes; then the two nodes are always words x < y with which it was not performed before.  *Counting*: adding pairs x < y
of words to an empty set, never one that is already in it, is possible at most n(n - 1)/2 times.  Counting is about sets
alone and the same for every figure: for each y, `before(y, m)` is the number of pairs (x, y) with x <= m, and `upto(m)`
is the number of pairs (x, y) with y <= m.  Both are updated with each pair, and induction on m shows that before(y, m)
<= m and 2 upto(m) <= m(m - 1).
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from typing import Final

from arcproof.properties.proving.goals.soundness import move_of
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.language.terms import Relation, Term
from arcproof.properties.proving.library.instances import instances
from arcproof.properties.proving.meaning.conditions import Scene
from arcproof.properties.proving.meaning.model import domain, model_of
from arcproof.properties.proving.meaning.state import WORDS, SymbolicState
from arcproof.properties.proving.meaning.steps import SymbolicStep
from arcproof.properties.proving.meaning.symbolic import Meanings
from arcproof.properties.proving.trusted.facts import Candidate
from arcproof.properties.proving.trusted.obligation import HYPOTHESIS, Obligation, Premise
from arcproof.properties.proving.trusted.problem import WORDS_PREMISE, Goal, Move, Problem
from arcproof.transitions import plan as p
from arcproof.transitions.polynomial import Polynomial
from arcproof.transitions.system import System

MOST: Final = Polynomial.of(0, Fraction(-1, 2), Fraction(1, 2))
"""n(n - 1)/2."""

RUNS: Final = 40
LONGEST: Final = (4, 5)
DONE: Final = "done"


@dataclass(frozen=True)
class Pair:
    """A transition, and two of the nodes in its pattern."""

    step: SymbolicStep
    first: str
    second: str
    nodes: tuple[Term, Term]

    def __str__(self) -> str:
        """The text in the report."""
        return f"{self.step.name} is performed at most once with the same {self.first} and {self.second}"


def every_pair(meanings: Meanings) -> Iterator[Pair]:
    """Yield every pair of nodes in the pattern of a transition that has one rule."""
    for step in meanings.steps:
        if step.name != step.rule.name or step.lengths:
            continue
        scene = Scene(meanings.before)
        for first, second in permutations(_printed(step, meanings.before), 2):
            yield Pair(step, first.name, second.name, (scene.node(first), scene.node(second)))


def pairs(meanings: Meanings) -> Iterator[Pair]:
    """Yield the pairs for which random runs never perform the transition twice with the same two nodes."""
    for pair in every_pair(meanings):
        if all(_new_and_ordered(pair, model) for _, model in runs(meanings.system, pair, LONGEST[0])):
            yield pair


def _printed(step: SymbolicStep, state: SymbolicState) -> Iterator[p.Cell]:
    """The nodes of a pattern from left to right."""
    for component, test in zip(state.sequences, step.plan.match.sequences, strict=True):
        items = test.items if component.head == "left" else test.items[::-1]
        yield from (item for item in items if isinstance(item, p.Cell) and not item.is_hole and not item.is_root)


# --- runs that remember ----------------------------------------------------------------------------------------------


def runs(system: System, pair: Pair, words: int) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the configurations of random runs, with what was done so far."""
    chance = random.Random(0)
    nodes = [to_python(node) for node in pair.nodes]
    for _ in range(RUNS):
        c = system.start(words)
        done: frozenset[tuple[object, ...]] = frozenset()
        for _ in range(10 * words * words):
            if system.is_terminal(c):
                break
            model = model_of(system, c)
            yield str(c), {**model, DONE: lambda x, y, done=done: (x, y) in done}
            permissible = system.permissible(c)
            if not permissible:
                break
            transition = chance.choice(permissible)
            if transition.name == pair.step.name:
                done |= {tuple(node(model, domain(words)) for node in nodes)}
            c = system.apply(c, transition)


def _new_and_ordered(pair: Pair, model: dict[str, object]) -> bool:
    words = model["n"]
    assert isinstance(words, int)
    guard = to_python(t.conjunction(*pair.step.guard))
    wanted = to_python(t.conjunction(*_wanted(pair, t.relation(DONE))))
    return not guard(model, domain(words)) or bool(wanted(model, domain(words)))


# --- once ------------------------------------------------------------------------------------------------------------


def _wanted(pair: Pair, done: Relation) -> tuple[Term, ...]:
    first, second = pair.nodes
    return t.at_most(1, first), t.less(first, second), t.at_most(second, WORDS), t.negation(done(first, second))


def once(meanings: Meanings, pair: Pair) -> Problem:
    """The problem whose goals are that a transition is performed only with words x < y, and never twice with the same
    ones.
    """
    done = t.relation(DONE)
    before = replace(meanings.before, done=done)
    moves = [_remembering(move_of(meanings, step), pair, done) for step in meanings.steps]
    own = move_of(meanings, pair.step)
    names = (
        "the first is a word",
        "the first is before the second",
        "the second is a word",
        "this was not done before",
    )
    goals = [
        Goal(f"{pair.step.name}: {name}", own.premises, term)
        for name, term in zip(names, _wanted(pair, done), strict=True)
    ]
    return Problem((WORDS_PREMISE,), before, meanings.start, tuple(moves), tuple(goals))


def _remembering(move: Move, pair: Pair, done: Relation) -> Move:
    if move.name != pair.step.name:
        return replace(move, after=replace(move.after, done=done))
    first, second = pair.nodes

    def after(x: Term, y: Term) -> Term:
        return t.disjunction(done(x, y), t.conjunction(t.equal(x, first), t.equal(y, second)))

    return replace(move, after=replace(move.after, done=after))


def every_memory(meanings: Meanings) -> list[Candidate]:
    """Every guess about what was done."""
    state = replace(meanings.before, done=t.relation(DONE))
    return [c for c in instances(state, meanings.start).guesses if _speaks_of_done(c, state)]


def memories(meanings: Meanings, pair: Pair) -> list[Candidate]:
    """The guesses about what was done that hold in random runs."""
    state = replace(meanings.before, done=t.relation(DONE))
    left = [(c, to_python(c.formula(state))) for c in every_memory(meanings)]
    for words in LONGEST:
        for _, model in runs(meanings.system, pair, words):
            left = [(c, holds) for c, holds in left if holds(model, domain(words))]
    return [c for c, _ in left]


def _speaks_of_done(candidate: Candidate, state: SymbolicState) -> bool:
    return any(symbol.name == DONE for symbol in t.symbols([candidate.formula(state)]))


# --- counting --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Tally:
    """A set of pairs with its sums, as functions of terms."""

    done: Relation
    before: Relation
    upto: t.Function
    total: Term


def _arbitrary_tally() -> _Tally:
    return _Tally(t.relation(DONE), t.binary("before"), t.function("upto"), t.constant("total"))


def _empty() -> _Tally:
    zero = t.Integer(0)
    return _Tally(lambda _x, _y: t.FALSE, lambda _y, _m: zero, lambda _m: zero, zero)


def _with_pair(tally: _Tally, first: Term, second: Term) -> _Tally:
    def one_if(*conditions: Term) -> Term:
        return t.choose(t.conjunction(*conditions), t.Integer(1), t.Integer(0))

    return _Tally(
        lambda x, y: t.disjunction(tally.done(x, y), t.conjunction(t.equal(x, first), t.equal(y, second))),
        lambda y, m: t.add(tally.before(y, m), one_if(t.equal(y, second), t.at_most(first, m))),
        lambda m: t.add(tally.upto(m), one_if(t.at_most(second, m))),
        t.add(tally.total, 1),
    )


def _sums(tally: _Tally) -> list[Premise]:
    """The premises that define the sums."""
    zero = t.Integer(0)

    def bit(x: Term, y: Term) -> Term:
        return t.case_of(
            tally.done(x, y),
            t.equal(tally.before(y, x), t.add(tally.before(y, t.subtract(x, 1)), 1)),
            t.equal(tally.before(y, x), tally.before(y, t.subtract(x, 1))),
        )

    def row(m: Term) -> Term:
        previous = t.subtract(m, 1)
        return t.equal(tally.upto(m), t.add(tally.upto(previous), tally.before(m, previous)))

    return [
        ("no pair has a first up to 0", t.for_all(lambda y: t.equal(tally.before(y, zero), 0))),
        ("pairs are counted by their firsts", t.for_all(lambda x, y: t.implies(t.at_most(1, x), bit(x, y)))),
        ("no pair has a second up to 0", t.equal(tally.upto(zero), 0)),
        (
            "pairs are counted by their seconds",
            t.for_all(lambda m: t.implies(t.conjunction(t.at_most(1, m), t.at_most(m, WORDS)), row(m))),
        ),
        ("the total is that of all seconds", t.equal(tally.total, tally.upto(WORDS))),
    ]


def counting() -> list[Obligation]:
    """The obligations that there are at most n(n - 1)/2 pairs x < y of words, if none occurs twice."""
    tally = _arbitrary_tally()
    known = _sums(tally)
    first, second = t.constant("first"), t.constant("second")
    new: Premise = (
        "a new pair of words",
        t.conjunction(
            t.at_most(1, first), t.less(first, second), t.at_most(second, WORDS), t.negation(tally.done(first, second))
        ),
    )
    given = (WORDS_PREMISE, *known)
    found = [Obligation(f"counting pairs: {name}: start", (WORDS_PREMISE,), term) for name, term in _sums(_empty())]
    found += [
        Obligation(f"counting pairs: {name}: one more", (*given, new), term)
        for name, term in _sums(_with_pair(tally, first, second))
    ]
    return [*found, *_bounds(tally, given)]


def _bounds(tally: _Tally, given: tuple[Premise, ...]) -> Iterator[Obligation]:
    m, y = t.constant("m"), t.constant("y")
    previous = t.subtract(m, 1)
    few = "of m firsts at most m are in a pair"
    yield Obligation(
        f"counting pairs: {few}, by induction on m",
        (*given, ("m ≥ 0", t.at_most(0, m)), (HYPOTHESIS, t.implies(t.at_most(0, previous), t.at_most(tally.before(y, previous), previous)))),
        t.at_most(tally.before(y, m), m),
    )  # fmt: skip
    every = t.for_all(lambda y, m: t.implies(t.at_most(0, m), t.at_most(tally.before(y, m), m)))

    def triangle(k: Term) -> Term:
        return t.at_most(t.times(2, tally.upto(k)), t.subtract(t.product(k, k), k))

    half = "up to m there are at most m(m - 1)/2 pairs"
    yield Obligation(
        f"counting pairs: {half}, by induction on m",
        (*given, (few, every), ("0 ≤ m ≤ n", t.within(0, m, t.add(WORDS, 1))), (HYPOTHESIS, t.implies(t.at_most(0, previous), _square(tally, previous)))),
        triangle(m),
    )  # fmt: skip
    whole = t.for_all(lambda k: t.implies(t.within(0, k, t.add(WORDS, 1)), triangle(k)))
    yield Obligation(
        "counting pairs: at most n(n - 1)/2",
        (*given, (half, whole)),
        t.at_most(t.times(2, tally.total), t.subtract(t.product(WORDS, WORDS), WORDS)),
    )


def _square(tally: _Tally, previous: Term) -> Term:
    """2 upto(m - 1) <= (m - 1)(m - 2), multiplied out."""
    m = t.add(previous, 1)
    right = t.add(t.product(m, m), t.times(-3, m), 2)
    return t.at_most(t.times(2, tally.upto(previous)), right)
