"""Classes of graphs with several heads: the fast membership is the one that the definitions spell out."""

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import networkx as nx
import pytest

from arcproof.generators import definitions
from arcproof.generators.classes import contains
from arcproof.generators.enumeration import FORESTS, all_graphs
from arcproof.generators.graph_classes import (
    GRAPH_ADJECTIVES,
    GRAPH_MEASURES,
    contains_graph,
    contains_sets,
    known_graph_classes,
    most_heads,
    spans_of,
)
from arcproof.generators.graph_enumeration import graph_selection
from arcproof.transitions.graph import (
    Arc,
    Graph,
    HeadSets,
    format_arcs,
    graph_of,
    graph_with,
    head_sets,
    parse_arcs,
    sets_of_heads,
)
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.reading import vocabulary
from arcproof.transitions.syntax import GraphClass, Number, Restriction


def every_graph(words: int) -> Iterator[HeadSets]:
    """All of them, made without any of the code that is tested."""
    nodes = range(words + 1)
    choices = [
        [
            sum(1 << head for head in heads)
            for size in nodes
            for heads in combinations([h for h in nodes if h != d], size)
        ]
        for d in range(1, words + 1)
    ]
    return product(*choices)


def some_graphs(words: int, number: int) -> list[HeadSets]:
    """Sparse and dense ones."""
    random = Random(words)

    def heads(word: int, share: float) -> int:
        return sum(1 << head for head in range(words + 1) if head != word and random.random() < share)

    shares = [random.choice((0.1, 0.2, 0.4)) for _ in range(number)]
    return [tuple(heads(word, share) for word in range(1, words + 1)) for share in shares]


def agree(sets: HeadSets) -> None:
    graph = graph_with(sets)
    for name, holds in GRAPH_ADJECTIVES.items():
        assert holds(sets) == definitions.GRAPH_ADJECTIVES[name](graph), (name, format_arcs(graph))
    for name, measure in GRAPH_MEASURES.items():
        assert measure(sets) == definitions.GRAPH_MEASURES[name](graph), (name, format_arcs(graph))


@pytest.mark.parametrize("words", range(4))
def test_every_small_graph_is_in_the_classes_that_the_definitions_give(words: int) -> None:
    for sets in every_graph(words):
        agree(sets)


@pytest.mark.parametrize("words", range(4, 9))
def test_every_larger_random_graph_is_in_the_classes_that_the_definitions_give(words: int) -> None:
    for sets in some_graphs(words, 150):
        agree(sets)


def test_the_vocabulary_has_the_same_words() -> None:
    assert set(GRAPH_ADJECTIVES) == set(definitions.GRAPH_ADJECTIVES) == set(vocabulary.GRAPH_ADJECTIVES)
    assert set(GRAPH_MEASURES) == set(definitions.GRAPH_MEASURES) == set(vocabulary.GRAPH_MEASURES)


@pytest.mark.parametrize("words", range(5))
def test_forests_are_acyclic_graphs_with_single_heads(words: int) -> None:
    acyclic = GraphClass((Restriction("acyclic"), Restriction("heads", Number(1))), "graphs")
    single = product([None, *range(words + 1)], repeat=words)
    proper = [heads for heads in single if all(head != word for word, head in enumerate(heads, start=1))]

    assert {heads for heads in proper if contains(acyclic, heads)} == set(all_graphs(FORESTS, words))
    for heads in proper:
        assert contains(acyclic, heads) == contains_sets(acyclic, sets_of_heads(heads))
        assert contains_sets(FORESTS.graph_class, sets_of_heads(heads)) == contains(FORESTS.graph_class, heads)


def test_words_of_both_vocabularies_mean_the_same_of_forests() -> None:
    shared = set(vocabulary.GRAPH_ADJECTIVES) & set(vocabulary.ADJECTIVES)
    for name, heads in product(sorted(shared), all_graphs(FORESTS, 4)):
        of_forests, of_graphs = (GraphClass((Restriction(name),), base) for base in ("forests", "graphs"))  # type: ignore[arg-type]
        assert contains(of_forests, heads) == contains_graph(of_graphs, graph_of(heads))


def test_known_classes_have_every_word_and_no_two_are_equal() -> None:
    known = known_graph_classes()
    words = {restriction.name for graphs in known for restriction in graphs.restrictions}

    assert words == {*GRAPH_ADJECTIVES, *GRAPH_MEASURES}
    assert len(set(known)) == len(known) == 22
    assert class_text(known[-1]) == "acyclic graphs with heads <= 2"


