"""Short sentences by the interpreter: the basis of every refutation, and of the bridge to the symbols."""

from dataclasses import dataclass
from typing import Final

from arcproof.properties.engines.engine import Interpreter
from arcproof.properties.engines.exploration import StateSpace, explore
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.engines.spaces import Space
from arcproof.properties.proving.search.thinning import MOST_CONFIGURATIONS

ATTACK: Final = Sampling(100, 12)
"""The number of random runs used to test a claim."""
MOST_WORDS_AGAIN: Final = 3
"""How far the interpreter goes when an earlier proof is rebuilt."""


@dataclass
class ShortSentences(Interpreter):
    """The levels of short sentences by the interpreter, as long as they have few configurations.

    A level of `shared` that the interpreter has explored is not explored again.  Levels explored by native code are not
    accepted: every refutation and the bridge to the symbols rest on the interpreter, which is the definition.
    """

    shared: Levels | None = None

    def space(self, words: int, past_terminal: bool, memory: int | None) -> StateSpace:  # noqa: ARG002
        """All configurations."""
        known = self._known(words, past_terminal)
        if isinstance(known, StateSpace) and known.size <= MOST_CONFIGURATIONS:
            return known
        return explore(self.system, words, past_terminal, MOST_CONFIGURATIONS)

    def _known(self, words: int, past_terminal: bool) -> Space | None:
        if self.shared is None or not isinstance(self.shared.explorer, Interpreter):
            return None
        return self.shared.known(words, past_terminal)
