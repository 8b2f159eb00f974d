"""The spaces of a system for 1 to n words, and what is known about them.

A sentence has at least one word: claims say nothing about n = 0.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from typing import TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.engine import Engine, Interpreter, engine_for
from arcproof.properties.engines.spaces import OutOfBounds, Space
from arcproof.properties.evidence import (
    Cases,
    Counterexample,
    Exhausted,
    NoAnswer,
    NoCase,
    NothingExplored,
    Open,
    Refuted,
    WhyOpen,
)
from arcproof.transitions.syntax import Figure
from arcproof.transitions.system import System

_Identity: TypeAlias = tuple[Figure, tuple[tuple[str, object], ...]]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A level that was not explored, and why."""

    words: int
    past_terminal: bool
    reason: str


@dataclass
class Levels:
    """The spaces of a system for 1 to `words` words, explored on demand, by the interpreter unless an engine is given.

    They are shared by everything that examines the same system: `up_to` returns the first of them.  Other systems that
    a claim names are explored only once, too (`other`); variants of the figure are kept for as long as they are
    examined (`beside`).

    `reserved` is the memory of spaces that an earlier run held at this point and that this run has not explored.
    """

    system: System
    words: int
    memory: int | None = None
    engine: Engine | None = None
    skipped: dict[bool, Skipped] = field(default_factory=dict)
    skipped_beside: list[Skipped] = field(default_factory=list)
    notes_beside: list[str] = field(default_factory=list)
    reserved: dict[str, int] = field(default_factory=dict)
    _spaces: dict[tuple[int, bool], Space] = field(default_factory=dict)
    _beside: list["Levels"] = field(default_factory=list)
    _others: "dict[_Identity, Levels]" = field(default_factory=dict)
    _within: "Levels | None" = None

    @property
    def explorer(self) -> Engine:
        """The engine."""
        if self.engine is None:
            self.engine = Interpreter(self.system)
        return self.engine

    def engine_name(self, words: int) -> str:
        """The name of the engine that explored up to this many words, as findings show it; if another engine took over,
        both names.
        """
        name, until = self.explorer.name, self.explorer.until
        if until is None or until > words:
            return name
        return "interpreter" if until == 0 else f"{name}, interpreter"

    def space(self, words: int, past_terminal: bool = False) -> Space:
        """The space for this many words; raises `OutOfBounds` if it is too large."""
        key = (words, past_terminal)
        if key not in self._spaces:
            if reserved := self._root.reserved:
                reserved.pop(self._name(words, past_terminal), None)
            try:
                self._spaces[key] = self.explorer.space(words, past_terminal, self.memory_left)
            except OutOfBounds:
                if self._within is not None or not self._has_others:
                    raise
                for other in self._others.values():
                    other.forget()
                self._release(lambda name: not name.startswith(self.system.tree_sha256))
                self._spaces[key] = self.explorer.space(words, past_terminal, self.memory_left)
        return self._spaces[key]

    def known(self, words: int, past_terminal: bool) -> Space | None:
        """The space for this many words if it has been explored already."""
        return self._spaces.get((words, past_terminal))

    @property
    def memory_left(self) -> int | None:
        """The bytes not yet used by these spaces or those explored alongside them."""
        if self._within is not None:
            return self._within.memory_left
        return None if self.memory is None else max(0, self.memory - self._bytes)

    @property
    def _bytes(self) -> int:
        besides = (*self._beside, *self._others.values())
        others = sum(other._own_bytes for other in besides)
        return sum(space.bytes for space in self._spaces.values()) + others + sum(self.reserved.values())

    @property
    def _own_bytes(self) -> int:
        return sum(space.bytes for space in self._spaces.values())

    def engine_of(self, system: System) -> Engine:
        """An engine for another system, of the same kind as that of these levels."""
        return engine_for(system, self.explorer.name, self.explorer.jobs)

    @contextmanager
    def beside(self, system: System, what: str) -> Iterator["Levels"]:
        """The levels of a variant for as long as it is examined, by the same engine and within the same memory.

        Levels of it that are left out are recorded here too, labelled `what`.
        """
        engine = self.engine_of(system)
        variant = Levels(system, self.words, self.memory, engine, _others=self._others, _within=self._root)
        known = self._root._beside
        known.append(variant)
        try:
            yield variant
        finally:
            known[:] = [levels for levels in known if levels is not variant]
            self._take_note(variant, what)

    @contextmanager
    def other(self, system: System, engine: Callable[[], Engine]) -> Iterator["Levels"]:
        """The levels of another system, with as many words as these and within the same memory; they are cached."""
        identity = system.figure, tuple(sorted(system.parameters.items()))
        if identity not in self._others:
            self._others[identity] = Levels(system, self.words, self.memory, engine(), _within=self._root)
        known = self._others[identity].up_to(self.words)
        try:
            yield known
        finally:
            self._take_note(known, system.name)

    def variant(self, system: System, memory: int, engine: Engine) -> "Levels":
        """The levels of a variant, with a memory of their own; other systems that claims name are shared."""
        return Levels(system, self.reached, memory, engine, _others=self._others)

    @property
    def _root(self) -> "Levels":
        return self if self._within is None else self._within

    def _take_note(self, beside: "Levels", what: str) -> None:
        self.skipped_beside += [replace(s, reason=f"{what}: {s.reason}") for s in beside.all_skipped]
        self.notes_beside += [f"{what}: {note}" for note in beside.notes]

    @property
    def all_skipped(self) -> tuple[Skipped, ...]:
        """The levels that were not explored, among these and among those explored alongside."""
        return (*self.skipped.values(), *dict.fromkeys(self.skipped_beside))

    @property
    def notes(self) -> tuple[str, ...]:
        """What the engines report about these levels and about those explored alongside."""
        note = self.explorer.note
        return (*([] if note is None else [note]), *dict.fromkeys(self.notes_beside))

    def up_to(self, words: int) -> "Levels":
        """The first of these levels: the same spaces, and the same limit."""
        return Levels(
            self.system, words, self.memory, self.explorer, self.skipped, self.skipped_beside, self.notes_beside,
            self.reserved, self._spaces, self._beside, self._others, self._within,
        )  # fmt: skip

    def forget(self, beyond: int = -1) -> None:
        """Give up the spaces of more words, and those that continue past the end; if they are needed again, they are
        explored again.
        """
        for key in [key for key in self._spaces if key[0] > beyond or key[1]]:
            del self._spaces[key]
        for other in self._others.values():
            other.forget(beyond)
        if self._within is None:
            self._release(lambda name: int(name.split()[1]) > beyond or name.endswith("past"))

    # --- what an earlier run held ------------------------------------------------------------------------------------

    def held(self) -> dict[str, int]:
        """The bytes of each space that these levels or those of other systems hold, or that an earlier run held at this
        point.
        """
        known = {
            levels._name(*key): space.bytes
            for levels in (self, *self._others.values())
            for key, space in levels._spaces.items()
        }
        return {**self.reserved, **known}

    def reserve(self, held: dict[str, int]) -> None:
        """Leave as much memory for what comes next as an earlier run did; spaces that are needed after all are explored
        again.
        """
        known = self.held()
        self.reserved.update({name: size for name, size in held.items() if name not in known})

    def is_reserved(self, words: int) -> bool:
        """Whether a level was explored by an earlier run and has not been explored by this one."""
        return bool(self.reserved) and self._name(words, past_terminal=False) in self.reserved

    def _name(self, words: int, past_terminal: bool) -> str:
        return f"{self.system.tree_sha256} {words}" + (" past" if past_terminal else "")

    @property
    def _has_others(self) -> bool:
        """Whether spaces of other systems take up memory."""
        own = self.system.tree_sha256 if self.reserved else ""
        return any(other._spaces for other in self._others.values()) or any(
            not name.startswith(own) for name in self.reserved
        )

    def _release(self, is_meant: Callable[[str], bool]) -> None:
        for name in [name for name in self.reserved if is_meant(name)]:
            del self.reserved[name]

    def spaces(self, past_terminal: bool = False) -> Iterator[Space]:
        """Yield the spaces, fewest words first, as far as memory allows."""
        for words in range(1, self.words + 1):
            if past_terminal in self.skipped and words >= self.skipped[past_terminal].words:
                return
            try:
                space = self.space(words, past_terminal)
            except OutOfBounds as error:
                self.skipped[past_terminal] = Skipped(words, past_terminal, str(error))
                return
            yield space

    @property
    def reached(self) -> int:
        """The greatest number of words that was explored in full, with runs that stop at the first terminal
        configuration; 0 if there is none.
        """
        return self.words if False not in self.skipped else min(self.words, self.skipped[False].words - 1)

    def explored(self) -> int:
        """Explore as far as memory allows, and return the greatest number of words that was reached."""
        for _ in self.spaces():
            pass
        return self.reached

    def some_run_ends(self) -> bool:
        """Whether any sentence has a run that ends."""
        return any(space.terminal_count for space in self.spaces())

    # --- evidence ----------------------------------------------------------------------------------------------------

    def open(self, why: WhyOpen) -> Open:
        """An open result, with the reason."""
        return Open(self.engine_name(self.words), why)

    def no_answer(self, because: str) -> Open:
        """An open result, because the question has no answer here."""
        return self.open(NoAnswer(because))

    def refuted(self, cases: int, counterexample: Counterexample) -> Refuted:
        """A refutation by a counterexample."""
        return Refuted(self.engine_name(counterexample.words), counterexample, cases)

    def exhausted(
        self, words: int, cases: int, what: str, along: str | None = None, limit: str | None = None
    ) -> Exhausted | Open:
        """The result when no counterexample was found up to this many words; without any case the claim is vacuous,
        which is not a success.
        """
        if words < 1:
            return self.open(NothingExplored())
        if cases == 0:
            return self.open(NoCase(what if along is None else f"{what}, {along}", words))
        return Exhausted(self.engine_name(words), words, Cases(cases, what, along), limit)
