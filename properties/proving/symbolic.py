"""The symbolic meaning of a figure: every pattern, condition and effect of the tree as terms.

This module says in terms what `transitions.execute` says by running; the two are compared on every configuration for small n.
What has no meaning here raises `Unsupported` with the reason: gold notions that are algorithms, degrees other than bounded by a number.

A rule whose pattern leaves lengths open is a family of transitions; its lengths are integer constants, and what holds for arbitrary
constants holds for the family.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from arcproof.properties.proving import terms as t
from arcproof.properties.proving.state import (
    GONE,
    WORDS,
    Run,
    State,
    Unsupported,
    arbitrary,
    cell_of_literal,
    distinct,
    initial,
    stretches,
    symbol_name,
)
from arcproof.properties.proving.terms import Function, Relation, Term
from arcproof.transitions import syntax as s
from arcproof.transitions.check import choices
from arcproof.transitions.notation import SOURCE, condition_text
from arcproof.transitions.system import System

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
    low, high = _quantity(left, scene), _quantity(right, scene)
    if low is None or high is None:
        return t.Truth(_compare_infinite(low is None, relation, high is None))
    match relation:
        case "=":
            return t.equal(low, high)
        case "!=":
            return t.differ(low, high)
        case "<":
            return t.less(low, high)
        case "<=":
            return t.at_most(low, high)
        case ">":
            return t.less(high, low)
        case ">=":
            return t.at_most(high, low)
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


def _quantity(term: s.Term, scene: Scene) -> Term | None:
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
            return _calculate(operator, _quantity(left, scene), _quantity(right, scene))
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
    bound = _quantity(right, scene)
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


# --- transitions -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Added:
    """An arc that a rule adds, with whether its dependent has a head at that moment."""

    head: Term
    dependent: Term
    headed: Term


@dataclass(frozen=True)
class Step:
    """A rule in symbols: when it is permissible, what it adds, what is after it."""

    rule: s.Rule
    name: str
    lengths: Mapping[str, Term]
    pattern: tuple[Term, ...]
    preconditions: tuple[tuple[str, Term], ...]
    added: tuple[Added, ...]
    after: State

    @property
    def guard(self) -> tuple[Term, ...]:
        """Pattern and preconditions."""
        return (*self.pattern, *(term for _, term in self.preconditions))


def step_of(system: System, rule: s.Rule, name: str, state: State, lengths: Mapping[str, Term] | None = None) -> Step:
    """The meaning of a rule in a state; lengths that are not given are arbitrary constants."""
    if lengths is None:
        distinct([f"length_{symbol_name(segment)}" for _, segment in choices(rule, state.components)])
        lengths = {
            segment: t.constant(f"length_{symbol_name(segment)}") for _, segment in choices(rule, state.components)
        }
    matched = match_patterns(rule.before, state, lengths)
    scene = Scene(state, matched.names, system.parameters)
    preconditions = tuple((condition_text(c, SOURCE), holds(c, scene)) for c in rule.preconditions)
    moved = _moved(rule, scene)
    changed = replace(
        moved,
        flags={n: _flag(u, scene) for n, u in _updates(rule, state) if n in state.flags},
        counters={n: _counter(u, scene) for n, u in _updates(rule, state) if n in state.counters},
        sets={n: _set(u, scene) for n, u in _updates(rule, state) if n in state.sets},
    )
    after, added = _effects(rule, scene, changed)
    return Step(rule, name, lengths, matched.conditions, preconditions, added, after)


def _updates(rule: s.Rule, state: State) -> list[tuple[str, s.Update]]:
    return [(component.name, update) for component, update in zip(state.components, rule.after, strict=True)]


def _flag(update: s.Update, scene: Scene) -> Term:
    match update:
        case s.FlagLiteral(value):
            return t.Truth(value)
        case s.FlagFrom(condition):
            return holds(condition, scene)
    raise AssertionError("a flag takes a truth value")


def _counter(update: s.Update, scene: Scene) -> Term:
    assert isinstance(update, s.CounterFrom)
    value = _quantity(update.term, scene)
    if value is None:
        raise Unsupported("a counter would become infinite")
    return value


def _set(update: s.Update, scene: Scene) -> Function:
    assert isinstance(update, s.SetFrom)
    base = (lambda _: t.FALSE) if update.base is None else scene.names[update.base]
    assert callable(base)
    members: Function = base
    for sign, node in update.changes:
        members = _changed(members, sign, scene.node(node))
    return members


def _changed(members: Function, sign: str, node: Term) -> Function:
    if sign == "+":
        return lambda x: t.disjunction(t.equal(x, node), members(x))
    return lambda x: t.conjunction(t.differ(x, node), members(x))


@dataclass(frozen=True)
class _Put:
    """An item after `=>`: what it is, and from which cell of which sequence on it stands."""

    item: s.Item
    component: s.SequenceComponent
    first: Term
    length: Term


def _puts(rule: s.Rule, scene: Scene) -> list[_Put]:
    puts: list[_Put] = []
    for component, update in zip(scene.state.components, rule.after, strict=True):
        if not isinstance(component, s.SequenceComponent):
            continue
        assert isinstance(update, s.SequenceOf)
        place: Term = t.Number(0)
        for item in tail_first(update, component.head):
            meaning = scene.names[item.name]
            length = meaning.length if isinstance(meaning, Run) else t.Number(1)
            puts.append(_Put(item, component, place, length))
            place = t.add(place, length)
    return puts


def _moved(rule: s.Rule, scene: Scene) -> State:
    """The sequences after a rule, and where the nodes are."""
    state = scene.state
    puts = _puts(rule, scene)
    cells: dict[str, Function] = {}
    heights: dict[str, Term] = {}
    for component in state.sequences:
        own = [put for put in puts if put.component.name == component.name]
        heights[component.name] = t.add(0, *(put.length for put in own))
        cells[component.name] = _cells(own, scene)
    place, position = _places(rule, puts, scene)
    return replace(state, cells=cells, heights=heights, place=place, position=position)


def _cells(puts: list[_Put], scene: Scene) -> Function:
    def cell(index: Term) -> Term:
        pieces = [(t.add(put.first, put.length), _node_of(put, index, scene)) for put in puts]
        merged: list[tuple[Term, Term]] = []
        for end, node in pieces:
            if merged and merged[-1][1] == node:
                merged.pop()
            merged.append((end, node))
        if not merged:
            return t.Number(GONE)
        found = merged[-1][1]
        for end, node in reversed(merged[:-1]):
            found = t.choose(t.less(index, end), node, found)
        return found

    return cell


def _node_of(put: _Put, index: Term, scene: Scene) -> Term:
    """The node in a cell that an item fills; a node that stays in its cell is read from there."""
    meaning = scene.names[put.item.name]
    if not isinstance(meaning, Run):
        node = scene.term_named(put.item.name)
        stays = node == scene.state.cells[put.component.name](put.first)
        return scene.state.cells[put.component.name](index) if stays else node
    inside = t.subtract(index, put.first)
    if scene.state.side(meaning.component) == put.component.head:
        source = t.add(meaning.first, inside)
    else:
        source = t.subtract(t.add(meaning.first, meaning.length, -1), inside)
    return scene.state.cells[meaning.component](source)


def _places(rule: s.Rule, puts: list[_Put], scene: Scene) -> tuple[Function, Function]:
    """Where nodes are after a rule: as before, but for those that are moved or dropped."""
    state = scene.state
    changes: list[tuple[Function, Function, Function]] = []
    for component, pattern in zip(state.components, rule.before, strict=True):
        if not isinstance(component, s.SequenceComponent):
            continue
        assert isinstance(pattern, s.SequenceOf)
        for item, run in _items_with_cells(pattern, component, scene):
            put = next((put for put in puts if put.item.name == item.name), None) if item.name != "_" else None
            if put is None or not _stays(put, run, component):
                changes.append(_change(run, isinstance(item, s.Cell), put, scene))

    def place(node: Term) -> Term:
        found = state.place(node)
        for concerns, new, _ in changes:
            found = t.choose(concerns(node), new(node), found)
        return found

    def position(node: Term) -> Term:
        found = state.position(node)
        for concerns, _, new in changes:
            found = t.choose(concerns(node), new(node), found)
        return found

    return place, position


def _items_with_cells(pattern: s.SequenceOf, component: s.SequenceComponent, scene: Scene) -> list[tuple[s.Item, Run]]:
    found: list[tuple[s.Item, Run]] = []
    place: Term = t.Number(0)
    for item in tail_first(pattern, component.head):
        run = scene.run(item.name) if isinstance(item, s.Segment) else Run(component.name, place, t.Number(1))
        found.append((item, run))
        place = t.add(place, run.length)
    return found


def _stays(put: _Put, run: Run, component: s.SequenceComponent) -> bool:
    return put.component.name == component.name and put.first == run.first


def _change(run: Run, single: bool, put: _Put | None, scene: Scene) -> tuple[Function, Function, Function]:
    state = scene.state
    node_here = state.cells[run.component](run.first)
    concerns: Function = (lambda x: t.equal(x, node_here)) if single else (lambda x: state.holds_node(run, x))
    if put is None:
        return concerns, lambda _: t.Number(GONE), state.position
    place = t.Number(state.number_of(put.component.name))
    if single:
        return concerns, lambda _: place, lambda _: put.first
    if state.side(run.component) == put.component.head:
        return concerns, lambda _: place, lambda x: t.add(put.first, t.subtract(state.position(x), run.first))
    last = t.add(run.first, run.length, -1)
    return concerns, lambda _: place, lambda x: t.add(put.first, t.subtract(last, state.position(x)))


def _effects(rule: s.Rule, scene: Scene, after: State) -> tuple[State, tuple[Added, ...]]:
    added: list[Added] = []
    for effect in rule.effects:
        match effect:
            case s.AddArc(head, _, dependent):
                h, d = scene.node(head), scene.node(dependent)
                added.append(Added(h, d, after.headed(d)))
                after = _with_arc(after, h, d)
            case s.RemoveArcs():
                raise Unsupported("arcs are removed, which is exact for reachability only in forests")
            case _:
                assert_never(effect)
    return after, tuple(added)


def _with_arc(state: State, head: Term, dependent: Term) -> State:
    """One more arc; the ghosts are brought up to date exactly, whatever the graph."""
    arc, headed, reaches, linked = state.arc, state.headed, state.reaches, state.linked
    was_headless = t.conjunction(t.at_most(1, dependent), t.at_most(dependent, WORDS), t.negation(headed(dependent)))
    return replace(
        state,
        arcs=t.add(state.arcs, t.choose(arc(head, dependent), t.Number(0), t.Number(1))),
        headless=lambda k: t.subtract(
            state.headless(k),
            t.choose(t.conjunction(was_headless, t.at_most(dependent, k)), t.Number(1), t.Number(0)),
        ),
        arc=lambda x, y: t.disjunction(arc(x, y), t.conjunction(t.equal(x, head), t.equal(y, dependent))),
        headed=lambda x: t.disjunction(headed(x), t.equal(x, dependent)),
        reaches=lambda x, y: t.disjunction(reaches(x, y), t.conjunction(reaches(x, head), reaches(dependent, y))),
        linked=lambda x, y: t.disjunction(
            linked(x, y),
            t.conjunction(linked(x, head), linked(dependent, y)),
            t.conjunction(linked(x, dependent), linked(head, y)),
        ),
    )


# --- oracles ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Advice:
    """A line of an oracle in symbols: when it is the one that is taken, and the cases of the transition it asks for.

    `labelled` are the gold arcs, head and dependent, whose label the transition gets.
    """

    line: s.OracleLine
    number: int
    conditions: tuple[Term, ...]
    steps: tuple[Step, ...]
    labelled: tuple[tuple[Term, Term], ...]


def _line_matches(system: System, line: s.OracleLine, state: State, lengths: Mapping[str, Term]) -> tuple[Term, ...]:
    if line.pattern is None:
        scene = Scene(state, _by_name(state), system.parameters)
        return tuple(holds(c, scene) for c in line.conditions)
    matched = match_patterns(line.pattern, state, lengths)
    scene = Scene(state, matched.names, system.parameters)
    return (*matched.conditions, *(holds(c, scene) for c in line.conditions))


def _by_name(state: State) -> Environment:
    values: dict[str, Meaning] = {**state.flags, **state.counters, **state.sets}
    return {**values, **{c.name: state.whole(c.name) for c in state.sequences}}


def _chosen(line: s.OracleLine, state: State) -> list[str]:
    """The segments of a line whose lengths are chosen, in the order in which the shortest wins."""
    return [
        name
        for component, pattern in zip(state.components, line.pattern or (), strict=False)
        if isinstance(component, s.SequenceComponent) and isinstance(pattern, s.SequenceOf)
        for name in s.choice_segments(pattern, component.head)
    ]


def _some_way(system: System, line: s.OracleLine, state: State) -> Term:
    """Whether a line matches at all."""
    names = _chosen(line, state)
    if not names:
        return t.conjunction(*_line_matches(system, line, state, {}))
    if len(names) > 1:
        raise Unsupported("an oracle line with two segments of open length")
    return t.exists(lambda x: t.conjunction(*_line_matches(system, line, state, {names[0]: x})))


def advice_of(system: System, oracle: s.Oracle, state: State) -> list[Advice]:
    """The lines of an oracle, each with the condition that it is the first to match, in its shortest way."""
    found: list[Advice] = []
    earlier: list[Term] = []
    for number, line in enumerate(oracle.lines, start=1):
        names = _chosen(line, state)
        if len(names) > 1:
            raise Unsupported("an oracle line with two segments of open length")
        lengths = {name: t.constant(f"length_{symbol_name(name)}") for name in names}
        conditions = [*earlier, *_line_matches(system, line, state, lengths)]
        for name in names:
            conditions.append(_no_shorter(system, line, state, name, lengths[name]))
        steps = _asked_for(system, line, state, lengths)
        found.append(Advice(line, number, tuple(conditions), steps, _labelled(system, line, state, lengths)))
        earlier.append(t.negation(_some_way(system, line, state)))
    return found


def _no_shorter(system: System, line: s.OracleLine, state: State, name: str, length: Term) -> Term:
    return t.for_all(
        lambda x: t.implies(
            t.within(0, x, length), t.negation(t.conjunction(*_line_matches(system, line, state, {name: x})))
        )
    )


def _labelled(
    system: System, line: s.OracleLine, state: State, lengths: Mapping[str, Term]
) -> tuple[tuple[Term, Term], ...]:
    """The gold arcs of a line that bind the label of its transition."""
    names = _by_name(state) if line.pattern is None else match_patterns(line.pattern, state, lengths).names
    scene = Scene(state, names, system.parameters)
    bound = [c for c in line.conditions if isinstance(c, s.GoldArc) and c.label is not None and c.label == line.label]
    return tuple((scene.node(arc.head), scene.node(arc.dependent)) for arc in bound)


def _asked_for(system: System, line: s.OracleLine, state: State, lengths: Mapping[str, Term]) -> tuple[Step, ...]:
    """The cases of the transition of a line; each chosen length is that of the line's segment of that name."""
    names = _by_name(state) if line.pattern is None else match_patterns(line.pattern, state, lengths).names
    steps: list[Step] = []
    chosen = {tuple(choices(rule, state.components)) for _, rule in cases(system) if rule.name == line.transition}
    if len(chosen) > 1:
        raise Unsupported(f"cases of {line.transition} that leave different lengths open, in an oracle")
    for label, rule in cases(system):
        if rule.name != line.transition:
            continue
        wanted: dict[str, Term] = {}
        for _, segment in choices(rule, state.components):
            run = names.get(segment)
            if not isinstance(run, Run):
                raise Unsupported(f"{line.transition} in an oracle without a length for {segment}")
            wanted[segment] = run.length
        steps.append(step_of(system, rule, label, state, wanted))
    return tuple(steps)


