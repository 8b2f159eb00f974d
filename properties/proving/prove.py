"""Prove the claims of a figure for sentences of every length.

What is done for a claim: (1) the interpreter tries to refute it, with everything up to a few words and random runs of some more; (2) an invariant is searched (`houdini`) among candidates
that hold in every reachable configuration of short sentences; (3) everything that must be shown is built anew and discharged by both
solvers (`discharge`); (4) the premises are shown to be satisfiable, and every move to fire (`witness`).  *All n* means n = 0 by the interpreter and n >= 1 by
the solvers.  A claim is `proved` only if all of this succeeded; what is short of it is `unknown` with its reason.

With certificates (`certificates`) step (2) is left out: what was found before is taken from them, and (3) and (4) are the same.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Final, Protocol

from arcproof.properties.claims.invariant import check_invariant, invariant_text
from arcproof.properties.dispatch import check_statement, run_check
from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION, StateSpace, explore
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import Sampling, sample_runs
from arcproof.properties.engines.spaces import Heaviest, OutOfBounds
from arcproof.properties.proving.certificates.files import Certificates, identity
from arcproof.properties.proving.goals.completeness import completeness, gold_axioms, oracle_run, thinned_by_runs
from arcproof.properties.proving.goals.pairs import MOST, counting, memories, once, pairs
from arcproof.properties.proving.goals.pairs import runs as remembered_runs
from arcproof.properties.proving.goals.ranking import TERMINATION, Demand, demand_of, ranking_problem, rankings
from arcproof.properties.proving.goals.soundness import soundness
from arcproof.properties.proving.goals.space import incremental, problem_of, space
from arcproof.properties.proving.language.terms import to_smt
from arcproof.properties.proving.language.wording import to_text
from arcproof.properties.proving.library.facts import Candidate
from arcproof.properties.proving.library.gold import as_given, false_axiom, gold_graphs, lemmas, premises, proofs
from arcproof.properties.proving.library.instances import candidates, instances
from arcproof.properties.proving.meaning.bridge import first_difference, first_oracle_difference
from arcproof.properties.proving.meaning.model import gold_model, model_of
from arcproof.properties.proving.meaning.state import Unsupported, wording
from arcproof.properties.proving.meaning.symbolic import Meanings, meanings_of
from arcproof.properties.proving.search.houdini import Found, Goal, Problem, asks_for_a_witness, search
from arcproof.properties.proving.search.induction import MOST_EXPLORED, Failure, Guided, Specimens, smallest_failure
from arcproof.properties.proving.search.thinning import MOST_CONFIGURATIONS, MOST_WORDS, spaces, thinned
from arcproof.properties.proving.trusted.discharge import (
    Certificate,
    Discharged,
    Incomplete,
    discharge_all,
    discharge_steadily,
    obligations,
    solvers_of,
)
from arcproof.properties.proving.trusted.obligation import CLOCK, RLIMIT, Obligation
from arcproof.properties.proving.trusted.witness import SIZES, Witness, configurations, satisfied
from arcproof.properties.verdict import Counterexample, Verdict
from arcproof.transitions import syntax as s
from arcproof.transitions.bounds import Bound, NotLinear
from arcproof.transitions.errors import Contradiction
from arcproof.transitions.polynomial import Polynomial
from arcproof.transitions.printing.notation import SOURCE, claim_text, condition_text
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.redundancy import Redundancies

MOST_GOLD_GRAPHS: Final = 300
MOST_WORDS_OF_GOLD: Final = 3
MOST_RANKINGS: Final = 4
MOST_GOALS_SHOWN: Final = 3
ATTACK: Final = Sampling(100, 12)
GIVEN: Final = "given: "
LEMMA: Final = "lemma: "
SHARES: Final = (1, 2, 3)
"""How much of a bound a transition that is performed at most once for every two words may take."""
Say = Callable[[str], None]


def _nothing(_: str) -> None:
    return None


@dataclass(frozen=True)
class Theorem:
    """A claim, and how far it is proved.

    `invariant` are the conjuncts by name and in symbols; `obligations` everything that was shown; `assumptions` what was not; `solvers` those
    that discharged every obligation.  `kept` if it was proved earlier and taken from the cache; `seconds` are those of the proof.
    `failure` shows what an invariant lacks: a configuration in which a goal fails (`induction`).
    """

    claim: str
    verdict: Verdict
    detail: str
    seconds: float = 0.0
    invariant: tuple[tuple[str, str], ...] = ()
    obligations: tuple[Discharged, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    solvers: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    counterexample: Counterexample | None = None
    failure: Failure | None = None
    kept: bool = False

    @property
    def given(self) -> tuple[str, ...]:
        """The conjuncts that the specification gives."""
        return tuple(name.removeprefix(GIVEN) for name, _ in self.invariant if name.startswith(GIVEN))

    @property
    def lemmas(self) -> tuple[str, ...]:
        """What was proved on the way about gold graphs alone, without the configurations."""
        names = (done.obligation.name for done in self.obligations)
        return tuple(dict.fromkeys(name.removeprefix(LEMMA) for name in names if name.startswith(LEMMA)))


class Memory(Protocol):
    """Where theorems are kept (`store`)."""

    def recall(self, system: System, claim: str) -> Theorem | None:
        """A theorem that was proved earlier."""

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


@dataclass(frozen=True)
class Argument:
    """A problem with the candidates to search, and where its premises are to be shown satisfiable; `guided` if it is about an oracle's runs."""

    problem: Problem
    candidates: Sequence[Candidate]
    models: Callable[[int], Iterator[tuple[str, dict[str, object]]]]
    guided: Guided | None = None


