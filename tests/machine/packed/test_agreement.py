"""The compiled meaning agrees with the reference: every configuration, every transition, every oracle.

The comparison is a function of programs, so that a test can hand it programs that are wrong and see it fail.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arcproof.generators.enumeration import FORESTS, unrank_forest
from arcproof.generators.unranking import rows_of, rows_of_forests
from arcproof.properties.engines.engine import NO_DERIVATION, UNDECIDED
from arcproof.properties.engines.exploration import StateSpace, explore
from arcproof.properties.engines.graph_codes import bits_of_codes
from arcproof.properties.engines.output_sets import code_of_graph
from arcproof.properties.engines.outputs import codes_of_outputs
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.errors import BadGraph, NotDerivable
from arcproof.transitions.graph import Graph, graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.machine.figure_programs import Programs, SecondHead
from arcproof.transitions.machine.packed import signs
from arcproof.transitions.machine.packed.explorer import ExplorationSettings
from arcproof.transitions.machine.packed.explorer import explore as explore_compiled
from arcproof.transitions.machine.packed.layout import DoesNotFit
from arcproof.transitions.system import System, load
from tests.catalogue import GRAPHS, SHARED, fewer
from tests.graph_figures import CONSTRUCTS, FIGURES, every_graph, some_graphs
from tests.transitions.test_export import TEXTS
from tests.transitions.test_several_heads import LISTS

pytestmark = pytest.mark.compiler

PARAMETERS = ["covington[d=0]", "covington[d=1]", "attardi[d=1]", "attardi[d=inf]"]


# --- successors ------------------------------------------------------------------------------------------------------


def packed_successors(code: Programs, c: Configuration) -> tuple[bool, list[tuple[Transition, Configuration]]]:
    """Whether the machine calls a configuration terminal, and its successors even then."""
    layout = code.layout(c.words)
    made = code.expand(c.words, *(np.array([word], dtype=np.int64) for word in layout.pack(c)))
    names = list(code.system.transitions)
    successors = []
    for first, second, label in zip(made.first.tolist(), made.second.tolist(), made.label.tolist(), strict=True):
        rule = code.system.transitions[names[label & 255]][0]
        digits = range(len(s.choices(rule, code.system.figure.state)))
        choice = tuple((label >> 8) // layout.digit**place % layout.digit for place in digits)
        successors.append((Transition(names[label & 255], None, choice), layout.unpack(first, second)))
    return bool(made.terminals[0]), successors


def check_configuration(code: Programs, c: Configuration) -> None:
    """Terminal, permissible and the results of all transitions, compared with the interpreter."""
    system = code.system
    layout = code.layout(c.words)
    assert layout.unpack(*layout.pack(c)) == c
    terminal, successors = packed_successors(code, c)
    assert terminal == system.is_terminal(c), f"terminal: {c}"
    expected = [(t, system.apply(c, t)) for t in system.permissible(c)]
    assert successors == expected, f"successors of {c}"


def signs_of(space: StateSpace, number: int) -> int:
    """What the machine has to say of a configuration, by the interpreter."""
    system, c = space.system, space.configuration(number)
    terminal = system.is_terminal(c)
    steps = [system.step(c, transition) for transition in system.permissible(c)]
    found = signs.TERMINAL if terminal else 0
    if terminal and not space.past_terminal:
        found |= signs.PERMITS if steps else 0
        changed = any(pairs(step.configuration) != pairs(c) for step in steps)
        return found | (signs.GOES_ON if changed else 0)
    for step in steps:
        found |= signs.SECOND_ARC if step.clashes else 0
        found |= signs.INTO_ROOT if any(arc.dependent == 0 for arc in step.added) else 0
        found |= signs.REMOVES if pairs(c) - pairs(step.configuration) else 0
        found |= buffer_signs(system, c, step.configuration)
    if not terminal:
        default = any(step.transition.name == system.figure.default for step in steps)
        found |= (0 if steps else signs.DEAD_END) | (0 if default else signs.NO_DEFAULT)
        found |= signs.EMPTY_BUFFER if buffer_of(system, c) == () else 0
    return found


def pairs(c: Configuration) -> set[tuple[int, int]]:
    return {(arc.head, arc.dependent) for arc in c.arcs}


def buffer_of(system: System, c: Configuration) -> object:
    """The buffer if there is one and no other, from its head on."""
    buffers = [
        (component, value)
        for component, value in zip(system.figure.state, c.values, strict=True)
        if isinstance(component, s.SequenceComponent) and component.kind == "buffer"
    ]
    if len(buffers) != 1:
        return None
    [(component, value)] = buffers
    assert isinstance(value, tuple)
    return value if component.head == "left" else value[::-1]


def buffer_signs(system: System, c: Configuration, after: Configuration) -> int:
    before, now = buffer_of(system, c), buffer_of(system, after)
    if before is None:
        return 0
    assert isinstance(before, tuple)
    assert isinstance(now, tuple)
    if len(now) > len(before):
        return signs.GROWS
    return 0 if before[len(before) - len(now) :] == now else signs.DISORDER


def check_space(code: Programs, space: StateSpace) -> None:
    """A whole exploration: configurations, edges, flags and parents, in the same order."""
    found = explore_compiled(
        code, space.words, ExplorationSettings(past_terminal=space.past_terminal, look=not space.past_terminal)
    )
    assert found.edges is not None
    assert [
        found.layout.unpack(int(a), int(b)) for a, b in zip(found.k0, found.k1, strict=True)
    ] == space.configurations
    names = list(space.system.transitions)
    edges = list(space.all_edges())
    assert found.edges.targets.tolist() == [edge.target for edge in edges]
    assert found.edges.names.tolist() == [names.index(edge.transition.name) for edge in edges]
    assert found.edges.starts.tolist() == np.cumsum([0, *map(len, space.edges)]).tolist()
    assert found.parents.tolist() == [-1 if parent is None else parent.source for parent in space.parents]
    for number, flags in enumerate(found.flags):
        assert flags == signs_of(space, number), f"signs of {space.configuration(number)}"
    assert (found.configurations, found.transitions) == (space.size, space.transitions)
    assert (found.terminals, found.dead_ends) == (space.terminal_count, space.dead_end_count)


def check_oracle(code: Programs, oracle: int, words: int) -> None:
    """The lengths of an oracle's derivations of every forest, or of every graph if words may have several heads."""
    if code.system.figure.several_heads:
        check_oracle_on_graphs(code, oracle, list(every_graph(words)))
        return
    rows = rows_of_forests(words, range(FORESTS.count(words)))
    lengths = code.follow(oracle, rows)
    name = code.system.figure.oracles[oracle].name
    for heads, length in zip(FORESTS.graphs(words), lengths, strict=True):
        expected = length_without_labels(code.system, name, graph_of(heads))
        assert length == expected, f"{name} on {heads}"


