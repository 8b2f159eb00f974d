"""Lemma files: what the prover may use, as text.

This module reads them.  `meaning.formulas` says what their formulas mean, `library.instances` puts in the parts of a
figure.

**Entries**

- A *guess* is a candidate for an invariant.  It may be false, and is used only if every move preserves it.  `using`
  names premises to try first; `unless "…"` names stronger guesses, and this one is tried only if they are thrown out.
- A *lemma* follows, in one and the same configuration, from the premises that it names after `using`: axioms of the
  class, guesses, lemmas above it.  The solvers are given these premises and no others.  `by induction on v` adds the
  statement for v - 1, where v is a variable and v - 1 >= 0; `by induction on t` adds the statement for all values of
  its variables for which the term t is smaller and not negative.  Both are well-founded, whatever the statement says.
  A `step lemma` is used only in the proofs of lemmas that name it.
- An *axiom* is taken for granted.  It is about the gold graph alone and is in a file of axioms.  `where` says for which
  classes it is an axiom: `trees` (every word has a head), `rooted` (the figure does not say `root none`), `projective`,
  `planar`, `single` (0 has one dependent), `ordered` (the oracle asks for the projective order); `not` negates.
- `basic` entries are tried first.  A basic lemma is about the gold graph alone; it is proved from axioms before the
  search begins, and then used like them.
- `define f(x) as …` names a formula.  `opaque f(x) as …` does too, but within the proofs of lemmas f is an unknown
  predicate, so that a solver does not get lost in it; `using definition of f` makes the definition available.  Outside
  of them, and in guesses, f is always written out.
- `region "name" (x): …` names a set of nodes; `within` names regions that contain it (`for Z`: one for every other
  sequence).

**Repeating entries**

- `for X` repeats an entry for every sequence of the figure, `for X, Z` for every two, in either order.  `the rest Y`
  stands for the sequences that are left, if there are any; `several S` is every choice of some sequences, `counter K`
  every counter, `flag F` every flag, `set U` every set, `region R` every region declared above.
- `root R` repeats it for the root at either end: first with 0 before all words, then with 0 after them, if 0 is not
  alone at the start.  `{R}` in a title says which, `where R is last` selects only the second case, and `before(x, y)`,
  `upto(x, y)`, `amid(x, w, y)`, `final(x)` are <, <=, between and last in that order of the nodes.
- `for X { … }` repeats all entries inside for the first sequence, then for the second, and so on; a `for` inside ranges
  over those that are left.
- `{X}` in a title is the name of what X stands for, `{|S|}` the sum of sizes.
- `where X before Z` takes each pair of sequences once, in alphabetical order.
- `unless it holds of wider regions` refers to the same entry for regions that contain these.

**Formulas**

- Numbers: `n`; `|X|` is a height, `|S|` the sum of several, `|A|` the number of arcs; `X[p]` is a cell, 0 the tail and
  |X| - 1 the head, `start X[p]` the cell in the initial configuration; `position(x)` is the cell of x, `position(x, X)`
  that in X; `headless(k)` is the number of the words 1..k without a head, `missing(U, k)` that of those not in the set
  U; a counter has its own name, and so has a flag, which is true or false.
- Places: `x in X`, `x in X but its head`, `x in R` for a region, `x in U` for a set; `gone(x)`, x is in no sequence;
  `here(x)`, it is in some; `placed(x)`, one or the other; `X is empty`; `Y is empty`, which says so of every sequence
  of Y.
- Graphs: `x -> y` and `x ->* y` are built, `gold x -> y` and `gold x ->* y` are wanted; `linked(x, y)`, x and y are
  joined by arcs, whichever way these point; `headed(x)`, `goldhead(x)`, `depth(x)`, `order(x)` (the projective order),
  `last(x)` (the last node that x dominates in gold).
- `node(x)`, `word(x)`, `between(x, w, y)`; `done(x, y)`, a certain transition was performed with x and y;
  `secondplane(x)`, the arc into x is in the second of two planes.
- `and`, `or`, `not`, `=>`, `<=>`, `forall x, y: …`, `exists x: …`; `=`, `!=`, `<`, `<=`, `>`, `>=`; `+`, `-`, `*`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from arcproof.transitions.errors import NOWHERE, ArcproofError, Place


class BadLemma(ArcproofError):
    """A lemma file that cannot be read; the message says where and why, and `where` and `reason` hold the same as
    data.
    """

    def __init__(self, rendered: str, where: Place = NOWHERE, reason: str = "") -> None:
        """Store the position along with the printed message."""
        super().__init__(rendered)
        self.where = where
        self.reason = reason or rendered


@dataclass(frozen=True)
class Tree:
    """A node of the syntax tree, with its position in the file."""

    kind: str
    parts: tuple["Tree | str", ...]
    line: int
    column: int
    end: int = field(default=0, compare=False, repr=False)
    """The column after the last character of the node, or of its first line if it spans several."""

    def trees(self) -> tuple["Tree", ...]:
        """The parts that are trees."""
        return tuple(part for part in self.parts if isinstance(part, Tree))

    def words(self) -> tuple[str, ...]:
        """The parts that are words."""
        return tuple(part for part in self.parts if isinstance(part, str))

    def part(self, kind: str) -> "Tree | None":
        """The first part of this kind; None if there is none."""
        return next((part for part in self.trees() if part.kind == kind), None)


def wrong(source: str, tree: Tree, message: str) -> BadLemma:
    """The error for a mistake in this part of the file, with the position."""
    where = Place(tree.line, tree.column, max(tree.end, tree.column + 1))
    return BadLemma(f"{source}:{tree.line}:{tree.column}: {message}", where, message)


@cache
def _parser() -> Callable[[str], object]:
    from arcproof.process.parsers import parser_of

    grammar = files("arcproof.properties.proving.language").joinpath("lemmas.lark").read_text(encoding="utf-8")
    return parser_of(grammar, maybe_placeholders=False).parse


def read(text: str, source: str) -> Tree:
    """The syntax tree of a lemma file."""
    from lark.exceptions import UnexpectedInput

    try:
        return _plain(_parser()(text), 1, 1)
    except UnexpectedInput as problem:
        line, column = getattr(problem, "line", 0), getattr(problem, "column", 0)
        shown = problem.get_context(text, 40).rstrip()
        what, token = "this is not valid in a lemma file", getattr(problem, "token", None)
        where = Place(line, column, column + max(1, len(token or "")))
        raise BadLemma(f"{source}:{line}:{column}: {what}:\n{shown}", where, what) from None
    except RecursionError:
        raise BadLemma(f"{source}: a formula is nested too deeply; use fewer parentheses") from None


def _plain(tree: object, line: int, column: int) -> Tree:
    from lark import Tree as LarkTree

    assert isinstance(tree, LarkTree)
    meta = tree.meta
    here = (line, column) if meta.empty else (meta.line, meta.column)
    end = meta.end_column if not meta.empty and meta.end_line == meta.line else here[1] + 1
    parts = tuple(_plain(part, *here) if isinstance(part, LarkTree) else str(part) for part in tree.children)
    return Tree(str(tree.data), parts, *here, end)
