"""Mutants of a figure: what a slip of the pen would turn it into, each a single change to the syntax tree.

The operators are those of `OPERATORS`; each yields every mutant it can make.  Trees that are equal to each other are
made only once, and none that is equal to the original.  A mutant may no longer be a valid figure (a node in two places,
cases that overlap): it is printed and read back like any specification, and `problem` holds the reader's message.  The
claims of a mutant are those of the original, since these are what it is tested against.
"""

from collections.abc import Callable, Container, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Final, TypeAlias, TypeVar

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.checks.preconditions import dropped_preconditions
from arcproof.properties.checks.useful import without
from arcproof.properties.studies.cost_slips import COST_OPERATORS
from arcproof.properties.variants import problem_of, readable
from arcproof.transitions import syntax as s
from arcproof.transitions.printing.notation import SOURCE, condition_text, sequence_text, start_text, update_text
from arcproof.transitions.printing.source import line_text, rule_text, to_source
from arcproof.transitions.reading.check import dropped
from arcproof.transitions.system import System

T = TypeVar("T")
L = TypeVar("L", s.OracleLine, s.CostLine)
ROOT_ALONE: Final = s.LiteralSequence((s.NodeRange(0, 0),))
NOTHING: Final = s.LiteralSequence(())


@dataclass(frozen=True, slots=True)
class Mutant:
    """A figure with one change: which operator made it, in which transition, oracle or part of the figure, and what it
    changed.
    """

    operator: str
    where: str
    change: str
    figure: s.Figure
    problem: str | None = None

    def system(self, original: System) -> System:
        """The mutant, ready to run, with the parameters of the original."""
        return replace(original, figure=self.figure, text=to_source(self.figure), source=None)

    @property
    def specification(self) -> str:
        """The mutant as a specification file."""
        return to_source(readable(self.figure))

    @property
    def description(self) -> str:
        """The change in words, such as `LEFT-ARC: no head(i) is dropped`."""
        return f"{self.where}: {self.change}"


def mutants_of(system: System) -> list[Mutant]:
    """Every mutant, in the order of the operators and then of the figure."""
    seen = {system.figure}
    found = []
    for operator, make in OPERATORS.items():
        for where, change, figure in make(system.figure):
            if figure not in seen:
                seen.add(figure)
                found.append(Mutant(operator, where, change, figure, problem_of(figure)))
    return found


# --- changing a tree -------------------------------------------------------------------------------------------------

Made: TypeAlias = Iterator[tuple[str, str, s.Figure]]


def exchanged(node: T, one: str, other: str) -> T:
    """The tree with two nodes of the sentence exchanged."""
    names = {one: other, other: one}

    def change(part: object) -> object:
        return replace(part, name=names.get(part.name, part.name)) if isinstance(part, s.Cell | s.Variable) else part

    return s.transformed(node, change)


def placed(parts: tuple[T, ...], index: int, *new: T) -> tuple[T, ...]:
    """The tuple with one entry replaced by any number of others."""
    return (*parts[:index], *new, *parts[index + 1 :])


def _rules(figure: s.Figure, change: Callable[[s.Figure, s.Rule], Iterator[tuple[str, s.Rule]]]) -> Made:
    """Change each rule in turn."""
    for index, rule in enumerate(figure.rules):
        for what, changed in change(figure, rule):
            yield rule.name, what, replace(figure, rules=placed(figure.rules, index, changed))


def _sequences(figure: s.Figure, parts: tuple[object, ...]) -> Iterator[tuple[int, s.SequenceComponent, s.SequenceOf]]:
    """Yield the sequences among the patterns or updates of a rule, with their components."""
    for index, (component, part) in enumerate(zip(figure.state, parts, strict=True)):
        if isinstance(component, s.SequenceComponent) and isinstance(part, s.SequenceOf):
            yield index, component, part


def _becomes(old: s.SequenceOf, new: s.SequenceOf) -> str:
    return f"{sequence_text(old, SOURCE)} becomes {sequence_text(new, SOURCE)}"


