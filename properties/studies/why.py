"""Why a precondition is there: the smallest run that goes wrong without it, or that it is redundant.

What dropping it does is said by `preconditions`, up to this many words.  That it follows from the others for sentences of every length is for `proving.redundancy` to say.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from arcproof.properties.checks.preconditions import Need, check_preconditions, dropped_preconditions
from arcproof.properties.engines.engine import EngineName, default_engine, engine_for
from arcproof.properties.engines.exhaustive import derivation_of
from arcproof.properties.engines.levels import Levels
from arcproof.transitions.configuration import Derivation
from arcproof.transitions.errors import UnknownTransition
from arcproof.transitions.printing.source import to_source
from arcproof.transitions.system import System

from arcproof.process.lazy_dataclass import dataclass
from arcproof.process.shown import Shown, WithDocument, WithPicture, WithTable

if TYPE_CHECKING:
    from arcproof.properties.proving.redundancy import Redundancies
    from arcproof.properties.proving.theorem import Theorem

MOST_MEMORY: Final = 2**30


@dataclass(frozen=True)
class Reason:
    """What dropping one precondition does; `run` is the smallest run that goes wrong, in the figure without it, `proof` that it follows from the others."""

    need: Need
    without: System
    run: Derivation | None
    proof: "Theorem | None"


@dataclass(frozen=True, repr=False)
class Why(Shown, WithDocument, WithTable, WithPicture):
    """Every precondition of one transition, in the order of the figure; `words` is how far it was explored."""

    system: System
    transition: str
    words: int
    reasons: tuple[Reason, ...]

    @property
    def exit_code(self) -> int:
        """3 if the reason of a precondition is unknown, or nothing was explored; else 0."""
        needs = [reason.need for reason in self.reasons]
        unknown = any(need.status == "unknown" and need.problem is None for need in needs)
        return 3 if unknown or self.words < 1 else 0


def why(
    system: System,
    transition: str,
    words: int = 5,
    memory: int = MOST_MEMORY,
    engine: EngineName | None = None,
    proofs: "Callable[[System], Redundancies | None]" = lambda _: None,
) -> Why:
    """Drop each precondition of a transition in turn; `proofs` are asked for where one is redundant as far as was tried."""
    cases = system.transitions.get(transition)
    if cases is None:
        raise UnknownTransition(
            f"{system.name} has no transition `{transition}`; it has {', '.join(system.transitions)}"
        )
    levels = Levels(system, words, memory, engine_for(system, engine or default_engine()))
    needs = check_preconditions(levels, transition)
    variants = [
        (place, replace(system, figure=figure, text=to_source(figure), source=None))
        for place, (rule, _, figure) in enumerate(dropped_preconditions(system.figure))
        if rule.name == transition
    ]
    found = proofs(system) if any(need.status == "redundant" for need in needs) else None
    pairs = zip(needs, variants, strict=True) if needs else ()
    reasons = tuple(
        Reason(need, without, _run(need, without), _proof(need, found, place)) for need, (place, without) in pairs
    )
    return Why(system, transition, levels.explored(), reasons)


def _proof(need: Need, found: "Redundancies | None", place: int) -> "Theorem | None":
    """The theorem about this very precondition; both count them in the order of the figure."""
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
    """What was proved before and kept."""
    return _proofs(system, only_kept=True)


def new_proofs(system: System) -> "Redundancies | None":
    """The same, and what is not kept is proved now, which may take minutes."""
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
