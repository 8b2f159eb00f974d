import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcproof.generators.graph_classes import GRAPH_ADJECTIVES
from arcproof.reports.arc_diagram import crossing_arcs, to_svg, to_text
from arcproof.reports.arc_layout import arcs_below
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import Arc, Graph, graph_of, head_sets
from arcproof.transitions.printing.escape import display_width

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


def test_without_words_the_nodes_are_their_indexes() -> None:
    expected = """\
 ┌────┐ ┌──┐
 │    ▼ │  ▼
ROOT   1   2
"""

    assert expected == to_text(graph_of([0, 1]))


def test_wide_and_combining_characters_stay_below_their_arcs() -> None:
    expected = """\
 ┌───────r───────┐
 │      ┌─修飾─┐ │
 │      ▼      │ ▼
ROOT  日本語    e\u0301
 0      1       2
"""

    assert expected == to_text(graph_of([2, 0], ["修飾", "r"]), ["日本語", "e\u0301"])


def test_words_and_labels_cannot_break_a_line() -> None:
    expected = """\
 ┌─x y─┐
 ▼     │
a b   �[2J
 1     2
"""

    assert expected == to_text(graph(2, (2, "x\ny", 1)), ["a\nb", "\x1b[2J"])


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


def test_arcs_of_words_with_several_heads_stand_above_and_below() -> None:
    expected = """\
 ┌╌╌╌root╌╌╌╌┐
 ╎     ┌─a─┐ ╎ ┌─b─┐
 ╎     ▼   │ ▼ │   ▼
ROOT   1   ··2··   3  4
      ▲ ╎          ▲  ╎
      ╎ └╌╌╌╌c╌╌╌╌╌┘  ╎
      └╌╌╌╌╌╌╌d╌╌╌╌╌╌╌┘
"""
    several = graph(4, (0, "root", 2), (2, "a", 1), (2, "b", 3), (1, "c", 3), (4, "d", 1))

    assert expected == to_text(several)
    assert to_text(graph(3, (1, None, 3), (2, None, 3), (3, None, 1), (0, None, 2))).count("▲") == 2


def test_arcs_below_are_in_the_picture_below_the_words() -> None:
    several = graph(4, (0, "root", 2), (2, "a", 1), (2, "b", 3), (1, "c", 3), (4, "d", 1))
    root = read_svg(to_svg(several, ["w"] * 4))
    word = next(int(e.attrib["y"]) for e in root.iter(f"{SVG}text") if e.get("class") == "word")
    labels = {e.text: int(e.attrib["y"]) for e in root.iter(f"{SVG}text") if e.get("class") == "label"}

    assert {label for label, y in labels.items() if y > word} == {"c", "d"}
    assert all(0 < y < float(root.attrib["height"]) for y in labels.values())


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


def test_brackets_too_wide_are_left_out() -> None:
    expected = """\
0 ROOT
1 日本  ← 0, x ← 2
2 a
"""

    assert expected == to_text(graph(2, (0, None, 1), (2, "x", 1)), ["日本", "a"], width=5)


def test_downwards_without_words_the_index_is_written_once() -> None:
    expected = """\
  ┌──  0 ROOT
┌─┴─►  1       ← 0
└───►  2       ← 1
       3
       4
       5
       6
       7
       8
       9
      10
"""

    assert expected == to_text(graph_of([0, 1, *[None] * 8]), width=20)


@pytest.mark.parametrize(
    ("words", "forms", "expected"),
    [(0, None, "ROOT\n"), (0, [], "ROOT\n 0\n"), (3, None, "1  2  3\n"), (2, ["a", "bcd"], "a  bcd\n1   2\n")],
)
def test_a_graph_without_arcs_is_its_words(words: int, forms: list[str] | None, expected: str) -> None:
    assert expected == to_text(Graph(words, frozenset()), forms)


def test_long_indexes_keep_apart() -> None:
    last = to_text(Graph(101, frozenset()), ["a"] * 101, width=None).splitlines()[1]

    assert [str(index) for index in range(1, 102)] == last.split()


