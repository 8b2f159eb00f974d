"""Why a claim is not proved, as far as that can be shown: what `prove --explain` prints."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from arcproof.properties.proving.arguments import Argument
from arcproof.properties.proving.goals.ranking import Ranking, monomials
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.meaning.model import domain, gold_model, model_of
from arcproof.properties.proving.meaning.symbolic import Meanings
from arcproof.properties.proving.search.exclusion import Place, excluders
from arcproof.properties.proving.search.induction import Blocking, smallest_blocking
from arcproof.properties.proving.trusted.facts import Candidate
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.graph import Graph

if TYPE_CHECKING:
    from arcproof.properties.proving.prover import Prover

MOST_WORDS: Final = 3
MOST_GOLD_GRAPHS: Final = 60
MOST_NAMES: Final = 4
MOST_FOLLOWED: Final = 2


@dataclass(frozen=True)
class Blocked:
    """The smallest configuration in which a goal fails although everything known holds; `gold` is the gold graph."""

    goal: str
    configuration: Configuration
    gold: Graph | None
    reached: bool


@dataclass(frozen=True)
class Lost:
    """One of the prover's own conditions, which would exclude the configuration, and the move that does not preserve
    it.

    `blocked` is the smallest configuration in which the move destroys it, and `excluders` would in turn exclude that
    configuration.
    """

    condition: str
    move: str
    blocked: Blocked
    excluders: tuple[str, ...]


@dataclass(frozen=True)
class Explanation:
    """What is open, what blocks it, what would exclude that, and what was tried.

    `about` says what the goals belong to, if the claim rests on something else.  `excluders` are conditions of the
    language that hold in short runs and fail in the blocking configuration; `oracle` is the oracle whose runs these
    are.  `unproved` are the prover's own candidates that would exclude it as well: they hold in short runs but were not
    proved to be preserved; `lost` says why, for one of them.  `candidates` is the number of candidates that were tried.
    `shapes` are the shapes of rankings that were tried.
    """

    about: str
    goals: tuple[str, ...] = ()
    blocked: Blocked | None = None
    excluders: tuple[str, ...] = ()
    unproved: tuple[str, ...] = ()
    lost: Lost | None = None
    oracle: str | None = None
    candidates: int = 0
    shapes: tuple[str, ...] = ()


@dataclass(frozen=True)
class FailedArgument:
    """An argument that failed: the goals that are open, and the candidates that are left; `oracle` is set if it is
    about that oracle's runs.
    """

    about: str
    argument: Argument
    goals: tuple[str, ...]
    left: tuple[str, ...]
    oracle: str | None


def explained(prover: "Prover", case: FailedArgument, blocking: Blocking | None) -> Explanation:
    """Why goals do not follow from the candidates that are left."""
    tried = len(case.argument.candidates)
    if blocking is None:
        return Explanation(case.about, case.goals, oracle=case.oracle, candidates=tried)
    unproved = _unproved(prover, case, blocking)
    lost = next((one for c in unproved[:MOST_FOLLOWED] if (one := _lost(prover, case, c)) is not None), None)
    return Explanation(
        case.about,
        case.goals,
        _blocked(blocking),
        _excluders(prover, case, blocking),
        tuple(c.name for c in unproved[:MOST_NAMES]),
        lost,
        case.oracle,
        tried,
    )


def _unproved(prover: "Prover", case: FailedArgument, blocking: Blocking) -> list[Candidate]:
    """The discarded candidates that would exclude a configuration."""
    model = model_of(prover.system, blocking.configuration)
    model |= {} if blocking.gold is None else gold_model(blocking.gold)
    state, integers = case.argument.problem.before, domain(blocking.configuration.words)
    thrown_out = (c for c in case.argument.candidates if c.name not in case.left)
    return [c for c in thrown_out if not to_python(c.formula(state))(model, integers)]


def _lost(prover: "Prover", case: FailedArgument, candidate: Candidate) -> Lost | None:
    """The move that does not preserve a candidate, in the smallest configuration."""
    problem = case.argument.problem
    known = [c for c in case.argument.candidates if c.name in case.left]
    for words, move in product(range(1, MOST_WORDS + 1), problem.moves):
        goal = Goal(candidate.name, move.premises, candidate.formula(move.after), is_part=False)
        at = smallest_blocking(prover.system, problem, goal, [*known, candidate], case.argument.guided, (words,))
        if at is not None:
            return Lost(candidate.name, move.name, _blocked(at), _excluders(prover, case, at))
    return None


def _blocked(blocking: Blocking) -> Blocked:
    gold = None if blocking.gold is None else blocking.gold.graph
    return Blocked(blocking.goal.name, blocking.configuration, gold, blocking.reached)


def _excluders(prover: "Prover", case: FailedArgument, blocking: Blocking) -> tuple[str, ...]:
    if blocking.reached:
        return ()
    place = blocking.configuration, blocking.gold
    return excluders(prover.system, place, _reached(prover, case.argument))


def _reached(prover: "Prover", argument: Argument) -> Iterator[Place]:
    """Yield the configurations of short sentences: those of all runs, or those on the way to gold graphs."""
    if argument.guided is None:
        yield from ((c, None) for space in prover.spaces for c in space.configurations)
        return
    for words in range(1, MOST_WORDS + 1):
        for gold in islice(argument.guided.golds(words), MOST_GOLD_GRAPHS):
            yield from ((c, gold) for c in argument.guided.run(gold))


def shapes(meanings: Meanings) -> tuple[str, ...]:
    """The shapes of rankings, small before large, as sums of their parts."""
    values = frozenset((*meanings.before.counters, *meanings.before.flags))
    parts = ([Ranking({m: Fraction(1)}, values) for m in template if m] for template in monomials(meanings))
    return tuple(", ".join(map(str, part)) for part in parts)
