"""Linear functions of rows and of joins of their columns, in native code.

A row has one column for each feature.  Its *expansion* has a value for each *join* of up to three features, which is a
row of their indices, -1 for none: all columns and all pairs of them are the quadratic kernel written out.  Columns and
joins are found in a table with open addressing by a key of their own, so that no two of them share a place.

`train` is the passive-aggressive learner for several classes (Crammer et al. 2006, PA-I) with averaged weights: where
the margin between the right class and the best other one is less than one, both move, by no more than `most`.
"""

from typing import Any, Final, TypeAlias

from arcproof.classifiers.learners.places import COUNT_BITS, EMPTY, SCATTER
from arcproof.process.jit import compiled, inlined

Array: TypeAlias = Any

VECTOR: Final = "int64[::1]"
MATRIX: Final = "int64[:, ::1]"
ROWS: Final = "int32[:, ::1]"


@inlined
def place_of(keys: Array, key: int) -> Any:
    """The place of a key in the table, or the empty place where it would go."""
    mask = keys.shape[0] - 1
    place = ((key * SCATTER) >> 31) & mask
    while keys[place] != EMPTY and keys[place] != key:
        place = (place + 1) & mask
    return place


@inlined
def key_of(row: Array, join: Array, columns: int) -> Any:
    """The key of a join: keys of columns are below `columns`, those of pairs above, and those of triples above
    these.
    """
    key = row[join[0]]
    if join[1] >= 0:
        key = (key + 1) * columns + row[join[1]]
    if join[2] >= 0:
        key = (key + 1) * columns + row[join[2]]
    return key


@compiled(f"int64({MATRIX}, int64, {MATRIX}, {VECTOR}, {VECTOR})")
def collect(rows: Array, columns: int, joins: Array, keys: Array, counts: Array) -> int:
    """Count every column and join; return how many different ones there are, or -1 if the table gets too full."""
    found = 0
    for k in range(rows.shape[0]):
        for m in range(joins.shape[0]):
            key = key_of(rows[k], joins[m], columns)
            place = place_of(keys, key)
            if keys[place] == EMPTY:
                keys[place] = key
                found += 1
                if 2 * found > keys.shape[0]:
                    return -1
            counts[place] += 1
    return found


@compiled(f"void({VECTOR}, {VECTOR}, {VECTOR})")
def fill(wanted: Array, keys: Array, numbers: Array) -> None:
    """Fill a table that maps each wanted key to its index."""
    for k in range(wanted.shape[0]):
        place = place_of(keys, wanted[k])
        keys[place] = wanted[k]
        numbers[place] = k


@compiled(f"void({MATRIX}, int64, {MATRIX}, {VECTOR}, {VECTOR}, {ROWS})")
def look_up(rows: Array, columns: int, joins: Array, keys: Array, numbers: Array, expanded: Array) -> None:
    """Look up the number of each column and join of the rows; -1 if it has none."""
    for k in range(rows.shape[0]):
        for m in range(joins.shape[0]):
            place = place_of(keys, key_of(rows[k], joins[m], columns))
            expanded[k, m] = numbers[place] if keys[place] != EMPTY else -1


@compiled(f"int64({ROWS}, {VECTOR}, {VECTOR}, float32[:, ::1], float32[:, ::1], float32[::1], float64, int64)")
def train(
    expanded: Array, targets: Array, order: Array, weights: Array, sums: Array, scores: Array, most: float, step: int
) -> int:
    """Make one pass over the instances in this order; return the number of the next step."""
    classes = weights.shape[1]
    for k in order:
        scores[:] = 0
        size = 0
        for m in range(expanded.shape[1]):
            column = expanded[k, m]
            if column >= 0:
                size += 1
                for c in range(classes):
                    scores[c] += weights[column, c]
        target = targets[k]
        rival = 0 if target != 0 else 1
        for c in range(classes):
            if c != target and scores[c] > scores[rival]:
                rival = c
        loss = 1 - scores[target] + scores[rival]
        if loss > 0 and size > 0:
            change = min(most, loss / (2 * size))
            for m in range(expanded.shape[1]):
                column = expanded[k, m]
                if column >= 0:
                    weights[column, target] += change
                    weights[column, rival] -= change
                    sums[column, target] += step * change
                    sums[column, rival] -= step * change
        step += 1
    return step


@compiled("void(float32[:, ::1], float32[:, ::1], int64)")
def average(weights: Array, sums: Array, step: int) -> None:
    """Replace the weights by their mean over all steps."""
    for k in range(weights.shape[0]):
        for c in range(weights.shape[1]):
            weights[k, c] -= sums[k, c] / step


@compiled(f"void({VECTOR}, {VECTOR}, {MATRIX})")
def spread(wanted: Array, values: Array, table: Array) -> None:
    """Fill a table for `score`, in which each key is next to its value."""
    mask = table.shape[0] - 1
    for k in range(wanted.shape[0]):
        place = ((wanted[k] * SCATTER) >> 31) & mask
        while table[place, 0] != EMPTY:
            place = (place + 1) & mask
        table[place, 0] = wanted[k]
        table[place, 1] = values[k]


@inlined
def score_row(
    row: Array, columns: int, joins: Array, table: Array, classes: Array, weights: Array, dense: Array, places: Array, sums: Array
) -> Any:  # fmt: skip
    """Compute the scores of all classes for one row, in `sums`; return how many columns and joins have weights, whose
    values then come first in the second column of `places`.

    The value of a key says where its weights are: -1 - k for row k of `dense`, or the place of the first of its sparse
    weights, followed by `COUNT_BITS` bits for how many there are.  All keys are looked up before any weight is read, so
    that the processor waits for memory once rather than for each.
    """
    mask = table.shape[0] - 1
    for m in range(joins.shape[0]):
        key = key_of(row, joins[m], columns)
        places[m, 0] = key
        places[m, 1] = ((key * SCATTER) >> 31) & mask
    found = 0
    for m in range(joins.shape[0]):
        key, place = places[m, 0], places[m, 1]
        while table[place, 0] != EMPTY and table[place, 0] != key:
            place = (place + 1) & mask
        places[found, 1] = table[place, 1]
        if table[place, 0] == key:
            found += 1
    sums[:] = 0
    for m in range(found):
        value = places[m, 1]
        if value < 0:
            for c in range(dense.shape[1]):
                sums[c] += dense[-1 - value, c]
        else:
            for at in range(value >> COUNT_BITS, (value >> COUNT_BITS) + (value & ((1 << COUNT_BITS) - 1))):
                sums[classes[at]] += weights[at]
    return found


@compiled(
    f"void({MATRIX}, int64, {MATRIX}, {MATRIX}, int32[::1], float32[::1], float32[:, ::1], {MATRIX}, float32[::1],"
    " float64[:, ::1])"
)
def score(
    rows: Array, columns: int, joins: Array, table: Array, classes: Array, weights: Array, dense: Array, places: Array,
    sums: Array, scores: Array,
) -> None:  # fmt: skip
    """The scores of all classes for each row."""
    for k in range(rows.shape[0]):
        score_row(rows[k], columns, joins, table, classes, weights, dense, places, sums)
        for c in range(scores.shape[1]):
            scores[k, c] = sums[c]
