"""The trained parser, end to end."""

import io
import json
import pickle
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Any

import click
import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner

from arcproof.classifiers import Parser
from arcproof.classifiers.artificial import on_board
from arcproof.classifiers.learners import Kind
from arcproof.classifiers.learners.learner import Settings
from arcproof.classifiers.model_file import BadModel
from arcproof.classifiers.native import CannotBeTrained
from arcproof.classifiers.parsing import BATCH_SENTENCES
from arcproof.classifiers.replay import problems
from arcproof.classifiers.training import Trainer
from arcproof.commands import cli
from arcproof.generators.classes import is_projective, is_tree
from arcproof.generators.treebank import Sentence, read
from arcproof.transitions.errors import UnreadableFile
from arcproof.transitions.library import system_names
from arcproof.transitions.system import load
from tests.conftest import ROOT
from tests.properties.test_verify import schema

QUICK = Settings(epochs=2)


def treebank(name: str) -> list[Sentence]:
    path = on_board(name)
    assert path is not None
    return list(read(path))


@pytest.fixture(scope="module")
def train() -> list[Sentence]:
    return treebank("artificial-train")


@pytest.fixture(scope="module")
def test() -> list[Sentence]:
    return treebank("artificial-test")


@pytest.fixture(scope="module")
def eager(train: list[Sentence]) -> Parser:
    return Parser("arc-eager").fit(train)


@pytest.mark.compiler
def test_it_learns_the_artificial_language(eager: Parser, test: list[Sentence]) -> None:
    assert eager.score(test) > 0.95


@pytest.mark.nightly
@pytest.mark.parametrize("name", [*system_names(), "covington[d=1]"])
def test_every_parse_of_every_system_is_legal_and_in_class(
    name: str, train: list[Sentence], test: list[Sentence]
) -> None:
    searched = not load(name).figure.oracles  # the search visits up to 20,000 configurations of a sentence
    few = [sentence for sentence in train if sentence.words <= 7][:20] if searched else train[:100]
    parser = Parser(name, settings=QUICK).fit(few)
    check_parses(parser, test[:40])


@pytest.mark.compiler
def test_an_arc_has_a_label_where_only_one_case_of_a_transition_takes_one(
    train: list[Sentence], test: list[Sentence]
) -> None:
    """REDUCE was learned without a label; taken where it attaches a word, it left the arc without one."""
    parser = Parser("nonmonotonic-2013", settings=QUICK).fit(train[:100])
    check_parses(parser, test[:40])


@pytest.mark.compiler
@pytest.mark.parametrize("name", ["swap", "list-projective"])
def test_every_parse_is_legal_and_in_class(name: str, train: list[Sentence], test: list[Sentence]) -> None:
    parser = Parser(name, settings=QUICK).fit(train[:100])
    check_parses(parser, test[:40])


def check_parses(parser: Parser, sentences: list[Sentence]) -> None:
    for policy in ("permissible", "default"):
        parser.set_params(policy=policy)
        for sentence, parsed in zip(sentences, parser.predict(sentences), strict=True):
            assert list(problems(parser, sentence, parsed)) == []
            assert is_tree(parsed.heads)
            assert "_" not in parsed.labels


@pytest.mark.compiler
def test_an_untrained_classifier_still_ends_in_class(test: list[Sentence], train: list[Sentence]) -> None:
    """With one sentence to learn from nearly every choice is a guess."""
    parser = Parser("arc-eager", settings=QUICK).fit(train[:1])
    check_parses(parser, test)

    assert all(is_projective(parsed.heads) for parsed in parser.predict(test))
    assert parser.counts.not_ended == 0


@pytest.mark.compiler
def test_the_checker_notices_what_is_wrong(eager: Parser, test: list[Sentence]) -> None:
    from dataclasses import replace

    [parsed] = eager.predict(test[:1])

    assert any("other heads" in p for p in problems(eager, test[0], replace(parsed, before=(None,) * test[0].words)))
    assert any(
        "not permissible" in p or "goes on" in p
        for p in problems(eager, test[0], replace(parsed, transitions=parsed.transitions[::-1]))
    )
    assert any("disagrees" in p for p in problems(eager, test[0], replace(parsed, transitions=parsed.transitions[:2])))
    others = ("other",) * test[0].words
    assert any("other labels" in p for p in problems(eager, test[0], replace(parsed, labels=others)))
    turned = tuple(range(test[0].words))
    assert any("not the interpreter's graph" in p for p in problems(eager, test[0], replace(parsed, heads=turned)))


