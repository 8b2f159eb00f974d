"""Whole proofs: what is refused, whoever wrote it, and that nothing but the checker is needed to say so."""

import ast
import random
import re
import sys
from pathlib import Path

import pytest

from arcproof.properties.proving import checker
from arcproof.properties.proving.checker.proof import Checked, check
from arcproof.properties.proving.checker.terms import (
    Refused,
    integer,
    operator,
    quantifier,
    substitute,
    variable,
)

HERE = Path(__file__).parent
OBLIGATION = (HERE / "reflexive.smt2").read_text(encoding="utf-8")
PROOF = (HERE / "reflexive.cpc").read_text(encoding="utf-8")
LINES = PROOF.splitlines()
MOST_LINES = 2000

SMALL = (
    "(declare-fun p () Bool) (declare-fun a () Int) (declare-fun P (Int) Bool) (assert p) (assert (not p)) (check-sat)"
)
SMALL_PROOF = "((assume @p1 p) (assume @p2 (not p)) (step @p3 false :rule contra :premises (@p1 @p2)))"


def refusal(obligation: str, proof: str) -> str:
    """Why a proof is refused."""
    with pytest.raises(Refused) as refused:
        check(obligation, proof)
    return str(refused.value)


def small(*commands: str) -> str:
    """Why the proof of `SMALL` with these commands in front is refused."""
    return refusal(SMALL, f"({' '.join(commands)} {SMALL_PROOF[1:]}")


def test_a_proof_of_cvc5_is_accepted() -> None:
    checked = check(OBLIGATION, PROOF)

    assert checked.steps == sum(line.startswith("(step") for line in LINES) == 37
    assert checked.assumptions == 2
    assert checked.rules["scope"] == 2
    assert check(SMALL, SMALL_PROOF) == Checked({"contra": 1}, 2)


# --- tampering -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [n for n, line in enumerate(LINES) if line.startswith("(") and line != "("])
def test_no_line_can_be_left_out(place: int) -> None:
    refusal(OBLIGATION, "\n".join(LINES[:place] + LINES[place + 1 :]))


@pytest.mark.parametrize("place", [n for n, line in enumerate(LINES) if line.startswith("(step")])
def test_no_rule_can_be_exchanged(place: int) -> None:
    for rule in ("contra", "trust", "refl", "modus_ponens", "and_intro"):
        line = re.sub(r":rule \S+", f":rule {rule}", LINES[place])
        if line != LINES[place]:
            refusal(OBLIGATION, "\n".join([*LINES[:place], line, *LINES[place + 1 :]]))


def test_another_obligation_is_not_proved() -> None:
    weaker = OBLIGATION.replace("(assert (forall ((x0 Int)) (reaches x0 x0)))\n", "")

    assert "is not an assertion of the obligation" in refusal(weaker, PROOF)
    assert refusal(SMALL, PROOF) == "define @t2: unknown symbol reaches"


def test_no_tampering_proves_what_is_satisfiable() -> None:
    """The premise says less than the goal, and hundreds of changed proofs do not change that."""
    obligation = OBLIGATION.replace("(reaches x0 x0)))\n;", "(reaches x0 0)))\n;")
    proof = PROOF.replace("(define @t4 () (forall @t3 @t2))", "(define @t4 () (forall @t3 (reaches @t1 0)))")
    assert (obligation, proof) != (OBLIGATION, PROOF)
    words = re.findall(r"[()]|[^\s()]+", proof)
    names = sorted({word for word in words if word not in "()"})
    chance = random.Random(0)
    refusal(obligation, proof)
    for _ in range(300):
        changed = list(words)
        for place in chance.sample([n for n, word in enumerate(words) if word not in "()"], chance.choice((1, 1, 2))):
            changed[place] = chance.choice(names)
        refusal(obligation, " ".join(changed))


# --- what a proof may not do -----------------------------------------------------------------------------------------


def test_a_trust_step_is_refused() -> None:
    assert refusal(SMALL, "((step @p1 false :rule trust :args (false)))") == "step @p1, by trust: there is no such rule"


def test_an_unknown_rule_is_named_with_its_step() -> None:
    assert small("(step @p9 :rule bv-add-zero :args (a))") == "step @p9, by bv-add-zero: there is no such rule"


def test_a_step_that_refers_forward_is_refused() -> None:
    assert (
        small("(step @p0 :rule not_not_elim :premises (@p1))")
        == "step @p0, by not_not_elim: there is no step @p1 in scope"
    )
    assert small("(step @p0 :rule refl :args (@t1))", "(define @t1 () a)") == "step @p0, by refl: unknown symbol @t1"


def test_an_assumption_must_be_asserted() -> None:
    assert small("(assume @p0 (P 0))") == "assume @p0: the assumption is not an assertion of the obligation"


def test_the_last_step_must_be_false() -> None:
    assert refusal(SMALL, "((assume @p1 p))") == "the last step does not say false"
    assert refusal(SMALL, "()") == "the last step does not say false"
    assert refusal(SMALL, SMALL_PROOF[:-1] + "(assume @p4 p))") == "the last step does not say false"


