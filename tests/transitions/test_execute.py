"""The reference interpreter: what a figure does when it runs.

`tests.transitions.test_reading` is about the tree, this is about its meaning: transitions and their refusals, runs,
oracles and the notions of the gold graph, each against something written independently of it.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, replace
from itertools import combinations, islice, product

import pytest

from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Step, Transition, Value
from arcproof.transitions.errors import (
    BadGraph,
    BadParameter,
    BadSpecification,
    NotDerivable,
    NotPermissible,
)
from arcproof.transitions.execute import calculate, connected, degree, reaches
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import Arc, Graph, Heads, cycle_in, graph_of, parse_heads
from arcproof.transitions.library import system_names
from arcproof.transitions.system import System, load
from tests.catalogue import WITHOUT_ORACLE, each
from tests.transitions.test_reading import TEXTS

NO_ARCS: frozenset[Arc] = frozenset()


def arcs(*pairs: tuple[int, int]) -> frozenset[Arc]:
    return frozenset(Arc(head, None, dependent) for head, dependent in pairs)


def configuration(system: System, words: int, *values: Value, built: frozenset[Arc] = NO_ARCS) -> Configuration:
    return Configuration(words, system.start(words).names, values, built)


def run(system: System, words: int, *names: str) -> Configuration:
    """The configuration after these transitions; `LEFT-ARC[2]` chooses."""
    c = system.start(words)
    for text in names:
        name, _, choice = text.rstrip("]").partition("[")
        c = system.apply(c, Transition(name, None, tuple(map(int, choice.split(","))) if choice else ()))
    return c


def reachable(system: System, words: int) -> Iterator[Configuration]:
    """Every configuration that a run passes through."""
    todo = [system.start(words)]
    seen = set(todo)
    while todo:
        c = todo.pop()
        yield c
        if not system.is_terminal(c):
            new = {system.apply(c, transition) for transition in system.permissible(c)} - seen
            seen |= new
            todo += new


def all_heads(words: int) -> Iterator[Heads]:
    """Every way to give or not to give each word a head, without cycles: all forests."""
    choices = [(None, *(head for head in range(words + 1) if head != word)) for word in range(1, words + 1)]
    return (heads for heads in product(*choices) if cycle_in(heads) is None)


def figure(*lines: str, state: str = "stack σ, buffer β", start: str = "[0], [1..n]", final: str = "β = []") -> System:
    """A small system from its transitions, and whatever else is said about it."""
    head = ["system small", f"  state {state}", f"  start {start}", f"  final {final}"]
    return load("\n".join([*head, *(f"  {line}" for line in lines)]))


# --- refusals name the violated precondition -------------------------------------------------------------------------


def refusal(system: System, c: Configuration, transition: Transition) -> str:
    with pytest.raises(NotPermissible) as caught:
        system.apply(c, transition)
    return str(caught.value)


REFUSALS: list[tuple[str, int, tuple[Value, ...] | None, tuple[tuple[int, int], ...], Transition, str]] = [
    ("arc-eager", 1, ((0, 1), ()), (), Transition("SHIFT"), "β is not of the form i|β"),
    ("arc-standard-stack", 1, None, (), Transition("LEFT-ARC", "det"), "σ is not of the form σ|i|j"),
    ("arc-eager", 2, None, (), Transition("LEFT-ARC"), "the precondition `i != 0` is violated with i = 0, j = 1"),
    ("arc-eager", 2, ((0, 1), (2,)), ((0, 1),), Transition("LEFT-ARC"), "the precondition `no head(i)` is violated with i = 1, j = 2"),
    ("arc-eager", 1, None, (), Transition("REDUCE"), "the precondition `head(i)` is violated with i = 0"),
    ("list-nonprojective", 3, ((0, 1), (), (3,)), ((1, 2), (2, 3)), Transition("LEFT-ARC"), "the precondition `not i ->* j` is violated with i = 1, j = 3"),
    ("swap", 2, ((0, 2, 1), ()), (), Transition("SWAP"), "the precondition `0 < i < j` is violated with j = 1, i = 2"),
    ("arc-swift", 1, None, (), Transition("RIGHT-ARC"), "it is written with 1 choice, as in [1]"),
    ("arc-eager", 1, None, (), Transition("SHIFT", None, (1,)), "it is written with 0 choices"),
    ("arc-swift", 1, None, (), Transition("RIGHT-ARC", None, (2,)), "no run of nodes is that long"),
    ("arc-swift", 2, ((0, 1), (2,)), (), Transition("RIGHT-ARC", None, (2,)), "the precondition `all x in τ: head(x)` is violated with i = 0, j = 2"),
    ("attardi[d=1]", 2, ((0, 1, 2), ()), (), Transition("RIGHT-ARC", None, (2,)), "the precondition `|τ| <= d - 1` is violated with y = 2, x = 0"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "words", "values", "built", "transition", "reason"), REFUSALS)
def test_the_first_condition_that_does_not_hold_is_named(
    name: str,
    words: int,
    values: tuple[Value, ...] | None,
    built: tuple[tuple[int, int], ...],
    transition: Transition,
    reason: str,
) -> None:
    system = load(name)
    c = system.start(words) if values is None else configuration(system, words, *values, built=arcs(*built))

    assert refusal(system, c, transition).partition(": ")[2] == reason


def test_every_case_of_a_transition_says_why_it_is_refused() -> None:
    system = figure(
        "POP  σ|i, β    =>  σ, β     if head(i)",
        "POP  σ|j|i, β  =>  σ|j, β   add j -> i  if no head(i)",
    )

    assert refusal(system, system.start(1), Transition("POP")).endswith("; and σ is not of the form σ|j|i")


def test_what_the_figure_does_not_have_is_refused() -> None:
    system = load("arc-eager")

    assert "has no transition SWAP" in refusal(system, system.start(1), Transition("SWAP"))
    assert "carries no label" in refusal(system, system.start(1), Transition("SHIFT", "nsubj"))


@pytest.mark.long
@pytest.mark.parametrize("name", each(system_names()))
def test_what_is_not_permissible_is_refused_and_what_is_is_not(name: str) -> None:
    system = load(name)
    for c in reachable(system, 3):
        permissible = set(system.permissible(c))
        assert len(permissible) == len(system.permissible(c))
        assert system.steps(c) == [system.step(c, transition) for transition in system.permissible(c)]
        for refused in {Transition(rule, None, choice) for rule in system.transitions for choice in [(), (1,), (2,)]}:
            if refused not in permissible:
                assert refusal(system, c, refused).startswith(f"{refused.instance} is not permissible in {c}: ")


CASES = """system cases
  state  stack σ, buffer β
  start  [0], [1..n]
  final  β = []

  SHIFT  σ, i|β  =>  σ|i, β  if i = 1
  SHIFT  σ, i|β  =>  σ, β    if i != 1
