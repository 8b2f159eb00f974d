"""Levels in parts, as the workers of a cluster explore them: the same as one core finds, whatever the number of
workers.

Here the workers are functions that are called at once; `tests/test_cluster.py` has real ones.
"""

import pickle
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from arcproof.properties.engines.engine import Compiled, counted, engine_for
from arcproof.properties.engines.levels import FOR_SOME, Levels, Skipped
from arcproof.properties.engines.packed_space import CompiledSpace
from arcproof.properties.engines.partitioned_space import PartitionedSpace, counted_in_parts, partitioned_space
from arcproof.properties.engines.spaces import Heaviest, NotTogether, OutOfBounds, Screen, Space
from arcproof.properties.evidence import Counterexample
from arcproof.properties.examine import check_claim
from arcproof.transitions.library import source_of
from arcproof.transitions.machine.packed import climbs, partitioned
from arcproof.transitions.syntax import LengthBound
from arcproof.transitions.system import System, load

from arcproof.process import dask_cluster
from arcproof.process.codec import decoded, encoded

pytestmark = pytest.mark.compiler

SYSTEMS = [("arc-eager", 4), ("swap", 4), ("list-nonprojective", 3), ("two-planar", 3)]
BROKEN = """system broken
  state   stack σ, buffer β
  start   [0], [1..n]
  final   β = []
  LEFT-ARC(l)    σ|i, j|β  =>  σ, j|β       add j -l-> i
  RIGHT-ARC(l)   σ|i, j|β  =>  σ|i|j, β     add i -l-> j
  SHIFT          σ, i|β    =>  σ|i, β
  default SHIFT
  oracle none
  claims
    sound forests
"""


@dataclass
class Workers:
    """As many workers as this, none of which is anywhere."""

    workers: int


class AtOnce:
    """`Tasks` that are done when they are put; what travels is pickled."""

    def __init__(self, cluster: Workers) -> None:
        self.cluster = cluster

    def __enter__(self) -> "AtOnce":
        return self

    def __exit__(self, *_: object) -> None: ...

    def put(self, function: Callable[..., Any], *arguments: Any) -> "Sent":
        return Sent(pickle.loads(pickle.dumps(function(*map(received, arguments)))))

    def get(self, made: "Iterable[Sent]") -> list[Any]:
        return [received(one) for one in made]

    def secure(self, made: Iterable[Any]) -> bool:  # noqa: ARG002
        return True


@dataclass(frozen=True)
class Sent:
    result: Any


