"""Repair: find the nearest figures that meet every claim, for a figure with refuted claims.

A figure is *one edit away* if an operator of `edits` makes it, and *two edits away* if an operator makes it from a
figure one edit away.  Small edits come first; only if none suffices is an alternative to a condition added, then a
whole oracle line, then a whole transition with its lines, and then two small edits are tried.

Perhaps the figure is right and a claim is wrong: for a refuted claim that the figure is sound or complete for a class,
the nearest class for which it holds is found, for a refuted bound, the nearest that holds (`claims_that_hold`).

The figures must meet everything that decides the exit code of `verify`: the claims of the figure, its oracles, its
invariants.  How figures are tried is in `trials`.

A *suggestion* has no claim refuted up to the requested number of words.  The best comes first: fewest edits, fewest
transitions that are never used, fewest claims open, most graphs derived, least changed, the order of the items kept.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import field, replace
from typing import Final, TypeAlias

from arcproof.process.interruption import TimeIsOver, go_on, time_limit, what_ended
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import Shown, WithDocument, WithTable
from arcproof.properties.checks.class_of import check_class
from arcproof.properties.deepening import OVERTIME
from arcproof.properties.engines.engine import EngineName, default_engine, predicted_size
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.output_sets import size_of
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.examine import CHEAP, CHEAP_FOR_THE_INTERPRETER
from arcproof.properties.finding import Finding
from arcproof.properties.property import Question, asked_of, checks_of, counts
from arcproof.properties.studies.bounds_that_hold import bounds_that_hold
from arcproof.properties.studies.edits import alternatives_of, cost_edits_of, edits_of, new_lines_of, new_rules_of
from arcproof.properties.studies.faults import Fault, behaviour
from arcproof.properties.studies.mutation import MOST_MEMORY, explorer
from arcproof.properties.studies.trials import (
    MOST_SUGGESTIONS,
    SECONDS,
    EditedFigure,
    RepairEffort,
    Suggestion,
    Trials,
    finding_of,
    is_about_runs,
    sampled,
    stored_finding,
)
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System

MAX_WORDS: Final = 5
WORDS_WITHOUT_REFUTATION: Final = 4
WORDS_OF_CLASSES: Final = 4
"""Up to here every class is compared with the outputs; with more words, only the classes that may be claimed."""
MORE_SECONDS: Final = 3.0
MOST_NEW_KINDS: Final = 8
FOR_THE_SEARCH: Final = 2 / 3
"""The share of the time after which the interpreter verifies what it found: it has `OVERTIME` seconds more in all."""


@dataclass(frozen=True, repr=False)
class Repairs(Shown, WithDocument, WithTable):
    """What is refuted, and what would repair it.

    `tried` are the figures one edit away, two edits away, … that were tried; `complete` says whether all figures of the
    greatest such distance were.  `claims_that_hold` are what may be claimed instead, up to this many words.
    """

    system: System
    words: int
    refuted: tuple[Finding, ...]
    suggestions: tuple[Suggestion, ...]
    tried: tuple[int, ...]
    complete: bool
    seconds: float
    limit: float
    ended_by: str | None = None
    claims_that_hold: tuple[s.Claim, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 if nothing is refuted or a repair was found; 1 if there is none among all figures within reach; otherwise
        3.

        If the search was interrupted before anything was refuted, something may still be refuted.
        """
        if self.suggestions or (not self.refuted and self.ended_by is None):
            return 0
        return 1 if self.complete and self.ended_by is None else 3


Faulty: TypeAlias = list[tuple[EditedFigure, Fault]]