@pytest.mark.compiler
def test_the_checker_decodes_what_was_encoded(train: list[Sentence], test: list[Sentence]) -> None:
    from dataclasses import replace

    parser = Parser("arc-eager", pseudo_projective="head+path").fit(train)
    crossing = 0
    for sentence, parsed in zip(test, parser.predict(test), strict=True):
        assert list(problems(parser, sentence, parsed)) == []
        attached = tuple(head or 0 for head in parsed.before)
        if parsed.heads != attached:
            crossing += 1
            [problem] = problems(parser, sentence, replace(parsed, heads=attached))
            assert problem.endswith("with its headless words attached to 0, decoded")
        others = (*parsed.labels[:-1], "other")
        assert any("other labels" in p for p in problems(parser, sentence, replace(parsed, labels=others)))

    assert crossing > 3


@pytest.mark.compiler
@pytest.mark.parametrize("copied", [lambda parser: pickle.loads(pickle.dumps(parser)), deepcopy])
def test_a_parser_that_has_parsed_can_be_copied(
    copied: Callable[[Parser], Parser], eager: Parser, test: list[Sentence]
) -> None:
    parsed = eager.predict(test[:5])

    assert copied(eager).predict(test[:5]) == parsed


@pytest.mark.compiler
def test_the_length_of_a_batch_does_not_matter(
    eager: Parser, test: list[Sentence], monkeypatch: pytest.MonkeyPatch
) -> None:
    together = eager.predict(test)
    monkeypatch.setattr("arcproof.classifiers.parsing.BATCH_SENTENCES", 1)

    assert eager.predict(test) == together


@pytest.mark.compiler
def test_a_model_with_support_vectors_is_saved_and_comes_back(
    tmp_path: Path, train: list[Sentence], test: list[Sentence]
) -> None:
    parser = Parser("arc-eager", learner="svc").fit(train)
    parser.save(tmp_path / "m")
    again = Parser.load(tmp_path / "m")

    assert again.predict(test) == parser.predict(test)
    assert parser.score(test) > 0.9


@pytest.mark.compiler
def test_the_same_input_gives_the_same_file(tmp_path: Path, train: list[Sentence]) -> None:
    for name in ("a", "b"):
        Parser("arc-eager", settings=QUICK).fit(train[:50]).save(tmp_path / name)

    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.process
