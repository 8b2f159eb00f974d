"""Soundness as goals: every arc that is added is allowed, and every terminal configuration's graph is in the class.

A run stops at the first terminal configuration, so moves start from configurations that are not terminal. SINGLE-HEAD
is an obligation of each `add`: its dependent has no head yet, and is not 0.  With `several heads` the obligation is
that the arc does not exist yet.  *Graphs* have arcs between different nodes, none into 0; the restrictions that apply
to them mean the same as for forests. The classes: *forests* have arcs between nodes only, none into 0, no word with two
heads, no cycle; in *trees* every word has a head; *projective* is Nivre 2008, Definition 3; in *planar* graphs no two
arcs cross, arcs from 0 included; in *2-planar* graphs no two arcs of the same plane cross, each arc being in one of two
planes (`planes`).  With `root none`, words without a head count as dependents of 0, so every forest is a tree; arcs
from 0 to all those words cover only words dominated by 0, so nothing else changes.
"""

from collections.abc import Callable, Iterator
from typing import Final

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.library.instances import lemmas_of_runs
from arcproof.properties.proving.meaning.state import SymbolicState, Unsupported, between, is_node, is_word
from arcproof.properties.proving.meaning.steps import Added, SymbolicStep
from arcproof.properties.proving.meaning.symbolic import Meanings
from arcproof.properties.proving.trusted.obligation import Premise
from arcproof.properties.proving.trusted.problem import WORDS_PREMISE, Goal, Move, Problem
from arcproof.transitions import syntax as s
from arcproof.transitions.printing.notation import SOURCE, term_text

TWO_PLANAR: Final = ("2-planar", "2-planar-words")
SAME_PLANE: Final = "another of its plane"


def class_conditions(meanings: Meanings, graphs: s.GraphClass, c: SymbolicState) -> Iterator[tuple[str, Term]]:
    """The definition of a class, condition by condition, for the arcs of a state."""
    yield (
        "ROOT",
        t.for_all(lambda x, y: t.implies(c.arc(x, y), t.conjunction(is_node(x), is_word(y)))),
    )
    if graphs.base == "graphs":
        yield from _conditions_of_graphs(meanings, graphs, c)
        return
    yield (
        "SINGLE-HEAD",
        t.for_all(lambda x, y, z: t.implies(t.conjunction(c.arc(x, z), c.arc(y, z)), t.equal(x, y))),
    )
    yield "ACYCLICITY", t.for_all(lambda x, y: t.negation(t.conjunction(c.arc(x, y), c.reaches(y, x))))
    if graphs.base == "trees" and meanings.system.has_root:
        yield "every word has a head", t.for_all(lambda x: t.implies(is_word(x), c.headed(x)))
    for restriction in graphs.restrictions:
        yield from _restriction(meanings, restriction, c)


def _conditions_of_graphs(meanings: Meanings, graphs: s.GraphClass, c: SymbolicState) -> Iterator[tuple[str, Term]]:
    """Yield the definition of a class of graphs in which words may have several heads, condition by condition."""
    yield "no arc leads from a node to itself", t.for_all(lambda x: t.negation(c.arc(x, x)))
    for restriction in graphs.restrictions:
        match restriction:
            case s.Restriction("acyclic"):
                yield "ACYCLICITY", t.for_all(lambda x, y: t.negation(t.conjunction(c.arc(x, y), c.reaches(y, x))))
            case s.Restriction("connected"):
                yield "every node is linked to 0", t.for_all(lambda x: t.implies(is_node(x), c.linked(t.Integer(0), x)))
            case s.Restriction("heads", s.Number(1)):
                yield (
                    "SINGLE-HEAD",
                    t.for_all(lambda x, y, z: t.implies(t.conjunction(c.arc(x, z), c.arc(y, z)), t.equal(x, y))),
                )
            case _:
                yield from _restriction(meanings, restriction, c)


def _restriction(meanings: Meanings, restriction: s.Restriction, c: SymbolicState) -> Iterator[tuple[str, Term]]:
    bound = restriction.bound
    if restriction.name == "projective":
        yield (
            "PROJECTIVITY",
            t.for_all(lambda x, y, w: t.implies(t.conjunction(c.arc(x, y), between(x, w, y)), c.reaches(x, w))),
        )
    elif restriction.name == "planar" and meanings.system.has_root:
        yield from _without_crossings("another", c, lambda _x, _y, _u, _v: t.TRUE)
    elif restriction.name == "2-planar" and meanings.system.has_root:
        yield from _without_crossings(SAME_PLANE, c, lambda _x, y, _u, v: _in_one_plane(c, y, v))
    elif restriction.name == "2-planar-words":
        yield from _without_crossings(
            SAME_PLANE, c, lambda x, y, u, v: t.conjunction(t.differ(x, 0), t.differ(u, 0), _in_one_plane(c, y, v))
        )
    elif restriction.name == "single-root":
        yield (
            "0 has one dependent",
            t.for_all(
                lambda x, y: t.implies(t.conjunction(c.arc(t.Integer(0), x), c.arc(t.Integer(0), y)), t.equal(x, y))
            ),
        )
        yield "0 has a dependent", t.exists(lambda x: c.arc(t.Integer(0), x))
        if not meanings.system.has_root:
            raise Unsupported("the class single-root for a figure with `root none`")
    elif not isinstance(bound, s.Infinity):
        text = restriction.name if bound is None else f"{restriction.name} <= {term_text(bound, SOURCE)}"
        raise Unsupported(f"the class of {text} graphs has no symbolic meaning yet")


