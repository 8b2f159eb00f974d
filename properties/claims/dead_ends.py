"""No dead ends: where nothing is permissible, the configuration is terminal."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.exhaustive import exhaust
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import RunCheck
from arcproof.properties.engines.sampled import property_check
from arcproof.properties.engines.spaces import RunProperty, Screen
from arcproof.properties.evidence import Evidence
from arcproof.properties.property import Column, Parts, Property, Sentence, is_claimed, named_by_words
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.machine.packed.signs import DEAD_END
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover
    from arcproof.properties.proving.theorem import Theorem


@dataclass(frozen=True, slots=True)
class NoDeadEnd(RunProperty):
    """The absence of dead ends as a property of runs."""

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:
        """Report a configuration in which a run is stuck."""
        if terminal or permissible:
            return None
        return f"nothing is permissible in {c}, and it is not terminal"

    def screen(self, words: int) -> Screen:
        """Select dead ends."""
        return Screen(signs=DEAD_END)


class NoDeadEndsProperty(Property[s.NoDeadEnds]):
    """`no dead ends`, which is asked of every figure."""

    questions = (s.NoDeadEnds,)
    column = Column("no dead ends", "a run that has not ended can go on")
    goals_are_parts: ClassVar[bool] = True

    def parts(self, system: System, question: s.NoDeadEnds) -> Parts:
        """A name; it is about the system alone."""
        return named_by_words(question)

    def sentence(self, question: s.NoDeadEnds) -> Sentence:
        """The claim as a sentence."""
        return ("In every reachable configuration that is not terminal some transition is permissible.",)

    def asked(self, system: System) -> Iterable[s.NoDeadEnds]:
        """Asked of every figure that does not claim it."""
        return () if is_claimed(system, s.NoDeadEnds) else (s.NoDeadEnds(),)

    def check(self, levels: Levels, question: s.NoDeadEnds) -> Evidence:
        """Try every configuration."""
        return exhaust(levels, NoDeadEnd())

    def prove(self, prover: "Prover", claim: s.Claim, question: s.NoDeadEnds) -> "Theorem":
        """Prove it by an invariant that implies that some transition is permissible."""
        from arcproof.properties.proving.goals.dead_ends import no_dead_ends

        return prover.theorem(claim, prover.argument(prover.confronted(no_dead_ends(prover.meanings), NoDeadEnd())))

    def run_check(self, system: System, question: s.NoDeadEnds) -> RunCheck:
        """Check every configuration of the run."""
        return property_check(system, NoDeadEnd())


PROPERTIES: Final = (NoDeadEndsProperty(),)
