"""Runs for sentences of any length: by native code if the figure has a program in arrays, otherwise by the interpreter.

Native code reports what most checks need to know about a run (`Facts`).  If a check objects to the facts, the
interpreter takes the run again and the check is repeated on it.  If the interpreter does not permit the run, or nothing
is wrong with it, two meanings of the figure disagree; that is never a verdict. Runs that native code abandons because
of an irregular arc (`arrays.kernel`) are taken by the interpreter alone.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, assert_never

from arcproof.generators.drawn_run import DrawnRun, End
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.engine import EngineName
from arcproof.properties.engines.policies import (
    AnyRun,
    InTurn,
    LookAhead,
    Order,
    Policy,
    Prefer,
    is_random,
    retaken,
    taken,
)
from arcproof.properties.engines.spaces import ReplayFailed
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Transition
from arcproof.transitions.errors import BadGraph, NotDerivable, NotPermissible
from arcproof.transitions.graph import Arc, Graph
from arcproof.transitions.machine import whole_runs as w
from arcproof.transitions.machine.codes import FINISHED
from arcproof.transitions.system import System, most_transitions

if TYPE_CHECKING:
    from arcproof.transitions.machine.arrays.assemble import Whole
    from arcproof.transitions.machine.arrays.module import ArrayState, Runner

MOST_STEPS: Final = 2_000
STEPS_BY_THE_INTERPRETER: Final = 180
MOST_KEPT: Final = 1_000


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known about a run whose configurations are not kept; the graph is the one at its end, without labels.

    `counts` says how often each transition was taken, `space` is the most that any configuration takes, and `signs` are
    the signs (`packed.signs`) of its configurations and steps.
    """

    words: int
    ended: bool
    graph: Graph
    counts: Mapping[str, int]
    space: int
    signs: int


