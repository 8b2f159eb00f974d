"""Trying figures a few edits away: what refutes them with a few words, which of them behave the same, and which meet
every claim.

Whatever refutes a figure is kept, and the next figure is tried against it first (`faults`).  Figures that survive are
explored with one, two and three words; of those that behave the same there, the simplest is verified up to the
requested number of words.
"""

import os
import time
from collections import Counter
from collections.abc import Generator, Iterator
from dataclasses import field, is_dataclass, replace
from functools import partial
from itertools import combinations
from typing import Final

from arcproof.process.cluster import chosen
from arcproof.process.forks import in_copies
from arcproof.process.interruption import go_on
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.run_store import current, used_by
from arcproof.process.side_by_side import in_processes
from arcproof.properties.checks.oracle_correct import LeadsTo, check_oracle
from arcproof.properties.engines.engine import EngineName, default_engine
from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.evidence import Counterexample
from arcproof.properties.examine import check_claim, check_question, sample_claims
from arcproof.properties.finding import Finding
from arcproof.properties.property import Question, asked_of, property_of
from arcproof.properties.stored import Pieces
from arcproof.properties.studies.changes import Change, changes
from arcproof.properties.studies.edits import Edit
from arcproof.properties.studies.faults import (
    FEW_WORDS,
    MOST_CONFIGURATIONS,
    Fault,
    behaviour,
    derives,
    oracle_runs,
    shows_again,
)
from arcproof.properties.studies.mutation import MOST_MEMORY, derived_witness, explorer, is_costly
from arcproof.properties.studies.oracle_edits import lines_for
from arcproof.properties.variants import problem_of
from arcproof.transitions import syntax as s
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.system import System

SECONDS: Final = 30.0
MOST_SUGGESTIONS: Final = 5
MOST_ALIKE: Final = 6
MOST_LINES: Final = 3
MOST_FOR_WITNESS: Final = 20_000


@dataclass(frozen=True, slots=True)
class EditedFigure:
    """A figure some edits away."""

    edits: tuple[Edit, ...]

    @property
    def figure(self) -> s.Figure:
        """The figure after all edits."""
        return self.edits[-1].figure

    @property
    def same_runs(self) -> bool:
        """Whether only oracles were edited."""
        return all(edit.is_about_oracles for edit in self.edits)


@dataclass(frozen=True)
class Suggestion:
    """A figure that meets every claim up to `words` words, except for those that are `left_open`.

    It derives `graphs` graphs of `words` words; its `unused` transitions occur in no run of this many words that ends.
    `alike` are other figures, just as many edits away, that behave the same with a few words.
    """

    system: System
    edits: tuple[Edit, ...]
    changes: tuple[Change, ...]
    words: int
    graphs: int
    left_open: tuple[Finding, ...]
    unused: tuple[str, ...]
    alike: tuple[System, ...]


@dataclass(frozen=True, slots=True)
class RepairEffort:
    """How far to go: the words up to which suggestions are verified, edits, seconds of searching, number of
    suggestions, bytes, engine, samples beyond that, and processes that verify.
    """

    words: int = 5
    edits: int = 2
    seconds: float = SECONDS
    most: int = MOST_SUGGESTIONS
    engine: EngineName = field(default_factory=default_engine)
    memory: int = MOST_MEMORY
    sampling: Sampling = field(default_factory=Sampling)
    jobs: int = 1


