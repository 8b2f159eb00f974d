"""For your own test suite: figures as tests.

**Without a line of Python**, `pytest my-system.tsys`: every claim of the figure is a test; see
`arcproof.testing.plugin`.

**A ready-made test suite** for a figure, next to your own tests:

    from arcproof.testing import SystemSuite

    class TestMySystem(SystemSuite):
        system = "my-system.tsys"
        words = 4

**Single questions**, in tests of your own:

    from hypothesis import given
    from arcproof.testing import assert_claim, assert_derives, projective_trees

    def test_it_is_arc_hybrid_in_disguise():
        assert_claim("my-system.tsys", "equivalent to arc-hybrid", words=4)

    @given(heads=projective_trees(max_words=12))
    def test_the_oracle_takes_two_transitions_a_word(arcproof_system, heads):
        assert len(assert_derives(arcproof_system("my-system.tsys"), heads)) == 2 * len(heads)

**One claim with examples and settings of your own**, as a Hypothesis property:

    from hypothesis import example, given
    from arcproof.testing import claim_property

    complete = claim_property("my-system.tsys", "complete projective trees")

    @example((2, 0, 2))
    @given(complete.samples)
    def test_it_is_complete(sample):
        complete.check(sample)

**Your own parser checked against a figure**, through a driver, a small class around it (docs/conformance.md):

    from arcproof.testing import assert_conforms

    def test_my_parser_is_arc_eager():
        assert_conforms("arc-eager", MyDriver, words=4)

`arcproof_system` is a fixture of the plugin: it loads a figure whose path is relative to the test file.  The Hypothesis
strategies are those of `arcproof.generators.strategies`.  Everything here is imported when it is first used, because
every run of pytest imports this package.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arcproof.generators.strategies import (
        configurations,
        forests,
        labelled,
        nonprojective_trees,
        projective_forests,
        projective_trees,
        runs,
        sentences,
        trees,
        trees_of,
    )
    from arcproof.testing.assertions import assert_claim, assert_derives
    from arcproof.testing.conformance import assert_conforms, conforms
    from arcproof.testing.properties import ClaimProperty, claim_property
    from arcproof.testing.subjects import NoSuchClaim
    from arcproof.testing.suite import SystemSuite

__all__ = [
    "ClaimProperty",
    "NoSuchClaim",
    "SystemSuite",
    "assert_claim",
    "assert_conforms",
    "assert_derives",
    "claim_property",
    "configurations",
    "conforms",
    "forests",
    "labelled",
    "nonprojective_trees",
    "projective_forests",
    "projective_trees",
    "runs",
    "sentences",
    "trees",
    "trees_of",
]

_HOME = {
    "ClaimProperty": "arcproof.testing.properties",
    "NoSuchClaim": "arcproof.testing.subjects",
    "SystemSuite": "arcproof.testing.suite",
    "assert_claim": "arcproof.testing.assertions",
    "assert_conforms": "arcproof.testing.conformance",
    "assert_derives": "arcproof.testing.assertions",
    "claim_property": "arcproof.testing.properties",
    "conforms": "arcproof.testing.conformance",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module 'arcproof.testing' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME.get(name, "arcproof.generators.strategies")), name)
