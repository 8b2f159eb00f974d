"""Which preconditions follow from the others, for sentences of every length.

A precondition of a transition is *redundant* if it holds in every reachable configuration in which the pattern and the
other preconditions hold; then the figure without it has the same runs.  Two may be redundant individually but not
together, so a *sufficient set* is found for each case of a transition as a whole: the preconditions that it omits
follow from those that it keeps.  As the runs stay the same, the sets of all transitions can be used together.  A
sufficient set is *minimal* if for each of its members there is a reachable configuration in which it alone blocks the
transition.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from arcproof.properties.engines.exploration import StateSpace
from arcproof.properties.proving.goals.soundness import move_of
from arcproof.properties.proving.goals.space import problem_of
from arcproof.properties.proving.language import terms as t
from arcproof.properties.proving.language.evaluation import to_python
from arcproof.properties.proving.meaning.model import domain, model_of
from arcproof.properties.proving.meaning.steps import SymbolicStep
from arcproof.properties.proving.meaning.symbolic import Meanings
from arcproof.properties.proving.prover import Prover
from arcproof.properties.proving.recall import Memory, Shown, known, recalled
from arcproof.properties.proving.theorem import Follows, Theorem
from arcproof.properties.proving.trusted.problem import Goal, Problem
from arcproof.properties.proving.trusted.witness import lengths_of
from arcproof.properties.verdict import Verdict
from arcproof.transitions.printing.wording import case_text
from arcproof.transitions.syntax import line_of

Ask = Callable[[Follows, Shown], Theorem | None]


@dataclass(frozen=True)
class Precondition:
    """One precondition of one case: the proof that it follows from the others, or a reachable configuration in which it
    does not.

    `line` is the line of the case, if the transition has several; `case` is then its name.
    """

    transition: str
    line: int | None
    case: str
    precondition: str
    theorem: Theorem | None
    witness: str | None

    @property
    def redundant(self) -> bool:
        """Whether it is proved to follow from the others."""
        return self.theorem is not None and self.theorem.verdict is Verdict.PROVED


@dataclass(frozen=True)
class SufficientSet:
    """Preconditions of one case from which the others follow; `minimal` if none of them can be left out as well."""

    transition: str
    line: int | None
    case: str
    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    theorem: Theorem | None
    minimal: bool


@dataclass(frozen=True)
class Redundancies:
    """Every precondition by itself, and a sufficient set for each case that has any."""

    preconditions: tuple[Precondition, ...]
    sets: tuple[SufficientSet, ...]


def redundancies(prover: Prover, memory: Memory | None, only_kept: bool = False) -> Redundancies:
    """Ask about every precondition, then about as many together as possible; with `only_kept` only cached proofs are
    used.
    """
    levels = prover.spaces
    ask = partial(_ask, prover, memory, only_kept)
    singles: list[Precondition] = []
    sets: list[SufficientSet] = []
    for step in prover.meanings.steps:
        if step.preconditions:
            own = [_single(prover, step, k, levels, ask) for k in range(len(step.preconditions))]
            singles += own
            sets.append(_sufficient(prover, step, own, levels, ask))
    return Redundancies(tuple(singles), tuple(sets))


def _ask(prover: Prover, memory: Memory | None, only_kept: bool, about: Follows, shown: Shown) -> Theorem | None:
    return (known if only_kept else recalled)(prover, about, memory, shown)


def _single(prover: Prover, step: SymbolicStep, k: int, levels: Sequence[StateSpace], ask: Ask) -> Precondition:
    text = step.preconditions[k][0]
    witness = _blocked(step, [k], levels)
    theorem = None if witness else _theorem(prover, step, [k], ask)
    return Precondition(*_case(prover, step), text, theorem, witness)


def _case(prover: Prover, step: SymbolicStep) -> tuple[str, int | None, str]:
    """The symbolic name of the case, its line if there are others, and its name."""
    line = line_of(prover.system.figure, step.rule)
    return step.name, line, step.name if line is None else case_text(step.rule.name, line)


def _sufficient(
    prover: Prover, step: SymbolicStep, singles: Sequence[Precondition], levels: Sequence[StateSpace], ask: Ask
) -> SufficientSet:
    """Leave out one precondition after the other, as long as all that are left out follow from the rest."""
    dropped: list[int] = []
    theorem: Theorem | None = None
    minimal = True
    for k, single in enumerate(singles):
        if single.witness is not None:
            continue
        if _blocked(step, [*dropped, k], levels) is not None:
            continue
        found = single.theorem if not dropped else _theorem(prover, step, [*dropped, k], ask)
        if found is not None and found.verdict is Verdict.PROVED:
            dropped, theorem = [*dropped, k], found
        else:
            minimal = False
    names = [text for text, _ in step.preconditions]
    return SufficientSet(
        *_case(prover, step),
        tuple(name for k, name in enumerate(names) if k not in dropped),
        tuple(names[k] for k in dropped),
        theorem,
        minimal,
    )


def _theorem(prover: Prover, step: SymbolicStep, dropped: Sequence[int], ask: Ask) -> Theorem | None:
    conditions = tuple(step.preconditions[k][0] for k in dropped)
    about = Follows(step.name, prover.meanings.steps.index(step), tuple(dropped), conditions)

    def follows(prover: Prover) -> Theorem:
        own = prover.meanings.steps[about.case]
        argument = prover.argument(redundancy(prover.meanings, own, dropped))
        return prover.timed(about, lambda: prover.theorem(about, argument))

    return ask(about, follows)


def redundancy(meanings: Meanings, step: SymbolicStep, dropped: Sequence[int]) -> Problem:
    """The problem whose goals are that the dropped preconditions follow from those that are kept."""
    return problem_of(meanings, tuple(_goals(meanings, step, dropped)))


def _goals(meanings: Meanings, step: SymbolicStep, dropped: Sequence[int]) -> Iterator[Goal]:
    names = {f"if {step.preconditions[k][0]}" for k in dropped}
    premises = tuple(premise for premise in move_of(meanings, step).premises if premise[0] not in names)
    for text, term in dict.fromkeys(step.preconditions[k] for k in dropped):
        yield Goal(f"{step.name}: {text} follows", premises, term)


def _blocked(step: SymbolicStep, dropped: Sequence[int], levels: Sequence[StateSpace]) -> str | None:
    """A reachable, non-terminal configuration in which only dropped preconditions block the transition."""
    kept = [term for k, (_, term) in enumerate(step.preconditions) if k not in dropped]
    others = [step.preconditions[k][1] for k in dropped]
    lets_in = to_python(t.conjunction(*step.pattern, *kept, t.negation(t.conjunction(*others))))
    for space in levels:
        choices = lengths_of([*step.guard], space.words)
        for number, c in enumerate(space.configurations):
            model = model_of(space.system, c)
            if not space.terminal[number] and any(lets_in({**model, **way}, domain(space.words)) for way in choices):
                return str(c)
    return None