def length_without_labels(system: System, oracle: str, gold: Graph) -> int:
    """How many transitions the interpreter's run takes; programs follow oracles without labels."""
    try:
        return len(system.derive(gold, oracle))
    except (NotDerivable, BadGraph):
        return NO_DERIVATION


def check_oracle_on_graphs(code: Programs, oracle: int, graphs: list[Graph]) -> None:
    """The same for graphs in which words have several heads; some of them may be left to the interpreter."""
    words, name = graphs[0].words, code.system.figure.oracles[oracle].name
    lengths = code.follow(oracle, bits_of_codes(codes_of_outputs(map(code_of_graph, graphs), words, "graph"), words))
    for graph, length in zip(graphs, lengths, strict=True):
        assert length in (length_without_labels(code.system, name, graph), UNDECIDED), f"{name} on {graph}"
    assert not (lengths == UNDECIDED).all()


def check_agreement(code: Programs, words: int) -> None:
    """Whole spaces up to this many words, and every one of their configurations up to three; past the end there are
    those before it too.
    """
    for n in range(words + 1):
        for past_terminal in (False, True):
            space = explore(code.system, n, past_terminal)
            check_space(code, space)
            if past_terminal and n <= 3:
                for c in space.configurations:
                    check_configuration(code, c)


def code_for(system: System) -> Programs:
    """Programs whose packing holds whatever the figure builds with three words."""
    code = Programs(system)
    for _ in range(4):
        try:
            explore_compiled(code, 3, ExplorationSettings(past_terminal=True))
        except SecondHead:
            code = code.with_matrix()
        except DoesNotFit:
            code = code.with_room()
    return code


@pytest.mark.parametrize("name", [*system_names(), *PARAMETERS])
def test_every_configuration_and_every_transition(name: str) -> None:
    """At night with five words; of list-graph half of the time went into the fourth."""
    check_agreement(code_for(load(name)), 3 if name == "list-graph" else max(3, fewer(name, 4)))


@pytest.mark.nightly
@pytest.mark.parametrize("name", [*system_names(), *PARAMETERS])
def test_every_configuration_and_every_transition_of_five_words(name: str) -> None:
    code = code_for(load(name))
    space = explore(code.system, fewer(name, 5))
    check_space(code, space)
    for c in space.configurations:
        check_configuration(code, c)


