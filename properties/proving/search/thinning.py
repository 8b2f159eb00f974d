"""Discard false candidates: evaluate them in every reachable configuration of short sentences."""

from collections.abc import Iterable, Sequence
from typing import Final

from arcproof.properties.engines.exploration import StateSpace
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.meaning.model import domain, model_of
from arcproof.properties.proving.meaning.state import SymbolicState
from arcproof.properties.proving.trusted.facts import Candidate

MOST_WORDS: Final = 4
MOST_CONFIGURATIONS: Final = 4_000


def few_enough(levels: Levels) -> list[StateSpace]:
    """The interpreter's levels with one word, two words, and so on, as long as they have few configurations."""
    found: list[StateSpace] = []
    for words in range(1, levels.words + 1):
        try:
            space = levels.space(words)
        except OutOfBounds:
            break
        if not isinstance(space, StateSpace) or space.size > MOST_CONFIGURATIONS:
            break
        found.append(space)
    return found


def thinned(candidates: Iterable[Candidate], state: SymbolicState, levels: Sequence[StateSpace]) -> list[Candidate]:
    """The candidates that hold in every reachable configuration of these levels."""
    left = [(candidate, to_python(candidate.formula(state))) for candidate in candidates]
    for space in levels:
        integers = domain(space.words)
        for c in space.configurations:
            model = model_of(space.system, c)
            left = [(candidate, value) for candidate, value in left if value(model, integers)]
    return [candidate for candidate, _ in left]
