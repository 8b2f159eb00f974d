"""Lemma files: what they say, that mistakes in them are named, and that nothing false in them is believed."""

from itertools import product

import pytest

from arcproof import load
from arcproof.properties.proving.goals.completeness import completeness, gold_axioms
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.language.lemmas import BadLemma, read
from arcproof.properties.proving.language.wording import to_text
from arcproof.properties.proving.library.gold import as_given, lemmas
from arcproof.properties.proving.library.gold import axioms as axioms_of_gold
from arcproof.properties.proving.library.instances import Entries, candidates, gold_lemmas, instances, instances_of
from arcproof.properties.proving.meaning.formulas import One
from arcproof.properties.proving.meaning.model import domain, model_of
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.methods.completeness import meaningful
from arcproof.properties.proving.search.houdini import Search, search
from arcproof.properties.proving.trusted.discharge import Certificate, Incomplete, obligations
from arcproof.properties.proving.trusted.problem import ForGoal, ForLemma, Goal, Key, Problem
from arcproof.properties.proving.trusted.solvers import RLIMIT
from arcproof.transitions import syntax as s

SHARED = """system twofold
  cite "in no paper"
  shared
  state stack σ, buffer β
  start [0], [0..n]
  final β = []

  SHIFT  σ, i|β  =>  σ, β

  claims
    length = n + 1
"""
FIGURE = load("swap")
MEANINGS = meanings_of(FIGURE)


def told(text: str, *true: str) -> Entries:
    return instances_of(read(text, "test.lemmas"), "test.lemmas", MEANINGS.before, MEANINGS.start, true)


def problem(text: str, *goals: Goal) -> Problem:
    """A configuration about which nothing is known but the lemmas."""
    return Problem((), MEANINGS.before, MEANINGS.start, (), goals, lemmas=told(text).lemmas)


def provable(text: str) -> dict[str, bool]:
    """Which lemmas of a text the search proves."""
    here = Search(problem(text), {}, RLIMIT)
    for name in list(here.lemmas):
        here._try(ForLemma(name))
    return {lemma.name: ForLemma(lemma.name) in here.proved for lemma in told(text).lemmas}


