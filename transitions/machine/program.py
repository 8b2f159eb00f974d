"""A program of the machine: rows of numbers.

A row has the number of an opcode, the register it writes, and its operands in the order of the opcode's parameters.

A program for packed configurations is a straight line.  Nothing branches but `SKIP`, which jumps forward over rows that
no lane needs; lengths that a transition chooses and nodes that a quantifier ranges over are written out, because a
program is made for one number of words.  A program for configurations in arrays, of any number of words, has loops
instead, and stops at `PAUSE`, from where it can resume.

While a program is made, every row writes a register of its own, and what was computed before is not computed again;
only a *variable* is written several times.  `ProgramBuilder.program` then gives registers that are no longer needed to
others.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from arcproof import native
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.machine.opcodes import Opcode

COLUMNS: Final = 9

# The first registers of every program: its input.
FIRST, SECOND, GOLD_HEADS, GOLD_ORDER, GOLD_COMPONENTS = range(5)
INPUTS: Final = 5

Rows: TypeAlias = npt.NDArray[np.int64]


class Register(NamedTuple):
    """What one row computes."""

    number: int


Operand: TypeAlias = Register | int


@dataclass(frozen=True)
class MachineProgram:
    """The rows, the number of registers they need, the most successors they write for a lane, and the registers of
    named results.
    """

    rows: Rows
    registers: int
    emits: int
    results: dict[str, int]

    @native.cached_structure
    def structure(self) -> Any:
        """This program, as native code takes it."""
        return native.structure(
            "program", rows=native.ffi.from_buffer("struct row[]", self.rows), row_count=len(self.rows), registers=self.registers,
            emits=self.emits, terminal=self.results.get("terminal", -1), empty=self.results.get("empty", -1),
        )  # fmt: skip


STOP_ROW: Final[Rows] = np.array([[Opcode.STOP, *[-1] * (COLUMNS - 1)]], dtype=np.int64)


@dataclass
class ProgramBuilder:
    """A program under construction."""

    _rows: list[tuple[int, int, tuple[Operand, ...]]] = field(default_factory=list)
    _known: list[dict[tuple[int, tuple[Operand, ...]], Register]] = field(default_factory=lambda: [{}])
    inputs: int = INPUTS
    _count: int = field(init=False)
    _loops: list[tuple[int, int]] = field(default_factory=list)
    _leaving: list[list[int]] = field(default_factory=list)
    emits: int = 0
    faults: Register | None = None
    gives_up: bool = True

    def __post_init__(self) -> None:
        """Reserve the first registers, which are inputs."""
        self._count = self.inputs

    def do(self, opcode: Opcode, *operands: Operand) -> Register:
        """The register of what an opcode computes; nothing is computed twice."""
        key = (opcode, operands)
        for known in self._known:
            if key in known:
                return known[key]
        found = self._fresh(opcode, operands)
        self._known[-1][key] = found
        return found

    def _fresh(self, number: int, operands: tuple[Operand, ...]) -> Register:
        found = Register(self._count)
        self._count += 1
        self._rows.append((number, found.number, operands))
        return found

    def constant(self, number: int) -> Register:
        """A register that holds a number in every lane."""
        return self.do(Opcode.CONSTANT, number)

    def emit(self, truth: Register, words: tuple[Register, Register], marks: Register | None, label: int) -> None:
        """Write a successor of the lanes where a truth holds."""
        self.emits += 1
        self._rows.append((Opcode.EMIT, -1, (truth, *words, -1 if marks is None else marks, label)))

    def fault(self, truth: Register, other: Register, code: int) -> None:
        """Give up if both truths hold in some lane; or, where one lane must not stop the others, record which lanes
        they are.
        """
        if self.gives_up:
            self._rows.append((Opcode.FAULT, -1, (truth, other, code)))
            return
        found = self.do(Opcode.BOTH, truth, other)
        self.faults = found if self.faults is None else self.do(Opcode.EITHER, self.faults, found)

    @contextmanager
    def where(self, truth: Register) -> Iterator[None]:
        """Write rows that are skipped if a truth holds in no lane; their results cannot be used afterwards."""
        if not self.gives_up:  # faults that are remembered must not be skipped
            yield
            return
        place = len(self._rows)
        self._rows.append((Opcode.SKIP, -1, (truth, 0)))
        self._known.append({})
        yield
        self._known.pop()
        self._rows[place] = (Opcode.SKIP, -1, (truth, len(self._rows) - place - 1))

    # --- loops, variables and deeds ----------------------------------------------------------------------------------

    def variable(self, number: int) -> Register:
        """A register that holds a number until something else is stored in it."""
        return self._fresh(Opcode.CONSTANT, (number,))

    def put(self, variable: Register, value: Register) -> None:
        """Set a variable, or an input, to what another register holds."""
        self._rows.append((Opcode.PLUS_NUMBER, variable.number, (value, 0)))

    def add(self, variable: Register, value: Register) -> None:
        """Add what another register holds to a variable."""
        self._rows.append((Opcode.PLUS, variable.number, (variable, value)))

    def deed(self, opcode: Opcode, *operands: Operand) -> None:
        """Let an opcode change the configuration."""
        self._rows.append((opcode, -1, operands))

    @contextmanager
    def loop(self, last: Register) -> Iterator[Register]:
        """Write rows that are repeated for each number from 0 to the last; their results cannot be used afterwards."""
        counter = self.variable(-1)
        begin = len(self._rows)
        self._rows.append((Opcode.NEXT, -1, (counter, last, 0)))
        self._known.append({})
        self._leaving.append([])
        yield counter
        self._known.pop()
        end = len(self._rows)
        self._rows.append((Opcode.BACK, -1, (end - begin + 1,)))
        self._rows[begin] = (Opcode.NEXT, -1, (counter, last, end - begin))
        for place in self._leaving.pop():
            self._rows[place] = (Opcode.SKIP, -1, (self._rows[place][2][0], end - place))
        self._loops.append((begin, end))

    def leave_unless(self, truth: Register) -> None:
        """Leave the innermost loop if a truth does not hold."""
        self._leaving[-1].append(len(self._rows))
        self._rows.append((Opcode.SKIP, -1, (truth, 0)))

    def found(self) -> None:
        """Stop; the result is in the registers for answers."""
        self._rows.append((Opcode.PAUSE, -1, ()))

    def program(self, **results: Register) -> MachineProgram:
        """The rows, with registers reused once their contents are no longer needed."""
        last = self._last_uses() | {register.number: len(self._rows) for register in results.values()}
        at = {number: number for number in range(self.inputs)}
        free: list[int] = []
        most = self.inputs
        rows: list[list[int]] = []
        for place, (number, to, operands) in enumerate(self._rows):
            if to >= 0 and to not in at:
                if not free:
                    free.append(most)
                    most += 1
                at[to] = free.pop()
            row = [number, at[to] if to >= 0 else -1]
            row += [at[x.number] if isinstance(x, Register) else x for x in operands]
            rows.append(row + [0] * (COLUMNS - len(row)))
            done = {x.number for x in operands if isinstance(x, Register)}
            if to >= 0:
                done.add(to)
            free += [at[x] for x in done if x >= self.inputs and last.get(x, place) <= place]
        found = {name: at[register.number] for name, register in results.items()}
        return MachineProgram(np.array(rows, dtype=np.int64).reshape(-1, COLUMNS), most, self.emits, found)

    def _last_uses(self) -> dict[int, int]:
        """The last row that uses each register; one that was written before a loop is needed until the loop ends."""
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        for place, (_, to, operands) in enumerate(self._rows):
            if to >= 0 and first.setdefault(to, place) < place:
                last[to] = place
            for operand in operands:
                if isinstance(operand, Register):
                    last[operand.number] = place
        for begin, end in sorted(self._loops, key=lambda loop: loop[1]):
            for register, place in last.items():
                if first.get(register, -1) < begin <= place < end:
                    last[register] = end
        return last
