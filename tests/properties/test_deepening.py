"""A search that deepens by itself: how far it goes, what it says about that.  Nobody waits: time is what the tests say
it is.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count

import pytest

from arcproof.documents.verify import document
from arcproof.documents.wire import json_value
from arcproof.process.interruption import TimeIsOver, time_limit, what_ended
from arcproof.process.progress import Say
from arcproof.properties import verify as verify_module
from arcproof.properties.deepening import LEAST_WORDS, MOST_WORDS, Deepened, Deepening, DeepeningIsOver, Task
from arcproof.properties.engines.engine import EngineName, Interpreter, engine_for
from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION, StateSpace
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.report import Effort, Report, SystemReport
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.reports.page import report_html
from arcproof.transitions.system import System, load
from tests.priceless import without_costs
from tests.properties.test_claims import changed

FAILS_AT_6 = (
    "LEFT-ARC(l)   σ|i, j|β  =>  σ, j|β  add j -l-> i  if i != 0",
    "LEFT-ARC(l)   σ|i, j|β  =>  σ, j|β  add j -l-> i  if i != 0 or j > 5",
)
FAILS_AT_5 = (FAILS_AT_6[0], FAILS_AT_6[1].replace("j > 5", "j > 4"))
SIZES = {4: 214, 5: 1_072, 6: 5_648}
"""The configurations of arc-hybrid."""


@dataclass
class Hours:
    """A clock that moves when something is done."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Paced(Interpreter):
    """Stands for native code: the interpreter, which takes a second for every configuration."""

    name: EngineName = "compiled"
    clock: Hours = field(default_factory=Hours)

    def space(self, words: int, past_terminal: bool, memory: int | None) -> StateSpace:
        """Explore, and let time pass."""
        space = super().space(words, past_terminal, memory)
        self.clock.now += space.size
        return space


def deepened(seconds: float, *costs: Callable[[int], float], memory: int | None = None) -> Deepened[int]:
    """arc-hybrid, with tasks that take this long for a number of words."""
    clock = Hours()
    system = load("arc-hybrid")

    def task(cost: Callable[[int], float]) -> Callable[[Levels], bool]:
        def ask(levels: Levels) -> bool:
            clock.now += cost(levels.words)
            return True

        return ask

    levels = Levels(system, LEAST_WORDS, memory, Paced(system, clock=clock))
    deepening = Deepening(levels, [Task(k, task(cost)) for k, cost in enumerate(costs)], seconds, clock)
    assert deepening.run().words == deepening.words
    return deepening.deepened


class TestHowFar:
    def test_as_long_as_the_next_level_is_expected_to_fit(self) -> None:
        """5 words have 1,072 configurations and take as many seconds."""
        found = deepened(1_500, lambda _: 0.0)

        assert found.words == 5
        assert found.next_level is not None
        assert found.next_level.words == 6
        assert found.next_level.seconds == pytest.approx(SIZES[6], rel=0.2)
        assert found.next_level.configurations == pytest.approx(SIZES[6], rel=0.2)
        assert found.next_level.bytes == found.next_level.configurations * BYTES_A_CONFIGURATION

    @pytest.mark.long
    def test_what_was_taken_is_left_out_of_what_is_left(self) -> None:
        """6 words fit into 6,300 seconds, but not after 5 words have taken 1,072 of them."""
        assert deepened(6_300, lambda _: 0.0).words == 5
        assert deepened(8_000, lambda _: 0.0).words == 6

    def test_at_least_four_words_whatever_they_cost(self) -> None:
        found = deepened(0, lambda _: 1e9)

        assert found.words == LEAST_WORDS
        assert found.reached[0].words == LEAST_WORDS

    def test_a_costly_question_does_not_hold_up_the_others(self) -> None:
        found = deepened(8_000, lambda _: 1.0, lambda words: 20.0**words)

        assert {key: reach.words for key, reach in found.reached.items()} == {0: 6, 1: LEAST_WORDS}
        assert found.reached[1].next_seconds == pytest.approx(20.0**5)
        assert found.next_level is not None
        assert found.next_level.seconds < 20.0**5, "what did not come so far is not part of the next level"

    def test_seconds_that_grow_faster_than_the_configurations_are_believed(self) -> None:
        """A thousand times as long with each word: by the configurations 5 words would be expected to take 5 times as
        long.
        """
        found = deepened(8_000, lambda words: 1000.0 ** (words - 3))

        assert found.reached[0].words == LEAST_WORDS

    def test_cheap_questions_are_asked_even_after_the_time_is_up(self) -> None:
        found = deepened(1_500, lambda words: 10_000.0 if words == 5 else 1.0, lambda _: 10.0)

        assert [reach.words for reach in found.reached.values()] == [5, 5]

    def test_memory_ends_it_and_says_why(self) -> None:
        found = deepened(1e9, lambda _: 0.0, memory=1_500 * BYTES_A_CONFIGURATION)

        assert found.words == 5
        assert found.next_level is not None
        assert found.next_level.refused is not None
        assert "--memory" in found.next_level.refused

    def test_what_is_decided_is_not_asked_again(self) -> None:
        asked: list[int] = []

        def once(levels: Levels) -> bool:
            asked.append(levels.words)
            return levels.words < LEAST_WORDS

        system = load("arc-hybrid")
        deepening = Deepening(Levels(system, LEAST_WORDS), [Task("once", once)], 1e9, Hours())
        deepening.run()

        assert asked == [3, LEAST_WORDS]
        assert deepening.deepened.words == LEAST_WORDS, "nothing is left to ask"
        assert deepening.deepened.next_level is None

    def test_there_is_an_end_even_if_nothing_takes_time(self) -> None:
        line = "system line\nstate buffer β\nstart [1..n]\nfinal β = []\nSHIFT i|β => β\n"
        deepening = Deepening(Levels(load(line), LEAST_WORDS), [Task("all", lambda _: True)], 1.0, Hours())
        deepening.run()

        assert deepening.words == MOST_WORDS
        assert deepening.deepened.next_level is None


