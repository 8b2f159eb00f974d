"""Transition sequences written by another program, checked against a figure: one sentence per line.

A line has the names of transitions, separated by blanks or tabs.  A name is the figure's, in any case and with `-`, `_`
or nothing between its parts, or one that `names` maps to the figure's; a choice in brackets may follow, `LEFT-ARC[2]`,
and a label after a sign that is not a letter or digit: `LA~nsubj`, `LEFT-ARC:nsubj`, `LEFT-ARC(nsubj)`.  Only a name
from `names` may have a label after a hyphen: `RIGHT-ARC-PRIME` is not a RIGHT-ARC.  A transition that builds no arc has
no label.  Blank lines are skipped.

The number of words in a sentence comes from the treebank or is given.  Without either, it is a number with which the
run is legal and ends; if none is found, it is one with which as many transitions as possible are legal, preferably
without the run ending before the next, and the smallest such number.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, partial
from typing import Final, Literal, TypeAlias

from arcproof.process.interruption import what_ended
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import Shown, WithDocument, WithTable
from arcproof.process.side_by_side import in_chunks
from arcproof.process.suggestions import perhaps
from arcproof.properties.conformance.divergence import Names
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.errors import ArcproofError, NotPermissible
from arcproof.transitions.graph import Arc, Graph
from arcproof.transitions.system import System

MOST_KEPT: Final = 1_000
MOST_GUESSED: Final = 40
"""For runs of up to this many transitions, every number of words is tried."""
LogKind: TypeAlias = Literal["refused", "goes on", "ends early", "wrong tree"]


class BadLog(ArcproofError, ValueError):
    """A log that cannot be read; the message says where, what is wrong, and what would be right."""


@dataclass(frozen=True)
class LogFault:
    """What is wrong with a line: at which transition, in which configuration, and what was permitted there.

    `output` is the graph that the run built, if it is not the gold graph.
    """

    kind: LogKind
    line: int
    words: int
    configuration: Configuration
    position: int | None = None
    written: str = ""
    because: str = ""
    permitted: Names = ()
    output: Graph | None = None
    gold: Graph | None = None


@dataclass(frozen=True, repr=False)
class LogCheck(Shown, WithDocument, WithTable):
    """What was found about a log; `counts` covers all faults, `faults` holds the first of them."""

    system: System
    file: str
    sentences: int
    transitions: int
    faults: tuple[LogFault, ...]
    counts: Mapping[LogKind, int]
    with_gold: bool = False
    words_guessed: bool = False
    ended_by: str | None = None
    left: int = 0

    @property
    def exit_code(self) -> int:
        """0 if every line is a run of the figure, 1 if one is not, 3 if there is no line or not all were checked."""
        return 1 if self.faults else 0 if self.sentences and not self.left else 3


@dataclass(frozen=True)
class WrittenTransition:
    """A transition as written, and what it means."""

    text: str
    transition: Transition


# --- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reader:
    """Reads the names of a figure's transitions, with aliases for some of them."""

    system: System
    names: Mapping[str, str] = field(default_factory=dict)
    file: str = "log"

    @cached_property
    def _known(self) -> dict[str, str]:
        """The accepted spellings, in lower case, with the transition each stands for."""
        known: dict[str, str] = {}
        for name in self.system.transitions:
            for spelled in (name, name.replace("-", "_"), name.replace("-", "")):
                known.setdefault(spelled.lower(), name)
        return known | {written.lower(): name for written, name in self.names.items()}

    @cached_property
    def _other_names(self) -> frozenset[str]:
        return frozenset(written.lower() for written in self.names)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self._known, key=len, reverse=True)
        names = "|".join(map(re.escape, longest_first))
        return re.compile(
            rf"(?P<name>{names})(?:\[(?P<choice>\d+(?:,\d+)*)\])?(?:(?P<sign>[^\w\[])(?P<label>.*))?", re.IGNORECASE
        )

    def read(self, token: str, line: int, position: int) -> WrittenTransition:
        """Read a transition; raise `BadLog` if the figure has none of that name."""
        found = self._pattern.fullmatch(token)
        spelled = "" if found is None else found["name"].lower()
        # `re` ignores case further than `lower`: it takes the Turkish ı for an I.
        if found is None or spelled not in self._known or (found["sign"] == "-" and spelled not in self._other_names):
            known = ", ".join(self.system.transitions)
            raise BadLog(
                f"{self.file}, line {line}, transition {position}: `{token}` is not a transition of "
                f"{self.system.name}, which has {known}; "
                'other names are given as in --names "SH=SHIFT LA=LEFT-ARC"'
                f"{perhaps(token, self.system.transitions)}"
            )
        choice = tuple(map(int, found["choice"].split(","))) if found["choice"] else ()
        name, label = self._known[spelled], found["label"]
        if label and all(rule.label is None for rule in self.system.transitions[name]):
            raise BadLog(
                f"{self.file}, line {line}, transition {position}: `{token}` has a label, and {name} of "
                f"{self.system.name} takes none; write {found['name']}"
            )
        if label is not None and token.endswith(")") and "(" in token:
            label = label.removesuffix(")")
        return WrittenTransition(token, Transition(name, label or None, choice))

    def line(self, text: str, number: int) -> list[WrittenTransition]:
        """Read the transitions of a line."""
        return [self.read(token, number, position) for position, token in enumerate(text.split(), start=1)]


