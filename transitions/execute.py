"""The reference meaning of a figure: running it.

Everything else that executes, compiles or encodes a figure is tested to agree with this module. A pattern matches a
configuration under an *environment*, which gives every name its value.  A pattern with k segments in one sequence
leaves the lengths of all but the rest open; environments come in the order of these lengths, the segment nearest to the
head first and the shortest first, so that the first environment is the one chosen by the language's rule "the shortest
wins".

The asserts are for the type checker; pytest must not rewrite them, which would make them slow: PYTEST_DONT_REWRITE
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import NamedTuple, TypeAlias, assert_never

from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Step, Tag, Transition, Value
from arcproof.transitions.errors import BadParameter
from arcproof.transitions.gold import GOLD_FUNCTIONS, Gold
from arcproof.transitions.graph import ROOT, Arc

Environment: TypeAlias = dict[str, Value]
Quantity: TypeAlias = int | float


class Situation(NamedTuple):
    """The context in which a condition is evaluated: a configuration, the values of names and parameters, and in
    oracles the gold graph.

    In costs `label` is the label of the transition; elsewhere it is empty, and labels are read off the gold graph.
    """

    configuration: Configuration
    environment: Mapping[str, Value]
    parameters: Mapping[str, Quantity]
    gold: Gold | None = None
    label: tuple[str | None, ...] = ()

    def sequence(self, name: str) -> tuple[int, ...]:
        """The nodes that a segment stands for."""
        value = self.environment[name]
        assert isinstance(value, tuple)
        return value

    def with_node(self, name: str, node: int) -> "Situation":
        """This situation with one more name bound to a node."""
        return self._replace(environment={**self.environment, name: node})


# --- patterns --------------------------------------------------------------------------------------------------------


Ways: TypeAlias = list[tuple[tuple[int, ...], Environment]]


def environments(patterns: Sequence[s.Pattern], state: Sequence[s.Component], c: Configuration) -> Ways:
    """Every environment in which the patterns match, with the choice it stands for."""
    ways: Ways = [((), {})]
    for component, pattern, value in zip(state, patterns, c.values, strict=True):
        found = _match(pattern, component, value)
        if not found:
            return []
        ways = [(choice + more, environment | part) for choice, environment in ways for more, part in found]
    return ways


def matches(pattern: s.Pattern, component: s.Component, value: Value) -> bool:
    """Whether one pattern matches one component."""
    return bool(_match(pattern, component, value))


def _match(pattern: s.Pattern, component: s.Component, value: Value) -> Ways:
    match pattern:
        case s.SequenceOf():
            assert isinstance(component, s.SequenceComponent)
            assert isinstance(value, tuple)
            return _match_sequence(pattern, component.head, value)
        case s.AnyValue(name):
            return [((), {} if name == "_" else {name: value})]
        case s.FlagLiteral(expected):
            return [((), {})] if value == expected else []
        case s.CounterFrom(term):
            assert isinstance(term, s.Number)
            return [((), {})] if value == term.value else []
        case _:
            assert_never(pattern)


def _match_sequence(pattern: s.SequenceOf, head: s.Side, nodes: tuple[int, ...]) -> Ways:
    free = len(nodes) - pattern.cells
    if free < 0 or (free > 0 and pattern.cells == len(pattern.items)):
        return []
    if pattern.places is not None:
        places = pattern.places if head == "left" else reversed(pattern.places)
        environment = {name: nodes[place] for name, place in places}
        return [((), environment)] if environment.get(s.ROOT_CELL, ROOT) == ROOT else []
    ways: Ways = []
    for lengths in _lengths(len(pattern.items) - pattern.cells - 1, free):
        assigned = _assign(pattern.items, nodes, (*lengths, free - sum(lengths)), head)
        if assigned.get(s.ROOT_CELL, ROOT) == ROOT:
            ways.append((tuple([length + 1 for length in lengths]), assigned))
    return ways


def _lengths(chosen: int, free: int) -> list[tuple[int, ...]]:
    if chosen == 0:
        return [()]
    return [(length, *others) for length in range(free + 1) for others in _lengths(chosen - 1, free - length)]


def _assign(items: tuple[s.Item, ...], nodes: tuple[int, ...], lengths: tuple[int, ...], head: s.Side) -> Environment:
    """Assign nodes to items and lengths to segments, starting from the head; the value of a segment is in printed
    order.
    """
    environment: Environment = {}
    remaining = iter(lengths)
    passed = 0
    for item in items if head == "left" else reversed(items):
        if isinstance(item, s.Segment):
            length = next(remaining)
            start = passed if head == "left" else len(nodes) - passed - length
            environment[item.name] = nodes[start : start + length]
            passed += length
        else:
            if not item.is_hole:
                environment[item.name] = nodes[passed if head == "left" else -1 - passed]
            passed += 1
    return environment


# --- conditions and terms --------------------------------------------------------------------------------------------


def holds(condition: s.Condition, situation: Situation) -> bool:
    """Whether a condition is true."""
    c = situation.configuration
    match condition:
        case s.Comparison(terms, relations):
            values = [evaluate(term, situation) for term in terms]
            return all(compare(values[k], relation, values[k + 1]) for k, relation in enumerate(relations))
        case s.Not(body):
            return not holds(body, situation)
        case s.GoldArc(head, dependent, label):
            arc = _gold(situation).arcs.get((node_of(head, situation), node_of(dependent, situation)))
            return arc is not None and (label is None or not situation.label or arc.label == situation.label[0])
        case s.GoldTag():
            return True
        case s.SequenceIs(segment, relation, value):
            equal = situation.sequence(segment) == nodes_of(value, c.words)
            return equal if relation == "=" else not equal
        case s.HasHead(node):
            return node_of(node, situation) in c.heads_of
        case s.HasDependent(node):
            return any(arc.head == node_of(node, situation) for arc in c.arcs)
        case s.HasArc(head, dependent):
            return node_of(head, situation) in c.heads_of.get(node_of(dependent, situation), ())
        case s.Reaches(source, target):
            return reaches(c, node_of(source, situation), node_of(target, situation))
        case s.Connected(left, right):
            return connected(c, node_of(left, situation), node_of(right, situation))
        case s.IsSet(flag):
            return situation.environment[flag] is True
        case s.InSet(node, set_name):
            members = situation.environment[set_name]
            assert isinstance(members, frozenset)
            return node_of(node, situation) in members
        case s.InSequence(node, sequence):
            return node_of(node, situation) in build_sequence(sequence, situation.environment)
        case s.Quantified(quantifier, variable, domain, body):
            nodes = build_sequence(domain, situation.environment)
            quantify = any if quantifier == "exists" else all
            return quantify(holds(body, situation.with_node(variable, node)) for node in nodes)
        case s.And(parts):
            return all(holds(part, situation) for part in parts)
        case s.Or(parts):
            return any(holds(part, situation) for part in parts)
        case s.Complete(node):
            x = node_of(node, situation)
            return all(x in c.heads_of.get(word, ()) for word in _gold(situation).dependents[x])
        case s.Precedes(left, right):
            order = _gold(situation).order
            return order[node_of(left, situation)] < order[node_of(right, situation)]
        case _:
            assert_never(condition)


def evaluate(term: s.Term, situation: Situation) -> Quantity:
    """The value of a term; counts of transitions belong to claims about runs and have no value here."""
    match term:
        case s.Number(value):
            return value
        case s.Infinity():
            return math.inf
        case s.Words():
            return situation.configuration.words
        case s.Variable(name) | s.CounterVariable(name):
            bound = situation.environment[name]
            assert isinstance(bound, int)
            return bound
        case s.Parameter(name):
            return situation.parameters[name]
        case s.Size(segment):
            return len(situation.sequence(segment))
        case s.ArcCount():
            return len({(arc.head, arc.dependent) for arc in situation.configuration.arcs})
        case s.FlagValue(name):
            return int(situation.environment[name] is True)
        case s.Degree(left, right):
            return degree(situation.configuration, node_of(left, situation), node_of(right, situation))
        case s.GoldFunction(name, argument):
            return GOLD_FUNCTIONS[name].value(_gold(situation), node_of(argument, situation))
        case s.Arithmetic(operator, left, right):
            return calculate(operator, evaluate(left, situation), evaluate(right, situation))
        case s.Count(transition):
            raise AssertionError(f"#{transition} outside a claim")
        case _:
            assert_never(term)


def cost(line: s.CostLine, situation: Situation) -> int:
    """The cost given by a line of a dynamic oracle."""
    return sum((1 if sign == "+" else -1) * _summand(part, situation) for sign, part in line.parts)


def _summand(part: s.CostPart, situation: Situation) -> int:
    match part:
        case s.Number(value):
            return value
        case s.CountOf(variable, domain, conditions):
            nodes = build_sequence(domain, situation.environment)
            ways = (situation.with_node(variable, node) for node in nodes)
            return sum(all(holds(condition, way) for condition in conditions) for way in ways)
        case s.TruthOf(conditions):
            return int(all(holds(condition, situation) for condition in conditions))
        case _:
            assert_never(part)


def calculate(operator: s.Operator, left: Quantity, right: Quantity) -> Quantity:
    """Calculate exactly; a division must leave no remainder."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left // right if left % right == 0 else left / right
        case "^":
            return left**right
        case _:
            assert_never(operator)


