"""The engines say the same of every claim; results do not depend on the number of workers; limits stop with what is
known.
"""

import warnings
from dataclasses import replace
from math import comb, prod

import numpy as np
import pytest

from arcproof import native
from arcproof.properties import verify
from arcproof.properties.checks.invariant import Invariance
from arcproof.properties.checks.terminal_closed import check_terminal_closed
from arcproof.properties.checks.useful import check_useful
from arcproof.properties.engines import engine as engines
from arcproof.properties.engines.engine import Compiled, EngineName, Interpreter, engine_for, predicted_size
from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION
from arcproof.properties.engines.levels import Levels, Skipped
from arcproof.properties.engines.packed_space import CompiledSpace
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.engines.spaces import OutOfBounds, ReplayFailed
from arcproof.properties.finding import Finding
from arcproof.properties.property import check_statement
from arcproof.properties.report import Effort, SystemReport
from arcproof.properties.studies.compare import compare
from arcproof.properties.studies.counts import explore_level
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.transitions import syntax as s
from arcproof.transitions.library import system_names
from arcproof.transitions.machine.figure_programs import Programs
from arcproof.transitions.machine.packed.explorer import ExplorationSettings, OutOfMemory, explore, streamed
from arcproof.transitions.machine.packed.grading import is_graded
from arcproof.transitions.machine.packed.signs import DEAD_END
from arcproof.transitions.plan import NotPlanned
from arcproof.transitions.system import System, load
from tests.catalogue import LATER, SHARED, fewer
from tests.machine.packed.figures import MANY_LISTS
from tests.properties.test_claims import changed

pytestmark = pytest.mark.compiler


def report(system: System, words: int, engine: EngineName, jobs: int = 1) -> SystemReport:
    return verify_system(system, Effort(words, Sampling(0), engine=engine, jobs=jobs))


def plain(findings: tuple[Finding, ...]) -> list[Finding]:
    """Without what may differ: who found it, and how long it took."""
    return [
        replace(finding, evidence=tuple(replace(piece, engine="") for piece in finding.evidence), seconds=0.0)
        for finding in findings
    ]


def assert_same(one: SystemReport, other: SystemReport) -> None:
    assert plain(one.claims) == plain(other.claims)
    assert plain(one.checks) == plain(other.checks)
    assert (one.depth.classes, one.depth.qualities, one.depth.uses, one.depth.needs) == (
        other.depth.classes,
        other.depth.qualities,
        other.depth.uses,
        other.depth.needs,
    )


@pytest.mark.parametrize("name", system_names())
def test_the_engines_agree_about_the_library(name: str) -> None:
    system = load(name)
    words = min(3, fewer(name, 4))
    compiled = report(system, words, "compiled")

    assert compiled.note is None
    assert {finding.engine for finding in compiled.claims} == {"compiled"}
    assert_same(compiled, report(system, words, "interpreter"))


BROKEN = [
    changed("arc-eager", ("if i != 0, no head(i)", "if i != 0")),
    changed("arc-eager", ("if i != 0, no head(i)", "if no head(i)")),
    changed("swap", ("if 0 < i < j", "if 0 < i, 0 < j")),
    changed("arc-standard-stack", ("if i != 0", "if j != 0")),
    changed("arc-eager", ("if head(i)\n", "\n")),
]


@pytest.mark.parametrize("system", BROKEN, ids=lambda system: system.sha256[:6])
def test_the_engines_agree_about_broken_figures(system: System) -> None:
    """The same claims are refuted, by the same runs."""
    compiled = report(system, 3, "compiled")

    assert any(finding.verdict is Verdict.REFUTED for finding in compiled.claims)
    assert_same(compiled, report(system, 3, "interpreter"))


LARGE_NUMBERS = [
    "length >= 5 * 100^9 #REDUCE - 10 * 100^9",
    "#SHIFT >= 4 * 100^9 #REDUCE - 8 * 100^9",
    "length >= 1000^9 #REDUCE - 2 * 1000^9",
    "length <= n + #RIGHT-ARC / 1000 / 1000 / 1000 / 1000 / 1000 / 1000 / 1000",
    "space <= 2n + 1 - 1 / 1000 / 1000 / 1000 / 1000 / 1000 / 1000",
    "space <= 0 - 1000^9",
]


