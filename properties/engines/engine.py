"""The engines that visit configurations: the interpreter, which is the definition, or the machine, which runs a program
made from the figure's plan.

The machine does what it can and leaves the rest to the interpreter: configurations that do not fit into two machine
words, and everything where there is no native code; `note` then says so.

Before a level is explored, the memory that it will need is predicted from the smaller levels, and a level that would
need more than allowed is not begun.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal, Protocol

from arcproof.generators.enumeration import FORESTS, TREES, all_graphs, selection_of
from arcproof.generators.graph_enumeration import all_graphs_of
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION, StateSpace, configurations_in, explore
from arcproof.properties.engines.output_sets import Form, Numbers, bits_of, decoded, form_of, in_form, ranges_of
from arcproof.properties.engines.own_labels import derived_with_labels, takes_own_labels
from arcproof.properties.engines.spaces import Ambiguity, Heaviest, OutOfBounds, Space
from arcproof.transitions.errors import BadGraph, NotDerivable
from arcproof.transitions.graph import Graph
from arcproof.transitions.printing.wording import counted as number_of
from arcproof.transitions.printing.wording import size_text
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.engines.outputs import Codes
    from arcproof.transitions.machine.figure_programs import Programs
    from arcproof.transitions.machine.packed.explorer import Exploration

EngineName = Literal["compiled", "interpreter"]
ENGINES: Final[tuple[EngineName, ...]] = ("compiled", "interpreter")
SOME_GRAPHS: Final = 64
MOST_ROWS: Final = 1 << 16
LARGE: Final = 200_000


def default_engine() -> EngineName:
    """The compiled engine, unless the environment variable `ARCPROOF_ENGINE` names the interpreter."""
    return "interpreter" if os.environ.get("ARCPROOF_ENGINE") == "interpreter" else "compiled"


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of a level, without its configurations."""

    words: int
    configurations: int
    transitions: int
    outputs: int
    trees: int
    shortest: int | None
    longest: int | None
    dead_ends: int
    ambiguity: Ambiguity | None


@dataclass(frozen=True)
class Followed:
    """Graphs in the order of their enumeration, and the number of transitions that an oracle takes to each, or
    `NO_DERIVATION`.
    """

    words: int
    codes: Numbers
    lengths: list[int]
    form: Form = "heads"

    @property
    def first_failure(self) -> int | None:
        """The index of the first graph to which the oracle does not lead, if there is one."""
        return next((place for place, length in enumerate(self.lengths) if length < 0), None)

    def graphs(self, place: int) -> Graph:
        """The graph at this index."""
        return decoded(self.codes[place], self.words, self.form)


NO_DERIVATION: Final = -1
UNDECIDED: Final = -2


class Engine(Protocol):
    """Visits every configuration of one system."""

    name: EngineName
    note: str | None
    jobs: int
    goes_far: bool  # whether oracles are followed even if there are too many configurations
    until: int | None  # the number of words at which the interpreter took over
    is_over: (
        Callable[[], bool] | None
    )  # whether the interpreter is to end an exploration, as if it took too much memory

    def space(self, words: int, past_terminal: bool, memory: int | None) -> Space:
        """All configurations; raises `OutOfBounds` if they would take more memory than this."""

    def count(self, words: int, memory: int | None) -> Counted:
        """The counts of a level; raises `OutOfBounds` if they would take more memory than this."""

    def follow(self, oracle: str, graphs: GraphClass, words: int) -> Iterator[Followed]:
        """Follow an oracle to every graph of a class, with all its labels and tags, in batches."""

    @property
    def learnt(self) -> tuple[dict[int, int], float]:
        """What is known about the explored levels: configurations by words, transitions per configuration."""

    def learn(self, sizes: Mapping[int, int], branching: float) -> None:
        """Add what an earlier run learnt, from which the next level is predicted."""


# --- the interpreter -------------------------------------------------------------------------------------------------


