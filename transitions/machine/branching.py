"""The machine for configurations in arrays: one sentence is one lane, and a program branches as its sentence requires.

With sentences of any length, lengths that are chosen cannot be written out, and lanes would soon go different ways; so
rows have loops here and work on registers with a single lane.  A row costs about as much as a call of a small function;
a parser spends its time elsewhere.
"""

from arcproof.process.jit import compiled
from arcproof.transitions.machine import numba_opcodes as o
from arcproof.transitions.machine.arrays import opcodes as a
from arcproof.transitions.machine.arrays.kernel import DOES_NOT_FIT, NOT_PERMITTED
from arcproof.transitions.machine.arrays.opcodes import Whole
from arcproof.transitions.machine.numba_opcodes import Lanes
from arcproof.transitions.machine.program import Rows

SKIP, NEXT, BACK, FOUND, STOP = range(-3, -8, -1)


@compiled(
    "int64(int64[:, ::1], int64, int64[:, ::1], int64[:, ::1], int64[::1], int64[:, ::1], int64[:, ::1], int64[::1])"
)
def execute(
    rows: Rows, place: int, r: Lanes, cells: Whole, size: Whole, tree: Whole, gold: Whole, scratch: Whole
) -> int:
    """Run a program from a place to the next `FOUND`; return the place after it, or the code of what went wrong."""
    while place < rows.shape[0]:
        number, to = rows[place, 0], rows[place, 1]
        x, y, z = rows[place, 2], rows[place, 3], rows[place, 4]
        if number == SKIP:
            if r[x, 0] == 0:
                place += y
        elif number == NEXT:
            r[x, 0] += 1
            if r[x, 0] > r[y, 0]:
                place += z
        elif number == BACK:
            place -= x
        elif number == FOUND:
            return place + 1
        elif number == STOP:
            return NOT_PERMITTED
        elif number == 0:
            o.constant(r, to, 1, x)
        elif number == 1:
            o.plus(r, to, 1, x, y)
        elif number == 2:
            o.minus(r, to, 1, x, y)
        elif number == 3:
            o.plus_number(r, to, 1, x, y)
        elif number == 4:
            o.times_number(r, to, 1, x, y)
        elif number == 5:
            o.equal(r, to, 1, x, y)
        elif number == 6:
            o.less(r, to, 1, x, y)
        elif number == 7:
            o.equal_number(r, to, 1, x, y)
        elif number == 8:
            o.less_number(r, to, 1, x, y)
        elif number == 9:
            o.more_number(r, to, 1, x, y)
        elif number == 10:
            o.both(r, to, 1, x, y)
        elif number == 11:
            o.either(r, to, 1, x, y)
        elif number == 12:
            o.negated(r, to, 1, x)
        elif number == 13:
            o.chosen(r, to, 1, x, y, z)
        elif number == 64:
            a.size_of(r, to, size, x)
        elif number == 65:
            a.head_cell(r, to, cells, size, x, y)
        elif number == 66:
            a.cell_at(r, to, cells, x, y)
        elif number == 67:
            a.tree_at(r, to, tree, x, y)
        elif number == 68:
            a.gold_at(r, to, gold, x, y)
        elif number == 69:
            a.root(r, to, tree, x)
        elif number == 70:
            a.reaches(r, to, tree, x, y)
        elif number == 71:
            a.degree(r, to, tree, x, y)
        elif number == 72:
            a.may_hang(r, to, tree, x, y)
        elif number == 73:
            a.ascends(r, to, cells, x, y, z, rows[place, 5], rows[place, 6])
        elif number == 74:
            if not a.take(r, cells, scratch, x, y, z, rows[place, 5], rows[place, 6]):
                return DOES_NOT_FIT
        elif number == 75:
            if not a.lay(r, cells, scratch, x, y, z, rows[place, 5]):
                return DOES_NOT_FIT
        elif number == 76:
            if not a.write(r, cells, x, y, z):
                return DOES_NOT_FIT
        elif number == 77:
            a.clear(cells, x)
        elif number == 78:
            if not a.resize(r, size, x, y):
                return DOES_NOT_FIT
        elif number == 79:
            a.add_arc(r, tree, gold, x, y, z)
        elif number == 80:
            a.remove_arc(r, tree, gold, x)
        elif number == 81:
            a.arc_at(r, to, tree, x, y)
        elif number == 82:
            a.gold_arc_at(r, to, gold, x, y)
        elif number == 83:
            a.reaches_by_any(r, to, tree, x, y)
        elif number == 84:
            a.degree_by_any(r, to, tree, x, y)
        elif number == 85:
            a.may_join(r, to, tree, x, y)
        elif number == 86:
            a.join_arc(r, tree, gold, x, y, z)
        elif number == 87:
            a.remove_arcs(r, tree, gold, x)
        elif number == 88:
            a.tag_node(r, tree, x, y)
        place += 1
    return NOT_PERMITTED
