"""Figure and driver in lockstep: the same transitions taken by both, and everything compared on the way.

All runs of the figure are taken, fewest words first, then the shortest, in the order of the figure.  Where a sentence
length has more than `MOST_RUNS` of them, or runs without limit, runs are merged that lead to the same configuration of the figure and to
the same shown state of the driver.

In a configuration are compared: the components and arcs that the driver shows; whether the run ends; at an end, the output;
elsewhere, what is permissible.  `is_terminal` and `permissible` are asked twice, and what is shown is looked at again afterwards; so it is
after `apply`.  A transition that only one of the two permits is not followed, and neither is a run that has ended for one of them.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from arcproof.properties.conformance.calls import Calls, Crashed, Failed, GivenUp, Raised
from arcproof.properties.conformance.divergence import (
    About,
    ChangesState,
    Collected,
    Crashes,
    Divergence,
    EndsDifferently,
    Hangs,
    Names,
    OutputDiffers,
    Permits,
    Raises,
    Refuses,
    StateDiffers,
    What,
)
from arcproof.properties.conformance.driver import Parts
from arcproof.properties.conformance.subject import ARCS, DriverSide, FigureSide, Shown
from arcproof.transitions.configuration import Configuration, Value, show_value
from arcproof.transitions.graph import Heads
from arcproof.transitions.system import System

from arcproof.process.lazy_dataclass import dataclass

MOST_RUNS: Final = 10_000
CONFIGURATION: Final = "configuration"
"""In place of a component: `apply` gave back the very object that it was given."""


@dataclass(frozen=True)
class Level:
    """How the sentences of a length were compared: so many runs, or configurations if runs were merged."""

    words: int
    compared: int
    every_run: bool


@dataclass(frozen=True)
class Pair:
    """A run, the configurations to which it leads, and whether the driver's state has differed on the way."""

    run: Names
    figure: Configuration
    driver: Any
    follows: bool = False


def failure(failed: Failed, about: About = About()) -> What:  # noqa: B008 - it is immutable
    """What a call that gave no answer amounts to."""
    match failed:
        case Raised():
            return Raises(failed.method, failed.how, about)
        case Crashed():
            return Crashes(failed.method, failed.how, about)
        case _:
            return Hangs(failed.method, failed.seconds, about)


