"""Lengths of runs and termination: proved by a ranking, either alone or with a transition that is performed once per
pair of words.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from arcproof.properties.engines.spaces import Heaviest
from arcproof.properties.evidence import Counterexample
from arcproof.properties.proving.arguments import Argument
from arcproof.properties.proving.explanation import Explanation, shapes
from arcproof.properties.proving.goals.measures import misfit, ranking_of
from arcproof.properties.proving.goals.objections import to_pairs, to_rankings
from arcproof.properties.proving.goals.pairs import MOST, counting, every_memory, every_pair, memories, once, pairs
from arcproof.properties.proving.goals.pairs import runs as remembered_runs
from arcproof.properties.proving.goals.ranking import (
    TERMINATION,
    Demand,
    Ranking,
    demand_of,
    ranking_problem,
    rankings,
)
from arcproof.properties.proving.search.houdini import asks_for_a_witness
from arcproof.properties.proving.theorem import (
    AttainedLength,
    Hindrance,
    MeasureFalls,
    Method,
    OncePerPair,
    Theorem,
    Topic,
    Work,
    judged,
    not_proved,
    topic_text,
)
from arcproof.properties.proving.trusted.solvers import Clock
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.bounds import Bound
from arcproof.transitions.polynomial import Polynomial
from arcproof.transitions.printing.notation import claim_text

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover

MOST_RANKINGS: Final = 4
ENDS: Final = s.Claim(s.Terminates())
SHARES: Final = (1, 2, 3)
"""The share of a bound that a transition performed at most once per pair of words may take."""


@dataclass(frozen=True)
class PerformedOnce:
    """The transitions that are performed at most once per pair of words, each with the proof that it occurs at most n(n
    - 1)/2 times.

    `timed_out` if the clock ended a solver call, perhaps for a transition that is missing here.
    """

    theorems: Mapping[str, Theorem]
    timed_out: bool


def terminates(prover: "Prover", about: Topic = ENDS) -> Theorem:
    """Prove that every run ends."""
    return ranked(prover, about, TERMINATION)


def ranked(prover: "Prover", about: Topic, demand: Demand) -> Theorem:
    """Prove a claim about lengths: by a ranking alone, or with a transition performed once per pair of words."""
    theorem = _ranked(prover, about, demand)
    if theorem.verdict is Verdict.PROVED or demand.relation != "<=":
        return theorem
    once_per_pair = prover.performed_once
    prover.clock.note(once_per_pair.timed_out)
    for name, bounded in once_per_pair.theorems.items():
        for share in SHARES:
            found = _ranked(prover, about, demand.sparing(name, share, MOST))
            if found.verdict is Verdict.PROVED:
                return _both(found, bounded)
    return theorem


def best_length(prover: "Prover") -> AttainedLength | None:
    """A better bound than the one claimed: the polynomial through the longest runs of short sentences."""
    claimed = [c.statement for c in prover.system.figure.claims if c.kind == "plain"]
    bounds = [c for c in claimed if isinstance(c, s.LengthBound) and c.relation == "<="]
    if not bounds:
        return None
    longest = [space.heaviest(lambda _: 1) for space in prover.spaces]
    attained = [found.weight for found in longest if isinstance(found, Heaviest)]
    polynomial = Polynomial.fitting(attained) if len(attained) == len(longest) else None
    if polynomial is None:
        return None
    known = Bound.of(bounds[0].bound, prover.system)
    if not known.counts and all(known.at(n) == length for n, length in enumerate(attained, start=1)):
        return None
    return AttainedLength(polynomial, len(attained))


def measure_falls(prover: "Prover", about: MeasureFalls) -> Theorem:
    """Prove that a measure meets the demand of termination or of some claim about lengths."""
    ranking = ranking_of(about.measure.term, prover.system)
    demands = {"terminates": TERMINATION, **_demands(prover)}
    misfits = {name: misfit(ranking, demand, prover.observed) for name, demand in demands.items()}
    if all(misfits.values()):
        name, wrong = next(iter(misfits.items()))
        assert wrong is not None
        others = f"; nor does it fit {', '.join(list(misfits)[1:])}" if len(misfits) > 1 else ""
        found = Counterexample(wrong.words, None, None, f"{name}: {wrong}{others}")
        return Theorem(about, None, counterexample=found)
    theorem = not_proved(about, Hindrance.NO_RANKING)
    for name, demand in demands.items():
        if misfits[name] is None:
            theorem = replace(_by(prover, about, demand, ranking), about=about)
            theorem = replace(theorem, method=replace(theorem.method, fits=name))
            if theorem.verdict is Verdict.PROVED:
                break
    return theorem


def _demands(prover: "Prover") -> dict[str, Demand]:
    """What the claims about lengths demand of a ranking."""
    found = {}
    for claim in prover.system.figure.claims:
        if claim.kind == "plain" and isinstance(claim.statement, s.LengthBound | s.CountBound):
            found[claim_text(claim)] = demand_of(prover.meanings, claim.statement)
    return found


def attained(prover: "Prover", about: AttainedLength) -> Theorem:
    """Prove that no run is longer."""
    return ranked(prover, about, replace(TERMINATION, polynomial=about.polynomial))


def _ranked(prover: "Prover", about: Topic, demand: Demand) -> Theorem:
    """Prove a demand by the first ranking for which that succeeds."""
    theorem = not_proved(about, Hindrance.NO_RANKING)
    for ranking in _rankings(prover, demand):
        theorem = _by(prover, about, demand, ranking)
        if theorem.verdict is Verdict.PROVED:
            return theorem
    if not prover.explains:
        return theorem
    why = theorem.explanation or Explanation(topic_text(about))
    return replace(theorem, explanation=replace(why, shapes=shapes(prover.meanings)))


def _by(prover: "Prover", about: Topic, demand: Demand, ranking: Ranking) -> Theorem:
    """Prove a demand by one ranking."""
    prover.say(f"{topic_text(about)}: {ranking}")
    plain = [c for c in prover.candidates if not asks_for_a_witness(c.formula(prover.meanings.before))]
    problem = ranking_problem(prover.meanings, demand, ranking)
    prover.agree(problem.goals, to_rankings(prover.meanings, ranking, demand, prover.compared_configurations))
    argument = prover.argument(problem)
    theorem = prover.theorem(about, replace(argument, candidates=plain), Method(str(ranking)))
    if theorem.verdict is not Verdict.PROVED:
        return theorem
    return replace(theorem, work=theorem.work | Work(rankings=(ranking,)))


def _rankings(prover: "Prover", demand: Demand) -> Iterator[Ranking]:
    """Yield the figure's own rankings that fit, then those that are found."""
    if prover.kept is not None:
        yield from prover.kept.work.rankings
        return
    given = [ranking for ranking in prover.measures.values() if misfit(ranking, demand, prover.observed) is None]
    yield from given
    yield from islice(rankings(prover.meanings, demand, prover.observed), MOST_RANKINGS)


