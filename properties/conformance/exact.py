"""The figure's exact losses by configuration and gold tree; costs and repairs are compared with them."""

from functools import cached_property

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.claims.dynamic_oracle import ending, gives_two_heads
from arcproof.properties.conformance.divergence import Names
from arcproof.properties.conformance.driver import Declared
from arcproof.properties.engines.defined_losses import (
    UNREACHABLE,
    Blame,
    DefinedLosses,
    defined_losses,
    missed_arcs,
    wrong_heads,
)
from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.output_sets import heads_of
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.graph import Heads
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System


def wrong_heads_with_root(built: int, gold: int) -> bool:
    """Like `wrong_heads`, except that a word without a head counts as a dependent of 0."""
    return max(built, 1) != max(gold, 1)


def missed_arcs_with_root(built: int, gold: int) -> bool:
    """Like `missed_arcs`, except that a word without a head counts as a dependent of 0."""
    return wrong_heads_with_root(built, gold) and gold != 0


@dataclass(frozen=True)
class ExactLosses:
    """The losses for sentences of one length, for every gold tree of a class."""

    losses: tuple[DefinedLosses, ...]

    @classmethod
    def of(cls, system: System, graphs: GraphClass, words: int, declared: Declared) -> "ExactLosses | None":
        """Return the losses; None if a run can give a word two heads, because then the loss is undefined."""
        space = explore(system, words)
        if gives_two_heads(space):
            return None
        return cls(tuple(defined_losses(space, graphs, _blame(declared))))

    @cached_property
    def _numbers(self) -> dict[Configuration, int]:
        space = self.losses[0].space
        return {space.configuration(number): number for number in range(space.size)} if self.losses else {}

    @cached_property
    def _places(self) -> dict[Heads, tuple[int, int]]:
        found: dict[Heads, tuple[int, int]] = {}
        for piece, losses in enumerate(self.losses):
            for place, code in enumerate(losses.golds):
                heads = heads_of(code, losses.space.words)
                found[losses.space.system.rooted(heads)] = (piece, place)
        return found

    @property
    def golds(self) -> tuple[Heads, ...]:
        """The gold trees."""
        return tuple(self._places)

    def loss(self, c: Configuration, gold: Heads) -> int | None:
        """Return the loss of the best output that can be reached; None if no run ends."""
        piece, place = self._places[gold]
        found = self.losses[piece].table[self._numbers[c]][place]
        return None if found == UNREACHABLE else found

    def best_ending(self, c: Configuration, gold: Heads) -> Names:
        """Return how the best run continues."""
        piece, place = self._places[gold]
        return tuple(t.instance for t in ending(self.losses[piece], self._numbers[c], place))


def _blame(declared: Declared) -> Blame:
    if declared.loss == "missed arcs":
        return missed_arcs if declared.headless == "none" else missed_arcs_with_root
    return wrong_heads if declared.headless == "none" else wrong_heads_with_root
