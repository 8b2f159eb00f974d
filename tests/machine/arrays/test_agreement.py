"""Running over arrays, and by the definition: the same transitions, the same configurations, the same oracles."""

import random
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from arcproof import native
from arcproof.generators.enumeration import count_projective_trees, count_trees, unrank_projective_tree, unrank_tree
from arcproof.process.progress import silent
from arcproof.process.supervision import Ended, supervised
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.execute import connected, reaches
from arcproof.transitions.graph import Arc, Graph, graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.arrays.module import ArrayState, Runner, decoded, encoded
from arcproof.transitions.machine.meaning import NotAssembled
from arcproof.transitions.machine.opcodes import ARRAY_OPCODES, Opcode
from arcproof.transitions.system import System, load
from tests.conftest import ROOT
from tests.graph_figures import CONSTRUCTS as MORE_CONSTRUCTS
from tests.graph_figures import FIGURES, LIST_GRAPH, graph, some_graphs

pytestmark = pytest.mark.compiler

CONSTRUCTS = [str(ROOT / "tests" / "machine" / f"{name}.tsys") for name in ("roots", "constructs")]
SEVERAL_HEADS = [*FIGURES, MORE_CONSTRUCTS]
SECONDS_TO_DISAGREE = 20
REFERENCES = [*system_names(), "covington[d=1]", "covington[d=0]", "attardi[d=3]", *SEVERAL_HEADS, *CONSTRUCTS]


REMOVING = """system removing
state  stack σ, buffer β
start  [0], [1..n]
final  β = []
LEFT(l)   σ|i, j|β  =>  σ|i, j|β  add j -l-> i  if i != 0, no head(i), not i ->* j
RIGHT(l)  σ|i, j|β  =>  σ|i, j|β  add i -l-> j  if no head(j), not j ->* i
FREE      σ|i, j|β  =>  σ|i, j|β  remove * -> i  if head(i)
DROP      σ|i, j|β  =>  σ, j|β                   if i != 0
SHIFT     σ, i|β    =>  σ|i, β
oracle none
"""


def without_labels(c: Configuration) -> Configuration:
    return Configuration(c.words, c.names, c.values, frozenset(Arc(a.head, None, a.dependent) for a in c.arcs))


def forest_steps(system: System, c: Configuration) -> list[Transition]:
    """The permissible transitions that keep the graph a forest in which 0 is a root, or with several heads a graph."""
    found = []
    for step in system.steps(c):
        after = step.configuration
        loops = system.figure.several_heads
        closes = not loops and any(reaches(after, arc.dependent, arc.head) for arc in step.added)
        if not step.clashes and not closes and all(arc.dependent != 0 for arc in step.added):
            found.append(step.transition)
    return found


def walk_together(system: System, code: Runner, words: int, seed: int) -> int:
    """A random run, step by step in both meanings; its length."""
    chance = random.Random(seed)
    c, state = system.start(words), code.state(words)
    for length in range(200):
        assert state.configuration() == without_labels(c)
        assert state.is_terminal() == system.is_terminal(c)
        wanted = forest_steps(system, c)
        assert state.permitted() == wanted
        if system.is_terminal(c) or not wanted:
            return length
        possible = [
            Transition(name, None, choice)
            for name in code.names
            for choice in [(), *((k,) for k in range(1, words + 3))]
        ]
        assert [transition for transition in possible if state.allows(transition)] == [
            transition for transition in possible if transition in wanted
        ]
        for transition in possible:
            assert transition in wanted or not state.take(transition), transition
        chosen = chance.choice(wanted)
        c = system.apply(c, chosen)
        assert state.take(chosen)
    return 200


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: Path(reference).stem)
def test_random_runs_agree_with_the_interpreter(reference: str) -> None:
    system = load(reference)
    try:
        code = Runner.of(system)
    except NotAssembled as reason:
        pytest.skip(f"no program for {reason}")
    longest = max(walk_together(system, code, seed % 7, seed) for seed in range(21))

    assert longest > 3


def root_in(up: list[int], node: int) -> int:
    return node if up[node] == node else root_in(up, up[node])


