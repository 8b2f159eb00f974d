"""The pytest plugin: `pytest my-system.tsys` turns every claim of the figure into a test.

The first test of a file, `reads`, checks that the specification has no mistakes; if it has any, this is the only test.
The others are named after their claims: `pytest my-system.tsys -k sound`, `pytest "my-system.tsys::sound projective
trees"`.  A claim is checked when its test runs.  A claim that is met passes; one that is refuted fails with the
smallest counterexample; one that stays open fails too, because a claim that holds only because nothing was checked is
not a success.

Specifications in folders are left alone unless the configuration has `arcproof_collect = true`: the plugin is loaded
wherever arcproof is installed, and not every `.tsys` file is one of ours.  For the same reason this module imports only
pytest until it encounters one.

PYTEST_DONT_REWRITE
"""

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from arcproof.testing.checking import Examined
    from arcproof.testing.subjects import Subject
    from arcproof.transitions.syntax import Claim
    from arcproof.transitions.system import System

SUFFIX: Final = ".tsys"
READS: Final = "reads"
COLLECT: Final = "arcproof_collect"
MAX_WORDS: Final = 20
WORDS_OPTION: Final = "--arcproof-words"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option, which overrides the attribute of a `SystemSuite`; everything about samples is an option of
    Hypothesis.
    """
    group = parser.getgroup("arcproof", "claims of transition systems (arcproof)")
    group.addoption(
        WORDS_OPTION,
        type=_words,
        metavar="N",
        help="Try everything up to N words (default: 4, or what a suite says); beyond that, Hypothesis draws samples.",
    )
    parser.addini(COLLECT, "Collect .tsys files in folders too, not only those named.", type="bool", default=False)


def _words(text: str) -> int:
    if text not in map(str, range(1, MAX_WORDS + 1)):
        raise ArgumentTypeError(f"`{text}` is not a whole number from 1 to {MAX_WORDS}")
    return int(text)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "Specification | None":
    """Collect a specification that was named, or any of them if the configuration asks for it."""
    if file_path.suffix != SUFFIX:
        return None
    if not parent.session.isinitpath(file_path) and not parent.config.getini(COLLECT):
        return None
    return Specification.from_parent(parent, path=file_path)


class Specification(pytest.File):
    """A `.tsys` file."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test that it reads, and one for each claim."""
        from arcproof.testing.failures import plain
        from arcproof.testing.subjects import read_file
        from arcproof.transitions.errors import ArcproofError
        from arcproof.transitions.printing.notation import claim_text

        try:
            subject = read_file(self.path)
        except ArcproofError as error:
            yield Reads.from_parent(self, name=READS, problem=plain(str(error)))
            return
        yield Reads.from_parent(self, name=READS, problem=None)
        for claim in subject.system.figure.claims:
            yield ClaimMet.from_parent(self, name=claim_text(claim), subject=subject, claim=claim)


class Reads(pytest.Item):
    """The test that the specification has no mistakes."""

    def __init__(self, name: str, parent: Specification, problem: str | None) -> None:
        """Keep what the collector saw."""
        super().__init__(name, parent)
        self.problem = problem

    def runtest(self) -> None:
        """Fail with all diagnostics."""
        if self.problem is not None:
            pytest.fail(self.problem, pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The top of the file."""
        return self.path, 0, _title(self)


class ClaimMet(pytest.Item):
    """The test that a claim of the figure is met."""

    def __init__(self, name: str, parent: Specification, subject: "Subject", claim: "Claim") -> None:
        """Keep the claim with its system."""
        super().__init__(name, parent)
        self.subject = subject
        self.claim = claim

    @cached_property
    def obj(self) -> "Callable[[], Examined]":
        """The test as a function, under the name by which Hypothesis' plugin finds it."""
        from arcproof.testing.checking import WORDS, test_of

        return test_of(self.subject, self.claim, self.config.getoption(WORDS_OPTION) or WORDS)

    def setup(self) -> None:
        """Make the test before Hypothesis' plugin looks whether Hypothesis is used at all."""
        _ = self.obj

    def runtest(self) -> None:
        """Check it now, with the state spaces that earlier claims have explored."""
        found = self.obj()
        self.user_properties.append(("arcproof", found.done))
        if found.failure is not None:
            pytest.fail(found.failure, pytrace=False)
        self.add_report_section("call", "verdict", found.done)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The line of the claim."""
        return self.path, self.claim.where.line - 1, _title(self)


def _title(item: pytest.Item) -> str:
    """The heading of a failure."""
    from arcproof.transitions.printing.escape import for_terminal

    return for_terminal(f"{item.path.name}: {item.name}")


@pytest.fixture(scope="module")
def arcproof_system(request: pytest.FixtureRequest) -> "Callable[[str | Path], System]":
    """Loads a system: a path relative to the test file, a built-in name, or a text; each once per test file."""
    from arcproof.testing.subjects import subject_of

    @cache
    def load(system: str | Path) -> "System":
        return subject_of(system, request.path.parent).system

    return load
