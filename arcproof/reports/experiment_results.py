"""The results of `arcproof experiment` on a page: the `table.csv` that it wrote, and from it the scores by variant and
treebank.
"""

import csv
import io
from pathlib import Path
from typing import Final

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions.errors import ArcproofError, UnreadableFile
from arcproof.transitions.reading.files import text_of

NEEDED: Final = ("variant", "treebank", "LAS")


class BadExperiment(ArcproofError, ValueError):
    """The folder does not contain the results of an experiment."""


@dataclass(frozen=True, slots=True)
class Training:
    """All lines of the details; the first has the names of the columns."""

    folder: str
    rows: tuple[tuple[str, ...], ...]

    def scores(self) -> list[list[str]]:
        """LAS by variant and treebank."""
        header = self.rows[0]
        variant, treebank, las = (header.index(name) for name in NEEDED)
        found = {(row[variant], row[treebank]): row[las] for row in self.rows[1:]}
        variants = dict.fromkeys(row[variant] for row in self.rows[1:])
        treebanks = dict.fromkeys(row[treebank] for row in self.rows[1:])
        return [
            ["LAS", *treebanks],
            *([one, *(found.get((one, other), "–") for other in treebanks)] for one in variants),
        ]


def read_training(folder: str) -> Training:
    """Read the results that an experiment wrote to a folder."""
    path = Path(folder) / "table.csv"
    advice = f"; `arcproof experiment … -o {folder}` writes it"
    try:
        rows = tuple(tuple(row) for row in csv.reader(io.StringIO(text_of(path, "table", advice), newline="")) if row)
    except csv.Error as error:
        raise UnreadableFile(f"{path}: {error}{advice}") from None
    if not rows or any(name not in rows[0] for name in NEEDED):
        raise BadExperiment(f"{path} lacks the columns {', '.join(NEEDED)}; `arcproof experiment` did not write it")
    if any(len(row) != len(rows[0]) for row in rows):
        raise BadExperiment(f"{path} has rows of different lengths")
    return Training(folder, rows)
