"""Parsers for graphs in which a word may have several heads, and their scores, end to end."""

import json
import random
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from arcproof.classifiers import Parser
from arcproof.classifiers.features.model import load_model, program, read_model
from arcproof.classifiers.features.vocabulary import Vocabulary
from arcproof.classifiers.graph_scores import evaluate_graphs
from arcproof.classifiers.instances import derivable, instances
from arcproof.classifiers.learners.learner import Settings
from arcproof.classifiers.native import native_runner
from arcproof.classifiers.replay import problems
from arcproof.generators.treebank import Sentence, Token, read
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import Arc, Graph
from arcproof.transitions.system import load
from tests.properties.test_verify import schema

SYSTEMS = ["list-graph", "arc-eager-graph"]
NAMES, VERBS, ABOVE = ("Kim", "Lee", "Ann", "Bo"), ("sleep", "win", "go"), ("told", "asked", "made")


def row(word: int, form: str, tag: str, deps: str) -> str:
    return f"{word}\t{form}\t{form}\t{tag}\t{tag}\t_\t_\t_\t{deps}\t_\n"


def told(chance: random.Random) -> str:
    """`Ann told Bo to sleep`, where Bo has two heads, or `Ann saw Bo who slept`, with a cycle."""
    one, other, verb = chance.choice(NAMES), chance.choice(NAMES), chance.choice(VERBS)
    if chance.random() < 0.7:
        above, arcs = chance.choice(ABOVE), ("2:nsubj", "0:root", "2:obj|5:nsubj:xsubj", "5:mark", "2:xcomp")
        words = (one, "PROPN"), (above, "VERB"), (other, "PROPN"), ("to", "PART"), (verb, "VERB")
    else:
        arcs = ("2:nsubj", "0:root", "2:obj|5:nsubj", "3:ref", "3:acl:relcl")
        words = (one, "PROPN"), ("saw", "VERB"), (other, "PROPN"), ("who", "PRON"), (verb, "VERB")
    return "".join(row(k, *word, deps) for k, (word, deps) in enumerate(zip(words, arcs, strict=True), start=1)) + "\n"


def written(path: Path, size: int, seed: int) -> Path:
    chance = random.Random(seed)
    path.write_text("".join(told(chance) for _ in range(size)), encoding="utf-8")
    return path


@pytest.fixture
def sentences(tmp_path: Path) -> list[Sentence]:
    return list(read(written(tmp_path / "train.conllu", 60, 1), graphs=True))


@cache
def fitted(name: str, path: Path, beam: int = 1) -> Parser:
    return Parser(name, beam=beam, settings=Settings(epochs=3)).fit(path)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("graphs") / "train.conllu", 60, 1)


@pytest.mark.compiler
@pytest.mark.parametrize("name", SYSTEMS)
def test_native_instances_are_the_interpreters_derivations(name: str, sentences: list[Sentence]) -> None:
    system = load(name)
    vocabulary = Vocabulary.of(sentences)
    runner = native_runner(system)
    extracting = program(system, load_model("nivre-2008-stack"), vocabulary)
    for sentence in sentences[:20]:
        got, graph = derivable(runner, extracting, vocabulary, sentence)
        wanted = [step.transition for step in system.derive(graph).steps]
        names = [None, *vocabulary.labels]
        taken = [runner.transition(int(c), names[n]) for c, n in zip(got.codes, got.labels, strict=True)]
        assert taken == wanted


FEATURES = """features of-graphs
  stack[0]   form hval deprel lval rval
  buffer[0]  hval
  hd(stack[0])  form
  ld(stack[0])  form
  rd(stack[0])  form
"""


