"""Mutants: what the operators make, and that no mutant which violates a claim is outside *killed*."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import pytest
from hypothesis import HealthCheck, given, settings

from arcproof.properties.checks.oracle_correct import complete_classes
from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION
from arcproof.properties.property import text_of
from arcproof.properties.proving.theorem import Theorem
from arcproof.properties.studies.cost_slips import COST_OPERATORS
from arcproof.properties.studies.mutants import OPERATORS, Mutant, mutants_of
from arcproof.properties.studies.mutation import Judged, MutationReport, mutate
from arcproof.properties.verdict import Verdict
from arcproof.reports.mutation import claim_text as killer
from arcproof.reports.mutation import score_text
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import ArcproofError
from arcproof.transitions.printing.notation import claim_text, class_text
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.reading.read import read_figure
from arcproof.transitions.system import System, load
from tests.conftest import ROOT, Result
from tests.independent.claims import Arcs, Space
from tests.independent.judge import Asked, LeadsTo, Truth
from tests.priceless import without_costs
from tests.properties.proving.made_up import discharged
from tests.transitions.random_figures import figures
from tools.mutation_notes import table

COSTS_WORDS = 3
"""Up to which costs are computed once more: for every gold graph all outputs within reach are compared."""
FOUR_PAPERS = (
    "covington", "covington[d=0]", "covington[d=1]", "covington[d=2]", "arc-standard", "arc-eager", "list-nonprojective",
    "list-projective", "arc-standard-stack", "swap", "swap-max2", "choi-nicolov", "choi-palmer",
)  # fmt: skip
NOTES = ROOT / "proofs_notes" / "mutation.md"
RICH = """system rich
  parameter d = 1
  state   stack σ, buffer β, counter k, flag f
  start   [0], [1..n], 0, false
  final   σ = [0], β = []

  LEFT(l)   σ|i|τ|j, β, k, _  =>  σ·τ|j, β, k, true   add j -l-> i  if i != 0, |τ| < d
  LAST(l)   σ|i|j, [], k, f   =>  σ|i, [], k + 1, f   add i -l-> j  if 0 <= i < j
  LAST(l)   σ|i|j, m|β, k, f  =>  σ|i, m|β, 0, f      add i -l-> j  if 0 <= i < j, j < m, k < 2
  SHIFT     σ, i|β, k, f      =>  σ|i, β, k, false

  oracle none

  claims
    sound trees
    #LAST <= n
