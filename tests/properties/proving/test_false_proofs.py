"""Figures and lemmas made to be proved falsely; each was, once."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arcproof.properties.checks.invariant import Invariance
from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.levels import Levels
from arcproof.properties.evidence import Refuted
from arcproof.properties.property import check_statement
from arcproof.properties.proving.certificates.files import from_text, to_text
from arcproof.properties.proving.goals.agreement import Goals
from arcproof.properties.proving.goals.completeness import completeness, gold_axioms
from arcproof.properties.proving.goals.lockstep import lockstep
from arcproof.properties.proving.goals.soundness import soundness
from arcproof.properties.proving.goals.space import space
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.lemmas import BadLemma, read
from arcproof.properties.proving.library import instances as instances_module
from arcproof.properties.proving.library.given import check_lemmas
from arcproof.properties.proving.library.gold import as_given, lemmas
from arcproof.properties.proving.library.instances import instances_of
from arcproof.properties.proving.meaning.model import gold_model, model_of
from arcproof.properties.proving.meaning.state import Unsupported
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.methods.completeness import complete, complete_by, sound
from arcproof.properties.proving.methods.decomposable import arc_decomposable
from arcproof.properties.proving.methods.lengths import terminates
from arcproof.properties.proving.prove import prove, tasks_of
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.search.houdini import search
from arcproof.properties.proving.theorem import Hindrance, LemmaHolds, MeasureFalls, judged
from arcproof.properties.proving.trusted import problem as problem_module
from arcproof.properties.proving.trusted.discharge import Certificate, Incomplete, obligations, required
from arcproof.properties.proving.trusted.facts import TwoOfOneName
from arcproof.properties.proving.trusted.problem import (
    HERE,
    AfterMove,
    AtStart,
    ForGoal,
    ForLemma,
    Goal,
    Key,
    Problem,
    key_of,
    key_texts,
)
from arcproof.properties.proving.trusted.witness import NotAnInvariant, Witness
from arcproof.properties.verdict import Verdict
from arcproof.reports.proofs import theorem_text
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import BadSpecification, NotDerivable
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import Arc, Graph, graph_of
from arcproof.transitions.system import System, load
from tests.examples import ROOT_NONE, TAGGING
from tests.properties.proving.made_up import discharged

FORESTS = s.GraphClass((), "forests")
SOUND = s.Claim(s.Sound(FORESTS))
LITTLE = 30_000

TWO_ARCS = """
system two-arcs
  state   stack σ, buffer β, counter k
  start   [0], [1..n], 0
  final   β = []

  RIGHT-ARC(l)   σ|i, j|β, k    =>  σ|i|j, β, k + 1     add i -l-> j     if no head(j)
  SHIFT          σ, i|β, k      =>  σ|i, β, k + 1
  TWO(l)         σ|i|j, m|β, k  =>  σ|i|j|m, β, k + 1   add j -l-> m add i -l-> j    if no head(m), no head(j) or (i -> j and k > 20)

  claims
    sound        forests
    space        <= 3n + 4
"""

ONE_SYMBOL = """
system one-symbol
  state   stack σ, buffer β, counter kα, counter kalpha
  start   [0], [1..n], 0, 0
  final   β = []

  SHIFT          σ, i|β, kα, _      =>  σ|i, β, kα + 1, 0

  invariant kalpha = 0
  claims
    sound        forests
"""

PLAIN = """
system plain
  state   stack σ, buffer β
  start   [0], [1..n]
  final   σ = [], β = []

  DROP           σ|i, β    =>  σ, β
  SHIFT          σ, i|β    =>  σ|i, β

  claims
    sound        forests
"""

TWO_CHOICES = """
system two-choices
  state stack σ, buffer β
  start [0], [1..n]
  final β = []
  T σ|x·γ|i, β => σ|x|i, γ·β if head(i)
  T ρ|x·σ|i, β => ρ|x|i, σ·β if no head(i)
  SHIFT σ, i|β => σ|i, β
  oracle o
    T σ|_·γ|_, β if |σ| > 1
    SHIFT
