"""Reading and writing treebanks for the trained parser."""

from pathlib import Path

import pytest

from arcproof.generators.formats import CONLL_09
from arcproof.generators.treebank import Sentence, read
from arcproof.transitions.errors import BadTreebank


def row(number: object, head: object, form: str = "w", label: str = "dep") -> str:
    return f"{number}\t{form}\tl\tN\tNN\tCase=Nom\t{head}\t{label}\t_\tx=y\n"


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "a.conllu"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


TWO = (
    "# sent_id = 1\n"
    + row("1-2", "_")
    + row(1, 2, "#")
    + row(2, 0, "a b  c")
    + row("2.1", "_")
    + "\n\n"
    + row(1, 0)
    + "\n"
)


@pytest.mark.parametrize(
    "text",
    [
        TWO,
        "\ufeff" + TWO,
        "\ufeff\n\n" + TWO,
        TWO.replace("\n", "\r\n"),
        TWO.rstrip("\n"),
        "\n\n# c\n\n" + TWO + "\n# end\n\n#",
    ],
)
def test_the_same_tree_gives_the_same_bytes(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    again = b"".join(sentence.with_tree(sentence.heads, sentence.labels) for sentence in read(path))

    assert again == path.read_bytes()


def test_only_head_and_label_change(tmp_path: Path) -> None:
    [first, _] = read(written(tmp_path, TWO))
    new = first.with_tree((0, 1), ("root", "obj")).decode()

    assert new == "".join(first_lines(first)).replace("\t2\tdep", "\t0\troot").replace(
        "2\ta b  c\tl\tN\tNN\tCase=Nom\t0\tdep", "2\ta b  c\tl\tN\tNN\tCase=Nom\t1\tobj"
    )


def first_lines(sentence: Sentence) -> list[str]:
    return [line.decode() for line in sentence.lines]


def test_conll_09_takes_predicted_values_and_rewrites_its_own_columns(tmp_path: Path) -> None:
    text = "1\tthe\tthe\t_\tDT\tXX\t_\tf=1\t2\t2\tNMOD\tNMOD\t_\t_\tA0\n2\tcat\tcat\tkat\tNN\t_\t_\t_\t0\t0\tROOT\tROOT\tY\tcat.1\t_\n"
    [sentence] = read(written(tmp_path, text))

    assert sentence.format == CONLL_09
    assert sentence.tokens[0][1:] == ("the", "XX", "XX", "f=1")
    assert sentence.tokens[1][1:] == ("kat", "NN", "NN", "_")
    assert sentence.with_tree((0, 1), ("A", "B")).decode() == text.replace("2\t2\tNMOD\t", "0\t2\tA\t").replace(
        "0\t0\tROOT\t", "1\t0\tB\t"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (row(1, 0) + "2\tw\t0\n", r"a\.conllu:2: sentence 1: 3 columns instead of 10 \(CoNLL-U or CoNLL-X\)"),
        ("1\tw\n", r"a\.conllu:1: sentence 1: 2 columns instead of 10 \(CoNLL-U, CoNLL-X\) or 14 and more"),
        (row(1, 0) + "\n" + row(1, 2) + row(2, 1), r"a\.conllu:3: sentence 2: the heads form a cycle: 1 -> 2 -> 1; and no word is " r"attached to 0"),
        (row(1, 0) + row(2, 3) + row(3, 2), r"a\.conllu:2: sentence 1: the heads form a cycle: 2 -> 3 -> 2$"),
        (row(1, 0) + row(2, 5), r"a\.conllu:2: sentence 1: the head of word 2 is 5; with 2 words it must be " r"from 0 to 2"),
        (row(1, 0) + row(2, 2), r"a\.conllu:2: sentence 1: the heads form a cycle: 2 -> 2"),
        (row(1, 0) + row(1, 0), r"a\.conllu:2: sentence 1: word 1 where word 2 should be"),
        (row(1, 0) + row(3, 0), r"a\.conllu:2: sentence 1: word 3 where word 2 should be"),
        (row(1, "x"), r"a\.conllu:1: sentence 1: the head of word 1 is `x`; it must be a whole number from 0 to 1$"),
        (row(1, "-1"), r"a\.conllu:1: sentence 1: the head of word 1 is `-1`; it must be a whole number from 0 to 1$"),
        (row("1-5", "_") + row(1, 0), r"a\.conllu:1: sentence 1: the multiword token 1-5 must span words from 1 to 1"),
        (row(1, 0) + row("2-1", "_") + row(2, 1), r"a\.conllu:2: sentence 1: the multiword token 2-1 must span words " r"from 1 to 2"),
        (row("0-1", "_") + row(1, 0), r"a\.conllu:1: sentence 1: the multiword token 0-1"),
        (row("1-" + "9" * 5000, "_") + row(1, 0), r"a\.conllu:1: sentence 1: the multiword token 1-9{18} must"),
        (row(1, 0) + row(2, "_"), r"a\.conllu:2: sentence 1: word 2 has no head"),
        (row("١", 0), r"a\.conllu:1: sentence 1: the ID is `١`"),
        (row("x", 0), r"a\.conllu:1: sentence 1: the ID is `x`"),
        (row("9" * 5000, 0), r"a\.conllu:1: sentence 1: word 9{20} where word 1 should be"),
        *((row(1, 0) + row(wrong, "_"), rf"a\.conllu:2: sentence 1: the ID is `{wrong}`; words " r"are numbered from 1") for wrong in ("-3", "3-", ".5", "1-2.3")),
        (row(1, 0) + "\n\ufeff" + row(1, 0), r"a\.conllu:3: sentence 2: a byte order mark in the middle of the file"),
        (row(1, 0) + "\n\ufeff# c\n" + row(1, 0), r"a\.conllu:3: sentence 2: a byte order mark in the middle " r"of the file"),
        (row(1, 2).replace("\n", "\r") + row(2, 0), r"a\.conllu:1: sentence 1: a carriage return within the line"),
        ("\ufeff", r"a\.conllu: the file contains no sentences"),
        (row("1-2", "_"), r"a\.conllu:1: sentence 1: it has no word lines"),
        (row(1, 0).encode() + row(2, 1, "\xe9").encode("latin-1"), r"a\.conllu:2: sentence 1: not UTF-8: byte 0xe9 " r"at column 3"),
        ("", r"a\.conllu: the file contains no sentences"),
        ("# only\n\n", r"a\.conllu: the file contains no sentences"),
    ],
)  # fmt: skip
def test_bad_input_is_named_with_file_line_and_sentence(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(BadTreebank, match=message):
        list(read(written(tmp_path, text)))


@pytest.mark.long
def test_every_real_treebank_comes_back_byte_for_byte(treebanks: Path) -> None:
    names = ["arabic_padt-test", "czech_cltt-test", "japanese_gsd-test", "swedish_talbanken-test", "english_ewt-test"]
    for path in [*(treebanks / f"{name}.conllu" for name in names), treebanks / "conllx" / "danish_ddt_test.conll"]:
        found = list(read(path))
        again = b"".join(sentence.with_tree(sentence.heads, sentence.labels) for sentence in found)

        assert again == path.read_bytes(), path
