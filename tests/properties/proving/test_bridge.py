"""The symbolic meaning says what the interpreter says; a wrong encoding is noticed."""

from dataclasses import replace

import pytest

from arcproof.properties.exploration import explore
from arcproof.properties.proving import terms as t
from arcproof.properties.proving.bridge import Bridge, scattered
from arcproof.properties.proving.gold import gold_graphs
from arcproof.properties.proving.state import Unsupported
from arcproof.properties.proving.symbolic import Meanings, meanings_of
from arcproof.transitions.graph import Arc
from arcproof.transitions.library import system_names
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import System, load

GRAPHS = [
    frozenset(Arc(h, None, d) for h, d in arcs)
    for arcs in ([], [(0, 1)], [(1, 2)], [(2, 1), (0, 2)], [(1, 2), (2, 1)], [(1, 1)], [(0, 1), (2, 1)], [(1, 0)])
]
SYSTEMS = [*system_names(), "covington[d=0]", "covington[d=1]", "attardi[d=3]"]


def first_difference(meanings: Meanings, words: int) -> str | None:
    bridge, system = Bridge(meanings), meanings.system
    for n in range(1, words + 1):
        found = bridge.start_difference(n)
        if found is not None:
            return found
        unreachable = scattered(system, n, GRAPHS) if n == 2 else ()
        for c in (*explore(system, n).configurations, *unreachable):
            found = bridge.difference(c)
            if found is not None:
                return found
    return None


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_symbolic_meaning_agrees_with_the_interpreter(name: str) -> None:
    assert first_difference(meanings_of(load(name)), 3) is None


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_symbolic_oracles_ask_for_the_same_transitions(name: str) -> None:
    system = load(name)
    bridge = Bridge(meanings_of(system))
    golds = list(gold_graphs(system, GraphClass((), "forests"), 2))
    for oracle in system.figure.oracles:
        try:
            for c in explore(system, 2).configurations:
                for gold in golds:
                    assert bridge.oracle_difference(oracle, c, gold) is None
        except Unsupported:
            assert (system.name, oracle.name) == ("swap", "lazy")


def broken(system: System, how: str) -> Meanings:
    """A symbolic meaning with one mistake in its first transition."""
    meanings = meanings_of(system)
    first = meanings.steps[0]
    after = first.after
    wrong = {
        "a precondition is lost": replace(first, preconditions=first.preconditions[:-1]),
        "the arc is reversed": replace(first, after=replace(after, arc=lambda x, y: after.arc(y, x))),
        "reachability is not closed": replace(first, after=replace(after, reaches=meanings.before.reaches)),
        "the ghost of places is stale": replace(first, after=replace(after, place=meanings.before.place)),
        "headless words are not counted": replace(first, after=replace(after, headless=meanings.before.headless)),
        "a height is off by one": replace(
            first, after=replace(after, heights={k: t.add(h, 1) for k, h in after.heights.items()})
        ),
    }[how]
    return replace(meanings, steps=(wrong, *meanings.steps[1:]))


@pytest.mark.parametrize(
    "how",
    [
        "a precondition is lost",
        "the arc is reversed",
        "reachability is not closed",
        "the ghost of places is stale",
        "headless words are not counted",
        "a height is off by one",
    ],
)
def test_the_bridge_notices_a_wrong_encoding(how: str) -> None:
    assert first_difference(broken(load("arc-eager"), how), 3) is not None


def test_the_bridge_notices_a_wrong_terminal_test(monkeypatch: pytest.MonkeyPatch) -> None:
    meanings = meanings_of(load("arc-eager"))
    height = meanings.before.heights["β"]
    monkeypatch.setattr(Meanings, "terminal", lambda _, __: (t.equal(height, 1),))

    assert "terminal" in (first_difference(meanings, 2) or "")
