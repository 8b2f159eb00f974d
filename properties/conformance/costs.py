"""Dynamic oracles of a driver, held against the exact costs.

Every configuration that was met in lockstep is asked about every gold tree and every transition that both permit, as long as there are
not more than `MOST_ASKED` pairs of a configuration and a gold tree; beyond that as many are drawn.  Configurations from which no run ends are left out.  A transition
after which no run ends is not free, and any other answer about it is right.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Final, TypeAlias

from arcproof.properties.conformance.calls import Failed, GivenUp
from arcproof.properties.conformance.divergence import About, CostIsWrong, Divergence
from arcproof.properties.conformance.driver import BadDriver
from arcproof.properties.conformance.exact import Exact
from arcproof.properties.conformance.lockstep import Lockstep, Pair, failure
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.graph import Heads

from arcproof.process.lazy_dataclass import dataclass

MOST_ASKED: Final = 20_000
Methods: TypeAlias = Mapping[str, Callable[[Any, Heads, Any], int | bool | None]]


@dataclass(frozen=True)
class Asked:
    """How many transitions a dynamic oracle was asked about, and whether those were all."""

    cases: int
    all_of_them: bool


def check_costs(lockstep: Lockstep, exact: Exact, pairs: Sequence[Pair], seed: int) -> Asked:
    """Ask in all of these configurations, which come in the order of the figure."""
    open_pairs = [pair for pair in pairs if lockstep.figure.see(pair.figure).after]
    golds = [gold for gold in exact.golds if _accepted(lockstep, gold)]
    if len(open_pairs) * len(golds) <= MOST_ASKED:
        return Asked(sum(ask_about(lockstep, exact, pair, golds) for pair in open_pairs), True)
    random = Random(seed)
    some = open_pairs if len(open_pairs) <= MOST_ASKED else sorted(random.sample(open_pairs, MOST_ASKED), key=_length)
    each = max(1, MOST_ASKED // len(some))
    return Asked(sum(ask_about(lockstep, exact, pair, random.sample(golds, each)) for pair in some), False)


def _length(pair: Pair) -> int:
    return len(pair.run)


def _accepted(lockstep: Lockstep, gold: Heads) -> bool:
    try:
        return lockstep.driver.accepts(gold)
    except Failed:
        return False


def ask_about(lockstep: Lockstep, exact: Exact, pair: Pair, golds: Sequence[Heads]) -> int:
    """Ask about every gold tree and transition in a configuration."""
    asked = 0
    methods = _methods(lockstep)
    try:
        d = lockstep.configuration(pair)
        shown = lockstep.driver.shown(d)
        permitted = lockstep.driver.permissible(d)
        for gold in golds:
            for name, after in lockstep.figure.see(pair.figure).after.items():
                if name in permitted:
                    asked += _compare(lockstep, exact, pair, d, gold, (name, permitted[name], after), methods)
        if lockstep.driver.shown(d) != shown:
            _find_who_changes(lockstep, pair, golds, methods)
    except Failed:
        return asked
    return asked


def _find_who_changes(lockstep: Lockstep, pair: Pair, golds: Sequence[Heads], methods: Methods) -> None:
    """Ask once more, and look after every answer."""
    d = lockstep.replayed(pair.figure.words, pair.run)
    here, shown = replace(pair, driver=d), lockstep.driver.shown(d)
    for gold in golds:
        for name, t in lockstep.driver.permissible(d).items():
            for method, ask in methods.items():
                lockstep.driver.calls.ask(method, partial(ask, d, gold, t))
                if lockstep.looks_changed(here, method, shown, About(name, gold)):
                    return


def _methods(lockstep: Lockstep) -> Methods:
    parts = lockstep.driver.parts
    found = {"cost": parts.cost, "is_free": parts.is_free}
    return {name: method for name, method in found.items() if method is not None}


def _compare(
    lockstep: Lockstep,
    exact: Exact,
    pair: Pair,
    d: Any,
    gold: Heads,
    choice: tuple[str, Any, Configuration],
    methods: Methods,
) -> int:
    name, t, after = choice
    before = exact.loss(pair.figure, gold)
    if before is None:
        return 0
    loss = exact.loss(after, gold)
    true = None if loss is None else loss - before
    asked = 0
    for method, ask in methods.items():
        try:
            said = _said(method, lockstep.driver.calls.ask(method, partial(ask, d, gold, t)))
        except GivenUp:
            continue
        except Failed as failed:
            what = failure(failed, About(name, gold))
            lockstep.collected.add(Divergence(pair.figure.words, pair.run, what, pair.follows))
            continue
        asked += said is not None
        if said is not None and _is_wrong(said, true):
            wrong = CostIsWrong(gold, name, said, true, exact.best_ending(pair.figure, gold))
            lockstep.collected.add(Divergence(pair.figure.words, pair.run, wrong, pair.follows))
    return asked


def _said(method: str, answer: object) -> int | bool | None:
    if answer is None:
        return None
    if method == "is_free":
        if answer not in (True, False):
            raise BadDriver(f"is_free gives {answer!r}; it has to give True, False, or None where it does not say")
        return bool(answer)
    if isinstance(answer, float) and answer.is_integer():
        return int(answer)
    if isinstance(answer, bool) or not hasattr(answer, "__index__"):
        raise BadDriver(
            f"cost gives {answer!r}; it has to give a number, or None where it does not say. "
            "A dynamic oracle that does not count has a method is_free"
        )
    return int(answer.__index__())


def _is_wrong(said: int | bool, true: int | None) -> bool:
    if isinstance(said, bool):
        return said != (true == 0)
    return said <= 0 if true is None else said != true
