"""Gold graphs with several heads in files: the DEPS of CoNLL-U, and SDP-style files."""

from pathlib import Path

import pytest

from arcproof.generators.treebank import Tally, read, read_sentence
from arcproof.transitions.errors import BadTreebank
from arcproof.transitions.graph import Arc, Graph


def deps(number: object, arcs: str, head: object = 0) -> str:
    return f"{number}\tw{number}\tl\tN\tNN\tCase=Nom\t{head}\tdep\t{arcs}\tx=y\n"


def written(folder: Path, text: str) -> Path:
    file = folder / "a.conllu"
    file.write_bytes(text.encode())
    return file


CONTROL = deps(1, "2:nsubj|3:nsubj:xsubj") + deps(2, "0:root") + deps(3, "2:xcomp") + deps(4, "_") + "\n"
DM_2014 = (
    "#20001001\n1\tPierre\tPierre\tNNP\t-\t+\t_\t_\n2\tVinken\t_\tNNP\t-\t-\tcompound\tARG1\n"
    "3\tjoins\tjoin\tVBZ\t+\t+\t_\t_\n\n"
)
DM_2015 = (
    "#SDP 2015\n#22000001\n1\tPierre\tPierre\tNNP\t-\t+\tn:x\t_\t_\n2\tVinken\t_\tNNP\t-\t-\t_\tcompound\tARG1\n"
    "3\tjoins\tjoin\tVBZ\t+\t+\tv:e-i-p\t_\t_\n\n"
)
VINKEN = Graph(3, frozenset({Arc(1, "compound", 2), Arc(3, "ARG1", 2), Arc(0, "top", 3)}))


def test_deps_give_several_heads(tmp_path: Path) -> None:
    [sentence] = read(written(tmp_path, CONTROL), graphs=True)
    arcs = {Arc(2, "nsubj", 1), Arc(3, "nsubj:xsubj", 1), Arc(0, "root", 2), Arc(2, "xcomp", 3)}

    assert sentence.graph == Graph(4, frozenset(arcs))
    assert sentence.arc_labels == ("nsubj", "nsubj:xsubj", "root", "xcomp")


def test_two_labels_of_one_pair_make_one_arc_and_are_written_again(tmp_path: Path) -> None:
    path = written(tmp_path, deps(1, "2:nsubj|2:nsubj:xsubj") + deps(2, "0:root"))
    [sentence] = read(path, graphs=True)
    [bare] = read(path, gold=False)

    assert Arc(2, "nsubj|nsubj:xsubj", 1) in sentence.graph.arcs
    assert bare.with_graph(sentence.graph) == path.read_bytes()


def test_sentences_with_null_nodes_are_left_out_and_counted(tmp_path: Path) -> None:
    null = deps(1, "1.1:nsubj") + deps("1.1", "0:root") + "\n"
    tally = Tally()
    sentences = list(read(written(tmp_path, null + CONTROL + null), graphs=True, tally=tally))

    assert [sentence.number for sentence in sentences] == [2]
    assert (tally.sentences, tally.with_null_nodes) == (3, 2)
    with pytest.raises(BadTreebank, match=r"a\.conllu:1: sentence 1: it has null nodes"):
        read_sentence(tmp_path / "a.conllu", 1, graphs=True)


def test_trees_are_read_from_sentences_with_null_nodes_as_before(tmp_path: Path) -> None:
    [sentence] = read(written(tmp_path, deps(1, "1.1:nsubj") + deps("1.1", "0:root", "_")))

    assert sentence.heads == (0,)


@pytest.mark.parametrize(
    "text", [CONTROL, "\ufeff" + CONTROL, CONTROL.replace("\n", "\r\n"), "# a\n\n" + CONTROL * 2 + "# e"]
)
@pytest.mark.parametrize("gold", [True, False])
def test_the_same_deps_give_the_same_bytes(tmp_path: Path, text: str, gold: bool) -> None:
    path = written(tmp_path, text)
    graphs = [sentence.graph for sentence in read(path, graphs=True)]
    again = read(path, gold=gold, graphs=True)

    assert b"".join(s.with_graph(graph) for s, graph in zip(again, graphs, strict=True)) == path.read_bytes()


