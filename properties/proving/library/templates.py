"""Candidates for an invariant: templates, made concrete for every sequence and every pair of sequences of a state.

No template knows a system.  A candidate is a guess; `houdini` throws out what is not preserved, and what is left is proved.
The words in the names are those of Nivre 2008: a word *dominates* what it reaches; a word is *covered* by two nodes if one of them dominates it;
*gone* words are in no sequence.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product
from typing import Final, TypeAlias

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.state import GONE, WORDS, State
from arcproof.transitions.errors import Contradiction

Formula: TypeAlias = Callable[[State], Term]


@dataclass(frozen=True)
class Candidate:
    """A guess at an invariant: a formula about a state, with a name.

    `stronger` names candidates from each of which this one follows: it is tried only when they are thrown out.  `basic` candidates say where nodes
    are and what a closure is; almost every proof needs some of them.  `hints` are premises to try first, and `source` the lemma file it is from.
    """

    name: str
    formula: Formula
    stronger: tuple[str, ...] = ()
    basic: bool = False
    hints: tuple[str, ...] = ()
    source: str = ""


def candidates(state: State, start: State) -> list[Candidate]:
    """Every candidate for the components of a state."""
    basic = [*_structure(state), *_closure(), *_order_of_nodes(state, start)]
    found = [
        *(replace(candidate, basic=True) for candidate in basic),
        *_graph(),
        *_single(state),
        *_pairs(state),
        *_ends(state),
        *_values(state),
        *_counts(state),
    ]
    no_two_of_one_name([candidate.name for candidate in found])
    return found


class TwoOfOneName(Contradiction):
    """Two parts of a proof with one name: what is shown of one would count as shown of the other."""


def no_two_of_one_name(names: Sequence[str]) -> None:
    """Refuse names that cannot tell things apart."""
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise TwoOfOneName(f"two of one name: {twice[0]}")


def is_node(x: Term) -> Term:
    """0 <= x <= n."""
    return t.conjunction(t.at_most(0, x), t.at_most(x, WORDS))


def is_word(x: Term) -> Term:
    """1 <= x <= n."""
    return t.conjunction(t.at_most(1, x), t.at_most(x, WORDS))


def between(x: Term, w: Term, y: Term) -> Term:
    """w is strictly between x and y."""
    return t.disjunction(t.conjunction(t.less(x, w), t.less(w, y)), t.conjunction(t.less(y, w), t.less(w, x)))


def head_cell(c: State, name: str) -> Term:
    """The last cell."""
    return t.subtract(c.heights[name], 1)


def head_of(c: State, name: str) -> Term:
    """The node at the head of a sequence."""
    return c.cells[name](head_cell(c, name))


# --- what makes the encoding mean something --------------------------------------------------------------------------


def _structure(state: State) -> Iterator[Candidate]:
    for sequence in state.sequences:
        yield from _ghosts(sequence.name, state.number_of(sequence.name))
    last = len(state.sequences) - 1
    yield Candidate(
        "a place is a sequence or none",
        lambda c: t.for_all(lambda x: t.conjunction(t.at_most(GONE, c.place(x)), t.at_most(c.place(x), last))),
    )
    yield Candidate(
        "only nodes have a place",
        lambda c: t.for_all(lambda x: t.implies(t.at_most(0, c.place(x)), is_node(x))),
    )


def _ghosts(name: str, number: int) -> Iterator[Candidate]:
    def in_cells(c: State, p: Term) -> Term:
        return t.within(0, p, c.heights[name])

    yield Candidate(f"|{name}| ≥ 0", lambda c: t.at_most(0, c.heights[name]))
    yield Candidate(
        f"{name} holds nodes", lambda c: t.for_all(lambda p: t.implies(in_cells(c, p), is_node(c.cells[name](p))))
    )
    yield Candidate(
        f"a node in {name} has its place there",
        lambda c: t.for_all(
            lambda p: t.implies(
                in_cells(c, p),
                t.conjunction(t.equal(c.place(c.cells[name](p)), number), t.equal(c.position(c.cells[name](p)), p)),
            )
        ),
    )
    yield Candidate(
        f"a node whose place is {name} is there",
        lambda c: t.for_all(
            lambda x: t.implies(
                t.equal(c.place(x), number),
                t.conjunction(in_cells(c, c.position(x)), t.equal(c.cells[name](c.position(x)), x)),
            )
        ),
    )


def _closure() -> Iterator[Candidate]:
    yield Candidate("→* is reflexive", lambda c: t.for_all(lambda x: c.reaches(x, x)))
    yield Candidate(
        "→* is transitive",
        lambda c: t.for_all(
            lambda x, y, z: t.implies(t.conjunction(c.reaches(x, y), c.reaches(y, z)), c.reaches(x, z))
        ),
    )


def _order_of_nodes(state: State, start: State) -> Iterator[Candidate]:
    names = [sequence.name for sequence in state.sequences]
    for name in names:
        for but_head in (False, True):
            yield from _order(name, start, but_head)
        yield from _bottom(name, state.number_of(name))
    for (one, other), but_one, but_other in product(permutations(names, 2), _PARTS, _PARTS):
        yield _before(one, other, but_one, but_other)


def _graph() -> Iterator[Candidate]:
    yield Candidate(
        "arcs join nodes, none into 0",
        lambda c: t.for_all(lambda x, y: t.implies(c.arc(x, y), t.conjunction(is_node(x), is_word(y)))),
    )
    yield Candidate("no arc from a node to itself", lambda c: t.for_all(lambda x: t.negation(c.arc(x, x))))
    yield Candidate(
        "SINGLE-HEAD",
        lambda c: t.for_all(lambda x, y, z: t.implies(t.conjunction(c.arc(x, z), c.arc(y, z)), t.equal(x, y))),
    )
    yield Candidate("a dependent has a head", lambda c: t.for_all(lambda x, y: t.implies(c.arc(x, y), c.headed(y))))
    yield Candidate("only words have a head", lambda c: t.for_all(lambda x: t.implies(c.headed(x), is_word(x))))
    yield Candidate(
        "→* is antisymmetric",
        lambda c: t.for_all(lambda x, y: t.implies(t.conjunction(c.reaches(x, y), c.reaches(y, x)), t.equal(x, y))),
    )
    yield Candidate("→* contains →", lambda c: t.for_all(lambda x, y: t.implies(c.arc(x, y), c.reaches(x, y))))
    yield Candidate(
        "what is dominated has a head",
        lambda c: t.for_all(lambda x, y: t.implies(c.reaches(x, y), t.disjunction(t.equal(x, y), c.headed(y)))),
    )
    yield Candidate(
        "only nodes dominate",
        lambda c: t.for_all(lambda x, y: t.implies(c.reaches(x, y), t.disjunction(t.equal(x, y), is_node(x)))),
    )
    yield Candidate(
        "what dominates a word dominates its head",
        lambda c: t.for_all(
            lambda x, y, z: t.implies(
                t.conjunction(c.arc(y, z), c.reaches(x, z)), t.disjunction(t.equal(x, z), c.reaches(x, y))
            )
        ),
    )
    yield Candidate(
        "what dominates one word is comparable",
        lambda c: t.for_all(
            lambda x, y, z: t.implies(
                t.conjunction(c.reaches(x, z), c.reaches(y, z)), t.disjunction(c.reaches(x, y), c.reaches(y, x))
            )
        ),
    )
    yield Candidate(
        "PROJECTIVITY",
        lambda c: t.for_all(lambda x, y, w: t.implies(t.conjunction(c.arc(x, y), between(x, w, y)), c.reaches(x, w))),
    )
    yield Candidate(
        "PROJECTIVITY of arcs between words",
        lambda c: t.for_all(
            lambda x, y, w: t.implies(t.conjunction(c.arc(x, y), t.at_most(1, x), between(x, w, y)), c.reaches(x, w))
        ),
        ("PROJECTIVITY",),
    )
    yield Candidate(
        "every node is dominated by one that is not gone",
        lambda c: t.for_all(
            lambda x: t.implies(
                is_node(x), t.exists(lambda y: t.conjunction(t.at_most(0, c.place(y)), c.reaches(y, x)))
            )
        ),
    )
    yield Candidate(
        "gone words have a head",
        lambda c: t.for_all(lambda x: t.implies(t.conjunction(is_word(x), t.equal(c.place(x), GONE)), c.headed(x))),
    )
    yield Candidate(
        "what is in a sequence has no head",
        lambda c: t.for_all(lambda x: t.implies(t.at_most(0, c.place(x)), t.negation(c.headed(x)))),
    )
    yield Candidate("0 is not gone", lambda c: t.at_most(0, c.place(t.Number(0))))
    yield Candidate(
        "gone words dominate only gone words",
        lambda c: t.for_all(
            lambda x, y: t.implies(t.conjunction(c.reaches(x, y), t.equal(c.place(x), GONE)), t.equal(c.place(y), GONE))
        ),
    )


# --- one sequence ----------------------------------------------------------------------------------------------------


def _single(state: State) -> Iterator[Candidate]:
    for sequence in state.sequences:
        name = sequence.name
        for but_head in (False, True):
            yield from _heads(name, state.number_of(name), but_head)
        yield from _neighbours(name)


def _order(name: str, start: State, but_head: bool) -> Iterator[Candidate]:
    label = f"{name} but its head" if but_head else name

    def stronger(rest: str) -> tuple[str, ...]:
        return (f"{name} {rest}",) if but_head else ()

    def end(c: State) -> Term:
        return head_cell(c, name) if but_head else c.heights[name]

    yield Candidate(
        f"{label} is as it was at the start",
        lambda c: t.for_all(
            lambda p: t.implies(t.within(0, p, end(c)), t.equal(c.cells[name](p), start.cells[name](p)))
        ),
        stronger("is as it was at the start"),
    )
    for ascending in (True, False):
        how = f"is {'ascending' if ascending else 'descending'} from its tail"
        yield Candidate(
            f"{label} {how}",
            lambda c, ascending=ascending: t.for_all(  # type: ignore[misc]
                lambda p, q: t.implies(
                    t.conjunction(t.at_most(0, p), t.less(p, q), t.less(q, end(c))),
                    t.less(c.cells[name](p), c.cells[name](q))
                    if ascending
                    else t.less(c.cells[name](q), c.cells[name](p)),
                )
            ),
            stronger(how),
        )


def _heads(name: str, number: int, but_head: bool) -> Iterator[Candidate]:
    label = f"in {name} but its head" if but_head else f"in {name}"

    def stronger(rest: str) -> tuple[str, ...]:
        return (f"in {name} {rest}",) if but_head else ()

    def inside(c: State, x: Term) -> Term:
        here = t.equal(c.place(x), number)
        return t.conjunction(here, t.less(c.position(x), head_cell(c, name))) if but_head else here

    yield Candidate(
        f"{label} no node has a head",
        lambda c: t.for_all(lambda x: t.implies(inside(c, x), t.negation(c.headed(x)))),
        stronger("no node has a head"),
    )
    yield Candidate(
        f"{label} every word has a head",
        lambda c: t.for_all(lambda x: t.implies(t.conjunction(inside(c, x), t.at_most(1, x)), c.headed(x))),
        stronger("every word has a head"),
    )
    yield Candidate(
        f"{label} a node dominates only itself",
        lambda c: t.for_all(lambda x, y: t.implies(t.conjunction(inside(c, x), c.reaches(x, y)), t.equal(x, y))),
        stronger("a node dominates only itself"),
    )
    yield Candidate(
        f"{label} a node dominates besides itself only gone words",
        lambda c: t.for_all(
            lambda x, y: t.implies(
                t.conjunction(inside(c, x), c.reaches(x, y)), t.disjunction(t.equal(x, y), t.equal(c.place(y), GONE))
            )
        ),
        stronger("a node dominates besides itself only gone words"),
    )
    yield Candidate(
        f"{label} a node is dominated only from the left",
        lambda c: t.for_all(lambda x, y: t.implies(t.conjunction(inside(c, y), c.reaches(x, y)), t.at_most(x, y))),
        stronger("a node is dominated only from the left"),
    )
    yield Candidate(
        f"{label} a node is dominated only from the right",
        lambda c: t.for_all(lambda x, y: t.implies(t.conjunction(inside(c, y), c.reaches(x, y)), t.at_most(y, x))),
        stronger("a node is dominated only from the right"),
    )


def _bottom(name: str, number: int) -> Iterator[Candidate]:
    yield Candidate(
        f"the tail of {name} is 0",
        lambda c: t.implies(t.less(0, c.heights[name]), t.equal(c.cells[name](t.Number(0)), 0)),
    )
    yield Candidate(f"{name} is not empty", lambda c: t.less(0, c.heights[name]))
    yield Candidate(f"0 is in {name}", lambda c: t.equal(c.place(t.Number(0)), number))
    yield Candidate(f"0 is not in {name}", lambda c: t.differ(c.place(t.Number(0)), number))
    yield Candidate(
        f"0 is the tail of {name} if it is there",
        lambda c: t.implies(t.equal(c.place(t.Number(0)), number), t.equal(c.position(t.Number(0)), 0)),
    )


def _neighbours(name: str) -> Iterator[Candidate]:
    for step, where in ((-1, "towards the tail"), (1, "towards the head")):
        yield Candidate(
            f"a head of a node in {name} is its neighbour {where}",
            lambda c, step=step: t.for_all(  # type: ignore[misc]
                lambda p, x: t.implies(
                    t.conjunction(
                        t.within(0, p, c.heights[name]),
                        t.within(0, t.add(p, step), c.heights[name]),
                        c.arc(x, c.cells[name](p)),
                    ),
                    t.equal(x, c.cells[name](t.add(p, step))),
                )
            ),
            (f"in {name} no node has a head",),
        )
        yield Candidate(
            f"a node in {name} that has a head has it in its neighbour {where}",
            lambda c, step=step: t.for_all(  # type: ignore[misc]
                lambda p: t.implies(
                    t.conjunction(
                        t.within(0, p, c.heights[name]),
                        t.within(0, t.add(p, step), c.heights[name]),
                        c.headed(c.cells[name](p)),
                    ),
                    c.arc(c.cells[name](t.add(p, step)), c.cells[name](p)),
                )
            ),
            (f"in {name} no node has a head",),
        )
    yield Candidate(
        f"in {name} a node dominates those towards the head up to a headless one",
        lambda c: t.for_all(
            lambda p, q: t.implies(
                t.conjunction(t.at_most(0, p), t.less(p, q), t.less(q, c.heights[name])),
                t.disjunction(
                    c.reaches(c.cells[name](p), c.cells[name](q)),
                    t.exists(
                        lambda r: t.conjunction(t.less(p, r), t.at_most(r, q), t.negation(c.headed(c.cells[name](r))))
                    ),
                ),
            )
        ),
        (f"in {name} no node has a head",),
    )
    yield Candidate(
        f"neighbours in {name} cover what is between them",
        lambda c: t.for_all(
            lambda p, w: t.implies(
                t.conjunction(
                    t.within(0, p, head_cell(c, name)), between(c.cells[name](p), w, c.cells[name](t.add(p, 1)))
                ),
                t.disjunction(c.reaches(c.cells[name](p), w), c.reaches(c.cells[name](t.add(p, 1)), w)),
            )
        ),
    )


# --- two sequences ---------------------------------------------------------------------------------------------------


def _pairs(state: State) -> Iterator[Candidate]:
    names = [sequence.name for sequence in state.sequences]
    for one, other in permutations(names, 2):
        number = state.number_of(other)
        yield Candidate(
            f"the head of {one} dominates all of {other}",
            lambda c, one=one, number=number: t.for_all(  # type: ignore[misc]
                lambda x: t.implies(
                    t.conjunction(t.less(0, c.heights[one]), t.equal(c.place(x), number)),
                    c.reaches(head_of(c, one), x),
                )
            ),
        )
        yield Candidate(
            f"a head of the head of {other} is the head of {one}",
            lambda c, one=one, other=other: t.for_all(  # type: ignore[misc]
                lambda x: t.implies(
                    t.conjunction(t.less(0, c.heights[one]), t.less(0, c.heights[other]), c.arc(x, head_of(c, other))),
                    t.equal(x, head_of(c, one)),
                )
            ),
            (f"in {other} no node has a head",),
        )
        yield _head_from(one, other)


_PARTS: Final = ("", " but its head", " but its tail")


def _before(one: str, other: str, but_one: str, but_other: str) -> Candidate:
    def inside(c: State, p: Term, name: str, but: str) -> Term:
        end = head_cell(c, name) if but == _PARTS[1] else c.heights[name]
        return t.within(1 if but == _PARTS[2] else 0, p, end)

    return Candidate(
        f"{one}{but_one} is left of {other}{but_other}",
        lambda c: t.for_all(
            lambda p, q: t.implies(
                t.conjunction(inside(c, p, one, but_one), inside(c, q, other, but_other)),
                t.less(c.cells[one](p), c.cells[other](q)),
            )
        ),
        () if not but_one and not but_other else (f"{one} is left of {other}{but_other if but_one else ''}",),
    )


def _head_from(one: str, other: str) -> Candidate:
    return Candidate(
        f"if the head of {other} has a head, it is the head of {one}",
        lambda c: t.implies(
            t.conjunction(t.less(0, c.heights[one]), t.less(0, c.heights[other]), c.headed(head_of(c, other))),
            c.arc(head_of(c, one), head_of(c, other)),
        ),
        (f"in {other} no node has a head",),
    )


def _ends(state: State) -> Iterator[Candidate]:
    """The nodes at an end of one sequence and an end of another cover what is between them, perhaps if the others are empty."""
    names = [sequence.name for sequence in state.sequences]
    for one, other in permutations(names, 2):
        others = tuple(name for name in names if name not in (one, other))
        for first, second in product(("head", "tail"), repeat=2):
            if first == second == "tail" and one > other:
                continue
            yield _covering_ends((one, first), (other, second), (), 0)
            if others:
                yield _covering_ends((one, first), (other, second), others, 0)
            if first == second == "head":
                yield _covering_ends((one, first), (other, second), (), 1)
        yield _between_by_one(one, state.number_of(one), other)


def _between_by_one(one: str, number: int, other: str) -> Candidate:
    """Weaker than covering by neighbours, and preserved where many nodes leave a sequence at once."""
    return Candidate(
        f"between a node in {one} and the head of {other} every word is dominated by the latter or by one in {one} from there on",
        lambda c: t.for_all(
            lambda x, w: t.implies(
                t.conjunction(
                    t.equal(c.place(x), number), t.less(0, c.heights[other]), t.less(x, w), t.less(w, head_of(c, other))
                ),
                t.disjunction(
                    c.reaches(head_of(c, other), w),
                    t.exists(
                        lambda y: t.conjunction(
                            t.equal(c.place(y), number), t.at_most(c.position(x), c.position(y)), c.reaches(y, w)
                        )
                    ),
                ),
            )
        ),
        (f"{other} is left of {one}",),
    )


def _covering_ends(
    first: tuple[str, str], second: tuple[str, str], empty: tuple[str, ...], more_than: int
) -> Candidate:
    def at(c: State, end: tuple[str, str]) -> Term:
        name, which = end
        return head_of(c, name) if which == "head" else c.cells[name](t.Number(0))

    condition = f" if {', '.join(empty)} is empty" if empty else f" if |{second[0]}| > 1" if more_than else ""
    name = f"the {first[1]} of {first[0]} and the {second[1]} of {second[0]} cover what is between them"
    return Candidate(
        name + condition,
        lambda c: t.for_all(
            lambda w: t.implies(
                t.conjunction(
                    t.less(0, c.heights[first[0]]),
                    t.less(more_than, c.heights[second[0]]),
                    *(t.equal(c.heights[name], 0) for name in empty),
                    between(at(c, first), w, at(c, second)),
                ),
                t.disjunction(c.reaches(at(c, first), w), c.reaches(at(c, second), w)),
            )
        ),
        (name,) if condition else (),
    )


# --- flags and counters ----------------------------------------------------------------------------------------------


def _values(state: State) -> Iterator[Candidate]:
    for name in state.counters:
        yield Candidate(f"{name} ≥ 0", lambda c, name=name: t.at_most(0, c.counters[name]))  # type: ignore[misc]


# --- numbers ---------------------------------------------------------------------------------------------------------


def _counts(state: State) -> Iterator[Candidate]:
    names = [sequence.name for sequence in state.sequences]
    for size in range(1, len(names) + 1):
        for some in combinations(names, size):
            yield from _sizes(some)
    yield from (_empty_together(one, other) for one, other in permutations(names, 2))
    whole = WORDS
    yield Candidate(
        "there are as many arcs as words with a head", lambda c: t.equal(t.add(c.arcs, c.headless(whole)), whole)
    )
    yield Candidate("no word up to 0 is headless", lambda c: t.equal(c.headless(t.Number(0)), 0))
    yield Candidate(
        "a word without head counts as headless",
        lambda c: t.for_all(
            lambda k: t.implies(
                t.conjunction(is_word(k), t.negation(c.headed(k))),
                t.equal(c.headless(k), t.add(c.headless(t.subtract(k, 1)), 1)),
            )
        ),
    )
    yield Candidate(
        "headless words are counted from the left",
        lambda c: t.for_all(
            lambda j, k: t.implies(
                t.conjunction(t.at_most(0, j), t.at_most(j, k), t.at_most(k, whole)),
                t.conjunction(t.at_most(0, c.headless(j)), t.at_most(c.headless(j), c.headless(k))),
            )
        ),
    )


def _empty_together(one: str, other: str) -> Candidate:
    return Candidate(
        f"if {one} is empty, so is {other}",
        lambda c: t.implies(t.equal(c.heights[one], 0), t.equal(c.heights[other], 0)),
    )


def _sizes(names: tuple[str, ...]) -> Iterator[Candidate]:
    label = " + ".join(f"|{name}|" for name in names)

    def size(c: State) -> Term:
        return t.add(0, *(c.heights[name] for name in names))

    yield Candidate(f"{label} = n + 1", lambda c: t.equal(size(c), t.add(WORDS, 1)))
    yield Candidate(f"{label} ≤ n + 1", lambda c: t.at_most(size(c), t.add(WORDS, 1)), (f"{label} = n + 1",))
    yield Candidate(f"{label} ≥ 2", lambda c: t.at_most(2, size(c)))
    yield Candidate(f"{label} ≥ 1", lambda c: t.at_most(1, size(c)), (f"{label} ≥ 2",))
    yield Candidate(f"{label} + |A| = n + 1", lambda c: t.equal(t.add(size(c), c.arcs), t.add(WORDS, 1)))
    yield Candidate(f"{label} + |A| = n", lambda c: t.equal(t.add(size(c), c.arcs), WORDS))
