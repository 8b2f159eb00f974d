"""A ready-made test suite for a figure."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from pathlib import Path
from typing import ClassVar, Final

import hypothesis
import pytest
from hypothesis import strategies as st

from arcproof.properties.checks.oracle_correct import all_oracles
from arcproof.properties.engines.engine import default_engine
from arcproof.properties.property import Question, parts_of
from arcproof.testing.checking import WORDS, examined
from arcproof.testing.failures import plain
from arcproof.testing.plugin import WORDS_OPTION
from arcproof.testing.properties import ClaimProperty, Sample, drive, property_about, settings_for
from arcproof.testing.subjects import Subject, claim_of, subject_of
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.printing.notation import claim_text
from arcproof.transitions.system import System

NO_DEAD_ENDS: Final = "no dead ends"
QUESTION: Final = "arcproof_question"
TESTS: Final = {"test_claim": "The claim is met.", "test_oracle": "The oracle leads to every graph of the class."}
NOTHING: Final = {
    "test_claim": "the figure makes no claim",
    "test_oracle": "the figure has no oracle, or claims no completeness",
}


class SystemSuite:
    """Tests for one figure: that it reads, every claim, and every oracle on every class for which completeness is
    claimed.

    For instance:

        class TestMySystem(SystemSuite):
            system = "my-system.tsys"

    `system` is a path relative to the test file, or anything that `arcproof.load` accepts.  Everything is tried up to
    `words` words (`--arcproof-words` overrides it); beyond that Hypothesis draws runs and graphs, with the `settings`
    of the class or else those of the profile.  With `no_dead_ends = True` there is also a test that no run gets stuck,
    whether or not the figure claims it.  Tests of your own go into the same class and get the system from
    `self.loaded()`.
    """

    __test__ = False

    system: ClassVar[str | Path | System]
    words: ClassVar[int] = WORDS
    settings: ClassVar[hypothesis.settings | None] = None
    no_dead_ends: ClassVar[bool] = False
    _subject: ClassVar[Subject | None] = None
    _words: ClassVar[int] = WORDS
    _about: ClaimProperty | None = None

    def __init_subclass__(cls) -> None:
        """Let pytest collect a suite for a figure, but not this class; its tests have settings of their own."""
        super().__init_subclass__()
        cls._subject = None
        if "__test__" not in cls.__dict__:
            cls.__test__ = True
        for name, doc in TESTS.items():
            if name not in vars(cls):
                setattr(cls, name, _test(name, doc, cls.settings))

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

    @classmethod
    def pytest_generate_tests(cls, metafunc: pytest.Metafunc) -> None:
        """Make a test for each claim, and for each oracle with each class; if there are none, skip one and say why."""
        cls._words = metafunc.config.getoption(WORDS_OPTION, None) or cls.words
        if QUESTION not in metafunc.fixturenames:
            return
        questions: Sequence[object] = ()
        try:
            questions, nothing = list(cls._questions(metafunc.function.__name__)), NOTHING[metafunc.function.__name__]
        except ArcproofError:
            nothing = "the specification has mistakes; test_reads shows them"
        none = pytest.param(None, id="none", marks=pytest.mark.skip(reason=nothing))
        metafunc.parametrize(QUESTION, questions or [none])

    @classmethod
    def _questions(cls, test: str) -> Mapping[str, Question]:
        """What a test asks, by the text that names it."""
        system = cls.loaded()
        if test == "test_oracle":
            return {parts_of(system, asked).of or asked.oracle: asked for asked in all_oracles(system)}
        claims: dict[str, Question] = {claim_text(claim): claim for claim in system.figure.claims}
        return {NO_DEAD_ENDS: claim_of(system, NO_DEAD_ENDS)} | claims if cls.no_dead_ends else claims

    @classmethod
    def _under_test(cls) -> Subject:
        if cls._subject is None:
            if not hasattr(cls, "system"):
                raise ArcproofError(f'{cls.__name__} does not say what it tests; write system = "my-system.tsys"')
            file = getattr(sys.modules.get(cls.__module__), "__file__", None)
            cls._subject = subject_of(cls.system, None if file is None else Path(file).parent)
        return cls._subject


def _test(name: str, doc: str, parent: hypothesis.settings | None) -> Callable[..., None]:
    """One of the tests: everything up to some number of words, and then Hypothesis."""

    def beyond(self: SystemSuite, arcproof_question: str, sample: Sample) -> None:  # noqa: ARG001
        __tracebackhide__ = True
        assert self._about is not None, "it is there before this is called"
        drive(sample)
        self._about.check(sample)

    beyond.__name__, beyond.__doc__ = name, doc
    samples = st.runner().flatmap(lambda suite: suite._about.samples)
    drawn = hypothesis.given(sample=samples)(beyond)
    drawn = settings_for(parent)(drawn)

    @wraps(drawn)
    def test(self: SystemSuite, arcproof_question: str) -> None:
        subject, question = self._under_test(), self._questions(name)[arcproof_question]
        self._about = property_about(subject, question, self._words, default_engine())
        found = examined(subject, question, self._words, self._about, partial(drawn, self, arcproof_question))
        if found.failure is not None:
            pytest.fail(found.failure, pytrace=False)

    return test
