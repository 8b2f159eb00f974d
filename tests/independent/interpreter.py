"""What a figure means, read off docs/language.md: slow, short, and independent of arcproof but for its syntax tree.

An arc is (head, label, dependent).  A configuration holds the values of the components in declared order, the arcs and
the tags.  Nothing is shared with `transitions.execute`; where the two differ, one of them is wrong.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from arcproof.transitions import syntax as s

Value: TypeAlias = Any
"""A tuple of nodes, a truth value, an integer, or a frozenset of nodes."""
Arc: TypeAlias = tuple[int, str | None, int]
Environment: TypeAlias = Mapping[str, Value]


class NotJudged(Exception):
    """A question that this interpreter does not answer, or that is too large for it."""


class Configuration(NamedTuple):
    """A configuration for a sentence of `words` words."""

    words: int
    values: tuple[Value, ...]
    arcs: frozenset[Arc] = frozenset()
    tags: frozenset[tuple[int, str]] = frozenset()

    def heads(self, node: int) -> set[int]:
        return {head for head, _, dependent in self.arcs if dependent == node}

    @property
    def output(self) -> frozenset[tuple[int, int]]:
        """The arcs without their labels."""
        return frozenset((head, dependent) for head, _, dependent in self.arcs)


class Transition(NamedTuple):
    """A name, a label where the case carries one and labels are looked at, and the lengths that are chosen, plus 1."""

    name: str
    label: str | None
    choice: tuple[int, ...]


class Step(NamedTuple):
    """A transition, the configuration after it, what it did wrong by SINGLE-HEAD and ROOT, and the words that it tags
    without a tag.
    """

    transition: Transition
    after: Configuration
    added: tuple[Arc, ...]
    into_root: bool
    clashes: bool
    untagged: frozenset[int] = frozenset()


class Gold(NamedTuple):
    """A gold graph as the oracles of a figure see it, and the gold tags."""

    words: int
    arcs: frozenset[Arc]
    tags: Mapping[int, str]

    def label(self, head: int, dependent: int) -> str | None:
        return next(label for h, label, d in self.arcs if (h, d) == (head, dependent))

    def has(self, head: int, dependent: int) -> bool:
        return any((h, d) == (head, dependent) for h, _, d in self.arcs)

    def dependents(self, node: int) -> list[int]:
        return sorted(d for h, _, d in self.arcs if h == node)


class Scene(NamedTuple):
    """Where a condition is evaluated: a configuration, what names stand for, parameters, and perhaps a gold graph.

    `label` is the label of a transition whose cost is asked for, in a tuple of its own; elsewhere it is empty.
    """

    c: Configuration
    names: Environment
    parameters: Mapping[str, float]
    gold: Gold | None = None
    label: tuple[str | None, ...] = ()


# --- patterns --------------------------------------------------------------------------------------------------------


def splits(items: tuple[s.Item, ...], nodes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to divide a sequence among the items of a pattern: a node has one place, a run any number."""
    if not items:
        if not nodes:
            yield ()
        return
    lengths = [1] if isinstance(items[0], s.Cell) else range(len(nodes) + 1)
    for length in lengths:
        if length <= len(nodes):
            for others in splits(items[1:], nodes[length:]):
                yield nodes[:length], *others


def matches_of(
    pattern: s.Pattern, component: s.Component, value: Value
) -> Iterator[tuple[tuple[int, ...], dict[str, Value]]]:
    """Every way in which a pattern matches, with its choice: the lengths, plus 1, of all runs but the rest, from the
    head on.
    """
    match pattern:
        case s.SequenceOf(items):
            assert isinstance(component, s.SequenceComponent)
            for split in splits(items, value):
                names: dict[str, Value] = {}
                lengths = []
                fits = True
                for item, part in zip(items, split, strict=True):
                    if isinstance(item, s.Segment):
                        names[item.name] = part
                        lengths.append(len(part) + 1)
                    elif item.name == s.ROOT_CELL:
                        fits = fits and part == (0,)
                        names[item.name] = 0
                    elif item.name != "_":
                        names[item.name] = part[0]
                if fits:
                    from_head = lengths if component.head == "left" else lengths[::-1]
                    yield tuple(from_head[:-1]), names
        case s.AnyValue(name):
            yield (), ({} if name == "_" else {name: value})
        case s.FlagLiteral(truth):
            if value is truth:
                yield (), {}
        case s.CounterFrom(s.Number(number)):
            if value == number:
                yield (), {}