def test_a_model_loads_in_a_fresh_process_with_its_own_specification(
    tmp_path: Path, eager: Parser, test: list[Sentence]
) -> None:
    eager.save(tmp_path / "m")
    code = (
        "import sys; from arcproof.classifiers import Parser\n"
        "p = Parser.load(sys.argv[1]); print([x.heads for x in p.predict('artificial-test')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "m")], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == str([parsed.heads for parsed in eager.predict(test)])


@pytest.mark.compiler
def test_damaged_and_foreign_files_get_a_message(tmp_path: Path, eager: Parser) -> None:
    good = tmp_path / "good"
    eager.save(good)
    content = good.read_bytes()
    bad = tmp_path / "bad"
    damaged = [b"", b"hello", content[: len(content) // 2], content[:2000] + b"\0" * 500 + content[2500:]]
    for data in damaged:
        bad.write_bytes(data)
        with pytest.raises(BadModel, match="bad"):
            Parser.load(bad)
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("hello.txt", "hello")
    with pytest.raises(BadModel, match=r"no model\.json"):
        Parser.load(bad)
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("model.json", '{"format": "arcproof model 0"}')
    with pytest.raises(BadModel, match="not of the format"):
        Parser.load(bad)
    with pytest.raises(UnreadableFile):
        Parser.load(tmp_path / "none")


@pytest.mark.compiler
def test_every_byte_of_a_model_that_is_changed_is_noticed_or_harmless(tmp_path: Path, train: list[Sentence]) -> None:
    Parser("arc-eager", settings=QUICK).fit(train[:3]).save(tmp_path / "m")
    content = bytearray((tmp_path / "m").read_bytes())
    for place in range(0, len(content), max(1, len(content) // 60)):
        changed = bytearray(content)
        changed[place] ^= 0xFF
        (tmp_path / "x").write_bytes(bytes(changed))
        with suppress(BadModel):
            Parser.load(tmp_path / "x")


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("kind", "name", "wrong"),
    [
        ("svc", "intercepts", lambda array: array[:-1]),
        ("svc", "present", lambda array: array + 1000),
        ("fast", "joins", lambda array: array + 1000),
    ],
)
def test_every_part_of_a_model_is_looked_at_when_it_is_loaded(
    kind: Kind, name: str, wrong: Callable[[Any], Any], tmp_path: Path, train: list[Sentence]
) -> None:
    """A file that is no zip error, but does not go together, is refused at once and not in the middle of parsing."""
    Parser("arc-eager", learner=kind).fit(train[:60]).save(tmp_path / "m")
    with zipfile.ZipFile(tmp_path / "m") as archive:
        content = {entry: archive.read(entry) for entry in archive.namelist()}
    changed = [entry for entry in content if entry.endswith(f"/{name}.npy")]
    assert changed
    for entry in changed:
        file = io.BytesIO()
        np.lib.format.write_array(file, wrong(np.lib.format.read_array(io.BytesIO(content[entry]))))
        with zipfile.ZipFile(tmp_path / "bad", "w") as archive:
            for other, data in content.items():
                archive.writestr(other, file.getvalue() if other == entry else data)
        with pytest.raises(BadModel, match="damaged"):
            Parser.load(tmp_path / "bad")


@pytest.mark.compiler
def test_pseudo_projective_parsing_finds_crossing_arcs(train: list[Sentence], test: list[Sentence]) -> None:
    plain = Parser("arc-eager").fit(train)
    pseudo = Parser("arc-eager", pseudo_projective="head+path").fit(train)
    crossing = sum(not is_projective(parsed.heads) for parsed in pseudo.predict(test))

    assert crossing > 3
    assert all(is_projective(parsed.heads) for parsed in plain.predict(test))
    assert pseudo.score(test) > plain.score(test)
    assert not any("↑" in label or "↓" in label for parsed in pseudo.predict(test) for label in parsed.labels)


def test_every_setting_has_a_name_and_survives_scikit_learns_clone() -> None:
    from sklearn.base import clone

    from arcproof.transitions.system import load

    parser = Parser("swap", bootstrap=3, pseudo_projective="path", settings=Settings(epochs=9))

    assert set(parser.get_params(deep=False)) == {
        "system", "features", "learner", "oracle", "policy", "pseudo_projective", "skip_nonprojective", "bootstrap", "explore", "beam", "tags", "settings",
    }  # fmt: skip
    assert clone(parser) == parser
    assert clone(Parser(load("swap"))) == Parser(load("swap"))


@pytest.mark.compiler
def test_scikit_learn_cross_validates_and_searches(train: list[Sentence]) -> None:
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.utils.validation import check_is_fitted

    parser = Parser("arc-eager", settings=QUICK)
    some = train[:40]
    search = GridSearchCV(parser, {"settings__epochs": [1, 2], "policy": ["permissible"]}, cv=2).fit(some)

    assert cross_val_score(parser, some, cv=2).mean() > 0.8
    assert search.best_params_["settings__epochs"] in (1, 2)
    assert make_pipeline(clone_of(parser)).fit(some).score(some) > 0.9
    with pytest.raises(ValueError, match="not fitted"):
        check_is_fitted(parser)


def clone_of(parser: Parser) -> Parser:
    return Parser(**parser.get_params(deep=False))


def long_sentence(words: int) -> Sentence:
    [some] = treebank("artificial-test")[:1]
    tokens = tuple(some.tokens[k % some.words] for k in range(words))
    return Sentence(1, 1, tokens, None, (), ())


@pytest.mark.compiler
def test_the_command_line_trains_parses_and_evaluates(arcproof, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    trained = arcproof("train", "arc-eager", "artificial-train", "-o", "m", "--epochs", "2")
    assert (trained.code, trained.err) == (0, "")
    assert "lifted to be derivable: 35 of 300 sentences" in trained.out
    parsed = arcproof("parse", "m", "artificial-test", "-o", "p.conllu", "--check")
    assert parsed.code == 0, parsed.err
    assert "checked with the interpreter: 100 runs, 0 contradictions" in parsed.err
    gold = on_board("artificial-test")
    assert gold is not None
    before = [line.split("\t") for line in gold.read_text(encoding="utf-8").splitlines()]
    after = [line.split("\t") for line in (tmp_path / "p.conllu").read_text(encoding="utf-8").splitlines()]
    assert [f[:6] + f[8:] for f in before] == [f[:6] + f[8:] for f in after]
    scored = arcproof("evaluate", "artificial-test", "p.conllu", "p.conllu", "--details")
    assert scored.code == 0
    assert scored.out.startswith("816 words of 100 sentences are scored; punctuation is not\n")
    as_json = arcproof("evaluate", "artificial-test", "p.conllu", "p.conllu", "--json", "--punct")
    assert '"words": 916' in as_json.out
    jsonschema.validate(json.loads(as_json.out), schema("evaluate"))


@pytest.mark.compiler
def test_what_the_commands_write_as_json_follows_the_schemas(arcproof) -> None:  # type: ignore[no-untyped-def]
    commands = {
        "train": ["train", "arc-eager", "artificial-train", "-o", "m", "--epochs", "1", "--json", "-"],
        "parse": ["parse", "m", "artificial-test", "-o", "p", "--check", "--json", "-"],
    }
    for name, arguments in commands.items():
        result = arcproof(*arguments)
        value = json.loads(result.out)

        assert result.code == 0, result.err
        jsonschema.validate(value, schema(name))
        some = value[0] if isinstance(value, list) else value
        some.pop("transitions", None)
        some.pop("cite", None)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(value, schema(name))
    refused = arcproof("parse", "m", "artificial-test", "--json", "-")
    assert (refused.code, "cannot both go to standard output" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("train", "arc-eager", "a.conllu", "-o", "a.conllu"), "a.conllu"),
        (("train", "arc-eager", "a.conllu", "-o", "hard"), "hard"),
        (("train", "mine.tsys[d=1]", "a.conllu", "-o", "mine.tsys"), "mine.tsys"),
        (("train", "arc-eager", "artificial-train", "--features", "a.conllu", "-o", "a.conllu"), "a.conllu"),
        (("parse", "a.conllu", "artificial-test", "-o", "soft"), "soft"),
        (("experiment", "arc-eager:features=d/table.csv", "--treebank", "artificial", "-o", "d"), "d/table.csv"),
        (("prove", "arc-hybrid", "--certificates", "d", "--check", "--json", "d/arc-hybrid.json"), "d/arc-hybrid.json"),
    ],
)
def test_no_input_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], named: str) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d").mkdir()
    for name in ("a.conllu", "mine.tsys", "d/table.csv", "d/arc-hybrid.json"):
        (tmp_path / name).write_text("precious")
    try:
        (tmp_path / "soft").symlink_to("a.conllu")
        (tmp_path / "hard").hardlink_to(tmp_path / "a.conllu")
    except OSError as error:
        if named in ("soft", "hard"):
            pytest.skip(f"no links on this file system: {error}")

    with pytest.raises(click.UsageError, match=rf"{named} is read by this command; give the name of another"):
        cli(list(arguments), standalone_mode=False)
    assert (tmp_path / "a.conllu").read_text() == (tmp_path / "mine.tsys").read_text() == "precious"


def test_no_output_is_written_over_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").touch()
    (tmp_path / "y").hardlink_to(tmp_path / "x")

    for name, other in (("new", "./new"), ("x", "y")):
        with pytest.raises(click.UsageError, match="two outputs cannot both go to"):
            cli(["parse", "m", "artificial-test", "-o", name, f"--json={other}"], standalone_mode=False)
    with pytest.raises(click.UsageError, match="two outputs cannot both go to"):
        cli(["prove", "arc-hybrid", "--certificates", "d", "--json", "d/arc-hybrid.json"], standalone_mode=False)
    with pytest.raises(click.UsageError, match="a model is not written to standard output"):
        cli(["train", "arc-eager", "artificial-train", "-o", "-"], standalone_mode=False)


@pytest.mark.compiler
def test_an_output_file_appears_when_it_is_complete(arcproof, tmp_path: Path, eager: Parser) -> None:  # type: ignore[no-untyped-def]
    eager.save(tmp_path / "m")
    word = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    (tmp_path / "bad.conllu").write_text(word * 600 + "2" + word)
    (tmp_path / "out").write_text("old")

    failed = arcproof("parse", "m", "bad.conllu", "-o", "out")
    assert (failed.code, "bad.conllu:1201: sentence 601: word 21 where word 1 should be" in failed.err) == (2, True)
    assert (tmp_path / "out").read_text() == "old"
    assert not list(tmp_path.glob("*.part"))
    assert arcproof("parse", "m", "bad.conllu", "-o", "out", "--skip-bad", "--quiet").code == 0
    assert (tmp_path / "out").read_text().count("\t0\t") == 600


@pytest.mark.nightly
@pytest.mark.compiler
def test_parsing_reads_no_further_than_a_batch_ahead(eager: Parser) -> None:
    taken = 0

    def endless() -> Iterator[Sentence]:
        nonlocal taken
        while True:
            taken += 1
            yield long_sentence(5)

    for _, parsed in islice(eager.parse_with(endless()), 3):
        assert is_tree(parsed.heads)
    assert taken == BATCH_SENTENCES


@pytest.mark.compiler
def test_one_sentence_of_standard_input_is_parsed(tmp_path: Path, eager: Parser) -> None:
    eager.save(tmp_path / "m")
    result = CliRunner().invoke(cli, ["parse", str(tmp_path / "m"), "-", "-o", str(tmp_path / "out")], input="1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n")  # fmt: skip

    assert (tmp_path / "out").read_text().startswith("1\ta\t_\t_\t_\t_\t0\t")
    assert "1 sentence, 1 word, " in result.output
    bad = CliRunner().invoke(cli, ["parse", str(tmp_path / "m"), "-"], input="x\n")
    assert str(bad.exception).startswith("standard input:1: sentence 1: 1 column")
    skipping = CliRunner().invoke(cli, ["parse", str(tmp_path / "m"), "-", "-o", "-", "--skip-bad"], input="x\n")
    assert "standard input: 1 bad sentence skipped" in skipping.output
    assert not (tmp_path / "-").exists()


@pytest.mark.compiler
def test_bootstrapping_needs_an_oracle_and_goes_with_lifted_and_encoded_trees(train: list[Sentence]) -> None:
    from arcproof.transitions.system import load
    from tests.classifiers.test_features import without_oracles

    with pytest.raises(CannotBeTrained, match="has no oracle"):
        Parser(without_oracles(load("arc-eager")), bootstrap=1).fit(train[:5])
    some = [sentence for sentence in train if not is_projective(sentence.heads)][:10]
    again = Parser("arc-eager", settings=QUICK)._fit(some, 1)
    assert again.trained_on is not None
    assert all(is_projective(graph.heads) for graph in again.trained_on.derived)
    encoded = Parser("arc-eager", bootstrap=1, pseudo_projective="head+path", settings=QUICK).fit(train[:40])
    assert encoded.score(train[:40]) > 0.5


@pytest.mark.compiler
def test_the_corrections_of_an_oracles_own_run_are_that_run(train: list[Sentence]) -> None:
    from arcproof.classifiers.features.model import load_model, program
    from arcproof.classifiers.features.vocabulary import Vocabulary
    from arcproof.classifiers.instances import corrected, derivation
    from arcproof.transitions.machine.arrays.module import Runner
    from arcproof.transitions.system import load

    system = load("list-nonprojective")
    code, vocabulary = Runner.of(system), Vocabulary.of(train)
    model = program(system, load_model("nivre-2008-list"), vocabulary)
    for sentence in train[:10]:
        gold = derivation(code, model, vocabulary, sentence, sentence.graph)
        run = system.derive(sentence.graph).transitions
        same = corrected(code, model, vocabulary, sentence, run, None)

        assert (same.codes.tolist(), same.labels.tolist()) == (gold.codes.tolist(), gold.labels.tolist())
        assert (same.rows == gold.rows).all()


@pytest.mark.compiler
def test_off_the_gold_path_the_advice_is_permissible(train: list[Sentence]) -> None:
    """Every SHIFT taken too early leaves arcs that can no longer be built; the oracle's next permissible line is the
    label.
    """
    from arcproof.classifiers.features.model import load_model, program
    from arcproof.classifiers.features.vocabulary import Vocabulary
    from arcproof.classifiers.instances import corrected
    from arcproof.transitions.configuration import Transition
    from arcproof.transitions.machine.arrays.module import Runner
    from arcproof.transitions.system import load

    system = load("arc-eager")
    code, vocabulary = Runner.of(system), Vocabulary.of(train)
    model = program(system, load_model("nivre-2008-stack"), vocabulary)
    [sentence] = train[:1]
    run = [Transition("SHIFT")] * sentence.words
    found = corrected(code, model, vocabulary, sentence, run, None)
    c = system.start(sentence.words)
    for number in found.codes.tolist():
        assert code.transition(number) in system.permissible(c)
        c = system.apply(c, Transition("SHIFT"))


@pytest.mark.compiler
def test_cross_validation_trains_every_stage_of_every_fold_once(
    train: list[Sentence], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    learn, score = Trainer.learn, Trainer.score
    monkeypatch.setattr(Trainer, "learn", lambda *given: (done.append("learn"), learn(*given))[1])
    monkeypatch.setattr(Trainer, "score", lambda *given: (done.append("score"), score(*given))[1])
    Parser("arc-eager", bootstrap=2, settings=QUICK)._trainer().stages(train[:40], 2)

    assert done.count("learn") == done.count("score") >= 10


COPIES = """system copies
  shared
  cite "in no paper"
  state stack σ, buffer β, list λ head right
  start [0], [1..n], []
  final β = []

  LEFT-ARC(l)    σ|i, j|β, λ  =>  σ, j|β, λ              add j -l-> i     if i != 0, no head(i)
  RIGHT-ARC(l)   σ|i, j|β, λ  =>  σ|i|j, β, λ|j|j|j|j    add i -l-> j     if no head(j)
  REDUCE         σ|i, β, λ    =>  σ, β, λ                                 if head(i)
  SHIFT          σ, i|β, λ    =>  σ|i, β, λ|i|i|i|i

  oracle reduce-late
    LEFT-ARC(l)    σ|i, j|β, λ   if gold j -l-> i
    RIGHT-ARC(l)   σ|i, j|β, λ   if gold i -l-> j
    REDUCE         σ|i, j|β, λ   if head(i), exists k in σ: gold k -> j or gold j -> k
    SHIFT

  claims
    terminates
"""


@pytest.mark.compiler
@pytest.mark.parametrize("beam", [1, pytest.param(3, marks=pytest.mark.nightly)])
def test_a_figure_that_shares_nodes_has_the_room_that_it_needs(
    beam: int, train: list[Sentence], test: list[Sentence]
) -> None:
    """Each word stands five times; `AssertionError: a permitted transition was refused` was all that came of it."""
    short = [sentence for sentence in train if sentence.words <= 7]
    shared = Parser(load(COPIES), features="nivre-2008-stack", beam=beam, settings=QUICK).fit(short)
    plain = Parser("arc-eager", features="nivre-2008-stack", beam=beam, settings=QUICK)
    kept = [sentence for k, sentence in enumerate(short, start=1) if k not in shared.trained_on.left_out]  # type: ignore[union-attr]
    found, expected = shared.predict(test), plain.fit(kept).predict(test)

    assert max(sentence.words for sentence in test) > 10
    assert [(parsed.heads, parsed.labels, parsed.transitions) for parsed in found] == [
        (parsed.heads, parsed.labels, parsed.transitions) for parsed in expected
    ]
    assert shared.counts == plain.counts
    for sentence, parsed in zip(test[:10], found, strict=False):
        assert list(problems(shared, sentence, parsed)) == []
