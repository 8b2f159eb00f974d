"""Repair: where claims are refuted, the nearest figures that meet every claim.

A figure is *one edit away* if an operator of `edits` makes it, *two edits away* if one makes it of a figure one edit away.  Small edits come first; only where none
suffices a whole line of an oracle is added, then a whole transition with its lines, and then two small edits are tried.

What is asked of them is what decides the exit code of `verify`: the claims of the figure, its oracles, its invariants.  Whatever refutes
a figure is kept, and the next is tried against it first: a run is taken again, a graph is derived again, which takes no time.  What
survives that is explored with one word, two, three; figures that behave the same there (the same configurations, the same transitions between them, the same runs of the
oracles) are merged, and of each kind the simplest is verified up to the number of words asked for.

A *suggestion* has no claim refuted up to that many words.  The best comes first: fewest edits, fewest claims open, most graphs derived, least
changed, the order of the items kept.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, is_dataclass, replace
from itertools import combinations
from typing import Final, TypeAlias

from arcproof.generators.drawn_run import DrawnRun, End
from arcproof.generators.enumeration import all_graphs
from arcproof.properties.checks.oracle_correct import LeadsTo, check_oracle
from arcproof.properties.engines.engine import EngineName, default_engine
from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION, StateSpace, explore
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.policies import AnyRun
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.engines.shortest_derivation import ArcsAreRemoved
from arcproof.properties.engines.shortest_run import shortest_run
from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.properties.evidence import Counterexample
from arcproof.properties.examine import check_claim, check_question, sample_claims
from arcproof.properties.finding import Finding
from arcproof.properties.property import Question, asked_of, checks_of, counts, property_of
from arcproof.properties.studies.changes import Change, changes
from arcproof.properties.studies.edits import Edit, edits_of, lines_for, new_lines_of, new_rules_of
from arcproof.properties.studies.mutants import problem_of
from arcproof.properties.studies.mutation import MOST_MEMORY, derived_witness, explorer, is_costly
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.errors import NotDerivable, NotPermissible
from arcproof.transitions.graph import Heads, graph_of
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.system import System

from arcproof.process.interruption import go_on, what_ended
from arcproof.process.lazy_dataclass import dataclass

SECONDS: Final = 30.0
MORE_SECONDS: Final = 3.0
FEW_WORDS: Final = 3
MOST_SUGGESTIONS: Final = 5
MOST_ALIKE: Final = 6
MOST_NEW_KINDS: Final = 8
MOST_LINES: Final = 3
MOST_SEARCHED: Final = 2_000
MOST_FOR_WITNESS: Final = 20_000
MOST_CONFIGURATIONS: Final = {0: 200, 1: 200, 2: 600, 3: 4_000}
"""More than a figure needs that means anything; one that grows beyond is left."""


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

    It derives this many graphs of `words` words.  `alike` are other figures as many edits away that behave the same with a few words.
    """

    system: System
    edits: tuple[Edit, ...]
    changes: tuple[Change, ...]
    words: int
    graphs: int
    left_open: tuple[Finding, ...]
    alike: tuple[System, ...]


