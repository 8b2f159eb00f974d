"""The figures of the systems that are to come, so that we know the language suffices for them.

Each is read, printed and run: every configuration that can be reached with up to 3 words.  The numbers are those of
the catalogue of systems (`systems.md`) and of the counts of its graph classes.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from arcproof.generators.classes import contains
from arcproof.generators.enumeration import all_graphs
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.graph import Heads, graph_of
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.reading.read import read_figure
from arcproof.transitions.system import Choose, System, load

HERE = Path(__file__).parent
FIGURES = sorted(path.stem for path in HERE.glob("*.tsys"))
MOST_WORDS = 3


def system(reference: str) -> System:
    """A figure of this folder, or a system on board."""
    name = reference.split("[")[0]
    return load(str(HERE / reference.replace(name, f"{name}.tsys", 1)) if name in FIGURES else reference)


@dataclass(frozen=True)
class Explored:
    """Everything that can be reached with so many words."""

    configurations: frozenset[Configuration]
    outputs: frozenset[Heads]
    lengths: frozenset[tuple[int, int]]
    dead_ends: int


@cache
def explore(reference: str, words: int) -> Explored:
    """Breadth first; `lengths` are the pairs of length and number of SWAPs of the runs to terminal configurations."""
    figure = system(reference)
    start = figure.start(words)
    ways: dict[Configuration, set[tuple[int, int]]] = {start: {(0, 0)}}
    todo = [(start, 0, 0)]
    outputs: set[Heads] = set()
    lengths: set[tuple[int, int]] = set()
    dead_ends: set[Configuration] = set()
    while todo:
        c, length, swaps = todo.pop()
        if figure.is_terminal(c):
            outputs.add(c.graph.heads)
            lengths.add((length, swaps))
            continue
        permissible = figure.permissible(c)
        if not permissible:
            dead_ends.add(c)
        for transition in permissible:
            after = figure.apply(c, transition)
            way = (length + 1, swaps + (transition.name == "SWAP"))
            if way not in ways.setdefault(after, set()):
                ways[after].add(way)
                todo.append((after, *way))
    return Explored(frozenset(ways), frozenset(outputs), frozenset(lengths), len(dead_ends))


def classes(figure: s.Figure, kind: type[s.Sound] | type[s.CompleteFor]) -> list[s.GraphClass]:
    """The classes that a figure claims to be sound or complete for."""
    return [
        claim.statement.graphs for claim in figure.claims if isinstance(claim.statement, kind) and claim.kind == "plain"
    ]


def with_root(figure: System, heads: Heads) -> Heads:
    """In a system without node 0 the words without head hang on 0."""
    return figure.rooted(heads)


def in_turn(*names: str) -> Choose:
    """A `choose` that takes these transitions one after the other."""
    remaining = iter(names)
    return lambda _: Transition(next(remaining))


def test_all_the_later_systems_are_here() -> None:
    assert FIGURES == [
        "attardi-extract", "attardi-original", "choi-mccallum", "easy-first", "hybrid-swap", "link2", "mh",
        "nivre-2008b", "nonmonotonic-2013", "nonmonotonic-2015", "planar", "pointer", "spacy", "tree-constrained",
        "two-planar",
    ]  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_it_is_read_and_printed_and_read(name: str) -> None:
    figure = system(name).figure

    assert figure.name == name
    assert figure.cite
    assert figure == read_figure(to_source(figure))
    assert to_source(figure) == to_source(read_figure(to_source(figure)))


@pytest.mark.parametrize("name", FIGURES)
def test_every_output_is_in_the_classes_it_claims(name: str) -> None:
    figure = system(name)
    claimed = classes(figure.figure, s.Sound)

    assert claimed
    for words in range(MOST_WORDS + 1):
        outputs = {with_root(figure, heads) for heads in explore(name, words).outputs}
        assert outputs
        assert all(contains(graphs, heads) for graphs in claimed for heads in outputs)


@pytest.mark.parametrize("name", FIGURES)
def test_every_graph_of_the_classes_it_claims_is_an_output(name: str) -> None:
    for graphs in classes(system(name).figure, s.CompleteFor):
        for words in range(MOST_WORDS + 1):
            assert set(all_graphs(graphs, words)) <= explore(name, words).outputs


@pytest.mark.parametrize(
    "name", [name for name in FIGURES if "oracle none" not in (HERE / f"{name}.tsys").read_text("utf-8")]
)
def test_its_oracle_derives_every_graph_of_the_classes_it_claims(name: str) -> None:
    figure = system(name)
    claimed = classes(figure.figure, s.CompleteFor)

    assert claimed
    for graphs in claimed:
        for words in range(5):
            for heads in all_graphs(graphs, words):
                gold = graph_of(heads, [f"l{word}" for word in range(words)])
                assert gold == figure.derive(gold).graph


OUTPUTS = {
    "attardi-extract": (1, 2, 8, 50),
    "attardi-original": (1, 2, 8, 49),
    "choi-mccallum": (1, 2, 8, 50),
    "easy-first": (1, 1, 3, 12),
    "hybrid-swap": (1, 1, 3, 16),
    "link2": (1, 1, 3, 16),
    "mh[k=3]": (1, 1, 3, 12),
    "mh": (1, 1, 3, 16),
    "nivre-2008b": (1, 2, 8, 50),
    "nonmonotonic-2013": (1, 1, 3, 12),
    "nonmonotonic-2015": (1, 1, 3, 12),
    "planar": (1, 2, 8, 44),
    "pointer": (1, 1, 2, 9),
    "spacy": (1, 1, 3, 12),
    "tree-constrained": (1, 1, 3, 12),
    "two-planar": (1, 2, 8, 50),
}


@pytest.mark.parametrize("reference", OUTPUTS)
def test_it_has_so_many_outputs_with_0_to_3_words(reference: str) -> None:
    assert OUTPUTS[reference] == tuple(len(explore(reference, words).outputs) for words in range(MOST_WORDS + 1))


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "nonmonotonic-2015"])
def test_it_has_no_dead_ends(name: str) -> None:
    assert all(explore(name, words).dead_ends == 0 for words in range(MOST_WORDS + 1))


def test_nonmonotonic_2015_as_reconstructed_has_dead_ends() -> None:
    """A word that is taken back when it was alone on the stack can neither be shifted again nor be attached."""
    assert tuple(explore("nonmonotonic-2015", words).dead_ends for words in range(3)) == (0, 1, 7)


@pytest.mark.parametrize("reference", ["nonmonotonic-2013", "mh", "mh[k=3]"])
def test_every_run_has_twice_as_many_transitions_as_words(reference: str) -> None:
    for words in range(MOST_WORDS + 1):
        assert {2 * words} == {length for length, _ in explore(reference, words).lengths}


def test_easy_first_has_one_action_for_each_word() -> None:
    for words in range(MOST_WORDS + 1):
        assert {words} == {length for length, _ in explore("easy-first", words).lengths}


def test_every_swap_of_hybrid_swap_costs_two_transitions() -> None:
    for words in range(MOST_WORDS + 1):
        runs = explore("hybrid-swap", words).lengths

        assert all(length == 2 * words + 2 * swaps for length, swaps in runs)
        assert words * (words - 1) // 2 == max(swaps for _, swaps in runs)


def test_mh_with_k_3_is_arc_hybrid() -> None:
    for words in range(MOST_WORDS + 1):
        assert explore("arc-hybrid", words).outputs == explore("mh[k=3]", words).outputs
        assert explore("arc-hybrid", words).configurations == explore("mh[k=3]", words).configurations


def test_mh_with_k_4_has_the_seven_transitions_of_the_catalogue() -> None:
    figure = system("mh")
    start = figure.start(4)
    c = Configuration(4, start.names, ((0, 1, 2, 3), (4,)))
    built = {
        (arc.head, arc.dependent): after["σ"]
        for transition in figure.permissible(c)
        for after in [figure.apply(c, transition)]
        for arc in after.arcs
    }

    assert built == {
        (4, 3): (0, 1, 2),
        (2, 3): (0, 1, 2),
        (1, 3): (0, 1, 2),
        (4, 2): (0, 1, 3),
        (3, 2): (0, 1, 3),
        (1, 2): (0, 1, 3),
    }
    assert [t.name for t in figure.permissible(c) if not figure.apply(c, t).arcs] == ["SHIFT"]


def test_right_arc2_of_link2_returns_the_node_between_to_the_buffer() -> None:
    figure = system("link2")
    start = figure.start(3)
    c = Configuration(3, start.names, ((0, 1, 2, 3), ()))
    after = figure.apply(c, next(t for t in figure.permissible(c) if t.name == "RIGHT-ARC2"))

    assert (after["σ"], after["β"], after.graph.heads) == ((0, 1), (2,), (None, None, 1))


def test_two_planar_never_switches_twice_in_a_row() -> None:
    figure = system("two-planar")
    c = figure.apply(figure.start(2), next(t for t in figure.permissible(figure.start(2)) if t.name == "SWITCH"))

    assert c["f"] is True
    assert "SWITCH" not in {t.name for t in figure.permissible(c)}


def test_two_planar_shifts_onto_both_stacks() -> None:
    figure = system("two-planar")
    shift = next(t for t in figure.permissible(figure.start(2)) if t.name == "SHIFT")
    c = figure.apply(figure.start(2), shift)

    assert (c["σ0"], c["σ1"], c["β"]) == ((0, 1), (0, 1), (2,))


def test_attardi_original_misses_one_forest_of_three_words() -> None:
    """To build 1 -> 3 over word 2, LEFT2 must return 2 to the buffer; then 1 is no dependent any more."""
    missing = set(all_graphs(s.GraphClass((), "forests"), 3)) - explore("attardi-original", 3).outputs

    assert {(0, None, 1)} == missing


def test_left_arc_of_nonmonotonic_2013_overwrites_a_head() -> None:
    figure = system("nonmonotonic-2013")
    run = figure.parse(2, in_turn("SHIFT", "RIGHT-ARC", "LEFT-ARC", "LEFT-ARC"))

    assert graph_of((0, 0)) == run.graph
    assert [[(a.head, a.dependent) for a in step.added] for step in run.steps[1:]] == [[(1, 2)], [(0, 2)], [(0, 1)]]


def test_spacy_takes_a_word_without_head_back_and_never_shifts_it_again() -> None:
    figure = system("spacy")
    c = figure.start(3)
    for name in ("SHIFT", "SHIFT", "REDUCE"):
        c = figure.apply(c, next(t for t in figure.permissible(c) if t.name == name))

    assert ((1,), (2, 3), frozenset({2})) == (c["σ"], c["β"], c["U"])
    assert Counter({"REDUCE": 1, "LEFT-ARC": 1, "RIGHT-ARC": 1, "BREAK": 1}) == Counter(
        t.name for t in figure.permissible(c)
    )


def test_spacy_builds_no_arc_across_a_sentence_boundary() -> None:
    figure = system("spacy")
    c = figure.start(2)
    for name in ("BREAK", "SHIFT"):
        c = figure.apply(c, next(t for t in figure.permissible(c) if t.name == name))

    assert frozenset({2}) == c["S"]
    assert [t.name for t in figure.permissible(c)] == ["REDUCE"]
