"""Counterexamples to induction: configurations that the invariant allows although a goal fails there.

They are searched for among all configurations of a few words, reachable or not, in which every node is in at most one
cell and has at most one head; fewest words first, then fewest arcs.  Such a configuration shows what the invariant
lacks; it is not a fault of the system unless a run reaches it.  With a gold graph, *reached* means reached by the
oracle on the way to that graph.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Final

from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import Evaluate, to_python
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.conditions import GOLD_SYMBOLS
from arcproof.properties.proving.meaning.model import domain, gold_model, model_of
from arcproof.properties.proving.meaning.small_configurations import graphs_of, placements
from arcproof.properties.proving.meaning.steps import is_length
from arcproof.properties.proving.trusted.facts import Candidate
from arcproof.properties.proving.trusted.problem import AfterMove, ForGoal, Goal, Key, Problem
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.gold import Gold
from arcproof.transitions.system import System

MOST_WORDS: Final = 4
MOST_TRIED: Final = 100_000
MOST_EXPLORED: Final = 50_000
_ABOUT_ARCS: Final = frozenset({"arc", "headed", "reaches", "linked", "arcs", "headless"})
_ABOUT_GOLD: Final = GOLD_SYMBOLS - {"n"}


@dataclass(frozen=True)
class Guided:
    """Runs on the way to gold graphs: the graphs with some number of words, and the configurations on the way to
    one.
    """

    golds: Callable[[int], Iterable[Gold]]
    run: Callable[[Gold], Iterable[Configuration]]


@dataclass(frozen=True)
class Failure:
    """A goal, and the smallest configuration found that satisfies everything that is known but not the goal.

    `is_part` if the goal is part of what is claimed.
    """

    goal: str
    words: int
    configuration: str
    gold: str | None = None
    reached: bool = False
    is_part: bool = True

    def __str__(self) -> str:
        """The text in the report."""
        given = "" if self.gold is None else f" with gold {self.gold}"
        runs = "run" if self.gold is None else "run on the way to it"
        whether = "which a run reaches" if self.reached else f"which no {runs} is known to reach"
        return f"{self.goal}: fails in {self.configuration}{given}, {whether}"


@dataclass(frozen=True)
class Blocking:
    """A goal, and the configuration in which it fails, perhaps on the way to a gold graph."""

    goal: Goal
    configuration: Configuration
    gold: Gold | None
    reached: bool

    @property
    def failure(self) -> Failure:
        """The failure as the report shows it."""
        c, gold = self.configuration, None if self.gold is None else str(self.gold.graph)
        return Failure(self.goal.name, c.words, str(c), gold, self.reached, self.goal.is_part)


def smallest_blocking(
    system: System,
    problem: Problem,
    goal: Goal,
    known: Sequence[Candidate],
    guided: Guided | None = None,
    lengths: Iterable[int] = range(1, MOST_WORDS + 1),
) -> Blocking | None:
    """The smallest configuration in which everything known holds and the goal does not; None if none was found."""
    formulas = [candidate.formula(problem.before) for candidate in (*known, *problem.given)]
    premises = [term for _, term in (*problem.axioms, *goal.premises)]
    if not _has_meaning(system, [*premises, *formulas, goal.term]):
        return None
    search = _Sieve([*premises, *formulas], goal.term)
    for words in lengths:
        for c, gold in search.failing(system, words, guided):
            if gold is None:
                return Blocking(goal, c, None, _is_reachable(system, c))
            assert guided is not None
            return Blocking(goal, c, gold, c in guided.run(gold))
    return None


def _has_meaning(system: System, terms: Iterable[Term]) -> bool:
    """Whether configurations and gold graphs give every symbol a meaning; ghosts used in single proofs have none."""
    known = {*model_of(system, system.start(1)), *_ABOUT_GOLD}
    return all(symbol.name in known or is_length(symbol) for symbol in t.symbols(terms))


class _Sieve:
    """Tries configurations, the cheapest conditions first; at most `MOST_TRIED` of them."""

    def __init__(self, conditions: Sequence[Term], goal: Term) -> None:
        """Sort the conditions by what they depend on."""
        flat = [part for condition in conditions for part in t.conjuncts(condition)]
        self.lengths = sorted({s.name for s in t.symbols([*flat, goal]) if is_length(s)})
        about = [(frozenset(symbol.name for symbol in t.symbols([part])), part) for part in flat]
        chosen = frozenset(self.lengths)
        self.of_places = _compiled(
            part for names, part in about if names.isdisjoint(_ABOUT_ARCS | _ABOUT_GOLD | chosen)
        )
        self.of_graphs = _compiled(
            part for names, part in about if names & _ABOUT_ARCS and names.isdisjoint(_ABOUT_GOLD | chosen)
        )
        self.of_all = _compiled(part for names, part in about if names & (_ABOUT_GOLD | chosen))
        self.goal = to_python(goal)
        self.left = MOST_TRIED

    def failing(self, system: System, words: int, guided: Guided | None) -> Iterator[tuple[Configuration, Gold | None]]:
        """Yield the configurations in which everything holds except the goal, fewest arcs first."""
        integers = domain(words)
        possible = [c for c in placements(system, words) if self._all(self.of_places, model_of(system, c), integers)]
        wanted: list[Gold | None] = [None] if guided is None else list(guided.golds(words))
        for graph in graphs_of(system, words):
            for empty in possible:
                c = Configuration(words, empty.names, empty.values, graph)
                model = model_of(system, c)
                if self.left <= 0:
                    return
                if not self._all(self.of_graphs, model, integers):
                    continue
                for gold in wanted:
                    whole = model if gold is None else {**model, **gold_model(gold)}
                    if any(self._fails({**whole, **chosen}, integers) for chosen in self._choices(words)):
                        yield c, gold

    def _choices(self, words: int) -> Iterator[dict[str, int]]:
        for lengths in product(range(words + 2), repeat=len(self.lengths)):
            yield dict(zip(self.lengths, lengths, strict=True))

    def _fails(self, model: Mapping[str, object], integers: range) -> bool:
        return self._all(self.of_all, model, integers) and not self.goal(model, integers)

    def _all(self, conditions: Sequence[Evaluate], model: Mapping[str, object], integers: range) -> bool:
        self.left -= 1
        return all(condition(model, integers) for condition in conditions)


def _compiled(terms: Iterable[Term]) -> list[Evaluate]:
    return [to_python(term) for term in sorted(terms, key=lambda term: sum(1 for _ in t.subterms(term)))]


# --- reaching it -----------------------------------------------------------------------------------------------------


def _is_reachable(system: System, c: Configuration) -> bool:
    """Whether a run was found that reaches the configuration."""
    try:
        return c in explore(system, c.words, limit=MOST_EXPLORED).configurations
    except OutOfBounds:
        return False


# --- specimens -------------------------------------------------------------------------------------------------------

MOST_SPECIMENS: Final = 400
MOST_WORDS_OF_SPECIMENS: Final = 3


@dataclass
class Specimen:
    """A configuration as a model; `truths` says whether formulas hold in it, by their text, as far as that is known."""

    model: Mapping[str, object]
    integers: range
    truths: dict[str, bool] = field(default_factory=dict)


class Specimens:
    """Configurations, most of them unreachable, that save solver calls.

    If a formula is false in a specimen in which all remaining candidates are true, it does not follow from any subset
    of them.
    """

    def __init__(
        self,
        system: System,
        problem: Problem,
        pool: Sequence[Candidate],
        guided: Guided | None = None,
        chosen: "dict[tuple[str, ...], list[Specimen]] | None" = None,
    ) -> None:
        """Choose specimens of up to three words, spread evenly.

        Specimens for runs without a gold graph are shared by all problems of a system, in `chosen`: they depend on the
        basic candidates alone.
        """
        self._system = system
        self._problem = problem
        self._pool = pool
        formulas = {c.name: c.formula(problem.before) for c in (*pool, *problem.given)}
        self._formulas = dict(sorted(formulas.items(), key=lambda named: _effort(named[1])))
        self._values: dict[str, Evaluate] = {}
        self._blocked_by: dict[int, str] = {}
        self._always = frozenset(c.name for c in problem.given)
        self._targets: dict[Key, tuple[Evaluate, list[str]] | None] = {}
        terms = [*self._formulas.values(), *(goal.term for goal in problem.goals)]
        basic = [c.formula(problem.before) for c in pool if c.basic]
        key = tuple(map(t.to_smt, basic))
        self._specimens: list[Specimen] = []
        if _has_meaning(system, terms):
            known = {} if chosen is None or guided is not None else chosen
            if key not in known:
                known[key] = list(self._chosen(system, basic, guided))
            self._specimens = known[key]

    @staticmethod
    def _chosen(system: System, basic: Sequence[Term], guided: Guided | None) -> Iterator[Specimen]:
        of_places = _compiled(f for f in basic if _names(f).isdisjoint(_ABOUT_ARCS | _ABOUT_GOLD))
        for words in range(1, MOST_WORDS_OF_SPECIMENS + 1):
            integers = domain(words)
            possible = [c for c in placements(system, words) if _holds(of_places, model_of(system, c), integers)]
            golds: list[Gold | None] = [None] if guided is None else list(guided.golds(words))
            arcs = graphs_of(system, words)
            every = product(golds, arcs, possible)
            count = len(golds) * len(arcs) * len(possible)
            step = max(1, count // MOST_SPECIMENS)
            for gold, graph, empty in islice(every, words % step, None, step):
                model = model_of(system, Configuration(words, empty.names, empty.values, graph))
                yield Specimen(model if gold is None else {**model, **gold_model(gold)}, integers)

    def refute(self, key: Key, left: Container[str]) -> bool:
        """Whether the statement of the key is false in a specimen in which every candidate that is left is true."""
        if not self._specimens or not isinstance(key, ForGoal | AfterMove):
            return False
        target = self._target(key)
        if target is None:
            return False
        fails, lengths = target
        return any(
            self._fails(specimen, fails, lengths)
            for number, specimen in enumerate(self._specimens)
            if not self._blocked(number, left)
        )

    @staticmethod
    def _fails(specimen: Specimen, fails: Evaluate, lengths: Sequence[str]) -> bool:
        ways = product(specimen.integers, repeat=len(lengths))
        return any(fails({**specimen.model, **dict(zip(lengths, way, strict=True))}, specimen.integers) for way in ways)

    def _blocked(self, number: int, left: Container[str]) -> bool:
        """Whether some candidate that is left is false in a specimen."""
        before = self._blocked_by.get(number)
        if before is not None and (before in left or before in self._always):
            return True
        usable = (name for name in self._formulas if name in left or name in self._always)
        blocked_by = next((name for name in usable if not self._holds(name, self._specimens[number])), None)
        if blocked_by is None:
            return False
        self._blocked_by[number] = blocked_by
        return True

    def _holds(self, name: str, specimen: Specimen) -> bool:
        text = t.to_smt(self._formulas[name])
        if text not in specimen.truths:
            if name not in self._values:
                self._values[name] = to_python(self._formulas[name])
            specimen.truths[text] = bool(self._values[name](specimen.model, specimen.integers))
        return specimen.truths[text]

    def _target(self, key: ForGoal | AfterMove) -> tuple[Evaluate, list[str]] | None:
        """The condition that the premises of a goal or move hold and its conclusion does not; None if specimens do not
        determine it.
        """
        if key not in self._targets:
            if isinstance(key, ForGoal):
                goal = next(goal for goal in self._problem.goals if goal.name == key.name)
                premises, term = goal.premises, goal.term
            else:
                move = next(move for move in self._problem.moves if move.name == key.move)
                candidate = next(c for c in self._pool if c.name == key.name)
                premises, term = move.premises, candidate.formula(move.after)
            whole = t.conjunction(*(premise for _, premise in premises), t.negation(term))
            lengths = sorted({symbol.name for symbol in t.symbols([whole]) if is_length(symbol)})
            known = _has_meaning(self._system, [whole])
            self._targets[key] = (to_python(whole), lengths) if known else None
        return self._targets[key]


def _effort(term: Term) -> tuple[int, int]:
    """The effort of evaluating a formula: variables count more than size."""
    nodes = list(t.subterms(term))
    return max((len(node.variables) for node in nodes if isinstance(node, t.QuantifiedTerm)), default=0), len(nodes)


def _names(term: Term) -> frozenset[str]:
    return frozenset(symbol.name for symbol in t.symbols([term]))


def _holds(conditions: Sequence[Evaluate], model: Mapping[str, object], integers: range) -> bool:
    return all(condition(model, integers) for condition in conditions)
