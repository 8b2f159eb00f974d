"""What `explore` reports about one level: counts, lengths, dead ends, and the number of derivations per output."""

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.engine import Counted, Engine
from arcproof.properties.engines.spaces import OutOfBounds


@dataclass(frozen=True, slots=True)
class LevelSummary:
    """The counts of one level; if there are none, `reason` says why the level was left out, and `known` is the number
    of configurations known by then.
    """

    words: int
    counted: Counted | None
    reason: str | None = None
    known: int = 0

    @property
    def complete(self) -> bool:
        """Whether every configuration was visited."""
        return self.counted is not None


def explore_level(engine: Engine, words: int, memory: int | None = None) -> LevelSummary:
    """Explore one level; one that needs more memory is left out."""
    try:
        return LevelSummary(words, engine.count(words, memory))
    except OutOfBounds as error:
        return LevelSummary(words, None, str(error), error.configurations)