# --- five words, by their supports -----------------------------------------------------------------------------------


def supports(words: int) -> Iterator[list[tuple[int, int]]]:
    """The sets of pairs of nodes that share an arc."""
    pairs = list(combinations(range(words + 1), 2))
    for bits in range(1 << len(pairs)):
        yield [pair for place, pair in enumerate(pairs) if bits >> place & 1]


def weight(support: list[tuple[int, int]]) -> int:
    """How many graphs have this support: an arc from 0 has one direction, any other two or both at once."""
    return int(3 ** sum(left > 0 for left, _ in support))


def crossings(support: list[tuple[int, int]], first: int) -> nx.Graph:  # type: ignore[type-arg]
    found = nx.Graph()
    arcs = [Arc(left, None, right) for left, right in support if left >= first]
    found.add_nodes_from(arcs)
    found.add_edges_from((one, other) for one, other in combinations(arcs, 2) if definitions.cross(one, other))
    return found


def brute_force(words: int) -> dict[str, int]:
    """The sizes of the classes that do not depend on directions, by networkx."""
    sizes = dict.fromkeys(("planar", "planar-words", "2-planar", "2-planar-words", "connected", "graphs"), 0)
    for support in supports(words):
        graph = nx.Graph(support)
        graph.add_nodes_from(range(words + 1))
        by_root, by_words = crossings(support, 0), crossings(support, 1)
        holds = {
            "planar": not by_root.number_of_edges(),
            "planar-words": not by_words.number_of_edges(),
            "2-planar": nx.is_bipartite(by_root),
            "2-planar-words": nx.is_bipartite(by_words),
            "connected": nx.is_connected(graph),
            "graphs": True,
        }
        for name in sizes:
            sizes[name] += weight(support) * holds[name]
    return sizes


def by_spans(words: int) -> dict[str, int]:
    """The same by the fast functions, of one graph for each support."""
    sizes = dict.fromkeys(("planar", "planar-words", "2-planar", "2-planar-words", "connected"), 0)
    for support in supports(words):
        sets = tuple(sum(1 << left for left, right in support if right == word) for word in range(1, words + 1))
        for name in sizes:
            sizes[name] += weight(support) * GRAPH_ADJECTIVES[name](sets)
    return sizes | {"graphs": 2 ** (words * words)}


@pytest.mark.parametrize("words", range(5))
def test_sizes_are_those_of_networkx(words: int) -> None:
    found = brute_force(words)

    assert by_spans(words) == found
    for name in ("planar", "planar-words"):
        known = GraphClass((Restriction(name),), "graphs")
        assert graph_selection(known, words).enumeration.count(words) == found[name]


def test_directions_do_not_count_where_crossings_and_components_do() -> None:
    random = Random(1)
    for sets in some_graphs(6, 100):
        pairs = spans_of(sets, root_arcs=True)
        turned = [0] * 6
        for left, right in pairs:
            way = random.choice((1, 2, 3)) if left else 1
            turned[right - 1] |= (way & 1) << left
            if way & 2:
                turned[left - 1] |= 1 << right
        assert spans_of(tuple(turned), root_arcs=True) == pairs
        for name in set(GRAPH_ADJECTIVES) - {"acyclic"}:
            assert GRAPH_ADJECTIVES[name](tuple(turned)) == GRAPH_ADJECTIVES[name](sets)


# --- values and text -------------------------------------------------------------------------------------------------


def test_head_sets_and_arcs_are_two_forms_of_a_graph() -> None:
    for sets in (*every_graph(3), *some_graphs(9, 50)):
        graph = graph_with(sets)
        assert head_sets(graph) == sets
        assert parse_arcs(format_arcs(graph), graph.words) == graph
        assert most_heads(sets) == max(heads.bit_count() for heads in sets)


def test_arcs_are_read_with_labels_and_commas() -> None:
    assert parse_arcs("1>2:nsubj, 3>2:conj>x") == Graph(3, frozenset({Arc(1, "nsubj", 2), Arc(3, "conj>x", 2)}))
    assert parse_arcs("") == Graph(0, frozenset())
    assert parse_arcs("", 2) == Graph(2, frozenset())
    assert parse_arcs("0>1", 3).words == 3
