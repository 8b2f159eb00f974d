"""Beam search and early update, beside the same in plain Python."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arcproof import native
from arcproof.classifiers import Parser
from arcproof.classifiers.artificial import on_board
from arcproof.classifiers.beam import PASSES, Beam
from arcproof.classifiers.learners.expansion import Expansion
from arcproof.classifiers.learners.fast import LEAST
from arcproof.classifiers.learners.learner import Settings
from arcproof.classifiers.learners.weights import LinearClassifier
from arcproof.classifiers.replay import problems
from arcproof.classifiers.trained_model import TrainedModel
from arcproof.generators.treebank import Sentence, read
from arcproof.transitions.machine.arrays.module import ArrayState

QUICK = Settings(epochs=1)
SYSTEMS = ["arc-eager", "arc-hybrid", "swap", "list-nonprojective"]
Scores = Callable[[Any], Any]


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    path = on_board("artificial-train")
    assert path is not None
    return list(read(path))


class Hypothesis:
    """A run: its score, what it was continued by, the rows of its features, its configuration."""

    def __init__(self, score: float, run: list[int | None], rows: list[Any], state: ArrayState) -> None:
        self.score, self.run, self.rows, self.state = score, run, rows, state

    def continued(self, model: TrainedModel, score: float, by: int | None, row: Any) -> "Hypothesis":
        s = self.state
        state = replace(s, cells=s.cells.copy(), size=s.size.copy(), tree=s.tree.copy())
        if by is not None:
            assert state.take(model.classes[by], int(model.class_labels[by]))
        return Hypothesis(score, [*self.run, by], [*self.rows, row], state)


def features(model: TrainedModel, sentence: Sentence, state: ArrayState) -> Any:
    row, tokens = np.zeros(len(model.program.features), dtype=np.int32), model.vocabulary.tokens(sentence.tokens)
    native.library.extract(model.program.structure(), state.structure, native.pointer(tokens), native.pointer(row))
    return row


def next_beam(
    model: TrainedModel, sentence: Sentence, beam: list[Hypothesis], scores: Scores, width: int
) -> list[Hypothesis]:
    found: list[tuple[float, Hypothesis, int | None, Any]] = []
    for one in beam:
        if one.state.is_terminal():
            found.append((one.score, one, None, None))
            continue
        row = features(model, sentence, one.state)
        permitted = {model.runner.code(transition) for transition in one.state.permitted()}
        known = [c for c, code in enumerate(model.class_codes) if code in permitted]
        assert known
        values = scores(row)
        found += [(one.score + float(values[c]), one, c, row) for c in known]
    best = sorted(found, key=lambda continuation: -continuation[0])[:width]
    return [one.continued(model, score, by, row) for score, one, by, row in best]


def plain_search(model: TrainedModel, sentence: Sentence, scores: Scores, width: int) -> Hypothesis:
    beam = [Hypothesis(0.0, [], [], model.runner.state(sentence.words))]
    while not all(one.state.is_terminal() for one in beam):
        beam = next_beam(model, sentence, beam, scores, width)
    return beam[0]


@pytest.mark.nightly
@pytest.mark.compiler
@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("width", [1, 3])
def test_the_best_run_is_that_of_a_plain_search(name: str, width: int, sentences: list[Sentence]) -> None:
    parser = Parser(name, settings=QUICK).fit(sentences[:60])
    assert parser._model is not None
    model = replace(parser._model, beam=width)
    assert isinstance(model.classifier, LinearClassifier)
    beam = Beam(model, model.classifier.structure)
    for sentence in sentences[60:75]:
        found = beam.parse(sentence)
        wanted = plain_search(model, sentence, lambda row: model.classifier.scores(row[np.newaxis])[0], width)

        assert [model.transition(step) for step in found.run] == [
            model.classes[by] for by in wanted.run if by is not None
        ]
        assert found.is_terminal
        assert found.tree.tolist() == wanted.state.tree.tolist()
        if width == 1:
            assert [tuple(map(model.transition, found.run))] == [one.transitions for one in parser.predict([sentence])]


def plain_update(
    model: TrainedModel, sentence: Sentence, right: list[int], width: int, expand: Callable[[Any], Any], weights: Any
) -> Any:
    """What early update adds to the weights."""
    change = np.zeros_like(weights)
    beam = [Hypothesis(0.0, [], [], model.runner.state(sentence.words))]
    gold = beam[0]
    for c in right:
        row = features(model, sentence, gold.state)
        beam = next_beam(model, sentence, beam, lambda one: weights[expand(one)].sum(axis=0), width)
        gold = gold.continued(model, 0.0, c, row)
        if not any(one.run == gold.run for one in beam):
            break
    if beam[0].run == gold.run:
        return change
    for one, sign in ((gold, 1), (beam[0], -1)):
        for c, row in zip(one.run, one.rows, strict=True):
            if c is not None:
                change[expand(row), c] += sign
    return change


@pytest.mark.compiler
@pytest.mark.parametrize("name", SYSTEMS)
def test_weights_move_as_early_update_says(name: str, sentences: list[Sentence]) -> None:
    some, width = sentences[:12], 3
    parser = Parser(name, beam=width, settings=QUICK).fit(some)
    model, found = parser._model, parser.trained_on
    assert model is not None
    assert found is not None
    expansion = Expansion.of(found.rows, model.program.columns, LEAST, model.program.joins)

    def expand(row: Any) -> Any:
        columns = expansion.of_rows(row[np.newaxis])[0]
        return columns[columns >= 0]

    runs = np.split(found.targets, np.cumsum([length for _, length in found.lengths])[:-1])
    weights = np.zeros((len(expansion.keys), len(model.classes)))
    mean, changed, time, chance = np.zeros_like(weights), 0, 1, np.random.default_rng(QUICK.seed)
    for _ in range(PASSES):
        for k in chance.permutation(len(some)):
            change = plain_update(model, some[k], runs[k].tolist(), width, expand, weights)
            changed += bool(change.any())
            weights += change
            mean += time * change
            time += 1
    wanted = LinearClassifier.of(expansion, (weights - mean / time).astype(np.float32))

    assert changed > 10
    assert isinstance(model.classifier, LinearClassifier)
    assert np.allclose(model.classifier.scores(found.rows), wanted.scores(found.rows), atol=1e-3)


@pytest.mark.compiler
@pytest.mark.parametrize("name", SYSTEMS)
def test_parses_with_a_beam_are_legal_and_models_the_same_again(
    name: str, sentences: list[Sentence], tmp_path: Path
) -> None:
    first, second = (Parser(name, beam=4, settings=QUICK).fit(sentences[:40]) for _ in range(2))
    parsed = first.predict(sentences[40:80])
    first.save(tmp_path / "first")
    second.save(tmp_path / "second")
    loaded = Parser.load(tmp_path / "first")

    assert [p for s, one in zip(sentences[40:80], parsed, strict=True) for p in problems(first, s, one)] == []
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()
    assert loaded.beam == 4
    assert loaded.predict(sentences[40:80]) == parsed