"""


@cache
def made_of(reference: str) -> list[Mutant]:
    return mutants_of(load(reference))


@cache
def judged_of(reference: str, words: int) -> MutationReport:
    return mutate(load(reference), words)


def changes(operator: str, reference: str) -> list[str]:
    return [mutant.description for mutant in made_of(reference) if mutant.operator == operator]


class TestOperators:
    """What is made of arc-eager, and of a figure with everything that its four lines do not have."""

    @pytest.mark.parametrize(
        ("operator", "expected"),
        [
            ("drop precondition", "LEFT-ARC: `no head(i)` is dropped"),
            ("negate precondition", "LEFT-ARC: `i != 0` becomes `i = 0`"),
            ("negate precondition", "REDUCE: `head(i)` becomes `no head(i)`"),
            (
                "reverse arc",
                "RIGHT-ARC: the arc is reversed: RIGHT-ARC(l) σ|i, j|β => σ|i|j, β add j -l-> i if no head(j)",
            ),
            ("exchange nodes", "LEFT-ARC: `no head(i)` becomes `no head(j)`"),
            (
                "exchange nodes",
                "RIGHT-ARC: i and j are exchanged after =>: RIGHT-ARC(l) σ|i, j|β => σ|j|i, β add i -l-> j "
                "if no head(j)",
            ),
            ("pop instead of keep", "RIGHT-ARC: i is not kept: σ|i|j becomes σ|j"),
            ("keep instead of pop", "LEFT-ARC: i is kept: σ becomes σ|i"),
            ("push elsewhere", "LEFT-ARC: j goes to σ: j|β becomes β, σ becomes σ|j"),
            ("other end", "SHIFT: after =>, σ|i becomes i|σ"),
            ("other end", "SHIFT: before =>, i|β becomes β|i"),
            ("change start", "start: becomes [], [0, 1..n]"),
            ("change final", "final: becomes σ = []"),
            ("change final", "final: becomes β = [], σ = [0]"),
            ("drop transition", "REDUCE: is dropped"),
            ("off by one", "LEFT-ARC: `i != 0` becomes `i != 1`"),
            ("drop oracle line", "oracle reduce-early: the line is dropped: SHIFT"),
        ],
    )
    def test_arc_eager(self, operator: str, expected: str) -> None:
        assert expected in changes(operator, "arc-eager")

    def test_with_a_transition_its_costs_are_dropped(self) -> None:
        system = load(without_costs("arc-eager"))
        lines = tuple(s.CostLine(name, None, (("+", s.Number(0)),)) for name in system.transitions)
        priced = replace(system.figure, dynamic_oracles=(s.DynamicOracle("free", lines),))
        dropped = [
            mutant for mutant in mutants_of(replace(system, figure=priced)) if mutant.operator == "drop transition"
        ]

        assert [mutant.problem for mutant in dropped] == [None] * 4

    @pytest.mark.parametrize(
        ("operator", "expected"),
        [
            ("drop precondition", "LAST: `0 <= i < j` is reduced to `i < j`"),
            ("drop precondition", "LAST: `0 <= i < j` is reduced to `0 <= i`"),
            ("negate precondition", "LAST: `0 <= i < j` becomes `not 0 <= i < j`"),
            ("off by one", "LAST: `0 <= i < j` becomes `0 < i < j`"),
            ("off by one", "LAST: `k < 2` becomes `k < 3`"),
            ("off by one", "LAST: k + 1 becomes k + 2"),
            ("off by one", "LEFT: `|τ| < d` becomes `|τ| <= d`"),
            ("change start", "start: becomes [0], [1..n], 1, false"),
            ("change start", "start: becomes [0], [1..n], 0, true"),
            ("change final", "final: becomes β = []"),
            ("keep instead of pop", "LAST: j is kept: σ|i becomes σ|i|j"),
            ("pop instead of keep", "LEFT: τ is not kept: σ·τ|j becomes σ|j"),
        ],
    )
    def test_a_figure_with_more(self, operator: str, expected: str) -> None:
        assert expected in changes(operator, RICH)

    def test_every_operator_makes_something(self) -> None:
        made = {mutant.operator for mutant in made_of("arc-eager")}

        assert made | set(COST_OPERATORS) == set(OPERATORS)

    @pytest.mark.long
    @pytest.mark.parametrize(
        "name", ["arc-eager", "swap", "covington[d=1]", "attardi", RICH], ids=lambda name: name[:20]
    )
    def test_mutants_are_figures_of_their_own(self, name: str) -> None:
        """None is equal to another or to the original, the claims are those of the original, and every third is printed
        and read back.
        """
        system = load(name)
        mutants = made_of(name)
        figures = [system.figure, *(mutant.figure for mutant in mutants)]

        assert len(set(figures)) == len(figures)
        for number, mutant in enumerate(mutants):
            assert mutant.figure.claims == system.figure.claims
            if mutant.problem is None and number % 3 == 0:
                again = read_figure(mutant.specification)
                assert replace(again, claims=(), parameters=()) == replace(mutant.figure, claims=(), parameters=())
                mutant.system(system).permissible(mutant.system(system).start(2))

    def test_cases_that_overlap_and_nodes_in_two_places_are_no_figures(self) -> None:
        problems = {mutant.description: mutant.problem for mutant in made_of(RICH)}

        assert problems["LAST: before =>, m|β becomes β|m"] is None
        assert "a node starts in two places" in problems.values()
        overlapping = RICH.replace("[], k, f   =>", "m|β, k, f =>").replace("=>  σ|i, [], k + 1", "=>  σ|i, m|β, k + 1")
        two = load(overlapping.replace("if 0 <= i < j\n", "if 0 <= i < j, k >= 2\n"))
        assert "two cases of LAST overlap" in {mutant.problem for mutant in mutants_of(two)}

    def test_a_transition_that_goes_takes_its_oracle_lines_and_claims_with_it(self) -> None:
        mutant = next(m for m in made_of("swap") if m.description == "SWAP: is dropped")

        assert mutant.problem is None
        assert "SWAP" not in mutant.specification
        assert all(line.transition != "SWAP" for oracle in mutant.figure.oracles for line in oracle.lines)


# --- buckets ---------------------------------------------------------------------------------------------------------


def oracle_claims(system: System) -> list[tuple[str, str, s.GraphClass]]:
    """That each oracle leads to every graph of the classes claimed: name of the claim, oracle, class."""
    return [
        (f"oracle correct: {oracle.name} on {class_text(system.class_with_parameters(graphs))}", oracle.name, graphs)
        for oracle in system.figure.oracles
        for graphs in complete_classes(system)
    ]


class Visited(Truth):
    """What holds of a system, by the independent interpreter and the definitions."""

    def outputs_and_lengths(self, words: int) -> tuple[set[Arcs], int, int]:
        """The outputs, and the lengths of the shortest and the longest run to an end; a loop counts as very long."""
        space = Space(self.independent, words)
        ends, waiting = [], {space.start}
        for length in range(3 * len(space.steps)):
            ends += [length] if waiting & space.terminal else []
            waiting = {step.after for c in waiting for step in space.steps[c]}
        return space.outputs, min(ends, default=-1), max(ends, default=-1)


def visited(system: System) -> Visited:
    return Visited(system, 5)


def violated(mutant: Visited, original: System, words: int, asked: Callable[[str], bool]) -> list[str]:
    """Of the claims of the original that are asked for, those that the mutant violates with exactly this many words."""
    kept = {oracle.name for oracle in mutant.system.figure.oracles}
    questions: list[tuple[str, Asked]] = [
        (claim_text(claim), claim.statement) for claim in original.figure.claims if claim.kind == "plain"
    ]
    questions += [(name, LeadsTo(oracle, graphs)) for name, oracle, graphs in oracle_claims(original) if oracle in kept]
    return [name for name, question in questions if asked(name) and mutant.holds(question, words) is False]


def derives_the_witness(judged: Judged, mutant: System) -> bool:
    """Whether the run ends in the very graph that a claim such as `not complete trees, witness 3,0,2` names."""
    assert judged.witness is not None
    assert judged.witness.transitions is not None
    c = mutant.start(judged.words)
    for transition in judged.witness.transitions:
        c = mutant.apply(c, transition)
    return mutant.is_terminal(c) and isinstance(judged.claim, s.Claim) and judged.claim.witness == c.graph.heads


def contradictions(report: MutationReport, oracle_words: int = 4) -> list[str]:
    """What contradicts the buckets: claims that mutants outside *killed* violate or those in it do not, and mutants in
    the wrong of the others.
    """
    original, found = visited(report.system), []
    for judged in report.mutants:
        if judged.bucket != "invalid":
            mutant = visited(judged.mutant.system(report.system))
            wrong = [*escaped(judged, mutant, report, oracle_words), *misplaced(judged, mutant, original, report.words)]
            found += [f"{judged.number} {judged.mutant.description}: {what}" for what in wrong]
    return found


def escaped(judged: Judged, mutant: Visited, report: MutationReport, oracle_words: int) -> list[str]:
    if judged.bucket == "killed":
        if isinstance(judged.claim, s.Claim) and judged.claim.witness is not None:
            violates_it = derives_the_witness(judged, mutant.system)
        else:
            violates_it = bool(
                violated(mutant, report.system, judged.words, lambda name: name == killer(report, judged))
            )
        return [] if violates_it else [f"not {judged.claim}"]

    def is_asked(name: str, words: int) -> bool:
        if name.startswith(("exact", "arc-decomposable")):
            return words <= COSTS_WORDS
        return words <= oracle_words or "oracle" not in name

    return [
        name
        for words in range(1, report.words + 1)
        for name in violated(mutant, report.system, words, partial(is_asked, words=words))
    ]


def misplaced(judged: Judged, mutant: Visited, original: Visited, most: int) -> list[str]:
    def differs(words: int) -> bool:
        return mutant.outputs_and_lengths(words) != original.outputs_and_lengths(words)

    match judged.bucket:
        case "equivalent":
            wrong = any(differs(words) for words in range(1, most + 1))
        case "alternative":
            wrong = not differs(judged.words)
        case _:
            wrong = False
    return [judged.bucket] if wrong else []


@pytest.mark.long
@pytest.mark.parametrize("name", ["arc-eager", "swap", "list-projective"])
def test_no_mutant_that_violates_a_claim_is_outside_killed(name: str) -> None:
    report = judged_of(name, 3)

    assert report.counts["killed"] > 40
    assert not report.of("undecided")
    assert contradictions(report) == []


@pytest.mark.nightly
@pytest.mark.parametrize("name", FOUR_PAPERS)
def test_no_mutant_of_the_papers_systems_escapes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is judged once more up to 4 words; the notes say what was found with 5."""
    monkeypatch.setattr("tests.independent.claims.MAX_CONFIGURATIONS", 30_000)
    assert contradictions(mutate(load(name), words=4, engine="compiled", jobs=2)) == []
    report = mutate(load(name), words=5, engine="compiled", jobs=2)
    assert table([report])[-1] in NOTES.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def eager() -> MutationReport:
    return judged_of("arc-eager", 3)


