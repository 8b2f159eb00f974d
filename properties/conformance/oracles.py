"""Static oracles and repairs of a driver, checked against the figure.

An *oracle* is followed in the figure and in the driver.  It fails if either of them refuses a transition, if it ends
before the figure does or goes on afterwards, if a different tree comes out, or if it never ends: it gives nothing in
time, or it returns to an earlier configuration or gives a transition that cannot be taken, and then goes on for
`ENDLESS` more.

A *repair* answers a mistake: a transition that both permit, but that is not the oracle's.  Every possible mistake is
made after every prefix of the oracle's run; the answer must be applicable in the figure, and its output must be as good
as any that can be reached after the mistake.

What an oracle does with graphs *outside* its class of gold trees is its own affair, but treebanks have such graphs:
whoever trains on them should know whether it loops or quietly leads to another tree.  An oracle that raises there has
refused them, which is right.
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Any, Final

from arcproof.generators.classes import has_proper_heads
from arcproof.process.lazy_dataclass import dataclass
from arcproof.properties.conformance.calls import Crashed, Failed, GivenUp, Hung, Raised
from arcproof.properties.conformance.divergence import (
    About,
    Divergence,
    Names,
    OracleFails,
    OracleFault,
    RepairFails,
    RepairFault,
    What,
)
from arcproof.properties.conformance.encodings import is_in
from arcproof.properties.conformance.exact import ExactLosses
from arcproof.properties.conformance.lockstep import Lockstep, failure, loss_of
from arcproof.properties.conformance.tasks import DriverTask
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.graph import Heads, format_heads
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import most_transitions

ENDLESS: Final = 1_000
MOST_SHOWN: Final = 100
"""The largest number of transitions of an answer that are stored."""
END: Final = object()
MAX_WORDS_OUTSIDE: Final = 4


@dataclass(frozen=True)
class OracleRun:
    """The oracle's run: names, the driver's transitions, and the configurations before each and after all of them."""

    gold: Heads
    names: Names
    transitions: tuple[Any, ...]
    configurations: tuple[Configuration, ...]


class _Fault(Exception):
    """What is wrong with an oracle, and after which run."""

    def __init__(self, what: What, run: Names, follows: bool = False) -> None:
        """Store the arguments."""
        super().__init__()
        self.what = what
        self.run = run
        self.follows = follows


def check_oracle(lockstep: Lockstep, gold: Heads) -> OracleRun | None:
    """Follow the oracle to a gold tree; if it fails, add a divergence and return None."""
    return _follow(lockstep, gold, is_outside=False)


def _follow(lockstep: Lockstep, gold: Heads, is_outside: bool) -> OracleRun | None:
    names: list[str] = []
    try:
        run = _followed(lockstep, gold, names)
        lockstep.collected.tally.right(DriverTask("oracle"), run.names)
        return run
    except _Fault as fault:
        if is_outside and isinstance(fault.what, OracleFails) and fault.what.fault == "raises":
            return None
        follows = fault.follows or _has_ended(lockstep, len(gold), fault.run)
        lockstep.collected.add(Divergence(len(gold), fault.run, fault.what, follows))
    except GivenUp:
        lockstep.cut += 1
    except Failed as failed:
        lockstep.collected.add(Divergence(len(gold), tuple(names), failure(failed, About(None, gold))))
    return None


def outside(graphs: GraphClass, words: int) -> Iterator[Heads]:
    """Yield the graphs in which every word has a head and that are not of this class, cyclic ones included."""
    for heads in product(range(words + 1), repeat=words):
        if has_proper_heads(heads) and not is_in(graphs, heads):
            yield heads


def ask_outside(trial: Lockstep, gold: Heads) -> None:
    """Follow the oracle to a graph outside its class, if the driver accepts it; `trial` collects what happens."""
    with suppress(Failed):
        if trial.driver.accepts(gold):
            _follow(trial, gold, is_outside=True)


def _has_ended(lockstep: Lockstep, words: int, run: Names) -> bool:
    """Whether the run has ended for the figure but not for the driver, so that the oracle had no reason to stop."""
    c = lockstep.figure.system.start(words)
    for name in run:
        c = lockstep.figure.see(c).after[name]
    try:
        return lockstep.figure.see(c).is_terminal and not lockstep.driver.is_terminal(lockstep.replayed(words, run))
    except Failed:
        return False


def _followed(lockstep: Lockstep, gold: Heads, names: list[str]) -> OracleRun:
    """Return the oracle's run, adding to `names` on the way."""
    figure, driver, words = lockstep.figure, lockstep.driver, len(gold)
    c, d = figure.system.start(words), driver.start(words)
    taken: list[Any] = []
    configurations = [c]
    is_finite = False

    def fault(kind: OracleFault, follows: bool = False, **details: Any) -> _Fault:
        return _Fault(OracleFails(gold, kind, **details), tuple(names), follows)

    for t in _given(lockstep, gold, names):
        name = driver.name(t, f"on the way to {format_heads(gold)} the driver's oracle gives a transition")
        seen, permitted = figure.see(c), driver.permissible(d)
        if name not in seen.after:
            reason = figure.refusal(c, name)
            if _is_endless(lockstep, gold, len(names)):
                raise fault("never ends", transition=name, reason=reason)
            if seen.is_terminal:
                raise fault("goes on", transition=name)
            known = tuple(seen.after)
            raise fault("refused by the figure", name in permitted, transition=name, permitted=known, reason=reason)
        if name not in permitted:
            raise fault("refused by the driver", True, transition=name)
        c, d = seen.after[name], driver.apply(d, t)
        names.append(name)
        taken.append(t)
        if c in configurations and not is_finite:
            is_finite = not _is_endless(lockstep, gold, len(names))
            if not is_finite:
                raise fault("never ends", reason="it returns to an earlier configuration")
        if len(names) > most_transitions(words):
            raise fault("never ends", reason=f"it has given {len(names)} transitions")
        configurations.append(c)
    if not figure.see(c).is_terminal:
        raise fault("ends early", driver.is_terminal(d))
    output = c.graph.heads_or_none
    if output is None or driver.rooted(output) != driver.rooted(gold):
        built = driver.output(d, words)
        raise fault("wrong tree", built is not None and driver.rooted(built) == driver.rooted(gold), output=output)
    return OracleRun(gold, tuple(names), tuple(taken), tuple(configurations))


