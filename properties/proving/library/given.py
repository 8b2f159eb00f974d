"""The lemmas of a figure: its `lemma` lines, in the language of lemma files (`language.lemmas`).

There the sequences and counters of the figure have their own names, in addition to those that `for` binds.  A lemma
that cannot be read, or that has no meaning, raises `BadLemma` with its position in the figure's file; one that is false
costs time and proves nothing.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from arcproof.properties.proving.language.lemmas import BadLemma, Tree, read
from arcproof.properties.proving.library.instances import (
    CLASS_WORDS,
    axioms_where,
    candidates,
    gold_lemmas,
    instances,
    instances_of,
)
from arcproof.properties.proving.meaning.formulas import Binding, Counter, Flag, One
from arcproof.properties.proving.meaning.state import SymbolicState, Unsupported
from arcproof.properties.proving.meaning.symbolic import Meanings, meanings_of
from arcproof.properties.proving.trusted.facts import Lemma
from arcproof.properties.proving.trusted.problem import GOAL
from arcproof.transitions import syntax as s
from arcproof.transitions.errors import Diagnostic, Place
from arcproof.transitions.reading.read import render
from arcproof.transitions.system import System

WORD: Final = "lemma "
NOT_A_LEMMA: Final = "see examples/helping-the-prover.md for the language of lemmas"


def check_lemmas(system: System) -> None:
    """Raise `BadLemma` for the first `lemma` line that has no meaning; nothing is checked if the figure has no symbolic
    meaning.
    """
    for problem in lemma_problems(system):
        shown = render([problem], system.text, system.reference)
        raise BadLemma(shown, problem.where, problem.message)


def lemma_problems(system: System) -> Iterator[Diagnostic]:
    """Yield what is wrong with the `lemma` lines, at most one problem per line."""
    if not system.figure.lemmas:
        return
    try:
        meanings = meanings_of(system)
    except Unsupported:
        return
    titles = _titles(meanings)
    for line in system.figure.lemmas:
        try:
            _check_line(line, system, meanings, titles)
        except BadLemma as problem:
            yield Diagnostic(_within(problem.where, system.text), problem.reason, NOT_A_LEMMA)


def _within(where: Place, text: str) -> Place:
    """The place, or the end of the last line if the text has no such place."""
    lines = text.rstrip("\n").split("\n")
    if 1 <= where.line <= len(lines) and where.column >= 1:
        return where
    end = len(lines[-1]) + 1
    return Place(len(lines), max(1, end - 1), end)


def _check_line(line: s.GivenLemma, system: System, meanings: Meanings, titles: set[str]) -> None:
    state = meanings.before
    for lemma in lemmas_of(line, system, state, meanings.start):
        if lemma.name in titles:
            raise _wrong(line, system, f"another lemma or guess is called {lemma.name!r}; choose a different title")
        titles.add(lemma.name)
        lemma.candidate.formula(state)
        lemma.goal(state)
        lemma.definitions(state)


def _titles(meanings: Meanings) -> set[str]:
    """The titles of built-in axioms, guesses and lemmas, and the name under which goals are shown."""
    known = instances(meanings.before, meanings.start, meanings.special)
    guesses = candidates(meanings.before, meanings.start, meanings.special)
    classes = [some for size in range(len(CLASS_WORDS) + 1) for some in combinations(CLASS_WORDS, size)]
    axioms = (axiom.name for some in classes for axiom in axioms_where(some))
    lemmas = (lemma.name for lemma in (*known.lemmas, *gold_lemmas()))
    return {GOAL, *(c.name for c in (*guesses, *known.guesses)), *lemmas, *axioms}


def given_lemmas(system: System, state: SymbolicState, start: SymbolicState) -> tuple[Lemma, ...]:
    """The lemmas of all lines, in order."""
    return tuple(lemma for line in system.figure.lemmas for lemma in lemmas_of(line, system, state, start))


def lemmas_of(line: s.GivenLemma, system: System, state: SymbolicState, start: SymbolicState) -> tuple[Lemma, ...]:
    """The lemmas of one line, one for each choice of what `for` binds."""
    tree = read(_as_entry(line), system.reference)
    if [item.kind for item in tree.trees()] != ["lemma"]:
        raise _wrong(line, system, "one lemma per line, and nothing else")
    mentioned = set(_words(tree))
    bound: dict[str, Binding] = {one.name: One(one.name) for one in state.sequences if one.name in mentioned}
    bound |= {name: Counter(name) for name in state.counters if name in mentioned}
    bound |= {name: Flag(name) for name in state.flags if name in mentioned}
    return instances_of(tree, system.reference, state, start, bound=bound).lemmas


def _wrong(line: s.GivenLemma, system: System, message: str) -> BadLemma:
    where = line.where
    return BadLemma(f"{system.reference}:{where.line}:{where.column}: {message}", where, message)


def _as_entry(line: s.GivenLemma) -> str:
    """The text of a lemma file that contains the lemma at the position that it has in the figure's file."""
    written = (line.written or "\n" * (line.where.line - 1) + " " * len(WORD) + line.text).rstrip()
    begin = len(written) - len(written.lstrip())
    blank = written[:begin]
    stop = "" if written.endswith(".") else "."
    return f"{blank[: -len(WORD)]}{WORD}{written[begin:]}{stop}"


def _words(tree: Tree) -> Iterator[str]:
    yield from tree.words()
    for part in tree.trees():
        yield from _words(part)