"""

EMPTY_RANGE = """
system empty-range
  state   stack σ, buffer β
  start   [0], [1..n]
  final   β = []

  SHIFT          σ, i|β    =>  σ|i, β

  invariant β != [6, 12..9]
  claims
    sound        forests
"""

ENDLESS = """
system endless
  state   stack σ, buffer β
  start   [0], [1..n]
  final   σ = [], β = []

  SHIFT          σ, i|β    =>  σ|i, β

  claims
    sound        projective trees
    length       = 7n + 3
    #SHIFT       >= 2n
    terminates
"""

LONGER_WITH_FIVE_WORDS = """
system longer-with-five-words
  state   stack σ, buffer β, flag e
  start   [0], [1..n], false
  final   β = []

  SHIFT          σ, i|β, e      =>  σ|i, β, e
  WAIT           σ, i|β, false  =>  σ, i|β, true    if n > 4

  claims
    length       <= 2n + #WAIT
"""

UNLABELLED_CASE = """
system unlabelled-case
  state   stack σ, buffer β
  start   [0], [1..n]
  final   β = []

  ARC(l)         σ|i, j|β  =>  σ|i|j, β   add i -l-> j    if i != 0
  ARC            σ|i, j|β  =>  σ|i|j, β   add i -> j      if i = 0
  SHIFT          σ, i|β    =>  σ|i, β

  oracle o
    ARC(l)         σ|i, j|β   if gold i -l-> j
    SHIFT

  claims
    complete     forests
