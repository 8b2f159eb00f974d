"""From a figure to the code that `kernel` leaves open: `terminal`, `expand`, `predict`, `empties`, `goal`.

Nothing of a specification reaches the code as text: its names become numbered variables, and what remains are integers that the syntax
tree holds.  Patterns and conditions are written out in the order in which the interpreter tries them, so that successors come in its order.

In the code `q0, m0` are cells and length of the first sequence, `x2` the value of the third component if that is a flag, counter or set,
`v4` a node, `g5, h5` a run of nodes and its length, `arcs` the arcs; `r0, k0` are a sequence after the transition, `y2` a value after it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Final, TypeAlias, assert_never

from arcproof.transitions import syntax as s
from arcproof.transitions.execute import Quantity
from arcproof.transitions.machine.codes import NAME_BITS, ROWS_OF_GOLD_FUNCTIONS
from arcproof.transitions.machine.packed.layout import ArcForm
from arcproof.transitions.system import System

MOST_CHOICES: Final = 3
MOST_NAMES: Final = 255
GREATEST: Final = 2**31


class NotCompilable(Exception):
    """The figure has something that there is no code for; the message says what."""


@dataclass(frozen=True, slots=True)
class NodeVariable:
    """A node, by the variable of the code that holds it."""

    code: str


@dataclass(frozen=True, slots=True)
class PackedRun:
    """A run of nodes: its cells from the end named, and their number."""

    cells: str
    length: str
    side: s.Side


@dataclass(frozen=True, slots=True)
class ValueVariable:
    """A flag, counter or set."""

    code: str


Bound: TypeAlias = NodeVariable | PackedRun | ValueVariable
Scope: TypeAlias = dict[str, Bound]


@dataclass(frozen=True, slots=True)
class InfiniteValue:
    """The value of ∞, or of ∞ - 1."""

    sign: int


Amount: TypeAlias = str | InfiniteValue


@dataclass
class Emitter:
    """Writes the code of one system; `literals` collects the sequences that `layout` prepares for each number of words."""

    choice_bits: ClassVar[int] = 8
    system: System
    arc_form: ArcForm
    lines: list[str] = field(default_factory=list)
    literals: list[tuple[s.LiteralSequence, s.Side]] = field(default_factory=list)
    _indent: int = 0
    _count: int = 0

    @property
    def state(self) -> tuple[s.Component, ...]:
        """The components of the figure."""
        return self.system.figure.state

    @property
    def sequences(self) -> list[int]:
        """The places of the sequences."""
        return [k for k, c in enumerate(self.state) if isinstance(c, s.SequenceComponent)]

    # --- writing -------------------------------------------------------------------------------------------------------

    def write(self, line: str) -> None:
        """One line at the current depth."""
        self.lines.append("    " * self._indent + line)

    @contextmanager
    def block(self, line: str) -> Iterator[None]:
        """A line that opens a block."""
        self.write(line)
        self._indent += 1
        yield
        self._indent -= 1

    def fresh(self, letter: str) -> str:
        """A variable that is not in use."""
        self._count += 1
        return f"{letter}{self._count}"

    def arc(self, function: str) -> str:
        """The function of `kernel` for the form in which arcs are packed."""
        return f"{function}_{self.arc_form}"

    # --- configurations ------------------------------------------------------------------------------------------------

    def unpack(self) -> Scope:
        """Code that takes a configuration apart; the components by name."""
        raise NotImplementedError

    # --- patterns ------------------------------------------------------------------------------------------------------

    def match(self, patterns: Sequence[s.Pattern], then: Callable[[Scope, list[str]], None]) -> None:
        """Code that tries every way in which the patterns match; `then` writes what is done with the names and the choice."""
        fits = [condition for index, pattern in enumerate(patterns) for condition in self._fits(index, pattern)]
        with self.block(f"if {' and '.join(fits) or 'True'}:"):
            self._match_from(0, patterns, {}, [], then)

    def _fits(self, index: int, pattern: s.Pattern) -> Iterator[str]:
        match pattern:
            case s.SequenceOf(items):
                cells = sum(isinstance(item, s.Cell) for item in items)
                if cells == len(items):
                    yield f"m{index} == {cells}"
                elif cells:
                    yield f"m{index} >= {cells}"
            case s.AnyValue():
                pass
            case s.FlagLiteral(value):
                yield f"x{index} == {int(value)}"
            case s.CounterFrom(term):
                assert isinstance(term, s.Number)
                yield f"x{index} == {_number(term.value)}"
            case _:
                assert_never(pattern)

    def _match_from(
        self, index: int, patterns: Sequence[s.Pattern], scope: Scope, choice: list[str],
        then: Callable[[Scope, list[str]], None],
    ) -> None:  # fmt: skip
        if index == len(patterns):
            then(scope, choice)
            return
        pattern = patterns[index]
        if isinstance(pattern, s.SequenceOf):
            component = self.state[index]
            assert isinstance(component, s.SequenceComponent)
            items = pattern.items if component.head == "left" else pattern.items[::-1]

            def go_on(inner: Scope, chosen: list[str]) -> None:
                self._match_from(index + 1, patterns, inner, chosen, then)

            cells = sum(isinstance(item, s.Cell) for item in items)
            self._items(index, component.head, list(items), "0", f"m{index} - {cells}", scope, choice, go_on)
            return
        if isinstance(pattern, s.AnyValue) and pattern.name != "_":
            scope = {**scope, pattern.name: ValueVariable(f"x{index}")}
        self._match_from(index + 1, patterns, scope, choice, then)

    def _items(
        self, index: int, side: s.Side, items: list[s.Item], at: str, free: str, scope: Scope, choice: list[str],
        then: Callable[[Scope, list[str]], None],
    ) -> None:  # fmt: skip
        """Code that gives the items, listed from the head on, their nodes; `free` is how many nodes the segments share."""
        if not items:
            then(scope, choice)
            return
        item, *others = items
        if isinstance(item, s.Cell):
            if not item.is_hole:
                node = self.fresh("v")
                self.write(f"{node} = {self._cell_at(index, at)}")
                scope = {**scope, item.name: NodeVariable(node)}
            self._items(index, side, others, f"{at} + 1", free, scope, choice, then)
            return
        cells, length = self.fresh("g"), self.fresh("h")
        inner = {**scope, item.name: self._run_in(index, cells, length, side)}
        take = f"{cells} = {self._cells_at(index, at, length)}"
        if not any(isinstance(other, s.Segment) for other in others):
            self.write(f"{length} = {free}")
            self.write(take)
            self._items(index, side, others, f"{at} + {length}", "0", inner, choice, then)
            return
        with self._lengths(length, free, len(choice)):
            self.write(take)
            self._stop_early(item.name, inner, scope)
            self._items(index, side, others, f"{at} + {length}", f"{free} - {length}", inner, [*choice, length], then)

    def _cell_at(self, index: int, at: str) -> str:
        """The code of a node, this many cells from the head."""
        return f"(q{index} >> (b * ({at}))) & mask"

    def _cells_at(self, index: int, at: str, length: str) -> str:
        """The code of a run of nodes, this many cells from the head."""
        return f"(q{index} >> (b * ({at}))) & ((1 << (b * {length})) - 1)"

    def _run_in(self, index: int, cells: str, length: str, side: s.Side) -> PackedRun:  # noqa: ARG002 - where runs know their component
        return PackedRun(cells, length, side)

    def _lengths(self, length: str, free: str, place: int) -> AbstractContextManager[None]:  # noqa: ARG002 - the place of a choice
        """Code inside which a run has each length in turn."""
        return self.block(f"for {length} in range({free} + 1):")

    def _stop_early(self, segment: str, scope: Scope, before: Scope) -> None:
        """Code that ends the lengths, where longer runs need not be tried."""

    # --- terms and conditions ------------------------------------------------------------------------------------------

    def node(self, node: s.Node, scope: Scope) -> str:
        """The code of a node."""
        match node:
            case s.Number(0):
                return "0"
            case s.Number(value):
                raise NotCompilable(f"the node {value} by its number")
            case s.Variable(name):
                bound = scope[name]
                assert isinstance(bound, NodeVariable)
                return bound.code
            case _:
                assert_never(node)

    def amount(self, term: s.Term, scope: Scope) -> Amount:
        """The code of a number, or ∞."""
        match term:
            case s.Number(value):
                return _number(value)
            case s.Infinity():
                return InfiniteValue(1)
            case s.Words():
                return "n"
            case s.Variable(name) | s.CounterVariable(name):
                bound = scope[name]
                assert isinstance(bound, NodeVariable | ValueVariable)
                return bound.code
            case s.Parameter(name):
                return _quantity(self.system.parameters[name])
            case s.Size(segment):
                return self._run(segment, scope).length
            case s.Degree(left, right):
                return f"{self.arc('degree')}(arcs, {self.node(left, scope)}, {self.node(right, scope)}, n, hb)"
            case s.GoldFunction(name, argument):
                if name not in ROWS_OF_GOLD_FUNCTIONS:
                    raise NotCompilable(f"the gold function {name}")
                return f"gold[{ROWS_OF_GOLD_FUNCTIONS[name]}, {self.node(argument, scope)}]"
            case s.Arithmetic(operator, left, right):
                return _calculated(operator, self.amount(left, scope), self.amount(right, scope))
            case s.Count(transition):
                raise AssertionError(f"#{transition} outside a claim")
            case _:
                assert_never(term)

    def _run(self, name: str, scope: Scope) -> PackedRun:
        bound = scope[name]
        assert isinstance(bound, PackedRun)
        return bound

    def condition(self, condition: s.Condition, scope: Scope) -> str:
        """The code of a condition; lines that it needs are written before."""
        match condition:
            case s.Comparison(terms, relations):
                amounts = [self.amount(term, scope) for term in terms]
                return _all(_compared(amounts[k], relation, amounts[k + 1]) for k, relation in enumerate(relations))
            case s.SequenceIs(segment, relation, value):
                return self._sequence_is(self._run(segment, scope), relation, value)
            case s.HasHead(node):
                return f"{self.arc('has_head')}(arcs, {self.node(node, scope)}, n, hb)"
            case s.HasDependent(node):
                return f"{self.arc('has_dependent')}(arcs, {self.node(node, scope)}, n, hb)"
            case s.HasArc(left, right):
                return self._between("has_arc", left, right, scope)
            case s.Reaches(left, right):
                return self._between("reaches", left, right, scope)
            case s.Connected(left, right):
                return self._between("connected", left, right, scope)
            case s.IsSet(flag):
                return f"({self._value(flag, scope)} != 0)"
            case s.InSet(node, set_name):
                return f"((({self._value(set_name, scope)}) >> {self.node(node, scope)}) & 1 != 0)"
            case s.InSequence(node, sequence):
                variable = self.node(node, scope)
                return self._some(sequence, scope, lambda cell, _: f"({cell} == {variable})")
            case s.Quantified(quantifier, variable, domain, body):
                return self._quantified(quantifier, variable, domain, body, scope)
            case s.Not(body):
                return f"(not {self.condition(body, scope)})"
            case s.And(parts):
                return _all(self.condition(part, scope) for part in parts)
            case s.Or(parts):
                return "(" + " or ".join(self.condition(part, scope) for part in parts) + ")"
            case s.GoldArc(left, right, _):
                return f"(gold[GOLD_HEADS, {self.node(right, scope)}] == {self.node(left, scope)} + 1)"
            case s.Complete(node):
                return f"{self.arc('complete')}(arcs, {self.node(node, scope)}, gold, n, hb)"
            case s.Precedes(left, right):
                return f"(gold[GOLD_ORDER, {self.node(left, scope)}] < gold[GOLD_ORDER, {self.node(right, scope)}])"
            case _:
                assert_never(condition)

    def _value(self, name: str, scope: Scope) -> str:
        bound = scope[name]
        assert isinstance(bound, ValueVariable)
        return bound.code

    def _between(self, function: str, left: s.Node, right: s.Node, scope: Scope) -> str:
        return f"{self.arc(function)}(arcs, {self.node(left, scope)}, {self.node(right, scope)}, n, hb)"

    def _sequence_is(self, run: PackedRun, relation: str, value: s.LiteralSequence) -> str:
        wanted = (value, run.side)
        if wanted not in self.literals:
            self.literals.append(wanted)
        place = 2 * self.literals.index(wanted)
        equal = f"({run.length} == shape[LITERALS + {place + 1}] and {run.cells} == shape[LITERALS + {place}])"
        return equal if relation == "=" else f"(not {equal})"

    def _quantified(self, quantifier: str, variable: str, domain: s.SequenceOf, body: s.Condition, scope: Scope) -> str:
        def found(cell: str, negate: bool) -> str:
            text = self.condition(body, {**scope, variable: NodeVariable(cell)})
            return f"(not {text})" if negate else text

        if quantifier == "exists":
            return self._some(domain, scope, lambda cell, _: found(cell, False))
        return f"(not {self._some(domain, scope, lambda cell, _: found(cell, True))})"

    def _some(self, domain: s.SequenceOf, scope: Scope, holds: Callable[[str, Scope], str]) -> str:
        """Code that looks for a node of the sequence for which something holds."""
        result = self.fresh("t")
        self.write(f"{result} = False")
        for item in domain.items:
            bound = scope[item.name]
            if isinstance(bound, NodeVariable):
                self.write(f"{result} = {result} or {holds(bound.code, scope)}")
                continue
            assert isinstance(bound, PackedRun)
            self._look_in(bound, result, lambda node: holds(node, scope))
        return result

    def _look_in(self, run: PackedRun, result: str, holds: Callable[[str], str]) -> None:
        """Code that looks for such a node in a run."""
        rest, node = self.fresh("g"), self.fresh("v")
        self.write(f"{rest} = {run.cells}")
        with self.block(f"for _ in range({run.length}):"):
            self.write(f"{node} = {rest} & mask")
            self.write(f"{rest} >>= b")
            with self.block(f"if {holds(node)}:"):
                self.write(f"{result} = True")
                self.write("break")

    @contextmanager
    def where(self, conditions: Iterable[s.Condition], scope: Scope) -> Iterator[None]:
        """Code inside which the conditions hold; they are tried one after the other."""
        with self._inside(self.condition(condition, scope) for condition in conditions):
            yield

    @contextmanager
    def _inside(self, conditions: Iterable[str]) -> Iterator[None]:
        """Code inside which conditions hold, each written after the one before it is tried."""
        depth = self._indent
        for condition in conditions:
            self.write(f"if {condition}:")
            self._indent += 1
        yield
        self._indent = depth

    # --- transitions ---------------------------------------------------------------------------------------------------

    def _update(self, index: int, update: s.Update, scope: Scope) -> None:
        match update:
            case s.SequenceOf():
                raise AssertionError("sequences are put together where they live")
            case s.FlagLiteral(value):
                self.write(f"y{index} = {int(value)}")
            case s.FlagFrom(condition):
                text = self.condition(condition, scope)
                self.write(f"y{index} = 1 if {text} else 0")
            case s.CounterFrom(term):
                amount = self.amount(term, scope)
                if isinstance(amount, InfiniteValue):
                    raise NotCompilable("a counter that becomes infinite")
                self.write(f"y{index} = {amount}")
            case s.SetFrom(base, changes):
                self.write(f"y{index} = {'0' if base is None else self._value(base, scope)}")
                for sign, node in changes:
                    bit = f"(1 << {self.node(node, scope)})"
                    self.write(f"y{index} |= {bit}" if sign == "+" else f"y{index} &= ~{bit}")
            case _:
                assert_never(update)

    # --- the functions -------------------------------------------------------------------------------------------------

    def _transition_names(self) -> list[str]:
        """The names of the transitions; the code of one begins with its place."""
        names = list(self.system.transitions)
        if len(names) > MOST_NAMES:
            raise NotCompilable(f"{len(names)} transitions")
        return names

    def _terminal_function(self, state: str) -> None:
        with self.block(f"def terminal({state}):"):
            scope = self.unpack()
            with self.where(self.system.figure.final, scope):
                self.write("return True")
            self.write("return False")

    def _oracle_function(self, function: str, state: str, no_line: str) -> None:
        """Code that gives what the first line of an oracle that matches asks for."""
        names = self._transition_names()
        with self.block(f"def {function}(which, {state}):"):
            scope = self.unpack()
            for place, oracle in enumerate(self.system.figure.oracles):
                with self.block(f"if which == {place}:"):
                    for line in oracle.lines:
                        self._oracle_line(line, names.index(line.transition), scope)
            self.write(f"return {no_line}")

    def _oracle_line(self, line: s.OracleLine, name: int, by_name: Scope) -> None:
        wanted = {tuple(n for _, n in s.choices(case, self.state)) for case in self.system.transitions[line.transition]}
        if len(wanted) > 1:
            raise NotCompilable(f"an oracle line for {line.transition}, whose cases choose different runs of nodes")
        [segments] = wanted

        def found(scope: Scope, _: list[str]) -> None:
            with self.where(line.conditions, scope):
                self._predicted(
                    line, scope, self.code(name, [self._run(segment, scope).length for segment in segments])
                )

        if line.pattern is None:
            found(by_name, [])
        else:
            self.match(line.pattern, found)

    def _predicted(self, line: s.OracleLine, scope: Scope, code: str) -> None:  # noqa: ARG002 - where labels are predicted too
        """Code that ends with a transition."""
        self.write(f"return {code}")

    def code(self, name: int, choice: list[str]) -> str:
        """Number of the name in the lowest `NAME_BITS`, then one more than each length in `choice_bits`."""
        check_choices(len(choice))
        lengths = (f"(({length} + 1) << {self.shift(place)})" for place, length in enumerate(choice))
        return " + ".join([str(name), *lengths])

    def shift(self, place: int) -> int:
        """Where a choice begins in a code."""
        return NAME_BITS + self.choice_bits * place


def _number(value: int) -> str:
    if not -GREATEST < value < GREATEST:
        raise NotCompilable(f"the number {value}")
    return str(int(value))


def _quantity(value: Quantity) -> Amount:
    return InfiniteValue(1) if not isinstance(value, int) else _number(value)


def _calculated(operator: s.Operator, left: Amount, right: Amount) -> Amount:
    if operator not in ("+", "-"):  # the others belong to claims; a product might be more than a machine word holds
        raise NotCompilable(f"the operator {operator}")
    if isinstance(left, InfiniteValue) or isinstance(right, InfiniteValue):
        if isinstance(left, InfiniteValue) and isinstance(right, InfiniteValue):
            raise NotCompilable("arithmetic with ∞")
        if isinstance(left, InfiniteValue):
            return left
        assert isinstance(right, InfiniteValue)
        return right if operator == "+" else InfiniteValue(-right.sign)
    return f"({left} {operator} {right})"


def _compared(left: Amount, relation: s.Relation, right: Amount) -> str:
    if isinstance(left, InfiniteValue) or isinstance(right, InfiniteValue):
        one = left.sign if isinstance(left, InfiniteValue) else 0
        other = right.sign if isinstance(right, InfiniteValue) else 0
        left, right = str(one), str(other)
    return f"({left} {'==' if relation == '=' else relation} {right})"


def _all(parts: Iterable[str]) -> str:
    return "(" + " and ".join(parts) + ")"


def check_choices(count: int) -> None:
    """`NotCompilable` if a code does not hold this many choices."""
    if count > MOST_CHOICES:
        raise NotCompilable(f"a transition with {count} choices")


def most_transitions(system: System, lengths: int) -> int:
    """No configuration permits more, where a run of nodes has one of this many lengths: each choice is a length."""
    return sum(lengths ** len(s.choices(rule, system.figure.state)) for rule in system.figure.rules)
