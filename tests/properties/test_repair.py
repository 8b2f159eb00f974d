"""Repair: slips are found again, suggestions are verified, limits are kept and told."""

from collections.abc import Callable, Hashable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from arcproof.process.interruption import TimeIsOver
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.evidence import Counterexample, Refuted
from arcproof.properties.finding import Finding
from arcproof.properties.property import checks_of, counts
from arcproof.properties.studies.changes import changes
from arcproof.properties.studies.cost_slips import COST_OPERATORS
from arcproof.properties.studies.edits import alternatives_of, edits_of, new_lines_of
from arcproof.properties.studies.faults import Fault, behaviour, shows_again
from arcproof.properties.studies.mutants import mutants_of
from arcproof.properties.studies.repair import Repairs, _trials, claims_that_hold, refutations, repair_refuted
from arcproof.properties.studies.repair import repair as repair_in_time
from arcproof.properties.studies.trials import EditedFigure, RepairEffort
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify
from arcproof.reports.repair import nearest_text, to_text
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Transition
from arcproof.transitions.graph import graph_of
from arcproof.transitions.printing.notation import claim_text
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.system import System, load
from tests.examples import TAGGING
from tests.in_process import Result
from tests.priceless import without_costs
from tests.properties.test_claims import changed
from tools.repair_rate import attempts

ANOTHER_NODE = """\
arc-eager: refuted up to 3 words
  complete projective forests: 0,0 is among the projective forests but is not the output of any run
  exact goldberg-nivre on projective trees: in ([0], [1, 2], {}) on the way to 0,0 the oracle says 1 for SHIFT; it costs 0
  arc-decomposable on projective trees: in ([0], [1, 2], {}) each of (0, 1), (0, 2) can still be built, but at most 1 of them together
  oracle correct: reduce-late on projective forests: arc-eager with oracle reduce-late does not derive 0,0; it cannot build the arc (0, 2): \
after 1 transition REDUCE is not permissible in ([0, 1], [2], {(0, 1)}): the precondition `head(0)` is violated with i = 1
  oracle correct: reduce-early on projective forests: arc-eager with oracle reduce-early does not derive 0,0; it cannot build the arc (0, 2): \
after 1 transition REDUCE is not permissible in ([0, 1], [2], {(0, 1)}): the precondition `head(0)` is violated with i = 1

tried: 161 figures one edit away

1. one edit away: REDUCE: `head(0)` → `head(i)`
   - REDUCE σ|i, β => σ, β if head(0)
   + REDUCE σ|i, β => σ, β if head(i)
   meets every claim up to 3 words; it derives 30 graphs of 3 words
"""


def repair(system: System, seconds: float = 600, **how: Any) -> Repairs:
    """However busy the machine is."""
    return repair_in_time(system, seconds=seconds, **how)


@pytest.fixture(autouse=True)
def _interpreted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler, unless the test asks for one."""
    if request.node.get_closest_marker("compiler") is None:
        monkeypatch.setenv("ARCPROOF_ENGINE", "interpreter")


def another_node() -> System:
    return changed("arc-eager", ("=>  σ, β                    if head(i)", "=>  σ, β                    if head(0)"))


def test_a_slip_is_found_and_shown_as_a_difference() -> None:
    found = repair(another_node(), words=3)

    assert to_text(found) == ANOTHER_NODE
    assert found.suggestions[0].system.figure == load("arc-eager").figure
    assert nearest_text(found) == "one edit away: REDUCE: `head(0)` → `head(i)` meets every claim"
    assert found.exit_code == 0


def test_a_line_of_an_oracle_that_is_missing_is_found() -> None:
    found = repair(changed("arc-hybrid", ("    RIGHT-ARC(l)  σ|i|j, β  if gold i -l-> j, complete(j)\n", "")), words=3)

    assert [str(change) for change in changes(found.system.figure, found.suggestions[0].system.figure)] == [
        "oracle static: `RIGHT-ARC(l) σ|i|j, β if gold i -l-> j, complete(j)` is added"
    ]


@pytest.mark.long
def test_a_transition_that_is_missing_is_found_with_its_line_in_the_oracle() -> None:
    text = to_source(load(without_costs("arc-hybrid")).figure)
    kept = [
        line
        for line in text.split("\n")
        if line.strip() and line.split()[0] != "SHIFT" and line.strip() != "default SHIFT"
    ]
    found = repair(load("\n".join(kept)), words=3)

    assert [str(change) for change in found.suggestions[0].changes] == [
        "NEW: `NEW σ, i|β => σ|i, β` is added",
        "oracle static: `NEW` is added",
    ]


SINGLE_ROOT = """system single
state stack σ, buffer β{flag}
start [0], [1..n]{value}
final σ = [0], β = []
LEFT(l)   σ|i, j|β{f}  =>  σ, j|β{f}   add j -l-> i  if i != 0
RIGHT(l)  σ|i|j, β{f}  =>  σ|i, β{f}   add i -l-> j{condition}
{root}
SHIFT     σ, i|β{f}    =>  σ|i, β{f}
claims
  sound single-root projective trees
  {complete}
