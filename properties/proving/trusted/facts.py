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
    """The same formula, with its value for a state cached."""
    known: dict[int, tuple[SymbolicState, Term]] = {}

    def remembered(c: SymbolicState) -> Term:
        if id(c) not in known:
            known[id(c)] = c, formula(c)
        return known[id(c)][1]

    return remembered


@dataclass(frozen=True)
class Candidate:
    """A guessed invariant: a formula about a state, with a name.

    `stronger` names candidates from each of which this one follows: it is tried only when they are discarded.
    `basic` candidates say where nodes are and what a closure is; almost every proof needs some of them.  `hints` are
    premises to try first, and `source` the lemma file it is from; `given` is the condition where the specification
    gives it.
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

    The candidate is the fact with everything written out, and its hints are what it follows from.  `folded` is the
    same with opaque predicates. `definitions` says what those are that may be unfolded, and `goal` gives the
    induction hypothesis, if any, and what is to be shown.  A `step` is tried only where another lemma names it.
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
    """Two parts of a proof with the same name: what is shown for one would count for the other."""


def no_two_of_one_name(names: Sequence[str]) -> None:
    """Refuse ambiguous names."""
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise TwoOfOneName(f"two of one name: {twice[0]}")
