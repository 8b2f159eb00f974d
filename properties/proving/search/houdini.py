"""Find an inductive invariant for given goals among candidates.

The search goes backwards from the goals: a goal is proved from all candidates that are left, with Z3 or else with cvc5;
the solver's core says which of them it used; each of those must be preserved by every move, which is again proved from
all that are left; and so on.  If this exact problem has a certificate, a step is first tried from the premises that the
certificate names.  A candidate that cannot be proved is discarded, together with everything that was proved from it.
This is Houdini (Flanagan & Leino 2001), but only candidates that some goal needs are ever tried.  An `unknown` discards
a candidate just as a `sat` does, and so does a proof that is not *steady*, that is, one that depends on the seed or the
solver, if no other is found.

The search is not trusted: it returns a list of obligations with exactly the premises used, and the proof consists in
discharging these again, each by itself (`discharge`).
"""

from collections import ChainMap, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice, product
from typing import Final, Literal, TypeAlias

from arcproof.process.progress import Say, silent
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.search.advice import Advice, no_advice
from arcproof.properties.proving.search.mining import MINED
from arcproof.properties.proving.search.opinions import Opinions
from arcproof.properties.proving.trusted.facts import Candidate, Lemma, no_two_of_one_name
from arcproof.properties.proving.trusted.obligation import Obligation
from arcproof.properties.proving.trusted.problem import (
    AfterMove,
    AtStart,
    ForGoal,
    ForLemma,
    Key,
    Problem,
    key_shown,
    key_texts,
    obligation_of,
)
from arcproof.properties.proving.trusted.solvers import Clock, Result

Refute = Callable[[Key, Container[str]], bool]
Holds: TypeAlias = Callable[[Obligation, bool], bool]
"""Whether both solvers discharge an obligation; if the second argument is true, *steadily*: under every seed that is
worth trying.
"""
Begin: TypeAlias = Callable[[Obligation, bool], None]
"""Starts the same call in other processes, if there are any, because the answer may be needed."""
Way: TypeAlias = Literal["matching", "models", "cvc5"]
"""How to ask: Z3 that instantiates by matching alone, Z3 that also looks for models, or cvc5 for a short while."""
WAYS: Final[tuple[Way, ...]] = ("matching", "models", "cvc5")
MOST_AHEAD: Final = 8
"""The number of steps that are scanned for ones that have not begun."""
MOST_AGAIN: Final = 8
"""The number of attempts that are repeated with the whole budget."""


