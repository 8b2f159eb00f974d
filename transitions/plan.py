"""The plan of a figure: what its rules do, worked out once, without names or parameters.

Every meaning except the reference (`execute`) is made from the plan: the exported models, the symbolic meaning of the
prover, the grading, the feature models.  The plan says nothing that the figure does not say; a test compares the two
on every configuration of short sentences.

Definitions
- A component is given by the number of its place in the state.
- A *place* is a cell of a sequence, found by counting from one of its ends: this many cells and these chosen runs lie
  between it and that end.  Everything from the head up to the rest is counted from the head, the cells beyond the rest
  from the tail.
- A *run* is a number of consecutive cells; its place is that of its cell nearest to the head.  The length of a `Chosen`
  run is a choice; a `Rest` takes whatever the other items of its pattern leave over.  Choices are numbered in the order
  in which a transition writes them.
- A *node* is a number (`Fixed`), the content of a cell (`Cell`), or what a quantifier ranges over (`Each`; numbered
  from the outermost quantifier on).  Names are kept for printing; nothing is looked up by name.
- *Parameters* are gone: a term made of numbers and parameters is a `Number`, which remembers how it was written.
- *∞* is gone: it is greater than every number, ∞ + x and ∞ - x are ∞, x - ∞ is -∞, and every comparison in which one of
  them takes part is a `Truth`.  ∞ - ∞ is not a number, and the only relation that holds for it is `!=`.  Only a counter
  may still be assigned `Unbounded`, which no meaning supports.
- What constants decide is decided here: no `Truth` is left below `not`, `and` and `or`.  A guard may be a `Truth`, so
  that guards and preconditions correspond.
- Sequences after a rule are listed from the tail on: the first `kept` items stay where they are.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, Literal, TypeAlias, TypeVar, assert_never

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.execute import Quantity, calculate, compare
from arcproof.transitions.graph import ROOT

End: TypeAlias = Literal["head", "tail"]
T = TypeVar("T")


class NotPlanned(ArcproofError):
    """A construct that belongs in claims is where only a hand-made tree can have it."""


# --- nodes and runs --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Offset:
    """The position of a cell, counted from one end of its component.

    This many `cells` and the chosen `runs` lie between that end and the cell.
    """

    component: int
    end: End
    cells: int
    runs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fixed:
    """A node by its number."""

    number: int


@dataclass(frozen=True, slots=True)
class Cell:
    """The node at a place; `_` has no name, and `0` must be the root."""

    name: str
    place: Offset

    @property
    def is_hole(self) -> bool:
        """Whether the node is matched but not named."""
        return self.name == "_"

    @property
    def is_root(self) -> bool:
        """Whether a pattern asks for the root here."""
        return self.name == s.ROOT_CELL


@dataclass(frozen=True, slots=True)
class Each:
    """The current node of a quantifier."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """A run whose length is a choice."""

    name: str
    place: Offset
    choice: int


@dataclass(frozen=True, slots=True)
class Rest:
    """The run that takes what is left: all cells from its place on except the last `behind`."""

    name: str
    place: Offset
    behind: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the run is the whole sequence."""
        return not self.place.cells and not self.place.runs and not self.behind


Node: TypeAlias = Fixed | Cell | Each
Run: TypeAlias = Chosen | Rest
Item: TypeAlias = Cell | Run
Member: TypeAlias = Node | Run


# --- terms -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    """A number, with the term of the figure whose value it is."""

    value: int
    written: s.Term


@dataclass(frozen=True, slots=True)
class Words:
    """The number of words."""


@dataclass(frozen=True, slots=True)
class CounterOf:
    """The value of a counter."""

    component: int


@dataclass(frozen=True, slots=True)
class Length:
    """The length of a run."""

    run: Run


@dataclass(frozen=True, slots=True)
class Degree:
    """`syntax.Degree`."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class ArcCount:
    """`syntax.ArcCount`."""


@dataclass(frozen=True, slots=True)
class GoldFunction:
    """`syntax.GoldFunction`."""

    name: str
    argument: Node


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum or difference that does not reduce to a number."""

    sign: Literal["+", "-"]
    left: "Term"
    right: "Term"


