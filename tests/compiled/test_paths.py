"""Heaviest paths and cycles that gain, in random graphs, against walks that are lengthened edge by edge."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from arcproof.transitions.compiled.paths import LARGEST_SUM, Edges

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


@given(ARROWS, WEIGHTS, st.sampled_from([1, LARGEST_SUM]))
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
