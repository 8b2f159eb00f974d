"""Mistakes that show only once the whole figure is known.

*Overlapping cases*: two rules with the same name overlap unless their patterns and preconditions show that no
configuration permits both.  What is recognised: sequences of different lengths, different flags and numbers, and a
contradiction between patterns and preconditions read as propositions.  Everything else counts as an overlap.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final, TypeAlias, TypeVar

from arcproof.transitions import syntax as s
from arcproof.transitions.execute import compare
from arcproof.transitions.plan import Cell, Chosen, Offset, Rest, laid_out
from arcproof.transitions.reading.build import Builder
from arcproof.transitions.reading.resolve import Problems

MOST_ATOMS: Final = 12

Formula: TypeAlias = str | tuple[str, tuple["Formula", ...]]
TRUE: Final[Formula] = ("and", ())
FALSE: Final[Formula] = ("or", ())
_IS_ROOT: Final = s.Comparison((s.Variable(s.ROOT_CELL), s.Number(0)), ("=",))
T = TypeVar("T")
_OF_COSTS: Final = (s.Exact, s.Safe, s.NeverStuck)


def check(builder: Builder, problems: Problems) -> None:
    """Report every mistake in what was built."""
    _check_parts(builder, problems)
    _check_start(builder, problems)
    _check_root(builder, problems)
    for rule in builder.rules:
        _check_nodes(rule, builder, problems)
    _check_cases(builder, problems)
    _check_default(builder)
    if builder.no_oracle is not None and builder.oracles:
        problems.add(builder.no_oracle, "`oracle none` beside another oracle", "leave it out")
    for oracle in builder.oracles:
        _check_oracle(oracle, builder, problems)
    for dynamic in builder.dynamic_oracles:
        _check_dynamic_oracle(dynamic, builder, problems)
    _check_parameters(builder, problems)
    _check_claims(builder, problems)


def _check_dynamic_oracle(oracle: s.DynamicOracle, builder: Builder, problems: Problems) -> None:
    """Check that every transition has a cost, or that there is a loss and nothing else."""
    if builder.several_heads:
        hint = "costs count the words whose head will be wrong, and here a word may have several; leave it out"
        problems.add(oracle.where, "a dynamic oracle in a figure with several heads", hint)
    if oracle.name in builder.lossy:
        if oracle.lines:
            hint = "with a loss there are no cost lines: the cost of a transition is how much it raises the loss"
            problems.add(oracle.lines[0].where, f"{oracle.name} has both a loss and costs", hint)
        return
    priced = {line.transition for line in oracle.lines} | builder.attempted_costs.get(oracle.name, set())
    missing = [name for name in dict.fromkeys(builder.attempted_rules) if name not in priced]
    if missing and "cost_line" not in builder.unread:
        hint = f"write a line: cost {missing[0]} … = 0"
        problems.add(oracle.where, f"{oracle.name} does not say what {', '.join(missing)} costs", hint)


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


def _check_parameters(builder: Builder, problems: Problems) -> None:
    whole = not problems.found
    for parameter in builder.parameters:
        unsure = bool(builder.unread) or (parameter.name in builder.mentioned and not whole)
        if parameter.name not in builder.used_parameters and not unsure:
            problems.add(parameter.where, f"the parameter {parameter.name} is not used", "use it or leave it out")


def _check_claims(builder: Builder, problems: Problems) -> None:
    earlier: dict[s.Statement, s.Claim] = {}
    for claim in builder.claims:
        _check_heads(claim.statement, builder, problems)
        first = earlier.setdefault(claim.statement, claim)
        if first is claim:
            continue
        what = "made twice" if first.kind == claim.kind else f"both made and {_opposite(first, claim)}"
        problems.add(
            claim.where, f"the claim is {what}", f"line {first.where.line} has it too; leave out one of the two"
        )


def _check_heads(statement: s.Statement, builder: Builder, problems: Problems) -> None:
    """Report claims and oracles that need gold graphs the figure cannot have, or costs that are not defined for
    them.
    """
    if builder.several_heads and isinstance(statement, s.ArcDecomposable):
        hint = (
            "it is about gold heads that can still be reached, and only in a forest does a word have a single gold head"
        )
        problems.add(statement.where, "arc-decomposable in a figure with several heads", f"{hint}; leave it out")
    elif (
        not builder.several_heads
        and isinstance(statement, (s.SameTransitions, s.ArcDecomposable, *_OF_COSTS))
        and statement.graphs.base == "graphs"
    ):
        hint = "write forests or trees, or declare: several heads"
        problems.add(statement.graphs.where, "a gold graph of this figure has single heads", hint)


def _opposite(first: s.Claim, second: s.Claim) -> str:
    return "refuted" if "refuted" in (first.kind, second.kind) else "denied"


def _check_parts(builder: Builder, problems: Problems) -> None:
    wanted = [
        ("system", bool(builder.name), "begin with: system NAME"),
        ("state", bool(builder.state), "declare the components: state stack σ, buffer β"),
        ("start", builder.start is not None, "say how a run begins: start [0], [1..n]"),
        ("final", builder.final is not None, "say when a run ends: final β = []"),
    ]
    for name, present, hint in wanted:
        if not present and name not in builder.attempted:
            problems.add(builder.top, f"`{name}` is missing", hint)
    if "rule" not in builder.attempted:
        problems.add(builder.top, "there are no transitions", "write one per line: SHIFT  σ, i|β  =>  σ|i, β")


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


def _check_root(builder: Builder, problems: Problems) -> None:
    """Check that a figure whose `start` has no 0 says what that means."""
    effects = tuple(effect for rule in builder.rules for effect in rule.effects)
    uses_root = s.takes_part(0, builder.start or (), effects)
    if builder.rootless is not None and uses_root:
        problems.add(
            builder.rootless,
            "`root none`, but 0 takes part in runs",
            "leave it out, or leave 0 out of `start` and arcs",
        )
    elif builder.rootless is not None and builder.several_heads:
        problems.add(
            builder.rootless,
            "`root none` in a figure with several heads",
            "it says what having no head means, which matters only for forests; leave it out",
        )
    elif builder.rootless is None and builder.start is not None and not uses_root and not builder.unread:
        problems.warn(
            builder.start[0].where,
            "`start` has no 0, so no arc can come from 0: words may stay without a head, and then no output is a tree",
            "start with [0], or say `root none` if words without a head are meant to attach to 0",
        )


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
    if len({isinstance(effect, s.TagNode) for effect in rule.effects if not isinstance(effect, s.RemoveArcs)}) > 1:
        labelled = [e for e in rule.effects if isinstance(e, s.AddArc) and e.label is not None]
        if labelled:
            hint = "a transition has one label; give it to the arc or to the word, in two transitions"
            problems.add(labelled[0].where, f"the label of {rule.name} is used for both an arc and a tag", hint)
    for effect in rule.effects:
        if isinstance(effect, s.TagNode) and effect.node == s.Number(0):
            problems.add(effect.where, f"{rule.name} tags the root", "0 is not a word")
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
    if oracle.name not in builder.attempted_oracles:
        problems.add(oracle.where, f"the oracle {oracle.name} has no lines", "write one per line, or say: oracle none")
    closed = next((index for index, line in enumerate(oracle.lines) if _always_matches(line)), len(oracle.lines))
    if closed + 1 < len(oracle.lines):
        last = oracle.lines[closed]
        problems.add(
            oracle.lines[closed + 1].where,
            "this line is never reached",
            f"{last.transition} in line {last.where.line} always matches, so it must come last",
        )
    for line in oracle.lines:
        if builder.known_transition(line.transition, line.where) and line.transition not in builder.flawed:
            _check_line(line, builder, problems)


def _always_matches(line: s.OracleLine) -> bool:
    return not line.conditions and all(
        isinstance(pattern, s.AnyValue)
        or (isinstance(pattern, s.SequenceOf) and len(pattern.items) == 1 and isinstance(pattern.items[0], s.Segment))
        for pattern in line.pattern or ()
    )


def _check_line(line: s.OracleLine, builder: Builder, problems: Problems) -> None:
    cases = [rule for rule in builder.rules if rule.name == line.transition]
    if line.label is not None and all(case.label is None for case in cases):
        problems.add(
            line.where, f"{line.transition} carries no label", f"write {line.transition} without ({line.label})"
        )
    if line.label is None and all(case.label is not None for case in cases):
        label = cases[0].label
        problems.add(
            line.where,
            f"{line.transition} carries a label",
            f"write {line.transition}({label}) and {_from_gold(cases[0])}",
        )
    for case in cases:
        for index, name in s.choices(case, builder.state):
            if line.pattern is None or not _names_segment(line.pattern[index], name):
                problems.add(
                    line.where,
                    f"{line.transition} needs the length of {name}",
                    f"bind {name} in the pattern of the line, in the place of {builder.state[index].name}",
                )


def _from_gold(rule: s.Rule) -> str:
    """The condition that determines the label of a rule."""
    tags = any(isinstance(effect, s.TagNode) for effect in rule.effects)
    return f"gold tag i {rule.label}" if tags else f"gold j -{rule.label}-> i"


def _names_segment(pattern: s.Pattern, name: str) -> bool:
    return isinstance(pattern, s.SequenceOf) and any(
        isinstance(item, s.Segment) and item.name == name for item in pattern.items
    )


# --- overlapping cases -----------------------------------------------------------------------------------------------


def _check_cases(builder: Builder, problems: Problems) -> None:
    for name, cases in _by_name(builder.rules).items():
        if name in builder.flawed:
            continue
        for index, second in enumerate(cases):
            overlaps = (first for first in cases[:index] if not _disjoint(first, second, builder.state))
            first = next(overlaps, None)
            if first is not None:
                problems.add(
                    second.where,
                    f"two cases of {name} overlap",
                    f"line {first.where.line} may apply to the same configuration; "
                    "add a precondition that tells them apart",
                )


def _by_name(rules: Sequence[s.Rule]) -> dict[str, list[s.Rule]]:
    grouped: dict[str, list[s.Rule]] = {}
    for rule in rules:
        grouped.setdefault(rule.name, []).append(rule)
    return grouped


def _disjoint(first: s.Rule, second: s.Rule, state: Sequence[s.Component]) -> bool:
    return _contradictory([*_propositions(first, second, state), *_propositions(second, first, state)])


def _propositions(rule: s.Rule, other: s.Rule, state: Sequence[s.Component]) -> Iterator[Formula]:
    """What the patterns say, and the preconditions with names replaced by the places they stand for.

    A counter for which the pattern of the other rule has a number is replaced by that number.
    """
    names: dict[str, str | s.Number] = {}
    for component, pattern, opposite in zip(state, rule.before, other.before, strict=True):
        place = f"{component.name}@"
        match pattern, opposite:
            case s.FlagLiteral(value), _:
                yield _literally(repr(s.IsSet(place)), value)
            case s.CounterFrom(term), s.CounterFrom(other_term) if term != other_term:
                yield FALSE
            case s.AnyValue(name), s.CounterFrom(s.Number() as number):
                names[name] = number
            case s.AnyValue(name), _:
                names[name] = place
            case s.SequenceOf(items), _:
                assert isinstance(component, s.SequenceComponent)
                names.update(_places(pattern, component))
                yield from _lengths(items, component)
                if any(item.name == s.ROOT_CELL for item in items):
                    yield _formula(_renamed(_IS_ROOT, names))
    for condition in rule.preconditions:
        yield _formula(_renamed(condition, names))


def _places(pattern: s.SequenceOf, component: s.SequenceComponent) -> Iterator[tuple[str, str]]:
    """Each name with its place: how many nodes and chosen runs lie between it and the head, or the tail."""
    for item in laid_out(pattern, 0, component.head):
        match item:
            case Rest(name, Offset(_, _, cells, runs), behind):
                yield name, _rest(component, cells, len(runs), behind)
            case Cell(name, Offset(_, "tail", cells)):
                yield name, f"{component.name}@-{cells + 1}"
            case Cell(name, place) | Chosen(name, place):
                yield name, f"{component.name}@{place.cells}+{len(place.runs)}"


def _rest(component: s.SequenceComponent, cells: int, runs: int = 0, behind: int = 0) -> str:
    return f"{component.name}@{cells}+{runs}..{behind}"


def _lengths(items: tuple[s.Item, ...], component: s.SequenceComponent) -> Iterator[Formula]:
    """The propositions that there are this many nodes, and no more if the pattern has no run."""
    cells = sum(isinstance(item, s.Cell) for item in items)
    for depth in range(cells):
        yield _literally(_is_empty(component, depth), False)
    if cells == len(items):
        yield _literally(_is_empty(component, cells), True)


def _is_empty(component: s.SequenceComponent, depth: int) -> str:
    return repr(s.SequenceIs(_rest(component, depth), "=", s.LiteralSequence(())))


def _literally(atom: str, value: bool) -> Formula:
    return atom if value else ("not", (atom,))


def _renamed(node: T, names: Mapping[str, str | s.Number]) -> T:
    def change(part: object) -> object:
        if isinstance(part, s.CounterVariable) and isinstance(part.name, s.Number):
            return part.name
        return names.get(part, part) if isinstance(part, str) else part

    return s.transformed(node, change)


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
        case s.Comparison((s.Number(left), s.Number(right)), (relation,)):
            return TRUE if compare(left, relation, right) else FALSE
        case s.Comparison((left, right), (relation,)):
            opposite: dict[s.Relation, s.Relation] = {"!=": "=", ">=": "<", ">": "<="}
            if relation in opposite:
                return ("not", (repr(s.Comparison((left, right), (opposite[relation],))),))
    return repr(condition)


def _contradictory(formulas: list[Formula]) -> bool:
    known: dict[str, bool] = {}
    others: list[Formula] = []
    for formula in formulas:
        match formula:
            case str():
                atom, value = formula, True
            case ("not", (str() as atom,)):
                value = False
            case _:
                others.append(formula)
                continue
        if known.setdefault(atom, value) is not value:
            return True
    atoms = sorted({atom for formula in others for atom in _atoms(formula)} - set(known))
    if len(atoms) > MOST_ATOMS:
        return False
    return not any(
        all(_true(formula, {**known, **dict(zip(atoms, values, strict=True))}) for formula in others)
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
    sign, parts = formula
    if sign == "not":
        return not _true(parts[0], values)
    return (all if sign == "and" else any)(_true(part, values) for part in parts)