def _given(lockstep: Lockstep, gold: Heads, run: list[str]) -> Iterator[Any]:
    """Yield the oracle's transitions, one by one."""
    driver = lockstep.driver
    oracle = driver.parts.oracle
    assert oracle is not None
    try:
        given = driver.gathered("oracle", lambda: oracle(gold), iter, "transitions, as a list or one by one")
        while (t := driver.calls.ask("oracle", lambda: next(given, END))) is not END:
            yield t
    except Raised as raised:
        if raised.method != "oracle":
            raise
        raise _Fault(OracleFails(gold, "raises", reason=raised.how), tuple(run)) from None
    except Hung as hung:
        if hung.method != "oracle":
            raise
        reason = f"no answer in {hung.seconds:g} s"
        raise _Fault(OracleFails(gold, "never ends", reason=reason), tuple(run)) from None


def _is_endless(lockstep: Lockstep, gold: Heads, already: int) -> bool:
    """Whether an oracle never ends, as shown by running it again from the beginning."""
    oracle = lockstep.driver.parts.oracle
    assert oracle is not None

    def goes_on() -> bool:
        given = iter(oracle(gold))
        return all(next(given, END) is not END for _ in range(already + ENDLESS))

    try:
        return lockstep.driver.calls.ask("oracle", goes_on)
    except Hung:
        return True
    except Failed:
        return False


# --- repairs ---------------------------------------------------------------------------------------------------------


def check_repairs(lockstep: Lockstep, followed: OracleRun, exact: ExactLosses | None, only: Names | None = None) -> int:
    """Make every mistake along the oracle's run, or just the one that ends the run `only`; return the number of answers
    examined.
    """
    asked = 0
    for at, right in enumerate(followed.names):
        run = followed.names[:at]
        try:
            permitted = lockstep.driver.permissible(lockstep.replayed(len(followed.gold), run))
            for name, after in lockstep.figure.see(followed.configurations[at]).after.items():
                if name != right and name in permitted and only in (None, (*run, name)):
                    asked += _check_repair(lockstep, followed, at, (name, permitted[name]), after, exact)
        except GivenUp:
            lockstep.cut += 1
        except Failed as failed:
            lockstep.collected.add(Divergence(len(followed.gold), run, failure(failed)))
    return asked


def _check_repair(
    lockstep: Lockstep,
    followed: OracleRun,
    at: int,
    mistake: tuple[str, Any],
    after: Configuration,
    exact: ExactLosses | None,
) -> int:
    gold, run = followed.gold, (*followed.names[:at], mistake[0])
    repair = lockstep.driver.parts.repair
    assert repair is not None
    done = followed.transitions[:at]

    def answer() -> list[Any] | None:
        given = repair(gold, done, mistake[1])
        return None if given is None else [t for t, _ in zip(given, range(ENDLESS + 1), strict=False)]

    def found(what: What) -> None:
        lockstep.collected.add(Divergence(len(gold), run, what))

    try:
        given = lockstep.driver.calls.ask("repair", answer)
        lockstep.note_answer("repair", given)
        if given is None:
            return 0
        whose = f"on the way to {format_heads(gold)} the driver's repair gives a transition"
        names = tuple(lockstep.driver.name(t, whose) for t in given)
    except Raised as raised:
        found(RepairFails(gold, "raises", reason=raised.how))
    except Hung as hung:
        found(RepairFails(gold, "never ends", reason=f"no answer in {hung.seconds:g} s"))
    except GivenUp:
        lockstep.cut += 1
        return 0
    except Crashed as crashed:
        found(failure(crashed, About(None, gold)))
    else:
        what = _judged(lockstep, gold, after, names, exact)
        if what is None:
            lockstep.collected.tally.right(DriverTask("repair"), names)
        else:
            found(what)
    return 1


def _judged(
    lockstep: Lockstep, gold: Heads, c: Configuration, names: Names, exact: ExactLosses | None
) -> RepairFails | None:
    """Return what is wrong with an answer, if anything."""
    figure, driver = lockstep.figure, lockstep.driver
    best = None if exact is None else exact.loss(c, gold)
    if best is None and exact is not None:
        return None

    def fails(fault: RepairFault, at: int | None = None, **details: Any) -> RepairFails:
        return RepairFails(gold, fault, names[:MOST_SHOWN], at, best=best, **details)

    if len(names) > ENDLESS:
        return fails("never ends")
    for at, name in enumerate(names):
        seen = figure.see(c)
        if seen.is_terminal:
            return fails("goes on", at)
        if name not in seen.after:
            return fails("refused by the figure", at, permitted=tuple(seen.after), reason=figure.refusal(c, name))
        c = seen.after[name]
    if not figure.see(c).is_terminal:
        return fails("ends early")
    output = c.graph.heads_or_none
    roots_count = figure.system.has_root or driver.parts.declared.loss == "wrong heads"
    loss = None if output is None else loss_of(driver.rooted(output), driver.rooted(gold), roots_count)
    return fails("not the best", loss=loss) if best is not None and loss != best else None
