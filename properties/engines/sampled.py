"""The sampling engine: Hypothesis draws runs and graphs of sentences longer than any exhaustive search reaches.

One pass draws `samples` runs and asks every property of each; a property that fails is set aside with its smallest example, as far as
Hypothesis finds it, and the pass is repeated for the others.  The same seed gives the same samples.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias, TypeVar, cast

from arcproof.generators.strategies import DrawnRun, runs, trees_of
from arcproof.properties.engines.spaces import RunProperty
from arcproof.properties.evidence import Cases, Counterexample, NoSampleEnds, Open, Refuted, Sampled
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.graph import Heads, graph_of
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from arcproof.process.interruption import go_on

ENGINE: Final = "hypothesis"
MOST_STEPS: Final = 2_000

AnyRun: TypeAlias = DrawnRun[Configuration, Transition]
K = TypeVar("K", bound=Hashable)
E = TypeVar("E")
F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many samples, how long the sentences, and from which seed."""

    samples: int = 50
    words: int = 40
    seed: int = 0


@dataclass(frozen=True, slots=True)
class RunFault:
    """The beginning of a run that shows a violation, and the reason."""

    run: tuple[Transition, ...]
    reason: str


RunCheck: TypeAlias = Callable[[AnyRun], RunFault | None]
GraphCheck: TypeAlias = Callable[[Heads], str | None]


class _Failed(Exception, Generic[K, E, F]):
    """Carries a failing example out of Hypothesis."""

    def __init__(self, key: K, example: E, fault: F) -> None:
        super().__init__(str(key))
        self.key = key
        self.example = example
        self.fault = fault


def property_check(system: System, prop: RunProperty) -> RunCheck:
    """Ask a property of every configuration and every step of a run."""

    def check(run: AnyRun) -> RunFault | None:
        for count, c in enumerate(run.configurations):
            terminal = count == len(run.transitions) and run.end == "terminal"
            reason = prop.at_configuration(c, terminal, [] if terminal else system.permissible(c))
            if reason is not None:
                return RunFault(run.transitions[:count], reason)
            if count < len(run.transitions):
                reason = prop.at_step(c, system.step(c, run.transitions[count]))
                if reason is not None:
                    return RunFault(run.transitions[: count + 1], reason)
        return None

    return check


def end_check(violation: Callable[[int, tuple[Transition, ...]], str | None]) -> RunCheck:
    """Ask something of every run that reaches a terminal configuration."""

    def check(run: AnyRun) -> RunFault | None:
        reason = violation(run.words, run.transitions) if run.end == "terminal" else None
        return None if reason is None else RunFault(run.transitions, reason)

    return check


def _sample(
    strategy: SearchStrategy[E],
    checks: Mapping[K, Callable[[E], F | None]],
    sampling: Sampling,
    tally: "_Tally",
    see: Callable[[E], None],
) -> dict[K, tuple[E, F]]:
    """Ask every check of the samples; the simplest failing sample of each check that fails.  The tally is that of the last pass."""
    configured = settings(
        max_examples=sampling.samples,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    failures: dict[K, tuple[E, F]] = {}
    while len(failures) < len(checks):
        tally.reset()
        remaining = {key: check for key, check in checks.items() if key not in failures}

        def test(example: E) -> None:
            go_on()
            see(example)
            for key, check in remaining.items():  # noqa: B023 - the test is done before the next pass
                fault = check(example)
                if fault is not None:
                    raise _Failed(key, example, fault)

        try:
            seed(sampling.seed)(configured(given(strategy)(test)))()
        except _Failed as failed:
            failures[cast(K, failed.key)] = cast(E, failed.example), cast(F, failed.fault)
        else:
            break
    return failures


@dataclass(slots=True)
class _Tally:
    """What was drawn in a pass."""

    drawn: int = 0
    longest: int = 0
    ended: int = 0

    def reset(self) -> None:
        self.drawn = self.longest = self.ended = 0

    def run(self, run: AnyRun) -> None:
        self.drawn += 1
        self.ended += run.end == "terminal"
        self.longest = max(self.longest, run.words)

    def graph(self, heads: Heads) -> None:
        self.drawn += 1
        self.ended += 1
        self.longest = max(self.longest, len(heads))

    def evidence(self, cases: Cases, sampling: Sampling) -> Sampled | Open:
        if self.ended == 0:
            return Open(ENGINE, NoSampleEnds(cases, self.longest))
        return Sampled(ENGINE, self.longest, cases, sampling.seed)


def sample_runs(system: System, checks: Mapping[K, RunCheck], sampling: Sampling) -> dict[K, Refuted | Sampled | Open]:
    """Ask every check of random runs of up to `sampling.words` words."""
    tally = _Tally()
    strategy = runs(system, max_words=sampling.words, max_steps=MOST_STEPS)
    failures = _sample(strategy, checks, sampling, tally, tally.run)
    drawn = tally.evidence(Cases(tally.drawn, f"runs ({tally.ended} to the end)"), sampling)
    found: dict[K, Refuted | Sampled | Open] = dict.fromkeys(checks, drawn)
    for key, (run, fault) in failures.items():
        c = run.configurations[len(fault.run)]
        wrong = Counterexample(run.words, c.graph, fault.run, fault.reason)
        found[key] = Refuted(ENGINE, wrong, tally.drawn, sampling.seed)
    return found


def sample_graphs(graphs: GraphClass, check: GraphCheck, sampling: Sampling) -> Refuted | Sampled | Open:
    """Ask a check of random graphs of a class."""
    tally = _Tally()
    failures = _sample(trees_of(graphs, max_words=sampling.words), {None: check}, sampling, tally, tally.graph)
    for heads, reason in failures.values():
        return Refuted(ENGINE, Counterexample(len(heads), graph_of(heads), None, reason), tally.drawn, sampling.seed)
    return tally.evidence(Cases(tally.drawn, "graphs"), sampling)
