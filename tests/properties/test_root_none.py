"""Words without head: they hang on 0 where the figure says `root none`, and nowhere else.

A figure that merely forgot `[0]` was once proved to be sound for trees.
"""

from dataclasses import replace

import pytest

from arcproof.properties.engines.engine import ENGINES, EngineName, engine_for
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import long_runs
from arcproof.properties.engines.sampled import Sampling, sample_runs
from arcproof.properties.evidence import Refuted
from arcproof.properties.property import check_statement, convention_of, run_check
from arcproof.properties.proving.prove import prove
from arcproof.properties.report import Effort, Report
from arcproof.properties.studies.compare import compare
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import BadSpecification
from arcproof.transitions.graph import graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.system import load

FORGOTTEN = """
system arc-eager
  state   stack σ, buffer β
  start   [], [1..n]
  final   β = []

  LEFT-ARC(l)    σ|i, j|β  =>  σ, j|β       add j -l-> i     if no head(i)
  RIGHT-ARC(l)   σ|i, j|β  =>  σ|i|j, β     add i -l-> j
  REDUCE         σ|i, β    =>  σ, β                          if head(i)
  SHIFT          σ, i|β    =>  σ|i, β

  oracle reduce-late
    LEFT-ARC(l)    σ|i, j|β   if gold j -l-> i
    RIGHT-ARC(l)   σ|i, j|β   if gold i -l-> j
    REDUCE         σ|i, j|β   if head(i), exists k in σ: gold k -> j or gold j -> k
    SHIFT

  claims
    sound        projective trees
    complete     projective trees
    sound        projective forests
"""
DECLARED = FORGOTTEN.replace("  final", "  root    none\n  final")
HINT = "if words without a head are meant to attach to 0, say `root none`"
TREES = s.GraphClass((s.Restriction("projective"),), "trees")
FORESTS = replace(TREES, base="forests")
QUICK = Effort(words=2, sampling=Sampling(0), engine="interpreter")


def examined(text: str) -> Report:
    return Report((verify_system(load(text), QUICK),))


def verdicts(text: str) -> dict[str, Verdict]:
    return {finding.text: finding.verdict for finding in examined(text).systems[0].claims}


# --- forgotten -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "engine", [pytest.param(e, marks=pytest.mark.compiler if e == "compiled" else ()) for e in ENGINES]
)
@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        (s.Sound(TREES), "the output _ is not among the projective trees: word 1 has no head"),
        (s.CompleteFor(TREES), "0 is among the projective trees but is not the output of any run"),
    ],
)
def test_a_figure_that_forgot_0_is_read_literally(engine: EngineName, statement: s.Statement, shown: str) -> None:
    system = load(FORGOTTEN)
    found = check_statement(Levels(system, 3, engine=engine_for(system, engine)), statement)

    assert isinstance(found, Refuted)
    assert found.counterexample.words == 1
    assert found.counterexample.reason.startswith(shown)
    assert found.counterexample.reason.endswith(HINT)


def test_samples_say_so_too() -> None:
    system = load(FORGOTTEN)
    check = run_check(system, s.Sound(TREES))
    assert check is not None
    found = sample_runs(system, {"trees": check}, Sampling(20, 6), long_runs(system, "interpreter"))["trees"]

    assert isinstance(found, Refuted)
    assert found.counterexample.reason.endswith(HINT)


@pytest.mark.solver
def test_it_is_not_proved() -> None:
    theorems = prove(FORGOTTEN).theorems

    assert [t.verdict for t in theorems[:2]] == [Verdict.REFUTED, Verdict.REFUTED]


def test_its_claims_about_forests_hold() -> None:
    assert verdicts(FORGOTTEN)["sound projective forests"] is Verdict.EXHAUSTED


def test_with_root_none_no_graph_with_an_arc_from_0_is_an_output_in_a_class_of_forests() -> None:
    """The language said that words without a head count as dependents of 0 in outputs, whatever the class."""
    found = check_statement(Levels(load(DECLARED), 2), s.CompleteFor(FORESTS))

    assert isinstance(found, Refuted)
    assert found.counterexample.graph == graph_of((0,))
    assert verdicts(DECLARED)["complete projective trees"] is Verdict.EXHAUSTED


@pytest.mark.parametrize("name", system_names())
def test_no_built_in_figure_forgets_0(name: str) -> None:
    assert not load(name).figure.forgets_root


# --- declared --------------------------------------------------------------------------------------------------------


def test_what_is_declared_is_met() -> None:
    assert verdicts(DECLARED) == {
        "sound projective trees": Verdict.EXHAUSTED,
        "complete projective trees": Verdict.EXHAUSTED,
        "sound projective forests": Verdict.EXHAUSTED,
    }


def test_the_other_system_may_be_the_one_without_root() -> None:
    assert convention_of(load("arc-eager"), s.Claim(s.SameOutputs("arc-eager-2003"))) is not None


def test_systems_are_compared_by_what_they_say() -> None:
    forgotten, declared, rooted = (Levels(load(x), 2) for x in (FORGOTTEN, DECLARED, "arc-eager"))

    assert compare(declared, rooted).relation == "contained"
    assert compare(forgotten, rooted).only_second is not None
    assert compare(forgotten, declared).relation == "neither"


@pytest.mark.parametrize(
    "text",
    [
        DECLARED.replace("[], [1..n]", "[0], [1..n]"),
        DECLARED.replace("  oracle", "  ROOT(l)  σ|i, β  =>  σ, β  add 0 -l-> i  if no head(i)\n\n  oracle", 1),
    ],
)
def test_a_figure_with_0_cannot_say_so(text: str) -> None:
    with pytest.raises(BadSpecification, match="`root none`, but 0 takes part in runs"):
        load(text)
