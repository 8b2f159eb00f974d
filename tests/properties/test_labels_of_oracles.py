"""What oracles do with labels and tags: verdicts on figures whose oracles pass the wrong ones on."""

from pathlib import Path

import pytest

from arcproof.generators.enumeration import all_graphs
from arcproof.properties.checks import oracle_invariant
from arcproof.properties.checks.oracle_correct import LeadsTo
from arcproof.properties.checks.oracle_invariant import all_oracle_invariants
from arcproof.properties.claims import same_behaviour
from arcproof.properties.claims.same_behaviour import difference, labels_agree
from arcproof.properties.engines.engine import ENGINES, EngineName, engine_for
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.own_labels import takes_own_labels, told_apart
from arcproof.properties.engines.sampled import Sampling
from arcproof.properties.evidence import Exhausted, Refuted
from arcproof.properties.property import check_statement
from arcproof.properties.report import Effort
from arcproof.properties.verdict import Verdict
from arcproof.properties.verify import verify_system
from arcproof.reports.replaying import replay_commands
from arcproof.transitions.errors import NotDerivable
from arcproof.transitions.graph import graph_of
from arcproof.transitions.library import system_names
from arcproof.transitions.syntax import GraphClass, Restriction
from arcproof.transitions.system import System, load
from tests.examples import TAGGING

PROJECTIVE_TREES = GraphClass((Restriction("projective"),), "trees")
OF_ANOTHER_ARC = "LEFT-ARC(l) σ|k|i|j, β if gold j -> i, gold j -l-> k, complete(i)"


def figure(name: str = "x", first: str = "", of: str = "i") -> str:
    text = TAGGING.replace("tagging", name).replace("gold tag i", f"gold tag {of}")
    return text.replace("oracle static", f"oracle static\n    {first}") if first else text


RIGHT = figure()
LABELS = figure(first=OF_ANOTHER_ARC)
TAGS = figure(of="j")
NO_TAG = figure(first="SHIFT(p) σ|j, i|β if gold tag j p, j = 0")
"""0 has no tag, so the words that follow it get none."""
WITHOUT = "\n".join(
    line.replace("(l)", "").replace("-l->", "->") if "RIGHT-ARC" in line else line for line in RIGHT.splitlines()
)


@pytest.mark.compiler
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("text", "words"),
    [(RIGHT, None), (LABELS, 3), (TAGS, 1), (NO_TAG, 1), (WITHOUT, 1)],
    ids=["right", "labels", "tags", "no tag", "without"],
)
def test_an_oracle_that_passes_on_a_wrong_label_is_refuted_with_the_fewest_words(
    engine: EngineName, text: str, words: int | None
) -> None:
    """The label of another gold arc once made `oracle correct` exhausted, though `trace` derives no such graph."""
    system = load(text)
    found = check_statement(Levels(system, 4, engine=engine_for(system, engine)), LeadsTo("static", PROJECTIVE_TREES))

    if words is None:
        assert found.verdict is Verdict.EXHAUSTED
        return
    assert isinstance(found, Refuted)
    assert found.words == words
    assert found.counterexample.graph is not None
    with pytest.raises(NotDerivable, match="does not derive"):
        system.derive(found.counterexample.graph, "static", told_apart(system, found.counterexample.graph)[1])


@pytest.mark.parametrize("name", system_names())
def test_every_built_in_oracle_takes_the_labels_of_the_arcs_it_adds(name: str) -> None:
    """Native code follows these oracles; the others are left to the interpreter."""
    system = load(name)

    assert all(takes_own_labels(system, oracle) for oracle in system.figure.oracles)


def test_an_oracle_takes_its_own_labels_whatever_its_variables_are_called() -> None:
    renamed = RIGHT.replace("σ|i|j, β if gold j -l-> i, complete(i)", "σ|t|s, β if gold s -l-> t, complete(t)")
    systems = {text: load(text) for text in (RIGHT, renamed, LABELS, TAGS, WITHOUT)}

    assert [takes_own_labels(system, system.oracle()) for system in systems.values()] == [
        True,
        True,
        False,
        False,
        False,
    ]


