"""What the page says, without a browser: parts that are absent are left out, what is there is complete and escaped."""

import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arcproof import __version__
from arcproof.commands import report_command
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.proving.theorem import Conjunct, Theorem
from arcproof.properties.report import Effort, Report, SystemReport
from arcproof.properties.studies.mutation import mutate
from arcproof.properties.verify import verify_system
from arcproof.reports.audit import BadAudit, read_audit
from arcproof.reports.class_diagram import boxes
from arcproof.reports.experiment_results import BadExperiment, read_training
from arcproof.reports.page import Extras, prose, report_html
from arcproof.reports.runs import counterexample_view, first_unreachable, run_view
from arcproof.reports.typeset import formula_markup, typeset
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import graph_of
from arcproof.transitions.library import source_of, system_names
from arcproof.transitions.system import load
from tests.conftest import ROOT, Result
from tests.priceless import without_costs
from tests.properties.proving.made_up import discharged

EFFORT = Effort(3, Sampling(2, 8), engine="interpreter")


@pytest.fixture(scope="module")
def report() -> SystemReport:
    return verify_system(load("arc-eager"), EFFORT)


def test_every_claim_is_there_with_its_scope_engine_time_seed_and_command(report: SystemReport) -> None:
    page = report_html(Report((report,)))

    for finding in (*report.claims, *report.checks):
        assert page.count(f'id="arc-eager.{finding.text.split()[0]}') >= 1
    assert "exhausted, n ≤ 3" in page
    assert "Engine: interpreter, samples" in page
    assert "seed 0" in page
    assert report.system.sha256 in page
    assert f"arcproof {__version__}" in page
    assert "arcproof verify arc-eager --words 3 --samples 2 --sample-words 8 --seed 0 --engine interpreter" in page


def test_the_command_on_the_page_prints_the_same_verdicts(
    report: SystemReport, arcproof: Callable[..., Result]
) -> None:
    page = report_html(Report((report,)))
    [line] = re.findall(r"<code>arcproof (verify [^<]*)</code>", page)
    printed = arcproof(*line.split())

    for finding in report.claims:
        assert re.search(rf"✓  {re.escape(finding.text)} +exhausted, n ≤ 3", printed.out)


def test_a_figure_without_claims_and_one_without_an_oracle_are_shown() -> None:
    bare = source_of("arc-eager").split("  claims")[0]
    page = report_html(Report((verify_system(load(bare), EFFORT),)))
    without = re.sub(
        r"  oracle reduce-late.*?(?=  claims)", "  oracle none\n\n", without_costs("arc-eager"), flags=re.S
    )
    other = report_html(Report((verify_system(load(without), EFFORT),)))

    assert "Nothing is claimed of this system." in page
    assert "A derivation" not in other


def test_nothing_is_loaded_and_no_attribute_runs_code(report: SystemReport) -> None:
    page = report_html(Report((report,)))
    loaded = re.findall(r'(?:src|href)="([^"#][^"]*)"', page)

    assert set(loaded) <= {"data:,"}
    assert not re.search(r"\son[a-z]+=", page)
    assert "url(" not in page
    assert "@import" not in page


def test_a_proof_is_shown_with_invariant_and_obligations(report: SystemReport) -> None:
    invariant = (Conjunct("<b>", "∀x: x ∈ σ ⇒ ¬HEAD(x) <b>"),)
    claim, done = report.system.figure.claims[0], (discharged("z3", "cvc5"),)
    first = report.claims[0].with_theorem(Theorem(claim, None, invariant=invariant, obligations=done, seconds=1.5))
    page = report_html(Report((replace(report, claims=(first, *report.claims[1:])),)))

    assert "proved, all n" in page
    assert '∀<i>x</i>: <i>x</i> ∈ <i>σ</i> ⇒ ¬<span class="sc">head</span>(<i>x</i>) &lt;<i>b</i>&gt;' in page
    assert "discharged by z3 and by cvc5" in page
    assert "1 proved for every sentence length" in page
    assert "<b>" not in page.split("The invariant")[1].split("</table>")[0]


def test_every_built_in_figure_is_typeset() -> None:
    for name in system_names():
        figure = typeset(load(name).figure)
        assert len(figure.rules) == len(load(name).figure.rules)
        for rule in figure.rules:
            assert rule.before.count("<i>") == rule.before.count("</i>") > 0
            assert "A" in rule.after.striptags()


def test_formulas_escape_what_they_do_not_know() -> None:
    assert formula_markup("x →G* y") == "<i>x</i> →<sub><i>G</i></sub>* <i>y</i>"
    assert formula_markup("x1 < y' & <script>") == "<i>x</i><sub>1</sub> &lt; <i>y</i>′ &amp; &lt;script&gt;"


# --- runs ------------------------------------------------------------------------------------------------------------


def test_a_run_shows_what_the_interpreter_does() -> None:
    system = load("swap")
    run = system.derive(graph_of([3, 0, 0]))
    view = run_view(system, run)

    assert [row.transition for row in view.rows[1:]] == [str(t) for t in run.transitions]
    for row, c in zip(view.rows, [run.initial, *(step.configuration for step in run.steps)], strict=True):
        assert [tuple(node for node, _ in part.cells) for part in row.parts] == list(c.values)
        assert len(row.shown) == len(c.arcs)
    assert set(view.rows[-1].crossing) <= set(view.rows[-1].shown)


def test_the_counterexample_of_a_broken_figure_can_be_stepped_through() -> None:
    broken = load(source_of("arc-eager").replace("if i != 0, no head(i)", "if i != 0", 1))
    finding = verify_system(broken, replace(EFFORT, in_depth=False)).claims[0]
    assert finding.counterexample is not None
    view = counterexample_view(broken, finding.counterexample)

    assert view is not None
    assert [row.transition.split("(")[0] for row in view.rows[1:]] == ["RIGHT-ARC", "LEFT-ARC"]
    assert view.rows[-1].bad
    assert "already has a head" in view.rows[-1].note
    assert len(view.rows[-1].shown) == 2


