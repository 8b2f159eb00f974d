"""The sampling engine: runs and graphs of sentences longer than any exhaustive search reaches.

First come the *extremes*, which random samples hardly ever are (`extreme_runs`, `generators.shapes`), with as many words
as may be sampled.  Then Hypothesis draws `samples` more, in batches of `BATCH` with a seed each, so that the samples
of a smaller number are the first of a larger one, and more samples never find less.  In the second half of a batch it
drives towards long runs, long sequences and many arcs (`target`).

A property that fails is set aside, and the pass is repeated for the others.  Its example is made small: by Hypothesis,
by the same extreme with fewer words, by all extremes of few words, and by all of one word less, again and again.  These are also asked where a check cannot decide
about an extreme, because short sentences are easier to decide.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeAlias, TypeVar, cast

from arcproof.generators.shapes import shapes_of
from arcproof.generators.strategies import runs, trees_of
from arcproof.properties.engines.extreme_runs import AnyRun, extreme_runs
from arcproof.properties.engines.spaces import RunProperty
from arcproof.properties.evidence import Cases, Counterexample, NoSampleEnds, Open, Refuted, Sampled
from arcproof.transitions.configuration import Transition
from arcproof.transitions.graph import Heads, graph_of
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System
from hypothesis import HealthCheck, Phase, given, seed, settings, target
from hypothesis.strategies import SearchStrategy

from arcproof.process.interruption import go_on

ENGINE: Final = "hypothesis"
MOST_STEPS: Final = 2_000
STEPS_OF_EXTREMES: Final = 180
BATCH: Final = 50
FEW_WORDS: Final = 12

K = TypeVar("K", bound=Hashable)
E = TypeVar("E")
F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many samples besides the extremes (none at all for 0), how long the sentences, and from which seed."""

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


Check: TypeAlias = Callable[[E], F | None]
Extreme: TypeAlias = Callable[[int], E | None]


class _Enough(BaseException):
    """Ends a batch before its time; not an `Exception`, which Hypothesis would take for a failure."""


@dataclass
class _Samples(Generic[K, E, F]):
    """What is drawn, what it is asked, and what came out."""

    extremes: Sequence[Extreme[E]]
    strategy: SearchStrategy[E]
    checks: Mapping[K, Check[E, F]]
    sampling: Sampling
    scores: Callable[[E], Mapping[str, int]]
    words_of: Callable[[E], int]
    is_undecided: Callable[[], bool] = lambda: False
    drawn: list[E] = field(default_factory=list)
    failures: dict[K, tuple[E, F]] = field(default_factory=dict)

    def draw(self) -> None:
        """All samples; the failing one of each check that fails, made small."""
        if self.sampling.samples == 0:
            return
        self._try_extremes()
        if self.is_undecided():
            for key in self._remaining:
                self._try_words(key, range(1, FEW_WORDS + 1))
        for count in range(0, self.sampling.samples, BATCH):
            if self._remaining:
                self.drawn += self._batch(count // BATCH, min(BATCH, self.sampling.samples - count))
        for key, (example, _) in self.failures.items():
            words = self.words_of(example) - 1
            if not self._try_words(key, range(1, min(words, FEW_WORDS) + 1)):
                while words > FEW_WORDS and self._try_words(key, (words,)):
                    words -= 1

    @property
    def _remaining(self) -> dict[K, Check[E, F]]:
        return {key: check for key, check in self.checks.items() if key not in self.failures}

    def _try_extremes(self) -> None:
        seen: set[E] = set()
        for extreme in self.extremes:
            go_on()
            example = extreme(self.sampling.words)
            if example is None or example in seen:
                continue
            seen.add(example)
            self.drawn.append(example)
            for key, check in self._remaining.items():
                fault = check(example)
                if fault is not None:
                    self.failures[key] = self._least(extreme, check) or (example, fault)

    def _least(self, extreme: Extreme[E], check: Check[E, F]) -> tuple[E, F] | None:
        """The same extreme with the fewest words that fails."""
        for words in range(1, self.sampling.words):
            example = extreme(words)
            fault = None if example is None else check(example)
            if example is not None and fault is not None:
                return example, fault
        return None

    def _try_words(self, key: K, numbers: Iterable[int]) -> bool:
        """Every extreme with these numbers of words, until one fails."""
        check = self.checks[key]
        for words in numbers:
            for extreme in self.extremes:
                go_on()
                example = extreme(words)
                fault = None if example is None else check(example)
                if example is not None and fault is not None:
                    self.failures[key] = example, fault
                    return True
        return False

    def _batch(self, number: int, count: int) -> list[E]:
        """The first samples of a batch, which does not depend on how many of them are wanted."""
        configured = settings(
            max_examples=BATCH,
            database=None,
            deadline=None,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.target, Phase.shrink),
        )
        while True:
            drawn: list[E] = []
            try:
                seed(f"{self.sampling.seed}, batch {number}")(
                    configured(given(self.strategy)(self._test(drawn, count)))
                )()
            except _Failed as failed:
                self.failures[cast(K, failed.key)] = cast(E, failed.example), cast(F, failed.fault)
                if self._remaining:
                    continue
            except _Enough:
                pass
            return drawn[:count]

    def _test(self, drawn: list[E], count: int) -> Callable[[E], None]:
        remaining = self._remaining
        failing = False

        def test(example: E) -> None:
            nonlocal failing
            go_on()
            if len(drawn) == count and not failing:
                raise _Enough
            drawn.append(example)
            for label, score in self.scores(example).items():
                target(score, label=label)
            for key, check in remaining.items():
                fault = check(example)
                if fault is not None:
                    failing = True
                    raise _Failed(key, example, fault)

        return test