def test_a_graph_that_does_not_fit_its_words_is_refused() -> None:
    with pytest.raises(BadGraph, match="the graph has 2 words, but 1 were given"):
        to_text(graph_of([0, 1]), ["a"])
    with pytest.raises(BadGraph, match=r"the arc \(1, 5\) has an end outside the nodes 0 to 2"):
        to_svg(graph(2, (1, None, 5)))


# --- crossing --------------------------------------------------------------------------------------------------------


def test_arcs_that_share_an_end_do_not_cross() -> None:
    assert crossing_arcs(graph_of([0, 1, 1, 2])) == crossing_arcs(graph_of([2, 0, 2])) | {
        Arc(1, None, 3),
        Arc(2, None, 4),
    }


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


def test_svg_of_a_single_arc_is_kept() -> None:
    expected = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 72 104" width="72" height="104" role="img" class="arc-diagram" \
font-family="system-ui, sans-serif" font-size="16" fill="currentColor">
<title>A tree</title>
<desc>b [2] → a [1] (x).</desc>
<g class="arc" data-arc="0">
<path d="M20 46V36Q20 28 28 28H42Q50 28 50 36V52" fill="none" stroke="currentColor" stroke-width="1.3"/>
<path d="M20 52l-4 -8h8z"/>
<text class="label" x="35" y="24" text-anchor="middle" font-size="12">x</text>
</g>
<text class="word" x="21" y="72" text-anchor="middle">a</text>
<text class="index" x="21" y="88" text-anchor="middle" font-size="10" opacity="0.65">1</text>
<text class="word" x="51" y="72" text-anchor="middle">b</text>
<text class="index" x="51" y="88" text-anchor="middle" font-size="10" opacity="0.65">2</text>
</svg>
"""

    assert expected == to_svg(graph(2, (2, "x", 1)), ["a", "b"], title="A tree")


def test_svg_has_every_word_label_and_arc() -> None:
    root = read_svg(to_svg(HEARING, WORDS, title="Figure 1"))
    arcs = list(root.iter(f"{SVG}g"))

    assert texts(root, "word") == ["ROOT", *WORDS]
    assert texts(root, "index") == [str(node) for node in range(10)]
    assert sorted(texts(root, "label")) == sorted(LABELS)
    assert [element.get("class") for element in arcs].count("arc crossing") == 4
    assert len(arcs) == 9
    assert [path.get("stroke-dasharray") is not None for path in root.iter(f"{SVG}path")].count(True) == 4
    assert root.findtext(f"{SVG}title") == "Figure 1"
    assert "hearing [2] → on [5] (NMOD), crossing" in root.findtext(f"{SVG}desc", "")


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


@pytest.mark.parametrize("words", [0, 1, 300])
def test_svg_copes_with_any_number_of_words(words: int) -> None:
    star = graph_of([None if word % 7 == 0 else (word * 37) % 11 if word > 11 else 0 for word in range(1, words + 1)])
    root = read_svg(to_svg(star, [f"word{index}" for index in range(words)]))

    assert len(texts(root, "word")) == words + 1
    assert len(list(root.iter(f"{SVG}g"))) == len(star.arcs)


def test_svg_labels_do_not_lie_on_each_other() -> None:
    """Two texts in a row keep apart by the width they are taken to have."""
    root = read_svg(to_svg(HEARING, WORDS))
    for row in {element.attrib["y"] for element in root.iter(f"{SVG}text")}:
        placed = sorted((int(e.attrib["x"]), e.text or "") for e in root.iter(f"{SVG}text") if e.attrib["y"] == row)
        for (left, one), (right, other) in pairwise(placed):
            assert right - left >= 4 * (len(one) + len(other)) / 2


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
@given(sentences(ANY_TEXT), st.integers(0, 60))
def test_the_width_is_kept_unless_the_mere_list_is_wider(sentence: tuple[Graph, list[str] | None], width: int) -> None:
    drawn = to_text(*sentence, width=width)
    listed = to_text(*sentence, width=0)

    assert max(map(display_width, drawn.split("\n"))) <= width or drawn == listed


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