@dataclass
class Search:
    """The state of the search."""

    problem: Problem
    pool: dict[str, Candidate]
    rlimit: int
    say: Say = silent
    holds: Holds = lambda _, __: True
    refute: Refute = lambda _, __: False
    clock: Clock = field(default_factory=Clock)
    opinions: Opinions = field(default_factory=Opinions)
    advice: Advice = no_advice
    begin: Begin = lambda _, __: None
    certified: Mapping[Key, tuple[str, ...]] = field(default_factory=dict)
    proved: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    thrown_out: dict[str, str] = field(default_factory=dict)
    failed: dict[str, Result] = field(default_factory=dict)
    asked: int = 0
    waiting: dict[str, Candidate] = field(default_factory=dict)
    witnesses: dict[str, bool] = field(default_factory=dict)
    lemmas: dict[str, Lemma] = field(default_factory=dict)
    careful: set[Key] = field(default_factory=set)
    begun: set[Key] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Let each candidate that follows from another wait until that one is discarded."""
        self.lemmas = dict(self._with_premises())
        self.waiting = {name: c for name, c in self.pool.items() if any(other in self.pool for other in c.stronger)}
        self.pool = {name: c for name, c in self.pool.items() if name not in self.waiting}

    @property
    def _every(self) -> Mapping[str, Candidate]:
        """The remaining candidates, including those that wait; the latter are used only if a lemma names them."""
        return ChainMap(self.pool, self.waiting)

    def _with_premises(self) -> Iterator[tuple[str, Lemma]]:
        """Yield the lemmas whose premises exist, at least as candidates."""
        there = {*self.pool, *self.problem.known(at_the_start=False)}
        for lemma in self.problem.lemmas:
            if there.issuperset(lemma.candidate.hints):
                there.add(lemma.name)
                yield lemma.name, lemma

    def run(self) -> "FoundInvariant":
        """Search until every goal is proved from an invariant, or some goal cannot be."""
        while (key := next(self.open_steps(), None) or next(self._unsteady(), None)) is not None:
            if self.failed and not isinstance(key, ForGoal) and self._mined():
                break  # what is lost, and where, is reported for the search without mined clauses
            self._try(key)
        needed = self._needed()
        no_two_of_one_name([*self.problem.known(at_the_start=False), *needed])
        cores = {key: core for key, core in self.proved.items() if isinstance(key, ForGoal) or key.name in needed}
        invariant = tuple(name for name in needed if name in self._every)
        used = tuple(name for name in self.lemmas if name in needed)
        return FoundInvariant(
            invariant, used, cores, dict(self.failed), tuple(self.pool), self.asked, self.clock.has_decided
        )

    def open_steps(self) -> Iterator[Key]:
        """Yield the steps that are still to be proved, in order."""
        for goal in self.problem.goals:
            key = ForGoal(goal.name)
            if key not in self.proved and goal.name not in self.failed:
                yield key
        for name in self._needed():
            moves: list[Key] = [AtStart(name), *(AfterMove(name, move.name) for move in self.problem.moves)]
            keys: list[Key] = [ForLemma(name)] if name in self.lemmas else moves
            yield from (key for key in keys if key not in self.proved)

    def _unsteady(self) -> Iterator[Key]:
        """Yield, once everything is proved, the steps whose proof depends on the seed; a different proof of each is
        sought, once.
        """
        needed = set(self._needed())
        if self.failed:
            return
        used = [(key, core) for key, core in self.proved.items() if isinstance(key, ForGoal) or key.name in needed]
        unsure = [(key, core) for key, core in used if key not in self.careful]
        for key, core in unsure:
            self.begin(self.obligation(key, core).only(core), True)
        for key, core in unsure:
            self.careful.add(key)
            if not self.is_steady(key, core):
                del self.proved[key]
                yield key

    def is_steady(self, key: Key, core: tuple[str, ...]) -> bool:
        """Whether both solvers prove a step from these premises, steadily."""
        return self.holds(self.obligation(key, core).only(core), True)

    def _needed(self) -> list[str]:
        """The candidates and lemmas that the goals rest on, directly or not, as far as that is known."""
        found: dict[str, None] = {}
        there = {*self.pool, *self.waiting, *self.lemmas}
        shown: dict[str, list[Key]] = {}
        for key in self.proved:
            if not isinstance(key, ForGoal):
                shown.setdefault(key.name, []).append(key)
        todo: list[Key] = [key for key in self.proved if isinstance(key, ForGoal)]
        while todo:
            for used in self.proved[todo.pop()]:
                if used in there and used not in found:
                    found[used] = None
                    todo += shown.get(used, ())
        return list(found)

    def _try(self, key: Key) -> None:
        self._look_ahead()
        result = self.answer(key)
        if result.core is not None:
            self.proved[key] = result.core
            self.say(f"{key_shown(key)}: {result.seconds:.2f} s from {len(result.core)}")
        elif isinstance(key, ForGoal):
            self.failed[key.name] = result
            self.say(f"goal {key.name}: {result.answer} {result.reason} after {result.seconds:.2f} s")
        else:
            _, where = key_texts(key)
            self.throw_out(key.name, f"{where}: {result.answer} {result.reason}".strip())
            self.say(f"thrown out: {key_shown(key)}: {result.answer} {result.reason} after {result.seconds:.2f} s")

    def _look_ahead(self) -> None:
        """Ask solvers in other processes, if there are any, about the steps that come next."""
        if not self.opinions.calls.side_by_side:
            return
        for key in islice(self.open_steps(), MOST_AHEAD):
            if key not in self.begun:
                self.begun.add(key)
                core = self.certified.get(key)
                if core is not None and all(name in self._every or name in self.lemmas for name in _own(key)):
                    self.begin(self.obligation(key, core).only(core), False)
                else:
                    self._begin(key, next(self._attempts(key), None), self.rlimit // 10)

    def _begin(self, key: Key, attempt: tuple[list[str], Way] | None, budget: int) -> None:
        if attempt is None:
            return
        premises, way = attempt
        if way == "cvc5":
            self.opinions.cvc5.begin(self.obligation(key, premises))
        else:
            self.opinions.z3.begin(self.obligation(key, premises), budget, mbqi=way == "models")

    def answer(self, key: Key) -> Result:
        """The first steady proof, with its core; for goals and lemmas, which have no alternatives, any proof if there
        is no steady one.
        """
        certified = self._from_certificate(key)
        if certified is not None:
            return certified
        last = Result("z3", "unknown", 0.0, "a premise it names is missing")
        unsteady: Result | None = None
        for number, (budget, (premises, way)) in enumerate(self._some_ahead(key)):
            if number == 1 and unsteady is None and self.refute(key, self.pool):
                return replace(last, answer="sat", reason="a small configuration refutes it")
            if budget >= self.rlimit and unsteady is not None:
                break
            obligation = self.obligation(key, premises)
            last = self._ask(obligation, way, budget)
            if last.core is not None and self.holds(obligation.only(last.core), key in self.careful):
                return last
            unsteady = last if last.core is not None else unsteady
        if unsteady is None:
            return last
        if isinstance(key, ForGoal | ForLemma):
            return unsteady
        return replace(unsteady, answer="unknown", core=None, reason="no steady proof")

    def _from_certificate(self, key: Key) -> Result | None:
        """A proof from exactly the premises that a certificate of this problem names, if they suffice."""
        core = self.certified.get(key)
        if core is None or not all(name in self._every or name in self.lemmas for name in _own(key)):
            return None
        obligation = self.obligation(key, core).only(core)
        if {name for name, _ in obligation.premises} != set(core) or not self.holds(obligation, key in self.careful):
            return None
        return Result("z3", "unsat", 0.0, core=core)

    def _some_ahead(self, key: Key) -> Iterator[tuple[int, tuple[list[str], Way]]]:
        """Yield what to try; after a first failure, later attempts are started in other processes, if there are any."""
        rounds = self._rounds(key)
        if not self.opinions.calls.side_by_side:
            yield from rounds
            return
        yield from islice(rounds, 2)
        coming: deque[tuple[int, tuple[list[str], Way]]] = deque()
        for budget, attempt in rounds:
            self._begin(key, attempt, budget)
            coming.append((budget, attempt))
            if len(coming) > self.opinions.calls.jobs:
                yield coming.popleft()
        yield from coming

    def _rounds(self, key: Key) -> Iterator[tuple[int, tuple[list[str], Way]]]:
        """Yield what to try, with the budget: everything with a small one, then some of it with a larger one."""
        again: list[tuple[list[str], Way]] = []
        for attempt in self._attempts(key):
            if attempt[1] == "matching":
                again.append(attempt)
            yield self.rlimit // 10, attempt
        yield from ((2 * self.rlimit, attempt) for attempt in self._thorough(key))
        yield from ((self.rlimit, attempt) for attempt in again[:MOST_AGAIN])

    def _ask(self, obligation: Obligation, way: Way, budget: int) -> Result:
        self.asked += 1
        if way == "cvc5":
            return self.opinions.cvc5.ask(obligation)
        result = self.opinions.z3.ask(obligation, budget, mbqi=way == "models")
        self.clock.see(result.reason)
        return result

    def throw_out(self, name: str, why: str) -> None:
        """Continue without a candidate or lemma, and without everything that was proved from it."""
        self.pool.pop(name, None)
        self.waiting.pop(name, None)
        self.lemmas.pop(name, None)
        self.thrown_out[name] = why
        self.begun = set()
        alive = {*self.pool, *self.waiting}
        freed = {other: c for other, c in self.waiting.items() if alive.isdisjoint(c.stronger)}
        self.pool.update(freed)
        self.waiting = {other: c for other, c in self.waiting.items() if other not in freed}
        self.failed = {}
        self.proved = {
            key: core
            for key, core in self.proved.items()
            if name not in core and (isinstance(key, ForGoal) or key.name != name)
        }

    def _attempts(self, key: Key) -> Iterator[tuple[list[str], Way]]:
        """Yield premises to try, few before many, and how to ask.

        Candidates with an `exists` make solvers diverge: try without them, then with one, then with two.  Candidates
        that the specification gives are there for a reason and are always tried.  Those that are mined are tried
        together.
        """
        known = self.problem.known(at_the_start=isinstance(key, AtStart))
        available = {*self.pool, *known, *self.lemmas}
        if isinstance(key, ForLemma):
            available |= self.waiting.keys()  # a lemma may name a candidate that follows from a stronger one
        own = _own(key)
        hints = [hint for name in own for hint in self._hints(name)]
        there = [name for name in hints if name in available]
        if isinstance(key, ForLemma) and len(there) < len(hints):
            return
        if there or isinstance(key, ForLemma):
            yield from (([*there, *own], way) for way in WAYS)
        if isinstance(key, ForLemma):
            return
        for core in self.advice(key):
            yield list(dict.fromkeys((*(name for name in core if name in available), *own))), "matching"
        mined = self._mined()
        others = {name: c for name, c in self.pool.items() if c.source != MINED}
        searching = [name for name, c in others.items() if c.given is None and self._asks_for_a_witness(name)]
        plain = [name for name in self.pool if name in own or (name in others and name not in searching)]
        plain += [name for name in own if name in self.waiting]
        given = list(known)
        basic = {c.name for c in (*self.pool.values(), *known.values()) if c.basic} | {*own}
        lean = [name for name in (*plain, *given) if name in basic]
        yield lean, "matching"
        if mined:
            yield [*lean, *mined], "matching"
        yield from ((names, "matching") for names in self._with_facts(key, lean))
        ladder = [lean, [*plain, *(name for name in given if name in basic)], *([[*plain, *given]] if given else [])]
        yield from ((names, "matching") for names in ladder[1:])
        if isinstance(key, ForGoal):
            yield from (([*lean, fact], "matching") for fact in reversed(self._facts()))
            yield [*lean, *self._facts()], "matching"
        if mined:
            return
        yield from ((names, "cvc5") for names in ladder)
        if isinstance(key, AtStart):
            return
        finding = [name for name in self.lemmas if self._is_offered(name) and self._asks_for_a_witness(name)]
        yield from (([*few, name], "matching") for few, name in product(ladder, finding))
        rivals = [name for name in searching if name not in own]
        ways: tuple[Way, ...] = ("matching", "cvc5")
        for way, few, size in product(ways, ladder[:2], (1, 2)):
            if few is lean or (size == 1 and way == "cvc5"):
                for some in combinations(rivals, size):
                    yield [*few, *some], way

    def _thorough(self, key: Key) -> Iterator[tuple[list[str], Way]]:
        """Yield the mined candidates, with everything that is known; this may take long."""
        mined = self._mined()
        if mined and isinstance(key, ForGoal | AfterMove):
            known = self.problem.known(at_the_start=False)
            basic = [name for name, c in self.pool.items() if c.basic]
            for way in ("matching", "models"):
                yield (
                    list(dict.fromkeys((*basic, *mined, *known, *(name for name in _own(key) if name in self._every)))),
                    way,
                )

    def _mined(self) -> list[str]:
        return [name for name, c in self.pool.items() if c.source == MINED]

    def _with_facts(self, key: Key, lean: list[str]) -> Iterator[list[str]]:
        """Yield premises with lemmas: with all of them; or for a goal, whose own premises are often enough, with each
        lemma in turn and the facts without quantifiers.
        """
        facts = [] if isinstance(key, AtStart) else self._facts()
        if isinstance(key, ForGoal):
            ground = [name for name in lean if not self._quantifies(name)]
            yield from ([*ground, fact] for fact in reversed(facts))
        elif facts:
            yield [*lean, *facts]

    def _facts(self) -> list[str]:
        """The lemmas without an `exists`."""
        return [name for name in self.lemmas if self._is_offered(name) and not self._asks_for_a_witness(name)]

    def _is_offered(self, name: str) -> bool:
        """Whether a lemma may be used for anything but the proofs of lemmas."""
        return not self.lemmas[name].step

    def _candidate(self, name: str) -> Candidate | None:
        return self.lemmas[name].candidate if name in self.lemmas else self._every.get(name)

    def _hints(self, name: str) -> tuple[str, ...]:
        candidate = self._candidate(name)
        return () if candidate is None else candidate.hints

    def _quantifies(self, name: str) -> bool:
        candidate = self._candidate(name) or self.problem.known(at_the_start=False)[name]
        return any(isinstance(node, t.QuantifiedTerm) for node in t.subterms(candidate.formula(self.problem.before)))

    def _asks_for_a_witness(self, name: str) -> bool:
        if name not in self.witnesses:
            candidate = self._candidate(name)
            assert candidate is not None
            self.witnesses[name] = asks_for_a_witness(candidate.formula(self.problem.before))
        return self.witnesses[name]

    def obligation(self, key: Key, premises: Sequence[str]) -> Obligation:
        """What is to be proved, from these candidates and lemmas."""
        every = self._every
        assumed = [every[name] for name in premises if name in every]
        return obligation_of(self.problem, key, assumed, every, tuple(self.lemmas), premises)


def _own(key: Key) -> tuple[str, ...]:
    """The name of the candidate or lemma that is to be shown; a goal is neither."""
    return () if isinstance(key, ForGoal) else (key.name,)


def asks_for_a_witness(term: Term) -> bool:
    """Whether there is an `exists` in a formula."""
    return any(isinstance(node, t.QuantifiedTerm) and node.quantifier == "exists" for node in t.subterms(term))


@dataclass(frozen=True)
class FoundInvariant:
    """What the search found: an invariant, the lemmas used, and the premises that each step of the proof uses.

    `failed` are the goals that were not proved, with what the solver said; then there is no proof.  `timed_out` if the
    clock ended a solver call.
    """

    invariant: tuple[str, ...]
    lemmas: tuple[str, ...]
    cores: dict[Key, tuple[str, ...]]
    failed: dict[str, Result]
    left: tuple[str, ...]
    asked: int
    timed_out: bool = False


def search(
    problem: Problem,
    candidates: Iterable[Candidate],
    rlimit: int,
    say: Say = silent,
    holds: Holds = lambda _, __: True,
    refute: Refute = lambda _, __: False,
    clock: Clock | None = None,
    opinions: Opinions | None = None,
    advice: Advice = no_advice,
    begin: Begin = lambda _, __: None,
    certified: Mapping[Key, tuple[str, ...]] | None = None,
) -> FoundInvariant:
    """The invariant for the goals of a problem; `refute` may recognise that something does not follow from the
    candidates that are left.
    """
    pool = {candidate.name: candidate for candidate in candidates}
    clock, opinions = clock or Clock(), opinions or Opinions()
    return Search(problem, pool, rlimit, say, holds, refute, clock, opinions, advice, begin, certified or {}).run()