def by_the_book(c: Configuration, added: list[Arc], sentence: Sentence) -> list[str]:
    """The features of FEATURES from the interpreter's configuration and the arcs in the order in which they were
    added.
    """
    stack, buffer = c["σ"], c["β"]
    assert isinstance(stack, tuple)
    assert isinstance(buffer, tuple)
    forms = ["(root)", *sentence.forms]
    if not stack:
        return ["(no node)"] * 5 + [str(sum(arc.dependent == buffer[0] for arc in added))] + ["(no node)"] * 3
    i = stack[-1]
    into = [arc for arc in added if arc.dependent == i]
    below = sorted(arc.dependent for arc in added if arc.head == i)
    left, right = [d for d in below if d < i], [d for d in below if d > i]
    return [
        forms[i], str(len(into)), (into[-1].label or "_") if into else "(no head)", str(len(left)), str(len(right)),
        str(sum(arc.dependent == buffer[0] for arc in added)),
        forms[into[-1].head] if into else "(no node)",
        forms[below[0]] if below else "(no node)", forms[below[-1]] if below else "(no node)",
    ]  # fmt: skip


@pytest.mark.compiler
@pytest.mark.parametrize("name", SYSTEMS)
def test_features_are_those_of_the_interpreters_configurations(name: str, sentences: list[Sentence]) -> None:
    system, vocabulary = load(name), Vocabulary.of(sentences)
    runner, extracting = native_runner(system), program(system, read_model(FEATURES), vocabulary)
    for sentence in sentences[:20]:
        got, graph = derivable(runner, extracting, vocabulary, sentence)
        c, added = system.start(sentence.words), list[Arc]()
        for features, step in zip(got.rows, system.derive(graph).steps, strict=True):
            shown = [value for _, value in extracting.shown(features, vocabulary)]
            assert shown == by_the_book(c, added, sentence)
            c = step.configuration
            added += step.added


@pytest.mark.compiler
def test_a_graph_loses_the_arcs_that_the_oracle_cannot_build(sentences: list[Sentence]) -> None:
    """In `saw Bo who slept` Bo and the verb are heads of each other; list-graph builds one of the two arcs."""
    system = load("list-graph")
    vocabulary = Vocabulary.of(sentences)
    runner, extracting = native_runner(system), program(system, load_model("nivre-2008-stack"), vocabulary)
    found = instances(runner, extracting, vocabulary, sentences)
    cyclic = sum("who" in sentence.forms for sentence in sentences)

    assert (found.lifted, found.dropped, found.left_out) == (cyclic, cyclic, [])
    whole = instances(runner, extracting, vocabulary, sentences, skip_nonprojective=True)
    assert (whole.lifted, len(whole.left_out)) == (0, cyclic)


@pytest.mark.compiler
def test_an_arc_whose_transition_is_not_permissible_is_dropped() -> None:
    """The cycle 1 -> 2 -> 3 -> 1 is closed by an arc that list-graph refuses in the middle of its run."""
    arcs = frozenset({Arc(1, "a", 2), Arc(2, "b", 3), Arc(3, "c", 1), Arc(0, "root", 2)})
    tokens = tuple(read_tokens(3))
    sentence = Sentence(1, 1, tokens, Graph(3, arcs), (), ())
    system = load("list-graph")
    vocabulary = Vocabulary.of([sentence])
    runner, extracting = native_runner(system), program(system, load_model("nivre-2008-stack"), vocabulary)
    _, graph = derivable(runner, extracting, vocabulary, sentence)

    assert graph.arcs < arcs
    assert len(graph.arcs) == 3
    with pytest.raises(NotDerivable):
        system.derive(sentence.graph)


def read_tokens(words: int) -> list[Token]:
    return [Token("w", "w", "N", "N", "_") for _ in range(words)]


@pytest.mark.compiler
@pytest.mark.parametrize(("name", "beam"), [("list-graph", 1), ("arc-eager-graph", 1), ("list-graph", 4)])
def test_it_learns_to_give_several_heads(name: str, beam: int, trained: Path, tmp_path: Path) -> None:
    parser = fitted(name, trained, beam)
    gold = list(read(written(tmp_path / "test.conllu", 30, 2), graphs=True))
    parsed = parser.predict(gold)

    assert parser.score(gold) > 0.85
    assert any(len({arc.head for arc in p.graph.arcs if arc.dependent == 3}) == 2 for p in parsed if p.graph)
    for sentence, found in zip(gold, parsed, strict=True):
        assert list(problems(parser, sentence, found)) == []


