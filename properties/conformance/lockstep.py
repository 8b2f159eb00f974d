"""Figure and driver in lockstep: the same transitions taken by both, and everything compared on the way.

All runs of the figure are taken, fewest words first, then the shortest, in the order of the figure.  If sentences of
one length have more than `MOST_RUNS` runs, or infinitely many, runs that lead to the same configuration of the figure
and the same shown state of the driver are merged.

In each configuration, these are compared: the components and arcs that the driver shows; whether the run ends; at an
end, the output, in which a word with several heads may have any of them; elsewhere, what is permissible.  `is_terminal`
and `permissible` are called twice, and what the driver shows is checked again afterwards, as it is after `apply`.  A
transition that only one of the two permits is not followed, and neither is a run that has ended for one of them.
"""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import field, replace
from typing import Any, Final

from arcproof.process.lazy_dataclass import dataclass
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
from arcproof.properties.conformance.driver import DriverParts
from arcproof.properties.conformance.subject import ARCS, DriverSide, FigureSide, Shown
from arcproof.properties.conformance.tasks import Aim, DriverTask, transition_in
from arcproof.transitions.configuration import Configuration, Value, show_value
from arcproof.transitions.graph import ROOT, Heads
from arcproof.transitions.system import System

MOST_RUNS: Final = 10_000
CONFIGURATION: Final = "configuration"
"""Used in place of a component's name when `apply` returned the very object it was given."""


class NotAgain(Failed):
    """A transition that was permissible no longer is when the driver is asked again; holds both answers."""

    def __init__(self, before: Iterable[str], after: Iterable[str]) -> None:
        """Store both answers."""
        super().__init__("permissible")
        self.answers = ", ".join(before), ", ".join(after)


@dataclass(frozen=True)
class Level:
    """How the sentences of one length were compared: how many runs, or configurations if runs were merged."""

    words: int
    compared: int
    every_run: bool


@dataclass(frozen=True)
class InStep:
    """A run, the two configurations after it, what the driver shows, whether its state was wrong along the run, and
    whether the last transition should have changed anything that the driver shows.
    """

    run: Names
    figure: Configuration
    driver: Any
    follows: bool = False
    shown: Shown = field(default_factory=dict)
    should_change: bool = False


def failure(failed: Failed, about: About = About()) -> What:  # noqa: B008 - it is immutable
    """Return the divergence for a call that gave no answer."""
    match failed:
        case Raised():
            return Raises(failed.method, failed.how, about)
        case Crashed():
            return Crashes(failed.method, failed.how, about)
        case NotAgain():
            return ChangesState("permissible", "permissible", *failed.answers)
        case _:
            return Hangs(failed.method, failed.seconds, about)