"""

TAGS_FROM_THE_BUFFER = TAGGING.partition("  claims")[0]
LIKE_IT = TAGS_FROM_THE_BUFFER + "\n  claims\n    like first.tsys on projective trees\n"
TAGS_FROM_THE_STACK = LIKE_IT.replace("gold tag i p", "gold tag j p")


def only(problem: Problem, part: str) -> Problem:
    goals = tuple(goal for goal in problem.goals if part in goal.name)
    assert goals != ()
    return replace(problem, goals=goals)


@pytest.mark.solver
def test_each_of_two_arcs_has_goals_of_its_own() -> None:
    prover = Prover(load(TWO_ARCS))
    problem = soundness(prover.meanings, FORESTS)
    second = only(problem, "TWO adds an arc (2) to a word that has no head")

    assert len({goal.name for goal in problem.goals}) == len(problem.goals)
    assert search(second, prover.candidates, LITTLE).failed


@pytest.mark.solver
def test_space_counts_an_arc_that_is_added_again() -> None:
    prover = Prover(load(TWO_ARCS))
    claim = next(c.statement for c in prover.system.figure.claims if isinstance(c.statement, s.SpaceBound))
    again = only(space(prover.meanings, claim), "TWO adds an arc (2) to a word that has no head")

    assert search(again, prover.candidates, LITTLE).failed


def test_goals_of_one_name_are_refused() -> None:
    problem = soundness(meanings_of(load("arc-eager")), FORESTS)
    with pytest.raises(TwoOfOneName, match="duplicate name"):
        replace(problem, goals=(*problem.goals, Goal(problem.goals[0].name, (), problem.goals[0].term)))


ONE_NAME = """
from dataclasses import replace
from arcproof.properties.proving.goals.soundness import soundness
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.transitions.syntax import GraphClass
from arcproof.transitions.system import load
problem = soundness(meanings_of(load("arc-eager")), GraphClass((), "forests"))
replace(problem, goals=problem.goals * 2)
"""
TWO_CELLS = """
from arcproof.properties.proving.meaning.model import model_of
from arcproof.transitions.system import load
system = load("arc-eager")
start = system.start(2)
model_of(system, type(start)(2, start.names, ((0, 1), (1, 2))))
"""


@pytest.mark.solver
@pytest.mark.parametrize(
    ("script", "error"),
    [
        (ONE_NAME, "TwoOfOneName: duplicate name: at the end ROOT"),
        (TWO_CELLS, "InTwoCells: arc-eager: 1 is in two cells"),
    ],
)
def test_what_keeps_proofs_apart_is_checked_without_assertions_too(script: str, error: str) -> None:
    done = subprocess.run([sys.executable, "-O", "-c", script], capture_output=True, text=True, check=False)

    assert error in done.stderr


def test_two_names_do_not_become_one_symbol() -> None:
    report = prove(load(ONE_SYMBOL))

    assert {theorem.verdict for theorem in report.theorems} == {Verdict.UNKNOWN}
    assert "two names of the figure become kalpha" in theorem_text(report.theorems[0])


@pytest.mark.solver
def test_letters_without_a_spelling_in_ascii_have_symbols() -> None:
    """They ended the prover with a traceback and the exit code of a refutation."""
    theorem = terminates(Prover(load(ENDLESS.replace("σ", "ϖ").replace("β", "ͱ"))))

    assert theorem.verdict is Verdict.PROVED


@pytest.mark.solver
def test_an_oracle_must_take_the_label_of_the_arc_it_adds() -> None:
    """A line that takes the label of one arc and adds another."""
    text = load("arc-eager").text.replace(
        "  oracle reduce-late\n",
        "  oracle reduce-late\n    LEFT-ARC(l)    σ|i, j|k|β   if gold j -> i, gold j -l-> k\n",
    )
    for system, fails in ((load(text), True), (load("arc-eager"), False)):
        asked = only(problem_of(system), "line 1, LEFT-ARC adds an arc with its gold label")
        assert bool(search(asked, (), LITTLE).failed) is fails


def problem_of(system: System) -> Problem:
    meanings = meanings_of(system)
    graphs = next(c.statement.graphs for c in system.figure.claims if isinstance(c.statement, s.CompleteFor))
    oracle = system.figure.oracles[0]
    axioms = gold_axioms(meanings, graphs, oracle)
    return completeness(meanings, oracle, as_given(axioms, lemmas(axioms)), (), ())


@pytest.mark.solver
def test_a_case_without_a_label_cannot_be_requested_with_one() -> None:
    """From 0 the figure adds arcs without labels; the oracle asks for the label of the gold arc, which the interpreter
    refuses there.
    """
    system = load(UNLABELLED_CASE)
    with pytest.raises(NotDerivable, match="ARC carries no label, but root was given"):
        system.derive(Graph(1, frozenset({Arc(0, "root", 1)})))
    for text, fails in (
        (UNLABELLED_CASE, True),
        (UNLABELLED_CASE.replace("ARC     ", "ARC(l)  ").replace("add i -> j", "add i -l-> j"), False),
    ):
        asked = only(problem_of(load(text)), "line 1, ARC is permissible")
        assert bool(search(asked, (), LITTLE).failed) is fails


def test_arcs_from_0_that_are_built_by_giving_no_head_count() -> None:
    """With gold 0,0 each of the two arcs is in some output, and no output has both."""
    system = load(ROOT_NONE)
    claim = next(claim for claim in system.figure.claims if isinstance(claim.statement, s.ArcDecomposable))
    found = check_statement(Levels(system, 2), claim.statement)

    assert isinstance(found, Refuted)
    assert str(found.counterexample.graph) == "0,0"
    with pytest.raises(Unsupported, match="gold arcs from 0"):
        arc_decomposable(Prover(system), claim, claim.statement.graphs)


def test_a_forest_with_arcs_from_0_is_no_output_of_a_figure_without_0() -> None:
    """Its oracle leads to the forest without these arcs, which is another one."""
    with pytest.raises(Unsupported, match="arcs from 0"):
        complete(Prover(load(ROOT_NONE)), SOUND, FORESTS)


@pytest.mark.parametrize(("text", "verdict"), [(TAGS_FROM_THE_STACK, Verdict.REFUTED), (LIKE_IT, Verdict.PROVED)])
@pytest.mark.solver
def test_the_same_transitions_have_the_same_tags(tmp_path: Path, text: str, verdict: Verdict) -> None:
    """The goals must not leave it to the interpreter to notice."""
    (tmp_path / "first.tsys").write_text(TAGS_FROM_THE_BUFFER, encoding="utf-8")
    (tmp_path / "second.tsys").write_text(text, encoding="utf-8")
    first, second = (load(str(tmp_path / f"{name}.tsys")) for name in ("first", "second"))
    goals = Goals(tuple(lockstep(meanings_of(second), second.oracle(), meanings_of(first), first.oracle())))
    model = {**model_of(second, second.start(2)), **gold_model(Gold(graph_of((0, 1))))}
    (theorem,) = prove(second).theorems

    assert theorem.verdict is verdict
    assert goals.broken(model, 2) is (verdict is Verdict.REFUTED)


def test_labels_that_only_some_arcs_get_are_not_left_out_of_completeness() -> None:
    """No labelled graph with an arc from 0 is derived, and the goals are about labels only where there are some."""
    system = load(UNLABELLED_CASE)
    ends = judged(SOUND, (discharged("z3", "cvc5"),), tuple(Witness("ARC", words, "") for words in (3, 5)), ())
    theorem = complete_by(Prover(system), SOUND, FORESTS, system.figure.oracles[0], ends)

    assert ends.verdict is Verdict.PROVED
    assert theorem.obstacle is not None
    assert theorem.obstacle.kind is Hindrance.UNSUPPORTED


@pytest.mark.solver
def test_a_range_that_is_empty_has_no_nodes() -> None:
    """With six words the buffer is `[6]`, and that is `[6, 12..9]`."""
    prover = Prover(load(EMPTY_RANGE), rlimit=LITTLE)
    condition = prover.system.figure.invariants[0]
    (end,) = [c for c in explore(prover.system, 6).configurations if c["β"] == (6,)]

    assert not prover.system.satisfies(end, condition)
    assert prover.about(Invariance(condition)).verdict is not Verdict.PROVED


@pytest.mark.solver
def test_a_better_bound_on_the_length_counts_every_transition() -> None:
    """Up to four words the longest runs have length n; with five there is one of length 6, in which WAIT counts
    although the claim lets it off.
    """
    (theorem,) = prove(load(LONGER_WITH_FIVE_WORDS)).theorems

    assert (theorem.claim, theorem.verdict) == ("length <= 2n + #WAIT", Verdict.PROVED)


@pytest.mark.solver
def test_nothing_is_proved_of_the_ends_of_runs_that_never_end() -> None:
    found = {theorem.claim: theorem for theorem in prove(load(ENDLESS)).theorems}

    assert found.pop("terminates").verdict is Verdict.PROVED
    assert {theorem.verdict for theorem in found.values()} == {Verdict.UNKNOWN}
    assert all(
        "are the premises satisfied with the end of a run" in theorem_text(theorem) for theorem in found.values()
    )


@pytest.mark.solver
def test_a_transition_may_have_any_name() -> None:
    """What is shown after a move and what is shown in the same configuration are told apart by these names."""
    theorem = sound(Prover(load(PLAIN.replace("SHIFT", "here"))), SOUND, FORESTS)

    assert theorem.verdict is Verdict.PROVED


def test_cases_that_choose_different_lengths_have_no_oracle_in_symbols() -> None:
    system = load(TWO_CHOICES)
    with pytest.raises(Unsupported, match="different lengths"):
        meanings_of(system).advice(system.figure.oracles[0])


@pytest.mark.solver
def test_a_precondition_written_twice_is_one() -> None:
    text = load("arc-standard-stack").text.replace("if i != 0", "if i != 0, i != 0")
    theorem = sound(Prover(load(text)), SOUND, FORESTS)

    assert theorem.verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('lemma "a": forall x: headed(x) by induction on n.', "n is not among the outermost variables"),
        ('lemma "a": forall n: headed(n).', "n is the number of words"),
        ("define f(n) as headed(n).", "n is the number of words"),
        ('lemma "a": forall x, x: headed(x).', "two variables have the same name"),
        ("opaque α(x) as headed(x). opaque alpha(x) as not headed(x).", "alpha is already defined"),
        ('lemma "a": forall x: exists y: x = y by induction on y.', "y is not among the outermost variables"),
    ],
)
def test_lemmas_that_would_prove_anything_are_refused(text: str, message: str) -> None:
    state = meanings_of(load("swap")).before
    with pytest.raises(BadLemma, match=message):
        [lemma.goal(state) for lemma in instances_of(read(text, "a.lemmas"), "a.lemmas", state).lemmas]


@pytest.mark.solver
def test_an_opaque_predicate_knows_which_sequence_is_which() -> None:
    text = """
        opaque p(x) as |X| < |Z| + x - x.
        lemma "A {X} {Z}" for X, Z: p(0) => |X| < |Z| using definition of p.
        lemma "B {X} {Z}" for Z, X: p(0) => |Z| < |X| using "A {Z} {X}".
    """
    state = meanings_of(load("swap")).before
    problem = Problem((), state, state, (), (), lemmas=instances_of(read(text, "a.lemmas"), "a.lemmas", state).lemmas)
    goal = Goal("B", (), problem.lemmas[2].candidate.formula(state))

    assert search(replace(problem, goals=(goal,)), (), LITTLE).failed


@pytest.mark.solver
def test_no_two_opaque_predicates_are_one() -> None:
    text = """
        opaque p_X0(x) as headed(x) and |Y| = |Y| + x - x.
        opaque p(x) as not headed(x) and |X| + |Y| = |X| + |Y| + x - x.
        lemma "absurd {X} {Y}" for X, Y: forall x: headed(x) and not headed(x) using definition of p_X0, definition of p.
    """
    state = meanings_of(load("swap")).before
    problem = Problem((), state, state, (), (), lemmas=instances_of(read(text, "a.lemmas"), "a.lemmas", state).lemmas)
    goal = Goal("absurd", (), problem.lemmas[0].candidate.formula(state))

    assert search(replace(problem, goals=(goal,)), (), LITTLE).failed


TRUE_OF_ONE = 'opaque p(x) as x = x. lemma "one" : p(0) using definition of p.'
FALSE_OF_THE_OTHER = """
    opaque p(x) as x != x.
    lemma "other": not p(0) using definition of p.
    lemma "absurd": 1 = 2 using "one", "other".
