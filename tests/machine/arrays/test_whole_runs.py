"""Whole runs by native code, and by the interpreter: the same transitions, the same end, and the facts that the
configurations show.
"""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arcproof.generators.drawing import random_graph
from arcproof.generators.graph_shapes import graph_shapes
from arcproof.generators.shapes import shapes
from arcproof.properties.claims.incremental import Incrementality, buffer_of
from arcproof.properties.engines.extreme_runs import extreme_policies
from arcproof.properties.engines.long_runs import InterpretedRuns, LongRuns, NativeRun, NativeRuns, long_runs
from arcproof.properties.engines.policies import AnyRun, Policy, taken
from arcproof.properties.engines.sampled import RunSource, Sampling, property_check, sample_runs
from arcproof.properties.engines.spaces import ReplayFailed
from arcproof.properties.report import Effort
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.transitions import syntax as s
from arcproof.transitions.graph import graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.machine.opcodes import ARRAY_OPCODES, Opcode
from arcproof.transitions.machine.packed.signs import DEAD_END
from arcproof.transitions.system import System, load
from tests.conftest import ROOT
from tests.graph_figures import CONSTRUCTS as SEVERAL_HEADS
from tests.graph_figures import FIGURES, some_graphs
from tests.properties.test_claims import changed
from tests.properties.test_sampled import SHALLOW, WRONG_WHEN_LONG

pytestmark = pytest.mark.compiler

REFERENCES = [*system_names(), *FIGURES, SEVERAL_HEADS, str(ROOT / "tests" / "machine" / "constructs.tsys")]
STEPS = 150
LOOPS = ("if 0 < i < j", "if 0 < i, 0 < j")


def native(system: System) -> NativeRuns:
    runs = long_runs(system, "compiled")
    assert isinstance(runs, NativeRuns)
    runs.most_steps = STEPS
    return runs


def policies_of(runs: LongRuns, words: int) -> list[Policy]:
    """The extremes and some random ones."""
    source, random = RunSource(runs, Sampling()), Random(words)
    return [*extreme_policies(runs.system, words), *(source._policy(words, random) for _ in range(10))]


def agree(mine: NativeRun, run: AnyRun) -> None:
    """Whether what native code says of a run is what its configurations show."""
    system, facts = mine.runner.system, mine.facts
    assert (mine.transitions, mine.end) == (run.transitions, run.end)
    assert facts.graph == run.last.graph
    assert facts.ended == (run.end == "terminal")
    assert facts.space == max(c.space for c in run.configurations)
    assert {name: count for name, count in facts.counts.items() if count} == {
        t.name: [u.name for u in run.transitions].count(t.name) for t in run.transitions
    }
    assert bool(facts.signs & DEAD_END) == (run.end == "dead end")
    sequences = [len(value) for c in run.configurations for value in c.values if isinstance(value, tuple)]
    assert mine.scores == (len(run.transitions), max(sequences), len(run.last.arcs))
    buffer = buffer_of(system)
    for strength in ("weakly", "", "strictly") if buffer is not None else ():
        property_ = Incrementality(strength, buffer or "")
        shown = facts.signs & property_.screen(run.words).signs
        assert bool(shown) == (property_check(system, property_)(run) is not None), strength


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: Path(reference).stem)
def test_policies_lead_to_the_same_runs(reference: str) -> None:
    runs = native(load(reference))
    left = 0
    for words in (0, 1, 6):
        policies = policies_of(runs, words)
        mine = runs.take(policies, words)
        for policy, one in zip(policies, mine, strict=True):
            left += not isinstance(one, NativeRun)
            if isinstance(one, NativeRun):
                agree(one, taken(runs.system, policy, words, STEPS))

    assert left == 0 or runs.system.name == "constructs", "only that one adds arcs without looking"


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: Path(reference).stem)
def test_oracles_lead_to_the_same_graphs(reference: str) -> None:
    runs, random = native(load(reference)), Random(0)
    by_interpreter = InterpretedRuns(runs.system)
    graphs = [graph_of(shape(6)) for shape in shapes("forests")]
    graphs += [graph_of(random_graph(s.GraphClass((), "trees"), words, random) or ()) for words in range(9)]
    graphs += [] if not runs.system.figure.several_heads else [shape(6) for shape in graph_shapes()]
    graphs += [] if not runs.system.figure.several_heads else [*some_graphs(7, 20)]
    for oracle in runs.system.figure.oracles:
        for gold in graphs:
            mine, wanted = runs.derive(gold, oracle.name), by_interpreter.derive(gold, oracle.name)
            assert (mine is None) == (wanted is None), gold
            if mine is not None and wanted is not None:
                assert mine.instances == wanted.instances
                assert mine.run.last.graph == runs.system.wanted(gold)