@dataclass
class Interpreter:
    """The reference engine."""

    system: System
    note: str | None = None
    jobs: int = 1
    name: EngineName = "interpreter"
    goes_far: bool = False
    until: int | None = None
    is_over: Callable[[], bool] | None = None
    _sizes: dict[int, int] = field(default_factory=dict)

    def space(self, words: int, past_terminal: bool, memory: int | None) -> StateSpace:
        """All configurations."""
        check_prediction(self._sizes, words, BYTES_A_CONFIGURATION, memory)
        limit = None if memory is None else configurations_in(memory)
        space = explore(self.system, words, past_terminal, limit, self.is_over)
        if not past_terminal:
            self._sizes.setdefault(words, space.size)
        return space

    def count(self, words: int, memory: int | None) -> Counted:
        """The counts of a level."""
        return counted(self.space(words, False, memory))

    @property
    def learnt(self) -> tuple[dict[int, int], float]:
        """The sizes of the levels explored so far."""
        return dict(self._sizes), 0.0

    def learn(self, sizes: Mapping[int, int], branching: float) -> None:  # noqa: ARG002
        """Use these sizes for predictions, too."""
        self._sizes.update({words: size for words, size in sizes.items() if words not in self._sizes})

    def follow(self, oracle: str, graphs: GraphClass, words: int) -> Iterator[Followed]:
        """Follow the oracle to each graph by itself, in small batches."""
        remaining, form = all_graphs_of(graphs, words), form_of(self.system, graphs)
        while some := list(islice(remaining, SOME_GRAPHS)):
            lengths = [derivation_length(self.system, oracle, graph) for graph in some]
            yield Followed(words, [in_form(graph, form) for graph in some], lengths, form)


def derivation_length(system: System, oracle: str, gold: Graph) -> int:
    """The number of transitions that the oracle takes, by the interpreter; `NO_DERIVATION` if it does not lead there,
    whatever the labels and tags.

    No oracle leads to a graph that is not a forest, unless words may have several heads.
    """
    try:
        return len(derived_with_labels(system, gold, oracle))
    except (NotDerivable, BadGraph):
        return NO_DERIVATION


def counted(space: Space) -> Counted:
    """The counts of a space."""
    outputs = space.outputs
    longest = space.heaviest(lambda _: 1)
    rooted = outputs.rooted(space.system)
    return Counted(
        space.words,
        space.size,
        space.transitions,
        len(outputs),
        rooted.tree_count(),
        None if outputs.earliest is None else space.depth(outputs.earliest),
        longest.weight if isinstance(longest, Heaviest) else None,
        space.dead_end_count,
        space.ambiguity,
    )


# --- native code -----------------------------------------------------------------------------------------------------