def test_the_comparison_can_fail(eager: MutationReport) -> None:
    """A killed mutant that is called equivalent, an equivalent one that is called killed, and a claim that is not the
    one that fails.
    """
    killed, equivalent = eager.of("killed")[0], eager.of("equivalent")[0]
    claims = {text_of(eager.system, claim): claim for claim in eager.claims}

    def only(judged: Judged) -> MutationReport:
        return replace(eager, mutants=(judged,))

    assert contradictions(only(replace(killed, bucket="equivalent", claim=None, witness=None)))
    assert contradictions(only(replace(killed, bucket="alternative", claim=None)))
    assert contradictions(only(replace(equivalent, bucket="killed", claim=claims["length <= 2n"])))
    assert contradictions(only(replace(killed, claim=claims["incremental"])))
    assert contradictions(only(replace(killed, bucket="equivalent")))
    assert contradictions(only(replace(equivalent, bucket="alternative")))


def test_every_killed_mutant_has_a_witness_that_replays(eager: MutationReport) -> None:
    for judged in eager.of("killed"):
        assert judged.witness is not None
        assert judged.claim in eager.claims
        assert judged.witness.words == judged.words
        if judged.witness.transitions is not None:
            system = judged.mutant.system(eager.system)
            c = system.start(judged.words)
            for transition in judged.witness.transitions:
                c = system.apply(c, transition)


