"""What terms and conditions of a plan mean to the machine, whatever form configurations have.

A form says how to inspect a configuration: its cells and lengths, flags, counters, sets and arcs, and what a gold graph
says.  `assemble` has packed words and 128 lanes, `arrays.assemble` has arrays and any number of words.  What conditions
and terms mean is defined here, once.

Conditions become truths; those that constants decide are decided at assembly time.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Final, TypeAlias, assert_never

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s
from arcproof.transitions.execute import compare
from arcproof.transitions.machine.codes import GOLD_ORDER, ROWS_OF_GOLD_FUNCTIONS
from arcproof.transitions.machine.opcodes import Opcode
from arcproof.transitions.machine.packed.layout import DoesNotFit
from arcproof.transitions.machine.program import ProgramBuilder, Register
from arcproof.transitions.system import System

Amount: TypeAlias = Register | int
Condition: TypeAlias = Register | bool

MOST_NAMES: Final = 255
GREATEST: Final = 2**60


class NotAssembled(DoesNotFit):
    """Part of the figure cannot be assembled; the message names it."""


@dataclass(frozen=True)
class Bindings:
    """What the numbers of a plan stand for: the chosen lengths and the current nodes of quantifiers."""

    chosen: tuple[Amount, ...] = ()
    each: tuple[Amount, ...] = ()


@dataclass
class Meaning(ABC):
    """Makes the programs of one system."""

    system: System
    b: ProgramBuilder = field(default_factory=ProgramBuilder, kw_only=True)
    _opposites: dict[Register, Register] = field(default_factory=dict, kw_only=True)

    @property
    def state(self) -> tuple[s.Component, ...]:
        """The components of the figure."""
        return self.system.figure.state

    @property
    def several_heads(self) -> bool:
        """Whether words may have several heads."""
        return self.system.figure.several_heads

    @cached_property
    def names(self) -> list[str]:
        """The names of the transitions; the code of a transition begins with the index of its name."""
        names = list(self.system.transitions)
        if len(names) > MOST_NAMES:
            raise NotAssembled(f"{len(names)} transitions")
        return names

    # --- what a form has to say --------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def words(self) -> Amount:
        """The number of words."""

    @abstractmethod
    def fixed(self, number: int) -> int:
        """A node by its number; `NotAssembled` if it may be absent."""

    @abstractmethod
    def is_beyond(self, node: p.Node) -> bool:
        """Whether a node is known not to be in the sentence."""

    @abstractmethod
    def length(self, component: int) -> Register:
        """The length of a sequence."""

    @abstractmethod
    def value(self, component: int) -> Register:
        """A flag or counter."""

    @abstractmethod
    def cell(self, place: p.Offset, scope: Bindings) -> Register:
        """The content of a cell."""

    @abstractmethod
    def in_set(self, node: Amount, component: int) -> Condition:
        """Whether a node is in a set."""

    @abstractmethod
    def has_head(self, node: Amount) -> Condition:
        """Whether some arc leads to a node."""

    @abstractmethod
    def has_dependent(self, node: Amount) -> Condition:
        """Whether some arc leaves a node."""

    @abstractmethod
    def has_arc(self, head: Amount, dependent: Amount) -> Condition:
        """Whether there is an arc."""

    @abstractmethod
    def reaches(self, source: Amount, target: Amount) -> Condition:
        """Whether a path of arcs leads from source to target."""

    @abstractmethod
    def connected(self, left: Amount, right: Amount) -> Condition:
        """Whether a path of arcs in any direction joins two nodes."""

    @abstractmethod
    def degree(self, left: Amount, right: Amount) -> Register:
        """How many words strictly between two nodes have no head in the closed interval."""

    @abstractmethod
    def gold(self, row: int, node: Amount) -> Register:
        """What the gold graph says about a node, by the row of gold data."""

    @abstractmethod
    def gold_arc(self, head: Amount, dependent: Amount) -> Condition:
        """Whether there is a gold arc."""

    @abstractmethod
    def complete(self, node: Amount) -> Condition:
        """Whether every gold dependent of a node is attached to it."""

    @abstractmethod
    def sequence_is(self, run: p.Run, literal: s.LiteralSequence, scope: Bindings) -> Condition:
        """Whether a run equals a literal sequence."""

    @abstractmethod
    def exists(self, members: Sequence[p.Member], holds: Callable[[Amount], Condition], scope: Bindings) -> Condition:
        """Whether a condition holds for at least one of these nodes."""

    # --- numbers -----------------------------------------------------------------------------------------------------

    def plus(self, left: Amount, right: Amount) -> Amount:
        """A sum."""
        if isinstance(left, int):
            left, right = right, left
        if isinstance(left, int):
            assert isinstance(right, int)
            return left + right
        if isinstance(right, int):
            return self.b.do(Opcode.PLUS_NUMBER, left, right) if right else left
        return self.b.do(Opcode.PLUS, left, right)

    def minus(self, left: Amount, right: Amount) -> Amount:
        """A difference."""
        if isinstance(right, int):
            return self.plus(left, -right)
        return self.b.do(Opcode.MINUS, self.register(left), right)

    def times(self, left: Amount, number: int) -> Amount:
        """A product with a number."""
        return left * number if isinstance(left, int) else self.b.do(Opcode.TIMES_NUMBER, left, number)

    def register(self, amount: Amount) -> Register:
        """A register that holds a number."""
        return self.b.constant(amount) if isinstance(amount, int) else amount

    # --- nodes and runs ----------------------------------------------------------------------------------------------

    def node(self, node: p.Node, scope: Bindings) -> Amount:
        """A node."""
        match node:
            case p.Fixed(number):
                return self.fixed(number)
            case p.Cell(_, place):
                return self.cell(place, scope)
            case p.Each(_, number):
                return scope.each[number]
            case _:
                assert_never(node)

    def offset(self, place: p.Offset, scope: Bindings) -> Amount:
        """The number of cells between a place and the end of the component that it is counted from."""
        found: Amount = place.cells
        for run in place.runs:
            found = self.plus(found, scope.chosen[run])
        return found

    def length_of(self, run: p.Run, scope: Bindings) -> Amount:
        """The length of a run."""
        if isinstance(run, p.Chosen):
            return scope.chosen[run.choice]
        return self.minus(self.length(run.place.component), self.plus(self.offset(run.place, scope), run.behind))

    # --- terms and conditions ----------------------------------------------------------------------------------------

    def term(self, term: p.Term, scope: Bindings) -> Amount:
        """The value of a term."""
        match term:
            case p.Number(value):
                if not -GREATEST < value < GREATEST:
                    raise NotAssembled(f"the number {value}")
                return value
            case p.Words():
                return self.words
            case p.Fixed(number):
                return number
            case p.Cell() | p.Each():
                return self.node(term, scope)
            case p.CounterOf(component):
                return self.value(component)
            case p.Length(run):
                return self.length_of(run, scope)
            case p.ArcCount():
                raise NotAssembled("the number of arcs")
            case p.Degree(left, right):
                return self.degree(self.node(left, scope), self.node(right, scope))
            case p.GoldFunction(name, argument):
                if name not in ROWS_OF_GOLD_FUNCTIONS:
                    raise NotAssembled(f"the gold function {name}")
                return self.gold(ROWS_OF_GOLD_FUNCTIONS[name], self.node(argument, scope))
            case p.Sum(sign, left, right):
                one, other = self.term(left, scope), self.term(right, scope)
                return self.plus(one, other) if sign == "+" else self.minus(one, other)
            case _:
                assert_never(term)

    def condition(self, condition: p.Condition, scope: Bindings) -> Condition:
        """Whether a condition holds."""
        match condition:
            case p.HasHead(node) | p.HasDependent(node) | p.InSet(node, _) if self.is_beyond(node):
                return False
            case p.HasArc(one, other) | p.GoldArc(one, other) if self.is_beyond(one) or self.is_beyond(other):
                return False
            case p.Reaches(one, other) | p.Connected(one, other) if self.is_beyond(one) or self.is_beyond(other):
                return one == other
            case p.Truth(value):
                return value
            case p.Comparison(left, relation, right):
                return self.compared(self.term(left, scope), relation, self.term(right, scope))
            case p.SequenceIs(run, relation, value):
                equal = self.sequence_is(run, value, scope)
                return equal if relation == "=" else self.negated(equal)
            case p.HasHead(node):
                return self.has_head(self.node(node, scope))
            case p.HasDependent(node):
                return self.has_dependent(self.node(node, scope))
            case p.HasArc(head, dependent):
                return self.has_arc(self.node(head, scope), self.node(dependent, scope))
            case p.Reaches(source, target):
                return self.reaches(self.node(source, scope), self.node(target, scope))
            case p.Connected(left, right):
                return self.connected(self.node(left, scope), self.node(right, scope))
            case p.IsSet(component):
                return self.value(component)
            case p.InSet(node, component):
                return self.in_set(self.node(node, scope), component)
            case p.InSequence(node, members):
                wanted = self.node(node, scope)
                return self.exists(members, lambda cell: self.compared(wanted, "=", cell), scope)
            case p.Quantified(quantifier, _, members, body):
                return self._quantified(quantifier == "all", members, body, scope)
            case p.Not(body):
                return self.negated(self.condition(body, scope))
            case p.And(parts):
                return self.all(self.condition(part, scope) for part in parts)
            case p.Or(parts):
                return self.some(self.condition(part, scope) for part in parts)
            case p.GoldArc(head, dependent):
                return self.gold_arc(self.node(head, scope), self.node(dependent, scope))
            case p.Complete(node):
                return self.complete(self.node(node, scope))
            case p.Precedes(left, right):
                places = [self.gold(GOLD_ORDER, self.node(node, scope)) for node in (left, right)]
                return self.compared(places[0], "<", places[1])
            case _:
                assert_never(condition)

    def _quantified(self, negate: bool, members: Sequence[p.Member], body: p.Condition, scope: Bindings) -> Condition:
        """Whether a condition holds for some node; with `negate`, whether it holds for all nodes."""

        def holds(node: Amount) -> Condition:
            found = self.condition(body, replace(scope, each=(*scope.each, node)))
            return self.negated(found) if negate else found

        found = self.exists(members, holds, scope)
        return self.negated(found) if negate else found

    def fits_test(self, test: p.Test, chosen: int = 0) -> Condition:
        """Whether a component matches a pattern; a sequence has this many chosen cells in addition to its own."""
        match test:
            case p.SequenceFits(component, cells, _, _):
                wanted = cells + chosen
                if not test.has_rest:
                    return self.compared(self.length(component), "=", wanted)
                return self.compared(self.length(component), ">", wanted - 1) if wanted else True
            case p.FlagIs(component, value):
                return self.compared(self.value(component), "=", int(value))
            case p.CounterIs(component, value):
                return self.compared(self.value(component), "=", value)
            case p.AnyValue():
                return True
            case _:
                assert_never(test)

    def compared(self, left: Amount, relation: s.Relation, right: Amount) -> Condition:
        """Whether two numbers are in a relation."""
        if isinstance(left, int):
            if isinstance(right, int):
                return compare(left, relation, right)
            return self.compared(right, _MIRRORED[relation], left)
        match relation:
            case "=":
                opcode = Opcode.EQUAL_NUMBER if isinstance(right, int) else Opcode.EQUAL
                return self.b.do(opcode, left, right)
            case "<":
                opcode = Opcode.LESS_NUMBER if isinstance(right, int) else Opcode.LESS
                return self.b.do(opcode, left, right)
            case ">":
                return (
                    self.b.do(Opcode.MORE_NUMBER, left, right)
                    if isinstance(right, int)
                    else self.b.do(Opcode.LESS, right, left)
                )
            case "!=" | ">=" | "<=":
                return self.negated(self.compared(left, _OPPOSITE[relation], right))
            case _:
                assert_never(relation)

    def negated(self, condition: Condition) -> Condition:
        """Whether a condition does not hold."""
        if isinstance(condition, bool):
            return not condition
        if condition not in self._opposites:
            found = self.b.do(Opcode.NEGATED, condition)
            self._opposites[found] = condition
            return found
        return self._opposites[condition]

    def all(self, conditions: Iterable[Condition]) -> Condition:
        """Whether all conditions hold."""
        found: Condition = True
        for condition in conditions:
            if isinstance(condition, bool):
                if not condition:
                    return False
            else:
                found = condition if found is True else self.b.do(Opcode.BOTH, found, condition)
        return found

    def some(self, conditions: Iterable[Condition]) -> Condition:
        """Whether some condition holds."""
        found: Condition = False
        for condition in conditions:
            if isinstance(condition, bool):
                if condition:
                    return True
            else:
                found = condition if found is False else self.b.do(Opcode.EITHER, found, condition)
        return found

    def truth(self, condition: Condition) -> Register:
        """A register that holds a truth."""
        return self.b.constant(int(condition)) if isinstance(condition, bool) else condition


def lengths_of(line: p.LinePlan) -> list[tuple[p.Run, ...]]:
    """The runs whose lengths an oracle line chooses, once for each way in which the cases of its transition choose
    them.
    """
    return list(dict.fromkeys(case.lengths for case in line.cases))


_MIRRORED: Final[dict[s.Relation, s.Relation]] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE: Final[dict[s.Relation, s.Relation]] = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
