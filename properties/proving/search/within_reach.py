"""Which arcs can still be built, as a formula read off all configurations of short sentences.

An arc x -> y is *within reach* of a configuration if some run from there ends with it.  For sentences of a few words
that is known exactly (`arcs_within_reach`).  Here a formula is sought that says the same: a disjunction of conjunctions
of literals about x, y and where they are.  Atoms that say where nodes are come first; their order, and what is at the
head of a sequence, are used only if these do not separate all arcs.

Nothing here needs to be trusted: the properties of the formula that are used are proved (`goals.decomposability`), and
a formula that is wrong for longer sentences proves nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final, TypeAlias

from arcproof.properties.engines.defined_losses import arcs_within_reach
from arcproof.properties.engines.exploration import StateSpace
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import Evaluate, to_python
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.model import domain, model_of
from arcproof.properties.proving.meaning.state import SymbolicState
from arcproof.transitions.configuration import Configuration

HEAD: Final = t.constant("argument_1")
DEPENDENT: Final = t.constant("argument_2")

Atom: TypeAlias = Callable[[SymbolicState, Term, Term], Term]
Literal: TypeAlias = tuple[str, bool]
Case: TypeAlias = tuple[Literal, ...]
LostCases: TypeAlias = tuple[tuple[str, tuple[Case, ...]], ...]
"""For each case of a transition, the arcs that it puts out of reach (`lost_arcs`)."""
True_: TypeAlias = frozenset[str]
"""The texts of the atoms that are true of an arc in a configuration."""


@dataclass(frozen=True, slots=True)
class Unlike:
    """Two configurations, each with an arc, that no atom distinguishes, although one arc is within reach and the other
    is not.
    """

    reached: str
    missed: str

    def __str__(self) -> str:
        """Which arc is within reach, and which is not."""
        apart = "although no available property distinguishes them"
        return f"{self.reached} can still be built and {self.missed} cannot, {apart}"


@dataclass(frozen=True)
class WithinReach:
    """A formula for the arcs that can still be built: one of these cases applies."""

    cases: tuple[Case, ...]

    def __call__(self, c: SymbolicState, x: Term, y: Term) -> Term:
        """The condition that x -> y is within reach in a state."""
        known = {words: atom for tier in tiers(c) for words, atom in tier.items()}
        return some_case(self.cases, known, c, x, y)

    def __str__(self) -> str:
        """In words."""
        return ", or ".join(" and ".join(map(_words, case)) for case in self.cases) or "never"


def some_case(cases: Sequence[Case], known: Mapping[str, Atom], c: SymbolicState, x: Term, y: Term) -> Term:
    """The condition that one of these cases applies to x -> y in a state."""

    def said(literal: Literal) -> Term:
        words, sign = literal
        return known[words](c, x, y) if sign else t.negation(known[words](c, x, y))

    return t.disjunction(*(t.conjunction(*map(said, case)) for case in cases))


def _words(literal: Literal) -> str:
    words, sign = literal
    return words if sign else f"not {words}"


# --- what may be said of an arc --------------------------------------------------------------------------------------


def tiers(state: SymbolicState) -> tuple[dict[str, Atom], ...]:
    """The properties of an arc x -> y in a state, in tiers: a tier is used only if those before it do not suffice."""
    names = [one.name for one in state.sequences]
    where: dict[str, Atom] = {
        "x -> y is built": lambda c, x, y: c.arc(x, y),
        "y has a head": lambda c, _, y: c.headed(y),
    }
    for name in names:
        where[f"x is in {name}"] = partial(_head_in, name)
        where[f"y is in {name}"] = partial(_dependent_in, name)
    where |= {f"{name} is true": partial(_flag, name) for name in state.flags}
    order: dict[str, Atom] = {}
    for name in names:
        order[f"x is just below y in {name}"] = partial(_just_below, name)
        order[f"y is just below x in {name}"] = partial(_just_above, name)
    order["x < y"] = lambda _, x, y: t.less(x, y)
    rest: dict[str, Atom] = {"x is 0": lambda _c, x, _y: t.equal(x, 0), "x has a head": lambda c, x, _: c.headed(x)}
    for name in names:
        rest[f"x is at the head of {name}"] = partial(_head_at_the_head, name)
        rest[f"y is at the head of {name}"] = partial(_dependent_at_the_head, name)
        rest[f"{name} is empty"] = partial(_is_empty, name)
    return where, order, rest


def _head_in(name: str, c: SymbolicState, x: Term, _: Term) -> Term:
    return c.inside(name, x)


def _dependent_in(name: str, c: SymbolicState, _: Term, y: Term) -> Term:
    return c.inside(name, y)


def _flag(name: str, c: SymbolicState, _x: Term, _y: Term) -> Term:
    return c.flags[name]


def _just_below(name: str, c: SymbolicState, x: Term, y: Term) -> Term:
    next_cell = t.equal(t.add(c.position_in(name, x), 1), c.position_in(name, y))
    return t.conjunction(c.inside(name, x), c.inside(name, y), next_cell)


def _just_above(name: str, c: SymbolicState, x: Term, y: Term) -> Term:
    return _just_below(name, c, y, x)


def _head_at_the_head(name: str, c: SymbolicState, x: Term, _: Term) -> Term:
    return t.conjunction(c.inside(name, x), t.equal(t.add(c.position_in(name, x), 1), c.heights[name]))


def _dependent_at_the_head(name: str, c: SymbolicState, x: Term, y: Term) -> Term:
    return _head_at_the_head(name, c, y, x)


def _is_empty(name: str, c: SymbolicState, _x: Term, _y: Term) -> Term:
    return t.equal(c.heights[name], 0)


# --- the search ------------------------------------------------------------------------------------------------------


def within_reach(state: SymbolicState, spaces: Sequence[StateSpace]) -> WithinReach | Unlike:
    """A formula that decides, for every arc in every configuration of these spaces, whether it is within reach.

    The spaces are those of a figure whose runs give no word two heads.
    """
    seen = SeenArcs(state, spaces)
    atoms: dict[str, Atom] = {}
    for tier in tiers(state):
        atoms |= tier
        found = seen.by(atoms)
        if not isinstance(found, Unlike):
            return WithinReach(tuple(cover(*found, tuple(atoms))))
    assert isinstance(found, Unlike)
    return found


@dataclass(frozen=True)
class SeenArcs:
    """The arcs in the configurations of short sentences, and which of them are within reach."""

    state: SymbolicState
    spaces: Sequence[StateSpace]

    @cached_property
    def _arcs(self) -> list[tuple[Configuration, Mapping[str, object], int, int, bool]]:
        """Every arc in every configuration from which a run can end, and whether it is within reach."""
        found: list[tuple[Configuration, Mapping[str, object], int, int, bool]] = []
        for space in self.spaces:
            within = arcs_within_reach(space)
            heads = range(0 if space.system.has_root else 1, space.words + 1)
            for number, c in enumerate(space.configurations):
                if within[number]:
                    model = model_of(space.system, c)
                    found += [
                        (c, model, x, y, (y, x + 1) in within[number])
                        for y in range(1, space.words + 1)
                        for x in heads
                        if x != y
                    ]
        return found

    def by(self, atoms: Mapping[str, Atom]) -> tuple[set[True_], set[True_]] | Unlike:
        """The sets of these atoms that are true of arcs within reach, and of others; two arcs if they cannot be
        separated.
        """
        values = {words: to_python(atom(self.state, HEAD, DEPENDENT)) for words, atom in atoms.items()}
        asked = ((c, {**model, "argument_1": x, "argument_2": y}, reached) for c, model, x, y, reached in self._arcs)
        return told_apart(
            (true_of(values, model, c.words), reached, f"{model['argument_1']} -> {model['argument_2']} in {c}")
            for c, model, reached in asked
        )


def told_apart(seen: Iterable[tuple[True_, bool, str]]) -> tuple[set[True_], set[True_]] | Unlike:
    """The sets of atoms that are true of arcs in a set, and of others; two arcs if they cannot be separated."""
    shown: dict[tuple[True_, bool], str] = {}
    for true, belongs, text in seen:
        if (true, belongs) not in shown:
            shown[true, belongs] = text
            if (true, not belongs) in shown:
                return Unlike(shown[true, True], shown[true, False])
    return {true for true, belongs in shown if belongs}, {true for true, belongs in shown if not belongs}


def true_of(values: Mapping[str, Evaluate], asked: Mapping[str, object], words: int) -> True_:
    """The atoms that are true in a model."""
    return frozenset(said for said, value in values.items() if value(asked, domain(words)))


def cover(reached: set[True_], missed: set[True_], atoms: Sequence[str]) -> Iterator[Case]:
    """Yield few and short conjunctions: each is false of everything in `missed`, and each of `reached` satisfies
    one.
    """
    left = set(reached)
    fitting = list(dict.fromkeys(_shortened(true, missed, atoms) for true in sorted(reached, key=sorted)))
    while left:
        best = max(fitting, key=lambda case: (sum(_holds(case, true) for true in left), -len(case)))
        yield best
        left = {true for true in left if not _holds(best, true)}


def _shortened(true: True_, missed: set[True_], atoms: Sequence[str]) -> Case:
    """A shortest part of the literals that are true of an arc within reach, such that it is false of everything missed.

    Negative literals are left out before positive ones, and later atoms before earlier ones.
    """
    case = [(words, words in true) for words in atoms]
    order = [*(one for one in case[::-1] if not one[1]), *(one for one in case[::-1] if one[1])]
    for literal in order:
        shorter = [other for other in case if other != literal]
        if not any(_holds(shorter, other) for other in missed):
            case = shorter
    return tuple(case)


def _holds(case: Sequence[Literal], true: True_) -> bool:
    return all((words in true) == sign for words, sign in case)
