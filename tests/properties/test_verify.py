"""Reports: every claim of the library, samples, classes, preconditions, formats."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from arcproof.commands.compare_command import command as compare_command
from arcproof.properties.checks.class_of import check_class
from arcproof.properties.checks.oracle_quality import check_shortest
from arcproof.properties.checks.preconditions import check_preconditions
from arcproof.properties.checks.terminal_closed import check_terminal_closed
from arcproof.properties.checks.useful import check_useful
from arcproof.properties.claims.complete import not_an_output
from arcproof.properties.claims.same_behaviour import check_same_outputs
from arcproof.properties.claims.sound import Soundness
from arcproof.properties.engines.engine import ENGINES, EngineName, default_engine, engine_for
from arcproof.properties.engines.exhaustive import ReplayFailed
from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION, explore
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import RunFault, long_runs
from arcproof.properties.engines.sampled import Sampling, property_check, sample_runs
from arcproof.properties.engines.sampled_graphs import sample_graphs
from arcproof.properties.engines.shortest_derivation import ArcsAreRemoved, shortest_derivation
from arcproof.properties.evidence import Counterexample, Refuted
from arcproof.properties.report import Effort, Report, SystemReport
from arcproof.properties.studies.compare import compare
from arcproof.properties.studies.counts import explore_level
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify, verify_system, verify_systems
from arcproof.reports.page import report_html
from arcproof.reports.sentences import detail_text
from arcproof.transitions import syntax as s
from arcproof.transitions.graph import graph_of
from arcproof.transitions.library import source_of, system_names
from arcproof.transitions.printing.notation import class_text
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.system import load
from tests.catalogue import each
from tests.conftest import ROOT, Result
from tests.priceless import without_costs
from tests.properties.test_claims import changed

FORESTS = s.GraphClass((), "forests")


LIBRARY = [*system_names(), "covington[d=0]", "covington[d=1]", "covington[d=2]", "attardi[d=3]"]


@pytest.mark.long
@pytest.mark.parametrize("name", LIBRARY)
def test_every_claim_of_the_library_is_met_up_to_3_words(name: str) -> None:
    """What attardi, link2 and mh do not derive has four."""
    words = 4 if name.startswith(("attardi", "link2", "mh")) else 3
    is_met(verify_system(load(name), Effort(words, Sampling(2, words=5), in_depth=False, engine="interpreter")))


@pytest.mark.compiler
@pytest.mark.parametrize("name", each(LIBRARY))
def test_every_claim_of_the_library_is_met_up_to_5_words(name: str) -> None:
    is_met(verify_system(load(name), Effort(5, Sampling(10, words=12), in_depth=False, engine="compiled")))


def is_met(report: SystemReport) -> None:
    """Every claim, exhaustively."""
    assert {finding.text: True for finding in report.claims} == {finding.text: finding.met for finding in report.claims}
    assert report.status(Verdict.EXHAUSTED) == "met"


class TestSamples:
    @pytest.mark.long
    def test_a_bug_beyond_the_exhaustive_search_is_found_and_made_small(self) -> None:
        """A system that goes wrong only from six words on: its last word loses its head's neighbour."""
        broken = changed("arc-hybrid", ("LEFT-ARC(l)   σ|i, j|β  =>  σ, j|β  add j -l-> i  if i != 0", "LEFT-ARC(l)   σ|i, j|β  =>  σ, j|β  add j -l-> i  if i != 0 or j > 5"))  # fmt: skip
        exhausted = verify_system(broken, Effort(4, Sampling(0), in_depth=False))
        sampled = verify_system(broken, Effort(4, Sampling(20, 9), in_depth=False))

        assert exhausted.claims[0].verdict is Verdict.EXHAUSTED
        assert sampled.claims[0].verdict is Verdict.REFUTED
        found = sampled.claims[0].counterexample
        assert found is not None
        assert found.words == 6
        assert found.reason == "LEFT-ARC adds an arc into 0"

    def test_the_same_seed_gives_the_same_samples(self) -> None:
        system = load("arc-eager")
        checks = {"sound": property_check(system, Soundness(system, FORESTS))}

        assert sample_runs(system, checks, Sampling(20, 10, 7)) == sample_runs(system, checks, Sampling(20, 10, 7))

    def test_a_failure_does_not_make_the_other_samples_more(self) -> None:
        system = load("arc-eager")
        sound = property_check(system, Soundness(system, FORESTS))
        outcomes = sample_runs(system, {"sound": sound, "never": lambda _: RunFault((), "no")}, Sampling(20, 10))

        assert outcomes["never"].verdict is Verdict.REFUTED
        assert outcomes["never"].words == 1
        assert outcomes["sound"] == sample_runs(system, {"sound": sound}, Sampling(20, 10))["sound"]

    def test_a_graph_that_no_run_derives_is_found(self) -> None:
        runs = long_runs(load("arc-standard"), default_engine())
        trees = s.GraphClass((), "trees")
        outcome = sample_graphs(trees, lambda heads: not_an_output(runs, heads, []), Sampling(100, 10))

        assert outcome.verdict is Verdict.REFUTED
        assert outcome.words == 3, "the smallest non-projective trees have three words"

    def test_an_oracle_that_fails_does_not_refute_completeness(self) -> None:
        """Samples once refuted `complete` because the oracle was wrong, though every graph has a run."""
        lazy = load(
            "\n".join(line for line in to_source(load("arc-eager").figure).splitlines() if "if gold" not in line)
        )
        report = verify_system(lazy, Effort(3, Sampling(10, 6), in_depth=False))

        assert report.claims[1].text == "complete projective forests"
        assert report.claims[1].verdict is Verdict.EXHAUSTED
        assert any(check.claim == "oracle correct" and check.met is False for check in report.checks)

    @pytest.mark.long
    def test_long_graphs_that_no_oracle_derives_are_left_open_and_not_searched_for_ever(self) -> None:
        """arc-hybrid with a wrong oracle: the system is complete, and a search for 20 words would not end."""
        wrong = changed("arc-hybrid", ("if gold i -l-> j, complete(j)", "if gold i -l-> j"))
        report = verify_system(wrong, Effort(3, Sampling(5, 20), in_depth=False))

        assert report.claims[1].verdict is Verdict.EXHAUSTED
        assert "sampled" not in detail_text(report.claims[1])
        assert report.status(Verdict.SAMPLED) == "refuted", "the oracle is wrong, and that counts"

    def test_a_sample_that_contradicts_the_exhaustive_engine_is_an_alarm(self) -> None:
        report = verify_system(load("arc-hybrid"), Effort(3, Sampling(0), in_depth=False))
        found = Counterexample(2, None, None, "made up")

        with pytest.raises(ReplayFailed):
            report.claims[0].with_samples(Refuted("samples", found, 1, 0))


