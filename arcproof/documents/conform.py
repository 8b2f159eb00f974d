"""`arcproof conform --json`."""

from typing import TYPE_CHECKING, Literal, TypeAlias

from arcproof._version import __version__
from arcproof.documents.shared import Heads, Natural, Run, Seconds, Sha256
from arcproof.process.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from arcproof.properties.conformance.conform import Conformance
    from arcproof.properties.conformance.divergence import Divergence, Found, What


@dataclass(frozen=True)
class DriverJson:
    """The program that was checked against the figure."""

    reference: str
    """The driver as named on the command line: package.module:Class, a file, or the name of a built-in one."""
    version: str | None
    """The version of the program, as the driver gives it."""
    methods: tuple[str, ...]
    """The optional methods of the driver; only what they show was compared."""
    least_words: Natural
    """The smallest number of words of a sentence that was tried."""
    golds: str
    """The class of gold trees for its oracles."""
    not_modelled: tuple[str, ...]
    """What the program leaves out on purpose."""


@dataclass(frozen=True)
class LookedJson:
    """What was compared for sentences of one length."""

    part: Literal["runs", "oracle", "repair", "cost", "encoding"]
    words: Natural
    """The number of words; for sentences drawn at random, the greatest."""
    cases: Natural
    way: Literal["all", "merged", "drawn", "partly"]
    """How the sentences were tried: all of them; all, with runs to the same configuration merged; some, drawn at
    random; not all, because a method did not answer or time ran out.
    """
    left: Natural
    """How many configurations, for costs, or trees the time did not suffice for."""


@dataclass(frozen=True)
class DivergenceJson:
    """The smallest divergence of a kind and cause; if it was drawn, the smallest of those drawn."""

    kind: str
    detail: str | None
    """The cause, as far as it can be told: a transition, a component, a fault of an oracle, cost or encoding, or the
    method that raises and what.
    """
    words: Natural
    run: Run
    """The transitions to the configuration where the divergence shows."""
    text: str
    """What is wrong, in words."""
    follows: bool
    """Whether it may be the consequence of another divergence."""
    drawn: bool
    """Whether it was found at random, so that there may be a smaller one."""
    count: Natural
    """How often divergences of this kind and cause were seen."""
    replay: str
    """The command that replays the case; a line of Python if it has no names for the figure and the driver."""
    transition: str | None = None
    gold: Heads | None = None
    labels: tuple[str, ...] | None = None
    said: int | bool | None = None
    """For a cost: what the driver said, a number or whether the transition is free."""
    true: Natural | None = None
    """For a cost: the exact one; left out if no run ends after the transition."""
    figure_output: Heads | None = None
    driver_output: tuple[int | None, ...] | None = None
    """The heads as the driver gives them, whatever numbers they contain."""


@dataclass(frozen=True)
class TaskJson:
    """Something that a driver has to do, and how often it was right and wrong about it."""

    aim: Literal["does", "permits", "ends", "output", "oracle", "repair", "cost", "is_free", "encoding"]
    """What a transition does, where it is permitted, where a run ends, the output, or what else the driver offers."""
    transition: str | None
    right: Natural
    wrong: Natural
    """Like `right`, without what may be the consequence of another divergence."""
    done: bool
    """Whether it was never wrong, and right in cases that a method would get wrong if it did nothing or always gave the
    same answer.
    """


@dataclass(frozen=True)
class ConformanceJson:
    """A program checked against a figure."""

    arcproof: str
    system: str
    spec_sha256: Sha256
    driver: DriverJson
    words: Natural
    """The number of words up to which everything was to be tried."""
    samples: Natural
    """The number of longer runs and trees that were to be drawn."""
    seed: Natural
    call_timeout: Seconds
    conforms: bool | None
    """Whether the program conforms; null if that is open, as when nothing diverged in a single replayed case."""
    looked: tuple[LookedJson, ...]
    divergences: tuple[DivergenceJson, ...]
    outside: tuple[str, ...]
    """What the oracle does with graphs outside its class: worth knowing, but not a divergence."""
    given_up: tuple[str, ...]
    """Methods that failed to answer so often that they were no longer called."""
    silent: tuple[str, ...]
    """Methods that always returned None, which means no answer, so that nothing was compared for them."""
    tasks: tuple[TaskJson, ...]
    """The tasks; empty if a single case was replayed."""
    note: str | None
    """What ended the run early."""


DOCUMENT: TypeAlias = ConformanceJson


def document(found: "Conformance") -> ConformanceJson:
    """Return the document for a check of a program."""
    from arcproof.reports.conformance import outside_lines

    return ConformanceJson(
        arcproof=__version__,
        system=found.system.name,
        spec_sha256=found.system.sha256,
        driver=_driver(found),
        words=found.effort.words,
        samples=found.effort.samples,
        seed=found.effort.seed,
        call_timeout=found.effort.call_seconds,
        conforms=found.conforms or (False if found.found else None),
        looked=tuple(LookedJson(one.part, one.words, one.cases, one.way, one.left) for one in found.looked),
        divergences=tuple(_divergence(found, one) for one in found.found),
        outside=tuple(outside_lines(found)),
        given_up=found.given_up,
        silent=found.silent,
        tasks=tuple(
            TaskJson(one.task.aim, one.task.transition or None, one.right, one.wrong, one.is_done)
            for one in found.performance
        ),
        note=found.ended_by,
    )


def _driver(found: "Conformance") -> DriverJson:
    from arcproof.transitions.printing.notation import class_text

    declared = found.declared
    return DriverJson(
        reference=found.driver,
        version=declared.version,
        methods=found.methods,
        least_words=declared.least_words,
        golds=class_text(found.golds),
        not_modelled=declared.not_modelled,
    )


def _divergence(found: "Conformance", one: "Found") -> DivergenceJson:
    from arcproof.properties.conformance.divergence import kind_of
    from arcproof.reports.divergences import gold_of, labels_of, replay_line, sentence

    divergence = one.divergence
    kind, detail = kind_of(divergence.what)
    said, true = _costs(divergence)
    figure_output, driver_output = _outputs(divergence.what)
    return DivergenceJson(
        kind=kind.value,
        detail=detail or None,
        words=divergence.words,
        run=divergence.run,
        text=sentence(divergence.what),
        follows=divergence.follows,
        drawn=divergence.drawn,
        count=one.count,
        replay=replay_line(found, divergence),
        transition=_transition(divergence.what),
        gold=gold_of(divergence.what),
        labels=labels_of(divergence.what),
        said=said,
        true=true,
        figure_output=figure_output,
        driver_output=driver_output,
    )


def _costs(divergence: "Divergence") -> tuple[int | bool | None, int | None]:
    from arcproof.properties.conformance.divergence import CostIsWrong

    what = divergence.what
    return (what.said, what.true) if isinstance(what, CostIsWrong) else (None, None)


def _outputs(what: "What") -> "tuple[tuple[int | None, ...] | None, tuple[int | None, ...] | None]":
    from arcproof.properties.conformance.divergence import OracleFails, OutputDiffers, TreeChanged

    match what:
        case OutputDiffers(figure, driver):
            return figure, driver
        case OracleFails(output=output):
            return output, None
        case TreeChanged(decoded=decoded) if decoded is not None:
            return None, decoded[0]
        case _:
            return None, None


def _transition(what: "What") -> str | None:
    from arcproof.properties.conformance.divergence import CostIsWrong, OracleFails, Permits, Refuses

    match what:
        case Permits(transition=name) | Refuses(transition=name) | CostIsWrong(transition=name):
            return name
        case OracleFails(transition=given):
            return given
        case _:
            return None