@dataclass
class Compiled:
    """Native code, with the interpreter for whatever it cannot do.

    Spaces of up to `interpreted` words are left to the interpreter too: for those, making a program takes longer than
    interpreting.
    """

    system: System
    programs: "Programs"
    jobs: int = 1
    interpreted: int = 0
    note: str | None = None
    name: EngineName = "compiled"
    goes_far: bool = True
    until: int | None = None
    is_over: Callable[[], bool] | None = None
    _sizes: dict[int, int] = field(default_factory=dict)
    _branching: float = 2.0

    def space(self, words: int, past_terminal: bool, memory: int | None) -> Space:
        """All configurations."""
        if words <= self.interpreted:
            from arcproof.properties.engines.small_space import small_space

            return small_space(self.system, words, past_terminal, memory)
        from arcproof.properties.engines.packed_space import CompiledSpace

        found = self._explore(words, memory, keep=True, past_terminal=past_terminal)
        return self._interpreter.space(words, past_terminal, memory) if found is None else CompiledSpace(found)

    @property
    def _interpreter(self) -> Interpreter:
        """What takes over."""
        return Interpreter(self.system, is_over=self.is_over)

    def count(self, words: int, memory: int | None) -> Counted:
        """The counts of a level."""
        import numpy as np

        from arcproof.generators.unranking import count_trees
        from arcproof.properties.engines.outputs import Outputs
        from arcproof.properties.engines.packed_space import CompiledSpace, ambiguity_of

        found = self._explore(words, memory, keep=False, past_terminal=False)
        if found is None:
            return self._interpreter.count(words, memory)
        if found.outputs is None:
            return counted(CompiledSpace(found))
        if form_of(self.system) == "graph":
            pieces = (Outputs(words, np.sort(codes), codes, {}, "graph").rooted(self.system) for codes in found.outputs)
            trees = sum(piece.tree_count() for piece in pieces)
        else:
            trees = sum(count_trees(codes, words, bits_of(words), self.system.has_root) for codes in found.outputs)
        return Counted(
            words,
            found.configurations,
            found.transitions,
            sum(map(len, found.outputs)),
            trees,
            found.shortest,
            found.longest,
            found.dead_ends,
            None if found.ways is None else ambiguity_of(found.ways),
        )

    @property
    def learnt(self) -> tuple[dict[int, int], float]:
        """The sizes of the levels explored so far, and the number of transitions per configuration."""
        return dict(self._sizes), self._branching

    def learn(self, sizes: Mapping[int, int], branching: float) -> None:
        """Use these for predictions, too."""
        self._sizes.update({words: size for words, size in sizes.items() if words not in self._sizes})
        self._branching = branching

    def _explore(self, words: int, memory: int | None, keep: bool, past_terminal: bool) -> "Exploration | None":
        """Explore a level by native code; None if the interpreter must do it."""
        from arcproof.transitions.machine.figure_programs import SecondHead
        from arcproof.transitions.machine.packed.explorer import ExplorationSettings, OutOfMemory, predicted_bytes
        from arcproof.transitions.machine.packed.explorer import explore as explore_compiled
        from arcproof.transitions.machine.packed.layout import DoesNotFit

        expected = predicted_size(self._sizes, words) or 1024
        try:
            check_prediction(self._sizes, words, predicted_bytes(self.programs, words, self._branching, keep), memory)
            jobs = self.jobs if expected > LARGE else 1
            settings = ExplorationSettings(keep, past_terminal, keep and not past_terminal, memory, jobs)
            found = explore_compiled(self.programs, words, settings)
        except SecondHead:
            self.programs = self.programs.with_matrix()
            return self._explore(words, memory, keep, past_terminal)
        except DoesNotFit as error:
            if self.find_room(words):
                return self._explore(words, memory, keep, past_terminal)
            self._leave(words, error)
            return None
        except OutOfMemory as error:
            needed = f"{size_text(error.needed)} would be needed after {error.configurations} configurations"
            raise OutOfBounds(
                f"{needed}, more than the {size_text(memory or 0)} that --memory leaves", error.configurations
            ) from None
        if not past_terminal:  # a level with runs past the end says nothing about the size of ordinary ones
            self.remember(words, found)
        return found

    def remember(self, words: int, found: "Exploration") -> None:
        """Remember the size of a level, to predict those of larger ones."""
        self._sizes.setdefault(words, found.configurations)
        if words > 2:
            self._branching = found.transitions / max(1, found.configurations)

    def find_room(self, words: int) -> bool:
        """Find a roomier layout for this many words and use it from then on; False if there is none."""
        from arcproof.transitions.machine.packed.layout import DoesNotFit

        roomier = self.programs
        while not roomier.has_most_room:
            roomier = roomier.with_room()
            with suppress(DoesNotFit):
                roomier.layout(words).pack(self.system.start(words))
                self.programs = roomier
                return True
        return False

    def _leave(self, words: int, error: Exception) -> None:
        """Record that the interpreter takes over from this number of words on, and why."""
        if self.until is None or words < self.until:
            self.until = words
            self.note = f"the interpreter takes over from {number_of(words, 'word')} on: {error}"

    def follow(self, oracle: str, graphs: GraphClass, words: int) -> Iterator[Followed]:
        """Follow the oracle by ranges of ranks, in parallel; what native code cannot decide is left to the
        interpreter.
        """
        import numpy as np

        from arcproof.properties.engines.graph_codes import bits_of_codes, bits_of_heads, codes_of_bits
        from arcproof.properties.engines.outputs import FEW_GRAPHS, codes_of_rows, pieces_of
        from arcproof.transitions.machine.packed.explorer import streamed
        from arcproof.transitions.machine.packed.layout import DoesNotFit

        index = [o.name for o in self.system.figure.oracles].index(oracle)
        several, form = self.system.figure.several_heads, form_of(self.system, graphs)
        follows = takes_own_labels(self.system, self.system.oracle(oracle))
        if words == 0 or not follows or (graphs.base == "graphs" and not several):
            yield from Interpreter(self.system).follow(oracle, graphs, words)
            return

        def piece(ranks: range) -> "tuple[Codes, Codes]":
            rows = _rows(graphs, words, ranks)
            if several:
                bits = bits_of_heads(rows)
                return codes_of_bits(bits), self.programs.follow(index, bits)
            return codes_of_rows(rows), self.programs.follow(index, rows)

        def piece_of_graphs(codes: "Codes") -> "tuple[Codes, Codes]":
            return codes, self.programs.follow(index, bits_of_codes(codes, words))

        try:
            self.programs.layout(words).pack(self.system.start(words))
            self.programs.following(index, words)
        except DoesNotFit as error:
            if self.find_room(words):
                yield from self.follow(oracle, graphs, words)
                return
            self._leave(words, error)
            yield from Interpreter(self.system).follow(oracle, graphs, words)
            return
        if graphs.base == "graphs":
            results = streamed(piece_of_graphs, pieces_of(graphs, words, "graph"), self.jobs)
        else:
            jobs = self.jobs if selection_of(graphs).enumeration.count(words) > FEW_GRAPHS else 1
            results = streamed(piece, _rank_ranges(graphs, words), jobs)
        for codes, lengths in results:
            followed = Followed(words, codes, lengths.tolist(), form)
            for k in np.flatnonzero(lengths == UNDECIDED).tolist():
                followed.lengths[k] = derivation_length(self.system, oracle, followed.graphs(k))
            yield followed