@pytest.mark.parametrize("most", [3, pytest.param(4, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", [*system_names(), *PARAMETERS])
def test_every_oracle_on_every_forest(name: str, most: int) -> None:
    code = code_for(load(name))
    for oracle in range(len(code.system.figure.oracles)):
        for words in range(1, most + 1):
            check_oracle(code, oracle, words)


@pytest.mark.parametrize("name", TEXTS)
def test_figures_with_every_construct(name: str) -> None:
    check_agreement(code_for(load(TEXTS[name])), 3)


SEVERAL_HEADS = [*FIGURES, CONSTRUCTS, LISTS]


@pytest.mark.parametrize("reference", SEVERAL_HEADS, ids=lambda reference: Path(reference.split("\n")[0]).stem)
def test_figures_with_several_heads(reference: str) -> None:
    code = code_for(load(reference))
    check_agreement(code, 2)
    check_space(code, explore(code.system, 3))
    for oracle in range(len(code.system.figure.oracles)):
        for words in (1, 2):
            check_oracle(code, oracle, words)
        check_oracle_on_graphs(code, oracle, list(some_graphs(5, 40)))


def test_arcs_that_are_there_are_packed_only_where_they_are_added_again() -> None:
    forms = {code_for(load(reference)).arc_form for reference in (*FIGURES, CONSTRUCTS)}

    assert forms == {"graph"}
    assert code_for(load(LISTS)).arc_form == "matrix"


BROKEN = [
    ("arc-eager", "if i != 0, no head(i)", "if i != 0"),
    ("arc-eager", "if i != 0, no head(i)", "if no head(i)"),
    ("swap", "if 0 < i < j", "if 0 < i, 0 < j"),
    ("arc-standard-stack", "if i != 0", "if i != 0, no dependent(i)"),
    ("arc-eager", "if i != 0, no head(i)", "if dependent(i) or no dependent(0)"),
]


@pytest.mark.parametrize(("name", "old", "new"), BROKEN)
def test_broken_figures_too(name: str, old: str, new: str) -> None:
    """Second heads, arcs into 0 and cycles: the arcs are packed as a matrix then."""
    text = load(name).text
    assert old in text
    system = load(text.replace(old, new))
    check_agreement(code_for(system), 3)


def test_cells_that_are_not_there_are_not_0() -> None:
    """A run is shorter than the cells that there is room for."""
    text = (
        "system x\nstate stack σ, buffer β\nstart [], [1..n]\nfinal β = []\nSHIFT σ, j|β => σ|j, β if 0 not in "
        "σ\noracle none\n"
    )
    check_agreement(Programs(load(text)), 2)


# --- long random runs ------------------------------------------------------------------------------------------------


PACKED = [name for name in system_names() if name not in (*SHARED, *GRAPHS)]
"""What is twice in a configuration needs room, and long sentences have none."""
MOST = {"spacy": 10}
"""Two sets beside the sequences: more words do not fit."""


@pytest.mark.parametrize("name", PACKED)
def test_long_random_runs(name: str) -> None:
    code = Programs(load(name))
    chance = random.Random(7)
    for words in (8, 10, MOST.get(name, 12)):
        for _ in range(4):
            c = code.system.start(words)
            for _ in range(400):
                check_configuration(code, c)
                permissible = code.system.permissible(c)
                if not permissible or code.system.is_terminal(c):
                    break
                c = code.system.apply(c, chance.choice(permissible))


@pytest.mark.parametrize("name", PACKED)
def test_oracles_on_long_sentences(name: str) -> None:
    code = Programs(load(name))
    chance = random.Random(5)
    for words in (9, MOST.get(name, 12)):
        graphs = [unrank_forest(words, chance.randrange(FORESTS.count(words))) for _ in range(20)]
        for place, oracle in enumerate(code.system.figure.oracles):
            expected = [length_without_labels(code.system, oracle.name, graph_of(heads)) for heads in graphs]
            assert code.follow(place, rows_of(graphs, words)).tolist() == expected


# --- code that is wrong ----------------------------------------------------------------------------------------------


def wrong(change: Callable[[System], System], system: System) -> Programs:
    """The programs of a changed figure, passed off as those of the figure."""
    changed = Programs(change(system))
    for words in range(4):
        changed.expansion(words)
        for oracle in range(len(system.figure.oracles)):
            if words:
                changed.follow(oracle, rows_of([(0,) * words], words))
    return replace(changed, system=system)


def drop_precondition(system: System) -> System:
    """REDUCE without `head(i)`, which gives no word a second head."""
    rules = tuple(replace(rule, preconditions=()) if rule.name == "REDUCE" else rule for rule in system.figure.rules)
    return replace(system, figure=replace(system.figure, rules=rules))


def reverse_arc(system: System) -> System:
    [first, *others] = system.figure.rules
    [arc] = first.effects
    assert isinstance(arc, s.AddArc)
    rules = (replace(first, effects=(replace(arc, head=arc.dependent, dependent=arc.head),)), *others)
    return replace(system, figure=replace(system.figure, rules=rules))


def never_terminal(system: System) -> System:
    never = s.Comparison((s.Number(0),) * 2, ("!=",))
    return replace(system, figure=replace(system.figure, final=(never,)))


def exchange_lines(system: System) -> System:
    [first, *others] = system.figure.oracles
    lines = (first.lines[1], first.lines[0], *first.lines[2:-2], first.lines[-1])
    return replace(system, figure=replace(system.figure, oracles=(replace(first, lines=lines), *others)))


@pytest.mark.parametrize("change", [drop_precondition, reverse_arc, never_terminal])
def test_a_wrong_rule_is_caught(change: Callable[[System], System]) -> None:
    with pytest.raises(AssertionError):
        check_agreement(wrong(change, load("arc-eager")), 2)


def test_a_wrong_oracle_is_caught() -> None:
    with pytest.raises(AssertionError):
        check_oracle(wrong(exchange_lines, load("swap")), 0, 3)


def test_no_derivation_is_told_from_one() -> None:
    code = Programs(load("arc-eager"))
    lengths = code.follow(0, rows_of([(2, 0, 2), (3, 0, 0)], 3))

    assert lengths.tolist() == [4, NO_DERIVATION]
