"""Graphs in which words may have several heads, as numbers and as arrays of numbers.

The *code* of a graph of n words has n + 1 bits for each word, one for each node that may be its head, the first word in
the lowest bits.  Codes of up to 7 words are machine words; those of more are Python integers.  A *row* of a graph keeps
these bits apart, as one number for each word.

Which of many codes are in a class is computed on arrays.  Restrictions on crossing arcs depend only on which pairs of
nodes are joined, so they are evaluated once for each set of pairs that occurs.  Most restrictions are *hereditary*: a
graph without cycles or crossings has none when arcs are left out either. So all graphs of a class are built word by
word, and violations are pruned.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from arcproof.generators.classes import bound_of
from arcproof.generators.graph_classes import ASKS_FOR_ARCS, contains_graph, requirement_of_sets
from arcproof.properties.engines.output_sets import graph_of_code
from arcproof.transitions.syntax import GraphClass, Restriction

Codes: TypeAlias = npt.NDArray[Any]
Truths: TypeAlias = npt.NDArray[np.bool_]
Rows: TypeAlias = npt.NDArray[np.int64]

MOST_WORDS: Final = 7
AT_ONCE: Final = 1 << 20


def kind_of(words: int) -> type:
    """The type that holds codes of this many words."""
    return np.int64 if words <= MOST_WORDS else object


def codes_of_bits(rows: Rows) -> Codes:
    """The codes of graphs given as rows."""
    words = rows.shape[1]
    codes: Codes = np.zeros(len(rows), dtype=kind_of(words))
    for word in range(words):
        codes |= rows[:, word].astype(codes.dtype) << (word * (words + 1))
    return codes


def bits_of_codes(codes: Codes, words: int) -> Rows:
    """The rows of the graphs with these codes."""
    row = (1 << (words + 1)) - 1
    columns = [(codes >> (word * (words + 1)) & row).astype(np.int64) for word in range(words)]
    return np.stack(columns, axis=1) if columns else np.zeros((len(codes), 0), dtype=np.int64)


def bits_of_heads(rows: Rows) -> Rows:
    """The rows of graphs given by one more than the head of each word, or 0."""
    return np.where(rows > 0, np.left_shift(1, np.maximum(rows - 1, 0)), 0)


def fewest_arcs(codes: Codes) -> int:
    """The code with the fewest arcs; of several, the least."""
    return min((int(code) for code in codes), key=lambda code: (code.bit_count(), code))


def hung_on_root(codes: Codes, words: int) -> Codes:
    """The same graphs with every word that has no head attached to 0."""
    found = codes.copy()
    for word in range(words):
        row = codes >> (word * (words + 1)) & ((1 << (words + 1)) - 1)
        found |= (row == 0).astype(codes.dtype) << (word * (words + 1))
    return found


def without_root(codes: Codes, words: int) -> Codes:
    """The same graphs with no head for words that are attached only to 0."""
    found = codes.copy()
    for word in range(words):
        row = codes >> (word * (words + 1)) & ((1 << (words + 1)) - 1)
        found ^= (row == 1).astype(codes.dtype) << (word * (words + 1))
    return found


# --- classes ---------------------------------------------------------------------------------------------------------


def are_in(graphs: GraphClass, codes: Codes, words: int) -> Truths:
    """The codes that are in a class of graphs, as a mask."""
    if words > MOST_WORDS:
        return np.array([contains_graph(graphs, graph_of_code(code, words)) for code in codes], dtype=np.bool_)
    rows = bits_of_codes(codes, words)
    found = _without_loops(rows)
    for restriction in graphs.restrictions:
        found &= _meet(restriction, rows)
    return found


def all_codes(graphs: GraphClass, words: int) -> Codes:
    """The codes of all graphs of a class, sorted."""
    return np.sort(np.concatenate(list(pieces_of_codes(graphs, words)) or [np.zeros(0, dtype=kind_of(words))]))


def pieces_of_codes(graphs: GraphClass, words: int) -> Iterator[Codes]:
    """The codes of all graphs of a class, in batches, in no particular order."""
    if words > MOST_WORDS:
        raise ValueError(f"there are too many graphs of {words} words to write them all out")
    early = tuple(r for r in graphs.restrictions if r.name not in ASKS_FOR_ARCS)
    late = tuple(r for r in graphs.restrictions if r.name in ASKS_FOR_ARCS)
    for rows in _built(early, words, np.zeros((1, words), dtype=np.int64), 0):
        kept = rows
        for restriction in late:
            kept = kept[_meet(restriction, kept)]
        if len(kept):
            yield codes_of_bits(kept)


def _built(restrictions: tuple[Restriction, ...], words: int, rows: Rows, word: int) -> Iterator[Rows]:
    """Yield the graphs in which the words from this one on get heads; large sets are divided, so that memory stays
    bounded.
    """
    if word == words:
        yield rows
        return
    heads = np.array([bits for bits in range(1 << (words + 1)) if not bits >> (word + 1) & 1], dtype=np.int64)
    step = max(1, AT_ONCE // len(heads))
    for first in range(0, len(rows), step):
        some = np.repeat(rows[first : first + step], len(heads), axis=0)
        some[:, word] = np.tile(heads, len(some) // len(heads))
        for restriction in restrictions:
            some = some[_meet(restriction, some)]
        yield from _built(restrictions, words, some, word + 1)


def _meet(restriction: Restriction, rows: Rows) -> Truths:
    """The graphs that meet a restriction, as a mask."""
    if restriction.bound is not None:
        most = bound_of(restriction.name, restriction.bound)
        return np.ones(len(rows), dtype=np.bool_) if most is None else _at_most(rows, most)
    match restriction.name:
        case "acyclic":
            return _acyclic(rows)
        case "connected":
            return _connected(rows)
        case "single-root":
            return _has_single_root(rows)
        case _:
            return _by_pairs(restriction, rows)


def _without_loops(rows: Rows) -> Truths:
    found = np.ones(len(rows), dtype=np.bool_)
    for word in range(rows.shape[1]):
        found &= rows[:, word] >> (word + 1) & 1 == 0
    return found


def _at_most(rows: Rows, most: int) -> Truths:
    found = np.ones(len(rows), dtype=np.bool_)
    for word in range(rows.shape[1]):
        count = np.zeros(len(rows), dtype=np.int64)
        for head in range(rows.shape[1] + 1):
            count += rows[:, word] >> head & 1
        found &= count <= most
    return found


def _has_single_root(rows: Rows) -> Truths:
    found: Truths = (rows & 1).sum(axis=1) == 1
    return found


def _acyclic(rows: Rows) -> Truths:
    """The graphs without cycles: words whose heads have all been removed are removed, until none is left."""
    words = rows.shape[1]
    removed = np.ones(len(rows), dtype=np.int64)
    for _ in range(words):
        for word in range(words):
            removed |= (rows[:, word] & ~removed == 0).astype(np.int64) << (word + 1)
    found: Truths = removed == (1 << (words + 1)) - 1
    return found


def _connected(rows: Rows) -> Truths:
    """The graphs in which every word is joined to 0, arc by arc."""
    words = rows.shape[1]
    joined = np.ones(len(rows), dtype=np.int64)
    for _ in range(words):
        for word in range(words):
            here = joined >> (word + 1) & 1 == 1
            joined |= np.where(here, rows[:, word], 0)
            joined |= (rows[:, word] & joined != 0).astype(np.int64) << (word + 1)
    found: Truths = joined == (1 << (words + 1)) - 1
    return found


def _by_pairs(restriction: Restriction, rows: Rows) -> Truths:
    """The graphs that meet a restriction on crossing arcs; it is evaluated once for each set of pairs that are
    joined.
    """
    words = rows.shape[1]
    joined = np.zeros(len(rows), dtype=np.int64)
    pairs = list(combinations(range(words + 1), 2))
    for place, (low, high) in enumerate(pairs):
        there = rows[:, high - 1] >> low | (rows[:, low - 1] >> high if low else 0)
        joined |= (there & 1) << place
    sets, which = np.unique(joined, return_inverse=True)
    holds = requirement_of_sets(restriction)
    assert holds is not None, "only a measure has no requirement"
    answers = []
    for one in sets.tolist():
        heads = [0] * words
        for place, (low, high) in enumerate(pairs):
            heads[high - 1] |= (one >> place & 1) << low
        answers.append(holds(tuple(heads)))
    found: Truths = np.array(answers, dtype=np.bool_)[which]
    return found