@dataclass
class Prover:
    """The proofs about one system, with what they share; with `certificates` nothing is searched that is not in them."""

    system: System
    say: Say = _nothing
    rlimit: int = RLIMIT
    certificates: Certificates | None = None
    jobs: int = 1

    @cached_property
    def meanings(self) -> Meanings:
        """The system in symbols; `Unsupported` if it has no symbolic meaning, `WrongMeaning` if that is not what the interpreter does."""
        meanings = meanings_of(self.system)
        wrong = first_difference(meanings)
        if wrong is not None:
            raise WrongMeaning(f"{self.system.name}: {wrong}")
        return meanings

    @cached_property
    def levels(self) -> Levels:
        """Short sentences, by the interpreter."""
        return Levels(self.system, MOST_WORDS, MOST_CONFIGURATIONS * BYTES_A_CONFIGURATION)

    @cached_property
    def candidates(self) -> list[Candidate]:
        """The candidates that hold in short sentences; those of a certificate need not be picked out."""
        before, start = self.meanings.before, self.meanings.start
        whole = [*self.given, *candidates(before, start)]
        return whole if self.certificates is not None else thinned(whole, before, spaces(self.system))

    @cached_property
    def given(self) -> list[Candidate]:
        """The invariants of the specification; they are to be proved like any other candidate."""
        says = self.meanings.says
        return [
            Candidate(f"{GIVEN}{condition_text(condition, SOURCE)}", partial(says, condition), basic=True)
            for condition in dict.fromkeys(self.system.figure.invariants)
        ]

    @cached_property
    def found(self) -> dict[str, Certificate]:
        """What was searched and found."""
        return {}

    @cached_property
    def _discharged(self) -> dict[str, Discharged]:
        return {}

    def claim(self, claim: s.Claim) -> Theorem:
        """Prove one claim, or say why not."""
        began = time.perf_counter()
        text = claim_text(claim)
        self.say(text)
        try:
            theorem = self._claim(claim, text)
        except (Unsupported, NotLinear) as reason:
            theorem = Theorem(text, Verdict.UNKNOWN, f"unsupported: {reason}")
        return replace(theorem, seconds=time.perf_counter() - began)

    def invariant(self, condition: s.Condition) -> Theorem:
        """Prove an invariant of the specification, or say why not."""
        began = time.perf_counter()
        text = invariant_text(condition)
        self.say(text)
        refutation = check_invariant(self.levels, condition)
        if refutation.verdict is Verdict.REFUTED:
            theorem = Theorem(text, Verdict.REFUTED, refutation.detail, counterexample=refutation.counterexample)
        else:
            try:
                goal = Goal(text, (), self.meanings.says(condition, self.meanings.before))
                theorem = self.theorem(text, self.argument(problem_of(self.meanings, (goal,))))
            except Unsupported as reason:
                theorem = Theorem(text, Verdict.UNKNOWN, f"unsupported: {reason}")
        return replace(self.for_all_n(theorem), seconds=time.perf_counter() - began)

    def _claim(self, claim: s.Claim, text: str) -> Theorem:
        if claim.kind != "plain":
            return Theorem(text, Verdict.UNKNOWN, "only plain claims are proved; this one says that something fails")
        return self._refuted(claim, text) or self.for_all_n(self._confronted(claim, self._proved(claim, text)))

    def for_all_n(self, theorem: Theorem) -> Theorem:
        """The solvers speak of n >= 1; for n = 0 the interpreter must have tried everything."""
        if theorem.verdict is not Verdict.PROVED or next(self.levels.spaces(), None) is not None:
            return theorem
        detail = f"for n = 0 there are too many configurations; for n >= 1 {theorem.detail}"
        return replace(theorem, verdict=Verdict.UNKNOWN, detail=detail)

    @cached_property
    def level_zero(self) -> StateSpace | None:
        """The configurations without words; None if they are too many."""
        try:
            return explore(self.system, 0, limit=MOST_CONFIGURATIONS)
        except OutOfBounds:
            return None

    def _proved(self, claim: s.Claim, text: str) -> Theorem:
        match claim.statement:
            case s.Sound(graphs):
                return self.sound(text, self.system.class_with_parameters(graphs))
            case s.LengthBound() | s.CountBound():
                return self.ranked(text, demand_of(self.meanings, claim.statement))
            case s.Terminates():
                return self.terminates(text)
            case s.SpaceBound():
                return self.theorem(text, self.argument(space(self.meanings, claim.statement)))
            case s.Incremental():
                return self.theorem(text, self.argument(incremental(self.meanings, claim.statement)))
            case s.CompleteFor(graphs):
                return self.complete(text, self.system.class_with_parameters(graphs))
        return Theorem(text, Verdict.UNKNOWN, "there is no proof method for this kind of claim")

    # --- one method a kind of claim ----------------------------------------------------------------------------------

    def sound(self, text: str, graphs: s.GraphClass) -> Theorem:
        """Soundness for a class."""
        return self.theorem(text, self.argument(soundness(self.meanings, graphs)))

    def terminates(self, text: str = "terminates") -> Theorem:
        """That every run ends."""
        return self.ranked(text, TERMINATION)

    def ranked(self, text: str, demand: Demand) -> Theorem:
        """A claim about lengths: by a ranking alone, or with a transition that is performed at most once for every two words."""
        theorem = self._ranked(text, demand)
        if theorem.verdict is Verdict.PROVED or demand.relation != "<=":
            return theorem
        for name, bounded in self.performed_once.items():
            for share in SHARES:
                found = self._ranked(text, demand.sparing(name, share, MOST))
                if found.verdict is Verdict.PROVED:
                    return self._both(found, bounded)
        return theorem

    def best_length(self) -> tuple[str, Callable[[], Theorem]] | None:
        """A better bound on the length than the one claimed: the polynomial through the longest runs of short sentences, to be proved."""
        claimed = [c.statement for c in self.system.figure.claims if c.kind == "plain"]
        bounds = [c for c in claimed if isinstance(c, s.LengthBound) and c.relation == "<="]
        if not bounds:
            return None
        longest = [space.heaviest(lambda _: 1) for space in spaces(self.system)]
        attained = [found.weight for found in longest if isinstance(found, Heaviest)]
        polynomial = Polynomial.fitting(attained) if len(attained) == len(longest) else None
        if polynomial is None:
            return None
        known = Bound.of(bounds[0].bound, self.system)
        if not known.counts and all(known.at(n) == length for n, length in enumerate(attained, start=1)):
            return None
        text = f"length <= {polynomial} for n >= 1, which some run attains up to {len(attained)} words"
        return text, partial(self.ranked, text, replace(TERMINATION, polynomial=polynomial))

    def _ranked(self, text: str, demand: Demand) -> Theorem:
        """By the first ranking that can be proved."""
        theorem = Theorem(text, Verdict.UNKNOWN, "no ranking function of the shapes tried")
        plain = [c for c in self.candidates if not asks_for_a_witness(c.formula(self.meanings.before))]
        for ranking in islice(rankings(self.meanings, demand, spaces(self.system)), MOST_RANKINGS):
            self.say(f"{text}: {ranking}")
            argument = self.argument(ranking_problem(self.meanings, demand, ranking))
            theorem = self.theorem(text, replace(argument, candidates=plain))
            theorem = replace(theorem, detail=f"by V = {ranking}: {theorem.detail}")
            if theorem.verdict is Verdict.PROVED:
                break
        return theorem

    @cached_property
    def performed_once(self) -> dict[str, Theorem]:
        """The transitions that are performed at most once for every two words, each with the proof that it is at most n(n - 1)/2 times."""
        found: dict[str, Theorem] = {}
        for pair in pairs(self.meanings):
            name = pair.step.name
            if name not in found:
                self.say(f"#{name} <= n(n - 1)/2")
                basic = [c for c in self.candidates if c.basic]
                pool = [*basic, *memories(self.meanings, pair)]
                models = partial(remembered_runs, self.system, pair)
                theorem = self.theorem(str(pair), Argument(once(self.meanings, pair), pool, models))
                if theorem.verdict is Verdict.PROVED:
                    found[name] = replace(theorem, obligations=(*theorem.obligations, *self._discharge(counting())))
        return found

    def _both(self, theorem: Theorem, other: Theorem) -> Theorem:
        """A theorem that rests on another."""
        whole = (*theorem.obligations, *other.obligations)
        invariant = tuple(dict.fromkeys((*theorem.invariant, *other.invariant)))
        found = judged(theorem.claim, whole, (*theorem.witnesses, *other.witnesses), invariant)
        return replace(found, detail=f"{other.claim}; {theorem.detail.partition(': ')[0]}: {found.detail}")

    def complete(self, text: str, graphs: s.GraphClass) -> Theorem:
        """Completeness by the first oracle that can be proved to lead to every graph of the class."""
        ends = self.terminates()
        if ends.verdict is not Verdict.PROVED:
            return Theorem(text, Verdict.UNKNOWN, f"that the oracle's run ends is open: {ends.detail}")
        theorem = Theorem(text, Verdict.UNKNOWN, "the figure has no oracle")
        for oracle in self.system.figure.oracles:
            try:
                theorem = self._complete_by(text, graphs, oracle, ends)
            except Unsupported as reason:
                theorem = Theorem(text, Verdict.UNKNOWN, f"oracle {oracle.name}: unsupported: {reason}")
            if theorem.verdict is Verdict.PROVED:
                break
        return theorem

    def _complete_by(self, text: str, graphs: s.GraphClass, oracle: s.Oracle, ends: Theorem) -> Theorem:
        sound = self._best_soundness()
        if sound.verdict is not Verdict.PROVED:
            return Theorem(text, Verdict.UNKNOWN, f"the invariant of soundness is open: {sound.detail}")
        small = list(gold_graphs(self.system, graphs, MOST_WORDS_OF_GOLD))
        differently = first_oracle_difference(self.meanings, oracle, small)
        if differently is not None:
            raise WrongMeaning(f"{text}: {differently}")
        axioms = gold_axioms(self.meanings, graphs, oracle)
        wrong = false_axiom(self.system, graphs, premises(axioms))
        if wrong is not None:
            raise WrongAxiom(f"{text}: {wrong}")
        proved = lemmas(axioms)
        steps = self._discharge(proofs(axioms, proved))
        given = [c for c in self.candidates if c.name in dict(sound.invariant)]
        on_file = instances(self.meanings.before)
        problem = completeness(self.meanings, oracle, as_given(axioms, proved), given, on_file.lemmas)
        pool = on_file.guesses
        guesses = pool if self.certificates is not None else thinned_by_runs(self.meanings, graphs, oracle, pool)
        hinted = {name for c in (*guesses, *(lemma.candidate for lemma in on_file.lemmas)) for name in c.hints}
        basic = [c for c in self.candidates if (c.basic or c.name in hinted) and c not in given]
        runs = partial(_oracle_models, self.system, graphs, oracle)
        guided = Guided(partial(gold_graphs, self.system, graphs), partial(oracle_run, self.system, oracle))
        theorem = self.theorem(text, Argument(problem, [*basic, *guesses], runs, guided))
        whole = (*sound.obligations, *ends.obligations, *steps, *theorem.obligations)
        if theorem.verdict is not Verdict.PROVED:
            return replace(theorem, detail=f"oracle {oracle.name}: {theorem.detail}")
        found = judged(text, whole, theorem.witnesses, theorem.invariant)
        return replace(found, detail=f"by the oracle {oracle.name}, which ends ({ends.detail}): {found.detail}")

    def _best_soundness(self) -> Theorem:
        """Soundness for the strongest class claimed, or for forests."""
        claimed = [
            c.statement.graphs
            for c in self.system.figure.claims
            if c.kind == "plain" and isinstance(c.statement, s.Sound)
        ]
        for graphs in (*claimed, s.GraphClass((), "forests")):
            try:
                theorem = self.sound("soundness", self.system.class_with_parameters(graphs))
            except Unsupported as reason:
                theorem = Theorem("soundness", Verdict.UNKNOWN, f"unsupported: {reason}")
            if theorem.verdict is Verdict.PROVED:
                break
        return theorem

    # --- what all have in common -------------------------------------------------------------------------------------

    def argument(self, problem: Problem) -> Argument:
        """A problem about all runs."""
        return Argument(problem, self.candidates, partial(_run_models, self.system))

    def theorem(self, text: str, argument: Argument) -> Theorem:
        """Search an invariant for the goals, discharge everything, and make sure that it is not empty talk."""
        if self.certificates is not None:
            return self._on_file(text, argument, self.certificates.get(identity(argument.problem)))
        found = self._search(argument)
        if found.failed:
            return self._open(text, found, argument)
        certificate = Certificate(found.invariant, found.lemmas, found.cores)
        self.found[identity(argument.problem)] = certificate
        return self._checked(text, argument, certificate)

    def _on_file(self, text: str, argument: Argument, certificate: Certificate | None) -> Theorem:
        if certificate is None:
            return Theorem(text, Verdict.UNKNOWN, "there is no certificate for it on file")
        try:
            return self._checked(text, argument, certificate)
        except Incomplete as reason:
            return Theorem(text, Verdict.UNKNOWN, f"the certificate on file does not fit: {reason}")

    def _checked(self, text: str, argument: Argument, certificate: Certificate) -> Theorem:
        """What the certificate says is discharged, all of it, and its premises are satisfiable; what is not proved may well be false in a run."""
        problem = argument.problem
        done = self._discharge(obligations(problem, certificate, argument.candidates))
        pool = {c.name: c for c in argument.candidates}
        words = wording(self.system.figure.state)
        invariant = tuple((name, to_text(pool[name].formula(problem.before), words)) for name in certificate.invariant)
        if not solvers_of(done):
            return judged(text, tuple(done), (), invariant)
        held = [*(pool[name] for name in certificate.invariant), *problem.known(at_the_start=False).values()]
        premises = [c.formula(problem.before) for c in held] + [term for _, term in problem.axioms]
        seen = [w for size in SIZES for w in satisfied(size, argument.models(size), problem.cases, premises)]
        return judged(text, tuple(done), tuple(seen), invariant)

    def _search(self, argument: Argument) -> Found:
        problem, pool = argument.problem, argument.candidates
        named = [(goal.name, goal.term) for goal in problem.goals] + [(c.name, c.formula(problem.before)) for c in pool]
        named += [premise for goal in problem.goals for premise in goal.premises]
        named += [premise for move in problem.moves for premise in move.premises]
        named += [(c.name, c.formula(problem.before)) for c in problem.known(at_the_start=False).values()]
        named += [(lemma.name, lemma.candidate.formula(problem.before)) for lemma in problem.lemmas]
        key = "\n".join(f"{name}: {to_smt(term)}" for name, term in named)
        if key not in self._searched:
            specimens = Specimens(self.system, problem, pool, argument.guided)
            self._searched[key] = search(problem, pool, self.rlimit, self.say, self._steady, specimens.refute)
        return self._searched[key]

    @cached_property
    def _searched(self) -> dict[str, Found]:
        return {}

    def _steady(self, obligation: Obligation) -> bool:
        """Whether every solver under every seed discharges an obligation; what is found is kept."""
        if obligation.digest not in self._discharged:
            entry = discharge_steadily(obligation, self.rlimit)
            if entry is None:
                return False
            self._discharged[obligation.digest] = entry
        return all(self._discharged[obligation.digest].by(solver) for solver in ("z3", "cvc5"))

    def _discharge(self, todo: Sequence[Obligation]) -> list[Discharged]:
        new = [obligation for obligation in todo if obligation.digest not in self._discharged]
        for entry in discharge_all(new, self.say, self.rlimit, self.jobs):
            self._discharged[entry.obligation.digest] = entry
        return [self._discharged[obligation.digest] for obligation in todo]

    def _open(self, text: str, found: Found, argument: Argument) -> Theorem:
        """What the invariant lacks: a goal that fails, if possible with the configuration in which it does."""
        left = [c for c in argument.candidates if c.name in found.left]
        goals = [goal for goal in argument.problem.goals if goal.name in found.failed][:MOST_GOALS_SHOWN]
        failures = (smallest_failure(self.system, argument.problem, goal, left, argument.guided) for goal in goals)
        smallest = min((f for f in failures if f is not None), key=lambda f: f.words, default=None)
        said = "; ".join(f"{name}: {result.answer} {result.reason}".strip() for name, result in found.failed.items())
        detail = f"not proved from the candidates that are preserved: {said}"
        if smallest is None:
            return Theorem(text, Verdict.UNKNOWN, detail)
        verdict = Verdict.UNKNOWN if smallest.reached else Verdict.UNREACHED
        return Theorem(text, verdict, f"{detail}; {smallest}", failure=smallest)

    def _refuted(self, claim: s.Claim, text: str) -> Theorem | None:
        """A run or a graph that refutes the claim: all of a few words, random ones of some more."""
        outcome = check_statement(self.levels, claim.statement)
        check = run_check(self.system, claim.statement)
        if outcome.verdict is not Verdict.REFUTED and check is not None:
            outcome = sample_runs(self.system, {text: check}, ATTACK)[text]
        if outcome.verdict is not Verdict.REFUTED:
            return None
        return Theorem(text, Verdict.REFUTED, outcome.detail, counterexample=outcome.counterexample)

    def _confronted(self, claim: s.Claim, theorem: Theorem) -> Theorem:
        """A goal that is part of the claim and fails in a configuration that a run reaches: then the claim is refuted there."""
        direct = isinstance(claim.statement, s.Sound | s.SpaceBound | s.Incremental)
        failure = theorem.failure
        if not direct or failure is None or not failure.reached:
            return theorem
        levels = Levels(self.system, failure.words, MOST_EXPLORED * BYTES_A_CONFIGURATION)
        found = check_statement(levels, claim.statement)
        if found.verdict is not Verdict.REFUTED:
            raise WrongMeaning(f"{theorem.claim}: the solvers say, {failure}; the interpreter finds nothing wrong")
        return replace(theorem, verdict=found.verdict, detail=found.detail, counterexample=found.counterexample)


