"""What breaks when a part of a figure is left out: the measure of whether the part is needed.

All claims are checked, then everything that is checked for every figure (`terminates`, `no dead ends`, …) except
questions about oracles, and finally the claims that are expensive to check, such as those about costs.  A question is
*broken* if it holds in the original figure and a sentence refutes it without the part; if several are broken, the one
with the smallest witness counts.

A claim that something fails, or that a published claim is refuted, is *no longer shown* if its counterexample is gone
and there is no other up to n words.  With more words there may be one, so nothing is decided then.
"""

from collections.abc import Iterable
from dataclasses import field

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.levels import Levels
from arcproof.properties.evidence import Counterexample, Evidence, Exhausted, Refuted
from arcproof.properties.property import Question, asked_of, check_statement, checks_of, property_of, text_of
from arcproof.transitions import syntax as s


@dataclass(frozen=True, slots=True)
class Broken:
    """A question that held and is broken, as written.  The counterexample is None if the question is merely no longer
    shown up to this many words.
    """

    question: str
    words: int
    counterexample: Counterexample | None


@dataclass
class Standards:
    """The questions that a figure without one of its parts must still meet; whether the original meets them is
    determined once, on demand.
    """

    levels: Levels
    with_oracles: bool = True
    known: dict[Question, bool] = field(default_factory=dict)

    def broken(self, without: Levels, is_costly: bool) -> Broken | None:
        """The first thing that breaks, among the costly questions or among the others: claims before checks."""
        claims = [claim for claim in self.levels.system.figure.claims if self._is_asked(claim, is_costly)]
        checks = [check for check in checks_of(self.levels.system) if self._is_asked(check, is_costly)]
        return self._least(claims, without) or self._least(checks, without)

    def _is_asked(self, question: Question, is_costly: bool) -> bool:
        known = property_of(asked_of(question))
        of_oracles = known.follows_oracles and not (self.with_oracles and isinstance(question, s.Claim))
        return known.is_costly is is_costly and not of_oracles

    def _least(self, questions: Iterable[Question], without: Levels) -> Broken | None:
        found = (self._broken(question, without) for question in questions)
        return min((one for one in found if one is not None), key=_size, default=None)

    def _broken(self, question: Question, without: Levels) -> Broken | None:
        outcome = check_statement(without, asked_of(question))
        text = text_of(self.levels.system, question)
        if _denies(question):
            if not isinstance(outcome, Exhausted) or without.reached < self.levels.reached:
                return None
            return Broken(text, outcome.words, None) if self._is_met(question) else None
        if isinstance(outcome, Refuted) and self._is_met(question):
            return Broken(text, outcome.words, outcome.counterexample)
        return None

    def _is_met(self, question: Question) -> bool:
        if question not in self.known:
            self.known[question] = _meets(question, check_statement(self.levels, asked_of(question)))
        return self.known[question]


def _denies(question: Question) -> bool:
    """Whether a claim says that something fails."""
    return isinstance(question, s.Claim) and question.kind != "plain"


def _meets(question: Question, found: Evidence) -> bool:
    if _denies(question):
        return isinstance(found, Refuted)
    return isinstance(found, Exhausted)


def _size(broken: Broken) -> tuple[bool, tuple[int, int]]:
    found = broken.counterexample
    return found is None, (broken.words, 0) if found is None else size_of(found)


def size_of(counterexample: Counterexample) -> tuple[int, int]:
    """The size of a witness: words, then transitions."""
    return counterexample.words, len(counterexample.transitions or ())
