"""What a dynamic oracle says, as entries of the program for configurations in arrays.

`OFFERED` finds every permissible transition with the word to which it adds a gold arc with its label, or -1.  `COST`,
one entry for each name, finds the cost of the transition with this name and the given lengths: the one given by its
first line whose pattern matches.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

import numpy as np

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import plan as p
from arcproof.transitions import syntax as s
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.arrays.assemble import ArrayAssembler, ArrayProgram
from arcproof.transitions.machine.meaning import Amount, Bindings, NotAssembled
from arcproof.transitions.machine.opcodes import Opcode
from arcproof.transitions.machine.program import STOP_ROW, MachineProgram, Register
from arcproof.transitions.system import System


@dataclass
class CostAssembler(ArrayAssembler):
    """Makes one entry."""

    def offered(self) -> MachineProgram:
        """The entry that finds the codes of permissible transitions, as in `permitted`, and the words whose gold arcs
        they add.
        """
        self.limited = True
        for rule in self.system.plan.rules:
            with self.applicable(rule) as scope:
                self.b.put(Register(kernel.LABELLED_WORD), self._gold_dependent(rule, scope))
                self.b.put(Register(kernel.ANSWER), self._code(self.names.index(rule.rule.name), scope.chosen))
                self.b.found()
        return self.b.program()

    def _gold_dependent(self, rule: p.RulePlan, scope: Bindings) -> Register:
        """The dependent of the first labelled arc that a rule adds and that is in the gold graph, or -1."""
        word = self.b.variable(-1)
        added = [change for change in rule.arcs if isinstance(change, p.AddArc) and change.labelled]
        for change in reversed(added):
            dependent = self.register(self.node(change.dependent, scope))
            with self.where(self.condition(p.GoldArc(change.head, change.dependent), scope)):
                self.b.put(word, dependent)
        return word

    def cost(self, name: str, lines: Iterable[p.CostPlan]) -> MachineProgram:
        """The entry that finds the cost of the transition with this name and the given lengths."""
        self.decoding = True
        for line in lines:
            if line.line.transition != name:
                continue
            wanted = len(line.match.choices)
            beyond = Register(kernel.FIRST_CHOICE + wanted) if 0 < wanted < kernel.MOST_CHOICES else None
            other = True if beyond is None else self.compared(beyond, "<", 0)
            with self.where(other), self.matching(line.match, ()) as scope:
                self.b.put(Register(kernel.ANSWER), self._sum(line, scope))
                self.b.found()
        return self.b.program()

    def _sum(self, line: p.CostPlan, scope: Bindings) -> Register:
        found: Amount = 0
        for sign, part in line.parts:
            amount = self._summand(part, scope)
            found = self.plus(found, amount) if sign == "+" else self.minus(found, amount)
        return self.register(found)

    def _summand(self, part: p.CostPart, scope: Bindings) -> Amount:
        match part:
            case p.Number():
                return self.term(part, scope)
            case p.CountOf(_, members, condition):
                return self._count(members, condition, scope)
            case p.TruthOf(condition):
                return self.truth(self.condition(condition, scope))
            case _:
                assert_never(part)

    def _count(self, members: Iterable[p.Member], condition: p.Condition, scope: Bindings) -> Register:
        found = self.b.variable(0)

        def count(node: Amount) -> None:
            here = self.condition(condition, replace(scope, each=(*scope.each, node)))
            self.b.add(found, self.truth(here))

        for member in members:
            match member:
                case p.Fixed() | p.Cell() | p.Each():
                    count(self.node(member, scope))
                case p.Chosen() | p.Rest():
                    begin = self.begin(member, scope)
                    with self.b.loop(self.register(self.minus(self.length_of(member, scope), 1))) as k:
                        at = self.register(self.plus(begin, k))
                        count(self.b.do(Opcode.CELL_AT, member.place.component, at))
                case _:
                    assert_never(member)
        return found


def with_costs(system: System, program: ArrayProgram, oracle: s.DynamicOracle | None) -> ArrayProgram:
    """The program with the entries `OFFERED` and `COST`; `NotAssembled` names what cannot be assembled."""
    if oracle is not None and not oracle.lines:
        raise NotAssembled("costs that are not written in lines")
    if oracle is not None and any(line.label is not None for line in oracle.lines):
        raise NotAssembled("costs of labels")
    lines = [] if oracle is None else [system.plan.cost(line) for line in oracle.lines]
    names = [] if oracle is None else CostAssembler(system).names
    parts: list[tuple[int, int, MachineProgram]] = [
        (kernel.OFFERED, 0, CostAssembler(system).offered()),
        *((kernel.COST, k, CostAssembler(system).cost(name, lines)) for k, name in enumerate(names)),
    ]
    entries = np.full((kernel.COST + 1, program.entries.shape[1]), -1, dtype=np.int64)
    entries[: len(program.entries)] = program.entries
    rows = [program.rows]
    for kind, number, part in parts:
        entries[kind, number] = sum(map(len, rows))
        rows += [part.rows, STOP_ROW]
    registers = max(program.registers, *(part.registers for _, _, part in parts))
    return ArrayProgram(np.concatenate(rows), entries, registers)
