"""Reach: the shortest run to a configuration that satisfies a condition, or a proof that there is none.

A condition is anything that `final` or an invariant may say about a configuration; in addition, nodes may be named by
their numbers, and `#SWAP` is the number of times that a transition occurs in the run.  Only sentences that have the
nodes named by the condition are tried, and none without words, fewest words first; the run found is a shortest one for
its sentence.  As usual, a run stops at the first terminal configuration it reaches.

A condition about configurations alone is evaluated in every configuration that is reached.  If transitions are counted,
configurations are distinguished by the counts of the runs to them; a count that is only compared with numbers is not
counted beyond the greatest of these, so that there are finitely many.  If no configuration satisfies the rest of the
condition, nothing needs to be counted.

The target may also be an output: a terminal configuration with exactly these arcs.

The run is replayed by the interpreter, step by step, before it is believed.
"""

from collections import Counter
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import TypeVar

from arcproof.process.interruption import what_ended
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import Shown, WithDocument, WithPicture
from arcproof.properties.engines.counted_runs import CountedRuns, Counts
from arcproof.properties.engines.engine import EngineName, default_engine
from arcproof.properties.engines.exhaustive import ReplayFailed, derivation_of
from arcproof.properties.engines.exploration import configurations_in
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.shortest_derivation import ArcsAreRemoved
from arcproof.properties.engines.shortest_run import shortest_run
from arcproof.properties.engines.spaces import OutOfBounds, Run, Space
from arcproof.properties.studies.mutation import MOST_MEMORY, explorer
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Derivation
from arcproof.transitions.errors import BadCondition
from arcproof.transitions.graph import Graph
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.reading.read import read_target
from arcproof.transitions.system import System

T = TypeVar("T")


@dataclass(frozen=True)
class Target:
    """The target: conditions and, if the run is to end, the output."""

    conditions: tuple[s.Condition, ...]
    output: Graph | None = None

    @property
    def least_words(self) -> int:
        """The greatest node named; shorter sentences do not have it."""
        nodes = {"node", "head", "dependent", "source", "target", "left", "right"}
        named = (
            getattr(part, slot.name)
            for part in s.walk(self.conditions)
            if is_dataclass(part) and not isinstance(part, s.Arithmetic)
            for slot in fields(part)
            if slot.name in nodes
        )
        return max((node.value for node in named if isinstance(node, s.Number)), default=0)

    @property
    def counted(self) -> tuple[str, ...]:
        """The transitions that are counted."""
        return tuple(dict.fromkeys(part.transition for part in s.walk(self.conditions) if isinstance(part, s.Count)))

    @property
    def uncounted(self) -> tuple[s.Condition, ...]:
        """The conditions that count nothing."""
        return tuple(c for c in self.conditions if not any(isinstance(part, s.Count) for part in s.walk(c)))

    @property
    def most(self) -> dict[str, int | None]:
        """For each counted transition, the number beyond which counting changes nothing; None if there is none."""
        most: dict[str, int | None] = dict.fromkeys(self.counted, 0)
        for part in s.walk(self.conditions):
            if isinstance(part, s.Comparison) and any(isinstance(inner, s.Count) for inner in s.walk(part.terms)):
                simple = all(isinstance(term, s.Count | s.Number) for term in part.terms)
                counts = sum(isinstance(term, s.Count) for term in part.terms)
                limit = max((term.value for term in part.terms if isinstance(term, s.Number)), default=0) + 1
                for inner in s.walk(part.terms):
                    if isinstance(inner, s.Count):
                        known = most[inner.transition]
                        finite = simple and counts == 1 and known is not None
                        most[inner.transition] = max(known or 0, limit) if finite else None
        return most


@dataclass(frozen=True, repr=False)
class Reached(Shown, WithDocument, WithPicture):
    """The run, or None; `words` is the number of words up to which the search was exhaustive.

    `looked_at` is the number of configurations visited (each for every count of its runs); `note` says why the search
    ended early.
    """

    system: System
    target: Target
    asked: int
    words: int
    looked_at: int
    run: Derivation | None
    note: str | None = None
    ended_by: str | None = None

    @property
    def exit_code(self) -> int:
        """0 if there is a run, 1 if there is certainly none up to the number of words requested, otherwise 3."""
        if self.run is not None:
            return 0
        return 1 if self.words >= self.asked else 3


