"""Claims about a dynamic oracle as goals.

The class is one of trees with node 0, so that every word has a gold head, and the loss of an output is the number of
gold arcs that it lacks.  Let R be a formula for the arcs within reach for which the goals of `decomposability` are
proved.  Then the loss of a configuration is the number of gold arcs without R, and a transition costs the number of
gold arcs that it *loses*: those with R before it and not after it.

*Exact*: some line gives the cost of each transition, and the summands of that line count the arcs that are lost.  Each
word has one gold head, so an arc is known by its dependent.  A summand stands for a set of words: a count `#{k in …:
…}` for the nodes k themselves, or for one node of the pattern where no two k are counted; a truth value for one node of
the pattern.  These sets are disjoint, and together they are the dependents of the arcs that are lost.  No node is
counted twice for being in two parts of the sequence.

*Safe*: if all summands are 0, nothing is lost.

*Never stuck*: in every configuration that is not terminal some transition is permissible whose summands are all 0.
This does not depend on R.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

from arcproof.properties.proving.goals.decomposability import Reach, kept, running
from arcproof.properties.proving.goals.soundness import move_of, named
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Function, Term
from arcproof.properties.proving.meaning.conditions import GOLD
from arcproof.properties.proving.meaning.costs import CountedNodes, Price, Summand, prices
from arcproof.properties.proving.meaning.state import Unsupported
from arcproof.properties.proving.meaning.steps import SymbolicStep, step_of
from arcproof.properties.proving.meaning.symbolic import Meanings, with_some_lengths
from arcproof.properties.proving.trusted.obligation import Premise
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.transitions import syntax as s


@dataclass(frozen=True, slots=True)
class SummandPlace:
    """A summand of an oracle: the case of a transition, the line, and the number of the summand."""

    step: str
    line: int
    number: int


Dependents = Mapping[SummandPlace, str | None]
"""The node of the pattern that is the dependent of a summand's arcs; None if the dependent is the node that is
counted.
"""


def lost(reach: Reach, meanings: Meanings, step: SymbolicStep, y: Term) -> Term:
    """The condition that the gold arc to y is within reach before a step but not after it."""
    head = GOLD.head(y)
    before, after = reach(meanings.before, head, y), reach(step.after, head, y)
    return t.conjunction(GOLD.arc(head, y), before, t.negation(after))


def stands_for(summand: Summand, price: Price, dependent: str | None, y: Term) -> Term:
    """The condition under which a summand counts the gold arc to y.

    `dependent` names the node of the pattern that is the dependent of the summand's arcs (`Dependents`).
    """
    if not isinstance(summand, CountedNodes):
        assert dependent is not None
        return t.conjunction(summand.condition, t.equal(y, price.nodes[dependent]))
    if dependent is None:
        return summand.holds(y)
    return t.conjunction(t.exists(lambda k: summand.holds(k)), t.equal(y, price.nodes[dependent]))


def exact(meanings: Meanings, oracle: s.DynamicOracle, reach: Reach, dependents: Dependents) -> Iterator[Goal]:
    """Yield the goals which say that the summands count exactly the lost arcs, each once."""
    yield from priced(meanings, oracle)
    for step in meanings.steps:
        for price in prices(meanings, oracle, step):
            if price.constant:
                raise Unsupported(
                    f"the cost of {step.rule.name} in line {price.number} of {oracle.name} contains a number"
                )
            yield from _exact(meanings, step, price, reach, dependents)


def _exact(
    meanings: Meanings, step: SymbolicStep, price: Price, reach: Reach, dependents: Dependents
) -> Iterator[Goal]:
    where, premises = f"{step.name}, line {price.number}", _charged(meanings, step, price)
    chosen = [dependents[SummandPlace(step.name, price.number, number)] for number in range(len(price.summands))]
    counted = [partial(stands_for, summand, price, dep) for summand, dep in zip(price.summands, chosen, strict=True)]
    is_lost = partial(lost, reach, meanings, step)
    for what, term in _counting(is_lost, counted):
        yield Goal(f"{where}: {what}", premises, term, is_part=False)
    for number, (summand, dependent) in enumerate(zip(price.summands, chosen, strict=True), start=1):
        if isinstance(summand, CountedNodes):
            for what, term in _counted_once(summand, dependent):
                yield Goal(f"{where}: {what} in summand {number}", premises, term, is_part=False)


def _counting(is_lost: Function, counted: Sequence[Function]) -> Iterator[Premise]:
    """Yield the parts of the goal: the sets of words are disjoint, and together they are what is lost."""
    yield "every arc that is lost is counted", _included(is_lost, lambda y: t.disjunction(*(one(y) for one in counted)))
    for number, one in enumerate(counted, start=1):
        yield f"summand {number} counts arcs that are lost", _included(one, is_lost)
    for (number, one), (other, two) in combinations(enumerate(counted, start=1), 2):
        yield f"summands {number} and {other} have no arc in common", _disjoint(one, two)


def _included(one: Function, other: Function) -> Term:
    return t.for_all(lambda y: t.implies(one(y), other(y)))


def _disjoint(one: Function, other: Function) -> Term:
    return t.for_all(lambda y: t.negation(t.conjunction(one(y), other(y))))


def _counted_once(summand: CountedNodes, dependent: str | None) -> Iterator[Premise]:
    """Yield the conditions under which a count is the size of the set that it stands for."""
    wanted = summand.condition
    for (number, one), (other, two) in combinations(enumerate(summand.members, start=1), 2):
        yield f"parts {number} and {other} share no node that is counted", _disjoint(_both(one, wanted), two)
    if dependent is not None:
        same = t.for_all(lambda j, k: t.implies(t.conjunction(summand.holds(j), summand.holds(k)), t.equal(j, k)))
        yield "at most one node is counted", same


def _both(one: Function, other: Function) -> Function:
    return lambda k: t.conjunction(one(k), other(k))


def _charged(meanings: Meanings, step: SymbolicStep, price: Price) -> tuple[Premise, ...]:
    """The premises that a step is taken and that a line gives its cost."""
    move = move_of(meanings, step)
    return (*move.premises, *move.facts, *named("the line that counts", price.conditions))


def priced(meanings: Meanings, oracle: s.DynamicOracle) -> Iterator[Goal]:
    """Yield the goals that some line gives the cost of each transition."""
    for step in meanings.steps:
        some = t.disjunction(*(t.conjunction(*price.conditions) for price in prices(meanings, oracle, step)))
        yield Goal(f"some line gives the cost of {step.name}", move_of(meanings, step).premises, some, is_part=False)


def safe(meanings: Meanings, oracle: s.DynamicOracle, reach: Reach) -> Iterator[Goal]:
    """Yield the goals that nothing is lost if all summands are 0."""
    yield from priced(meanings, oracle)
    for step in meanings.steps:
        for price in prices(meanings, oracle, step):
            if not price.constant:
                premises = (*_charged(meanings, step, price), *named("free", is_free(price)))
                free = kept(reach, meanings.before, step.after)
                yield Goal(
                    f"{step.name}, line {price.number}: what is free loses no arc", premises, free, is_part=False
                )


def is_free(price: Price) -> tuple[Term, ...]:
    """The conditions under which a line calls its transition free: nothing is subtracted, so every summand is 0."""
    return (t.TruthValue(price.constant == 0), *(summand.is_nothing for summand in price.summands))


def never_stuck(meanings: Meanings, oracle: s.DynamicOracle) -> Iterator[Goal]:
    """Yield the goal that some transition is called free."""
    yield from priced(meanings, oracle)
    some = t.disjunction(*(_called_free(meanings, oracle, step) for step in meanings.steps))
    yield Goal("the oracle calls something free", (running(meanings),), some, is_part=False)


def _called_free(meanings: Meanings, oracle: s.DynamicOracle, step: SymbolicStep) -> Term:
    """The condition that a transition is permissible and called free, with some lengths."""

    def with_lengths(lengths: tuple[Term, ...]) -> Term:
        done = step_of(step.plan, step.name, meanings.before, lengths)
        lines = (t.conjunction(*price.conditions, *is_free(price)) for price in prices(meanings, oracle, done))
        return t.conjunction(*done.guard, t.disjunction(*lines))

    return with_some_lengths(step.plan.match, meanings.before, with_lengths)
