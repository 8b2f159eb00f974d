"""Heaviest paths and cycles that gain, in random graphs, against walks that are lengthened edge by edge."""

from types import SimpleNamespace

import numpy as np
from arcproof.properties.engines.exploration import Edge, StateSpace
from arcproof.transitions.configuration import Transition
from arcproof.transitions.machine.packed.paths import LARGEST_SUM, Edges
from arcproof.transitions.system import load
from hypothesis import example, given
from hypothesis import strategies as st

Arrow = tuple[int, int, int]  # from, name, to

SIZE = 6
ARROWS = st.lists(
    st.tuples(st.integers(0, SIZE - 1), st.integers(0, 2), st.integers(0, SIZE - 1)), max_size=14, unique=True
)
WEIGHTS = st.lists(st.integers(-2, 2), min_size=3, max_size=3)


def edges_of(arrows: list[Arrow]) -> Edges:
    ordered = sorted(arrows)
    starts = np.searchsorted([source for source, _, _ in ordered], range(SIZE + 1)).astype(np.int64)
    targets = np.array([target for _, _, target in ordered], dtype=np.int32)
    return Edges(starts, targets, np.array([name for _, name, _ in ordered], dtype=np.uint8))


def walks(arrows: list[Arrow], weights: list[int], longest: int) -> dict[int, int]:
    """By definition: the greatest weight of a walk from 0 with at most so many edges."""
    best = {0: 0}
    for _ in range(longest):
        best = max_of(best, [(target, best[a] + weights[name]) for a, name, target in arrows if a in best])
    return best


def max_of(best: dict[int, int], found: list[tuple[int, int]]) -> dict[int, int]:
    merged = dict(best)
    for number, weight in found:
        merged[number] = max(weight, merged.get(number, weight))
    return merged


NEARLY = LARGEST_SUM // (2 * SIZE) - 1
SCALES = st.sampled_from([1, NEARLY, LARGEST_SUM])


def space_of(arrows: list[Arrow]) -> StateSpace:
    """The same graph as the reference has it, every configuration terminal."""
    edges: list[list[Edge]] = [[] for _ in range(SIZE)]
    for source, name, target in sorted(arrows):
        edges[source].append(Edge(source, target, SimpleNamespace(transition=Transition(str(name)))))  # type: ignore[arg-type]
    return StateSpace(load("arc-eager"), 1, False, [None] * SIZE, [True] * SIZE, edges)  # type: ignore[list-item]


@given(ARROWS, WEIGHTS, SCALES)
@example([(k, n, k) for k in range(5) for n in range(3)] + [(k, 2, k + 1) for k in range(5)], [2, 2, 2], NEARLY)
def test_the_reference_finds_the_same(arrows: list[Arrow], weights: list[int], scale: int) -> None:
    """Step by step, also where transitions that change nothing make one configuration heavier several times in a round."""
    weighed = [scale * weight for weight in weights]
    edges, space = edges_of(arrows), space_of(arrows)
    inside = np.ones(SIZE, dtype=np.bool_)
    best, edge_to, loop = edges.heaviest(inside, edges.order(inside), weighed)
    known, around = space._weighed(lambda name: weighed[int(name)])

    def shown(edge: int) -> Arrow | None:
        return None if edge < 0 else (edges.source(edge), int(edges.names[edge]), int(edges.targets[edge]))

    def arrow(edge: Edge | None) -> Arrow | None:
        return None if edge is None else (edge.source, int(edge.transition.name), edge.target)

    assert [shown(edge) for edge in loop] == [arrow(edge) for edge in around]
    assert {k: (best[k], shown(edge_to[k])) for k in range(SIZE) if edge_to[k] != -2} == {
        k: (weight, arrow(edge)) for k, (weight, edge) in known.items()
    }


@given(ARROWS, WEIGHTS, SCALES)
def test_a_heaviest_path_or_a_cycle_that_gains(arrows: list[Arrow], weights: list[int], scale: int) -> None:
    """With large weights too, for which a machine word is too small."""
    weighed = [scale * weight for weight in weights]
    edges, inside = edges_of(arrows), np.ones(SIZE, dtype=np.bool_)
    short, longer = (walks(arrows, weighed, most) for most in (SIZE - 1, 2 * SIZE))
    best, edge_to, loop = edges.heaviest(inside, None, weighed)

    assert bool(loop) == (short != longer)
    if loop:
        assert sum(weighed[edges.names[edge]] for edge in loop) > 0
        assert [edges.source(edge) for edge in (*loop[1:], loop[0])] == [edges.targets[edge] for edge in loop]
        assert edges.source(loop[0]) in short
    else:
        assert {number: best[number] for number in range(SIZE) if edge_to[number] != -2} == short


@given(ARROWS, WEIGHTS)
def test_where_every_edge_leads_forward_one_round_is_enough(arrows: list[Arrow], weights: list[int]) -> None:
    edges, inside = edges_of(arrows), np.ones(SIZE, dtype=np.bool_)
    order = edges.order(inside)
    if order is not None:
        best, edge_to, loop = edges.heaviest(inside, order, weights)
        again, edge_again, _ = edges.heaviest(inside, None, weights)
        assert loop == []
        assert best.tolist() == again.tolist()
        assert (edge_to == -2).tolist() == (edge_again == -2).tolist()
