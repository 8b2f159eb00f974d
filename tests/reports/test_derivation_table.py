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
from arcproof.transitions.configuration import Derivation, Step
from arcproof.transitions.graph import graph_of
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


def test_words_and_labels_cannot_break_a_row(swap: System) -> None:
    expected = """\
Transition       Stack σ          Buffer β   Added arc
                 [ROOT0]          [a b�1]
SHIFT            [ROOT0, a b�1]   []
RIGHT-ARC(x y)   [ROOT0]          []         (0, x y, 1)

swap, oracle eager: 2 transitions
"""

    assert expected == to_text(swap, "eager", swap.derive(graph_of([0], ["x\ny"])), ["a\nb\x1b"])


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


def test_a_segment_choice_is_part_of_the_transition() -> None:
    system = load("arc-swift")
    derivation = system.derive(graph_of([0, 1, 1], ["r", "a", "b"]))

    assert "RIGHT-ARC[2](b)" in to_text(system, "o", derivation)
    assert r"\textsc{right-{}arc}[2]\textsubscript{b}" in to_latex(system, "o", derivation)
    assert {"RIGHT-ARC[2]"} <= {
        step["transition"] for step in json.loads(text(document(system, "o", derivation)))["steps"]
    }


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
