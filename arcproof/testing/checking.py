"""Checks one claim or one oracle at a time: everything up to some number of words, and beyond that Hypothesis.

The state spaces are cached for the next.  The first part is what `arcproof verify` does with the same number of words;
its samples are drawn by native code, these by Hypothesis (`arcproof.testing.properties`).
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Final

from arcproof.properties import examine
from arcproof.properties.engines.engine import default_engine, engine_for
from arcproof.properties.engines.exhaustive import ReplayFailed
from arcproof.properties.engines.levels import Levels
from arcproof.properties.evidence import NoAnswer, Open, Refuted
from arcproof.properties.finding import Finding
from arcproof.properties.property import Question, asked_of
from arcproof.reports.sentences import detail_text, verdict_text
from arcproof.testing.failures import failure_text, plain
from arcproof.testing.properties import ClaimProperty, RefutedBySample, property_about
from arcproof.testing.subjects import Subject
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.system import System

WORDS: Final = 4
MEMORY: Final = 4 * 2**30
"""No test may use more."""
MAX_KEPT: Final = 4

_KEPT: OrderedDict[object, Levels] = OrderedDict()


@dataclass(frozen=True, slots=True)
class Examined:
    """The result: a message if the test should fail, what was done, and the finding, None if nothing was determined."""

    failure: str | None
    done: str
    finding: Finding | None = None


def examined(
    subject: Subject,
    question: Question,
    words: int,
    about: ClaimProperty | None = None,
    beyond: Callable[[], None] | None = None,
) -> Examined:
    """Try everything up to `words` words; if nothing is refuted, call the Hypothesis test `beyond`, which asks for the
    property.  A claim that is not met is a failure.
    """
    notes: tuple[str, ...] = ()
    try:
        finding = exhausted(subject.system, question, words)
        if about is not None and beyond is not None and not _is_final(finding):
            try:
                beyond()
            except RefutedBySample as error:
                notes = tuple(getattr(error, "__notes__", ()))
                finding = Finding(subject.system, question, (_with_fewest_words(finding, error.evidence, words),))
            else:
                finding = finding.with_samples(about.evidence)
    except ReplayFailed as error:
        return Examined(plain(f"the engines contradict each other\n{error}"), "")
    except ArcproofError as error:
        return Examined(plain(f"the claim cannot be checked\n{error}"), "")
    done = plain(f"{verdict_text(finding)}: {detail_text(finding)}")
    failure = None if finding.met else "\n".join((failure_text(subject, finding), *map(plain, notes)))
    return Examined(failure, done, finding)


def _is_final(finding: Finding) -> bool:
    """Whether samples cannot add anything: the claim is refuted, or not defined for the figure."""
    match finding.evidence[0]:
        case Refuted() | Open(_, NoAnswer()):
            return True
    return False


def _with_fewest_words(finding: Finding, evidence: Refuted, words: int) -> Refuted:
    """A counterexample with fewer words than the one that Hypothesis found, as far as it is cheap to look for one:
    Hypothesis prefers few choices to few words.
    """
    levels = levels_of(finding.system, words)
    return examine.with_fewest_words(levels, asked_of(finding.question), evidence, finding.exhausted_to)


def test_of(subject: Subject, question: Question, words: int) -> Callable[[], Examined]:
    """The test of a question: a Hypothesis test, unless samples cannot answer it."""
    about = property_about(subject, question, words, default_engine())
    if about is None:
        return lambda: examined(subject, question, words)
    beyond = about.as_test()
    return wraps(beyond)(lambda: examined(subject, question, words, about, beyond))


def exhausted(system: System, question: Question, words: int) -> Finding:
    """What the exhaustive engine finds."""
    levels = levels_of(system, words)
    if isinstance(question, s.Claim):
        return examine.check_claim(levels, question)
    return examine.check_question(levels, question)


def levels_of(system: System, words: int) -> Levels:
    """The state spaces of a system, shared between calls; the last few are cached."""
    if words < 1:
        raise ValueError(f"words={words}: at least 1 word is needed")
    engine = default_engine()
    key = (system.figure, tuple(sorted(system.parameters.items())), words, engine)
    if key not in _KEPT:
        _KEPT[key] = Levels(system, words, MEMORY, engine_for(system, engine))
    _KEPT.move_to_end(key)
    while len(_KEPT) > MAX_KEPT:
        _KEPT.popitem(last=False)
    return _KEPT[key]
