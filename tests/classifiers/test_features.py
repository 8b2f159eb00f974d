"""Feature models, and the instances that an oracle makes with them."""

import random
from pathlib import Path
from textwrap import dedent

import pytest

from arcproof.classifiers.artificial import on_board
from arcproof.classifiers.features import model
from arcproof.classifiers.features.model import (
    BadFeatureModel,
    built_in_names,
    load_model,
    program,
    read_model,
    suggested_model,
)
from arcproof.classifiers.features.vocabulary import Vocabulary
from arcproof.classifiers.instances import NothingToLearn, derivation, instances
from arcproof.classifiers.native import native_runner
from arcproof.classifiers.search_oracle import SearchOracle
from arcproof.generators.enumeration import count_projective_trees, count_trees, unrank_projective_tree, unrank_tree
from arcproof.generators.treebank import Sentence, read
from arcproof.properties.engines.shortest_derivation import shortest_derivation
from arcproof.transitions.configuration import Configuration
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import Arc, Graph, graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.system import System, load
from tests.catalogue import WITHOUT_ORACLE, each
from tests.priceless import ABOUT_COSTS

MODEL = """features all-of-it
  stack[0]       form lemma cpos fpos feats deprel lval rval
  buffer[0]      fpos
  stack[-1]      form
  hd(stack[0])   form
  ld(stack[0])   form
  rd(stack[0])   form deprel
  buffer[0] - 1  form
  buffer[0] + 2  form
  context(stack[0], buffer[0])[0] form
  context(stack[0], buffer[0])[1] form
  ld(hd(stack[0])) form
  distance(stack[0], buffer[0])
  stack[0]       feats.Case
  hd(stack[0])   feats.VerbForm
"""


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    path = on_board("artificial-train")
    assert path is not None
    return list(read(path))[:30]


def by_the_book(c: Configuration, sentence: Sentence) -> list[str]:
    """The features of MODEL from the interpreter's configuration, word by word."""
    σ, β = c["σ"], c["β"]
    assert isinstance(σ, tuple)
    assert isinstance(β, tuple)
    labels = {arc.dependent: arc.label for arc in c.arcs}
    heads = {arc.dependent: arc.head for arc in c.arcs}

    def children(node: int | None) -> list[int]:
        return sorted(arc.dependent for arc in c.arcs if arc.head == node) if node is not None else []

    def attribute(node: int | None, name: str) -> str:
        if node is None or not 0 <= node <= sentence.words:
            return "(no node)"
        return "(root)" if node == 0 else str(getattr(sentence.tokens[node - 1], name))

    def one_of_feats(node: int | None, name: str) -> str:
        feats = attribute(node, "feats")
        given = dict(part.split("=") for part in feats.split("|") if "=" in part)
        return feats if feats.startswith("(") else given.get(name, "_")

    def label(node: int | None) -> str:
        return "(no node)" if node is None else labels.get(node) or "(no head)"

    top = σ[-1] if σ else None
    front = β[0] if β else None
    head = None if top is None else heads.get(top)
    kids = children(top)
    roots = [
        k for k in range(top + 1, front) if not top < heads.get(k, -1) < front
    ] if top is not None and front is not None else []  # fmt: skip
    values = [attribute(top, name) for name in ("form", "lemma", "cpos", "fpos", "feats")]
    values += [label(top)]
    values += ["(no node)"] * 2 if top is None else [str(sum(k < top for k in kids)), str(sum(k > top for k in kids))]
    values += [attribute(front, "fpos"), attribute(σ[0] if σ else None, "form"), attribute(head, "form")]
    values += [attribute(kids[0] if kids else None, "form"), attribute(kids[-1] if kids else None, "form")]
    values += [label(kids[-1] if kids else None)]
    values += [
        attribute(None if front is None else front - 1, "form"),
        attribute(None if front is None else front + 2, "form"),
    ]
    values += [attribute(roots[0] if roots else None, "form"), attribute(roots[1] if len(roots) > 1 else None, "form")]
    values += [attribute(children(head)[0] if children(head) else None, "form")]
    if top is None or front is None:
        values += ["(no node)"]
    else:
        apart = abs(front - top)
        values += [str(apart) if apart <= 5 else "6-10" if apart <= 10 else "over 10"]
    return [*values, one_of_feats(top, "Case"), one_of_feats(head, "VerbForm")]