def _in_one_plane(c: SymbolicState, y: Term, v: Term) -> Term:
    """The condition that the arcs into two words are in the same plane."""
    return t.equivalent(c.second_plane(y), c.second_plane(v))


def _without_crossings(
    other: str, c: SymbolicState, alike: Callable[[Term, Term, Term, Term], Term]
) -> Iterator[tuple[str, Term]]:
    """Yield the conditions that an arc x → y and an arc u → v do not cross if they are `alike`."""
    yield (
        f"no arc leads out from under {other}",
        t.for_all(
            lambda x, y, u, v: t.implies(
                t.conjunction(c.arc(x, y), c.arc(u, v), alike(x, y, u, v), between(x, u, y)),
                t.disjunction(between(x, v, y), t.equal(v, x), t.equal(v, y)),
            )
        ),
    )
    yield (
        f"no arc leads in under {other}",
        t.for_all(
            lambda x, y, u, v: t.implies(
                t.conjunction(c.arc(x, y), c.arc(u, v), alike(x, y, u, v), between(x, v, y)),
                t.disjunction(between(x, u, y), t.equal(u, x), t.equal(u, y)),
            )
        ),
    )


def named(prefix: str, terms: tuple[Term, ...]) -> tuple[Premise, ...]:
    """Premises numbered under one name."""
    return tuple((f"{prefix} {number}", term) for number, term in enumerate(terms, start=1))


def ending(meanings: Meanings) -> tuple[Premise, ...]:
    """The premise that the configuration is terminal."""
    return named("terminal", meanings.terminal(meanings.before))


def move_of(meanings: Meanings, step: SymbolicStep) -> Move:
    """A step from a configuration that is not terminal."""
    running = t.negation(t.conjunction(*meanings.terminal(meanings.before)))
    conditions = dict.fromkeys((f"if {text}", term) for text, term in step.preconditions)
    premises = (*named("pattern", step.pattern), *conditions)
    return Move(step.name, (("the configuration is not terminal", running), *premises), step.after, step.facts)


def numbered(added: tuple[Added, ...]) -> Iterator[tuple[str, Added]]:
    """Yield the arcs that a step adds, each with a word that tells it from the others."""
    for number, one in enumerate(added, start=1):
        yield "" if len(added) == 1 else f" ({number})", one


def add_goals(meanings: Meanings) -> Iterator[Goal]:
    """Yield SINGLE-HEAD and ROOT for each arc at the moment it is added; with several heads, the goal that the arc does
    not exist yet.
    """
    for step in meanings.steps:
        move = move_of(meanings, step)
        for which, added in numbered(step.added):
            head, dependent = added.head, added.dependent
            yield Goal(f"{step.name} adds an arc{which} to a word", move.premises, is_word(dependent))
            yield Goal(f"{step.name} adds an arc{which} from a node", move.premises, is_node(head))
            yield new_arc(meanings, step, which, added)


def new_arc(meanings: Meanings, step: SymbolicStep, which: str, added: Added, is_part: bool = True) -> Goal:
    """The goal that an arc may be added: its dependent has no head, or, with several heads, the arc does not exist
    yet.
    """
    several_heads = meanings.system.figure.several_heads
    what = "that is not there" if several_heads else "to a word that has no head"
    premises, clashes = move_of(meanings, step).premises, added.clashes(several_heads)
    return Goal(f"{step.name} adds an arc{which} {what}", premises, t.negation(clashes), is_part=is_part)


def soundness(meanings: Meanings, graphs: s.GraphClass) -> Problem:
    """The problem whose goals are soundness for a class."""
    end = ending(meanings)
    goals = [
        Goal(f"at the end {name}", end, term) for name, term in class_conditions(meanings, graphs, meanings.before)
    ]
    return Problem(
        (WORDS_PREMISE,),
        meanings.before,
        meanings.start,
        tuple(move_of(meanings, step) for step in meanings.steps),
        (*goals, *add_goals(meanings)),
        lemmas=lemmas_of_runs(meanings.before, meanings.start),
        end=end,
    )