@pytest.mark.compiler
def test_a_saved_model_parses_the_same_and_says_several_heads(trained: Path, tmp_path: Path) -> None:
    parser = fitted("list-graph", trained)
    parser.save(tmp_path / "m.model")
    again = Parser.load(tmp_path / "m.model")

    assert again.reads_graphs
    assert again.predict(trained) == parser.predict(trained)


@pytest.mark.compiler
def test_train_parse_and_evaluate_speak_of_graphs(arcproof, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    train, test = written(tmp_path / "train.conllu", 60, 1), written(tmp_path / "test.conllu", 20, 2)
    null = row(1, "Kim", "PROPN", "1.1:nsubj") + "1.1\twon\twin\tV\tV\t_\t_\t_\t0:root\t_\n\n"
    train.write_text(train.read_text() + null, encoding="utf-8")
    done = arcproof("train", "list-graph", str(train), "-o", "m", "--json", "train.json")
    said = json.loads((tmp_path / "train.json").read_text())

    assert done.code == 0, done.err
    assert "1 of 61 sentences left out: it has null nodes" in done.err
    assert "  lost 14 arcs to be derivable: 14 of 60 sentences" in done.out
    assert (said["several_heads"], said["dropped_arcs"], said["sentences"]) == (True, 14, 60)
    jsonschema.validate(said, schema("train"))

    parsed = arcproof("parse", "m", str(test), "-o", "p.conllu", "--check", "--json", "parse.json")
    assert parsed.code == 0, parsed.err
    assert "checked with the interpreter: 20 runs, 0 contradictions" in parsed.err
    assert json.loads((tmp_path / "parse.json").read_text())["several_heads"] is True

    same = arcproof("evaluate", str(test), str(test), "p.conllu", "--graphs", "--details")
    assert same.code == 0, same.err
    assert "arcs from 0 counted" in same.out
    assert "nsubj:xsubj" in same.out
    scored = arcproof("evaluate", str(test), str(test), "p.conllu", "--graphs", "--json")
    first, second = json.loads(scored.out)["parsed"]
    jsonschema.validate(json.loads(scored.out), schema("evaluate_graphs"))
    assert (first["labelled"]["f"], first["p_against_first"]) == (1.0, None)
    assert 0.8 < second["labelled"]["f"] < 1


def test_graphs_and_punctuation_are_scored_apart(arcproof, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    file = str(written(tmp_path / "a.conllu", 2, 1))
    refused = arcproof("evaluate", file, file, "--graphs", "--punct")

    assert refused.code == 2
    assert "--punct is for trees; with --graphs, every arc counts" in refused.err


# --- scores ----------------------------------------------------------------------------------------------------------


def graph(words: int, *arcs: tuple[int, str, int]) -> Graph:
    return Graph(words, frozenset(Arc(*arc) for arc in arcs))


def sentence(gold: Graph) -> Sentence:
    return Sentence(1, 1, tuple(read_tokens(gold.words)), gold, (), ())


def test_precision_recall_and_f_are_over_arcs() -> None:
    gold = graph(2, (0, "root", 2), (2, "nsubj", 1), (1, "a", 2))
    scores = evaluate_graphs([sentence(gold)], [graph(2, (0, "root", 2), (2, "obj", 1))])

    assert (scores.labelled.precision, scores.labelled.recall, scores.labelled.f) == (1 / 2, 1 / 3, 2 / 5)
    assert (scores.unlabelled.precision, scores.unlabelled.recall, scores.unlabelled.f) == (1, 2 / 3, 4 / 5)
    assert (scores.exact, scores.by_sentence, scores.found_arcs) == (0, [(1, 5)], [False, True, False])
    assert (scores.by_label["nsubj"].recall, scores.by_label["obj"].precision) == (0, 0)
    assert (scores.by_length["1"].gold, scores.by_length["to root"].found) == (2, 1)
