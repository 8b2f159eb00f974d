"""The values of words and labels in the training data, as numbers.

The column FEATS holds *morphological features*, `Case=Nom|Number=Sing`: each part has a name and a value.  A part
without `=`, as some treebanks have, is a name whose value is the part itself.  A word without a part of some name has
the value `_` there.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any, Final, TypeAlias

import numpy as np

from arcproof.generators.treebank import Sentence, Token
from arcproof.process.lazy_dataclass import dataclass

Whole: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
STATIC: Final = ("form", "lemma", "cpos", "fpos", "feats")
FEATS: Final = STATIC.index("feats")
SPELLED: Final = ("suffix2", "suffix3", "shape")
MISSING, THE_ROOT, UNSEEN, FIRST_SEEN = 0, 1, 2, 3
ABSENT: Final = "_"


def morphology(feats: str) -> dict[str, str]:
    """The morphological features of a word by name."""
    parts = (part.partition("=") for part in feats.split("|") if part != ABSENT)
    return {name: value or name for name, _, value in parts}


@lru_cache(maxsize=65536)
def spelling(form: str) -> tuple[str, str, str]:
    """The last two and the last three letters of a word in lower case, and its shape.

    >>> spelling("Meetings"), spelling("2012")
    (('gs', 'ngs', 'Xx'), ('12', '012', 'd'))
    """
    low = form.lower()
    signs = ("X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdigit() else c for c in form)
    return low[-2:], low[-3:], "".join(sign for sign, _ in groupby(signs))


@dataclass(frozen=True)
class Vocabulary:
    """The values of each attribute, and the labels and tags, in the order of the training data.

    If it `spells`, words also have the attributes `SPELLED`, which follow from their forms.
    """

    values: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...]
    spells: bool = False

    @cached_property
    def _numbers(self) -> list[dict[str, int]]:
        return [_numbered(values) for values in self.values]

    @cached_property
    def _labels(self) -> dict[str, int]:
        return {label: k for k, label in enumerate(self.labels, start=1)}

    @cached_property
    def morphological(self) -> dict[str, tuple[str, ...]]:
        """The values of each morphological feature; names that occur in most values of the column FEATS come first."""
        counts: Counter[str] = Counter()
        found: dict[str, dict[str, None]] = {}
        for feats in self.values[FEATS]:
            for name, value in morphology(feats).items():
                counts[name] += 1
                found.setdefault(name, {ABSENT: None})[value] = None
        return {name: tuple(found[name]) for name, _ in counts.most_common()}

    @cached_property
    def _morphological_numbers(self) -> list[tuple[str, dict[str, int]]]:
        return [(name, _numbered(values)) for name, values in self.morphological.items()]

    @cached_property
    def _of_feats(self) -> dict[str, list[int]]:
        """A cache of the numbers of morphological features, by the value of FEATS."""
        return {}

    @cached_property
    def spelled(self) -> dict[str, tuple[str, ...]]:
        """The values of the attributes that follow from the forms."""
        if not self.spells:
            return {}
        columns = zip(*map(spelling, self.values[0]), strict=True) if self.values[0] else ((),) * len(SPELLED)
        return {name: tuple(dict.fromkeys(column)) for name, column in zip(SPELLED, columns, strict=True)}

    @cached_property
    def _spelled_numbers(self) -> list[dict[str, int]]:
        return [_numbered(values) for values in self.spelled.values()]

    def label(self, label: str | None) -> int:
        """The number of a label; 0 is none."""
        return 0 if label is None else self._labels.get(label, 0)

    def attribute(self, name: str) -> int:
        """The row of an attribute in `tokens`, `form` or `feats.Case`."""
        if name in STATIC:
            return STATIC.index(name)
        if name in SPELLED:
            return len(STATIC) + len(self.morphological) + SPELLED.index(name)
        return len(STATIC) + list(self.morphological).index(name.removeprefix("feats."))

    def values_of(self, name: str) -> tuple[str, ...]:
        """The values of an attribute, the first of which has the number `FIRST_SEEN`."""
        if name in STATIC:
            return self.values[STATIC.index(name)]
        return self.spelled[name] if name in SPELLED else self.morphological[name.removeprefix("feats.")]

    def tokens(self, tokens: Sequence[Token]) -> Whole:
        """The numbers of the attributes of each node, then of its morphological features and its spelling; one column
        for each node from 0 on.
        """
        spelled = len(STATIC) + len(self.morphological)
        numbers = np.empty((spelled + len(self.spelled), len(tokens) + 1), dtype=np.int64)
        numbers[:, 0] = THE_ROOT
        for row, known in enumerate(self._numbers):
            numbers[row, 1:] = [known.get(token[row], UNSEEN) for token in tokens]
        if self.morphological:
            numbers[len(STATIC) : spelled, 1:] = np.array([self._morphology(token.feats) for token in tokens]).T
        for row, known in enumerate(self._spelled_numbers, start=spelled):
            numbers[row, 1:] = [known.get(spelling(token.form)[row - spelled], UNSEEN) for token in tokens]
        return numbers

    def _morphology(self, feats: str) -> list[int]:
        if feats not in self._of_feats:
            given = morphology(feats)
            self._of_feats[feats] = [
                known.get(given.get(name, ABSENT), UNSEEN) for name, known in self._morphological_numbers
            ]
        return self._of_feats[feats]

    def knows(self, token: Token, attributes: Iterable[str]) -> bool:
        """Whether one of these attributes of a word has a value that occurs in the training data; True if no attributes
        are given.
        """
        places = [STATIC.index(attribute) for attribute in attributes]
        return not places or any(token[place] in self._numbers[place] for place in places)

    @staticmethod
    def of(sentences: Iterable[Sentence], labels: Iterable[str] = (), spells: bool = False) -> "Vocabulary":
        """The vocabulary of training data."""
        seen: list[dict[str, None]] = [{} for _ in STATIC]
        found = dict.fromkeys(labels)
        for sentence in sentences:
            for token in sentence.tokens:
                for values, value in zip(seen, token, strict=True):
                    values[value] = None
            found.update(dict.fromkeys(sentence.arc_labels))
        return Vocabulary(tuple(map(tuple, seen)), tuple(found), spells)


def _numbered(values: Iterable[str]) -> dict[str, int]:
    return {value: k for k, value in enumerate(values, start=FIRST_SEEN)}
