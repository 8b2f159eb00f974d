"""Terminal is closed: continuing past a terminal configuration changes neither the arcs nor the claims about length.

The papers' PARSE loop stops at the first terminal configuration; Definition 5 of Nivre 2008 only asks that the last one
is terminal, so a sequence may pass through others.  Where a transition out of a terminal configuration changes the
arcs, or a claim about length fails for runs that continue, the two readings differ; the reason says whether they still
have the same outputs.
"""

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.claims.length import extremes, violated_by
from arcproof.properties.engines.exhaustive import retrace
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.spaces import Heaviest, Run, Space
from arcproof.properties.evidence import Counterexample, Evidence
from arcproof.properties.property import Check, Column, Parts, Property
from arcproof.transitions.bounds import Bound, NotLinear
from arcproof.transitions.printing.notation import statement_text
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.syntax import CountBound, LengthBound
from arcproof.transitions.system import System


def check_terminal_closed(levels: Levels, lengths: Iterable[LengthBound | CountBound]) -> Evidence:
    """Explore again without stopping, and compare."""
    claims = list(lengths)
    cases, reached = 0, 0
    for first, second in _both_readings(levels):
        reached = first.words
        cases += first.terminal_count
        found = first.changes_after_end()
        if found is None and first is not second:
            found = _endless(first, second) or _longer(first, second, claims)
        if found is not None:
            run, reason = found
            graph = retrace(levels.system, second.words, run).graph
            reason = f"{reason}; {_outputs(first, second)}"
            return levels.refuted(cases, Counterexample(second.words, graph, run, reason))
    return levels.exhausted(reached, cases, "terminal configurations")


def _both_readings(levels: Levels) -> Iterator[tuple[Space, Space]]:
    """Compare level by level; where nothing is permissible in any terminal configuration, the readings agree."""
    further = levels.spaces(past_terminal=True)
    for first in levels.spaces():
        if not first.permits_after_end:
            yield first, first
            continue
        second = next((space for space in further if space.words == first.words), None)
        if second is None:
            return
        yield first, second


def _outputs(first: Space, second: Space) -> str:
    more = len(second.outputs.minus(first.outputs))
    if more == 0:
        return f"the outputs of {counted(first.words, 'word')} are the same in both readings"
    return f"with {counted(first.words, 'word')} {counted(more, 'more output')} can be reached by continuing"


def _endless(first: Space, second: Space) -> tuple[Run, str] | None:
    looped = second.cycle(only_useful=True)
    if looped is None or first.cycle(only_useful=True) is not None:
        return None
    lead, loop = looped
    return (
        *lead,
        *loop,
    ), f"continuing past terminal configurations, {' '.join(t.instance for t in loop)} can be repeated forever"


def _longer(first: Space, second: Space, claims: list[LengthBound | CountBound]) -> tuple[Run, str] | None:
    if second.cycle(only_useful=True) is not None:
        return None
    for claim in claims:
        try:
            bound = Bound.of(claim.bound, second.system)
        except NotLinear:
            continue
        if any(violated_by(bound, claim, first.words, run) for run in _extreme_runs(first, claim, bound)):
            continue
        for run in _extreme_runs(second, claim, bound):
            if violated_by(bound, claim, second.words, run) is not None:
                what = (
                    f"with {counted(second.words, 'word')} {statement_text(claim)} holds for runs that stop at "
                    "the first terminal configuration"
                )
                return run, f"{what}, but this one continues and has {counted(len(run), 'transition')}"
    return None


def _extreme_runs(space: Space, claim: LengthBound | CountBound, bound: Bound) -> list[Run]:
    """The extreme runs of a space, unless a cycle makes them unbounded."""
    return [tuple(found.run) for found in extremes(space, claim, bound) if isinstance(found, Heaviest)]


@dataclass(frozen=True, slots=True)
class TerminalIsClosed(Check):
    """Whether it makes no difference that runs stop at the first terminal configuration."""


class TerminalClosed(Property[TerminalIsClosed]):
    """Asked of every figure."""

    questions = (TerminalIsClosed,)
    column = Column("closed", "nothing changes after the end")
    place: ClassVar[int] = 1

    def parts(self, system: System, question: TerminalIsClosed) -> Parts:
        """A name; it is about the system alone."""
        return Parts("terminal is closed")

    def asked(self, system: System) -> Iterable[TerminalIsClosed]:
        """One question for every figure."""
        return (TerminalIsClosed(),)

    def check(self, levels: Levels, question: TerminalIsClosed) -> Evidence:
        """Compare both readings, including the figure's own claims about lengths."""
        claims = [claim.statement for claim in levels.system.figure.claims if claim.kind == "plain"]
        lengths = [claim for claim in claims if isinstance(claim, LengthBound | CountBound)]
        return check_terminal_closed(levels, lengths)


PROPERTIES: Final = (TerminalClosed(),)
