"""What the machine can do: the opcodes, by number, and what each of their operands is.

This list is the only one.  `arcproof/native/build.py` writes it out for C, where `machine.c` says what the opcodes for
packed configurations do, and `branching.c` what those for configurations in arrays do.

A row of a program has the number of an opcode, the register it writes, and its operands.  An operand is a *register*
(`r`) or a *number* of the program itself (`n`).  An opcode that writes no register is an order to the machine, or a
*deed*: it changes the configuration.
"""

from enum import IntEnum


class Opcode(IntEnum):
    """An opcode; `operands` has a letter for each operand."""

    operands: str

    def __new__(cls, number: int, operands: str) -> "Opcode":
        """The number, with the kinds of the operands beside it."""
        opcode = int.__new__(cls, number)
        opcode._value_ = number
        opcode.operands = operands
        return opcode

    # Numbers and truths.
    CONSTANT = 0, "n"
    PLUS = 1, "rr"
    MINUS = 2, "rr"
    PLUS_NUMBER = 3, "rn"
    TIMES_NUMBER = 4, "rn"
    EQUAL = 5, "rr"
    LESS = 6, "rr"
    EQUAL_NUMBER = 7, "rn"
    LESS_NUMBER = 8, "rn"
    MORE_NUMBER = 9, "rn"
    BOTH = 10, "rr"
    EITHER = 11, "rr"
    NEGATED = 12, "r"
    CHOSEN = 13, "rrr"  # a truth, what is chosen where it holds, and what elsewhere

    # Bits of packed words.
    FIELD = 14, "rnn"  # a word, shift, mask
    FIELD_AT = 15, "rrnn"  # a word, place, width, mask
    LOWEST = 16, "rrn"  # a word, length, width
    PUT_BELOW = 17, "rnr"  # a word, shift, what is put below it
    PUT_BELOW_AT = 18, "rrnr"  # a word, place, width, what is put below it
    WITH_BIT = 19, "rr"  # a set, a node
    WITHOUT_BIT = 20, "rr"
    TURNED = 21, "rrnn"  # cells, how many, width, mask

    # Arcs packed as heads; the numbers are those of words, the width of an entry and its mask.
    ENTRY = 22, "rrnnn"  # arcs, node
    HUNG = 23, "rrrnn"  # arcs, head, node
    FREED = 24, "rrnnn"  # arcs, node
    HAS_DEPENDENT = 25, "rrnnn"  # arcs, node
    REACHES = 26, "rrrnnn"  # arcs, source, target
    CONNECTED = 27, "rrrnnn"  # arcs, left, right
    DEGREE = 28, "rrrnnn"  # arcs, left, right
    LOST = 29, "rrnnn"  # arcs before and after
    COMPLETE = 30, "rrrnnn"  # arcs, node, gold heads

    # Arcs packed as a matrix; the number is that of words.
    HEADS_IN = 31, "rrn"
    JOINED = 32, "rrrn"
    HEADLESS = 33, "rrn"
    MATRIX_HAS_DEPENDENT = 34, "rrn"
    MATRIX_REACHES = 35, "rrrn"
    MATRIX_CONNECTED = 36, "rrrn"
    MATRIX_DEGREE = 37, "rrrn"
    MATRIX_LOST = 38, "rr"
    MATRIX_COMPLETE = 39, "rrrnnn"  # gold heads, with the width of an entry and its mask
    MATRIX_HAS_ALL = 40, "rrrn"  # gold arcs as a matrix

    # Configurations in arrays: what there is.
    SIZE_OF = 64, "n"  # component
    HEAD_CELL = 65, "nn"  # component, distance from the head
    CELL_AT = 66, "nr"  # component, place from the tail
    TREE_AT = 67, "nr"  # row, node
    GOLD_AT = 68, "nr"  # row, node
    ROOT_OF = 69, "r"
    TREE_REACHES = 70, "rr"
    TREE_DEGREE = 71, "rr"
    MAY_HANG = 72, "rr"  # head, dependent
    ASCENDS = 73, "nrrnn"  # component, place, length, step, first number

    # Deeds.
    TAKE = 74, "nrrrn"  # component, place, length, place in scratch, whether reversed
    LAY = 75, "nrrr"  # component, place, length, place in scratch
    WRITE = 76, "nrr"  # component, place, content
    CLEAR = 77, "n"  # component
    RESIZE = 78, "nr"  # component, value
    ADD_ARC = 79, "rrr"  # head, dependent, label
    REMOVE_ARC = 80, "r"  # dependent

    # The same where words may have several heads.
    ARC_AT = 81, "rr"
    GOLD_ARC_AT = 82, "rr"
    REACHES_BY_ANY = 83, "rr"
    DEGREE_BY_ANY = 84, "rr"
    MAY_JOIN = 85, "rr"
    JOIN_ARC = 86, "rrr"
    REMOVE_ARCS = 87, "r"

    TAG_NODE = 88, "rr"  # node, tag

    # Orders of straight programs.
    EMIT = -1, "rrrmn"  # truth, first word, second word, marks (a register or -1), label: write a successor
    FAULT = -2, "rrn"  # truth, truth, code: give up if both hold in some lane
    SKIP = -3, "rn"  # truth, number of rows: jump over them if it holds in no lane

    # Orders of programs with loops, besides SKIP.
    NEXT = -4, "rrn"  # counter, last, number of rows: add one to the counter; beyond the last, leave the loop
    BACK = -5, "n"  # number of rows
    PAUSE = -6, ""  # an answer: stop here; the program may be resumed behind it
    STOP = -7, ""  # there is no further answer


PACKED_OPCODES = tuple(opcode for opcode in Opcode if 0 <= opcode < Opcode.SIZE_OF)
ARRAY_OPCODES = tuple(opcode for opcode in Opcode if opcode >= Opcode.SIZE_OF)
