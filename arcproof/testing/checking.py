"""Checks one claim or one oracle at a time, with the state spaces cached for the next.

The verdicts are those of `arcproof verify` with the same number of words, number of samples and seed.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arcproof.properties import examine
from arcproof.properties.checks.oracle_correct import LeadsTo
from arcproof.properties.engines.engine import default_engine, engine_for
from arcproof.properties.engines.exhaustive import ReplayFailed
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.finding import Finding
from arcproof.properties.report import Effort
from arcproof.reports.sentences import detail_text, verdict_text
from arcproof.testing.failures import claim_failure, oracle_failure, plain
from arcproof.testing.subjects import Subject
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.system import System

if TYPE_CHECKING:
    import pytest

WORDS: Final = 4
SAMPLES: Final = 20
SEED: Final = 0
MEMORY: Final = 4 * 2**30
MOST_KEPT: Final = 4

_KEPT: OrderedDict[object, Levels] = OrderedDict()


@dataclass(frozen=True, slots=True)
class Examined:
    """The result: a message if the test should fail, what was done, and the finding, None if nothing was determined."""

    failure: str | None
    done: str
    finding: Finding | None = None


def effort_of(words: int = WORDS, samples: int = SAMPLES, seed: int = SEED) -> Effort:
    """Return how much to do for a claim; no test may use more memory than `MEMORY`."""
    if words < 1 or samples < 0:
        raise ValueError(f"words={words} and samples={samples}: at least 1 word and 0 samples are needed")
    return Effort(words, Sampling(samples, seed=seed), MEMORY, in_depth=False, engine=default_engine())


def effort_from(config: "pytest.Config", words: int = WORDS, samples: int = SAMPLES, seed: int = SEED) -> Effort:
    """Return the effort for these numbers, unless the command line overrides them, which requires the plugin."""
    given = {name: config.getoption(f"arcproof_{name}", None) for name in ("words", "samples", "seed")}
    chosen = {name: number for name, number in given.items() if number is not None}
    return effort_of(**({"words": words, "samples": samples, "seed": seed} | chosen))


# --- claims ----------------------------------------------------------------------------------------------------------


def examine_claim(subject: Subject, claim: s.Claim, effort: Effort) -> Examined:
    """Check a claim, which the figure need not make; a claim that is not met is a failure."""
    return _examined(
        lambda: check_claim(subject.system, claim, effort), lambda finding: claim_failure(subject, finding, effort)
    )


def _examined(check: Callable[[], Finding], failure: Callable[[Finding], str]) -> Examined:
    try:
        finding = check()
    except ReplayFailed as error:
        return Examined(plain(f"the engines contradict each other\n{error}"), "")
    except ArcproofError as error:
        return Examined(plain(f"the claim cannot be checked\n{error}"), "")
    done = plain(f"{verdict_text(finding)}: {detail_text(finding)}")
    return Examined(None if finding.met else failure(finding), done, finding)


def check_claim(system: System, claim: s.Claim, effort: Effort) -> Finding:
    """Return what all engines find about one claim."""
    levels = levels_of(system, effort)
    finding = examine.check_claim(levels, claim)
    if not effort.sampling.samples:
        return finding
    return finding.with_samples(examine.sample_claims(levels, effort.sampling, [finding]).get(claim))


def levels_of(system: System, effort: Effort) -> Levels:
    """Return the state spaces of a system, shared between calls; the last few are cached."""
    key = (system.figure, tuple(sorted(system.parameters.items())), effort.least_words, effort.memory, effort.engine)
    if key not in _KEPT:
        _KEPT[key] = Levels(system, effort.least_words, effort.memory, engine_for(system, effort.engine))
    _KEPT.move_to_end(key)
    while len(_KEPT) > MOST_KEPT:
        _KEPT.popitem(last=False)
    return _KEPT[key]


# --- oracles ---------------------------------------------------------------------------------------------------------


def examine_oracle(subject: Subject, asked: LeadsTo, effort: Effort) -> Examined:
    """Try every graph of the class, fewest words first; an oracle about which nothing was found is a failure."""
    return _examined(
        lambda: examine.check_question(levels_of(subject.system, effort), asked),
        lambda finding: oracle_failure(subject, asked.oracle, finding),
    )
