"""The sampling engine: runs and graphs of sentences longer than any exhaustive search reaches.

First come the *extremes*, which random sampling hardly ever finds (`extreme_runs`, `generators.shapes`), with as many
words as may be sampled.  Then come `samples` more, in batches of `BATCH`.  Each sample has its own seed, made from its
number, so that a larger number of samples begins with the same ones as a smaller number, and never finds less.  The
second half of a batch is driven towards long runs, long sequences and many arcs, or long arcs and deep trees: each
sample is a variation of one of those that have gone farthest in this batch so far.

A property that fails is set aside, and the others continue.  Its example is shrunk: by the same extreme with fewer
words; by all extremes and some random samples of few words; by all of one word less, repeatedly; and by leaving out
words of a graph, one by one.  These are also tried if a check cannot decide an extreme, because short sentences are
easier to decide.
"""

import struct
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice
from random import Random
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from arcproof.generators.graph_classes import contains_graph
from arcproof.generators.graph_shapes import GraphShape, graph_shapes
from arcproof.generators.shapes import shapes
from arcproof.process.interruption import go_on
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.engines.engine import default_engine
from arcproof.properties.engines.extreme_runs import extreme_policies
from arcproof.properties.engines.long_runs import (
    MOST_STEPS,
    Facts,
    LongRun,
    LongRuns,
    RunCheck,
    RunFault,
    Screened,
    long_runs,
)
from arcproof.properties.engines.output_sets import as_class_sees
from arcproof.properties.engines.policies import AnyRun, Policy, Prefer
from arcproof.properties.engines.spaces import RunProperty, Screen
from arcproof.properties.evidence import Cases, Counterexample, NoSampleEnds, Open, Refuted, Sampled
from arcproof.transitions.system import System

ENGINE: Final = "samples"
BATCH: Final = 50
FEW_WORDS: Final = 12
FEWER_WORDS: Final = 5
NEAR: Final = 100
SOME: Final = 10
CHANGES: Final = 6
FEW_CHANGES: Final = 3
STEADINESSES: Final = (0, 0, 128, 224, 250)

K = TypeVar("K", bound=Hashable)
E = TypeVar("E")
F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Sampling:
    """How many samples to draw in addition to the extremes (none at all for 0), how long the sentences are, and the
    seed.
    """

    samples: int = 50
    words: int = 40
    seed: int = 0


# --- checks of runs --------------------------------------------------------------------------------------------------


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

    def shows(facts: Facts) -> bool:
        screen = prop.screen(facts.words)
        return screen is not None and _shows(system, screen, facts)

    screen = prop.screen(1)
    return check if screen is None or screen.fails is not None else Screened(check, shows)


def _shows(system: System, screen: Screen, facts: Facts) -> bool:
    """Whether a screen finds something in the known facts of a run."""
    if facts.signs & screen.signs or (screen.space is not None and facts.space > screen.space):
        return True
    if screen.graphs is None or not facts.ended:
        return False
    return not contains_graph(screen.graphs, as_class_sees(system, screen.graphs, facts.graph))


Counts: TypeAlias = Mapping[str, int]


def end_check(violation: Callable[[int, Counts], str | None]) -> RunCheck:
    """A check of every run that reaches a terminal configuration, by its number of words and its number of occurrences
    of each transition.
    """

    def check(run: AnyRun) -> RunFault | None:
        reason = violation(run.words, counts_of(run)) if run.end == "terminal" else None
        return None if reason is None else RunFault(run.transitions, reason)

    return Screened(check, lambda facts: facts.ended and violation(facts.words, facts.counts) is not None)


def counts_of(run: AnyRun) -> Counts:
    """How often each transition is taken."""
    return Counter(transition.name for transition in run.transitions)


# --- samples ---------------------------------------------------------------------------------------------------------


class Source(Protocol[E]):
    """A source of samples."""

    def extremes(self, words: int) -> Iterable[E | None]:
        """Yield all extremes with this many words; None for each that does not exist."""

    def extreme(self, number: int, words: int) -> E | None:
        """One of the extremes."""

    def batch(self, number: int) -> Iterator[E]:
        """The samples of a batch."""

    def some(self, words: int) -> Iterable[E]:
        """A few random samples with exactly this many words."""

    def smaller(self, example: E) -> Iterable[E]:
        """Yield the same sample with one word less, in several ways."""

    def words(self, example: E) -> int:
        """The number of words of a sample."""

    def key(self, example: E) -> Hashable:
        """A key that is equal for equal samples."""