def test_an_open_assumption_is_refused() -> None:
    assert refusal(SMALL, "((assume-push @p1 false))") == "an assumption is still open at the end"


def test_what_is_shown_under_an_assumption_is_out_of_sight_after_it() -> None:
    leak = "(assume-push @a (P 0)) (step @b :rule and_intro :premises (@a)) (step-pop @c :rule scope :premises (@b))"

    assert (
        small(leak, "(step @d :rule and_elim :premises (@b) :args (0))")
        == "step @d, by and_elim: there is no step @b in scope"
    )
    assert (
        small(leak, "(step @d :rule true_intro :premises (@a))")
        == "step @d, by true_intro: there is no step @a in scope"
    )


def test_only_the_last_assumption_is_discharged() -> None:
    two = "(assume-push @a (P 0)) (assume-push @b (P 1)) (step-pop @c :rule scope :premises (@a))"

    assert small(two, "(step @d (=> (P 0) (P 0)) :rule and_elim :premises (@c) :args (0))").startswith(
        "step @d, by and_elim"
    )
    assert "no open assumption" in small("(step-pop @c :rule scope :premises (@p1))")
    assert "by scope: there is no such rule" in small("(step @c :rule scope :premises (@p1))")


def test_an_assumption_with_a_free_variable_is_refused() -> None:
    """From x = 0 it would follow that P is true of all numbers if it is true of 0."""
    unsound = (
        '(define @x () (@var "x" Int)) (assume-push @a (= @x 0)) (step @b :rule cong :premises (@a) :args ((P @x)))'
        "(step @c :rule cong :premises (@b) :args ((forall (@list @x) (P @x))))"
    )
    assert small(unsound) == "assume-push @a: an assumption has a free variable"


def test_a_name_has_one_meaning() -> None:
    assert small("(define @t1 () a)", "(define @t1 () 0)") == "define @t1: @t1 is not a new name"
    assert small("(assume @p1 p)") == "assume @p1: @p1 is not a new name"
    assert small("(define @list () a)") == "define @list: @list is not a new name"
    assert small("(define a () 0)") == "define a: a is not a new name"
    assert small("(define @t1 ((x Int)) a)") == "define @t1: not a command of a proof"


def test_symbols_cannot_be_declared_in_a_proof() -> None:
    for command in ("(declare-const b Int)", "(declare-fun p () Bool)", "(include x)", "(declare-rule trust () p)"):
        assert small(command).endswith(": not a command of a proof")
    assert small("(step @p0 :rule refl :args (b))") == "step @p0, by refl: unknown symbol b"
    assert small("(step @p0 :rule refl :args ((@const 1 a)))") == "step @p0, by refl: unknown symbol @const"


@pytest.mark.parametrize("rule", ["cnf_and_pos", "cnf_or_neg"])
@pytest.mark.parametrize("place", ["-1", "2", "1/1", "a"])
def test_there_is_no_part_outside(rule: str, place: str) -> None:
    joined = "(and p p)" if rule == "cnf_and_pos" else "(or p p)"
    assert small(f"(step @p0 :rule {rule} :args ({joined} {place}))").startswith(f"step @p0, by {rule}: ")


def test_stated_conclusions_must_follow() -> None:
    assert small("(step @p0 (= a 0) :rule refl :args (a))") == "step @p0, by refl: the stated formula does not follow"


@pytest.mark.parametrize("text", ["(", ")", "(assume @p1 p", '("a', "((step @p1 :rule refl :args (a)) |", "() ()", "p"])
def test_what_is_not_a_list_of_commands_is_refused(text: str) -> None:
    refusal(SMALL, text)


def test_deep_nesting_is_refused() -> None:
    deep = "(not " * 50_000 + "p" + ")" * 50_000
    assert small(f"(step @p0 :rule refl :args ({deep}))") == "the proof is nested too deeply"


# --- sorts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "term",
    [
        "(+ a p)", "(and p a)", "(not a)", "(= a p)", "(ite a p p)", "(ite p a p)", "(P p)", "(P a a)", "P", "(<= p p)",
        "(forall (@list a) p)", "(forall (@list) p)", '(forall (@list (@var "x" Int) (@var "x" Int)) p)', "(- a a a)",
        '(forall (@list (@var "x" Int)) a)', "(+ a 1/2)", "(to_real 1/2)", "(= 1 1/1)", "(< a 1/1)", "(- p)", "(a)", "()",
        '(@var "x" Real)', "(@quantifiers_skolemize p 0)", "(= a a a)", "(=> p p p)", "(not)", "(+)", "1/0", "(div a 0)",
        '(@quantifiers_skolemize (forall (@list (@var "x" Int)) (P (@var "x" Int))) 1)',
        '(@quantifiers_skolemize (forall (@list (@var "x" Int)) (= (@var "x" Int) (@var "y" Int))) 0)',
    ],
)  # fmt: skip
def test_a_term_with_wrong_sorts_is_refused(term: str) -> None:
    small(f"(step @p0 :rule refl :args ({term}))")


