"""The counts of a level as pieces of the run store; a level that did not fit into memory is not stored."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arcproof.process.codec import Json, encoded
from arcproof.properties.engines.engine import Engine
from arcproof.properties.engines.levels import Levels
from arcproof.properties.stored import Pieces, read
from arcproof.properties.studies.counts import LevelSummary, explore_level
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System


@dataclass
class StoredCounts:
    """The levels of a system, counted by an engine."""

    system: System
    engine: Engine
    memory: int | None

    @cached_property
    def _pieces(self) -> Pieces:
        return Pieces(Levels(self.system, 0, self.memory, self.engine))

    def level(self, words: int) -> LevelSummary:
        """The counts of a level, as stored or counted now."""

        def do() -> LevelSummary:
            return explore_level(self.engine, words, self.memory)

        def to_json(found: LevelSummary) -> Json:
            return encoded(found) if found.complete else None

        def from_json(value: Any) -> LevelSummary | None:
            found: LevelSummary = read(LevelSummary, value)
            return found if found.complete and found.words == words else None

        return self._pieces.piece(
            "counts", {"words": words}, f"counts, {counted(words, 'word')}", do, to_json, from_json
        )
