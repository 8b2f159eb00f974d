"""From the plan of a figure to a program for configurations in arrays, of any number of words.

The program has an entry for each question (`kernel`).  Patterns and conditions are tried in the order of the
interpreter, and a failing branch is not pursued further.  A condition is tested as soon as the lengths it mentions are
chosen.

A rule costs what it changes: the rest of a sequence that it leaves where it is costs nothing, and runs of nodes that
move are copied.

Where the length of a run is chosen, a precondition `all x in τ: …` or `|τ| <= k` that fails for one length fails for
every longer one, so the longer ones are not tried, and the precondition need not be tested again for those that are.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import field, replace
from functools import partial
from typing import Any, TypeAlias, assert_never

import numpy as np
import numpy.typing as npt

from arcproof import native
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.codes import GOLD_HEADS, NAME_BITS
from arcproof.transitions.machine.meaning import Amount, Bindings, Condition, Meaning, NotAssembled, lengths_of
from arcproof.transitions.machine.opcodes import Opcode
from arcproof.transitions.machine.program import STOP_ROW, MachineProgram, Operand, ProgramBuilder, Register, Rows
from arcproof.transitions.system import System

Whole: TypeAlias = npt.NDArray[np.int64]
Deed: TypeAlias = tuple[Opcode, tuple[Operand, ...]]


@dataclass(frozen=True)
class ArrayProgram:
    """The rows of all entries, the row where each entry begins, and the number of registers they need."""

    rows: Rows
    entries: Whole
    registers: int

    @native.cached_structure
    def structure(self) -> Any:
        """This program, as native code takes it."""
        return native.structure(
            "figure", rows=native.ffi.from_buffer("struct row[]", self.rows), row_count=len(self.rows),
            entries=native.pointer(self.entries), kinds=self.entries.shape[0], width=self.entries.shape[1],
        )  # fmt: skip


@dataclass
class ArrayAssembler(Meaning):
    """Makes one entry.

    If `decoding`, lengths are given by a transition rather than searched for; if `limited`, only those up to a given
    one are tried.  If `loose`, a transition that would not leave the graph a forest is found too, with its code k as
    the answer -1 - k; it is not taken.
    """

    b: ProgramBuilder = field(default_factory=lambda: ProgramBuilder(inputs=kernel.INPUTS), kw_only=True)
    loose: bool = False
    decoding: bool = False
    limited: bool = False

    # --- configurations ----------------------------------------------------------------------------------------------

    @property
    def words(self) -> Register:
        """The number of words."""
        return Register(kernel.WORDS)

    def fixed(self, number: int) -> int:
        """The node 0; `NotAssembled` for any other, which may be absent."""
        if number:
            raise NotAssembled(f"the node {number} by its number")
        return number

    def is_beyond(self, _: p.Node) -> bool:
        """False: node 0 is always present, and no other node is named by number."""
        return False

    def length(self, component: int) -> Register:
        """The length of a sequence."""
        return self.b.do(Opcode.SIZE_OF, component)

    def value(self, component: int) -> Register:
        """The value of a flag or counter."""
        return self.b.do(Opcode.SIZE_OF, component)

    def cell(self, place: p.Offset, scope: Bindings) -> Register:
        """The content of a cell."""
        offset = self.offset(place, scope)
        if place.end == "tail":
            return self.b.do(Opcode.CELL_AT, place.component, self.register(offset))
        if isinstance(offset, int):
            return self.b.do(Opcode.HEAD_CELL, place.component, offset)
        at = self.minus(self.minus(self.length(place.component), 1), offset)
        return self.b.do(Opcode.CELL_AT, place.component, self.register(at))

    def begin(self, run: p.Run, scope: Bindings) -> Register:
        """The place where the cells of a run begin, counted from the tail."""
        if isinstance(run, p.Rest):
            return self.b.constant(run.behind)
        end = self.minus(self.length(run.place.component), self.offset(run.place, scope))
        return self.register(self.minus(end, scope.chosen[run.choice]))

    def in_set(self, node: Amount, component: int) -> Condition:
        """Whether a node is in a set."""
        return self.b.do(Opcode.CELL_AT, component, self.register(node))

    def has_head(self, node: Amount) -> Condition:
        """Whether some arc leads to a node."""
        return self.compared(self._known(kernel.HEAD, node), ">", -1)

    def has_dependent(self, node: Amount) -> Condition:
        """Whether some arc leaves a node."""
        return self.compared(self._known(kernel.LEFTMOST, node), ">", -1)

    def has_arc(self, head: Amount, dependent: Amount) -> Condition:
        """Whether there is an arc."""
        if self.several_heads:
            return self.b.do(Opcode.ARC_AT, self.register(head), self.register(dependent))
        return self.compared(self._known(kernel.HEAD, dependent), "=", head)

    def reaches(self, source: Amount, target: Amount) -> Condition:
        """Whether a path of arcs leads from source to target."""
        opcode = Opcode.REACHES_BY_ANY if self.several_heads else Opcode.TREE_REACHES
        return self.b.do(opcode, self.register(source), self.register(target))

    def connected(self, left: Amount, right: Amount) -> Condition:
        """Whether a path of arcs in any direction joins two nodes."""
        return self.compared(self._root(left), "=", self._root(right))

    def degree(self, left: Amount, right: Amount) -> Register:
        """How many words strictly between two nodes have no head in the closed interval."""
        opcode = Opcode.DEGREE_BY_ANY if self.several_heads else Opcode.TREE_DEGREE
        return self.b.do(opcode, self.register(left), self.register(right))

    def gold(self, row: int, node: Amount) -> Register:
        """What the gold graph says about a node."""
        return self.b.do(Opcode.GOLD_AT, row, self.register(node))

    def gold_arc(self, head: Amount, dependent: Amount) -> Condition:
        """Whether there is a gold arc."""
        if self.several_heads:
            return self.b.do(Opcode.GOLD_ARC_AT, self.register(head), self.register(dependent))
        return self.compared(self.gold(GOLD_HEADS, dependent), "=", self.plus(head, 1))

    def complete(self, node: Amount) -> Condition:
        """Whether every gold dependent of a node is attached to it."""
        return self.compared(self._known(kernel.CORRECT, node), "=", self.gold(kernel.GOLD_DEGREE, node))

    def _known(self, row: int, node: Amount) -> Register:
        return self.b.do(Opcode.TREE_AT, row, self.register(node))

    def _root(self, node: Amount) -> Register:
        return self.b.do(Opcode.ROOT_OF, self.register(node))

    # --- runs --------------------------------------------------------------------------------------------------------

    def exists(self, members: Sequence[p.Member], holds: Callable[[Amount], Condition], scope: Bindings) -> Condition:
        """Whether a condition holds for at least one of these nodes."""
        return self.some(self._exists(member, holds, scope) for member in members)

    def _exists(self, member: p.Member, holds: Callable[[Amount], Condition], scope: Bindings) -> Condition:
        match member:
            case p.Fixed() | p.Cell() | p.Each():
                return holds(self.node(member, scope))
            case p.Chosen() | p.Rest():
                begin, found = self.begin(member, scope), self.b.variable(0)
                with self.b.loop(self.register(self.minus(self.length_of(member, scope), 1))) as k:
                    at = self.register(self.plus(begin, k))
                    here = holds(self.b.do(Opcode.CELL_AT, member.place.component, at))
                    self.b.put(found, self.truth(here))
                    self.b.leave_unless(self.truth(self.negated(here)))
                return found
            case _:
                assert_never(member)

    def sequence_is(self, run: p.Run, literal: s.LiteralSequence, scope: Bindings) -> Condition:
        """Whether a run equals a literal sequence."""
        lengths = [self._width(part) for part in literal.ranges]
        total: Amount = 0
        for length in lengths:
            total = self.plus(total, length)
        fits = self.compared(self.length_of(run, scope), "=", total)
        if not literal.ranges:
            return fits
        component = self.state[run.place.component]
        assert isinstance(component, s.SequenceComponent)
        step = 1 if component.head == "right" else -1
        found = self.b.variable(0)
        with self.b.where(self.truth(fits)):
            begin = self.begin(run, scope)
            at: Amount = begin if step == 1 else self.minus(self.plus(begin, self.length_of(run, scope)), 1)
            parts = []
            for part, length in zip(literal.ranges, lengths, strict=True):
                place = self.register(at), self.register(length)
                parts.append(self.b.do(Opcode.ASCENDS, run.place.component, *place, step, part.first))
                at = self.plus(at, length) if step == 1 else self.minus(at, length)
            self.b.put(found, self.truth(self.all(parts)))
        return found

    def _width(self, part: s.NodeRange) -> Amount:
        """How many nodes a part of a literal has."""
        if part.last is not None:
            return max(0, part.last - part.first + 1)
        width = self.register(self.minus(self.words, part.first - 1))
        return self.b.do(Opcode.CHOSEN, self.truth(self.compared(width, ">", 0)), width, self.b.constant(0))

    # --- patterns ----------------------------------------------------------------------------------------------------

    @contextmanager
    def where(self, *conditions: Condition) -> Iterator[None]:
        """Write rows that are skipped unless the conditions hold."""
        with ExitStack() as stack:
            for condition in conditions:
                if condition is not True:
                    stack.enter_context(self.b.where(self.truth(condition)))
            yield

    @contextmanager
    def matching(self, match: p.Match, conditions: Iterable[p.Condition]) -> Iterator[Bindings]:
        """Write rows that run for each way in which a pattern matches and the conditions hold."""
        scope = Bindings()
        left = [*match.roots, *_flat(conditions)]
        with ExitStack() as stack:
            for test in match.tests:
                stack.enter_context(self.where(self.fits_test(test)))
            self._ask(stack, left, scope)
            for number, choice in enumerate(match.choices):
                [test] = [test for test in match.sequences if test.component == choice.component]
                free: Amount = self.minus(self.length(choice.component), test.cells)
                for before in test.chosen:
                    free = self.minus(free, scope.chosen[before]) if before < number else free
                length = stack.enter_context(self._length(number, self.register(free)))
                scope = replace(scope, chosen=(*scope.chosen, length))
                if not self.decoding:
                    [run] = [x for x in test.items if isinstance(x, p.Chosen) and x.choice == number]
                    left = [condition for condition in left if not self._stops(condition, run, scope)]
                self._ask(stack, left, scope)
            yield scope

    def _ask(self, stack: ExitStack, left: list[p.Condition], scope: Bindings) -> None:
        """Test the conditions that only need lengths already chosen."""
        for condition in [condition for condition in left if _knows(condition, len(scope.chosen))]:
            left.remove(condition)
            stack.enter_context(self.where(self.condition(condition, scope)))

    @contextmanager
    def _length(self, number: int, free: Register) -> Iterator[Register]:
        """Write rows that run for every length of a run, or only for the length that the given transition has."""
        given = Register(kernel.FIRST_CHOICE + number)
        if not self.decoding:
            last = free
            if self.limited:
                last = self.b.do(Opcode.CHOSEN, self.truth(self.compared(free, "<", given)), free, given)
            with self.b.loop(last) as length:
                yield length
            return
        with self.where(self.compared(given, ">", -1)), self.where(self.compared(given, "<=", free)):
            yield given

    def _stops(self, condition: p.Condition, run: p.Chosen, scope: Bindings) -> bool:
        """Whether a condition bounds the length of a run; if so, write rows that leave the loop over its lengths."""
        match condition:
            case p.Quantified("all", _, members, body) if members == (run,) and _knows(body, run.choice):
                length = scope.chosen[run.choice]
                with self.where(self.compared(length, ">", 0)):
                    node = self.b.do(Opcode.CELL_AT, run.place.component, self.begin(run, scope))
                    here = self.condition(body, replace(scope, each=(*scope.each, node)))
                    self.b.leave_unless(self.truth(here))
                return True
            case p.Comparison(p.Length(measured), "<=" | "<", bound) if measured == run and _knows(bound, run.choice):
                self.b.leave_unless(self.truth(self.condition(condition, scope)))
                return True
            case _:
                return False

    # --- transitions -------------------------------------------------------------------------------------------------

    @contextmanager
    def applicable(self, rule: p.RulePlan) -> Iterator[Bindings]:
        """Write rows that run for each way to take a rule that is regular; if `loose`, rows before them report the
        irregular ones.
        """
        with ExitStack() as stack:
            scope = stack.enter_context(self.matching(rule.match, rule.guards))
            conditions = (self._new_arcs if self.several_heads else self._forest)(rule.arcs, scope)
            if self.loose:
                regular = self.all(conditions)
                with self.where(self.negated(regular)):
                    code = self._code(self.names.index(rule.rule.name), scope.chosen)
                    self.b.put(Register(kernel.ANSWER), self.register(self.minus(-1, code)))
                    self.b.found()
                conditions = iter((regular,))
            for condition in conditions:
                stack.enter_context(self.where(condition))
            yield scope

    def _forest(self, changes: Iterable[p.ArcChange], scope: Bindings) -> Iterator[Condition]:
        """The tests that keep the graph a forest, whatever the figure says."""
        freed: set[p.Node] = set()
        hung: list[tuple[Amount, Amount]] = []
        for change in changes:
            match change:
                case p.AddArc(head, dependent, _):
                    h, d = self.node(head, scope), self.node(dependent, scope)
                    if dependent in freed:
                        yield self.compared(d, "!=", 0)
                        yield self.negated(self.reaches(d, h))
                    else:
                        yield self.b.do(Opcode.MAY_HANG, self.register(h), self.register(d))
                    for g, e in hung:
                        yield self.compared(d, "!=", e)
                        closes = self.compared(self._root(h), "=", e), self.compared(self._root(g), "=", d)
                        yield self.negated(self.all(closes))
                    hung.append((h, d))
                case p.RemoveArcs(dependent):
                    freed.add(dependent)
                case _:
                    assert_never(change)
        if len(hung) > 2 or (len(hung) > 1 and freed):
            raise NotAssembled("a transition that adds more than two arcs, or two and removes some")

    def _new_arcs(self, changes: Iterable[p.ArcChange], scope: Bindings) -> Iterator[Condition]:
        """The tests that every arc leads into a word from another node and does not exist yet, whatever the figure
        says.
        """
        freed: set[p.Node] = set()
        joined: list[tuple[Amount, Amount]] = []
        for change in changes:
            match change:
                case p.AddArc(head, dependent, _):
                    h, d = self.node(head, scope), self.node(dependent, scope)
                    if dependent in freed:
                        yield self.compared(d, "!=", 0)
                        yield self.compared(self.register(d), "!=", h)
                    else:
                        yield self.b.do(Opcode.MAY_JOIN, self.register(h), self.register(d))
                    for g, e in joined:
                        same = self.compared(self.register(h), "=", g), self.compared(self.register(d), "=", e)
                        yield self.negated(self.all(same))
                    joined.append((h, d))
                case p.RemoveArcs(dependent):
                    freed.add(dependent)
                case _:
                    assert_never(change)

    def _code(self, name: int, lengths: Sequence[Amount]) -> Register:
        """The code of a transition: the number of its name, and one more than each length."""
        if len(lengths) > kernel.MOST_CHOICES:
            raise NotAssembled(f"a transition with {len(lengths)} choices")
        code: Amount = name
        for place, length in enumerate(lengths):
            digit = self.times(self.plus(length, 1), 1 << (NAME_BITS + kernel.CHOICE_BITS * place))
            code = self.plus(code, digit)
        return self.register(code)

    def _take(self, rule: p.RulePlan, scope: Bindings) -> None:
        """Write rows that change the configuration, after all new values are in registers or copied to `scratch`."""
        taken: Amount = 0
        deeds: list[Deed] = []
        for move in rule.moves:
            match move:
                case _ if move.stays:
                    pass
                case p.SequenceBecomes():
                    taken = self._rebuild(move, scope, taken, deeds)
                case p.SetBecomes():
                    taken = self._change_set(move, scope, taken, deeds)
                case p.FlagBecomes(component, condition, _):
                    deeds.append((Opcode.RESIZE, (component, self.truth(self.condition(condition, scope)))))
                case p.CounterBecomes(component, value, _, _):
                    if isinstance(value, p.Unbounded):
                        raise NotAssembled("a counter that becomes infinite")
                    deeds.append((Opcode.RESIZE, (component, self.register(self.term(value, scope)))))
                case _:
                    assert_never(move)
        deeds += [self._arc(change, scope) for change in rule.arcs]
        label = Register(kernel.GIVEN_LABEL)
        deeds += [(Opcode.TAG_NODE, (self.register(self.node(node, scope)), label)) for node in rule.tags]
        for opcode, operands in deeds:
            self.b.deed(opcode, *operands)

    def _rebuild(self, move: p.SequenceBecomes, scope: Bindings, taken: Amount, deeds: list[Deed]) -> Amount:
        """Push items onto the ones that are kept; return how many cells have been copied so far."""
        component = self.state[move.component]
        assert isinstance(component, s.SequenceComponent)
        at: Amount = self.length(move.component) if move.kept else 0
        for item in move.dropped if move.kept else ():
            at = self.minus(at, 1 if isinstance(item, p.Cell) else self.length_of(item, scope))
        for item in move.items[move.kept :]:
            if isinstance(item, p.Cell):
                content = self.cell(item.place, scope)
                deeds.append((Opcode.WRITE, (move.component, self.register(at), content)))
                at = self.plus(at, 1)
                continue
            source = self.state[item.place.component]
            assert isinstance(source, s.SequenceComponent)
            length, free = self.register(self.length_of(item, scope)), self.register(taken)
            turned = int(source.head != component.head)
            self.b.deed(Opcode.TAKE, item.place.component, self.begin(item, scope), length, free, turned)
            deeds.append((Opcode.LAY, (move.component, self.register(at), length, free)))
            at, taken = self.plus(at, length), self.plus(taken, length)
        deeds.append((Opcode.RESIZE, (move.component, self.register(at))))
        return taken

    def _change_set(self, move: p.SetBecomes, scope: Bindings, taken: Amount, deeds: list[Deed]) -> Amount:
        """Add nodes to a set and remove nodes from it; return how many cells have been copied so far."""
        if move.base is None:
            deeds.append((Opcode.CLEAR, (move.component,)))
        elif move.base != move.component:
            begin, length, free = self.b.constant(0), self.register(self.plus(self.words, 1)), self.register(taken)
            self.b.deed(Opcode.TAKE, move.base, begin, length, free, 0)
            deeds.append((Opcode.LAY, (move.component, begin, length, free)))
            taken = self.plus(taken, length)
        for sign, node in move.changes:
            member = self.b.constant(int(sign == "+"))
            deeds.append((Opcode.WRITE, (move.component, self.register(self.node(node, scope)), member)))
        return taken

    def _arc(self, change: p.ArcChange, scope: Bindings) -> Deed:
        match change:
            case p.AddArc(head, dependent, labelled):
                label = Register(kernel.GIVEN_LABEL) if labelled else self.b.constant(0)
                added = Opcode.JOIN_ARC if self.several_heads else Opcode.ADD_ARC
                return added, (*(self.register(self.node(node, scope)) for node in (head, dependent)), label)
            case p.RemoveArcs(dependent):
                removed = Opcode.REMOVE_ARCS if self.several_heads else Opcode.REMOVE_ARC
                return removed, (self.register(self.node(dependent, scope)),)
            case _:
                assert_never(change)

    # --- entries -----------------------------------------------------------------------------------------------------

    def terminal(self) -> MachineProgram:
        """The entry that succeeds if a run ends here."""
        with self.matching(p.Match((), ()), self.system.plan.terminal):
            self.b.found()
        return self.b.program()

    def permitted(self) -> MachineProgram:
        """The entry that finds the codes of all permissible transitions with lengths up to the given ones, in the order
        of the figure.
        """
        self.limited = True
        for rule in self.system.plan.rules:
            with self.applicable(rule) as scope:
                self.b.put(Register(kernel.ANSWER), self._code(self.names.index(rule.rule.name), scope.chosen))
                self.b.found()
        return self.b.program()

    def transition(self, name: str, really: bool) -> MachineProgram:
        """The entry that succeeds if the transition of this name with the given lengths can be taken; it takes it only
        if `really`.
        """
        self.decoding = True
        for rule in self.system.plan.rules:
            if rule.rule.name != name:
                continue
            wanted = len(rule.match.choices)
            others = () if wanted >= kernel.MOST_CHOICES else (Register(kernel.FIRST_CHOICE + wanted),)
            with self.where(*(self.compared(other, "<", 0) for other in others)), self.applicable(rule) as scope:
                if really:
                    self._take(rule, scope)
                if self.loose:
                    self.b.put(Register(kernel.ANSWER), self.b.constant(0))
                self.b.found()
        return self.b.program()

    def predict(self, oracle: int) -> MachineProgram:
        """The entry that finds what the matching lines of an oracle ask for: the code; the word whose gold label or
        gold tag the transition takes, or -1; and which of the two it takes.

        Where words may have several heads, it also finds the head of the arc with that label.
        """
        for line in self.system.plan.oracles[oracle]:
            wanted = lengths_of(line)
            if len(wanted) > 1:
                name = line.line.transition
                raise NotAssembled(f"an oracle line for {name}, whose cases choose different runs of nodes")
            with self.matching(line.match, line.conditions) as scope:
                lengths = [self.length_of(run, scope) for run in wanted[0]]
                named = [dependent for _, dependent in line.labelled] or list(line.tagged)
                word = self.node(named[0], scope) if named else -1
                row = kernel.GOLD_TAGS if line.tagged else kernel.GOLD_LABELS
                self.b.put(Register(kernel.ANSWER), self._code(self.names.index(line.line.transition), lengths))
                self.b.put(Register(kernel.LABELLED_WORD), self.register(word))
                if self.several_heads and line.labelled:
                    self.b.put(Register(kernel.LABELLED_HEAD), self.register(self.node(line.labelled[0][0], scope)))
                self.b.put(Register(kernel.LABELLED_ROW), self.b.constant(row))
                self.b.found()
        return self.b.program()


def assembled(system: System, loose: bool = False) -> ArrayProgram:
    """The program of a system; `NotAssembled` names what cannot be assembled.

    If `loose`, irregular transitions are found too, and there are no entries that ask whether a transition is allowed.
    """
    names = ArrayAssembler(system).names
    oracles = range(len(system.plan.oracles))
    one = partial(ArrayAssembler, system, loose=loose)
    parts: list[tuple[int, int, MachineProgram]] = [
        (kernel.TERMINAL, 0, one().terminal()),
        (kernel.PERMITTED, 0, one().permitted()),
        *((kernel.ALLOWS, k, one().transition(name, False)) for k, name in enumerate(names) if not loose),
        *((kernel.STEP, k, one().transition(name, True)) for k, name in enumerate(names)),
        *((kernel.PREDICT, k, one().predict(k)) for k in oracles),
    ]
    entries = np.full((kernel.ENTRIES, max(len(names), len(oracles), 1)), -1, dtype=np.int64)
    rows: list[Rows] = []
    for kind, number, part in parts:
        entries[kind, number] = sum(map(len, rows))
        rows += [part.rows, STOP_ROW]
    return ArrayProgram(np.concatenate(rows), entries, max(part.registers for _, _, part in parts))


def _flat(conditions: Iterable[p.Condition]) -> Iterator[p.Condition]:
    """The conjuncts of a condition, one by one."""
    for condition in conditions:
        if isinstance(condition, p.And):
            yield from _flat(condition.parts)
        else:
            yield condition


def _knows(part: object, chosen: int) -> bool:
    """Whether something mentions no lengths except those chosen so far."""
    for below in s.walk(part):
        match below:
            case p.Chosen(_, _, choice) if choice >= chosen:
                return False
            case p.Offset(_, _, _, runs) if any(run >= chosen for run in runs):
                return False
            case _:
                pass
    return True
