"""The patterns, conditions and terms of a figure as terms of the proofs, in a state and with a meaning for each name.

What has no meaning here raises `Unsupported` with the reason: gold notions that are algorithms, degrees other than bounded by a number.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Function, Relation, Term
from arcproof.properties.proving.meaning.state import WORDS, Run, State, Unsupported, cell_of_literal, stretches
from arcproof.transitions import syntax as s

Meaning: TypeAlias = Term | Run | Function
Environment: TypeAlias = dict[str, Meaning]


@dataclass(frozen=True)
class Gold:
    """What oracles and proofs ask of the gold graph.

    Its arcs, its closure, the head of a word, the projective order, the depth of a node, the last node that a node dominates.
    """

    arc: Relation
    reaches: Relation
    head: Function
    order: Function
    depth: Function
    last: Function


GOLD = Gold(
    t.relation("gold"),
    t.relation("gold_reaches"),
    t.function("gold_head"),
    t.function("order"),
    t.function("depth"),
    t.function("last"),
)


@dataclass(frozen=True)
class Scene:
    """Where a condition is asked: a state, the meaning of names, the parameters."""

    state: State
    names: Mapping[str, Meaning]
    parameters: Mapping[str, int | float]

    def node(self, node: s.Node) -> Term:
        """The node a name stands for."""
        if isinstance(node, s.Number):
            return t.Number(node.value)
        return self.term_named(node.name)

    def term_named(self, name: str) -> Term:
        """The value of a name that stands for a node, a counter or a flag."""
        value = self.names[name]
        assert not isinstance(value, Run)
        assert not callable(value)
        return value

    def run(self, name: str) -> Run:
        """The cells a segment stands for."""
        value = self.names[name]
        assert isinstance(value, Run)
        return value

    def with_node(self, name: str, node: Term) -> "Scene":
        """One more name."""
        return replace(self, names={**self.names, name: node})


# --- patterns --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Matched:
    """A pattern matches if the conditions hold; then the names have these meanings."""

    conditions: tuple[Term, ...]
    names: Environment


def tail_first(sequence: s.SequenceOf, side: s.Side) -> tuple[s.Item, ...]:
    """The items of a sequence from its tail on."""
    return sequence.items if side == "right" else sequence.items[::-1]


def match_patterns(patterns: Sequence[s.Pattern], state: State, lengths: Mapping[str, Term]) -> Matched:
    """Match every component; `lengths` are those of the segments that are chosen."""
    conditions: list[Term] = []
    names: Environment = {}
    for component, pattern in zip(state.components, patterns, strict=True):
        found = _match(pattern, component, state, lengths)
        conditions.extend(found.conditions)
        names.update(found.names)
    return Matched(tuple(c for c in conditions if c != t.TRUE), names)


def _match(pattern: s.Pattern, component: s.Component, state: State, lengths: Mapping[str, Term]) -> Matched:
    name = component.name
    match pattern:
        case s.SequenceOf():
            assert isinstance(component, s.SequenceComponent)
            return _match_sequence(pattern, component, state, lengths)
        case s.AnyValue("_"):
            return Matched((), {})
        case s.AnyValue(variable):
            return Matched((), {variable: _value_of(name, state)})
        case s.FlagLiteral(value):
            return Matched((state.flags[name] if value else t.negation(state.flags[name]),), {})
        case s.CounterFrom(s.Number(value)):
            return Matched((t.equal(state.counters[name], value),), {})
        case s.CounterFrom():
            raise Unsupported(f"the pattern of the counter {name} is no number")
        case _:
            assert_never(pattern)


def _value_of(name: str, state: State) -> Meaning:
    if name in state.flags:
        return state.flags[name]
    return state.counters[name] if name in state.counters else state.sets[name]


def _match_sequence(
    pattern: s.SequenceOf, component: s.SequenceComponent, state: State, lengths: Mapping[str, Term]
) -> Matched:
    items = tail_first(pattern, component.head)
    height, cells = state.heights[component.name], state.cells[component.name]
    chosen = s.choice_segments(pattern, component.head)
    single = sum(isinstance(item, s.Cell) for item in items)
    free = t.subtract(height, t.add(single, *(lengths[name] for name in chosen)))
    if any(isinstance(item, s.Segment) for item in items):
        conditions = [t.at_most(0, lengths[name]) for name in chosen] + [t.at_most(0, free)]
    else:
        conditions = [t.equal(free, 0)]
    names: Environment = {}
    place: Term = t.Number(0)
    for item in items:
        if isinstance(item, s.Segment):
            length = lengths[item.name] if item.name in chosen else free
            names[item.name] = Run(component.name, place, length)
            place = t.add(place, length)
        else:
            if not item.is_hole:
                names[item.name] = cells(place)
            place = t.add(place, 1)
    return Matched(tuple(conditions), names)


# --- conditions and terms --------------------------------------------------------------------------------------------


def holds(condition: s.Condition, scene: Scene) -> Term:
    """The condition as a term."""
    state = scene.state
    match condition:
        case s.Comparison(parts, relations):
            pairs = zip(parts, relations, parts[1:], strict=False)
            return t.conjunction(*(_compare(left, relation, right, scene) for left, relation, right in pairs))
        case s.SequenceIs(segment, relation, value):
            same = _is_literal(scene.run(segment), value, state)
            return same if relation == "=" else t.negation(same)
        case s.HasHead(node):
            return state.headed(scene.node(node))
        case s.HasArc(head, dependent):
            return state.arc(scene.node(head), scene.node(dependent))
        case s.Reaches(source, target):
            return state.reaches(scene.node(source), scene.node(target))
        case s.Connected(left, right):
            return state.linked(scene.node(left), scene.node(right))
        case s.IsSet(flag):
            return scene.term_named(flag)
        case s.InSet(node, set_name):
            members = scene.names[set_name]
            assert callable(members)
            return members(scene.node(node))
        case s.InSequence(node, sequence):
            return t.disjunction(*(_is_in(scene.node(node), item, scene) for item in sequence.items))
        case s.Quantified(quantifier, variable, domain, body):
            over = tuple(_over(item, quantifier, variable, body, scene) for item in domain.items)
            return t.disjunction(*over) if quantifier == "exists" else t.conjunction(*over)
        case s.Not(body):
            return t.negation(holds(body, scene))
        case s.And(parts):
            return t.conjunction(*(holds(part, scene) for part in parts))
        case s.Or(parts):
            return t.disjunction(*(holds(part, scene) for part in parts))
        case s.GoldArc(head, dependent, _):
            return GOLD.arc(scene.node(head), scene.node(dependent))
        case s.Complete(node):
            of = scene.node(node)
            return t.for_all(lambda x: t.implies(GOLD.arc(of, x), state.arc(of, x)))
        case s.Precedes(left, right):
            return t.less(GOLD.order(scene.node(left)), GOLD.order(scene.node(right)))
        case _:
            assert_never(condition)


def _is_in(node: Term, item: s.Item, scene: Scene) -> Term:
    meaning = scene.names[item.name]
    if isinstance(meaning, Run):
        return scene.state.holds_node(meaning, node)
    return t.equal(node, scene.term_named(item.name))


def _over(item: s.Item, quantifier: str, variable: str, body: s.Condition, scene: Scene) -> Term:
    meaning = scene.names[item.name]
    if not isinstance(meaning, Run):
        return holds(body, scene.with_node(variable, scene.term_named(item.name)))

    def inside(x: Term) -> Term:
        return scene.state.holds_node(meaning, x)

    def here(x: Term) -> Term:
        return holds(body, scene.with_node(variable, x))

    if quantifier == "exists":
        return t.exists(lambda x: t.conjunction(inside(x), here(x)))
    return t.for_all(lambda x: t.implies(inside(x), here(x)))


def _is_literal(run: Run, literal: s.LiteralSequence, state: State) -> Term:
    parts = stretches(literal, state.side(run.component))
    length = parts[-1].end if parts else t.Number(0)
    cells = state.cells[run.component]

    def same(cell: Term) -> Term:
        return t.equal(cells(t.add(run.first, cell)), cell_of_literal(parts, cell))

    if isinstance(length, t.Number):
        nodes = [same(t.Number(cell)) for cell in range(length.value)]
        return t.conjunction(t.equal(run.length, length), *nodes)
    every = t.for_all(lambda cell: t.implies(t.within(0, cell, length), same(cell)))
    return t.conjunction(t.equal(run.length, length), every)


def _compare(left: s.Term, relation: s.Relation, right: s.Term, scene: Scene) -> Term:
    if isinstance(left, s.Degree) or isinstance(right, s.Degree):
        return _compare_degree(left, relation, right, scene)
    low, high = quantity(left, scene), quantity(right, scene)
    if low is None or high is None:
        return t.Truth(_compare_infinite(low is None, relation, high is None))
    return compared(low, relation, high)


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


def _compare_infinite(left: bool, relation: s.Relation, right: bool) -> bool:
    match relation:
        case "=":
            return left == right
        case "!=":
            return left != right
        case "<":
            return right and not left
        case "<=":
            return right
        case ">":
            return left and not right
        case ">=":
            return left
        case _:
            assert_never(relation)


def quantity(term: s.Term, scene: Scene) -> Term | None:
    """The value of a term; None is infinity."""
    match term:
        case s.Number(value):
            return t.Number(value)
        case s.Infinity():
            return None
        case s.Words():
            return WORDS
        case s.Variable(name) | s.CounterVariable(name):
            return scene.term_named(name)
        case s.Parameter(name):
            given = scene.parameters[name]
            return None if given == math.inf else t.Number(int(given))
        case s.Size(segment):
            return scene.run(segment).length
        case s.GoldFunction(name):
            raise Unsupported(f"{name} is an algorithm on the gold graph and has no symbolic meaning")
        case s.Degree():
            raise Unsupported("a degree has a symbolic meaning only where it is bounded by a number")
        case s.Arithmetic(operator, left, right):
            return _calculate(operator, quantity(left, scene), quantity(right, scene))
        case s.Count(transition):
            raise AssertionError(f"#{transition} outside a claim")
        case _:
            assert_never(term)


def _calculate(operator: s.Operator, left: Term | None, right: Term | None) -> Term | None:
    if left is None or right is None:
        if operator == "+" or (operator == "-" and right is not None):
            return None
        raise Unsupported(f"{operator} with infinity")
    match operator:
        case "+":
            return t.add(left, right)
        case "-":
            return t.subtract(left, right)
        case "*":
            return t.product(left, right)
        case "/" | "^":
            raise Unsupported(f"{operator} in a rule")
        case _:
            assert_never(operator)


def _compare_degree(left: s.Term, relation: s.Relation, right: s.Term, scene: Scene) -> Term:
    """`degree(i, j) <= d`: there are no d + 1 words between the two that have no head in the interval."""
    if not isinstance(left, s.Degree) or relation not in ("<=", "<"):
        raise Unsupported("a degree has a symbolic meaning only in `degree(i, j) <= d`")
    bound = quantity(right, scene)
    if bound is None:
        return t.TRUE
    if not isinstance(bound, t.Number) or bound.value > 3:
        raise Unsupported("a degree is bounded by something other than a small number")
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