@dataclass(frozen=True)
class Repairs:
    """What is refuted, and what would repair it.

    `tried` are the figures one edit away, two edits away, … that were tried; `complete` says whether all figures of the greatest such distance were.
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

    @property
    def exit_code(self) -> int:
        """0 if nothing is refuted or something repairs it; 1 if nothing does, all figures within reach having been tried; else 3."""
        if self.suggestions or not self.refuted:
            return 0
        return 1 if self.complete and self.ended_by is None else 3


# --- what refutes ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fault:
    """A question that is answered wrongly, and what shows it."""

    question: Question
    counterexample: Counterexample


def shows_again(system: System, fault: Fault) -> bool:
    """Whether a counterexample to one figure refutes another too, found out without exploring anything; False if that cannot be told so."""
    question, found = fault.question, fault.counterexample
    asked = asked_of(question)
    if isinstance(asked, LeadsTo):
        return found.graph is not None and not _derives(system, asked.oracle, found)
    if isinstance(question, s.Claim) and question.kind != "plain":
        return False
    if isinstance(asked, s.CompleteFor) and found.graph is not None:
        return not _is_output(system, found)
    check = property_of(asked).run_check(system, asked)
    run = None if check is None or found.transitions is None else _taken(system, found.words, found.transitions)
    return check is not None and run is not None and check(run) is not None


def _is_output(system: System, found: Counterexample) -> bool:
    """Whether a graph is an output: of a long sentence, if an oracle leads to it, for which no search is needed; else as far as a search can tell."""
    assert found.graph is not None
    if found.words > FEW_WORDS and system.figure.oracles:
        return any(_derives(system, oracle.name, found) for oracle in system.figure.oracles)
    try:
        return shortest_run(system, found.graph.heads, MOST_SEARCHED, default_engine()) is not None
    except (ArcsAreRemoved, OutOfBounds):
        return True


def _derives(system: System, oracle: str, found: Counterexample) -> bool:
    assert found.graph is not None
    try:
        system.derive(found.graph, oracle)
    except NotDerivable:
        return False
    return True


def _taken(system: System, words: int, transitions: tuple[Transition, ...]) -> AnyRun | None:
    """The run in another figure; None if it is not a run there."""
    configurations: list[Configuration] = [system.start(words)]
    for transition in transitions:
        if system.is_terminal(configurations[-1]):
            return None
        try:
            configurations.append(system.apply(configurations[-1], transition))
        except NotPermissible:
            return None
    last = configurations[-1]
    end: End = "terminal" if system.is_terminal(last) else "cut off" if system.permissible(last) else "dead end"
    return DrawnRun(words, tuple(configurations), transitions, end)


# --- behaviour -------------------------------------------------------------------------------------------------------


def behaviour(system: System, questions: Iterable[Question], words: int) -> int:
    """A number shared by figures with the same configurations, transitions and oracle runs up to this many words."""
    limits = (MOST_CONFIGURATIONS[min(n, FEW_WORDS)] for n in range(words + 1))
    spaces = tuple(_steps(explore(system, n, limit=limit)) for n, limit in enumerate(limits))
    return hash((spaces, oracle_runs(system, questions, words)))


def oracle_runs(system: System, questions: Iterable[Question], words: int) -> int:
    """The same for the runs of the oracles that are asked about."""
    asked = [question for question in questions if isinstance(question, LeadsTo)]
    classes = [(question.oracle, system.class_with_parameters(question.graphs)) for question in asked]
    return hash(
        tuple(
            _oracle_run(system, oracle, heads)
            for oracle, graphs in classes
            for n in range(words + 1)
            for heads in all_graphs(graphs, n)
        )
    )


def _oracle_run(system: System, oracle: str, heads: Heads) -> object:
    try:
        return system.derive(graph_of(heads), oracle).transitions
    except NotDerivable as failure:
        return failure.missing, failure.wrong


def _steps(space: StateSpace) -> object:
    known = [(c.values, c.arcs) for c in space.configurations]
    steps = frozenset((known[edge.source], edge.transition, known[edge.target]) for edge in space.all_edges())
    return frozenset(zip(known, space.terminal, strict=True)), steps


# --- the search ------------------------------------------------------------------------------------------------------


@dataclass
class Trials:
    """Tries figures, and keeps what refuted others."""

    system: System
    limits: "RepairEffort"
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
        """The same without a text, which takes longer to write than most figures live."""
        return replace(self.system, figure=candidate.figure, text="", source=None)

    def fault_of(self, candidate: EditedFigure, of_runs: bool = False) -> Fault | None:
        """What refutes a figure with a few words; None if nothing does.  With `of_runs` oracles are not asked.

        Where cases of a transition overlap, engines disagree about which is taken; so such figures are read first.
        """
        problem = problem_of(candidate.figure) if _has_cases(candidate.figure) else None
        if problem is None:
            try:
                return self._fault_of(candidate, of_runs)
            except KeyError:
                problem = problem_of(candidate.figure)
                if problem is None:
                    raise
        return Fault(self.questions[0], Counterexample(0, None, None, f"it is not a figure: {problem}"))

    def _fault_of(self, candidate: EditedFigure, of_runs: bool) -> Fault | None:
        system = self.tried_system(candidate)
        asked = [q for q in self.questions if self._concerns(q, candidate) and not (of_runs and not _is_about_runs(q))]
        for place, fault in enumerate(self.faults):
            if fault.question in asked and shows_again(system, fault):
                self.faults.insert(0, self.faults.pop(place))
                return fault
        found = self._found(system, candidate, asked)
        if found is not None:
            self.faults.insert(0, found)
        return found

    def _concerns(self, question: Question, candidate: EditedFigure) -> bool:
        return not candidate.same_runs or not _is_about_runs(question)

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
            heads = check.failure.heads
            return Fault(question, Counterexample(len(heads), graph_of(heads), None, check.failure.reason))
        finding = _finding(levels, question)
        found = finding.counterexample
        return Fault(question, found) if finding.met is False and found is not None else None

    def with_lines(self, candidate: EditedFigure) -> Iterator[EditedFigure]:
        """A figure with a new transition, and for each oracle a line with which it leads to every graph; as many ways as there are for one of them."""
        edit = candidate.edits[-1]
        ways: list[list[s.Oracle]] = [self._leading(edit, oracle) for oracle in edit.figure.oracles]
        if all(ways):
            for k in range(min(MOST_ALIKE, max(map(len, ways), default=1))):
                oracles = tuple(way[min(k, len(way) - 1)] for way in ways)
                figure = replace(edit.figure, oracles=oracles)
                yield EditedFigure((*candidate.edits[:-1], replace(edit, figure=figure)))

    def _leading(self, edit: Edit, oracle: s.Oracle) -> list[s.Oracle]:
        """The oracle with a line more for the new transition, such that it leads to every graph with a few words; at most one of each behaviour."""
        asked = [q for q in self.questions if isinstance(q, LeadsTo) and q.oracle == oracle.name]
        if not asked:
            return [oracle]
        found: dict[object, s.Oracle] = {}
        faults: list[Counterexample] = []
        for longer in lines_for(edit.figure, oracle.name, edit.where):
            go_on()
            system = replace(self.system, figure=replace(edit.figure, oracles=(longer,)), text="", source=None)
            if not any(not _derives(system, oracle.name, fault) for fault in faults):
                failed = next(
                    (f for q in asked if (f := check_oracle(system, oracle.name, q.graphs, self.few).failure)), None
                )
                if failed is None:
                    found.setdefault(oracle_runs(system, asked, self.few), longer)
                else:
                    faults.insert(0, Counterexample(len(failed.heads), graph_of(failed.heads), None, failed.reason))
            if len(found) >= MOST_LINES or time.perf_counter() > self.deadline:
                break
        return list(found.values())

    def kinds(self, candidates: list[EditedFigure]) -> list[list[EditedFigure]]:
        """Figures that behave the same with a few words, the least changed first; the kinds that derive most graphs first."""
        found: dict[object, list[EditedFigure]] = {}
        graphs: dict[object, int] = {}
        for candidate in candidates:
            if problem_of(candidate.figure) is not None:
                continue
            system = self.system_of(candidate)
            key = behaviour(system, self.questions, self.few)
            found.setdefault(key, []).append(candidate)
            if key not in graphs:
                graphs[key] = len(
                    self.levels.variant(system, self.limits.memory, explorer(system, self.limits.engine))
                    .space(self.few)
                    .outputs
                )
        for alike in found.values():
            alike.sort(key=self.change)
        return [
            alike for _, alike in sorted(found.items(), key=lambda kind: (-graphs[kind[0]], self.change(kind[1][0])))
        ]

    def change(self, candidate: EditedFigure) -> tuple[int, int, int]:
        """How much of the figure is changed: how many parts of the tree are new or gone, how often items change places, how many are new."""
        before, after = _sizes(self.system.figure), _sizes(candidate.figure)
        new = sum((after - before).values())
        return new + sum((before - after).values()), sum(map(_inversions, candidate.figure.rules)), new

    def best_of(self, alike: list[EditedFigure]) -> Suggestion | None:
        """The first of some figures that meets every claim up to the number of words asked for."""
        for candidate in alike[:MOST_ALIKE]:
            system = self.system_of(candidate)
            levels = self.levels.variant(system, self.limits.memory, explorer(system, self.limits.engine))
            levels.words = self.limits.words
            findings = self._verified(levels)
            if findings is not None:
                left_open = tuple(finding for finding in findings if finding.met is None)
                others = tuple(self.system_of(other) for other in alike if other is not candidate)
                graphs = len(levels.space(levels.reached).outputs)
                different = changes(self.system.figure, candidate.figure)
                return Suggestion(system, candidate.edits, different, levels.reached, graphs, left_open, others)
        return None

    def _is_denied(self, levels: Levels, question: Question) -> bool:
        """Whether a run derives what a claim that is open says to be underivable."""
        return isinstance(question, s.Claim) and derived_witness(levels, question, MOST_FOR_WITNESS) is not None

    def _verified(self, levels: Levels) -> list[Finding] | None:
        """What is found out about every question; None as soon as one is refuted."""
        findings = []
        for question in sorted(self.questions, key=_is_costly):
            finding = _finding(_within(levels, question), question)
            if finding.met is False or (finding.met is None and self._is_denied(levels, question)):
                return None
            findings.append(finding)
        if any(fault.counterexample.words > levels.words for fault in self.first):
            return None if _sampled(levels, findings, self.limits.sampling) else findings
        return findings


def _finding(levels: Levels, question: Question) -> Finding:
    return check_claim(levels, question) if isinstance(question, s.Claim) else check_question(levels, question)


def _within(levels: Levels, question: Question) -> Levels:
    """Less memory where a witness is searched, which explores no level."""
    if isinstance(question, s.Claim) and question.witness is not None:
        return Levels(levels.system, levels.words, MOST_FOR_WITNESS * BYTES_A_CONFIGURATION, levels.explorer)
    return levels


def _has_cases(figure: s.Figure) -> bool:
    """Whether a transition has several cases."""
    return len(figure.rules) > len(figure.transitions())


def _is_about_runs(question: Question) -> bool:
    return not property_of(asked_of(question)).follows_oracles


def _is_costly(question: Question) -> bool:
    return isinstance(question, s.Claim) and is_costly(question)


# --- one edit, two edits ---------------------------------------------------------------------------------------------

Faulty: TypeAlias = list[tuple[EditedFigure, Fault]]


@dataclass
class _Work:
    """What is known by then, if the search is interrupted."""

    search: Trials
    progress: Callable[[int], None]
    suggestions: list[Suggestion] = field(default_factory=list)
    tried: list[int] = field(default_factory=list)
    complete: bool = False

    def repair(self, figure: s.Figure, limits: "RepairEffort") -> None:
        """One edit, and if that does not suffice two; whole lines are only added where nothing smaller suffices."""
        if not self.search.faults:
            return
        most = limits.most
        of_oracles = all(not _is_about_runs(fault.question) for fault in self.search.faults)
        faulty = self._nearest((EditedFigure((edit,)) for edit in edits_of(figure, of_oracles=of_oracles)), most, 0)
        if not self.suggestions and self.complete and of_oracles:
            self._nearest((EditedFigure((edit,)) for edit in new_lines_of(figure)), most, 0)
        if (
            not self.suggestions
            and self.complete
            and not any(fault.counterexample.transitions for fault in self.search.first)
        ):
            self._add_transition(figure, most)
        for extra in range(1, limits.edits):
            if not self.suggestions and self.complete:
                faulty = self._nearest(_extended(faulty, self.search.first), most, extra)

    def _nearest(self, candidates: Iterable[EditedFigure], most: int, extra: int) -> Faulty:
        """Try figures of one distance, and keep the best; those that do not suffice are given back, with what refutes them.

        With `extra` edits there are too many to try all of them once one is found.
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
        """A transition more; a run that refutes would still be one."""
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
        """The best of each kind, up to the number of words asked for."""
        found: list[Suggestion] = []
        for alike in self.search.kinds(survivors):
            if len(found) >= most:
                break
            suggestion = self.search.best_of(alike)
            if suggestion is not None:
                found.append(suggestion)
        self.suggestions += sorted(found, key=lambda one: (len(one.left_open), -one.graphs))


