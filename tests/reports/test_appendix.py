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
from arcproof.reports.appendix import formula_latex, report_latex, statement_latex
from arcproof.reports.page import report_html
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


GOLD = (
    ("only gold arcs are built", "∀x,y: x → y ⇒ x →G y"),
    ("a word with a head has its gold head", "∀x: HEAD(x) ⇒ gold_head(x) → x"),
    ("gold arcs wait", "∀x,y: x →G* y ⇒ σ[|σ| - 1] ≤ last(y)"),
)
TWICE = (
    ("|σ| ≥ 1", "1 ≤ |σ|"),
    ("→* is reflexive", "∀x: x →* x"),
    ("σ is not empty", "1 ≤ |σ|"),
    ("|σ| + |β| = n", "|σ| + |β| = n"),
)


def with_invariants(*invariants: tuple[tuple[str, str], ...]) -> str:
    """The appendix of a figure whose first claims are said to be proved with these conjuncts."""
    report = verify_system(load("arc-hybrid"), replace(EFFORT, in_depth=False))
    claims = [
        finding.with_theorem(
            Theorem(
                claim,
                None,
                invariant=tuple(Conjunct(name, formula) for name, formula in invariant),
                obligations=(discharged("z3", "cvc5"),),
            )
        )
        for claim, finding, invariant in zip(report.system.figure.claims, report.claims, invariants, strict=False)
    ]
    return report_latex(Report((replace(report, claims=(*claims, *report.claims[len(claims) :])),)))


def test_a_ranking_function_is_a_formula() -> None:
    report = verify_system(load("arc-hybrid"), replace(EFFORT, in_depth=False))
    claim = report.system.figure.claims[2]
    ranked = Theorem(claim, None, method=Method(ranking="-1 + |σ| + 2 |β|"), obligations=(discharged("z3", "cvc5"),))
    latex = report_latex(Report((replace(report, claims=(report.claims[2].with_theorem(ranked),)),)))

    assert r"By $V=-1+|\sigma|+2|\beta|$: 1 obligation" in latex


@pytest.mark.process
def test_gold_arcs_are_arrows_with_a_subscript(tmp_path: Path) -> None:
    latex = with_invariants(GOLD)
    compiled(latex, tmp_path)

    assert r"${}\Rightarrow x\rightarrow_{G} y$" in latex
    assert r"x\rightarrow_{G}^{*} y$" in latex
    assert r"${}\Rightarrow g(x)\rightarrow x$" in latex
    assert r"\operatorname{last}(y)" in latex
    assert "is an arc of the gold graph" in latex
    assert "is the head of $x$ in the gold graph" in latex
    assert r"\rightarrow G" not in latex


def test_no_conjunct_is_said_twice() -> None:
    latex = with_invariants(TWICE, (*GOLD[:1], *TWICE[2:], *TWICE[1:2]), TWICE[:1])

    for _, formula in (*TWICE, *GOLD[:1]):
        assert latex.count(f"{formula_latex(formula)} \\\\") + latex.count(f"{{{formula_latex(formula)}}} \\\\") == 1, (
            formula
        )
    assert r"(1) & $\sigma$ is not empty & $1\leq |\sigma|$ \\" in latex
    assert latex.partition("(3) & ")[2].startswith(r"\multicolumn{2}")
    assert "The invariant: (1)--(3) and\n" in latex
    assert "The invariant: (1).\n" in latex
    assert latex.count("(4) & ") == 1


def test_claims_are_sentences_with_the_parameters_put_in() -> None:
    covington = load("covington[d=1]")
    sound, complete, length, published, _ = covington.figure.claims

    assert statement_latex(covington, sound.statement) == (
        "Every output is one of the forests with edge-degree-2007 $\\leq$ 1, and no transition of any run, even of one that does not end, "
        "adds an arc into $0$ or to a word that has a head at that moment."
    )
    assert "is the output of some run" in statement_latex(covington, complete.statement)
    assert statement_latex(covington, length.statement) == (
        "The number of transitions of a run for $n$ words is exactly $n(n + 3)/2$."
    )
    assert r"\textsc{No-Arc}" in statement_latex(covington, published.statement)


def test_formulas_can_be_broken() -> None:
    assert formula_latex("1 ≤ |σ| ∧ 0 ∈ λ1 ⇒ σ[0] = 0") == (
        r"$1\leq |\sigma|$ ${}\wedge 0\in \lambda_{1}$ ${}\Rightarrow \sigma[0]=0$"
    )


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


@pytest.mark.process
@pytest.mark.parametrize("text", [FALSE_HELP, WRONG_ORACLE])
def test_refuted_checks_compile(text: str, tmp_path: Path) -> None:
    compiled(report_latex(Report((verify_system(load(text), replace(EFFORT, in_depth=False)),))), tmp_path)


def test_help_that_no_proof_uses_is_said_to_be_unchecked() -> None:
    report = Report((verify_system(load(FALSE_HELP), replace(EFFORT, in_depth=False)),))

    assert "no proof shown here uses it, and it is not checked otherwise" in report_latex(report)
    assert "No proof shown here uses `measure W = |σ|`" in report_html(report)


def test_a_sound_figure_needs_no_attention() -> None:
    latex = report_latex(Report((verify_system(load("arc-hybrid"), replace(EFFORT, in_depth=False)),)))

    assert "What needs attention" not in latex
