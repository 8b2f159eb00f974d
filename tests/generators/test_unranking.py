"""Rows of graphs by native code, and by the definition: the same graphs in the same order."""

import random
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from arcproof.generators.enumeration import FORESTS, TREES, Enumeration
from arcproof.generators.unranking import Rows, count_trees, rows_of, rows_of_forests, rows_of_trees

pytestmark = pytest.mark.compiler

BITS = 3  # of an entry


@pytest.mark.parametrize(
    ("enumeration", "rows"), [(TREES, rows_of_trees), (FORESTS, rows_of_forests)], ids=["trees", "forests"]
)
def test_rows_are_those_of_the_enumeration(enumeration: Enumeration, rows: Callable[[int, range], Rows]) -> None:
    chance = random.Random(1)
    for words in (1, 2, 3, 4, 5, 9, 12):
        count = enumeration.count(words)
        begin = chance.randrange(count) if count > 2_000 else 0
        ranks = range(begin, min(count, begin + 2_000))

        assert np.array_equal(rows(words, ranks), rows_of(enumeration.graphs(words, ranks), words)), words


@pytest.mark.parametrize("rooted", [True, False])
@pytest.mark.parametrize("words", [0, 1, 2, 3])
def test_trees_are_counted(words: int, rooted: bool) -> None:
    """Each row of entries is a tree exactly where it is one of them."""
    trees = {tuple(head + 1 for head in heads if head is not None) for heads in TREES.graphs(words)}
    for entries in product(range(words + 2), repeat=words):
        code = sum(entry << BITS * (words - place) for place, entry in enumerate(entries, 1))
        heads = entries if rooted else tuple(max(1, entry) for entry in entries)

        assert count_trees(np.array([code], dtype=np.int64), words, BITS, rooted) == (heads in trees), entries
