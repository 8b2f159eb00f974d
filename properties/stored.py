"""Pieces of work on one figure, recalled from the run store or done and stored.

A piece depends on the figure with its parameters, on the lines of cases that share a name, on the other figures that
its claims name, on the question and its limits, on the engine and its memory, on the code and on the libraries that it
runs on: all of that is in its key.  Only final verdicts are stored: a level that did not fit into memory, an error, an
interruption, or a change to the file of another figure leave nothing behind.

A recalled piece leaves the search in the state that it would have if the work had been done: the engines' remarks, the
sizes of the levels, and the memory they take.  So decisions are the same as in an uninterrupted run; a clock that
counts the seconds of recalled pieces (`PieceClock`) ensures that a search deepens just as far.

A recalled counterexample is replayed by the interpreter (`shown_again`) before it is believed; if that does not settle
the question, the work is done again.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, TypeVar

from arcproof.process.code_digest import code_digest, versions_of
from arcproof.process.codec import Json, Never, NotOfThisType, decoded, encoded
from arcproof.process.run_store import RunStore, current, key_of
from arcproof.properties.deepening import Clock
from arcproof.properties.engines.exhaustive import derivation_of
from arcproof.properties.engines.levels import Levels, Skipped
from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.properties.evidence import (
    Counterexample,
    Evidence,
    Exhausted,
    NoCase,
    NoOracle,
    NoRunEnds,
    NoSampleEnds,
    NothingExplored,
    Open,
    Refuted,
    Sampled,
    Underived,
)
from arcproof.properties.finding import Finding
from arcproof.properties.property import Question, asked_of, run_check, text_of
from arcproof.properties.studies.faults import run_of
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System

T = TypeVar("T")
CODE: Final = (
    "arcproof.native",
    "arcproof.process",
    "arcproof.transitions",
    "arcproof.generators",
    "arcproof.properties",
)
RUNS_ON: Final = ("numpy", "networkx", "hypothesis")
"""The libraries that a search runs on."""
LEVEL: Final = "level"
_NAMES: Final = MappingProxyType({"Theorem": Never})
_FINAL: Final = (NoCase, NoRunEnds, NoSampleEnds, NothingExplored, NoOracle, Underived)


def runs_on() -> dict[str, str]:
    """The versions of the libraries that results depend on."""
    return versions_of(RUNS_ON)


def trees_of(system: System) -> list[str]:
    """The figure, and the others that its claims name, as they read now."""
    return [system.tree_sha256, *(_other(system, reference) for reference in s.references(system.figure.claims))]


def _lines_of(figure: s.Figure) -> list[int | None]:
    """The line of each rule; answers identify the cases of a transition by their lines."""
    return [s.line_of(figure, rule) for rule in figure.rules]


def _other(system: System, reference: str) -> str:
    try:
        return system.other(reference).tree_sha256
    except ArcproofError as error:
        return f"{reference}: {error}"


def read(hint: Any, value: Any) -> Any:
    """A stored value as this type (`process.codec`)."""
    return decoded(hint, value, _NAMES)


# --- what is final ---------------------------------------------------------------------------------------------------


def is_final(evidence: Evidence) -> bool:
    """Whether the answer is conclusive and reproducible."""
    match evidence:
        case Refuted() | Sampled() | Exhausted():
            return True
        case Open(_, why):
            return isinstance(why, _FINAL)
        case _:
            return False


def shown_again(system: System, question: Question, found: Counterexample) -> bool:
    """Whether a run, replayed by the interpreter, still violates the property for the stored reason.

    False if there is no run, or none that shows it by itself.
    """
    if found.transitions is None or found.other is not None or found.best is not None:
        return False
    check = run_check(system, asked_of(question))
    run = None if check is None else run_of(system, found.words, found.transitions)
    fault = None if check is None or run is None else check(run)
    if run is None or fault is None or (fault.run, fault.reason) != (found.transitions, found.reason):
        return False
    last = derivation_of(system, found.words, found.transitions).last.graph
    return found.graph in (None, last, run.last.graph)


# --- time ------------------------------------------------------------------------------------------------------------


@dataclass
class PieceClock:
    """A clock that counts the seconds of recalled pieces, but not those of work that is repeated."""

    clock: Clock = time.perf_counter
    ahead: float = 0.0

    def __call__(self) -> float:
        """The time that an uninterrupted run would see."""
        return self.clock() + self.ahead

    def pass_by(self, seconds: float) -> None:
        """Count these seconds, which were spent earlier."""
        self.ahead += seconds

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Do not count the work done in the block: it was done before."""
        began = self.clock()
        try:
            yield
        finally:
            self.ahead -= self.clock() - began