"""


def test_of_cases_that_overlap_the_first_is_taken() -> None:
    """No figure has such cases, but a figure without one of its preconditions may."""
    system = load(CASES)
    rules = tuple(replace(rule, preconditions=()) for rule in system.figure.rules)
    overlapping = replace(system, figure=replace(system.figure, rules=rules))
    c = overlapping.start(1)

    assert [str(step.configuration) for step in overlapping.steps(c)] == ["([0, 1], [], {})"] * 2
    assert overlapping.steps(c) == [overlapping.step(c, transition) for transition in overlapping.permissible(c)]


# --- configurations are values ---------------------------------------------------------------------------------------


def test_a_configuration_cannot_be_changed() -> None:
    c = load("arc-eager").start(2)

    for field in ("words", "names", "values", "arcs"):
        with pytest.raises(FrozenInstanceError):
            setattr(c, field, None)


def test_applying_a_transition_leaves_the_configuration_as_it_was() -> None:
    system = load("arc-eager")
    c = system.start(2)
    before = str(c), hash(c)
    after = system.apply(c, Transition("RIGHT-ARC", "root"))

    assert (str(c), hash(c)) == before == ("([0], [1, 2], {})", hash(system.start(2)))
    assert str(after) == "([0, 1], [2], {(0, root, 1)})"


def test_equal_configurations_are_equal_and_have_one_hash() -> None:
    system = load("arc-standard")
    one, other = run(system, 2, "SHIFT", "LEFT-ARC"), run(system, 2, "SHIFT", "LEFT-ARC")

    assert one == other
    assert one is not other
    assert len({one, other, system.start(2)}) == 2


def test_labels_tell_configurations_apart() -> None:
    system = load("arc-eager")
    c = system.start(1)

    assert system.apply(c, Transition("RIGHT-ARC", "a")) != system.apply(c, Transition("RIGHT-ARC", "b"))


def test_components_are_found_under_both_spellings() -> None:
    c = load("list-nonprojective").start(2)

    assert c["λ1"] == c["lambda1"] == (0,)
    assert c["β"] == c["beta"] == (1, 2)
    with pytest.raises(KeyError, match="no component γ; the state has λ1, λ2, β"):
        c["gamma"]


def test_space_counts_cells_arcs_flags_counters_and_members() -> None:
    system = load("swap-max2")

    assert system.start(3).space == 1 + 3 + 1
    assert (
        Configuration(2, ("σ", "e", "k", "U"), ((0, 1), True, 7, frozenset({1, 2})), arcs((0, 1))).space
        == 2 + 1 + 1 + 2 + 1
    )


def test_json_has_ascii_names_and_printed_order() -> None:
    c = Configuration(3, ("σ", "λ1", "e", "k", "U"), ((0, 2), (3, 1), False, 2, frozenset({3, 1})))

    assert c.as_json() == {"sigma": [0, 2], "lambda1": [3, 1], "e": False, "k": 2, "U": [1, 3]}
    assert str(c) == "([0, 2], [3, 1], false, 2, {1, 3}, {})"


@pytest.mark.parametrize("name", system_names())
def test_the_empty_sentence_is_parsed_without_a_transition(name: str) -> None:
    system = load(name)

    assert system.is_terminal(system.start(0))
    assert name in WITHOUT_ORACLE or len(system.derive(Graph(0, NO_ARCS))) == 0


# --- the PARSE loop --------------------------------------------------------------------------------------------------


def test_parse_asks_any_callable_until_the_configuration_is_terminal() -> None:
    system = load("arc-standard-stack")
    asked: list[Configuration] = []

    def rightmost(c: Configuration) -> Transition:
        asked.append(c)
        return Transition("SHIFT") if c["β"] else Transition("RIGHT-ARC", "dep")

    derivation = system.parse(3, rightmost)

    assert [t.name for t in derivation.transitions] == ["SHIFT"] * 3 + ["RIGHT-ARC"] * 3
    assert derivation.graph == graph_of((0, 1, 2), ("dep", "dep", "dep"))
    assert asked == [derivation.initial, *(step.configuration for step in derivation.steps[:-1])]
    assert system.is_terminal(derivation.last)


def test_parse_stops_at_the_first_terminal_configuration() -> None:
    def never(_: Configuration) -> Transition:
        raise AssertionError("a terminal configuration needs no transition")

    assert len(load("arc-eager").parse(0, never)) == 0


def test_parse_stops_at_its_limit() -> None:
    system = figure("STAY  σ, β  =>  σ, β")

    with pytest.raises(NotDerivable, match="no terminal configuration after 7 transitions"):
        system.parse(1, lambda _: Transition("STAY"), limit=7)


# --- oracles ---------------------------------------------------------------------------------------------------------


def underivable(system: System, gold: Graph, oracle: str | None = None) -> NotDerivable:
    with pytest.raises(NotDerivable) as caught:
        system.derive(gold, oracle)
    return caught.value


def test_a_graph_that_cannot_be_derived_names_the_missing_arcs() -> None:
    error = underivable(load("arc-eager"), graph_of((2, 0, 1)))

    assert str(error) == (
        "arc-eager with oracle reduce-late does not derive 2,0,1; it cannot build the arc (1, 3): "
        "it ends in ([0, 2, 3], [], {(2, 1), (0, 2)})"
    )
    assert (error.missing, error.wrong) == ((Arc(1, None, 3),), ())


def test_a_system_gets_stuck_where_nothing_is_left_to_do() -> None:
    error = underivable(load("arc-hybrid"), graph_of((3, 0, 0)))

    assert str(error) == (
        "arc-hybrid with oracle static does not derive 3,0,0; it cannot build the arcs (3, 1), (0, 2), (0, 3): "
        "after 3 transitions SHIFT is not permissible in ([0, 1, 2, 3], [], {}): β is not of the form j|β"
    )


class PatienceIsOver(Exception):
    """Raised when a derivation of one word has taken thousands of steps."""


class Impatient(System):
    """A system that does not go on for ever even if `derive` would."""

    def step(self, c: Configuration, transition: Transition) -> Step:
        """As in `System`, unless the configuration has grown beyond all measure."""
        if any(value > 3000 if isinstance(value, int) else len(value) > 3000 for value in c.values):
            raise PatienceIsOver
        return super().step(c, transition)


@pytest.mark.parametrize(
    "system",
    [
        figure(
            "COUNT  σ, β, k  =>  σ, β, k + 1",
            "oracle counting",
            "  COUNT",
            state="stack σ, buffer β, counter k",
            start="[0], [1..n], 0",
        ),
        figure("shared", "COPY  σ|i, β  =>  σ|i|i, β", "oracle copying", "  COPY"),
    ],
    ids=["counting", "copying"],
)
def test_an_endless_oracle_is_stopped(system: System) -> None:
    impatient = Impatient(system.figure, system.parameters, system.text)

    assert underivable(impatient, graph_of((0,))).missing == (Arc(0, None, 1),)


def test_another_graph_is_never_returned() -> None:
    system = figure(
        "RIGHT-ARC(l)  σ|i, j|β  =>  σ|i|j, β  add i -l-> j",
        "SHIFT         σ, i|β    =>  σ|i, β",
        "oracle greedy",
        "  RIGHT-ARC(l)  σ|i, j|β  if gold i -l-> j",
        "  SHIFT",
    )
    wrong = figure(
        "RIGHT-ARC  σ|i, j|β  =>  σ|i|j, β  add i -> j",
        "oracle eager",
        "  RIGHT-ARC",
    )

    assert underivable(system, graph_of((0, 0))).missing == (Arc(0, None, 2),)
    error = underivable(wrong, graph_of((0, 0)))
    assert (error.missing, error.wrong) == ((Arc(0, None, 2),), (Arc(1, None, 2),))
    assert str(error) == (
        "small with oracle eager does not derive 0,0; it cannot build the arc (0, 2); "
        "it adds the arc (1, 2), not in the gold graph: it ends in ([0, 1, 2], [], {(0, 1), (1, 2)})"
    )


@pytest.mark.long
@pytest.mark.parametrize("name", system_names())
def test_an_oracle_derives_exactly_the_graph_or_refuses(name: str) -> None:
    """With up to three words, and with four on every fifth graph; that all graphs of its class are derived is in
    `test_library.py`.
    """
    system = load(name)
    outcomes = set()
    for words in range(5):
        for heads in islice(all_heads(words), 0, None, 5 if words == 4 else 1):
            gold = graph_of(heads, [f"l{word}" for word in range(words)])
            wanted = gold if system.has_root else Graph(words, frozenset(arc for arc in gold.arcs if arc.head != 0))
            for oracle in system.figure.oracles:
                try:
                    derivation = system.derive(gold, oracle.name)
                except NotDerivable as error:
                    missing, wrong = frozenset(error.missing), frozenset(error.wrong)
                    outcomes.add("refused")
                else:
                    missing = wrong = NO_ARCS
                    outcomes.add("derived")
                    assert derivation.graph == wanted
                assert missing <= wanted.arcs
                assert not wrong & wanted.arcs
    assert ("derived" in outcomes) is (name not in WITHOUT_ORACLE)


def test_a_gold_graph_with_a_cycle_is_refused() -> None:
    with pytest.raises(BadGraph, match="the gold graph has the cycle 1 -> 2 -> 1; a gold graph is a forest"):
        load("swap").derive(graph_of((2, 1)))


def test_labels_come_from_the_gold_graph() -> None:
    gold = graph_of((2, 0, 2), ("a", "b", None))
    derivation = load("arc-eager").derive(gold)

    assert [str(transition) for transition in derivation.transitions] == [
        "SHIFT", "LEFT-ARC(a)", "RIGHT-ARC(b)", "RIGHT-ARC",
    ]  # fmt: skip
    assert derivation.graph == gold


def test_the_first_line_that_matches_wins() -> None:
    system = load("arc-swift")
    gold = Gold(graph_of((None, 1, 1)))
    c = configuration(system, 3, (0, 1, 2), (3,), built=arcs((1, 2)))

    assert system.predict(c, gold, system.oracle()) == Transition("RIGHT-ARC", None, (2,))


def test_among_several_bindings_the_shortest_run_wins_then_the_leftmost() -> None:
    system = figure(
        "TAKE  σ|i|τ, j|υ·β  =>  σ|i, β·υ",
        "oracle any",
        "  TAKE  σ|i|τ, j|υ·β  if head(i), i < j",
    )
    c = configuration(system, 6, (0, 1, 2, 3), (4, 5, 6), built=arcs((0, 1), (0, 2)))

    assert system.predict(c, Gold(graph_of((None,) * 6)), system.oracle()) == Transition("TAKE", None, (2, 1))


# --- a system without node 0 -----------------------------------------------------------------------------------------


def test_without_node_0_the_dependents_of_0_are_words_without_a_head() -> None:
    system = load("arc-eager-2003")

    assert not system.has_root
    assert system.derive(graph_of((2, 0, 2))).graph == graph_of((2, None, 2))
    assert system.derive(graph_of((2, None, 2))).graph == graph_of((2, None, 2))


def test_without_node_0_no_arc_leaves_0() -> None:
    system = load("arc-eager-2003")

    assert all(arc.head != 0 for c in reachable(system, 4) for arc in c.arcs)


# --- independent parsers ---------------------------------------------------------------------------------------------

Stacked = tuple[tuple[int, ...], tuple[int, ...], frozenset[tuple[int, int]]]


def arc_standard(
    stack: tuple[int, ...], buffer: tuple[int, ...], built: frozenset[tuple[int, int]]
) -> dict[str, Stacked]:
    """Arc-standard by hand (Nivre 2008, Figure 3): every permissible transition with what it leads to."""
    steps: dict[str, Stacked] = {}
    has_head = {dependent for _, dependent in built}
    if buffer:
        steps["SHIFT"] = (*stack, buffer[0]), buffer[1:], built
    if stack and buffer:
        top, front = stack[-1], buffer[0]
        if top != 0 and top not in has_head:
            steps["LEFT-ARC"] = stack[:-1], buffer, built | {(front, top)}
        if front not in has_head:
            steps["RIGHT-ARC"] = stack[:-1], (top, *buffer[1:]), built | {(top, front)}
    return steps


def arc_eager(stack: tuple[int, ...], buffer: tuple[int, ...], built: frozenset[tuple[int, int]]) -> dict[str, Stacked]:
    """Arc-eager by hand (Nivre 2008, Figure 5)."""
    steps: dict[str, Stacked] = {}
    has_head = {dependent for _, dependent in built}
    if stack and stack[-1] in has_head:
        steps["REDUCE"] = stack[:-1], buffer, built
    if buffer:
        steps["SHIFT"] = (*stack, buffer[0]), buffer[1:], built
    if stack and buffer:
        top, front = stack[-1], buffer[0]
        if top != 0 and top not in has_head:
            steps["LEFT-ARC"] = stack[:-1], buffer, built | {(front, top)}
        if front not in has_head:
            steps["RIGHT-ARC"] = (*stack, front), buffer[1:], built | {(top, front)}
    return steps


def stacked(c: Configuration) -> Stacked:
    stack, buffer = c.values
    assert isinstance(stack, tuple)
    assert isinstance(buffer, tuple)
    return stack, buffer, frozenset((arc.head, arc.dependent) for arc in c.arcs)


@pytest.mark.parametrize(("name", "by_hand"), [("arc-standard", arc_standard), ("arc-eager", arc_eager)])
def test_the_interpreter_agrees_with_a_parser_written_by_hand(
    name: str, by_hand: Callable[..., dict[str, Stacked]]
) -> None:
    system = load(name)
    for words in range(5):
        todo: list[Stacked] = [((0,), tuple(range(1, words + 1)), frozenset())]
        seen = set(todo)
        while todo:
            stack, buffer, built = todo.pop()
            c = configuration(system, words, stack, buffer, built=arcs(*built))
            steps = by_hand(stack, buffer, built)
            assert {t.name: stacked(system.apply(c, t)) for t in system.permissible(c)} == steps
            assert system.is_terminal(c) == (not buffer)
            new = set(steps.values()) - seen if buffer else set()
            seen |= new
            todo += new
        assert {stacked(c) for c in reachable(system, words)} == seen


@pytest.mark.parametrize(("name", "by_hand"), [("arc-standard", arc_standard), ("arc-eager", arc_eager)])
def test_the_interpreter_agrees_with_a_parser_written_by_hand_where_no_run_leads(
    name: str, by_hand: Callable[..., dict[str, Stacked]]
) -> None:
    """Stacks and buffers over 0..3 in an order that no run gives them, with every set of at most two arcs."""
    system = load(name)
    pairs = [(head, word) for head in range(4) for word in range(1, 4) if head != word]
    for order in {part for size in range(5) for part in combinations((3, 0, 2, 1), size)}:
        for cut in range(len(order) + 1):
            for built in (chosen for size in range(3) for chosen in combinations(pairs, size)):
                c = configuration(system, 3, order[:cut], order[cut:], built=arcs(*built))
                expected = by_hand(*stacked(c))
                assert {t.name: stacked(system.apply(c, t)) for t in system.permissible(c)} == expected


# --- the gold graph --------------------------------------------------------------------------------------------------


def inorder(heads: Heads) -> list[int]:
    """The projective order by its definition: left dependents, the node, right dependents, from 0."""

    def below(node: int) -> list[int]:
        children = [word for word, head in enumerate(heads, start=1) if (head or 0) == node]
        left = [x for child in children if child < node for x in below(child)]
        return [*left, node, *(x for child in children if child > node for x in below(child))]

    return below(0)


def test_the_projective_order_is_the_inorder_traversal() -> None:
    for words in range(6):
        for heads in all_heads(words):
            order = Gold(graph_of(heads)).order
            assert sorted(range(words + 1), key=order.__getitem__) == inorder(heads)


def test_the_projective_order_of_the_paper() -> None:
    """Nivre 2009, section 3.2, on the sentence of Figure 1: 0 A hearing on the issue is scheduled today ."""
    gold = Gold(graph_of(parse_heads("2,3,0,3,2,7,5,4,3")))

    assert sorted(range(10), key=gold.order.__getitem__) == [0, 1, 2, 5, 6, 7, 3, 4, 8, 9]


def projective_components(heads: Heads) -> list[int]:
    """Maximal projective components by their definition: arc-standard without SWAP, an arc when its dependent is
    complete.
    """
    words = len(heads)
    stack, buffer = [0], list(range(1, words + 1))
    built: set[tuple[int, int]] = set()

    def gold(head: int, dependent: int) -> bool:
        return dependent != 0 and heads[dependent - 1] == head

    def complete(node: int) -> bool:
        return all((node, word) in built for word in range(1, words + 1) if heads[word - 1] == node)

    while True:
        if len(stack) > 1 and gold(stack[-1], stack[-2]) and complete(stack[-2]):
            built.add((stack[-1], stack.pop(-2)))
        elif len(stack) > 1 and gold(stack[-2], stack[-1]) and complete(stack[-1]):
            built.add((stack[-2], stack.pop()))
        elif buffer:
            stack.append(buffer.pop(0))
        else:
            break
    above = {dependent: head for head, dependent in built}

    def root(node: int) -> int:
        return root(above[node]) if node in above else node

    return [root(node) for node in range(words + 1)]


def test_maximal_projective_components_are_those_of_arc_standard_without_swap() -> None:
    for words in range(6):
        for heads in all_heads(words):
            assert Gold(graph_of(heads)).components == projective_components(heads)


# --- notions of the arcs built so far --------------------------------------------------------------------------------


def closure(words: int, pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The reflexive and transitive closure, by definition."""
    found = {(node, node) for node in range(words + 1)} | pairs
    while True:
        more = {(a, d) for a, b in found for c, d in found if b == c} - found
        if not more:
            return found
        found |= more


