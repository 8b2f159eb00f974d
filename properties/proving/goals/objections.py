"""What the interpreter objects to in single configurations, for claims that are about more than one run.

As in `agreement`: wherever there is an objection some goal must be false, as solvers read it.  The configurations need
not be reachable.  Symbols that a step leaves open because it removes arcs have the values after one of the permissible
transitions: a goal that is false with any of them is not valid.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import Final, TypeAlias

from arcproof.properties.engines.own_labels import told_apart
from arcproof.properties.proving.goals.agreement import Goals
from arcproof.properties.proving.goals.decomposability import Reach
from arcproof.properties.proving.goals.measures import misfit
from arcproof.properties.proving.goals.pairs import DONE, Pair
from arcproof.properties.proving.goals.ranking import Demand, Ranking, observed_at
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.reading_back import as_read
from arcproof.properties.proving.meaning.bridge import Bridge
from arcproof.properties.proving.meaning.model import domain, gold_model, model_of
from arcproof.properties.proving.meaning.small_configurations import MAX_WORDS, graphs_of
from arcproof.properties.proving.meaning.state import SECOND_PLANE
from arcproof.properties.proving.meaning.steps import forgets
from arcproof.properties.proving.meaning.symbolic import Meanings
from arcproof.properties.proving.trusted.problem import Goal
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Step
from arcproof.transitions.gold import Gold
from arcproof.transitions.system import System

MAX_ENDS: Final = 10
WithGold: TypeAlias = tuple[Configuration, Gold]
Objection: TypeAlias = tuple[str, Sequence[Mapping[str, object]], int, str]
"""Where, as text and as models with their number of words, and what is wrong there."""


def overlooked(goals: Sequence[Goal], objections: Iterable[Objection]) -> str | None:
    """An objection where every goal is true."""
    read = Goals(goals)
    for where, models, words, what in objections:
        if not any(read.broken(model, words) for model in models):
            return f"every goal is true in {where}, but {what}"
    return None


def _steps(system: System, c: Configuration) -> list[Step]:
    return [] if system.is_terminal(c) else [system.step(c, transition) for transition in system.permissible(c)]


def _has_places_after(system: System, c: Configuration) -> bool:
    """Whether no sequence holds a node twice after any step, so that every node has a place there."""
    after = (value for step in _steps(system, c) for value in step.configuration.values)
    return all(len(set(value)) == len(value) for value in after if isinstance(value, tuple))


class _Models:
    """The models of configurations, for goals about the states after steps."""

    def __init__(self, meanings: Meanings) -> None:
        """Compile what steps leave open."""
        self._system = meanings.system
        self._bridge = Bridge(meanings) if any(map(forgets, meanings.steps)) else None

    def of(self, c: Configuration, gold: Gold | None = None) -> list[Mapping[str, object]]:
        """One model, or one for each permissible transition that removes arcs."""
        model = model_of(self._system, c)
        if gold is not None:
            model |= gold_model(gold)
        if self._bridge is None or self._system.is_terminal(c):
            return [model]
        return [{**model, **values} for values in self._bridge.values_left_open(c)] or [model]


def to_rankings(
    meanings: Meanings, ranking: Ranking, demand: Demand, configurations: Iterable[Configuration]
) -> Iterator[Objection]:
    """Yield the configurations and steps in which a ranking does not meet the demand."""
    models, system = _Models(meanings), meanings.system
    for c in configurations:
        if not _has_places_after(system, c):
            continue
        wrong = misfit(ranking, demand, observed_at(system, c))
        if wrong is not None:
            yield str(c), models.of(c), c.words, f"{ranking} does not fit: {wrong}"


def to_unambiguity(system: System, configurations: Iterable[Configuration]) -> Iterator[Objection]:
    """Yield the configurations in which two transitions may lead to one output."""
    for c in configurations:
        for one, other in combinations(_steps(system, c), 2):
            if not any(a.dependent == b.dependent and a.head != b.head for a in one.added for b in other.added):
                what = f"{one.transition.instance} and {other.transition.instance} give no word two heads"
                yield str(c), [model_of(system, c)], c.words, what


def to_following(
    system: System, oracle: s.Oracle, other: System, leading: s.Oracle, situations: Iterable[WithGold]
) -> Iterator[Objection]:
    """Yield the configurations in which an oracle does not ask for what the other system's asks for, with a label of
    its own for every gold arc and a tag for every word.
    """
    for c, plain in situations:
        labelled, tags = told_apart(system, plain.graph)
        gold = Gold(labelled, tags=tags)
        where = f"{c} with gold {plain.graph}", [{**model_of(system, c), **gold_model(gold)}], c.words
        if system.is_terminal(c) != other.is_terminal(c):
            yield *where, f"it is terminal in one of {system.name} and {other.name} only"
        elif not other.is_terminal(c):
            theirs, ours = other.predict(c, gold, leading), system.predict(c, gold, oracle)
            if theirs is not None and _is_permissible(other, c, theirs.instance):
                if ours != theirs:
                    yield *where, f"{system.name} asks for {ours}, {other.name} for {theirs}"
                elif not _is_permissible(system, c, theirs.instance):
                    yield *where, f"{theirs} is not permissible in {system.name}"


def _is_permissible(system: System, c: Configuration, instance: str) -> bool:
    return any(transition.instance == instance for transition in system.permissible(c))


class ArcsWithinReach:
    """The gold arcs that are within reach of a configuration, by a formula as solvers read it."""

    def __init__(self, meanings: Meanings, reach: Reach) -> None:
        """Compile the formula."""
        self.system = meanings.system
        self._holds = as_read(reach(meanings.before, t.constant("head"), t.constant("dependent")))

    def arcs(self, c: Configuration, gold: Gold) -> set[tuple[int, int]]:
        """The arcs, as head and dependent."""
        model, integers = model_of(self.system, c), domain(c.words)
        return {(x, y) for x, y in gold.arcs if self._holds({**model, "head": x, "dependent": y}, integers)}


def to_decomposability(meanings: Meanings, reach: Reach, situations: Iterable[WithGold]) -> Iterator[Objection]:
    """Yield the configurations in which arcs come within reach, or are within reach and not built at the end, or are
    lost whatever is done.
    """
    system, reached, models = meanings.system, ArcsWithinReach(meanings, reach), _Models(meanings)
    for c, gold in situations:
        if not _has_places_after(system, c):
            continue
        now, what = reached.arcs(c, gold), None
        later = [(step, reached.arcs(step.configuration, gold)) for step in _steps(system, c)]
        if system.is_terminal(c):
            built = {(arc.head, arc.dependent) for arc in c.arcs} & set(gold.arcs)
            what = None if built == now else "what is within reach at the end is not what is built"
        elif not any(now <= then for _, then in later):
            what = "every transition loses an arc"
        else:
            what = next((f"{step.transition} brings an arc within reach" for step, then in later if then - now), None)
        if what is not None:
            yield f"{c} with gold {gold.graph}", models.of(c, gold), c.words, what


def to_costs(
    meanings: Meanings,
    oracle: s.DynamicOracle,
    question: s.OfADynamicOracle,
    reach: Reach | None,
    situations: Iterable[WithGold],
) -> Iterator[Objection]:
    """Yield the configurations in which costs are not the numbers of arcs that are lost, or what is free loses some, or
    nothing is free.
    """
    system, models = meanings.system, _Models(meanings)
    reached = None if reach is None else ArcsWithinReach(meanings, reach)
    for c, gold in situations:
        if not _has_places_after(system, c):
            continue
        steps = _steps(system, c)
        costs = [system.cost(c, step.transition, gold, oracle) for step in steps]
        wrong = None
        if isinstance(question, s.NeverStuck):
            free = any(cost is not None and cost <= 0 for cost in costs)
            wrong = None if system.is_terminal(c) or free else "nothing is free"
        elif reached is not None:
            now = reached.arcs(c, gold)
            for step, cost in zip(steps, costs, strict=True):
                lost = len(now - reached.arcs(step.configuration, gold))
                is_right = (
                    cost == lost if isinstance(question, s.Exact) else cost is not None and (cost > 0 or not lost)
                )
                if not is_right:
                    wrong = f"{step.transition} costs {cost} and loses {lost}"
        if wrong is not None:
            yield f"{c} with gold {gold.graph}", models.of(c, gold), c.words, wrong


def to_planes(system: System, graphs: s.GraphClass, configurations: Iterable[Configuration]) -> Iterator[Objection]:
    """Yield the ends in which two arcs of one plane cross, with both in the first plane and with both in the second."""
    only_words = any(restriction.name == "2-planar-words" for restriction in graphs.restrictions)
    ends = islice((c for c in configurations if system.is_terminal(c) and c.words == MAX_WORDS), MAX_ENDS)
    for end, arcs in product(ends, graphs_of(system, MAX_WORDS)):
        c = Configuration(end.words, end.names, end.values, arcs)
        for one, other in combinations((arc for arc in arcs if arc.head or not only_words), 2):
            (a, b), (x, y) = sorted((one.head, one.dependent)), sorted((other.head, other.dependent))
            for second in (frozenset[int](), frozenset({one.dependent, other.dependent})):
                if (a < x < b < y or x < a < y < b) and system.is_terminal(c):
                    planes = {**model_of(system, c), SECOND_PLANE: second.__contains__}
                    yield str(c), [planes], c.words, f"{one} and {other} cross in one plane"


def to_pairs(system: System, pair: Pair, configurations: Iterable[Configuration]) -> Iterator[Objection]:
    """Yield the configurations in which a transition is performed with nodes that are not words in order, or with those
    with which it was performed before.
    """
    first, second = map(as_read, pair.nodes)
    for c in configurations:
        model, integers = model_of(system, c), domain(c.words)
        if any(step.transition.name == pair.step.rule.name for step in _steps(system, c)):
            x, y = first(model, integers), second(model, integers)
            assert isinstance(x, int)
            assert isinstance(y, int)
            for done in (frozenset[tuple[int, int]](), frozenset({(x, y)})):
                if done or not 1 <= x < y <= c.words:
                    what = f"{pair.step.name} is performed with {x} and {y}"
                    yield str(c), [{**model, DONE: lambda a, b, done=done: (a, b) in done}], c.words, what