def environments(
    figure: s.Figure, patterns: tuple[s.Pattern, ...], c: Configuration
) -> list[tuple[tuple[int, ...], dict[str, Value]]]:
    """Every way in which all patterns match; the shortest choice first."""
    parts = [
        list(matches_of(pattern, component, value))
        for pattern, component, value in zip(patterns, figure.state, c.values, strict=True)
    ]
    ways = []
    for way in product(*parts):
        names = {name: value for _, some in way for name, value in some.items()}
        ways.append((tuple(length for choice, _ in way for length in choice), names))
    return sorted(ways, key=lambda way: way[0])


def by_name(figure: s.Figure, c: Configuration) -> dict[str, Value]:
    """The components by their own names."""
    return {component.name: value for component, value in zip(figure.state, c.values, strict=True)}


# --- terms and conditions --------------------------------------------------------------------------------------------


def node(term: s.Node, scene: Scene) -> int:
    return term.value if isinstance(term, s.Number) else int(scene.names[term.name])


def nodes_of(sequence: s.SequenceOf, names: Environment) -> tuple[int, ...]:
    """The nodes of an expression such as `σ|i`."""
    parts = [names[item.name] if isinstance(item, s.Segment) else (names[item.name],) for item in sequence.items]
    return tuple(found for part in parts for found in part)


def literal(sequence: s.LiteralSequence, words: int) -> tuple[int, ...]:
    """`[1..n, 0]`."""
    return tuple(
        found
        for part in sequence.ranges
        for found in range(part.first, (words if part.last is None else part.last) + 1)
    )


def number(term: s.Term, scene: Scene, counts: Mapping[str, int] | None = None) -> Any:
    """The value of a term; `counts` says how often each transition occurred, for claims about runs."""
    match term:
        case s.Number(value):
            return value
        case s.Infinity():
            return math.inf
        case s.Words():
            return scene.c.words
        case s.Variable(name) | s.CounterVariable(name):
            return scene.names[name]
        case s.Parameter(name):
            return scene.parameters[name]
        case s.Size(segment):
            return len(scene.names[segment])
        case s.ArcCount():
            return len(scene.c.output)
        case s.FlagValue(name):
            return int(scene.names[name])
        case s.Degree(left, right):
            low, high = sorted((node(left, scene), node(right, scene)))
            return sum(not any(low <= head <= high for head in scene.c.heads(word)) for word in range(low + 1, high))
        case s.GoldFunction("mpc", argument):
            assert scene.gold is not None
            return projective_component(scene.gold, node(argument, scene))
        case s.Count(transition):
            if counts is None:
                raise NotJudged("a count outside a run")
            return counts.get(transition, 0)
        case s.Arithmetic(operator, one, other):
            left_value, right_value = number(one, scene, counts), number(other, scene, counts)
            match operator:
                case "+":
                    return left_value + right_value
                case "-":
                    return left_value - right_value
                case "*":
                    return left_value * right_value
                case "/":
                    return Fraction(left_value) / Fraction(right_value)
                case "^":
                    return left_value**right_value
    raise NotJudged(f"the term {term}")


def related(one: Any, relation: str, other: Any) -> bool:
    return {
        "=": one == other, "!=": one != other, "<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other,
    }[relation]  # fmt: skip


