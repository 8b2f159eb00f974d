"""Measures that grow in every transition: what they tell, how they are found, and what happens where they are wrong."""

from itertools import pairwise

import numpy as np
import pytest

from arcproof.properties.engines.engine import Interpreter, engine_for
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.machine.figure_programs import Programs
from arcproof.transitions.machine.packed.explorer import Exploration, ExplorationSettings, explore
from arcproof.transitions.machine.packed.layout import Layout
from arcproof.transitions.machine.packed.ranking import Climb, measured, ranking_from, traits
from arcproof.transitions.system import load

pytestmark = pytest.mark.compiler

ODD = """system odd
state   stack σ, buffer β, set s, counter k, flag e
start   [0], [1..n], {}, 0, false
final   β = []
TAKE    σ, i|β, s, k, e  =>  σ|i, β, s + i, k + 1, true
DROP    σ|i, β, s, k, e  =>  σ, β, s, k, false              if i != 0, i in s
"""

LISTS = ", ".join(f"list{k}" for k in range(1, 9))
MANY_SEQUENCES = f"""system many
state   stack σ, buffer β, {", ".join(f"list {name} head right" for name in LISTS.split(", "))}
start   [0], [1..n]{", []" * 8}
final   β = []
SHIFT   σ, i|β, {LISTS}  =>  σ|i, β, {LISTS}
PUT     σ, i|β, {LISTS}  =>  σ, β, {LISTS}|i
"""


def told(c: Configuration, layout: Layout) -> list[int]:
    """Every trait of a configuration, from its definition."""
    lengths, values, nodes = [], [], []
    for component, value in zip(layout.state, c.values, strict=True):
        if isinstance(value, tuple):
            lengths.append(len(value))
            nodes += value
        else:
            values.append(len(value) if isinstance(value, frozenset) else int(value) + layout.bias(component))
    return [*lengths, *values, len(c.graph.arcs), sum(place * node for place, node in enumerate(nodes))]


def explored(text: str, words: int) -> Exploration:
    return explore(Programs(load(text)), words, ExplorationSettings())


@pytest.mark.parametrize(
    ("text", "words"), [("swap", 4), ("arc-eager", 9), ("choi-palmer", 3), (ODD, 4), (MANY_SEQUENCES, 4)]
)
def test_features_are_told_from_packed_configurations(text: str, words: int) -> None:
    found = explored(text, words)
    some = range(0, found.configurations, max(1, found.configurations // 500))
    layout = found.layout
    units = np.eye(len(traits(layout)), dtype=np.int64)
    columns = [measured(layout, [int(x) for x in unit]).of(found.k0, found.k1) for unit in units]

    for number in some:
        c = layout.unpack(int(found.k0[number]), int(found.k1[number]))
        assert [int(column[number]) for column in columns] == told(c, layout)


@pytest.mark.parametrize("name", ["swap", "choi-palmer", "arc-eager"])
def test_ranks_are_not_negative_and_grow(name: str) -> None:
    found = explored(name, 5)
    assert found.edges is not None
    ranking = found.programs.ranking
    assert ranking is not None
    measure = ranking.measure(found.layout)
    ranks = measure.of(found.k0, found.k1)

    assert 0 <= ranks.min() <= ranks.max() < measure.ranks
    for number, (begin, end) in enumerate(pairwise(found.edges.starts)):
        assert (ranks[found.edges.targets[begin:end]] > ranks[number]).all()


def test_sums_are_found_one_after_the_other() -> None:
    one = ranking_from(np.array([[1, -1, 0], [2, -1, 0]], dtype=np.int64))
    two = ranking_from(np.array([[1, -9, 0], [0, 1, 0]], dtype=np.int64))

    assert one == Climb(((0, -1, 0),), step=1), "of several the one with the smallest steps"
    assert two == Climb(((1, 0, 0), (0, 1, 0)))


def test_a_cycle_has_no_ranking() -> None:
    assert ranking_from(np.array([[1, 0, 0], [-1, 0, 0]], dtype=np.int64)) is None
    assert ranking_from(np.array([[0, 0, 0]], dtype=np.int64)) is None


CYCLE = """system x
state   stack σ, buffer β
start   [0], [1..n]
final   β = []
SHIFT   σ, i|β  =>  σ|i, β
BACK    σ|i, β  =>  σ, i|β   if i != 0
"""


def test_a_figure_with_a_cycle_is_kept() -> None:
    code = Programs(load(CYCLE))
    found = explore(code, 5, ExplorationSettings(keep=False))

    assert code.ranking is None
    assert found.outputs is None
    assert found.configurations == explore(code, 5, ExplorationSettings()).configurations


@pytest.mark.parametrize("name", ["swap", "arc-eager"])
def test_a_measure_that_does_not_grow_is_noticed(name: str) -> None:
    """The number of arcs stays the same in a SHIFT: nothing is counted by it."""
    code = Programs(load(name))
    honest = explore(code, 5, ExplorationSettings(keep=False))
    arcs = tuple(int(k == len(traits(code.layout(4))) - 2) for k in range(len(traits(code.layout(4)))))
    code.__dict__["ranking"] = Climb((arcs,))
    found = explore(code, 5, ExplorationSettings(keep=False))

    assert honest.outputs is not None
    assert found.outputs is None, "its configurations are kept"
    assert (found.configurations, found.transitions) == (honest.configurations, honest.transitions)


def test_a_measure_that_a_longer_sentence_refutes_is_given_up() -> None:
    """Eight words go back and forth once; four do not."""
    text = CYCLE.replace("if i != 0", "if i > 6")
    code = Programs(load(text))

    assert code.ranking is not None
    for words in (4, 8):
        counted = explore(code, words, ExplorationSettings(keep=False))
        kept = explore(code, words, ExplorationSettings())
        assert (counted.configurations, counted.transitions) == (kept.configurations, kept.transitions)
        assert (counted.outputs is None) == (words == 8)


def test_steps_that_a_longer_sentence_makes_uneven_are_noticed() -> None:
    """Eight words may take two at once; four may not."""
    text = CYCLE.replace("BACK    σ|i, β  =>  σ, i|β   if i != 0", "TWO     σ, i|j|β  =>  σ|i|j, β   if i > 5")
    system = load(text)
    code = Programs(system)

    assert code.ranking is not None
    assert code.ranking.step > 0
    assert [engine_for(system, "compiled").count(words, None) for words in (4, 8)] == [
        Interpreter(system).count(words, None) for words in (4, 8)
    ]


@pytest.mark.parametrize(
    ("name", "even"), [("arc-eager", True), ("arc-standard", True), ("swap", False), ("covington", False)]
)
def test_ranks_tell_lengths_where_all_steps_are_the_same(name: str, even: bool) -> None:
    ranking = Programs(load(name)).ranking

    assert ranking is not None
    assert (ranking.step != 0) == even
