"""Why a precondition is there: the smallest run that goes wrong without it, or that it is redundant.

What dropping it does is said by `preconditions`, up to so many words.  Where nothing goes wrong, the claims may also be proved of the figure without it: then they hold without it for
sentences of every length.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from arcproof.properties.engines import Adaptive, Engine, EngineName, Interpreter, default_engine
from arcproof.properties.exhausted import Levels, labelled
from arcproof.properties.preconditions import Need, check_preconditions, dropped_preconditions
from arcproof.properties.verdict import Verdict
from arcproof.transitions.configuration import Derivation, Step
from arcproof.transitions.errors import UnknownTransition
from arcproof.transitions.notation import claim_text
from arcproof.transitions.source import to_source
from arcproof.transitions.system import System

MOST_MEMORY: Final = 2**30


@dataclass(frozen=True)
class ProvedWithout:
    """The claims that are proved of the figure without the precondition, by which solvers and under which assumptions, and those that are not."""

    proved: tuple[str, ...]
    not_proved: tuple[str, ...]
    solvers: tuple[str, ...]
    assumptions: tuple[str, ...]


@dataclass(frozen=True)
class Reason:
    """What dropping one precondition does; `run` is the smallest run that goes wrong, in the figure without it."""

    need: Need
    without: System
    run: Derivation | None
    proof: ProvedWithout | None


@dataclass(frozen=True)
class Why:
    """Every precondition of one transition, in the order of the figure; `words` is how far it was explored."""

    system: System
    transition: str
    words: int
    reasons: tuple[Reason, ...]

    @property
    def exit_code(self) -> int:
        """3 if the reason of a precondition is unknown, or nothing was explored; else 0."""
        unknown = any(reason.need.status == "unknown" for reason in self.reasons)
        return 3 if unknown or self.words < 1 else 0


def why(
    system: System,
    transition: str,
    words: int = 5,
    memory: int = MOST_MEMORY,
    engine: EngineName | None = None,
    prove: Callable[[System], ProvedWithout] | None = None,
) -> Why:
    """Drop each precondition of a transition in turn; with `prove`, ask for proofs where nothing goes wrong."""
    cases = system.transitions.get(transition)
    if cases is None:
        raise UnknownTransition(
            f"{system.name} has no transition `{transition}`; it has {', '.join(system.transitions)}"
        )
    interpreted = (engine or default_engine()) == "interpreter" or len(cases) > 1
    engine_of: Callable[[System], Engine] = Interpreter if interpreted else Adaptive
    levels = Levels(system, words, memory, engine_of(system))
    needs = check_preconditions(levels, transition, engine_of)
    weaker = [
        replace(system, figure=figure, text=to_source(figure), source=None)
        for rule, _, figure in dropped_preconditions(system.figure)
        if rule.name == transition
    ]
    pairs = zip(needs, weaker, strict=True) if needs else ()
    reasons = tuple(_reason(need, without, prove) for need, without in pairs)
    return Why(system, transition, levels.explored(), reasons)


def _reason(need: Need, without: System, prove: Callable[[System], ProvedWithout] | None) -> Reason:
    holds = need.status in ("redundant", "free")
    return Reason(need, without, _run(need, without), prove(without) if prove is not None and holds else None)


def _run(need: Need, without: System) -> Derivation | None:
    """The run of the counterexample, step by step, every arc with a label of its own."""
    found = need.counterexample
    if found is None or found.transitions is None:
        return None
    c = initial = without.start(found.words)
    steps: list[Step] = []
    for count, transition in enumerate(found.transitions):
        steps.append(without.step(c, labelled(without, c, transition, count)))
        c = steps[-1].configuration
    return Derivation(initial, tuple(steps))


def proved_without(without: System) -> ProvedWithout:
    """What `prove` says of the claims."""
    from arcproof.properties.proving.prove import prove

    plain = {claim_text(claim) for claim in without.figure.claims if claim.kind == "plain"}
    theorems = [theorem for theorem in prove(without).theorems if theorem.claim in plain]
    proved = [theorem for theorem in theorems if theorem.verdict is Verdict.PROVED]
    return ProvedWithout(
        tuple(theorem.claim for theorem in proved),
        tuple(theorem.claim for theorem in theorems if theorem not in proved),
        tuple(dict.fromkeys(name for theorem in proved for name in theorem.solvers)),
        tuple(dict.fromkeys(text for theorem in proved for text in theorem.assumptions)),
    )
