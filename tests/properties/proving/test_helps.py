"""What helps the prover: measures, invariants of oracles and lemmas that a figure gives; what is false of them does no
harm.
"""

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import pytest

from arcproof.properties.checks.oracle_invariant import all_oracle_invariants
from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.levels import Levels
from arcproof.properties.evidence import Exhausted, Refuted
from arcproof.properties.property import check_statement
from arcproof.properties.proving.arguments import WrongMeaning
from arcproof.properties.proving.goals.completeness import thinned_by_runs
from arcproof.properties.proving.goals.measures import misfit, ranking_of
from arcproof.properties.proving.goals.ranking import TERMINATION, observe
from arcproof.properties.proving.language.terms import TRUE
from arcproof.properties.proving.library.given import check_lemmas, given_lemmas
from arcproof.properties.proving.meaning.state import arbitrary, initial
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.methods.on_the_way import holds_on_the_way
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.search.exclusion import excluders
from arcproof.properties.proving.theorem import (
    Hindrance,
    LemmaHolds,
    MeasureFalls,
    Obstacle,
    Remedy,
    not_proved,
)
from arcproof.properties.verdict import Verdict
from arcproof.reports.proofs import obstacle_text, remedy_text, theorem_text
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import graph_of
from arcproof.transitions.system import System, load
from tests.conftest import Result

CLOCK = """system clock
  state   list λ head right, buffer β, counter k
  start   [0], [1..n], 1
  final   β = []
{}
  RIGHT(l)  λ|i|τ, j|β, k  =>  λ|i|τ, j|β, k      add i -l-> j  if k != 0, no head(j), not j ->* i
  TICK      λ, β, k        =>  λ, β, k - 1                      if k != 0
  LEFT(l)   λ|i|τ, j|β, 0  =>  λ|i|τ, j|β, 0      add j -l-> i  if i != 0, no head(i), not i ->* j
  SHIFT     λ, j|β, k      =>  λ|j, β, k + n                    if k = 0
  oracle patient
    RIGHT(l)  λ|i|τ, j|β, k  if gold i -l-> j, no head(j), k != 0
    TICK      λ, β, k        if k != 0
    LEFT(l)   λ|i|τ, j|β, 0  if gold j -l-> i, no head(i)
    SHIFT
  claims
    terminates
    complete  forests
"""
FALLS = "measure V = (n + 1) * |β| + k + n - |A|"
ATTACHED = "invariant of patient: k != 0 or all j in β: head(j) or (exists m in β: m < j) or all i in λ: no gold i -> j"


def clock(*lines: str) -> System:
    return load(CLOCK.format("\n".join(f"  {line}" for line in lines)))


def ranking(line: str) -> str:
    (measure,) = clock(line).figure.measures
    return str(ranking_of(measure.term, clock(line)))


# --- measures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measure", "multiplied_out"),
    [
        ("(n + 1) * |β| + k - |A|", "n·|β| + |β| + k - |A|"),
        ("2|β| + |λ|/2 - 3", "2 |β| + 1/2 |λ| - 3"),
        ("(|β| - k)^2", "|β|·|β| - 2 k·|β| + k·k"),
        ("|β| - |β|", "0"),
    ],
)
def test_a_measure_is_a_ranking_multiplied_out(measure: str, multiplied_out: str) -> None:
    assert ranking(f"measure V = {measure}") == multiplied_out


@cache
def prover(*lines: str) -> Prover:
    return Prover(clock(*lines))


@pytest.mark.long
def test_a_measure_that_falls_fits_and_one_that_does_not_is_told_where() -> None:
    seen = observe(clock(), [explore(clock(), words) for words in (1, 2)])

    def wrong(line: str) -> str:
        return str(misfit(ranking_of(clock(line).figure.measures[0].term, clock()), TERMINATION, seen))

    assert wrong(FALLS) == "None"
    assert wrong("measure V = |β| + k + n - |A|") == (
        "with n = 1, |A| = 0, |λ| = 1, |β| = 1, k = 0 SHIFT lets it fall by 0, not by at least 1"
    )
    assert wrong(f"{FALLS} - 2").endswith("it is -1, not at least 0")


@pytest.mark.long
def test_a_false_measure_is_refuted_with_the_step_in_which_it_does_not_fall() -> None:
    theorem = prover("measure V = |β|").about(MeasureFalls(clock("measure V = |β|").figure.measures[0]))

    assert theorem.verdict is Verdict.REFUTED
    assert theorem_text(theorem).startswith("terminates: with n = 1, |A| = 0, |λ| = 1, |β| = 1, k = 1 ")


