"""Divergences in words: what a program does, and what the figure says."""

import shlex
from collections.abc import Iterator
from typing import Final, assert_never

from arcproof.properties.conformance.calls import SECONDS
from arcproof.properties.conformance.conform import Conformance
from arcproof.properties.conformance.divergence import (
    About,
    ChangesState,
    CostIsWrong,
    Crashes,
    Divergence,
    EndsDifferently,
    Hangs,
    Kind,
    OracleFails,
    OutputDiffers,
    Permits,
    Raises,
    Refuses,
    RepairFails,
    StateDiffers,
    TreeChanged,
    What,
)
from arcproof.properties.conformance.lockstep import CONFIGURATION, shown_text
from arcproof.transitions.graph import Graph, format_heads, graph_of
from arcproof.transitions.printing.wording import counted

TITLES: Final[dict[Kind, str]] = {
    Kind.PERMITS: "permits what the figure refuses",
    Kind.REFUSES: "refuses what the figure permits",
    Kind.STATE: "state differs",
    Kind.ENDS: "ends differently",
    Kind.OUTPUT: "output differs",
    Kind.ORACLE: "oracle fails",
    Kind.REPAIR: "repair fails",
    Kind.COST: "cost is wrong",
    Kind.ENCODING: "tree changed by encoding and decoding",
    Kind.RAISES: "raises",
    Kind.HANGS: "hangs",
    Kind.CRASHES: "crashes",
    Kind.CHANGES: "changes state when asked",
}


def run_text(divergence: Divergence) -> str:
    """`2 words, after SHIFT LEFT-ARC`."""
    after = f"after {' '.join(divergence.run)}" if divergence.run else "at the start"
    if not divergence.run and isinstance(divergence.what, TreeChanged | OracleFails):
        return counted(divergence.words, "word")
    return f"{counted(divergence.words, 'word')}, {after}"


def sentence(what: What) -> str:
    """Return what is wrong, in words; the run is named separately."""
    match what:
        case Permits(transition, because):
            return f"the driver permits {transition}; the figure refuses it: {because}"
        case Refuses(transition):
            return f"the driver refuses {transition}; the figure permits it"
        case StateDiffers(component, figure, driver):
            return f"{component} is {shown_text(driver)} in the driver; the figure says {shown_text(figure)}"
        case EndsDifferently(ends_in_figure):
            yes, no = ("figure", "driver") if ends_in_figure else ("driver", "figure")
            return f"the run ends for the {yes} but not for the {no}"
        case OutputDiffers(figure, driver):
            return f"the driver's output is {format_heads(driver)}; the figure's is {format_heads(figure)}"
        case OracleFails():
            return _oracle(what)
        case RepairFails():
            return _repair(what)
        case CostIsWrong():
            return _cost(what)
        case TreeChanged():
            return _encoding(what)
        case Raises(method, error, about):
            return f"{_call(method, about)} raises {error}"
        case Hangs(method, seconds, about):
            return f"{_call(method, about)} does not answer within {seconds:g} s"
        case Crashes(method, how, about):
            return f"{_call(method, about)} ends the process ({how})"
        case ChangesState():
            return _change(what)
        case _:
            assert_never(what)


TAKES_GOLD: Final = ("oracle", "cost", "is_free", "repair", "encode", "decode", "accepts")


def _call(method: str, about: About) -> str:
    """Return a method and what it was asked about, as in `cost(SHIFT, [2,0])` or `on the way to 2,0 apply(SHIFT)`."""
    takes_gold = about.gold is not None and method in TAKES_GOLD
    parts = [about.transition, f"[{format_heads(about.gold)}]" if about.gold is not None and takes_gold else None]
    parts += [None if about.labels is None else f"[{','.join(about.labels)}]"]
    given = ", ".join(part for part in parts if part is not None)
    way = "" if about.gold is None or takes_gold else f"on the way to {format_heads(about.gold)} "
    return way + (f"{method}({given})" if given else method)


def _oracle(what: OracleFails) -> str:
    gold = f"on the way to {format_heads(what.gold)}"
    match what.fault:
        case "refused by the figure":
            return f"{gold} the oracle gives {what.transition}; the figure refuses it: {what.reason}"
        case "refused by the driver":
            return f"{gold} the oracle gives {what.transition}, which the driver itself refuses"
        case "ends early":
            return f"{gold} the oracle stops, but the run has not ended"
        case "goes on":
            return f"{gold} the run has ended, but the oracle gives {what.transition}"
        case "wrong tree":
            output = "a graph in which a word has two heads" if what.output is None else format_heads(what.output)
            return f"{gold} the oracle leads to {output}"
        case "never ends":
            given = "" if what.transition is None else f"; it gives {what.transition}, and the figure refuses it"
            return f"{gold} the oracle never ends{given}" + (f": {what.reason}" if what.reason else "")
        case "raises":
            return f"{gold} the oracle raises {what.reason}"
        case _:
            assert_never(what.fault)


