"""Figures with several heads: what is a violation, what the conditions mean, which gold graphs there are."""

from dataclasses import replace

import pytest

from arcproof.transitions.configuration import Transition
from arcproof.transitions.errors import BadGraph, BadSpecification, NotDerivable
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import Arc, Graph, graph_of
from arcproof.transitions.system import System, load

LISTS = """system lists
  several heads
  state   list λ1 head right, list λ2 head left, buffer β
  start   [0], [], [1..n]
  final   β = []

  BOTH        λ1|i, λ2, j|β  =>  λ1, i|λ2, j|β   add j -> i add i -> j  if i != 0
  LEFT(l)     λ1|i, λ2, j|β  =>  λ1, i|λ2, j|β   add j -l-> i  if i != 0
  RIGHT(l)    λ1|i, λ2, j|β  =>  λ1, i|λ2, j|β   add i -l-> j
  AGAIN(l)    λ1|i, λ2, j|β  =>  λ1|i, λ2, j|β   add i -l-> j
  UP(l)       λ1|i, λ2, j|β  =>  λ1|i, λ2, j|β   add j -l-> i
  FREE        λ1, λ2, j|β    =>  λ1, λ2, j|β     remove * -> j  if head(j)
  NONE        λ1|i, λ2, β    =>  λ1, i|λ2, β
  SHIFT       λ1, λ2, j|β    =>  λ1·λ2|j, [], β

  oracle all
    BOTH      λ1|i, λ2, j|β  if i != 0, gold j -> i, gold i -> j
    LEFT(l)   λ1|i, λ2, j|β  if gold j -l-> i
    RIGHT(l)  λ1|i, λ2, j|β  if gold i -l-> j
    NONE      λ1|_, λ2, β
    SHIFT

  claims
    sound     graphs
    complete  acyclic graphs with heads <= 2
"""


def lists() -> System:
    return load(LISTS)


def arcs(*pairs: tuple[int, int]) -> frozenset[Arc]:
    return frozenset(Arc(head, None, dependent) for head, dependent in pairs)


def run(system: System, words: int, *names: str) -> list[tuple[Arc, ...]]:
    """The clashes of each step."""
    c = system.start(words)
    found = []
    for name in names:
        step = system.step(c, Transition(name))
        found.append(step.clashes)
        c = step.configuration
    return found


def test_a_second_head_is_not_a_clash() -> None:
    assert run(lists(), 2, "SHIFT", "RIGHT", "RIGHT") == [(), (), ()]
    assert run(replace_heads(lists()), 2, "SHIFT", "RIGHT", "RIGHT") == [(), (), (Arc(0, None, 2),)]


def replace_heads(system: System) -> System:
    return replace(system, figure=replace(system.figure, several_heads=False))


def test_the_same_arc_again_is_a_clash_whatever_its_label() -> None:
    system = lists()
    first = system.step(system.start(1), Transition("AGAIN", "a"))
    again = system.step(first.configuration, Transition("AGAIN", "b"))

    assert first.clashes == ()
    assert again.clashes == (Arc(0, "b", 1),)


def test_removing_takes_all_heads() -> None:
    system = lists()
    c = system.start(2)
    for name in ("SHIFT", "RIGHT", "RIGHT"):
        c = system.apply(c, Transition(name))
    assert c.arcs == arcs((1, 2), (0, 2))
    assert system.apply(c, Transition("FREE")).arcs == frozenset()


def test_an_oracle_derives_graphs_with_cycles_and_labels() -> None:
    gold = Graph(3, frozenset({Arc(0, "root", 1), Arc(1, "a", 3), Arc(2, "b", 3), Arc(3, "c", 2), Arc(0, "top", 3)}))
    system = load(LISTS.replace("    BOTH      λ1|i, λ2, j|β  if i != 0, gold j -> i, gold i -> j\n", ""))
    acyclic = replace(gold, arcs=gold.arcs - {Arc(3, "c", 2)})

    assert system.derive(acyclic).graph == acyclic
    with pytest.raises(NotDerivable, match="cannot build the arc"):
        system.derive(gold)
    assert lists().derive(Graph(2, arcs((1, 2), (2, 1)))).graph == Graph(2, arcs((1, 2), (2, 1)))


def test_an_oracle_that_adds_an_arc_twice_does_not_derive() -> None:
    with pytest.raises(NotDerivable, match=r"it adds the arc \(0, 1\) a second time"):
        load(LISTS.replace("    NONE      λ1|_, λ2, β\n", "").replace("RIGHT(l)  λ1|i", "AGAIN(l)  λ1|i")).derive(
            graph_of((0,))
        )


@pytest.mark.parametrize(
    ("graph", "said"),
    [
        (Graph(2, frozenset({Arc(1, "a", 2), Arc(1, "b", 2)})), "two arcs from 1 to 2, with the labels a and b"),
        (Graph(2, arcs((1, 0))), "an arc from 1 into 0, which never has a head"),
        (Graph(2, arcs((1, 1))), "an arc from 1 to itself"),
        (Graph(2, arcs((3, 1))), "an arc from 3 to 1; with 2 words the nodes are 0 to 2"),
    ],
)
def test_what_is_not_a_gold_graph(graph: Graph, said: str) -> None:
    with pytest.raises(BadGraph) as caught:
        Gold(graph, several_heads=True)
    assert str(caught.value) == f"the gold graph has {said}"


def test_dependents_in_the_gold_graph() -> None:
    gold = Gold(Graph(3, arcs((1, 2), (3, 2), (0, 2), (2, 1))), several_heads=True)

    assert gold.dependents == [[2], [2], [1], [2]]
    assert Gold(graph_of((2, 0, 2))).dependents == [[2], [], [1, 3], []]


def test_words_without_a_head_have_none_with_several_heads() -> None:
    literal = LISTS.replace("start   [0]", "start   []")
    gold = Graph(3, arcs((0, 1), (0, 2), (1, 2), (2, 3)))

    assert load(literal).wanted(gold) == gold
    with pytest.raises(BadSpecification, match="`root none` in a figure with several heads"):
        load(literal.replace("several heads", "several heads\n  root none"))
