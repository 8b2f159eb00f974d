"""`fast`: one linear function for each class on the columns and joins that occur twice or more, by `loops.train`.

Joins are those that the feature model names, or else all pairs.
"""

import numpy as np
from arcproof.classifiers.learners.expansion import Expansion
from arcproof.classifiers.learners.learner import Classifier, Data, NotEnoughMemory, Settings
from arcproof.classifiers.learners.weights import LinearClassifier
from arcproof.classifiers.watching import NOBODY, Watcher
from arcproof.transitions.printing.wording import size_text


def learn_fast(data: Data, settings: Settings, watch: Watcher = NOBODY) -> Classifier:
    """Averaged passive-aggressive updates, in an order fixed by the seed."""
    from arcproof.classifiers.learners import loops

    expansion = Expansion.of(data.rows, data.columns, 2, data.joins)
    classes = max(data.number, 2)
    needed = 2 * 4 * len(expansion.keys) * classes + 4 * len(data.rows) * len(expansion.joins)
    if settings.memory is not None and needed > settings.memory:
        raise NotEnoughMemory(
            f"learning {len(expansion.keys)} columns and pairs for {classes} classes takes {size_text(needed)}, more than the {size_text(settings.memory)} of --memory; "
            "train on fewer sentences, or with a smaller feature model"
        )
    expanded = expansion.of_rows(data.rows)
    weights = np.zeros((len(expansion.keys), classes), dtype=np.float32)
    sums = np.zeros_like(weights)
    scores = np.zeros(classes, dtype=np.float32)
    chance = np.random.default_rng(settings.seed)
    step = 1
    watch.begin("learning", settings.epochs)
    for _ in range(settings.epochs):
        watch.advance()
        order = chance.permutation(len(data.rows))
        step = loops.train(expanded, data.targets, order, weights, sums, scores, settings.most, step)
    loops.average(weights, sums, step)
    return LinearClassifier.of(expansion, weights[:, : data.number])