def compare(left: Quantity | Fraction, relation: s.Relation, right: Quantity | Fraction) -> bool:
    """Whether a relation holds between two values."""
    match relation:
        case "=":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case _:
            assert_never(relation)


def node_of(node: s.Node, situation: Situation) -> int:
    """The node a name stands for."""
    match node:
        case s.Variable(name):
            found = situation.environment[name]
            assert isinstance(found, int)
            return found
        case s.Number(value):
            return value
        case _:
            assert_never(node)


def _gold(situation: Situation) -> Gold:
    assert situation.gold is not None, "a gold condition outside an oracle passed the checks"
    return situation.gold


def reaches(c: Configuration, source: int, target: int) -> bool:
    """Whether `source ->* target` in A."""
    seen = {target}
    todo = [target]
    while todo:
        node = todo.pop()
        if node == source:
            return True
        for head in c.heads_of.get(node, ()):
            if head not in seen:
                seen.add(head)
                todo.append(head)
    return False


def connected(c: Configuration, left: int, right: int) -> bool:
    """Whether a path of arcs, in whichever direction, joins the two."""
    component = {left}
    grown = True
    while grown:
        size = len(component)
        for head, _, dependent in c.arcs:
            if head in component or dependent in component:
                component |= {head, dependent}
        grown = len(component) > size
    return right in component