def holds(condition: s.Condition, scene: Scene) -> bool:
    """Whether a condition is true."""
    match condition:
        case s.Comparison(terms, relations):
            values = [number(term, scene) for term in terms]
            return all(
                related(one, relation, other)
                for one, relation, other in zip(values, relations, values[1:], strict=False)
            )
        case s.SequenceIs(segment, relation, value):
            return (scene.names[segment] == literal(value, scene.c.words)) == (relation == "=")
        case s.HasHead(word):
            return bool(scene.c.heads(node(word, scene)))
        case s.HasDependent(head):
            return any(arc[0] == node(head, scene) for arc in scene.c.arcs)
        case s.HasArc(head, dependent):
            return node(head, scene) in scene.c.heads(node(dependent, scene))
        case s.Reaches(source, target):
            return node(target, scene) in reached(scene.c.output, node(source, scene))
        case s.Connected(left, right):
            both = scene.c.output | {(d, h) for h, d in scene.c.output}
            return node(right, scene) in reached(both, node(left, scene))
        case s.IsSet(flag):
            return bool(scene.names[flag])
        case s.InSet(member, set_name):
            return node(member, scene) in scene.names[set_name]
        case s.InSequence(member, sequence):
            return node(member, scene) in nodes_of(sequence, scene.names)
        case s.Quantified(quantifier, variable, domain, body):
            truths = [
                holds(body, scene._replace(names={**scene.names, variable: one}))
                for one in nodes_of(domain, scene.names)
            ]
            return any(truths) if quantifier == "exists" else all(truths)
        case s.Not(body):
            return not holds(body, scene)
        case s.And(parts):
            return all(holds(part, scene) for part in parts)
        case s.Or(parts):
            return any(holds(part, scene) for part in parts)
        case s.GoldArc(head, dependent, label):
            assert scene.gold is not None
            ends = node(head, scene), node(dependent, scene)
            if not scene.gold.has(*ends):
                return False
            return label is None or not scene.label or scene.gold.label(*ends) == scene.label[0]
        case s.GoldTag():
            return True
        case s.Complete(head):
            assert scene.gold is not None
            x = node(head, scene)
            return all((x, word) in scene.c.output for word in scene.gold.dependents(x))
        case s.Precedes(left, right):
            assert scene.gold is not None
            order = projective_order(scene.gold)
            return order.index(node(left, scene)) < order.index(node(right, scene))
    raise NotJudged(f"the condition {condition}")


def reached(arcs: "frozenset[tuple[int, int]] | set[tuple[int, int]]", source: int) -> set[int]:
    """The nodes to which arcs lead from a node, itself included."""
    found = {source}
    while more := {d for h, d in arcs if h in found} - found:
        found |= more
    return found


# --- the gold graph --------------------------------------------------------------------------------------------------


def projective_order(gold: Gold) -> list[int]:
    """Nivre 2009, section 3.2: an inorder traversal from 0, left dependents, the node, right dependents; a word without
    a head is visited like a dependent of 0.
    """
    headed = {d for _, _, d in gold.arcs}

    def below(x: int) -> list[int]:
        loose = [word for word in range(1, gold.words + 1) if word not in headed] if x == 0 else []
        return sorted([*gold.dependents(x), *loose])

    def visited(x: int) -> list[int]:
        left = [found for y in below(x) if y < x for found in visited(y)]
        return [*left, x, *(found for y in below(x) if y > x for found in visited(y))]

    return visited(0)


def projective_component(gold: Gold, x: int) -> int:
    """Nivre, Kuhlmann & Hall 2009: the root of x's part of what arc-standard builds without SWAP, adding an arc as soon
    as its dependent has all its dependents.
    """
    built: set[tuple[int, int]] = set()
    stack, buffer = [0], list(range(1, gold.words + 1))

    def is_complete(y: int) -> bool:
        return all((y, d) in built for d in gold.dependents(y))

    while True:
        i, j = stack[-2:] if len(stack) > 1 else (0, 0)
        if i != j and gold.has(j, i) and is_complete(i):
            built.add((j, i))
            stack.remove(i)
        elif i != j and gold.has(i, j) and is_complete(j):
            built.add((i, j))
            stack.remove(j)
        elif buffer:
            stack.append(buffer.pop(0))
        else:
            break
    while heads := [h for h, d in built if d == x]:
        x = heads[0]
    return x


# --- running ---------------------------------------------------------------------------------------------------------


