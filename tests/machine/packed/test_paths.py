"""Heaviest paths and cycles that gain, in random graphs, against walks that are lengthened edge by edge."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arcproof.properties.engines.exploration import Edge
from arcproof.properties.engines.paths import StepGraph
from arcproof.transitions.configuration import Transition
from arcproof.transitions.machine.packed.paths import LARGEST_SUM, Edges

pytestmark = pytest.mark.compiler

Arrow = tuple[int, int, int]  # from, name, to

SIZE = 6


def reached(arrows: list[Arrow]) -> list[Arrow]:
    """Without arrows that no path from 0 takes: configurations are those that a run reaches."""
    nodes = {0}
    while more := {target for source, _, target in arrows if source in nodes} - nodes:
        nodes |= more
    return [arrow for arrow in arrows if arrow[0] in nodes]


ARROWS = st.lists(
    st.tuples(st.integers(0, SIZE - 1), st.integers(0, 2), st.integers(0, SIZE - 1)), max_size=14, unique=True
).map(reached)
WEIGHTS = st.lists(st.integers(-2, 2), min_size=3, max_size=3)


def edges_of(arrows: list[Arrow]) -> Edges:
    ordered = sorted(arrows)
    starts = np.searchsorted([source for source, _, _ in ordered], range(SIZE + 1)).astype(np.int64)
    targets = np.array([target for _, _, target in ordered], dtype=np.int32)
    return Edges(starts, targets, np.array([name for _, name, _ in ordered], dtype=np.uint8))


def walks(arrows: list[Arrow], weights: list[int], longest: int) -> dict[int, int]:
    """By definition: the greatest weight of a walk from 0 with at most this many edges."""
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


def graph_of(arrows: list[Arrow]) -> StepGraph:
    """The same graph as the reference has it."""
    edges: list[list[Edge]] = [[] for _ in range(SIZE)]
    for source, name, target in sorted(arrows):
        edges[source].append(Edge(source, target, SimpleNamespace(transition=Transition(str(name)))))  # type: ignore[arg-type]
    return StepGraph(edges)


def arrow(edge: Edge) -> Arrow:
    return edge.source, int(edge.transition.name), edge.target


def shown(edges: Edges, edge: int) -> Arrow:
    return edges.source(edge), int(edges.names[edge]), int(edges.targets[edge])


EVERYWHERE = frozenset(range(SIZE))


@settings(max_examples=500)
@given(ARROWS, WEIGHTS, SCALES)
@example([(k, n, k) for k in range(5) for n in range(3)] + [(k, 2, k + 1) for k in range(5)], [2, 2, 2], NEARLY)
def test_the_reference_weighs_the_same(arrows: list[Arrow], weights: list[int], scale: int) -> None:
    """Also where transitions that change nothing make one configuration heavier several times in a round."""
    weighed = [scale * weight for weight in weights]
    edges = edges_of(arrows)
    inside = np.ones(SIZE, dtype=np.bool_)
    best, edge_to, loop = edges.heaviest(inside, edges.order(inside), weighed)
    known = graph_of(arrows).heaviest(EVERYWHERE, lambda name: weighed[int(name)])

    if isinstance(known, list):
        assert [arrow(edge) for edge in known] == [shown(edges, edge) for edge in loop]
    else:
        assert loop == []
        assert known.weights == {k: best[k] for k in range(SIZE) if edge_to[k] != -2}
        assert {k: arrow(edge) for k, edge in known.last.items()} == {
            k: shown(edges, edge_to[k]) for k in range(SIZE) if edge_to[k] >= 0
        }


@settings(max_examples=500)
@given(ARROWS, st.frozensets(st.integers(0, SIZE - 1)))
def test_the_reference_orders_reaches_and_goes_round_the_same(arrows: list[Arrow], ends: frozenset[int]) -> None:
    edges, graph = edges_of(arrows), graph_of(arrows)
    everywhere = np.ones(SIZE, dtype=np.bool_)
    marked = np.array([number in ends for number in range(SIZE)])
    order, known = edges.order(everywhere), graph.order()

    assert (order is None) == (known is None)
    if known is not None:
        place = {number: at for at, number in enumerate(known)}
        assert all(place[source] < place[target] for source, _, target in arrows)
    assert graph.leading_to(ends) == frozenset(np.flatnonzero(edges.leading_to(marked)).tolist())
    for inside in (everywhere, marked):
        found = graph.cycle(frozenset(np.flatnonzero(inside).tolist()))
        assert [arrow(edge) for edge in found] == [shown(edges, edge) for edge in edges.cycle(inside)]


@settings(max_examples=500)
@given(ARROWS, WEIGHTS)
def test_the_reference_gives_what_is_heaviest_shortest_and_first(arrows: list[Arrow], weights: list[int]) -> None:
    """By the definition: all paths without repetition, compared one by one."""
    found = graph_of(arrows).heaviest(EVERYWHERE, lambda name: weights[int(name)])
    if isinstance(found, list):
        assert sum(weights[int(edge.transition.name)] for edge in found) > 0
        assert [edge.source for edge in (*found[1:], found[0])] == [edge.target for edge in found]
        assert found[0].source == min(edge.source for edge in found)
        highest = max(edge.source for edge in found)
        below = graph_of([a for a in arrows if max(a[0], a[2]) < highest])
        walked = below.heaviest(EVERYWHERE, lambda name: weights[int(name)])
        assert not isinstance(walked, list)
    else:
        for number, weight in found.weights.items():
            path = [arrow(edge) for edge in found.to(number)]
            every = [walk for walk in simple_paths(arrows, number) if sum(weights[a[1]] for a in walk) == weight]
            assert sum(weights[name] for _, name, _ in path) == weight
            assert len(path) == min(map(len, every))


def simple_paths(arrows: list[Arrow], to: int) -> list[list[Arrow]]:
    """All paths from 0 that visit nothing twice."""
    paths: list[list[Arrow]] = [[]]
    for path in paths:
        here, seen = (path[-1][2] if path else 0), {0, *(a[2] for a in path)}
        paths += [[*path, a] for a in arrows if a[0] == here and a[2] not in seen]
    return [path for path in paths if (path[-1][2] if path else 0) == to]


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
