import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcproof.generators.graph_classes import GRAPH_ADJECTIVES
from arcproof.reports.arc_diagram import crossing_arcs, to_svg, to_text
from arcproof.reports.arc_layout import arcs_below
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import Arc, Graph, graph_of, head_sets

WORDS = ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today", "."]
LABELS = ["DET", "SBJ", "ROOT", "VG", "NMOD", "DET", "PC", "ADV", "P"]
HEARING = graph_of([2, 3, 0, 3, 2, 7, 5, 4, 3], LABELS)
"""Figure 1 of Nivre 2009."""

SVG = "{http://www.w3.org/2000/svg}"


def graph(words: int, *arcs: tuple[int, str | None, int]) -> Graph:
    return Graph(words, frozenset(Arc(*arc) for arc in arcs))


# --- text ------------------------------------------------------------------------------------------------------------


def test_arcs_stand_above_the_words_and_crossing_ones_are_dashed() -> None:
    expected = """\
                          ┌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌P╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┐
              ┌╌╌╌╌╌╌╌╌╌╌╌┼╌╌╌╌╌NMOD╌╌╌╌╌╌┐                        ╎
              ╎           ╎         ┌╌╌╌╌╌┼╌╌╌╌╌╌╌╌ADV╌╌╌╌╌╌╌╌┐    ╎
 ┌╌╌╌╌ROOT╌╌╌╌┼╌╌╌╌╌╌╌╌╌┐ ╎         ╎     ╎ ┌────PC─────┐     ╎    ╎
 ╎    ┌─DET─┐ ╎ ┌─SBJ─┐ ╎ ╎ ┌─VG──┐ ╎     ╎ │   ┌─DET─┐ │     ╎    ╎
 ╎    ▼     │ ╎ ▼     │ ▼ ╎ │     ▼ ╎     ▼ │   ▼     │ ▼     ▼    ▼
ROOT  A    hearing    ··is···  scheduled  on   the   issue  today  .
 0    1       2          3         4       5    6      7      8    9
"""

    assert expected == to_text(HEARING, WORDS)


def test_two_heads_cycles_loops_and_arcs_into_the_root_are_drawn() -> None:
    expected = """\
┌──────────────x──────────────┐
│ ┌╌╌╌╌╌╌╌╌r╌╌╌╌╌╌╌╌┐         │
│ ╎   ┌╌╌╌╌cc╌╌╌╌╌┐ ╎         │
│ ╎   ╎ ┌─a─┐     ╎ ╎ ┌─┐     │
▼ ╎   ╎ │   ▼     ▼ ▼ │ ▼     │
ROOT   1    2   ·····3······  4
       ▲   │ ╎  │          ▲  ▲
       └─b─┘ ╎  └─looplong─┘  ╎
             └╌╌╌╌verylong╌╌╌╌┘
"""
    broken = graph(
        4, (1, "a", 2), (2, "b", 1), (3, None, 3), (3, "looplong", 3), (4, "x", 0), (1, "cc", 3), (2, "verylong", 4), (0, "r", 3)
    )  # fmt: skip

    assert expected == to_text(broken)


def test_a_sentence_too_wide_is_written_downwards() -> None:
    expected = """\
    ┌────── 0 ROOT
    ╎   ┌─► 1 A          DET ← 2
  ┌─┼─┬─┴─► 2 hearing    SBJ ← 3
┌─┼─┴─┴─┬─► 3 is         ROOT ← 0
╎ ╎ ┌───┴─► 4 scheduled  VG ← 3
╎ └─┼─┬───► 5 on         NMOD ← 2
╎   ╎ │ ┌─► 6 the        DET ← 7
╎   ╎ └─┴─► 7 issue      PC ← 5
╎   └─────► 8 today      ADV ← 4
└─────────► 9 .          P ← 3
"""

    assert expected == to_text(HEARING, WORDS, width=67) == to_text(HEARING, WORDS, width=33)
    assert "┼" not in to_text(HEARING, WORDS, width=32)
    assert expected != to_text(HEARING, WORDS, width=68)


def test_a_graph_that_does_not_fit_its_words_is_refused() -> None:
    with pytest.raises(BadGraph, match="the graph has 2 words, but 1 were given"):
        to_text(graph_of([0, 1]), ["a"])
    with pytest.raises(BadGraph, match=r"the arc \(1, 5\) has an end outside the nodes 0 to 2"):
        to_svg(graph(2, (1, None, 5)))


# --- crossing --------------------------------------------------------------------------------------------------------


