"""Verdicts, weakest to strongest.

`refuted`: there is a counterexample, and the interpreter has replayed it; `unknown`: nothing was found, for the reason
given; `unreached`: an induction step fails, but no run reaches the configuration in which it does; `sampled`: no
counterexample among the samples of this number, seed and length; `exhausted`: no counterexample among all sentences of
up to this many words; `proved`: for sentences of every length, by the solvers named, under the assumptions named.

A verdict is never stored: it is a function of the evidence (`evidence.verdict_of`).
"""

from enum import Enum
from functools import total_ordering


@total_ordering
class Verdict(Enum):
    """Weakest first."""

    REFUTED = "refuted"
    UNKNOWN = "unknown"
    UNREACHED = "unreached"
    SAMPLED = "sampled"
    EXHAUSTED = "exhausted"
    PROVED = "proved"

    def __lt__(self, other: object) -> bool:
        """By strength."""
        if not isinstance(other, Verdict):
            return NotImplemented
        order = list(Verdict)
        return order.index(self) < order.index(other)
