"""A shortest run to a graph: native code finds what the search by the interpreter finds, and nothing else."""

from pathlib import Path
from random import Random

import pytest

from arcproof.generators.drawing import random_graph
from arcproof.properties.engines import shortest_run as searching
from arcproof.properties.engines.exhaustive import derivation_of
from arcproof.properties.engines.exploration import explore
from arcproof.properties.engines.labels import without_labels
from arcproof.properties.engines.output_sets import form_of, output_of
from arcproof.properties.engines.shortest_derivation import ArcsAreRemoved, shortest_derivation
from arcproof.properties.engines.shortest_run import shortest_run
from arcproof.properties.engines.spaces import OutOfBounds
from arcproof.transitions import syntax as s
from arcproof.transitions.graph import graph_of
from arcproof.transitions.system import load
from tests.graph_figures import some_graphs
from tests.machine.arrays.test_whole_runs import REFERENCES

pytestmark = pytest.mark.compiler


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: Path(reference).stem)
def test_native_code_finds_a_shortest_run_to_what_is_an_output(reference: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The figure that is bound to a graph is explored; what is left out of it must not matter."""
    monkeypatch.setattr(searching, "FEW_WORDS", 0)
    system, random = load(reference), Random(3)
    if any(isinstance(effect, s.RemoveArcs) for effect in system.figure.effects):
        with pytest.raises(ArcsAreRemoved):
            shortest_run(system, graph_of((0, 1)), 1_000, "compiled")
        return
    found_some = False
    for words in (1, 2, 3, 3, 3):
        outputs = set(explore(system, words).first_ends)
        golds = [
            graph_of(random_graph(s.GraphClass((), base), words, random) or ())
            for base in ("trees", "forests")
            for _ in range(4)
        ]
        for gold in (*golds, *(some_graphs(words, 8) if system.figure.several_heads else ())):
            wanted = system.wanted(gold)
            run = shortest_run(system, gold, 1_000, "compiled")
            assert (run is not None) == (output_of(wanted, form_of(system)) in outputs), gold
            if run is not None:
                found_some = True
                again = shortest_derivation(system, gold)
                assert again is not None
                assert len(run) == len(again.transitions)
                end = derivation_of(system, words, run).last
                assert system.is_terminal(end)
                assert without_labels(end.graph) == wanted
    assert found_some, "no output was tried"


def test_a_search_that_takes_too_much_is_given_up() -> None:
    with pytest.raises(OutOfBounds):
        shortest_run(load("swap"), graph_of((0,) * 9), 1_000, "compiled")