@dataclass
class _Work:
    """What is known so far, in case the search is interrupted."""

    search: Trials
    progress: Callable[[int], None]
    suggestions: list[Suggestion] = field(default_factory=list)
    tried: list[int] = field(default_factory=list)
    complete: bool = False

    def repair(self, figure: s.Figure, limits: RepairEffort) -> None:
        """Try one edit, and if that does not suffice, two; whole lines are added only if nothing smaller suffices."""
        if not self.search.faults:
            return
        most = limits.most
        if all(isinstance(asked_of(fault.question), s.Exact | s.Safe | s.NeverStuck) for fault in self.search.faults):
            self._nearest((EditedFigure((edit,)) for edit in cost_edits_of(figure)), most, 0)
            if self.suggestions:
                return
        of_oracles = all(not is_about_runs(fault.question) for fault in self.search.faults)
        faulty = self._nearest((EditedFigure((edit,)) for edit in edits_of(figure, of_oracles=of_oracles)), most, 0)
        of_runs = any(fault.counterexample.transitions for fault in self.search.first)
        if not self.suggestions and self.complete and not of_runs:
            self._nearest((EditedFigure((edit,)) for edit in alternatives_of(figure, of_oracles)), most, 0)
        if not self.suggestions and self.complete and of_oracles:
            self._nearest((EditedFigure((edit,)) for edit in new_lines_of(figure)), most, 0)
        if not self.suggestions and self.complete and not of_runs:
            self._add_transition(figure, most)
        for extra in range(1, limits.edits):
            if not self.suggestions and self.complete:
                faulty = self._nearest(_extended(faulty, self.search.first), most, extra)

    def _nearest(self, candidates: Iterable[EditedFigure], most: int, extra: int) -> Faulty:
        """Try figures at one distance, and keep the best; return those that do not suffice, with what refutes them.

        With `extra` edits there are too many figures to go on trying all of them once one is found.
        """
        self.tried += [0] * (extra + 1 - len(self.tried))
        self.complete = False
        survivors: list[EditedFigure] = []
        faulty: Faulty = []
        seen: set[s.Figure] = set()
        began, deadline = time.perf_counter(), self.search.deadline
        for candidate in candidates:
            go_on()
            if time.perf_counter() > deadline:
                break
            if candidate.figure in seen:
                continue
            seen.add(candidate.figure)
            self.tried[extra] += 1
            self.progress(self.tried[extra])
            fault = self.search.fault_of(candidate)
            if fault is not None:
                faulty.append((candidate, fault))
                continue
            survivors.append(candidate)
            if extra:
                now = time.perf_counter()
                deadline = min(deadline, now + max(MORE_SECONDS, (now - began) / 2))
        else:
            self.complete = True
        self._verify(survivors, most)
        return faulty

    def _add_transition(self, figure: s.Figure, most: int) -> None:
        """Try one more transition; this is useless if a run refutes the figure, because that run would still exist."""
        survivors: dict[object, EditedFigure] = {}
        for edit in new_rules_of(figure):
            go_on()
            if time.perf_counter() > self.search.deadline:
                self.complete = False
                break
            self.tried[0] += 1
            self.progress(self.tried[0])
            candidate = EditedFigure((edit,))
            if self.search.fault_of(candidate, of_runs=True) is None:
                survivors.setdefault(behaviour(self.search.tried_system(candidate), (), self.search.few), candidate)
        simplest = sorted(survivors.values(), key=self.search.change)[:MOST_NEW_KINDS]
        self._verify([longer for candidate in simplest for longer in self.search.with_lines(candidate)], most)

    def _verify(self, survivors: list[EditedFigure], most: int) -> None:
        """Verify the best of each kind, up to the requested number of words."""
        found: list[Suggestion] = []
        try:
            with closing(self.search.best_of_each(self.search.kinds(survivors))) as best:
                for suggestion in best:
                    if suggestion is not None:
                        found.append(suggestion)
                    if len(found) >= most:
                        break
        finally:
            self.suggestions += sorted(found, key=lambda one: (len(one.unused), len(one.left_open), -one.graphs))


def _extended(faulty: Faulty, first: frozenset[Fault]) -> Iterator[EditedFigure]:
    """Yield the figures with one more edit, beginning with those that the known counterexamples do not refute, furthest
    first.
    """

    def promise(pair: tuple[EditedFigure, Fault]) -> tuple[bool, int]:
        return pair[1] in first, -pair[1].counterexample.words

    for candidate, fault in sorted(faulty, key=promise):
        of_oracles = not is_about_runs(fault.question)
        for edit in edits_of(candidate.figure, of_oracles=of_oracles):
            yield EditedFigure((*candidate.edits, edit))


def repair(
    system: System,
    words: int | None = None,
    edits: int = 2,
    seconds: float = SECONDS,
    most: int = MOST_SUGGESTIONS,
    engine: EngineName | None = None,
    memory: int = MOST_MEMORY,
    samples: int = 50,
    seed: int = 0,
    progress: Callable[[int], None] = lambda _: None,
    jobs: int = 1,
) -> Repairs:
    """Search for the nearest figures that meet every claim; Ctrl-C ends the search with what is known by then.

    Without a number of words, it is as many as are cheap (`refutations`).
    """
    sampling = Sampling(samples, seed=seed)
    limits = RepairEffort(words or MAX_WORDS, edits, seconds, most, engine or default_engine(), memory, sampling, jobs)
    began = time.perf_counter()
    work, ended_by = None, None
    refuted: tuple[Finding, ...] = ()
    instead: tuple[s.Claim, ...] = ()
    interpreted = not explorer(system, limits.engine).goes_far
    over = TimeIsOver(f"the {seconds:g} s allowed by --time ran out")
    try:
        with time_limit(seconds + OVERTIME if interpreted else None, over):
            refuted, levels = refutations(system, limits, deepens=words is None)
            reached = levels.explored()
            if not refuted and reached < (words or 1):
                ended_by = "memory ran out"
            limits = replace(limits, words=reached)
            instead = claims_that_hold(levels, refuted)
            deadline = began + seconds * FOR_THE_SEARCH if interpreted else time.perf_counter() + seconds
            work = _Work(_trials(system, refuted, limits, deadline), progress)
            work.repair(system.figure, limits)
    except KeyboardInterrupt as interruption:
        ended_by = what_ended(interruption)
    return replace(
        _repairs(system, refuted, limits, work, time.perf_counter() - began, ended_by), claims_that_hold=instead
    )


