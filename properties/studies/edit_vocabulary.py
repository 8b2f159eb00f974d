"""The conditions that an edit may add to a line: those that occur in the figure, about any of the nodes and runs that
the line has, and those few that nearly every figure needs.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, permutations, product
from typing import Final, TypeVar

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.studies.mutants import negation
from arcproof.transitions import syntax as s

T = TypeVar("T")
ZERO: Final = s.Number(0)


@dataclass(frozen=True, slots=True)
class Names:
    """The names that the patterns of a line bind."""

    nodes: tuple[str, ...]
    segments: tuple[str, ...]
    counters: tuple[str, ...]
    flags: tuple[str, ...]
    sets: tuple[str, ...]


def names_of(figure: s.Figure, patterns: Sequence[s.Pattern] | None) -> Names:
    """The names of a line by their kinds; without a pattern, every component has its own name."""
    if patterns is None:
        patterns = tuple(
            s.SequenceOf((s.Segment(part.name),)) if isinstance(part, s.SequenceComponent) else s.AnyValue(part.name)
            for part in figure.state
        )
    items = [item for pattern in patterns if isinstance(pattern, s.SequenceOf) for item in pattern.items]
    values: dict[str, list[str]] = {"counter": [], "flag": [], "set": []}
    for component, pattern in zip(figure.state, patterns, strict=True):
        if isinstance(component, s.ValueComponent) and isinstance(pattern, s.AnyValue) and pattern.name != "_":
            values[component.kind].append(pattern.name)
    return Names(
        tuple(item.name for item in items if isinstance(item, s.Cell) and item.is_variable),
        tuple(item.name for item in items if isinstance(item, s.Segment)),
        tuple(values["counter"]),
        tuple(values["flag"]),
        tuple(values["set"]),
    )


def _usual(names: Names) -> Iterator[s.Condition]:
    """Yield conditions on nodes, runs of nodes, counters, flags and sets that nearly every figure uses."""
    for x in map(s.Variable, names.nodes):
        yield s.Comparison((x, ZERO), ("!=",))
        yield s.HasHead(x)
        yield from (s.InSet(x, name) for name in names.sets)
    for x, y in permutations(map(s.Variable, names.nodes), 2):
        yield s.Comparison((x, y), ("<",))
        yield s.Comparison((ZERO, x, y), ("<", "<"))
        yield s.Reaches(x, y)
    for name in names.counters:
        yield from (s.Comparison((s.CounterVariable(name), s.Number(most)), ("<",)) for most in (1, 2, 3))
    yield from map(s.IsSet, names.flags)


def _usual_of_gold(names: Names) -> Iterator[s.Condition]:
    """Yield conditions on the gold graph that nearly every oracle uses."""
    bound = {*names.nodes, *names.segments, *names.counters, *names.flags, *names.sets}
    k = next(name for name in "kmpq" if name not in bound)
    other = s.Variable(k)
    for x in map(s.Variable, names.nodes):
        yield s.Complete(x)
        for segment in names.segments:
            domain = s.SequenceOf((s.Segment(segment),))
            joined = s.Or((s.GoldArc(other, x, None), s.GoldArc(x, other, None)))
            for body in (joined, *joined.parts):
                yield s.Quantified("exists", k, domain, body)
    for x, y in permutations(map(s.Variable, names.nodes), 2):
        yield s.Precedes(x, y)
        yield s.GoldArc(x, y, None)


def _positive(condition: s.Condition) -> s.Condition:
    return condition.body if isinstance(condition, s.Not) else condition


def _parts(conditions: Iterable[s.Condition]) -> Iterator[s.Condition]:
    """Yield the parts of conditions, without labels and negations; gold tags only bind labels."""
    for condition in conditions:
        positive = _positive(condition)
        if not isinstance(positive, s.GoldTag):
            yield replace(positive, label=None) if isinstance(positive, s.GoldArc) else positive


def _about(condition: s.Condition, names: Names) -> Iterator[s.Condition]:
    """Yield the same condition about any of these names instead of its own."""
    inner = {node.variable for node in s.walk(condition) if isinstance(node, s.Quantified)}
    used: dict[type, dict[str, None]] = {s.Variable: {}, s.Segment: {}, s.CounterVariable: {}, s.IsSet: {}, s.InSet: {}}
    for node in s.walk(condition):
        match node:
            case s.Variable(name) | s.Cell(name) if name not in inner:
                used[s.Variable][name] = None
            case s.Segment(name) | s.Size(name) | s.SequenceIs(name):
                used[s.Segment][name] = None
            case s.CounterVariable(name):
                used[s.CounterVariable][name] = None
            case s.IsSet(name):
                used[s.IsSet][name] = None
            case s.InSet(_, name):
                used[s.InSet][name] = None
    if inner & set(names.nodes):
        return
    bound = (names.nodes, names.segments, names.counters, names.flags, names.sets)
    ways = [list(permutations(there, len(own))) for own, there in zip(used.values(), bound, strict=True)]
    for way in product(*ways):
        mapping = dict(zip(chain.from_iterable(used.values()), chain.from_iterable(way), strict=True))
        yield renamed(condition, mapping)


def renamed(node: T, names: dict[str, str]) -> T:
    """The tree with other names for nodes, runs of nodes, counters, flags and sets."""

    def change(part: object) -> object:
        match part:
            case s.Variable(name) | s.Cell(name) | s.Segment(name) | s.CounterVariable(name):
                return replace(part, name=names.get(name, name))
            case s.Size(name) | s.SequenceIs(name):
                return replace(part, segment=names.get(name, name))
            case s.IsSet(name):
                return replace(part, flag=names.get(name, name))
            case s.InSet(_, name):
                return replace(part, set_name=names.get(name, name))
        return part

    return s.transformed(node, change)


def _both(conditions: Iterable[s.Condition]) -> tuple[s.Condition, ...]:
    """Each condition and its negation."""
    return tuple(dict.fromkeys(chain.from_iterable((condition, negation(condition)) for condition in conditions)))


def vocabulary(figure: s.Figure, names: Names) -> tuple[s.Condition, ...]:
    """The conditions that may be used as preconditions of a transition."""
    stated = _parts(condition for rule in figure.rules for condition in rule.preconditions)
    own = chain.from_iterable(_about(condition, names) for condition in dict.fromkeys(stated))
    return (*_both(dict.fromkeys(chain(own, _usual(names)))), s.Not(s.HasDependent(ZERO)))


def gold_vocabulary(figure: s.Figure, names: Names) -> tuple[s.Condition, ...]:
    """The conditions that may be used in a line of an oracle."""
    stated = _parts(condition for oracle in figure.oracles for line in oracle.lines for condition in line.conditions)
    own = chain.from_iterable(_about(condition, names) for condition in dict.fromkeys(stated))
    return _both(dict.fromkeys(chain(own, _usual_of_gold(names), _usual(names))))