def reach(
    system: System,
    condition: str = "",
    output: Graph | None = None,
    words: int = 5,
    memory: int = MOST_MEMORY,
    engine: EngineName | None = None,
    jobs: int = 1,
) -> Reached:
    """The shortest run to a configuration that satisfies a condition of the figure's language, with up to this many
    words; or to an output, which has its own number of words.
    """
    target = Target(read_target(condition, system.figure) if condition else (), output)
    asked = words if output is None else output.words
    if target.least_words > asked:
        raise BadCondition(
            f"the condition names node {target.least_words}, but the sentences have at most {counted(asked, 'word')}"
        )
    lengths = range(asked if output is not None else max(1, target.least_words), asked + 1)
    levels = Levels(system, words, memory, explorer(system, engine or default_engine(), jobs))
    search = _Search(system, target, levels, memory)
    done = 0
    note = ended_by = None
    try:
        for n in lengths:
            found = search.run(n)
            if found is not None:
                return Reached(system, target, asked, n, search.looked_at, _confirmed(system, target, n, found))
            done = n
    except OutOfBounds as error:
        note = str(error)
    except KeyboardInterrupt as interruption:
        ended_by = what_ended(interruption)
    return Reached(system, target, asked, done, search.looked_at, None, note, ended_by)


def _confirmed(system: System, target: Target, words: int, run: Run) -> Derivation:
    """The run, step by step; raises `ReplayFailed` if the interpreter does not find the target at its end."""
    derivation = derivation_of(system, words, run)
    counts = Counter(transition.name for transition in run)
    c = derivation.last
    holds = all(system.satisfies(c, with_counts(condition, counts)) for condition in target.conditions)
    ends = target.output is None or (system.is_terminal(c) and _has_arcs(system, c, target.output))
    early = any(system.is_terminal(before) for before, _ in derivation.with_before)
    if not holds or not ends or early:
        raise ReplayFailed(f"{system.name}, {words} words: {' '.join(map(str, run))} does not lead where it should")
    return derivation


def _has_arcs(system: System, c: Configuration, output: Graph) -> bool:
    wanted = {(arc.head, arc.dependent) for arc in system.wanted(output).arcs}
    return {(arc.head, arc.dependent) for arc in c.arcs} == wanted


def with_counts(node: T, counts: Counter[str]) -> T:
    """The tree with the numbers in place of the counts."""
    return s.transformed(node, lambda part: s.Number(counts[part.transition]) if isinstance(part, s.Count) else part)


# --- the search ------------------------------------------------------------------------------------------------------


@dataclass
class _Search:
    """Tries one number of words after another."""

    system: System
    target: Target
    levels: Levels
    memory: int
    looked_at: int = 0

    def run(self, words: int) -> Run | None:
        """A shortest run to the target; None if there is none.  Raises `OutOfBounds` if that takes too much memory."""
        output = self.target.output
        if output is not None and not self.target.conditions:
            with suppress(ArcsAreRemoved):
                return self._to_output(output)
        space = self.levels.space(words)
        self.looked_at += space.size
        ends = () if output is None else output_conditions(self.system, output)
        number = next(space.satisfying((*self.target.uncounted, *ends)), None)
        if number is None or not self.target.counted:
            return None if number is None else space.run_to(number)
        return self._counting(space, ends)

    def _to_output(self, output: Graph) -> Run | None:
        return shortest_run(self.system, output, configurations_in(self.memory), self.levels.explorer.name)

    def _counting(self, space: Space, ends: tuple[s.Condition, ...]) -> Run | None:
        """A shortest run to the target, searched for among configurations with their counts."""

        @lru_cache(maxsize=max(1, self.memory // (4 * space.size)))
        def wanted(counts: Counts) -> bytearray:
            known = Counter(dict(zip(self.target.counted, counts, strict=True)))
            found = bytearray(space.size)
            for number in space.satisfying((*with_counts(self.target.conditions, known), *ends)):
                found[number] = True
            return found

        search = CountedRuns(space, self.target.most, wanted, self.memory)
        try:
            return search.shortest()
        finally:
            self.looked_at += search.looked_at


def output_conditions(system: System, output: Graph) -> tuple[s.Condition, ...]:
    """The conditions that a terminal configuration with exactly these arcs satisfies."""
    wanted = {(arc.head, arc.dependent) for arc in system.wanted(output).arcs}
    nodes = range(output.words + 1)
    pairs = [(s.HasArc(s.Number(head), s.Number(word)), (head, word) in wanted) for head in nodes for word in nodes[1:]]
    return (*system.figure.final, *(arc if there else s.Not(arc) for arc, there in pairs))
