"""The figures one edit away: what the author of a figure with a slip may have meant.

An *edit* is one of the mutation operators (`mutants.OPERATORS`), or the inverse of one: a precondition, a conjunct of
an oracle line, an alternative to one of these, a line of an oracle or a transition is added, an item is put anywhere in
a sequence, a flag or counter gets another value, or a condition or arc gets another node.  Additions use the
*vocabulary* of the figure: the conditions that occur in it, about any of the nodes and runs that the line has, and
those few that nearly every figure needs.

Trees that are equal to each other are made only once, and none that is equal to the figure.  An edit may produce
something that is not a valid figure; users of an edit read it back.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, permutations, product
from typing import Any, Final, TypeAlias, TypeVar

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.studies.cost_slips import COST_OPERATORS, Parts, each_cost_line
from arcproof.properties.studies.derivation import features_of
from arcproof.properties.studies.mutants import NOTHING, OPERATORS, Made, negation, placed
from arcproof.transitions import syntax as s
from arcproof.transitions.library import SUFFIX
from arcproof.transitions.system import load

T = TypeVar("T")
ZERO: Final = s.Number(0)
NEW: Final = "NEW"
"""The name of an added transition, unless the figure mentions a transition that it lacks."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A figure one edit away: which operator made it, in which transition, oracle or part of the figure, and whether
    only oracles differ.
    """

    operator: str
    where: str
    figure: s.Figure
    is_about_oracles: bool


def edits_of(figure: s.Figure, of_oracles: bool = True) -> Iterator[Edit]:
    """Yield every figure one small edit away, in the order of the operators and then of the figure."""
    operators = RULE_EDITS | (ORACLE_EDITS if of_oracles else {})
    return _made(figure, operators, lambda edit: of_oracles or not edit.is_about_oracles)


def alternatives_of(figure: s.Figure, of_oracles: bool) -> Iterator[Edit]:
    """Yield every figure in which a precondition, or with `of_oracles` a conjunct of an oracle line, may be replaced by
    another condition: `c` becomes `c or d`.
    """
    return _made(
        figure, {"add alternative": _add_alternative_in_oracle if of_oracles else _add_alternative}, lambda _: True
    )


def new_lines_of(figure: s.Figure) -> Iterator[Edit]:
    """Yield every figure with one more oracle line."""
    return _made(figure, {"add oracle line": _add_oracle_line}, lambda _: True)


def cost_edits_of(figure: s.Figure) -> Iterator[Edit]:
    """Yield every figure with one small edit of the costs of a dynamic oracle."""
    return _made(figure, COST_EDITS, lambda _: True)


def _made(
    figure: s.Figure, operators: "dict[str, Callable[[s.Figure], Made]]", wanted: Callable[[Edit], bool]
) -> Iterator[Edit]:
    seen = {figure}
    for operator, make in operators.items():
        for where, _, changed in make(figure):
            same_runs = replace(changed, oracles=figure.oracles, dynamic_oracles=figure.dynamic_oracles) == figure
            edit = Edit(operator, where, changed, same_runs)
            if wanted(edit) and changed not in seen:
                seen.add(changed)
                yield edit


# --- the vocabulary --------------------------------------------------------------------------------------------------


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


# --- transitions -----------------------------------------------------------------------------------------------------

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


def _add_alternative(figure: s.Figure) -> Made:
    def change(figure: s.Figure, rule: s.Rule) -> Rules:
        names = names_of(figure, rule.before)
        empty = (s.SequenceIs(segment, "=", NOTHING) for segment in names.segments)
        for preconditions in _with_alternatives(rule.preconditions, (*empty, *vocabulary(figure, names))):
            yield replace(rule, preconditions=preconditions)

    return _each_rule(figure, change)


def _with_alternatives(
    stated: tuple[s.Condition, ...], conditions: Iterable[s.Condition]
) -> Iterator[tuple[s.Condition, ...]]:
    """Yield the conditions with an alternative to one of them."""
    for (k, condition), other in product(enumerate(stated), conditions):
        parts = condition.parts if isinstance(condition, s.Or) else (condition,)
        if other not in parts and negation(other) not in parts and not _has_label(condition):
            yield placed(stated, k, s.Or((*parts, other)))


def _has_label(condition: s.Condition) -> bool:
    """Whether a condition binds the label of the transition, so that it cannot be left out."""
    return isinstance(condition, s.GoldArc | s.GoldTag) and condition.label is not None


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


def _other_nodes(nodes: Sequence[str]) -> Callable[[object], Iterator[object]]:
    """A function that yields the alternatives to a node: every other node of the line, or 0."""

    def alternatives(part: object) -> Iterator[object]:
        if isinstance(part, s.Variable) and part.name in nodes:
            yield from (replace(part, name=name) for name in nodes if name != part.name)
            yield ZERO
        elif part == ZERO:
            yield from map(s.Variable, nodes)

    return alternatives


def _another_node(figure: s.Figure) -> Made:
    def change(figure: s.Figure, rule: s.Rule) -> Rules:
        alternatives = _other_nodes(names_of(figure, rule.before).nodes)
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
        for before in _rearranged(rule.before):
            yield replace(rule, before=before)
        for after in _rearranged(rule.after, across=True):
            yield replace(rule, after=after)
        there = {item.name for item in _items(rule.after)}
        for item in _items(rule.before):
            if item.name not in there and item.name != "_":
                for after in _with(rule.after, item):
                    yield replace(rule, after=after)

    return _each_rule(figure, change)


def _items(parts: Sequence[object]) -> list[s.Item]:
    return [item for part in parts if isinstance(part, s.SequenceOf) for item in part.items]


P = TypeVar("P", s.Pattern, s.Update)


def _with(parts: tuple[T, ...], item: s.Item) -> Iterator[tuple[T, ...]]:
    """Yield the sequences with one more item, anywhere."""
    for index, part in enumerate(parts):
        if isinstance(part, s.SequenceOf):
            for k in range(len(part.items) + 1):
                more: Any = replace(part, items=(*part.items[:k], item, *part.items[k:]))
                yield placed(parts, index, more)


def _rearranged(parts: tuple[T, ...], across: bool = False) -> Iterator[tuple[T, ...]]:
    """Yield the sequences with one item moved, within its own sequence or to any."""
    for index, part in enumerate(parts):
        for k, item in enumerate(part.items if isinstance(part, s.SequenceOf) else ()):
            assert isinstance(part, s.SequenceOf)
            fewer: Any = replace(part, items=placed(part.items, k))
            if across:
                yield from _with(placed(parts, index, fewer), item)
            else:
                for (moved,) in _with((fewer,), item):
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


# --- oracles ---------------------------------------------------------------------------------------------------------


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
            if not _has_label(condition):
                yield replace(line, conditions=placed(line.conditions, k))
                yield replace(line, conditions=placed(line.conditions, k, negation(condition)))
        for conditions in s.variants(line.conditions, _other_nodes(names_of(figure, line.pattern).nodes)):
            yield replace(line, conditions=conditions)

    return _each_line(figure, change)


def _add_conjunct(figure: s.Figure) -> Made:
    def change(figure: s.Figure, line: s.OracleLine) -> Iterator[s.OracleLine]:
        for condition in gold_vocabulary(figure, names_of(figure, line.pattern)):
            if condition not in line.conditions and negation(condition) not in line.conditions:
                yield replace(line, conditions=(*line.conditions, condition))

    return _each_line(figure, change)


def _add_alternative_in_oracle(figure: s.Figure) -> Made:
    def change(figure: s.Figure, line: s.OracleLine) -> Iterator[s.OracleLine]:
        vocabulary_of_line = gold_vocabulary(figure, names_of(figure, line.pattern))
        for conditions in _with_alternatives(line.conditions, vocabulary_of_line):
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


def _add_oracle_line(figure: s.Figure) -> Made:
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
                bound = {item.name for item in _items(rule.before)}
                bound |= {part.name for part in figure.state}
                front = s.Cell(next(name for name in "jkmpq" if name not in bound))
                items = (front, *pattern.items) if component.head == "left" else (*pattern.items, front)
                found[placed(rule.before, index, s.SequenceOf(items))] = None
    yield from found


# --- costs -----------------------------------------------------------------------------------------------------------


def _add_summand(figure: s.Figure) -> Made:
    """Add one of the features from which costs are derived."""

    def change(line: s.CostLine) -> Iterator[Parts]:
        for feature in features_of(line.pattern or (), figure):
            yield (*line.parts, ("+", feature))

    return each_cost_line(figure, change)


def _add_condition_in_cost(figure: s.Figure) -> Made:
    """Add to a count the condition that the words have no head; to a truth value, that some node has none."""

    def change(line: s.CostLine) -> Iterator[Parts]:
        for k, (sign, part) in enumerate(line.parts):
            if isinstance(part, s.CountOf | s.TruthOf):
                nodes = (part.variable,) if isinstance(part, s.CountOf) else names_of(figure, line.pattern).nodes
                for condition in (s.Not(s.HasHead(s.Variable(node))) for node in nodes):
                    more = replace(part, conditions=(*part.conditions, condition))
                    yield (*line.parts[:k], (sign, more), *line.parts[k + 1 :])

    return each_cost_line(figure, change)


# --- whole transitions -----------------------------------------------------------------------------------------------


def new_rules_of(figure: s.Figure) -> Iterator[Edit]:
    """Yield every figure with one more transition of the usual kind: it has at most two nodes, moves one of them, drops
    one of them, or both, and adds at most one arc between them.

    A transition that moves a node may also merge two sequences, as shifts of list-based systems do.  No oracle uses the
    transition yet.
    """
    return _made(figure, {"add transition": _add_transition}, lambda _: True)


def lines_for(figure: s.Figure, oracle: str, transition: str) -> Iterator[s.Oracle]:
    """Yield the oracle with one more line for this transition, at any place."""
    own = next(known for known in figure.oracles if known.name == oracle)
    for rule in figure.rules:
        if rule.name == transition:
            for line in _lines_of(figure, rule):
                for k in reversed(_places(own)):
                    yield replace(own, lines=(*own.lines[:k], line, *own.lines[k:]))


def _add_transition(figure: s.Figure) -> Made:
    name = _new_name(figure)
    label = next((rule.label for rule in figure.rules if rule.label is not None), "l")
    for before in _patterns(figure):
        nodes = [s.Variable(cell) for cell in names_of(figure, before).nodes]
        same = _kept(figure, before)
        afters = dict.fromkeys((*_shorter(same), *_rearranged(same, across=True)))
        both = dict.fromkeys(moved for fewer in _shorter(same) for moved in _rearranged(fewer, across=True))
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
        for more in _rearranged(after, across=True):
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


RULE_EDITS: Final[dict[str, Callable[[s.Figure], Made]]] = {
    **{name: make for name, make in OPERATORS.items() if name not in ("drop oracle line", *COST_OPERATORS)},
    "add precondition": _add_precondition,
    "another node": _another_node,
    "other value": _other_value,
    "move item": _move_item,
    "add to start": _add_to_start,
}
COST_EDITS: Final[dict[str, Callable[[s.Figure], Made]]] = {
    **COST_OPERATORS,
    "add condition in cost": _add_condition_in_cost,
    "add summand": _add_summand,
}
ORACLE_EDITS: Final[dict[str, Callable[[s.Figure], Made]]] = {
    "drop oracle line": OPERATORS["drop oracle line"],
    "off by one": OPERATORS["off by one"],
    "change conjunct": _change_conjunct,
    "add conjunct": _add_conjunct,
    "move oracle line": _move_line,
}
