"""Proofs of earlier: a theorem that is kept is built again before it is believed."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, TypeAlias

from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.theorem import Theorem, Topic
from arcproof.properties.verdict import Verdict
from arcproof.transitions.system import System


class Memory(Protocol):
    """Where theorems are kept (`store`)."""

    def recall(self, system: System, about: Topic) -> Theorem | None:
        """A theorem as it was kept; that it is proved is not to be believed before it is built again (`known`)."""

    def keep(self, system: System, theorem: Theorem) -> None:
        """Keep a theorem."""


Shown: TypeAlias = Callable[[Prover], Theorem]
"""How something is shown, whether for the first time or again."""


def known(prover: Prover, about: Topic, memory: Memory | None, shown: Shown) -> Theorem | None:
    """A theorem from the memory; a proof is built again, and what does not come out again is not believed."""
    kept = None if memory is None else memory.recall(prover.system, about)
    if kept is None or kept.verdict is not Verdict.PROVED:
        return kept
    again = shown(prover.rebuilding(kept))
    if again.verdict is not Verdict.PROVED:
        return None
    return replace(again, seconds=kept.seconds, timed_out=kept.timed_out, kept=True)


def recalled(prover: Prover, about: Topic, memory: Memory | None, shown: Shown) -> Theorem:
    """A theorem from the memory, or else proved and kept; what the clock left open is not kept."""
    theorem = known(prover, about, memory, shown)
    if theorem is not None:
        return theorem
    theorem = shown(prover)
    if memory is not None and (theorem.verdict is Verdict.PROVED or not theorem.timed_out):
        memory.keep(prover.system, theorem)
    return theorem
