"""`arcproof conform --log --json`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from arcproof._version import __version__
from arcproof.documents.shared import Natural, Positive, Run, Sha256
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.properties.conformance.logs import LogCheck, LogFault


@dataclass(frozen=True)
class LogFaultJson:
    """A line that is not a run of the figure, or not a run to its gold tree."""

    kind: Literal["refused", "goes on", "ends early", "wrong tree"]
    line: Positive
    words: Natural
    """The number of words: from the treebank, as specified, or inferred from the run."""
    position: Positive | None
    """The position of the transition at fault, counted from 1."""
    written: str | None
    """The transition as written in the log."""
    permitted: Run
    """The transitions that were permitted there."""
    text: str
    """What is wrong, in words."""


@dataclass(frozen=True)
class LogJson:
    """A log of transitions checked against a figure."""

    arcproof: str
    system: str
    spec_sha256: Sha256
    file: str
    sentences: Natural
    transitions: Natural
    with_gold: bool
    """Whether the outputs had to be the gold trees."""
    words_guessed: bool
    """Whether the numbers of words were inferred from the runs."""
    conforms: bool | None
    """Whether all lines are right; null if there are none, or if none was at fault before the check ended early."""
    counts: Mapping[str, int]
    """How many lines are at fault, by kind."""
    faults: tuple[LogFaultJson, ...]
    """The first lines at fault."""
    ended_by: str | None = None
    """What ended the check early: the time limit or an interruption."""
    left: Natural | None = None
    """The number of lines that were not checked; `sentences` and `transitions` are those that were."""


DOCUMENT: TypeAlias = LogJson


def document(found: "LogCheck") -> LogJson:
    """Return the document for a check of a log."""
    return LogJson(
        arcproof=__version__,
        system=found.system.name,
        spec_sha256=found.system.sha256,
        file=found.file,
        sentences=found.sentences,
        transitions=found.transitions,
        with_gold=found.with_gold,
        words_guessed=found.words_guessed,
        conforms={0: True, 1: False}.get(found.exit_code),
        counts={str(kind): count for kind, count in found.counts.items()},
        faults=tuple(map(_fault, found.faults)),
        ended_by=found.ended_by,
        left=found.left or None,
    )


def _fault(fault: "LogFault") -> LogFaultJson:
    from arcproof.reports.logs import sentence

    return LogFaultJson(
        fault.kind, fault.line, fault.words, fault.position, fault.written or None, fault.permitted, sentence(fault)
    )