# --- verify ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Hours:
    """Exploring takes a second for every configuration, and nothing else takes any time."""
    clock = Hours()

    def paced(system: System, wanted: EngineName, jobs: int = 1, say: Say | None = None) -> Interpreter:  # noqa: ARG001
        return Paced(system, clock=clock)

    monkeypatch.setattr(verify_module, "engine_for", paced)
    return clock


def by_itself(system: System, seconds: float, clock: Hours) -> SystemReport:
    effort = Effort(None, Sampling(0), in_depth=False, engine="interpreter", seconds=seconds)
    return verify_system(system, effort, clock=clock)


@pytest.mark.long
def test_a_claim_that_fails_at_5_words_is_refuted_where_there_is_time_for_5(hours: Hours) -> None:
    broken = changed(without_costs("arc-hybrid"), FAILS_AT_5)
    short, long = by_itself(broken, 500, hours), by_itself(broken, 3_000, hours)

    assert (short.words, short.claims[0].verdict, short.claims[0].words) == (4, Verdict.EXHAUSTED, 4)
    assert (long.claims[0].verdict, long.claims[0].words) == (Verdict.REFUTED, 5)


@pytest.mark.long
def test_the_same_is_found_as_with_a_number_of_words(hours: Hours) -> None:
    system = load(without_costs("arc-hybrid"))
    deep = by_itself(system, 1_500, hours)
    fixed = verify_system(system, Effort(5, Sampling(0), in_depth=False, engine="interpreter"))

    assert deep.words == fixed.words == 5
    assert [finding.evidence for finding in deep.claims] == [finding.evidence for finding in fixed.claims]
    assert [finding.evidence for finding in deep.checks] == [finding.evidence for finding in fixed.checks]
    assert fixed.deepened is None
    assert json_value(document(Report((deep,)))) != json_value(document(Report((fixed,))))
    assert report_html(Report((deep,))) != report_html(Report((fixed,)))


def test_ctrl_c_keeps_the_levels_that_are_done(hours: Hours) -> None:
    def interrupt(what: str) -> None:
        if what == "5 words":
            raise KeyboardInterrupt

    effort = Effort(None, Sampling(0), in_depth=False, engine="interpreter", seconds=1e6)
    system = verify_system(load(without_costs("arc-hybrid")), effort, interrupt, hours)

    assert system.interrupted
    assert [finding.words for finding in system.claims] == [LEAST_WORDS] * 3
    assert system.words == LEAST_WORDS
    assert Report((system,)).exit_code(Verdict.SAMPLED) == 3


def test_memory_for_less_than_four_words_is_inconclusive_as_with_a_number() -> None:
    effort = Effort(None, Sampling(0), 100 * BYTES_A_CONFIGURATION, in_depth=False, engine="interpreter")
    system = verify_system(load("arc-eager"), effort, clock=Hours())
    fixed = verify_system(load("arc-eager"), replace(effort, words=4))

    assert system.summary(Verdict.SAMPLED) == "inconclusive: the search hit the --memory limit at 3 of 4 words"
    assert system.summary(Verdict.SAMPLED) == fixed.summary(Verdict.SAMPLED)
    assert system.skipped == fixed.skipped


@pytest.mark.long
def test_the_sizes_are_those_of_arc_hybrid() -> None:
    levels = Levels(load("arc-hybrid"), 6, None, engine_for(load("arc-hybrid"), "interpreter"))

    assert {words: levels.space(words).size for words in (4, 5, 6)} == SIZES