"""
PLAIN = {"flag": "", "value": "", "f": "", "root": "", "condition": "", "complete": ""}
BY_BUFFER = PLAIN | {"condition": "  if i != 0", "complete": "complete single-root projective trees"}
BY_FLAG = PLAIN | {
    "flag": ", flag f",
    "value": ", false",
    "f": ", f",
    "condition": "  if i != 0",
    "root": "ROOT(l)  σ|0|j, β, f  =>  σ|0, β, f  add 0 -l-> j  if not f",
}


@pytest.mark.parametrize(
    ("parts", "change"),
    [
        (PLAIN, "RIGHT: `no dependent(0)` is added"),
        (BY_BUFFER, "RIGHT: `i != 0` → `i != 0 or β = []`"),
        (BY_FLAG, "ROOT: `σ|0, β, f` → `σ|0, β, true`"),
    ],
    ids=["dependents of 0", "alternative", "flag"],
)
def test_each_way_to_have_a_single_root_is_one_edit_away(parts: dict[str, str], change: str) -> None:
    found = repair(load(SINGLE_ROOT.format(**parts)), words=3, edits=1, samples=0)

    assert change in [str(one) for suggestion in found.suggestions for one in suggestion.changes]


TAGS_OF_OTHERS = TAGGING.replace("gold tag i", "gold tag j")


def test_an_oracle_that_takes_the_tag_of_another_word_is_repaired() -> None:
    found = repair(load(TAGS_OF_OTHERS), words=2, edits=1, samples=0)

    assert [str(change) for suggestion in found.suggestions for change in suggestion.changes] == [
        "oracle static: `gold tag j p` → `gold tag i p`"
    ]


def test_every_edit_of_an_oracle_keeps_what_binds_its_label() -> None:
    figure = load(TAGS_OF_OTHERS).figure
    edits = [*edits_of(figure), *alternatives_of(figure, of_oracles=True), *new_lines_of(figure)]

    for line in (line for edit in edits for oracle in edit.figure.oracles for line in oracle.lines):
        binders = [c for c in line.conditions if isinstance(c, s.GoldArc | s.GoldTag) and c.label == line.label]
        assert line.label is None or binders, line


def test_an_alternative_in_an_oracle_is_one_edit_away() -> None:
    figure = load("arc-hybrid").figure
    edits = list(alternatives_of(figure, of_oracles=True))

    assert all(edit.is_about_oracles for edit in edits)
    assert "oracle static: `complete(j)` → `complete(j) or no head(i)`" in [
        str(change) for edit in edits for change in changes(figure, edit.figure)
    ]


@pytest.mark.parametrize(
    ("claimed", "holds"),
    [
        ("length = 3n", "length = 2n"),
        ("length <= n + 1", "length <= 2n"),
        ("length >= 3n", "length >= 2n"),
        ("#SHIFT <= n - 1", "#SHIFT <= n"),
        ("#LEFT-ARC = #RIGHT-ARC", "#LEFT-ARC <= n - 2 + #RIGHT-ARC"),
        ("space <= n", "space <= n + 1"),
        ("space = 3n", "space = n + 1"),
    ],
)
def test_it_says_which_bound_may_be_claimed_instead(claimed: str, holds: str) -> None:
    """It changed the figure until a run was as long as was claimed."""
    system = changed("arc-standard-stack", ("length = 2n", claimed))
    limits = RepairEffort(4, engine="interpreter", sampling=Sampling(0))
    refuted, levels = refutations(system, limits, deepens=False)

    assert list(map(claim_text, claims_that_hold(levels, refuted))) == [holds]


WITHOUT_ORACLE = """\
system without-oracle
  state stack σ, buffer β
  start [0], [1..n]
  final |σ| <= 1, β = []
  LEFT-ARC   σ|s, b|β  =>  σ, b|β   add b -> s  if s != 0
  RIGHT-ARC  σ|t|s, β  =>  σ|t, β   add t -> s
  SHIFT      σ, b|β    =>  σ|b, β
  claims
    sound projective trees
    length = 2n + 1