def _extended(faulty: Faulty, first: frozenset[Fault]) -> Iterator[EditedFigure]:
    """One edit more: first of those that what refutes the figure does not refute, those that came furthest before the others."""

    def promise(pair: tuple[EditedFigure, Fault]) -> tuple[bool, int]:
        return pair[1] in first, -pair[1].counterexample.words

    for candidate, fault in sorted(faulty, key=promise):
        of_oracles = not _is_about_runs(fault.question)
        for edit in edits_of(candidate.figure, of_oracles=of_oracles):
            yield EditedFigure((*candidate.edits, edit))


def _inversions(rule: s.Rule) -> int:
    """How many pairs of items stand in another order after a transition than before it; sentences are mostly kept in order."""
    names = [
        [item.name for part in side if isinstance(part, s.SequenceOf) for item in part.items]
        for side in (rule.before, rule.after)
    ]
    places = [names[0].index(name) for name in names[1] if name in names[0]]
    return sum(one > other for one, other in combinations(places, 2))


def _sizes(figure: s.Figure) -> Counter[object]:
    """The parts of a figure, and how often each stands in it."""
    return Counter(
        part for part in s.walk((figure.start, figure.final, figure.rules, figure.oracles)) if is_dataclass(part)
    )


@dataclass(frozen=True, slots=True)
class RepairEffort:
    """How far to go: words up to which suggestions are verified, edits, seconds of searching, how many suggestions, bytes, who explores, samples beyond."""

    words: int = 5
    edits: int = 2
    seconds: float = SECONDS
    most: int = MOST_SUGGESTIONS
    engine: EngineName = field(default_factory=default_engine)
    memory: int = MOST_MEMORY
    sampling: Sampling = field(default_factory=Sampling)


