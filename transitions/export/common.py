"""Building blocks of the models for other checkers (`walk`, `promela`, `tla`).

A *model* is the system for a sentence of n words in the language of a model checker.  It has exactly the configurations
that
`properties.exploration` visits, no more and no fewer states: the initial one included, terminal ones not expanded,
compared by sequences, flags, counters, sets and the unlabelled arcs; and it has a step for each pair of a configuration
that is not terminal and a permissible transition.

Names from a specification reach a model in only two ways: as identifiers made by `Identifiers`, and in comments,
sanitised by the language that writes the comment.
"""

import re
from collections.abc import Hashable, Iterable
from typing import Final

from arcproof.transitions.errors import CannotExport
from arcproof.transitions.plan import CounterBecomes, Term, Unbounded
from arcproof.transitions.printing.escape import for_terminal
from arcproof.transitions.printing.figure import rule_lines, system_lines
from arcproof.transitions.printing.notation import SOURCE, term_text
from arcproof.transitions.reading.spelling import ascii_name
from arcproof.transitions.system import System

MOST_WORDS: Final = 20
_LONGEST: Final = 40
_FOREIGN: Final = re.compile(r"[^A-Za-z0-9_]")


# --- names -----------------------------------------------------------------------------------------------------------


def identifier(name: str) -> str:
    """A name in ASCII letters, digits and underscores, beginning with a letter.

    >>> identifier("λ1"), identifier("LEFT-ARC"), identifier("covington[d=∞]"), identifier("i'")
    ('lambda1', 'LEFT_ARC', 'covington_d_inf', 'i_prime')
    """
    spelled = ascii_name(name).replace("'", "_prime").replace("∞", "inf")
    spelled = _FOREIGN.sub(lambda sign: "_" if sign[0].isascii() else f"u{ord(sign[0]):04x}", spelled)
    spelled = spelled.strip("_")[:_LONGEST].rstrip("_")
    return spelled if spelled[:1].isalpha() else f"x{spelled}"


class Identifiers:
    """Gives each thing one identifier: never a reserved word, never the same for two things.

    >>> names = Identifiers("end active")
    >>> names.of(1, "end"), names.of(2, "i"), names.of(3, "i"), names.of(2, "i")
    ('end_2', 'i', 'i_2', 'i')
    """

    def __init__(self, *reserved: str) -> None:
        """Start with the reserved words, given as space-separated lists."""
        self._taken = set(" ".join(reserved).split())
        self._known: dict[Hashable, str] = {}

    def of(self, thing: Hashable, wanted: str, suffixes: tuple[str, ...] = ("",)) -> str:
        """The identifier of a thing, the preferred one if it is free; with `suffixes`, the common stem of several
        identifiers.
        """
        if thing not in self._known:
            stem = identifier(wanted)
            number = 2
            while any(stem + suffix in self._taken for suffix in suffixes):
                stem = f"{identifier(wanted)}_{number}"
                number += 1
            self._taken.update(stem + suffix for suffix in suffixes)
            self._known[thing] = stem
        return self._known[thing]


# --- comments --------------------------------------------------------------------------------------------------------


def figure_comment(system: System) -> list[str]:
    """The figure, indented, in lines without control characters; the language must still keep them from ending its
    comment.
    """
    return ["", *(f"  {for_terminal(line)}" for line in system_lines(system.figure_with_parameters)), ""]


def rule_comments(system: System) -> list[str]:
    """The line of the figure for each rule."""
    return [re.sub(" {2,}", "  ", for_terminal(line)) for line in rule_lines(system.figure_with_parameters)]


def check_words(words: int) -> None:
    """Refuse a number of words for which no model can be written."""
    if not 0 <= words <= MOST_WORDS:
        raise CannotExport(f"a model is for 0 to {MOST_WORDS} words, not {words}")


# --- what cannot be exported -----------------------------------------------------------------------------------------


def finite(counter: CounterBecomes) -> Term:
    """The new value of a counter, which must be finite."""
    if isinstance(counter.value, Unbounded):
        raise CannotExport(
            f"a counter would become `{term_text(counter.written, SOURCE)}`; give the parameter a finite value"
        )
    return counter.value


def outside_transitions(what: object) -> CannotExport:
    """The error for a construct that belongs to oracles."""
    return CannotExport(f"{type(what).__name__} belongs to oracles and claims; a transition cannot ask for it")


# --- text ------------------------------------------------------------------------------------------------------------


def plus(number: int, terms: Iterable[str]) -> str:
    """The text of a sum.

    >>> plus(1, ["k"]), plus(0, ["k"]), plus(0, [])
    ('1 + k', 'k', '0')
    """
    return " + ".join([*([str(number)] if number else []), *terms]) or "0"


def minus(minuend: str, number: int, terms: Iterable[str]) -> str:
    """The text of a difference.

    >>> minus("m", 1, ["k"]), minus("m", 0, []), minus("m", -1, ["k"])
    ('m - 1 - k', 'm', 'm - k + 1')
    """
    text = " - ".join([minuend, *([str(number)] if number > 0 else []), *terms])
    return f"{text} + {-number}" if number < 0 else text


def negated(sign: str, condition: str) -> str:
    """The text of a negation, in parentheses unless the condition is a name or a simple call.

    >>> negated("!", "HEAD(i)"), negated("!", "a || b")
    ('!HEAD(i)', '!(a || b)')
    """
    return f"{sign}{condition}" if re.fullmatch(r"\w+(\([^()]*\))?", condition) else f"{sign}({condition})"


def mentions(text: str, name: str) -> bool:
    """Whether an identifier occurs in a text.

    >>> mentions("1 + k", "k"), mentions("1 + kk", "k")
    (True, False)
    """
    return re.search(rf"\b{name}\b", text) is not None


def needed_helpers(helpers: dict[str, str], body: str) -> str:
    """The helpers that a text needs, directly or indirectly; each may need those before it.

    >>> needed_helpers({"A": "define A", "B": "define B", "C": "define C by A"}, "x = C")
    'define A\\ndefine C by A'
    """
    chosen: list[str] = []
    for name, text in reversed(helpers.items()):
        if mentions(body, name):
            chosen.insert(0, text)
            body += text
    return "\n".join(chosen)


def paragraphs(parts: Iterable[str]) -> str:
    """The non-empty parts, separated by blank lines."""
    return "\n\n".join(part for part in parts if part) + "\n"