def test_reaching_and_connection_are_closures() -> None:
    for heads in all_heads(4):
        graph = graph_of(heads)
        c = Configuration(4, (), (), graph.arcs)
        pairs = {(arc.head, arc.dependent) for arc in graph.arcs}
        above, beside = closure(4, pairs), closure(4, pairs | {(b, a) for a, b in pairs})
        for one, other in product(range(5), repeat=2):
            assert reaches(c, one, other) == ((one, other) in above)
            assert connected(c, one, other) == ((one, other) in beside)


def undominated_components(words: int, pairs: set[tuple[int, int]], head: int, dependent: int) -> int:
    """Nivre 2007, Definition 3: components strictly between the ends that the head does not dominate in the
    interval.
    """
    low, high = min(head, dependent), max(head, dependent)
    closed = {(a, b) for a, b in pairs | {(head, dependent)} if low <= a <= high and low <= b <= high}
    inside = {(a, b) for a, b in closed if low < a < high and low < b < high}
    together = closure(words, inside | {(b, a) for a, b in inside})
    components = {frozenset(b for b in range(low + 1, high) if (a, b) in together) for a in range(low + 1, high)}
    dominated = closure(words, closed)
    return sum(not all((head, node) in dominated for node in component) for component in components)


@pytest.mark.long
def test_the_degree_of_an_arc_is_that_of_the_definition() -> None:
    """For every forest and every arc that could be added to it without a second head or a cycle."""
    compared = 0
    for heads in all_heads(5):
        graph = graph_of(heads)
        c = Configuration(5, (), (), graph.arcs)
        pairs = {(arc.head, arc.dependent) for arc in graph.arcs}
        for head, dependent in product(range(6), range(1, 6)):
            if heads[dependent - 1] is None and not reaches(c, dependent, head):
                compared += 1
                expected = undominated_components(5, pairs, head, dependent)
                assert degree(c, head, dependent) == degree(c, dependent, head) == expected
    assert compared > 10_000


