"""Steps of a search that are tried before it is their turn, in copies of the process that searches.

What comes of a step depends on the candidates and lemmas that are left, and on nothing else.  So the steps that come
next are tried while the search waits for the present one, and what came of them is taken if nothing was thrown out in
the meantime.  What solvers said is kept in any case.  The search finds the same however many copies there are.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from arcproof.properties.proving.trusted.discharge import WorkerEnded
from arcproof.properties.proving.trusted.problem import Key
from arcproof.properties.proving.trusted.solvers import Result, import_solvers

from arcproof.process.forks import Copies, CopyEnded, can_fork

if TYPE_CHECKING:
    from arcproof.properties.proving.search.houdini import Search

Said: TypeAlias = dict[Any, Any]
"""Questions that solvers answered, with what they said."""
MOST_AHEAD: Final = 16
"""How many steps are looked at for those that nobody tries yet."""


@dataclass(frozen=True)
class Attempt:
    """A step with what its outcome depends on; with a core, the question whether the proof from it is steady."""

    key: Key
    thrown_out: tuple[str, ...]
    is_careful: bool
    core: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Outcome:
    """What came of a step, how often solvers were asked, whether the clock ended a call, and what they said that is new."""

    result: Result | None
    asked: int
    timed_out: bool
    said: tuple[Said, ...]


class Ahead:
    """A search with copies of it."""

    def __init__(self, search: "Search", copies: Copies[Attempt, Outcome]) -> None:
        """Nothing is tried yet."""
        self._search = search
        self._copies = copies
        self._outcomes: dict[Attempt, Outcome] = {}

    def answer(self, key: Key) -> Result:
        """What comes of a step; those that come next are tried meanwhile."""
        step = self._step(key)
        while step not in self._outcomes:
            self._begin([step, *map(self._step, islice(self._search.open_steps(), MOST_AHEAD))])
            if step not in self._copies.busy:
                return self._search.answer(key)  # the copies are busy with what seemed to come next
            self._wait()
        outcome = self._outcomes.pop(step)
        self._search.asked += outcome.asked
        self._search.clock.note(outcome.timed_out)
        assert outcome.result is not None
        return outcome.result

    def ask_whether_steady(self, proved: Sequence[tuple[Key, tuple[str, ...]]]) -> None:
        """Have solvers asked about proofs, so that what they say is known."""
        steps = [Attempt(key, self._thrown_out, False, core) for key, core in proved]
        while any(step not in self._outcomes for step in steps):
            self._begin(steps)
            self._wait()

    @property
    def _thrown_out(self) -> tuple[str, ...]:
        return tuple(self._search.thrown_out)

    def _step(self, key: Key) -> Attempt:
        return Attempt(key, self._thrown_out, key in self._search.careful)

    def _begin(self, steps: Sequence[Attempt]) -> None:
        for step in steps:
            if step not in self._outcomes and step not in self._copies.busy and not self._copies.ask(step):
                return

    def _wait(self) -> None:
        try:
            step, outcome = self._copies.next()
        except CopyEnded as error:
            raise WorkerEnded("a process that searches ended too early; do with fewer of them: --jobs 1") from error
        self._outcomes[step] = outcome
        for memory, said in zip(self._search.memories, outcome.said, strict=True):
            memory.update(said)


@contextmanager
def ahead(search: "Search", jobs: int) -> Iterator[Ahead | None]:
    """The copies of a search, if there are to be any."""
    if jobs == 1 or not can_fork():
        yield None
        return
    import_solvers()
    with Copies(partial(_outcome, search), jobs) as copies:
        yield Ahead(search, copies)


def _outcome(copy: "Search", step: Attempt) -> Outcome:
    """Take a step in a copy of the search."""
    before, asked = [len(memory) for memory in copy.memories], copy.asked
    copy.clock.has_decided = False
    for name in step.thrown_out[len(copy.thrown_out) :]:
        copy.throw_out(name, "")
    copy.careful = {step.key} if step.is_careful else set()
    result = copy.answer(step.key) if step.core is None else None
    if step.core is not None:
        copy.is_steady(step.key, step.core)
    new = tuple(dict(islice(memory.items(), size, None)) for memory, size in zip(copy.memories, before, strict=True))
    return Outcome(result, copy.asked - asked, copy.clock.has_decided, new)