def received(argument: Any) -> Any:
    if isinstance(argument, list):
        return [received(one) for one in argument]
    return argument.result if isinstance(argument, Sent) else argument


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly everything goes to the workers, in many blocks."""
    monkeypatch.setattr(dask_cluster, "Tasks", AtOnce)
    for name, value in {"SMALL_BLOCK": 8, "LARGE_BLOCK": 32, "MOST_HERE": 8}.items():
        monkeypatch.setattr(partitioned, name, value)


@cache
def explored(name: str, words: int) -> CompiledSpace:
    found = engine_of(load(name)).space(words, False, None)
    assert isinstance(found, CompiledSpace)
    return found


def engine_of(system: System) -> Compiled:
    found = engine_for(system, "compiled")
    assert isinstance(found, Compiled)
    return found


def in_parts(system: System, words: int, workers: int, memory: int | None = None) -> PartitionedSpace:
    found = partitioned_space(engine_of(system), words, memory, Workers(workers))  # type: ignore[arg-type]
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "words", "workers"),
    [("arc-eager", 4, 1), ("arc-eager", 4, 5), ("swap", 3, 5), ("swap", 4, 2), *((*one, 3) for one in SYSTEMS[2:])],
)
def test_numbers_outputs_and_runs_are_those_of_one_core(name: str, words: int, workers: int) -> None:
    whole, parts = explored(name, words), in_parts(load(name), words, workers)

    for what in ("size", "transitions", "terminal_count", "dead_end_count", "has_clashes", "permits_after_end"):
        assert getattr(parts, what) == getattr(whole, what), what
    assert parts.exploration.frontiers == whole.exploration.frontiers
    assert parts.most_space() == whole.most_space()
    assert np.array_equal(parts.outputs.codes, whole.outputs.codes)
    assert np.array_equal(parts.outputs.numbers, whole.outputs.numbers)
    for sign in range(11):
        assert parts._first(Screen(1 << sign)) == whole._first(Screen(1 << sign))
    for number in (0, 1, whole.size // 2, whole.size - 1):
        assert parts.configuration(number) == whole.configuration(number)
        assert parts.run_to(number) == whole.run_to(number)


@pytest.mark.parametrize(
    ("name", "words", "workers"),
    [("arc-eager", 4, 1), ("arc-eager", 4, 3), ("swap", 3, 2), ("list-nonprojective", 3, 1)],
)
def test_all_runs_say_the_same(name: str, words: int, workers: int) -> None:
    whole, parts = explored(name, words), in_parts(load(name), words, workers)

    assert counted(parts) == counted(whole)
    assert parts.cycle(only_useful=False) is None
    for place, first in enumerate(whole.system.transitions):
        weights = {name: (-1) ** (k + place) * (k + 1) for k, name in enumerate(whole.system.transitions)}
        one, other = whole.heaviest(weights.__getitem__), parts.heaviest(weights.__getitem__)
        assert isinstance(one, Heaviest)
        assert isinstance(other, Heaviest)
        assert one.weight == other.weight == sum(weights[transition.name] for transition in other.run)
        assert parts.occurs(first) == whole.occurs(first)


def test_heaviest_runs_do_not_depend_on_the_number_of_workers() -> None:
    runs = [
        tuple(found.run)
        for k in (1, 2, 4)
        if isinstance(found := in_parts(load("arc-eager"), 3, k).heaviest(len), Heaviest)
    ]

    assert len(runs) == 3
    assert len(set(runs)) == 1


@pytest.mark.parametrize(("name", "words"), [("arc-eager", 4), ("swap", 3)])
def test_levels_are_counted_in_parts(name: str, words: int) -> None:
    engine, whole = engine_of(load(name)), counted(explored(name, words))
    level = counted_in_parts(engine, words, None, Workers(2))  # type: ignore[arg-type]

    assert level is not None
    assert level.outputs is not None
    assert (level.configurations, level.transitions, level.dead_ends) == (
        whole.configurations,
        whole.transitions,
        whole.dead_ends,
    )
    assert (sum(map(len, level.outputs)), level.shortest, level.longest) == (
        whole.outputs,
        whole.shortest,
        whole.longest,
    )


@pytest.mark.parametrize(("name", "words"), [("arc-eager", 4), ("swap", 3)])
def test_workers_pack_configurations_as_they_are_packed_here(name: str, words: int) -> None:
    engine, whole = engine_of(load(name)), counted(explored(name, words))
    engine.programs = engine.programs.with_room()
    level = counted_in_parts(engine, words, None, Workers(2))  # type: ignore[arg-type]
    parts = partitioned_space(engine, words, None, Workers(2))  # type: ignore[arg-type]

    assert level is not None
    assert level.outputs is not None
    assert (level.configurations, sum(map(len, level.outputs))) == (whole.configurations, whole.outputs)
    assert parts is not None
    assert counted(parts) == whole


def test_a_second_head_is_found_in_parts() -> None:
    whole, parts = engine_of(load(BROKEN)).space(3, False, None), in_parts(load(BROKEN), 3, 2)

    assert parts.has_clashes
    assert len(parts.outputs) == len(whole.outputs)
    assert parts.outputs.odd == whole.outputs.odd


def test_conditions_are_asked_by_the_workers() -> None:
    whole, parts = explored("arc-eager", 4), in_parts(load("arc-eager"), 4, 2)
    conditions = (whole.system.figure.final[0],)

    assert next(parts.satisfying(conditions)) == next(whole.satisfying(conditions))


def test_what_needs_all_edges_is_not_available() -> None:
    parts = in_parts(load("two-planar"), 3, 2)

    for ask in (lambda: parts.steps, lambda: parts.ends, parts.two_derivations, lambda: parts.ambiguity):
        with pytest.raises(NotTogether):
            ask()


def test_workers_take_no_more_memory_than_allowed() -> None:
    with pytest.raises(OutOfBounds, match=r"more than the 39\.1 kB that --memory leaves 2 workers together"):
        in_parts(load("swap"), 5, 2, 20_000)


def test_what_waits_is_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = explored("swap", 3)
    monkeypatch.setattr(climbs, "MOST_PIECES", 1)
    parts = in_parts(load("swap"), 3, 4)

    assert parts.ambiguity == whole.ambiguity
    found = parts.heaviest(lambda name: int(name == "SWAP"))
    assert isinstance(found, Heaviest)
    assert (found.weight, len(found.run)) == (3, 12)


def test_weights_are_followed_one_at_a_time_where_memory_is_short() -> None:
    """All that are likely to be asked for do not fit, the one that is asked for does."""
    parts = in_parts(load("swap"), 3, 2, 4_400)

    for weigh in (lambda name: int(name == "SWAP"), lambda name: -len(name)):
        found, same = parts.heaviest(weigh), explored("swap", 3).heaviest(weigh)
        assert isinstance(found, Heaviest)
        assert isinstance(same, Heaviest)
        assert found.weight == same.weight
        assert parts._one_at_a_time


def test_what_takes_more_memory_than_the_level_is_not_told() -> None:
    parts = in_parts(load("swap"), 3, 2, 4_400)
    final = parts.system.figure.final
    parts.memory = 100

    for ask in (lambda: parts.heaviest(len), lambda: parts.ambiguity, lambda: next(parts.satisfying(final))):
        with pytest.raises(NotTogether):
            ask()


def test_what_was_copied_is_held_until_the_next_copy() -> None:
    """Otherwise what a worker that dies had is computed again from the very start, hundreds of frontiers."""

    class Dying(partitioned._Here):
        alive = True

        def secure(self, made: Iterable[Any]) -> bool:  # noqa: ARG002
            return self.alive

    tasks, secured = Dying(), partitioned._Secured()
    first, second, third = ([(object(), size)] for size in (5, 6, 7))
    secured.secure(tasks, first)
    assert secured.pieces == ()
    for alive, pieces, held in ((True, first, first), (False, second, first), (True, third, third)):
        secured.when, tasks.alive = -partitioned.SECONDS_UNSECURED, alive
        secured.secure(tasks, pieces)
        assert secured.pieces == held
    assert (secured.besides(third), secured.besides(second)) == (0, 7)


def test_it_is_said_for_which_questions_a_level_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    explore = Compiled.space

    def here(engine: Compiled, words: int, past_terminal: bool, memory: int | None) -> Space:
        if words > 2:
            raise OutOfBounds("it is too large")
        return explore(engine, words, past_terminal, memory)

    monkeypatch.setattr(Compiled, "space", here)
    monkeypatch.setattr(
        Compiled, "space_in_parts", lambda engine, words, memory: partitioned_space(engine, words, memory, Workers(2))
    )
    system = load("arc-eager")
    levels = Levels(system, 3, None, engine_of(system), in_parts=True)

    assert levels.asked(lambda asked: [space.words for space in asked.spaces() if space.size]) == [0, 1, 2, 3]
    assert levels.all_skipped == ()
    told = levels.asked(lambda asked: [space.words for space in asked.spaces() if space.two_derivations() or True])
    assert told == [0, 1, 2]
    assert levels.all_skipped == (Skipped(3, False, f"{FOR_SOME}: it is too large"),)
    assert levels.reached == 3


def test_a_run_that_refutes_a_length_can_be_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found when somebody looks at it, and is a run like any other then."""
    monkeypatch.setattr(Levels, "space", lambda levels, words, _=False: in_parts(levels.system, words, 2))
    system = load(source_of("arc-standard-stack").replace("= 2n", "= n"))
    claim = next(claim for claim in system.figure.claims if isinstance(claim.statement, LengthBound))

    found = check_claim(Levels(system, 2), claim).counterexample
    assert found is not None
    assert decoded(Counterexample, encoded(found)) == found
