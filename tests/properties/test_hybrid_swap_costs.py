"""The costs of de Lhoneux, Stymne & Nivre 2017 with the bookkeeping of their code, which depends on the run.

For each node the gold dependents that can still be reached are kept; an attachment removes those of the dependent and
the dependent itself, a SHIFT those that it blocks, unless the word will be swapped back.
`proofs_notes/dynamic-oracles.md` tells what is found here.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.golds import Golds
from arcproof.properties.engines.losses import losses_for_class
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import ROOT
from arcproof.transitions.system import System, load

WORDS = 3
TREES = s.GraphClass((), "trees")
Reachable = tuple[frozenset[int], ...]
Costs = dict[Transition, int]


@cache
def system() -> System:
    return load("hybrid-swap")


@dataclass(frozen=True)
class Published:
    """The costs on the way to one gold tree."""

    gold: Gold

    @cached_property
    def order(self) -> list[int]:
        """The projective order, with the root last."""
        return [len(self.gold.order) if node == ROOT else place for node, place in enumerate(self.gold.order)]

    def head(self, word: int) -> int:
        head = self.gold.heads[word - 1]
        assert head is not None
        return head

    @property
    def first(self) -> Reachable:
        return tuple(map(frozenset, self.gold.dependents))

    def will_be_swapped(self, buffer: tuple[int, ...]) -> bool:
        return any(other > buffer[0] and self.order[other] < self.order[buffer[0]] for other in buffer[1:])

    def blocked(self, stack: tuple[int, ...], word: int, reachable: Reachable) -> set[tuple[int, int]]:
        """The gold arcs that are lost when a word is pushed."""
        lost = {(word, child) for child in reachable[word] & set(stack)}
        head = self.head(word)
        return lost | ({(head, word)} if head in stack[:-1] and word in reachable[head] else set())

    def costs(self, c: Configuration, reachable: Reachable) -> Costs:
        stack, buffer = c.values
        assert isinstance(stack, tuple)
        assert isinstance(buffer, tuple)
        permissible = system().permissible(c)
        swap = next((one for one in permissible if one.name == "SWAP"), None)
        if swap is not None and self.order[stack[-1]] > self.order[buffer[0]]:
            return {one: int(one is not swap) for one in permissible}
        return {one: self._cost(one.name, stack, buffer, reachable) for one in permissible}

    def _cost(self, name: str, stack: tuple[int, ...], buffer: tuple[int, ...], reachable: Reachable) -> int:
        if name == "SWAP":
            return 1
        if name == "SHIFT":
            return 0 if self.will_be_swapped(buffer) else len(self.blocked(stack, buffer[0], reachable))
        word, new = stack[-1], buffer[0] if name == "LEFT-ARC" else stack[-2]
        return len(reachable[word]) + (self.head(word) != new and word in reachable[self.head(word)])

    def after(self, c: Configuration, name: str, reachable: Reachable) -> Reachable:
        stack, buffer = c.values
        assert isinstance(stack, tuple)
        assert isinstance(buffer, tuple)
        lost: set[tuple[int, int]] = set()
        if name in ("LEFT-ARC", "RIGHT-ARC"):
            word = stack[-1]
            lost = {(word, child) for child in reachable[word]} | {(self.head(word), word)}
        elif name == "SHIFT" and not self.will_be_swapped(buffer):
            lost = self.blocked(stack, buffer[0], reachable)
        return tuple(
            frozenset(child for child in some if (node, child) not in lost) for node, some in enumerate(reachable)
        )

    def runs(self, follows: Callable[[int], bool]) -> Iterator[tuple[Configuration, Costs]]:
        """Every configuration with what was kept on some run of transitions whose costs are followed."""
        todo = [(system().start(WORDS), self.first)]
        seen = set(todo)
        while todo:
            c, reachable = todo.pop()
            costs = {} if system().is_terminal(c) else self.costs(c, reachable)
            yield c, costs
            for transition, cost in costs.items():
                state = system().apply(c, transition), self.after(c, transition.name, reachable)
                if follows(cost) and state not in seen:
                    seen.add(state)
                    todo.append(state)


@cache
def golds() -> list[Gold]:
    return [gold for found in losses_for_class(explore(system(), WORDS), TREES) for gold in Golds(found.heads).golds]


def is_free(cost: int) -> bool:
    return cost == 0


def test_the_costs_are_not_a_function_of_the_configuration() -> None:
    said: dict[tuple[Configuration, Gold], set[tuple[tuple[Transition, int], ...]]] = defaultdict(set)
    for gold in golds():
        for c, costs in Published(gold).runs(lambda _: True):
            said[c, gold].add(tuple(costs.items()))
    different = {(str(c), gold.heads): some for (c, gold), some in said.items() if len(some) > 1}

    assert len(different) == 46
    assert {
        tuple((transition.name, cost) for transition, cost in one)
        for one in different["([3, 2], [1, 0], {})", (0, 1, 0)]
    } == {
        (("LEFT-ARC", 0), ("RIGHT-ARC", 0), ("SHIFT", 0)),
        (("LEFT-ARC", 0), ("RIGHT-ARC", 1), ("SHIFT", 1)),
    }


def test_free_transitions_lead_to_the_gold_tree() -> None:
    for gold in golds():
        for c, costs in Published(gold).runs(is_free):
            if system().is_terminal(c):
                assert c.graph.heads == gold.heads
            else:
                assert 0 in costs.values()


def test_off_these_runs_they_are_neither_safe_nor_never_stuck() -> None:
    steps, unsafe, stuck = 0, 0, 0
    space = explore(system(), WORDS)
    number = {c: place for place, c in enumerate(space.configurations)}
    for found in losses_for_class(space, TREES):
        for place, gold in enumerate(Golds(found.heads).golds):
            losses = found.table[:, place]
            for c, costs in Published(gold).runs(lambda _: True):
                steps += len(costs)
                stuck += bool(costs) and 0 not in costs.values()
                free = [system().apply(c, transition) for transition, cost in costs.items() if cost == 0]
                unsafe += sum(bool(losses[number[after]] > losses[number[c]]) for after in free)

    assert (steps, unsafe, stuck) == (2681, 70, 25)
