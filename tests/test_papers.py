"""The derivations that the papers print, and one in each system whose paper is not at hand."""

import pytest

from arcproof.transitions.graph import Arc
from arcproof.transitions.library import system_names
from arcproof.transitions.system import load
from tests.catalogue import FIRST, SINGLE_ROOT, WITHOUT_ORACLE
from tests.examples import (
    DERIVATIONS,
    FIGURE_3_OF_NIVRE_2009,
    GRAPH_DERIVATIONS,
    HEARING,
    KVALITU,
    LEGIBLE_ROWS_OF_FIGURE_8,
    LETTERS,
    TRACED,
    Example,
)


@pytest.mark.parametrize(
    ("name", "example", "letters"), DERIVATIONS, ids=lambda value: str(getattr(value, "source", value))
)
def test_the_oracle_takes_the_papers_transitions(name: str, example: Example, letters: str) -> None:
    derivation = load(name).derive(example.graph)

    assert [LETTERS[letter] for letter in letters] == [t.name for t in derivation.transitions]
    assert example.graph.arcs == derivation.graph.arcs


@pytest.mark.parametrize(
    ("name", "example", "table"),
    GRAPH_DERIVATIONS,
    ids=lambda value: str(getattr(value, "source", value)).split("\n")[0],
)
def test_a_word_gets_its_heads_row_by_row(name: str, example: Example, table: str) -> None:
    steps = load(name).derive(example.graph).steps
    rows = table.strip().splitlines()

    assert len(rows) == len(steps)
    for row, step in zip(rows, steps, strict=True):
        transition, first, *others = (part.strip() for part in (row[:27], *row[27:].split("|")))
        assert transition.split() == [step.transition.name, *filter(None, [step.transition.label])]
        assert [tuple(map(int, nodes.split())) for nodes in (first, *others)] == list(step.configuration.values)
    assert steps[-1].configuration.arcs == example.graph.arcs


@pytest.mark.parametrize(
    ("name", "example", "instances"), TRACED, ids=lambda value: str(getattr(value, "source", value))
)
def test_a_derivation_in_each_later_system(name: str, example: Example, instances: str) -> None:
    """With the labels of the gold graph; the oracle takes the very same transitions."""
    system = load(name)
    wanted = system.wanted(example.graph)
    c = system.start(len(example.words))
    for instance in instances.split():
        assert not system.is_terminal(c)
        [step] = [step for step in system.steps(c) if step.transition.instance == instance]
        assert {(arc.head, arc.dependent) for arc in step.added} <= {(arc.head, arc.dependent) for arc in wanted.arcs}
        c = step.configuration
    assert system.is_terminal(c)
    assert c.graph.heads == wanted.heads
    if name not in WITHOUT_ORACLE:
        assert instances.split() == [taken.instance for taken in system.derive(example.graph).transitions]


def test_every_later_system_has_a_derivation() -> None:
    traced = {name for name, _, _ in (*TRACED, *GRAPH_DERIVATIONS)}
    assert traced == set(system_names()) - set(FIRST) - set(SINGLE_ROOT)  # test_single_root.py has theirs


def _agrees(printed: str, nodes: object) -> bool:
    """Whether the paper's abbreviated list is this sequence; `...` stands for any number of nodes, in one row for
    none.
    """
    assert isinstance(nodes, tuple)
    before, ellipsis, after = printed.partition("...")
    left, right = tuple(map(int, before.split())), tuple(map(int, after.split()))
    if not ellipsis:
        return nodes == left
    return len(nodes) >= len(left) + len(right) and nodes[: len(left)] == left and nodes[-len(right) :] == right


def test_figure_3_of_nivre_2009_is_reproduced_row_by_row() -> None:
    rows = [[cell.strip() for cell in line.split("|")] for line in FIGURE_3_OF_NIVRE_2009.strip().splitlines()]
    steps = load("swap").derive(HEARING.graph).steps

    assert len(rows) == len(steps) == 30
    for (transition, stack, buffer, arc), step in zip(rows, steps, strict=True):
        name, _, label = transition.partition(" ")
        assert (name, label or None) == (step.transition.name, step.transition.label)
        assert _agrees(stack, step.configuration["σ"])
        assert _agrees(buffer, step.configuration["β"])
        head, _, dependent = arc.partition(" ")
        assert ((Arc(int(head), label, int(dependent)),) if arc else ()) == step.added


def test_every_legible_row_of_figure_8_of_nivre_2008_occurs() -> None:
    steps = load("list-nonprojective").derive(KVALITU.graph).steps
    found = {(step.transition.name, step.transition.label): step.configuration.values for step in steps}

    for transition, row in LEGIBLE_ROWS_OF_FIGURE_8.items():
        assert row == found[transition]


def test_the_projective_order_of_nivre_2009() -> None:
    from arcproof.transitions.gold import Gold

    order = Gold(HEARING.graph).order

    assert sorted(range(10), key=order.__getitem__) == [0, 1, 2, 5, 6, 7, 3, 4, 8, 9]


def test_the_czech_arc_of_nivre_2007_has_degree_1() -> None:
    from arcproof.transitions.configuration import Configuration
    from arcproof.transitions.execute import degree

    c = Configuration(8, (), (), KVALITU.graph.arcs)

    assert degree(c, 5, 1) == 1
