"""Counterexamples to induction: configurations that the invariant allows although a goal fails there.

They are looked for among all configurations of a few words, reachable or not, in which every node is in at most one cell and every word has at most one head;
fewest words first, then fewest arcs.  Such a configuration shows what the invariant lacks; it is no fault of the system unless a run
reaches it.  With a gold graph, *reached* means: by the oracle on the way to that graph.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product
from typing import Final

from arcproof.properties.exploration import explore
from arcproof.properties.proving import terms as t
from arcproof.properties.proving.houdini import Goal, Problem
from arcproof.properties.proving.model import domain, gold_model, model_of
from arcproof.properties.proving.templates import Candidate
from arcproof.properties.proving.terms import Evaluate, Term
from arcproof.properties.spaces import OutOfBounds
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Value
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import Arc
from arcproof.transitions.system import System

MOST_WORDS: Final = 4
MOST_TRIED: Final = 100_000
MOST_EXPLORED: Final = 50_000
MOST_COUNTED: Final = 3
_ABOUT_ARCS: Final = frozenset({"arc", "headed", "reaches", "linked", "arcs", "headless"})
_ABOUT_GOLD: Final = frozenset({"gold", "gold_reaches", "gold_head", "order", "depth", "last"})


@dataclass(frozen=True)
class Guided:
    """Runs on the way to gold graphs: the graphs of so many words, and the configurations on the way to one."""

    golds: Callable[[int], Iterable[Gold]]
    run: Callable[[Gold], Iterable[Configuration]]


@dataclass(frozen=True)
class Failure:
    """A goal, and the smallest configuration found that satisfies everything that is known but not the goal."""

    goal: str
    words: int
    configuration: str
    gold: str | None = None
    reached: bool = False

    def __str__(self) -> str:
        """For the report."""
        given = "" if self.gold is None else f" with gold {self.gold}"
        whether = "which a run reaches" if self.reached else "which no run was found to reach"
        return f"{self.goal}: fails in {self.configuration}{given}, {whether}"


def smallest_failure(
    system: System, problem: Problem, goal: Goal, known: Sequence[Candidate], guided: Guided | None = None
) -> Failure | None:
    """The smallest configuration in which all that is known holds, and the goal does not; None if none was found."""
    formulas = [candidate.formula(problem.before) for candidate in (*known, *problem.given)]
    premises = [term for _, term in (*problem.axioms, *goal.premises)]
    search = _Sieve([*premises, *formulas], goal.term)
    for words in range(1, MOST_WORDS + 1):
        for c, gold in search.failing(system, words, guided):
            if gold is None:
                return Failure(goal.name, words, str(c), reached=_is_reachable(system, c))
            assert guided is not None
            return Failure(goal.name, words, str(c), str(gold.graph), c in guided.run(gold))
    return None


class _Sieve:
    """Tries configurations, the conditions that ask least first; not more than `MOST_TRIED` of them."""

    def __init__(self, conditions: Sequence[Term], goal: Term) -> None:
        """Sort the conditions by what they are about."""
        flat = [part for condition in conditions for part in t.conjuncts(condition)]
        self.lengths = sorted({s.name for s in t.symbols([*flat, goal]) if s.name.startswith("length_")})
        about = [(frozenset(symbol.name for symbol in t.symbols([part])), part) for part in flat]
        chosen = frozenset(self.lengths)
        self.of_places = _compiled(
            part for names, part in about if names.isdisjoint(_ABOUT_ARCS | _ABOUT_GOLD | chosen)
        )
        self.of_graphs = _compiled(
            part for names, part in about if names & _ABOUT_ARCS and names.isdisjoint(_ABOUT_GOLD | chosen)
        )
        self.of_all = _compiled(part for names, part in about if names & (_ABOUT_GOLD | chosen))
        self.goal = t.to_python(goal)
        self.left = MOST_TRIED

    def failing(self, system: System, words: int, guided: Guided | None) -> Iterator[tuple[Configuration, Gold | None]]:
        """The configurations in which everything holds but the goal, fewest arcs first."""
        integers = domain(words)
        possible = [c for c in placements(system, words) if self._all(self.of_places, model_of(system, c), integers)]
        wanted: list[Gold | None] = [None] if guided is None else list(guided.golds(words))
        for graph in graphs(words):
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
    return [t.to_python(term) for term in sorted(terms, key=lambda term: sum(1 for _ in t.subterms(term)))]


# --- all configurations of a few words -------------------------------------------------------------------------------


def placements(system: System, words: int) -> Iterator[Configuration]:
    """Every way to put nodes into the sequences, none twice, with every value of flags, small counters and sets; without arcs."""
    components = system.figure.state
    names = tuple(component.name for component in components)
    sequences = [k for k, component in enumerate(components) if isinstance(component, s.SequenceComponent)]
    others = [(k, list(_values(c, words))) for k, c in enumerate(components) if isinstance(c, s.ValueComponent)]
    for used in range(words + 2):
        for order in permutations(range(words + 1), used):
            for cuts in combinations_with_replacement(range(used + 1), max(0, len(sequences) - 1)):
                ends = (0, *cuts, used)
                for chosen in product(*(values for _, values in others)):
                    values: dict[int, Value] = {k: value for (k, _), value in zip(others, chosen, strict=True)}
                    values |= {k: order[ends[i] : ends[i + 1]] for i, k in enumerate(sequences)}
                    yield Configuration(words, names, tuple(values[k] for k in range(len(components))))


def _values(component: s.ValueComponent, words: int) -> Iterator[Value]:
    match component.kind:
        case "flag":
            yield from (False, True)
        case "counter":
            yield from range(MOST_COUNTED + 1)
        case "set":
            for members in product((False, True), repeat=words + 1):
                yield frozenset(node for node, inside in enumerate(members) if inside)


@lru_cache(maxsize=MOST_WORDS)
def graphs(words: int) -> list[frozenset[Arc]]:
    """Every set of arcs in which no word has two heads and none points to 0, cycles included, fewest arcs first."""
    found = [
        frozenset(Arc(head, None, word) for word, head in enumerate(heads, start=1) if head is not None)
        for heads in product((None, *range(words + 1)), repeat=words)
    ]
    return sorted(found, key=len)


# --- reaching it -----------------------------------------------------------------------------------------------------


def _is_reachable(system: System, c: Configuration) -> bool:
    """Whether a run was found that reaches the configuration."""
    try:
        return c in explore(system, c.words, limit=MOST_EXPLORED).configurations
    except OutOfBounds:
        return False