@pytest.mark.compiler
@pytest.mark.parametrize("name", ["arc-eager", "arc-standard", "arc-swift", "arc-hybrid"])
def test_features_are_what_the_interpreters_configurations_say(name: str, sentences: list[Sentence]) -> None:
    system = load(name)
    code = native_runner(system)
    vocabulary = Vocabulary.of(sentences)
    model = program(system, read_model(MODEL), vocabulary)
    compared = 0
    for sentence in sentences:
        try:
            trained = derivation(code, model, vocabulary, sentence, sentence.graph)
        except NotDerivable:
            continue
        c = system.start(sentence.words)
        for row, step in zip(trained.rows, system.derive(sentence.graph).steps, strict=True):
            assert [value for _, value in model.shown(row, vocabulary)] == by_the_book(c, sentence)
            c = step.configuration
            compared += 1

    assert compared > 100


@pytest.mark.compiler
@pytest.mark.parametrize("name", each(name for name in system_names() if name not in WITHOUT_ORACLE))
def test_every_system_makes_instances_of_every_sentence(name: str, sentences: list[Sentence]) -> None:
    system = load(name)
    vocabulary = Vocabulary.of(sentences)
    model = program(system, load_model(suggested_model(system)), vocabulary)
    found = instances(native_runner(system), model, vocabulary, sentences)
    lengths = [len(system.derive(s.graph)) for s in sentences[:5] if derives(system, s)]

    assert len(found.rows) == len(found.targets) == sum(length for _, length in found.lengths)
    assert found.left_out == []
    assert found.lifted == sum(not derives(system, sentence) for sentence in sentences)
    assert (
        lengths
        == [length for (_, length), s in zip(found.lengths, sentences, strict=False) if derives(system, s)][
            : len(lengths)
        ]
    )


def derives(system: System, sentence: Sentence) -> bool:
    try:
        system.derive(sentence.graph)
    except NotDerivable:
        return False
    return True


@pytest.mark.compiler
def test_nonprojective_sentences_can_be_left_out(sentences: list[Sentence]) -> None:
    system = load("arc-eager")
    vocabulary = Vocabulary.of(sentences)
    model = program(system, load_model("nivre-2008-stack"), vocabulary)
    found = instances(native_runner(system), model, vocabulary, sentences, skip_nonprojective=True)
    crossing = [sentence.number for sentence in sentences if not derives(system, sentence)]

    assert found.left_out == crossing
    assert (found.lifted, bool(crossing)) == (0, True)
    only = [sentence for sentence in sentences if sentence.number in crossing][:1]
    with pytest.raises(NothingToLearn, match="derives none of the 1 training sentences"):
        instances(native_runner(system), model, vocabulary, only, skip_nonprojective=True)


def without_oracles(system: System) -> System:
    head, _, tail = system.text.partition("  oracle ")
    return load(f"{head}  oracle none\n\n  claims{ABOUT_COSTS.sub('', tail.partition('  claims')[2])}")


@pytest.mark.parametrize("name", ["arc-standard", "arc-eager", "arc-hybrid", "swap", "list-nonprojective"])
def test_a_figure_without_an_oracle_is_led_by_a_shortest_derivation(name: str) -> None:
    known, unknown = load(name), without_oracles(load(name))
    chance = random.Random(2)
    for words in range(1, 9):
        heads = unrank_projective_tree(words, chance.randrange(count_projective_trees(words)))
        found = SearchOracle(unknown).derive(graph_of(heads))
        c = unknown.start(words)
        for transition in found:
            c = unknown.apply(c, transition)

        assert unknown.is_terminal(c)
        assert c.graph.heads == heads
        assert len(found) <= len(known.derive(graph_of(heads)))


