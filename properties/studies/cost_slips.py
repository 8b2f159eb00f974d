"""Slips in the costs of a dynamic oracle, each a single change to one line: typical careless mistakes.

A summand is left out, a count goes over `σ` instead of `σ|i` or the other way round, a condition such as `no head(k)`
is left out, the head and dependent of a gold arc are exchanged, or a number is off by one.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, Literal, TypeAlias

from arcproof.transitions import syntax as s
from arcproof.transitions.printing.notation import SOURCE, cost_text

Parts: TypeAlias = tuple[tuple[Literal["+", "-"], s.CostPart], ...]
Made: TypeAlias = Iterator[tuple[str, str, s.Figure]]
NOTHING: Final[Parts] = (("+", s.Number(0)),)


def each_cost_line(figure: s.Figure, change: Callable[[s.CostLine], Iterator[Parts]]) -> Made:
    """Yield every figure in which the cost of one line is changed."""
    for index, oracle in enumerate(figure.dynamic_oracles):
        for k, line in enumerate(oracle.lines):
            for parts in change(line):
                changed = replace(line, parts=parts)
                lines = (*oracle.lines[:k], changed, *oracle.lines[k + 1 :])
                oracles = list(figure.dynamic_oracles)
                oracles[index] = replace(oracle, lines=lines)
                what = f"{line.transition}: `{cost_text(line, SOURCE)}` becomes `{cost_text(changed, SOURCE)}`"
                yield f"dynamic {oracle.name}", what, replace(figure, dynamic_oracles=tuple(oracles))


def _varied(parts: Parts, alternatives: Callable[[object], Iterator[object]]) -> Iterator[Parts]:
    """Yield the parts with one node replaced; `gold head(i) in β` counts as one node."""
    return s.variants(parts, alternatives, lambda node: isinstance(node, s.Quantified) and node.variable == s.GOLD_HEAD)


# --- the slips -------------------------------------------------------------------------------------------------------


def _drop_summand(line: s.CostLine) -> Iterator[Parts]:
    for k in range(len(line.parts)):
        yield (*line.parts[:k], *line.parts[k + 1 :]) or NOTHING


def _off_by_one(line: s.CostLine) -> Iterator[Parts]:
    numbers = [k for k, (_, part) in enumerate(line.parts) if isinstance(part, s.Number)]
    for k in numbers:
        sign, number = line.parts[k]
        assert isinstance(number, s.Number)
        for value in (number.value - 1, number.value + 1):
            if value >= 0:
                yield (*line.parts[:k], (sign, s.Number(value)), *line.parts[k + 1 :])
    if not numbers:
        yield (*line.parts, ("+", s.Number(1)))


def _other_run(line: s.CostLine) -> Iterator[Parts]:
    sequences = [part for part in line.pattern or () if isinstance(part, s.SequenceOf)]

    def alternatives(node: object) -> Iterator[object]:
        if isinstance(node, s.CountOf | s.Quantified):
            for items in _neighbouring(node.domain.items, sequences):
                yield replace(node, domain=s.SequenceOf(items))

    return _varied(line.parts, alternatives)


def _neighbouring(items: tuple[s.Item, ...], sequences: list[s.SequenceOf]) -> Iterator[tuple[s.Item, ...]]:
    """Yield the run without the node at one of its ends, or with the next node of the pattern added."""
    if not items:
        return
    for end, rest in ((items[0], items[1:]), (items[-1], items[:-1])):
        if isinstance(end, s.Cell) and rest:
            yield rest
    for sequence in sequences:
        names = [item.name for item in sequence.items]
        if names.count(items[0].name) and names.count(items[-1].name):
            first, last = names.index(items[0].name), names.index(items[-1].name)
            if first > 0 and names[first - 1] != "_":
                yield (sequence.items[first - 1], *items)
            if last + 1 < len(names) and names[last + 1] != "_":
                yield (*items, sequence.items[last + 1])


def _drop_condition(line: s.CostLine) -> Iterator[Parts]:
    def alternatives(node: object) -> Iterator[object]:
        match node:
            case s.CountOf(_, _, conditions) | s.TruthOf(conditions) if len(conditions) > 1:
                for k in range(len(conditions)):
                    yield replace(node, conditions=(*conditions[:k], *conditions[k + 1 :]))
            case s.And(parts) | s.Or(parts):
                for k in range(len(parts)):
                    rest = (*parts[:k], *parts[k + 1 :])
                    yield rest[0] if len(rest) == 1 else replace(node, parts=rest)

    return _varied(line.parts, alternatives)


def _reverse_gold_arc(line: s.CostLine) -> Iterator[Parts]:
    bound = {item.name for part in line.pattern or () if isinstance(part, s.SequenceOf) for item in part.items}
    free = next(letter for letter in "kmdepqrtuvwxyz" if letter not in bound)

    def alternatives(node: object) -> Iterator[object]:
        match node:
            case s.Quantified(quantifier, s.GOLD_HEAD, domain, s.GoldArc(_, word, label)):
                yield s.Quantified(quantifier, free, domain, s.GoldArc(word, s.Variable(free), label))
            case s.GoldArc(head, dependent, label):
                yield s.GoldArc(dependent, head, label)

    return _varied(line.parts, alternatives)


_SLIPS: Final[dict[str, Callable[[s.CostLine], Iterator[Parts]]]] = {
    "drop summand": _drop_summand,
    "other run in cost": _other_run,
    "drop condition in cost": _drop_condition,
    "reverse gold arc in cost": _reverse_gold_arc,
    "cost off by one": _off_by_one,
}


def _operator(change: Callable[[s.CostLine], Iterator[Parts]]) -> Callable[[s.Figure], Made]:
    return lambda figure: each_cost_line(figure, change)


COST_OPERATORS: Final[dict[str, Callable[[s.Figure], Made]]] = {name: _operator(make) for name, make in _SLIPS.items()}