def test_the_degree_of_the_czech_example() -> None:
    """Nivre 2007, Figure 1: of the arcs between words only (5, 1) is not of degree 0."""
    graph = graph_of(parse_heads("5,1,0,5,3,3,6,0"))
    c = Configuration(8, (), (), graph.arcs)
    degrees = {(arc.head, arc.dependent): degree(c, arc.head, arc.dependent) for arc in graph.arcs if arc.head}

    assert degrees == {(5, 1): 1, (1, 2): 0, (5, 4): 0, (3, 5): 0, (3, 6): 0, (6, 7): 0}


# --- every construct, executed ---------------------------------------------------------------------------------------


def permits(condition: str, c: Configuration, pattern: str = "σ|i, j|β") -> bool:
    """Whether a condition holds of the top of the stack and the front of the buffer."""
    extra = "parameter d = 2" if re.search(r"\bd\b", condition) else ""
    system = figure(*filter(None, (extra, f"GO  {pattern}  =>  [], []  if {condition}")))
    return Transition("GO") in system.permissible(c)


C = Configuration(6, ("σ", "β"), ((0, 1, 3), (4, 5, 6)), arcs((0, 1), (3, 2), (4, 6)))


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("i = 3", True), ("i != 3", False), ("i < j", True), ("i <= 3", True), ("j > i", True), ("j >= 5", False),
        ("0 < i < j", True), ("0 < j < i", False), ("i + 1 = j", True), ("j - i = 1", True), ("j - i - 1 = 0", True),
        ("n = 6", True), ("|σ| = 2", True), ("|σ| + |β| = n - 2", True), ("|σ| < d", False), ("|σ| <= d", True),
        ("i < ∞", True), ("i = inf", False),
        ("head(i)", False), ("no head(i)", True), ("head(j)", False), ("all x in β: head(x)", False),
        ("exists x in β: head(x)", True), ("exists x in σ: head(x)", True), ("all x in σ: x < i", True),
        ("exists x in σ|i|j·β: 4 = x", True), ("exists x in []: x = x", False), ("all x in []: x != x", True),
        ("exists x in β: j -> x", True), ("i -> j", False), ("not i -> j", True), ("exists x in β: j ->* x", True),
        ("i ->* i", True), ("i ->* j", False), ("0 ->* i", False), ("i <->* j", False), ("i <->* i", True),
        ("exists x in β: x <->* j", True), ("i in σ", False), ("i in σ|i", True), ("0 in σ", True), ("j not in β", True),
        ("σ = []", False), ("σ = [0, 1]", True), ("σ != [0..1]", False), ("β = [5..n]", True),
        ("degree(i, j) = 0", True), ("degree(0, i) = 0", True), ("degree(0, j) = 1", True),
        ("i = 0 or j = 4", True), ("i = 3 and j = 4", True), ("i = 3 and (j = 5 or j = 4)", True),
        ("not (i = 3 and j = 4)", False), ("not i = 3 or j = 4", True), ("i = 3, j = 5", False),
        ("exists x in σ: all y in β: x < y", True), ("all y in β: exists x in σ: y < x", False),
        ("exists x in σ: x = 7 or j = 4", True), ("(exists x in σ: x = 7) or j = 4", True),
        ("exists x in []: x = 7 or j = 4", False), ("(exists x in []: x = 7) or j = 4", True),
    ],
)  # fmt: skip
def test_conditions_mean_what_they_say(condition: str, expected: bool) -> None:
    assert permits(condition, C) is expected