@pytest.mark.parametrize(
    "name", ["arc-standard", "arc-eager", "swap", "list-nonprojective", "choi-palmer", "nl-covington"]
)
def test_no_derivation_is_shorter(name: str) -> None:
    """Beside the breadth-first search of `properties`, which is slow and simple."""
    system = without_oracles(load(name))
    chance = random.Random(5)
    compared = 0
    for words in range(1, 5):
        for _ in range(4):
            gold = graph_of(unrank_tree(words, chance.randrange(count_trees(words))))
            shortest = shortest_derivation(system, gold)
            if shortest is not None:
                assert len(SearchOracle(system).derive(gold)) == len(shortest), gold
                compared += 1

    assert compared > 5


def test_a_case_without_a_label_gets_none() -> None:
    text = "system x\nstate stack σ, buffer β\nstart [0], [1..n]\nfinal β = []\n"
    text += "RIGHT     σ|i, j|β => σ|i|j, β  add i -> j    if i = 0\n"
    text += "RIGHT(l)  σ|i, j|β => σ|i|j, β  add i -l-> j  if i != 0\noracle none\n"
    gold = Graph(2, frozenset({Arc(0, "root", 1), Arc(1, "obj", 2)}))

    assert [transition.label for transition in SearchOracle(load(text)).derive(gold)] == [None, "obj"]


def test_the_search_knows_when_there_is_nothing_to_find_and_when_it_gave_up() -> None:
    with pytest.raises(NotDerivable, match="arc-eager cannot derive 2,0,1"):
        SearchOracle(without_oracles(load("arc-eager"))).derive(graph_of((2, 0, 1)))
    with pytest.raises(NotDerivable, match="among the first 3 configurations"):
        SearchOracle(without_oracles(load("arc-eager")), limit=3).derive(graph_of((2, 0, 2, 3, 3)))


@pytest.mark.compiler
def test_instances_without_an_oracle_have_features_too(sentences: list[Sentence]) -> None:
    system = without_oracles(load("arc-standard"))
    vocabulary = Vocabulary.of(sentences)
    model = program(system, load_model("nivre-2008-stack"), vocabulary)
    some = [s for s in sentences if s.words < 8 and derives(load("arc-standard"), s)][:3]
    with_oracle = instances(native_runner(load("arc-standard")), model, vocabulary, some)

    assert instances(native_runner(system), model, vocabulary, some).lengths == with_oracle.lengths


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("features x\n  stack[0] colour\n", "m:2: there is no attribute `colour`; the attributes are form, lemma"),
        ("features x\n  stack[0]\n", r"m:2: which attributes of stack\[0\]\?"),
        ("features x\n  stack(0) form\n", r"m:2: `\(` where `\[` should be"),
        ("features x\n  stack[x] form\n", "m:2: `x` where a number should be"),
        ("features x\n  stack[0\n", "m:2: the line ends too early"),
        ("features x\n  %\n", "m:2: `%` is not understood"),
        ("features x\n  distance(stack[0], buffer[0]) form\n", "m:2: `form` after distance"),
        ("features x\n  stack[0] form form\n", r"m: form\(stack\[0\]\) is given twice"),
        ("features x\n  stack[0] feats.\n", "m:2: `.` is not understood"),
        ("features x\n  stack[0] feats.*\n", "m: it has only morphological features, which a treebank may lack"),
        ("stack[0] form\n", "m: a feature model begins with `features NAME`"),
        ("", "m: a feature model begins with `features NAME`"),
    ],
)
def test_a_bad_model_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(BadFeatureModel, match=message):
        read_model(text, "m")