"""


@pytest.mark.long
def test_figures_in_which_no_run_ends_are_not_suggested() -> None:
    """Four of five suggestions for a wrong length were figures that derive nothing, so that every claim was met."""
    found = repair(load(WITHOUT_ORACLE), words=3, edits=1, samples=0)

    assert found.suggestions
    assert all(one.graphs for one in found.suggestions)


@pytest.mark.nightly
@pytest.mark.compiler
def test_the_engines_suggest_the_same() -> None:
    for system in (another_node(), changed("swap", ("if 0 < i < j", "if i < j"))):
        by = [repair(system, words=3, engine=engine) for engine in ("compiled", "interpreter")]  # type: ignore[arg-type]
        assert [[one.system.figure for one in found.suggestions] for found in by[:1]] == [
            [one.system.figure for one in found.suggestions] for found in by[1:]
        ]


@pytest.mark.nightly
@pytest.mark.long
def test_two_slips_are_repaired_where_one_edit_does_not_suffice() -> None:
    system = changed(
        "arc-eager", ("i != 0, no head(i)", "i != 0, head(i)"), ("σ|i, j|β  =>  σ|i|j, β", "σ|i, j|β  =>  σ|j, β")
    )
    found = repair(system, words=3)

    assert found.suggestions[0].system.figure == load("arc-eager").figure
    assert len(found.suggestions[0].edits) == 2
    assert "not all of the latter, because some that work were found first" in to_text(found)
    assert repair(system, words=3, edits=1).exit_code == 1


def test_what_was_interrupted_before_anything_was_refuted_is_open() -> None:
    """With --timeout it said that nothing is refuted, and ended with exit code 0."""
    with patch(
        "arcproof.properties.studies.repair.refutations", side_effect=TimeIsOver("the time limit of 4 s was reached")
    ):
        found = repair(load("arc-hybrid"), words=2, samples=3)

    assert found.exit_code == 3
    assert to_text(found) == (
        "arc-hybrid: the time limit of 4 s was reached before it was known whether anything is refuted\n"
    )


@pytest.mark.long
def test_suggestions_are_verified_up_to_the_number_of_words_asked_for() -> None:
    """With two words a stack of at most two items suffices; with four it does not."""
    limit = changed(
        "arc-hybrid",
        (
            "RIGHT-ARC(l)  σ|i|j, β  =>  σ|i, β  add i -l-> j",
            "RIGHT-ARC(l)  σ|i|j, β  =>  σ|i, β  add i -l-> j  if |σ| <= 0",
        ),
    )
    for words in (2, 4):
        for suggestion in repair(limit, words=words).suggestions:
            assert suggestion.words == words
            assert verify(suggestion.system, words=words, samples=0).exit_code(Verdict.EXHAUSTED) == 0
    best = repair(limit, words=4).suggestions[0]
    assert best.system.figure == load("arc-hybrid").figure


def test_what_only_samples_of_long_sentences_refute_is_repaired_too() -> None:
    limit = changed(
        "arc-hybrid",
        (
            "RIGHT-ARC(l)  σ|i|j, β  =>  σ|i, β  add i -l-> j",
            "RIGHT-ARC(l)  σ|i|j, β  =>  σ|i, β  add i -l-> j  if |σ| <= 8",
        ),
    )
    chain = Counterexample(10, graph_of(list(range(10))), None, "a chain of ten words is not derived")
    complete = Finding(limit, limit.figure.claims[1], (Refuted("samples", chain, 1, 0),))
    found = repair_refuted(limit, (complete,), RepairEffort(3, 1, engine="interpreter", sampling=Sampling(5)))

    assert found.suggestions[0].system.figure == load("arc-hybrid").figure
    assert to_text(found).startswith("arc-hybrid: refuted by samples of more than 3 words\n")


def test_figures_that_behave_the_same_are_merged() -> None:
    found = repair(changed("arc-hybrid", ("add j -l-> i  if i != 0", "add j -l-> i")), words=3)

    others = [
        str(change) for other in found.suggestions[0].alike for change in changes(found.system.figure, other.figure)
    ]
    assert len(found.suggestions) == 1
    assert nearest_text(found) == "one edit away: LEFT-ARC: `i != 0` is added meets every claim"
    assert "LEFT-ARC: `0 < i < j` is added" in others


def test_a_counterexample_is_tried_on_other_figures() -> None:
    eager = load("arc-eager")
    sound = eager.figure.claims[0]
    twice = Counterexample(2, None, (Transition("RIGHT-ARC"), Transition("LEFT-ARC")), "twice")
    without = changed("arc-eager", ("i != 0, no head(i)", "i != 0"))

    assert shows_again(without, Fault(sound, twice))
    assert not shows_again(eager, Fault(sound, twice))
    missing = Fault(s.Claim(s.CompleteFor(s.GraphClass((), "trees"))), Counterexample(3, graph_of([3, 0, 2]), None, ""))
    assert shows_again(eager, missing)
    assert not shows_again(load("swap"), missing)


TWO_CASES = """system x
state stack σ, buffer β
start [0], [1..n]
final σ = [0], β = []
LEFT(l)   σ|i|j, β  =>  σ|j, β    add j -l-> i  if i != 0
RIGHT(l)  σ|i|j, β  =>  σ|i, β    add i -l-> j
SHIFT     σ|i, j|β  =>  σ|i|j, β                if i < j
SHIFT     σ|i, j|β  =>  σ|j, β                  if i >= j
claims
  sound projective trees