"""


@pytest.mark.solver
def test_opaque_predicates_of_two_files_are_two() -> None:
    """The names of the files differ, and their spellings in ASCII do not."""
    state = meanings_of(load("swap")).before
    texts = {"zα.lemmas": TRUE_OF_ONE, "zalpha.lemmas": FALSE_OF_THE_OTHER}
    told = [lemma for source, text in texts.items() for lemma in instances_of(read(text, source), source, state).lemmas]
    problem = Problem((), state, state, (), (Goal("1 = 2", (), told[2].candidate.formula(state)),), lemmas=tuple(told))

    assert search(problem, (), LITTLE).failed


def test_two_lemma_files_that_are_spelled_alike_are_refused() -> None:
    with pytest.raises(TwoOfOneName, match="zalpha"):
        instances_module._together(("zα", "zalpha"), meanings_of(load("swap")).before, None)


@pytest.mark.solver
def test_witnesses_must_satisfy_the_lemmas_of_a_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lemma that is false, with solvers that say anything: no configuration satisfies it."""
    prover = Prover(load("arc-standard"))
    state = prover.meanings.before
    (lemma,) = instances_of(read('lemma "absurd": 1 = 2.', "a.lemmas"), "a.lemmas", state).lemmas
    argument = prover.argument(replace(soundness(prover.meanings, FORESTS), lemmas=(lemma,)))
    monkeypatch.setattr(Prover, "discharge", lambda *_: [discharged("z3", "cvc5")])
    cores = dict.fromkeys(required(argument.problem, Certificate((), ("absurd",), {})), ())

    with pytest.raises(NotAnInvariant):
        prover._checked(SOUND, argument, Certificate((), ("absurd",), cores))


