"""Pictures for LaTeX: graphs, a picture a step, slides; and SVG a step."""

import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from arcproof.reports.derivation_table import to_latex
from arcproof.reports.steps import drawn_steps, svg_steps
from arcproof.reports.tikz import steps_to_tikz, tikz_steps, to_beamer, to_tikz
from arcproof.transitions.configuration import Derivation
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import Arc, Graph, graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.printing.figure import to_latex_fragment
from arcproof.transitions.system import System, load
from tests.catalogue import WITHOUT_ORACLE
from tests.in_process import Result
from tests.reports.test_derivation_table import HOSTILE

WORDS = ["A", "hearing", "is", "scheduled", "on", "the", "issue", "today", "."]
HEADS = (2, 3, 0, 3, 2, 7, 5, 4, 3)
LABELS = ["DET", "SBJ", "ROOT", "VG", "NMOD", "DET", "PC", "TMP", "P"]
NASTY = [*HOSTILE, "&", "\\&", "[4pt] x", "|[draw]| y", "#1", "%", "^^M", "~", "]", "\\\\", "{", "}"]


@cache
def swapped() -> tuple[System, Derivation]:
    """The derivation of Nivre 2009, Figure 3."""
    system = load("swap")
    return system, system.derive(graph_of(HEADS, LABELS))


def edges(source: str) -> list[tuple[str, str, str, str]]:
    """Options, head, dependent and label of each arc."""
    return re.findall(r"\\depedge\[(.*)\]\{(\d+)\}\{(\d+)\}\{(.*)\}", source)


# --- one graph -------------------------------------------------------------------------------------------------------


def test_a_graph_with_words_and_labels() -> None:
    source = to_tikz(graph_of((2, 0), ("det", "root")), ["the", "cat"], fragment=True)

    assert source.startswith("% needs \\usepackage{tikz-dependency}\n")
    assert "\\documentclass" not in source
    assert re.search(r"^ROOT \\& the \\&(\[\S+pt\])? cat \\\\$", source, re.MULTILINE)
    assert r"\scriptsize 0 \& \scriptsize 1 \& \scriptsize 2 \\" in source
    assert {edge[1:] for edge in edges(source)} == {("3", "2", "det"), ("1", "3", "root")}


def test_the_sign_that_ends_a_word_never_comes_from_a_word() -> None:
    source = to_tikz(graph_of([0] * len(NASTY), NASTY), NASTY)
    words = next(line for line in source.splitlines() if line.startswith("ROOT"))

    assert words.count(r"\&") == len(NASTY)
    assert r"{\symbol{38}}" in words
    assert all(r"\&" not in label for *_, label in edges(source))
    assert source.count(r"\end{document}") == 1


def test_what_tex_cannot_set_is_refused() -> None:
    with pytest.raises(BadGraph, match="larger than TeX can set"):
        to_tikz(graph_of([0] * 500), ["word" * 5] * 500)


# --- a picture a step ------------------------------------------------------------------------------------------------


def test_every_configuration_has_a_picture_with_its_arcs() -> None:
    system, derivation = swapped()
    pictures = tikz_steps(system, derivation, WORDS, fragment=True)

    assert len(pictures) == len(derivation) + 1
    configurations = [derivation.initial, *(step.configuration for step in derivation.steps)]
    for picture, c in zip(pictures, configurations, strict=True):
        drawn = {(int(head) - 1, label, int(dependent) - 1) for _, head, dependent, label in edges(picture)}
        assert drawn == {tuple(arc) for arc in c.arcs}
    assert "(initial configuration)" in pictures[0]
    assert r"Transition & \textsc{left-{}arc}\textsubscript{DET} \\" in pictures[3]
    assert "very thick" in pictures[3]
    assert "very thick" not in pictures[4]


def test_an_svg_has_the_arcs_of_its_configuration_and_its_state() -> None:
    system, derivation = swapped()
    graph, steps = drawn_steps(derivation)
    for svg, step in zip(svg_steps(system, derivation, WORDS), steps, strict=True):
        numbers = [int(number) for number in re.findall(r'data-arc="(\d+)"', svg)]
        assert [graph.sorted_arcs()[number] for number in numbers] == Graph(9, step.arcs).sorted_arcs()
        assert svg.count(" new") == len(step.new)
    last = svg_steps(system, derivation, WORDS)[-1]
    assert ">Transition: RIGHT-ARC(ROOT)<" in last
    assert ">Added arc: (0, ROOT, 3)<" in last


def test_every_system_has_pictures_of_its_steps() -> None:
    for system in (load(name) for name in system_names() if name not in WITHOUT_ORACLE):
        derivation = system.derive(graph_of([2, 0, 2], ["a", "b", "c"]))
        pictures = tikz_steps(system, derivation, ["x", "y", "z"])
        drawn = {(int(head), int(dependent)) for _, head, dependent, _ in edges(pictures[-1])}
        assert len(pictures) == len(svg_steps(system, derivation)) == len(derivation) + 1
        assert len(drawn) == len(derivation.graph.arcs), system.name


