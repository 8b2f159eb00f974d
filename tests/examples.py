"""The papers' example sentences and the derivations the papers print; every meaning of a figure runs over this table.

The papers of the later systems are not at hand: `TRACED` has a derivation of one of these sentences in each of them.
"""

from dataclasses import dataclass

from arcproof.transitions.graph import Arc, Graph, graph_of


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

TOLD = Example(
    "ours: a word with two heads",
    ("Ann", "told", "Bo", "to", "sleep"),
    Graph(5, frozenset(Arc(*arc) for arc in (
        (2, "nsubj", 1), (0, "root", 2), (2, "obj", 3), (5, "nsubj:xsubj", 3), (5, "mark", 4), (2, "xcomp", 5),
    ))),
)  # fmt: skip

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

# Of systems in which a word may have several heads: every transition with its label, and the configuration after it.
GRAPH_DERIVATIONS = [
    ("list-graph", TOLD, """
NO-SHIFT                   0 1       |   | 2 3 4 5
LEFT-REDUCE nsubj          0         |   | 2 3 4 5
RIGHT-SHIFT root           0 2       |   | 3 4 5
RIGHT-SHIFT obj            0 2 3     |   | 4 5
NO-SHIFT                   0 2 3 4   |   | 5
LEFT-REDUCE mark           0 2 3     |   | 5
LEFT-REDUCE nsubj:xsubj    0 2       |   | 5
RIGHT-SHIFT xcomp          0 2 5     |   |
"""),
    ("arc-eager-graph", TOLD, """
SHIFT                      0 1       | 2 3 4 5
LEFT-ARC nsubj             0 1       | 2 3 4 5
REDUCE                     0         | 2 3 4 5
RIGHT-ARC root             0         | 2 3 4 5
SHIFT                      0 2       | 3 4 5
RIGHT-ARC obj              0 2       | 3 4 5
SHIFT                      0 2 3     | 4 5
SHIFT                      0 2 3 4   | 5
LEFT-ARC mark              0 2 3 4   | 5
REDUCE                     0 2 3     | 5
LEFT-ARC nsubj:xsubj       0 2 3     | 5
REDUCE                     0 2       | 5
RIGHT-ARC xcomp            0 2       | 5
SHIFT                      0 2 5     |
"""),
]  # fmt: skip