def test_conditions_bind_from_either_end_of_a_sequence() -> None:
    assert permits("i = 0, j = 6", C, "i|σ, β|j")
    assert permits("i = 0, j = 3, σ = [1]", C, "i|σ|j, β")
    assert permits("i = 0, j = 1, k = 3, σ = [4..n]", C, "[i|j|k], σ")
    assert not permits("i = 0", C, "[i|j], σ")


def test_flags_are_set_reset_tested_and_computed_from_the_new_state() -> None:
    system = figure(
        "SHIFT   σ, i|β, false  =>  σ|i, β, (β = [])",
        "KEEP    σ|i, β, e      =>  σ|i, β, e             if not e",
        "SET     σ|i, β, e      =>  σ|i, β, (e or i != 0)",
        "CLEAR   σ, β, true     =>  σ, β, false",
        state="stack σ, buffer β, flag e",
        start="[0], [1..n], false",
        final="e, β = []",
    )

    assert run(system, 1, "SHIFT")["e"] is True
    assert run(system, 2, "SHIFT")["e"] is False
    assert run(system, 2, "KEEP", "SET")["e"] is False
    assert run(system, 2, "SHIFT", "SET")["e"] is True
    assert run(system, 2, "SHIFT", "SET", "SET", "CLEAR")["e"] is False
    assert refusal(system, run(system, 1, "SHIFT"), Transition("SHIFT")).endswith(": β is not of the form i|β")
    assert refusal(system, run(system, 2, "SHIFT", "SET"), Transition("SHIFT")).endswith(": e is not of the form false")
    assert [system.is_terminal(run(system, 1, *names)) for names in ([], ["SHIFT"], ["SHIFT", "CLEAR"])] == [
        False, True, False,
    ]  # fmt: skip