def test_a_model_that_does_not_fit_the_figure_is_refused() -> None:
    with pytest.raises(
        BadFeatureModel, match="arc-eager has no list1 for the feature model to look at; its state is stack σ, buffer β"
    ):
        program(load("arc-eager"), load_model("nivre-2007"), Vocabulary(((),) * 5, ()))
    with pytest.raises(
        BadFeatureModel,
        match="the built-in ones are choi-palmer-2011, graph-stack, joined-stack, morphology-stack, nivre-2007",
    ):
        load_model("none")


@pytest.mark.parametrize("name", built_in_names())
def test_every_built_in_model_is_read(name: str) -> None:
    model = load_model(name)

    assert model.name == name
    assert model.cite


JOINED = "features j\n  stack[0] cpos form\n  buffer[0] cpos\n  distance(stack[0], buffer[0])\n"


def test_joins_are_places_of_features_and_without_them_all_pairs_are_joined() -> None:
    text = (
        JOINED
        + "  join cpos(stack[0]) cpos(buffer[0])\n  join form(stack[0]) cpos(buffer[0]) distance(stack[0], buffer[0])\n"
    )
    model = read_model(text)

    joins = program(load("arc-eager"), model, Vocabulary.of([])).joins
    assert joins is not None
    assert joins.tolist() == [[0, -1, -1], [1, -1, -1], [2, -1, -1], [3, -1, -1], [0, 2, -1], [1, 2, 3]]
    assert program(load("arc-eager"), read_model(JOINED), Vocabulary.of([])).joins is None


FEATS = """1\tA\ta\tDET\t_\tCase=Nom|Number[psor]=Sing\t2\tdet\t_\t_
2\tB\tb\tNOUN\t_\tCase=Acc|masc\t0\troot\t_\t_
3\tC\tc\tVERB\t_\t_\t2\tx\t_\t_

"""


def with_feats(tmp_path: Path) -> list[Sentence]:
    (tmp_path / "feats.conllu").write_text(FEATS, encoding="utf-8")
    return list(read(tmp_path / "feats.conllu"))


def test_each_morphological_feature_has_values_of_its_own(tmp_path: Path) -> None:
    [sentence] = with_feats(tmp_path)
    vocabulary = Vocabulary.of([sentence])
    new = sentence.tokens[0]._replace(feats="Case=Dat|masc")

    assert vocabulary.morphological == {
        "Case": ("_", "Nom", "Acc"),
        "Number[psor]": ("_", "Sing"),
        "masc": ("_", "masc"),
    }
    assert vocabulary.tokens([*sentence.tokens, new])[5:].tolist() == [
        [1, 4, 5, 3, 2],
        [1, 4, 3, 3, 3],
        [1, 3, 4, 3, 4],
    ]


def test_a_star_is_each_morphological_feature_and_in_a_join_the_same_of_all_nodes(tmp_path: Path) -> None:
    text = "features x\n  stack[0] cpos feats.*\n  buffer[0] feats.* feats.Mood\n"
    text += "  join feats.*(stack[0]) feats.*(buffer[0])\n  join cpos(stack[0]) feats.Mood(buffer[0])\n"
    vocabulary = Vocabulary.of(with_feats(tmp_path))
    found = program(load("arc-eager"), read_model(text), vocabulary)
    names = [f"feats.{name}" for name in ("Case", "Number[psor]", "masc")]

    features = [str(feature) for feature in found.model.features]
    assert features == ["cpos(stack[0])", *(f"{n}({at})" for at in ("stack[0]", "buffer[0]") for n in names)]
    assert found.joins is not None
    assert found.joins.tolist()[7:] == [[1, 4, -1], [2, 5, -1], [3, 6, -1]]


def test_the_example_in_the_definition_is_a_feature_model() -> None:
    """A formatter had joined its lines."""
    assert model.__doc__ is not None
    example = "".join(line for line in model.__doc__.splitlines(keepends=True) if line.startswith("    "))
    found = read_model(dedent(example))
    assert (found.name, found.cite, len(found.joins)) == ("my-model", "where it comes from", 1)
