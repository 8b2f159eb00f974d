"""Example sentences: a system's report shows the first one it derives, and its interactive page starts with it."""

from typing import Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.configuration import Derivation
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import Graph, graph_of
from arcproof.transitions.system import System


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence with its gold graph."""

    words: tuple[str, ...]
    graph: Graph


def _example(words: str, heads: tuple[int, ...], labels: str) -> Example:
    return Example(tuple(words.split()), graph_of(heads, labels.split()))


EXAMPLES: Final = (
    _example("A talk follows today on parsing .", (2, 3, 0, 3, 2, 5, 3), "det subj root time mod obj punct"),
    _example("We read every small figure .", (2, 0, 5, 5, 2, 2), "subj root det mod obj punct"),
)


def example_derivation(system: System) -> tuple[Example, Derivation] | None:
    """The first example that the system's first oracle derives, with its derivation; None if there is none."""
    if not system.figure.oracles:
        return None
    for example in EXAMPLES:
        try:
            return example, system.derive(example.graph)
        except NotDerivable:
            continue
    return None