@dataclass(frozen=True, slots=True)
class Unbounded:
    """The value ∞ or -∞, or NaN for ∞ - ∞."""

    value: float


Term: TypeAlias = Number | Words | Fixed | Cell | Each | CounterOf | Length | ArcCount | Degree | GoldFunction | Sum
Amount: TypeAlias = Term | Unbounded


# --- conditions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Truth:
    """A condition that constants decide."""

    value: bool


TRUE, FALSE = Truth(True), Truth(False)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A relation between two terms, at most one of which is a number."""

    left: Term
    relation: s.Relation
    right: Term


@dataclass(frozen=True, slots=True)
class SequenceIs:
    """The condition that a run equals, or does not equal, a literal sequence."""

    run: Run
    relation: Literal["=", "!="]
    value: s.LiteralSequence


@dataclass(frozen=True, slots=True)
class HasHead:
    """`syntax.HasHead`."""

    node: Node


@dataclass(frozen=True, slots=True)
class HasDependent:
    """`syntax.HasDependent`."""

    node: Node


@dataclass(frozen=True, slots=True)
class HasArc:
    """`syntax.HasArc`."""

    head: Node
    dependent: Node


@dataclass(frozen=True, slots=True)
class Reaches:
    """`syntax.Reaches`."""

    source: Node
    target: Node


@dataclass(frozen=True, slots=True)
class Connected:
    """`syntax.Connected`."""

    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class IsSet:
    """The condition that a flag is true."""

    component: int


@dataclass(frozen=True, slots=True)
class InSet:
    """The condition that a node is in a set."""

    node: Node
    component: int


@dataclass(frozen=True, slots=True)
class InSequence:
    """The condition that a node is among some nodes and runs."""

    node: Node
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Quantified:
    """The condition that the body holds for some, or for all, of some nodes and runs."""

    quantifier: Literal["exists", "all"]
    variable: Each
    members: tuple[Member, ...]
    body: "Condition"


@dataclass(frozen=True, slots=True)
class Not:
    """The condition that the body is false."""

    body: "Condition"


@dataclass(frozen=True, slots=True)
class And:
    """A conjunction of two or more parts; `0 < i < j` is one too."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Or:
    """A disjunction of two or more parts."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class GoldArc:
    """`syntax.GoldArc`."""

    head: Node
    dependent: Node


@dataclass(frozen=True, slots=True)
class Complete:
    """`syntax.Complete`."""

    node: Node


@dataclass(frozen=True, slots=True)
class Precedes:
    """`syntax.Precedes`."""

    left: Node
    right: Node


Condition: TypeAlias = (
    Truth
    | Comparison
    | SequenceIs
    | HasHead
    | HasDependent
    | HasArc
    | Reaches
    | Connected
    | IsSet
    | InSet
    | InSequence
    | Quantified
    | Not
    | And
    | Or
    | GoldArc
    | Complete
    | Precedes
)


# --- what a rule needs and does --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SequenceFits:
    """The test that a sequence has exactly this many cells in addition to its chosen runs, or at least this many if it
    has a rest; its items are listed from the head on.
    """

    component: int
    cells: int
    chosen: tuple[int, ...]
    items: tuple[Item, ...]

    @property
    def has_rest(self) -> bool:
        """Whether the sequence may be longer."""
        return any(isinstance(item, Rest) for item in self.items)


@dataclass(frozen=True, slots=True)
class FlagIs:
    """The test that a flag has a value."""

    component: int
    value: bool


@dataclass(frozen=True, slots=True)
class CounterIs:
    """The test that a counter has a value."""

    component: int
    value: int


@dataclass(frozen=True, slots=True)
class AnyValue:
    """The test that always succeeds: a flag, counter or set may have any value."""

    component: int


Test: TypeAlias = SequenceFits | FlagIs | CounterIs | AnyValue


@dataclass(frozen=True, slots=True)
class Choice:
    """A length that a transition chooses, and the component and name of the run."""

    component: int
    name: str


_ROOT: Final = Number(ROOT, s.Number(ROOT))


@dataclass(frozen=True, slots=True)
class Match:
    """The tests of a pattern, one for each component, or none where an oracle line has no pattern; and the choices it
    leaves open.
    """

    tests: tuple[Test, ...]
    choices: tuple[Choice, ...]

    @property
    def sequences(self) -> tuple[SequenceFits, ...]:
        """The tests of the sequences."""
        return tuple(test for test in self.tests if isinstance(test, SequenceFits))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells whose nodes have names, in each sequence from its head on."""
        found = (item for test in self.sequences for item in test.items)
        return tuple(item for item in found if isinstance(item, Cell) and not item.is_hole and not item.is_root)

    @property
    def roots(self) -> tuple[Comparison, ...]:
        """The conditions of a pattern besides its tests: that the cells written `0` hold the root."""
        found = (item for test in self.sequences for item in test.items)
        return tuple(Comparison(cell, "=", _ROOT) for cell in found if isinstance(cell, Cell) and cell.is_root)