def test_counters_are_matched_compared_added_to_and_reset() -> None:
    system = figure(
        "parameter d = 3",
        "ONE    σ, β, 0  =>  σ, β, 1",
        "UP     σ, β, k  =>  σ, β, k + d - 1  if 0 < k < 5",
        "TWICE  σ, β, k  =>  σ, β, k + k",
        "FAR    σ, β, k  =>  σ, β, k + n",
        "NODE   σ|i, β, k  =>  σ, β, k + i",
        "ZERO   σ, β, _  =>  σ, β, 0",
        state="stack σ, buffer β, counter k",
        start="[0], [1..n], 0",
        final="k = 9",
    )

    assert run(system, 2, "ONE", "UP", "UP")["k"] == 5
    assert run(system, 2, "ONE", "TWICE", "TWICE")["k"] == 4
    assert run(system, 2, "ONE", "FAR")["k"] == 3
    assert run(system, 2, "ONE", "UP", "ZERO")["k"] == 0
    assert run(system, 2, "ONE", "NODE")["k"] == 1
    assert refusal(system, run(system, 2, "ONE"), Transition("ONE")).endswith(": k is not of the form 0")
    assert refusal(system, run(system, 2), Transition("UP")).endswith(
        ": the precondition `0 < k < 5` is violated with k = 0"
    )


def test_sets_grow_shrink_and_are_emptied() -> None:
    system = figure(
        "MARK   σ, i|j|β, U  =>  σ, i|j|β, U + i + j   if i not in U",
        "PULL   σ, i|β, U    =>  σ, i|β, U - i + 0     if i in U",
        "CLEAR  σ, β, _      =>  σ, β, {}",
        "KEEP   σ, β, U      =>  σ, β, U",
        state="stack σ, buffer β, set U",
        start="[0], [1..n], {}",
    )

    assert run(system, 2)["U"] == frozenset()
    assert run(system, 2, "MARK")["U"] == frozenset({1, 2})
    assert run(system, 2, "MARK", "PULL", "KEEP")["U"] == frozenset({0, 2})
    assert run(system, 2, "MARK", "CLEAR")["U"] == frozenset()
    assert refusal(system, run(system, 2, "MARK"), Transition("MARK")).endswith(
        ": the precondition `i not in U` is violated with i = 1, j = 2"
    )


