"""Scores: how good trees are, and whether two parsers differ.

- LAS, UAS, LA: the share of words with the right head and label, the right head, the right label (eval.pl of the
  CoNLL-X shared task).
- Tagging accuracy: the share of words with the right tag, punctuation included.
- Punctuation does not count unless this is requested: a word is punctuation if every character of its form has a
  Unicode category that begins with P.
- *Exact match*: all counted words of a sentence have the right head (unlabelled) or the right head and label.
- Non-projective arcs, arcs from 0, labels, lengths: precision is the share of predicted ones that are right, recall the
  share of gold ones that were found; a length is |head - dependent|, 0 for arcs from 0.  Whether an arc is projective
  depends on the tree it is in, so that a projective parser may find a non-projective arc (Nivre 2009, Table 1): in the
  tree it predicts nothing crosses it.
- McNemar: two parsers differ in b words (one right, the other wrong) and c words (the reverse); exact binomial where
  b + c < 25, otherwise χ² with continuity correction.  Holm's correction accounts for multiple tests.
- The randomisation test exchanges the outputs of whole sentences at random and counts how often the difference is at
  least as large.
"""

import math
import random
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import lru_cache
from typing import Final, TypeAlias

from arcproof.generators.classes import nonprojective_arcs
from arcproof.generators.formats import TagColumn
from arcproof.generators.treebank import Sentence
from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import ArcproofError

Tree: TypeAlias = tuple[Sequence[int], Sequence[str]]
EXACT_BELOW: Final = 25
LENGTHS: Final = ((0, 0, "to root"), (1, 1, "1"), (2, 2, "2"), (3, 6, "3-6"), (7, 10**9, "7 and more"))


class NotTheSameSentences(ArcproofError, ValueError):
    """The gold and the predicted trees are of different sentences."""


@lru_cache(maxsize=65536)
def is_punctuation(form: str) -> bool:
    """Whether every character is Unicode punctuation.

    >>> is_punctuation("..."), is_punctuation("$"), is_punctuation("-1")
    (True, False, False)
    """
    return bool(form) and all(unicodedata.category(character).startswith("P") for character in form)


@dataclass
class Retrieval:
    """Counts for precision and recall: how many there are in the gold trees, how many were predicted, how many of those
    predicted are right, and how many of the gold ones were found.
    """

    gold: int = 0
    predicted: int = 0
    right: int = 0
    found: int = 0

    @property
    def precision(self) -> float | None:
        """The share of predicted ones that are right; None if nothing was predicted."""
        return self.right / self.predicted if self.predicted else None

    @property
    def recall(self) -> float | None:
        """The share of gold ones that were found; None if there is nothing to find."""
        return self.found / self.gold if self.gold else None

    @property
    def f(self) -> float | None:
        """The harmonic mean of precision and recall; None if there are neither gold nor predicted ones."""
        both = self.gold + self.predicted
        return (self.right + self.found) / both if both else None

    def add(self, in_gold: bool, in_prediction: bool, is_right: bool) -> None:
        """Count one more word."""
        self.gold += in_gold
        self.predicted += in_prediction
        self.right += in_prediction and is_right
        self.found += in_gold and is_right