def _evidence(drawn: int, ended: int, longest: int, what: str, sampling: Sampling) -> Sampled | Open:
    cases = Cases(drawn, what)
    return Sampled(ENGINE, longest, cases, sampling.seed) if ended else Open(ENGINE, NoSampleEnds(cases, longest))


def sample_runs(system: System, checks: Mapping[K, RunCheck], sampling: Sampling) -> dict[K, Refuted | Sampled | Open]:
    """Ask every check of runs of up to `sampling.words` words."""
    strategy = runs(system, max_words=sampling.words, max_steps=MOST_STEPS)
    samples = _Samples(
        extreme_runs(system, STEPS_OF_EXTREMES), strategy, checks, sampling, _run_scores, lambda run: run.words
    )
    samples.draw()
    drawn, ended = samples.drawn, sum(run.end == "terminal" for run in samples.drawn)
    longest = max((run.words for run in drawn), default=0)
    evidence = _evidence(len(drawn), ended, longest, f"runs ({ended} to the end)", sampling)
    found: dict[K, Refuted | Sampled | Open] = dict.fromkeys(checks, evidence)
    for key, (run, fault) in samples.failures.items():
        c = run.configurations[len(fault.run)]
        wrong = Counterexample(run.words, c.graph, fault.run, fault.reason)
        found[key] = Refuted(ENGINE, wrong, len(drawn), sampling.seed)
    return found


def _run_scores(run: AnyRun) -> dict[str, int]:
    """What Hypothesis drives towards."""
    sequences = [len(value) for c in run.configurations for value in c.values if isinstance(value, tuple)]
    return {"transitions": len(run.transitions), "sequence": max(sequences, default=0), "arcs": len(run.last.arcs)}


def sample_graphs(
    graphs: GraphClass, check: GraphCheck, sampling: Sampling, is_undecided: Callable[[], bool] = lambda: False
) -> Refuted | Sampled | Open:
    """Ask a check of graphs of a class; it may leave some undecided."""
    strategy = trees_of(graphs, max_words=sampling.words)
    samples = _Samples(shapes_of(graphs), strategy, {None: check}, sampling, _graph_scores, len, is_undecided)
    samples.draw()
    for heads, reason in samples.failures.values():
        counterexample = Counterexample(len(heads), graph_of(heads), None, reason)
        return Refuted(ENGINE, counterexample, len(samples.drawn), sampling.seed)
    drawn = len(samples.drawn)
    return _evidence(drawn, drawn, max(map(len, samples.drawn), default=0), "graphs", sampling)


def _graph_scores(heads: Heads) -> dict[str, int]:
    """What Hypothesis drives towards: many arcs, long arcs, deep trees."""
    arcs = [(word, head) for word, head in enumerate(heads, start=1) if head is not None]
    depths: dict[int, int] = {}
    for word, _ in arcs:
        above, node = 0, word
        while (head := heads[node - 1] if node else None) is not None:
            above, node = above + 1, head
        depths[word] = above
    length = sum(abs(word - head) for word, head in arcs)
    return {"arcs": len(arcs), "length of arcs": length, "depth": max(depths.values(), default=0)}
