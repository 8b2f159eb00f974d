"""Solver answers as pieces of the run store: an interrupted proof resumes where it stopped.

An answer is identified by the text that the solver read, the solver with its version, its limits, its seed, and the
code that asks.  It is used only in place of a call to the solver: obligations are built from the figure, the
interpreter tries to refute the claim, and the verdict is judged as if every answer had just been given.  Answers that
the clock cut short are not stored.
"""

from dataclasses import dataclass, replace
from typing import Any, Final

from arcproof.process.code_digest import code_digest
from arcproof.process.codec import Json, NotOfThisType, decoded, encoded
from arcproof.process.run_store import RunStore, current, key_of
from arcproof.properties.proving.search import second_opinion
from arcproof.properties.proving.trusted.discharge import Question
from arcproof.properties.proving.trusted.obligation import digest_of
from arcproof.properties.proving.trusted.solvers import (
    CVC5_SECONDS,
    OUT_OF_TIME,
    RLIMIT,
    SECONDS,
    Result,
    cvc5_version,
    z3_version,
)

KIND: Final = "answer"
CODE: Final = ("arcproof.properties.proving.trusted", "arcproof.properties.proving.search")
"""The code that asks."""


def stored_answers(rlimit: int = RLIMIT) -> "StoredAnswers | None":
    """The answers in the store of the running command; None if it uses none."""
    store = current()
    return None if store is None or not store.is_ready else StoredAnswers(store, rlimit)


@dataclass
class StoredAnswers:
    """Answers under this budget."""

    store: RunStore
    rlimit: int

    def recall(self, question: Question) -> Result | None:
        """A solver's answer about exactly the same text, asked in exactly the same way."""
        key, recalled = self._key(question), self.store.recalled
        value = self.store.recall(key)
        if value is None:
            return None
        try:
            found: Result = decoded(Result, value)
        except NotOfThisType:
            self.store.forget(key)
            return None
        if found.solver == question[1] and found.reason != OUT_OF_TIME:
            return replace(found, stored=self.store.recalled > recalled)
        self.store.forget(key)
        return None

    def keep(self, question: Question, result: Result) -> None:
        """Store a solver's answer, unless the clock ended the call."""
        if result.reason != OUT_OF_TIME:
            self.store.keep(KIND, self._key(question), encoded(result), _about(result))

    def opinions(self, solver: str) -> "dict[Any, Any]":
        """A solver's answers in earlier searches, for use in the search alone."""
        return _Opinions(self, solver)

    def _key(self, question: Question) -> str:
        asked, solver, seed = question
        return self.key(solver, {"text": asked, "seed": seed, "use": "discharge"})

    def key(self, solver: str, about: "dict[str, Json]") -> str:
        """The key of a solver's answer."""
        limits: list[Json] = [self.rlimit, SECONDS, CVC5_SECONDS, second_opinion.RESOURCES, second_opinion.SECONDS]
        version = z3_version() if solver == "z3" else cvc5_version()
        parts = {"solver": solver, "version": version, "limits": limits, "code": code_digest(CODE), **about}
        return key_of(KIND, parts)


def _about(result: Result) -> str:
    return f"{result.solver}: {result.answer}"


class _Opinions(dict[Any, Any]):
    """A solver's answers in searches, both of this process and of earlier ones."""

    def __init__(self, answers: StoredAnswers, solver: str) -> None:
        super().__init__()
        self._answers, self._solver = answers, solver

    def __contains__(self, question: object) -> bool:
        if super().__contains__(question):
            return True
        key, store = self._key(question), self._answers.store
        value = store.recall(key)
        if value is None:
            return False
        try:
            result, used = decoded(tuple[Result, tuple[int, ...]], value)
        except NotOfThisType:
            store.forget(key)
            return False
        super().__setitem__(question, (result, used))
        return True

    def __setitem__(self, question: Any, opinion: tuple[Result, tuple[int, ...]]) -> None:
        super().__setitem__(question, opinion)
        if opinion[0].reason != OUT_OF_TIME:
            self._answers.store.keep(KIND, self._key(question), encoded(opinion), _about(opinion[0]))

    def _key(self, question: Any) -> str:
        text, *settings = question if isinstance(question, tuple) else (question,)
        return self._answers.key(self._solver, {"text": digest_of(text), "settings": settings, "use": "search"})
