import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcproof.documents.trace import document, text
from arcproof.documents.wire import json_value
from arcproof.reports.derivation_table import to_latex, to_text
from arcproof.transitions.configuration import Configuration, Derivation, Step, Transition
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import Arc, graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.printing.escape import display_width
from arcproof.transitions.system import System, load
from tests.catalogue import WITHOUT_ORACLE

WORDS = ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today", "."]
HEADS = [2, 3, 0, 3, 2, 7, 5, 4, 3]
LABELS = ["DET", "SBJ", "ROOT", "VG", "NMOD", "DET", "PC", "ADV", "P"]

FIGURE_3 = """\
[ROOT0] [A1, . . . , .9]
SHIFT [ROOT0, A1] [hearing2, . . . , .9]
SHIFT [ROOT0, A1, hearing2] [is3, . . . , .9]
LADET [ROOT0, hearing2] [is3, . . . , .9] (2, DET, 1)
SHIFT [ROOT0, hearing2, is3] [scheduled4, . . . , .9]
SHIFT [ROOT0, . . . , is3, scheduled4] [on5, . . . , .9]
SHIFT [ROOT0, . . . , scheduled4, on5] [the6, . . . , .9]
SWAP [ROOT0, . . . , is3, on5] [scheduled4, . . . , .9]
SWAP [ROOT0, hearing2, on5] [is3, . . . , .9]
SHIFT [ROOT0, . . . , on5, is3] [scheduled4, . . . , .9]
SHIFT [ROOT0, . . . , is3, scheduled4] [the6, . . . , .9]
SHIFT [ROOT0, . . . , scheduled4, the6] [issue7, . . . , .9]
SWAP [ROOT0, . . . , is3, the6] [scheduled4, . . . , .9]
SWAP [ROOT0, . . . , on5, the6] [is3, . . . , .9]
SHIFT [ROOT0, . . . , the6, is3] [scheduled4, . . . , .9]
SHIFT [ROOT0, . . . , is3, scheduled4] [issue7, . . . , .9]
SHIFT [ROOT0, . . . , scheduled4, issue7] [today8, .9]
SWAP [ROOT0, . . . , is3, issue7] [scheduled4, . . . , .9]
SWAP [ROOT0, . . . , the6, issue7] [is3, . . . , .9]
LADET [ROOT0, . . . , on5, issue7] [is3, . . . , .9] (7, DET, 6)
RAPC [ROOT0, hearing2, on5] [is3, . . . , .9] (5, PC, 7)
RANMOD [ROOT0, hearing2] [is3, . . . , .9] (2, NMOD, 5)
SHIFT [ROOT0, . . . , hearing2, is3] [scheduled4, . . . , .9]
LASBJ [ROOT0, is3] [scheduled4, . . . , .9] (3, SBJ, 2)
SHIFT [ROOT0, is3, scheduled4] [today8, .9]
SHIFT [ROOT0, . . . , scheduled4, today8] [.9]
RAADV [ROOT0, is3, scheduled4] [.9] (4, ADV, 8)
RAVG [ROOT0, is3] [.9] (3, VG, 4)
SHIFT [ROOT0, is3, .9] [ ]
RAP [ROOT0, is3] [ ] (3, P, 9)
RAROOT [ROOT0] [ ] (0, ROOT, 3)
"""
"""The rows of Figure 3 of Nivre 2009 as the text of the paper has them."""

DOTS_FOR_NOTHING = 22
"""Step 22 of the figure has dots between ROOT0 and hearing2, with no node left to stand there; step 4 prints the same
stack whole.
"""


@pytest.fixture(scope="module")
def swap() -> System:
    return load("swap")


@pytest.fixture(scope="module")
def figure_3(swap: System) -> Derivation:
    return swap.derive(graph_of(HEADS, LABELS))


def cells(text: str) -> list[list[str]]:
    """The cells of a text table, cut where its header begins its columns."""
    header, *lines = text.split("\n\n")[0].split("\n")
    starts = [match.start() for match in re.finditer(r"(?<!\S)\S+( \S+)*", header)]
    return [[cut(line, a, b) for a, b in zip(starts, [*starts[1:], 10**6], strict=True)] for line in lines]


