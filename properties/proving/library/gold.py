"""The gold graph in symbols: axioms of its class, and candidates that relate what is built to what is wanted.

The axioms are the definition of the class; each is checked on every graph of the class for short sentences (`false_axiom`), so that none
says more.  What follows from the definition only by induction is a lemma with a proof of its own (`lemmas`).
A system without node 0 is asked for gold trees without the arcs from 0 (`System.derive`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final, TypeAlias

from arcproof.generators.enumeration import all_graphs
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.library.templates import Candidate, between, head_of, is_node, is_word
from arcproof.properties.proving.meaning.conditions import GOLD
from arcproof.properties.proving.meaning.model import domain, gold_model
from arcproof.properties.proving.meaning.state import GONE, State, Unsupported
from arcproof.properties.proving.trusted.obligation import Obligation, Premise
from arcproof.transitions import syntax as s
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import ROOT, Graph, Heads, graph_of
from arcproof.transitions.system import System

MOST_WORDS: Final = 4


def axioms(system: System, graphs: s.GraphClass) -> list[Premise]:
    """The definition of the class, for the gold graph."""
    found = [*_forest()]
    if graphs.base == "trees":
        found += [*(_tree() if system.has_root else _rootless())]
    for restriction in graphs.restrictions:
        if restriction.name == "projective":
            found += [("gold is projective", _projective()), *_last()]
        elif not isinstance(restriction.bound, s.Infinity):
            raise Unsupported(f"gold graphs that are {restriction.name} have no symbolic meaning yet")
    return found


def _forest() -> Iterator[Premise]:
    g, r = GOLD.arc, GOLD.reaches
    yield (
        "a gold arc is that from the gold head",
        t.for_all(lambda x, y: t.equivalent(g(x, y), t.conjunction(t.equal(x, GOLD.head(y)), is_node(x), is_word(y)))),
    )
    yield "gold →* is reflexive", t.for_all(lambda x: r(x, x))
    yield (
        "gold →* is transitive",
        t.for_all(lambda x, y, z: t.implies(t.conjunction(r(x, y), r(y, z)), r(x, z))),
    )
    yield (
        "gold →* is antisymmetric",
        t.for_all(lambda x, y: t.implies(t.conjunction(r(x, y), r(y, x)), t.equal(x, y))),
    )
    yield "gold →* contains →", t.for_all(lambda x, y: t.implies(g(x, y), t.conjunction(r(x, y), t.differ(x, y))))
    yield (
        "gold →* ends in an arc from the gold head",
        t.for_all(
            lambda x, y: t.implies(
                r(x, y), t.disjunction(t.equal(x, y), t.conjunction(g(GOLD.head(y), y), r(x, GOLD.head(y))))
            )
        ),
    )
    yield (
        "gold depth",
        t.for_all(
            lambda x, y: t.implies(
                g(x, y),
                t.conjunction(t.at_most(0, GOLD.depth(x)), t.equal(GOLD.depth(y), t.add(GOLD.depth(x), 1))),
            )
        ),
    )


def _tree() -> Iterator[Premise]:
    yield "every word has a gold head", t.for_all(lambda x: t.implies(is_word(x), GOLD.arc(GOLD.head(x), x)))
    yield "0 dominates every node in gold", t.for_all(lambda x: t.implies(is_node(x), GOLD.reaches(t.Number(0), x)))


def _rootless() -> Iterator[Premise]:
    yield "no gold arc from 0", t.for_all(lambda x: t.negation(GOLD.arc(t.Number(0), x)))


def _projective() -> Term:
    return t.for_all(lambda x, y, w: t.implies(t.conjunction(GOLD.arc(x, y), between(x, w, y)), GOLD.reaches(x, w)))


def _last() -> Iterator[Premise]:
    """The definition of the last node that a node dominates."""
    yield "a node dominates in gold its last node", t.for_all(lambda x: GOLD.reaches(x, GOLD.last(x)))
    yield (
        "the last node is the last one dominated in gold",
        t.for_all(lambda x, y: t.implies(GOLD.reaches(x, y), t.at_most(y, GOLD.last(x)))),
    )


def order_axioms(trees: bool = True) -> Iterator[Premise]:
    """The projective order: a linear order of the nodes in which gold is projective, with 0 first.

    In forests words without head stand among the dependents of 0, so that it is projective but for arcs from 0.
    """
    o = GOLD.order
    yield (
        "the projective order is linear",
        t.for_all(lambda x, y: t.implies(t.conjunction(is_node(x), is_node(y), t.equal(o(x), o(y))), t.equal(x, y))),
    )
    yield (
        "0 is first in the projective order",
        t.for_all(lambda x: t.implies(is_word(x), t.less(o(t.Number(0)), o(x)))),
    )
    yield (
        "gold is projective in the projective order",
        t.for_all(
            lambda x, y, w: t.implies(
                t.conjunction(
                    t.TRUE if trees else t.at_most(1, x), GOLD.arc(x, y), is_node(w), between(o(x), o(w), o(y))
                ),
                GOLD.reaches(x, w),
            )
        ),
    )


@dataclass(frozen=True)
class Lemma:
    """A fact about gold graphs with its proof: obligations from the axioms and from earlier lemmas."""

    name: str
    term: Term
    proof: tuple[Obligation, ...]


def lemmas(given: list[Premise]) -> list[Lemma]:
    """Facts that follow from the axioms, in forms that solvers use well: without functions that could be applied again and again."""
    found: list[Lemma] = []
    stated = [*_relational(), *(_planar() if "gold is projective" in dict(given) else ())]
    for name, term, using in stated:
        known = {**dict(given), **{lemma.name: lemma.term for lemma in found}}
        premises = tuple((premise, known[premise]) for premise in using)
        found.append(Lemma(name, term, (Obligation(f"lemma: {name}", premises, term),)))
    if "gold is projective" in dict(given):
        found.append(_consecutive(given))
    return found


Stated: TypeAlias = tuple[str, Term, tuple[str, ...]]
"""A lemma with the names of its premises."""


def _relational() -> Iterator[Stated]:
    g, r = GOLD.arc, GOLD.reaches
    yield (
        "gold arcs join nodes",
        t.for_all(lambda x, y: t.implies(g(x, y), t.conjunction(is_node(x), is_word(y), t.differ(x, y)))),
        ("a gold arc is that from the gold head", "gold →* contains →"),
    )
    yield (
        "gold heads are single",
        t.for_all(lambda x, y, z: t.implies(t.conjunction(g(x, z), g(y, z)), t.equal(x, y))),
        ("a gold arc is that from the gold head",),
    )
    yield (
        "what dominates a word in gold dominates its gold head",
        t.for_all(lambda x, y, z: t.implies(t.conjunction(r(x, z), g(y, z)), t.disjunction(t.equal(x, z), r(x, y)))),
        ("gold →* ends in an arc from the gold head", "gold heads are single"),
    )


def _planar() -> Iterator[Stated]:
    g = GOLD.arc
    crossing = (
        "gold is projective",
        "gold →* is antisymmetric",
        "what dominates a word in gold dominates its gold head",
        "gold arcs join nodes",
    )
    yield (
        "gold arcs do not cross",
        t.for_all(
            lambda x, y, u, v: t.implies(
                t.conjunction(g(x, y), g(u, v)),
                t.negation(t.conjunction(between(x, u, y), t.negation(_closed(x, v, y)))),
            )
        ),
        crossing,
    )
    yield (
        "gold arcs do not cross, seen from the dependent",
        t.for_all(
            lambda x, y, u, v: t.implies(
                t.conjunction(g(x, y), g(u, v)),
                t.negation(t.conjunction(between(x, v, y), t.negation(_closed(x, u, y)))),
            )
        ),
        crossing,
    )
    yield (
        "a word under a gold arc has a gold head",
        t.for_all(lambda x, y, w: t.implies(t.conjunction(g(x, y), between(x, w, y)), g(GOLD.head(w), w))),
        ("gold is projective", "gold →* ends in an arc from the gold head"),
    )


def _closed(x: Term, w: Term, y: Term) -> Term:
    return t.disjunction(between(x, w, y), t.equal(w, x), t.equal(w, y))


def _consecutive(given: list[Premise]) -> Lemma:
    """By induction on the depth of the lower node: what is above it is nearer to the root."""
    r, d = GOLD.reaches, GOLD.depth
    name = "what a node dominates in gold is consecutive"

    def consecutive(x: Term, y: Term) -> Term:
        return t.for_all(lambda w: t.implies(t.conjunction(r(x, y), between(x, w, y)), r(x, w)))

    x, y = t.constant("upper"), t.constant("lower")
    nearer = t.for_all(lambda z: t.implies(t.within(0, d(z), d(y)), consecutive(x, z)))
    using = (
        "gold is projective",
        "gold →* ends in an arc from the gold head",
        "gold depth",
        "gold →* is transitive",
        "gold →* is reflexive",
        "gold →* contains →",
    )
    step = Obligation(
        f"lemma: {name}, by induction on the depth of the lower node",
        (*((premise, term) for premise, term in given if premise in using), ("the induction hypothesis", nearer)),
        consecutive(x, y),
    )
    whole = t.for_all(lambda x, y, w: t.implies(t.conjunction(r(x, y), between(x, w, y)), r(x, w)))
    return Lemma(name, whole, (step,))


def as_given(axioms_of_gold: list[Premise], proved: list[Lemma]) -> list[Candidate]:
    """Axioms and lemmas as what is given about every configuration; the lemmas are the ones to use first."""
    first = {lemma.name for lemma in proved} | _USED_FIRST
    premises = [*axioms_of_gold, *((lemma.name, lemma.term) for lemma in proved)]
    return [Candidate(name, lambda _, term=term: term, basic=name in first) for name, term in premises]  # type: ignore[misc]


_USED_FIRST: Final = frozenset(
    {
        "gold →* is reflexive",
        "gold →* is transitive",
        "gold →* is antisymmetric",
        "gold →* contains →",
        "every word has a gold head",
        "no gold arc from 0",
    }
)


# --- the axioms say no more than the class ---------------------------------------------------------------------------


def gold_graphs(system: System, graphs: s.GraphClass, words: int) -> Iterator[Gold]:
    """Every gold graph of the class, as the oracle of the system sees it."""
    for heads in all_graphs(graphs, words):
        yield Gold(as_asked(system, heads))


def as_asked(system: System, heads: Heads) -> Graph:
    """The gold graph without the arcs from 0 where the system has no node 0."""
    graph = graph_of(heads)
    if system.has_root:
        return graph
    return Graph(graph.words, frozenset(arc for arc in graph.arcs if arc.head != ROOT))


def false_axiom(
    system: System, graphs: s.GraphClass, premises: list[Premise], most_words: int = MOST_WORDS
) -> str | None:
    """An axiom that is false of some graph of the class, which would mean that less is proved than is said."""
    computed = [(name, to_python(term)) for name, term in premises]
    for words in range(1, most_words + 1):
        for gold in gold_graphs(system, graphs, words):
            model = {"n": words, **gold_model(gold)}
            for name, value in computed:
                if not value(model, domain(words)):
                    return f"{name} is false of {gold.graph}"
    return None


# --- candidates ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Region:
    """A set of nodes of a state, and the regions that contain it."""

    name: str
    holds: Callable[[State, Term], Term]
    within: tuple[str, ...] = ()


def regions(state: State) -> list[Region]:
    """The whole sequences, their heads, the rest of them, what is outside of them, what is gone."""
    found = [
        Region("gone", lambda c, x: t.equal(c.place(x), GONE), tuple(f"outside {q.name}" for q in state.sequences))
    ]
    names = [sequence.name for sequence in state.sequences]
    for name in names:
        number = state.number_of(name)
        others = tuple(f"outside {other}" for other in names if other != name)
        found.append(Region(f"in {name}", lambda c, x, k=number: t.equal(c.place(x), k), others))  # type: ignore[misc]
        found.append(
            Region(
                f"the head of {name}",
                lambda c, x, name=name: t.conjunction(t.less(0, c.heights[name]), t.equal(x, head_of(c, name))),  # type: ignore[misc]
                (f"in {name}", *others),
            )
        )
        found.append(
            Region(
                f"in {name} but its head",
                lambda c, x, k=number, name=name: t.conjunction(  # type: ignore[misc]
                    t.equal(c.place(x), k), t.less(c.position(x), t.subtract(c.heights[name], 1))
                ),
                (f"in {name}", *others),
            )
        )
        found.append(
            Region(
                f"outside {name}",
                lambda c, x, k=number: t.conjunction(is_node(x), t.differ(c.place(x), k)),  # type: ignore[misc]
            )
        )
    return found


def gold_candidates(state: State) -> list[Candidate]:
    """Guesses at how the arcs built relate to the gold arcs."""
    return [*_general(), *_between_regions(state), *_promises(state)]


def _general() -> Iterator[Candidate]:
    g, r = GOLD.arc, GOLD.reaches
    yield Candidate(
        "only gold arcs are built", lambda c: t.for_all(lambda x, y: t.implies(c.arc(x, y), g(x, y))), basic=True
    )
    yield Candidate(
        "→* is within gold →*", lambda c: t.for_all(lambda x, y: t.implies(c.reaches(x, y), r(x, y))), basic=True
    )
    yield Candidate(
        "a word with a head has its gold head",
        lambda c: t.for_all(lambda y: t.implies(c.headed(y), c.arc(GOLD.head(y), y))),
        basic=True,
    )


def _between_regions(state: State) -> Iterator[Candidate]:
    every = regions(state)
    for one, other in product(every, every):
        above = [(p, q) for p in (one.name, *one.within) for q in (other.name, *other.within)][1:]
        none, built = "there is no gold arc from what is", "every gold arc is built from what is"

        def pair(c: State, x: Term, y: Term, one: Region = one, other: Region = other) -> Term:
            return t.conjunction(one.holds(c, x), other.holds(c, y), GOLD.arc(x, y))

        yield Candidate(
            f"{none} {one.name} to what is {other.name}",
            lambda c, pair=pair: t.for_all(lambda x, y: t.negation(pair(c, x, y))),  # type: ignore[misc]
            tuple(f"{none} {p} to what is {q}" for p, q in above),
        )
        yield Candidate(
            f"{built} {one.name} to what is {other.name}",
            lambda c, pair=pair: t.for_all(lambda x, y: t.implies(pair(c, x, y), c.arc(x, y))),  # type: ignore[misc]
            (
                f"{none} {one.name} to what is {other.name}",
                *(f"{built} {p} to what is {q}" for p, q in above),
            ),
        )
        yield Candidate(
            f"no arc is built from what is {one.name} to what is {other.name}",
            lambda c, one=one, other=other: t.for_all(  # type: ignore[misc]
                lambda x, y: t.negation(t.conjunction(one.holds(c, x), other.holds(c, y), c.arc(x, y)))
            ),
            (
                f"{none} {one.name} to what is {other.name}",
                *(f"no arc is built from what is {p} to what is {q}" for p, q in above),
            ),
        )


def _promises(state: State) -> Iterator[Candidate]:
    """What is not yet built will be, because something to the right is still there."""
    for sequence in state.sequences:
        name, number = sequence.name, state.number_of(sequence.name)
        yield Candidate(
            f"every node in {name} but its head has a gold arc with one further right that is not gone",
            lambda c, name=name, number=number: t.for_all(  # type: ignore[misc]
                lambda x: t.implies(
                    t.conjunction(t.equal(c.place(x), number), t.less(c.position(x), t.subtract(c.heights[name], 1))),
                    t.exists(
                        lambda y: t.conjunction(
                            t.less(x, y),
                            t.at_most(0, c.place(y)),
                            t.disjunction(GOLD.arc(x, y), GOLD.arc(y, x)),
                        )
                    ),
                )
            ),
        )
        for other in state.sequences:
            if other.name != name:
                yield _promise(name, number, other.name, state.number_of(other.name))


def _promise(name: str, number: int, other: str, waiting: int) -> Candidate:
    return Candidate(
        f"the dependent of a gold arc within {name} dominates in gold something in {other}",
        lambda c: t.for_all(
            lambda x, y: t.implies(
                t.conjunction(t.equal(c.place(x), number), t.equal(c.place(y), number), GOLD.arc(x, y)),
                t.disjunction(
                    c.arc(x, y),
                    t.exists(lambda z: t.conjunction(t.equal(c.place(z), waiting), GOLD.reaches(y, z))),
                ),
            )
        ),
    )