"""


@pytest.mark.long
def test_figures_with_cases_that_overlap_are_not_explored() -> None:
    """The interpreter takes the first case, the machine each of them."""
    system = load(TWO_CASES)
    trials = _trials(system, (), RepairEffort(words=3), 0.0)
    faults = [trials.fault_of(EditedFigure((edit,))) for edit in edits_of(system.figure)]
    reasons = [fault.counterexample.reason for fault in faults if fault is not None]

    assert reasons.count("it is not a valid figure: two cases of SHIFT overlap") > 10
    assert None in faults


def test_behaviour_tells_figures_apart_and_is_blind_to_notation() -> None:
    def of(system: System) -> Hashable:
        return behaviour(system, [question for question in checks_of(system) if counts(question)], 3)

    eager = of(load("arc-eager"))
    assert of(changed("arc-eager", ("i != 0, no head(i)", "no head(i), 0 < i < j"))) == eager
    assert of(changed("arc-eager", ("i != 0, no head(i)", "i != 0"))) != eager
    assert of(changed("arc-eager", ("gold k -> j or gold j -> k", "gold k -> j"))) != eager


COUNTS = """\
system counts
  state stack σ, buffer β, counter k
  start [], [1..n], 0
  final β = []
  STEP  σ, i|β, k => σ, β, k - 1
"""


def test_behaviour_is_no_hash_value() -> None:
    """`hash(-1) == hash(-2)`: two figures that differ by one there were once said to behave alike."""
    one, two = (behaviour(load(COUNTS.replace("k - 1", step)), [], 1) for step in ("k - 1", "k - 2"))
    assert hash(-1) == hash(-2)
    assert one != two


LARGE = """\
system large
  state stack σ, buffer β
  start [0], [1..n]
  final β = []
  ARC    σ|i, j|β => σ, i|j|β  remove * -> j  add i -> j
  SHIFT  σ, i|β => σ|i, β
  BACK   σ|i|j, β => σ|i, j|β
  SWAP   σ|i|j, β => σ|j|i, β
  claims
    complete projective trees