@dataclass(frozen=True, slots=True)
class SequenceBecomes:
    """A sequence gets these items, from the tail on; the first `kept` stay where they were, and `dropped` are removed
    from the head.
    """

    component: int
    items: tuple[Item, ...]
    kept: int
    dropped: tuple[Item, ...]

    @property
    def stays(self) -> bool:
        """Whether nothing changes, judging by the pattern."""
        return self.kept == len(self.items) and not self.dropped


@dataclass(frozen=True, slots=True)
class FlagBecomes:
    """A flag gets the truth of a condition; `stays` if the pattern shows that it already has it."""

    component: int
    value: Condition
    stays: bool


@dataclass(frozen=True, slots=True)
class CounterBecomes:
    """A counter gets the value of a term; `written` is the term as the figure has it."""

    component: int
    value: Amount
    stays: bool
    written: s.Term


@dataclass(frozen=True, slots=True)
class SetBecomes:
    """A set becomes a copy of a set, or empty, and then nodes are added and removed in order."""

    component: int
    base: int | None
    changes: tuple[tuple[Literal["+", "-"], Node], ...]
    stays: bool


Move: TypeAlias = SequenceBecomes | FlagBecomes | CounterBecomes | SetBecomes


@dataclass(frozen=True, slots=True)
class AddArc:
    """An arc is added; `labelled` if it gets the label of the transition."""

    head: Node
    dependent: Node
    labelled: bool


@dataclass(frozen=True, slots=True)
class RemoveArcs:
    """All arcs into a node are removed."""

    dependent: Node


ArcChange: TypeAlias = AddArc | RemoveArcs


@dataclass(frozen=True, slots=True)
class RulePlan:
    """A rule: what its pattern requires, its guards (one for each precondition), a move for each component, and the
    changes to the arcs in order.

    `tags` are the nodes that get the label of the transition as their tag.
    """

    rule: s.Rule
    match: Match
    guards: tuple[Condition, ...]
    moves: tuple[Move, ...]
    arcs: tuple[ArcChange, ...]
    tags: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """A rule that an oracle line may refer to, and the runs of the line whose lengths become its choice."""

    rule: int
    lengths: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class LinePlan:
    """A line of an oracle, the cases of its transition, and the source of its label: gold arcs, as head and dependent,
    or gold tags.
    """

    line: s.OracleLine
    match: Match
    conditions: tuple[Condition, ...]
    cases: tuple[Case, ...]
    labelled: tuple[tuple[Node, Node], ...]
    tagged: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class CountOf:
    """The number of nodes among some that satisfy a condition."""

    variable: Each
    members: tuple[Member, ...]
    condition: Condition


