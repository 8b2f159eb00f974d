"""Coverage of graphs in which a word may have several heads."""

import json
from collections.abc import Iterable
from pathlib import Path

import jsonschema
import pytest

from arcproof.generators.treebank import Sentence, Tally, read
from arcproof.properties.studies.coverage import Covered, GraphSpread, count_all
from arcproof.transitions.system import System, load
from tests.properties.test_verify import schema

SYSTEMS = ["list-graph", "arc-eager-graph"]


def sentence(*deps: str) -> str:
    return "".join(f"{k}\tw\tw\tN\tN\t_\t0\tdep\t{arcs}\t_\n" for k, arcs in enumerate(deps, start=1)) + "\n"


TREE = sentence("2:a", "0:root")
TWO_HEADS = sentence("2:a|0:root", "0:root")
CYCLE = sentence("2:a", "1:b|0:root")
CROSSING = sentence("3:a|2:c", "0:root", "2:b")
NULL = TREE.replace("\n\n", "\n2.1\tw\tw\tN\tN\t_\t_\t_\t0:root\t_\n\n")


def cover_graphs(systems: list[System], sentences: Iterable[Sentence]) -> tuple[GraphSpread, list[Covered]]:
    spread = GraphSpread.of(systems)
    return spread, count_all(systems, sentences, spread)


def test_what_each_system_derives_and_which_classes_there_are(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(TREE + TWO_HEADS + CYCLE + CROSSING + NULL, encoding="utf-8")
    tally = Tally()
    spread, [by_list, eager] = cover_graphs([load(name) for name in SYSTEMS], read(path, graphs=True, tally=tally))

    assert (tally.sentences, tally.with_null_nodes) == (5, 1)
    assert (spread.sentences, spread.arcs, spread.words, spread.words_with_several) == (4, 12, 9, 3)
    assert spread.heads == {1: 1, 2: 3}
    assert (spread.classes["acyclic"], spread.classes["planar"], spread.classes["planar acyclic"]) == (3, 3, 2)
    assert (by_list.sentences, eager.sentences) == (3, 2)
    assert by_list.first_missed is not None
    assert (by_list.first_missed.number, by_list.arcs) == (3, 11)


def test_trees_and_graphs_of_one_file_are_covered_side_by_side(arcproof, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "a.conllu").write_text(TREE + TWO_HEADS + NULL, encoding="utf-8")
    done = arcproof("coverage", "arc-eager", "list-graph", "--treebank", "a.conllu")
    said = json.loads(arcproof("coverage", "arc-eager", "list-graph", "--treebank", "a.conllu", "--json").out)

    assert done.code == 0
    assert "a.conllu: 3 sentences, 6 arcs\n" in done.out
    assert "a.conllu: 2 sentences, 5 arcs, graphs with several heads\n" in done.out
    assert "  1 of 3 sentences left out: it has null nodes\n" in done.out
    jsonschema.validate(said, schema("coverage"))
    assert [found["system"] for part in ("treebanks", "graphs") for one in said[part] for found in one["systems"]] == [
        "arc-eager", "list-graph",
    ]  # fmt: skip
    assert said["graphs"][0]["with_null_nodes"] == 1


def test_sdp_files_are_covered_by_systems_for_graphs_alone(arcproof, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "a.sdp").write_text("#1\n1\ta\ta\tN\t-\t+\t_\n2\tb\tb\tN\t+\t-\tARG1\n", encoding="utf-8")
    graphs = arcproof("coverage", "list-graph", "--treebank", "a.sdp")
    trees = arcproof("coverage", "arc-eager", "--treebank", "a.sdp")

    assert "list-graph  1 (100.00 %)  2 (100.00 %)  -" in graphs.out
    assert trees.code == 2
    assert "a.sdp:2: sentence 1: this is an SDP-style file" in trees.err


@pytest.mark.long
def test_real_enhanced_graphs(treebanks: Path) -> None:
    """Counted independently with networkx."""
    sentences = list(read(treebanks / "english_ewt-test.conllu", graphs=True))[:100]
    spread, [eager] = cover_graphs([load("arc-eager-graph")], sentences)

    assert eager.sentences == spread.classes["planar acyclic"]
    assert 0 < eager.sentences < spread.classes["planar"] < 100


@pytest.mark.nightly
def test_the_systems_derive_the_graphs_of_their_classes(treebanks: Path) -> None:
    for name in (
        "bulgarian_btb",
        "czech_fictree",
        "dutch_alpino",
        "dutch_lassysmall",
        "english_ewt",
        "swedish_talbanken",
    ):
        sentences = read(treebanks / f"{name}-test.conllu", graphs=True)
        spread, [by_list, eager] = cover_graphs([load(system) for system in SYSTEMS], sentences)
        assert (by_list.sentences, eager.sentences) == (spread.classes["acyclic"], spread.classes["planar acyclic"])