"""


@pytest.mark.compiler
def test_a_figure_too_large_to_compare_or_to_explore_is_repaired_as_far_as_it_goes() -> None:
    """Once exit code 70: nearby figures have more than 4,000 configurations of 3 words, and more than fit into 2 MB."""
    found = repair_in_time(load(LARGE), seconds=30, samples=0, most=2, engine="compiled", memory=2 * 2**20)
    assert found.refuted
    assert found.suggestions


@pytest.mark.compiler
def test_the_search_deepens_until_levels_are_expensive() -> None:
    """It began with 5 words: 65 CPU seconds without an answer where the counterexample has 2 words."""
    large = repair_in_time(load(LARGE), seconds=0, samples=0, engine="compiled")
    assert (large.words, [found.counterexample.words for found in large.refuted if found.counterexample]) == (4, [2])
    assert repair_in_time(load(LARGE), seconds=5, samples=0, engine="interpreter").words == 3
    eager = load("arc-eager")
    assert repair_in_time(eager, seconds=0, samples=0, engine="compiled").words == 5
    short = repair_in_time(eager, seconds=0, samples=0, engine="compiled", memory=2**16)
    assert (short.words < 5, short.exit_code) == (True, 0)
    assert repair_in_time(eager, 5, seconds=0, samples=0, engine="compiled", memory=2**16).exit_code == 3


@pytest.mark.long
def test_the_time_of_the_interpreter_holds_for_what_comes_before_and_after_the_search() -> None:
    """Exploring 4 words took 20 seconds before the search began."""
    found = repair_in_time(load(LARGE), 4, seconds=1, samples=0, engine="interpreter")
    assert found.ended_by == "the 1 s allowed by --time ran out"
    assert found.exit_code == 3


@pytest.mark.long
def test_every_slip_but_a_lost_transition_is_taken_back_by_an_edit() -> None:
    """Slips in costs are the business of `test_cost_slips`."""
    system = load("arc-eager")

    def in_any_order(figure: s.Figure) -> s.Figure:
        rules = tuple(replace(rule, preconditions=tuple(sorted(rule.preconditions, key=str))) for rule in figure.rules)
        return replace(figure, rules=rules, final=tuple(sorted(figure.final, key=str)))

    original = in_any_order(system.figure)
    for mutant in mutants_of(system)[::3]:
        if mutant.problem is None and mutant.operator not in ("drop transition", *COST_OPERATORS):
            make = new_lines_of if mutant.operator == "drop oracle line" else edits_of
            assert any(in_any_order(edit.figure) == original for edit in make(mutant.figure)), mutant.description


@pytest.mark.long
def test_the_printed_figure_is_found_again() -> None:
    """A sample of what `python -m tools.repair_rate` measures."""
    tried = list(attempts(["arc-standard-stack"], 3, 16, 5, 1, samples=0))
    found = [one for one in tried if one.place is not None]

    assert len(tried) >= 2
    assert len(found) / len(tried) >= 0.9, [one.change for one in tried if one.place is None]


@pytest.mark.nightly
def test_the_printed_figures_of_all_systems_are_found_again() -> None:
    from arcproof.transitions.library import system_names

    tried = list(attempts(list(system_names()), 3, 10, 0, 1))
    assert sum(one.place is not None for one in tried) / len(tried) >= 0.95


# --- formats ---------------------------------------------------------------------------------------------------------


def test_the_command_prints_writes_and_ends_with_its_code(arcproof: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "mine.tsys").write_text(to_source(another_node().figure), encoding="utf-8")
    done = arcproof("repair", "mine.tsys", "--words", "3", "--time", "600", "--write", "better.tsys")

    assert (done.code, done.out) == (0, ANOTHER_NODE)
    assert load(tmp_path / "better.tsys").figure == load("arc-eager").figure
    assert arcproof("repair", "mine.tsys", "--write", "mine.tsys").code == 2
    assert arcproof("repair", "mine.tsys", "--edits", "3").code == 2
    over = arcproof("repair", "mine.tsys", "--words", "2", "--time", "0.000001", "--engine", "interpreter")
    assert over.code == 3


@pytest.mark.process
def test_suggestions_are_the_same_with_any_number_of_jobs() -> None:
    lines = load("arc-standard-stack").text.replace(" if i != 0", "", 1).split("\n")
    text = "\n".join(line for line in lines if not line.strip().startswith(("exact", "complete")))

    def found(jobs: int) -> list[str]:
        repairs = repair(load(text), words=3, edits=1, engine="interpreter", samples=0, jobs=jobs)
        return [suggestion.system.text for suggestion in repairs.suggestions]

    assert found(2) == found(1)
    assert len(found(1)) > 1