@dataclass(frozen=True, slots=True)
class TruthOf:
    """1 if a condition holds, otherwise 0."""

    condition: Condition


CostPart: TypeAlias = Number | CountOf | TruthOf


@dataclass(frozen=True, slots=True)
class CostPlan:
    """A line of a dynamic oracle: where it matches, and the parts that are added or subtracted."""

    line: s.CostLine
    match: Match
    parts: tuple[tuple[Literal["+", "-"], CostPart], ...]


@dataclass(frozen=True)
class Plan:
    """The plan of a figure for these values of its parameters."""

    figure: s.Figure
    parameters: Mapping[str, Quantity]

    @cached_property
    def rules(self) -> tuple[RulePlan, ...]:
        """The rules in the order of the figure."""
        return tuple(map(self._rule, self.figure.rules))

    @cached_property
    def terminal(self) -> tuple[Condition, ...]:
        """The conditions that all hold where a run ends."""
        return tuple(map(self.condition, self.figure.final))

    @cached_property
    def invariants(self) -> tuple[Condition, ...]:
        """The invariants of the figure."""
        return tuple(map(self.condition, self.figure.invariants))

    @cached_property
    def oracles(self) -> tuple[tuple[LinePlan, ...], ...]:
        """The lines of each oracle."""
        return tuple(tuple(map(self.line, oracle.lines)) for oracle in self.figure.oracles)

    def condition(self, condition: s.Condition) -> Condition:
        """The plan of a condition about the components."""
        return self._planned(_Names(_by_name(self.figure.state)), condition)

    def line(self, line: s.OracleLine) -> LinePlan:
        """The plan of an oracle line; without a pattern every component goes by its own name."""
        match, scope = self._scope(line.pattern)
        bound = [
            c for c in line.conditions if isinstance(c, s.GoldArc) and c.label is not None and c.label == line.label
        ]
        return LinePlan(
            line,
            match,
            tuple(self._planned(scope, condition) for condition in line.conditions),
            tuple(self._cases(line, scope)),
            tuple((scope.node(arc.head), scope.node(arc.dependent)) for arc in bound),
            tuple(scope.node(c.node) for c in line.conditions if isinstance(c, s.GoldTag)),
        )

    def cost(self, line: s.CostLine) -> CostPlan:
        """The plan of a line of a dynamic oracle; without a pattern every component goes by its own name."""
        match, scope = self._scope(line.pattern)
        return CostPlan(line, match, tuple((sign, self._cost_part(scope, part)) for sign, part in line.parts))

    def _cost_part(self, names: "_Names", part: s.CostPart) -> CostPart:
        match part:
            case s.Number(value):
                return Number(value, part)
            case s.CountOf(variable, domain, conditions):
                each, inner = names.with_each(variable)
                return CountOf(each, names.members(domain), conjunction(self._planned(inner, c) for c in conditions))
            case s.TruthOf(conditions):
                return TruthOf(conjunction(self._planned(names, condition) for condition in conditions))
            case _:
                assert_never(part)

    def asked(
        self, pattern: tuple[s.Pattern, ...] | None, conditions: Sequence[s.Condition]
    ) -> tuple[Match, tuple[Condition, ...]]:
        """The plan of a pattern and its conditions; without a pattern every component goes by its own name."""
        match, scope = self._scope(pattern)
        return match, tuple(self._planned(scope, condition) for condition in conditions)

    def _scope(self, pattern: tuple[s.Pattern, ...] | None) -> tuple[Match, "_Names"]:
        if pattern is None:
            return Match((), ()), _Names(_by_name(self.figure.state))
        match, names = matched(pattern, self.figure.state)
        return match, _Names(names)

    def _cases(self, line: s.OracleLine, names: "_Names") -> Iterator[Case]:
        for number, rule in enumerate(self.figure.rules):
            if rule.name == line.transition:
                yield Case(number, tuple(names.run(name) for _, name in s.choices(rule, self.figure.state)))

    def _planned(self, names: "_Names", condition: s.Condition) -> Condition:
        return _Reader(names, self.parameters).condition(condition)

    def _rule(self, rule: s.Rule) -> RulePlan:
        match, bound = matched(rule.before, self.figure.state)
        names = _Names(bound)
        parts = enumerate(zip(rule.before, rule.after, match.tests, strict=True))
        return RulePlan(
            rule,
            match,
            tuple(self._planned(names, condition) for condition in rule.preconditions),
            tuple(self._move(names, index, *part) for index, part in parts),
            tuple(_arc_change(effect, names) for effect in rule.effects if not isinstance(effect, s.TagNode)),
            tuple(names.node(effect.node) for effect in rule.effects if isinstance(effect, s.TagNode)),
        )

    def _move(self, names: "_Names", index: int, before: s.Pattern, after: s.Update, test: Test) -> Move:
        reader = _Reader(names, self.parameters)
        stays = _stays(before, after)
        match after:
            case s.SequenceOf():
                component = self.figure.state[index]
                assert isinstance(component, s.SequenceComponent)
                assert isinstance(test, SequenceFits)
                new = [names.item(item.name) for item in from_tail(after.items, component.head)]
                return _rebuilt(index, test.items[::-1], tuple(new))
            case s.FlagLiteral(value):
                return FlagBecomes(index, Truth(value), stays)
            case s.FlagFrom(condition):
                return FlagBecomes(index, reader.condition(condition), stays)
            case s.CounterFrom(term):
                return CounterBecomes(index, reader.amount(term), stays, term)
            case s.SetFrom(base, changes):
                base_component = None if base is None else names.value(base)
                return SetBecomes(index, base_component, tuple((sign, names.node(n)) for sign, n in changes), stays)
            case _:
                assert_never(after)


