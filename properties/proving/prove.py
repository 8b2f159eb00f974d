"""Prove the claims of a figure for sentences of every length.

What is done for a claim: (1) the interpreter tries to refute it, with everything up to a few words and random runs of some more; (2) an invariant is searched (`houdini`) among candidates
that hold in every reachable configuration of short sentences; (3) everything that must be shown is built anew and discharged by both
solvers (`discharge`); (4) the premises are shown to be satisfiable, and every move to fire (`witness`).  *All n* means n = 0 by the interpreter and n >= 1 by
the solvers.  A claim is `proved` only if all of this succeeded; what is short of it is `unknown` with its reason.

With certificates (`certificates`) step (2) is left out: what was found before is taken from them, and (3) and (4) are the same.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property, partial, reduce
from itertools import islice, product
from math import inf
from operator import or_
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from arcproof.properties.checks.invariant import Invariance
from arcproof.properties.engines.engine import Interpreter
from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION, StateSpace, explore
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import Sampling, sample_runs
from arcproof.properties.engines.spaces import Heaviest, Space
from arcproof.properties.evidence import Evidence, Refuted
from arcproof.properties.property import Asked, check_statement, property_of, run_check
from arcproof.properties.proving.certificates.files import Certificates, identity, on_file
from arcproof.properties.proving.goals.completeness import completeness, gold_axioms, oracle_run, thinned_by_runs
from arcproof.properties.proving.goals.pairs import MOST, counting, every_memory, every_pair, memories, once, pairs
from arcproof.properties.proving.goals.pairs import runs as remembered_runs
from arcproof.properties.proving.goals.ranking import TERMINATION, Demand, Ranking, ranking_problem, rankings
from arcproof.properties.proving.goals.soundness import soundness
from arcproof.properties.proving.goals.space import problem_of
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term, to_smt
from arcproof.properties.proving.language.wording import to_text
from arcproof.properties.proving.library.gold import (
    as_given,
    false_axiom,
    gold_graphs,
    has_axioms,
    is_part,
    lemmas,
    premises,
    proofs,
    without_what_has_no_axioms,
)
from arcproof.properties.proving.library.instances import candidates, instances
from arcproof.properties.proving.meaning.bridge import first_difference, first_oracle_difference
from arcproof.properties.proving.meaning.formulas import SUFFIX
from arcproof.properties.proving.meaning.model import gold_model, model_of
from arcproof.properties.proving.meaning.state import Unsupported, wording
from arcproof.properties.proving.meaning.steps import forgets
from arcproof.properties.proving.meaning.symbolic import Meanings, meanings_of
from arcproof.properties.proving.search.houdini import FoundInvariant, asks_for_a_witness, search
from arcproof.properties.proving.search.induction import MOST_EXPLORED, Guided, Specimens, smallest_failure
from arcproof.properties.proving.search.thinning import MOST_CONFIGURATIONS, MOST_WORDS, few_enough, thinned
from arcproof.properties.proving.theorem import (
    NO_METHOD,
    AttainedLength,
    Conjunct,
    Hindrance,
    Method,
    Obstacle,
    OncePerPair,
    Solved,
    Theorem,
    Topic,
    Work,
    idle_moves,
    judged,
    not_proved,
    topic_text,
)
from arcproof.properties.proving.trusted.discharge import (
    Certificate,
    Discharged,
    Incomplete,
    discharge_all,
    discharge_steadily,
    obligations,
    solvers_of,
)
from arcproof.properties.proving.trusted.facts import Candidate
from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.problem import Goal, Move, Problem
from arcproof.properties.proving.trusted.solvers import RLIMIT, SEEDS, Clock, Result
from arcproof.properties.proving.trusted.witness import SIZES, Witness, configurations, satisfied
from arcproof.properties.verdict import Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.bounds import Bound, NotLinear
from arcproof.transitions.errors import Contradiction
from arcproof.transitions.polynomial import Polynomial
from arcproof.transitions.printing.notation import SOURCE, class_text, condition_text
from arcproof.transitions.system import System, load

if TYPE_CHECKING:
    from arcproof.properties.proving.redundancy import Redundancies

MOST_GOLD_GRAPHS: Final = 300
MOST_WORDS_OF_GOLD: Final = 3
MOST_WORDS_OF_WITNESSES: Final = 5
MOST_RANKINGS: Final = 4
MOST_GOALS_SHOWN: Final = 3
ATTACK: Final = Sampling(100, 12)
ENDS: Final = s.Claim(s.Terminates())
MOST_SEARCHED: Final = 200_000
"""Configurations that a search for a run to a graph may take."""
SHARES: Final = (1, 2, 3)
"""How much of a bound a transition that is performed at most once for every two words may take."""
Say = Callable[[str], None]


def _nothing(_: str) -> None:
    return None


class Memory(Protocol):
    """Where theorems are kept (`store`)."""

    def recall(self, system: System, about: Topic) -> Theorem | None:
        """A theorem as it was kept; that it is proved is not to be believed before it is built again (`known`)."""

    def keep(self, system: System, theorem: Theorem) -> None:
        """Keep a theorem."""


@dataclass(frozen=True)
class ProofReport:
    """What was proved about one system."""

    system: System
    theorems: tuple[Theorem, ...]
    seconds: float
    redundancies: "Redundancies | None" = None
    certificates: Certificates = field(default_factory=dict)

    @property
    def exit_code(self) -> int:
        """0 everything is proved, 1 something is refuted, 3 something is open."""
        verdicts = {theorem.verdict for theorem in self.theorems}
        if Verdict.REFUTED in verdicts:
            return 1
        return 0 if verdicts == {Verdict.PROVED} else 3


Models: TypeAlias = Callable[[int], Iterator[tuple[str, dict[str, object]]]]
"""Configurations of runs of a number of words, each with its model."""


@dataclass(frozen=True)
class Argument:
    """A problem with the candidates to search, and where its premises are to be shown satisfiable; `guided` if it is about an oracle's runs.

    `models` are some configurations of runs of this many words, `every` as many as there are, within reason.
    """

    problem: Problem
    candidates: Sequence[Candidate]
    models: Models
    every: Models
    guided: Guided | None = None


@dataclass(frozen=True)
class PerformedOnce:
    """The transitions that are performed at most once for every two words, each with the proof of n(n - 1)/2 times.

    `timed_out` if the clock ended a call of a solver, perhaps for a transition that is missing here.
    """

    theorems: Mapping[str, Theorem]
    timed_out: bool


@dataclass
class ShortSentences(Interpreter):
    """The interpreter, as far as the configurations of a level are few.

    A level of `shared` that the interpreter has explored is not explored again.  Levels by native code do not do: the
    interpreter is the definition on which the case n = 0, every refutation and the bridge to the symbols rest.
    """

    shared: Levels | None = None

    def space(self, words: int, past_terminal: bool, memory: int | None) -> StateSpace:  # noqa: ARG002
        """All configurations."""
        known = self._known(words, past_terminal)
        if isinstance(known, StateSpace) and known.size <= MOST_CONFIGURATIONS:
            return known
        return explore(self.system, words, past_terminal, MOST_CONFIGURATIONS)

    def _known(self, words: int, past_terminal: bool) -> Space | None:
        if self.shared is None or not isinstance(self.shared.explorer, Interpreter):
            return None
        return self.shared.known(words, past_terminal)


@dataclass
class Prover:
    """The proofs about one system, with what they share; with `certificates` nothing is searched that is not in them.

    `shared` are levels that somebody has explored.  They save work and change nothing: how far the prover looks does
    not depend on them, and neither does its verdict.  `clock` says whether the clock had a part in what is proved at
    present (`timed`).

    With `kept`, a proof of earlier is built again: every obligation is made from the figure and must be one that the
    solvers answered then.  Certificates, rankings and witnesses are those of `kept`; what the interpreter found then,
    it would find again, and is not asked.
    """

    system: System
    say: Say = _nothing
    rlimit: int = RLIMIT
    certificates: Certificates | None = None
    jobs: int = 1
    shared: Levels | None = None
    kept: Theorem | None = None
    clock: Clock = field(default_factory=Clock, init=False)
    _rebuilt: "Prover | None" = field(default=None, init=False)

    @cached_property
    def meanings(self) -> Meanings:
        """The system in symbols; `Unsupported` if it has no symbolic meaning, `WrongMeaning` if that is not what the interpreter does."""
        meanings = meanings_of(self.system)
        wrong = first_difference(meanings) if self.kept is None else None
        if wrong is not None:
            raise WrongMeaning(f"{self.system.name}: {wrong}")
        return meanings

    @cached_property
    def levels(self) -> Levels:
        """Short sentences, by the interpreter."""
        return Levels(self.system, MOST_WORDS, engine=ShortSentences(self.system, shared=self.shared))

    @cached_property
    def spaces(self) -> list[StateSpace]:
        """The levels with one word, two words, … as far as they are few enough to evaluate formulas in every configuration."""
        return few_enough(self.levels)

    @cached_property
    def candidates(self) -> list[Candidate]:
        """The candidates that hold in short sentences; those of a certificate need not be picked out."""
        whole = self._every_candidate
        return whole if self.certificates is not None else thinned(whole, self.meanings.before, self.spaces)

    @cached_property
    def _every_candidate(self) -> list[Candidate]:
        return [*self.given, *candidates(self.meanings.before, self.meanings.start)]

    @cached_property
    def given(self) -> list[Candidate]:
        """The invariants of the specification; they are to be proved like any other candidate."""
        says = self.meanings.says
        given = {condition: condition_text(condition, SOURCE) for condition in self.system.figure.invariants}
        return [
            Candidate(f"given: {text}", partial(says, condition), basic=True, given=text)
            for condition, text in given.items()
        ]

    @cached_property
    def found(self) -> dict[str, Certificate]:
        """What was searched and found."""
        return {}

    @cached_property
    def _discharged(self) -> dict[str, Discharged]:
        return {}

    def rebuilding(self, kept: Theorem) -> "Prover":
        """The prover that builds a proof of earlier again."""
        certificates = {problem: solved.certificate for problem, solved in kept.work.solved.items()}
        again = Prover(self.system, self.say, self.rlimit, certificates, shared=self.shared, kept=kept)
        if self._rebuilt is not None:
            again.__dict__ |= {name: getattr(self._rebuilt, name) for name in ("meanings", "candidates", "level_zero")}
        self._rebuilt = again
        return again

    def about(self, topic: Topic) -> Theorem:
        """Prove a claim or an invariant of the specification, or say why not."""
        return self.timed(topic, partial(self._if_supported, topic))

    def timed(self, topic: Topic, proved: Callable[[], Theorem]) -> Theorem:
        """Prove one thing, and say how long it took and whether the clock had a part in it, wherever that was."""
        began = time.perf_counter()
        self.clock = Clock()
        self.say(topic_text(topic))
        theorem = proved()
        return replace(
            theorem,
            values=tuple(dict.fromkeys((*self.values, *theorem.values))),
            seconds=time.perf_counter() - began,
            timed_out=self.clock.has_decided,
        )

    @property
    def values(self) -> tuple[str, ...]:
        """The values of the parameters: what is proved is proved for them."""
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
                return self._by_witness(topic)
            case Invariance():
                shown = self._refuted(topic, topic) or self._invariant(topic)
            case AttainedLength():
                return self.attained(topic)
            case _:
                return self.without_method(topic)
        return self.for_all_n(shown)

    def _proved(self, claim: s.Claim) -> Theorem:
        return property_of(claim.statement).prove(self, claim, claim.statement)

    def _invariant(self, topic: Invariance) -> Theorem:
        goal = Goal(str(topic), (), self.meanings.says(topic.condition, self.meanings.before))
        return self.theorem(topic, self.argument(problem_of(self.meanings, (goal,))))

    def for_all_n(self, theorem: Theorem) -> Theorem:
        """The solvers speak of n >= 1; for n = 0 the interpreter must have tried everything."""
        if theorem.verdict is not Verdict.PROVED or self.level_zero is not None:
            return theorem
        return replace(theorem, obstacle=Obstacle(Hindrance.TOO_MANY_WITHOUT_WORDS))

    @cached_property
    def level_zero(self) -> StateSpace | None:
        """The configurations without words; None if they are too many."""
        space = next(self.levels.spaces(), None)
        return space if isinstance(space, StateSpace) else None

    def without_method(self, topic: Topic, why: str = "") -> Theorem:
        """There is no way to prove it, for the reason given if there is one."""
        return not_proved(topic, Hindrance.NO_METHOD, why)

    # --- one method a kind of claim ----------------------------------------------------------------------------------

    def sound(self, about: Topic, graphs: s.GraphClass) -> Theorem:
        """Soundness for a class."""
        return self.theorem(about, self.argument(soundness(self.meanings, graphs)))

    def terminates(self, about: Topic = ENDS) -> Theorem:
        """That every run ends."""
        return self.ranked(about, TERMINATION)

    def ranked(self, about: Topic, demand: Demand) -> Theorem:
        """A claim about lengths: by a ranking alone, or with a transition that is performed at most once for every two words."""
        theorem = self._ranked(about, demand)
        if theorem.verdict is Verdict.PROVED or demand.relation != "<=":
            return theorem
        once_per_pair = self.performed_once
        self.clock.note(once_per_pair.timed_out)
        for name, bounded in once_per_pair.theorems.items():
            for share in SHARES:
                found = self._ranked(about, demand.sparing(name, share, MOST))
                if found.verdict is Verdict.PROVED:
                    return self._both(found, bounded)
        return theorem

    def best_length(self) -> AttainedLength | None:
        """A better bound on the length than the one claimed: the polynomial through the longest runs of short sentences, to be proved."""
        claimed = [c.statement for c in self.system.figure.claims if c.kind == "plain"]
        bounds = [c for c in claimed if isinstance(c, s.LengthBound) and c.relation == "<="]
        if not bounds:
            return None
        longest = [space.heaviest(lambda _: 1) for space in self.spaces]
        attained = [found.weight for found in longest if isinstance(found, Heaviest)]
        polynomial = Polynomial.fitting(attained) if len(attained) == len(longest) else None
        if polynomial is None:
            return None
        known = Bound.of(bounds[0].bound, self.system)
        if not known.counts and all(known.at(n) == length for n, length in enumerate(attained, start=1)):
            return None
        return AttainedLength(polynomial, len(attained))

    def attained(self, about: AttainedLength) -> Theorem:
        """That no run is longer."""
        return self.ranked(about, replace(TERMINATION, polynomial=about.polynomial))

    def _ranked(self, about: Topic, demand: Demand) -> Theorem:
        """By the first ranking that can be proved."""
        theorem = not_proved(about, Hindrance.NO_RANKING)
        plain = [c for c in self.candidates if not asks_for_a_witness(c.formula(self.meanings.before))]
        for ranking in self._rankings(demand):
            self.say(f"{topic_text(about)}: {ranking}")
            argument = self.argument(ranking_problem(self.meanings, demand, ranking))
            theorem = self.theorem(about, replace(argument, candidates=plain), Method(str(ranking)))
            if theorem.verdict is Verdict.PROVED:
                return replace(theorem, work=theorem.work | Work(rankings=(ranking,)))
        return theorem

    def _rankings(self, demand: Demand) -> Iterator[Ranking]:
        if self.kept is not None:
            return iter(self.kept.work.rankings)
        return islice(rankings(self.meanings, demand, self.spaces, self.clock), MOST_RANKINGS)

    @cached_property
    def performed_once(self) -> PerformedOnce:
        """Of all transitions."""
        found: dict[str, Theorem] = {}
        clock = Clock()
        for pair in pairs(self.meanings) if self.kept is None else every_pair(self.meanings):
            name = pair.step.name
            if name not in found:
                self.say(f"#{name} <= n(n - 1)/2")
                basic = [c for c in self.candidates if c.basic]
                guesses = memories(self.meanings, pair) if self.kept is None else every_memory(self.meanings)
                pool = [*basic, *guesses]
                models = partial(remembered_runs, self.system, pair)
                argument = Argument(once(self.meanings, pair), pool, models, models)
                theorem = self.theorem(OncePerPair(str(pair)), argument)
                clock.note(theorem.timed_out)
                if theorem.verdict is Verdict.PROVED:
                    counted = self._discharge(counting())
                    clock.note(any(entry.timed_out for entry in counted))
                    found[name] = replace(theorem, obligations=(*theorem.obligations, *counted))
        return PerformedOnce(found, clock.has_decided)

    def _both(self, theorem: Theorem, other: Theorem) -> Theorem:
        """A theorem that rests on another."""
        assert isinstance(other.about, OncePerPair)
        whole = (*theorem.obligations, *other.obligations)
        invariant = tuple(dict.fromkeys((*theorem.invariant, *other.invariant)))
        method = replace(theorem.method, once=other.about)
        dead = tuple(dict.fromkeys((*theorem.dead, *other.dead)))
        both = judged(theorem.about, whole, (*theorem.witnesses, *other.witnesses), invariant, method, dead)
        return replace(both, work=theorem.work | other.work)

    def complete(self, about: Topic, graphs: s.GraphClass) -> Theorem:
        """Completeness by the first oracle that can be proved to lead to every graph of the class."""
        ends = self.terminates()
        if ends.verdict is not Verdict.PROVED:
            return not_proved(about, Hindrance.OPEN_END, behind=ends.obstacle)
        theorem = not_proved(about, Hindrance.NO_ORACLE)
        for wider, oracle in product(self._containing(graphs), self.system.figure.oracles):
            try:
                theorem = self._complete_by(about, wider, oracle, ends)
            except Unsupported as reason:
                theorem = not_proved(about, Hindrance.UNSUPPORTED, str(reason))
                theorem = replace(theorem, method=Method(oracle=oracle.name))
            if wider != graphs:
                theorem = replace(theorem, method=replace(theorem.method, wider=class_text(wider)))
            if theorem.verdict is Verdict.PROVED:
                break
        return theorem

    def _containing(self, graphs: s.GraphClass) -> list[s.GraphClass]:
        """The class, or where it has no symbolic meaning as one of gold graphs, those that contain it.

        These are the classes that the figure claims to be complete for, the narrowest first, and the class without the
        restrictions that have no meaning.  Whoever derives every graph of a class derives those of a part of it.
        """
        if has_axioms(graphs):
            return [graphs]
        claims = [
            c.statement.graphs
            for c in self.system.figure.claims
            if c.kind == "plain" and isinstance(c.statement, s.CompleteFor)
        ]
        claimed = map(self.system.class_with_parameters, claims)
        wider = [other for other in claimed if has_axioms(other) and is_part(graphs, other, self.system.has_root)]
        wider.sort(key=lambda other: -len(other.restrictions))
        return list(dict.fromkeys((*wider, without_what_has_no_axioms(graphs))))

    def equivalent(self, about: Topic, reference: str) -> Theorem:
        """That two systems have the same outputs: both are sound and complete for one class."""
        other = self._beside(load(reference))
        theorem = not_proved(about, Hindrance.NO_COMMON_CLASS, reference)
        for graphs in self._common(other):
            parts = [theorem for prover in (self, other) for theorem in prover._exact(about, graphs)]
            theorem = next((part for part in parts if part.verdict is not Verdict.PROVED), None) or _joined(
                about, parts
            )
            theorem = replace(theorem, method=Method(exactly=class_text(graphs)), values=other.named_values)
            if theorem.verdict is Verdict.PROVED:
                break
        return theorem

    @property
    def named_values(self) -> tuple[str, ...]:
        """The same, where another system is spoken of too."""
        return tuple(f"{value} in {self.system.figure.name}" for value in self.values)

    def _common(self, other: "Prover") -> list[s.GraphClass]:
        """The classes for which both claim to be sound and complete; those with and without node 0 have trees in common."""
        both = [graphs for graphs in self._claimed() if graphs in other._claimed()]
        return [g for g in both if g.base == "trees" or self.system.has_root == other.system.has_root]

    def _claimed(self) -> list[s.GraphClass]:
        found: dict[type[s.Statement], list[s.GraphClass]] = {s.Sound: [], s.CompleteFor: []}
        for claim in self.system.figure.claims:
            if claim.kind == "plain" and isinstance(claim.statement, s.Sound | s.CompleteFor):
                found[type(claim.statement)].append(self.system.class_with_parameters(claim.statement.graphs))
        return [graphs for graphs in found[s.Sound] if graphs in found[s.CompleteFor]]

    def _exact(self, about: Topic, graphs: s.GraphClass) -> list[Theorem]:
        """That the outputs are the graphs of a class, in two parts."""
        return [self.for_all_n(self.sound(about, graphs)), self.for_all_n(self.complete(about, graphs))]

    def _beside(self, system: System) -> "Prover":
        """A prover for another system, with the certificates that are on file for it."""
        certificates = self.certificates if self.kept is not None else on_file(system.name) or None
        return Prover(system, self.say, self.rlimit, certificates, self.jobs, kept=self.kept)

    def _complete_by(self, about: Topic, graphs: s.GraphClass, oracle: s.Oracle, ends: Theorem) -> Theorem:
        sound = self._best_soundness()
        if sound.verdict is not Verdict.PROVED:
            return not_proved(about, Hindrance.OPEN_SOUNDNESS, behind=sound.obstacle)
        axioms = gold_axioms(self.meanings, graphs, oracle)
        if self.kept is None:
            self._confront_gold(about, graphs, oracle, axioms)
        proved = lemmas(axioms)
        steps = self._discharge(proofs(axioms, proved))
        known = {conjunct.name for conjunct in sound.invariant}
        given = [c for c in self.candidates if c.name in known]
        on_file = instances(self.meanings.before, self.meanings.start)
        problem = completeness(self.meanings, oracle, as_given(axioms, proved), given, on_file.lemmas)
        about_runs, guesses = self._every_candidate, list(on_file.guesses)
        if self.certificates is None:
            about_runs = thinned_by_runs(self.meanings, graphs, oracle, about_runs)
            guesses = thinned_by_runs(self.meanings, graphs, oracle, guesses)
        hinted = {name for c in (*guesses, *(lemma.candidate for lemma in on_file.lemmas)) for name in c.hints}
        basic = [c for c in about_runs if (c.basic or c.name in hinted) and c.name not in known]
        runs = partial(_oracle_models, self.system, graphs, oracle, MOST_GOLD_GRAPHS)
        every = partial(_oracle_models, self.system, graphs, oracle, None)
        guided = Guided(partial(gold_graphs, self.system, graphs), partial(oracle_run, self.system, oracle))
        by = Method(oracle=oracle.name)
        theorem = self.theorem(about, Argument(problem, [*basic, *guesses], runs, every, guided), by)
        whole = (*sound.obligations, *ends.obligations, *steps, *theorem.obligations)
        if theorem.verdict is not Verdict.PROVED:
            return theorem
        by = replace(by, ends=ends.gist)
        found = judged(about, whole, theorem.witnesses, theorem.invariant, by, theorem.dead)
        believed = _believed(axioms, (*steps, *theorem.obligations))
        return replace(found, work=sound.work | ends.work | theorem.work, assumptions=believed)

    def _confront_gold(self, about: Topic, graphs: s.GraphClass, oracle: s.Oracle, axioms: Sequence[Candidate]) -> None:
        """Check the symbolic meaning of gold graphs on those of a few words."""
        small = list(gold_graphs(self.system, graphs, MOST_WORDS_OF_GOLD))
        differently = first_oracle_difference(self.meanings, oracle, small)
        if differently is not None:
            raise WrongMeaning(f"{topic_text(about)}: {differently}")
        wrong = false_axiom(self.system, graphs, premises(axioms))
        if wrong is not None:
            raise WrongAxiom(f"{topic_text(about)}: {wrong}")

    def _best_soundness(self) -> Theorem:
        """Soundness for the strongest class claimed, or for forests."""
        claimed = [c for c in self.system.figure.claims if c.kind == "plain" and isinstance(c.statement, s.Sound)]
        for claim in (*claimed, s.Claim(s.Sound(s.GraphClass((), "forests")))):
            assert isinstance(claim.statement, s.Sound)
            try:
                theorem = self.sound(claim, self.system.class_with_parameters(claim.statement.graphs))
            except Unsupported as reason:
                theorem = not_proved(claim, Hindrance.UNSUPPORTED, str(reason))
            if theorem.verdict is Verdict.PROVED:
                break
        return theorem

    # --- what all have in common -------------------------------------------------------------------------------------

    def argument(self, problem: Problem) -> Argument:
        """A problem about all runs."""
        return Argument(problem, self.candidates, partial(_run_models, self.system), self._explored_models)

    def _explored_models(self, words: int) -> Iterator[tuple[str, dict[str, object]]]:
        """All configurations that runs reach, where they are few."""
        for space in self.spaces:
            if space.words == words:
                for c in space.configurations:
                    yield str(c), model_of(self.system, c)

    def theorem(self, about: Topic, argument: Argument, method: Method = NO_METHOD) -> Theorem:
        """Search an invariant for the goals, discharge everything, and check that it is not vacuous."""
        if self.certificates is not None:
            found = self._on_file(about, argument, self.certificates.get(identity(argument.problem)))
        else:
            found = self._searched_for(about, argument)
        self.clock.note(found.timed_out)
        return replace(found, method=method)

    def _searched_for(self, about: Topic, argument: Argument) -> Theorem:
        found = self._search(argument)
        if found.failed:
            theorem = self._open(about, found, argument)
        else:
            certificate = Certificate(found.invariant, found.lemmas, found.cores)
            self.found[identity(argument.problem)] = certificate
            theorem = self._checked(about, argument, certificate)
        return replace(theorem, timed_out=theorem.timed_out or found.timed_out)

    def _on_file(self, about: Topic, argument: Argument, certificate: Certificate | None) -> Theorem:
        if certificate is None:
            return not_proved(about, Hindrance.NO_CERTIFICATE)
        try:
            return self._checked(about, argument, certificate)
        except Incomplete as reason:
            return not_proved(about, Hindrance.MISFIT, str(reason))

    def _checked(self, about: Topic, argument: Argument, certificate: Certificate) -> Theorem:
        """What the certificate says is discharged, all of it, and its premises are satisfiable; what is not proved may well be false in a run."""
        problem = argument.problem
        done = self._discharge(obligations(problem, certificate, argument.candidates))
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
        """Configurations of runs of three and of five words; for moves that these do not show, of all runs of fewer and more.

        On the way to gold graphs these are the runs to every graph of the class up to five words.
        """
        problem = argument.problem
        if self.kept is not None:
            return self.kept.work.solved[identity(problem)].witnesses
        seen = [w for size in SIZES for w in satisfied(size, argument.models(size), problem.cases, premises)]
        for words in range(1, MOST_WORDS_OF_WITNESSES + 1):
            idle = [case for case in problem.cases if case.name in idle_moves(seen)]
            if idle:
                seen += satisfied(words, argument.every(words), idle, premises)
        return tuple(seen)

    def _never(self, argument: Argument, move: Move) -> tuple[list[Discharged], Work]:
        """That a move never happens, if that can be proved: its obligations, and what they were made from."""
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
        try:
            done = self._discharge(obligations(dead.problem, certificate, dead.candidates))
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
            specimens, clock = Specimens(self.system, problem, pool, argument.guided), Clock()
            steady = partial(self._steady, clock)
            self._searched[key] = search(problem, pool, self.rlimit, self.say, steady, specimens.refute, clock)
        return self._searched[key]

    @cached_property
    def _searched(self) -> dict[str, FoundInvariant]:
        return {}

    def _steady(self, clock: Clock, obligation: Obligation) -> bool:
        """Whether every solver under every seed discharges an obligation; what is found is kept."""
        if obligation.digest not in self._discharged:
            entry = discharge_steadily(obligation, self.rlimit, clock)
            if entry is None:
                return False
            self._discharged[obligation.digest] = entry
        known = self._discharged[obligation.digest]
        clock.note(known.timed_out)
        return all(known.by(solver) for solver in ("z3", "cvc5"))

    def _discharge(self, todo: Sequence[Obligation]) -> list[Discharged]:
        if self.kept is not None:
            return [Discharged(obligation, self._answered.get(obligation.digest, ())) for obligation in todo]
        new = [obligation for obligation in todo if obligation.digest not in self._discharged]
        seeds = SEEDS if self.certificates is None else SEEDS[:1]
        for entry in discharge_all(new, self.say, self.rlimit, self.jobs, seeds):
            self._discharged[entry.obligation.digest] = entry
        done = [self._discharged[obligation.digest] for obligation in todo]
        self.clock.note(any(entry.timed_out for entry in done))
        return done

    @cached_property
    def _answered(self) -> dict[str, tuple[Result, ...]]:
        """What the solvers said when the proof that is kept was made."""
        assert self.kept is not None
        return {done.obligation.digest: done.results for done in self.kept.obligations}

    def _open(self, about: Topic, found: FoundInvariant, argument: Argument) -> Theorem:
        """What the invariant lacks: a goal that fails, if possible with the configuration in which it does."""
        left = [c for c in argument.candidates if c.name in found.left]
        goals = [goal for goal in argument.problem.goals if goal.name in found.failed][:MOST_GOALS_SHOWN]
        failures = (smallest_failure(self.system, argument.problem, goal, left, argument.guided) for goal in goals)
        smallest = min((f for f in failures if f is not None), key=lambda f: f.words, default=None)
        said = "; ".join(f"{name}: {result.answer} {result.reason}".strip() for name, result in found.failed.items())
        if any(map(forgets, self.meanings.steps)):
            said = f"{said}; where arcs are removed, what dominates what is known only in part"
        theorem = not_proved(about, Hindrance.NOT_PRESERVED, said)
        return replace(theorem, failure=smallest)

    def _refuted(self, about: Topic, asked: Asked) -> Theorem | None:
        """A run or a graph that refutes the claim: all of a few words, random ones of some more."""
        if self.kept is not None:
            return None
        found: Evidence = check_statement(self.levels, asked)
        check = run_check(self.system, asked)
        if not isinstance(found, Refuted) and check is not None:
            found = sample_runs(self.system, {None: check}, ATTACK)[None]
        return Theorem(about, None, counterexample=found.counterexample) if isinstance(found, Refuted) else None

    def _by_witness(self, claim: s.Claim) -> Theorem:
        """That a statement fails: one run, loop or graph settles it, whatever holds of other sentences.

        The interpreter has replayed the run, or tried everything of as many words as the graph has.
        """
        evidence = self._failing(claim)
        if not isinstance(evidence, Refuted):
            return not_proved(claim, Hindrance.NO_WITNESS)
        if evidence.words == 0:
            return not_proved(claim, Hindrance.NO_WITNESS, "the sentence without words alone does not decide it")
        return Theorem(claim, None, witness=evidence.counterexample)

    def _failing(self, claim: s.Claim) -> Evidence:
        """The witness that the claim names, or else what is found in short sentences, or in random runs of longer ones."""
        if claim.witness is not None:
            levels = replace(self.levels, memory=MOST_SEARCHED * BYTES_A_CONFIGURATION)
            return property_of(claim.statement).check_witness(levels, claim.statement, claim.witness)
        found = check_statement(self.levels, claim.statement)
        if isinstance(found, Refuted) and found.words > 0:
            return found
        check = run_check(self.system, claim.statement)
        longer = found if check is None else sample_runs(self.system, {None: check}, ATTACK)[None]
        return longer if isinstance(longer, Refuted) else found

    def _confronted(self, claim: s.Claim, theorem: Theorem) -> Theorem:
        """A goal that is part of the claim and fails in a configuration that a run reaches: then the claim is refuted there."""
        failure = theorem.failure
        if not property_of(claim.statement).goals_are_parts or failure is None:
            return theorem
        if not (failure.reached and failure.is_part):
            return theorem
        levels = Levels(self.system, failure.words, MOST_EXPLORED * BYTES_A_CONFIGURATION)
        found = check_statement(levels, claim.statement)
        if not isinstance(found, Refuted):
            raise WrongMeaning(f"{theorem.claim}: the solvers say, {failure}; the interpreter finds nothing wrong")
        return replace(theorem, counterexample=found.counterexample)


Shown: TypeAlias = Callable[[Prover], Theorem]
"""How something is shown, whether for the first time or again."""


def _joined(about: Topic, parts: Sequence[Theorem]) -> Theorem:
    """A theorem that rests on several others."""
    obligations = tuple(done for part in parts for done in part.obligations)
    witnesses = tuple(witness for part in parts for witness in part.witnesses)
    invariant = tuple(dict.fromkeys(conjunct for part in parts for conjunct in part.invariant))
    work = reduce(or_, (part.work for part in parts))
    dead = tuple(dict.fromkeys(move for part in parts for move in part.dead))
    assumptions = tuple(dict.fromkeys(assumed for part in parts for assumed in part.assumptions))
    return replace(judged(about, obligations, witnesses, invariant, dead=dead), work=work, assumptions=assumptions)


def _believed(axioms: Sequence[Candidate], done: Iterable[Discharged]) -> tuple[str, ...]:
    """The files of the axioms that obligations use."""
    shown = (entry.obligation for entry in done)
    used = {name for one in shown if isinstance(one, Obligation) for name, _ in one.premises}
    files = dict.fromkeys(axiom.source.removesuffix(SUFFIX) for axiom in axioms if axiom.name in used)
    return (f"the axioms about gold graphs in {', '.join(files)}",) if files else ()


class WrongMeaning(Contradiction):
    """The symbolic meaning is not what the interpreter does."""


class WrongAxiom(Contradiction):
    """An axiom of a class is false of a graph of that class: what would be proved is less than what is said."""


def _run_models(system: System, words: int) -> Iterator[tuple[str, dict[str, object]]]:
    """The configurations of random runs."""
    for c in configurations(system, words):
        yield str(c), model_of(system, c)


def _oracle_models(
    system: System, graphs: s.GraphClass, oracle: s.Oracle, most: int | None, words: int
) -> Iterator[tuple[str, dict[str, object]]]:
    """The configurations on the way to gold graphs, with the gold graphs."""
    for gold in islice(gold_graphs(system, graphs, words), most):
        wanted = gold_model(gold)
        for c in oracle_run(system, oracle, gold):
            yield f"{c} with gold {gold.graph}", {**model_of(system, c), **wanted}


def prove(
    system: str | System,
    say: Say = _nothing,
    memory: Memory | None = None,
    preconditions: bool = False,
    certificates: Certificates | None = None,
    jobs: int = 1,
) -> ProofReport:
    """Prove every claim of a system, given as for `load`, and if asked which preconditions are redundant; what the memory has is not proved again."""
    began = time.perf_counter()
    loaded = system if isinstance(system, System) else load(system)
    prover = Prover(loaded, say, certificates=certificates, jobs=jobs)
    found = [answer(prover, task, memory) for task in tasks_of(loaded, preconditions)]
    return report_of(loaded, found, time.perf_counter() - began, prover.found)


class Besides(Enum):
    """What is asked besides the claims: a better bound on the length, which preconditions are redundant."""

    LENGTH = "a better bound on the length"
    PRECONDITIONS = "redundant preconditions"


Task: TypeAlias = Topic | Besides
Answer: TypeAlias = "Theorem | Redundancies | None"


def tasks_of(system: System, preconditions: bool = False) -> list[Task]:
    """What there is to prove: every claim and invariant of a figure, and what is asked besides."""
    topics: list[Task] = [*system.figure.claims, *map(Invariance, system.figure.invariants), Besides.LENGTH]
    return list(dict.fromkeys((*topics, *((Besides.PRECONDITIONS,) if preconditions else ()))))


def task_text(task: Task) -> str:
    """What a task is about, in words."""
    return task.value if isinstance(task, Besides) else topic_text(task)


def answer(prover: Prover, task: Task, memory: Memory | None) -> Answer:
    """Do one task; what the memory has is not proved again."""
    match task:
        case Besides.LENGTH:
            return _better_length(prover, memory)
        case Besides.PRECONDITIONS:
            return _redundancies(prover, memory)
        case _:
            return recalled(prover, task, memory, partial(Prover.about, topic=task))


def report_of(system: System, found: Iterable[Answer], seconds: float, certificates: Certificates) -> ProofReport:
    """What all tasks came to."""
    answers = [one for one in found if one is not None]
    theorems = tuple(one for one in answers if isinstance(one, Theorem))
    redundant = next((one for one in answers if not isinstance(one, Theorem)), None)
    return ProofReport(system, theorems, seconds, redundant, certificates)


def _better_length(prover: Prover, memory: Memory | None) -> Theorem | None:
    """A bound that nobody claimed is shown only if it is proved."""
    try:
        better = prover.best_length()
        if better is None:
            return None
        theorem = recalled(prover, better, memory, partial(Prover.about, topic=better))
    except (Unsupported, NotLinear):
        return None
    return theorem if theorem.verdict is Verdict.PROVED else None


def _redundancies(prover: Prover, memory: Memory | None) -> "Redundancies | None":
    from arcproof.properties.proving.redundancy import redundancies

    try:
        return redundancies(prover, memory)
    except Unsupported:
        return None


def known(prover: Prover, about: Topic, memory: Memory | None, shown: Shown) -> Theorem | None:
    """A theorem from the memory, if there is one; a proof is built again, and what does not come out again is not believed."""
    kept = None if memory is None else memory.recall(prover.system, about)
    if kept is None or kept.verdict is not Verdict.PROVED:
        return kept
    again = shown(prover.rebuilding(kept))
    if again.verdict is not Verdict.PROVED:
        return None
    return replace(again, seconds=kept.seconds, timed_out=kept.timed_out, kept=True)


def recalled(prover: Prover, about: Topic, memory: Memory | None, shown: Shown) -> Theorem:
    """A theorem from the memory, or else proved and kept there; what is open is kept only if the clock had no part in that."""
    theorem = known(prover, about, memory, shown)
    if theorem is not None:
        return theorem
    theorem = shown(prover)
    if memory is not None and (theorem.verdict is Verdict.PROVED or not theorem.timed_out):
        memory.keep(prover.system, theorem)
    return theorem
