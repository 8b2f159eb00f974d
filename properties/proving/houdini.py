"""Find an inductive invariant for given goals among candidates.

A *problem* has a start, moves, and goals that must follow from the invariant (each with premises of its own, such as that the configuration is
terminal).  An invariant is a set of candidates that hold at the start and that every move preserves.

The search goes backwards from the goals: prove a goal from all candidates that are left; the solver's core says which of them it used;
each of those must be preserved by every move, again from all that are left; and so on.  A candidate that cannot be proved is thrown out, together with
what was proved from it.  This is Houdini (Flanagan & Leino 2001), but only candidates that some goal needs are ever tried.  An `unknown` throws
a candidate out as a `sat` does.

The search is not trusted: what it returns is a list of obligations with exactly the premises used, and the proof is that they are discharged
again, each by itself (`discharge`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

from arcproof.properties.proving import terms as t
from arcproof.properties.proving.obligation import Obligation, Premise, Result, ask_z3
from arcproof.properties.proving.state import WORDS, State
from arcproof.properties.proving.templates import Candidate
from arcproof.properties.proving.terms import Term

AT_THE_START = "start"
WORDS_PREMISE: Premise = ("n ≥ 1", t.at_most(1, WORDS))


@dataclass(frozen=True)
class Move:
    """A step of the runs that are reasoned about: when it happens, and the state after it."""

    name: str
    premises: tuple[Premise, ...]
    after: State


@dataclass(frozen=True)
class Goal:
    """Something to be proved of every configuration that is reached and satisfies the premises."""

    name: str
    premises: tuple[Premise, ...]
    term: Term


@dataclass(frozen=True)
class Problem:
    """A start, moves, goals; the axioms hold everywhere."""

    axioms: tuple[Premise, ...]
    before: State
    start: State
    moves: tuple[Move, ...]
    goals: tuple[Goal, ...]


Key = tuple[str, str]
"""What is to be proved: ("goal", its name) or (a candidate, a move or the start)."""


@dataclass
class Search:
    """The state of the search."""

    problem: Problem
    pool: dict[str, Candidate]
    rlimit: int
    say: Callable[[str], None] = lambda _: None
    proved: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    thrown_out: dict[str, str] = field(default_factory=dict)
    failed: dict[str, Result] = field(default_factory=dict)
    asked: int = 0
    waiting: dict[str, Candidate] = field(default_factory=dict)
    witnesses: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """A candidate that follows from another waits until that one is thrown out."""
        self.waiting = {name: c for name, c in self.pool.items() if c.stronger in self.pool}
        self.pool = {name: c for name, c in self.pool.items() if name not in self.waiting}

    def run(self) -> "Found":
        """Search until every goal is proved from an invariant, or some goal cannot be."""
        while (key := next(self._open(), None)) is not None:
            self._try(key)
        needed = tuple(self._needed())
        cores = {key: core for key, core in self.proved.items() if key[0] == "goal" or key[0] in needed}
        return Found(needed, cores, dict(self.failed), tuple(self.pool), self.asked)

    def _open(self) -> Iterator[Key]:
        for goal in self.problem.goals:
            key = ("goal", goal.name)
            if key not in self.proved and goal.name not in self.failed:
                yield key
        for name in self._needed():
            for where in (AT_THE_START, *(move.name for move in self.problem.moves)):
                if (name, where) not in self.proved:
                    yield name, where

    def _needed(self) -> list[str]:
        """The candidates that the goals rest on, directly or not, as far as that is known."""
        found: dict[str, None] = {}
        todo = [key for key in self.proved if key[0] == "goal"]
        while todo:
            for used in self.proved[todo.pop()]:
                if used in self.pool and used not in found:
                    found[used] = None
                    todo += [key for key in self.proved if key[0] == used]
        return list(found)

    def _try(self, key: Key) -> None:
        for premises, mbqi in self._attempts(key):
            result = ask_z3(self.obligation(key, premises), self.rlimit, core=True, mbqi=mbqi)
            self.asked += 1
            if result.answer == "unsat":
                break
        if result.answer == "unsat":
            assert result.core is not None
            self.proved[key] = result.core
            self.say(f"{key[0]} × {key[1]}: {result.seconds:.2f} s from {len(result.core)}")
        elif key[0] == "goal":
            self.failed[key[1]] = result
            self.say(f"goal {key[1]}: {result.answer} {result.reason} after {result.seconds:.2f} s")
        else:
            self._throw_out(key[0], f"{key[1]}: {result.answer} {result.reason}".strip())
            self.say(f"thrown out: {key[0]} × {key[1]}: {result.answer} {result.reason} after {result.seconds:.2f} s")

    def _throw_out(self, name: str, why: str) -> None:
        del self.pool[name]
        self.thrown_out[name] = why
        freed = {other: c for other, c in self.waiting.items() if c.stronger == name}
        self.pool.update(freed)
        self.waiting = {other: c for other, c in self.waiting.items() if other not in freed}
        self.failed = {}
        self.proved = {key: core for key, core in self.proved.items() if name not in core and key[0] != name}

    def _attempts(self, key: Key) -> Iterator[tuple[list[str], bool]]:
        """Premises to try, and whether with model-based instantiation.

        Candidates with an `exists` make solvers wander: do without them, then with one, then with two.
        """
        searching = [name for name in self.pool if self._asks_for_a_witness(name)]
        base = [name for name in self.pool if name not in searching or name == key[0]]
        yield base, False
        yield base, True
        if key[1] == AT_THE_START:
            return
        others = [name for name in searching if name != key[0]]
        lean = [name for name in base if self.pool[name].basic or name == key[0]]
        for mbqi, few, size in product((False, True), (lean, base), (1, 2)):
            if few is lean or (size == 1 and mbqi):
                for some in combinations(others, size):
                    yield [*few, *some], mbqi

    def _asks_for_a_witness(self, name: str) -> bool:
        if name not in self.witnesses:
            term = self.pool[name].formula(self.problem.before)
            quantified = (node for node in t.subterms(term) if isinstance(node, t.Quantified))
            self.witnesses[name] = any(node.quantifier == "exists" for node in quantified)
        return self.witnesses[name]

    def obligation(self, key: Key, premises: Sequence[str]) -> Obligation:
        """What is to be proved, from these candidates."""
        invariant = tuple((name, self.pool[name].formula(self.problem.before)) for name in premises)
        return obligation_of(self.problem, key, invariant, self.pool)


def obligation_of(problem: Problem, key: Key, invariant: tuple[Premise, ...], pool: dict[str, Candidate]) -> Obligation:
    """The obligation of a key: a goal, a candidate at the start, or a candidate after a move."""
    what, where = key
    if what == "goal":
        goal = next(goal for goal in problem.goals if goal.name == where)
        return Obligation(where, (*problem.axioms, *invariant, *goal.premises), goal.term)
    candidate = pool[what]
    name = f"{what}: {where}"
    if where == AT_THE_START:
        return Obligation(name, problem.axioms, candidate.formula(problem.start))
    move = next(move for move in problem.moves if move.name == where)
    return Obligation(name, (*problem.axioms, *invariant, *move.premises), candidate.formula(move.after))


@dataclass(frozen=True)
class Found:
    """What the search found: an invariant, and the premises that each step of the proof uses.

    `failed` are the goals that were not proved, with what the solver said; then there is no proof.
    """

    invariant: tuple[str, ...]
    cores: dict[Key, tuple[str, ...]]
    failed: dict[str, Result]
    left: tuple[str, ...]
    asked: int


def search(
    problem: Problem, candidates: Iterable[Candidate], rlimit: int, say: Callable[[str], None] = lambda _: None
) -> Found:
    """The invariant for the goals of a problem."""
    return Search(problem, {candidate.name: candidate for candidate in candidates}, rlimit, say).run()
