"""Unambiguity: every output has exactly one derivation.

A *derivation* is a sequence of transitions with their choices, from the start to the first terminal configuration.
Labels are ignored, since they are not up to the system.  A system in which an output has several derivations has
*spurious ambiguity*: its oracle must make choices that make no difference. The counterexample is an output with the
fewest words, and among those the one with the shortest derivation; two of its derivations are shown.
"""

from typing import TYPE_CHECKING, Final

from arcproof.properties.engines.exhaustive import ReplayFailed, retrace
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.spaces import Space
from arcproof.properties.evidence import Counterexample, Evidence
from arcproof.properties.property import Column, Parts, Property, Sentence, named_by_words
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover
    from arcproof.properties.proving.theorem import Theorem


def ambiguous_output(space: Space) -> Counterexample | None:
    """The first output with two derivations, replayed by the interpreter."""
    found = space.two_derivations()
    if found is None:
        return None
    ends = [retrace(space.system, space.words, run) for run in found]
    if found[0] == found[1] or ends[0].graph != ends[1].graph or not all(map(space.system.is_terminal, ends)):
        raise ReplayFailed(f"{space.system.name}, {space.words} words: these are not two derivations of one output")
    reason = f"the output {ends[0].graph} has two derivations"
    return Counterexample(space.words, ends[0].graph, found[0], reason, found[1])


class UnambiguousProperty(Property[s.Unambiguous]):
    """`unambiguous`.

    It is not sampled: to tell whether a long output has a second derivation would need a separate search.
    """

    questions = (s.Unambiguous,)
    column = Column("unambiguous", "every output has exactly one derivation")

    def parts(self, system: System, question: s.Unambiguous) -> Parts:
        """A name; it is about the system alone."""
        return named_by_words(question)

    def sentence(self, question: s.Unambiguous) -> Sentence:
        """The claim as a sentence."""
        return ("Every output has exactly one derivation, labels aside.",)

    def check(self, levels: Levels, question: s.Unambiguous) -> Evidence:
        """Look for an output with two derivations on every level."""
        cases = 0
        for space in levels.spaces():
            cases += len(space.outputs)
            found = ambiguous_output(space)
            if found is not None:
                return levels.refuted(cases, found)
        return levels.exhausted(levels.reached, cases, "outputs", "with all their derivations")

    def prove(self, prover: "Prover", claim: s.Claim, question: s.Unambiguous) -> "Theorem":
        """Prove it by showing that two permissible transitions give a word different heads, permanently."""
        from arcproof.properties.proving.goals.objections import to_unambiguity
        from arcproof.properties.proving.goals.unambiguous import unambiguous

        problem = unambiguous(prover.meanings)
        prover.agree(problem.goals, to_unambiguity(prover.system, prover.compared_configurations))
        return prover.theorem(claim, prover.argument(problem))


PROPERTIES: Final = (UnambiguousProperty(),)
