"""Conformance: a program checked against a figure.

`compare` does the work in this process; `apart.conform` does it in a separate one that can be killed.  The order is:
all runs in lockstep, fewest words first; the oracle, its repairs and the costs, for all gold trees; encodings of all
trees; longer examples drawn at random; last, the oracle for graphs outside its class.  A driver promises nothing there,
so what happens is remarked on and does not count as a divergence.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import field
from os import devnull
from typing import Any, Final, Literal, TypeAlias, TypeVar

from arcproof.generators.classes import is_forest
from arcproof.generators.enumeration import all_graphs
from arcproof.process.interruption import TimeIsOver, what_ended
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.progress import Say
from arcproof.process.shown import Shown, WithDocument, WithTable
from arcproof.properties.conformance.calls import SECONDS, Calls
from arcproof.properties.conformance.case import OneCase, Taken
from arcproof.properties.conformance.divergence import Found
from arcproof.properties.conformance.driver import BY_HEADS, BadDriver, Declared, DriverParts, Labels
from arcproof.properties.conformance.encodings import check_encoding, labelled_trees
from arcproof.properties.conformance.lockstep import InStep, Lockstep, accepted
from arcproof.properties.conformance.oracles import (
    MAX_WORDS_OUTSIDE,
    OracleRun,
    ask_outside,
    check_oracle,
    check_repairs,
    outside,
)
from arcproof.properties.conformance.tasks import Performance, tasks_of
from arcproof.properties.studies.derivation import default_class
from arcproof.transitions.graph import Heads
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.reading.read import read_class
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System

X = TypeVar("X")

WORDS: Final = 4
SAMPLES: Final = 100
Part: TypeAlias = Literal["runs", "oracle", "repair", "cost", "encoding"]
Way: TypeAlias = Literal["all", "merged", "drawn", "partly"]


@dataclass(frozen=True)
class Extent:
    """How much to try: everything up to `words` words, and `samples` longer examples; and the time limits, overall and
    per call.
    """

    words: int = WORDS
    samples: int = SAMPLES
    seed: int = 0
    seconds: float | None = None
    call_seconds: float = SECONDS


@dataclass(frozen=True)
class Looked:
    """What was compared for sentences of one length, and how thoroughly.

    `all`: all trees or situations, or all runs as far as both figure and driver take them; `merged`: runs that lead to
    the same configuration counted as one; `drawn`: some, at random, with up to this many words; `partly`: a method was
    given up, or time ran out.  `left` counts what the time did not suffice for: configurations in which the costs
    were not asked, or trees.
    """

    part: Part
    words: int
    cases: int
    way: Way
    left: int = 0


@dataclass(frozen=True, repr=False)
class Conformance(Shown, WithDocument, WithTable):
    """What was found about a driver.

    `golds` is the class of gold trees; `given_up` lists the methods that failed to answer too often; `silent` lists
    those that always returned None; `performance` is how well it did each task; `no_losses` lists the sentence lengths
    at which a run can give a word two heads, so that costs are not defined; `ended_by` says what ended the run early.
    If a single case was replayed, `steps` is its run.  `is_named` says whether a command can find both figure and
    driver by name.
    """

    system: System
    driver: str
    declared: Declared
    methods: tuple[str, ...]
    golds: GraphClass
    effort: Extent
    looked: tuple[Looked, ...]
    found: tuple[Found, ...]
    given_up: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    no_losses: tuple[int, ...] = ()
    ended_by: str | None = None
    case: OneCase | None = None
    steps: tuple[Taken, ...] = ()
    performance: tuple[Performance, ...] = ()
    is_named: bool = True
    outside: tuple[Found, ...] = ()

    @property
    def exit_code(self) -> int:
        """0 if nothing diverges in what was to be compared, 1 if something does, 3 if that is open."""
        if self.found:
            return 1
        if self.ended_by is not None:
            return 3
        return 0 if self.case is not None or any(one.cases for one in self.looked if one.words) else 3

    @property
    def conforms(self) -> bool:
        """Whether everything was compared and nothing diverges; a single replayed case is not enough for that."""
        return self.exit_code == 0 and self.case is None


@dataclass
class _Comparison:
    """A comparison in progress."""

    system: System
    name: str
    parts: DriverParts[Any, Any]
    effort: Extent
    lockstep: Lockstep
    say: Say
    golds: GraphClass
    looked: list[Looked] = field(default_factory=list)
    no_losses: list[int] = field(default_factory=list)
    cut: int = 0
    pairs: dict[int, list[InStep]] = field(default_factory=dict)
    followed: dict[int, list[OracleRun]] = field(default_factory=dict)
    case: OneCase | None = None
    steps: tuple[Taken, ...] = ()
    outside: tuple[Found, ...] = ()

    @property
    def lengths(self) -> range:
        return range(self.parts.declared.least_words, self.effort.words + 1)

    @property
    def trees(self) -> range:
        """The sentence lengths for gold trees, which have at least one word."""
        return range(max(1, self.parts.declared.least_words), self.effort.words + 1)

    def exhaust(self) -> None:
        """Compare everything up to the given number of words."""
        for words in self.lengths:
            self.say(f"lockstep, {counted(words, 'word')}")
            self.pairs[words] = []
            level = self.lockstep.level(words, self.pairs[words].append)
            self._note("runs", words, level.compared, "all" if level.every_run else "merged")
        for words in self.trees:
            self._oracle(words)
        if self.parts.cost or self.parts.is_free or self.parts.repair:
            for words in self.trees:
                self._with_losses(words)
        if self.parts.encode:
            for words in self.trees:
                self._encodings(words)

    def _oracle(self, words: int) -> None:
        if self.parts.oracle is None:
            return
        self.say(f"oracle, {counted(words, 'word')}")
        golds = [gold for gold in all_graphs(self.golds, words) if accepted(self.lockstep, gold)]
        runs = self.followed.setdefault(words, [])

        def follow(gold: Heads) -> int:
            cut = self.lockstep.cut
            run = check_oracle(self.lockstep, gold)
            runs.extend([] if run is None else [run])
            return int(self.lockstep.cut == cut)

        self._each("oracle", words, golds, follow)

    def _with_losses(self, words: int) -> None:
        from arcproof.properties.conformance.costs import ask_about, open_configurations
        from arcproof.properties.conformance.exact import ExactLosses

        self.say(f"costs, {counted(words, 'word')}")
        lockstep = self.lockstep
        exact = ExactLosses.of(self.system, self.golds, words, self.parts.declared)
        if self.parts.repair:
            runs = self.followed.get(words, [])
            self._each("repair", words, runs, lambda run: check_repairs(lockstep, run, exact))
        if exact is None:
            self.no_losses.append(words)
        elif self.parts.cost or self.parts.is_free:
            golds = [gold for gold in exact.golds if accepted(lockstep, gold)]
            pairs = open_configurations(lockstep, self.pairs[words])
            self._each("cost", words, pairs, lambda pair: ask_about(lockstep, exact, pair, golds))

    def _encodings(self, words: int) -> None:
        self.say(f"encoding, {counted(words, 'word')}")

        def check(tree: tuple[Heads, Labels]) -> int:
            cut = self.lockstep.cut
            check_encoding(self.lockstep, *tree)
            return int(self.lockstep.cut == cut)

        self._each("encoding", words, list(labelled_trees(self._encodes, words)), check)

    def _each(self, part: Part, words: int, cases: Sequence[X], check: Callable[[X], int]) -> None:
        """Check all of these cases; note how many comparisons that made, even if time runs out before the end."""
        compared, reached = 0, 0
        try:
            for case in cases:
                compared += check(case)
                reached += 1
        finally:
            self._note(part, words, compared, left=len(cases) - reached)

    @property
    def _encodes(self) -> GraphClass:
        return read_class(self.parts.declared.encodes, "encodes of the driver")

    def sample(self) -> None:
        """Compare longer sentences, drawn at random."""
        from arcproof.properties.conformance import beyond

        words = max(self.effort.words, self.parts.declared.least_words - 1)
        samples, seed = self.effort.samples, self.effort.seed
        if not samples:
            return

        longest = words + beyond.MORE_WORDS
        self.say("longer sentences")
        self._note("runs", longest, beyond.sample_runs(self.lockstep, words, samples, seed), "drawn")
        if self.parts.oracle:
            tried = beyond.sample_oracles(self.lockstep, self.golds, words, samples, seed)
            self._note("oracle", longest, tried, "drawn")
        if self.parts.encode:
            tried = beyond.sample_encodings(self.lockstep, self._encodes, words, samples, seed)
            self._note("encoding", longest, tried, "drawn")

    def look_outside(self) -> None:
        """Ask the oracle about graphs that are not in the class of gold trees, as far as the driver accepts them.

        Trees and graphs with cycles are asked about separately, each up to the first length at which something happens.
        """
        if self.parts.oracle is None:
            return
        self.say("oracle, other graphs")
        for is_tree in (True, False):
            trial = self.lockstep.afresh()
            for words in self.trees:
                if words <= MAX_WORDS_OUTSIDE and not trial.collected.found:
                    for gold in outside(self.golds, words):
                        if is_forest(gold) is is_tree:
                            ask_outside(trial, gold)
            self.outside += trial.collected.found

    def _note(self, part: Part, words: int, cases: int, way: Way = "all", left: int = 0) -> None:
        is_cut, self.cut = left > 0 or self.lockstep.cut > self.cut, self.lockstep.cut
        self.looked.append(Looked(part, words, cases, "partly" if is_cut and way != "drawn" else way, left))

    def replay(self, case: OneCase) -> None:
        """Compare a single case."""
        from arcproof.properties.conformance.replay import replay

        self.steps, self.outside = replay(self.lockstep, self.golds, case)

    def result(self, ended_by: str | None = None) -> Conformance:
        """Return what is known so far."""
        return Conformance(
            self.system,
            self.name,
            self.parts.declared,
            self.parts.optional,
            self.golds,
            self.effort,
            tuple(self.looked),
            self.lockstep.collected.found,
            self.lockstep.driver.calls.given_up,
            self.lockstep.silent if self.case is None else (),
            tuple(self.no_losses),
            ended_by,
            self.case,
            self.steps,
            self._performance if self.case is None else (),
            outside=self.outside,
        )

    @property
    def _performance(self) -> tuple[Performance, ...]:
        declared, tally = self.parts.declared, self.lockstep.collected.tally
        tasks = tasks_of(self.system, self.parts.optional, declared.given, self.trees)
        return tuple(map(tally.performance, tasks))


def golds_of(system: System, declared: Declared) -> GraphClass:
    """Return the class of gold trees: the one the driver declares, else the one the figure is complete for."""
    declares = read_class(declared.golds, "golds of the driver") if declared.golds else None
    return system.class_with_parameters(declares or default_class(system))


def compare(
    system: System,
    name: str,
    parts: DriverParts[Any, Any],
    effort: Extent,
    calls: Calls | None = None,
    say: Say = lambda _: None,
    case: OneCase | None = None,
) -> Conformance:
    """Check a driver against a figure, or one case only, in this process; if interrupted, return what is known."""
    if system.figure.several_heads:
        _refuse_heads(system, parts)
    ends = None if effort.seconds is None else time.monotonic() + effort.seconds
    asked = calls or Calls(effort.call_seconds, ends)
    lockstep = Lockstep.of(system, parts, asked)
    golds = golds_of(system, parts.declared)
    comparison = _Comparison(system, name, parts, effort, lockstep, say, golds, case=case)
    try:
        with asked.watched(), open(devnull, "w") as nowhere, redirect_stdout(nowhere):
            if case is not None:
                comparison.replay(case)
            else:
                comparison.exhaust()
                comparison.sample()
                comparison.look_outside()
    except TimeIsOver as over:
        return comparison.result(str(over))
    except KeyboardInterrupt as interruption:
        return comparison.result(what_ended(interruption))
    return comparison.result()


def _refuse_heads(system: System, parts: DriverParts[Any, Any]) -> None:
    """Raise `BadDriver` if methods of a driver assume a single head for each word but the figure allows several."""
    by_heads = [method for method in BY_HEADS if getattr(parts, method) is not None]
    if by_heads:
        one, joined = len(by_heads) == 1, " and ".join(f"`{method}`" for method in by_heads)
        raise BadDriver(
            f"words may have several heads in {system.name}, but the driver's {joined} "
            f"{'assumes' if one else 'assume'} a single head for each word; remove {'it' if one else 'them'}, and have "
            "arcs(c) return (head, dependent) pairs"
        )
