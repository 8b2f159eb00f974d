"""Candidates that are mined from runs: clauses about one node of a sequence, true in every short run of an oracle.

A *clause* says that for every node x of a sequence X, one of up to three literals is true.  The atoms are about x,
about the gold arcs of x, and about the rest of the state.  Only minimal clauses count, that is, those that no shorter
one implies.

They are tried if the built-in candidates do not suffice.  A clause is named by its text, so that a certificate can
refer to it.  Like every candidate it must be preserved by every move, and nothing here needs to be trusted.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from typing import Final, TypeAlias

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import Evaluate, to_python
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.conditions import GOLD
from arcproof.properties.proving.meaning.model import domain
from arcproof.properties.proving.meaning.state import SymbolicState
from arcproof.properties.proving.trusted.facts import Candidate, worked_out_once

MINED: Final = "mined"
"""The source of these candidates."""
MOST_LITERALS: Final = 3
_NODE: Final = t.constant("argument_1")
_NAME: Final = re.compile(r"every node of (\S+): (.+)")
_OR: Final = ", or "

Atom: TypeAlias = Callable[[SymbolicState, Term], Term]
Model: TypeAlias = Mapping[str, object]
Literal: TypeAlias = tuple[str, bool]
Clause: TypeAlias = frozenset[Literal]


def atoms(state: SymbolicState) -> dict[str, Atom]:
    """The properties of a node of a sequence, by their text."""
    found: dict[str, Atom] = {
        "it is 0": lambda _, x: t.equal(x, 0),
        "it is at the head": _is_at_the_head,
        "it has a head": lambda c, x: c.headed(x),
        "it is complete": _is_complete,
    }
    found |= {f"{name} is true": partial(_flag, name) for name in state.flags}
    for component in state.sequences:
        name = component.name
        found[f"{name} is empty"] = partial(_is_empty, name)
        found[f"its gold head is in {name}"] = partial(_waits_for, name)
        found[f"a gold dependent is in {name}"] = partial(_wants_from, name)
    return found


def _is_at_the_head(c: SymbolicState, x: Term) -> Term:
    ends = [
        t.conjunction(c.inside(one.name, x), t.equal(c.position_in(one.name, x), t.subtract(c.heights[one.name], 1)))
        for one in c.sequences
    ]
    return t.disjunction(*ends)


def _is_complete(c: SymbolicState, x: Term) -> Term:
    return t.for_all(lambda y: t.implies(GOLD.arc(x, y), c.arc(x, y)))


def _flag(name: str, c: SymbolicState, _: Term) -> Term:
    return c.flags[name]


def _is_empty(name: str, c: SymbolicState, _: Term) -> Term:
    return t.equal(c.heights[name], 0)


def _waits_for(name: str, c: SymbolicState, x: Term) -> Term:
    return t.conjunction(GOLD.arc(GOLD.head(x), x), c.inside(name, GOLD.head(x)))


def _wants_from(name: str, c: SymbolicState, x: Term) -> Term:
    return t.exists(lambda y: t.conjunction(GOLD.arc(x, y), c.inside(name, y)))


# --- clauses ---------------------------------------------------------------------------------------------------------


def candidate(sequence: str, clause: Clause, state: SymbolicState) -> Candidate:
    """A clause as a candidate for an invariant."""
    known = atoms(state)
    literals = sorted(clause)

    def formula(c: SymbolicState) -> Term:
        x = t.fresh()
        said = [known[words](c, x) if sign else t.negation(known[words](c, x)) for words, sign in literals]
        return t.quantified("forall", (x,), t.implies(c.inside(sequence, x), t.disjunction(*said)))

    text = _OR.join(words if sign else f"not {words}" for words, sign in literals)
    return Candidate(f"every node of {sequence}: {text}", worked_out_once(formula), source=MINED)


def by_name(name: str, state: SymbolicState) -> Candidate | None:
    """The clause with this name, if it is one of this state."""
    found = _NAME.fullmatch(name)
    if found is None or found[1] not in {one.name for one in state.sequences}:
        return None
    literals = frozenset((text.removeprefix("not "), not text.startswith("not ")) for text in found[2].split(_OR))
    if not {words for words, _ in literals} <= atoms(state).keys():
        return None
    return candidate(found[1], literals, state)


@dataclass(frozen=True)
class Mine:
    """The models of configurations of runs, from which clauses are mined."""

    state: SymbolicState
    models: Sequence[tuple[Model, int]]

    def candidates(self) -> list[Candidate]:
        """The minimal clauses that are true in all runs."""
        found = [(one.name, clause) for one in self.state.sequences for clause in self._minimal(one.name)]
        return [candidate(sequence, clause, self.state) for sequence, clause in found]

    def _minimal(self, sequence: str) -> Iterator[Clause]:
        seen = {true for model, words in self.models for true in self._seen(sequence, model, words)}
        literals = [(words, sign) for words in self._values for sign in (True, False)]
        found: list[Clause] = []
        for size in range(1, MOST_LITERALS + 1):
            for some in combinations(literals, size):
                clause = frozenset(some)
                if len({words for words, _ in clause}) < size or any(shorter < clause for shorter in found):
                    continue
                if seen and all(_holds(clause, true) for true in seen):
                    found.append(clause)
                    yield clause

    def _seen(self, sequence: str, model: Model, words: int) -> Iterator[frozenset[str]]:
        """Which atoms are true, for each node of a sequence."""
        for node in range(words + 1):
            asked = {**model, "argument_1": node}
            if self._inside[sequence](asked, domain(words)):
                yield frozenset(said for said, value in self._values.items() if value(asked, domain(words)))

    @cached_property
    def _inside(self) -> dict[str, Evaluate]:
        return {one.name: to_python(self.state.inside(one.name, _NODE)) for one in self.state.sequences}

    @cached_property
    def _values(self) -> dict[str, Evaluate]:
        return {words: to_python(atom(self.state, _NODE)) for words, atom in atoms(self.state).items()}


def _holds(clause: Iterable[Literal], true: frozenset[str]) -> bool:
    return any((words in true) == sign for words, sign in clause)