@dataclass(frozen=True, slots=True)
class RunFault:
    """The beginning of a run that shows a violation, and the reason."""

    run: tuple[Transition, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Screened:
    """A check of runs whose violations can be recognised by the facts; if it is not `exact`, facts only raise a
    suspicion.
    """

    check: Callable[[AnyRun], RunFault | None]
    shows: Callable[[Facts], bool]
    exact: bool = True

    def __call__(self, run: AnyRun) -> RunFault | None:
        """Check the run itself."""
        return self.check(run)


RunCheck: TypeAlias = Callable[[AnyRun], RunFault | None]


class LongRun(Protocol):
    """A run, whichever engine took it."""

    @property
    def words(self) -> int:
        """The number of words."""

    @property
    def end(self) -> End:
        """How the run ends."""

    @property
    def run(self) -> AnyRun:
        """The run with all its configurations."""

    @property
    def key(self) -> Hashable:
        """A key that is equal for equal runs of this system."""

    @property
    def instances(self) -> tuple[str, ...]:
        """The names and choices of its transitions."""

    @property
    def scores(self) -> tuple[int, int, int]:
        """The number of transitions, the length of the longest sequence and the number of arcs at the end."""

    def fault(self, check: RunCheck) -> RunFault | None:
        """What a check finds wrong with the run."""


@dataclass(frozen=True)
class InterpretedRun:
    """A run that the interpreter took."""

    known: AnyRun

    @property
    def words(self) -> int:
        """The number of words."""
        return self.known.words

    @property
    def end(self) -> End:
        """How the run ends."""
        return self.known.end

    @property
    def run(self) -> AnyRun:
        """The run as it was taken."""
        return self.known

    @property
    def key(self) -> Hashable:
        """Its transitions."""
        return self.words, self.known.transitions

    @property
    def instances(self) -> tuple[str, ...]:
        """Without labels."""
        return tuple(transition.instance for transition in self.known.transitions)

    @property
    def scores(self) -> tuple[int, int, int]:
        """Counted."""
        sequences = (len(value) for c in self.known.configurations for value in c.values if isinstance(value, tuple))
        return len(self.known.transitions), max(sequences, default=0), len(self.known.last.arcs)

    def fault(self, check: RunCheck) -> RunFault | None:
        """Ask."""
        return check(self.known)


@dataclass(frozen=True, eq=False)
class NativeRun:
    """A run that native code took."""

    runner: "Runner"
    words: int
    end: End
    facts: Facts
    scores: tuple[int, int, int]
    codes: "Whole"

    @cached_property
    def transitions(self) -> tuple[Transition, ...]:
        """Without labels."""
        return tuple(self.runner.transition(int(code)) for code in self.codes)

    @cached_property
    def run(self) -> AnyRun:
        """The run, taken again by the interpreter; raises `ReplayFailed` if it is not the same."""
        system = self.runner.system
        try:
            again = retaken(system, self.words, self.transitions, self.end)
        except NotPermissible as error:
            raise ReplayFailed(f"{system.name}, {self.words} words: {error}") from None
        ended = system.is_terminal(again.last)
        if ended != self.facts.ended or again.last.graph != self.facts.graph:
            raise ReplayFailed(
                f"{system.name}, {self.words} words: a run ends in {again.last}, and not where it should"
            )
        return again

    @property
    def key(self) -> Hashable:
        """Its transitions."""
        return self.words, self.codes.tobytes()

    @property
    def instances(self) -> tuple[str, ...]:
        """Without labels."""
        return tuple(transition.instance for transition in self.transitions)

    def fault(self, check: RunCheck) -> RunFault | None:
        """Check the facts first, if they suffice."""
        if not isinstance(check, Screened):
            return check(self.run)
        if not check.shows(self.facts):
            return None
        fault = check(self.run)
        if fault is None and check.exact:
            shown = " ".join(map(str, self.transitions))
            name = self.runner.system.name
            raise ReplayFailed(f"{name}, {self.words} words: {shown} does not show the violation it should")
        return fault


# --- who takes runs --------------------------------------------------------------------------------------------------


class LongRuns(Protocol):
    """Takes runs of a system."""

    @property
    def system(self) -> System:
        """The system."""

    @property
    def most_steps(self) -> int:
        """The number of steps after which a run that is not random is cut off."""

    @property
    def is_swift(self) -> bool:
        """Whether runs are cheap enough to take many more than needed."""

    def take(self, policies: Sequence[Policy], words: int) -> Iterable[LongRun]:
        """Take one run for each policy."""

    def derive(self, gold: Graph, oracle: str) -> LongRun | None:
        """The run that an oracle takes to a gold graph; None if the oracle does not lead there."""

    def of(self, system: System) -> "LongRuns":
        """The same kind of runs, for another system."""


@dataclass(frozen=True)
class InterpretedRuns:
    """The interpreter."""

    system: System
    most_steps: int = STEPS_BY_THE_INTERPRETER
    is_swift: bool = False

    def take(self, policies: Sequence[Policy], words: int) -> Iterator[LongRun]:
        """Take the runs one after the other."""
        for policy in policies:
            yield InterpretedRun(taken(self.system, policy, words, self.limit(policy)))

    def limit(self, policy: Policy) -> int:
        """The number of steps that a run may have."""
        return MOST_STEPS if is_random(policy) else self.most_steps

    def derive(self, gold: Graph, oracle: str) -> LongRun | None:
        """The oracle's run, by definition; no oracle leads to a graph that cannot be a gold graph of the figure."""
        try:
            found = self.system.derive(gold, oracle)
        except (NotDerivable, BadGraph):
            return None
        visited = (found.initial, *(step.configuration for step in found.steps))
        return InterpretedRun(DrawnRun(gold.words, visited, found.transitions, "terminal"))

    def of(self, system: System) -> LongRuns:
        """Runs of another system, also taken by the interpreter."""
        return InterpretedRuns(system, self.most_steps)


@dataclass(frozen=True)
class _Room:
    """Three configurations of sentences of one length."""

    first: "ArrayState"
    now: "ArrayState"
    other: "ArrayState"

    @staticmethod
    def of(runner: "Runner", words: int) -> "_Room":
        return _Room(*(runner.state(words) for _ in range(3)))


@dataclass(frozen=True)
class _Led:
    """What native code wrote about one run."""

    facts: Mapping[str, int]
    counts: "Whole"
    codes: "Whole"
    arcs: "Whole"

    @property
    def end(self) -> int:
        """How it ended."""
        return self.facts["end"]


@dataclass
class NativeRuns:
    """Runs by native code, or by the interpreter where native code gives up."""

    system: System
    runner: "Runner"
    most_steps: int = MOST_STEPS
    is_swift: bool = True
    _rooms: dict[int, _Room] = field(default_factory=dict)
    _derived: dict[tuple[Graph, str], LongRun | None] = field(default_factory=dict)

    def take(self, policies: Sequence[Policy], words: int) -> list[LongRun]:
        """Take all runs in one batch."""
        import numpy as np

        if not policies:
            return []
        places = {name: place for place, name in enumerate(self.runner.names)}
        numbers, orders = zip(*(_numbers(policy, places) for policy in policies), strict=True)
        drawn = [policy.draws if isinstance(policy, Prefer) else () for policy in policies]
        draws = np.zeros((len(policies), max(map(len, drawn))), dtype=np.int64)
        for row, draw in zip(draws, drawn, strict=True):
            row[: len(draw)] = draw
        runs = self._lead(numbers, np.array(orders, dtype=np.int64), draws, words, None, self.most_steps)
        return [
            self._by_interpreter(policy, words) if run.end == w.GIVEN_UP else self._run(words, run)
            for policy, run in zip(policies, runs, strict=True)
        ]

    def derive(self, gold: Graph, oracle: str) -> LongRun | None:
        """The oracle's run; all oracles are run together and the results are cached, because they are asked for
        repeatedly.
        """
        if (gold, oracle) not in self._derived:
            if len(self._derived) >= MOST_KEPT:
                self._derived.clear()
            names = [one.name for one in self.system.figure.oracles]
            self._derived |= zip(((gold, name) for name in names), self._derive(gold, names), strict=True)
        return self._derived[gold, oracle]

    def _derive(self, gold: Graph, oracles: Sequence[str]) -> Iterator[LongRun | None]:
        import numpy as np

        try:
            words, wanted = gold.words, self.system.gold(gold).graph
        except BadGraph:
            yield from [None] * len(oracles)
            return
        numbers = [{"kind": w.FOLLOW, "stops_at_repetition": 1, "oracle": oracle} for oracle in range(len(oracles))]
        rows = self.runner.gold_arcs(gold, {}) if self.runner.several_heads else self.runner.gold(wanted, [0] * words)
        nothing = np.zeros((len(oracles), 0), dtype=np.int64)
        outcome = frozenset(Arc(arc.head, None, arc.dependent) for arc in wanted.arcs)
        runs = self._lead(numbers, nothing, nothing, words, rows, most_transitions(words))
        for oracle, run in zip(oracles, runs, strict=True):
            if run.end == w.GIVEN_UP:
                yield InterpretedRuns(self.system).derive(gold, oracle)
            elif run.end == w.AT_TERMINAL and self._graph(words, run.arcs).arcs == outcome:
                yield self._run(words, run)
            else:
                yield None

    def of(self, system: System) -> LongRuns:
        """Runs of another system, by native code if possible."""
        return _native(system) or InterpretedRuns(system)

    def _by_interpreter(self, policy: Policy, words: int) -> LongRun:
        return InterpretedRun(taken(self.system, policy, words, self.most_steps))

    def _room(self, words: int) -> _Room:
        if words not in self._rooms:
            self._rooms[words] = _Room.of(self.runner, words)
        return self._rooms[words]

    @cached_property
    def _kinds(self) -> "Whole":
        import numpy as np

        def kind(component: s.Component) -> int:
            if isinstance(component, s.SequenceComponent):
                turned = w.TURNED_BUFFER if component.head == "right" else w.BUFFER
                return turned if component.kind == "buffer" else w.SEQUENCE
            return w.SET if component.kind == "set" else w.NUMBER

        return np.array([kind(component) for component in self.system.figure.state], dtype=np.int64)

    def _lead(
        self, policies: Sequence[Mapping[str, int]], orders: "Whole", draws: "Whole", words: int, gold: "Whole | None", most: int,
    ) -> "list[_Led]":  # fmt: skip
        """One run for each policy, given as the fields of the structure `policy`."""
        import numpy as np

        from arcproof import native

        room, count = self._room(words), len(policies)
        rows = words + 1 if self.runner.several_heads else 1
        counts, codes, arcs = (
            np.zeros((count, each), dtype=np.int64) for each in (len(self.runner.names), most, rows * (words + 1))
        )
        facts = native.ffi.new("struct facts[]", count)
        leading = native.structure(
            "leading", sentence=room.now.sentence(gold), start=room.first.structure, other=room.other.structure,
            kinds=native.pointer(self._kinds), names=len(self.runner.names), count=count, draw_count=draws.shape[1],
            max_steps=most, policies=native.ffi.new("struct policy[]", list(policies)), orders=native.pointer(orders),
            draws=native.pointer(draws), facts=facts, counts=native.pointer(counts), codes=native.pointer(codes),
            arcs=native.pointer(arcs),
        )  # fmt: skip
        if native.library.lead_all(leading) != FINISHED:
            raise MemoryError
        names = [name for name, _ in native.ffi.typeof("struct facts").fields]
        about = ({name: int(getattr(one, name)) for name in names} for one in facts)
        return [_Led(*each) for each in zip(about, counts, codes, arcs, strict=True)]

    def _graph(self, words: int, arcs: "Whole") -> Graph:
        """The graph with these rows of arcs, without labels."""
        import numpy as np

        if self.runner.several_heads:
            dependents, heads = np.nonzero(arcs.reshape(words + 1, words + 1))
        else:
            dependents = np.flatnonzero(arcs >= 0)
            heads = arcs[dependents]
        pairs = zip(heads.tolist(), dependents.tolist(), strict=True)
        return Graph(words, frozenset(Arc(head, None, dependent) for head, dependent in pairs))

    def _run(self, words: int, run: _Led) -> LongRun:
        facts = run.facts
        ends: End = "terminal" if run.end == w.AT_TERMINAL else "dead end" if run.end == w.AT_DEAD_END else "cut off"
        counts = dict(zip(self.runner.names, run.counts.tolist(), strict=True))
        known = Facts(words, ends == "terminal", self._graph(words, run.arcs), counts, facts["space"], facts["signs"])
        scores = facts["steps"], facts["longest"], facts["arcs"]
        return NativeRun(self.runner, words, ends, known, scores, run.codes[: facts["steps"]].copy())


def _numbers(policy: Policy, places: Mapping[str, int]) -> tuple[dict[str, int], list[list[int]]]:
    """A policy as fields of the structure `policy`, and its two orders."""
    numbers = {"switch_at": -1, "stops_at_repetition": int(not is_random(policy))}
    match policy:
        case Prefer(order, second, switch, instance, steadiness):
            numbers |= {"kind": w.PREFER, "takes_last": int(instance == -1), "steadiness": steadiness}
            numbers["switch_at"] = -1 if second is None else switch
            orders: tuple[Order, ...] = (order, second or order)
        case InTurn(order):
            numbers["kind"], orders = w.IN_TURN, (order, order)
        case LookAhead(measured, sign):
            numbers |= {"kind": w.LOOK_AHEAD, "measure": -1 if measured is None else measured, "sign": sign}
            orders = ((), ())
        case _:
            assert_never(policy)
    rows = [[0] * len(places) for _ in orders]
    for row, names in zip(rows, orders, strict=True):
        for place, name in enumerate(names):
            row[places[name]] = place
    return numbers, rows


def _native(system: System) -> NativeRuns | None:
    from arcproof import native

    if not native.IS_HERE:
        return None
    from arcproof.transitions.machine.arrays.module import Runner
    from arcproof.transitions.machine.packed.layout import DoesNotFit

    try:
        return NativeRuns(system, Runner.of(system, loose=True))
    except DoesNotFit:
        return None


def long_runs(system: System, engine: EngineName) -> LongRuns:
    """The runs of a system, by native code if the engine is native."""
    runs = _native(system) if engine == "compiled" else None
    return runs or InterpretedRuns(system)
