"""How configurations of any number of words are stored in arrays.

The state of one sentence of n words
- `cells[c, k]`: component c of the figure; a sequence is stored from its *tail* on, so that its head is the last of its
  `size[c]` cells and grows and shrinks in constant time; a set is a row of truth values; of a flag or counter `size[c]`
  is the value, which is at most `GREATEST_COUNTER` from 0, so that sums of counters fit into a machine word.
- `tree[row, x]`: what is known of node x in the arcs built so far, see the rows below; -1 means none.
- `gold[row, x]`: what an oracle may ask; all zero where there is no gold graph.

For a figure with `several heads` both have more rows, one for each node: `tree[ARCS_OF + d, h]` and `gold[GOLD_ARCS_OF
+ d, h]` are one more than the label of the arc from h to d, or 0 if there is none.  `HEAD` and `LABEL` are then those
of the arc that was added last, `UP` leads to a node of the same component, and an oracle asks for nothing but gold
arcs.

A transition is a *code*: the number of its name in the lowest 8 bits, then 17 bits for each choice.  A transition that
would give a word a second head, give node 0 a head or close a cycle is *irregular* and never permitted here, whatever
the figure says: no such graph can be an output.  With `several heads` it is irregular to add an arc that is there, an
arc into 0 or one from a node to itself.  A *loose* program finds it, with the answer -1 - k for the code k, but does
not take it either.

A program has an *entry* for each thing that may be asked of a figure, and works on registers of one sentence; the first
ones hold the question and the answer.
"""

from typing import Final

HEAD: Final = 0
LABEL: Final = 1
LEFTMOST: Final = 2
RIGHTMOST: Final = 3
UP: Final = 4
CORRECT: Final = 5
LEFT_VALENCY: Final = 6
RIGHT_VALENCY: Final = 7
TAG: Final = 8
TREE_ROWS: Final = 9

# Further rows where words may have several heads: room to search in, then the arcs.
SEEN: Final = 9
WAITING: Final = 10
ARCS_OF: Final = 11

GOLD_DEGREE: Final = 3
GOLD_LABELS: Final = 4
GOLD_TAGS: Final = 5
GOLD_ROWS: Final = 6
GOLD_ARCS_OF: Final = 6

GREATEST_COUNTER: Final = 1 << 40

CHOICE_BITS: Final = 17
CHOICE_MASK: Final = (1 << CHOICE_BITS) - 1

DONE: Final = 1
NO_LINE: Final = -1
NOT_PERMITTED: Final = -2
TOO_LONG: Final = -3
OTHER_GRAPH: Final = -4
DOES_NOT_FIT: Final = -5

# The first registers of a program: its input, and where it puts its answer.
WORDS: Final = 0
GIVEN_LABEL: Final = 1
FIRST_CHOICE: Final = 2
MOST_CHOICES: Final = 3
NO_LIMIT: Final = 1 << 60
ANSWER: Final = 5
LABELLED_WORD: Final = 6
LABELLED_HEAD: Final = 7  # only where words may have several heads
LABELLED_ROW: Final = 8
INPUTS: Final = 9

# Rows of entries: where the program for each question begins, by the number of a name or an oracle.
TERMINAL: Final = 0
PERMITTED: Final = 1
ALLOWS: Final = 2
STEP: Final = 3
PREDICT: Final = 4
ENTRIES: Final = 5

# Rows of entries that only a dynamic oracle needs (`costs`): what is permissible, with the word whose gold arc it adds,
# and what each name costs.
OFFERED: Final = 5
COST: Final = 6
