"""What is to be proved, and the resulting obligations.

A *problem* has a start, moves, and goals that must follow from an invariant, each with its own premises, such as that
the configuration is terminal.  An invariant is a set of candidates that hold at the start and that every move
preserves.  A *lemma* follows from the invariant in the same configuration: it is used like a candidate, but instead of
being preserved it is proved once, from the premises that it names and from earlier lemmas.

A *key* says what is to be shown: a goal, a conjunct at the start or after a move, or a lemma.  Keys of different kinds
differ, whatever the names are.  `obligation_of` says what has to be discharged for each; both the search and the proof
use it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final, TypeAlias, assert_never

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.state import WORDS, SymbolicState
from arcproof.properties.proving.trusted.facts import Candidate, Lemma, no_two_of_one_name
from arcproof.properties.proving.trusted.obligation import HYPOTHESIS, Obligation, Premise

GOAL: Final = "goal"
AT_THE_START: Final = "start"
HERE: Final = "in the same configuration"
THE_END: Final = "the end of a run"
WORDS_PREMISE: Premise = ("n ≥ 1", t.at_most(1, WORDS))


@dataclass(frozen=True)
class Move:
    """A step of the runs that are reasoned about: when it happens, and the state after it.

    `facts` are true whenever it happens, and are about symbols that only the state after it uses.
    """

    name: str
    premises: tuple[Premise, ...]
    after: SymbolicState
    facts: tuple[Premise, ...] = ()


@dataclass(frozen=True)
class Goal:
    """Something to be proved for every reachable configuration that satisfies the premises.

    `is_part` if the claim says so, so that a run to a configuration in which it fails refutes the claim; otherwise it
    is only what the argument needs.
    """

    name: str
    premises: tuple[Premise, ...]
    term: Term
    is_part: bool = True


@dataclass(frozen=True)
class Problem:
    """A start, moves, goals.

    Axioms and `background` hold whatever the configuration; the axioms are always used, the background only if it
    helps.  The `given` conditions have already been proved to hold in every reachable configuration.  `end` is the
    condition that a run ends, if goals are about that.
    """

    axioms: tuple[Premise, ...]
    before: SymbolicState
    start: SymbolicState
    moves: tuple[Move, ...]
    goals: tuple[Goal, ...]
    given: tuple[Candidate, ...] = ()
    background: tuple[Candidate, ...] = ()
    lemmas: tuple[Lemma, ...] = ()
    end: tuple[Premise, ...] = ()

    def __post_init__(self) -> None:
        """Refuse duplicate names: of two things with the same name, only one would be shown."""
        goals = [goal.name for goal in self.goals]
        moves = [AT_THE_START, HERE, *(move.name for move in self.moves)]
        facts = [GOAL, *(c.name for c in (*self.given, *self.background)), *(lemma.name for lemma in self.lemmas)]
        for names in (goals, moves, facts):
            no_two_of_one_name(names)

    @property
    def cases(self) -> tuple["Move", ...]:
        """What must happen in some run, so that the goals are not vacuous: every move, and the end."""
        return (*self.moves, *((Move(THE_END, self.end, self.before),) if self.end else ()))

    def known(self, at_the_start: bool) -> dict[str, Candidate]:
        """What may be used without proof, either at the start or in any configuration."""
        return {c.name: c for c in (*self.background, *(() if at_the_start else self.given))}


@dataclass(frozen=True, slots=True)
class ForGoal:
    """The task of showing that a goal follows."""

    name: str


@dataclass(frozen=True, slots=True)
class AtStart:
    """The task of showing that a conjunct holds at the start."""

    name: str


@dataclass(frozen=True, slots=True)
class AfterMove:
    """The task of showing that a conjunct holds after a move."""

    name: str
    move: str


@dataclass(frozen=True, slots=True)
class ForLemma:
    """The task of showing that a lemma follows in the same configuration."""

    name: str


Key: TypeAlias = ForGoal | AtStart | AfterMove | ForLemma
"""What is to be shown."""


def key_texts(key: Key) -> tuple[str, str]:
    """A key as two texts: what, and where.  Names can make two keys read the same."""
    match key:
        case ForGoal(name):
            return GOAL, name
        case AtStart(name):
            return name, AT_THE_START
        case AfterMove(name, move):
            return name, move
        case ForLemma(name):
            return name, HERE
        case _:
            assert_never(key)


def key_of(what: str, where: str) -> Key:
    """The key that these texts stand for.  If several keys read the same, it is one of them, and the others are not
    shown.
    """
    if what == GOAL:
        return ForGoal(where)
    if where == AT_THE_START:
        return AtStart(what)
    return ForLemma(what) if where == HERE else AfterMove(what, where)


def key_shown(key: Key) -> str:
    """A key as messages show it."""
    return " × ".join(key_texts(key))


def obligation_of(
    problem: Problem,
    key: Key,
    invariant: Sequence[Candidate],
    pool: Mapping[str, Candidate],
    lemmas: Sequence[str] = (),
    only: Sequence[str] | None = None,
) -> Obligation:
    """The obligation of a key; with `only`, from fewer premises."""
    at_the_start = isinstance(key, AtStart)
    known = [*problem.known(at_the_start).values(), *(() if at_the_start else invariant)]
    formulas = [(c.name, c.formula) for c in known]
    if not at_the_start:
        usable = [lemma for lemma in _before(problem, key) if lemma.name in lemmas]
        folded = isinstance(key, ForLemma)
        formulas += [(lemma.name, lemma.folded if folded else lemma.candidate.formula) for lemma in usable]
    wanted = {name for name, _ in formulas} if only is None else set(only)
    chosen = sorted(((name, formula) for name, formula in formulas if name in wanted), key=itemgetter(0))
    premises = (*problem.axioms, *((name, formula(problem.before)) for name, formula in chosen))
    match key:
        case ForGoal(name):
            goal = next(goal for goal in problem.goals if goal.name == name)
            return Obligation(name, (*premises, *goal.premises), goal.term)
        case ForLemma(name):
            return lemma_from(premises, _named(problem, name), problem.before)
        case AtStart(name):
            return Obligation(f"{name}: {AT_THE_START}", premises, pool[name].formula(problem.start))
        case AfterMove(name, where):
            move = next(move for move in problem.moves if move.name == where)
            happening = (*premises, *move.premises, *move.facts)
            return Obligation(f"{name}: {where}", happening, pool[name].formula(move.after))
        case _:
            assert_never(key)


def lemma_from(premises: Sequence[Premise], lemma: Lemma, state: SymbolicState) -> Obligation:
    """The obligation that a lemma follows from the premises, its definitions and its induction hypothesis, if it has
    one.
    """
    hypothesis, goal = lemma.goal(state)
    extra = () if hypothesis is None else ((HYPOTHESIS, hypothesis),)
    return Obligation(f"lemma: {lemma.name}", (*premises, *lemma.definitions(state), *extra), goal, lemma.name)


def _named(problem: Problem, name: str) -> Lemma:
    return next(lemma for lemma in problem.lemmas if lemma.name == name)


def _before(problem: Problem, key: Key) -> tuple[Lemma, ...]:
    """The lemmas that may be used: all of them, but for a lemma only earlier ones."""
    if not isinstance(key, ForLemma):
        return problem.lemmas
    names = [lemma.name for lemma in problem.lemmas]
    return problem.lemmas[: names.index(key.name)]
