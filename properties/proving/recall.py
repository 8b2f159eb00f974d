"""Earlier proofs: a cached theorem is rebuilt before it is believed."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, TypeAlias

from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.theorem import Theorem, Topic
from arcproof.properties.verdict import Verdict
from arcproof.transitions.system import System


class Memory(Protocol):
    """Where theorems are cached (`store`)."""

    def recall(self, system: System, about: Topic) -> Theorem | None:
        """A theorem from the cache; that it is proved must not be believed until it has been rebuilt (`known`)."""

    def keep(self, system: System, theorem: Theorem) -> None:
        """Keep a theorem."""


Shown: TypeAlias = Callable[[Prover], Theorem]
"""A way to show something, for the first time or again."""


def known(prover: Prover, about: Topic, memory: Memory | None, shown: Shown) -> Theorem | None:
    """A theorem from the cache; its proof is rebuilt, and not believed if that fails."""
    kept = None if memory is None else memory.recall(prover.system, about)
    if kept is None or kept.verdict is not Verdict.PROVED:
        return kept
    again = shown(prover.rebuilding(kept))
    if again.verdict is not Verdict.PROVED:
        return None
    return replace(again, seconds=kept.seconds, timed_out=kept.timed_out, kept=True)


def recalled(prover: Prover, about: Topic, memory: Memory | None, shown: Shown) -> Theorem:
    """A theorem from the cache, or else one that is proved and cached; results that the clock left open are not
    cached.
    """
    theorem = known(prover, about, memory, shown)
    if theorem is not None:
        return theorem
    theorem = shown(prover)
    if memory is not None and (theorem.verdict is Verdict.PROVED or not theorem.timed_out):
        memory.keep(prover.system, theorem)
    return theorem