def test_steps_are_written_to_files(arcproof: Callable[..., Result], tmp_path: Path) -> None:
    svg = arcproof("trace", "arc-eager", "--heads", "2,0,_", "--format", "svg", "--steps", "-o", str(tmp_path / "a"))
    tex = arcproof("trace", "arc-eager", "--heads", "2,0", "--format", "tikz", "--steps", "-o", str(tmp_path / "b"))

    assert (svg.code, tex.code) == (0, 0)
    assert svg.out == f"step-00.svg to step-04.svg in {tmp_path / 'a'}\n"
    assert sorted(file.name for file in (tmp_path / "a").iterdir()) == [f"step-0{k}.svg" for k in range(5)]
    assert (tmp_path / "b" / "step-03.tex").read_text(encoding="utf-8").count("\\documentclass") == 1


# --- slides ----------------------------------------------------------------------------------------------------------


# --- the command -----------------------------------------------------------------------------------------------------


# --- TeX -------------------------------------------------------------------------------------------------------------


def missing() -> str | None:
    """Why nothing can be compiled here; None if it can."""
    if shutil.which("pdflatex") is None or shutil.which("kpsewhich") is None:
        return "pdflatex is not installed"
    needed = ["tikz-dependency.sty", "standalone.cls", "beamer.cls"]
    found = subprocess.run(["kpsewhich", *needed], capture_output=True, text=True, check=False).stdout.split()
    return (
        None if len(found) == len(needed) else "needs texlive-pictures, texlive-latex-extra, texlive-latex-recommended"
    )


def compiled(source: str, folder: Path) -> str:
    """Compile and return the log; fails with the log's end."""
    if reason := missing():
        pytest.skip(reason)
    (folder / "picture.tex").write_text(source, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "picture.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, timeout=100, check=False)
    log = run.stdout.decode(errors="replace")

    assert run.returncode == 0, log[-2000:]
    return log


def pages(log: str) -> int:
    return int(re.findall(r"\((\d+) pages?,", log)[0])


def any_graph() -> Graph:
    """Crossing arcs, a loop, an arc into 0, two with the same ends, several heads, words without a head, nasty
    labels.
    """
    chain = [Arc(word - 1, label, word) for word, label in enumerate(NASTY[:-2], start=1)]
    more = [Arc(3, "x", 3), Arc(5, "&", 0), Arc(4, "b", 2), Arc(2, "c", 4), Arc(1, None, 6), Arc(3, "", 8)]
    return Graph(len(NASTY), frozenset([*chain, *more, Arc(2, "again", 3)]))


@pytest.mark.process
def test_any_graph_compiles(tmp_path: Path) -> None:
    assert pages(compiled(to_tikz(any_graph(), NASTY), tmp_path)) == 1


@pytest.mark.nightly
@pytest.mark.process
def test_one_picture_per_step_is_one_page_per_step_and_all_have_one_height(tmp_path: Path) -> None:
    system = load("arc-eager")
    derivation = system.derive(graph_of((2, 0, 2), ("det", "root", "obj")))
    source = steps_to_tikz(system, derivation, ["the", "cat", "sleeps"])
    log = compiled("\\pdfobjcompresslevel=0\n" + source, tmp_path)

    assert pages(log) == len(derivation) + 1
    boxes = re.findall(rb"/MediaBox \[\S+ \S+ (\S+) (\S+)\]", (tmp_path / "picture.pdf").read_bytes())
    assert len(boxes) == len(derivation) + 1
    assert len({height for _, height in boxes}) == 1


@pytest.mark.nightly
@pytest.mark.process
def test_slides_compile_with_nasty_words_and_fit(tmp_path: Path) -> None:
    system, derivation = swapped()
    end = Derivation(derivation.steps[-3].configuration, derivation.steps[-2:])
    log = compiled(to_beamer(system, "eager", end, NASTY[: len(WORDS)]), tmp_path)

    assert pages(log) == 3
    assert not re.search(r"Overfull \\vbox", log)


@pytest.mark.nightly
@pytest.mark.process
def test_all_fragments_stand_in_one_document(tmp_path: Path) -> None:
    system = load("arc-eager")
    derivation = system.derive(graph_of((2, 0, 2)))
    words = ["日本", "b&c", "d"]
    fragments = [
        to_tikz(Graph(0, frozenset()), fragment=True),
        to_tikz(graph_of((2, None, 2, None)), fragment=True),
        steps_to_tikz(system, derivation, words, fragment=True),
        to_latex(system, "static", derivation, words, fragment=True),
        to_latex_fragment(system.figure),
    ]
    packages = re.findall(r"^% needs (\\usepackage\{.*\})$", "\n".join(fragments), re.MULTILINE)
    body = "\n\n".join(fragments)
    preamble = "\n".join([r"\documentclass{article}", *packages])
    compiled(f"{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n", tmp_path)

    assert len(packages) == len(fragments)
