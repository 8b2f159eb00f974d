"""The papers' example sentences and the derivations the papers print; every meaning of a figure runs over this table."""

from dataclasses import dataclass

from arcproof.transitions.graph import Graph, graph_of


@dataclass(frozen=True)
class Example:
    """A sentence, its gold graph, and where it is printed."""

    source: str
    words: tuple[str, ...]
    graph: Graph


def _example(source: str, words: str, heads: tuple[int, ...], labels: str) -> Example:
    return Example(source, tuple(words.split()), graph_of(heads, labels.split()))


HEARING = _example(
    "Nivre 2009, Figure 1",
    "A hearing is scheduled on the issue today .",
    (2, 3, 0, 3, 2, 7, 5, 4, 3),
    "DET SBJ ROOT VG NMOD DET PC ADV P",
)
NEWS = _example(
    "Nivre 2008, Figure 2",
    "Economic news had little effect on financial markets .",
    (2, 3, 0, 5, 3, 5, 8, 6, 3),
    "NMOD SBJ ROOT NMOD OBJ NMOD NMOD PMOD P",
)
KVALITU = _example(
    "Nivre 2008, Figure 1",
    "Z nich je jen jedna na kvalitu .",
    (5, 1, 0, 5, 3, 3, 6, 0),
    "AuxP Atr Pred AuxZ Sb AuxP Adv AuxK",
)

LETTERS = {
    "S": "SHIFT",
    "L": "LEFT-ARC",
    "R": "RIGHT-ARC",
    "X": "SWAP",
    "D": "REDUCE",
    "N": "NO-ARC",
}

# Nivre 2009, Figure 3, row by row: transition, label, the stack and the buffer as far as the paper prints them
# (`...` stands for the paper's ellipsis), added arc.
FIGURE_3_OF_NIVRE_2009 = """
SHIFT          | 0 1       | 2 ... 9 |
SHIFT          | 0 1 2     | 3 ... 9 |
LEFT-ARC DET   | 0 2       | 3 ... 9 | 2 1
SHIFT          | 0 2 3     | 4 ... 9 |
SHIFT          | 0 ... 3 4 | 5 ... 9 |
SHIFT          | 0 ... 4 5 | 6 ... 9 |
SWAP           | 0 ... 3 5 | 4 ... 9 |
SWAP           | 0 2 5     | 3 ... 9 |
SHIFT          | 0 ... 5 3 | 4 ... 9 |
SHIFT          | 0 ... 3 4 | 6 ... 9 |
SHIFT          | 0 ... 4 6 | 7 ... 9 |
SWAP           | 0 ... 3 6 | 4 ... 9 |
SWAP           | 0 ... 5 6 | 3 ... 9 |
SHIFT          | 0 ... 6 3 | 4 ... 9 |
SHIFT          | 0 ... 3 4 | 7 ... 9 |
SHIFT          | 0 ... 4 7 | 8 9     |
SWAP           | 0 ... 3 7 | 4 ... 9 |
SWAP           | 0 ... 6 7 | 3 ... 9 |
LEFT-ARC DET   | 0 ... 5 7 | 3 ... 9 | 7 6
RIGHT-ARC PC   | 0 2 5     | 3 ... 9 | 5 7
RIGHT-ARC NMOD | 0 2       | 3 ... 9 | 2 5
SHIFT          | 0 ... 2 3 | 4 ... 9 |
LEFT-ARC SBJ   | 0 3       | 4 ... 9 | 3 2
SHIFT          | 0 3 4     | 8 9     |
SHIFT          | 0 ... 4 8 | 9       |
RIGHT-ARC ADV  | 0 3 4     | 9       | 4 8
RIGHT-ARC VG   | 0 3       | 9       | 3 4
SHIFT          | 0 3 9     |         |
RIGHT-ARC P    | 0 3       |         | 3 9
RIGHT-ARC ROOT | 0         |         | 0 3
"""

# Nivre 2008, Figure 8: the rows that are legible in the text at hand, λ1 | λ2 | β.
LEGIBLE_ROWS_OF_FIGURE_8 = {
    ("RIGHT-ARC", "Pred"): ((), (0, 1, 2), (3, 4, 5, 6, 7, 8)),
    ("RIGHT-ARC", "AuxP"): ((0, 1, 2), (3, 4, 5), (6, 7, 8)),
    ("RIGHT-ARC", "Adv"): ((0, 1, 2, 3, 4, 5), (6,), (7, 8)),
    ("RIGHT-ARC", "AuxK"): ((), (0, 1, 2, 3, 4, 5, 6, 7), (8,)),
}

# The derivations of Nivre 2008, Figures 4, 6, 8 and 10, by letters.
DERIVATIONS = [
    ("arc-standard", NEWS, "SLSLSSLSSSLRRRSRRS"),
    ("arc-eager", NEWS, "SLSLRSLRRSLRDDDR"),
    ("list-projective", NEWS, "SLSLRSLRRSLRNNNR"),
    ("list-nonprojective", NEWS, "SLSLNRSSLRSRSSLRSNNNNNRS"),
    ("list-nonprojective", KVALITU, "SRSNNRSSLRNLSNNRSRSNNNNNNNRS"),
    ("swap", HEARING, "SSLSSSXXSSSXXSSSXXLRRSLSSRRSRR"),
]