@pytest.mark.parametrize("claim", LARGE_NUMBERS)
def test_numbers_that_a_machine_word_does_not_hold_refute_all_the_same(claim: str) -> None:
    system = load(load("arc-eager").text.split("claims")[0] + f"claims\n  {claim}\n")
    compiled, interpreted = (
        check_statement(Levels(system, 4, engine=engine_for(system, name)), system.figure.claims[0].statement)
        for name in engines.ENGINES
    )

    assert compiled.verdict is Verdict.REFUTED
    assert replace(compiled, engine="") == replace(interpreted, engine="")


@pytest.mark.parametrize("invariant", ["all i in σ: i != 3", "all i in β: head(i)", "all i in σ: i <= n"])
def test_an_invariant_is_asked_of_every_packed_configuration(invariant: str) -> None:
    system = load(load("arc-standard").text.replace("  final", f"  invariant {invariant}\n  final", 1))
    compiled, interpreted = (
        check_statement(Levels(system, 3, engine=engine_for(system, name)), Invariance(system.figure.invariants[0]))
        for name in engines.ENGINES
    )

    assert compiled.verdict is (Verdict.EXHAUSTED if "<=" in invariant else Verdict.REFUTED)
    assert compiled.engine == "compiled"
    assert interpreted.engine == "interpreter"
    assert replace(compiled, engine="") == replace(interpreted, engine="")


def test_there_is_no_program_for_products() -> None:
    """They belong to claims; in a guard one might be more than a machine word holds."""
    system = load("arc-eager")
    square = s.Arithmetic("*", s.Words(), s.Words())
    final = (*system.figure.final, s.Comparison((square, s.Number(0)), (">=",)))

    with pytest.raises(NotPlanned, match="belongs to claims"):
        Programs(replace(system, figure=replace(system.figure, final=final))).expansion(2)


def test_the_engines_agree_when_they_compare() -> None:
    for pair in (("arc-eager", "arc-standard"), ("arc-eager-2003", "arc-standard-stack"), ("swap", "attardi")):
        systems = [load(name) for name in pair]
        results = [
            compare(*(Levels(system, 3, engine=engine_for(system, engine)) for system in systems))
            for engine in engines.ENGINES
        ]
        assert results[0] == results[1]


GRADED = [
    "arc-eager",
    "arc-eager-2003",
    "arc-eager-graph",
    "arc-hybrid",
    "arc-hybrid-right",
    "arc-hybrid-single-root",
    "arc-standard",
    "arc-standard-single-root",
    "arc-standard-stack",
    "attardi",
    "attardi-original",
    "easy-first",
    "mh",
    "nl-covington",
    "planar",
    "pointer",
]


RANKED = [
    "arc-swift",
    "choi-nicolov",
    "choi-palmer",
    "covington",
    "list-nonprojective",
    "list-projective",
    "swap",
    "swap-max2",
]


OTHERS = [name for name in LATER if name not in GRADED]


PACKED = [name for name in GRADED if name not in SHARED]


def test_which_figures_are_graded() -> None:
    assert [name for name in system_names() if is_graded(load(name))] == GRADED


KEPT = (*SHARED, "arc-eager-single-root", "list-graph", "tree-constrained")
"""No measure is found that grows in every transition, so their configurations are kept to be counted."""


@pytest.mark.parametrize("name", [name for name in system_names() if name not in KEPT])
def test_figures_of_the_library_are_counted_without_being_kept(name: str) -> None:
    found = explore(Programs(load(name)), 5, ExplorationSettings(keep=False))

    assert found.outputs is not None
    assert found.edges is None


