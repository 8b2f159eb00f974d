"""The exhaustive engine: all configurations, all graphs, fewest words first.

The first counterexample has the fewest words, and among those the shortest run.  Sentences without words are tried too, but
they are no cases: a claim that holds for them alone holds of nothing.  Every counterexample is replayed by the
interpreter before it is believed; one that does not replay means that two meanings of the figure disagree.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from arcproof.properties.exploration import OutOfBounds, StateSpace, explore
from arcproof.properties.verdict import Counterexample, Outcome, Verdict, refuted, unknown
from arcproof.transitions.configuration import Configuration, Step, Transition
from arcproof.transitions.errors import Contradiction, NotPermissible
from arcproof.transitions.system import System

ENGINE = "interpreter"


class ReplayFailed(Contradiction):
    """The interpreter does not confirm a counterexample: two engines contradict each other."""


class RunProperty(Protocol):
    """A property that shows in single configurations and steps of a run; each method gives the reason of a violation."""

    def at_configuration(self, c: Configuration, terminal: bool, permissible: list[Transition]) -> str | None:
        """A violation in a reachable configuration."""

    def at_step(self, before: Configuration, step: Step) -> str | None:
        """A violation in a step between reachable configurations."""


@dataclass
class Levels:
    """The state spaces of a system for 0 to `words` words, explored when they are first asked for."""

    system: System
    words: int
    limit: int | None = None
    _spaces: dict[tuple[int, bool], StateSpace] = field(default_factory=dict)
    _stopped: dict[bool, int] = field(default_factory=dict)

    def space(self, words: int, past_terminal: bool = False) -> StateSpace:
        """The space for this many words; `OutOfBounds` if it is too large."""
        key = (words, past_terminal)
        if key not in self._spaces:
            self._spaces[key] = explore(self.system, words, past_terminal, self.limit)
        return self._spaces[key]

    def spaces(self, past_terminal: bool = False) -> Iterator[StateSpace]:
        """Fewest words first, as far as the limit allows."""
        for words in range(self.words + 1):
            if words >= self._stopped.get(past_terminal, self.words + 1):
                return
            try:
                space = self.space(words, past_terminal)
            except OutOfBounds:
                self._stopped[past_terminal] = words
                return
            yield space

    @property
    def reached(self) -> int:
        """The greatest number of words that was explored in full, in every reading that was asked for; -1 if none."""
        return min([self.words + 1, *self._stopped.values()]) - 1

    def explored(self) -> int:
        """Explore as far as the limit allows; the greatest number of words that was reached."""
        for _ in self.spaces():
            pass
        return self.reached

    def some_run_ends(self) -> bool:
        """Whether a terminal configuration of a sentence with words can be reached."""
        return any(space.terminals for space in self.spaces() if space.words > 0)


def exhausted(words: int, cases: int, what: str) -> Outcome:
    """No counterexample up to this many words; without any case the claim is empty, which is no success."""
    if words < 1:
        return unknown(ENGINE, "no sentence with words could be explored within the limit")
    if cases == 0:
        return unknown(ENGINE, f"nothing was checked: there is no {what} up to {words} words")
    return Outcome(Verdict.EXHAUSTED, words, ENGINE, cases, f"{cases} {what}, all up to {words} words")


def exhaust(levels: Levels, prop: RunProperty) -> Outcome:
    """Ask a property of every configuration and every step."""
    cases = 0
    for space in levels.spaces():
        for number, c in enumerate(space.configurations):
            cases += space.words > 0
            permissible = [edge.transition for edge in space.edges[number]]
            reason = prop.at_configuration(c, space.terminal[number], permissible)
            if reason is not None:
                return _refuted(space, space.run_to(number), reason, cases, prop)
            for edge in space.edges[number]:
                reason = prop.at_step(c, edge.step)
                if reason is not None:
                    return _refuted(space, (*space.run_to(number), edge.transition), reason, cases, prop)
    return exhausted(levels.reached, cases, "configurations")


def _refuted(space: StateSpace, run: tuple[Transition, ...], reason: str, cases: int, prop: RunProperty) -> Outcome:
    graph = replay(space.system, space.words, run, prop).graph
    return refuted(ENGINE, space.words, cases, Counterexample(space.words, graph, run, reason))


def retrace(system: System, words: int, run: tuple[Transition, ...]) -> Configuration:
    """Take a run again from the start; `ReplayFailed` if the interpreter does not permit it."""
    c = system.start(words)
    for transition in run:
        try:
            c = system.apply(c, transition)
        except NotPermissible as error:
            raise ReplayFailed(f"{system.name}, {words} words: {error}") from None
    return c


def replay(system: System, words: int, run: tuple[Transition, ...], prop: RunProperty) -> Configuration:
    """Take the run again, with a new label for every arc, and see that it does violate the property at its end."""
    c = system.start(words)
    reason = None
    for count, transition in enumerate(run):
        try:
            step = system.step(c, labelled(system, transition, count))
        except NotPermissible as error:
            raise ReplayFailed(f"{system.name}, {words} words: {error}") from None
        reason = prop.at_step(c, step)
        c = step.configuration
    permissible = system.permissible(c)
    reason = reason or prop.at_configuration(c, system.is_terminal(c), permissible)
    if reason is None:
        raise ReplayFailed(
            f"{system.name}, {words} words: {' '.join(map(str, run))} does not show the violation it should"
        )
    return c


def labelled(system: System, transition: Transition, count: int) -> Transition:
    """The transition with a label of its own where it carries one, so that an arc added twice shows as two arcs."""
    if any(rule.label is not None for rule in system.transitions[transition.name]):
        return transition._replace(label=f"l{count + 1}")
    return transition