# --- patterns --------------------------------------------------------------------------------------------------------

Bound: TypeAlias = Cell | Each | Run | int
"""What a name stands for; a number means the flag, counter or set at that place."""


def from_tail(items: Sequence[T], head: s.Side) -> Sequence[T]:
    """Items printed from left to right, in order from the tail."""
    return items if head == "right" else items[::-1]


def laid_out(pattern: s.SequenceOf, component: int, head: s.Side, first_choice: int = 0) -> tuple[Item, ...]:
    """The items of a pattern from the head on, each with its place; its choices are numbered from `first_choice` on."""
    items = from_tail(pattern.items, head)[::-1]
    segments = [index for index, item in enumerate(items) if isinstance(item, s.Segment)]
    rest = segments[-1] if segments else len(items)
    found: list[Item] = []
    cells = 0
    runs: tuple[int, ...] = ()
    for index, item in enumerate(items):
        behind = len(items) - 1 - index
        place = Offset(component, "head", cells, runs) if index <= rest else Offset(component, "tail", behind)
        if isinstance(item, s.Cell):
            found.append(Cell(item.name, place))
            cells += 1
        elif index == rest:
            found.append(Rest(item.name, place, behind))
        else:
            choice = first_choice + len(runs)
            found.append(Chosen(item.name, place, choice))
            runs = (*runs, choice)
    return tuple(found)


def matched(patterns: Sequence[s.Pattern], state: Sequence[s.Component]) -> tuple[Match, dict[str, Bound]]:
    """The tests of each component by its pattern, and what the names in the patterns stand for."""
    tests: list[Test] = []
    choices: list[Choice] = []
    names: dict[str, Bound] = {}
    for index, (component, pattern) in enumerate(zip(state, patterns, strict=True)):
        match pattern:
            case s.SequenceOf():
                assert isinstance(component, s.SequenceComponent)
                items = laid_out(pattern, index, component.head, len(choices))
                chosen = [item for item in items if isinstance(item, Chosen)]
                cells = sum(isinstance(item, Cell) for item in items)
                tests.append(SequenceFits(index, cells, tuple(item.choice for item in chosen), items))
                choices += [Choice(index, item.name) for item in chosen]
                names |= {item.name: item for item in items}
            case s.AnyValue(name):
                tests.append(AnyValue(index))
                names[name] = index
            case s.FlagLiteral(value):
                tests.append(FlagIs(index, value))
            case s.CounterFrom(term):
                assert isinstance(term, s.Number)
                tests.append(CounterIs(index, term.value))
            case _:
                assert_never(pattern)
    return Match(tuple(tests), tuple(choices)), names


