"""A rule of a figure in symbols: when it is permissible, which arcs it adds, and the state after it.

A rule whose pattern leaves lengths open is a family of transitions; its lengths are integer constants, and what holds
for arbitrary constants holds for the family.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, assert_never

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Function, Term
from arcproof.properties.proving.meaning.conditions import Scene, holds, quantity
from arcproof.properties.proving.meaning.state import (
    GONE,
    WORDS,
    CellRun,
    SymbolicState,
    Unsupported,
    Whereabouts,
    distinct,
    is_word,
    symbol_name,
    words_up_to,
)
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s
from arcproof.transitions.printing.notation import SOURCE, condition_text

_LENGTH: Final = "length_"


@dataclass(frozen=True)
class Added:
    """An arc that a rule adds, whether its dependent has a head at that moment, and whether the arc exists already."""

    head: Term
    dependent: Term
    headed: Term
    there: Term

    def clashes(self, several_heads: bool) -> Term:
        """The condition that the arc should not be added: its dependent has a head, or, with several heads, the arc
        exists already.
        """
        return self.there if several_heads else self.headed


@dataclass(frozen=True)
class SymbolicStep:
    """A rule in symbols: when it is permissible, what it adds, and the state after it.

    `facts` say more about symbols that only the state after it uses (`_facts_of_removal`); they are true of every step.
    """

    plan: p.RulePlan
    name: str
    lengths: Mapping[str, Term]
    pattern: tuple[Term, ...]
    preconditions: tuple[tuple[str, Term], ...]
    added: tuple[Added, ...]
    after: SymbolicState
    facts: tuple[tuple[str, Term], ...] = ()

    @property
    def rule(self) -> s.Rule:
        """The line of the figure."""
        return self.plan.rule

    @property
    def guard(self) -> tuple[Term, ...]:
        """Pattern and preconditions."""
        return (*self.pattern, *(term for _, term in self.preconditions))


def length_constants(match: p.Match) -> tuple[Term, ...]:
    """Constants for the lengths that a pattern leaves open."""
    names = [length_name(choice.name) for choice in match.choices]
    distinct(names)
    return tuple(map(t.constant, names))


def length_name(name: str) -> str:
    """The constant for the length that a pattern leaves open under this name."""
    return f"{_LENGTH}{symbol_name(name)}"


def is_length(symbol: t.Symbol) -> bool:
    """Whether a symbol is the constant for a length that a pattern leaves open."""
    return symbol.name.startswith(_LENGTH)


def step_of(rule: p.RulePlan, name: str, state: SymbolicState, lengths: tuple[Term, ...] | None = None) -> SymbolicStep:
    """The meaning of a rule in a state; lengths that are not given are arbitrary constants."""
    scene = Scene(state, length_constants(rule.match) if lengths is None else lengths)
    written = (condition_text(condition, SOURCE) for condition in rule.rule.preconditions)
    guards = (holds(guard, scene) for guard in rule.guards)
    after, added = _effects(rule, scene, _moved(rule, scene))
    return SymbolicStep(
        rule,
        name,
        {choice.name: length for choice, length in zip(rule.match.choices, scene.lengths, strict=True)},
        scene.matches(rule.match),
        tuple(zip(written, guards, strict=True)),
        added,
        after,
        _facts_of_removal(rule, scene),
    )


def _moved(rule: p.RulePlan, scene: Scene) -> SymbolicState:
    """The state after the moves of a rule."""
    state = scene.state
    cells: dict[str, Function] = {}
    heights: dict[str, Term] = {}
    flags: dict[str, Term] = {}
    counters: dict[str, Term] = {}
    sets: dict[str, Function] = {}
    missing: dict[str, Function] = {}
    puts: list[_Put] = []
    for component, move in zip(state.components, rule.moves, strict=True):
        name = component.name
        match move:
            case p.SequenceBecomes(_, items):
                assert isinstance(component, s.SequenceComponent)
                own = _puts(items, component, scene)
                puts += own
                cells[name], heights[name] = _cells(own, scene), t.add(0, *(put.length for put in own))
            case p.FlagBecomes(_, value):
                flags[name] = holds(value, scene)
            case p.CounterBecomes(_, amount):
                if isinstance(amount, p.Unbounded):
                    raise Unsupported("a counter would become infinite")
                counters[name] = quantity(amount, scene)
            case p.SetBecomes(_, base, changes):
                members: Function = (lambda _: t.FALSE) if base is None else scene.members(base)
                absent: Function = words_up_to if base is None else state.missing[state.components[base].name]
                for sign, node in changes:
                    absent = _counted(absent, members, sign, scene.node(node))
                    members = _changed(members, sign, scene.node(node))
                sets[name], missing[name] = members, absent
            case _:
                assert_never(move)
    place, position = (state.place, state.position) if state.apart else _places(rule.match, puts, scene)
    apart = {name: _whereabouts(name, rule.match, puts, scene) for name in state.apart}
    moved = replace(state, cells=cells, heights=heights, place=place, position=position, apart=apart)
    return replace(moved, flags=flags, counters=counters, sets=sets, missing=missing)


def _changed(members: Function, sign: str, node: Term) -> Function:
    if sign == "+":
        return lambda x: t.disjunction(t.equal(x, node), members(x))
    return lambda x: t.conjunction(t.differ(x, node), members(x))


def _counted(absent: Function, members: Function, sign: str, node: Term) -> Function:
    """The number of words not in a set, after a node has come or gone."""
    changes = members(node) if sign == "-" else t.negation(members(node))
    by = t.Integer(1 if sign == "-" else -1)

    def counted(k: Term) -> Term:
        among = t.conjunction(is_word(node), t.at_most(node, k), changes)
        return t.add(absent(k), t.choose(among, by, t.Integer(0)))

    return counted


@dataclass(frozen=True)
class _Put:
    """An item after `=>`: what it is, its sequence, and the cell at which it begins."""

    item: p.Item
    component: s.SequenceComponent
    first: Term
    length: Term


def _puts(items: tuple[p.Item, ...], component: s.SequenceComponent, scene: Scene) -> list[_Put]:
    puts: list[_Put] = []
    place: Term = t.Integer(0)
    for item in items:
        puts.append(_Put(item, component, place, scene.length(item)))
        place = t.add(place, puts[-1].length)
    return puts


def _cells(puts: list[_Put], scene: Scene) -> Function:
    def cell(index: Term) -> Term:
        pieces = [(t.add(put.first, put.length), _node_of(put, index, scene)) for put in puts]
        merged: list[tuple[Term, Term]] = []
        for end, node in pieces:
            if merged and merged[-1][1] == node:
                merged.pop()
            merged.append((end, node))
        if not merged:
            return t.Integer(GONE)
        found = merged[-1][1]
        for end, node in reversed(merged[:-1]):
            found = t.choose(t.less(index, end), node, found)
        return found

    return cell


def _node_of(put: _Put, index: Term, scene: Scene) -> Term:
    """The node in a cell that an item fills; if the node stays in its cell, it is read from there."""
    if isinstance(put.item, p.Cell):
        node = scene.node(put.item)
        stays = node == scene.state.cells[put.component.name](put.first)
        return scene.state.cells[put.component.name](index) if stays else node
    run = scene.run(put.item)
    inside = t.subtract(index, put.first)
    if scene.state.side(run.component) == put.component.head:
        source = t.add(run.first, inside)
    else:
        source = t.subtract(t.add(run.first, run.length, -1), inside)
    return scene.state.cells[run.component](source)


def _places(match: p.Match, puts: list[_Put], scene: Scene) -> tuple[Function, Function]:
    """Where nodes are after a rule: as before, except for those that are moved or dropped."""
    state = scene.state
    changes: list[tuple[Function, Function, Function]] = []
    for item in (item for test in match.sequences for item in reversed(test.items)):
        run = scene.run(item)
        put = next((put for put in puts if put.item == item), None)
        if put is None or put.component.name != run.component or put.first != run.first:
            changes.append(_change(run, isinstance(item, p.Cell), put, scene))

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


def _whereabouts(name: str, match: p.Match, puts: list[_Put], scene: Scene) -> Whereabouts:
    """The nodes of one sequence after a rule: as before, except for those that leave it, move within it or come into
    it.
    """
    state = scene.state
    own = [item for test in match.sequences for item in test.items if scene.run(item).component == name]
    stays = {put.item for put in puts if put.component.name == name and put.item in own and _stays(put, scene)}
    leaving = [_concerns(item, scene) for item in own if item not in stays]
    coming = [put for put in puts if put.component.name == name and not (put.item in own and _stays(put, scene))]

    def inside(node: Term) -> Term:
        left = t.conjunction(state.inside(name, node), *(t.negation(concerns(node)) for concerns in leaving))
        return t.disjunction(left, *(_concerns(put.item, scene)(node) for put in coming))

    def position(node: Term) -> Term:
        found = state.position_in(name, node)
        for put in coming:
            _, _, new = _change(scene.run(put.item), isinstance(put.item, p.Cell), put, scene)
            found = t.choose(_concerns(put.item, scene)(node), new(node), found)
        return found

    return Whereabouts(inside, position)


def _stays(put: _Put, scene: Scene) -> bool:
    run = scene.run(put.item)
    return put.component.name == run.component and put.first == run.first


def _concerns(item: p.Item, scene: Scene) -> Function:
    """The condition that a node is one that an item stands for."""
    run = scene.run(item)
    node_here = scene.state.cells[run.component](run.first)
    if isinstance(item, p.Cell):
        return lambda x: t.equal(x, node_here)
    return lambda x: scene.state.holds_node(run, x)


def _change(run: CellRun, single: bool, put: _Put | None, scene: Scene) -> tuple[Function, Function, Function]:
    state = scene.state
    node_here = state.cells[run.component](run.first)
    concerns: Function = (lambda x: t.equal(x, node_here)) if single else (lambda x: state.holds_node(run, x))
    if put is None:
        return concerns, lambda _: t.Integer(GONE), state.position
    place = t.Integer(state.number_of(put.component.name))
    if single:
        return concerns, lambda _: place, lambda _: put.first

    def own(x: Term) -> Term:
        return state.position_in(run.component, x)

    if state.side(run.component) == put.component.head:
        return concerns, lambda _: place, lambda x: t.add(put.first, t.subtract(own(x), run.first))
    last = t.add(run.first, run.length, -1)
    return concerns, lambda _: place, lambda x: t.add(put.first, t.subtract(last, own(x)))


def _effects(rule: p.RulePlan, scene: Scene, after: SymbolicState) -> tuple[SymbolicState, tuple[Added, ...]]:
    added: list[Added] = []
    for change in rule.arcs:
        match change:
            case p.AddArc(head, dependent):
                h, d = scene.node(head), scene.node(dependent)
                added.append(Added(h, d, after.headed(d), after.arc(h, d)))
                after = _with_arc(after, h, d)
            case p.RemoveArcs(node):
                after = _without_arcs_into(after, scene.node(node))
            case _:
                assert_never(change)
    return after, tuple(added)


FORGOTTEN_REACHES: Final = "forgotten_reaches"
FORGOTTEN_LINKED: Final = "forgotten_linked"
FORGOTTEN_ARCS: Final = "forgotten_arcs"
"""Facts that are known only partially after arcs are removed: any value of these symbols is possible."""


def forgets(step: SymbolicStep) -> bool:
    """Whether a step removes arcs."""
    return any(isinstance(change, p.RemoveArcs) for change in step.plan.arcs)


def _without_arcs_into(state: SymbolicState, node: Term) -> SymbolicState:
    """The state with all arcs into a node removed.

    Arcs and heads are updated exactly.  Reachability cannot be given by a formula unless the graph is a forest: if x,
    other than the node, reached the node and the node reached y, then x may or may not still reach y; otherwise nothing
    changes.  Which nodes are linked, and how many arcs there are, is left open in the same way.  `_facts_of_removal`
    says what is known if the graph is a forest.
    """
    arc, headed, reaches, linked = state.arc, state.headed, state.reaches, state.linked
    still, together = t.relation(FORGOTTEN_REACHES), t.relation(FORGOTTEN_LINKED)
    is_headless_now = t.conjunction(t.at_most(1, node), t.at_most(node, WORDS), headed(node))

    def through(x: Term, y: Term) -> Term:
        return _through(state, x, node, y)

    return replace(
        state,
        arcs=t.constant(FORGOTTEN_ARCS),
        headless=lambda k: t.add(
            state.headless(k),
            t.choose(t.conjunction(is_headless_now, t.at_most(node, k)), t.Integer(1), t.Integer(0)),
        ),
        arc=lambda x, y: t.conjunction(arc(x, y), t.differ(y, node)),
        headed=lambda x: t.conjunction(headed(x), t.differ(x, node)),
        reaches=lambda x, y: t.conjunction(reaches(x, y), t.disjunction(t.negation(through(x, y)), still(x, y))),
        linked=lambda x, y: t.conjunction(linked(x, y), together(x, y)),
    )


def _through(state: SymbolicState, x: Term, node: Term, y: Term) -> Term:
    """The condition that x reaches y, and a path from x to y contains an arc into the node."""
    return t.conjunction(t.differ(x, node), state.reaches(x, node), state.reaches(node, y))


def _facts_of_removal(rule: p.RulePlan, scene: Scene) -> tuple[tuple[str, Term], ...]:
    """What is known about a forest whose arcs into a node are removed before anything else is done to it.

    If no node has two heads and none is on a cycle, there is only one path upwards from a node.  So if some path from x
    to y contains an arc into the node, there is no other, and removing the arc cuts x off from y (`_through`).  One arc
    is removed if the node has a head, and none otherwise.
    """
    removed = removed_first(rule)
    if removed is None:
        return ()
    state, node = scene.state, scene.node(removed)
    single = t.for_all(lambda x, y, z: t.implies(t.conjunction(state.arc(x, z), state.arc(y, z)), t.equal(x, y)))
    acyclic = t.for_all(lambda x, y: t.implies(t.conjunction(state.reaches(x, y), state.reaches(y, x)), t.equal(x, y)))
    still, count = t.relation(FORGOTTEN_REACHES), t.constant(FORGOTTEN_ARCS)
    cut = t.for_all(lambda x, y: t.negation(t.conjunction(_through(state, x, node, y), still(x, y))))
    fewer = t.equal(count, t.subtract(state.arcs, t.choose(state.headed(node), t.Integer(1), t.Integer(0))))
    return (
        ("in a forest nothing is reached over a removed arc", t.implies(t.conjunction(single, acyclic), cut)),
        ("at most one arc is removed from a node with one head", t.implies(single, fewer)),
    )


def removed_first(rule: p.RulePlan) -> p.Node | None:
    """The node whose arcs a rule removes, if it does so once and before it adds any."""
    changes = [change for change in rule.arcs if isinstance(change, p.RemoveArcs)]
    return changes[0].dependent if len(changes) == 1 and changes[0] == rule.arcs[0] else None


def _with_arc(state: SymbolicState, head: Term, dependent: Term) -> SymbolicState:
    """The state with one more arc; the ghosts are updated exactly, whatever the graph."""
    arc, headed, reaches, linked = state.arc, state.headed, state.reaches, state.linked
    was_headless = t.conjunction(t.at_most(1, dependent), t.at_most(dependent, WORDS), t.negation(headed(dependent)))
    return replace(
        state,
        arcs=t.add(state.arcs, t.choose(arc(head, dependent), t.Integer(0), t.Integer(1))),
        headless=lambda k: t.subtract(
            state.headless(k),
            t.choose(t.conjunction(was_headless, t.at_most(dependent, k)), t.Integer(1), t.Integer(0)),
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