@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name, marks=pytest.mark.nightly) for name in GRADED[1:]),
        GRADED[0],
        "swap",
        "covington",
        *(pytest.param(name, marks=pytest.mark.nightly) for name in RANKED if name not in ("swap", "covington")),
        *(pytest.param(name, marks=pytest.mark.nightly) for name in OTHERS),
    ],
)
def test_counting_agrees_with_keeping(name: str) -> None:
    system = load(name)
    for words in range(6):
        counted = engine_for(system, "compiled").count(words, None)
        assert counted == engines.counted(engine_for(system, "compiled").space(words, False, None))
        if words < 5:
            assert counted == Interpreter(system).count(words, None)


def test_known_numbers() -> None:
    eight = engine_for(load("arc-eager"), "compiled").count(8, None)
    assert (eight.configurations, eight.transitions, eight.outputs) == (319_661, 334_930, 120_175)
    swap = engine_for(load("swap"), "compiled").count(6, None)
    assert (swap.configurations, swap.outputs, swap.trees, swap.longest) == (252_006, 16_807, 16_807, 42)


# --- workers ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def _many_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few items are many, so that ranks fall into parts, and workers share them."""
    for constant, value in {"FEW": 8, "PART_ITEMS": 4}.items():
        monkeypatch.setattr(f"arcproof.transitions.machine.packed.counting.{constant}", value)


@pytest.mark.usefixtures("_many_streams")
@pytest.mark.parametrize("name", ["swap", "choi-palmer", "list-projective", *PACKED])
def test_the_number_of_workers_changes_no_count(name: str) -> None:
    code = Programs(load(name))
    counts = [explore(code, 5, ExplorationSettings(keep=False, jobs=jobs)) for jobs in (1, 2, 3)]
    assert (
        len({(c.configurations, c.transitions, c.terminals, c.dead_ends, c.shortest, c.longest) for c in counts}) == 1
    )
    pairs = []
    for c in counts:
        assert c.outputs is not None
        assert c.ways is not None
        pairs.append(sorted(zip(np.concatenate(c.outputs), np.concatenate(c.ways), strict=True)))
    assert pairs[0] == pairs[1] == pairs[2]
    assert len(set(np.concatenate(counts[0].outputs or []))) == len(pairs[0])
    kept = explore(code, 5, ExplorationSettings())
    assert [kept.configurations, kept.transitions] == [counts[0].configurations, counts[0].transitions]


def test_many_workers_do_not_multiply_what_waits() -> None:
    """With 64 of them, swap at 7 words took 7 GB."""
    many = explore(Programs(load("swap")), 5, ExplorationSettings(keep=False, jobs=64))

    assert many.configurations == explore(Programs(load("swap")), 5, ExplorationSettings()).configurations


@pytest.mark.usefixtures("_many_streams")
def test_the_number_of_workers_does_not_change_what_fits() -> None:
    code = Programs(load("arc-eager"))
    whole = [explore(code, 7, ExplorationSettings(keep=False, jobs=jobs)) for jobs in (1, 2, 3)]
    [most] = {found.bytes for found in whole}
    stopped = set()
    for jobs in (1, 2, 3):
        found = explore(code, 7, ExplorationSettings(keep=False, jobs=jobs, memory=most))
        assert found.configurations == whole[0].configurations
        with pytest.raises(OutOfMemory) as caught:
            explore(code, 7, ExplorationSettings(keep=False, jobs=jobs, memory=most - 1))
        stopped.add((caught.value.configurations, caught.value.needed))
    assert len(stopped) == 1


