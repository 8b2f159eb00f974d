"""Every precondition is needed: dropping it breaks a claim that holds with it, with the smallest witness; or it is redundant up to n words.

Claims that cost much to check, such as those about costs, are asked only where no other breaks.

*Redundant* here is relative to the other preconditions, and means that the same transitions are permissible in the same configurations.  A precondition
whose absence breaks no claim but changes what is reached is called *free*: the claims do not ask for it.
"""

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Literal, TypeAlias

from arcproof.properties.engines.exploration import BYTES_A_CONFIGURATION
from arcproof.properties.engines.levels import Levels
from arcproof.properties.engines.spaces import Space
from arcproof.properties.evidence import Counterexample, Exhausted, Refuted
from arcproof.properties.property import check_statement, property_of
from arcproof.transitions.configuration import Configuration, Transition
from arcproof.transitions.printing.notation import SOURCE, claim_text, condition_text
from arcproof.transitions.syntax import Claim, Condition, Figure, Rule

from arcproof.process.lazy_dataclass import dataclass

MOST_CONFIGURATIONS = 50_000


@dataclass(frozen=True, slots=True)
class Need:
    """Of one precondition: what dropping it does."""

    transition: str
    precondition: str
    status: Literal["needed", "redundant", "free", "unknown"]
    breaks: str | None
    words: int
    counterexample: Counterexample | None


def dropped_preconditions(figure: Figure) -> Iterator[tuple[Rule, Condition, Figure]]:
    """The figure without each single precondition."""
    for index, rule in enumerate(figure.rules):
        for condition in rule.preconditions:
            kept = tuple(other for other in rule.preconditions if other is not condition)
            rules = (*figure.rules[:index], replace(rule, preconditions=kept), *figure.rules[index + 1 :])
            yield rule, condition, replace(figure, rules=rules)


def check_preconditions(levels: Levels, transition: str | None = None) -> list[Need]:
    """Drop each precondition in turn, of one transition or of all, and check every claim again; nothing where only sentences without words were explored."""
    if levels.explored() < 1:
        return []
    claims = _Claims(levels)
    most = MOST_CONFIGURATIONS * BYTES_A_CONFIGURATION
    left = levels.memory_left
    memory = most if left is None else min(most, left)
    needs = []
    for rule, condition, figure in dropped_preconditions(levels.system.figure):
        if transition in (None, rule.name):
            weaker = replace(levels.system, figure=figure)
            without = levels.variant(weaker, memory, levels.engine_of(weaker))
            needs.append(_need(levels, claims, rule, condition, without))
    return needs


@dataclass
class _Claims:
    """The plain claims of a figure, the costly ones apart; which of them hold is found out once, when it matters."""

    levels: Levels
    known: dict[Claim, bool] = field(default_factory=dict)

    def asked(self, is_costly: bool) -> list[Claim]:
        """The plain claims of one kind, in the order of the figure."""
        plain = [claim for claim in self.levels.system.figure.claims if claim.kind == "plain"]
        return [claim for claim in plain if property_of(claim.statement).is_costly is is_costly]

    def hold(self, claim: Claim) -> bool:
        """Whether nothing refutes a claim."""
        if claim not in self.known:
            self.known[claim] = isinstance(check_statement(self.levels, claim.statement), Exhausted)
        return self.known[claim]


_Broken: TypeAlias = tuple[str, Counterexample]


def _need(levels: Levels, claims: _Claims, rule: Rule, condition: Condition, without: Levels) -> Need:
    text = condition_text(condition, SOURCE)
    best = _broken(claims, claims.asked(is_costly=False), without)
    same = best is None and _same_moves(levels, rule, without)
    if best is None and not same:
        best = _broken(claims, claims.asked(is_costly=True), without)
    if best is not None:
        return Need(rule.name, text, "needed", best[0], best[1].words, best[1])
    if without.reached < levels.reached:
        return Need(rule.name, text, "unknown", None, without.reached, None)
    return Need(rule.name, text, "redundant" if same else "free", None, levels.reached, None)


def _broken(claims: _Claims, asked: list[Claim], without: Levels) -> _Broken | None:
    """Of the claims that hold, but not without the precondition, the one with the smallest witness."""
    best: _Broken | None = None
    for claim in asked:
        outcome = check_statement(without, claim.statement)
        if isinstance(outcome, Refuted) and claims.hold(claim):
            found = outcome.counterexample
            if best is None or size_of(found) < size_of(best[1]):
                best = claim_text(claim), found
    return best


def _same_moves(levels: Levels, rule: Rule, without: Levels) -> bool:
    """Whether the same is permissible everywhere; then no claim can break."""
    pairs = list(zip(levels.spaces(), without.spaces(), strict=False))
    has_cases = len(levels.system.transitions[rule.name]) > 1
    same = all(_moves(one) == _moves(other) if has_cases else _as_many(one, other) for one, other in pairs)
    return same and without.reached >= levels.reached


def _as_many(one: Space, other: Space) -> bool:
    """Without a precondition of a transition with one case nothing that was permissible is lost, so the moves are the same if they are as many."""
    return (one.size, one.transitions) == (other.size, other.transitions)


def _moves(space: Space) -> set[tuple[Configuration, Transition]]:
    configurations = map(space.configuration, range(space.size))
    expanded = (c for c in configurations if not space.system.is_terminal(c))
    return {(c, transition) for c in expanded for transition in space.system.permissible(c)}


def size_of(counterexample: Counterexample) -> tuple[int, int]:
    """What the smallest witness is the smallest by: words, then transitions."""
    return counterexample.words, len(counterexample.transitions or ())
