"""What proofs are made of: guessed invariants and lemmas, as formulas about a state."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.state import SymbolicState
from arcproof.properties.proving.trusted.obligation import Premise
from arcproof.transitions.errors import Contradiction

Formula: TypeAlias = Callable[[SymbolicState], Term]


def worked_out_once(formula: Formula) -> Formula:
    """The same formula with a cache of its value for each state."""
    known: dict[int, tuple[SymbolicState, Term]] = {}

    def remembered(c: SymbolicState) -> Term:
        if id(c) not in known:
            known[id(c)] = c, formula(c)
        return known[id(c)][1]

    return remembered


@dataclass(frozen=True)
class Candidate:
    """A guessed invariant: a formula about a state, with a name.

    `stronger` names candidates from each of which this one follows: it is tried only when they are discarded.  `basic`
    candidates say where nodes are and what a closure is; almost every proof needs some of them.  `hints` are premises
    to try first, and `source` is the lemma file that it comes from; `given` is the condition if the specification
    states it.
    """

    name: str
    formula: Formula
    stronger: tuple[str, ...] = ()
    basic: bool = False
    hints: tuple[str, ...] = ()
    source: str = ""
    given: str | None = None


@dataclass(frozen=True)
class Lemma:
    """A fact about a configuration.

    The candidate is the fact with everything written out, and its hints are the premises that it follows from.
    `folded` is the same fact with opaque predicates.  `definitions` defines those predicates that may be unfolded, and
    `goal` gives the induction hypothesis, if any, and what is to be shown.  A `step` is tried only if another lemma
    names it.
    """

    candidate: Candidate
    folded: Formula
    definitions: Callable[[SymbolicState], tuple[Premise, ...]]
    goal: Callable[[SymbolicState], tuple[Term | None, Term]]
    step: bool = False

    @property
    def name(self) -> str:
        """Its title."""
        return self.candidate.name


class TwoOfOneName(Contradiction):
    """Two parts of a proof have the same name: a proof of one would count for the other."""


def no_two_of_one_name(names: Sequence[str]) -> None:
    """Refuse ambiguous names."""
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise TwoOfOneName(f"duplicate name: {twice[0]}")
