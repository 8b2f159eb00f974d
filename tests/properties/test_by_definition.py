"""What the interpreter works out one by one, on plain numbers, against what native code works out with arrays."""

import numpy as np
import pytest

from arcproof.generators.classes import known_classes
from arcproof.properties.engines.defined_costs import DefinedPrices
from arcproof.properties.engines.defined_losses import (
    UNREACHABLE,
    apart,
    arcs_within_reach,
    defined_losses,
    missed_arcs,
    wrong_heads,
)
from arcproof.properties.engines.engine import engine_for
from arcproof.properties.engines.exploration import StateSpace, explore
from arcproof.properties.engines.golds import Golds
from arcproof.properties.engines.losses import apart_in_arrays, losses_for_class
from arcproof.properties.engines.losses import arcs_within_reach as arcs_in_arrays
from arcproof.properties.engines.output_sets import OutputSet, members, size_of
from arcproof.properties.engines.outputs import Outputs, in_arrays
from arcproof.properties.engines.outputs import members as members_in_arrays
from arcproof.properties.engines.prices import Prices
from arcproof.transitions import syntax as s
from arcproof.transitions.library import system_names
from arcproof.transitions.system import load
from tests.properties.test_dynamic_oracles import EAGER, HYBRID, with_costs
from tests.properties.test_labelled_losses import EAGER_LABELLED, labelled_costs

TREES = s.GraphClass((), "trees")
PROJECTIVE = s.GraphClass((s.Restriction("projective", None),), "trees")
FORESTS = s.GraphClass((), "forests")
SYSTEMS = ("arc-eager", "arc-standard", "arc-hybrid", "swap", "covington", "list-graph", "two-planar")
TWO_LABELS = "[gold s -> b, not gold s -l-> b]", "[exists k in b|β: gold s -> k and not gold s -l-> k]"
ORACLES = {
    "right": with_costs("arc-eager", EAGER),
    "too low": with_costs("arc-eager", EAGER.replace(" + ", " - ", 1)),
    "hybrid": with_costs("arc-hybrid", HYBRID),
    "nothing free": with_costs("arc-hybrid", HYBRID.replace("= ", "= 1 + ")),
    "labelled": with_costs("arc-eager", EAGER_LABELLED),
    "labels of one transition": with_costs("arc-eager", labelled_costs(EAGER, "LEFT-ARC:b>s")),
    "stuck with two labels": with_costs("arc-eager", EAGER_LABELLED.replace(*TWO_LABELS)),
}


def space_of(name: str, words: int) -> StateSpace:
    return explore(load(name), words)


@pytest.mark.parametrize("name", ["arc-eager", "swap", "arc-hybrid"])
@pytest.mark.parametrize("blame", [wrong_heads, missed_arcs])
@pytest.mark.parametrize("graphs", [TREES, FORESTS])
def test_losses_and_arcs_within_reach_are_those_of_arrays(name: str, blame: object, graphs: s.GraphClass) -> None:
    space = space_of(name, 3)
    [one], [other] = defined_losses(space, graphs, blame), losses_for_class(space, graphs, blame)  # type: ignore[arg-type]

    assert one.golds == other.golds.tolist()
    assert [list(row) for row in one.table] == other.table.tolist()
    assert any(loss not in (0, UNREACHABLE) for row in one.table for loss in row)
    within = [frozenset((w + 1, h) for w, h in np.argwhere(found).tolist()) for found in arcs_in_arrays(space)]
    assert arcs_within_reach(space) == within


@pytest.mark.parametrize("name", ["arc-eager", "arc-standard", "swap"])
def test_arcs_that_cannot_be_built_together_are_those_of_arrays(name: str) -> None:
    space = space_of(name, 3)
    [found] = defined_losses(space, TREES, missed_arcs)
    [(_, cases, expected)] = apart_in_arrays(space, TREES, missed_arcs, None)

    assert apart(found, arcs_within_reach(space), None) == expected
    assert sum(loss != UNREACHABLE for row in found.table for loss in row) == cases


@pytest.mark.parametrize("text", ORACLES.values(), ids=ORACLES)
@pytest.mark.parametrize("question", [s.Exact, s.Safe, s.NeverStuck])
def test_what_is_wrong_with_an_oracle_is_what_arrays_say(text: str, question: type[s.Exact]) -> None:
    system = load(text)
    oracle = system.dynamic_oracle()
    asked, space = question(oracle.name, PROJECTIVE), explore(system, 3)
    for one, found in zip(defined_losses(space, PROJECTIVE), losses_for_class(space, PROJECTIVE), strict=True):
        golds = Golds(found.heads).with_labels() if oracle.is_labelled else Golds(found.heads)
        defined, arrays = DefinedPrices(one, oracle), Prices(found, golds, oracle)
        numbers = list(defined.configurations())
        assert numbers == list(arrays.configurations())
        assert (defined.count, defined.ways) == (arrays.count, arrays.ways)
        assert [defined.fault(asked, k) for k in numbers] == [arrays.fault(asked, k) for k in numbers]


def test_some_of_these_oracles_are_wrong() -> None:
    """Otherwise nothing would have been compared above."""
    found = set()
    for name, text in ORACLES.items():
        system = load(text)
        [losses] = defined_losses(explore(system, 3), PROJECTIVE)
        prices = DefinedPrices(losses, system.dynamic_oracle())
        if any(prices.fault(s.Exact(prices.oracle.name, PROJECTIVE), k) for k in prices.configurations()):
            found.add(name)

    assert found == {"too low", "nothing free", "labels of one transition", "stuck with two labels"}


@pytest.mark.compiler
@pytest.mark.parametrize("name", SYSTEMS)
def test_outputs_are_those_of_arrays(name: str) -> None:
    system = load(name)
    mine, arrays = explore(system, 3).outputs, engine_for(system, "compiled").space(3, False, None).outputs

    assert isinstance(mine, OutputSet)
    assert isinstance(arrays, Outputs)
    assert same(mine, arrays)
    assert mine.tree_count() == arrays.tree_count()
    assert (mine.earliest, mine.least) == (arrays.earliest, arrays.least)
    assert not len(mine.minus(arrays))
    assert not len(arrays.minus(mine))
    assert mine.common(arrays) == arrays.common(mine) == mine.common(mine)
    assert len(mine.common(mine)) == len(mine)
    for graphs in (TREES, FORESTS, s.GraphClass((), "graphs"), *known_classes()[:6]):
        one, other = mine.for_class(system, graphs), arrays.for_class(system, graphs)
        assert same(one, other)
        assert same(one.outside(graphs), other.outside(graphs))
        assert one.least_missing(graphs) == other.least_missing(graphs)


def same(one: OutputSet, other: Outputs) -> bool:
    plain = in_arrays(one)
    return (plain.codes.tolist(), plain.numbers.tolist(), plain.odd, plain.form) == (
        other.codes.tolist(),
        other.numbers.tolist(),
        other.odd,
        other.form,
    )


@pytest.mark.parametrize("graphs", known_classes(), ids=repr)
def test_classes_have_the_members_that_arrays_have(graphs: s.GraphClass) -> None:
    for words in range(4):
        assert sorted(members(graphs, words)) == members_in_arrays(graphs, words).tolist()
        assert size_of(graphs, words) == len(members(graphs, words))


@pytest.mark.compiler
@pytest.mark.parametrize("name", [name for name in system_names() if name in SYSTEMS])
def test_two_derivations_are_those_of_arrays(name: str) -> None:
    system = load(name)
    compiled = engine_for(system, "compiled")

    for words in range(1, 4):
        assert explore(system, words).two_derivations() == compiled.space(words, False, None).two_derivations()
