"""Edits of one transition, or of the start: conditions, nodes, items, values of flags and counters."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Final, TypeAlias, TypeVar

from arcproof.properties.studies.edit_vocabulary import ZERO, names_of, vocabulary
from arcproof.properties.studies.mutants import NOTHING, Made, negation, placed
from arcproof.transitions import syntax as s

T = TypeVar("T")


Rules: TypeAlias = Iterator[s.Rule]


def _each_rule(figure: s.Figure, change: Callable[[s.Figure, s.Rule], Rules]) -> Made:
    for index, rule in enumerate(figure.rules):
        for changed in change(figure, rule):
            yield rule.name, "", replace(figure, rules=placed(figure.rules, index, changed))


def _add_precondition(figure: s.Figure) -> Made:
    def change(figure: s.Figure, rule: s.Rule) -> Rules:
        for condition in vocabulary(figure, names_of(figure, rule.before)):
            if condition not in rule.preconditions and negation(condition) not in rule.preconditions:
                yield replace(rule, preconditions=(*rule.preconditions, condition))

    return _each_rule(figure, change)


def add_alternative(figure: s.Figure) -> Made:
    """Let another condition do in place of a precondition."""

    def change(figure: s.Figure, rule: s.Rule) -> Rules:
        names = names_of(figure, rule.before)
        empty = (s.SequenceIs(segment, "=", NOTHING) for segment in names.segments)
        for preconditions in with_alternatives(rule.preconditions, (*empty, *vocabulary(figure, names))):
            yield replace(rule, preconditions=preconditions)

    return _each_rule(figure, change)


def _other_value(figure: s.Figure) -> Made:
    """Set a flag, reset or count up a counter, or keep the value of either."""

    def change(figure: s.Figure, rule: s.Rule) -> Rules:
        for index, (component, before) in enumerate(zip(figure.state, rule.before, strict=True)):
            if isinstance(component, s.ValueComponent):
                for update in _values(component.kind, before):
                    yield replace(rule, after=placed(rule.after, index, update))

    return _each_rule(figure, change)


def _values(kind: str, before: s.Pattern) -> Iterator[s.Update]:
    name = before.name if isinstance(before, s.AnyValue) and before.name != "_" else None
    match kind:
        case "flag":
            yield from map(s.FlagLiteral, (False, True))
            if name is not None:
                yield s.FlagFrom(s.IsSet(name))
        case "counter":
            yield s.CounterFrom(ZERO)
            if name is not None:
                yield s.CounterFrom(s.CounterVariable(name))
                yield s.CounterFrom(s.Arithmetic("+", s.CounterVariable(name), s.Number(1)))


def _another_node(figure: s.Figure) -> Made:
    def change(figure: s.Figure, rule: s.Rule) -> Rules:
        alternatives = other_nodes(names_of(figure, rule.before).nodes)
        for effects in s.variants(rule.effects, alternatives):
            yield replace(rule, effects=effects)
        for preconditions in s.variants(rule.preconditions, alternatives):
            yield replace(rule, preconditions=preconditions)

    return _each_rule(figure, change)


def _move_item(figure: s.Figure) -> Made:
    """Move an item of a transition: before `=>` within its own sequence, after it to any sequence; or put an item that
    is dropped after `=>` anywhere.
    """

    def change(_: s.Figure, rule: s.Rule) -> Rules:
        for before in rearranged(rule.before):
            yield replace(rule, before=before)
        for after in rearranged(rule.after, across=True):
            yield replace(rule, after=after)
        there = {item.name for item in items_of(rule.after)}
        for item in items_of(rule.before):
            if item.name not in there and item.name != "_":
                for after in with_item(rule.after, item):
                    yield replace(rule, after=after)

    return _each_rule(figure, change)


# --- parts of lines --------------------------------------------------------------------------------------------------


def with_alternatives(
    stated: tuple[s.Condition, ...], conditions: Iterable[s.Condition]
) -> Iterator[tuple[s.Condition, ...]]:
    """Yield the conditions with an alternative to one of them."""
    for (k, condition), other in product(enumerate(stated), conditions):
        parts = condition.parts if isinstance(condition, s.Or) else (condition,)
        if other not in parts and negation(other) not in parts and not has_label(condition):
            yield placed(stated, k, s.Or((*parts, other)))


def has_label(condition: s.Condition) -> bool:
    """Whether a condition binds the label of the transition, so that it cannot be left out."""
    return isinstance(condition, s.GoldArc | s.GoldTag) and condition.label is not None


def other_nodes(nodes: Sequence[str]) -> Callable[[object], Iterator[object]]:
    """A function that yields the alternatives to a node: every other node of the line, or 0."""

    def alternatives(part: object) -> Iterator[object]:
        if isinstance(part, s.Variable) and part.name in nodes:
            yield from (replace(part, name=name) for name in nodes if name != part.name)
            yield ZERO
        elif part == ZERO:
            yield from map(s.Variable, nodes)

    return alternatives


def items_of(parts: Sequence[object]) -> list[s.Item]:
    """The items of all sequences."""
    return [item for part in parts if isinstance(part, s.SequenceOf) for item in part.items]


def with_item(parts: tuple[T, ...], item: s.Item) -> Iterator[tuple[T, ...]]:
    """Yield the sequences with one more item, anywhere."""
    for index, part in enumerate(parts):
        if isinstance(part, s.SequenceOf):
            for k in range(len(part.items) + 1):
                more: Any = replace(part, items=(*part.items[:k], item, *part.items[k:]))
                yield placed(parts, index, more)


def rearranged(parts: tuple[T, ...], across: bool = False) -> Iterator[tuple[T, ...]]:
    """Yield the sequences with one item moved, within its own sequence or to any."""
    for index, part in enumerate(parts):
        for k, item in enumerate(part.items if isinstance(part, s.SequenceOf) else ()):
            assert isinstance(part, s.SequenceOf)
            fewer: Any = replace(part, items=placed(part.items, k))
            if across:
                yield from with_item(placed(parts, index, fewer), item)
            else:
                for (moved,) in with_item((fewer,), item):
                    yield placed(parts, index, moved)


# --- start and end ---------------------------------------------------------------------------------------------------


_RANGES: Final = (s.NodeRange(0, 0), s.NodeRange(1, None))


def _add_to_start(figure: s.Figure) -> Made:
    """Add a missing part, anywhere; or let a part begin one node later."""
    there = [part for value in figure.start if isinstance(value, s.LiteralSequence) for part in value.ranges]
    for index, value in enumerate(figure.start):
        if not isinstance(value, s.LiteralSequence):
            continue
        for part in _RANGES:
            for k in range(len(value.ranges) + 1) if part not in there else ():
                ranges = (*value.ranges[:k], part, *value.ranges[k:])
                yield "start", "", replace(figure, start=placed(figure.start, index, s.LiteralSequence(ranges)))
        for k, part in enumerate(value.ranges):
            if part.last is None:
                later = s.LiteralSequence(placed(value.ranges, k, replace(part, first=part.first + 1)))
                yield "start", "", replace(figure, start=placed(figure.start, index, later))


EDITS: Final[dict[str, Callable[[s.Figure], Made]]] = {
    "add precondition": _add_precondition,
    "another node": _another_node,
    "other value": _other_value,
    "move item": _move_item,
    "add to start": _add_to_start,
}