class WrongMeaning(Contradiction):
    """The symbolic meaning is not what the interpreter does."""


class WrongAxiom(Contradiction):
    """An axiom of a class is false of a graph of that class: what would be proved is less than what is said."""


def _run_models(system: System, words: int) -> Iterator[tuple[str, dict[str, object]]]:
    """The configurations of random runs."""
    for c in configurations(system, words):
        yield str(c), model_of(system, c)


def _oracle_models(
    system: System, graphs: s.GraphClass, oracle: s.Oracle, words: int
) -> Iterator[tuple[str, dict[str, object]]]:
    """The configurations on the way to gold graphs, with the gold graphs."""
    for gold in islice(gold_graphs(system, graphs, words), MOST_GOLD_GRAPHS):
        wanted = gold_model(gold)
        for c in oracle_run(system, oracle, gold):
            yield f"{c} with gold {gold.graph}", {**model_of(system, c), **wanted}


def judged(
    text: str, done: tuple[Discharged, ...], seen: tuple[Witness, ...], invariant: tuple[tuple[str, str], ...]
) -> Theorem:
    """The verdict on a complete set of obligations."""
    solvers = solvers_of(done)
    theorem = Theorem(text, Verdict.UNKNOWN, "", invariant=invariant, obligations=done, witnesses=seen, solvers=solvers)
    if not done:
        return replace(theorem, detail="there is nothing to show")
    if not solvers:
        hard = next(entry for entry in done if not (entry.by("z3") and entry.by("cvc5")))
        return replace(
            theorem, detail=f"no solver discharges every obligation; one that is open: {hard.obligation.name}"
        )
    idle = sorted({w.move for w in seen} - {w.move for w in seen if w.configuration is not None})
    sizes = {w.words for w in seen if w.configuration is not None}
    if not seen or idle:
        what = ", ".join(idle) or "anything"
        return replace(theorem, detail=f"no configuration of a run was found that satisfies the premises with {what}")
    if len(sizes) < 2:
        return replace(theorem, detail="the premises are satisfied with one number of words only")
    only = "" if len(solvers) == 2 else f"; by {solvers[0]} only"
    detail = f"{len(done)} obligations, {len(invariant)} conjuncts{only}"
    return replace(theorem, verdict=Verdict.PROVED, detail=detail)


