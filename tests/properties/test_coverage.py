"""Coverage of real treebanks by the projective systems, against the counts of the treebanks' README."""

from pathlib import Path

import pytest

from arcproof.generators.treebank import read
from arcproof.properties.studies.coverage import cover
from arcproof.transitions.system import load


def check(treebanks: Path, name: str, systems: list[str]) -> None:
    table = (treebanks / "README.md").read_text(encoding="utf-8")
    cells = next(line for line in table.splitlines() if line.startswith(f"| {name} ")).split("|")
    spread, covered = cover([load(system) for system in systems], read(treebanks / name, forests=True))

    assert (int(cells[2]), int(cells[3])) == (spread.sentences, spread.arcs)
    assert (int(cells[4]), int(cells[6])) == (spread.nonprojective_sentences, spread.nonprojective_arcs)
    for counted in covered:
        assert spread.sentences - spread.nonprojective_sentences == counted.sentences


@pytest.mark.long
def test_projective_systems_derive_the_projective_sentences_of_a_treebank(treebanks: Path) -> None:
    check(treebanks, "danish_ddt-test.conllu", ["arc-eager"])


@pytest.mark.nightly
@pytest.mark.parametrize("system", ["arc-standard", "arc-eager", "arc-standard-stack", "arc-hybrid", "arc-swift"])
def test_projective_systems_derive_the_projective_sentences_of_all_treebanks(treebanks: Path, system: str) -> None:
    """All but those in `full`, whose row in README has other columns."""
    paths = [*treebanks.glob("*.conllu"), *treebanks.glob("conllx/*.conll")]
    names = sorted(path.relative_to(treebanks).as_posix() for path in paths)

    assert len(names) == 40
    for name in names:
        check(treebanks, name, [system])