@dataclass
class Scores:
    """Counts of a whole treebank."""

    words: int = 0
    labelled: int = 0
    unlabelled: int = 0
    labels: int = 0
    sentences: int = 0
    exact_labelled: int = 0
    exact_unlabelled: int = 0
    nonprojective: Retrieval = field(default_factory=Retrieval)
    roots: Retrieval = field(default_factory=Retrieval)
    by_label: dict[str, Retrieval] = field(default_factory=dict)
    by_length: dict[str, Retrieval] = field(default_factory=dict)
    right_words: list[bool] = field(default_factory=list)
    right_heads: list[bool] = field(default_factory=list)
    right_sentences: list[bool] = field(default_factory=list)
    by_sentence: list[tuple[int, int]] = field(default_factory=list)

    @property
    def las(self) -> float:
        """Labelled attachment score."""
        return self.labelled / self.words if self.words else 0.0

    @property
    def uas(self) -> float:
        """Unlabelled attachment score."""
        return self.unlabelled / self.words if self.words else 0.0

    @property
    def la(self) -> float:
        """Label accuracy."""
        return self.labels / self.words if self.words else 0.0

    @property
    def exact(self) -> float:
        """The share of sentences that are right, labels included."""
        return self.exact_labelled / self.sentences if self.sentences else 0.0

    def add(self, sentence: Sentence, tree: Tree, punctuation: bool = False) -> None:
        """Count one more sentence."""
        heads, labels = tree
        gold_heads, gold_labels = sentence.heads, sentence.labels
        if len(heads) != len(gold_heads):
            raise NotTheSameSentences(
                f"sentence {sentence.number} has {len(gold_heads)} words, but {len(heads)} were predicted"
            )
        counted = [punctuation or not is_punctuation(token.form) for token in sentence.tokens]
        gold_crossing = {arc.dependent for arc in nonprojective_arcs(gold_heads)}
        crossing = {arc.dependent for arc in nonprojective_arcs(tuple(heads))}
        right = right_head = total = 0
        for word, is_counted in enumerate(counted, start=1):
            if not is_counted:
                continue
            head_is_right = heads[word - 1] == gold_heads[word - 1]
            label_is_right = labels[word - 1] == gold_labels[word - 1]
            both = head_is_right and label_is_right
            total += 1
            right += both
            right_head += head_is_right
            self.labels += label_is_right
            self.right_words.append(both)
            self.right_heads.append(head_is_right)
            self.nonprojective.add(word in gold_crossing, word in crossing, head_is_right)
            self.roots.add(gold_heads[word - 1] == 0, heads[word - 1] == 0, head_is_right)
            for by, name, other, is_right in (
                (self.by_label, gold_labels[word - 1], labels[word - 1], both),
                (
                    self.by_length,
                    length_name(gold_heads[word - 1], word),
                    length_name(heads[word - 1], word),
                    head_is_right,
                ),
            ):
                by.setdefault(name, Retrieval()).add(True, name == other, is_right)
                if name != other:
                    by.setdefault(other, Retrieval()).add(False, True, False)
        self.words += total
        self.labelled += right
        self.unlabelled += right_head
        self.sentences += 1
        self.exact_labelled += right == total
        self.exact_unlabelled += right_head == total
        self.right_sentences.append(right == total)
        self.by_sentence.append((right, total))


def length_name(head: int, word: int) -> str:
    """The name of the row of `LENGTHS` that an arc is in."""
    length = abs(head - word) if head else 0
    return next(name for low, high, name in LENGTHS if low <= length <= high)


def evaluate(gold: Iterable[Sentence], trees: Iterable[Tree], punctuation: bool = False) -> Scores:
    """The scores of predicted trees."""
    scores = Scores()
    predicted = iter(trees)
    for sentence in gold:
        tree = next(predicted, None)
        if tree is None:
            raise NotTheSameSentences(f"there is no predicted tree for sentence {sentence.number}")
        scores.add(sentence, tree, punctuation)
    if next(predicted, None) is not None:
        raise NotTheSameSentences(f"there are more predicted trees than the {scores.sentences} gold ones")
    return scores


def tagging_accuracy(gold: Iterable[Sentence], tags: Iterable[Sequence[str] | None], column: TagColumn) -> float | None:
    """The share of words with the gold tag, punctuation included; None where the gold treebank, or the parser, has no
    tags.
    """
    right = words = 0
    is_tagged = False
    for sentence, predicted in zip(gold, tags, strict=True):
        if predicted is None:
            return None
        wanted = sentence.tags(column)
        is_tagged = is_tagged or any(tag != "_" for tag in wanted)
        right += sum(one == other for one, other in zip(wanted, predicted, strict=True))
        words += sentence.words
    return right / words if is_tagged else None


