"""Dynamic oracles of a driver, checked against the exact costs.

In every configuration met in lockstep, the oracle is asked about every gold tree and every transition that both permit.
Nothing is drawn or merged: a driver is free to answer each question differently.  Configurations from which no run
ends are left out.  A transition after which no run ends must not be called free; any other answer about it counts as
right.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from arcproof.properties.conformance.calls import Failed, GivenUp, as_text
from arcproof.properties.conformance.divergence import About, CostIsWrong, What
from arcproof.properties.conformance.driver import BadDriver
from arcproof.properties.conformance.exact import ExactLosses
from arcproof.properties.conformance.lockstep import InStep, Lockstep, failure
from arcproof.properties.conformance.tasks import DriverTask
from arcproof.transitions.graph import Heads

Methods: TypeAlias = Mapping[str, Callable[[Any, Heads, Any], int | bool | None]]


def open_configurations(lockstep: Lockstep, pairs: Sequence[InStep]) -> list[InStep]:
    """Return those in which the figure permits a transition."""
    return [pair for pair in pairs if lockstep.figure.see(pair.figure).after]


def ask_about(lockstep: Lockstep, exact: ExactLosses, pair: InStep, golds: Sequence[Heads]) -> int:
    """Ask about every gold tree and transition in a configuration.

    If asking changes what the driver shows, that is reported, and every question is asked again in a fresh
    configuration.
    """
    try:
        d = lockstep.configuration(pair)
        wrong, asked = _answers(lockstep, exact, pair, golds, lambda: d)
        if pair.shown and lockstep.driver.shown(d) != pair.shown:
            _find_who_changes(lockstep, pair, golds)
            fresh = partial(lockstep.replayed, pair.figure.words, pair.run)
            wrong, asked = _answers(lockstep, exact, pair, golds, fresh)
    except GivenUp:
        lockstep.cut += 1
        return 0
    except Failed as failed:
        lockstep.found(pair, failure(failed))
        return 0
    for what in wrong:
        lockstep.found(pair, what)
    return asked


def _answers(
    lockstep: Lockstep, exact: ExactLosses, pair: InStep, golds: Sequence[Heads], configuration: Callable[[], Any]
) -> tuple[list[What], int]:
    """Return what is wrong with the answers, and how many answers there were."""
    wrong: list[What] = []
    asked = 0
    permitted = lockstep.driver.permissible(configuration())
    after = lockstep.figure.see(pair.figure).after
    for gold in golds:
        before = exact.loss(pair.figure, gold)
        for name in after if before is not None else ():
            loss = exact.loss(after[name], gold)
            true = None if loss is None or before is None else loss - before
            for method, ask in _methods(lockstep).items() if name in permitted else ():
                said = _said(lockstep, method, partial(ask, configuration(), gold, permitted[name]))
                lockstep.note_answer(method, said)
                asked += said is not None
                if isinstance(said, Failed):
                    lockstep.cut += isinstance(said, GivenUp)
                    wrong += [] if isinstance(said, GivenUp) else [failure(said, About(name, gold))]
                elif said is not None and _is_wrong(said, true):
                    wrong.append(CostIsWrong(gold, name, said, true, exact.best_ending(pair.figure, gold)))
                elif said is not None and not pair.follows:
                    lockstep.collected.tally.right(DriverTask("is_free" if method == "is_free" else "cost"), said)
    return wrong, asked


def _find_who_changes(lockstep: Lockstep, pair: InStep, golds: Sequence[Heads]) -> None:
    """Ask again, checking the state after every answer."""
    here = replace(pair, driver=lockstep.replayed(pair.figure.words, pair.run))
    for gold in golds:
        for name, t in lockstep.driver.permissible(here.driver).items():
            for method, ask in _methods(lockstep).items():
                lockstep.driver.calls.ask(method, partial(ask, here.driver, gold, t))
                if lockstep.looked_again(here, method, About(name, gold)) is not here:
                    return


def _methods(lockstep: Lockstep) -> Methods:
    parts = lockstep.driver.parts
    found = {"cost": parts.cost, "is_free": parts.is_free}
    return {name: method for name, method in found.items() if method is not None}


def _said(lockstep: Lockstep, method: str, ask: Callable[[], object]) -> int | bool | Failed | None:
    """Return the answer, or the failure if there was none."""
    try:
        answer = lockstep.driver.calls.ask(method, ask)
        return _number(method, answer)
    except Failed as failed:
        return failed


def _number(method: str, answer: object) -> int | bool | None:
    if answer is None:
        return None
    if method == "is_free":
        if answer not in (True, False):
            raise BadDriver(
                f"is_free gives {as_text(answer)}; it must return True, False, or None where it does not say"
            )
        return bool(answer)
    if isinstance(answer, float) and answer.is_integer():
        return int(answer)
    if isinstance(answer, bool) or not hasattr(answer, "__index__"):
        raise BadDriver(
            f"cost gives {as_text(answer)}; it must return a whole number, or None where it does not say. "
            "A dynamic oracle without costs needs a method is_free"
        )
    return int(answer.__index__())


def _is_wrong(said: int | bool, true: int | None) -> bool:
    if isinstance(said, bool):
        return said != (true == 0)
    return said <= 0 if true is None else said != true
