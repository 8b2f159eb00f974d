"""The appendix for a paper compiles as it is, whatever is in the figure, and says what the report says."""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.proving.theorem import Conjunct, Method, Theorem
from arcproof.properties.report import Effort, Report
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.reports.appendix import report_latex
from arcproof.transitions.library import source_of, system_names
from arcproof.transitions.system import load
from tests.conftest import Result
from tests.properties.proving.made_up import discharged

EFFORT = Effort(2, Sampling(2, 6), engine="interpreter")


def compiled(text: str, folder: Path) -> str:
    """The words of the document, after pdfLaTeX has made it."""
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex on PATH: apt-get install texlive-latex-base")
    (folder / "a.tex").write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"],
        cwd=folder, capture_output=True, encoding="latin-1", timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]
    assert (folder / "a.pdf").read_bytes().startswith(b"%PDF")
    return done.stdout


@pytest.mark.nightly
@pytest.mark.process
def test_the_whole_library_compiles(tmp_path: Path) -> None:
    systems = (*(load(name) for name in system_names()), load("covington[d=1]"))
    log = compiled(
        report_latex(Report(tuple(verify_system(s, replace(EFFORT, in_depth=False)) for s in systems))), tmp_path
    )

    assert "Missing character" not in log


@pytest.mark.process
def test_hostile_texts_compile_and_mean_nothing(tmp_path: Path) -> None:
    hostile = r"\input{/etc/passwd} $ % & # _ ^ ~ { } \end{document} <script> é Š 日本"
    text = source_of("arc-eager").replace(
        '"Nivre 2003; Nivre 2008, Figure 5; Goldberg & Nivre 2012 (costs)"', f'"{hostile}"'
    )
    text = text.replace("if head(i)", "", 1)
    latex = report_latex(Report((verify_system(load(text), EFFORT),)))
    log = compiled(latex, tmp_path)

    assert "passwd" not in log
    assert "A counterexample with 2 words" in latex


@pytest.mark.process
def test_a_proof_is_shown_with_its_invariant(tmp_path: Path) -> None:
    report = verify_system(load("arc-hybrid"), EFFORT)
    invariant = (
        ("in σ no node has a head", "∀x: x ∈ σ ⇒ ¬HEAD(x)"),
        ("neighbours", "∀x,y: (0 ≤ x < |σ| - 1 ∧ σ[x] < y < σ[x + 1]) ⇒ (σ[x] →* y ∨ σ[x + 1] →* y)"),
        ("", "∀x: x is not gone ⇒ (0 ≤ x ≤ n) # 100% _ & ∪ λ1 ⟨odd⟩"),
    )
    claim = report.system.figure.claims[0]
    conjuncts = tuple(Conjunct(name, formula) for name, formula in invariant)
    first = report.claims[0].with_theorem(
        Theorem(claim, None, invariant=conjuncts, obligations=(discharged("z3", "cvc5"),))
    )
    latex = report_latex(Report((replace(report, claims=(first, *report.claims[1:])),)))
    compiled(latex, tmp_path)

    assert r"$\forall x\colon x\in \sigma$ ${}\Rightarrow \neg \textsc{head}(x)$" in latex
    assert "proved, all $n$" in latex
    assert "Nothing is left open." in latex


def test_a_ranking_function_is_a_formula() -> None:
    report = verify_system(load("arc-hybrid"), replace(EFFORT, in_depth=False))
    claim = report.system.figure.claims[2]
    ranked = Theorem(claim, None, method=Method(ranking="-1 + |σ| + 2 |β|"), obligations=(discharged("z3", "cvc5"),))
    latex = report_latex(Report((replace(report, claims=(report.claims[2].with_theorem(ranked),)),)))

    assert r"By $V=-1+|\sigma|+2|\beta|$: 1 obligation" in latex


def test_the_command_writes_it(arcproof: Callable[..., Result], tmp_path: Path) -> None:
    result = arcproof("report", "arc-hybrid", "--latex", "--words", "2", "--samples", "0")

    assert result.code == 0
    assert "report/appendix.tex written" in result.out
    text = (tmp_path / "report" / "appendix.tex").read_text(encoding="utf-8")
    assert r"\begin{claim}[exhausted, $n\leq 2$]" in text
    assert load("arc-hybrid").sha256[:8] in text
    assert "verify arc" in text
    assert arcproof("report", "arc-hybrid", "--latex", "--audit", "x.md").code == 2


FALSE_HELP = source_of("arc-hybrid").replace(
    "  start ", "  measure W = |σ|\n  invariant all i in σ: i < 2\n  start ", 1
)
WRONG_ORACLE = source_of("arc-hybrid").replace("complete(j)", "j > 0")


@pytest.mark.parametrize(
    ("text", "refuted", "count"),
    [
        (FALSE_HELP, r"\item invariant all i in $\sigma$: i \textless{} 2: refuted, $n=2$", 1),
        (WRONG_ORACLE, r"\item oracle correct: static on projective trees: refuted, $n=2$", 1),
    ],
)
def test_a_refuted_check_is_stated_in_every_summary(text: str, refuted: str, count: int) -> None:
    system = verify_system(load(text), replace(EFFORT, in_depth=False))
    report = Report((system,))
    latex = report_latex(report)
    name = system.refuted_checks[0].title

    attention = latex.partition(r"\subsection*{What needs attention}")[2].partition(r"\begin{claim}")[0]
    assert refuted in attention
    assert f"{count} check refuted." in attention
    assert refuted in latex.partition(r"\subsection*{What else was checked}")[2]
    assert report.systems[0].summary(Verdict.SAMPLED) == f"{count} check refuted: {name}"
    assert f"  ✗ {name}: refuted, n = 2; " in repr(report)