class System:
    """A figure with the values of its parameters; `others` are the systems that its claims name."""

    def __init__(
        self, figure: s.Figure, parameters: Mapping[str, float], others: "Mapping[str, System] | None" = None
    ) -> None:
        self.figure, self.parameters, self.others = figure, parameters, others or {}

    def with_values(self, graphs: s.GraphClass) -> s.GraphClass:
        """A class whose measures have numbers for bounds."""
        return replace(graphs, restrictions=tuple(map(self._with_value, graphs.restrictions)))

    def _with_value(self, restriction: s.Restriction) -> s.Restriction:
        if not isinstance(restriction.bound, s.Parameter):
            return restriction
        value = self.parameters[restriction.bound.name]
        return replace(restriction, bound=s.Infinity() if value == math.inf else s.Number(int(value)))

    def scene(self, c: Configuration, names: Environment, gold: Gold | None = None) -> Scene:
        return Scene(c, names, self.parameters, gold)

    def start(self, words: int) -> Configuration:
        values: list[Value] = []
        for value in self.figure.start:
            match value:
                case s.LiteralSequence():
                    values.append(literal(value, words))
                case s.FlagLiteral(truth):
                    values.append(truth)
                case s.CounterFrom(s.Number(count)):
                    values.append(count)
                case s.SetFrom():
                    values.append(frozenset())
        return Configuration(words, tuple(values))

    def is_terminal(self, c: Configuration) -> bool:
        scene = self.scene(c, by_name(self.figure, c))
        return all(holds(condition, scene) for condition in self.figure.final)

    def steps(self, c: Configuration, labels: tuple[str, ...] = ()) -> list[Step]:
        """What is permissible, each name and choice by the first case that applies; where the case carries a label,
        once with each of the labels, or without one if labels are not looked at.
        """
        found: dict[tuple[str, tuple[int, ...]], list[Step]] = {}
        for rule in self.figure.rules:
            for choice, names in environments(self.figure, rule.before, c):
                if (rule.name, choice) not in found:
                    scene = self.scene(c, names)
                    if all(holds(condition, scene) for condition in rule.preconditions):
                        chosen = (labels or (None,)) if rule.label is not None else (None,)
                        found[rule.name, choice] = [self.perform(rule, scene, choice, label) for label in chosen]
        return [step for some in found.values() for step in some]

    def perform(self, rule: s.Rule, scene: Scene, choice: tuple[int, ...], label: str | None) -> Step:
        """Effects in the order of the figure, then the components."""
        c = scene.c
        arcs, tags = set(c.arcs), dict(c.tags)
        added: list[Arc] = []
        into_root = clashes = False
        untagged: set[int] = set()
        for effect in rule.effects:
            match effect:
                case s.AddArc(head, name, dependent):
                    arc = node(head, scene), (label if name is not None else None), node(dependent, scene)
                    into_root = into_root or arc[2] == 0
                    several = self.figure.several_heads
                    clashes = clashes or any(d == arc[2] and (not several or h == arc[0]) for h, _, d in arcs)
                    arcs.add(arc)
                    added.append(arc)
                case s.RemoveArcs(dependent):
                    arcs = {arc for arc in arcs if arc[2] != node(dependent, scene)}
                case s.TagNode(word):
                    if label is not None:
                        tags[node(word, scene)] = label
                    else:
                        untagged.add(node(word, scene))
        values = tuple(self.updated(update, scene) for update in rule.after)
        after = Configuration(c.words, values, frozenset(arcs), frozenset(tags.items()))
        return Step(Transition(rule.name, label, choice), after, tuple(added), into_root, clashes, frozenset(untagged))

    def updated(self, update: s.Update, scene: Scene) -> Value:
        match update:
            case s.SequenceOf():
                return nodes_of(update, scene.names)
            case s.FlagLiteral(truth):
                return truth
            case s.FlagFrom(condition):
                return holds(condition, scene)
            case s.CounterFrom(term):
                value = number(term, scene)
                if not isinstance(value, int):
                    raise NotJudged("a counter that is infinite")
                return value
            case s.SetFrom(base, changes):
                members = set(scene.names[base]) if base is not None else set()
                for sign, one in changes:
                    members = members | {node(one, scene)} if sign == "+" else members - {node(one, scene)}
                return frozenset(members)

    # --- oracles -----------------------------------------------------------------------------------------------------

    def gold(self, words: int, arcs: frozenset[Arc], tags: Mapping[int, str] | None = None) -> Gold:
        """A gold graph as the oracles see it: with `root none` a word that depends on 0 alone has no head."""
        if self.figure.rootless:
            others = {d for h, _, d in arcs if h != 0}
            arcs = frozenset((h, label, d) for h, label, d in arcs if h != 0 or d in others)
        return Gold(words, arcs, tags or {})

    def predicted(self, oracle: s.Oracle, c: Configuration, gold: Gold) -> Step | None:
        """The step for the first line that applies; None if none does, or if its transition is not permissible."""
        for line in oracle.lines:
            ways = (
                [((), by_name(self.figure, c))] if line.pattern is None else environments(self.figure, line.pattern, c)
            )
            for _, names in ways:
                scene = self.scene(c, names, gold)
                if all(holds(condition, scene) for condition in line.conditions):
                    return self._asked_for(line, scene)
        return None

    def _asked_for(self, line: s.OracleLine, scene: Scene) -> Step | None:
        label = self._label(line, scene)
        labels = () if label is None else (label,)
        choices = set()
        for rule in self.figure.transitions()[line.transition]:
            segments = [name for _, name in s.choices(rule, self.figure.state)]
            if all(isinstance(scene.names.get(name), tuple) for name in segments):
                choices.add(tuple(len(scene.names[name]) + 1 for name in segments))
        for step in self.steps(scene.c, labels):
            if step.transition.name == line.transition and step.transition.choice in choices:
                return step
        return None

    def _label(self, line: s.OracleLine, scene: Scene) -> str | None:
        """The label of the gold arc, or the gold tag, to which the line binds the label of the transition."""
        assert scene.gold is not None
        for condition in line.conditions if line.label is not None else ():
            match condition:
                case s.GoldArc(head, dependent, line.label):
                    return scene.gold.label(node(head, scene), node(dependent, scene))
                case s.GoldTag(word, line.label):
                    return scene.gold.tags.get(node(word, scene))
        return None

    def oracle_run(self, oracle: s.Oracle, gold: Gold) -> list[Step] | None:
        """The run in which an oracle derives a gold graph, with its labels; None if it does not: no line applies, the
        transition is not permissible, an arc is added to a word with a head, the run does not end, or ends in another
        graph or with a wrong tag or none.
        """
        c = self.start(gold.words)
        run: list[Step] = []
        seen = {c}
        while not self.is_terminal(c):
            step = self.predicted(oracle, c, gold)
            if step is None or step.clashes or step.after in seen or len(run) > 500:
                return None
            run.append(step)
            c = step.after
            seen.add(c)
        given, left = dict(c.tags), {word for step in run for word in step.untagged if word in gold.tags}
        is_right = (
            c.arcs == gold.arcs and all(gold.tags.get(word) == tag for word, tag in c.tags) and left <= set(given)
        )
        return run if is_right else None

    # --- dynamic oracles ---------------------------------------------------------------------------------------------

    def cost(self, oracle: s.DynamicOracle, c: Configuration, transition: Transition, gold: Gold) -> int | None:
        """What a dynamic oracle says; None if no line matches.  The lengths that a line leaves open are those of the
        transition.
        """
        if oracle.loss is not None:
            raise NotJudged("a loss function")
        for line in oracle.lines:
            if line.transition != transition.name:
                continue
            ways = (
                [((), by_name(self.figure, c))] if line.pattern is None else environments(self.figure, line.pattern, c)
            )
            for choice, names in ways:
                if choice in ((), transition.choice):
                    scene = self.scene(c, names, gold)._replace(label=(transition.label,))
                    return sum((1 if sign == "+" else -1) * self._summand(part, scene) for sign, part in line.parts)
        return None

    def _summand(self, part: s.CostPart, scene: Scene) -> int:
        match part:
            case s.Number(value):
                return value
            case s.TruthOf(conditions):
                return int(all(holds(condition, scene) for condition in conditions))
            case s.CountOf(variable, domain, conditions):
                scenes = [scene._replace(names={**scene.names, variable: one}) for one in nodes_of(domain, scene.names)]
                return sum(all(holds(condition, one) for condition in conditions) for one in scenes)
