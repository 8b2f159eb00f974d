"""Termination: every run ends, that is, no configuration can be reached from itself.

A run may end in a terminal configuration or in a dead end; dead ends are a separate property.  A sampled run that does
not end refutes it if a configuration occurs in it twice.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from arcproof.properties.engines.exhaustive import ReplayFailed, retrace
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import RunCheck, RunFault, Screened
from arcproof.properties.engines.policies import AnyRun
from arcproof.properties.evidence import Counterexample, Evidence
from arcproof.properties.property import Column, Parts, Property, Sentence, is_claimed, named_by_words
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover
    from arcproof.properties.proving.theorem import Theorem


def check_terminates(levels: Levels) -> Evidence:
    """Look for a cycle on every level."""
    cases = 0
    for space in levels.spaces():
        cases += space.size
        looped = space.cycle(only_useful=False)
        if looped is not None:
            lead, loop = looped
            c = retrace(levels.system, space.words, lead)
            if c != retrace(levels.system, space.words, (*lead, *loop)):
                raise ReplayFailed(f"{levels.system.name}, {space.words} words: the loop does not close")
            return levels.refuted(cases, Counterexample(space.words, c.graph, (*lead, *loop), _loops(loop, c)))
    return levels.exhausted(levels.reached, cases, "configurations")


def repetition(run: AnyRun) -> RunFault | None:
    """The run up to the first configuration that occurs in it for the second time."""
    first: dict[Configuration, int] = {}
    for place, c in enumerate(run.configurations):
        if c in first:
            return RunFault(run.transitions[:place], _loops(run.transitions[first[c] : place], c))
        first[c] = place
    return None


def _loops(loop: Sequence[Transition], c: Configuration) -> str:
    return f"{' '.join(t.instance for t in loop)} leads from {c} back to it"


class TerminatesProperty(Property[s.Terminates]):
    """`terminates`, which is asked of every figure."""

    questions = (s.Terminates,)
    column = Column("ends", "every run ends")

    def parts(self, system: System, question: s.Terminates) -> Parts:
        """A name; it is about the system alone."""
        return named_by_words(question)

    def sentence(self, question: s.Terminates) -> Sentence:
        """The claim as a sentence."""
        return ("Every run ends.",)

    def asked(self, system: System) -> Iterable[s.Terminates]:
        """Asked of every figure that does not claim it."""
        return () if is_claimed(system, s.Terminates) else (s.Terminates(),)

    def check(self, levels: Levels, question: s.Terminates) -> Evidence:
        """Look for a cycle on every level."""
        return check_terminates(levels)

    def run_check(self, system: System, question: s.Terminates) -> RunCheck:
        """Look for a configuration that occurs twice in a run that does not end."""
        return Screened(repetition, lambda facts: not facts.ended, exact=False)

    def prove(self, prover: "Prover", claim: s.Claim, question: s.Terminates) -> "Theorem":
        """By a ranking."""
        from arcproof.properties.proving.methods.lengths import terminates

        return terminates(prover, claim)


PROPERTIES: Final = (TerminatesProperty(),)
