"""What dynamic oracles cost over arrays, and by the definition: the same.

Asked in random configurations and for random gold trees, of long sentences too.
"""

import random
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from arcproof.generators.enumeration import count_projective_trees, count_trees, unrank_projective_tree, unrank_tree
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.gold import Gold
from arcproof.transitions.graph import Graph, graph_of
from arcproof.transitions.library import source_of, system_names
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.arrays.module import Runner
from arcproof.transitions.machine.opcodes import Opcode
from arcproof.transitions.system import System, load
from tests.conftest import ROOT

pytestmark = pytest.mark.compiler

# Costs that no paper has: they exercise what the language allows.
INVENTED = {
    "arc-eager": """
    cost LEFT-ARC   σ|s|t, b|β  = 2 - #{k in s|b: gold t -> k or no head(k)} + [not exists k in σ: gold k -> b, s < t]
    cost LEFT-ARC   σ|t, b|β    = 7 - [head(t)]
    cost RIGHT-ARC  = #{k in β: exists i in σ: gold i -> k} - #{k in σ: complete(k)}
    cost REDUCE     σ|r|s, b|β  = 1
    cost SHIFT      σ, b|β      = #{k in b|β: k = n} + #{k in σ: all i in β: not gold i -> k}
""",
    "arc-swift": """
    cost LEFT-ARC   σ|i|τ, j|β  = #{k in τ: gold i -> k} + #{k in σ|j: gold k -> i} + [|τ| > 1]
    cost RIGHT-ARC  σ|i, j|β    = #{k in σ: head(k)} - [gold i -> j]
    cost SHIFT      σ, j|β      = #{k in σ: gold k -> j, k ->* k}
""",
}  # fmt: skip


def with_costs(name: str, costs: str) -> System:
    text = source_of(name)
    return load(f"{text[: text.index('  claims')]}  dynamic invented{costs}\n  claims\n    terminates\n")


@cache
def figures() -> dict[str, System]:
    """The built-in figures with a dynamic oracle whose costs are lines, and those invented."""
    built_in = {name: load(name) for name in system_names()}
    priced = {name: system for name, system in built_in.items() if any(o.lines for o in system.figure.dynamic_oracles)}
    invented = {f"{name} (invented)": with_costs(name, costs) for name, costs in INVENTED.items()}
    return priced | invented | {"roots": load(str(ROOT / "tests" / "machine" / "roots.tsys"))}


def labelled_word(system: System, c: Configuration, transition: Transition, gold: Gold) -> int:
    """The word to which a transition adds a gold arc with its label, or -1."""
    label = "l" if system.takes_label(c, transition) else None
    added = system.step(c, transition._replace(label=label)).added
    found = (arc.dependent for arc in added if arc.label is not None and gold.heads[arc.dependent - 1] == arc.head)
    return next(found, -1)


def walk(code: Runner, place: int, gold: Graph, seed: int) -> int:
    """A random run, on which both meanings are asked for all costs; how many transitions were priced."""
    system, chance, asked = code.system, random.Random(seed), 0
    oracle = system.figure.dynamic_oracles[place]
    c, state = system.start(gold.words), code.state(gold.words)
    notions, rows = Gold(system.wanted(gold)), code.gold(gold, [0] * gold.words)
    for _ in range(4 * gold.words):
        permitted = state.permitted()
        if system.is_terminal(c) or not permitted:
            break
        assert state.offered(rows) == [(t, labelled_word(system, c, t, notions)) for t in permitted]
        for transition in permitted:
            assert state.cost(transition, rows) == system.cost(c, transition, notions, oracle), (c, transition)
            asked += 1
        chosen = chance.choice(permitted)
        c = system.apply(c, chosen)
        assert state.take(chosen, 0, rows)
    return asked


def golds(words: int, chance: random.Random) -> list[Graph]:
    """A random tree and a random projective one."""
    drawn = unrank_tree(words, chance.randrange(count_trees(words)))
    projective = unrank_projective_tree(words, chance.randrange(count_projective_trees(words)))
    return [graph_of(drawn), graph_of(projective)]


def priced(system: System, place: int = 0) -> Runner:
    return Runner.of(system).with_costs(system.figure.dynamic_oracles[place])


@pytest.mark.parametrize("name", ["arc-eager", "arc-hybrid", *(f"{name} (invented)" for name in INVENTED)])
def test_these_are_among_the_figures(name: str) -> None:
    assert name in figures()


@pytest.mark.parametrize("words", [1, 3, 5, 8, 40])
def test_costs_agree_with_the_interpreter(words: int) -> None:
    chance = random.Random(words)
    for system in figures().values():
        for place in range(len(system.figure.dynamic_oracles)):
            code = priced(system, place)
            for seed in range(2 if words > 10 else 12):
                assert all(walk(code, place, gold, seed) for gold in golds(words, chance))


def test_nothing_is_said_where_no_line_matches() -> None:
    others = "".join(f"    cost {name} = 0\n" for name in ("LEFT-ARC", "RIGHT-ARC", "REDUCE"))
    system = with_costs("arc-eager", f"\n    cost SHIFT  σ|s|t, b|β  = 1\n{others}")
    code = priced(system, len(system.figure.dynamic_oracles) - 1)
    state, rows = code.state(2), code.gold(graph_of((0, 1)), [0, 0])

    assert state.cost(Transition("SHIFT"), rows) is None
    assert state.take(Transition("SHIFT"))
    assert state.cost(Transition("SHIFT"), rows) == 1


def disagrees(code: Runner) -> bool:
    chance = random.Random(3)
    try:
        for seed in range(15):
            for gold in golds(6, chance):
                walk(code, 0, gold, seed)
    except (AssertionError, IndexError):
        return True
    return False


@pytest.mark.parametrize("name", ["arc-eager", "arc-hybrid"])
def test_a_row_of_a_cost_that_is_wrong_is_caught(name: str) -> None:
    """Every row that computes a number becomes the constant 1 once."""
    code = priced(figures()[name])
    assert not disagrees(code)
    first = int(code.program.entries[kernel.COST].min(where=code.program.entries[kernel.COST] >= 0, initial=1 << 40))
    rows = code.program.rows
    caught = missed = 0
    for place in range(first, len(rows)):
        if rows[place, 0] in (Opcode.EQUAL, Opcode.PLUS, Opcode.NEGATED):
            wrong = rows.copy()
            wrong[place, 0], wrong[place, 2] = Opcode.CONSTANT, 1
            found = disagrees(replace(code, program=replace(code.program, rows=wrong)))
            caught, missed = caught + found, missed + (not found)

    assert caught > 5
    assert not missed


def test_entries_do_not_overlap() -> None:
    for system in figures().values():
        entries = priced(system).program.entries
        places = sorted(entries[entries >= 0].tolist())
        assert all(here < there for here, there in pairwise(places))
