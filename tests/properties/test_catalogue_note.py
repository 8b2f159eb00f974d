"""The tables of `proofs_notes/catalogue.md` are what the machine counts; its sessions are executed with the other
documents.
"""

import re
from collections.abc import Iterator

import pytest

from arcproof.properties.engines.engine import engine_for
from arcproof.transitions.system import load
from tests.catalogue import LATER, MUTANT_WORDS, MUTANTS, each
from tests.conftest import ROOT

TEXT = (ROOT / "proofs_notes" / "catalogue.md").read_text(encoding="utf-8")
KINDS = ("configurations", "outputs", "longest run")
WORDS = 5


def rows(heading: str) -> Iterator[list[str]]:
    """The cells of the table under a heading, without its first two rows."""
    section = TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    for line in re.findall(r"^\|(.*)\|$", section, re.MULTILINE)[2:]:
        yield [cell.strip() for cell in line.split("|")]


def counts() -> dict[str, list[list[int]]]:
    """For each system the three rows of numbers."""
    found: dict[str, list[list[int]]] = {}
    current: list[list[int]] = []
    for name, kind, *numbers in rows("Counts"):
        current = found.setdefault(name, []) if name else current
        assert kind == KINDS[len(current)]
        current.append([int(number.replace(",", "")) for number in numbers])
    return found


def test_every_later_system_is_in_every_table() -> None:
    assert set(counts()) == set(LATER)
    assert {name for name, _ in rows("Which graphs they derive")} == set(LATER)
    assert {name for name, *_ in rows("What is reconstructed")} == set(LATER)


@pytest.mark.compiler
@pytest.mark.parametrize("name", each(LATER))
def test_the_counts_are_those_of_the_machine(name: str) -> None:
    engine = engine_for(load(name), "compiled")
    levels = [engine.count(words, None) for words in range(1, WORDS + 1)]
    found = [[level.configurations, level.outputs, level.longest] for level in levels]

    assert [list(numbers) for numbers in zip(*found, strict=True)] == [row[:WORDS] for row in counts()[name]]


def test_the_scores_are_those_of_the_buckets() -> None:
    table = {name: [*map(int, numbers)] for name, *numbers, _ in rows("Would the claims notice a small mistake?")}
    scores = {name: cells[-1] for name, *cells in rows("Would the claims notice a small mistake?")}

    assert table == {name: [MUTANT_WORDS, sum(found), *found] for name, found in MUTANTS.items()}
    for name, (killed, _, alternative, undecided, _) in MUTANTS.items():
        share = 100 * killed / (killed + alternative + undecided)
        assert abs(float(scores[name].removesuffix(" %")) - share) < 0.1