def test_a_variable_of_another_sort_is_another_variable() -> None:
    bound, other = '(@var "x" Int)', '(@var "x" Bool)'
    equation = f"(= (forall (@list {bound}) {other}) {other})"
    step = f"(step @p0 {equation} :rule quant-unused-vars :args ({equation}))"
    check(SMALL, f"({step} {SMALL_PROOF[1:]}")
    assert small(step.replace("Bool", "Int")) == "step @p0, by quant-unused-vars: not a quantified formula"


# --- obligations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "(declare-fun p () Int)", "(declare-fun and (Bool) Bool)", "(declare-fun @t () Bool)", "(declare-fun - () Int)",
        "(declare-fun 1 () Int)", "(declare-fun r () Real)", "(define-fun q () Bool p)", "(push 1)", "(declare-sort T 0)",
        "(assert a)", "(assert (P p))", "(assert q)", "(assert (let ((q p)) q))", "(assert (= (div a 0) 0))",
        "(assert (= (mod a 2) 0))", "(assert (= a -1))", "(assert (forall ((x Int)) (P y)))", "(assert (distinct a a))",
        "(assert (forall ((x Int) (x Int)) (P x)))", "(assert (forall () p))", "(assert (exists ((true Bool)) true))",
        "(check-sat)", "(exit)", "(set-logic ALL)", "(assert p p)", "(assert (forall ((x Int)) (x 0)))",
    ],
)  # fmt: skip
def test_an_obligation_with_anything_else_is_refused(command: str) -> None:
    """Division by zero is among it: it has no value that everybody agrees on."""
    declared = "(declare-fun p () Bool) (declare-fun a () Int) (declare-fun P (Int) Bool)"
    refusal(f"{declared} {command} (assert p) (assert (not p)) (check-sat)", SMALL_PROOF)


def test_an_obligation_must_be_asked() -> None:
    assert refusal(SMALL.replace("(check-sat)", ""), SMALL_PROOF) == "an obligation ends with (check-sat)"


def test_a_bound_variable_hides_a_function_of_its_name() -> None:
    """∀p p and ¬p: the p of the proof is the function, so the first is not what is assumed."""
    obligation = "(declare-fun p () Bool) (assert (forall ((p Bool)) p)) (assert (not p)) (check-sat)"
    shadow = '(assume @p1 (forall (@list (@var "p" Bool)) (@var "p" Bool)))'
    rest = "(assume @p2 (not p)) (step @p3 :rule instantiate :premises (@p1) :args ((@list p)))"

    check(obligation, f"({shadow} {rest} (step @p4 :rule contra :premises (@p3 @p2)))")
    assert "is not an assertion" in refusal(obligation, '((assume @p1 (forall (@list (@var "p" Bool)) p)))')


def test_the_innermost_quantifier_binds() -> None:
    obligation = "(assert (forall ((x Int)) (forall ((x Bool)) x))) (check-sat)"
    inner = '(forall (@list (@var "x" Bool)) (@var "x" Bool))'

    assert refusal(obligation, f'((assume @p1 (forall (@list (@var "x" Int)) {inner})))') == (
        "the last step does not say false"
    )


# --- substitution ----------------------------------------------------------------------------------------------------


def test_substitution_refuses_to_capture_and_leaves_hidden_variables_alone() -> None:
    x, y = variable("x", "Int"), variable("y", "Int")
    differ = quantifier("exists", (y,), operator("<", x, y))

    with pytest.raises(Refused, match="captured"):
        substitute(differ, {x: y})
    with pytest.raises(Refused, match="captured"):
        substitute(operator("and", differ, operator("<", x, y)), {x: operator("+", y, integer(1))})
    assert substitute(differ, {y: x}) is differ
    assert substitute(differ, {x: integer(0), y: x}) is quantifier("exists", (y,), operator("<", integer(0), y))
    assert substitute(operator("<", x, y), {x: y, y: x}) is operator("<", y, x)
    with pytest.raises(Refused, match="cannot stand for"):
        substitute(differ, {x: operator("=", x, x)})


# --- the folder ------------------------------------------------------------------------------------------------------

FOLDER = Path(str(checker.__file__)).parent


def test_the_checker_imports_nothing_but_itself_and_the_standard_library() -> None:
    own = checker.__name__
    for path in sorted(FOLDER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.Import) or {a.name for a in node.names} <= sys.stdlib_module_names, path
            if isinstance(node, ast.ImportFrom):
                module = str(node.module)
                assert f"{module}.".startswith(f"{own}.") or module.partition(".")[0] in sys.stdlib_module_names, path
                assert node.level == 0
            assert not isinstance(node, ast.Name) or node.id not in ("__import__", "eval", "exec"), path


def test_the_checker_rests_on_no_assert_statement() -> None:
    for path in sorted(FOLDER.rglob("*.py")):
        assert not any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(path.read_text("utf-8")))), path


def test_the_checker_can_be_read_in_an_afternoon() -> None:
    files = [path for path in FOLDER.rglob("*") if path.suffix in (".py", ".txt")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= MOST_LINES