@dataclass
class Samples(Generic[K, E, F]):
    """The samples, the checks and the outcome."""

    source: Source[E]
    checks: Mapping[K, Callable[[E], F | None]]
    sampling: Sampling
    is_undecided: Callable[[], bool] = lambda: False
    drawn: list[E] = field(default_factory=list)
    failures: dict[K, tuple[E, F]] = field(default_factory=dict)

    def draw(self) -> None:
        """Draw all samples; `failures` then has the shrunk failing sample of each check that fails."""
        if self.sampling.samples == 0:
            return
        self._try_extremes()
        if self.is_undecided():
            for key in self._remaining:
                self._try_words(key, range(1, FEW_WORDS + 1))
        for count in range(0, self.sampling.samples, BATCH):
            for example in islice(self.source.batch(count // BATCH), self.sampling.samples - count):
                if not self._remaining:
                    break
                self._ask(example)
        for key, (example, _) in list(self.failures.items()):
            words = self.source.words(example) - 1
            if not self._try_words(key, range(1, min(words, FEW_WORDS) + 1)):
                while words > FEW_WORDS and self._try_words(key, (words,)):
                    words -= 1
            while self._try(key, self.source.smaller(self.failures[key][0])):
                pass

    @property
    def _remaining(self) -> list[K]:
        return [key for key in self.checks if key not in self.failures]

    def _ask(self, example: E) -> list[K]:
        """Ask all checks that have not failed yet, and return those that fail now."""
        go_on()
        self.drawn.append(example)
        failed = []
        for key in self._remaining:
            fault = self.checks[key](example)
            if fault is not None:
                self.failures[key] = example, fault
                failed.append(key)
        return failed

    def _try_extremes(self) -> None:
        seen: set[Hashable] = set()
        for number, example in enumerate(self.source.extremes(self.sampling.words)):
            go_on()
            if example is None or self.source.key(example) in seen:
                continue
            seen.add(self.source.key(example))
            for key in self._ask(example):
                self.failures[key] = self._least(number, key) or self.failures[key]

    def _least(self, number: int, key: K) -> tuple[E, F] | None:
        """The same extreme with the fewest words that still make it fail."""
        for words in range(1, self.sampling.words):
            go_on()
            example = self.source.extreme(number, words)
            fault = None if example is None else self.checks[key](example)
            if example is not None and fault is not None:
                return example, fault
        return None

    def _try_words(self, key: K, numbers: Iterable[int]) -> bool:
        """Try every extreme with these numbers of words and some random samples, until one fails."""
        return any(
            self._try(key, examples)
            for words in numbers
            for examples in (self.source.extremes(words), self.source.some(words))
        )

    def _try(self, key: K, examples: Iterable[E | None]) -> bool:
        for example in examples:
            go_on()
            fault = None if example is None else self.checks[key](example)
            if example is not None and fault is not None:
                self.failures[key] = example, fault
                return True
        return False


@dataclass
class Best(Generic[E]):
    """The samples of a batch that go farthest, each in a different way."""

    known: dict[int, tuple[int, E]] = field(default_factory=dict)

    def note(self, scores: Sequence[int], example: E) -> None:
        """Record one more sample; of two that go equally far, the later one is kept."""
        for goal, score in enumerate(scores):
            if goal not in self.known or score >= self.known[goal][0]:
                self.known[goal] = score, example

    def of(self, number: int) -> E:
        """The sample that the one with this number is made from."""
        return self.known[number % len(self.known)][1]


def seeded(sampling: Sampling, *numbers: object) -> Random:
    """The random generator of the sample with these numbers."""
    return Random(", ".join(map(str, (sampling.seed, *numbers))))


def is_driven(number: int) -> bool:
    """Whether a sample of a batch is a variation of another."""
    return number >= BATCH // 2


# --- runs ------------------------------------------------------------------------------------------------------------


@dataclass
class RunSource:
    """Runs of a system."""

    runs: LongRuns
    sampling: Sampling
    _fitting: dict[int, int] = field(default_factory=dict)
    _policies: dict[Hashable, Policy] = field(default_factory=dict)

    def extremes(self, words: int) -> Iterator[LongRun | None]:
        """Yield the runs of all policies, and of all oracles for all shapes; if a run would be too long, with fewer
        words.
        """
        words = self._fitting_words(words)
        yield from self._taken(list(extreme_policies(self.runs.system, words)), words)
        for oracle in self.runs.system.figure.oracles:
            for shape in self._shapes:
                yield self.runs.derive(shape(words), oracle.name)

    @property
    def _shapes(self) -> tuple[GraphShape, ...]:
        """The graphs that oracles are led to: forests, preceded by other graphs if words may have several heads."""
        forests = len(shapes("forests"))
        return graph_shapes() if self.runs.system.figure.several_heads else graph_shapes()[-forests:]

    def extreme(self, number: int, words: int) -> LongRun | None:
        """The run of one policy, or of one oracle and shape."""
        words = self._fitting_words(words)
        policies = list(extreme_policies(self.runs.system, words))
        if number < len(policies):
            return next(self._taken([policies[number]], words))
        oracle, shape = divmod(number - len(policies), len(self._shapes))
        return self.runs.derive(self._shapes[shape](words), self.runs.system.figure.oracles[oracle].name)

    def _fitting_words(self, words: int) -> int:
        """The largest number of words with which the first policy finishes, so that excessive lengths are detected only
        once.
        """
        if words not in self._fitting:
            fitting = words
            while fitting > FEWER_WORDS and self._is_too_long(fitting):
                fitting = fitting * 2 // 3
            self._fitting[words] = fitting
        return self._fitting[words]

    def _is_too_long(self, words: int) -> bool:
        first = next(extreme_policies(self.runs.system, words))
        [run] = self.runs.take([first], words)
        return run.scores[0] == self.runs.most_steps

    def batch(self, number: int) -> Iterator[LongRun]:
        """Yield runs of random policies; in the second half, variations of those that go farthest, with some decisions
        changed.
        """
        best = Best[tuple[int, Prefer]]()
        for place in range(BATCH):
            random = seeded(self.sampling, "batch", number, place)
            words, policy = self._changed(*best.of(place), random) if is_driven(place) else self._drawn(random)
            [run] = self._taken([policy], words)
            best.note(run.scores, (words, policy))
            yield run

    def _taken(self, policies: Sequence[Policy], words: int) -> Iterator[LongRun]:
        """The runs of these policies, which are remembered."""
        for policy, run in zip(policies, self.runs.take(policies, words), strict=True):
            self._policies[run.key] = policy
            yield run

    def some(self, words: int) -> Iterator[LongRun]:
        """The runs of a few random policies."""
        random = seeded(self.sampling, "with", words)
        return self._taken([self._policy(words, random) for _ in range(SOME)], words)

    def smaller(self, example: LongRun) -> Iterator[LongRun]:
        """Yield runs with a few words less, by policies like that of the run."""
        policy = self._policies.get(example.key)
        random = seeded(self.sampling, "near", example.words)
        for words in range(example.words - 1, max(0, example.words - FEWER_WORDS), -1):
            base = policy if isinstance(policy, Prefer) else self._policy(words, random)
            near = [self._varied(base, words, random) for _ in range(NEAR if self.runs.is_swift else SOME)]
            yield from self._taken(near, words)

    def _varied(self, policy: Prefer, words: int, random: Random) -> Prefer:
        """The policy with another second order, which begins at another step, and with other random steps."""
        other = self._policy(words, random)
        order, second = (
            (policy.order, other.second) if random.random() < 0.5 else (other.order, policy.second or policy.order)
        )
        return replace(other, order=order, second=second)

    def _drawn(self, random: Random) -> tuple[int, Prefer]:
        words = random.randint(1, self.sampling.words)
        return words, self._policy(words, random)

    def _policy(self, words: int, random: Random) -> Prefer:
        names = list(self.runs.system.transitions)
        first, second = (tuple(random.sample(names, len(names))) for _ in range(2))
        steadiness = random.choice(STEADINESSES)
        return Prefer(first, second, random.randint(0, 3 * words), 0, steadiness, _draws(random))

    def _changed(self, words: int, policy: Prefer, random: Random) -> tuple[int, Prefer]:
        """A variation with at least as many words, and with other decisions from some step on, or another order."""
        longer = random.randint(words, self.sampling.words)
        other = self._policy(longer, random)
        from_here = random.randint(0, 2 * words)
        draws = (*policy.draws[:from_here], *other.draws[from_here:])
        kept = policy if random.random() < 0.75 else other
        return longer, Prefer(kept.order, kept.second, kept.switch, 0, kept.steadiness, draws)

    def words(self, example: LongRun) -> int:
        """The number of words."""
        return example.words

    def key(self, example: LongRun) -> Hashable:
        """The transitions."""
        return example.key


def _draws(random: Random) -> tuple[int, ...]:
    """32 random bits for each step."""
    bits = random.randbytes(4 * MOST_STEPS)
    return struct.unpack(f"<{MOST_STEPS}I", bits)


def evidence_of(drawn: int, ended: int, longest: int, what: str, sampling: Sampling) -> Sampled | Open:
    """The evidence from samples without a failure."""
    cases = Cases(drawn, what)
    return Sampled(ENGINE, longest, cases, sampling.seed) if ended else Open(ENGINE, NoSampleEnds(cases, longest))


def sample_runs(
    system: System, checks: Mapping[K, RunCheck], sampling: Sampling, runs: LongRuns | None = None
) -> dict[K, Refuted | Sampled | Open]:
    """Ask every check of runs of up to `sampling.words` words."""
    source = RunSource(runs or long_runs(system, default_engine()), sampling)

    def asking(check: RunCheck) -> Callable[[LongRun], RunFault | None]:
        return lambda run: run.fault(check)

    samples = Samples(source, {key: asking(check) for key, check in checks.items()}, sampling)
    samples.draw()
    drawn, ended = samples.drawn, sum(run.end == "terminal" for run in samples.drawn)
    longest = max((run.words for run in drawn), default=0)
    evidence = evidence_of(len(drawn), ended, longest, f"runs ({ended} to the end)", sampling)
    found: dict[K, Refuted | Sampled | Open] = dict.fromkeys(checks, evidence)
    for key, (run, fault) in samples.failures.items():
        c = run.run.configurations[len(fault.run)]
        wrong = Counterexample(run.words, c.graph, fault.run, fault.reason)
        found[key] = Refuted(ENGINE, wrong, len(drawn), sampling.seed)
    return found
