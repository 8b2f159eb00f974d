"""The built-in treebank."""

import pytest

from arcproof.classifiers.artificial import SIZES, conllu, on_board
from arcproof.generators.classes import is_projective
from arcproof.generators.treebank import read


@pytest.mark.compiler
@pytest.mark.parametrize("name", SIZES)
def test_the_file_is_what_the_grammar_says(name: str) -> None:
    path = on_board(name)
    assert path is not None

    assert path.read_text(encoding="utf-8") == conllu(*SIZES[name])


def test_it_has_crossing_arcs_and_two_word_orders() -> None:
    path = on_board("artificial-train")
    assert path is not None
    found = list(read(path))
    crossing = sum(not is_projective(sentence.graph.heads) for sentence in found)
    last = sum(sentence.tokens[0].form == "ka" for sentence in found)

    assert len(found) == 300
    assert 30 < crossing < 100
    assert 100 < last < 200