def cut(line: str, start: int, end: int) -> str:
    """The part of a line between two columns; the columns before it must be blank."""
    piece, before, column = "", "", 0
    for character in line:
        if start <= column < end and not (column == start and display_width(character) == 0):
            piece += character
        elif column < start:
            before += character
        column += display_width(character)
        assert not (column > start > column - display_width(character)), "a wide character straddles two columns"

    assert start == 0 or column < start or before.endswith("   ")
    return piece.rstrip()


def paper_row(line: str) -> list[str]:
    """A row of the paper in our spelling."""
    line = line.replace(". . . ,", "...,").replace("[ ]", "[]")
    match = re.fullmatch(r"(?:(LA|RA|SHIFT|SWAP)(\w*) )?(\[.*?\]) (\[.*?\])(?: (\(.*\)))?", line)
    assert match is not None
    name, label, stack, buffer, arc = match.groups()
    names = {None: "", "LA": f"LEFT-ARC({label})", "RA": f"RIGHT-ARC({label})"}
    return [names.get(name, name), stack, buffer, arc or ""]


def test_the_table_is_figure_3_of_nivre_2009(swap: System, figure_3: Derivation) -> None:
    expected = [paper_row(line) for line in FIGURE_3.splitlines()]
    expected[DOTS_FOR_NOTHING][1] = "[ROOT0, hearing2, is3]"

    assert expected == cells(to_text(swap, "eager", figure_3, WORDS))
    assert len(figure_3) == 30 == len(expected) - 1


def test_only_one_list_of_figure_3_is_abbreviated_for_nothing(figure_3: Derivation) -> None:
    """The paper's dots, checked against the complete stacks: they stand for at least one node in every other row."""
    whole = [c["sigma"] for c in [figure_3.initial, *(step.configuration for step in figure_3.steps)]]
    rows = [paper_row(line) for line in FIGURE_3.splitlines()]
    hidden = [len(stack) - row[1].count(",") for stack, row in zip(whole, rows, strict=True) if "..." in row[1]]  # type: ignore[arg-type]

    assert [hidden.count(0), min(hidden)] == [1, 0]
    assert "..." in rows[DOTS_FOR_NOTHING][1]
    assert whole[DOTS_FOR_NOTHING] == (0, 2, 3)


def test_a_small_table_is_printed_whole(swap: System) -> None:
    expected = """\
Transition   Stack σ     Buffer β    Added arc
             [0]         [1, 2, 3]
SHIFT        [0, 1]      [2, 3]
SHIFT        [0, 1, 2]   [3]
LEFT-ARC     [0, 2]      [3]         (2, 1)
SHIFT        [0, 2, 3]   []
RIGHT-ARC    [0, 2]      []          (2, 3)
RIGHT-ARC    [0]         []          (0, 2)

swap, oracle eager: 6 transitions
"""

    assert expected == to_text(swap, "eager", swap.derive(graph_of([2, 0, 2])))


def test_every_component_has_a_column_under_its_kind_and_name() -> None:
    system = load("swap-max2")
    derivation = system.derive(graph_of([0, 1], ["root", "mod"]))
    expected = """\
Transition        Stack σ             Buffer β     Counter k   Added arc
                  [ROOT0]             [In1, it2]   0
SHIFT             [ROOT0, In1]        [it2]        0
SHIFT             [ROOT0, In1, it2]   []           0
RIGHT-ARC(mod)    [ROOT0, In1]        []           0           (1, mod, 2)
RIGHT-ARC(root)   [ROOT0]             []           0           (0, root, 1)

swap-max2, oracle eager: 4 transitions
"""

    assert expected == to_text(system, "eager", derivation, ["In", "it"])


def test_wide_and_combining_characters_keep_the_columns(swap: System) -> None:
    expected = """\
Transition        Stack σ                Buffer β        Added arc
                  [ROOT0]                [日本1, e\u0301té2]
SHIFT             [ROOT0, 日本1]         [e\u0301té2]
SHIFT             [ROOT0, 日本1, e\u0301té2]   []
RIGHT-ARC(修飾)   [ROOT0, 日本1]         []              (1, 修飾, 2)
RIGHT-ARC(r)      [ROOT0]                []              (0, r, 1)

swap, oracle eager: 4 transitions
"""
    derivation = swap.derive(graph_of([0, 1], ["r", "修飾"]))

    assert expected == to_text(swap, "eager", derivation, ["日本", "e\u0301té"])


