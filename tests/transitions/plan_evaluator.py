"""Runs a plan: the shortest meaning that can be made from it, to compare it with the interpreter.

Sequences are read from the tail, at index 0, to the head.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import assert_never

from arcproof.transitions import execute
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition, Value
from arcproof.transitions.errors import BadParameter
from arcproof.transitions.gold import GOLD_FUNCTIONS, Gold
from arcproof.transitions.graph import Arc


@dataclass(frozen=True)
class View:
    """A configuration seen by a plan: with the lengths that are chosen, the nodes of quantifiers, and the gold
    graph.
    """

    plan: p.Plan
    c: Configuration
    lengths: tuple[int, ...] = ()
    each: tuple[int, ...] = ()
    gold: Gold | None = None

    def sequence(self, component: int) -> tuple[int, ...]:
        declared, value = self.plan.figure.state[component], self.c.values[component]
        assert isinstance(declared, s.SequenceComponent)
        assert isinstance(value, tuple)
        return value if declared.head == "right" else value[::-1]

    def index(self, place: p.Offset) -> int:
        distance = place.cells + sum(self.lengths[k] for k in place.runs)
        return distance if place.end == "tail" else len(self.sequence(place.component)) - 1 - distance

    def node(self, node: p.Node) -> int:
        match node:
            case p.Fixed(number):
                return number
            case p.Cell(_, place):
                return self.sequence(place.component)[self.index(place)]
            case p.Each(_, number):
                return self.each[number]
            case _:
                assert_never(node)

    def length(self, run: p.Run) -> int:
        match run:
            case p.Chosen(_, _, choice):
                return self.lengths[choice]
            case p.Rest(_, place, behind):
                return self.index(place) + 1 - behind
            case _:
                assert_never(run)

    def run(self, run: p.Run) -> tuple[int, ...]:
        """In printed order."""
        nodes = self.sequence(run.place.component)
        end = self.index(run.place) + 1
        found = nodes[end - self.length(run) : end]
        declared = self.plan.figure.state[run.place.component]
        assert isinstance(declared, s.SequenceComponent)
        return found if declared.head == "right" else found[::-1]

    def members(self, members: Sequence[p.Member]) -> tuple[int, ...]:
        """In printed order, if that is how they are listed."""
        return tuple(
            node
            for member in members
            for node in (self.run(member) if isinstance(member, p.Chosen | p.Rest) else (self.node(member),))
        )

    def amount(self, term: p.Amount) -> float:
        match term:
            case p.Number(value) | p.Unbounded(value):
                return value
            case p.Words():
                return self.c.words
            case p.Fixed() | p.Cell() | p.Each():
                return self.node(term)
            case p.CounterOf(component):
                value = self.c.values[component]
                assert isinstance(value, int)
                return value
            case p.Length(run):
                return self.length(run)
            case p.Degree(left, right):
                return execute.degree(self.c, self.node(left), self.node(right))
            case p.ArcCount():
                return len({(arc.head, arc.dependent) for arc in self.c.arcs})
            case p.GoldFunction(name, argument):
                assert self.gold is not None
                return GOLD_FUNCTIONS[name].value(self.gold, self.node(argument))
            case p.Sum(sign, left, right):
                return execute.calculate(sign, self.amount(left), self.amount(right))
            case _:
                assert_never(term)

    def holds(self, condition: p.Condition) -> bool:
        c, node = self.c, self.node
        match condition:
            case p.Truth(value):
                return value
            case p.Comparison(left, relation, right):
                return execute.compare(self.amount(left), relation, self.amount(right))
            case p.SequenceIs(run, relation, literal):
                return (self.run(run) == execute.nodes_of(literal, c.words)) == (relation == "=")
            case p.HasHead(of):
                return node(of) in c.heads_of
            case p.HasDependent(of):
                return any(arc.head == node(of) for arc in c.arcs)
            case p.HasArc(head, dependent):
                return node(head) in c.heads_of.get(node(dependent), ())
            case p.Reaches(source, target):
                return execute.reaches(c, node(source), node(target))
            case p.Connected(one, other):
                return execute.connected(c, node(one), node(other))
            case p.IsSet(component):
                return c.values[component] is True
            case p.InSet(of, component):
                members = c.values[component]
                assert isinstance(members, frozenset)
                return node(of) in members
            case p.InSequence(of, nodes):
                return node(of) in self.members(nodes)
            case p.Quantified(quantifier, variable, nodes, body):
                assert variable.number == len(self.each)
                views = (View(self.plan, c, self.lengths, (*self.each, x), self.gold) for x in self.members(nodes))
                return (any if quantifier == "exists" else all)(view.holds(body) for view in views)
            case p.Not(body):
                return not self.holds(body)
            case p.And(parts):
                return all(map(self.holds, parts))
            case p.Or(parts):
                return any(map(self.holds, parts))
            case p.GoldArc(head, dependent):
                assert self.gold is not None
                return (node(head), node(dependent)) in self.gold.arcs
            case p.Complete(of):
                assert self.gold is not None
                return all(node(of) in c.heads_of.get(word, ()) for word in self.gold.dependents[node(of)])
            case p.Precedes(one, other):
                assert self.gold is not None
                return self.gold.order[node(one)] < self.gold.order[node(other)]
            case _:
                assert_never(condition)

    def passes(self, test: p.Test) -> bool:
        match test:
            case p.SequenceFits(component, cells, chosen, _):
                free = len(self.sequence(component)) - cells - sum(self.lengths[k] for k in chosen)
                return free >= 0 if test.has_rest else free == 0
            case p.FlagIs(component, value):
                return self.c.values[component] == value
            case p.CounterIs(component, number):
                return self.c.values[component] == number
            case p.AnyValue():
                return True
            case _:
                assert_never(test)


def ways(plan: p.Plan, match: p.Match, c: Configuration, gold: Gold | None = None) -> Iterator[View]:
    """Every way in which a pattern matches, shortest choices first."""
    most = max((len(value) for value in c.values if isinstance(value, tuple)), default=0)
    for lengths in product(range(most + 1), repeat=len(match.choices)):
        view = View(plan, c, lengths, (), gold)
        if all(map(view.passes, match.tests)) and all(map(view.holds, match.roots)):
            yield view


def is_terminal(plan: p.Plan, c: Configuration) -> bool:
    """Whether a run ends here."""
    return all(map(View(plan, c).holds, plan.terminal))


def successors(plan: p.Plan, c: Configuration) -> Iterator[tuple[Transition, Configuration]]:
    """The permissible transitions in order, with their results."""
    for rule in plan.rules:
        for view in ways(plan, rule.match, c):
            if all(map(view.holds, rule.guards)):
                choice = tuple(length + 1 for length in view.lengths)
                yield Transition(rule.rule.name, None, choice), _after(rule, view)


def _after(rule: p.RulePlan, view: View) -> Configuration:
    arcs = set(view.c.arcs)
    for change in rule.arcs:
        match change:
            case p.AddArc(head, dependent):
                arcs.add(Arc(view.node(head), None, view.node(dependent)))
            case p.RemoveArcs(dependent):
                arcs = {arc for arc in arcs if arc.dependent != view.node(dependent)}
            case _:
                assert_never(change)
    return Configuration(view.c.words, view.c.names, tuple(_moved(move, view) for move in rule.moves), frozenset(arcs))


def _moved(move: p.Move, view: View) -> Value:
    old = view.c.values[move.component]
    match move:
        case p.SequenceBecomes(component, items, kept, _):
            declared = view.plan.figure.state[component]
            assert isinstance(declared, s.SequenceComponent)
            size = sum(view.length(item) if isinstance(item, p.Chosen | p.Rest) else 1 for item in items[:kept])
            assert isinstance(old, tuple)
            stayed = view.sequence(component)[:size]
            new = view.members(items[kept:] if declared.head == "right" else items[kept:][::-1])
            value: Value = (*stayed, *new) if declared.head == "right" else (*new, *stayed[::-1])
        case p.FlagBecomes(_, condition):
            value = view.holds(condition)
        case p.CounterBecomes(_, term):
            amount = view.amount(term)
            if not isinstance(amount, int):
                raise BadParameter("a counter would become infinite")
            value = amount
        case p.SetBecomes(_, base, changes):
            members = frozenset[int]() if base is None else view.c.values[base]
            assert isinstance(members, frozenset)
            for sign, node in changes:
                one = frozenset({view.node(node)})
                members = members | one if sign == "+" else members - one
            value = members
        case _:
            assert_never(move)
    assert not move.stays or value == old, f"{move} does not stay"
    return value


def advice(plan: p.Plan, lines: Sequence[p.LinePlan], c: Configuration, gold: Gold) -> Transition | None:
    """What the first line that matches asks for; of several cases, the choice of one that is permissible."""
    for line in lines:
        for view in ways(plan, line.match, c, gold):
            if all(map(view.holds, line.conditions)):
                return _asked_for(plan, line, view)
    return None


def _asked_for(plan: p.Plan, line: p.LinePlan, view: View) -> Transition:
    found = [tuple(view.length(run) + 1 for run in case.lengths) for case in line.cases]
    permitted = {t.choice for t, _ in successors(plan, view.c) if t.name == line.line.transition}
    choice = next((choice for choice in found if choice in permitted), found[0])
    assert view.gold is not None
    arcs = [view.gold.arcs[view.node(head), view.node(dependent)] for head, dependent in line.labelled]
    return Transition(line.line.transition, arcs[0].label if arcs else None, choice)