@dataclass
class Lockstep:
    """The two sides, and what was found."""

    figure: FigureSide
    driver: DriverSide
    collected: Collected
    in_place: bool

    def afresh(self) -> "Lockstep":
        """The same two sides, with nothing found."""
        return replace(self, collected=Collected())

    @classmethod
    def of(cls, system: System, parts: Parts[Any, Any], calls: Calls) -> "Lockstep":
        """Nothing found so far."""
        return cls(FigureSide(system), DriverSide(parts, system, calls), Collected(), parts.declared.in_place)

    # --- walking -----------------------------------------------------------------------------------------------------

    def level(self, words: int, keep: Callable[[Pair], None] | None = None) -> Level:
        """Compare all runs of this many words; `keep` is given the first pair for every configuration of the figure."""
        every_run = self.figure.runs(words, MOST_RUNS) is not None
        seen: set[tuple[Configuration, object]] = set()
        met: set[Configuration] = set()
        waiting = deque(self.begin(words))
        compared = 0
        while waiting:
            pair = waiting.popleft()
            compared += 1
            if keep is not None and pair.figure not in met:
                met.add(pair.figure)
                keep(pair)
            for after in self.visit(pair):
                key = None if every_run else (after.figure, self._key(after))
                if key is None or key not in seen:
                    seen.update(() if key is None else (key,))
                    waiting.append(after)
        return Level(words, compared, every_run)

    def _key(self, pair: Pair) -> object:
        with suppress(Failed):
            return frozenset(self.driver.shown(self.configuration(pair)).items())
        return None

    def walk(self, words: int, run: Iterable[str]) -> None:
        """Compare along one run."""
        pairs = self.begin(words)
        for name in run:
            after = [after for pair in pairs for after in self.visit(pair)]
            pairs = [pair for pair in after if pair.run[-1] == name]
        for pair in pairs:
            deque(self.visit(pair), maxlen=0)

    def begin(self, words: int) -> list[Pair]:
        """The initial configurations; none if the driver cannot begin."""
        try:
            d = self.driver.start(words)
        except Failed as failed:
            self.collected.add(Divergence(words, (), failure(failed)))
            return []
        return [Pair((), self.figure.system.start(words), d)]

    def configuration(self, pair: Pair) -> Any:
        """The driver's configuration: the one that was kept, or one made anew where `apply` spoils what it is given."""
        return self.replayed(pair.figure.words, pair.run) if self.in_place else pair.driver

    def replayed(self, words: int, run: Names) -> Any:
        """The driver's configuration after a run."""
        d = self.driver.start(words)
        for name in run:
            d = self.driver.apply(d, self.driver.permissible(d)[name])
        return d

    # --- one configuration -------------------------------------------------------------------------------------------

    def visit(self, pair: Pair) -> Iterator[Pair]:
        """Compare in a configuration, and give those that follow."""
        try:
            here = replace(pair, driver=self.configuration(pair))
            shown = self._shown(here)
            here = replace(here, follows=pair.follows or self._compare_state(here, shown))
            here, choices = self._choices(here, shown)
        except GivenUp:
            return
        except Failed as failed:
            self._found(pair, failure(failed))
            return
        for name, t in choices.items():
            yield from self._step(here, name, t, shown)

    def _shown(self, here: Pair) -> Shown:
        """What the driver shows; nothing if it fails to."""
        try:
            return self.driver.shown(here.driver)
        except GivenUp:
            return {}
        except Failed as failed:
            self._found(here, failure(failed))
            return {}

    def _compare_state(self, here: Pair, shown: Shown) -> bool:
        different = False
        for name, value in shown.items():
            expected = _pairs_of(here.figure) if name == ARCS else here.figure[name]
            if value != expected or isinstance(value, bool) != isinstance(expected, bool):
                different = True
                self._found(here, StateDiffers(name, expected, value))
        return different

    def _choices(self, here: Pair, shown: Shown) -> tuple[Pair, dict[str, Any]]:
        """The transitions that both permit, compared with those that one permits."""
        seen = self.figure.see(here.figure)
        here, ends = self._twice(here, "is_terminal", self.driver.is_terminal, shown)
        if ends != seen.is_terminal:
            self._found(here, EndsDifferently(seen.is_terminal))
        elif ends:
            self._compare_output(here, shown)
        if ends or seen.is_terminal:
            return here, {}
        here, permitted = self._twice(here, "permissible", self.driver.permissible, shown)
        for name in permitted:
            if name not in seen.after:
                self._found(here, Permits(name, self.figure.refusal(here.figure, name)))
        for name in seen.after:
            if name not in permitted:
                self._found(here, Refuses(name))
        return here, {name: permitted[name] for name in seen.after if name in permitted}

    def _compare_output(self, here: Pair, shown: Shown) -> None:
        given = self.driver.output(here.driver, here.figure.words)
        expected = here.figure.graph.heads_or_none
        if given is None or expected is None:
            return
        if self.driver.rooted(given) != self.driver.rooted(expected):
            self._found(here, OutputDiffers(expected, given))
        self.looks_changed(here, "heads", shown)

    def _twice(self, here: Pair, method: str, ask: Callable[[Any], Any], shown: Shown) -> tuple[Pair, Any]:
        """The first answer; what is found later follows from it if asking changed something."""
        first, second = ask(here.driver), ask(here.driver)
        changed = _text(first) != _text(second)
        if changed:
            self._found(here, ChangesState(method, method, _text(first), _text(second)))
        changed = self.looks_changed(here, method, shown) or changed
        return replace(here, follows=here.follows or changed), first

    def looks_changed(self, here: Pair, method: str, shown: Shown, about: About = About()) -> bool:  # noqa: B008
        """Whether the driver shows something else than before a method was asked."""
        now = self.driver.shown(here.driver) if shown else {}
        changed = next((name for name in shown if now.get(name) != shown[name]), None)
        if changed is not None:
            before, after = shown_text(shown[changed]), shown_text(now[changed]) if changed in now else "nothing"
            self._found(here, ChangesState(method, changed, before, after, about))
        return changed is not None

    def _step(self, here: Pair, name: str, t: Any, shown: Shown) -> Iterator[Pair]:
        try:
            if self.in_place:
                d = self.configuration(here)
                after = self.driver.apply(d, self.driver.permissible(d)[name])
            else:
                after = self.driver.apply(here.driver, t)
                self.in_place = self._is_spoiled(here, name, after, shown)
        except GivenUp:
            return
        except Failed as failed:
            self._found(here, failure(failed, About(name)))
            return
        yield Pair((*here.run, name), self.figure.see(here.figure).after[name], after, here.follows)

    def _is_spoiled(self, here: Pair, name: str, after: Any, shown: Shown) -> bool:
        """Whether `apply` changed what it was given, which is said once: from then on every configuration is made anew."""
        if self.looks_changed(here, "apply", shown, About(name)):
            return True
        if after is here.driver:
            self._found(here, ChangesState("apply", CONFIGURATION, "", "", About(name)))
        return after is here.driver

    def _found(self, pair: Pair, what: What) -> None:
        self.collected.add(Divergence(pair.figure.words, pair.run, what, pair.follows))


def _pairs_of(c: Configuration) -> frozenset[tuple[int, int]]:
    return frozenset((arc.head, arc.dependent) for arc in c.arcs)


def shown_text(value: Value | frozenset[tuple[int, int]]) -> str:
    """A component or the arcs as a figure writes them."""
    if isinstance(value, frozenset) and any(isinstance(one, tuple) for one in value):
        return "{" + ", ".join(f"({one[0]}, {one[1]})" for one in sorted(value) if isinstance(one, tuple)) + "}"
    return show_value(value)  # type: ignore[arg-type]


def _text(answer: object) -> str:
    """An answer of `is_terminal` or, by their names, of `permissible`."""
    return ", ".join(answer) if isinstance(answer, dict) else str(answer).lower()


def loss_of(output: Heads, gold: Heads) -> int:
    """How many heads are wrong or missing."""
    return sum(one != other for one, other in zip(output, gold, strict=True))
