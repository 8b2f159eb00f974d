"""Space: cells of all sequences plus arcs (plus flags, counters and members of sets), in every configuration of a run."""

from dataclasses import dataclass

from arcproof.properties.bounds import Bound, holds_between
from arcproof.properties.exhausted import Levels, exhaust
from arcproof.properties.verdict import Outcome, unknown
from arcproof.transitions.configuration import Configuration, Step, Transition
from arcproof.transitions.syntax import SpaceBound


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


def check_space(levels: Levels, claim: SpaceBound) -> Outcome:
    """Try every configuration; an equation also asks that the bound is attained for every number of words."""
    bound = Bound.of(claim.bound, levels.system)
    if bound.counts:
        return unknown("interpreter", "a bound on space in counts of transitions has no meaning")
    if claim.relation == ">=":
        return unknown("interpreter", "a lower bound on space is not checked")
    outcome = exhaust(levels, SpaceLimit(bound))
    if claim.relation == "=" and outcome.counterexample is None:
        for space in levels.spaces():
            greatest = max(c.space for c in space.configurations)
            if not holds_between(greatest, "=", bound.at(space.words)):
                return unknown(
                    "interpreter",
                    f"with {space.words} words the greatest space is {greatest}, not {bound.at(space.words)}",
                )
    return outcome