@pytest.mark.parametrize(("first", "of", "words"), [("", "i", None), (OF_ANOTHER_ARC, "i", 3), ("", "j", 1)])
def test_like_sees_labels_and_tags(tmp_path: Path, first: str, of: str, words: int | None) -> None:
    (tmp_path / "one.tsys").write_text(figure("one"), encoding="utf-8")
    text = f"{figure('two', first, of)}\n    like one.tsys on projective trees\n"
    (tmp_path / "two.tsys").write_text(text, encoding="utf-8")
    system = load(str(tmp_path / "two.tsys"))
    report = verify_system(system, Effort(4, Sampling(0), in_depth=False, engine="interpreter"))
    finding = report.claims[1]

    assert finding.decided is (Verdict.EXHAUSTED if words is None else Verdict.REFUTED)
    assert finding.counterexample is None or finding.counterexample.words == words
    for _, _, *options in replay_commands(finding):
        assert {"--labels", "--tags"} <= set(options)


def test_only_lengths_that_are_tried_in_full_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are 1, 3 and 12 projective trees of one, two and three words."""
    monkeypatch.setattr(same_behaviour, "MAX_GRAPHS", 10)
    monkeypatch.setattr(oracle_invariant, "MOST_RUNS", 10)
    (tmp_path / "one.tsys").write_text(figure("one", OF_ANOTHER_ARC), encoding="utf-8")
    text = figure("two", OF_ANOTHER_ARC).replace("  oracle", "  invariant of static: σ != []\n  oracle")
    (tmp_path / "two.tsys").write_text(f"{text}\n    like one.tsys on projective trees\n", encoding="utf-8")
    system = load(str(tmp_path / "two.tsys"))

    for question in (system.figure.claims[1].statement, *all_oracle_invariants(system)):
        found = check_statement(Levels(system, 3), question)
        assert isinstance(found, Exhausted)
        assert (found.words, found.cases.count) == (2, 4)


@pytest.mark.parametrize(("one", "other"), [(RIGHT, RIGHT), (RIGHT, LABELS), (RIGHT, TAGS), (LABELS, LABELS)])
def test_labels_that_agree_make_no_difference(one: str, other: str) -> None:
    """If labels are said to agree, oracles that take the same transitions without labels take the same with them."""
    systems = load(one), load(other)
    assert labels_agree(*systems) is (one == other == RIGHT)
    if labels_agree(*systems):
        assert not any(difference(*systems, graph_of(heads)) for heads in all_graphs(PROJECTIVE_TREES, 3))


def test_a_wrong_tag_is_no_derivation() -> None:
    text = RIGHT.replace(
        "σ|j, i|β if gold tag i p", "σ|j, i|β if j = 0, gold tag i p\n    SHIFT(p) σ|j, _|β if gold tag j p"
    )
    with pytest.raises(NotDerivable, match="it tags 2 as DET, but the gold tag is NOUN"):
        load(text).derive(graph_of((0, 1)), tags=("DET", "NOUN"))


def test_a_word_that_gets_the_tag_of_0_is_no_derivation() -> None:
    """It was left without a tag, and the oracle was said to be correct."""
    text = RIGHT.replace(
        "σ|j, i|β if gold tag i p", "σ|j, i|β if j != 0, gold tag i p\n    SHIFT(p) σ|j, _|β if gold tag j p"
    )
    with pytest.raises(NotDerivable, match="it leaves 1 without a tag, but the gold tag is DET"):
        load(text).derive(graph_of((0, 1)), tags=("DET", "NOUN"))


def test_a_system_is_told_apart_only_by_what_it_has() -> None:
    plain: System = load(RIGHT.replace("(l)", "").replace("-l->", "->"))

    assert told_apart(plain, graph_of((0, 1))) == (graph_of((0, 1)), ("t1", "t2"))
    assert told_apart(load("arc-eager"), graph_of((0, 1))) == (graph_of((0, 1), ("l1", "l2")), ())