# --- preconditions ---------------------------------------------------------------------------------------------------


def _drop_precondition(figure: s.Figure) -> Made:
    """Drop a precondition, a link of a chain such as `0 < i < j`, or the requirement that a node of the pattern is the
    root.
    """
    for rule, condition, weaker in dropped_preconditions(figure):
        yield rule.name, f"`{condition_text(condition, SOURCE)}` is dropped", weaker
    yield from _rules(figure, _drop_link)
    yield from _rules(figure, _drop_root)


def _drop_link(figure: s.Figure, rule: s.Rule) -> Iterator[tuple[str, s.Rule]]:  # noqa: ARG001
    for index, condition in enumerate(rule.preconditions):
        if isinstance(condition, s.Comparison) and len(condition.relations) > 1:
            for k in range(len(condition.relations)):
                parts = [
                    s.Comparison(condition.terms[first:after], condition.relations[first : after - 1])
                    for first, after in ((0, k + 1), (k + 1, len(condition.terms)))
                    if after - first > 1
                ]
                kept = ", ".join(condition_text(part, SOURCE) for part in parts)
                what = f"`{condition_text(condition, SOURCE)}` is reduced to `{kept}`"
                yield what, replace(rule, preconditions=placed(rule.preconditions, index, *parts))


def _drop_root(figure: s.Figure, rule: s.Rule) -> Iterator[tuple[str, s.Rule]]:
    cells = {cell.name for cell in s.walk(rule.before) if isinstance(cell, s.Cell)}
    if s.ROOT_CELL in cells:
        taken = cells | {part.name for part in (*figure.state, *figure.parameters)}
        letter = next(letter for letter in "rxyzuvw" if letter not in taken)
        changed = exchanged(rule, s.ROOT_CELL, letter)
        yield f"any node may stand for 0: {rule_text(changed)}", changed


_OPPOSITE: Final[dict[s.Relation, s.Relation]] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def negation(condition: s.Condition) -> s.Condition:
    """The negation of a condition, written as a person would write it."""
    match condition:
        case s.Not(body):
            return body
        case s.Comparison(_, (relation,)):
            return replace(condition, relations=(_OPPOSITE[relation],))
        case s.SequenceIs(_, relation):
            return replace(condition, relation="!=" if relation == "=" else "=")
    return s.Not(condition)


def _negate_precondition(figure: s.Figure) -> Made:
    def change(_: s.Figure, rule: s.Rule) -> Iterator[tuple[str, s.Rule]]:
        for index, condition in enumerate(rule.preconditions):
            opposite = negation(condition)
            what = f"`{condition_text(condition, SOURCE)}` becomes `{condition_text(opposite, SOURCE)}`"
            yield what, replace(rule, preconditions=placed(rule.preconditions, index, opposite))

    return _rules(figure, change)


# --- arcs and nodes --------------------------------------------------------------------------------------------------


def _reverse_arc(figure: s.Figure) -> Made:
    def change(_: s.Figure, rule: s.Rule) -> Iterator[tuple[str, s.Rule]]:
        for index, effect in enumerate(rule.effects):
            if isinstance(effect, s.AddArc):
                turned = replace(effect, head=effect.dependent, dependent=effect.head)
                changed = replace(rule, effects=placed(rule.effects, index, turned))
                yield f"the arc is reversed: {rule_text(changed)}", changed

    return _rules(figure, change)


def _exchange_nodes(figure: s.Figure) -> Made:
    """Exchange two nodes of a rule before `=>`, after it, or in one precondition."""

    def change(_: s.Figure, rule: s.Rule) -> Iterator[tuple[str, s.Rule]]:
        cells = dict.fromkeys(n.name for n in s.walk(rule.before) if isinstance(n, s.Cell) and n.is_variable)
        for one, other in combinations(cells, 2):
            both = f"{one} and {other} are exchanged"
            before = replace(rule, before=exchanged(rule.before, one, other))
            yield f"{both} before =>: {rule_text(before)}", before
            after = replace(rule, after=exchanged(rule.after, one, other))
            yield f"{both} after =>: {rule_text(after)}", after
            for index, condition in enumerate(rule.preconditions):
                turned = exchanged(condition, one, other)
                what = f"`{condition_text(condition, SOURCE)}` becomes `{condition_text(turned, SOURCE)}`"
                yield what, replace(rule, preconditions=placed(rule.preconditions, index, turned))

    return _rules(figure, change)