def test_a_run_that_goes_round_is_cut_off_where_the_interpreter_cuts_it_off() -> None:
    runs = native(changed("swap", LOOPS))
    policies = policies_of(runs, 6)
    ends = set()
    for policy, one in zip(policies, runs.take(policies, 6), strict=True):
        wanted = taken(runs.system, policy, 6, STEPS)
        assert (one.end, one.run.transitions) == (wanted.end, wanted.transitions)
        ends.add((one.end, len(wanted.transitions) < STEPS))

    assert ("cut off", True) in ends


@pytest.mark.parametrize(
    "edit",
    [
        ("arc-eager", "if i != 0, no head(i)", "if i != 0"),
        ("arc-eager", "if i != 0, no head(i)", ""),
        ("swap", "if i != 0", ""),
    ],
)
def test_irregular_arcs_are_left_to_the_interpreter(edit: tuple[str, str, str]) -> None:
    """A second head, an arc into 0, or a cycle."""
    name, old, new = edit
    runs = native(changed(name, (old, new)))
    policies = policies_of(runs, 6)
    mine = runs.take(policies, 6)
    for policy, one in zip(policies, mine, strict=True):
        assert one.run == taken(runs.system, policy, 6, STEPS)

    kinds = {type(one).__name__ for one in mine}
    assert kinds == {"NativeRun", "InterpretedRun"}


DETOUR = """system detour
state stack σ, buffer β, counter k
start [0], [1..n], 0
final β = []
LINK(l)  σ|i, j|β, k  =>  σ|i, j|β, k + 1  add i -l-> j
BACK(l)  σ|i, j|β, k  =>  σ|i, j|β, k + 1  add j -l-> i  if i != 0
FREE     σ|i, j|β, k  =>  σ|i, j|β, k + 1  remove * -> i
SHIFT    σ, j|β, k    =>  σ|j, β, 0
oracle static
  LINK(l)  σ|i, j|β, k  if gold i -l-> j, k < 1
  BACK(l)  σ|i, j|β, k  if gold i -l-> j, i != 0, k < 2
  FREE     σ|i, j|β, k  if gold i -> j, i != 0, k < 3
  SHIFT
"""
"""Its oracle closes a cycle and opens it again."""


def test_an_oracle_that_takes_an_irregular_transition_is_left_to_the_interpreter() -> None:
    runs, gold = native(load(DETOUR)), graph_of((None, 1))
    derived, by_interpreter = runs.derive(gold, "static"), InterpretedRuns(runs.system).derive(gold, "static")

    assert derived is not None
    assert derived == by_interpreter


FOURFOLD = """system x
state stack σ, buffer β, counter k
start [0], [1..n], 1
final σ = [0], β = []
LEFT(l)   σ|i, j|β, k  =>  σ, j|β, k               add j -l-> i  if i != 0, k > 0
RIGHT(l)  σ|i|j, β, k  =>  σ|i, β, k               add i -l-> j  if k > 0
SHIFT     σ, j|β, k    =>  σ|j, β, k + k + k + k
oracle static
  LEFT(l)   σ|i, j|β, k  if gold j -l-> i, complete(i)
  RIGHT(l)  σ|i|j, β, k  if gold i -l-> j, complete(j)
  SHIFT
"""
"""A counter that is 4 to the power of n in the end."""


