"""Obligations: what must be shown, as text that any solver reads.

An obligation says that a goal follows from named premises.  Its text is plain SMT-LIB 2.6: the premises and the negated
goal are asserted, and the obligation is *discharged* when a solver finds that unsatisfiable (`solvers`).  Both solvers
read the same text. Obligations with the same commands are one question, whatever their names.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeAlias

from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.terms import Term

Premise: TypeAlias = tuple[str, Term]

HYPOTHESIS: Final = "the induction hypothesis"


@dataclass(frozen=True)
class Obligation:
    """The statement that the goal follows from the premises; `lemma` is the name of the lemma that it proves on the
    way, if it does.
    """

    name: str
    premises: tuple[Premise, ...]
    goal: Term
    lemma: str | None = None

    @cached_property
    def text(self) -> str:
        """SMT-LIB 2.6, with the names as comments."""
        return script([term for _, term in self.premises], self.goal, [name for name, _ in self.premises], self.name)

    @cached_property
    def commands(self) -> str:
        """The text without comments: what solvers read."""
        return script([term for _, term in self.premises], self.goal)

    @cached_property
    def question(self) -> str:
        """A name for what solvers read."""
        return digest_of(self.commands)

    @property
    def digest(self) -> str:
        """A name for the text."""
        return digest_of(self.text)

    def only(self, names: Iterable[str]) -> "Obligation":
        """The same goal from fewer premises."""
        kept = set(names)
        return replace(self, premises=tuple(p for p in self.premises if p[0] in kept))


@dataclass(frozen=True)
class SolverScript:
    """What solvers read of an obligation, in a form that can be sent to another process."""

    name: str
    commands: str


@dataclass(frozen=True)
class Written:
    """An obligation of which only the text is available."""

    name: str
    text: str
    lemma: str | None = None

    @property
    def digest(self) -> str:
        """A name for the text."""
        return digest_of(self.text)


def digest_of(text: str) -> str:
    """The hash of a script."""
    return hashlib.sha256(text.encode()).hexdigest()


def script(premises: Sequence[Term], goal: Term, names: Sequence[str] = (), title: str = "") -> str:
    """A script that is unsatisfiable if the goal follows from the premises."""
    lines = [_comment(title)] if title else []
    lines.append("(set-logic ALL)")
    lines += [t.declaration(symbol) for symbol in t.symbols([*premises, goal])]
    for index, premise in enumerate(premises):
        if names:
            lines.append(_comment(names[index]))
        lines.append(f"(assert {t.to_smt(premise)})")
    if title:
        lines.append("; the negated goal")
    lines.append(f"(assert (not {t.to_smt(goal)}))")
    lines.append("(check-sat)")
    return "\n".join(lines) + "\n"


def _comment(text: str) -> str:
    """A comment on one line, whatever the text: a second line would be read as a command."""
    return f"; {' '.join(text.split())}"