# --- sequences -------------------------------------------------------------------------------------------------------


def _pop_instead_of_keep(figure: s.Figure) -> Made:
    """Leave an item out of a sequence that should hold it after a transition."""

    def change(figure: s.Figure, rule: s.Rule) -> Iterator[tuple[str, s.Rule]]:
        for index, _, sequence in _sequences(figure, rule.after):
            for k, item in enumerate(sequence.items):
                fewer = replace(sequence, items=placed(sequence.items, k))
                what = f"{item.name} is not kept: {_becomes(sequence, fewer)}"
                yield what, replace(rule, after=placed(rule.after, index, fewer))

    return _rules(figure, change)


def _keep_instead_of_pop(figure: s.Figure) -> Made:
    """Keep an item, which a transition removes from all sequences, where it was."""

    def change(figure: s.Figure, rule: s.Rule) -> Iterator[tuple[str, s.Rule]]:
        gone = dropped(rule)
        for index, _, pattern in _sequences(figure, rule.before):
            sequence = rule.after[index]
            assert isinstance(sequence, s.SequenceOf)
            for k, item in enumerate(pattern.items):
                if item.name in gone and item.name != "_":
                    more = replace(sequence, items=_put_back(sequence.items, pattern.items, k))
                    what = f"{item.name} is kept: {_becomes(sequence, more)}"
                    yield what, replace(rule, after=placed(rule.after, index, more))

    return _rules(figure, change)


def _put_back(after: tuple[s.Item, ...], before: tuple[s.Item, ...], k: int) -> tuple[s.Item, ...]:
    """The items with one of the pattern put back: to the right of its nearest remaining neighbour on the left, or
    leftmost.
    """
    neighbours = [item.name for item in before[:k]]
    place = max((p + 1 for p, item in enumerate(after) if item.name in neighbours), default=0)
    return (*after[:place], before[k], *after[place:])


def _push_elsewhere(figure: s.Figure) -> Made:
    """Move a node to the head of another sequence."""

    def change(figure: s.Figure, rule: s.Rule) -> Iterator[tuple[str, s.Rule]]:
        places = list(_sequences(figure, rule.after))
        for index, _, sequence in places:
            for k, item in enumerate(sequence.items):
                if not isinstance(item, s.Cell):
                    continue
                fewer = replace(sequence, items=placed(sequence.items, k))
                for other, component, target in places:
                    if other != index:
                        more = replace(target, items=_at_end(target.items, item, component.head))
                        after = placed(placed(rule.after, index, fewer), other, more)
                        what = (
                            f"{item.name} goes to {component.name}: {_becomes(sequence, fewer)}, "
                            f"{_becomes(target, more)}"
                        )
                        yield what, replace(rule, after=after)

    return _rules(figure, change)


def _at_end(items: tuple[s.Item, ...], item: s.Item, side: s.Side) -> tuple[s.Item, ...]:
    return (item, *items) if side == "left" else (*items, item)


def _other_end(figure: s.Figure) -> Made:
    """Take a node from, or put it at, the other end of its sequence."""

    def change(figure: s.Figure, rule: s.Rule) -> Iterator[tuple[str, s.Rule]]:
        for index, _, pattern in _sequences(figure, rule.before):
            for what, turned in _turned(pattern):
                yield f"before =>, {what}", replace(rule, before=placed(rule.before, index, turned))
        for index, _, sequence in _sequences(figure, rule.after):
            for what, turned in _turned(sequence):
                yield f"after =>, {what}", replace(rule, after=placed(rule.after, index, turned))

    return _rules(figure, change)