LEMMA_CALLED_GOAL = """
system lemma-called-goal
  state   stack σ, buffer β
  start   [], [1..n, 0]
  final   β = []

  SHIFT   σ, i|β    =>  σ|i, β

  lemma "goal": n <= 5
  lemma "in the same configuration{R}" for root R: n <= 5 or not before(1, 0) using "goal"

  claims
    length = n + 1
"""


def test_a_lemma_has_another_name_than_goals_are_shown_under() -> None:
    """The second lemma has two instances: a goal called as what is shown here, and one that is false with six words.

    What was shown of the first counted as shown of the lemma called `goal`, from which the second follows.
    """
    system = load(LEMMA_CALLED_GOAL)
    with pytest.raises(BadLemma, match="another lemma or guess is called 'goal'"):
        check_lemmas(system)
    prover = Prover(system)
    about = next(
        task for task in tasks_of(system) if isinstance(task, LemmaHolds) and task.lemma.text.startswith('"in')
    )
    with pytest.raises(TwoOfOneName, match="duplicate name: goal"):
        prover.about(about)


def test_keys_of_different_kinds_differ_whatever_the_names_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """If such names were not refused: what is shown of a goal does not count as shown of a lemma."""
    monkeypatch.setattr(problem_module, "no_two_of_one_name", lambda _: None)
    state = meanings_of(load("swap")).before
    told = instances_of(read('lemma "goal": 1 = 2.', "a.lemmas"), "a.lemmas", state).lemmas
    asked = Problem((), state, state, (), (Goal(HERE, (), t.TRUE),), lemmas=told)
    goal, lemma = ForGoal(HERE), ForLemma("goal")
    certificate = Certificate((), ("goal",), {goal: (), lemma: ()})
    (again,) = from_text(to_text("swap", {"": certificate})).values()

    assert key_texts(goal) == key_texts(lemma)
    assert goal != lemma
    assert len(obligations(asked, certificate, ())) == 2
    for known in (again, replace(certificate, cores={goal: ()})):
        with pytest.raises(Incomplete, match="goal × in the same configuration is not shown"):
            obligations(asked, known, ())