def performed_once(prover: "Prover") -> PerformedOnce:
    """The transitions that are performed at most once per pair of words, among all transitions."""
    found: dict[str, Theorem] = {}
    clock = Clock()
    for pair in pairs(prover.meanings) if prover.kept is None else every_pair(prover.meanings):
        name = pair.step.name
        if name not in found:
            prover.say(f"#{name} <= n(n - 1)/2")
            basic = [c for c in prover.candidates if c.basic]
            guesses = memories(prover.meanings, pair) if prover.kept is None else every_memory(prover.meanings)
            pool = [*basic, *guesses]
            models = partial(remembered_runs, prover.system, pair)
            problem = once(prover.meanings, pair)
            prover.agree(problem.goals, to_pairs(prover.system, pair, prover.compared_configurations))
            argument = Argument(problem, pool, models, models)
            theorem = prover.theorem(OncePerPair(str(pair)), argument)
            clock.note(theorem.timed_out)
            if theorem.verdict is Verdict.PROVED:
                counted = prover.discharge(counting())
                clock.note(any(entry.timed_out for entry in counted))
                found[name] = replace(theorem, obligations=(*theorem.obligations, *counted))
    return PerformedOnce(found, clock.has_decided)


def _both(theorem: Theorem, other: Theorem) -> Theorem:
    """A theorem that rests on another."""
    assert isinstance(other.about, OncePerPair)
    whole = (*theorem.obligations, *other.obligations)
    invariant = tuple(dict.fromkeys((*theorem.invariant, *other.invariant)))
    method = replace(theorem.method, once=other.about)
    dead = tuple(dict.fromkeys((*theorem.dead, *other.dead)))
    both = judged(theorem.about, whole, (*theorem.witnesses, *other.witnesses), invariant, method, dead)
    return replace(both, work=theorem.work | other.work)