@dataclass
class Trials:
    """Tries figures, and keeps whatever refuted one of them."""

    system: System
    limits: RepairEffort
    levels: Levels
    questions: tuple[Question, ...]
    faults: list[Fault]
    first: frozenset[Fault]
    deadline: float

    @property
    def few(self) -> int:
        """The number of words up to which every figure is tried."""
        return min(self.limits.words, FEW_WORDS)

    def system_of(self, candidate: EditedFigure) -> System:
        """The figure, ready to run, with the parameters of the original."""
        return replace(self.tried_system(candidate), text=to_source(candidate.figure))

    def tried_system(self, candidate: EditedFigure) -> System:
        """The figure without its text, which takes longer to write than most figures survive."""
        return replace(self.system, figure=candidate.figure, text="", source=None)

    def fault_of(self, candidate: EditedFigure, of_runs: bool = False) -> Fault | None:
        """What refutes a figure with a few words; None if nothing does.  With `of_runs`, oracles are ignored.

        If cases of a transition overlap, engines would disagree about which is taken; so figures with several cases are
        validated first.
        """
        problem = problem_of(candidate.figure) if _has_cases(candidate.figure) else None
        if problem is None:
            try:
                return self._fault_of(candidate, of_runs)
            except KeyError:
                problem = problem_of(candidate.figure)
                if problem is None:
                    raise
        return Fault(self.questions[0], Counterexample(0, None, None, f"it is not a valid figure: {problem}"))

    def _fault_of(self, candidate: EditedFigure, of_runs: bool) -> Fault | None:
        system = self.tried_system(candidate)
        asked = [q for q in self.questions if self._concerns(q, candidate) and not (of_runs and not is_about_runs(q))]
        for place, fault in enumerate(self.faults):
            if fault.question in asked and shows_again(system, fault):
                self.faults.insert(0, self.faults.pop(place))
                return fault
        found = self._found(system, candidate, asked)
        if found is not None:
            self.faults.insert(0, found)
        return found

    def _concerns(self, question: Question, candidate: EditedFigure) -> bool:
        return not candidate.same_runs or not is_about_runs(question)

    def _found(self, system: System, candidate: EditedFigure, asked: list[Question]) -> Fault | None:
        soon = [question for question in asked if not _is_costly(question)]
        later = [question for question in asked if _is_costly(question)]
        levels = self.levels.variant(system, 0, explorer(system, self.limits.engine))
        for words in range(1, self.few + 1):
            levels.words, levels.memory = words, MOST_CONFIGURATIONS[words] * BYTES_A_CONFIGURATION
            for question in (*soon, *(later if words == self.few else ())):
                found = self._answer(levels, question, candidate.same_runs)
                if found is not None:
                    return found
            if not candidate.same_runs and levels.explored() < words:
                return Fault(self.questions[0], Counterexample(words, None, None, "it grows without bound"))
        return None

    def _answer(self, levels: Levels, question: Question, same_runs: bool) -> Fault | None:
        if isinstance(question, LeadsTo) and same_runs:
            check = check_oracle(levels.system, question.oracle, question.graphs, levels.words)
            if check.failure is None:
                return None
            graph = check.failure.graph
            return Fault(question, Counterexample(graph.words, graph, None, check.failure.reason))
        finding = finding_of(levels, question)
        found = finding.counterexample
        return Fault(question, found) if finding.met is False and found is not None else None

    def with_lines(self, candidate: EditedFigure) -> Iterator[EditedFigure]:
        """Yield figures with the new transition in which each oracle has a line for it and leads to every graph.  An
        oracle may allow several such lines; the figures go through the lines of all oracles in parallel.
        """
        edit = candidate.edits[-1]
        ways: list[list[s.Oracle]] = [self._leading(edit, oracle) for oracle in edit.figure.oracles]
        if all(ways):
            for k in range(min(MOST_ALIKE, max(map(len, ways), default=1))):
                oracles = tuple(way[min(k, len(way) - 1)] for way in ways)
                figure = replace(edit.figure, oracles=oracles)
                yield EditedFigure((*candidate.edits[:-1], replace(edit, figure=figure)))

    def _leading(self, edit: Edit, oracle: s.Oracle) -> list[s.Oracle]:
        """The oracle with one more line for the new transition, such that it leads to every graph of a few words; at
        most one per behaviour.
        """
        asked = [q for q in self.questions if isinstance(q, LeadsTo) and q.oracle == oracle.name]
        if not asked:
            return [oracle]
        found: dict[object, s.Oracle] = {}
        faults: list[Counterexample] = []
        for longer in lines_for(edit.figure, oracle.name, edit.where):
            go_on()
            system = replace(self.system, figure=replace(edit.figure, oracles=(longer,)), text="", source=None)
            if not any(not derives(system, oracle.name, fault) for fault in faults):
                failed = next(
                    (f for q in asked if (f := check_oracle(system, oracle.name, q.graphs, self.few).failure)), None
                )
                if failed is None:
                    found.setdefault(oracle_runs(system, asked, self.few), longer)
                else:
                    faults.insert(0, Counterexample(failed.graph.words, failed.graph, None, failed.reason))
            if len(found) >= MOST_LINES or time.perf_counter() > self.deadline:
                break
        return list(found.values())

    def kinds(self, candidates: list[EditedFigure]) -> list[list[EditedFigure]]:
        """Groups of figures that behave the same with a few words; within a group, the least changed come first, and
        the groups with the fewest unused transitions come first, then those that derive the most graphs.
        """
        found: dict[object, list[EditedFigure]] = {}
        rank: dict[object, tuple[int, int]] = {}
        for candidate in candidates:
            if problem_of(candidate.figure) is not None:
                continue
            system = self.system_of(candidate)
            key = behaviour(system, self.questions, self.few)
            found.setdefault(key, []).append(candidate)
            if key not in rank:
                levels = self.levels.variant(system, self.limits.memory, explorer(system, self.limits.engine))
                few = levels.up_to(self.few)
                rank[key] = len(_unused(few)), -_graphs(few)
        for alike in found.values():
            alike.sort(key=self.change)
        return [alike for _, alike in sorted(found.items(), key=lambda kind: (rank[kind[0]], self.change(kind[1][0])))]

    def change(self, candidate: EditedFigure) -> tuple[int, int, int]:
        """How much of the figure is changed: the number of parts of the tree that are new or gone, the number of items
        that change places, and the number of new parts.
        """
        before, after = _sizes(self.system.figure), _sizes(candidate.figure)
        new = sum((after - before).values())
        return new + sum((before - after).values()), sum(map(_inversions, candidate.figure.rules)), new

    def best_of_each(self, kinds: list[list[EditedFigure]]) -> Generator[Suggestion | None, None, None]:
        """The best of each kind, in order; in several processes, or on the cluster if there is one."""
        if chosen() is None:
            each = replace(self.limits, memory=self.limits.memory // self.limits.jobs)
            work = partial(used_by, os.getpid(), replace(self, limits=each).best_of)
            for found, use in in_copies(work, kinds, self.limits.jobs):
                store = current()
                if store is not None:
                    store.note(use)
                yield found
            return
        levels = Levels(self.system, self.levels.words, self.levels.memory, skipped=self.levels.skipped)
        yield from in_processes(replace(self, levels=levels).best_of, ((alike,) for alike in kinds), 1)

    def best_of(self, alike: list[EditedFigure]) -> Suggestion | None:
        """The first of some figures that meets every claim up to the requested number of words, and not because no run
        ends.
        """
        for candidate in alike[:MOST_ALIKE]:
            system = self.system_of(candidate)
            levels = self.levels.variant(system, self.limits.memory, explorer(system, self.limits.engine))
            levels.words = self.limits.words
            findings = self._verified(levels)
            if findings is not None and (levels.some_run_ends() or levels.reached == 0):
                left_open = tuple(finding for finding in findings if finding.met is None)
                others = tuple(self.system_of(other) for other in alike if other is not candidate)
                graphs, unused = _graphs(levels), _unused(levels)
                different = changes(self.system.figure, candidate.figure)
                return Suggestion(system, candidate.edits, different, levels.reached, graphs, left_open, unused, others)
        return None

    def _is_denied(self, levels: Levels, question: Question) -> bool:
        """Whether a run derives a graph that an open claim says is underivable."""
        return isinstance(question, s.Claim) and derived_witness(levels, question, MOST_FOR_WITNESS) is not None

    def _verified(self, levels: Levels) -> list[Finding] | None:
        """The findings about every question; None as soon as one is refuted."""
        findings = []
        for question in sorted(self.questions, key=_is_costly):
            finding = stored_finding(_within(levels, question), question)
            if finding.met is False or (finding.met is None and self._is_denied(levels, question)):
                return None
            findings.append(finding)
        if any(fault.counterexample.words > levels.words for fault in self.first):
            return None if sampled(levels, findings, self.limits.sampling) else findings
        return findings


def _graphs(levels: Levels) -> int:
    """How many graphs of the greatest number of words within memory are derived; 0 if there is no such number."""
    reached = levels.explored()
    return len(levels.space(reached).outputs) if reached else 0


def _unused(levels: Levels) -> tuple[str, ...]:
    """The transitions that occur in no run that ends, up to the greatest number of words within memory."""
    explored = [levels.space(words) for words in range(levels.explored(), 0, -1)]
    names = levels.system.transitions if explored else ()
    return tuple(name for name in names if not any(space.occurs(name) for space in explored))


def finding_of(levels: Levels, question: Question) -> Finding:
    """The finding about a question."""
    return check_claim(levels, question) if isinstance(question, s.Claim) else check_question(levels, question)


def stored_finding(levels: Levels, question: Question) -> Finding:
    """The finding about a question, from the store if possible."""
    return Pieces(levels).finding(levels, question, lambda: finding_of(levels, question))


def _within(levels: Levels, question: Question) -> Levels:
    """The levels with less memory for a question that searches for a witness, which does not explore a level."""
    if isinstance(question, s.Claim) and question.witness is not None:
        return Levels(levels.system, levels.words, MOST_FOR_WITNESS * BYTES_A_CONFIGURATION, levels.explorer)
    return levels


def _has_cases(figure: s.Figure) -> bool:
    """Whether a transition has several cases."""
    return len(figure.rules) > len(figure.transitions())


def is_about_runs(question: Question) -> bool:
    """Whether the question is not about oracles alone."""
    return not property_of(asked_of(question)).follows_oracles


def _is_costly(question: Question) -> bool:
    return isinstance(question, s.Claim) and is_costly(question)


def _inversions(rule: s.Rule) -> int:
    """How many pairs of items change their order in a transition; sentences are mostly kept in order."""
    names = [
        [item.name for part in side if isinstance(part, s.SequenceOf) for item in part.items]
        for side in (rule.before, rule.after)
    ]
    places = [names[0].index(name) for name in names[1] if name in names[0]]
    return sum(one > other for one, other in combinations(places, 2))


def _sizes(figure: s.Figure) -> Counter[object]:
    """The parts of a figure, and how often each occurs in it."""
    return Counter(
        part
        for part in s.walk((figure.start, figure.final, figure.rules, figure.oracles, figure.dynamic_oracles))
        if is_dataclass(part)
    )


def sampled(levels: Levels, findings: list[Finding], sampling: Sampling) -> tuple[Finding, ...]:
    """The findings that samples of longer sentences refute."""
    if not sampling.samples:
        return ()
    found = sample_claims(levels, sampling, findings)
    samples = [f.with_samples(found.get(f.question)) for f in findings if isinstance(f.question, s.Claim)]
    return tuple(finding for finding in samples if finding.met is False)
