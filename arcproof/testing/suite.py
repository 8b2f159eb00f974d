"""A ready-made test suite for a figure."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import ClassVar, Final

import pytest

from arcproof.properties.checks.oracle_correct import LeadsTo, all_oracles
from arcproof.properties.property import parts_of
from arcproof.properties.report import Effort
from arcproof.testing.checking import (
    SAMPLES,
    SEED,
    WORDS,
    Examined,
    effort_from,
    examine_claim,
    examine_oracle,
)
from arcproof.testing.failures import plain
from arcproof.testing.subjects import Subject, claim_of, subject_of
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.printing.notation import claim_text
from arcproof.transitions.system import System

NO_DEAD_ENDS: Final = "no dead ends"


class SystemSuite:
    """Tests for one figure: that it reads, every claim, and every oracle on every class for which completeness is
    claimed.

    For instance:

        class TestMySystem(SystemSuite):
            system = "my-system.tsys"

    `system` is a path relative to the test file, or anything that `arcproof.load` accepts.  Everything is tried up to
    `words` words, and `samples` random runs or graphs beyond; `--arcproof-words`, `--arcproof-samples` and
    `--arcproof-seed` override the values of the class. With `no_dead_ends = True` there is also a test that no run gets
    stuck, whether or not the figure claims it. Tests of your own go into the same class and get the system from
    `self.loaded()`.
    """

    __test__ = False

    system: ClassVar[str | Path | System]
    words: ClassVar[int] = WORDS
    samples: ClassVar[int] = SAMPLES
    seed: ClassVar[int] = SEED
    no_dead_ends: ClassVar[bool] = False
    _subject: ClassVar[Subject | None] = None

    def __init_subclass__(cls) -> None:
        """Let pytest collect a suite for a figure, but not this class."""
        super().__init_subclass__()
        cls._subject = None
        if "__test__" not in cls.__dict__:
            cls.__test__ = True

    @classmethod
    def loaded(cls) -> System:
        """The system under test."""
        return cls._under_test().system

    def test_reads(self) -> None:
        """The specification has no mistakes."""
        try:
            self._under_test()
        except ArcproofError as error:
            pytest.fail(plain(str(error)), pytrace=False)

    def test_claim(self, arcproof_claim: s.Claim, pytestconfig: pytest.Config) -> None:
        """The claim is met."""
        _judge(examine_claim(self._under_test(), arcproof_claim, self._effort(pytestconfig)))

    def test_oracle(self, arcproof_oracle: LeadsTo, pytestconfig: pytest.Config) -> None:
        """The oracle leads to every graph of the class."""
        _judge(examine_oracle(self._under_test(), arcproof_oracle, self._effort(pytestconfig)))

    @classmethod
    def pytest_generate_tests(cls, metafunc: pytest.Metafunc) -> None:
        """Make a test for each claim, and for each oracle with each class; if there are none, skip one and say why."""
        if "arcproof_claim" in metafunc.fixturenames:
            metafunc.parametrize("arcproof_claim", cls._cases(cls._claims, "the figure makes no claim"))
        if "arcproof_oracle" in metafunc.fixturenames:
            nothing = "the figure has no oracle, or claims no completeness"
            metafunc.parametrize("arcproof_oracle", cls._cases(cls._oracles, nothing))

    @classmethod
    def _cases(cls, find: Callable[[], Iterable[tuple[object, str]]], nothing: str) -> list[object]:
        try:
            found = [pytest.param(value, id=text) for value, text in find()]
        except ArcproofError:
            found, nothing = [], "the specification has mistakes; test_reads shows them"
        return [*found] or [pytest.param(None, id="none", marks=pytest.mark.skip(reason=nothing))]

    @classmethod
    def _claims(cls) -> Iterable[tuple[s.Claim, str]]:
        system = cls.loaded()
        claims = {claim_text(claim): claim for claim in system.figure.claims}
        if cls.no_dead_ends:
            claims.setdefault(NO_DEAD_ENDS, claim_of(system, NO_DEAD_ENDS))
        return [(claim, text) for text, claim in claims.items()]

    @classmethod
    def _oracles(cls) -> Iterable[tuple[LeadsTo, str]]:
        system = cls.loaded()
        return [(asked, parts_of(system, asked).of or asked.oracle) for asked in all_oracles(system)]

    @classmethod
    def _effort(cls, config: pytest.Config) -> Effort:
        return effort_from(config, cls.words, cls.samples, cls.seed)

    @classmethod
    def _under_test(cls) -> Subject:
        if cls._subject is None:
            if not hasattr(cls, "system"):
                raise ArcproofError(f'{cls.__name__} does not say what it tests; write system = "my-system.tsys"')
            file = getattr(sys.modules.get(cls.__module__), "__file__", None)
            cls._subject = subject_of(cls.system, None if file is None else Path(file).parent)
        return cls._subject


def _judge(examined: Examined) -> None:
    if examined.failure is not None:
        pytest.fail(examined.failure, pytrace=False)