@pytest.mark.solver
def test_a_measure_proves_what_the_search_does_not_and_is_marked_as_given() -> None:
    ends = s.Claim(s.Terminates())
    alone, helped = prover().about(ends), prover("measure W = |β|", FALLS).about(ends)

    assert (alone.verdict, helped.verdict) == (Verdict.UNKNOWN, Verdict.PROVED)
    assert alone.remedies == (Remedy.MEASURE, Remedy.EXPLAIN)
    assert helped.given == (FALLS,)
    assert helped.method.ranking == "n·|β| + |β| + k + n - |A|"
    found = prover("measure W = |β|", FALLS).about(MeasureFalls(clock(FALLS).figure.measures[0]))
    assert (found.verdict, found.method.fits) == (Verdict.PROVED, "terminates")


# --- invariants of oracles -------------------------------------------------------------------------------------------


def checked(line: str, words: int = 3) -> object:
    (asked,) = all_oracle_invariants(clock(line))
    return check_statement(Levels(clock(line), words), asked)


def test_an_invariant_of_an_oracle_is_checked_on_its_runs_alone() -> None:
    found = checked(ATTACHED)
    assert isinstance(found, Exhausted)
    assert (found.words, found.cases.count) == (3, 60)

    (asked,) = all_oracle_invariants(clock(ATTACHED))
    assert str(asked) == f"{ATTACHED.replace('no gold', 'not gold')}, on forests"


def test_a_false_invariant_of_an_oracle_is_refuted_with_the_shortest_run() -> None:
    found = checked("invariant of patient: all i in λ: complete(i)")

    assert isinstance(found, Refuted)
    assert found.counterexample.words == 1
    assert found.counterexample.reason == (
        "on the way to 0, in ([0], [1], 1, {}), this is false: all i in λ: complete(i)"
    )
    assert found.counterexample.transitions == ()


@pytest.mark.long
def test_verify_counts_a_false_invariant_of_an_oracle(arcproof: Callable[..., Result], tmp_path: Path) -> None:
    figure = tmp_path / "clock.tsys"
    figure.write_text(CLOCK.format("  invariant of patient: |A| = 0"), encoding="utf-8")
    run = arcproof("verify", str(figure), "--words", "1", "--samples", "0")

    assert run.code == 1
    assert "✗  invariant of patient: |A| = 0: forests" in run.out


def test_a_false_invariant_of_an_oracle_is_discarded_and_does_no_harm() -> None:
    system = clock(ATTACHED, "invariant of patient: |A| = 0")
    asked = prover(ATTACHED, "invariant of patient: |A| = 0")
    forests = s.GraphClass((), "forests")
    given = asked.on_the_way(system.oracle())
    left = thinned_by_runs(asked.meanings, forests, system.oracle(), given)

    assert [c.given for c in given] == [ATTACHED.replace("no gold", "not gold"), "invariant of patient: |A| = 0"]
    assert [c.given for c in left] == [ATTACHED.replace("no gold", "not gold")]


def test_the_symbols_of_an_invariant_of_an_oracle_say_what_the_interpreter_says() -> None:
    """Of all configurations of two words, with every gold graph of a class."""
    from arcproof.properties.proving.language.evaluation import to_python
    from arcproof.properties.proving.library.gold import gold_graphs
    from arcproof.properties.proving.meaning.model import domain, gold_model, model_of
    from arcproof.properties.proving.meaning.small_configurations import anywhere

    lines = (
        ATTACHED,
        "invariant of patient: |A| <= 1 or all i in β: complete(i)",
        "invariant of patient: all i in λ: 0 <G i",
    )
    system = clock(*lines)
    meanings = meanings_of(system)
    golds = list(gold_graphs(system, s.GraphClass((), "forests"), 2))
    for given in system.figure.oracle_invariants:
        value = to_python(meanings.says(given.condition, meanings.before))
        said = {True: 0, False: 0}
        for c in anywhere(system, 2, 200):
            for gold in golds:
                expected = system.satisfies(c, given.condition, gold)
                assert value({**model_of(system, c), **gold_model(gold)}, domain(2)) == expected, (c, gold)
                said[expected] += 1
        assert all(said.values())


def test_a_wrong_meaning_of_an_invariant_of_an_oracle_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Prover(clock(ATTACHED))
    (about,) = all_oracle_invariants(asked.system)
    monkeypatch.setattr(type(asked.meanings), "says", lambda *_: TRUE)

    with pytest.raises(WrongMeaning, match="its symbols and the interpreter differ in"):
        holds_on_the_way(asked, about)


