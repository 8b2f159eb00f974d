"""The programs of a system, one for each number of words, created on demand."""

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from arcproof import native
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import plan as p
from arcproof.transitions.machine import codes
from arcproof.transitions.machine.assemble import Assembler
from arcproof.transitions.machine.codes import AS_GRAPH, AS_HEADS, AS_MATRIX
from arcproof.transitions.machine.packed.layout import ArcForm, DoesNotFit, Layout, Words64, most_room
from arcproof.transitions.machine.program import MachineProgram
from arcproof.transitions.system import System, most_transitions

if TYPE_CHECKING:
    from arcproof.transitions.machine.packed.ranking import Climb

Truths: TypeAlias = npt.NDArray[np.bool_]
FORMS: Final[dict[ArcForm, int]] = {"heads": AS_HEADS, "graph": AS_GRAPH, "matrix": AS_MATRIX}


class Successors(NamedTuple):
    """What packed configurations lead to, in their order and that of the figure: words, the place of the configuration
    that each comes from, the code of the transition, signs; and which of the configurations are terminal.
    """

    first: Words64
    second: Words64
    source: Words64
    label: Words64
    marks: Words64
    terminals: Truths


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

    def expand(self, words: int, first: Words64, second: Words64) -> Successors:
        """The successors of packed configurations; `DoesNotFit` and `SecondHead` as for an exploration."""
        program = self.expansion(words)
        room = len(first) * program.emits
        columns = [np.empty(room, dtype=np.int64) for _ in range(5)]
        terminals = np.empty(len(first), dtype=np.bool_)
        to = native.structure(
            "successors", first=native.words(columns[0]), second=native.words(columns[1]), source=native.pointer(columns[2]),
            label=native.pointer(columns[3]), marks=native.pointer(columns[4]),
        )  # fmt: skip
        first, second = np.ascontiguousarray(first), np.ascontiguousarray(second)
        made = native.library.expand(
            program.structure, native.words(first), native.words(second), len(first), to, native.pointer(terminals)
        )
        check(made)
        first, second, source, label, marks = (column[:made] for column in columns)
        return Successors(first, second, source, label, marks, terminals)

    def follow(self, oracle: int, graphs: Words64) -> Words64:
        """For each graph, the length of the oracle's derivation; -1 if there is none, -2 if that cannot be decided
        here.

        Graphs are rows of one number for each word: one more than its head, or 0 for a word without a head.  For
        figures with
        `several heads` they are rows of bits for each word, as in the form *graph* of a layout.  `DoesNotFit` as for
        `following`.
        """
        words = graphs.shape[1]
        layout, figure = self.layout(words), self.system.figure
        program, names = self.following(oracle, words)
        labels = np.array([program.results[name] for name in names], dtype=np.int64)
        first, second = (word % 2**64 for word in layout.pack(self.system.start(words)))
        follower = native.structure(
            "oracle", program=program.structure[0], labels=native.pointer(labels), label_count=len(labels),
            undecided=program.results["undecided"], first=first, second=second, arcs_mask=layout.arcs_mask, words=words,
            head_width=layout.head_bits, node_width=layout.node_bits, arc_form=FORMS[layout.arc_form],
            is_rooted=self.system.has_root, has_several_heads=figure.several_heads, limit=most_transitions(words),
        )  # fmt: skip
        lengths = np.empty(len(graphs), dtype=np.int64)
        graphs = np.ascontiguousarray(graphs, dtype=np.int64)
        check(native.library.follow(follower, native.pointer(graphs), len(graphs), native.pointer(lengths)))
        return lengths

    def ask(self, condition: p.Condition, words: int, first: Words64, second: Words64) -> Truths:
        """Whether a condition about the components holds in each of some configurations."""
        program = Assembler(self.system, self.layout(words)).asking(condition)
        answers = np.empty(len(first), dtype=np.bool_)
        if not native.library.ask(
            program.structure, program.results["truth"], native.words(first), native.words(second), len(first),
            native.pointer(answers),
        ):  # fmt: skip
            raise MemoryError
        return answers


class SecondHead(Exception):
    """An arc is added that should not be, such as a second one into a word, and only a matrix can represent the
    result.
    """


def check(code: int) -> None:
    """Raise what a code of native code stands for; nothing, if all is well."""
    match code:
        case codes.SECOND_HEAD:
            raise SecondHead("an arc is added that should not be")
        case codes.DOES_NOT_FIT:
            raise DoesNotFit("a configuration does not fit")
        case codes.OUT_OF_MEMORY:
            raise MemoryError
        case _:
            assert code >= 0, code
