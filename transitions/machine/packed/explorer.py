"""Every configuration for a sentence of n words, by native code (`arcproof/native/keep.c`, `count.c`).

Configurations are numbered as the reference exploration numbers them: breadth first, in the order of the figure's
transitions.  In a *graded* system (`grading`) a configuration can recur only on the frontier where it first occurred,
so only that frontier is looked up; otherwise all configurations are.  Where only numbers are asked for and every
transition climbs (`ranking`), nothing is kept at all, and several workers can share the work; no number depends on how
many they are.

Before anything grows, what it will take is compared with the memory allowed; `OutOfMemory` says how far the exploration
came.  Native code returns several times a second, so that signals are heard.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from arcproof import native
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.side_by_side import as_long_as_wanted
from arcproof.transitions.machine import codes
from arcproof.transitions.machine.codes import BYTES_AN_EDGE, BYTES_ANALYSED, BYTES_KEPT, SLOT_BYTES
from arcproof.transitions.machine.figure_programs import Programs, check
from arcproof.transitions.machine.packed.layout import Layout, Words64

if TYPE_CHECKING:
    from arcproof.transitions.machine.packed.paths import Edges

Flags: TypeAlias = npt.NDArray[np.int16]

T = TypeVar("T")
R = TypeVar("R")

BATCHES: Final = 2_000  # between two looks at signals: some hundredths of a second
WORD_BYTES: Final = 16
FULL: Final = 2 / 3  # of the slots of a table
BYTES_OF_RUNS: Final = 8  # number and lengths of runs, where nothing is kept
UNLIMITED: Final = 2**62


class OutOfMemory(Exception):
    """The exploration would take more memory than allowed; `configurations` were known by then."""

    def __init__(self, configurations: int, needed: int) -> None:
        """Keep the numbers."""
        super().__init__(f"{configurations} configurations, and {needed} bytes would be needed")
        self.configurations = configurations
        self.needed = needed


def streamed(function: Callable[[T], R], items: Iterable[T], jobs: int) -> Iterator[R]:
    """The results of a function that does not hold the interpreter's lock, in the order of the items, while workers
    continue with later ones.
    """
    if jobs == 1:
        yield from map(function, items)
        return
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=jobs, backend="threading", return_as="generator", pre_dispatch=4 * jobs, batch_size=1)
    results = parallel(delayed(function)(item) for item in items)
    yield from as_long_as_wanted(results)


@dataclass(frozen=True)
class ExplorationSettings:
    """What is asked of an exploration.

    `keep`: all configurations, their flags, parents and edges; without it only numbers, in a ranked system.
    `past_terminal`: terminal configurations are expanded.
    `look`: flag terminal configurations whose arcs a transition would change.  `outputs`: where nothing is kept, count
    outputs and derivations too.  `jobs`: workers that count, where nothing is kept.
    """

    keep: bool = True
    past_terminal: bool = False
    look: bool = False
    memory: int | None = None
    jobs: int = 1
    outputs: bool = True

    @property
    def bytes(self) -> int:
        """The memory allowed."""
        return UNLIMITED if self.memory is None else self.memory


@dataclass
class Exploration:
    """All reachable configurations for n words, as far as the settings ask for them.

    `frontiers[d]` is the number of the first configuration with a shortest run of length d.  Where nothing was kept,
    `shortest` and `longest` are the lengths of such runs to terminal configurations, and `outputs` and `ways` (how many
    runs lead to each output) come in several pieces; `ways` is None if they are too many to count.
    """

    programs: Programs
    layout: Layout
    settings: ExplorationSettings
    graded: bool
    configurations: int = 0
    transitions: int = 0
    terminals: int = 0
    dead_ends: int = 0
    marks: int = 0
    shortest: int | None = None
    longest: int | None = None
    frontiers: list[int] = field(default_factory=list)
    bytes: int = 0
    k0: Words64 = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    k1: Words64 = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    flags: Flags = field(default_factory=lambda: np.zeros(0, dtype=np.int16))
    parents: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    edges: "Edges | None" = None
    outputs: list[Words64] | None = None
    ways: list[Words64] | None = None

    @property
    def bytes_kept(self) -> int:
        """The memory of the arrays that are still kept."""
        edges = (self.edges.starts, self.edges.targets, self.edges.names) if self.edges is not None else ()
        return sum(a.nbytes for a in (self.k0, self.k1, self.flags, self.parents, *edges))

    @property
    def start(self) -> tuple[int, int]:
        """The initial configuration, as unsigned words."""
        first, second = self.layout.pack(self.programs.system.start(self.layout.words))
        return first % 2**64, second % 2**64


def explore(programs: Programs, words: int, settings: ExplorationSettings) -> Exploration:
    """Visit every configuration.

    `SecondHead` if arcs have to be packed as a matrix, `DoesNotFit` if a configuration cannot be packed at all,
    `OutOfMemory` beyond the memory allowed.
    """
    result = Exploration(programs, programs.layout(words), settings, programs.is_graded)
    counted = None if settings.keep else _counted(result)
    return _kept(result) if counted is None else counted


def _counted(result: Exploration) -> Exploration | None:
    """The numbers alone; None if the configurations have to be kept."""
    from arcproof.transitions.machine.packed.counting import DoesNotClimb, count
    from arcproof.transitions.machine.packed.ranking import MOST_RANKS

    ranking = None if result.programs.clashes else result.programs.ranking
    if ranking is None:
        return None
    measure = ranking.measure(result.layout)
    if measure.ranks > MOST_RANKS:
        return None
    try:
        return count(result, measure, ranking.step)
    except DoesNotClimb:
        return None


def _kept(result: Exploration) -> Exploration:
    """All configurations, with their signs, parents and edges."""
    settings, layout = result.settings, result.layout
    first, second = result.start
    keep_settings = native.structure(
        "keep_settings", program=result.programs.expansion(layout.words).structure, first=first, second=second,
        arcs_mask=layout.arcs_mask, is_graded=result.graded, past_terminal=settings.past_terminal, look=settings.look,
        default_name=number_of_default(result.programs), memory=settings.bytes,
    )  # fmt: skip
    kept = native.ffi.gc(native.library.keep_begin(keep_settings), native.library.keep_end)
    if kept == native.ffi.NULL:
        raise OutOfMemory(0, 0)
    code = codes.PAUSED
    while code == codes.PAUSED:
        code = native.library.keep_go_on(kept, BATCHES)
    result.bytes = kept.needed
    if code == codes.OUT_OF_MEMORY:
        raise OutOfMemory(kept.configurations, kept.needed)
    check(code)
    _take(result, kept)
    return result


def _take(result: Exploration, kept: Any) -> None:
    """Take over what native code has found."""
    from arcproof.transitions.machine.packed.paths import Edges

    def array(name: str, count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        memory = getattr(kept, name)
        setattr(kept, name, native.ffi.NULL)
        return native.owned(memory, count, dtype)

    count, edges = kept.configurations, kept.edges
    result.configurations, result.transitions = count, edges
    result.terminals, result.dead_ends, result.marks = kept.terminals, kept.dead_ends, kept.marks
    result.k0, result.k1 = array("first", count, np.int64), array("second", count, np.int64)
    result.flags, result.parents = array("flags", count, np.int16), array("parents", count, np.int32)
    result.frontiers = array("frontiers", kept.frontier_count, np.int64).tolist()
    result.edges = Edges(
        array("begins", count + 1, np.int64), array("targets", edges, np.int32), array("names", edges, np.uint8)
    )


def number_of_default(programs: Programs) -> int:
    """The number of the figure's default transition, -1 if it has none."""
    names = list(programs.system.transitions)
    default = programs.system.figure.default
    return names.index(default) if default in names else -1


def predicted_bytes(programs: Programs, words: int, branching: float, keep: bool) -> float:
    """The memory a configuration will take when there are many, with this many transitions each; `DoesNotFit` if they
    cannot be packed.
    """
    programs.layout(words)
    if not keep and not programs.clashes and programs.ranking is not None:
        return (
            WORD_BYTES + BYTES_OF_RUNS
        )  # more than enough: there are fewer waiting items and outputs than configurations
    return WORD_BYTES + 1.5 * SLOT_BYTES / FULL + BYTES_KEPT + BYTES_ANALYSED + BYTES_AN_EDGE * branching