def check_rows(state: ArrayState, gold: Graph) -> None:
    """Whether what is known of each node follows from the arcs."""
    arcs, gold_arcs = state.graph().arcs, {(arc.head, arc.dependent) for arc in gold.arcs}
    rows = state.tree.tolist()
    for node in range(state.words + 1):
        dependents = sorted(arc.dependent for arc in arcs if arc.head == node)
        assert rows[kernel.LEFTMOST][node] == min(dependents, default=-1)
        assert rows[kernel.RIGHTMOST][node] == max(dependents, default=-1)
        assert rows[kernel.LEFT_VALENCY][node] == sum(word < node for word in dependents)
        assert rows[kernel.RIGHT_VALENCY][node] == sum(word > node for word in dependents)
        assert rows[kernel.CORRECT][node] == sum((node, word) in gold_arcs for word in dependents)
        for other in range(node):
            joined = root_in(rows[kernel.UP], node) == root_in(rows[kernel.UP], other)
            assert joined == connected(state.configuration(), node, other)
        if not state.runner.several_heads:
            root = root_in(rows[kernel.UP], node)
            assert rows[kernel.HEAD][root] < 0


@pytest.mark.parametrize("reference", [*REFERENCES, REMOVING], ids=lambda reference: Path(reference).stem[:20])
def test_what_is_known_of_nodes_follows_from_the_arcs(reference: str) -> None:
    system, chance = load(reference), random.Random(1)
    try:
        code = Runner.of(system)
    except NotAssembled as reason:
        pytest.skip(f"no program for {reason}")
    for words in (2, 5, 6, 7):
        gold = graph_of(unrank_tree(words, chance.randrange(count_trees(words))))
        target, state = system.gold(gold).graph, code.state(words)
        rows = code.gold_arcs(gold, {}) if system.figure.several_heads else code.gold(gold, [0] * words)
        while (permitted := state.permitted()) and not state.is_terminal() and chance.random() < 0.98:
            assert state.take(chance.choice(permitted), 0, rows)
            check_rows(state, target)


BEYOND = """system beyond
state  stack σ, buffer β
start  [0], [1..n]
final  β = []
OVER(l)  σ|h|i|j, k|β  =>  σ|h|i|j, k|β  add k -l-> i  if no head(i), h < i < j
PAST(l)  σ|h|i|j, k|β  =>  σ|h|i, k|β    add h -l-> j  if no head(j), degree(h, j) < 1
DROP     σ|h|i|j, k|β  =>  σ|h|i, k|β                  if degree(h, j) > 0
SHIFT    σ, i|β        =>  σ|i, β
oracle none
"""


def test_a_word_whose_head_lies_beyond_the_interval_adds_to_the_degree() -> None:
    """On either side: in the built-in figures nothing to the right has a dependent yet."""
    system = load(BEYOND)
    code = Runner.of(system)

    assert max(walk_together(system, code, 7, seed) for seed in range(40)) > 7


def oracles_agree(system: System, code: Runner, gold: Graph) -> None:
    asked = system.gold(gold)
    rows = code.gold_arcs(gold, {}) if system.figure.several_heads else code.gold(gold, [0] * gold.words)
    for place, oracle in enumerate(system.figure.oracles):
        c, state = system.start(gold.words), code.state(gold.words)
        for _ in range(100):
            if system.is_terminal(c):
                break
            wanted = system.predict(c, asked, oracle)
            assert state.predict(place, rows) == (
                None if wanted is None else Transition(wanted.name, None, wanted.choice)
            )
            if wanted is None or Transition(wanted.name, None, wanted.choice) not in forest_steps(system, c):
                break
            c = system.apply(c, wanted)
            assert state.take(Transition(wanted.name, None, wanted.choice), 0, rows)


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: Path(reference).stem)
def test_oracles_agree_with_the_interpreter(reference: str) -> None:
    system = load(reference)
    if not system.figure.oracles:
        pytest.skip("oracle none")
    try:
        code = Runner.of(system)
    except NotAssembled as reason:
        pytest.skip(f"no program for {reason}")
    chance = random.Random(1)
    for words in range(7):
        for _ in range(6):
            oracles_agree(system, code, graph_of(unrank_tree(words, chance.randrange(count_trees(words)))))
            rank = chance.randrange(count_projective_trees(words))
            oracles_agree(system, code, graph_of(unrank_projective_tree(words, rank)))
        for gold in some_graphs(words, 6) if system.figure.several_heads else ():
            oracles_agree(system, code, gold)


def test_arcs_keep_their_labels() -> None:
    """Also where a word has several heads; the oracle says whose label it takes."""
    system = load(LIST_GRAPH)
    code = Runner.of(system)
    gold = graph(2, (0, 2), (1, 2))
    rows, state = code.gold_arcs(gold, {(0, 2): 4, (1, 2): 7}), code.state(2)
    while not state.is_terminal():
        sentence = state.sentence(rows)
        assert native.library.performed(sentence, kernel.PREDICT, 0, 0) == kernel.DONE
        r = sentence.registers
        word, head = r[kernel.LABELLED_WORD], r[kernel.LABELLED_HEAD]
        label = int(rows[kernel.GOLD_ARCS_OF + word, head]) - 1 if word >= 0 else 0
        assert state.take(code.transition(r[kernel.ANSWER]), label, rows)

    assert state.labels() == {(0, 2): 4, (1, 2): 7}
    assert state.graph() == gold