def repair(
    system: System,
    words: int = 5,
    edits: int = 2,
    seconds: float = SECONDS,
    most: int = MOST_SUGGESTIONS,
    engine: EngineName | None = None,
    memory: int = MOST_MEMORY,
    samples: int = 50,
    progress: Callable[[int], None] = lambda _: None,
) -> Repairs:
    """Search for the nearest figures that meet every claim; Ctrl-C ends the search with what is known by then."""
    limits = RepairEffort(words, edits, seconds, most, engine or default_engine(), memory, Sampling(samples))
    began = time.perf_counter()
    work, ended_by = None, None
    refuted: tuple[Finding, ...] = ()
    try:
        refuted = refutations(system, limits)
        work = _Work(_trials(system, refuted, limits), progress)
        work.repair(system.figure, limits)
    except KeyboardInterrupt as interruption:
        ended_by = what_ended(interruption)
    return _repairs(system, refuted, limits, work, time.perf_counter() - began, ended_by)


def repair_refuted(system: System, refuted: tuple[Finding, ...], limits: RepairEffort) -> Repairs:
    """The same where it is known what is refuted; an interruption is for the caller."""
    began = time.perf_counter()
    work = _Work(_trials(system, refuted, limits), lambda _: None)
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
    """What decides the exit code of `verify`."""
    return (*system.figure.claims, *(question for question in checks_of(system) if counts(question)))