def _repair(what: RepairFails) -> str:
    gold = f"on the way to {format_heads(what.gold)} the last transition is a mistake"
    answer = " ".join(what.sequence) or "nothing"
    match what.fault:
        case "refused by the figure":
            assert what.at is not None
            return (
                f"{gold}; the repair is {answer}; the figure refuses its {_ordinal(what.at)} transition: {what.reason}"
            )
        case "ends early":
            return f"{gold}; the repair is {answer}, after which the run has not ended"
        case "goes on":
            return f"{gold}; the repair is {answer}, but the run ends after {what.at} of its transitions"
        case "not the best":
            loss = "a word gets two heads" if what.loss is None else f"{_heads(what.loss)} wrong"
            return f"{gold}; the repair is {answer}, and {loss}; at best {what.best} would be"
        case "never ends":
            return f"{gold}; the repair never ends" + (f": {what.reason}" if what.reason else "")
        case "raises":
            return f"{gold}; the repair raises {what.reason}"
        case _:
            assert_never(what.fault)


def _heads(number: int) -> str:
    return "1 head is" if number == 1 else f"{number} heads are"


def _ordinal(place: int) -> str:
    return {0: "first", 1: "second", 2: "third"}.get(place, f"{place + 1}th")


def _cost(what: CostIsWrong) -> str:
    said = ("is free" if what.said else "is not free") if isinstance(what.said, bool) else f"costs {what.said}"
    true = "no run ends after it" if what.true is None else f"the exact cost is {what.true}"
    better = f"; best: {' '.join(what.better)}" if what.true != 0 and what.better else ""
    return f"on the way to {format_heads(what.gold)} the driver says that {what.transition} {said}; {true}{better}"


def _tree(heads: tuple[int | None, ...], labels: tuple[str, ...]) -> str:
    return f"{format_heads(heads)} ({','.join(labels)})"


def _encoding(what: TreeChanged) -> str:
    begun = f"{_tree(what.gold, what.labels)} is encoded as {_tree(*what.encoded)}"
    if what.decoded is None:
        return f"{begun}, which is not among the {what.graphs}"
    return f"{begun} and decoded as {_tree(*what.decoded)}"


def _change(what: ChangesState) -> str:
    call = _call(what.method, what.about)
    if what.shown == CONFIGURATION:
        return f"{call} returns the configuration it was given, changed; if that is intended, set in_place = True"
    if what.shown == what.method:
        return f"{what.method} gives {what.before} at first and {what.after} when called again"
    return f"{call} changes {what.shown} from {what.before} to {what.after}"


def graph_at_fault(what: What) -> Graph | None:
    """Return the tree to draw, if there is one."""
    match what:
        case OracleFails(gold=gold) | RepairFails(gold=gold) | CostIsWrong(gold=gold):
            return graph_of(gold)
        case TreeChanged(gold=gold, labels=labels):
            return graph_of(gold, labels)
        case _:
            return None


def replay_line(found: Conformance, divergence: Divergence) -> str:
    """Return the command that replays the case, or a line of Python if a command cannot name figure and driver."""
    options = dict(case_options(found, divergence))
    if not found.is_named:
        given = ", ".join(f"{name}={value!r}" for name, value in options.items())
        return f"print(arcproof.conform(figure, driver, {given}))"
    figure = [found.system.reference] if found.system.reference != found.declared.figure else []
    words = [str(word) for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
    return shlex.join(["arcproof", "conform", *figure, found.driver, *words])


def case_options(found: Conformance, divergence: Divergence) -> Iterator[tuple[str, str | int | float]]:
    """Yield the options that identify the case; a driver that names its own figure needs no other."""
    yield "replay", " ".join(divergence.run)
    gold, labels = gold_of(divergence.what), labels_of(divergence.what)
    yield ("words", divergence.words) if gold is None else ("gold", format_heads(gold))
    if labels is not None:
        yield "labels", ",".join(labels)
    if found.effort.call_seconds != SECONDS:
        yield "call_timeout", found.effort.call_seconds


def labels_of(what: What) -> tuple[str, ...] | None:
    """Return the labels of the tree that a divergence is about, if any."""
    return what.labels if isinstance(what, TreeChanged) else _about(what).labels


def gold_of(what: What) -> tuple[int | None, ...] | None:
    """Return the gold tree that a divergence is about, if any."""
    match what:
        case OracleFails(gold=gold) | RepairFails(gold=gold) | CostIsWrong(gold=gold) | TreeChanged(gold=gold):
            return gold
        case _:
            return _about(what).gold


def _about(what: What) -> About:
    return what.about if isinstance(what, Raises | Hangs | Crashes | ChangesState) else About()
