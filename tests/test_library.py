"""Every built-in system."""

import shutil
import subprocess
from pathlib import Path

import pytest

from arcproof.properties.checks.oracle_correct import OracleCheck, OracleFailure, all_oracles, check_oracle
from arcproof.transitions.library import _entry, entries, system_names
from arcproof.transitions.printing.figure import to_latex
from arcproof.transitions.printing.notation import claim_text, class_text
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.reading.read import read_figure
from arcproof.transitions.reading.vocabulary import HEADINGS
from arcproof.transitions.syntax import CompleteFor, GraphClass, Restriction
from arcproof.transitions.system import load
from tests.catalogue import WITHOUT_ORACLE

VARIANTS = ["covington[d=0]", "covington[d=1]", "covington[d=2]", "attardi[d=1]", "attardi[d=3]"]
PARSED = [*(name for name in system_names() if name not in WITHOUT_ORACLE), *VARIANTS]


@pytest.mark.parametrize("name", system_names())
def test_printing_and_reading_give_the_same_tree(name: str) -> None:
    figure = load(name).figure

    assert figure == read_figure(to_source(figure))


@pytest.mark.parametrize("name", system_names())
def test_every_system_has_citation_default_oracle_and_claims(name: str) -> None:
    figure = load(name).figure

    assert figure.name == name
    assert figure.cite
    assert figure.default or all(rule.label for rule in figure.rules), "an arc is not a transition to fall back to"
    assert bool(figure.oracles) is (name not in WITHOUT_ORACLE)
    assert figure.claims


def tried(name: str, words: int) -> list[OracleCheck]:
    system = load(name)
    return [check_oracle(system, asked.oracle, asked.graphs, words) for asked in all_oracles(system)]


@pytest.mark.long
@pytest.mark.parametrize("words", [3, pytest.param(5, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", PARSED)
def test_each_oracle_reproduces_all_graphs_of_its_class(name: str, words: int) -> None:
    checks = tried(name, min(words, MOST_WORDS_OF_GRAPHS) if load(name).figure.several_heads else words)

    assert checks
    for check in checks:
        assert check.failure is None
        assert all(check.derived), "a class without graphs proves nothing"
        count = COUNTS.get(class_text(check.graphs))
        assert load(name).figure.parameters if count is None else count[1 : check.words + 1] == check.derived


# graphs of 0..5 words, from the counts of the classes
COUNTS = {
    "forests": (1, 2, 8, 50, 432, 4802),
    "projective forests": (1, 2, 7, 30, 143, 728),
    "trees": (1, 1, 3, 16, 125, 1296),
    "projective trees": (1, 1, 3, 12, 55, 273),
    "planar forests": (1, 2, 8, 44, 282, 1972),
    "single-root trees": (0, 1, 2, 9, 64, 625),
    "single-root projective trees": (0, 1, 2, 7, 30, 143),
    "acyclic graphs": (1, 2, 12, 200, 8688, 936_992),
    "planar acyclic graphs": (1, 2, 12, 136, 2048),
}
MOST_WORDS_OF_GRAPHS = 4


def test_a_wrong_oracle_is_caught_with_the_smallest_graph() -> None:
    """The check goes red: arc-eager without REDUCE in its oracle misses a tree of three words."""
    text = "\n".join(line for line in to_source(load("arc-eager").figure).splitlines() if "exists k" not in line)
    broken = load(text)
    claim = next(c.statement for c in broken.figure.claims if isinstance(c.statement, CompleteFor))
    check = check_oracle(broken, "reduce-late", claim.graphs, 4)

    assert isinstance(check.failure, OracleFailure)
    assert check.failure.graph.words == 2
    assert check.derived[:1] == (2,)


def test_an_oracle_asked_for_more_than_its_class_names_the_arcs_it_cannot_build() -> None:
    trees = GraphClass((Restriction("non-projective"),), "trees")
    check = check_oracle(load("arc-standard"), "static", trees, 3)

    assert check.failure is not None
    assert "it cannot build the arc" in check.failure.reason


def test_list_reads_the_same_claims_as_the_parser() -> None:
    """`list` does not build trees, so what it shows is compared with what it would show if it did."""
    for entry in entries():
        figure = load(entry.name).figure
        assert entry.cite == figure.cite
        assert entry.claims == tuple(map(claim_text, figure.claims))


@pytest.mark.process
def test_the_latex_of_every_figure_compiles(tmp_path: Path) -> None:
    pdflatex = shutil.which("pdflatex")
    if pdflatex is None:
        pytest.skip("pdflatex is not installed")
    for name in system_names():
        (tmp_path / f"{name}.tex").write_text(to_latex(load(name).figure), encoding="utf-8")
        done = subprocess.run(
            [pdflatex, "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout[-2000:]


@pytest.mark.parametrize("heading", HEADINGS)
def test_list_ends_the_claims_at_every_heading(heading: str) -> None:
    rest = "  sound trees\n" if heading == "claims" else ""

    assert _entry("x", f"claims\n  sound forests\n{heading} σ = []\n{rest}").claims[:2] == (
        "sound forests",
        *(["sound trees"] if heading == "claims" else []),
    )