def test_the_meaning_of_a_formula() -> None:
    (guess,) = told('guess "sorted" for X: forall p, q: 0 <= p and p < q and q < |X| => X[p] < X[q].').guesses[:1]
    term = guess.formula(MEANINGS.before)
    assert guess.name == "sorted"
    assert to_text(term) == "∀x,y: (0 ≤ x < y < height_sigma) ⇒ cell_sigma(x) < cell_sigma(y)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('lemma "a": forall x x = x.', "test.lemmas:1:21: this is not valid in a lemma file"),
        ('\n  guess "a" for: |X| = 0.', "test.lemmas:2:16: this is not valid in a lemma file"),
        ('for X { guess "a": |X| = 0.', "this is not valid in a lemma file"),
        ('lemma "a": y = y.', "test.lemmas:1:12: y is not bound"),
        ('lemma "a":\n  forall x:\n    |X| = 0.', "test.lemmas:3:5: X is not a sequence here"),
        ('lemma "{Y}" for X: |X| = 0.', "test.lemmas:1:1: Y is not a sequence here"),
        ('guess "a" unless "{Y}": 0 = n.', "test.lemmas:1:18: Y is not a sequence here"),
        ('guess "a" for several S: S[0] = 0.', "test.lemmas:1:26: S is not a sequence here"),
        ('guess "a" for X, X: |X| = 0.', "test.lemmas:1:18: X already has a meaning"),
        ('guess "a" for A: |A| = 0.', "test.lemmas:1:15: A already has a meaning"),
        ('for X { guess "a" for X: |X| = 0. }', "test.lemmas:1:23: X already has a meaning"),
        ("for X { define f(x) as x = |X|. }", "test.lemmas:1:9: a definition must be outside of blocks"),
        (
            'guess "a" where round: 0 = n.',
            "test.lemmas:1:17: round is not a property of gold graphs; the properties are trees",
        ),
        ('guess "a" for X where X before Z: |X| = 0.', "test.lemmas:1:23: Z is not a sequence here"),
        (
            'axiom "a": forall x: headed(x).',
            "test.lemmas:1:1: this must be about the gold graph alone, but mentions headed",
        ),
        ('basic lemma "a" for X: 0 = n.', "test.lemmas:1:1: this must be about the gold graph alone, but mentions X"),
        ('lemma "a": forall x: wrong(x).', "test.lemmas:1:22: wrong is unknown"),
        ('lemma "a": forall x: gone(x, x).', "test.lemmas:1:22: gone takes 1 arguments, not 2"),
        ('lemma "a": missing(n, 0) = 0.', "test.lemmas:1:12: missing(U, k) is about a set; say `for set U`"),
        ('lemma "a" for X: position(0, X, X) = 0.', "test.lemmas:1:18: position takes 2 arguments, not 3"),
        ('lemma "a" for X: position(0, Y) = 0.', "test.lemmas:1:18: Y is not a sequence here; say `for Y`"),
        ('lemma "a": forall x: x + 1.', "test.lemmas:1:22: a number where a statement was expected"),
        ('lemma "a": forall x: gone(x) + 1 = 0.', "test.lemmas:1:22: a statement where a number was expected"),
        (
            'lemma "a": 0 = 0 by induction on 0.',
            "test.lemmas:1:12: a statement proved by induction must begin with forall",
        ),
        ('lemma "a": forall x: x = x using definition of f.', "test.lemmas:1:34: there is no `opaque f` above"),
        ("define f(x) as f(x).", "test.lemmas:1:16: f is not defined above"),
        ("define gone(x) as x = x.", "test.lemmas:1:1: gone is already defined"),
        ("define upto(x) as x = x.", "test.lemmas:1:1: upto is already defined"),
        ('lemma "a": forall x: before(x, x).', "test.lemmas:1:22: this depends on where 0 is; say `for root R`"),
        ('lemma "a" for X where X is last: |X| = 0.', "test.lemmas:1:23: X is not a root here"),
        (f'lemma "a": {"(" * 3000}0 = 0{")" * 3000}.', "test.lemmas: a formula is nested too deeply"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(BadLemma) as caught:
        written_out(text)
    assert message in str(caught.value)


def written_out(text: str) -> None:
    for lemma in told(text).lemmas:
        lemma.candidate.formula(MEANINGS.before)
        lemma.goal(MEANINGS.before)
        lemma.definitions(MEANINGS.before)


@pytest.mark.solver
def test_what_is_false_has_no_proof() -> None:
    found = provable(
        """
        lemma "false": forall x: x != x.
        lemma "false by induction": forall k: |k| < k by induction on k.
        """.replace("|k|", "0")
    )
    assert found == {"false": False, "false by induction": False}


def test_two_lemmas_do_not_prove_each_other() -> None:
    assert provable(
        """
        lemma "hen": forall x: gone(x) using "egg".
        lemma "egg": forall x: gone(x) using "hen".
        """
    ) == {"hen": False, "egg": False}


@pytest.mark.solver
def test_induction() -> None:
    text = """
        lemma "no step": forall k: 0 <= k => depth(k) <= depth(0) using "falling".
        lemma "falling": (forall k: depth(k + 1) <= depth(k)) => (forall k: depth(k + 1) <= depth(k)).
        opaque falls(a) as forall k: depth(k + 1) <= depth(k).
        lemma "one step": forall j, k: falls(0) and k = j + 1 => depth(k) <= depth(j) using definition of falls.
        lemma "all steps": forall k: falls(0) and 0 <= k => depth(k) <= depth(0) using "one step" by induction on k.
        lemma "without induction": forall k: falls(0) and 0 <= k => depth(k) <= depth(0) using "one step".
        lemma "not below 0": forall k: falls(0) => depth(k) <= depth(0) using "one step" by induction on k.
        """
    found = provable(text)
    assert found.pop("falling")
    assert found == {
        "no step": False,
        "one step": True,
        "all steps": True,
        "without induction": False,
        "not below 0": False,
    }


@pytest.mark.solver
def test_an_opaque_predicate_is_unknown_until_it_is_unfolded() -> None:
    found = provable(
        """
        opaque zero(x) as x = 0.
        lemma "folded": zero(0).
        lemma "unfolded": zero(0) using definition of zero.
        lemma "of two sequences": forall x: zero(x) => x = 0 using definition of zero.
        """
    )
    assert found == {"folded": False, "unfolded": True, "of two sequences": True}


def test_a_certificate_cannot_leave_out_a_lemma_or_turn_the_order_round() -> None:
    text = """
        lemma "late truth": forall x: gold x -> x => gone(x) using "truth".
        lemma "truth": forall x: x = x.
        """
    goal = Goal("goal", (), t.TRUE)
    asked = problem(text, goal)
    with pytest.raises(Incomplete, match="uses a premise that is not given"):
        obligations(asked, Certificate((), (), {ForGoal("goal"): ("truth",)}), ())
    with pytest.raises(Incomplete, match="is not shown"):
        obligations(asked, Certificate((), ("truth",), {ForGoal("goal"): ("truth",)}), ())
    cores: dict[Key, tuple[str, ...]] = {ForGoal("goal"): (), ForLemma("late truth"): ("truth",), ForLemma("truth"): ()}
    with pytest.raises(Incomplete, match="uses a premise that is not given"):
        obligations(asked, Certificate((), ("late truth", "truth"), cores), ())


@pytest.mark.solver
def test_a_goal_may_rest_on_a_lemma() -> None:
    goal = Goal("goal", (), t.for_all(lambda x: t.implies(MEANINGS.before.headed(x), MEANINGS.before.headed(x))))
    found = search(problem('lemma "truth": forall x: x = x.', goal), (), RLIMIT)
    assert not found.failed


@pytest.mark.solver
def test_a_lemma_may_name_a_guess_that_waits_for_a_stronger_one() -> None:
    """The stronger one is not thrown out, so that the weaker one would wait for ever."""
    text = """
        guess "strong": |σ| = 1.
        guess "weak" unless "strong": |σ| <= 1.
        lemma "wanted": |σ| <= 2 using "weak".
        """
    bound = {"σ": One("σ")}
    entries = instances_of(read(text, "test.lemmas"), "test.lemmas", MEANINGS.before, bound=bound)
    goal = Goal("goal", (), t.at_most(MEANINGS.before.heights["σ"], 2))
    asked = Problem((), MEANINGS.before, MEANINGS.start, (), (goal,), lemmas=entries.lemmas)
    here = Search(asked, {guess.name: guess for guess in entries.guesses}, RLIMIT)

    assert list(here.waiting) == ["weak"]
    here._try(ForLemma("wanted"))
    assert here.proved[ForLemma("wanted")] == ("weak",)


@pytest.mark.solver
def test_a_step_is_used_only_where_a_lemma_names_it() -> None:
    goal = Goal("goal", (), t.equal(MEANINGS.before.heights["σ"], 0))
    text = 'lemma "premise": |σ| = 0 and |β| = 0.'
    bound = {name: One(name) for name in MEANINGS.before.heights}
    for word, offered in (("", ["premise"]), ("step ", [])):
        found = instances_of(read(word + text, "test.lemmas"), "test.lemmas", MEANINGS.before, bound=bound).lemmas
        here = Search(Problem((), MEANINGS.before, MEANINGS.start, (), (goal,), lemmas=found), {}, RLIMIT)
        here._try(ForGoal("goal"))

        assert [name for core in here.proved.values() for name in core] == offered


def test_guesses_about_what_no_axiom_speaks_of_are_not_tried() -> None:
    guesses = told(
        """
        guess "arcs": forall x, y: gold x -> y => x -> y.
        guess "order": forall x: order(x) < order(x + 1).
        """
    ).guesses
    trees = s.GraphClass((), "trees")
    without, ordered = (axioms_of_gold(FIGURE, trees, ordered=asked) for asked in (False, True))

    assert [guess.name for guess in meaningful(guesses, without, MEANINGS.before)] == ["arcs"]
    assert [guess.name for guess in meaningful(guesses, ordered, MEANINGS.before)] == ["arcs", "order"]


@pytest.mark.long
def test_every_title_named_in_the_library_exists_for_some_figure() -> None:
    known: set[str] = set()
    wanted: dict[str, str] = {}
    for name in ("swap-max2", "list-projective", "arc-hybrid-right"):
        meanings = meanings_of(load(name))
        along = instances(meanings.before, meanings.start)
        entries = [*candidates(meanings.before, meanings.start), *along.guesses, *(lm.candidate for lm in along.lemmas)]
        wanted |= {title: entry.source for entry in entries for title in (*entry.hints, *entry.stronger)}
        known |= {entry.name for entry in entries}
    for restrictions, base in product(((), (s.Restriction("projective", None),)), ("forests", "trees")):
        axioms = axioms_of_gold(FIGURE, s.GraphClass(restrictions, base), ordered=True)
        known |= {c.name for c in as_given(axioms, lemmas(axioms))}
    wanted |= {title: lemma.candidate.source for lemma in gold_lemmas() for title in lemma.candidate.hints}
    assert {title: source for title, source in wanted.items() if title not in known} == {}


def test_an_entry_about_one_position_is_left_out_where_a_node_has_several() -> None:
    shared = meanings_of(load(SHARED))
    text = 'guess "a {X} {Z}" for X, Z: position(0) = 0. guess "b {X}" for X: position(0) = 0 and position(0, X) = 0.'
    found = instances_of(read(text, "test.lemmas"), "test.lemmas", shared.before, shared.start).guesses

    assert [guess.name for guess in found] == ["b σ", "b β"]
    assert to_text(found[0].formula(shared.before)) == "position_sigma(0) = 0"


# --- entries for the parts of a figure -------------------------------------------------------------------------------


def test_axioms_of_a_class() -> None:
    text = """
        axiom "a" where trees and not rooted: forall x: not gold 0 -> x.
        basic axiom "b": forall x: gold x ->* x.
    """
    assert [axiom.name for axiom in told(text, "trees").axioms] == ["a", "b"]
    assert [axiom.name for axiom in told(text, "trees", "rooted").axioms] == ["b"]
    assert [axiom.basic for axiom in told(text, "trees").axioms] == [False, True]


ENDS = """
    guess "sorted{R}" for X, root R: forall p: before(X[p], X[p + 1]) and upto(X[p], last(X[p])).
    lemma "within{R}" for root R where R is last: forall x, w, y: amid(x, w, y) => headed(final(w)).
"""


def test_the_root_stands_at_either_end() -> None:
    meanings = meanings_of(load("arc-hybrid-right"))
    found = instances_of(read(ENDS, "test.lemmas"), "test.lemmas", meanings.before, meanings.start)

    assert [guess.name for guess in found.guesses] == ["sorted", "sorted, 0 being last"] * 2
    first, last, *_ = (to_text(guess.formula(meanings.before)) for guess in found.guesses)
    assert first == "∀x: cell_sigma(x) < cell_sigma(x + 1) ∧ cell_sigma(x) ≤ last(cell_sigma(x))"
    assert "cell_sigma(x) ≠ 0" in last
    assert [lemma.name for lemma in found.lemmas] == ["within, 0 being last"]


@pytest.mark.parametrize(
    ("formula", "same"),
    [
        ("before(x, y)", "position(y) < position(x)"),
        ("upto(x, y)", "position(y) <= position(x)"),
        ("amid(x, w, y)", "between(position(x), position(w), position(y))"),
    ],
)
def test_with_0_after_the_words_the_order_is_that_of_the_buffer_at_the_start(formula: str, same: str) -> None:
    """The buffer is 1, 2, 3, 0 from its head on, so that its cells are counted from 0."""
    system = load("arc-hybrid-right")
    meanings = meanings_of(system)
    nodes = "node(x) and node(w) and node(y)"
    text = read(f'guess "a{{R}}" for root R: forall x, w, y: {nodes} => ({formula} <=> {same}).', "test.lemmas")
    first, last = instances_of(text, "test.lemmas", meanings.before, meanings.start).guesses
    model = model_of(system, system.start(3))

    assert to_python(last.formula(meanings.before))(model, domain(3))
    assert not to_python(first.formula(meanings.before))(model, domain(3))


def test_lemmas_of_completeness_are_in_order() -> None:
    graphs = FIGURE.class_with_parameters(s.GraphClass((), "trees"))
    oracle = FIGURE.figure.oracles[0]
    axioms = gold_axioms(MEANINGS, graphs, oracle)
    on_file = instances(MEANINGS.before, MEANINGS.start)
    asked = completeness(MEANINGS, oracle, as_given(axioms, lemmas(axioms)), (), on_file.lemmas)
    order = [lemma.name for lemma in asked.lemmas]
    for lemma in asked.lemmas:
        later = [
            hint for hint in lemma.candidate.hints if hint in order and order.index(hint) >= order.index(lemma.name)
        ]
        assert later == [], lemma.name