def test_only_deps_change(tmp_path: Path) -> None:
    [sentence] = read(written(tmp_path, CONTROL), gold=False)
    new = sentence.with_graph(Graph(4, frozenset({Arc(3, "b", 1), Arc(2, "z", 1), Arc(0, "root", 4), Arc(2, None, 3)})))

    assert new.decode() == CONTROL.replace("2:nsubj|3:nsubj:xsubj", "2:z|3:b").replace("\t0:root", "\t_").replace(
        "2:xcomp", "2:_"
    ).replace("\tdep\t_\tx=y\n\n", "\tdep\t0:root\tx=y\n\n")


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("3:a", "line 2 here: a head of word 2 in DEPS is 3; with 2 words it must be from 0 to 2"),
        ("x:a", "line 2 here: a head of word 2 in DEPS is `x`; it must be a whole number from 0 to 2"),
        ("1.1:a", "line 2 here: a head of word 2 in DEPS is `1.1`; it must be a whole number from 0 to 2"),
        ("1", "line 2 here: DEPS of word 2 has `1`; it must be head:label"),
        ("1:a|", "line 2 here: DEPS of word 2 has ``; it must be head:label"),
        ("1:", "line 2 here: DEPS of word 2 has `1:`; it must be head:label"),
        ("2:a", "line 2 here: word 2 is its own head in DEPS"),
        ("1:a|1:a", "line 2 here: DEPS of word 2 has `1:a` twice"),
    ],
)
def test_bad_deps_are_named_with_their_line(tmp_path: Path, entry: str, message: str) -> None:
    path = written(tmp_path, deps(1, "0:root") + deps(2, entry))

    with pytest.raises(BadTreebank) as problem:
        list(read(path, graphs=True))
    assert message.replace("line 2 here", f"{path}:2: sentence 1") in str(problem.value)


def test_a_file_without_deps_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadTreebank, match="it contains no arcs; graphs are read from DEPS"):
        list(read(written(tmp_path, deps(1, "_")), graphs=True))


@pytest.mark.parametrize("text", [DM_2014, DM_2015])
def test_sdp_files_are_told_by_their_columns(tmp_path: Path, text: str) -> None:
    [sentence] = read(written(tmp_path, text), graphs=True)

    assert sentence.graph == VINKEN
    assert sentence.tokens[2] == ("joins", "join", "VBZ", "VBZ", "_")
    assert ("frame" in sentence.format.columns) == (text == DM_2015)


@pytest.mark.parametrize("text", [DM_2014, DM_2015, "\ufeff" + DM_2014, DM_2015.replace("\n", "\r\n"), DM_2014 * 3])
@pytest.mark.parametrize("gold", [True, False])
def test_the_same_sdp_graph_gives_the_same_bytes(tmp_path: Path, text: str, gold: bool) -> None:
    path = written(tmp_path, text)

    assert b"".join(s.with_graph(VINKEN) for s in read(path, gold=gold, graphs=True)) == path.read_bytes()


def test_another_graph_changes_the_predicates_and_keeps_frames(tmp_path: Path) -> None:
    [sentence] = read(written(tmp_path, DM_2015), gold=False)
    new = sentence.with_graph(Graph(3, frozenset({Arc(2, "ARG2", 3), Arc(0, "top", 1)})))

    assert new.decode().splitlines()[2:5] == [
        "1\tPierre\tPierre\tNNP\t+\t-\tn:x\t_",
        "2\tVinken\t_\tNNP\t-\t+\t_\t_",
        "3\tjoins\tjoin\tVBZ\t-\t-\tv:e-i-p\tARG2",
    ]


def test_words_alone_are_parsed_but_have_no_gold_graph(tmp_path: Path) -> None:
    path = written(tmp_path, "#1\n1\ta\ta\tN\n2\tb\tb\tN\n\n")
    [sentence] = read(path, gold=False)

    assert (
        sentence.with_graph(Graph(2, frozenset({Arc(2, "x", 1)})))
        == b"#1\n1\ta\ta\tN\t-\t-\tx\n2\tb\tb\tN\t-\t+\t_\n\n"
    )
    with pytest.raises(BadTreebank, match=r"a\.conllu:2: sentence 1: word 1 has no gold columns"):
        list(read(path, graphs=True))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("NNP\t-\t-\tcompound\tARG1", "NNP\t-\t-\tcompound", r":3: sentence 1: 7 columns instead of 8: 6 and one"),
        ("NNP\t-\t-\tcompound", "NNP\t?\t-\tcompound", r":3: sentence 1: TOP of word 2 is `\?`; it must be \+ or -"),
        ("NNP\t-\t-\tcompound", "NNP\t-\t+\tcompound", r":2: sentence 1: 8 columns instead of 6 \(SDP 2014\) or 7"),
        ("NNP\t-\t+\t_\t_", "NNP\t-\t+\tx\t_", r":2: sentence 1: word 1 is its own argument"),
    ],
)
def test_bad_sdp_files_are_named_with_their_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in DM_2014
    with pytest.raises(BadTreebank, match=message):
        list(read(written(tmp_path, DM_2014.replace(old, new)), graphs=True))


DEPS_FILES = ("bulgarian_btb", "czech_cltt", "czech_fictree", "dutch_alpino", "dutch_lassysmall", "english_ewt", "swedish_talbanken")  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", DEPS_FILES)
def test_real_deps_are_written_again_byte_for_byte(treebanks: Path, name: str) -> None:
    path = treebanks / f"{name}-test.conllu"
    tally = Tally()
    graphs = {sentence.number: sentence.graph for sentence in read(path, graphs=True, tally=tally)}
    again = [
        s.with_graph(graphs[s.number]) if s.number in graphs else b"".join(s.lines) for s in read(path, gold=False)
    ]

    assert b"".join(again) == path.read_bytes()
    assert tally.sentences - tally.with_null_nodes == len(graphs)