def test_crossing_arcs_are_those_of_figure_1_of_nivre_2009() -> None:
    """hearing → on leaves the domain of is and of scheduled."""
    crossing = {(0, "ROOT", 3), (2, "NMOD", 5), (4, "ADV", 8), (3, "P", 9)}

    assert crossing == crossing_arcs(HEARING)


# --- SVG -------------------------------------------------------------------------------------------------------------


def read_svg(source: str) -> ElementTree.Element:
    """The parsed image, checked for what must hold of every one."""
    root = ElementTree.fromstring(source)
    _, _, width, height = map(int, root.attrib["viewBox"].split())
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    attributes = {name for element in root.iter() for name in element.attrib}

    assert root.tag == f"{SVG}svg"
    assert tags <= {"svg", "title", "desc", "g", "path", "text"}
    assert not any(name.startswith("on") or "href" in name or name in ("id", "style") for name in attributes)
    assert {element.get("stroke", "currentColor") for element in root.iter()} == {"currentColor"}
    for element in root.iter(f"{SVG}text"):
        assert 0 <= int(element.attrib["x"]) <= width
        assert 0 <= int(element.attrib["y"]) <= height
    for element in root.iter(f"{SVG}path"):
        start = re.match(r"M(\d+) (\d+)", element.attrib["d"])
        assert start is not None
        assert int(start[1]) <= width
        assert int(start[2]) <= height
    return root


def texts(root: ElementTree.Element, role: str) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text") if element.get("class") == role]


HOSTILE = ["<script>alert(1)</script>", "&amp;", "\"'", "\x00\x1b", "]]>", "<!--", "\ud800", "\uffff"]


def test_svg_shows_hostile_text_and_does_not_obey_it() -> None:
    tree = graph_of([0, 1, 2, 3, 4, 5, 6, 7], HOSTILE)
    source = to_svg(tree, HOSTILE, title="</title><script>")
    root = read_svg(source)
    shown = ["<script>alert(1)</script>", "&amp;", "\"'", "\ufffd\ufffd", "]]>", "<!--", "\ufffd", "\ufffd"]

    assert ["ROOT", *shown] == texts(root, "word")
    assert sorted(shown) == sorted(texts(root, "label"))
    assert not re.search(r"<script|<!--|\x00|\x1b|\]\]>", source)
    assert root.findtext(f"{SVG}title") == "</title><script>"


# --- any graph, any words --------------------------------------------------------------------------------------------

ANY_TEXT = st.text(
    st.characters(codec=None, exclude_categories=())
    | st.sampled_from('\n\r\t\x00\x1b\u0301\u2028\u202e\ud800|\\日<&"] '),
    max_size=6,
)
LETTERS = st.text("abcdefgh", max_size=5)


@st.composite
def graphs(draw: st.DrawFn, labels: st.SearchStrategy[str | None], least: int = 0) -> Graph:
    """Any graph: several heads, cycles, loops, arcs into the root, parallel arcs with different labels."""
    words = draw(st.integers(least, 7))
    nodes = st.integers(0, words)
    return Graph(words, draw(st.frozensets(st.builds(Arc, nodes, labels, nodes), max_size=12)))