def test_counters_that_a_machine_word_does_not_hold_are_left_to_the_interpreter() -> None:
    runs = native(load(FOURFOLD))
    for words, kind in ((12, "NativeRun"), (40, "InterpretedRun")):
        policies = policies_of(runs, words)
        mine = runs.take(policies, words)
        for policy, one in zip(policies, mine, strict=True):
            assert one.run == taken(runs.system, policy, words, STEPS)
        assert {type(one).__name__ for one in mine} == {kind}
        derived = runs.derive(graph_of(shapes("forests")[0](words)), "static")
        assert type(derived).__name__ == kind


def broken(runs: NativeRuns, opcode: Opcode) -> NativeRuns:
    """The same with an opcode that always gives 0, or does nothing."""
    program = runs.runner.program
    rows = program.rows.copy()
    there = rows[:, 0] == opcode
    assert there.any()
    rows[there & (rows[:, 1] < 0), 1] = program.registers - 1
    rows[there, 0], rows[there, 2] = Opcode.CONSTANT, 0
    return replace(runs, runner=replace(runs.runner, program=replace(program, rows=rows)), _rooms={})


def seen_by(name: str) -> list[Opcode]:
    rows = set(native(load(name)).runner.program.rows[:, 0].tolist())
    return [opcode for opcode in ARRAY_OPCODES if opcode in rows]


@pytest.mark.parametrize("opcode", seen_by("swap"), ids=lambda opcode: opcode.name)
def test_an_opcode_that_is_wrong_is_caught(opcode: Opcode) -> None:
    runs = broken(native(load("swap")), opcode)
    with pytest.raises((AssertionError, ReplayFailed)):
        look_at_swap(runs)


def test_nothing_is_caught_where_nothing_is_wrong() -> None:
    look_at_swap(native(load("swap")))


def look_at_swap(runs: NativeRuns) -> None:
    for words in (1, 6):
        policies = policies_of(runs, words)
        for policy, one in zip(policies, runs.take(policies, words), strict=True):
            assert isinstance(one, NativeRun)
            agree(one, taken(runs.system, policy, words, STEPS))
    for heads in ((2, 0, 2, 5, 3), (0, 3, 4, 1), (3, 4, 0, 3, 2)):
        for oracle in runs.system.figure.oracles:
            assert runs.derive(graph_of(heads), oracle.name) is not None


def test_facts_that_the_interpreter_does_not_confirm_are_not_a_verdict() -> None:
    """A check whose facts show what no run shows."""
    system = load("arc-eager")
    sound = property_check(system, Incrementality("", "β"))
    lying = replace(sound, shows=lambda facts: facts.words > 5)  # type: ignore[type-var]
    with pytest.raises(ReplayFailed):
        sample_runs(system, {"lying": lying}, Sampling(1, 8), native(system))


# --- what samples find -----------------------------------------------------------------------------------------------


def claims_of(system: System, samples: int) -> dict[str, tuple[Verdict, int | None]]:
    report = verify_system(system, Effort(4, Sampling(samples), in_depth=False, engine="compiled"))
    return {finding.text: (finding.verdict, finding.words) for finding in report.claims}


@pytest.mark.parametrize("samples", [1, 50, 500])
def test_a_stack_that_is_too_deep_is_found_with_ten_words(samples: int) -> None:
    found = claims_of(changed("arc-hybrid", SHALLOW), samples)

    assert found["complete projective trees"] == (Verdict.REFUTED, 10)


def test_a_swap_too_deep_in_the_stack_is_found() -> None:
    """Many trees have a run that no oracle takes, so that a graph refutes only if all its runs are tried; those of 9
    words are the smallest.
    """
    found = claims_of(changed("swap", ("if 0 < i < j", "if 0 < i < j, |σ| <= 6")), 50)

    assert found["complete trees"] == (Verdict.REFUTED, 9)


@pytest.mark.parametrize("case", WRONG_WHEN_LONG)
def test_what_goes_wrong_in_long_sentences_only(case: tuple[tuple[str, str, str], str, int]) -> None:
    (name, old, new), claim, words = case
    found = claims_of(changed(name, (old, new)), 3)

    assert (Verdict.REFUTED, words) in [found[text] for text in found if text.startswith(claim)]