def test_arc_eager_has_one_equivalent_mutant_and_one_of_its_costs(eager: MutationReport) -> None:
    """That the gold head of a word is in a run of nodes, and that it is in the run with the word itself, is the
    same.
    """
    precondition, cost = [judged.mutant for judged in eager.of("equivalent")]

    assert precondition.description == "RIGHT-ARC: `no head(j)` is dropped"
    assert cost.operator == "other run in cost"
    assert "becomes `[gold head(b) in σ or gold head(b) in b|β] +" in cost.description
    assert eager.counts == {"killed": 97, "equivalent": 2, "alternative": 1, "undecided": 0, "invalid": 1}
    assert score_text(eager) == "97 of 98 killed (98.9 %)"
    assert eager.exit_code == 0


def test_an_alternative_says_how_it_differs_and_shows_it() -> None:
    report = judged_of("attardi", 3)
    found = {judged.mutant.description: judged for judged in report.of("alternative")}
    narrower = found["LEFT-ARC: `|τ| <= d - 1` becomes `|τ| < d - 1`"]

    assert narrower.reason == "it does not derive 3,0,2, which attardi does"
    assert narrower.witness is not None
    assert str(narrower.witness.graph) == "3,0,2"
    assert narrower.words == 3


def test_an_alternative_may_differ_in_its_lengths_alone() -> None:
    report = judged_of("list-projective", 3)
    [one, other, start] = report.of("alternative")

    assert one.mutant.description == "NO-ARC: i is not kept: i|λ2 becomes λ2"
    assert one.reason.startswith(
        "with 3 words the longest run to an end has 5 transitions, in list-projective 6 transitions"
    )
    assert other.witness is not None
    assert other.witness.transitions is not None
    assert len(other.witness.transitions) == 6
    assert start.mutant.description == "start: becomes [], [], [0, 1..n]", "0 is shifted first"