def test_words_and_labels_cannot_break_a_row(swap: System) -> None:
    expected = """\
Transition       Stack σ          Buffer β   Added arc
                 [ROOT0]          [a b�1]
SHIFT            [ROOT0, a b�1]   []
RIGHT-ARC(x y)   [ROOT0]          []         (0, x y, 1)

swap, oracle eager: 2 transitions
"""

    assert expected == to_text(swap, "eager", swap.derive(graph_of([0], ["x\ny"])), ["a\nb\x1b"])


def test_full_prints_every_node(swap: System, figure_3: Derivation) -> None:
    rows = cells(to_text(swap, "eager", figure_3, WORDS, full=True))

    assert rows[0][2] == "[A1, hearing2, is3, scheduled4, on5, the6, issue7, today8, .9]"
    assert not any("..." in cell for row in rows for cell in row)


def test_abbreviation_keeps_one_node_where_the_rules_look_at_one() -> None:
    expected = """\
Transition   List λ1                List λ2                 Buffer β                Added arc
             [ROOT0]                []                      [worda1, ..., wordd4]
RIGHT-ARC    []                     [ROOT0]                 [worda1, ..., wordd4]   (0, 1)
SHIFT        [ROOT0, worda1]        []                      [wordb2, ..., wordd4]
SHIFT        [ROOT0, ..., wordb2]   []                      [wordc3, wordd4]
NO-ARC       [ROOT0, worda1]        [wordb2]                [wordc3, wordd4]
RIGHT-ARC    [ROOT0]                [worda1, wordb2]        [wordc3, wordd4]        (1, 3)
SHIFT        [ROOT0, ..., wordc3]   []                      [wordd4]
NO-ARC       [ROOT0, ..., wordb2]   [wordc3]                [wordd4]
LEFT-ARC     [ROOT0, worda1]        [wordb2, wordc3]        [wordd4]                (4, 2)
RIGHT-ARC    [ROOT0]                [worda1, ..., wordc3]   [wordd4]                (1, 4)
SHIFT        [ROOT0, ..., wordd4]   []                      []

list-nonprojective, oracle static: 10 transitions
"""
    system = load("list-nonprojective")
    derivation = system.derive(graph_of([0, 4, 1, 1]))

    assert expected == to_text(system, "static", derivation, ["worda", "wordb", "wordc", "wordd"])


def test_abbreviation_keeps_the_node_beyond_a_segment() -> None:
    """attardi's rules reach past one node: `σ|i|τ|j`."""
    system = load("attardi")
    derivation = system.derive(graph_of([0, 1, 2, 3, 4]))
    rows = cells(to_text(system, "greedy", derivation, ["worda", "wordb", "wordc", "wordd", "worde"]))

    assert rows[5] == ["SHIFT", "[ROOT0, ..., wordc3, wordd4, worde5]", "[]", ""]


def test_a_word_that_ends_in_a_digit_is_set_off_from_its_index(swap: System) -> None:
    assert "[In1, 1997_2]" in to_text(swap, "eager", swap.derive(graph_of([0, 1])), ["In", "1997"])


def test_the_number_of_words_must_fit(swap: System, figure_3: Derivation) -> None:
    with pytest.raises(BadGraph, match="the derivation has 9 words, but 1 were given"):
        to_text(swap, "eager", figure_3, ["one"])
    with pytest.raises(BadGraph, match="the derivation has 9 words"):
        document(swap, "eager", figure_3, ["one"])


def test_a_sentence_without_words_has_a_table(swap: System) -> None:
    expected = """\
Transition   Stack σ   Buffer β   Added arc
             [0]       []

swap, oracle eager: 0 transitions
"""

    assert expected == to_text(swap, "eager", swap.derive(graph_of([])))


def test_a_segment_choice_is_part_of_the_transition() -> None:
    system = load("arc-swift")
    derivation = system.derive(graph_of([0, 1, 1], ["r", "a", "b"]))

    assert "RIGHT-ARC[2](b)" in to_text(system, "o", derivation)
    assert r"\textsc{right-{}arc}[2]\textsubscript{b}" in to_latex(system, "o", derivation)
    assert {"RIGHT-ARC[2]"} <= {
        step["transition"] for step in json.loads(text(document(system, "o", derivation)))["steps"]
    }