@dataclass
class Lockstep:
    """The two sides, what was found, and which methods have answered; a method that only ever returned None has not.

    `cut` counts what could not be compared because a method had been given up, `left_out` the configurations in which
    nothing could.
    """

    figure: FigureSide
    driver: DriverSide
    collected: Collected
    in_place: bool
    has_answered: dict[str, bool] = field(default_factory=dict)
    cut: int = 0
    left_out: int = 0

    def note_answer(self, method: str, answer: object) -> None:
        """Record whether a method that may return None ever returns something else."""
        self.has_answered[method] = self.has_answered.get(method, False) or answer is not None

    @property
    def silent(self) -> Names:
        """The methods that were called but never answered."""
        return tuple(method for method, has_answered in self.has_answered.items() if not has_answered)

    def afresh(self) -> "Lockstep":
        """Return the same two sides, with nothing found yet."""
        return replace(self, collected=Collected())

    @classmethod
    def of(cls, system: System, parts: DriverParts[Any, Any], calls: Calls) -> "Lockstep":
        """Return the two sides, with nothing found yet."""
        return cls(FigureSide(system), DriverSide(parts, system, calls), Collected(), parts.declared.in_place)

    # --- walking -----------------------------------------------------------------------------------------------------

    def level(self, words: int, keep: Callable[[InStep], None] | None = None) -> Level:
        """Compare all runs of this many words; `keep` is given the first pair for every configuration of the figure."""
        every_run = self.figure.runs(words, MOST_RUNS) is not None
        seen: set[tuple[Configuration, object]] = set()
        met: set[Configuration] = set()
        waiting = deque(self.begin(words))
        compared, left_out = 0, self.left_out
        while waiting:
            pair = waiting.popleft()
            compared += 1
            is_new = pair.figure not in met
            met.add(pair.figure)
            for after in self.visit(pair, keep if is_new else None):
                key = None if every_run else (after.figure, self._key(after))
                if key is None or key not in seen:
                    seen.update(() if key is None else (key,))
                    waiting.append(after)
        return Level(words, compared - (self.left_out - left_out), every_run)

    def _key(self, pair: InStep) -> object:
        with suppress(Failed):
            return frozenset(self.driver.shown(self.configuration(pair)).items())
        return None

    def walk(self, words: int, run: Iterable[str]) -> list[InStep]:
        """Compare along one run; return where it ends, if the driver gets that far."""
        pairs = self.begin(words)
        for name in run:
            after = [after for pair in pairs for after in self.visit(pair)]
            pairs = [pair for pair in after if pair.run[-1] == name]
        last: list[InStep] = []
        for pair in pairs:
            deque(self.visit(pair, last.append), maxlen=0)
        return last

    def begin(self, words: int) -> list[InStep]:
        """Return the initial configurations; none if the driver cannot begin."""
        try:
            d = self.driver.start(words)
        except Failed as failed:
            self.collected.add(Divergence(words, (), failure(failed)))
            return []
        return [InStep((), self.figure.system.start(words), d)]

    def configuration(self, pair: InStep) -> Any:
        """Return the driver's configuration: the stored one, or a rebuilt one if `apply` modifies what it is given."""
        return self.replayed(pair.figure.words, pair.run) if self.in_place else pair.driver

    def replayed(self, words: int, run: Names) -> Any:
        """Return the driver's configuration after a run."""
        d = self.driver.start(words)
        for name in run:
            d = self._taken(d, name)
        return d

    def _taken(self, d: Any, name: str) -> Any:
        """Return the driver's configuration after a transition that was permissible before."""
        permitted = self.driver.permissible(d)
        if name not in permitted:
            raise NotAgain([name], permitted)
        return self.driver.apply(d, permitted[name])

    # --- one configuration -------------------------------------------------------------------------------------------

    def visit(self, pair: InStep, keep: Callable[[InStep], None] | None = None) -> Iterator[InStep]:
        """Compare in a configuration, and yield its successors."""
        try:
            here = self._state_compared(self._looked_at(pair))
            if keep is not None:
                keep(here)
            here, choices = self._choices(here)
        except GivenUp:
            self.cut += 1
            self.left_out += 1
            return
        except Failed as failed:
            self.found(pair, failure(failed))
            return
        for name, t in choices.items():
            yield from self._step(here, name, t)

    def _looked_at(self, pair: InStep) -> InStep:
        """Return the pair with what the driver shows; with nothing if the driver fails to show it."""
        here = replace(pair, driver=self.configuration(pair))
        try:
            return replace(here, shown=self.driver.shown(here.driver))
        except GivenUp:
            self.cut += 1
            return here
        except Failed as failed:
            self.found(here, failure(failed))
            return here

    def _state_compared(self, here: InStep) -> InStep:
        """Compare the state, unless it was already wrong."""
        if here.follows:
            return here
        follows = False
        for name, value in here.shown.items():
            expected = _shown_by(here.figure, name)
            if value != expected or isinstance(value, bool) != isinstance(expected, bool):
                follows = True
                self.found(here, StateDiffers(name, expected, value))
        if here.run and here.shown and not follows:
            self._right(here, "does", transition_in(here.run[-1]), *((True, False) if here.should_change else ()))
        return replace(here, follows=follows)

    def _right(self, here: InStep, aim: Aim, transition: str, *answers: Hashable) -> None:
        """Record that the driver agrees with the figure here, unless something was wrong before."""
        if not here.follows:
            self.collected.tally.right(DriverTask(aim, transition), *answers)

    def _choices(self, here: InStep) -> tuple[InStep, dict[str, Any]]:
        """Return the transitions that both permit, and report those that only one permits."""
        seen = self.figure.see(here.figure)
        here, ends = self._twice(here, "is_terminal", self.driver.is_terminal)
        if ends != seen.is_terminal:
            self.found(here, EndsDifferently(seen.is_terminal))
        else:
            self._right(here, "ends", "", ends)
        if ends and seen.is_terminal:
            self._compare_output(here)
        if ends or seen.is_terminal:
            return here, {}
        here, permitted = self._twice(here, "permissible", self.driver.permissible)
        for name in permitted:
            if name not in seen.after:
                self.found(here, Permits(name, self.figure.refusal(here.figure, name)))
        for name in seen.after:
            if name not in permitted:
                self.found(here, Refuses(name))
        for transition in self.driver.names:
            expected = {name for name in seen.after if transition_in(name) == transition}
            if expected == {name for name in permitted if transition_in(name) == transition}:
                self._right(here, "permits", transition, bool(expected))
        return here, {name: permitted[name] for name in seen.after if name in permitted}

    def _compare_output(self, here: InStep) -> None:
        given = self.driver.output(here.driver, here.figure.words)
        if given is None:
            return
        expected = _output(here.figure, given)
        if self.driver.rooted(given) != self.driver.rooted(expected):
            self.found(here, OutputDiffers(expected, given))
        else:
            self._right(here, "output", "", *([expected] if expected else []))
        self.looked_again(here, "heads")

    def _twice(self, here: InStep, method: str, ask: Callable[[Any], Any]) -> tuple[InStep, Any]:
        """Ask twice and return the first answer; if asking changed something, continue with a fresh configuration."""
        first, second = ask(here.driver), ask(here.driver)
        if _text(first) != _text(second):
            self.found(here, ChangesState(method, method, _text(first), _text(second)))
            return self._anew(here), first
        return self.looked_again(here, method), first

    def looked_again(self, here: InStep, method: str, about: About = About()) -> InStep:  # noqa: B008
        """Return `here` if the driver still shows the same; otherwise report a divergence and return a fresh
        configuration.
        """
        now = self.driver.shown(here.driver) if here.shown else here.shown
        changed = next((name for name in here.shown if now.get(name) != here.shown[name]), None)
        if changed is None:
            return here
        before, after = shown_text(here.shown[changed]), shown_text(now[changed]) if changed in now else "nothing"
        self.found(here, ChangesState(method, changed, before, after, about))
        return self._anew(here)

    def _anew(self, here: InStep) -> InStep:
        return replace(here, driver=self.replayed(here.figure.words, here.run))

    def _step(self, here: InStep, name: str, t: Any) -> Iterator[InStep]:
        try:
            if self.in_place:
                after = self._taken(self.configuration(here), name)
            else:
                after = self.driver.apply(here.driver, t)
                self.in_place = self._is_spoiled(here, name, after)
        except GivenUp:
            self.cut += 1
            return
        except Failed as failed:
            self.found(here, failure(failed, About(name)))
            return
        c = self.figure.see(here.figure).after[name]
        changes = any(_shown_by(c, shown) != _shown_by(here.figure, shown) for shown in here.shown)
        yield InStep((*here.run, name), c, after, here.follows, should_change=changes)

    def _is_spoiled(self, here: InStep, name: str, after: Any) -> bool:
        """Whether `apply` changed what it was given; configurations are rebuilt from then on, so this is reported only
        once.
        """
        if self.looked_again(here, "apply", About(name)) is not here:
            return True
        if after is here.driver:
            self.found(here, ChangesState("apply", CONFIGURATION, "", "", About(name)))
        return after is here.driver

    def found(self, pair: InStep, what: What) -> None:
        """Add a divergence."""
        self.collected.add(Divergence(pair.figure.words, pair.run, what, pair.follows))