def _rank_ranges(graphs: GraphClass, words: int) -> Iterator[range]:
    from arcproof.properties.engines.outputs import FEW_GRAPHS

    count = selection_of(graphs).enumeration.count(words)
    return ranges_of(count, FEW_GRAPHS if count < MOST_ROWS else MOST_ROWS)


def _rows(graphs: GraphClass, words: int, ranks: range) -> "Codes":
    from arcproof.generators.unranking import rows_of, rows_of_forests, rows_of_trees
    from arcproof.properties.engines.outputs import FEW_GRAPHS, rows_of_class

    selection = selection_of(graphs)
    if selection.is_exact and selection.enumeration is TREES:
        return rows_of_trees(words, ranks)
    if selection.is_exact and selection.enumeration is FORESTS:
        return rows_of_forests(words, ranks)
    if selection.enumeration.count(words) <= FEW_GRAPHS:
        return rows_of_class(graphs, words)
    return rows_of(all_graphs(graphs, words, ranks), words)


def engine_for(system: System, wanted: EngineName, jobs: int = 1) -> Interpreter | Compiled:
    """The engine that was asked for, or the interpreter with a note that says why."""
    if wanted == "interpreter":
        return Interpreter(system)
    try:
        from arcproof.native import NoNativeCode, need_native_code
        from arcproof.transitions.machine.figure_programs import Programs
    except ImportError as error:
        return Interpreter(system, f"the compiled engine is not available: {error.name} cannot be imported")
    try:
        need_native_code()
    except NoNativeCode as error:
        return Interpreter(system, f"the compiled engine is not available: {error}")
    return Compiled(system, Programs(system), jobs)


def predicted_size(sizes: dict[int, int], words: int) -> int | None:
    """The number of configurations to expect, from those of one, two and three words less; None if they are not known.

    The growth from level to level is assumed to continue as before.
    """
    if not all(words - k in sizes for k in (1, 2, 3)):
        return None
    one, two, three = (sizes[words - k] for k in (1, 2, 3))
    factor = one / max(1, two)
    return int(one * max(1.0, factor + max(0.0, factor - two / max(1, three)) / 2))


def check_prediction(sizes: dict[int, int], words: int, bytes_each: float, memory: int | None) -> None:
    """Raise `OutOfBounds` if the level is expected to take more memory than allowed."""
    expected = predicted_size(sizes, words)
    if memory is None or expected is None or expected * bytes_each <= memory:
        return
    raise OutOfBounds(
        f"about {expected} configurations are expected, taking {size_text(int(expected * bytes_each))}, "
        f"more than the {size_text(memory)} that --memory leaves"
    )
