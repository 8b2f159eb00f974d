"""The patterns, conditions and terms of a plan as terms of the proofs, in a state.

Anything without a meaning here raises `Unsupported` with the reason: notions about gold graphs that are algorithms, and
degrees that are not bounded by a number.
"""

from dataclasses import dataclass, replace
from typing import assert_never

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Function, Relation, Term
from arcproof.properties.proving.meaning.state import (
    WORDS,
    CellRun,
    SymbolicState,
    Unsupported,
    cell_of_literal,
    stretches,
)
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s


@dataclass(frozen=True)
class GoldSymbols:
    """What oracles and proofs ask about the gold graph.

    Its arcs, its closure, the head of a word, the projective order, the depth of a node, the last node that a node
    dominates.
    """

    arc: Relation
    reaches: Relation
    head: Function
    order: Function
    depth: Function
    last: Function


GOLD = GoldSymbols(
    t.relation("gold"),
    t.relation("gold_reaches"),
    t.function("gold_head"),
    t.function("order"),
    t.function("depth"),
    t.function("last"),
)
GOLD_SYMBOLS = frozenset({"n", "gold", "gold_reaches", "gold_head", "order", "depth", "last"})
"""The symbols for statements about the gold graph alone."""


@dataclass(frozen=True)
class Scene:
    """The context of a condition: a state, the chosen lengths, the current nodes of quantifiers."""

    state: SymbolicState
    lengths: tuple[Term, ...] = ()
    each: tuple[Term, ...] = ()

    def node(self, node: p.Node) -> Term:
        """The term for a node."""
        match node:
            case p.Fixed(number):
                return t.Integer(number)
            case p.Cell(_, place):
                return self.state.cells[self._name(place)](self.first(node))
            case p.Each(_, number):
                return self.each[number]
            case _:
                assert_never(node)

    def first(self, item: p.Item) -> Term:
        """The cell of an item that is closest to the tail."""
        place = item.place
        if place.end == "tail":
            return t.Integer(place.cells)
        match item:
            case p.Cell():
                return self._from_head(place, 1)
            case p.Chosen(_, _, choice):
                return self._from_head(place, 0, self.lengths[choice])
            case p.Rest(_, _, behind):
                return t.Integer(behind)
            case _:
                assert_never(item)

    def length(self, item: p.Item) -> Term:
        """The number of cells of an item."""
        match item:
            case p.Cell():
                return t.Integer(1)
            case p.Chosen(_, _, choice):
                return self.lengths[choice]
            case p.Rest(_, place, behind):
                return self._from_head(place, behind)
            case _:
                assert_never(item)

    def run(self, item: p.Item) -> CellRun:
        """Its cells."""
        return CellRun(self._name(item.place), self.first(item), self.length(item))

    def with_node(self, node: Term) -> "Scene":
        """The scene inside one more quantifier."""
        return replace(self, each=(*self.each, node))

    def fits(self, test: p.Test) -> tuple[Term, ...]:
        """The conditions of the pattern of a component."""
        name = self.state.components[test.component].name
        match test:
            case p.SequenceFits(_, cells, chosen, _):
                lengths = [self.lengths[choice] for choice in chosen]
                free = t.subtract(self.state.heights[name], t.add(cells, *lengths))
                if not test.has_rest:
                    return (t.equal(free, 0),)
                return (*(t.at_most(0, length) for length in lengths), t.at_most(0, free))
            case p.FlagIs(_, value):
                return (self.state.flags[name] if value else t.negation(self.state.flags[name]),)
            case p.CounterIs(_, number):
                return (t.equal(self.state.counters[name], number),)
            case p.AnyValue():
                return ()
            case _:
                assert_never(test)

    def matches(self, match: p.Match) -> tuple[Term, ...]:
        """The conditions of a whole pattern."""
        tests = (c for test in match.tests for c in self.fits(test) if c != t.TRUE)
        return (*tests, *(holds(root, self) for root in match.roots))

    def flag(self, component: int) -> Term:
        """The value of a flag."""
        return self.state.flags[self.state.components[component].name]

    def counter(self, component: int) -> Term:
        """The value of a counter."""
        return self.state.counters[self.state.components[component].name]

    def members(self, component: int) -> Function:
        """Membership in a set."""
        return self.state.sets[self.state.components[component].name]

    def _name(self, place: p.Offset) -> str:
        return self.state.components[place.component].name

    def _from_head(self, place: p.Offset, cells: int, *lengths: Term) -> Term:
        between = t.add(place.cells + cells, *(self.lengths[run] for run in place.runs), *lengths)
        return t.subtract(self.state.heights[self._name(place)], between)


# --- conditions and terms --------------------------------------------------------------------------------------------