def test_arcs_are_removed_and_added_in_the_order_of_the_rule() -> None:
    replace_head = figure(
        "MOVE(l)  σ|i, j|β  =>  σ|j, β  remove * -> j add i -l-> j", "ARC  σ|i, j|β => σ|i, j|β  add 0 -> j"
    )
    remove_last = figure("MOVE(l)  σ|i, j|β  =>  σ|j, β  add i -l-> j remove * -> j")

    after = replace_head.step(replace_head.apply(replace_head.start(1), Transition("ARC")), Transition("MOVE", "x"))
    assert after.configuration.arcs == {Arc(0, "x", 1)}
    assert after.added == (Arc(0, "x", 1),)
    assert remove_last.apply(remove_last.start(1), Transition("MOVE", "x")).arcs == NO_ARCS


def test_an_unlabelled_arc_of_a_labelled_transition_stays_unlabelled() -> None:
    system = figure("TWO(l)  σ|i, j|k|β  =>  σ|i, β  add i -l-> j add j -> k")

    assert system.apply(system.start(2), Transition("TWO", "x")).arcs == {Arc(0, "x", 1), Arc(1, None, 2)}


def test_two_runs_in_one_sequence_are_chosen_apart() -> None:
    system = figure("TAKE  σ|i|τ|j|υ, β  =>  σ·υ|j|i·τ, β")
    c = configuration(system, 4, (0, 1, 2, 3), ())
    after = {t.choice: system.apply(c, t)["σ"] for t in system.permissible(c)}

    assert after == {
        (1, 1): (0, 1, 3, 2),
        (1, 2): (0, 3, 1, 2),
        (1, 3): (3, 0, 1, 2),
        (2, 1): (0, 3, 2, 1),
        (2, 2): (3, 2, 0, 1),
        (3, 1): (2, 3, 1, 0),
    }
    assert [t.choice for t in system.permissible(c)] == sorted(after)


def test_runs_in_two_sequences_are_chosen_apart() -> None:
    system = figure("TAKE  σ|i|τ, υ|j·β  =>  σ·υ, τ·β")
    c = configuration(system, 4, (0, 1), (2, 3, 4))

    assert {(t.instance, system.apply(c, t).values) for t in system.permissible(c)} == {
        ("TAKE[1,1]", ((0,), (3, 4))),
        ("TAKE[1,2]", ((0, 2), (4,))),
        ("TAKE[1,3]", ((0, 2, 3), ())),
        ("TAKE[2,1]", ((), (1, 3, 4))),
        ("TAKE[2,2]", ((2,), (1, 4))),
        ("TAKE[2,3]", ((2, 3), (1,))),
    }


def test_a_run_is_counted_from_the_head_of_a_list() -> None:
    left = figure("TAKE  τ|i|λ  =>  τ·λ", state="list λ head left", start="[0..n]", final="λ = []")
    right = figure("TAKE  λ|i|τ  =>  λ·τ", state="list λ head right", start="[0..n]", final="λ = []")

    assert [left.apply(left.start(2), t)["λ"] for t in left.permissible(left.start(2))] == [(1, 2), (0, 2), (0, 1)]
    assert [right.apply(right.start(2), t)["λ"] for t in right.permissible(right.start(2))] == [(0, 1), (0, 2), (1, 2)]


def test_holes_match_nodes_without_naming_them() -> None:
    system = figure("DROP  σ|_|i, _|β  =>  σ|i, β")

    assert system.apply(configuration(system, 3, (0, 1), (2, 3)), Transition("DROP")).values == ((1,), (3,))
    assert refusal(system, system.start(2), Transition("DROP")).endswith(": σ is not of the form σ|_|i")


def test_shared_nodes_may_stand_in_two_sequences() -> None:
    system = figure("shared", "PUSH  σ, β, i|γ  =>  σ|i, i|β, γ", state="stack σ, stack β head left, buffer γ",
                    start="[0], [0], [1..n]", final="γ = []")  # fmt: skip

    assert run(system, 2, "PUSH", "PUSH").values == ((0, 1, 2), (2, 1, 0), ())


def test_gold_conditions_mean_what_they_say() -> None:
    """One line an oracle: it matches or it does not."""
    gold = Gold(graph_of((3, 0, 0, 3)))
    c = Configuration(4, ("σ", "β"), ((0, 1, 2), (3, 4)), arcs((3, 1)))
    expected = {
        "gold j -> i": False, "gold 0 -> i": True, "gold 0 -> j": True, "not gold j -> 0": True,
        "complete(i)": True, "complete(j)": False, "complete(0)": False, "i <G j": False, "j <G i": False,
        "exists k in σ: j <G k": False, "exists k in σ: k <G i": True, "mpc(i) = 0": False, "mpc(i) = i": True,
        "exists k in β: mpc(k) = mpc(j)": True,
    }  # fmt: skip
    order = gold.order
    expected |= {"i <G j": order[2] < order[3], "j <G i": order[3] < order[2]}
    for condition, holds in expected.items():
        system = figure(
            "GO  σ|i, j|β  =>  σ, β  if head(i), head(j)",
            "oracle one",
            f"  GO  σ|i, j|β  if {condition}, i < j",
        )
        assert (system.predict(c, gold, system.oracle()) is not None) is holds, condition


def test_parameters_take_their_default_or_the_value_given() -> None:
    assert load("covington").parameters == {"d": math.inf}
    assert load("covington[d=0]").name == "covington[d=0]"
    assert load("attardi[d=2]").name == "attardi"
    with pytest.raises(BadParameter, match="covington has no parameter `k`; its parameters are: d"):
        load("covington[k=1]")
    with pytest.raises(
        BadParameter, match="`x` is not a value for the parameter d of covington; write a number from 0"
    ):
        load("covington[d=x]")


