"""Why a precondition is there: a run with the fewest words that goes wrong without it, or that it is redundant.

`preconditions` says what dropping it does, up to some number of words; `proving.redundancy` says whether it follows
from the others for sentences of every length.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from arcproof.process.interruption import what_ended
from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import Shown, WithDocument, WithPicture, WithTable
from arcproof.process.suggestions import perhaps
from arcproof.properties.checks.preconditions import Need, dropped_preconditions, needs_of
from arcproof.properties.engines.engine import EngineName, default_engine, engine_for
from arcproof.properties.engines.exhaustive import derivation_of
from arcproof.properties.engines.levels import Levels
from arcproof.transitions.configuration import Derivation
from arcproof.transitions.errors import UnknownTransition
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.system import System

if TYPE_CHECKING:
    from arcproof.properties.proving.redundancy import Redundancies
    from arcproof.properties.proving.theorem import Theorem

MOST_MEMORY: Final = 2**30


@dataclass(frozen=True)
class Reason:
    """What dropping one precondition does; `run` is one with the fewest words that goes wrong in the figure without it,
    and `proof` the proof that it follows from the others.
    """

    need: Need
    without: System
    run: Derivation | None
    proof: "Theorem | None"


@dataclass(frozen=True, repr=False)
class Why(Shown, WithDocument, WithTable, WithPicture):
    """Every precondition of one transition, in the order of the figure; `words` is the number of words explored."""

    system: System
    transition: str
    words: int
    reasons: tuple[Reason, ...]
    ended_by: str | None = None
    """What ended the work early, if anything; then the last preconditions were not examined."""

    @property
    def exit_code(self) -> int:
        """3 if the reason for a precondition is unknown, nothing was explored, or the work ended early; otherwise 0."""
        needs = [reason.need for reason in self.reasons]
        unknown = any(need.status == "unknown" and need.problem is None for need in needs)
        return 3 if unknown or self.words < 1 or self.ended_by is not None else 0


def why(
    system: System,
    transition: str,
    words: int = 5,
    memory: int = MOST_MEMORY,
    engine: EngineName | None = None,
    proofs: "Callable[[System], Redundancies | None]" = lambda _: None,
    jobs: int = 1,
) -> Why:
    """Drop each precondition of a transition in turn; `proofs` are consulted if one is redundant as far as was
    tried.
    """
    cases = system.transitions.get(transition)
    if cases is None:
        raise UnknownTransition(
            f"{system.name} has no transition `{transition}`; it has {', '.join(system.transitions)}"
            f"{perhaps(transition, system.transitions)}"
        )
    levels = Levels(system, words, memory, engine_for(system, engine or default_engine(), jobs))
    needs: list[Need] = []
    found, ended_by = None, None
    try:
        for need in needs_of(levels, transition):
            needs.append(need)
        found = proofs(system) if any(need.status == "redundant" for need in needs) else None
    except KeyboardInterrupt as interruption:
        ended_by = what_ended(interruption)
    variants = [
        (place, replace(system, figure=figure, text=to_source(figure), source=None))
        for place, (rule, _, figure) in enumerate(dropped_preconditions(system.figure))
        if rule.name == transition
    ]
    pairs = zip(needs, variants, strict=ended_by is None) if needs else ()
    reasons = tuple(
        Reason(need, without, _run(need, without), _proof(need, found, place)) for need, (place, without) in pairs
    )
    reached = levels.reached if ended_by is None else _explored_by_now(levels)
    return Why(system, transition, reached, reasons, ended_by)


def _explored_by_now(levels: Levels) -> int:
    """The greatest number of words that was explored when the work ended; 0 if none."""
    return sum(1 for _ in takewhile(lambda words: levels.known(words, False) is not None, range(1, levels.words + 1)))


def _proof(need: Need, found: "Redundancies | None", place: int) -> "Theorem | None":
    """The theorem about this very precondition; the indices of both follow the order of the figure."""
    if found is None or need.status != "redundant":
        return None
    precondition = found.preconditions[place]
    assert precondition.precondition == need.precondition
    return precondition.theorem


def _run(need: Need, without: System) -> Derivation | None:
    """The run of the counterexample, step by step, every arc with a label of its own."""
    found = need.counterexample
    if found is None or found.transitions is None:
        return None
    return derivation_of(without, found.words, found.transitions)


def kept_proofs(system: System) -> "Redundancies | None":
    """The proofs in the cache."""
    return _proofs(system, only_kept=True)


def new_proofs(system: System) -> "Redundancies | None":
    """The proofs in the cache; those that are missing are made now, which may take minutes."""
    return _proofs(system, only_kept=False)


def _proofs(system: System, only_kept: bool) -> "Redundancies | None":
    from arcproof.properties.proving.meaning.state import Unsupported
    from arcproof.properties.proving.prover import Prover
    from arcproof.properties.proving.redundancy import redundancies
    from arcproof.properties.proving.store import default_store

    try:
        return redundancies(Prover(system), default_store(), only_kept)
    except Unsupported:
        return None
