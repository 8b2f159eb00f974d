"""Claims of figures with several heads: planted bugs with their smallest witnesses, by native code and by the
interpreter.
"""

from dataclasses import replace

import pytest

from arcproof.generators.graph_classes import contains_graph
from arcproof.properties.checks.class_of import check_class
from arcproof.properties.checks.oracle_correct import check_oracle
from arcproof.properties.checks.preconditions import check_preconditions
from arcproof.properties.checks.useful import check_useful
from arcproof.properties.engines.engine import EngineName, engine_for
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.long_runs import long_runs
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.engines.sampled_graphs import sample_graphs
from arcproof.properties.engines.shortest_run import shortest_run
from arcproof.properties.evidence import Exhausted, Refuted
from arcproof.properties.examine import check_claim
from arcproof.properties.property import check_statement
from arcproof.properties.studies.compare import compare
from arcproof.transitions import syntax as s
from arcproof.transitions.graph import Graph
from arcproof.transitions.printing.notation import claim_text, class_text
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.system import System, load
from tests.graph_figures import ARC_EAGER_GRAPH, LIST_GRAPH, changed, every_graph, graph

ENGINES: list[EngineName] = ["interpreter", pytest.param("compiled", marks=pytest.mark.compiler)]  # type: ignore[list-item]
ALL = s.GraphClass((), "graphs")
ACYCLIC = s.GraphClass((s.Restriction("acyclic"),), "graphs")
PLANAR_ACYCLIC = s.GraphClass((s.Restriction("planar"), s.Restriction("acyclic")), "graphs")
NOT_THERE = "not j -> i, not i -> j, not i ->* j"
IS_PLANAR = s.Sound(PLANAR_ACYCLIC)


KNOWN: dict[tuple[str, EngineName], Levels] = {}


def levels(system: System, engine: EngineName, words: int = 3) -> Levels:
    if (system.text, engine) not in KNOWN:
        KNOWN[system.text, engine] = Levels(system, 3, engine=engine_for(system, engine))
    return KNOWN[system.text, engine].up_to(words)


def refuted(system: System, statement: s.Statement, engine: EngineName, words: int = 3) -> Refuted:
    found = check_statement(levels(system, engine, words), statement)
    assert isinstance(found, Refuted), found
    return found


# --- what holds ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("path", [LIST_GRAPH, ARC_EAGER_GRAPH])
def test_every_claim_is_met(path: str, engine: EngineName) -> None:
    system = load(path)
    for claim in system.figure.claims:
        assert check_claim(levels(system, engine), claim).met is True, claim


@pytest.mark.parametrize("engine", ENGINES)
def test_the_outputs_are_counted_by_brute_force(engine: EngineName) -> None:
    """All graphs without i -> j and j -> i, and those of them that are planar and have no cycle."""
    for words in range(4):
        every = [one for one in every_graph(words) if not any((a.dependent, a.head) in pairs(one) for a in one.arcs)]
        planar = [one for one in every_graph(words) if contains_graph(PLANAR_ACYCLIC, one)]
        assert len(levels(load(LIST_GRAPH), engine).space(words).outputs) == len(every)
        assert len(levels(load(ARC_EAGER_GRAPH), engine).space(words).outputs) == len(planar)


def pairs(one: Graph) -> set[tuple[int, int]]:
    return {(arc.head, arc.dependent) for arc in one.arcs}


@pytest.mark.compiler
def test_both_engines_count_the_same() -> None:
    for path in (LIST_GRAPH, ARC_EAGER_GRAPH):
        system = load(path)
        for words in range(4):
            counted = [engine_for(system, engine).count(words, None) for engine in ("interpreter", "compiled")]
            assert counted[0] == counted[1]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_class_is_found(engine: EngineName) -> None:
    found = check_class(levels(load(ARC_EAGER_GRAPH), engine))
    equal = [class_text(relation.graphs) for relation in found if relation.relation == "equal"]

    assert equal == ["acyclic planar graphs"]
    [graphs] = [relation for relation in found if relation.graphs == ALL]
    assert (graphs.relation, graphs.missing, graphs.outside) == ("contained", graph(2, (1, 2), (2, 1)), None)
    [trees] = [relation for relation in found if class_text(relation.graphs) == "trees"]
    assert trees.relation == "neither"
    assert trees.outside == graph(1)


