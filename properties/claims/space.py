"""Space: the cells of all sequences plus the arcs (plus flags, counters and members of sets) of every configuration of
a run.

`space <= b` bounds every configuration; `space = b` also says that for every number of words some configuration takes
b.
"""

from typing import TYPE_CHECKING, ClassVar, Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.exhaustive import exhaust, retrace
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import RunCheck
from arcproof.properties.engines.sampled import property_check
from arcproof.properties.engines.spaces import RunProperty, Screen
from arcproof.properties.evidence import Counterexample, Evidence, Refuted
from arcproof.properties.property import AMOUNTS, Column, Parts, Property, Sentence
from arcproof.transitions import syntax as s
from arcproof.transitions.bounds import Bound, NotLinear
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.printing.notation import bound_text, bounded_text
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.syntax import SpaceBound
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover
    from arcproof.properties.proving.theorem import Theorem


@dataclass(frozen=True, slots=True)
class SpaceLimit(RunProperty):
    """A bound on space as a property of runs."""

    bound: Bound

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:
        """Report a configuration that takes more space."""
        limit = self.bound.at(c.words)
        if c.space <= limit:
            return None
        return f"{c} takes {c.space}, more than {limit}"

    def screen(self, words: int) -> Screen:
        """Select configurations that take more."""
        return Screen(space=self.bound.at(words))


def space_limit(system: System, claim: SpaceBound) -> SpaceLimit:
    """The property that a claim states, or `NotLinear` with the reason why there is none."""
    bound = Bound.of(claim.bound, system)
    if bound.counts:
        raise NotLinear("a bound on space cannot count transitions")
    if claim.relation == ">=":
        raise NotLinear("a lower bound on space is not checked")
    return SpaceLimit(bound)


def check_space(levels: Levels, claim: SpaceBound) -> Evidence:
    """Try every configuration; where the bound is to be attained, on every level below the first that exceeds it."""
    try:
        limit = space_limit(levels.system, claim)
    except NotLinear as error:
        return levels.no_answer(str(error))
    found = exhaust(levels, limit)
    if claim.relation == "<=":
        return found
    within = levels.up_to(found.words - 1) if isinstance(found, Refuted) else levels
    return _never_attained(within, limit.bound) or found


def _never_attained(levels: Levels, bound: Bound) -> Refuted | None:
    for space in levels.spaces():
        greatest, most = space.most_space()
        if greatest != bound.at(space.words):
            run = space.run_to(most)
            graph = retrace(levels.system, space.words, run).graph
            with_words = f"with {counted(space.words, 'word')}"
            reason = f"{with_words} no configuration takes {bound.at(space.words)}; the most is {greatest}"
            return levels.refuted(space.size, Counterexample(space.words, graph, run, reason))
    return None


class SpaceProperty(Property[s.SpaceBound]):
    """`space <= 2n + 1`."""

    questions = (s.SpaceBound,)
    column = Column("space", "bounds on cells and arcs")
    goals_are_parts: ClassVar[bool] = True

    def parts(self, system: System, question: s.SpaceBound) -> Parts:
        """A name, and the bound with its relation."""
        return Parts(bounded_text(question), bound_text(question))

    def sentence(self, question: s.SpaceBound) -> Sentence:
        """The claim as a sentence."""
        amount = AMOUNTS[question.relation]
        return (
            "The number of cells and arcs of a " "configuration for ", s.Words(), f" words is {amount} ", question.bound, "."
        )  # fmt: skip

    def check(self, levels: Levels, question: s.SpaceBound) -> Evidence:
        """Try every configuration."""
        return check_space(levels, question)

    def run_check(self, system: System, question: s.SpaceBound) -> RunCheck | None:
        """Check every configuration of the run; whether a bound is attained cannot be seen in a single run."""
        if question.relation != "<=":
            return None
        try:
            return property_check(system, space_limit(system, question))
        except NotLinear:
            return None

    def prove(self, prover: "Prover", claim: s.Claim, question: s.SpaceBound) -> "Theorem":
        """Prove a goal for every configuration."""
        from arcproof.properties.proving.goals.space import space

        problem = prover.confronted(space(prover.meanings, question), space_limit(prover.system, question))
        return prover.theorem(claim, prover.argument(problem))


PROPERTIES: Final = (SpaceProperty(),)