def prove(
    system: System,
    say: Say = _nothing,
    memory: Memory | None = None,
    preconditions: bool = False,
    certificates: Certificates | None = None,
    jobs: int = 1,
) -> ProofReport:
    """Prove every claim of a figure, and if asked which preconditions are redundant; what the memory has is not proved again."""
    began = time.perf_counter()
    prover = Prover(system, say, certificates=certificates, jobs=jobs)
    todo = {claim_text(claim): partial(prover.claim, claim) for claim in system.figure.claims}
    todo |= {invariant_text(c): partial(prover.invariant, c) for c in system.figure.invariants}
    theorems = tuple(recalled(system, text, memory, proved) for text, proved in todo.items())
    better = _better_length(prover, memory)
    theorems = theorems if better is None else (*theorems, better)
    found = _redundancies(prover, memory) if preconditions else None
    return ProofReport(system, theorems, time.perf_counter() - began, found, prover.found)


def _better_length(prover: Prover, memory: Memory | None) -> Theorem | None:
    """A bound that nobody claimed is shown only if it is proved."""
    try:
        better = prover.best_length()
    except (Unsupported, NotLinear):
        return None
    if better is None:
        return None
    theorem = recalled(prover.system, better[0], memory, better[1])
    return theorem if theorem.verdict is Verdict.PROVED else None


def _redundancies(prover: Prover, memory: Memory | None) -> "Redundancies | None":
    from arcproof.properties.proving.redundancy import redundancies

    try:
        return redundancies(prover, memory)
    except Unsupported:
        return None


def recalled(system: System, claim: str, memory: Memory | None, proved: Callable[[], Theorem]) -> Theorem:
    """A theorem from the memory, or else proved and kept there; what is open is kept only if the clock had no part in that."""
    known = None if memory is None else memory.recall(system, claim)
    if known is not None:
        return known
    theorem = proved()
    if memory is not None and (theorem.verdict is Verdict.PROVED or not CLOCK.has_decided):
        memory.keep(system, theorem)
    return theorem
