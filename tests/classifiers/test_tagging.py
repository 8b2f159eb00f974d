"""Joint tagging and parsing: a figure whose SHIFT(p) tags words learns both at once, and sees no tag that it has not
predicted.
"""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from arcproof.classifiers import Parser
from arcproof.classifiers.artificial import on_board
from arcproof.classifiers.features.model import BadFeatureModel, load_model, program, read_model, suggested_model
from arcproof.classifiers.features.vocabulary import Vocabulary, spelling
from arcproof.classifiers.instances import derivation, tags_of
from arcproof.classifiers.learners.learner import Settings
from arcproof.classifiers.replay import problems
from arcproof.classifiers.scores import tagging_accuracy
from arcproof.generators.treebank import Sentence, Token, read
from arcproof.transitions.machine.arrays import kernel
from arcproof.transitions.machine.arrays.module import Runner
from arcproof.transitions.machine.opcodes import Opcode
from arcproof.transitions.system import load
from tests.in_process import Result
from tests.machine.arrays.test_agreement import broken
from tests.transitions.test_tagging import BUILT_IN, tagging

pytestmark = pytest.mark.compiler
FEW = 60


@cache
def treebank(name: str) -> tuple[Sentence, ...]:
    path = on_board(name)
    assert path is not None
    return tuple(read(path))


@cache
def swap() -> Parser:
    return Parser(load(tagging("swap")), settings=Settings(epochs=3)).fit(treebank("artificial-train"))


# --- the machine against the interpreter -----------------------------------------------------------------------------


def tags_agree(runner: Runner) -> bool:
    """Whether random runs end with the tags of the interpreter."""
    system, chance = runner.system, random.Random(1)
    for words in range(1, 6):
        c, state = system.start(words), runner.state(words)
        for _ in range(4 * words):
            allowed = [] if system.is_terminal(c) else state.permitted()
            if not allowed:
                break
            chosen = chance.choice(allowed)
            tag = chance.randrange(1, 4) if chosen.name == "SHIFT" else None
            assert state.take(chosen, tag or 0)
            c = system.apply(c, chosen._replace(label=None if tag is None else str(tag)))
        tagged = dict(c.tags)

        if state.tree[kernel.TAG, 1:].tolist() != [int(tagged.get(word, 0)) for word in range(1, words + 1)]:
            return False
    return True


@pytest.mark.parametrize("name", BUILT_IN)
def test_random_runs_end_with_the_tags_of_the_interpreter(name: str) -> None:
    assert tags_agree(Runner.of(load(tagging(name))))


def test_an_opcode_that_does_not_tag_is_caught() -> None:
    wrong = broken(Runner.of(load(tagging("swap"))), Opcode.TAG_NODE, 0)

    assert wrong is not None
    assert not tags_agree(wrong)


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_oracle_gives_the_labels_of_the_interpreter(name: str) -> None:
    system = load(tagging(name))
    runner, sentences = Runner.of(system), treebank("artificial-train")[:FEW]
    model = load_model(suggested_model(system))
    vocabulary = Vocabulary.of(sentences, tags_of(system, sentences), model.spells)
    extracting = program(system, model, vocabulary)
    seen = 0
    for sentence in sentences:
        try:
            wanted = system.derive(sentence.graph, tags=sentence.tags())
        except Exception:
            continue
        found = derivation(runner, extracting, vocabulary, sentence, sentence.graph)
        labels = [vocabulary.labels[number - 1] if number else None for number in found.labels]
        assert [(t.instance, t.label) for t in wanted.transitions] == [
            (runner.transition(int(code)).instance, label) for code, label in zip(found.codes, labels, strict=True)
        ]
        seen += 1

    assert seen > FEW // 3


# --- nothing is seen before it is predicted --------------------------------------------------------------------------


@pytest.mark.parametrize("name", BUILT_IN)
def test_features_do_not_change_with_gold_annotation(name: str) -> None:
    """Other tags, lemmas and features of words that are not tagged yet change no row."""
    system = load(tagging(name))
    runner, model = Runner.of(system), load_model(suggested_model(system))
    sentence = treebank("artificial-train")[0]
    blank = tuple(Token(token.form, "_", "_", "_", "_") for token in sentence.tokens)
    vocabulary = Vocabulary.of([sentence], tags_of(system, [sentence]), model.spells)
    extracting = program(system, model, vocabulary)
    tokens = [vocabulary.tokens(sentence.tokens), vocabulary.tokens(blank)]
    used = {int(row[1]) for row in extracting.features if row[1] >= 0}

    assert used
    for row in used:
        assert np.array_equal(tokens[0][row], tokens[1][row])
    assert runner.state(sentence.words).tree[kernel.TAG].tolist() == [0] * (sentence.words + 1)


@pytest.mark.parametrize("attribute", ["fpos", "cpos", "lemma", "feats", "feats.Case", "feats.*"])
def test_a_model_that_sees_annotation_is_refused(attribute: str) -> None:
    model = read_model(f"features x\n  stack[0] form {attribute}\n")

    with pytest.raises(BadFeatureModel, match=r"assigns tags itself, so the feature model x must not look at"):
        program(load(tagging("swap")), model, Vocabulary.of([]))


def test_the_spelling_of_a_word() -> None:
    assert spelling("McDonald's-2") == ("-2", "s-2", "XxXx'x-d")


# --- learned ---------------------------------------------------------------------------------------------------------


def test_it_learns_to_tag_and_to_parse() -> None:
    gold = treebank("artificial-test")
    tagged = swap().tagging_score(gold)

    assert tagged is not None
    assert tagged > 0.95
    assert swap().score(gold) > 0.9


def test_every_run_is_one_of_the_interpreter() -> None:
    sentences = treebank("artificial-test")[:FEW]
    found = [problem for s, p in swap().parse_with(sentences) for problem in problems(swap(), s, p)]

    assert found == []


def test_a_wrong_tag_would_be_noticed() -> None:
    from dataclasses import replace

    sentence = treebank("artificial-test")[0]
    (parsed,) = swap().parse([sentence])

    assert list(problems(swap(), sentence, replace(parsed, tags=("?",) * sentence.words))) == [
        "sentence 1: the interpreter ends with other tags"
    ]


def test_a_saved_model_tags_alike(tmp_path: Path) -> None:
    swap().save(tmp_path / "m")
    sentences = treebank("artificial-test")[:5]

    assert Parser.load(tmp_path / "m").predict(sentences) == swap().predict(sentences)


@pytest.mark.parametrize("column", ["upos", "xpos"])
def test_tags_are_learned_from_a_column_and_written_to_it(
    arcproof: Callable[..., Result], tmp_path: Path, column: str
) -> None:
    (tmp_path / "t.tsys").write_text(tagging("arc-standard-stack"), encoding="utf-8")
    arcproof("train", "t.tsys", "artificial-train", "-o", "m", "--tags", column, "--epochs", "1")
    arcproof("parse", "m", "artificial-test", "-o", "p.conllu")
    gold, parsed = treebank("artificial-test"), list(read(tmp_path / "p.conllu"))
    other = "xpos" if column == "upos" else "upos"
    accuracy = tagging_accuracy(gold, (s.tags(column) for s in parsed), column)  # type: ignore[arg-type]

    assert accuracy is not None
    assert 0.8 < accuracy < 1
    assert [s.tags(other) for s in parsed] == [s.tags(other) for s in gold]  # type: ignore[arg-type]
    assert f"{100 * accuracy:.2f}" in arcproof("evaluate", "artificial-test", "p.conllu").out
