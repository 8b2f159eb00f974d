"""Lemma files: what they say, that mistakes in them are named, and that nothing false in them is believed."""

import pytest
from arcproof.properties.proving.goals.completeness import completeness, gold_axioms
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.lemmas import BadLemma, LemmaFile, instances, instances_of, library, read
from arcproof.properties.proving.language.wording import to_text
from arcproof.properties.proving.library.gold import as_given, gold_candidates, lemmas
from arcproof.properties.proving.library.templates import candidates
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.search.houdini import HERE, Goal, Problem, Search, search
from arcproof.properties.proving.trusted.discharge import Certificate, Incomplete, obligations
from arcproof.properties.proving.trusted.obligation import RLIMIT
from arcproof.transitions import syntax as s
from arcproof.transitions.library import system_names

from arcproof import load

FIGURE = load("swap")
MEANINGS = meanings_of(FIGURE)


def told(text: str) -> LemmaFile:
    return instances_of(read(text, "test.lemmas"), "test.lemmas", MEANINGS.before)


def problem(text: str, *goals: Goal) -> Problem:
    """A configuration about which nothing is known but the lemmas."""
    return Problem((), MEANINGS.before, MEANINGS.start, (), goals, lemmas=told(text).lemmas)


def provable(text: str) -> dict[str, bool]:
    """Which lemmas of a text the search proves."""
    here = Search(problem(text), {}, RLIMIT)
    for name in list(here.lemmas):
        here._try((name, HERE))
    return {lemma.name: (lemma.name, HERE) in here.proved for lemma in told(text).lemmas}


def test_the_meaning_of_a_formula() -> None:
    (guess,) = told('guess "sorted" for X: forall p, q: 0 <= p and p < q and q < |X| => X[p] < X[q].').guesses[:1]
    term = guess.formula(MEANINGS.before)
    assert guess.name == "sorted"
    assert to_text(term) == "∀x,y: (0 ≤ x < y < height_sigma) ⇒ cell_sigma(x) < cell_sigma(y)"


def test_a_lemma_is_repeated_for_every_sequence() -> None:
    found = told('lemma "{X} and {Z}" for X, Z: |X| = |Z| => |Z| = |X|.').lemmas
    assert [lemma.name for lemma in found] == ["σ and β", "β and σ"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('lemma "a": forall x x = x.', "test.lemmas:1:"),
        ('lemma "a": y = y.', "test.lemmas:1: y is not bound"),
        ('lemma "a": |X| = 0.', "X is no sequence here"),
        ('lemma "{Y}" for X: |X| = 0.', "Y is no sequence here"),
        ('lemma "a": forall x: wrong(x).', "wrong is not known"),
        ('lemma "a": forall x: gone(x, x).', "gone takes 1 arguments, not 2"),
        ('lemma "a": forall x: x + 1.', "a number stands where a statement is wanted"),
        ('lemma "a": forall x: gone(x) + 1 = 0.', "a statement stands where a number is wanted"),
        ('lemma "a": 0 = 0 by induction on 0.', "begins with forall"),
        ('lemma "a": forall x: x = x using definition of f.', "there is no `opaque f` above"),
        ("define f(x) as f(x).", "f is not defined above"),
        ("define gone(x) as x = x.", "gone is defined already"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(BadLemma) as caught:
        written_out(text)
    assert message in str(caught.value)


def written_out(text: str) -> None:
    for lemma in told(text).lemmas:
        lemma.goal(MEANINGS.before)
        lemma.definitions(MEANINGS.before)


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


def test_predicates_of_two_files_are_two() -> None:
    text = 'opaque f(x) as x = {}. lemma "f": forall x: f(x) => x = {} using definition of f.'
    one, other = (
        instances_of(read(text.replace("{}", value), name), name, MEANINGS.before).lemmas[0].folded(MEANINGS.before)
        for value, name in (("0", "one.lemmas"), ("1", "other.lemmas"))
    )
    assert t.symbols([one]) != t.symbols([other])


def test_a_certificate_cannot_leave_out_a_lemma_or_turn_the_order_round() -> None:
    text = """
        lemma "late truth": forall x: gold x -> x => gone(x) using "truth".
        lemma "truth": forall x: x = x.
        """
    goal = Goal("goal", (), t.TRUE)
    asked = problem(text, goal)
    with pytest.raises(Incomplete, match="uses what is not given"):
        obligations(asked, Certificate((), (), {("goal", "goal"): ("truth",)}), ())
    with pytest.raises(Incomplete, match="is not shown"):
        obligations(asked, Certificate((), ("truth",), {("goal", "goal"): ("truth",)}), ())
    cores = {("goal", "goal"): (), ("late truth", HERE): ("truth",), ("truth", HERE): ()}
    with pytest.raises(Incomplete, match="uses what is not given"):
        obligations(asked, Certificate((), ("late truth", "truth"), cores), ())


def test_a_goal_may_rest_on_a_lemma() -> None:
    goal = Goal("goal", (), t.for_all(lambda x: t.implies(MEANINGS.before.headed(x), MEANINGS.before.headed(x))))
    found = search(problem('lemma "truth": forall x: x = x.', goal), (), RLIMIT)
    assert not found.failed


def test_every_premise_named_on_board_exists_for_some_figure() -> None:
    known: set[str] = set()
    wanted: dict[str, str] = {}
    for name in system_names():
        system = load(name)
        try:
            meanings = meanings_of(system)
        except Exception:
            continue
        on_file = instances(meanings.before)
        entries = (*on_file.guesses, *(lemma.candidate for lemma in on_file.lemmas))
        wanted |= {hint: entry.source for entry in entries for hint in entry.hints}
        known |= {entry.name for entry in entries}
        known |= {c.name for c in (*candidates(meanings.before, meanings.start), *gold_candidates(meanings.before))}
        for claim in system.figure.claims:
            if isinstance(claim.statement, s.CompleteFor):
                graphs = system.class_with_parameters(claim.statement.graphs)
                for oracle in system.figure.oracles:
                    axioms = gold_axioms(meanings, graphs, oracle)
                    known |= {c.name for c in as_given(axioms, lemmas(axioms))}
    assert {title: source for title, source in wanted.items() if title not in known} == {}


def test_the_library_is_not_empty() -> None:
    assert {name for name, _ in library()} >= {"gold.lemmas", "pairs.lemmas", "ready.lemmas", "waiting.lemmas"}


def test_lemmas_of_completeness_are_in_order() -> None:
    graphs = FIGURE.class_with_parameters(s.GraphClass((), "trees"))
    oracle = FIGURE.figure.oracles[0]
    axioms = gold_axioms(MEANINGS, graphs, oracle)
    on_file = instances(MEANINGS.before)
    asked = completeness(MEANINGS, oracle, as_given(axioms, lemmas(axioms)), (), on_file.lemmas)
    order = [lemma.name for lemma in asked.lemmas]
    for lemma in asked.lemmas:
        later = [
            hint for hint in lemma.candidate.hints if hint in order and order.index(hint) >= order.index(lemma.name)
        ]
        assert later == [], lemma.name
