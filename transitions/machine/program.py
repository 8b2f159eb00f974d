"""A program of the machine: rows of numbers, in a straight line.

A row has the number of an opcode, the register it writes, and its operands in the order of the opcode's parameters.  Nothing branches but
`SKIP`, which jumps forward over rows that no lane needs; lengths that a transition chooses and nodes that a quantifier ranges over are written
out, because a program is made for one number of words.

While a program is made, every row writes a register of its own, and what was computed before is not computed again.  `ProgramBuilder.program` then
gives registers that are no longer needed to others.
"""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from arcproof.transitions.machine import opcodes
from arcproof.transitions.machine.opcodes import OPCODES, Opcode

COLUMNS: Final = 9

# Rows that are not opcodes: they write no register.
EMIT: Final = -1  # truth, first word, second word, marks (a register or -1), label
FAULT: Final = -2  # truth, truth, code: both hold in some lane
SKIP: Final = -3  # truth, number of rows: it holds in no lane

# What every program finds in its first registers.
FIRST, SECOND, GOLD_HEADS, GOLD_ORDER, GOLD_COMPONENTS = range(5)
INPUTS: Final = 5

Rows: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Register:
    """What one row computes."""

    number: int


Operand: TypeAlias = Register | int
NUMBERS: Final[dict[str, int]] = {function.__name__: number for number, function in enumerate(OPCODES)}


@dataclass(frozen=True)
class MachineProgram:
    """The rows, how many registers they need, how many successors of a lane they write at most, and where named results are."""

    rows: Rows
    registers: int
    emits: int
    results: dict[str, int]


@dataclass
class ProgramBuilder:
    """A program in the making."""

    _rows: list[tuple[int, int, tuple[Operand, ...]]] = field(default_factory=list)
    _known: list[dict[tuple[int, tuple[Operand, ...]], Register]] = field(default_factory=lambda: [{}])
    _count: int = INPUTS
    emits: int = 0
    faults: Register | None = None
    gives_up: bool = True

    def do(self, opcode: Opcode, *operands: Operand) -> Register:
        """Let an opcode compute something, unless it is computed already."""
        number = NUMBERS[opcode.__name__]
        key = (number, operands)
        for known in self._known:
            if key in known:
                return known[key]
        found = Register(self._count)
        self._count += 1
        self._rows.append((number, found.number, operands))
        self._known[-1][key] = found
        return found

    def constant(self, number: int) -> Register:
        """A register that holds a number in every lane."""
        return self.do(opcodes.constant, number)

    def emit(self, truth: Register, words: tuple[Register, Register], marks: Register | None, label: int) -> None:
        """Write a successor of the lanes where a truth holds."""
        self.emits += 1
        self._rows.append((EMIT, -1, (truth, *words, -1 if marks is None else marks, label)))

    def fault(self, truth: Register, other: Register, code: int) -> None:
        """Give up if both truths hold in some lane; or, where one lane must not stop others, remember which lanes they are."""
        if self.gives_up:
            self._rows.append((FAULT, -1, (truth, other, code)))
            return
        found = self.do(opcodes.both, truth, other)
        self.faults = found if self.faults is None else self.do(opcodes.either, self.faults, found)

    @contextmanager
    def where(self, truth: Register) -> Iterator[None]:
        """Rows that are left out if a truth holds in no lane; what they compute is not known afterwards."""
        if not self.gives_up:  # faults that are remembered must not be skipped
            yield
            return
        place = len(self._rows)
        self._rows.append((SKIP, -1, (truth, 0)))
        self._known.append({})
        yield
        self._known.pop()
        self._rows[place] = (SKIP, -1, (truth, len(self._rows) - place - 1))

    def program(self, **results: Register) -> MachineProgram:
        """The rows, with registers used again when nothing needs what they hold."""
        last = {Register(number): -1 for number in range(INPUTS)}
        for place, (_, _, operands) in enumerate(self._rows):
            last |= {operand: place for operand in operands if isinstance(operand, Register)}
        last |= {register: len(self._rows) for register in results.values()}
        at = {register: register.number for register in last if register.number < INPUTS}
        free: list[int] = []
        most = INPUTS
        rows = np.zeros((len(self._rows), COLUMNS), dtype=np.int64)
        for place, (number, to, operands) in enumerate(self._rows):
            if to >= 0:
                if not free:
                    free.append(most)
                    most += 1
                at[Register(to)] = free.pop()
            plain = [at[x] if isinstance(x, Register) else x for x in operands]
            rows[place, : 2 + len(plain)] = [number, at[Register(to)] if to >= 0 else -1, *plain]
            for x in {x for x in operands if isinstance(x, Register)} | ({Register(to)} if to >= 0 else set()):
                if last.get(x, place) <= place and x.number >= INPUTS:
                    free.append(at[x])
        return MachineProgram(rows, most, self.emits, {name: at[register] for name, register in results.items()})


def operands_of(opcode: Opcode) -> list[str]:
    """The names of what an opcode takes besides the lanes, its target and their number."""
    return list(inspect.signature(opcode).parameters)[3:]
