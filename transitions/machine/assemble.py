"""From the plan of a figure to a program of the machine, for one number of words.

Lengths that a rule chooses are tried one after the other, in the order of the interpreter, so that each of them is a
constant, and so are the places of cells up to the rest of a sequence.  Conditions become truths; those that constants
decide are decided here.

A configuration is packed as `packed.layout` says.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import product
from typing import Final, assert_never

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s
from arcproof.transitions.execute import nodes_of
from arcproof.transitions.machine import codes
from arcproof.transitions.machine.codes import DOES_NOT_FIT, NAME_BITS, SECOND_HEAD
from arcproof.transitions.machine.meaning import Amount, Bindings, Condition, Meaning, NotAssembled, lengths_of
from arcproof.transitions.machine.opcodes import Opcode
from arcproof.transitions.machine.packed.layout import WORD, Layout
from arcproof.transitions.machine.packed.signs import DISORDER, GROWS, INTO_ROOT, REMOVES, SECOND_ARC
from arcproof.transitions.machine.program import (
    FIRST,
    GOLD_COMPONENTS,
    GOLD_HEADS,
    GOLD_ORDER,
    SECOND,
    MachineProgram,
    Register,
)

# Where the gold data of each node is found, by row.
GOLD_REGISTERS: Final = {codes.GOLD_ORDER: GOLD_ORDER, codes.GOLD_COMPONENTS: GOLD_COMPONENTS}


@dataclass(frozen=True, slots=True)
class Cells:
    """A run of nodes: its cells from the head of its component on, their number, the greatest possible number, and the
    side of that head.
    """

    cells: Register
    length: Amount
    most: int
    side: s.Side


@dataclass
class Assembler(Meaning):
    """Makes the programs of one system for one layout."""

    layout: Layout

    # --- configurations ----------------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """The number of words."""
        return self.layout.words

    @property
    def words(self) -> int:
        """The number of words."""
        return self.n

    def fixed(self, number: int) -> int:
        """A node by its number."""
        if number > self.n:
            raise NotAssembled(f"the node {number} in a sentence of {self.n} words")
        return number

    def is_beyond(self, node: p.Node) -> bool:
        """Whether a node is not in a sentence of this many words."""
        return isinstance(node, p.Fixed) and node.number > self.n

    @cached_property
    def buffer(self) -> int | None:
        """The buffer, if there is exactly one."""
        found = [k for k, c in enumerate(self.state) if isinstance(c, s.SequenceComponent) and c.kind == "buffer"]
        return found[0] if len(found) == 1 else None

    @property
    def first(self) -> Register:
        """The word with the cells."""
        return Register(FIRST)

    @property
    def second(self) -> Register:
        """The bits with the arcs and values."""
        return Register(SECOND)

    @property
    def arcs(self) -> Register:
        """The packed arcs; in the form *graph*, with an empty row for 0, so that they are a matrix."""
        arcs = self.second
        if self.layout.value_places:
            arcs = self.b.do(Opcode.FIELD, self.second, 0, _mask(self.layout.arcs_bits))
        return self.b.do(Opcode.PUT_BELOW, arcs, self.n + 1, self.b.constant(0)) if self.layout.first_row else arcs

    def value(self, component: int) -> Register:
        """The value of a flag, counter or set."""
        width, bias = self.layout.value_bits(self.state[component]), self.layout.bias(self.state[component])
        packed = self.b.do(Opcode.FIELD, self.second, self.layout.value_places[component], _mask(width))
        return self.b.do(Opcode.PLUS_NUMBER, packed, -bias) if bias else packed

    def length(self, component: int) -> Register:
        """The length of a sequence."""
        layout = self.layout
        place = layout.sequences.index(component)
        shift = layout.cells_bits + place * layout.length_bits
        return self.b.do(Opcode.FIELD, self.first, shift, _mask(layout.length_bits))

    def cells(self, component: int) -> Register:
        """A word whose lowest bits are the cells of a sequence, from its head on; the bits above them are
        unspecified.
        """
        before = self.layout.sequences[: self.layout.sequences.index(component)]
        if not before:
            return self.first
        begin = reduce(self.plus_register, map(self.length, before))
        return self.b.do(Opcode.FIELD_AT, self.first, begin, self.layout.node_bits, _mask(WORD))

    def plus_register(self, left: Register, right: Register) -> Register:
        """A sum."""
        return self.b.do(Opcode.PLUS, left, right)

    # --- nodes and runs ----------------------------------------------------------------------------------------------

    def in_set(self, node: Amount, component: int) -> Condition:
        """Whether a node is in a set."""
        return self.b.do(Opcode.FIELD_AT, self.value(component), self.register(node), 1, 1)

    def cell(self, place: p.Offset, scope: Bindings) -> Register:
        """The content of a cell."""
        bits, mask = self.layout.node_bits, _mask(self.layout.node_bits)
        cells = self.cells(place.component)
        if place.end == "head":
            return self.b.do(Opcode.FIELD, cells, bits * self._number(self.offset(place, scope)), mask)
        at = self.minus(self.length(place.component), 1 + place.cells)
        return self.b.do(Opcode.FIELD_AT, cells, self.register(at), bits, mask)

    def _number(self, amount: Amount) -> int:
        """A length, which is a number here."""
        assert isinstance(amount, int)
        return amount

    def run(self, run: p.Run, scope: Bindings) -> Cells:
        """The cells of a run; those above its length are 0."""
        bits = self.layout.node_bits
        component = self.state[run.place.component]
        assert isinstance(component, s.SequenceComponent)
        cells, begin = self.cells(run.place.component), self._number(self.offset(run.place, scope))
        most = self.layout.capacity - begin
        match run:
            case p.Chosen(_, _, choice):
                length = self._number(scope.chosen[choice])
                return Cells(
                    self.b.do(Opcode.FIELD, cells, bits * begin, _mask(bits * length)), length, length, component.head
                )
            case p.Rest(_, _, behind):
                rest = self.minus(self.length(run.place.component), begin + behind)
                assert isinstance(rest, Register)
                above = self.b.do(Opcode.FIELD, cells, bits * begin, _mask(WORD)) if begin else cells
                return Cells(self.b.do(Opcode.LOWEST, above, rest, bits), rest, max(0, most - behind), component.head)
            case _:
                assert_never(run)

    def members(self, members: Sequence[p.Member], scope: Bindings) -> Iterator[tuple[Amount, Condition]]:
        """The nodes that some nodes and runs stand for, each with the condition that it is present."""
        bits = self.layout.node_bits
        for member in members:
            match member:
                case p.Fixed() | p.Cell() | p.Each():
                    yield self.node(member, scope), True
                case p.Chosen() | p.Rest():
                    run = self.run(member, scope)
                    for place in range(run.most):
                        cell = self.b.do(Opcode.FIELD, run.cells, bits * place, _mask(bits))
                        yield cell, self.compared(run.length, ">", place)
                case _:
                    assert_never(member)

    def exists(self, members: Sequence[p.Member], holds: Callable[[Amount], Condition], scope: Bindings) -> Condition:
        """Whether a condition holds for at least one of these nodes."""
        return self.some(self.all([there, holds(node)]) for node, there in self.members(members, scope))

    def sequence_is(self, run: p.Run, literal: s.LiteralSequence, scope: Bindings) -> Condition:
        """Whether a run equals a literal sequence."""
        nodes = nodes_of(literal, self.n)
        if len(nodes) > self.layout.capacity or any(node > self.n for node in nodes):
            return False
        found = self.run(run, scope)
        cells = self.layout.packed_cells(nodes, found.side)
        return self.all([self.compared(found.length, "=", len(nodes)), self.compared(found.cells, "=", cells)])

    # --- arcs --------------------------------------------------------------------------------------------------------

    @property
    def _as_heads(self) -> bool:
        return self.layout.arc_form == "heads"

    @property
    def _entries(self) -> tuple[int, int, int]:
        """The numbers that opcodes about heads take: n, the width of an entry, and its mask."""
        return self.n, self.layout.head_bits, _mask(self.layout.head_bits)

    def entry(self, arcs: Register, node: Amount) -> Register:
        """One more than the head of a node, or 0, where arcs are packed as heads."""
        return self.b.do(Opcode.ENTRY, arcs, self.register(node), *self._entries)

    def heads(self, arcs: Register, node: Amount) -> Register:
        """The entry of a node, or all its heads; 0 if it has none."""
        if self._as_heads:
            return self.entry(arcs, node)
        return self.b.do(Opcode.HEADS_IN, arcs, self.register(node), self.n)

    def has_head(self, node: Amount) -> Condition:
        """Whether some arc leads to a node."""
        return self.compared(self.heads(self.arcs, node), ">", 0)

    def has_dependent(self, node: Amount) -> Condition:
        """Whether some arc leaves a node."""
        if self._as_heads:
            return self.b.do(Opcode.HAS_DEPENDENT, self.arcs, self.register(node), *self._entries)
        return self.b.do(Opcode.MATRIX_HAS_DEPENDENT, self.arcs, self.register(node), self.n)

    def has_arc(self, head: Amount, dependent: Amount) -> Condition:
        """Whether there is an arc."""
        heads = self.heads(self.arcs, dependent)
        if self._as_heads:
            return self.compared(heads, "=", self.plus(head, 1))
        return self.b.do(Opcode.FIELD_AT, heads, self.register(head), 1, 1)

    def reaches(self, source: Amount, target: Amount) -> Condition:
        """Whether a path of arcs leads from source to target."""
        return self._between(Opcode.REACHES, Opcode.MATRIX_REACHES, source, target)

    def connected(self, left: Amount, right: Amount) -> Condition:
        """Whether a path of arcs in any direction joins two nodes."""
        return self._between(Opcode.CONNECTED, Opcode.MATRIX_CONNECTED, left, right)

    def degree(self, left: Amount, right: Amount) -> Register:
        """How many words strictly between two nodes have no head in the closed interval."""
        return self._between(Opcode.DEGREE, Opcode.MATRIX_DEGREE, left, right)

    def _between(self, heads: Opcode, matrix: Opcode, left: Amount, right: Amount) -> Register:
        """The result of an opcode about two nodes."""
        nodes = self.register(left), self.register(right)
        if self._as_heads:
            return self.b.do(heads, self.arcs, *nodes, *self._entries)
        return self.b.do(matrix, self.arcs, *nodes, self.n)

    # --- gold graphs -------------------------------------------------------------------------------------------------

    def gold(self, row: int, node: Amount) -> Register:
        """What the gold graph says about a node."""
        bits = self.layout.node_bits
        return self.b.do(Opcode.FIELD_AT, Register(GOLD_REGISTERS[row]), self.register(node), bits, _mask(bits))

    def gold_arc(self, head: Amount, dependent: Amount) -> Condition:
        """Whether there is a gold arc; with `several heads` gold arcs are a matrix."""
        if self.several_heads:
            heads = self.b.do(Opcode.HEADS_IN, Register(GOLD_HEADS), self.register(dependent), self.n)
            return self.b.do(Opcode.FIELD_AT, heads, self.register(head), 1, 1)
        return self.compared(self.entry(Register(GOLD_HEADS), dependent), "=", self.plus(head, 1))

    def complete(self, node: Amount) -> Condition:
        """Whether every gold dependent of a node is attached to it."""
        if self.several_heads:
            return self.b.do(Opcode.MATRIX_HAS_ALL, self.arcs, self.register(node), Register(GOLD_HEADS), self.n)
        opcode = Opcode.COMPLETE if self._as_heads else Opcode.MATRIX_COMPLETE
        return self.b.do(opcode, self.arcs, self.register(node), Register(GOLD_HEADS), *self._entries)

    # --- patterns ----------------------------------------------------------------------------------------------------

    def ways(self, match: p.Match) -> Iterator[Bindings]:
        """The lengths that a pattern may choose, in the order of the interpreter."""
        room = {test.component: self.layout.capacity - test.cells for test in match.sequences}
        most = [room[choice.component] for choice in match.choices]
        for chosen in product(*(range(length + 1) for length in most)):
            used = dict.fromkeys(room, 0)
            for choice, length in zip(match.choices, chosen, strict=True):
                used[choice.component] += length
            if all(used[component] <= room[component] for component in room):
                yield Bindings(chosen)

    def fits(self, match: p.Match, scope: Bindings) -> Condition:
        """Whether the pattern matches with these lengths."""
        tests = (self.fits_test(test, self._chosen_in(test, scope)) for test in match.tests)
        return self.all([*tests, *(self.condition(root, scope) for root in match.roots)])

    def _chosen_in(self, test: p.Test, scope: Bindings) -> int:
        """The sum of the lengths that are chosen in a sequence."""
        if not isinstance(test, p.SequenceFits):
            return 0
        return sum(self._number(scope.chosen[choice]) for choice in test.chosen)

    # --- transitions -------------------------------------------------------------------------------------------------

    def rule(self, rule: p.RulePlan, name: int) -> None:
        """Write the successors by one rule."""
        for scope in self.ways(rule.match):
            fits = self.fits(rule.match, scope)
            if fits is False:
                continue
            if isinstance(fits, Register) and rule.match.choices:
                with self.b.where(fits):
                    self._apply(rule, name, scope, fits)
            else:
                self._apply(rule, name, scope, fits)

    def _apply(self, rule: p.RulePlan, name: int, scope: Bindings, fits: Condition) -> None:
        holds = self.all([fits, *(self.condition(guard, scope) for guard in rule.guards)])
        if holds is False:
            return
        truth = self.b.constant(1) if holds is True else holds
        marks = _Marks(self, truth)
        first = self._sequences(rule, scope, truth, marks)
        arcs = self._arcs_after(rule, scope, truth, marks)
        second = self._values_after(rule, scope, truth, arcs)
        self.b.emit(
            truth, (first, second), marks.register, self.label(name, [self._number(length) for length in scope.chosen])
        )

    def label(self, name: int, chosen: Sequence[int]) -> int:
        """The code of a transition: the number of its name, and one more than each length as a digit."""
        digits: int = sum((length + 1) * self.layout.digit**place for place, length in enumerate(chosen))
        return name + (digits << NAME_BITS)

    def _sequences(self, rule: p.RulePlan, scope: Bindings, truth: Register, marks: "_Marks") -> Register:
        """The word with the cells and lengths after a rule."""
        layout = self.layout
        moves = {move.component: move for move in rule.moves if isinstance(move, p.SequenceBecomes)}
        after = {component: self._sequence(move, scope, marks) for component, move in moves.items()}
        if _may_grow(rule, scope):
            total: Amount = 0
            for _, length in after.values():
                total = self.plus(total, length)
            self._give_up(truth, self.compared(total, ">", layout.capacity), DOES_NOT_FIT)
        word: Register | None = None
        for component in reversed(layout.sequences):
            cells, length = after[component]
            if word is None:
                word = cells
            elif isinstance(length, int):
                word = self.b.do(Opcode.PUT_BELOW, word, layout.node_bits * length, cells)
            else:
                word = self.b.do(Opcode.PUT_BELOW_AT, word, length, layout.node_bits, cells)
        lengths: Register | None = None
        for component in reversed(layout.sequences):
            length = self.register(after[component][1])
            lengths = length if lengths is None else self.b.do(Opcode.PUT_BELOW, lengths, layout.length_bits, length)
        assert word is not None
        assert lengths is not None
        return self.b.do(Opcode.PUT_BELOW, lengths, layout.cells_bits, word)

    def _sequence(self, move: p.SequenceBecomes, scope: Bindings, marks: "_Marks") -> tuple[Register, Amount]:
        """The cells of a sequence after a rule, with 0 above them, and their number."""
        bits = self.layout.node_bits
        component = self.state[move.component]
        assert isinstance(component, s.SequenceComponent)
        length = self.length(move.component)
        whole = self.b.do(Opcode.LOWEST, self.cells(move.component), length, bits)
        if move.stays:
            return whole, length
        cells, count = self._kept(move, scope, whole, length)
        for item in move.items[move.kept :]:
            if isinstance(item, p.Cell):
                cells, count = (
                    self.b.do(Opcode.PUT_BELOW, cells, bits, self.cell(item.place, scope)),
                    self.plus(count, 1),
                )
                continue
            run = self.run(item, scope)
            put = run.cells
            if run.side != component.head:
                put = self.b.do(Opcode.TURNED, run.cells, self.register(run.length), bits, _mask(bits))
            if isinstance(run.length, int):
                cells = self.b.do(Opcode.PUT_BELOW, cells, bits * run.length, put) if run.length else cells
            else:
                cells = self.b.do(Opcode.PUT_BELOW_AT, cells, run.length, bits, put)
            count = self.plus(count, run.length)
        if self.buffer == move.component and move.kept < len(move.items):
            marks.of_buffer(whole, length, cells, count)
        return cells, count

    def _kept(
        self, move: p.SequenceBecomes, scope: Bindings, whole: Register, length: Register
    ) -> tuple[Register, Amount]:
        """What remains of a sequence: all but the items that are dropped from its head."""
        bits = self.layout.node_bits
        gone: Amount = 0
        for item in move.dropped:
            gone = self.plus(gone, 1 if isinstance(item, p.Cell) else self.length_of(item, scope))
        if isinstance(gone, int):
            return self.b.do(Opcode.FIELD, whole, bits * gone, _mask(WORD)) if gone else whole, self.minus(length, gone)
        kept = sum(isinstance(item, p.Cell) for item in move.items[: move.kept])
        if kept == 0 and move.kept == 0:
            return self.b.constant(0), 0
        return self.b.do(Opcode.FIELD_AT, whole, gone, bits, _mask(WORD)), kept

    def _give_up(self, truth: Register, fault: Condition, code: int) -> None:
        if fault is not False:
            self.b.fault(truth, truth if fault is True else fault, code)

    def _arcs_after(self, rule: p.RulePlan, scope: Bindings, truth: Register, marks: "_Marks") -> Register:
        arcs = self.arcs
        for change in rule.arcs:
            match change:
                case p.AddArc(head, dependent, _):
                    arcs = self._with_arc(arcs, head, dependent, scope, truth, marks)
                case p.RemoveArcs(dependent):
                    node = self.register(self.node(dependent, scope))
                    before = arcs
                    if self._as_heads:
                        arcs = self.b.do(Opcode.FREED, before, node, *self._entries)
                    else:
                        arcs = self.b.do(Opcode.HEADLESS, before, node, self.n)
                case _:
                    assert_never(change)
        if any(isinstance(change, p.RemoveArcs) for change in rule.arcs):
            if self._as_heads:
                lost = self.b.do(Opcode.LOST, self.arcs, arcs, *self._entries)
            else:
                lost = self.b.do(Opcode.MATRIX_LOST, self.arcs, arcs)
            marks.add(lost, REMOVES)
        return (
            self.b.do(Opcode.FIELD, arcs, self.n + 1, _mask(self.layout.arcs_bits)) if self.layout.first_row else arcs
        )

    def _with_arc(
        self, arcs: Register, head: p.Node, dependent: p.Node, scope: Bindings, truth: Register, marks: "_Marks"
    ) -> Register:
        h, d = self.register(self.node(head, scope)), self.register(self.node(dependent, scope))
        into_root = self.compared(self.node(dependent, scope), "=", 0)
        heads = self.heads(arcs, self.node(dependent, scope))
        clashes = self.b.do(Opcode.FIELD_AT, heads, h, 1, 1) if self.several_heads else self.compared(heads, ">", 0)
        if self.layout.arc_form != "matrix":
            self._give_up(truth, self.some([into_root, clashes]), SECOND_HEAD)
        else:
            marks.add(into_root, INTO_ROOT)
            marks.add(clashes, SECOND_ARC)
        if self._as_heads:
            return self.b.do(Opcode.HUNG, arcs, h, d, self.n, self.layout.head_bits)
        return self.b.do(Opcode.JOINED, arcs, h, d, self.n)

    def _values_after(self, rule: p.RulePlan, scope: Bindings, truth: Register, arcs: Register) -> Register:
        """Arcs and values after a rule."""
        word = arcs
        for move in rule.moves:
            if not isinstance(move, p.SequenceBecomes):
                value = self._value_after(move, scope, truth)
                word = self.b.do(Opcode.PUT_BELOW, value, self.layout.value_places[move.component], word)
        return word

    def _value_after(
        self, move: p.FlagBecomes | p.CounterBecomes | p.SetBecomes, scope: Bindings, truth: Register
    ) -> Register:
        match move:
            case p.FlagBecomes(_, value, _):
                found = self.condition(value, scope)
                return self.b.constant(int(found)) if isinstance(found, bool) else found
            case p.CounterBecomes(component, value, stays, _):
                if isinstance(value, p.Unbounded):
                    raise NotAssembled("a counter that becomes infinite")
                amount = self.term(value, scope)
                if not stays:
                    bias = self.layout.bias(self.state[component])
                    outside = [self.compared(amount, "<", -bias), self.compared(amount, ">", bias - 1)]
                    self._give_up(truth, self.some(outside), DOES_NOT_FIT)
                return self.register(self.plus(amount, self.layout.bias(self.state[component])))
            case p.SetBecomes(_, base, changes, _):
                members = self.b.constant(0) if base is None else self.value(base)
                for sign, node in changes:
                    opcode = Opcode.WITH_BIT if sign == "+" else Opcode.WITHOUT_BIT
                    members = self.b.do(opcode, members, self.register(self.node(node, scope)))
                return members
            case _:
                assert_never(move)

    # --- programs ----------------------------------------------------------------------------------------------------

    def expansion(self) -> MachineProgram:
        """An expansion: whether a configuration is terminal, whether its buffer is empty, and all its successors."""
        empty = self.truth(False if self.buffer is None else self.compared(self.length(self.buffer), "=", 0))
        return self.b.program(terminal=self._successors(), empty=empty)

    def _successors(self) -> Register:
        """Write the successors by all rules; return whether the configuration is terminal."""
        terminal = self.truth(self.all(self.condition(part, Bindings()) for part in self.system.plan.terminal))
        for rule in self.system.plan.rules:
            self.rule(rule, self.names.index(rule.rule.name))
        return terminal

    def following(self, oracle: int) -> tuple[MachineProgram, list[str]]:
        """An expansion that also finds the labels an oracle asks for; and the names of these results, first choice
        first.
        """
        self.b.gives_up = False
        terminal = self._successors()
        lines = self.system.plan.oracles[oracle]
        most = max((len(lengths_of(line)) for line in lines), default=1)
        nothing = self.b.constant(-1)
        labels = [nothing] * most
        done: Condition = False
        for line in lines:
            for scope in self.ways(line.match):
                asked = [self.condition(condition, scope) for condition in line.conditions]
                here = self.all([self.fits(line.match, scope), *asked, self.negated(done)])
                if here is False:
                    continue
                name = self.names.index(line.line.transition)
                choices = [self._label(name, lengths, scope) for lengths in lengths_of(line)]
                for place, label in enumerate([*choices, *[nothing] * (most - len(choices))]):
                    labels[place] = self.b.do(Opcode.CHOSEN, self.truth(here), label, labels[place])
                done = self.some([done, here])
        undecided = self.b.constant(0) if self.b.faults is None else self.b.faults
        names = [f"label{place}" for place in range(most)]
        found = dict(zip(names, labels, strict=True))
        return self.b.program(terminal=terminal, undecided=undecided, **found), names

    def _label(self, name: int, lengths: tuple[p.Run, ...], scope: Bindings) -> Register:
        """The code of a transition whose lengths are those of runs."""
        digits: Amount = 0
        for place, run in enumerate(lengths):
            length = self.plus(self.length_of(run, scope), 1)
            scale = self.layout.digit**place
            digits = self.plus(digits, self.times(length, scale))
        if isinstance(digits, int):
            return self.b.constant(name + (digits << NAME_BITS))
        return self.b.do(Opcode.PLUS_NUMBER, self.b.do(Opcode.TIMES_NUMBER, digits, 1 << NAME_BITS), name)

    def asking(self, condition: p.Condition) -> MachineProgram:
        """Whether a condition about the components holds."""
        return self.b.program(truth=self.truth(self.condition(condition, Bindings())))


@dataclass
class _Marks:
    """The effects of a transition that may be asked about, as a register with one bit per sign."""

    assembler: Assembler
    truth: Register
    register: Register | None = None

    def add(self, condition: Condition, sign: int) -> None:
        """Set a sign where a condition holds."""
        a = self.assembler
        if condition is False:
            return
        bit = a.b.constant(sign) if condition is True else a.b.do(Opcode.TIMES_NUMBER, condition, sign)
        self.register = bit if self.register is None else a.b.do(Opcode.EITHER, self.register, bit)

    def of_buffer(self, cells: Register, length: Register, after: Register, count: Amount) -> None:
        """Note whether the buffer grows, and otherwise whether it changes other than by taking words off its front."""
        a = self.assembler
        fewer = a.register(a.minus(length, count))
        grows = a.compared(fewer, "<", 0)
        suffix = a.b.do(Opcode.FIELD_AT, cells, fewer, a.layout.node_bits, _mask(WORD))
        self.add(grows, GROWS)
        self.add(a.all([a.negated(grows), a.negated(a.compared(suffix, "=", after))]), DISORDER)


def _may_grow(rule: p.RulePlan, scope: Bindings) -> bool:
    """Whether the sequences may hold more cells after a rule than before, judging by the rule alone."""
    change = 0
    before = [item for test in rule.match.sequences for item in test.items]
    after = [item for move in rule.moves if isinstance(move, p.SequenceBecomes) for item in move.items]
    for items, sign in ((before, -1), (after, 1)):
        for item in items:
            match item:
                case p.Cell():
                    change += sign
                case p.Chosen(_, _, choice):
                    length = scope.chosen[choice]
                    assert isinstance(length, int)
                    change += sign * length
                case p.Rest():
                    pass
                case _:
                    assert_never(item)
    rests = [item for item in after if isinstance(item, p.Rest)]
    return change > 0 or len(set(rests)) < len(rests)


def _mask(bits: int) -> int:
    """A mask of this many ones, as a signed number."""
    return -1 if bits >= WORD else (1 << bits) - 1
