"""An output is what the arcs of a terminal configuration are, even where a run adds an arc that it should not.

So a graph that only such runs build is not missing, and nobody may say, let alone prove, that it is.
"""

import pytest

from arcproof.properties.engines.engine import ENGINES, EngineName
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.shortest_run import shortest_run
from arcproof.properties.evidence import Refuted
from arcproof.properties.property import check_statement
from arcproof.properties.proving.prover import Prover
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify
from arcproof.transitions import syntax as s
from arcproof.transitions.graph import Graph, graph_of, parse_arcs
from arcproof.transitions.library import source_of
from arcproof.transitions.system import System, load

TWO_HEADS = source_of("list-graph").replace("  several heads\n", "")
TWICE = """system twice
  note    "Every arc is added twice."
  state   stack σ, buffer β, flag f
  start   [0], [1..n], false
  final   β = [], not f

  RIGHT-ARC(l)   σ|i, j|β, false  =>  σ|i, j|β, true     add i -l-> j
  AGAIN(l)       σ|i, j|β, true   =>  σ|i|j, β, false    add i -l-> j
  SHIFT          σ, i|β, false    =>  σ|i, β, false

  oracle none

  claims
    not complete forests, witness 0
"""
SEVERAL = TWICE.replace("  state", "  several heads\n  state").replace("forests, witness 0", "graphs, witness 0>1")
CASES = [
    pytest.param(TWO_HEADS, parse_arcs("0>1 2>1"), id="two heads"),
    pytest.param(TWICE, graph_of((0,)), id="the same arc again"),
    pytest.param(TWICE, graph_of((0, 1, 2, 3)), id="the same arcs again, longer"),
    pytest.param(SEVERAL, graph_of((0,)), id="again, with several heads"),
]


def ends_in(system: System, run: tuple[object, ...] | None, graph: Graph) -> bool:
    """Whether a run of the interpreter, which is the definition, has the graph as output."""
    if run is None:
        return False
    c = system.start(graph.words)
    for transition in run:
        c = system.apply(c, transition)  # type: ignore[arg-type]
    arcs = {(arc.head, arc.dependent) for arc in c.arcs}
    return system.is_terminal(c) and arcs == {(arc.head, arc.dependent) for arc in graph.arcs}


@pytest.mark.parametrize(
    "engine", [pytest.param(name, marks=pytest.mark.compiler) if name == "compiled" else name for name in ENGINES]
)
@pytest.mark.parametrize(("text", "graph"), CASES)
def test_a_run_to_it_is_found(text: str, graph: Graph, engine: EngineName) -> None:
    system = load(text)

    assert ends_in(system, shortest_run(system, graph, None, engine), graph)


@pytest.mark.parametrize("text", [TWO_HEADS, SEVERAL], ids=["two heads", "several heads"])
def test_what_is_missing_is_not_an_output(text: str) -> None:
    system = load(text)
    found = check_statement(Levels(system, 2), s.CompleteFor(s.GraphClass((), "graphs")))

    assert isinstance(found, Refuted)
    assert found.counterexample.graph is not None
    assert shortest_run(system, found.counterexample.graph, None, "interpreter") is None


@pytest.mark.solver
@pytest.mark.parametrize(
    "text",
    [
        TWO_HEADS.replace("complete     acyclic graphs", "not complete acyclic graphs, witness 0>1 2>1"),
        TWO_HEADS.replace("    terminates", "    not complete acyclic graphs with heads <= 2"),
        TWICE,
        SEVERAL,
    ],
    ids=["two heads", "two heads, without witness", "the same arc again", "again, with several heads"],
)
def test_nothing_is_proved_of_a_graph_that_is_an_output(text: str) -> None:
    system = load(text)
    claim = next(claim for claim in system.figure.claims if claim.kind != "plain")

    assert Prover(system).about(claim).verdict is not Verdict.PROVED


SELFISH = """system selfish
  shared
  state stack σ, buffer β
  start [1..n], [1..n]
  final β = []
  ARC(l)  σ|i, j|β => σ|i, β  add i -l-> j
  SHIFT   σ, i|β => σ|i, β
  claims
    sound projective forests
"""


@pytest.mark.parametrize("engine", [*ENGINES])
def test_a_word_that_is_its_own_head_is_shown_as_an_output(engine: EngineName) -> None:
    """`verify` ended with an error when it looked for the classes that contain the outputs."""
    report = verify(SELFISH, words=2, samples=0, engine=engine)

    assert [finding.verdict for finding in report.systems[0].claims] == [Verdict.REFUTED]
