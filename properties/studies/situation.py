"""One configuration on the way to a gold graph: its loss, the cost of every transition there, and the costs that
dynamic oracles state.

The loss is found by a search (`nearest_output`), and so is the loss after each permissible transition; the cost is the
difference.  If a search reaches its limit, the cost is unknown.  Following a dynamic oracle to the end, always taking
the first of the transitions with the least cost, leads to some output, whose loss is an upper bound whether or not the
oracle is right.

With labels, an oracle is compared with the true costs only if its lines have labels; other oracles do not cover labels.
"""

from collections.abc import Iterator

from arcproof.process.interruption import what_ended
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import Shown, WithDocument, WithPicture, WithTable
from arcproof.properties.engines.nearest_output import MOST_EXPANDED, Aim, NearestOutput
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Derivation, Step, Transition
from arcproof.transitions.graph import Graph
from arcproof.transitions.runs import read_transitions, take
from arcproof.transitions.system import System, most_transitions


@dataclass(frozen=True)
class TransitionCost:
    """A permissible transition, its costs according to the dynamic oracles, and the nearest output after it.

    `nearest` is None if the run was interrupted first.
    """

    transition: Transition
    said: tuple[int | None, ...]
    nearest: NearestOutput | None


@dataclass(frozen=True)
class FreeRun:
    """Where following a dynamic oracle leads: the rest of the run and the loss of its output; no loss if the run never
    ends.
    """

    oracle: str
    ending: Derivation
    loss: int | None


@dataclass(frozen=True, repr=False)
class Situated(Shown, WithDocument, WithTable, WithPicture):
    """What is known about one configuration; `ended_by` says what ended the run early."""

    system: System
    gold: Graph
    labelled: bool
    run: Derivation
    nearest: NearestOutput | None
    options: tuple[TransitionCost, ...]
    followed: tuple[FreeRun, ...]
    ended_by: str | None = None

    @property
    def configuration(self) -> Configuration:
        """The configuration that the run has reached."""
        return self.run.last

    def cost(self, option: TransitionCost) -> int | None:
        """The cost of a transition; None if it is unknown, or if no run ends after it."""
        before = None if self.nearest is None else self.nearest.exact
        after = None if option.nearest is None else option.nearest.exact
        return None if before is None or after is None else after - before

    @property
    def upper(self) -> int | None:
        """The least loss found."""
        found = [one.loss for one in self.followed] + [None if self.nearest is None else self.nearest.loss]
        return min((loss for loss in found if loss is not None), default=None)

    @property
    def ending(self) -> Derivation | None:
        """A continuation to the nearest output found."""
        known = [(one.loss, one.ending) for one in self.followed if one.loss is not None]
        if self.nearest is not None and self.nearest.ending is not None and self.nearest.loss is not None:
            known.insert(0, (self.nearest.loss, self.nearest.ending))
        return min(known, key=lambda one: one[0])[1] if known else None

    @property
    def oracles(self) -> tuple[s.DynamicOracle, ...]:
        """The dynamic oracles whose costs refer to this loss."""
        return tuple(one for one in self.system.figure.dynamic_oracles if one.is_labelled or not self.labelled)

    @property
    def wrong(self) -> tuple[tuple[str, TransitionCost], ...]:
        """The costs that a dynamic oracle states and that are not true: the oracle and the transition."""
        return tuple(
            (oracle.name, option)
            for place, oracle in enumerate(self.oracles)
            for option in self.options
            if self._is_wrong(option, option.said[place])
        )

    def _is_wrong(self, option: TransitionCost, said: int | None) -> bool:
        """Whether an oracle is certainly wrong; transitions from one dead end to another are ignored."""
        if self.nearest is None or self.nearest.is_dead or option.nearest is None:
            return False
        if option.nearest.is_dead:
            return said is None or said <= 0
        return self.cost(option) is not None and said != self.cost(option)

    @property
    def exit_code(self) -> int:
        """0 if everything is known and as the oracles say, 1 if one of them is wrong here, otherwise 3."""
        if self.wrong:
            return 1
        searches = [self.nearest, *(option.nearest for option in self.options)]
        return 3 if any(one is None or not one.complete for one in searches) else 0


def situated(system: System, gold: Graph, run: str = "", most: int = MOST_EXPANDED, labelled: bool = False) -> Situated:
    """The situation after a run; Ctrl-C ends the run with what is known by then."""
    aim = Aim(system, gold, labelled)
    way = take(system, gold.words, read_transitions(run), lambda step: _gold_label(aim, step) if labelled else None)
    c = way.last
    nearest: NearestOutput | None = None
    options: list[TransitionCost] = []
    followed: tuple[FreeRun, ...] = ()
    steps = [] if system.is_terminal(c) else list(_steps(aim, c))
    ended_by = None
    try:
        followed = tuple(_follow(aim, c, oracle) for oracle in system.figure.dynamic_oracles)
        nearest = aim.nearest(c, most)
        options += (_option(aim, c, step, aim.nearest(step.configuration, most)) for step in steps)
    except KeyboardInterrupt as interruption:
        ended_by = what_ended(interruption)
        options += (_option(aim, c, step, None) for step in steps[len(options) :])
    return Situated(system, gold, labelled, way, nearest, tuple(options), followed, ended_by)


def _gold_label(aim: Aim, step: Step) -> str | None:
    """The gold label if the arc is gold; otherwise any label."""
    gold = (aim.asked.arcs.get((arc.head, arc.dependent)) for arc in step.added)
    return next((arc.label for arc in gold if arc is not None), aim.another)


def _steps(aim: Aim, c: Configuration) -> Iterator[Step]:
    """Yield the permissible steps; with labels, one with the gold label and, if that makes a difference, one with
    another.
    """
    for step in aim.system.steps(c):
        if not aim.labelled or not aim.system.takes_label(c, step.transition):
            yield step
            continue
        for label in dict.fromkeys((_gold_label(aim, step), aim.another)):
            yield aim.system.step(c, step.transition._replace(label=label))


def _option(aim: Aim, c: Configuration, step: Step, nearest: NearestOutput | None) -> TransitionCost:
    oracles = (one for one in aim.system.figure.dynamic_oracles if one.is_labelled or not aim.labelled)
    return TransitionCost(step.transition, tuple(_price(aim, c, step, oracle) for oracle in oracles), nearest)


def _price(aim: Aim, c: Configuration, step: Step, oracle: s.DynamicOracle) -> int | None:
    """The cost of a step according to an oracle; if labels do not count, with the gold label."""
    transition = step.transition
    if not aim.labelled and aim.system.takes_label(c, transition):
        transition = transition._replace(label=_gold_label(aim, step))
    return aim.system.cost(c, transition, aim.asked, oracle)


def _follow(aim: Aim, start: Configuration, oracle: s.DynamicOracle) -> FreeRun:
    """Follow an oracle: always take the first of the cheapest transitions, until the run ends or repeats a
    configuration.
    """
    system, c = aim.system, start
    steps: list[Step] = []
    seen = {c}
    while not system.is_terminal(c) and len(steps) < most_transitions(c.words):
        priced = [(_price(aim, c, step, oracle), step) for step in _steps(aim, c)]
        known = [(cost, place) for place, (cost, _) in enumerate(priced) if cost is not None]
        if not known:
            break
        step = priced[min(known)[1]][1]
        steps.append(step)
        c = step.configuration
        if c in seen:
            break
        seen.add(c)
    run = Derivation(start, tuple(steps))
    return FreeRun(oracle.name, run, aim.loss(c.graph) if system.is_terminal(c) else None)
