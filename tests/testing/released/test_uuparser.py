"""UUParser: nothing is found; and its costs are exact if SWAP is taken where its oracle asks for it and nowhere
else.
"""

from functools import cache
from typing import Any

import pytest

from arcproof.generators.enumeration import TREES
from arcproof.properties.conformance.divergence import Kind, kind_of
from arcproof.transitions.graph import Heads

pytest.importorskip("uuparser", reason="UUParser is not installed; make audit-parsers")
pytest.importorskip("loguru", reason="UUParser needs loguru; make audit-parsers")

from arcproof.testing.drivers.uuparser import TRANSITIONS, ArcHybrid, ArcHybridParsing, Run
from tests.testing.released import held

SWAP = TRANSITIONS.index("SWAP")


@pytest.mark.parametrize("driver", [ArcHybrid, ArcHybridParsing])
def test_nothing_is_found_up_to_four_words(driver: type) -> None:
    assert held(driver, 4, 20).conforms


@pytest.mark.parametrize("words", [1, 2, 3, 4])
def test_costs_are_exact_with_the_swaps_of_the_oracle(words: int) -> None:
    assert all(situations_are_exact(gold) for gold in TREES.graphs(words))


def test_an_index_off_by_one_in_its_costs_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The head of the next word is looked for one place too deep in the stack."""
    from uuparser.arc_hybrid import ArcHybridLSTM

    as_released = ArcHybridLSTM.calculate_cost

    def slipped(self: Any, scores: Any, s0: Any, s1: Any, b: Any, beta: Any, stack_ids: list[int]) -> Any:
        costs, case = as_released(self, scores, s0, s1, b, beta, stack_ids)
        is_blocked = case == 2 and costs[SWAP] != 0 and b[0].parent_id in stack_ids[-2:-1]
        is_counted = is_blocked and b[0].id in b[0].parent_entry.rdeps
        return (*costs[:2], costs[2] - is_counted, *costs[3:]), case

    monkeypatch.setattr(ArcHybridLSTM, "calculate_cost", slipped)
    [one] = held.__wrapped__(ArcHybrid, 3).found

    assert (one.divergence.words, one.divergence.run) == (3, ("SHIFT", "SHIFT"))
    assert kind_of(one.divergence.what) == (Kind.COST, "costly called free, SHIFT")
    assert not all(situations_are_exact(gold) for gold in TREES.graphs(3))


def situations_are_exact(gold: Heads) -> bool:
    """Whether every cost is the loss after less the loss before, in all runs of training with exploration."""
    parser, compared = ArcHybrid(), 0

    def options(c: Run) -> list[str]:
        is_asked_for = parser.judged_costs(c)[SWAP] == 0
        return [t for t in parser.permissible(c) if (t == "SWAP") == is_asked_for]

    @cache
    def loss(done: tuple[str, ...]) -> int:
        c = reached(done)
        if parser.is_terminal(c):
            return sum(head != right for head, right in zip(parser.heads(c), gold, strict=True))
        return min(loss((*done, t)) for t in options(c))

    @cache
    def reached(done: tuple[str, ...]) -> Run:
        return parser.trained(reached(done[:-1]), done[-1]) if done else parser.gold_start(gold)

    todo: list[tuple[str, ...]] = [()]
    while todo:
        done = todo.pop()
        c = reached(done)
        if parser.is_terminal(c):
            continue
        for t in options(c):
            compared += 1
            if parser.judged_costs(c)[TRANSITIONS.index(t)] != loss((*done, t)) - loss(done):
                return False
            todo.append((*done, t))
    assert compared
    return True
