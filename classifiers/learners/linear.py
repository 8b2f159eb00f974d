"""Linear functions of rows and of joins of their columns, natively.

A row has one column for each feature.  Its *expansion* has a value for each *join* of up to three features, which is a row of their places, -1 for none: all columns
and all pairs of them are the quadratic kernel written out.  Columns and joins are found in a table with open addressing by a key of their own, so that no two of
them share a place.

`train` is the passive-aggressive learner for several classes (Crammer et al. 2006, PA-I) with averaged weights: where the margin between the right class
and the best other one is less than one, both move, by no more than `most`.
"""

import inspect
from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any, Final, TypeAlias

from arcproof.process.kept_code import module_of, source_text

Array: TypeAlias = Any

SCATTER: Final = 0x5851F42D4C957F2D
EMPTY: Final = -1
COUNT_BITS: Final = 24
KEPT: Final = ("collect", "fill", "look_up", "train", "spread", "score", "average")


def place_of(keys: Array, key: int) -> Any:
    """Where a key is in the table, or the empty place where it would be."""
    mask = keys.shape[0] - 1
    place = ((key * SCATTER) >> 31) & mask
    while keys[place] != EMPTY and keys[place] != key:
        place = (place + 1) & mask
    return place


def key_of(row: Array, join: Array, columns: int) -> Any:
    """The key of a join: columns are below `columns`, pairs above, three together above these."""
    key = row[join[0]]
    if join[1] >= 0:
        key = (key + 1) * columns + row[join[1]]
    if join[2] >= 0:
        key = (key + 1) * columns + row[join[2]]
    return key


def collect(rows: Array, columns: int, joins: Array, keys: Array, counts: Array) -> int:
    """Count every column and join; how many different ones there are, or -1 if the table gets too full."""
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


def fill(wanted: Array, keys: Array, numbers: Array) -> None:
    """A table in which each key has the number of its place among those wanted."""
    for k in range(wanted.shape[0]):
        place = place_of(keys, wanted[k])
        keys[place] = wanted[k]
        numbers[place] = k


def look_up(rows: Array, columns: int, joins: Array, keys: Array, numbers: Array, expanded: Array) -> None:
    """The number of each column and join of the rows; -1 if it has none."""
    for k in range(rows.shape[0]):
        for m in range(joins.shape[0]):
            place = place_of(keys, key_of(rows[k], joins[m], columns))
            expanded[k, m] = numbers[place] if keys[place] != EMPTY else -1


def train(
    expanded: Array, targets: Array, order: Array, weights: Array, sums: Array, scores: Array, most: float, step: int
) -> tuple[int, int]:
    """One pass over the instances in this order; how many were wrong, and the number of the next step."""
    classes = weights.shape[1]
    wrong = 0
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
        if scores[rival] >= scores[target]:
            wrong += 1
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
    return wrong, step


def average(weights: Array, sums: Array, step: int) -> None:
    """Put the mean of the weights over all steps in their place."""
    for k in range(weights.shape[0]):
        for c in range(weights.shape[1]):
            weights[k, c] -= sums[k, c] / step


def spread(wanted: Array, values: Array, table: Array) -> None:
    """A table for `score`: of each key its value, side by side in memory."""
    mask = table.shape[0] - 1
    for k in range(wanted.shape[0]):
        place = ((wanted[k] * SCATTER) >> 31) & mask
        while table[place, 0] != EMPTY:
            place = (place + 1) & mask
        table[place, 0] = wanted[k]
        table[place, 1] = values[k]


def score(
    rows: Array, columns: int, joins: Array, table: Array, classes: Array, weights: Array, dense: Array, places: Array,
    sums: Array, scores: Array,
) -> None:  # fmt: skip
    """The scores of all classes for each row.

    The value of a key says where its weights are: -1 - k for row k of `dense`, or the place of the first of its sparse weights, then `COUNT_BITS` for how
    many there are.  All keys are looked up before any weight is read, so that the processor waits for the memory once and not for each.
    """
    mask = table.shape[0] - 1
    for k in range(rows.shape[0]):
        row = rows[k]
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
        for c in range(scores.shape[1]):
            scores[k, c] = sums[c]


@lru_cache(maxsize=1)
def _compiled() -> Any:
    functions = [f for f in globals().values() if isinstance(f, FunctionType) and f.__module__ == __name__]
    own = [f for f in functions if f.__name__ in (*KEPT, "place_of", "key_of")]
    own.sort(key=lambda f: f.__name__ in KEPT)
    constants = {"SCATTER": SCATTER, "EMPTY": EMPTY, "COUNT_BITS": COUNT_BITS}
    return module_of(source_text(constants, [(inspect.getsource(f), f.__name__ in KEPT) for f in own]))


def native(name: str) -> Callable[..., Any]:
    """One of the functions above, compiled."""
    function: Callable[..., Any] = getattr(_compiled(), name)
    return function
