"""From a figure to the code that `kernel` leaves open: `terminal`, `permitted`, `step`, `allows`, `predict`, `advise`.

As in `compiled.emit`, whose walk over the syntax tree this is, nothing of a specification reaches the code as text, and patterns and
conditions are written out in the order in which the interpreter tries them.  What differs is where a configuration lives: in arrays, so that
a rule costs what it changes.  The rest of a sequence that a rule leaves where it is costs nothing; runs of nodes that move are copied.

Where the length of a run is chosen, a precondition `all x in τ: …` or `|τ| <= k` that fails for one length fails for every longer one, and
the others are not tried.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar, Final, assert_never

from arcproof.transitions import syntax as s
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.arrays.figure_code import (
    Amount,
    Emitter,
    NodeVariable,
    NotCompilable,
    PackedRun,
    Scope,
    ValueVariable,
    check_choices,
)
from arcproof.transitions.machine.codes import NAME_BITS
from arcproof.transitions.system import System

Then = Callable[[Scope, list[str]], None]
STATE: Final = "cells, size, tree, n"


@dataclass(frozen=True, slots=True)
class ArrayRun(PackedRun):
    """A run of nodes: the place of its cell next to the tail, their number, and the component it stands in."""

    component: int


class RunningEmitter(Emitter):
    """Writes the code of one system over arrays."""

    choice_bits: ClassVar[int] = kernel.CHOICE_BITS

    def __init__(self, system: System) -> None:
        """Start with nothing written."""
        super().__init__(system, "heads")
        self._decoding = False
        self._stops: tuple[s.Condition, ...] = ()
        self._advising = False

    # --- configurations ------------------------------------------------------------------------------------------------

    def unpack(self) -> Scope:
        """Code that names the sizes; the components by name."""
        scope: Scope = {}
        for index, component in enumerate(self.state):
            if isinstance(component, s.SequenceComponent):
                self.write(f"m{index} = size[{index}]")
                scope[component.name] = ArrayRun("0", f"m{index}", component.head, index)
            else:
                self.write(f"x{index} = size[{index}]")
                scope[component.name] = ValueVariable(f"x{index}")
        return scope

    def _cell_at(self, index: int, at: str) -> str:
        return f"cells[{index}, m{index} - 1 - ({at})]"

    def _cells_at(self, index: int, at: str, length: str) -> str:
        return f"m{index} - ({at}) - {length}"

    def _run_in(self, index: int, cells: str, length: str, side: s.Side) -> ArrayRun:
        return ArrayRun(cells, length, side, index)

    @contextmanager
    def _lengths(self, length: str, free: str, place: int) -> Iterator[None]:
        """Every length of a run, or the one that the code of a transition names."""
        if self._decoding:
            self.write(f"{length} = ((code >> {self.shift(place)}) & {kernel.CHOICE_MASK}) - 1")
            with self.block(f"if {length} >= 0 and {length} <= {free}:"):
                yield
        else:
            with super()._lengths(length, free, place):
                yield

    def _stop_early(self, segment: str, scope: Scope, before: Scope) -> None:
        if self._decoding:
            return
        run = self._run(segment, scope)
        assert isinstance(run, ArrayRun)
        for condition in self._stops:
            match condition:
                case s.Quantified("all", variable, s.SequenceOf((s.Segment(name),)), body) if (
                    name == segment and _names(body) <= {variable, *before}
                ):
                    with self.block(f"if {run.length} > 0:"):
                        node = self.fresh("v")
                        self.write(f"{node} = cells[{run.component}, {run.cells}]")
                        with self.block(f"if not {self.condition(body, {**before, variable: NodeVariable(node)})}:"):
                            self.write("break")
                case s.Comparison((s.Size(name), bound), (("<=" | "<"),)) if name == segment and not _names(bound):
                    with self.block(f"if not {self.condition(condition, scope)}:"):
                        self.write("break")
                case _:
                    pass

    # --- conditions ----------------------------------------------------------------------------------------------------

    def condition(self, condition: s.Condition, scope: Scope) -> str:
        """The code of a condition; what does not look at the state is as for packed configurations."""
        match condition:
            case s.HasHead(node):
                return f"(tree[HEAD, {self.node(node, scope)}] >= 0)"
            case s.HasDependent(node):
                return f"(tree[LEFTMOST, {self.node(node, scope)}] >= 0)"
            case s.HasArc(head, dependent):
                return f"(tree[HEAD, {self.node(dependent, scope)}] == {self.node(head, scope)})"
            case s.Reaches(source, target):
                return f"reaches(tree, {self.node(source, scope)}, {self.node(target, scope)})"
            case s.Connected(left, right):
                return f"connected(tree, {self.node(left, scope)}, {self.node(right, scope)})"
            case s.InSet(node, set_name):
                return f"(cells[{self._set_row(set_name, scope)}, {self.node(node, scope)}] != 0)"
            case s.Complete(node):
                x = self.node(node, scope)
                return f"(tree[CORRECT, {x}] == gold[GOLD_DEGREE, {x}])"
            case s.Comparison() | s.SequenceIs() | s.IsSet() | s.InSequence() | s.Quantified() | s.GoldArc():
                return super().condition(condition, scope)
            case s.Not() | s.And() | s.Or() | s.Precedes():
                return super().condition(condition, scope)
            case _:
                assert_never(condition)

    def _set_row(self, name: str, scope: Scope) -> str:
        return self._value(name, scope).removeprefix("x")

    def amount(self, term: s.Term, scope: Scope) -> Amount:
        """The code of a number, or ∞."""
        match term:
            case s.Degree(left, right):
                return f"degree(tree, {self.node(left, scope)}, {self.node(right, scope)})"
            case s.Number() | s.Infinity() | s.Words() | s.Variable() | s.CounterVariable() | s.Parameter():
                return super().amount(term, scope)
            case s.Size() | s.GoldFunction() | s.Arithmetic() | s.Count():
                return super().amount(term, scope)
            case _:
                assert_never(term)

    def _sequence_is(self, run: PackedRun, relation: str, value: s.LiteralSequence) -> str:
        assert isinstance(run, ArrayRun)
        sizes = [
            f"(n - {part.first} + 1)" if part.last is None else str(part.last - part.first + 1) for part in value.ranges
        ]
        result = self.fresh("t")
        self.write(f"{result} = {run.length} == {' + '.join(sizes) or '0'}")
        position = "0"
        for part, size in zip(value.ranges, sizes, strict=True):
            k = self.fresh("w")
            place = f"{position} + {k}"
            at = f"{run.cells} + {place}" if run.side == "right" else f"{run.cells} + {run.length} - 1 - ({place})"
            with self.block(f"if {result}:"), self.block(f"for {k} in range({size}):"):
                self.write(f"{result} = {result} and cells[{run.component}, {at}] == {part.first} + {k}")
            position += f" + {size}"
        return result if relation == "=" else f"(not {result})"

    def _look_in(self, run: PackedRun, result: str, holds: Callable[[str], str]) -> None:
        assert isinstance(run, ArrayRun)
        k, node = self.fresh("w"), self.fresh("v")
        with self.block(f"if not {result}:"), self.block(f"for {k} in range({run.length}):"):
            self.write(f"{node} = cells[{run.component}, {run.cells} + {k}]")
            with self.block(f"if {holds(node)}:"):
                self.write(f"{result} = True")
                self.write("break")

    # --- transitions ---------------------------------------------------------------------------------------------------

    def permits(self, rule: s.Rule, name: int) -> None:
        """Code that writes the codes of one rule's transitions."""

        def found(scope: Scope, choice: list[str]) -> None:
            with self._applicable(rule, scope):
                self.write(f"codes[at] = {self.code(name, choice)}")
                self.write("at += 1")

        self._stops = rule.preconditions
        self.match(rule.before, found)
        self._stops = ()

    def takes(self, rule: s.Rule, name: int, really: bool = True) -> None:
        """Code that takes one rule's transition if that is what the code says, or finds out that it could be taken."""

        def found(scope: Scope, _: list[str]) -> None:
            with self._applicable(rule, scope):
                if really:
                    self._take(rule, scope)
                self.write("return DONE")

        with self.block(f"if code & {(1 << NAME_BITS) - 1} == {name}:"):
            wanted = len(s.choices(rule, self.state))
            check_choices(wanted)
            with self.block(f"if code >> {self.shift(wanted)} == 0:"):
                self._decoding = True
                self.match(rule.before, found)
                self._decoding = False

    @contextmanager
    def _applicable(self, rule: s.Rule, scope: Scope) -> Iterator[None]:
        with self.where(rule.preconditions, scope), self._inside(self._guards(rule.effects, scope)):
            yield

    def _guards(self, effects: Iterable[s.Effect], scope: Scope) -> Iterator[str]:
        """What keeps the graph a forest, whatever the figure says."""
        freed: set[s.Node] = set()
        hung: list[tuple[str, str]] = []
        for effect in effects:
            match effect:
                case s.AddArc(head, _, dependent):
                    h, d = self.node(head, scope), self.node(dependent, scope)
                    if dependent in freed:
                        yield f"{d} != 0 and not reaches(tree, {d}, {h})"
                    else:
                        yield f"may_hang(tree, {h}, {d})"
                    for g, e in hung:
                        yield f"{d} != {e} and not (root_of(tree, {h}) == {e} and root_of(tree, {g}) == {d})"
                    hung.append((h, d))
                case s.RemoveArcs(dependent):
                    freed.add(dependent)
                case _:
                    assert_never(effect)
        if len(hung) > 2 or (len(hung) > 1 and freed):
            raise NotCompilable("a transition that adds more than two arcs, or two and removes some")

    def _take(self, rule: s.Rule, scope: Scope) -> None:
        self.write("p = 0")
        for index, update in enumerate(rule.after):
            self._prepare(index, rule.before[index], update, scope)
        self.write("p = 0")
        for index, update in enumerate(rule.after):
            self._store(index, rule.before[index], update, scope)
        for effect in rule.effects:
            match effect:
                case s.AddArc(head, label, dependent):
                    given = "0" if label is None else "label"
                    self.write(f"add_arc(tree, gold, {self.node(head, scope)}, {self.node(dependent, scope)}, {given})")
                case s.RemoveArcs(dependent):
                    self.write(f"remove_arc(tree, gold, {self.node(dependent, scope)}, n)")
                case _:
                    assert_never(effect)

    def _moved(
        self, index: int, before: s.Pattern, update: s.SequenceOf
    ) -> tuple[s.Segment | None, tuple[s.Item, ...]]:
        """The rest that stays where it is, if any, and the items that are put on it, both from the tail on."""
        component = self.state[index]
        assert isinstance(component, s.SequenceComponent)
        assert isinstance(before, s.SequenceOf)
        old, new = (
            sequence.items if component.head == "right" else sequence.items[::-1] for sequence in (before, update)
        )
        if old and old[:1] == new[:1] and isinstance(old[0], s.Segment):
            return old[0], new[1:]
        return None, new

    def _prepare(self, index: int, before: s.Pattern, update: s.Update, scope: Scope) -> None:
        """Code that computes what is new before anything is overwritten."""
        match update:
            case s.SequenceOf():
                component = self.state[index]
                assert isinstance(component, s.SequenceComponent)
                _, items = self._moved(index, before, update)
                for item in items:
                    bound = scope[item.name]
                    if isinstance(bound, ArrayRun):
                        k = self.fresh("w")
                        source = f"{bound.cells} + {k}"
                        if bound.side != component.head:
                            source = f"{bound.cells} + {bound.length} - 1 - {k}"
                        with self.block(f"if p + {bound.length} > scratch.shape[0]:"):
                            self.write("return DOES_NOT_FIT")
                        with self.block(f"for {k} in range({bound.length}):"):
                            self.write(f"scratch[p + {k}] = cells[{bound.component}, {source}]")
                        self.write(f"p += {bound.length}")
            case s.FlagLiteral() | s.FlagFrom() | s.CounterFrom():
                self._update(index, update, scope)
            case s.SetFrom(base, _):
                if base is not None and self._set_row(base, scope) != str(index):
                    raise NotCompilable("a set that becomes another")
            case _:
                assert_never(update)

    def _store(self, index: int, before: s.Pattern, update: s.Update, scope: Scope) -> None:
        match update:
            case s.SequenceOf():
                rest, items = self._moved(index, before, update)
                self.write(f"k{index} = {'0' if rest is None else self._run(rest.name, scope).length}")
                for item in items:
                    bound = scope[item.name]
                    length = bound.length if isinstance(bound, ArrayRun) else "1"
                    with self.block(f"if k{index} + {length} > cells.shape[1]:"):
                        self.write("return DOES_NOT_FIT")
                    if isinstance(bound, ArrayRun):
                        k = self.fresh("w")
                        with self.block(f"for {k} in range({length}):"):
                            self.write(f"cells[{index}, k{index} + {k}] = scratch[p + {k}]")
                        self.write(f"p += {length}")
                    else:
                        assert isinstance(bound, NodeVariable)
                        self.write(f"cells[{index}, k{index}] = {bound.code}")
                    self.write(f"k{index} += {length}")
                self.write(f"size[{index}] = k{index}")
            case s.FlagLiteral() | s.FlagFrom() | s.CounterFrom():
                self.write(f"size[{index}] = y{index}")
            case s.SetFrom(base, changes):
                if base is None:
                    self.write(f"cells[{index}, :] = 0")
                for sign, node in changes:
                    self.write(f"cells[{index}, {self.node(node, scope)}] = {int(sign == '+')}")
            case _:
                assert_never(update)

    # --- the functions -------------------------------------------------------------------------------------------------

    def functions(self) -> str:
        """The code of the whole figure."""
        figure = self.system.figure
        names = self._transition_names()
        self._terminal_function(STATE)
        with self.block(f"def permitted({STATE}, codes):"):
            self.write("at = 0")
            self.unpack()
            for rule in figure.rules:
                self.permits(rule, names.index(rule.name))
            self.write("return at")
        with self.block(f"def step({STATE}, gold, code, label, scratch):"):
            self.unpack()
            for rule in figure.rules:
                self.takes(rule, names.index(rule.name))
            self.write("return NOT_PERMITTED")
        with self.block(f"def allows({STATE}, code):"):
            self.unpack()
            for rule in figure.rules:
                self.takes(rule, names.index(rule.name), really=False)
            self.write("return NOT_PERMITTED")
        for function, self._advising in (("predict", False), ("advise", True)):
            self._oracle_function(function, f"{STATE}, gold", "-1, -1")
        return "\n".join(self.lines) + "\n"

    def _oracle_line(self, line: s.OracleLine, name: int, by_name: Scope) -> None:
        self._stops = line.conditions
        super()._oracle_line(line, name, by_name)
        self._stops = ()

    def _predicted(self, line: s.OracleLine, scope: Scope, code: str) -> None:
        answer = f"return {code}, {self._labelled(line, scope)}"
        if not self._advising:
            self.write(answer)
            return
        with self.block(f"if allows({STATE}, {code}) == DONE:"):
            self.write(answer)

    def _labelled(self, line: s.OracleLine, scope: Scope) -> str:
        for condition in line.conditions:
            if line.label is not None and isinstance(condition, s.GoldArc) and condition.label == line.label:
                return self.node(condition.dependent, scope)
        return "-1"


def _names(node: object) -> set[str]:
    """The names that a condition or term depends on."""
    found: set[str] = set()
    for part in s.walk(node):
        match part:
            case (
                s.Variable(name)
                | s.CounterVariable(name)
                | s.Size(name)
                | s.IsSet(name)
                | s.Cell(name)
                | s.Segment(name)
            ):
                found.add(name)
            case s.SequenceIs(name, _, _) | s.InSet(_, name):
                found.add(name)
            case s.Quantified(_, variable, _, _):
                found.add(variable)
            case _:
                pass
    return found


def encoded(name: int, choice: tuple[int, ...]) -> int:
    """The code of a transition."""
    return name + sum(length << (NAME_BITS + kernel.CHOICE_BITS * place) for place, length in enumerate(choice))


def decoded(code: int) -> tuple[int, tuple[int, ...]]:
    """The number of the name and the choice."""
    choice = []
    rest = code >> NAME_BITS
    while rest:
        choice.append(rest & kernel.CHOICE_MASK)
        rest >>= kernel.CHOICE_BITS
    return code & ((1 << NAME_BITS) - 1), tuple(choice)


__all__ = ["NotCompilable", "RunningEmitter", "decoded", "encoded"]
