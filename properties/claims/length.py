"""Length: the number of transitions to the terminal configuration, and the number of times that one transition occurs
in such a run.

A claim `length = 2n + 2 #SWAP` compares, for every run that ends, a sum over its transitions with a number that depends
on n alone: each transition weighs 1, a SWAP 1 - 2.  So the heaviest and the lightest run decide, or a cycle on the way
to the end that gains or loses weight.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from math import lcm
from typing import TYPE_CHECKING, Final

from arcproof.properties.engines.exhaustive import ReplayFailed, retrace
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import RunCheck
from arcproof.properties.engines.sampled import Counts, end_check
from arcproof.properties.engines.spaces import Gaining, Heaviest, Run, Space
from arcproof.properties.evidence import Counterexample, Evidence, Open
from arcproof.properties.property import AMOUNTS, Column, Named, Parts, Property, Sentence
from arcproof.transitions import syntax as s
from arcproof.transitions.bounds import Bound, NotLinear, holds_between
from arcproof.transitions.printing.notation import bound_text, bounded_text, statement_text
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.syntax import CountBound, LengthBound
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover
    from arcproof.properties.proving.theorem import Theorem

Own = Callable[[str], int]
SIGNS: Final[dict[str, tuple[int, ...]]] = {"<=": (1,), ">=": (-1,), "=": (1, -1)}


def own_weight(claim: LengthBound | CountBound) -> Own:
    """What one transition adds to the left side of the claim."""
    if isinstance(claim, LengthBound):
        return lambda _: 1
    return lambda name: int(name == claim.transition)


def violation(bound: Bound, claim: LengthBound | CountBound, words: int, counts: Counts) -> str | None:
    """Why a run that ends, with these counts of its transitions, violates the claim; None if it does not."""
    own = own_weight(claim)
    value = sum(own(name) * count for name, count in counts.items())
    limit = bound.at(words) + sum(c * counts.get(name, 0) for name, c in bound.counts.items())
    if holds_between(value, claim.relation, limit):
        return None
    if isinstance(claim, LengthBound):
        what = f"the run has length {value}"
    else:
        what = f"{claim.transition} occurs {counted(value, 'time')}"
    return f"{what}; {statement_text(claim)} requires {AMOUNTS[claim.relation]} {limit} with {counted(words, 'word')}"


def violated_by(bound: Bound, claim: LengthBound | CountBound, words: int, run: Run) -> str | None:
    """Why a run that ends violates the claim; None if it does not."""
    return violation(bound, claim, words, Counter(transition.name for transition in run))


def check_length(levels: Levels, claim: LengthBound | CountBound) -> Evidence:
    """Try the heaviest or the lightest run of every level, or both."""
    try:
        bound = Bound.of(claim.bound, levels.system)
    except NotLinear as error:
        return levels.no_answer(str(error))
    cases = 0
    for space in levels.spaces():
        cases += _concerned(space, claim)
        found = _refuting(space, claim, bound)
        if found is not None:
            return levels.refuted(cases, found)
    return levels.exhausted(levels.reached, cases, _what(claim), "with every run to them")


def _refuting(space: Space, claim: LengthBound | CountBound, bound: Bound) -> Counterexample | None:
    for found in extremes(space, claim, bound):
        match found:
            case Gaining(lead, loop):
                return _repeated(space, lead, loop)
            case Heaviest(_, run):
                reason = violated_by(bound, claim, space.words, run)
                if reason is not None:
                    return _violating(space, tuple(run), reason)
    return None


def _what(claim: LengthBound | CountBound) -> str:
    with_it = f" after runs with {claim.transition}" if isinstance(claim, CountBound) and claim.relation == "<=" else ""
    return f"terminal configurations{with_it}"


def _concerned(space: Space, claim: LengthBound | CountBound) -> int:
    """The number of terminal configurations, if the transition that is counted occurs on the way to one of them."""
    if isinstance(claim, CountBound) and claim.relation == "<=" and not space.occurs(claim.transition):
        return 0
    return space.terminal_count


def extremes(space: Space, claim: LengthBound | CountBound, bound: Bound) -> Iterator[Heaviest | Gaining]:
    """The heaviest run that ends, the lightest, or both, as the claim weighs transitions; only those that violate
    it.
    """
    own = own_weight(claim)
    scale = _denominator(bound)
    for sign in SIGNS[claim.relation]:
        found = space.heaviest(lambda name, sign=sign: int(sign * scale * bound.weight(name, own(name))))  # type: ignore[misc]
        if isinstance(found, Gaining) or (found is not None and found.weight > sign * scale * bound.at(space.words)):
            yield found


def _denominator(bound: Bound) -> int:
    return lcm(*(coefficient.denominator for coefficient in bound.counts.values()))


def _repeated(space: Space, lead: Run, loop: Run) -> Counterexample:
    """A counterexample with a loop: repeating it makes a run that ends heavier, or lighter, than any bound."""
    run = (*lead, *loop)
    graph = retrace(space.system, space.words, run).graph
    reason = f"a run can repeat {' '.join(t.instance for t in loop)} arbitrarily often before it ends"
    return Counterexample(space.words, graph, run, reason)


def _violating(space: Space, run: Run, reason: str) -> Counterexample:
    c = retrace(space.system, space.words, run)
    if not space.system.is_terminal(c):
        raise ReplayFailed(f"{space.system.name}, {space.words} words: the run does not end")
    return Counterexample(space.words, c.graph, run, reason)


class LengthProperty(Property[LengthBound | CountBound]):
    """`length <= 2n`, `#SWAP <= n(n - 1)/2`."""

    questions = (LengthBound, CountBound)
    column = Column("length", "bounds on the number of transitions")

    def parts(self, system: System, question: LengthBound | CountBound) -> Parts:
        """A name, and the bound with its relation."""
        return Parts(bounded_text(question), bound_text(question))

    def sentence(self, question: LengthBound | CountBound) -> Sentence:
        """The claim as a sentence."""
        amount = f"is {AMOUNTS[question.relation]} "
        if isinstance(question, LengthBound):
            return "The number of transitions of a run for ", s.Words(), f" words {amount}", question.bound, "."
        name = Named(question.transition, is_transition=True)
        return (
            "The number of times that a run for ", s.Words(), " words takes ", name, f" {amount}", question.bound, "."
        )  # fmt: skip

    def check(self, levels: Levels, question: LengthBound | CountBound) -> Evidence:
        """Try the heaviest or the lightest run of every level, or both."""
        return check_length(levels, question)

    def run_check(self, system: System, question: LengthBound | CountBound) -> RunCheck | None:
        """Check the length of the run, if it ends."""
        try:
            bound = Bound.of(question.bound, system)
        except NotLinear:
            return None
        return end_check(lambda words, counts: violation(bound, question, words, counts))

    def worth_sampling(self, question: LengthBound | CountBound, found: Evidence) -> bool:
        """Whether samples can add anything: a count of a transition that never occurs stays open however many runs are
        sampled.
        """
        return not (isinstance(question, CountBound) and isinstance(found, Open))

    def prove(self, prover: "Prover", claim: s.Claim, question: LengthBound | CountBound) -> "Theorem":
        """By a ranking."""
        from arcproof.properties.proving.goals.ranking import demand_of
        from arcproof.properties.proving.methods.lengths import ranked

        return ranked(prover, claim, demand_of(prover.meanings, question))


PROPERTIES: Final = (LengthProperty(),)