# --- the whole figure ------------------------------------------------------------------------------------------------


def cases(system: System) -> list[tuple[str, s.Rule]]:
    """The rules, each with a name of its own: cases of one transition are numbered."""
    named: list[tuple[str, s.Rule]] = []
    for name, rules in system.transitions.items():
        for number, rule in enumerate(rules, start=1):
            named.append((name if len(rules) == 1 else f"{name}.{number}", rule))
    return named


@dataclass(frozen=True)
class Meanings:
    """A figure in symbols."""

    system: System
    before: State
    start: State
    steps: tuple[Step, ...]

    def terminal(self, state: State) -> tuple[Term, ...]:
        """When a run ends."""
        return tuple(self.says(condition, state) for condition in self.system.figure.final)

    def says(self, condition: s.Condition, state: State) -> Term:
        """A condition about the components, such as an invariant of the specification, in a state."""
        return holds(condition, Scene(state, _by_name(state), self.system.parameters))

    def advice(self, oracle: s.Oracle) -> list[Advice]:
        """What an oracle asks for in an arbitrary configuration."""
        return advice_of(self.system, oracle, self.before)


def meanings_of(system: System) -> Meanings:
    """The symbolic meaning of a system; `Unsupported` if it has none."""
    before = arbitrary(system.figure.state)
    steps = tuple(step_of(system, rule, name, before) for name, rule in cases(system))
    return Meanings(system, before, initial(system.figure), steps)
