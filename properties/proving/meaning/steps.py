"""A rule of a figure in symbols: when it is permissible, which arcs it adds, which state is after it.

A rule whose pattern leaves lengths open is a family of transitions; its lengths are integer constants, and what holds for arbitrary
constants holds for the family.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Function, Term
from arcproof.properties.proving.meaning.conditions import Scene, holds, match_patterns, quantity, tail_first
from arcproof.properties.proving.meaning.state import GONE, WORDS, Run, State, Unsupported, distinct, symbol_name
from arcproof.transitions import syntax as s
from arcproof.transitions.printing.notation import SOURCE, condition_text
from arcproof.transitions.system import System


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
        distinct([f"length_{symbol_name(segment)}" for _, segment in s.choices(rule, state.components)])
        lengths = {
            segment: t.constant(f"length_{symbol_name(segment)}") for _, segment in s.choices(rule, state.components)
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
    value = quantity(update.term, scene)
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