class TestWhichClass:
    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("arc-eager", "projective forests"),
            ("swap", "trees"),
            ("list-nonprojective", "forests"),
            ("arc-hybrid", "projective trees"),
        ],
    )
    def test_the_class_is_recognised(self, name: str, expected: str) -> None:
        equal = [class_text(r.graphs) for r in check_class(Levels(load(name), 4)) if r.relation == "equal"]

        assert expected in equal

    def test_witnesses_are_the_smallest_on_each_side(self) -> None:
        relations = {class_text(r.graphs): r for r in check_class(Levels(load("attardi"), 4))}

        assert relations["projective trees"].relation == "contains"
        assert str(relations["projective trees"].outside) == "0,0,1"
        assert relations["trees"].relation == "contained"
        assert relations["trees"].missing == graph_of((0, 1, 0, 2))

    def test_an_output_that_is_not_well_formed_is_outside_every_class(self) -> None:
        """Such outputs were once left out, and a broken system was called equal to its class."""
        broken = changed("arc-eager", ("if i != 0, no head(i)", "if i != 0"))
        relations = {class_text(r.graphs): r for r in check_class(Levels(broken, 3))}

        assert relations["projective forests"].relation == "contains"
        assert str(relations["projective forests"].outside) == "{(0, 1), (2, 1), (0, 2)}"

    def test_a_class_without_graphs_says_nothing(self) -> None:
        names = [class_text(r.graphs) for r in check_class(Levels(load("swap"), 3))]

        assert "ill-nested trees" not in names