def test_a_mutant_that_loops_is_killed_by_the_claim_about_length() -> None:
    report = mutate(load("swap"), words=2)
    looping = [judged for judged in report.of("killed") if "arbitrarily often" in judged.reason]

    assert looping
    assert {str(judged.claim and claim_text(judged.claim)) for judged in looping} <= {
        "length = 2n + 2 #SWAP",
        "length <= n^2 + n",
        "#SWAP <= n(n - 1)/2",
    }


ENDLESS = """system endless
  state   stack σ, buffer β, counter k
  start   [0], [1..n], 0
  final   β = []

  SHIFT   σ, i|β, k  =>  σ|i, β, k       if k < 1
  WAIT    σ, i|β, k  =>  σ, i|β, k + 1   if k < 0

  oracle none

  claims
    length = n
"""


@pytest.mark.long
def test_a_mutant_that_grows_without_end_is_undecided_and_ends() -> None:
    report = mutate(load(ENDLESS), words=2)
    grown = next(judged for judged in report.mutants if judged.mutant.description == "WAIT: `k < 0` is dropped")

    assert grown.bucket == "undecided"
    assert "without bound" in grown.reason
    assert report.exit_code == 3


def test_a_claim_with_a_witness_is_refuted_by_a_run_to_it() -> None:
    text = to_source(load("attardi").figure).replace("parameter d = 2", "parameter d = 1")
    text = text.replace("not complete trees", "not complete trees, witness 3,0,2")
    text = text.replace("    published equivalent to swap-max2, refuted\n", "")
    found = {judged.mutant.description: judged for judged in mutate(load(text), words=2).of("killed")}
    farther = found["LEFT-ARC: `|τ| <= d - 1` is dropped"]

    assert claim_text(farther.claim) == "not complete trees, witness 3,0,2"
    assert farther.words == 3
    assert farther.witness is not None
    assert farther.witness.transitions is not None
    assert len(farther.witness.transitions) == 6


@pytest.mark.long
def test_what_the_original_does_not_meet_is_not_asked_of_mutants() -> None:
    text = to_source(load("arc-eager").figure).replace("length <= 2n", "length <= n")
    report = mutate(load(text), words=2)

    assert [claim_text(claim) for claim in report.not_met] == ["length <= n"]
    assert "length <= n" not in {killer(report, judged) for judged in report.mutants}


def test_without_claims_nothing_is_killed_and_that_is_no_success() -> None:
    bare = "system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal β = []\nSHIFT σ, i|β => σ|i, β\n"
    report = mutate(load(bare), words=2)

    assert report.counts["killed"] == 0
    assert report.exit_code == 3
    assert score_text(report).startswith("0 of ")
    assert score_text(replace(report, mutants=())) == "no score: no mutant was tried"
    assert score_text(replace(report, mutants=report.of("invalid"))) == "no score: no mutant could be killed"