def holds(condition: p.Condition, scene: Scene) -> Term:
    """The condition as a term."""
    state, node = scene.state, scene.node
    match condition:
        case p.Truth(value):
            return t.TruthValue(value)
        case p.Comparison(left, relation, right):
            return _compare(left, relation, right, scene)
        case p.SequenceIs(run, relation, literal):
            same = _is_literal(scene.run(run), literal, state)
            return same if relation == "=" else t.negation(same)
        case p.HasHead(of):
            return state.headed(node(of))
        case p.HasDependent(of):
            return t.exists(lambda x: state.arc(node(of), x))
        case p.HasArc(head, dependent):
            return state.arc(node(head), node(dependent))
        case p.Reaches(source, target):
            return state.reaches(node(source), node(target))
        case p.Connected(one, other):
            return state.linked(node(one), node(other))
        case p.IsSet(component):
            return scene.flag(component)
        case p.InSet(of, component):
            return scene.members(component)(node(of))
        case p.InSequence(of, members):
            return t.disjunction(*(_is_in(node(of), member, scene) for member in members))
        case p.Quantified(quantifier, _, members, body):
            over = tuple(_over(member, quantifier, body, scene) for member in members)
            return t.disjunction(*over) if quantifier == "exists" else t.conjunction(*over)
        case p.Not(body):
            return t.negation(holds(body, scene))
        case p.And(parts):
            return t.conjunction(*(holds(part, scene) for part in parts))
        case p.Or(parts):
            return t.disjunction(*(holds(part, scene) for part in parts))
        case p.GoldArc(head, dependent):
            return GOLD.arc(node(head), node(dependent))
        case p.Complete(of):
            return t.for_all(lambda x: t.implies(GOLD.arc(node(of), x), state.arc(node(of), x)))
        case p.Precedes(one, other):
            return t.less(GOLD.order(node(one)), GOLD.order(node(other)))
        case _:
            assert_never(condition)


def _is_in(node: Term, member: p.Member, scene: Scene) -> Term:
    if isinstance(member, p.Chosen | p.Rest):
        return scene.state.holds_node(scene.run(member), node)
    return t.equal(node, scene.node(member))


def _over(member: p.Member, quantifier: str, body: p.Condition, scene: Scene) -> Term:
    def here(x: Term) -> Term:
        return holds(body, scene.with_node(x))

    if not isinstance(member, p.Chosen | p.Rest):
        return here(scene.node(member))
    run = scene.run(member)

    def inside(x: Term) -> Term:
        return scene.state.holds_node(run, x)

    if quantifier == "exists":
        return t.exists(lambda x: t.conjunction(inside(x), here(x)))
    return t.for_all(lambda x: t.implies(inside(x), here(x)))


def _is_literal(run: CellRun, literal: s.LiteralSequence, state: SymbolicState) -> Term:
    parts = stretches(literal, state.side(run.component))
    length = parts[-1].end if parts else t.Integer(0)
    cells = state.cells[run.component]

    def same(cell: Term) -> Term:
        return t.equal(cells(t.add(run.first, cell)), cell_of_literal(parts, cell))

    if isinstance(length, t.Integer):
        nodes = [same(t.Integer(cell)) for cell in range(length.value)]
        return t.conjunction(t.equal(run.length, length), *nodes)
    every = t.for_all(lambda cell: t.implies(t.within(0, cell, length), same(cell)))
    return t.conjunction(t.equal(run.length, length), every)


def _compare(left: p.Term, relation: s.Relation, right: p.Term, scene: Scene) -> Term:
    if isinstance(left, p.Degree) or isinstance(right, p.Degree):
        return _compare_degree(left, relation, right, scene)
    return compared(quantity(left, scene), relation, quantity(right, scene))


def compared(left: Term, relation: s.Relation, right: Term) -> Term:
    """Two numbers in a relation of the language."""
    match relation:
        case "=":
            return t.equal(left, right)
        case "!=":
            return t.differ(left, right)
        case "<":
            return t.less(left, right)
        case "<=":
            return t.at_most(left, right)
        case ">":
            return t.less(right, left)
        case ">=":
            return t.at_most(right, left)
        case _:
            assert_never(relation)


def quantity(term: p.Term, scene: Scene) -> Term:
    """The value of a term."""
    match term:
        case p.Number(value):
            return t.Integer(value)
        case p.Words():
            return WORDS
        case p.Fixed() | p.Cell() | p.Each():
            return scene.node(term)
        case p.CounterOf(component):
            return scene.counter(component)
        case p.Length(run):
            return scene.length(run)
        case p.ArcCount():
            return scene.state.arcs
        case p.GoldFunction(name):
            raise Unsupported(f"{name} is an algorithm on the gold graph and has no symbolic meaning")
        case p.Degree():
            raise Unsupported("a degree has a symbolic meaning only where it is bounded by a number")
        case p.Sum(sign, left, right):
            calculated = t.add if sign == "+" else t.subtract
            return calculated(quantity(left, scene), quantity(right, scene))
        case _:
            assert_never(term)


def _compare_degree(left: p.Term, relation: s.Relation, right: p.Term, scene: Scene) -> Term:
    """`degree(i, j) <= d`: no d + 1 words between the two are without a head in the interval."""
    if not isinstance(left, p.Degree) or relation not in ("<=", "<"):
        raise Unsupported("a degree has a symbolic meaning only in `degree(i, j) <= d`")
    bound = quantity(right, scene)
    if not isinstance(bound, t.Integer) or bound.value > 3:
        raise Unsupported("a degree bounded by something other than a small number")
    most = bound.value if relation == "<=" else bound.value - 1
    ends = scene.node(left.left), scene.node(left.right)
    low, high = t.choose(t.at_most(*ends), *ends), t.choose(t.at_most(*ends), *reversed(ends))
    state = scene.state

    def outside(word: Term) -> Term:
        inside = t.exists(
            lambda head: t.conjunction(t.at_most(low, head), t.at_most(head, high), state.arc(head, word))
        )
        return t.conjunction(t.less(low, word), t.less(word, high), t.negation(inside))

    def many(words: tuple[Term, ...]) -> Term:
        if len(words) > most:
            return t.TRUE
        return t.exists(lambda x: t.conjunction(*(t.less(w, x) for w in words[-1:]), outside(x), many((*words, x))))

    return t.negation(many(()))