def whole(component: int, name: str) -> Rest:
    """A sequence as a run."""
    return Rest(name, Offset(component, "head", 0))


def _by_name(state: Sequence[s.Component]) -> dict[str, Bound]:
    return {
        component.name: whole(index, component.name) if isinstance(component, s.SequenceComponent) else index
        for index, component in enumerate(state)
    }


def _stays(before: s.Pattern, after: s.Update) -> bool:
    match before, after:
        case s.AnyValue(name), s.FlagFrom(s.IsSet(again)) | s.CounterFrom(s.CounterVariable(again)) | s.SetFrom(
            again, ()
        ):
            return name == again
        case _:
            return before == after


def _rebuilt(component: int, old: tuple[Item, ...], new: tuple[Item, ...]) -> SequenceBecomes:
    kept = 0
    while kept < min(len(old), len(new)) and old[kept] == new[kept]:
        kept += 1
    return SequenceBecomes(component, new, kept, old[kept:])


def _arc_change(effect: s.AddArc | s.RemoveArcs, names: "_Names") -> ArcChange:
    match effect:
        case s.AddArc(head, label, dependent):
            return AddArc(names.node(head), names.node(dependent), label is not None)
        case s.RemoveArcs(dependent):
            return RemoveArcs(names.node(dependent))
        case _:
            assert_never(effect)