# --- differences -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """The outcome of a test: how often only the first, or only the second, was right, and how likely that is by
    chance.
    """

    only_first: int
    only_second: int
    p: float


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Difference:
    """McNemar's test on the same cases, two-sided.

    >>> mcnemar([True] * 6 + [False], [False] * 6 + [False])
    Difference(only_first=6, only_second=0, p=0.03125)
    """
    if len(first) != len(second):
        raise NotTheSameSentences(
            f"{len(first)} cases against {len(second)}; both parsers must be scored on the same words"
        )
    b = sum(one and not other for one, other in zip(first, second, strict=True))
    c = sum(other and not one for one, other in zip(first, second, strict=True))
    if b + c == 0:
        return Difference(b, c, 1.0)
    if b + c < EXACT_BELOW:
        tail = sum(math.comb(b + c, k) for k in range(min(b, c) + 1)) / 2 ** (b + c)
        return Difference(b, c, min(1.0, 2 * tail))
    statistic = (abs(b - c) - 1) ** 2 / (b + c) if b != c else 0.0
    return Difference(b, c, math.erfc(math.sqrt(statistic / 2)))


def holm(values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=lambda k: values[k])
    adjusted = [0.0] * len(values)
    greatest = 0.0
    for place, k in enumerate(order):
        greatest = max(greatest, min(1.0, (len(values) - place) * values[k]))
        adjusted[k] = greatest
    return adjusted


def mark(p: float) -> str:
    """`++` below 0.01, `+` below 0.05."""
    return "++" if p < 0.01 else "+" if p < 0.05 else ""


BySentence: TypeAlias = Sequence[tuple[int, int]]


def randomisation(first: BySentence, second: BySentence, trials: int = 10_000, seed: int = 1) -> float:
    """The probability that the difference in LAS is at least as large if it does not matter which parser produced which
    sentence.
    """
    return randomisation_of_means([(first, second)], trials, seed)


def randomisation_of_means(
    treebanks: Sequence[tuple[BySentence, BySentence]], trials: int = 10_000, seed: int = 1
) -> float:
    """The same probability for the mean of the scores on several treebanks."""
    moving: list[float] = []
    for first, second in treebanks:
        if [total for _, total in first] != [total for _, total in second]:
            raise NotTheSameSentences("both parsers must be scored on the same words")
        words = sum(total for _, total in first)
        moving += [(one - other) / words for (one, _), (other, _) in zip(first, second, strict=True) if one != other]
    import numpy as np

    differences = np.array(moving)
    whole, size = float(differences.sum()), len(moving) or 1
    chance = random.Random(seed)
    reached = 0
    for _ in range(trials):
        bits = np.frombuffer(chance.getrandbits(size).to_bytes(-(-size // 8), "little"), dtype=np.uint8)
        kept = np.unpackbits(bits, count=size, bitorder="little")[: len(moving)]
        reached += abs(2 * float(kept @ differences) - whole) >= abs(whole) - 1e-12
    return (reached + 1) / (trials + 1)


def interval(by_sentence: BySentence, trials: int = 1_000, seed: int = 1) -> tuple[float, float]:
    """The 95 % confidence interval of the score, from resampling sentences."""
    chance = random.Random(seed)
    values = []
    for _ in range(trials):
        drawn = chance.choices(by_sentence, k=len(by_sentence))
        total = sum(words for _, words in drawn)
        values.append(sum(right for right, _ in drawn) / total if total else 0.0)
    values.sort()
    return values[int(0.025 * trials)], values[min(trials - 1, int(0.975 * trials))]


def pearson(first: Sequence[float], second: Sequence[float]) -> float:
    """The correlation of two series of numbers; 0 if one of them is constant."""
    if len(first) != len(second) or not first:
        raise ValueError("two rows of numbers must be equally long and not empty")
    mean_one, mean_other = sum(first) / len(first), sum(second) / len(second)
    both = sum((x - mean_one) * (y - mean_other) for x, y in zip(first, second, strict=True))
    spread = math.sqrt(sum((x - mean_one) ** 2 for x in first) * sum((y - mean_other) ** 2 for y in second))
    return both / spread if spread else 0.0


def through_origin(points: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """The slope a of m = a n by least squares, and R² against the mean (Nivre 2009, Figure 5)."""
    square = sum(n * n for n, _ in points)
    if not square:
        return 0.0, 0.0
    slope = sum(n * m for n, m in points) / square
    mean = sum(m for _, m in points) / len(points)
    total = sum((m - mean) ** 2 for _, m in points)
    rest = sum((m - slope * n) ** 2 for n, m in points)
    return slope, 1 - rest / total if total else 1.0
