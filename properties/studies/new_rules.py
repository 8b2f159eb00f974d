"""Figures with one more transition of the usual kind: it has at most two nodes, moves one of them, drops one of them,
or both, and adds at most one arc between them.

A transition that moves a node may also merge two sequences, as shifts of list-based systems do.  No oracle uses the
transition yet.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, permutations, product
from typing import Final

from arcproof.properties.studies.edit_vocabulary import ZERO, names_of, renamed, vocabulary
from arcproof.properties.studies.mutants import Made, placed
from arcproof.properties.studies.rule_edits import rearranged
from arcproof.transitions import syntax as s
from arcproof.transitions.library import SUFFIX
from arcproof.transitions.system import load

NEW: Final = "NEW"
"""The name of an added transition, unless the figure mentions a transition that it lacks."""


def add_transition(figure: s.Figure) -> Made:
    """Add a transition, with any of the preconditions that the figure suggests."""
    name = _new_name(figure)
    label = next((rule.label for rule in figure.rules if rule.label is not None), "l")
    for before in _patterns(figure):
        nodes = [s.Variable(cell) for cell in names_of(figure, before).nodes]
        same = _kept(figure, before)
        afters = dict.fromkeys((*_shorter(same), *rearranged(same, across=True)))
        both = dict.fromkeys(moved for fewer in _shorter(same) for moved in rearranged(fewer, across=True))
        for after in afters | both:
            for effects in (*_arcs(nodes, label), *([()] if after in afters else [])):
                if effects or after != same:
                    for preconditions in _preconditions(figure, before, effects):
                        rule = s.Rule(name, label if effects else None, before, after, effects, preconditions)
                        yield name, "", replace(figure, rules=(*figure.rules, rule))
        for after in _joined(afters):
            rule = s.Rule(name, None, before, after, (), ())
            yield name, "", replace(figure, rules=(*figure.rules, rule))


def _new_name(figure: s.Figure) -> str:
    """The first name that is mentioned but missing: counted in a claim, or a transition of a built-in system that this
    one claims to be like.
    """
    there = figure.transitions()
    parts = list(s.walk(figure.claims))
    counted = (part.transition for part in parts if isinstance(part, s.Count | s.CountBound))
    named = (part.system for part in parts if isinstance(part, s.SameTransitions))
    alike = (load(name).transitions for name in named if not name.partition("[")[0].endswith(SUFFIX))
    mentioned = chain(counted, chain.from_iterable(alike))
    return next((name for name in mentioned if name not in there), NEW)


def _patterns(figure: s.Figure) -> Iterator[tuple[s.Pattern, ...]]:
    """Yield the patterns of the figure, and those in which every sequence is empty or has none, one or two named nodes
    at its head, two in all.
    """
    found: dict[tuple[s.Pattern, ...], None] = {}
    ways: list[list[tuple[int, bool]]] = [
        [(0, False), (1, False), (2, False), (0, True)] if isinstance(part, s.SequenceComponent) else [(0, False)]
        for part in figure.state
    ]
    for way in product(*ways):
        if 0 < sum(count for count, _ in way) <= 2 and sum(empty for _, empty in way) <= 1:
            found[_pattern(figure, way)] = None
    found |= {rule.before: None for rule in figure.rules if len(names_of(figure, rule.before).nodes) <= 2}
    yield from found


def _pattern(figure: s.Figure, way: Sequence[tuple[int, bool]]) -> tuple[s.Pattern, ...]:
    taken = {part.name for part in figure.state}
    free = iter(name for name in "ijkm" if name not in taken)
    patterns: list[s.Pattern] = []
    for part, (count, empty) in zip(figure.state, way, strict=True):
        if not isinstance(part, s.SequenceComponent):
            patterns.append(s.AnyValue(part.name))
            continue
        cells: tuple[s.Item, ...] = tuple(s.Cell(next(free)) for _ in range(count))
        rest: tuple[s.Item, ...] = () if empty else (s.Segment(part.name),)
        patterns.append(s.SequenceOf((*rest, *cells) if part.head == "right" else (*cells, *rest)))
    return tuple(patterns)


def _kept(figure: s.Figure, before: tuple[s.Pattern, ...]) -> tuple[s.Update, ...]:
    """Updates that leave everything as it is, except that a counter is reset."""
    return tuple(_same(part, pattern) for part, pattern in zip(figure.state, before, strict=True))


def _same(part: s.Component, pattern: s.Pattern) -> s.Update:
    match pattern:
        case s.SequenceOf() | s.FlagLiteral():
            return pattern
        case s.CounterFrom():
            return pattern
        case s.AnyValue(name):
            match part.kind:
                case "flag":
                    return s.FlagLiteral(False) if name == "_" else s.FlagFrom(s.IsSet(name))
                case "set":
                    return s.SetFrom(None if name == "_" else name, ())
                case _:
                    return s.CounterFrom(s.Number(0))


def _shorter(after: tuple[s.Update, ...]) -> Iterator[tuple[s.Update, ...]]:
    """Yield the updates as they are, and without one of the nodes."""
    yield after
    for index, part in enumerate(after):
        for k, item in enumerate(part.items if isinstance(part, s.SequenceOf) else ()):
            if isinstance(item, s.Cell) and isinstance(part, s.SequenceOf):
                yield placed(after, index, replace(part, items=placed(part.items, k)))


def _joined(afters: Iterable[tuple[s.Update, ...]]) -> Iterator[tuple[s.Update, ...]]:
    """Yield the updates that move a node and also merge another sequence into one, leaving it empty."""
    for after in afters:
        for more in rearranged(after, across=True):
            if sum(part == s.SequenceOf(()) for part in more) > sum(part == s.SequenceOf(()) for part in after):
                yield more


def _arcs(nodes: Sequence[s.Variable], label: str) -> Iterator[tuple[s.Effect, ...]]:
    for head, dependent in permutations(nodes, 2):
        yield (s.AddArc(head, label, dependent),)


def _preconditions(
    figure: s.Figure, before: tuple[s.Pattern, ...], effects: tuple[s.Effect, ...]
) -> Iterator[tuple[s.Condition, ...]]:
    """Yield preconditions: for an arc, those that the figure requires for other arcs with the same ends, and the usual
    ones; otherwise at most one condition.
    """
    names = names_of(figure, before)
    found: dict[tuple[s.Condition, ...], None] = {(): None}
    for effect in effects:
        if (
            isinstance(effect, s.AddArc)
            and isinstance(effect.head, s.Variable)
            and isinstance(effect.dependent, s.Variable)
        ):
            not_root, headless = s.Comparison((effect.dependent, ZERO), ("!=",)), s.Not(s.HasHead(effect.dependent))
            found |= dict.fromkeys(((not_root,), (headless,), (not_root, headless)))
            for rule in figure.rules:
                for other in rule.effects:
                    match other:
                        case s.AddArc(s.Variable(head), _, s.Variable(dependent)):
                            ends = {head: effect.head.name, dependent: effect.dependent.name}
                            asked = renamed(rule.preconditions, ends)
                            of_root = () if not_root in asked else (not_root,)
                            without = tuple(condition for condition in asked if condition != not_root)
                            found |= dict.fromkeys((asked, (*of_root, *asked), without))
    if not effects:
        found |= {(condition,): None for condition in vocabulary(figure, names)}
    bound = {*names.nodes, *names.segments, *names.counters}
    for conditions in found:
        used = {part.name for part in s.walk(conditions) if isinstance(part, s.Variable | s.CounterVariable)}
        used |= {part.segment for part in s.walk(conditions) if isinstance(part, s.Size)}
        inner = {part.variable for part in s.walk(conditions) if isinstance(part, s.Quantified)}
        domains = {
            item.name for part in s.walk(conditions) if isinstance(part, s.Quantified) for item in part.domain.items
        }
        if used | domains <= bound | inner:
            yield conditions
