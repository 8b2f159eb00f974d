"""Coverage as pieces of the run store: how much of a file a system derives, and how the graphs of a file spread."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from arcproof.generators.treebank import Sentence, Tally
from arcproof.process.code_digest import code_digest
from arcproof.process.codec import Json, NotOfThisType, encoded
from arcproof.process.run_store import RunStore, current, key_of
from arcproof.properties.stored import CODE, read, runs_on
from arcproof.properties.studies.coverage import Covered, GraphSpread, Missed, Spread, count_all
from arcproof.transitions.reading.files import opened
from arcproof.transitions.system import System

KIND: Final = "coverage"


@dataclass(frozen=True)
class File:
    """A treebank: its text, how its sentences are read (with `graphs`, those with several heads), and the tally."""

    path: Path
    sentences: Callable[[], Iterable[Sentence]]
    tally: Tally | None = None

    def begin_again(self) -> None:
        """Before the sentences are read: nothing is counted yet, whatever was recalled."""
        if self.tally is not None:
            self.tally.sentences = self.tally.with_null_nodes = 0

    @property
    def digest(self) -> str:
        """The hash of its text."""
        with opened(self.path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def covered_by(systems: Sequence[System], file: File, jobs: int = 1) -> tuple[Spread, list[Covered]]:
    """How the trees of a file spread, and how many of them each system derives: as stored, or counted now."""
    spread = Spread()
    return spread, _covered(systems, file, spread, jobs)


def graphs_covered_by(systems: Sequence[System], file: File, jobs: int = 1) -> tuple[GraphSpread, list[Covered]]:
    """How the graphs of a file spread, and how many of them each system derives, for systems in which a word may have
    several heads.
    """
    spread = GraphSpread.of(systems)
    return spread, _covered(systems, file, spread, jobs)


def _covered(systems: Sequence[System], file: File, spread: Spread | GraphSpread, jobs: int) -> list[Covered]:
    store = current()
    if store is None or not file.path.is_file():
        return count_all(systems, file.sentences(), spread, jobs)
    for system in systems:
        system.oracle()
    stored = _StoredCoverage(store, file, spread)
    known = {place: found for place, system in enumerate(systems) if (found := stored.recall(system)) is not None}
    is_spread = stored.recall_spread()
    new = [place for place in range(len(systems)) if place not in known]
    if new or not is_spread:
        file.begin_again()
        counted = count_all([systems[place] for place in new], file.sentences(), None if is_spread else spread, jobs)
        known |= zip(new, counted, strict=True)
        if stored.is_same_file:
            for place in new:
                stored.keep(systems[place], known[place])
            if not is_spread:
                stored.keep_spread()
    return [known[place] for place in range(len(systems))]


class _StoredCoverage:
    def __init__(self, store: RunStore, file: File, spread: Spread | GraphSpread) -> None:
        self.store, self.file, self.spread = store, file, spread
        asked = [repr(one) for one in spread.asked] if isinstance(spread, GraphSpread) else None
        self.of = "trees" if asked is None else "graphs"
        self.asked = asked
        self.depends = {"file": file.digest, "of": self.of, "code": code_digest(CODE), "runs on": runs_on()}

    @property
    def is_same_file(self) -> bool:
        """Whether the text is still the same as when pieces were looked up."""
        return self.file.digest == self.depends["file"]

    def recall(self, system: System) -> Covered | None:
        """How much of the file a system derives, if that is stored."""
        key = self._key(system)
        value = self.store.recall(key)
        if value is None:
            return None
        try:
            sentences, arcs, missed = read(tuple[int, int, Missed | None], value)
        except NotOfThisType:
            self.store.forget(key)
            return None
        return Covered(system.name, sentences, arcs, missed)

    def keep(self, system: System, found: Covered) -> None:
        """Store how much of the file a system derives."""
        value = encoded((found.sentences, found.arcs, found.first_missed))
        self.store.keep(KIND, self._key(system), value, f"{system.name} on {self.file.path.name}")

    def recall_spread(self) -> bool:
        """Fill in the spread if it is stored; return whether it is."""
        key = self._key_of_spread
        value = self.store.recall(key)
        if value is None:
            return False
        try:
            counters = self._counters
            found = {
                name: _counter(value[name]) if name in counters else read(int, value[name]) for name in self._numbers
            }
            tally = read(tuple[int, int], value["tally"])
        except (NotOfThisType, LookupError, TypeError):
            self.store.forget(key)
            return False
        for name, number in found.items():
            setattr(self.spread, name, number)
        if self.file.tally is not None:
            self.file.tally.sentences, self.file.tally.with_null_nodes = tally
        return True

    def keep_spread(self) -> None:
        """Store the spread."""
        tally = self.file.tally or Tally()
        value: dict[str, Json] = {"tally": [tally.sentences, tally.with_null_nodes]}
        for name in self._numbers:
            found = getattr(self.spread, name)
            value[name] = [[key, count] for key, count in found.items()] if name in self._counters else found
        self.store.keep(KIND, self._key_of_spread, value, f"{self.of} of {self.file.path.name}")

    @property
    def _numbers(self) -> list[str]:
        return [one.name for one in fields(self.spread) if one.name != "asked"]

    @property
    def _counters(self) -> list[str]:
        return [name for name in self._numbers if isinstance(getattr(self.spread, name), Counter)]

    def _key(self, system: System) -> str:
        return key_of(KIND, {**self.depends, "figure": system.tree_sha256})

    @property
    def _key_of_spread(self) -> str:
        return key_of(KIND, {**self.depends, "spread": self.asked})


def _counter(value: Any) -> Counter[Any]:
    """A counter keyed by number or by name."""
    pairs = read(list[tuple[int | str, int]], value)
    return Counter(dict(pairs))
