"""The derivation table: a run as papers print it (Nivre 2009, Figure 3).

One row for the initial configuration, then one for each step: the transition, every component of the state after it
under its own name, and the arcs that were added.  Conventions:
- With words a node is printed as its word and its index, `hearing2`, and node 0 as `ROOT0`; a word that ends in a digit
  is set off, `1997_2`.  Without words a node is its index.
- A sequence wider than `ROOM` columns is abbreviated as in the paper: the node at the tail, dots, and at the head as
  many nodes as the rules of the figure look at, at least one and at most `MOST_KEPT`.  So the stack of a system that
  compares the two topmost nodes becomes `[ROOT0, ..., is3, on5]` and its buffer `[the6, ..., .9]`.  `full=True` prints
  every node.

A table is made from the system, the name of the oracle (None for a run without one), the derivation, and the words
without the root, if given.  The functions for rows alone take no oracle.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from arcproof.process.lazy_dataclass import dataclass
from arcproof.transitions import syntax as s
from arcproof.transitions.configuration import Configuration, Derivation, Step, Transition, Value, show_value
from arcproof.transitions.errors import BadGraph
from arcproof.transitions.graph import ROOT, Arc
from arcproof.transitions.printing.escape import (
    LATEX_FRAGMENT_PREAMBLE,
    LATEX_PREAMBLE,
    display_width,
    for_latex,
    for_terminal,
    padded,
)
from arcproof.transitions.printing.notation import LATEX, TEXT
from arcproof.transitions.printing.wording import counted
from arcproof.transitions.system import System

ROOM: Final = 16
MOST_KEPT: Final = 3

Words: TypeAlias = Sequence[str] | None


# --- the formats -----------------------------------------------------------------------------------------------------


def to_text(
    system: System, oracle: str | None, derivation: Derivation, words: Words = None, *, full: bool = False
) -> str:
    """Format the table in aligned columns, with a caption below it."""
    lines = text_rows(system, derivation, words, full=full)
    return "\n".join([*lines, "", _caption(system, oracle, derivation)]) + "\n"


def text_rows(system: System, derivation: Derivation, words: Words = None, *, full: bool = False) -> list[str]:
    """The lines of the table in aligned columns, header first, without the caption."""
    rows = text_cells(system, derivation, words, full=full)
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    return ["   ".join(map(padded, row, widths)).rstrip(" ") for row in rows]


def text_cells(system: System, derivation: Derivation, words: Words = None, *, full: bool = False) -> list[list[str]]:
    """The cells of the table as plain text, header first; a row has the transition, the components and the arcs."""
    return _rows(system, derivation, _names(derivation, words), full, _TEXT)


def latex_cells(system: System, derivation: Derivation, words: Words = None, *, full: bool = False) -> list[list[str]]:
    """The cells of the table in LaTeX."""
    return _rows(system, derivation, _names(derivation, words), full, _LATEX)


def to_latex(
    system: System,
    oracle: str | None,
    derivation: Derivation,
    words: Words = None,
    *,
    full: bool = False,
    fragment: bool = False,
) -> str:
    """Return a standalone document for pdfLaTeX, or only its body; the table takes as many pages as it needs."""
    header, *rows = latex_cells(system, derivation, words, full=full)
    body = _TABLE.format(
        columns=_latex_columns(len(header)),
        header=" & ".join(header),
        rows="\n".join(" & ".join(row) + r" \\" for row in rows),
        caption=latex_caption(system, oracle, derivation),
    )
    if fragment:
        return f"% needs \\usepackage{{array,longtable}}\n{LATEX_FRAGMENT_PREAMBLE}{body}"
    return _DOCUMENT.format(foreign=LATEX_PREAMBLE, body=body)


def latex_caption(system: System, oracle: str | None, derivation: Derivation) -> str:
    """The caption in LaTeX."""
    return for_latex(_caption(system, oracle, derivation)).replace("\\ ", " ")


def _caption(system: System, oracle: str | None, derivation: Derivation) -> str:
    count = len(derivation)
    by = "" if oracle is None else f", oracle {oracle}"
    return f"{system.name}{by}: {counted(count, 'transition')}"


# --- rows, the same in every format ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Signs:
    """How one format writes the parts of a row."""

    component: Callable[[s.Component], str]
    transition: Callable[[Transition], str]
    node: Callable[[str | None, int], str]
    arc: Callable[[Arc], str]
    dots: str
    braces: tuple[str, str]
    removed: str


@dataclass(frozen=True, slots=True)
class _Names:
    """The words by node, if there are any."""

    words: Words

    def __getitem__(self, node: int) -> str | None:
        """The word at a node; ROOT for 0; None without words."""
        if self.words is None:
            return None
        return "ROOT" if node == ROOT else self.words[node - 1]


def _names(derivation: Derivation, words: Words) -> _Names:
    if words is not None and len(words) != derivation.initial.words:
        raise BadGraph(f"the derivation has {derivation.initial.words} words, but {len(words)} were given")
    return _Names(words)


def _rows(system: System, derivation: Derivation, names: _Names, full: bool, signs: _Signs) -> list[list[str]]:
    state = system.figure.state
    kept = [None if full else _kept(system, index) for index in range(len(state))]

    def values(c: Configuration) -> list[str]:
        return [
            _value(value, part, keep, names, signs) for value, part, keep in zip(c.values, state, kept, strict=True)
        ]

    rows = [["Transition", *map(signs.component, state), "Added arc"], ["", *values(derivation.initial), ""]]
    for before, step in derivation.with_before:
        rows.append([signs.transition(step.transition), *values(step.configuration), _arcs(before, step, signs)])
    return rows


def _arcs(before: Configuration, step: Step, signs: _Signs) -> str:
    added = [signs.arc(arc) for arc in step.added]
    return ", ".join(added + [f"{signs.removed} {signs.arc(arc)}" for arc in step.removed_from(before)])


def _value(value: Value, component: s.Component, kept: int | None, names: _Names, signs: _Signs) -> str:
    match value:
        case tuple():
            nodes = _abbreviated(value, component, kept, names)
            parts = [signs.dots if node is None else signs.node(names[node], node) for node in nodes]
            return "[" + ", ".join(parts) + "]"
        case frozenset():
            opening, closing = signs.braces
            return opening + ", ".join(signs.node(names[node], node) for node in sorted(value)) + closing
        case _:
            return show_value(value)


# --- abbreviation ----------------------------------------------------------------------------------------------------


def _kept(system: System, index: int) -> int:
    """How many nodes at the head of a component the rules examine, within bounds; a chosen run counts as one."""
    tests = (test for rule in system.plan.rules for test in rule.match.sequences if test.component == index)
    looked_at = [test.cells + len(test.chosen) for test in tests]
    return min(max([1, *looked_at]), MOST_KEPT)


def _abbreviated(
    nodes: tuple[int, ...], component: s.Component, kept: int | None, names: _Names
) -> tuple[int | None, ...]:
    """The nodes to print; None stands for the dots."""
    if kept is None or len(nodes) <= kept + 1 or not isinstance(component, s.SequenceComponent):
        return nodes
    short: tuple[int | None, ...]
    short = (nodes[0], None, *nodes[-kept:]) if component.head == "right" else (*nodes[:kept], None, nodes[-1])
    whole = _width(nodes, names)
    return short if whole > ROOM and _width(short, names) <= whole else nodes


def _width(nodes: Sequence[int | None], names: _Names) -> int:
    """The width of a sequence in plain text; if it is abbreviated there, it is abbreviated in every format."""
    texts = ["..." if node is None else _text_node(names[node], node) for node in nodes]
    return display_width(", ".join(texts)) + len("[]")


# --- plain text ------------------------------------------------------------------------------------------------------


def _text_node(word: str | None, node: int) -> str:
    if word is None:
        return str(node)
    shown = for_terminal(word)
    return f"{shown}{'_' if shown[-1:].isdigit() else ''}{node}"


def _text_component(component: s.Component) -> str:
    return f"{component.kind.capitalize()} {TEXT.name(component.name)}"


_TEXT: Final = _Signs(
    component=_text_component,
    transition=lambda transition: for_terminal(str(transition)),
    node=_text_node,
    arc=lambda arc: for_terminal(str(arc)),
    dots="...",
    braces=("{", "}"),
    removed="removed",
)

# --- LaTeX -----------------------------------------------------------------------------------------------------------


def _latex_transition(transition: Transition) -> str:
    name = transition.name.lower() if transition.name.isupper() else transition.name
    label = "" if transition.label is None else f"\\textsubscript{{{for_latex(transition.label)}}}"
    return f"\\textsc{{{for_latex(name)}}}{transition.chosen}{label}"


def _latex_node(word: str | None, node: int) -> str:
    return f"${node}$" if word is None else f"$\\textrm{{{for_latex(word)}}}_{{{node}}}$"


def _latex_arc(arc: Arc) -> str:
    label = "" if arc.label is None else f"\\textrm{{{for_latex(arc.label)}}}, "
    return f"$({arc.head}, {label}{arc.dependent})$"


_LATEX: Final = _Signs(
    component=lambda component: f"{component.kind.capitalize()} ${LATEX.name(component.name)}$",
    transition=_latex_transition,
    node=_latex_node,
    arc=_latex_arc,
    dots="$\\ldots$",
    braces=("\\{", "\\}"),
    removed="removed",
)

_DOCUMENT: Final = r"""\documentclass[10pt,a4paper,landscape]{{article}}
\usepackage[utf8]{{inputenc}}
\usepackage[margin=2cm]{{geometry}}
\usepackage{{array}}
\usepackage{{longtable}}
{foreign}\begin{{document}}
{body}\end{{document}}
"""

_TABLE: Final = r"""\setlength{{\LTleft}}{{0pt}}
\renewcommand{{\arraystretch}}{{1.2}}
\begin{{longtable}}{{{columns}}}
\hline
{header} \\
\hline
\endhead
\hline
\endfoot
{rows}
\end{{longtable}}
\noindent {caption}
"""

_LATEX_TRANSITION_SHARE: Final = 0.17
_LATEX_ARC_SHARE: Final = 0.15


def _latex_columns(count: int) -> str:
    """Columns that break long lists: each a share of the line, with the room for the state divided evenly."""
    share = (1 - _LATEX_TRANSITION_SHARE - _LATEX_ARC_SHARE) / max(1, count - 2)
    shares = [_LATEX_TRANSITION_SHARE, *[share] * (count - 2), _LATEX_ARC_SHARE]
    return "".join(
        rf">{{\raggedright\arraybackslash}}p{{\dimexpr{share:.3f}\linewidth-2\tabcolsep\relax}}" for share in shares
    )