@pytest.mark.usefixtures("_many_streams")
def test_a_rank_that_is_too_large_is_not_dealt_with() -> None:
    """What its successors will take is foreseen from the ranks before."""
    code = Programs(load("arc-eager"))
    whole = explore(code, 7, ExplorationSettings(keep=False))
    with pytest.raises(OutOfMemory) as caught:
        explore(code, 7, ExplorationSettings(keep=False, memory=whole.bytes // 4))
    assert 0 < caught.value.configurations < whole.configurations // 2


def test_workers_follow_oracles_alike() -> None:
    trees = s.GraphClass((), "trees")
    results = []
    for jobs in (1, 2):
        pieces = list(engine_for(load("swap"), "compiled", jobs).follow("eager", trees, 6))
        results.append(np.concatenate([piece.lengths for piece in pieces]))
    assert len(results[0]) == 16_807
    assert np.array_equal(*results)


def test_a_consumer_that_stops_early_is_not_warned() -> None:
    """Whoever stops at the first graph that an oracle does not derive leaves results behind."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pieces = streamed(lambda k: k, range(1000), jobs=2)
        assert next(iter(pieces)) == 0
        pieces.close()


def test_a_worker_failure_is_reported() -> None:
    with pytest.raises(ZeroDivisionError):
        list(streamed(lambda k: 1 // (5 - k), range(10), jobs=2))


# --- limits ----------------------------------------------------------------------------------------------------------


def test_memory_stops_with_what_is_known() -> None:
    system = load("swap")
    levels = Levels(system, 6, 9_000_000, engine_for(system, "compiled"))
    outcome = check_statement(levels, s.Sound(s.GraphClass((), "trees")))

    assert (outcome.verdict, outcome.words) == (Verdict.EXHAUSTED, 5)
    assert levels.skipped[False].words == 6
    assert "configurations" in levels.skipped[False].reason


def test_the_other_reading_does_not_count() -> None:
    """Where continuing past terminal configurations takes too much memory, what was found without it stands, for all
    the words it was found for.
    """
    system = load("arc-eager")
    free, limited = Levels(system, 4), Levels(system, 4)
    limited.skipped[True] = Skipped(3, True, "too large")

    for statement in (s.Sound(s.GraphClass((), "forests")), s.Terminates()):
        assert check_statement(limited, statement) == check_statement(free, statement)
    closed = [check_terminal_closed(levels, ()) for levels in (free, limited)]
    assert [(outcome.verdict, outcome.words) for outcome in closed] == [(Verdict.EXHAUSTED, 4), (Verdict.EXHAUSTED, 2)]
    assert closed[1].cases.count == sum(free.space(n).terminal_count for n in (1, 2))


def test_a_level_is_not_begun_if_it_is_expected_to_be_too_large() -> None:
    engine = engine_for(load("arc-eager"), "compiled")
    for words in range(1, 9):
        engine.count(words, None)

    with pytest.raises(OutOfBounds, match=r"about 1\d{6} configurations are expected"):
        engine.count(9, 10_000_000)


@pytest.mark.parametrize(("keep", "memory"), [(True, 4_000_000), (False, 2_000_000)])
def test_memory_is_watched_during_a_level(keep: bool, memory: int) -> None:
    with pytest.raises(OutOfMemory) as caught:
        explore(Programs(load("arc-eager")), 8, ExplorationSettings(keep=keep, memory=memory))

    assert 0 < caught.value.configurations < 319_661
    assert caught.value.needed > memory


def test_predictions_follow_the_growth() -> None:
    sizes = {n: engine_for(load("arc-eager"), "compiled").count(n, None).configurations for n in range(1, 9)}
    for words in range(5, 9):
        predicted = predicted_size(sizes, words)
        assert predicted is not None
        assert 0.8 < predicted / sizes[words] < 1.25


def test_completeness_goes_further_than_the_configurations() -> None:
    system = load("swap")
    levels = Levels(system, 6, 9_000_000, engine_for(system, "compiled"))
    outcome = check_statement(levels, s.CompleteFor(s.GraphClass((), "trees")))

    assert (outcome.verdict, outcome.words) == (Verdict.EXHAUSTED, 6)


def test_an_oracle_that_fails_says_nothing_about_completeness() -> None:
    """The figure's oracle is not complete for all trees; without the configurations that leaves the claim open."""
    system = load("attardi")
    levels = Levels(system, 4, 1, engine_for(system, "compiled"))
    outcome = check_statement(levels, s.CompleteFor(s.GraphClass((), "trees")))

    assert (outcome.verdict, outcome.words) == (Verdict.EXHAUSTED, 3)
    assert levels.reached < 1


ROOTLESS = """system x
state stack σ, buffer β
start [], [1..n]
final β = []
LEFT-ARC(l)  σ|i, j|β => σ, j|β     add j -l-> i  if no head(i)
RIGHT-ARC(l) σ|i, j|β => σ|i|j, β   add i -l-> j  if no head(j)
REDUCE       σ|i, β => σ, β                       if head(i)
SHIFT        σ, i|β => σ|i, β
oracle one
  LEFT-ARC(l)  σ|i, j|β  if gold j -l-> i
  RIGHT-ARC(l) σ|i, j|β  if gold i -l-> j
  REDUCE       σ|i, j|β  if head(i), exists k in σ: gold k -> j or gold j -> k
  SHIFT
claims
  complete projective forests
"""


def test_without_node_0_an_oracle_does_not_show_that_forests_are_complete() -> None:
    """It leads to a graph without its arcs from 0, which is another forest."""
    system = load(ROOTLESS)
    forests = s.CompleteFor(s.GraphClass((s.Restriction("projective"),), "forests"))
    whole = check_statement(Levels(system, 3, engine=engine_for(system, "compiled")), forests)
    cut = check_statement(Levels(system, 3, 1, engine_for(system, "compiled")), forests)

    assert whole.verdict is Verdict.REFUTED
    assert cut.verdict is Verdict.UNKNOWN


def test_the_sentence_without_words_is_not_a_case_when_oracles_show_completeness() -> None:
    system = load("arc-standard-stack")
    trees = s.CompleteFor(s.GraphClass((s.Restriction("projective"),), "trees"))
    outcome = check_statement(Levels(system, 2, 1, engine_for(system, "compiled")), trees)

    assert (outcome.verdict, outcome.words, outcome.cases.count) == (Verdict.EXHAUSTED, 2, 4)


def test_a_class_is_not_written_out_to_check_a_few_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    """There are 2 * 12^9 forests of ten words, and one output."""
    monkeypatch.setattr("arcproof.properties.checks.class_of.MOST_WORDS", 4)
    text = (
        "system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal β = []\nSHIFT σ, i|β => σ|i, "
        "β\nclaims\nsound forests\n"
    )
    found = verify.verify(text, words=10, samples=0, engine="compiled").systems[0]

    assert (found.claims[0].verdict, found.claims[0].words) == (Verdict.EXHAUSTED, 10)
    assert {relation.words for relation in found.depth.classes} == {4}


def test_what_is_left_out_of_the_other_system_is_listed() -> None:
    system = load(load("nl-covington").text.split("claims")[0] + "claims\n  equivalent to choi-palmer\n")
    found = verify_system(system, Effort(5, Sampling(0), 3_000_000, in_depth=False, engine="compiled"))

    assert (found.claims[0].verdict, found.claims[0].words) == (Verdict.EXHAUSTED, 4)
    assert [skipped.words for skipped in found.skipped] == [5]
    assert found.skipped[0].reason.startswith("choi-palmer: about")


def test_two_systems_share_the_memory() -> None:
    one, other = load("nl-covington"), load("choi-palmer")
    levels = Levels(one, 4, 3_000_000, engine_for(one, "compiled"))
    levels.explored()
    taken = [sum(levels.space(n).bytes for n in range(5))]
    assert levels.memory_left == 3_000_000 - taken[0]
    with levels.up_to(3).other(other, lambda: engine_for(other, "compiled")) as beside:
        beside.explored()
        taken.append(sum(beside.space(n).bytes for n in range(4)))
        assert levels.memory_left == beside.memory_left == 3_000_000 - sum(taken)
    with levels.beside(one, "itself") as variant:
        taken.append(variant.space(2).bytes)
        assert levels.memory_left == variant.memory_left == 3_000_000 - sum(taken)
    assert levels.memory_left == 3_000_000 - sum(taken[:2]), "another system is kept, a variant is not"
    levels.forget()
    assert levels.memory_left == 3_000_000


def test_what_is_left_out_of_a_figure_without_a_transition_is_listed() -> None:
    system = load("arc-eager")
    known = sum(Interpreter(system).space(n, False, None).size for n in (1, 2))
    levels = Levels(system, 2, (known + 1) * BYTES_A_CONFIGURATION)
    uses = check_useful(levels)

    assert max(use.words for use in uses) < 2
    assert {skipped.reason.partition(":")[0] for skipped in levels.all_skipped} == {
        f"arc-eager without {name}" for name in system.transitions
    }


def test_notes_of_engines_for_variants_are_reported() -> None:
    system = load("arc-eager")
    levels = Levels(system, 2, engine=Interpreter(system, "one"))
    for _ in range(2):
        with levels.other(load("swap"), lambda: Interpreter(system, "two")):
            pass

    assert levels.notes == ("one", "swap: two")


# --- the interpreter takes over --------------------------------------------------------------------------------------


def test_without_native_code_the_interpreter_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "IS_HERE", False)
    engine = engine_for(load("arc-eager"), "compiled")

    assert isinstance(engine, Interpreter)
    assert engine.note == f"the compiled engine is not available: {native.HOW_TO_MEND}"


def test_a_transition_may_choose_any_number_of_lengths() -> None:
    rule = "FAR  σ|i|τ|j|υ|k|ρ|m|ω, β  =>  σ|i|j|k|m, β\n"
    text = (
        f"system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal β = []\n{rule}SHIFT σ, i|β => σ|i, "
        "β\nclaims\nsound forests\n"
    )
    system = load(text)
    compiled = report(system, 4, "compiled")

    assert compiled.note is None
    assert_same(compiled, report(system, 4, "interpreter"))


def test_configurations_that_do_not_fit_are_left_to_the_interpreter() -> None:
    text = (
        "system x\nshared\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal β = []\nOFTEN σ, i|β => σ|i|i|i|i, "
        "β\nclaims\nterminates\n"
    )
    found = verify.verify(text, words=2, samples=0, engine="compiled").systems[0]

    assert found.claims[0].verdict is Verdict.EXHAUSTED
    assert found.claims[0].engine == "compiled, interpreter"
    assert found.note is not None
    assert found.note.startswith("the interpreter takes over from 1 word on")


def test_a_finding_says_who_found_it() -> None:
    """Two words do not fit; what one word shows is still the work of native code."""
    text = (
        "system x\nshared\nstate stack σ, buffer β\nstart [], [1..n]\nfinal β = []\nOFTEN σ, i|β => σ|i|i|i|i, "
        "β\nclaims\nlength = 2n\nspace <= 4n\n"
    )
    found = verify.verify(text, words=2, samples=0, engine="compiled").systems[0]

    assert [(finding.verdict, finding.words, finding.engine) for finding in found.claims] == [
        (Verdict.REFUTED, 1, "compiled"),
        (Verdict.EXHAUSTED, 2, "compiled, interpreter"),
    ]


def test_an_oracle_of_a_start_that_does_not_fit_is_left_to_the_interpreter() -> None:
    found = verify.verify(MANY_LISTS, words=4, samples=0, engine="compiled").systems[0]

    assert found.claims[0].verdict is Verdict.EXHAUSTED
    assert found.note is not None
    assert found.note.startswith("the interpreter takes over from 4 words on")


def test_an_oracle_without_a_program_is_left_to_the_interpreter() -> None:
    """More transitions than a code has numbers for."""
    rules = "".join(f"SHIFT-{k} σ, i|β => σ|i, β if |σ| = {k}\n" for k in range(1, 300))
    text = f"system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal β = []\n{rules}oracle static\nSHIFT-1\n"
    engine = engine_for(load(text), "compiled")
    [followed] = engine.follow("static", s.GraphClass((), "forests"), 1)

    assert followed.lengths == [-1, 1]
    assert engine.note == "the interpreter takes over from 1 word on: 299 transitions"


WAYS = """system ways
state   buffer β, counter k, flag e
start   [1..n], 0, false
final   k = 63
A    β, k, e  =>  β, k + 1, true    if k < 63
B    β, k, e  =>  β, k + 1, false   if k < 63
oracle none
"""


def test_more_derivations_than_a_number_holds_are_not_counted() -> None:
    engine = engine_for(load(WAYS), "compiled")
    exact = Interpreter(load(WAYS)).count(1, None).ambiguity

    assert engine.count(1, None).ambiguity is None
    assert exact is not None
    assert exact.most == 2**63


@pytest.mark.parametrize("most", [38, 39, 40, 57])
def test_derivations_are_counted_where_they_and_their_lengths_are_too_much_for_a_word(most: int) -> None:
    """A run may go two steps at once before its last one, so that lengths are not told by ranks."""
    text = WAYS.replace("63", str(most)) + f"C    β, k, e  =>  β, k + 2, e    if k < {most - 1}, k < 3\n"
    text = text.replace("oracle none\n", "") + "oracle none\n"
    code = Programs(load(text))

    assert code.ranking is not None
    assert code.ranking.step == 0
    assert engine_for(load(text), "compiled").count(1, None) == Interpreter(load(text)).count(1, None)


def test_more_derivations_than_a_number_holds_are_not_counted_where_nothing_is_kept() -> None:
    """A stack of k words is cut into four runs in as many ways as three of k + 3 are chosen."""
    rule = "A σ·τ·υ·ρ, i|β => σ·τ·υ·ρ|i, β"
    system = load(f"system x\nstate stack σ, buffer β\nstart [], [1..n]\nfinal β = []\n{rule}\noracle none\n")
    assert is_graded(system)
    exact, too_many = (engine_for(system, "compiled").count(words, None).ambiguity for words in (11, 12))

    assert exact is not None
    assert exact.most == prod(comb(k + 3, 3) for k in range(11)) < 2**63
    assert prod(comb(k + 3, 3) for k in range(12)) > 2**63
    assert too_many is None


INTO_ROOT = """system x
state stack σ, buffer β
start [0], [1..n]
final β = []
ODD(l)    σ|i, j|β => σ|i, j|β  add j -l-> i                 if i = 0, no head(i)
RIGHT(l)  σ|i, j|β => σ|i|j, β  remove * -> i  add i -l-> j  if no head(j), head(i) or i != 0
oracle one
  ODD(l)    σ|i, j|β  if i = 0, no head(i), gold i -l-> j
  RIGHT(l)  σ|i, j|β  if gold i -l-> j
claims
  complete single-root projective trees
"""


def test_an_arc_into_0_is_not_a_second_arc_for_an_oracle() -> None:
    system = load(INTO_ROOT)
    trees = s.GraphClass((), "trees")
    compiled, interpreted = (
        [length for piece in engine_for(system, name).follow("one", trees, 1) for length in piece.lengths]
        for name in engines.ENGINES
    )

    assert compiled == interpreted


# --- contradictions --------------------------------------------------------------------------------------------------


def test_a_violation_that_the_interpreter_does_not_see_is_a_contradiction() -> None:
    """A wrong flag in the packed configurations must not become a verdict."""
    system = load("arc-eager")
    engine = engine_for(system, "compiled")
    assert isinstance(engine, Compiled)
    space = engine.space(2, False, None)
    assert isinstance(space, CompiledSpace)
    space.exploration.flags[3] |= DEAD_END
    space.exploration.marks |= DEAD_END
    levels = Levels(system, 2, engine=engine, _spaces={(n, False): engine.space(n, False, None) for n in (0, 1)})
    levels._spaces[2, False] = space

    with pytest.raises(ReplayFailed):
        check_statement(levels, s.NoDeadEnds())


def test_levels_that_were_left_out_say_why() -> None:
    level = explore_level(engine_for(load("swap"), "compiled"), 5, 100)

    assert not level.complete
    assert level.reason is not None
    assert "more than the 100 bytes that --memory leaves" in level.reason