def _turned(sequence: s.SequenceOf) -> Iterator[tuple[str, s.SequenceOf]]:
    runs = [k for k, item in enumerate(sequence.items) if isinstance(item, s.Segment)]
    for k, item in enumerate(sequence.items):
        if isinstance(item, s.Cell) and runs:
            rest = placed(sequence.items, k)
            turned = replace(sequence, items=_at_end(rest, item, "left" if k > runs[0] else "right"))
            yield _becomes(sequence, turned), turned


# --- start and final -------------------------------------------------------------------------------------------------


def _change_start(figure: s.Figure) -> Made:
    for start in _starts(figure):
        shown = ", ".join(start_text(value, SOURCE) for value in start)
        yield "start", f"becomes {shown}", replace(figure, start=start)


def _starts(figure: s.Figure) -> Iterator[tuple[s.StartValue, ...]]:
    """Yield variants of the start: a part is left out, moved to another place, or begins one node earlier; a flag is
    flipped, or a counter is one higher.
    """
    for index, value in enumerate(figure.start):
        match value:
            case s.LiteralSequence(ranges):
                for k, part in enumerate(ranges):
                    fewer = placed(figure.start, index, s.LiteralSequence(placed(ranges, k)))
                    yield fewer
                    for other, target in enumerate(fewer):
                        if isinstance(target, s.LiteralSequence):
                            for moved in ((part, *target.ranges), (*target.ranges, part)):
                                yield placed(fewer, other, s.LiteralSequence(moved))
                    if part.first > 0:
                        earlier = replace(part, first=part.first - 1)
                        yield placed(figure.start, index, s.LiteralSequence(placed(ranges, k, earlier)))
            case s.FlagLiteral(truth):
                yield placed(figure.start, index, s.FlagLiteral(not truth))
            case s.CounterFrom(s.Number(number)):
                yield placed(figure.start, index, s.CounterFrom(s.Number(number + 1)))


def _change_final(figure: s.Figure) -> Made:
    for final in _finals(figure):
        shown = ", ".join(condition_text(condition, SOURCE) for condition in final)
        yield "final", f"becomes {shown}", replace(figure, final=final)


def _finals(figure: s.Figure) -> Iterator[tuple[s.Condition, ...]]:
    """Yield variants of the terminal conditions: one is left out, negated, added, or about another sequence or
    value.
    """
    sequences = [component.name for component in figure.state if isinstance(component, s.SequenceComponent)]
    for index, condition in enumerate(figure.final):
        if len(figure.final) > 1:
            yield placed(figure.final, index)
        yield placed(figure.final, index, negation(condition))
        if isinstance(condition, s.SequenceIs):
            for name in sequences:
                yield placed(figure.final, index, replace(condition, segment=name))
            for value in (NOTHING, ROOT_ALONE):
                yield placed(figure.final, index, replace(condition, value=value))
    asked = {condition.segment for condition in figure.final if isinstance(condition, s.SequenceIs)}
    for name in sequences:
        if name not in asked:
            for value in (NOTHING, ROOT_ALONE):
                yield (*figure.final, s.SequenceIs(name, "=", value))


# --- transitions and oracles -----------------------------------------------------------------------------------------


def _drop_transition(figure: s.Figure) -> Made:
    """Drop a transition, or a case of a transition that has several."""
    for name, cases in figure.transitions().items():
        yield name, "is dropped", _without_dangling(without(figure, name))
        for case in cases if len(cases) > 1 else ():
            rules = tuple(rule for rule in figure.rules if rule is not case)
            yield name, f"one case is dropped: {rule_text(case)}", replace(figure, rules=rules)


def _without_dangling(figure: s.Figure) -> s.Figure:
    """The figure without the default and the lines of oracles, static and dynamic, that name a missing transition."""
    names = figure.transitions()
    oracles = (replace(oracle, lines=_of_transitions(oracle.lines, names)) for oracle in figure.oracles)
    return replace(
        figure,
        oracles=tuple(oracle for oracle in oracles if oracle.lines),
        dynamic_oracles=tuple(
            replace(oracle, lines=_of_transitions(oracle.lines, names)) for oracle in figure.dynamic_oracles
        ),
        default=figure.default if figure.default in names else None,
    )