def test_codes_and_transitions_are_the_same_thing() -> None:
    for name, choice in ((0, ()), (3, (1,)), (7, (5000, 2, 99_999))):
        assert decoded(encoded(name, choice)) == (name, choice)


def test_a_second_head_a_cycle_and_a_head_of_node_0_are_never_permitted() -> None:
    text = (
        'system loose\n  cite "none"\n  state stack σ, buffer β\n  start [0], [1..n]\n  final β = []\n\n  LEFT '
        "σ|i, j|β => σ|i, j|β add j -> i\n  RIGHT σ|i, j|β => σ|i, j|β add i -> j\n  SHIFT σ, j|β => σ|j, β\n\n  "
        "oracle none\n"
    )
    code = Runner.of(load(text))
    state = code.state(2)

    assert state.permitted() == [Transition("RIGHT"), Transition("SHIFT")]
    assert state.take(Transition("SHIFT"))
    assert state.take(Transition("LEFT"))
    assert state.permitted() == [Transition("SHIFT")]
    assert not state.take(Transition("RIGHT"))


# --- opcodes that are wrong ------------------------------------------------------------------------------------------

NUMBERS_AND_TRUTHS = [opcode for opcode in Opcode if Opcode.CONSTANT <= opcode <= Opcode.CHOSEN]


@cache
def runners() -> list[Runner]:
    """Of all figures, those with the most constructs first."""
    return [Runner.of(load(reference)) for reference in REFERENCES[::-1]]


def broken(code: Runner, opcode: Opcode, value: int) -> Runner | None:
    """The program with an opcode that gives always the same, or the next constant, or does nothing; None if it does not
    have it.
    """
    rows = code.program.rows.copy()
    there = rows[:, 0] == opcode
    if not there.any():
        return None
    deeds = there & (rows[:, 1] < 0)
    rows[there & ~deeds, 0], rows[there & ~deeds, 2] = Opcode.CONSTANT, value
    if opcode is Opcode.CONSTANT:
        rows[there, 2] = code.program.rows[there, 2] + 1
    rows[deeds, 0], rows[deeds, 1:3], rows[deeds, 3] = Opcode.PLUS_NUMBER, kernel.ANSWER, 0
    return replace(code, program=replace(code.program, rows=rows))


def disagrees(code: Runner) -> bool:
    try:
        for seed in range(20):
            walk_together(code.system, code, seed % 7, seed)
        for gold in ((2, 0, 2, 5, 3), (0, 3, 4, 1), (3, 4, 0, 3, 2)):
            oracles_agree(code.system, code, graph_of(gold))
        for several in some_graphs(5, 10) if code.system.figure.several_heads else ():
            oracles_agree(code.system, code, several)
    except (AssertionError, IndexError):
        return True
    return False


@pytest.mark.parametrize(
    "opcode",
    [opcode for opcode in (*NUMBERS_AND_TRUTHS, *ARRAY_OPCODES) if opcode is not Opcode.TAG_NODE],
    ids=lambda opcode: opcode.name,
)
def test_an_opcode_that_is_wrong_is_caught(opcode: Opcode) -> None:
    """This also fails for an opcode that no figure exercises.  Tags, which no condition asks for, are compared in
    `classifiers/test_tagging`.

    A program with a wrong opcode may crash or never end, in native code that nothing interrupts, so it runs in a
    process of its own.
    """
    wrong = [code for figure in runners() for value in (0, 1) if (code := broken(figure, opcode, value)) is not None]
    compared = supervised(lambda code, _: disagrees(code), wrong, silent, each=SECONDS_TO_DISAGREE)

    with closing(compared):
        assert any(isinstance(outcome, Ended) or outcome.result for _, outcome in compared)


def test_programs_have_no_other_opcodes() -> None:
    orders = Opcode.SKIP, Opcode.NEXT, Opcode.BACK, Opcode.PAUSE, Opcode.STOP
    for code in runners():
        used = set(code.program.rows[:, 0].tolist())

        assert used <= {*NUMBERS_AND_TRUTHS, *ARRAY_OPCODES, *orders}, code.system.reference