def accepted(lockstep: Lockstep, gold: Heads) -> bool:
    """Whether the driver accepts a gold tree."""
    try:
        return lockstep.driver.accepts(gold)
    except GivenUp:
        lockstep.cut += 1
        return False
    except Failed as failed:
        lockstep.collected.add(Divergence(len(gold), (), failure(failed, About(None, gold))))
        return False


def _shown_by(c: Configuration, name: str) -> Value | frozenset[tuple[int, int]]:
    """Return a component of the figure, or its arcs."""
    return _pairs_of(c) if name == ARCS else c[name]


def _pairs_of(c: Configuration) -> frozenset[tuple[int, int]]:
    return frozenset((arc.head, arc.dependent) for arc in c.arcs)


def _output(c: Configuration, given: Heads) -> Heads:
    """Return the head of each word in the figure; if there are several, the one that the driver gives, or else the
    first.
    """
    built = (c.heads_of.get(word) or (None,) for word in range(1, c.words + 1))
    return tuple(head if head in heads else heads[0] for head, heads in zip(given, built, strict=True))


def shown_text(value: Value | frozenset[tuple[int, int]]) -> str:
    """Return a component or the arcs, written as in a figure."""
    if isinstance(value, frozenset) and any(isinstance(one, tuple) for one in value):
        return "{" + ", ".join(f"({one[0]}, {one[1]})" for one in sorted(value) if isinstance(one, tuple)) + "}"
    return show_value(value)  # type: ignore[arg-type]


def _text(answer: object) -> str:
    """Return an answer of `is_terminal` or `permissible` as text, with transitions by name."""
    return ", ".join(answer) if isinstance(answer, dict) else str(answer).lower()


def loss_of(output: Heads, gold: Heads, roots_count: bool = True) -> int:
    """Return how many heads are wrong or missing; dependents of 0 are included only if `roots_count`."""
    return sum(one != other for one, other in zip(output, gold, strict=True) if roots_count or other != ROOT)
