"""Mistakes that only show when the whole figure is known.

*Overlapping cases*: two rules of one name overlap unless it can be seen from their patterns and preconditions that no
configuration permits both.  What is seen: sequences of different lengths, different flags and numbers, and a contradiction
between the preconditions read as propositions.  Everything else counts as an overlap.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import combinations, product
from typing import Final, TypeAlias, TypeVar

from arcproof.transitions import syntax as s
from arcproof.transitions.build import Builder
from arcproof.transitions.errors import Place
from arcproof.transitions.resolve import Problems

MOST_ATOMS: Final = 12

Formula: TypeAlias = str | tuple[str, tuple["Formula", ...]]
T = TypeVar("T")


def check(builder: Builder, problems: Problems) -> None:
    """Report every mistake in what was built."""
    _check_parts(builder, problems)
    _check_start(builder, problems)
    for rule in builder.rules:
        _check_nodes(rule, builder, problems)
    _check_cases(builder, problems)
    _check_default(builder)
    for oracle in builder.oracles:
        _check_oracle(oracle, builder, problems)
    for parameter in builder.parameters:
        if parameter.name not in builder.used_parameters:
            problems.add(parameter.where, f"the parameter {parameter.name} is not used", "use it or leave it out")
    for first, second in combinations(builder.claims, 2):
        if first.statement == second.statement:
            problems.add(
                second.where, "the claim is made twice", f"line {first.where.line} has it, as it is or negated"
            )


def dropped(rule: s.Rule) -> list[str]:
    """The names of nodes and runs of nodes that a rule takes out of all sequences, in printed order."""
    kept = {item.name for item in _after_items(rule)}
    return [
        item.name
        for pattern in rule.before
        if isinstance(pattern, s.SequenceOf)
        for item in pattern.items
        if item.name not in kept
    ]


def _check_parts(builder: Builder, problems: Problems) -> None:
    top = Place(1, 1, 2)
    wanted = [
        ("system", bool(builder.name), "begin with: system NAME"),
        ("state", bool(builder.state), "declare the components: state stack σ, buffer β"),
        ("start", builder.start is not None, "say how a run begins: start [0], [1..n]"),
        ("final", builder.final is not None, "say when a run ends: final β = []"),
    ]
    for name, present, hint in wanted:
        if not present and name not in builder.attempted:
            problems.add(top, f"`{name}` is missing", hint)
    if not builder.rules and "rule" not in builder.attempted:
        problems.add(top, "there are no transitions", "write one a line: SHIFT  σ, i|β  =>  σ|i, β")


def _check_start(builder: Builder, problems: Problems) -> None:
    earlier: set[tuple[int, int | None]] = set()
    for value in builder.start or ():
        if not isinstance(value, s.LiteralSequence):
            continue
        for part in value.ranges:
            if part.last is not None and part.first > part.last:
                problems.add(
                    part.where, f"the range {part.first}..{part.last} is empty", "write the smaller number first"
                )
            elif (part.last is None and part.first > 1) or (part.last or 0) > 0:
                problems.add(part.where, "not every sentence has these nodes", "start with 0, 1..n or 0..n")
            if not builder.shared and any(_meet(part, other) for other in earlier):
                problems.add(part.where, "a node starts in two places", "say `shared` if that is meant")
            earlier.add((part.first, part.last))


def _meet(part: s.NodeRange, other: tuple[int, int | None]) -> bool:
    first, last = other
    return (part.last is None or first <= part.last) and (last is None or part.first <= last)


def _after_items(rule: s.Rule) -> Iterator[s.Item]:
    for update in rule.after:
        if isinstance(update, s.SequenceOf):
            yield from update.items


def _check_nodes(rule: s.Rule, builder: Builder, problems: Problems) -> None:
    seen: set[str] = set()
    for item in _after_items(rule):
        if item.name in seen and not builder.shared:
            problems.add(item.where, f"{rule.name} puts {item.name} into two places", "say `shared` if that is meant")
        seen.add(item.name)
    for effect in rule.effects:
        if isinstance(effect, s.AddArc) and effect.head == effect.dependent:
            problems.add(
                effect.where, f"{rule.name} adds an arc from a node to itself", "head and dependent are two nodes"
            )
        if isinstance(effect, s.AddArc) and effect.dependent == s.Number(0):
            problems.add(effect.where, f"{rule.name} adds an arc to the root", "0 never has a head")


def _check_default(builder: Builder) -> None:
    if builder.default is not None:
        name, where = builder.default
        builder.known_transition(name, where)


# --- oracles ---------------------------------------------------------------------------------------------------------


def _check_oracle(oracle: s.Oracle, builder: Builder, problems: Problems) -> None:
    if not oracle.lines and "oracle_line" not in builder.attempted:
        problems.add(oracle.where, f"the oracle {oracle.name} has no lines", "write one a line, or say: oracle none")
    closed: s.OracleLine | None = None
    for line in oracle.lines:
        if closed is not None:
            problems.add(
                line.where,
                "this line is never reached",
                f"{closed.transition} in line {closed.where.line} has no condition, so it must be the last",
            )
        elif _always_matches(line):
            closed = line
        if builder.known_transition(line.transition, line.where):
            _check_line(line, builder, problems)


def _always_matches(line: s.OracleLine) -> bool:
    return not line.conditions and all(
        isinstance(pattern, s.AnyValue)
        or (isinstance(pattern, s.SequenceOf) and len(pattern.items) == 1 and isinstance(pattern.items[0], s.Segment))
        for pattern in line.pattern or ()
    )


def _check_line(line: s.OracleLine, builder: Builder, problems: Problems) -> None:
    cases = [rule for rule in builder.rules if rule.name == line.transition]
    if line.label is not None and cases and all(case.label is None for case in cases):
        problems.add(
            line.where, f"{line.transition} carries no label", f"write {line.transition} without ({line.label})"
        )
    if line.label is None and cases and all(case.label is not None for case in cases):
        label = cases[0].label
        problems.add(
            line.where,
            f"{line.transition} carries a label",
            f"write {line.transition}({label}) and gold j -{label}-> i",
        )
    for case in cases:
        for index, name in choices(case, builder.state):
            if line.pattern is None or not _names_segment(line.pattern[index], name):
                problems.add(
                    line.where,
                    f"{line.transition} needs the length of {name}",
                    f"bind {name} in the pattern of the line, in the place of {builder.state[index].name}",
                )


def _names_segment(pattern: s.Pattern, name: str) -> bool:
    return isinstance(pattern, s.SequenceOf) and any(
        isinstance(item, s.Segment) and item.name == name for item in pattern.items
    )


def choices(rule: s.Rule, state: Sequence[s.Component]) -> list[tuple[int, str]]:
    """The segments whose lengths a transition chooses: index of the component and name, in order."""
    return [
        (index, name)
        for index, (component, pattern) in enumerate(zip(state, rule.before, strict=True))
        if isinstance(component, s.SequenceComponent) and isinstance(pattern, s.SequenceOf)
        for name in s.choice_segments(pattern, component.head)
    ]


# --- overlapping cases -----------------------------------------------------------------------------------------------


def _check_cases(builder: Builder, problems: Problems) -> None:
    for first, second in combinations(builder.rules, 2):
        if first.name == second.name and not _disjoint(first, second, builder.state):
            problems.add(
                second.where,
                f"two cases of {first.name} overlap",
                f"line {first.where.line} may apply to the same configuration; add a precondition that tells them apart",
            )


def _disjoint(first: s.Rule, second: s.Rule, state: Sequence[s.Component]) -> bool:
    for component, one, other in zip(state, first.before, second.before, strict=True):
        if isinstance(component, s.SequenceComponent) and _lengths_differ(one, other):
            return True
        if isinstance(one, s.CounterFrom) and isinstance(other, s.CounterFrom) and one.term != other.term:
            return True
    return _contradictory([*_propositions(first, state), *_propositions(second, state)])


def _lengths_differ(one: s.Pattern, other: s.Pattern) -> bool:
    if not isinstance(one, s.SequenceOf) or not isinstance(other, s.SequenceOf):
        return False
    (low, high), (other_low, other_high) = _length_range(one), _length_range(other)
    return (high is not None and high < other_low) or (other_high is not None and other_high < low)


def _length_range(pattern: s.SequenceOf) -> tuple[int, int | None]:
    cells = sum(isinstance(item, s.Cell) for item in pattern.items)
    return cells, cells if cells == len(pattern.items) else None


def _propositions(rule: s.Rule, state: Sequence[s.Component]) -> Iterator[Formula]:
    """The flags of the pattern and the preconditions, with variables named after the place they stand at."""
    names: dict[str, str] = {}
    for component, pattern in zip(state, rule.before, strict=True):
        match pattern:
            case s.FlagLiteral(value):
                atom = repr(s.IsSet(f"{component.name}@"))
                yield atom if value else ("not", (atom,))
            case s.AnyValue(name):
                names[name] = f"{component.name}@"
            case s.SequenceOf(items):
                assert isinstance(component, s.SequenceComponent)
                names.update(_places(items, component))
            case s.CounterFrom():
                pass
    for condition in rule.preconditions:
        yield _formula(_renamed(condition, names))


def _places(items: tuple[s.Item, ...], component: s.SequenceComponent) -> Iterator[tuple[str, str]]:
    ordered = list(items) if component.head == "left" else list(reversed(items))
    for depth, item in enumerate(ordered):
        yield item.name, f"{component.name}@{depth}"
        if isinstance(item, s.Segment):
            return


def _renamed(node: T, names: Mapping[str, str]) -> T:
    if isinstance(node, tuple):
        return tuple(_renamed(part, names) for part in node)  # type: ignore[return-value]
    if not is_dataclass(node) or isinstance(node, type):
        return node
    changes = {
        part.name: names.get(value, value) if isinstance(value, str) else _renamed(value, names)
        for part in fields(node)
        if part.name != "where"
        for value in [getattr(node, part.name)]
    }
    return replace(node, **changes)


def _formula(condition: s.Condition) -> Formula:
    match condition:
        case s.And(parts):
            return ("and", tuple(map(_formula, parts)))
        case s.Or(parts):
            return ("or", tuple(map(_formula, parts)))
        case s.Not(body):
            return ("not", (_formula(body),))
        case s.SequenceIs(segment, "!=", value):
            return ("not", (repr(s.SequenceIs(segment, "=", value)),))
        case s.Comparison((left, right), (relation,)):
            opposite: dict[s.Relation, s.Relation] = {"!=": "=", ">=": "<", ">": "<="}
            if relation in opposite:
                return ("not", (repr(s.Comparison((left, right), (opposite[relation],))),))
    return repr(condition)


def _contradictory(formulas: list[Formula]) -> bool:
    atoms = sorted({atom for formula in formulas for atom in _atoms(formula)})
    if len(atoms) > MOST_ATOMS:
        return False
    return not any(
        all(_true(formula, dict(zip(atoms, values, strict=True))) for formula in formulas)
        for values in product((False, True), repeat=len(atoms))
    )


def _atoms(formula: Formula) -> Iterator[str]:
    if isinstance(formula, str):
        yield formula
    else:
        for part in formula[1]:
            yield from _atoms(part)


def _true(formula: Formula, values: Mapping[str, bool]) -> bool:
    if isinstance(formula, str):
        return values[formula]
    operator, parts = formula
    if operator == "not":
        return not _true(parts[0], values)
    return (all if operator == "and" else any)(_true(part, values) for part in parts)