# A derivation in each later system, by instances as `trace` prints them: `[2]` says which node was chosen.
_EAGER = (
    "SHIFT LEFT-ARC SHIFT LEFT-ARC {} SHIFT LEFT-ARC RIGHT-ARC RIGHT-ARC SHIFT LEFT-ARC RIGHT-ARC REDUCE REDUCE REDUCE "
    "RIGHT-ARC"
)
TRACED = [
    ("tree-constrained", NEWS, f"{_EAGER.format('RIGHT-ARC')} REDUCE REDUCE"),
    ("spacy", NEWS, f"{_EAGER.format('SHIFT')} REDUCE REDUCE"),
    ("nonmonotonic-2013", NEWS, f"{_EAGER.format('SHIFT')} REDUCE LEFT-ARC"),
    ("nonmonotonic-2015", NEWS, f"{_EAGER.format('SHIFT')} REDUCE LEFT-ARC"),
    (
        "nivre-2008b",
        NEWS,
        "SHIFT LEFT-ARC SHIFT LEFT-ARC SHIFT SHIFT LEFT-ARC SHIFT SHIFT SHIFT LEFT-ARC RIGHT-ARC RIGHT-ARC "
        "RIGHT-ARC SHIFT RIGHT-ARC RIGHT-ARC SHIFT",
    ),
    (
        "easy-first",
        NEWS,
        "ATTACH-LEFT[2] ATTACH-LEFT[2] ATTACH-LEFT[3] ATTACH-LEFT[5] ATTACH-RIGHT[4] ATTACH-RIGHT[3] "
        "ATTACH-RIGHT[2] ATTACH-RIGHT[2] ATTACH-RIGHT[1]",
    ),
    (
        "planar",
        NEWS,
        "SHIFT LEFT-ARC SHIFT LEFT-ARC REDUCE REDUCE RIGHT-ARC SHIFT SHIFT LEFT-ARC REDUCE RIGHT-ARC SHIFT "
        "RIGHT-ARC SHIFT SHIFT LEFT-ARC REDUCE RIGHT-ARC SHIFT REDUCE REDUCE REDUCE RIGHT-ARC SHIFT",
    ),
    (
        "choi-mccallum",
        KVALITU,
        "NO-SHIFT RIGHT-SHIFT NO-REDUCE NO-PASS RIGHT-SHIFT NO-SHIFT LEFT-REDUCE RIGHT-PASS LEFT-REDUCE NO-SHIFT "
        "NO-REDUCE RIGHT-SHIFT RIGHT-SHIFT NO-REDUCE NO-REDUCE NO-REDUCE RIGHT-SHIFT",
    ),
    (
        "hybrid-swap",
        KVALITU,
        "SHIFT SHIFT SWAP SWAP SHIFT SHIFT SHIFT RIGHT-ARC SHIFT LEFT-ARC LEFT-ARC SHIFT RIGHT-ARC SHIFT SHIFT "
        "RIGHT-ARC RIGHT-ARC SHIFT LEFT-ARC LEFT-ARC",
    ),
    (
        "mh",
        KVALITU,
        "SHIFT SHIFT DOWN-ARC[1,1] SHIFT SHIFT BUFFER-ARC[1] BUFFER-ARC[2] SHIFT DOWN-ARC[1,1] SHIFT SHIFT "
        "DOWN-ARC[1,1] DOWN-ARC[1,1] DOWN-ARC[1,1] SHIFT DOWN-ARC[1,1]",
    ),
    *(
        (
            name,
            KVALITU,
            "SHIFT LEFT SHIFT SHIFT SHIFT RIGHT RIGHT2 LEFT SHIFT SHIFT LEFT LEFT LEFT SHIFT LEFT SHIFT",
        )
        for name in ("attardi-original", "attardi-extract")
    ),
    (
        "link2",
        KVALITU,
        "SHIFT SHIFT RIGHT-ARC SHIFT SHIFT SHIFT LEFT-ARC LEFT-ARC2 RIGHT-ARC SHIFT SHIFT RIGHT-ARC RIGHT-ARC "
        "RIGHT-ARC SHIFT RIGHT-ARC",
    ),
    (
        "pointer",
        HEARING,
        "SHIFT-ATTACH[3] SHIFT-ATTACH[4] SHIFT-ATTACH[1] SHIFT-ATTACH[4] SHIFT-ATTACH[3] SHIFT-ATTACH[8] "
        "SHIFT-ATTACH[6] SHIFT-ATTACH[5] SHIFT-ATTACH[4]",
    ),
    (
        "two-planar",
        KVALITU,
        "SHIFT RIGHT-ARC SHIFT REDUCE REDUCE RIGHT-ARC SHIFT SHIFT LEFT-ARC REDUCE RIGHT-ARC SWITCH REDUCE REDUCE "
        "REDUCE LEFT-ARC SHIFT SWITCH REDUCE RIGHT-ARC SHIFT RIGHT-ARC SHIFT REDUCE REDUCE REDUCE RIGHT-ARC SHIFT",
    ),
]

TAGGING = """system tagging
  state stack σ, buffer β
  start [0], [1..n]
  final σ = [0], β = []
  LEFT-ARC(l)   σ|i|j, β  =>  σ|j, β  add j -l-> i  if i != 0
  RIGHT-ARC(l)  σ|i|j, β  =>  σ|i, β  add i -l-> j
  SHIFT(p)      σ, i|β    =>  σ|i, β  tag i p
  oracle static
    LEFT-ARC(l) σ|i|j, β if gold j -l-> i, complete(i)
    RIGHT-ARC(l) σ|i|j, β if gold i -l-> j, complete(j)
    SHIFT(p) σ|j, i|β if gold tag i p
  claims
    complete projective trees
"""
"""Arc-standard on the stack, tagging what it shifts."""
ROOT_NONE = """system hybrid-without-root
  root none
  state   stack σ, buffer β
  start   [], [1..n]
  final   |σ| <= 1, β = []
  LEFT-ARC   σ|s, b|β  =>  σ, b|β   add b -> s
  RIGHT-ARC  σ|t|s, β  =>  σ|t, β   add t -> s
  SHIFT      σ, b|β    =>  σ|b, β
  claims
    sound projective trees
    arc-decomposable on projective trees
"""