def degree(c: Configuration, left: int, right: int) -> int:
    """The number of words strictly between the two that have no head or whose head lies outside the closed interval."""
    low, high = min(left, right), max(left, right)
    return sum(not any(low <= head <= high for head in c.heads_of.get(word, ())) for word in range(low + 1, high))


# --- start, terminal, effects ----------------------------------------------------------------------------------------


def nodes_of(literal: s.LiteralSequence, words: int) -> tuple[int, ...]:
    """The nodes of `[0]` or `[1..n]` in a sentence of this many words."""
    ranges = [range(part.first, (words if part.last is None else part.last) + 1) for part in literal.ranges]
    return tuple(chain(*ranges))


def start_value(value: s.StartValue, words: int) -> Value:
    """The value of a component in the initial configuration."""
    match value:
        case s.LiteralSequence():
            return nodes_of(value, words)
        case s.FlagLiteral(truth):
            return truth
        case s.CounterFrom(term):
            assert isinstance(term, s.Number)
            return term.value
        case s.SetFrom():
            return frozenset()
        case _:
            assert_never(value)


def build_sequence(sequence: s.SequenceOf, environment: Mapping[str, Value]) -> tuple[int, ...]:
    """The nodes of an expression such as `λ1·λ2|i`."""
    nodes: list[int] = []
    for item in sequence.items:
        value = environment[item.name]
        if isinstance(value, tuple):
            nodes.extend(value)
        else:
            assert isinstance(value, int)
            nodes.append(value)
    return tuple(nodes)


def updated(update: s.Update, situation: Situation) -> Value:
    """The value of a component after a rule."""
    match update:
        case s.SequenceOf():
            return build_sequence(update, situation.environment)
        case s.FlagLiteral(truth):
            return truth
        case s.FlagFrom(condition):
            return holds(condition, situation)
        case s.CounterFrom(term):
            value = evaluate(term, situation)
            if not isinstance(value, int):
                raise BadParameter(f"a counter would become {value}; give the parameter a finite value")
            return value
        case s.SetFrom(base, changes):
            members = situation.environment[base] if base is not None else frozenset()
            assert isinstance(members, frozenset)
            for sign, node in changes:
                member = frozenset({node_of(node, situation)})
                members = members | member if sign == "+" else members - member
            return members
        case _:
            assert_never(update)


def perform(rule: s.Rule, situation: Situation, transition: Transition, several_heads: bool = False) -> Step:
    """The step of a rule whose pattern and preconditions hold."""
    c = situation.configuration
    arcs = c.arcs
    added: list[Arc] = []
    clashes: list[Arc] = []
    tags: list[Tag] = []
    for effect in rule.effects:
        match effect:
            case s.AddArc(head, label, dependent):
                new = Arc(node_of(head, situation), transition.label if label else None, node_of(dependent, situation))
                if any(arc.dependent == new.dependent and (not several_heads or arc.head == new.head) for arc in arcs):
                    clashes.append(new)
                arcs |= {new}
                added.append(new)
            case s.RemoveArcs(dependent):
                word = node_of(dependent, situation)
                arcs = frozenset(arc for arc in arcs if arc.dependent != word)
            case s.TagNode(node):
                tags += [] if transition.label is None else [Tag(node_of(node, situation), transition.label)]
            case _:
                assert_never(effect)
    values = tuple([updated(update, situation) for update in rule.after])
    after = Configuration(c.words, c.names, values, arcs, c.tagged(tags) if tags else c.tags)
    return Step(transition, tuple(added), after, tuple(clashes))
