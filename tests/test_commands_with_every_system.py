"""The commands that ask little, with every built-in system: they end as they say, and print no traceback."""

from collections.abc import Callable
from pathlib import Path

import pytest

from arcproof.transitions.library import source_of, system_names
from arcproof.transitions.system import load
from tests.catalogue import WITHOUT_ORACLE, each
from tests.in_process import Result

Run = Callable[..., Result]
GRAPHS = [name for name in system_names() if load(name).figure.several_heads]
"""What a wrong head costs is not said of them, and they are trained on another column."""
every_system = pytest.mark.parametrize("name", each(system_names()))
DERIVED = "2,0,2"
"""A tree that is projective and has one root: every system derives it."""


@pytest.mark.long
@every_system
def test_a_figure_is_shown_in_every_format_and_read_back(name: str, arcproof: Run, tmp_path: Path) -> None:
    for form in ("text", "latex", "json"):
        assert arcproof("show", name, "--format", form).code == 0
    path = tmp_path / f"{name}.tsys"
    path.write_text(source_of(name), encoding="utf-8")
    assert arcproof("check", str(path)).code == 0


@pytest.mark.long
@every_system
def test_a_tree_is_traced_and_its_costs_are_shown(name: str, arcproof: Run) -> None:
    for form in ("text", "latex", "json"):
        assert arcproof("trace", name, "--heads", DERIVED, "--format", form).code == 0
    assert arcproof("oracle", name, "--heads", DERIVED).code == (2 if name in GRAPHS else 0)


@pytest.mark.long
@every_system
def test_it_is_explored_compared_and_searched_by_the_interpreter(name: str, arcproof: Run) -> None:
    """With two words it may stay open what a precondition is for."""
    engine = ("--words", "2", "--engine", "interpreter")

    assert arcproof("explore", name, "--jobs", "1", *engine).code == 0
    assert arcproof("compare", name, "arc-eager", "--jobs", "1", *engine).code in (0, 1)
    assert arcproof("reach", name, "head(1)", *engine).code == 0
    assert arcproof("why", name, next(iter(load(name).transitions)), *engine).code in (0, 3)


@pytest.mark.long
@every_system
def test_it_is_exported(name: str, arcproof: Run) -> None:
    for model in ("promela", "tla"):
        assert arcproof("export", name, "--to", model, "--words", "3").code == 0


@pytest.mark.long
@every_system
def test_it_is_verified_and_reported(name: str, arcproof: Run, tmp_path: Path) -> None:
    """With two words a claim that something fails may be open."""
    effort = ("--words", "2", "--samples", "0", "--engine", "interpreter", "--proofs", "none")
    assert arcproof("verify", name, *effort, "--jobs", "1").code in (0, 3)
    page = tmp_path / "page.html"
    assert arcproof("report", name, *effort, "--jobs", "1", "-o", str(page)).code in (0, 3)
    assert name in page.read_text(encoding="utf-8")


@pytest.mark.compiler
@pytest.mark.parametrize("name", each(name for name in system_names() if name not in (*WITHOUT_ORACLE, *GRAPHS)))
def test_it_is_trained_parses_and_is_scored(name: str, arcproof: Run, tmp_path: Path) -> None:
    sentences = "".join(
        "".join(f"{word}\tw{word}\t_\tX\t_\t_\t{head}\t{'root' if head == 0 else 'dep'}\t_\t_\n" for word, head in tree)
        + "\n"
        for tree in ([(1, 2), (2, 0), (3, 2)], [(1, 0), (2, 1)])
    )
    gold, model, parsed = (str(tmp_path / part) for part in ("gold.conllu", "model", "parsed.conllu"))
    Path(gold).write_text(sentences, encoding="utf-8")

    assert arcproof("train", name, gold, "-o", model, "--epochs", "2").code == 0
    assert arcproof("parse", model, gold, "-o", parsed, "--check").code == 0
    assert arcproof("evaluate", gold, parsed).code == 0
    assert arcproof("coverage", name, "--treebank", gold).code == 0