def repair_refuted(system: System, refuted: tuple[Finding, ...], limits: RepairEffort) -> Repairs:
    """Search for repairs if the refutations are known; interruptions are left to the caller."""
    began = time.perf_counter()
    work = _Work(_trials(system, refuted, limits, began + limits.seconds), lambda _: None)
    work.repair(system.figure, limits)
    return _repairs(system, refuted, limits, work, time.perf_counter() - began, None)


def _repairs(
    system: System,
    refuted: tuple[Finding, ...],
    limits: RepairEffort,
    work: "_Work | None",
    seconds: float,
    ended_by: str | None,
) -> Repairs:
    found = () if work is None else tuple(work.suggestions)
    tried = () if work is None else tuple(work.tried)
    complete = work is not None and work.complete
    return Repairs(system, limits.words, refuted, found, tried, complete, seconds, limits.seconds, ended_by)


def questions_of(system: System) -> tuple[Question, ...]:
    """The questions that decide the exit code of `verify`."""
    return (*system.figure.claims, *(question for question in checks_of(system) if counts(question)))


def refutations(system: System, limits: RepairEffort, deepens: bool) -> tuple[tuple[Finding, ...], Levels]:
    """The findings that are refuted, and the levels that refute them; if there are none, those that samples of longer
    sentences refute.

    A search that deepens goes from level to level while the next one is cheap; expensive levels are explored only as
    long as nothing is refuted, and up to `WORDS_WITHOUT_REFUTATION`.
    """
    levels = Levels(system, limits.words, limits.memory, explorer(system, limits.engine))
    asked = [q for q in questions_of(system) if not isinstance(q, s.Claim) or q.kind == "plain"]
    findings: dict[Question, Finding] = {}
    cheap = CHEAP if levels.explorer.goes_far else CHEAP_FOR_THE_INTERPRETER
    sizes: dict[int, int] = {}
    for words in range(1, limits.words + 1) if deepens else (limits.words,):
        refuted = any(finding.met is False for finding in findings.values())
        if (refuted or words > WORDS_WITHOUT_REFUTATION) and (predicted_size(sizes, words) or 0) > cheap:
            levels = levels.up_to(words - 1)
            break
        here = levels.up_to(words)
        for question in asked:
            if question not in findings or findings[question].met is not False:
                findings[question] = stored_finding(here, question)
        if deepens and here.explored() == words:
            sizes[words] = here.space(words).size
    every = [findings[question] for question in asked]
    refuted_ones = tuple(finding for finding in every if finding.met is False)
    return refuted_ones or sampled(levels, every, limits.sampling), levels


def claims_that_hold(levels: Levels, refuted: tuple[Finding, ...]) -> tuple[s.Claim, ...]:
    """For each refuted claim about all outputs or all graphs of a class, the claim about the smallest or the largest
    class for which it holds, and for each refuted bound, the nearest that holds; nothing where no class and no bound
    will do, or where only longer sentences refute the claim.
    """
    within = [
        found.question for found in refuted if found.counterexample and found.counterexample.words <= levels.words
    ]
    asked = [q.statement for q in within if isinstance(q, s.Claim) and q.kind == "plain"]
    about_classes = [statement for statement in asked if isinstance(statement, s.Sound | s.CompleteFor)]
    relations = check_class(levels.up_to(min(levels.words, WORDS_OF_CLASSES))) if about_classes else []
    words = min((relation.words for relation in relations), default=0)
    sizes = {one.graphs: sum(size_of(one.graphs, n) for n in range(1, words + 1)) for one in relations}
    claims = []
    for statement in about_classes:
        side, sign = ("contained", 1) if isinstance(statement, s.Sound) else ("contains", -1)
        fitting = [(sign * sizes[one.graphs], one.graphs) for one in relations if one.relation in ("equal", side)]
        for _, graphs in sorted(fitting, key=lambda one: (one[0], -sign * len(one[1].restrictions))):
            claim = s.Claim(replace(statement, graphs=graphs))
            if finding_of(levels, claim).met:
                claims.append(claim)
                break
    for bounded in asked:
        if isinstance(bounded, s.LengthBound | s.CountBound | s.SpaceBound):
            bounds = (claim for claim in bounds_that_hold(levels, bounded) if finding_of(levels, claim).met)
            claims += [claim for claim in (next(bounds, None),) if claim is not None]
    return tuple(claims)


def _trials(system: System, refuted: tuple[Finding, ...], limits: RepairEffort, deadline: float) -> Trials:
    levels = Levels(system, limits.words, limits.memory, explorer(system, limits.engine))
    shown = ((finding.question, finding.counterexample) for finding in refuted)
    faults = [Fault(question, found) for question, found in shown if found is not None]
    return Trials(system, limits, levels, questions_of(system), faults, frozenset(faults), deadline)