def two_arcs_and_a_removal(swap: System) -> Derivation:
    """A run that no built-in figure makes: a step that adds two arcs, and one that takes one of them away."""
    start = swap.start(2)
    one, two = Arc(2, "a", 1), Arc(0, "b", 2)
    both = Configuration(2, start.names, start.values, frozenset({one, two}))
    less = Configuration(2, start.names, start.values, frozenset({two}))
    return Derivation(start, (Step(Transition("BOTH"), (one, two), both), Step(Transition("UNDO"), (), less)))


def test_several_arcs_and_removed_arcs_are_shown(swap: System) -> None:
    derivation = two_arcs_and_a_removal(swap)

    assert [[row[column] for row in cells(to_text(swap, "o", derivation))] for column in (0, -1)] == [
        ["", "BOTH", "UNDO"],
        ["", "(2, a, 1), (0, b, 2)", "removed (2, a, 1)"],
    ]


# --- JSON ------------------------------------------------------------------------------------------------------------


def test_json_keeps_the_contract(swap: System) -> None:
    derivation = swap.derive(graph_of([0, 1], ["r", None]))
    expected = {
        "system": "swap",
        "oracle": "eager",
        "words": ["日", "b"],
        "initial": {"sigma": [0], "beta": [1, 2]},
        "steps": [
            step("SHIFT", None, None, [0, 1], [2]),
            step("SHIFT", None, None, [0, 1, 2], []),
            step("RIGHT-ARC", None, [1, None, 2], [0, 1], []),
            step("RIGHT-ARC", "r", [0, "r", 1], [0], []),
        ],
        "arcs": [[0, "r", 1], [1, None, 2]],
    }

    assert expected == json.loads(text(document(swap, "eager", derivation, ["日", "b"])))
    assert expected == json_value(document(swap, "eager", derivation, ["日", "b"]))


def step(transition: str, label: str | None, arc: list[object] | None, stack: list[int], buffer: list[int]) -> object:
    return {
        "transition": transition,
        "label": label,
        "arc": arc,
        "arcs_added": [arc] if arc else [],
        "arcs_removed": [],
        "configuration": {"sigma": stack, "beta": buffer},
    }


def test_json_without_words_says_null_and_nothing_is_abbreviated(swap: System, figure_3: Derivation) -> None:
    read = json.loads(text(document(swap, "eager", figure_3)))

    assert read["words"] is None
    assert read["initial"]["beta"] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert len(read["steps"]) == 30
    assert [arc[0] for arc in read["arcs"]] == HEADS


def test_json_lists_all_arcs_of_a_step(swap: System) -> None:
    both, undo = json.loads(text(document(swap, "o", two_arcs_and_a_removal(swap))))["steps"]

    assert [both["arc"], both["arcs_added"], both["arcs_removed"]] == [[2, "a", 1], [[2, "a", 1], [0, "b", 2]], []]
    assert [undo["arc"], undo["arcs_added"], undo["arcs_removed"]] == [None, [], [[2, "a", 1]]]


def test_json_of_the_shortest_run_has_no_steps(swap: System) -> None:
    assert json.loads(text(document(swap, "eager", swap.derive(graph_of([])))))["steps"] == []


# --- LaTeX -----------------------------------------------------------------------------------------------------------

HOSTILE = [
    "\\end{document}",
    "\\input{/etc/passwd}",
    "50%",
    "a&b",
    "_^~#${}",
    "日本",
    "čeština",
    "ệ",
    "\x00\x1b",
    "--",
    "?`<|>\"'",
    "",
    "e\u0301\u20dd",
    "\u0301",
    "ﬁ",
    "a b",
    "[2]",
    "*",
    "Ελλάδα",
]


def test_latex_sets_names_in_small_caps_and_sequences_in_math(swap: System) -> None:
    source = to_latex(swap, "eager", swap.derive(graph_of([0], ["a_b"])), ["x&y"])

    assert r" & [$\textrm{ROOT}_{0}$] & [$\textrm{x\&y}_{1}$] &  \\" in source
    assert (
        r"\textsc{right-{}arc}\textsubscript{a\_b} & [$\textrm{ROOT}_{0}$] & [] & $(0, \textrm{a\_b}, 1)$ \\" in source
    )
    assert r"Transition & Stack $\sigma$ & Buffer $\beta$ & Added arc \\" in source