@pytest.mark.nightly
@pytest.mark.compiler
def test_both_engines_and_any_number_of_workers_say_the_same() -> None:
    system = load("arc-hybrid")
    one = mutate(system, words=3, engine="interpreter")
    two = mutate(system, words=3, engine="compiled", jobs=2)

    assert one.mutants == two.mutants


# --- never a crash ---------------------------------------------------------------------------------------------------


@pytest.mark.long
@settings(max_examples=3, suppress_health_check=list(HealthCheck))
@given(figures())
def test_any_figure_can_be_mutated(figure: s.Figure) -> None:
    system = load(to_source(figure))
    try:
        report = mutate(system, words=1, memory=100 * BYTES_A_CONFIGURATION)
    except ArcproofError:  # the figure itself cannot be run: a counter would become infinite
        return
    assert len(report.mutants) == report.total == sum(report.counts.values())
    assert all(judged.witness is not None for judged in (*report.of("killed"), *report.of("alternative")))


# --- proofs ----------------------------------------------------------------------------------------------------------


def proofs_of_what_is_false(
    name: str, kinds: tuple[type[s.Statement], ...], every: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[int, list[str]]:
    """How often a claim of these kinds that killed a mutant was given to the prover, and what it proved; it is kept
    from refuting it first.
    """
    from arcproof.properties.proving import prove as proving
    from arcproof.properties.proving.prover import Prover

    monkeypatch.setattr(Prover, "_refuted", lambda *_: None)
    original = load(name)
    killed = [
        (judged, claim)
        for judged in mutate(original, words=3).of("killed")
        for claim in original.figure.claims
        if claim == judged.claim and isinstance(claim.statement, kinds) and judged.words > 0
    ]
    proved = []
    for judged, claim in killed[::every]:
        mutant = judged.mutant.system(original)
        theorems = proving.prove(replace(mutant, figure=replace(mutant.figure, claims=(claim,)))).theorems
        [verdict] = [theorem.verdict for theorem in theorems if theorem.about == judged.claim]
        proved += [judged.mutant.description] if verdict is Verdict.PROVED else []
    return len(killed[::every]), proved


@pytest.mark.solver
def test_a_killed_mutant_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    tried, proved = proofs_of_what_is_false("swap", (s.LengthBound,), 3, monkeypatch)

    assert tried >= 2
    assert proved == []


def test_a_proof_of_what_is_false_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from arcproof.properties.proving import prove as proving

    def credulous(system: System) -> proving.ProofReport:
        theorems = (Theorem(claim, None, obligations=(discharged("z3", "cvc5"),)) for claim in system.figure.claims)
        return proving.ProofReport(system, tuple(theorems), 0.0)

    monkeypatch.setattr(proving, "prove", credulous)
    tried, proved = proofs_of_what_is_false("arc-standard-stack", (s.Sound,), 1, monkeypatch)

    assert len(proved) == tried > 0


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["arc-standard", "arc-eager", "arc-standard-stack", "swap", "list-projective"])
def test_no_killed_mutant_of_a_sample_is_proved(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = (s.Sound, s.CompleteFor, s.LengthBound, s.CountBound, s.SpaceBound, s.Incremental)
    tried, proved = proofs_of_what_is_false(name, kinds, 8, monkeypatch)

    assert tried >= 4
    assert proved == []


# --- formats ---------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_time_limit_ends_with_what_is_known(arcproof: Callable[..., Result]) -> None:
    done = arcproof("mutate", "swap", "--words", "5", "--timeout", "1", "--jobs", "1", "--json", "-")
    value = json.loads(done.out)

    assert done.code == 3
    assert all(system["interrupted"] for system in value["systems"])
    assert "Traceback" not in done.err