# --- lemmas ----------------------------------------------------------------------------------------------------------


def test_a_lemma_speaks_of_components_by_their_names_and_of_what_it_binds() -> None:
    system = clock('lemma "a" for X: forall x: x in λ and x in X => k < 0 using "b"')
    check_lemmas(system)
    state, start = arbitrary(system.figure.state), initial(system.figure)

    (lemma,) = given_lemmas(system, state, start)
    assert (lemma.name, lemma.candidate.hints) == ("a", ("b",))


@pytest.mark.long
def test_bad_lemmas_are_bad_input(arcproof: Callable[..., Result], tmp_path: Path) -> None:
    figure = tmp_path / "clock.tsys"
    figure.write_text(CLOCK.format('  lemma "a": forall x: x in γ'), encoding="utf-8")
    for command in ("check", "prove", "verify"):
        run = arcproof(command, str(figure))
        assert run.code == 2
        assert "clock.tsys:5:" in run.err
        assert run.err.splitlines() == [
            f"{figure}:5:24: error: γ is not a sequence here; say `for γ`",
            '  5 |   lemma "a": forall x: x in γ',
            "    |                        ^^^^^^",
            "  help: see examples/helping-the-prover.md for the language of lemmas",
        ]


FALSE_LEMMAS = (
    'lemma "a": forall x: x in β => headed(x)',
    'lemma "b": forall x, y: gold x -> y => x -> y',
    'lemma "c": forall p: 0 <= p and p < |λ| => λ[p] = 0',
)


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(FALSE_LEMMAS)))
def test_a_false_lemma_is_refuted(number: int) -> None:
    theorem = prover(*FALSE_LEMMAS).about(LemmaHolds(clock(*FALSE_LEMMAS).figure.lemmas[number]))

    assert theorem.verdict is Verdict.REFUTED
    assert theorem_text(theorem).startswith(f"{'abc'[number]}: false in (")


@pytest.mark.solver
def test_a_true_lemma_is_proved() -> None:
    line = 'lemma "a": forall x: x in β => word(x)'
    theorem = prover(line).about(LemmaHolds(clock(line).figure.lemmas[0]))

    assert theorem.verdict is Verdict.PROVED


@pytest.mark.parametrize("kind", list(Hindrance))
def test_every_obstacle_has_a_reason_and_something_to_do_next(kind: Hindrance) -> None:
    behind = Obstacle(Hindrance.NO_RANKING) if kind.value.startswith("open ") else None
    theorem = not_proved(s.Claim(s.Terminates()), kind, "this", behind)
    text = theorem_text(theorem)

    assert theorem.remedies
    assert text.startswith(obstacle_text(Obstacle(kind, "this", behind)))
    assert text.endswith(remedy_text(theorem.remedies[-1]))
    if behind is not None:
        assert text.startswith(obstacle_text(behind))


# --- what is told ----------------------------------------------------------------------------------------------------


def place(stack: Sequence[int], buffer: Sequence[int], k: int) -> Configuration:
    return Configuration(1, ("λ", "β", "k"), (tuple(stack), tuple(buffer), k))


def test_what_would_exclude_a_configuration_is_false_there_and_true_of_every_run() -> None:
    gold = Gold(graph_of((0,)))
    reached = [(c, gold) for c in (place([0], [1], 1), place([0, 1], [], 1))]
    found = excluders(clock(), (place([0], [1], 0), gold), reached)

    assert found[0] == "k != 0"
    assert all("k != 0" not in text or text == "k != 0" for text in found[:1])
    assert excluders(clock(), reached[0], reached) == ()


@pytest.mark.solver
@pytest.mark.process
def test_an_explanation_is_in_the_document_too(arcproof: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "clock.tsys").write_text(CLOCK.format(""), encoding="utf-8")
    run = arcproof("prove", "clock.tsys", "--explain", "terminates", "--json", "-")
    (found,) = json.loads(run.out)["systems"][0]["theorems"]

    assert run.code == 3
    assert found["detail"].startswith("no ranking function of the shapes tried decreases with every transition; next: ")
    assert found["next"] == ["give a function that decreases (`measure V = …`)"]
    assert found["explanation"]["about"] == "terminates"
    assert found["explanation"]["shapes"][0] == "n, |λ|, |β|"
    assert "given" not in found
