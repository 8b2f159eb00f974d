"""Generated tests for static oracles and repairs: the body of one function each.

A test of an oracle fails because of what was observed.  Beyond that, it checks that the sequence leads to the tree, so
that a different mistake does not make it pass: either by what the driver shows of the tree or, if it shows nothing, by
the list of correct sequences.
"""

from collections.abc import Iterator
from typing import Final, assert_never

from arcproof.properties.conformance.conform import Conformance
from arcproof.properties.conformance.divergence import Divergence, Names, OracleFails, RepairFails
from arcproof.properties.conformance.oracles import ENDLESS
from arcproof.properties.conformance.subject import FigureSide
from arcproof.reports.driver_expressions import heads_of, is_rooted, listed, name, plain, rooted
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.graph import Heads

MOST_TRIED: Final = 10_000
MOST_LISTED: Final = 10
"""The most runs that are tried, and the most that a test lists."""


def _given(found: Conformance, what: OracleFails, number: int) -> str:
    return f"given = [{name(found, 't')} for t in itertools.islice(driver.oracle({what.gold!r}), {number})]"


def oracle_body(found: Conformance, divergence: Divergence, what: OracleFails) -> Iterator[str]:
    """Yield a check of what was observed, then one that the oracle leads to the tree, so that no other mistake can
    pass.
    """
    yield from _seen_of_oracle(found, divergence, what)
    reached = list(_reached(found, divergence.words, what))
    if reached:
        yield _given(found, what, ENDLESS)
        yield from reached


def _seen_of_oracle(found: Conformance, divergence: Divergence, what: OracleFails) -> Iterator[str]:
    run = divergence.run
    match what.fault:
        case "refused by the figure":
            yield _given(found, what, len(run) + 1)
            yield f"assert given[:-1] != {listed(run)} or given[-1] in {listed(what.permitted)}"
        case "refused by the driver":
            yield _given(found, what, len(run) + 1)
            yield f"assert given[-1] in permitted(driver, after(driver, {divergence.words}, given[:-1]))"
        case "wrong tree" if "heads" in found.methods and not divergence.follows:
            return
        case "ends early" | "wrong tree":
            yield _given(found, what, len(run) + 1)
            yield f"assert given != {listed(run)}"
        case "goes on":
            yield _given(found, what, len(run) + 1)
            yield f"assert given[:-1] != {listed(run)}"
        case "never ends":
            yield f"with within({found.effort.call_seconds:g}):"
            yield f"    {_given(found, what, ENDLESS)}"
            yield f"assert len(given) < {ENDLESS}"
        case "raises":
            yield f"list(driver.oracle({what.gold!r}))"
        case _:
            assert_never(what.fault)


def _reached(found: Conformance, words: int, what: OracleFails) -> Iterator[str]:
    """Yield a check that the transitions in `given` lead to the gold tree.

    The check compares the heads or arcs that the driver shows; without these, it looks for `given` among the figure's
    runs that lead to the tree.
    """
    if "heads" in found.methods:
        yield f"c = after(driver, {words}, given)"
        yield f"assert {heads_of(found, 'c')} == {rooted(found, what.gold)!r}"
    elif "arcs" in found.methods:
        least = 1 if is_rooted(found) else 0
        gold = {(head, word) for word, head in enumerate(what.gold, 1) if head is not None and head >= least}
        arcs = "{arc for arc in driver.arcs(c) if arc[0] != 0}" if least else "set(driver.arcs(c))"
        yield f"c = after(driver, {words}, given)"
        yield f"assert {arcs} == {plain(frozenset(gold))}"
    elif right := _runs_to(found, what.gold):
        yield f"assert given in [{', '.join(map(listed, right))}]"


def _runs_to(found: Conformance, gold: Heads) -> list[Names]:
    """Return all runs of the figure that end with a tree; none if there are more than can be listed."""
    figure = FigureSide(found.system)
    if figure.runs(len(gold), MOST_TRIED) is None:
        return []
    right: list[Names] = []
    waiting: list[tuple[Names, Configuration]] = [((), found.system.start(len(gold)))]
    while waiting:
        run, c = waiting.pop(0)
        seen = figure.see(c)
        heads = c.graph.heads_or_none if seen.is_terminal else None
        if heads is not None and rooted(found, heads) == rooted(found, gold):
            right.append(run)
        waiting += [((*run, taken), after) for taken, after in seen.after.items()]
    return right if len(right) <= MOST_LISTED else []


def mistake(divergence: Divergence, gold: Heads | None) -> Iterator[str]:
    """Yield what an oracle gave before a mistake, and the mistake."""
    *right, wrong = divergence.run
    yield f"done = list(itertools.islice(driver.oracle({gold!r}), {len(right)}))"
    yield f"wrong = permitted(driver, after(driver, {divergence.words}, {listed(right)}))[{wrong!r}]"


def repair_body(found: Conformance, divergence: Divergence, what: RepairFails) -> Iterator[str]:
    """Yield a check of what was observed about the answer to a mistake."""
    yield from mistake(divergence, what.gold)
    given = f"itertools.islice(driver.repair({what.gold!r}, done, wrong), {ENDLESS})"
    answer = f"answer = [{name(found, 't')} for t in {given}]"
    match what.fault:
        case "refused by the figure":
            assert what.at is not None
            yield answer
            context = f"answer[:{what.at}] != {listed(what.sequence[: what.at])} or " if what.at else ""
            yield f"assert {context}answer[{what.at}] in {listed(what.permitted)}"
        case "ends early":
            yield answer
            yield f"assert answer != {listed(what.sequence)}"
        case "goes on":
            yield answer
            yield f"assert len(answer) == {what.at}"
        case "not the best":
            yield answer
            if "heads" in found.methods:
                yield f"c = after(driver, {divergence.words}, {listed(divergence.run)} + answer)"
                yield f"wrong_heads = sum(a != b for a, b in zip({heads_of(found, 'c')}, {rooted(found, what.gold)!r}))"
                yield f"assert wrong_heads == {what.best}"
            else:
                yield f"assert answer != {listed(what.sequence)}"
        case "never ends":
            yield f"with within({found.effort.call_seconds:g}):"
            yield f"    {answer}"
            yield f"assert len(answer) < {ENDLESS}"
        case "raises":
            yield answer
        case _:
            assert_never(what.fault)