class TestParts:
    def test_preconditions_are_needed_redundant_or_free(self) -> None:
        found = {(n.transition, n.precondition): n.status for n in check_preconditions(Levels(load("arc-eager"), 3))}

        assert found == {
            ("LEFT-ARC", "i != 0"): "needed",
            ("LEFT-ARC", "no head(i)"): "needed",
            ("RIGHT-ARC", "no head(j)"): "redundant",
            ("REDUCE", "head(i)"): "needed",
        }
        free = {(n.transition, n.precondition): n.status for n in check_preconditions(Levels(load("attardi"), 4))}
        assert free["LEFT-ARC", "|τ| <= d - 1"] == "free"

    def test_a_precondition_that_only_keeps_runs_from_looping_is_not_redundant(self) -> None:
        """Redundant once meant that the same configurations are reached, and a self-loop adds none."""
        text = to_source(load(without_costs("arc-eager")).figure).replace(
            "  default", "  STAY  σ|i, β => σ|i, β if i = 0, head(i)\n\n  default", 1
        )
        needs = {(n.transition, n.precondition): n.status for n in check_preconditions(Levels(load(text), 2))}

        assert needs["STAY", "head(i)"] != "redundant"

    def test_a_small_memory_ends_without_a_traceback(self) -> None:
        report = verify_system(load("arc-eager"), Effort(4, Sampling(0), memory=100 * BYTES_A_CONFIGURATION))

        assert report.claims[0].words == 3
        assert report.summary(Verdict.SAMPLED) == "inconclusive: the search hit the --memory limit at 3 of 4 words"
        assert {need.status for need in report.depth.needs} == {"needed", "unknown"}, (
            "variants do not fit beside the figure"
        )

    def test_a_figure_without_claims_is_inconclusive(self) -> None:
        bare = "system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal β = []\nSHIFT σ, i|β => σ|i, β\n"

        assert verify(bare, words=2, samples=2).exit_code(Verdict.SAMPLED) == 3

    def test_an_arc_from_0_makes_a_system_with_a_root(self) -> None:
        text = (
            "system x\nstate buffer β\nstart [1..n]\nfinal β = []\nROOT(l) i|β => β add 0 -l-> i\noracle o\n "
            "ROOT(l) i|β if gold 0 -l-> i\n"
        )

        assert len(load(text).derive(graph_of((0, 0)))) == 2

    def test_equivalence_reads_words_without_a_head_as_compare_does(self) -> None:
        outcome = check_same_outputs(Levels(load("arc-eager-2003"), 3), "arc-standard-stack")

        assert outcome.verdict is Verdict.EXHAUSTED

    @pytest.mark.parametrize(
        ("bound", "verdict"), [("= 2n + 1", "refuted"), ("<= n + #SHIFT", "unknown"), (">= 1", "unknown")]
    )
    def test_bounds_on_space_that_are_not_plain(self, bound: str, verdict: str) -> None:
        system = changed("arc-standard", ("space <= 2n + 1", f"space {bound}"))
        report = verify_system(system, Effort(3, Sampling(5, 8), in_depth=False))
        finding = next(f for f in report.claims if f.claim == "space")

        assert finding.verdict.value == verdict

    def test_a_claim_that_is_refuted_anyway_needs_no_precondition(self) -> None:
        broken = changed("arc-eager", ("if i != 0, no head(i)", "if i != 0"))
        needs = check_preconditions(Levels(broken, 3))

        assert all(need.breaks != "sound projective forests" for need in needs)

    def test_an_endless_system_does_not_hang_the_search_for_preconditions(self) -> None:
        """Without `0 < i < j` two words can be swapped for ever, and without `k < 2` the counter would count that."""
        needs = {need.precondition: need.status for need in check_preconditions(Levels(load("swap-max2"), 3))}

        assert needs == {"i != 0": "needed", "0 < i < j": "needed", "k < 2": "redundant"}

    def test_a_transition_that_can_be_left_out_is_named(self) -> None:
        uses = {use.transition: use for use in check_useful(Levels(load("choi-palmer"), 3))}

        assert uses["LEFT-POP"].lost is None
        assert uses["LEFT-ARC"].lost is not None
        assert all(use.occurs for use in uses.values())

    def test_terminal_is_not_closed_where_a_rule_ignores_the_buffer(self) -> None:
        """NO-ARC as printed in Nivre 2008, Figure 7, does not mention the buffer."""
        nivre, choi = Levels(load("list-nonprojective"), 3), Levels(load("choi-palmer"), 3)
        bound = next(c.statement for c in nivre.system.figure.claims if isinstance(c.statement, s.LengthBound))

        assert check_terminal_closed(nivre, [bound]).verdict is Verdict.REFUTED
        assert check_terminal_closed(choi, [bound]).verdict is Verdict.EXHAUSTED

    def test_an_oracle_that_is_not_shortest_is_shown_its_smallest_graph(self) -> None:
        forests = s.GraphClass((s.Restriction("projective"),), "forests")
        late, early = (
            check_shortest(Levels(load("arc-eager"), 3), name, forests) for name in ("reduce-late", "reduce-early")
        )

        assert late.longer_on is None
        assert early.longer_on == graph_of((0, None))
        assert (early.taken, early.needed) == (3, 2)

    def test_a_search_finds_a_shortest_derivation_or_none(self) -> None:
        gold = graph_of((0, 1, 0, 2))

        assert shortest_derivation(load("attardi"), gold) is None
        found = shortest_derivation(load("swap"), gold)
        assert found is not None
        assert found.graph.heads == gold.heads
        space = explore(load("swap"), 4)
        assert len(found) == space.depth(space.first_ends[gold.heads])
        with pytest.raises(ArcsAreRemoved):
            shortest_derivation(load(REMOVES), graph_of((0,)))