# --- planted bugs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_arc_again_is_refuted(engine: EngineName) -> None:
    system = changed(ARC_EAGER_GRAPH, ("add i -l-> j   if not i -> j, ", "add i -l-> j   if "))
    found = refuted(system, IS_PLANAR, engine).counterexample

    assert [t.name for t in found.transitions or ()] == ["RIGHT-ARC", "RIGHT-ARC"]
    assert (found.words, found.reason) == (1, "RIGHT-ARC adds an arc from 0 to 1, which already exists")


@pytest.mark.parametrize("engine", ENGINES)
def test_an_arc_into_0_is_refuted(engine: EngineName) -> None:
    system = changed(ARC_EAGER_GRAPH, ("if i != 0, not j -> i, not i -> j", "if not j -> i, not i -> j"))
    found = refuted(system, IS_PLANAR, engine).counterexample

    assert (found.words, [t.name for t in found.transitions or ()]) == (1, ["LEFT-ARC"])
    assert found.reason == "LEFT-ARC adds an arc into 0"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_cycle_of_two_words_is_refuted(engine: EngineName) -> None:
    system = changed(ARC_EAGER_GRAPH, (NOT_THERE, "not j -> i"))
    found = refuted(system, IS_PLANAR, engine).counterexample

    assert (found.words, found.reason) == (2, "the output 2,1 is not among the planar acyclic graphs")


@pytest.mark.parametrize("engine", ENGINES)
def test_crossing_arcs_are_refuted(engine: EngineName) -> None:
    """REDUCE that keeps the node in the buffer: what is below the top can be reached past it."""
    system = changed(LIST_GRAPH, ("sound        graphs", "sound        planar acyclic graphs"))
    found = refuted(system, system.figure.claims[0].statement, engine).counterexample

    assert found.words == 3
    assert found.graph is not None
    assert not contains_graph(PLANAR_ACYCLIC, found.graph)


@pytest.mark.parametrize("engine", ENGINES)
def test_several_heads_are_not_forests(engine: EngineName) -> None:
    found = refuted(load(ARC_EAGER_GRAPH), s.Sound(s.GraphClass((), "forests")), engine).counterexample

    assert found.words == 2
    assert pairs(found.graph) == {(0, 1), (2, 1)}  # type: ignore[arg-type]
    assert "is not among the forests" in found.reason


@pytest.mark.parametrize("engine", ENGINES)
def test_the_smallest_graph_that_is_missing_has_the_fewest_arcs(engine: EngineName) -> None:
    assert refuted(load(LIST_GRAPH), s.CompleteFor(ALL), engine).counterexample.graph == graph(2, (1, 2), (2, 1))
    found = refuted(load(ARC_EAGER_GRAPH), s.CompleteFor(ACYCLIC), engine).counterexample
    assert found.words == 3
    assert len(pairs(found.graph)) == 2  # type: ignore[arg-type]
    assert "is among the acyclic graphs but is not the output of any run" in found.reason


@pytest.mark.parametrize("engine", ENGINES)
def test_a_wrong_oracle_is_refuted(engine: EngineName) -> None:
    """It takes the word off although it gets another head later."""
    system = changed(LIST_GRAPH, (", not exists k in β: gold i -> k or gold k -> i", ""))
    found = check_oracle(system, "static", ACYCLIC, 3, engine_for(system, engine))

    assert found.failure is not None
    assert (found.failure.graph.words, len(found.failure.graph.arcs)) == (3, 2)
    assert "cannot build" in found.failure.reason


@pytest.mark.parametrize("engine", ENGINES)
def test_single_heads_may_claim_graphs(engine: EngineName) -> None:
    """A forest is a graph, but not every graph is a forest."""
    arc_eager = load("arc-eager")
    assert isinstance(check_statement(levels(arc_eager, engine), IS_PLANAR), Exhausted)
    assert refuted(arc_eager, s.CompleteFor(ALL), engine).counterexample.graph == graph(2, (0, 2))
    few = s.GraphClass(
        (s.Restriction("acyclic"), s.Restriction("heads", s.Number(1)), s.Restriction("planar")), "graphs"
    )
    assert refuted(arc_eager, s.CompleteFor(few), engine).counterexample.graph == graph(2, (0, 2))
    connected = s.GraphClass((s.Restriction("connected"),), "graphs")
    found = check_oracle(arc_eager, "reduce-late", connected, 2, engine_for(arc_eager, engine))
    assert found.failure is not None
    assert len(found.failure.graph.arcs) > len({arc.dependent for arc in found.failure.graph.arcs})
    assert "have single heads" in found.failure.reason