def names_of(text: str, system: System) -> dict[str, str]:
    """Parse aliases such as `SH=SHIFT LA=LEFT-ARC`; raise `BadLog` if a name is not one of the figure's."""
    found: dict[str, str] = {}
    for entry in text.replace(",", " ").split():
        written, equals, name = entry.partition("=")
        if not (written and equals and name in system.transitions):
            known = ", ".join(system.transitions)
            raise BadLog(
                f"`{entry}` does not name a transition of {system.name}; write OTHER=NAME with a name from {known}"
                f"{perhaps(name, system.transitions)}"
            )
        if written in found:
            raise BadLog(f"{written} is given twice, as {found[written]} and as {name}; leave one of them out")
        found[written] = name
    return found


# --- checking --------------------------------------------------------------------------------------------------------


def check_log(
    system: System,
    lines: Iterable[str],
    file: str,
    names: Mapping[str, str],
    words: int | None = None,
    golds: Sequence[Graph] | None = None,
    with_gold: bool = False,
    jobs: int = 1,
) -> LogCheck:
    """Check the lines of a log against a figure; gold graphs give the sentence lengths and, with `with_gold`, the
    outputs.

    After an interruption, the result covers the lines checked by then.
    """
    reader = Reader(system, names, file)
    runs = [(number, text) for number, text in enumerate(lines, start=1) if text.strip()]
    if golds is not None and len(golds) != len(runs):
        raise BadLog(
            f"{file} has {len(runs)} lines with transitions, but the treebank has {len(golds)} sentences; "
            "there must be one line for each sentence"
        )
    faults: list[LogFault] = []
    counts: dict[LogKind, int] = {}
    asked = (
        (text, number, words if golds is None else golds[place].words, golds[place] if golds and with_gold else None)
        for place, (number, text) in enumerate(runs)
    )
    done, ended_by = 0, None
    try:
        for fault in in_chunks(partial(_check_line, reader), asked, jobs):
            done += 1
            if fault is not None:
                counts[fault.kind] = counts.get(fault.kind, 0) + 1
                faults += [fault] if len(faults) < MOST_KEPT else []
    except KeyboardInterrupt as interruption:
        ended_by = what_ended(interruption)
    transitions = sum(len(text.split()) for _, text in runs[:done])
    guessed, left = golds is None and words is None, len(runs) - done
    return LogCheck(system, file, done, transitions, tuple(faults), counts, with_gold, guessed, ended_by, left)


def _check_line(reader: Reader, text: str, line: int, words: int | None, gold: Graph | None) -> LogFault | None:
    return check_run(reader.system, reader.line(text, line), line, words, gold)


def check_run(
    system: System, run: Sequence[WrittenTransition], line: int, words: int | None, gold: Graph | None = None
) -> LogFault | None:
    """Return what is wrong with one line, if anything."""
    length = _guessed(system, run) if words is None else words
    configurations, refusal = _taken(system, run, length)
    c, position = configurations[-1], len(configurations)
    permitted = () if system.is_terminal(c) else tuple(t.instance for t in system.permissible(c))
    if refusal is not None:
        written = run[position - 1].text
        kind: LogKind = "goes on" if system.is_terminal(c) else "refused"
        return LogFault(kind, line, length, c, position, written, refusal, permitted)
    if not system.is_terminal(c):
        return LogFault("ends early", line, length, c, permitted=permitted)
    if gold is not None and not _is_gold(system, run, c, gold):
        return LogFault("wrong tree", line, length, c, output=c.graph, gold=gold)
    return None


def _taken(system: System, run: Sequence[WrittenTransition], words: int) -> tuple[list[Configuration], str | None]:
    """Return the configurations as far as the run is legal, and why it stops there."""
    configurations = [system.start(words)]
    for written in run:
        c = configurations[-1]
        if system.is_terminal(c):
            return configurations, "the run has ended"
        try:
            configurations.append(_step(system, c, written.transition))
        except NotPermissible as refusal:
            return configurations, refusal.because or str(refusal)
    return configurations, None


def _step(system: System, c: Configuration, transition: Transition) -> Configuration:
    """Apply a transition, dropping its label where the figure takes none."""
    if transition.label is not None and not system.takes_label(c, transition):
        transition = transition._replace(label=None)
    return system.apply(c, transition)


def _guessed(system: System, run: Sequence[WrittenTransition]) -> int:
    """Guess the number of words from a run."""
    best = (0, False, 0)
    for words in _likely(system, run):
        configurations, refusal = _taken(system, run, words)
        is_over = system.is_terminal(configurations[-1])
        if refusal is None and is_over:
            return words
        best = max(best, (len(configurations), not is_over, -words))
    return -best[2]


def _likely(system: System, run: Sequence[WrittenTransition]) -> Iterator[int]:
    """Yield the number of words that the run touches when there are more than enough; then, for short runs, all other
    numbers.
    """
    c = _taken(system, run, len(run) + 1)[0][-1]
    start = system.start(len(run) + 1)
    touched = {arc.head for arc in c.arcs} | {arc.dependent for arc in c.arcs}
    for before, now in zip(start.values, c.values, strict=True):
        if isinstance(before, tuple) and isinstance(now, tuple):
            touched |= set(before) ^ set(now)
    likely = max(touched, default=min(len(run), 1))
    yield likely
    if len(run) <= MOST_GUESSED:
        yield from (words for words in range(1, len(run) + 2) if words != likely)


def _is_gold(system: System, run: Sequence[WrittenTransition], c: Configuration, gold: Graph) -> bool:
    """Whether the output is the gold graph; labels count where the log has some."""
    wanted = system.wanted(gold).arcs
    if any(written.transition.label is not None for written in run):
        return c.arcs == wanted
    return {_unlabelled(arc) for arc in c.arcs} == {_unlabelled(arc) for arc in wanted}


def _unlabelled(arc: Arc) -> tuple[int, int]:
    return arc.head, arc.dependent
