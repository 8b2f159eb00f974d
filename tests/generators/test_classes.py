"""Every class of graphs twice: fast against definition, and both against the counts of the literature."""

from collections.abc import Callable
from functools import cache
from itertools import product
from math import comb
from random import Random

import pytest

from arcproof.generators import classes, definitions
from arcproof.generators.classes import contains, crossing_arcs, known_classes, nonprojective_arcs
from arcproof.generators.enumeration import FORESTS, TREES, all_graphs
from arcproof.transitions.graph import Arc, Graph, Heads, graph_of, parse_heads
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.reading import vocabulary
from arcproof.transitions.syntax import GraphClass, Infinity, Number, Restriction

CZECH = parse_heads("5,1,0,5,3,3,6,0")
ENGLISH = parse_heads("2,3,0,3,2,7,5,4,3")

FAST: dict[str, Callable[[Heads], int]] = {**classes.BASES, **classes.ADJECTIVES, **classes.MEASURES}
DEFINED: dict[str, Callable[[Graph], int]] = {**definitions.BASES, **definitions.ADJECTIVES, **definitions.MEASURES}


def restricted(base: str, *restrictions: str | tuple[str, int]) -> GraphClass:
    made = [Restriction(r) if isinstance(r, str) else Restriction(r[0], Number(r[1])) for r in restrictions]
    return GraphClass(tuple(made), "forests" if base == "forests" else "trees")


@cache
def forests(words: int) -> tuple[tuple[Heads, Graph], ...]:
    return tuple((heads, graph_of(heads)) for heads in FORESTS.graphs(words))


# --- fast and definition agree ---------------------------------------------------------------------------------------


def test_every_word_of_the_vocabulary_has_a_meaning_twice() -> None:
    assert list(vocabulary.ADJECTIVES) == list(classes.ADJECTIVES) == list(definitions.ADJECTIVES)
    assert list(vocabulary.MEASURES) == list(classes.MEASURES) == list(definitions.MEASURES)
    assert list(vocabulary.BASES) == list(classes.BASES) == list(definitions.BASES)