def test_a_sample_is_made_small() -> None:
    def two_heads(one: Graph) -> str | None:
        return "two heads" if len(pairs(one)) > len({word for _, word in pairs(one)}) else None

    found = sample_graphs(PLANAR_ACYCLIC, two_heads, Sampling(20, 12))

    assert isinstance(found, Refuted)
    assert found.counterexample.graph is not None
    assert (found.words, len(found.counterexample.graph.arcs)) == (2, 2)


# --- beyond, and beside ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_systems_of_both_kinds_are_compared(engine: EngineName) -> None:
    eager, arc_eager = load(ARC_EAGER_GRAPH), load("arc-eager")
    found = compare(levels(arc_eager, engine), levels(eager, engine))

    assert found.relation == "contained"
    assert found.only_second is not None
    assert pairs(found.only_second.graph) == {(0, 1), (2, 1)}
    assert compare(levels(eager, engine), levels(load(LIST_GRAPH), engine)).relation == "contained"


@pytest.mark.parametrize("engine", ENGINES)
def test_equivalence_is_checked(engine: EngineName) -> None:
    same = replace(load(ARC_EAGER_GRAPH), source=None)
    statement = s.SameOutputs(ARC_EAGER_GRAPH)
    assert isinstance(check_statement(levels(same, engine), statement), Exhausted)
    assert refuted(load("arc-eager"), statement, engine).words == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_to_one_graph_is_searched(engine: EngineName) -> None:
    system = load(ARC_EAGER_GRAPH)
    wanted = graph(5, (0, 2), (1, 2), (3, 2), (0, 5), (2, 5))
    run = shortest_run(system, wanted, None, engine)

    assert run is not None
    c = system.start(5)
    for transition in run:
        c = system.apply(c, transition)
    assert c.graph == wanted
    assert shortest_run(system, graph(5, (1, 3), (2, 4)), None, engine) is None
    assert shortest_run(system, graph(5, (1, 0)), None, engine) is None


@pytest.mark.parametrize("witness", ["2,1", "2>1 1>2", "2>1 1>2 0>3"])
def test_a_witness_is_given_by_its_heads_or_arcs(witness: str) -> None:
    system = changed(LIST_GRAPH, ("    terminates\n", f"    not complete graphs, witness {witness}\n"))
    [claim] = [claim for claim in system.figure.claims if claim.witness is not None]

    assert claim_text(claim) == f"not complete graphs, witness {witness}"
    assert load(to_source(system.figure)).figure == system.figure
    assert check_claim(levels(system, "interpreter"), claim).met is True


def test_a_witness_that_is_derived_refutes_nothing() -> None:
    system = changed(LIST_GRAPH, ("    terminates\n", "    not complete graphs, witness 0>1 2>1\n"))
    found = check_claim(levels(system, "interpreter"), system.figure.claims[2])

    assert found.met is None


@pytest.mark.parametrize("engine", ENGINES)
def test_preconditions_and_transitions_are_questioned(engine: EngineName) -> None:
    found = levels(load(ARC_EAGER_GRAPH), engine)
    needs = {(need.transition, need.precondition): need.status for need in check_preconditions(found)}

    assert needs["RIGHT-ARC", "not i -> j"] == "needed"
    assert needs["LEFT-ARC", "not i -> j"] == "redundant"
    assert {use.transition: len(use.lost.arcs) for use in check_useful(found) if use.lost is not None} == {
        "LEFT-ARC": 1, "RIGHT-ARC": 1, "REDUCE": 1, "SHIFT": 0,
    }  # fmt: skip


@pytest.mark.compiler
def test_long_runs_are_taken_natively() -> None:
    runs = long_runs(load(ARC_EAGER_GRAPH), "compiled")
    gold = graph(30, *((head, word) for word in range(1, 31) for head in {0, word - 1}))
    found = runs.derive(gold, "static")

    assert found is not None
    assert type(found).__name__ == "NativeRun"
    assert pairs(found.run.last.graph) == pairs(gold)
