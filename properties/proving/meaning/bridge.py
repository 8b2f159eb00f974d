"""The bridge between the symbolic meaning and the interpreter: do they agree about a configuration?

For one configuration, the following are compared: whether it is terminal, whether the invariants of the specification
hold, which transitions are permissible, the result of each with every ghost, and what the oracle asks for, given a gold
graph.  A difference is reported as a sentence, no difference as None.  The interpreter is right by definition.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, product
from typing import Final, TypeVar

from arcproof.properties.checks.invariant import Invariance
from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import Evaluate
from arcproof.properties.proving.language.reading_back import as_read
from arcproof.properties.proving.language.terms import Term
from arcproof.properties.proving.meaning.conditions import Scene
from arcproof.properties.proving.meaning.model import domain, gold_model, model_of
from arcproof.properties.proving.meaning.small_configurations import anywhere, drawn
from arcproof.properties.proving.meaning.state import GONE, SymbolicState, symbol_name
from arcproof.properties.proving.meaning.steps import (
    FORGOTTEN_ARCS,
    FORGOTTEN_LINKED,
    FORGOTTEN_REACHES,
    SymbolicStep,
    forgets,
    is_length,
    length_name,
    removed_first,
)
from arcproof.properties.proving.meaning.symbolic import Advice, Meanings
from arcproof.properties.proving.trusted.witness import configurations
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import Arc
from arcproof.transitions.system import System

T = TypeVar("T")
MOST_EXPLORED: Final = 4_000
X, Y = t.constant("argument_1"), t.constant("argument_2")


def _values(terms: Mapping[str, Term]) -> dict[str, Evaluate]:
    return {name: as_read(term) for name, term in terms.items()}


def observations(state: SymbolicState) -> dict[str, Term]:
    """Everything that can be asked about a state, with one or two arguments if it is a function."""
    found: dict[str, Term] = {}
    for component in state.sequences:
        name = symbol_name(component.name)
        found[f"height_{name}"] = state.heights[component.name]
        found[f"cell_{name}"] = state.cells[component.name](X)
    for kind, values in (("flag", state.flags), ("counter", state.counters)):
        found.update({f"{kind}_{symbol_name(name)}": value for name, value in values.items()})
    found.update({f"set_{symbol_name(name)}": members(X) for name, members in state.sets.items()})
    found.update({f"missing_{symbol_name(name)}": absent(X) for name, absent in state.missing.items()})
    found["arcs"], found["headless"] = state.arcs, state.headless(X)
    for name, where in state.apart.items():
        found[f"inside_{symbol_name(name)}"] = where.inside(X)
        found[f"position_{symbol_name(name)}"] = where.position(X)
    if not state.apart:
        found["place"], found["position"] = state.place(X), state.position(X)
    found["headed"] = state.headed(X)
    found["arc"], found["reaches"], found["linked"] = state.arc(X, Y), state.reaches(X, Y), state.linked(X, Y)
    return found


@dataclass(frozen=True)
class Bridge:
    """The symbolic meaning of a system, ready to be evaluated."""

    meanings: Meanings

    @cached_property
    def _facts(self) -> dict[str, list[tuple[str, Evaluate]]]:
        return {step.name: [(what, as_read(fact)) for what, fact in step.facts] for step in self.meanings.steps}

    @cached_property
    def _steps(self) -> list[tuple[SymbolicStep, Evaluate, dict[str, Evaluate], list[tuple[Evaluate, ...]]]]:
        several_heads = self.meanings.system.figure.several_heads
        return [
            (
                step,
                as_read(t.conjunction(*step.guard)),
                _values(observations(step.after)),
                [tuple(map(as_read, (a.head, a.dependent, a.clashes(several_heads)))) for a in step.added],
            )
            for step in self.meanings.steps
        ]

    @cached_property
    def _terminal(self) -> Evaluate:
        return as_read(t.conjunction(*self.meanings.terminal(self.meanings.before)))

    @cached_property
    def _invariants(self) -> list[tuple[s.Condition, Evaluate]]:
        meanings = self.meanings
        conditions = meanings.system.figure.invariants
        return [(condition, as_read(meanings.says(condition, meanings.before))) for condition in conditions]

    @cached_property
    def _start(self) -> dict[str, Evaluate]:
        return _values(observations(self.meanings.start))

    def start_difference(self, words: int) -> str | None:
        """A difference between the initial configurations."""
        c = self.meanings.system.start(words)
        return self._state_difference(self._start, {"n": words}, c, "the start")

    def difference(self, c: Configuration) -> str | None:
        """Where the two meanings disagree about a configuration and what follows it."""
        system = self.meanings.system
        model, integers = model_of(system, c), domain(c.words)
        if bool(self._terminal(model, integers)) != system.is_terminal(c):
            return f"{c} is terminal for one meaning only"
        for condition, said in self._invariants:
            if bool(said(model, integers)) != system.satisfies(c, condition):
                return f"{Invariance(condition)} holds in {c} for one meaning only"
        allowed = {(t.name, t.choice) for t in system.permissible(c)}
        fired: set[tuple[str, tuple[int, ...]]] = set()
        for step, guard, after, added in self._steps:
            has_cases = sum(other.rule.name == step.rule.name for other, *_ in self._steps) > 1
            for choice, lengths in _choices(step, c):
                chosen = {**model, **lengths}
                fires = bool(guard(chosen, integers))
                expected = (step.rule.name, choice) in allowed
                if fires != expected and (fires or not has_cases):
                    return f"{step.name}{list(choice)} is permissible in {c} for one meaning only"
                if fires:
                    fired.add((step.rule.name, choice))
                    done = system.step(c, Transition(step.rule.name, None, choice))
                    if system.figure.shared and _is_twice_somewhere(done.configuration):
                        continue
                    known = {**chosen, **self._left_open(step, after, c, choice, chosen)}
                    for what, fact in self._facts[step.name]:
                        if not fact(known, integers):
                            return f"{step.name} in {c}: {what}, which is false"
                    found = self._state_difference(after, known, done.configuration, f"{step.name} in {c}")
                    clashes = [Arc(h, None, d) for h, d, bad in _added(added, chosen, integers) if bad]
                    if clashes != list(done.clashes):
                        return f"{step.name} in {c}: clashes {clashes}, not {list(done.clashes)}"
                    if found is not None:
                        return found
        return None if fired == allowed else f"in {c}: {sorted(fired ^ allowed)} for one meaning only"

    def values_left_open(self, c: Configuration) -> Iterator[dict[str, object]]:
        """Yield, for each permissible transition that removes arcs, the actual values of the symbols that it leaves
        open.
        """
        model, integers = model_of(self.meanings.system, c), domain(c.words)
        for step, guard, after, _ in self._steps:
            for choice, lengths in _choices(step, c) if forgets(step) else ():
                chosen = {**model, **lengths}
                if guard(chosen, integers):
                    yield self._left_open(step, after, c, choice, chosen)

    def _left_open(
        self,
        step: SymbolicStep,
        after: Mapping[str, Evaluate],
        c: Configuration,
        choice: tuple[int, ...],
        model: Mapping[str, object],
    ) -> dict[str, object]:
        """The actual values of the symbols that a step leaves open because it removes arcs; they must be among the
        possibilities.
        """
        if not forgets(step):
            return {}
        done = self.meanings.system.step(c, Transition(step.rule.name, None, choice))
        then = model_of(self.meanings.system, done.configuration)
        added, count = after["arcs"]({**model, FORGOTTEN_ARCS: 0}, domain(c.words)), then["arcs"]
        assert isinstance(added, int)
        assert isinstance(count, int)
        known = {
            FORGOTTEN_REACHES: then["reaches"],
            FORGOTTEN_LINKED: then["linked"],
            FORGOTTEN_ARCS: count - added,
        }
        return known | self._after_removal(step, c, model)

    def _after_removal(self, step: SymbolicStep, c: Configuration, model: Mapping[str, object]) -> dict[str, object]:
        """The actual values of the symbols that a step leaves open because it begins by removing arcs."""
        removed = removed_first(step.plan)
        if removed is None:
            return {}
        scene = Scene(self.meanings.before, tuple(step.lengths.values()))
        node = as_read(scene.node(removed))(model, domain(c.words))
        graph = frozenset(arc for arc in c.arcs if arc.dependent != node)
        then = model_of(self.meanings.system, Configuration(c.words, c.names, c.values, graph))
        return {
            FORGOTTEN_REACHES: then["reaches"],
            FORGOTTEN_LINKED: then["linked"],
            FORGOTTEN_ARCS: then["arcs"],
        }

    def _state_difference(
        self, terms: Mapping[str, Evaluate], model: Mapping[str, object], c: Configuration, where: str
    ) -> str | None:
        """Compare every observation of a symbolic state with the model of a configuration."""
        system = self.meanings.system
        wanted = model_of(system, c)
        integers = domain(c.words)
        observed = dict(model)
        for name, evaluate in terms.items():
            meant, arity = wanted[name], _arity(name)
            for x, y in product(_arguments(name, wanted), _second(name, c)):
                observed["argument_1"], observed["argument_2"] = x, y
                computed = evaluate(observed, integers)
                expected = meant(*(x, y)[:arity]) if callable(meant) else meant
                if _is_nowhere(name, wanted, x):
                    continue
                if computed != expected:
                    return f"{where}: {name}({x}, {y}) is {computed}, not {expected}"
        return None

    def oracle_difference(self, oracle: s.Oracle, c: Configuration, gold: Gold) -> str | None:
        """A difference between the transitions that the two meanings of an oracle ask for."""
        system = self.meanings.system
        model = {**model_of(system, c), **gold_model(gold)}
        integers = domain(c.words)
        asked = [
            (advice, choice)
            for advice, constants, evaluate in self._advice(oracle)
            for choice, lengths in _line_choices(constants, c)
            if evaluate({**model, **lengths}, integers)
        ]
        wanted = system.predict(c, gold, oracle)
        found = {(advice.line.transition, choice) for advice, choice in asked}
        expected = set() if wanted is None else {(wanted.name, wanted.choice)}
        named = {name for name, _ in found} if wanted is not None and not wanted.choice else found
        meant = {name for name, _ in expected} if wanted is not None and not wanted.choice else expected
        if named != meant:
            return f"the oracle {oracle.name} asks for {found} in {c} with {gold.graph}, not {expected}"
        return None

    def _advice(self, oracle: s.Oracle) -> list[tuple[Advice, list[str], Evaluate]]:
        key = oracle.name
        if key not in self._advices:
            advices = self.meanings.advice(oracle)
            self._advices[key] = [
                (advice, _open_lengths(advice), as_read(t.conjunction(*advice.conditions))) for advice in advices
            ]
        return self._advices[key]

    @cached_property
    def _advices(self) -> dict[str, list[tuple[Advice, list[str], Evaluate]]]:
        return {}


def _added(
    added: list[tuple[Evaluate, ...]], model: Mapping[str, object], integers: range
) -> Iterator[tuple[int, int, bool]]:
    for head, dependent, clashes in added:
        h, d = head(model, integers), dependent(model, integers)
        assert isinstance(h, int)
        assert isinstance(d, int)
        yield h, d, bool(clashes(model, integers))


def _is_twice_somewhere(c: Configuration) -> bool:
    """Whether a sequence holds a node twice, so that the node does not have a unique place there."""
    return any(isinstance(value, tuple) and len(set(value)) < len(value) for value in c.values)


_OF_ONE: Final = ("cell_", "set_", "missing_", "inside_", "position_")


def _is_nowhere(name: str, model: Mapping[str, object], node: int) -> bool:
    """Whether a sequence is asked for the cell of a node that it does not hold."""
    if name == "position":
        return bool(model["place"](node) == GONE)  # type: ignore[operator]
    if name.startswith("position_"):
        return not model["inside_" + name.removeprefix("position_")](node)  # type: ignore[operator]
    return False


def _arity(name: str) -> int:
    if name in ("arc", "reaches", "linked"):
        return 2
    return 1 if name in ("headed", "place", "position", "headless") or name.startswith(_OF_ONE) else 0


def _arguments(name: str, wanted: Mapping[str, object]) -> Sequence[int]:
    words = wanted["n"]
    assert isinstance(words, int)
    if name.startswith("cell_"):
        height = wanted["height_" + name.removeprefix("cell_")]
        assert isinstance(height, int)
        return range(height)
    return range(words + 1) if _arity(name) else [0]


def _second(name: str, c: Configuration) -> Sequence[int]:
    return range(c.words + 1) if _arity(name) == 2 else [0]


def _choices(step: SymbolicStep, c: Configuration) -> Iterator[tuple[tuple[int, ...], dict[str, int]]]:
    names = list(step.lengths)
    for lengths in product(range(c.words + 2), repeat=len(names)):
        named = {length_name(n): length for n, length in zip(names, lengths, strict=True)}
        yield tuple(length + 1 for length in lengths), named


def _open_lengths(advice: Advice) -> list[str]:
    """The constants for the lengths that a line leaves open."""
    asked = [term for step in advice.steps for term in (*advice.conditions, *step.lengths.values())]
    return sorted(symbol.name for symbol in t.symbols(asked) if is_length(symbol))


def _line_choices(constants: list[str], c: Configuration) -> Iterator[tuple[tuple[int, ...], dict[str, int]]]:
    for lengths in product(range(c.words + 2), repeat=len(constants)):
        yield tuple(length + 1 for length in lengths), dict(zip(constants, lengths, strict=True))


# --- a figure as a whole ---------------------------------------------------------------------------------------------

MOST_WORDS: Final = 3
MOST_REACHED: Final = 120
MOST_ANYWHERE: Final = 120
MOST_GOLD: Final = 10


def first_difference(
    meanings: Meanings, most_words: int = MOST_WORDS, reached: int = MOST_REACHED, elsewhere: int = MOST_ANYWHERE
) -> str | None:
    """Compare the two meanings at the start, in configurations that runs reach, and in others.

    `reached` and `elsewhere` say how many are compared for each number of words.  If patterns or numbers ask for more
    words, random configurations of this many words are compared, too.
    """
    bridge = Bridge(meanings)
    for words in range(1, most_words + 1):
        found = bridge.start_difference(words)
        for c in sample(meanings.system, words, reached, elsewhere):
            found = found or bridge.difference(c)
        if found is not None:
            return found
    return next(filter(None, map(bridge.difference, drawn(meanings.system))), None)


def sample(system: System, words: int, reached: int, elsewhere: int) -> Iterator[Configuration]:
    """About this many reachable configurations, and this many that need not be reachable."""
    return chain(spread(_reached(system, words), reached), anywhere(system, words, elsewhere))


def first_oracle_difference(meanings: Meanings, oracle: s.Oracle, golds: Sequence[Gold]) -> str | None:
    """Compare what both meanings of an oracle ask for, in configurations that runs reach."""
    bridge = Bridge(meanings)
    for gold in spread(golds, MOST_GOLD):
        for c in spread(_reached(meanings.system, gold.graph.words), MOST_REACHED):
            found = bridge.oracle_difference(oracle, c, gold)
            if found is not None:
                return found
    return None


def _reached(system: System, words: int) -> list[Configuration]:
    """All reachable configurations; if there are too many, those of some runs."""
    try:
        return explore(system, words, limit=MOST_EXPLORED).configurations
    except OutOfBounds:
        return list(islice(configurations(system, words), MOST_EXPLORED))


def spread(every: Sequence[T], most: int) -> Sequence[T]:
    """About this many of the items, spread evenly."""
    return every[:: max(1, len(every) // most)]