needs_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")


def compile_latex(source: str, folder: Path) -> str:
    """Compile and return the log; fails with the log's end."""
    (folder / "table.tex").write_text(source, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "table.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, timeout=100, check=False)
    log = run.stdout.decode(errors="replace")

    assert run.returncode == 0, log[-2000:]
    assert (folder / "table.pdf").stat().st_size > 0
    return log


@needs_latex
@pytest.mark.process
def test_latex_compiles(swap: System, figure_3: Derivation, tmp_path: Path) -> None:
    log = compile_latex(to_latex(swap, "eager", figure_3, WORDS), tmp_path)

    assert "Overfull" not in log


@needs_latex
@pytest.mark.process
def test_latex_compiles_with_hostile_words_and_labels_over_several_pages(swap: System, tmp_path: Path) -> None:
    words = HOSTILE * 2
    graph = graph_of([0, *range(1, len(words))], words)
    log = compile_latex(to_latex(swap, "eager", swap.derive(graph), words, full=True), tmp_path)

    assert int(re.findall(r"\((\d+) pages", log)[0]) > 1


@needs_latex
@pytest.mark.process
def test_latex_of_every_system_compiles(tmp_path: Path) -> None:
    """One document: the bodies of all tables, so that TeX starts once."""
    bodies = []
    for system in (load(name) for name in system_names() if name not in WITHOUT_ORACLE):
        source = to_latex(system, system.oracle().name, system.derive(graph_of([2, 0, 2])), ["a", "b", "c"])
        preamble, body = source.split("\\begin{document}")
        bodies.append(body.removesuffix("\\end{document}\n"))
    compile_latex("\n".join([preamble, "\\begin{document}", *bodies, "\\end{document}"]), tmp_path)

    assert len(bodies) >= 16


# --- any run, any words ----------------------------------------------------------------------------------------------

ANY_TEXT = st.text(
    st.characters(codec=None, exclude_categories=())
    | st.sampled_from('\n\r\t\x00\x1b\u0301\u2028\u202e\ud800|\\日<&"] '),
    max_size=6,
)


@st.composite
def runs(draw: st.DrawFn) -> tuple[System, Derivation, list[str] | None]:
    """The beginning of some run of some system, with any words and labels."""
    system = load(draw(st.sampled_from(system_names())))
    length = draw(st.integers(0, 6))
    c = initial = system.start(length)
    steps: list[Step] = []
    while len(steps) < 12 and not system.is_terminal(c) and (permissible := system.permissible(c)):
        transition = draw(st.sampled_from(permissible))
        if system.transitions[transition.name][0].label is not None:
            transition = transition._replace(label=draw(st.none() | ANY_TEXT))
        steps.append(system.step(c, transition))
        c = steps[-1].configuration
    words = draw(st.none() | st.lists(ANY_TEXT, min_size=length, max_size=length))
    return system, Derivation(initial, tuple(steps)), words


@settings(deadline=None)
@given(runs(), st.booleans())
def test_any_run_has_a_table_with_aligned_columns(run: tuple[System, Derivation, list[str] | None], full: bool) -> None:
    system, derivation, words = run
    rows = cells(to_text(system, "o", derivation, words, full=full))

    assert len(rows) == len(derivation) + 1
    for row in rows:
        assert len(row) == len(system.figure.state) + 2
        assert all(re.match(r"[\[{]|\d+$|true$|false$", cell) for cell in row[1:-1])
        assert row[-1] == "" or row[-1].startswith(("(", "removed ("))


@settings(deadline=None)
@given(runs(), st.booleans())
def test_any_run_can_be_written_in_every_format(run: tuple[System, Derivation, list[str] | None], full: bool) -> None:
    system, derivation, words = run
    read = json.loads(text(document(system, "o", derivation, words)))

    assert read == json_value(document(system, "o", derivation, words))
    assert read["words"] == words
    to_latex(system, "o", derivation, words, full=full).encode()
