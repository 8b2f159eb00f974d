"""What the models for other people's checkers are made of (`checker_model`, `promela`, `tla`).

A *model* is the system for a sentence of n words in the language of a model checker.  It has exactly the configurations that
`properties.exploration` visits, no more and no fewer states: the initial one included, terminal ones not expanded, compared by sequences,
flags, counters, sets and the unlabelled arcs; and it has a step for each pair of a configuration that is not terminal
and a permissible transition.

Names of a specification reach a model in two ways only: as identifiers made by `Identifiers`, and in comments, cleaned by the language
that writes the comment.
"""

import math
import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from arcproof.transitions import syntax as s
from arcproof.transitions.errors import CannotExport
from arcproof.transitions.execute import Quantity, calculate, compare
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
        """Start with the words that are taken, lists of them separated by blanks."""
        self._taken = set(" ".join(reserved).split())
        self._known: dict[Hashable, str] = {}

    def of(self, thing: Hashable, wanted: str, suffixes: tuple[str, ...] = ("",)) -> str:
        """The identifier of a thing, as wanted if that is free; with `suffixes`, the stem of so many identifiers."""
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
    """The figure, set apart, in lines that hold no control characters; the language still has to keep them from ending its comment."""
    return ["", *(f"  {for_terminal(line)}" for line in system_lines(system.figure_with_parameters)), ""]


def rule_comments(system: System) -> list[str]:
    """The line of the figure for each rule."""
    return [re.sub(" {2,}", "  ", for_terminal(line)) for line in rule_lines(system.figure_with_parameters)]


def check_words(words: int) -> None:
    """Refuse a number of words that no model is written for."""
    if not 0 <= words <= MOST_WORDS:
        raise CannotExport(f"a model is for 0 to {MOST_WORDS} words, not {words}")


# --- patterns --------------------------------------------------------------------------------------------------------

End: TypeAlias = Literal["head", "tail"]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an item of a pattern stands: after so many cells and chosen runs, counted from one end of the sequence."""

    item: s.Item
    end: End
    cells: int
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """A pattern from the head on: its items with their places, its cells, its runs whose lengths are chosen, its rest."""

    spots: tuple[Spot, ...]
    cells: int
    chosen: tuple[str, ...]
    rest: Spot | None

    @property
    def after_rest(self) -> int:
        """How many cells lie between the rest and the tail."""
        return sum(spot.end == "tail" for spot in self.spots)


def layout(pattern: s.SequenceOf, head: s.Side) -> Layout:
    """Lay out the pattern of a sequence."""
    items = pattern.items if head == "left" else pattern.items[::-1]
    segments = [index for index, item in enumerate(items) if isinstance(item, s.Segment)]
    last = segments[-1] if segments else len(items)
    chosen = s.choice_segments(pattern, head)
    spots: list[Spot] = []
    for index, item in enumerate(items):
        if index > last:
            spots.append(Spot(item, "tail", len(items) - 1 - index, ()))
        else:
            before = items[:index]
            runs = tuple(other.name for other in before if isinstance(other, s.Segment))
            spots.append(Spot(item, "head", len(before) - len(runs), runs))
    return Layout(tuple(spots), len(items) - len(segments), chosen, spots[last] if segments else None)


def is_unchanged(pattern: s.Pattern, update: s.Update) -> bool:
    """Whether a rule leaves a component as it is, seen from what it writes before and after `=>`."""
    match pattern, update:
        case s.AnyValue(name), s.FlagFrom(s.IsSet(again)) | s.CounterFrom(s.CounterVariable(again)) | s.SetFrom(
            again, ()
        ):
            return name == again
        case _:
            return pattern == update


# --- terms -----------------------------------------------------------------------------------------------------------


def boundless(term: s.Term, parameters: Mapping[str, Quantity]) -> Quantity:
    """0 for a term with a finite value; else ∞, -∞ or, for ∞ - ∞, not a number, which it is in every configuration."""
    match term:
        case s.Infinity():
            return math.inf
        case s.Parameter(name):
            return 0 if math.isfinite(parameters[name]) else parameters[name]
        case s.Arithmetic(operator, left, right):
            parts = boundless(left, parameters), boundless(right, parameters)
            if operator not in ("+", "-") and parts != (0, 0):
                raise CannotExport(f"`{term_text(term, SOURCE)}` cannot be exported: it calculates with ∞")
            return calculate(operator, *parts) if operator in ("+", "-") else 0
        case _:
            return 0


def decided(left: s.Term, relation: s.Relation, right: s.Term, parameters: Mapping[str, Quantity]) -> bool | None:
    """The truth of a comparison in which ∞ takes part, the same in every configuration; None if both sides are finite."""
    values = boundless(left, parameters), boundless(right, parameters)
    return None if values == (0, 0) else compare(values[0], relation, values[1])


def finite_counter(update: s.CounterFrom, parameters: Mapping[str, Quantity]) -> s.Term:
    """The term a counter is set to, which must be finite."""
    if boundless(update.term, parameters) != 0:
        raise CannotExport(
            f"a counter would become `{term_text(update.term, SOURCE)}`; give the parameter a finite value"
        )
    return update.term


def outside_transitions(what: object) -> CannotExport:
    """The error for a construct that belongs to oracles or claims."""
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
    """The helpers that a text needs, and those that they need; each may need those before it.

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
    """The parts that are not empty, with an empty line between them."""
    return "\n\n".join(part for part in parts if part) + "\n"