@pytest.mark.parametrize("words", [0, 1, 2, 3, 4, pytest.param(5, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", FAST)
def test_fast_is_as_defined_on_every_forest(name: str, words: int) -> None:
    for heads, graph in forests(words):
        assert DEFINED[name](graph) == FAST[name](heads), heads


@pytest.mark.nightly
@pytest.mark.parametrize("name", FAST)
def test_fast_is_as_defined_on_every_forest_of_six_words(name: str) -> None:
    for heads in FORESTS.graphs(6):
        assert DEFINED[name](graph_of(heads)) == FAST[name](heads), heads


@pytest.mark.parametrize("enumeration", [TREES, FORESTS], ids=["trees", "forests"])
@pytest.mark.parametrize("name", FAST)
def test_fast_is_as_defined_on_longer_random_graphs(name: str, enumeration: object) -> None:
    random = Random(20080101)
    for words in range(6, 13):
        for _ in range(5):
            every = TREES if enumeration is TREES else FORESTS
            heads = every.unrank(words, random.randrange(every.count(words)))
            assert DEFINED[name](graph_of(heads)) == FAST[name](heads), heads


@pytest.mark.long
@pytest.mark.parametrize(("words", "tops"), [(12, 4), (12, 6), (14, 7)])
def test_joining_is_as_defined_where_several_parts_have_gaps(words: int, tops: int) -> None:
    """Random trees seldom have nodes with several gapped dependents; here all words hang on 0 or on a dependent of
    0.
    """
    random = Random(2009)
    for _ in range(60):
        chosen = random.sample(range(1, words + 1), tops)
        heads = tuple(0 if word in chosen else random.choice(chosen) for word in range(1, words + 1))
        assert definitions.mild_gap_degree(graph_of(heads)) == classes.mild_gap_degree(heads), heads


def test_pairs_of_words_are_joined_as_defined() -> None:
    """Five random pairs of words: of gap degree 1 at most, but about one in forty needs two gaps to be joined."""
    random = Random(2011)
    found = set()
    for _ in range(300):
        words = random.sample(range(1, 11), 10)
        head_of = dict(zip(words[::2], words[1::2], strict=True))
        heads = tuple(head_of.get(word, 0) for word in range(1, 11))
        defined = definitions.mild_gap_degree(graph_of(heads))
        found.add(defined)
        assert defined == classes.mild_gap_degree(heads), heads
    assert {1, 2} <= found


def test_joining_the_nearest_parts_first_is_not_always_best() -> None:
    heads = parse_heads("4,12,0,0,11,0,3,6,12,6,0,0,11")

    assert classes.mild_gap_degree(heads) == definitions.mild_gap_degree(graph_of(heads)) == 2


def test_five_gapped_subtrees_can_need_two_gaps_to_be_joined_though_each_has_one() -> None:
    """Up to eight words the two measures agree at degree 1, so the exhaustive tests do not tell them apart there."""
    heads = parse_heads("0,0,0,1,0,2,0,3,5,7")

    assert classes.gap_degree(heads) == 1
    assert 2 == classes.mild_gap_degree(heads) == definitions.mild_gap_degree(graph_of(heads))


@pytest.mark.parametrize("name", classes.BASES)
@pytest.mark.parametrize("words", range(5))
def test_bases_are_as_defined_on_graphs_with_cycles_too(name: str, words: int) -> None:
    for heads in product((None, *range(words + 1)), repeat=words):
        arcs = (Arc(head, None, word) for word, head in enumerate(heads, start=1) if head is not None)
        graph = Graph(words, frozenset(arcs))
        assert definitions.BASES[name](graph) == classes.BASES[name](heads), heads


# --- counts ----------------------------------------------------------------------------------------------------------

MULTI_ROOT: dict[tuple[str | tuple[str, int], ...], list[int]] = {
    (): [1, 3, 16, 125, 1296],
    ("projective",): [1, 3, 12, 55, 273],
    ("planar",): [1, 3, 12, 55, 273],
    ("non-projective",): [0, 0, 4, 70, 1023],
    ("planar-words",): [1, 3, 16, 105, 756],
    ("well-nested",): [1, 3, 16, 121, 1166],
    ("ill-nested",): [0, 0, 0, 4, 130],
    (("gap-degree", 0),): [1, 3, 12, 55, 273],
    (("gap-degree", 1),): [1, 3, 16, 125, 1215],
    (("gap-degree", 2),): [1, 3, 16, 125, 1296],
    ("well-nested", ("gap-degree", 1)): [1, 3, 16, 121, 1103],
    (("mild-gap-degree", 0),): [1, 3, 12, 55, 273],
    (("mild-gap-degree", 1),): [1, 3, 16, 125, 1215],
    (("edge-degree-2006", 0),): [1, 3, 12, 55, 273],
    (("edge-degree-2006", 1),): [1, 3, 16, 119, 1079],
    (("edge-degree-2006", 2),): [1, 3, 16, 125, 1288],
    (("edge-degree-2007", 0),): [1, 3, 12, 55, 273],
    (("edge-degree-2007", 1),): [1, 3, 16, 117, 1007],
    (("edge-degree-2007", 2),): [1, 3, 16, 125, 1286],
    (("edge-degree-2007", 3),): [1, 3, 16, 125, 1296],
    ("1-endpoint-crossing",): [1, 3, 16, 125, 1104],
    ("1-endpoint-crossing-words",): [1, 3, 16, 125, 1296],
    ("2-planar",): [1, 3, 16, 125, 1242],
    ("2-planar-words",): [1, 3, 16, 125, 1296],
}
SINGLE_ROOT: dict[tuple[str | tuple[str, int], ...], list[int]] = {
    (): [1, 2, 9, 64, 625],
    ("projective",): [1, 2, 7, 30, 143],
    ("planar-words",): [1, 2, 9, 48, 275],
    ("well-nested",): [1, 2, 9, 64, 605],
    ("ill-nested",): [0, 0, 0, 0, 20],
    (("gap-degree", 1),): [1, 2, 9, 64, 589],
    (("gap-degree", 2),): [1, 2, 9, 64, 625],
    ("well-nested", ("gap-degree", 1)): [1, 2, 9, 64, 569],
    (("mild-gap-degree", 1),): [1, 2, 9, 64, 589],
    (("edge-degree-2006", 1),): [1, 2, 9, 64, 590],
    (("edge-degree-2006", 2),): [1, 2, 9, 64, 625],
    (("edge-degree-2007", 1),): [1, 2, 9, 63, 546],
    (("edge-degree-2007", 2),): [1, 2, 9, 64, 624],
    (("edge-degree-2007", 3),): [1, 2, 9, 64, 625],
    ("1-endpoint-crossing",): [1, 2, 9, 64, 545],
    ("1-endpoint-crossing-words",): [1, 2, 9, 64, 625],
    ("2-planar",): [1, 2, 9, 64, 603],
    ("2-planar-words",): [1, 2, 9, 64, 625],
}
OF_FORESTS: dict[tuple[str | tuple[str, int], ...], list[int]] = {
    (): [2, 8, 50, 432, 4802],
    ("projective",): [2, 7, 30, 143, 728],
    (("gap-degree", 0),): [2, 7, 30, 143, 728],
    (("mild-gap-degree", 0),): [2, 7, 30, 143, 728],
    (("edge-degree-2006", 0),): [2, 7, 30, 143, 728],
    (("edge-degree-2007", 0),): [2, 7, 30, 143, 728],
    ("planar",): [2, 8, 44, 282, 1972],
    ("2-planar",): [2, 8, 50, 432, 4712],
}
COUNTED = [
    *((restricted("trees", *restrictions), counts) for restrictions, counts in MULTI_ROOT.items()),
    *((restricted("trees", "single-root", *restrictions), counts) for restrictions, counts in SINGLE_ROOT.items()),
    *((restricted("forests", *restrictions), counts) for restrictions, counts in OF_FORESTS.items()),
]


@pytest.mark.long
@pytest.mark.parametrize(("graph_class", "counts"), COUNTED, ids=[class_text(counted) for counted, _ in COUNTED])
def test_counts_of_one_to_five_words(graph_class: GraphClass, counts: list[int]) -> None:
    everything = FORESTS if graph_class.base == "forests" else TREES

    assert counts == [sum(contains(graph_class, h) for h in everything.graphs(words)) for words in range(1, 6)]


@pytest.mark.parametrize("words", range(1, 6))
@pytest.mark.parametrize(
    ("restrictions", "formula"),
    [
        ([], lambda n: n ** (n - 1)),
        (["projective"], lambda n: comb(3 * n - 2, n - 1) // n),
        (["planar-words"], lambda n: n * comb(3 * n - 3, n - 1) // (2 * n - 1)),
    ],
    ids=["all", "projective", "planar-words"],
)
def test_closed_formulas_for_single_root_trees(
    restrictions: list[str], formula: Callable[[int], int], words: int
) -> None:
    graph_class = restricted("trees", "single-root", *restrictions)

    assert formula(words) == sum(1 for _ in all_graphs(graph_class, words))


@pytest.mark.parametrize("words", range(6))
def test_classes_lie_within_one_another_as_the_literature_says(words: int) -> None:
    for heads, _ in forests(words):
        if classes.is_projective(heads):
            assert classes.ADJECTIVES["planar"](heads)
            assert classes.is_well_nested(heads)
        if classes.ADJECTIVES["planar"](heads):
            assert classes.ADJECTIVES["planar-words"](heads)
            assert classes.ADJECTIVES["1-endpoint-crossing"](heads)
        if classes.ADJECTIVES["1-endpoint-crossing"](heads):
            assert classes.ADJECTIVES["2-planar"](heads)
        assert classes.gap_degree(heads) <= classes.mild_gap_degree(heads)
        assert classes.edge_degree_2006(heads) <= classes.edge_degree_2007(heads)


# --- single graphs ---------------------------------------------------------------------------------------------------


def test_the_empty_sentence_has_one_graph_and_no_degree() -> None:
    assert classes.is_tree(())
    assert classes.is_projective(())
    assert not classes.is_single_root(())
    assert [measure(()) for measure in classes.MEASURES.values()] == [0, 0, 0, 0]


def test_the_czech_example_has_one_nonprojective_arc_of_degree_one() -> None:
    assert (Arc(5, None, 1),) == nonprojective_arcs(CZECH)
    assert 1 == classes.edge_degree_2007(CZECH) == classes.edge_degree_2006(CZECH)
    assert definitions.degree_2007(graph_of(CZECH), Arc(5, None, 1)) == 1


def test_the_hearing_example_is_ill_nested_of_gap_degree_one() -> None:
    """`a hearing … on the issue` and `scheduled … today` interleave."""
    assert not classes.is_projective(ENGLISH)
    assert classes.is_ill_nested(ENGLISH)
    assert classes.gap_degree(ENGLISH) == 1


def test_the_edge_degree_within_the_interval_can_be_greater_than_in_the_whole_graph() -> None:
    greater = [h for h in TREES.graphs(4) if classes.edge_degree_2006(h) < classes.edge_degree_2007(h)]

    assert greater == [(4, 4, 0, 0), (4, 4, 0, 3)]


def test_a_covered_headless_word_makes_the_arcs_over_it_nonprojective_without_a_crossing() -> None:
    assert crossing_arcs((3, None, 0)) == ()
    assert (Arc(3, None, 1), Arc(0, None, 3)) == nonprojective_arcs((3, None, 0))
    assert classes.ADJECTIVES["planar"]((3, None, 0))
    assert not classes.is_projective((3, None, 0))


def test_subtrees_of_headless_words_interleave_as_others_do() -> None:
    assert classes.is_ill_nested((None, None, 1, 2))
    assert classes.is_ill_nested((None, 0, 1))


@pytest.mark.parametrize("words", range(5))
def test_an_arc_is_nonprojective_iff_its_graph_is(words: int) -> None:
    for heads, graph in forests(words):
        arcs = {arc for arc in graph.arcs if not definitions.between(arc) <= definitions.yield_of(graph, arc.head)}
        assert sorted(arcs, key=lambda arc: arc.dependent) == list(nonprojective_arcs(heads))
        assert classes.is_projective(heads) == (not arcs)


@pytest.mark.parametrize("words", range(5))
def test_crossing_arcs_are_the_pairs_that_cross(words: int) -> None:
    for heads, graph in forests(words):
        arcs = graph.sorted_arcs()
        pairs = [(a, b) for a in arcs for b in arcs if a.dependent < b.dependent and definitions.cross(a, b)]

        assert pairs == list(crossing_arcs(heads))
        assert [pair for pair in pairs if pair[0].head and pair[1].head] == list(crossing_arcs(heads, root_arcs=False))


@pytest.mark.long
def test_long_graphs_are_classified_without_recursion() -> None:
    words = 3000
    chain = tuple(range(words))
    star = (*[0] * (words - 3), words, 0, 0)
    assert classes.is_tree(chain)
    assert classes.is_projective(chain)
    assert 1 == classes.mild_gap_degree(star) == classes.gap_degree(star)


# --- what is asked wrongly -------------------------------------------------------------------------------------------


def test_no_class_contains_a_cycle() -> None:
    assert not any(contains(known, (2, 1)) for known in known_classes())


def test_an_infinite_bound_asks_nothing() -> None:
    graph_class = GraphClass((Restriction("gap-degree", Infinity()),), "trees")

    assert contains(graph_class, (5, 0, 5, 0, 0))
    assert not contains(graph_class, (5, 0, 5, 0, None))
    assert class_text(graph_class) == "trees with gap-degree <= ∞"


def test_known_classes_use_every_word_with_every_base() -> None:
    described = [class_text(known) for known in known_classes(bounds=(1,))]

    assert 2 * (1 + len(vocabulary.ADJECTIVES) + len(vocabulary.MEASURES)) == len(set(described)) == len(described)
    assert "2-planar forests" in described
    assert "trees with edge-degree-2007 <= 1" in described
