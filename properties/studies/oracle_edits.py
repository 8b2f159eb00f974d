"""Edits of oracles: a conjunct of a line is dropped, negated or added, a line is moved, or there is one line more."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from arcproof.properties.studies.edit_vocabulary import gold_vocabulary, names_of
from arcproof.properties.studies.mutants import Made, negation, placed
from arcproof.properties.studies.rule_edits import has_label, items_of, other_nodes, with_alternatives
from arcproof.transitions import syntax as s


def _each_line(figure: s.Figure, change: Callable[[s.Figure, s.OracleLine], Iterator[s.OracleLine]]) -> Made:
    for index, oracle in enumerate(figure.oracles):
        for k, line in enumerate(oracle.lines):
            for changed in change(figure, line):
                lines = placed(oracle.lines, k, changed)
                yield (
                    f"oracle {oracle.name}",
                    "",
                    replace(figure, oracles=placed(figure.oracles, index, replace(oracle, lines=lines))),
                )


def _change_conjunct(figure: s.Figure) -> Made:
    """Drop or negate a conjunct of an oracle line, or change its nodes."""

    def change(figure: s.Figure, line: s.OracleLine) -> Iterator[s.OracleLine]:
        for k, condition in enumerate(line.conditions):
            if not has_label(condition):
                yield replace(line, conditions=placed(line.conditions, k))
                yield replace(line, conditions=placed(line.conditions, k, negation(condition)))
        for conditions in s.variants(line.conditions, other_nodes(names_of(figure, line.pattern).nodes)):
            yield replace(line, conditions=conditions)

    return _each_line(figure, change)


def _add_conjunct(figure: s.Figure) -> Made:
    def change(figure: s.Figure, line: s.OracleLine) -> Iterator[s.OracleLine]:
        for condition in gold_vocabulary(figure, names_of(figure, line.pattern)):
            if condition not in line.conditions and negation(condition) not in line.conditions:
                yield replace(line, conditions=(*line.conditions, condition))

    return _each_line(figure, change)


def add_alternative(figure: s.Figure) -> Made:
    """Let another condition do in place of a conjunct."""

    def change(figure: s.Figure, line: s.OracleLine) -> Iterator[s.OracleLine]:
        vocabulary_of_line = gold_vocabulary(figure, names_of(figure, line.pattern))
        for conditions in with_alternatives(line.conditions, vocabulary_of_line):
            yield replace(line, conditions=conditions)

    return _each_line(figure, change)


def _move_line(figure: s.Figure) -> Made:
    for index, oracle in enumerate(figure.oracles):
        for lines in _rearranged_lines(oracle.lines):
            changed = replace(oracle, lines=lines)
            yield f"oracle {oracle.name}", "", replace(figure, oracles=placed(figure.oracles, index, changed))


def _rearranged_lines(lines: tuple[s.OracleLine, ...]) -> Iterator[tuple[s.OracleLine, ...]]:
    for k, line in enumerate(lines):
        rest = placed(lines, k)
        for place in range(len(lines)):
            yield (*rest[:place], line, *rest[place:])


def add_line(figure: s.Figure) -> Made:
    """Add a line for any transition, at any place: it asks for the arcs that the transition adds, and for at most one
    thing more.
    """
    for index, oracle in enumerate(figure.oracles):
        for line in _possible_lines(figure):
            for k in _places(oracle):
                lines = (*oracle.lines[:k], line, *oracle.lines[k:])
                changed = replace(oracle, lines=lines)
                yield f"oracle {oracle.name}", "", replace(figure, oracles=placed(figure.oracles, index, changed))


def _places(oracle: s.Oracle) -> range:
    """The places where a line may be added: not after one that always asks for its transition."""
    always = (k for k, line in enumerate(oracle.lines) if line.pattern is None and not line.conditions)
    return range(next(always, len(oracle.lines)) + 1)


def _gold_of(effect: s.AddArc | s.TagNode) -> s.GoldArc | s.GoldTag:
    """The condition that the gold graph has what a transition adds."""
    if isinstance(effect, s.TagNode):
        return s.GoldTag(effect.node, effect.label)
    return s.GoldArc(effect.head, effect.dependent, effect.label)


def _line(rule: s.Rule, pattern: tuple[s.Pattern, ...], conditions: tuple[s.Condition, ...]) -> s.OracleLine:
    """A line in which nodes that no condition mentions are unnamed."""
    parts = list(s.walk(conditions))
    used = {part.name for part in parts if isinstance(part, s.Variable | s.Cell)}

    def shown(part: s.Pattern) -> s.Pattern:
        if not isinstance(part, s.SequenceOf):
            return part
        return replace(part, items=tuple(s.Cell("_") if is_spare(item) else item for item in part.items))

    def is_spare(item: s.Item) -> bool:
        return isinstance(item, s.Cell) and item.is_variable and item.name not in used

    return s.OracleLine(rule.name, rule.label, tuple(map(shown, pattern)), conditions)


def _line_patterns(figure: s.Figure, rule: s.Rule) -> Iterator[tuple[s.Pattern, ...]]:
    """Yield the pattern of the transition itself, those of its other lines, and its own pattern with one sequence
    required to be empty or non-empty.
    """
    found: dict[tuple[s.Pattern, ...], None] = {rule.before: None}
    for oracle in figure.oracles:
        found |= {line.pattern: None for line in oracle.lines if line.transition == rule.name and line.pattern}
    for index, pattern in enumerate(rule.before):
        component = figure.state[index]
        match pattern, component:
            case s.SequenceOf((s.Segment(),)), s.SequenceComponent():
                found[placed(rule.before, index, s.SequenceOf(()))] = None
                bound = {item.name for item in items_of(rule.before)}
                bound |= {part.name for part in figure.state}
                front = s.Cell(next(name for name in "jkmpq" if name not in bound))
                items = (front, *pattern.items) if component.head == "left" else (*pattern.items, front)
                found[placed(rule.before, index, s.SequenceOf(items))] = None
    yield from found


def lines_for(figure: s.Figure, oracle: str, transition: str) -> Iterator[s.Oracle]:
    """Yield the oracle with one more line for this transition, at any place."""
    own = next(known for known in figure.oracles if known.name == oracle)
    for rule in figure.rules:
        if rule.name == transition:
            for line in _lines_of(figure, rule):
                for k in reversed(_places(own)):
                    yield replace(own, lines=(*own.lines[:k], line, *own.lines[k:]))


def _possible_lines(figure: s.Figure) -> Iterator[s.OracleLine]:
    for rule in figure.rules:
        yield from _lines_of(figure, rule)


def _lines_of(figure: s.Figure, rule: s.Rule) -> Iterator[s.OracleLine]:
    gold = tuple(_gold_of(e) for e in rule.effects if isinstance(e, s.AddArc | s.TagNode))
    if not gold and not s.choices(rule, figure.state):
        yield s.OracleLine(rule.name, rule.label, None, ())
    for pattern in _line_patterns(figure, rule):
        yield _line(rule, pattern, gold)
        for condition in gold_vocabulary(figure, names_of(figure, pattern)):
            if condition not in gold:
                yield _line(rule, pattern, (*gold, condition))
                if rule.preconditions and not gold:
                    yield _line(rule, pattern, (*rule.preconditions, condition))


EDITS: Final[dict[str, Callable[[s.Figure], Made]]] = {
    "change conjunct": _change_conjunct,
    "add conjunct": _add_conjunct,
    "move oracle line": _move_line,
}
