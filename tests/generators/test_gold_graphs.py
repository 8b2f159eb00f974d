"""Gold graphs from treebanks, forests included."""

from pathlib import Path

import pytest

from arcproof.generators.treebank import read, read_sentence
from arcproof.transitions.errors import BadTreebank, UnreadableFile
from arcproof.transitions.graph import Arc


def row(number: object, head: object, form: str = "w", label: str = "dep") -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\t{label}\t_\t_\n"


def written(path: Path, text: str) -> Path:
    file = path / "a.conllu"
    file.write_bytes(text.encode())
    return file


def test_multiword_tokens_empty_nodes_and_comments_are_passed_over(tmp_path: Path) -> None:
    text = "# sent_id = 1\n" + row("1-2", "_") + row(1, 2) + row(2, 0, "#") + row("2.1", "_") + "\n"
    [sentence] = read(written(tmp_path, text), forests=True)

    assert sentence.forms == ("w", "#")
    assert sentence.graph.heads == (2, 0)


@pytest.mark.parametrize("prefix", ["", "\ufeff", "\n\n"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_byte_order_marks_blank_lines_and_line_ends_do_not_matter(tmp_path: Path, prefix: str, newline: str) -> None:
    text = prefix + (row(1, 0) + "\n\n\n" + row(1, 2) + row(2, 0)).replace("\n", newline)

    assert [s.graph.heads for s in read(written(tmp_path, text), forests=True)] == [(0,), (2, 0)]


def test_labels_and_words_without_a_head_are_kept(tmp_path: Path) -> None:
    [sentence] = read(written(tmp_path, row(1, "_", label="_") + row(2, 1, label="obj")), forests=True)

    assert sentence.graph.arcs == {Arc(1, "obj", 2)}


def test_a_sentence_is_read_whatever_the_others_are(tmp_path: Path) -> None:
    path = written(tmp_path, "1\tw\n\n# two\n" + row(1, "_") + "\n" + row(1, 1))

    assert read_sentence(path, 2).graph.heads == (None,)
    assert (read_sentence(path, 2).first_line, read_sentence(path, 2).line) == (3, 4)


def test_an_empty_file_has_no_sentences(tmp_path: Path) -> None:
    path = written(tmp_path, "")

    with pytest.raises(BadTreebank, match="the file contains no sentences"):
        list(read(path, forests=True))
    with pytest.raises(BadTreebank, match="there is no sentence 1; the file has 0"):
        read_sentence(path, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            row(1, 0) + "2\tw\t0\n",
            r"a\.conllu:2: sentence 1: 3 columns instead of 10 \(CoNLL-U or CoNLL-X\), separated by tabs",
        ),
        ("\u00a0", r"a\.conllu:1: sentence 1: 1 column instead of 10 \(CoNLL-U, CoNLL-X\)"),
        (row(1, 0) + "\u2003\n", r"a\.conllu:2: sentence 1: 1 column instead of 10"),
        (row(1, 0) + "\n" + row(1, 2) + row(2, 1), r"a\.conllu:3: sentence 2: the heads form a cycle: 1 -> 2 -> 1"),
        (row(1, 5), r"a\.conllu:1: sentence 1: the head of word 1 is 5; with 1 word it must be from 0 to 1"),
        (row(1, 1), r"a\.conllu:1: sentence 1: the heads form a cycle: 1 -> 1$"),
        (row(1, 0) + row(1, 0), r"a\.conllu:2: sentence 1: word 1 where word 2 should be"),
        (row(2, 0), r"a\.conllu:1: sentence 1: word 2 where word 1 should be"),
        (
            row(1, 0) + row(2, "x"),
            r"a\.conllu:2: sentence 1: the head of word 2 is `x`; it must be a whole number from 0 to 2$",
        ),
    ],
)
def test_a_bad_sentence_is_named_with_file_line_and_reason(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadTreebank, match=message):
        list(read(written(tmp_path, text), forests=True))


def test_a_file_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_bytes(row(1, 0).encode() + b"\n" + row(1, 0, "\xe9").encode("latin-1"))

    with pytest.raises(BadTreebank, match=r"a\.conllu:3: sentence 2: not UTF-8: byte 0xe9 at column 3; save"):
        list(read(path, forests=True))
    with pytest.raises(UnreadableFile, match="this is a directory"):
        list(read(tmp_path, forests=True))


def test_a_sentence_of_5000_words_is_read(tmp_path: Path) -> None:
    text = "".join(row(k, k - 1) for k in range(1, 5001))

    assert len(next(read(written(tmp_path, text), forests=True)).forms) == 5000


def test_every_real_treebank_is_read(treebanks: Path) -> None:
    """The counts of sentences and words are those of the treebanks' README."""
    table = (treebanks / "README.md").read_text(encoding="utf-8")
    for name in ("danish_ddt-test.conllu", "swedish_talbanken-test.conllu", "conllx/danish_ddt_test.conll"):
        cells = next(line for line in table.splitlines() if line.startswith(f"| {name} ")).split("|")
        found = list(read(treebanks / name, forests=True))
        assert (int(cells[2]), int(cells[3])) == (len(found), sum(len(s.forms) for s in found))