def test_the_run_of_a_failing_oracle_is_its_own_and_not_that_of_the_first() -> None:
    text, last = re.subn(
        r"(  oracle reduce-early\n).*?(?=  claims)", r"\1    SHIFT\n\n", without_costs("arc-eager"), flags=re.S
    )
    assert last == 1
    broken = load(text)
    report = verify_system(broken, replace(EFFORT, in_depth=False))
    [check] = [f for f in report.checks if f.claim == "oracle correct" and f.met is False]
    assert check.counterexample is not None
    view = counterexample_view(broken, check.counterexample, "reduce-early")

    assert view is not None
    assert {row.line for row in view.rows[1:]} == {(1, 0)}
    assert 'data-line="1.0"' in report_html(Report((report,)))


def test_a_graph_goes_out_of_reach_where_the_search_says_so() -> None:
    system = load("arc-eager")
    with pytest.raises(NotDerivable) as failure:
        load(
            source_of("arc-eager").replace(
                "j|β   if head(i), exists k in σ: gold k -> j or gold j -> k", "_|β   if head(i)"
            )
        ).derive(graph_of([0, 3, 1]))
    run = failure.value.run
    assert run is not None

    assert [t.name for t in run.transitions][:2] == ["RIGHT-ARC", "REDUCE"]
    assert first_unreachable(system, run, graph_of([0, 3, 1])) == 2


def test_prose_of_a_page_is_typeset_and_escaped() -> None:
    assert prose("`a <= b` breaks 1234567 of <i>, if k != 0; seed 123456") == (
        "<code>a &lt;= b</code> breaks 1,234,567 of &lt;i&gt;, if k ≠ 0; seed 123456"
    )


# --- pictures --------------------------------------------------------------------------------------------------------


def test_the_diagram_of_classes_is_ordered_by_inclusion() -> None:
    found = boxes("trees", 4)
    names = [{r.name for graphs in box.classes for r in graphs.restrictions} for box in found]
    projective = next(k for k, name in enumerate(names) if "projective" in name)
    top = next(k for k, box in enumerate(found) if any(not graphs.restrictions for graphs in box.classes))

    assert found[top].above == ()
    assert found[projective].layer < found[top].layer
    for box in found:
        assert all(found[above].layer > box.layer for above in box.above)
    assert any(above == top for box in found for above in box.above)


def test_classes_of_graphs_with_several_heads_have_a_diagram() -> None:
    """The report on `list-graph` ended with a traceback."""
    names = [r.name for box in boxes("graphs", 2) for graphs in box.classes for r in graphs.restrictions]

    assert {"planar", "acyclic", "connected"} <= set(names)


# --- audit and training ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["# nothing", "\n## Summary\n\n| a | b |\n|---|---|\n| a | b |\n", "\n## Summary\n|a|\n|-|\n|a|b|c|perhaps|\n"],
)
def test_what_is_not_an_audit_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_text(text, encoding="utf-8")

    with pytest.raises(BadAudit):
        read_audit(str(tmp_path / "a.md"))


def test_results_of_an_experiment_are_read(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(
        "variant,treebank,LAS,x\nswap,da,70.1,1\nswap,sl,80.2,2\narc-eager,da,71.0,3\n", encoding="utf-8"
    )

    assert read_training(str(tmp_path)).scores() == [
        ["LAS", "da", "sl"],
        ["swap", "70.1", "80.2"],
        ["arc-eager", "71.0", "–"],
    ]
    (tmp_path / "table.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(BadExperiment):
        read_training(str(tmp_path))


def test_a_missing_treebank_is_reported_before_any_work_is_done(
    arcproof: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_command, "_verified", lambda *_: pytest.fail("a system was verified"))
    assert arcproof("report", "arc-eager", "--treebank", "missing").code == 2
    done = arcproof("coverage", "arc-eager", "--treebank", "artificial-test", "--treebank", "missing")
    assert (done.code, done.out, done.err) == (2, "", "error: missing: No such file or directory\n")


def test_the_page_of_one_system_shows_treebank_and_audit(arcproof: Callable[..., Result], tmp_path: Path) -> None:
    result = arcproof(
        "report", "arc-eager", "--words", "2", "--samples", "0", "--treebank", "artificial-test",
        "--audit", str(ROOT / "proofs_notes" / "claims.md"), "-o", "a.html",
    )  # fmt: skip
    page = (tmp_path / "a.html").read_text(encoding="utf-8")

    assert result.code == 0
    assert "artificial-test" in page
    assert "100 sentences" in page
    assert "N08.20" in page


@pytest.mark.long
def test_mutants_are_shown_with_their_score_and_those_that_survive() -> None:
    system = load("attardi")
    report = verify_system(system, replace(EFFORT, in_depth=False))
    mutation = mutate(system, 3, engine="interpreter")
    page = report_html(Report((report,)), Extras((mutation,)))
    elsewhere = report_html(Report((verify_system(load("arc-eager"), replace(EFFORT, words=1)),)), Extras((mutation,)))
    from_another_process = pickle.loads(pickle.dumps(report))

    assert report_html(Report((from_another_process,)), Extras((mutation,))) == page
    assert f"{mutation.counts['killed']} killed" in page
    assert page.count(">alternative</span>") == mutation.counts["alternative"] > 0
    assert page.count(">equivalent</span>") == mutation.counts["equivalent"]
    assert "arcproof mutate attardi --words 3 --all" in page
    assert "Broken on purpose" not in elsewhere