def refutations(system: System, limits: RepairEffort) -> tuple[Finding, ...]:
    """What is refuted up to the number of words; where nothing is, what samples of longer sentences refute."""
    levels = Levels(system, limits.words, limits.memory, explorer(system, limits.engine))
    asked = [q for q in questions_of(system) if not isinstance(q, s.Claim) or q.kind == "plain"]
    findings = [_finding(levels, question) for question in asked]
    refuted = tuple(finding for finding in findings if finding.met is False)
    return refuted or _sampled(levels, findings, limits.sampling)


def _sampled(levels: Levels, findings: list[Finding], sampling: Sampling) -> tuple[Finding, ...]:
    if not sampling.samples:
        return ()
    found = sample_claims(levels, sampling, findings)
    samples = [f.with_samples(found.get(f.question)) for f in findings if isinstance(f.question, s.Claim)]
    return tuple(finding for finding in samples if finding.met is False)


def _trials(system: System, refuted: tuple[Finding, ...], limits: RepairEffort) -> Trials:
    levels = Levels(system, limits.words, limits.memory, explorer(system, limits.engine))
    shown = ((finding.question, finding.counterexample) for finding in refuted)
    faults = [Fault(question, found) for question, found in shown if found is not None]
    deadline = time.perf_counter() + limits.seconds
    return Trials(system, limits, levels, questions_of(system), faults, frozenset(faults), deadline)
