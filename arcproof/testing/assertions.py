"""Single questions for your own tests; each fails with a readable `AssertionError`."""

from collections.abc import Sequence
from pathlib import Path

from arcproof.properties.finding import Finding
from arcproof.testing.checking import WORDS, test_of
from arcproof.testing.failures import derivation_failure, plain
from arcproof.testing.subjects import claim_of, subject_of
from arcproof.transitions.configuration import Derivation
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import Graph, graph_of, parse_heads
from arcproof.transitions.system import System


def assert_claim(system: str | Path | System, claim: str, *, words: int = WORDS) -> Finding:
    """Assert that the claim is met: everything up to `words` words is tried, and beyond that Hypothesis draws runs or
    graphs.

    `system` is a built-in name, a path relative to the current directory, a text, or a loaded system.  The figure need
    not make the claim; it is written as in a figure: `sound projective trees`, `length <= 2n`, `not complete trees`.
    `NoSuchClaim` if it is not a claim. A claim that holds vacuously because nothing was checked is not met.  The
    finding that is returned says what was done.

    >>> assert_claim("arc-hybrid", "complete projective trees", words=3).verdict.value
    'exhausted'
    """
    __tracebackhide__ = True
    subject = subject_of(system)
    found = test_of(subject, claim_of(subject.system, claim), words)()
    if found.failure is not None or found.finding is None:
        raise AssertionError(f"{plain(claim)}: {found.failure}")
    return found.finding


def assert_derives(
    system: str | Path | System, heads: str | Sequence[int | None] | Graph, oracle: str | None = None
) -> Derivation:
    """Assert that the oracle, by default the first, leads to the gold graph: written `2,0,2`, as a sequence of heads,
    or as a graph.

    The derivation is returned, for further checks.

    >>> len(assert_derives("arc-hybrid", "2,0,2"))
    6
    """
    __tracebackhide__ = True
    subject = subject_of(system)
    gold = _gold(heads)
    try:
        return subject.system.derive(gold, oracle)
    except NotDerivable as failure:
        raise AssertionError(derivation_failure(subject, gold, str(failure), oracle)) from None


def _gold(heads: str | Sequence[int | None] | Graph) -> Graph:
    if isinstance(heads, Graph):
        return heads
    return graph_of(parse_heads(heads) if isinstance(heads, str) else heads)
