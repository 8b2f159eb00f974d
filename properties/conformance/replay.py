"""Replaying one case of a comparison: a run, and what is asked at its end."""

from typing import Any

from arcproof.properties.conformance.calls import Failed
from arcproof.properties.conformance.case import OneCase, Taken
from arcproof.properties.conformance.costs import ask_about
from arcproof.properties.conformance.divergence import Found
from arcproof.properties.conformance.encodings import check_encoding, is_in
from arcproof.properties.conformance.exact import ExactLosses
from arcproof.properties.conformance.lockstep import Lockstep
from arcproof.properties.conformance.oracles import ask_outside, check_oracle, check_repairs
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.errors import BadGraph, NotPermissible
from arcproof.transitions.graph import Heads, format_heads
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.reading.read import read_class
from arcproof.transitions.syntax import GraphClass


def replay(lockstep: Lockstep, graphs: GraphClass, case: OneCase) -> tuple[tuple[Taken, ...], tuple[Found, ...]]:
    """Take the run, comparing everything on the way, then ask the questions that need the gold tree.

    Divergences are collected; returned are the run, and what the oracle does with a graph outside its class.
    """
    steps = tuple(_steps(lockstep, case))
    lockstep.walk(case.words, case.run)
    outside = lockstep.afresh()
    if case.gold is not None:
        parts = lockstep.driver.parts
        if case.labels is not None and parts.encode is not None:
            _check_class(read_class(parts.declared.encodes, "encodes of the driver"), case.gold)
            check_encoding(lockstep, case.gold, case.labels)
        elif parts.oracle is not None and not case.run and not is_in(graphs, case.gold):
            ask_outside(outside, case.gold)
        else:
            _check_class(graphs, case.gold)
            _ask_of_gold(lockstep, graphs, case, case.gold)
    return steps, outside.collected.found


def _check_class(graphs: GraphClass, gold: Heads) -> None:
    if not is_in(graphs, gold):
        raise BadGraph(f"{format_heads(gold)} is not among the {class_text(graphs)}, which this driver is for")


def _steps(lockstep: Lockstep, case: OneCase) -> list[Taken]:
    """Return the figure's run, with the driver's alongside as far as it gets."""
    c = lockstep.figure.system.start(case.words)
    d = _tried(lambda: lockstep.driver.start(case.words))
    steps = [_taken(lockstep, None, c, d)]
    for name in case.run:
        seen = lockstep.figure.see(c)
        if name not in seen.after:
            raise NotPermissible(f"{name} is not permissible in {c}: {lockstep.figure.refusal(c, name)}")
        c = seen.after[name]
        d = None if d is None else _tried(lambda d=d, name=name: _applied(lockstep, d, name))
        steps.append(_taken(lockstep, name, c, d))
    return steps


def _applied(lockstep: Lockstep, d: Any, name: str) -> Any:
    permitted = lockstep.driver.permissible(d)
    return lockstep.driver.apply(d, permitted[name]) if name in permitted else None


def _taken(lockstep: Lockstep, name: str | None, c: Configuration, d: Any) -> Taken:
    seen, driver = lockstep.figure.see(c), lockstep.driver
    if d is None:
        return Taken(name, c, seen.is_terminal, tuple(seen.after), None, None, None)
    ends = _tried(lambda: driver.is_terminal(d))
    permits = None if ends else _tried(lambda: tuple(driver.permissible(d)))
    return Taken(name, c, seen.is_terminal, tuple(seen.after), _tried(lambda: driver.shown(d)), ends, permits)


def _tried(call: Any) -> Any:
    try:
        return call()
    except Failed:
        return None


def _ask_of_gold(lockstep: Lockstep, graphs: GraphClass, case: OneCase, gold: Heads) -> None:
    parts, words = lockstep.driver.parts, case.words
    followed = None if parts.oracle is None else check_oracle(lockstep, gold)
    if parts.repair is None and parts.cost is None and parts.is_free is None:
        return
    exact = ExactLosses.of(lockstep.figure.system, graphs, words, parts.declared)
    if parts.repair is not None and followed is not None:
        check_repairs(lockstep, followed, exact, case.run or None)
    if exact is not None and (parts.cost or parts.is_free):
        for pair in lockstep.walk(words, case.run):
            ask_about(lockstep, exact, pair, [gold])