OVERFLOWS_AT_7 = """\
system overflows
  state stack σ, buffer β, list δ head right, list γ head right, list η head right, list ζ head right, counter k
  start [0], [1..n], [], [], [], [], 0
  final β = []
  SHIFT  σ, i|β, δ, γ, η, ζ, k   =>  σ|i, β, δ, γ, η, ζ, k + 20
  LEFT   σ|i, j|β, δ, γ, η, ζ, k =>  σ, j|β, δ, γ, η, ζ, k  add j -> i  if i != 0, no head(i)
  RIGHT  σ|i|j, β, δ, γ, η, ζ, k =>  σ|i, β, δ, γ, η, ζ, k  add i -> j  if no head(j)
  D      σ|i, β, δ, γ, η, ζ, k   =>  σ, β, δ|i, γ, η, ζ, k  if i != 0
  G      σ|i, β, δ, γ, η, ζ, k   =>  σ, β, δ, γ|i, η, ζ, k  if i != 0
  H      σ|i, β, δ, γ, η, ζ, k   =>  σ, β, δ, γ, η|i, ζ, k  if i != 0
  Z      σ|i, β, δ, γ, η, ζ, k   =>  σ, β, δ, γ, η, ζ|i, k  if i != 0
  claims
    terminates
"""


@pytest.mark.compiler
def test_the_time_holds_where_the_interpreter_takes_over() -> None:
    """It did not end a level that native code would have explored at once, thirteen times as long as it was given."""
    looks = count()
    effort = Effort(None, Sampling(0), in_depth=False, engine="compiled", seconds=1.0)
    report = verify_system(load(OVERFLOWS_AT_7), effort, clock=lambda: next(looks) / 100)
    assert report.deepened is not None
    following = report.deepened.next_level
    assert following is not None
    assert (report.deepened.words, following.words) == (6, 7)
    assert "the time was up" in str(following.refused)


SLOW_BY_THE_INTERPRETER = """\
system slow
  state stack σ, buffer β
  start [0], [1..n]
  final β = []
  ARC    σ|i, j|β => σ, i|j|β  remove * -> j  add i -> j
  SHIFT  σ, i|β => σ|i, β
  BACK   σ|i|j, β => σ|i, j|β
  SWAP   σ|i|j, β => σ|j|i, β
  claims
    sound forests
    terminates
"""
"""117,213 configurations of 4 words."""


@pytest.mark.long
def test_the_time_holds_where_the_interpreter_does_all() -> None:
    """It went on to 4 words whatever they cost, and with samples after that."""
    effort = Effort(None, Sampling(50), engine="interpreter", seconds=1.0)
    system = verify_system(load(SLOW_BY_THE_INTERPRETER), effort)

    assert system.ended_by == "the time limit of 1 s was reached"
    assert {claim.text: claim.verdict for claim in system.claims}["terminates"] is Verdict.REFUTED
    assert system.words < LEAST_WORDS


@pytest.mark.long
def test_samples_are_left_out_and_named_where_the_time_of_the_interpreter_is_up() -> None:
    effort = Effort(None, Sampling(5_000), in_depth=False, engine="interpreter", seconds=0.0)
    system = verify_system(load("arc-hybrid"), effort)

    assert system.note == "the time limit of 0 s was reached during: 5000 samples of up to 40 words"


def test_a_limit_inside_a_limit_leaves_the_outer_one_as_it_was() -> None:
    said = []
    try:
        with time_limit(0.3):
            try:
                with time_limit(0.05, DeepeningIsOver("the inner one")):
                    time.sleep(60)
            except DeepeningIsOver as over:
                said.append(what_ended(over))
            with time_limit(100, DeepeningIsOver("one that would be later")):
                time.sleep(60)
    except TimeIsOver as over:
        said.append(what_ended(over))
    assert said == ["the inner one", "the time limit of 0.3 s was reached"]


def test_tasks_are_expected_to_become_as_slow_as_the_interpreter() -> None:
    clock = Hours()

    @dataclass
    class Leaving(Paced):
        """Native code up to 4 words, where a configuration takes a hundredth of a second."""

        def space(self, words: int, past_terminal: bool, memory: int | None) -> StateSpace:
            began = self.clock.now
            space = super().space(words, past_terminal, memory)
            if words < 5:
                self.clock.now = began + space.size / 100
            elif self.until is None:
                self.until = words
            return space

    asked = []

    def ask(levels: Levels) -> bool:
        asked.append(levels.words)
        clock.now += SIZES.get(levels.words, 0) / 100
        return True

    system = load("arc-hybrid")
    levels = Levels(system, LEAST_WORDS, None, Leaving(system, clock=clock))
    Deepening(levels, [Task(0, ask)], 1_500, clock).run()
    assert asked == [3, 4], "5 words are explored in 1072 s, and the task would take as long again"