def _of_transitions(lines: tuple[L, ...], names: Container[str]) -> tuple[L, ...]:
    return tuple(line for line in lines if line.transition in names)


def _drop_oracle_line(figure: s.Figure) -> Made:
    for index, oracle in enumerate(figure.oracles):
        for k, line in enumerate(oracle.lines if len(oracle.lines) > 1 else ()):
            shorter = replace(oracle, lines=placed(oracle.lines, k))
            what = f"the line is dropped: {line_text(line)}"
            yield f"oracle {oracle.name}", what, replace(figure, oracles=placed(figure.oracles, index, shorter))


# --- off by one ------------------------------------------------------------------------------------------------------

_NEXT: Final[dict[s.Relation, s.Relation]] = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


def _off_by_one(figure: s.Figure) -> Made:
    """Make a strict comparison weak or a weak one strict, or change a number in a comparison or a counter by one."""

    def change(_: s.Figure, rule: s.Rule) -> Iterator[tuple[str, s.Rule]]:
        for index, condition in enumerate(rule.preconditions):
            for what, changed in _conditions_off_by_one(condition):
                yield what, replace(rule, preconditions=placed(rule.preconditions, index, changed))
        for index, update in enumerate(rule.after):
            if isinstance(update, s.CounterFrom):
                for count in s.variants(update, _numbers):
                    what = f"{update_text(update, SOURCE)} becomes {update_text(count, SOURCE)}"
                    yield what, replace(rule, after=placed(rule.after, index, count))

    yield from _rules(figure, change)
    for index, condition in enumerate(figure.final):
        for what, changed in _conditions_off_by_one(condition):
            yield "final", what, replace(figure, final=placed(figure.final, index, changed))
    for index, oracle in enumerate(figure.oracles):
        for k, line in enumerate(oracle.lines):
            for m, condition in enumerate(line.conditions):
                for what, changed in _conditions_off_by_one(condition):
                    lines = placed(oracle.lines, k, replace(line, conditions=placed(line.conditions, m, changed)))
                    oracles = placed(figure.oracles, index, replace(oracle, lines=lines))
                    yield f"oracle {oracle.name}", f"{line.transition}: {what}", replace(figure, oracles=oracles)


def _conditions_off_by_one(condition: s.Condition) -> Iterator[tuple[str, s.Condition]]:
    for changed in s.variants(condition, _comparisons):
        yield f"`{condition_text(condition, SOURCE)}` becomes `{condition_text(changed, SOURCE)}`", changed


def _comparisons(node: object) -> Iterator[object]:
    if not isinstance(node, s.Comparison):
        return
    for k, relation in enumerate(node.relations):
        if relation in _NEXT:
            yield replace(node, relations=placed(node.relations, k, _NEXT[relation]))
    for terms in s.variants(node.terms, _numbers):
        yield replace(node, terms=terms)


def _numbers(node: object) -> Iterator[object]:
    if isinstance(node, s.Number):
        for number in (node.value - 1, node.value + 1):
            if number >= 0:
                yield replace(node, value=number)


OPERATORS: Final[dict[str, Callable[[s.Figure], Made]]] = {
    "drop precondition": _drop_precondition,
    "negate precondition": _negate_precondition,
    "reverse arc": _reverse_arc,
    "exchange nodes": _exchange_nodes,
    "pop instead of keep": _pop_instead_of_keep,
    "keep instead of pop": _keep_instead_of_pop,
    "push elsewhere": _push_elsewhere,
    "other end": _other_end,
    "change start": _change_start,
    "change final": _change_final,
    "drop transition": _drop_transition,
    "off by one": _off_by_one,
    "drop oracle line": _drop_oracle_line,
    **COST_OPERATORS,
}
