"""The proofs about one system, and what they share.  `methods` has one proof method per kind of claim.

What is done for a claim:

1. The interpreter tries to refute it, with everything up to a few words and random runs of some more.
2.  An invariant is searched for (`houdini`) among candidates that hold in every reachable configuration of short
   sentences.
3.  The obligations are built anew and discharged by both solvers (`discharge`).
4.  The premises are shown to be satisfiable, and every move is shown to fire (`witness`).

*All n* means n >= 1: a sentence has at least one word.  A claim is `proved` only if all of this succeeded;
anything less is `unknown`, with the reason.  With certificates (`certificates`) step 2 is skipped: they contain what an
earlier search found.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import inf
from typing import Final

from arcproof.process.memory import keep_memory
from arcproof.process.progress import Say, silent
from arcproof.properties.checks.invariant import Invariance
from arcproof.properties.checks.oracle_invariant import OracleInvariance
from arcproof.properties.engines.engine import default_engine, engine_for
from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION, StateSpace
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import LongRuns, long_runs
from arcproof.properties.engines.sampled import sample_runs
from arcproof.properties.engines.spaces import RunProperty
from arcproof.properties.evidence import Evidence, Refuted
from arcproof.properties.property import Asked, check_statement, property_of, run_check
from arcproof.properties.proving.arguments import Argument, WrongMeaning, run_models
from arcproof.properties.proving.certificates.files import Certificates, identity, on_file
from arcproof.properties.proving.explanation import FailedArgument, explained
from arcproof.properties.proving.goals.agreement import goal_difference
from arcproof.properties.proving.goals.measures import ranking_of
from arcproof.properties.proving.goals.objections import Objection, overlooked
from arcproof.properties.proving.goals.ranking import Observed, Ranking, observe
from arcproof.properties.proving.goals.space import problem_of
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term, to_smt
from arcproof.properties.proving.language.wording import to_text
from arcproof.properties.proving.library.given import given_lemmas, lemmas_of
from arcproof.properties.proving.library.gold import gold_graphs
from arcproof.properties.proving.library.instances import candidates
from arcproof.properties.proving.meaning.bridge import first_difference, sample, spread
from arcproof.properties.proving.meaning.model import model_of
from arcproof.properties.proving.meaning.small_configurations import drawn
from arcproof.properties.proving.meaning.state import Unsupported, wording
from arcproof.properties.proving.meaning.steps import forgets
from arcproof.properties.proving.meaning.symbolic import Meanings, meanings_of
from arcproof.properties.proving.methods.lengths import PerformedOnce, attained, measure_falls, performed_once
from arcproof.properties.proving.methods.on_the_way import holds_on_the_way, lemma_holds
from arcproof.properties.proving.methods.witness import by_witness
from arcproof.properties.proving.search.advice import certified, nearest_advice
from arcproof.properties.proving.search.houdini import FoundInvariant, search
from arcproof.properties.proving.search.induction import MOST_EXPLORED, Specimen, Specimens, smallest_blocking
from arcproof.properties.proving.search.mining import by_name
from arcproof.properties.proving.search.opinions import Opinions
from arcproof.properties.proving.search.thinning import MOST_WORDS, few_enough, thinned
from arcproof.properties.proving.short_sentences import ATTACK, MOST_WORDS_AGAIN, ShortSentences
from arcproof.properties.proving.theorem import (
    NO_METHOD,
    AttainedLength,
    Conjunct,
    Hindrance,
    LemmaHolds,
    MeasureFalls,
    Method,
    Solved,
    Theorem,
    Topic,
    Work,
    idle_moves,
    judged,
    not_proved,
    topic_text,
)
from arcproof.properties.proving.trusted.calls import SolverCalls
from arcproof.properties.proving.trusted.discharge import (
    Answers,
    Certificate,
    Discharged,
    Incomplete,
    begin,
    discharge_all,
    is_discharged,
    obligations,
    solvers_of,
)
from arcproof.properties.proving.trusted.facts import Candidate, Lemma
from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.problem import Goal, Move, Problem
from arcproof.properties.proving.trusted.solvers import RLIMIT, SEEDS, Clock, Result
from arcproof.properties.proving.trusted.witness import SIZES, Witness, satisfied
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.bounds import NotLinear
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.gold import Gold
from arcproof.transitions.printing.notation import SOURCE, condition_text, help_text
from arcproof.transitions.system import System

MOST_WORDS_OF_WITNESSES: Final = 5
LARGER_SIZES: Final = (6, 7, 8, 10)
"""The numbers of words of random runs in which a move is looked for that no shorter run takes."""
MOST_GOALS_SHOWN: Final = 3
MEMORY_FOR_FEWEST_WORDS: Final = 1 << 28
MOST_SMALL: Final = 60
MAX_SITUATIONS: Final = 400
MOST_WORDS_OF_SMALL: Final = 3


def _with_agreement(argument: Argument) -> Argument:
    """The argument with goals that make places meaningful, if a node may be in two sequences."""
    problem = argument.problem
    agreed = [Goal(name, (), term, is_part=False) for name, term in problem.before.agreement()]
    return replace(argument, problem=replace(problem, goals=(*problem.goals, *agreed))) if agreed else argument


WITHOUT_GOLD: Final = (
    s.Sound,
    s.Terminates,
    s.LengthBound,
    s.CountBound,
    s.NoDeadEnds,
    s.Incremental,
    s.SpaceBound,
    s.Unambiguous,
)
"""Statements whose proofs do not depend on gold graphs."""


def _refuse_gold_graphs(system: System, about: object) -> None:
    """Raise `Unsupported` if a proof would need axioms about gold graphs in which words have several heads."""
    of_graphs = any(isinstance(part, s.GraphClass) and part.base == "graphs" for part in s.walk(about))
    if not isinstance(about, WITHOUT_GOLD) and (of_graphs or system.figure.several_heads):
        raise Unsupported(
            "gold graphs in which words may have several heads, because the axioms (`axioms-*.lemmas`) "
            "say that no word has two"
        )


@dataclass
class Prover:
    """The proofs about one system, and what they share; with `certificates`, nothing beyond them is searched for.

    `shared` are levels that have already been explored.  They save work and change nothing: how far the prover looks
    does not depend on them, and neither does its verdict.  `clock` says whether the clock influenced the current proof
    (`timed`).

    With `kept`, an earlier proof is rebuilt: every obligation is made from the figure and must be one that the solvers
    answered at that time.  Certificates, rankings and witnesses are those of `kept`.  If they were forged, the answers
    could be too, so the interpreter tries again to refute the claim, with very short sentences.

    With `explains`, a theorem that is open says what blocks it.
    """

    system: System
    say: Say = silent
    rlimit: int = RLIMIT
    certificates: Certificates | None = None
    jobs: int = 1
    shared: Levels | None = None
    kept: Theorem | None = None
    answers: Answers = field(default_factory=Answers)
    explains: bool = False
    clock: Clock = field(default_factory=Clock, init=False)
    _rebuilt: "Prover | None" = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Let solvers keep memory, which they allocate again and again."""
        keep_memory()

    @cached_property
    def meanings(self) -> Meanings:
        """The system in symbols.

        Raises `Unsupported` if it has no symbolic meaning, and `WrongMeaning` if the symbolic meaning is not what the
        interpreter does.
        """
        meanings = meanings_of(self.system)
        wrong = first_difference(meanings) if self.kept is None else None
        if wrong is not None:
            raise WrongMeaning(f"{self.system.name}: {wrong}")
        return meanings

    @cached_property
    def levels(self) -> Levels:
        """The levels of short sentences, by the interpreter."""
        most = MOST_WORDS if self.kept is None else MOST_WORDS_AGAIN
        return Levels(self.system, most, engine=ShortSentences(self.system, shared=self.shared))

    @cached_property
    def spaces(self) -> list[StateSpace]:
        """The levels from one word on, as far as formulas can be evaluated in every configuration."""
        return few_enough(self.levels)

    @cached_property
    def observed(self) -> Observed:
        """The steps that a ranking must fit."""
        return observe(self.system, self.spaces)

    @cached_property
    def candidates(self) -> list[Candidate]:
        """The candidates that hold in short sentences; with a certificate no selection is needed."""
        whole = self.every_candidate
        return whole if self.certificates is not None else thinned(whole, self.meanings.before, self.spaces)

    @cached_property
    def every_candidate(self) -> list[Candidate]:
        """All candidates, including those that do not hold in short sentences."""
        meanings = self.meanings
        return [*self.given, *candidates(meanings.before, meanings.start, meanings.special)]

    @cached_property
    def given(self) -> list[Candidate]:
        """The invariants of the specification; they must be proved like any other candidate."""
        says = self.meanings.says
        given = {condition: condition_text(condition, SOURCE) for condition in self.system.figure.invariants}
        return [
            Candidate(f"given: {text}", partial(says, condition), basic=True, given=text)
            for condition, text in given.items()
        ]

    @cached_property
    def measures(self) -> dict[s.GivenMeasure, Ranking]:
        """The rankings that the specification gives as measures; each must be proved like any other."""
        found: dict[s.GivenMeasure, Ranking] = {}
        for measure in self.system.figure.measures:
            with suppress(Unsupported):
                found[measure] = ranking_of(measure.term, self.system)
        return found

    @cached_property
    def lemmas(self) -> tuple[Lemma, ...]:
        """The lemmas that the specification gives; each must be proved like any other."""
        return given_lemmas(self.system, self.meanings.before, self.meanings.start)

    def on_the_way(self, oracle: s.Oracle) -> list[Candidate]:
        """The invariants that the specification gives for an oracle, except those without a symbolic meaning."""
        found: list[Candidate] = []
        for one in dict.fromkeys(self.system.figure.oracle_invariants):
            if one.oracle == oracle.name:
                says, text = partial(self.meanings.says, one.condition), help_text(one)
                with suppress(Unsupported):
                    says(self.meanings.before)
                    found.append(Candidate(f"given: {text}", says, basic=True, given=text))
        return found

    def helped(self, theorem: Theorem) -> tuple[str, ...]:
        """The measures and lemmas of the specification that a theorem uses."""
        if theorem.verdict is not Verdict.PROVED:
            return ()
        measures = [help_text(given) for given, ranking in self.measures.items() if ranking in theorem.work.rankings]
        used = set(theorem.lemmas)
        lines = {
            line: lemmas_of(line, self.system, self.meanings.before, self.meanings.start)
            for line in self.system.figure.lemmas
        }
        return (*measures, *(help_text(line) for line, lemmas in lines.items() if used & {one.name for one in lemmas}))

    @cached_property
    def found(self) -> dict[str, Certificate]:
        """The certificates that searches have found."""
        return {}

    def rebuilding(self, kept: Theorem) -> "Prover":
        """The prover that rebuilds an earlier proof."""
        certificates = {problem: solved.certificate for problem, solved in kept.work.solved.items()}
        again = Prover(self.system, self.say, self.rlimit, certificates, shared=self.shared, kept=kept)
        if self._rebuilt is not None:
            again.__dict__ |= {name: getattr(self._rebuilt, name) for name in ("meanings", "candidates", "levels")}
        self._rebuilt = again
        return again

    def about(self, topic: Topic) -> Theorem:
        """Prove a claim or an invariant of the specification, or say why that is not possible."""
        return self.timed(topic, partial(self._if_supported, topic))

    def timed(self, topic: Topic, proved: Callable[[], Theorem]) -> Theorem:
        """Prove one thing, and record how long it took and whether the clock influenced it anywhere."""
        began = time.perf_counter()
        self.clock = Clock()
        self.say(topic_text(topic))
        theorem = proved()
        return replace(
            theorem,
            values=tuple(dict.fromkeys((*self.values, *theorem.values))),
            helped=self.helped(theorem),
            seconds=time.perf_counter() - began,
            timed_out=self.clock.has_decided,
        )

    @property
    def values(self) -> tuple[str, ...]:
        """The values of the parameters; everything is proved for these values only."""
        return tuple(f"{name} = {'∞' if value == inf else value}" for name, value in self.system.parameters.items())

    def _if_supported(self, topic: Topic) -> Theorem:
        try:
            return self._about(topic)
        except (Unsupported, NotLinear) as reason:
            return not_proved(topic, Hindrance.UNSUPPORTED, str(reason))

    def _about(self, topic: Topic) -> Theorem:
        match topic:
            case s.Claim(kind="plain"):
                shown = self._refuted(topic, topic.statement) or self._confronted(topic, self._proved(topic))
            case s.Claim():
                return by_witness(self, topic)
            case Invariance():
                shown = self._refuted(topic, topic) or self._invariant(topic)
            case OracleInvariance():
                _refuse_gold_graphs(self.system, topic)
                shown = self._refuted(topic, topic) or holds_on_the_way(self, topic)
            case MeasureFalls():
                shown = measure_falls(self, topic)
            case LemmaHolds():
                _refuse_gold_graphs(self.system, topic)
                shown = lemma_holds(self, topic)
            case AttainedLength():
                _refuse_gold_graphs(self.system, topic)
                return attained(self, topic)
            case _:
                return self.without_method(topic)
        return shown

    def _proved(self, claim: s.Claim) -> Theorem:
        _refuse_gold_graphs(self.system, claim.statement)
        return property_of(claim.statement).prove(self, claim, claim.statement)

    def _invariant(self, topic: Invariance) -> Theorem:
        goal = Goal(str(topic), (), self.meanings.says(topic.condition, self.meanings.before))
        return self.theorem(topic, self.argument(problem_of(self.meanings, (goal,))))

    def without_method(self, topic: Topic, why: str = "") -> Theorem:
        """A theorem without a proof, because there is no method for it; `why` may give the reason."""
        return not_proved(topic, Hindrance.NO_METHOD, why)

    @cached_property
    def performed_once(self) -> PerformedOnce:
        """The transitions that are performed at most once per pair of words."""
        return performed_once(self)

    @property
    def named_values(self) -> tuple[str, ...]:
        """The values of the parameters with the system's name, for proofs that involve another system."""
        return tuple(f"{value} in {self.system.figure.name}" for value in self.values)

    def beside(self, system: System) -> "Prover":
        """A prover for another system, with the certificates stored for it."""
        certificates = self.certificates
        if self.kept is None:
            built_in = on_file(system.name) if system.source is None else {}
            certificates = {**built_in, **(certificates or {})} if certificates is not None else built_in or None
        other = Prover(
            system,
            self.say,
            self.rlimit,
            certificates,
            self.jobs,
            kept=self.kept,
            answers=self.answers,
            explains=self.explains,
        )
        other.__dict__ |= {"calls": self.calls, "found": self.found}
        return other

    def on_behalf(self, other: "Prover") -> "Prover":
        """A prover for the other's system that keeps its certificates with those of this figure."""
        system, certificates = other.system, self.certificates
        again = Prover(system, self.say, self.rlimit, certificates, self.jobs, kept=self.kept, answers=self.answers)
        again.__dict__ |= {"meanings": other.meanings, "calls": self.calls}
        return again

    def argument(self, problem: Problem) -> Argument:
        """A problem about all runs."""
        return Argument(problem, self.candidates, partial(run_models, self.system), self._explored_models)

    def _explored_models(self, words: int) -> Iterator[tuple[str, dict[str, object]]]:
        """All configurations that runs reach, if there are few."""
        for space in self.spaces:
            if space.words == words:
                for c in space.configurations:
                    yield str(c), model_of(self.system, c)

    def confronted(self, problem: Problem, watched: RunProperty) -> Problem:
        """The problem, after checking that its goals are false wherever the property of runs is violated."""
        if self.kept is None and watched not in self._confronted_with:
            wrong = goal_difference(self.system, problem.goals, watched, self.compared_configurations)
            if wrong is not None:
                raise WrongMeaning(f"{self.system.name}: {wrong}")
            self._confronted_with.append(watched)
        return problem

    def agree(self, goals: Sequence[Goal], objections: Iterable[Objection]) -> None:
        """Check that some goal is false wherever the interpreter objects."""
        wrong = overlooked(goals, objections) if self.kept is None else None
        if wrong is not None:
            raise WrongMeaning(f"{self.system.name}: {wrong}")

    def situations(self, graphs: s.GraphClass) -> Sequence[tuple[Configuration, Gold]]:
        """Some small configurations with gold graphs of a class, whether or not runs reach them."""
        small = self.small_configurations
        golds = {words: list(gold_graphs(self.system, graphs, words)) for words in {c.words for c in small}}
        return spread([(c, gold) for c in small for gold in golds[c.words]], MAX_SITUATIONS)

    @cached_property
    def compared_configurations(self) -> list[Configuration]:
        """Small configurations, and random ones that are large enough for every pattern."""
        return [*self.small_configurations, *drawn(self.system)]

    @cached_property
    def small_configurations(self) -> list[Configuration]:
        """Some configurations of up to three words, whether or not runs reach them."""
        found = (sample(self.system, words, MOST_SMALL, MOST_SMALL) for words in range(1, MOST_WORDS_OF_SMALL + 1))
        return [c for some in found for c in some]

    @cached_property
    def _confronted_with(self) -> list[RunProperty]:
        return []

    def theorem(self, about: Topic, argument: Argument, method: Method = NO_METHOD) -> Theorem:
        """Search for an invariant that proves the goals, discharge everything, and check that it is not vacuous."""
        argument = _with_agreement(argument)
        if self.certificates is not None:
            found = self._on_file(about, argument, self.certificates.get(identity(argument.problem)))
        else:
            found = self._searched_for(about, argument, method.oracle)
        self.clock.note(found.timed_out)
        return replace(found, method=method)

    def _searched_for(self, about: Topic, argument: Argument, oracle: str | None) -> Theorem:
        found = self._search(argument)
        if found.failed and argument.mine is not None:
            self.say(f"{topic_text(about)}: again, with clauses mined from runs")
            richer = replace(argument, candidates=[*argument.candidates, *argument.mine()])
            again = self._search(richer)
            self.clock.note(again.timed_out)
            argument, found = (argument, found) if again.failed else (richer, again)
        if found.failed:
            theorem = self._open(about, found, argument, oracle)
        else:
            certificate = Certificate(found.invariant, found.lemmas, found.cores)
            self.found[identity(argument.problem)] = certificate
            theorem = self._checked(about, argument, certificate)
        return replace(theorem, timed_out=theorem.timed_out or found.timed_out)

    def _on_file(self, about: Topic, argument: Argument, certificate: Certificate | None) -> Theorem:
        if certificate is None:
            return not_proved(about, Hindrance.NO_CERTIFICATE)
        try:
            return self._checked(about, self._with_mined(argument, certificate), certificate)
        except Incomplete as reason:
            return not_proved(about, Hindrance.MISFIT, str(reason))

    def _with_mined(self, argument: Argument, certificate: Certificate) -> Argument:
        """The argument with the mined clauses that a certificate names."""
        there = {c.name for c in argument.candidates}
        named = (by_name(name, self.meanings.before) for name in certificate.invariant if name not in there)
        return replace(argument, candidates=[*argument.candidates, *(one for one in named if one is not None)])

    def _checked(self, about: Topic, argument: Argument, certificate: Certificate) -> Theorem:
        """Discharge every obligation of a certificate, and show that its premises are satisfiable."""
        problem = argument.problem
        done = self.discharge(obligations(problem, certificate, argument.candidates))
        pool = {c.name: c for c in argument.candidates}
        words = wording(self.system.figure.state)
        conjuncts = [pool[name] for name in certificate.invariant]
        invariant = tuple(Conjunct(c.name, to_text(c.formula(problem.before), words), c.given) for c in conjuncts)
        if not solvers_of(done):
            return judged(about, tuple(done), (), invariant)
        used = [lemma.candidate for lemma in problem.lemmas if lemma.name in certificate.lemmas]
        held = [*conjuncts, *used, *problem.known(at_the_start=False).values()]
        premises = [c.formula(problem.before) for c in held] + [term for _, term in problem.axioms]
        seen = self._witnesses(argument, premises)
        work = Work({identity(problem): Solved(certificate, seen)})
        dead: list[str] = []
        for move in (move for move in problem.moves if move.name in idle_moves(seen)):
            shown, found = self._never(argument, move)
            if solvers_of(shown):
                dead.append(move.name)
                done += shown
                work |= found
        return replace(judged(about, tuple(done), seen, invariant, dead=tuple(dead)), work=work)

    def _witnesses(self, argument: Argument, premises: Sequence[Term]) -> tuple[Witness, ...]:
        """Configurations of runs of three and of five words; for moves that these do not show, configurations of all
        runs of up to five words, and then of some longer ones.

        On the way to gold graphs these are the runs to every graph of the class up to five words.
        """
        problem = argument.problem
        if self.kept is not None:
            return self.kept.work.solved[identity(problem)].witnesses
        calls = self.calls
        seen = [w for size in SIZES for w in satisfied(size, argument.models(size), problem.cases, premises, calls)]
        for words in range(1, MOST_WORDS_OF_WITNESSES + 1):
            idle = [case for case in problem.cases if case.name in idle_moves(seen)]
            if idle:
                seen += satisfied(words, argument.every(words), idle, premises, calls)
        for words in LARGER_SIZES:
            idle = [case for case in problem.cases if case.name in idle_moves(seen)]
            if idle:
                seen += satisfied(words, argument.models(words), idle, premises, calls)
        return tuple(seen)

    def _never(self, argument: Argument, move: Move) -> tuple[list[Discharged], Work]:
        """A proof that a move never happens, if there is one: its obligations, and the work that it can be rebuilt
        from.
        """
        goal = Goal(f"{move.name} never happens", move.premises, t.FALSE, is_part=False)
        dead = replace(argument, problem=replace(argument.problem, goals=(goal,)))
        name = identity(dead.problem)
        if self.certificates is not None:
            certificate = self.certificates.get(name)
        else:
            found = self._search(dead)
            self.clock.note(found.timed_out)
            certificate = None if found.failed else Certificate(found.invariant, found.lemmas, found.cores)
        if certificate is None:
            return [], Work()
        dead = self._with_mined(dead, certificate)
        try:
            done = self.discharge(obligations(dead.problem, certificate, dead.candidates))
        except Incomplete:
            return [], Work()
        self.found[name] = certificate
        return done, Work({name: Solved(certificate, ())})

    def _search(self, argument: Argument) -> FoundInvariant:
        problem, pool = argument.problem, argument.candidates
        named = [(goal.name, goal.term) for goal in problem.goals] + [(c.name, c.formula(problem.before)) for c in pool]
        named += [premise for goal in problem.goals for premise in goal.premises]
        named += [premise for move in problem.moves for premise in move.premises]
        named += [(c.name, c.formula(problem.before)) for c in problem.known(at_the_start=False).values()]
        named += [(lemma.name, lemma.candidate.formula(problem.before)) for lemma in problem.lemmas]
        key = "\n".join(f"{name}: {to_smt(term)}" for name, term in named)
        if key not in self._searched:
            specimens, clock = Specimens(self.system, problem, pool, argument.guided, self._specimens), Clock()
            holds = partial(self._holds, clock)
            advice = nearest_advice(problem, [candidate.name for candidate in pool], self.found.values())
            opinions = self._opinions
            self._searched[key] = search(
                problem,
                pool,
                self.rlimit,
                self.say,
                holds,
                specimens.refute,
                clock,
                opinions,
                advice,
                self._begin,
                certified(problem),
            )
        return self._searched[key]

    @cached_property
    def _opinions(self) -> Opinions:
        """Solver answers from earlier searches."""
        store = self.answers.store
        return Opinions(self.calls) if store is None else Opinions(self.calls, store.opinions)

    @cached_property
    def calls(self) -> SolverCalls:
        """The processes that ask solvers."""
        return SolverCalls(self.jobs)

    @cached_property
    def _specimens(self) -> dict[tuple[str, ...], list[Specimen]]:
        """Configurations that problems about all runs share."""
        return {}

    @cached_property
    def _searched(self) -> dict[str, FoundInvariant]:
        return {}

    def _holds(self, clock: Clock, obligation: Obligation, steadily: bool) -> bool:
        """Whether every solver discharges an obligation, if requested under every seed; answers are cached."""
        seeds = SEEDS if steadily else SEEDS[:1]
        return is_discharged(obligation, self.rlimit, seeds, self.answers, clock, self.calls)

    def _begin(self, obligation: Obligation, steadily: bool) -> None:
        begin(obligation, self.rlimit, SEEDS if steadily else SEEDS[:1], self.answers, self.calls)

    def discharge(self, todo: Sequence[Obligation]) -> list[Discharged]:
        """Ask the solvers about each obligation once; a proof that is rebuilt is answered from the cache."""
        if self.kept is not None:
            return [Discharged(obligation, self._answered.get(obligation.digest, ())) for obligation in todo]
        seeds = SEEDS if self.certificates is None else SEEDS[:1]
        new = {obligation.commands: obligation for obligation in todo if self.answers.to(obligation, seeds) is None}
        discharge_all(
            list(new.values()), self.say, self.rlimit, self.jobs, seeds, lambda entry: self.answers.keep(entry, seeds)
        )
        done = [self.answers.of(obligation, seeds) for obligation in todo]
        self.clock.note(any(entry.timed_out for entry in done))
        return done

    @cached_property
    def _answered(self) -> dict[str, tuple[Result, ...]]:
        """The solvers' answers when the cached proof was made."""
        assert self.kept is not None
        return {done.obligation.digest: done.results for done in self.kept.obligations}

    def _open(self, about: Topic, found: FoundInvariant, argument: Argument, oracle: str | None) -> Theorem:
        """An open theorem: the goals that were not proved, and if possible a configuration in which one of them
        fails.
        """
        left = [c for c in argument.candidates if c.name in found.left]
        goals = [goal for goal in argument.problem.goals if goal.name in found.failed][:MOST_GOALS_SHOWN]
        failures = (smallest_blocking(self.system, argument.problem, goal, left, argument.guided) for goal in goals)
        smallest = min((f for f in failures if f is not None), key=lambda f: f.configuration.words, default=None)
        said = "; ".join(f"{name}: {result.answer} {result.reason}".strip() for name, result in found.failed.items())
        if any(map(forgets, self.meanings.steps)):
            said = f"{said}; some transition removes arcs, after which dominance is known only in part"
        theorem = not_proved(about, Hindrance.NOT_PRESERVED, said)
        if self.explains:
            case = FailedArgument(topic_text(about), argument, tuple(found.failed), found.left, oracle)
            theorem = replace(theorem, explanation=explained(self, case, smallest))
        return replace(theorem, failure=None if smallest is None else smallest.failure)

    def _refuted(self, about: Topic, asked: Asked) -> Theorem | None:
        """A run or a graph that refutes the claim, searched for among all with a few words and random ones with a few
        more.
        """
        found: Evidence = check_statement(self.levels, asked)
        check = run_check(self.system, asked) if self.kept is None else None
        if not isinstance(found, Refuted) and check is not None:
            found = sample_runs(self.system, {None: check}, ATTACK, self._runs)[None]
            if isinstance(found, Refuted):
                found = self._with_fewest_words(asked, found)
        return Theorem(about, None, counterexample=found.counterexample) if isinstance(found, Refuted) else None

    def _with_fewest_words(self, asked: Asked, sampled: Refuted) -> Refuted:
        """A refutation with fewer words than a random one, if everything with fewer words can be tried, as far as
        memory allows.
        """
        engine = engine_for(self.system, default_engine())
        fewer = Levels(self.system, sampled.counterexample.words - 1, MEMORY_FOR_FEWEST_WORDS, engine)
        found = check_statement(fewer, asked)
        return found if isinstance(found, Refuted) else sampled

    @cached_property
    def _runs(self) -> LongRuns:
        return long_runs(self.system, default_engine())

    def _confronted(self, claim: s.Claim, theorem: Theorem) -> Theorem:
        """The theorem, or a refutation if a goal that is part of the claim fails in a configuration that a run
        reaches.
        """
        failure = theorem.failure
        if not property_of(claim.statement).goals_are_parts or failure is None:
            return theorem
        if not (failure.reached and failure.is_part):
            return theorem
        levels = Levels(self.system, failure.words, MOST_EXPLORED * BYTES_A_CONFIGURATION)
        found = check_statement(levels, claim.statement)
        if not isinstance(found, Refuted):
            raise WrongMeaning(
                f"{theorem.claim}: according to the solvers, {failure}; the interpreter finds nothing wrong"
            )
        return replace(theorem, counterexample=found.counterexample)
