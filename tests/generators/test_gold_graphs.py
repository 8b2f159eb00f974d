"""Gold graphs from treebanks, forests included."""

from pathlib import Path

from arcproof.generators.treebank import read
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


def test_labels_and_words_without_a_head_are_kept(tmp_path: Path) -> None:
    [sentence] = read(written(tmp_path, row(1, "_", label="_") + row(2, 1, label="obj")), forests=True)

    assert sentence.graph.arcs == {Arc(1, "obj", 2)}


def test_every_real_treebank_is_read(treebanks: Path) -> None:
    """The counts of sentences and words are those of the treebanks' README."""
    table = (treebanks / "README.md").read_text(encoding="utf-8")
    for name in ("danish_ddt-test.conllu", "swedish_talbanken-test.conllu", "conllx/danish_ddt_test.conll"):
        cells = next(line for line in table.splitlines() if line.startswith(f"| {name} ")).split("|")
        found = list(read(treebanks / name, forests=True))
        assert (int(cells[2]), int(cells[3])) == (len(found), sum(len(s.forms) for s in found))
