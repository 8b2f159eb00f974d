"""`like`: two oracles in lockstep, by goals about the runs of one of them."""

from dataclasses import replace

import pytest

from arcproof.properties.claims.same_behaviour import difference
from arcproof.properties.proving.certificates.files import on_file
from arcproof.properties.proving.goals.agreement import Goals
from arcproof.properties.proving.goals.completeness import oracle_run
from arcproof.properties.proving.goals.lockstep import lockstep
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.library.gold import gold_graphs
from arcproof.properties.proving.meaning.model import gold_model, model_of
from arcproof.properties.proving.meaning.state import Unsupported
from arcproof.properties.proving.meaning.symbolic import meanings_of
from arcproof.properties.proving.methods.lockstep import like
from arcproof.properties.proving.prover import Prover
from arcproof.properties.verdict import Verdict
from arcproof.reports.proofs import theorem_text
from arcproof.transitions import syntax as s
from arcproof.transitions.system import System, load

STANDARD = load("arc-standard-stack")
PROJECTIVE_TREES = s.GraphClass((s.Restriction("projective", None),), "trees")
TREES = s.GraphClass((), "trees")


HYBRID = """\
system hyb
  root none
  state stack σ, buffer β
  start [], [1..n]
  final |σ| <= 1, β = []
  LEFT-ARC   σ|i, j|β  =>  σ, j|β  add j -> i
  RIGHT-ARC  σ|i|j, β  =>  σ|i, β  add i -> j
  SHIFT      σ, i|β    =>  σ|i, β
  oracle static
    LEFT-ARC   σ|i, j|β  if gold j -> i, complete(i)
    RIGHT-ARC  σ|i|j, β  if gold i -> j, complete(j)
    SHIFT
  claims
    terminates
"""


def parts(own: System, graphs: s.GraphClass, most_words: int = 4) -> bool:
    """Whether some goal is false on the way of the other oracle to some graph."""
    goals = Goals(tuple(lockstep(meanings_of(own), own.oracle(), meanings_of(STANDARD), STANDARD.oracle())))
    for words in range(1, most_words + 1):
        for gold in gold_graphs(STANDARD, graphs, words):
            for c in oracle_run(STANDARD, STANDARD.oracle(), gold):
                if goals.broken({**model_of(STANDARD, c), **gold_model(gold)}, words):
                    return True
    return False


def changed(old: str, new: str) -> System:
    """swap with a change."""
    text = load("swap").text
    assert old in text
    return load(text.replace(old, new))


def test_the_goals_are_true_where_the_oracle_follows() -> None:
    assert not parts(load("swap"), PROJECTIVE_TREES)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if gold i -l-> j, complete(j)", "if gold i -l-> j"),
        ("if gold j -l-> i, complete(i)", "if gold j -l-> i, complete(j)"),
        ("    SWAP           σ|i|j, β     if j <G i\n", "    SWAP           σ|i|j, β     if i <G j\n"),
        ("RIGHT-ARC(l)   σ|i|j, β  =>  σ|i, β       " "add i -l-> j", "RIGHT-ARC(l)   σ|i|j, β  =>  σ|j, β       " "add i -l-> j"),
        ("add j -l-> i    if i != 0", "add i -l-> j    if i != 0"),
        ("final   σ = [0], β = []", "final   β = []"),
        ("σ|i|j, β  =>  σ|j, β       add j -l-> i  " "  if i != 0", "σ|i|j, β  =>  σ|j, β       add j -l-> i    if i " "!= 0, |σ| < 2"),
    ],
    ids=["early", "other-word", "swaps", "keeps-the-dependent", "other-arc", "ends-early", "not-permissible"],
)  # fmt: skip
def test_a_goal_is_false_where_the_oracle_goes_another_way(old: str, new: str) -> None:
    own = changed(old, new)
    golds = [gold for words in range(1, 5) for gold in gold_graphs(STANDARD, PROJECTIVE_TREES, words)]

    assert any(difference(own, STANDARD, gold.graph) is not None for gold in golds)
    assert parts(own, PROJECTIVE_TREES)


def test_a_line_without_a_label_does_not_follow_one_with_a_label() -> None:
    swap = load("swap")
    lines = tuple(replace(line, label=None) for line in STANDARD.oracle().lines)
    silent = replace(STANDARD.oracle(), lines=lines)
    _, left, right, shift = lockstep(meanings_of(swap), swap.oracle(), meanings_of(STANDARD), silent)

    assert (left.term, right.term) == (t.FALSE, t.FALSE)
    assert shift.term != t.FALSE


@pytest.mark.parametrize(
    ("own", "other", "why"),
    [
        ("list-nonprojective", "arc-standard-stack", "arc-standard-stack has a different state or start"),
        ("arc-hybrid-right", "arc-hybrid", "arc-hybrid has a different state or start"),
        ("arc-swift", "arc-eager", "chooses a length"),
    ],
)
def test_what_is_not_compared(own: str, other: str, why: str) -> None:
    with pytest.raises(Unsupported, match=why):
        list(lockstep(*(x for name in (own, other) for x in (meanings_of(load(name)), load(name).oracle()))))


def test_figures_that_see_different_gold_graphs_are_not_compared() -> None:
    """One oracle is asked for trees without their arcs from 0, the other for whole trees."""
    hybrid = load(HYBRID)
    whole = load(HYBRID.replace("  root none\n", ""))

    assert list(lockstep(meanings_of(hybrid), hybrid.oracle(), meanings_of(hybrid), hybrid.oracle()))
    with pytest.raises(Unsupported, match="only one of hyb and hyb has `root none`"):
        list(lockstep(meanings_of(whole), whole.oracle(), meanings_of(hybrid), hybrid.oracle()))


def test_a_system_without_an_oracle_is_not_compared() -> None:
    text = load("swap").text
    bare = load(text[: text.index("  oracle eager")] + text[text.index("  claims") :])
    question = s.SameTransitions("arc-standard-stack", PROJECTIVE_TREES)
    theorem = like(Prover(bare, certificates={}), s.Claim(question), question)

    assert theorem.verdict is Verdict.UNKNOWN


@pytest.mark.solver
def test_swap_is_proved_to_be_like_arc_standard_on_projective_trees_and_not_on_all() -> None:
    swap = load("swap")
    (claim,) = [c for c in swap.figure.claims if isinstance(c.statement, s.SameTransitions)]
    theorem = Prover(swap, certificates=on_file("swap")).about(claim)

    assert theorem.verdict is Verdict.PROVED
    assert theorem.solvers == ("z3", "cvc5")
    assert theorem_text(theorem).startswith(
        "the oracle follows static of arc-standard-stack, which derives every graph"
    )
    assert theorem.believed == (
        "the axioms about gold graphs in axioms-forests, axioms-trees, axioms-projective, axioms-order",
    )
    all_trees = Prover(swap, certificates=on_file("swap")).about(
        s.Claim(s.SameTransitions("arc-standard-stack", TREES))
    )
    assert all_trees.verdict is Verdict.REFUTED