@st.composite
def sentences(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> tuple[Graph, list[str] | None]:
    drawn = draw(graphs(st.none() | texts))
    return drawn, draw(st.none() | st.lists(texts, min_size=drawn.words, max_size=drawn.words))


@settings(deadline=None)
@given(sentences(ANY_TEXT), st.none() | st.integers(0, 120))
def test_any_graph_can_be_drawn_as_text(sentence: tuple[Graph, list[str] | None], width: int | None) -> None:
    drawn = to_text(*sentence, width=width)
    drawn.encode()

    assert drawn.endswith("\n")
    assert not any(line.endswith(" ") for line in drawn.split("\n"))


@settings(deadline=None)
@given(sentences(ANY_TEXT), ANY_TEXT)
def test_any_graph_can_be_drawn_as_svg(sentence: tuple[Graph, list[str] | None], title: str) -> None:
    drawn, words = sentence
    root = read_svg(to_svg(drawn, words, title))
    lines = [element.get("class") for element in root.iter(f"{SVG}g")]

    assert len(lines) == len(drawn.arcs)
    assert lines.count("arc crossing") == len(crossing_arcs(drawn))


@settings(deadline=None)
@given(graphs(st.none() | LETTERS))
def test_the_picture_says_exactly_what_the_graph_says(drawn: Graph) -> None:
    """Follow every line of the picture with the finger and write down the arc: the same arcs come out."""
    words = [f"w{node}" for node in range(1, drawn.words + 1)]
    picture = to_text(drawn, words, width=None)
    plain = {Arc(arc.head, arc.label or None, arc.dependent) for arc in drawn.arcs}

    assert plain == set(read_picture(picture))
    assert len(drawn.arcs) == len(read_picture(picture))


@settings(deadline=None)
@given(graphs(st.none(), least=2))
def test_the_brackets_say_exactly_what_the_graph_says(drawn: Graph) -> None:
    """The same with the finger downwards; loops are only in the list beside the words."""
    picture = to_text(drawn, ["w" * 200] * drawn.words, width=300)
    expected = sorted(sorted((arc.head, arc.dependent)) for arc in drawn.arcs if arc.head != arc.dependent)

    assert expected == sorted(read_brackets(picture))


@settings(deadline=None)
@given(graphs(st.none()))
def test_lines_meet_once_for_each_pair_of_crossing_arcs(drawn: Graph) -> None:
    below = arcs_below(drawn)
    ends = [(arc in below, sorted((arc.head, arc.dependent))) for arc in drawn.arcs]
    pairs = [
        (one, other)
        for (side, one), (other_side, other) in combinations(ends, 2)
        if side == other_side and (cross(one, other) or cross(other, one))
    ]

    assert len(pairs) == to_text(drawn, width=None).count("┼")


@settings(deadline=None)
@given(graphs(st.none()))
def test_arcs_are_below_only_where_a_word_has_several_heads(drawn: Graph) -> None:
    """And if two planes suffice, no two arcs cross on either side."""
    below = arcs_below(drawn)
    single = drawn.heads_or_none is not None

    assert not (single and below)
    assert ("▲" in to_text(drawn, width=None)) == bool(below)
    proper = Graph(drawn.words, frozenset(arc for arc in drawn.arcs if arc.dependent and arc.head != arc.dependent))
    if not single and GRAPH_ADJECTIVES["2-planar"](head_sets(proper)) and proper == drawn:
        assert "┼" not in to_text(drawn, width=None)


def cross(one: list[int], other: list[int]) -> bool:
    return one[0] < other[0] < one[1] < other[1]


TURNED = str.maketrans("└┘▲", "┌┐▼")


def read_picture(picture: str) -> list[Arc]:
    """The arcs of a picture with numbered words: those above the words, and those below, read upside down."""
    rows = picture.rstrip("\n").split("\n")
    width = max(map(len, rows))
    grid = [row.ljust(width) for row in rows]
    place = next(number for number, row in enumerate(grid) if re.search(r"ROOT|w\d", row))
    words, indexes = grid[place : place + 2]
    below = [row.translate(TURNED) for row in reversed(grid[place + 2 :])]
    return read_side(grid[:place], words, indexes) + read_side(below, words, indexes)


def read_side(grid: list[str], words: str, indexes: str) -> list[Arc]:
    """From each arrow head along its line."""
    nodes = {
        match.start() - 1 + offset: index
        for match, index in zip(re.finditer(r"[·\w]+", words), map(int, indexes.split()), strict=True)
        for offset in range(len(match[0]) + 2)
    }
    if not grid:
        return []
    return [read_line(grid, column, nodes) for column, character in enumerate(grid[-1]) if character == "▼"]


def read_line(grid: list[str], column: int, nodes: dict[int, int]) -> Arc:
    row = len(grid) - 2
    while grid[row][column] in "│╎┼":
        row -= 1
    forward = {"┌": 1, "┐": -1}[grid[row][column]]
    place, label = column + forward, ""
    while grid[row][place] not in "┌┐":
        label += grid[row][place] if grid[row][place].isalpha() else ""
        place += forward
    for below in grid[row + 1 :]:
        assert below[place] in "│╎┼"
    return Arc(nodes[place], label[::forward] or None, nodes[column])


def read_brackets(picture: str) -> list[list[int]]:
    """The ends of the arcs of a picture that runs downwards."""
    rows = [re.fullmatch(r"([┌┬└┴┼─│╎► ]*?) *(\d+) .*", line) for line in picture.rstrip("\n").split("\n")]
    lines = [(match[1], int(match[2])) for match in rows if match is not None]
    assert len(lines) == len(rows)
    found = []
    for number, (line, node) in enumerate(lines):
        for column in (match.start() for match in re.finditer("[┌┬]", line)):
            ends = [other for below, other in lines[number + 1 :] if below[column : column + 1] in ("└", "┴")]
            found.append([node, ends[0]])
    return found
