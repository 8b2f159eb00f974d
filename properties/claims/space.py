"""Space: cells of all sequences plus arcs (plus flags, counters and members of sets), in every configuration of a run.

`space <= b` bounds every configuration; `space = b` also says that for every number of words some configuration takes b.
"""

from dataclasses import dataclass

from arcproof.properties.engines.levels import Levels, exhaust, retrace
from arcproof.properties.engines.spaces import Screen
from arcproof.properties.verdict import Counterexample, Outcome
from arcproof.transitions.bounds import Bound, NotLinear
from arcproof.transitions.configuration import Configuration, Step, Transition
from arcproof.transitions.syntax import SpaceBound
from arcproof.transitions.system import System


@dataclass(frozen=True, slots=True)
class SpaceLimit:
    """The property of runs."""

    bound: Bound

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:  # noqa: ARG002
        """A configuration that takes more space."""
        limit = self.bound.at(c.words)
        if c.space <= limit:
            return None
        return f"{c} takes {c.space}, more than {limit}"

    def at_step(self, before: Configuration, step: Step) -> str | None:  # noqa: ARG002
        """Space is a matter of configurations."""
        return None

    def screen(self, words: int) -> Screen:
        """Configurations that take more."""
        return Screen(space=self.bound.at(words))


def space_limit(system: System, claim: SpaceBound) -> SpaceLimit:
    """The property of a claim; `NotLinear` says why there is none."""
    bound = Bound.of(claim.bound, system)
    if bound.counts:
        raise NotLinear("a bound on space in counts of transitions has no meaning")
    if claim.relation == ">=":
        raise NotLinear("a lower bound on space is not checked")
    return SpaceLimit(bound)


def check_space(levels: Levels, claim: SpaceBound) -> Outcome:
    """Try every configuration."""
    try:
        limit = space_limit(levels.system, claim)
    except NotLinear as error:
        return levels.unknown(str(error))
    outcome = exhaust(levels, limit)
    if claim.relation == "<=" or outcome.counterexample is not None:
        return outcome
    return _never_attained(levels, limit.bound) or outcome


def _never_attained(levels: Levels, bound: Bound) -> Outcome | None:
    for space in levels.spaces():
        greatest, most = space.most_space()
        if greatest != bound.at(space.words):
            run = space.run_to(most)
            graph = retrace(levels.system, space.words, run).graph
            reason = f"with {space.words} words no configuration takes {bound.at(space.words)}; the most is {greatest}"
            return levels.refuted(space.words, space.size, Counterexample(space.words, graph, run, reason))
    return None
