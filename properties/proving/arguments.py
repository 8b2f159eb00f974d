"""The input of the search and the check: a problem, candidates, and configurations that its premises must allow."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from arcproof.properties.proving.meaning.model import model_of
from arcproof.properties.proving.search.induction import Guided
from arcproof.properties.proving.trusted.facts import Candidate
from arcproof.properties.proving.trusted.problem import Problem
from arcproof.properties.proving.trusted.witness import configurations
from arcproof.transitions.errors import Contradiction
from arcproof.transitions.system import System

Models: TypeAlias = Callable[[int], Iterator[tuple[str, dict[str, object]]]]
"""Configurations of runs with some number of words, each with its model."""


@dataclass(frozen=True)
class Argument:
    """A problem with the candidates to search, and the configurations in which its premises are shown to be
    satisfiable.

    `guided` says that it is about an oracle's runs; `mine` gives more candidates, to be tried if these do not suffice.

    `models` gives some configurations of runs with this many words, `every` all of them, within reason.
    """

    problem: Problem
    candidates: Sequence[Candidate]
    models: Models
    every: Models
    guided: Guided | None = None
    mine: Callable[[], Sequence[Candidate]] | None = None


class WrongMeaning(Contradiction):
    """The symbolic meaning of a figure differs from what the interpreter does."""


class WrongAxiom(Contradiction):
    """An axiom of a class is false for a graph of that class: less would be proved than is claimed."""


def run_models(system: System, words: int) -> Iterator[tuple[str, dict[str, object]]]:
    """The configurations of random runs."""
    for c in configurations(system, words):
        yield str(c), model_of(system, c)
