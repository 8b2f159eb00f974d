"""The native code of learners and parsers: every build learns the same, in pieces of any size, and no number that a
file or a figure gives it leads it astray.
"""

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arcproof import native
from arcproof.classifiers import Parser, exploration
from arcproof.classifiers.artificial import on_board
from arcproof.classifiers.features import model as feature_models
from arcproof.classifiers.features.model import BadFeatureModel
from arcproof.classifiers.learners import averaged, expansion
from arcproof.classifiers.learners.averaged import Averaged, round_of_learning
from arcproof.classifiers.learners.expansion import Expansion
from arcproof.classifiers.learners.learner import Settings
from arcproof.classifiers.learners.weights import LinearClassifier
from arcproof.classifiers.trained_model import longest_run
from arcproof.generators.treebank import Sentence, read
from arcproof.transitions.system import load, most_transitions
from tests.machine.test_native import builds

pytestmark = pytest.mark.compiler

KINDS: list[dict[str, Any]] = [
    {"system": "arc-eager", "settings": Settings(epochs=2)},
    {"system": "arc-hybrid", "explore": 0.9, "settings": Settings(epochs=2)},
    {"system": "swap", "beam": 3, "settings": Settings(epochs=1)},
]


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    return list(read(on_board("artificial-train") or ""))[:40]


def learned(settings: dict[str, Any], sentences: list[Sentence], folder: Path) -> tuple[bytes, object]:
    """The model, and how it parses."""
    parser = Parser(**settings).fit(sentences[:20])
    parser.save(folder / "model")
    return (folder / "model").read_bytes(), parser.predict(sentences[20:])


@pytest.mark.parametrize("settings", KINDS, ids=["fast", "explore", "beam"])
def test_every_build_learns_and_parses_the_same(
    settings: dict[str, Any], sentences: list[Sentence], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Models do not depend on the processor that they were trained on."""
    models = []
    for module in map(import_module, [f"arcproof.native.{name}" for name in builds()]):
        monkeypatch.setattr(native, "ffi", module.ffi)
        monkeypatch.setattr(native, "library", module.lib)
        models.append(learned(settings, sentences, tmp_path))

    assert all(model == models[0] for model in models)


@pytest.mark.parametrize("settings", KINDS[:2], ids=["fast", "explore"])
def test_the_size_of_pieces_does_not_matter(
    settings: dict[str, Any], sentences: list[Sentence], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = learned(settings, sentences, tmp_path)
    for module in (averaged, expansion, exploration):
        monkeypatch.setattr(module, "PIECE", 7)

    assert learned(settings, sentences, tmp_path) == whole


def test_weights_move_as_the_passive_aggressive_rule_says() -> None:
    """PA-I with several classes (Crammer et al. 2006), and the mean over all steps."""
    chance = np.random.default_rng(1)
    rows = (chance.integers(0, 4, (200, 3)) + np.arange(3) * 4).astype(np.int32)
    targets, order = chance.integers(0, 4, 200), chance.permutation(200)
    columns = Expansion.of(rows, 12, 1)
    trained = Averaged.of(columns, 4, len(rows), Settings())
    expanded = columns.of_rows(rows)
    round_of_learning(trained, expanded, targets, order, 0.02)
    weights, total = (np.zeros((len(columns.keys), 4), dtype=np.float32) for _ in range(2))
    for step, k in enumerate(order, start=1):
        scores = weights[expanded[k]].sum(axis=0).astype(float)
        right, rival = targets[k], max((c for c in range(4) if c != targets[k]), key=lambda c: scores[c])
        loss = 1 - scores[right] + scores[rival]
        change = np.zeros(4)
        change[[right, rival]] = np.array([1, -1]) * min(0.02, max(0, loss) / (2 * expanded.shape[1]))
        weights[expanded[k]] = weights[expanded[k]].astype(float) + change
        total[expanded[k]] = total[expanded[k]].astype(float) + step * change

    assert trained.step == 201
    assert np.array_equal(trained.weights, weights)
    means = (weights.astype(float) - total / 201)[expanded].sum(axis=1)
    assert np.allclose(trained.classifier().scores(rows), means, atol=1e-4)


# --- numbers from files and figures ----------------------------------------------------------------------------------


def test_keys_that_do_not_fit_into_machine_words_are_refused(sentences: list[Sentence]) -> None:
    """Such a key could be the one of a free slot, whose value is no place of weights."""
    parser = Parser("arc-eager", settings=Settings(epochs=1)).fit(sentences[:10])
    assert parser._model is not None
    assert isinstance(parser._model.classifier, LinearClassifier)
    arrays = parser._model.classifier.arrays()
    number = int(arrays["shape"][1])
    three = np.array([[0, 1, 2]])

    assert LinearClassifier.from_arrays({**arrays, "joins": three}).number == number
    with pytest.raises(ValueError, match="too many columns to join"):
        LinearClassifier.from_arrays({**arrays, "joins": three, "shape": np.array([2**21, number])})


def test_more_columns_than_rows_can_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feature_models, "MAX_COLUMNS", 10)

    with pytest.raises(BadFeatureModel, match="pairs of a feature and a value; leave out rare words"):
        Parser("arc-eager").check()


def test_a_claim_that_allows_more_than_any_run_needs_bounds_nothing() -> None:
    system = load(load("arc-eager").text.replace("length       <= 2n", "length       <= n^9"))

    assert longest_run(load("arc-eager"), 1000) == 2000
    assert longest_run(system, 1000) == most_transitions(1000)
