"""Random runs and trees of sentences longer than those tried exhaustively, drawn and shrunk by Hypothesis.

Runs of the figure are drawn transition by transition and taken in lockstep; trees are drawn for oracles and encodings.
Whenever an example shows a new kind of divergence, Hypothesis shrinks it as far as it can and the search starts again,
until it finds nothing new.  A divergence that a nondeterministic driver shows only once still counts.
"""

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final, TypeVar

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis.errors import Flaky, NoSuchExample
from hypothesis.strategies import SearchStrategy

from arcproof.generators.drawn_run import DrawnRun
from arcproof.generators.strategies import labelled, runs, trees_of
from arcproof.properties.conformance.divergence import Divergence
from arcproof.properties.conformance.encodings import LABELS, check_encoding
from arcproof.properties.conformance.lockstep import Lockstep, accepted
from arcproof.properties.conformance.oracles import check_oracle
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.graph import Graph, Heads
from arcproof.transitions.syntax import GraphClass

X = TypeVar("X")

MORE_WORDS: Final = 6
"""How many words longer the longest random sentences are than those tried exhaustively."""
MOST_STEPS: Final = 100


def sample_runs(lockstep: Lockstep, words: int, samples: int, seed: int) -> int:
    """Compare random runs of sentences with more words than this."""

    def look(trial: Lockstep, run: DrawnRun[Configuration, Transition]) -> bool:
        cut = trial.cut
        trial.walk(run.words, (t.instance for t in run.transitions))
        return trial.cut == cut

    system = lockstep.figure.system
    strategy = runs(system, min_words=words + 1, max_words=words + MORE_WORDS, max_steps=MOST_STEPS)
    return _hunt(lockstep, strategy, look, samples, seed)


def sample_oracles(lockstep: Lockstep, graphs: GraphClass, words: int, samples: int, seed: int) -> int:
    """Follow the oracle to random trees; trees that the driver does not accept are not counted."""

    def look(trial: Lockstep, gold: Heads) -> bool:
        cut = trial.cut
        is_accepted = accepted(trial, gold)
        if is_accepted:
            check_oracle(trial, gold)
        return is_accepted and trial.cut == cut

    strategy = trees_of(graphs, min_words=words + 1, max_words=words + MORE_WORDS)
    return _hunt(lockstep, strategy, look, samples, seed)


def sample_encodings(lockstep: Lockstep, graphs: GraphClass, words: int, samples: int, seed: int) -> int:
    """Encode and decode random trees with random labels."""

    def look(trial: Lockstep, gold: Graph) -> bool:
        labels = {arc.dependent: arc.label or "" for arc in gold.arcs}
        cut = trial.cut
        check_encoding(trial, gold.heads, tuple(labels[word] for word in range(1, gold.words + 1)))
        return trial.cut == cut

    strategy = labelled(trees_of(graphs, min_words=words + 1, max_words=words + MORE_WORDS), LABELS)
    return _hunt(lockstep, strategy, look, samples, seed)


def _hunt(
    lockstep: Lockstep, strategy: SearchStrategy[X], look: Callable[[Lockstep, X], bool], samples: int, seed: int
) -> int:
    """Search until nothing of a new kind is found; return the number of examples compared in the last round.

    `look` returns whether there was something to compare.
    """
    tried = 0
    last: list[Divergence] = []

    def new(example: X) -> list[Divergence]:
        nonlocal tried
        trial = lockstep.afresh()
        tried += look(trial, example)
        trial.figure.forget()
        return [found.divergence for found in trial.collected.found if not lockstep.collected.knows(found.divergence)]

    def shows_something_new(example: X) -> bool:
        nonlocal last
        found = new(example)
        last = found or last
        return bool(found)

    while True:
        tried, last = 0, []
        with suppress(Flaky):
            try:
                last = new(find(strategy, shows_something_new, settings=_effort(samples), random=Random(seed))) or last
            except NoSuchExample:
                if not last:
                    return tried
        with lockstep.collected.drawing():
            for divergence in last:
                lockstep.collected.add(divergence)


def _effort(samples: int) -> settings:
    return settings(
        max_examples=samples,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        deadline=None,
        database=None,
    )