REMOVES = """system removes
state stack σ, buffer β
start [0], [1..n]
final β = []
SHIFT(l)  σ|i, j|β => σ|i, β  remove * -> j  add i -l-> j
"""


@pytest.mark.compiler
@pytest.mark.parametrize("name", ENGINES)
def test_a_system_that_loops_has_no_longest_run(name: EngineName) -> None:
    level = explore_level(engine_for(changed("swap", ("if 0 < i < j", "if 0 < i, 0 < j")), name), 2).counted

    assert level is not None
    assert level.longest is None
    assert level.shortest == 4
    assert level.ambiguity is None


# --- formats ---------------------------------------------------------------------------------------------------------


def schema(name: str) -> dict[str, object]:
    loaded: dict[str, object] = json.loads(files("arcproof.schemas").joinpath(f"{name}.schema.json").read_text())
    return loaded


@pytest.fixture(scope="module")
def report() -> Report:
    broken = changed("arc-eager", ("if i != 0, no head(i)", "if i != 0"))
    incomplete = changed("swap-max2", ("k < 2", "k < 1"), ("witness 2,3,5,0,4,0,1", "witness 0,0,0,1,2"))
    return Report(tuple(verify_system(system, Effort(3, Sampling(3, 8))) for system in (broken, incomplete)))


def test_hostile_names_stay_text() -> None:
    text = '\n'.join(
        ['system x', 'cite "<script>alert(1)</script> & [bold]x[/bold]"', 'note "</style><img src=x onerror=y>"',
         'state stack σ, buffer β', 'start [0], [1..n]', 'final β = []', 'SHIFT  σ, i|β => σ|i, β', 'claims', 'terminates']
    )  # fmt: skip
    page = report_html(verify(load(text + "\n"), words=2, samples=2))

    assert page.count("<script") == 1
    assert page.count("</style") == 1
    assert "<img" not in page


def test_verify_exit_codes(arcproof: object, tmp_path: Path) -> None:
    assert callable(arcproof)
    broken = changed("arc-hybrid", ("length = 2n", "length = 3n"))
    (tmp_path / "broken.tsys").write_text(to_source(broken.figure), encoding="utf-8")

    assert arcproof("verify", "arc-hybrid", "--words", "2", "--samples", "0", "--claims-only").code == 0
    assert arcproof("verify", "broken.tsys", "--words", "2", "--samples", "0", "--claims-only").code == 1
    assert (
        arcproof("verify", "arc-hybrid", "--words", "2", "--require", "proved", "--samples", "0", "--claims-only").code
        == 3
    )
    assert arcproof("verify", "arc-hybrid", "--memory", "lots").code == 2
    assert arcproof("compare", "swap", "arc-eager", "--words", "0").code == 3
    assert arcproof("explore", "swap", "--words", "4", "--memory", "400K").code == 3
    assert compare_command.name == "compare"


def test_memory_that_ended_the_search_is_named_though_it_was_interrupted_later() -> None:
    def interrupt(what: str) -> None:
        if "samples" in what:
            raise KeyboardInterrupt

    effort = Effort(5, Sampling(3), memory=200 * BYTES_A_CONFIGURATION, engine="interpreter")
    report = verify_system(load("arc-eager"), effort, interrupt)

    assert report.interrupted
    assert report.summary(Verdict.SAMPLED) == "inconclusive: the search hit the --memory limit at 3 of 5 words"