def test_arithmetic_stays_exact() -> None:
    assert [calculate("*", 3, 4), calculate("/", 12, 2), calculate("^", 2, 3), calculate("-", 1, 3)] == [12, 6, 8, -2]
    assert isinstance(calculate("/", 12, 2), int)
    assert calculate("+", 1, math.inf) == math.inf


def test_a_node_has_a_dependent_once_an_arc_leaves_it() -> None:
    system = figure("GO  σ|i, j|β  =>  σ, β  if dependent(0), dependent(i), no dependent(j)")

    def permitted(*pairs: tuple[int, int]) -> list[Transition]:
        return system.permissible(Configuration(3, ("σ", "β"), ((0, 2), (3,)), arcs(*pairs)))

    assert permitted((0, 2), (2, 1)) == [Transition("GO")]
    assert [*permitted(), *permitted((0, 2)), *permitted((2, 1)), *permitted((0, 2), (2, 1), (3, 1))] == []


def test_an_invariant_of_an_oracle_asks_for_the_gold_graph_and_the_number_of_arcs() -> None:
    text = load("arc-standard").text.replace(
        "  final", "  invariant of static: |A| < 2 or all i in β: complete(i)\n  final", 1
    )
    system = load(text)
    (given,) = system.figure.oracle_invariants
    gold = Gold(graph_of((2, 0, 2)))

    def holds(*pairs: tuple[int, int]) -> bool:
        c = Configuration(3, ("σ", "β"), ((0,), (2,)), arcs(*pairs))
        return system.satisfies(c, given.condition, gold)

    assert given.oracle == "static"
    assert [holds(), holds((2, 1)), holds((2, 1), (0, 2)), holds((2, 1), (2, 3))] == [True, True, False, True]


def test_a_measure_has_a_value_in_every_configuration() -> None:
    lines = ("state stack σ, buffer β, counter k, flag e", "start [0], [1..n], 2, true", "final β = []")
    rule = "GO  σ, i|β, k, e  =>  σ|i, β, k, e"
    system = load(
        "\n".join(("system toy", *lines, "measure V = 2|β| + |σ| - 3|A| + 5k * e + n/2", rule, "oracle none"))
    )
    (given,) = system.figure.measures

    def value(flag: bool, *pairs: tuple[int, int]) -> float:
        names = ("σ", "β", "k", "e")
        return system.measured(Configuration(4, names, ((0, 1), (2, 3, 4), 2, flag), arcs(*pairs)), given.term)

    assert [value(False), value(True), value(False, (0, 1), (0, 2))] == [10, 20, 4]


ROOTS = """
system roots
  state   stack σ, buffer β
  start   [0], [1..n]
  final   β = []

  FIRST   [0], j|β    =>  [0|j], β
  UNDER   0|σ|i, j|β  =>  0|σ|j|i, β
  DROP    σ|i|0, β    =>  σ|0, β
  ANY     σ|τ|0, β    =>  [0], β
  oracle none
"""


def test_the_root_in_a_pattern_matches_nothing_but_the_root() -> None:
    system = load(ROOTS)

    def after(*stack: int) -> dict[str, object]:
        c = Configuration(9, ("σ", "β"), (stack, (8, 9)), frozenset())
        return {str(transition): system.apply(c, transition)["σ"] for transition in system.permissible(c)}

    assert after(0) == {"FIRST": (0, 8), "ANY[1]": (0,)}
    assert after(0, 1) == {"UNDER": (0, 8, 1)}
    assert after(1) == {}
    assert after(1, 2) == {}
    assert after(2, 1, 0) == {"DROP": (2, 0), "ANY[1]": (0,), "ANY[2]": (0,), "ANY[3]": (0,)}


def test_a_pattern_with_the_root_that_does_not_match_is_named() -> None:
    system = load(ROOTS)
    c = Configuration(2, ("σ", "β"), ((1,), (2,)), frozenset())
    with pytest.raises(NotPermissible, match=r"FIRST is not permissible .*: σ is not of the form \[0\]"):
        system.apply(c, Transition("FIRST"))


def test_cases_are_told_apart_by_the_root() -> None:
    cases = "SHIFT  σ|0, j|β  =>  σ|0|j, β\n  SHIFT  σ|i, j|β  =>  σ|i|j, β"
    head, tail = "system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal β = []\n", "\noracle none"
    assert len(load(f"{head}{cases}  if i != 0{tail}").figure.rules) == 2
    with pytest.raises(BadSpecification, match="two cases of SHIFT overlap"):
        load(f"{head}{cases}{tail}")


def test_a_gold_tag_excludes_nothing_and_becomes_the_label() -> None:
    system = figure("SHIFT(p)  σ, i|β  =>  σ|i, β  tag i p", "oracle o", "  SHIFT(p)  σ, i|β  if gold tag i p")
    known, unknown = Gold(graph_of((0,)), tags=("NOUN",)), Gold(graph_of((0,)))
    asked = [system.predict(system.start(1), gold, system.oracle()) for gold in (known, unknown)]

    assert asked == [Transition("SHIFT", "NOUN"), Transition("SHIFT")]


def test_every_construct_of_the_language_is_executed_here_or_in_a_built_in_system() -> None:
    """Conditions and terms without a figure that uses them would be untested."""
    used = {type(part) for text in TEXTS.values() for part in s.walk(load(text).figure)}
    here = {
        s.And,
        s.HasArc,
        s.Infinity,
        s.AnyValue,
        s.HasDependent,
        s.InSequence,
        s.IsSet,
        s.FlagLiteral,
        s.SetFrom,
        s.Words,
        s.ArcCount,
        s.FlagValue,
        s.GoldTag,
    }
    conditions_and_terms = {kind for union in (s.Condition, s.Term, s.Pattern, s.Update) for kind in union.__args__}

    assert conditions_and_terms - used - here == set()