# --- pieces ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LevelSize:
    """The number of configurations of a level, and the bytes that they take."""

    size: int
    bytes: int


@dataclass(frozen=True)
class _Effects:
    """How a piece left the engines: their remarks, the number of words at which the interpreter took over, and the
    sizes and memory of the levels.
    """

    note: str | None
    until: int | None
    beside: tuple[str, ...]
    sizes: tuple[tuple[int, int], ...]
    branching: float
    held: dict[str, int]


@dataclass(frozen=True)
class _Stored:
    value: Any
    seconds: float
    effects: _Effects


@dataclass
class Pieces:
    """The pieces of one system; without a store, all work is done."""

    levels: Levels
    clock: PieceClock = field(default_factory=PieceClock)
    deepens: bool = False
    store: RunStore | None = field(default_factory=current)

    @cached_property
    def _depends(self) -> dict[str, object]:
        explorer = self.levels.explorer
        return {
            "figures": trees_of(self.levels.system),
            "lines": _lines_of(self.levels.system.figure),
            "engine": explorer.name,
            "memory": self.levels.memory,
            "code": code_digest(CODE),
            "runs on": runs_on(),
        }

    def piece(
        self,
        kind: str,
        about: Mapping[str, object],
        text: str,
        do: Callable[[], T],
        to_json: Callable[[T], Json | None],
        from_json: Callable[[Any], T | None],
    ) -> T:
        """Recall a piece of work or do it; `to_json` returns None if the result is not final, `from_json` if the stored
        one is not believed.
        """
        store = self.store
        if store is None:
            return do()
        key = key_of(kind, {**self._depends, **about})
        found = store.recall(key)
        if found is not None:
            with suppress(NotOfThisType, LookupError, TypeError, ArcproofError):
                stored = _Stored(found["value"], read(float, found["seconds"]), read(_Effects, found["effects"]))
                value = from_json(stored.value)
                if value is not None:
                    self._take(stored)
                    return value
            store.forget(key)
        if self.deepens and kind != LEVEL:
            with self.clock.stopped(), suppress(OutOfBounds):
                self._explore_again(about.get("words"))
        began = self.clock()
        value = do()
        with suppress(NotOfThisType):
            can_be_stored = not self.levels.all_skipped and trees_of(self.levels.system) == self._depends["figures"]
            content = to_json(value) if can_be_stored else None
            if content is not None:
                entry = {"value": content, "seconds": self.clock() - began, "effects": encoded(self._effects)}
                store.keep(kind, key, entry, f"{self.levels.system.name}: {text}")
        return value

    def _explore_again(self, words: object) -> None:
        """Explore levels of an earlier run again; this does not count as time for the present question."""
        for n in range(1, words + 1 if isinstance(words, int) else 1):
            if self.levels.is_reserved(n):
                self.levels.space(n)

    @property
    def _effects(self) -> _Effects:
        levels, explorer = self.levels, self.levels.explorer
        sizes, branching = explorer.learnt
        beside = tuple(dict.fromkeys(levels.notes_beside))
        return _Effects(explorer.note, explorer.until, beside, tuple(sizes.items()), branching, levels.held())

    def _take(self, stored: _Stored) -> None:
        """Leave the engines in the state as if the piece had just been done."""
        effects, levels = stored.effects, self.levels
        self.clock.pass_by(stored.seconds)
        if effects.note is not None:
            levels.explorer.note, levels.explorer.until = effects.note, effects.until
        levels.explorer.learn(dict(effects.sizes), effects.branching)
        levels.notes_beside.extend(effects.beside)
        levels.reserve(effects.held)

    # --- kinds of pieces ---------------------------------------------------------------------------------------------

    def finding(self, levels: Levels, question: Question, do: Callable[[], Finding]) -> Finding:
        """The finding about a claim or a check, up to the levels' number of words."""
        system = levels.system

        def to_json(finding: Finding) -> Json | None:
            (evidence,) = finding.evidence
            return {"evidence": encoded(evidence), "seconds": finding.seconds} if is_final(evidence) else None

        def from_json(value: Any) -> Finding | None:
            evidence = read(Evidence, value["evidence"])
            if not is_final(evidence):
                return None
            if isinstance(evidence, Refuted) and not shown_again(system, question, evidence.counterexample):
                return None
            return Finding(system, question, (evidence,), read(float, value["seconds"]))

        about = {"question": repr(question), "words": levels.words}
        text = f"{text_of(system, question)}, {counted(levels.words, 'word')}"
        return self.piece("claim", about, text, do, to_json, from_json)

    def samples(
        self, about: Mapping[str, object], claims: Sequence[s.Claim], do: Callable[[], dict[s.Claim, Evidence]]
    ) -> dict[s.Claim, Evidence]:
        """What samples show about claims."""

        def to_json(found: dict[s.Claim, Evidence]) -> Json | None:
            if not all(map(is_final, found.values())):
                return None
            return [[claims.index(claim), encoded(evidence)] for claim, evidence in found.items()]

        def from_json(value: Any) -> dict[s.Claim, Evidence] | None:
            pairs = read(list[tuple[int, Evidence]], value)
            if any(not 0 <= place < len(claims) for place, _ in pairs):
                return None
            found = {claims[place]: evidence for place, evidence in pairs}
            shown = (
                shown_again(self.levels.system, claim, evidence.counterexample)
                for claim, evidence in found.items()
                if isinstance(evidence, Refuted)
            )
            return found if all(map(is_final, found.values())) and all(shown) else None

        return self.piece("samples", about, "samples", do, to_json, from_json)

    def value(
        self, kind: str, hint: Any, words: int, do: Callable[[], T], believed: Callable[[T], bool] = lambda _: True
    ) -> T:
        """Any other result about the levels up to this many words."""

        def from_json(value: Any) -> T | None:
            found: T = read(hint, value)
            return found if believed(found) else None

        def to_json(found: T) -> Json:
            return encoded(found)

        return self.piece(kind, {"words": words}, f"{kind}, {counted(words, 'word')}", do, to_json, from_json)

    def level(self, words: int) -> LevelSize:
        """The size of a level; raises `OutOfBounds` if it is too large."""

        def do() -> LevelSize:
            space = self.levels.space(words)
            return LevelSize(space.size, space.bytes)

        known = self.levels.known(words, past_terminal=False)
        if known is not None and self.store is None:
            return LevelSize(known.size, known.bytes)
        found: LevelSize = self.value(LEVEL, LevelSize, words, do)
        return found

    def sizes(self, levels: Levels) -> Iterator[tuple[int, int]]:
        """Yield the sizes of the levels, fewest words first, as far as memory allows."""
        for words in range(1, levels.words + 1):
            if False in levels.skipped and words >= levels.skipped[False].words:
                return
            try:
                yield words, self.level(words).size
            except OutOfBounds as error:
                levels.skipped[False] = Skipped(words, False, str(error))
                return