@pytest.mark.long
def test_a_time_limit_ends_with_what_is_known(arcproof: object) -> None:
    assert callable(arcproof)
    result: Result = arcproof("verify", "swap", "--words", "8", "--timeout", "1", "--json", "-")
    value = json.loads(result.out)

    jsonschema.validate(value, schema("verify"))
    assert result.code == 3
    assert value["interrupted"] is True


@pytest.mark.compiler
@pytest.mark.parametrize("rule", ["COPY  σ|i, β => σ|i|i, β", "COPY  σ, i|β => σ, i|i|β"])
@pytest.mark.parametrize("name", ENGINES)
def test_a_state_that_grows_without_bound_is_given_up(rule: str, name: EngineName) -> None:
    text = f"system x\nshared\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal σ = []\n{rule}\nclaims\nterminates\n"
    report = verify(text, words=3, samples=0, engine=name)

    assert report.systems[0].claims[0].verdict is Verdict.UNKNOWN
    assert not explore_level(engine_for(load(text), name), 2).complete


def test_a_negated_claim_is_not_met_by_the_empty_sentence() -> None:
    text = (
        "system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal σ = [], β = []\nSHIFT σ, i|β => σ|i, "
        "β\nclaims\nnot complete forests\n"
    )
    found = verify(text, words=0, samples=0).systems[0].claims[0]

    assert found.met is None


def test_arcs_added_twice_are_noted_when_systems_are_compared() -> None:
    twice = changed("arc-eager", ("if i != 0, no head(i)", "if i != 0"))

    assert compare(Levels(twice, 3), Levels(load("arc-eager"), 3)).clashes == (True, False)


@pytest.mark.process
def test_ctrl_c_shows_the_levels_that_are_done(tmp_path: Path) -> None:
    options = ["--words", "8", "--engine", "interpreter", "--json"]
    command = [sys.executable, "-m", "arcproof", "explore", "swap", *options]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    time.sleep(5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)

    assert process.returncode == 3
    assert json.loads(out)["levels"][0]["configurations"] == 3


# --- side by side ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["covington[d=1]", "swap-max2"])
def test_a_system_goes_to_another_process_as_it_is(name: str) -> None:
    system = load(name)
    again = pickle.loads(pickle.dumps(system))
    assert again == system
    assert again.name == system.name


@pytest.mark.nightly
@pytest.mark.compiler
@pytest.mark.process
def test_systems_side_by_side_are_found_as_one_after_the_other() -> None:
    broken = changed("arc-eager", (", no head(i)", ""))
    systems = [load("arc-standard"), broken, load("swap-max2")]
    effort = Effort(3, Sampling(5), 10**9, jobs=2)
    told: list[str] = []

    found = verify_systems(systems, effort, lambda report: told.append(report.system.name))

    assert sorted(told) == sorted(system.name for system in systems)
    assert [report.effort for report in found.systems] == [effort] * 3
    for report, system in zip(found.systems, systems, strict=True):
        alone = verify_system(system, effort)
        assert [(f.question, f.decided, f.met) for f in report.claims] == [
            (f.question, f.decided, f.met) for f in alone.claims
        ]
        assert report.depth.classes == alone.depth.classes


@pytest.mark.process
def test_systems_of_the_same_name_have_a_report_each() -> None:
    right, broken = load(source_of("arc-eager")), changed("arc-eager", (", no head(i)", ""))
    assert right.reference == broken.reference
    effort = Effort(2, Sampling(0), 10**9, in_depth=False, engine="interpreter", jobs=2)
    for systems in ([right, broken], [broken, right]):
        found = verify_systems(systems, effort)
        assert [one.system.text for one in found.systems] == [one.text for one in systems]
        assert [one.status(Verdict.EXHAUSTED) == "refuted" for one in found.systems] == [
            one is broken for one in systems
        ]


@pytest.mark.compiler
@pytest.mark.process
def test_after_ctrl_c_systems_that_are_not_done_are_open() -> None:
    systems = [load("arc-eager"), load("arc-hybrid")]
    effort = Effort(2, Sampling(0), 10**9, jobs=2)

    def interrupted(_: SystemReport) -> None:
        raise KeyboardInterrupt

    found = verify_systems(systems, effort, interrupted)

    assert found.interrupted
    assert [report.looked_at for report in found.systems].count(False) == 1
