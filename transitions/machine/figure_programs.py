"""The programs of a system, one for each number of words, created on demand."""

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import plan as p
from arcproof.transitions.machine import machine
from arcproof.transitions.machine.assemble import Assembler
from arcproof.transitions.machine.gold_words import AS_GRAPH, AS_HEADS, AS_MATRIX, GOLD_ROWS
from arcproof.transitions.machine.opcodes import Bits, Lanes
from arcproof.transitions.machine.packed.layout import ArcForm, Layout, Words64, most_room
from arcproof.transitions.machine.program import MachineProgram
from arcproof.transitions.system import System, most_transitions

if TYPE_CHECKING:
    from arcproof.transitions.machine.packed.ranking import Climb

Truths: TypeAlias = npt.NDArray[np.bool_]
FORMS: Final[dict[ArcForm, int]] = {"heads": AS_HEADS, "graph": AS_GRAPH, "matrix": AS_MATRIX}


@dataclass(frozen=True)
class Workspace:
    """A program, and the registers and the room for successors with which one worker runs it."""

    program: MachineProgram
    r: Lanes
    u: Bits
    out: Lanes
    scratch: Lanes

    @classmethod
    def of(cls, program: MachineProgram) -> "Workspace":
        """A workspace for this program, with registers of its own."""
        r = np.zeros((program.registers, machine.LANES), dtype=np.int64)
        out = np.zeros((machine.OUT, machine.LANES * program.emits + 1), dtype=np.int64)
        scratch = np.zeros((machine.SCRATCH, machine.LANES + 1), dtype=np.int64)
        return cls(program, r, r.view(np.uint64), out, scratch)

    @property
    def arguments(self) -> tuple[npt.NDArray[np.int64], Lanes, Bits, Lanes]:
        """The arguments that every loop of the machine takes first."""
        return self.program.rows, self.r, self.u, self.out

    def result(self, name: str) -> int:
        """The register of a result."""
        return self.program.results[name]


@dataclass(frozen=True)
class Programs:
    """A system whose configurations are packed in one way; `clashes` means that arcs may be added that should
    not be.
    """

    system: System
    clashes: bool = False
    room: int = 1
    _expansions: dict[int, MachineProgram] = field(default_factory=dict)
    _oracles: dict[tuple[int, int], tuple[MachineProgram, list[str]]] = field(default_factory=dict)

    @property
    def arc_form(self) -> ArcForm:
        """How arcs are packed."""
        regular: ArcForm = "graph" if self.system.figure.several_heads else "heads"
        return "matrix" if self.clashes else regular

    def with_matrix(self) -> "Programs":
        """These programs, packed so that arcs may be added that should not be: into 0, a second one into a word, or,
        with `several heads`, one that already exists.
        """
        return Programs(self.system, True, self.room)

    @property
    def has_most_room(self) -> bool:
        """Whether a packing with more room would hold no more configurations than this one."""
        return self.room >= most_room(self.system.figure.state)

    def with_room(self) -> "Programs":
        """These programs with room for sequences that share more nodes, and for greater counters."""
        return Programs(self.system, self.clashes, self.room + 1)

    def layout(self, words: int) -> Layout:
        """How configurations of this many words are packed; `DoesNotFit` if they cannot be packed."""
        return Layout(self.system.figure.state, words, self.arc_form, self.room)

    def expansion(self, words: int) -> MachineProgram:
        """The program that writes successors; `DoesNotFit` if there is none."""
        if words not in self._expansions:
            self._expansions[words] = Assembler(self.system, self.layout(words)).expansion()
        return self._expansions[words]

    @cached_property
    def is_graded(self) -> bool:
        """Whether every run to a configuration has the same length, as far as `grading` can tell."""
        from arcproof.transitions.machine.packed.grading import is_graded

        return not self.clashes and is_graded(self.system)

    @cached_property
    def ranking(self) -> "Climb | None":
        """A measure of configurations that seems to grow in every transition; None if none is found."""
        from arcproof.transitions.machine.packed.ranking import ranking_of

        return ranking_of(self)

    def following(self, oracle: int, words: int) -> tuple[MachineProgram, list[str]]:
        """The program that follows an oracle, and the names of its labels among the results; `DoesNotFit` if there is
        none.
        """
        if (oracle, words) not in self._oracles:
            self._oracles[oracle, words] = Assembler(self.system, self.layout(words)).following(oracle)
        return self._oracles[oracle, words]

    def follow(self, oracle: int, graphs: Words64) -> Words64:
        """For each graph, the length of the oracle's derivation; -1 if there is none, -2 if that cannot be decided
        here.

        Graphs are rows of one number for each word: one more than its head, or 0 for a word without a head.  For
        figures with
        `several heads` they are rows of bits for each word, as in the form *graph* of a layout.  `DoesNotFit` as for
        `following`.
        """
        words = graphs.shape[1]
        layout = self.layout(words)
        program, labels = self.following(oracle, words)
        space = Workspace.of(program)
        lengths = np.empty(len(graphs), dtype=np.int64)
        wanted = np.array([space.result(label) for label in labels], dtype=np.int64)
        w0, w1 = layout.pack(self.system.start(words))
        gold = np.zeros((GOLD_ROWS, words + 1), dtype=np.int64)
        machine.follow(
            *space.arguments, space.scratch, gold, space.result("terminal"), space.result("undecided"), wanted, graphs, w0, w1, words, layout.head_bits,
            layout.node_bits, self.system.has_root, layout.is_wide, FORMS[layout.arc_form], self.system.figure.several_heads, layout.arcs_from,
            layout.arcs_mask, most_transitions(words), lengths,
        )  # fmt: skip
        return lengths

    def ask(self, condition: p.Condition, words: int, k0: Words64, k1: Words64) -> Truths:
        """Whether a condition about the components holds in each of some configurations."""
        layout = self.layout(words)
        space = Workspace.of(Assembler(self.system, layout).asking(condition))
        answers = np.empty(len(k0), dtype=np.bool_)
        machine.ask(*space.arguments, space.result("truth"), k0, k1, layout.is_wide, answers)
        return answers