@pytest.mark.parametrize("key", [ForGoal("goal"), AtStart("a"), AfterMove("a", "SHIFT"), ForLemma("a")])
def test_keys_are_read_as_they_are_written(key: Key) -> None:
    assert key_of(*key_texts(key)) == key


def test_what_is_shown_of_helps_is_for_sentences_with_words() -> None:
    """A sentence has at least one word: `lemma "a": n >= 1` is proved."""
    system = load(PLAIN.replace("  claims", '  lemma "a": n >= 1\n  measure V = |β| + n - 1\n  claims'))

    assert [str(task) for task in tasks_of(system) if isinstance(task, LemmaHolds | MeasureFalls)] == [
        "measure V = |β| + n - 1 for n >= 1",
        'lemma "a": n >= 1 for n >= 1',
    ]


def test_a_figure_that_adds_arcs_from_0_has_a_root() -> None:
    """In short sentences it derives forests with arcs from 0, in long ones it does not; gold would be without them."""
    text = PLAIN.replace("[0], [1..n]", "[], [1..n]\n  root none")
    root = "  ROOT(l)        σ, i|β    =>  σ, i|β   add 0 -l-> i    if no head(i), n <= 4\n\n  claims"

    assert not load(text).has_root
    with pytest.raises(BadSpecification, match="0 takes part in runs"):
        load(text.replace("  claims", root))


@pytest.mark.parametrize(
    ("effects", "known"),
    [
        ("remove * -> i", True),
        ("remove * -> i add j -l-> i", True),
        ("remove * -> i remove * -> j", False),
        ("add j -l-> i remove * -> j", False),
        ("remove * -> i add j -l-> i remove * -> j", False),
    ],
)
def test_only_arcs_that_are_removed_once_and_first_are_counted(effects: str, known: bool) -> None:
    """The unknowns of a step are the same for all its removals: after two of them one arc less would be wrong."""
    label = "(l)" if "-l->" in effects else ""
    rule = f"  CUT{label}  σ|i|j, β  =>  σ|i|j, β   {effects}\n\n  claims"
    meanings = meanings_of(load(PLAIN.replace("  claims", rule)))
    (cut,) = [step for step in meanings.steps if step.rule.name == "CUT"]

    assert bool(cut.facts) is known
