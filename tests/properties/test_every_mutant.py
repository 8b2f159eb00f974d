"""Every mutant of every built-in system with up to five words on the machine, beside what the interpreter says with
two.
"""

import pytest

from arcproof.properties.studies.mutation import Judged, is_costly, mutate
from arcproof.transitions import syntax as s
from arcproof.transitions.system import load
from tests.catalogue import MUTANT_WORDS, MUTANTS

pytestmark = pytest.mark.compiler

INTERPRETED = 2
BUCKETS = {
    "arc-eager": (97, 2, 1, 0, 1),
    "arc-eager-2003": (56, 1, 0, 0, 1),
    "arc-hybrid": (74, 0, 0, 0, 1),
    "arc-hybrid-right": (50, 0, 0, 0, 1),
    "arc-standard": (51, 4, 0, 0, 1),
    "arc-standard-stack": (52, 0, 0, 0, 1),
    "arc-swift": (59, 0, 1, 0, 1),
    "attardi": (55, 6, 9, 0, 1),
    "choi-nicolov": (94, 10, 0, 0, 1),
    "choi-palmer": (124, 12, 0, 0, 1),
    "covington": (91, 11, 0, 0, 1),
    "list-nonprojective": (87, 5, 0, 0, 1),
    "list-projective": (75, 2, 4, 0, 1),
    "nl-covington": (76, 4, 0, 0, 1),
    "swap": (78, 1, 0, 0, 1),
    "swap-max2": (68, 4, 13, 0, 1),
}
"""Killed, equivalent, alternative, undecided, invalid."""
QUICK = {"arc-eager-2003", "arc-standard-stack", "easy-first", "pointer"}
"""Those whose mutants are soon judged; the others are at night."""


def contradicts(more: Judged, fewer: Judged) -> bool:
    """Whether a mutant cannot be in one bucket with five words and in the other with two.

    A claim that is soon asked kills with the fewest words; what costs more is asked later, so that another claim may
    come first.
    """
    if fewer.bucket == "killed" and isinstance(fewer.claim, s.Claim) and not is_costly(fewer.claim):
        return (more.bucket, more.claim, more.words) != (fewer.bucket, fewer.claim, fewer.words)
    if fewer.bucket in ("killed", "invalid"):
        return more.bucket != fewer.bucket
    return more.bucket == "invalid" or (more.bucket == "killed" and more.words <= INTERPRETED)


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.nightly) for name in BUCKETS]
)
def test_no_bucket_is_contradicted_by_the_interpreter(name: str) -> None:
    system = load(name)
    five = mutate(system, words=5, engine="compiled")

    assert five.words == 5
    assert tuple(five.counts.values()) == BUCKETS[name]
    if any(claim.witness is not None for claim in system.figure.claims):
        return  # the interpreter searches for it, whatever the number of words
    two = mutate(system, words=INTERPRETED, engine="interpreter")
    pairs = zip(five.mutants, two.mutants, strict=True)
    assert [more.mutant.description for more, fewer in pairs if contradicts(more, fewer)] == []


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.nightly) for name in MUTANTS]
)
def test_the_buckets_of_later_systems(name: str) -> None:
    assert tuple(mutate(load(name), words=MUTANT_WORDS, engine="compiled").counts.values()) == MUTANTS[name]
