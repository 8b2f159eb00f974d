"""Every opcode is exercised: some figure's programs use it, and would go wrong without it."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

import pytest

from arcproof.generators.enumeration import FORESTS
from arcproof.generators.unranking import rows_of_forests
from arcproof.properties.engines.exploration import explore
from arcproof.transitions.library import system_names
from arcproof.transitions.machine.figure_programs import Programs, SecondHead
from arcproof.transitions.machine.opcodes import PACKED_OPCODES, Opcode
from arcproof.transitions.machine.packed.layout import DoesNotFit
from arcproof.transitions.machine.program import MachineProgram
from arcproof.transitions.system import System, load
from tests.graph_figures import CONSTRUCTS
from tests.machine.packed.test_agreement import BROKEN, PARAMETERS, check_oracle, check_space, code_for
from tests.transitions.test_export import TEXTS

pytestmark = pytest.mark.compiler

WORDS = 3


def figures() -> Iterator[System]:
    """Those that many opcodes occur in first."""
    yield from map(load, [*TEXTS.values(), SECOND_HEADS, CONSTRUCTS, *system_names(), *PARAMETERS])
    for name, old, new in BROKEN:
        yield load(load(name).text.replace(old, new))


SECOND_HEADS = """system second-heads
state  stack σ, buffer β
start  [0], [1..n]
final  β = []
LEFT(l)   σ|i, j|β  =>  σ|i, j|β   add j -l-> i   if i != 0, not j -> i
RIGHT(l)  σ|i, j|β  =>  σ|i|j, β   add i -l-> j   if degree(i, j) < 1
FREE      σ|i, j|β  =>  σ, j|β     remove * -> i  if i != 0
SHIFT     σ, i|β    =>  σ|i, β
oracle one
  LEFT(l)   σ|i, j|β  if gold j -l-> i, not complete(j)
  RIGHT(l)  σ|i, j|β  if gold i -l-> j
  SHIFT
"""


def used(program: MachineProgram) -> set[int]:
    return {int(number) for number in program.rows[:, 0]}


def test_every_opcode_occurs() -> None:
    found: set[int] = set()
    for system in figures():
        code = code_for(system)
        found |= used(code.expansion(WORDS))
        for oracle in range(len(code.system.figure.oracles)):
            code.follow(oracle, rows_of_forests(WORDS, range(1)))
        found |= {number for program, _ in code._oracles.values() for number in used(program)}

    missing = [opcode.name for opcode in PACKED_OPCODES if opcode not in found]
    assert missing == [], missing
    assert {Opcode.EMIT, Opcode.FAULT, Opcode.SKIP} <= found


def without(program: MachineProgram, number: int) -> MachineProgram:
    """The program with an opcode that always gives 1."""
    rows = program.rows.copy()
    places = rows[:, 0] == number
    rows[places, 2:] = 0
    rows[places, 0] = Opcode.CONSTANT
    rows[places, 2] = 1
    return replace(program, rows=rows)


def is_noticed(code: Programs, number: int) -> bool:
    """Whether the comparison with the interpreter fails without an opcode."""
    try:
        for words in range(1, WORDS + 1):
            whole = code.expansion(words)
            code._expansions[words] = without(whole, number)
            try:
                check_space(code, explore(code.system, words))
            finally:
                code._expansions[words] = whole
        for oracle in range(len(code.system.figure.oracles)):
            code.follow(oracle, rows_of_forests(2, range(FORESTS.count(2))))
            program, labels = code._oracles[oracle, 2]
            code._oracles[oracle, 2] = without(program, number), labels
            try:
                check_oracle(code, oracle, 2)
            finally:
                code._oracles[oracle, 2] = program, labels
    except (AssertionError, DoesNotFit, SecondHead):
        return True
    return False


def test_every_opcode_is_missed() -> None:
    """Each opcode in turn gives 1 whatever it is asked; the comparison with the interpreter must not pass
    everywhere.
    """
    users: dict[int, list[Programs]] = defaultdict(list)
    for system in figures():
        code = code_for(system)
        programs = [code.expansion(WORDS)]
        for oracle in range(len(code.system.figure.oracles)):
            code.follow(oracle, rows_of_forests(WORDS, range(1)))
            programs.append(code._oracles[oracle, WORDS][0])
        for number in set().union(*map(used, programs)):
            users[number].append(code)

    unnoticed = [
        opcode.name for opcode in PACKED_OPCODES if not any(is_noticed(code, opcode) for code in users[opcode])
    ]
    assert unnoticed == [], unnoticed