# --- conditions and terms --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Names:
    """What the names of a rule, of a line or of a condition stand for."""

    bound: Mapping[str, Bound]
    depth: int = 0

    def node(self, node: s.Node) -> Node:
        match node:
            case s.Number(value):
                return Fixed(value)
            case s.Variable(name):
                found = self.bound[name]
                assert isinstance(found, Cell | Each)
                return found
            case _:
                assert_never(node)

    def run(self, name: str) -> Run:
        found = self.bound[name]
        assert isinstance(found, Chosen | Rest)
        return found

    def value(self, name: str) -> int:
        found = self.bound[name]
        assert isinstance(found, int)
        return found

    def item(self, name: str) -> Item:
        found = self.bound[name]
        assert isinstance(found, Cell | Chosen | Rest)
        return found

    def members(self, sequence: s.SequenceOf) -> tuple[Member, ...]:
        found = [self.bound[item.name] for item in sequence.items]
        return tuple(member for member in found if not isinstance(member, int))

    def with_each(self, name: str) -> tuple[Each, "_Names"]:
        variable = Each(name, self.depth)
        return variable, _Names({**self.bound, name: variable}, self.depth + 1)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Translates conditions and terms: names become places, parameters become numbers, and what constants decide is
    decided.
    """

    names: _Names
    parameters: Mapping[str, Quantity]

    def condition(self, condition: s.Condition) -> Condition:
        names = self.names
        match condition:
            case s.Comparison(terms, relations):
                amounts = [self.amount(term) for term in terms]
                return conjunction(map(_compared, amounts, relations, amounts[1:]))
            case s.SequenceIs(segment, relation, value):
                return SequenceIs(names.run(segment), relation, value)
            case s.HasHead(node):
                return HasHead(names.node(node))
            case s.HasDependent(node):
                return HasDependent(names.node(node))
            case s.HasArc(head, dependent):
                return HasArc(names.node(head), names.node(dependent))
            case s.Reaches(source, target):
                return Reaches(names.node(source), names.node(target))
            case s.Connected(left, right):
                return Connected(names.node(left), names.node(right))
            case s.IsSet(flag):
                return IsSet(names.value(flag))
            case s.InSet(node, set_name):
                return InSet(names.node(node), names.value(set_name))
            case s.InSequence(node, sequence):
                return InSequence(names.node(node), names.members(sequence))
            case s.Quantified():
                return self._quantified(condition)
            case s.Not(body):
                return negation(self.condition(body))
            case s.And(parts):
                return conjunction(map(self.condition, parts))
            case s.Or(parts):
                return disjunction(map(self.condition, parts))
            case s.GoldArc(head, dependent, _):
                return GoldArc(names.node(head), names.node(dependent))
            case s.GoldTag():
                return TRUE
            case s.Complete(node):
                return Complete(names.node(node))
            case s.Precedes(left, right):
                return Precedes(names.node(left), names.node(right))
            case _:
                assert_never(condition)

    def _quantified(self, condition: s.Quantified) -> Condition:
        variable, inner = self.names.with_each(condition.variable)
        body = _Reader(inner, self.parameters).condition(condition.body)
        if body == (FALSE if condition.quantifier == "exists" else TRUE):
            return body
        return Quantified(condition.quantifier, variable, self.names.members(condition.domain), body)

    def amount(self, term: s.Term) -> Amount:
        match term:
            case s.Number(value):
                return Number(value, term)
            case s.Infinity():
                return Unbounded(math.inf)
            case s.Words():
                return Words()
            case s.Variable():
                return self.names.node(term)
            case s.CounterVariable(name):
                return CounterOf(self.names.value(name))
            case s.Parameter(name):
                given = self.parameters[name]
                return Number(given, term) if isinstance(given, int) else Unbounded(given)
            case s.Size(segment):
                return Length(self.names.run(segment))
            case s.ArcCount():
                return ArcCount()
            case s.Degree(left, right):
                return Degree(self.names.node(left), self.names.node(right))
            case s.GoldFunction(name, argument):
                return GoldFunction(name, self.names.node(argument))
            case s.Arithmetic("+" | "-" as sign, left, right):
                return _sum(term, sign, self.amount(left), self.amount(right))
            case s.Arithmetic() | s.Count() | s.FlagValue():
                raise NotPlanned(f"{type(term).__name__} belongs to claims and measures; a condition cannot ask for it")
            case _:
                assert_never(term)


def _finite(amount: Amount) -> Quantity:
    """The value of ∞ and the like; 0 for anything finite, because next to ∞ finite numbers make no difference."""
    return amount.value if isinstance(amount, Number | Unbounded) else 0


def _sum(term: s.Term, sign: Literal["+", "-"], left: Amount, right: Amount) -> Amount:
    if isinstance(left, Unbounded) or isinstance(right, Unbounded):
        return Unbounded(float(calculate(sign, _finite(left), _finite(right))))
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(int(calculate(sign, left.value, right.value)), term)
    return Sum(sign, left, right)


def _compared(left: Amount, relation: s.Relation, right: Amount) -> Condition:
    if isinstance(left, Unbounded) or isinstance(right, Unbounded):
        return Truth(compare(_finite(left), relation, _finite(right)))
    if isinstance(left, Number) and isinstance(right, Number):
        return Truth(compare(left.value, relation, right.value))
    return Comparison(left, relation, right)


def negation(condition: Condition) -> Condition:
    """The condition that a condition is false."""
    return Truth(not condition.value) if isinstance(condition, Truth) else Not(condition)


def conjunction(conditions: Iterable[Condition]) -> Condition:
    """The condition that all conditions hold."""
    return _joined(list(conditions), FALSE, And)


def disjunction(conditions: Iterable[Condition]) -> Condition:
    """The condition that some condition holds."""
    return _joined(list(conditions), TRUE, Or)


def _joined(parts: list[Condition], decisive: Truth, kind: type[And] | type[Or]) -> Condition:
    if decisive in parts:
        return decisive
    open_parts = tuple(part for part in parts if not isinstance(part, Truth))
    if not open_parts:
        return Truth(not decisive.value)
    return open_parts[0] if len(open_parts) == 1 else kind(open_parts)
